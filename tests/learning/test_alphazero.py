"""AlphaZero with n-tuples: PUCT, the corrections, the noise, and the same numbers in both builds."""

import math
import random
import statistics

import pytest

from gameplay import Limit, Position, registry, undoable
from gameplay.adapter import kernel_of
from gameplay.engines.mcts.engine import Mcts
from gameplay.errors import Usage
from gameplay.kernel import compiled
from gameplay.learning.alphazero import search as alphazero_search
from gameplay.learning.alphazero.learner import AlphaZero
from gameplay.learning.exploration import choose_tuples, explore, symmetries
from gameplay.learning.ground_truth import ground_truth
from gameplay.ntuples.learned import goal_of
from gameplay.ntuples.policy import PolicyTables
from gameplay.ntuples.tables import NTuples
from gameplay.ntuples.weights import NTupleEvaluation, PackedWeights, tables_of
from tests.support.builds import output_of_both_builds


def layout_of(game, **options):
    cells, varying = explore(game, 1)
    return cells, tuple(symmetries(game, cells, 1)), tuple(choose_tuples(game, cells, varying, 1, **options))


def learner_of(spec, simulations=20, opening=4, sampled=4, seed=1, **options):
    game = registry.game(spec)
    cells, names, tuples = layout_of(game, **options)
    position = game.new()
    guide = PolicyTables(*[tables_of(cells, names, tuples, position) for _ in range(2)], goal_of(position))
    return AlphaZero(kernel_of(position), guide, simulations, opening, sampled, 400, seed)


def evaluation_of(spec, scale=400.0, **options):
    """A policy and a value with random weights."""
    game, rng = registry.game(spec), random.Random(spec)
    cells, names, tuples = layout_of(game, **options)
    total = 2 * len(tuples) * len(cells.letters) ** len(tuples[0])
    packed = [
        PackedWeights(
            scale, b"".join(rng.randrange(-300, 300).to_bytes(2, "little", signed=True) for _ in range(total))
        )
        for _ in range(2)
    ]
    values, preferences = packed
    return NTupleEvaluation(
        cells, names, tuples, False, values.scale, values.content, preferences=preferences
    )


# -- PUCT ------------------------------------------------------------------------------------------------


class PlainNode:
    """A node of a plain search: its policy, and for each move the visits, the sum of values and the child."""

    def __init__(self, policy):
        self.policy = dict(sorted(policy.items(), key=lambda item: -item[1]))
        self.visits = dict.fromkeys(self.policy, 0)
        self.sums = dict.fromkeys(self.policy, 0.0)
        self.below = {}


def plain_puct(position, guide, simulations, c=1.25):
    """The visits of the root's moves by the formula of Silver et al., recursively, values from 0 to 1.

    A position that is new is valued; the policy is asked when it is reached again.
    """

    def policy():
        return guide.of(kernel_of(position))[1]

    def value():
        """The first player's share of a win."""
        payoffs = position.outcome()
        return (payoffs[0] + 1) / 2 if payoffs else (guide.of(kernel_of(position))[0] + 1) / 2

    def simulate(node):
        """One simulation from a node; its value for the first player."""
        total = sum(node.visits.values()) + (node is not root)  # the visit in which it was valued
        mover = position.turn

        def score(move):
            visits = node.visits[move]
            mean = node.sums[move] / visits if visits else 0.5
            return mean + c * node.policy[move] * math.sqrt(total) / (1 + visits)

        move = max(node.policy, key=score)  # the first of equal ones
        position.make(move)
        if position.outcome() is None and node.visits[move]:
            if move not in node.below:
                node.below[move] = PlainNode(policy())
            result = simulate(node.below[move])
        else:
            result = value()
        position.unmake()
        node.visits[move] += 1
        node.sums[move] += result if mover == 0 else 1 - result
        return result

    root = PlainNode(policy())
    for _ in range(simulations):
        simulate(root)
    return root.visits


@pytest.mark.parametrize("spec", ["tictactoe", "connect4:columns=4,rows=4"])
def test_mcts_with_a_policy_visits_as_a_plain_puct_search(spec):
    evaluation = evaluation_of(spec, count=4, length=3)
    position = registry.game(spec).new()
    position.make(position.moves()[1])
    guide = evaluation.policy(position)
    position.evaluation = evaluation
    limit = Limit(simulations=150, multipv=20)
    report = Mcts(solver=False, reuse=False, memory="1MB").search(position, limit)
    visits = {candidate.move: candidate.visits for candidate in report.candidates}
    expected = {move: number for move, number in plain_puct(position, guide, 150).items() if number}
    assert visits == expected and len(set(visits.values())) > 2


