"""The totals of a run, whatever the order in which games finish."""

from collections import Counter
from itertools import permutations
from statistics import pvariance
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay.errors import BadInput
from gameplay.runs import summary
from gameplay.runs.job import hash_moves
from gameplay.runs.plan import Entrant, Openings, Plan, Sprt
from gameplay.runs.played import MatchGame, Work
from gameplay.runs.schedule import Schedule
from gameplay.runs.summary import RunReport, Summary
from gameplay.statistics import guards
from gameplay.statistics.mean import mean
from gameplay.statistics.rating import Rating
from gameplay.statistics.sprt import bounds, counts_of
from gameplay.statistics.tally import Tally
from gameplay.store.jsonl import AFTER_STOP, COUNTED, QUARANTINED, VOID
from gameplay.store.record import Ply, Record

pytestmark = pytest.mark.once

GAMES = ((1, 0.5), (0, 1), (1, 1), (0, 0), (2, 1))


def test_games_and_pairs_are_counted_in_any_order():
    for games in permutations(GAMES):
        tally = Tally()
        for pair, points in games:
            tally.add(pair, points)
        assert (tally.games, tally.pairs) == ([1, 1, 3], [0, 0, 1, 1, 0])
        assert (tally.total, tally.points) == (5, 3.5)
        assert tally.total == 2 * sum(tally.pairs) + 1, "one pair is half finished"


def test_a_pair_has_as_many_games_as_a_game_has_seats():
    tally = Tally(3)
    for points in (1, 0.5, 1, 0):
        tally.add(7, points)
    assert (tally.games, tally.pairs) == ([1, 1, 2], [0, 0, 0, 0, 0, 1, 0])


def test_a_test_is_given_the_counts_that_its_model_is_for():
    tally = Tally(games=[1, 2, 3])
    assert counts_of(tally, "trinomial") == [1, 2, 3] and counts_of(tally, "normalized") == [0] * 5


def match_game(pair, leg, pays, moves, moves_hash="", times=(), opening=0):
    names = ("new", "old") if leg == 0 else ("old", "new")
    record = Record(1, "g", "", list(names), 0, moves, list(pays), "rules", "0")
    return MatchGame(pair, leg, names, pays, "rules", record, opening, times=times, moves_hash=moves_hash)


MOVES = [Ply("a", 0), Ply("b", 1, 3, 2, 70), Ply("6", -1), Ply("c", 0, 1, 2, 50, 0.5)]


def test_effort_is_counted_per_player_in_any_seat():
    for leg in (0, 1):
        summary = Summary(["new", "old"])
        summary.add(match_game(0, leg, (1, -1), MOVES, times=(0, 0.25, 0, 0), opening=1))
        first, second = ("new", "old") if leg == 0 else ("old", "new")
        assert summary.work[first] == Work(1, 50, 0.5, 50, 0.5, [0.5])
        assert summary.work[second] == Work(1, 70, 0.25, 70, 0.25, [0.25])
        assert summary.lengths == {4: 1} and summary.length == 4
        assert summary.seat_results("new", leg) == ([0, 0, 1] if leg == 0 else [1, 0, 0])


def test_players_without_node_counts_still_count_moves():
    summary = Summary(["new", "old"])
    moves = [Ply("a", 0), Ply("b", 1, 3, 2, 70, 0.5), Ply("c", 0), Ply("d", 1)]
    summary.add(match_game(0, 0, (1, -1), moves, times=(0.1, 0.5, 0.2, 0.5)))
    assert summary.work["new"].moves == 2 and summary.work["new"].nps == 0
    assert summary.work["old"].moves == 2 and summary.work["old"].nps == 140, (
        "of the moves with reported nodes"
    )
    assert summary.work["new"].seconds == pytest.approx(0.3)


