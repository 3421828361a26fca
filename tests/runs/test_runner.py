"""The runner: the games of the plan, whatever the speed; SPRT."""

import multiprocessing
import random

import pytest
from msgspec import structs

from gameplay.runs import plan as planned
from gameplay.runs import planning, stored
from gameplay.runs import runner as running
from gameplay.runs.schedule import Schedule
from gameplay.runs.workers import BatchResult, Local, work
from gameplay.store.runs import FINISHED, Store
from tests.support.oracle import games as straight
from tests.support.runner import (
    DEEP,
    GAMES,
    SHALLOW,
    LocalPool,
    Memory,
    export_run,
    play_stored,
    run,
    sprt_plan,
)

pytestmark = pytest.mark.once


# -- the games ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "players", "starts"),
    [
        ("tictactoe", [DEEP, "random"], ["a1", "b2", "c1", "a2"]),
        ("tictactoe", ["random", SHALLOW, "alphabeta:depth=2"], ["a1", "b2", "c3"]),
        ("connect4:columns=5,rows=4", [DEEP, SHALLOW, "random"], ["12", "33", "54"]),
    ],
)
def test_the_games_are_those_of_straight_python(tmp_path, spec, players, starts):
    book = tmp_path / "book.txt"
    book.write_text("\n".join(starts))
    form = "match" if len(players) == 2 else "round-robin"
    count = 2 * len(starts)
    plan = planning.build(spec, players, form=form, games=count, seed=5, openings={"file": str(book)})
    _, runner, memory = run(plan, LocalPool(3, random.Random(1)))
    expected = list(straight(spec, players, 5, starts, count))
    assert len(memory.counted_games) == len(expected)
    for pair, leg, moves, payoffs in expected:
        words, result = memory.counted_games[pair, leg]
        seated = runner.standing.pairs[pair].seating(leg)
        assert words == moves, (pair, leg)
        assert {player: result[seat] for seat, player in enumerate(seated)} == payoffs


def test_job_carries_the_game_settings_of_its_plan():
    """Timeouts, adjudication, and the players' limits."""
    settings = {"margin": 0.5, "patience": 7.0}
    players = ["random", "alphabeta", DEEP, "level:2"]
    for ends, nodes in (({"plies": 9}, 70), ({}, None)):
        plan = planning.build(
            "tictactoe", players, form="round-robin", adjudicate=ends, nodes=nodes, **settings
        )
        schedule = Schedule(plan)
        for pair, leg in schedule.games({}):
            job = schedule.job(pair, leg, 1)
            assert (job.margin, job.patience) == (0.5, 7.0)
            assert job.adjudicate == (plan.adjudicate if ends else None)
            for place, player in enumerate(pair.seating(leg)):
                seat = job.seats[place]
                assert seat.player == players[player]
                default = planned.NODES if seat.player == "alphabeta" else None  # DEEP has a limit of its own
                limited = seat.player in ("alphabeta", DEEP)
                expected = (nodes or default) if limited else None
                assert (seat.depth, seat.nodes, seat.time) == (None, expected, None)


def test_the_same_dice_in_both_legs():
    pig = str(GAMES / "pig.py")
    plan = planning.build(pig, ["random", "random"], games=4, openings={"plies": 0, "reuse": True})
    _, _, memory = run(plan, LocalPool())
    expected = list(straight(str(GAMES / "pig.py"), ["random", "random"], 1, ["", ""], 4))
    for pair, leg, moves, _ in expected:
        assert memory.counted_games[pair, leg][0] == moves
    jobs = {(job.pair, job.leg): job for job, _, _ in memory.games}
    assert jobs[0, 0].seed == jobs[0, 1].seed != jobs[1, 0].seed
    seeds = [seat.seed for job in jobs.values() for seat in job.seats]
    assert len(set(seeds)) == len(seeds), "what a player draws depends on pair, leg and seat"


def test_processes_and_their_number_change_nothing(tmp_path):
    plan = planning.build("tictactoe", ["random", SHALLOW], games=60, seed=3)
    alone = play_stored(tmp_path, plan, LocalPool(), "alone.db")
    first = play_stored(tmp_path, plan, Local(1), "one.db")
    three = play_stored(tmp_path, plan, Local(3), "three.db")
    assert alone[0].reason == first[0].reason == three[0].reason == running.COMPLETE
    assert alone[1] == first[1] == three[1]
    assert alone[1].count(b"\n") == 61
    assert multiprocessing.active_children() == []


