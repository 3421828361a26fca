"""Refusals of commands: the exit status, one line that names the error, and nothing stored."""

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


LONG, LONG_WORDS = "a" * 5_000, "a b " * 1_000


@pytest.mark.parametrize(
    "words",
    [
        ["show", "chess", f"--{LONG}"],
        ["doctor", LONG],
        ["doctor", LONG_WORDS],
        ["toml", "schema", LONG],
        ["trace", "chess", "--seed", LONG],
        ["trace", "chess", "--seed", LONG_WORDS],
        ["analyse", "chess", "--color", LONG],
        ["analyse", "chess", "--depth", LONG],
        ["play", "chess", "--as", LONG],
        ["measure", "chess", "--depth", LONG],
        ["replay", f"{LONG}.json"],
    ],
)
def test_long_arguments_are_quoted_in_part(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", words) in (2, 6)
    error = capsys.readouterr().err
    assert len(error) < 500 and len(error.splitlines()) == 1 and "characters)" in error
