"""Traces of path searches and simulations, from recorded events."""

import math
from typing import Any

import pytest

from gameplay import registry
from gameplay.search.trace import TraceEvent
from gameplay.tracing import documents
from gameplay.tracing.paths import PathFollower
from gameplay.tracing.simulations import SimulationFollower
from gameplay.tracing.trace import TraceStep
from gameplay.value import INF


class RecordingPosition:
    """A position that records the moves made and unmade. Moves are letters."""

    def __init__(self) -> None:
        self.line = ""
        self.log: list[str] = []

    def format(self, move: int) -> str:
        return f"{self.line}>{'abcdef'[move]}"

    def make(self, move: int) -> None:
        self.line += "abcdef"[move]
        self.log.append(self.line)

    def unmake(self) -> None:
        self.line = self.line[:-1]
        self.log.append("-")


def walk(graph: bool, *events: TraceEvent) -> tuple[list[tuple[Any, ...]], list[list[str]]]:
    """The text of each event, and the moves made and unmade for it."""
    position, steps, logs = RecordingPosition(), list[TraceStep](), []
    follow = PathFollower(position, steps.append, graph)
    for event in events:
        follow(event)
        logs.append(position.log[:])
        position.log.clear()
    lines = [
        (
            step.what,
            step.node,
            step.level,
            step.word,
            step.value,
            step.why,
            step.name,
            step.proof,
            step.parent,
        )
        for step in steps
    ]
    assert all(step.role == "" for step in steps)
    return lines, logs


@pytest.mark.once
def test_a_search_in_depth_is_followed_move_by_move() -> None:
    threshold = "the cost so far plus the estimate exceeds the threshold"
    lines, logs = walk(
        False,
        TraceEvent("threshold", 0, value=3),
        TraceEvent("expand", 0, value=3),
        TraceEvent("expand", 1, 0, value=4),
        TraceEvent("generate", 2, 2, value=5, why="threshold"),
        TraceEvent("expand", 2, 1, value=5),
        TraceEvent("expand", 3, 1, value=6),
        TraceEvent("expand", 2, 3, value=7),
        TraceEvent("generate", 3, 0, value=7, why="goal"),
        TraceEvent("expand", 1, 1, value=8, why="odd"),
        TraceEvent("expand", 0, value=9),
    )
    assert lines == [
        ("threshold", 0, 0, "", 3, "", "", "", -1),
        ("expand", 0, 0, "", 3, "", "", "", -1),
        ("expand", 1, 1, ">a", 4, "", "", "", -1),
        ("generate", 2, 2, "a>c", 5, "threshold", "beyond the threshold", threshold, -1),
        ("expand", 3, 2, "a>b", 5, "", "", "", -1),
        ("expand", 4, 3, "ab>b", 6, "", "", "", -1),
        ("expand", 5, 2, "a>d", 7, "", "", "", -1),
        ("generate", 6, 3, "ad>a", 7, "goal", "goal", "a path to the goal is found", -1),
        ("expand", 7, 1, ">b", 8, "odd", "odd", "", -1),
        ("expand", 8, 0, "", 9, "", "", "", -1),
    ]
    assert logs == [
        *([], [], ["a"], ["-", "a"], ["ab"], ["abb"]),
        *(["-", "-", "ad"], ["-", "ad"], ["-", "-", "b"], ["-"]),
    ]


