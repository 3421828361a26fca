"""Traces in textbook terms: every value, bound and proof is true, for every engine."""

import json
from random import Random
from typing import Any

import pytest

from gameplay import Limit
from gameplay.engines.alphabeta import AlphaBeta
from gameplay.games.tree import Tree
from gameplay.search.trace import REASONS, TraceEvent
from gameplay.tracing import proofs, proving
from tests.support.commands import gameplay
from tests.support.game_trees import game_of, random_tree, uniform_tree
from tests.support.paths import ROOT
from tests.support.traces import trace_search


def tree_position(tree: Any) -> Any:
    data = game_of(tree)
    position = Tree.of(data)
    position.data = data
    return position


def worth(tree: Any, maximizing: bool, left: int) -> int:
    """The value of a tree of lists for MAX, to `left` plies; an estimate is 0."""
    if not isinstance(tree, list):
        return int(tree)
    if not left:
        return 0
    return (max if maximizing else min)(worth(child, not maximizing, left - 1) for child in tree)


def at(tree: Any, line: list[int]) -> Any:
    for move in line:
        tree = tree[move]
    return tree


# -- traced statements are true --------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        *("minimax", "alphabeta", "alphabeta:fail=hard", "alphabeta:order=random,seed=3"),
        *("alphabeta:table=1MB", "iterative", "iterative:aspiration=off,table=off", "iterative:pvs=off"),
        *("quiescence", "selective"),
    ],
)
def test_every_value_bound_and_proof_is_true(spec: str) -> None:
    """All statements on a node hold for its minimax value, computed here."""
    rng = Random(len(spec))
    cuts = deep = 0
    for _ in range(8):
        tree = [random_tree(rng, 5) for _ in range(3)]
        steps, report = trace_search(spec, tree_position(tree), Limit(depth=6))
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
def test_tree_equals_the_rules_in_any_move_order(spec: str) -> None:
    """Knuth and Moore's, for PVS Marsland and Campbell's, on the tree in search order."""
    rng = Random(82)
    for _ in range(15):
        tree = [uniform_tree(rng, 3, 3) for _ in range(3)]
        steps, _ = trace_search(spec, tree_position(tree), Limit(depth=4))
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
        assert seen == visited_nodes(tree, order, pvs=spec.startswith("iterative"))


def visited_nodes(tree: Any, order: dict[tuple[int, ...], list[int]], pvs: bool) -> list[Any]:
    """The nodes that alpha-beta visits, fail-soft, with MAX's windows; `pvs`: with null windows."""
    results: list[Any] = []
    endless = float("inf")

    def search(line: tuple[int, ...], alpha: float, beta: float, sign: int) -> float:
        results.append((line, alpha, beta) if sign > 0 else (line, -beta, -alpha))
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
    return results


def test_fail_hard_never_leaves_the_window() -> None:
    rng = Random(5)
    outside = {"soft": 0, "hard": 0}
    for _ in range(8):
        tree = [uniform_tree(rng, 3, 3) for _ in range(3)]
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


EVERY = [
    *("tictactoe minimax", "connect4 alphabeta", "connect4 iterative", "chess quiescence"),
    *("chess selective:secondary=2", "othello iterative", "pig expectiminimax"),
    *("pig expectiminimax:prune=star2,table=1MB", "nim:players=3 maxn", "nim:players=3 paranoid"),
    *("nim:players=3 brs", "chinese_checkers:players=3 brs", "puzzle15:rows=3,columns=3 dfid"),
    "connect4:columns=4,rows=4 pns",
    *("tictactoe mcts", "pig mcts", "puzzle15:rows=3,columns=3 idastar", "puzzle15:rows=3,columns=3 astar"),
]


