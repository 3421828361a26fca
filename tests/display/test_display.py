"""Drawings in every theme and width: no fact by colour alone, nothing wider than the terminal."""

import io
import json
import unicodedata
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay import value as scale
from gameplay.board import Board
from gameplay.display.board import drawing as boards
from gameplay.display.board.drawing import draw, flip_board
from gameplay.display.board.pointing import next_cell
from gameplay.display.terminal import panel, search_panel
from gameplay.display.terminal.line import PlainOutput
from gameplay.display.terminal.screen import Screen
from gameplay.display.terminal.stream import Stream, document
from gameplay.display.theme import Theme, detect_theme
from gameplay.matches.match import Event, Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice
from gameplay.search.report import Report
from tests.support.paths import TESTS
from tests.support.streams import Output
from tests.support.themes import ASCII, PLAIN

pytestmark = pytest.mark.once


def match_of(game: str, *moves: str, start: str = "") -> Match:
    return Match(registry.game(game), [EmptySeat("human"), EmptySeat("alphabeta:depth=4")], start, moves)


def screen_of(match: Match, theme: Theme = PLAIN) -> Screen:
    screen = Screen(theme, viewer=0)
    screen.match = match
    return screen


def draw_lines(board: Any, theme: Theme = PLAIN, **how: Any) -> list[str]:
    return draw(board, theme, **how).plain.splitlines()


# -- theme ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "env", "terminal", "encoding", "expected"),
    [
        ({}, {"TERM": "xterm"}, True, "utf-8", (True, True, True)),
        ({}, {"TERM": "xterm", "NO_COLOR": "1"}, True, "utf-8", (False, True, True)),
        ({}, {"TERM": "xterm", "NO_COLOR": ""}, True, "utf-8", (True, True, True)),
        ({}, {"TERM": "dumb"}, True, "utf-8", (False, True, False)),
        ({}, {"TERM": "xterm"}, False, "utf-8", (False, True, False)),
        ({}, {"TERM": "xterm", "FORCE_COLOR": "1"}, False, "utf-8", (True, True, False)),
        ({}, {"TERM": "xterm", "FORCE_COLOR": "1", "NO_COLOR": "1"}, True, "utf-8", (False, True, True)),
        ({"color": "always"}, {"TERM": "xterm", "NO_COLOR": "1"}, False, "utf-8", (True, True, False)),
        ({"color": "never"}, {"TERM": "xterm", "FORCE_COLOR": "1"}, True, "utf-8", (False, True, True)),
        ({}, {"TERM": "xterm"}, True, "latin-1", (True, False, True)),
        ({}, {"TERM": "linux"}, True, "utf-8", (True, False, True)),
        ({"ascii": True}, {"TERM": "xterm"}, True, "utf-8", (True, False, True)),
        ({"plain": True}, {"TERM": "xterm"}, True, "utf-8", (True, True, False)),
    ],
)
def test_the_theme_is_decided_from_flags_environment_and_streams(
    flags: dict[str, Any], env: dict[str, str], terminal: bool, encoding: str, expected: tuple[bool, ...]
) -> None:
    out = Output(terminal, encoding)
    theme = detect_theme(**flags, env=env, stdin=Output(terminal), stdout=out)
    assert (theme.colour, theme.unicode, theme.interactive) == expected


def test_without_colour_no_colour_is_written() -> None:
    match = match_of("connect4", "4", "4")
    assert "\x1b[3" not in screen_of(match).ansi(80, 24) and "\x1b[4" not in screen_of(match).ansi(80, 24)


# -- board ----------------------------------------------------------------------------------------


def test_the_grid_marks_the_last_move_and_the_cursor_without_colour() -> None:
    match = match_of("tictactoe", "a1", "b2")
    board = match.board()
    assert draw_lines(board, cursor=(0, 1)) == [
        "    a   b   c",
        "  ┌───┬───┬───┐",
        "1 │ X │> <│   │",
        "  ├───┼───┼───┤",
        "2 │   │[O]│   │",
        "  ├───┼───┼───┤",
        "3 │   │   │   │",
        "  └───┴───┴───┘",
    ]


