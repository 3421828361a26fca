"""User-defined engines, with the same interface as built-in ones: a class with `search`, or a function.

    def choose(position):                      a function from position to move; `limit` and `watch` are
        return position.moves()[0]             passed if it has parameters of these names

    class Mine:                                a class, instantiated for each game
        def __init__(self, width=3):           the constructor's parameters are its options, with defaults
            self.width = width

        def search(self, position, limit, watch):
            ...
            return Report(move=move, value=value, pv=line, depth=depth, nodes=nodes)

`position` is a `gameplay.Position`, the engine's own copy; it may make and unmake moves on it. `limit` is a
`Limit` with at least one of depth, nodes and seconds; if the search is restricted to some moves, they are the
only legal moves at the root, and are in `limit.moves`. `watch(report)` reports progress, as often as the
engine likes, and returns True once it must stop; a generator yields reports instead. A report is a Report, a
move, (move, value), or a dict with some fields of a Report. Values are from the mover's view, on the scale of
`gameplay.value`. The class attributes of `gameplay.search.engine.Engine` (`players`, `chance`, `hidden`,
`general_sum`) declare which games it can play; without them it plays all. A subclass of Engine may have
`search` or `at_once` in place of `open`. With the class attribute `multipv` it reports several lines itself.

User code runs on a separate thread, without access to the terminal, and cannot harm the process
(`gameplay.usercode.fence`). Any error is an EngineFault that names the file and the line. `gameplay.adoption`
wraps such engines.
"""

import dataclasses
import inspect
import math
import operator
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from gameplay.errors import EngineFault, Fault, GameplayError, Terminated, Usage
from gameplay.position import AbstractPosition, twin
from gameplay.search.engine import DEEPENING, GeneralEngine
from gameplay.search.limit import Limit
from gameplay.search.narrowed import Handed, Narrowed
from gameplay.search.report import Candidate, Report
from gameplay.search.session import OutsideSearch, Search, SearchSetup
from gameplay.usercode import fence, watchdog

if TYPE_CHECKING:
    from gameplay.search.control import Control

GIVEN = ("limit", "watch")  # handed to those who have parameters of these names
COUNTS = (
    *("depth", "seldepth", "ahead", "tried", "choices", "visits", "nodes"),
    *("probes", "hits", "cutoffs", "first_cutoffs"),
)
REPORT_KEYS = ("move", "value", "bound", "values", "pv", "exact", "candidates", "fill", "branching", *COUNTS)
WORTH = ("value", "bound", "values", "exact", "candidates")  # the fields of a report that depend on the value
BOUNDS = ("exact", "lower", "upper", "expectation", "unknown")


