"""A game session on the full screen: typing, clicking, looking back, leaving."""

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from prompt_toolkit.data_structures import Point
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.base import Size
from rich.text import Text

from gameplay import registry
from gameplay.display.board.pointing import cell_positions
from gameplay.display.fullscreen.contents import move_rows
from gameplay.display.fullscreen.panes import Button, Pane, button_row, render_lines
from gameplay.display.fullscreen.state import FullScreenState
from gameplay.display.fullscreen.view import FullScreen
from gameplay.display.terminal.watching import PACES
from gameplay.display.theme import detect_theme
from gameplay.errors import Fault
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.human import Human
from gameplay.players.interpreter import Interpreter
from tests.support.full_screen import GAMES, theme

pytestmark = pytest.mark.once


# -- what is looked at --------------------------------------------------------------------------------


def test_pages_and_moves_are_scrolled_from_end_to_end() -> None:
    entry = SimpleNamespace(complaint="")
    match = SimpleNamespace(turns=["a", "b", "c", "d", "e"], secrets=False)
    full: Any = FullScreenState(theme())
    full.match, full.entry = match, entry
    browsing = full.browsing
    browsing.scroll(-1)
    assert (browsing.page, browsing.first, browsing.viewed_ply, browsing.scrolled) == ([], None, None, 0)
    browsing.list_length = 10
    for down, up in ((-3, 3), (-99, 9), (2, 7), (99, 0)):
        browsing.scroll(down)
        assert browsing.scrolled == up
    browsing.open("a\nb\nc")
    for down, first in ((1, 1), (9, 2), (-1, 1), (-9, 0)):
        browsing.scroll(down)
        assert (browsing.page, browsing.first, browsing.scrolled) == (["a", "b", "c"], first, 0)
    for plies, looked in ((3, 3), (5, None), (0, 0), (-1, None), (4, 4)):
        full.look_at(plies)
        assert browsing.viewed_ply == looked
    browsing.scrolled = 2
    browsing.back()
    assert (browsing.first, browsing.viewed_ply, browsing.scrolled) == (None, None, 0)
    for plies, looked in ((-1, 4), (-9, 0), (2, 2), (3, None), (1, None)):
        full.look_by(plies)
        assert browsing.viewed_ply == looked
    browsing.viewed_ply, match.secrets = 2, True
    full.look_at(1)
    assert browsing.viewed_ply == 2
    assert entry.error == "earlier positions of an imperfect-information game are shown once it is over"
    full.entry = None
    full.look_at(1)
    assert browsing.viewed_ply == 2


# -- panes --------------------------------------------------------------------------------------------


