"""The program at a terminal, seen as a person sees it: pexpect types, pyte shows the screen.

The golden screens are in tests/screens; see tests/support/golden.py.
"""

import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay.display.terminal import prompt
from gameplay.display.terminal.keyboard import Ahead, Keyboard
from tests.support.golden import golden
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

pexpect = pytest.importorskip("pexpect")
pyte = pytest.importorskip("pyte")
if sys.platform == "win32":
    pytest.skip("needs a POSIX terminal", allow_module_level=True)

PROGRAM = (sys.executable, "-m", "gameplay")
PATIENCE = 45  # seconds for what takes a moment; only a failing test waits so long
RIGHT, LEFT, DOWN, UP = "\x1b[C", "\x1b[D", "\x1b[B", "\x1b[A"


class Terminal:
    """A program in a terminal of a given size."""

    def __init__(self, arguments: list[str], width: int, height: int, env: dict[str, str]) -> None:
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.shown: list[str] = []  # what the screen showed after each piece of output
        # PROMPT_TOOLKIT_NO_CPR: this terminal does not answer where its cursor is.
        plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
        self.child = pexpect.spawn(
            arguments[0],
            arguments[1:],
            dimensions=(height, width),
            env=plain
            | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
            | {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "PYTHONUTF8": "1"}
            | env,
            timeout=PATIENCE,
        )

    def text(self) -> str:
        """What the screen shows, without spaces at the ends of lines and empty lines at the end."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip() + "\n"

    def until(self, shows: str | Callable[[str], bool]) -> str:
        """Wait until the screen shows something; return all that it shows."""
        seen = shows if callable(shows) else lambda text: shows in text
        ends = time.monotonic() + 2 * PATIENCE  # a search goes on writing whatever is waited for
        while not seen(self.text()):
            try:
                if time.monotonic() > ends:
                    raise pexpect.TIMEOUT("")
                data = self.child.read_nonblocking(65536, timeout=PATIENCE)
            except (pexpect.TIMEOUT, pexpect.EOF) as error:
                pytest.fail(f"{type(error).__name__} while waiting for {shows!r}; the screen:\n{self.text()}")
            self.raw += data
            self.stream.feed(data)
            self.shown.append(self.text())
        return self.text()

    def type(self, keys: str) -> "Terminal":
        self.child.send(keys)
        return self

    def resize(self, width: int, height: int) -> None:
        self.screen.resize(height, width)
        self.screen.reset()
        self.child.setwinsize(height, width)

    def status(self) -> int:
        """Wait for the end; the exit status."""
        while True:
            try:
                data = self.child.read_nonblocking(65536, timeout=PATIENCE)
            except pexpect.EOF:
                break
            self.raw += data
            self.stream.feed(data)
        self.child.close()
        assert self.child.exitstatus is not None
        return int(self.child.exitstatus)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*arguments: str, width: int = 80, height: int = 24, **env: str) -> Terminal:
        program = list(arguments) if arguments[0] == "bash" else [*PROGRAM, *arguments]
        opened.append(Terminal(program, width, height, env))
        return opened[-1]

    yield start
    for one in opened:
        one.child.close(force=True)


Start = Callable[..., Terminal]
EASY = ("play", "tictactoe", "--engine", "minimax:depth=1", "--seed", "1")


def at_a_move(terminal: Start, *words: str, **options: Any) -> Terminal:
    """A game that has been started and asks for a move."""
    player = terminal(*words, **options)
    player.until("type a move")
    return player


def test_a_whole_game(terminal: Start) -> None:
    player = terminal(*EASY)
    golden("begin", player.until("type a move"))
    player.type("b2").until("Enter plays b2")
    player.type("\r")
    golden("answer", player.until("1. b2 [a1]"))
    player.type(RIGHT + "\r")
    player.until("2. ")
    player.type("quit\r")
    player.until("play --resume")
    assert player.status() == 0


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
    golden("end", player.until("the game is over; type again"))
    player.type("again\r").until(lambda text: text.rstrip().endswith("arrows point"))
    player.type("a1\r").until("1. [a1]")
    player.type("resign\r").until("x wins; o resigned")
    player.type("undo\r").until(lambda text: text.rstrip().endswith("arrows point"))
    player.type("resign\r").until(lambda text: text.rstrip().endswith("quit or help"))
    player.type("q\r")
    assert player.status() == 0


def test_swap_changes_sides(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY, "--moves", "b2 a1")
    player.type("resign\r").until("the game is over; type again, swap")
    player.type("swap\r").until(lambda text: bool(re.search(r"> +O +you", text)))


def test_a_wrong_move_is_explained_and_stays_to_be_mended(terminal: Start) -> None:
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
    golden("help", player.until("it stays saved"))
    assert "page" not in player.text()
    player.type("\r").until("a       b       c")
    player.type("\x10").until("> help")  # Ctrl-P: what was typed before


def test_arrows_move_a_cursor_and_enter_plays_there(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "connect4", "--players", "human,human")
    player.type(RIGHT)
    golden("cursor", player.until(">∙<"))
    player.type(RIGHT + "\r").until("1. [5]")


def test_a_resize_draws_anew(terminal: Start) -> None:
    player = at_a_move(terminal, "play", "connect4", "--players", "human,human", "--moves", "4 4 3")
    player.resize(40, 20)
    golden("resized", player.until(lambda text: "∙  ∙  ∙" in text and "type a move" in text))
    player.type("5\r").until("[5]")


def test_ctrl_c_at_the_prompt_saves_and_says_how_to_go_on(terminal: Start, home: Path) -> None:
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


def test_what_is_typed_while_the_engine_thinks_waits_for_ones_turn(terminal: Start) -> None:
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
    time.sleep(prompt.SETTLE)  # so long is Enter taken for the end of what was typed ahead
    player.type("\r").until("2. [4]")


def test_enter_at_the_moment_when_the_turn_begins_plays_nothing(
    monkeypatch: pytest.MonkeyPatch, terminal: Start
) -> None:
    entry = prompt.LineInput(None, None, lambda text: (True, ""), lambda text: [], lambda: "")  # type: ignore[arg-type]
    entry.buffer, entry.ahead, entry.began = SimpleNamespace(text="4"), "4", 100.0
    monkeypatch.setattr(time, "monotonic", lambda: 100.1)
    assert entry.enter() is None and entry.entered, "it was meant for what stood there before"
    entry.ahead = ""
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


def test_nothing_typed_at_ones_own_turn_is_lost(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY)
    player.type("hint\rundo\rhelp\r").until("the legal moves")
    player.type("b2\r").until("1. b2 [a1]")


def test_keys_that_came_between_two_questions_are_typed_into_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from prompt_toolkit.input.defaults import create_pipe_input
    from prompt_toolkit.input.typeahead import get_typeahead

    keys = Keyboard(lambda: None, lambda: None)
    read = iter(["he", "lp\n\x1b[A"])
    monkeypatch.setattr(keys, "_read", lambda: next(read))
    keys.listen()
    keys.listen()
    with create_pipe_input() as source:
        monkeypatch.setattr("prompt_toolkit.input.defaults.create_input", lambda: source)
        prompt.retype(keys.heard)
        assert [str(getattr(key.key, "value", key.key)) for key in get_typeahead(source)] == [
            *"help",
            "c-m",
            "up",
        ]
    keys.asked()
    assert not keys.heard


def test_a_word_typed_ahead_does_not_answer_the_question_after_the_game(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY, "--moves", "a1 b1 a2 b2")
    player.type("c3\rq\r").until("typed before your turn: quit: leave")


@pytest.mark.parametrize(
    ("keys", "text", "entered"),
    [
        ("d4", "d4", False),
        ("d4\r", "d4", True),
        ("Bb5\rd4\r", "d4", True),
        ("d5\x7f4", "d4", False),
        ("d4\r\x7f", "d", False),
        ("d4\x1b[A\x1bOC", "", False),  # a key of several characters is taken for Escape
        ("d4\x15e4\n", "e4", True),
        ("\x1b[31;4R\r", "", False),
    ],
)
def test_a_line_of_type_ahead(keys: str, text: str, entered: bool) -> None:
    ahead = Ahead()
    ahead.feed(keys)
    assert (ahead.text, ahead.entered) == (text, entered)


def test_one_tap_of_ctrl_c_ends_a_thought_and_two_leave_the_prompt(terminal: Start) -> None:
    player = at_a_move(terminal, *LONG)
    player.type("5\r").until(thinking)
    player.type("\x03\x03").until("type a move")  # the second came too late, and is forgotten
    player.type("\x03").until("press Ctrl-C again to leave; the game is saved")
    player.type("\x1b").until("type a move")
    player.type("\x03").until("press Ctrl-C again")
    player.type("\x03").until("play --resume")
    assert player.status() == 130


def test_without_redrawing_ctrl_c_needs_a_second_tap_too(terminal: Start) -> None:
    player = terminal(*EASY, "--plain")
    player.until("x to move")
    player.type("b2\r").until("o plays a1")
    player.type("\x03").until("press Ctrl-C again to leave; the game is saved")
    player.type("hlp\r").until("did you mean")
    player.type("\x03").until(lambda text: text.count("press Ctrl-C again") == 2)
    player.type("\x03").until("play --resume")
    assert player.status() == 130


def test_ctrl_z_gives_the_shell_back_and_fg_the_game(terminal: Start) -> None:
    shell = terminal("bash", "--norc", "--noprofile", "-i", PS1="shell> ", HISTFILE="")
    shell.until("shell>")
    shell.type(shlex.join([*PROGRAM, *LONG]) + "\r").until("type a move")
    shell.type("\x1a")
    assert "│" not in shell.until("Stopped"), "the board is taken away"
    assert shell.raw.rindex(b"\x1b[?25h") > shell.raw.rfind(b"\x1b[?25l"), "the cursor is shown"
    shell.type("echo to the $((40 + 2))\r").until("to the 42")
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
def test_a_signal_at_the_prompt_ends_it_and_gives_the_terminal_back(
    terminal: Start, signal: int, status: int
) -> None:
    player = at_a_move(terminal, "play", "tictactoe", "--players", "human,human", "--moves", "b2")
    player.child.kill(signal)
    assert player.status() == status
    assert player.raw.rindex(b"\x1b[?25h") > player.raw.rfind(b"\x1b[?25l"), "the cursor is shown again"
    assert b"Traceback" not in player.raw


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
def test_signals_reach_a_game_of_ones_own(terminal: Start, signal: int, status: int) -> None:
    file = TESTS / "examples" / "games" / "sticks.py"
    player = at_a_move(terminal, "play", str(file), "--players", "human,human", "--moves", "2")
    player.child.kill(signal)
    assert player.status() == status


def test_sigterm_is_not_put_down_to_the_game_that_it_came_in(terminal: Start, tmp_path: Path) -> None:
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
    player.child.close(force=True)
    terminal("play", "--resume").until("1. [b2]")


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
    golden(f"wide_{width}", player.until(lambda text: "1. 4 [" in text and "type a move" in text))
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


def test_a_window_too_small_for_the_board_says_how_large_it_must_be(terminal: Start) -> None:
    player = terminal("play", "chess", "--players", "human,human", width=30, height=10)
    golden("too_small", player.until("type a move"))
    player.type("e4\r").until("1. [e4]")
    player.type("show\r").until("page 1 of 3; Enter: more")
    player.type("\r").until("page 2 of 3")
    player.type("\r").until("page 3 of 3; Enter: the board")
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
    player.type("h4\r")
    golden("chess_mated", player.until("the game is over; type again"))


def test_q_is_a_queen_where_the_piece_is_asked_for(terminal: Start) -> None:
    pawn = "1n6/P6k/8/8/8/8/7K/8 w - - 0 1"
    player = at_a_move(terminal, "play", "chess", "--players", "human,human", "--position", pawn)
    player.type("a7b8").until("Enter asks which one: axb8=Q")
    player.type("\r")
    golden("promotion", player.until("which piece? q: axb8=Q"))
    player.type("q").until("> q\nEnter plays axb8=Q")
    player.type("\r").until("1. [axb8=Q]")


def test_a_promotion_by_pointing_asks_too(terminal: Start) -> None:
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


def test_a_dumb_terminal_hears_no_arrows(terminal: Start) -> None:
    player = terminal(*EASY, TERM="dumb")
    player.until("x to move")
    player.type(RIGHT + "\x1bOP\r").type("b2" + LEFT + "\r").until("o plays")
    assert "legal" not in player.text()


def test_pasted_lines_are_obeyed_one_after_the_other_on_the_whole_screen(terminal: Start) -> None:
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


def test_who_watches_pauses_steps_sets_the_speed_and_leaves(terminal: Start) -> None:
    players = ("--players", "minimax:depth=1,alphabeta:depth=2")
    player = terminal("play", "tictactoe", *players, width=100)
    player.until("p: pause  + -: speed (0.5 s)  q: leave")
    player.type("---").until("speed (4 s)")
    player.type("p").until("paused  space: step  p: go on  q: leave")
    made = re.findall(r"[abc][123]", player.text().partition("1. ")[2])
    player.type(" ").until(lambda text: len(re.findall(r"[abc][123]", text.partition("1. ")[2])) > len(made))
    text = player.until(lambda text: bool(re.search(r"(minimax|alphabeta) \([xo]\): .*depth [12];", text)))
    assert "paused" in text, "a step does not end the pause"
    player.type("q").until("play --resume")
    assert player.status() == 0
    player = terminal("play", "--resume", width=100)
    player.type("+" * 9).until("speed (0 s)")
    player.until("step through the game: gameplay replay 1")
    assert player.status() == 0


def test_after_a_game_it_can_be_kept_looked_at_and_played_on_from(terminal: Start, tmp_path: Path) -> None:
    player = at_a_move(terminal, "play", "tictactoe", "--names", "Ann", "--moves", "a1 a2 b1 b2")
    player.type("c1\r").until("the game is over; type again")
    player.type("save x.pgn\r").until("tictactoe is not saved as .pgn")
    player.type(f"save {tmp_path / 'x.json'}\r").until("saved in")
    player.type("hlp\r").until("did you mean 'help'?")
    player.type("\x1bhint\r").until("there is no move to advise")
    player.type("replay\r").until("move 0 of 5")
    player.type("3\r").until("move 3 of 5: x b1")
    player.type("q").until("the game is over; type again")
    player.type("replay\r").until("move 0 of 5")
    player.type("\x1b[F").until("move 5 of 5: x c1; x wins")
    player.type("e").until("the game is over here; step back to play on")
    player.type(LEFT * 4).until("move 1 of 5: x a1")
    player.type("e").until("type a move (a2")
    assert "X  iterative" in player.text() and "O  Ann" not in player.text()
    player.type("c3\r").until("2. ")
    player.type("quit\r").until("play --resume")
    assert player.status() == 0


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
    player.type("99\r").until("there is no move 99")
    player.type("12").until("go to move 12: Enter goes")
    player.type("\x1b").until("N Enter: move N")
    player.type("0\r").until("move 0 of ")
    player.type("a").until("a move every 1 s")
    player.type("+++").until("a move every 0.1 s")
    player.until("a: autoplay")  # it has come to the end
    assert re.search(r"move (\d) of \1", player.text())
    player.type("f").until(lambda text: text.index("  c ") < text.index("  a "))
    player.type("2\rs").until("type a move") if False else player.type("q")
    assert player.status() == 0


def test_replay_steps_through_a_game(terminal: Start, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    moves = ("--players", "human,human", "--moves", "a1 a2 b1 b2", "--save", str(file))
    player = at_a_move(terminal, "play", "tictactoe", *moves)
    player.type("c1\r").until("the game is over; type again")
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


def test_nothing_but_games_is_left_in_the_users_folder(terminal: Start, home: Path) -> None:
    player: Any = terminal(*EASY)
    player.until("type a move")
    player.type("\x03").until(lambda text: text.endswith("press Ctrl-C again to leave\n"))
    player.type("\x03")
    assert player.status() == 130
    assert not home.exists(), "no move was made, so nothing is kept"


TRICKS = str(TESTS / "examples" / "games" / "tricks.py")


def test_two_people_pass_the_keyboard_and_see_their_own_cards(terminal: Start) -> None:
    player = terminal("play", TRICKS, "--players", "human,human", "--moves", "K 6 9 T 7 A")
    player.until("north, press Enter to see the game")
    assert "north │" not in player.text()
    player.type("\r").until("type a move (7 9 K)")
    assert "north │ 7 │ 9 │ K │" in player.text() and "(K)  (?)  (9)" in player.text()
    player.type("9\r")
    text = player.until("south is to move: pass the keyboard; south, press Enter to see the game")
    assert "north │" not in text and "│" not in text, "nothing of the first one's screen is left"
    shown = len(player.raw)
    player.type("\r").until("type a move (6 A T)")
    assert "south │ 6 │ T │ A │" in player.text() and "north │ ▒ │ ▒ │" in player.text()
    assert " K " not in player.raw[shown:].decode()
    player.type("quit\r").until("play --resume")
    assert player.status() == 0


def test_a_hand_over_clears_what_was_scrolled_away_and_drops_what_was_typed(terminal: Start) -> None:
    for plain in ([], ["--plain"]):
        player = terminal("play", TRICKS, "--players", "human,human", "--moves", "K 6 9 T 7 A", *plain)
        player.until("north, press Enter")
        assert b"\x1b[3J" not in player.raw, "nobody has seen anything yet"
        player.type("\r").until("9")
        assert "the window is cleared" in " ".join(player.text().split())
        player.type("9\r\r\r")  # more than one Enter too many
        text = player.until("south, press Enter to see the game")
        cleared = player.raw.rindex(b"\x1b[H\x1b[2J\x1b[3J")
        assert b"south is to move" in player.raw[cleared:]
        assert "7" not in text and "K" not in text


def test_without_redrawing_what_one_sees_is_moved_out_of_sight(terminal: Start) -> None:
    player = terminal("play", TRICKS, "--players", "human,human", "--moves", "K 6 9 T 7 A", "--plain")
    player.until("north, press Enter")
    player.type("\r").until("north: 7 9 K")
    player.type("9\r")
    text = player.until("south, press Enter")
    assert "north:" not in text
    player.type("\r")
    text = player.until("south: 6 T A")
    assert "north: ? ?" in text and "table: 9" in text
    player.type("quit\r")
    assert player.status() == 0


# -- the whole screen ---------------------------------------------------------------------------------


def at(player: Terminal, row: str, column: str) -> tuple[int, int]:
    """Line and character, from 1, of a cell by its names beside and above the board."""
    lines = player.text().splitlines()
    above = next(line for line in lines if re.match(r" +a +b +c", line))
    beside = next(number for number, line in enumerate(lines) if re.match(rf"{row} ", line))
    return beside + 1, above.index(column) + 1


def click(player: Terminal, line: int, character: int) -> None:
    """Press the left button of the mouse there and let it go."""
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
        made = rf"\d\. .*{column}{row}"
        player.until(lambda text, made=made: bool(re.search(made, text)) and "or click" in text)
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

    def slide(tile: int, made: str) -> None:
        text = player.until("or click").splitlines()
        found = ((number, re.search(rf"[\[ ]{tile}[\] ]", one)) for number, one in enumerate(text[1:18], 2))
        line, tiles = next((number, where) for number, where in found if where is not None)
        click(player, line, tiles.start() + 2)
        player.until(made)

    slide(5, "1. solver right")
    slide(5, "2. solver left")
    slide(4, "solved in 3 moves, the optimum is 1")


def test_a_turn_of_backgammon_is_played_by_mouse(terminal: Start) -> None:
    words = ("play", "backgammon", "--full", "--seed", "3", "--players", "human,human")
    player = terminal(*words, width=100, height=34)
    text = player.until("or click").splitlines()
    assert any(re.search("dice │ 5 │ 3 │", line) for line in text)
    feet = next(number for number, line in enumerate(text) if " 12  11  10 " in line)
    for source, to, told in (("8", "3", "6"), ("6", "3", "black to move")):
        for point in (source, to):
            click(player, feet - 1, text[feet].index(f" {point} ") + 2)
        player.until(told)
    assert "8/3;6/3" in player.text()


def test_chess_on_the_whole_screen_by_mouse_keys_and_the_list_of_moves(terminal: Start) -> None:
    player = terminal("play", "chess", "--players", "human,human", "--full", "--moves", "f3 e5")
    player.until("or click")
    click(player, *at(player, "2", "g"))
    player.until("g2 can go to g3 g4")
    click(player, *at(player, "4", "g"))
    player.until(lambda text: "black to move" in text and "(Ba3" in text)
    player.type("d8\r").until("d8 can go to e7 f6 g5 h4")
    player.type("\x1b").until("type a move (")
    text = player.text().splitlines()
    line = next(number for number, one in enumerate(text) if "1. f3" in one)
    click(player, line + 1, text[line].index("f3") + 1)
    golden("full_looked", player.until("after 1 of 3 moves"))
    player.type("\x1b").until("black to move")
    player.type("\x1bOP").until("Esc: back to the game")
    player.type("\x1b").until("type a move (")
    player.type("Qh4\r").until("again, swap")
    player.type("quit\r").until("chess: black wins by checkmate")
    assert player.status() == 0


def test_the_whole_screen_and_lines_change_places(terminal: Start) -> None:
    player = at_a_move(terminal, *EASY)
    player.type("full\r").until(lambda text: "F10 Leave" in text and "type a move" in text)
    player.type("b2\r").until("1. b2")
    player.until(lambda text: re.search(r"1\. b2 +a1", text) is not None and "type a move" in text)
    player.type("line\r").until("1. b2 [a1]")
    player.type("full\r").until(lambda text: "F10 Leave" in text and "type a move" in text)
    player.type("\x03").until("press Ctrl-C again to leave; the game is saved")
    player.type("\x03").until("play --resume")
    assert player.status() == 130


def test_ctrl_c_on_the_whole_screen_plays_what_was_found(terminal: Start) -> None:
    game = ("play", "connect4:columns=9,rows=7", "--engine", "iterative:time=600", "--moves", "5", "--full")
    player = terminal(*game)
    player.until(lambda text: "nodes" in text and "Move now" in text)
    player.type("4\r").until("it is not your turn")
    player.type("\x03").until("typed before your turn: Enter plays 4")
    assert re.search(r"1\. 5 +\d", player.text())


@pytest.mark.parametrize(("signal", "status"), [(2, 130), (15, 143)])
def test_a_signal_gives_the_whole_screen_back(terminal: Start, signal: int, status: int) -> None:
    player = terminal("play", "tictactoe", "--players", "human,human", "--moves", "b2", "--full")
    player.until("F10 Leave")
    player.child.kill(signal)
    assert player.status() == status
    assert player.raw.rindex(b"\x1b[?1049l") > player.raw.rindex(b"\x1b[?1049h")
    assert b"Traceback" not in player.raw


def test_cards_are_covered_on_the_whole_screen(terminal: Start) -> None:
    player = terminal("play", TRICKS, "--players", "human,human", "--moves", "K 6 9 T 7 A", "--full")
    player.until("Enter Show the game")
    player.type("\r").until("north │ 7 │ 9 │ K │")
    player.type("9\r")
    text = player.until(lambda text: "south, press" in text)
    assert "│" not in text, "nothing of the first one's screen is left"
    shown = len(player.raw)
    press(player, "Show the game")
    player.until("south │ 6 │ T │ A │")
    assert " K " not in player.raw[shown:].decode()


def test_engines_on_the_whole_screen_are_paused_and_stay_to_be_seen(terminal: Start) -> None:
    players = ("--players", "minimax:depth=2,minimax:depth=2")
    player = terminal("play", "tictactoe", *players, "--moves", "b2", "--full")
    player.until("q Leave")
    player.type("p").until("paused")
    player.type("p++++").until("the game is a draw")
    player.type("q").until("tictactoe: the game is a draw")
    assert player.status() == 0
