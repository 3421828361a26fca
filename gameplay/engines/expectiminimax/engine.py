# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Expectiminimax: minimax with chance nodes, whose outcomes are weighted by their probabilities.

Donald Michie, "Game-playing and game-learning automata", 1966; presented as in Russell and Norvig,
"Artificial Intelligence", chapter 5.

Theorem: with enough depth, `value` is what MAX, the player who moves at the root, gets on average if both
play best from here on: the expectation of their payoff. With less, the evaluation stands for the positions at
that depth. The options change neither the value nor that the move attains it.

Only payoffs can be averaged, so a value is a payoff in the game's own `unit`: points where the game counts
points, else 1 for a win, 0 for a draw and -1 for a loss. Wins are not scored by distance, since means of
plies and probabilities make no sense. The evaluation estimates points; in a game without points it is a share
of a win, see `value.share`.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass

from gameplay.catalogue import name_of
from gameplay.engines.expectiminimax.search import ExpectationSearch, bounds
from gameplay.engines.expectiminimax.star import StarSearch
from gameplay.errors import Usage
from gameplay.search.engine import Engine, has_evaluation
from gameplay.search.options import eval_option, option, order_option, seed_option, table_option

if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.search.trace import LEAVE
    from cython.cimports.gameplay.value import EXACT, HUGE, MAX_PLY
else:
    from gameplay.position import CHANCE
    from gameplay.search.trace import LEAVE
    from gameplay.value import EXACT, HUGE, MAX_PLY

ALIASES = ("emm", "expectimax")


PRUNING = ("off", "star1", "star2")


class ExpectiminimaxSearch(ExpectationSearch):
    """MAX maximizes, MIN minimizes, chance takes the mean. No pruning: every position is visited."""

    def root_move_value(self, kernel, base, move, depth, floor):
        return self.after(kernel, base, 1, move, depth)

    def after(self, kernel, base, ply, move, depth):
        """MAX's expected value after `move`: make it, count and value the position, unmake it."""
        value: cython.double = 0.0
        kernel.push(move)
        if not self.count():
            if self.tracing:
                self.emit_window(kernel, ply, move, depth, -HUGE, HUGE)
            value = self.expected(kernel, base, ply, depth)
            if self.tracing and not self.stopped:
                self.emit_value(LEAVE, ply, move, value, EXACT)
        kernel.pop(move)
        return value

    def expected(self, kernel, base, ply, depth):
        """MAX's expected value of a position, `depth` decisions deep."""
        self.frames[ply].length = 0
        if ply > self.seldepth:
            self.seldepth = ply

        # 1. A finished game has its payoff.
        if kernel.result():
            return kernel.payoff(self.maximizer)

        # 2. At depth 0 the evaluation replaces the value; at a chance node only if the game evaluates those.
        mover: cython.int = kernel.turn
        if (depth <= 0 and (mover != CHANCE or self.evaluates_chance_nodes)) or ply >= MAX_PLY:
            return self.evaluate_leaf(kernel, ply)

        # 3. MAX maximizes, MIN minimizes; chance takes the weighted mean, and costs no depth.
        best: cython.double = 0.0 if mover == CHANCE else -HUGE if mover == self.maximizer else HUGE
        end: cython.int = kernel.gen_chances(base) if mover == CHANCE else kernel.gen(base)
        below: cython.int = depth if mover == CHANCE else depth - 1
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            value: cython.double = self.after(kernel, end, ply + 1, move, below)
            if self.stopped:
                break
            if mover == CHANCE:
                best += kernel.odds[i] * value
            elif value > best if mover == self.maximizer else value < best:
                best = value
                self.update_pv(ply, move)
        if mover == CHANCE:
            self.frames[ply].length = 0  # the PV ends at a chance node
        return best


@dataclass
class Expectiminimax(Engine):
    """Minimax with chance nodes: searches decisions and chance nodes to a fixed depth."""

    name = "expectiminimax"
    chance = True
    priority = 2
    growth = 1.0

    prune: str = option(
        "off",
        "Prune moves and rolls that cannot change the value; requires known bounds of the payoffs",
        values={
            "off": "Visit every position",
            "star1": "Cut off a chance node once its mean must lie outside the window, whatever follows",
            "star2": "Star1, after probing one move of each outcome for a bound",
        },
        source="Ballard 1983; Hauk, Buro and Schaeffer 2004",
    )
    order: str = order_option(after="the transposition table")
    table: str = table_option()
    seed: int = seed_option()
    eval: str = eval_option()

    def __post_init__(self):
        Engine.__post_init__(self)
        if self.prune == "off" and self.orders() != ["generated"]:
            raise Usage(f"{self.name}: order matters only with prune=star1 or prune=star2")

    @property
    def prunes(self):
        """True if windows are narrowed: without pruning they stay infinite."""
        return self.prune != "off"

    @classmethod
    def values(cls, name):
        """The words that an option takes. The root is not ordered by a search of two plies."""
        words = super().values(name)
        return {key: words[key] for key in words if key != "shallow"} if name == "order" else words

    @classmethod
    def suitability(cls, position):
        """Best for games with chance and an evaluation."""
        if cls.incompatibility(position) or not position.chance:
            return super().suitability(position)
        return 8 if has_evaluation(position) else 4

    def check(self, position):
        """Raise Usage, with the reason, if this engine or an option of it cannot play the game."""
        super().check(position)
        if self.prune != "off" and bounds(position) is None:
            game = name_of(position)
            why = "requires known bounds of the payoffs"
            raise Usage(f"{self.name}: prune={self.prune} {why}; {game} has none (`low`, `high`)")

    def open(self, kernel, control, table):
        stars: cython.int = PRUNING.index(self.prune)
        if stars or table is not None:
            return StarSearch(kernel, control, table, self.orders(), self.seed, stars)
        return ExpectiminimaxSearch(kernel, control)
