"""The game contract: a `Position` is a mutable game state.

Three methods and one attribute define a game; everything else has a correct default.

    moves()      the legal moves, distinct ints from 0 up; not called after the end, and never empty
    make(move)   play one of them
    outcome()    None while the game is in progress, then each player's payoff: (1, -1), (0, 0), (3, 0, -3)
    turn         the player to move: 0, 1, ... or CHANCE
    unmake()     take back the last move; `@undoable` on `make` provides it

Keyword arguments of the constructor are the game's parameters (`sticks:sticks=12`), and the class
docstring gives its rules and notation. Searches make and unmake moves on one position and never copy it.
A game of imperfect information (`hidden`) defines what each player knows: `infoset`, `determinize`, `sees`,
and `board` and `show` for a viewer. Players and screens get no more than that.

A puzzle is a game for one, `players = 1` and `zero_sum = False`: the task is to find a cheapest path to its
goal. `outcome()` pays more than 0 at a goal and 0 at a dead end, `cost(move)` is the cost of a move, and
`estimate()` a lower bound of the cost of the remaining path. A search finds a cheapest path if the estimate
is admissible: never more than the true cost, so 0 at a goal. It is consistent if no move lowers it by more
than the move's cost: then no position is reached on a cheaper path later.
A game that must be fast implements the same contract in C: see `gameplay.kernel`. The complete rules of the
contract are `gameplay.conformance.laws.LAWS`; `gameplay check FILE` checks a game against them.
"""

import copy
import enum
import functools
import inspect
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from gameplay.board import Board, Displayed, Tray
from gameplay.capabilities import Bounded, ExplainsMoves, HasSides, OrdersMoves
from gameplay.errors import IllegalMove, NoMoveMade, Usage, illegal, truncate

if TYPE_CHECKING:
    from random import Random

    from gameplay.capabilities import DealSolver, StopSignal

CHANCE = -1


@dataclass(frozen=True)
class Heuristic:
    """A heuristic of a puzzle: its name, a description, and whether it is consistent.

    All are admissible: see the module docstring.
    """

    name: str
    words: str
    consistent: bool = True


class AbstractEvaluation:
    """Interface of the entries of `evaluations`; `gameplay.evaluation.Evaluation` implements it."""

    name: str = ""
    words: str = ""  # description, one line
    game: str = ""  # name of the game; "": any
    version: int = 1  # incremented when the weights or their meaning change
    exact: bool = False  # the evaluation is the true value: an expectation need not be searched deeper
    max_weight: int = 10_000  # weights are within -max_weight to max_weight
    weights: Any = MappingProxyType({})  # by name: an int, a list, or a list of lists; or bytes
    scale: int = 0  # linear evaluations: divisor of the sum of weight times term; 0: not linear
    fixed: tuple[str, ...] = ()  # names of weights that learning does not change
    meanings: Mapping[str, str] = MappingProxyType({})  # linear evaluations: description of each term
    size: int = 0  # number of bytes, if the weights are bytes
    file: Path | None = None  # file that the weights were read from

    @property
    def inside(self) -> bool:
        """True if the game computes the evaluation; false if it is user-defined."""
        raise NotImplementedError

    @property
    def checksum(self) -> str:
        """16 hex digits of the weights, their names and their order."""
        raise NotImplementedError

    def estimator(self, position: "AbstractPosition") -> Any:
        """The `gameplay.kernel.Estimator` of a user-defined evaluation; None: it is written in Python."""
        return None

    def evaluate(self, position: Any) -> int:  # Any: positions of one game, of some evaluations
        """An estimate of the value of a position, from the mover's view, in the game's `unit`."""
        raise NotImplementedError

    def evaluate_for(self, position: Any, player: int) -> int:  # Any: as above
        """An estimate of a player's payoff, in the game's `unit`: see `Position.evaluate_for`."""
        raise NotImplementedError

    def with_weights(self, given: Any, file: Path | None = None) -> Self:
        """A copy with the given weights, read from `file`. Raises BadInput if one is missing or invalid."""
        raise NotImplementedError

    def counts(self, position: "AbstractPosition") -> dict[str, int]:
        """The values of the terms of a linear evaluation by name. Raises Usage if it is not linear."""
        raise NotImplementedError


