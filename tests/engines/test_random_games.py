"""Searches of small random games by every engine, compared with stored ones.

The games have what games at hand have seldom: moves without end or answer, a mover who moves again, threats
that nothing noisy answers, moves too large for a table. That values are right is proved elsewhere.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any
from zlib import crc32

import pytest
from msgspec import Struct, structs

from gameplay import CHANCE, Heuristic, Limit, Position, Report, registry
from gameplay.adapter import kernel_of
from gameplay.engines.mcts.arena import Arena
from gameplay.engines.mcts.search import MonteCarloSearch
from gameplay.kernel import compiled
from gameplay.search.control import Control
from gameplay.search.session import SearchSetup
from gameplay.search.trace import TraceEvent
from tests.support.golden import golden

UNTOLD = ("seconds", "engine")  # what differs from run to run, or is the same in all


class Drawn(Position):
    """Walk down `levels` of nodes; all other facts of a node are derived from its hash."""

    quiet_margin = 8
    levels = 5

    def __init__(self, seed: int, players: int = 2, dice: bool = False, scored: bool = False) -> None:
        super().__init__()
        self.seed, self.players, self.chance, self.scored = seed, players, dice, scored
        self.evaluates_chance_nodes = dice and seed % 3 == 0
        if scored:
            self.low, self.high = -6 * (players - 1), 6 * (players - 1)
        self.way = [0]
        self.arrive()

    def drawn(self, what: str, count: int) -> int:
        return crc32(f"{what}{self.seed}/{len(self.way)}/{self.way[-1]}".encode()) * 31 // 7 % count

    def arrive(self) -> None:
        level = len(self.way) - 1
        again = self.drawn("again", 5) == 0
        self.turn = (level + again) % self.players
        if self.chance and 0 < level < self.levels and self.drawn("dice", 4) == 0:
            self.turn = CHANCE

    def moves(self) -> list[int]:
        large = 2**24 if self.drawn("large", 4) == 0 else 0
        return [large + move for move in ((2, 0, 3, 1), (1, 3, 0, 2))[self.drawn("order", 2)]][: self.count()]

    def count(self) -> int:
        return 1 + self.drawn("count", 4)

    def chances(self) -> list[float]:
        count = self.count()
        return [0.25, 0.75] if count == 2 else [1 / count] * count

    def make(self, move: int) -> None:
        self.way.append(self.drawn(f"to{move}", 4))
        self.arrive()

    def unmake(self) -> None:
        self.way.pop()
        self.arrive()

    def outcome(self) -> tuple[int, ...] | None:
        if len(self.way) <= self.levels and (
            len(self.way) < 3 or self.turn == CHANCE or self.drawn("end", 9)
        ):
            return None
        first = (6 - self.drawn("pays", 13)) if self.scored else 1 - self.drawn("wins", 3)
        others = [-first, *[0] * (self.players - 2)]
        at = self.drawn("whom", self.players - 1)
        return (first, *others[at:], *others[:at])

    def evaluate_for(self, player: int) -> int:
        guess = (6 if self.scored else 24) - self.drawn("guess", 13 if self.scored else 49)
        return guess if player == 0 else -guess if player == 1 else 0

    def evaluate(self) -> int:
        return self.evaluate_for(self.turn)

    def noisy(self) -> list[int]:
        if self.forced() and self.drawn("answers", 4):
            return self.moves()
        return [move for move in self.moves() if self.drawn(f"noisy{move}", 3) == 0]

    def forced(self) -> bool:
        return self.drawn("forced", 5) == 0

    def key(self) -> int:
        return 10 * len(self.way) + self.way[-1]


class Veiled(Drawn):
    """The same, but hidden chance decides the direction of moves and the payoffs."""

    hidden = True
    secret = 0

    def drawn(self, what: str, count: int) -> int:
        mark = "ab"[self.secret] if what[:2] in ("to", "pa", "wi") else ""
        return super().drawn(mark + what, count)

    def infoset(self, player: int) -> int:
        return self.key()

    def determinize(self, player: int, rng: Any) -> "Veiled":
        world = type(self)(self.seed, self.players, self.chance, self.scored)
        world.way, world.secret = [*self.way], rng.getrandbits(1)
        world.arrive()
        return world


class Liked(Veiled):
    """The same with hints: a preferred move, and sometimes the result of the game."""

    def top_moves(self, most: int) -> list[tuple[int, int]]:
        results = [(move, self.drawn(f"like{move}", 9)) for move in self.moves()]
        return sorted(results, key=lambda entry: (-entry[1], entry[0]))[:most]

    def finish(self, control: Any, most: int) -> tuple[int, int, bool, int] | None:
        if self.drawn("known", 4):
            return None
        return self.moves()[0], 9 - self.drawn("comes", 19), self.drawn("sure", 2) == 0, 5


class Roads(Position):
    """A walk over twelve places, some of them goals and some dead ends; moves are the places."""

    players = 1
    zero_sum = False
    heuristics = {"none": Heuristic("none", "nothing"), "some": Heuristic("some", "some", consistent=False)}

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = seed
        self.way = [0]

    def drawn(self, what: str, count: int) -> int:
        return crc32(f"{what}{self.seed}/{self.way[-1]}".encode()) * 31 // 7 % count

    def ways(self) -> list[int]:
        return sorted({self.drawn(f"to{number}", 12) for number in range(3)} - {self.way[-1]})

    def moves(self) -> list[int]:
        return self.ways()

    def make(self, move: int) -> None:
        self.way.append(move)

    def unmake(self) -> None:
        self.way.pop()

    def outcome(self) -> tuple[int] | None:
        if len(self.way) > 1 and self.drawn("goal", 7) == 0:
            return (1,)
        return None if self.ways() else (0,)

    def key(self) -> int:
        return self.way[-1]

    def estimate(self) -> int:
        return self.drawn("left", 6) if self.heuristic == "some" and self.outcome() is None else 0


class Toll(Roads):
    """The same with move costs."""

    def cost(self, move: int) -> int:
        return 1 + self.drawn(f"price{move}", 4)


class Streets(Toll):
    """The same with each edge in both directions."""

    def ways(self) -> list[int]:
        here = self.way[-1]
        return sorted({(here + 1) % 12, (here - 1) % 12, 11 - here} - {here})


class Lanes(Streets):
    """The same without costs."""

    cost = Position.cost


def plain(fact: Any) -> str:
    """A fact as both builds write it; numbers may differ in their last figures and their type."""
    if isinstance(fact, (float, int)):
        return f"{fact + 0:.9g}"
    if isinstance(fact, tuple):
        return f"({' '.join(map(plain, fact))})"
    if isinstance(fact, Struct):
        return plain(tuple(value for name, value in structs.asdict(fact).items() if name not in UNTOLD))
    return f"{fact}"


TWO = (
    "alphabeta", "alphabeta:fail=hard,order=killer", "alphabeta:table=16KB,order=history",
    "alphabeta:order=evaluation", "alphabeta:order=shallow+killer", "alphabeta:order=random,seed=3",
    "iterative:table=16KB", "iterative:table=off,pvs=off", "iterative:table=16KB,mtdf=on",
    "iterative:table=16KB,aspiration=off,order=shallow", "iterative:table=16KB,order=continuation",
    "minimax", "quiescence:table=16KB", "quiescence:table=off,order=evaluation,pvs=off",
    "selective:table=16KB", "selective:table=off", "selective:table=16KB,pvs=off,order=countermove",
    "selective:table=16KB,mtdf=on,plausible=2", "selective:table=16KB,secondary=1",
    "pns:table=1MB", "pns:table=16KB,mobility=off,weak=off", "perfect:table=1MB",
    "mcts:memory=1MB,leaf=search:1", "mcts:memory=1MB,leaf=search:3,prior=evaluation,weight=2",
)  # fmt: skip
PERFECT = tuple(
    f"perfect:table=1MB,{words}"
    for words in ("aim=lose", "aim=hold,equal=random,seed=4", "aim=level", "skill=40,seed=2", "equal=random")
)
DICE = (
    "expectiminimax", "expectiminimax:table=16KB", "expectiminimax:prune=star1,order=history",
    "expectiminimax:prune=star1,table=16KB", "expectiminimax:prune=star2",
    "expectiminimax:prune=star2,table=16KB,order=killer", "expectiminimax:prune=star2,order=random,seed=2",
)  # fmt: skip
MANY = (
    "maxn", "maxn:prune=off,table=16KB", "maxn:table=16KB", "maxn:alliance=1+2,table=16KB", "paranoid",
    "paranoid:table=16KB,order=killer", "paranoid:order=history", "brs", "brs:table=16KB,order=history",
    "brs:others=move,table=16KB", "brs:others=move,order=killer",
)  # fmt: skip
TREES = (
    "mcts:memory=1MB", "mcts:memory=1MB,solver=off,c=0.7", "mcts:memory=1MB,rave=20,fpu=0.4",
    "mcts:memory=1MB,leaf=evaluate,prior=evaluation", "mcts:memory=1MB,leaf=mixed,weight=3",
)  # fmt: skip


VEILED = (
    "ismcts", "ismcts:observers=single,c=0.4", "ismcts:leaf=evaluate,seed=3",
    "ismcts:observers=single,leaf=evaluate", "pimc:worlds=0", "pimc:worlds=0,by=maxn,seed=3",
)  # fmt: skip
ROLLED = ("rollout", "rollout:moves=2,seed=4", "rollout:plies=4,moves=3", "rollout:plies=0")
WAYS = ("dfid", "idastar", "idastar:heuristic=some", "astar:memory=64KB", "astar:heuristic=some")


def digest_of_searches(spec: str, games: Iterable[Position]) -> str:
    """Lines for the reports and every second trace of searches of a few games."""
    digest, nodes, refused = blake2b(digest_size=6), 0, set()
    for number, position in enumerate(games):
        engine = registry.engine(spec)[0]
        events: list[TraceEvent] = []
        listen = events.append if number % 2 and not position.hidden and engine.name != "perfect" else None
        if engine.simulates:
            some = tuple(position.moves()[:2]) if number % 4 == 3 else ()
            limit = Limit(simulations=12 + 3 * number, multipv=1 + number % 2, moves=some)
        elif number % 3 == 2:
            limit = Limit(nodes=9 + 7 * number, multipv=1 + number % 2)
        elif position.players == 1:
            limit = Limit(depth=2 + number % 7, moves=tuple(position.moves()[number % 2 :]))
        else:
            limit = Limit(depth=3 + number % 4, multipv=1 + number % 3)
        try:
            report: Report = engine.search(position, limit, trace=listen)
        except registry.Usage as refusal:
            refused.add(f"{refusal}")
            continue
        nodes += report.nodes
        legal = limit.moves or position.moves()
        assert report.move in legal and (not report.pv or report.pv[0] == report.move)
        ranked = [candidate.value for candidate in report.candidates if candidate.bound == "exact"]
        assert ranked == sorted(ranked, reverse=True) or "aim" in spec or "skill" in spec
        digest.update(plain(report).encode())
        for event in events:
            digest.update(plain(tuple(event)).encode())
    return f"{spec}: {nodes} nodes, {digest.hexdigest()}{'; '.join(['', *sorted(refused)])}"


def test_searches_of_random_games_equal_the_stored_ones() -> None:
    two = [Drawn(seed, scored=seed % 2 == 0) for seed in range(100, 110)]
    dice = [Drawn(seed, scored=True, dice=True) for seed in range(100, 110)]
    many = [Drawn(n, players=2 + n % 3, scored=n % 2 == 0, dice=n % 5 > 2) for n in range(100, 110)]
    veiled = [Veiled(n, players=2 + n % 3, scored=n % 2 == 0, dice=n % 5 > 2) for n in range(100, 110)]
    liked = [Liked(n, players=2 + n % 3, scored=n % 2 == 0, dice=n % 5 > 2) for n in range(100, 116)]
    roads, tolls = [Roads(seed) for seed in range(16)], [Toll(seed) for seed in range(16)]
    streets, lanes = [Streets(seed) for seed in range(8)], [Lanes(seed) for seed in range(8)]
    rows = [digest_of_searches(spec, two) for spec in TWO] + [
        digest_of_searches(spec, two[:5]) for spec in PERFECT
    ]
    rows += [digest_of_searches(spec, dice) for spec in DICE]
    rows += [digest_of_searches(spec, many) for spec in (*MANY, *TREES)]
    rows += [digest_of_searches(spec, veiled) for spec in VEILED]
    rows += [digest_of_searches(spec, liked) for spec in ROLLED]
    rows += [digest_of_searches(spec, roads) for spec in WAYS] + [
        digest_of_searches(spec, tolls) for spec in WAYS[1:]
    ]
    rows += [digest_of_searches(spec, streets if spec != "dfid" else lanes) for spec in WAYS]
    golden("drawn", "\n".join(rows) + "\n")


class Deep(Drawn):
    """The same for longer, with few moves and null moves (see `lively`)."""

    levels = 13

    def count(self) -> int:
        return 1 + self.drawn("count", 3)

    def evaluate_for(self, player: int) -> int:
        sum_of = sum(3 - crc32(f"{self.seed}{place}".encode()) % 7 for place in self.way)
        return sum_of * 8 if player == 0 else -sum_of * 8

    def arrive(self) -> None:
        self.turn = (len(self.way) - 1) % 2


def lively(position: Deep) -> Any:
    """A kernel that answers every query of a search: gains, threats, repetition, and passing."""
    kernel: Any = kernel_of(position)
    kernel.quiet_margin = 12
    kernel.gain = lambda move: 12 * max(0, position.drawn(f"gain{move}", 6) - 3)
    kernel.see = lambda move: kernel.gain(move) and 12 * (position.drawn(f"swap{move}", 5) - 2)
    kernel.is_threatened = position.forced
    kernel.threatens = lambda move: position.drawn(f"threat{move}", 7) == 0
    kernel.is_repeated = lambda: len(position.way) > 3 and position.drawn("again", 40) == 0

    def threats(base: int) -> int:
        moves = [move for move in position.moves() if kernel.threatens(move) and not kernel.gain(move)]
        kernel.stack[base : base + len(moves)] = moves
        return base + len(moves)

    def null_move() -> bool:
        if position.forced() or position.drawn("stuck", 6) == 0 or len(position.way) > position.levels:
            return False
        position.way.append(position.way[-1])
        position.arrive()
        kernel.turn = position.turn
        return True

    def undo_null_move() -> None:
        position.unmake()
        kernel.turn = position.turn

    kernel.gen_threats, kernel.null_move, kernel.undo_null_move = threats, null_move, undo_null_move
    return kernel


class Counted(Deep):
    """The same with points; the kernel solves the last plies."""

    levels = 9
    quiet_margin = 0

    def arrive(self) -> None:
        Drawn.arrive(self)


def knowing(position: Counted) -> Any:
    """A kernel that solves the last four plies."""
    kernel: Any = kernel_of(position)
    kernel.solves = True

    def moves_left() -> int:
        left = position.levels + 1 - len(position.way)
        return left if left <= 4 else -left

    def worth() -> int:
        kernel.solver_nodes += 1
        payoffs = position.outcome()
        if payoffs is not None:
            return int(payoffs[position.turn] * position.unit)
        best, mover = -100, position.turn
        for move in position.moves():
            position.make(move)
            value = worth()
            best = max(best, value if position.turn == mover else -value)
            position.unmake()
        return best

    kernel.moves_left, kernel.solve = moves_left, lambda alpha, beta: worth()
    return kernel


@pytest.mark.skipif(compiled(), reason="the pure build lets Python answer for a kernel")
def test_searches_of_games_with_solved_endings_equal_the_stored_ones() -> None:
    """Each has the value of minimax at the same depth, if that reaches the end."""
    rows = []
    options = ("table=16KB", "table=off", "table=16KB,mtdf=on", "table=16KB,order=shallow,pvs=off")
    for number, spec in enumerate(
        f"{name}:{words}" for name in ("iterative", "quiescence", "selective") for words in options
    ):
        for seed in (200 + number, 300 + number, 400 + number):
            position = Counted(seed, scored=True)
            whole = registry.engine("minimax")[0].search(position, Limit(depth=12))
            engine: Any = registry.engine(spec)[0]
            table = engine.new_table(10) if engine.table_bits else None
            if table is not None:
                table.new_search()
            before, events = position.key(), []
            search = engine.open(knowing(position), Control(0, 0.0), table)
            search.multipv = 1 + number % 3
            search.set_trace(events.append)
            search.run(12 - number % 5)
            report = search.report()
            assert position.key() == before and (not report.exact or report.value == whole.value)
            digest = blake2b(plain(tuple(map(tuple, events))).encode(), digest_size=6).hexdigest()
            known = sum(event.what == "known" for event in events)
            full_line = blake2b(plain(report).encode(), digest_size=6).hexdigest()
            rows.append(
                f"{spec} {seed}: {report.value}, {report.nodes} nodes, {known} solved, {full_line} {digest}"
            )
    golden("knowing", "\n".join(rows) + "\n")


def add_to_digest(digest: Any, report: Report, events: Iterable[TraceEvent]) -> int:
    """Add a report and the events of its search to a hash; returns the report's nodes."""
    digest.update(plain(report).encode())
    for event in events:
        digest.update(plain(tuple(event)).encode())
    return report.nodes


