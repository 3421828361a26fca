"""A step-by-step trace of a search: the events of `search.trace` described in textbook terms.

A `Follower` receives the events of a tree search and emits one `TraceStep` for each. It makes the moves on a
copy of the position to format them, and stores only the open nodes, at most one per ply. Windows,
values and bounds are from the view of MAX, the side to move at the root, at every node.

In a search with windows, a step `window` follows each move that changes alpha or beta of its parent. It is
emitted once the value is final, so not for a value that a re-search replaces.
"""

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct, field

from gameplay import value as scale
from gameplay.capabilities import HasNullMove
from gameplay.engines.multiplayer.alliance import teams
from gameplay.position import CHANCE, AbstractPosition, side
from gameplay.search.trace import TraceEvent
from gameplay.tracing import proofs

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

Sink = Callable[["TraceStep"], object]

OF_MOVES = (
    "beta",
    "multi-cut",
    "shallow",
    "nothing to gain",
    *(f"star{n} {at}" for n in "12" for at in ("alpha", "beta")),
)


class ComparedChild(Struct, eq=False):
    """A child compared by the selection of Monte Carlo tree search."""

    word: str
    visits: int
    mean: float  # the mean payoff of the player who moves, scaled from 0 to 1
    selection_score: float  # inf: unvisited; -inf: proven to be no better
    bonus: float  # c * sqrt(ln N / n), 0 if unvisited; PUCT: c * p * sqrt(N) / (1 + n)
    policy: float | None = None  # p, the prior of the learned policy; None: UCB1, not PUCT


class TraceStep(Struct, eq=False):
    """The description of one event. Fields that do not apply are empty.

    `value` and the window are MAX's, in the scale of `gameplay.value`; the mean at a chance node is a float.
    `values` holds each player's payoff, if the search reports them.
    """

    # The kind of the event; besides, window: a change of alpha or beta, `why` names which; compare: the
    # children that selection compares, `visits` is N and `value` the constant c.
    what: str
    node: int  # the number of its node, in order of entry, from 0
    level: int  # the number of open nodes above it
    # The side to move: MAX, MIN, chance, or a player's name if each player has a value. pns: OR, AND.
    role: str
    word: str = ""  # enter, leave: the move to the node; otherwise the move of the event
    depth: int = 0  # enter: remaining depth in plies; pns: the most plies of a proof
    alpha: float = -math.inf  # the window: enter: at entry; leave, window: the current one
    beta: float = math.inf
    value: float | None = None
    bound: str = ""  # of the value: exact, lower, upper
    values: tuple[float, ...] = ()
    odds: float = 0.0  # enter, below a chance node: the probability of the outcome
    why: str = ""  # the reason code of the event
    name: str = ""  # the textbook name of the event
    proof: str = ""  # its justification, a sentence
    left: int = 0  # number of moves: cut: not searched; expand: legal; simulate: in the playout
    unsearched: tuple[str, ...] = ()  # the first of these moves
    terms: tuple[tuple[float, float], ...] = ()  # leave, chance: probability and value of each outcome
    best: str = ""  # leave: the best move
    visits: int = 0  # mcts: simulations through the node; pns: visits since its parent was entered
    parent: int = -1  # astar: the number of the parent position; -1: not a graph search
    player: str = ""  # enter: who is MAX or MIN, if there are more than two players; pns: who moves
    numbers: tuple[float, ...] = ()  # pns: proof and disproof number; for `enter` the thresholds
    children: tuple[ComparedChild, ...] = ()  # compare
    before: float = 0  # window: alpha or beta before
    at: str = ""  # window: the move to the node; `word` is the move that changed its window
    stop: str = ""  # leave: why a node is a leaf, a key of `leaves.STOPS`; stopped: the search was stopped

    @property
    def proving(self) -> bool:
        """True of a step of proof-number search."""
        return self.what == "question" or (self.role in ("OR", "AND") and self.player != "")


