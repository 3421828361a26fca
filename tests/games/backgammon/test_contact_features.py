"""Features of contact: shots against the published table and legal plays, the others in known positions."""

from random import Random
from typing import Any

import pytest

from gameplay.games.backgammon import identity
from gameplay.position import CHANCE
from tests.support.backgammon import ANSWERS, backgammon

INPUTS = 4 * 196  # before the features
SIDE = 12  # features of a side
HITS, HIT_BLOTS, COST, BLOCK, BEST_BLOCK, MOBILITY, MOMENT, ROW, BEFORE, HOME, SPARE, DANCING = range(SIDE)


def read(start: Any) -> tuple[list[float], list[float]]:
    """The features of the player on roll and of the opponent."""
    amounts = dict(start.network_inputs().of(start))
    values = [amounts.get(INPUTS + index, 0.0) for index in range(2 * SIDE)]
    return values[:SIDE], values[SIDE:]


def features(own: dict[int, int], other: dict[int, int]) -> tuple[list[float], list[float]]:
    """The features by the checkers on the points of the player on roll and of the opponent; 25: the bar."""
    sides = [
        [15 - sum(side.values()), *[side.get(point, 0) for point in range(1, 26)]] for side in (other, own)
    ]
    return read(backgammon(identity.position_id(*sides)))


@pytest.mark.parametrize(("distance", "rolls"), list(zip(*ANSWERS["shots"].values(), strict=True)))
def test_shots_are_the_published_ones(distance: int, rolls: int) -> None:
    """The opponent's blot is on point 1 of the player on roll."""
    _, opponent = features({1 + distance: 1}, {24: 1})
    assert opponent[HITS] == opponent[HIT_BLOTS] == pytest.approx(rolls / 36)
    assert opponent[COST] == pytest.approx(rolls / 36 / 24)  # on its point 24 it loses a pip


def hits(position: Any, roll: str) -> bool:
    """True if a legal play of a roll hits."""
    opponent = 1 - position.on_roll
    before = position.checkers(opponent)[25]
    position.make(position.parse(roll))
    found = False
    for move in position.moves():
        position.make(move)
        found = found or position.checkers(opponent)[25] > before
        position.unmake()
    position.unmake()
    return found


def test_shots_are_the_rolls_with_a_legal_play_that_hits() -> None:
    """Except rolls of which the rules require another part; hitters on the bar are only approximated."""
    rng, compared, different = Random(3), 0, 0
    for _ in range(4):
        position = backgammon("4HPwATDgc/ABMA")
        while position.outcome() is None:
            if position.turn == CHANCE and not position.checkers(position.on_roll)[25]:
                rolls = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
                count = sum((2 - (high == low)) * hits(position, f"{high}{low}") for high, low in rolls)
                _, opponent = read(position)
                compared += 1
                different += round(36 * opponent[HITS]) != count
            position.make(rng.choice(list(position.moves())))
    assert compared > 100 and different <= compared // 100


def test_a_roll_counts_once_for_each_blot_that_it_hits() -> None:
    """Blots five and six pips away: 15 and 17 rolls, 4 of them the same (6-5, 5-1)."""
    _, opponent = features({7: 1}, {23: 1, 24: 1})
    assert (opponent[HITS], opponent[HIT_BLOTS]) == pytest.approx((28 / 36, 32 / 36))
    assert opponent[COST] == pytest.approx((17 + 2 * 15) / 36 / 24)


def test_features_of_the_start() -> None:
    """Points made: 6, 8, 13 and 24. 6-6, 5-5 and sums of 5 and 7 are blocked for a checker on point 24."""
    own, opponent = features({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
    assert own == opponent
    mean = 167 / 15
    expected = {
        **{
            HITS: 0,
            HIT_BLOTS: 0,
            COST: 0,
            BLOCK: 12 / 36,
            ROW: 1 / 6,
            BEFORE: 1 / 6,
            HOME: 1 / 36,
            DANCING: 0,
        },
        MOBILITY: (2 * 18 * (36 - 12) + 5 * 7 * (36 - 2) + 3 * 2 * (36 - 6)) / 3600,
        MOMENT: (5 * (13 - mean) ** 2 + 2 * (24 - mean) ** 2) / 1500,
        SPARE: (5 * 7 + 3 * 2 + 3 * 6) / 100,
    }
    assert {index: own[index] for index in expected} == pytest.approx(expected)
    assert own[BEST_BLOCK] >= own[BLOCK]


def test_a_full_prime_and_a_home_board_of_five_points() -> None:
    prime = dict.fromkeys(range(4, 10), 2)
    own, _ = features(prime | {2: 3}, {22: 1, 3: 14})
    assert (own[BLOCK], own[BEST_BLOCK], own[ROW], own[BEFORE]) == (1, 1, 1, 1)
    board = dict.fromkeys(range(1, 6), 3)
    own, opponent = features(board, {25: 1, 6: 14})
    assert own[HOME] == own[DANCING] == pytest.approx(25 / 36) and opponent[DANCING] == 0


def test_races_have_no_features() -> None:
    assert features({6: 15}, {18: 15}) == ([0.0] * SIDE, [0.0] * SIDE)
