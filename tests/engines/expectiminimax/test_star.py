"""Star1, Star2, table and order: the value of expectiminimax, by brute force, on random trees with chance."""

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gameplay import CHANCE, Limit, Position, registry
from gameplay.errors import Usage
from gameplay.kernel import compiled
from gameplay.search.control import Control
from gameplay.search.session import SearchSetup
from gameplay.search.table import Table
from tests.support.paths import TESTS
from tests.support.searches import expectation, successors

EXAMPLES = settings(
    max_examples=250 if compiled() else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
MOST = 6  # points
PIG = str(TESTS / "examples" / "games" / "pig.py") + ":goal=6,faces=4"


class Wood(Position):
    """A tree of (mover, evaluation, odds, branches); a number is a leaf: the first player's payoff.

    Positions with the same tree below them are one for the table.
    """

    chance = True
    scored = True
    low, high = -MOST, MOST

    def __init__(self, tree=0):
        super().__init__()
        self.way = [tree]
        self.turn = tree[0]

    @property
    def node(self):
        return self.way[-1]

    def moves(self):
        return list(range(len(self.node[3])))

    def chances(self):
        return list(self.node[2])

    def make(self, move):
        self.way.append(self.node[3][move])
        self._turn()

    def unmake(self):
        self.way.pop()
        self._turn()

    def _turn(self):
        self.turn = self.node[0] if isinstance(self.node, tuple) else 0

    def outcome(self):
        return None if isinstance(self.node, tuple) else (self.node, -self.node)

    def evaluate(self):
        return self.node[1] if self.turn == 0 else -self.node[1]

    def evaluate_for(self, player):
        return self.node[1] if player == 0 else -self.node[1]

    def key(self):
        return self.node


class Seeing(Wood):
    """The same with evaluations at chance nodes, too."""

    evaluates_chance_nodes = True


class Won(Wood):
    """The same without points: the player with more has won."""

    scored = False
    low = high = None


@cache
def odds(weights):
    return tuple(weight / sum(weights) for weight in weights)


@st.composite
def nodes(draw, below):
    branches = tuple(draw(st.lists(below, min_size=1, max_size=4)))
    mover = draw(st.sampled_from((0, 1, CHANCE)))
    weights = draw(st.lists(st.integers(0, 3), min_size=len(branches), max_size=len(branches)))
    shares = odds(tuple(weights)) if any(weights) else (1 / len(branches),) * len(branches)
    return (mover, draw(st.integers(-MOST, MOST)), shares, branches)


LEAVES = st.integers(-MOST, MOST)
TREES = st.recursive(LEAVES, nodes, max_leaves=40)


@st.composite
def woods(draw):
    """Decisions between trees and between chance nodes with repeated subtrees."""
    trees = draw(st.lists(TREES, min_size=1, max_size=3))
    again = st.lists(st.sampled_from(trees), min_size=1, max_size=3)
    throws = [(CHANCE, 0, odds((1,) * len(some)), tuple(some)) for some in draw(st.lists(again, max_size=2))]
    return (draw(st.sampled_from((0, 1))), 0, (), tuple(draw(st.permutations([*trees, *throws]))))


def worth(position: Any, depth: int, player: int) -> float:
    """The expected payoff of `player` after this number of decisions."""

    def guess(at: Any) -> float:
        value = at.evaluate_for(player)
        return float(value if at.scored else value / (abs(value) + 30))

    return expectation(position, depth, player, guess, position.evaluates_chance_nodes)


SPECS = [
    "expectiminimax:table=16KB",
    *(
        f"expectiminimax:prune={prune},order={order},table={table}"
        for prune in ("star1", "star2")
        for order in ("generated", "evaluation")
        for table in ("off", "16KB")
    ),
]
ENGINES = {spec: registry.engine(spec)[0] for spec in ("expectiminimax", *SPECS)}
TABLE = Table(10)


def found_by(spec: str, position: Any, depth: int, lines: int) -> Any:
    """The report of a search without a thread, since there are many."""
    engine = ENGINES[spec]
    TABLE.new_search()
    table = TABLE if engine.table_bits else None
    setup = SearchSetup(position, Limit(depth=depth, multipv=lines), Control(), table)
    search = engine.searches(setup)[0]
    search.run(depth)
    return search.report()


def keeps(tree: Any, depth: int, kind: Any, lines: int) -> None:
    """All options return the value of brute force, the best moves, and the first best move or its equal."""
    position = kind(tree)
    mover = position.turn
    truth = {move: worth(position, depth - 1, mover) for move in successors(position)}
    best = sorted(truth.values(), reverse=True)[:lines]
    plain = found_by("expectiminimax", position, depth, lines)
    for spec in ENGINES:
        report = found_by(spec, position, depth, lines)
        assert [candidate.value for candidate in report.candidates] == pytest.approx(best, abs=1e-12), spec
        for candidate in report.candidates:
            assert truth[candidate.move] == pytest.approx(candidate.value, abs=1e-12), spec
        if "prune" not in spec:
            assert (report.move, report.value) == (plain.move, plain.value)
            assert report.nodes <= plain.nodes
        assert position.way == [tree]


@EXAMPLES
@given(woods(), st.integers(1, 6), st.sampled_from([Wood, Seeing, Won]), st.integers(1, 3))
def test_every_option_keeps_the_value(tree: Any, depth: int, kind: Any, lines: int) -> None:
    keeps(tree, depth, kind, lines)


def random_tree(lot: Random, left: int, pool: list[Any]) -> Any:
    """A random tree; some subtrees occur several times."""
    if pool and lot.random() < 0.2:
        return lot.choice(pool)
    if not left or lot.random() < 0.15:
        return lot.randint(-MOST, MOST)
    branches = tuple(random_tree(lot, left - 1, pool) for _ in range(lot.randint(1, 4)))
    mover = lot.choice((0, 1, CHANCE))
    tree = (mover, lot.randint(-MOST, MOST), odds(tuple(lot.randint(1, 3) for _ in branches)), branches)
    pool.append(tree)
    return tree


@pytest.mark.parametrize("kind", [Wood, Seeing, Won])
def test_hundreds_of_trees(kind: Any) -> None:
    lot = Random(1983)
    for number in range(200 if compiled() else 15):
        below = tuple(random_tree(lot, 4, []) for _ in range(lot.randint(1, 4)))
        keeps((lot.choice((0, 1)), 0, (), below), lot.randint(1, 6), kind, 1 + number % 2)


def test_pruning_visits_less() -> None:
    """Counts of both builds; the first is that of the plain search."""
    position = registry.game(PIG).new()
    nodes = {}
    for spec in ENGINES:
        if "evaluation" in spec:
            continue  # it has none
        report = ENGINES[spec].search(position, Limit(depth=6))
        assert report.value == pytest.approx(0.333984375)
        nodes[spec.partition(":")[2]] = report.nodes
    assert nodes == {
        "": 19675,
        "table=16KB": 7147,
        "prune=star1,order=generated,table=off": 12666,
        "prune=star1,order=generated,table=16KB": 2885,
        "prune=star2,order=generated,table=off": 13727,
        "prune=star2,order=generated,table=16KB": 2946,
    }


def test_trace_names_cutoffs_of_star() -> None:
    """Two dice with four sides: the better one cuts off the rest of the other."""
    good = (CHANCE, 0, (0.5, 0.5), ((1, 0, (), (3, 2)), (1, 0, (), (4, 3))))
    poor = (CHANCE, 0, (0.5, 0.5), ((1, 0, (), (-6, 5)), (1, 0, (), (6, 6))))
    tree = (0, 0, (), (good, poor))
    for spec, why in (("star1", "star1 alpha"), ("star2", "star2 alpha")):
        events: list[Any] = []
        engine = registry.engine(f"expectiminimax:prune={spec}")[0]
        report = engine.search(Wood(tree), Limit(depth=3), trace=events.append)
        assert report.value == 2.5
        assert (report.star1_cuts, report.star2_cuts) == ((1, 0) if spec == "star1" else (0, 1))
        assert sum(event.what == "enter" for event in events) == report.nodes
        cuts = [event for event in events if event.what == "cut" and "star" in event.why]
        assert [(cut.why, cut.ply, cut.move, cut.value) for cut in cuts] == [(why, 1, 0, 0.0)]
        open_ = 0
        for event in events:
            open_ += (event.what == "enter") - (event.what == "leave")
            assert open_ >= 0
        assert open_ == 0


def test_trace_states_why_a_position_was_not_searched() -> None:
    """It is finished, evaluated, in the table or irrelevant; a chance node is bounded by its outcomes."""
    lot = Random(7)
    reasons: dict[str, int] = {}
    for _ in range(150 if compiled() else 40):
        pool: list[Any] = []
        tree = (0, 0, (), tuple(random_tree(lot, 4, pool) for _ in range(3)))
        for spec in SPECS[2::2]:
            position = Wood(tree)
            events: list[Any] = []
            ENGINES[spec].search(position, Limit(depth=4), trace=events.append)
            left: list[int] = []  # decisions to go, of the positions that are open
            steps: list[list[str]] = []
            for event in events:
                if event.what == "enter":
                    if event.ply:
                        position.make(event.move)
                        steps[-1].append("")
                    left.append(event.depth)
                    steps.append([])
                elif event.what == "leave":
                    own, depth = steps.pop(), left.pop()
                    over = position.outcome() is not None
                    if not over and "" not in own and (depth > 0 or position.turn == CHANCE):
                        why = next((why for why in ("table", "nothing to gain") if why in own), "")
                        assert why or position.turn == CHANCE, (own, position.way)
                        reasons[why] = reasons.get(why, 0) + 1
                    if event.ply:
                        position.unmake()
                else:
                    steps[-1].append(event.why if event.what == "cut" else event.what)
    assert reasons["table"] > 50, reasons


class Boundless(Wood):
    """A game without declared bounds of payoffs."""

    low = high = None


def test_star_bound_implies_the_other_bound() -> None:
    class Half(Boundless):
        high = MOST

    report = registry.engine("expectiminimax:prune=star1")[0].search(Half((0, 0, (), (1, 2))), Limit(depth=1))
    assert report.value == 2


@pytest.mark.parametrize("spec", [spec for spec in SPECS if "evaluation" not in spec])
def test_deepening_under_a_limit(spec: str) -> None:
    """The deepest finished search counts, and its value is that of a search of this depth."""
    position = registry.game(PIG).new()
    engine = registry.engine(spec)[0]
    report = engine.search(position, Limit(depth=20, nodes=3000))
    assert report.stopped == "nodes" and report.nodes == 3000 and report.depth >= 2
    assert report.value == pytest.approx(engine.search(position, Limit(depth=report.depth)).value)


def test_star2_needs_bounds_of_payoffs() -> None:
    with pytest.raises(Usage, match="requires known bounds of the payoffs; boundless has none"):
        registry.engine("expectiminimax:prune=star2")[0].search(Boundless((0, 0, (), (1, 2))), Limit(depth=1))
