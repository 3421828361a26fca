"""The ladders of levels: each looks no less deep than the one below and is less careless."""

import itertools
import json
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.players.level import LEVELS, ladder


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "checkers", "chess", "othello"])
def test_every_level_looks_further_or_more_often(game: str) -> None:
    levels = ladder(registry.game(game))
    assert len(levels) == 10 and levels[0][0] == 1 and levels[-1] == (None, 0.0)
    for (depth, careless), (deeper, better) in itertools.pairwise(levels):
        assert depth is not None and (deeper is None or deeper >= depth)
        assert 1 > careless >= better >= 0 and (careless > better or deeper != depth)


def test_the_ladder_of_connect_four_is_the_one_that_was_measured() -> None:
    assert [depth for depth, _ in LEVELS] == [1, 1, 2, 3, 4, 5, 6, 9, 12, None]
    assert [careless for _, careless in LEVELS] == [0.8, 0.45, 0.36, 0.26, 0.18, 0.12, 0.07, 0.03, 0, 0]


def levels(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = run(router, "gameplay", ["levels", *words])
    return status, "".join(capsys.readouterr())


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "checkers", "chess", "othello"])
def test_each_level_is_explained(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = levels(capsys, game)
    assert status == 0 and max(map(len, out.splitlines())) <= 80
    rows = [line.split() for line in out.splitlines() if line[:1].isdigit()]
    assert [row[0] for row in rows] == [str(level) for level in range(1, 11)]
    assert rows[0][1:3] == ["1", "ply"] and rows[9][1:] == ["1", "s", "none"]
    assert ("against the one below it" in out) == (game != "tictactoe")
    assert ("was not measured in this game" in out) == (game == "tictactoe")


def test_levels_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(levels(capsys, "chess", "--json")[1])
    assert found["engine"] == "selective"
    assert found["levels"][2] == {
        "level": 3, "depth": 3, "nodes": None, "seconds": None, "random_moves": 0.33
    }  # fmt: skip


def test_what_was_measured_is_of_the_usual_game_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert "was not measured" in levels(capsys, "connect4:columns=8")[1]


def test_a_game_without_an_engine_that_looks_ahead_has_no_levels(capsys: pytest.CaptureFixture[str]) -> None:
    kuhn = Path(__file__).parent / "games" / "kuhn.py"
    status, out = levels(capsys, str(kuhn))
    assert (status, "has no levels" in out) == (2, True)


def test_a_game_for_one_has_no_levels(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = levels(capsys, "puzzle15")
    assert status == 2 and "puzzle15 has no levels: it is for one player" in out