def test_stages_wait_for_results():
    players = [DEEP, "random", SHALLOW, "alphabeta:depth=2", "random:seed=9"]
    for form in ("knockout", "swiss"):
        plan = planning.build("tictactoe", players, form=form, games=2)
        reason, runner, memory = run(plan, LocalPool(4, random.Random(2)))
        _, again, same = run(plan, LocalPool())
        assert reason == running.COMPLETE
        assert memory.counted_games == same.counted_games
        assert set(memory.counted_games) == {(p.number, leg) for p in runner.standing.pairs for leg in (0, 1)}
        assert [p.players for p in runner.standing.pairs] == [p.players for p in again.standing.pairs]


def test_short_games_are_sent_in_batches():
    sizes = []

    def watch(jobs):
        sizes.append(len(jobs))

    run(planning.build("tictactoe", ["random", "random"], games=300), LocalPool(trouble=watch))
    assert sizes[0] == 1 < max(sizes) <= running.MAX_BATCH
    assert sum(sizes) == 300


@pytest.mark.parametrize(
    ("seconds", "sizes"),
    [
        ((0.005, 0.005), [1, 10, 10]),
        ((0.015, 0.005), [1, 3, 4]),  # three short games later it still counts on 0.0101 s
        ((0.015, 0.05), [1, 3, 1]),
        ((0.0001, 0.0001), [1, running.MAX_BATCH, running.MAX_BATCH]),
        ((5.0, 0.001), [1, 1, 1]),
    ],
)
def test_a_batch_takes_as_long_as_games_took_lately(seconds, sizes):
    """The first game takes this long, as does each of the next batch."""
    seen = []

    def took(jobs):
        seen.append(len(jobs))
        done, error = work(jobs)
        done = [structs.replace(result, seconds=seconds[min(len(seen), 2) - 1]) for result in done]
        return BatchResult(jobs, done, error)

    run(planning.build("tictactoe", ["random", "random"], games=150), LocalPool(trouble=took))
    assert seen[:3] == sizes


# -- SPRT ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["normalized", "trinomial"])
def test_the_verdict_does_not_depend_on_speed(model):
    """In order, shuffled, or with the first pair finished last, the same pairs decide."""
    results = []
    late = iter(range(12))

    def hold_back(jobs):
        if any(job.pair == 0 for job in jobs) and next(late, None) is not None:
            return BatchResult(jobs, lost=True)
        return None

    for pool in (LocalPool(), LocalPool(5, random.Random(3)), LocalPool(3, trouble=hold_back)):
        reason, runner, memory = run(sprt_plan(model=model), pool)
        assert reason == running.DECIDED
        standing = runner.standing
        results.append((standing.last, standing.verdict))
        row = range(standing.last + 1)
        assert all((pair, leg) in memory.counted_games for pair in row for leg in (0, 1))
        assert len(memory.counted_games) < 400
    assert results[0] == results[1] == results[2]
    assert results[0][1].decision == "H1"


def test_games_after_the_stop_are_stored_and_not_counted(tmp_path):
    first = play_stored(tmp_path, sprt_plan(), LocalPool(), "one.db")
    many = play_stored(tmp_path, sprt_plan(), LocalPool(7, random.Random(4)), "many.db")
    assert first[1] == many[1], "what counts is the same"
    assert many[2].state == FINISHED and "H1 accepted" in many[2].verdict
    with Store(tmp_path / "many.db") as store:
        after = list(store.games(many[2].id, "after_stop"))
    assert after and all(game.pair > many[0].standing.last for game in after)


def test_a_decided_run_plays_no_more(tmp_path):
    _, before, run = play_stored(tmp_path, sprt_plan(), LocalPool())
    with Store(tmp_path / "runs.db") as store, stored.lock_run(store, run):
        pool = LocalPool()
        runner = stored.play(store, run, stored.resume(run), pool, Memory())
        assert (runner.reason, pool.most) == (running.DECIDED, 0)
        assert export_run(store, run.id) == before
        assert store.run(run.id).state == FINISHED
