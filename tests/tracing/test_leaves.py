"""The reason why a search ended at each leaf, against plain recursions without the engines' code."""

import json
import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.tracing.leaves import FACTORS, STOPS, LeafCount
from tests.support.commands import run_printed
from tests.support.game_trees import TwoMoves, random_tree
from tests.support.paths import ROOT
from tests.support.traces import trace_search
from tests.tracing.test_windows import tree_position

ENDLESS = float("inf")
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def count_leaves(spec: str, position: Any, limit: Limit) -> Counter[str]:
    """The leaves of a trace by the reason that ended the search; asserts that each leaf has one."""
    steps, _ = trace_search(spec, position, limit)
    count, path = LeafCount(), []
    inner, left = set(), set()  # nodes by number
    for step in steps:
        count(step)
        if step.what == "enter":
            del path[step.level :]
            inner |= set(path[-1:])
            path.append(step.node)
        elif step.what == "leave" and step.stop != "stopped":
            left.add(step.node)
            assert bool(step.stop) == (step.node not in inner)
    count.close()
    assert count.stops.total() == len(left - inner) + count.stops["stopped"]
    return count.stops


def payoff(cells: str) -> str:
    return next((cells[a] for a, b, c in LINES if cells[a] == cells[b] == cells[c] != "."), "")


def open_lines(cells: str, player: str) -> int:
    other = "o" if player == "x" else "x"
    return sum(all(cells[i] != other for i in line) for line in LINES)


def tictactoe(cells: str, depth: int, low: float, high: float, leaves: Counter[str]) -> None:
    """The leaves of minimax for x, with thresholds for RCDC - RCDO."""
    if payoff(cells) or "." not in cells:
        leaves["game over"] += 1
        return
    guess = open_lines(cells, "x") - open_lines(cells, "o")
    if depth == 0:
        leaves["depth"] += 1
        return
    if cells.count(".") < 9 and not low <= guess <= high:
        leaves["max threshold" if guess > high else "min threshold"] += 1
        return
    mover = "x" if cells.count("x") == cells.count("o") else "o"
    for i in range(9):
        if cells[i] == ".":
            tictactoe(cells[:i] + mover + cells[i + 1 :], depth - 1, low, high, leaves)


def cells_after(words: str) -> str:
    """The board after moves, row 3 first, as in the trace's game."""
    cells = ["."] * 9
    for number, word in enumerate(words.split()):
        cells[3 * (3 - int(word[1])) + "abc".index(word[0])] = "xo"[number % 2]
    return "".join(cells)


@pytest.mark.parametrize("words", ["b2 a1", "a1 b2", "b1 a1 c3 a2"])
def test_leaves_of_minimax_equal_a_plain_recursion(words: str) -> None:
    leaves: Counter[str] = Counter()
    tictactoe(cells_after(words), 4, -ENDLESS, ENDLESS, leaves)
    assert count_leaves("minimax", registry.game("tictactoe").new(words), Limit(depth=4)) == leaves
    assert len(leaves) == 2 or words == "b1 a1 c3 a2"


class Alphabeta:
    """A plain alpha-beta that counts its leaves, and stops after this number of nodes."""

    def __init__(self, nodes: int = 10**9) -> None:
        self.nodes = nodes
        self.counts: Counter[str] = Counter()

    def search(self, tree: Any, depth: int, alpha: float, beta: float, maximizing: bool) -> float | None:
        self.nodes -= 1
        if self.nodes <= 0:
            self.counts["stopped"] += 1
            return None
        if not isinstance(tree, list):
            self.counts["game over"] += 1
            return float(tree)
        if depth == 0:
            self.counts["depth"] += 1
            return 0.0  # without an evaluation a position counts 0
        best = -ENDLESS if maximizing else ENDLESS
        for child in tree:
            value = self.search(child, depth - 1, alpha, beta, not maximizing)
            if value is None:
                return None
            best = max(best, value) if maximizing else min(best, value)
            alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best


@pytest.mark.parametrize("seed", range(12))
def test_leaves_of_alphabeta_equal_a_plain_recursion(seed: int) -> None:
    tree = [random_tree(Random(seed), 5) for _ in range(2)]
    for depth in (2, 4, 9):
        plain = Alphabeta()
        plain.search(tree, depth, -ENDLESS, ENDLESS, True)
        assert count_leaves("alphabeta", tree_position(tree), Limit(depth=depth)) == plain.counts


