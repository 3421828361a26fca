"""The prompt: cursor, selected pieces, keys, piped lines."""

import io
import threading
from collections.abc import AsyncGenerator, Iterator
from functools import partial
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input, defaults
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.output import DummyOutput

from gameplay.display.terminal import keyboard, line_input, prompt, prompt_loop
from gameplay.display.terminal.line import PlainOutput
from gameplay.display.terminal.line_input import LineInput
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme
from gameplay.errors import Terminated, Unfinished
from gameplay.players.interpreter import Interpreter
from gameplay.players.player import Choice
from tests.support.prompts import PLAIN, entry_of

pytestmark = pytest.mark.once


class Event:
    """A key event that records the application's exit."""

    def __init__(self) -> None:
        self.app = self
        self.result: Any = None

    def exit(self, result: Any = None) -> None:
        self.result = result


def test_arrows_make_moves_where_a_game_has_moves_for_them() -> None:
    entry = entry_of("puzzle15:rows=2,columns=2", start="2 1 3 0")
    deltas = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    done = {}
    for key, delta in deltas.items():
        event, entry.error = Event(), ""
        entry.arrow(event, key, *delta)
        done[key] = event.result or entry.error
    legal = {entry.match.position.format(move) for move in entry.match.moves()}
    assert {word for word in done.values() if word in legal} == legal and len(legal) == 2
    assert sorted(text for text in done.values() if text not in legal) == [
        f"{key} is not a legal move here" for key in sorted(set(deltas) - legal)
    ]
    assert entry.cursor is None


def test_arrows_move_a_cursor_elsewhere_and_enter_plays_there() -> None:
    entry = entry_of("tictactoe", "b2")
    event = Event()
    entry.error = "it was wrong"
    entry.arrow(event, "right", 0, 1)
    assert event.result is None and entry.error == "" and entry.cursor is not None
    assert entry.enter() == "abc"[entry.cursor[1]] + "123"[entry.cursor[0]]
    entry.cursor = (1, 1)
    assert entry.enter() is None and entry.error == ""
    nowhere = LineInput(
        entry.screen, None, lambda text: (True, ""), lambda text: [], lambda: "type something"
    )
    nowhere.buffer = Buffer()
    nowhere.move_cursor(1, 0)
    assert nowhere.cursor is None and nowhere.arrow_move("up") is None and nowhere.picture(80, 24) == ""
    assert nowhere._is_expired() is False and nowhere.prompt_text() == "type something"


BRIDGE = "N:AJT4.86543.43.T5 Q983..AKT7.QJ964 K75.T972.52.A732 62.AKQJ.QJ986.K8"


def test_cursor_in_the_bidding_box_explains_the_call_that_enter_makes() -> None:
    entry = entry_of("bridge", start=f"{BRIDGE} pass 1D pass", specs=("pimc", "pimc", "pimc", "human"))
    entry.move_cursor(1, 0)
    assert entry.prompt_text() == "Enter plays pass: 0-5 points" and entry.enter() == "pass"
    for down, right in ((1, 0), (0, 1), (0, 1), (0, 1), (-1, 0)):
        entry.move_cursor(down, right)
    assert entry.prompt_text().startswith("Enter plays 1S: 6+ points, 4+ spades") and entry.enter() == "1S"
    entry.buffer.text = "2n"
    assert entry.prompt_text().startswith("Enter plays 2N: "), "what is typed goes before the cursor"


def test_the_last_trick_has_a_key_in_card_games_only() -> None:
    for game, start, bound in (("bridge", BRIDGE, True), ("chess", "", False)):
        keys = [
            getattr(key, "value", key)
            for binding in entry_of(game, start=start)._keys().bindings
            for key in binding.keys
        ]
        assert ("f7" in keys, "f6" in keys) == (bound, True)


