"""Extended Position Description (EPD): positions with operations, one per line, as in test suites.

    1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
    '------------------- position ------------------' '------ operations ------'

An operation is an opcode (`bm` best moves, `am` moves to avoid, `id` a name, `dm` mate in n moves, `acd`
and `ce` depth and centipawns of an analysis, `D3` or `perft3` leaves at depth 3) with its operands, up to the
semicolon; quoted text is one operand, with quotes and backslashes escaped by a backslash. Files in use also
have a full FEN with both counters, put the semicolon first (`;D1 20 ;D2 400`) or omit the last one; all are
read. Source: S. Edwards, Portable Game Notation Specification and Implementation Guide (1994), section 16.2.
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
    """A position in the game's notation, its operations in order, and its line number."""

    position: str
    operations: dict[str, list[str]]
    line: int  # in the file; 0: not from a file

    def first(self, opcode: str, default: str = "") -> str:
        """The first operand of an operation."""
        return next(iter(self.operations.get(opcode, [])), default)


def read(lines: Iterable[str], name: str) -> Iterator[EpdLine]:
    """Yield the entries of a file, skipping blank lines and lines that begin with `#` or `%`.
    Raises BadInput, with `name` and the line, for an invalid one. Positions are not validated here.
    """
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith(("#", "%")):
            yield parse(line, f"{name}, line {number}", number)


def parse(line: str, where: str = "EPD", number: int = 0) -> EpdLine:
    """Parse one line. Raises BadInput, beginning with `where`."""
    fields, rest = _position(line)
    if not fields:
        raise BadInput(f"{where}: there is no position")
    if "/" in fields[0] and len(fields) < 4:
        raise BadInput(f"{where}: expected side to move, castling and en passant after the board")
    operations: dict[str, list[str]] = {}
    operands: list[str] | None = None  # of the current operation
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
            raise BadInput(f"{where}: '{shown}' is not an opcode such as bm or id")
    if len(fields) == 4 and "hmvc" in operations and "fmvn" in operations:
        counters = (operations["hmvc"] or ["0"])[0], (operations["fmvn"] or ["1"])[0]
        for opcode, count in zip(("hmvc", "fmvn"), counters, strict=True):
            if not count.isdecimal():  # the end of the position was ambiguous
                raise BadInput(f"{where}: {opcode} expects a number of moves, not '{count}'")
        fields += counters
    return EpdLine(" ".join(fields), operations, number)


def _position(line: str) -> tuple[list[str], str]:
    """The fields of the position, and the rest of the line.
    Ranks separated by `/` are a chess board, followed by three fields, or by five if the last two are
    numbers; any other position is one word.
    """
    words = line.partition(";")[0].split()
    if not words or "/" not in words[0]:
        count = len(words[:1])
    else:
        count = 6 if len(words) > 5 and words[4].isdecimal() and words[5].isdecimal() else 4
    return words[:count], re.sub(r"\s*[^\s;]+", "", line, count=count)


def write(entry: EpdLine) -> str:
    """The line of an entry, without a line end; the inverse of `parse`."""
    parts = [entry.position]
    for opcode, operands in entry.operations.items():
        shown = [
            _quote(word) if opcode == "id" or re.search(r'[\s;"]|^$', word) else word for word in operands
        ]
        parts.append(" ".join([opcode, *shown]) + ";")
    return " ".join(parts)


def _quote(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
