"""TD(lambda) with networks: its targets, known values, inputs, and the same numbers in both builds."""

import hashlib
import math
import random

import pytest

from gameplay import CHANCE, Position, registry, undoable
from gameplay.adapter import kernel_of
from gameplay.capabilities import HasNetworkInputs
from gameplay.games.backgammon import identity
from gameplay.games.backgammon.inputs import BackgammonInputs
from gameplay.kernel import compiled
from gameplay.learning.expected_td import ExpectedTd
from gameplay.learning.network_td import NetworkTd
from gameplay.networks.cell_inputs import CellInputs
from gameplay.networks.estimator import NetworkEstimator
from gameplay.networks.network import Network
from gameplay.ntuples.cells import Cells
from tests.support.builds import output_of_both_builds
from tests.support.learning_games import FirstWins, RandomWalk, check_walk


def learner_of(game, cells, codes, read, decay=0.5, hidden=(5,), rate=0.05, plies=100, levels=1):
    """A learner of a Python game whose cells `read(position)` returns. `decay` None: expected updates."""

    def reader(kernel):
        return bytes(read(kernel.position))

    inputs = CellInputs(cells, codes, [range(cells)], reader)
    network = Network((inputs.count, *hidden, 2 * levels), seed=3)
    estimator = NetworkEstimator(network, inputs, 1000.0)
    if decay is None:
        return ExpectedTd(kernel_of(game), estimator, 0.0, 1.0, plies, 7, rate)
    return NetworkTd(kernel_of(game), estimator, decay, 0.0, 1.0, plies, 7, rate)


def backgammon_learner(hidden=(6,), decay=0.5, rate=0.03, seed=1):
    position = registry.game("backgammon").new()
    inputs = position.network_inputs()
    estimator = NetworkEstimator(Network((inputs.count, *hidden, 6), seed), inputs, 3000.0)
    return NetworkTd(kernel_of(position), estimator, decay, 0.0, 3000.0, 400, seed, rate)


def probabilities(network, inputs):
    return [1 / (1 + math.exp(-logit)) for logit in network.of(inputs)]


class ThreePlies(FirstWins):
    plies = 3


@pytest.mark.parametrize("decay", [0.0, 0.3, 1.0])
def test_a_game_teaches_the_lambda_returns_from_the_last_position_to_the_first(decay):
    learner = learner_of(ThreePlies(), 1, 4, lambda position: [position.ply], decay)
    network, other = learner.estimator.network, Network(learner.estimator.network.sizes, seed=3)
    rows = []
    for ply in range(3):
        turn = (4 + ply % 2, 1.0)
        rows.append([(ply, 1.0), turn] if ply else [turn])
    outputs = [probabilities(other, row) for row in rows]
    targets = [[1.0, 0.0]]
    for later in (outputs[2], outputs[1]):
        targets.append([(1 - decay) * p + decay * t for p, t in zip(later, targets[-1], strict=True)])
    for row, target in zip(reversed(rows), targets, strict=True):
        slopes = [p - t for p, t in zip(probabilities(other, row), target, strict=True)]
        other.descend(row, slopes, 0.05)
    learner.play(1)
    assert learner.positions == 3
    assert list(network.weights_owner) == pytest.approx(list(other.weights_owner), abs=1e-7)


def test_a_game_that_is_cut_off_teaches_all_but_its_last_position():
    learner = learner_of(ThreePlies(), 1, 4, lambda position: [position.ply], plies=2)
    learner.play(1)
    assert learner.positions == 2


@pytest.mark.parametrize("decay", [0.0, 0.8])
def test_values_of_a_random_walk(decay):
    learner = learner_of(RandomWalk(), 1, 7, lambda position: [position.place], decay, hidden=(4,), rate=0.3)
    for rate in (0.3, 0.1, 0.03):
        learner.rate = rate
        learner.play(120)
    check_walk(learner.estimator.of)


class BestOfTwo(Position):
    """A coin with heads in 3 of 10 tosses; after heads the player wins, or loses by a mistake."""

    chance = True
    odds = (0.3, 0.7)

    def __init__(self):
        super().__init__()
        self.turn, self.tossed, self.chosen = CHANCE, None, None

    def moves(self):
        return [0, 1]

    def chances(self):
        return list(self.odds)

    @undoable
    def make(self, move):
        if self.turn == CHANCE:
            self.tossed, self.turn = move, 0
        else:
            self.chosen = move

    def outcome(self):
        if self.chosen is None:
            return None
        return (1, -1) if (self.tossed, self.chosen) == (0, 1) else (-1, 1)

    def key(self):
        return 3 * (self.tossed is not None) + 2 * (self.tossed or 0)


