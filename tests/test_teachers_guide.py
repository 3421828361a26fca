"""The teacher's guide: the screens below its commands, and its numbers, recomputed in plain Python."""

import math
import re
import shlex
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import click
import pytest

from gameplay.cli import load
from tests.support.commands import run_printed
from tests.support.paths import ROOT

pytestmark = pytest.mark.once
GUIDE = (ROOT / "docs/teaching/guide.md").read_text()
SCREENS = re.findall(r"```sh\n(.*?)```\n```\n(.*?)```", GUIDE, re.S)
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", GUIDE, re.S | re.M))
TWO_PLY = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
STANDOUT = [[(1, [2, 1]), (6, [7, 5]), (6, [8, 6])], [(0, [5, 4]), (4, [1, 0]), (5, [6, 5])]]  # MIN's moves
LECTURE = [[3, 12, 8], [2, 7, 1], [14, 5, 2]]
BEST = [[[[8, 12], [2, 16]], [[13, 14], [5, 10]]], [[[3, 11], [1, 15]], [[6, 7], [4, 9]]]]
HORIZON = {"suffer": {"capture": -3, "wait": 0}, "delay": {"pawn": {"retreat": {"capture": -4, "wait": -1}}}}


def begins_with(shown: str, line: str) -> bool:
    """True if a line of the guide is on the screen; its end may be missing, and after `…` its start."""
    return line[1:] in shown if line.startswith("…") else shown.startswith(line)


