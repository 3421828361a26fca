"""Commands run within tests."""

import click
import pytest

from gameplay.cli import router, run


def gameplay(*words: object) -> int:
    """Run `gameplay` with these arguments; its exit status."""
    return run(router, "gameplay", [*map(str, words)])


def printed(
    capsys: pytest.CaptureFixture[str],
    *words: object,
    command: click.Command = router,
    name: str = "gameplay",
) -> tuple[int, str, str]:
    """Run `gameplay` or another command with these arguments: its exit status, output, error output."""
    status = run(command, name, [*map(str, words)])
    return status, *capsys.readouterr()
