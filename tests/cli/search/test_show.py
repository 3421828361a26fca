"""`gameplay show --terms`: the summands or factors of an evaluation."""

import json
import math

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.evaluation import select_evaluation


def show(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(router, "gameplay", ["show", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("moves", "white", "black"),
    [("", 41.0, 41.0), ("e4 d5 exd5", 41.0, 40.0), ("e4 e5 Bc4 Nc6 Bxf7+ Kxf7", 37.5, 40.0)],
)
def test_turings_quotient_is_the_material_of_white_by_that_of_black(
    capsys: pytest.CaptureFixture[str], moves: str, white: float, black: float
) -> None:
    words = ("chess", "--moves", moves, "--eval", "turing", "--terms", "--plain")
    out = show(capsys, *words)
    assert f"white / black = {white:g} / {black:g} = {white / black:.4g}\n" in out
    assert out.splitlines()[-1].split() == ["sum", f"{white:g}", f"{black:g}"]
    rows = json.loads(show(capsys, *words, "--json"))["terms"]
    assert [sum(row["counts"][side] * row["value"] for row in rows) for side in (0, 1)] == [white, black]
    position = registry.game("chess").new(moves)
    position.evaluation = select_evaluation("turing", position)
    value = 4000 * math.log(white / black) * (-1 if position.turn else 1)
    assert position.evaluate() == pytest.approx(value, abs=1)


def test_quotient_without_black_material_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    out = show(capsys, "chess", "--position", "8/8/8/4k3/8/8/4KQ2/8 w - - 0 1", "--eval", "turing")
    assert out.endswith("evaluation: white / black = 10 / 0\n")


def test_contributions_are_counts_by_weights_and_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("checkers", "--moves", "11-15 23-19 8-11 22-17", "--eval", "samuel", "--terms")
    rows = json.loads(show(capsys, *words, "--json"))["terms"]
    weights = {row["term"]: row["weight"] for row in rows if row["weight"]}
    assert weights == {"man": 1.0, "king": 1.5, "mobil": 0.25}, "6 K + 4 M + U in men"
    assert all(row["contribution"] == row["count"] * row["weight"] for row in rows)
    lines = show(capsys, *words).splitlines()
    assert "counts: those of black, the side to move, less the opponent's" in lines
    total = sum(row["contribution"] for row in rows)
    assert lines[-1].split() == ["sum", f"{total:.3f}"]
    assert any(
        line.startswith("mobil ") and "undenied squares, U (moves: samuel-moves)" in line for line in lines
    )


def test_u_as_squares_and_as_moves(capsys: pytest.CaptureFixture[str]) -> None:
    """14 and 15 can both step to 18: one square, two moves."""
    words = ("checkers", "--position", "B:WK32:B14,15", "--terms", "--eval")
    for evaluation, term, count in (("samuel", "mobil", 1), ("samuel-moves", "moves", 2)):
        rows = {row["term"]: row for row in json.loads(show(capsys, *words, evaluation, "--json"))["terms"]}
        assert (rows["man"]["count"], rows["king"]["count"], rows[term]["count"]) == (2, -1, count)
        lines = show(capsys, *words, evaluation).splitlines()
        assert lines[-1].split() == ["sum", f"{2 - 1.5 + 0.25 * count:.3f}"]


def test_terms_of_an_evaluation_that_has_none_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["show", "chess", "--terms"]) == 2
    err = capsys.readouterr().err
    assert "--terms requires a sum of named terms" in err and "Try: --eval linear" in err
