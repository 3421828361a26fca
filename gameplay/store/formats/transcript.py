"""Othello transcripts: one game per line, `f5d6c3d3c4`; passes may be omitted.

A saved game has its date and players in a comment before it: `# 2026-11-22 ann - bob, Parallel Opening`.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gameplay.errors import BadInput
from gameplay.store.formats.pgn import Sheet, Step

if TYPE_CHECKING:
    from gameplay.games.othello.game import Othello

_HEAD = re.compile(r"# (\d{4}-\d\d-\d\d) (.+?) - (.+?)(?:, (.*))?$")
_SQUARE = re.compile(r"\s*([a-hA-H][1-8]|pass|--|@@)")


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    number = 0
    tags: dict[str, str] = {}
    for at, line in enumerate(lines, 1):
        if head := _HEAD.match(line.rstrip()):
            tags = {"Date": head[1].replace("-", "."), "Black": head[2], "White": head[3]}
            tags |= {"Opening": head[4]} if head[4] else {}
        if not line.strip() or line.startswith("#"):
            continue
        number += 1
        sheet = Sheet(number=number)
        sheet.tags |= tags
        tags = {}
        place = 0
        while square := _SQUARE.match(line, place):
            word = square[1].lower()
            sheet.line.steps.append(Step(word if word[0] in "abcdefghp" else "pass", at=at))
            place = square.end()
        if line[place:].strip():
            rest = line[place:].strip()[:20]
            sheet.problem = f"{name}, line {at}, game {number}: a game reads f5d6c3, not '{rest}'"
        yield sheet


def write(sheet: Sheet) -> str:
    return "".join(word for word in sheet.words if word != "pass") + "\n"


def start_tags(position: "Othello") -> dict[str, str]:
    raise BadInput(f"a transcript begins at the standard position on 8x8 squares, not at {position.text()}")
