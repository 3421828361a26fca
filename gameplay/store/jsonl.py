"""Runs as JSON lines for export: a header, then one game per line by pair, leg and attempt.

    header   {"runs": 1, "id": "connect4-tavimo", "title": "", "plan": {...}, "facts": {...},
              "identity": ..., "code": ..., "seed": 1, "created": ..., "state": "finished", "verdict": ...,
              "notes": [[when, text], ...], "crc": "0b3a91ff"}
    game     {"pair": 0, "leg": 0, "attempt": 1, "state": "counted", "names": [...], "first": 0,
              "points": 1.0, "payoffs": [1.0, -1.0], "termination": "rules", "offender": "", "fault": "",
              "plies": 31, "seconds": 0.4, "times": [...], "host": ..., "finished": ..., "trail": ...,
              "job": {...}, "record": {...}, "crc": "9f3ac001"}

`names` and `payoffs` are by seat; `points` belong to the first player of the pairing, who sits on seat
`first`. `job` contains everything needed to replay the game (`gameplay.runs.job`), `record` its moves
(`gameplay.store.record`), null for a game without a result. `crc` is the CRC-32 of the line without it and
detects changed or truncated lines. Fields that depend on machine and time (id, dates, host, seconds, games
that did not count) can be omitted: then the same plan gives the same bytes.
"""

import shlex
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from gameplay.capabilities import HasExportFormats, record_suffix
from gameplay.catalogue import name_of
from gameplay.errors import BadInput, Usage
from gameplay.store import document
from gameplay.store.record import Record, encode
from gameplay.store.record import decode as decode_record

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

Line = TypeVar("Line", "RunHeader", "StoredGame")

SCHEMA = 1
COUNTED, VOID, AFTER_STOP, QUARANTINED = "counted", "void", "after_stop", "quarantined"
STATES = (COUNTED, VOID, AFTER_STOP, QUARANTINED)
NORMAL_TERMINATIONS = ("rules", "resign", "draw", "exact", "plies")  # without a fault of a player
RUN_STATES = ("open", "finished", "stopped", "failed")


