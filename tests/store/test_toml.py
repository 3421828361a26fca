"""An error in a TOML file is reported with its line, its field, and the expected value."""

import tomllib
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest

from gameplay.errors import BadInput, Usage
from gameplay.store import toml
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

ERRORS = tomllib.loads((TESTS / "answers" / "toml_errors.toml").read_text())


class Seat(msgspec.Struct, forbid_unknown_fields=True):
    depth: Annotated[int, msgspec.Meta(ge=1, le=9)]
    name: str = ""
    kind: Literal["fast", "slow"] | None = None

    def __post_init__(self) -> None:
        if self.name == "nobody":
            raise Usage("nobody sits there")


class Held(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    seats: Annotated[list[Seat], msgspec.Meta(min_length=1, max_length=3)] = []
    ratio: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.5
    share: Annotated[float, msgspec.Meta(ge=1, le=2)] = 1
    mode: Literal["fast", "slow"] = "fast"
    tags: list[str] = []
    table: Seat | None = None
    pair: tuple[int, str] | None = None
    on: bool | None = None
    either: int | str = 0


@pytest.mark.parametrize(("text", "line", "words"), ERRORS["errors"])
def test_toml_errors_and_their_places(text: str, line: int, words: str, tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(text)
    with pytest.raises(BadInput) as refused:
        toml.read(file, Held)
    assert str(refused.value) == f"{file}, line {line}: {words}"


def test_wrong_kinds_of_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    for content, words in (
        (None, f"there is no file {file}"),
        (b"title = ", f"{file} is not TOML: Invalid value (at end of document)"),
        (b"title = '\xff'", f"{file} is not a text file"),
        (b"title = 'a'\n[table]\ndepth = 1\nname = 'nobody'", f"{file}: nobody sits there"),
    ):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(BadInput) as refused:
            toml.read(file, Held)
        assert str(refused.value) == words
    text = "title = 'a'\nseats = [{depth = 9, kind = 'slow'}]\n"
    file.write_text(text)
    assert toml.read(file, Held) == (Held("a", [Seat(9, kind="slow")]), text)


def test_lines_are_those_nearest_above() -> None:
    text = (
        "# a = 0\na = 1  # one\n'b c' = 2\n\"d\".e = 3\nf . g = 4\nlong = [\n  1,\n]\n"
        "[ t ]  # a table\nu = 5\n[t.v]\nw = 6\n[[x.y]]\nz = 7\n[[x.y]]\nz = 8\n[q]\na = 9\n"
    )
    for keys, line in (
        (["a"], 2), (["b c"], 3), (["d", "e"], 4), (["d"], 4), (["f", "g"], 5), (["long", 1], 6),
        (["t"], 9), (["t", "u"], 10), (["t", "other"], 9), (["t", "v"], 11), (["t", "v", "w"], 12),
        (["x", "y", 0], 13), (["x", "y", 0, "z"], 14), (["x", "y", 1, "z"], 16), (["x", "y", 2], 13),
        (["q", "a"], 18), (["none"], 1), ([], 1),
    ):  # fmt: skip
        assert toml.line(text, keys) == line, keys
    assert toml.keys_of("seats[1].depth") == ["seats", 1, "depth"] and toml.keys_of("") == []
    assert toml.format_keys(["seats", 1, "depth"]) == "seats[2].depth: " and toml.format_keys([]) == ""
