"""Keys, buttons and clicks at the prompt of the full screen."""

from types import SimpleNamespace
from typing import Any

import pytest
from prompt_toolkit.buffer import Buffer

from gameplay.display.fullscreen.keys import Keys
from gameplay.display.fullscreen.panes import Button, button_row
from gameplay.display.terminal import line_input
from gameplay.players.interpreter import Interpreter
from tests.support.prompts import Future, entry_of

pytestmark = pytest.mark.once


def full_of(entry: Any = None, **more: Any) -> Any:
    """The attributes of the screen that key bindings use."""
    answers: list[str] = []
    pressed: list[str] = []
    looked: list[int] = []
    browsing = SimpleNamespace(first=None, viewed_ply=None, opened="")
    browsing.open = lambda text: setattr(browsing, "opened", text)
    browsing.back = lambda: (setattr(browsing, "first", None), setattr(browsing, "viewed_ply", None))
    given = {
        "entry": entry, "buffer": entry.buffer if entry is not None else Buffer(),
        "match": entry and entry.match, "handover": "", "watching": False, "pending_answer": Future(),
        "interrupted": False, "lines": [], "flip": False, "browsing": browsing, "answers": answers,
        "answer": answers.append, "interpreter": Interpreter(), "pressed": pressed, "turned": looked,
        "watch": SimpleNamespace(press=pressed.append, paused=False),
        "look_by": looked.append, "choices": [], "armed": "",
    }  # fmt: skip
    return SimpleNamespace(**(given | more))


def test_enter_closes_an_overlay_or_executes_the_line() -> None:
    entry = entry_of("tictactoe")
    covered = full_of(entry, handover="pass on")
    Keys(covered).enter()
    assert covered.answers == [""]
    paged = full_of(entry)
    paged.browsing.first = 3
    Keys(paged).enter()
    assert paged.browsing.first is None and paged.answers == []
    for over in (False, True):
        watched = full_of(entry, watching=True, match=SimpleNamespace(over=lambda over=over: over))
        Keys(watched).enter()
        assert watched.interrupted is over and watched.answers == []
    early = full_of(entry, pending_answer=Future(done=True))
    early.buffer.text = "a1"
    Keys(early).enter()
    assert early.lines == ["a1"] and early.buffer.text == "" and early.answers == []
    helped = full_of(entry, interpreter=Interpreter())
    helped.buffer.text = " Help "
    Keys(helped).enter()
    assert helped.buffer.text == "" and helped.browsing.opened.startswith("mouse       click a piece")
    assert "type a move, or:" in helped.browsing.opened and helped.answers == []
    played = full_of(entry)
    played.browsing.viewed_ply = 2
    played.buffer.text = "b2"
    Keys(played).enter()
    assert played.answers == ["b2"] and played.browsing.viewed_ply is None
    played.buffer.text = "z9"
    Keys(played).enter()
    assert played.answers == ["b2"] and "z9" in entry.error


def test_pasted_lines_are_executed_up_to_an_error_and_the_last_waits_for_enter() -> None:
    entry = entry_of("tictactoe")
    full = full_of(entry)
    full.answer = lambda text: (full.answers.append(text), full.buffer.reset())
    Keys(full).paste("a1\r\n\n b2\rc3")
    assert full.answers == ["a1", " b2"] and full.buffer.text == "c3"
    full.buffer.reset()
    full.answers.clear()
    Keys(full).paste("a1\nz9\nb2\n")
    assert full.answers == ["a1"] and full.buffer.text == "z9"
    full.buffer.reset()
    full.handover = "pass on"
    Keys(full).paste("a1\nb2")
    assert full.answers == ["a1"] and full.buffer.text == ""


def test_ctrl_c_ends_a_search_and_leaves_at_the_second_time() -> None:
    for more in ({"pending_answer": None}, {"watching": True}):
        full = full_of(entry_of("tictactoe"), **more)
        Keys(full).interrupt()
        assert full.interrupted is True
    covered = full_of(entry_of("tictactoe"), handover="pass on")
    Keys(covered).interrupt()
    assert isinstance(covered.pending_answer.error, KeyboardInterrupt) and not covered.interrupted
    entry = entry_of("tictactoe")
    entry.leaving = "press Ctrl-C again"
    full = full_of(entry)
    keys = Keys(full)
    full.buffer.text, full.armed = "quit", "quit"
    keys.interrupt()
    assert full.pending_answer.error is None and (entry.error, full.buffer.text, full.armed) == (
        entry.leaving,
        "",
        "",
    )
    keys.interrupt()
    assert isinstance(full.pending_answer.error, KeyboardInterrupt)
    full.pending_answer = Future(done=True)
    keys.interrupt()
    assert full.pending_answer.error is None


