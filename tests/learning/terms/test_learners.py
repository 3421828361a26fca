"""TD-leaf, regression of games and SPSA on cases with known solutions; leaves of real games; tests of new
weights."""

import math
import random
from array import array
from itertools import pairwise

import pytest

from gameplay import registry
from gameplay.evaluation import Evaluation
from gameplay.learning.run import select_linear
from gameplay.learning.terms import contest, spsa
from gameplay.learning.terms.contest import Contest, Contestant, sequential_test
from gameplay.learning.terms.games import LeafGame, LeafGames, LeafTerms, play_task
from gameplay.learning.terms.learner import sigmoid
from gameplay.learning.terms.results import ResultsRegression
from gameplay.learning.terms.spsa import GAIN, Spsa, gain_sequences
from gameplay.learning.terms.td_leaf import TdLeaf, errors

pytestmark = pytest.mark.once  # sums are in plain Python; test_regression.py runs in both builds


def games(name: str, depth: int = 1, opening: int = 2, plies: int = 200) -> LeafGames:
    game = registry.game(name)
    return LeafGames.of(game, select_linear(game), 1, depth, plies, opening)


def linear(count: int, fixed: tuple[str, ...] = (), weight: int = 0) -> Evaluation:
    names = [f"w{i}" for i in range(count)]
    return Evaluation(
        "synthetic", "", dict.fromkeys(names, weight), max_weight=1 << 40, scale=1 << 20, fixed=fixed
    )


# -- TD-leaf -----------------------------------------------------------------------------------------------


def test_errors_are_the_discounted_sums_of_later_differences() -> None:
    predictions, result, decay = [0.5, 0.7, 0.4, 0.9], 1.0, 0.6
    deltas = [after - before for before, after in pairwise([*predictions, result])]
    for t, error in enumerate(errors(predictions, result, decay)):
        expected = sum(decay ** (j - t) * deltas[j] for j in range(t, 4))
        assert error == pytest.approx(expected)
    assert errors(predictions, result, 1.0) == pytest.approx([result - p for p in predictions])


def test_corrections_of_lambda_1_are_the_gradient_of_the_squared_errors() -> None:
    learner = TdLeaf(games("tictactoe"), linear(3), 1, decay=1.0)
    learner.slopes[0] = 0.5
    learner.values[:] = array("d", [0.4, -0.3, 0.1])
    leaves = [
        LeafTerms((2, 1, 0), 0.5),
        LeafTerms((-1, 3, 1), 0.5),
        LeafTerms(None, 1.0),
        LeafTerms((0, -2, 4), 0.5),
    ]

    def loss() -> float:
        logits = [learner.logit(leaf.counts) for leaf in leaves if leaf.counts is not None]
        return sum((1.0 - sigmoid(logit)) ** 2 for logit in logits) / 2

    totals, _ = learner.corrections(leaves, 1.0)
    for i, total in enumerate(totals):
        parameters, at = (learner.values, i) if i < 3 else (learner.edge, 0)
        kept, sides = parameters[at], []
        for step in (1e-6, -1e-6):
            parameters[at] = kept + step
            sides.append(loss())
        parameters[at] = kept
        unit = learner.slope if i < 3 else 1.0
        assert unit * total == pytest.approx(-(sides[0] - sides[1]) / 2e-6, rel=1e-5)


@pytest.mark.parametrize(("decay", "near"), [(0.0, 0.06), (0.7, 0.06), (1.0, 0.13)])
def test_random_walk_of_sutton_is_learned(decay: float, near: float) -> None:
    """Five places in a row; from place k of 1 to 5 the walk ends on the right with probability k / 6.

    Lambda 1 learns less from as many walks, as in Sutton's figures 3 and 4.
    """
    learner = TdLeaf(games("tictactoe"), linear(5), 1, decay)
    learner.slopes[0] = 1.0
    rng = random.Random(3)
    for _ in range(1500):
        place, leaves = 2, []
        while 0 <= place < 5:
            leaves.append(LeafTerms(tuple(int(i == place) for i in range(5)), 0.5))
            place += rng.choice((-1, 1))
        learner.learn(leaves, float(place == 5))
    results = [sigmoid(learner.edge[0] + value) for value in learner.values]
    assert results == pytest.approx([k / 6 for k in range(1, 6)], abs=near)