def test_trace_shows_the_numbers_of_puct():
    position = registry.game("tictactoe").new()
    position.evaluation = evaluation_of("tictactoe", count=4, length=3)
    events = []
    Mcts(solver=False, memory="1MB").search(position, Limit(simulations=25), trace=events.append)
    selections = [event for event in events if event.what == "select"]
    assert len(selections) > 25
    for event in selections:
        came, c = event.numbers
        for _, visits, mean, compared, policy in event.children:
            assert compared == pytest.approx(mean + c * policy * math.sqrt(came) / (1 + visits))
        best = max(event.children, key=lambda child: child[3])
        assert (event.move, event.beta) == (best[0], pytest.approx(best[3]))
        assert sum(child[4] for child in event.children) == pytest.approx(1)


def test_learner_searches_as_mcts_does():
    """The same visits give the same choice, at the root of one tree used repeatedly."""
    learner = learner_of("tictactoe", simulations=40, count=2, length=3)
    learner.play(3)
    for plies in ([], [4], [0, 4], [0, 1, 3]):
        position = registry.game("tictactoe").new()
        for move in plies:
            position.make(move)
        visits = plain_puct(position, learner.guide, 40)
        assert learner.search_choice(plies) == max(visits, key=visits.get)


def test_search_without_a_policy_is_as_before_and_asks_for_one():
    position = registry.game("tictactoe").new()
    evaluation = evaluation_of("tictactoe", count=2, length=2)
    assert evaluation.policy(position) is not None
    without = NTupleEvaluation(
        evaluation.cells,
        evaluation.symmetries,
        evaluation.tuples,
        False,
        evaluation.weight_scale,
        evaluation.packed,
    )
    position.evaluation = without
    assert without.policy(position) is None and Mcts().guide_in(position) is None
    with pytest.raises(Usage, match="prior=policy needs a learned policy in eval"):
        Mcts(prior="policy").check(position)
    position.evaluation = evaluation
    assert Mcts(prior="off").guide_in(position) is None
    engine = Mcts()
    results = engine.prior_in(position, True), engine.leaf_in(position, True), engine.c_in(position, True)
    assert results == ("policy", "evaluate", 1.25)


def test_proofs_stay_right_with_a_policy():
    """The solver proves a win in three plies regardless of the policy."""
    position = registry.game("tictactoe").new()
    for move in (0, 3, 4, 8, 1, 7):
        position.make(move)
    position.evaluation = evaluation_of("tictactoe", count=4, length=3)
    report = Mcts().search(position, Limit(simulations=400))
    assert position.format(report.move) == "c3" or report.exact
    assert report.exact and report.value > 0


# -- learning --------------------------------------------------------------------------------------------


class Choice(Position):
    """The first player chooses among three moves, which win, draw and lose."""

    def __init__(self):
        super().__init__()
        self.made = 0

    def moves(self):
        return [1, 2, 3]

    @undoable
    def make(self, move):
        self.made = move
        self.turn = 1

    def outcome(self):
        return {1: (1, -1), 2: (0, 0), 3: (-1, 1)}[self.made] if self.made else None


