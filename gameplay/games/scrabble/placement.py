"""Placement of a Scrabble word: legality, the words formed, and the score."""

from collections.abc import Sequence
from typing import NamedTuple

from gameplay.errors import IllegalMove
from gameplay.games.scrabble.layout import AREA, BLANK, CENTRE, RACK, SIDE
from gameplay.games.scrabble.tiles import KINDS, LETTER, WORD, cell_name, points, spell

BINGO = 50  # points for laying a whole rack
PHONY = 1 << 31  # the first move of plays with unlisted words


class Play(NamedTuple):
    """A word placed on the board, and all words it forms."""

    down: int
    start: int  # its first cell
    tiles: bytes  # of the whole word, including those on the board
    laid: tuple[tuple[int, int], ...]  # cells, and tiles from the rack
    words: tuple[bytes, ...]  # all words formed, as letters; the main word first
    score: int


def place_word(cells: bytes, down: int, start: int, tiles: bytes) -> Play:
    """Place a word; cells that hold a tile keep it.

    Raises IllegalMove if it does not fit. Words are not checked against the list.
    """
    step, across = (SIDE, 1) if down else (1, SIDE)
    row, column = divmod(start, SIDE)
    offset = row if down else column
    word = spell(tiles)
    if len(tiles) < 2:
        raise IllegalMove(f"'{word}': a word has two letters or more")
    if offset + len(tiles) > SIDE:
        raise IllegalMove(f"'{word}' does not fit: there are {SIDE - offset} squares from there on")
    if (offset and cells[start - step]) or (offset + len(tiles) < SIDE and cells[start + len(tiles) * step]):
        raise IllegalMove(f"'{word}' is not the whole word: there are more tiles before or behind it")
    word_tiles, laid, words = bytearray(tiles), [], []
    total = crossing = 0
    multiplier, joins = 1, not any(cells)
    for number, tile in enumerate(tiles):
        cell = start + number * step
        board_tile = cells[cell]
        if board_tile:
            if tile & 31 not in (board_tile & 31, 0):
                raise IllegalMove(
                    f"'{word}' does not fit: there is {KINDS[board_tile & 31]} on {cell_name(cell)}"
                )
            word_tiles[number] = board_tile
            total += points(board_tile)
            joins = True
            continue
        if not tile:
            raise IllegalMove(f"'{word}': there is no tile on {cell_name(cell)}, where the dot is")
        value = points(tile) * LETTER[cell]
        laid.append((cell, tile))
        total += value
        multiplier *= WORD[cell]
        before, after = adjacent_tiles(cells, cell, across, -1), adjacent_tiles(cells, cell, across, 1)
        if before or after:
            joins = True
            crossing += (sum(map(points, before + after)) + value) * WORD[cell]
            words.append(bytes(letter & 31 for letter in (*before[::-1], tile, *after)))
    if not laid:
        raise IllegalMove(f"'{word}' lies there already: lay a tile at least")
    if not joins:
        raise IllegalMove(f"'{word}' touches no tile on the board")
    if not any(cells) and CENTRE not in dict(laid):
        raise IllegalMove(f"'{word}' does not cover the middle, {cell_name(CENTRE)}, as the first word must")
    score = total * multiplier + crossing + (BINGO if len(laid) == RACK else 0)
    words.insert(0, bytes(letter & 31 for letter in word_tiles))
    return Play(down, start, bytes(word_tiles), tuple(laid), tuple(words), score)


def adjacent_tiles(cells: bytes, cell: int, step: int, direction: int) -> list[int]:
    """The run of tiles next to a cell; step: 1 in a row, 15 in a column; direction: 1 or -1."""
    run = []
    offset = cell // SIDE if step == SIDE else cell % SIDE
    while 0 <= offset + direction < SIDE and cells[cell + direction * step]:
        cell += direction * step
        offset += direction
        run.append(cells[cell])
    return run


def has_tiles(rack: Sequence[int], play: Play) -> bool:
    """True if a rack has the tiles of a play."""
    remaining = list(rack)
    for _, tile in play.laid:
        kind = 0 if tile & BLANK else tile
        if kind not in remaining:
            return False
        remaining.remove(kind)
    return True


def encode_phony(play: Play) -> int:
    """The move of a play with unlisted words: its length, 6 bits a tile, and its start."""
    code = 2 * play.start + play.down
    for tile in play.tiles:
        code = code << 6 | tile
    return PHONY + (code << 4 | len(play.tiles))


def decode_phony(move: int) -> tuple[int, int, bytes]:
    """The inverse of `encode_phony`. Raises IllegalMove for other letters or cells off the board."""
    count, rest = (move - PHONY) % 16, (move - PHONY) // 16
    tiles = bytes([rest >> 6 * index & 63 for index in reversed(range(count))])
    start_and_direction = rest >> 6 * count
    if start_and_direction >> 1 >= AREA or not all(1 <= tile & 31 < len(KINDS) for tile in tiles):
        raise IllegalMove(f"{move} is not a move")
    return start_and_direction & 1, start_and_direction >> 1, tiles