class AbstractPosition(Displayed):
    """The facts of a game, and the methods of the contract with their defaults.

    Games in Python derive from `Position`, compiled games from `gameplay.kernel.Kernel`. The class has no
    state and no slots, so that a compiled class can inherit from it.
    """

    __slots__ = tuple[str, ...]()  # no literal, for type checkers: subclasses have state

    players: int = 2
    zero_sum: bool = True  # the payoffs of an outcome sum to zero
    chance: bool = False  # the game has chance nodes (dice, deals): `turn` can be CHANCE
    evaluates_chance_nodes: bool = False  # `evaluate_for` is defined at chance nodes: a search may stop there
    hidden: bool = False  # imperfect information
    has_deal_solver: bool = False  # `dealt_solver` values the moves of a deal with all cards open
    sampled_deals: int = 40  # deals that a search with `dealt_solver` samples without a limit
    perfect_recall: bool = False  # `infoset` holds all that its player knew and chose at earlier moves
    scored: bool = False  # payoffs are points; otherwise only their sign counts
    unit: int = 1  # one point of a payoff (a pawn, a disc) on the scale of `evaluate` and of search values
    unit_names: tuple[str, str] = ("point", "points")  # singular and plural
    drawless: bool = False  # no game ends in a draw: an expected score is a win rate
    calibrated: bool = False  # without `scored`: evaluations are expected scores, -unit (loss) to unit (win)
    quiet_margin: int = 0  # a quiet move seldom changes `evaluate` by more; 0: unknown, engines do not prune
    mistake_thresholds: tuple[float, ...] = ()  # points lost by an inaccuracy, a mistake and a blunder
    stake: int = 0  # with `scored`, for two players: points lost by resigning; 0: no resignation
    low: float | None = None  # lower bound of a player's payoff, in points; None: unknown
    high: float | None = None  # upper bound of a player's payoff, in points; None: unknown
    total: float | None = None  # upper bound of the sum of payoffs; None: 0 with `zero_sum`, else unknown
    finite: bool = True  # the rules end every game, puzzles excepted; False: records may go on past a draw
    remembers: bool = False  # the history matters beyond `key()`: threefold repetition in chess
    draw_offers: bool = False  # players may agree on a draw: engines offer and accept draws
    sides: tuple[str, ...] = ()  # names of the players: ("x", "o")
    aliases: dict[str, int] = {}  # other names accepted for players: {"red": 0}
    evaluations: "Mapping[str, AbstractEvaluation]" = {}  # by name, the default first
    has_noisy: bool = False  # of a compiled game: it defines `noisy`
    has_costs: bool = False  # of a compiled puzzle: it defines `cost`
    heuristics: Mapping[str, Heuristic] = {}  # of a puzzle: by name, the default first
    policies: Mapping[str, str] = {}  # heuristics of random playouts: descriptions by name
    examples: str = ""  # example moves for the prompt, if the legal ones would reveal hidden information
    phases: tuple[str, ...] = ()  # names of the phases of a game, in order: ("opening", "endgame")
    notations: tuple[str, ...] = ()  # supported notations of other programs, see `gameplay.notation`

    turn: int = 0
    evaluation: "AbstractEvaluation | None" = None  # of `evaluate`, set by engines; None: the default
    heuristic: str | None = None  # of `estimate`, set by engines; None: the default

    # -- required ---------------------------------------------------------------------------

    def moves(self) -> Sequence[int]:
        """The legal moves, in the default order in which engines search them."""
        raise NotImplementedError(f"{type(self).__name__} has no moves()")

    def make(self, move: int) -> None:
        """Play a legal move: change this position and set `turn`."""
        raise NotImplementedError(f"{type(self).__name__} has no make(move)")

    def outcome(self) -> tuple[float, ...] | None:
        """None while the game is in progress, else each player's payoff (without `scored`: its sign)."""
        raise NotImplementedError(f"{type(self).__name__} has no outcome()")

    def initial(self) -> Self:
        """A new initial position with the same parameters; it reveals nothing of this one.

        Default: a new object, if each parameter is an attribute of the same name. Raises Usage if not.
        """
        game: Callable[..., Self] = type(self)
        return game(**self.arguments())

    def arguments(self) -> dict[str, Any]:
        """The parameters that this position was made with, by name.

        Default: the attributes of these names. Raises Usage if there is none.
        """
        values = {}
        for name in parameters(type(self)):
            if not hasattr(self, name):
                word = type(self).__name__
                raise Usage(f"{word} has no attribute {name}: add it, or override initial()")
            values[name] = getattr(self, name)
        return values

    def unmake(self) -> None:
        """Take back the last move and restore the position before it."""
        raise NotImplementedError(f"{type(self).__name__} needs unmake(), or @undoable on make")

    def twin(self) -> Self:
        """An independent copy with the same history.

        `copy.copy` and `copy.deepcopy` return it too. A search works on a twin, so this must be fast enough
        to be called once per search.
        """
        raise NotImplementedError(f"{type(self).__name__} has no twin()")

    def key(self) -> Hashable:
        """A hash key of ints, strings, bytes, floats, None and tuples: equal keys imply equal futures."""
        raise NotImplementedError(f"{type(self).__name__} has no key()")

    def __copy__(self) -> Self:
        return self.twin()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.twin()

    def __eq__(self, other: object) -> bool:
        """True for the same game with the same parameters and an equal `key()`, so for equal futures.

        The history is not compared, except where `key()` depends on it. Positions are mutable and
        therefore not hashable: use `key()` in sets and dicts.
        """
        same: bool = alike(self, other)
        return same

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return summary(self)

    # -- chance and imperfect information ------------------------------------------------------

    def chances(self) -> Sequence[float]:
        """At a chance node: the probability of each of `moves()`, in the same order. Default: uniform."""
        count = len(self.moves())
        return [1 / count] * count

    def policy_moves(self, policy: int) -> Sequence[int]:
        """The legal moves that a playout samples from; at least one.

        `policy` is a bit mask of `policies`, in their order, and not 0. Not called at chance nodes.
        """
        return self.moves()

    def infoset(self, player: int) -> Hashable:
        """The information set of `player`: equal for indistinguishable positions. Default: `key()`."""
        return self.key()

    def determinize(self, player: int, rng: "Random") -> Self:
        """A new position consistent with what `player` knows, sampled with `rng` (random.Random).

        Required for games of imperfect information: players receive such a position, never the true one. Each
        consistent position is sampled with its chance probability; hidden choices of other players count as
        equally likely. It holds no earlier moves: undoing them would reveal them.
        """
        if self.hidden:
            raise NotImplementedError(
                f"{type(self).__name__} has imperfect information: it needs determinize(player, rng), "
                "a copy with what the player does not know drawn from rng"
            )
        return self.twin()

    def likely(self, player: int, rng: "Random") -> Self:
        """As `determinize`, weighted by the plausibility of the other players' moves. Default: unweighted."""
        return self.determinize(player, rng)

    def advice(self) -> tuple[int, str] | None:
        """A move to play without a search, and its meaning in words; None, the default: search."""
        return None

    def dealt_solver(self, control: "StopSignal | None") -> "DealSolver[Self] | None":
        """With `has_deal_solver`: a solver that values the moves of a position with all cards open.

        None if this position has none. `control` stops it.
        """
        return None

    def rule_of_thumb(self) -> int | None:
        """With `has_deal_solver`: the move to play when there is no time to search; None: no such move."""
        return None

    def allows(self, move: int) -> bool:
        """True if `move`, which is not in `moves()`, is legal for human players; searches do not consider it.

        Default: false.
        """
        return False

    def sees(self, player: int, move: int) -> bool:
        """True if `player` observes which move is made when this legal move is made.

        Default: true; in a game of imperfect information, for its mover only.
        """
        return not self.hidden or player == self.turn

    # -- for search -------------------------------------------------------------------------

    def evaluate(self) -> int:
        """Static evaluation from the mover's view, with an absolute value far below `value.WIN`.

        Default: the selected evaluation, or the first of `evaluations`; 0 without any.
        """
        evaluation = self.evaluation or next(iter(self.evaluations.values()), None)
        return 0 if evaluation is None or evaluation.inside else int(evaluation.evaluate(self))

    def evaluate_for(self, player: int) -> int:
        """An estimate of `player`'s payoff, whichever side is to move, in `unit`; far below `value.WIN`.

        In zero-sum games for two it is `evaluate` from the player's view, and 0 at chance nodes unless it
        `evaluates_chance_nodes`. In any other game it is a payoff times `unit`, not normalized, within
        `low`, `high` and `total` as payoffs are; 0 unless the game or the selected evaluation defines it.
        """
        evaluation = self.evaluation or next(iter(self.evaluations.values()), None)
        if evaluation is not None and not evaluation.inside:
            return int(evaluation.evaluate_for(self, player))
        if self.turn == CHANCE or self.players != 2 or not self.zero_sum:
            return 0
        return self.evaluate() if player == self.turn else -self.evaluate()

    def cost(self, move: int) -> int:
        """The cost of a legal move in a puzzle, an int from 1 up. Default: 1."""
        return 1

    def estimate(self) -> int:
        """A lower bound of the cost to the goal of a puzzle, from 0 up. Default: 0, which prunes nothing."""
        return 0

    def top_moves(self, count: int) -> Sequence[tuple[int, int]]:
        """The best moves by static evaluation, at most `count`, as (move, estimate), best first.

        Estimates are from the mover's view, in `unit`; only differences count. Default: none.
        """
        return ()

    def finish(self, control: "StopSignal | None", node_limit: int) -> tuple[int, int, bool, int] | None:
        """Search a position without hidden information or chance events left.

        Returns the best move, the mover's payoff in `unit`, whether it is proven, and the number of positions
        visited. `control.stop` and `node_limit` positions (0: no limit) end the search. Default: None.
        """
        return None

    def noisy(self) -> Sequence[int]:
        """The moves for quiescence search (captures, wins, answers to a threat). Default: none."""
        return ()

    def forced(self) -> bool:
        """True if the mover must answer a threat; `noisy()` then holds all answers that can be good."""
        return False

    # -- notation and display ---------------------------------------------------------------

    def format(self, move: int) -> str:
        """A legal move as one word, without spaces."""
        return str(move)

    def parse(self, text: str) -> int:
        """The legal move that `text` names. Raises IllegalMove, with suggestions.

        The error contains the reason given by `capabilities.ExplainsMoves`, if the game implements it.
        """
        word = text.strip()
        names = {self.format(move): move for move in self.moves()}
        if word in names:
            return names[word]
        for name, move in names.items():
            if name.lower() == word.lower():
                return move
        if self.outcome() is not None:
            raise IllegalMove(f"'{word}': the game is over")
        why = self.why_illegal(word) if isinstance(self, ExplainsMoves) else ""
        raise illegal(word, self._in_lists(names), why)

    def _in_lists(self, names: Mapping[str, int]) -> list[str]:
        """The names of moves in the game's order if it has one, else captures and short ones first."""
        if isinstance(self, OrdersMoves):
            order = {move: rank for rank, move in enumerate(self.in_order(list(names.values())))}
            return sorted(names, key=lambda name: order[names[name]])
        noisy = set() if self.hidden else set(self.noisy())
        return sorted(names, key=lambda name: (names[name] not in noisy, len(name), name.lower()))

    def text(self) -> str | None:
        """The position as text for `setup(text)`, such as FEN; None: it is defined by its moves only."""
        return None

    def setup(self, text: str) -> None:
        """Set up the position that `text` describes; called on a new position.

        Raises BadInput with the place and the reason. Default: `text` is a list of moves from the initial
        position, as `format` writes them.
        """
        for number, word in enumerate(text.split(), 1):
            if self.outcome() is not None:
                raise IllegalMove(f"move {number}, '{word}': the game is over before it")
            try:
                self.make(self.parse(word))
            except IllegalMove as error:
                raise IllegalMove(f"move {number}: {error}") from None

    def diagram(self) -> str:
        """The pieces and the side to move, in one line: the key of a position in books and opening names.

        Without counters and history, so that transpositions are merged, and the same for positions that are
        equivalent by rotation or reflection, with the same side to move. It must not change between versions,
        since files contain it. Default: `key()`.
        """
        return repr(self.key())

    def board(self, viewer: int | None = None, last: int | None = None) -> Board | None:
        """The drawing of the position after the move `last`, as player `viewer` sees it (None: all of it).

        `viewer` is only passed in games of imperfect information. Default: no board; `show` displays all.
        """
        return None

    def show(self, viewer: int | None = None) -> str:
        """The position in words, as player `viewer` sees it. Default: `str`, or the parts of `infoset`."""
        if viewer is None or not self.hidden:
            return str(self)
        infoset = self.infoset(viewer)
        parts = infoset if isinstance(infoset, tuple) else (infoset,)
        facts = " ".join(str(part) for part in parts if part not in (None, "", ()))
        return f"{side(self, viewer)} knows: {facts}".rstrip()

    def concessions(self) -> Sequence[int] | None:
        """Resignation offers of the side to move, legal in addition to `moves`; searches make none.

        Default: None, resigning loses the game. Otherwise a list, which may be empty: resigning is then a
        move that `format`, `parse`, `make` and `unmake` accept.
        """
        return None

    def news(self) -> Sequence[str]:
        """Public effects of the last move that its notation does not show, a sentence each. Default: none."""
        return ()

    def phase(self) -> int:
        """The index in `phases` of the current phase. Called only if there are any."""
        return 0

    def ending(self) -> str:
        """The reason why the game is over, such as `checkmate`. Default: empty."""
        return ""

    def __str__(self) -> str:
        """The position in plain characters. Default: `draw_position`."""
        return draw_position(self)


