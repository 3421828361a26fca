"""The file of a series: JSON lines, first a header, then one game a line in the order they were scheduled.

    header   {"series": 1, "version": ..., "game": ..., "first": ..., "second": ..., "games": 100, "seed": 1,
              "openings": 3}        openings: random plies, or the list of positions that games began from
    game     a record (see `gameplay.store.record`) that says which one it is: `pair` and `leg`, from 0.
             The first engine has seat 0 in leg 0. Moves of the opening come without nodes.

With limits of depth or nodes the header decides every byte of the file, so times are kept only where an
engine was limited by time.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from gameplay import __version__
from gameplay.errors import BadInput
from gameplay.store.record import Record

SCHEMA = 1


class SeriesHeader(msgspec.Struct, forbid_unknown_fields=True):
    """See the head of this file."""

    series: int
    version: str
    game: str
    first: str
    second: str
    games: int
    seed: int
    openings: int | list[str]


class SeriesGame(Record):
    """See the head of this file."""

    pair: int
    leg: int


def header_line(
    game: str, engines: tuple[str, str], games: int, seed: int, openings: int | list[str]
) -> bytes:
    """The first line of a file."""
    header = SeriesHeader(SCHEMA, __version__, game, *engines, games, seed, openings)
    return msgspec.json.encode(header) + b"\n"


def game_line(pair: int, leg: int, record: Record, times: Sequence[float] | None) -> bytes:
    """The line of a game; `times` are the seconds of each move, None: they are not kept."""
    if times is not None:
        moves = [
            replace(ply, seconds=seconds) if ply.nodes is not None else ply
            for ply, seconds in zip(record.moves, times, strict=True)
        ]
        record = replace(record, moves=moves)
    line = SeriesGame(**msgspec.structs.asdict(record), pair=pair, leg=leg)
    return msgspec.json.encode(line) + b"\n"


def read(path: Path) -> tuple[SeriesHeader, list[bytes]]:
    """The header, and the lines of the games, whole ones only: writing the last may have been cut short.

    Raises BadInput if the file cannot be read or is no series.
    """
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()
    if not lines:
        raise BadInput(f"{path} holds no series of games: it has no whole line")
    try:
        header = msgspec.json.decode(lines[0], type=SeriesHeader)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}, line 1 is not the header of a series: {error}") from None
    if header.series != SCHEMA:
        raise BadInput(f"{path}: the series has schema {header.series}; this version reads {SCHEMA}")
    return header, lines[1:]


def append(path: Path, lines: bytes) -> None:
    """Keep whole lines, at once. Raises OSError, naming the file; nothing of them stays then."""
    size = path.stat().st_size if path.exists() else None
    try:
        with open(path, "ab") as file:
            file.write(lines)
    except OSError as error:
        if size is not None:
            with suppress(OSError):
                os.truncate(path, size)
        raise OSError(error.errno, error.strerror, str(path)) from None


def mend(path: Path) -> None:
    """Cut off the last line if it was not written to its end."""
    text = path.read_bytes()
    whole = text.rfind(b"\n") + 1
    if whole < len(text):
        os.truncate(path, whole)


def decoded(path: Path, lines: list[bytes]) -> Iterator[SeriesGame]:
    """The games in the lines that `read` gave. Raises BadInput, naming the line, for one that is no game."""
    for number, line in enumerate(lines, 2):
        try:
            yield msgspec.json.decode(line, type=SeriesGame)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{path}, line {number} is not the record of a game: {error}") from None
