"""Damaged files in the program's folders: reported in one line, skipped, and never lost."""

import json
import shutil
from pathlib import Path
from random import Random

import pytest

from gameplay.errors import BadInput
from gameplay.knowledge.books import book as books
from gameplay.players import knowledge
from gameplay.registry import engine, game
from gameplay.store import trust
from gameplay.training import practice, stored_reviews
from tests.support.commands import run_printed
from tests.support.records import SAVED

pytestmark = pytest.mark.once

MOVES = ["4", "1", "4", "1", "4", "2", "4"]  # the second player leaves three in a column
GAME = SAVED | {"players": ["minimax", "human"]}
GAME |= {
    "moves": [{"move": move, "player": ply % 2} for ply, move in enumerate(MOVES)],
    "result": [1, -1],
    "reason": "rules",
}
CONTENTS = (b"", b"{", b"\xff\xfe", b"[" * 100_000, b"[]", b'{"schema": "x"}', b'{"schema": 1}')


@pytest.fixture
def review_folder(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """The folder of reviews of a game with a mistake that makes a puzzle."""
    monkeypatch.setattr(practice, "CONFIRMATION", 1)
    monkeypatch.setattr(practice, "NODES", 2_000)
    (home / "games").mkdir(parents=True)
    (home / "games" / "lost.json").write_text(json.dumps(GAME))
    assert run_printed(capsys, "review", "lost", "--nodes", "2000")[0] == 0
    return home / "reviews"


@pytest.mark.parametrize("content", CONTENTS)
def test_puzzles_report_a_damaged_review_and_use_the_others(
    content: bytes, review_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = review_folder / "0-damaged.json"
    wrong.write_bytes(content)
    status, out, err = run_printed(capsys, "puzzles", "--list")
    lines = [line for line in err.splitlines() if "damaged" in line]
    assert status == 0 and "0 of 0" in out and "minimax - human" in out
    assert len(lines) == 1
    assert lines[0].startswith(f"1 stored review is damaged and left out: {wrong} (")
    assert wrong.read_bytes() == content


def test_puzzles_and_stats_name_how_many_reviews_are_damaged(
    review_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (good,) = review_folder.glob("*.json")
    (review_folder / "folder.json").mkdir()
    (review_folder / "x.json").write_bytes(b"{")
    err = run_printed(capsys, "puzzles", "--list")[2]
    assert "2 stored reviews are damaged and left out: first " in err and "folder.json (" in err
    good.write_bytes(b"{")
    status, out, err = run_printed(capsys, "stats")
    assert status == 0 and "connect4" in out
    assert err.startswith(f"1 stored review is damaged and left out: {good} (") and err.count("\n") == 1


def test_review_of_another_version_is_no_damage(
    review_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (good,) = review_folder.glob("*.json")
    other = json.loads(good.read_bytes()) | {"schema": 99}
    (review_folder / "other.json").write_text(json.dumps(other))
    assert "damaged" not in run_printed(capsys, "puzzles", "--list")[2]
    reviews, damaged = stored_reviews.scan()
    assert len(reviews) == 1 and damaged == []


def test_review_with_an_impossible_move_is_reported(
    review_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (good,) = review_folder.glob("*.json")
    good.write_text(good.read_text().replace('"1"', '"99"', 1))
    status, _, err = run_printed(capsys, "puzzles", "--list")
    assert status == 0
    assert "1 position of a reviewed game cannot be set up: " in err and "'99'" in err


def test_corrupted_reviews_cause_no_internal_error(
    review_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (good,) = review_folder.glob("*.json")
    whole, rng, seen = good.read_bytes(), Random(1), 0
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 1, 3))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        good.write_bytes(data)
        practice.path().unlink(missing_ok=True)
        status, _, err = run_printed(capsys, "puzzles", "--list")
        assert status == 0, err
        seen += "damaged" in err or "cannot be set up" in err
    assert seen >= 10


def test_damaged_book_of_the_program_is_no_missing_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "books"
    folder.mkdir()
    file = folder / "connect4.table"
    shutil.copy(books.FOLDER / "connect4.table", file)
    monkeypatch.setattr(books, "FOLDER", folder)
    books.included_books.cache_clear()
    try:
        perfect, _ = engine("perfect")
        assert knowledge.default_knowledge(perfect, game("connect4")) == {"book": "own"}
        assert knowledge.default_knowledge(perfect, game("connect4:columns=6")) == {}
        data = file.read_bytes()
        for content in (b"", data[:1000], b"x" * 100 + data[100:]):
            file.write_bytes(content)
            with pytest.raises(BadInput, match=r"connect4\.table"):
                knowledge.default_knowledge(perfect, game("connect4"))
    finally:
        books.included_books.cache_clear()


def test_damaged_table_is_reported_and_built_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["table", "build", "checkers", "KvK", "--folder", str(tmp_path), "--jobs", "1"]
    assert run_printed(capsys, *words)[0] == 0
    (table,) = tmp_path.glob("*.table")
    whole = table.read_bytes()
    table.write_bytes(whole[: len(whole) // 2])
    status, _, err = run_printed(capsys, *words)
    assert status == 0 and err.count("\n") == 1
    assert str(table) in err and err.endswith("; it is built again\n")
    assert table.read_bytes() == whole
    assert run_printed(capsys, *words)[2] == ""


def test_damaged_line_of_the_trusted_list_costs_no_other(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir()
    trust.path().write_bytes(b"/a.py\n/\xff.py\n/b.py\n")
    assert trust.items()[::2] == ["/a.py", "/b.py"]
    status, out, err = run_printed(capsys, "trust")
    assert status == 0 and "/a.py\n/\\udcff.py\n/b.py" in out
    assert err == f"gameplay: {trust.path()}: item 2 is damaged and matches no code\n"
    assert run_printed(capsys, "trust", "uci:stockfish")[0] == 0
    assert trust.path().read_bytes().endswith(b"\n/a.py\n/\xff.py\n/b.py\nuci:stockfish\n")


def test_trusted_list_that_cannot_be_read_is_not_replaced(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trust.path().mkdir(parents=True)
    status, _, err = run_printed(capsys, "trust")
    assert status == 0 and err == f"gameplay: {trust.path()}: Is a directory\n"
    status, _, err = run_printed(capsys, "trust", "uci:stockfish")
    assert status == 6 and err == f"gameplay: {trust.path()}: Is a directory\n" and trust.path().is_dir()
