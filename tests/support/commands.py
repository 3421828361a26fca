"""Commands run within tests."""

import pytest

from gameplay.cli import router, run


def gameplay(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = run(router, "gameplay", words)
    captured = capsys.readouterr()
    return status, captured.out, captured.err
