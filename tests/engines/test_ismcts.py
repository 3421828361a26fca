"""Information set Monte Carlo tree search: results known from theory, and the contents of its tree."""

from random import Random
from typing import Any, ClassVar

import pytest

from gameplay import registry
from gameplay import value as scale
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import StrategyProfile
from gameplay.errors import Usage
from gameplay.games.tree import Tree
from gameplay.kernel import compiled
from gameplay.lessons import fusion
from gameplay.position import CHANCE, Position
from gameplay.search.limit import Limit
from gameplay.suites.exploiting import sample_strategy
from tests.support.searches import after_moves, search

BOTH = ["ismcts", "ismcts:observers=single"]


@pytest.mark.once
def test_playouts_by_a_policy_do_not_pretend_that_others_fold() -> None:
    """Hold'em, seven and two before the flop: worth more than aces if a third of all bets made others fold.

    Heads up they win 0.35 of the pot by enumeration, so that a pot of four without more bets costs 0.6; aces
    win 0.85 of it.
    """
    game = registry.game("holdem:bets=limit")
    values = {}
    for cards in ("2c 7d As Ad", "As Ad 2c 7d"):
        for policy in ("all", "showdown", "none"):
            position = game.new()
            for word in cards.split():
                position.make(position.parse(word))
            report = search(f"ismcts:sims=1000,policy={policy}", position)
            values[cards[:2], policy] = {
                position.format(candidate.move): candidate.value for candidate in report.candidates
            }
            assert report.pv[:1] == (report.move,) and len(report.candidates) == 3
    assert values["2c", "all"] == values["2c", "showdown"] != values["2c", "none"]
    assert values["2c", "all"]["fold"] == -1 and values["2c", "all"]["call"] < -0.4
    assert values["As", "all"]["raise"] > values["As", "all"]["call"] > 1
    assert values["2c", "none"]["raise"] > values["2c", "all"]["raise"] + 0.3


def test_a_policy_tries_its_own_moves_first_below_the_root() -> None:
    """The second player's first move at each infoset is the policy's; the first player tries all."""

    def visit_counts(policy: str) -> list[int]:
        position = _TwoByThree()
        report = search(f"ismcts:sims=3,policy={policy}", position)
        assert report.visits == 3 and len(report.candidates) == 3
        return [second for second in _TwoByThree.seconds if second >= 0]

    _TwoByThree.seconds = []
    assert set(visit_counts("second")) == {1}
    _TwoByThree.seconds = []
    visit_counts("none")
    with pytest.raises(Usage, match="first"):
        search("ismcts:policy=first", _TwoByThree())


class _TwoByThree(Position):
    """Three moves, then three of the other player, who observes them; the policy has only the second one."""

    hidden = True
    policies = {"second": "the second move"}
    seconds: ClassVar[list[int]] = []

    def __init__(self) -> None:
        super().__init__()
        self.made: list[int] = []

    def moves(self) -> list[int]:
        return [0, 1, 2]

    def policy_moves(self, policy: int) -> list[int]:
        assert policy == 1
        return [1]

    def make(self, move: int) -> None:
        self.made.append(move)
        self.turn = len(self.made) % 2
        if len(self.made) == 2:
            self.seconds.append(move)

    def unmake(self) -> None:
        self.made.pop()
        self.turn = len(self.made) % 2

    def outcome(self) -> tuple[float, ...] | None:
        return None if len(self.made) < 2 else (0.0, 0.0)

    def key(self) -> tuple[int, ...]:
        return tuple(self.made)

    def initial(self) -> "_TwoByThree":
        return type(self)()

    def infoset(self, player: int) -> tuple[int, ...]:
        return tuple(self.made)

    def determinize(self, player: int, rng: Any) -> "_TwoByThree":
        other = type(self)()
        for move in self.made:
            other.make(move)
        return other


