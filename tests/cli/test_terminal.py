"""The program at a terminal, as a user sees it: pexpect types, pyte shows the screen.

The golden screens are in tests/screens; see tests/support/golden.py.
"""

import os
import re
import shlex
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay.display.terminal import line_input, prompt_loop
from gameplay.display.terminal.keyboard import Keyboard
from tests.support.golden import golden
from tests.support.paths import TESTS
from tests.support.terminal import EASY, LEFT, PROGRAM, RIGHT, UP, Start, at_a_move, terminal

pytestmark = pytest.mark.once

if sys.platform == "win32":
    pytest.skip("needs a POSIX terminal", allow_module_level=True)

assert terminal  # fixture


def test_a_quiet_panel_shows_how_far_a_search_was_and_its_value_at_the_end(terminal: Start) -> None:
    player = terminal(
        "play", "tictactoe", "--engine", "minimax:depth=1", "--seed", "1", GAMEPLAY_PANEL="quiet"
    )
    player.until("type a move")
    text = player.type("b2\r").until("minimax: depth 1")
    assert "nodes" in text and not any(word in text for word in ("value", "line ", "█"))
    player.type("c3\r").until("1. b2 a1")
    assert "value" in player.type("panel full\r").until("value")
    text = player.type("panel off\r").until("panel: off")
    assert "nodes" not in text and "value" not in text
    assert "nodes" in player.type("\x1b[17~").until("panel: quiet")  # F6: the next of off, quiet, full


def test_a_whole_game(terminal: Start) -> None:
    player = terminal(*EASY)
    golden("begin", player.until("type a move"))
    player.type("b2").until("Enter plays b2")
    player.type("\r")
    golden("answer", player.until("1. b2 [a1]"))
    player.type(RIGHT + "\r")
    player.until("2. ")
    assert player.leaves("quit\r") == 0


def test_a_whole_game_of_the_puzzle(terminal: Start) -> None:
    start = ("play", "puzzle15", "--position", "4 1 2 3 0 5 6 7 8 9 10 11 12 13 14 15")
    player = terminal(*start)
    golden("puzzle_begin", player.until("arrows move"))
    player.type(RIGHT).until("1. [right]")
    player.type("hint\r").until("2 moves to the goal")
    player.type(LEFT).until("2. [left]")
    player.type(LEFT).until("left is not a legal move here")
    player.type(UP)
    golden("puzzle_end", player.until("solved in 3 moves, the optimum is 1"))
    for name, width, more in (("narrow", 40, ()), ("ascii", 80, ("--ascii", "--color", "never"))):
        golden(f"puzzle_{name}", terminal(*start, *more, width=width).until("type a move"))


def test_the_end_of_a_game_and_another_one(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "tictactoe", "--players", "human,human", "--moves", "a1 a2 b1 b2")
    player.type("c1\r")
    golden("end", player.until("game over; type again"))
    player.type("again\r").until(lambda text: text.rstrip().endswith("arrows point"))
    player.type("a1\r").until("1. [a1]")
    player.type("resign\r").until("resign the game? yes or no")
    player.type("no\r").until("the game goes on")
    player.type("resign\r").until("resign the game? yes or no")
    player.type("yes\r").until("x wins; o resigned")
    player.type("undo\r").until(lambda text: text.rstrip().endswith("arrows point"))
    player.type("resign yes\r").until(lambda text: text.rstrip().endswith("or help"))
    player.type("q\r")
    assert player.status() == 0


def test_swap_changes_sides(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY, "--moves", "b2 a1")
    player.type("resign yes\r").until("game over; type again, swap")
    player.type("swap\r").until(lambda text: bool(re.search(r"> +O +you", text)))


def test_wrong_move_is_explained_and_stays_for_correction(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY)
    player.type("z9").until("'z9' is not a legal move here")
    player.type("\r")
    golden("wrong", player.until("> z9"))
    player.type("\x7f\x7f").until("type a move")
    player.type("c3\r").until("1. c3")
    player.type("hlp\r").until("did you mean 'help'?")
    player.type("moves").until("> moves")  # what is typed next takes the place of what was wrong
    player.type("\r").until("legal moves:")


