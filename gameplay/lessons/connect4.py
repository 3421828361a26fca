"""The lecture's counts of Connect Four on eight columns: minimax and alpha-beta by depth, beside ours."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gameplay import registry
from gameplay.search.limit import Limit

GAME = "connect4:columns=8"

# Positions that minimax and alpha-beta visited, at 1 ply, 2 plies, ...
LECTURE = (
    *((8, 8), (72, 72), (584, 386), (4209, 2364), (33380, 12197), (255247, 48912)),
    (2322941, 312565),
)
LECTURE_FIT = 0.67  # what is left of minimax at d plies: this to the power of d - 2


@dataclass(frozen=True)
class Pruned:
    """Positions visited to a depth, the root not counted."""

    depth: int
    minimax: int
    alphabeta: int

    @property
    def left(self) -> float:
        """What alpha-beta leaves of minimax's positions, 0 to 1."""
        return self.alphabeta / self.minimax


def counts(depth: int) -> Iterator[Pruned]:
    """Both engines from the empty board, 1 ply deep, 2, and so on."""
    position = registry.game(GAME).new()
    for plies in range(1, depth + 1):
        limit = Limit(depth=plies)
        full, pruned = (registry.engine(name)[0].search(position, limit) for name in ("minimax", "alphabeta"))
        yield Pruned(plies, full.nodes - 1, pruned.nodes - 1)


def fit(found: Sequence[Pruned]) -> float:
    """The q for which q^(d - 2) comes nearest to what is left at d plies, by least squares of logarithms."""
    deep = [one for one in found if one.depth > 2]
    slope = sum((one.depth - 2) * math.log(one.left) for one in deep)
    return math.exp(slope / sum((one.depth - 2) ** 2 for one in deep))


def lecture() -> list[Pruned]:
    """The lecture's counts."""
    return [Pruned(depth, *pair) for depth, pair in enumerate(LECTURE, 1)]


def lines(depth: int) -> Iterator[str]:
    """The table line by line, and why the two differ."""
    theirs = lecture()
    yield "depth           minimax               alpha-beta          left by alpha-beta"
    yield "           lecture       ours     lecture      ours         lecture    ours"
    found = []
    for one in counts(depth):
        found.append(one)
        old = theirs[one.depth - 1] if one.depth <= len(theirs) else None
        cells = (f"{old.minimax:>10,}", f"{old.alphabeta:>9,}", f"{old.left:>8.1%}") if old else ("",) * 3
        yield (
            f"{one.depth:>5} {cells[0]:>12} {one.minimax:>10,} {cells[1]:>11} {one.alphabeta:>9,} "
            f"{cells[2]:>15} {one.left:>7.1%}"
        )
    if depth > 2:
        yield ""
        yield (
            f"fitted by q^(d - 2): the lecture's counts by q = {fit(theirs):.2f} (it says {LECTURE_FIT}), "
            f"ours by q = {fit(found):.2f}"
        )
    yield ""
    yield from reasons(theirs)


def reasons(theirs: Sequence[Pruned]) -> Iterator[str]:
    """What can be inferred from the lecture's counts about how they were made."""
    columns = 8
    shallow = [one for one in theirs if one.minimax == sum(columns**ply for ply in range(1, one.depth + 1))]
    last = shallow[-1].depth
    here, below = (theirs[at].minimax - theirs[at - 1].minimax for at in (last, last + 1))
    yield (
        f"Ours begin at the empty board. Up to {last} plies minimax agrees: 8 + 8^2 + 8^3 positions. At "
        f"{last + 1} plies 8^4 more are due, for no side can win before the seventh: the lecture "
        "has fewer, so that "
        "it began later in a game, where columns fill and wins end lines. It did not begin at one position "
        f"either: {here:,} positions at {last + 1} plies cannot have {below:,} replies, more "
        "than 8 each. And its "
        "alpha-beta cut nothing off at 2 plies, where ours cuts whatever is no better than "
        "what MAX has already, "
        "equal values too, and tries the middle first; hence the smaller q."
    )
