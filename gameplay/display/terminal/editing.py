"""Line editing, at the prompt and on the full screen: completion, history, pasting."""

from collections.abc import Callable, Iterator
from typing import Any

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from gameplay.visible import typable


class LineCompleter(Completer):
    """Completes the input."""

    def __init__(self, completions: Callable[[str], list[str]]) -> None:
        self.completions = completions

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """See prompt-toolkit."""
        typed = document.text_before_cursor
        for text in self.completions(typed):
            if text == typable(text):
                yield Completion(text, start_position=-len(typed))


class PrintableBuffer(Buffer):
    """A line without the control and invisible characters of pasted text."""

    def insert_text(self, data: str, *arguments: Any, **named: Any) -> None:
        """See prompt-toolkit."""
        super().insert_text(typable(data), *arguments, **named)


def empty_line(history: History, completions: Callable[[str], list[str]]) -> Buffer:
    """A buffer for a line of input."""
    return PrintableBuffer(multiline=False, history=history, completer=LineCompleter(completions))


def bindings(buffer: Buffer, replaces_line: Callable[[], bool]) -> KeyBindings:
    """Key bindings for editing. While `replaces_line()` is true, typed text replaces the line."""
    keys = KeyBindings()
    keys.add("c-p")(lambda event: buffer.history_backward())
    keys.add("c-n")(lambda event: buffer.history_forward())

    @keys.add("<any>", filter=Condition(replaces_line))
    def _(event: KeyPressEvent) -> None:
        buffer.reset()
        buffer.insert_text(event.data)

    @keys.add("tab")
    def _(event: KeyPressEvent) -> None:
        if buffer.complete_state:
            buffer.complete_next()
        else:
            buffer.start_completion(select_first=True)

    @keys.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        buffer.insert_text(" ".join(event.data.split()))

    return keys
