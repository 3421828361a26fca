"""The trace of MCTS: the tree is rebuilt from it; UCB1 and the four phases."""

import math
import re
from collections import Counter

import pytest

from gameplay import registry
from gameplay.kernel import compiled
from gameplay.search.trace import TraceEvent
from tests.support.mcts import SMALL, random_tree, search


def close(first: float, second: float) -> bool:
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-9)


class RebuiltTree:
    """The tree of a search, rebuilt and checked event by event."""

    def __init__(self) -> None:
        self.visits: Counter[tuple[int, ...]] = Counter()
        self.total: Counter[tuple[int, ...]] = Counter()  # payoffs of the player who moved there
        self.below: dict[tuple[int, ...], int] = {}  # the number of moves of expanded nodes
        self.simulated: Counter[tuple[int, ...]] = Counter()  # simulations, where they left the tree
        self.payoffs: list[float] = []
        self.simulations = 0
        self.line: tuple[int, ...] = ()
        self.gains: tuple[float, ...] = ()

    def mean(self, line: tuple[int, ...]) -> float:
        return self.total[line] / self.visits[line] if self.visits[line] else 0.0

    def hear(self, event: TraceEvent) -> None:
        if event.what == "select":
            self.line = (*self.line[: event.ply - 1], event.move) if event.ply > 1 else (event.move,)
            assert event.visits == self.visits[self.line] and len(self.line) == event.ply
            assert close(event.value, self.mean(self.line))
            assert (event.why == "lot") == (event.mover < 0)
            assert event.why or event.visits
        elif event.what == "expand":
            assert self.line[: event.ply] not in self.below and event.visits == 0
            self.below[self.line[: event.ply]] = int(event.value)
        elif event.what == "simulate":
            assert event.ply == len(self.line)
            assert event.value == (0 if event.mover < 0 else event.values[event.mover])
            self.gains = event.values
            self.simulated[self.line] += 1
            self.payoffs += event.values
        elif event.what == "backup":
            line = self.line[: event.ply]
            self.visits[line] += 1
            self.total[line] += self.gains[event.mover] if event.mover >= 0 else 0
            assert event.visits == self.visits[line]
            assert close(event.value, self.mean(line))
            self.simulations += not line
        else:
            assert event.what == "trim"
            for line in [line for line in self.visits if line and self.visits[line[:-1]] < event.visits]:
                del self.visits[line], self.total[line]
                self.below.pop(line[:-1], None)


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        *(("tictactoe", ""), ("connect4", "solver=off"), ("connect4", "prior=hint,rave=100,leaf=mixed")),
        *(("pig", ""), ("nim:players=3", ""), ("connect4", "memory=1MB,leaf=evaluate")),
        *(("tests/examples/games/dice_race.py", ""), ("othello", "leaf=search:2,widen=2,fpu=1")),
    ],
)
def test_the_tree_can_be_rebuilt_from_the_trace(game: str, spec: str) -> None:
    """All visits and means at every step; the search is the same as without a trace."""
    count = 120 if not compiled() else 300 if ".py" in game else 12_000 if "memory" in spec else 1500
    position = registry.game(game).new()
    tree = RebuiltTree()
    report = search(position, spec, count, 99, trace=tree.hear)
    alone = search(position, spec, count, 99)
    assert (report.candidates, report.nodes) == (alone.candidates, alone.nodes)
    assert tree.simulations == report.visits and (not compiled() or (report.trims > 0) == ("memory" in spec))
    for candidate in report.candidates:
        assert candidate.visits == tree.visits[(candidate.move,)]
        value = candidate.values[position.turn] if candidate.values else candidate.value
        assert candidate.proven or close(value, tree.mean((candidate.move,)))


@pytest.mark.parametrize("players", [1, 2, 3])
def test_backup_in_random_trees_is_that_of_the_trace(players: int) -> None:
    """Counts and means of every node, with chance, any number of players and proofs."""
    for seed in range(150 if compiled() else 10):
        position = random_tree(seed, players, seed % 3 > 0)
        tree = RebuiltTree()
        spec = ("solver=off", "", "solver=off,fpu=1.1")[seed % 3]
        report = search(position, f"{SMALL},{spec},seed={seed}", 80, trace=tree.hear)
        assert tree.simulations == report.visits == tree.visits[()]
        below: Counter[tuple[int, ...]] = Counter()
        for line, count in tree.visits.items():
            if line:
                below[line[:-1]] += count
        assert all(count == tree.simulated[line] + below[line] for line, count in tree.visits.items())


@pytest.mark.parametrize(("game", "c"), [("connect4", 0.7), ("tests/examples/games/dice_race.py", 1.4)])
def test_selection_maximizes_ucb1(game: str, c: float) -> None:
    """Recomputed from the events: untried moves in order first, then the greatest bound."""
    position = registry.game(game).new()
    tree = RebuiltTree()
    compared = 0

    def hear(event: TraceEvent) -> None:
        nonlocal compared
        above = tree.line[: event.ply - 1] if event.ply > 1 else ()
        if event.what == "select" and event.why != "lot":
            for move in above:
                position.make(move)
            moves = position.moves()
            assert position.turn == event.mover
            for _ in above:
                position.unmake()
            untried = [move for move in moves if not tree.visits[(*above, move)]]
            if untried:
                assert (event.move, event.why) == (untried[0], "untried")
            else:
                least, most = min(tree.payoffs), max(tree.payoffs)
                log = math.log(tree.visits[above])
                bounds = [
                    (tree.mean(line) - least) / ((most - least) or 1) + c * math.sqrt(log / tree.visits[line])
                    for line in [(*above, move) for move in moves]
                ]
                assert close(event.beta, max(bounds))
                assert close(bounds[moves.index(event.move)], max(bounds))
                compared += 1
        tree.hear(event)

    search(registry.game(game).new(), f"c={c},solver=off", 400 if compiled() else 150, trace=hear)
    assert compared > 100


def test_trace_has_the_four_steps_in_order() -> None:
    """One simulation after the other; the moves of a playout lead to the end with the reported payoff."""
    events: list[TraceEvent] = []
    position = registry.game("tictactoe").new("b2 a1")
    search(position, "", 1000, trace=events.append)
    steps = "".join(event.what[0] if event.what != "simulate" else "p" for event in events)
    assert re.fullmatch("(s+(es)?pb+)+", steps)
    line: list[int] = []
    for event in events:
        if event.what == "select":
            line = [*line[: event.ply - 1], event.move]
        elif event.what == "simulate" and event.why in ("", "end of the game"):
            for move in (*line, *event.line):
                position.make(move)
            assert position.outcome() == event.values and (event.why == "") == bool(event.line)
            for _ in (*line, *event.line):
                position.unmake()
    assert {event.why for event in events if event.what == "simulate"} == {"", "end of the game"}
    assert any(event.why == "proven" for event in events if event.what == "backup")
