"""Stored runs that tests of commands share."""

import shutil
from functools import partial

import pytest

from gameplay.runs.job import play
from gameplay.runs.plan import Entrant, Openings, Plan, Sprt
from gameplay.runs.played import to_store
from gameplay.runs.schedule import Schedule
from gameplay.runs.stored import new
from gameplay.store.runs import Store
from tests.support.commands import run_printed

PLAN = Plan(
    game="tictactoe",
    players=[Entrant(player="alphabeta:depth=2", name="new"), Entrant(player="random", name="old")],
    games=12,
    openings=Openings(plies=2),
    sprt=Sprt(elo0=0, elo1=50),
)
THREE = Plan(
    game="tictactoe",
    form="round-robin",
    players=[
        Entrant(player="minimax:depth=1"),
        Entrant(player="random"),
        Entrant(player="alphabeta:depth=1"),
    ],
    games=4,
)


def store_run(path, plan, count):
    """A store with a run of the plan in which `count` games are played."""
    schedule = Schedule(plan)
    due = [schedule.job(pair, leg, 1) for pair, leg in schedule.games({})]
    with Store(path) as store:
        run_id = store.create(new(plan))
        store.record(run_id, [to_store(job, play(job)) for job in due[:count]])
    return run_id


@pytest.fixture(scope="module")
def stored_run(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "runs.db"
    return path, store_run(path, PLAN, 9)


@pytest.fixture
def run_copy(stored_run, tmp_path):
    """A copy of a store and of its run, with 9 of 12 games played."""
    path, run = stored_run
    shutil.copyfile(path, tmp_path / "runs.db")
    return tmp_path / "runs.db", run


@pytest.fixture
def gameplay(capsys):
    return partial(run_printed, capsys)


COIN = '''
from gameplay import Position, undoable


class Coin(Position):
    """Take the coin."""

    taken = False

    def moves(self):
        return [0]

    @undoable
    def make(self, move):
        self.taken = True

    def outcome(self):
        return (1, -1) if self.taken else None
'''
