"""Searches and positions that tests of several engines share."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from gameplay import CHANCE, registry
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session


def search(spec: str, position: Any, limit: Limit | None = None) -> Any:
    """The last report of a search of all moves."""
    engine, own = registry.engine(spec)
    return Session(engine).search(position, (limit or own).with_(multipv=99))


def search_limited(spec: str, position: Any, depth: int | None = None, **limits: Any) -> Report:
    """The report of a search within these limits."""
    return registry.engine(spec)[0].search(position, Limit(depth=depth, **limits))


def after_moves(position: Any, words: str) -> Any:
    """The position after these moves, in words."""
    position.setup(words)
    return position


def alphabeta(
    position: Any,
    leaf: Callable[[Any, int], Any],
    maximizer: int = 0,
    window: tuple[float, float] = (-math.inf, math.inf),
    deep: bool = True,
    ply: int = 0,
) -> Any:
    """The value of a position for `maximizer`, by textbook fail-soft alpha-beta.

    leaf: called at each position visited, with its ply: its value, or None where the search goes on.
    deep: if false, it prunes by the bounds of the position above alone.
    """
    value = leaf(position, ply)
    if value is not None:
        return value
    largest = position.turn == maximizer
    alpha, beta = window
    best = -math.inf if largest else math.inf
    for move in position.moves():
        below = (alpha, beta) if deep else ((best, math.inf) if largest else (-math.inf, best))
        position.make(move)
        value = alphabeta(position, leaf, maximizer, below, deep, ply + 1)
        position.unmake()
        best = max(best, value) if largest else min(best, value)
        alpha, beta = (max(alpha, best), beta) if largest else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best


def successors(position: Any) -> Iterator[int]:
    """Yield each legal move while it is made on the position."""
    for move in position.moves():
        position.make(move)
        yield move
        position.unmake()


def expectation(
    position: Any,
    depth: int,
    player: int,
    guess: Callable[[Any], float],
    evaluates_chance_nodes: bool = False,
) -> float:
    """The expected payoff of `player` after this number of decisions, by definition.

    guess: the value at the depth; with `evaluates_chance_nodes` also where chance moves.
    """
    payoffs = position.outcome()
    if payoffs is not None:
        gain = payoffs[player]
        return float(gain if position.scored else (gain > 0) - (gain < 0))
    chance = position.turn == CHANCE
    if depth <= 0 and (evaluates_chance_nodes or not chance):
        return guess(position)
    below = depth if chance else depth - 1
    values = [
        expectation(position, below, player, guess, evaluates_chance_nodes) for _ in successors(position)
    ]
    if chance:
        return sum(odds * value for odds, value in zip(position.chances(), values, strict=True))
    return max(values) if position.turn == player else min(values)


def exact(position: Any) -> tuple[float, ...]:
    """Each player's payoff under best play, by searching the whole tree (ties: the first move)."""
    payoffs = position.outcome()
    if payoffs is not None:
        return tuple(map(float, payoffs))
    below = [exact(position) for _ in successors(position)]
    if position.turn == CHANCE:
        both = list(zip(position.chances(), below, strict=True))
        return tuple(sum(odds * each[n] for odds, each in both) for n in range(position.players))
    return max(below, key=lambda each: each[position.turn])
