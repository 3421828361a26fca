"""The command line: every file of a folder here is a command; the one place that turns errors into statuses.

Imports stay inside functions, so that `--help` and completion answer at once.
"""

import atexit
import importlib
import io
import os
import re
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import NoReturn

import click

from gameplay import __version__
from gameplay.errors import (
    STATUS,
    Fault,
    GameplayError,
    Terminated,
    Untrusted,
    Usage,
    nearest,
    raised,
    unknown,
)
from gameplay.visible import one_line, terminal, visible_output

HELP = ["-h", "--help"]
FOLDER = os.path.dirname(__file__)
CACHE = "__pycache__"
COMMON = "common"  # the folder of what commands share
LISTED = 20  # commands that fit into a line
INTERRUPTED = 130  # exit status after Ctrl-C
STATUSES = "\b\nExit status:\n" + "\n".join(f"  {number:<4} {meaning}" for number, meaning in STATUS.items())


class Group(click.Group):
    """Commands of one kind; the error for an unknown name suggests valid ones."""

    kind = "command"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click has it, but for the line about a name that is none. Raises Usage."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            if len(known) <= LISTED:
                raise Usage(unknown(self.kind, name, known))
            closest = nearest(name, known)
            raise Usage(
                f"there is no {self.kind} '{name}'{closest} ({ctx.command_path} --help lists those there are)"
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """As in click, but a usage error about a missing value names the subcommand, not its parent."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            child = self.get_command(ctx, ctx.invoked_subcommand or "")
            if error.ctx is None and child is not None:
                error.ctx = click.Context(child, parent=ctx, info_name=ctx.invoked_subcommand)
            raise


class Commands(Group):
    """Loads a command's file when it is asked for, and no other."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return commands()

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return load(name) if name in commands() else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary(name)) for name in commands()])


@cache
def commands() -> list[str]:
    """The names of all commands."""
    return sorted(_folders())


@cache
def _folders() -> dict[str, str]:
    """Each command with the folder of its file."""
    folders = (one.name for one in os.scandir(FOLDER) if one.is_dir() and one.name not in (COMMON, CACHE))
    return {
        name: folder
        for folder in folders
        for name, ending in map(os.path.splitext, os.listdir(os.path.join(FOLDER, folder)))
        if ending == ".py" and name[0] != "_"
    }


def summary(name: str) -> str:
    """A command in a few words, read from its file: to import all of them takes longer than all the rest."""
    with open(os.path.join(FOLDER, _folders()[name], f"{name}.py"), encoding="utf-8") as source:
        found = re.search(r'short_help="(.+?)"', source.read())
    return found[1] if found else ""


@cache
def load(name: str) -> click.Command:
    """A command from its file; its help ends with the exit statuses."""
    command: click.Command = importlib.import_module(f"gameplay.cli.{_folders()[name]}.{name}").command
    command.epilog = (command.epilog or "") + STATUSES
    for one in (command, *command.commands.values()) if isinstance(command, click.Group) else (command,):
        one.context_settings.setdefault("help_option_names", HELP)  # click keeps that of its first context
    return command


@click.group(cls=Commands, epilog=STATUSES, context_settings={"help_option_names": HELP})
@click.version_option(__version__, "--version", message="gameplay %(version)s")
def router() -> None:
    """Play games against engines, watch engines play, and measure them.

    Begin with `gameplay play connect4`.
    """


def run(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status. What it writes is made visible, see `gameplay.visible`."""
    with visible_output():
        return _exit_status(command, name, arguments)


def _exit_status(command: click.Command, name: str, arguments: Sequence[str] | None) -> int:
    """Every error that a user can meet ends here, as one line."""
    out = sys.stdout
    warnings.formatwarning = lambda message, *where, **more: f"{name}: {message}\n"  # without a line of code
    for stream in map(terminal, (sys.stdout, sys.stderr)):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a game may be drawn in characters that the output lacks
    try:
        result = command.main(arguments, prog_name=name, standalone_mode=False, color=True)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:  # what there is to choose from
        click.echo(error.format_message())
        return 0
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else name
        _complain(f"{path}: {error.format_message()}", f"Try '{path} --help'.")
        return 2
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        return _reader_gone()
    except SystemExit as error:
        if _foreign(error) and not isinstance(error, Terminated):
            return _failed(name, error)
        if sys.stdout is out:
            raise
        sys.stdout = out  # click met a closed pipe first, and put a wrapper round the output
        return _reader_gone()
    except Untrusted as error:
        if not _confirmed(error):
            _complain(f"{name}: {error}")
            return error.status
        return run(command, name, arguments)
    except GameplayError as error:
        _complain(f"{name}: {error}")
        return error.status
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _complain(f"{name}: {where}{error.strerror or error}")
        return 75 if error.errno in (28, 122) else 6
    except Exception as error:
        if _foreign(error):
            return _failed(name, error)
        _complain(f"{name}: internal error: {type(error).__name__}: {error}", _write_report())
        return 1


def _confirmed(error: Untrusted) -> bool:
    """True if the user, shown what a data file names, trusts it; asked on a terminal only, and remembered."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()) or not all(map(str.isprintable, error.items)):
        return False
    from gameplay.store import trust

    click.echo(
        "The file names what runs with your rights, and you have not started it here before:", err=True
    )
    for item in error.items:
        click.echo(f"    {item}", err=True)
    try:
        sure = click.confirm("Trust it, now and in other files?", err=True)
    except click.Abort:
        return False
    return sure and trust.remember(error.items) is not None


def _foreign(error: BaseException) -> bool:
    """True if code from outside raised it."""
    from gameplay.usercode.fence import blames  # not for every --help

    return blames(error)


def _complain(error: str, more: str = "") -> None:
    """Print the error in one line, and `more` below it.

    Without a reader (`2>&1 | head`) only the exit status reports it.
    """
    try:
        print(one_line(error), *filter(None, [more]), sep="\n", file=sys.stderr, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _failed(name: str, error: BaseException) -> int:
    """Report an unexpected exception in a user's game; returns the exit status."""
    _complain(f"{name}: the game's code raised {raised(error)}")
    return Fault.status


def _reader_gone() -> int:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)  # so that the interpreter's last flush is quiet
    out = terminal(sys.stdout)
    if isinstance(out, io.TextIOWrapper):
        os.dup2(null, out.fileno())
    return 141


def _write_report() -> str:
    """Save the traceback to a file and return a message with its path."""
    import time
    import traceback

    import platformdirs

    trace = traceback.format_exc()
    folder = platformdirs.user_log_path("gameplay")
    file = folder / f"error-{time.strftime('%Y%m%d-%H%M%S')}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(f"gameplay {__version__}\n{' '.join(sys.argv)}\n\n{trace}")
    except OSError:
        return trace
    return f"The report is in {file}"


def _program() -> None:
    """This process is a command's: its output is its own, and it is supervised if it runs user code."""
    from gameplay.usercode import output, supervisor

    output.reserve()
    supervisor.allow()


def _leave(status: int) -> NoReturn:
    """End the process; after Ctrl-C without the interpreter's own teardown, which takes longer than 0.1 s."""
    if status != INTERRUPTED:
        sys.exit(status)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # a reader that is gone, a closed stream
            stream.flush()
    os._exit(status)


def main() -> None:
    """`gameplay`: the router to every command."""
    _program()
    _leave(run(router, "gameplay"))


def play() -> None:
    """`play`: the same as `gameplay play`."""
    _program()
    _leave(run(load("play"), "play"))


def selfplay() -> None:
    """`selfplay`: the same as `gameplay selfplay`."""
    _program()
    _leave(run(load("selfplay"), "selfplay"))
