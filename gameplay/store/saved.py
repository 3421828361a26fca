"""Saved games of people, written during play: after kill -9 at most the current move is lost.

One file per game in the user's data folder (or GAMEPLAY_HOME). Each move is appended as a line; on any other
change, such as the end of the game, the file is rewritten and replaced by a rename. A reader therefore sees
all moves, or all but the one being written. A file that another program has changed since is left alone: the
game continues in a new file.
"""

import errno
import os
import re
import time
from collections.abc import Callable, Container, Iterable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec
from msgspec import structs

from gameplay import file_io
from gameplay.capabilities import record_suffix
from gameplay.errors import BadInput, GameplayError, TryLater, Usage, nearest
from gameplay.plural import plural
from gameplay.specs import is_file, split
from gameplay.store import trust
from gameplay.store.formats import text
from gameplay.store.paths import data_folder
from gameplay.store.record import (
    ADDITIONS,
    Lines,
    Record,
    decode,
    encode,
    encode_addition,
    record_of,
    seal,
)

if TYPE_CHECKING:
    from gameplay.matches.match import Event, Match
    from gameplay.players.player import Turn
    from gameplay.registry import Game

# The beginning of our records; a PGN comment also starts with a brace.
_RECORD_START = re.compile(rb'\{\s*"\w+"\s*:')


def folder() -> Path:
    """The folder of saved games."""
    return data_folder() / "games"


class Saved(msgspec.Struct, frozen=True):
    """A saved game and the time of its last change (seconds since 1970).

    followed: a later game of its match is also saved.
    """

    path: Path
    record: Record
    changed: float
    followed: bool = False

    @property
    def unfinished(self) -> bool:
        """True if the game or its match can be resumed."""
        return self.record.unfinished and not self.followed

    @property
    def name(self) -> str:
        """The name of the game: its file name without the suffix."""
        return self.path.stem

    @property
    def date(self) -> str:
        """The start time, as 2026-11-22 12:30, or the time of the last change if not recorded."""
        start_time = self.record.begun[:16].replace("T", " ")
        return start_time or time.strftime("%Y-%m-%d %H:%M", time.localtime(self.changed))


class GameSaver:
    """A match listener that saves the record.

    trouble: the reason of a failure; `warn` is called once with it. status: the exit status for it, else 0.

    The file is created at the first move of a player, not at dice rolled before it.
    """

    match: "Match"  # set before the match begins

    def __init__(self, warn: Callable[[str], None], path: Path | None = None) -> None:
        self.warn = warn
        self.path = path
        self.wrote = False
        self.kept = path is not None  # an existing file is kept even when all moves are taken back
        self.trouble, self.status = "", 0
        self.lines: Lines = {}
        self.head: Record | None = None  # the record in the file without its moves; None: rewrite it
        self.turns: list[Turn] = []  # the turns in the file
        self.secret = False  # the moves are sealed
        self.state = None if path is None else _state_of(path)  # of the file as it was read or written

    def __call__(self, event: "Event") -> bool:
        """Save the game after an event of the match; returns False, since it never stops the match."""
        if event.kind == "begin" and self.path is None:
            self._check_folder()
        worth_saving = self.kept or any(turn.player >= 0 for turn in self.match.turns)
        if self.match.payoffs is not None and self.match.scoresheet is not None:
            worth_saving = True  # resigned before a move: it counts in its match
        if event.kind not in ("begin", "report") and worth_saving and not self._append():
            self.write()
        return False

    def _append(self) -> bool:
        """Append a move or an undo to the file; false if it must be rewritten."""
        made, stored, turns = len(self.match.turns), len(self.turns), self.match.turns
        common = min(made, stored)
        if (
            self.path is None
            or self.head is None
            or abs(made - stored) != 1
            or (common and turns[common - 1] is not self.turns[common - 1])
        ):
            return False
        record = record_of(self.match, lines=self.lines, since=stored)
        if _head(record) != self.head or self.match.secrets != self.secret:
            return False
        line = encode_addition(record.moves[0] if made > stored else None, self.secret)
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | file_io.BINARY)
            try:
                if _state(os.fstat(file)) != self.state:
                    return False  # another program has changed it
                written = os.write(file, line)
                self.state = _state(os.fstat(file))
                if written != len(line):
                    return False  # the disk is full
                os.fsync(file)
            finally:
                os.close(file)
        except OSError:
            return False
        self.turns[common:] = turns[common:]
        return True

    def _check_folder(self) -> None:
        """Warn before the first move if games cannot be saved."""
        ancestor = folder()
        while not ancestor.exists() and ancestor != ancestor.parent:
            ancestor = ancestor.parent
        if not ancestor.is_dir():
            self._fail(NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)))
        elif not os.access(ancestor, os.W_OK):
            self._fail(PermissionError(errno.EACCES, os.strerror(errno.EACCES)))

    def name(self) -> str:
        """The name of the saved game, or the path of a file outside the folder of saved games."""
        if self.path is None:
            self.path = new_path(self.match.game.name)
        return self.path.stem if self.path.parent == folder() else str(self.path)

    def write(self) -> None:
        """Rewrite the file with the current state of the match. A full disk does not end the game."""
        self.head = None
        try:
            if self.path is None:
                self.path = new_path(self.match.game.name)
            elif self.state is not None and _state_of(self.path) not in (self.state, None):
                changed, self.path = self.path, new_path(self.match.game.name)
                self.warn(f"another program has changed {changed}; this game is saved as {self.path.stem}")
            if self.path.parent == folder():
                self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.wrote:
                trust.trust_started(self.match.game.spec, [player.spec for player in self.match.players])
            self.kept = self.wrote = True
            if not self.match.secrets or self.path.suffix == ".json":
                record, secret = record_of(self.match, lines=self.lines), self.match.secrets
                write_record(record, self.path, self.match.game, secret)
                if self.path.suffix == ".json":
                    self.head, self.turns, self.secret = _head(record), list(self.match.turns), secret
                self.state = _state_of(self.path)
        except OSError as error:
            self._fail(error)

    def file_replaced(self, path: Path) -> None:
        """Continue in the file at `path`, if it is the match's: the user has saved the game there."""
        if path == self.path:
            self.head, self.state = None, _state_of(path)

    def _fail(self, error: OSError) -> None:
        if not self.trouble:
            self.status = (TryLater if error.errno in file_io.FULL else BadInput).status
            self.trouble = f"the game cannot be saved: {error.strerror or error} ({self.path or folder()})"
            self.warn(self.trouble)