def errors_of(decay):
    """The distance of the value of the toss from its mean, 0.3 - 0.7, after each of 20 games."""
    learner = learner_of(BestOfTwo(), 1, 7, lambda position: [position.key()], decay, hidden=(4,), rate=0.3)
    learner.play(300)
    errors = []
    for _ in range(20):
        learner.play(1)
        errors.append(abs(learner.estimator.of(kernel_of(BestOfTwo())) + 0.4))
    return errors


def test_expected_updates_learn_the_mean_over_all_rolls_without_its_noise():
    assert max(errors_of(None)) < 0.05
    assert max(errors_of(0.0)) > 0.2  # as much as one toss teaches


def test_expected_updates_of_a_random_walk():
    learner = learner_of(RandomWalk(), 1, 7, lambda position: [position.place], None, hidden=(4,), rate=0.3)
    learner.play(150)
    walk = RandomWalk()
    for place in range(1, 6):
        walk.place = place
        assert learner.estimator.of(kernel_of(walk)) == pytest.approx(place / 3 - 1, abs=0.05), place


def test_expected_update_of_a_roll_at_backgammon_is_the_mean_of_the_best_replies():
    """One game of one position: a step from the network's value to the mean computed by a slow loop."""
    position = registry.game("backgammon").new()
    inputs = position.network_inputs()

    def learner():
        estimator = NetworkEstimator(Network((inputs.count, 6, 6), 5), inputs, 3000.0)
        return ExpectedTd(kernel_of(position), estimator, 0.0, 3000.0, 1, 1, 0.5)

    position.lay_out([2, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 2])
    taught, estimator = learner(), learner().estimator
    mean = [0.0] * 6
    for odds, roll in zip(position.chances(), position.moves(), strict=True):
        position.make(roll)
        replies = []
        for move in position.moves():
            position.make(move)
            if position.outcome():
                own = position.outcome()[0]
                chances = [float(own >= k) for k in (1, 2, 3)] + [float(-own >= k) for k in (1, 2, 3)]
            else:
                theirs = probabilities(estimator.network, inputs.of(position))
                chances = theirs[3:] + theirs[:3]
            replies.append((sum(chances[:3]) - sum(chances[3:]), chances))
            position.unmake()
        position.unmake()
        best = max(replies, key=lambda reply: reply[0])[1]
        mean = [total + odds * chance for total, chance in zip(mean, best, strict=True)]
    row = inputs.of(position)
    before = probabilities(estimator.network, row)
    estimator.network.descend(row, [p - t for p, t in zip(before, mean, strict=True)], 0.5)
    taught.play(1)
    assert taught.positions == 1
    weights = list(estimator.network.weights_owner)
    assert list(taught.estimator.network.weights_owner) == pytest.approx(weights, abs=1e-6)


# -- inputs ----------------------------------------------------------------------------------------------


def test_inputs_of_the_start_of_backgammon():
    """Each side: 2 checkers on 24, 5 on 13, 3 on 8 and 5 on 6, four inputs a point (Tesauro 1992)."""
    inputs = registry.game("backgammon").new().network_inputs()
    side = {
        **{92: 1.0, 93: 1.0},
        **{48: 1.0, 49: 1.0, 50: 1.0, 51: 1.0},
        **{28: 1.0, 29: 1.0, 30: 1.0},
        **{20: 1.0, 21: 1.0, 22: 1.0, 23: 1.0},
    }
    expected = side | {98 + index: amount for index, amount in side.items()}
    position = registry.game("backgammon").new()
    plain = BackgammonInputs(plain=True)
    assert plain.count == 196 and dict(plain.of(position)) == expected
    assert inputs.count == 4 * 196 + 24
    checkers = {index: amount for index, amount in inputs.of(position) if index < 4 * 196}
    assert checkers == {3 * 196 + index: amount for index, amount in expected.items()}