def test_won_game_raises_its_terms_and_keeps_fixed_weights() -> None:
    learner = TdLeaf(games("tictactoe"), linear(3, fixed=("w0",), weight=1 << 20), 1, 0.7)
    learner.slopes[0] = 0.1
    learner.learn([LeafTerms((1, 1, -1), 0.5), LeafTerms((1, 2, 0), 0.5)], 1.0)
    assert learner.values[0] == 1.0 and learner.values[1] > 1.0 > learner.values[2]
    learner.finish()
    logits = 0.1, 0.3
    assert learner.positions == 2
    assert learner.loss == pytest.approx(-sum(math.log(sigmoid(logit)) for logit in logits) / 2)


# -- regression --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fixed", [(), ("w0",)])
def test_regression_recovers_the_hidden_weights_of_an_evaluation(fixed: tuple[str, ...]) -> None:
    """Games of 5 positions with results by hidden weights; a fixed term of weight 2 sets the scale."""
    hidden, slope, first = (2.0, 1.0, -0.5), 0.4, 0.3
    evaluation = linear(3, fixed)
    evaluation = evaluation.with_weights({"w0": 2 << 20, "w1": 0, "w2": 0})
    learner = ResultsRegression(games("tictactoe"), evaluation, 1, 0)
    learner.slopes[0] = slope if not fixed else 0.1  # of no fixed term it stays as calibrated
    rng = random.Random(5)
    for _ in range(4000):
        counts = tuple(rng.choice((-3, -1, 0, 1, 3)) for _ in hidden)
        value = math.fsum(weight * count for weight, count in zip(hidden, counts, strict=True))
        result = float(rng.random() < sigmoid(slope * value + first))
        learner.add(LeafGame((), (LeafTerms(counts, 0.5), LeafTerms(None, 1.0)), result))
    learner.finish()
    assert learner.positions == 4000
    assert list(learner.values) == pytest.approx(hidden, abs=0.2)
    assert learner.slope == pytest.approx(slope, rel=0.1)
    weights = learner.candidate.weights
    assert [weight / (1 << 20) for weight in weights.values()] == pytest.approx(
        list(learner.values), abs=1e-5
    )
    assert not fixed or weights["w0"] == 2 << 20
    learner.keep()
    assert learner.reference.weights == weights


def test_regression_without_positions_changes_nothing() -> None:
    learner = ResultsRegression(games("tictactoe"), linear(2, weight=5), 1, 0)
    learner.finish()
    assert learner.candidate.weights == learner.reference.weights == {"w0": 5, "w1": 5}


def test_few_units_are_written_finer() -> None:
    """Weights of a small scale are multiplied before learning, as far as the evaluation permits."""
    learner = TdLeaf(games("connect4"), registry.game("connect4").new().evaluations["threats"], 1, 0.7)
    assert learner.reference.weights == {"open_lines": 100, "right_row": 1200, "wrong_row": 500}
    small = Evaluation("small", "", {"a": 1, "b": 2}, scale=1, max_weight=100)
    assert TdLeaf(games("tictactoe"), small, 1, 0.7).reference.weights == {"a": 12, "b": 24}


# -- SPSA --------------------------------------------------------------------------------------------------


def test_gains_are_those_of_spall() -> None:
    steps = 500
    c, a = gain_sequences(steps, steps)
    assert (c, a) == pytest.approx((1.0, GAIN / math.sqrt(steps)))
    for k in (1, 20, 300):
        before, after = gain_sequences(k, steps), gain_sequences(2 * k, steps)
        ratio = before[0] / after[0], before[1] / after[1]
        assert ratio == pytest.approx((2**0.101, ((50 + 2 * k) / (50 + k)) ** 0.602))