def _head(record: Record) -> Record:
    """A record without its moves and the time used for the next one."""
    return msgspec.structs.replace(record, moves=[], thought=None)


def _state(file: os.stat_result) -> tuple[int, int]:
    """The inode number and size of a file: they change if another program appends to it or replaces it."""
    return file.st_ino, file.st_size


def _state_of(path: Path) -> tuple[int, int] | None:
    """The state of the file at a path; None if there is none."""
    return _state(os.stat(path)) if path.exists() else None


def write_record(record: Record, path: Path, game: "Game | None" = None, secret: bool = False) -> None:
    """Write a record atomically, as JSON or in the format of its `game`.

    secret: it contains information still hidden from a player, so it is sealed. Raises OSError; Usage for a
    secret record in another format than JSON.
    """
    if secret and path.suffix.lower() != ".json":
        raise hidden_information_error(path)
    file_io.write(path, [_text(seal(record) if secret else record, path, game)])


def hidden_information_error(path: Path | None) -> Usage:
    """The error for saving a game with hidden information in a format other than JSON."""
    name = path.name if path is not None else "that file"
    return Usage(f"{name} would reveal hidden information; until the game is over save it as .json")


def _text(record: Record, path: Path, game: "Game | None") -> bytes:
    if game is not None and path.suffix and path.suffix.lower() == record_suffix(game.cls):
        from gameplay.store.formats import encoding

        return encoding.encode(record, game).encode()
    return encode(record) + b"\n"