@pytest.mark.parametrize(
    ("own", "other", "phase"),
    [
        ({24: 1, 6: 14}, {24: 1, 6: 14}, 3),
        ({25: 1, 5: 14}, {19: 1, 4: 14}, 3),  # the bar; the first point of the home board
        ({24: 1, 6: 14}, {18: 1, 6: 14}, 2),
        ({18: 1, 6: 14}, {24: 1, 6: 14}, 1),
        ({18: 1, 6: 14}, {18: 1, 6: 14}, 0),  # contact, but none is behind
        ({20: 15}, {4: 15}, 0),  # passed
        ({20: 15}, {6: 15}, 2),
        ({1: 2}, {1: 2}, 0),
    ],
)
def test_phases_of_backgammon(own, other, phase):
    """`own`, `other`: the checkers by point of the player on roll and of the opponent."""
    sides = [
        [15 - sum(checkers.values()), *[checkers.get(point, 0) for point in range(1, 26)]]
        for checkers in (other, own)
    ]
    position = registry.game("backgammon").new(identity.position_id(*sides))
    rows = [(index, amount) for index, amount in position.network_inputs().of(position) if index < 4 * 196]
    assert {index // 196 for index, _ in rows} == {phase}
    assert [(index % 196, amount) for index, amount in rows] == BackgammonInputs(plain=True).of(position)


def test_inputs_of_backgammon_are_those_of_the_player_on_roll():
    """In a bearoff the player to roll has 2 checkers on point 6, the opponent one on 1 and one on the bar."""
    rng, position = random.Random(5), registry.game("backgammon").new()
    inputs, most = position.network_inputs(), 0
    for _ in range(150):
        if position.outcome() is not None:
            break
        rows = inputs.of(position)
        results = {index % 196: amount for index, amount in rows if index < 4 * 196}
        most = max(most, len(rows))
        mover = position.on_roll
        for number, player in enumerate((mover, 1 - mover)):
            off, *points, bar = position.checkers(player)
            for point, checkers in enumerate(points, 1):
                units = [results.get(98 * number + 4 * point - 4 + unit, 0) for unit in range(4)]
                assert units == [checkers >= 1, checkers >= 2, checkers >= 3, max(0, checkers - 3) / 2]
            assert results.get(98 * number + 96, 0) == bar / 2
            assert results.get(98 * number + 97, 0) == pytest.approx(off / 15)
        moves = list(position.moves())
        position.make(rng.choice(moves))
    assert 0 < most <= inputs.most


def test_cell_inputs_contain_cells_and_turn():
    game = registry.game("tictactoe")
    inputs = CellInputs(9, 3, [range(9)])
    position = game.new()
    assert not isinstance(position, HasNetworkInputs)
    assert inputs.of(position) == [(27, 1.0)]
    for word in ("a1", "c3"):
        position.make(position.parse(word))
    codes = Cells("native", ("", "X", "O"), 3, 3).of(position)
    expected = [(3 * place + code, 1.0) for place, code in enumerate(codes) if code]
    assert len(expected) == 2 and inputs.of(position) == [*expected, (27, 1.0)]


@pytest.mark.skipif(compiled(), reason="calls a C slot")
def test_a_symmetry_moves_inputs_as_it_moves_cells():
    cells = Cells("native", ("", "X", "O"), 3, 3)
    images = dict(cells.images())
    inputs = CellInputs(9, 3, list(images.values()))
    codes = [1, 2, 0, 0, 1, 0, 2, 0, 0]
    row = [3 * place + code for place, code in enumerate(codes) if code] + [28]
    for number, image in enumerate(images.values()):
        moved = list(row)
        inputs.reflect(moved, len(moved), number)
        expected = [3 * place + codes[cell] for place, cell in enumerate(image) if codes[cell]]
        assert sorted(moved) == [*sorted(expected), 28]


# -- learning --------------------------------------------------------------------------------------------


def digest_of_learning():
    """The digest of the weights after a few games with both kinds of inputs."""
    bits = []
    learner = backgammon_learner((3,))
    learner.play(2)
    bits.append(learner)
    game, images = registry.game("tictactoe"), dict(Cells("native", ("", "X", "O"), 3, 3).images())
    inputs = CellInputs(9, 3, list(images.values()))
    estimator = NetworkEstimator(Network((inputs.count, 4, 3, 2)), inputs, 1000.0)
    learner = NetworkTd(kernel_of(game.new()), estimator, 0.5, 0.2, 1.0, 400, 3, 0.1)
    learner.play(10)
    bits.append(learner)
    content = b"".join([bytes(bit.estimator.network.weights_owner) for bit in bits])
    return hashlib.sha256(content).hexdigest(), [bit.rng_state for bit in bits]


@pytest.mark.once
def test_both_builds_learn_the_same_bits():
    code = "from tests.learning import test_network_td as module; print(module.digest_of_learning())"
    printed = output_of_both_builds(code)
    assert printed[0] == printed[1] and printed[0]


@pytest.mark.skipif(not compiled(), reason="takes a minute in plain Python")
def test_network_learns_to_beat_random_moves_at_backgammon():
    learner = backgammon_learner((10,), rate=0.1)
    learner.play(800)
    wins, _, losses = learner.match(60)
    assert wins > 50, (wins, losses)


def test_probabilities_are_of_the_player_on_roll_and_sum_up_to_points():
    """Gains count for the player described by the inputs: 3 levels of 1000 points each."""
    position = registry.game("backgammon").new()
    estimator = backgammon_learner().estimator
    for mine, theirs in (([2, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 2]), ([0, 0, 3, 0, 0, 1], [1, 0, 0, 0, 0, 0])):
        position.lay_out(mine, theirs)
        chances = probabilities(estimator.network, estimator.inputs.of(position))
        points = 1000 * (sum(chances[:3]) - sum(chances[3:]))
        own = 1 if position.on_roll == 0 else -1
        assert estimator.value_of(position) == math.floor(own * points + 0.5)
