"""Windows of a trace: each change of alpha and beta, recomputed by a plain recursive alpha-beta."""

import json
import re
from random import Random
from typing import Any

import pytest

from gameplay import Limit
from gameplay.games.tree import Tree
from gameplay.lessons import alphabeta
from gameplay.tracing.trace import TraceStep
from gameplay.tracing.windows import WindowTable
from tests.support.commands import gameplay, run_printed
from tests.support.game_trees import game_of, random_tree, uniform_tree
from tests.support.traces import trace_search

ENDLESS = float("inf")
LECTURE = [[3, 12, 8], [2, 7, 1], [14, 5, 2]]


class PlainAlphaBeta:
    """A plain alpha-beta with MAX-VALUE and MIN-VALUE; records its steps at each node in order."""

    def __init__(self, tree: Any) -> None:
        self.changes: list[tuple[int, str, float, float, float]] = []  # node, end, before, alpha, beta
        self.rows: list[tuple[Any, ...]] = []  # entry window, exit window, value, cut
        self.value = self.search(tree, -ENDLESS, ENDLESS, True)

    def search(self, tree: Any, alpha: float, beta: float, maximizing: bool) -> float:
        number, entry = len(self.rows), (alpha, beta)
        self.rows.append(())
        if not isinstance(tree, list):
            self.rows[number] = (entry, entry, tree, False)
            return float(tree)
        best = -ENDLESS if maximizing else ENDLESS
        for child in tree:
            value = self.search(child, alpha, beta, not maximizing)
            best = max(best, value) if maximizing else min(best, value)
            if maximizing and value > alpha:
                before, alpha = alpha, value
                self.changes.append((number, "alpha", before, alpha, beta))
            elif not maximizing and value < beta:
                before, beta = beta, value
                self.changes.append((number, "beta", before, alpha, beta))
            if alpha >= beta:
                break
        self.rows[number] = (entry, (alpha, beta), best, alpha >= beta)
        return best


def tree_position(tree: Any) -> Any:
    position = Tree.of(game_of(tree))
    position.data = game_of(tree)
    return position


def changes(steps: list[TraceStep]) -> list[tuple[int, str, float, float, float]]:
    return [
        (step.node, step.why, step.before, step.alpha, step.beta) for step in steps if step.what == "window"
    ]


def test_windows_equal_those_of_a_plain_alpha_beta() -> None:
    rng = Random(77)
    trees = [LECTURE, *([random_tree(rng, 4) for _ in range(3)] for _ in range(12))]
    total = cuts = 0
    for tree in trees:
        table = WindowTable(1_000)
        steps, report = trace_search("alphabeta", tree_position(tree), Limit(depth=9))
        for step in steps:
            table(step)
        worked = PlainAlphaBeta(tree)
        assert report.value == worked.value and changes(steps) == worked.changes
        rows = [(row.entry, row.exit, row.value, row.cut != "") for row in table.rows]
        assert rows == worked.rows and table.count == len(rows)
        total += len(worked.changes)
        cuts += sum(row[3] for row in rows)
    assert total > 100 and cuts > 30


def test_the_standard_exercise_has_its_numbers() -> None:
    """The first leaf, 3, is beta at the first MIN node, and then alpha at the root."""
    steps, _ = trace_search("alphabeta", tree_position(LECTURE), Limit(depth=9))
    first, second, *_ = [step for step in steps if step.what == "window"]
    assert (first.at, first.alpha, first.beta, first.before) == ("m0", -ENDLESS, 3, ENDLESS)
    assert (first.role, first.word, first.name) == ("MIN", "m0", "leaf")
    assert (second.at, second.alpha, second.beta, second.role, second.name) == ("", 3, ENDLESS, "MAX", "move")


