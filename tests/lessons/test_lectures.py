"""Lectures: published figures, our counts, both against theory."""

import itertools
import math
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.cli import router, run
from gameplay.games.tree import Tree
from gameplay.lessons import (
    alphabeta,
    connect4,
    fusion,
    growth,
    horizon,
    maxn,
    minimal,
    mtdf,
    pathology,
    schaeffer,
    secrets,
    uct,
)
from gameplay.players.engine import EnginePlayer
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Session
from gameplay.search.trace import TraceEvent
from tests.support.commands import run_printed
from tests.support.paths import TESTS

ANSWERS = tomllib.loads((TESTS / "answers" / "lectures.toml").read_text())


@pytest.mark.once
def test_the_published_figures_are_the_published_ones() -> None:
    known = ANSWERS["connect4"]
    assert tuple(zip(known["minimax"], known["alphabeta"], strict=True)) == connect4.LECTURE
    assert known["fit"] == connect4.LECTURE_FIT
    assert (
        list(mtdf.PUBLISHED_SAVING) == ANSWERS["mtdf"]["fewer"]
        and list(mtdf.PUBLISHED_CALLS) == ANSWERS["mtdf"]["calls"]
    )
    assert ANSWERS["schaeffer"]["share"] == schaeffer.PUBLISHED_SHARE
    assert ANSWERS["minimal"]["ratio"] == minimal.PUBLISHED_RATIO
    assert list(maxn.PUBLISHED) == ANSWERS["maxn"]["fewer"]
    for example in horizon.EXAMPLES:
        assert ANSWERS["horizon"][example.text] == example.best


# -- Connect Four -----------------------------------------------------------------------------------


