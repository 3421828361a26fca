"""Runs in the store: creates them from plans, plays their missing games, and resumes them.

A run is resumed only with the same plan, the same files and the same code.
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

STATES = {COMPLETE: runs.FINISHED, DECIDED: runs.FINISHED, STOPPED: runs.STOPPED}  # stored, by reason
ENDED_BY_FAULTS = "ended by faults: "  # prefix of the note of a failed run without missing games


@dataclass
class StoreKeeper:
    """Writes the games of a run to its store."""

    store: Store
    run: Run

    def keep(self, played: Sequence[Finished], state: str | None = None) -> None:
        """See `runner.Keeper`."""
        self.store.record(self.run.id, [to_store(job, done, state) for job, done in played])

    def stop_requested(self) -> bool:
        """See `runner.Keeper`."""
        return self.store.stop_requested(self.run.id)

    def emergency(self, played: ByState) -> str:
        """See `runner.Keeper`. Writes a file in the state folder, or in a temporary folder."""
        import tempfile

        places = [
            home_folder() or platformdirs.user_state_path("gameplay"),
            Path(tempfile.gettempdir()),
        ]
        games = [to_store(job, done, state) for state, some in played for job, done in some]
        partial_file = None
        for place in places:
            path = place / f"{self.run.id}-{os.getpid()}.jsonl"
            try:
                place.mkdir(parents=True, exist_ok=True)
                run_export.write_unsaved(self.run, games, path)
            except OSError:
                partial_file = path if path.exists() and path.stat().st_size else partial_file
                continue
            return f"are in {path}; import it with: gameplay run import {path}"
        return f"are partly in {partial_file}" if partial_file else "are lost: no folder is writable"


def begin(store: Store, schedule: Schedule, remember: bool = True) -> str:
    """Create a run of a plan and return its id. Raises GameplayError for an invalid plan, before storing it.

    `remember`: add the code and programs that the plan names to the user's trusted ones.
    """
    check(schedule)
    if remember:
        trust.trust_started(schedule.plan.game, schedule.plan.engines)
    return store.create(new(schedule.plan))


def new(plan: Plan) -> Run:
    """A new run of a plan, without an id, which the store assigns."""
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
    """Check that a schedule can be played, before the first game. Starts each external program once.

    Raises Usage, BadInput, or Fault for a program that fails to start.
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
        raise Usage("an SPRT needs a new opening for each pair; repeated openings repeat the same games")


def resume(run: Run) -> Schedule:
    """The schedule of a run to resume. Raises BadInput, with the changes, if it differs from the stored run.

    Raises Untrusted for an imported run that names code that the user has not confirmed.
    """
    plan = decode(run.plan)
    trust.check(plan.game, plan.engines)
    try:
        changes = differences(run.facts, plan.facts())
    except GameplayError as error:
        raise BadInput(f"{run.id} cannot be resumed: {error}") from None
    if run.code != runs.code_version():
        changes.append(f"code: {run.code} before, {runs.code_version()} now")
    if changes:
        listed = "; ".join(changes)
        raise BadInput(f"{run.id} cannot be resumed: {listed}. Try: begin a new run")
    schedule = Schedule(plan)
    check(schedule)
    return schedule


@contextmanager
def lock_run(store: Store, run: Run) -> Iterator[None]:
    """Hold the lock of a run.

    Raises BadInput, before anything is written, if a game of the run is damaged; TryLater if another process
    plays it.
    """
    store.check_games(run.id)
    store.lock(run.id)
    try:
        yield
    finally:
        if run.id in store.owned:
            store.unlock(run.id)


def load_state(
    store: Store, run: Run, schedule: Schedule
) -> tuple[Standing, set[tuple[int, int]], Counter[tuple[int, int]], int]:
    """The state of a run: standing, settled games, void games, and the number of quarantined ones."""
    standing = Standing(schedule)
    settled: set[tuple[int, int]] = set()
    voids: Counter[tuple[int, int]] = Counter()
    quarantined = 0
    for game in store.games(run.id):
        place = game.pair, game.leg
        if game.state == VOID:
            voids[place] += 1
            continue
        settled.add(place)
        if game.state == COUNTED:
            standing.add(game.pair, game.leg, game.payoffs)
        else:
            quarantined += game.state == "quarantined"
    return standing, settled, voids, quarantined


def play(store: Store, run: Run, schedule: Schedule, workers: WorkerPool, listener: Listener) -> Runner:
    """Play the missing games of a run whose lock is held, and store its state."""
    store.set_state(run.id, runs.OPEN)
    standing, settled, voids, quarantined = load_state(store, run, schedule)
    runner = Runner(schedule, standing, workers, StoreKeeper(store, run), listener, settled, voids)
    runner.quarantined = quarantined
    try:
        reason = runner.run()
    except GameplayError as error:
        if error.status == 5:
            store.set_state(run.id, runs.FAILED)
            store.note(run.id, str(error))
        raise
    ended = reason == FAILED and runner.is_complete  # no game is missing
    last = next((text for _, text in reversed(store.notes(run.id))), "")
    if reason == COMPLETE and last.startswith(ENDED_BY_FAULTS):  # no game was missing: the same end
        reason, ended = FAILED, True
        runner.reason, runner.message = reason, last.removeprefix(ENDED_BY_FAULTS)
    elif runner.message and reason not in (DECIDED,):
        store.note(run.id, f"{ENDED_BY_FAULTS if ended else ''}{runner.message}")
    verdict = str(standing.verdict) if standing.verdict is not None else ""
    default = runs.OPEN if runner.number else runs.FINISHED if ended else runs.FAILED
    store.set_state(run.id, STATES.get(reason, default), verdict, standing.last)
    return runner


def count_games(store: Store, run: Run) -> int:
    """The number of games of a run with a result."""
    return run_queries.count_states(store, run.id)[COUNTED]