@pytest.mark.once
def test_graph_search_is_replayed_along_the_path_to_each_position() -> None:
    """The path is the cheapest by which a position was reached."""
    known = "a known position is not reached at a lower cost: this path is dropped"
    cheaper = "a known position is reached at a lower cost"
    lines, logs = walk(
        True,
        TraceEvent("expand", 0, value=3, node=0),
        TraceEvent("generate", 1, 0, value=3, node=1),
        TraceEvent("generate", 1, 1, value=4, node=2),
        TraceEvent("expand", 1, 0, value=3, node=1),
        TraceEvent("generate", 2, 2, value=5, node=3),
        TraceEvent("generate", 2, 3, value=9, node=2, why="dearer"),
        TraceEvent("expand", 1, 1, value=4, node=2),
        TraceEvent("generate", 2, 4, value=4, node=3, why="cheaper"),
        TraceEvent("expand", 2, 4, value=4, node=3),
        TraceEvent("generate", 3, 5, value=4, node=4),
        TraceEvent("expand", 3, 5, value=4, node=4),
        TraceEvent("expand", 2, 4, value=4, node=3),
    )
    assert [line[:6] + line[7:] for line in lines] == [
        ("expand", 0, 0, "", 3, "", "", 0),
        ("generate", 1, 1, ">a", 3, "", "", 0),
        ("generate", 2, 1, ">b", 4, "", "", 0),
        ("expand", 1, 1, ">a", 3, "", "", 1),
        ("generate", 3, 2, "a>c", 5, "", "", 1),
        ("generate", 2, 2, "a>d", 9, "dearer", known, 1),
        ("expand", 2, 1, ">b", 4, "", "", 2),
        ("generate", 3, 2, "b>e", 4, "cheaper", cheaper, 2),
        ("expand", 3, 2, "b>e", 4, "", "", 3),
        ("generate", 4, 3, "be>f", 4, "", "", 3),
        ("expand", 4, 3, "be>f", 4, "", "", 4),
        ("expand", 3, 2, "b>e", 4, "", "", 3),
    ]
    assert logs == [
        *([], [], [], ["a"], [], [], ["-", "b"], [], ["be"], [], ["bef"], ["-", "-", "be"]),
    ]


@pytest.mark.once
def test_simulations_are_followed_from_the_root_also_where_one_was_stopped() -> None:
    position, steps = registry.game("tictactoe").new("a1"), list[TraceStep]()
    follow = SimulationFollower(position, steps.append, listed=2)
    seen = []
    for event in (
        TraceEvent("select", 1, 4, mover=1, value=0.5, beta=1.25, visits=3),
        TraceEvent("expand", 1, mover=1, value=7),
        TraceEvent("simulate", 1, mover=1, line=(1, 2, 3), why="mixed"),
        TraceEvent("backup", 1, mover=1, value=0.25, visits=4, values=(-1, 1)),
        TraceEvent("backup", 0, value=0.25, visits=9),
        TraceEvent("trim", 0, visits=5),
        TraceEvent("select", 1, 8, mover=1, why="untried"),
        TraceEvent("select", 2, 4, mover=0, why="lot", beta=2),
        TraceEvent("select", 1, 1, mover=1, value=0.75),
        TraceEvent("backup", 1, mover=1, value=0, why="proven"),
        TraceEvent("simulate", 0, why="nothing"),
        TraceEvent("backup", 0, value=0),
        TraceEvent("simulate", 0, line=(1,), why="search"),
    ):
        follow(event)
        seen.append(position.text())
    start, down = "x../.../...", "x../.o./..."
    assert seen[:6] == [down, down, down, start, start, start]
    assert seen[6:] == ["x../.../..o", "x../.x./..o", "xo./.../...", start, start, start, start]
    rows = [
        (step.what, step.node, step.level, step.role, step.word, step.value, step.beta, step.visits, step.why,
         step.name, step.proof, step.left, step.unsearched, step.values)
        for step in steps
    ]  # fmt: skip
    ends, inf = (0, (), ()), math.inf
    mixed = "the mean of evaluation and playout"
    assert rows == [
        ("simulation", 1, 0, "", "", None, inf, 0, "", "simulation", "", *ends),
        ("select", 1, 1, "o", "b2", 0.5, 1.25, 3, "", "select", "", *ends),
        ("expand", 1, 1, "o", "b2", None, inf, 0, "", "expand", "", 7, (), ()),
        ("simulate", 1, 1, "o", "b2", None, inf, 0, "mixed", "simulate", mixed, 3, ("b1", "c1"), ()),
        ("backup", 1, 1, "o", "b2", 0.25, inf, 4, "", "backup", "", 0, (), (-1.0, 1.0)),
        ("backup", 1, 0, "", "", 0.25, inf, 9, "", "backup", "", *ends),
        ("trim", 1, 0, "", "", None, inf, 5, "", "trim", "", *ends),
        ("simulation", 2, 0, "", "", None, inf, 0, "", "simulation", "", *ends),
        ("select", 2, 1, "o", "c3", 0, 0, 0, "untried", "select", "not tried yet", *ends),
        ("select", 2, 2, "x", "b2", 0, 2, 0, "lot", "select", "drawn at random", *ends),
        ("simulation", 3, 0, "", "", None, inf, 0, "", "simulation", "", *ends),
        ("select", 3, 1, "o", "b1", 0.75, 0, 0, "", "select", "", *ends),
        ("backup", 3, 1, "o", "b1", 0, inf, 0, "proven", "backup", "", *ends),
        ("simulate", 3, 0, "", "", None, inf, 0, "nothing", "simulate", "", *ends),
        ("backup", 3, 0, "", "", 0, inf, 0, "", "backup", "", *ends),
        ("simulation", 4, 0, "", "", None, inf, 0, "", "simulation", "", *ends),
        (
            "simulate",
            4,
            0,
            "",
            "",
            None,
            inf,
            0,
            "search",
            "simulate",
            "a shallow search",
            1,
            ("b1",),
            (),
        ),
    ]


