"""Perfect information Monte Carlo: its means are those of all deals, and it uses no hidden information."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Usage
from gameplay.games.tree import Tree
from gameplay.kernel import compiled
from gameplay.lessons import fusion
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.suites import conduct
from tests.support.searches import after_moves, exact, search

TRICKS = "tests/examples/games/tricks.py"


def tricks(north: tuple[int, ...], south: tuple[int, ...]) -> Any:
    """Three cards each; north leads."""
    position = registry.game(TRICKS).new()
    for cards in zip(north, south, strict=True):
        for card in cards:
            position.make(card)
    return position


def test_pimc_means_equal_those_of_all_deals() -> None:
    """In Kuhn poker, at each infoset: sampled means within four standard errors, complete ones exactly."""
    tree = fusion.kuhn_tree()
    exact = {player: fusion.sampled_values(tree, player) for player in (0, 1)}
    seen = set()
    for word in [" ".join(node.path()) for node in tree.nodes if node.turn in (0, 1) and node.branches]:
        position = after_moves(fusion.kuhn_tree(), word)
        known = position.infoset(position.turn)
        if known in seen:
            continue
        seen.add(known)
        report = search("pimc:sims=300,seed=1,worlds=0", position)
        assert report.visits == 300 and report.bound == "expectation" and report.stopped == "simulations"
        assert report.deals == 2 and not report.every_deal
        for candidate in report.candidates:
            value = exact[position.turn][known][candidate.move]
            assert abs(candidate.value - value) <= 4 * candidate.error + 1e-9, (known, candidate)
        counted = search("pimc:time=60", position)
        assert counted.visits == counted.deals == 2 and counted.every_deal and counted.stopped == "done"
        for candidate in counted.candidates:
            assert (
                candidate.value == pytest.approx(exact[position.turn][known][candidate.move])
                and not candidate.error
            )
    assert len(seen) == 12


def test_deals_are_enumerated_if_they_are_few() -> None:
    leduc = after_moves(registry.game("leduc").new(), "Ks Qh check")
    report = search("pimc:time=60", leduc)
    assert report.every_deal and report.deals == report.visits == 5  # the other has one of five cards
    assert search("pimc:seed=3,time=60", leduc).candidates == report.candidates
    drawn = search("pimc:sims=4", leduc)
    assert drawn.visits == 4 and not drawn.every_deal  # more fit than are wanted
    assert not search("pimc:worlds=9000,sims=9", leduc).every_deal  # the game has 9,457 positions
    assert not search("pimc:by=rollout,sims=9", leduc).every_deal
    assert report.simulated() == "all 5 deals that fit"
    assert drawn.simulated() == f"4 deals, {drawn.deals} different"


def test_deals_are_weighted_by_the_strategy_of_past_choices(tmp_path: Path) -> None:
    """By Bayes: a player who bets half of the jacks and all kings holds a king two times in three."""
    file = tmp_path / "bets.toml"
    rows = "".join(
        f"\"(2, ({card},), '')\" = {{ check = {1 - bet}, bet = {bet} }}\n"
        for card, bet in ((0, 0.5), (1, 0), (2, 1))
    )
    file.write_text(f'game = "kuhn"\n[first]\n{rows}')
    position = after_moves(registry.game("kuhn").new(), "J Q bet")
    call = {
        candidate.move: candidate.value
        for candidate in search(f"pimc:weights={file},time=60", position).candidates
    }[1]
    alike = {candidate.move: candidate.value for candidate in search("pimc:time=60", position).candidates}[1]
    assert call == pytest.approx(-2 / 3) and alike == pytest.approx(0)  # two chips lost or won
    drawn = search(f"pimc:weights={file},sims=1,seed=1", position)
    assert drawn.visits == 1 and not drawn.every_deal
    never = after_moves(registry.game("kuhn").new(), "J K bet")  # a queen never bets: one deal is left
    assert search(f"pimc:weights={file},time=60", never).simulated() == "the one deal that fits"
    with pytest.raises(BadInput, match=r"bets.toml, made for kuhn, has no entry for second's infoset here$"):
        search(f"pimc:weights={file}", after_moves(registry.game("kuhn").new(), "J Q check bet"))
    with pytest.raises(BadInput, match=r"there is no file nothing.toml"):
        search("pimc:weights=nothing.toml", position)
    with pytest.raises(Usage, match="weights are for games of at most 12,000 positions"):
        search(f"pimc:weights={file}", registry.game("phantom-tictactoe").new())
    with pytest.raises(Usage, match="worlds must be a whole number from 0 to 10,000,000, not '-1'"):
        registry.engine("pimc:worlds=-1")


def test_pimc_suffers_from_strategy_fusion_and_non_locality() -> None:
    """These errors are inherent in the method: see `gameplay lecture secrets`."""
    position = after_moves(fusion.figure_tree(), "deal1")
    values = {candidate.move: candidate.value for candidate in search("pimc:sims=200", position).candidates}
    assert values[0] == 1.0 and values[1] == pytest.approx(0.8, abs=0.12)  # left is worth 0.4 of the deals


@pytest.mark.parametrize(("spec", "by"), [("kuhn:players=3", "maxn"), ("leduc:players=3", "rollout")])
def test_more_than_two_are_searched_to_the_end_or_play_at_random(spec: str, by: str) -> None:
    position = registry.game(spec).new()
    rng = Random(1)
    while position.turn < 0:
        position.make(rng.choice(position.moves()))
    results = [search(f"pimc:sims=5{tail}", position) for tail in ("", f",by={by}")]
    assert len({(result.move, result.value, result.nodes) for result in results}) == 1
    other = "rollout" if by == "maxn" else "maxn"
    assert search(f"pimc:sims=5,by={other}", position).nodes != results[0].nodes


@pytest.mark.parametrize("by", ["auto", "maxn"])
def test_every_search_finds_the_same_values_of_open_hands(by: str) -> None:
    """The last two tricks: max^n, expectiminimax and a minimax written here."""
    position = tricks((0, 4, 8), (2, 3, 7))
    for card in (8, 7):
        position.make(card)
    report = search(f"pimc:by={by},sims=12", position)
    values = {}
    for move in position.moves():
        total = 0.0
        rng = Random(0)
        for _ in range(12):
            world = position.determinize(0, rng)
            world.make(move)
            total += exact(world)[0]
        values[move] = total / 12
    assert {candidate.move: candidate.value for candidate in report.candidates} == pytest.approx(values)


def test_without_chance_alpha_beta_searches_the_deals() -> None:
    """The second of two simultaneous moves is best against each possible first one."""
    position = registry.game("tests/examples/games/roshambo.py:rounds=1").new()
    position.make(0)
    values = {candidate.move: candidate.value for candidate in search("pimc:sims=90", position).candidates}
    assert sum(values.values()) == pytest.approx(0) and all(abs(value) < 0.4 for value in values.values())


@pytest.mark.parametrize("engine", ["pimc", "ismcts", "ismcts:observers=single", "cfr:iterations=20"])
def test_pimc_satisfies_the_laws_of_engines(engine: str) -> None:
    """It is reproducible by its seed, stops, respects its limits, and leaves the position unchanged."""
    games = ["kuhn", "leduc"] if compiled() and not engine.startswith("cfr") else ["kuhn"]
    report = conduct.check(engine, games, positions=2, timed=False)
    assert report.broken == [] and report.searches > 6


def test_search_respects_its_limits() -> None:
    position = tricks((0, 4, 8), (2, 3, 7))
    assert search("pimc", position, Limit(simulations=3)).visits == 3
    report = search("pimc", position, Limit(nodes=400))
    assert report.stopped == "nodes" and 400 <= report.nodes < 2000
    assert search("pimc", position, Limit(seconds=0.1)).stopped == "time"
    only = search("pimc:sims=5", position, Limit(simulations=5, moves=(4,)))
    assert [candidate.move for candidate in only.candidates] == [4]


def test_pimc_refuses_unsupported_games() -> None:
    kuhn = after_moves(registry.game("kuhn").new(), "J Q")
    three = after_moves(registry.game("kuhn:players=3").new(), "J Q K")
    for spec, position, words in (
        ("pimc", registry.game("nim").new(), "nim has perfect information: there is nothing to sample"),
        ("pimc:by=alphabeta", kuhn, "by=alphabeta requires a game without chance"),
        ("pimc:by=expectiminimax", three, "requires a two-player zero-sum game"),
    ):
        with pytest.raises(Usage, match=words):
            search(spec, position)
    with pytest.raises(Usage, match="maxn or rollout, not 'minimax'"):
        registry.engine("pimc:by=minimax")
    for engine in ("pimc", "ismcts", "cfr"):
        with pytest.raises(Usage, match=f"{engine} cannot be traced"):
            Session(registry.engine(engine)[0]).search(kuhn, trace=lambda event: None)


def test_three_players_are_dealt_to() -> None:
    three = after_moves(registry.game("kuhn:players=3").new(), "T J Q")
    for spec in ("pimc:sims=12", "pimc:by=rollout,sims=6", "ismcts:sims=50"):
        report = search(spec, three)
        assert report.visits and {candidate.move for candidate in report.candidates} == {0, 1}


def test_pimc_searches_a_tree_with_named_infosets() -> None:
    tree = Tree.of({"chance": [{"infoset": "x", "max": [1, 0]}, {"infoset": "x", "max": [1, -2]}]})
    position = after_moves(tree, "1")
    report = search("pimc:sims=50", position)
    assert report.candidates[0].value == 1 and report.candidates[0].error == 0
