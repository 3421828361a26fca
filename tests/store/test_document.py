"""Stored documents are read completely, or refused with a remedy."""

import hashlib
from pathlib import Path

import pytest
from msgspec import Struct

from gameplay.errors import BadInput
from gameplay.store import document, solutions

pytestmark = pytest.mark.once


class Document(Struct):
    schema: int = 2
    words: list[str] = []


def test_document_round_trips_and_defaults_without_a_file(tmp_path: Path) -> None:
    file = tmp_path / "far" / "down" / "kept.json"
    assert document.read(file, Document) == Document()
    document.write(file, Document(words=["mate"]))
    assert file.read_text() == '{"schema":2,"words":["mate"]}\n'
    assert document.read(file, Document) == Document(words=["mate"])


def test_documents_of_another_kind_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    for text, message in (
        ('{"schema":1}', " has schema 1; this version reads 2"),
        ('{"schema":3}', " has schema 3; this version reads 2"),
        ('{"schema":2', " is damaged: Input data was truncated; move it away to start afresh"),
        ("\xff", " is damaged: JSON is malformed: invalid character (byte 0); move it away to start"),
    ):
        file.write_text(text)
        with pytest.raises(BadInput) as refused:
            document.read(file, Document)
        assert str(refused.value).startswith(f"{file}{message}")


def test_document_is_rewritten_in_place(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    for words in (["a"], ["b"]):
        document.write(file, Document(words=words))
        assert document.read(file, Document).words == words


def test_a_solution_is_found_by_its_game_and_its_position(home: Path) -> None:
    """Its name is BLAKE2b of both, ten bytes in hex."""
    name = hashlib.blake2b(b"nim\0" + b"3 4", digest_size=10).hexdigest()
    file = solutions.path_of("nim", "3 4")
    assert file == home / "solutions" / f"{name}.json"
    new = solutions.Solution(game="nim", position="3 4")
    assert solutions.read("nim", "3 4") == new
    move = solutions.SolvedMove(value=-999_998, line=["1a", "2"], nodes=7, seconds=0.5)
    solution = solutions.Solution(game="nim", position="3 4", moves={"1a": move})
    solutions.write(solution)
    assert file.read_text() == (
        '{"schema":1,"game":"nim","position":"3 4",'
        '"moves":{"1a":{"value":-999998,"line":["1a","2"],"nodes":7,"seconds":0.5}}}\n'
    )
    assert solutions.read("nim", "3 4") == solution
    for game, position in (("nim", "4 3"), ("nim:heaps=2", "3 4")):  # as if its hash were the same
        other = solutions.path_of(game, position)
        other.write_bytes(file.read_bytes())
        assert solutions.read(game, position) == solutions.Solution(game=game, position=position)
