"""The engine template: short, correct, and stopped by its limits."""

import inspect
import json
from itertools import pairwise

import pytest

from gameplay import Limit, Report, registry
from gameplay.cli import router, run
from gameplay.cli.common import template
from gameplay.value import WIN, delay
from tests.support.custom_engines import search, write_engine
from tests.support.searches import successors

pytestmark = pytest.mark.once

assert write_engine  # fixture


def test_the_template_is_short_and_plays(write_engine, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    assert run(router, "gameplay", ["engines", "--template"]) == 0
    text = capsys.readouterr().out
    assert text == inspect.getsource(template)
    assert len([line for line in text.splitlines() if line.strip()]) <= 36
    spec = write_engine(text)
    assert run(router, "gameplay", ["engines", spec]) == 0
    assert "plies" in capsys.readouterr().out
    words = ["play", "tictactoe", "--players", f"{spec}:plies=4,random", "--depth", "4", "--json"]
    assert run(router, "gameplay", words) == 0
    record = json.loads(capsys.readouterr().out)
    mine_moves = [ply for ply in record["moves"] if ply["player"] == 0]
    assert mine_moves and all(ply["nodes"] and ply["depth"] for ply in mine_moves)


def negamax(position, depth, count):
    """The value for the player to move by textbook negamax; `count` holds the positions visited."""
    count[0] += 1
    payoffs = position.outcome()
    if payoffs is not None:
        return int(payoffs[position.turn] * WIN)
    if depth == 0:
        return position.evaluate()
    return max(delay(-negamax(position, depth - 1, count)) for _ in successors(position))


def test_template_counts_nodes_and_reports_progress() -> None:
    """The count restarts at each depth, reported every hundred positions; options and limits set it."""
    mine = template.Mine
    assert (mine.players, mine.chance, mine.hidden, mine.general_sum) == (2, False, False, False)
    assert mine().plies == 50
    for text, plies, depth, reached in (
        ("", 50, 3, 3), ("", 2, 5, 2), ("", 2, None, 2), ("x.o/.x./...", 50, 4, 4), ("xxo/oox/.xo", 50, 3, 3),
    ):  # fmt: skip
        position = registry.game("tictactoe").new(text)
        seen: list[Report] = []
        engine = mine(plies)
        report = engine.search(
            position, Limit(depth=depth), lambda best, seen=seen: seen.append(best) and False
        )
        count = [0]
        values = [negamax(position, plies, count) for plies in range(1, reached + 1)]
        assert (report.depth, report.value, report.nodes) == (reached, values[-1], count[0])
        assert engine.nodes == count[0] and report.move == report.pv[0]
        assert len(report.pv) == min(reached, position.text().count("."))
        first = seen[0]
        assert (first.move, first.bound, first.nodes, first.depth) == (position.moves()[0], "unknown", 0, 0)
        done = [0, *(best.nodes for before, best in pairwise(seen) if best.depth > before.depth)]
        assert {best.nodes for best in seen} == {*done, *range(0, seen[-1].nodes + 1, 100)}


def test_template_stops_at_its_limit_with_its_last_result() -> None:
    position = registry.game("tictactoe").new()
    calls = 0

    def watch(best: Report) -> bool:
        nonlocal calls
        calls += 1
        return calls > 9 + 81 + 150

    engine = template.Mine()
    report = engine.search(position, Limit(), watch)
    assert report.depth == 2 and report.value == negamax(position, 2, [0])
    assert position.text() == ".../.../..." and report.nodes == 200 and engine.nodes > 200
    assert calls == 9 + 81 + 151, "once it was stopped nothing is looked at any more"
    calls = 1000
    report = template.Mine().search(position, Limit(), watch)
    assert (report.move, report.bound, report.depth) == (0, "unknown", 0) and position.outcome() is None


@pytest.mark.parametrize(("text", "value"), [("xx./oo./...", 999999), ("xx./oo./x..", 999999), ("", 0)])
def test_template_values_equal_minimax(text, value, write_engine, capsys) -> None:
    run(router, "gameplay", ["engines", "--template"])
    spec = write_engine(capsys.readouterr().out)
    report = search(spec, Limit(depth=4), text=text)
    assert report.value == search("minimax", Limit(depth=4), text=text).value
