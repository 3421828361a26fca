"""Scrabble move notation."""

import re
from collections.abc import Sequence

from gameplay.errors import IllegalMove
from gameplay.games.scrabble.layout import AREA, BLANK, SIDE
from gameplay.games.scrabble.placement import Play
from gameplay.games.scrabble.tiles import letter

_PLACE = re.compile(r"(?:(\d\d?)([A-Oa-o])|([A-Oa-o])(\d\d?))", re.ASCII)
_WORD = re.compile(r"[A-Za-z.]+", re.ASCII)


def format_place(play: Play) -> str:
    """The start of a play: the row first for an across play."""
    row, column = str(play.start // SIDE + 1), chr(65 + play.start % SIDE)
    return column + row if play.down else row + column


def format_play(play: Play) -> str:
    """A play as one word, `8H:WoRD`: blanks from the rack are lower-case."""
    laid = dict(play.laid)
    step = SIDE if play.down else 1
    word = [
        letter(tile if play.start + index * step in laid else tile & 31)
        for index, tile in enumerate(play.tiles)
    ]
    return f"{format_place(play)}:{''.join(word)}"


def parse_play(text: str, words: Sequence[str]) -> tuple[int, int, str]:
    """Parse a play: its direction (true: down), first cell and word. Raises IllegalMove."""
    match = _PLACE.fullmatch(words[0]) if len(words) == 2 else None
    if not match or not _WORD.fullmatch(words[1]) or not 1 <= int(match[1] or match[4]) <= SIDE:
        raise IllegalMove(
            f"'{text.strip()[:40]}' is not a move: write the square and the word, as in 8H:WORD or H8:WORD "
            "(down); -ABC exchanges, - passes"
        )
    down = int(match[1] is None)
    cell = (int(match[1] or match[4]) - 1) * SIDE + ord((match[2] or match[3]).upper()) - 65
    return down, cell, words[1]


def parse_tiles(word: str, cells: bytes, down: int, start: int, rack: Sequence[int]) -> bytes:
    """The tiles of a word; a dot stands for a tile on the board.

    In words of one case, letters missing from the rack are blanks; two lower-case letters are two blanks
    if the rack has them.
    """
    natural_tiles = [0 if letter_text == "." else ord(letter_text.upper()) - 64 for letter_text in word]
    both_blanks = word.islower() and len(word) == rack.count(0) == 2
    if both_blanks or not (word.islower() or word.isupper()):
        return bytes(
            tile | (BLANK if letter_text.islower() else 0)
            for tile, letter_text in zip(natural_tiles, word, strict=True)
        )
    step = SIDE if down else 1
    remaining, result = list(rack), bytearray(natural_tiles)
    for index, tile in enumerate(natural_tiles):
        cell = start + index * step
        if cell < AREA and not cells[cell] and tile:
            if tile in remaining:
                remaining.remove(tile)
            else:
                result[index] |= BLANK
    return bytes(result)