def test_styles_of_rich_become_those_of_prompt_toolkit(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Text("ab")
    text.stylize("bold #ff0000 on color(4)", 0, 1)
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    first, second = render_lines(theme(), text, 10)[0]
    assert first[1] == "a" and first[0].split()[:2] == ["bold", "fg:#ff0000"] and "bg:ansiblue" in first[0]
    assert second == ("", "b")
    (plain, *_) = render_lines(theme(colour=False), text, 10)[0]
    assert plain[0] == "bold"


def test_narrow_button_bar_drops_keys_before_buttons() -> None:
    pressed: list[str] = []
    buttons = [Button(name, key, lambda: None) for name, key in (("Help", "F1"), ("Leave", "F10"))]
    line, places = button_row(buttons, 40)
    assert "".join(part[1] for part in line) == " F1 Help   F10 Leave  "
    line, places = button_row(buttons, 12)
    assert "".join(part[1] for part in line) == "Help Leave "
    assert [(start, end, button.name) for start, end, button in places] == [(0, 4, "Help"), (5, 10, "Leave")]
    assert [button.name for _, _, button in button_row(buttons, 6)[1]] == ["Help"] and not pressed


def test_moves_are_listed_in_rounds_each_with_its_number() -> None:
    game = registry.game("chess")
    match = Match(game, [seats.player("random", game)] * 2, moves=["e4", "e5", "Nf3"])
    rows = [[(text.strip(), ply) for text, ply in row if ply] for row in move_rows(match, 40)]
    assert rows == [[("e4", 1), ("e5", 2)], [("Nf3", 3)]]
    black = Match(game, [seats.player("random", game)] * 2, "8/8/8/8/8/p7/k7/7K b - - 0 1", ["Kb2"])
    assert [text.strip() for text, _ in move_rows(black, 40)[0]][:3] == ["1.", "...", "Kb2"]
    lucky = Match(registry.game("monopoly"), [seats.player("random", game)] * 2, moves=["1-4", "buy"])
    rows = ["".join(text for text, _ in row) for row in move_rows(lucky, 30)]
    assert rows[:2] == ["1. anchor rolls 1-4 to South", "   Station"], "nothing is cut off"


class Sized(DummyOutput):
    def get_size(self) -> Size:
        return Size(rows=24, columns=80)


class Table:
    """Humans and engines in front of a full screen whose keys are scripted by the test."""

    def __init__(self, pipe: Any) -> None:
        self.pipe = pipe
        self.full = FullScreen(theme(colour=False), input=pipe, output=Sized())
        self.interpreter = Interpreter()

    def sit(self, game: str, players: str = "human,human", moves: str = "", **more: Any) -> Match:
        game_class = registry.game(game)
        specs = players.split(",")
        seated = [
            seats.player(s, game_class, human=lambda: Human(self.full, self.interpreter)) for s in specs
        ]
        match = Match(game_class, seated, moves=moves.split(), **more)
        people = [seat for seat, spec in enumerate(specs) if spec == "human"]
        self.full.viewer = people[0] if len(people) == 1 else None
        self.full.watching = not people
        self.full.match = match
        match.listeners = [self.full]
        return match

    def type_keys(self, keys: str) -> None:
        self.pipe.send_text(keys)

    def pane_text(self, pane: str, width: int = 60, height: int = 20) -> str:
        """The text of a pane."""
        lines = getattr(self.full.contents, pane)(width, height)
        return "\n".join("".join(part[1] for part in line) for line in lines)


@pytest.fixture
def table() -> Iterator[Table]:
    with create_pipe_input() as pipe:
        full = Table(pipe)
        yield full
        full.full.close()


def then(table: Table, *steps: Callable[[], None]) -> None:
    """Schedule the next step of each question: press keys, read the screen."""
    ask, left = table.full._ask, list(steps)

    def ask_and_count(entry: Any, match: Any) -> str:
        if left:
            table.full.open()
            table.full.loop.call_later(0.01, left.pop(0))
        return ask(entry, match)

    table.full._ask = ask_and_count


def play(table: Table, *steps: Callable[[], None]) -> None:
    """Play the match with these steps."""
    then(table, *steps)
    table.full.match.play()


def click(line: int, character: int) -> str:
    """A press and a release at a cell counted from 1, as terminals send them."""
    return f"\x1b[<0;{character};{line}M\x1b[<0;{character};{line}m"


# -- a game session ----------------------------------------------------------------------------------------


def test_a_game_is_typed_to_its_end(table: Table) -> None:
    match = table.sit("tictactoe")
    play(table, *(partial(table.type_keys, f"{word}\r") for word in ("a1", "a2", "b1", "b2", "c1")))
    assert match.words() == ["a1", "a2", "b1", "b2", "c1"] and match.payoffs == (1, -1)
    assert "x wins" in table.pane_text("title")


def test_illegal_input_is_explained_and_stays_for_correction(table: Table) -> None:
    match = table.sit("tictactoe")

    def wrong() -> None:
        table.type_keys("z9\r")
        table.full.loop.call_later(0.1, look)

    def look() -> None:
        assert "'z9' is not a legal move" in table.pane_text("meaning")
        assert table.full.buffer.text == "z9"
        table.type_keys("quit\r")  # takes its place

    play(table, wrong)
    assert match.payoffs is None and not match.turns


def test_pieces_are_clicked_and_dragged(table: Table) -> None:
    match = table.sit("chess")

    def at(cell: tuple[int, int]) -> tuple[int, int]:
        assert table.full.contents.drawn is not None
        line, character = cell_positions(
            table.full.contents.drawn[0], table.full.theme, table.full.contents.drawn[1]
        )[cell]
        return int(line) + 2, int(character) + 1  # below the title; from 1

    def clicks() -> None:
        table.type_keys(click(*at((6, 4))) + click(*at((4, 4))))

    def drags() -> None:
        (line, character), (to, there) = at((1, 4)), at((3, 4))
        table.type_keys(f"\x1b[<0;{character};{line}M\x1b[<0;{there};{to}m")

    def another() -> None:  # a knight is taken up, then a pawn, which goes
        table.type_keys(click(*at((7, 6))) + click(*at((6, 3))) + click(*at((4, 3))))

    def nothing() -> None:
        table.type_keys(click(*at((4, 7))))
        table.full.loop.call_later(0.1, look)

    def look() -> None:
        assert "h4: nothing can be played there now" in table.pane_text("meaning")
        table.type_keys("quit\r")

    play(table, clicks, drags, another, nothing)
    assert match.words() == ["e4", "e5", "d4"]


def test_ambiguous_click_offers_its_moves_as_buttons(table: Table) -> None:
    match = table.sit("chess", start="8/P6k/8/8/8/8/8/K7 w - - 0 1")

    def promote() -> None:
        table.full.mouse.click((1, 0))
        table.full.mouse.click((0, 0))
        assert sorted(button.name for button in table.full.keys.buttons()) == ["a8=B", "a8=N", "a8=Q", "a8=R"]
        next(button for button in table.full.keys.buttons() if button.name == "a8=N").act()

    play(table, promote, lambda: table.type_keys("quit\r"))
    assert match.words() == ["a8=N"]


def test_a_column_is_clicked_and_a_cell(table: Table) -> None:
    match = table.sit("connect4", "human,human")
    play(
        table,
        lambda: table.full.mouse.click((0, 2)),
        lambda: table.full.mouse.click((5, 2)),
        lambda: table.type_keys("quit\r"),
    )
    assert match.words() == ["3", "3"]


def test_lines_received_together_are_executed_in_order(table: Table) -> None:
    match = table.sit("connect4", "human,human")
    play(
        table,
        lambda: table.type_keys("4\r4\reval\r5\rq"),
        lambda: None,
        lambda: None,
        lambda: None,
        leave(table),
    )
    assert match.words() == ["4", "4", "5"]


def leave(table: Table) -> Callable[[], None]:
    """Type the rest of `quit`; its first letter must already be on the line."""

    def type_rest() -> None:
        assert table.full.buffer.text == "q"
        table.type_keys("uit\r")

    return type_rest


def test_wrong_line_cancels_the_rest_of_a_paste(table: Table) -> None:
    match = table.sit("connect4", "human,human")

    def look() -> None:
        table.full.loop.call_later(0.2, quit_game)

    def quit_game() -> None:
        assert match.words() == ["4"] and table.full.buffer.text == "9"
        table.type_keys("\x15quit\r")

    play(table, lambda: table.type_keys("4\r9\r5\r"), look)
    assert match.words() == ["4"]


def test_lines_after_an_engine_has_moved_are_not_obeyed_blind(table: Table) -> None:
    match = table.sit("connect4", "human,random")

    def look() -> None:
        assert len(match.turns) == 2 and table.full.buffer.text == "5" and not table.full.lines
        assert table.full.entry is not None and table.full.entry.type_ahead == "5"
        table.type_keys("\x15quit\r")

    play(table, lambda: table.type_keys("4\r5\r6\r"), look)


def test_the_opening_name_is_shown_if_it_fits(table: Table) -> None:
    table.sit("othello", moves="f5 d6 c3 d3 c4 f4")

    def look() -> None:
        lines = [line.strip() for line in table.pane_text("panel", 60, 20).splitlines()]
        assert lines[lines.index("Tiger") + 1].startswith("1. f5")
        assert "Tiger" not in table.pane_text("panel", 60, 6)
        table.type_keys("quit\r")

    play(table, look)


def test_slow_answers_are_announced_and_ended_by_ctrl_c(table: Table) -> None:
    table.sit("puzzle15", "human")
    full, match = table.full, table.full.match
    match.position = match.game.new("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")
    match.replica = lambda plies=None: match.game.new(match.position.text())
    lines: list[str] = []

    def interrupt_once(report: Any) -> bool:
        lines.append(table.pane_text("panel"))
        if len(lines) == 1:
            table.type_keys("\x03")
        return full.poll_interrupt()

    table.interpreter.judge.watch = interrupt_once
    answered: list[str] = []

    def leave() -> None:
        answered.append(full.notice)
        full.answer("quit")

    play(table, partial(table.type_keys, "solve\r"), leave)
    assert "solve: thinking, up to 10 s; Ctrl-C: answer now" in lines[0]
    assert "no solution was found in" in answered[0]


def test_earlier_moves_are_shown_and_now_returns(table: Table) -> None:
    table.full.theme = replace(table.full.theme, pieces="letters")
    table.sit("tictactoe", moves="a1 b2 c3")

    def look() -> None:
        full = table.full
        table.pane_text("panel")
        line, (start, _, ply) = next((line, span[0]) for line, span in full.contents.move_spans.items())
        assert ply == 1
        full.mouse.press_panel(line, start)
        assert full.browsing.viewed_ply == 1 and "after 1 of 3 moves" in table.pane_text("title")
        assert table.pane_text("board").count("X") == 1 and "O" not in table.pane_text("board")
        full.look_by(1)
        assert full.browsing.viewed_ply == 2 and table.pane_text("board").count("O") == 1
        full.look_by(1)
        assert full.browsing.viewed_ply is None and table.pane_text("board").count("X") == 2
        full.look_by(-3)
        assert full.browsing.viewed_ply == 0 and "X" not in table.pane_text("board")
        full.keys.escape()
        assert full.browsing.viewed_ply is None
        table.type_keys("quit\r")

    play(table, look)


def test_small_window_omits_the_board(table: Table, monkeypatch: Any) -> None:
    monkeypatch.setattr(Sized, "get_size", lambda self: Size(rows=20, columns=40))
    table.sit("backgammon", "human,human", "53")
    shown: list[str] = []

    def look() -> None:
        cells = table.full.app.renderer.last_rendered_screen.data_buffer
        shown.extend("".join(cells[y][x].char for x in range(40)).rstrip() for y in range(20))
        table.full.answer("quit")

    play(table, look)
    assert shown[1] == "The board needs a window of 58 columns"
    assert shown[5].endswith("white human  pips 167") and shown[8] == "1. 53"


def test_board_may_fill_a_small_window(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sized, "get_size", lambda self: Size(rows=12, columns=40))
    table.sit("checkers", "human,human")
    shown: list[str] = []

    def look() -> None:
        cells = table.full.app.renderer.last_rendered_screen.data_buffer
        shown.extend("".join(cells[y][x].char for x in range(40)).rstrip() for y in range(12))
        table.full.answer("quit")

    play(table, look)
    rows = ["1-4", "5-8", "9-12", "13-16", "17-20", "21-24", "25-28", "29-32"]
    assert [line.split()[0] for line in shown[:9]] == ["checkers", *rows]


def test_a_long_list_of_moves_is_scrolled(table: Table) -> None:
    words = "e4 e5 d4 d5 c4 c5 b4 b5 a4 a5 h4 h5 g4 g5 f4 f5 Nf3 Nf6"
    table.sit("chess", moves=words)

    def look() -> None:
        assert "9. Nf3  Nf6" in table.pane_text("panel", 60, 9) and "1. e4" not in table.pane_text(
            "panel", 60, 9
        )
        table.full.browsing.scroll(-100)
        assert "1. e4" in table.pane_text("panel", 60, 9)
        table.full.browsing.scroll(100)
        assert "1. e4" not in table.pane_text("panel", 60, 9)
        table.full.look_at(2)
        assert "1. e4" in table.pane_text("panel", 60, 9), "what is looked at is in sight"
        table.type_keys("quit\r")

    play(table, look)


def test_help_lists_keys_mouse_and_commands_and_closes(table: Table) -> None:
    table.sit("tictactoe")

    def ask() -> None:
        table.type_keys("help\r")
        table.full.loop.call_later(0.1, look)

    def look() -> None:
        page = table.pane_text("page", 100, 60)
        assert "drag it" in page and "PgUp" in page and "undo, redo [N]" in page and "Esc: back" in page
        assert "more lines" in table.pane_text("page", 100, 10)
        table.full.browsing.scroll(3)
        assert table.full.browsing.first == 3
        table.full.keys.escape()
        assert table.full.browsing.first is None
        table.type_keys("?")
        table.full.loop.call_later(0.1, again)

    def again() -> None:
        assert table.full.browsing.first == 0 and not table.full.buffer.text
        table.full.keys.escape()
        table.type_keys("quit\r")

    play(table, ask)


def test_resigning_and_leaving_require_confirmation(table: Table) -> None:
    match = table.sit("tictactoe")

    def resign() -> None:
        button = next(button for button in table.full.keys.buttons() if button.name == "Resign")
        button.act()
        assert table.full.buffer.text == "resign yes" and "press it again" in table.pane_text(
            "meaning", 79, 2
        )
        button.act()

    play(table, resign)
    assert match.reason == "resigned"
    assert "x" in table.pane_text("title") and "resigned" in table.pane_text("title")


def later(table: Table, *steps: Callable[[], None]) -> Callable[[], None]:
    """Run steps in turn, with time for the keys of each: Escape alone takes a tenth of a second."""

    def step() -> None:
        steps[0]()
        if steps[1:]:
            table.full.loop.call_later(0.3, later(table, *steps[1:]))

    return step


KEYS = {"resign yes": "\x1b[19~", "quit": "\x1b[21~"}  # F8, F10


@pytest.mark.parametrize("word", KEYS)
def test_escape_withdraws_the_confirmation_of_resigning_and_leaving(table: Table, word: str) -> None:
    match = table.sit("connect4")

    def asks() -> None:
        assert table.full.buffer.text == word and "press it again" in table.pane_text("meaning", 79, 2)

    def withdrawn() -> None:
        assert not table.full.buffer.text and not table.full.armed

    press, escape = partial(table.type_keys, KEYS[word]), partial(table.type_keys, "\x1b")
    play(
        table,
        later(table, press, asks, escape, withdrawn, press, asks, escape, partial(table.type_keys, "4\r")),
        partial(table.type_keys, KEYS[word] * 2),
    )
    assert match.words() == ["4"], "the second time it was only asked"


@pytest.mark.parametrize("withdraw", ["\x1b", "\x03"])
def test_status_line_drops_withdrawn_questions(table: Table, withdraw: str) -> None:
    match = table.sit("connect4")
    before: list[str] = []

    def look() -> None:
        before.append(table.pane_text("meaning", 79, 2))

    def forgotten() -> None:
        lines = table.pane_text("meaning", 79, 2)
        assert "press it again" not in lines
        assert lines == before[0] if withdraw == "\x1b" else "press Ctrl-C again to leave" in lines

    press, back = partial(table.type_keys, KEYS["resign yes"]), partial(table.type_keys, withdraw)
    play(table, later(table, look, press, back, forgotten, partial(table.type_keys, "quit\r")))
    assert match.payoffs is None


@pytest.mark.parametrize("word", KEYS)
def test_typing_cancels_resigning_or_leaving(table: Table, word: str) -> None:
    match = table.sit("connect4")

    def alone() -> None:
        assert table.full.buffer.text == "4" and "press it again" not in table.pane_text("meaning", 79, 2)

    press = partial(table.type_keys, KEYS[word])
    play(
        table,
        later(table, press, partial(table.type_keys, "4"), alone, partial(table.type_keys, "\r")),
        partial(table.type_keys, "quit\r"),
    )
    assert match.words() == ["4"]


def test_first_ctrl_c_asks_and_the_second_leaves(table: Table) -> None:
    table.sit("tictactoe", moves="a1")

    def once() -> None:
        table.full.keys.interrupt()
        assert "press Ctrl-C again to leave; the game is saved" in table.pane_text("meaning")
        table.full.keys.interrupt()

    with pytest.raises(KeyboardInterrupt):
        play(table, once)


def test_typeahead_needs_another_enter(table: Table) -> None:
    match = table.sit("tictactoe", "human,minimax:depth=1")

    def early() -> None:
        entry = table.full.entry
        assert entry is not None
        entry.type_ahead = table.full.buffer.text
        table.full.keys.enter()
        assert table.full.pending_answer is not None and not table.full.pending_answer.done(), (
            "it was on its way"
        )
        assert "typed before your turn: Enter plays c3" in table.pane_text("meaning")
        entry.start_time -= 10
        table.full.keys.enter()

    then(table, lambda: table.type_keys("b2\r"), early, lambda: table.type_keys("quit\r"))
    reported = table.full._reported
    moved = table.full.on_move

    def typing(turn: Any) -> None:
        if turn.player == 0 and len(match.turns) == 1:
            table.full.buffer.insert_text("c3")
            table.full.keys.enter()
            assert "it is not your turn: c3 is queued" in table.pane_text("meaning")
        moved(turn)

    table.full.on_move = typing
    assert reported is not None
    match.play()
    assert [turn.word for turn in match.turns if turn.player == 0] == ["b2", "c3"]


def test_flag_falls_without_a_key_press(table: Table) -> None:
    wall = [0.0]
    clock = Clock([parse_time_control("10")] * 2, 0.0, lambda: wall[0])
    match = table.sit("tictactoe", clock=clock)

    def late() -> None:
        wall[0] += 11.0

    play(table, late)
    assert match.reason == "time" and match.payoffs == (-1, 1)


def test_engines_are_watched_paused_stepped_and_left(table: Table) -> None:
    match = table.sit("tictactoe", "minimax:depth=1,minimax:depth=1")
    table.full.watch.pace = len(PACES) - 1
    moves: list[int] = []
    pump = table.full.pump

    def pause_once(seconds: float) -> None:
        if len(match.turns) == 1 and not table.full.watch.paused and not moves:
            table.full.watch.press("p")
            assert table.full.keys.buttons()[0].name == "Go on"
            assert "paused" in table.pane_text("title")
        elif table.full.watch.paused and len(moves) < 10:
            moves.append(len(match.turns))
            if len(moves) == 5:
                table.full.watch.press(" ")
            if len(moves) == 10:
                table.full.watch.press("p")
        elif match.over():
            table.full.watch.press("q")
        pump(0.0)

    table.full.pump = pause_once
    match.play()
    assert match.over() and moves == [1] * 5 + [2] * 5


def test_a_game_that_fails_when_drawn_is_a_fault(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "drawn.py"
    sticks = (GAMES / "sticks.py").read_text()
    file.write_text(sticks + "\n    def __str__(self):\n        return [][self.sticks]\n")
    match = table.sit(str(file))
    with pytest.raises(Fault, match="__str__"):
        match.play()


def test_handover_hides_both_hands(table: Table) -> None:
    table.sit(str(GAMES / "tricks.py"), moves="K 6 9 T 7 A")
    seen: list[str] = []

    def all_of_it() -> str:
        return "\n".join(table.pane_text(pane) for pane in ("title", "board", "panel", "meaning"))

    def peek() -> None:
        seen.append(all_of_it())
        table.full.look_at(1)
        table.full.keys.help()
        seen.append(all_of_it())
        table.full.keys.escape()
        table.full.keys.enter()

    until = table.full._until

    def waiting(something: Any) -> None:
        if table.full.handover and something is table.full.pending_answer:
            table.full.loop.call_later(0.01, peek)
        until(something)

    table.full._until = waiting

    def first() -> None:
        shown = all_of_it()
        assert "north │ 7 │ 9 │ K │" in shown
        table.full.look_at(1)
        assert table.full.browsing.viewed_ply is None and "imperfect-information" in table.pane_text(
            "meaning"
        )
        table.type_keys("9\r")

    play(table, first, lambda: table.type_keys("quit\r"))
    assert len(seen) == 4
    for text in seen:
        assert "press Enter to see the game" in " ".join(text.split()) and "│" not in text and "K" not in text


def test_too_small_window_states_the_required_size(table: Table) -> None:
    table.sit("chess", moves="e4 e5")

    def look() -> None:
        text = " ".join(table.pane_text("board", 15, 12).split())
        assert text.startswith("The board needs a window of ") and text.endswith("show, moves or line.")
        assert table.pane_text("title", 18, 1).strip() == "white to move", "rather than the name of the game"
        assert table.pane_text("title", 12, 1).strip() == "white to ..."
        table.pane_text("panel", 40, 3)
        assert "no room for the moves" in table.pane_text("title", 79, 1)
        table.type_keys("quit\r")

    play(table, look)


def test_leaving_prints_the_result_on_the_terminal(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.sit("tictactoe", moves="a1 a2 b1 b2 c1").play()
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    table.full.theme = detect_theme(plain=True)
    table.full.show_final()
    assert table.full.app is None and out.getvalue() == "tictactoe: x wins\n"


def test_pane_is_filled_and_receives_mouse_events() -> None:
    done: list[Any] = []

    def three(width: int, height: int) -> Any:
        return [[("bold", "ab")], [("", "日")], [("", "x")]]

    def pane(draw: Any = three, **actions: Any) -> Pane:
        return Pane(draw, lambda error: done.append(("failed", str(error))), **actions)

    def pane_lines(pane: Pane, width: int, height: int) -> list[Any]:
        content = pane.create_content(width, height)
        assert content.show_cursor is False and content.line_count == height
        return [content.get_line(number) for number in range(height)]

    first, second = [("bold", "ab"), ("", "  ")], [("", "日"), ("", "  ")]
    assert pane_lines(pane(), 4, 2) == [first, second]
    assert pane_lines(pane(), 4, 4) == [first, second, [("", "x"), ("", "   ")], [("", "    ")]]
    assert pane_lines(pane(), 1, 1) == [[("bold", "ab"), ("", "")]]

    def wrong(*_: Any) -> Any:
        raise ValueError("no")

    assert pane_lines(pane(wrong), 2, 1) == [[("", "  ")]] and done == [("failed", "no")]
    assert pane().preferred_height(9, 9, False, None) is None

    def mouse(pane: Pane, kind: MouseEventType) -> Any:
        done.clear()
        event = MouseEvent(Point(x=7, y=3), kind, MouseButton.LEFT, frozenset())
        return pane.mouse_handler(event), done[:]

    names = ("on_press", "on_release", "on_scroll")
    watched_pane = pane(**{name: lambda *how, name=name: done.append((name, *how)) for name in names})
    down, up, move = MouseEventType.MOUSE_DOWN, MouseEventType.MOUSE_UP, MouseEventType.MOUSE_MOVE
    assert mouse(watched_pane, down) == (None, [("on_press", 3, 7)])
    assert mouse(watched_pane, up) == (None, [("on_release", 3, 7)])
    assert mouse(watched_pane, MouseEventType.SCROLL_DOWN) == (None, [("on_scroll", 3)])
    assert mouse(watched_pane, MouseEventType.SCROLL_UP) == (None, [("on_scroll", -3)])
    assert mouse(watched_pane, move) == (NotImplemented, [])
    for kind in (down, up, MouseEventType.SCROLL_UP, MouseEventType.SCROLL_DOWN):
        assert mouse(pane(), kind) == (NotImplemented, [])
        assert mouse(pane(on_press=wrong, on_release=wrong, on_scroll=wrong), kind) == (
            None,
            [("failed", "no")],
        )
