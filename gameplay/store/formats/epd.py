"""Positions with operations, one a line (EPD): what test suites, perft tables and books of openings use.

    1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
    '------------------- position ------------------' '------ operations ------'

An operation is a word (`bm` best moves, `am` moves to avoid, `id` a name, `dm` mate in so many moves, `acd`
and `ce` depth and centipawns of an analysis, `D3` or `perft3` leaves at depth 3) and what belongs to it, to
the semicolon; text in quotes is one word, in which a backslash stands before quotes and backslashes. Real
files also write a FEN with both of its counters, put the semicolon in front (`;D1 20 ;D2 400`) and leave out
the last; all of that is read.
Source: S. Edwards, Portable Game Notation Specification and Implementation Guide (1994), section 16.2.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gameplay.errors import BadInput

_WORD = re.compile(
    r'\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*+)"|"(?P<plain>[^"]*)"|(?P<word>[^\s;"]+)|(?P<end>;)|(?P<wrong>\S))'
)
_OPCODE = re.compile(r"[A-Za-z]\w*$")


@dataclass(frozen=True)
class EpdLine:
    """A position in the game's own notation, its operations in their order, and the line they were in."""

    position: str
    operations: dict[str, list[str]]
    line: int  # of the file; 0: of none

    def first(self, opcode: str, default: str = "") -> str:
        """The first word that belongs to an operation."""
        return next(iter(self.operations.get(opcode, [])), default)


def read(lines: Iterable[str], name: str) -> Iterator[EpdLine]:
    """The entries of a file as they are asked for, without blank lines and those that begin with `#` or `%`.

    Raises BadInput, naming `name` and the line, for one that is wrong. Whether a position is one of the game
    is not asked here.
    """
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith(("#", "%")):
            yield parse(line, f"{name}, line {number}", number)


def parse(line: str, where: str = "EPD", number: int = 0) -> EpdLine:
    """The entry in one line. Raises BadInput, beginning with `where`."""
    fields, rest = _position(line)
    if not fields:
        raise BadInput(f"{where}: there is no position")
    if "/" in fields[0] and len(fields) < 4:
        raise BadInput(f"{where}: a board of rows is followed by side to move, castling and en passant")
    operations: dict[str, list[str]] = {}
    operands: list[str] | None = None  # of the operation that is open
    for token in _WORD.finditer(rest.rstrip()):
        kind, word = token.lastgroup or "", token[token.lastgroup or 0]
        if kind == "quoted":
            word = re.sub(r'\\(["\\])', r"\1", word)
        if kind == "wrong":
            raise BadInput(f"{where}: a quotation mark is not closed")
        if kind == "end":
            operands = None
        elif operands is not None:
            operands.append(word)
        elif kind == "word" and _OPCODE.match(word):
            operands = operations.setdefault(word, [])
        elif word != "-":
            shown = token[0].strip()[:40]
            raise BadInput(f"{where}: '{shown}' is not the name of an operation, like bm or id")
    if len(fields) == 4 and "hmvc" in operations and "fmvn" in operations:
        counters = (operations["hmvc"] or ["0"])[0], (operations["fmvn"] or ["1"])[0]
        for opcode, count in zip(("hmvc", "fmvn"), counters, strict=True):
            if not count.isdecimal():  # the position could not be separated from what follows
                raise BadInput(f"{where}: {opcode} is a number of moves, not '{count}'")
        fields += counters
    return EpdLine(" ".join(fields), operations, number)


def _position(line: str) -> tuple[list[str], str]:
    """The fields of the position, and the rest of the line.

    Rows divided by `/` are a chess board, with three fields more, or five if both are numbers; any other
    position is one word.
    """
    words = line.partition(";")[0].split()
    if not words or "/" not in words[0]:
        count = len(words[:1])
    else:
        count = 6 if len(words) > 5 and words[4].isdecimal() and words[5].isdecimal() else 4
    return words[:count], re.sub(r"\s*[^\s;]+", "", line, count=count)


def write(entry: EpdLine) -> str:
    """The line of an entry, without its end. `parse` gives it back."""
    parts = [entry.position]
    for opcode, operands in entry.operations.items():
        shown = [
            _quoted(word) if opcode == "id" or re.search(r'[\s;"]|^$', word) else word for word in operands
        ]
        parts.append(" ".join([opcode, *shown]) + ";")
    return " ".join(parts)


def _quoted(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