def test_words_complete_and_answer(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY)
    player.type("hi\t").until("> hint")
    player.type("\r").until("again")
    player.type("help\r")
    golden("help", player.until("the game is saved"))
    assert "page" not in player.text()
    player.type("\r").until("a       b       c")
    player.type("\x10").until("> help")  # Ctrl-P: what was typed before


def test_arrows_move_a_cursor_and_enter_plays_there(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "connect4", "--players", "human,human")
    player.type(RIGHT)
    golden("cursor", player.until(">∙<"))
    player.type(RIGHT + "\r").until("1. [5]")


def test_resize_redraws_the_screen(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "connect4", "--players", "human,human", "--moves", "4 4 3")
    player.resize(40, 20)
    golden("resized", player.until(lambda text: "∙ │ ∙ │ ∙ │ ∙ │ ∙" in text and "type a move" in text))
    player.type("5\r").until("[5]")


def test_ctrl_c_at_the_prompt_saves_and_prints_the_resume_command(terminal: Start, home: Path) -> None:
    player = at_a_move(terminal, "play", "tictactoe", "--players", "human,human")
    player.type("b2\r").until("1. [b2]")
    player.type("\x03").until("press Ctrl-C again to leave; the game is saved")
    player.type("a").until("> a")
    player.type("\x03").until("press Ctrl-C again")
    player.type("\x03")
    golden("interrupted", player.until("interrupted"))
    assert player.status() == 130
    again = terminal("play", "--resume")
    again.until("1. [b2]")


def test_ctrl_c_while_the_engine_thinks_plays_its_best_move(terminal: Start) -> None:
    player = terminal("play", "connect4:columns=9,rows=7", "--engine", "iterative:time=600", "--moves", "5")
    player.until(lambda text: "nodes" in text and "branching" in text)
    player.type("\x03").until("type a move")
    assert re.search(r"1\. 5 \[\d\]", player.text())


LONG = ("play", "connect4:columns=9,rows=7", "--engine", "iterative:time=600", "--seed", "1")


def thinking(text: str) -> bool:
    return "nodes" in text and "branching" in text and "Ctrl-C: move now" in text


def test_typeahead_waits_for_the_turn(terminal: Start) -> None:
    player = at_a_move(terminal, *LONG)
    player.type("5\r").until(thinking)
    player.type("4\r").until("> 4\ntyped ahead: on your turn Enter plays it")
    player.type("6\r").until("> 6\n")
    player.type("\x03")
    text = player.until("typed before your turn: Enter plays 6")
    assert re.search(r"1\. 5 \[\d\]", text) and "2. " not in text, "neither was played"
    player.type("7").until(lambda text: "> 7\nEnter plays 7" in text)  # takes its place
    player.type("\r").until("2. [7]")


def test_enter_plays_what_was_typed_ahead_and_anything_else_does_not(terminal: Start) -> None:
    player = at_a_move(terminal, *LONG)
    player.type("5\r").until(thinking)
    player.type("46\x7f").until("> 4\n")
    player.type("\x03").until("typed before your turn: Enter plays 4")
    assert "2. " not in player.text()
    time.sleep(line_input.SETTLE)  # so long is Enter taken for the end of what was typed ahead
    player.type("\r").until("2. [4]")


def test_enter_at_the_moment_when_the_turn_begins_plays_nothing(
    monkeypatch: pytest.MonkeyPatch, terminal: Start
) -> None:
    entry = line_input.LineInput(None, None, lambda text: (True, ""), lambda text: [], lambda: "")
    entry.buffer, entry.type_ahead, entry.start_time = SimpleNamespace(text="4"), "4", 100.0
    monkeypatch.setattr(time, "monotonic", lambda: 100.1)
    assert entry.enter() is None and entry.entered, "it was meant for what stood there before"
    entry.type_ahead = ""
    entry.buffer.append_to_history = lambda: None
    assert entry.enter() == "4"


