"""Levels: their ladders, their errors, threats that all of them see, and their descriptions."""

import itertools
import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log, log10
from random import Random

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.errors import Usage
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.ladders import LADDERS, Gain, Winnings
from gameplay.players.level import (
    DEAL_DIVISOR,
    DEFENDING_LEVEL,
    LEVELS,
    NOISY_PRIOR,
    LevelPlayer,
    all_settings,
    ladder,
    level_engine,
    loss,
    measured_gains,
)
from gameplay.players.player import Player
from gameplay.search.report import Candidate, Report
from gameplay.statistics.rating import elo
from gameplay.statistics.student import quantile
from gameplay.value import WIN
from tests.support.golden import golden
from tests.support.paths import TESTS

STICKS = TESTS / "examples" / "games" / "sticks.py"
DRAWS = 1200


def player(game: str, level: int, seed: int = 0) -> LevelPlayer:
    level_player = seats.player(f"level:{level}", registry.game(game), seed)
    assert isinstance(level_player, LevelPlayer)
    return level_player


def levels_of(game: str) -> Sequence[tuple[int | None, float]]:
    game_class = registry.game(game)
    return ladder(game_class, level_engine(game_class))


def at(game: str, moves: str, player: Player) -> Match:
    """A match after these moves, with the same player in both seats."""
    return Match(registry.game(game), [player, player], "", moves.split())


@pytest.mark.parametrize("game", sorted(LADDERS))
def test_levels_increase_in_depth_or_accuracy(game: str) -> None:
    levels = levels_of(game)
    assert len(levels) > 1 and levels[-1][1] == 0
    for (depth, slip), (deeper, less) in itertools.pairwise(levels):
        assert depth is not None and (deeper or 99) >= depth
        assert slip > less or (deeper or 99) > depth


def test_a_larger_board_has_the_usual_levels() -> None:
    assert levels_of("tictactoe:width=4,height=4") == LEVELS != levels_of("tictactoe")


@pytest.mark.parametrize("game", sorted(LADDERS))
def test_neighbouring_levels_are_100_to_200_elo_apart_or_win_points_for_sure(game: str) -> None:
    first, *others = LADDERS[game]
    assert first.gain is None
    for level in others:
        assert level.gain is not None and level.gain.games >= 60 and level.gain.margin > 0
        if isinstance(level.gain, Gain):
            assert 100 <= level.gain.elo <= 200
        else:
            assert level.gain.points > level.gain.margin


@pytest.mark.once
def test_ladders_in_protocols_equal_the_stored_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """A line a level: depth, positions, seconds, slip, random moves; Elo, half the interval, games."""
    log = []
    for game in sorted({*LADDERS, "tictactoe:width=4,height=4"}):
        document = json.loads(levels(capsys, game, "--json")[1])
        log.append(f"{game}: {document['game']} by {document['engine']}")
        numbers = [rung["level"] for rung in document["levels"]]
        assert numbers == list(range(1, len(numbers) + 1))
        for lower, upper in pairwise(document["levels"]):
            far, near = ((rung["depth"] or 0, rung["nodes"] or 0) for rung in (upper, lower))
            assert far >= near or upper["slip"] < lower["slip"]
            assert upper["random_moves"] <= lower["random_moves"]
            gain = upper["over_the_level_below"]
            assert not gain or gain.get("elo", 1) > 0, "a level is stronger than the one below"
        for rung in document["levels"]:
            log.append("  ".join(str(rung[key]) for key in list(rung)[:-1]))
            log[-1] += f"  {[*(rung['over_the_level_below'] or {}).values()]}"
    golden("ladders", "\n".join(log) + "\n")


@pytest.mark.once
def test_ladders_and_measurements_equal_the_stored_ones(capsys: pytest.CaptureFixture[str]) -> None:
    for game in sorted(LADDERS):
        assert run(router, "gameplay", ["levels", game]) == 0
    golden("levels", capsys.readouterr().out)


def test_margins_are_possible_with_student_t() -> None:
    """No results of pairs vary more than pairs that are both won or both lost."""
    for game, levels in LADDERS.items():
        for gain in (level.gain for level in levels if isinstance(level.gain, Gain)):
            pairs = gain.games // (4 if game == "hearts" else 2)
            score = 1 / (1 + 10 ** (-gain.elo / 400))
            error = quantile(0.975, pairs - 1) * (score * (1 - score) / (pairs - 1)) ** 0.5
            low, high = score - error, min(1 - 1e-9, score + error)
            assert 0 < gain.margin <= (elo(high) - elo(low)) / 2, (game, gain)


def test_gains_correspond_to_integer_game_counts() -> None:
    """In hearts by its pairings: in each game three players face the one of the higher level."""
    for game, levels in LADDERS.items():
        for gain in (level.gain for level in levels if isinstance(level.gain, Gain)):
            most = 2 * gain.games * (3 if game == "hearts" else 1)
            halves = round(most / (1 + 10 ** (-gain.elo / 400)))
            assert gain.elo == round(400 * log10(halves / (most - halves)))


