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
from typing import TYPE_CHECKING, Any, ClassVar

from gameplay.errors import EngineFault, Fault, GameplayError, Terminated, Usage, truncate
from gameplay.position import AbstractPosition, twin
from gameplay.search.engine import DEEPENING, GeneralEngine
from gameplay.search.limit import Limit
from gameplay.search.narrowed import Handed, Narrowed
from gameplay.search.report import Candidate, Report
from gameplay.search.session import OutsideSearch, Search, SearchSetup
from gameplay.usercode import fence, watchdog
from gameplay.value import max_value

if TYPE_CHECKING:
    from gameplay.search.control import Control

SUPPLIED = ("limit", "watch")  # passed to functions with parameters of these names
COUNTS = (
    *("depth", "seldepth", "ahead", "tried", "choices", "visits", "nodes"),
    *("probes", "hits", "cutoffs", "first_cutoffs"),
)
REPORT_KEYS = ("move", "value", "bound", "values", "pv", "exact", "candidates", "fill", "branching", *COUNTS)
VALUE_KEYS = ("value", "bound", "values", "exact", "candidates")
BOUNDS = ("exact", "lower", "upper", "expectation", "unknown")


class UserEngine(GeneralEngine):
    """An engine whose search is user code."""

    priority = 0  # never chosen by default
    thing: ClassVar[Any] = None  # the user's class or function
    method: ClassVar[str] = ""  # the method of a class that searches; "" for a function
    multipv: ClassVar[bool] = False  # one call reports all requested lines

    instant = False

    def __post_init__(self) -> None:
        self.instance: Any = None
        self.pv_error = ""  # why the last reported line was cut short
        self.wrap_position: Callable[[Handed], Handed] | None = None  # wraps the position passed to user code

    def begin(self) -> None:
        """Start a new game: discard the instance and what it learned."""
        self.instance = None

    @property
    def draws(self) -> bool:
        """True if it has an option `seed`; each game then sets another one."""
        return "seed" in self.options()

    def orders(self) -> list[str]:
        """Only the generated order: an option `order` of user code is not a move ordering."""
        return ["generated"]

    @property
    def table_bits(self) -> int:
        """No shared transposition table."""
        return 0

    @classmethod
    def suitability(cls, position: AbstractPosition) -> int:
        """Its `priority`, 0 by default, in the games that it supports."""
        return 0 if cls.incompatibility(position) else cls.priority

    def default_limit(self, position: AbstractPosition, limit: Limit) -> Limit:
        """`limit`; without any a time limit, if the engine respects limits."""
        if limit or not (self.thinks and self.respects_limits):
            return limit
        return limit.with_(seconds=DEEPENING)

    def searches(self, setup: SearchSetup) -> list[Search]:
        """One search, without a table and without knowledge."""
        if setup.trace is not None:
            raise Usage(f"{self.name}: a custom engine cannot be traced")
        return [UserEngineSearch(self, setup.position, setup.limit, setup.control)]

    # -- user code ---------------------------------------------------------------------------------

    def call(self) -> tuple[Callable[..., Any], dict[str, Any]]:
        """The function to call and its options; instantiates a class on first use."""
        options = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        if not self.method:
            return type(self).thing, options
        if self.instance is None:
            self.instance = type(self).thing(**options)
        return getattr(self.instance, self.method), {}


