"""Traces of searches: minimax's whole tree, and alpha-beta's by Knuth and Moore's rules."""

from random import Random
from typing import Any

import pytest

from gameplay import Limit, Position, registry
from gameplay.errors import Usage
from gameplay.games.tree import Tree
from gameplay.kernel import compiled
from gameplay.search.trace import EVENTS, REASONS, TraceEvent
from tests.support.engine_options import SEARCHES
from tests.support.game_trees import game_of, random_tree, uniform_tree

MIDDLE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"


def trace_events(spec: str, position: Any, depth: int) -> list[TraceEvent]:
    events: list[TraceEvent] = []
    registry.engine(spec)[0].search(position, Limit(depth=depth), trace=events.append)
    return events


def paths(events: list[TraceEvent]) -> list[tuple[tuple[int, ...], int, int]]:
    """Each node entered: the moves that lead there, and its window."""
    line: list[int] = []
    results = []
    for event in events:
        if event.what == "enter":
            if event.ply:
                line.append(event.move)
            assert len(line) == event.ply
            results.append((tuple(line), event.alpha, event.beta))
        elif event.what == "leave" and event.ply:
            assert line.pop() == event.move
    assert not line
    return results


@pytest.mark.parametrize(
    ("game", "text", "depth"), [("tictactoe", "b2 a1 c2", 6), ("connect4:columns=4,rows=4", "2323", 5)]
)
def test_the_whole_tree_of_minimax_can_be_rebuilt_from_its_events(game: str, text: str, depth: int) -> None:
    position = registry.game(game).new(text)
    expected: list[tuple[tuple[int, ...], int | None]] = []

    def walk(line: tuple[int, ...], left: int) -> None:
        over = position.outcome() is not None
        expected.append((line, position.evaluate() if not over and not left else None))
        if over or not left:
            return
        for move in position.moves():
            position.make(move)
            walk((*line, move), left - 1)
            position.unmake()

    walk((), depth)
    events = trace_events("minimax", position, depth)
    log: list[tuple[tuple[int, ...], int | None]] = []
    for line, _, _ in paths(events):
        log.append((line, None))
    entered = -1
    for event in events:
        entered += event.what == "enter"
        if event.what == "evaluate":
            log[entered] = (log[entered][0], event.value)
    assert log == expected
    assert {event.why for event in events if event.what == "leave"} == {"exact"}


def test_traced_minimax_values_are_backed_up() -> None:
    """A node's value is the best value of its children, from its mover's view."""
    events = trace_events("minimax", registry.game("tictactoe").new("b2 a1 c2"), 9)
    stack: list[list[int]] = []
    movers: list[int] = []
    for event in events:
        if event.what == "enter":
            stack.append([])
            movers.append(event.mover)
        elif event.what == "leave":
            children, mover = stack.pop(), movers.pop()
            assert not children or event.value == max(children)
            if stack:
                stack[-1].append(event.value if movers[-1] == mover else -event.value)


def knuth_and_moore(tree: Any) -> list[tuple[tuple[int, ...], float, float]]:
    """The nodes that procedure F2 of their paper (1975) visits, with their windows."""
    visited = []

    def f2(node: Any, line: tuple[int, ...], alpha: float, beta: float, sign: int) -> float:
        visited.append((line, alpha, beta))
        if not isinstance(node, list):
            return sign * node
        m = alpha
        for number, child in enumerate(node):
            t = -f2(child, (*line, number), -beta, -m, -sign)
            m = max(m, t)
            if m >= beta:
                return m
        return m

    f2(tree, (), float("-inf"), float("inf"), 1)
    return visited


def test_alphabeta_visits_the_nodes_of_knuth_and_moore_to_the_last_one() -> None:
    rng = Random(75)
    for _ in range(200):
        tree = [random_tree(rng, 5) for _ in range(3)]
        ours = paths(trace_events("alphabeta", Tree.of(game_of(tree)), 20))
        theirs = knuth_and_moore(tree)
        assert [line for line, _, _ in ours] == [line for line, _, _ in theirs]
        for (_, alpha, beta), (_, low, high) in zip(ours, theirs, strict=True):
            assert (alpha > -1_000_000, beta < 1_000_000) == (low > float("-inf"), high < float("inf"))
            assert alpha in (low, -2_000_000) and beta in (high, 2_000_000)


