"""Worked exercises on alpha-beta: trees with published answers, and the leaves that the search cut off.

Inner nodes are named by letters, A at the root, level by level, as in textbooks. The trees are stored in
exercises.toml.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from gameplay import registry
from gameplay.games.tree.game import Node, Tree
from gameplay.search.limit import Limit
from gameplay.tracing.trace import Follower, TraceStep

FILE = Path(__file__).with_name("exercises.toml")
DEPTH = 99  # deeper than any exercise


@dataclass(frozen=True)
class WorkedExercise:
    """A searched exercise: its tree, and the window and value of each node that was entered, by number."""

    title: str
    source: str
    published: Mapping[str, Any]
    tree: Tree
    value: float
    entered: Mapping[int, tuple[float, float, float]]  # alpha, beta, value, from MAX's view
    steps: Sequence[tuple[Node, TraceStep]]  # of the search, each with its node

    @property
    def letters(self) -> dict[int, str]:
        """The names of the inner nodes, by number."""
        level, inner = [self.tree.root], []
        while level:
            inner += [node.number for node in level if node.branches]
            level = [branch for node in level for branch in node.branches]
        return dict(zip(inner, ascii_uppercase, strict=False))

    @property
    def leaves_visited(self) -> int:
        """The number of leaves visited."""
        return sum(not node.branches and node.number in self.entered for node in self.tree.nodes)

    @property
    def leaves_pruned(self) -> list[str]:
        """The leaves not visited, each as its path from the root."""
        nodes = self.tree.nodes
        return [" ".join(n.path()) for n in nodes if not n.branches and n.number not in self.entered]

    @property
    def differences(self) -> str:
        """The differences from the published answer; empty if there are none."""
        figures = {
            "value": self.value,
            "leaves_visited": self.leaves_visited,
            "leaves_pruned": self.leaves_pruned,
        }
        parts = [
            f"{name.replace('_', ' ')} {figures[name]}, published {expected}"
            for name, expected in self.published.items()
            if figures[name] != expected
        ]
        return "; ".join(parts)


def exercises() -> Iterator[WorkedExercise]:
    """Yield all exercises, searched by alpha-beta from left to right."""
    with FILE.open("rb") as file:
        rows = tomllib.load(file)["exercise"]
    for row in rows:
        tree = Tree.of(row["tree"])
        steps = _search_steps(tree)
        entered = _window_values(steps)
        published = {name: row[name] for name in ("value", "leaves_visited", "leaves_pruned") if name in row}
        yield WorkedExercise(row["title"], row["source"], published, tree, entered[0][2], entered, steps)


def _search_steps(tree: Tree) -> list[tuple[Node, TraceStep]]:
    """The steps of alpha-beta, each with its node."""
    steps: list[tuple[Node, TraceStep]] = []
    path: list[Node] = []

    def follow(step: TraceStep) -> None:
        if step.what == "enter":
            del path[step.level :]
            branches = path[-1].branches if path else [tree.root]
            path.append(next(node for node in branches if not path or node.word == step.word))
        steps.append((path[step.level], step))

    engine = registry.engine("alphabeta")[0]
    engine.search(tree, Limit(depth=DEPTH), trace=Follower(tree.twin(), engine, follow))
    return steps


def _window_values(steps: Sequence[tuple[Node, TraceStep]]) -> dict[int, tuple[float, float, float]]:
    """The window at entry and the value of each node that was entered, from MAX's view."""
    windows, entered = {}, {}
    for node, step in steps:
        if step.what == "enter":
            windows[node.number] = (step.alpha, step.beta)
        elif step.what == "leave":
            assert step.value is not None
            entered[node.number] = (*windows[node.number], step.value)
    return entered


