"""The profile of a game: Knuth's estimate compared with counts, swings of the lead, and the command."""

import json
import math
import time
from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from itertools import pairwise
from pprint import pformat
from random import Random
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from gameplay import registry
from gameplay.cli.measure import profile as cli
from gameplay.display.pages import chart
from gameplay.display.reports import plot
from gameplay.display.reports import profile as shown
from gameplay.display.theme import Theme
from gameplay.errors import Fault, Usage
from gameplay.runs.job import GameResult
from gameplay.statistics import knuth
from gameplay.store.record import Ply, Record
from gameplay.suites import profiling
from tests.support.commands import gameplay
from tests.support.facts.text import check_width
from tests.support.golden import golden
from tests.support.pools import FakePool

pytestmark = pytest.mark.once

# Counted by others: H. Schaefer's well-known figures of tic-tac-toe, and J. Tromp's of Connect Four, 4x4.
LINES, POSITIONS, SMALL_FOUR = 255_168, 5_478, 161_029


def far():
    return time.monotonic() + 1000


def ignore(words):
    pass


@pytest.fixture
def here(monkeypatch):
    """Play games in this process."""
    real = profiling.results
    monkeypatch.setattr(profiling, "results", lambda jobs, slots, ends: real(jobs, 0, ends))


# -- sizes ----------------------------------------------------------------------------------------


def test_knuths_estimate_over_all_paths_equals_the_count():
    """If all paths are taken as often as they are likely, the mean is exact."""
    ways = [[2, 3], [2, 3], [2, 3], [2, 1], [2, 1], [2, 1]]  # below one branch 3 leaves, below the other 1
    assert knuth.leaves(ways).log10 == pytest.approx(math.log10(4))
    assert knuth.nodes(ways).log10 == pytest.approx(math.log10(7))
    assert knuth.positions([[(2, 1), (3, 3)], [(2, 1), (1, 1)]]).log10 == pytest.approx(math.log10(5))
    assert knuth.mean([Fraction(10) ** 400]).log10 == pytest.approx(400)
    assert knuth.mean([1, 3]).error == pytest.approx(0.5)
    thirds = knuth.mean([Fraction(1, 3), Fraction(2, 3), Fraction(3, 3)])  # 2/3, and 1/2 of it to each side
    assert thirds.as_dict() == {"log10": -0.1761, "error": 0.2887}  # log10(2/3), 1 / sqrt(12)


def test_tic_tac_toe_has_the_size_that_is_known():
    game = registry.game("tictactoe")
    profile = profiling.empty_profile(game, 1)
    profiling.sample(profile, game, far(), ignore, wanted=600)
    profiling.estimate(profile)
    for size, known in ((profile.lines, LINES), (profile.nodes, 549_946)):
        assert abs(10**size.log10 / known - 1) < 4 * size.error < 0.2
    assert profiling.count_positions(game.new(), 10_000, far(), ignore) == POSITIONS
    ways = [profiling.random_path(game.new(), Random(seed)) for seed in range(300)]
    size = knuth.positions(ways)
    assert abs(10**size.log10 / POSITIONS - 1) < 4 * size.error + 0.02, "nearly all that lead there are found"


@pytest.fixture
def few_positions(monkeypatch):
    """Count few positions and few paths."""
    monkeypatch.setattr(profiling, "MAX_COUNTED", 100)
    monkeypatch.setattr(profiling, "PATHS", 40)


def test_positions_are_counted_up_to_a_limit_and_estimated_beyond(few_positions):
    game = registry.game("tictactoe")
    assert profiling.count_positions(game.new(), 100, far(), ignore) is None
    assert profiling.count_positions(game.new("xox/oxo/..."), 100, far(), ignore) == 8, "itself, 3, 2 and 2"
    profile = profiling.empty_profile(game, 1)
    profiling.count(profile, game, far(), ignore)
    assert profile.positions is None and profile.states is not None
    assert abs(10**profile.states.log10 / POSITIONS - 1) < 0.2


def test_estimate_is_an_upper_bound_with_transpositions(few_positions):
    """Connect Four on 4x4 has 161,029 positions (J. Tromp)."""
    small = registry.game("connect4:columns=4,rows=4")
    profile = profiling.empty_profile(small, 1)
    profiling.count(profile, small, far(), ignore)
    assert math.log10(SMALL_FOUR) - 0.3 < profile.states.log10 < math.log10(SMALL_FOUR) + 2


