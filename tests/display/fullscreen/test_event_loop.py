"""The full screen as a listener and an input, with an event loop and without a terminal."""

import asyncio
import io
import os
import signal
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import ColorDepth, DummyOutput

from gameplay import registry
from gameplay.display.fullscreen import view as full_module
from gameplay.display.fullscreen.view import MOMENT, FullScreen
from gameplay.display.terminal import editing
from gameplay.display.terminal import watching as watching_module
from gameplay.display.terminal.line_input import LineInput
from gameplay.display.terminal.screen import REDRAW_INTERVAL
from gameplay.display.terminal.watching import PACES
from gameplay.display.theme import Theme
from gameplay.errors import Terminated
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Event, Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from gameplay.search.report import Report

pytestmark = pytest.mark.once


class RecordingScreen(FullScreen):
    """A full screen without an application; records each drawing and each wait."""

    def __init__(self, match: Match) -> None:
        super().__init__(Theme(colour=False, unicode=True, interactive=True))
        self.match = match
        self.calls: list[Any] = []
        self.loop = asyncio.new_event_loop()
        self.running = self.loop.create_future()
        self.app = SimpleNamespace(
            invalidate=lambda: self.calls.append("draw"), output=SimpleNamespace(get_size=lambda: None)
        )
        self.history = InMemoryHistory()
        self.buffer = editing.empty_line(self.history, lambda typed: [])
        self.pumped = False

    def open(self) -> None:
        self.calls.append("open")

    def pump(self, seconds: float) -> None:
        self.calls.append(seconds)
        if self.pumped:
            super().pump(seconds)

    def take_calls(self) -> list[Any]:
        """The actions since the last call."""
        calls, self.calls = self.calls, []
        return calls


DRAWN = ["open", "draw", MOMENT]


@pytest.fixture
def make_screen() -> Iterator[Any]:
    screens: list[RecordingScreen] = []

    def make(game: str = "connect4", moves: str = "4 4", *specs: str, **more: Any) -> RecordingScreen:
        game_class = registry.game(game)
        seats = specs or ("human",) * game_class.new().players
        screens.append(
            RecordingScreen(
                Match(game_class, [EmptySeat(spec) for spec in seats], moves=moves.split(), **more)
            )
        )
        return screens[-1]

    yield make
    for screen in screens:
        screen.app = None
        screen.running.cancel()
        screen.loop.run_until_complete(asyncio.sleep(0))
        screen.loop.close()


def asking(full: RecordingScreen, escape_command: str = "") -> LineInput:
    entry = LineInput(
        full, full.match, lambda text: (text != "z9", "wrong"), lambda text: [text + "!"], lambda: "go on"
    )
    entry.escape_command = escape_command
    return entry


