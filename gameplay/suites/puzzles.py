"""Reads collections of test positions as a `Suite` of single searches.

    .epd   chess: `bm` one of these moves, `am` none of these, `dm` mate in n moves
    .obf   Othello: every legal move with its exact score; expects one of the best

    1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
    --XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; C7:-12; H4:-22;

OBF is the format of the FFO positions: the 64 squares from a1, row by row, and the side to move.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gameplay import file_io
from gameplay.errors import BadInput
from gameplay.store.formats import epd, text
from gameplay.suites.suite import BrokenLine, Found, Puzzle, Suite
from gameplay.value import MAX_PLY

GAMES = {".epd": "chess", ".obf": "othello"}  # the default game of a file type


def read(path: Path) -> tuple[Suite, str, Callable[[str, int], int]]:
    """The suite in a file, as returned by `suite.read`; an invalid line becomes a `BrokenLine`.
    Raises BadInput for an unreadable or empty file.
    """
    try:
        lines = list(text.lines(path))
    except OSError as error:
        raise BadInput(file_io.unreadable(path, error)) from None
    obf = path.suffix.lower() == ".obf"
    cases: list[tuple[Any, int]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith(("#", "%")):
            continue
        try:
            cases.append((_obf(line, number) if obf else _epd(line, number), number))
        except BadInput as error:
            cases.append((BrokenLine(name=f"line {number}", why=str(error)), number))
    if not cases:
        raise BadInput(f"{path} contains no positions")
    suite = Suite(title=path.stem, game=GAMES[path.suffix.lower()], position=[case for case, _ in cases])
    return suite, str(path), lambda kind, number: cases[number][1]


def _epd(line: str, number: int) -> Puzzle:
    entry = epd.parse(line, number=number)
    expected = Found(moves=_moves(entry, "bm"), not_moves=_moves(entry, "am"), value=_mate(entry))
    if expected == Found():
        raise BadInput("nothing is expected: give bm, am or dm")
    counters = " 0 1" if entry.position.count(" ") == 3 else ""  # make it a FEN, as programs expect
    name = entry.first("id") or f"line {number}"
    return Puzzle(name=name, position=entry.position + counters, expect=expected)


def _moves(entry: epd.EpdLine, opcode: str) -> list[str]:
    return [word.strip(",") for word in entry.operations.get(opcode, [])]


def _mate(entry: epd.EpdLine) -> str | None:
    word = entry.first("dm")
    if not word:
        return None
    if not word.isdecimal() or not 1 <= 2 * int(word) - 1 <= MAX_PLY:
        raise BadInput(f"dm expects a number of moves to mate, not '{word}'")
    return f"win in {2 * int(word) - 1}"


def _obf(line: str, number: int) -> Puzzle:
    position, *parts = [part.strip() for part in line.split(";")]
    scores = {}
    for part in filter(None, parts):
        matched = re.fullmatch(r"(\w+)\s*:\s*([+-]?\d+)", part)
        if matched is None:
            raise BadInput(f"'{part}' is not a move with its score such as A2:+38")
        scores[matched[1]] = int(matched[2])
    if not scores:
        raise BadInput("nothing is expected: give moves with scores, A2:+38;")
    best = [move for move, score in scores.items() if score == max(scores.values())]
    expected = Found(moves=best, points=max(scores.values()))
    return Puzzle(name=f"line {number}", position=position, expect=expected)
