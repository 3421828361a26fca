"""Draughts games in PDN: English, international, Russian and Brazilian, by the tag GameType.

Squares of English draughts may be letters or numbers; other result notations and signs are accepted. A file
without a GameType is English draughts unless it has a square above 32.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from gameplay.errors import BadInput
from gameplay.store.formats import pgn
from gameplay.store.formats.pgn import DRAWN, RESULTS, UNKNOWN, Line, Sheet

if TYPE_CHECKING:
    from gameplay.capabilities import PlaysDraughts
    from gameplay.registry import Game

ENGLISH = "21,B,8,8,N1,0"  # the GameType of English draughts
GAMES = {  # game names by the first number of the GameType
    "20": "draughts",
    "21": "checkers",
    "25": "draughts:variant=russian",
    "26": "draughts:variant=brazilian",
}
COUNTED = RESULTS | {"2-0": "1-0", "0-2": "0-1", "1-1": DRAWN, "0-0": UNKNOWN}
_LETTERED = re.compile(r"[a-h][1-8](?:[-x:][a-h][1-8])+", re.IGNORECASE)
_LETTERED_SQUARE = re.compile("([a-h])([1-8])")


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    for sheet in pgn.read(lines, name, COUNTED):
        kind = _kind(sheet)
        if kind == "21":
            _number(sheet)
        if fen := sheet.tags.get("FEN"):
            sheet.tags["FEN"] = _crown(re.sub(r"\s", "", fen), 50 if kind == "20" else 32)
            if sheet.tags["FEN"].count("K") > fen.count("K"):
                sheet.warnings.append(f"line {sheet.at}: men on their last row are read as kings in {fen}")
        yield sheet


def _kind(sheet: Sheet) -> str:
    """The GameType number of a sheet; by default that of English draughts."""
    if "GameType" in sheet.tags:
        return sheet.tags["GameType"].split(",")[0].strip()
    text = " ".join([sheet.tags.get("FEN", ""), *sheet.words])
    beyond = any(32 < int(number) <= 50 for number in re.findall(r"(?<![0-9])[0-9]{2}(?![0-9])", text))
    return "20" if beyond else "21"


def spec(sheet: Sheet, find: "Callable[[str], Game]") -> str:
    """The game spec of a sheet."""
    return GAMES.get(_kind(sheet), GAMES["21"])


def _number(sheet: Sheet) -> None:
    """Replace squares in letters, `c3-d4`, by numbers, `11-15`.

    a1 is at the left of the side that moves first, or of White: by the GameType (A0, A3), otherwise by
    whether the first move starts in the lower or upper half of the board.
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


def _crown(fen: str, squares: int) -> str:
    """A draughts FEN with men on their last row made kings, as in books of problems."""
    row = 5 if squares == 50 else 4
    fields = []
    for part in fen.split(":"):
        last = {"W": range(1, row + 1), "B": range(squares - row + 1, squares + 1)}.get(part[:1], range(0))
        words = [
            f"K{word}" if word.isdecimal() and int(word) in last else word for word in part[1:].split(",")
        ]
        fields.append(part[:1] + ",".join(words))
    return ":".join(fields)


def write(sheet: Sheet) -> str:
    """The text of a game; the side that moves first depends on its GameType."""
    second = "B" if sheet.tags.get("GameType", ENGLISH).split(",")[1:2] == ["W"] else "W"
    return pgn.write(sheet, lambda fen: move_number(fen, second))


def move_number(fen: str, second: str) -> tuple[int, int]:
    """The number of the first move, and 1 if the side that moves second, W or B, makes it."""
    return 1, int(fen.lstrip()[:1].upper() == second)


def start_tags(position: "PlaysDraughts") -> dict[str, str]:
    return {"SetUp": "1", "FEN": position.fen()}


def game_tags(position: "PlaysDraughts") -> dict[str, str]:
    return {"GameType": position.game_type}


def check(tags: dict[str, str]) -> None:
    """Raise BadInput for an unsupported game."""
    kind = tags.get("GameType", ENGLISH)
    if kind.split(",")[0].strip() not in GAMES:
        expected = "20 international, 21 English, 25 Russian, 26 Brazilian draughts"
        raise BadInput(f"GameType '{kind}' is not supported; expected {expected}")


def prepare(sheet: Sheet, position: "PlaysDraughts") -> None:
    """Raise BadInput if a sheet's game is not the position's."""
    kind = sheet.tags.get("GameType", position.game_type)
    if kind.split(",")[0].strip() != position.game_type.split(",")[0]:
        raise BadInput(f"GameType '{kind}' is another game; expected '{position.game_type}'")


def respell(word: str) -> str:
    """An alternative spelling of a move: `10:14` captures; old files have 10x14 for moves without capture, or
    15-24.
    """
    if ":" in word:
        return word.replace(":", "x")
    return word.replace("-", "x") if "-" in word else word.replace("x", "-")
