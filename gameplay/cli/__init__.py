"""The command line: each file in a subfolder is a command. All errors become exit statuses here.

Imports stay inside functions, so that `--help` and completion answer at once.
"""

import atexit
import importlib
import io
import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from typing import Any, NamedTuple, NoReturn

import click

from gameplay import __version__
from gameplay.errors import (
    LONGEST_NAME,
    STATUS,
    BadInput,
    Fault,
    GameplayError,
    Terminated,
    TryLater,
    Untrusted,
    Usage,
    brief,
    closest,
    describe_exception,
    unknown_name,
)
from gameplay.visible import one_line, terminal, visible_output

HELP_OPTIONS = ["-h", "--help"]
FOLDER = os.path.dirname(__file__)


class Section(NamedTuple):
    """A folder of commands: its heading in `gameplay --help`, and the commands listed first."""

    heading: str
    first: str


SECTIONS = {
    "play": Section("Play", "play selfplay games engines levels replay openings lichess"),
    "search": Section("Search and explain", "analyse solve trace tree show"),
    "measure": Section("Measure", "match tournament run measure exploit profile regress"),
    "teach": Section("Learn and teach", "review puzzles quiz stats lecture glossary trees assignment"),
    "knowledge": Section("Build knowledge", "learn book table patterns"),
    "serve": Section("Serve other programs", "uci ugi xboard gtp katago hub dxp nboard mcp"),
    "author": Section("Write games and engines", "check perft signature toml"),
    "setup": Section("Settings and help", "settings help doctor trust completion"),
    "runs": Section("Commands", "status resume report compare verify export import stop"),  # below `run`
}
FORMER_NAMES = {"words": "glossary", "config": "toml", "bench": "signature"}  # still accepted
MAX_LISTED = 20  # commands that fit into a line
BROKEN_LAW_PLAYS = 20  # random games to find out whether a user's game is at fault
LONGEST_MESSAGE = 300  # characters of a message with words of the user
INTERRUPTED = 130  # exit status after Ctrl-C


class Group(click.Group):
    """Commands of one kind; the error for an unknown name suggests valid ones."""

    kind = "command"

    @property
    def other_names(self) -> Mapping[str, str]:
        """Other names of commands, with the command to type."""
        return {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click; an unknown name raises Usage with the closest valid one."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            raise Usage(self.unknown_message(ctx, name))
        return super().resolve_command(ctx, args)

    def unknown_message(self, ctx: click.Context, name: str) -> str:
        """The message for an unknown command."""
        names = self.list_commands(ctx)
        if len(names) <= MAX_LISTED:
            return unknown_name(self.kind, name, names)
        suggestion = closest(name, [*names, *self.other_names])
        hint = f"; did you mean '{self.other_names.get(suggestion, suggestion)}'?" if suggestion else ""
        lister = f"{ctx.command_path} --help lists them"
        return f"unknown {self.kind} '{brief(name)}'{hint} ({lister})"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """As in click, with summaries wrapped, not truncated."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(1000))
                    for name, command in commands.items()
                    if command is not None
                ]
            )

    def invoke(self, ctx: click.Context) -> object:
        """As in click, but a usage error about a missing value names the subcommand, not its parent."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            child = self.get_command(ctx, ctx.invoked_subcommand or "")
            if error.ctx is None and child is not None:
                error.ctx = click.Context(child, parent=ctx, info_name=ctx.invoked_subcommand)
            raise


def columns() -> int:
    """Columns of the terminal, 80 if there is none. (shutil.get_terminal_size, without importing shutil.)"""
    with suppress(ValueError):
        if (value := int(os.environ.get("COLUMNS", 0))) > 0:
            return value
    with suppress(ValueError, OSError):  # closed, or no terminal
        return (sys.__stdout__ and os.get_terminal_size(sys.__stdout__.fileno()).columns) or 80
    return 80


class Formatter(click.HelpFormatter):
    """Help text that also fits terminals of fewer than 50 columns."""

    def __init__(self, width: int | None = None, max_width: int | None = None) -> None:
        super().__init__(width=width or min(columns(), max_width or 80) - 2)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """As in click; on a narrow terminal with a narrower first column."""
        super().write_dl(rows, col_max if self.width > 50 else 14, col_spacing)


class Context(click.Context):
    """A context whose help is written by `Formatter`, and ends with the exit statuses."""

    formatter_class = Formatter

    def get_help(self) -> str:
        formatter = self.make_formatter()
        self.command.format_help(self, formatter)
        with formatter.section("Exit status"):
            formatter.write_dl([(f"{number:<3}", meaning) for number, meaning in STATUS.items()])
        return formatter.getvalue().rstrip("\n")


class Commands(Group):
    """The commands in the files of some folders; loads a file when its command is needed."""

    context_class = Context

    def __init__(self, *arguments: Any, folders: Sequence[str] = (), **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.folders = folders

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for folder in self.folders for name in names(folder)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return load(name) if name in self.list_commands(ctx) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.list_commands(ctx)))
        for folder in self.folders:
            with formatter.section(SECTIONS[folder].heading):
                formatter.write_dl([(f"{name:<{width}}", summary(name)) for name in names(folder)])


