"""`max_threshold` and `min_threshold` of minimax and alphabeta: lost positions are not searched."""

from typing import Any

import pytest

from gameplay import Limit, Position, registry
from gameplay.cli import router, run
from gameplay.errors import Usage
from gameplay.search.thresholds import at_most
from gameplay.value import INF, WIN
from tests.support.searches import alphabeta, successors

START = "xo./.x./o.."
CASES = [
    ("tictactoe", "", 4),
    ("tictactoe", START, 5),
    ("connect4", "4455", 4),
    ("connect4:columns=5,rows=4,connect=3", "", 5),
]
ENDS = [
    (1e300, -1e300),
    (1.0, -1.0),
    (3.0, None),
    (2.5, -1.5),
    (-1.5, -2.5),
    (None, -2.0),
    (0.0, 0.0),
    (100.0, -100.0),
]


def value(
    position: Position, depth: int, ends: tuple[float, float], visited: list[int], prune: bool = True
) -> int:
    """Alpha-beta or minimax as in the lecture, with MAX_THRESHOLD and MIN_THRESHOLD; the value for MAX."""
    maximizer = position.turn
    high, low = ends

    def leaf(at: Position, ply: int) -> int | None:
        visited[0] += 1
        payoffs = at.outcome()
        if payoffs is not None:
            won = payoffs[maximizer]
            return (WIN - ply if won > 0 else ply - WIN) if won else 0
        static = int(at.evaluate()) * (1 if at.turn == maximizer else -1)
        return static if ply == depth or (ply and not low <= static / at.unit <= high) else None

    def minimax(ply: int) -> int:
        value = leaf(position, ply)
        if value is not None:
            return value
        choose = max if position.turn == maximizer else min
        return choose([minimax(ply + 1) for _ in successors(position)])

    return int(alphabeta(position, leaf, maximizer)) if prune else minimax(0)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize(("game", "start", "depth"), CASES)
def test_the_search_ends_if_the_evaluation_exceeds_a_threshold(
    game: str, start: str, depth: int, ends: tuple[float | None, float | None]
) -> None:
    high, low = ends
    options = f"max_threshold={'off' if high is None else high:}"
    options += f",min_threshold={'off' if low is None else low:}"
    position: Any = registry.game(game).new(start)
    visited = [0]
    limits = INF if high is None else high, -INF if low is None else low
    truth = value(position, depth, limits, visited)
    report = registry.engine(f"alphabeta:{options}")[0].search(position, Limit(depth=depth))
    assert (report.value, report.nodes) == (truth, visited[0])
    plain = registry.engine(f"minimax:{options}")[0].search(position, Limit(depth=depth))
    visited = [0]
    assert plain.value == value(position, depth, limits, visited, prune=False) == truth
    assert plain.nodes == visited[0] >= report.nodes
    tabled = registry.engine(f"alphabeta:{options},table=1MB")[0].search(position, Limit(depth=depth))
    assert tabled.value == truth


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_trace_names_the_threshold(name: str) -> None:
    position = registry.game("tictactoe").new(START)
    engine = registry.engine(f"{name}:max_threshold=1,min_threshold=-1")[0]
    events: list[Any] = []
    engine.search(position, Limit(depth=4), trace=events.append)
    reasons = [(event.ply, event.value, event.mover) for event in events if "threshold" in event.why]
    assert reasons and all(ply for ply, _, _ in reasons), "the root is searched in any case"
    for ply, worth, mover in reasons:
        for_max = worth if mover == position.turn else -worth
        assert abs(for_max) > position.unit, ply


def test_a_threshold_is_the_last_value_within() -> None:
    assert [at_most(points, 100) for points in (0.29, 0.285, -0.29, 1e300)] == [29, 28, -29, INF]
    assert [at_most(points, 1) for points in (2.5, -2.5, 3.0)] == [2, -3, 3]


def test_values_within_thresholds_are_not_held_against_those_without(
    capsys: pytest.CaptureFixture[str],
) -> None:
    within = "alphabeta:max_threshold=8,min_threshold=-8"
    words = ["analyse", "connect4", "--moves", "4 4 4", "--depth", "8", "--engines"]
    assert run(router, "gameplay", [*words, f"alphabeta,{within}"]) == 0
    assert "differ" not in capsys.readouterr().out
    assert run(router, "gameplay", [*words, f"alphabeta,iterative,{within}"]) == 0
    assert "alphabeta and iterative have the same value" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["x", "", "nan", "inf"])
def test_threshold_is_a_number_or_off(text: str) -> None:
    with pytest.raises(Usage, match="max_threshold must be a number or off"):
        registry.engine(f"alphabeta:max_threshold={text}")
    with pytest.raises(Usage, match="min_threshold must be a number or off"):
        registry.engine(f"minimax:min_threshold={text}")