def test_no_rating_where_games_repeat():
    summary = Summary(["new", "old"])
    for number, moves_hash in enumerate("abac"):
        summary.add(match_game(number // 2, 0, (1, -1), MOVES[:2], moves_hash))
    assert summary.repeats == 1
    assert "1 of 4 games repeat" in summary.rate_match()
    document = summary.match_dict(summary.rate_match())
    assert document["rating"] is None and "repeat" in document["no_rating"]


def test_equal_games_with_different_dice_all_count():
    summary = Summary(["new", "old"])
    for pair in range(4):
        for leg, pays in enumerate(((1, -1), (1, -1) if pair else (-1, 1))):
            summary.add(match_game(pair, leg, pays, MOVES, "a"))
    assert summary.repeats == 6 and summary.warnings == []
    assert summary.rate_match().los > 0.5


def test_points_are_summarized_by_groups():
    summary = Summary(["new", "old"], sides=("white", "black"), points="points")
    assert summary.mean_payoff("new") == "an interval needs two groups of games, one game with each seating"
    for pair, (home, away) in enumerate(((2, 1), (1, 0), (3, -1))):
        summary.add(match_game(pair, 0, (home, -home), MOVES))
        summary.add(match_game(pair, 1, (-away, away), MOVES))
    summary.add(match_game(3, 0, (90, -90), MOVES))
    assert summary.mean_payoff("new") == mean([1.5, 0.5, 1.0]), "the pair that is not complete is left out"
    assert summary.mean_payoff("old") == mean([-1.5, -0.5, -1.0])
    assert "points +1.00 a game [" in summary.verdict
    assert Summary(["new", "old"]).mean_payoff("new") == ""


def test_games_without_records_are_no_repeats():
    summary = Summary(["new", "old"])
    for pair in range(4):
        for leg in (0, 1):
            names = ("new", "old") if leg == 0 else ("old", "new")
            summary.add(MatchGame(pair, leg, names, (1, -1), "crash", None, offender="old", fault="died"))
    assert summary.repeats == 0 and summary.length == 0 and len(summary.faults) == 8
    assert summary.match_tally.pairs == [0, 0, 4, 0, 0]


def test_the_same_moves_on_other_seats_are_another_game():
    assert hash_moves(0, "", ["a", "b"]) != hash_moves(1, "", ["a", "b"])
    assert hash_moves(0, "a", ["b"]) != hash_moves(0, "", ["a", "b"])
    summary = Summary(["new", "old"])
    for leg in (0, 1):
        summary.add(match_game(0, leg, (1, -1), MOVES, "x"))
    assert summary.repeats == 0


def test_faults_and_claims_are_games_in_which_something_went_wrong():
    """Whichever player failed and whatever the result; a claim against the rules is not one."""
    summary = Summary(["new", "old"])
    record = Record(1, "g", "", ["new", "old"], 0, MOVES, [1, -1], "rules", "0")

    def game(pair, termination="rules", **more):
        return MatchGame(pair, 0, ("new", "old"), (1, -1), termination, record, **more)

    claimed = game(1, fault="it says it won")
    failed = [
        game(2, "crash", fault="fell", offender="old"),
        game(3, "crash", fault="fell"),
        game(4, "time_forfeit", offender="old"),
        game(5, "void", state=VOID),
        game(6, "void", state=QUARANTINED, fault="again"),
    ]
    late = game(7, state=AFTER_STOP)
    for result in (game(0), claimed, *failed, late):
        summary.add(result)
    assert summary.claims == [claimed] and summary.faults == failed
    assert summary.counted == 5 == summary.match_tally.total and summary.time_losses == {"old": 1}
    summary.add(MatchGame(8, 0, ("new", "old"), (), "rules", record))
    assert summary.counted == 5, "it has no result"


def test_openings_score_for_the_first_named_player():
    """Of two of three players the first one in the plan; an unknown player is refused."""
    summary = Summary(["a", "b", "c"])
    for names, pays, opening, start in (
        (("c", "b"), (1, -1), 1, ""),
        (("b", "c"), (1, -1), 1, ""),
        (("a", "b"), (0, 0), 2, "x"),
    ):
        record = Record(1, "g", start, list(names), 0, [Ply("e", 0), Ply("f", 1)], list(pays), "rules", "0")
        summary.add(MatchGame(0, 0, names, pays, "rules", record, opening))
    assert summary.openings == [("e", 2, 1.0), ("x e f", 1, 0.5)]
    with pytest.raises(BadInput, match="pair 0, leg 0: the plan has no player y"):
        summary.add(MatchGame(0, 0, ("y", "z"), (1, -1), "rules", record, 0))


def test_players_are_listed_by_the_rank_that_complete_pairs_give_them():
    """In a round-robin of three; a pair with a missing game does not count yet."""
    names = ["a", "b", "c"]
    plan = Plan(
        game="tictactoe",
        form="round-robin",
        games=2,
        players=[Entrant(player="random", name=n) for n in names],
    )
    summary = Summary(names, plan=plan, sides=("x", "o"))
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]

    def add(pair, leg, pays):
        seats = pairs[pair] if leg == 0 else pairs[pair][::-1]
        summary.add(MatchGame(pair, leg, seats, pays, "rules", None))

    assert summary.order == names
    for leg in (1, 0):
        add(2, leg, (1, -1) if leg else (-1, 1))  # c wins both
    assert summary.order == ["c", "a", "b"]
    add(0, 0, (-1, 1))
    assert summary.order == ["c", "a", "b"]
    add(0, 1, (1, -1))
    assert summary.order[-1] == "a"
    assert Summary(names).order == names and Summary(names[:2], plan=plan).order == names[:2]


def test_the_row_ends_at_the_first_pair_that_is_not_complete():
    summary = Summary(["new", "old"])
    for pair, leg, pays in (
        (0, 0, (1, -1)),
        (0, 1, (1, -1)),
        (2, 0, (1, -1)),
        (2, 1, (0, 0)),
        (1, 0, (0, 0)),
    ):
        summary.add(MatchGame(pair, leg, ("new", "old") if leg == 0 else ("old", "new"), pays, "rules", None))
    assert summary.complete_pairs == [[1.0, 0.0]] and summary.complete_tally.games == [1, 0, 1]
    assert summary.complete_tally.pairs == [0, 0, 1, 0, 0]
    summary.add(MatchGame(1, 1, ("old", "new"), (-1, 1), "rules", None))
    assert summary.complete_pairs == [[1.0, 0.0], [0.5, 1.0], [1.0, 0.5]]
    assert summary.complete_tally.pairs == [0, 0, 1, 2, 0]


def test_luck_that_is_shared_is_spared():
    """Payoffs of 2 and -2 that cancel within a pair have a variance of 4, their means none."""
    summary = Summary(["new", "old"], sides=("x", "o"), points="points")
    assert summary.variance_reduction("new") is None
    for pair, (first, second) in enumerate(((2, -2), (2, -2))):
        summary.add(MatchGame(pair, 0, ("new", "old"), (first, -first), "rules", None))
        if not pair:
            assert summary.variance_reduction("new") is None
        summary.add(MatchGame(pair, 1, ("old", "new"), (-second, second), "rules", None))
    assert summary.variance_reduction("new") == 1.0
    for leg in (0, 1):
        summary.add(MatchGame(2, leg, ("new", "old") if leg == 0 else ("old", "new"), (6, -6), "rules", None))
    summary.add(MatchGame(3, 0, ("new", "old"), (90, -90), "rules", None))  # of which half is missing
    mine = [2, -2, 2, -2, 6, -6]
    assert (
        summary.variance_reduction("new")
        == pytest.approx(1 - pvariance([0, 0, 0]) * 2 / pvariance(mine))
        == 1.0
    )
    summary.add(MatchGame(4, 0, ("new", "old"), (4, -4), "rules", None))
    summary.add(MatchGame(4, 1, ("old", "new"), (-2, 2), "rules", None))
    whole = pvariance([0, 0, 0, 3]) * 2 / pvariance([*mine, 4, 2])
    assert summary.variance_reduction("new") == pytest.approx(1 - whole)
    assert Summary(["new", "old"], sides=("x", "o")).variance_reduction("new") is None
    assert [Summary([], sides=sides).group for sides in (("x", "o"), ("x", "o", "y"))] == ["pair", "group"]


def test_a_test_is_decided_by_the_first_bound_that_is_met(monkeypatch):
    """The course has a point for every few pairs, and one for the last."""
    plan = Sprt(elo0=0, elo1=50)
    totals = Summary(["new", "old"], sprt=plan)
    assert totals.llr_curve == [(0, 0.0)] and totals.sprt_verdict.decision is None
    monkeypatch.setattr(summary, "MAX_CURVE_POINTS", 2)
    totals = Summary(["new", "old"], sprt=plan)
    for pair in range(5):
        for leg, names in enumerate((("new", "old"), ("old", "new"))):
            totals.add(MatchGame(pair, leg, names, (1, -1) if pair % 2 else (0, 0), "rules", None))
    assert [games for games, _ in totals.llr_curve] == [0, 4, 8, 10]
    assert totals.sprt_verdict.llr == totals.llr_curve[-1][1] and totals.sprt_verdict.decision is None
    lower, upper = bounds(0.05, 0.05)
    for walk, llr, decision in (
        ([0.0, upper, lower - 1], upper, "H1"),
        ([0.0, lower, upper + 1], lower, "H0"),
        ([0.0, 1.0, lower - 0.5], lower - 0.5, "H0"),
        ([0.0, upper + 0.5], upper + 0.5, "H1"),
        ([0.0, upper - 0.001], upper - 0.001, None),
    ):
        totals = Summary(["new", "old"], sprt=plan)
        totals.llr_curve = [(2 * at, value) for at, value in enumerate(walk)]
        assert (totals.sprt_verdict.llr, totals.sprt_verdict.decision) == (llr, decision)
        assert (totals.sprt_verdict.lower, totals.sprt_verdict.upper, totals.sprt_verdict.model) == (
            lower,
            upper,
            "normalized",
        )
    for none in (Summary(["new", "old"]), Summary(["a", "b", "c"], sprt=plan), Summary(["a", "b", "c"])):
        assert none.llr_curve == [] and none.sprt_verdict is None


def test_a_summary_as_plain_data():
    summary = Summary(
        ["new", "old"], "a night", "go", {"new": "mcts"}, ("black", "white"), "points", 8, "running"
    )
    plies = [Ply("a", 0, nodes=10, seconds=0.12345), Ply("b", 1, nodes=20), Ply("c", 0, nodes=30)]
    for pair, leg, pays, moves in (
        (0, 0, (2, -2), plies),
        (0, 1, (-1, 1), plies[:2]),
        (1, 0, (0, 0), plies[:2]),
    ):
        summary.add(match_game(pair, leg, pays, moves, f"{pair}{leg}"))
    fault = MatchGame(1, 1, ("old", "new"), (-1, 1), "crash", None, attempt=2, offender="old", fault="fell")
    claim = MatchGame(2, 0, ("new", "old"), (1, -1), "rules", None, offender="new", fault="it says it lost")
    summary.add(fault)
    summary.add(claim)
    rating = summary.rating
    data = summary.as_dict()
    counts = {"losses": 0, "draws": 1, "wins": 4}
    assert data == {
        "title": "a night",
        "game": "go",
        "players": [{"name": "new", "player": "mcts"}, {"name": "old", "player": "old"}],
        "games": 5,
        "planned": 8,
        "state": "running",
        "verdict": summary.verdict,
        "cross": [
            {"first": "new", "second": "old"} | counts,
            {"first": "old", "second": "new", "losses": 4, "draws": 1, "wins": 0},
        ],
        "points": [summary.mean_payoff(name).as_dict() for name in ("new", "old")],
        "rating": rating.as_dict() if isinstance(rating, Rating) else None,
        "ratings": None,
        "no_ratings": summary.table,
        "sprt": None,
        "repeats": 0,
        "warnings": [str(warning) for warning in summary.warnings],
        "fault_counts": [{"player": "old", "fault": "crash", "games": 1}],
        "faults": [
            {"pair": 1, "leg": 1, "attempt": 2, "state": COUNTED, "termination": "crash",
             "offender": "old", "fault": "fell"},
        ],
        "claims": [{"pair": 2, "leg": 0, "attempt": 1, "offender": "new", "claim": "it says it lost"}],
    }  # fmt: skip
    assert summary.verdict.endswith(" Faults: old: 1 crash.")
    summary.add(fault)
    assert summary.verdict.endswith(" Faults: old: 2 crashes.")
    assert Summary(["a", "b"]).verdict == "No game is finished." and Summary(["a", "b"]).mean_payoffs is None


def test_a_match_as_plain_data():
    summary = Summary(["new", "old"])
    plies = [Ply("a", 0, nodes=10, seconds=0.12345), Ply("b", 1, nodes=20), Ply("c", 0, nodes=30)]
    for pair, leg, pays, moves in (
        (0, 0, (1, -1), plies), (0, 1, (-1, 1), plies[:2]), (1, 0, (0, 0), plies[:2]), (1, 1, (1, -1), [])
    ):  # fmt: skip
        summary.add(match_game(pair, leg, pays, moves, f"{pair}{leg}"))
    assert summary.match_dict("too few") == {
        "games": 4,
        "losses": 1,
        "draws": 1,
        "wins": 2,
        "seats": [{"losses": 0, "draws": 1, "wins": 1}, {"losses": 1, "draws": 0, "wins": 1}],
        "pairs": [0, 1, 0, 0, 1],
        "points": None,
        "rating": None,
        "no_rating": "too few",
        "repeats": 0,
        "length": 1.75,
        "efforts": [
            {"moves": 4, "nodes": 70, "seconds": 0.247, "nps": 81},
            {"moves": 3, "nodes": 50, "seconds": 0.123, "nps": 81},
        ],
    }
    summary.add(match_game(2, 0, (0, 0), [], "20"))
    summary.add(match_game(2, 1, (0, 0), [], "21"))
    assert summary.match_dict("")["length"] == 1.167
    assert summary.seat_results("nobody", 0) == summary.total_results("nobody") == [0, 0, 0]
    assert summary.total_results("new") == [1, 3, 2]


def test_final_report_of_a_run_lists_notes_and_claims():
    ending = object.__new__(RunReport)
    claims = [SimpleNamespace(offender=name) for name in ("old", "new", "old")]
    selection = SimpleNamespace(notes=["an opening is left out"], repeats=False)
    plan = SimpleNamespace(sprt=None)
    ending.schedule = SimpleNamespace(total=2000, selection=selection, plan=plan)
    few, many = guards.duplicates(1000, 20), guards.duplicates(1000, 200)
    for doubt, expected in ((few, [str(few)]), (many, []), (None, [])):
        losses = Counter({"old": 11, "new": 10})
        ending.summary = SimpleNamespace(
            duplicates=doubt, counted=1000, time_losses=losses, claims=claims, players=("old", "new", "third")
        )
        ending.__dict__.pop("warnings", None)
        assert ending.warnings == [
            "an opening is left out",
            "old contradicts the rules on the result of 2 of 1,000 games",
            "new contradicts the rules on the result of 1 of 1,000 games",
            *expected,
            str(guards.forfeits(1000, 11, "old")),
            str(guards.peeking(2000, 1000, False)),
        ]
    selection.repeats = True
    ending.schedule.openings, ending.standing = ["a", "a", "b"], SimpleNamespace(pairs=[1, 2, 3])
    assert ending.refusal == guards.openings(3, 2)
    ending.__dict__.pop("refusal")
    selection.repeats = False
    assert ending.refusal is None
    ending.__dict__.pop("refusal")
    ending.summary.duplicates = many
    assert ending.refusal == many
    ending.schedule.total = None
    ending.__dict__.pop("warnings")
    assert str(guards.peeking(2000, 1000, False)) not in ending.warnings


def test_rates_use_moves_with_both_nodes_and_seconds():
    work = Work()
    assert (work.moves, work.nodes, work.seconds, work.nps, work.median_time, work.longest_time) == (
        0,
        0,
        0.0,
        0.0,
        0.0,
        0.0,
    )
    for nodes, seconds in ((100, 0.5), (None, 2.0), (50, 0.0), (200, 1.0), (None, 0.0)):
        work.add(nodes, seconds)
    assert work == Work(5, 350, 3.5, 300, 1.5, [0.5, 2.0, 1.0])
    assert (work.nps, work.median_time, work.longest_time) == (200.0, 1.0, 2.0)
    assert Work(timed_nodes=7).nps == 0.0


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "openings of book.txt"),
        ({"order": "sequential"}, "openings of book.txt in its order"),
        ({"order": "sequential", "start": 5}, "openings of book.txt in its order from number 5 on"),
    ],
)
def test_the_order_of_openings_is_reported(fields: dict[str, Any], words: str) -> None:
    report = RunReport.__new__(RunReport)
    chosen = Openings(file="/x/book.txt", **fields)
    report.schedule = Schedule(
        Plan(game="connect4", players=[Entrant(player="a"), Entrant(player="b")], openings=chosen)
    )
    assert report.openings_description == words
