"""Line editing: completion by tab, cursor keys, pastes of many lines."""

from types import SimpleNamespace
from typing import Any

from prompt_toolkit.buffer import CompletionState
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory

from gameplay.display.terminal import editing


def words(typed: str) -> list[str]:
    return [word for word in ("e4", "e5", "d4") if word.startswith(typed)]


def press_key(buffer: Any, key: str, data: str = "", refused: bool = False) -> None:
    """The effect of the binding of the key."""
    for binding in editing.bindings(buffer, lambda: refused).bindings:
        if [str(getattr(key, "value", key)) for key in binding.keys] == [key] and binding.filter():
            binding.handler(SimpleNamespace(data=data))
            return
    raise AssertionError(f"{key} does nothing")


def test_completion_replaces_the_typed_prefix() -> None:
    offered = list(editing.LineCompleter(words).get_completions(Document("e"), None))
    assert [(button.text, button.start_position) for button in offered] == [("e4", -1), ("e5", -1)]
    assert not list(editing.LineCompleter(words).get_completions(Document("x"), None))


def test_input_is_one_line_with_a_history() -> None:
    history = InMemoryHistory(["d4"])
    buffer = editing.empty_line(history, words)
    assert not buffer.multiline() and buffer.history is history and buffer.text == ""
    ways: list[str] = []
    buffer.history_backward = lambda count=1: ways.append("back")
    buffer.history_forward = lambda count=1: ways.append("forth")
    press_key(buffer, "c-p")
    press_key(buffer, "c-n")
    assert ways == ["back", "forth"]


def test_a_paste_of_many_lines_becomes_one() -> None:
    buffer = editing.empty_line(InMemoryHistory(), words)
    press_key(buffer, "<bracketed-paste>", " e4\r\n  e5\n")
    assert buffer.text == "e4 e5"


def test_typing_replaces_a_refused_line() -> None:
    buffer = editing.empty_line(InMemoryHistory(), words)
    buffer.insert_text("e9")
    press_key(buffer, "<any>", "d", refused=True)
    assert buffer.text == "d"


def test_tab_cycles_through_matching_completions() -> None:
    buffer = editing.empty_line(InMemoryHistory(), words)
    values: list[object] = []
    buffer.start_completion = lambda **how: values.append(how)
    buffer.complete_next = lambda: values.append("next")
    press_key(buffer, "c-i")
    assert values == [{"select_first": True}]
    buffer.complete_state = CompletionState(Document("e"))
    press_key(buffer, "c-i")
    assert values == [{"select_first": True}, "next"]
