"""The router: help, exit statuses, errors in one line, closed pipes, shared options."""

import ast
import errno
import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import platformdirs
import pytest

from gameplay import __main__ as programs
from gameplay import __version__, cli
from gameplay.cli import Group, load, router, run
from gameplay.cli.common import options as cli_options
from gameplay.cli.common import progress_line
from gameplay.cli.common import width as cli_width
from gameplay.conformance import signature
from gameplay.errors import STATUS, BadInput, Fault, Mismatch, Terminated, TryLater, Unfinished, Usage
from gameplay.store import settings
from gameplay.usercode import fence
from tests.support.commands import run_printed
from tests.support.paths import TESTS


def test_help_lists_every_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_printed(capsys, "--help")
    assert status == 0
    for number, words in STATUS.items():
        assert f"\n  {number:<3}  {words}" in out


@pytest.mark.parametrize("words", [(), ("book",), ("toml",), ("run",), ("table",), ("lecture",)])
def test_group_without_command_lists_its_commands(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert run_printed(capsys, *words) == run_printed(capsys, *words, "--help")
    assert run_printed(capsys, *words)[0] == 0


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_printed(capsys, "--version") == (0, f"gameplay {__version__}\n", "")


@pytest.mark.once
def test_every_command_has_help_and_a_line_in_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    _, listed, _ = run_printed(capsys, "--help")
    names = router.list_commands(click.Context(router))
    assert {"play", "selfplay", "games", "engines", "check", "signature", "replay", "run", "show"} <= set(
        names
    )
    assert not {"status", "verify", "words", "config", "bench"} & set(names)
    for name in names:
        assert listed.count(f"\n  {name} ") == 1
        status, out, _ = run_printed(capsys, name, "--help")
        assert status == 0 and out.startswith(f"Usage: gameplay {name}")
        assert out.count("Exit status:") == 1 and out == run_printed(capsys, name, "-h")[1]


def test_help_groups_the_commands_by_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    out = run_printed(capsys, "--help")[1]
    headings = re.findall(r"^(\w.*):$", out, re.M)
    assert headings[:2] == ["Options", "Play"] and headings[-1] == "Exit status"
    play, run = (run_printed(capsys, *words)[1] for words in (["--help"], ["run", "--help"]))
    assert play.index("\n  play ") < play.index("\n  games ") < play.index("\nMeasure:\n")
    assert re.findall(r"^  ([a-z]+)  ", run.partition("Commands:\n")[2], re.M) == cli.names("runs")
    columns = {re.match(r"  [a-z]+ +", line).end() for line in re.findall(r"^  [a-z]+  .*", play, re.M)}
    assert len(columns) == 1, "the descriptions of all groups are aligned"


@pytest.mark.parametrize("name", [*cli.names("runs"), *cli.FORMER_NAMES])
def test_former_names_of_commands_still_work(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    now = ["run", name] if name in cli.names("runs") else [cli.FORMER_NAMES[name]]
    former, present = run_printed(capsys, name, "--help"), run_printed(capsys, *now, "--help")
    assert former[0] == present[0] == 0 and former[2] == ""
    assert former[1].split("\n", 1)[1] == present[1].split("\n", 1)[1]


def test_help_is_also_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_printed(capsys, "help") == run_printed(capsys, "--help")
    assert run_printed(capsys, "help", "run", "stop") == run_printed(capsys, "run", "stop", "--help")
    assert run_printed(capsys, "help", "run", "stp")[::2] == (
        2,
        "gameplay: unknown command 'stp'; did you mean 'stop'? (choose from: compare, export, import, "
        "report, resume, status, stop, verify)\n",
    )
    assert run_printed(capsys, "help", "show", "it")[0] == 2


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_help_fits_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for words in [(), *(command_words(router) if columns > 40 else ())]:
        _, out, _ = run_printed(capsys, *words, "--help")
        assert [line for line in out.splitlines() if len(line) > columns] == []


def command_words(group: click.Group) -> Iterator[tuple[str, ...]]:
    """The words of each command below a group, such as `run export`."""
    context = click.Context(group)
    for name in group.list_commands(context):
        yield (name,)
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from ((name, *words) for words in command_words(command))


def test_a_folder_without_games_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run_printed(capsys, "review", str(TESTS / "examples" / "games"))
    assert (
        (status, out) == (6, "") and "holds no file of games: .json, " in err and len(err.splitlines()) == 1
    )


@pytest.mark.once
@pytest.mark.parametrize(("words", "status"), [(["games", "conect4"], 2), (["games", "--colour"], 2)])
def test_exit_status_does_not_depend_on_a_reader_of_stderr(words: list[str], status: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)  # as in `gameplay ... 2>&1 | head`
    ran = subprocess.run([sys.executable, "-m", "gameplay", *words], stdout=writer, stderr=writer)
    os.close(writer)
    assert ran.returncode == status


def test_saved_games_are_listed_with_how_they_ended(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    players = ("--players", "random,random", "--seed", "1", "--plain")
    assert run_printed(capsys, "play", "connect4:columns=3,rows=1,connect=2", *players)[0] == 0
    status, out, _ = run_printed(capsys, "games", "--saved")
    assert status == 0
    assert re.search(r"random - random  \d moves  (blue won|orange won|draw)$", out, re.MULTILINE)


def failing(error: BaseException | None = None, result: object = None) -> click.Command:
    """A command that raises this exception or returns this value."""

    @click.command()
    def command() -> object:
        if error is not None:
            raise error
        return result

    return command


@pytest.mark.once
@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (Usage("so"), 2, "failing: so"),
        (Mismatch("so"), 3, "failing: so"),
        (Unfinished("so"), 4, "failing: so"),
        (Fault("so"), 5, "failing: so"),
        (BadInput("so"), 6, "failing: so"),
        (TryLater("so"), 75, "failing: so"),
        (click.UsageError("so"), 2, "failing: so. Try: failing --help"),
        (OSError(errno.ENOSPC, "No room", "file"), 75, "failing: file: No room"),
        (OSError(errno.EDQUOT, "Quota exceeded"), 75, "failing: Quota exceeded"),
        (OSError(errno.ENOENT, "No such file", "file"), 6, "failing: file: No such file"),
        (OSError("so"), 6, "failing: so"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.Abort(), 130, "interrupted"),
    ],
)
def test_every_error_is_a_line_and_a_status(
    error: BaseException, status: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(failing(error), "failing", []) == status
    out, err = capsys.readouterr()
    assert (out, err.lstrip("\n")) == ("", f"{line}\n")  # click begins a new line after ^C


@pytest.mark.once
def test_return_value_of_a_command_is_the_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    for result, status in ((4, 4), (0, 0), (None, 0), ("text", 0)):
        assert run(failing(result=result), "failing", []) == status
    assert capsys.readouterr() == ("", "")


@pytest.mark.once
def test_an_internal_error_is_reported_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If no file can be written, the report is printed in full."""
    monkeypatch.setattr(platformdirs, "user_log_path", lambda name: tmp_path / "far" / name)
    monkeypatch.setattr(time, "strftime", lambda form: {"%Y%m%d-%H%M%S": "now"}[form])
    monkeypatch.setattr(sys, "argv", ["failing", "--now"])
    file = tmp_path / "far" / "gameplay" / "error-now.txt"
    for text in ("so", "once more"):
        assert run(failing(ZeroDivisionError(text)), "failing", []) == 1
        complaint = f"failing: internal error: ZeroDivisionError: {text}\n"
        assert capsys.readouterr() == ("", f"{complaint}The report is in {file}\n")
        head, trace = file.read_text().split("\n\n", 1)
        assert head == f"gameplay {__version__}\nfailing --now"
        assert trace.startswith("Traceback (most recent call last):\n")
        assert trace.endswith(f"\nZeroDivisionError: {text}\n")
    file.unlink()
    file.parent.rmdir()
    file.parent.write_text("in the way")
    assert run(failing(ZeroDivisionError("so")), "failing", []) == 1
    first, trace = capsys.readouterr().err.split("\n", 1)
    assert first == "failing: internal error: ZeroDivisionError: so"
    assert trace.startswith("Traceback (most") and trace.endswith("\nZeroDivisionError: so\n\n")


@pytest.mark.once
def test_exception_of_a_game_names_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its SystemExit counts too; an exit by SIGTERM or by the program itself does not."""
    monkeypatch.setattr(fence, "is_user_error", lambda error: True)
    for error in (ZeroDivisionError("so"), SystemExit(3)):
        assert run(failing(error), "failing", []) == 5
        message = re.escape(f"failing: the game's code raised {type(error).__name__}: {error} (")
        assert re.fullmatch(rf"{message}\w+\.py, line \d+\)\n", capsys.readouterr().err)
    with pytest.raises(Terminated):
        run(failing(Terminated(143)), "failing", [])
    monkeypatch.setattr(fence, "is_user_error", lambda error: False)
    with pytest.raises(SystemExit) as ended:
        run(failing(SystemExit(3)), "failing", [])
    assert ended.value.code == 3 and capsys.readouterr() == ("", "")


class Closed(io.StringIO):
    """A pipe without a reader."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    def flush(self) -> None:
        self.write("")


@pytest.mark.once
def test_closed_pipe_receives_nothing_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A closed pipe is disabled, whether the first or the last output meets it."""
    given: list[tuple[str, int]] = []
    monkeypatch.setattr(os, "open", lambda path, flags: f"{path} {flags}")
    monkeypatch.setattr(os, "dup2", lambda file, number: given.append((file, number)))

    @click.command()
    def printing() -> None:
        click.echo("a word")

    pipe, nowhere = Closed(), f"{os.devnull} {os.O_WRONLY}"
    monkeypatch.setattr(sys, "stdout", pipe)
    for command in (failing(), failing(BrokenPipeError()), printing):
        assert run(command, "printing", []) == 141
        assert sys.stdout is pipe and given.pop() == (nowhere, 1) and not given
    monkeypatch.undo()
    monkeypatch.setattr(os, "dup2", lambda file, number: given.append((os.strerror(0), number)))
    monkeypatch.setattr(sys, "stderr", Closed())
    assert run(failing(Usage("so")), "failing", []) == 2
    assert [number for _, number in given] == [2] and capsys.readouterr().out == ""


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "status"),
    [("play connect4", Unfinished.status), ("quiz", Unfinished.status), ("uci", 0), ("gtp", 0)],
)
def test_closed_standard_input_is_an_empty_one(
    words: str, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    code, _, err = run_printed(capsys, *words.split())
    assert code == status and err.count("\n") == (1 if status else 0)
    assert sys.stdin is None


def test_output_to_a_closed_stream_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert run(router, "gameplay", ["show", "tictactoe"]) == 0
    assert run(router, "gameplay", ["show", "nosuch"]) == Usage.status


def test_unencodable_characters_become_question_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, io.TextIOWrapper(io.BytesIO(), encoding="latin-1"))

    @click.command()
    def drawing() -> None:
        click.echo("a ●")
        raise Usage("no ○")

    assert run(drawing, "drawing", []) == 2
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    assert sys.stdout.buffer.getvalue() == b"a ?\n"
    assert sys.stderr.buffer.getvalue() == b"drawing: no ?\n"