class Position(AbstractPosition):
    """A game state in Python. The module docstring describes the contract."""

    def __init__(self) -> None:
        self.turn = 0

    def __init_subclass__(cls) -> None:
        if not isinstance(cls.evaluations, Mapping):
            raise TypeError("evaluations is a mapping from names to gameplay.Evaluation")

    def twin(self) -> Self:
        """An independent copy with the same history.

        `copy.copy` and `copy.deepcopy` return it too. A search works on a twin, so this must be fast enough
        to be called once per search. Default: a deep copy.
        """
        cls = type(self)
        if cls.__deepcopy__ is not Position.__deepcopy__:
            return copy.deepcopy(self)
        other = cls.__new__(cls)
        memo: dict[int, Any] = {id(self): other}
        other.__dict__.update({name: _copy(value, memo) for name, value in self.__dict__.items()})
        for name in _slots(cls):
            if hasattr(self, name):
                setattr(other, name, _copy(getattr(self, name), memo))
        return other

    def unmake(self) -> None:
        """Take back the last move and restore the position before it."""
        past = self.__dict__.get("_past")
        if past is None and not hasattr(type(self).make, "__wrapped__"):  # as `undoable` leaves it
            super().unmake()
        if not past:
            raise NoMoveMade()
        _restore(self, past.pop())

    def key(self) -> Hashable:
        """A hash key: equal keys imply equal futures. Built of ints, strings, bytes, None, floats and tuples.

        Default: all attributes, which is correct and slow. An int of at most 64 bits is fastest.
        """
        return (self.turn, *frozen({k: v for k, v in self.__dict__.items() if k not in _NOT_STATE}))


