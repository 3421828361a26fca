"""Finds files of games named at the command line, and reads the games in them."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay.errors import BadInput, GameplayError, Untrusted, Usage

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
    """The games of a file, checked by the rules: number, record, and error message.

    The record is None after an error; one in the file as a whole is reported as that of its first game.
    """
    from gameplay import registry
    from gameplay.store import saved

    try:
        foreign = saved.is_foreign(path)  # then the games are replayed as they are read
        for number, record, problem in saved.read_games(path, registry.game):
            if record is None or foreign:
                yield number, record, problem
                continue
            try:
                check_rules(record, f"{path}, game {number}")
            except BadInput as error:
                yield number, None, str(error)
            else:
                yield number, record, problem
    except GameplayError as error:
        yield 1, None, str(error)


def check_rules(record: "Record", name: str) -> None:
    """Raise BadInput, with the file `name`, for a record that the rules of its game do not allow.

    Untrusted names the file too. Raises Fault if the code of the game fails.
    """
    from gameplay import registry
    from gameplay.matches.match import Match
    from gameplay.players.empty_seat import EmptySeat

    try:
        game = registry.game(record.game)
        Match(game, [EmptySeat() for _ in record.players], record.start, record.words, record.seed)
    except Untrusted as error:
        error.args = (f"{name}: {error}",)
        raise
    except (Usage, BadInput) as error:
        raise BadInput(f"{name}: {error}") from error