class Router(Commands):
    """All commands. Also accepts, but does not list, former names, and commands of `run` without `run`."""

    @property
    def other_names(self) -> Mapping[str, str]:
        """Former names, with the command to type."""
        return {name: f"run {name}" for name in names("runs")} | FORMER_NAMES

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        name = FORMER_NAMES.get(name, name).removeprefix("run ")
        return load(name) if name in _folders() else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click; a command called by a former name reports the current one."""
        name, command, arguments = super().resolve_command(ctx, args)
        return self.other_names.get(name or "", name), command, arguments

    def unknown_message(self, ctx: click.Context, name: str) -> str:
        """As in `Group`; a game, an engine or a word of a game session suggests the command that takes it."""
        from gameplay import registry
        from gameplay.players.interpreter import Interpreter

        head, quoted = name.partition(":")[0], brief(name)
        registries = {
            "a game": ("play", registry.game_names),
            "an engine": ("engines", registry.engine_names),
        }
        for noun, (command, names) in registries.items():
            if head in names():
                return f"'{quoted}' is {noun}, not a command. Try: {ctx.command_path} {command} {quoted}"
        if name in Interpreter().table:
            return f"'{name}' is typed within a game. Try: {ctx.command_path} play"
        return super().unknown_message(ctx, name)


@cache
def names(folder: str) -> list[str]:
    """The commands of a folder in the order of `--help`: those named in SECTIONS first."""
    first = SECTIONS[folder].first.split()
    files = map(os.path.splitext, os.listdir(os.path.join(FOLDER, folder)))
    names = {name for name, ending in files if ending == ".py" and name != "__init__"}
    return [*(name for name in first if name in names), *sorted(names.difference(first))]


@cache
def _folders() -> dict[str, str]:
    """Each command with the folder of its file."""
    return {name: folder for folder in SECTIONS for name in names(folder)}


def commands() -> list[str]:
    """The names of all commands below `gameplay`, sorted."""
    return sorted(name for name, folder in _folders().items() if folder != "runs")


def summary(name: str) -> str:
    """The short help of a command, read from its file without importing it: `--help` must be fast."""
    with open(os.path.join(FOLDER, _folders()[name], f"{name}.py"), encoding="utf-8") as source:
        help_text = re.search(r'short_help="(.+?)"', source.read())
    return help_text[1] if help_text else ""


@cache
def load(name: str) -> click.Command:
    """A command from its file."""
    module = importlib.import_module(f"gameplay.cli.{_folders()[name]}.{name}")
    command: click.Command = module.command
    for loaded in (command, *command.commands.values()) if isinstance(command, click.Group) else (command,):
        # Click sets it in the first context only.
        loaded.context_settings.setdefault("help_option_names", HELP_OPTIONS)
        loaded.context_class = Context
    return command


@click.group(
    cls=Router,
    folders=[folder for folder in SECTIONS if folder != "runs"],
    context_settings={"help_option_names": HELP_OPTIONS},
)
@click.version_option(__version__, "--version", message="gameplay %(version)s")
def router() -> None:
    """Play games against engines, watch engines play, and measure them.

    Begin with `gameplay play connect4`.
    """


def run(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; its output is made visible (`visible.py`)."""
    with visible_output(), _empty_input() if sys.stdin is None else nullcontext():
        return _exit_status(command, name, arguments)