@pytest.mark.parametrize("engine", BOTH)
def test_strategies_do_not_fuse(engine: str) -> None:
    """MAX cannot distinguish five deals: right wins four, left three, though open cards suggest five."""
    position = after_moves(fusion.figure_tree(), "deal1")
    report = search(f"{engine},sims=2000" if ":" in engine else f"{engine}:sims=2000", position)
    values = {candidate.move: candidate.value for candidate in report.candidates}
    assert report.move == 1 and values[1] == pytest.approx(0.8, abs=0.06) and values[0] < 0.7
    assert sum(candidate.visits for candidate in report.candidates) == report.visits == 2000
    assert search("pimc:sims=100", position).move == 0


def test_multiple_observer_trees_use_each_players_information() -> None:
    """The second player knows the coin, the first does not: they lose only if it is revealed."""

    def coin(side: int) -> dict[str, Any]:
        guess = [1, -1] if side else [-1, 1]
        return {"infoset": "start", "max": {"stay": -0.5, "go": {"min": guess}}}

    tree = Tree.of({"chance": {"heads": coin(0), "tails": coin(1)}})
    values = {}
    for observers in ("multiple", "single"):
        report = search(f"ismcts:sims=3000,observers={observers}", after_moves(_copy(tree), "heads"))
        values[observers] = {candidate.move: candidate.value for candidate in report.candidates}
    assert values["multiple"][1] < -0.7  # min chooses by the coin, and wins
    assert abs(values["single"][1]) < 0.35  # who looks on alike whatever they hold does not


def _copy(tree: Tree) -> Tree:
    return tree.initial()


def test_moves_that_are_seldom_legal_are_not_tried_whenever_they_are() -> None:
    """Availability: min's `rare` is legal in one deal of ten, loses there, and gets few visits."""

    def deal(rare: bool) -> dict[str, Any]:
        below: dict[str, Any] = {"a": 0, "b": 0}
        return {"infoset": "start", "max": {"go": {"min": below | ({"rare": 1} if rare else {})}}}

    tree = Tree.of({"chance": {"one 1/10": deal(True), "other 9/10": deal(False)}})
    report = search("ismcts:sims=2000,observers=single,c=0.3", after_moves(tree, "other"))
    assert abs(report.candidates[0].value) < 0.05  # tried each time it would cost 0.1


@pytest.mark.parametrize("engine", BOTH)
def test_no_tree_is_larger_than_its_memory(engine: str) -> None:
    game = registry.game("phantom-tictactoe").new()
    spec = engine + (":" if ":" not in engine else ",")
    report = search(f"{spec}memory=1MB,sims={2000 if compiled() else 300}", game)
    assert 0 < report.fill <= 1 and report.visits in (2000, 300)


FULL = [
    ("holdem", "single", ("raise6", 102, 7.176471, 1989, 9)),
    ("stratego:army=barrage", "single", ("j1-j10", 18, 22.839506, 758, 2)),
    ("stratego:army=barrage", "multiple", ("i2-i10", 17, 23.529412, 722, 2)),
]


@pytest.mark.parametrize(("game", "observers", "expected"), FULL)
def test_full_tree_stops_growing(game: str, observers: str, expected: tuple[Any, ...]) -> None:
    """Each simulation then ends with the evaluation at the edge of the tree, and updates the nodes before."""
    position, rng = registry.game(game).new(), Random(1)
    while position.turn == CHANCE:
        position.make(rng.choice(position.moves()))
    report = search(f"ismcts:policy=none,memory=1MB,observers={observers}", position, Limit(simulations=420))
    first = report.candidates[0]
    assert (
        report.fill > 0.99
        and report.visits == sum(candidate.visits for candidate in report.candidates) == 420
    )
    facts = (position.format(report.move), first.visits, round(first.value, 6), report.nodes, report.seldepth)
    assert facts == expected


@pytest.mark.parametrize("engine", BOTH)
def test_search_respects_its_limits(engine: str) -> None:
    position = after_moves(registry.game("leduc").new(), "Ks Qh")
    report = search(engine, position, Limit(nodes=300))
    assert report.stopped == "nodes" and 300 <= report.nodes < 1400
    report = search(engine, position, Limit(nodes=1))
    assert (report.visits, report.nodes, report.bound) == (0, 1, "unknown")
    assert search(engine, position, Limit(seconds=0.05)).stopped == "time"
    report = search(engine, position, Limit(simulations=30, moves=(2,)))
    assert [candidate.move for candidate in report.candidates] == [2] and report.candidates[0].visits == 30