@pytest.mark.parametrize(("width", "depth"), [(2, 6), (3, 4), (4, 3), (5, 5)])
def test_best_ordered_tree_has_the_minimal_number_of_leaves(width: int, depth: int) -> None:
    """b^ceil(d/2) + b^floor(d/2) - 1 (Knuth and Moore 1975; Slagle and Dixon 1969)."""

    def sorted_best_first(node: Any, sign: int) -> Any:
        if not isinstance(node, list):
            return node
        children = [sorted_best_first(child, -sign) for child in node]
        return sorted(children, key=lambda child: -sign * value(child, -sign))

    def value(node: Any, sign: int) -> int:
        if not isinstance(node, list):
            return int(node)
        return (max if sign > 0 else min)(value(child, -sign) for child in node)

    tree = sorted_best_first(uniform_tree(Random(width), width, depth), 1)
    events = trace_events("alphabeta", Tree.of(game_of(tree)), depth)
    leaves = [line for line, _, _ in paths(events) if len(line) == depth]
    assert len(leaves) == width ** ((depth + 1) // 2) + width ** (depth // 2) - 1
    cuts = [event for event in events if event.what == "cut"]
    assert cuts and {event.why for event in cuts} == {"beta"}


@pytest.mark.parametrize(
    ("spec", "game", "text", "depth"),
    [
        ("minimax", "connect4", "4455343", 3),
        ("alphabeta:table=1MB", "connect4", "4455343", 6),
        ("alphabeta:fail=hard", "connect4", "4455343", 6),
        ("iterative", "connect4", "4455343", 7),
        ("quiescence", "chess", MIDDLE, 3 if compiled() else 2),
        ("selective", "chess", "", 8 if compiled() else 6),
        ("selective:secondary=2", "chess", "", 4),
        ("expectiminimax", "pig", "", 3),
        ("expectiminimax:prune=star2", "pig", "", 3),
        ("maxn", "nim:players=3", "", 4),
        ("maxn:table=1MB", "nim:players=3", "", 4),
        ("paranoid", "nim:players=3", "", 4),
        ("brs", "nim:players=3", "", 4),
    ],
)
def test_tracing_changes_nothing_and_covers_every_node(spec: str, game: str, text: str, depth: int) -> None:
    position = registry.game(game).new(text)
    engine, _ = registry.engine(spec)
    alone = engine.search(position, Limit(depth=depth))
    events: list[TraceEvent] = []
    report = engine.search(position, Limit(depth=depth), trace=events.append)
    assert (report.move, report.value, report.nodes, report.pv) == (
        alone.move,
        alone.value,
        alone.nodes,
        alone.pv,
    )
    entered = sum(event.what == "enter" for event in events)
    assert entered == sum(event.what == "leave" for event in events)
    assert entered == report.nodes
    assert {event.what for event in events} <= set(EVENTS) and {event.why for event in events} <= {
        *REASONS,
        *("exact", "lower", "upper"),
    }
    for event in events:
        if event.what == "enter":
            assert event.alpha < event.beta
    if not spec.startswith("selective"):
        assert report.seldepth == max(event.ply for event in events if event.what == "enter")
    if spec == "quiescence":
        assert {event.why for event in events if event.what == "cut"} >= {"beta", "stand pat"}


def test_selective_traces_pruned_moves_with_reasons() -> None:
    events = trace_events("selective:extend=on", registry.game("chess").new(), 8)
    reasons = {(event.what, event.why) for event in events}
    for what, why in (
        *(
            ("cut", "beta"),
            ("cut", "table"),
            ("cut", "stand pat"),
            ("cut", "threshold"),
            ("cut", "null move"),
        ),
        *(("skip", "late"), ("skip", "futility"), ("skip", "exchange"), ("skip", "delta")),
        *(("extend", "threat"), ("extend", "singular")),
        *(("reduce", "late move"), ("reduce", "no table move")),
    ):
        assert (what, why) in reasons, f"{what}: {why}"


class ListenerError(Exception):
    pass


def test_exception_of_a_listener_ends_the_search_and_propagates() -> None:
    position = registry.game("connect4").new()
    before = str(position)

    def raising(event: TraceEvent) -> None:
        if event.ply == 3:
            raise ListenerError

    for spec, limit in (
        ("iterative", Limit(depth=12)),
        ("mcts", Limit(simulations=10**6)),
        ("pns", Limit(nodes=10**9)),
    ):
        with pytest.raises(ListenerError):
            registry.engine(spec)[0].search(position, limit, trace=raising)
        assert str(position) == before


def test_several_threads_cannot_be_traced() -> None:
    for spec, limit in (("iterative:threads=2", Limit(depth=3)), ("mcts:threads=2", Limit(simulations=9))):
        with pytest.raises(Usage, match="several threads cannot be traced"):
            registry.engine(spec)[0].search(registry.game("connect4").new(), limit, trace=print)


TraceStep = tuple[str, int, int, str]  # what, ply, move, why


def depth_first_steps(position: Any, room: int, ply: int, last: int, guided: bool) -> list[TraceStep]:
    """The steps of a depth-first search within `room` below a position, up to the first goal."""
    steps: list[TraceStep] = [("expand", ply, last, "")]
    for move in position.moves():
        if ply and move == 3 - last:  # straight back
            continue
        position.make(move)
        goal = position.outcome() is not None
        left = position.estimate() if guided else 0
        beyond = 1 + left > room if guided else room == 1 and not goal
        steps.append(("generate", ply + 1, move, "threshold" if beyond else "goal" if goal else ""))
        if not beyond and not goal:
            steps += depth_first_steps(position, room - 1, ply + 1, move, guided)
        position.unmake()
        if steps[-1][3] == "goal":
            break
    return steps


def ways(spec: str, text: str) -> tuple[Any, Any, list[TraceEvent]]:
    """The 8-puzzle, the report of its search, and the trace."""
    events: list[TraceEvent] = []
    position = registry.game("puzzle15:rows=3,columns=3").new(text)
    report = registry.engine(spec)[0].search(position, Limit(), trace=events.append)
    alone = registry.engine(spec)[0].search(position, Limit())
    assert (report.nodes, report.expanded, report.pv) == (alone.nodes, alone.expanded, alone.pv)
    return position, report, events


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("dfid", "1 4 2 3 5 8 6 7 0"),
        ("idastar", "3 1 2 7 5 4 0 6 8"),
        ("idastar:heuristic=manhattan", "3 1 2 7 5 4 0 6 8"),
    ],
)
def test_the_trees_below_rising_thresholds_can_be_rebuilt(spec: str, text: str) -> None:
    position, report, events = ways(spec, text)
    trees: list[list[TraceStep]] = []
    for event in events:
        if event.what == "threshold":
            trees.append([])
        else:
            trees[-1].append((event.what, event.ply, event.move, event.why))
    assert [event.value for event in events if event.what == "threshold"] == list(report.thresholds)
    assert len(trees) > 1 and trees[-1][-1][3] == "goal"
    position.heuristic = "manhattan" if "manhattan" in spec else None
    for threshold, tree in zip(report.thresholds, trees, strict=True):
        assert tree == depth_first_steps(position, threshold, 0, -1, guided=spec != "dfid")
    assert report.expanded == sum(event.what == "expand" for event in events)
    assert report.nodes == 1 + sum(event.what == "generate" for event in events)