def test_cyclic_paths_are_not_estimated(few_positions):
    profile = profiling.empty_profile(registry.game("chess"), 1)
    profile.random.end((1, -1), [20] * 100)
    profiling.count(profile, registry.game("chess"), far(), ignore)
    assert profile.states is None and any("not estimated" in note for note in profile.notes)


WAYS_DOWN = {
    # Of tic-tac-toe: all pairs of noughts but the last, and so of crosses, can have come in another order.
    "tictactoe": "9/1 8/1 7/2 6/2 5/3 4/3 3/4 2/3",
    "nim:players=3": "12/1 8/1 4/1 3/2 1/2",
    "connect4": "7/1 7/1 7/1 7/1 7/2 7/2 7/3 7/2 7/1 7/2 7/1 7/1 7/2 7/1 7/4 7/2 7/4 7/2 7/4 7/1 7/4 7/1",
}


@pytest.mark.parametrize("spec", WAYS_DOWN)
def test_sampling_reports_interior_positions_of_a_path(spec):
    path = profiling.random_path(registry.game(spec).new(), Random(0))
    assert " ".join(f"{branches}/{parents}" for branches, parents in path) == WAYS_DOWN[spec]


class Walk:
    """A single path through these positions, with alternating players, without end."""

    def __init__(self, keys):
        self.keys, self.at = keys, 0

    turn = property(lambda self: self.at % 2)

    def outcome(self):
        return None

    def moves(self):
        return [self.at]

    def key(self):
        return self.keys(self.at)

    def make(self, move):
        self.at += 1

    def unmake(self):
        self.at -= 1


def test_sampled_paths_exclude_cycles_and_are_bounded():
    assert profiling.random_path(Walk(lambda at: at % 3), Random(0)) is None, "to where it began"
    assert profiling.random_path(Walk(lambda at: min(at, 7)), Random(0)) is None, "to where it was before"
    assert profiling.random_path(Walk(lambda at: at), Random(0)) == [(1, 1)] * 60


def test_position_count_stops_at_its_limit():
    def count_positions(most):
        return profiling.count_positions(
            registry.game("tictactoe").new("a1 b1 c1 b2 a2"), most, far(), ignore
        )

    count = len(keys(registry.game("tictactoe").new("a1 b1 c1 b2 a2")))
    assert [count_positions(most) for most in (10_000, count, count - 1)] == [count, count, None]


def keys(position):
    """The keys of a position and all its descendants."""
    results = {position.key()}
    for move in position.moves() if position.outcome() is None else ():
        position.make(move)
        results |= keys(position)
        position.unmake()
    return results


def test_single_path_gives_no_estimate():
    game = registry.game("tictactoe")
    profile, lines = profiling.empty_profile(game, 1), []
    profiling.count(profile, game, 0.0, lines.append)
    assert (profile.positions, profile.states, profile.notes) == (None, None, [])
    assert lines == ["positions: 1 of 300 random paths"]


def test_lines_have_the_earlier_move_last():
    """Swapped with the last one, or moved one place earlier among the player's moves if there are more."""
    assert list(profiling._reorderings([1, 2, 3, 4, 5], [0, 1, 0, 1, 0], 0)) == [
        [5, 2, 3, 4, 1],
        [3, 2, 5, 4, 1],
    ]
    assert list(profiling._reorderings([1, 2, 3, 4, 5], [0, 1, 0, 1, 0], 2)) == [[5, 4, 3]]
    assert list(profiling._reorderings([1, 2, 3], [0, 0, 0], 0)) == [[3, 2, 1], [2, 3, 1]]


# -- random games and engines' --------------------------------------------------------------------


def test_random_games_are_counted_by_ply():
    game = registry.game("tictactoe")
    profile = profiling.empty_profile(game, 3)
    profiling.sample(profile, game, far(), ignore, wanted=200)
    played = profile.random
    assert played.games == 200 == sum(played.lengths.values()) and set(played.lengths) <= set(range(5, 10))
    assert played.branching[:5] == [9, 8, 7, 6, 5]
    _, low, high = played.score
    assert low < 0.647 < high, "585 of 1,000 random games are won by x, 127 drawn"
    assert 0.05 < played.draws / 200 < 0.2
    again = profiling.empty_profile(game, 3)
    profiling.sample(again, game, far(), ignore, wanted=200)
    assert again.random == played


