"""Boards and racks of Scrabble, and a plain generator of plays."""

from pathlib import Path
from random import Random
from typing import Any

from gameplay.games.scrabble.game import Layout, Scrabble
from gameplay.games.scrabble.layout import AREA
from gameplay.games.scrabble.tiles import KINDS
from gameplay.position import CHANCE
from tests.support.paths import TESTS

FEW = str(TESTS / "answers" / "few_words.txt")


def tiles(text: str) -> bytes:
    """A rack of these letters."""
    return bytes(sorted(KINDS.index(letter) for letter in text))


def position_of(
    rows: dict[int, str] | None = None, racks: tuple[str, ...] = ("", ""), **given: Any
) -> Scrabble:
    """A position with some rows of the board, from 1; dots are empty, small letters blanks."""
    position = Scrabble(len(racks), **given)
    cells = bytearray(AREA)
    for row, line in (rows or {}).items():
        for column, letter in enumerate(line):
            if letter != ".":
                cells[15 * row - 15 + column] = KINDS.index(letter.upper()) + 32 * letter.islower()
    held = tuple(map(tiles, racks))
    position.state = Layout(bytes(cells), held, (0,) * len(racks), 0)
    position.turn = 0
    return position


def empty_bag(position: Scrabble) -> Scrabble:
    """The same position with all unused tiles on isolated squares."""
    position.bag_size = lambda: 0
    return position


def random_position(seed: int, turns: int, **given: Any) -> Scrabble:
    """A game after this number of turns, each among the five top-ranked moves."""
    position, rng = Scrabble(**given), Random(seed)
    while position.outcome() is None and (turns or position.turn == CHANCE):
        if position.turn == CHANCE:
            position.make(rng.choices(position.moves(), position.chances())[0])
        else:
            position.make(rng.choice(position.top_moves(5))[0])
            turns -= 1
    return position


def word_list(path: str) -> list[str]:
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    return [line.upper() for line in lines if line and not line.startswith("#")]
