"""Start or resume a run from the command line, display it, and print its result."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay import file_io
from gameplay.cli.common import run_file
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import Running, cores
from gameplay.cli.common.width import echo_err, echo_error
from gameplay.errors import GameplayError

if TYPE_CHECKING:
    from gameplay.runs.plan import Plan
    from gameplay.runs.runner import Runner
    from gameplay.runs.schedule import Schedule
    from gameplay.store.runs import Store


def supervise(store: Path | None, *runs: str) -> None:
    """Supervise this process if stored runs (default: all) name Python files.

    The supervisor forks, so call this before the store is opened.
    """
    from gameplay import specs
    from gameplay.runs.plan import decode
    from gameplay.store.runs import Store
    from gameplay.usercode import supervisor

    files: list[str] = []
    with suppress(GameplayError), Store(store, make=False) as opened:  # the command itself reports an error
        for run in [opened.run(run) for run in runs] if runs else opened.runs():
            with suppress(GameplayError):
                plan = decode(run.plan)
                files += specs.game_code(plan.game)
                for entry in plan.players:
                    files += filter(os.path.isfile, specs.player_code(entry.player))
    if files:
        supervisor.start(files[0])


def given_options(fields: dict[str, Any]) -> dict[str, Any]:
    """The options that were given."""
    return {key: value for key, value in fields.items() if value is not None}


def start_run(plan: "Plan", running: Running, out: Path | None = None) -> int:
    """Start a run of the plan, show it and write it to `out`; returns the exit status."""
    from gameplay.runs import stored
    from gameplay.runs.schedule import Schedule
    from gameplay.store.runs import Store

    schedule = Schedule(plan)
    if out is not None:
        run_file.check_format(schedule.game, out)
    with Store(running.store) as store:
        return play_run(store, stored.begin(store, schedule), running, schedule, out)


def play_run(
    store: "Store", run: str, running: Running, schedule: "Schedule | None" = None, out: Path | None = None
) -> int:
    """Play the missing games of a run, write it to `out` and show it; returns the exit status.

    schedule: of a new run; None resumes the stored one.
    """
    from gameplay.display.terminal.run_progress import RunProgressBar
    from gameplay.display.theme import detect_theme, preload
    from gameplay.runs import stored
    from gameplay.runs.playing import play
    from gameplay.runs.workers import Cluster, Local, WorkerPool

    stored_run = store.run(run)
    with stored.lock_run(store, stored_run):
        schedule = schedule or stored.resume(stored_run)
        if stored_run.state == "finished" and not running.as_json:
            echo_err(f"run {stored_run.id} is finished; there is nothing to play")
        jobs = _jobs(schedule, running.jobs)
        workers: WorkerPool = Cluster(running.cluster) if running.cluster else Local(jobs)
        if not running.as_json:
            preload(detect_theme())
        with RunProgressBar(schedule, stored.count_games(store, stored_run)) as live:
            runner, report = play(store, stored_run, schedule, workers, live, jobs)
    if out is not None:
        file_io.write(out, run_file.lines(store, report.run, out))
    if running.as_json:
        import json

        click.echo(json.dumps(report.as_dict() | {"ended": runner.reason}))
    else:
        from gameplay.display.reports.ending import show

        show(report)
    place = ["--store", str(running.store)] if running.store else []
    _report_incomplete(
        runner, report.summary.counted, command_line("gameplay", "run", "resume", stored_run.id, *place)
    )
    return _exit_status(runner)


def _jobs(schedule: "Schedule", requested: int | None) -> int:
    """Games at once: all cores, one less with clocks; at most the number of games."""
    clocks = any(schedule.plan.clock_of(entry) for entry in schedule.plan.players)
    jobs = requested or max(1, cores() - clocks)
    return jobs if schedule.total is None else min(jobs, schedule.total)


def _report_incomplete(runner: "Runner", games: int, command: str) -> None:
    """Print why a run is incomplete, and how to resume it."""
    from gameplay.runs import runner as runs

    if runner.reason in (runs.INTERRUPTED, runs.STOPPED):
        total = runner.schedule.total
        of_total = f" of {total:,}" if total is not None else ""
        echo_err(f"{runner.message} after {games:,}{of_total} games; resume with: {command}")
    elif runner.reason == runs.FAILED:
        hint = "" if runner.is_complete else f"; resume anyway with: {command}"
        echo_error(f"{runner.message}{hint}")
    elif runner.reason == runs.INCOMPLETE:
        count = f"{runner.quarantined} games" if runner.quarantined > 1 else "a game"
        echo_error(f"left out {count} without a result after {runs.MAX_ATTEMPTS} attempts")


def _exit_status(runner: "Runner") -> int:
    """The exit status of a run."""
    from gameplay.runs import runner as runs

    if runner.reason == runs.INTERRUPTED:
        return 130 if runner.number == 2 else 143
    if runner.reason in (runs.FAILED, runs.INCOMPLETE):
        return 5
    if runner.reason == runs.DECIDED:
        verdict = runner.standing.verdict
        return 0 if verdict is not None and verdict.decision == "H1" else 3
    undecided = runner.schedule.plan.sprt is not None
    return 4 if undecided or runner.reason == runs.STOPPED else 0
