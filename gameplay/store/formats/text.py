"""Text files of other programs, with any line ending and common encoding.

Reads UTF-8, UTF-16 and UTF-32, with or without a byte order mark, and Windows-1252, which includes the
printable characters of Latin-1. Byte 0x1A, the end-of-file mark of DOS, is skipped.
"""

import codecs
import io
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from gameplay import file_io
from gameplay.errors import BadInput

LONGEST_LINE = 20_000_000  # characters, including the line ending

MARKS = {  # byte order marks; that of UTF-32 begins with that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def wide(data: bytes) -> str:
    """The encoding of a file with this beginning, if UTF-16 or UTF-32; otherwise an empty string."""
    for mark, name in MARKS.items():
        if data.startswith(mark):
            return name
    if len(data) > 3 and data[:4].count(0) == 2:  # two characters of ASCII
        return "utf-16-be" if data[:4:2] == b"\0\0" else "utf-16-le" if data[1:4:2] == b"\0\0" else ""
    return ""


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file without line endings.

    A line that is not UTF-8 is read as Windows-1252. Raises BadInput if the file is not text, OSError if it
    cannot be read.
    """
    with file_io.open_file(path) as file:
        encoding = wide(file.read(4))
        file.seek(0)
        if encoding:
            yield from _wide_lines(file, path, encoding)
            return
        for number, raw in enumerate(iter(partial(file.readline, LONGEST_LINE), b"")):
            check_length(raw, path, number)
            if b"\0" in raw:
                raise BadInput(f"{path} is not a text file: line {number + 1} has a zero byte")
            if number == 0:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            raw = raw.removesuffix(b"\n").removesuffix(b"\r")
            if b"\x1a" in raw:
                raw = raw.replace(b"\x1a", b"")
            for part in re.split(rb"\r", raw) if b"\r" in raw else (raw,):
                yield narrow(part)


def check_length(line: str | bytes, path: Path, number: int) -> None:
    """Raise BadInput if a line is too long; number: of lines before it."""
    if len(line) == LONGEST_LINE:
        raise BadInput(f"{path}, line {number + 1}: longer than {LONGEST_LINE:,} characters")


def narrow(data: bytes) -> str:
    """Decode as UTF-8, or else as Windows-1252."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def _wide_lines(file: BinaryIO, path: Path, encoding: str) -> Iterator[str]:
    number = 0
    try:
        reader = io.TextIOWrapper(file, encoding=encoding, newline=None)
        for number, line in enumerate(iter(partial(reader.readline, LONGEST_LINE), ""), 1):
            check_length(line, path, number - 1)
            line = line.removesuffix("\n").replace("\x1a", "")
            yield line.removeprefix("\ufeff") if number == 1 else line
    except UnicodeError as error:
        reason = getattr(error, "reason", error)
        raise BadInput(
            f"{path} is not a text file: line {number + 1} is not {encoding.upper()}: {reason}"
        ) from None