def test_piece_is_selected_deselected_and_moved_by_pointing() -> None:
    entry = entry_of("chess")
    entry.cursor = (6, 4)
    assert entry.enter() is None and entry.selection.square() == "e2"
    assert set(entry._targets(entry.screen.board())) == {(6, 4), (5, 4), (4, 4)}
    entry.cursor = (6, 4)
    assert entry.enter() is None and entry.selection.square() == "", "put down where it stood"
    entry.cursor = (6, 4)
    entry.enter()
    entry.cursor = (4, 4)
    assert entry.enter() == "e4"
    entry.selection.select("")
    entry.buffer.text = "g1"
    assert entry.enter() is None and entry.selection.square() == "g1" and entry.buffer.text == ""
    assert (
        not entry.selection.select("g2x")
        and not entry.selection.select("a8")
        and entry.selection.square() == "g1"
    )
    entry.escape_command = "quit"
    assert entry.release_piece() == "" and entry.selection.square() == ""
    assert entry.release_piece() == "quit"
    entry.error = "it was wrong"
    assert entry.release_piece() == "" and entry.error == "" and entry.release_piece() == "quit"
    entry.buffer.text = "N"
    assert entry.release_piece() == "" and entry.buffer.text == ""


def test_promotion_asks_for_the_piece() -> None:
    entry = entry_of("chess", start="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    entry.cursor = (1, 0)
    entry.enter()
    entry.cursor = (0, 0)
    assert entry.enter() is None and entry.error == ""
    assert entry.prompt_text() == entry.invitation() != ""
    entry.selection = None
    assert entry.enter() is None
    assert entry.error == ""
    entry.cursor = (1, 0)
    assert entry._enter_at_cursor() is None and entry.error.startswith("type one of these: a8")


def test_prompt_shows_steps_of_a_turn_in_order() -> None:
    entry = entry_of("backgammon", "61")
    board = entry.screen.board()
    assert board.steps
    (start, *_) = [
        cell for cell, moves in board.moves.items() if moves and entry.selection.select(board.cell_name(cell))
    ]
    assert entry.selection.select(board.cell_name(start)) and entry.selection.square() == board.cell_name(
        start
    )
    ends = {cell: moves for cell, moves in entry._targets(board).items() if len(moves) > 1}
    entry.cursor = next(iter(ends))
    before = entry.screen.entered_steps
    assert entry.enter() is None and entry.error == ""
    assert entry.selection.steps() == [(board.cell_name(start), board.cell_name(entry.cursor))]
    assert before == (1, []) and entry.screen.entered_steps == (1, entry.selection.steps())
    entry.release_piece()
    assert entry.selection.steps() == [] and entry.screen.entered_steps == (1, [])


def test_the_setting_confirm_requires_a_second_enter() -> None:
    entry = entry_of("tictactoe")
    entry.confirm = True
    entry.buffer.text = "b2"
    assert entry.enter() is None and entry.error == "play b2? Enter plays it, Escape does not"
    assert entry.enter() == "b2"
    entry.buffer.text = "moves"
    assert entry.enter() == "moves", "a word that is not a move needs one Enter"
    entry.buffer.text = ""
    entry.cursor = (0, 2)
    assert entry.enter() is None and entry.buffer.text == "c1" and entry.buffer.cursor_position == 2
    assert entry.error == "play c1? Enter plays it, Escape does not" and entry.replaces_line()
    entry.changed()
    assert (entry.error, entry.type_ahead, entry.confirmed) == ("", "", "") and not entry.replaces_line()
    entry.selection = None
    entry.buffer.text = "a1"
    assert entry.enter() == "a1"


def test_pages_of_a_message_are_turned_by_enter_on_an_empty_line() -> None:
    entry = entry_of("tictactoe")
    entry.screen.pages, entry.screen.page = 3, 0
    assert [(entry.enter(), entry.screen.page, entry.message) for _ in range(3)] == [
        (None, 1, "told before"), (None, 2, "told before"), (None, 0, ""),
    ]  # fmt: skip
    entry.buffer.text = "b2"
    assert entry.enter() == "b2"


def test_typeahead_is_shown_and_not_executed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(line_input, "time", SimpleNamespace(monotonic=lambda: now[0]))
    entry = entry_of("tictactoe")
    entry.buffer.text, entry.type_ahead, entry.start_time = "b2", "b2", 100.0
    assert entry.prompt_text().startswith("typed before your turn: ")
    now[0] = 100.0 + line_input.SETTLE / 2
    assert entry.enter() is None and entry.entered and not entry.replaces_line()
    entry.buffer.cursor_position = 2
    assert entry.replaces_line()
    now[0] = 100.0 + line_input.SETTLE
    assert entry.enter() == "b2"
    entry.error = "wrong"
    assert entry.prompt_text() == "wrong"


def test_a_frame_shows_the_end_of_a_long_line_and_where_the_cursor_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    entry = entry_of("tictactoe")
    entry.buffer.load_history_if_not_yet_loaded = lambda: None  # that wants a loop of events
    entry.message = ""
    lines, place = entry.frame(40, 20)
    assert lines[place[0]] == "> " and place[1] == 2 and "tictactoe" in lines[0]
    assert "\n".join(lines[place[0] + 1 :]) == entry.below() != ""
    entry.buffer.text = "x" * 50
    entry.buffer.cursor_position = 50
    lines, place = entry.frame(40, 20)
    assert lines[place[0]] == "> " + "x" * 37 and place[1] == 39
    entry.buffer.cursor_position = 10
    lines, place = entry.frame(40, 20)
    assert lines[place[0]] == "> " + "x" * 37 and place[1] == 12
    lines, place = entry.frame(40, 5)
    assert len(lines) <= 5 and lines[place[0]].startswith("> x")


def test_slow_commands_are_announced() -> None:
    assert prompt.progress_message(" hint ", prompt.LONG - 0.1, "; x") == "hint ..."
    assert (
        prompt.progress_message("hint", prompt.LONG, "; x") == f"hint: thinking, up to {prompt.LONG:.0f} s; x"
    )
    match: Any = entry_of("tictactoe").match
    assert prompt.leave_warning(match, Interpreter()) == "press Ctrl-C again to leave"
    match.make(Choice(0))
    assert prompt.leave_warning(match, Interpreter()) == "press Ctrl-C again to leave; the game is saved"


class Terminal:
    """A pipe of keys for the prompt, with the output painted and written meanwhile."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pipe: Any) -> None:
        self.pipe = pipe
        monkeypatch.setattr(defaults, "create_input", lambda: pipe)

    def waiting(self) -> str:
        """The typed-ahead text."""
        return "".join(key.data for key in get_typeahead(self.pipe))


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        yield Terminal(monkeypatch, pipe)


# -- keys as a terminal sends them -----------------------------------------------------------------


def test_mouse_events_without_a_mouse_are_ignored(terminal: Terminal) -> None:
    """For example of a wheel that was turned just before the mouse was released."""
    terminal.pipe.send_text("\x1b[<0;10;5M\x1b[<64;10;99Mb2\r")
    assert entry_of("tictactoe").run(InMemoryHistory()) == "b2"


def test_prompt_handles_editing_keys(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = entry_of("tictactoe")
    steered: list[tuple[str, int, int]] = []
    monkeypatch.setattr(entry, "arrow", lambda event, *where: steered.append(where))
    terminal.pipe.send_text("\x1b[A\x1b[B\x1b[D\x1b[Cb2\x1b[Ax\x7f\r")
    assert entry.run(InMemoryHistory()) == "b2"
    assert steered == [("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)]
    terminal.pipe.send_text("z9\r!\r")  # the error is shown until the next input
    terminal.pipe.send_text("\x15a1\r")
    assert entry.run(InMemoryHistory()) == "a1"
    terminal.pipe.send_text("<\x7f\x04")
    assert entry.run(InMemoryHistory()) == "quit"
    for key, word in (("<", "undo"), (">", "redo"), ("\x1b\x1b", "play on")):
        entry.escape_command = "play on"
        terminal.pipe.send_text(key)
        assert entry.run(InMemoryHistory()) == word


def test_ctrl_c_leaves_at_once_or_at_the_second_time(terminal: Terminal) -> None:
    entry = entry_of("tictactoe")
    entry.leaving = "press Ctrl-C again"
    terminal.pipe.send_text("a1\x03b2\r")
    assert entry.run(InMemoryHistory()) == "b2"
    log = []
    for keys, leaving in (("a1\x03\x03", entry.leaving), ("a1\x03", "")):
        entry = entry_of("tictactoe")
        entry.leaving = leaving
        terminal.pipe.send_text(keys)
        with pytest.raises(KeyboardInterrupt):
            entry.run(InMemoryHistory())
        log.append((entry.buffer.text, entry.error))
    assert log == [("", "press Ctrl-C again"), ("", "")]


def test_keys_typed_before_are_played_unless_they_were_typed_blind(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_input, "time", SimpleNamespace(monotonic=count(100.0).__next__))
    entry = entry_of("tictactoe")
    entry.screen.keyboard.keys_read = "b2\n"
    assert entry.run(InMemoryHistory()) == "b2"
    prompt_loop.unread_keys("a1")
    entry = entry_of("tictactoe")
    terminal.pipe.send_text("\r")
    assert (
        entry.run(InMemoryHistory(), surprised=True) == "a1"
        and entry.type_ahead == "a1"
        and not entry.entered
    )
    prompt_loop.unread_keys("a1\n")
    entry = entry_of("tictactoe")
    terminal.pipe.send_text("c3\r")
    assert entry.run(InMemoryHistory(), surprised=True) == "c3" and entry.type_ahead == ""
    assert terminal.waiting() == ""


def test_a_question_is_drawn_again_while_time_runs_and_ends_with_it(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt_loop, "TICK", 0.001)
    entry = entry_of("tictactoe")
    looked = count(1)
    drawn: list[int] = []
    never = threading.Timer(20, terminal.pipe.send_text, ["q"])
    never.start()
    keys = KeyBindings()
    keys.add("q")(lambda event: event.app.exit(result="it is not drawn again"))

    def frame(width: int, height: int) -> tuple[list[str], None]:
        drawn.append(width)
        return ["a question"], None

    assert prompt_loop.run_prompt(entry.screen, frame, keys, None, lambda: next(looked) == 4) == ""
    never.cancel()
    assert len(drawn) >= 3


@pytest.mark.parametrize("moment", ["before the event loop", "in a background task"])
def test_sigterm_ends_a_prompt_without_a_traceback(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], moment: str
) -> None:
    entry = entry_of("tictactoe")
    terminate = partial(entry.screen.keyboard._on_sigterm, 15, None)

    class History(InMemoryHistory):
        async def load(self) -> AsyncGenerator[str, None]:
            terminate()
            async for line in super().load():
                yield line

    if moment == "before the event loop":
        monkeypatch.setattr(entry.screen.canvas, "send", lambda text: terminate())
    with pytest.raises(Terminated) as ended:
        entry.run(History())
    assert ended.value.code == 143 and not capsys.readouterr().err
    with pytest.raises(Terminated):  # after the prompt it is raised where the signal arrives
        terminate()


def test_the_keyboard_is_passed_on(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINES", "24")
    for width, holder, shown in (
        (20, 0, ["Pass the keyboard", "to x. x: press", "Enter to see the", "game"]),
        (5, None, ["Pass the", "keyboard", "to x. x:", "press", "Enter to", "see the", "game"]),
    ):
        monkeypatch.setenv("COLUMNS", str(width))
        screen = Screen(Theme(colour=False, unicode=True, interactive=True), 0)
        screen.holder = holder
        painted: list[Any] = []
        monkeypatch.setattr(screen, "paint", lambda *picture, painted=painted: painted.append(picture))
        prompt_loop.unread_keys("b2\n")
        terminal.pipe.send_text("a\r")
        prompt._wait_for_player(screen, prompt.handover_message(entry_of("tictactoe").match))
        assert painted[0] == (shown, None) and terminal.waiting() == ""
        assert ("\x1b[3J" in capsys.readouterr().out) is (holder is not None)
        for key in "\x03\x04":
            terminal.pipe.send_text(key)
            with pytest.raises(KeyboardInterrupt):
                prompt._wait_for_player(screen, "pass it on")
        capsys.readouterr()


@pytest.mark.parametrize(("width", "wide"), [(30, 29), (9, 20)])
def test_text_below_the_input_has_two_lines(monkeypatch: pytest.MonkeyPatch, width: int, wide: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    screen = Screen(Theme(colour=False, unicode=True, interactive=True), 0)
    long = "x" * wide + " y z" * 20
    entry = LineInput(screen, None, lambda text: (True, long), lambda text: [], str)
    entry.buffer = Buffer()
    first, second = entry.below().split("\n")
    assert first == "x" * wide and second.endswith(" ...") and len(second) <= wide


def test_line_input_holds_the_screen_until_the_command_is_done(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages appear once, typed-ahead text is preserved, and a move may need two Enters."""
    monkeypatch.setenv("COLUMNS", "80")
    entry = entry_of("tictactoe")
    screen, match, asking = entry.screen, entry.match, Interpreter()
    player_input = prompt.Prompt(screen)
    held: list[str] = []
    shown: list[str] = []
    monkeypatch.setattr(screen, "show_message", held.append)
    monkeypatch.setattr(screen, "paint", lambda lines, cursor: shown.append("\n".join(lines)))
    monkeypatch.setattr(asking, "estimated_seconds", lambda text, match: 3.0 if text == "hint" else 0.0)
    screen.notice, screen.page = "a caution", 7
    terminal.pipe.send_text("hint\r")
    assert player_input.read(match, asking) == "hint" and "a caution" in shown[0]
    assert shown[0].endswith("; arrows point") and "arrows move" not in shown[0]
    assert (screen.notice, screen.page, player_input.message, screen.holder) == ("", 0, "", None)
    shown.clear()
    player_input.show_answer("try the middle")
    terminal.pipe.send_text("\x10\r")  # Ctrl-P: the line before
    assert player_input.read(match, asking) == "hint" and "try the middle" in shown[0]
    player_input.confirm = True
    shown.clear()
    terminal.pipe.send_text("\x03b2\r\r")
    assert player_input.read(match, asking) == "b2" and "try the middle" not in shown[0]
    assert terminal.waiting() == ""
    asking.escape_command = "leave"
    terminal.pipe.send_text("b2\r\x03")
    assert player_input.read(match, asking) == "b2", "where moves are only tried they are not confirmed"
    assert terminal.waiting() == "\x03"
    terminal.pipe.send_text("\x03\x03")
    with pytest.raises(KeyboardInterrupt):
        player_input.read(match, asking)
    assert terminal.waiting() == "\x03", "one is enough to leave what is only tried"
    slow = "hint: thinking, up to 3 s; Ctrl-C: answer now"
    assert held == [slow, slow, "b2 ...", "b2 ..."]


class Source:
    """Lines as they arrive from standard input; None: Ctrl-C."""

    def __init__(self, *lines: str | None) -> None:
        self.coming = iter(lines)

    def readline(self) -> str:
        line = next(self.coming, "")
        if line is None:
            raise KeyboardInterrupt
        return line


# -- lines of a pipe -------------------------------------------------------------------------------


def test_empty_lines_are_skipped() -> None:
    match = entry_of("tictactoe").match
    asking = Interpreter()

    def read(*lines: str | None, ask: str = "> ") -> str:
        """The text printed before the answer, followed by the answer."""
        out = io.StringIO()
        plain_output = PlainOutput(PLAIN, out, quiet=True)
        plain_output.match = match
        player_input = prompt.LineReader(Source(*lines), plain_output, ask)
        try:
            return out.getvalue() + "|" + player_input.read(match, asking) + "|" + out.getvalue()
        except (KeyboardInterrupt, Unfinished) as ended:
            return f"{out.getvalue()}{type(ended).__name__}: {ended}"

    assert read("\n", " \n", "\x1b[A\n", "b2\n") == "|b2\n|> > > > "
    assert read("b2\n", ask="") == "|b2\n|"
    again = "press Ctrl-C again to leave"
    assert read(None, "b2\n") == f"|b2\n|> \n{again}\n> "
    assert read(None, None, "b2\n") == f"> \n{again}\n> KeyboardInterrupt: "
    assert read(None, "\n", None, "b2\n") == f"|b2\n|> \n{again}\n> > \n{again}\n> "
    assert read(None, "b2\n", ask="") == "KeyboardInterrupt: "
    asking.escape_command = "leave"
    assert read(None, "b2\n") == "> \nKeyboardInterrupt: "
    asking.escape_command = ""
    message = "the input ended after {}, before the game did"
    assert read() == "> Unfinished: " + message.format("0 moves")
    match.make(Choice(0))
    assert read(ask="") == "Unfinished: " + message.format("1 move")
    assert read(None, "b2\n") == f"|b2\n|> \n{again}; the game is saved\n> "


def test_typeahead_of_a_pipe_is_dropped_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyboard, "discard_input", lambda: True)
    log = []
    for ask, game, moves, specs, escape_command in (
        ("> ", "tictactoe", "a1", ("random", "human"), ""),
        ("", "tictactoe", "a1", ("random", "human"), ""),
        ("> ", "tictactoe", "a1", ("random", "human"), "leave"),
        ("> ", "tictactoe", "a1", ("human", "human"), ""),
        ("> ", "kuhn", "K J", ("human", "human"), ""),
    ):
        out = io.StringIO()
        plain_output = PlainOutput(PLAIN, out, quiet=True)
        plain_output.match = match = entry_of(game, moves, specs=specs).match
        asking = Interpreter()
        asking.escape_command = escape_command
        player_input = prompt.LineReader(Source("\n", "b2\n"), plain_output, ask)
        monkeypatch.setattr(asking, "estimated_seconds", lambda line, match: 2.0)
        assert player_input.read(match.view(match.turn), asking) == "b2\n"
        assert plain_output.holder == match.turn
        log.append(out.getvalue())
    dropped = "what was typed before your turn is dropped\n"
    thinking = "b2: thinking, up to 2 s\n"
    passed = "Pass the keyboard to first. first: press Enter to see the game\n"
    assert log == [
        f"{dropped}> > {thinking}", thinking, f"> > {thinking}", f"> > {thinking}",
        f"{passed}{dropped}> {thinking}",
    ]  # fmt: skip


