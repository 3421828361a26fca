"""`gameplay run resume`: play what is missing of a stored run."""

import os

import click

from gameplay.cli.common.advice import typed
from gameplay.cli.common.options import RUN, RUNNING, Running
from gameplay.cli.common.running import go_on, supervise
from gameplay.cli.common.width import say_aside
from gameplay.errors import Usage


@click.command(short_help="Resume a run, or a saved game")
@click.argument("run", metavar="[RUN|N|FILE]", default="last", type=RUN)
@RUNNING
def command(run: str, running: Running) -> int:
    """Resume RUN (default: the newest) after any interruption.

    Exactly the missing games are played, so that the run ends as it would have without the interruption. A
    run whose players, openings or code have changed is refused.

    A number N of `gameplay games --saved`, or a FILE, resumes a game that you played, as `play --resume`
    does.
    """
    if run.isdecimal() or os.path.isfile(run):
        from gameplay.cli import load

        if os.path.isfile(run) and _holds_a_run(run):
            raise Usage(
                f"{run} holds an exported run, and resume continues runs in the store. "
                f"Try: {typed('gameplay', 'run', 'import', run)}"
            )
        if running.jobs or running.cluster or running.store or running.as_json:
            raise Usage(f"--jobs, --cluster, --store and --json go with a run, and {run} is a saved game")
        return int(load("play").main(["--resume", run], "gameplay play", standalone_mode=False) or 0)
    from gameplay.store.runs import Store

    supervise(running.store, run)
    with Store(running.store, make=False) as kept:
        found = kept.run(run)
        if found.state == "finished" and not running.as_json:
            say_aside(f"run {found.id} is finished: no game is missing, nothing is played")
        return go_on(kept, run, running)


def _holds_a_run(path: str) -> bool:
    """True for a file that `gameplay run export` has written."""
    from gameplay import file_io

    with file_io.opened(path) as file:
        return file.read(8) == b'{"runs":'
