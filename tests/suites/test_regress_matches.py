"""Matches in suites: score, faults, early decision."""

import pytest

from gameplay.runs.plan import Sprt
from gameplay.suites import regress, suite
from tests.support.suites import game_result

pytestmark = pytest.mark.once


class FixedResults:
    """A pool that returns these results, for as many pairs as requested."""

    def __init__(self, pairs):
        self.pairs, self.taken = pairs, 0

    def each(self, work, tasks):
        assert work is regress._pair
        for result, jobs in zip(self.pairs, tasks, strict=True):
            assert [(job.pair, job.leg) for job in jobs] == [(self.taken, 0), (self.taken, 1)]
            self.taken += 1
            yield result


def pairs_of(*points, **other):
    """One pair of games for every two points."""
    pairs = zip(points[::2], points[1::2], strict=True)
    return [
        [game_result(pair, 0, first, **other), game_result(pair, 1, second)]
        for pair, (first, second) in enumerate(pairs)
    ]


def came(pairs, games=4, **expect):
    sprt = {"sprt": expect.pop("test")} if "test" in expect else {}
    case = suite.Meeting(
        name="x",
        game="tictactoe",
        depth=1,
        players=["alphabeta", "random"],
        games=games,
        expect=suite.Scored(**expect),
        **sprt,
    )
    verdict = regress.meeting(case, FixedResults(pairs))
    return verdict.state, verdict.summary, verdict.facts


def test_score_of_a_match_is_reported_and_judged():
    drawn = "score 0.500 of 4 games (won 1, drawn 2, lost 1)"
    facts = {"games": 4, "wins": 1, "draws": 2, "losses": 1, "score": 0.5, "pairs": [0, 0, 2, 0, 0]}
    facts |= {"repeats": 0, "faults": 0}
    even = (1.0, 0.0, 0.5, 0.5)
    assert came(pairs_of(*even)) == ("met", drawn, facts)
    assert came(pairs_of(*even), score=0.5) == ("met", drawn, facts)
    assert came(pairs_of(*even), score=0.501) == (
        "regression",
        f"{drawn}; expected a score of 0.501 at least",
        facts,
    )
    again = pairs_of(*even, trail="the same")
    assert came(again)[2]["repeats"] == 1


def test_games_lost_by_a_fault_are_counted_and_void_ones_end_it():
    pairs = pairs_of(0.0, 1.0, 0.0, 1.0, termination="crash", fault="it fell")
    assert came(pairs, faults=2)[0] == "met" and came(pairs, faults=2)[2]["faults"] == 2
    assert came(pairs, faults=1)[:2] == (
        "fault",
        "2 games lost by a fault, expected 1 at most: crash: it fell",
    )
    games = [*pairs_of(0.0, 1.0, termination="hang", fault="it hung"), *pairs_of(0.5, 0.5)]
    games[1] = [game_result(1, 0, 0.5), game_result(1, 1, 0.5)]
    assert came(games)[:2] == ("fault", "1 game lost by a fault, expected 0 at most: hang: it hung")
    for fault, why in (("it died", "it died"), ("", "no result")):
        void = [[game_result(0, 0, 1.0), game_result(0, 1, None, "void", fault)], []]
        assert came(void)[:2] == ("fault", f"a game had no result after 3 attempts: {why}")
    assert came(["the worker died", []])[:2] == ("fault", "the worker died")


def test_a_test_of_a_match_ends_it_when_it_is_decided():
    test = {"elo0": 0, "elo1": 200, "model": "logistic"}

    pairs = pairs_of(*[1.0, 0.5] * 60)
    given = Sprt(elo0=test["elo0"], elo1=test["elo1"])
    state, message, facts = came(pairs, games=120, sprt="H1", test=given)
    assert state == "met" and facts["games"] < 120 and facts["sprt"]["decision"] == "H1"
    assert message.startswith(f"score 0.750 of {facts['games']} games (won ") and "; " in message
    state, message, _ = came(pairs, games=120, sprt="H0", test=given)
    assert state == "regression" and message.endswith("; expected H0 accepted")
    state, message, _ = came(pairs_of(1.0, 0.0, 0.5, 0.5), sprt="H1", test=given)
    assert state == "inconclusive" and message.endswith("; expected H1 accepted: give it more games")


def test_a_void_game_is_tried_three_times(monkeypatch):
    attempts = []

    def play(job):
        attempts.append((job.leg, job.attempt))
        return game_result(0, job.leg, 1.0, "rules" if job.leg or job.attempt == fine else "void")

    monkeypatch.setattr(regress, "play", play)
    jobs = [regress.Job(0, leg, 1, "tictactoe", (), 1) for leg in range(2)]
    for fine, tried in ((1, 1), (3, 3), (9, 3)):
        attempts.clear()
        results = regress._pair(jobs)
        assert attempts == [*((0, number) for number in range(1, tried + 1)), (1, 1)]
        assert [result.termination for result in results] == ["void" if fine == 9 else "rules", "rules"]
