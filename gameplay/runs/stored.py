"""A run in the store from its plan to its result: begun, played, taken up again where it was left.

A run goes on only as what it was: with the same plan, the same files, the same code.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from gameplay.errors import BadInput, Fault, GameplayError, Usage
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.runs.plan import Plan, decode, differences
from gameplay.runs.planning import problems
from gameplay.runs.played import to_store
from gameplay.runs.runner import COMPLETE, DECIDED, FAILED, STOPPED, ByState, Finished, Listener, Runner
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.runs.workers import WorkerPool
from gameplay.store import run_export, run_queries, runs, trust
from gameplay.store.jsonl import COUNTED, VOID
from gameplay.store.paths import home_folder
from gameplay.store.runs import Run, Store

STATES = {COMPLETE: runs.FINISHED, DECIDED: runs.FINISHED, STOPPED: runs.STOPPED}  # how a run is left
SPOILED = "ended by faults: "  # the note of a run that failed when no game was missing any more


@dataclass
class StoreKeeper:
    """Keeps the games of a run in its store."""

    store: Store
    run: Run

    def keep(self, played: Sequence[Finished], state: str | None = None) -> None:
        """See `runner.Keeper`."""
        self.store.record(self.run.id, [to_store(job, done, state) for job, done in played])

    def stop_requested(self) -> bool:
        """See `runner.Keeper`."""
        return self.store.stop_requested(self.run.id)

    def emergency(self, played: ByState) -> str:
        """See `runner.Keeper`. Into the folder for states, or a temporary one."""
        import tempfile

        places = [
            home_folder() or platformdirs.user_state_path("gameplay"),
            Path(tempfile.gettempdir()),
        ]
        games = [to_store(job, done, state) for state, some in played for job, done in some]
        part = None
        for place in places:
            path = place / f"{self.run.id}-{os.getpid()}.jsonl"
            try:
                place.mkdir(parents=True, exist_ok=True)
                run_export.write_unsaved(self.run, games, path)
            except OSError:
                part = path if path.exists() and path.stat().st_size else part
                continue
            return f"are in {path}: gameplay run import it when there is room"
        return f"are in {part} as far as they found room" if part else "are lost, no folder takes them"


def begin(store: Store, schedule: Schedule, remember: bool = True) -> str:
    """Begin a run of a plan; its id. Raises what is wrong with the plan, and keeps nothing then.

    `remember`: what the user has named is trusted from now on where a data file names it.
    """
    check(schedule)
    if remember:
        trust.trust_started(schedule.plan.game, schedule.plan.engines)
    return store.create(new(schedule.plan))


def new(plan: Plan) -> Run:
    """A run of the plan before its first game, and before a store has given it an id."""
    return Run(
        id="",
        title=plan.title,
        plan=plan.encode(),
        facts=plan.facts(),
        identity=plan.identity(),
        code=runs.code_version(),
        seed=plan.seed,
        created=runs.now(),
        state=runs.OPEN,
        verdict="",
    )


def check(schedule: Schedule) -> None:
    """Check that everything can be played, before the first game. Starts outside programs once.

    Raises Usage, BadInput, or Fault for a program that does not come up.
    """
    for problem in problems(schedule.plan):
        raise type(problem.error)(str(problem))
    for entry, player in zip(schedule.plan.players, schedule.players(), strict=True):
        try:
            player.begin(Match(schedule.game, [EmptySeat()] * schedule.places))
        except Fault as fault:
            fault.args = (f"{entry.name}: {fault}",)
            raise
        finally:
            player.close()
    if schedule.selection.repeats and schedule.plan.sprt is not None:
        raise Usage(
            "an SPRT needs a new opening for each pair, or the same games would count again and again"
        )


def resume(run: Run) -> Schedule:
    """The schedule of a run that goes on. Raises BadInput, listing what is not as it was when it began.

    The run may have been imported: raises Untrusted if it names code that the user has not confirmed.
    """
    plan = decode(run.plan)
    trust.check(plan.game, plan.engines)
    try:
        changes = differences(run.facts, plan.facts())
    except GameplayError as error:
        raise BadInput(f"{run.id} cannot go on: {error}") from None
    if run.code != runs.code_version():
        changes.append(f"code: {run.code} before, {runs.code_version()} now")
    if changes:
        listed = "; ".join(changes)
        raise BadInput(f"{run.id} cannot go on as what it was ({listed}): begin a new run")
    schedule = Schedule(plan)
    check(schedule)
    return schedule


@contextmanager
def lock_run(store: Store, run: Run) -> Iterator[None]:
    """Hold the lock of a run. Raises TryLater if another process plays it."""
    store.lock(run.id)
    try:
        yield
    finally:
        if run.id in store.owned:
            store.unlock(run.id)


def load_state(
    store: Store, run: Run, schedule: Schedule
) -> tuple[Standing, set[tuple[int, int]], Counter[tuple[int, int]], int]:
    """The present state of a run: its standing, settled and void games, and how many were given up."""
    standing = Standing(schedule)
    settled: set[tuple[int, int]] = set()
    voids: Counter[tuple[int, int]] = Counter()
    hopeless = 0
    for game in store.games(run.id):
        place = game.pair, game.leg
        if game.state == VOID:
            voids[place] += 1
            continue
        settled.add(place)
        if game.state == COUNTED:
            standing.add(game.pair, game.leg, game.payoffs)
        else:
            hopeless += game.state == "quarantined"
    return standing, settled, voids, hopeless


def play(store: Store, run: Run, schedule: Schedule, workers: WorkerPool, listener: Listener) -> Runner:
    """Play the missing games of a run whose lock is held, and store how it stands then."""
    store.set_state(run.id, runs.OPEN)
    standing, settled, voids, hopeless = load_state(store, run, schedule)
    runner = Runner(schedule, standing, workers, StoreKeeper(store, run), listener, settled, voids)
    runner.quarantined = hopeless
    try:
        reason = runner.run()
    except GameplayError as error:
        if error.status == 5:
            store.set_state(run.id, runs.FAILED)
            store.note(run.id, str(error))
        raise
    ended = reason == FAILED and runner.whole  # there is nothing to go on with
    last = next((text for _, text in reversed(store.notes(run.id))), "")
    if reason == COMPLETE and last.startswith(SPOILED):  # nothing was missing: it ends as it did before
        reason, ended = FAILED, True
        runner.reason, runner.message = reason, last.removeprefix(SPOILED)
    elif runner.message and reason not in (DECIDED,):
        store.note(run.id, f"{SPOILED if ended else ''}{runner.message}")
    verdict = str(standing.verdict) if standing.verdict is not None else ""
    default = runs.OPEN if runner.number else runs.FINISHED if ended else runs.FAILED
    store.set_state(run.id, STATES.get(reason, default), verdict, standing.last)
    return runner


def count_games(store: Store, run: Run) -> int:
    """How many games of a run have a result so far."""
    return run_queries.count_states(store, run.id)[COUNTED]