def test_chance_is_no_choice_and_puzzles_are_refused(capsys):
    game = registry.game("pig")
    profile = profiling.empty_profile(game, 1)
    profiling.sample(profile, game, far(), ignore, wanted=3)
    assert 1 < profile.random.width <= 2 and 0 in profile.random.branching, (
        "roll or hold, and throws are none"
    )
    assert gameplay("profile", "puzzle15") == 2
    assert "is for one player" in capsys.readouterr().err
    puzzle = registry.Game("./lock.py:Lock", "lock", type(registry.game("puzzle15").new()), {})
    with pytest.raises(Usage, match=r"lock is for one player: gameplay selfplay \./lock\.py:Lock solves"):
        profiling.empty_profile(puzzle, 1)


@pytest.mark.parametrize(
    ("values", "points", "message"),
    [
        ([0.5, 0.7, 0.8, 0.9], 1, (0, 0.25)),
        ([0.7, 0.3, 0.55, 0.7], 1, (2, 0.75)),
        ([0.7, 0.5, 0.3, 0.2], 0, (1, 0.5)),
        ([0.9, 0.9], 0, (0, 1.0)),
        ([0.6, 0.4], 0, (1, 0.5)),
        ([0.59, 0.41], 1, (0, 1.0)),
        ([0.7, 0.2, 0.5], 0.5, (1, None)),
    ],
)
def test_lead_changes_and_the_final_lead(values, points, message):
    assert profiling.lead_changes(values, points) == message


def test_the_ladder_plays_pairs_with_the_seats_exchanged(here):
    game = registry.game("tictactoe")
    profile = profiling.empty_profile(game, 1)
    profile.engine, profile.rungs = "iterative", [profiling.LadderStep(10), profiling.LadderStep(20)]
    jobs = list(profiling._jobs(profile, game, 2))
    assert [(job.pair, job.leg) for job in jobs] == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
        (2, 0),
        (2, 1),
        (3, 0),
        (3, 1),
    ]
    assert [[seat.nodes for seat in job.seats] for job in jobs[:4]] == [
        [20, 10],
        [10, 20],
        [40, 20],
        [20, 40],
    ]
    for first, second in list(pairwise(jobs))[::2]:
        assert first.moves == second.moves
    for job in jobs:
        profiling.add_game(profile, game, profiling.play(job))
    assert [rung.tally.total for rung in profile.rungs] == [4, 4] and profile.matches.games == 8
    profiling.add_game(profile, game, GameResult(0, 0, 1, "crash"))
    assert profile.matches.games == 8, "games that were lost by a fault tell nothing of the game"


def test_games_of_more_than_two_and_of_no_engine(here, monkeypatch):
    game = registry.game("nim:players=3")
    profile = profiling.empty_profile(game, 1)
    profiling.profile(profile, game, far(), pairs=2)
    assert profile.matches.games == 2 and not profile.rungs
    hidden = registry.game("tree:card-game")
    assert hidden.new().hidden
    profile = profiling.empty_profile(hidden, 1)
    monkeypatch.setattr(registry, "default_engine", lambda position: registry.engine("random")[0])
    profiling.profile(profile, hidden, far(), pairs=1)
    assert any("no skill ladder" in note for note in profile.notes)
    assert any("imperfect information" in note for note in profile.notes)