@pytest.mark.once
@pytest.mark.parametrize(
    ("step", "message"),
    [
        (TraceStep("enter", 3, 1, "MAX", "a", depth=2, alpha=-5), {"depth": 2, "alpha": -5}),
        (TraceStep("enter", 3, 1, "MAX", "a", beta=5, odds=0.25), {"depth": 0, "odds": 0.25, "beta": 5}),
        (TraceStep("leave", 3, 1, "MAX", "a", value=INF, best="b"), {"best": "b"}),
        (TraceStep("leave", 3, 1, "MAX", "a", value=-INF), {}),
        (TraceStep("leave", 3, 1, "MAX", "a", value=INF - 1, bound="lower", why="w"),
         {"value": INF - 1, "bound": "lower"}),
        (TraceStep("leave", 3, 1, "MAX", "a", value=1 - INF, values=(1.0, 2.0)),
         {"value": 1 - INF, "values": (1.0, 2.0)}),
        (TraceStep("reduce", 3, 1, "MAX", "a", depth=2, why="w", name="n", proof="p"),
         {"plies": 2, "why": "w", "name": "n", "proof": "p"}),
        (TraceStep("cut", 3, 1, "MAX", "a", alpha=1, beta=2, left=4, unsearched=("x", "y"), best="c"),
         {"left": 4, "unsearched": ("x", "y"), "best": "c"}),
        (TraceStep("select", 3, 1, "x", "a", beta=1.5, visits=7), {"visits": 7, "compared": 1.5}),
        (TraceStep("select", 3, 1, "x", "a", beta=1.5, why="untried"), {"why": "untried"}),
        (TraceStep("simulate", 3, 1, "x", "a", left=9, unsearched=("x",)), {"line": ("x",), "length": 9}),
        (TraceStep("expand", 3, 1, "x", "a", left=9), {"count": 9}),
        (
            TraceStep("table", 3, 1, "MIN", "a", value=0, why="exact", left=3, best="d"),
            {"value": 0, "best": "d"},
        ),
    ],
)  # fmt: skip
def test_trace_line_has_the_fields_of_its_step(step: TraceStep, message: dict[str, Any]) -> None:
    fields = documents.document(step)
    assert fields == {"what": step.what, "node": 3, "level": 1, "role": step.role, "move": "a"} | message
    bare = documents.document(TraceStep(step.what, 0, 0, ""))
    assert {"role", "move", "value", "name", "proof", "best", "why", "player"}.isdisjoint(bare)
