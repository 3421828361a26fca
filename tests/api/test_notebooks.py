"""The example notebooks run, and show now what is stored with them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support import notebooks
from tests.support.paths import ROOT

pytestmark = pytest.mark.once
FILES = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def output_formats(notebook: dict[str, Any]) -> list[tuple[str, ...]]:
    """The formats of each output, or the name of its stream."""
    return [
        tuple(output.get("data", [output.get("name", "")]))
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
    ]


def pictures(notebook: dict[str, Any]) -> list[str]:
    """The boards and trees, which are reproducible."""
    return [
        "".join(output["data"]["image/svg+xml"])
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if "image/svg+xml" in output.get("data", {})
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_notebook_outputs_match_the_stored_ones(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = json.loads(file.read_text())
    monkeypatch.chdir(tmp_path)
    now = notebooks.execute(file)
    if os.environ.get("GAMEPLAY_SCREENS") == "write":
        file.write_text(notebooks.text(now).replace(f"{tmp_path}/", ""))
    else:
        assert output_formats(now) == output_formats(stored) and pictures(now) == pictures(stored)
    assert stored["nbformat"] == 4 and len(pictures(now)) >= 1
    assert "/tmp/" not in file.read_text()
    results = [element for element in output_formats(now) if "text/plain" in element]
    assert results and all(len(result) > 1 for result in results), "a displayed value has only its repr"


def test_there_are_three() -> None:
    assert [file.stem for file in FILES] == ["first-game", "match", "training"]