def now() -> str:
    """The current time in the format of records: 2026-11-22T12:30:00+01:00."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


def suffixes(game: "Game") -> list[str]:
    """The file suffixes that a game can be saved with; the first is the record format."""
    own = record_suffix(game.cls)
    return [".json", *([own] if own else [])]


def writable_path(text: str, game: "Game | None" = None, own: Container[Path] = ()) -> Path:
    """A writable path, in a format of `game` if given. Raises Usage or BadInput.

    For a game, a name without a suffix gets that of a record; an existing file must be a saved game or in
    `own`.
    """
    path = Path(os.path.expanduser(text)).resolve()
    if game is not None and path.suffix.lower() not in ("", *suffixes(game)):
        allowed = " or ".join(suffixes(game))
        raise Usage(f"{game.name} is not saved as {path.suffix}; expected {allowed}. Try: {path.stem}.json")
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a file in it")
    if path.exists() and not path.is_file():
        raise BadInput(file_io.no_file(path))
    if not path.parent.is_dir():
        raise BadInput(f"there is no folder {path.parent} to save {path.name} in")
    if game is not None and not path.suffix:
        return writable_path(f"{path}.json", game, own)
    if game is not None and path.exists() and path not in own:
        _check_replaceable(path)
    return path


def _check_replaceable(path: Path) -> None:
    """Raise BadInput for an existing file that is not a saved game."""
    if path.suffix.lower() != ".json":
        raise BadInput(f"{path} exists; name another file, or remove it")
    try:
        decode(file_io.content(path), str(path))
    except (OSError, BadInput):
        raise BadInput(f"{path} exists and is not a saved game; name another file") from None


def unused_path(text: str, option: str = "--out") -> Path:
    """A writable path, not yet existing, for an option. Raises BadInput or Usage."""
    path = writable_path(text)
    if path.exists():
        raise Usage(f"{path} exists: name another file for {option}, or remove it first")
    return path


def new_path(game: str) -> Path:
    """The path of a new saved game."""
    stem = "-".join((time.strftime("%Y%m%d-%H%M%S"), re.sub(r"\W+", "-", game), str(os.getpid())))
    path = folder() / f"{stem}.json"
    number = 2
    while path.exists():
        path = folder() / f"{stem}-{number}.json"
        number += 1
    return path


class Damaged(msgspec.Struct, frozen=True):
    """An unreadable file in a folder of this program, and the reason."""

    path: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.path.name}: damaged, {self.reason}"

    @classmethod
    def of(cls, path: Path, error: GameplayError | OSError) -> "Damaged":
        """The damage that caused an error on reading a file."""
        if isinstance(error, OSError):
            return cls(path, error.strerror or str(error))
        return cls(path, str(error).removeprefix(str(path)).lstrip(": "))


def scan_folder() -> tuple[list[Saved], list[Damaged]]:
    """All saved games, most recently changed first, and the unreadable files, by name."""
    games, damaged = [], []
    for path in sorted(folder().glob("*.json")):
        try:
            games.append(Saved(path, decode(file_io.content(path), str(path)), path.stat().st_mtime))
        except FileNotFoundError:
            continue  # removed by another process
        except (BadInput, OSError) as error:
            damaged.append(Damaged.of(path, error))
    return sorted(_mark_followed(games), key=lambda game: (-game.changed, game.path.name)), damaged


def is_followed(path: Path) -> bool:
    """True if a later game of the match of this file is also saved."""
    return any(game.followed for game in saved_games() if game.path == path)


def _mark_followed(games: Iterable[Saved]) -> list[Saved]:
    """The games, marked if a later game of their match follows."""
    last: dict[tuple[str, str, int], int] = {}
    sheets = [(game, game.record.match) for game in games]
    for _, sheet in sheets:
        if sheet is not None:
            match = (sheet.game, sheet.begun, sheet.seed)
            last[match] = max(len(sheet.played), last.get(match, 0))
    return [
        structs.replace(game, followed=True)
        if sheet is not None and len(sheet.played) < last[sheet.game, sheet.begun, sheet.seed]
        else game
        for game, sheet in sheets
    ]


def saved_games() -> list[Saved]:
    """All readable saved games, most recently changed first; `scan_folder` also returns the others."""
    return scan_folder()[0]


def find(which: str) -> Path:
    """The file of a saved game, given its number in the list (1: the newest), `last`, its name, or a path.

    Raises BadInput if there is none.
    """
    path = Path(os.path.expanduser(which))
    if path.is_file():
        return path
    games = saved_games()
    if which == "last" or which.isdecimal():
        number = 1 if which == "last" else int(which)
        if not games:
            raise BadInput(f"there are no saved games in {folder()}")
        if not 1 <= number <= len(games):
            raise BadInput(
                f"there is no saved game {number}: they are numbered 1 (the newest) to {len(games)}"
            )
        return games[number - 1].path
    named = next((game.path for game in games if game.name == which), None)
    if named is None and file_io.present(folder() / f"{which}.json"):
        return folder() / f"{which}.json"  # damaged: reading it reports the problem
    if named is None and path.name and path.with_name(f"{path.name}.json").is_file():
        return path.with_name(f"{path.name}.json")  # `save` appends .json to a name without a suffix
    if named is None and path.is_dir():
        raise BadInput(f"{path} is a folder; name a file in it")
    if named is None and file_io.present(path):
        raise BadInput(file_io.no_file(path))
    if named is None:
        near = nearest(which, [game.name for game in games])
        hint = "" if near else ". Try: gameplay games --saved"
        raise BadInput(f"there is no file or saved game {which}{near}{hint}")
    return named


def read(path: Path, number: int | None = None, find: "Callable[[str], Game] | None" = None) -> Record:
    """The record in a file of one game, or game `number` (from 1) of a file with one game per line.

    Other lines, such as a header, are not counted. With `find` (`registry.game`) the file may be in a format
    of another program (`gameplay.store.formats.game_formats`), and its game must exist. Raises BadInput,
    OSError.
    """
    number = 1 if number is None else number
    if find is not None and is_foreign(path):
        from gameplay.store.formats import conversion

        return conversion.pick(path, number, find)
    lines = [line for line in file_io.content(path).splitlines(keepends=True) if line.strip()]
    if not lines:
        raise BadInput(f"{path} is empty")
    if lines[0].startswith(b'{"runs":'):
        return _game_of_run(lines, path, number)
    games = [game for _, game in _split_games(lines)] if len(lines) > 1 else lines
    if not games:
        raise BadInput(f"{path} holds no record of a game")
    if not 1 <= number <= len(games):
        raise BadInput(f"{path} holds {plural(len(games), 'game')}; there is no game {number}")
    name = str(path) if len(games) == 1 else f"{path}, game {number}"
    record = decode(games[number - 1], name)
    if find is not None:
        _check_game(record, name, find)
    return record


def _check_game(record: Record, name: str, find: "Callable[[str], Game]") -> None:
    """Raise BadInput, with the file `name`, if the game of a record does not exist, or not for its players.

    A game in a Python file is not checked: its code may not be trusted yet.
    """
    if is_file(split(record.game)[0]):
        return
    try:
        game = find(record.game)
    except Usage as error:
        raise BadInput(f"{name}: {error}") from error
    seats = game.new().players
    if len(record.players) != seats:
        raise BadInput(f"{name}: {game.name} must have {seats} players, not {len(record.players)}")


def _split_games(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Each game in the lines of a file: the number of its first line, and its lines."""
    game: list[bytes] = []
    first = 0
    for number, line in enumerate(lines, 1):
        if line.startswith(ADDITIONS) and game:
            game.append(line)
        elif b'"moves"' in line:
            if game:
                yield first, b"".join(game)
            game, first = [line], number
    if game:
        yield first, b"".join(game)