def test_connect_four_is_counted_by_depth(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["lecture", "connect4", "--depth", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines[2:6]] == [
        *(["1", "8", "8"], ["2", "72", "72"], ["3", "584", "584"], ["4", "4,209", "4,680"]),
    ]
    for count in connect4.counts(4):
        assert count.minimax == sum(8**ply for ply in range(1, count.depth + 1))
        assert count.alphabeta <= count.minimax


def test_connect_four_is_counted_as_the_engine_counts() -> None:
    """To seven plies, at which the first wins occur."""
    position = registry.game(connect4.GAME).new()
    for depth in (3, 7):
        nodes = registry.engine("alphabeta")[0].search(position, Limit(depth=depth)).nodes
        assert connect4.count_alphabeta(position, depth, connect4.MIDDLE_FIRST, connect4.EQUAL) == nodes - 1


def test_the_law_of_the_lecture_holds_from_left_to_right_with_strict_cuts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    fits = {
        pair: connect4.fit_base(list(connect4.counts(5, *pair)))
        for pair in itertools.product(connect4.ORDERS, connect4.CUTS)
    }
    assert sorted(fits, key=fits.__getitem__)[-1] == (connect4.LEFT_TO_RIGHT, connect4.STRICT)
    assert fits[connect4.LEFT_TO_RIGHT, connect4.STRICT] == pytest.approx(2 / 3, abs=0.04)
    words = ["lecture", "connect4", "--depth", "3", "--order", "left-to-right"]
    assert run(router, "gameplay", words) == 0
    assert "from left to right and cut off also" in capsys.readouterr().out
    assert run(router, "gameplay", [*words, "--cut", "strict"]) == 0
    assert "try --order" not in capsys.readouterr().out


@pytest.mark.once
def test_the_fit_finds_the_base_of_a_power_and_the_lectures_own() -> None:
    counts = [connect4.NodeCounts(depth, 10**9, round(10**9 * 0.5 ** (depth - 2))) for depth in range(2, 9)]
    assert connect4.fit_base(counts) == pytest.approx(0.5, abs=1e-6)
    assert connect4.fit_base(connect4.published_counts()) == pytest.approx(
        ANSWERS["connect4"]["fit"], abs=0.015
    )


# -- b^m --------------------------------------------------------------------------------------------


def test_depth_and_size_are_those_of_logarithms() -> None:
    assert growth.reachable_depth(1e8, 10) == pytest.approx(8) and growth.reachable_depth(5.0, 1) == math.inf
    name, width, length = growth.LECTURE
    assert name == "chess" and length * math.log10(width) == pytest.approx(math.log10(35**100))
    assert pytest.approx(4.35e17, rel=0.01) == growth.UNIVERSE


def test_moves_are_multiplied_along_each_game(capsys: pytest.CaptureFixture[str]) -> None:
    profile = growth.measure(registry.game("tictactoe"), 1)
    played = profile.matches
    products = {length: math.log10(math.factorial(9) / math.factorial(9 - length)) for length in range(5, 10)}
    expected = sorted(products[length] for length in played.lengths.elements())
    assert sorted(played.exponents) == pytest.approx(expected), "9 moves to choose from, then 8, ..."
    assert run(router, "gameplay", ["lecture", "growth", "tictactoe", "--pairs", "1"]) == 0
    out = capsys.readouterr().out
    assert "10^154.4" in out and f"10^{sum(expected) / len(expected):.1f}" in out
    assert "minimax could search tictactoe to the end" in out


def test_ctrl_c_in_a_search_ends_the_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An interrupted search ends with a move, and the game with it: no further move is made."""
    searches = []

    def find(player: EnginePlayer, match: Any, limit: Limit) -> Any:
        searches.append(1)
        report = player.session.search(match.replica(), limit, copy=False)
        return report.with_(stopped="interrupted") if len(searches) == 3 else report

    monkeypatch.setattr(EnginePlayer, "find", find)
    assert run(router, "gameplay", ["lecture", "growth", "tictactoe", "--pairs", "1"]) == 130
    assert len(searches) == 3 and capsys.readouterr().out == ""


def test_the_verdict_names_the_time() -> None:
    def verdict(depth: float) -> str:
        return growth._verdict(80, depth, "chess")

    assert verdict(90) == (
        "In the age of the universe minimax could search chess to the end of its average game, 80 plies."
    )
    assert verdict(50).startswith(
        "In the age of the universe alpha-beta could"
    ) and "minimax could not" in verdict(50)
    assert verdict(30).startswith("In the age of the universe neither could search chess to the end")


def test_tree_sizes_of_other_games(capsys: pytest.CaptureFixture[str]) -> None:
    for game, words in (("kuhn", "Rolls and deals are not counted."), ("tree:lecture", "10^1.0\n")):
        status, out, _ = run_printed(capsys, "lecture", "growth", game, "--pairs", 1)
        assert status == 0 and words in out and "neither" not in out
    status, out, err = run_printed(capsys, "lecture", "growth", "puzzle15", "--pairs", 1)
    assert (status, out) == (2, "") and "puzzle15 is for one player" in err


# -- alpha-beta by hand -----------------------------------------------------------------------------


def test_exercise_results_equal_the_published_ones(capsys: pytest.CaptureFixture[str]) -> None:
    worked = list(alphabeta.exercises())
    assert len(worked) >= 5 and not any(row.differences for row in worked)
    assert run(router, "gameplay", ["lecture", "alphabeta"]) == 0
    output = capsys.readouterr().out
    assert output.count("as published") == len(worked)
    assert "   |- C (a2): MIN [3, inf] = 2 at most\n   |  |- c1: 2\n   |  |- c2: 4, not visited" in output


def test_exercise_with_a_different_result_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "exercises.toml"
    file.write_text('[[exercise]]\ntitle = "A"\nsource = "B"\nvalue = 9\ntree = { max = [1, 2] }\n')
    monkeypatch.setattr(alphabeta, "FILE", file)
    assert [exercise.differences for exercise in alphabeta.exercises()] == ["value 2, published 9"]
    assert run(router, "gameplay", ["lecture", "alphabeta"]) == 3


# -- the minimal tree -------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "depth", "leaves"), ANSWERS["minimal"]["leaves"])
def test_in_trees_of_one_width_the_fewest_leaves_are_those_of_the_formula(
    width: int, depth: int, leaves: int
) -> None:
    tree = minimal.uniform(width, depth)
    proof = minimal.proof(tree, depth)
    assert (proof.minimum, proof.leaves) == (leaves, width**depth)
    assert minimal.leaves_of("alphabeta", tree, depth) == leaves


def random_tree(rng: Random, depth: int, side: str = "max") -> Any:
    if depth == 0 or rng.random() < 0.15:
        return rng.randint(-5, 5)
    other = "min" if side == "max" else "max"
    return {side: [random_tree(rng, depth - 1, other) for _ in range(rng.randint(1, 3))]}


def test_every_search_visits_at_least_the_leaves_of_the_minimal_tree() -> None:
    rng = Random(5)
    for _ in range(25):
        data = random_tree(rng, 5)
        if not isinstance(data, dict):
            continue
        tree = Tree.of(data)
        proof = minimal.proof(tree, 6)
        report = registry.engine("minimax")[0].search(tree, Limit(depth=6))
        assert proof.value == report.value
        assert proof.leaves == minimal.leaves_of("minimax", tree, 6)
        for spec in ("alphabeta", "alphabeta:order=history", "iterative:table=off"):
            assert minimal.leaves_of(spec, tree, 6) >= proof.minimum


@pytest.mark.once
def test_consecutive_moves_of_a_player_each_need_one_good_move() -> None:
    """At least 5 is proved by one leaf; at most 5 by both below MAX and one below MIN."""
    twice = Tree.of({"max": [{"max": [1, 5]}, {"min": [3, 4]}]})
    assert (
        minimal.proof(twice, 2) == minimal.MinimalProof(5, 1, 3, 4) and minimal.proof(twice, 2).minimum == 3
    )
    lost = Tree.of({"max": [{"min": [-9, 9]}, {"max": [{"min": [-3, 2]}, {"min": [-4, -5]}]}]})
    assert minimal.proof(lost, 3) == minimal.MinimalProof(-3, 2, 3, 6)


@pytest.mark.once
def test_leaves_of_a_tree_of_one_width_lie_in_the_middle_of_their_spans() -> None:
    """From -2^19 to 2^19, halved at each ply; the better half first, for the side to move."""
    tree = minimal.uniform(2, 2)
    leaves = [node.payoffs[0] for node in tree.nodes if node.payoffs]
    assert leaves == [1 << 17, 3 << 17, -3 << 17, -1 << 17]


def test_the_minimal_tree_of_a_game_has_its_value() -> None:
    position = registry.game("connect4").new("4455343")
    assert (
        minimal.proof(position, 3).value
        == registry.engine("minimax")[0].search(position, Limit(depth=3)).value
    )


# -- the horizon ------------------------------------------------------------------------------------


@pytest.mark.once
def test_fixed_depth_blunders_and_quiescence_does_not() -> None:
    first, second = (
        {
            name: registry.game("chess")
            .new(example.text)
            .format(
                registry.engine(spec)[0]
                .search(registry.game("chess").new(example.text), Limit(depth=example.depth))
                .move
            )
            for name, spec in horizon.SEARCHES
        }
        for example in horizon.EXAMPLES
    )
    assert first["fixed depth"] == "Nxe4" != first["quiescence"]
    assert second["fixed depth"] == second["quiescence"] == "Kf1"
    assert second["quiescence and secondary search"] == horizon.EXAMPLES[1].best


# -- MTD(f), combinations ---------------------------------------------------------------------------


def test_mtdf_searches_the_root_more_often_and_finds_the_same() -> None:
    comparison = mtdf.comparison("connect4", 4, positions=2)
    assert comparison.equal and comparison.calls[2] > comparison.calls[0] == comparison.iterations == 8
    assert all(count > 0 for count in comparison.leaves)


def test_all_combinations_find_the_same_values_and_the_best_has_all_of_the_reduction() -> None:
    results = schaeffer.combinations("connect4", 4, 2)
    assert len(results) == 16 and all(result.equal for result in results)
    assert results[0].share == 1.0
    assert next(result for result in results if not result.techniques).share == 0.0
    assert [result.nodes for result in results] == sorted(result.nodes for result in results)


# -- pathology --------------------------------------------------------------------------------------


def test_values_taken_back_are_those_of_the_engine() -> None:
    for kind, plies, seed in (("P", 5, 1), ("N", 5, 2), ("P", 4, 3), ("N", 4, 4)):
        position = pathology.HalvingGame(kind, plies, seed)
        for depth in range(1, plies + 1):
            report = Session(registry.engine("alphabeta")[0]).search(position, Limit(depth=depth, multipv=2))
            values = {candidate.move: candidate.value for candidate in report.candidates}
            assert pathology.root_values(position, depth) == (values[0], values[1])


@pytest.mark.once
def test_halving_game_halves_the_board_and_evaluates_by_counting() -> None:
    board = pathology.HalvingGame("P", 3, 1)
    board.squares = [True, False, False, True, True, True, False, False]
    board.won = [0, 1, 1, 1, 2, 3, 4, 4, 4]
    seen = [(board.key(), board.turn, board.outcome(), board.evaluate())]
    for move in (1, 0, 1):
        board.make(move)
        seen.append((board.key(), board.turn, board.outcome(), board.evaluate()))
    assert seen == [
        ((0, 8), 0, None, 0),
        ((4, 8), 1, None, 0),
        ((4, 6), 0, None, 999),
        ((5, 6), 1, (1000, -1000), -999),
    ]
    for key in ((4, 6), (4, 8), (0, 8)):
        board.unmake()
        assert board.key() == key
    board.make(0)
    assert (board.moves(), board.evaluate()) == ([0, 1], 0)
    board.make(1)
    board.make(0)
    assert (board.key(), board.outcome(), board.evaluate()) == ((2, 3), (-1000, 1000), 999)


@pytest.mark.once
def test_deeper_is_worse_in_p_games_and_better_in_n_games() -> None:
    plies = 8
    p, n = (pathology.right_moves(kind, plies, trees=150).shares for kind in pathology.KINDS)
    assert p[0] > p[plies - 3] and n[0] < n[plies - 3]
    assert p[-1] == n[-1] == 1.0  # who sees the end errs no more


# -- three players ----------------------------------------------------------------------------------


@pytest.mark.once
def test_paranoid_search_takes_fewer_nodes_than_maxn() -> None:
    sizes = maxn.tree_sizes(3, positions=2)
    assert sizes.maxn > sizes.leaves and sizes.paranoid < sizes.maxn
    gains = maxn.mean_payoffs(1)
    assert set(gains) == {"maxn", "paranoid"}


# -- strategy fusion --------------------------------------------------------------------------------


@pytest.mark.once
def test_pimc_overestimates_under_strategy_fusion() -> None:
    known = ANSWERS["fusion"]
    assert [list(leaf) for leaf in fusion.LEAVES] == known["leaves"] and known["bridge"] == fusion.BRIDGE
    tree = fusion.figure_tree()
    lines = fusion.lines_of_play(tree)
    assert fusion.sampled_values(tree, 0)[0, "start"] == pytest.approx([1.0, 0.8])
    assert fusion.guaranteed_payoff(lines, 0, fusion.sampled_strategy(tree, 0)) == pytest.approx(0.6)
    assert fusion.optimal_payoff(lines) == pytest.approx(0.8)
    assert fusion.perfect_information_value(tree) == 1


@pytest.mark.once
def test_deals_are_weighted_by_their_probability() -> None:
    """In three of four cases a bet loses 2; MIN's belief is reversed where they choose."""
    deals = {
        "good 1/4": {"infoset": "asked", "max": {"bet": 6, "pass": 0}},
        "bad 3/4": {
            "infoset": "asked",
            "max": {"bet": -4, "pass": {"infoset": "told", "min": {"a": 0, "b": 8}}},
        },
    }
    tree = Tree.of({"chance": deals})
    assert fusion.sampled_values(tree, 0) == {(0, "asked"): [1 / 4 * 6 - 3 / 4 * 4, 0.0]}
    assert fusion.sampled_values(tree, 1) == {(1, "told"): [0.0, -8.0]}
    assert fusion.perfect_information_value(tree) == 1 / 4 * 6 + 0.0
    lines = fusion.lines_of_play(tree)
    assert sorted(line.odds for line in lines) == [0.25, 0.25, 0.75, 0.75, 0.75]
    assert fusion.infosets(lines, 0) == {(0, "asked"): 2} and fusion.infosets(lines, 1) == {(1, "told"): 2}
    bet, asked_strategy = {(0, "asked"): [0.5, 0.5]}, {(1, "told"): [0.25, 0.75]}
    assert fusion.payoff(lines, bet, asked_strategy) == 0.5 * (1 / 4 * 6 - 3 / 4 * 4) + 0.5 * 3 / 4 * 0.75 * 8
    assert fusion.sampled_strategy(tree, 0) == {(0, "asked"): [0.0, 1.0]}
    assert fusion.uniform_strategy(tree, 1) == {(1, "told"): [0.5, 0.5]}


@pytest.mark.once
def test_kuhn_poker_value_and_table_equal_the_published_ones() -> None:
    known = ANSWERS["fusion"]
    rows = {(payoff.name, payoff.seat): payoff for payoff in fusion.kuhn_payoffs()}
    for name, key in (("random", "random"), ("Monte Carlo", "sampled"), ("equilibrium", "nash")):
        assert [list(rows[name, seat].published) for seat in (0, 1)] == known[key]
    for seat, sign in ((0, -1), (1, 1)):
        assert rows["equilibrium", seat].guaranteed == pytest.approx(sign / known["kuhn"])
    differing = [
        (name, seat, column)
        for (name, seat), strategy in rows.items()
        for column, mine in enumerate((strategy.equilibrium, strategy.guaranteed))
        if abs(mine - strategy.published[column]) > 0.001
    ]
    assert differing == [("random", 0, 0), ("Monte Carlo", 0, 1)], "the lecture tells of these two"
    assert fusion.tied_votes_payoff() == pytest.approx(rows["Monte Carlo", 0].published[1], abs=0.001)


@pytest.mark.once
def test_in_random_trees_the_best_strategies_are_those_of_all_pure_ones() -> None:
    """Masks of deals compared with enumeration, on trees of three plies."""
    for seed in range(20):
        quick = fusion.random_tree(Random(seed), 3, 3)
        drawn = Random(seed)
        leaves = [drawn.getrandbits(3) for _ in range(8)]
        tree = Tree.of(
            {"chance": [three_plies(leaf >> number & 1 for leaf in leaves) for number in range(3)]}
        )
        lines = fusion.lines_of_play(tree)
        assert max(win.bit_count() for win in quick.wins) == round(3 * fusion.optimal_payoff(lines))
        assert quick.open_wins.bit_count() == round(3 * fusion.perfect_information_value(tree))


def three_plies(leaves: Iterable[int]) -> dict[str, Any]:
    """A tree of MAX, without information about the deal, MIN, MAX."""
    each = iter(leaves)
    names = iter("abcd")
    lowest = [[{"infoset": next(names), "max": [next(each), next(each)]} for _ in "12"] for _ in "12"]
    return {"infoset": "start", "max": [{"min": pair} for pair in lowest]}


@pytest.mark.once
def test_cfr_values_earlier_observations_that_pimc_ignores() -> None:
    tree = fusion.non_locality_tree()
    lines = fusion.lines_of_play(tree)
    assert fusion.sampled_values(tree, 0)[0, "asked"] == pytest.approx([0.5, 0])
    rows = {method.name.partition(" ")[0]: method for method in secrets.compare_methods(tree, "asked")}
    assert [rows[name].word for name in ("PIMC", "ISMCTS", "CFR")] == ["bet", "bet", "pass"]
    assert (
        rows["CFR"].guaranteed
        == pytest.approx(fusion.optimal_payoff(lines), abs=1e-3)
        == pytest.approx(-0.5, abs=1e-3)
    )
    assert rows["PIMC"].guaranteed == -1
    fused = {
        method.name.partition(" ")[0]: method
        for method in secrets.compare_methods(fusion.figure_tree(), "start")
    }
    assert [fused[name].word for name in ("PIMC", "ISMCTS", "CFR")] == ["left", "right", "right"]
    assert fused["PIMC"].guaranteed == pytest.approx(0.6)
    assert fused["CFR"].guaranteed == pytest.approx(0.8, abs=1e-3)


@pytest.mark.once
def test_cfr_converges_to_an_equilibrium_of_kuhn_poker() -> None:
    rows = secrets.convergence()
    assert [row.exploitability for row in rows] == sorted((row.exploitability for row in rows), reverse=True)
    last = rows[-1]
    assert last.value == pytest.approx(-1 / ANSWERS["fusion"]["kuhn"], abs=1e-4)
    assert last.bet == pytest.approx(3 * last.bluff, abs=0.02)
    assert last.call == pytest.approx(last.bluff + 1 / 3, abs=0.02)
    assert (last.second_bluff, last.second_call) == pytest.approx((1 / 3, 1 / 3), abs=0.02)


# -- output -----------------------------------------------------------------------------------------


def test_the_moves_of_p_games_have_the_numbers_of_the_paper() -> None:
    """Kocsis and Szepesvari, 4.1: 0 to 127 by MAX, -127 to 0 by MIN; the sign of the sum decides."""
    numbers: tuple[set[int], set[int]] = set(), set()
    for seed in range(1000):
        game = uct.PGame(seed, plies=2)
        for player in (0, 1):
            game.make(seed % 2)
            numbers[player].add(game.sums[-1] - game.sums[-2])
        assert game.key() == (seed, (seed % 2, seed % 2))
        first = (game.sums[-1] > 0) - (game.sums[-1] < 0)
        assert game.outcome() == (first, -first)
        game.unmake()
        assert game.outcome() is None and game.turn == 1 and game.moves() == [0, 1]
    assert (min(numbers[0]), max(numbers[0])) == (0, 127)
    assert (min(numbers[1]), max(numbers[1])) == (-127, 0)


@pytest.mark.once
def test_errors_are_counted_at_eight_and_twelve_plies_in_trees_with_a_decision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By engines that know the answers: every other tree has two equally good moves."""
    requests: list[tuple[str, int, int | None, int | None, int]] = []

    class RecordingEngine:
        def __init__(self, spec: str) -> None:
            self.spec = spec

        def search(self, position: uct.PGame, limit: Limit) -> Report:
            requests.append((self.spec, position.seed, limit.depth, limit.simulations, limit.multipv))
            other = Candidate(1, 5 if position.seed % 2 else -3)
            wrong = 0 < (limit.simulations or 0) <= 16 or (limit.simulations == 64 and position.seed > 2)
            return Report(move=int(wrong), candidates=(Candidate(0, 7), other), nodes=10 * position.seed)

    monkeypatch.setattr(registry, "engine", lambda spec: (RecordingEngine(spec), Limit()))
    results = list(uct.curves(2))
    shares = ((4, 1.0), (16, 1.0), (64, 0.5), (256, 0.0), (1024, 0.0), (4096, 0.0))
    assert results == [uct.Curve(plies, 2, shares, 30.0) for plies in (8, 12)]
    assert requests[:3] == [
        ("alphabeta", 1, 8, None, 2),
        ("alphabeta", 2, 8, None, 2),
        ("alphabeta", 2, 8, None, 1),
    ]
    assert requests[3] == ("mcts:c=1.41,solver=off,seed=2", 2, None, 4, 1)
    assert len(requests) == 2 * (4 + 2 + 2 * 6), (
        "each tree for its best moves; those that count once more, and six times"
    )


@pytest.mark.once
def test_uct_chain_converges_if_short_and_late_changes_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uct, "CHAINS", (2, 3))
    monkeypatch.setattr(uct, "MAX_LOG2_SIMULATIONS", 6)
    for chain in uct.chains():
        position = uct.chain(chain.steps)
        for spec, power in (("solver=off", chain.plain), ("solver=on", chain.solver)):
            engine = registry.engine(f"mcts:c=1.41,{spec}")[0]
            chosen = [
                position.format(engine.search(position, Limit(simulations=1 << at)).move) for at in range(7)
            ]
            last = max((at for at, word in enumerate(chosen) if word != "on"), default=-1)
            assert power == (1 << last + 1 if last < 6 else None), chosen


@pytest.mark.once
def test_choice_is_graded_by_its_loss_against_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge finds 30 at eight plies; one of the three engines chooses a move of higher value."""
    requests: list[tuple[str, Limit]] = []
    words = dict(zip((spec for _, spec in horizon.SEARCHES), ("Kf1", "Rh8", "Rb8"), strict=True))
    worth = {"Kf1": -160, "Rh8": 30, "Rb8": 40}

    class RecordingSearch:
        def __init__(self, spec: str) -> None:
            self.spec = spec

        def search(self, position: Any, limit: Limit) -> Report:
            requests.append((self.spec, limit))
            if self.spec in words:
                return Report(move=position.parse(words[self.spec]), value=7)
            return Report(value=worth[position.format(limit.moves[0])] if limit.moves else 30)

    monkeypatch.setattr(registry, "engine", lambda spec: (RecordingSearch(spec), Limit()))
    example = horizon.EXAMPLES[1]
    choices = horizon.choices(example)
    assert [(choice.name, choice.move, choice.value, choice.loss) for choice in choices] == [
        ("fixed depth", "Kf1", 7, 200),
        ("quiescence", "Rh8", 7, 10),
        ("quiescence and secondary search", "Rb8", 7, 0),
    ]
    assert [choice.blunder for choice in choices] == [True, False, False]
    assert not horizon.HorizonChoice("", "a", 0, 199).blunder
    position = registry.game("chess").new(example.text)
    moves = [Limit(depth=8, moves=(position.parse(word),)) for word in words.values()]
    assert [limit for spec, limit in requests if spec == horizon.REFERENCE[0]] == [Limit(depth=8), *moves]
    assert [(spec, limit) for spec, limit in requests if spec != horizon.REFERENCE[0]] == [
        (spec, Limit(depth=4)) for spec in words
    ]
    hair = horizon.HorizonChoice("a hair", "Rd8", 7, 0.75)
    monkeypatch.setattr(horizon, "choices", lambda example: [*choices, hair])
    text = "\n".join(horizon.lines())
    assert "  fixed depth:                     Kf1  a blunder: 2.00 pawns below the best\n" in text
    assert "  quiescence:                      Rh8  0.10 pawns below the best\n" in text
    assert "  quiescence and secondary search: Rb8  the best\n" in text
    assert "  a hair:                          Rd8  0.01 pawns below the best\n" in text
    assert "\n3 plies; the published move is h5 " in text and "\n4 plies; the published move is Rh8 " in text
    assert text.endswith(f"\n\nMoves are valued by {horizon.REFERENCE[0]}, 8 plies.")


@pytest.mark.once
def test_the_sizes_of_the_tables_that_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games, depths and numbers of positions, with searches that only record their requests."""
    requests: list[Any] = []

    def proof(position: Any, depth: int) -> minimal.MinimalProof:
        requests.append((type(position).__name__, depth))
        return minimal.MinimalProof(0, 3, 2, 4321)

    monkeypatch.setattr(minimal, "proof", proof)
    monkeypatch.setattr(minimal, "leaves_of", lambda spec, position, depth: depth * 1000)
    lines = list(minimal.lines())
    assert [len(tree.root.branches) for tree in (minimal.uniform(2, 1), minimal.uniform(4, 2))] == [2, 4]
    assert [row.split() for row in lines[3:8]] == [
        ["2", "4", "4,321", "7", "4", "4,000"],
        ["3", "4", "4,321", "17", "4", "4,000"],
        ["4", "4", "4,321", "31", "4", "4,000"],
        ["3", "5", "4,321", "35", "4", "5,000"],
        ["2", "7", "4,321", "23", "4", "7,000"],
    ]
    assert [row for row in lines if "plies:" in row] == [
        f"{name}: 4,321 leaves, 4 in the minimal tree"
        for name in (
            "tictactoe, 5 plies",
            "connect4, 5 plies",
            "othello, 5 plies",
            "checkers, 6 plies",
            "chess, 3 plies",
        )
    ]
    assert [depth for name, depth in requests] == [4, 4, 4, 5, 7, 5, 5, 5, 6, 3]

    def comparison(name: str, depth: int) -> mtdf.MtdfComparison:
        return mtdf.MtdfComparison(name, depth, (3000, 1000, 900), (10, 20, 45), 10, name != "chess")

    monkeypatch.setattr(mtdf, "comparison", comparison)
    lines = list(mtdf.lines())
    assert lines[2:6] == [
        "checkers, 9 plies         3,000        1,000          900     -10.0%         4.5",
        "othello, 7 plies          3,000        1,000          900     -10.0%         4.5",
        "chess, 5 plies            3,000        1,000          900     -10.0%         4.5   values differ!",
        "connect4, 9 plies         3,000        1,000          900     -10.0%         4.5",
    ]
    assert lines[6] == "" and lines[7].startswith("4 random positions of each game")

    def combinations(name: str, depth: int, positions: int) -> list[schaeffer.Combination]:
        return [
            schaeffer.Combination(("table", "history"), 1000, 1.0, True),
            schaeffer.Combination(("history",), 2000, 0.5, False),
            schaeffer.Combination((), 3000, 0.0, True),
        ]

    monkeypatch.setattr(schaeffer, "combinations", combinations)
    rows = [
        "",
        "  table + history                           1,000  100.0%  <- table and history",
        "  history                                   2,000   50.0%  the values differ!",
        "  none                                      3,000    0.0%",
        "",
    ]
    assert list(schaeffer.lines())[:-1] == [
        "chess, 3 positions, 5 plies: nodes, share of the possible reduction",
        *rows,
        "checkers, 4 positions, 8 plies: nodes, share of the possible reduction",
        *rows,
    ]

    def tree_sizes(depth: int) -> maxn.TreeSizes:
        return maxn.TreeSizes(depth, 5 * 8**depth, 1000, 400, 3)

    def mean_payoffs(games: int) -> dict[str, float]:
        requests.append(games)
        return {"maxn": 0.25, "paranoid": -0.5}

    monkeypatch.setattr(maxn, "tree_sizes", tree_sizes)
    monkeypatch.setattr(maxn, "mean_payoffs", mean_payoffs)
    lines = list(maxn.lines())
    assert [row.split() for row in lines[3:8]] == [
        [str(depth), f"{5 * 8**depth:,}", f"{5 * 4**depth:,}", "1,000", "400", "2.5", "3", "of", "5"]
        for depth in range(1, 6)
    ]
    assert lines[9] == (
        "12 games, 2,000 nodes per move, one against two of the other kind: maxn +0.25, paranoid -0.50 per "
        "game"
    )
    assert requests[-1] == 12


@pytest.mark.once
def test_both_kinds_of_player_play_alone_in_each_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """By trivial engines, in games that end after the opening's first round."""
    seats: list[list[str]] = []

    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

        def search(self, position: Any, limit: Limit) -> Report:
            assert limit == Limit(nodes=2000)
            seats[-1].append(self.name)
            return Report(move=0)

    class Three:
        """Three moves, after which the first player has won."""

        def __init__(self) -> None:
            self.turn = 0
            seats.append([])

        def outcome(self) -> tuple[float, ...] | None:
            return (1.0, -0.25, -0.75) if self.turn == 3 else None

        def make(self, move: int) -> None:
            self.turn += 1

        def replica(self) -> "Three":
            return self

    monkeypatch.setattr(maxn, "Session", lambda engine: engine)
    monkeypatch.setattr(registry, "engine", lambda name: (Named(name), Limit()))
    monkeypatch.setattr(maxn.openings, "draw_openings", lambda game, count, seed: [None] * count)
    monkeypatch.setattr(maxn.openings, "match_after", lambda game, opening: Three())
    gains = maxn.mean_payoffs(6)
    short = ["".join(name[0] for name in names) for names in seats]
    assert short == ["pmm", "mpp", "mpm", "pmp", "mmp", "ppm"]
    assert gains == {"maxn": 0.0, "paranoid": 0.0}
    assert maxn.mean_payoffs(1) == {"maxn": -0.5, "paranoid": 1.0}


class Valued:
    """A search that returns the next of some values."""

    values: Iterator[int]

    def __init__(self, engine: Any) -> None:
        self.engine = engine

    def search(self, position: Any, limit: Limit, **more: Any) -> Report:
        return Report(value=next(self.values), depth=limit.depth or 0, nodes=10)


@pytest.mark.once
@pytest.mark.parametrize(
    ("values", "equal"),
    [((1, 1, 1, 2, 2, 2), True), ((1, 1, 2, 3, 3, 3), False), ((1, 1, 1, 2, 3, 2), False)],
)
def test_searches_are_equal_if_they_agree_in_every_position(
    values: tuple[int, ...], equal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mtdf, "Session", Valued)
    Valued.values = iter(values)
    comparison = mtdf.comparison("connect4", 3, positions=2)
    assert comparison == mtdf.MtdfComparison("connect4", 3, (0, 0, 0), (0, 0, 0), 6, equal)


@pytest.mark.once
def test_a_combination_is_equal_if_it_has_the_values_of_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schaeffer, "Session", Valued)
    Valued.values = iter([1, 5] + [1, 5] * 14 + [1, 6])
    results = schaeffer.combinations("connect4", 3, 2)
    assert [result.equal for result in results] == [True] * 15 + [False]
    assert results[0].techniques == () and results[-1].techniques == schaeffer.TECHNIQUES
    assert {(result.nodes, result.share) for result in results} == {(20, 0.0)}
    Valued.values = iter([2, 5] + [1, 5] * 15)
    assert [result.equal for result in schaeffer.combinations("connect4", 3, 2)] == [True] + [False] * 15


