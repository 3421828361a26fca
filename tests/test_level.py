"""The ladders of levels: each looks no less deep than the one below and is less careless."""

import itertools

import pytest

from gameplay import registry
from gameplay.players.level import LEVELS, ladder


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "checkers", "chess", "othello"])
def test_every_level_looks_further_or_more_often(game: str) -> None:
    levels = ladder(registry.game(game))
    assert len(levels) == 10 and levels[0][0] == 1 and levels[-1] == (None, 0.0)
    for (depth, careless), (deeper, better) in itertools.pairwise(levels):
        assert depth is not None and (deeper is None or deeper >= depth)
        assert 1 > careless >= better >= 0 and (careless > better or deeper != depth)


def test_the_ladder_of_connect_four_is_the_one_that_was_measured() -> None:
    assert [depth for depth, _ in LEVELS] == [1, 1, 2, 3, 4, 5, 6, 9, 12, None]
    assert [careless for _, careless in LEVELS] == [0.8, 0.45, 0.36, 0.26, 0.18, 0.12, 0.07, 0.03, 0, 0]