def test_lines_typed_in_one_go_are_not_played_blind(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY)
    player.type("b2\rc3\r")
    text = player.until("typed before your turn: Enter plays c3")
    assert "1. b2 [a1]" in text
    people = at_a_move(terminal, "play", "tictactoe", "--players", "human,human")
    people.type("b2\rc3\r").until("1. b2 [c3]")  # whoever types for both knows what was played
    plain = terminal(*EASY, "--plain")
    plain.until("x to move")
    plain.type("b2\rc3\r")
    assert "o plays a1" in plain.until("what was typed before your turn is dropped")
    plain.type("c2\r").until("x plays c2")


def test_input_typed_at_the_own_turn_is_not_lost(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY)
    player.type("hint\rundo\rhelp\r").until("the legal moves")
    player.type("b2\r").until("1. b2 [a1]")


def test_keys_between_two_questions_go_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    from prompt_toolkit.input.defaults import create_pipe_input
    from prompt_toolkit.input.typeahead import get_typeahead

    keys = Keyboard(lambda: None, lambda: None)
    read = iter(["he", "lp\n\x1b[A"])
    monkeypatch.setattr(keys, "_read", lambda: next(read))
    keys.read_ahead()
    keys.read_ahead()
    with create_pipe_input() as source:
        monkeypatch.setattr("prompt_toolkit.input.defaults.create_input", lambda: source)
        prompt_loop.unread_keys(keys.keys_read)
        assert [str(getattr(key.key, "value", key.key)) for key in get_typeahead(source)] == [
            *"help",
            "c-m",
            "up",
        ]
    keys.end_prompt()
    assert not keys.keys_read


def test_a_word_typed_ahead_does_not_answer_the_question_after_the_game(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY, "--moves", "a1 b1 a2 b2")
    player.type("c3\rq\r").until("typed before your turn: quit: leave")


def test_ctrl_c_stops_a_search_and_twice_leaves_the_prompt(terminal: Start) -> None:
    player = at_a_move(terminal, *LONG)
    player.type("5\r").until(thinking)
    player.type("\x03\x03").until("type a move")  # the second came too late, and is forgotten
    player.type("\x03").until("press Ctrl-C again to leave; the game is saved")
    player.type("\x1b").until("type a move")
    player.type("\x03").until("press Ctrl-C again")
    assert player.leaves("\x03") == 130


def test_without_redrawing_ctrl_c_needs_a_second_tap_too(terminal: Start) -> None:
    player = terminal(*EASY, "--plain")
    player.prompts("x to move")
    player.type("b2\r").prompts("o plays a1")
    player.type("\x03").prompts("press Ctrl-C again to leave; the game is saved")
    player.type("hlp\r").prompts("did you mean")
    player.type("\x03").until(lambda text: text.count("press Ctrl-C again") == 2)
    assert player.leaves("\x03") == 130


def test_ctrl_z_gives_the_shell_back_and_fg_the_game(terminal: Start) -> None:
    shell = terminal("bash", "--norc", "--noprofile", "-i", PS1="shell> ", HISTFILE="")
    shell.until("shell>")
    shell.type(shlex.join([*PROGRAM, *LONG]) + "\r").until("type a move")
    shell.type("\x1a")
    assert "│" not in shell.until("Stopped"), "the board is taken away"
    assert shell.raw.rindex(b"\x1b[?25h") > shell.raw.rfind(b"\x1b[?25l"), "the cursor is shown"
    shell.type("clear; echo to the $((40 + 2))\r").until("to the 42")
    shell.type("fg\r").until("type a move")
    shell.type("5\r").until(thinking)
    shell.type("\x1a").until("Stopped")
    assert shell.raw.rindex(b"\x1b[?25h") > shell.raw.rfind(b"\x1b[?25l"), "the cursor is shown"
    shell.type("fg\r").until(thinking)
    shell.type("\x03").until("type a move")
    shell.type("4\r").until("2. [4]")


