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
from tests.support.commands import printed

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


def keep(path, plan, count):
    """A store with a run of the plan of which `count` games are played."""
    schedule = Schedule(plan)
    due = [schedule.job(pair, leg, 1) for pair, leg in schedule.games({})]
    with Store(path) as store:
        found = store.create(new(plan))
        store.record(found, [to_store(job, play(job)) for job in due[:count]])
    return found


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "runs.db"
    return path, keep(path, PLAN, 9)


@pytest.fixture
def kept(played, tmp_path):
    """A copy of a store, and its run, of which 9 of 12 games are played."""
    path, found = played
    shutil.copyfile(path, tmp_path / "runs.db")
    return tmp_path / "runs.db", found


@pytest.fixture
def gameplay(capsys):
    return partial(printed, capsys)


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
