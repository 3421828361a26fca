"""Hearts playouts: they follow the rules, have the payoffs of the game, and play well."""

import random
from statistics import fmean

import pytest

from gameplay import Limit, registry
from gameplay.games.hearts.game import Hearts
from gameplay.games.shared import pack
from gameplay.registry import game
from tests.examples.engines import hearts

SPECS = [
    "hearts",
    "hearts:players=3,jack=on,moon=own",
    "hearts:players=5,points=40",
    "hearts:passing=off,jack=on",
]


def dealt(spec: str, seed: int) -> tuple[Hearts, random.Random]:
    position, rng = game(spec).new(), random.Random(seed)
    while position.turn < 0:
        position.make(rng.choice(position.moves()))
    return position, rng


def payoffs(position: Hearts, player: int) -> list[float]:
    """The payoffs that a player can reach by legal play in this deal."""
    paid = position.outcome()
    if paid is not None:
        return [paid[player]]
    results = []
    for move in position.moves():
        position.make(move)
        results += payoffs(position, player)
        position.unmake()
    return results


@pytest.mark.parametrize("spec", SPECS)
def test_playout_payoffs_are_those_of_legal_play(spec: str) -> None:
    """With one card each there is no choice; with two a value is the payoff of some legal play."""
    for seed in range(6):
        position, rng = dealt(spec, seed)
        while not position.state.leads or max(map(len, position.state.hands)) > 2:
            assert position.rule_of_thumb() in position.moves()
            position.make(rng.choice(position.moves()))
        while (world := position.determinize(position.turn, rng)).outcome() is None:
            values = position.dealt_solver(None).values(world, 0)
            assert list(values) == position.moves()
            for move, value in values.items():
                world.make(move)
                possible = payoffs(world, position.turn)
                assert min(possible) <= value <= max(possible)
                world.unmake()
            position.make(rng.choice(position.moves()))
            if position.outcome() is not None or not position.state.leads:
                break


def test_playouts_score_a_shot_moon() -> None:
    """North has all clubs, takes all tricks and shoots the moon."""
    deal = "...AKQJT98765432 AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432."
    for moon, paid in (("others", -26.0), ("own", 0.0)):
        position = game(f"hearts:passing=off,moon={moon}").new(deal)
        position.make(pack.parse_card("2c"))
        assert set(position.dealt_solver(None).values(position, 0).values()) == {paid}


def test_both_builds_play_the_same_playouts() -> None:
    position, rng = dealt("hearts:jack=on,players=5", 1)
    paid, played = [], []
    while position.outcome() is None:
        solver = position.dealt_solver(None)
        for _ in range(2):
            values = solver.values(position.determinize(position.turn, rng), 0)
        paid.append(sum(values.values()))
        played.append(solver.nodes)
        position.make(position.rule_of_thumb())
    assert position.outcome() == (-16, 0, 0, -5, 5)
    assert paid[::9] == [53.5, -42.5, -3.5, -5.5, -31.0, 15.0, 0.0, -5.0]
    assert played[::9] == [2000, 2000, 752, 608, 696, 320, 132, 8]


def test_a_limit_of_positions_ends_the_values_of_a_deal() -> None:
    position, _ = dealt("hearts", 1)
    solver = position.dealt_solver(None)
    assert solver.values(position, 100) is None and solver.nodes == 100
    report = registry.engine("pimc")[0].search(position, Limit(nodes=50))
    assert report.move == position.rule_of_thumb() and report.bound == "unknown"


def test_players_of_playouts_are_better_than_plain_rules() -> None:
    """One against three `careful` players, on each seat of the same deals: about four points a deal less."""
    gains = []
    for seed in range(15):
        for seat in range(4):
            position, _ = dealt("hearts", seed)
            while (paid := position.outcome()) is None:
                mine = position.turn == seat
                position.make(position.rule_of_thumb() if mine else hearts.careful(position))
            gains.append(paid[seat] - (sum(paid) - paid[seat]) / 3)
    assert fmean(gains) > 1.5


def test_usual_engine_of_hearts_values_deals_by_playouts() -> None:
    position, _ = dealt("hearts", 1)
    engine = registry.default_engine(position)()
    assert engine.name == "pimc" and engine.by_in(position) == "solver"
    assert engine.default_limit(position, registry.engine("pimc")[1]).simulations == Hearts.sampled_deals
