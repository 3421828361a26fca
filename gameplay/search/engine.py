"""An engine: a dataclass of options with one method, `search`. What all engines share is here."""

import dataclasses
import inspect
import threading
import time
from typing import Any, ClassVar

from gameplay.errors import Usage, unknown
from gameplay.kernel import Kernel, kernel_of
from gameplay.position import Position
from gameplay.search import thinking
from gameplay.search.control import Control
from gameplay.search.limit import Limit, affordable_depth
from gameplay.search.ordering import ORDERS, Ordering
from gameplay.search.report import Report
from gameplay.search.table import Table, table_bits
from gameplay.value import MAX_PLY

COMPILED_NODES = 400_000  # what a search to a fixed depth may cost when nobody set a limit
PYTHON_NODES = 20_000
PATIENT = 2.0  # seconds after which such a search ends in any case
MOST_THREADS = 256
DEEPENING = 1.0  # seconds of a search that deepens until told to stop


def option(default: Any, words: str) -> Any:
    """A field of an engine: its default and what it is, for `gameplay engines`."""
    return dataclasses.field(default=default, metadata={"words": words})


@dataclasses.dataclass
class Engine:
    """`search` chooses a move. Engines never print; their options are their fields."""

    name: ClassVar[str] = ""
    searches: ClassVar[bool] = True  # looks ahead: needs two players who see everything, and no dice
    deepens: ClassVar[bool] = False  # goes on until stopped, so time and nodes are its natural limits
    keeps: ClassVar[bool] = False  # results of one search serve the next ones of the same game
    growth: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        self._table: Any = None
        self._bell = threading.Event()
        self._game = False  # begin() was called: the table serves a whole game
        self._fresh = True  # ... and no search of that game has used it yet
        if hasattr(self, "order"):
            self.orders()
        if hasattr(self, "table"):
            table_bits(self.table)
        threads = getattr(self, "threads", 1)
        if not 1 <= threads <= MOST_THREADS:
            raise Usage(f"{self.name}: threads is 1 to {MOST_THREADS}, not {threads}")
        seed = getattr(self, "seed", 0)
        if seed < 0:
            raise Usage(f"{self.name}: seed is a whole number from 0 up, not {seed}")
        if seed and hasattr(self, "order") and "random" not in self.orders():
            raise Usage(f"{self.name}: seed matters only with order=random")

    # -- options ---------------------------------------------------------------------------------

    @classmethod
    def options(cls) -> dict[str, dataclasses.Field[Any]]:
        """The options by name."""
        return {field.name: field for field in dataclasses.fields(cls)}

    @classmethod
    def from_options(cls, given: dict[str, str]) -> "Engine":
        """An engine with options as typed: `{"table": "64MB", "pvs": "off"}`. Raises Usage."""
        known = cls.options()
        values: dict[str, Any] = {}
        for key, text in given.items():
            if key not in known:
                listed = [*known, "depth", "nodes", "time"]
                raise Usage(f"{cls.name}: {unknown('option', key, listed)}")
            kind: Any = type(known[key].default)
            if kind is bool:
                if text.lower() not in ("on", "off", "true", "false", "yes", "no"):
                    raise Usage(f"{cls.name}: {key} is on or off, not '{text}'")
                values[key] = text.lower() in ("on", "true", "yes")
            elif kind is int:
                if not text.lstrip("-").isdecimal():
                    raise Usage(f"{cls.name}: {key} is a whole number, not '{text}'")
                values[key] = int(text)
            else:
                values[key] = text
        return cls(**values)

    def __str__(self) -> str:
        """The spec that makes the same engine: its name and the options that differ from the defaults."""
        changed = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                word = ("off", "on")[value] if isinstance(value, bool) else value
                changed.append(f"{field.name}={word}")
        return self.name + (":" + ",".join(changed) if changed else "")

    def orders(self) -> list[str]:
        """The orders that add up in the option `order`. Raises Usage for one that does not exist."""
        parts = [part.strip() for part in getattr(self, "order", "generated").lower().split("+")]
        for part in parts:
            if part in ("countermove", "continuation") and not self.deepens:
                raise Usage(f"{self.name}: order={part} is for the engines that deepen: iterative, selective")
            if part not in ORDERS:
                raise Usage(f"{self.name}: {unknown('order', part, ORDERS)}")
        return parts

    # -- fitness -----------------------------------------------------------------------------------

    def check(self, position: Any) -> None:
        """Raise Usage, with the reason, if this engine or an option of it cannot matter for the game."""
        if not self.searches:
            return
        game = type(position).__name__
        why = ""
        if position.players != 2:
            why = f"it is for two players, and {game} has {position.players}"
        elif position.chance:
            why = f"{game} has chance in it"
        elif position.hidden:
            why = f"{game} hides something from the players"
        elif not position.zero_sum:
            why = f"in {game} one player's gain is not the other's loss"
        if why:
            raise Usage(f"{self.name} cannot play this: {why} (engine random can)")
        if getattr(self, "threads", 1) > 1 and not isinstance(position, Kernel):
            raise Usage(f"{self.name}: threads needs a compiled game, and {game} is written in Python")
        if "evaluation" in self.orders() and not has_evaluation(position):
            raise Usage(f"{self.name}: order=evaluation needs evaluate(), and {game} has none")
        self.evaluation(position)

    def evaluation(self, position: Any) -> int:
        """The index of the evaluation that the option `eval` names. Raises Usage for any other."""
        name = getattr(self, "eval", "")
        if not name:
            return 0
        if name not in position.evaluations:
            raise Usage(f"{self.name}: {unknown('evaluation', name, position.evaluations)}")
        index: int = position.evaluations.index(name)
        return index

    def default_limit(self, position: Any, limit: Limit) -> Limit:
        """`limit` with what is missing filled in, so that a search of this position ends in good time."""
        if not self.searches:
            return limit
        if self.deepens:
            return limit if limit else Limit(seconds=DEEPENING)
        if limit.depth is not None:
            return limit
        if limit.nodes is not None:
            means = float(limit.nodes)
        else:
            means = COMPILED_NODES if isinstance(position, Kernel) else PYTHON_NODES
        depth = affordable_depth(position, means**self.growth)
        return limit.with_(depth=depth, seconds=limit.seconds if limit else PATIENT)

    # -- searching ---------------------------------------------------------------------------------

    def searcher(self, kernel: Any, control: Any, table: Any) -> Any:
        """The searcher that does the work for this engine's options; `table` may be None."""
        raise NotImplementedError

    def nudge(self) -> None:
        """Have the `watch` of a search called now, from any thread: there is news for it."""
        self._bell.set()

    def begin(self) -> None:
        """A new game begins: from now on its searches build on each other, where the engine can."""
        self._game = self._fresh = True

    def open_table(self, nodes: int = 0) -> Any:
        """The table for a new search of at most `nodes` positions (0: no limit); None if it is off.

        Empty, unless the engine keeps what it learned in this game. A search that is limited to few nodes
        gets no more room than it can fill: small tables are fast.
        """
        bits = table_bits(getattr(self, "table", "off"))
        if not bits:
            return None
        keep = self.keeps and self._game
        if nodes:
            bits = min(bits, max(10, ((16 if keep else 2) * nodes).bit_length()))
        if self._table is None or self._table.bits != bits:
            self._table = Table(bits)
        self._table.new_search(keep and not self._fresh)
        self._fresh = False
        return self._table

    def ordering(self, always: bool = False) -> Any:
        """The move ordering; None if moves stay as generated, unless `always`."""
        ordering = Ordering(self.orders(), getattr(self, "seed", 0), bool(getattr(self, "exchange", False)))
        return None if ordering.idle and not always else ordering

    def search(self, position: Any, limit: Limit | None = None, watch: Any = None) -> Report:
        """Choose a move for `position`, which is left as it was.

        `watch(report)` is called about twenty times a second on the calling thread while another searches;
        returning true ends the search. Ctrl-C ends it as well: the best move so far is returned.
        Raises Usage if the engine cannot play the game or the game is over, and whatever the game raises.
        """
        self.check(position)
        if position.outcome() is not None:
            raise Usage("the game is over: there is nothing to search")
        limit = self.default_limit(position, limit or Limit())
        kept, position.evaluation = position.evaluation, self.evaluation(position)
        try:
            started = time.monotonic()
            control = Control(limit.nodes or 0, started + limit.seconds if limit.seconds else 0.0)
            table = self.open_table(control.nodes)
            threads = getattr(self, "threads", 1)
            searchers = []
            for number in range(threads):
                point = position.twin() if number else position
                searcher = self.searcher(kernel_of(point), control, table)
                searcher.helper = number
                searcher.shared = threads > 1 and table is not None
                if limit.moves:
                    searcher.only(limit.moves)
                searcher.most = -(-control.nodes // threads)
                searchers.append(searcher)
            return thinking.think(searchers, limit.depth or MAX_PLY, watch, str(self), started, self._bell)
        finally:
            position.evaluation = kept


def has_noisy(position: Any) -> bool:
    """True if the game says which moves are noisy."""
    if isinstance(position, Position):
        return type(position).noisy is not Position.noisy
    return bool(position.has_noisy)


def has_evaluation(position: Any) -> bool:
    """True if the game has a guess at the value."""
    if isinstance(position, Position):
        return type(position).evaluate is not Position.evaluate
    return bool(position.evaluations)


def summary(engine: type) -> str:
    """The first line of an engine's description."""
    return (inspect.getdoc(engine) or "").partition("\n")[0]