def test_a_winning_line_is_starred_in_grid_and_rows_and_ascii() -> None:
    match = match_of("tictactoe", "a1", "a2", "b1", "b2", "c1")
    board = match.board()
    assert draw_lines(board, ASCII)[2] == "1 |*X*|*X*|*X*|"
    assert draw_lines(board, ASCII)[1] == "  +---+---+---+"
    rows = [line.rstrip() for line in draw_lines(board, scale=0)]
    assert rows == ["   a b c", "1 *X*X*X*", "2  O O .", "3  . . ."]


def test_marks_stand_close_to_their_stones_in_wide_columns() -> None:
    match = match_of("connect4:columns=12,rows=4", "5", "6")
    board = match.board()
    assert draw_lines(board, scale=0)[-1].rstrip() == "   .  .  .  .  ● [○] .  .  .  .  .  ."


def test_only_lines_bars_and_discs_have_an_ambiguous_width() -> None:
    match = match_of("connect4", "4", "4", "3")
    screen = screen_of(match)
    screen.report, screen.at = Report(value=12, depth=4, nodes=99, seconds=0.1), 2
    for letter in screen.ansi(80, 24):
        wide = unicodedata.east_asian_width(letter)
        assert wide not in "WF" and (wide != "A" or letter in "┌┬┐├┼┤└┴┘─│█░●○"), letter


def test_flipping_turns_a_board_round_and_mirrors_where_stones_fall() -> None:
    position = match_of("tictactoe", "a1").position
    round_ = flip_board(position.board(last=0))
    assert round_.cells[2][2] == "X" and round_.rows == ("3", "2", "1") and round_.columns == ("c", "b", "a")
    assert round_.last == ((2, 2),) and (0, 0) in round_.moves
    assert flip_board(round_) == position.board(last=0)
    fallen = flip_board(match_of("connect4", "1").position.board(last=0))
    assert fallen.cells[5][6] == "X", "a stone stays at the bottom"


def test_arrows_find_the_next_cell_that_can_be_played() -> None:
    board = match_of("tictactoe", "b2", "a1").position.board()
    assert next_cell(board, None, 0, 1) in {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert next_cell(board, (0, 1), 0, 1) == (0, 2)
    assert next_cell(board, (0, 2), 0, 1) == (0, 2), "there is nothing further right"
    assert next_cell(board, (0, 1), 1, 0) == (2, 1), "over the stone in between"
    columns = match_of("connect4", "4", "4", "4").position.board()
    assert next_cell(columns, (2, 3), 0, 1) == (5, 4), "the next column, however high"
    over = match_of("tictactoe", "a1", "a2", "b1", "b2", "c1").position.board()
    assert next_cell(over, None, 0, 1) is None


@pytest.mark.parametrize("size", [(40, 20), (80, 24), (200, 50), (30, 10), (20, 6)])
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "tictactoe:width=7,height=7,line=5"])
def test_no_line_is_wider_than_the_terminal(game: str, size: tuple[int, int]) -> None:
    match = match_of(game)
    screen = screen_of(match)
    screen.report = Report(value=scale.WIN - 7, depth=40, nodes=10**9, seconds=9.0, pv=(0, 1, 0, 1), probes=9)
    for message in ("", "a short word", "\n".join(["a long text that goes on for a while"] * 18)):
        for line in screen.ansi(*size, message=message).splitlines():
            assert len(line.replace("\x1b[1m", "").replace("\x1b[0m", "")) <= size[0], line


@pytest.mark.parametrize("size", [(40, 20), (80, 24), (200, 50)])
@pytest.mark.parametrize("game", ["tictactoe", "connect4"])
def test_board_and_side_to_move_are_visible_at_every_usual_size(game: str, size: tuple[int, int]) -> None:
    text = screen_of(match_of(game)).ansi(*size)
    assert len(text.splitlines()) <= size[1] - 3
    assert ">" in text and "you" in text
    rows = len(match_of(game).position.board().cells)
    assert "└" in text or sum(line.count(" .") > 2 for line in text.splitlines()) == rows


@pytest.mark.parametrize("height", range(12, 31))
@pytest.mark.parametrize("width", [40, 100])
def test_screen_is_never_higher_than_its_rows(width: int, height: int) -> None:
    """With any text beside the board or below it three lines remain for input."""
    words = [f"{file}{rank}" for rank in range(1, 5) for file in "abcde"]  # no five in a row yet
    match = match_of("tictactoe:width=5,height=5,line=5", *words)
    assert not match.over()
    screen = screen_of(match)
    screen.report = Report(
        value=12, depth=4, seldepth=7, nodes=999, seconds=0.1, pv=(2, 3, 5), probes=9, hits=3, cutoffs=4,
        first_cutoffs=2, branching=3.0,
    )  # fmt: skip
    for message in ("", "one line", "one line\nand another"):
        lines = screen.ansi(width, height, message=message).splitlines()
        assert len(lines) <= height - 3
        assert all(any(words in line for line in lines) for words in message.splitlines())