LIVELY = (
    "", "table=off,singular=off", "pvs=off", "null=off", "reduce=off", "late=off,futility=off",
    "singular=off", "extend=off", "threshold=off", "mates=off", "delta=off", "checks=off", "exchange=off",
    "secondary=1", "plausible=2", "order=killer+continuation", "mtdf=on",
)  # fmt: skip


LARGE = (0, 3, 6, 8, 9, 12, 13, 14, 17, 18, 22, 25, 26, 28, 29)  # seeds of games that take a search


@pytest.mark.skipif(compiled(), reason="the pure build lets Python answer for a kernel")
def test_selective_searches_of_random_games_equal_the_stored_ones() -> None:
    rows, reasons = [], set()
    for number, options in enumerate(LIVELY):
        digest, nodes = blake2b(digest_size=6), 0
        spec = ",".join([options or "table=16KB"] + ["extend=on"] * ("extend" not in options))
        for seed in LARGE if not options else (LARGE[number % 15], LARGE[(number + 5) % 15]):
            position = Deep(seed)
            engine: Any = registry.engine(f"selective:{spec}")[0]
            table = engine.new_table(10) if engine.table_bits else None
            if table is not None:
                table.new_search()
            before, events = position.key(), []
            search = engine.open(lively(position), Control(0, 0.0), table)
            search.set_trace(events.append)
            search.run(11)
            assert position.key() == before
            nodes += add_to_digest(digest, search.report(), events)
            reasons |= {f"{event.what} {event.why}" for event in events}
        rows.append(f"{options or 'all'}: {nodes} nodes, {digest.hexdigest()}")
    golden("lively", "\n".join([*rows, *sorted(reasons)]) + "\n")


