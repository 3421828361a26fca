"""The file format of books, suffix `.book`: a header, facts, and fixed-size entries sorted by key.

    offset  bytes
    0       8      89 47 50 42 0D 0A 1A 0A
    8       4      version of the format: 1
    12      4      n, the bytes of the facts, a multiple of 8
    16      8      number of entries
    24      16     BLAKE2b, cut to 16 bytes, of bytes 0 to 23 and of all from 40 on
    40      n      facts: JSON in UTF-8, padded with spaces (`BookFacts`)
    40 + n  44     entries, sorted by position and move, unique

    entry   0   8  fingerprint of the position (`gameplay.knowledge.books.fingerprint`)
            8   8  fingerprint of the position that the move leads to; 0: all moves that are not in the book;
                   the value is an upper bound of theirs
            16  4  weight: relative frequency of playing it; 0: never
            20  4  games in which it was played
            24  4  ... of them won by the side that played it
            28  4  ... drawn
            32  4  ... lost
            36  4  value for the mover, signed, on the scale of `gameplay.value`, wins counted from here
            40  1  depth of the search that found the value, in plies
            41  1  bits 0-1: 0 no value, 1 exact value, 2 lower bound, 3 upper bound
                   bit 2: proved, not an estimate; bit 3: backed up from positions of the book
                   bit 4: the same player moves again
            42  2  zero

Numbers are little-endian. The file is memory-mapped and searched by bisection. Opening it verifies its sizes,
before allocating memory, and its hash.
"""

import mmap
import os
import struct
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from hashlib import blake2b
from typing import Any, get_origin

from gameplay import file_io
from gameplay.errors import BadInput
from gameplay.value import WIN

MAGIC = b"\x89GPB\r\n\x1a\n"
VERSION = 1
HEAD = struct.Struct("<8sIIQ")
DIGEST = 16  # bytes
FACTS_OFFSET = HEAD.size + DIGEST  # offset of the facts
MAX_FACTS = 1 << 20  # bytes
MAX_BYTES = 1 << 36  # bytes of a file
MAX_COUNT = (1 << 32) - 1  # maximum count of an entry
ENTRY = struct.Struct("<QQIIIIIiBBH")
KEY = struct.Struct("<Q")
SOLVED, BACKED_UP, SAME_MOVER = 4, 8, 16
REST = 0  # in place of a move: all moves not in the book
HASH_CHUNK = 1 << 20  # bytes hashed at a time

# The source of a book's weights.
GAMES = "games"  # two per win and one per draw of the side that played it
LINES = "lines"  # written in the lines
VALUES = "values"  # the best moves by value, and those within a deviation
MIXED = "mixed"  # merged books of several kinds
WEIGHTS = (GAMES, LINES, VALUES, MIXED)


@dataclass(slots=True)
class BookMove:
    """The entry of a move in a position, see the module docstring."""

    weight: int = 0
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    value: int = 0
    depth: int = 0
    bound: int = 0  # EXACT, LOWER or UPPER of `gameplay.value`; 0: no value
    solved: bool = False
    backed_up: bool = False
    same_mover: bool = False

    @property
    def score(self) -> float | None:
        """The score, 0 to 1; None without finished games."""
        finished = self.won + self.drawn + self.lost
        return (self.won + 0.5 * self.drawn) / finished if finished else None


@dataclass
class BookFacts:
    """The facts of a book."""

    game: str  # its name
    spec: str  # the game with its parameters
    root: int  # fingerprint of the start of the game
    weights: str  # one of WEIGHTS
    deviation: int = 0  # for VALUES: how much worse than the best a played move may be
    width: int = 0  # moves searched per position; 0: not built by searches
    engine: str = ""  # ... the engine, with its limit
    starts: list[str] = field(default_factory=lambda: [""])  # start positions of lines
    made: list[str] = field(default_factory=list)  # descriptions of its sources
    learned: list[str] = field(default_factory=list)  # digests of the collections counted in it


