"""Base class of engines: a dataclass of options, with class attributes that declare its capabilities."""

import dataclasses
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from gameplay.adapter import kernel_of
from gameplay.catalogue import name_of
from gameplay.errors import Usage, unknown_name
from gameplay.evaluation import select_evaluation
from gameplay.kernel import Kernel
from gameplay.options import Kind, Sum, check_option, either, format_option, kind_of, read_option, refusal
from gameplay.position import AbstractEvaluation, AbstractPosition, Position
from gameplay.search.control import Control
from gameplay.search.limit import KINDS, Limit, affordable_depth
from gameplay.search.narrowed import Handed
from gameplay.search.ordering import ORDERS, Ordering
from gameplay.search.probe import Probe, probe_of
from gameplay.search.report import Report
from gameplay.search.session import Search, SearchMemory, SearchSetup, Session, Trace, Watch
from gameplay.search.table import Table, table_bits
from gameplay.search.threads import available
from gameplay.usercode import watchdog

if TYPE_CHECKING:
    from gameplay.knowledge.knowledge import Knowledge

COMPILED_NODES = 400_000  # node limit of a fixed-depth search without a limit
PYTHON_NODES = 20_000
DEFAULT_SEARCH_TIME = 2.0  # seconds after which such a search ends in any case
ANSWERING = ("countermove", "continuation")  # orders that only searches which deepen keep
DEEPENING = 1.0  # seconds of an iteratively deepening search without a limit


class SharedOptions:
    """Options that several engines have, with their values for an engine that does not have them."""

    order = "generated"
    table = "off"
    threads = 1
    seed = 0
    eval = ""
    heuristic = ""
    exchange = False
    alliance = ""
    weak = False


SHARED = frozenset(name for name in vars(SharedOptions) if not name.startswith("_"))


class Opened(Search, Protocol):
    """A search that probes endgame tables within its tree: the result of `Engine.open`."""

    probe: Probe | None

    @property
    def kernel(self) -> Kernel: ...


class Sources:
    """The knowledge sources that an engine's searches probe inside the tree; not engine options."""

    known: Mapping[str, str] = {}  # paths of the sources by option
    formats_pv: bool = False  # reports of `search` contain the formatted PV, `words`
    own_limit: Limit = Limit()  # limit in the engine's spec, as in `alphabeta:depth=6`; applies to `search`
    sources: "Callable[[AbstractPosition], Sequence[Knowledge]] | None" = None  # opens them for a game