HINTED = (
    "prior=hint", "prior=hint,weight=0.5,fpu=0.3", "widen=1", "widen=2,prior=hint,solver=off",
    "rave=8,prior=hint", "widen=0.5,rave=20,c=0.1", "prior=evaluation,leaf=mixed",
    "leaf=evaluate,prior=evaluation,weight=4", "leaf=search:2,prior=hint",
)  # fmt: skip


@pytest.mark.skipif(compiled(), reason="the pure build lets Python answer for a kernel")
def test_simulations_with_hints_equal_the_stored_ones() -> None:
    rows = []
    for number, options in enumerate(HINTED):
        digest, nodes = blake2b(digest_size=6), 0
        for seed in range(5):
            position = Drawn(500 + 10 * number + seed, scored=seed % 2 == 0)
            engine: Any = registry.engine(f"mcts:memory=1MB,{options},seed={seed}")[0]
            kernel: Any = kernel_of(position)
            kernel.has_hints = True
            kernel.hint = lambda move, position=position: position.drawn(f"hint{move}", 7) - 3
            reader, plies = None, engine.plies()
            if plies:
                reader = registry.engine("alphabeta")[0].open(kernel_of(position), Control(0, 0.0), None)
                reader.evaluate_at(0)
            edges = (position.low, position.high) if position.scored else None
            before, events = position.key(), []
            search = MonteCarloSearch(kernel, Control(0, 0.0), engine, 40, 0, edges, reader, plies)
            search.multipv = 2
            search.use_arena(Arena(1 << 20, 0))
            search.set_trace(events.append)
            search.run(255)
            assert position.key() == before
            nodes += add_to_digest(digest, search.report(), events)
        rows.append(f"{options}: {nodes} nodes, {digest.hexdigest()}")
    golden("hinted", "\n".join(rows) + "\n")