# -- panel ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "exact", "mover", "words"),
    [
        (scale.WIN - 3, True, 0, "blue wins in 3 plies"),
        (1 - scale.WIN, True, 0, "orange wins in 1 ply"),
        (0, True, 1, "draw"),
        (0, False, 1, "level"),
        (14, False, 1, "blue -14 points"),
        (-14, False, 1, "blue +14 points"),
        (14, False, 0, "blue +14 points"),
        (1, False, 1, "blue -1 point"),
    ],
)
def test_a_verdict_names_the_side(value: int, exact: bool, mover: int, words: str) -> None:
    assert search_panel.describe_value(match_of("connect4"), Report(value=value, exact=exact), mover) == words


def test_search_without_a_result_is_marked() -> None:
    match = match_of("connect4")
    assert search_panel.describe_value(match, Report(bound="unknown", ahead=5), 0) == "no value yet"
    assert search_panel.describe_value(match, Report(bound="unknown"), 0) == "no value"


@pytest.mark.parametrize(
    ("game", "place", "message"),
    [
        ("kuhn.py", "", ""),
        ("kuhn.py", "mine.py:Mine", "searches one consistent deal"),
        *(("dice_race.py", "mine.py:Mine", ""), ("pig.py", "", "")),
    ],
)
def test_display_states_how_engines_treat_hidden_information(game: str, place: str, message: str) -> None:
    class Engine(EmptySeat):
        engine = SimpleNamespace(place=place)

    game_class = registry.game(str(TESTS / "examples" / "games" / game))
    count = game_class.new().players
    match = Match(game_class, [EmptySeat("human"), Engine("robot"), *[EmptySeat("human")] * (count - 2)])
    cleared = ["the window is cleared, with all that was scrolled away, when the keyboard is passed on"]
    lines = [f"{match.side(1)} (robot) {message}"] if message else []
    assert panel.start_notices(match) == lines, "one person has nothing to hide from themselves"
    two = Match(game_class, [EmptySeat("human")] * count)
    assert panel.start_notices(two) == (cleared if game == "kuhn.py" else [])
    assert panel.start_notices(two, clears=False) == []


def test_value_bar_fills_for_the_first_player_at_either_turn() -> None:
    match = match_of("connect4")

    def full(value: int, mover: int) -> int:
        return panel.evaluation_bar(match, PLAIN, Report(value=value), mover, 44).plain.count("█")

    assert full(0, 0) == full(0, 1) == 20
    assert full(scale.WIN - 3, 0) == 40 and full(scale.WIN - 3, 1) == 0
    assert full(9, 0) == 40 - full(9, 1) > 20
    assert full(9, 0) < full(90, 0) < 40
    half = panel.evaluation_bar(match_of("tictactoe"), PLAIN, Report(value=0), 0, 12).plain
    assert half == "X ████░░░░ O"


def test_display_drops_search_facts_from_the_end() -> None:
    match = match_of("connect4", "4")
    report = Report(
        value=5, depth=8, seldepth=11, nodes=1_234_567, seconds=0.5, pv=(3, 3), probes=200, hits=50,
        fill=0.125, cutoffs=1000, first_cutoffs=910, branching=2.5,
    )  # fmt: skip
    assert search_panel.search_facts(match, report, 1, 80).plain.splitlines() == [
        "depth     8, seldepth 11",
        "nodes     1.23 M, 2.47 M/s, 0.5 s",
        "value     blue -5 points",
        "line      4 4",
        "TT        25% hits, 12.5% full",
        "beta cuts 1,000, 91% by the first move",
        "branching 2.50",
    ]


def test_display_shows_a_mean_with_its_error_on_one_line() -> None:
    match = match_of("connect4")
    report = Report(value=-0.1, bound="expectation", error=0.034, visits=3279, seldepth=7, nodes=1, seconds=1)
    for width, expected in ((60, "blue 45 % expected score ± 1.7"), (37, "blue 45 % ± 1.7")):
        assert (
            search_panel.search_facts(match, report, 0, width).plain.splitlines()[2]
            == f"value     {expected}"
        )


