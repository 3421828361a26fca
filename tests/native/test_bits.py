"""Bit sets, numbered sets and flipped discs in plain Python, against counting square by square."""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from random import Random

import pytest

from gameplay.games.othello import discs
from gameplay.kernel import compiled
from gameplay.native import bits, subsets

plain = pytest.mark.skipif(compiled(), reason="compiled, they are functions of C")

LINES = ((0, 1), (1, 0), (1, 1), (1, -1))  # of a board of Othello: down, right
RAYS = LINES + tuple((-down, -right) for down, right in LINES)


def numbers(rng: Random, size: int, count: int) -> Iterator[int]:
    """Sparse and dense sets of bits."""
    for number in range(count):
        index = rng.getrandbits(size)
        yield index & rng.getrandbits(size) if number % 3 == 0 else index | rng.getrandbits(size)


def test_counts_and_ends() -> None:
    for x in (1, 2, 3, 40, 96, 1 << 63, (1 << 63) + 1, (1 << 100) + 8):
        places = [i for i in range(101) if x >> i & 1]
        assert (bits.popcount(x), bits.lowest(x), bits.highest(x)) == (len(places), places[0], places[-1])
    assert bits.popcount(0) == 0


def test_bit_runs_and_their_missing_cells() -> None:
    rng = Random(3)
    for p in numbers(rng, 30, 12):
        for step in (1, 3, 7):
            for length in range(1, 8):

                def is_set(at: int, p: int = p) -> bool:
                    return bool(at >= 0 and p >> at & 1)

                every = [[low + i * step for i in range(length)] for low in range(-60, 31)]
                whole = {line[0] for line in every if all(map(is_set, line))}
                assert bits.runs(p, step, length) == sum(1 << low for low in whole)
                lacking = {
                    at
                    for line in every
                    for at in line
                    if at >= 0 and all(is_set(other) for other in line if other != at)
                }
                if length > 1:
                    assert bits.gaps(p, step, length) == sum(1 << at for at in lacking)


def test_four_in_a_row() -> None:
    """On boards of five columns, each with six bits and an empty one."""
    stride = 7
    cells = [7 * column + row for column in range(5) for row in range(6)]
    lines = [
        [cell + step * i for i in range(4)]
        for cell in cells
        for step in (1, stride - 1, stride, stride + 1)
        if all(cell + step * i in cells for i in range(4))
    ]
    assert len(lines) == 5 * 3 + 2 * 6 + 2 * 2 * 3
    for line in lines:
        p = sum(1 << cell for cell in line)
        assert bits.four(p, stride) is True
        assert not any(bits.four(p & ~(1 << cell), stride) for cell in line)
    rng = Random(4)
    for p in numbers(rng, 35, 300):
        p &= sum(1 << cell for cell in cells)
        assert bits.four(p, stride) is any(all(p >> cell & 1 for cell in line) for line in lines)


@plain
def test_sets_are_numbered_in_the_order_of_their_bits() -> None:
    assert [subsets.choose(squares, count) for squares, count in ((64, 8), (64, 0), (5, 2), (3, 4))] == [
        comb(64, 8), 1, 10, 0,
    ]  # fmt: skip
    for count, most in ((0, 5), (1, 64), (2, 64), (3, 12), (5, 9), (8, 11)):
        every = sorted(sum(1 << square for square in subset) for subset in combinations(range(most), count))
        assert len(every) == comb(most, count)
        assert [subsets.subset_index(subset) for subset in every] == list(range(len(every)))
        assert [subsets.subset_from_index(number, count) for number in range(len(every))] == every
    last = 0xFF << 56
    assert (
        subsets.subset_index(last) == comb(64, 8) - 1
        and subsets.subset_from_index(comb(64, 8) - 1, 8) == last
    )


def ray(square: int, down: int, right: int) -> list[int]:
    """The squares in a direction, the nearest first."""
    y, x = square // 8 + down, square % 8 + right
    results = []
    while 0 <= y < 8 and 0 <= x < 8:
        results.append(8 * y + x)
        y, x = y + down, x + right
    return results


