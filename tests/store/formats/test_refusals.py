"""Refusals of game records: each error names the file, the place and the fault."""

import tomllib
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.store.formats import conversion
from tests.support.paths import TESTS
from tests.support.records import read

pytestmark = pytest.mark.once

REFUSED = tomllib.loads((TESTS / "answers" / "refused_records.toml").read_text())


def refuse(file: Path, text: str, words: str) -> None:
    file.write_text(text)
    ((sheet, record),) = read(file)
    assert record is None and sheet.problem.startswith(f"{file}, ")
    assert words in sheet.problem and "\n" not in sheet.problem


def test_refused_file_names_line_and_game(tmp_path: Path) -> None:
    for name, text, words in REFUSED["files"]:
        refuse(tmp_path / name, text, words)
        with pytest.raises(BadInput):
            conversion.pick(tmp_path / name, 1, registry.game)


@pytest.mark.parametrize("name", REFUSED["changes"])
def test_refused_change_of_a_file_is_named(name: str, tmp_path: Path) -> None:
    text = (TESTS / "examples" / "records" / name).read_text()
    for old, new, words in REFUSED["changes"][name]:
        assert old in text, old
        refuse(tmp_path / name, text.replace(old, new), words)


@pytest.mark.parametrize(
    ("number", "words"), [("2" * 5000, "game 1: exceeds the limit"), ("[" * 5000, "game 1: ")]
)
def test_endless_numbers_and_brackets_are_refused(number: str, words: str, tmp_path: Path) -> None:
    text = (TESTS / "examples" / "records" / "hand.phh").read_text()
    for amount, words in (("2" * 5000, "game 1: exceeds the limit"), ("[" * 5000, "game 1: ")):
        refuse(tmp_path / "a.phh", text.replace("[1, 2, 0]", f"[1, {amount}, 0]"), words)