@pytest.mark.parametrize(
    ("payoffs", "reason", "reading", "words"),
    [
        ((1, -1), "rules", None, "x wins"),
        ((1, -1), "rules", 0, "you win: x wins"),
        ((-1, 1), "resigned", 0, "you lose: o wins; x resigned"),
        ((-1, 1), "time", None, "o wins; x lost on time"),
        ((0, 0), "rules", 0, "the game is a draw"),
        (None, "unfinished", 0, "the game is unfinished"),
    ],
)
def test_a_result_in_words(payoffs: Any, reason: str, reading: int | None, words: str) -> None:
    match = match_of("tictactoe")
    match.payoffs, match.reason = payoffs, reason
    assert panel.describe_result(match, reading) == words


@pytest.mark.parametrize(
    ("payoffs", "words"),
    [((2, -1, -1), "north 2, east -1, west -1"), ((0, 0, 0), "north 0, east 0, west 0"), (None, "")],
)
def test_result_of_a_three_player_game_lists_payoffs(payoffs: Any, words: str) -> None:
    match = three("1 2")
    match.payoffs, match.reason = payoffs, "rules"
    message = f"the game is over: {words}" if words else "the game is unfinished"
    assert panel.describe_result(match) == panel.describe_result(match, 1) == message


def three(moves: str) -> Match:
    game = registry.game(str(TESTS / "examples" / "games" / "thrice.py"))
    return Match(game, [EmptySeat(), EmptySeat(), EmptySeat()], moves=moves.split())


def move_list(match: Any, width: int = 80, height: int = 9) -> str:
    return panel.move_list(match, width, height).plain


def test_the_moves_of_three_stand_in_rounds_of_three() -> None:
    assert move_list(three("")) == ""
    assert move_list(three("1")) == "1. [1]"
    assert move_list(three("1 2 1")) == "1. 1 2 [1]"
    assert move_list(three("1 2 1 1 2")) == "1. 1 2 1  2. 1 [2]"
    assert move_list(three("1 1 1 1 1 1 1")) == "1. 1 1 1  2. 1 1 1  3. [1]"


@pytest.mark.parametrize(
    ("began", "words"),
    [(0, "1. a b c  2. [d]"), (1, "1. ... a b  2. c [d]"), (2, "1. ... ... a  2. b c [d]")],
)
def test_first_mover_keeps_the_column_in_rounds(began: int, words: str) -> None:
    turns = [SimpleNamespace(player=(began + ply) % 3, word=word, news=()) for ply, word in enumerate("abcd")]
    position = SimpleNamespace(chance=False)
    assert move_list(SimpleNamespace(players=[0, 1, 2], turns=turns, position=position)) == words


def test_dice_stand_in_the_row_of_the_moves() -> None:
    """The first roll does not determine who began: players are named, and no rounds counted."""
    turns = [
        SimpleNamespace(player=player, word=word, news=())
        for player, word in zip((1, -1, 0), "abc", strict=True)
    ]
    match = SimpleNamespace(
        turns=turns, position=SimpleNamespace(chance=True, hidden=False), side=lambda player: "xo"[player]
    )
    assert move_list(match) == "o a  (b)  x [c]"


def test_rounds_fill_a_line_to_its_last_column() -> None:
    match = three("1 1 1 1 1 1")
    assert move_list(match, width=len("1. 1 1 1  2. 1 1 [1]")) == "1. 1 1 1  2. 1 1 [1]"
    assert move_list(match, width=len("1. 1 1 1  2. 1 1 [1]") - 1) == "1. 1 1 1\n2. 1 1 [1]"
    assert move_list(match, width=9, height=1) == "2. 1 1 [1]"


@pytest.mark.parametrize("columns", [("a", "b"), ("", "b"), ("a", ""), ("", "")])
@pytest.mark.parametrize("scale", [0, 1, 2])
@pytest.mark.parametrize("ground", ["", "chequered"])
def test_a_line_of_labels_is_drawn_if_there_are_labels(columns: Any, scale: int, ground: str) -> None:
    cells = (("x", ""), ("", "o"))
    board = Board(cells, columns, ("2", "1"), {"x": 0, "o": 1}, ground=ground, white=0 if ground else None)
    lines = draw_lines(board, scale=scale)
    width, height = boards.size(board, scale, PLAIN)
    assert len(lines) == height and max(map(len, lines)) <= width
    assert [label for label in columns if label and not any(label in line for line in lines)] == []


