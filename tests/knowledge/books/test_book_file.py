"""Book files: every bound of their entries and facts, and refusals."""

import json
import struct
from array import array
from hashlib import blake2b
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Usage
from gameplay.knowledge.books import book_file, first_plies
from gameplay.knowledge.books.book_file import BookFacts, BookFile, BookMove, encode, parse_facts
from gameplay.knowledge.tables.table_file import DRAWN, LOST, WON, TableFile
from gameplay.value import EXACT, INF, LOWER, TB_WIN, UPPER, WIN

pytestmark = pytest.mark.once

FACTS = BookFacts("nim", "nim:heaps=1+2", 5, book_file.LINES)


def write_entries(path: Path, entries: list[tuple[int, int, BookMove]], facts: BookFacts = FACTS) -> Path:
    path.write_bytes(b"".join(encode(facts, entries)))
    return path


def test_a_share_of_points() -> None:
    for counts, share in (
        ((0, 0, 0), None), ((1, 0, 0), 1.0), ((0, 1, 0), 0.5), ((0, 0, 1), 0.0), ((3, 2, 3), 0.5),
        ((1, 1, 2), 0.375),
    ):  # fmt: skip
        won, drawn, lost = counts
        assert BookMove(won=won, drawn=drawn, lost=lost).score == share


def test_entries_keep_what_fits(tmp_path: Path) -> None:
    """Counts are limited to 2^32 - 1, depths to 255, values to a win."""
    most = (1 << 32) - 1
    given = [
        BookMove(most, most, most, most, most, WIN, 255, UPPER, True, True, True),
        BookMove(most + 1, most + 1, most + 1, most + 1, most + 1, -WIN, 256, LOWER, False, True, False),
        BookMove(1, 2, 3, 4, 5, WIN + 1, 6, EXACT, True, False, False),
        BookMove(0, 0, 0, 0, 0, -WIN - 1, 0, 0, False, False, True),
    ]
    kept = [
        given[0],
        BookMove(most, most, most, most, most, -WIN, 255, LOWER, False, True, False),
        BookMove(1, 2, 3, 4, 5, WIN, 6, EXACT, True, False, False),
        BookMove(0, 0, 0, 0, 0, -WIN, 0, 0, False, False, True),
    ]
    path = write_entries(
        tmp_path / "a.book", [(9, 3, given[3]), (9, 1, given[1]), (2, 7, given[0]), (9, 2, given[2])]
    )
    book = BookFile(str(path))
    assert book.facts == FACTS and book.count == 4 and book.path == str(path)
    assert list(book) == [(2, 7, kept[0]), (9, 1, kept[1]), (9, 2, kept[2]), (9, 3, kept[3])]
    assert book.moves(9) == {1: kept[1], 2: kept[2], 3: kept[3]} and book.moves(2) == {7: kept[0]}
    assert [book.moves(key) for key in (0, 1, 3, 8, 10, (1 << 64) - 1)] == [{}] * 6
    assert book.digest == path.read_bytes()[24:40]