@contextmanager
def _empty_input() -> Iterator[None]:
    """Replaces a closed standard input."""
    with open(os.devnull) as sys.stdin:
        yield
    sys.stdin = None


def _exit_status(command: click.Command, name: str, arguments: Sequence[str] | None) -> int:
    """Turn any error into one line and an exit status."""
    original_output = sys.stdout
    warnings.formatwarning = lambda message, *_, **__: f"{name}: {message}\n"  # without a line of code
    for stream in map(terminal, (sys.stdout, sys.stderr)):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a board may have characters that the output cannot encode
    try:
        result = command.main(arguments, prog_name=name, standalone_mode=False, color=True)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:  # the list of subcommands
        click.echo(error.format_message())
        return 0
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else name
        wrong = usage_message(error)
        _print_error(f"{path}: {wrong}{'' if wrong.endswith('?') else '.'} Try: {path} --help")
        return 2
    except (click.Abort, KeyboardInterrupt):
        _print_error("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return 141
    except SystemExit as error:
        if _is_user_code(error) and not isinstance(error, Terminated):
            return _report_user_error(name, error)
        if sys.stdout is original_output:
            raise
        sys.stdout = original_output  # click wrapped the output when it found the pipe closed
        _discard_output()
        return 141
    except Untrusted as error:
        if not _confirm_trust(error):
            _print_error(f"{name}: {error}")
            return error.status
        return run(command, name, arguments)
    except GameplayError as error:
        _print_error(f"{name}: {error}")
        return error.status
    except OSError as error:
        location = f"{error.filename}: " if error.filename else "the output: " if _is_output_lost() else ""
        _print_error(f"{name}: {location}{error.strerror or error}")
        from gameplay.file_io import FULL

        return TryLater.status if error.errno in FULL else BadInput.status
    except Exception as error:
        if _is_user_code(error):
            return _report_user_error(name, error)
        if broken_law := _broken_law(sys.argv[1:] if arguments is None else arguments):
            _print_error(f"{name}: {broken_law}")
            return Fault.status
        _print_error(f"{name}: internal error: {type(error).__name__}: {error}", _write_report())
        return 1


CLICK_MESSAGES = (  # messages of click, and our wording
    (r"(?s)^Got (unexpected) extra (arguments?) \((.*)\)$", r"\1 \2 \3"),
    (r"^Option '(\S+)' requires an argument$", r"\1 needs a value"),
    (r"^Option '(\S+)' does not take a value$", r"\1 takes no value"),
)

LONG_WORD = rf"(?<=')[^']{{{LONGEST_NAME + 1},}}(?=')|[^\s'()]{{{LONGEST_NAME + 1},}}"  # as click repeats it
OVERLONG = re.compile(rf"\S{{{LONGEST_MESSAGE},}}")  # longer than any path


def usage_message(error: click.UsageError) -> str:
    """Rephrase a click error like all other errors: `--depth: 'x' is not a whole number`."""
    if isinstance(error, click.NoSuchOption):
        suggestions = " or ".join(error.possibilities or ())
        return f"unknown option {brief(error.option_name)}" + (
            f"; did you mean {suggestions}?" if suggestions else ""
        )
    if isinstance(error, click.MissingParameter) and error.param is not None:
        is_option = isinstance(error.param, click.Option)
        missing = error.param.opts[-1] if is_option else error.param.make_metavar(_context(error))
        return f"{missing} is missing"
    text = re.sub(LONG_WORD, lambda word: brief(word[0]), error.format_message()).removesuffix(".")
    for pattern, words in CLICK_MESSAGES:
        text = re.sub(pattern, words, text)
    if type(error) is not click.BadParameter or error.param is None:
        return brief(text, LONGEST_MESSAGE)
    kind = error.param.type
    numbers = "a number" if isinstance(kind, click.types.FloatParamType) else "a whole number"
    if isinstance(kind, (click.IntRange, click.FloatRange)) and kind.min is not None:
        if kind.min_open:
            numbers += f" over {kind.min}" + (f", up to {kind.max}" if kind.max is not None else "")
        else:
            numbers += f" from {kind.min} up" if kind.max is None else f" from {kind.min} to {kind.max}"
    option, why = re.sub(r"^Invalid value for '(.+?)': ", r"\1: ", text).removesuffix(".").split(": ", 1)
    if isinstance(kind, click.Choice) and isinstance(error.param, click.Argument):
        option = str(error.param.name)  # click has the choices here, which `why` lists
    number = re.fullmatch(
        r"(?s)'?(.*?)'? is not (?:a valid (?:integer|float)(?: range)?|in the range .*)", why
    )
    return f"{option}: '{number[1]}' is not {numbers}" if number else f"{option}: {why}"


def _context(error: click.UsageError) -> click.Context:
    """The context of the error, or an empty one."""
    return error.ctx or click.Context(click.Command(None))


def _confirm_trust(error: Untrusted) -> bool:
    """True if the user, shown what a data file names, trusts it; asked on a terminal only, and remembered."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()) or not all(map(str.isprintable, error.items)):
        return False
    from gameplay.store import trust

    click.echo(
        "The file names code or programs that would run with your rights and that you have not used before:",
        err=True,
    )
    for item in error.items:
        click.echo(f"    {item}", err=True)
    try:
        sure = click.confirm("Trust it, here and in other files?", err=True)
    except click.Abort:
        return False
    if sure:
        with suppress(OSError):  # it is then trusted this time
            trust.add(error.items)
    return sure


def _is_user_code(error: BaseException) -> bool:
    """True if code from outside raised it."""
    from gameplay.usercode.fence import is_user_error  # not for every --help

    return is_user_error(error)


def _broken_law(arguments: Sequence[str]) -> str:
    """The law that a user's game breaks, a likely reason of an exception in other code; "": none.

    The games that `arguments` name by their files are checked in a few random games.
    """
    from gameplay import registry
    from gameplay.cli.common.advice import command_line
    from gameplay.conformance.checker import check

    typed = " ".join(arguments)
    for game in registry.custom_games:
        if os.path.basename(game.spec).partition(":")[0] not in typed:
            continue
        for broken in check(game, plays=BROKEN_LAW_PLAYS).broken:
            more = command_line("gameplay", "check", game.spec)
            return f"{game.name} breaks a law of games: {broken.statement}; seen: {broken.seen}. Try: {more}"
    return ""


def _print_error(error: str, more: str = "") -> None:
    """Print the error in one line, and `more` below it.

    Without a reader (`2>&1 | head`) only the exit status reports it.
    """
    try:
        print(
            OVERLONG.sub(lambda word: brief(word[0]), one_line(error)),
            *filter(None, [more]),
            sep="\n",
            file=sys.stderr,
            flush=True,
        )
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _report_user_error(name: str, error: BaseException) -> int:
    """Report an unexpected exception in a user's game; returns the exit status."""
    _print_error(f"{name}: the game's code raised {describe_exception(error)}")
    return Fault.status


def _is_output_lost() -> bool:
    """True if the output cannot be written, for example to a full disk; then it is discarded."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()
        return True
    return False


def _discard_output() -> None:
    """Discard the rest of the output, so that the interpreter's last flush is quiet."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    out = terminal(sys.stdout)
    if isinstance(out, io.TextIOWrapper):
        os.dup2(null, out.fileno())


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
        file.write_text(
            f"gameplay {__version__}\n{' '.join(sys.argv)}\n\n{trace}", "utf-8", "backslashreplace"
        )
    except OSError:
        return trace
    return f"The report is in {file}"


def _set_up_process() -> None:
    """This process is a command's: its output is its own, and it is supervised if it runs user code."""
    from gameplay.usercode import output, supervisor

    output.reserve()
    supervisor.allow()


def _exit(status: int) -> NoReturn:
    """End the process; after Ctrl-C without the interpreter's own teardown, which takes longer than 0.1 s."""
    if status != INTERRUPTED:
        sys.exit(status)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # a reader that is gone, a closed stream
            stream.flush()
    os._exit(status)


def main(program: str = "gameplay") -> NoReturn:
    """Run `gameplay`, which dispatches to every command, or a command of its own name: `play`, `selfplay`."""
    _set_up_process()
    _exit(run(router if program == "gameplay" else load(program), program))
