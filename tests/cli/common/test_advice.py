"""Suggested command lines work from the user's folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gameplay.cli.common import advice
from gameplay.cli.common.advice import command_line
from tests.support.paths import ROOT

pytestmark = pytest.mark.once


@pytest.fixture
def install_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an interpreter and the commands, outside the PATH."""
    folder = tmp_path / "venv" / "bin"
    folder.mkdir(parents=True)
    for name in ("python", "play", "gameplay"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setattr(sys, "argv", [str(folder / "play")])
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.delenv(advice.MAKE, raising=False)
    return folder


def test_the_bare_name_is_suggested_if_the_shell_finds_it(
    install_commands: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{install_commands}:/usr/bin")
    assert command_line("play", "--resume") == "play --resume"
    assert command_line("gameplay", "replay", "my game.json") == "gameplay replay 'my game.json'"


def test_program_is_found_beside_itself_or_the_interpreter(
    install_commands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only executable files are suggested."""
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "elsewhere" / "play")])
    assert command_line("play") == f"{install_commands}/play"
    (install_commands / "gameplay").chmod(0o644)
    python = install_commands / "python"
    assert command_line("gameplay", "replay", "1") == f"{python} -m gameplay replay 1"
    (install_commands / "play").unlink()
    (install_commands / "play").mkdir()
    assert command_line("play", "--resume") == f"{python} -m gameplay play --resume"


def test_command_line_has_the_path_if_the_shell_finds_none_or_another_program(
    install_commands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command_line("play", "--resume") == f"{install_commands}/play --resume"
    other = tmp_path / "sox"
    other.mkdir()
    (other / "play").write_text("#!/bin/sh\n")
    (other / "play").chmod(0o755)
    monkeypatch.setenv("PATH", str(other))
    assert command_line("play", "--resume") == f"{install_commands}/play --resume"
    monkeypatch.chdir(tmp_path)
    assert command_line("play", "--resume") == "venv/bin/play --resume"


def test_without_an_installed_command_the_module_is_suggested(
    install_commands: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("play", "gameplay"):
        (install_commands / name).unlink()
    monkeypatch.setattr(sys, "argv", [str(ROOT / "gameplay" / "__main__.py")])
    python = install_commands / "python"
    assert command_line("play", "--resume") == f"{python} -m gameplay play --resume"
    assert command_line("gameplay", "replay", "1") == f"{python} -m gameplay replay 1"
    monkeypatch.setenv("PATH", str(install_commands))
    assert command_line("play", "--resume") == "python -m gameplay play --resume"


def test_the_form_that_was_typed(install_commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session started with `gameplay play` never suggests another program."""
    monkeypatch.setattr(sys, "argv", [str(install_commands / "gameplay"), "play", "go"])
    assert command_line("play", "--resume") == f"{install_commands}/gameplay play --resume"
    assert command_line("gameplay", "replay", "1") == f"{install_commands}/gameplay replay 1"


def test_after_make_play_it_is_make_play(install_commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(advice.MAKE, "play")
    assert command_line("play", "--resume") == "make play ARGS=--resume"
    assert command_line("play", "--resume", "2") == "make play ARGS='--resume 2'"
    assert command_line("play", "--level", "$2") == "make play ARGS='--level '\"'\"'$$2'\"'\"''", (
        "make's own dollar"
    )
    assert command_line("play") == "make play"
    assert command_line("gameplay", "replay", "1") == f"{install_commands}/gameplay replay 1"


def test_make_play_passes_on_what_is_advised_and_no_game(tmp_path: Path) -> None:
    """The Makefile's own line, with a program that prints its arguments."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "play").write_text('#!/bin/sh\necho "$GAMEPLAY_MAKE: $@"\n')
    (folder / "play").chmod(0o755)
    ready = ("--assume-old=.venv/ready", "--assume-old=.venv/made")
    if not (ROOT / ".venv" / "ready").exists():
        text = (ROOT / "Makefile").read_text().replace("play: .venv/ready", "play:")
        (tmp_path / "Makefile").write_text(text)
        ready = ("-f", str(tmp_path / "Makefile"))
    for arguments, given in (
        (["ARGS=--resume 2"], "--resume 2"),
        (["GAME=chess", "ARGS=--level 3"], "chess --level 3"),
    ):
        ran = subprocess.run(
            ["make", "-s", *ready, "play", f"BIN={folder}", *arguments],
            capture_output=True, text=True, cwd=ROOT, env=os.environ,
        )  # fmt: skip
        assert ran.stdout == f"play: {given}\n", ran.stderr
