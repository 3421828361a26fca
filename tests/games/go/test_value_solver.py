"""The Go value solver with histories and komi, against exhaustive search; and its use by engines."""

import random

import pytest

from gameplay.games.go.solver import GoSolver
from gameplay.games.go.value_solver import GoValueSolver
from gameplay.kernel import compiled
from gameplay.registry import engine, game
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.value import INF, TB_WIN
from tests.games.go.test_solver import Rules
from tests.games.go.test_solver_history import Lines, SearchTooLarge


def lead_by_all_lines(position):
    """The area lead that Black can force, by the test's own rules."""
    lines = Lines(Rules(position.columns, position.rows), 200)
    stones, passed, _, past = position.solver_state()
    flat = [tuple(stone for row in reversed(rows) for stone in row) for rows in (stones, *past)]
    return lines.value(flat[0], "XO"[position.turn], passed, frozenset(flat))


def games(spec, count, rng):
    """Positions of random games, passes included, that are small enough for exhaustive search."""
    while count:
        position = game(spec).new()
        for _ in range(rng.randrange(1, 12)):
            if position.outcome() is None:
                position.make(rng.choice(position.moves()))
        if position.outcome() is not None:
            continue
        try:
            lead = lead_by_all_lines(position)
        except SearchTooLarge:
            continue
        count -= 1
        yield position, lead


@pytest.mark.parametrize("board", ["columns=2,rows=1", "columns=3,rows=1", "columns=4,rows=1", "size=2"])
def test_values_equal_exhaustive_search(board):
    """With histories, whole and half komi, by points and by the winner, with any window."""
    rng = random.Random(board)
    seen = set()
    for komi in ("0", "1", "-2", "0.5", "2.5"):
        for goal in ("points", "win"):
            spec = f"go:{board},komi={komi},goal={goal}"
            solver = game(spec).new().solver(12)
            assert isinstance(solver, GoValueSolver)
            for position, lead in games(spec, 2, rng):
                margin = lead - float(komi)
                right = round(10 * margin) if goal == "points" else TB_WIN * ((margin > 0) - (margin < 0))
                right = -right if position.turn else right
                assert solver.value(position) == right, (spec, position.text())
                low = rng.choice((-INF, -20, -10, -1, 0, right - 1))
                value = solver.value(position, low, low + 1 + rng.randrange(30))
                assert value <= low if right <= low else value == right or value > low
                seen.add((right > 0) - (right < 0))
    assert seen >= {-1, 1}


def test_bounds_outside_the_window():
    """An empty 3x2 board is even by area; windows on each side of it, with a komi between two leads."""
    position = game("go:columns=3,rows=2,komi=0.5,goal=points").new()
    solver = position.solver(14)
    assert solver.value(position) == -5
    assert solver.value(position, -5, -4) <= -5 < solver.value(position, -6, -5) + 1
    assert solver.value(position, 0, 1) <= 0 and solver.value(position, -11, -10) >= -10


def test_ko_of_a_set_up_position():
    """Black has just captured A1; the ko stands for the earlier board, which the position's text lacks."""
    new = game("go:columns=4,rows=1,komi=0,goal=points").new
    banned, free = (new().solver(8).value(new(text)) for text in (".XO. white ko=A1", ".XO. white"))
    rows, before = [["", "X", "O", ""]], [[["O", "", "O", ""]]]
    with_past, without = (
        max(lead for lead in range(-4, 5) if GoSolver(4, 1).proves(rows, 1, 0, lead, True, False, 0, past))
        for past in (before, [])
    )
    assert (banned, free) == (-10 * with_past, -10 * without) and banned < free


@pytest.mark.parametrize(
    ("spec", "value"), [("3,rows=2,komi=0", 0), ("3,rows=2,komi=1", -TB_WIN), ("4,rows=3,komi=4", 0)]
)
def test_whole_komi_that_equals_the_published_lead_is_a_draw(spec, value):
    if compiled() or spec.startswith("3"):
        position = game(f"go:columns={spec}").new()
        assert position.solver(16).value(position) == value


@pytest.mark.parametrize(
    "spec", ["go", "go:size=4,ko=simple", "go:size=4,ko=situational", "go:size=4,suicide=on", "go:size=6"]
)
def test_games_by_other_rules_and_on_larger_boards_have_no_solver(spec):
    assert game(spec).new().solver(8) is None


def test_solver_returns_none_at_its_node_limit():
    position = game("go:size=5").new()
    solver = position.solver(10)
    solver.node_limit = 300
    assert solver.value(position) is None and solver.nodes == 300


def test_perfect_finds_the_published_value_of_3x3_and_keeps_it():
    """Only the centre wins the whole board for Black; the engine wins it against any defence."""
    session = Session(engine("perfect:table=4MB")[0])
    session.begin()
    position = game("go:size=3,komi=8.5").new()
    rng = random.Random(4)
    while position.outcome() is None:
        if position.turn:
            position.make(rng.choice(position.moves()))
            continue
        report = session.search(position, Limit(seconds=1e9))
        assert report.exact and report.value > 0 and report.source == "solver"
        assert position.text() or position.format(report.move) == "B2"
        position.make(report.move)
    assert position.outcome()[0] > 0