@pytest.mark.once
def test_lecture_on_connect_four_runs_to_its_last_count_and_beyond(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def counts(depth: int, order: str, cut: str) -> Iterable[connect4.NodeCounts]:
        return [connect4.NodeCounts(plies, 8**plies, 4**plies) for plies in range(1, depth + 1)]

    monkeypatch.setattr(connect4, "counts", counts)
    lines = list(connect4.lines(8))
    assert lines[8:10] == [
        "    7    2,322,941  2,097,152     312,565    16,384           13.5%    0.8%",
        "    8              16,777,216                65,536                    0.4%",
    ]
    assert lines[11].startswith(
        "fitted by q^(d - 2): the lecture's counts by q = 0.68 (published: 0.67), ours"
    )
    assert [len(list(connect4.lines(depth))) for depth in (1, 2, 3)] == [8, 9, 12]


@pytest.mark.once
def test_leaves_and_root_searches_are_counted_by_events() -> None:
    counter = mtdf.SearchCounter()
    for what, ply in (
        *(("enter", 0), ("enter", 1), ("leave", 1), ("move", 0), ("enter", 1), ("enter", 2)),
        *(("leave", 2), ("leave", 1), ("leave", 0), ("enter", 0), ("leave", 0)),
    ):
        counter(TraceEvent(what=what, ply=ply))
    assert (counter.leaves, counter.calls) == (3, 2)
    assert mtdf.MtdfComparison("", 1, (1, 100, 94), (1, 1, 1), 1, True).saving == pytest.approx(0.06)


@pytest.mark.once
def test_at_each_step_of_the_chain_stopping_brings_less_and_at_its_end_there_is_one() -> None:
    """The values are (D - 1)/D, (D - 2)/D, ..., 0, and 1 at the end of the path (Coquelin and Munos)."""
    position, stops = uct.chain(4), []
    while position.outcome() is None:
        words = {position.format(move): move for move in position.moves()}
        position.make(words["stop"])
        stops.append(position.outcome())
        position.unmake()
        position.make(words["on"])
    assert stops == [(0.75,), (0.5,), (0.25,), (0.0,)] and position.outcome() == (1,)


@pytest.mark.once
def test_a_chain_is_searched_from_two_steps_to_eight(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a search that is undecided with 4 simulations, uncertain at 64 and certain from 128."""
    powers: set[int] = set()

    class Doubting:
        def search(self, position: Any, limit: Limit) -> Report:
            count = limit.simulations or 0
            powers.add(count)
            word = "on" if count >= 128 or 4 <= count < 64 else "stop"
            return Report(move=next(move for move in position.moves() if position.format(move) == word))

    monkeypatch.setattr(registry, "engine", lambda spec: (Doubting(), Limit()))
    assert list(uct.chains()) == [uct.Chain(steps, 128, 128) for steps in range(2, 9)]
    assert powers == {1 << power for power in range(15)}