_NOT_STATE = frozenset({"_past", "turn", "evaluation", "heuristic"})
State = TypeVar("State", bound=AbstractPosition)
_ATOMS = frozenset({int, str, bool, float, bytes, type(None), frozenset})


def twin(position: State) -> State:
    """An independent copy, as `Position.twin`."""
    return copy.deepcopy(position)


def alike(position: AbstractPosition, other: object) -> Any:  # a bool, or NotImplemented
    """`position == other`, as `Position.__eq__` defines it; NotImplemented for an object of another class."""
    if position is other:
        return True
    if not isinstance(other, AbstractPosition) or type(position) is not type(other):
        return NotImplemented
    return (_arguments(position), position.turn, position.key()) == (
        _arguments(other),
        other.turn,
        other.key(),
    )


def _arguments(position: AbstractPosition) -> dict[str, Any]:
    """The parameters of a position; None for those that it does not store."""
    try:
        return dict(position.arguments())
    except Usage:
        return {name: getattr(position, name, None) for name in parameters(type(position))}


def summary(position: AbstractPosition) -> str:
    """The `repr` of a position, in one line: class, parameters that are not the default, text, turn."""
    facts = []
    usual = {name: parameter.default for name, parameter in parameters(type(position)).items()}
    for name, value in _arguments(position).items():
        if value is not None and value != usual[name]:
            facts.append(f"{name}={value!r}")
    words = position.text() or position.diagram()
    facts.append(repr(truncate(words, 100)))
    return f"<{type(position).__name__}({', '.join(facts)}), {_state(position)}>"


