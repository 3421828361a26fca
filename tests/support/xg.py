"""Files of eXtreme Gammon as bytes, written for tests from the description of the format."""

import struct
import zlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from gameplay import registry
from gameplay.store.formats import conversion

RECORD = 2560
SINGLE = 1  # how a game ended: by the last checker, one point


def archive(files: dict[str, bytes], picture: bytes = b"", stored: Sequence[str] = (), crc: int = 0) -> bytes:
    """An .xg file with these files, compressed but for `stored`; `crc` is added to the checksum."""
    header = struct.pack("<4sIIqI", b"RGMH", 1, 8232, 0, len(picture)).ljust(8232, b"\0")
    body, register = b"", b""
    for name, data in files.items():
        packed = data if name in stored else zlib.compress(data)
        entry = bytearray(532)
        entry[: len(name) + 1] = bytes([len(name)]) + name.encode()
        struct.pack_into("<iiiI", entry, 512, len(data), len(packed), len(body), zlib.crc32(data))
        entry[528] = name in stored
        body, register = body + packed, register + bytes(entry)
    return header + picture + close_archive(body, zlib.compress(register), len(files), crc)


def close_archive(body: bytes, register: bytes, count: int, crc: int = 0) -> bytes:
    """The end of a file: the archive with its index and trailer."""
    checksum = (zlib.crc32(body + register) + crc) % (1 << 32)
    trailer = struct.pack("<IiiiiB", checksum, count, 1, len(register), len(body), 1)
    return body + register + trailer.ljust(36, b"\0")


def record(kind: int, fields: dict[int, tuple[str, tuple[object, ...]]]) -> bytes:
    """A record, given by offset as `struct` formats with their values."""
    data = bytearray(RECORD)
    data[8] = kind
    for at, (form, values) in fields.items():
        struct.pack_into(f"<{form}", data, at, *values)
    return bytes(data)


def match(length: int, names: Sequence[str], days: float = 45360.5, variation: int = 0) -> bytes:
    """The record of a match."""
    wide = {at: ("258s", (name.encode("utf-16-le"),)) for at, name in zip((880, 1138), names, strict=True)}
    narrow = {
        at: ("41p", (name.encode("cp1252", "replace"),)) for at, name in zip((9, 50), names, strict=True)
    }
    rest = {92: ("ii", (length, variation)), 128: ("d", (days,)), 552: ("iI", (32, 0x494C4D44))}
    return record(0, {**narrow, **wide, **rest})


def game(
    number: int = 1, score: tuple[int, int] = (0, 0), crawford: bool = False, place: bytes = b""
) -> bytes:
    """The record that begins a game."""
    fields: dict[int, tuple[str, tuple[object, ...]]] = {
        12: ("ii", score), 20: ("B", (crawford,)), 21: ("26s", (place,)), 48: ("i", (number,))
    }  # fmt: skip
    return record(1, fields)


def cube(
    seat: int, double: int, take: int = -1, analysis: tuple[float, ...] = (), comment: int = -1
) -> bytes:
    """A cube decision. `analysis`: the values of no double, take, drop."""
    fields: dict[int, tuple[str, tuple[object, ...]]] = {
        12: ("iii", (1 if seat == 0 else -1, double, take)), 292: ("i", (comment,)), 232: ("i", (-1,))
    }  # fmt: skip
    if analysis:
        fields |= {92: ("i", (2,)), 152: ("3f", analysis), 232: ("i", (2,))}
    return record(2, fields)


def move(
    seat: int,
    dice: tuple[int, int],
    turn: str,
    *,
    played: bool = True,
    comment: int = -1,
    values: Sequence[tuple[str, float]] = (),
) -> bytes:
    """A roll and a turn in words, as `24/18 bar/20`. `values`: analysed turns, `turn` among them."""
    fields: dict[int, tuple[str, tuple[object, ...]]] = {
        35: ("26b", tuple(_mark(turn))),
        64: ("i", (1 if seat == 0 else -1,)),
        68: ("8i", tuple(pairs(turn))),
        100: ("ii", dice),
        188: ("i", (len(values),)),
        2308: ("B", (played,)),
        2524: ("i", (comment,)),
    }
    for number, (words, value) in enumerate(values):
        fields[192 + 26 * number] = ("26b", tuple(_mark(words)))
        fields[1024 + 8 * number] = ("8b", tuple(pairs(words)))
        fields[1280 + 4 * number] = ("h", (3,))
        fields[1432 + 28 * number] = ("f", (value,))
    return record(3, fields)


def end(seat: int, points: int, kind: int = SINGLE) -> bytes:
    """The record of the end of a game: the winner and the points."""
    return record(4, {24: ("iii", (1 if seat == 0 else -1, points, kind))})


def pairs(turn: str) -> list[int]:
    """The points of a turn as the format has them: from 0, the bar 24, off -1; unused ones are -1."""
    codes = [-1] * 8
    for number, part in enumerate(turn.replace("*", "").split()):
        for side, point in enumerate(part.split("/")):
            codes[2 * number + side] = (
                {"bar": 25, "off": 0}.get(point, 0) - 1 if point.isalpha() else int(point) - 1
            )
    return codes


def _mark(turn: str) -> list[int]:
    """A mark of the position after a turn: different turns lead to different marks."""
    return (pairs(turn) + [0] * 26)[:26]


def of_mat(path: Path) -> list[bytes]:
    """The records of the first match of a .mat file, whose games are read by the rules."""
    (sheet, read), *_ = conversion.read(path, registry.game)
    assert read is not None, sheet.problem
    records = [match(int(sheet.tags["Match"]), read.players), game()]
    dice: tuple[int, int] | None = None
    score, number = (0, 0), 1
    steps = sheet.line.steps
    for at, step in enumerate(steps):
        if step.word.isdecimal():
            dice = int(step.word[0]), int(step.word[1])
        elif step.word == "double":
            take = steps[at + 1].word == "take"
            records.append(cube(step.mover, 1, int(take)))
        elif step.word not in ("roll", "take", "drop", "accept", "decline") and "resign" not in step.word:
            assert dice is not None
            turn = "" if step.word == "pass" else " ".join(_spread(step.word))
            records.append(move(step.mover, dice, turn))
        elif step.word == "accept" and dice:
            records.append(move(1 - step.mover, dice, "", played=False))
        if step.mover >= 0:
            dice = None if step.word not in ("roll",) and "resign" not in step.word else dice
        if step.won is not None:
            winner, points, totals = step.won
            records.append(end(winner, points))
            score, number = (totals[0], totals[1]), number + 1
            if at + 1 < len(steps):
                records.append(game(number, score))
    return records


def _spread(word: str) -> list[str]:
    """A turn in our notation with each hop separate: `13/9(2);6/4*/3` is `13/9 13/9 6/4* 4/3`."""
    parts: list[str] = []
    for part in word.split(";"):
        body, _, times = part.partition("(")
        points = body.split("/")
        hops = [f"{first}/{second}" for first, second in pairwise(points)]
        parts += hops * int(times.rstrip(")") or 1)
    return parts