def test_path_trace_has_lower_bounds_of_cost() -> None:
    """Each value is the cost so far plus the estimate, searched up to the threshold."""
    position, _, events = ways("idastar:heuristic=manhattan", "1 4 2 3 5 8 6 7 0")
    position.heuristic = "manhattan"
    line, threshold = [], 0.0
    for event in events:
        if event.what == "threshold":
            threshold = event.value
            continue
        line = [*line[: max(0, event.ply - 1)], *([event.move] if event.ply else [])]
        for move in line:
            position.make(move)
        assert event.value == len(line) + position.estimate()
        assert (event.value > threshold) == (event.why == "threshold")
        for _ in line:
            position.unmake()


def test_the_graph_that_astar_keeps_can_be_rebuilt() -> None:
    position, report, events = ways("astar:heuristic=manhattan", "3 1 2 7 5 4 0 6 8")
    position.heuristic = "manhattan"
    lines: dict[int, list[int]] = {0: []}
    keys: dict[int, Any] = {0: position.key()}
    expanded: list[int] = []
    threshold = 0.0
    for event in events:
        if event.what == "threshold":
            assert event.value > threshold
            threshold = event.value
        elif event.what == "expand":
            assert event.value == threshold, "always one of the least"
            expanded.append(event.node)
        else:
            line = [*lines[expanded[-1]], event.move]
            for move in line:
                position.make(move)
            assert event.value == len(line) + position.estimate()
            assert keys.setdefault(event.node, position.key()) == position.key()
            for _ in line:
                position.unmake()
            assert (event.why != "") == (event.node in lines)
            if event.why != "dearer":
                lines[event.node] = line
            else:
                assert len(line) >= len(lines[event.node])
    assert len(set(keys.values())) == len(keys), "a number a position"
    assert len(set(expanded)) == len(expanded), "the estimate is consistent: none is opened again"
    assert [event.why for event in events if event.what == "expand"][-1] == "goal"
    assert lines[expanded[-1]] == list(report.pv)
    assert len(expanded) == report.expanded + 1, "and the goal"
    assert report.nodes == 1 + sum(event.what == "generate" for event in events)


