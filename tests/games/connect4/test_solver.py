"""The Connect Four solver: published scores and values, and pruning against full search."""

import random

import pytest

from benchmarks.solver import load_sets
from gameplay.adapter import kernel_of
from gameplay.errors import Usage
from gameplay.games.connect4.solver import Connect4Solver
from gameplay.kernel import compiled
from gameplay.registry import game
from gameplay.search.control import Control
from gameplay.value import INF, WIN, delay
from tests.support.polling import PollRecorder, polls

# Boards of so many columns and rows: who wins (1 the first player), and with which stone; 0 a draw.
# Source: John Tromp, John's Connect Four Playground; the last stones as in Christophe Steininger's table.
BOARDS = {
    (4, 4): (0, 16),
    (5, 4): (0, 20),
    (4, 5): (0, 20),
    (6, 4): (-1, 24),
    (5, 5): (0, 25),
    (4, 6): (0, 24),
    (7, 4): (0, 28),
    (6, 5): (0, 30),
    (5, 6): (0, 30),
    (4, 7): (0, 28),
    (4, 8): (0, 32),
}
LARGE = 16  # cells of a board that the uncompiled solver takes a second for


def score(value, count, cells=42):
    """A value as a score of the test sets: 1 for a win with the last stone, 2 with the one before."""
    score = (cells + 2 - count - (WIN - abs(value))) // 2 if value else 0
    return score if value > 0 else -score


def published_scores(take):
    """Every n-th position of each set: the moves and the score."""
    sets = load_sets()
    assert [len(rows) for rows in sets.values()] == [1000] * 5
    return {name: rows[:: take[name]] for name, rows in sets.items() if name in take}


def test_published_scores():
    take = {"end-easy": 10, "middle-easy": 10, "middle-medium": 20, "begin-easy": 20, "begin-medium": 200}
    if not compiled():
        take = {"end-easy": 20, "middle-easy": 200}
    solver = Connect4Solver(7, 6, 20 if compiled() else 12)
    for rows in published_scores(take).values():
        for moves, right in rows:
            assert score(solver.value(game("connect4").new(moves)), len(moves)) == right, moves


def random_positions(of, rng, number, plies):
    """`count` unfinished positions after `plies()` random moves each."""
    while number:
        position = of.new()
        for _ in range(plies()):
            if position.outcome() is None:
                position.make(rng.choice(position.moves()))
        if position.outcome() is None:
            number -= 1
            yield position


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"{board[0]}x{board[1]}")
def test_boards_have_their_published_values(board):
    columns, rows = board
    if not compiled() and columns * rows > LARGE:
        return
    winner, last = BOARDS[board]
    value = Connect4Solver(columns, rows, 20).value(game(f"connect4:columns={columns},rows={rows}").new())
    assert value == (winner * (WIN - last) if winner else 0)


def full(position, expected):
    """The value by full search, wins by distance; results are stored by key."""
    payoffs = position.outcome()
    if payoffs is not None:
        return WIN * ((payoffs[position.turn] > 0) - (payoffs[position.turn] < 0))
    key = position.key()
    if key not in expected:
        best = -INF
        for move in position.moves():
            position.make(move)
            best = max(best, delay(-full(position, expected)))
            position.unmake()
        expected[key] = best
    return expected[key]


SMALL = (
    (4, 4, 5),
    (5, 4, 9),
    (4, 5, 9),
    (3, 6, 7),
    (6, 3, 9),
    (7, 3, 12),
    (5, 5, 15),
    (6, 5, 20),
    (7, 6, 31),
)


@pytest.mark.parametrize("columns, rows, plies", SMALL)
def test_every_position_has_the_value_of_full_search(columns, rows, plies):
    """Random positions on boards with even and odd columns, also with windows."""
    rng = random.Random(100 * columns + rows)
    of = game(f"connect4:columns={columns},rows={rows}")
    solver, values = Connect4Solver(columns, rows, 14), {}
    few = 0 if compiled() else 3
    for position in random_positions(
        of, rng, 150 if compiled() else 12, lambda: plies + rng.randrange(5) + few
    ):
        value = full(position, values)
        assert solver.value(position) == value, position.text()
        low, high = sorted(rng.sample(range(-5, 6), 2))
        for sign in (-1, 0, 1):
            under, over = low + sign * (WIN - 9), high + sign * (WIN - 9)
            number = Connect4Solver(columns, rows, 8).value(position, under, over)
            assert (
                number == value
                if under < value < over
                else number <= under
                if value <= under
                else number >= over
            )
        assert solver.result(position) == (value > 0) - (value < 0)