@pytest.mark.skipif(compiled(), reason="the pure build lets Python make a tree small")
def test_a_tree_that_is_full_is_trimmed_and_grows_on() -> None:
    rows = []
    cases: dict[str, dict[str, Any]] = {
        "c=0.7": {},
        "c=1.4": {"players": 3},
        "rave=9": {"scored": True, "dice": True},
        "c=2": {"players": 4},
        "leaf=evaluate,prior=evaluation": {"scored": True},
        "solver=off,fpu=0.5": {"dice": True},
    }
    for number, (options, facts) in enumerate(cases.items()):
        for room in (8, 30, 60):
            position = Drawn(120 + number, **facts)
            engine: Any = registry.engine(f"mcts:memory=1MB,{options}")[0]
            kept, players = engine.new_table(1), 0 if position.players == 2 else position.players
            kept.tree = Arena(1 << 20, players)
            kept.tree.capacity, kept.tree.copy_capacity = room, room // 3
            events: list[TraceEvent] = []
            before = position.key()
            (search,) = engine.searches(
                SearchSetup(position, Limit(simulations=90), Control(0, 0.0), kept, events.append)
            )
            search.run(255)
            report, trims = search.report(), [event for event in events if event.what == "trim"]
            assert position.key() == before and len(trims) == report.trims and kept.tree.node_count <= room
            digest = blake2b(plain(tuple(map(tuple, events))).encode(), digest_size=6).hexdigest()
            rows.append(
                f"{options} {facts} {room}: {plain(report.value)} {report.move} {report.visits} "
                f"{report.nodes}, used {kept.tree.node_count}, "
                f"trims {[event.visits for event in trims]}, {digest}"
            )
    golden("trimmed", "\n".join(rows) + "\n")


