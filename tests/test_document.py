"""What is kept for somebody is read whole, or refused with what to do."""

from pathlib import Path

import pytest
from msgspec import Struct

from gameplay.errors import BadInput
from gameplay.store import document

pytestmark = pytest.mark.once


class Kept(Struct):
    schema: int = 2
    words: list[str] = []


def test_what_was_written_is_read_and_without_a_file_all_is_new(tmp_path: Path) -> None:
    file = tmp_path / "far" / "down" / "kept.json"
    assert document.read(file, Kept) == Kept()
    document.write(file, Kept(words=["mate"]))
    assert file.read_text() == '{"schema":2,"words":["mate"]}\n'
    assert document.read(file, Kept) == Kept(words=["mate"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schema":1}', " has schema 1; this version reads 2"),
        ('{"schema":3}', " has schema 3; this version reads 2"),
        ('{"schema":2', " is damaged: Input data was truncated; move it away to begin anew"),
        ("\xff", " is damaged: JSON is malformed: invalid character (byte 0); move it away to begin anew"),
    ],
)
def test_others_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "kept.json"
    file.write_text(text)
    with pytest.raises(BadInput) as refused:
        document.read(file, Kept)
    assert str(refused.value) == f"{file}{message}"
