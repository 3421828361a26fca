"""`play` run within a test, with typed input."""

import io
import sys
from collections.abc import Callable

import pytest

from gameplay.cli import router, run
from tests.support.paths import TESTS

STICKS = TESTS / "examples" / "games" / "sticks.py"
TRICKS = STICKS.with_name("tricks.py")


class CommandResult:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err
        self.lines = out.splitlines()


Play = Callable[..., CommandResult]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Run a command of `gameplay` in this process, with this standard input."""

    def run_play(*arguments: str, typed: str = "", command: str = "play") -> CommandResult:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = run(router, "gameplay", [command, *arguments])
        out, err = capsys.readouterr()
        return CommandResult(status, out, err)

    return run_play
