"""An engine: a dataclass of options that says what it can do. What all engines share is here."""

import dataclasses
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from gameplay.adapter import kernel_of
from gameplay.catalogue import name_of
from gameplay.errors import Usage, unknown
from gameplay.evaluation import chosen
from gameplay.kernel import Kernel
from gameplay.options import Kind, Sum, check_option, either, kind_of, read_option, refused, written
from gameplay.position import AbstractEvaluation, AbstractPosition, Position
from gameplay.search.control import Control
from gameplay.search.limit import KINDS, Limit, affordable_depth
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
PATIENT = 2.0  # seconds after which such a search ends in any case
ANSWERING = ("countermove", "continuation")  # orders that only searches which deepen keep
DEEPENING = 1.0  # seconds of an iteratively deepening search without a limit


class SharedOptions:
    """Options that several engines have; each with the value that holds for an engine without it."""

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
    """A search that asks tables within its tree: what `Engine.open` returns."""

    probe: Probe | None

    @property
    def kernel(self) -> Kernel: ...


class Sources:
    """The knowledge that an engine's searches ask inside the tree; not one of its options."""

    known: Mapping[str, str] = {}  # the paths of it, by option
    spells: bool = False  # `search` returns reports with the line in words too
    own_limit: Limit = Limit()  # that its spec names, as `alphabeta:depth=6`: `search` respects it
    sources: "Callable[[AbstractPosition], Sequence[Knowledge]] | None" = None  # opens it for a game


