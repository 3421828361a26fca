"""`gameplay run resume`: play the missing games of a stored run."""

import os

import click

from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import RUN, RUNNING, Running
from gameplay.cli.common.running import play_run, supervise
from gameplay.errors import Usage


@click.command(short_help="Resume a run, or a saved game")
@click.argument("run", metavar="[RUN|N|FILE]", required=False, type=RUN)
@RUNNING
@click.pass_context
def command(context: click.Context, run: str | None, running: Running) -> int:
    """Resume RUN (default: the newest) after any interruption.

    Exactly the missing games are played, so that the run ends as it would have without the interruption. A
    run whose players, openings or code have changed is refused.

    A number N of `gameplay games --saved`, or a FILE, resumes a game that you played, as `play --resume`
    does. `gameplay resume` alone resumes what you left last, an unfinished game or a run.
    """
    inside = context.parent is not None and context.parent.info_name == "run"
    with_run = running.jobs or running.cluster or running.store or running.as_json
    if run is None and not inside and not with_run and _resumes_a_game():
        return _play("")
    run = "last" if run is None else run
    if run.isdecimal() or os.path.isfile(run):
        if os.path.isfile(run) and _holds_a_run(run):
            raise Usage(
                f"{run} holds an exported run, and resume continues runs in the store. "
                f"Try: {command_line('gameplay', 'run', 'import', run)}"
            )
        if with_run:
            raise Usage(f"--jobs, --cluster, --store and --json go with a run, and {run} is a saved game")
        return _play(run)
    from gameplay.store.runs import Store

    supervise(running.store, run)
    with Store(running.store, make=False) as opened_store:
        return play_run(opened_store, run, running)


def _play(game: str) -> int:
    """Resume a saved game, "" the last unfinished one; the exit status."""
    from gameplay.cli import load

    words = ["--resume", game] if game else ["--resume"]
    return int(load("play").main(words, "gameplay play", standalone_mode=False) or 0)


def _resumes_a_game() -> bool:
    """True if an unfinished game was saved after the last change to a run, or there never was a run."""
    from gameplay.store import runs, saved

    changed = next((game.changed for game in saved.saved_games() if game.unfinished), None)
    store = runs.default_path()
    return not store.exists() or (changed is not None and changed >= store.stat().st_mtime)


def _holds_a_run(path: str) -> bool:
    """True for a file that `gameplay run export` has written."""
    from gameplay import file_io

    with file_io.open_file(path) as file:
        return file.read(8) == b'{"runs":'
