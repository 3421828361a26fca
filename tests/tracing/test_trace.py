"""A search told in words: the steps, the lines, the documents, and the command; all that is said is true."""

import io
import json
import math
import sys
from hashlib import blake2b
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.cli import router, run
from gameplay.cli.common import tracing
from gameplay.cli.common.tracing import follower
from gameplay.cli.measure import exploit
from gameplay.cli.search import trace, tree
from gameplay.display.reports.trace import TraceLines
from gameplay.engines.alphabeta import AlphaBeta
from gameplay.errors import BadInput, Unfinished
from gameplay.games.tree import Tree
from gameplay.matches.match import unplayed
from gameplay.search.trace import REASONS, TraceEvent
from gameplay.tracing import documents, proofs, proving
from gameplay.tracing.paths import WayFollower
from gameplay.tracing.simulations import SimulationFollower
from gameplay.tracing.trace import Follower, TraceStep
from gameplay.value import INF
from tests.engines.test_reports import TRACED
from tests.search.test_trace import game_of, grown, uniform
from tests.support.golden import golden
from tests.support.paths import ROOT

LECTURE = """\
search, depth 3: MAX [-inf, +inf]
| 1: MIN, depth 2 [-inf, +inf]
| | 1: leaf [-inf, +inf] = +3 (the game is over)
| | 2: leaf [-inf, +3] = +12 (the game is over)
| | 3: leaf [-inf, +3] = +8 (the game is over)
| 1 = +3 by 1
| 2: MIN, depth 2 [+3, +inf]
| | 1: leaf [+3, +inf] = +2 (the game is over)
| | alpha cutoff: MIN can already hold MAX to +2 here; MAX has +3 elsewhere (by 1, 1 ply up); \
not searched: 2, 3
| 2 = +2 at most by 1
| 3: MIN, depth 2 [+3, +inf]
| | 1: leaf [+3, +inf] = +14 (the game is over)
| | 2: leaf [+3, +14] = +5 (the game is over)
| | 3: leaf [+3, +5] = +2 (the game is over)
| | alpha cutoff: MIN can already hold MAX to +2 here; MAX has +3 elsewhere (by 1, 1 ply up); \
it was the last move
| 3 = +2 at most by 3
root = +3 by 1
"""


def told(spec: str, position: Any, limit: Limit) -> tuple[list[TraceStep], Any]:
    steps: list[TraceStep] = []
    engine, _ = registry.engine(spec)
    own = position.twin() if hasattr(position, "twin") else Tree.of(position.data)
    report = engine.search(position, limit, trace=Follower(own, engine, steps.append))
    return steps, report


def planted(tree: Any) -> Any:
    data = game_of(tree)
    position = Tree.of(data)
    position.data = data  # type: ignore[attr-defined]
    return position


def worth(tree: Any, maximizing: bool, left: int) -> int:
    """The value of a tree of lists for MAX, `left` plies deep; a guess is 0."""
    if not isinstance(tree, list):
        return int(tree)
    if not left:
        return 0
    return (max if maximizing else min)(worth(child, not maximizing, left - 1) for child in tree)


def at(tree: Any, line: list[int]) -> Any:
    for move in line:
        tree = tree[move]
    return tree


def gameplay(*words: str) -> int:
    return run(router, "gameplay", list(words))


# -- what is said is true --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        *("minimax", "alphabeta", "alphabeta:fail=hard", "alphabeta:order=random,seed=3"),
        *("alphabeta:table=1MB", "iterative", "iterative:aspiration=off,table=off", "iterative:pvs=off"),
        *("quiescence", "selective"),
    ],
)
def test_every_value_bound_and_proof_is_true(spec: str) -> None:
    """All that is told of a node holds for its minimax value, which a few lines here compute."""
    rng = Random(len(spec))
    cuts = deep = 0
    for _ in range(8):
        tree = [grown(rng, 5) for _ in range(3)]
        steps, report = told(spec, planted(tree), Limit(depth=6))
        assert report.value == worth(tree, True, 9)
        line: list[int] = []
        left: list[int] = []
        for step in steps:
            if step.what == "enter":
                if step.level:
                    line.append(int(step.word[1:]))
                left.append(step.depth)
                continue
            maximizing = len(line) % 2 == 0
            truth = worth(at(tree, line), maximizing, left[-1])
            if step.what == "leave":
                assert step.value is not None
                assert {
                    "exact": step.value == truth,
                    "lower": truth >= step.value,
                    "upper": truth <= step.value,
                }[step.bound]
                left.pop()
                if step.level:
                    line.pop()
            elif step.what == "cut" and step.why == "beta":
                cuts += 1
                deep += step.name.startswith("deep")
                assert step.value is not None and ("beta" in step.name) == maximizing
                assert truth >= step.value if maximizing else truth <= step.value
                if "elsewhere" in step.proof:
                    place, up = step.proof.partition("(by ")[2].split(" ", 2)[:2]
                    held = step.proof.partition("MAX to " if maximizing else "MAX has ")[2].split(" ")[0]
                    bound = int(held.rstrip(";"))
                    above = line[: len(line) - int(up)]
                    other = worth(
                        at(tree, [*above, int(place.rstrip(",")[1:])]), maximizing, left[-1 - int(up)] - 1
                    )
                    assert other <= bound if maximizing else other >= bound, step.proof
                all_moves = [f"m{n}" for n in range(len(at(tree, line)))]
                assert set(step.unsearched) <= set(all_moves) and step.left < len(all_moves)
    assert (cuts > 5) == (spec != "minimax")
    assert deep or spec == "minimax" or "iterative" in spec or spec in ("quiescence", "selective")


