"""Textbook algorithms, plainly written, whose answers are the reference of assignments.

    answers(position, depth, "minimax")    each legal move with its value, and the line that shows it
    pruned(position, depth)                the nodes that alpha-beta visits, and where it cuts

Everything is from the view of the player to move at the root, MAX: its nodes take the greatest value, the
others the least, chance the mean. That needs no change of sign, so that a wrong sign cannot be wrong twice.
Values are on the scale of `gameplay.value`, except that means are Fractions, exact ones. They are correct for
small trees and positions only: there is no other limit than MAX_NODES.

Sources: C. E. Shannon (1950) for minimax; D. E. Knuth and R. W. Moore (1975) for alpha-beta; D. Michie (1966)
for expectiminimax; C. Luckhardt and K. Irani (1986) for max^n; R. D. Greenblatt, D. E. Eastlake
and S. D. Crocker (1967) for quiescence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from gameplay.errors import BadInput
from gameplay.position import CHANCE
from gameplay.value import INF, delay, terminal_value

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

Number = int | Fraction
Line = tuple[int, ...]
MAX_NODES = 50_000
ODDS = 1_000  # the largest denominator of a probability


@dataclass(frozen=True)
class MoveAnswer:
    """The value of a move for its player, and the line to that value, the move first."""

    value: Number
    line: Line
    values: tuple[Number, ...] = ()  # each player's, of max^n


@dataclass(frozen=True)
class Window:
    """A window: the values guaranteed elsewhere to MAX and MIN. Alpha-beta cuts if alpha >= beta."""

    alpha: Number
    beta: Number


@dataclass
class PrunedSearch:
    """The nodes that alpha-beta visits, and its cutoffs."""

    nodes: dict[Line, Window] = field(default_factory=dict)  # in order, with their initial windows
    cuts: dict[Line, Window] = field(default_factory=dict)  # by node, with the window at the cutoff


def answers(position: "AbstractPosition", depth: int, algorithm: str) -> dict[int, MoveAnswer]:
    """The answer for each legal move. `algorithm`: minimax, expectiminimax, quiescence or maxn.

    Raises BadInput if there are more than MAX_NODES.
    """
    search = _Search(position, algorithm)
    by_move = {}
    for move in position.moves():
        position.make(move)
        values, line = search.node(depth - 1)
        position.unmake()
        value = values[search.me]
        by_move[move] = MoveAnswer(value, (move, *line), values if algorithm == "maxn" else ())
    return by_move


class _Search:
    """Backward induction: the value of a node for each player, and the line."""

    def __init__(self, position: "AbstractPosition", algorithm: str) -> None:
        self.position = position
        self.me = position.turn
        self.algorithm = algorithm
        self.nodes = 0

    def node(self, depth: int) -> tuple[tuple[Number, ...], Line]:
        """The values of the position as it is, one ply before it."""
        position = self.position
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise BadInput(
                f"the reference needs more than {MAX_NODES:,} nodes here; take less depth, or smaller trees"
            )
        if position.outcome() is not None:
            values = tuple(terminal_value(position, player) for player in range(position.players))
            return tuple(map(delay, values)), ()
        if position.turn == CHANCE:
            return self._mean(depth)
        if depth <= 0 and self.algorithm != "quiescence":
            return self._guess(), ()
        return self._best(depth)

    def _best(self, depth: int) -> tuple[tuple[Number, ...], Line]:
        """The best move of the mover; with quiescence beyond the depth a noisy one, or none."""
        position, mover = self.position, self.position.turn
        options: list[tuple[tuple[Number, ...], Line]] = []
        moves = position.moves() if depth > 0 else position.noisy()
        if depth <= 0:
            options.append((self._guess(), ()))  # stand pat
        for move in moves:
            position.make(move)
            values, line = self.node(depth - 1)
            position.unmake()
            options.append((values, (move, *line)))
        values, line = max(options, key=lambda option: option[0][mover])  # the first of the best
        return tuple(delay(value) if isinstance(value, int) else value for value in values), line

    def _mean(self, depth: int) -> tuple[tuple[Number, ...], Line]:
        """The mean over what chance may do; a roll is not a ply."""
        position = self.position
        means: list[Number] = [Fraction(0)] * position.players
        for move, chance in zip(position.moves(), position.chances(), strict=True):
            odds = Fraction(chance).limit_denominator(ODDS)
            position.make(move)
            values, _ = self.node(depth)
            position.unmake()
            means = [mean + odds * value for mean, value in zip(means, values, strict=True)]
        return tuple(means), ()

    def _guess(self) -> tuple[Number, ...]:
        """The static evaluation for each player."""
        position = self.position
        if position.players != 2:
            return tuple(position.evaluate_for(player) for player in range(position.players))
        value = position.evaluate()
        return (value, -value) if position.turn == 0 else (-value, value)


def search_pruned(position: "AbstractPosition", depth: int) -> PrunedSearch:
    """The nodes that alpha-beta visits with moves in their order, fail-soft or fail-hard alike."""
    seen = PrunedSearch()
    me = position.turn

    def visit(line: Line, depth: int, alpha: Number, beta: Number) -> Number:
        seen.nodes[line] = Window(alpha, beta)
        if len(seen.nodes) > MAX_NODES:
            raise BadInput(
                f"alpha-beta needs more than {MAX_NODES:,} nodes here; take less depth, or smaller trees"
            )
        if position.outcome() is not None:
            return delay(terminal_value(position, me), len(line))
        if depth == 0:
            return position.evaluate() if position.turn == me else -position.evaluate()
        maximizes = position.turn == me
        best: Number = -INF if maximizes else INF
        moves = position.moves()
        for move in moves:
            position.make(move)
            value = visit((*line, move), depth - 1, alpha, beta)
            position.unmake()
            best = max(best, value) if maximizes else min(best, value)
            if maximizes:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                if move != moves[-1]:
                    seen.cuts[line] = Window(alpha, beta)
                break
        return best

    visit((), depth, -INF, INF)
    return seen


def size(position: "AbstractPosition", depth: int) -> int:
    """The number of nodes up to a depth."""
    if position.outcome() is not None or depth == 0:
        return 1
    nodes = 1
    for move in position.moves():
        chance = position.turn == CHANCE
        position.make(move)
        nodes += size(position, depth if chance else depth - 1)
        position.unmake()
    return nodes


def find_cut(line: Line, cuts: Mapping[Line, Window]) -> tuple[Line, Window] | None:
    """The cut that makes a node unneeded, and the node below it that was not to be visited."""
    for length in range(len(line)):
        if line[:length] in cuts:
            return line[: length + 1], cuts[line[:length]]
    return None
