"""Traces of proof-number search: numbers satisfy their definition, and proofs are true."""

import json
import math
from functools import cache
from random import Random
from typing import Any
from zlib import crc32

import pytest

from gameplay.cli import router, run
from gameplay.display.reports import proving
from gameplay.display.reports.drawn_tree import DrawnNode
from gameplay.display.reports.trace import TraceLines
from gameplay.engines.pns import Pns
from gameplay.games.tree import Tree
from gameplay.knowledge.knowledge import Advice, Knowledge
from gameplay.registry import game
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.search.trace import TraceEvent
from gameplay.tracing.proving import ProofFollower
from gameplay.tracing.trace import TraceStep
from gameplay.value import TB_WIN
from tests.support.graphs import graphs, minimax_value, sign
from tests.support.paths import ROOT

CONNECT4, CLOSE = "connect4:columns=4,rows=4", "2233"
ENOUGH = Limit(nodes=100_000)  # without a limit a search has two seconds


@cache
def search_events(weak: bool) -> tuple[Any, list[TraceEvent]]:
    events: list[TraceEvent] = []
    position = game(CONNECT4).new(CLOSE)
    return Pns(table="1MB", weak=weak).search(position, ENOUGH, trace=events.append), events


def follow_events(events: list[TraceEvent], position: Any) -> list[TraceStep]:
    steps: list[TraceStep] = []
    follow = ProofFollower(position, steps.append)
    for event in events:
        follow(event)
    return steps