@pytest.mark.parametrize(
    "spec", ["iterative", "iterative:table=off,order=generated", "iterative:mtdf=on", "selective:mates=off"]
)
def test_a_child_is_entered_with_the_window_of_its_parent(spec: str) -> None:
    """A null window lies at its end; the displayed windows are those of the search."""
    rng = Random(9)
    same = null = 0
    for _ in range(6):
        steps, _ = trace_search(
            spec, tree_position([uniform_tree(rng, 3, 3) for _ in range(3)]), Limit(depth=4)
        )
        windows: list[tuple[float, float]] = []
        roles: list[str] = []
        for step in steps:
            if step.what == "enter":
                ends = (step.alpha, step.beta)
                if windows:
                    above = windows[-1]
                    at = (above[0], above[0] + 1) if roles[-1] == "MAX" else (above[1] - 1, above[1])
                    assert ends in (above, at), (step, above)
                    same += ends == above
                    null += ends != above
                windows.append(ends)
                roles.append(step.role)
            elif step.what == "window":
                assert (step.before != step.value) and step.value in (step.alpha, step.beta)
                windows[-1] = (step.alpha, step.beta)
            elif step.what == "leave":
                assert windows.pop() == (step.alpha, step.beta)
                roles.pop()
    assert same > 50 and (null > 0 or "mtdf" in spec)


@pytest.mark.parametrize("spec", ["minimax", "maxn", "expectiminimax"])
def test_engines_without_pruning_have_no_windows(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    steps, _ = trace_search(spec, tree_position(LECTURE), Limit(depth=9))
    assert not changes(steps)
    status, out, error = run_printed(capsys, "trace", "tree:lecture", "--engine", spec, "--windows")
    assert (status, out) == (2, "")
    assert f"{spec} has none. Try: --engine alphabeta" in error.replace("\n", " ")


def test_stopped_search_reports_no_change_of_unfinished_iterations() -> None:
    # The engine deepens iteratively, as do all below.
    whole, _ = trace_search("alphabeta", tree_position(LECTURE), Limit(depth=9, nodes=1_000))
    for nodes in range(1, 11):
        steps, _ = trace_search("alphabeta", tree_position(LECTURE), Limit(depth=9, nodes=nodes))
        assert changes(steps) == changes(whole)[: len(changes(steps))]


def test_text_and_json_show_the_same_changes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("trace", "tictactoe", "--moves", "b2 a1 c2", "--engine", "alphabeta", "--depth", "3")
    assert gameplay(*words, "--json") == 0
    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    results = [document for document in documents if document["what"] == "window"]
    assert gameplay(*words, "--windows") == 0
    text = capsys.readouterr().out
    lines = re.findall(r"at (the root|\S+): (alpha|beta) .* from (?:leaf )?(\S+);", text)
    assert lines == [(result.get("at", "the root"), result["why"], result["move"]) for result in results]
    table = text.partition("windows of MAX at each node")[2].splitlines()
    entered = [document for document in documents if document["what"] == "enter"]
    assert len(table) == 2 + len(entered) and len(results) > 10
    bounds = [("leaf" in line.split(), ">=" in line or "<=" in line) for line in table[2:]]
    assert (True, False) in bounds and (False, True) in bounds and (True, True) not in bounds
    assert run_printed(capsys, *words, "--json", "--windows")[0] == 2


@pytest.mark.once
def test_the_lecture_shows_each_window_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert gameplay("lecture", "alphabeta") == 0
    out = capsys.readouterr().out
    for line in (
        "at B: [-inf, 3]    b1 = 3: beta inf -> 3",
        "at A: [3, inf]     B = 3: alpha -inf -> 3",
        "at C: [3, 2]       c1 = 2: beta inf -> 2; alpha >= beta: cut off: c2, c3",
    ):
        assert f"   {line}\n" in out
    exercises = list(alphabeta.exercises())
    parts = re.split(r"^\d+\. ", out, flags=re.M)[1:]
    for exercise, part in zip(exercises, parts, strict=True):
        worked = PlainAlphaBeta(lists(exercise.tree.root))
        ends = re.findall(r"at (\w): \[(\S+), (\S+)\] .*: (alpha|beta) \S+ -> ", part)
        letters = exercise.letters
        # In the order of entering.
        order = [node for node in exercise.tree.nodes if node.number in exercise.entered]
        expected = [
            (letters[order[number].number], f"{alpha:g}", f"{beta:g}", end)
            for number, end, _, alpha, beta in worked.changes
        ]
        assert ends == expected and expected


def lists(node: Any) -> Any:
    return [lists(branch) for branch in node.branches] if node.branches else int(node.payoffs[0])
