"""The example programs, run with small numbers; mypy checks them with the package (`files` in pyproject)."""

import importlib.util
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.support.paths import ROOT

pytestmark = pytest.mark.once

FOLDER = ROOT / "examples"


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_is_run_here() -> None:
    text = Path(__file__).read_text()
    names = sorted(file.stem for file in FOLDER.glob("*.py"))
    assert len(names) >= 5 and [name for name in names if f'load("{name}")' not in text] == []


def test_a_match_prints_its_elo(capsys: pytest.CaptureFixture[str]) -> None:
    result = load("match").main(games=2, time=0.005)
    assert len(result) == 2
    assert capsys.readouterr().out.splitlines()[0].startswith(f"won {result.wins}, ")


def test_a_custom_game_and_engine_play(capsys: pytest.CaptureFixture[str]) -> None:
    result = load("custom").main(games=8)
    first, second = result.players  # `fours2` if another test has registered the example too
    assert first.startswith("fours") and second == "random" and result.wins >= 4
    assert f"sticks, 8 games: {first} against random" in capsys.readouterr().out  # the module may print


def test_nim_is_solved_as_bouton_proved() -> None:
    example = load("solve_nim")
    values = example.main("1+2+2")
    for drawing, value in values.items():
        heaps = [int(line.split()[1]) for line in drawing.splitlines()]
        assert (value > 0) == (example.nim_sum(heaps) != 0), drawing
    assert len(values) == 2 * 3 * 3 - 1  # all heaps up to 1+2+2 but the empty ones


def test_a_review_names_the_known_blunders(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game = tmp_path / "mate.pgn"
    game.write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
    assert load("review_games").main(str(game), nodes=2_000) >= 1
    assert "ply 3: g4, blunder, cost" in capsys.readouterr().out


def test_the_games_of_a_run_are_counted(tmp_path: Path) -> None:
    winners = load("games_of_a_run").main(tmp_path / "runs.db", games=4)
    assert winners.total() == 4 and os.path.isfile(tmp_path / "runs.db")
