"""Drawing on a terminal: colours, sizes, characters, pointing, replay."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.golden import golden
from tests.support.paths import TESTS
from tests.support.terminal import DOWN, EASY, LEFT, RIGHT, UP, Start, Terminal, at_a_move, terminal

pytestmark = pytest.mark.once

if sys.platform == "win32":
    pytest.skip("needs a POSIX terminal", allow_module_level=True)

assert terminal  # fixture

COLOUR = re.compile(rb"\x1b\[[\d;]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])\b[\d;]*m")


def test_colours_are_used_and_no_color_is_obeyed(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY, "--moves", "b2")
    assert COLOUR.search(player.raw)
    player = at_a_move(terminal, *EASY, "--moves", "b2", NO_COLOR="1")
    player.type("c2\r").until("2. c2")
    assert not COLOUR.search(player.raw)
    golden("no_color", player.text())


@pytest.mark.parametrize(("width", "height"), [(40, 22), (200, 50)])
def test_narrow_and_wide(terminal: Start, width: int, height: int) -> None:
    player = at_a_move(
        terminal, "play", "connect4", "--engine", "minimax:depth=1", width=width, height=height
    )
    player.type("4\r")
    golden(f"wide_{width}", player.until(lambda text: "1. 4 [" in text and "arrows point" in text))
    player.type("help\r")
    if height == 22:
        player.until("page 1 of 2; Enter: more")
        player.type("\r").until("page 2 of 2; Enter: the board")
    golden(f"help_{width}", player.until("exit)"))


def test_a_long_answer_has_pages_in_a_small_window(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY, height=15)
    player.type("help\r")
    text = player.until("page 1 of 2; Enter: more")
    assert text.startswith("help [WORD]  ") and len(text.splitlines()) <= 15
    player.type("\r").until("page 2 of 2; Enter: the board")
    assert "quit" in player.text() and "help [WORD]  " not in player.text()
    player.type("\r").until(lambda text: "page" not in text and " O  minimax" in text)
    player.type("b2\r").until("1. b2 [a1]")


def test_window_too_small_for_the_board_states_the_required_size(terminal: Start) -> None:
    player = terminal("play", "chess", "--players", "human,human", width=30, height=10)
    golden("too_small", player.until("type a move"))
    player.type("e4\r").until("1. [e4]")
    for keys, page in (
        ("show\r", "1 of 3; Enter: more"),
        ("\r", "2 of 3"),
        ("\r", "3 of 3; Enter: the board"),
    ):
        player.type(keys).until(f"page {page}")
    player.type("\r").until("needs a window of")
    player.resize(30, 11)
    text = player.until(lambda text: "needs a window" not in text and "type a move" in text)
    assert [line[0] for line in text.splitlines()[1:9]] == list("87654321"), "all ranks"
    player.resize(80, 24)
    player.until("1. [e4]")
    player.type("e5\r").until("[e5]")


def test_a_position_as_text_wraps_in_a_narrow_window(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "chess", "--players", "human,human", "--ascii", width=40, height=16)
    player.type("show\r").until("Enter: ")
    pages = player.text()
    while "Enter: more" in player.text():
        shown = player.text()
        player.type("\r").until(lambda text, shown=shown: text != shown and "Enter: " in text)
        pages += player.text()
    assert "RNBQKBNRwKQkq-01" in re.sub(r"\s", "", pages), "no end of it is cut"


def test_ascii_draws_no_other_character(terminal: Start) -> None:
    player = terminal(*EASY, "--ascii", "--moves", "b2")
    text = player.until("type a move")
    assert text.isascii()
    golden("ascii", text)


def test_chess_with_squares_arrows_and_a_mate(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "chess", "--players", "human,human", "--moves", "f3 e5")
    player.type("g2").until("g2 can go to g3 g4 (g3 g4)")
    player.type("\r").until("type where, or another move")
    golden("chess_selected", player.text())
    player.type("\x1b").until("type a move (")
    player.type("g2\r").until("type where")
    player.type("g4\r").until("2. [g4]")
    player.type("d8\r").until("d8 can go to e7 f6 g5 h4")
    golden("chess_mated", player.type("h4\r").until("game over; type again"))


def test_q_selects_the_queen_at_the_promotion_question(terminal: Start) -> None:
    pawn = "1n6/P6k/8/8/8/8/7K/8 w - - 0 1"
    player = at_a_move(terminal, "play", "chess", "--players", "human,human", "--position", pawn)
    player.type("a7b8").until("Enter asks which one: axb8=Q")
    player.type("\r")
    golden("promotion", player.until("which piece? q: axb8=Q"))
    player.type("q").until("> q\nEnter plays axb8=Q")
    player.type("\r").until("1. [axb8=Q]")


def test_promotion_by_pointing_asks_for_the_piece(terminal: Start) -> None:
    pawn = "8/P6k/8/8/8/8/7K/8 w - - 0 1"
    player = at_a_move(terminal, "play", "chess", "--players", "human,human", "--position", pawn)
    player.type("a7\r").until("type where")
    player.type(UP + UP + "\r").until("which piece? q: a8=Q")
    player.type("n\r").until("1. [a8=N]")


def test_checkers_by_pointing(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "checkers", "--players", "human,human", "--ascii", NO_COLOR="1")
    player.type(DOWN).until(">b<")
    player.type("\r").until("can go to")
    player.type(DOWN).until(lambda text: ">1" in text)
    player.type("\r").until("1. [1")


def test_a_flag_falls_while_a_person_thinks(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "tictactoe", "--players", "human,human", "--clock", "0:02")
    player.type("b")  # and then they think too long
    player.until("o wins; x lost on time")


def test_a_dumb_terminal_gets_lines(terminal: Start) -> None:
    player = terminal(*EASY, TERM="dumb")
    player.until("x to move")
    player.type("b2\r").until("o plays")
    assert b"\x1b[" not in player.raw
    player.type("\x04")
    assert player.status() == 4


def test_dumb_terminal_ignores_arrow_keys(terminal: Start) -> None:
    player = terminal(*EASY, TERM="dumb")
    player.until("x to move")
    player.type(RIGHT + "\x1bOP\r").type("b2" + LEFT + "\r").until("o plays")
    assert "legal" not in player.text()


def test_pasted_lines_are_executed_in_order_on_the_full_screen(terminal: Start) -> None:
    player = terminal("play", "tictactoe", "--players", "human,human", "--full")
    player.until("or click")
    player.type("\x1b[200~a1\rb2\rc3\x1b[201~").until(lambda text: "1. a1" in text and "> c3" in text)
    player.type("\x1b[200~\rz9\ra3\x1b[201~").until("not a legal move")


def test_moves_are_tried_while_an_engine_thinks(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "connect4:columns=4,rows=4", "--level", "1")
    player.type("analyse 2\r").until("values for blue")
    player.type("2\r").until("orange to move, values for blue")
    player.type("<").until("blue to move, values for blue")
    player.type("\x1b").until("back in the game, as it was")
    player.type("analyse\r").until("values for blue")
    player.type("\x03").until("back in the game, as it was")  # one tap
    player.type("2\r").until("1. 2 ")
    player.type("quit\r")
    assert player.status() == 0


def test_watching_two_engines(terminal: Start) -> None:
    player = terminal(
        "play", "tictactoe", "--players", "minimax:depth=2,minimax:depth=2", "--moves", "b2 a1 c3 a3"
    )
    player.until("gameplay replay 1")
    assert player.status() == 0
    golden("watched", player.text())


def test_spectator_pauses_steps_changes_speed_and_leaves(terminal: Start) -> None:
    players = ("--players", "minimax:depth=1,alphabeta:depth=2")
    player = terminal("play", "tictactoe", *players, width=100)
    player.until("p: pause  + -: speed (0.5 s)  q: leave")
    player.type("---").until("speed (4 s)")
    player.type("p").until("paused  space: step  p: go on  q: leave")
    moves = re.findall(r"[abc][123]", player.text().partition("1. ")[2])
    player.type(" ").until(lambda text: len(re.findall(r"[abc][123]", text.partition("1. ")[2])) > len(moves))
    text = player.until(lambda text: bool(re.search(r"(minimax|alphabeta) \([xo]\): .*depth [12];", text)))
    assert "paused" in text, "a step does not end the pause"
    assert player.leaves("q") == 0
    player = terminal("play", "--resume", width=100)
    player.type("+" * 9).until("speed (0 s)")
    player.until("step through the game: gameplay replay 1")
    assert player.status() == 0


def test_finished_game_can_be_saved_replayed_and_continued(terminal: Start, tmp_path: Path) -> None:
    player = at_a_move(terminal, "play", "tictactoe", "--names", "Ann", "--moves", "a1 a2 b1 b2")
    player.type("c1\r").until("game over; type again")
    player.type("save x.pgn\r").until("tictactoe is not saved as .pgn")
    player.type(f"save {tmp_path / 'x.json'}\r").until("saved in")
    player.type("hlp\r").until("did you mean 'help'?")
    player.type("\x1bhint\r").until("there is no move to advise")
    player.type("replay\r").until("move 0 of 5")
    player.type("3\r").until("move 3 of 5: x b1")
    player.type("q").until("game over; type again")
    player.type("replay\r").until("move 0 of 5")
    player.type("\x1b[F").until("move 5 of 5: x c1; x wins")
    player.type("e").until("the game is over here; step back to play on")
    player.type(LEFT * 4).until("move 1 of 5: x a1")
    player.type("e").until("type a move (a2")
    assert "X  iterative" in player.text() and "O  Ann" not in player.text()
    player.type("c3\r").until("2. ")
    assert player.leaves("quit\r") == 0


def test_replay_goes_to_moves_and_plays_by_itself(terminal: Start, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    players = ("--players", "minimax:depth=2,minimax:depth=2", "--moves", "b2 a1 c3 a3", "--save", str(file))
    player = terminal("play", "tictactoe", *players)
    player.until(" positions in ")
    assert player.status() == 0
    player = terminal("replay", str(file), "--ply", "5")
    text = player.until("move 5 of ")
    assert re.search(r"move 5 of \d: x a2 \(.*, depth 2\)", text) and "depth     2" in text
    assert re.search(r"^····[▁▂▃▄▅▆▇█]+$", text, re.MULTILINE), "the values as bars, where there are any"
    typed = {"99\r": "there is no move 99", "12": "go to move 12: Enter goes", "\x1b": "N Enter: move N"}
    for keys, answer in typed.items():
        player.type(keys).until(answer)
    player.type("0\r").until("move 0 of ")
    player.type("a").until("a move every 1 s")
    player.type("+++").until("a move every 0.1 s")
    player.until("a: autoplay")  # it has come to the end
    assert re.search(r"move (\d) of \1", player.text())
    player.type("f").until(lambda text: text.index("  c ") < text.index("  a "))
    player.type("q")
    assert player.status() == 0


def test_replay_steps_through_a_game(terminal: Start, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    moves = ("--players", "human,human", "--moves", "a1 a2 b1 b2", "--save", str(file))
    player = at_a_move(terminal, "play", "tictactoe", *moves)
    player.type("c1\r").until("game over; type again")
    player.type("quit\r")
    assert player.status() == 0
    player = terminal("replay", str(file))
    player.until("move 0 of 5")
    player.type(RIGHT + RIGHT).until("move 2 of 5")
    player.type("\x1b[F")
    golden("replay", player.until("move 5 of 5: x c1; x wins"))
    player.type("\x1b[H").until("move 0 of 5")
    player.type("q")
    assert player.status() == 0


def test_only_games_are_stored_in_the_home_folder(terminal: Start, home: Path) -> None:
    player: Any = terminal(*EASY)
    player.until("type a move")
    player.type("\x03").until(lambda text: text.endswith("press Ctrl-C again to leave\n"))
    player.type("\x03")
    assert player.status() == 130
    assert not home.exists(), "no move was made, so nothing is kept"


TRICKS = str(TESTS / "examples" / "games" / "tricks.py")


def test_two_people_pass_the_keyboard_and_see_their_own_cards(terminal: Start) -> None:
    player = terminal("play", TRICKS, "--players", "human,human", "--moves", "K 6 9 T 7 A")
    player.until("north: press Enter to see the game")
    assert "north │" not in player.text()
    player.type("\r").until("type a move (7 9 K)")
    assert "north │ 7 │ 9 │ K │" in player.text() and "(K 9 7)" in player.text()
    player.type("9\r")
    text = player.until("Pass the keyboard to south. south: press Enter to see the game")
    assert "north │" not in text and "│" not in text, "nothing of the first one's screen is left"
    shown = len(player.raw)
    player.type("\r").until("type a move (6 A T)")
    assert "south │ 6 │ T │ A │" in player.text() and "north │ ▒ │ ▒ │" in player.text()
    assert " K " not in player.raw[shown:].decode()
    assert player.leaves("quit\r") == 0


def test_hand_over_clears_the_scrollback_and_the_typeahead(terminal: Start) -> None:
    for plain in ([], ["--plain"]):
        player = terminal("play", TRICKS, "--players", "human,human", "--moves", "K 6 9 T 7 A", *plain)
        player.until("north: press Enter")
        assert b"\x1b[3J" not in player.raw, "nobody has seen anything yet"
        player.type("\r").until("\n>")  # what is typed before the prompt is dropped
        assert "the window is cleared" in " ".join(player.text().split())
        player.type("9\r\r\r")  # more than one Enter too many
        text = player.until("south: press Enter to see the game")
        cleared = player.raw.rindex(b"\x1b[H\x1b[2J\x1b[3J")
        assert b"Pass the keyboard to south" in player.raw[cleared:]
        assert "7" not in text and "K" not in text


def test_plain_handover_scrolls_hidden_cards_away(terminal: Start) -> None:
    player = terminal("play", TRICKS, "--players", "human,human", "--moves", "K 6 9 T 7 A", "--plain")
    player.until("north: press Enter")
    assert "north: 7 9 K" in player.type("\r").until("\n>")
    player.type("9\r")
    text = player.until("south: press Enter")
    assert "north:" not in text
    text = player.type("\r").until("\n>")
    assert "south: 6 T A" in text and "north: ? ?" in text and "table: 9" in text
    player.type("quit\r")
    assert player.status() == 0


def at(player: Terminal, row: str, column: str) -> tuple[int, int]:
    """The line and column, from 1, of a cell by its names beside and above the board."""
    lines = player.text().splitlines()
    above = next(line for line in lines if re.match(r" +a +b +c", line))
    beside = next(number for number, line in enumerate(lines) if re.match(rf"{row} ", line))
    return beside + 1, above.index(column) + 1


def click(player: Terminal, line: int, character: int) -> None:
    """Press and release the left mouse button there."""
    player.type(f"\x1b[<0;{character};{line}M").type(f"\x1b[<0;{character};{line}m")


def press(player: Terminal, name: str) -> None:
    """Click a button of the last line."""
    player.until(lambda text: name in player.screen.display[-1])
    line = player.screen.display[-1]
    click(player, player.screen.lines, line.index(name) + 1)


def test_a_game_is_played_by_mouse_to_its_end(terminal: Start) -> None:
    player = terminal("play", "tictactoe", "--players", "human,human", "--full")
    golden("full_begin", player.until("or click"))
    for number, (row, column) in enumerate([("1", "a"), ("2", "b"), ("1", "b"), ("3", "c")], 1):
        click(player, *at(player, row, column))
        pattern = rf"\d\. .*{column}{row}"
        player.until(lambda text, pattern=pattern: bool(re.search(pattern, text)) and "or click" in text)
        if number == 2:
            player.resize(60, 20)
            player.until(lambda text: "or click" in text and "2 │" in text)
    click(player, *at(player, "1", "c"))
    golden("full_end", player.until(lambda text: "5 moves" in text and "again, swap" in text))
    press(player, "Undo")
    player.until("or click")
    press(player, "Leave")
    player.until("press it again")
    press(player, "Leave")
    player.until("play --resume")
    assert player.status() == 0
    assert player.raw.rindex(b"\x1b[?1049l") > player.raw.rindex(b"\x1b[?1049h"), "the screen is given back"
    assert player.raw.rindex(b"\x1b[?1000l") > player.raw.rindex(b"\x1b[?1000h"), "and the mouse"


def test_the_puzzle_is_solved_by_mouse(terminal: Start) -> None:
    """A click on a tile beside the blank slides it."""
    start = "4 1 2 3 0 5 6 7 8 9 10 11 12 13 14 15"
    player = terminal("play", "puzzle15", "--full", "--position", start, width=90, height=30)
    assert "Resign" not in player.until("or click")

    def slide(tile: int, pattern: str) -> None:
        text = player.until("or click").splitlines()
        report = ((number, re.search(rf"[\[ ]{tile}[\] ]", row)) for number, row in enumerate(text[1:18], 2))
        line, tiles = next((number, where) for number, where in report if where is not None)
        click(player, line, tiles.start() + 2)
        player.until(pattern)

    slide(5, "1. solver right")
    slide(5, "2. solver left")
    slide(4, "solved in 3 moves, the optimum is 1")


def test_a_turn_of_backgammon_is_played_by_mouse(terminal: Start) -> None:
    words = ("play", "backgammon", "--full", "--seed", "3", "--players", "human,human")
    player = terminal(*words, width=100, height=34)
    text = player.until("click\n").splitlines()
    assert any(re.search("dice │ 5 │ 3 │", line) for line in text)
    feet = next(number for number, line in enumerate(text) if " 12  11  10 " in line)
    for source, to, expected in (("8", "3", "6"), ("6", "3", "black to move")):
        for point in (source, to):
            click(player, feet - 1, text[feet].index(f" {point} ") + 2)
        player.until(expected)
    assert "8/3;6/3" in player.text()


def test_full_screen_chess_by_mouse_keys_and_move_list(terminal: Start) -> None:
    player = terminal("play", "chess", "--players", "human,human", "--full", "--moves", "f3 e5")
    player.until("or click")
    click(player, *at(player, "2", "g"))
    player.until("g2 can go to g3 g4")
    click(player, *at(player, "4", "g"))
    player.until(lambda text: "black to move" in text and "(Qh4#" in text)
    player.type("d8\r").until("d8 can go to e7 f6 g5 h4")
    player.type("\x1b").until("type a move (")
    text = player.text().splitlines()
    line = next(number for number, row in enumerate(text) if "1. f3" in row)
    click(player, line + 1, text[line].index("f3") + 1)
    golden("full_looked", player.until("after 1 of 3 moves"))
    player.type("\x1b").until("black to move")
    player.type("\x1bOP").until("Esc: back to the game")
    player.type("\x1b").until("type a move (")
    player.type("Qh4\r").until("again, swap")
    player.type("quit\r").until("chess: black wins by checkmate")
    assert player.status() == 0


def test_full_screen_and_lines_can_be_switched(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY)
    player.type("full\r").until(lambda text: "F10 Leave" in text and "type a move" in text)
    player.type("b2\r").until("1. b2")
    player.until(lambda text: re.search(r"1\. b2 +a1", text) is not None and "type a move" in text)
    player.type("line\r").until("1. b2 [a1]")
    player.type("full\r").until(lambda text: "F10 Leave" in text and "type a move" in text)
    player.type("\x03").until("press Ctrl-C again to leave; the game is saved")
    assert player.leaves("\x03") == 130


def test_ctrl_c_on_the_full_screen_plays_the_best_move_so_far(terminal: Start) -> None:
    game = ("play", "connect4:columns=9,rows=7", "--engine", "iterative:time=600", "--moves", "5", "--full")
    player = terminal(*game)
    player.until(lambda text: "nodes" in text and "Move now" in text)
    player.type("4\r").until("it is not your turn")
    player.type("\x03").until("typed before your turn: Enter plays 4")
    assert re.search(r"1\. 5 +\d", player.text())


@pytest.mark.parametrize(("signal", "status"), [(2, 130), (15, 143)])
def test_signal_restores_the_terminal(terminal: Start, signal: int, status: int) -> None:
    player = terminal("play", "tictactoe", "--players", "human,human", "--moves", "b2", "--full")
    player.until("F10 Leave")
    player.child.kill(signal)
    assert player.status() == status
    assert player.raw.rindex(b"\x1b[?1049l") > player.raw.rindex(b"\x1b[?1049h")
    assert b"Traceback" not in player.raw


def test_full_screen_covers_hidden_cards(terminal: Start) -> None:
    player = terminal("play", TRICKS, "--players", "human,human", "--moves", "K 6 9 T 7 A", "--full")
    player.until("Enter Show the game")
    player.type("\r").until("north │ 7 │ 9 │ K │")
    player.type("9\r")
    text = player.until(lambda text: "south: press" in text)
    assert "│" not in text, "nothing of the first one's screen is left"
    shown = len(player.raw)
    press(player, "Show the game")
    player.until("south │ 6 │ T │ A │")
    assert " K " not in player.raw[shown:].decode()


def test_full_screen_engine_match_pauses_and_stays_visible(terminal: Start) -> None:
    players = ("--players", "minimax:depth=2,minimax:depth=2")
    player = terminal("play", "tictactoe", *players, "--moves", "b2", "--full")
    player.until("q Leave")
    player.type("p").until("paused")
    player.type("p++++").until("the game is a draw")
    player.type("q").until("tictactoe: the game is a draw")
    assert player.status() == 0


def test_start_menu_chooses_a_game_and_an_opponent(terminal: Start) -> None:
    player = terminal("play")
    golden("menu_games", player.until("Ctrl-C: leave"))
    player.type("connect").until("connect4 ")
    text = player.type("\r").until("choose; Esc: back")
    golden("menu_players", text)
    for question in ("Against whom?", "Which side do you take?", "How long?", "With a clock?"):
        player.type("\r").until(question)
    text = player.type("\r").until("type a move")
    assert "The same again: play connect4 --level casual" in text
    player.type("quit\r")
    assert player.status() == 0


def test_hand_over_hides_the_cards_of_the_other(terminal: Start) -> None:
    player = terminal("play", "leduc", "--players", "human,human", "--names", "Ann,Bo", "--seed", "1")
    golden("hand_over", player.until("press Enter to see the game"))
    card = re.search(r"\b[JQK][sh]\b", player.type("\r").until("type a move"))
    assert card is not None
    text = player.type("check\r").until("Pass the keyboard to Bo (second). Bo: press Enter")
    assert card[0] not in text and not re.search(r"\b[JQK][sh]\b", text)
