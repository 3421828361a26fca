"""Paths of all commands: empty ones are refused; what is written replaces nothing, or says so."""

import errno
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from gameplay.cli import router, run
from gameplay.cli.common.options import File, Source, Target
from gameplay.errors import Usage

pytestmark = pytest.mark.once


def options(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Parameter]]:
    """All parameters with the words of their command."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from options(child, (*words, name))
    yield from ((" ".join(words), parameter) for parameter in command.params)


PARAMETERS = list(options(router))
OUTPUTS = [
    (words, option)
    for words, option in PARAMETERS
    if isinstance(option, click.Option) and isinstance(option.type, Target)
]


def test_the_help_of_an_output_says_whether_it_replaces_a_file() -> None:
    replacing = {f"{words} {option.opts[-1]}" for words, option in OUTPUTS if option.type.replaces}
    pictures = {
        f"{name} --svg" for name in ("measure", "exploit", "profile", "lecture samuel", "lecture uct")
    }
    reports = {"run report --html", "regress --junit", "assignment --junit", "assignment --gradescope"}
    assert replacing == {*pictures, *reports, "book build --out"}
    for words, option in OUTPUTS:
        text = option.help or ""
        assert (" new " in text) != ("replacing" in text), f"{words} {option.opts[-1]}: {text}"


def test_an_existing_file_is_refused_before_the_work_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.svg"
    file.write_text("kept")
    for words in (
        f"tree tictactoe --out {file}",
        f"quiz --sheet 1 --out {file}",
        f"exploit kuhn --out {file}",
        f"review 1 --html {file}",
        f"run export last --out {file}",
        f"puzzles --anki {file}",
        f"selfplay tictactoe --out {file}",
        f"match -engine cmd=sh -engine cmd=cat -rounds 1 -pgnout {file}",
    ):
        option = words.split()[-2]
        assert run(router, "gameplay", words.split()) == 2, words
        out, err = capsys.readouterr()
        message = f"gameplay: {file} exists: name another file for {option}, or remove it first\n"
        assert (out, err) == ("", message)
    assert file.read_text() == "kept"


def test_an_empty_path_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path / "home"))
    kinds = (File, Source)
    paths = [option for _, option in PARAMETERS if isinstance(option.type, kinds)]
    assert len(paths) > 40
    for option in paths:
        with pytest.raises(Usage, match=" is empty; expected a path"):
            option.type.convert("", option, None)
    for words, label in (
        ("learn tictactoe --games 5 --out ''", "--out"),
        ("table build tictactoe --folder ''", "--folder"),
        ("review ''", "N|FILE"),
        ("replay ' '", "N|FILE"),
        ("regress ''", "FILE"),
        ("play tictactoe --save ''", "--save"),
        ("selfplay tictactoe --openings ''", "--openings"),
        ("run status --store ''", "--store"),
    ):
        assert run(router, "gameplay", shlex.split(words)) == 2, words
        message = f"gameplay: {label} is empty; expected a path. Try: a name, or . for the current folder\n"
        assert capsys.readouterr() == ("", message)
    for words, message in (
        ("show connect4 --theme ''", "--theme is empty; expected NAME|FILE. Try: leave --theme out"),
        ("selfplay tictactoe --first ''", "--first is empty; expected ENGINE. Try: leave --first out"),
        ("run resume ''", "there is no store "),
    ):
        assert run(router, "gameplay", shlex.split(words)) in (2, 6), words
        assert message in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("tree tictactoe --engine minimax --depth 1 --out a.svg", ""),
        ("quiz --sheet 1 --out a.txt", ""),
        ("exploit kuhn --engine cfr:iterations=2 --out a.toml", ""),
        ("exploit kuhn --engine cfr:iterations=2 --svg a.svg", "a.svg"),
        ("measure tictactoe --engines minimax --depth 1-2 --positions 1 --svg a.svg", "a.svg"),
        ("regress suite.toml --junit a.xml", "a.xml"),
        ("book build tictactoe --solve --plies 1 --out a.book", ""),
        ("table build tictactoe --folder tables", ""),
        ("learn tictactoe --games 2 --out run", ""),
        ("learn checkers --method rote --games 1 --out run", ""),
        ("settings theme wood", ""),
        ("trust suite.py", ""),
    ],
)
def test_a_full_disk_is_status_75_and_names_the_file(
    words: str,
    written: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    Path("suite.py").touch()
    Path("suite.toml").write_text('[[test]]\nname = "a"\ngame = "nim"\nengine = "minimax"\ndepth = 1\n')
    if written:
        Path(written).write_text("kept")
    before = {path for path in tmp_path.rglob("*") if path.is_file()}

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert run(router, "gameplay", shlex.split(words)) == 75
    error = capsys.readouterr().err.splitlines()[-1]
    path = Path(error.removeprefix("gameplay: ").removesuffix(": No space left on device"))
    assert path.suffix and error == f"gameplay: {path}: No space left on device"
    assert not written or Path(written).read_text() == "kept"
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == before