# -- every engine ----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", EVERY)
def test_every_engine_is_traced_node_by_node_deterministically(
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
        assert [document["node"] for document in documents if document["what"] == "simulation"] == list(
            range(1, 21)
        )
        roots = [document for document in documents if document["what"] == "backup" and not document["level"]]
        assert [root["visits"] for root in roots] == list(range(1, 21))
        steps = {document["what"] for document in documents}
        assert steps >= {"select", "expand", "simulate", "backup"} and "back up the root: 20 visits" in lines
    enters = ("generate",) if spec == "pns" else ("enter", "generate")
    entered = [document["node"] for document in documents if document["what"] in enters]
    way = game.startswith("puzzle15") or spec in ("mcts", "pns")
    assert spec == "mcts" or len(entered) + way == documents[-1]["nodes"]
    assert f"{documents[-1]['nodes']:,} nodes" in lines.splitlines()[-1]
    if not way:
        assert entered == list(range(len(entered)))
        assert sum(document["what"] == "leave" for document in documents) == len(entered)
    for data in documents[1:-1]:
        wrong = set(data) - FIELDS.get(data["what"], set()) - {"what", "node", "level"}
        assert not wrong, f"{data['what']} has {wrong}"


COMMON = {"role", "move"}
PROVING = {"role", "player", "numbers"}
ENTERED = {"thresholds", "compared", "visits"}
LEFT = {"player", "numbers", "plies", "why", "proof"}
FIELDS = {
    "question": {"player", "name"},
    "enter": COMMON | {"player", "depth", "odds", "alpha", "beta", "why", "name", "proof", *ENTERED},
    "leave": COMMON | {"alpha", "beta", "value", "bound", "values", "best", "stop", "name", *LEFT},
    "window": COMMON | {"alpha", "beta", "before", "at", "why", "name"},
    "table": COMMON | {"value", "bound", "values", "name"},
    "known": COMMON | {"value", "bound", "values", "name"},
    "evaluate": COMMON | {"value", "values"},
    "cut": COMMON | {"value", "values", "why", "name", "proof", "left", "unsearched", "player"},
    "skip": COMMON | {"value", "values", "why", "name", "proof"},
    "extend": COMMON | {"why", "name", "proof"},
    "order": COMMON | {"value", "why", "name", "proof"},
    "reduce": COMMON | {"plies", "why", "name", "proof"},
    "threshold": {"value"},
    "expand": {"move", "value", "why", "name", "proof", "role", "count"},
    "simulation": {"name"},
    "select": COMMON | {"value", "visits", "compared", "why", "name", "proof"},
    "compare": COMMON | {"visits", "c", "best", "children"},
    "simulate": COMMON | {"values", "line", "length", "why", "name", "proof"},
    "backup": COMMON | {"value", "values", "visits", "why", "name"},
    "trim": {"visits", "name"},
    "generate": {"move", "value", "why", "name", "proof", *PROVING, "plies"},
}


def test_the_fields_are_those_of_the_manual() -> None:

    manual = (ROOT / "docs/how-to/trace-json.md").read_text()
    for what, fields in FIELDS.items():
        row = next(line for line in manual.splitlines() if line.startswith(f"| `{what}` |"))
        assert set(row.split("`")[1::2]) == {what, *fields}


def test_every_reason_has_a_name_and_a_sentence() -> None:
    known = {*proofs.PRUNED, *proofs.EXTENDED, *proofs.REDUCED, *proofs.ENTERED}
    known |= {*proving.GENERATED, *proving.CUT, *proofs.ORDERED}
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
def test_cutoff_explanation_names_players_values_and_nodes() -> None:
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
def test_trace_names_the_origin_of_a_null_window() -> None:
    def words(narrow: bool, asked: bool, maximizing: bool, means: bool = False) -> str:
        return proofs.window_end("+1", narrow, asked, maximizing, means)

    assert words(True, True, True, True) == "no player gets more than +1 in this game"
    assert words(True, True, False, True) == "no player gets less than +1 in this game"
    again = "the aspiration window ends at +1: the root is searched again with a wider one"
    assert words(True, True, True) == words(False, True, False) == again
    for means in (True, False):
        assert words(True, False, True, means) == "the null window only tests whether it is at least +1"
        assert words(True, False, False, means) == "the null window only tests whether it is at most +1"
        assert words(False, False, True, means) == "the window ends at +1"


@pytest.mark.once
def test_trace_reports_a_stop_from_the_movers_side() -> None:
    for role, least in (("MAX", "at least"), ("MIN", "at most"), ("chance", "at least")):
        message = f"{role} need not play a noisy move: the evaluation is +3, {least} +2, which is enough"
        assert proofs.stop("stand pat", role, "+3", "+2", "") == ("stand pat", message)
    for stored in ("lower", "upper"):
        proof = f"the transposition table has the {stored} bound +3: enough for this window"
        assert proofs.stop("table", "MAX", "+3", "+2", stored) == (f"table {stored}", proof)
    assert proofs.stop("table", "MAX", "+3", "+2", "guess") == ("table guess", "")
    assert proofs.stop("something new", "MIN", "+3", "+2", "") == ("something new", "")