def test_searches_stopped_at_any_node_equal_the_stored_ones() -> None:
    """Each respects its node limit, leaves the position unchanged, and has a move to play."""
    rows = []
    for number, spec in enumerate((*TWO, *DICE, *MANY, *TREES, *VEILED, *WAYS, *ROLLED)):
        digest, engine = blake2b(digest_size=6), registry.engine(spec)[0]
        for nodes in range(2 + number % 5, 80, 8):
            seed = 100 + nodes
            kind = Liked if spec in ROLLED else Veiled if spec in VEILED else Drawn
            position: Any = kind(seed, 2 + (spec in MANY and nodes % 2), spec in DICE, nodes % 3 > 0)
            if spec in WAYS:
                position = Roads(seed)
            before = position.key()
            report = engine.search(position, Limit(nodes=nodes))
            assert position.key() == before and report.move in position.moves()
            digest.update(plain(report).encode())
        rows.append(f"{spec}: {digest.hexdigest()}")
    golden("ended", "\n".join(rows) + "\n")


class ListenerError(Exception):
    """A trace listener aborts."""


@pytest.mark.parametrize("spec", [*TWO[::4], *DICE[::3], *MANY[::3], TREES[0], *WAYS[::2], "pns", "brs"])
def test_exception_in_a_trace_listener_ends_the_search(spec: str) -> None:
    """At the first event of each kind the exception propagates, and the position is unchanged."""
    engine = registry.engine(spec)[0]
    position: Any = Roads(2) if spec in WAYS else Drawn(105, scored=spec in DICE, dice=spec in DICE)
    limit = Limit(simulations=30) if engine.simulates else Limit(depth=5)
    before, events = position.key(), []
    engine.search(position, limit, trace=events.append)
    kinds = {event.what for event in events}
    assert len(kinds) > 1

    def hear(event: TraceEvent) -> None:
        if event.what == kind:
            raise ListenerError(kind)

    for kind in sorted(kinds):
        with pytest.raises(ListenerError, match=f"^{kind}$"):
            engine.search(position, limit, trace=hear)
        assert position.key() == before