@dataclasses.dataclass
class Engine(SharedOptions, Sources):
    """`search` chooses a move. Engines never print; their options are their fields.

    A searching engine implements `open`, any other `at_once`. A user-defined engine (`--engine FILE.py`) may
    implement `search` instead and need not be a subclass: see `search.user_engine`.

    Class attributes declare its capabilities: `check` refuses other games. The default engine of a game
    is the one with the greatest `suitability`.
    """

    name: ClassVar[str] = ""
    players: ClassVar[range] = range(2, 3)  # numbers of players that it supports
    chance: ClassVar[bool] = False  # plays games with dice and deals
    hidden: ClassVar[bool] = False  # plays games of imperfect information
    general_sum: ClassVar[bool] = False  # plays games that are not zero-sum
    thinks: ClassVar[bool] = True  # searches: limits apply
    samples: ClassVar[bool] = False  # counts random simulations: it has a seed and no depth
    respects_limits: ClassVar[bool] = True  # ends by itself at its limits or on a stop request
    simulates: ClassVar[bool] = False  # counts simulations: they can be limited
    by_depth: ClassVar[bool] = True  # searches to a depth in plies: it can be limited
    anytime: ClassVar[bool] = False  # searches until stopped; False: to a fixed depth, see Limit
    keeps: ClassVar[bool] = False  # later searches of the same game reuse results
    theorem: ClassVar[str] = ""  # the algorithm with the same value at equal depth, for all options
    # Point of view of the values of a trace: mover, root (its mover), each (one value per player), or
    # attacker (no values, but proof numbers of a win of that player).
    view: ClassVar[str] = "mover"
    prunes: ClassVar[bool] = True  # the windows of its trace narrow from move to move
    probes: ClassVar[bool] = False  # probes endgame tables within its tree, see `search.probe`
    probes_root: ClassVar[bool] = False  # probes exact knowledge itself, at the root too
    priority: ClassVar[int] = 10  # for the choice of the default engine of a game, see `suitability`
    growth: ClassVar[float] = 1.0
    place: ClassVar[str] = ""  # spec of a user-defined engine: FILE.py:Class
    where: ClassVar[str] = ""  # file and line of a user-defined engine, for error messages
    executing = ""  # line of a user-defined engine that its process is executing

    def __post_init__(self) -> None:
        for name, field in self.options().items():
            value = check_option(self.name, name, getattr(self, name), self.kind(name), field.default)
            setattr(self, name, value)
        if self.seed and "order" in self.options() and "random" not in self.orders():
            raise Usage(f"{self.name}: seed matters only with order=random")

    # -- options ---------------------------------------------------------------------------------

    @classmethod
    @cache  # asked for at every move
    def options(cls) -> dict[str, dataclasses.Field[Any]]:
        """The options by name."""
        return {field.name: field for field in dataclasses.fields(cls)}

    @classmethod
    def values(cls, name: str) -> Mapping[str, str]:
        """The values of an option with their descriptions; {} if it takes a number or a file."""
        if name == "order":
            return {key: words for key, words in ORDERS.items() if cls.anytime or key not in ANSWERING}
        found: Mapping[str, str] = cls.options()[name].metadata.get("values", {})
        return found

    @classmethod
    def kind(cls, name: str) -> Kind:
        """The kind of the values of an option."""
        field = cls.options()[name]
        found: Kind = field.metadata.get("kind") or kind_of(field.default)
        return Sum(cls.values(name)) if isinstance(found, Sum) else found

    @classmethod
    def from_options(cls, given: Mapping[str, str]) -> Self:
        """An engine with options as text: `{"table": "64MB", "pvs": "off"}`. Raises Usage."""
        known = cls.options()
        values: dict[str, Any] = {}
        for key, text in given.items():
            if key not in known:
                raise Usage(f"{cls.name}: {unknown_name('option', key, [*known, *KINDS])}")
            values[key] = read_option(cls.name, key, text, cls.kind(key), known[key].default)
        return cls(**values)

    def written(self) -> dict[str, str]:
        """The options that differ from the defaults, as text for `from_options`."""
        found: dict[str, str] = {}
        for name, field in self.options().items():
            value = getattr(self, name)
            if value != field.default:
                found[name] = format_option(value)
        return found

    def __str__(self) -> str:
        """The spec of the engine: its name and the options that differ from the defaults."""
        changed = ",".join([f"{name}={word}" for name, word in self.written().items()])
        return (self.place or self.name) + (changed and f":{changed}")

    def with_seed(self, seed: int) -> Self:
        """A copy with another value of the option `seed`, which the engine has."""
        options: dict[str, Any] = {"seed": seed}
        return dataclasses.replace(self, **options)

    def orders(self) -> list[str]:
        """The orders combined in the option `order`."""
        return self.order.split("+")

    # -- capabilities -----------------------------------------------------------------------------------

    @classmethod
    def incompatibility(cls, position: AbstractPosition) -> str:
        """The reason why the engine cannot play a game; empty if it can."""
        if position.players not in cls.players:
            counts = describe_player_counts(cls.players)
            return f"it is for {counts}, and {name_of(position)} has {position.players}"
        if position.chance and not cls.chance:
            return f"{name_of(position)} has chance in it"
        if position.hidden and not cls.hidden:
            return f"{name_of(position)} has imperfect information"
        if not position.zero_sum and not cls.general_sum:
            return f"in {name_of(position)} one player's gain is not the other's loss"
        return ""

    @classmethod
    def suitability(cls, position: AbstractPosition) -> int:
        """Priority as the default engine of a game; 0: it cannot play the game."""
        return 0 if cls.incompatibility(position) else cls.priority

    def check(self, position: AbstractPosition) -> None:
        """Raise Usage, with the reason, if the game does not support the engine or one of its options."""
        why = self.incompatibility(position)
        if why:
            raise Usage(f"{self.name} cannot play this: {why}")
        if self.threads > 1 and not isinstance(position, Kernel):
            game = name_of(position)
            raise Usage(f"{self.name}: threads needs a compiled game, and {game} is written in Python")
        evaluated = self.evaluation(position) is not None or "evaluation" not in self.orders()
        if not evaluated and not has_evaluation(position):
            raise Usage(f"{self.name}: order=evaluation needs evaluate(), and {name_of(position)} has none")

    def evaluation(self, position: AbstractPosition) -> AbstractEvaluation | None:
        """The evaluation that the option `eval` names; None: the default. Raises as `evaluation.chosen`."""
        return select_evaluation(self.eval, position)

    def heuristic_for(self, position: AbstractPosition) -> str | None:
        """The heuristic that the option `heuristic` names; None: the default. Raises Usage for another."""
        if self.heuristic and self.heuristic not in position.heuristics:
            example = next(iter(position.heuristics), "")
            raise refusal(self.name, "heuristic", self.heuristic, either(position.heuristics), example)
        return self.heuristic or None

    def combine_limits(self, own: Limit, common: Limit) -> Limit:
        """Both the limit of the engine's spec and the limit that several engines share.

        If the spec has a limit, parts of `common` that do not apply to this engine (a depth without
        `by_depth`, simulations without `simulates`) are ignored.
        """
        if own and not self.by_depth:
            common = common.with_(depth=None)
        if own and not self.simulates:
            common = common.with_(simulations=None)
        return own.within(common)

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit`, or if it is empty a default limit for this position.

        For an engine with a fixed depth: the depth of a full-width search of some hundred thousand positions
        (see `affordable_depth`), and two seconds.
        """
        if limit.simulations is not None and self.thinks and not self.simulates:
            raise Usage(f"{self.name} does not simulate: limit depth, nodes or time, not simulations")
        if not self.thinks or limit:
            return limit
        if self.anytime:
            return limit.with_(seconds=DEEPENING)
        means = COMPILED_NODES if isinstance(position, Kernel) else PYTHON_NODES
        return limit.with_(depth=affordable_depth(position, means**self.growth), seconds=DEFAULT_SEARCH_TIME)

    def resign_in(self, position: AbstractPosition, machine: bool) -> float:
        """The expected score below which it resigns; 0: never."""
        return 0.0

    @property
    def instant(self) -> bool:
        """True if `at_once` chooses its move."""
        return not self.thinks

    @property
    def draws(self) -> bool:
        """True if it chooses at random, by its option `seed`."""
        return self.samples or "random" in self.orders()

    @property
    def table_bits(self) -> int:
        """Size of its transposition table in bits, see `search.table`; 0: none."""
        return int(table_bits(self.table))

    def new_table(self, bits: int) -> SearchMemory:
        """The memory that its searches share: a transposition table."""
        return Table(bits)

    # -- searching ---------------------------------------------------------------------------------

    def open(self, kernel: Kernel, control: Control, table: SearchMemory | None) -> Opened:
        """A search with the engine's options; `table` may be None."""
        raise NotImplementedError

    def odds(self, position: AbstractPosition) -> list[float] | None:
        """The probability of choosing each of `position.moves()`, over all seeds; None: unknown."""
        return None

    def at_once(self, position: AbstractPosition, limit: Limit) -> Report:
        """The choice of an engine that does not search."""
        raise NotImplementedError

    def searches(self, setup: SearchSetup) -> list[Search]:
        """The search of a position, followed by its helper searches, each on a separate thread."""
        position, limit, control, table = setup.position, setup.limit, setup.control, setup.table
        threads = available(self.threads)
        if setup.trace is not None and threads > 1:
            raise Usage(f"{self.name}: a search of several threads cannot be traced")
        found: list[Search] = []
        share = 0  # nodes of each helper search
        if control.nodes and threads > 1:
            share = max(0, control.nodes - 2 - len(position.moves())) // threads
            threads = threads if share else 1  # the first ply needs all nodes
        for number in range(threads):
            point = position.twin() if number else position
            search = self.open(kernel_of(point), control, table)
            search.probe = probe_of(search.kernel, setup.knowledge, bool(limit.moves))
            search.helper = number
            search.shared = threads > 1 and table is not None
            search.multipv = limit.multipv
            search.deepens = not self.anytime and bool(limit.nodes or limit.seconds)
            if limit.moves:
                search.restrict_moves(limit.moves)
            search.node_limit = share if number else control.nodes - share * (threads - 1)
            found.append(search)
        found[0].helpers = found[1:]
        found[0].set_trace(setup.trace)
        return found

    def ordering(self, always: bool = False) -> Ordering | None:
        """The move ordering; None if moves are searched as generated and `always` is false."""
        ordering = Ordering(self.orders(), self.seed, self.exchange)
        return None if ordering.keeps_order and not always else ordering

    def begin(self) -> None:
        """A new game begins."""

    # Any: a match view; this package does not depend on matches
    def at(self, origin: Any) -> None:
        """Set the match of the next searches, for engines in another process."""

    def abandon(self, thread: threading.Thread) -> None:
        """Abandon a search thread that has not returned in time."""
        watchdog.stop_thread(thread)

    def close(self) -> None:
        """Release resources outside this process."""

    def search(
        self,
        position: AbstractPosition,
        limit: Limit | None = None,
        watch: Watch | None = None,
        trace: Trace | None = None,
    ) -> Report:
        """One search, see `Session.search`, limited by both `limit` and `own_limit`.

        Raises Usage for an argument of the wrong type, and as `Session.search`.
        """
        if not isinstance(position, Handed):
            raise refusal(
                "", "position", position, "a position of a game", "gameplay.game('tictactoe').new()"
            )
        if limit is not None and not isinstance(limit, Limit):
            raise refusal("", "limit", limit, "a gameplay.Limit or None", "gameplay.Limit(depth=3)")
        within = self.combine_limits(self.own_limit, Limit() if limit is None else limit)
        report = Session(self).search(position, within, watch, trace)
        return report.with_(words=_format_line(position, report.pv)) if self.formats_pv else report


def _format_line(position: AbstractPosition, line: Sequence[int]) -> tuple[str, ...]:
    """A line of formatted moves; the position is restored."""
    words: list[str] = []
    try:
        for move in line:
            words.append(position.format(move))
            position.make(move)
    finally:
        for _ in words:
            position.unmake()
    return tuple(words)


class GeneralEngine(Engine):
    """An engine for games of every kind."""

    players = range(1, 1000)
    chance = hidden = general_sum = True


class HiddenEngine(GeneralEngine):
    """An engine for games of imperfect information only; `pointless` is the reason to refuse others."""

    players = range(2, 1000)
    samples = True
    pointless: ClassVar[str] = ""

    @classmethod
    def incompatibility(cls, position: AbstractPosition) -> str:
        """As `Engine`; the game must also have imperfect information."""
        if not position.hidden:
            return f"{name_of(position)} has perfect information: {cls.pointless}"
        return super().incompatibility(position)


def has_noisy(position: AbstractPosition) -> bool:
    """True if the game defines noisy moves."""
    if isinstance(position, Position):
        return type(position).noisy is not Position.noisy
    return position.has_noisy


def has_evaluation(position: AbstractPosition) -> bool:
    """True if the game has an evaluation function."""
    own = isinstance(position, Position) and type(position).evaluate is not Position.evaluate
    return own or bool(position.evaluations)


def has_costs(position: AbstractPosition) -> bool:
    """True if the game defines costs of moves."""
    if isinstance(position, Position):
        return type(position).cost is not Position.cost
    return position.has_costs


def has_guesses(position: AbstractPosition) -> bool:
    """True if the game estimates the payoff of each player."""
    if position.players == 2 and position.zero_sum:
        return has_evaluation(position)
    own = isinstance(position, Position) and type(position).evaluate_for is not Position.evaluate_for
    return own or bool(position.evaluations)


def describe_player_counts(players: range) -> str:
    """A range of numbers of players in words: `two players`, `two players or more`."""
    least = {1: "one player", 2: "two players"}.get(players.start, f"{players.start} players")
    if len(players) == 1:
        return least
    return f"{least} or more" if players.stop > 100 else f"{players.start} to {players.stop - 1} players"