class OpenNode:
    """An open node, rebuilt from the events."""

    def __init__(self, event: TraceEvent, attacking: bool, weak: bool) -> None:
        # Index of the number that is the minimum over the children; the other is their sum.
        self.least = 0 if attacking else 1
        self.thresholds = event.numbers
        self.weak = weak
        self.children: dict[int, tuple[float, ...]] = {}

    def sum(self, numbers: list[float]) -> float:
        counted = [number for number in numbers if number]
        return max(counted) + len(counted) - 1 if self.weak and counted else sum(counted)

    def numbers(self) -> tuple[float, ...]:
        """The numbers by definition: Allis, van der Meulen and van den Herik 1994; sums as in `weak`."""
        least_number = min(numbers[self.least] for numbers in self.children.values())
        two = self.sum([numbers[1 - self.least] for numbers in self.children.values()])
        return (least_number, two) if self.least == 0 else (two, least_number)

    def most_proving(self) -> tuple[int, tuple[float, ...], float]:
        """The most-proving move, the thresholds below it, and the least number of the others."""
        least = self.least
        move = min(self.children, key=lambda move: self.children[move][least])
        rest = {other: numbers for other, numbers in self.children.items() if other != move}
        second = min((numbers[least] for numbers in rest.values()), default=math.inf)
        limit = min(self.thresholds[least], second + second // 4 + 1 if second < math.inf else math.inf)
        # Below it may grow what lets the sum here reach the threshold: for strong sums by subtraction.
        room = self.thresholds[1 - least]
        if room < math.inf:
            others = [numbers[1 - least] for numbers in rest.values() if numbers[1 - least]]
            room -= len(others) if self.weak else sum(others)
        return move, (limit, room) if least == 0 else (room, limit), second


def check_events(events: list[TraceEvent], weak: bool) -> int:
    """Check the numbers, thresholds and reasons of each node by theory; return the number of nodes left."""
    path: list[OpenNode] = []
    attacker = left = 0
    for event in events:
        if event.what == "question":
            assert not path
            attacker = event.mover
        elif event.what == "generate":
            assert len(path) == event.ply
            path[-1].children[event.move] = event.numbers
        elif event.what == "enter":
            if path:
                above = path[-1]
                assert all(
                    number < most for number, most in zip(above.numbers(), above.thresholds, strict=True)
                )
                assert (event.move, event.numbers, event.beta) == above.most_proving()
            else:
                assert event.numbers == (math.inf, math.inf) == (event.beta, event.beta)
            path.append(OpenNode(event, event.mover == attacker, weak))
        elif event.what == "leave":
            node = path.pop()
            assert event.numbers == node.numbers()
            proof, disproof = event.numbers
            why = "proven" if proof == 0 else "disproven" if disproof == 0 else "threshold"
            assert event.why == why
            reached = proof >= node.thresholds[0] or disproof >= node.thresholds[1]
            assert reached or why != "threshold"
            if path:
                path[-1].children[event.move] = event.numbers
            left += 1
    assert not path
    return left


@pytest.mark.parametrize(("weak", "nodes", "sum"), [(True, 3591, 1785837503), (False, 6985, 4195929612)])
def test_every_number_is_the_one_of_the_definition(weak: bool, nodes: int, sum: int) -> None:
    """Thresholds, choices and reasons too; both builds trace the same events."""
    report, events = search_events(weak)
    assert report.stopped == "proven" and report.nodes == nodes
    assert 1 + len([event for event in events if event.what == "generate"]) == nodes
    assert crc32(repr(events).encode()) == sum
    assert check_events(events, weak) > 1000


def test_listening_changes_no_node() -> None:
    report, _ = search_events(True)
    alone = Pns(table="1MB").search(game(CONNECT4).new(CLOSE), ENOUGH)
    for field in ("move", "value", "bound", "nodes", "seldepth", "pv", "proof", "disproof", "claimant"):
        assert getattr(alone, field) == getattr(report, field)


def test_proofs_and_disproofs_are_true() -> None:
    """A full search agrees at each position with a number of 0."""
    results: dict[Any, int] = {}
    position = game(CONNECT4).new(CLOSE)
    attacker = decided = 0
    for event in search_events(True)[1]:
        if event.what == "question":
            attacker = event.mover
        elif event.what == "enter" and event.ply:
            position.make(event.move)
        elif event.what in ("generate", "leave"):
            if event.what == "generate":
                position.make(event.move)
            if 0 in event.numbers:
                value = minimax_value(position, results) * (1 if position.turn == attacker else -1)
                assert (sign(value) > 0) == (event.numbers[0] == 0)
                assert event.numbers in ((0, math.inf), (math.inf, 0))
                decided += 1
            if event.ply:
                position.unmake()
    assert decided > 1000


def test_proofs_in_cyclic_games_hold_for_every_path() -> None:
    numbers: dict[str, int] = {}
    for graph in graphs(60, 12):
        events: list[TraceEvent] = []
        wins = [graph.wins(player) for player in range(2)]
        attacker = 0
        Pns(table="16KB").search(graph, Limit(nodes=20_000), trace=events.append)
        line = [0]
        for event in events:
            numbers[event.why] = numbers.get(event.why, 0) + 1
            if event.what == "question":
                attacker = event.mover
            elif event.what == "enter" and event.ply:
                line.append(event.move)
            elif event.what in ("generate", "leave"):
                at = event.move if event.what == "generate" else line[-1]
                if event.numbers[0] == 0:
                    assert at in wins[attacker]
                elif event.numbers[1] == 0 and event.why not in ("this way", "repetition"):
                    assert at not in wins[attacker]
                if event.what == "leave" and event.ply:
                    line.pop()
    assert min(numbers[why] for why in ("this way", "repetition", "end of the game", "table", "mobility")) > 3


def test_why_a_threshold_ends_a_visit_is_true() -> None:
    steps = follow_events(search_events(True)[1], game(CONNECT4).new(CLOSE))
    children: list[dict[str, tuple[float, ...]]] = []
    thresholds: list[tuple[float, ...]] = []
    roles: list[str] = []
    less = above = 0
    for step in steps:
        if step.what == "enter":
            children[step.level :], thresholds[step.level :], roles[step.level :] = (
                *([{}], [step.numbers], [step.role]),
            )
        elif step.what == "generate":
            children[step.level - 1][step.word] = step.numbers
        elif step.what == "leave" and step.level:
            children[step.level - 1][step.word] = step.numbers
            up, which = step.level - 1, int(step.name == "disproof threshold")
            if step.why != "threshold":
                continue
            words = step.proof.partition(": ")[2]
            numbers = [child[which] for child in children[up].values()]
            if words == "so does the parent's":
                least = which == ("OR", "AND").index(roles[up])
                assert (min(numbers) if least else max(numbers) + len(numbers) - 1) >= thresholds[up][which]
                above += 1
            else:
                word, number = words.split(" has less now, ")
                assert children[up][word][which] == int(number) == min(numbers) < step.numbers[which]
                less += 1
    assert min(less, above) > 20


# One tree by hand. All first numbers are 1 and 1, and sums are sums.
#
#   root        OR   b (pn 1, dn 1), c (1, 1)          proof number 1: down to b until 1 + 0 + 1 = 2
#   b           AND  d, e, f (1, 1 each)               pn 1 + 1 + 1 = 3, dn 1: 2 is reached
#   root        OR   b (3, 1), c (1, 1)                pn 1, dn 1 + 1 = 2: down to c until 3 + 0 + 1 = 4
#   c           AND  g, h (1, 1 each)                  pn 2, dn 1: to g until dn 1 + 0 + 1 = 2, pn 4 - 1 = 3
#   g           OR   1 is lost, 2 won                  proved
#   c           AND  g (0, inf), h (1, 1)              pn 1, dn 1: to h, pn until 4 - 0 = 4
#   h           OR   1 is lost, 2 won                  proved, and c with it, and the root
BY_HAND = "tree:and-or"
TRACE = """\
does max win?
root: OR max, thresholds pn inf, dn inf
| b: pn 1, dn 1 (initial numbers)
| c: pn 1, dn 1 (initial numbers)
| b: AND min, thresholds pn 2, dn inf [most-proving: pn 1; the next best has 1; a quarter and 1 more is 2]
| | d: pn 1, dn 1 (initial numbers)
| | e: pn 1, dn 1 (initial numbers)
| | f: pn 1, dn 1 (initial numbers)
| b = pn 3, dn 1: proof number 3 reached its threshold 2: c has less now, 1
| c: AND min, thresholds pn 4, dn inf [most-proving: pn 1; the next best has 3; a quarter and 1 more is 4]
| | g: pn 1, dn 1 (initial numbers)
| | h: pn 1, dn 1 (initial numbers)
| | g: OR max, thresholds pn 3, dn 2 [most-proving: dn 1; the next best has 1; a quarter and 1 more is 2]
| | | 1: pn inf, dn 0 (end of the game: disproved)
| | | 2: pn 0, dn inf (end of the game: proved)
| | g = pn 0, dn inf, proved: 2 wins, in 1 ply at most
| | h: OR max, thresholds pn 4, dn inf [most-proving: dn 1; no other move is possible]
| | | 1: pn inf, dn 0 (end of the game: disproved)
| | | 2: pn 0, dn inf (end of the game: proved)
| | h = pn 0, dn inf, proved: 2 wins, in 1 ply at most
| c = pn 0, dn inf, proved: max has a win after every move of min, in 2 plies at most
root = pn 0, dn inf, proved: c wins, in 3 plies at most
"""


def test_a_tree_worked_by_hand() -> None:
    lines: list[str] = []
    engine = Pns(table="16KB", mobility=False, weak=False)
    trace = ProofFollower(game(BY_HAND).new(), TraceLines(lines.append))
    assert engine.search(game(BY_HAND).new(), Limit(), trace=trace).nodes == 12
    assert "".join(lines) == TRACE
    assert TRACE in (ROOT / "docs/concepts/proof-number-search.md").read_text()
    for nodes, numbers in ((4, (1, 2)), (7, (1, 2)), (13, (0, math.inf))):
        events: list[TraceEvent] = []
        engine.search(game(BY_HAND).new(), Limit(nodes=nodes), trace=events.append)
        assert events[-1].what == "leave" and not events[-1].ply
        assert events[-1].numbers == numbers and (events[-1].why == "") == (nodes < 13)


def test_the_numbers_are_least_and_sum_on_trees_of_all_kinds() -> None:
    """With each pair of options; and the answer is that of minimax."""
    rng = Random(94)

    def random_tree(depth: int) -> Any:
        if not depth or rng.random() < 0.15:
            return rng.choice((-1, 0, 1))
        side = "max" if rng.random() < 0.5 else "min"
        return {side: {f"m{n}": random_tree(depth - 1) for n in range(rng.randint(1, 4))}}

    def value(node: Any) -> int:
        if not isinstance(node, dict):
            return int(node)
        ((side, below),) = node.items()
        return (max if side == "max" else min)(map(value, below.values()))

    nodes = 0
    for number in range(40):
        data = {"max": {"a": random_tree(5), "b": random_tree(5)}}
        weak, mobility = bool(number & 1), bool(number & 2)
        events: list[TraceEvent] = []
        engine = Pns(table="16KB", weak=weak, mobility=mobility)
        report = engine.search(Tree.of(data), Limit(), trace=events.append)
        check_events(events, weak)
        assert sign(report.value) == value(data)
        nodes += report.nodes
    assert nodes > 400


class LastFive(Knowledge):
    """Gives the result of tic-tac-toe with five empty cells."""

    in_search = True

    def probe(self, position: Any) -> Advice | None:
        if str(position).count(".") != 5:
            return None
        return Advice(
            "tables",
            value=TB_WIN * sign(minimax_value(game("tictactoe").new(position.text()), {})),
            exact=True,
        )


def test_proof_trace_names_table_results() -> None:
    session, events = Session(Pns(table="1MB")), list[TraceEvent]()
    session.knowledge = (LastFive(),)
    report = session.search(game("tictactoe").new("b2 a1"), Limit(), trace=events.append)
    assert check_events(events, True) and report.nodes == 1 + sum(
        event.what == "generate" for event in events
    )
    assert {event.numbers for event in events if event.why == "known"} == {(0, math.inf), (math.inf, 0)}


def test_proof_trace_reports_its_depth(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("trace", CONNECT4, "--moves", "1 2 1 2", "--engine", "pns:table=16KB", "--depth", "2")
    assert run(router, "gameplay", [*words]) == 0
    out = capsys.readouterr().out
    assert "too deep: the depth limit is reached, which counts as no win" in out
    assert ", disproved: the depth limit is reached; proved for this path only" in out
    assert run(router, "gameplay", [*words, "--json"]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    deep = [step for step in steps if step.get("why") == "too deep"]
    assert deep and all(step["what"] == "cut" and step["level"] == 2 for step in deep)


def test_stopped_proof_search_reports_its_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["trace", "tictactoe", "--engine", "pns", "--nodes", "50"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3].startswith("the search was stopped: pn ") and lines[-3].endswith(" so far")
    assert lines[-1].endswith("50 nodes, stopped: nodes")


def test_raising_listener_receives_no_more_events() -> None:
    events: list[TraceEvent] = []

    def raising(event: TraceEvent) -> None:
        events.append(event)
        if len(events) == 20:
            raise KeyError

    with pytest.raises(KeyError):
        Pns(table="16KB").search(game(CONNECT4).new(), Limit(), trace=raising)
    assert len(events) == 20


def test_a_player_may_be_called_or() -> None:
    assert not TraceStep("enter", 0, 0, "OR").proving and TraceStep("enter", 0, 0, "OR", player="x").proving
    assert DrawnNode("a", "OR", children=[DrawnNode("b")]).kind == "player"


def test_a_step_in_words() -> None:
    """Cases missing in the trees above: visits, omitted moves, a stopped search."""

    def step_text(what: str, **more: Any) -> str:
        return proving.format_step(TraceStep(what, 3, 1, "OR", player="max", **more))

    assert step_text("question", name="does max win?", word="a") == "does max win?"
    assert step_text("enter", word="a", visits=1, numbers=(2, 3)) == "a: OR max, thresholds pn 2, dn 3"
    assert step_text("enter", visits=2, numbers=(2, math.inf), name="most-proving", proof="it is") == (
        "root: OR max, visit 2, thresholds pn 2, dn inf [most-proving: it is]"
    )
    assert step_text("generate", word="a", numbers=(0, math.inf), name="table") == (
        "a: pn 0, dn inf (table: proved)"
    )
    cut = {"name": "decided", "proof": "a decides it", "unsearched": ("b", "c")}
    assert step_text("cut", **cut) == "decided: a decides it"
    assert step_text("cut", left=2, **cut) == "decided: a decides it; not generated: b, c"
    assert step_text("cut", left=3, **cut) == "decided: a decides it; not generated: b, c and 1 more"
    assert step_text("leave", name="stopped", numbers=(4, 1)) == "the search was stopped: pn 4, dn 1 so far"
    assert step_text("leave", word="a", numbers=(4, 1), proof="reached") == "a = pn 4, dn 1: reached"
