"""Checks the laws of an engine on positions of the games that it can play.

`check` searches positions of random games and compares the engine's behaviour with LAWS; values are compared
with minimax on the small trees of `payoff_trees.py`. The same seed gives the same positions. User engines run
in a guest process (`gameplay.sandbox`).
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from gameplay import registry, specs
from gameplay.conformance.laws import Break, Findings
from gameplay.errors import EngineFault, Usage
from gameplay.position import CHANCE, AbstractPosition, twin
from gameplay.sandbox.counted import Counter
from gameplay.sandbox.engine import GuestEngine, Host, create_engine
from gameplay.sandbox.messages import Origin
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import MAX_GRACE, Session, Watch
from gameplay.search.user_engine import UserEngine
from gameplay.suites import payoff_trees
from gameplay.value import format_value, is_counted, is_win, max_value

# law: (statement, how to fix a violation)
LAWS = {
    "moves": (
        "it returns one of position.moves()",
        "choose from position.moves() of the given position, before any move is made",
    ),
    "raises": (
        "it raises no exception, prints nothing and returns well-formed reports",
        "see the line of the file named above",
    ),
    "returns": ("it returns in time", "look for an infinite loop; return when watch(report) is true"),
    "position": (
        "the position is as it was after a search",
        "call unmake() for each move made, also when the search is stopped",
    ),
    "depth": (
        "it searches no deeper than limit.depth",
        "report the plies of the last completed search as depth, limit.depth at most",
    ),
    "nodes": (
        "it stops soon after limit.nodes",
        "call watch(report) often, for example every 100 nodes, and return when it is true",
    ),
    "time": (
        f"it stops within {MAX_GRACE:g} seconds of its time limit",
        "call watch(report) often and return when it is true; or take limit and check limit.seconds",
    ),
    "stop": (
        f"it stops within {MAX_GRACE:g} seconds of a request to stop, with a move",
        "call watch(report) often, the first time with any legal move, and return when it is true",
    ),
    "repeat": (
        "the same position, limit and seed give the same move, value and nodes",
        "use random.Random(seed) with an option seed, not the global generator, and keep no state outside "
        "the object",
    ),
    "pv": (
        "its principal variation can be played, and begins with its move",
        "begin pv with the move, and append the line of the child that has the value",
    ),
    "value": (
        "a value has a move, and is WIN at most",
        "return the mover's value on the scale of gameplay.value, as terminal_value(position) gives it",
    ),
    "minimax": (
        "the value of a search of every line to its end is the minimax value, for any payoffs",
        "value a finished position by gameplay.value.terminal_value(position); the value of a move is that "
        "of the next position, negated only if the other player is to move, and then delay(value) of it",
    ),
}

FAULTS = ("moves", "raises", "returns")  # violations that lose a game
KINDS = {"illegal_move": "moves", "hang": "returns"}  # law by kind of EngineFault
GAMES = ("tictactoe", "connect4", "othello", "checkers", "chess")
# Trees with each kind of payoff, and the reference engine for their values.
PAYOFFS = {
    "WinLoss": "minimax",
    "Points": "minimax",
    "ScaledPoints": "minimax",
    "MovesAgain": "minimax",
    "Dice": "expectiminimax",
    "GeneralSum": "maxn",
}
TREES = 4  # of each kind
NODES = 300  # of a search that must be repeatable
SLACK = 5_000  # nodes allowed beyond the limit
SECONDS = 0.2
HANG_TIMEOUT = 10.0  # time limit in seconds of searches limited by depth or nodes


@dataclass(frozen=True)
class Offence(Break):
    """A broken law, and the game."""

    laws = LAWS

    game: str


@dataclass
class Conduct(Findings):
    """The findings. broken: one entry per law, that of the earliest position."""

    faults = FAULTS

    engine: str
    seed: int
    games: tuple[str, ...] = ()
    positions: int = 0
    searches: int = 0
    payoffs: tuple[str, ...] = ()  # kinds of payoffs for which values were compared with minimax
    untested: str = ""  # the reason if there are none and no law is broken
    broken: list[Offence] = field(default_factory=list)


class _Violation(Exception):
    """A law is violated."""

    def __init__(self, law: str, observed: str) -> None:
        super().__init__(observed)
        self.law = law


def check(
    spec: str, games: Sequence[str] = (), positions: int = 20, seed: int = 0, timed: bool = True
) -> Conduct:
    """Search `count` positions of each game with the engine of `spec`, and check every law.

    games: default those of GAMES that it can play. timed: False skips laws that a busy machine could break.
    Raises Usage for an engine that can play none of the games, and as `registry.engine`.
    """
    with _in_guest(spec):
        engine, _ = registry.engine(spec)
        supported = []
        for name in games or GAMES:
            try:
                registry.check_engine(engine, registry.game(name).new())
                supported.append(name)
            except Usage:
                if games:
                    raise
        if not supported:
            raise Usage(
                f"{engine.name} plays none of {', '.join(GAMES)}: name a game that it plays, --game GAME"
            )
        conduct = Conduct(spec, seed, tuple(supported))
        offences: dict[str, Offence] = {}
        for name in supported:
            _Examiner(spec, name, conduct, offences, timed).inspect(positions)
        if not offences.keys() & {*FAULTS, "depth", "value"}:
            _compare(spec, conduct, offences)
        conduct.broken = list(offences.values())
        return conduct


@contextmanager
def _in_guest(spec: str) -> Iterator[None]:
    """A context in which the engine of a user's file runs in one process."""
    head = registry.parse_engine(spec)[0]
    if not specs.is_file(head) or registry.is_overridden(head):
        yield
        return
    host = Host(head, keep=True)
    try:
        with registry.override_engines(
            Path(host.file.partition(".py:")[0].removesuffix(".py") + ".py"), partial(create_engine, host)
        ):
            yield
    finally:
        host.kill()


