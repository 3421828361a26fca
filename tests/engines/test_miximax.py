"""Miximax, the search by an opponent model: limits, reports, supported games."""

import pytest

from gameplay import Limit, registry
from gameplay.errors import Usage
from gameplay.players.level import level_engine
from gameplay.search.report import Report
from tests.support.searches import search_limited

pytestmark = pytest.mark.once

FLOP = "Ah Kd 7c 2h raise6 call Ks Qs 2d"


def search_position(
    limit: Limit | None = None, moves: str = FLOP, game: str = "holdem", spec: str = "miximax"
) -> Report:
    return registry.engine(spec)[0].search(registry.game(game).new(moves), limit)


def test_miximax_takes_a_few_seeded_samples_by_default() -> None:
    position = registry.game("holdem").new(FLOP)
    assert registry.engine("miximax")[0].default_limit(position, Limit()).simulations == 2
    two = Limit(simulations=2)
    report, again, other = (
        search_position(two),
        search_position(two),
        search_position(two, spec="miximax:seed=1"),
    )
    assert (report.visits, report.stopped, report.bound) == (2, "simulations", "expectation")
    assert report.valued and report.error > 0
    assert (report.move, report.value, report.nodes) == (again.move, again.value, again.nodes)
    assert other.value != report.value


def test_more_samples_have_smaller_errors() -> None:
    few, many = (search_position(Limit(simulations=number)) for number in (4, 16))
    assert many.visits == 16 and many.nodes > 3 * few.nodes
    assert sum(entry.error for entry in many.visited) < sum(entry.error for entry in few.visited)


def test_node_limit_returns_the_last_finished_iteration() -> None:
    """The iterations are the rule of thumb, the estimate and the samples."""
    position = registry.game("holdem").new(FLOP)
    for nodes, visits in ((1, 0), (100, 1), (1500, 2)):
        report = search_limited("miximax", position, nodes=nodes)
        assert report.nodes <= nodes and report.visits == visits and report.stopped == "nodes"
        assert report.valued == (visits > 0) and report.move in position.moves()


def test_without_time_it_folds_a_bad_hand_and_calls_with_a_good_one() -> None:
    for hands, word in (("7c 2h Ah Kd", "call"), ("Ah Kd 7c 2h", "fold")):
        position = registry.game("holdem:bets=any").new(f"{hands} raise100")
        report = search_limited("miximax", position, nodes=1)
        assert position.format(report.move) == word and report.bound == "unknown"


def test_requested_number_of_candidates_best_first() -> None:
    report = search_position(Limit(multipv=3, simulations=1))
    values = [candidate.value for candidate in report.candidates]
    assert len(values) == 3 and values == sorted(values, reverse=True)
    position = registry.game("holdem").new(FLOP)
    alone = search_position(Limit(moves=(position.parse("allin"),), simulations=1))
    assert position.format(alone.move) == "allin" and alone.valued


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("holdem", "Ah Kd 7c 2h allin"),
        ("holdem:stacks=3/200", "Ah Kd 7c 2h"),
        ("holdem:bets=any", "Ah Kd 7c 2h raise37"),
        ("holdem:bets=limit", "Ah Kd 7c 2h raise"),
        ("holdem:antes=1/3", "Ah Kd 7c 2h"),
        ("holdem", f"{FLOP} check check 3c check check 3d"),
    ],
)
def test_miximax_plays_every_two_player_holdem_variant(game: str, moves: str) -> None:
    report = search_position(Limit(simulations=1), moves, game)
    assert report.valued and report.move in registry.game(game).new(moves).moves()


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("holdem:players=3", "it is for two players, and holdem has 3 .these can: .*ismcts"),
        ("kuhn", "kuhn has no model of its players: define model_search"),
        ("chess", "chess has perfect information: there is nothing to infer"),
    ],
)
def test_other_games_are_refused(game: str, words: str) -> None:
    position = registry.game(game).new()
    with pytest.raises(Usage, match=words):
        registry.check_engine(registry.engine("miximax")[0], position)


def test_miximax_reports_no_depth() -> None:
    with pytest.raises(Usage, match="limit simulations, nodes or time, not depth"):
        search_position(Limit(depth=3))


def test_miximax_is_the_default_engine_but_not_of_levels() -> None:
    game = registry.game("holdem")
    assert registry.default_engine(game.new()).name == "miximax" and level_engine(game).name == "ismcts"
    for spec in ("holdem:players=3", "holdem:bets=limit"):
        assert registry.default_engine(registry.game(spec).new()).name == "ismcts"