@pytest.mark.parametrize("columns, rows", [(9, 6), (7, 8), (21, 2), (31, 1)])
def test_keys_of_nearly_63_bits_find_their_own_entries(columns, rows):
    """With the smallest table of such a board: 40 bits distinguish entries of a bucket."""
    of, rng = game(f"connect4:columns={columns},rows={rows}"), random.Random(columns)
    solver, values = Connect4Solver(columns, rows, 4), {}
    assert solver.bits - solver.size < 40
    plies = columns * rows - (10 if compiled() else 7)
    for position in random_positions(of, rng, 40 if compiled() else 4, lambda: plies):
        value = full(position, values)
        assert solver.value(position) == value, position.text()


@pytest.mark.parametrize(
    ("columns", "rows", "plies", "nodes"),
    [(4, 4, 4, 944), (5, 5, 9, 3588), (6, 5, 13, 3333), (5, 7, 16, 1171), (8, 6, 25, 5520), (7, 6, 22, 1795)],
)
def test_both_builds_search_the_same_positions(columns, rows, plies, nodes):
    """Node counts equal the stored ones: they depend on pruning, ordering and the table."""
    rng, of = random.Random(9), game(f"connect4:columns={columns},rows={rows}")
    solver, count = Connect4Solver(columns, rows, 8), 0
    while count < 12:
        position = of.new()
        for _ in range(plies + rng.randrange(4)):
            if position.outcome() is None:
                position.make(rng.choice(position.moves()))
        if position.outcome() is None:
            count += 1
            if count % 3 == 0:
                solver.forget()
            solver.value(position, *((-INF, INF) if count % 2 else (-2, WIN - 9)))
    assert solver.nodes == nodes


def test_solver_nodes_of_published_positions_equal_the_stored_ones():
    solver = Connect4Solver(7, 6, 12)
    for moves, _ in published_scores({"middle-easy": 60})["middle-easy"]:
        solver.forget()
        solver.value(game("connect4").new(moves))
    assert solver.nodes == NODES


NODES = 2087


def test_solver_table_finds_and_replaces_entries():
    solver = Connect4Solver(7, 6, 14)
    position = game("connect4").new("274552224131661")
    value = solver.value(position)
    first = solver.nodes
    assert solver.value(position) == value and solver.nodes - first < first / 10
    mirror = game("connect4").new("".join(str(8 - int(column)) for column in "274552224131661"))
    before = solver.nodes
    assert solver.value(mirror) == value and solver.nodes - before < first / 10
    for _ in range(300):  # the generations begin again at the 256th
        solver.forget()
    before = solver.nodes
    assert solver.value(position) == value and solver.nodes - before == first


@pytest.mark.once
def test_solver_stops_on_request():
    solver = Connect4Solver(7, 6, 14)
    solver.node_limit = 1000
    assert solver.value(game("connect4").new()) is None
    assert solver.nodes == 1000
    solver.node_limit = 0
    solver.control = Control()
    solver.control.halt("interrupted")
    assert solver.value(game("connect4").new()) is None
    solver.control = None
    position = game("connect4").new("274552224131661")
    assert solver.value(position) == Connect4Solver(7, 6, 10).value(position)


@pytest.mark.skipif(compiled(), reason="compiled it asks every so many nodes more")
def test_solver_polls_at_once_and_then_at_intervals():
    solver = Connect4Solver(5, 5, 10)
    solver.control = control = PollRecorder(solver)
    solver.value(game("connect4:columns=5,rows=5").new("3"))
    assert len(control.nodes) > 3 and control.nodes == polls(solver.nodes, solver.interval)


def test_boards_that_are_too_large_are_refused():
    with pytest.raises(Usage, match="the solver needs a board of at most 63 bits; 8x7 has 64"):
        Connect4Solver(8, 7)
    assert game("connect4:columns=8,rows=7").new().solver(10) is None
    assert game("connect4:connect=3").new().solver(10) is None


def test_boards_with_a_solver() -> None:
    known = {
        spec: kernel_of(game(spec).new()).solver(4)
        for spec in (
            "connect4",
            "connect4:columns=4,rows=4",
            "connect4:connect=3",
            "connect4:columns=9,rows=7",
        )
    }
    assert [spec for spec, solver in known.items() if isinstance(solver, Connect4Solver)] == list(known)[:2]
    assert known["connect4:connect=3"] is None and known["connect4:columns=9,rows=7"] is None
