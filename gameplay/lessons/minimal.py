"""The minimal tree: the fewest leaves that prove a value, in trees of one width and in games.

Knuth and Moore ("An analysis of alpha-beta pruning", 1975): in a tree of width b and depth d no search
looks at fewer than b^ceil(d/2) + b^floor(d/2) - 1 leaves, and alpha-beta looks at just so many if the best
moves come first. Ebeling ("All the right moves", 1987) found good chess programs within 1.5 of the minimal
tree.

Trees of games have no one width. The fewest leaves of this very tree follow from its values: a proof that
the value is at least v needs one good move at each of MAX's nodes and all of MIN's, the fewest leaves below
being chosen; a proof of at most v the other way round; and the two share the leaf at the end of the best
line.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gameplay import registry
from gameplay import value as scale
from gameplay.games.tree import Tree
from gameplay.search.limit import Limit
from gameplay.suites.measuring import Theory, Watched

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

EBELING = 1.5
UNIFORM = ((2, 4), (3, 4), (4, 4), (3, 5), (2, 7))  # width and depth
GAMES = (("tictactoe", 5), ("connect4", 5), ("othello", 5), ("checkers", 6), ("chess", 3))
ENGINES = (
    "alphabeta",
    "alphabeta:order=hint+killer+history",
    "iterative:table=off",
    "iterative",
)


@dataclass(frozen=True)
class Proof:
    """The value of a tree, and the fewest leaves that prove it at least so much, at most so much."""

    value: int
    least: int
    most: int
    leaves: int  # of the whole tree

    @property
    def minimum(self) -> int:
        """The fewest leaves that prove the value."""
        return self.least + self.most - 1


def proof(position: "AbstractPosition", depth: int) -> Proof:
    """Of the tree of a game for two, so many plies deep; it is visited as a whole."""
    value = _value(position, depth, 0)
    return Proof(value, _fewest(position, depth, 0, value)[1], *_rest(position, depth, value))


def _rest(position: "AbstractPosition", depth: int, value: int) -> tuple[int, int]:
    return _fewest(position, depth, 0, value + 1)[2], _leaves(position, depth)


def _leaf(position: "AbstractPosition", depth: int, ply: int) -> int | None:
    """The value of a leaf from its mover's view; None where the tree goes on."""
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


def _fewest(position: "AbstractPosition", depth: int, ply: int, bound: int) -> tuple[bool, int, int]:
    """Whether the mover gets `bound` or more, and the fewest leaves that prove it, or that they do not."""
    value = _leaf(position, depth, ply)
    if value is not None:
        return value >= bound, 1, 1
    mover = position.turn
    good: list[int] = []
    bad = 0
    for move in position.moves():
        position.make(move)
        if position.turn == mover:
            reached, proved, refuted = _fewest(position, depth - 1, ply + 1, bound)
        else:
            theirs, proved, refuted = _fewest(position, depth - 1, ply + 1, 1 - bound)
            reached = not theirs
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
    """A tree of one width whose best moves come first: every leaf is worse for who left the "
    "best line last."""

    def grown(plies: int, low: int, high: int, side: str) -> Any:
        if plies == 0:
            return (low + high) // 2
        step = (high - low) // width
        other = "min" if side == "max" else "max"
        parts = [(low + number * step, low + (number + 1) * step) for number in range(width)]
        if side == "max":
            parts.reverse()
        return {side: [grown(plies - 1, *part, other) for part in parts]}

    return Tree.of(grown(depth, -(1 << 19), 1 << 19, "max"))


def leaves_of(spec: str, position: "AbstractPosition", depth: int) -> int:
    """How many positions an engine searches nothing below; of one that deepens, in all iterations."""
    watched = Watched()
    registry.engine(spec)[0].search(position, Limit(depth=depth), trace=watched)
    return watched.leaves


def lines() -> Iterator[str]:
    """The formula held against trees, and then games."""
    yield "Trees of one width, the best moves first: leaves"
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
    yield "Games, from the start: leaves of each engine, and how many times the minimal tree that is"
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
        f"Ebeling found good chess programs within {EBELING} of the minimal tree. Ours count "
        "all iterations, and "
        "their trees are shallow: the first plies, where little is known of the order, weigh "
        "most. With a table "
        "one may need fewer leaves than the minimal tree has: positions that are reached in "
        "two ways are proved "
        "once (the minimal graph; Plaat and others 1996)."
    )
