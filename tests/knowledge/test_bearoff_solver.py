"""The bear-off solver, against all plays of all rolls by the rules, one checker at a time."""

from functools import cache
from itertools import product

import pytest

from gameplay.knowledge.bearoff_solver import MAX_CHECKERS, MAX_ROLLS, BearoffSolver, index_of

Men = tuple[int, ...]  # on the points 1 to 6


def after(men: Men, die: int) -> set[Men]:
    """The positions after one die: a checker moved or borne off, with a die too high only the last."""
    results = set()
    for point in range(1, 7):
        if men[point - 1] and (point >= die or not any(men[point:])):
            left = list(men)
            left[point - 1] -= 1
            if point > die:
                left[point - die - 1] += 1
            results.add(tuple(left))
    return results


@cache
def ends(men: Men, dice: Men) -> frozenset[Men]:
    """The positions after a roll with the dice in this order, as long as checkers remain."""
    if not dice or not any(men):
        return frozenset([men])
    return frozenset(end for result in after(men, dice[0]) for end in ends(result, dice[1:]))


def throws(men: Men) -> list[frozenset[Men]]:
    """The results of each of the 36 rolls."""
    results = []
    for a, b in product(range(1, 7), repeat=2):
        results.append(ends(men, (a,) * 4) if a == b else ends(men, (a, b)) | ends(men, (b, a)))
    return results


def placements(most: int) -> list[Men]:
    """All placements of at most this number of checkers, in the order of their numbers."""
    every = [men for men in product(range(most + 1), repeat=6) if sum(men) <= most]
    return sorted(every, key=index_of)


def test_placement_numbers_begin_with_no_checkers() -> None:
    """Checkers farther back mean a greater number: compared from the sixth point down."""
    for most in (1, 3):
        assert [index_of(list(men)) for men in placements(most)] == list(range(len(placements(most))))
    assert index_of([0] * 6) == 0 and (MAX_CHECKERS, MAX_ROLLS) == (15, 32)
    assert index_of([0, 0, 0, 0, 0, 15]) == 54263, "the last of C(21, 6)"
    for men in placements(3):
        for die in range(1, 7):
            assert all(index_of(list(result)) < index_of(list(men)) for result in after(men, die))


def test_single_side_bears_off_in_the_fewest_rolls() -> None:
    solver = BearoffSolver(3)
    every = placements(3)
    assert (solver.max_checkers, solver.count) == (3, 84) and len(every) == 84
    means: dict[Men, float] = {}
    shares: dict[Men, list[float]] = {}
    lengths, odds = solver.solve_one_sided()
    for number, men in enumerate(every):
        if number == 0:
            means[men], shares[men] = 0.0, [1.0, *[0.0] * 31]
        else:
            best = [min(sorted(chance, key=index_of), key=lambda end: means[end]) for chance in throws(men)]
            means[men] = 1 + sum(means[end] for end in best) / 36
            shares[men] = [0.0, *(sum(shares[end][n] for end in best) / 36 for n in range(31))]
        assert lengths[number] == pytest.approx(means[men], abs=1e-12)
        chances = odds[MAX_ROLLS * number : MAX_ROLLS * number + MAX_ROLLS]
        mean = sum(n * share for n, share in enumerate(chances))
        assert sum(chances) == pytest.approx(1) and mean == pytest.approx(means[men], abs=1e-9)
        assert chances[1] == pytest.approx(shares[men][1], abs=1e-12)
    assert len(lengths) == 84 and len(odds) == 84 * MAX_ROLLS


def test_two_sided_bearoff_maximizes_the_win_probability() -> None:
    """A player without checkers has won; the mover chooses the position where the opponent wins least."""
    solver = BearoffSolver(2)
    every = placements(2)
    count = len(every)
    values = solver.solve_two_sided()
    assert count == solver.count == 28 and len(values) == count * count
    wins: dict[tuple[Men, Men], float] = {}
    for mine, theirs in sorted(
        product(every, repeat=2), key=lambda pair: index_of(pair[0]) + index_of(pair[1])
    ):
        if not any(mine):
            wins[mine, theirs] = 1.0
        elif not any(theirs):
            wins[mine, theirs] = 0.0
        else:
            wins[mine, theirs] = sum(
                1 - min(wins[theirs, end] if any(end) else 0.0 for end in chance) for chance in throws(mine)
            ) / 36  # fmt: skip
    for (mine, theirs), chance in wins.items():
        assert values[count * index_of(mine) + index_of(theirs)] == pytest.approx(chance, abs=1e-12)


def test_targets_of_each_die() -> None:
    """By placement, die and play; unused places are -1."""
    solver = BearoffSolver(3)
    for number, men in enumerate(placements(3)):
        for die in range(1, 7):
            at = 6 * (6 * number + die - 1)
            targets = [*solver.successor_memory[at : at + 6], -1]
            right = sorted(
                (index_of(list(result)) for result in after(men, die)),
                key=lambda result: targets.index(result),
            )
            assert targets[: len(right) + 1] == [*right, -1]