METHODS = (
    "outcome", "moves", "make", "unmake", "chances", "evaluate", "evaluate_for", "noisy", "forced", "key",
    "infoset", "determinize", "estimate", "cost",
)  # fmt: skip


def failing(spec: str, method: str, left: int, raised: list[str]) -> Any:
    """A position for the engine, whose `method` raises at call number `left`."""
    kind: Any = Veiled if spec in VEILED else Drawn
    if spec in WAYS:
        kind = Roads if spec == "dfid" else Toll
    call = getattr(kind, method, None)

    def ill(self: Any, *given: Any) -> Any:
        nonlocal left
        left -= 1
        if not left:
            raised.append(method)
            raise GameError(method)
        return call(self, *given)

    if call is not getattr(Position, method):
        kind = type("Failing", (kind,), {method: ill})
    return kind(2) if spec in WAYS else kind(105, scored=spec not in TWO, dice=spec in DICE)


class GameError(Exception):
    """A game raises."""


def test_exceptions_of_any_game_method_propagate_from_every_search() -> None:
    """At an early call of each method; which methods a search calls is stored."""
    rows = []
    for spec in (*TWO[::2], *DICE[1::2], *MANY[::2], TREES[0], TREES[3], *VEILED, *WAYS):
        engine = registry.engine(spec)[0]
        limit = Limit(simulations=30) if engine.simulates else Limit(depth=5)
        exceptions = []
        for method in METHODS[spec in VEILED :]:  # the first call of each deal is one of `outcome`
            raised: list[str] = []
            position = failing(spec, method, 9 if method == "outcome" else 4, raised)
            try:
                engine.search(position, limit)
            except GameError:
                exceptions.append(method)
            else:
                assert not raised, (spec, method)
        rows.append(f"{spec}: {', '.join(exceptions)}")
    golden("ill", "\n".join(rows) + "\n")