class _Open(Struct, eq=False):
    """An entered node that has not been left."""

    number: int
    ply: int
    role: str
    sign: int  # reported values are MAX's values times this
    word: str
    depth: int
    alpha: float
    beta: float
    entry: str  # how the position was reached: "move", "null", "line", or "" for the parent's position
    made: int = 0  # ... moves made for it
    why: str = ""
    best: float | None = None  # MAX's, of the moves so far
    choice: str = ""
    level: int = 0
    tried: dict[int, int] = field(default_factory=dict)  # each move searched: how deep it was at last
    skipped: int = 0
    known: str = ""  # the table's information
    odds: dict[int, float] | None = None  # of the outcomes of a chance node
    terms: dict[int, tuple[float, float]] | None = None
    settled: bool = False  # by a cut, or by what is known, so that it is not a leaf
    inner: bool = False  # a node below it was entered
    stop: str = "game over"  # what makes it a leaf, as far as is known


class _Pending(Struct, eq=False):
    """A change of a window that is final unless the same move is searched again."""

    node: _Open
    move: int  # -1: standing pat
    word: str
    leaf: bool
    value: float
    best: float | None  # the node's previous best value
    choice: str


class Follower:
    """Describes each event of a tree search. `position` is at the root and belongs to the follower.

    `listed`: most unsearched moves that are named.
    """

    def __init__(self, position: AbstractPosition, engine: "Engine", sink: Sink, listed: int = 8) -> None:
        self.position = position
        self.sink = sink
        self.listed = listed
        self.view = engine.view
        self.windowed = engine.prunes and self.view != "each"
        self.pending: _Pending | None = None
        self.means = engine.chance  # values are expectations, even if they are integers
        self.maximizer = position.turn
        self.open: list[_Open] = []
        self.count = 0
        self.depth = 0  # of the last root search
        self.last_best = ""  # the best move of the last root search
        self.deeper = False  # the current root search is the next iteration
        self.roles = {CHANCE: "chance"}
        self.names = {}  # names of the players, if there are more than two
        team = teams(engine.alliance, position)
        for player in range(position.players):
            friend = team[player] == team[self.maximizer]
            if self.view == "root" and position.players > 2:
                self.names[player] = side(position, player)
            self.roles[player] = side(position, player) if self.view == "each" else "MAX" if friend else "MIN"

    def __call__(self, event: TraceEvent) -> None:
        what, ply = event.what, event.ply
        stack = self.open
        if self.pending is not None:
            self._change(event)
        if what == "enter":
            while stack and (stack[-1].number < 0 and stack[-1].ply >= ply):
                self._take_back(stack.pop())
            self._enter(event)
            return
        while stack and stack[-1].number < 0 and stack[-1].ply > ply:
            self._take_back(stack.pop())
        if not stack:
            return  # an event of a search that orders the root's moves
        if what == "leave":
            self._leave(event, stack[-1])
        else:
            self._describe(event, stack[-1])

    # -- nodes -------------------------------------------------------------------------------------

    def _enter(self, event: TraceEvent) -> None:
        stack, position, why = self.open, self.position, event.why
        while stack and event.ply == 0:  # the previous search was stopped
            self._take_back(stack.pop())
        above = stack[-1] if stack else None
        word, entry, made, odds, name, proof = "", "", 0, 0.0, "", ""
        if why == "null move":
            self._pass()
            entry, word, (name, proof) = "null", "pass", proofs.ENTERED[why]
        elif why in ("singular", "verified"):
            word, (name, proof) = "", proofs.ENTERED[why]
            if event.move >= 0:
                word = f"without {position.format(event.move)}"
        elif event.line:
            words = []
            for move in event.line:
                words.append(position.format(move))
                position.make(move)
            entry, made, word, (name, proof) = "line", len(event.line), " ".join(words), proofs.ENTERED[why]
        elif event.move >= 0:
            word = position.format(event.move)
            if above is not None:
                if above.role == "chance":
                    if above.odds is None:
                        above.odds = dict(zip(position.moves(), position.chances(), strict=True))
                    odds = above.odds[event.move]
                if self.deeper and not above.level:
                    self._report_first(above, word)
                if event.move in above.tried:
                    name, proof = self._again(above, event)
                above.tried[event.move] = event.depth
            position.make(event.move)
            entry = "move"
        else:
            name, proof = self._root(event)
        sign = -1 if self.view == "mover" and event.mover not in (self.maximizer, CHANCE) else 1
        low, high = (event.alpha, event.beta) if sign > 0 else (-event.beta, -event.alpha)
        role, depth, number = self.roles[event.mover], event.depth, self.count
        if low <= -scale.INF:
            low = -math.inf
        if high >= scale.INF:
            high = math.inf
        if self.means:
            low, high = float(low), float(high)
        node = _Open(number, event.ply, role, sign, word, depth, low, high, entry, made, why)
        self.count += 1
        level = node.level = 0 if above is None else above.level + 1
        if above is not None:
            self._real(above).inner = True
        stack.append(node)
        step = TraceStep("enter", number, level, role, word, depth, low, high)
        step.odds, step.why, step.name, step.proof = odds, why, name, proof
        if self.names:
            step.player = self.names.get(event.mover, "")
        self.sink(step)

    def _report_first(self, above: _Open, word: str) -> None:
        """Report that the first move of an iteration is the best move of the previous one."""
        if above.tried or word != self.last_best:
            return
        step = TraceStep("order", above.number, above.level, above.role, word, why="iteration")
        step.name, step.proof = proofs.ORDERED["iteration"]
        self.sink(step)

    def _root(self, event: TraceEvent) -> tuple[str, str]:
        """The name and justification of a root search, compared with the previous ones."""
        before, self.depth = self.depth, event.depth
        self.deeper = 0 < before < event.depth
        if event.why == "aspiration":
            return "aspiration re-search", "the value is outside the window: the same depth with a wider one"
        if event.why == "secondary":
            return "secondary search", "the chosen line fails beyond the horizon: is any other move better?"
        if before == event.depth:
            return "MTD(f)" if event.beta - event.alpha == 1 else "search", "the same depth in another window"
        return ("iteration", "a ply deeper") if before else ("search", "")

    def _again(self, above: _Open, event: TraceEvent) -> tuple[str, str]:
        """The name and justification of a repeated search of a move at the same node."""
        move = event.move
        if above.role == "chance" or self.view == "root":  # of several opponents, brs tries a move twice
            return "", ""
        if event.depth > above.tried[move]:
            return "LMR re-search", "at reduced depth it is better than expected: now at full depth"
        return (
            "PVS re-search",
            "with the null window it is better than the best so far: now with the full window",
        )

    def _leave(self, event: TraceEvent, node: _Open) -> None:
        stopped = event.ply != node.ply or not event.why  # open nodes below have no leave event then
        while event.ply != node.ply:
            self._take_back(self.open.pop())
            if not self.open:
                raise ValueError(f"the trace leaves ply {event.ply}, where no node is open")
            node = self.open[-1]
        value, bound = self._for_max(event, node)
        bound = "" if stopped else bound
        self.open.pop()
        self._take_back(node)
        above = self.open[-1] if self.open else None
        if above is None and not stopped:
            self.last_best = node.choice
        if above is not None and node.entry == "move":
            self._back_up(above, node, event, value)
        low, high = _window(node, node.best)
        step = TraceStep(
            *("leave", node.number, node.level, node.role, node.word, node.depth, low, high, value, bound)
        )
        step.why, step.best = node.why, node.choice
        if event.values:
            step.values = tuple(map(float, event.values))
        step.stop = "stopped" if stopped else "" if node.inner else node.stop
        if stopped:
            step.name = "stopped"
        if node.terms is not None:
            step.terms = tuple(node.terms.values())
        self.sink(step)

    def _back_up(self, above: _Open, node: _Open, event: TraceEvent, value: float) -> None:
        """Update a node by the value of one of its moves."""
        if above.role == "chance":
            assert above.odds is not None
            above.terms = above.terms or {}
            above.terms[event.move] = (above.odds[event.move], value)
            return
        if self.view == "each":
            own = event.values[self._seat(above)] if event.values else value
            better = above.best is None or own > above.best
        else:
            own = value
            above = self._real(above)
            better = above.best is None or _better(above, own)
        if better:
            if self.windowed:
                leaf = not node.tried and not node.settled
                self.pending = _Pending(
                    *(above, event.move, node.word, leaf, value, above.best, above.choice)
                )
            above.best, above.choice = own, node.word

    def _change(self, event: TraceEvent) -> None:
        """Report the pending change of a window, if the next event shows that the value is final."""
        change, self.pending = self.pending, None
        assert change is not None
        node = change.node
        if event.what == "enter" and self.open and self.open[-1] is node:
            if change.move == event.move >= 0 and event.ply == node.ply + 1:
                node.best, node.choice = change.best, change.choice  # it is searched again
                return
        elif event.what == "leave" and (not event.why or (change.move < 0 and event.ply == node.ply)):
            return  # stopped, or nothing was searched after standing pat
        elif event.what == "cut" and change.move < 0:
            return
        if change.move < 0 and (node.best is None or _better(node, change.value)):
            node.best = change.value
        low, high = _window(node, change.best)
        end = "alpha" if node.role == "MAX" else "beta"
        before = low if end == "alpha" else high
        if not (change.value > low if end == "alpha" else change.value < high):
            return
        step = TraceStep("window", node.number, node.level, node.role, change.word)
        step.alpha, step.beta = (change.value, high) if end == "alpha" else (low, change.value)
        step.why, step.before, step.at, step.value = end, before, node.word, change.value
        step.name = "stand pat" if change.move < 0 else "leaf" if change.leaf else "move"
        self.sink(step)

    def _seat(self, node: _Open) -> int:
        return next(player for player, role in self.roles.items() if role == node.role)

    def _pass(self) -> None:
        """Make a null move."""
        assert isinstance(self.position, HasNullMove)
        self.position.make_null()

    def _take_back(self, node: _Open) -> None:
        if node.entry == "null":
            assert isinstance(self.position, HasNullMove)
            self.position.unmake_null()
        elif node.entry == "move":
            self.position.unmake()
        for _ in range(node.made):
            self.position.unmake()

    # -- what is done at a node --------------------------------------------------------------------

    def _for_max(self, event: TraceEvent, node: _Open) -> tuple[float, str]:
        """An event's value and bound from MAX's view."""
        value = event.value + 0.0 if self.means else event.value  # never -0.0
        if node.sign > 0:
            return value, event.why
        return 0 - value, scale.NEGATED.get(event.why, event.why)

    def _describe(self, event: TraceEvent, node: _Open) -> None:
        what, why, position = event.what, event.why, self.position
        step = TraceStep(what, self._real(node).number, node.level, node.role, why=why)
        if event.values:
            step.values = tuple(map(float, event.values))
        if event.move >= 0 and what != "cut":
            step.word = position.format(event.move)
        if what in ("evaluate", "known", "table", "cut"):
            step.value, step.bound = self._for_max(event, node)
            node.settled = node.settled or what != "evaluate"
        if what == "evaluate":
            step.bound, node.stop = "", "quiet" if why else "depth"
        elif what in ("known", "cut"):
            node.stop = why if what == "cut" else what
        elif what == "skip" and node.stop == "game over":
            node.stop = why
        if what == "evaluate" and self.windowed and node.role in ("MAX", "MIN"):
            assert step.value is not None
            self.pending = _Pending(node, -1, "", False, step.value, node.best, node.choice)
        if what == "cut":
            step.bound = ""
            if node.sign < 0 and why.startswith("star"):
                raise ValueError("Star cuts belong to chance nodes")
            self._cut(event, node, step)
        elif what == "table":
            node.known = step.bound
            step.name = "table"
        elif what == "known":
            step.name = "known"
        elif what == "skip":
            step.name, step.proof = proofs.PRUNED.get(why, (why, ""))
            if why == "another may reply":
                self._pass_turn(node)
            else:
                node.skipped += 1
                if why == "delta":
                    step.value = node.sign * event.value
        elif what == "order":
            step.name, step.proof = proofs.ORDERED[why]
            if why == "history":
                step.proof = f"{step.proof}: {event.value:,}"
            if why == "evaluation":
                step.value = node.sign * event.value
        elif what == "reduce":
            step.name, step.proof = proofs.REDUCED.get(why, (why, ""))
            step.depth = int(event.value)
        elif what == "extend":
            step.name, step.proof = proofs.EXTENDED.get(why, (why, ""))
        self.sink(step)

    def _real(self, node: _Open) -> _Open:
        """The entered node: `node`, or the nearest ancestor that is not an opponent's pass."""
        return (
            node
            if node.number >= 0
            else next(ancestor for ancestor in reversed(self.open) if ancestor.number >= 0)
        )

    def _pass_turn(self, node: _Open) -> None:
        """An opponent leaves the reply to another: the next events belong to the position after the pass."""
        self._pass()
        role = self.roles[self.position.turn]
        passed = _Open(-1, node.ply + 1, role, 1, "pass", node.depth, node.alpha, node.beta, "null")
        passed.level = node.level
        self.open.append(passed)

    def _cut(self, event: TraceEvent, node: _Open, step: TraceStep) -> None:
        """Set the name and justification of a cutoff."""
        why = event.why
        maximizing = node.role != "MIN"
        bound = node.beta if maximizing else node.alpha
        if why.endswith("alpha"):
            bound = node.alpha
        text = self._format(step.value)
        if why == "beta":
            place = self._place(bound, maximizing)
            narrow = isinstance(node.beta, int) and node.beta - node.alpha == 1
            is_root_bound = bound == (self.open[0].beta if maximizing else self.open[0].alpha)
            end = proofs.window_end(self._format(bound), narrow, is_root_bound, maximizing, self.means)
            step.name, step.proof = proofs.cutoff(maximizing, text, self._format(bound), place, end)
        else:
            role = "the mover" if self.view == "each" else node.role
            step.name, step.proof = proofs.stop(why, role, text, self._format(bound), node.known)
            if why == "probed" and node.role == "chance":
                step.proof = "another chance node follows, so there is no move to probe"
        if why in OF_MOVES and (node.depth > 0 or node.role == "chance"):
            legal = [move for move in self.position.moves() if move not in node.tried]
            step.left = max(0, len(legal) - node.skipped)
            if step.left:
                step.unsearched = tuple(self.position.format(move) for move in legal[: self.listed])

    def _place(self, bound: float, maximizing: bool) -> proofs.Place | None:
        """The nearest ancestor where the other side has the value of a window bound."""
        other = "MIN" if maximizing else "MAX"
        for up, node in enumerate(reversed(self.open[:-1]), 1):
            if node.role != other or node.best != bound or not node.choice:
                continue
            # A value that did not move the window is a bound from the wrong side.
            if node.best < node.beta if other == "MIN" else node.best > node.alpha:
                return proofs.Place(node.choice, up)
        return None

    # -- values in words ----------------------------------------------------------------------------

    def _format(self, value: float | None) -> str:
        """A value as text, from MAX's view."""
        return format_traced(value, self.position.unit)