@pytest.mark.parametrize(
    "spec",
    ["alphabeta", "alphabeta:order=random,seed=7", "iterative:table=off,aspiration=off,order=generated"],
)
def test_the_tree_is_the_one_of_the_rules_in_whatever_order(spec: str) -> None:
    """Knuth and Moore's, or with PVS Marsland and Campbell's, on the tree in the order that was searched."""
    rng = Random(82)
    for _ in range(15):
        tree = [uniform(rng, 3, 3) for _ in range(3)]
        steps, _ = told(spec, planted(tree), Limit(depth=4))
        starts = [n for n, step in enumerate(steps) if step.what == "enter" and not step.level]
        last = steps[starts[-1] :]
        seen: list[tuple[tuple[int, ...], float, float]] = []
        order: dict[tuple[int, ...], list[int]] = {}
        line: tuple[int, ...] = ()
        for step in last:
            if step.what == "enter":
                if step.level:
                    move = int(step.word[1:])
                    if move not in order.setdefault(line, []):
                        order[line].append(move)
                    line = (*line, move)
                seen.append((line, step.alpha, step.beta))
            elif step.what == "leave":
                line = line[:-1]
        assert seen == visited(tree, order, pvs=spec.startswith("iterative"))


def visited(tree: Any, order: dict[tuple[int, ...], list[int]], pvs: bool) -> list[Any]:
    """The nodes that alpha-beta visits, fail-soft, with MAX's windows; `pvs`: with null windows."""
    found: list[Any] = []
    endless = float("inf")

    def search(line: tuple[int, ...], alpha: float, beta: float, sign: int) -> float:
        found.append((line, alpha, beta) if sign > 0 else (line, -beta, -alpha))
        node = at(tree, list(line))
        if not isinstance(node, list):
            return float(sign * node)
        moves = [*order.get(line, []), *(n for n in range(len(node)) if n not in order.get(line, []))]
        best = -endless
        for number, move in enumerate(moves):
            child = (*line, move)
            if pvs and number and alpha > -endless and beta - alpha > 1:
                value = -search(child, -alpha - 1, -alpha, -sign)
                if alpha < value < beta:
                    value = -search(child, -beta, -alpha, -sign)
            else:
                value = -search(child, -beta, -alpha, -sign)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    search((), -endless, endless, 1)
    return found


def test_fail_hard_never_leaves_the_window() -> None:
    rng = Random(5)
    outside = {"soft": 0, "hard": 0}
    for _ in range(8):
        tree = [uniform(rng, 3, 3) for _ in range(3)]
        values = set()
        for fail in outside:
            events: list[TraceEvent] = []
            position = Tree.of(game_of(tree))
            values.add(AlphaBeta(fail=fail).search(position, Limit(depth=9), trace=events.append).value)
            windows = []
            for event in events:
                if event.what == "enter":
                    windows.append((event.alpha, event.beta, event.depth))
                elif event.what == "leave":
                    alpha, beta, depth = windows.pop()
                    if depth > 9 - 4:  # not a leaf
                        outside[fail] += not alpha <= event.value <= beta
        assert len(values) == 1
    assert outside["hard"] == 0 < outside["soft"]


# -- every engine ----------------------------------------------------------------------------------

EVERY = [
    *("tictactoe minimax", "connect4 alphabeta", "connect4 iterative", "chess quiescence"),
    *("chess selective:secondary=2", "othello iterative", "pig expectiminimax"),
    *("pig expectiminimax:prune=star2,table=1MB", "nim:players=3 maxn", "nim:players=3 paranoid"),
    *("nim:players=3 brs", "chinese_checkers:players=3 brs", "puzzle15:rows=3,columns=3 dfid"),
    "connect4:columns=4,rows=4 pns",
    *("tictactoe mcts", "pig mcts", "puzzle15:rows=3,columns=3 idastar", "puzzle15:rows=3,columns=3 astar"),
]