@pytest.mark.parametrize("seed", range(12))
def test_leaves_of_a_stopped_search_equal_a_plain_recursion(seed: int) -> None:
    tree = [random_tree(Random(seed), 5) for _ in range(2)]
    for nodes in (1, 2 + seed, 20, 60):
        plain, depth, cut = Alphabeta(nodes), 0, 1
        while cut and not plain.counts["stopped"]:  # a node limit deepens, until nothing ends at the depth
            depth, cut = depth + 1, plain.counts["depth"]
            plain.search(tree, depth, -ENDLESS, ENDLESS, True)
            cut = plain.counts["depth"] - cut
        assert count_leaves("alphabeta", tree_position(tree), Limit(nodes=nodes)) == +plain.counts


@pytest.mark.parametrize(("words", "low", "high"), [("b2 a1", 0, 2), ("a1 b2", -1, 3), ("c1 b3", -1, 1)])
def test_leaves_at_thresholds_equal_a_plain_recursion(words: str, low: int, high: int) -> None:
    cells, leaves = cells_after(words), Counter()

    def visit(cells: str, depth: int, alpha: float, beta: float, root: bool) -> float:
        mover = "x" if cells.count("x") == cells.count("o") else "o"
        won = payoff(cells)
        if won or "." not in cells:
            leaves["game over"] += 1
            return 0 if not won else (1000 + depth) * (1 if won == mover else -1)
        guess = open_lines(cells, "x") - open_lines(cells, "o")
        mine = guess if mover == "x" else -guess
        if depth == 0 or (not root and not low <= guess <= high):
            leaves["depth" if depth == 0 else "max threshold" if guess > high else "min threshold"] += 1
            return mine
        best = -ENDLESS
        for name in (f"{column}{row}" for row in "123" for column in "abc"):
            i = 3 * (3 - int(name[1])) + "abc".index(name[0])
            if cells[i] == ".":
                after = cells[:i] + mover + cells[i + 1 :]
                best = max(best, -visit(after, depth - 1, -beta, -max(alpha, best), False))
                if best >= beta:
                    break
        return best

    visit(cells, 4, -ENDLESS, ENDLESS, True)
    spec = f"alphabeta:min_threshold={low},max_threshold={high}"
    assert count_leaves(spec, registry.game("tictactoe").new(words), Limit(depth=4)) == leaves
    assert leaves["max threshold"] + leaves["min threshold"] > 3


def worth(path: str) -> int:
    """An evaluation for the player to move."""
    return Random(path).randint(-50, 50)


class Noisy(TwoMoves):
    """A game in which move 1 is noisy if the evaluation is odd."""

    def outcome(self) -> None:
        return None

    def evaluate(self) -> int:
        return worth(self.path)

    def noisy(self) -> list[int]:
        return [1] if worth(self.path) % 2 else []

    def twin(self) -> "Noisy":
        other = Noisy()
        for move in self.path:
            other.make(int(move))
        return other


@pytest.mark.parametrize("seed", range(8))
def test_leaves_of_quiescence_equal_a_plain_recursion(seed: int) -> None:
    leaves: Counter[str] = Counter()

    def quiesce(path: str, alpha: float, beta: float) -> float:
        best: float = worth(path)
        if best >= beta:
            leaves["stand pat"] += 1
            return best
        if not worth(path) % 2:
            leaves["quiet"] += 1
            return best
        return max(best, -quiesce(path + "1", -beta, -max(alpha, best)))

    root = Noisy()
    for bit in f"{seed:03b}":
        root.make(int(bit))
    alpha = -ENDLESS
    for move in "01":
        alpha = max(alpha, -quiesce(root.path + move, -ENDLESS, -alpha))
    spec = "quiescence:pvs=off,aspiration=off,table=off,order=generated"
    assert count_leaves(spec, root, Limit(depth=1)) == leaves


def test_every_reason_has_a_factor_and_a_row_of_the_manual() -> None:
    assert len(STOPS) == sum(map(len, FACTORS.values())), "each belongs to one factor"
    manual = (ROOT / "docs/concepts/deep-enough.md").read_text()
    for words in STOPS.values():
        assert f"`{words}`" in manual, words


def test_text_and_json_count_the_same_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ("tree:lecture", "--engine", "alphabeta"),
        ("connect4", "--engine", "alphabeta:max_threshold=2", "--depth", "3"),
        ("chess", "--engine", "selective", "--depth", "2"),
    ):
        status, out, _ = run_printed(capsys, "trace", *words)
        steps = map(json.loads, run_printed(capsys, "trace", *words, "--json")[1].splitlines())
        stops = Counter(step["stop"] for step in steps if "stop" in step)
        head = re.search(r"^([\d,]+) leaves; what stopped the search there:\n((?:  .*\n)+)", out, re.M)
        assert status == 0 and head is not None and int(head[1]) == stops.total()
        counts = [int(re.search(r"\?? +(\d+)  ", row)[1]) for row in head[2].splitlines()]
        assert sum(counts) == stops.total()
        assert out.count(" leaf") + out.count("(a leaf: ") >= stops.total()
