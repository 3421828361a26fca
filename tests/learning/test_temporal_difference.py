"""TD(lambda) with n-tuples: its corrections, known values, and the same numbers in both builds."""

import math
import random

import pytest

from gameplay import Limit, registry
from gameplay.adapter import kernel_of
from gameplay.errors import Usage
from gameplay.evaluation import FunctionEvaluation
from gameplay.learning.exploration import choose_tuples, explore, symmetries
from gameplay.learning.temporal_difference import TemporalDifference
from gameplay.native.packing import pack
from gameplay.ntuples.cells import Cells
from gameplay.ntuples.learned import goal_of
from gameplay.ntuples.reader import cell_codes
from gameplay.ntuples.tables import NTuples
from gameplay.ntuples.weights import NTupleEvaluation, tables_of
from tests.support.builds import output_of_both_builds
from tests.support.learning_games import FirstWins, RandomWalk, check_walk

SPECS = [
    "tictactoe",
    "connect4",
    "connect4:columns=5,rows=4",
    "othello:size=6",
    "checkers",
    "go:size=5",
    "chess",
]


def trainer_of(spec, decay=0.5, explore_share=0.1, seed=1, **options):
    game = registry.game(spec)
    cells, varying = explore(game, seed)
    names = symmetries(game, cells, seed)
    position = game.new()
    tables = tables_of(cells, names, choose_tuples(game, cells, varying, seed, **options), position)
    goal = goal_of(position)
    return TemporalDifference(kernel_of(position), tables, decay, explore_share, goal, 400, seed)


def tables_for(game, tuples, codes, cells, images=None):
    """Tables over the key of a Python game, a number below `codes` for each cell."""

    def read(kernel):
        key = kernel.position.key()
        return bytes(key if isinstance(key, tuple) else [key])

    return NTuples(tuples, images or [range(cells)], codes, cells, game.chance, 1000.0, read)


def test_corrections_are_the_gradient_by_finite_differences():
    """One position of three weights learns from the result 1: each changes by error times derivative."""

    class Three(FirstWins):
        def key(self):
            return (self.ply, 1, 2)

        def outcome(self):
            return (1, -1) if self.ply == 1 else None

    game = Three()
    tables = tables_for(game, [(0,), (1,), (2,)], 3, 3)
    weights = tables.weights_owner
    places = [0, 4, 8]  # the first player moves: no weights before
    for place, weight in zip(places, (0.3, -0.2, 0.4), strict=True):
        weights[place] = weight
    kernel = kernel_of(game)
    value, step = tables.of(kernel), 1e-3
    assert value == pytest.approx(math.tanh(0.5), abs=1e-7)
    slopes = []
    for place in places:
        weights[place] += step
        above = tables.of(kernel)
        weights[place] -= 2 * step
        slopes.append((above - tables.of(kernel)) / (2 * step))
        weights[place] += step
    before = list(weights)
    TemporalDifference(kernel, tables, 0.0, 0.0, 1.0, 10, 1).play(1)
    changes = [new - old for new, old in zip(weights, before, strict=True)]
    for place, slope in zip(places, slopes, strict=True):
        assert changes[place] == pytest.approx((1 - value) * slope / 3, rel=1e-3)
    assert sum(change != 0 for change in changes) == 3


@pytest.mark.parametrize("decay", [0.0, 0.5, 1.0])
def test_lambda_is_the_share_that_the_position_before_learns(decay):
    class Ply(FirstWins):
        def key(self):
            return self.ply

    tables = tables_for(Ply(), [(0,)], 3, 1)
    TemporalDifference(kernel_of(Ply()), tables, decay, 0.0, 1.0, 10, 1).play(1)
    first, second = tables.weights_owner[0], tables.weights_owner[3 + 1]
    assert second == pytest.approx(1.0), "it was 0 and learned the result, 1, at rate 1"
    assert first == pytest.approx(decay), "of its successor nothing was to be learned: that was 0"


def test_lambda_near_1_reaches_back_to_the_start_and_no_further():
    """The positions updated are as many as a game has plies, fewer than lambda alone would give."""
    tables = tables_for(FirstWins(), [(0,)], 3, 1)
    reaches = [
        TemporalDifference(kernel_of(FirstWins()), tables, decay, 0.0, 1.0, 10, 1)
        for decay in (0.0, 0.1, 0.9999999, 1.0)
    ]
    assert [len(reache.indices_owner) for reache in reaches] == [1, 3, 11, 11]


def test_values_of_a_random_walk():
    game = RandomWalk()
    tables = tables_for(game, [(0,)], 7, 1)
    TemporalDifference(kernel_of(game), tables, 0.3, 0.0, 1.0, 1000, 5).play(800)
    check_walk(tables.of)


@pytest.mark.once
def test_both_builds_learn_the_same_numbers():
    native, pure = output_of_both_builds(
        "import hashlib; from tests.learning.test_temporal_difference import trainer_of\n"
        "for spec in ('tictactoe', 'connect4', 'pig:goal=20'):\n"
        "    learner = trainer_of(spec, count=8, length=3); learner.play(12)\n"
        "    print(spec, hashlib.md5(bytes(learner.ntuples.weights_owner)).hexdigest(), learner.rng_state)"
    )
    assert native == pure and len(set(native.splitlines())) == 3


