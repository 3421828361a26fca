"""Worked exercises on alpha-beta: trees with published answers, searched, and what was not looked at.

The trees lie beside it, in exercises.toml.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gameplay import registry
from gameplay.games.tree.game import Node, Tree
from gameplay.search.limit import Limit
from gameplay.search.trace import TraceEvent

FILE = Path(__file__).with_name("exercises.toml")
DEPTH = 99  # deeper than any exercise


@dataclass(frozen=True)
class Worked:
    """An exercise and what the search did: the windows and values of the nodes it entered, by number."""

    title: str
    source: str
    published: Mapping[str, Any]
    tree: Tree
    value: float
    entered: Mapping[int, tuple[float, float, float]]  # alpha, beta, value, from MAX's view

    @property
    def looked(self) -> int:
        """How many leaves were looked at."""
        return sum(not node.branches and node.number in self.entered for node in self.tree.nodes)

    @property
    def unseen(self) -> list[str]:
        """The leaves that were not, as branches from the root."""
        nodes = self.tree.nodes
        return [" ".join(n.path()) for n in nodes if not n.branches and n.number not in self.entered]

    @property
    def wrong(self) -> str:
        """What differs from the published answer, if anything."""
        figures = {"value": self.value, "looked": self.looked, "unseen": self.unseen}
        parts = [
            f"{name} {figures[name]}, published {due}"
            for name, due in self.published.items()
            if figures[name] != due
        ]
        return "; ".join(parts)


def exercises() -> Iterator[Worked]:
    """All exercises, worked from the left by alpha-beta."""
    with FILE.open("rb") as file:
        known = tomllib.load(file)["exercise"]
    for one in known:
        tree = Tree.of(one["tree"])
        entered = _searched(tree)
        published = {name: one[name] for name in ("value", "looked", "unseen") if name in one}
        yield Worked(one["title"], one["source"], published, tree, entered[0][2], entered)


def _searched(tree: Tree) -> dict[int, tuple[float, float, float]]:
    """What alpha-beta does: for each node entered its window and its value, from MAX's view."""
    entered: dict[int, tuple[float, float, float]] = {}
    way = [tree.root]
    windows: list[tuple[float, float]] = []

    def hear(event: TraceEvent) -> None:
        if event.what == "enter":
            if event.move >= 0:
                way.append(way[-1].branches[event.move])
            windows.append((event.alpha, event.beta))
        elif event.what == "leave":
            alpha, beta = windows.pop()
            here = (alpha, beta, event.value) if way[-1].turn == 0 else (-beta, -alpha, -event.value)
            entered[way[-1].number] = here
            if event.move >= 0:
                way.pop()

    registry.engine("alphabeta")[0].search(tree, Limit(depth=DEPTH), trace=hear)
    return entered


def lines() -> Iterator[str]:
    """The exercises one after the other: each tree with windows and values, and what was cut off."""
    for number, one in enumerate(exercises(), 1):
        if number > 1:
            yield ""
        yield f"{number}. {one.title}"
        yield f"   ({one.source})"
        yield ""
        yield from _drawn(one, one.tree.root, "   ", "")
        yield ""
        leaves = sum(not node.branches for node in one.tree.nodes)
        verdict = "as published" if not one.wrong else f"differs: {one.wrong}"
        yield f"   value {one.value:g}, {one.looked} of {leaves} leaves looked at: {verdict}"


def _drawn(one: Worked, node: Node, indent: str, stem: str) -> Iterator[str]:
    """A node and all below it, a line each."""
    word = f"{node.word}: " if node.word else ""
    if node.number not in one.entered:
        yield f"{indent}{stem}{word}{_worth(node)}not looked at"
        return
    alpha, beta, value = one.entered[node.number]
    if node.branches:
        who = ("MAX", "MIN")[node.turn]
        yield f"{indent}{stem}{word}{who} [{_end(alpha)}, {_end(beta)}] = {_bounded(alpha, beta, value)}"
    else:
        yield f"{indent}{stem}{word}{value:g}"
    below = indent + {"": "", "|- ": "|  ", "`- ": "   "}[stem]
    for branch in node.branches:
        last = branch is node.branches[-1]
        yield from _drawn(one, branch, below, "`- " if last else "|- ")


def _worth(node: Node) -> str:
    return f"{node.payoffs[0]:g}, " if node.payoffs else ""


def _bounded(alpha: float, beta: float, value: float) -> str:
    """A value outside its window is a bound."""
    return (
        f"{value:g} at most" if value <= alpha else f"{value:g} at least" if value >= beta else f"{value:g}"
    )


def _end(value: float) -> str:
    return f"{value:g}" if abs(value) < 1_000_000 else "-inf" if value < 0 else "inf"