def test_events_are_drawn_and_recorded(make_screen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    full = make_screen()
    lingered: list[str] = []
    monkeypatch.setattr(full, "_show_move", lambda: lingered.append("linger"))
    monkeypatch.setattr(full, "_wait_to_leave", lambda: lingered.append("stay"))
    report = Report(depth=3)
    turn = structs.replace(full.match.turns[1], report=report)
    full.browsing.scrolled = 4
    for watching in (False, True):
        full.watching = watching
        for kind, drawn in (("begin", DRAWN), ("move", DRAWN), ("end", DRAWN), ("reopen", []), ("undo", []),
                            ("redo", []), ("restart", [])):  # fmt: skip
            full.report, full.browsing.viewed_ply = report, 1
            assert full(Event(kind, turn)) is False and full.take_calls() == drawn
            kept = {"undo": None, "redo": turn.report, "restart": None}.get(kind, report)
            assert (full.report, full.browsing.viewed_ply is None) == (
                kept,
                kind in ("undo", "redo", "restart"),
            )
            if kind == "move":
                assert (full.report, full.mover, full.at, full.browsing.scrolled) == (report, 1, 1, 0)
        assert lingered == (["linger"] * 2 if watching else [])
    full.match.payoffs = (1, -1)
    full(Event("end"))
    assert lingered[2:] == ["stay"]
    full.watching = False
    full(Event("end"))
    assert lingered[2:] == ["stay"]


def test_a_report_is_drawn_now_and_then_and_keys_are_read_each_time(
    make_screen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, now = make_screen("connect4", "4 4", "mcts", "mcts"), [100.0]
    monkeypatch.setattr(full_module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    for at, drawn in (
        (100.0, DRAWN),
        (100.0 + REDRAW_INTERVAL / 2, [MOMENT]),
        (100.0 + REDRAW_INTERVAL, DRAWN),
    ):
        now[0] = at
        report = Report(depth=int(100 * at))
        assert full(Event("report", report=report)) is False and full.report is report
        assert full.take_calls() == drawn and full.drawn <= at
    assert full.drawn == now[0]
    full.app = None
    assert full(Event("report", report=Report())) is False and full.take_calls() == []
    full.interrupted = True
    assert full(Event("report", report=Report())) is True
    assert full(Event("report", report=Report())) is False, "once"
    full.watch.leaving = True
    assert full(Event("report", report=Report())) is True and full.match.reason == "unfinished"


def test_spectator_sees_each_move_for_a_while(make_screen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    full, now = make_screen("connect4", "4", "mcts", "mcts"), [0.0]
    monkeypatch.setattr(watching_module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    waited: list[float] = []
    then: dict[int, Any] = {}
    slow = [0.0]

    def pump(seconds: float) -> None:
        waited.append(round(seconds, 6))
        now[0] += seconds + slow[0]
        then.pop(len(waited), lambda: None)()
        assert len(waited) < 100

    monkeypatch.setattr(full, "pump", pump)
    full.watch.pace, full.watch.stepping = PACES.index(0.1), True
    full._show_move()
    assert waited == [0.05, 0.05] and full.watch.stepping is False
    waited.clear()
    now[0], slow[0] = 0.0, 0.02
    full._show_move()
    assert waited == [0.05, 0.03], "no longer than is left"
    waited.clear()
    now[0], slow[0] = 0.0, 0.0
    full.watch.pace = PACES.index(0.25)
    full._show_move()
    assert waited == [0.05] * 5
    waited.clear()
    full.watch.pace = len(PACES) - 1
    full._show_move()
    assert waited == []
    full.watch.paused = True
    then[7] = lambda: setattr(full.watch, "paused", False)
    full._show_move()
    assert waited == [0.05] * 7
    waited.clear()
    full.watch.paused = True
    then[3] = lambda: setattr(full.watch, "stepping", True)
    full._show_move()
    assert waited == [0.05] * 3 and full.watch.paused
    waited.clear()
    then[2] = lambda: setattr(full, "interrupted", True)
    with pytest.raises(KeyboardInterrupt):
        full._show_move()
    full.interrupted = False
    waited.clear()
    then[2] = lambda: setattr(full.watch, "leaving", True)
    full._show_move()
    assert waited == [0.05] * 2 and full.match.reason == "unfinished"
    waited.clear()
    full.watch.leaving = False
    then[4] = lambda: setattr(full, "interrupted", True)
    full._wait_to_leave()
    assert waited == [0.05] * 4 and full.interrupted is False
    waited.clear()
    then[1] = lambda: setattr(full.watch, "leaving", True)
    full._wait_to_leave()
    assert waited == [0.05]


def test_message_stays_until_the_next(make_screen: Any) -> None:
    full = make_screen()
    full.show_message("thinking")
    assert (full.notice, full.take_calls()) == ("thinking", DRAWN)
    full.show_message()
    assert (full.notice, full.take_calls()) == ("", DRAWN)
    full.browsing.open("a page")
    full.show_answer("an answer")
    assert full.notice == "an answer" and full.browsing.first is None
    full.interrupted = True
    assert (
        full.poll_interrupt() is True and full.poll_interrupt() is False and full.take_calls() == [MOMENT] * 2
    )


def test_event_loop_runs_until_a_result_or_an_error(make_screen: Any) -> None:
    full = make_screen()
    full.pumped = True
    full.pump(0.0)
    first, second = ValueError("first"), ValueError("second")
    full.on_error(first)
    full.on_error(second)
    with pytest.raises(ValueError, match="first"):
        full.pump(0.0)
    full.pump(0.0)
    full.pending_answer = full.loop.create_future()
    full.on_error(None)
    assert full.pending_answer.result() == "" and full.failure is None, "whoever waits goes on"
    full.running.set_result(None)
    with pytest.raises(KeyboardInterrupt):
        full.pump(0.0)


def test_an_answer_is_given_once(make_screen: Any) -> None:
    full = make_screen()
    full.buffer.text = "4"
    full.answer("4")
    assert full.buffer.text == "4", "nobody asked"
    full.pending_answer = full.loop.create_future()
    full.answer("5")
    assert full.pending_answer.result() == "5" and full.buffer.text == ""
    full.buffer.text = "6"
    full.answer("6")
    assert full.pending_answer.result() == "5" and full.buffer.text == "6"
    assert full._fitting("4") == []
    full.entry = asking(full)
    assert full._fitting("4") == ["4!"]


def answer_after(full: RecordingScreen, entry: LineInput, *steps: Any) -> str:
    """The answer after these steps in the loop."""

    async def go() -> None:
        for step in steps:
            await asyncio.sleep(0)
            step()
        full.answer("done")

    full.loop.create_task(go())
    return full._ask(entry, full.match)


def test_a_question_waits_for_its_answer_and_leaves_nothing_behind(make_screen: Any) -> None:
    full = make_screen()
    full.confirm = True
    entry, seen = asking(full), []

    def look() -> None:
        seen.append(
            (
                full.entry,
                full.pending_answer.done(),
                entry.buffer,
                entry.confirm,
                entry.type_ahead,
                entry.start_time > 0,
            )
        )
        full.choices, full.armed, full.browsing.viewed_ply = ["a"], "quit", 0
        full.browsing.open("a page")

    full.buffer.text = "typed"
    assert answer_after(full, entry, look) == "done"
    assert seen == [(entry, False, full.buffer, True, "", True)]
    assert (full.entry, full.pending_answer, full.choices, full.armed) == (None, None, [], "")
    assert (full.browsing.viewed_ply, full.browsing.first) == (None, None)
    assert full.take_calls() == ["open", "draw"]
    free = asking(full, "play on")
    answer_after(full, free)
    assert free.confirm is False


def test_input_typed_before_an_engine_move_is_not_executed(make_screen: Any) -> None:
    full = make_screen("connect4", "4 4", "human", "mcts")
    entry, seen = asking(full), list[Any]()
    full.buffer.text, full.lines = "typed", ["5", "6"]
    answer_after(full, entry, lambda: seen.append((entry.type_ahead, full.buffer.text, list(full.lines))))
    assert seen == [("5", "5", [])]
    again = asking(full)
    full.buffer.text = "more"
    answer_after(full, again, lambda: seen.append(again.type_ahead))
    assert seen[1:] == [""], "nobody has moved since"
    other = make_screen("connect4", "4 4", "human", "mcts")
    trying = asking(other, "play on")
    other.buffer.text = "typed"
    answer_after(other, trying, lambda: seen.append((trying.type_ahead, other.buffer.text)))
    assert seen[2:] == [("", "typed")], "where moves are tried nothing surprises"


def test_each_prompt_reads_one_line(make_screen: Any) -> None:
    full = make_screen()
    full.lines = ["4", "5", "6"]
    full.buffer.text = "half"
    assert full._ask(asking(full), full.match) == "4"
    assert (full.lines, full.buffer.text) == (["5", "6"], "half")
    full.lines = ["z9", "5"]
    seen: list[Any] = []
    assert (
        answer_after(full, asking(full), lambda: None, lambda: seen.append((full.buffer.text, full.lines)))
        == "done"
    )
    assert seen == [("z9", [])], "what is wrong ends the others"


def test_long_message_gets_a_page(make_screen: Any) -> None:
    for message, page in (
        ("six\n" * 6, False),
        ("seven\n" * 7, True),
        ("x" * 28 + "\ny", False),
        ("x" * 29 + "\ny", True),
        ("", False),
    ):
        full = make_screen()
        full.notice = message
        seen: list[Any] = []
        answer_after(full, asking(full), lambda full=full, seen=seen: seen.append(full.browsing.first))
        assert seen == [0 if page else None], message
    full.match.leave()
    full.notice = "seven\n" * 7
    seen = []
    answer_after(full, asking(full), lambda: seen.append(full.browsing.first))
    assert seen == [None], "it stands beside the end"


def test_clock_is_redrawn_and_a_flag_falls(make_screen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full_module, "TICK", 0.0)
    wall = [0.0]
    full = make_screen("connect4", "4 4", clock=Clock([parse_time_control("10")] * 2, 0.0, lambda: wall[0]))
    full.match.clock.start(0)
    entry, turns = asking(full), [lambda: None] * 6
    assert answer_after(full, entry, *turns) == "done"
    assert full.take_calls().count("draw") > 3
    answers = [lambda: None, lambda: wall.__setitem__(0, 11.0), *turns]
    assert answer_after(full, entry, *answers) == ""
    full.take_calls()
    full.match.leave()
    assert answer_after(full, entry, *turns) == "done" and full.take_calls() == ["open", "draw"], (
        "no time runs any more"
    )
    full = make_screen()
    assert answer_after(full, asking(full), *turns) == "done" and full.take_calls() == ["open", "draw"]
    full.analysis = SimpleNamespace()
    assert answer_after(full, asking(full), *turns) == "done" and full.take_calls().count("draw") > 3


def test_the_keyboard_is_passed_on_behind_a_curtain(make_screen: Any) -> None:
    wall = [0.0]
    full = make_screen("kuhn", "K J", clock=Clock([parse_time_control("10")] * 2, 0.0, lambda: wall[0]))
    view = full.match.view(0)
    full.notice, full.report, full.browsing.viewed_ply = "a card", Report(), 0
    full.browsing.open("a page")
    full.buffer.text = "typed by the other"
    history, seen = full.history, []

    def look() -> None:
        seen.append((full.handover, full.notice, full.report, full.browsing.viewed_ply, full.browsing.first))
        seen.append((full.buffer.text, full.history is not history, full.buffer.history is full.history))
        assert full.match.clock.running is None
        full.answer("")
        full.buffer.text = "x"

    full.loop.call_soon(look)
    full._pass_on(view)
    assert seen == [
        ("Pass the keyboard to first. first: press Enter to see the game", "", None, None, None),
        ("", True, True),
    ]
    assert (full.handover, full.pending_answer, full.buffer.text, full.match.clock.running) == (
        "",
        None,
        "",
        0,
    )
    assert full.take_calls() == ["draw"]
    full.loop.call_soon(lambda: full.pending_answer.set_exception(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        full._pass_on(view)
    assert (full.handover, full.pending_answer) == ("", None)


def test_human_input_is_validated_by_the_game(make_screen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    full = make_screen("connect4", "")
    entries: list[LineInput] = []
    passed: list[Any] = []
    answers = ["4", "hint"]

    def ask(entry: LineInput, match: Any) -> str:
        entries.append(entry)
        return answers.pop(0)

    interpreter = Interpreter()
    monkeypatch.setattr(full, "_ask", ask)
    monkeypatch.setattr(full, "_pass_on", passed.append)
    view = full.match.view(0)
    full.notice = "said before"
    monkeypatch.setattr(interpreter, "estimated_seconds", lambda text, match: 10.0 if text == "hint" else 0.0)
    assert full.read(view, interpreter) == "4"
    assert (passed, full.holder, full.notice, full.interpreter) == ([], 0, "", interpreter)
    assert full.take_calls() == DRAWN
    entry = entries[0]
    assert entry.match is view and entry.meaning("4")[0] and not entry.meaning("9")[0]
    assert entry.completions("hi") == interpreter.completions("hi", view) != []
    assert entry.invitation() == interpreter.invitation(view) + "; or click"
    assert entry.leaving == "press Ctrl-C again to leave" and entry.escape_command == ""
    assert entry.selection is not None and entry.selection.match is view
    assert full.read(view, interpreter) == "hint"
    assert full.notice == "hint: thinking, up to 10 s; Ctrl-C: answer now" and full.take_calls() == DRAWN * 2
    monkeypatch.setattr(full, "board", lambda: None)
    answers.append("4")
    interpreter.escape_command = "play on"
    full.read(view, interpreter)
    assert entries[-1].invitation() == interpreter.invitation(view)
    assert entries[-1].escape_command == "play on" and entries[-1].leaving == ""
    hidden = make_screen("kuhn", "K J")
    monkeypatch.setattr(hidden, "_ask", lambda entry, match: "check")
    monkeypatch.setattr(hidden, "_pass_on", passed.append)
    for _ in range(2):
        assert hidden.read(hidden.match.view(0), Interpreter()) == "check"
    assert passed == [hidden.match.view(0)] and hidden.holder == 0, "then it is still the same person"


def test_screen_is_restored_on_exit(make_screen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A running application is exited, else it is cancelled; previous signal handlers are restored."""
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    for runs, ended in ((True, ["exit"]), (False, [])):
        full = make_screen("tictactoe", "a1 a2 b1 b2 c1")
        lines: list[str] = []

        def leave(full: Any = full, lines: Any = lines) -> None:
            lines.append("exit")
            full.running.set_exception(OSError("the terminal is gone"))

        full.app.is_running, full.app.is_done, full.app.exit = runs, False, leave
        before = signal.getsignal(signal.SIGTERM)
        full.signals = {signal.SIGTERM: signal.SIG_IGN}
        try:
            full.close()
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
        finally:
            signal.signal(signal.SIGTERM, before)
        assert lines == ended and full.app is None and full.loop.is_closed()
        assert full.running.cancelled() is not runs
        full.close()
        full.theme.__dict__["console"] = full.theme.console_on(out, 20)
        full.show_final()
        full.loop = asyncio.new_event_loop()
        full.running = full.loop.create_future()
    assert out.getvalue() == "tictactoe: x wins\n" * 2


def test_full_screen_takes_over_keys_mouse_and_signals() -> None:
    caught = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in caught]
    game = registry.game("tictactoe")
    with create_pipe_input() as pipe:
        full = FullScreen(
            Theme(colour=False, unicode=True, interactive=True), input=pipe, output=DummyOutput()
        )
        full.match = Match(game, [EmptySeat("human")] * 2)
        full.failure = ValueError("of a screen before")
        full.open()
        try:
            app = full.app
            assert app.full_screen and app.renderer.mouse_support() and app.input is pipe
            assert (app.min_redraw_interval, app.ttimeoutlen) == (0.03, 0.1)
            assert app.color_depth == ColorDepth.DEPTH_1_BIT and app.layout.has_focus(full.buffer)
            assert app.is_running and [full.signals[number] for number in caught] == before
            full.open()
            assert full.app is app, "it is taken already"
            full.armed = "quit"
            full.buffer.insert_text("a")
            assert full.armed == ""
            os.kill(os.getpid(), signal.SIGINT)
            with pytest.raises(KeyboardInterrupt):
                full.pump(0.05)
            os.kill(os.getpid(), signal.SIGTERM)
            with pytest.raises(Terminated) as ended:
                full.pump(0.05)
            assert ended.value.code == 143
            full.loop.call_soon(
                full.loop.call_exception_handler, {"message": "", "exception": OSError("lost")}
            )
            with pytest.raises(OSError, match="lost"):
                full.pump(0.05)
            history = full.history
        finally:
            full.close()
        assert [signal.getsignal(number) for number in caught] == before and not app.is_running
        full.open()
        try:
            assert full.app is not app and full.history is history, "what was typed is not forgotten"
        finally:
            full.close()