def test_a_seed_decides_what_is_learned():
    digests = []
    for seed in (1, 1, 2):
        learner = trainer_of("tictactoe", seed=seed)
        learner.play(30)
        digests.append(bytes(learner.ntuples.weights_owner))
    assert digests[0] == digests[1] != digests[2]


def test_moves_are_taken_back_and_results_counted():
    learner = trainer_of("connect4:columns=4,rows=4", count=4, length=3)
    before = learner.kernel.key()
    learner.play(5)
    counts = learner.match(9)
    assert learner.kernel.key() == before and sum(counts) == 9
    game = learner.greedy_game()
    position = registry.game("connect4:columns=4,rows=4").new()
    for move in game:
        assert position.outcome() is None
        position.make(move)
    assert position.outcome() is not None


def test_an_error_of_the_game_is_raised_and_moves_are_undone():
    class Broken(FirstWins):
        def outcome(self):
            if self.ply == 2:
                raise ValueError("no result")
            return None

        def key(self):
            return self.ply

    learner = TemporalDifference(
        kernel_of(Broken()), tables_for(Broken(), [(0,)], 3, 1), 0.5, 0.0, 1.0, 10, 1
    )
    with pytest.raises(ValueError, match="no result"):
        learner.play(3)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "checkers"])
def test_compiled_search_with_learned_weights_equals_python(spec):
    """The value, line and nodes are equal whether the tables are in C or behind a Python function."""
    game = registry.game(spec)
    learner = trainer_of(spec, count=6, length=3)
    learner.play(3)
    cells, varying = explore(game, 1)
    tuples = tuple(choose_tuples(game, cells, varying, 1, 6, 3))
    packed = pack(learner.ntuples.weights_owner, 5000.0)
    learned = NTupleEvaluation(cells, tuple(symmetries(game, cells, 1)), tuples, False, 5000.0, packed)
    reports = []
    for evaluation in (learned, FunctionEvaluation("plain", learned.evaluate)):
        position = game.new()
        for number in (1, 0, 2, 1):
            position.make(position.moves()[number % len(position.moves())])
        position.evaluation = evaluation
        report = registry.engine("alphabeta")[0].search(position, Limit(depth=2))
        reports.append((position.evaluate(), report.value, report.pv, report.nodes))
    assert reports[0] == reports[1] and reports[0][0]


# -- cells -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_read_cells_writes_what_the_board_shows(spec):
    game, rng = registry.game(spec), random.Random(spec)
    position = game.new()
    assert position.cell_shape == (len(position.board().cells), len(position.board().cells[0]))
    for _ in range(25):
        if position.outcome() is not None:
            break
        shown = [letter or "" for row in position.board().cells for letter in row]
        assert [position.cell_letters[code] for code in cell_codes(position)] == shown
        position.make(rng.choice(list(position.moves())))


def test_cells_of_connect4_show_where_discs_land():
    position = registry.game("connect4").new("44")
    landing = [place for place, code in enumerate(cell_codes(position)) if code == 3]
    assert landing == [24, *range(35, 38), *range(39, 42)]


def test_cells_of_backgammon_count_the_men():
    """At the start each side has 2 on 24, 5 on 13, 3 on 8 and 5 on 6, from its own view."""
    codes = cell_codes(registry.game("backgammon").new())
    assert {place: code for place, code in enumerate(codes) if code} == {
        24: 2, 13: 4, 8: 3, 6: 4, 1: 6, 12: 8, 17: 7, 19: 8,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("tictactoe", 8),
        ("connect4:columns=4,rows=3", 2),
        ("othello:size=4", 4),
        ("checkers", 1),
        ("go:size=3", 8),
    ],
)
def test_symmetries_are_those_of_the_board(spec, count):
    """Eight of a square, two with gravity, four of Othello's start, one of draughts, where men advance."""
    game = registry.game(spec)
    cells, _ = explore(game, 1)
    maps = symmetries(game, cells, 1)
    assert len(maps) == count and maps[0] == "identity"


def test_images_of_a_symmetry_are_permutations():
    for rows, columns, count in ((3, 3, 8), (2, 3, 4), (1, 4, 4)):
        images = list(Cells("board", ("",), rows, columns).images())
        assert len(images) == count == len({name for name, _ in images})
        assert all(sorted(image) == list(range(rows * columns)) for _, image in images)


def test_tuples_are_connected_and_of_one_length():
    game = registry.game("connect4")
    cells, varying = explore(game, 1)
    for tuple in choose_tuples(game, cells, varying, 3, 10, 6):
        assert len(set(tuple)) == 6
        for number, place in enumerate(tuple[1:], 1):
            row, column = divmod(place, 7)
            assert any(
                max(abs(row - y), abs(column - x)) == 1
                for y, x in (divmod(other, 7) for other in tuple[:number])
            )
    with pytest.raises(Usage, match="a tuple of 12 cells is too long: connect4 has 42 cells"):
        choose_tuples(game, cells, varying, 1, 3, 12)
