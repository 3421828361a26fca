"""Commands run within tests."""

import click
import pytest

from gameplay.cli import router, run
from tests.support.golden import golden


def gameplay(*words: object) -> int:
    """Run `gameplay` with these arguments; its exit status."""
    return run(router, "gameplay", [*map(str, words)])


def run_printed(
    capsys: pytest.CaptureFixture[str],
    *words: object,
    command: click.Command = router,
    name: str = "gameplay",
) -> tuple[int, str, str]:
    """Run `gameplay` or another command with these arguments: its exit status, output, error output."""
    status = run(command, name, [*map(str, words)])
    return status, *capsys.readouterr()


def lecture(capsys: pytest.CaptureFixture[str], name: str) -> str:
    """The output of `gameplay lecture NAME`, as stored, in 100 columns."""
    assert gameplay("lecture", name) == 0
    shown = capsys.readouterr().out
    golden(f"lecture_{name}", shown)
    assert max(map(len, shown.splitlines())) <= 100
    return shown
