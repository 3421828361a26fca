"""The router, the commands that list things, and the one place where errors become statuses."""

import errno
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from gameplay import __version__, glossary, kernel, signature
from gameplay.cli import _aside, _width, doctor, router, run
from gameplay.errors import STATUS, BadInput, Fault, Mismatch, TryLater, Unfinished, Usage


def gameplay(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = run(router, "gameplay", words)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_help_tells_every_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = gameplay(capsys, "--help")
    assert status == 0
    for number, words in STATUS.items():
        assert f"{number:<4} {words}" in out


@pytest.mark.parametrize("words", [(), ("book",), ("config",), ("table",), ("lecture",)])
def test_what_lacks_a_command_lists_those_there_are(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert gameplay(capsys, *words) == gameplay(capsys, *words, "--help")
    assert gameplay(capsys, *words)[0] == 0


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert gameplay(capsys, "--version") == (0, f"gameplay {__version__}\n", "")


def test_every_command_has_help_and_a_line_in_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    _, listed, _ = gameplay(capsys, "--help")
    names = router.list_commands(click.Context(router))
    assert {"play", "selfplay", "games", "engines", "check", "bench", "replay", "verify", "show"} <= set(
        names
    )
    for name in names:
        assert f"\n  {name} " in listed
        status, out, _ = gameplay(capsys, name, "--help")
        assert status == 0 and out.startswith(f"Usage: gameplay {name}")
        assert out.count("Exit status:") == 1 and out == gameplay(capsys, name, "-h")[1]


def test_help_fits_a_terminal_of_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name in ["", *router.list_commands(click.Context(router))]:
        _, out, _ = gameplay(capsys, *filter(None, [name]), "--help")
        assert [line for line in out.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    ("line", "typed", "found"),
    [
        ("gameplay play conn", 2, ["connect4"]),
        ("gameplay play --engine sel", 3, ["selective"]),
        ("gameplay uci --engine mini", 3, ["minimax"]),
        ("gameplay match alpha", 2, ["alphabeta"]),
        ("gameplay match alphabeta --balance iter", 4, ["iterative"]),
        ("gameplay show oth", 2, ["othello"]),
        ("gameplay engines ra", 2, ["random"]),
        ("gameplay regress --game tic", 3, ["tictactoe"]),
        ("gameplay resume la", 2, ["last"]),
    ],
)
def test_the_shell_completes_names(line: str, typed: int, found: list[str], tmp_path: Path) -> None:
    from click.shell_completion import ShellComplete

    from gameplay.store.runs import Store

    words = line.split()
    arguments = words[1:typed]
    if "resume" in words:
        Store(tmp_path / "runs.db").close()
        arguments += ["--store", str(tmp_path / "runs.db")]
    shell = ShellComplete(router, {}, "gameplay", "_GAMEPLAY_COMPLETE")
    assert [item.value for item in shell.get_completions(arguments, words[typed])] == found


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["pley"], 2, "play"),
        (["games", "conect4"], 2, "did you mean 'connect4'"),
        (["engines", "minmax"], 2, "did you mean 'minimax'"),
        (["engines", "--colour"], 2, "--colour"),
        (["completion", "tcsh"], 2, "bash"),
        (["games", "./none.py"], 6, "there is no file"),
        (["replay", "~nobody there/x"], 6, "there is no file"),
        (["games", "~nobody there/x.py"], 6, "there is no file"),
        (
            ["measure", "chess", "--engines", "iterative:eval=~nobody there/x.toml"],
            6,
            "there/x.toml: No such file",
        ),
        (
            ["lecture", "uct", "--svg", "~nobody there/x"],
            6,
            "~nobody there to save x in",
        ),
        (["games", "--json"], 2, "--json goes with --saved"),
        (["measure", "nim", "--positions", "2", "--moves", "1"], 2, "make one: give either"),
        (["measure", "nim", "--positions", "2", "--position", "3"], 2, "make one: give either"),
        (["perft", "nim", "--check", "x", "--divide"], 2, "leave out --position and --divide"),
        (["perft", "nim", "--check", "x", "--position", "3"], 2, "leave out --position and --divide"),
        (["play", "nim", "--json", "--jsonl"], 2, "both say what to print; give one"),
        (["play", "nim", "--engine", "iterative", "--threads", "0"], 2, "threads is 1 to 256, not 0"),
        (
            ["play", "nim", "--engine", "minimax", "--threads", "2"],
            2,
            "and no player here takes it",
        ),
        (["play", "nim", "--engine", "minimax", "--sims", "5"], 2, "minimax does not simulate"),
        (["play", "nim", "--syzygy", "/none"], 2, "endgame tables of this format are for chess"),
        (["play", "chess", "--syzygy", "/none"], 6, "there is no folder /none of Syzygy tables"),
        (["match", "random", "random", "--sprt", "0,5", "--beta", "0.96"], 2, "less than 1, not to 1.01"),
        (["review", str(Path(__file__).parent / "games")], 6, "holds no file of games: .json, "),
    ],
)
def test_mistakes_are_one_clear_line(
    words: list[str], status: int, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = gameplay(capsys, *words)
    assert (found, out) == (status, "")
    assert complaint in err and "Traceback" not in err and len(err.splitlines()) <= 2


@pytest.mark.parametrize(("words", "status"), [(["games", "conect4"], 2), (["games", "--colour"], 2)])
def test_a_mistake_that_nobody_reads_has_its_status_too(words: list[str], status: int) -> None:
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
    assert gameplay(capsys, "play", "connect4:columns=3,rows=1,connect=2", *players)[0] == 0
    status, out, _ = gameplay(capsys, "games", "--saved")
    assert status == 0
    assert re.search(r"random - random  \d moves  (blue won|orange won|draw)$", out, re.MULTILINE)


def test_games_tell_a_switch_as_it_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = gameplay(capsys, "games", "chess")
    assert status == 0 and "  claims     default on\n" in out


def test_games_and_engines_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = gameplay(capsys, "games")
    assert "connect4 " in out and "tictactoe " in out and "tree " in out
    _, out, _ = gameplay(capsys, "games", "connect4")
    for words in ("A move is a column", "columns    default 7", "Evaluations", "1 2 3 4 5 6 7", "as text: "):
        assert words in out
    _, out, _ = gameplay(capsys, "games", "go")
    assert "  capture    take the stones that the last move left in atari\n" in out
    assert "  mercy      stop where one side has lost far more stones\n" in out
    _, out, _ = gameplay(capsys, "games", "tree")
    assert "TOML" in out and "file       needed" in out
    _, out, _ = gameplay(capsys, "engines", "ab")
    for words in ("alphabeta (also called: ab)", "order ", "table ", "depth "):
        assert words in out


def test_doctor_reports_the_build(capsys: pytest.CaptureFixture[str]) -> None:
    from gameplay.kernel import compiled

    _, out, _ = gameplay(capsys, "doctor")
    assert ("compiled\n" in out) == compiled()
    for words in ("python ", "TERM ", "saved games", "runs.db", "prompt-toolkit"):
        assert words in out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_covers_the_three_programs(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = gameplay(capsys, "completion", shell)
    for name in ("GAMEPLAY", "PLAY", "SELFPLAY"):
        assert f"_{name}_COMPLETE={shell}_complete" in out


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Usage("so"), 2),
        (Mismatch("so"), 3),
        (Unfinished("so"), 4),
        (Fault("so"), 5),
        (BadInput("so"), 6),
        (TryLater("so"), 75),
        (OSError(errno.ENOSPC, "No space left on device", "file"), 75),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "file"), 6),
        (KeyboardInterrupt(), 130),
        (ZeroDivisionError("so"), 1),
    ],
)
def test_every_error_has_its_status_and_no_traceback(
    error: BaseException,
    status: int,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    @click.command()
    def failing() -> None:
        raise error

    assert run(failing, "failing", []) == status
    err = capsys.readouterr().err
    assert "Traceback" not in err and err.count("\n") <= 2
    if status == 1:
        report = next(tmp_path.rglob("error-*.txt")).read_text()
        assert "ZeroDivisionError" in report and str(tmp_path) in err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["random", "random", "--cluster", ""],
            "--cluster needs the address of a scheduler, as in tcp://host:8786",
        ),
        (["random", "minimax", "--sprt", "0,2000"], "sprt.elo1: expected a number of at most 1000"),
        (
            ["random", "minimax", "--openings", "FILE", "--games", "4"],
            "FILE holds only 1 opening, and 2 are needed: ask for 2 games, or give more openings "
            "(a plan file may say reuse = true and do without Elo)",
        ),
        (["own=ugi:sh -c 'exit 4'", "random"], "own: sh exited with status 4"),
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
            "there is no command 'playy'; did you mean 'play'? (gameplay --help lists those there are)",
        ),
        (["config", "chek"], "there is no command 'chek'; did you mean 'check'? (there are: check, schema)"),
        (["lecture", "mtd"], "there is no lecture 'mtd'; did you mean 'mtdf'? (there are: alphabeta, "),
    ],
)
def test_a_command_that_is_none_is_told_what_would_be_right(
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
def test_a_missing_value_is_told_of_its_command(
    words: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(router, "gameplay", words.split()) == 2
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith(f"{command}: ") and last == f"Try '{command} --help'."


def options(command: click.Command, way: str) -> Iterator[tuple[str, click.Option]]:
    """The options of a command and of those below it."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from options(below, f"{way} {name}".strip())
    yield from ((way, one) for one in command.params if isinstance(one, click.Option))


@pytest.mark.once
def test_defaults_are_those_that_help_tells() -> None:
    found = 0
    for way, option in options(router, ""):
        told = re.search(r"\[([\w,.-]+)\]\.?$", option.help or "")
        if type(option.default) in (int, float) or (
            told and isinstance(option.default, str) and option.default
        ):
            assert told is not None, (way, option.name)
            assert told[1].replace(",", "") == str(option.default).removesuffix(".0"), (way, option.name)
            found += 1
    assert found > 20


def test_doctor_tells_all_that_it_sees(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    monkeypatch.setattr(kernel, "compiled", lambda: False)
    monkeypatch.setattr(doctor, "LIBRARIES", ("click", "no-such-library"))
    monkeypatch.setattr(doctor, "VARIABLES", ("GAMEPLAY_HOME", "GAMEPLAY_PURE"))
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("GAMEPLAY_PURE", "1")
    out = gameplay(capsys, "doctor")[1]
    heads = [line for line in out.splitlines() if not line.startswith(" ")]
    assert heads == ["build", "libraries", "terminal", "paths", "offers"]
    told = {line[:18].strip(): line[18:] for line in out.splitlines() if line.startswith("  ")}
    assert told["gameplay"] == __version__ and told["cores"] == str(os.cpu_count())
    assert "alphabeta, " in told["engines"] and "chess, " in told["games"]
    assert told["installed in"] == str(Path(kernel.__file__).parent)
    assert told["click"][0].isdecimal() and told["no-such-library"] == "missing"
    assert told["input"] == told["output"] == "not a terminal" and told["size"] == "70 columns, 30 rows"
    assert told["GAMEPLAY_HOME"] == str(home) and told["GAMEPLAY_PURE"] == "1"
    assert str(home) in told["settings"] and str(home) in told["saved games"] and str(home) in told["runs"]
    assert "  engines         pure Python, because GAMEPLAY_PURE is set (about 50 times slower)\n" in out
    monkeypatch.setenv("GAMEPLAY_PURE", "")
    slow = "pure Python, about 50 times slower (a C compiler at installation would compile it)"
    assert f"  engines         {slow}\n" in gameplay(capsys, "doctor")[1]


def test_bench_lists_its_searches_and_their_sum(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(signature, "measure", lambda: {"one": 7, "another": 12_345})
    assert gameplay(capsys, "bench") == (0, "           7  one\n       12345  another\nsignature 12352\n", "")


def test_all_words_are_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = gameplay(capsys, "words", "--json")
    assert status == 0
    assert [one["word"] for one in json.loads(out)] == [name for name, _, _ in glossary.WORDS]
    assert out.startswith('[\n  {\n    "word": ') and "\\u" not in out


def test_words_stand_in_a_column_as_far_as_they_fit_into_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """80 columns; what has 26 letters and more moves the first line of its meaning."""
    text = "x" * 22 + " " + "y" * 27 + " zz"  # 53 columns, and one word more
    words = [("w" * count, (), text + more) for count, more in ((25, "z"), (26, ""), (3, ""), (4, "zz"))]
    monkeypatch.setattr(glossary, "WORDS", words)
    assert gameplay(capsys, "words")[1].splitlines() == [
        f"{'w' * 25} {text}z",
        f"{'w' * 26} {text}",
        f"www{' ' * 23}{text}",
        f"wwww{' ' * 22}{text[:-3]}",
        f"{' ' * 26}zzzz",
    ]
    monkeypatch.setattr(glossary, "meaning", lambda word: f"{word} {'x' * 73} zz")
    assert gameplay(capsys, "words", "p", "v")[1] == f"p v {'x' * 73} zz\n"
    assert gameplay(capsys, "words", "npss")[1] == f"npss {'x' * 73}\nzz\n"


# -- lines that fit -------------------------------------------------------------------------------


def test_lines_are_folded_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Between words; one with a hyphen stays whole, for it may be typed."""
    monkeypatch.setenv("COLUMNS", "12")
    _width.say("one two --three-four")
    assert capsys.readouterr().out == "one two --three-four\n"
    assert (_width.columns(), _width.columns(80)) == (0, 80)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    _width.say("one two --three-four")
    assert capsys.readouterr().out == "one two\n--three-four\n"
    assert (_width.columns(), _width.columns(80)) == (12, 12)


# -- told aside -----------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """Standard error as a terminal; it shows what was flushed."""

    shown = ""

    def isatty(self) -> bool:
        return True

    def flush(self) -> None:
        self.shown = self.getvalue()


def test_what_is_told_aside_stands_on_one_line_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line over the other, no wider than there is room, not more than ten a second, and wiped away."""
    terminal, now = Terminal(), [50.0]
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(_aside.time, "monotonic", lambda: now[0])
    monkeypatch.setenv("COLUMNS", "20")
    with _aside.Aside() as aside:
        aside.end()
        assert terminal.getvalue() == ""
        for at, words in (
            (50.0, "first"),
            (50.05, "too soon"),
            (50.1, "a line of more columns than there are"),
        ):
            now[0] = at
            aside(words)
        assert terminal.shown == "\rfirst\x1b[K\ra line of more colu\x1b[K"
    assert terminal.shown.endswith("colu\x1b[K\r\x1b[K")
    unwanted = _aside.Aside(wanted=False)
    unwanted("a word")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    nobody = _aside.Aside()
    nobody("a word")
    assert (aside.shown, unwanted.shown, nobody.shown) == (True, False, False)
    assert terminal.getvalue().count("word") == 0 == len(sys.stderr.getvalue())  # type: ignore[attr-defined]