@pytest.mark.parametrize("case", EVERY)
def test_every_engine_is_told_node_by_node_and_the_same_again(
    case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game, spec = case.split()
    words = ["trace", game, "--engine", spec, *(["--depth", "2"] if case.startswith("pig exp") else [])]
    if game.startswith("puzzle15"):
        words += ["--position", "1 4 2 3 5 8 6 7 0"]
    assert gameplay(*words) == 0
    lines = capsys.readouterr().out
    assert gameplay(*words) == 0
    assert capsys.readouterr().out == lines
    assert gameplay(*words, "--json") == 0
    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert documents[0]["what"] == "begin" and documents[-1]["what"] == "end"
    if spec == "mcts":
        assert [one["node"] for one in documents if one["what"] == "simulation"] == list(range(1, 21))
        roots = [one for one in documents if one["what"] == "backup" and not one["level"]]
        assert [one["visits"] for one in roots] == list(range(1, 21))
        steps = {one["what"] for one in documents}
        assert steps >= {"select", "expand", "simulate", "backup"} and "back up the root: 20 visits" in lines
    enters = ("generate",) if spec == "pns" else ("enter", "generate")
    entered = [one["node"] for one in documents if one["what"] in enters]
    way = game.startswith("puzzle15") or spec in ("mcts", "pns")
    assert spec == "mcts" or len(entered) + way == documents[-1]["nodes"]
    assert f"{documents[-1]['nodes']:,} nodes" in lines.splitlines()[-1]
    if not way:
        assert entered == list(range(len(entered)))
        assert sum(one["what"] == "leave" for one in documents) == len(entered)
    for one in documents[1:-1]:
        wrong = set(one) - FIELDS.get(one["what"], set()) - {"what", "node", "level"}
        assert not wrong, f"{one['what']} has {wrong}"


COMMON = {"role", "move"}
PROVING = {"role", "player", "numbers"}
ENTERED = {"thresholds", "compared", "visits"}
LEFT = {"player", "numbers", "plies", "why", "proof"}
FIELDS = {
    "question": {"player", "name"},
    "enter": COMMON | {"player", "depth", "odds", "alpha", "beta", "why", "name", "proof", *ENTERED},
    "leave": COMMON | {"alpha", "beta", "value", "bound", "values", "best", "name", *LEFT},
    "table": COMMON | {"value", "bound", "values", "name"},
    "known": COMMON | {"value", "bound", "values", "name"},
    "evaluate": COMMON | {"value", "values"},
    "cut": COMMON | {"value", "values", "why", "name", "proof", "left", "unsearched", "player"},
    "skip": COMMON | {"value", "values", "why", "name", "proof"},
    "extend": COMMON | {"why", "name", "proof"},
    "reduce": COMMON | {"plies", "why", "name", "proof"},
    "threshold": {"value"},
    "expand": {"move", "value", "why", "name", "proof", "role", "count"},
    "simulation": {"name"},
    "select": COMMON | {"value", "visits", "compared", "why", "name", "proof"},
    "simulate": COMMON | {"values", "line", "length", "why", "name", "proof"},
    "backup": COMMON | {"value", "values", "visits", "why", "name"},
    "trim": {"visits", "name"},
    "generate": {"move", "value", "why", "name", "proof", *PROVING, "plies"},
}


def test_the_fields_are_those_of_the_manual() -> None:

    manual = (ROOT / "docs" / "trace.md").read_text()
    for what, fields in FIELDS.items():
        row = next(line for line in manual.splitlines() if line.startswith(f"| `{what}` |"))
        assert set(row.split("`")[1::2]) == {what, *fields}


def test_every_reason_has_a_name_and_a_sentence() -> None:
    known = {*proofs.PRUNED, *proofs.EXTENDED, *proofs.REDUCED, *proofs.ENTERED}
    known |= {*proving.GENERATED, *proving.CUT}
    for why in REASONS:
        if why in known or why in ("", "beta", "another thread", "aspiration"):
            continue
        if why in ("untried", "lot", "proven", "disproven", "evaluation", "mixed", "search"):
            continue
        if why in ("goal", "cheaper", "dearer", "end of the game"):
            continue
        name, proof = proofs.stop(why, "MAX", "+3", "+2", "exact")
        assert name and proof, why


@pytest.mark.once
def test_a_cutoff_is_proved_by_who_has_what_where() -> None:
    max_here, min_here = "MAX can already get +5 here", "MIN can already hold MAX to +5 here"
    near, far = proofs.Place("a", 1), proofs.Place("b", 2)
    assert [
        proofs.cutoff(side, "+5", "+3", place, "why") for side in (True, False) for place in (near, far)
    ] == [
        ("beta cutoff", f"{max_here}; MIN can hold MAX to +3 elsewhere (by a, 1 ply up)"),
        ("deep beta cutoff", f"{max_here}; MIN can hold MAX to +3 elsewhere (by b, 2 plies up)"),
        ("alpha cutoff", f"{min_here}; MAX has +3 elsewhere (by a, 1 ply up)"),
        ("deep alpha cutoff", f"{min_here}; MAX has +3 elsewhere (by b, 2 plies up)"),
    ]
    assert proofs.cutoff(True, "+5", "+3", None, "why") == ("beta cutoff", f"{max_here}, and why")
    assert proofs.cutoff(False, "+5", "+3", None, "why") == ("alpha cutoff", f"{min_here}, and why")


@pytest.mark.once
def test_a_window_that_nobody_has_says_who_asked_for_it() -> None:
    def words(narrow: bool, asked: bool, maximizing: bool, means: bool = False) -> str:
        return proofs.window_end("+1", narrow, asked, maximizing, means)

    assert words(True, True, True, True) == "no player gets more than +1 in this game"
    assert words(True, True, False, True) == "no player gets less than +1 in this game"
    again = "the aspiration window ends at +1: the root is searched again with a wider one"
    assert words(True, True, True) == words(False, True, False) == again
    for means in (True, False):
        assert (
            words(True, False, True, means) == "the null window asks no more than whether it is at least +1"
        )
        assert (
            words(True, False, False, means) == "the null window asks no more than whether it is at most +1"
        )
        assert words(False, False, True, means) == "the window ends at +1"


@pytest.mark.once
def test_a_stop_is_told_from_the_side_of_who_moves() -> None:
    for role, least in (("MAX", "at least"), ("MIN", "at most"), ("chance", "at least")):
        said = f"{role} need not play a noisy move: the evaluation says +3, {least} +2, which is enough"
        assert proofs.stop("stand pat", role, "+3", "+2", "") == ("stand pat", said)
    enough = "the table knows that it is worth +3 or {}: enough for this window"
    assert proofs.stop("table", "MAX", "+3", "+2", "lower") == ("table lower", enough.format("more"))
    assert proofs.stop("table", "MAX", "+3", "+2", "upper") == ("table upper", enough.format("less"))
    assert proofs.stop("table", "MAX", "+3", "+2", "guess") == ("table guess", "")
    assert proofs.stop("something new", "MIN", "+3", "+2", "") == ("something new", "")


# -- searches of ways, by events that are written down ----------------------------------------------


class Walked:
    """A position that notes where it is led. Moves are letters."""

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


def walked(graph: bool, *events: TraceEvent) -> tuple[list[tuple[Any, ...]], list[list[str]]]:
    """What is told of each event, and the moves that were made and taken back for it."""
    position, steps, logs = Walked(), list[TraceStep](), []
    follow = WayFollower(position, steps.append, graph)
    for event in events:
        follow(event)
        logs.append(position.log[:])
        position.log.clear()
    told = [
        (one.what, one.node, one.level, one.word, one.value, one.why, one.name, one.proof, one.parent)
        for one in steps
    ]
    assert all(one.role == "" for one in steps)
    return told, logs


@pytest.mark.once
def test_a_search_in_depth_is_followed_move_by_move() -> None:
    threshold = "the way so far and the estimate cost more than is allowed now"
    told, logs = walked(
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
    assert told == [
        ("threshold", 0, 0, "", 3, "", "", "", -1),
        ("expand", 0, 0, "", 3, "", "", "", -1),
        ("expand", 1, 1, ">a", 4, "", "", "", -1),
        ("generate", 2, 2, "a>c", 5, "threshold", "beyond the threshold", threshold, -1),
        ("expand", 3, 2, "a>b", 5, "", "", "", -1),
        ("expand", 4, 3, "ab>b", 6, "", "", "", -1),
        ("expand", 5, 2, "a>d", 7, "", "", "", -1),
        ("generate", 6, 3, "ad>a", 7, "goal", "goal", "a way to the goal is found", -1),
        ("expand", 7, 1, ">b", 8, "odd", "odd", "", -1),
        ("expand", 8, 0, "", 9, "", "", "", -1),
    ]
    assert logs == [
        *([], [], ["a"], ["-", "a"], ["ab"], ["abb"]),
        *(["-", "-", "ad"], ["-", "ad"], ["-", "-", "b"], ["-"]),
    ]


@pytest.mark.once
def test_a_graph_is_followed_by_the_way_to_each_position() -> None:
    """The way is that by which a position was reached at least cost."""
    known = "a position met before is reached at no less cost: this way is left"
    cheaper = "a position met before is reached at less cost"
    told, logs = walked(
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
    assert [one[:6] + one[7:] for one in told] == [
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
        (one.what, one.node, one.level, one.role, one.word, one.value, one.beta, one.visits, one.why,
         one.name, one.proof, one.left, one.unsearched, one.values)
        for one in steps
    ]  # fmt: skip
    ends, inf = (0, (), ()), math.inf
    mixed = "the evaluation counts as much as the playout"
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
            "a search of a few plies",
            1,
            ("b1",),
            (),
        ),
    ]


@pytest.mark.once
@pytest.mark.parametrize(
    ("step", "told"),
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
def test_a_line_has_what_its_step_tells(step: TraceStep, told: dict[str, Any]) -> None:
    found = documents.document(step)
    assert found == {"what": step.what, "node": 3, "level": 1, "role": step.role, "move": "a"} | told
    bare = documents.document(TraceStep(step.what, 0, 0, ""))
    assert {"role", "move", "value", "name", "proof", "best", "why", "player"}.isdisjoint(bare)


# -- the words ---------------------------------------------------------------------------------------


def test_the_lecture_word_for_word() -> None:
    lines: list[str] = []
    engine, _ = registry.engine("alphabeta")
    game = registry.game("configs/trees/lecture.toml")
    write = TraceLines(lines.append)
    engine.search(game.new(), Limit(depth=3), trace=Follower(game.new(), engine, write))
    write.close()
    assert "".join(lines) == LECTURE


def test_sums_odds_and_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    assert gameplay("trace", "configs/trees/chance.toml", "--engine", "expectiminimax") == 0
    out = capsys.readouterr().out
    assert "| | likely (9/10): MIN" in out and "| a1 = +2.10 = 9/10 x (+2.00) + 1/10 x (+3.00)" in out
    assert gameplay("trace", "configs/trees/three-players.toml", "--engine", "maxn") == 0
    assert "root = (+1.00, +2.00, +6.00) by 1" in capsys.readouterr().out


def test_iterations_searches_again_and_secondary_searches_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert gameplay("trace", "chess", "--engine", "selective:secondary=2", "--depth", "5") == 0
    out = capsys.readouterr().out
    for words in (
        *("search, depth 1: MAX [-inf, +inf]", "iteration, depth 5: MAX [", "PVS re-search", "null window"),
        *("secondary search", "stand pat: ", "late move pruning", "table lower", "null-move"),
    ):
        assert words in out, words


def test_a_search_that_is_stopped_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ((), ("--json",)):
        assert gameplay("trace", "connect4", "--engine", "alphabeta", "--nodes", "500", *words) == 0
        out = capsys.readouterr().out
        assert ("\nthe search was stopped" if not words else '"name":"stopped"') in out
    assert gameplay("tree", "connect4", "--engine", "alphabeta", "--nodes", "500") == 0
    assert "root MAX = " in capsys.readouterr().out, "the last search that was finished"


def test_what_cannot_be_followed_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words, status, said in (
        (("connect4", "--engine", "random"), 2, "random does not search"),
        (("connect4", "--moves", "1 1 1 1 1 1 1"), 6, "move 7"),
        (("connect4", "--moves", "1 2 1 2 1 2 1"), 2, "the game is over"),
        (("pig", "--engine", "alphabeta"), 2, "pig"),
        (("connect4", "--engine", "iterative:threads=2"), 2, "several threads cannot be traced"),
        (("connect5",), 2, "connect4"),
        (("connect4", "--engine", "alphabeta", "--sims", "3"), 2, "alphabeta does not simulate"),
        (("backgammon",), 2, "it is chance's turn, there is no decision to search: make its moves first"),
        (("kuhn", "--moves", "J Q", "--engine", "ismcts"), 2, "pimc can, of one"),
        (("kuhn", "--moves", "J Q", "--engine", "alphabeta"), 2, "Kuhn has chance in it"),
        (("kuhn", "--moves", "J Q", "--engine", "pimc:by=rollout"), 2, "pimc:by=maxn can"),
    ):
        for more in ((), ("--json",)):
            assert gameplay("trace", *words, *more) == status
            out, err = capsys.readouterr()
            assert said.lower() in err.lower() and err.count("\n") == 1, err
            assert out == "", "nothing is told of a search that is refused"


@pytest.mark.once
def test_where_something_is_hidden_the_search_of_one_deal_is_followed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """That of pimc, whatever it is called; the better card wins the bet, and a worse one folds."""
    told = []
    for engine in ((), ("--engine", "pimc"), ("--engine", "expectiminimax"), ("--engine", "pimc:by=maxn")):
        assert gameplay("trace", "kuhn", "--moves", "J Q", *engine) == 0
        told.append(capsys.readouterr().out)
    first, one, other, shares = told
    assert first == one == other and "nothing is hidden from this search" in first
    assert "| bet = -2.00 by call\nroot = -1.00 by check\n" in first
    assert "root = (-1.00, +1.00) by check\n" in shares
    assert not registry.engine("expectiminimax")[0].hidden, "to play it does not see what is hidden"
    assert tracing.followed("battleship", "", "", None, Limit(depth=1)).engine.name == "maxn"


@pytest.mark.once
def test_what_chance_moves_first_is_drawn_by_the_seed(capsys: pytest.CaptureFixture[str]) -> None:
    """As in a game that is played with that seed; none where somebody is on turn."""
    made = [tracing.followed("kuhn", "", "", None, Limit(depth=1), seed).match.words() for seed in range(9)]
    assert {len(words) for words in made} == {2} and len({tuple(words) for words in made}) > 2
    played = unplayed(registry.game("backgammon"), seed=3)
    played.step()
    assert tracing.followed("backgammon", "", "", None, Limit(depth=1), 3).match.words() == played.words()
    assert tracing.followed("kuhn", "", "J", None, Limit(depth=1), 3).match.words()[0] == "J"
    assert tracing.followed("tictactoe", "", "b2", None, Limit(depth=1), 3).match.words() == ["b2"]
    assert gameplay("tree", "backgammon", "--seed", "1", "--depth", "1") == 0
    assert capsys.readouterr().out.startswith("backgammon, after ")
    assert gameplay("trace", "backgammon", "--seed", "-1") == 2


@pytest.mark.once
def test_a_search_is_small_enough_to_be_read_where_nobody_limits_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many plies as 400 positions take, and four at most; nodes and simulations of what knows no plies."""
    asked: list[float] = []

    def deep(plies: int) -> None:
        monkeypatch.setattr(tracing, "affordable_depth", lambda position, nodes: asked.append(nodes) or plies)

    deep(3)
    puzzle = "puzzle15:rows=2,columns=2"
    for game, engine, limit, found in (
        ("tictactoe", "alphabeta", Limit(), Limit(depth=3)),
        ("tictactoe", "mcts", Limit(), Limit(simulations=20)),
        ("tictactoe", "pns", Limit(), Limit(nodes=400)),
        (puzzle, "astar", Limit(), Limit(nodes=400)),
        (puzzle, "idastar", Limit(), Limit(nodes=400)),
        ("tictactoe", "alphabeta", Limit(nodes=7), Limit(nodes=7)),
        ("tictactoe", "alphabeta:depth=2", Limit(nodes=7), Limit(depth=2, nodes=7)),
        ("tictactoe", "iterative:threads=1", Limit(depth=1), Limit(depth=1)),
    ):
        one = tracing.followed(game, "", "", engine, limit)
        assert (one.limit, one.game, one.engine.name) == (found, game, engine.partition(":")[0])
        assert one.report is None
    for plies, found in ((4, 4), (5, 4)):
        deep(plies)
        assert tracing.followed("tictactoe", "", "", None, Limit()).limit == Limit(depth=found)
    assert set(asked) == {400}
    usual = registry.usual_engine(registry.game("tictactoe").new()).name
    one = tracing.followed("tictactoe", "x../.../...", "b2, c3", None, Limit(depth=1))
    assert one.engine.name == usual and one.match.words() == ["b2", "c3"]
    assert one.match.start.startswith("x../.../...")


@pytest.mark.once
def test_a_search_is_followed_on_a_position_of_its_own_and_leaves_its_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[Any] = []

    def follower(engine: Any, position: Any, sink: Any, listed: int) -> Any:
        given.append((engine.name, position.text(), sink, listed))
        return lambda event: None

    monkeypatch.setattr(tracing, "follower", follower)
    one = tracing.followed("tictactoe", "", "b2", "alphabeta", Limit(depth=2))
    report = one.run(print)
    assert report is one.report and report.nodes > 1
    one.run(print, 40)
    text = one.match.position.text()
    assert given == [("alphabeta", text, print, 8), ("alphabeta", text, print, 40)]


@pytest.mark.once
def test_steps_are_written_at_once_for_people_and_by_the_hundred_for_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Out(io.StringIO):
        def __init__(self, terminal: bool) -> None:
            super().__init__()
            self.terminal, self.lines = terminal, list[int]()

        def isatty(self) -> bool:
            return self.terminal

        def write(self, text: str) -> int:
            if text:
                self.lines.append(text.count("\n"))
            return super().write(text)

    texts = []
    for terminal in (True, False):
        out = Out(terminal)
        monkeypatch.setattr(sys, "stdout", out)
        asked = tracing.followed("tictactoe", "", "", "alphabeta", Limit(depth=4))
        assert trace._print(asked) == 0
        texts.append(out.getvalue())
        if terminal:
            assert set(out.lines) == {1}
        else:
            assert len(out.lines) > 1 and set(out.lines[:-1]) == {500} and out.lines[-1] < 500
    assert texts[0] == texts[1]

    def stopped(self: Any, sink: Any, listed: int = 8) -> Any:
        return SimpleNamespace(stopped="interrupted")

    monkeypatch.setattr(tracing.Followed, "run", stopped)
    monkeypatch.setattr("gameplay.tracing.documents.end", lambda match, report: {"name": "end"})
    monkeypatch.setattr("gameplay.display.reports.trace.result", lambda match, report: "the end")
    for told in (trace._print, trace._print_lines):
        out = Out(False)
        monkeypatch.setattr(sys, "stdout", out)
        with pytest.raises(KeyboardInterrupt):
            told(tracing.followed("tictactoe", "", "", "alphabeta", Limit(depth=3)))
        assert "end" in out.getvalue().splitlines()[-1]


@pytest.mark.once
def test_a_tree_is_drawn_of_the_last_search_that_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or of the last one where none did; how many there were, and that it was stopped, is noted."""

    def notes_of(*names: Any, before: int = 0, view: str = "max", missed: int = 0) -> Any:
        roots = [SimpleNamespace(left=name and SimpleNamespace(name=name), number=number)
                 for number, name in enumerate(names)]  # fmt: skip
        grove = SimpleNamespace(roots=roots, before=before)
        monkeypatch.setattr(
            "gameplay.tracing.tree.SearchTreeBuilder",
            lambda *what, alone, drawn: made.append((*what, alone, drawn)) or grove,
        )
        monkeypatch.setattr("gameplay.display.reports.growth.drawn", lambda root, most, unit: made.append(
            (root.number, most, unit)) or SimpleNamespace(count=lambda: 1234))  # fmt: skip
        monkeypatch.setattr("gameplay.display.reports.growth.missing", lambda twig: missed)
        asked: Any = SimpleNamespace(
            run=lambda sink, named: made.append((sink is grove, named)) or SimpleNamespace(stopped="nodes"),
            match=SimpleNamespace(position=SimpleNamespace(unit=100)), engine=SimpleNamespace(view=view),
        )  # fmt: skip
        return tree._grown(asked, 30)[1]

    made: list[Any] = []
    all_drawn, stop = "all 1,234 nodes are drawn", "the search was stopped: nodes"
    assert notes_of("value") == [all_drawn]
    assert made == [(200_000, True, 30), (True, 40), (0, 30, 100)]
    assert notes_of("value", missed=5678) == ["1,234 nodes drawn, 5,678 not drawn"]
    assert notes_of("value", "value", None) == [all_drawn, "the last of 3 searches of the root"]
    assert made[-1][0] == 1
    assert notes_of("value", before=4) == [all_drawn, "the last of 5 searches of the root"]
    assert (
        notes_of(None, None) == [all_drawn, "the last of 2 searches of the root", stop] and made[-1][0] == 1
    )
    assert notes_of("stopped") == [all_drawn, stop]
    assert notes_of("value", view="attacker") == [all_drawn]
    assert notes_of("value", "value", view="attacker") == [
        all_drawn, "the second question: the answer to the first is no",
    ]  # fmt: skip
    with pytest.raises(Unfinished, match="the search ended before it visited a node"):
        notes_of()


@pytest.mark.once
def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    for write in (tree._write, exploit._write):
        with pytest.raises(BadInput) as refused:
            write(tmp_path / "none" / "x", "text")
        assert str(refused.value) == f"{tmp_path / 'none' / 'x'}: No such file or directory"
        write(tmp_path / "x", "é")
        assert (tmp_path / "x").read_bytes() == "é".encode()


KEPT = [
    *("configs/trees/chance.toml --engine expectiminimax", "pig:goal=6 --engine mcts:sims=9"),
    *("tictactoe --moves b2,a1 --engine mcts:sims=8 --json", "nim:heaps=1+2,players=3 --engine paranoid"),
    "pig:goal=6 --engine expectiminimax:prune=star2,table=1MB --depth 2",
    *("configs/trees/three-players.toml --engine maxn", "nim:heaps=1+2,players=3 --engine maxn --json"),
    "nim:heaps=1+2,players=3 --engine brs --json",
    "connect4:columns=4,rows=4 --moves 1,1,2,2,3 --engine iterative:mtdf=on --depth 2",
    "chess --position 4k3/8/8/3p4/4P3/8/8/4K3~w~-~- --engine quiescence --depth 2",
    *(f"puzzle15:rows=3,columns=3 --engine {name}" for name in ("idastar", "astar", "idastar --json")),
    "puzzle15:rows=3,columns=3 --engine astar --json",
    "tictactoe --moves b2,a1,c2,a2,a3 --engine pns",
    *("nim:heaps=1+1 --engine pns --json", "nim:heaps=1+2 --engine pns:weak=off,mobility=off"),
    *("connect4 --engine alphabeta --nodes 1", "connect4 --engine alphabeta --nodes 9 --json"),
]


def test_traces_are_as_they_were_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """Searches of all kinds, word for word: so little of each that it can be read."""
    kept = []
    for words in KEPT:
        more = ["--position", "1 4 2 3 5 8 6 7 0"] if words.startswith("puzzle15") else []
        assert gameplay("trace", *(word.replace("~", " ") for word in words.split()), *more) == 0
        kept.append(f"$ gameplay trace {words}\n{capsys.readouterr().out}")
    golden("traces", "\n".join(kept))


def test_each_kind_of_line_as_it_was_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """The first of each of the selective search's."""
    seen: dict[tuple[str, str], str] = {}
    for words in (("chess", "--depth", "5"), ("connect4", "--moves", "4 4 5 5", "--depth", "6")):
        assert gameplay("trace", *words, "--engine", "selective:secondary=2", "--json") == 0
        steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert gameplay("trace", *words, "--engine", "selective:secondary=2") == 0
        lines = capsys.readouterr().out
        for step in steps:
            seen.setdefault((step["what"], step.get("name", "")), json.dumps(step))
        for line in lines.splitlines():
            words_of = tuple(word for word in line.split() if word.isalpha())
            seen.setdefault(("line", " ".join(words_of[:4])), line)
    golden("trace_lines", "\n".join(seen.values()) + "\n")


@pytest.mark.once
def test_searches_are_followed_as_they_were_kept() -> None:
    """Every step of the searches whose reports are kept, to their end and stopped in the middle."""
    rows = []
    for spec, name, text, far in TRACED:
        engine, limit = registry.engine(spec)
        limit = limit.with_(simulations=far) if engine.simulates else limit.with_(depth=far) if far else limit
        rows.append(f"{spec}, {name} {text}".strip())
        for asked in (limit.with_(nodes=1500), Limit(nodes=90)):
            found: list[TraceStep] = []
            game = registry.game(name)
            engine.search(game.new(text), asked, trace=follower(engine, game.new(text), found.append, 3))
            steps = "\n".join(f"{step}" for step in found)
            kinds = sorted({step.name for step in found if step.name})
            digest = blake2b(steps.encode(), digest_size=4).hexdigest()
            rows.append(f"    {len(found):>5} {digest} {', '.join(kinds)}".rstrip())
    golden("searches_followed", "\n".join(rows) + "\n")


# -- what a node is called -------------------------------------------------------------------------

PLAIN = [
    *("tictactoe minimax 3", "tictactoe alphabeta 9", "connect4:columns=4,rows=4 alphabeta:table=1MB 4"),
    *("pig:goal=30 expectiminimax:eval=none 3", "pig:goal=30 expectiminimax:eval=none,prune=star1 3"),
    *(
        "pig:goal=30 expectiminimax:eval=none,prune=star2 3",
        "pig:goal=30 expectiminimax:eval=none,prune=star2,table=1MB 3",
    ),
    *("nim:players=3,heaps=1+2 maxn 4", "nim:players=3,heaps=1+2 paranoid 4", "nim:heaps=2+2 iterative 4"),
]
# Outcomes that end the game, and an outcome after which chance moves again.
OUTCOMES = {
    "max": {
        "a": {"chance": {"x": 2, "y": 4}},
        "b": {"chance": {"x": 1, "y": {"min": [3, {"max": [1, 5]}]}, "z": {"chance": {"u": 0, "v": 2}}}},
        "c": {"chance": {"x": {"min": [5, 0]}, "y": {"max": [0, 5]}, "z": 5}},
        "d": {"min": [{"chance": {"x": 1, "y": 5}}, {"chance": {"x": 5, "y": {"max": [4, 3]}}}]},
    }
}
PLAIN += [f"outcomes expectiminimax{options} 4" for options in ("", *(f":prune=star{n}" for n in (1, 2)))]
PLAIN += ["outcomes expectiminimax:prune=star2,table=1MB 4", "outcomes expectiminimax:prune=star2 2"]
DEEPER = [
    *("nim:players=3,heaps=1+2 brs 4", "chess quiescence 2", "chess selective:secondary=2 4"),
    *("othello:size=4 iterative 5", "connect4:columns=4,rows=4 selective 5", "othello:size=6 selective 4"),
]


@pytest.mark.parametrize("case", [*PLAIN, *DEEPER])
def test_every_line_calls_its_node_what_it_is(case: str) -> None:
    """A finished game is a leaf, with no depth; others have their mover, and the plies that are left."""
    game, spec, depth = case.split()
    if game == "outcomes":
        position, own = Tree.of(OUTCOMES), Tree.of(OUTCOMES)
    else:
        position = registry.game(game).new("24-25 1 4" if game.startswith("pig") else "")
        own = position.twin()
    engine, _ = registry.engine(spec)
    nodes: dict[
        int, tuple[bool, bool, int]
    ] = {}  # is it over, is it chance's, and how many decisions led there
    open_: list[int] = []
    written: list[tuple[TraceStep, str]] = []
    lines = TraceLines(lambda line: written.append((lines.about, line.rstrip("\n"))), position.unit)  # type: ignore[arg-type]

    def heard(step: TraceStep) -> None:
        if step.what == "enter":
            del open_[step.level :]
            made = 0
            if open_:
                over, chance, made = nodes[open_[-1]]
                assert not over, "nothing lies below a finished game"
                made += not chance
            open_.append(step.node)
            nodes[step.node] = (own.outcome() is not None, own.turn == -1, made)
        lines(step)

    report = engine.search(position, Limit(depth=int(depth), nodes=3000), trace=Follower(own, engine, heard))
    lines.close()
    assert report.nodes > 12 and len(nodes) > 12
    roots, leaves = 0, 0
    for about, line in written:
        if about.what != "enter" or not about.level:
            roots = about.depth if about.what == "enter" else roots  # of this search of the root
            continue
        over, chance, made = nodes[about.node]
        if over:
            assert ": leaf" in line and line.count("(the game is over)") == 1, line
            leaves += 1
        elif ": leaf" in line:
            assert "(evaluation)" in line and "depth" not in line, line
        else:
            assert f": {about.role}" in line and (about.role == "chance") == chance, line
            assert (f", depth {about.depth}" in line) == (about.depth > 0), line
            if case in PLAIN:
                assert about.depth == roots - made, line
    assert leaves > 0 or not game.startswith(("pig", "nim", "outcomes")), case
