"""A file of endgame tables: results and distances in compressed blocks, each with a checksum.

    bytes       what
    0-7         89 47 54 41 42 0d 0a 1a
    8-9         version of the format, little-endian as all numbers: 2
    10-13       length of the head
    14-45       blake2b of the head, 32 bytes
    46-         the head, JSON: what the tables are for, and of every block its length and its blake2b
    then        the blocks, one after the other, each compressed by zlib

The places of a file are the numbers of its slices, slice after slice, or the rows of sorted keys. What is
known of them lies in planes, apart from each other: `results` 2 bits a place (0 drawn, 1 won, 2 lost for the
mover), `distances` a byte or two (plies to the end), `keys` 8 bytes; for bearing off `means` and `chances`, a
double each, and `shares`, 32 of them. A block has BLOCK places, or as many bytes of a plane that has more
than a byte a place, and the last one what is left. A block of keys holds the lowest bytes of all differences
from one key to the next, the first from 0, then all second bytes, and so on: that packs far better. Nothing
is parsed before its checksum was right, and nothing unpacked beyond the size it must have.
"""

import json
import os
import struct
import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from gameplay import file_io
from gameplay.errors import BadInput

SUFFIX = ".table"
MAGIC = b"\x89GTAB\r\n\x1a"
VERSION = 2
BLOCK = 65536  # places
WIDTHS = {"keys": 8, "means": 8, "chances": 8, "shares": 256}  # bytes a place, of the other planes
KEYS = BLOCK // WIDTHS["keys"]
KEPT = 1024  # blocks that stay unpacked
LONGEST = 1 << 28  # bytes of a head
DRAWN, WON, LOST = 0, 1, 2
_BEGIN = struct.Struct("<8sHI32s")


def _digest(data: bytes, size: int = 16) -> bytes:
    return blake2b(data, digest_size=size).digest()


@dataclass(frozen=True)
class Subject:
    """What a file is about: a game, and slices of its positions, or all that can be reached."""

    game: str
    slices: tuple[tuple[str, int, int], ...]  # name, slice, numbers
    pieces: int = 0  # of its positions; 0: the game does not count them
    wide: bool = False  # distances have two bytes
    facts: Mapping[str, Any] = field(default_factory=dict)  # counts, for people

    @property
    def places(self) -> int:
        """How many places there are."""
        return sum(span for _, _, span in self.slices)


def blocks(plane: str) -> int:
    """The places of a block of a plane."""
    return BLOCK // WIDTHS.get(plane, 1)


def _bytes_of(plane: str, places: int, wide: bool) -> int:
    """The bytes of so many places of a plane."""
    if plane == "results":
        return (places + 3) // 4
    return places * (WIDTHS.get(plane) or (2 if wide else 1))


def _apart(keys: bytes) -> bytes:
    """Sorted keys as the bytes of their differences, see the head of this file."""
    numbers = array("Q", keys)
    steps = array("Q", [numbers[0], *(after - before for before, after in pairwise(numbers))])
    if sys.byteorder == "big":
        steps.byteswap()
    raw = steps.tobytes()
    return b"".join(raw[byte::8] for byte in range(8))


def _together(raw: bytes) -> Any:
    """The inverse of `_apart`. Raises OverflowError for what are no differences of sorted keys."""
    count = len(raw) // 8
    mixed = bytearray(len(raw))
    for byte in range(8):
        mixed[byte::8] = raw[byte * count : (byte + 1) * count]
    steps = array("Q", bytes(mixed))
    if sys.byteorder == "big":
        steps.byteswap()
    return array("Q", accumulate(steps))


def write(path: Path, subject: Subject, planes: Mapping[str, Iterable[bytes]]) -> int:
    """Write a file as a whole, or not at all. How many bytes it has."""
    table: dict[str, list[tuple[int, str]]] = {}
    body: list[bytes] = []
    for plane, raw in sorted(planes.items()):
        table[plane] = []
        for one in raw:
            packed = zlib.compress(_apart(one) if plane == "keys" else one, 9)
            body.append(packed)
            table[plane].append((len(packed), _digest(packed).hex()))
    about = {
        "game": subject.game,
        "slices": subject.slices,
        "pieces": subject.pieces,
        "wide": subject.wide,
        "facts": subject.facts,
        "planes": table,
    }
    head = json.dumps(about, sort_keys=True, separators=(",", ":")).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    file_io.write(path, [_BEGIN.pack(MAGIC, VERSION, len(head), _digest(head, 32)), head, *body])
    return _BEGIN.size + len(head) + sum(map(len, body))


