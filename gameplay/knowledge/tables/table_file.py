"""The file format of endgame tables: results and distances in compressed blocks, each with a checksum.

    bytes       what
    0-7         89 47 54 41 42 0d 0a 1a
    8-9         version of the format, little-endian as all numbers: 2
    10-13       length of the head
    14-45       blake2b of the head, 32 bytes
    46-         the head, JSON: the subject, and the length and blake2b of every block
    then        the blocks, one after the other, each compressed by zlib

The entries of a file are the numbers of its slices, slice by slice, or the rows of sorted keys. Their data
are stored in planes: `results` 2 bits per entry (0 drawn, 1 won, 2 lost for the mover), `distances` one or
two bytes (plies to the end), `keys` 8 bytes; for bear-off tables `means` and `chances`, a double each, and
`shares`, 32 doubles. A block has BLOCK entries, or BLOCK bytes of a plane with more than a byte per entry;
the last one is shorter. A block of keys stores the differences between successive keys, the first from 0: all
lowest bytes, then all second bytes, and so on, which compresses far better. Nothing is parsed before its
checksum is verified, and nothing is decompressed beyond its expected size.
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
BLOCK = 65536  # entries
WIDTHS = {"keys": 8, "means": 8, "chances": 8, "shares": 256}  # bytes per entry, of the other planes
KEYS_PER_BLOCK = BLOCK // WIDTHS["keys"]
MAX_UNPACKED = 1024  # blocks in the cache
MAX_HEAD = 1 << 28  # bytes of a head
DRAWN, WON, LOST = 0, 1, 2
_PREFIX = struct.Struct("<8sHI32s")


def _digest(data: bytes, size: int = 16) -> bytes:
    return blake2b(data, digest_size=size).digest()


@dataclass(frozen=True)
class Subject:
    """The subject of a file: a game, and slices of its positions or all reachable ones."""

    game: str
    slices: tuple[tuple[str, int, int], ...]  # name, slice, numbers
    pieces: int = 0  # on the board; 0: the game does not count pieces
    wide: bool = False  # distances have two bytes
    facts: Mapping[str, Any] = field(default_factory=dict)  # counts and other facts for reports

    @property
    def entries(self) -> int:
        """The number of entries."""
        return sum(span for _, _, span in self.slices)


def block_size(plane: str) -> int:
    """The entries per block of a plane."""
    return BLOCK // WIDTHS.get(plane, 1)


def _plane_bytes(plane: str, entries: int, two_bytes: bool) -> int:
    """The bytes of `entries` entries of a plane."""
    if plane == "results":
        return (entries + 3) // 4
    return entries * (WIDTHS.get(plane) or (2 if two_bytes else 1))


def _split_keys(keys: bytes) -> bytes:
    """Encode sorted keys as the bytes of their differences, see the head of this file."""
    numbers = array("Q", keys)
    steps = array("Q", [numbers[0], *(key - previous for previous, key in pairwise(numbers))])
    if sys.byteorder == "big":
        steps.byteswap()
    encoded = steps.tobytes()
    return b"".join(encoded[byte::8] for byte in range(8))


def _join_keys(encoded: bytes) -> Any:
    """The inverse of `_split_keys`. Raises OverflowError if the keys would not be sorted."""
    count = len(encoded) // 8
    key_bytes = bytearray(len(encoded))
    for byte in range(8):
        key_bytes[byte::8] = encoded[byte * count : (byte + 1) * count]
    steps = array("Q", bytes(key_bytes))
    if sys.byteorder == "big":
        steps.byteswap()
    return array("Q", accumulate(steps))


def write(path: Path, subject: Subject, planes: Mapping[str, Iterable[bytes]]) -> int:
    """Write a file atomically; returns its size in bytes."""
    table: dict[str, list[tuple[int, str]]] = {}
    body: list[bytes] = []
    for plane, blocks in sorted(planes.items()):
        table[plane] = []
        for block in blocks:
            packed = zlib.compress(_split_keys(block) if plane == "keys" else block, 9)
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
    file_io.write(path, [_PREFIX.pack(MAGIC, VERSION, len(head), _digest(head, 32)), head, *body])
    return _PREFIX.size + len(head) + sum(map(len, body))


class TableFile:
    """A table file; blocks are read on demand.

    Raises BadInput, with the reason, for a file of another kind or version, or a damaged one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = file_io.open_file(path)
            self.size = os.fstat(self._file.fileno()).st_size
            self._read_head()
        except OSError as error:
            raise BadInput(file_io.unreadable(path, error)) from None
        self._count = 0  # blocks in the cache
        self._clear_cache()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _invalid(self, words: str) -> BadInput:
        return BadInput(f"{self.path} {words}; build it again")

    def _read_head(self) -> None:
        prefix = self._file.read(_PREFIX.size)
        if prefix[:8] != MAGIC[: len(prefix)] or len(prefix) < 8:
            raise BadInput(f"{self.path} is not a file of endgame tables of this program")
        if len(prefix) < _PREFIX.size:
            raise self._invalid("is cut off")
        _, version, length, digest = _PREFIX.unpack(prefix)
        if version != VERSION:
            age = "an older" if version < VERSION else "a later"
            raise self._invalid(f"has {age} version of the format ({version}; this program reads {VERSION})")
        if length > MAX_HEAD or length > self.size - _PREFIX.size:
            raise self._invalid("is cut off")
        head = self._file.read(length)
        if _digest(head, 32) != digest:
            raise self._invalid("is damaged: its head fails its checksum")
        try:
            about = json.loads(head)
            slices = tuple((str(a), _natural(b), _natural(c)) for a, b, c in about["slices"])
            self.subject = Subject(
                str(about["game"]),
                slices,
                _natural(about["pieces"]),
                bool(about["wide"]),
                dict(about["facts"]),
            )
            self.planes: dict[str, list[tuple[int, int, bytes]]] = {}
            offset = _PREFIX.size + length
            for plane, blocks in sorted(about["planes"].items()):
                if plane not in ("results", "distances", *WIDTHS):
                    raise ValueError(plane)
                offset = self._locate_blocks(plane, blocks, offset)
            if not self.planes or ("results" in self.planes) != ("distances" in self.planes):
                raise ValueError("planes")
            self.first_keys = [_natural(key) for key in self.subject.facts.get("firsts", ())]
            if "keys" in self.planes and len(self.first_keys) != len(self.planes["keys"]):
                raise ValueError("firsts")
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._invalid("has an invalid head") from None
        if offset != self.size:
            raise self._invalid(f"is cut off or too long: {self.size} bytes, not {offset}")

    def _locate_blocks(self, plane: str, blocks: Any, offset: int) -> int:
        """Record the offsets of the blocks of a plane from `at` on; returns their end."""
        if len(blocks) != -(-self.subject.entries // block_size(plane)):
            raise ValueError(plane)
        self.planes[plane] = []
        for length, digest in blocks:
            self.planes[plane].append((offset, _natural(length), bytes.fromhex(digest)))
            offset += length
        return offset

    # -- blocks ------------------------------------------------------------------------------------

    def block(self, plane: str, number: int) -> bytes:
        """Read and decompress a block. Raises BadInput if it is damaged."""
        offset, length, digest = self.planes[plane][number]
        try:
            packed = (
                os.pread(self._file.fileno(), length, offset)
                if hasattr(os, "pread")
                else self._read_at(offset, length)
            )
        except OSError as error:
            raise BadInput(file_io.unreadable(self.path, error)) from None
        if len(packed) != length or _digest(packed) != digest:
            raise self._invalid(f"is damaged: block {number} of its {plane} fails its checksum")
        size = block_size(plane)
        entries = min(size, self.subject.entries - number * size)
        expected_size = _plane_bytes(plane, entries, self.subject.wide)
        try:
            unpacker = zlib.decompressobj()
            data = unpacker.decompress(packed, expected_size + 1)
        except zlib.error:
            raise self._invalid(f"is damaged: block {number} of its {plane} cannot be decompressed") from None
        if len(data) != expected_size or not unpacker.eof:
            raise self._invalid(f"is damaged: block {number} of its {plane} has the wrong size")
        return data

    def _read_at(self, offset: int, length: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(length)

    def _load_block(self, plane: str, number: int) -> Any:
        """A block as an array, cached."""
        block = self._cache[plane][number]
        if block is None:
            block = self.block(plane, number)
            if plane == "keys":
                try:
                    block = _join_keys(block)
                except OverflowError:
                    raise self._invalid(f"is damaged: its keys overflow in block {number}") from None
            elif plane in WIDTHS:
                block = memoryview(block).cast("d")
            elif plane == "distances" and self.subject.wide:
                block = memoryview(block).cast("H")
            if self._count >= MAX_UNPACKED:
                self._clear_cache()
            self._count += 1
            self._cache[plane][number] = block
        return block

    def _clear_cache(self) -> None:
        """Drop the cached blocks."""
        self._count = 0
        self._cache: dict[str, list[Any]] = {
            name: [None] * len(blocks) for name, blocks in self.planes.items()
        }

    def result_at(self, index: int) -> tuple[int, int]:
        """The result of an entry, and the plies to the end unless it is drawn."""
        number, offset = index >> 16, index & 65535
        block = self._cache["results"][number] or self._load_block("results", number)
        result = block[offset >> 2] >> 2 * (offset & 3) & 3
        if result == DRAWN:
            return DRAWN, 0
        plies: int = (self._cache["distances"][number] or self._load_block("distances", number))[offset]
        return result, plies

    def numbers(self, plane: str, index: int) -> list[float]:
        """The doubles of an entry in a plane."""
        size, count = block_size(plane), WIDTHS[plane] // 8
        block = self._load_block(plane, index // size)
        start = index % size * count
        return list(block[start : start + count])

    def find(self, key: int) -> int | None:
        """The index of a key; None if it is missing."""
        number = bisect_right(self.first_keys, key) - 1
        if number < 0:
            return None
        keys = self._load_block("keys", number)
        i = bisect_right(keys, key) - 1
        return number * KEYS_PER_BLOCK + i if i >= 0 and keys[i] == key else None


def _natural(number: Any) -> int:
    """Check that a value is a 64-bit natural number. Raises ValueError."""
    if type(number) is not int or not 0 <= number < 1 << 64:
        raise ValueError(number)
    return number
