"""Text from outside, made safe to show: characters that would steer a terminal are written as JSON escapes.

Names in files, moves of tree files, output of engines, messages of user code and file names may hold escape
sequences. `visible` writes each such character as JSON does (`\\u001b`), so a terminal shows it and obeys
nothing; within a JSON document the escape still means the same character. Replaced are

    controls       C0 except newline and tab, DEL, C1
    directions     marks, embeddings, overrides and isolates that reorder a line
    invisible      zero-width characters, separators of lines and paragraphs, tags, fillers, lone surrogates

Standard output and standard error are each a `VisibleStream` while a command runs: all that is printed
passes through it. Only what draws by escape sequences (`display`) writes to the stream below it, which
`terminal` gives, and makes the text that it draws visible itself.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

STEERING = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
UNSAFE = re.compile(f"[{STEERING}]")
BREAKING = re.compile(f"[\t\n{STEERING}]")


def visible(text: str) -> str:
    """The text with newlines and tabs as they are, and other controls as JSON escapes."""
    return UNSAFE.sub(_escape, text)


def one_line(text: str) -> str:
    """The same of a name or a message that stands in one line: newlines and tabs are escaped too."""
    return BREAKING.sub(_escape, text)


def typable(text: str) -> str:
    """The text without what cannot be seen, as a line editor takes it."""
    return BREAKING.sub("", text)


def _escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"


class VisibleStream:
    """A stream of text whose `write` makes it visible; bytes written to its `buffer` too."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write the text. Returns how many characters of it: all."""
        self.stream.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write one after the other."""
        for line in lines:
            self.write(line)

    @property
    def buffer(self) -> "_Bytes":
        """Takes bytes in UTF-8."""
        return _Bytes(self.stream.buffer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class _Bytes:
    """The same for bytes."""

    def __init__(self, buffer: Any) -> None:
        self.buffer = buffer

    def write(self, data: bytes) -> int:
        self.buffer.write(visible(bytes(data).decode(errors="surrogateescape")).encode())
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.buffer, name)


def terminal(stream: Any) -> Any:
    """The stream itself, for what draws by escape sequences, or writes a file to it."""
    return stream.stream if isinstance(stream, VisibleStream) else stream


@contextmanager
def visible_output() -> Iterator[None]:
    """Standard output and standard error show what is written to them, and obey nothing.

    What is written to a closed one is discarded.
    """
    before = sys.stdout, sys.stderr
    with ExitStack() as opened:
        open_streams = (stream or opened.enter_context(open(os.devnull, "w")) for stream in before)
        sys.stdout, sys.stderr = (VisibleStream(terminal(stream)) for stream in open_streams)
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before
