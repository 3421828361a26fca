"""What the README shows is run as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PYTHON = re.findall(r"```python\n(.*?)```", README, re.S)
SHELL = re.findall(r"```sh\n(.*?)```", README, re.S)


def gameplay(*words: str, folder: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gameplay", *words],
        input=text,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"GAMEPLAY_HOME": str(folder)},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sticks.py").write_text(PYTHON[0])
    return tmp_path


def test_the_game_is_short() -> None:
    assert len(PYTHON[0].splitlines()) < 30


def test_the_game_plays(folder: Path) -> None:
    played = gameplay(
        "play", "./sticks.py", "--engine", "alphabeta", "--plain", folder=folder, text="3\n2\n1\n" * 20
    )
    assert played.returncode == 0, played.stderr
    watched = gameplay(
        "play", "./sticks.py:Sticks:sticks=12", "--players", "iterative,random", "--plain", folder=folder
    )
    assert watched.returncode == 0, watched.stderr
    checked = gameplay("check", "./sticks.py", folder=folder)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_engine_is_the_template_and_plays(folder: Path) -> None:
    assert PYTHON[1] == gameplay("engines", "--template", folder=folder).stdout
    (folder / "mine.py").write_text(PYTHON[1])
    specs = "./mine.py:plies=2,random"
    watched = gameplay("play", "connect4", "--players", specs, "--plain", folder=folder)
    assert watched.returncode == 0 and "depth 2, " in watched.stdout, watched.stderr


def test_the_evaluation_plays(folder: Path) -> None:
    (folder / "freedom.py").write_text(PYTHON[2])
    specs = "iterative:eval=./freedom.py,alphabeta:eval=./freedom.py"
    watched = gameplay("play", "connect4", "--players", specs, "--nodes", "300", "--plain", folder=folder)
    assert watched.returncode == 0, watched.stderr
    assert f"eval={folder}/freedom.py" in watched.stdout


def test_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PYTHON[3], "README.md", "exec"), {})
    assert re.fullmatch(r"[1-7] -?\d+ \d+\n", capsys.readouterr().out)


def test_every_option_shown_exists(folder: Path) -> None:
    lines = [line.partition("#")[0].split() for block in SHELL for line in block.splitlines() if line.strip()]
    for words in lines:
        if words[0] == "make":
            continue
        command = words[1:] if words[0] == "gameplay" else words
        shown = gameplay(command[0], "--help", folder=folder).stdout
        for option in (word for word in command if word.startswith("--")):
            assert option in shown, (words, option)