def flipped_discs(square: int, p: int, o: int) -> int:
    """The discs between the square and the next one of `p`, in every direction."""
    count = 0
    for down, right in RAYS:
        run = 0
        for at in ray(square, down, right):
            if not o >> at & 1:
                count |= run if p >> at & 1 else 0
                break
            run |= 1 << at
    return count


def positions(count: int) -> Iterator[tuple[int, int]]:
    """Discs of both sides, on boards that are nearly empty, half full, nearly full and full."""
    rng = Random(5)
    for number in range(count):
        filled = rng.getrandbits(64)
        if number % 4:
            filled |= rng.getrandbits(64)
        if number % 4 > 1:
            filled |= rng.getrandbits(64) | rng.getrandbits(64)
        if number % 4 == 3:
            filled = (1 << 64) - 1
        p = rng.getrandbits(64) | rng.getrandbits(64)
        yield filled & p, filled & ~p


@plain
def test_discs_that_turn_over() -> None:
    for p, o in positions(24):
        reached = 0
        for square in range(64):
            if not (p | o) >> square & 1:
                flipped = flipped_discs(square, p, o)
                assert discs.flips(square, p, o) == flipped
                reached |= (flipped != 0) << square
        assert discs.move_targets(p, o) & ~(p | o) & ((1 << 64) - 1) == reached
    for down, right in RAYS:  # six discs of a ray, the most that can turn over on one
        for square in range(64):
            *between, last = ray(square, down, right) or [square]
            o = sum(1 << at for at in between)
            assert discs.flips(square, 1 << last, o) == o
            assert bool(discs.move_targets(1 << last, o) >> square & 1) == bool(between)
            assert discs.flips(square, 0, o | 1 << last if between else 0) == 0


@plain
def test_a_gap_in_a_ray_ends_it() -> None:
    """Every set of discs on rays of seven squares, with empty squares or own discs between them."""
    for down, right in RAYS:
        for square in (0, 3, 7, 24, 31, 56, 60, 63):
            cells = ray(square, down, right)
            for number in range(1 << 6 if len(cells) == 7 else 0):
                o = sum(1 << at for i, at in enumerate(cells) if number >> i & 1)
                for p in (1 << square, 1 << square | sum(1 << at for at in cells[:6]) & ~o):
                    for at in cells:
                        if not (p | o) >> at & 1:
                            assert discs.move_targets(p, o) >> at & 1 == (flipped_discs(at, p, o) != 0)


def never_again(p: int, o: int) -> int:
    """Discs of `p` with a border or a stable neighbour on each line, or on full lines."""
    lines = {}
    for square in range(64):
        for down, right in LINES:
            both = ray(square, down, right), ray(square, -down, -right)
            full = all((p | o) >> at & 1 for side in both for at in side)
            lines[square, down, right] = full, [side[0] if side else None for side in both]
    reached: set[int] = set()
    while True:
        more = {
            square
            for square in range(64)
            if p >> square & 1
            and all(
                full or None in beside or reached & {*beside}
                for full, beside in (lines[square, *line] for line in LINES)
            )
        }
        if more == reached:
            return sum(1 << square for square in reached)
        reached = more


@plain
def test_discs_that_stay() -> None:
    for p, o in positions(48):
        assert discs.stable(p, o) == never_again(p, o)
    rng = Random(6)
    for _ in range(40):  # a line or two that are not full, one gap each
        filled = ((1 << 64) - 1) & ~(1 << rng.randrange(64)) & ~(1 << rng.randrange(64))
        p = filled & (rng.getrandbits(64) | rng.getrandbits(64))
        assert discs.stable(p, filled & ~p) == never_again(p, filled & ~p)
    for square in range(64):
        assert discs.stable(((1 << 64) - 1) & ~(1 << square), 0) == never_again(
            ((1 << 64) - 1) & ~(1 << square), 0
        )
