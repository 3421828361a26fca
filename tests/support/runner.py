"""Runs that tests of the runner share."""

import subprocess
import sys

from gameplay.errors import TryLater
from gameplay.runs import planning, stored
from gameplay.runs.runner import Runner
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.runs.workers import BatchResult, work
from gameplay.store import run_export
from gameplay.store.runs import Store
from tests.support.paths import TESTS

GAMES = TESTS / "examples" / "games"
DEEP, SHALLOW = "alphabeta:depth=3", "alphabeta:depth=1"


class LocalPool:
    """A pool in this process. `order` shuffles finished tasks; `trouble` may answer for a batch instead."""

    def __init__(self, slots=1, order=None, trouble=None):
        self.slots, self.order, self.trouble = slots, order, trouble
        self.batches, self.closed, self.most = [], False, 0

    @property
    def free(self):
        return self.slots - len(self.batches)

    def submit(self, jobs):
        assert self.free > 0
        self.batches.append(jobs)
        self.most = max(self.most, len(self.batches))

    def wait(self, seconds):
        if not self.batches:
            return []
        jobs = self.batches.pop(self.order.randrange(len(self.batches)) if self.order else 0)
        result = self.trouble(jobs) if self.trouble else None
        return [result or BatchResult(jobs, *work(jobs))]

    def close(self):
        self.closed = True


class Memory:
    """A store and listener in memory. `fail` is the number of failing writes."""

    def __init__(self, fail=0):
        self.fail = fail
        self.games, self.messages, self.rescued = [], [], []

    def keep(self, played, state=None):
        if self.fail:
            self.fail -= 1
            raise TryLater("the disk is full")
        self.games += [(job, done, state) for job, done in played]

    def stop_requested(self):
        return False

    def emergency(self, played):
        self.rescued = [(*game, state) for state, games in played for game in games]
        return "are elsewhere"

    def games_stored(self, played, standing):
        pass

    def print_line(self, words):
        self.messages.append(words)

    @property
    def counted_games(self):
        """The moves and payoffs of the counted games, by pair and leg."""
        return {
            (job.pair, job.leg): (done.record.words, done.payoffs)
            for job, done, state in self.games
            if done.counts and state is None
        }


def run(plan, pool, memory=None):
    schedule = Schedule(plan)
    memory = memory or Memory()
    runner = Runner(schedule, Standing(schedule), pool, memory, memory)
    return runner.run(), runner, memory


def export_run(store, name):
    return b"".join(run_export.export(store, store.run(name), bare=True))


def play_stored(tmp_path, plan, pool, name="runs.db"):
    """Play a plan into a store; the outcome, and the exported games."""
    with Store(tmp_path / name) as store:
        run = store.run(stored.begin(store, Schedule(plan)))
        with stored.lock_run(store, run):
            runner = stored.play(store, run, Schedule(plan), pool, Memory())
        return runner, export_run(store, run.id), store.run(run.id)


def sprt_plan(**options):
    return planning.build(
        "connect4",
        [DEEP, SHALLOW],
        games=400,
        sprt={"elo0": 0, "elo1": 150, **options},
        openings={"plies": 4},
    )


def small_plan(games=12, players=("random", SHALLOW), **options):
    return planning.build("tictactoe", list(players), games=games, **options)


def start_command(store, *words, game="connect4", nodes=400, games=60):
    players = ["iterative", "alphabeta"]
    options = ["--game", game, "--nodes", str(nodes), "--games", str(games), "--store", str(store)]
    return subprocess.Popen(
        [sys.executable, "-m", "gameplay", *(words or ["match", *players, *options]), "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
