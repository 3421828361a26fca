"""Pictures of search trees: texts stand apart and within the picture, and nodes name their players."""

import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import pytest

from gameplay.cli import router, run

pytestmark = pytest.mark.once

NAMESPACE = "{http://www.w3.org/2000/svg}"
THREE = "tree:three-players"


def draw_tree(tmp_path: Path, kind: str, *words: str) -> str:
    out = tmp_path / f"tree.{kind}"
    out.unlink(missing_ok=True)
    assert run(router, "gameplay", ["tree", *words, "-o", str(out)]) == 0
    return out.read_text()


def boxes(picture: ET.Element) -> list[tuple[str, float, float, float, float]]:
    """The texts at nodes, each with its left, top, right and bottom."""
    results = []
    for text in picture.iter(f"{NAMESPACE}text"):
        words, looks = text.text or "", text.get("class", "")
        size = 10 if "window" in looks else 12
        wide = 0.56 * size * len(words)  # a mean of digits, signs and letters
        x, y = float(text.get("x", "")), float(text.get("y", ""))
        left = x if "beside" in looks else x - wide / 2
        results.append((words, left, y - 0.75 * size, left + wide, y + 0.1 * size))
    return results


@pytest.mark.parametrize(
    "words",
    [
        (THREE, "--engine", "maxn"),
        (THREE, "--engine", "paranoid"),
        (THREE, "--engine", "brs"),
        ("connect4:players=3", "--engine", "maxn", "--depth", "2", "--most", "100"),
        ("nim:players=3,heaps=2+1", "--engine", "maxn", "--depth", "5"),
        ("tictactoe:players=3", "--engine", "paranoid", "--depth", "2"),
        ("tree:lecture", "--engine", "alphabeta"),
        ("pig:goal=6", "--engine", "expectiminimax:prune=star2", "--depth", "2"),
    ],
)
def test_texts_of_a_tree_stand_apart_and_within_the_picture(words: tuple[str, ...], tmp_path: Path) -> None:
    picture = ET.fromstring(draw_tree(tmp_path, "svg", *words))
    texts = boxes(picture)
    assert len(texts) > 8
    for words_, left, top, right, bottom in texts:
        assert left >= 0 and right <= float(picture.get("width", "")), words_
        assert top >= 0 and bottom <= float(picture.get("height", "")), words_
    for first, second in combinations(texts, 2):
        apart = (
            first[1] >= second[3] or second[1] >= first[3] or first[2] >= second[4] or second[2] >= first[4]
        )
        assert apart, (first, second)


def test_nodes_and_legends_name_several_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = ET.fromstring(draw_tree(tmp_path, "svg", THREE, "--engine", "maxn"))
    values = [words for words, *_ in boxes(picture)]
    assert [values.count(name) for name in "ABC"] == [1, 2, 4]
    picture = ET.fromstring(draw_tree(tmp_path, "svg", THREE, "--engine", "paranoid"))
    values = [words for words, *_ in boxes(picture)]
    assert values.count("A") == 1 and values.count("B") == 2
    page = draw_tree(tmp_path, "html", THREE, "--engine", "maxn")
    assert "Squares with a name are decisions of that player (A, B, C)" in page and "MIN is" not in page
    page = draw_tree(tmp_path, "html", THREE, "--engine", "paranoid")
    assert "MAX is A, MIN is B and C" in page
    capsys.readouterr()
    assert run(router, "gameplay", ["tree", THREE, "--engine", "paranoid"]) == 0
    assert "root MAX A = +1" in capsys.readouterr().out
    assert run(router, "gameplay", ["tree", THREE, "--engine", "paranoid:alliance=A+C"]) == 0
    out = capsys.readouterr().out
    assert "MAX is A and C, MIN is B" in out and "MAX C = " in out
