"""`gameplay doctor`: build, folders, terminal."""

import os
from pathlib import Path

import pytest

from gameplay import __version__, kernel
from gameplay.cli.setup import doctor
from tests.support.commands import run_printed


def test_doctor_reports_the_build(capsys: pytest.CaptureFixture[str]) -> None:
    from gameplay.kernel import compiled

    _, out, _ = run_printed(capsys, "doctor")
    assert ("compiled\n" in out) == compiled()
    for words in ("python ", "TERM ", "saved games", "runs.db", "prompt-toolkit"):
        assert words in out


def test_doctor_output_is_complete(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    monkeypatch.setattr(kernel, "compiled", lambda: False)
    monkeypatch.setattr(doctor, "LIBRARIES", ("click", "no-such-library"))
    monkeypatch.setattr(doctor, "VARIABLES", ("GAMEPLAY_HOME", "GAMEPLAY_PURE"))
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("TERM", "vt100")
    monkeypatch.setenv("GAMEPLAY_PURE", "1")
    out = run_printed(capsys, "doctor")[1]
    heads = [line for line in out.splitlines() if not line.startswith(" ")]
    assert heads == ["build", "confinement of user code", "libraries", "terminal", "paths", "offers"]
    facts = {line[:18].strip(): line[18:] for line in out.splitlines() if line.startswith("  ")}
    assert facts["gameplay"] == __version__ and facts["cores"] == str(os.cpu_count())
    assert "alphabeta, " in facts["engines"] and "chess, " in facts["games"]
    assert facts["installed in"] == str(Path(kernel.__file__).parent)
    assert facts["click"][0].isdecimal() and facts["no-such-library"] == "missing"
    for layer in ("hard limits", "Landlock", "seccomp"):
        assert facts[layer].startswith(("available", "missing"))
    assert facts["input"] == facts["output"] == "not a terminal" and facts["size"] == "70 columns, 30 rows"
    assert facts["GAMEPLAY_HOME"] == str(home) and facts["GAMEPLAY_PURE"] == "1"
    assert str(home) in facts["settings"] and str(home) in facts["saved games"] and str(home) in facts["runs"]
    assert "  engines         pure Python, because GAMEPLAY_PURE is set (about 50 times slower)\n" in out
    monkeypatch.setenv("GAMEPLAY_PURE", "")
    slow = "pure Python, about 50 times slower (a C compiler at installation would compile it)"
    assert f"  engines         {slow}\n" in run_printed(capsys, "doctor")[1]
