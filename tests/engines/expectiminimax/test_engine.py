"""Expectiminimax: values by hand, against a few lines of plain Python, and against minimax."""

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gameplay import CHANCE, Limit, Position, Report, registry, undoable
from gameplay.errors import Usage
from gameplay.games.tree import Tree
from gameplay.value import format_amount, format_value, half_win
from tests.support.paths import ROOT, TESTS
from tests.support.searches import expectation

TREES = sorted((ROOT / "gameplay" / "games" / "tree" / "files").glob("*.toml"))
PIG = str(TESTS / "examples" / "games" / "pig.py")


def search(position: Any, depth: int, spec: str = "expectiminimax", **more: Any) -> Report:
    return registry.engine(spec)[0].search(position, Limit(depth=depth, **more))


def average(position: Any, depth: int, player: int) -> float:
    """The expected payoff of `player` after this number of decisions, by the Python contract."""

    def guess(at: Any) -> float:
        value = at.evaluate() if at.turn == player else -at.evaluate()
        return float(value if at.scored else value / (abs(value) + half_win(at.unit)))

    return expectation(position, depth, player, guess)


# -- values by hand ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "move", "values"),
    [("chance", 2.1, "a1", (2.1, 1.3)), ("chance-stretched", 40.9, "a2", (40.9, 21.0))],
)
def test_the_trees_of_the_textbook(name: str, value: float, move: str, values: tuple[float, ...]) -> None:
    """0.9 * 2 + 0.1 * 3 against 0.9 * 1 + 0.1 * 4; and stretched, 0.9 * 20 + 0.1 * 30 against 0.9 + 40."""
    position = registry.game(str(ROOT / "gameplay" / "games" / "tree" / "files" / f"{name}.toml")).new()
    report = search(position, 3, multipv=2)
    assert report.value == pytest.approx(value)
    assert position.format(report.move) == move
    assert [candidate.value for candidate in report.candidates] == pytest.approx(list(values))
    assert (report.bound, report.exact, report.nodes, report.depth) == ("expectation", True, 15, 3)
    assert {candidate.bound for candidate in report.candidates} == {"expectation"}
    assert report.pv == (report.move,), "the line ends at the throw"


def test_every_tree_with_chance_for_two_has_its_value() -> None:
    seen = 0
    for file in TREES:
        position = registry.game(str(file)).new()
        document = tomllib.loads(file.read_text()).get("value")
        if not position.chance or position.hidden or position.players != 2 or document is None:
            continue
        worth = document[0] if isinstance(document, list) else document
        report = search(position, 20)
        assert report.value == pytest.approx(worth if position.turn == 0 else -worth), file.name
        seen += 1
    assert seen >= 2


def test_a_pig_of_two_points_and_a_coin() -> None:
    """Roll: a two wins, a one passes the turn. So p = 1/2 + (1 - p) / 2 = 2/3, and the value 2p - 1 = 1/3.

    After k throws, k + 1 decisions, with nothing known beyond, it is a partial sum: (1 - (-1/2)^k) / 3.
    """
    position = registry.game(f"{PIG}:goal=2,faces=2").new()
    for depth in (1, 2, 3, 4, 9):
        report = search(position, depth)
        assert report.value == pytest.approx((1 - (-0.5) ** (depth - 1)) / 3, abs=1e-12)
        assert not report.exact
    assert position.format(search(position, 5).move) == "roll"


class Throw(Position):
    """MAX bets or passes; a bet wins `win` with odds of `odds` to one against a loss of one."""

    chance = True

    def __init__(self, odds=0.5):
        super().__init__()
        self.odds = odds
        self.state = ""

    def moves(self):
        return [0, 1]

    @undoable
    def make(self, move):
        if self.turn == CHANCE:
            self.state, self.turn = ("won", "lost")[move], 1
        elif move == 0:
            self.turn = CHANCE
        else:
            self.state, self.turn = "passed", 1

    def chances(self):
        return self.odds if isinstance(self.odds, list) else [self.odds, 1 - self.odds]

    def outcome(self):
        return {"won": (7, -7), "lost": (-1, 1), "passed": (0, 0)}.get(self.state)


@pytest.mark.parametrize(("odds", "move", "value"), [(0.75, 0, 0.5), (0.5, 0, 0.0), (0.25, 1, 0.0)])
def test_without_points_a_win_is_worth_one(odds: float, move: int, value: float) -> None:
    report = search(Throw(odds), 2, multipv=2)
    assert (report.move, report.value) == (move, pytest.approx(value))
    assert report.candidates[0].proven
    assert {candidate.move: candidate.value for candidate in report.candidates}[0] == pytest.approx(
        2 * odds - 1
    )


class EstimatedThrow(Throw):
    """The same, but after a roll MIN moves once more, at a position estimated as 30 for them."""

    scored = False

    def outcome(self):
        return (0, 0) if self.state == "passed" else None

    def evaluate(self):
        return 30 if self.turn == 1 else -30


def test_evaluation_at_the_depth_limit_is_a_share_of_a_win() -> None:
    """An evaluation of 30 is half a win. Chance nodes have no evaluation: the search looks through them."""
    for depth in (1, 2):
        report = search(EstimatedThrow(), depth, multipv=2)
        assert {candidate.move: candidate.value for candidate in report.candidates} == {
            0: pytest.approx(-0.5),
            1: 0.0,
        }
        assert not report.exact