def _compare(spec: str, conduct: Conduct, offences: dict[str, Offence]) -> None:
    """Check the law of minimax on trees of each kind of payoff that the engine plays."""
    compared: list[str] = []
    reason = ""
    for kind, reference in PAYOFFS.items():
        for seed in range(TREES):
            name = f"{payoff_trees.__file__}:{kind}:seed={seed}"
            game = registry.game(name)
            engine, _ = registry.engine(spec)
            if not engine.thinks:
                conduct.untested = "it does not search"
                return
            if engine.incompatibility(game.new()):
                break
            if engine.theorem not in ("", "minimax", "minimax over quiet leaves", reference):
                break  # its values differ by design
            examiner = _Examiner(spec, name, conduct, offences, False)
            conduct.searches -= 1  # only searches of played positions are counted
            limit = Limit(nodes=NODES) if engine.samples else Limit(depth=payoff_trees.HEIGHT * 2)
            try:
                report = examiner._search(game.new(), limit)
            except _Violation as violation:
                offences.setdefault(violation.law, examiner.offence(violation, game.new(), ()))
                return
            reason = _exemption(report)
            if reason:
                continue
            if kind not in compared:
                compared.append(kind)
            expected = registry.engine(reference)[0].search(game.new(), Limit(depth=payoff_trees.HEIGHT * 2))
            wrong = _difference(report, expected, game.new(), kind)
            if wrong:
                offences.setdefault("minimax", examiner.offence(_Violation("minimax", wrong), game.new(), ()))
                break
    conduct.payoffs = tuple(compared)
    conduct.untested = "" if compared else reason or "it plays no game with such payoffs"


def _exemption(report: Report) -> str:
    """Why the value of a search may differ from minimax; "" if it must be equal."""
    if report.bound == "unknown":
        return "it reports no value"
    if report.exact:
        return ""
    if report.bound not in ("exact", "expectation"):
        return "its values are bounds"
    if report.depth < payoff_trees.HEIGHT:
        return "it reports no depth to which its value holds"
    return ""


def _difference(report: Report, expected: Report, position: AbstractPosition, kind: str) -> str:
    """The difference of a value from minimax, as a sentence; "" if equal."""
    value, right = report.value, expected.value
    if kind == "GeneralSum":
        if not report.values or report.values == expected.values:
            return ""
        return f"values {report.values}; expected {expected.values} (max^n)"
    if isinstance(value, float) and not position.scored and is_win(right):  # an expectation, in units
        same = value == (position.unit if right > 0 else -position.unit)
    elif is_win(value) and not is_counted(value):  # a win without a known distance
        same = is_win(right) and (value > 0) == (right > 0)
    else:
        same = (
            abs(value - right) < 1e-6
            if isinstance(value, float) or isinstance(right, float)
            else value == right
        )
    if same:
        return ""
    unit = position.unit
    value_text, right_text = (f"{number:,} ({format_value(number, True, unit)})" for number in (value, right))
    return f"value {value_text}; expected {right_text} (minimax)"