def lines() -> Iterator[str]:
    """Yield the text of all exercises: each tree with its windows, values and cutoffs."""
    for number, exercise in enumerate(exercises(), 1):
        if number > 1:
            yield ""
        yield f"{number}. {exercise.title}"
        yield f"   ({exercise.source})"
        yield ""
        yield from _tree_lines(exercise, exercise.tree.root, exercise.letters, "   ", "")
        yield ""
        yield from _window_steps(exercise)
        yield ""
        leaves = sum(not node.branches for node in exercise.tree.nodes)
        verdict = "as published" if not exercise.differences else f"differs: {exercise.differences}"
        yield f"   value {exercise.value:g}, {exercise.leaves_visited} of {leaves} leaves visited: {verdict}"


def _window_steps(exercise: WorkedExercise) -> Iterator[str]:
    """The window at each inner node, when it is entered and after each of its branches."""
    letters = exercise.letters
    windows: dict[int, tuple[float, float]] = {}
    branch: tuple[Node, str, str] | None = None  # node, branch, change of the window; None: printed

    def line(node: Node, name: str, change: str) -> str:
        alpha, beta = windows[node.number]
        window = f"[{_format_number(alpha)}, {_format_number(beta)}]"
        return f"   at {letters[node.number]}: {window:<11}  {name}{change}"

    yield "   the window [alpha, beta] after each step: MAX has secured alpha, MIN can hold"
    yield "   MAX to beta; cutoff where alpha >= beta"
    for node, step in exercise.steps:
        if branch is not None and step.what in ("enter", "leave"):
            yield line(*branch)
            branch = None
        if step.what == "enter" and node.branches:
            windows[node.number] = (step.alpha, step.beta)
            yield line(node, f"enter {letters[node.number]} ({('MAX', 'MIN')[node.turn]})", "")
        elif step.what == "window" and branch is not None:
            windows[node.number] = (step.alpha, step.beta)
            branch = (
                node,
                branch[1],
                f": {step.why} {_format_number(step.before)} -> {_format_number(step.value or 0)}",
            )
        elif step.what == "cut" and branch is not None:
            rest = f"cut off: {', '.join(step.unsearched)}" if step.left else "after the last branch"
            branch = (node, branch[1], f"{branch[2]}; alpha >= beta: {rest}")
        elif step.what == "leave" and node.parent is not None:
            alpha, beta, value = exercise.entered[node.number]
            name = letters.get(node.number, node.word)
            text = _format_value(alpha, beta, value) if node.branches else _format_number(value)
            branch = (node.parent, f"{name} = {text}", ": no change")


def _tree_lines(
    exercise: WorkedExercise, node: Node, letters: Mapping[int, str], indent: str, stem: str
) -> Iterator[str]:
    """A node and its descendants, one line each."""
    letter = letters.get(node.number, "")
    name = f"{letter} ({node.word})" if letter and node.word else letter or node.word
    word = f"{name}: "
    if node.number not in exercise.entered:
        yield f"{indent}{stem}{word}{_payoff(node)}not visited"
        return
    alpha, beta, value = exercise.entered[node.number]
    if node.branches:
        role = ("MAX", "MIN")[node.turn]
        window = f"[{_format_number(alpha)}, {_format_number(beta)}]"
        yield f"{indent}{stem}{word}{role} {window} = {_format_value(alpha, beta, value)}"
    else:
        yield f"{indent}{stem}{word}{value:g}"
    below = indent + {"": "", "|- ": "|  ", "`- ": "   "}[stem]
    for branch in node.branches:
        last = branch is node.branches[-1]
        yield from _tree_lines(exercise, branch, letters, below, "`- " if last else "|- ")


def _payoff(node: Node) -> str:
    return f"{node.payoffs[0]:g}, " if node.payoffs else ""


def _format_value(alpha: float, beta: float, value: float) -> str:
    """A value as text; outside its window it is an upper or lower bound."""
    return (
        f"{value:g} at most" if value <= alpha else f"{value:g} at least" if value >= beta else f"{value:g}"
    )


def _format_number(value: float) -> str:
    return f"{value:g}" if abs(value) < 1_000_000 else "-inf" if value < 0 else "inf"