class Points(EstimatedThrow):
    scored = True


def test_evaluation_in_points_counts_as_points() -> None:
    assert search(Points(), 2, multipv=2).candidates[-1].value == pytest.approx(-30)


# -- theorems ------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), st.integers(2, 3), st.lists(st.integers(0, 9), max_size=5), st.integers(1, 5))
def test_pig_values_equal_the_definition(goal: int, faces: int, line: list[int], depth: int) -> None:
    position = registry.game(f"{PIG}:goal={goal},faces={faces}").new()
    for choice in line:
        moves = position.moves()
        position.make(moves[choice % len(moves)])
        if position.outcome() is not None:
            position.unmake()
    while position.turn == CHANCE:
        position.make(1)
    before = (position.key(), position.turn)
    report = search(position, depth, multipv=2)
    assert (position.key(), position.turn) == before
    mover = position.turn
    for candidate in report.candidates:
        position.make(candidate.move)
        assert candidate.value == pytest.approx(average(position, depth - 1, mover))
        position.unmake()
    assert report.value == max(candidate.value for candidate in report.candidates)


def test_without_chance_it_is_minimax() -> None:
    seen = 0
    for file in TREES:
        position = registry.game(str(file)).new()
        if position.chance or position.hidden or position.players != 2 or not position.zero_sum:
            continue
        truth, value = search(position, 20, "minimax"), search(position, 20)
        assert (value.value, value.move, value.pv, value.nodes) == (
            truth.value,
            truth.move,
            truth.pv,
            truth.nodes,
        ), file.name
        assert value.bound == "exact"
        seen += 1
    assert seen >= 5


def test_the_trace_is_the_whole_tree() -> None:
    """Rebuilt from the events: each value is the mean, maximum or minimum of its children's."""
    position = registry.game(str(ROOT / "gameplay" / "games" / "tree" / "files" / "chance.toml")).new()
    events: list[Any] = []
    report = registry.engine("expectiminimax")[0].search(position, Limit(depth=3), trace=events.append)
    assert sum(event.what == "enter" for event in events) == report.nodes
    open_: list[tuple[int, list[float]]] = []  # mover, what its children are worth to MAX
    root = None
    for event in events:
        if event.what == "enter":
            open_.append((event.mover, []))
            continue
        mover, below = open_.pop()
        worth = -event.value if mover == 1 else event.value
        if below and mover == CHANCE:
            assert worth == pytest.approx(0.9 * below[0] + 0.1 * below[1])
        elif below:
            assert worth == (max(below) if mover == 0 else min(below))
        if open_:
            open_[-1][1].append(worth)
        root = worth
    assert not open_
    assert root == pytest.approx(2.1)


# -- limits and refusals -------------------------------------------------------------------------


def test_search_respects_the_node_limit() -> None:
    position = registry.game(PIG).new()
    first = 2 + len(position.moves())  # the root and each of its moves are visited in any case
    whole_ply = search(position, 1).nodes
    for nodes in (1, 2, whole_ply, whole_ply + 1, 40, 500):
        report = registry.engine("expectiminimax")[0].search(position, Limit(depth=12, nodes=nodes))
        assert report.nodes == max(nodes, first)
        assert (report.depth > 0) == (nodes > whole_ply)
        assert (report.bound == "unknown") == (nodes < whole_ply)
        if report.depth:
            assert report.value == search(position, report.depth).value
        assert report.stopped == "nodes"
        assert report.move in position.moves()
    whole = search(position, 4)
    assert registry.engine("expectiminimax")[0].search(position, Limit(depth=4)).nodes == whole.nodes


def test_search_is_restricted_to_the_given_moves() -> None:
    assert search(Throw(0.75), 2, moves=(1,)).move == 1
    with pytest.raises(Usage, match="none of the moves"):
        search(Throw(), 2, moves=(5,))


def test_chance_nodes_at_the_root_are_refused() -> None:
    position = Throw()
    position.make(0)
    for spec in ("expectiminimax", "mcts:sims=5", "random"):
        with pytest.raises(Usage, match="it is chance's turn"):
            registry.engine(spec)[0].search(position)


# -- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        *((0.354, 1, "+0.35"), (-0.354, 1, "-0.35"), (0.0, 1, "0.00"), (-0.001, 1, "0.00")),
        *((1.0, 1, "+1.00"), (40.9, 1, "+40.90"), (35.0, 100, "+0.35"), (-100.0, 100, "-1.00")),
    ],
)
def test_expectations_are_printed_in_hundredths(value: float, unit: int, text: str) -> None:
    assert (
        format_amount(value, unit)
        == format_value(value, False, unit)
        == format_value(value, True, unit)
        == text
    )


def test_a_tree_of_a_mapping_with_odds() -> None:
    tree = Tree.of({"max": {"safe": 2, "bold": {"chance": {"good 1/4": 12, "bad 3/4": -1}}}})
    report = search(tree, 5, multipv=2)
    assert [(tree.format(candidate.move), candidate.value) for candidate in report.candidates] == [
        ("bold", 2.25),
        ("safe", 2),
    ]