def draw_position(position: AbstractPosition) -> str:
    """A position in plain characters, for games without a `__str__`.

    The cells of its `board()` with their labels; without a board its attributes, one per line, a list of
    rows as a grid. The last line names the player to move, or the payoffs.
    """
    board = position.board()
    lines = _grid(board) if isinstance(board, Board) else []
    if not lines:
        for name, value in getattr(position, "__dict__", {}).items():
            if name.startswith("_") or name in _NOT_STATE:
                continue
            rows = value if isinstance(value, (list, tuple)) else ()
            if rows and all(isinstance(row, (list, tuple, str)) and row != "" for row in rows):
                lines += [name, *("  " + " ".join(_plain(cell) for cell in row) for row in rows)]
            else:
                lines.append(f"{name} {_plain(value)}")
    return "\n".join([*lines, _state(position)])


def _state(position: AbstractPosition) -> str:
    """The player to move, or the payoffs; also for a game that breaks the contract."""
    over, players = position.outcome(), position.players
    if over is None:
        fits = isinstance(position.turn, int) and CHANCE <= position.turn < players
        return f"{side(position, position.turn)} to move" if fits else f"turn {position.turn!r}"
    if not isinstance(over, (tuple, list)) or len(over) != players:
        return f"over: {over!r}"
    return "over: " + ", ".join(f"{side(position, player)} {_plain(pay)}" for player, pay in enumerate(over))