BUDGET = 8000  # bytes a second at 80x24, under which a modem of 1990 would not have complained either


def test_a_search_is_shown_within_a_budget_and_never_half(terminal: Start) -> None:
    game = ("play", "connect4:columns=9,rows=7", "--engine", "iterative:time=600", "--moves", "5")
    player = terminal(*game, COLORTERM="truecolor")
    player.until(thinking)
    began, begun, shown = time.monotonic(), len(player.raw), len(player.shown)
    player.until(lambda _: len(player.shown) - shown > 12)
    frames, seconds = player.shown[shown:], time.monotonic() - began
    assert len(player.raw) - begun < BUDGET * max(seconds, 1)
    player.type("\x03").until("type a move")
    board = [line[:39] for line in frames[0].splitlines()]
    for frame in frames:
        assert [line[:39] for line in frame.splitlines()] == board
        for label in ("connect4:", "depth  ", "nodes  ", "value  ", "Ctrl-C: move now"):
            assert label in frame, f"half a picture:\n{frame}"
    assert b"\x1b[2J" not in player.raw and b"\x1b[J" not in player.raw[begun:], "nothing is cleared first"
    assert player.raw.count(b"\x1b[?2026h") == player.raw.count(b"\x1b[?2026l") > 10


def test_a_resize_while_the_engine_thinks(terminal: Start) -> None:
    player = at_a_move(terminal, *LONG)
    player.type("5\r").until(thinking)
    player.resize(46, 20)
    text = player.until(lambda text: text.startswith("connect4") and "\nCtrl-C: move now" in text)
    assert max(map(len, text.splitlines())) <= 46
    player.resize(100, 30)
    player.until(thinking)
    player.type("\x03").until("type a move")


@pytest.mark.parametrize(("signal", "status"), [(2, 130), (15, 143)])
def test_signal_at_the_prompt_restores_the_terminal(terminal: Start, signal: int, status: int) -> None:
    player = at_a_move(terminal, "play", "tictactoe", "--players", "human,human", "--moves", "b2")
    player.child.kill(signal)
    assert player.status() == status
    assert player.raw.rindex(b"\x1b[?25h") > player.raw.rfind(b"\x1b[?25l"), "the cursor is shown again"
    assert b"Traceback" not in player.raw


def test_sigterm_during_a_replay_restores_the_terminal(terminal: Start, tmp_path: Path) -> None:
    pid, file = tmp_path / "pid", tmp_path / "game.json"
    moves = ("--players", "human,human", "--moves", "b2 a1", "--save", str(file))
    at_a_move(terminal, "play", "tictactoe", *moves).type("quit\r").status()
    replay = f"echo $$ > {pid}; exec {shlex.join(PROGRAM)} replay {file}"
    player = terminal("bash", "-c", f"bash -c {shlex.quote(replay)}; echo status $?; stty -a")
    player.until("move 0 of 2")
    os.kill(int(pid.read_text()), 15)
    assert player.status() == 0
    modes = player.raw.partition(b"status 143")[2].split()
    assert b"icanon" in modes and b"echo" in modes
    assert player.raw.rindex(b"\x1b[?25h") > player.raw.rfind(b"\x1b[?25l"), "the cursor is shown again"


def test_a_game_that_fails_when_drawn_gets_one_line(terminal: Start, tmp_path: Path) -> None:
    file = tmp_path / "drawn.py"
    sticks = TESTS / "examples" / "games" / "sticks.py"
    file.write_text(sticks.read_text() + "\n    def __str__(self):\n        return [][self.sticks]\n")
    player = terminal("play", str(file), "--players", "human,human", width=200)
    player.until("__str__() raised IndexError")
    assert player.status() == 5
    assert len(player.text().splitlines()) == 1