# -- lines and streams ------------------------------------------------------------------------------


def test_plain_lines_have_one_fact_each() -> None:
    out = io.StringIO()
    match = match_of("tictactoe")
    plain_output = PlainOutput(PLAIN, out)
    plain_output.match = match
    match.listeners.append(plain_output)
    match.notify(Event("begin"))
    match.make(Choice(4))
    match.make(Choice(0, Report(move=0, value=-2, depth=3, nodes=1234, seconds=0.25)))
    match.undo()
    plain_output.turn(match.view(1))
    plain_output.turn(match.view(1))
    assert out.getvalue().splitlines() == [
        "game: tictactoe",
        "x: human",
        "o: alphabeta:depth=4",
        "x plays b2",
        "o plays a1, value x +2 points, depth 3, 1,234 nodes, 0.25 s",
        "o takes back a1",
        "  a b c",
        "1 . . .",
        "2 . X .",
        "3 . . .",
        "o to move",
    ]


def test_the_stream_is_json_and_complete() -> None:
    out = io.StringIO()
    match = match_of("tictactoe", "a1", "a2", "b1", "b2")
    stream = Stream(out)
    stream.match = match
    match.listeners.append(stream)
    match.notify(Event("begin"))
    match.watch(Report(move=2, value=scale.WIN - 1, depth=1, nodes=5, seconds=0.5, pv=(2,)))
    match.make(Choice(2, Report(move=2, value=scale.WIN - 1, depth=1, nodes=5, seconds=0.5, pv=(2,))))
    assert match.over()
    match.notify(Event("end"))
    match.notify(Event("restart"))
    begin, report, move, end, restart = map(json.loads, out.getvalue().splitlines())
    assert begin["event"] == "begin" and begin["moves"] == ["a1", "a2", "b1", "b2"]
    assert begin["sides"] == ["x", "o"] and begin["players"] == ["human", "alphabeta:depth=4"]
    assert report["event"] == "report" and report["ply"] == 5 and report["pv"] == ["c1"]
    assert (move["ply"], move["side"], move["move"], move["nps"]) == (5, "x", "c1", 10)
    assert end == {"event": "end", "result": [1, -1], "winner": "x", "reason": "rules", "plies": 5}
    assert restart == {"event": "restart"}
    assert document(match, {"game": "tictactoe"})["winner"] == "x"


def test_pieces_are_found_for_games_without_a_board() -> None:
    match = match_of("tictactoe")
    assert panel.piece_of(match, 1) == "O"
    assert boards.size(match.position.board(), 1, PLAIN) == (15, 8)


@pytest.mark.parametrize(
    ("moves", "cells"),
    [
        ("b1 b2 c1 c3 a2 b3 a3 c2 a1", ["*X*|*X*|*X*", "*X*| O | O", "*X*| O | O"]),  # a row and a column
        ("a1 b1 c3 a2 c1 c2 a3 b3 b2", ["*X*| O |*X*", " O |*X*| O", "*X*| O |*X*"]),  # two diagonals
    ],
)
def test_a_move_that_completes_two_lines_shows_both(moves: str, cells: list[str]) -> None:
    position = registry.game("tictactoe").new()
    for word in moves.split():
        position.make(position.parse(word))
    shown = draw(position.board(), ASCII, 1).plain.splitlines()
    assert [line[3:].strip("|").rstrip() for line in shown[2::2]] == cells


def test_columns_are_not_broken_beside_the_board() -> None:
    """The position as text gets the whole width if its columns would be broken beside the board."""
    screen = screen_of(match_of("backgammon", "53"))
    match = screen.match
    text = match.show() + "\n--position '4HPwATDgc/ABMA:MIEOAAAAAAAE' --moves '53'"
    shown = screen.ansi(80, 24, message=text)
    assert all(line in shown for line in text.splitlines()) and "Enter: the board" in shown
    assert "Enter: the board" not in screen.ansi(120, 40, message=text)
    assert "Enter: the board" not in screen.ansi(80, 24, message="first\n" + "a sentence of words " * 6)
