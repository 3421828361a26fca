"""Limits of a spec and of a command hold together, whichever comes first."""

import json

import pytest

from gameplay.cli import router, run
from gameplay.players import seats
from gameplay.registry import game
from gameplay.search.limit import Limit
from gameplay.suites import analysis, regress

pytestmark = pytest.mark.once


def output_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(router, "gameplay", words) == 0
    return capsys.readouterr().out


def test_trace_stops_at_the_nodes_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    out = output_of(capsys, "trace", "connect4", "--engine", "minimax:depth=99", "--nodes", "50", "--plain")
    assert out.rstrip().endswith("50 nodes, stopped: nodes")


@pytest.mark.parametrize(
    ("spec", "limit", "expected"),
    [
        ("minimax:depth=9", Limit(nodes=70), Limit(9, 70)),
        ("minimax:depth=2", Limit(depth=5), Limit(2)),
        ("minimax:depth=5", Limit(depth=2), Limit(2)),
        ("mcts:sims=90,time=2", Limit(seconds=0.5, simulations=100), Limit(seconds=0.5, simulations=90)),
    ],
)
def test_players_and_analyses_take_both_limits(spec: str, limit: Limit, expected: Limit) -> None:
    tictactoe = game("tictactoe")
    assert seats.player(spec, tictactoe, limit=limit).limit == expected
    (opinion,) = analysis.collect_opinions([spec], tictactoe, tictactoe.new(), limit)
    assert opinion.limit == expected


def test_analyse_reports_the_limit_that_came_first(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "analyse",
        "connect4",
        "--engines",
        "minimax:depth=8,iterative:nodes=90",
        "--nodes",
        "60",
        "--json",
    )
    for entry in json.loads(output_of(capsys, *words))["engines"]:
        assert entry["nodes"] <= 60 and entry["stopped"] == "nodes"


def test_regress_applies_both_limits() -> None:
    chosen = regress._choose("connect4", "minimax:depth=9", "", (), Limit(nodes=60))[1]
    assert chosen.report is not None and chosen.report.nodes == 60 and chosen.report.stopped == "nodes"