def _plain(value: Any) -> str:
    """A value in words; an empty string or None as a dot."""
    if value is None or value == "":
        return "."
    return value if isinstance(value, str) else repr(value)


def _grid(board: Board) -> list[str]:
    """The cells of a board and its trays, in plain characters."""
    shown = [[" " if cell is None else cell or "." for cell in row] for row in board.cells]
    wide = max([1, *(len(cell) for row in shown for cell in row), *map(len, board.columns)])
    margin = max([0, *map(len, board.rows)])
    lines = []
    if any(board.columns):
        lines.append(" " * (margin + 1 if margin else 0) + " ".join(c.ljust(wide) for c in board.columns))
    for label, row in zip(board.rows, shown, strict=False):
        cells = " ".join(cell.ljust(wide) for cell in row)
        lines.append(f"{label.rjust(margin)} {cells}" if margin else cells)
    trays = [
        (tray.above, f"{tray.name}: {' '.join(map(_plain, tray.things))}")
        for tray in board.trays
        if isinstance(tray, Tray)
    ]
    above, below = ([line for place, line in trays if place is wanted] for wanted in (True, False))
    return [line.rstrip() for line in (*above, *lines, *below)]


def undoable(make: Callable[[State, int], None]) -> Callable[[State, int], None]:
    """Decorator of `make` that provides `unmake` by saving the whole position at each move.

    Lists, dicts, sets and objects in the position are deep-copied. Slower than a custom `unmake`, but always
    correct. If `make` raises, the position stays as it was.
    """

    @functools.wraps(make)
    def remembering(self: State, move: int) -> None:
        state = self.__dict__
        past = state.get("_past")
        if past is None:
            past = state["_past"] = []
        depth = len(past)  # a `make` that calls its parent's, undoable too, is still one move
        memo: dict[int, Any] = {id(self): self}
        saved = {k: v if type(v) in _ATOMS else _copy(v, memo) for k, v in state.items() if k != "_past"}
        try:
            make(self, move)
        except BaseException:
            _restore(self, saved)
            del past[depth:]
            raise
        del past[depth:]
        past.append(saved)

    return remembering


