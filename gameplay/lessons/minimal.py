"""The minimal tree: the fewest leaves that prove a value, in uniform trees and in games.

Knuth and Moore ("An analysis of alpha-beta pruning", 1975): in a tree of width b and depth d every search
visits at least b^ceil(d/2) + b^floor(d/2) - 1 leaves, and alpha-beta visits exactly that many if the best
moves come first. Ebeling ("All the right moves", 1987) found that good chess programs visit up to 1.5 times
the minimal tree.

Game trees are not uniform. The minimum for a given tree follows from its values: a proof that the value is at
least v needs one good move at each MAX node, the one whose proof has the fewest leaves, and all moves at each
MIN node; a proof that it is at most v is the converse. The two share the leaf at the end of the principal
variation.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gameplay import registry
from gameplay import value as scale
from gameplay.games.tree import Tree
from gameplay.search.limit import Limit
from gameplay.suites.measuring import LeafCounter, Theory

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

PUBLISHED_RATIO = 1.5
UNIFORM = ((2, 4), (3, 4), (4, 4), (3, 5), (2, 7))  # width and depth
GAMES = (("tictactoe", 5), ("connect4", 5), ("othello", 5), ("checkers", 6), ("chess", 3))
ENGINES = (
    "alphabeta",
    "alphabeta:order=hint+killer+history",
    "iterative:table=off",
    "iterative",
)


@dataclass(frozen=True)
class MinimalProof:
    """The value of a tree, and the fewest leaves that prove it as a lower and as an upper bound."""

    value: int
    lower_leaves: int
    upper_leaves: int
    leaves: int  # of the whole tree

    @property
    def minimum(self) -> int:
        """The number of leaves of the minimal tree."""
        return self.lower_leaves + self.upper_leaves - 1


def proof(position: "AbstractPosition", depth: int) -> MinimalProof:
    """The minimal proof of a two-player game tree, `depth` plies deep. Visits the full tree."""
    value = _value(position, depth, 0)
    return MinimalProof(value, _min_leaves(position, depth, 0, value)[1], *_rest(position, depth, value))


def _rest(position: "AbstractPosition", depth: int, value: int) -> tuple[int, int]:
    return _min_leaves(position, depth, 0, value + 1)[2], _leaves(position, depth)


def _leaf(position: "AbstractPosition", depth: int, ply: int) -> int | None:
    """The value of a leaf from the mover's view; None for an inner node."""
    payoffs = position.outcome()
    if payoffs is None:
        return int(position.evaluate()) if depth == 0 else None
    payoff = payoffs[position.turn]
    if position.scored:
        return int(payoff)
    return 0 if payoff == 0 else scale.WIN - ply if payoff > 0 else ply - scale.WIN


def _value(position: "AbstractPosition", depth: int, ply: int) -> int:
    value = _leaf(position, depth, ply)
    if value is not None:
        return value
    mover, best = position.turn, -scale.INF
    for move in position.moves():
        position.make(move)
        below = _value(position, depth - 1, ply + 1)
        best = max(best, below if position.turn == mover else -below)
        position.unmake()
    return best


def _min_leaves(position: "AbstractPosition", depth: int, ply: int, bound: int) -> tuple[bool, int, int]:
    """True if the mover gets `bound` or more, with the fewest leaves that prove or disprove it."""
    value = _leaf(position, depth, ply)
    if value is not None:
        return value >= bound, 1, 1
    mover = position.turn
    good: list[int] = []
    bad = 0
    for move in position.moves():
        position.make(move)
        if position.turn == mover:
            reached, proved, refuted = _min_leaves(position, depth - 1, ply + 1, bound)
        else:
            other_reached, proved, refuted = _min_leaves(position, depth - 1, ply + 1, 1 - bound)
            reached = not other_reached
            proved, refuted = refuted, proved
        position.unmake()
        if reached:
            good.append(proved)
        else:
            bad += refuted
    return bool(good), min(good, default=0), bad


def _leaves(position: "AbstractPosition", depth: int) -> int:
    if depth == 0 or position.outcome() is not None:
        return 1
    total = 0
    for move in position.moves():
        position.make(move)
        total += _leaves(position, depth - 1)
        position.unmake()
    return total


def uniform(width: int, depth: int) -> Any:
    """A uniform tree, best moves first: a leaf is worse for the player who last left the best line."""

    def subtree(plies: int, low: int, high: int, side: str) -> Any:
        if plies == 0:
            return (low + high) // 2
        step = (high - low) // width
        other = "min" if side == "max" else "max"
        parts = [(low + number * step, low + (number + 1) * step) for number in range(width)]
        if side == "max":
            parts.reverse()
        return {side: [subtree(plies - 1, *part, other) for part in parts]}

    return Tree.of(subtree(depth, -(1 << 19), 1 << 19, "max"))


def leaves_of(spec: str, position: "AbstractPosition", depth: int) -> int:
    """The number of leaves that an engine visits, over all iterations if it deepens."""
    counter = LeafCounter()
    registry.engine(spec)[0].search(position, Limit(depth=depth), trace=counter)
    return counter.leaves


def lines() -> Iterator[str]:
    """The text: the formula checked on uniform trees, then games."""
    yield "Uniform trees, the best moves first: leaves"
    yield ""
    yield "width  depth      all  formula  minimal  alpha-beta"
    for width, depth in UNIFORM:
        tree = uniform(width, depth)
        counts, formula = proof(tree, depth), Theory(depth, float(width), depth).minimum
        yield (
            f"{width:>5} {depth:>6} {counts.leaves:>8,} {formula:>8,.0f} {counts.minimum:>8,} "
            f"{leaves_of('alphabeta', tree, depth):>11,}"
        )
    yield ""
    yield "Games, from the start: leaves of each engine, and their ratio to the minimal tree"
    for name, depth in GAMES:
        position = registry.game(name).new()
        counts = proof(position, depth)
        yield ""
        yield f"{name}, {depth} plies: {counts.leaves:,} leaves, {counts.minimum:,} in the minimal tree"
        for spec in ENGINES:
            count = leaves_of(spec, position, depth)
            yield f"  {spec:<36} {count:>9,}  {count / counts.minimum:>6.2f}"
    yield ""
    yield (
        f"Ebeling found good chess programs within {PUBLISHED_RATIO} times the minimal tree. Our counts "
        "include all iterations, and the trees are shallow, so the first plies, where move ordering is poor, "
        "dominate. With a transposition table a search may need fewer leaves than the minimal tree: "
        "transpositions are proved once (the minimal graph; Plaat and others 1996)."
    )