@pytest.mark.parametrize("spec", ["tictactoe", "nim:players=3", "pig:goal=12"])
def test_profiles_equal_the_stored_ones(spec, few_positions, here, monkeypatch):
    for name, few in {"RANDOM_GAMES": 12, "MAX_COUNTED": 300, "PATHS": 3, "LOWEST_LIMIT": 4}.items():
        monkeypatch.setattr(profiling, name, few)
    game, lines = registry.game(spec), []
    profile = profiling.empty_profile(game, 1)
    profiling.profile(profile, game, far(), pairs=1, watch=lines.append)
    lines = [line for line in lines if not line.startswith("positions: ") or "paths" in line]
    for games in (profile.random, profile.matches):
        counts = [count for _, count in sorted(games.lengths.items())]
        assert sum(counts) == len(games.points) == len(games.exponents)
        assert games.moves_by_ply[0][1] == sum(counts) and games.draws <= sum(counts)
        if not game.new().chance:  # else some games have no decision at a ply
            plies = [count for _, count in games.moves_by_ply]
            assert plies == sorted(plies, reverse=True) and len(plies) == max(games.lengths)
    if spec == "tictactoe":
        assert profile.positions in (None, 5478) and games.moves_by_ply[0][0] == 9 * games.moves_by_ply[0][1]
    plain = asdict(profile)
    for part in ("random", "matches"):
        plain[part]["lengths"] = sorted(plain[part]["lengths"].items())
    golden(f"profile_{spec.partition(':')[0]}", pformat([plain, lines], width=108, compact=True) + "\n")


def test_figures_of_games_are_means():
    played = profiling.GamesPlayed()
    assert (played.games, played.length, played.width, played.branching) == (0, 0, 0, [])
    played.end((1, -1), [4, 0, 2])
    assert played.score == pytest.approx((1, 0.025, 1)), "one game won: no more than a bound"
    played.end((-1, 1), [4, 0, 1, 3])
    played.end((0, 0), [4])
    played.end((1, -1), [5])
    assert (played.games, played.length, played.draws) == (4, 9 / 4, 1)
    assert played.branching == [17 / 4, 0, 3 / 2, 3] and played.width == 23 / 7
    mean, low, high = played.score
    assert (mean, low, high) == (0.625, 0.0, 1.0), "four games show nothing"
    played.points[:] = [0, 0.5, 0.5, 1] * 4
    half = 2.131450 * math.sqrt(8 * 0.25 / 15 / 16)  # Student's t of 15 degrees of freedom
    assert played.score == pytest.approx((0.5, 0.5 - half, 0.5 + half), abs=1e-6)


def test_value_of_twice_the_nodes_or_the_reason_without_it():
    step = profiling.LadderStep(250)
    assert step.rating == "no pair of games is finished"
    for pair in range(8):
        step.tally.add(pair, 1.0 if pair % 4 else 0.0)
        step.tally.add(pair, 0.5)
    assert step.rating.elo == pytest.approx(400 * math.log10(0.625 / 0.375), abs=0.1)


def test_random_games_without_end_are_given_up(monkeypatch):
    monkeypatch.setattr(profiling, "MAX_PLIES", 6)
    game, lines = registry.game("tictactoe"), []
    profile = profiling.empty_profile(game, 1)
    profiling.sample(profile, game, far(), lines.append, wanted=200)
    assert profile.random.lengths == {5: 5, 6: 2} and profile.random.games == len(profile.branches) == 7
    assert profile.notes == ["21 random games had no end after 6 plies, and are not counted"]
    assert lines == [f"random games: {number}" for number in range(1, 28)]


def test_a_random_game_has_two_thousand_plies_at_most_and_is_taken_back():
    walk = Walk(lambda at: at)
    assert profiling._random_game(walk, Random(1)) == (None, [1] * 2000, [1] * 2000) and walk.at == 0


