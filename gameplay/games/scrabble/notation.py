"""Plays of Scrabble as people write them."""

import re
from collections.abc import Sequence

from gameplay.errors import IllegalMove
from gameplay.games.scrabble.layout import AREA, BLANK, SIDE
from gameplay.games.scrabble.placement import Play
from gameplay.games.scrabble.tiles import letter

_PLACE = re.compile(r"(?:(\d\d?)([A-Oa-o])|([A-Oa-o])(\d\d?))", re.ASCII)
_WORD = re.compile(r"[A-Za-z.]+", re.ASCII)


def place(play: Play) -> str:
    """Where a play begins: the row first if it goes to the right."""
    row, column = str(play.start // SIDE + 1), chr(65 + play.start % SIDE)
    return column + row if play.down else row + column


def written(play: Play) -> str:
    """A play as one word, `8H:WoRD`: letters of blanks are small, but for those that lay there already."""
    laid = dict(play.laid)
    step = SIDE if play.down else 1
    word = [
        letter(tile if play.start + at * step in laid else tile & 31) for at, tile in enumerate(play.tiles)
    ]
    return f"{place(play)}:{''.join(word)}"


def read(text: str, words: Sequence[str]) -> tuple[int, int, str]:
    """Whether a play goes down, its first cell, its word; `words` are those of `text`. Raises IllegalMove."""
    found = _PLACE.fullmatch(words[0]) if len(words) == 2 else None
    if not found or not _WORD.fullmatch(words[1]) or not 1 <= int(found[1] or found[4]) <= SIDE:
        raise IllegalMove(
            f"'{text.strip()[:40]}' is not a move: say where and what, as 8H:WORD or H8:WORD (down); "
            "-ABC exchanges, - passes"
        )
    down = int(found[1] is None)
    cell = (int(found[1] or found[4]) - 1) * SIDE + ord((found[2] or found[3]).upper()) - 65
    return down, cell, words[1]


def tiles(word: str, cells: bytes, down: int, start: int, rack: Sequence[int]) -> bytes:
    """The tiles of a word that is laid from a rack, a dot for one on the board.

    In small letters alone, or capitals alone, blanks are what the rack does not have; two small letters
    are two blanks, if there are two.
    """
    plain = [0 if one == "." else ord(one.upper()) - 64 for one in word]
    both = word.islower() and len(word) == rack.count(0) == 2
    if both or not (word.islower() or word.isupper()):
        return bytes(tile | (BLANK if one.islower() else 0) for tile, one in zip(plain, word, strict=True))
    step = SIDE if down else 1
    left, found = list(rack), bytearray(plain)
    for at, tile in enumerate(plain):
        cell = start + at * step
        if cell < AREA and not cells[cell] and tile:
            if tile in left:
                left.remove(tile)
            else:
                found[at] |= BLANK
    return bytes(found)
