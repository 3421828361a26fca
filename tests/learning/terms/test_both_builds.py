"""Games and learned weights are identical in both builds, to the last bit."""

from gameplay import registry
from gameplay.learning.run import select_linear
from gameplay.learning.terms.games import LeafGames
from gameplay.learning.terms.results import ResultsRegression
from gameplay.learning.terms.spsa import Spsa
from gameplay.learning.terms.td_leaf import TdLeaf


def test_weights_are_the_same_in_both_builds() -> None:
    game = registry.game("connect4:columns=4,rows=4")
    evaluation = select_linear(game)
    games = LeafGames.of(game, evaluation, seed=1, depth=2, plies=30, opening=3)
    learners = (
        ResultsRegression(games, evaluation, 1, 0),
        TdLeaf(games, evaluation, 1, 0.7),
        Spsa(games, evaluation, 1, 40),
    )
    for learner in learners:
        learner.slopes[0] = 0.001
        for i in range(3):
            learner.spread[i] = 0.15  # large steps
        assert list(learner.play(range(4))) == [0, 1, 2, 3]
        learner.finish()
        assert list(learner.values) != [100.0, 1200.0, 500.0], "it has learned"
    assert [value.hex() for learner in learners for value in learner.values] == EXPECTED


EXPECTED = [
    *("0x1.6bcf7ebdb5bd8p+6", "0x1.2c00000000000p+10", "0x1.c72db1e635df2p+8"),
    *("0x1.f7d171ba84ab5p+4", "0x1.2c00000000000p+10", "0x1.d86e07f6dd9b0p+7"),
    *("0x1.41cbc350f7b44p+7", "0x1.2c4d73932d6d4p+10", "0x1.f2ca31b34a4aep+8"),
]
