"""Positions to be solved, in the formats that collections of them come in, as a `Suite` of single searches.

    .epd   chess: `bm` one of these moves, `am` none of these, `dm` mate in so many moves
    .obf   Othello: every legal move with its exact score; one of the best is to be found

    1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
    --XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; C7:-12; H4:-22;

OBF is the format of the FFO positions: the 64 squares from a1, row by row, and the side to move.
"""

import re
from collections.abc import Callable
from pathlib import Path

from gameplay.errors import BadInput
from gameplay.store import epd, text
from gameplay.suites.suite import Found, Puzzle, Suite
from gameplay.value import MAX_PLY

GAMES = {".epd": "chess", ".obf": "othello"}  # where nobody says which


def read(path: Path) -> tuple[Suite, str, Callable[[str, int], int]]:
    """The suite in a file, as `suite.read` gives it. Raises BadInput, with file and line."""
    try:
        lines = list(text.lines(path))
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    found = _obf(lines, path) if path.suffix.lower() == ".obf" else _epd(lines, path)
    if not found:
        raise BadInput(f"there is no position in {path}")
    suite = Suite(title=path.stem, game=GAMES[path.suffix.lower()], position=[case for case, _ in found])
    return suite, str(path), lambda kind, number: found[number][1]


def _epd(lines: list[str], path: Path) -> list[tuple[Puzzle, int]]:
    found = []
    for entry in epd.read(lines, str(path)):
        wanted = Found(moves=_moves(entry, "bm"), not_moves=_moves(entry, "am"), value=_mate(entry, path))
        if wanted == Found():
            raise BadInput(f"{path}, line {entry.line}: nothing is expected: give bm, am or dm")
        name = entry.first("id") or f"line {entry.line}"
        counters = (
            " 0 1" if entry.position.count(" ") == 3 else ""
        )  # with them it is a FEN, as programs expect
        found.append((Puzzle(name=name, position=entry.position + counters, expect=wanted), entry.line))
    return found


def _moves(entry: epd.EpdLine, opcode: str) -> list[str]:
    return [word.strip(",") for word in entry.operations.get(opcode, [])]


def _mate(entry: epd.EpdLine, path: Path) -> str | None:
    word = entry.first("dm")
    if not word:
        return None
    if not word.isdecimal() or not 1 <= 2 * int(word) - 1 <= MAX_PLY:
        raise BadInput(f"{path}, line {entry.line}: dm is a number of moves to mate, not '{word}'")
    return f"win in {2 * int(word) - 1}"


def _obf(lines: list[str], path: Path) -> list[tuple[Puzzle, int]]:
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith(("#", "%")):
            continue
        position, *parts = [part.strip() for part in line.split(";")]
        scores = {}
        for part in filter(None, parts):
            told = re.fullmatch(r"(\w+)\s*:\s*([+-]?\d+)", part)
            if told is None:
                raise BadInput(f"{path}, line {number}: '{part}' is not a move and its score, as A2:+38")
            scores[told[1]] = int(told[2])
        if not scores:
            raise BadInput(f"{path}, line {number}: nothing is expected: give moves with scores, A2:+38;")
        best = [move for move, score in scores.items() if score == max(scores.values())]
        wanted = Found(moves=best, points=max(scores.values()))
        found.append((Puzzle(name=f"line {number}", position=position, expect=wanted), number))
    return found
