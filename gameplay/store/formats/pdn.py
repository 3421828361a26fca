"""Games of English draughts in PDN: squares in letters or numbers, other results and signs."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gameplay.errors import BadInput
from gameplay.store.formats import pgn
from gameplay.store.formats.pgn import DRAWN, RESULTS, UNKNOWN, Line, Sheet

if TYPE_CHECKING:
    from gameplay.games.checkers.game import Checkers

ENGLISH = "21,B,8,8,N1,0"  # the GameType of English draughts
COUNTED = RESULTS | {"2-0": "1-0", "0-2": "0-1", "1-1": DRAWN, "0-0": UNKNOWN}
_LETTERED = re.compile(r"[a-h][1-8](?:[-x:][a-h][1-8])+", re.IGNORECASE)
_LETTERED_SQUARE = re.compile("([a-h])([1-8])")


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    for sheet in pgn.read(lines, name, COUNTED):
        _number(sheet)
        if fen := sheet.tags.get("FEN"):
            sheet.tags["FEN"] = _crowned(re.sub(r"\s", "", fen))
            if sheet.tags["FEN"].count("K") > fen.count("K"):
                sheet.warnings.append(f"line {sheet.at}: men on their last row are read as kings in {fen}")
        yield sheet


def _number(sheet: Sheet) -> None:
    """Replace squares in letters, `c3-d4`, by numbers, `11-15`.

    The side that moves first has a1 at its left, or White has: the GameType decides (A0, A3), else the first
    move, which starts in the lower half of the board or in the upper one.
    """
    notation = sheet.tags.get("GameType", "").split(",")[4:5]
    first = next((word for word in sheet.words if _LETTERED.fullmatch(word)), "a1")
    turned = notation == ["A3"] or (notation != ["A0"] and "FEN" not in sheet.tags and first[1] > "4")

    def number(square: re.Match[str]) -> str:
        column, row = ord(square[1]) - ord("a"), int(square[2]) - 1
        if (column + row) % 2:
            return square[0]  # a light square
        return str(29 - 4 * row + column // 2 if turned else 1 + 4 * row + (7 - column) // 2)

    if notation and notation[0].startswith("A") and sheet.tags["GameType"].startswith("21,"):
        sheet.tags["GameType"] = ENGLISH
    if fen := sheet.tags.get("FEN"):
        sheet.tags["FEN"] = _LETTERED_SQUARE.sub(number, fen)
    lines = [sheet.line]
    while lines:
        line = lines.pop()
        for step in line.steps:
            if _LETTERED.fullmatch(step.word):
                step.word = _LETTERED_SQUARE.sub(number, step.word.lower())
            lines += [note for note in step.notes if isinstance(note, Line)]


def _crowned(fen: str) -> str:
    """A FEN of draughts in which men on their last row are kings, as books of problems set them up."""
    fields = []
    for part in fen.split(":"):
        last = {"W": range(1, 5), "B": range(29, 33)}.get(part[:1], range(0))
        words = [
            f"K{word}" if word.isdecimal() and int(word) in last else word for word in part[1:].split(",")
        ]
        fields.append(part[:1] + ",".join(words))
    return ":".join(fields)


def begins(fen: str) -> tuple[int, int]:
    return 1, int(fen.lstrip()[:1].upper() == "W")


def tags(position: "Checkers") -> dict[str, str]:
    return {"SetUp": "1", "FEN": position.fen()}


def check(tags: dict[str, str]) -> None:
    kind = tags.get("GameType", ENGLISH)
    if kind.split(",")[0].strip() != "21":
        raise BadInput(f"GameType '{kind}' is not English draughts, which is 21")


def respell(word: str) -> str:
    """Another spelling of a move: `10:14` takes; old files write 10x14 where nothing is taken, or 15-24."""
    if ":" in word:
        return word.replace(":", "x")
    return word.replace("-", "x") if "-" in word else word.replace("x", "-")