def test_full_screen_arrows_behave_as_at_the_prompt() -> None:
    puzzle = entry_of("puzzle15:rows=2,columns=2", start="2 1 3 0")
    full = full_of(puzzle)
    full.browsing.viewed_ply = 4
    keys = Keys(full)
    for key in ("up", "down", "left", "right"):
        keys._arrow(key, 0, 0)
    legal = {puzzle.match.position.format(move) for move in puzzle.match.moves()}
    assert set(full.answers) == legal and full.browsing.viewed_ply is None
    assert puzzle.error.endswith(" is not a legal move here")
    board = entry_of("tictactoe")
    Keys(full_of(board))._arrow("right", 0, 1)
    assert board.cursor is not None
    Keys(full_of(None))._arrow("right", 0, 1)


def test_buttons_that_end_the_game_need_a_second_press() -> None:
    entry = entry_of("tictactoe")
    full = full_of(entry)
    keys = Keys(full)
    full.browsing.viewed_ply = 1
    keys.word("hint")
    assert full.answers == ["hint"] and full.browsing.viewed_ply is None
    keys.word("resign", False)
    assert (full.answers, full.buffer.text, full.armed) == (["hint"], "resign", "resign")
    keys.typed()
    assert full.armed == "resign"
    keys.word("resign", False)
    assert full.answers == ["hint", "resign"]
    full.buffer.text, full.choices = "other", ["a"]
    keys.typed()
    assert full.armed == "" and full.choices == []
    Keys(full_of(None)).word("hint")
    keys.step("<", -1)
    assert full.turned == [-1]
    entry.escape_command = "quit"
    keys.step("<", -1)
    assert full.turned == [-1] and full.answers[-1] == line_input.STEPS["<"]
    keys.flip()
    assert full.flip is True
    keys.flip()
    assert full.flip is False


def test_buttons_follow_from_the_state() -> None:
    def button_names(full: Any, keys: Keys | None = None) -> list[str]:
        return [f"{button.key} {button.name}".strip() for button in (keys or Keys(full)).buttons()]

    entry = entry_of("tictactoe")
    usual = ["F1 Help", "F2 Hint", "F3 Undo", "F4 Flip", "F8 Resign", "F10 Leave"]
    assert button_names(full_of(entry)) == usual
    assert button_names(full_of(entry, handover="x")) == ["Enter Show the game"]
    choosing = Keys(full_of(entry))
    choosing.full.choices = ["a8Q", "a8N"]
    assert button_names(choosing.full, choosing) == ["a8Q", "a8N"]
    single = entry_of("puzzle15:rows=2,columns=2", start="2 1 3 0")
    assert button_names(full_of(single)) == [button for button in usual if "Resign" not in button]
    poker = entry_of("holdem")
    assert button_names(full_of(poker)) == [one for one in usual if "Resign" not in one], (
        "no resignation there"
    )
    engines = entry_of("tictactoe", specs=("random", "random"))
    thinking = full_of(None, match=engines.match)
    assert button_names(thinking) == ["Ctrl-C Move now", "F4 Flip", "F1 Help"]
    assert button_names(full_of(None, match=entry.match)) == usual, "between two questions"
    assert button_names(full_of(entry, match=engines.match)) == usual, (
        "a person is asked whatever an engine thinks"
    )
    watched = full_of(None, match=engines.match, watching=True, pending_answer=None)
    assert button_names(watched) == ["p Pause", "Space Step", "+ Faster", "- Slower", "F4 Flip", "q Leave"]
    watched.watch.paused = True
    assert button_names(watched)[0] == "p Go on"
    for button in Keys(watched).buttons()[:4]:
        button.act()
    assert watched.pressed == ["p", " ", "+", "-"]
    online = Interpreter()
    online.withheld = frozenset(("hint", "resign"))
    assert button_names(full_of(entry, interpreter=online)) == ["F1 Help", "F3 Undo", "F4 Flip", "F10 Leave"]
    assert button_names(full_of(entry, interpreter=None)) == ["F1 Help", "F4 Flip", "F10 Leave"]
    over = entry_of("tictactoe", "a1 a2 b1 b2 c1")
    assert button_names(full_of(over, watching=True, pending_answer=None)) == ["F4 Flip", "q Leave"]
    assert button_names(full_of(over, interpreter=Interpreter())) == ["Undo", "Quit"]
    entry.escape_command = "play on"
    assert button_names(full_of(entry)) == ["F1 Help", "< Back", "> Forward", "F4 Flip", "Esc Play on"]


