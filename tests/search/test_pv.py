"""The line that a search shows: it never shrinks to one move, and a bound is marked as one."""

from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.adapter import kernel_of
from gameplay.kernel import compiled
from gameplay.search.control import Control
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Session
from gameplay.value import WIN


def all_reports(spec: str, position: Any, depth: int) -> list[Report]:
    """All reports that a search could have given, requested at each step that concerns the root."""
    engine = registry.engine(spec)[0]
    opened: list[Any] = []
    reports: list[Report] = []
    engine.open = lambda *given: opened.append(type(engine).open(engine, *given)) or opened[0]

    def trace(event: Any) -> None:
        if event.ply <= 1:
            report = opened[0].report()
            if not reports or report.candidates != reports[-1].candidates:
                reports.append(report)

    reports.append(Session(engine).search(position, Limit(depth=depth), trace=trace))
    return reports


def ends(position: Any, line: tuple[int, ...]) -> bool:
    for move in line:
        position.make(move)
    over = position.outcome() is not None
    for _ in line:
        position.unmake()
    return over


@pytest.mark.once
@pytest.mark.parametrize(
    "spec", [f"{name}:table={size}" for name in ("iterative", "selective") for size in ("1MB", "off")]
)
def test_pv_is_longer_than_one_move_throughout_a_game(spec: str) -> None:
    position = registry.game("othello:size=6").new()
    seen: set[str] = set()
    while position.outcome() is None:
        reports = all_reports(spec, position, 4)
        for report in reports:
            if report.depth >= 2 or report.final:
                assert len(report.pv) > 1 or ends(position, report.pv), (report, position.text())
            assert report.pv[0] == report.move == report.candidates[0].move
            assert report.candidates[0].pv == report.pv
            seen.add(report.bound)
        assert reports[-1].bound == "exact"
        position.make(reports[-1].move)
    assert seen >= {"exact", "lower", "upper"}


def test_pv_of_a_solved_endgame_ends_at_its_value() -> None:
    position = registry.game("othello:size=4").new()
    for _ in range(6):  # that leaves six squares
        position.make(position.moves()[0])
    report = registry.engine("iterative")[0].search(position, Limit(depth=20))
    mover = position.turn
    for move in report.pv:
        assert move in position.moves()
        position.make(move)
    outcome = position.outcome()
    assert outcome is not None and report.exact
    assert outcome[mover] * position.unit == report.value


@pytest.mark.once
@pytest.mark.parametrize("spec", ["iterative:table=off", "iterative", "selective"])
def test_fail_high_move_is_played_at_the_node_limit(spec: str) -> None:
    position = registry.game("othello:size=6").new()
    for _ in range(4):
        position.make(position.moves()[0])
    engine = registry.engine(spec)[0]
    bounds = set()
    for nodes in range(50, 900, 25):
        report = engine.search(position, Limit(nodes=nodes))
        assert report.pv[0] == report.move == report.candidates[0].move
        assert report.bound == report.candidates[0].bound and report.value == report.candidates[0].value
        bounds.add(report.bound)
    assert "exact" in bounds and len(bounds) > 1


def test_found_win_ends_the_search_unless_more_lines_are_requested() -> None:
    """Three in a row on four by four is won in five plies, though other lines are longer."""
    position = registry.game("tictactoe:width=4,height=4,line=3").new("x.o./..../..../....")
    engine = registry.engine("iterative")[0]
    alone = engine.search(position, Limit(depth=6))
    assert (alone.value, alone.depth, alone.stopped) == (WIN - 5, 5, "proven")
    both = engine.search(position, Limit(depth=6, multipv=2))
    assert (both.value, both.depth, both.stopped) == (WIN - 5, 6, "depth")


@pytest.mark.skipif(compiled(), reason="the pure build lets Python set what a search knows")
def test_fail_high_move_stays_best_until_equalled() -> None:
    kernel = kernel_of(registry.game("connect4").new())
    search = registry.engine("iterative:table=off")[0].open(kernel, Control(0, 0.0), None)

    def best(move: int, value: int, bound: str = "exact") -> int | None:
        candidate = Candidate(move, value, bound, pv=(move,))
        search.update_best((candidate,), candidate)
        return search.best[0][0].move

    before = best(2, 10)
    assert before == 2 and best(3, 50, "lower") == 2, "of 3 there is no line to show"
    search.lines = {4: (4,)}
    assert best(4, 60, "lower") == 4
    assert best(5, 59) == 4 and best(5, 60) == 5
    assert best(4, 40, "lower") == 4 and best(4, 30) == 4 and search.best[0][0].value == 30
    search.deepens = True
    search.best = (search.best[0], 3, False)
    assert best(6, 90) == 4, "not searched as deep as the rest"
    search.best = (search.best[0], 0, False)
    assert best(6, 90) == 6