@pytest.mark.once
@pytest.mark.parametrize("name", ["gameplay", "play", "selfplay"])
def test_a_program_runs_its_command_and_ends_with_its_status(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[click.Command, str]] = []
    monkeypatch.setattr(cli, "run", lambda command, called: ran.append((command, called)) or 7)
    with pytest.raises(SystemExit) as ended:
        getattr(programs, name)()
    assert ended.value.code == 7
    assert ran == [(router if name == "gameplay" else load(name), name)]


@pytest.mark.once
def test_ctrl_c_while_a_program_starts_ends_it_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_program: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "main", interrupt)
    with pytest.raises(SystemExit) as ended:
        programs.play()
    assert ended.value.code == 130 and capsys.readouterr().err == "interrupted\n"
    source = ast.parse(Path(programs.__file__).read_text())
    imports = [node for node in source.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(node) for node in imports] == ["import sys"], "others are within the `try`"


@pytest.mark.once
@pytest.mark.parametrize("count", [20, 21])
def test_help_lists_twenty_commands_and_finds_the_others(
    count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.group(cls=Group)
    def many() -> None:
        pass

    names = [f"c{number:02}" for number in range(count)]
    for name in names:
        many.add_command(failing(), name)
    many.kind = "thing"
    assert run(many, "many", ["none at all"]) == 2
    more = "(many --help lists them)" if count > 20 else f"(choose from: {', '.join(names)})"
    assert capsys.readouterr() == ("", f"many: unknown thing 'none at all' {more}\n")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["random", "random", "--cluster", ""],
            "--cluster needs the address of a scheduler, as in tcp://host:8786",
        ),
        (["random", "minimax", "--sprt", "0,2000"], "sprt.elo1: expected a number of at most 1000, not 2000"),
        (
            ["random", "minimax", "--openings", "FILE", "--games", "4"],
            "FILE holds only 1 opening, and 2 are needed: ask for 2 games, or give more openings "
            "(reuse = true in a plan file repeats them, without Elo)",
        ),
        (["own=ugi:sh -c 'exit 4'", "random"], "own: sh exited with status 4, while starting"),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_one_line(
    words: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.txt"
    file.write_text("moves a1\n")
    words = [str(file) if word == "FILE" else word for word in words]
    store = ["--store", str(tmp_path / "runs.db")]
    assert run(router, "gameplay", ["match", *words, "--game", "tictactoe", *store]) in (2, 5)
    assert capsys.readouterr().err == f"gameplay: {line.replace('FILE', str(file))}\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["playy"],
            "unknown command 'playy'; did you mean 'play'? (gameplay --help lists them)",
        ),
        (["reprot"], "unknown command 'reprot'; did you mean 'run report'? (gameplay --help lists"),
        (["wrods"], "unknown command 'wrods'; did you mean 'glossary'? (gameplay --help lists them"),
        (["toml", "chek"], "unknown command 'chek'; did you mean 'check'? (choose from: check, schema)"),
        (["undo"], "'undo' is typed within a game. Try: gameplay play\n"),
        (["hint", "chess"], "'hint' is typed within a game. Try: gameplay play\n"),
        (["lecture", "mtd"], "unknown lecture 'mtd'; did you mean 'mtdf'?"),
    ],
)
def test_unknown_command_suggests_the_nearest(
    words: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(router, "gameplay", words) == 2
    assert capsys.readouterr().err.startswith(f"gameplay: {line}")


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("stats --name", "gameplay stats"),
        ("play --seed", "gameplay play"),
        ("book build --out", "gameplay book build"),
        ("puzzles --count", "gameplay puzzles"),
        ("puzzles find --count", "gameplay puzzles find"),
        ("--nothing", "gameplay"),
    ],
)
def test_missing_option_value_names_the_command(
    words: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(router, "gameplay", words.split()) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{command}: ") and line.endswith(f". Try: {command} --help")


def options(command: click.Command, way: str) -> Iterator[tuple[str, click.Option]]:
    """The options of a command and of those below it."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from options(below, f"{way} {name}".strip())
    yield from ((way, param) for param in command.params if isinstance(param, click.Option))


@pytest.mark.once
def test_defaults_equal_those_in_help() -> None:
    count = 0
    for way, option in options(router, ""):
        match = re.search(r"\[([\w,.-]+)\]\.?$", option.help or "")
        if type(option.default) in (int, float) or (
            match and isinstance(option.default, str) and option.default
        ):
            assert match is not None, (way, option.name)
            assert match[1].replace(",", "") == str(option.default).removesuffix(".0"), (way, option.name)
            count += 1
    assert count > 20


def test_bench_lists_its_searches_and_their_sum(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(signature, "measure", lambda: {"one": 7, "another": 12_345})
    assert run_printed(capsys, "bench") == (
        0,
        "           7  one\n       12345  another\nsignature 12352\n",
        "",
    )


# -- lines that fit -------------------------------------------------------------------------------


@pytest.mark.once
def test_lines_are_folded_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At spaces only: a word with a hyphen stays whole, since it may be typed."""
    monkeypatch.setenv("COLUMNS", "12")
    cli_width.echo_wrapped("one two --a-four")
    assert capsys.readouterr().out == "one two --a-four\n"
    assert (cli_width.columns(), cli_width.columns(80)) == (0, 80)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    cli_width.echo_wrapped("one two --a-four")
    assert capsys.readouterr().out == "one two\n--a-four\n"
    assert (cli_width.columns(), cli_width.columns(80)) == (12, 12)


# -- options that commands share --------------------------------------------------------------------


@pytest.mark.once
def test_default_jobs_are_the_available_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all cores of the machine; where the system does not report them, all cores, or one."""
    monkeypatch.setattr(os, "sched_getaffinity", {0: {2, 3, 5}, 1: {0}}.__getitem__, raising=False)
    assert cli_options.cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    for counted, cores in ((7, 7), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda counted=counted: counted)
        assert cli_options.cores() == cores


@pytest.mark.once
def test_drawing_fits_the_terminal_unless_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The requested theme is used, else that of the settings."""
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(sys, stream, Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(settings, "settings", lambda: settings.Settings(theme="night", coordinates=False))
    free, plain = cli_options.Drawing(False, False, "auto"), cli_options.Drawing(True, False, "auto", "paper")
    assert [theme.interactive for theme in (free.theme(), free.theme(plain=True), plain.theme())] == [
        True, False, False,
    ]  # fmt: skip
    assert (free.theme().palette.name, plain.theme().palette.name) == ("night", "paper")
    assert free.theme().coordinates is False


class Terminal(io.StringIO):
    """A terminal as standard error, with the output flushed so far."""

    shown = ""

    def isatty(self) -> bool:
        return True

    def flush(self) -> None:
        self.flushed = self.getvalue()


# -- progress lines -------------------------------------------------------------------------------


def test_progress_line_fits_one_terminal_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each update overwrites the line, at most ten times a second, within the width; finally it is erased."""
    terminal, now = Terminal(), [50.0]
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress_line.time, "monotonic", lambda: now[0])
    monkeypatch.setenv("COLUMNS", "20")
    with progress_line.ProgressLine() as aside:
        aside.end()
        assert terminal.getvalue() == ""
        for at, words in (
            (50.0, "first"),
            (50.05, "too soon"),
            (50.1, "a line of more columns than there are"),
        ):
            now[0] = at
            aside(words)
        assert terminal.flushed == "\rfirst\x1b[K\ra line of more colu\x1b[K"
    assert terminal.flushed.endswith("colu\x1b[K\r\x1b[K")
    unwanted = progress_line.ProgressLine(wanted=False)
    unwanted("a word")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    nobody = progress_line.ProgressLine()
    nobody("a word")
    assert (aside.shown, unwanted.shown, nobody.shown) == (True, False, False)
    assert terminal.getvalue().count("word") == 0 == len(sys.stderr.getvalue())


LEAVING = """import atexit, signal, sys
from gameplay import cli
from gameplay.search import session

class Table:
    def __del__(self):
        print("taken apart")

kept = Table()
atexit.register(print, "exit function")
search = session.Session.search

def interrupted(self, position, limit=None, watch=None, **more):
    def watching(report):
        if report.nodes:
            signal.raise_signal(signal.SIGINT)
        return watch is not None and watch(report)
    return search(self, position, limit, watching, **more)

session.Session.search = interrupted if sys.argv.pop(1) == "interrupt" else search
cli.main()
"""


@pytest.mark.once
@pytest.mark.parametrize("how", ["interrupt", "end"])
def test_an_interrupt_exits_without_interpreter_teardown(how: str) -> None:
    """Pending output is printed, and the functions registered for the exit run."""
    limit = "60" if how == "interrupt" else "0.2"
    words = ["analyse", "connect4", "--engines", "minimax:depth=40", "--time", limit]
    done = subprocess.run(
        [sys.executable, "-c", LEAVING, how, *words], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == (130 if how == "interrupt" else 0), done.stderr
    assert "nodes" in done.stdout and "exit function" in done.stdout
    assert ("taken apart" in done.stdout + done.stderr) == (how == "end")
    assert done.stderr.endswith("interrupted\n") == (how == "interrupt")


def test_a_former_name_shows_the_usage_of_the_present_one(capsys):
    for former, usage in (("words", "gameplay glossary"), ("status", "gameplay run status")):
        assert cli.run(cli.router, "gameplay", [former, "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"Usage: {usage} ")


def test_a_store_is_made_in_a_folder_that_is_there(tmp_path, capsys):
    match = ["match", "random", "random", "--game", "tictactoe", "--games", "2", "--store"]
    missing = tmp_path / "a" / "b" / "runs.db"
    assert cli.run(cli.router, "gameplay", [*match, str(missing)]) == 6
    assert (
        f"there is no folder {tmp_path / 'a'} for the store {missing}. Try: mkdir -p"
        in capsys.readouterr().err
    )
    assert not (tmp_path / "a").exists()
    assert cli.run(cli.router, "gameplay", [*match, str(tmp_path / "a" / "runs.db")]) == 0


def test_resume_says_what_is_finished_and_what_is_exported(home, tmp_path, capsys):
    match = ["match", "random", "random", "--game", "tictactoe", "--games", "2"]
    assert cli.run(cli.router, "gameplay", match) == 0
    assert cli.run(cli.router, "gameplay", ["run", "resume", "last"]) == 0
    assert "is finished; there is nothing to play" in capsys.readouterr().err
    file = str(tmp_path / "run.jsonl")
    assert cli.run(cli.router, "gameplay", ["run", "export", "last", "--out", file]) == 0
    assert cli.run(cli.router, "gameplay", ["run", "resume", file]) == 2
    assert "holds an exported run, and resume continues runs in the store" in capsys.readouterr().err


@pytest.mark.parametrize("width", [60, 80])
def test_lists_rules_and_help_fit_the_terminal(width, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(cli_width, "columns", lambda elsewhere=0: width)
    for words in (["games"], ["games", "go"], ["games", "bridge"], ["toml", "--help"], ["show", "--help"]):
        assert cli.run(cli.router, "gameplay", words) == 0
        out = capsys.readouterr().out
        examples = "  gameplay "  # commands to copy stay on one line
        assert max(len(line) for line in out.splitlines() if not line.startswith(examples)) <= width, words
        assert words[-1] != "--help" or (
            "Exit status:\n  0    success" in out and "..." not in out.split("Exit")[1]
        )


def test_paragraphs_are_folded_where_they_do_not_fit(monkeypatch, capsys):
    text = "one two three four\nfive six\n\n  - seven eight nine\n  - ten\n\n- one two\n  three\n- four"
    for width, shown in (
        (0, text),
        (40, text),
        (
            14,
            "one two three\nfour five six\n\n  - seven\n  eight nine\n  - ten\n\n- one two\n  three\n- four",
        ),
    ):
        monkeypatch.setattr(cli_width, "columns", lambda elsewhere=0, width=width: width)
        cli_width.echo_paragraphs(text)
        assert capsys.readouterr().out == shown + "\n"
