"""What commands refuse: each with its exit status, one line that names what is wrong, and nothing stored."""

import shlex
import tomllib
from pathlib import Path

import pytest

from gameplay.cli import router, run
from gameplay.store.runs import Store
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

REFUSED = tomllib.loads((TESTS / "answers" / "refused_commands.toml").read_text())


@pytest.mark.parametrize("command", REFUSED)
def test_refusal_is_a_status_and_a_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    for status, words, complaint in REFUSED[command]:
        result = run(router, "gameplay", shlex.split(words))
        out, err = capsys.readouterr()
        assert (result, out) == (status, ""), words
        assert complaint in err and len(err.splitlines()) == 1, words
    assert not list(tmp_path.rglob("*.book"))
    with Store(tmp_path / "runs.db") as store:
        assert store.runs() == []