TWO_PARTS = [
    ("battleship", ""),
    ("battleship:rows=4,columns=4,ships=2+2", "a1-a2 b1-b2"),
    ("chess", "e4 e5 Nf3 Nc6"),
    ("chess", "e4 e5 Nf3 Nc6 Bb5 Nf6"),  # e1 to g1 castles
    ("checkers", "11-15 22-18 15x22"),  # jumps
    ("stratego:army=barrage", None),
    ("chinese-checkers", ""),
    ("backgammon", ["61", "13/7 8/7", "21"]),
    ("backgammon", "64"),
]


@pytest.mark.parametrize(("game", "moves"), TWO_PARTS)
def test_a_start_and_an_end_typed_one_after_the_other_are_a_move(
    game: str, moves: str | list[str] | None
) -> None:
    if moves is None:  # until pieces stand on the board
        random, placed = Random(1), entry_of(game).match
        while not placed.board(placed.turn).paths:
            placed.make(Choice(random.choice(placed.moves())))
        moves = placed.words()
    match = entry_of(game, moves).match
    board = match.board(match.turn)
    pairs = [
        (board.cell_name(start), board.cell_name(end), cells)
        for start in board.moves
        for end, cells in board.targets(start).items()
    ]
    assert len(pairs) > 1
    for start, end, words in Random(2).sample(pairs, min(12, len(pairs))):
        entry = entry_of(game, moves)
        asking = entry.selection.interpreter
        entry.buffer.text = start
        assert entry.enter() is None and entry.selection.square() == start.lower()
        entry.buffer.text = end
        assert entry.meaning(end)[0] and entry.enter() == end, (start, end)
        answer = asking.execute(end, entry.match)
        if len(words) == 1:
            assert answer.choice is not None and answer.choice.move == words[0]
        elif board.steps:
            assert asking.steps(entry.match) == [(start.lower(), end.lower())]
            assert f"{start} to {end}; type the next start from " in asking.invitation(entry.match)
        else:
            assert len(asking.promotions(entry.match)) == len(words) or "several ways" in answer.text


def test_a_move_of_several_steps_is_typed_step_by_step() -> None:
    entry = entry_of("backgammon", "21")
    asking, match = entry.selection.interpreter, entry.match
    board = match.board()
    start, end = next(
        (board.cell_name(move), board.cell_name(other))
        for move in board.moves
        for other, cells in board.targets(move).items()
        if len(cells) > 1 and board.cell_name(other) in map(board.cell_name, board.moves)
    )
    assert asking.execute(start, match).choice is None and asking.selected(match) == start
    assert asking.execute(end, match).choice is None and asking.steps(match) == [(start, end)]
    rest = asking._pieces(match)
    second = next(
        cell for cell in rest.moves if any(len(target) == 1 for target in rest.targets(cell).values())
    )
    last = next(cell for cell, cells in rest.targets(second).items() if len(cells) == 1)
    asking.execute(rest.cell_name(second), match)
    choice = asking.execute(rest.cell_name(last), match).choice
    assert choice is not None
    word = match.position.format(choice.move)
    assert {f"{start}/{end}", f"{rest.cell_name(second)}/{rest.cell_name(last)}"} <= {
        part.rstrip("*") for part in word.split()
    } or len(word.split("/")) > 2