@dataclasses.dataclass
class Engine(SharedOptions, Sources):
    """`search` chooses a move. Engines never print; their options are their fields.

    One that thinks gives `open`, one that does not `at_once`. A user-defined engine, which is
    asked for as `--engine FILE.py`, may give `search` instead; it need not be a subclass, see `search.own`.

    What it can do is said by class facts: `check` refuses games that they do not cover, and the usual engine
    of a game is the one that suits it best.
    """

    name: ClassVar[str] = ""
    players: ClassVar[range] = range(2, 3)  # how many it can play with
    chance: ClassVar[bool] = False  # plays games with dice and deals
    hidden: ClassVar[bool] = False  # plays games of imperfect information
    general_sum: ClassVar[bool] = False  # plays games that are not zero-sum
    thinks: ClassVar[bool] = True  # looks ahead, so that limits matter to it
    samples: ClassVar[bool] = False  # counts random simulations: a seed matters, a depth does not
    heeds: ClassVar[bool] = True  # respects its limits, or the stop flag, so that it ends by itself
    simulates: ClassVar[bool] = False  # counts simulations, so that these can be limited
    by_depth: ClassVar[bool] = True  # searches ply by ply, so that a depth limits it
    endless: ClassVar[bool] = False  # goes on until stopped; False: one search to a fixed depth, see Limit
    keeps: ClassVar[bool] = False  # results of one search serve the next ones of the same game
    theorem: ClassVar[str] = ""  # whose value a finished search has at its depth, whatever the options
    # Whose view the values of a trace have: the mover's, that of the root's mover, or each player's own;
    # "attacker": no values, but proof numbers of a forced win.
    view: ClassVar[str] = "mover"
    prunes: ClassVar[bool] = True  # narrows the windows of its trace move by move
    probes: ClassVar[bool] = False  # asks endgame tables within its tree, see `search.probe`
    asks: ClassVar[bool] = False  # asks by itself what is known for certain, at the root too
    merit: ClassVar[int] = 10  # how well it plays the games that it can play, beside the other engines
    growth: ClassVar[float] = 1.0
    place: ClassVar[str] = ""  # where the engine is found again if not by its name: FILE.py:Class
    where: ClassVar[str] = ""  # the file and the line of what searches, for complaints, of one from outside
    executing = ""  # of an engine from outside: the line of its code that another process is executing

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
        """The words that an option takes, each with its meaning; {} where it takes a number or a file."""
        if name == "order":
            return {key: words for key, words in ORDERS.items() if cls.endless or key not in ANSWERING}
        found: Mapping[str, str] = cls.options()[name].metadata.get("values", {})
        return found

    @classmethod
    def kind(cls, name: str) -> Kind:
        """The values that an option takes."""
        field = cls.options()[name]
        found: Kind = field.metadata.get("kind") or kind_of(field.default)
        return Sum(cls.values(name)) if isinstance(found, Sum) else found

    @classmethod
    def from_options(cls, given: Mapping[str, str]) -> Self:
        """An engine with options as typed: `{"table": "64MB", "pvs": "off"}`. Raises Usage."""
        known = cls.options()
        values: dict[str, Any] = {}
        for key, text in given.items():
            if key not in known:
                raise Usage(f"{cls.name}: {unknown('option', key, [*known, *KINDS])}")
            values[key] = read_option(cls.name, key, text, cls.kind(key), known[key].default)
        return cls(**values)

    def written(self) -> dict[str, str]:
        """The options that differ from the defaults, as `from_options` takes them."""
        found: dict[str, str] = {}
        for name, field in self.options().items():
            value = getattr(self, name)
            if value != field.default:
                found[name] = written(value)
        return found

    def __str__(self) -> str:
        """The spec that makes the same engine: its name and the options that differ from the defaults."""
        changed = ",".join(f"{name}={word}" for name, word in self.written().items())
        return (self.place or self.name) + (changed and f":{changed}")

    def seeded(self, seed: int) -> Self:
        """The same engine with another value of the option `seed`, which it has."""
        options: dict[str, Any] = {"seed": seed}
        return dataclasses.replace(self, **options)

    def orders(self) -> list[str]:
        """The orders that add up in the option `order`."""
        return self.order.split("+")

    # -- fitness -----------------------------------------------------------------------------------

    @classmethod
    def misfit(cls, position: AbstractPosition) -> str:
        """Why an engine with these facts cannot play a game, in words; empty if it can."""
        if position.players not in cls.players:
            return f"it is for {numbered(cls.players)}, and {name_of(position)} has {position.players}"
        if position.chance and not cls.chance:
            return f"{name_of(position)} has chance in it"
        if position.hidden and not cls.hidden:
            return f"{name_of(position)} has imperfect information"
        if not position.zero_sum and not cls.general_sum:
            return f"in {name_of(position)} one player's gain is not the other's loss"
        return ""

    @classmethod
    def suits(cls, position: AbstractPosition) -> int:
        """How well it suits a game beside other engines; 0: it cannot play it."""
        return 0 if cls.misfit(position) else cls.merit

    def check(self, position: AbstractPosition) -> None:
        """Raise Usage, with the reason, if this engine or an option of it cannot matter for the game."""
        why = self.misfit(position)
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
        return chosen(self.eval, position)

    def guide(self, position: AbstractPosition) -> str | None:
        """The heuristic that the option `heuristic` names; None: the default. Raises Usage for another."""
        if self.heuristic and self.heuristic not in position.heuristics:
            example = next(iter(position.heuristics), "")
            raise refused(self.name, "heuristic", self.heuristic, either(position.heuristics), example)
        return self.heuristic or None

    def combined(self, own: Limit, common: Limit) -> Limit:
        """The limit of this engine's spec and the one that several engines share, whichever comes first.

        Where the spec has a limit, parts of `common` that do not apply to this engine (a depth where it does
        not search ply by ply, simulations where it does not simulate) are meant for the others.
        """
        if own and not self.by_depth:
            common = common.with_(depth=None)
        if own and not self.simulates:
            common = common.with_(simulations=None)
        return own.within(common)

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit`, or where nothing is limited one with which a search of this position ends in good time.

        An engine with a fixed depth then gets the depth that a full-width search of some hundred thousand
        positions reaches (see `affordable_depth`), and two seconds.
        """
        if limit.simulations is not None and self.thinks and not self.simulates:
            raise Usage(f"{self.name} does not simulate: limit depth, nodes or time, not simulations")
        if not self.thinks or limit:
            return limit
        if self.endless:
            return limit.with_(seconds=DEEPENING)
        means = COMPILED_NODES if isinstance(position, Kernel) else PYTHON_NODES
        return limit.with_(depth=affordable_depth(position, means**self.growth), seconds=PATIENT)

    def resign_in(self, position: AbstractPosition, machine: bool) -> float:
        """The share of the wins below which it gives up; 0: never."""
        return 0.0

    @property
    def instant(self) -> bool:
        """True if `at_once` makes its choice."""
        return not self.thinks

    @property
    def draws(self) -> bool:
        """True if it chooses at random, so that its option `seed` matters."""
        return self.samples or "random" in self.orders()

    @property
    def table_bits(self) -> int:
        """How large a transposition table it wants, see `search.table`; 0: none."""
        return int(table_bits(self.table))

    def new_table(self, bits: int) -> SearchMemory:
        """What its searches share and may find again: a transposition table."""
        return Table(bits)

    # -- searching ---------------------------------------------------------------------------------

    def open(self, kernel: Kernel, control: Control, table: SearchMemory | None) -> Opened:
        """The `session.Search` that does the work for this engine's options; `table` may be None."""
        raise NotImplementedError

    def odds(self, position: AbstractPosition) -> list[float] | None:
        """Probabilities of `position.moves()`, over all seeds; None: only sampling its moves shows them."""
        return None

    def at_once(self, position: AbstractPosition, limit: Limit) -> Report:
        """The choice of an engine that does not think."""
        raise NotImplementedError

    def searches(self, setup: SearchSetup) -> list[Search]:
        """The search of a position, followed by its helper searches, each on a separate thread."""
        position, limit, control, table = setup.position, setup.limit, setup.control, setup.table
        threads = available(self.threads)
        if setup.trace is not None and threads > 1:
            raise Usage(f"{self.name}: a search of several threads cannot be traced")
        found: list[Search] = []
        share = 0  # of the nodes, for each search that helps
        if control.nodes and threads > 1:
            share = max(0, control.nodes - 2 - len(position.moves())) // threads
            threads = threads if share else 1  # the first ply alone takes all
        for number in range(threads):
            point = position.twin() if number else position
            search = self.open(kernel_of(point), control, table)
            search.probe = probe_of(search.kernel, setup.knowledge, bool(limit.moves))
            search.helper = number
            search.shared = threads > 1 and table is not None
            search.multipv = limit.multipv
            search.deepens = not self.endless and bool(limit.nodes or limit.seconds)
            if limit.moves:
                search.restrict_moves(limit.moves)
            search.most = share if number else control.nodes - share * (threads - 1)
            found.append(search)
        found[0].helpers = found[1:]
        found[0].listen(setup.trace)
        return found

    def ordering(self, always: bool = False) -> Ordering | None:
        """The move ordering; None if moves stay as generated, unless `always`."""
        ordering = Ordering(self.orders(), self.seed, self.exchange)
        return None if ordering.idle and not always else ordering

    def begin(self) -> None:
        """A new game begins."""

    # Any: a view of a match, of which this package knows nothing, or what stands for one.
    def at(self, origin: Any) -> None:
        """Where the position of the next searches comes from: a match, for engines in another process."""

    def abandon(self, thread: threading.Thread) -> None:
        """End the search on a thread, which has not returned in time."""
        watchdog.end(thread)

    def close(self) -> None:
        """Release what the engine holds outside this process, if anything."""

    def search(
        self,
        position: AbstractPosition,
        limit: Limit | None = None,
        watch: Watch | None = None,
        trace: Trace | None = None,
    ) -> Report:
        """One search, see `Session.search`. It ends at `limit` or at `own_limit`, whichever comes first.

        Raises Usage for an argument of the wrong type, and as `Session.search`.
        """
        if not isinstance(position, AbstractPosition):
            raise refused(
                "", "position", position, "a position of a game", "gameplay.game('tictactoe').new()"
            )
        if limit is not None and not isinstance(limit, Limit):
            raise refused("", "limit", limit, "a gameplay.Limit or None", "gameplay.Limit(depth=3)")
        within = self.combined(self.own_limit, Limit() if limit is None else limit)
        report = Session(self).search(position, within, watch, trace)
        return dataclasses.replace(report, words=_spelled(position, report.pv)) if self.spells else report


def _spelled(position: AbstractPosition, line: Sequence[int]) -> tuple[str, ...]:
    """A line in words; the position is left as it was."""
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
    """An engine for games of imperfect information only; `pointless` says what is wrong with others."""

    players = range(2, 1000)
    samples = True
    pointless: ClassVar[str] = ""

    @classmethod
    def misfit(cls, position: AbstractPosition) -> str:
        """As for every engine; the game must also have imperfect information."""
        if not position.hidden:
            return f"{name_of(position)} has perfect information: {cls.pointless}"
        return super().misfit(position)


def has_noisy(position: AbstractPosition) -> bool:
    """True if the game says which moves are noisy."""
    if isinstance(position, Position):
        return type(position).noisy is not Position.noisy
    return position.has_noisy


def has_evaluation(position: AbstractPosition) -> bool:
    """True if the game has an evaluation function."""
    own = isinstance(position, Position) and type(position).evaluate is not Position.evaluate
    return own or bool(position.evaluations)


def has_costs(position: AbstractPosition) -> bool:
    """True if the game says what moves cost."""
    if isinstance(position, Position):
        return type(position).cost is not Position.cost
    return position.has_costs


def has_guesses(position: AbstractPosition) -> bool:
    """True if the game estimates the payoff of each of its players."""
    if position.players == 2 and position.zero_sum:
        return has_evaluation(position)
    own = isinstance(position, Position) and type(position).evaluate_for is not Position.evaluate_for
    return own or bool(position.evaluations)


def numbered(players: range) -> str:
    """How many players an engine plays with, in words: `two players`, `two players or more`."""
    least = {1: "one player", 2: "two players"}.get(players.start, f"{players.start} players")
    if len(players) == 1:
        return least
    return f"{least} or more" if players.stop > 100 else f"{players.start} to {players.stop - 1} players"


def summary(engine: type) -> str:
    """The first line of an engine's description."""
    return (inspect.getdoc(engine) or "").partition("\n")[0]