@pytest.mark.parametrize("deed", ["os._exit(0)", "os.fork()", "raise SystemExit(0)"])
def test_a_game_that_would_end_the_program_gets_one_line(terminal: Start, tmp_path: Path, deed: str) -> None:
    file = tmp_path / "sticks.py"
    sticks = (TESTS / "examples" / "games" / "sticks.py").read_text()
    trouble = f"        self.sticks -= move\n        if self.sticks < 18:\n            {deed}\n"
    file.write_text("import os\n" + sticks.replace("        self.sticks -= move\n", trouble))
    player = at_a_move(terminal, "play", str(file), "--players", "human,human", width=200)
    player.type("2\r").until("[2]")
    player.until("type a move")
    player.type("1\r").until("make(1) raised")
    assert player.status() == 5
    assert "(sticks.py, line " in player.text()
    assert player.raw.rindex(b"\x1b[?25h") > player.raw.rfind(b"\x1b[?25l"), "the cursor is shown again"


@pytest.mark.parametrize(("signal", "status"), [(2, 130), (15, 143)])
def test_signals_interrupt_a_custom_game(terminal: Start, signal: int, status: int) -> None:
    file = TESTS / "examples" / "games" / "sticks.py"
    player = at_a_move(terminal, "play", str(file), "--players", "human,human", "--moves", "2")
    player.child.kill(signal)
    assert player.status() == status


def test_sigterm_is_not_blamed_on_the_game(terminal: Start, tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    sticks = (TESTS / "examples" / "games" / "sticks.py").read_text()
    slow = "        self.sticks -= move\n        if self.sticks < 18: print('here'); time.sleep(9)\n"
    file.write_text("import time\n" + sticks.replace("        self.sticks -= move\n", slow))
    player = terminal("play", str(file), "--players", "human,human", "--moves", "2", "--plain")
    player.until("second to move")
    player.type("1\r").until("here")
    player.child.kill(15)
    assert player.status() == 143
    assert "raised" not in player.text()


def test_a_closed_terminal_loses_nothing(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "tictactoe", "--players", "human,human")
    player.type("b2\r").until("1. [b2]")
    player.close()
    terminal("play", "--resume").until("1. [b2]")


@pytest.mark.parametrize("more", [(), ("--full",)])
def test_enter_goes_on_to_the_next_game_of_a_match(terminal: Start, more: tuple[str, ...]) -> None:
    player = terminal("play", "tictactoe", "--players", "human,human", "--match", "3", *more)
    player.until("type a move")
    assert "game 1 of 3; human #1 0 - 0 human #2" in player.text()
    player.type("resign yes\r").until("press Enter for the next game")
    assert "game 1 of 3; human #1 0 - 1 human #2" in player.text()
    player.type("\r").until("type a move")
    assert "game 2 of 3; human #1 0 - 1 human #2" in player.text()
    player.type("score\r").until("o won")
    player.type("\x1b" if more else "\r").until("type a move")
    player.type("resign yes\r").until("press Enter for the next game")
    player.type("quit\r").until("the match is saved; resume it")
    assert player.status() == 0
    again = terminal("play", "--resume")
    assert "game 3 of 3; human #1 1 - 1 human #2" in again.until("type a move")
    again.type("resign yes\r").until("human #2 wins the match: human #1 1 - 2 human #2")
    assert "again" in again.text() and "press Enter" not in again.text()


def test_killed_match_resumes_in_the_same_hand(terminal: Start) -> None:
    match = ("play", "holdem", "--players", "human,human", "--match", "20", "--seed", "1")
    player = terminal(*match)
    player.until("press Enter to see the game")
    player.type("\r").until("type a move")
    player.type("fold\r").until("press Enter for the next hand")
    player.type("\r").until("press Enter to see the game")
    player.type("\r").until("hand 2 of 20, blinds 1/2; human #1 199 - 201 human #2")
    player.child.kill(9)
    again = terminal("play", "--resume")
    again.until("press Enter to see the game")
    again.type("\r")
    assert "hand 2 of 20, blinds 1/2; human #1 199 - 201 human #2" in again.until("type a move")
    again.type("quit\r")
    assert again.status() == 0
