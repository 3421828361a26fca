"""The chess correction network: definition, symmetries, files."""

import copy
import random
import zlib
from array import array

import pytest

from gameplay import registry, weights
from gameplay.errors import BadInput
from gameplay.evaluation import select_evaluation
from gameplay.games.chess.correction import SHAPE, SIZE, ChessCorrection
from gameplay.games.chess.evaluation import EVALUATIONS, ChessEvaluation
from gameplay.learning.self_play import random_opening
from gameplay.search.limit import Limit
from tests.support.evaluations import changed_weights

INPUTS, UNITS, OUTPUTS = SHAPE


@pytest.fixture(scope="module")
def random_weights():
    """Random weights."""
    rng = random.Random(7)
    rows = [rng.randint(-60, 60) for _ in range(INPUTS * UNITS)]
    biases = [rng.randint(0, 200) for _ in range(UNITS)]
    outputs = [rng.randint(-900, 900) for _ in range(2 * UNITS * OUTPUTS + OUTPUTS)]
    return array("h", rows + biases + outputs).tobytes()


@pytest.fixture(scope="module")
def evaluation(random_weights):
    """The evaluation `correction` with these weights."""
    return EVALUATIONS["correction"].with_weights(random_weights)


def pieces_of(position):
    """The squares and letters of a board, from its FEN."""
    results = {}
    for up, row in enumerate(reversed(position.fen().split()[0].split("/"))):
        across = 0
        for letter in row:
            if letter.isdigit():
                across += int(letter)
                continue
            results[8 * up + across] = letter
            across += 1
    return results


def boards_of(position):
    """A board as bitboards: kinds and colours."""
    kinds, colours = [0] * 6, [0] * 2
    for square, letter in pieces_of(position).items():
        kinds["pnbrqk".index(letter.lower())] |= 1 << square
        colours[letter.islower()] |= 1 << square
    return kinds, colours


def reference(random_weights, position):
    """The correction by definition, from the FEN, without incremental sums."""
    weights, pieces = array("h", random_weights), pieces_of(position)
    first = INPUTS * UNITS
    number = (len(pieces) - 1) // 8
    total = 256 * weights[first + UNITS + 2 * UNITS * OUTPUTS + number]
    for turn, side in enumerate((position.turn, 1 - position.turn)):  # the mover's side first
        (home,) = [square for square, letter in pieces.items() if letter == "Kk"[side]]
        sums = list(weights[first : first + UNITS])
        for square, letter in pieces.items():
            up, across = divmod(square, 8)
            at = 8 * (7 - up if side else up) + (7 - across if home % 8 >= 4 else across)
            row = 384 * (letter.islower() != side) + 64 * "pnbrqk".index(letter.lower()) + at
            sums = [weight + more for weight, more in zip(sums, weights[UNITS * row :], strict=False)]
        start = first + UNITS + UNITS * (2 * number + turn)
        for unit, weight in zip(sums, weights[start : start + UNITS], strict=True):
            total += min(255, max(0, unit)) ** 2 // 256 * weight
    return total // 4096


def positions(count, seed):
    """Positions in the order of a search: moves made and unmade."""
    rng, position = random.Random(seed), registry.game("chess").new()
    random_opening(position, 30, rng)
    for _ in range(count):
        if position.outcome() is not None or rng.random() < 0.4:
            for _ in range(rng.randint(1, 3)):
                position.unmake()
        position.make(rng.choice(position.moves()))
        if position.outcome() is None:
            yield position


def test_incremental_correction_equals_the_definition(random_weights, evaluation):
    correction, fresh = ChessCorrection(evaluation.numbers), set()
    for position in positions(40, 3):
        expected = reference(random_weights, position)
        assert correction.of(*boards_of(position), position.turn) == expected
        fresh.add(expected)
    assert len(fresh) > 20 and max(fresh) > 0 > min(fresh)