def test_each_part_has_its_share_of_the_time(monkeypatch):
    """Random games end after 15 %, positions after 35 %; the tree is always estimated."""
    calls, game = [], registry.game("tictactoe")
    monkeypatch.setattr(profiling, "time", SimpleNamespace(monotonic=lambda: 100.0))
    for name in ("sample", "count", "compete", "estimate"):
        monkeypatch.setattr(profiling, name, lambda *given, name=name: calls.append((name, *given)))
    profiling.profile("found", game, 300.0, 7, 2, ignore)
    assert calls == [
        ("sample", "found", game, 130.0, ignore),
        ("count", "found", game, 170.0, ignore),
        ("compete", "found", game, 300.0, 7, 2, ignore),
        ("estimate", "found"),
    ]

    def interrupt(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(profiling, "count", interrupt)
    calls.clear()
    with pytest.raises(KeyboardInterrupt):
        profiling.profile("found", game, 300.0)
    assert [name for name, *_ in calls] == ["sample", "estimate"]


def test_two_random_games_are_played_after_the_deadline():
    game = registry.game("tictactoe")
    profile = profiling.empty_profile(game, 1)
    profiling.sample(profile, game, 0.0, ignore)
    assert profile.random.games == 2 and profile.notes == []


def test_counting_uses_half_of_the_remaining_time(monkeypatch):
    requests = []
    monkeypatch.setattr(profiling, "time", SimpleNamespace(monotonic=lambda: 100.0))
    monkeypatch.setattr(profiling, "count_positions", lambda position, *limits: requests.append(limits) or 7)
    profile = profiling.empty_profile(registry.game("tictactoe"), 1)
    profiling.count(profile, registry.game("tictactoe"), 140.0, ignore)
    assert requests == [(200_000, 120.0, ignore)] and profile.positions == 7


def test_tree_size_is_omitted_for_games_of_chance():
    game = registry.game("tictactoe")
    for note, reported in (("chance moves", False), ("some words", True)):
        profile = profiling.empty_profile(game, 1)
        profiling.sample(profile, game, far(), ignore, wanted=2)
        profile.notes.append(note)
        profiling.estimate(profile)
        assert (profile.lines is not None, profile.nodes is not None) == (reported, reported)


def test_game_without_engine_is_refused(monkeypatch):
    def none(position):
        raise Usage("none can")

    monkeypatch.setattr(registry, "default_engine", none)
    profile = profiling.empty_profile(registry.game("tictactoe"), 1)
    profiling.compete(profile, registry.game("tictactoe"), far(), 1, 0, ignore)
    assert profile.notes == ["no engine plays: none can"] and not profile.rungs


class Workers(FakePool):
    """A pool in which every task ends at the next wait, as in `ends`; see `runs.pool.Pool`."""

    def __init__(self, slots, ends):
        super().__init__(slots)
        self.ends = ends

    def submit(self, work, job, seconds):
        assert work is profiling.play
        self.running.append(job)
        self.log.append((job.pair, seconds))

    def wait(self, seconds):
        done, self.running = [self.ends(job.pair) for job in self.running], []
        return done


def batch_result(pair, counts=True, died="", error=None):
    return SimpleNamespace(error=error, died=died, result=SimpleNamespace(counts=counts, pair=pair))


def test_profile_uses_games_that_ended_by_the_rules():
    """The lead by the reported values is from the first player's side."""
    game = registry.game("tictactoe")
    profile = profiling.empty_profile(game, 1)
    profile.rungs = [profiling.LadderStep(250), profiling.LadderStep(500)]
    words, values = ("a1", "b1", "a2", "b2", "a3"), (-5, 5, -5, 5, 999_999)
    plies = [
        Ply(word, at % 2, value=value) for at, (word, value) in enumerate(zip(words, values, strict=True))
    ]
    record = Record(1, "tictactoe", "", ["x", "o"], 0, plies, [1, -1], "rules", "0")
    whole = GameResult(3, 0, 1, "rules", record, 1.0, (1, -1))
    for none in (
        replace(whole, termination="crash"),
        replace(whole, payoffs=()),
        replace(whole, record=None),
        replace(whole, termination="resign", payoffs=()),
    ):
        profiling.add_game(profile, game, none)
    assert profile.matches.games == 0 and not any(rung.tally.total for rung in profile.rungs)
    profiling.add_game(profile, game, whole)
    assert [rung.tally.total for rung in profile.rungs] == [0, 1] and profile.rungs[1].tally.points == 1
    assert (profile.matches.points, profile.matches.lengths) == ([1.0], {5: 1})
    assert profile.matches.branching == [9, 8, 7, 6, 5]
    assert len(profile.leads) == len(profile.decided) == 1
    profiling.add_game(profile, game, replace(whole, pair=4, points=None))
    assert profile.matches.games == 2 and profile.rungs[0].tally.total == 0


def test_games_of_the_ladder_run_side_by_side(monkeypatch):
    """Games of dead workers, void and uncounted games are omitted; a fault of the game's code is raised."""
    fates = [{}, {"died": "by a signal"}, {"error": ValueError()}, {"counts": False}, {}]
    jobs = [SimpleNamespace(pair=pair, deadline=9.5) for pair in range(5)]
    pools = []

    def pool(slots):
        pools.append(Workers(slots, lambda pair: batch_result(pair, **fates[pair])))
        return pools[-1]

    monkeypatch.setattr(profiling, "Pool", pool)
    assert [done.pair for done in profiling.results(jobs, 2, far())] == [0, 4]
    assert pools[0].slots == 2
    assert pools[0].log == [*((number, 9.5) for number in range(5)), "closed"]
    assert list(profiling.results(jobs, 2, 0.0)) == [] and pools[1].log == ["closed"], "no time is left"
    fates[2] = {"error": Fault("the game failed")}
    results = profiling.results(jobs, 3, far())
    assert next(results).pair == 0
    with pytest.raises(Fault, match="the game failed"):
        next(results)
    assert pools[2].log[-1] == "closed"


# -- the command ----------------------------------------------------------------------------------


def test_profile_is_printed_and_drawn(here, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(profiling, "RANDOM_GAMES", 100)
    svg = tmp_path / "p.svg"
    words = ("profile", "tictactoe", "--pairs", 1, "--time", 500)
    assert gameplay(*words, "--svg", svg) == 0
    out = capsys.readouterr().out
    for part in (
        "tictactoe: 100 random games, 8 of",
        "first player scores",
        "positions: 5,478, all counted",
        "gain of twice the nodes",
        "moves to choose from by ply, games of",
        "\n1  9  ████",
    ):
        assert part in out, out
    assert max(map(len, out.splitlines())) <= 80
    assert svg.read_text().count("<svg") == 3 and "<polyline" in svg.read_text()
    assert gameplay(*words, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (
        document["positions"] == POSITIONS
        and document["random"]["branching"][0] == 9
        and len(document["ladder"]) == 4
    )
    assert document["games"]["games"] == 8


def test_profile_reports_partial_results_at_its_time_limit(here, capsys):
    assert gameplay("profile", "connect4", "--time", "0.05", "--plain", "--ascii") == 0
    out = capsys.readouterr().out
    assert "random games" in out and "were finished in the time" in out


def test_ctrl_c_keeps_finished_results(monkeypatch, capsys):
    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(profiling, "compete", stop)
    assert gameplay("profile", "tictactoe") == 130
    captured = capsys.readouterr()
    assert "5,478, all counted" in captured.out and captured.err.strip() == "interrupted"


def test_profile_options(monkeypatch, capsys, tmp_path):
    """A deadline in seconds, all cores; the width of the terminal, or that of pages."""
    calls, messages, drawn = [], [], []

    def fake_run(profile, game, until, pairs, jobs, watch):
        calls.append((profile.game, profile.seed, game.spec, until, pairs, jobs))
        watch("counting")
        profile.random = SimpleNamespace(games=games)

    class Aside:
        def __init__(self, wanted):
            messages.append(wanted)

        def __call__(self, words):
            messages.append(words)

        def end(self):
            messages.append("end")

    games = 3
    monkeypatch.setattr(profiling, "profile", fake_run)
    monkeypatch.setattr("time.monotonic", lambda: 1000.0)
    monkeypatch.setattr(cli, "cores", lambda: 5)
    monkeypatch.setattr(cli, "ProgressLine", Aside)
    monkeypatch.setattr(shown, "report", lambda profile, theme, width: f"{width} columns")
    monkeypatch.setattr(chart, "profile_charts", lambda profile: profile.seed)
    monkeypatch.setattr(chart, "write_svg", lambda file, seed: drawn.append((file, seed)))
    assert gameplay("profile", "tictactoe") == 0
    assert capsys.readouterr().out == f"{shown.MAX_WIDTH} columns\n"
    assert calls == [("tictactoe", 1, "tictactoe", 1120.0, 20, 5)]
    assert messages == [True, "Ctrl-C: stop; counting", "end"]
    svg = tmp_path / "x.svg"
    words = ("--seed", 0, "--time", 0.5, "--pairs", 3, "--jobs", 2, "--svg", svg, "--plain")
    assert gameplay("profile", "tictactoe", *words) == 0
    assert (
        calls[1] == ("tictactoe", 0, "tictactoe", 1000.5, 3, 2)
        and messages[3] is False
        and drawn == [(svg, 0)]
    )
    monkeypatch.setattr(cli, "columns", lambda elsewhere: 70)  # those of a terminal, --plain or not
    capsys.readouterr()
    assert gameplay("profile", "tictactoe", "--plain") == 0
    assert capsys.readouterr().out == "70 columns\n" and len(drawn) == 1
    games = 0
    assert gameplay("profile", "tictactoe", "--svg", svg) == 0
    assert len(drawn) == 1, "there is nothing to draw"


def test_failing_custom_game_is_reported(tmp_path, capsys):
    file = tmp_path / "bad.py"
    file.write_text(
        "from gameplay import Position\n\n\nclass Bad(Position):\n"
        "    def moves(self):\n        raise KeyError(3)\n\n"
        "    def make(self, move):\n        pass\n\n    def outcome(self):\n        return None\n"
    )
    assert gameplay("profile", file) == 5
    assert "KeyError" in capsys.readouterr().err


def test_bars_and_charts():
    assert plot.bar_lines([("1", 2.0), ("10", 1.0)], 20, False) == [" 1  2  #############", "10  1  ######"]
    drawn = chart.branching_curves({"a": [3.0, 0.0, 2.0]})
    assert drawn.count("<polyline") == 1 and "Moves to choose from" in drawn
    assert shown.format_size(knuth.TreeSize(27.11, 0.6)) == "about 10^27.1 (within a factor of about 3)"
    assert shown.format_size(knuth.TreeSize(831.0, 1.0)).endswith("(rough: one random game dominates it)")
    assert shown.format_size(knuth.TreeSize(math.log10(255_168), 0.02)) == "about 255,000 (standard error 2%)"


# -- output ---------------------------------------------------------------------------------------------


def some_games(lengths, points, draws=0, plies=5):
    """Games of these lengths with this number of legal moves: n games before ply n."""
    return profiling.GamesPlayed(
        Counter(lengths), points, draws, [[3 * n * n, 3] for n in range(1, plies + 1)],
        exponents=[float(length) for length in lengths],
    )  # fmt: skip


def hand_made():
    """Profiles with all facts, and with few."""
    many = some_games(range(10, 50), [0.0, 1.0] * 20, 0, 33)
    wide = some_games([4, 4, 5], [1.0, 0.5, 0.0], 1)
    wide.moves_by_ply[2] = [0, 0]
    steps = []
    for limit, results in ((100, "wl wd dd ww wl lw wd"), (2000, "ll"), (4000, "")):
        steps.append(profiling.LadderStep(limit))
        for pair, legs in enumerate(results.split()):
            for leg in legs:
                steps[-1].tally.add(pair, {"w": 1.0, "d": 0.5, "l": 0.0}[leg])
    note = "a note that is folded, since it is longer than what there is room for in a narrow window"
    far, near = knuth.TreeSize(123.45, 0.6), knuth.TreeSize(6.0, 0.1)
    return {
        "all": profiling.Profile(
            *("connect4", 7, 2, wide, knuth.TreeSize(5.4071, 0.02), knuth.TreeSize(5.99999, math.inf), 5478),
            engine="iterative", matches=many, rungs=steps, leads=[0, 1, 1], decided=[0.25, 0.75],
            notes=[note],
        ),
        "large": profiling.Profile(
            *("chess", 1, 2, some_games(range(5, 22), [1.0] * 17), far, near),
            states=knuth.TreeSize(44.04, math.inf),
        ),
        "sixteen": profiling.Profile("nim", 1, 2, some_games(range(5, 21), [1.0] * 16, 0, 16), near),
        "nothing": profiling.Profile("x", 3, 2),
        "no pair": profiling.Profile(
            "y", 3, 2, wide, engine="mcts", unit="simulations", matches=wide, rungs=steps[2:]
        ),
    }  # fmt: skip


def test_profile_as_text_bars_and_data():
    log = []
    for name, profile in hand_made().items():
        for width, unicode in ((200, True), (44, False)):
            theme = Theme(colour=False, unicode=unicode, interactive=False)
            log += [f"-- {name}, {width} columns", shown.report(profile, theme, width)]
            check_width(log[-1].splitlines(), width)
            assert unicode or log[-1].isascii()
        log.append(json.dumps(shown.document(profile), sort_keys=True))
    golden("told_profiles", "\n".join(log) + "\n")