@pytest.mark.parametrize(("command", "screen"), SCREENS, ids=[screen for screen, _ in SCREENS])
def test_lines_below_a_command_are_on_its_screen(
    command: str, screen: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, aside = run_printed(capsys, *shlex.split(command)[1:])
    shown = (out + aside).splitlines()
    begins = [
        (n, line) for line in screen.splitlines() for n, row in enumerate(shown) if begins_with(row, line)
    ]
    places = [min((n for n, row in begins if row == line), default=-1) for line in screen.splitlines()]
    assert status == 0 and -1 not in places and places == sorted(places), (screen, out)


def test_every_command_has_a_screen_and_every_section_an_exercise() -> None:
    assert GUIDE.count("```sh") == len(SCREENS)
    assert all("**Exercise.**" in text for name, text in SECTIONS.items() if "45 minutes" not in name)
    for link in re.findall(r"\]\(#([\w-]+)\)", GUIDE):
        assert any(re.sub(r"[^\w-]", "", name.lower().replace(" ", "-")) == link for name in SECTIONS), link


def check_section(section: str, *texts: object) -> None:
    for text in texts:
        assert str(text) in " ".join(SECTIONS[section].split()), (section, text)


def minimax(tree: Any, most: bool = True) -> float:
    children = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    values = [minimax(child, not most) for child in children]
    return (max if most else min)(values) if values else tree


def leaves(tree: Any, alpha: float = -math.inf, beta: float = math.inf, most: bool = True) -> tuple[Any, int]:
    """Alpha-beta: the value, and the leaves visited."""
    if not isinstance(tree, list):
        return tree, 1
    best, count = -math.inf if most else math.inf, 0
    for child in tree:
        value, visited = leaves(child, alpha, beta, not most)
        count += visited
        best = max(best, value) if most else min(best, value)
        alpha, beta = (max(alpha, best), beta) if most else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best, count


def test_numbers_of_trees() -> None:
    assert minimax(TWO_PLY) == 3 and [min(line) for line in TWO_PLY] == [3, 2, 2]
    assert 1 + 3 + 9 == 13 and leaves(TWO_PLY) == (3, 7)
    assert minimax(LECTURE) == 3 and [min(line) for line in LECTURE] == [3, 1, 2]
    check_section("Minimax", "3 at the root; 3, 1 and 2 below")
    assert [leaves(line, 3, math.inf, False)[1] for line in LECTURE[1:]] == [1, 3]  # with alpha = 3
    check_section("Alpha-beta", "third leaf of the second MIN node: 2 ≤ 3", "7 of 9 leaves")
    check_section("Windows", "[3, 14]: MAX has 3 by a1, MIN has 14 by d1")
    assert leaves(BEST) == (8, 7)


def uniform(width: int, depth: int, value: int, most: bool) -> Any:
    """A tree with this value, the best branch first at each node."""
    if depth == 0:
        return value
    worse = -1 if most else 1
    return [uniform(width, depth - 1, value + worse * n, not most) for n in range(width)]


def test_numbers_of_moves_that_stand_out() -> None:
    margins = [sorted(guess for guess, _ in moves) for moves in STANDOUT]
    assert [second - first for first, second, _ in margins] == [5, 4]
    pick = {
        margin: [moves[:1] if moves[1][0] - moves[0][0] > margin else moves for moves in STANDOUT]
        for margin in (3, 4)
    }
    trees = {
        margin: [[max(leaves) for _, leaves in moves] for moves in left] for margin, left in pick.items()
    }
    values = {margin: [min(moves) for moves in tree] for margin, tree in trees.items()}
    assert values == {3: [2, 5], 4: [2, 1]} and min(max(leaves) for _, leaves in STANDOUT[1]) == 1
    assert trees[4][1][1] <= values[4][0], "wait cuts off after b"
    check_section(
        "Singular extension, both meanings",
        "for 2",
        "with a margin of 4",
        "2 and 1 below a; 5, 4, 1 and 0 below b",
    )
    check_section("Singular extension, both meanings", "6 of 12")


def test_numbers_of_orders_and_growth() -> None:
    assert leaves(uniform(3, 5, 0, True)) == (0, 3**3 + 3**2 - 1) and 3**3 + 3**2 - 1 == 35 and 3**5 == 243
    check_section("Move ordering", "27 + 9 − 1 = 35 of 243")
    assert f"{math.log(3600 * 10**8) / math.log(35):.1f}" == "7.5"
    check_section("Branching factor", "7.5 plies")
    check_section(
        "The (2/3)^(d−2) law", f"(2/3)^3 = {100 * (2 / 3) ** 3:.1f} %", f"{100 * 12197 / 33380:.1f} %"
    )
    assert f"{100 * 10423 / 37448:.1f}" == "27.8"
    less, all_of_it = sum(35**d for d in range(1, 5)), 35**5
    check_section("Iterative deepening", f"{less:,}", f"{all_of_it:,}: {100 * less / all_of_it:.1f} %")


WON = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def open_to(cells: str, other: str) -> int:
    return sum(all(cells[i] != other for i in line) for line in WON)


class Board:
    """Alpha-beta on tic-tac-toe, squares a1, b1, ..., with the engine's table of values."""

    def __init__(
        self, tabled: bool, low: float = -math.inf, high: float = math.inf, prunes: bool = True
    ) -> None:
        self.table: dict[Any, tuple[int, float, float, float]] | None = {} if tabled else None
        self.low, self.high, self.prunes = low, high, prunes
        self.nodes = self.hits = 0

    def search(self, cells: str, depth: int, alpha: float, beta: float, ply: int = 0) -> float:
        mover, other = "xo" if cells.count("x") == cells.count("o") else "ox"
        self.nodes += 1
        if any(cells[a] == cells[b] == cells[c] == other for a, b, c in WON):
            return -(1000 - ply)
        if "." not in cells:
            return 0
        guess = open_to(cells, other) - open_to(cells, mover)
        for_x = guess if mover == "x" else -guess
        if depth == 0 or (ply and not self.low <= for_x <= self.high):
            return guess
        if self.table is not None and cells in self.table:
            deep, value, floor, ceiling = self.table[cells]
            exact = floor < value < ceiling
            if deep == depth and (
                exact or (value >= ceiling and value >= beta) or (value <= floor and value <= alpha)
            ):
                self.hits += 1
                return value
        best, floor = -math.inf, alpha
        for i in range(9):
            if cells[i] == ".":
                after = cells[:i] + mover + cells[i + 1 :]
                best = max(best, -self.search(after, depth - 1, -beta, -alpha, ply + 1))
                alpha = max(alpha, best)
                if alpha >= beta and self.prunes:
                    break
        if self.table is not None:
            self.table[cells] = depth, best, floor, beta
        return best


def test_numbers_of_tictactoe() -> None:
    start = "o...x...."  # b2 a1
    plain, tabled, within = Board(False), Board(True), Board(False, 0, 2)
    values = [count.search(start, 4, -math.inf, math.inf) for count in (plain, tabled, within)]
    assert values == [1, 1, 3] and (plain.nodes, tabled.nodes, within.nodes) == (262, 232, 146)
    assert tabled.hits == 23
    full, within = Board(False, prunes=False), Board(False, 0, 2, prunes=False)
    values = [count.search(start, 4, -math.inf, math.inf) for count in (full, within)]
    assert values == [1, 3] and (full.nodes, within.nodes) == (980, 520)
    check_section("Fixed thresholds and DEEP-ENOUGH", "520 nodes instead of 980")
    check_section("Transposition table", "23 transposition table", "takes 262 nodes", "232 nodes")
    check_section("Fixed thresholds and DEEP-ENOUGH", "262 nodes and returns +1", "146 nodes")
    boards = {(frozenset((a, c)), frozenset((b, d))) for a, b, c, d in permutations(range(9), 4)}
    counts = math.comb(9, 2) * math.comb(7, 2), math.perm(9, 4)
    assert len(boards) == counts[0] == 756 and counts[1] == 4 * 756 == 3024
    check_section("Transposition table", "9 × 8 × 7 × 6 = 3024", "756 positions, 4 to each")
    corner = "x...o...."
    assert (open_to(corner, "o"), open_to(corner, "x")) == (4, 5)
    check_section("Evaluation functions", "4 lines are open to x, 5 to o: −1")


def symmetric(cells: str) -> Iterator[str]:
    for flipped in (cells, "".join(cells[3 * r + c] for r in range(3) for c in (2, 1, 0))):
        turned = flipped
        for _ in range(4):
            turned = "".join(turned[3 * (2 - c) + r] for r in range(3) for c in range(3))
            yield turned


def test_positions_of_the_book_of_tictactoe() -> None:
    positions, waiting = set(), ["." * 9]
    while waiting:
        cells = min(symmetric(waiting.pop()))
        if cells in positions or "." not in cells:
            continue
        if any(cells[a] == cells[b] == cells[c] != "." for a, b, c in WON):
            continue
        positions.add(cells)
        mover = "x" if cells.count("x") == cells.count("o") else "o"
        waiting += [cells[:i] + mover + cells[i + 1 :] for i in range(9) if cells[i] == "."]
    check_section("Opening books and endgame tables", f"{len(positions)} positions")


def test_numbers_of_the_horizon() -> None:
    assert minimax(HORIZON) == -3 and minimax(HORIZON["delay"], False) == -4
    cut = {"suffer": HORIZON["suffer"], "delay": {"pawn": {"retreat": -1}}}
    assert minimax(cut) == minimax(cut["delay"], False) == -1 > minimax(cut["suffer"], False)
    check_section("Horizon effect", "of a pawn, -1,", "a piece, -3", "-4, and it plays `suffer`")


def test_numbers_of_evaluations_and_learning() -> None:
    full = 8 * 1 + 2 * 3 + 2 * 3.5 + 2 * 5 + 10
    assert (full, full - 1, full / (full - 1)) == (41, 40, 1.025)
    assert pytest.approx(-1.45) == -4 * 0.8 + 0.75 + -3 * -0.2 + 4 * 0.1
    assert (Fraction(6, 4), Fraction(1, 4)) == (1.5, 0.25)
    assert f"{0.5 - (0.5 + 1) / 16:.3f}" == "0.406"
    check_section("Samuel's learning", "= 0.406")


def test_numbers_of_chance_and_several_players() -> None:
    likely, rare = Fraction(9, 10), Fraction(1, 10)
    assert [likely * a + rare * b for a, b in ((2, 3), (1, 4))] == [Fraction(21, 10), Fraction(13, 10)]
    assert f"{float((Fraction(21, 10) - rare * 4) / likely):.2f}" == "1.89"
    assert likely * 1 + rare * 4 == Fraction(13, 10)
    check_section("Expectiminimax", "v > 1.7 / 0.9 = 1.89", "9/10 × 1 + 1/10 × 4 = 1.3 at most")
    vectors = [
        [[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]],
        [[(5, 1, 1), (1, 5, 2)], [(7, 7, 1), (5, 4, 5)]],
    ]

    def maxn(tree: Any, player: int = 0) -> Any:
        if isinstance(tree, tuple):
            return tree
        return max((maxn(child, player + 1) for child in tree), key=lambda vector: vector[player])

    assert (
        maxn(vectors) == (1, 2, 6)
        and maxn(vectors[1][1], 2) == (5, 4, 5)
        and maxn(vectors[1], 1) == (1, 5, 2)
    )
    paranoid = [min(vector[0] for pair in half for vector in pair) for half in vectors]
    assert paranoid == [1, 1]
    check_section(
        "Multiplayer search", "(5, 4, 5): C gets 5, not 1. B gets only 4 there, and 5 after 2 and 1"
    )


def test_ucb1_of_the_exercise() -> None:
    first, other = (mean + 0.7 * math.sqrt(math.log(10) / n) for mean, n in ((0.6, 6), (0.55, 4)))
    check_section("Monte Carlo tree search", f"= {first:.3f} is less than", f"= {other:.3f}.")
    assert first < other


def kuhn(first: dict[str, tuple[float, float]], second: dict[str, tuple[float, float]]) -> Fraction:
    """The first player's payoff if both play with these (bet, call) probabilities, by card."""
    total = Fraction(0)
    for mine, theirs in permutations("JQK", 2):
        better = 1 if "JQK".index(mine) > "JQK".index(theirs) else -1
        (bet, call), (theirs_bet, theirs_call) = first[mine], second[theirs]
        after_bet = theirs_call * 2 * better + (1 - theirs_call)
        after_check = theirs_bet * (call * 2 * better - (1 - call)) + (1 - theirs_bet) * better
        total += Fraction(bet * after_bet + (1 - bet) * after_check) / 6
    return total


def test_the_equilibrium_of_kuhn() -> None:
    third = Fraction(1, 3)
    second: Any = {"J": (third, 0), "Q": (0, third), "K": (1, 1)}
    for p in (Fraction(0), Fraction(1, 2), Fraction(1)):  # how often K is bet
        first: Any = {"J": (p / 3, 0), "Q": (0, third + p / 3), "K": (p, 1)}
        assert kuhn(first, second) == Fraction(-1, 18)
        folds, calls = (kuhn(first, second | {"Q": (0, call)}) for call in (0, 1))
        assert folds == calls  # the opponent's Q is indifferent
    check_section("Imperfect information", f"1/18 = {1 / 18:.5f}", "p/3, so that")


def test_shortest_solution_of_the_puzzle() -> None:
    start, goals = (2, 5, 4, 1, 3, 0), {(0, 1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 0)}
    seen, layer, moves = {start}, {start}, 0
    near = [
        pair
        for pair in combinations(range(6), 2)
        if pair[1] - pair[0] == 3 or pair in ((0, 1), (1, 2), (3, 4), (4, 5))
    ]
    while not layer & goals:
        after = set()
        for cells, (a, b) in ((cells, pair) for cells in layer for pair in near):
            if 0 in (cells[a], cells[b]):
                swapped = list(cells)
                swapped[a], swapped[b] = swapped[b], swapped[a]
                after.add(tuple(swapped))
        layer, moves = after - seen, moves + 1
        seen |= layer
    check_section("Single-agent search", f"{moves} moves to the goal")


def test_numbers_of_a_proof() -> None:
    unexpanded = [(1, 1)] * 3
    check_section(
        "Proof-number search", f"pn {sum(pn for pn, _ in unexpanded)}, dn {min(dn for _, dn in unexpanded)}."
    )


def test_commands_in_the_text_can_be_typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Their options exist, and their values are valid."""
    monkeypatch.chdir(tmp_path)
    commands = {" ".join(command.split()) for command in re.findall(r"`gameplay ([^`]+)`", GUIDE)}
    assert len(commands) > 15
    for example in commands:
        name, *words = shlex.split(example)
        command = load(name)
        while isinstance(command, click.Group) and not (command.invoke_without_command and not words):
            _, child, words = command.resolve_command(click.Context(command), words)
            assert child is not None, example
            command = child
        command.make_context(name, words)