class _Examiner:
    def __init__(
        self, spec: str, game: str, conduct: Conduct, offences: dict[str, Offence], timed: bool
    ) -> None:
        self.spec = spec
        self.game = registry.game(game)
        self.conduct = conduct
        self.found = offences
        self.timed = timed
        self.line: list[int] = []  # moves to the current position

    def inspect(self, positions: int) -> None:
        """Check positions of random games, the start first; time limits are checked at the first only."""
        seen = play = 0
        while seen < positions and "returns" not in self.found:
            rng = Random(f"{self.conduct.seed}/{self.game.name}/{play}")
            words: list[str] = []
            position = self.game.new()
            self.line = []
            start = seen
            while seen < positions and position.outcome() is None and len(words) < 200:
                if position.turn != CHANCE and (rng.random() < 0.3 or not (words or play)):
                    self._check_laws(position, words, limits=seen == 0)
                    seen += 1
                    if "returns" in self.found:
                        return
                move = rng.choice(position.moves())
                words.append(position.format(move))
                position.make(move)
                self.line.append(move)
            play += 1
            if play > 100 and seen == start:
                break

    def _check_laws(self, position: AbstractPosition, words: list[str], limits: bool) -> None:
        """Check the laws at a position. limits: also those of depth, nodes and time limits."""
        self.conduct.positions += 1
        laws: list[Callable[[AbstractPosition], None]] = [self._repeats, self._stops]
        if limits:
            laws += [self._depth, self._nodes] + ([self._time] if self.timed else [])
        for law in laws:
            try:
                law(position)
            except _Violation as violation:
                self.found.setdefault(violation.law, self.offence(violation, position, words))
                if violation.law in FAULTS:
                    break

    def offence(self, violation: _Violation, position: AbstractPosition, words: Sequence[str]) -> Offence:
        """A broken law, at a position after some moves."""
        return Offence(
            violation.law, str(violation), tuple(words), position.show(position.turn), self.game.spec
        )

    # -- the laws ------------------------------------------------------------------------------------

    def _repeats(self, position: AbstractPosition) -> None:
        limit = Limit(depth=2, nodes=NODES)
        if registry.engine(self.spec)[0].samples:
            limit = Limit(nodes=NODES)
        first, again = (self._search(position, limit) for _ in range(2))
        for name in ("move", "value", "nodes"):
            one, other = getattr(first, name), getattr(again, name)
            if one != other:
                raise _Violation("repeat", f"{name} {one} with {limit}, and then {other}")

    def _stops(self, position: AbstractPosition) -> None:
        start = time.monotonic()
        self._search(position, Limit(seconds=30), watch=lambda report: True)
        elapsed = time.monotonic() - start
        if self.timed and elapsed > MAX_GRACE:
            raise _Violation("stop", f"it continued for {elapsed:.1f} s after the request to stop")

    def _depth(self, position: AbstractPosition) -> None:
        if registry.engine(self.spec)[0].samples or position.players == 1:
            return  # in single-agent search depth is a cost threshold, of which at least one is searched
        report = self._search(position, Limit(depth=2))
        if report.depth > 2:
            raise _Violation("depth", f"it reported depth {report.depth}, and limit.depth was 2")

    def _nodes(self, position: AbstractPosition) -> None:
        limit = Limit(nodes=NODES)
        report = self._search(position, limit)
        if report.nodes > NODES + SLACK:
            raise _Violation("nodes", f"it reported {report.nodes:,} nodes, and limit.nodes was {NODES:,}")

    def _time(self, position: AbstractPosition) -> None:
        start = time.monotonic()
        self._search(position, Limit(seconds=SECONDS))
        elapsed = time.monotonic() - start
        if elapsed > SECONDS + MAX_GRACE:
            raise _Violation("time", f"it took {elapsed:.1f} s, and limit.seconds was {SECONDS}")

    def _search(self, position: AbstractPosition, limit: Limit, watch: Watch | None = None) -> Report:
        """One search by a new engine, with the checks that apply to every search."""
        engine, _ = registry.engine(self.spec)
        counter = Counter()
        if isinstance(engine, UserEngine) and not isinstance(engine, GuestEngine):
            engine.wrap_position = counter.wrap
        self.conduct.searches += 1
        before = position.key(), position.turn, list(position.moves())
        copy = twin(position)
        try:
            session = Session(engine)
            session.hang_timeout = None if limit.seconds else HANG_TIMEOUT
            engine.at(Origin(self.game.spec, moves=tuple(self.line)))
            report = session.search(copy, limit, watch, copy=False)  # `copy` is compared afterwards
        except EngineFault as fault:
            if isinstance(engine, GuestEngine) and engine.disturbed:  # its result belongs to another search
                raise _Violation("position", engine.disturbed) from None
            law = KINDS.get(fault.kind, "raises")
            raise _Violation("stop" if law == "returns" and watch else law, str(fault)) from None
        if (copy.key(), copy.turn, list(copy.moves())) != before:
            raise _Violation(
                "position", f"turn and key were {before[1]}, {before[0]!r}; {copy.turn}, {copy.key()!r}"
            )
        disturbed = (isinstance(engine, GuestEngine) and engine.disturbed) or counter.describe_change()
        if disturbed:
            raise _Violation("position", disturbed)
        if report.move not in before[2]:
            raise _Violation("moves", f"it returned the move {report.move}: position.moves() is {before[2]}")
        if isinstance(engine, UserEngine) and engine.pv_error:
            raise _Violation("pv", engine.pv_error)
        self._line(position, report)
        if abs(report.value) > (most := max_value(position)):
            raise _Violation("value", f"it reported the value {report.value:,}; expected {most:,} at most")
        return report

    def _line(self, position: AbstractPosition, report: Report) -> None:
        if position.players == 1 and not report.pv:  # no line if no path to the goal was found
            return
        if report.pv[:1] != (report.move,):
            raise _Violation("pv", f"its move is {report.move}, and its line begins {report.pv[:1]}")
        made = 0
        try:
            for move in report.pv:
                if position.outcome() is not None or move not in position.moves():
                    raise _Violation("pv", f"its line is {report.pv}, of which the move at {made} is illegal")
                position.make(move)
                made += 1
        finally:
            for _ in range(made):
                position.unmake()
