"""Books and games that tests of books share."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.kernel import compiled
from gameplay.knowledge.books.book_file import VALUES, BookFile
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.knowledge.books.solved import solve
from gameplay.runs.expansion import Expansion
from gameplay.search.limit import Limit
from tests.support.paths import TESTS

ANSWERS = tomllib.loads((TESTS / "answers" / "books.toml").read_text(encoding="utf-8"))
TICTACTOE = registry.game("tictactoe")
OTHELLO = registry.game("othello")
ENGINE = "alphabeta:depth=1"
MANY, NODES = (40, 300) if compiled() else (20, 60)  # positions of a book of searches, and of a search


def write_book(draft: EditableBook, path: Path) -> Path:
    path.write_bytes(b"".join(draft.encode()))
    return path


def encode_book(draft: EditableBook) -> bytes:
    return b"".join(draft.encode())


@pytest.fixture(scope="module")
def solved_book() -> EditableBook:
    """A solved book of tic-tac-toe."""
    return solve(TICTACTOE)


@pytest.fixture(scope="module")
def search_book() -> EditableBook:
    """A small book of searches."""
    draft = EditableBook(OTHELLO, VALUES)
    Expansion(draft, "iterative", Limit(nodes=NODES), 3).grow(MANY, lambda: None)
    return draft


_FOLDER: list[Path] = []


def _pages(draft: EditableBook) -> BookFile:
    return BookFile(str(write_book(draft, _FOLDER[0] / f"{id(draft)}.book")))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> None:
    _FOLDER[:] = [tmp_path]


PLAYED = ["f5d6c3d3c4", "f5d6c3d3c4f4", "d3c5f6", "f5f6e6f4"]


def write_collection(folder: Path) -> Path:
    file = folder / "games.txt"
    file.write_text("\n".join(PLAYED) + "\n")
    return file


@pytest.fixture
def gameplay(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    def call(*words: str) -> tuple[int, str, str]:
        status = run(router, "gameplay", [str(word) for word in words])
        out, err = capfd.readouterr()
        return status, out, err

    return call
