"""Files in OGXM as bytes, written for tests."""

import struct
import zlib
from collections.abc import Iterable, Sequence

DICE = {f"{high}{low}": 0 for low in range(1, 7) for high in range(low, 7)}
DICE = {dice: action for action, dice in enumerate(DICE)}


def file(
    sections: Iterable[tuple[str, bytes]], version: tuple[int, ...] = (2, 1, 2, 0), crc: int = 0
) -> bytes:
    """A file with these sections and a checksum, to which `crc` is added."""
    body = b"".join(section(name, data) for name, data in sections)
    size = 16 + len(body) + 9 + 8 + 4
    head = struct.pack("<4s4HI", b"OGXM", *version, size) + body
    digest = struct.pack("<I", (zlib.crc32(head) + crc) % (1 << 32))
    return head + section("CSUM", record(0, varint(0) + varint(4) + digest)) + b"END!"


def section(name: str, data: bytes, critical: bool = True) -> bytes:
    """A section with its header."""
    return name.encode() + struct.pack("<IB", len(data), critical) + data


def varint(value: int) -> bytes:
    """A number with seven bits a byte."""
    parts = []
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def text(words: str) -> bytes:
    """A text after its size."""
    data = words.encode()
    return varint(len(data)) + data


def record(mask: int, fields: bytes) -> bytes:
    """A record: size, mask, fields."""
    body = varint(mask) + fields
    return varint(len(body)) + body


def match(
    length: int, names: Sequence[str], score: tuple[int, int] | None = None, variant: int = 0, mask: int = 0
) -> tuple[str, bytes]:
    """The section of a match that began on 9 March 2024."""
    fields = varint(length) + varint(variant) + b"".join(map(text, names))
    if score is not None:
        fields += varint(score[0]) + varint(score[1])
    fields += varint(1_709_985_600_000)
    return "MTCH", record(mask | 0b100000011 | (16 if score is not None else 0), fields)


def game(plies: Iterable[bytes], won: tuple[int, int] | None = None, mask: int = 0) -> tuple[str, bytes]:
    """The section of a game. `won`: the winner's seat and the points."""
    head = record(mask | (3 if won else 0), varint(won[0]) + varint(won[1]) if won else b"")
    return "GAME", head + b"".join(plies)


def act(action: int, seat: int, extras: bytes = b"") -> bytes:
    """An action without steps."""
    return bytes([action | seat << 6 | (0x80 if extras else 0)]) + extras


def move(seat: int, dice: str, turn: str = "") -> bytes:
    """A roll and a turn of single steps in words, as `24/18 bar/20`, from the mover's view."""
    steps = b""
    for part in turn.replace("*", "").split():
        start, end = (
            {"bar": 25, "off": 0}.get(side, -1) if side.isalpha() else int(side) for side in part.split("/")
        )
        point = start if seat else 25 - start
        steps += bytes([point | (start - end) << 5])
    most = 4 if dice[0] == dice[1] else 2
    end_mark = b"" if len(steps) == most else b"\0"
    return bytes([DICE[dice] | seat << 6]) + steps + end_mark


def comment(ply: int, words: str, scope: int = 2, key: str = "") -> bytes:
    """A comment on a ply, from 0, or data of a program under a key."""
    return record(bool(key), varint(scope) + varint(ply) + text(words) + (text(key) if key else b""))


def decision(ply: int, values: Sequence[tuple[float, bool]]) -> bytes:
    """The analysis of a turn: values, and the played one."""
    turns = b"".join(
        record(4 if played else 0, varint(0) + struct.pack("<i", round(value * 1e6)))
        for value, played in values
    )
    return record(1, varint(ply) + varint(0) + varint(len(values)) + turns)