class UserEngineSearch(OutsideSearch):
    """One search by user code; see `session.Search`.

    If several lines are requested and the engine reports one, it is called again for each of the others, with
    an equal share of the time and the nodes and a position restricted to the remaining moves.
    """

    def __init__(
        self, engine: UserEngine, position: AbstractPosition, limit: Limit, control: "Control"
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
        self.shares = 1 if engine.multipv else self.multipv  # parts of the limit, one per line
        super().__init__(self.legal[0])
        self.named = False  # a move was reported
        self.lines: tuple[Candidate, ...] = ()  # finished lines
        self.first: Report | None = None  # the report of the first line
        self.spent = 0  # nodes of the finished lines
        self.line: Report | None = None  # the last report of the current line
        self.last_report: Any = None  # ... as reported by user code
        self.line_deadline = math.inf
        self.cut = ""  # the limit that ended the current line
        self.failure: GameplayError | None = None  # the error in a report

    def run(self, depth: int) -> None:
        """Call the engine until it has reported all requested lines."""
        try:
            while True:
                self._search()
                self.lines = self.latest.candidates
                if len(self.lines) >= self.multipv or self.control.stop:
                    break
                self.first, self.spent = self.latest, self.nodes
        except watchdog.Abandoned:
            return
        if not self.control.reason:
            late = self.control.deadline and time.monotonic() >= self.control.deadline
            # A search without a cut may be late too: user code may check the clock itself.
            self.control.reason = self.cut or ("time" if late else "done")

    def watch(self, report: Report) -> bool:
        """Called by user code: take a report; return True if the engine must stop."""
        if report is not self.last_report:  # user code may poll with an unchanged report
            try:
                self._take(report, "passed watch()")
            except GameplayError as error:
                self.failure = error  # even if user code catches it
                raise
            self.last_report = report
        if self.limit.nodes and self.nodes - self.spent >= self._share(self.limit.nodes):
            self.cut = "nodes"
        elif time.monotonic() >= self.line_deadline:
            self.cut = "time"
        if self.cut and self.shares == 1:
            self.control.halt(self.cut)
        return bool(self.control.expired() or self.cut)

    # -- search --------------------------------------------------------------------------------------

    def _search(self) -> None:
        """Call the engine once, for one line."""
        engine, limit = self.engine, self.limit
        self.line, self.last_report, self.cut = None, None, ""
        position: Handed = twin(self.position)
        if self.lines or limit.moves:
            remaining = tuple(self._remaining_moves())
            limit = limit.with_(moves=remaining)
            position = Narrowed(position, remaining)
        if self.shares > 1:
            limit = limit.with_(
                multipv=1,
                nodes=limit.nodes and self._share(limit.nodes),
                seconds=limit.seconds and limit.seconds / self.shares,
            )
            if limit.seconds:
                self.line_deadline = time.monotonic() + limit.seconds
        if engine.wrap_position is not None:
            position = engine.wrap_position(position)
        try:
            call, options = engine.call()
            arguments = {"limit": limit, "watch": self.watch}
            parameters = inspect.signature(call).parameters
            arguments = {name: value for name, value in arguments.items() if name in parameters}
            answer = call(position, **arguments, **options)
            if inspect.isawaitable(answer) or inspect.isasyncgen(answer):
                raise self._asynchronous(answer)
            if inspect.isgenerator(answer):
                answer = self._watch_generator(answer)
        except (Terminated, Fault, _Refused):
            raise
        except BaseException as error:
            if self.failure is not None:
                raise self.failure from None
            root = type(engine).__module__.partition(".")[0]
            if isinstance(error, watchdog.Abandoned) or fence.failing_module(error) not in (root, ""):
                raise  # abandoned, or raised by the game's code
            raise EngineFault(f"{engine.name} raised {fence.describe(error)}", "crash") from error
        if self.failure is not None:
            raise self.failure
        self._take(answer, "returned")

    def _asynchronous(self, answer: Any) -> EngineFault:
        """The error for a coroutine, which is closed, or for an asynchronous generator."""
        if inspect.iscoroutine(answer):
            answer.close()
        return self._fault(
            "is asynchronous; expected a function that returns a move: write def, not async def"
        )

    def _watch_generator(self, reports: Any) -> Any:
        """Pass each report of a generator to `watch`; return the last."""
        last = None
        for last in reports:
            if self.watch(last):
                break
        reports.close()
        return last

    def _share(self, nodes: int) -> int:
        return max(1, nodes // self.shares)

    def _remaining_moves(self) -> list[int]:
        """The moves without a finished line."""
        done = {line.move for line in self.lines}
        return [move for move in self.legal if move not in done]

    def _take(self, answer: Any, origin: str) -> None:
        self.line = line = self._report(answer, origin)
        self.nodes = self.spent + line.nodes
        if self.first is not None:  # sort the lines if all have a value
            lines = list(self.lines + line.candidates)
            if all(line.bound != "unknown" for line in lines):
                lines.sort(key=lambda candidate: -candidate.value)
            best = lines[0]
            facts: dict[str, Any] = {
                "move": best.move,
                "value": best.value,
                "bound": best.bound,
                "pv": best.pv,
            }
            line = self.first.with_(candidates=tuple(lines), nodes=self.nodes, **facts)
        self.latest, self.named = line, True

    # -- reports -------------------------------------------------------------------------------------

    def _report(self, answer: Any, origin: str) -> Report:
        """Validate an answer of user code and convert it to a Report. Raises EngineFault."""
        facts = self._facts(answer, origin)
        if self.line is not None and not isinstance(answer, Report | dict):
            facts = self._complete(facts, self.line)
        move = facts["move"]
        remaining = self._remaining_moves()
        if move not in remaining:
            raise self._move_error(move, remaining, origin)
        value = facts.get("value")
        if value is not None and not _is_number(value):
            raise self._fault(f"{origin} the value {_shown(value)}; expected a number, from the mover's view")
        for name in COUNTS:
            number = facts.get(name, 0)
            if not _is_number(number) or number < 0:
                raise self._fault(f"{origin} {name}={_shown(number)}; expected a whole number from 0 up")
            facts[name] = int(number)
        for name in ("fill", "branching"):
            if not _is_number(facts.get(name, 0)):
                raise self._fault(f"{origin} {name}={_shown(facts[name])}; expected a number")
        self._check_size(value or 0, origin)
        values = facts["values"] = tuple(facts.get("values", ()))
        if values and not (len(values) == self.position.players and all(map(_is_number, values))):
            raise self._fault(f"{origin} values={_shown(values)}; expected a number for each player")
        for number in values:
            self._check_size(number, origin)
        bound = facts.pop("bound", "exact") if value is not None else "unknown"
        if bound not in BOUNDS:
            raise self._fault(f"{origin} bound={bound!r}; expected one of {', '.join(BOUNDS)}")
        value = _plain(value or 0)
        pv = self._line(move, facts.pop("pv", ()))
        candidates = facts.pop("candidates", ()) or (Candidate(move, value, bound, pv=pv),)
        if not all(
            isinstance(candidate, Candidate) and candidate.move in remaining for candidate in candidates
        ):
            raise self._fault(f"{origin} candidates; expected Candidates of legal moves")
        for candidate in candidates:
            if not _is_number(candidate.value):
                shown = _shown(candidate.value)
                raise self._fault(f"{origin} a candidate with the value {shown}; expected a number")
            self._check_size(candidate.value, origin)
        facts["exact"] = bool(facts.get("exact", False))
        facts |= {"value": value, "bound": bound, "pv": pv, "candidates": tuple(candidates)}
        return Report(**facts)

    def _check_size(self, value: Any, origin: str) -> None:
        """Raise EngineFault for a number beyond the scale."""
        number, most = _plain(value), max_value(self.position)
        if abs(number) > most:
            shown = f"{number:,}" if abs(number) <= 10**15 else f"{float(number):g}"
            raise self._fault(f"{origin} the value {shown}; expected {most:,} at most")

    def _move_error(self, move: int, remaining: list[int], origin: str) -> Exception:
        """The error for a move that is not among the remaining ones."""
        if move in {line.move for line in self.lines}:
            return _Refused(
                f"{self.engine.name} supports multipv=1 only: asked for its best move except "
                f"{self._words(line.move for line in self.lines)}, it {origin} {self._words([move])} again; "
                f"it should choose from position.moves(){self.engine.where}"
            )
        listed = ", ".join(map(str, remaining[:8])) + (", ..." if len(remaining) > 8 else "")
        wrong = "is illegal: position.moves()"
        if move in self.position.moves():
            wrong = "is excluded: limit.moves"
        return self._fault(f"{origin} the move {move}, which {wrong} is [{listed}]", "illegal_move")

    def _words(self, moves: Iterable[int]) -> str:
        return ", ".join(self.position.format(move) for move in moves)

    def _complete(self, facts: dict[str, Any], last: Report) -> dict[str, Any]:
        """Complete a bare move from the last report: all fields if it has the same move, else the counts.

        Fields that depend on the value are kept only with that value.
        """
        names: tuple[str, ...] = REPORT_KEYS if facts["move"] == last.move else COUNTS
        if facts.get("value") is not None or last.bound == "unknown":
            names = tuple(name for name in names if name not in VALUE_KEYS)
        kept = {name: getattr(last, name) for name in names}
        return kept | {name: fact for name, fact in facts.items() if fact is not None}

    def _facts(self, answer: Any, origin: str) -> dict[str, Any]:
        """The answer of user code by the field names of a Report; `move` is an int."""
        if isinstance(answer, Report):
            facts = {name: getattr(answer, name) for name in REPORT_KEYS}
            if not (answer.value or answer.values or answer.depth or answer.nodes or answer.visits):
                facts["value"] = None  # not reported
        elif isinstance(answer, dict):
            unknown = [key for key in answer if key not in REPORT_KEYS]
            if unknown or "move" not in answer:
                wrong = f"a dict with {unknown[0]!r}" if unknown else "a dict without a 'move'"
                raise self._fault(f"{origin} {wrong}; its keys are {', '.join(REPORT_KEYS)}")
            facts = dict(answer)
        elif isinstance(answer, tuple) and len(answer) == 2:
            facts = {"move": answer[0], "value": answer[1]}
        else:
            facts = {"move": answer}
        try:
            facts["move"] = operator.index(facts["move"])
        except TypeError:
            hint = "; position.parse(text) converts text" if isinstance(facts["move"], str) else ""
            raise self._fault(
                f"{origin} {_describe(facts['move'])}; "
                f"expected an int from position.moves(), or a Report{hint}"
            ) from None
        return facts

    def _line(self, move: int, line: Any) -> tuple[int, ...]:
        """The legal prefix of the line; `move` alone if the line begins with another."""
        position, made = self.position, 0
        try:
            moves = [operator.index(move) for move in line]
            if moves[:1] != [move]:
                if moves:
                    self.engine.pv_error = f"its move is {move}, and its line begins with {moves[0]}"
                return (move,)
            for pv_move in moves:
                if position.outcome() is not None or pv_move not in position.moves():
                    self.engine.pv_error = f"its line is {moves}, and at [{made}] {pv_move} is illegal"
                    break
                position.make(pv_move)
                made += 1
            return tuple(moves[: max(1, made)])
        except TypeError:
            self.engine.pv_error = f"its line is {_describe(line)}; expected moves"
            return (move,)
        finally:
            for _ in range(made):
                position.unmake()

    def _fault(self, text: str, kind: str = "crash") -> EngineFault:
        return EngineFault(f"{self.engine.name} {text}{self.engine.where}", kind)


class _Refused(Usage):
    """The engine cannot report several lines."""


def where(thing: Any) -> str:
    """The file and line of a function or a class, for errors: ` (mine.py, line 12)`."""
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
    """The `repr` of a value, shortened."""
    try:
        return truncate(repr(thing), 80)
    except Exception:  # a `__repr__` of user code, an int of more than 4,300 digits
        return f"of type {type(thing).__name__}"


def _describe(thing: Any) -> str:
    if thing is None:
        return "None"
    return f"{truncate(_shown(thing), 40)} ({type(thing).__name__})"