@pytest.mark.parametrize("piece", [1, 7, 44, 1 << 20])
def test_a_hash_is_made_piece_by_piece(piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(piece)
    entries = [(rng.getrandbits(64), rng.getrandbits(64), BookMove(number)) for number in range(20)]
    path = write_entries(tmp_path / "a.book", entries)
    data = path.read_bytes()
    assert data[24:40] == blake2b(data[:24] + data[40:], digest_size=16).digest()
    monkeypatch.setattr(book_file, "HASH_CHUNK", piece)
    assert BookFile(str(path)).count == 20


def test_facts_of_a_book_have_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps(FACTS.__dict__, sort_keys=True, separators=(",", ":"))
    room = -(-len(text) // 8) * 8
    monkeypatch.setattr(book_file, "MAX_FACTS", room)
    path = write_entries(tmp_path / "a.book", [])
    assert path.stat().st_size == 40 + room and BookFile(str(path)).facts == FACTS
    monkeypatch.setattr(book_file, "MAX_FACTS", room - 1)
    with pytest.raises(BadInput) as refused:
        write_entries(path, [])
    message = f"the facts of a book are limited to {room - 1:,} bytes; this one has too many start positions"
    assert str(refused.value) == message
    monkeypatch.undo()
    write_entries(path, [])
    monkeypatch.setattr(book_file, "MAX_FACTS", room - 1)
    with pytest.raises(BadInput) as refused:
        BookFile(str(path))
    assert str(refused.value) == (
        f"{path} is cut off or damaged: it should have {40 + room:,} bytes, not {40 + room:,}"
    )


def test_invalid_books_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_entries(tmp_path / "a.book", [(1, 2, BookMove())])
    data = path.read_bytes()

    def error_text(text: bytes | None = None, name: Path = path) -> str:
        if text is not None:
            path.unlink(missing_ok=True)
            path.write_bytes(text)
        with pytest.raises(BadInput) as refused:
            BookFile(str(name))
        return str(refused.value)

    assert error_text(name=tmp_path / "none") == f"there is no book {tmp_path / 'none'}"
    assert error_text(name=tmp_path) == f"{tmp_path} is a folder, not a book"
    assert error_text(data[:39]) == f"{path} is not a book: it has 39 bytes"
    assert (
        error_text(b"PK\3\4" + data[4:])
        == f"{path} is not a book of this program: it begins with 50 4b 03 04"
    )
    assert (
        error_text(data[:8] + b"\3\0\0\0" + data[12:])
        == f"{path} is a book of format 3; this version reads 1"
    )
    size = len(data)
    assert (
        error_text(data[:-1]) == f"{path} is cut off or damaged: it should have {size} bytes, not {size - 1}"
    )
    assert (
        error_text(data + b"x")
        == f"{path} is cut off or damaged: it should have {size} bytes, not {size + 1}"
    )
    assert error_text(data[:-1] + b"\1") == f"{path} is damaged: its checksum is wrong"
    path.write_bytes(data)
    monkeypatch.setattr(book_file, "MAX_BYTES", size)
    assert BookFile(str(path)).count == 1
    monkeypatch.setattr(book_file, "MAX_BYTES", size - 1)
    assert error_text() == f"{path} is not a book: it has {size} bytes"
    monkeypatch.undo()
    for error, words in ((OSError(5, "not now"), "not now"), (OSError("torn"), "torn")):

        def fails(*_: Any, access: int, error: OSError = error) -> None:
            raise error

        monkeypatch.setattr(book_file.mmap, "mmap", fails)
        assert error_text() == f"{path}: {words}"


def test_invalid_book_entries_are_refused() -> None:
    right = {
        "game": "nim", "spec": "nim", "root": 5, "weights": "lines", "deviation": 1, "width": 2,
        "engine": "e", "starts": ["", "x"], "made": ["m"], "learned": ["l"],
    }  # fmt: skip
    assert parse_facts(json.dumps(right).encode(), "x") == BookFacts(**right)
    none = "x is damaged: its facts are not those of a book"
    for text, words in (
        (b"{", "x is damaged: its facts are invalid (Expecting property name"),
        (b"[]", "x is damaged: its facts are invalid (list indices must be"),
        (json.dumps({**right, "root": "5"}).encode(), "x is damaged: its facts are invalid (root)"),
        (json.dumps({**right, "starts": "x"}).encode(), "x is damaged: its facts are invalid (starts)"),
        (json.dumps(dict(list(right.items())[1:])).encode(), "x is damaged: its facts are invalid ('game')"),
        (json.dumps({**right, "more": 1}).encode(), "x is damaged: its facts are invalid (BookFacts"),
        (json.dumps({**right, "weights": "stones"}).encode(), none),
        (json.dumps({**right, "starts": ["", 3]}).encode(), none),
    ):  # fmt: skip
        with pytest.raises(BadInput) as refused:
            parse_facts(text, "x")
        assert str(refused.value).startswith(words)
    for weights in ("games", "lines", "values", "mixed"):
        assert parse_facts(json.dumps({**right, "weights": weights}).encode(), "x").weights == weights


# -- first plies --------------------------------------------------------------------------------------------


def test_values_become_results_and_plies() -> None:
    for value, expected in (
        (0, (DRAWN, 0)), (WIN - 7, (WON, 7)), (7 - WIN, (LOST, 7)), (WIN, (WON, 0)), (-WIN, (LOST, 0)),
        (TB_WIN + 1, (WON, 255)), (-TB_WIN - 1, (LOST, 255)),
    ):  # fmt: skip
        assert first_plies._encode_value(value) == expected
    for value in (1, -1, TB_WIN, -TB_WIN, INF, -INF):
        with pytest.raises(Usage) as refused:
            first_plies._encode_value(value)
        assert str(refused.value) == f"a book of first plies cannot store the value {value}"


@pytest.mark.parametrize("wide", [False, True])
def test_values_of_many_positions_are_found_again(
    wide: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In several blocks, with distances of one byte, or of two if one is above 255."""
    rng = Random(7)
    values = {
        rng.getrandbits(64): rng.choice((0, WIN - 3, 4 - WIN, WIN - 255)) for _ in range(65541 if wide else 9)
    }
    if wide:
        monkeypatch.setattr(first_plies.scale, "is_counted", lambda value: True)
        values[17] = 256 - WIN
    game = SimpleNamespace(name="own", parameters={}, new=lambda: None)
    out = tmp_path / "a.table"
    first_plies._write(out, game, [1, 2], values)
    file = TableFile(out)
    subject = file.subject
    assert (subject.game, subject.slices, subject.pieces, subject.wide) == (
        "first plies of own", (("all", 0, len(values)),), 0, wide,
    )  # fmt: skip
    order = sorted(values)
    assert subject.facts == {"counts": [1, 2], "firsts": order[::8192]}
    for place in [*range(9), *([65535, 65536, 65537, len(order) - 1, *rng.sample(range(65536), 50)] * wide)]:
        assert file.find(order[place]) == place
        assert file.result_at(place) == first_plies._encode_value(values[order[place]])
    assert not wide or file.result_at(order.index(17)) == (LOST, 256)


def test_solved_values_are_stored_beside_the_book(tmp_path: Path) -> None:
    beside = tmp_path / "a.solving"
    assert first_plies._read_partial(beside, "nim 3") == {}
    beside.write_bytes(b"")
    assert first_plies._read_partial(beside, "nim 3") == {}
    beside.write_bytes(b"nim 3\nff -7\n10 0\n1")
    assert (
        first_plies._read_partial(beside, "nim 3") == {255: -7, 16: 0}
        and beside.read_bytes() == b"nim 3\nff -7\n10 0\n"
    )
    beside.write_bytes(b"nim")
    assert first_plies._read_partial(beside, "nim 3") == {} and beside.read_bytes() == b""
    for text, words in (
        (b"nim 4\nff 1\n", " belongs to another book, nim 4: remove it, or name another --out"),
        (b"a" * 50 + b"\n", f" belongs to another book, {'a' * 40}: remove it, or name another --out"),
        (b"nim 3\nxyz 1\n", " is damaged. Try: remove it and solve again"),
        (b"nim 3\nff\n", " is damaged. Try: remove it and solve again"),
        (b"nim 3\nff 1 2\n", " is damaged. Try: remove it and solve again"),
        (b"nim 3\nff 1\xff\n", " is damaged. Try: remove it and solve again"),
    ):
        beside.write_bytes(text)
        with pytest.raises(BadInput) as refused:
            first_plies._read_partial(beside, "nim 3")
        assert str(refused.value) == f"{beside}{words}" and beside.read_bytes() == text


def test_progress_is_reported_while_a_book_is_built(tmp_path: Path) -> None:
    """The number of positions at each ply, then each unsolved position of the last ply before its search."""
    game = registry.game("connect4:columns=4,rows=4")
    log: list[tuple[str, int, int]] = []
    out = tmp_path / "a.table"
    beside = tmp_path / "a.table.solving"
    key = next(iter(first_plies._layers(game, 2, lambda *_: None)[2]))
    beside.write_text(f"connect4:columns=4,rows=4 2\n{key:x} 0\n")
    count = first_plies.build(game, 2, out, lambda position: 0, lambda *how: log.append(how))
    assert count == 11 and log == [
        ("positions", 3, 3), ("positions", 11, 11), *[("solved", number, 8) for number in range(1, 8)],
    ]  # fmt: skip
    assert not beside.exists() and struct.unpack("<Q", array("Q", [key]).tobytes()) == (key,)
    short = registry.game("connect4:columns=1,rows=4,connect=4")
    assert first_plies.build(short, 9, out, lambda position: 0, lambda *_: None) == 4
    assert TableFile(out).subject.facts["counts"] == [1, 1, 1, 1]