class RunHeader(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A run: its plan, the version of the code, and its state."""

    runs: int = SCHEMA
    id: str
    title: str
    plan: msgspec.Raw
    facts: dict[str, str]
    identity: str
    code: str
    seed: int
    created: str
    state: str
    verdict: str
    notes: list[tuple[str, str]]


class StoredGame(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A stored game of a run. offender: name of the player at fault, or ""."""

    pair: int
    leg: int
    attempt: int  # from 1
    state: str
    names: list[str]
    first: int
    points: float | None
    payoffs: list[float]
    termination: str
    offender: str
    fault: str
    plies: int
    seconds: float
    times: list[float]
    host: str
    finished: str
    trail: str
    job: msgspec.Raw
    record: msgspec.Raw

    @property
    def claim(self) -> str:
        """A program's claim that contradicts the rules, "" if none; the game counts nevertheless."""
        return self.fault if self.termination in NORMAL_TERMINATIONS else ""

    @property
    def place(self) -> tuple[int, int, int]:
        """The key within the run: pair, leg, attempt."""
        return self.pair, self.leg, self.attempt

    def read(self) -> Record | None:
        """The record of its moves; None for a game without a result. Raises BadInput if invalid."""
        text = bytes(self.record)
        if text == b"null":
            return None
        return decode_record(text, f"pair {self.pair}, leg {self.leg}, attempt {self.attempt}")


def encode_record(record: Record | None) -> msgspec.Raw:
    """A record as JSON; `null` for a game without a result."""
    return msgspec.Raw(b"null" if record is None else encode(record))


def checksum(row: RunHeader | StoredGame) -> int:
    """The CRC-32 of a line without its `crc`."""
    return zlib.crc32(msgspec.json.encode(row))


def encode_line(row: RunHeader | StoredGame) -> bytes:
    """A line of the file, including the newline."""
    text = msgspec.json.encode(row)
    return b'%b,"crc":"%08x"}\n' % (text[:-1], zlib.crc32(text))


def reproducible_header(header: RunHeader) -> RunHeader:
    """The header without fields that depend on the time."""
    return msgspec.structs.replace(
        header, id="", title="", code="", created="", state="open", verdict="", notes=[]
    )


def reproducible_game(game: StoredGame) -> StoredGame:
    """The game without fields that depend on machine and time."""
    job = msgspec.json.decode(game.job)
    job["attempt"] = 1
    first = msgspec.Raw(msgspec.json.encode(job))
    return msgspec.structs.replace(game, attempt=1, seconds=0.0, times=[], host="", finished="", job=first)


def read(lines: Iterable[bytes], name: str) -> tuple[RunHeader, Iterator[StoredGame]]:
    """The header and an iterator of the games.
    Raises BadInput, with `name` and the line, for a modified or unknown line.
    """
    numbered = enumerate(lines, 1)
    _, first = next(numbered, (0, b""))
    if not first.strip():
        raise BadInput(f"{name} is empty; expected a run")
    if first.startswith(b'{"series":'):
        raise BadInput(_old_format_message(first, name))
    header = _parse(first, RunHeader, f"{name}, line 1", "the header of a run")
    if header.runs != SCHEMA:
        raise BadInput(f"{name}: the file has schema {header.runs}; this version reads {SCHEMA}")
    if header.state not in RUN_STATES:
        raise BadInput(f"{name}, line 1: unknown state '{header.state}' of a run")

    def games() -> Iterator[StoredGame]:
        places: dict[tuple[int, int, int], int] = {}
        for number, text in numbered:
            where = f"{name}, line {number}"
            game = _parse(text, StoredGame, where, "a game of a run")
            _check_game(game, where)
            first_line = places.setdefault(game.place, number)
            if first_line != number:
                raise BadInput(f"{where}: duplicate of the game on line {first_line}")
            yield game

    return header, games()


def _check_game(game: StoredGame, where: str) -> None:
    """Raise BadInput for an inconsistent game."""
    if game.state not in STATES:
        raise BadInput(f"{where}: unknown state '{game.state}' of a game")
    if (game.state in (VOID, QUARANTINED)) != (game.termination == VOID):
        raise BadInput(f"{where}: a game that ended by {game.termination} is not {game.state}")
    opponents = max(1, len(game.names) - 1)
    shares = [halves / 2 / opponents for halves in range(2 * opponents + 1)]
    if game.termination != VOID and game.points not in shares:
        values = ", ".join(f"{share:.3g}" for share in shares[:-1])
        raise BadInput(f"{where}: expected {values} or 1 point for a game, not {game.points}")


def _old_format_message(first: bytes, name: str) -> str:
    """The error message for files written by `selfplay --out` in earlier versions."""
    message = f"{name} was written by an earlier selfplay: gameplay replay {name} shows its games"
    try:
        header = msgspec.json.decode(first)
        words = ["selfplay", header["game"], "--first", header["first"], "--second", header["second"]]
        words += ["--games", str(header["games"]), "--seed", str(header["seed"])]
        openings = header["openings"]
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError):
        return message
    source = str(openings) if isinstance(openings, int) else "FILE (with the openings of its first line)"
    return f"{message}; play them again with: {shlex.join(words)} --openings {source}"


def complete_lines(text: bytes) -> tuple[list[bytes], bool]:
    """The complete lines, and True if an incomplete one follows."""
    lines = text.splitlines(keepends=True)
    truncated = bool(lines) and not lines[-1].endswith(b"\n")
    return lines[: -1 if truncated else None], truncated


def _parse(text: bytes, kind: type[Line], where: str, what: str) -> Line:
    body, mark, tail = text.rstrip(b"\r\n").rpartition(b',"crc":"')
    if not mark or len(tail) != 10 or not tail.endswith(b'"}'):
        raise BadInput(f"{where} is not {what}: its crc is missing at the end")
    if b"%08x" % zlib.crc32(body + b"}") != tail[:8]:
        raise BadInput(f"{where} was modified or damaged: its crc is wrong")
    return document.decode(body + b"}", kind, where, what)


# -- other formats ------------------------------------------------------------------------------

Writer = Callable[[RunHeader, StoredGame], str]


def writer(cls: "type[AbstractPosition]", path: Path | None, others: Iterable[str] = ()) -> Writer | None:
    """The writer for the format named by the file's suffix; None: JSON lines. `others`: suffixes to list.

    A game's class may define custom formats: `export_formats = {".pgn": write}`, where
    `write(header, kept)` returns the text of one game. Raises Usage for an unknown suffix.
    """
    suffix = path.suffix.lower() if path is not None else ""
    if suffix in ("", ".json", ".jsonl"):
        return None
    formats: Mapping[str, Writer] = cls.export_formats if isinstance(cls, HasExportFormats) else {}
    if suffix not in formats:
        own = sorted({*formats, record_suffix(cls)} - {"", ".jsonl"})
        suffixes = ", ".join([".jsonl", *others, *own])
        raise Usage(f"{path}: {name_of(cls)} has no format '{suffix}' (choose from: {suffixes})")
    return formats[suffix]
