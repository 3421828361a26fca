"""Chess attack tables against an independent walk over the board."""

from random import Random
from zlib import crc32

import pytest

from gameplay.games.chess import attacks as module
from gameplay.games.chess.attacks import _BISHOP_MAGIC, _ROOK_MAGIC, attacks
from gameplay.kernel import compiled

LINES = [(0, 1), (1, 0), (0, -1), (-1, 0)]
SLANTS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(1, 2), (2, 1), (-1, 2), (2, -1), (1, -2), (-2, 1), (-1, -2), (-2, -1)]
STEPS = {"N": LEAPS, "K": LINES + SLANTS, "R": LINES, "B": SLANTS, "Q": LINES + SLANTS}


def walk(piece, square, occupied=0, colour=0):
    """The squares attacked, as a set of (file, rank)."""
    steps = [(1, -1 if colour else 1), (-1, -1 if colour else 1)] if piece == "P" else STEPS[piece]
    results = set()
    for across, up in steps:
        file, rank = square % 8 + across, square // 8 + up
        while 0 <= file < 8 and 0 <= rank < 8:
            results.add((file, rank))
            if piece in "PNK" or occupied >> (8 * rank + file) & 1:
                break
            file, rank = file + across, rank + up
    return results


def squares(bits):
    return {(i % 8, i // 8) for i in range(64) if bits >> i & 1}


@pytest.mark.parametrize("piece", "PNBRQK")
def test_attacks(piece):
    rng = Random(piece)
    for square in range(64):
        for colour in (0, 1):
            assert squares(attacks(piece, square, 0, colour)) == walk(piece, square, 0, colour)
        for _ in range(20):
            occupied = rng.getrandbits(64) & rng.getrandbits(64)
            assert squares(attacks(piece, square, occupied)) == walk(piece, square, occupied)


@pytest.mark.parametrize("piece", "RB")
def test_slider_attacks_for_all_occupancies(piece):
    """A wrong magic number fails for few occupancies: all of them, from three squares."""
    for square in (0, 27, 62):
        cells = [8 * rank + file for file, rank in walk(piece, square)]
        for number in range(1 << len(cells)):
            if number % (3 if len(cells) < 14 else 17) == 0:
                occupied = sum([1 << cell for i, cell in enumerate(cells) if number >> i & 1])
                assert squares(attacks(piece, square, occupied)) == walk(piece, square, occupied)


def test_magic_numbers_are_free_of_collisions():
    """For all occupancies: a wrong number may fail for few of them."""
    assert [(len(numbers), crc32(repr(numbers).encode())) for numbers in (_ROOK_MAGIC, _BISHOP_MAGIC)] == [
        (64, 2350189723),
        (64, 2584668592),
    ]


@pytest.mark.skipif(compiled(), reason="compiled, they are functions of C")
def test_lines_through_two_squares():
    """The squares strictly between, and the whole line; none for squares on no common line."""
    for a in range(64):
        lines = {}
        for across, up in LINES + SLANTS:
            there = list(ray(a, across, up))
            whole = {(a % 8, a // 8), *there, *ray(a, -across, -up)}
            for number, (file, rank) in enumerate(there):
                lines[8 * rank + file] = set(there[:number]), whole
        for b in range(64):
            near, whole = lines.get(b, (set(), set()))
            assert squares(module.between(a, b)) == near and squares(module.through(a, b)) == whole


def ray(square, across, up):
    """The squares in a direction, the nearest first."""
    file, rank = square % 8 + across, square // 8 + up
    while 0 <= file < 8 and 0 <= rank < 8:
        yield file, rank
        file, rank = file + across, rank + up
