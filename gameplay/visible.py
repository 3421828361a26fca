"""Escapes control characters in untrusted text, so that it cannot control the terminal.

File names, names in files, moves of tree files, output of engines and messages of user code may hold escape
sequences. `visible` replaces each such character by its JSON escape (`\\u001b`), which keeps its meaning
within a JSON document. Replaced are

    controls       C0 except newline and tab, DEL, C1
    directions     marks, embeddings, overrides and isolates that reorder a line
    invisible      zero-width characters, separators of lines and paragraphs, tags, fillers, lone surrogates

While a command runs, standard output and standard error are each a `VisibleStream`. Only `display`, which
draws by escape sequences, writes to the stream below it (`terminal`) and escapes the text that it draws.
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
    """Escape all control characters except newlines and tabs."""
    return UNSAFE.sub(_escape, text)


def one_line(text: str) -> str:
    """Escape all control characters, including newlines and tabs."""
    return BREAKING.sub(_escape, text)


def typable(text: str) -> str:
    """Remove all control characters: the text as a line editor accepts it."""
    return BREAKING.sub("", text)


def _escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"


class VisibleStream:
    """A text stream that escapes control characters; bytes written to its `buffer` too."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write the text, escaped. Returns its length, unescaped."""
        self.stream.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each line, escaped."""
        for line in lines:
            self.write(line)

    @property
    def buffer(self) -> "_Bytes":
        """The binary stream below; it takes UTF-8."""
        return _Bytes(self.stream.buffer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class _Bytes:
    """A binary stream that escapes control characters."""

    def __init__(self, buffer: Any) -> None:
        self.buffer = buffer

    def write(self, data: bytes) -> int:
        self.buffer.write(visible(bytes(data).decode(errors="surrogateescape")).encode())
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.buffer, name)


def terminal(stream: Any) -> Any:
    """The stream below a `VisibleStream`, for escape sequences and for files."""
    return stream.stream if isinstance(stream, VisibleStream) else stream


def escape_output() -> None:
    """Escape standard output and standard error until the process ends."""
    sys.stdout, sys.stderr = (
        stream if stream is None else VisibleStream(terminal(stream)) for stream in (sys.stdout, sys.stderr)
    )


@contextmanager
def visible_output() -> Iterator[None]:
    """A context that escapes standard output and standard error, and drops output to a closed one."""
    before = sys.stdout, sys.stderr
    with ExitStack() as opened:
        open_streams = (stream or opened.enter_context(open(os.devnull, "w")) for stream in before)
        sys.stdout, sys.stderr = (VisibleStream(terminal(stream)) for stream in open_streams)
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before
