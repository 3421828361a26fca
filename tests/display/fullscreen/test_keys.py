"""Keys, buttons and the mouse on the full screen, without a terminal and its event loop."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.layout.containers import HSplit, VSplit, Window

from gameplay import registry
from gameplay.display.fullscreen import layout as full_layout
from gameplay.display.fullscreen.areas import Area, Areas
from gameplay.display.fullscreen.keys import AFTER_GAME, HELP, Keys
from gameplay.display.fullscreen.layout import arrange_game, layout
from gameplay.display.fullscreen.mouse import Mouse
from gameplay.display.fullscreen.state import Browsing, FullScreenState
from gameplay.display.terminal import editing
from gameplay.display.theme import Theme
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from tests.support.golden import golden
from tests.support.prompts import Future

pytestmark = pytest.mark.once


class FakeEntry:
    """Replaces the question that a human is asked: records its calls."""

    def __init__(self, escape_command: str = "", word: str | None = "") -> None:
        self.escape_command = escape_command
        self.default_command = str
        self.word = word  # what an arrow key makes
        self.error = self.leaving = ""
        self.cursor: Any = None
        self.match: Any = None
        self.selection: Any = None
        self.out = ""
        self.answer: str | None = None
        self.wrong = False
        self.calls: list[Any] = []

    def changed(self) -> None:
        self.calls.append("changed")

    def enter(self) -> str | None:
        self.calls.append("enter")
        return self.answer

    def release_piece(self) -> str:
        self.calls.append("let go")
        return self.out

    def arrow_move(self, key: str) -> str | None:
        return self.word

    def move_cursor(self, down: int, right: int) -> None:
        self.calls.append((down, right))

    def replaces_line(self) -> bool:
        return self.wrong


class FakeScreen:
    """Replaces the full screen: records its calls."""

    def __init__(self, game: str = "chess", moves: str = "", *specs: str) -> None:
        game_class = registry.game(game)
        seats = specs or ("human",) * game_class.new().players
        self.match = Match(game_class, [EmptySeat(spec) for spec in seats], moves=moves.split())
        self.buffer = editing.empty_line(InMemoryHistory(), lambda typed: [])
        self.browsing = Browsing()
        self.choices: list[str] = []
        self.armed = ""
        self.entry: Any = None
        self.pending_answer: Any = None
        self.interpreter: Any = Interpreter()
        self.handover = ""
        self.watching = self.interrupted = self.flip = False
        self.lines: list[str] = []
        self.answers: list[str] = []
        self.pressed: list[str] = []
        self.watch = SimpleNamespace(paused=False, press=self.pressed.append)
        self.theme = Theme(colour=False, unicode=True, interactive=True)
        self.keys: Any = Keys(self)
        self.buffer.on_text_changed += lambda _: self.keys.typed()

    look_at: Any = FullScreenState.look_at
    look_by: Any = FullScreenState.look_by

    def answer(self, word: str) -> None:
        self.answers.append(word)

    def ask(self, **more: Any) -> FakeEntry:
        self.entry, self.pending_answer = FakeEntry(**more), Future()
        return self.entry


def test_enter_acts_on_the_focused_item_first() -> None:
    full = FakeScreen()
    entry = full.ask()
    full.handover = "somebody else's"
    full.browsing.open("a page")
    full.keys.enter()
    assert full.answers == [""] and full.browsing.first == 0
    full.handover, full.watching = "", True
    full.keys.enter()
    assert full.browsing.first is None and not full.interrupted and full.answers == [""]
    full.keys.enter()
    assert full.interrupted is False, "the game goes on"
    full.match.leave()
    full.keys.enter()
    assert full.interrupted is True
    full.watching = False
    for nobody in (True, False):
        full.entry, full.pending_answer = (None, None) if nobody else (entry, Future(done=True))
        full.buffer.text = "e4"
        full.keys.enter()
        assert (full.lines, full.buffer.text) == (["e4"], "")
        full.lines.clear()
    full.pending_answer = Future()
    for text in ("help", " H ", "?", ":help", "/HELP"):
        full.buffer.text = text
        full.keys.enter()
        assert full.buffer.text == "" and full.browsing.page[: len(HELP.splitlines())] == HELP.splitlines()
        assert full.browsing.first == 0
        full.browsing.back()
    assert "enter" not in entry.calls and full.answers == [""]
    full.browsing.viewed_ply = 0
    full.keys.enter()
    assert entry.calls[-1] == "enter" and full.answers == [""] and full.browsing.viewed_ply is None
    entry.answer = "d4"
    full.keys.enter()
    assert full.answers == ["", "d4"]


def test_pasted_lines_are_entered_up_to_an_error() -> None:
    full = FakeScreen()
    full.keys.paste("e4\r\n\r\n  \ne5\rNf3")
    assert (full.lines, full.buffer.text) == (["e4", "e5"], "Nf3")
    full.buffer.reset()
    entry = full.ask()
    full.keys.paste("e4\ne5\nNf3")
    assert entry.calls.count("enter") == 1 and full.buffer.text == "e4", "it stays to be mended"
    full.buffer.reset()
    full.handover = "somebody else's"
    full.keys.paste("e4\ne5")
    assert full.buffer.text == "" and full.answers == []


def test_escape_closes_views_and_finally_the_screen() -> None:
    full = FakeScreen()
    full.keys.escape()
    full.browsing.open("a page")
    full.keys.escape()
    assert full.browsing.first is None and full.answers == []
    entry = full.ask(escape_command="play on")
    entry.out = "play on"
    for name, value in (("first", 0), ("viewed_ply", 0)):
        setattr(full.browsing, name, value)
        full.keys.escape()
        assert getattr(full.browsing, name) is None and full.answers == []
    entry.cursor, full.choices, full.armed = (0, 0), ["a8=Q"], "quit"
    full.keys.escape()
    assert (entry.cursor, full.choices, full.armed) == (None, [], "") and full.answers == []
    full.keys.escape()
    assert full.answers == ["play on"] and entry.calls == ["let go"] * 4
    entry.out = ""
    full.keys.escape()
    assert full.answers == ["play on"]


def test_ctrl_c_ends_a_search_and_leaves_the_second_time() -> None:
    full = FakeScreen()
    full.keys.interrupt()
    assert full.interrupted
    full.interrupted, full.watching = False, True
    full.ask()
    full.keys.interrupt()
    assert full.interrupted and full.pending_answer.error is None
    full.watching, full.handover = False, "somebody else's"
    full.keys.interrupt()
    assert isinstance(full.pending_answer.error, KeyboardInterrupt)
    full.handover = ""
    entry = full.ask()
    entry.leaving = "press Ctrl-C again to leave"
    full.buffer.text = full.armed = "quit"
    full.keys.interrupt()
    assert (entry.error, full.armed, full.buffer.text) == (entry.leaving, "", "")
    assert not full.pending_answer.done()
    full.keys.interrupt()
    assert isinstance(full.pending_answer.error, KeyboardInterrupt)
    first = full.pending_answer.error
    full.keys.interrupt()
    assert full.pending_answer.error is first, "it is shown once"
    entry = full.ask()
    full.keys.interrupt()
    assert isinstance(full.pending_answer.error, KeyboardInterrupt), "where nothing is to be asked"
    full.entry = None
    full.pending_answer = Future()
    full.keys.interrupt()
    assert not full.pending_answer.done()


def test_unconfirmed_commands_must_be_repeated() -> None:
    full = FakeScreen()
    full.keys.word("undo")
    assert full.answers == []
    entry = full.ask()
    full.browsing.viewed_ply = 0
    full.keys.word("undo")
    assert full.answers == ["undo"] and full.browsing.viewed_ply is None
    full.keys.word("quit", False)
    assert full.answers == ["undo"] and (full.buffer.text, full.armed) == ("quit", "quit")
    full.keys.word("resign", False)
    assert full.answers == ["undo"] and (full.buffer.text, full.armed) == ("resign", "resign")
    full.keys.word("resign", False)
    assert full.answers == ["undo", "resign"]
    full.choices = ["a8=Q"]
    full.buffer.text = "e"
    assert full.armed == "" and full.choices == [] and entry.calls[-1] == "changed"
    full.entry, full.choices = None, ["a8=Q"]
    full.buffer.text = ""
    assert full.choices == ["a8=Q"]


def test_step_moves_back_in_history_or_undoes_a_tried_move() -> None:
    full = FakeScreen("chess", "e4 e5")
    full.keys.step("<", -1)
    assert full.browsing.viewed_ply == 1
    full.keys.step(">", 1)
    assert full.browsing.viewed_ply is None
    full.ask()
    full.keys.step("<", -1)
    assert full.browsing.viewed_ply == 1 and full.answers == []
    full.ask(escape_command="play on")
    full.keys.step("<", -1)
    full.keys.step(">", 1)
    assert full.answers == ["undo", "redo"] and full.browsing.viewed_ply is None
    for flip in (True, False):
        full.keys.flip()
        assert full.flip is flip


def test_an_arrow_makes_a_move_or_moves_the_cursor() -> None:
    full = FakeScreen()
    full.keys._arrow("up", -1, 0)
    for word, steps, answers, complaint in (
        (None, [(-1, 0)], [], ""),
        ("up", [], ["up"], ""),
        ("", [], [], "up is not a legal move here"),
    ):
        entry = full.ask(word=word)
        full.browsing.viewed_ply = 0
        full.answers.clear()
        full.keys._arrow("up", -1, 0)
        assert (entry.calls, full.answers, entry.error) == (steps, answers, complaint)
        assert full.browsing.viewed_ply is None


def buttons(full: FakeScreen) -> list[tuple[str, str]]:
    return [(button.name, button.key) for button in full.keys.buttons()]


def test_buttons_are_those_of_available_commands() -> None:
    full = FakeScreen("chess", "e4")
    usual = [
        ("Help", "F1"),
        ("Hint", "F2"),
        ("Undo", "F3"),
        ("Flip", "F4"),
        ("Resign", "F8"),
        ("Leave", "F10"),
    ]
    assert buttons(full) == usual
    full.ask()
    assert buttons(full) == usual
    for button in full.keys.buttons()[1:3]:
        button.act()
    assert full.answers == ["hint", "undo"]
    for button in full.keys.buttons()[4:]:
        button.act()
        assert full.buffer.text == {"Resign": "resign yes", "Leave": "quit"}.get(
            button.name, button.name.lower()
        )
    assert full.answers == ["hint", "undo"], "these ask first"
    full.keys.buttons()[3].act()
    full.keys.buttons()[0].act()
    assert full.flip and full.browsing.first == 0
    full.handover = "somebody else's"
    assert buttons(full) == [("Show the game", "Enter")]
    full.handover, full.choices = "", ["a8=Q", "a8=N"]
    assert buttons(full) == [("a8=Q", ""), ("a8=N", "")]
    full.keys.buttons()[1].act()
    assert full.answers[-1] == "a8=N"
    full.choices = []
    full.ask(escape_command="play on")
    assert buttons(full) == [
        ("Help", "F1"),
        ("Back", "<"),
        ("Forward", ">"),
        ("Flip", "F4"),
        ("Play on", "Esc"),
    ]
    full.answers.clear()
    for button in (full.keys.buttons()[number] for number in (1, 2, 4)):
        button.act()
    assert full.answers == ["undo", "redo", "play on"]
    alone = FakeScreen("puzzle15")
    assert ("Resign", "F8") not in buttons(alone) and ("Leave", "F10") in buttons(alone)


def test_last_trick_has_a_key_and_a_button_in_games_with_tricks() -> None:
    for game, shown in (("hearts:passing=off", True), ("chess", False)):
        full = FakeScreen(game)
        full.interpreter = Interpreter()
        full.ask()
        assert (("Last trick", "F7") in buttons(full), ("Flip", "F4") in buttons(full)) == (shown, not shown)
        full.keys.trick()
        assert full.answers == ["trick"] * shown


def test_buttons_while_engines_play_and_when_it_is_over() -> None:
    full = FakeScreen("chess", "e4", "human", "random")
    assert buttons(full) == [("Move now", "Ctrl-C"), ("Flip", "F4"), ("Help", "F1")]
    assert len(buttons(FakeScreen("chess", "", "random", "human"))) == 3
    full.keys.buttons()[0].act()
    assert full.interrupted
    full.ask()
    assert len(buttons(full)) == 6, "somebody is asked, so it is not thinking"
    full.entry = full.pending_answer = None
    full.watching = True
    keys = [("Pause", "p"), ("Step", "Space"), ("Faster", "+"), ("Slower", "-")]
    assert buttons(full) == [*keys, ("Flip", "F4"), ("Leave", "q")]
    for button in full.keys.buttons():
        button.act()
    assert full.pressed == ["p", " ", "+", "-", "q"] and full.flip
    full.watch.paused = True
    assert buttons(full)[0] == ("Go on", "p")
    full.match.leave()
    assert buttons(full) == [("Flip", "F4"), ("Leave", "q")]
    full.watching = False
    full.interpreter = None
    assert buttons(full) == [("Quit", "")]
    known = dict.fromkeys(("replay", "again", "show"), "")
    full.interpreter = SimpleNamespace(available_commands=lambda match: known)
    assert buttons(full) == [("Again", ""), ("Replay", ""), ("Quit", "")] and set(known) & set(AFTER_GAME)
    full.ask()
    full.keys.buttons()[1].act()
    full.keys.buttons()[2].act()
    assert full.answers == ["replay", "quit"]
    dice = FakeScreen("pig", "roll", "random", "random")
    assert dice.match.turn < 0 and len(buttons(dice)) == 6


def test_help_lists_commands() -> None:
    full = FakeScreen()
    full.interpreter = None
    full.keys.help()
    assert full.browsing.page == HELP.splitlines()
    full.interpreter = SimpleNamespace(
        listing=lambda match: "undo   take back", available_commands=lambda match: {}
    )
    full.keys.help()
    assert full.browsing.page == [*HELP.splitlines(), "", "type a move, or:", "undo   take back"]


def test_every_key_does_its_own() -> None:
    """With an empty line and a full one, with an open page or a handover, and while engines are watched."""
    full = FakeScreen("connect4", "4 4")
    log: list[str] = []
    for name in ("enter", "escape", "interrupt", "help", "flip"):
        setattr(full.keys, name, lambda name=name: log.append(name))
    for name in ("_arrow", "step", "word", "paste"):
        setattr(full.keys, name, lambda *how, name=name: log.append(f"{name}{how}"))
    full.browsing.scroll = lambda down: log.append(f"scroll({down})")
    full.watch.press = lambda key: log.append(f"watch {key}")
    app = SimpleNamespace(
        suspend_to_background=lambda: log.append("to the shell"),
        renderer=SimpleNamespace(clear=lambda: log.append("draw again")),
    )
    bindings = full.keys.bindings()
    results = []
    states = {
        "empty": {},
        "a line": {"text": "e4"},
        "a page": {"page": "p"},
        "a handover": {"handover": "c"},
        "watching": {"watching": True},
        "watching, asked": {"watching": True, "pending_answer": Future()},
    }
    for state, how in states.items():
        full.buffer.text = how.get("text", "")
        full.browsing.first = 0 if "page" in how else None
        full.handover, full.watching, full.pending_answer = (
            how.get("handover", ""),
            "watching" in how,
            how.get("pending_answer"),
        )
        active = {}  # of several, the last one counts
        for binding in bindings.bindings:
            if binding.filter():
                active[" ".join(str(getattr(key, "value", key)) for key in binding.keys)] = binding
        for keys, binding in active.items():
            if keys not in ("c-p", "c-n", "c-i"):
                log.clear()
                binding.handler(SimpleNamespace(app=app, data="pasted"))
                results.append(f"{state}: {keys}{' at once' * bool(binding.eager())}: {' '.join(log)}")
    for state in states:  # whatever is going on, these keys do the same
        for keys, does in (("c-c", "interrupt"), ("c-z", "to the shell"), ("c-l", "draw again")):
            (line,) = [line for line in results if re.match(rf"{state}: {keys}( at once)?: ", line)]
            assert line.endswith(f": {does}"), line
    golden("full_keys", "\n".join(results) + "\n")


def test_typing_replaces_a_refused_line() -> None:
    full = FakeScreen()
    bindings = full.keys.bindings()
    anything = next(
        binding
        for binding in bindings.bindings
        if [str(getattr(k, "value", k)) for k in binding.keys] == ["<any>"]
    )
    assert not anything.filter()
    entry = full.ask()
    for text, armed, wrong, refused in (
        ("e9", "", False, False),
        ("e9", "", True, True),
        ("", "", True, False),
        ("quit", "quit", False, True),
    ):
        full.buffer.text = text
        full.armed, entry.wrong = armed, wrong
        assert anything.filter() is refused
    full.entry = None
    assert not anything.filter()


# -- the mouse ----------------------------------------------------------------------------------------


class FakeSelection:
    """Replaces the piece selection."""

    def __init__(self) -> None:
        self.held = ""

    def square(self, text: str = "") -> str:
        return self.held

    def select(self, square: str) -> None:
        self.held = square


def mouse(game: str = "chess", moves: str = "") -> tuple[FakeScreen, Mouse, FakeEntry]:
    """A mouse over the board of a game; places are its cells."""
    full: Any = FakeScreen(game, moves)
    full.board = full.match.board
    full.contents = SimpleNamespace(
        cell=lambda line, character: (line, character) if line >= 0 else None, move_spans={}, button_spans=[]
    )
    entry = full.ask()
    entry.match, entry.selection = full.match, FakeSelection()
    full_screen = Mouse(full, full.contents)
    full.clicked = []
    return full, full_screen, entry


def test_mouse_press_selects_a_cell_unless_an_overlay_is_shown() -> None:
    full, pointer, entry = mouse()
    clicked: list[Any] = []
    pointer.click = clicked.append
    pointer.press(6, 4)
    assert pointer.pressed_cell == (6, 4) and clicked == [(6, 4)]
    full.browsing.viewed_ply = 0
    pointer.press(6, 4)
    assert full.browsing.viewed_ply is None and pointer.pressed_cell is None, "a click leads back to now"
    for at, page, asked in (((-1, 0), None, True), ((6, 4), 0, True), ((6, 4), None, False)):
        full.browsing.first, full.entry = page, entry if asked else None
        pointer.pressed_cell = (0, 0)
        pointer.press(*at)
        assert pointer.pressed_cell is None
    assert clicked == [(6, 4)]


def test_a_piece_is_dropped_where_it_can_go() -> None:
    full, pointer, entry = mouse()
    clicked: list[Any] = []
    pointer.click = clicked.append
    entry.selection.held = "e2"
    for grip, to, dropped in (
        ((6, 4), (4, 4), True), ((6, 4), (6, 4), False), ((6, 4), (3, 4), False), (None, (4, 4), False),
        ((6, 4), (-1, 0), False),
    ):  # fmt: skip
        clicked.clear()
        pointer.pressed_cell = grip
        pointer.release(*to)
        assert clicked == ([to] if dropped else []) and pointer.pressed_cell is None
    entry.selection.held = ""
    pointer.pressed_cell = (6, 3)
    pointer.release(4, 3)
    assert clicked == [(4, 3)], "from where it went down"
    for name, value in (("selection", None),):
        setattr(entry, name, value)
        clicked.clear()
        pointer.pressed_cell = (6, 4)
        pointer.release(4, 4)
        assert clicked == []
    full.entry = None
    pointer.pressed_cell = (6, 4)
    pointer.release(4, 4)
    assert clicked == []
    full.entry, entry.selection, full.board = entry, FakeSelection(), lambda: None
    pointer.pressed_cell = (6, 4)
    pointer.release(4, 4)
    assert clicked == []


def test_click_selects_plays_or_explains() -> None:
    full, pointer, entry = mouse("chess", "e4 e5")

    def entered() -> str | None:
        entry.calls.append(entry.cursor)
        if entry.selection.held:
            return entry.answer
        entry.selection.select(full.match.board().cell_name(entry.cursor))
        return None

    entry.enter = entered
    full.buffer.text = full.armed = "quit"
    pointer.click((7, 6))
    assert (full.buffer.text, full.armed) == ("", "")
    assert entry.calls[-1] == (7, 6) and entry.cursor is None and full.answers == []
    assert entry.selection.held == "g1" and full.choices == [], "it was taken up"
    pointer.click((4, 7))
    assert entry.error == "h4: nothing can be played there now" and entry.selection.held == ""
    pointer.click((7, 6))
    entry.answer = "Nf3"
    pointer.click((5, 5))
    assert full.answers == ["Nf3"] and entry.calls[-1] == (5, 5)
    entry.answer = None
    pointer.click((5, 5))
    assert full.choices == ["Nf3"], "one of several, perhaps"
    full.choices = []
    pointer.click((6, 3))
    assert entry.calls[-1] == (6, 3) and entry.selection.held == "d2", "another piece"
    for name in ("match", "selection"):
        kept = getattr(entry, name)
        setattr(entry, name, None)
        entry.error = ""
        pointer.click((4, 7))
        assert entry.error == ""
        setattr(entry, name, kept)
    full.entry = None
    pointer.click((4, 7))
    full.entry, full.board = entry, lambda: None
    pointer.click((4, 7))
    assert entry.error == ""


def test_ambiguous_moves_of_a_cell_become_buttons() -> None:
    full, pointer, entry = mouse("tictactoe")
    pointer.click((1, 1))
    assert full.choices == ["b2"]
    full, pointer, entry = mouse("backgammon", "31")
    board = full.match.board()
    assert board is not None and board.steps
    cell = next(iter(board.moves))
    pointer.click(cell)
    assert full.choices == [full.match.position.format(move) for move in board.moves[cell]] != []
    full.choices = []
    entry.selection.held = board.cell_name(cell)
    pointer.click(next(iter(board.targets(cell))))
    assert full.choices == [] and entry.calls == ["enter"] * 2, "the step was a call"


def test_click_on_a_list_row_or_button_activates_it() -> None:
    full, pointer, _ = mouse("chess", "e4 e5")
    full.contents.move_spans = {3: [(5, 7, 1), (10, 12, 2)]}
    looked: list[int] = []
    full.look_at = looked.append
    for at in ((3, 4), (3, 5), (3, 6), (3, 7), (3, 10), (3, 11), (3, 12), (2, 5)):
        pointer.press_panel(*at)
    assert looked == [1, 1, 2, 2]
    pressed: list[int] = []
    full.contents.button_spans = [
        (start, end, SimpleNamespace(act=lambda start=start: pressed.append(start)))
        for start, end in ((0, 4), (5, 9))
    ]
    for character in (0, 3, 4, 5, 8, 9):
        pointer.press_button(0, character)
    assert pressed == [0, 0, 5, 5]


# -- where things stand -------------------------------------------------------------------------------


def describe_areas(areas: Areas) -> str:
    """The places of the board and the panel."""
    if areas.board is None:
        return "no room"
    where = "beside" if areas.beside else "above"
    return f"{where}, {areas.board.width} x {areas.board.height}" + ", moves apart" * (
        areas.moves is not None
    )


def test_the_board_is_beside_the_panel_if_both_fit() -> None:
    full: Any = FakeScreen("chess")
    full.view = lambda: full.match
    full.board = full.match.board
    seen = {
        size: arrange_game(full, *size)
        for size in (
            (80, 22),
            (80, 24),
            (65, 24),
            (64, 24),
            (40, 24),
            (40, 30),
            (66, 21),
            (65, 21),
            (66, 20),
            (48, 16),
            (30, 35),
            (30, 16),
            (19, 12),
        )
    }
    layouts = [f"{size}: {describe_areas(areas)}" for size, areas in seen.items()]
    othello: Any = FakeScreen("othello")
    othello.view, othello.board = lambda: othello.match, othello.match.board
    layouts += [
        f"{size}: {describe_areas(arrange_game(othello, *size))}" for size in ((150, 60), (100, 40), (60, 50))
    ]
    words: Any = FakeScreen("pig")
    words.view, words.board = lambda: words.match, lambda: None
    wide = max(map(len, words.match.show().splitlines()))
    for width in (wide + 2 + 28, wide + 2 + 27):
        areas = arrange_game(words, width, 14)
        assert areas.beside == (width == wide + 30)
        assert areas.board == Area(0, 1, wide, len(words.match.show().splitlines()))
    words.view = lambda: None
    assert arrange_game(words, 7, 9).board is None
    golden("full_places", "\n".join(layouts) + "\n")


def test_panes_change_places_as_the_window_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    size = SimpleNamespace(columns=80, rows=30)
    monkeypatch.setattr(
        full_layout, "get_app", lambda: SimpleNamespace(output=SimpleNamespace(get_size=lambda: size))
    )
    full: Any = FakeScreen("chess")
    full.view, full.board, full.on_error = lambda: full.match, full.match.board, [].append
    names = ("title", "board", "panel", "moves", "page", "meaning", "buttons")
    full.contents = SimpleNamespace(
        **{name: (lambda width, height, name=name: [[("", name)]]) for name in names}
    )
    whole = layout(full, full.contents, Mouse(full, full.contents))
    title, body, line, meaning, row = whole.children

    def first_line(window: Any) -> str:
        return str(window.content.create_content(9, 1).get_line(0)[0][1])

    def stands() -> tuple[Any, ...]:
        container = body.get_container()
        if isinstance(container, Window):
            return (first_line(container),)
        first, *_, second = container.children
        wide, high = first.width, first.height
        return (
            type(container), first_line(first), wide() if callable(wide) else wide,
            high() if callable(high) else high, first_line(second),
        )  # fmt: skip

    assert [first_line(window) for window in (title, meaning, row)] == ["title", "meaning", "buttons"]
    assert (title.height, row.height) == (1, 1)
    assert [child.height for child in line.children] == [1, 1] and line.children[0].width == 2
    assert stands() == (VSplit, "board", 35, None, "panel")
    size.rows = 23
    assert meaning.height() == 1
    size.rows = 24
    assert meaning.height() == 2
    size.columns = 36
    assert stands() == (HSplit, "board", None, 9, "panel")
    size.columns = 12
    assert stands() == (HSplit, "board", None, 2, "panel"), "one line says why there is none"
    full.board = lambda: None
    full.match.show = lambda viewer=None: "x" * 13
    assert stands() == ("board",)
    size.columns = 20
    assert stands() == (HSplit, "board", None, 1, "panel")
    full.view = lambda: None
    assert stands() == ("board",)
    full.browsing.open("a page")
    assert stands() == ("page",)
    full.browsing.back()

    def wrong() -> Any:
        raise ValueError("no")

    errors: list[BaseException] = []
    full.on_error, full.view = errors.append, wrong
    assert stands() == ("page",) and [str(error) for error in errors] == ["no"]
