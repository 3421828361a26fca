"""Battleship shots: the most probable cells over sampled fleets."""

from random import Random

import pytest

from gameplay.games.battleship.aim import Aim
from gameplay.games.battleship.game import Battleship
from gameplay.registry import default_engine, engine, game
from gameplay.search.limit import Limit

pytestmark = pytest.mark.once


def position_after(spec: str, words: str, **limit: int) -> Battleship:
    position: Battleship = game(spec).new()
    for word in words.split():
        position.make(position.parse(word))
    return position


def shots_to_sink(deals: int, seed: int) -> int:
    """The shots needed to sink a random fleet with `deals` samples per shot; 0: at random."""
    rng = Random(seed)
    position: Battleship = game("battleship").new()
    while position.placing():
        position.make(rng.choice(position.moves()))
    count = 0
    while position.sunk(1) < len(position.lengths):
        aim, cells = Aim(), position.moves()
        sums = dict.fromkeys(cells, 0.0)
        for _ in range(deals if position.turn == 0 else 0):
            for cell, worth in aim.values(position.determinize(0, rng), 0).items():
                sums[cell] += worth
        rng.shuffle(cells)
        count += position.turn == 0
        # The second player is to hit as little as can be: the game is not to end before.
        here = max(cells, key=lambda cell: (sums[cell], not sum(position.fleets[0]) >> cell & 1))
        position.make(here if position.turn or deals else cells[0])
    return count


def chances(position: Battleship) -> dict[str, float]:
    """The frequency of a ship on each cell, by enumeration of all fleets of two ships of two that fit."""
    cells = range(position.rows * position.columns)
    pairs = [
        (1 << cell | 1 << cell + step)
        for cell in cells
        for step in (1, position.columns)
        if cell + step in cells and (step > 1 or (cell + 1) % position.columns)
    ]
    shots = position._shots(position.turn)
    missed = sum(1 << cell for cell, result in shots if result == "miss")
    hit = sum(1 << cell for cell, result in shots if result == "hit")
    fleets = [pair | two for pair in pairs for two in pairs if not pair & two]
    fitting = [fleet for fleet in fleets if not fleet & missed and fleet & hit == hit]
    return {
        position.format(cell): sum(fleet >> cell & 1 for fleet in fitting) / len(fitting)
        for cell in position.moves()
    }


def test_aimed_shots_sink_a_fleet_with_half_the_random_shots() -> None:
    """Nick Berry (DataGenetics, 2011): the median is 96 shots at random, about 42 by probability."""
    aimed = [shots_to_sink(10, seed) for seed in range(5)]
    assert 38 < sum(aimed) / len(aimed) < 58
    wild = [shots_to_sink(0, seed) for seed in range(5)]
    assert 88 < sum(wild) / len(wild) <= 100


def test_value_of_a_shot_is_the_frequency_of_a_ship() -> None:
    """A ship of two cells covers a1, so it also covers b1 or a2."""
    position = position_after("battleship:rows=3,columns=3,ships=2+2", "a1-b1 a1-a2 a3-b3 c2-c3 a1 a3")
    report = engine("pimc")[0].search(position, Limit(simulations=1000, multipv=9))
    worth = {position.format(candidate.move): candidate.value for candidate in report.candidates}
    # a1-a2 leaves the other ship 4 places in the rest (b1-c1, b1-b2, ...), see `odds`.
    odds = chances(position)
    assert worth == pytest.approx({cell: 0.5 * share for cell, share in odds.items()}, abs=0.03)
    assert odds["a2"] == odds["b1"] == max(odds.values())
    assert position.format(report.move) in ("a2", "b1")
    assert report.facts.startswith("hits: ") and f"a2 {100 * worth['a2'] / 0.5:.0f} %" in report.facts


def test_ships_are_placed_at_random_and_the_default_engine_plays() -> None:
    """A fixed placement would be known after one game."""
    position = game("battleship").new()
    assert default_engine(position).name == "pimc"
    chosen = {engine(f"pimc:seed={seed}")[0].search(position, Limit(simulations=2)).move for seed in range(6)}
    assert len(chosen) > 3
