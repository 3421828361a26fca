"""Every test has a time limit: a hung test ends the run with its location."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once


def test_every_test_has_a_time_limit(pytestconfig: pytest.Config) -> None:
    """The limit is generous, so a loaded machine does not fail, but an endless loop does."""
    assert 300 <= float(pytestconfig.getini("faulthandler_timeout")) <= 3600
    assert pytestconfig.getini("faulthandler_exit_on_timeout") is True


def test_the_limit_ends_a_test_that_does_not_end(tmp_path: Path) -> None:
    file = tmp_path / "test_endless.py"
    file.write_text("def test():\n    while True:\n        pass\n")
    limit = ("-o", "faulthandler_timeout=0.5", "-o", "faulthandler_exit_on_timeout=true")
    command = [sys.executable, "-m", "pytest", *limit, "--rootdir", str(tmp_path), str(file)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 1
    assert "Timeout (0:00:00.500000)!" in ran.stderr and "test_endless.py" in ran.stderr
