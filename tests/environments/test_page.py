"""The page on reinforcement learning: its code runs, and its table has the shapes of every game."""

import os
import re

import pytest

import gameplay
from gameplay import registry
from gameplay.environments.episode import make_setting
from tests.support.paths import ROOT

pytestmark = pytest.mark.once

PAGE = ROOT / "docs" / "how-to" / "reinforcement-learning.md"
TABLE = re.compile(r"(?s)(<!-- table: .*? -->\n).*?(<!-- end -->)")
EXTRA = ("tree:card-game",)


def table():
    rows = ["| game | observation | actions | an action is |", "|---|---|---|---|"]
    for name in sorted([*(name for name in registry.game_names() if name != "tree"), *EXTRA]):
        page_table = make_setting(gameplay.game(name), {})
        shape = " × ".join(map(str, page_table.observer.shape))
        rows.append(f"| {name} | {shape} | {page_table.actions.count:,} | {page_table.actions.meaning} |")
    return "\n".join(rows) + "\n"


def test_the_table_has_every_game():
    text = PAGE.read_text()
    expected = TABLE.sub(lambda match: match[1] + table() + match[2], text)
    if os.environ.get("GAMEPLAY_SCREENS") == "write":
        PAGE.write_text(expected)
    assert PAGE.read_text() == expected
    assert "| connect4 | 6 × 7 × 4 | 7 | the column |" in expected
    # 1,792 queen and knight moves, 3 x 44 underpromotions.
    assert "| chess | 8 × 8 × 15 | 1,924 |" in expected


def blocks():
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)


@pytest.mark.parametrize("number", range(len(blocks())))
def test_its_code_runs(number, capsys):
    exec(compile(blocks()[number], PAGE.name, "exec"), {"__name__": "page"})
    out = capsys.readouterr().out
    assert out
    if "wins" in out:
        wins, draws, losses = map(int, re.findall(r"\d+", out))
        assert wins >= 85 and losses <= 8 and wins + draws + losses == 100
