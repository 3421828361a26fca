"""Engines of one's own, which nobody can tell from ours: a class with `search`, or a function.

    def choose(position):                      a function from position to move; `limit` and `watch` are
        return position.moves()[0]             handed to it if it has parameters of these names

    class Mine:                                a class, made anew for each game
        def __init__(self, width=3):           what its constructor takes are its options, with defaults
            self.width = width

        def search(self, position, limit, watch):
            ...
            return Report(move=move, value=value, pv=line, depth=depth, nodes=nodes)

`position` is its own copy, in the words of `gameplay.Position`; it may make and unmake moves on it. `limit`
is a `Limit` with at least one of depth, nodes and seconds. `watch(report)` shows how far it is, as often as
it likes, and returns True once it must stop. A report is a Report, a move, (move, value), or a dict with some
of the words of a Report. Values are the mover's, on the scale of `gameplay.value`. It says which games it can
play by the class facts of `gameplay.search.engine.Engine` (`players`, `chance`, `hidden`, `general_sum`); one
that says nothing plays all. A subclass of Engine may have `search` or `at_once` in place of `open`.

Its code runs on a thread of its own, kept from the terminal and from harming the process (`gameplay.fence`).
Whatever it does wrong is an EngineFault that names the file and the line. `gameplay.adoption` finds them.
"""

import copy
import dataclasses
import inspect
import math
import operator
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, ClassVar

from gameplay import fence
from gameplay.errors import EngineFault, Fault, Terminated, Usage
from gameplay.search.engine import DEEPENING, Engine
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report

GRACE = 2.0  # seconds that it may take to stop when told to
POLL = 0.02  # seconds between two looks at whether it must stop
GIVEN = ("limit", "watch")  # handed to those who have parameters of these names
COUNTS = (
    *("depth", "seldepth", "ahead", "tried", "choices", "visits", "nodes"),
    *("probes", "hits", "cutoffs", "first_cutoffs"),
)
TOLD = ("move", "value", "bound", "values", "pv", "exact", "candidates", "fill", "branching", *COUNTS)
BOUNDS = ("exact", "lower", "upper", "expectation", "unknown")


class OwnEngine(Engine):
    """An engine from outside; `thing` is what its author wrote."""

    players = range(1, 1000)
    chance = hidden = general_sum = True
    merit = 0  # it plays where it is asked for
    thing: ClassVar[Any] = None
    method: ClassVar[str] = ""  # of a class: what searches; "" for a function

    instant = False

    def __post_init__(self) -> None:
        self.instance: Any = None

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
    def suits(cls, position: Any) -> int:
        """It is the usual engine of no game, unless it says how well it plays by `merit`."""
        return 0 if cls.misfit(position) else cls.merit

    def default_limit(self, position: Any, limit: Limit) -> Limit:
        """`limit`; where nothing is limited a time, so that who deepens knows when to stop."""
        return limit if limit or not self.thinks else limit.with_(seconds=DEEPENING)

    def searches(
        self, position: Any, limit: Limit, control: Any, table: Any, trace: Any, knowledge: Sequence[Any]
    ) -> list[Any]:
        """The one search, which knows nothing of tables and knowledge."""
        if trace is not None:
            raise Usage(f"{self.name}: an engine of your own cannot be traced")
        return [OwnSearch(self, position, limit, control)]

    # -- what it calls -----------------------------------------------------------------------------

    def call(self) -> tuple[Callable[..., Any], dict[str, Any]]:
        """What searches, and the options that it is called with. Runs its constructor if need be."""
        options = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        if not self.method:
            return type(self).thing, options
        if self.instance is None:
            self.instance = type(self).thing(**options)
        return getattr(self.instance, self.method), {}

    @property
    def where(self) -> str:
        """The file and the line of what searches, for complaints."""
        return where(getattr(self.thing, self.method) if self.method else self.thing)


