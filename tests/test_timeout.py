"""Every test ends: one that does not by itself is ended, and has failed."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once


def test_every_test_has_a_time_limit(pytestconfig: pytest.Config) -> None:
    """Generous, so that a machine under load does not fail; but an endless loop does."""
    assert pytestconfig.pluginmanager.hasplugin("timeout")
    assert 300 <= float(pytestconfig.getini("timeout")) <= 3600


def test_the_limit_ends_a_test_that_does_not_end(tmp_path: Path) -> None:
    file = tmp_path / "test_endless.py"
    file.write_text("def test():\n    while True:\n        pass\n")
    command = [sys.executable, "-m", "pytest", "-o", "timeout=0.5", "--rootdir", str(tmp_path), str(file)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 1
    assert "Timeout" in ran.stdout