class TableFile:
    """One such file, of which only the head is read until something is asked.

    Raises BadInput, saying why, for a file that is none, of another version, cut off or damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = file_io.opened(path)
            self.size = os.fstat(self._file.fileno()).st_size
            self._read_head()
        except OSError as error:
            raise BadInput(file_io.unreadable(path, error)) from None
        self._count = 0  # blocks that are unpacked
        self._forget()

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def _bad(self, words: str) -> BadInput:
        return BadInput(f"{self.path} {words}; build it again")

    def _read_head(self) -> None:
        begin = self._file.read(_BEGIN.size)
        if begin[:8] != MAGIC[: len(begin)] or len(begin) < 8:
            raise BadInput(f"{self.path} is not a file of endgame tables of this program")
        if len(begin) < _BEGIN.size:
            raise self._bad("is cut off")
        _, version, length, digest = _BEGIN.unpack(begin)
        if version != VERSION:
            age = "an older" if version < VERSION else "a later"
            raise self._bad(f"has {age} version of the format ({version}; this program reads {VERSION})")
        if length > LONGEST or length > self.size - _BEGIN.size:
            raise self._bad("is cut off")
        head = self._file.read(length)
        if _digest(head, 32) != digest:
            raise self._bad("is damaged: its head does not have its checksum")
        try:
            about = json.loads(head)
            slices = tuple((str(a), _whole(b), _whole(c)) for a, b, c in about["slices"])
            self.subject = Subject(
                str(about["game"]), slices, _whole(about["pieces"]), bool(about["wide"]), dict(about["facts"])
            )
            self.planes: dict[str, list[tuple[int, int, bytes]]] = {}
            at = _BEGIN.size + length
            for plane, listed in sorted(about["planes"].items()):
                if plane not in ("results", "distances", *WIDTHS):
                    raise ValueError(plane)
                at = self._place_blocks(plane, listed, at)
            if not self.planes or ("results" in self.planes) != ("distances" in self.planes):
                raise ValueError("planes")
            self.firsts = [_whole(one) for one in self.subject.facts.get("firsts", ())]
            if "keys" in self.planes and len(self.firsts) != len(self.planes["keys"]):
                raise ValueError("firsts")
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._bad("has a head that makes no sense") from None
        if at != self.size:
            raise self._bad(f"is cut off or too long: {self.size} bytes, not {at}")

    def _place_blocks(self, plane: str, listed: Any, at: int) -> int:
        """Note where the blocks of a plane lie, from `at` on, and return where they end."""
        if len(listed) != -(-self.subject.places // blocks(plane)):
            raise ValueError(plane)
        self.planes[plane] = []
        for length, digest in listed:
            self.planes[plane].append((at, _whole(length), bytes.fromhex(digest)))
            at += length
        return at

    # -- blocks ------------------------------------------------------------------------------------

    def block(self, plane: str, number: int) -> bytes:
        """A block, unpacked. Raises BadInput for one that is damaged."""
        at, length, digest = self.planes[plane][number]
        try:
            packed = (
                os.pread(self._file.fileno(), length, at) if hasattr(os, "pread") else self._seek(at, length)
            )
        except OSError as error:
            raise BadInput(file_io.unreadable(self.path, error)) from None
        if len(packed) != length or _digest(packed) != digest:
            raise self._bad(f"is damaged: block {number} of its {plane} does not have its checksum")
        size = blocks(plane)
        wanted = _bytes_of(plane, min(size, self.subject.places - number * size), self.subject.wide)
        try:
            unpacker = zlib.decompressobj()
            raw = unpacker.decompress(packed, wanted + 1)
        except zlib.error:
            raise self._bad(f"is damaged: block {number} of its {plane} cannot be unpacked") from None
        if len(raw) != wanted or not unpacker.eof:
            raise self._bad(f"is damaged: block {number} of its {plane} has not the size it must have")
        return raw

    def _seek(self, at: int, length: int) -> bytes:
        self._file.seek(at)
        return self._file.read(length)

    def _unpacked(self, plane: str, number: int) -> Any:
        """The same, kept for the next question."""
        block = self._kept[plane][number]
        if block is None:
            block = self.block(plane, number)
            if plane == "keys":
                try:
                    block = _together(block)
                except OverflowError:
                    raise self._bad(f"is damaged: its keys run over in block {number}") from None
            elif plane in WIDTHS:
                block = memoryview(block).cast("d")
            elif plane == "distances" and self.subject.wide:
                block = memoryview(block).cast("H")
            if self._count >= KEPT:
                self._forget()
            self._count += 1
            self._kept[plane][number] = block
        return block

    def _forget(self) -> None:
        """Drop the unpacked blocks."""
        self._count = 0
        self._kept: dict[str, list[Any]] = {
            name: [None] * len(blocks) for name, blocks in self.planes.items()
        }

    def known(self, place: int) -> tuple[int, int]:
        """The result of a place, and the plies to the end where it is decided."""
        number, rest = place >> 16, place & 65535
        block = self._kept["results"][number] or self._unpacked("results", number)
        result = block[rest >> 2] >> 2 * (rest & 3) & 3
        if result == DRAWN:
            return DRAWN, 0
        plies: int = (self._kept["distances"][number] or self._unpacked("distances", number))[rest]
        return result, plies

    def numbers(self, plane: str, place: int) -> list[float]:
        """What a plane of doubles holds for a place."""
        size, each = blocks(plane), WIDTHS[plane] // 8
        held = self._unpacked(plane, place // size)
        at = place % size * each
        return list(held[at : at + each])

    def find(self, key: int) -> int | None:
        """The place of a key; None: it is not there."""
        number = bisect_right(self.firsts, key) - 1
        if number < 0:
            return None
        keys = self._unpacked("keys", number)
        at = bisect_right(keys, key) - 1
        return number * KEYS + at if at >= 0 and keys[at] == key else None


def _whole(number: Any) -> int:
    """A number from 0 up. Raises ValueError for what is none."""
    if type(number) is not int or not 0 <= number < 1 << 64:
        raise ValueError(number)
    return number