def test_value_is_classic_and_the_correction(random_weights, evaluation):
    classic = ChessEvaluation()
    for position in positions(20, 5):
        kinds, colours = boards_of(position)
        value = classic.value(kinds, colours, position.turn)
        more = reference(random_weights, position) * classic.sums()[3] // 64
        assert evaluation.evaluate(position) == value + more
        assert evaluation.evaluate_for(position, 1 - position.turn) == -evaluation.evaluate(position)
        assert evaluation.parts(position) == {"classic": value, "correction": more}


def test_cached_values_equal_fresh_ones(evaluation):
    """One position object that reaches the same boards again."""
    seen = []
    for position in positions(60, 11):
        position.evaluation = evaluation
        seen.append(position.fen())
        assert position.evaluate() == evaluation.evaluate(registry.game("chess").new(seen[-1]))
    assert len(set(seen)) < len(seen), "no position came again"


def test_values_follow_the_selected_weights(evaluation):
    position, fresh = (registry.game("chess").new("e4 d5 Nc3") for _ in range(2))
    greater = EVALUATIONS["classic"].with_weights(changed_weights(EVALUATIONS["classic"].weights))
    default, others = position.evaluate(), set()
    for other in (evaluation, greater, None):
        position.evaluation = other
        others.add(position.evaluate())
        assert position.evaluate() == (other or EVALUATIONS["correction"]).evaluate(fresh.twin())
    assert position.evaluate() == default
    assert len(others) == 3, "two evaluations have the same value here"


def test_drawish_ending_scales_the_correction(random_weights, evaluation):
    """Two knights cannot force mate: both are scaled to 0."""
    position = registry.game("chess").new("8/8/4k3/8/8/3NNK2/8/8 w - - 0 1")
    assert reference(random_weights, position) != 0
    assert evaluation.parts(position) == {"classic": 0, "correction": 0}


@pytest.mark.parametrize(
    "fen",
    [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
        "8/5pk1/6p1/3R4/r7/5KP1/5P2/8 b - - 0 40",
        "6k1/1p3ppp/p7/8/3N4/1P3bP1/P4P1P/6K1 w - - 0 30",
    ],
)
def test_mirrored_positions_have_the_same_value(evaluation, fen):
    board, turn = fen.split()[:2]
    rows = board.split("/")
    wings = "/".join(row[::-1] for row in rows)
    colours = "/".join(reversed(rows)).swapcase()
    values = {
        evaluation.evaluate(registry.game("chess").new(f"{pieces} {mover} - - 0 1"))
        for pieces, mover in ((board, turn), (wings, turn), (colours, "wb"[turn == "w"]))
    }
    assert len(values) == 1


def test_search_with_zero_correction_equals_classic(tmp_path):
    weights.write(EVALUATIONS["correction"].with_weights(bytes(SIZE)), tmp_path / "weights.toml")
    reports = [
        registry.engine(f"selective:eval={name}")[0].search(registry.game("chess").new(), Limit(depth=3))
        for name in ("classic", tmp_path / "weights.toml")
    ]
    assert (reports[0].value, reports[0].nodes, reports[0].pv) == (
        reports[1].value,
        reports[1].nodes,
        reports[1].pv,
    )


# -- files -----------------------------------------------------------------------------------------------


def test_network_belongs_to_the_weights_that_it_corrects(evaluation):
    """A file learned with other weights of `classic` is refused by its checksum."""
    other = copy.copy(evaluation)
    tempo = {"tempo": ((1, 1),)}
    other.classic = evaluation.classic.with_weights(dict(evaluation.classic.weights) | tempo)
    assert other.weights == evaluation.weights and other.checksum != evaluation.checksum


def test_file_of_another_size_is_refused_in_one_line(tmp_path):
    path = tmp_path / "weights.toml"
    weights.write(EVALUATIONS["correction"], path)
    path.with_suffix(".bin").write_bytes(zlib.compress(bytes(SIZE - 2)))
    with pytest.raises(BadInput, match=f"{SIZE - 2} bytes of weights; correction has {SIZE}"):
        select_evaluation(str(path), registry.game("chess").new())