@pytest.mark.parametrize("engine", BOTH)
def test_an_evaluation_ends_a_simulation_instead_of_a_playout(engine: str) -> None:
    """One simulation of a quiet move returns the material left, as a share of a win."""
    game, rng = registry.game("stratego:army=barrage").new(), Random(1)
    while game.turn == CHANCE or not game.evaluate():
        game.make(rng.choice(game.moves()))
    before = game.evaluate()
    quiet = next(move for move in game.moves() if game.cells[move % 100] is None)
    report = search(engine, game, Limit(simulations=1, moves=(quiet,)))
    assert report.nodes == 2 and report.value == pytest.approx(game.unit * scale.squash(before, game.unit))
    spec = f"{engine}{',' if ':' in engine else ':'}sims=20,leaf="
    auto, evaluate, rollout = (search(spec + leaf, game) for leaf in ("auto", "evaluate", "rollout"))
    assert auto.candidates == evaluate.candidates and evaluate.nodes < 100 < rollout.nodes


def test_unsupported_games_are_refused() -> None:
    for spec, words in (
        ("ismcts:observers=two", "observers must be multiple or single, not 'two'"),
        ("ismcts:c=-1", "c must be a number from 0 to 1,000, not '-1'"),
        ("ismcts:leaf=guess", "leaf must be auto, rollout or evaluate, not 'guess'"),
        ("ismcts:memory=1KB", "memory must be a size from 1MB to 256GB"),
    ):
        with pytest.raises(Usage, match=words):
            registry.engine(spec)
    with pytest.raises(Usage, match="nim has perfect information: use mcts"):
        search("ismcts", registry.game("nim").new())
    with pytest.raises(Usage, match="leaf=evaluate needs an evaluation, and kuhn has none"):
        search("ismcts:leaf=evaluate", after_moves(registry.game("kuhn").new(), "J Q"))
    with pytest.raises(Usage, match="does not search ply by ply"):
        search("ismcts", after_moves(registry.game("kuhn").new(), "J Q"), Limit(depth=3))


def test_ismcts_beats_pimc_and_both_beat_random_in_kuhn_poker() -> None:
    """In Kuhn poker, both seats, by the exact value of the strategies implied by their moves."""
    game = registry.game("kuhn")
    form = ExtensiveForm(game.new())

    def strategy(spec: str) -> StrategyProfile:
        engine, limit = registry.engine(spec)
        return sample_strategy(engine, form, game.new, limit, 1, lambda number: None)

    def mean_payoff(first: StrategyProfile, second: StrategyProfile) -> float:
        """The mean payoff of `one` against `other` per deal, in each seat equally often."""
        total = 0.0
        for seat in (0, 1):
            both = StrategyProfile(form)
            for infoset in form.infosets:
                both.set_probabilities(
                    infoset, (first if infoset.player == seat else second).probabilities(infoset)
                )
            total += both.values()[seat] / 2
        return total

    drawn, open_cards = strategy("random"), strategy("pimc:sims=20")
    assert mean_payoff(open_cards, drawn) == pytest.approx(1 / 6)
    tree = [strategy(f"ismcts:sims=200,seed={seed}") for seed in (1, 2, 3)]
    assert sum(mean_payoff(infoset, open_cards) for infoset in tree) / 3 > 0.03
    assert sum(mean_payoff(infoset, drawn) for infoset in tree) / 3 > 0.17


def test_ismcts_is_the_default_for_imperfect_information() -> None:
    for name in ("kuhn", "leduc", "phantom-tictactoe"):
        assert registry.default_engine(registry.game(name).new()).name == "ismcts"


def test_report_lists_the_five_moves_with_most_simulations() -> None:
    position = registry.game("bridge").new()
    rng = Random(4)
    while position.turn < 0:
        position.make(rng.choices(position.moves(), position.chances())[0])
    report = registry.engine("ismcts")[0].search(position, Limit(simulations=60))
    assert len(position.moves()) > 5 and len(report.visited) == 5
    visits = [entry.visits for entry in report.visited]
    assert visits == sorted(visits, reverse=True) and sum(visits) <= 60
