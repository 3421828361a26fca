"""Searches and positions that tests of several engines share."""

import math
from typing import Any

from gameplay import CHANCE, registry
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session


def search(spec: str, position: Any, limit: Limit | None = None) -> Any:
    """A search's last report, of all moves."""
    engine, own = registry.engine(spec)
    return Session(engine).search(position, (limit or own).with_(multipv=99))


def searched(spec: str, position: Any, depth: int | None = None, **limits: Any) -> Report:
    """A search's report, within these limits."""
    return registry.engine(spec)[0].search(position, Limit(depth=depth, **limits))


def at(position: Any, words: str) -> Any:
    """The position after these moves, in words."""
    position.setup(words)
    return position


def alphabeta(node: Any, alpha: float, beta: float, deep: bool = True) -> tuple[float, list[Any]]:
    """Fail-soft alpha-beta on an explicit tree, from the view of player 0: the value and the nodes visited.

    deep: if false, it prunes by the bounds of the node above alone.
    """
    if not node.branches:
        return node.payoffs[0], [node]
    visited = [node]
    best = -math.inf if node.turn == 0 else math.inf
    for branch in node.branches:
        a, b = (alpha, beta) if deep else ((best, math.inf) if node.turn == 0 else (-math.inf, best))
        value, below = alphabeta(branch, a, b, deep)
        visited += below
        if node.turn == 0:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, visited


def exact(position: Any) -> tuple[float, ...]:
    """What each player gets under best play, by going through the whole tree (ties: the first move)."""
    payoffs = position.outcome()
    if payoffs is not None:
        return tuple(map(float, payoffs))
    below = []
    for move in position.moves():
        position.make(move)
        below.append(exact(position))
        position.unmake()
    if position.turn == CHANCE:
        both = list(zip(position.chances(), below, strict=True))
        return tuple(sum(odds * each[n] for odds, each in both) for n in range(position.players))
    return max(below, key=lambda each: each[position.turn])