def _restore(position: AbstractPosition, saved: dict[str, Any]) -> None:
    past = position.__dict__["_past"]
    position.__dict__.clear()
    position.__dict__.update(saved)
    position.__dict__["_past"] = past


def _copy(value: Any, memo: dict[int, Any]) -> Any:
    """`copy.deepcopy(value, memo)`, faster for the types that positions mostly consist of."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if id(value) in memo:
        return memo[id(value)]
    if kind is list:
        twin: Any = []
        memo[id(value)] = twin
        twin.extend([item if type(item) in _ATOMS else _copy(item, memo) for item in value])
        return twin
    if kind is dict:
        twin = {}
        memo[id(value)] = twin
        twin.update({k: item if type(item) in _ATOMS else _copy(item, memo) for k, item in value.items()})
        return twin
    if kind is tuple:
        return tuple([_copy(item, memo) for item in value])
    return copy.deepcopy(value, memo)


def _slots(cls: type) -> list[str]:
    """The names in `__slots__` of a class and its base classes."""
    declared = [vars(base).get("__slots__", ()) for base in cls.__mro__]
    return [name for slots in declared for name in ((slots,) if isinstance(slots, str) else slots)]


def frozen(value: Any) -> Any:
    """A hashable representation: equal for equal values only."""
    if type(value) in _ATOMS and not isinstance(value, frozenset):
        return value
    if isinstance(value, enum.Enum):
        return (type(value).__name__, value.name)
    if isinstance(value, dict):
        return tuple(sorted(((frozen(k), frozen(v)) for k, v in value.items()), key=repr))
    if isinstance(value, (list, tuple, deque)):
        return tuple([frozen(item) for item in value])
    if isinstance(value, (set, frozenset)):
        return tuple(sorted([frozen(item) for item in value], key=repr))
    if inspect.isclass(value) or inspect.isroutine(value):
        return getattr(value, "__qualname__", repr(value))
    slots = _slots(type(value))
    if slots or hasattr(value, "__dict__"):
        held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
        return (type(value).__name__, frozen(held | getattr(value, "__dict__", {})))
    return repr(value)


def signature(game: type) -> inspect.Signature:
    """The signature of a game's constructor; compiled games do not expose theirs, but have `fits`."""
    return inspect.signature(game.fits if isinstance(game, Bounded) else game)


def parameters(game: type) -> dict[str, inspect.Parameter]:
    """The parameters of a game, by name."""
    every = signature(game).parameters
    return {name: p for name, p in every.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def side(position: HasSides, player: int) -> str:
    """The name of a player: the one in `sides`, else `first`, `second`, or `player 3`."""
    if player == CHANCE:
        return "chance"
    if player < len(position.sides):
        return position.sides[player]
    if position.players == 1:
        return "solver"
    return ("first", "second")[player] if position.players == 2 else f"player {player + 1}"


def side_names(position: HasSides) -> list[str]:
    """The names of all players, in order."""
    return [side(position, player) for player in range(position.players)]
