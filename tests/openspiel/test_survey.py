"""The table of OpenSpiel's games: complete, as documented, and a sample of it recomputed."""

from importlib.metadata import version
from typing import Any

import pytest

from gameplay.openspiel import library, survey
from tests.support.paths import ROOT

pytest.importorskip("pyspiel")
pytestmark = pytest.mark.once

TABLE: dict[str, Any] = survey.read()
SAMPLE = ["tic_tac_toe", "matrix_rps", "matrix_pd", "nim", "pig", "coordinated_mp", "catch", "deep_sea"]
SAMPLE += ["dots_and_boxes", "lewis_signaling", "tarok", "mfg_garnet"]


def test_every_game_has_a_row() -> None:
    assert set(TABLE["games"]) == set(library.names())
    playable = [facts for facts in TABLE["games"].values() if "reason" not in facts]
    assert len(playable) > 115 and sum(not facts["broken"] for facts in playable) > 110
    assert all(facts.get("samples", "none to sample") for facts in playable)


@pytest.mark.skipif(version("open_spiel") != TABLE["version"], reason="the table is of another version")
@pytest.mark.parametrize("name", SAMPLE)
def test_rows_equal_a_new_examination(name: str) -> None:
    assert survey.examine(name) == TABLE["games"][name]


def test_the_page_has_the_table() -> None:
    page = (ROOT / "docs" / "how-to" / "openspiel.md").read_text()
    assert page.partition(survey.MARK)[2].strip() == survey.format_markdown(TABLE["games"])
    assert f"OpenSpiel {TABLE['version']} " in page
