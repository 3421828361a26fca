"""Commands run within tests."""

import pytest

from gameplay.cli import router, run


def gameplay(*words: object) -> int:
    """Run `gameplay` with these arguments; its exit status."""
    return run(router, "gameplay", [*map(str, words)])


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Run `gameplay` with these arguments; its exit status, output and error output."""
    status = gameplay(*words)
    return status, *capsys.readouterr()