class Sticks(Position):
    """Take one or two sticks; the player who takes the last one wins."""

    def __init__(self) -> None:
        super().__init__()
        self.sticks = 5
        self.made: list[int] = []

    def moves(self) -> list[int]:
        return [take for take in (1, 2) if take <= self.sticks]

    def make(self, move: int) -> None:
        self.sticks -= move
        self.turn = 1 - self.turn
        self.made.append(move)

    def unmake(self) -> None:
        self.sticks += self.made.pop()
        self.turn = 1 - self.turn

    def outcome(self) -> tuple[int, int] | None:
        return None if self.sticks else (-1, 1) if self.turn == 0 else (1, -1)


def test_a_game_in_python_is_traced_too() -> None:
    lines = [line for line, _, _ in paths(trace_events("minimax", Sticks(), 9))]
    ways = {line for line in lines if sum(line) == 5}
    assert len(ways) == 8  # the ways to write 5 as ones and twos in order: a Fibonacci number


def test_fields_absent_from_a_trace_event() -> None:
    assert TraceEvent("enter", 3) == ("enter", 3, -1, 0, 0, 0, 0, 0, "", (), -1, 0, (), (), ())


@pytest.mark.parametrize(("spec", "game", "text", "depth"), SEARCHES["counted"], ids=lambda value: str(value))
def test_report_counts_equal_traced_events(spec: str, game: str, text: str, depth: int) -> None:
    """Cuts, cuts by the first move tried, and table lookups, counted from the events."""
    events: list[TraceEvent] = []
    position = registry.game(game).new(text)
    report = registry.engine(spec)[0].search(position, Limit(depth=depth), trace=events.append)
    tried: list[set[int]] = [set() for _ in range(300)]  # by ply, of the node that is open there
    looked: list[bool] = [False] * 300
    calm: list[bool] = [False] * 300  # only noise is searched there, and not counted
    hits = cuts = first = looks = 0
    for event in events:
        if event.what == "enter":
            tried[event.ply], looked[event.ply] = set(), False
            calm[event.ply] = event.depth <= 0
            if event.ply:
                tried[event.ply - 1].add(event.move)
        elif event.what == "leave":
            inner = event.ply > 0 and not calm[event.ply]
            looks += inner and (looked[event.ply] or bool(tried[event.ply]))
        elif event.what == "table":
            hits += 1
            looked[event.ply] = True
        elif event.what == "cut" and event.why != "table" and not calm[event.ply]:
            cuts += 1
            first += len(tried[event.ply]) == 1
    assert (report.cutoffs, report.first_cutoffs) == (cuts, first) and 0 < first <= cuts
    assert report.first_share == first / cuts
    assert report.branching == pytest.approx(report.nodes ** (1 / report.depth))
    assert 0 <= hits <= report.hits <= report.probes and report.hit_share == report.hits / report.probes
    if spec.startswith(("alphabeta", "iterative", "paranoid")):  # others look also where no event tells of it
        assert (report.hits, report.probes) == (hits, looks) and hits
