"""Plans, jobs and results that tests of the store share."""

import itertools
import subprocess
import sys
from pathlib import Path

from gameplay.cli.runs.status import summarize
from gameplay.runs.job import GameResult, Job, Seat, hash_moves
from gameplay.runs.pairing import points
from gameplay.runs.plan import Entrant, Plan
from gameplay.runs.played import to_store
from gameplay.store import run_export, run_queries
from gameplay.store.jsonl import StoredGame
from gameplay.store.record import Ply, Record
from gameplay.store.runs import Store
from tests.support.paths import ROOT

PLAN = Plan(
    game="tictactoe",
    players=[Entrant(player="minimax", name="new"), Entrant(player="random", name="old")],
    games=40,
)
NAMES = ("new", "old")
RESULTS = ((1.0, -1.0), (0.0, 0.0), (-1.0, 1.0))


def job_of(pair: int, leg: int, attempt: int = 1) -> Job:
    names = NAMES if leg == 0 else NAMES[::-1]
    seated = tuple(Seat(player="random", name=name, seed=pair) for name in names)
    return Job(pair=pair, leg=leg, attempt=attempt, game="tictactoe", seats=seated, seed=pair, first=leg)


def result_of(job: Job, seconds: float = 0.0) -> GameResult:
    """A result that depends on pair and leg, as with engines limited by nodes."""
    payoffs = RESULTS[(job.pair * 2 + job.leg) % 5 % 3]
    moves = [Ply("a1", 0), Ply("b2", 1, value=7, depth=3, nodes=40 + job.pair)]
    record = Record(1, "tictactoe", "", ["x", "y"], job.pair, moves, list(payoffs), "rules", "0.1.0")
    return GameResult(
        job.pair, job.leg, job.attempt, "rules", record, points(payoffs)[job.first], payoffs,
        seconds=seconds, times=(0.0, seconds),
        moves_hash=hash_moves(job.first, "", ["a1", "b2", str(job.pair)]),
    )  # fmt: skip


def void_result(job: Job) -> GameResult:
    return GameResult(job.pair, job.leg, job.attempt, "void", fault="the worker died")


def stored_games(*places: tuple[int, ...]) -> list[StoredGame]:
    return [to_store(job, result_of(job, 0.5)) for job in itertools.starmap(job_of, places)]


def schedule(pairs: int = 20) -> list[tuple[int, int]]:
    return list(itertools.product(range(pairs), range(2)))


def missing_games(store: Store, run: str, places: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """The games (pair, leg) without a result, with the number of the next attempt."""
    query = "SELECT pair, leg, max(attempt), max(state <> 'void') FROM game WHERE run = ? GROUP BY 1, 2"
    attempts = {(pair, leg): rest for pair, leg, *rest in store.query(query, run)}
    rows = [(*place, *attempts.get(place, (0, 0))) for place in places]
    return [(pair, leg, attempt + 1) for pair, leg, attempt, is_settled in rows if not is_settled]


def export_run(store: Store, run: str, bare: bool = False) -> bytes:
    return b"".join(run_export.export(store, store.run(run), bare))


def summarize_run(store, run):
    return summarize(["new", "old"], run_queries.results(store, run))


CHILD = """
import sys
sys.path.insert(0, sys.argv[3])
from gameplay.runs.played import to_store
from gameplay.store.runs import Store
from tests.support.run_store import result_of, job_of, missing_games, schedule
store = Store(sys.argv[1])
store.lock(sys.argv[2])
due = [job_of(*place) for place in missing_games(store, sys.argv[2], schedule(int(sys.argv[4])))]
print("ready", flush=True)
size = 1
while due:
    some, due = due[:size], due[size:]
    store.record(sys.argv[2], [to_store(job, result_of(job)) for job in some])
    print(*[f"{job.pair}.{job.leg}" for job in some], flush=True)
    size = size % 3 + 1
"""


def start_child(path: Path, run: str, pairs: int) -> subprocess.Popen[bytes]:
    here = str(ROOT)
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), run, here, str(pairs)], stdout=subprocess.PIPE
    )
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    return process