@pytest.mark.parametrize(("game", "most"), [("chess", 2_000_000), (str(STICKS), 100_000)])
def test_node_counts_of_levels_are_bounded(game: str, most: int) -> None:
    settings = all_settings(registry.game(game))
    assert all(rung.limit.nodes == most for rung in settings)
    assert (settings[0].limit.depth, settings[-1].limit.depth) == (1, 5 if game == "chess" else None)


# -- errors -----------------------------------------------------------------------------------------


def test_moves_are_drawn_in_proportion_to_prior_and_loss() -> None:
    """Of three chess moves, one of which captures a pawn, those of greater loss are drawn less often."""
    match = at("chess", "e4 d5", level_player := player("chess", 2))
    position = match.replica()
    values = {"exd5": 100, "Nc3": 90, "Nf3": 20, "Qh5": -400}
    results = [Candidate(position.parse(word), value) for word, value in values.items()]
    report = Report(results[0].move, results[0].value, candidates=tuple(results))
    counts = Counter(
        position.format(level_player._sample(position, report, Random(seed)).move) for seed in range(DRAWS)
    )
    weights = {
        word: (NOISY_PRIOR if word == "exd5" else 1)
        * exp(-loss(position, results[0], candidate) / level_player.slip)
        for word, candidate in zip(values, results, strict=True)
    }
    for word, weight in weights.items():
        share = weight / sum(weights.values())
        assert abs(counts[word] / DRAWS - share) < 4 * (share * (1 - share) / DRAWS) ** 0.5


@pytest.mark.parametrize("level", [1, 2, 5, 9])
def test_no_level_overlooks_a_win_on_the_spot(level: int) -> None:
    for seed in range(8):
        level_player = player("connect4", level, seed)
        assert level_player.choose(at("connect4", "1 7 2 7 3 6", level_player)).move == 3


def test_alert_levels_see_threats_that_lower_ones_overlook() -> None:
    def blocks(level: int, seed: int) -> bool:
        level_player = player("connect4", level, seed)
        choice = level_player.choose(at("connect4", "1 7 1 7 1", level_player))
        return choice is not None and choice.move == 0

    assert all(blocks(level, seed) for level in (DEFENDING_LEVEL, DEFENDING_LEVEL + 1) for seed in range(5))
    assert not all(blocks(1, seed) for seed in range(10))


def test_level_moves_in_lost_positions() -> None:
    level_player = player("connect4", DEFENDING_LEVEL)
    assert level_player.choose(at("connect4", "4 1 5 1 3", level_player)) is not None


def test_the_report_is_that_of_the_move_that_was_made() -> None:
    moves = set()
    for seed in range(6):
        level_player = player("othello", 1, seed)
        choice = level_player.choose(at("othello", "f5 d6 c3", level_player))
        assert choice is not None and choice.report is not None
        report = choice.report
        assert report.move == choice.move == report.pv[0] == report.candidates[0].move
        assert report.value == report.candidates[0].value and len(report.candidates) == 1
        moves.add(choice.move)
    assert len(moves) > 1


def test_a_level_without_slip_plays_as_the_engine_does() -> None:
    game = registry.game("tictactoe")
    level_player = player("tictactoe", 3)
    match = at("tictactoe", "a1 b2 c3", level_player)
    report = level_engine(game).search(match.replica(), level_player.limit)
    assert level_player.choose(match).move == report.move


def test_levels_of_chess_search_by_the_evaluation_they_were_measured_with() -> None:
    """The default evaluation has improved since; the strength of a level stays the same."""
    game = registry.game("chess")
    for level in (3, len(LADDERS["chess"])):
        setting = all_settings(game)[level - 1]
        reports = []
        for engine in ("selective", "selective:eval=classic", "selective:eval=correction"):
            level_player = LevelPlayer(registry.engine(engine)[0], setting, 4)
            choice = level_player.choose(at("chess", "e4 e5 Nf3", level_player))
            assert choice is not None and choice.report is not None
            reports.append((choice.move, choice.report.value, choice.report.nodes))
        assert reports[0] == reports[1] != reports[2]
    assert all_settings(registry.game("othello"))[2].evaluation == ""


def test_cost_of_a_move_is_a_bounded_logit() -> None:
    """In expected points 0.5 is a logit of 0, 0.75 one of log(3); the limit is 0.99, log(99)."""
    position = registry.game("connect4").new()
    best, level, worse, lost_ = (Candidate(move, value) for move, value in enumerate((WIN - 3, 0, -45, -WIN)))
    assert loss(position, best, level) == loss(position, level, lost_) == pytest.approx(log(99) / 4)
    assert loss(position, best, lost_) == pytest.approx(log(99) / 2)
    assert loss(position, level, worse) == pytest.approx(log(3) / 4)
    assert loss(position, worse, level) == 0.0 and NOISY_PRIOR == 2.0
    assert loss(registry.game("pig").new(), Candidate(0, 0.5), Candidate(1, 0.5)) == 0.0