def read_games(path: Path, find: "Callable[[str], Game]") -> Iterator[tuple[int, Record | None, str]]:
    """The games of a file, as number (from 1), record, and error message; the record is None after an error.

    The file has saved games, a run, or games of another program. find: `registry.game`.
    Raises BadInput if it has no game, OSError.
    """
    count = 0
    if is_foreign(path):
        from gameplay.store.formats import conversion

        for sheet, record in conversion.read(path, find):
            count += 1
            yield count, record, sheet.problem
    else:
        for game in _games_of_a_run(path) or read_all(path):
            count += 1
            try:
                _check_game(game, f"{path}, game {count}", find)
            except BadInput as error:
                yield count, None, str(error)
            else:
                yield count, game, ""
    if not count:
        raise BadInput(f"{path} holds no game")


def _games_of_a_run(path: Path) -> Iterator[Record] | None:
    """The games with moves of a run; None if the file is not a run."""
    from gameplay.store.jsonl import read

    with file_io.open_file(path) as file:
        if file.read(8) != b'{"runs":':
            return None
    _, games = read([line for line in file_io.content(path).splitlines() if line.strip()], str(path))
    return (record for game in games if (record := game.read()) is not None)


def is_foreign(path: Path) -> bool:
    """True if the file is in the format of another program. Raises OSError."""
    from gameplay.store.formats.game_formats import format_of

    if format_of(path) is None:
        return False
    with file_io.open_file(path) as file:
        return _RECORD_START.match(file.read(80)) is None


def read_all(path: Path) -> Iterator[Record]:
    """The records in a file with one game per line. Raises BadInput, OSError."""
    count = 0
    with file_io.open_file(path) as file:
        for number, game in _split_games(_read_lines(file, path)):
            count += 1
            yield decode(game, f"{path}, line {number}")
    if not count:
        raise BadInput(f"{path} holds no record of a game")


def _read_lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    """The lines of a file of games. Raises BadInput if one is too long or the file is a run."""
    for number, line in enumerate(iter(partial(file.readline, text.LONGEST_LINE), b"")):
        text.check_length(line, path, number)
        if line.startswith(b'{"runs":'):
            raise BadInput(f"{path} is a run. Try: gameplay run import {path}, then export the run")
        yield line


def _game_of_run(lines: list[bytes], path: Path, number: int) -> Record:
    """Game `number` of the games with moves in a run file."""
    from gameplay.store.jsonl import read

    _, games = read(lines, str(path))
    records = [record for game in games if (record := game.read()) is not None]
    if not 1 <= number <= len(records):
        raise BadInput(f"{path} holds {plural(len(records), 'game')}; there is no game {number}")
    return records[number - 1]
