"""Audits of stored games: what is reported if a game contradicts its record."""

import pytest

from gameplay.errors import BadInput
from gameplay.matches.match import RULES
from gameplay.runs import audit
from gameplay.runs.job import GameResult, Job, Seat
from gameplay.store.record import SCHEMA, Ply, Record

pytestmark = pytest.mark.once

WORDS = ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3")  # of a drawn game
SEATS = (Seat("iterative", "iterative", 5, nodes=9), Seat("random", "random", 6))
JOB = Job(0, 0, 1, "tictactoe", SEATS, 11, moves=("b2", "a1"))


def record_of(words=WORDS, **different):
    """A record of JOB with other fields."""
    moves = [Ply(word, number % 2, 5 - number, 2, 100 + number) for number, word in enumerate(words)]
    usual = {"schema": SCHEMA, "game": "tictactoe", "start": "", "players": audit._specs(JOB), "seed": 11}
    usual |= {"moves": moves, "result": [0.0, 0.0], "reason": RULES, "version": "1"}
    return Record(**(usual | different))


WRONG = [
    ({}, ""),
    ({"game": "connect4"}, "game is connect4; by the plan tictactoe"),
    ({"players": ["random"]}, "players is random; by the plan iterative:nodes=9 random"),
    ({"seed": 12}, "seed is 12; by the plan 11"),
    ({"start": "x"}, "start is x; by the plan nothing"),
    ({"words": ("b2", "a2", "c1")}, "opening is b2 a2; by the plan b2 a1"),
    ({"words": ("b2",)}, "opening is b2; by the plan b2 a1"),
    ({"words": WORDS[:4]}, "the game is not over after its 4 moves"),
    (
        {"words": (*WORDS[:4], "b2")},
        "move 5: 'b2' is not a legal move here: x is on b2 already (legal: a2, b1, b3, c2, c3)",
    ),
    ({"words": WORDS[:4], "reason": "resign"}, ""),
    ({"reason": "resign"}, "ended by resign after its end by the rules"),
    ({"reason": ""}, "ended by nothing after its end by the rules"),
    ({"result": None}, "result is nothing; by the rules 0 0"),
    ({"result": [1, -1]}, "result is 1 -1; by the rules 0 0"),
]


@pytest.mark.parametrize(("other", "message"), WRONG)
def test_audit_compares_a_game_with_plan_and_rules(other, message):
    assert audit.check_record(JOB, record_of(**other)) == message


def test_audit_skips_external_programs():
    job = Job(0, 0, 1, "tictactoe", (SEATS[1], Seat("uci:mine", "mine", 5)), 11)
    assert audit.has_external_player(job) and not audit.has_external_player(JOB)
    assert audit.check_record(job, record_of(players=["?", "?"])) == ""
    assert audit.variation_reason(job, record_of()) == "played by another program"


def test_audit_reports_what_may_differ_in_a_replay():
    assert audit.variation_reason(JOB, record_of()) == ""
    assert audit.variation_reason(JOB, record_of(reason="crash")) == "ended by a fault"
    timed = Job(0, 0, 1, "tictactoe", (Seat("a", "iterative", 5, time=1.0), SEATS[1]), 11)
    assert audit.variation_reason(timed, record_of()) == "limited by time"


def other(number, **changes):
    """The same game with one move changed."""
    record = record_of()
    ply = record.moves[number - 1]
    fields = {name: getattr(ply, name) for name in ply.__struct_fields__}
    record.moves[number - 1] = Ply(**(fields | changes))
    return record


@pytest.mark.parametrize(
    ("mine", "again", "message"),
    [
        (record_of(), record_of(), ""),
        (other(3, move="b1"), record_of(), "move 3 is b1; played again c1"),
        (other(1, player=1), record_of(), "player of move 1 is 1; played again 0"),
        (other(9, nodes=7), record_of(), "nodes of move 9 is 7; played again 108"),
        (record_of(), other(4, value=None), "value of move 4 is 2; played again nothing"),
        (record_of(), other(6, value=None), ""),  # it was 0, as earlier versions wrote
        (other(6, value=None), record_of(), "value of move 6 is nothing; played again 0"),
        (record_of(), other(2, depth=3), "depth of move 2 is 2; played again 3"),
        (record_of(WORDS[:8]), record_of(), "8 moves; played again 9"),
        (record_of(), record_of(reason="draw"), "reason is rules; played again draw"),
        (record_of(result=None), record_of(), "result is nothing; played again 0.0 0.0"),
        (record_of(), record_of(result=[]), "result is 0.0 0.0; played again nothing"),
    ],
)
def test_audit_names_the_first_difference_in_a_replay(mine, again, message):
    assert audit.compare_replay(mine, GameResult(0, 0, 1, RULES, again)) == message


def test_audit_states_why_a_game_cannot_be_replayed(monkeypatch):
    assert audit.compare_replay(record_of(), "no such engine") == "played again: no such engine"
    assert (
        audit.compare_replay(record_of(), GameResult(0, 0, 1, "void", fault="it died"))
        == "played again: it died"
    )

    def broken(job):
        raise BadInput("no such file")

    monkeypatch.setattr(audit, "play", broken)
    assert audit.replay_job(JOB) == "no such file"
    monkeypatch.setattr(audit, "play", lambda job: job)
    assert audit.replay_job(JOB) is JOB