def test_random_moves_of_defending_levels_stop_immediate_wins() -> None:
    """x threatens d1: a level without lookahead meets it only by chance, an alert one every time."""

    def blocks(level: int, seed: int) -> bool:
        level_player = player("connect4", level, seed)
        level_player.random_share = 1.0
        choice = level_player.choose(at("connect4", "1 7 2 7 3", level_player))
        return choice is not None and choice.move == 3

    assert all(blocks(DEFENDING_LEVEL, seed) for seed in range(20))
    assert not all(blocks(DEFENDING_LEVEL - 1, seed) for seed in range(20))


def test_a_level_moves_at_random_below_its_random_share() -> None:
    level_player = player("connect4", 2, seed=5)
    match = at("connect4", "4 4", level_player)
    lot = Random("5/2").random()
    level_player.random_share = lot + 1e-9
    choice = level_player.choose(match)
    assert choice is not None and choice.report is None
    assert choice.move == Random("5/move2").choice(match.moves())
    level_player.random_share = lot
    choice = level_player.choose(match)
    assert choice is not None and choice.report is not None, "at the share itself it looks"
    level_player.random_share = 2.0
    choice = level_player.choose(at("connect4", "1 7 2 7 3 6", level_player))
    assert choice is not None and (choice.move, choice.report) == (3, None), "but it wins at once"


# -- descriptions -----------------------------------------------------------------------------------


def levels(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = run(router, "gameplay", ["levels", *words])
    return status, "".join(capsys.readouterr())


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "checkers", "chess", "othello"])
def test_each_level_is_explained(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = levels(capsys, game)
    assert status == 0 and max(map(len, out.splitlines())) <= 80
    rows = [line.split() for line in out.splitlines()[2:] if line and line.split()[:1] != ["level"]]
    count = len(levels_of(game))
    assert [row[0] for row in rows[:count]] == [str(level) for level in range(1, count + 1)]
    assert rows[0][1:3] == ["1", "ply"] and "none" in rows[count - 1]
    assert "Gain: Elo over" in out and "not measured" not in out
    assert ("Levels without one were not measured." in out) == any(
        level.gain is None for level in LADDERS[game][1:]
    )


def test_cards_are_played_by_few_deals_at_every_level() -> None:
    """With a node limit only, bridge would sample thousands of deals for the last cards."""
    assert {rung.limit.simulations for rung in all_settings(registry.game("bridge"))} == {40 // DEAL_DIVISOR}
    assert {rung.limit.simulations for rung in all_settings(registry.game("hearts"))} == {400 // DEAL_DIVISOR}
    assert {rung.limit.simulations for rung in all_settings(registry.game("kuhn"))} == {None}


def test_barrage_has_its_own_ladder_and_figures() -> None:
    assert levels_of("stratego") != levels_of("stratego:army=barrage")
    assert (
        measured_gains(registry.game("stratego"))
        != measured_gains(registry.game("stratego:army=barrage"))
        != []
    )


def test_levels_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(levels(capsys, "chess", "--json")[1])
    assert (document["engine"], document["evaluation"]) == ("selective", "classic")
    depth, slip = levels_of("chess")[2]
    assert document["levels"][2] == {
        "level": 3, "depth": depth, "nodes": 2_000_000, "seconds": 10.0, "slip": slip, "random_moves": 0.0,
        "over_the_level_below": (gain := LADDERS["chess"][2].gain) and gain._asdict(),
    }  # fmt: skip
    assert document["levels"][0]["over_the_level_below"] is None


def test_gain_in_card_games_is_in_chips(capsys: pytest.CaptureFixture[str]) -> None:
    gain = LADDERS["kuhn"][-1].gain
    assert isinstance(gain, Winnings)
    assert (
        f"    3  1,000 nodes   none   {gain.points:+.2f} ± {gain.margin:.2f}\n" in levels(capsys, "kuhn")[1]
    )
    assert "chips won a game from the level below" in levels(capsys, "kuhn")[1].replace("\n", " ")
    document = json.loads(levels(capsys, "kuhn", "--json")[1])["levels"][-1]
    assert document["over_the_level_below"] == gain._asdict()


def test_number_of_levels_depends_on_the_game() -> None:
    for game, count in (("tictactoe", 3), ("nim", 12), ("tictactoe:width=4,height=4", 10)):
        assert len(player(game, count).spec) > 0 and len(all_settings(registry.game(game))) == count
        with pytest.raises(
            Usage, match=f"tictactoe must be from 1 to {count}, not {count + 1}|of nim must be"
        ):
            player(game, count + 1)


def test_measurements_apply_to_default_parameters_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert "were not measured" in levels(capsys, "connect4:columns=8")[1]


def test_a_game_without_an_engine_that_looks_ahead_has_no_levels(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "default_engine", lambda position: registry.engine_class("random"))
    status, out = levels(capsys, "nim")
    assert (status, "has no levels" in out) == (2, True)


def test_a_game_for_one_has_no_levels(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = levels(capsys, "puzzle15")
    assert status == 2 and "puzzle15 has no levels: it is for one player" in out
