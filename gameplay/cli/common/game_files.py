"""Finds files of games named at the command line, and reads the games in them."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay.errors import BadInput, GameplayError

if TYPE_CHECKING:
    from gameplay.store.record import Record

# Suffixes of the files that are read from a folder.
SUFFIXES = (".json", ".jsonl", ".pgn", ".pdn", ".sgf", ".ggf", ".mat", ".xg", ".ogxm", ".txt", ".pbn", ".gcg")


def find_files(files: tuple[str, ...]) -> Iterator[Path]:
    """The files that the arguments name: saved games, files, and all in folders. Raises BadInput."""
    from gameplay.store import saved

    for word in files:
        path = Path(os.path.expanduser(word))
        if not path.is_dir():
            yield saved.find(word)
            continue
        inside = sorted(
            file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file()
        )
        if not inside:
            raise BadInput(f"{path} holds no file of games: {', '.join(SUFFIXES)}")
        yield from inside


def read_games(path: Path) -> "Iterator[tuple[int, Record | None, str]]":
    """The games of a file; an error in the file as a whole is reported as that of its first game."""
    from gameplay import registry
    from gameplay.store import saved

    try:
        yield from saved.read_games(path, registry.game)
    except GameplayError as error:
        yield 1, None, str(error)
