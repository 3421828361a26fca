"""The Stratego search with known ranks, against minimax by the rules of the game."""

from random import Random
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.engines.pimc import Pimc
from gameplay.games.stratego.game import Stratego, beats
from gameplay.games.stratego.layout import BOMB, FLAG, PIECE_VALUES
from gameplay.games.stratego.open_search import OpenSearch
from gameplay.position import CHANCE
from gameplay.value import WIN
from tests.games.stratego.test_game import position_with

HALF_WIN = 1500


def evaluation(position: Stratego) -> int:
    """Material, and for each piece the best target by distance, from the mover's view."""
    pieces = [(cell, piece) for cell, piece in enumerate(position.cells) if piece is not None]
    total = 0
    for start, piece in pieces:
        value = PIECE_VALUES[piece.rank]
        if piece.rank not in (FLAG, BOMB):
            targets = [
                (2000 if other.rank == FLAG else PIECE_VALUES[other.rank])
                // (12 + 4 * (abs(start % 10 - end % 10) + abs(start // 10 - end // 10)))
                for end, other in pieces
                if other.player != piece.player and beats(piece.rank, other.rank) > 0
            ]
            value += max(targets, default=0)
        total += value if piece.player == position.turn else -value
    return total


def minimax(position: Stratego, depth: int, ply: int = 0) -> int:
    """The value after `depth` plies and captures, by the rules of the game, without pruning."""
    outcome = position.outcome()
    if outcome is not None:
        result = outcome[position.turn]
        return 0 if result == 0 else int(result) * (WIN - ply)
    moves = position.moves() if depth > 0 else position.noisy()
    best = evaluation(position) if depth <= 0 else -2 * WIN
    for move in moves:
        position.make(move)
        best = max(best, -minimax(position, depth - 1, ply + 1))
        position.unmake()
    return best


def random_position(spec: str, seed: int, plies: int) -> Any:
    position, rng = registry.game(spec).new(), Random(seed)
    while position.turn == CHANCE:
        position.make(rng.choice(position.moves()))
    for _ in range(plies):
        captures = position.noisy()
        position.make(rng.choice(captures or position.moves()))
        if position.outcome() is not None:
            position.unmake()
            break
    return position


@pytest.mark.parametrize("seed", range(8))
def test_values_equal_minimax_by_the_rules(seed: int) -> None:
    position = random_position("stratego:army=barrage,quiet=60", seed, 24 + seed)
    search = OpenSearch()
    values = search.values(position, 3000)  # of nodes
    assert values is not None and list(values) == position.moves()
    assert search.depths >= 2
    for move, value in values.items():
        position.make(move)
        expected = -minimax(position, search.depths - 1, 1)
        position.unmake()
        assert value == 100 * expected / (abs(expected) + HALF_WIN), position.format(move)


def test_a_flag_that_can_be_captured_is_captured() -> None:
    position = position_with("Fa1 Xe3 fe5 bb9")
    values = OpenSearch().values(position, 0)
    assert values is not None
    best = max(values, key=values.__getitem__)
    assert position.format(best) == "e3-e4" and values[best] > 99


def test_a_limit_below_one_ply_gives_no_values() -> None:
    position = random_position("stratego:army=barrage", 1, 4)
    assert OpenSearch().values(position, 1) is None


def test_pieces_that_are_placed_have_no_values() -> None:
    position: Any = registry.game("stratego:army=barrage,start=chosen").new()
    values = OpenSearch().values(position, 0)
    assert values is not None and set(values) == set(position.moves()) and set(values.values()) == {0.0}


def test_pimc_plays_stratego_by_this_search() -> None:
    game = registry.game("stratego:army=barrage")
    assert registry.default_engine(game.new()) is Pimc
    position = random_position("stratego:army=barrage", 3, 10)
    report = registry.engine("pimc:sims=4,seed=2")[0].search(position, Limit(simulations=4))
    assert report.move in position.moves() and "plies deep" in report.facts