def test_each_key_runs_its_action(monkeypatch: pytest.MonkeyPatch) -> None:
    """All keys of the full screen: the states in which they apply, and their actions."""
    entry = entry_of("tictactoe")
    full = full_of(entry)
    full.browsing.scroll = lambda lines: done.append(f"scroll {lines}")
    full.watch.press = lambda key: done.append(f"press {key}")
    keys, done = Keys(full), list[str]()
    for name in ("_arrow", "step", "help", "word", "flip", "enter", "escape", "interrupt", "paste"):
        monkeypatch.setattr(
            keys, name, lambda *how, name=name: done.append(" ".join([name, *map(str, how)]).strip("_"))
        )
    app = SimpleNamespace(
        suspend_to_background=lambda: done.append("shell"),
        renderer=SimpleNamespace(clear=lambda: done.append("clear")),
    )
    bound = keys.bindings()

    def press(key: str) -> list[str]:
        """The calls of the first active binding of a key."""
        done.clear()
        bindings = [binding for binding in bound.get_bindings_for_keys((key,)) if binding.filter()]
        own = [binding for binding in bindings if binding.keys == (key,)]
        if own:
            ([binding for binding in own if binding.eager()] or own)[-1].handler(
                SimpleNamespace(app=app, data="b2")
            )
        return done[:]

    always = {
        *{
            ("f1", "help"),
            ("f2", "word hint"),
            ("f3", "word undo"),
            ("f4", "flip"),
            ("f8", "word resign yes False"),
        },
        *{("f10", "word quit False"), ("pageup", "scroll -5"), ("pagedown", "scroll 5"), ("c-m", "enter")},
        *{("escape", "escape"), ("c-c", "interrupt"), ("<sigint>", "interrupt"), ("c-z", "shell")},
        *{("<bracketed-paste>", "paste b2"), ("c-l", "clear")},
    }
    empty = {
        *{("up", "arrow up -1 0"), ("down", "arrow down 1 0"), ("left", "arrow left 0 -1")},
        *{("right", "arrow right 0 1"), ("<", "step < -1"), (">", "step > 1"), ("?", "help")},
        ("c-d", "word quit False"),
    }
    watched = {(key, f"press {key}") for key in "p +-q"}
    names = [name for name, _ in (*always, *empty, *watched)]

    def bound_actions() -> set[tuple[str, str]]:
        return {(name, deed) for name in names for deed in press(name)}

    assert bound_actions() == always | empty
    full.buffer.text = "b"
    assert bound_actions() == always
    full.buffer.text, full.watching, full.pending_answer = "", True, None
    assert bound_actions() == always | empty | watched
    full.browsing.first = 0
    assert bound_actions() == always | watched
    full.browsing.first, full.handover, full.pending_answer = None, "pass on", Future()
    assert bound_actions() == always
    eager = {name for name in names for binding in bound.get_bindings_for_keys((name,)) if binding.eager()}
    assert eager == {"escape", *"p +-q"}


def test_narrow_button_bar_keeps_the_first_and_last_button() -> None:
    buttons = [Button(name, "F1", lambda: None) for name in ("Help", "Hint", "Undo", "Leave")]
    for width, names in ((30, 4), (20, 4), (19, 3), (15, 3), (14, 2), (10, 2), (9, 1)):
        _, places = button_row(buttons, width)
        shown = [button.name for _, _, button in places]
        assert len(shown) == names and shown[0] == "Help", width
        assert names < 2 or shown[-1] == "Leave"