class BookFile:
    """A memory-mapped book file."""

    def __init__(self, path: str) -> None:
        """Raises BadInput, with the reason, if the file is not a complete book."""
        self.path = path
        if not os.path.isfile(path):
            raise BadInput(file_io.no_file(path, "book"))
        try:
            with file_io.open_file(path) as file:
                size = os.fstat(file.fileno()).st_size
                if size < FACTS_OFFSET or size > MAX_BYTES:
                    raise BadInput(f"{path} is not a book: it has {size:,} bytes")
                self.map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise BadInput(file_io.unreadable(path, error)) from None
        magic, version, length, self.count = HEAD.unpack_from(self.map, 0)
        if magic != MAGIC:
            raise BadInput(f"{path} is not a book of this program: it begins with {magic[:4].hex(' ')}")
        if version != VERSION:
            raise BadInput(f"{path} is a book of format {version}; this version reads {VERSION}")
        self.entries_offset = FACTS_OFFSET + length
        expected_size = self.entries_offset + self.count * ENTRY.size
        if length > MAX_FACTS or expected_size != size:
            message = f"it should have {expected_size:,} bytes, not {size:,}"
            raise BadInput(f"{path} is cut off or damaged: {message}")
        self.digest = bytes(self.map[HEAD.size : FACTS_OFFSET])
        if _digest(self.map) != self.digest:
            raise BadInput(f"{path} is damaged: its checksum is wrong")
        self.facts = parse_facts(bytes(self.map[FACTS_OFFSET : self.entries_offset]), path)

    def moves(self, key: int) -> dict[int, BookMove]:
        """The entries of a position, by the fingerprints of the successors."""
        index = bisect_left(range(self.count), key, key=self._read_key)
        moves = {}
        while index < self.count:
            entry_key, child, entry = self._read_entry(index)
            if entry_key != key:
                break
            moves[child] = entry
            index += 1
        return moves

    def __iter__(self) -> Iterator[tuple[int, int, BookMove]]:
        """All entries: position, move, data."""
        return map(self._read_entry, range(self.count))

    def _read_key(self, index: int) -> int:
        return int(KEY.unpack_from(self.map, self.entries_offset + index * ENTRY.size)[0])

    def _read_entry(self, index: int) -> tuple[int, int, BookMove]:
        numbers = ENTRY.unpack_from(self.map, self.entries_offset + index * ENTRY.size)
        key, child, weight, games, won, drawn, lost, value, depth, bits, _ = numbers
        value = max(-WIN, min(WIN, value))
        flags = [bool(bits & flag) for flag in (SOLVED, BACKED_UP, SAME_MOVER)]
        return key, child, BookMove(weight, games, won, drawn, lost, value, depth, bits & 3, *flags)


def encode(facts: BookFacts, entries: list[tuple[int, int, BookMove]]) -> Iterator[bytes]:
    """The bytes of a file, in parts; equal books give equal bytes."""
    import json

    text = json.dumps(asdict(facts), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > MAX_FACTS:
        raise BadInput(
            f"the facts of a book are limited to {MAX_FACTS:,} bytes; this one has too many start positions"
        )
    head = HEAD.pack(MAGIC, VERSION, len(text), len(entries))
    body = b"".join(_pack_entry(*entry) for entry in sorted(entries, key=lambda entry: entry[:2]))
    hashed = blake2b(head, digest_size=DIGEST)
    hashed.update(text)
    hashed.update(body)
    yield head
    yield hashed.digest()
    yield text
    yield body


def _pack_entry(key: int, child: int, entry: BookMove) -> bytes:
    counts = [
        min(MAX_COUNT, count) for count in (entry.weight, entry.games, entry.won, entry.drawn, entry.lost)
    ]
    bits = entry.bound | SOLVED * entry.solved | BACKED_UP * entry.backed_up | SAME_MOVER * entry.same_mover
    return ENTRY.pack(key, child, *counts, entry.value, min(255, entry.depth), bits, 0)


def _digest(data: Any) -> bytes:
    hashed = blake2b(data[: HEAD.size], digest_size=DIGEST)
    for offset in range(FACTS_OFFSET, len(data), HASH_CHUNK):
        hashed.update(data[offset : offset + HASH_CHUNK])
    return hashed.digest()


def parse_facts(text: bytes, path: str) -> BookFacts:
    """Parse the facts of a file. Raises BadInput if invalid."""
    import json

    try:
        data = json.loads(text)
        for item in fields(BookFacts):
            if not isinstance(data[item.name], get_origin(item.type) or item.type):  # type: ignore[arg-type]
                raise ValueError(item.name)
        facts = BookFacts(**data)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"{path} is damaged: its facts are invalid ({error})") from None
    if facts.weights not in WEIGHTS or not all(isinstance(start, str) for start in facts.starts):
        raise BadInput(f"{path} is damaged: its facts are not those of a book")
    return facts