def test_corrections_are_the_gradients_by_finite_differences():
    """The loss is the cross entropy of visits and policy plus half the squared error of the value."""

    def read(kernel):
        return bytes([kernel.position.made] * 2)

    def tables():
        return NTuples([(0,), (1,)], [range(2)], 4, 2, False, 1000.0, read)

    guide = PolicyTables(tables(), tables(), 1.0)
    kernel = kernel_of(Choice())
    both = guide.values.weights_owner, guide.preferences.weights_owner
    before = (0.3, 0, 0, 0, -0.1, 0, 0, 0), (0, 0.5, -0.2, 0.1, 0, 0.4, 0, 0.3)
    for weights, numbers in zip(both, before, strict=True):
        for place, number in enumerate(numbers):
            weights[place] = number
    learner = AlphaZero(kernel, guide, 30, 0, 1, 10, 3)
    learner.play(1)
    changes = [
        [weights[place] - number for place, number in enumerate(numbers)]
        for weights, numbers in zip(both, before, strict=True)
    ]
    # The visits of the one position, as shares: see `AlphaZero.game`.
    record = learner.record_owner
    shares = {record[2 + 2 * i]: record[3 + 2 * i] / 30 for i in range(3)}
    assert record[1] == 3 and sum(shares.values()) == pytest.approx(1)
    for weights, numbers in zip(both, before, strict=True):
        for place, number in enumerate(numbers):
            weights[place] = number

    def loss(which):
        value, policy = guide.of(kernel)
        entropy = -sum(shares[move] * math.log(policy[move]) for move in policy)
        return entropy if which else (learner.result - value) ** 2 / 2

    step = 1e-2
    for which, weights in enumerate(both):
        for place, number in enumerate(before[which]):
            weights[place] = number + step
            above = loss(which)
            weights[place] = number - step
            slope = (above - loss(which)) / (2 * step)
            weights[place] = number
            # Two weights are found: half of the gradient goes to each.
            assert changes[which][place] == pytest.approx(-slope / 2, abs=1e-4), (which, place)
    assert sum(change != 0 for change in changes[1]) == 6


def test_sum_of_a_symmetric_position_grows_as_any_other():
    """All images of the empty board share one weight: after a won game its sum is 1, not 8."""
    learner = learner_of("tictactoe", simulations=10, opening=0, sampled=9, seed=2)
    learner.play(1)
    assert learner.result == 1 and learner.value([]) == pytest.approx(math.tanh(1.0), abs=1e-6)


def test_both_builds_learn_the_same_numbers():
    if not compiled():
        pytest.skip("once, in the compiled run")
    native, pure = output_of_both_builds(
        "import hashlib; from tests.learning.test_alphazero import learner_of\n"
        "for spec in ('tictactoe', 'connect4:columns=4,rows=4', 'othello:size=4'):\n"
        "    one = learner_of(spec, simulations=6, opening=2, count=2, length=3); one.play(2)\n"
        "    parts = one.values.arrays() + one.preferences.arrays()\n"
        "    print(spec, hashlib.md5(b''.join(parts)).hexdigest(), one.rng_state, one.positions)"
    )
    assert native == pure and len(set(native.splitlines())) == 3


@pytest.mark.skipif(compiled(), reason="a C function when compiled; both builds get the same numbers")
@pytest.mark.parametrize("shape", [0.4, 3.0])
def test_noise_has_the_moments_of_the_gamma_distribution(shape):
    kernel = kernel_of(registry.game("tictactoe").new())
    kernel.rng_state = 5
    drawn = [alphazero_search.gamma(kernel, shape) for _ in range(4000)]
    assert statistics.fmean(drawn) == pytest.approx(shape, rel=0.1)
    assert statistics.pvariance(drawn) == pytest.approx(shape, rel=0.15)


@pytest.mark.skipif(not compiled(), reason="the same numbers, and slow")
def test_errors_on_tictactoe_reach_zero():
    game = registry.game("tictactoe")
    truth = ground_truth(game, 1)
    learner = learner_of("tictactoe", simulations=50, opening=8)
    untrained = truth.wrong(learner.search_choice)
    learner.play(2000)
    assert untrained > 100
    assert truth.wrong(learner.search_choice) == 0
    assert truth.error(learner.value) < 0.3


def test_game_that_raises_is_reported():
    class Broken(Choice):
        def outcome(self):
            if self.made:
                raise ValueError("no result")
            return None

    def read(kernel):
        return bytes([kernel.position.made])

    tables = [NTuples([(0,)], [range(1)], 4, 1, False, 1000.0, read) for _ in range(2)]
    learner = AlphaZero(kernel_of(Broken()), PolicyTables(*tables, 1.0), 4, 0, 0, 10, 1)
    with pytest.raises(ValueError, match="no result"):
        learner.play(3)
    with pytest.raises(ValueError, match="no result"):
        learner.search_choice([])


def test_moves_are_taken_back_and_results_counted():
    learner = learner_of("connect4:columns=4,rows=4", simulations=5, count=4, length=3)
    before = learner.kernel.key()
    learner.play(5)
    counts = learner.match(9)
    game = learner.greedy_game()
    assert sum(counts) == 9 and learner.kernel.key() == before
    position = registry.game("connect4:columns=4,rows=4").new()
    for move in game:
        position.make(move)
    assert position.outcome() is not None