def test_spsa_approaches_hidden_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """The side whose weights are nearer to the hidden ones wins both games."""
    hidden, start = (3.0, -2.0, 1.0), (0.0, 0.0, 0.0)

    def play(_: object, first: Contestant, second: Contestant, pairs: int) -> list[float]:
        far = [
            math.dist(hidden, [weight / (1 << 20) for weight in side.weights.values()])
            for side in (first, second)
            if side.weights is not None
        ]
        return [2.0 if far[0] < far[1] else 0.0] * pairs

    monkeypatch.setattr(spsa.Contest, "play", play)
    learner = Spsa(games("tictactoe"), linear(3), 1, steps=400)
    learner.slopes[0], learner.spread[:] = 0.1, array("d", [1.0] * 3)
    list(learner.play(range(400)))
    assert math.dist(hidden, learner.values) < 0.1 * math.dist(hidden, start)


def test_spsa_leaves_fixed_and_unseen_terms_alone() -> None:
    learner = Spsa(games("tictactoe"), linear(4, fixed=("w0",)), 1, steps=10)
    learner.slopes[0], learner.spread[:] = 0.1, array("d", [1.0, 0.0, 2.0, 1.0])
    moved = learner.moved([1, 1, 1, -1], 1.0)
    assert moved[0] == moved[1] == 0.0 and moved[3] == -2 * moved[2] < 0


# -- games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "depth"), [("checkers", 2), ("connect4", 3), ("othello", 1), ("chess", 1)])
def test_terms_of_the_leaf_are_the_value_of_the_search(name: str, depth: int) -> None:
    source = games(name, depth, opening=6, plies=24)
    evaluation = source.evaluation
    game = play_task(source.task(0, evaluation))
    position = source.game.new()
    explained = 0
    for ply, move in enumerate(game.moves):
        if ply >= 6:
            value = source._search(position, evaluation).value
            leaf = game.leaves[ply - 6]
            if leaf.counts is not None:
                total = sum(w * c for w, c in zip(evaluation.weights.values(), leaf.counts, strict=True))
                own = value if position.turn == 0 else -value
                assert abs(total / evaluation.scale - own) < 1
                explained += 1
        position.make(move)
    assert len(game.leaves) == len(game.moves) - 6
    assert explained > 10 and game.result in (0.0, 0.5, 1.0)
    assert play_task(source.task(0, evaluation)) == game != play_task(source.task(1, evaluation))


def test_leaf_at_the_end_of_a_game_is_its_result() -> None:
    source = games("tictactoe", depth=3)
    for number in range(4):
        game = play_task(source.task(number, source.evaluation))
        last = game.leaves[-1]
        assert last.counts is None and last.result == game.result


# -- tests of new weights ----------------------------------------------------------------------------------


def no_step() -> None:
    """Report nothing, and never request a stop."""


def test_equal_weights_are_not_accepted_and_games_do_not_repeat() -> None:
    source = games("tictactoe", opening=2)
    side = Contestant(dict(source.evaluation.weights), 1)
    match = Contest(source, "test")
    verdict = sequential_test(match, side, side, no_step)
    assert verdict.decision != "H1"
    pairs = sum(match.tally.pairs)
    assert match.tally.pairs == [0, 0, pairs, 0, 0] and 20 < pairs <= 72, "openings are 9 * 8 at most"


def test_better_weights_are_accepted_as_early_as_the_test_allows() -> None:
    source = games("connect4", opening=4)
    worst = source.evaluation.with_weights({"open_lines": -9, "right_row": -9, "wrong_row": -9})
    good, bad = Contestant(dict(source.evaluation.weights), 1), Contestant(dict(worst.weights), 1)
    match = Contest(source, "test")
    verdict = sequential_test(match, good, bad, no_step)
    assert verdict.decision == "H1"
    assert sum(match.tally.pairs) < contest.PAIRS / 2
    again = sequential_test(Contest(source, "test"), bad, good, no_step)
    assert again.decision == "H0"


def test_seats_are_exchanged() -> None:
    """In tic-tac-toe perfect play of 3 plies never loses to random moves, from either seat."""
    source = games("tictactoe", depth=1, opening=0)
    match = Contest(source, "ladder")
    assert len(list(match.play(Contestant(None, 9), Contestant(), 3))) == 3
    assert match.tally.games[0] == 0 and sum(match.tally.games) == 6
