"""`gameplay trees`: the list, and the file of one."""

import json

import pytest

from gameplay.cli import router, run
from gameplay.games.tree.game import INSTALLED

pytestmark = pytest.mark.once


def test_trees_are_listed_with_values_and_titles(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["trees"]) == 0
    out = capsys.readouterr().out
    assert "lecture                   3  The lecture's exercise\n" in out
    assert (
        "three-players       1, 2, 6  Three players\n" in out and "card-game              0.33  Myer" in out
    )
    assert run(router, "gameplay", ["trees", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(rows) == {file.stem for file in INSTALLED.glob("*.toml")}
    assert rows["centipede"] == {
        "name": "centipede", "title": "The centipede", "value": [40, 10], "players": ["first", "second"],
    }  # fmt: skip
    assert [rows[name]["value"] for name in ("one-ply", "beta-cutoff")] == [[7, -7], [4, -4]]


def test_the_file_of_a_tree_is_printed_with_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["trees", "one-ply"]) == 0
    out = capsys.readouterr().out
    assert out == (INSTALLED / "one-ply.toml").read_text() and "Rich and K. Knight" in out
    assert run(router, "gameplay", ["trees", "two-plies"]) == 2
    assert capsys.readouterr().err == "gameplay: unknown tree 'two-plies'; did you mean 'two-ply'?\n"