class OwnEngine(GeneralEngine):
    """An engine from outside; `thing` is what its author wrote."""

    priority = 0  # it plays where it is asked for
    thing: ClassVar[Any] = None  # Any: a class or a function of a user
    method: ClassVar[str] = ""  # of a class: what searches; "" for a function
    multipv: ClassVar[bool] = False  # reports as many lines as its limit asks for by itself

    instant = False

    def __post_init__(self) -> None:
        self.instance: Any = None
        self.complaint = ""  # what was wrong with the last line reported, which was shown shortened
        self.handed: Callable[[Handed], Handed] | None = None  # wraps the position that its code gets

    def begin(self) -> None:
        """A new game: what it learned in the last one is forgotten."""
        self.instance = None

    @property
    def draws(self) -> bool:
        """True if it has an option `seed`, which is then another one for each game."""
        return "seed" in self.options()

    def orders(self) -> list[str]:
        """Of the moves it tries it says nothing, whatever an option `order` means to it."""
        return ["generated"]

    @property
    def table_bits(self) -> int:
        """It has a table of its own, if any."""
        return 0

    @classmethod
    def suitability(cls, position: AbstractPosition) -> int:
        """It is the usual engine of no game, unless it says how well it plays by `priority`."""
        return 0 if cls.incompatibility(position) else cls.priority

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit`; a time limit if nothing is limited, so that iterative deepening stops."""
        return (
            limit if limit or not (self.thinks and self.respects_limits) else limit.with_(seconds=DEEPENING)
        )

    def searches(self, setup: SearchSetup) -> list[Search]:
        """The one search, which knows nothing of tables and knowledge."""
        if setup.trace is not None:
            raise Usage(f"{self.name}: an engine of your own cannot be traced")
        return [OwnSearch(self, setup.position, setup.limit, setup.control)]

    # -- what it calls -----------------------------------------------------------------------------

    def call(self) -> tuple[Callable[..., Any], dict[str, Any]]:
        """What searches, and the options that it is called with. Runs its constructor if need be."""
        options = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        if not self.method:
            return type(self).thing, options
        if self.instance is None:
            self.instance = type(self).thing(**options)
        return getattr(self.instance, self.method), {}


class OwnSearch(OutsideSearch):
    """One search by user code; see `session.Search`.

    If several lines are requested and the engine reports one, it is called again for each of the others, with
    an equal share of the time and the nodes and a position restricted to the remaining moves.
    """

    def __init__(
        self, engine: OwnEngine, position: AbstractPosition, limit: Limit, control: "Control"
    ) -> None:
        self.engine = engine
        self.position = position
        self.limit = limit
        self.control = control
        chosen = set(limit.moves)
        self.legal = [move for move in position.moves() if not chosen or move in chosen]
        if not self.legal:
            raise Usage(f"none of the moves to search, {', '.join(map(str, limit.moves))}, is legal here")
        self.multipv = min(limit.multipv, len(self.legal))
        self.shares = 1 if engine.multipv else self.multipv  # of the limit, one a line
        super().__init__(self.legal[0])
        self.named = False  # it has reported a move
        self.lines: tuple[Candidate, ...] = ()  # that are done
        self.first: Report | None = None  # the report of the first of them
        self.spent = 0  # nodes of the lines that are done
        self.line: Report | None = None  # the last report of the current line
        self.said: Any = None  # ... in these words
        self.until = math.inf  # when that line must end
        self.cut = ""  # a limit ended a line
        self.failure: GameplayError | None = None  # what was wrong with its report

    def run(self, depth: int) -> None:
        """Have it search, until it has as many lines as are wanted."""
        try:
            while True:
                self._search()
                self.lines = self.latest.candidates
                if len(self.lines) >= self.multipv or self.control.stop:
                    break
                self.first, self.spent = self.latest, self.nodes
        except watchdog.GivenUp:
            return
        if not self.control.reason:
            late = self.control.deadline and time.monotonic() >= self.control.deadline
            self.control.reason = self.cut or ("time" if late else "done")  # it may look at the clock first

    def watch(self, report: Report) -> bool:
        """For the engine: hand on a report; true if it must stop."""
        if report is not self.said:  # asked often whether to go on, with no news
            try:
                self._hear(report, "passed watch()")
            except GameplayError as error:
                self.failure = error  # whatever the engine makes of it
                raise
            self.said = report
        if self.limit.nodes and self.nodes - self.spent >= self._share(self.limit.nodes):
            self.cut = "nodes"
        elif time.monotonic() >= self.until:
            self.cut = "time"
        if self.cut and self.shares == 1:
            self.control.halt(self.cut)
        return bool(self.control.expired() or self.cut)

    # -- inside --------------------------------------------------------------------------------------

    def _search(self) -> None:
        """One call of the engine: one line."""
        engine, limit = self.engine, self.limit
        self.line, self.said, self.cut = None, None, ""
        position: Handed = twin(self.position)
        if self.lines or limit.moves:
            left = tuple(self._left())
            limit = limit.with_(moves=left)
            position = Narrowed(position, left)
        if self.shares > 1:
            limit = limit.with_(
                multipv=1,
                nodes=limit.nodes and self._share(limit.nodes),
                seconds=limit.seconds and limit.seconds / self.shares,
            )
            if limit.seconds:
                self.until = time.monotonic() + limit.seconds
        if engine.handed is not None:
            position = engine.handed(position)
        try:
            call, options = engine.call()
            given = {"limit": limit, "watch": self.watch}
            wanted = inspect.signature(call).parameters
            given = {name: value for name, value in given.items() if name in wanted}
            answer = call(position, **given, **options)
            if inspect.isgenerator(answer):
                answer = self._drained(answer)
        except (Terminated, Fault, _Refused):
            raise
        except BaseException as error:
            if self.failure is not None:
                raise self.failure from None
            root = type(engine).__module__.partition(".")[0]
            if isinstance(error, watchdog.GivenUp) or fence.culprit(error) not in (root, ""):
                raise  # given up, or the game's code did it
            raise EngineFault(f"{engine.name} raised {fence.describe(error)}", "crash") from error
        if self.failure is not None:
            raise self.failure
        self._hear(answer, "returned")

    def _drained(self, reports: Any) -> Any:
        """The last report of a generator; the others are watched."""
        last = None
        for last in reports:
            if self.watch(last):
                break
        reports.close()
        return last

    def _share(self, nodes: int) -> int:
        return max(1, nodes // self.shares)

    def _left(self) -> list[int]:
        """The moves that it may name now."""
        done = {one.move for one in self.lines}
        return [move for move in self.legal if move not in done]

    def _hear(self, answer: Any, did: str) -> None:
        self.line = line = self._report(answer, did)
        self.nodes = self.spent + line.nodes
        if self.first is not None:  # the best line first, if each has a value
            lines = list(self.lines + line.candidates)
            if all(one.bound != "unknown" for one in lines):
                lines.sort(key=lambda one: -one.value)
            best = lines[0]
            facts: dict[str, Any] = {
                "move": best.move,
                "value": best.value,
                "bound": best.bound,
                "pv": best.pv,
            }
            line = replace(self.first, candidates=tuple(lines), nodes=self.nodes, **facts)
        self.latest, self.named = line, True

    # -- what it says --------------------------------------------------------------------------------

    def _report(self, answer: Any, did: str) -> Report:
        """A report of whatever the engine said, held against the rules. Raises EngineFault."""
        facts = self._facts(answer, did)
        if self.line is not None and not isinstance(answer, Report | dict):
            facts = self._kept(facts, self.line)
        move = facts["move"]
        left = self._left()
        if move not in left:
            raise self._not_left(move, left, did)
        value = facts.get("value")
        if value is not None and not _is_number(value):
            raise self._wrong(f"{did} the value {value!r}: a value is a number, from the mover's view")
        for name in COUNTS:
            number = facts.get(name, 0)
            if not _is_number(number) or number < 0:
                raise self._wrong(f"{did} {name}={number!r}: it is a whole number from 0 up")
            facts[name] = int(number)
        for name in ("fill", "branching"):
            if not _is_number(facts.get(name, 0)):
                raise self._wrong(f"{did} {name}={facts[name]!r}: it is a number")
        values = facts["values"] = tuple(facts.get("values", ()))
        if values and not (len(values) == self.position.players and all(map(_is_number, values))):
            raise self._wrong(f"{did} values={values!r}: they are a number for each player")
        bound = facts.pop("bound", "exact") if value is not None else "unknown"
        if bound not in BOUNDS:
            raise self._wrong(f"{did} bound={bound!r}: it is one of {', '.join(BOUNDS)}")
        value = _plain(value or 0)
        pv = self._line(move, facts.pop("pv", ()))
        candidates = facts.pop("candidates", ()) or (Candidate(move, value, bound, pv=pv),)
        if not all(isinstance(one, Candidate) and one.move in left for one in candidates):
            raise self._wrong(f"{did} candidates that are no Candidates of legal moves")
        facts["exact"] = bool(facts.get("exact", False))
        facts |= {"value": value, "bound": bound, "pv": pv, "candidates": tuple(candidates)}
        return Report(**facts)

    def _not_left(self, move: int, left: list[int], did: str) -> Exception:
        """What to say of a move that it may not name."""
        if move in {one.move for one in self.lines}:
            return _Refused(
                f"{self.engine.name} reports one line, so that multipv is 1: asked for its best move but "
                f"{self._words(one.move for one in self.lines)}, it {did} {self._words([move])} again; "
                f"it should choose from position.moves(){self.engine.where}"
            )
        listed = ", ".join(map(str, left[:8])) + (", ..." if len(left) > 8 else "")
        wrong = "is illegal: position.moves()"
        if move in self.position.moves():
            wrong = "is not asked for: limit.moves"
        return self._wrong(f"{did} the move {move}, which {wrong} is [{listed}]", "illegal_move")

    def _words(self, moves: Iterable[int]) -> str:
        return ", ".join(self.position.format(move) for move in moves)

    def _kept(self, facts: dict[str, Any], last: Report) -> dict[str, Any]:
        """Complete a bare move from the last report: all fields if it has the same move, else the counts.

        Fields that depend on the value are kept only with that value.
        """
        names: tuple[str, ...] = REPORT_KEYS if facts["move"] == last.move else COUNTS
        if facts.get("value") is not None or last.bound == "unknown":
            names = tuple(name for name in names if name not in WORTH)
        kept = {name: getattr(last, name) for name in names}
        return kept | {name: fact for name, fact in facts.items() if fact is not None}

    def _facts(self, answer: Any, did: str) -> dict[str, Any]:
        """What the engine said, by the words of a Report; `move` is an int."""
        if isinstance(answer, Report):
            facts = {name: getattr(answer, name) for name in REPORT_KEYS}
            if not (answer.value or answer.values or answer.depth or answer.nodes or answer.visits):
                facts["value"] = None  # it reported none
        elif isinstance(answer, dict):
            unknown = [key for key in answer if key not in REPORT_KEYS]
            if unknown or "move" not in answer:
                wrong = f"a dict with {unknown[0]!r}" if unknown else "a dict without a 'move'"
                raise self._wrong(f"{did} {wrong}: its keys may be {', '.join(REPORT_KEYS)}")
            facts = dict(answer)
        elif isinstance(answer, tuple) and len(answer) == 2:
            facts = {"move": answer[0], "value": answer[1]}
        else:
            facts = {"move": answer}
        try:
            facts["move"] = operator.index(facts["move"])
        except TypeError:
            raise self._wrong(f"{did} {_shown(facts['move'])}: {self._right(facts['move'])}") from None
        return facts

    def _right(self, wrong: Any) -> str:
        if isinstance(wrong, str):
            return "a move is an int, one of position.moves(); position.parse(text) makes one of words"
        return "it is to be a move, one of position.moves(), or a Report"

    def _line(self, move: int, line: Any) -> tuple[int, ...]:
        """The line as far as it can be played; `move` alone where it begins with another."""
        position, made, found = self.position, 0, [move]
        try:
            wanted = [operator.index(one) for one in line]
            if wanted[:1] != [move]:
                if wanted:
                    self.engine.complaint = f"its move is {move}, and its line begins with {wanted[0]}"
                return (move,)
            for one in wanted:
                if position.outcome() is not None or one not in position.moves():
                    self.engine.complaint = f"its line is {wanted}, and at [{made}] {one} is illegal"
                    break
                position.make(one)
                made += 1
            found = wanted[: max(1, made)]
        except TypeError:
            self.engine.complaint = f"its line is {_shown(line)}, and not moves"
            return (move,)
        finally:
            for _ in range(made):
                position.unmake()
        return tuple(found)

    def _wrong(self, words: str, kind: str = "crash") -> EngineFault:
        return EngineFault(f"{self.engine.name} {words}{self.engine.where}", kind)


# -- inside ---------------------------------------------------------------------------------------------


class _Refused(Usage):
    """It cannot report several lines."""


def where(thing: Any) -> str:
    """The file and the line where a function or a class begins, for complaints: ` (mine.py, line 12)`."""
    code = getattr(inspect.unwrap(thing), "__code__", None)
    if code is None:
        try:
            file, line = inspect.getsourcefile(thing), inspect.getsourcelines(thing)[1]
        except (OSError, TypeError):
            return ""
        return f" ({os.path.basename(file or '')}, line {line})"
    return f" ({os.path.basename(code.co_filename)}, line {code.co_firstlineno})"


def _is_number(thing: Any) -> bool:
    try:
        return not isinstance(thing, bool) and math.isfinite(thing)
    except (TypeError, ValueError, OverflowError):
        return False


def _plain(value: Any) -> float:
    """A number of any type as a Python int or float."""
    try:
        return operator.index(value)
    except TypeError:
        return float(value)


def _shown(thing: Any) -> str:
    if thing is None:
        return "None"
    text = repr(thing)
    return (text if len(text) <= 40 else text[:37] + "...") + f" ({type(thing).__name__})"
