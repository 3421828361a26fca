"""Evaluation of backgammon: against GNU Backgammon and the bear-off table."""

from hashlib import blake2b
from itertools import product
from random import Random
from typing import Any

import pytest

from gameplay.evaluation import select_evaluation
from gameplay.games.backgammon.evaluation import bearoff
from gameplay.learning.backgammon import index, successors
from gameplay.position import CHANCE
from tests.support.backgammon import ANSWERS, POSITIONS, backgammon
from tests.support.paths import ROOT


@pytest.mark.parametrize("known", ANSWERS["bearoff"], ids=lambda known: str(known["men"]))
def test_bearoff_expectations_equal_the_published_ones(known: dict[str, Any]) -> None:
    odds = bearoff().rolls(known["men"])
    assert sum(odds.values()) == pytest.approx(1, abs=1e-9)
    if "once" in known:
        assert odds.get(1, 0) * 36 == pytest.approx(known["once"], abs=0.001)
    if "mean" in known:
        top, bottom = known["mean"]
        assert sum(throws * odd for throws, odd in odds.items()) == pytest.approx(top / bottom, abs=2e-4)


def test_the_table_of_bearing_off_is_what_the_program_makes() -> None:
    """The values of all placements of up to three checkers, which do not depend on the others."""
    few = {home: index(home) for home in product(range(4), repeat=6) if sum(home) <= 3}
    assert len(set(few.values())) == len(few)
    for home in (home for home in few if sum(home) == 2):
        turns = [
            min(_mean(end) for order in ((high, low), (low, high)) for end in _ends(home, high, low, order))
            for high in range(1, 7)
            for low in range(1, 7)
        ]
        assert _mean(home) == pytest.approx(1 + sum(turns) / 36, abs=1e-3)


def _mean(home: tuple[int, ...]) -> float:
    return sum(throws * odd for throws, odd in bearoff().rolls(home).items())


def _ends(home: tuple[int, ...], high: int, low: int, order: tuple[int, int]) -> set[tuple[int, ...]]:
    ends = {home}
    for die in order if high != low else [high] * 4:
        ends = {end for start in ends for end in successors(start, die)}
    return ends


def test_guesses_are_near_those_of_gnu_backgammon() -> None:
    """Compared with its equities without lookahead in well-known positions; see its file."""
    for known in ANSWERS["equity"]:
        position = backgammon(known["position"])
        assert position.evaluate_for(0) / 1000 == pytest.approx(known["equity"], abs=known["within"])
        assert position.evaluate_for(1) == -position.evaluate_for(0)


@pytest.mark.parametrize(("name", "digest"), [("learned", "def705eada9d37b8"), ("terms", "a54b323a19ccb586")])
def test_guesses_are_the_same_in_both_builds(name: str, digest: str) -> None:
    guesses = []
    for text, _, _ in POSITIONS[::5]:
        position = backgammon(text)
        position.evaluation = position.evaluations[name]
        guesses.append(position.evaluate())
        assert -3000 <= guesses[-1] <= 3000
    assert blake2b(repr(guesses).encode(), digest_size=8).hexdigest() == digest


def test_default_values_contact_as_the_network_that_was_learned() -> None:
    """The weights of `learned` are rounded, and its sums are integers."""
    position, rng = backgammon(), Random(1)
    network = select_evaluation(str(ROOT / "configs" / "evals" / "backgammon.toml"), position)
    compared = 0
    while position.outcome() is None and compared < 30:
        if position.turn == CHANCE and position.phase() == 0:
            value = network.estimator(position).of(position)  # for the first player, as a share of 3 points
            if position.evaluate_for(0):  # 0 before the first roll
                assert position.evaluate_for(0) / 1000 == pytest.approx(3 * value, abs=0.006)
                compared += 1
        position.make(rng.choice(list(position.moves())))
    assert compared > 10


@pytest.mark.parametrize("name", ["learned", "terms"])
def test_no_value_exceeds_what_the_rules_allow_a_side_to_lose(name: str) -> None:
    """No gammon with a checker off; no backgammon without contact or a checker in the other's home board."""
    bounds = set()
    for seed in range(12):
        position, rng = backgammon(), Random(seed)
        position.evaluation = position.evaluations[name]
        while position.outcome() is None:
            if position.turn == CHANCE:
                sides = [position.checkers(player) for player in (0, 1)]
                rearmost = [max(point for point in range(26) if side[point]) for side in sides]
                contact = sum(rearmost) >= 25
                for player, side in enumerate(sides):
                    bound = 1 if side[0] else 3 if contact or rearmost[player] > 18 else 2
                    assert position.evaluate_for(player) >= -1000 * bound
                    bounds.add(bound)
            position.make(rng.choice(list(position.moves())))
    assert {1, 2} <= bounds


def test_guesses_do_not_depend_on_the_positions_before() -> None:
    """Sums of the hidden layer are carried over between positions."""
    position, rng = backgammon(), Random(2)
    places = set()
    while position.outcome() is None:
        if position.turn == CHANCE and position.phase() == 0:
            men = [position.checkers(player) for player in (0, 1)]
            places |= {(side[0] > 0, side[25] > 0, max(side[1:25]) > 4) for side in men}
            assert position.evaluate_for(0) == backgammon(position.text()).evaluate_for(0)
        position.make(rng.choice(list(position.moves())))
    assert all(any(place[kind] for place in places) for kind in range(3)), "off, on the bar, five on a point"


def test_in_a_match_guesses_are_shares_of_it() -> None:
    ahead = backgammon("4HPwATDgc/ABMA:cAmgAEAAEAAE", "backgammon:match=5")
    assert (ahead.low, ahead.high) == (-1, 1)
    assert 0.3 < ahead.evaluate_for(0) / ahead.unit < 0.9, "4 points to 2 of 5"
    assert ahead.evaluate_for(1) == -ahead.evaluate_for(0)


@pytest.mark.parametrize(
    ("position", "doubles", "takes"),
    [
        ("4HPwATDgc/ABMA", False, True),
        ("HwQAANYCAAAAAA", False, True),
        ("DwAA4AEAAAAAAA", True, False),
    ],
)
def test_cube_is_turned_by_the_player_well_ahead(position: str, doubles: bool, takes: bool) -> None:
    start = backgammon(position, "backgammon:cube=on")
    worth = {}
    for word in ("roll", "double"):
        start.make(start.parse(word))
        worth[word] = start.evaluate_for(0)
        start.unmake()
    assert (worth["double"] > worth["roll"]) == doubles
    start.make(start.parse("double"))
    answers = {}
    for word in ("take", "drop"):
        start.make(start.parse(word))
        over = start.outcome()
        answers[word] = 1000 * over[1] if over else start.evaluate_for(1)
        start.unmake()
    assert (answers["take"] > answers["drop"]) == takes
