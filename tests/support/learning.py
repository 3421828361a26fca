"""Learning programs, and `gameplay learn`, run within tests."""

import sys
from pathlib import Path

import pytest

from gameplay.cli import load
from gameplay.cli import run as run_command
from gameplay.kernel import compiled
from gameplay.learning.program import run
from gameplay.learning.run import LearningRun, LearningSettings

learns = pytest.mark.skipif(not compiled(), reason="the same files, and slow: once, in the compiled run")


def run_program(monkeypatch, capsys, main, *words):
    monkeypatch.setattr(sys, "argv", ["learn", *map(str, words)])
    try:
        run(main)
        status = 0
    except SystemExit as left:
        status = left.code
    return status, *capsys.readouterr()


def learn_status(arguments: list[str]) -> int:
    """The status of `gameplay learn` with these arguments."""
    return run_command(load("learn"), "gameplay learn", arguments)


def finish_run(folder: Path, settings: LearningSettings) -> LearningRun:
    """A complete run in a folder."""
    run = LearningRun.begin(folder, settings)
    assert [played.number for played in run.learn()] == list(range(settings.games))
    return run


def check_rejected(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    """`gameplay learn` rejects these arguments with these words, and writes nothing to its folder."""
    before = sorted(Path().iterdir())
    assert learn_status(arguments) == 2
    errors = capsys.readouterr().err
    assert words in errors and "Traceback" not in errors
    assert sorted(Path().iterdir()) == before