@lru_cache(maxsize=1 << 14, typed=True)
def format_traced(value: float | None, unit: int = 1) -> str:
    """A value of a trace, short: `+3`, `-0.25`, `win in 3`, `-inf`."""
    if value is None:
        return "?"
    value = _clear_bound(value)
    if abs(value) == math.inf:
        return "+inf" if value > 0 else "-inf"
    return scale.format_value(value, unit=unit)


def format_probability(odds: float) -> str:
    """A probability as text, as a fraction if it is a simple one."""
    simple = Fraction(odds).limit_denominator(1296)
    return str(simple) if math.isclose(float(simple), odds, abs_tol=1e-12) else f"{odds:.4g}"


def format_payoffs(values: Sequence[float], unit: int = 1) -> str:
    """The payoff of each player as text: `(+1, +2, +6)`."""
    return f"({', '.join(format_traced(value, unit) for value in values)})"


def strip_zeros(text: str) -> str:
    """Values as text without trailing zeros, for pictures: `(+1, +2.5)` for `(+1.00, +2.50)`."""
    return re.sub(r"(\.\d*?)0+(?!\d)", lambda found: found[1].rstrip("."), text)


def _window(node: _Open, best: float | None) -> tuple[float, float]:
    """The window of a node whose best value so far is `best`."""
    low, high = node.alpha, node.beta
    if best is not None and node.role == "MAX":
        low = max(low, best)
    elif best is not None and node.role == "MIN":
        high = min(high, best)
    return low, high


def _better(node: _Open, value: float) -> bool:
    """True if a value is better for the mover of a node than its best so far."""
    assert node.best is not None
    return value > node.best if node.role == "MAX" else value < node.best


def _clear_bound(value: float) -> float:
    return math.copysign(math.inf, value) if abs(value) >= scale.INF else value