class OwnSearch:
    """One search by somebody else's code; see `session.Search`."""

    def __init__(self, engine: OwnEngine, position: Any, limit: Limit, control: Any) -> None:
        self.engine = engine
        self.position = position
        self.mover = position.turn
        self.legal = list(position.moves())
        self.limit = limit
        self.control = control
        self.patience = math.inf  # seconds it may take in all; set by the session
        self.kernel = SimpleNamespace(python=False)  # hanging is watched for here
        self.nodes = 0
        self.most = 0
        self.multipv = limit.multipv
        self.helper = 0
        self.helpers: list[Any] = []
        self.shared = self.deepens = False
        self.latest = Report(move=self.legal[0], pv=(self.legal[0],), bound="unknown")
        self.told = False  # it has named a move
        self.said: Any = None  # ... last in these words
        self.failure: BaseException | None = None
        self.done = threading.Event()

    def only(self, moves: tuple[int, ...]) -> None:
        """It is told by its limit, and free to look at others."""

    def listen(self, trace: Any) -> None:
        """It tells no steps."""

    def report(self) -> Report:
        """What it said last."""
        return self.latest

    def run(self, depth: int) -> None:
        """Have it search, and wait until it has a move, or for as long as it may take."""
        thread = threading.Thread(target=self._work, name="engine", daemon=True)
        began = time.monotonic()
        stopped = 0.0
        thread.start()
        while not self.done.wait(POLL):
            now = time.monotonic()
            if self.control.stop and not stopped:
                stopped = now
            if now - began > self.patience:
                self._fail(EngineFault(self._late(thread, f"in {self.patience:.3g} s"), "hang"))
            elif stopped and self.control.reason == "interrupted" and now - stopped > GRACE:
                if not self.told:
                    wait = f"{GRACE:g} s after it was told to stop"
                    self._fail(EngineFault(self._late(thread, wait), "hang"))
            else:
                continue
            _end(thread)
            break
        if self.failure is not None:
            raise self.failure
        if not self.control.reason and not self.control.stop:
            self.control.reason = "done"

    # -- on the thread of the engine -----------------------------------------------------------------

    def _work(self) -> None:
        engine = self.engine
        try:
            call, options = engine.call()
            given = {"limit": self.limit, "watch": self.watch}
            wanted = inspect.signature(call).parameters
            given = {name: value for name, value in given.items() if name in wanted}
            self._hear(call(_copy(self.position), **given, **options), final=True)
        except _Ended:
            pass
        except (Terminated, Fault) as error:
            self._fail(error)
        except BaseException as error:
            root = type(engine).__module__.partition(".")[0]
            if fence.culprit(error) in (root, ""):
                fault = EngineFault(f"{engine.name} raised {fence.told(error)}", "crash")
                fault.__cause__ = error
                self._fail(fault)
            else:
                self._fail(error)  # the game's code did it
        finally:
            self.done.set()

    def watch(self, report: Any) -> bool:
        """For the engine: hand on a report; true if it must stop."""
        if report is not self.said:  # asked often whether to go on, with no news
            self._hear(report)
            self.said = report
        if self.limit.nodes and self.nodes >= self.limit.nodes:
            self.control.halt("nodes")
        return bool(self.control.stop)

    def _hear(self, answer: Any, final: bool = False) -> None:
        try:
            report = self._report(answer, "returned" if final else "told watch()")
        except EngineFault as fault:
            self._fail(fault)
            raise
        if self.failure is None and not self.done.is_set():
            self.latest, self.nodes, self.told = report, report.nodes, True

    def _fail(self, error: BaseException) -> None:
        if self.failure is None:
            self.failure = error

    # -- what it says --------------------------------------------------------------------------------

    def _report(self, answer: Any, did: str) -> Report:
        """A report of whatever the engine said, held against the rules. Raises EngineFault."""
        facts = self._facts(answer, did)
        if self.told and not isinstance(answer, Report | dict):
            facts = self._kept(facts)
        move = facts["move"]
        if move not in self.legal:
            listed = ", ".join(map(str, self.legal[:8])) + (", ..." if len(self.legal) > 8 else "")
            raise self._wrong(
                f"{did} the move {move}, which is illegal: position.moves() is [{listed}]", "illegal_move"
            )
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
        if not all(isinstance(one, Candidate) and one.move in self.legal for one in candidates):
            raise self._wrong(f"{did} candidates that are no Candidates of legal moves")
        facts["exact"] = bool(facts.get("exact", False))
        facts |= {"value": value, "bound": bound, "pv": pv, "candidates": tuple(candidates)}
        return Report(**facts)

    def _kept(self, facts: dict[str, Any]) -> dict[str, Any]:
        """A bare move, with what was told before: all of it if that was the same move, else the counts."""
        last = self.latest
        names: tuple[str, ...] = TOLD if facts["move"] == last.move else COUNTS
        if facts["move"] == last.move and last.bound == "unknown":
            names = tuple(name for name in names if name not in ("value", "bound"))
        return {name: getattr(last, name) for name in names} | facts

    def _facts(self, answer: Any, did: str) -> dict[str, Any]:
        """What the engine said, by the words of a Report; `move` is an int."""
        if isinstance(answer, Report):
            facts = {name: getattr(answer, name) for name in TOLD}
            if not (answer.value or answer.values or answer.depth or answer.nodes or answer.visits):
                facts["value"] = None  # it told none
        elif isinstance(answer, dict):
            unknown = [key for key in answer if key not in TOLD]
            if unknown or "move" not in answer:
                wrong = f"a dict with {unknown[0]!r}" if unknown else "a dict without a 'move'"
                raise self._wrong(f"{did} {wrong}: its keys may be {', '.join(TOLD)}")
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
                return (move,)
            for one in wanted[:1] + wanted[1:]:
                if position.outcome() is not None or one not in position.moves():
                    break
                position.make(one)
                made += 1
            found = wanted[: max(1, made)]
        except TypeError:
            return (move,)
        finally:
            for _ in range(made):
                position.unmake()
        return tuple(found)

    def _wrong(self, words: str, kind: str = "crash") -> EngineFault:
        return EngineFault(f"{self.engine.name} {words}{self.engine.where}", kind)

    def _late(self, thread: threading.Thread, wait: str) -> str:
        """Where the engine's own code is, of all that it has called."""
        root = type(self.engine).__module__.partition(".")[0]
        frame = sys._current_frames().get(thread.ident or 0)
        while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] != root:
            frame = frame.f_back
        where = self.engine.where
        if frame is not None:
            where = f" ({os.path.basename(frame.f_code.co_filename)}, line {frame.f_lineno})"
        return f"{self.engine.name} has not moved {wait}{where}"


# -- inside ---------------------------------------------------------------------------------------------


class _Ended(BaseException):
    """Raised in code that does not come back. No Exception, so that `except Exception` lets it through."""


def _end(thread: threading.Thread) -> None:
    """Have a thread end, as far as Python can: one in a call into a C library goes on until that returns."""
    import ctypes

    for _ in range(20):
        ident = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(_Ended))
        thread.join(0.05)
        if not thread.is_alive():
            return


def _copy(position: Any) -> Any:
    """The same position, sharing nothing with this one."""
    return position.twin() if hasattr(position, "twin") else copy.deepcopy(position)


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
    """A number as an int or a float of Python's own, whoever made it."""
    try:
        return operator.index(value)
    except TypeError:
        return float(value)


def _shown(thing: Any) -> str:
    if thing is None:
        return "None"
    text = repr(thing)
    return (text if len(text) <= 40 else text[:37] + "...") + f" ({type(thing).__name__})"
