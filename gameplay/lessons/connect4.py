"""The lecture's node counts of minimax and alpha-beta in Connect Four on eight columns, and ours."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gameplay import registry
from gameplay.position import AbstractPosition
from gameplay.search.limit import Limit
from gameplay.value import WIN

GAME = "connect4:columns=8"

# Positions that minimax and alpha-beta visited, at 1 ply, 2 plies, ...
LECTURE = (
    *((8, 8), (72, 72), (584, 386), (4209, 2364), (33380, 12197), (255247, 48912)),
    (2322941, 312565),
)
LECTURE_FIT = 0.67  # alpha-beta's share of minimax's positions at d plies: this to the power of d - 2
MIDDLE_FIRST, LEFT_TO_RIGHT = ORDERS = ("middle-first", "left-to-right")
EQUAL, STRICT = CUTS = ("equal", "strict")  # cut if alpha >= beta, or only if alpha > beta


@dataclass(frozen=True)
class NodeCounts:
    """Positions visited by each search at one depth, without the root."""

    depth: int
    minimax: int
    alphabeta: int

    @property
    def share(self) -> float:
        """The share of minimax's positions that alpha-beta visits, 0 to 1."""
        return self.alphabeta / self.minimax


def counts(depth: int, order: str = MIDDLE_FIRST, cut: str = EQUAL) -> Iterator[NodeCounts]:
    """Node counts of both searches from the empty board, for each depth from 1 to `depth`."""
    position = registry.game(GAME).new()
    minimax = registry.engine("minimax")[0]
    for plies in range(1, depth + 1):
        full = minimax.search(position, Limit(depth=plies))
        yield NodeCounts(plies, full.nodes - 1, count_alphabeta(position, plies, order, cut))


def count_alphabeta(position: AbstractPosition, depth: int, order: str, cut: str) -> int:
    """Count the positions that alpha-beta visits below `position`, with this move order and cutoff rule."""
    nodes = 0

    def value(ply: int, alpha: int, beta: int) -> int:
        nonlocal nodes
        payoffs = position.outcome()
        if payoffs is not None:
            payoff = payoffs[position.turn]
            return (WIN - ply if payoff > 0 else ply - WIN) if payoff else 0
        if ply == depth:
            return int(position.evaluate())
        best = -WIN
        moves = position.moves()  # centre columns first
        for move in sorted(moves) if order == LEFT_TO_RIGHT else moves:
            position.make(move)
            nodes += 1
            best = max(best, -value(ply + 1, -beta, -alpha))
            position.unmake()
            alpha = max(alpha, best)
            if alpha > beta or (alpha == beta and cut == EQUAL):
                break
        return best

    value(0, -WIN, WIN)
    return nodes


def fit_base(rows: Sequence[NodeCounts]) -> float:
    """The q for which q^(d - 2) best fits alpha-beta's share at depth d, by least squares of logarithms."""
    deeper = [row for row in rows if row.depth > 2]
    slope = sum((row.depth - 2) * math.log(row.share) for row in deeper)
    return math.exp(slope / sum((row.depth - 2) ** 2 for row in deeper))


def published_counts() -> list[NodeCounts]:
    """The lecture's counts."""
    return [NodeCounts(depth, *pair) for depth, pair in enumerate(LECTURE, 1)]


def lines(depth: int, order: str = MIDDLE_FIRST, cut: str = EQUAL) -> Iterator[str]:
    """The text: the table, and why the counts differ."""
    lecture = published_counts()
    yield "depth           minimax               alpha-beta          alpha-beta's share"
    yield "           lecture       ours     lecture      ours         lecture    ours"
    rows = []
    for row in counts(depth, order, cut):
        rows.append(row)
        published = lecture[row.depth - 1] if row.depth <= len(lecture) else None
        cells = (
            (f"{published.minimax:>10,}", f"{published.alphabeta:>9,}", f"{published.share:>8.1%}")
            if published
            else ("",) * 3
        )
        yield (
            f"{row.depth:>5} {cells[0]:>12} {row.minimax:>10,} {cells[1]:>11} {row.alphabeta:>9,} "
            f"{cells[2]:>15} {row.share:>7.1%}"
        )
    if depth > 2:
        yield ""
        yield (
            f"fitted by q^(d - 2): the lecture's counts by q = {fit_base(lecture):.2f} (published: "
            f"{LECTURE_FIT}), ours by q = {fit_base(rows):.2f}"
        )
    yield ""
    yield from reasons(lecture, order, cut)


def reasons(lecture: Sequence[NodeCounts], order: str, cut: str) -> Iterator[str]:
    """The conclusions from the lecture's counts about its start position and search."""
    columns = 8
    shallow = [row for row in lecture if row.minimax == sum(columns**ply for ply in range(1, row.depth + 1))]
    last = shallow[-1].depth
    here, below = (lecture[at].minimax - lecture[at - 1].minimax for at in (last, last + 1))
    yield (
        f"Our searches start from the empty board. Up to {last} plies minimax agrees: 8 + 8^2 + 8^3 "
        f"positions. At {last + 1} plies 8^4 more are expected, since no side can win before ply 7: the "
        "lecture has fewer, so it started later in a game, where columns fill up and wins end lines. Nor did "
        f"it start from a single position: {here:,} positions at {last + 1} plies cannot have "
        f"{below:,} replies, more than 8 each."
    )
    yield ""
    tried = "the middle column first" if order == MIDDLE_FIRST else "columns from left to right"
    rule = "also where values are equal, alpha >= beta" if cut == EQUAL else "only where alpha > beta"
    yield (
        "The lecture's alpha-beta cut nothing off at 2 plies: it cannot have cut off where values are equal. "
        f"Ours tried {tried} and cut off {rule}."
    )
    if (order, cut) != (LEFT_TO_RIGHT, STRICT):
        yield f"To come near the lecture's (2/3)^(d - 2), try --order {LEFT_TO_RIGHT} --cut {STRICT}."
