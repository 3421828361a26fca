"""Backgammon matches of eXtreme Gammon: binary .xg files, read only.

    header     8,232 bytes: `RGMH`, version, its own size, offset (64 bits) and size of a picture, names
    picture    JPEG, may be missing
    archive    the files, each compressed by zlib or stored; their register; 36 bytes with the CRC-32 of files
               and register, the number of files, and the sizes of register and files
    register   532 bytes per file: its name (a length byte before it), from 512 on its size, its size in the
               archive, its offset and its CRC-32, at 528 zero if it is compressed
    temp.xg    records of 2,560 bytes, the type in byte 8: match, game, cube, move, end of game, end of match
    temp.xgc   comments in RTF, one per line; records refer to them by number

Numbers are little-endian. Source: the description of the format by its author, GameSite 2000 Ltd.

As in .mat files, a match is read as one game and money games separately. A cube record that doubles contains
the double and the response; a move record the roll and the turn, as four pairs of points (from 24, the bar,
to -1, off, counted from 0 for the mover). After a roll that was not played the player resigned. Comments, and
the analysis of turns and doubles, become remarks of the moves.
"""

import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import NoReturn

from gameplay import file_io
from gameplay.errors import BadInput, Usage
from gameplay.store.formats.pgn import Note, Sheet, Step

HEADER, TRAILER, ENTRY, RECORD = 8232, 36, 532, 2560  # bytes
MAX_FILE_SIZE = 100_000_000  # bytes of an .xg file
MAX_SIZE = 64_000_000  # bytes of a file in the archive: 25,000 records
MAX_FILES = 16  # in the archive
MAGIC, MATCH_MAGIC = b"RGMH", 0x494C4D44
MATCH, GAME, CUBE, MOVE, END = range(5)  # types of records
UNLIMITED = 99999  # the length of a match for money
MAX_TURNS = 32  # analysed turns per roll
INITIAL_POSITION = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
VARIATIONS = {1: "Nackgammon", 2: "Hypergammon", 3: "Longgammon"}
LEVELS = {
    **{0: "1-ply", 1: "2-ply", 2: "3-ply", 12: "3-ply red", 3: "4-ply", 4: "5-ply", 5: "6-ply", 6: "7-ply"},
    **{100: "rollout", 998: "book", 999: "book", 1000: "Roller", 1001: "Roller+", 1002: "Roller++"},
}
MAX_COMMENT = 2_000  # characters


# -- the archive --------------------------------------------------------------------------------


def lines(path: Path) -> Iterator[str]:
    """The comments of a file, then its records, each a string of 2,560 characters, one per byte.
    Raises BadInput for a damaged file, OSError.
    """
    data = file_io.content(path, MAX_FILE_SIZE)
    files = _files(data, path)
    if "temp.xg" not in files:
        _raise_unreadable(path, "there is no match in it: its archive has no file temp.xg")
    records = files["temp.xg"]
    if not records or len(records) % RECORD:
        _raise_unreadable(
            path, f"the match is truncated: {len(records):,} bytes are not a multiple of {RECORD:,} bytes"
        )
    if records[8] != MATCH or _int(records, 556) != MATCH_MAGIC:
        _raise_unreadable(path, "it does not start with a match record")
    yield files.get("temp.xgc", b"").decode("latin-1")
    for at in range(0, len(records), RECORD):
        yield records[at : at + RECORD].decode("latin-1")


def _raise_unreadable(path: Path, problem: str) -> NoReturn:
    raise BadInput(f"{path} is not a readable XG file: {problem}")


def _files(data: bytes, path: Path) -> dict[str, bytes]:
    """The required files of the archive, by name. Raises BadInput."""
    if data[:4] != MAGIC:
        _raise_unreadable(path, "it does not start with RGMH")
    end = len(data) - TRAILER
    if end < HEADER:
        _raise_unreadable(path, f"it is truncated after {len(data):,} bytes")
    crc, count, _, register, size, packed = struct.unpack_from("<IiiiiB", data, end)
    start = end - register - size
    if register < 0 or size < 0 or start < HEADER or not 0 < count <= MAX_FILES:
        _raise_unreadable(path, "it is truncated, or the end of its archive is damaged")
    if zlib.crc32(memoryview(data)[start:end]) != crc:
        _raise_unreadable(path, "it is damaged: its checksum is wrong")
    index = data[end - register : end]
    if packed:
        index = _decompress(index, count * ENTRY, path)
    if len(index) < count * ENTRY:
        _raise_unreadable(path, f"the register of its archive is too short for {count} files")
    files: dict[str, bytes] = {}
    for at in range(0, count * ENTRY, ENTRY):
        name = _text(index, at)
        if name in ("temp.xg", "temp.xgc"):
            files[name] = _file(data[start : start + size], index[at : at + ENTRY], name, path)
    return files


def _file(body: bytes, entry: bytes, name: str, path: Path) -> bytes:
    """A file of the archive. Raises BadInput."""
    size, packed, start, crc = struct.unpack_from("<iiiI", entry, 512)
    if min(size, packed, start) < 0 or start + packed > len(body):
        _raise_unreadable(path, f"{name} lies outside its archive")
    data = body[start : start + packed]
    if not entry[528]:
        data = _decompress(data, min(size, MAX_SIZE), path)
    if size > MAX_SIZE:
        _raise_unreadable(path, f"{name} has {size:,} bytes; expected {MAX_SIZE:,} at most")
    if zlib.crc32(data) != crc:
        _raise_unreadable(path, f"{name} is damaged: its checksum is wrong")
    return data


def _decompress(data: bytes, limit: int, path: Path) -> bytes:
    """The decompressed data, at most `limit` bytes. Raises BadInput."""
    inflater = zlib.decompressobj()
    try:
        plain = inflater.decompress(data, limit + 1)
    except zlib.error:
        _raise_unreadable(path, "it is damaged: its compressed data cannot be read")
    if len(plain) > limit:
        _raise_unreadable(path, f"its compressed data exceed the declared {limit:,} bytes")
    return plain


def _int(record: bytes, at: int) -> int:
    number: int = struct.unpack_from("<i", record, at)[0]
    return number


def _text(record: bytes, at: int) -> str:
    """A length-prefixed string."""
    return record[at + 1 : at + 1 + record[at]].decode("cp1252", "replace")


def _wide(record: bytes, at: int) -> str:
    """A zero-terminated UTF-16 string of at most 128 characters."""
    return record[at : at + 258].decode("utf-16-le", "replace").partition("\0")[0]


# -- games --------------------------------------------------------------------------------------


def read(records: Iterable[str], name: str) -> Iterator[Sheet]:
    """The match, or the games of money play, from the records of `lines`."""
    source = iter(records)
    comments = _comments(next(source, ""))
    header, sheet, length, money = b"", None, 0, 0
    for at, text in enumerate(source, 1):
        record = text.encode("latin-1")
        kind = record[8]
        if kind == MATCH:
            header, length = record, _int(record, 92)
            length = 0 if length in (0, UNLIMITED) else length
        elif kind == GAME and (sheet is None or not length):
            if sheet is not None:
                yield sheet.sheet
            money += 1
            sheet = _RecordReader(name, money, length, header, comments)
            sheet.begin(record, at)
        elif kind == GAME and sheet is not None:
            sheet.game(record, at)
        elif sheet is not None:
            sheet.read(kind, record, at)
    if sheet is not None:
        yield sheet.sheet


class _RecordReader:
    """Reads a match or a money game."""

    def __init__(self, name: str, number: int, length: int, header: bytes, comments: list[str]) -> None:
        self.name, self.length, self.comments = name, length, comments
        self.sheet = Sheet(number=number)
        self.opening = True  # the next roll is the opening roll
        tags = self.sheet.tags
        tags["Match"] = str(length)
        for tag, wide, narrow in (
            ("White", 880, 9),
            ("Black", 1138, 50),
            ("Event", 622, 136),
            ("Site", 1396, 283),
            ("Round", 1654, 417),
        ):
            tags[tag] = " ".join((_wide(header, wide) or _text(header, narrow)).split()) or "?"
        tags["Date"] = _day(struct.unpack_from("<d", header, 128)[0])
        variation = _int(header, 96)
        if variation:
            self.wrong(1, f"the variation {VARIATIONS.get(variation, variation)} is not supported")

    def wrong(self, at: int, problem: str) -> None:
        """Set the problem at a record, unless there is one."""
        place = f"{self.name}, record {at}, game {self.sheet.number}"
        self.sheet.problem = self.sheet.problem or f"{place}: {problem}"

    def begin(self, record: bytes, at: int) -> None:
        """Begin with the first game, whose score is the start of the match."""
        score = _int(record, 12), _int(record, 16)
        if self.length and any(score):
            if not 0 <= max(score) < self.length or min(score) < 0:
                self.wrong(at, f"at {score[0]}-{score[1]} there is no match to {self.length} points")
            self.sheet.tags["Score"] = f"{score[0]}-{score[1]}"
            if max(score) == self.length - 1 and not record[20]:
                self.sheet.tags["Crawford"] = "Off"
        elif not self.length and _int(record, 48) > 1:
            self.sheet.tags["Game"] = str(_int(record, 48))
        self.game(record, at)

    def game(self, record: bytes, at: int) -> None:
        """Begin a game."""
        self.opening = True
        place = struct.unpack_from("<26b", record, 21)
        if any(place) and place != INITIAL_POSITION:
            self.wrong(at, "a game begins from a set-up position, which is not supported")

    def read(self, kind: int, record: bytes, at: int) -> None:
        """Read a record of the game."""
        if kind == CUBE:
            self.cube(record, at)
        elif kind == MOVE:
            self.move(record, at)
        elif kind == END:
            winner = 0 if _int(record, 24) > 0 else 1
            self.sheet.line.steps.append(Step("", at=at, won=(winner, max(0, _int(record, 28)), ())))

    def cube(self, record: bytes, at: int) -> None:
        """Read a cube decision; only doubles are kept."""
        if _int(record, 16) != 1:
            return
        notes = self.notes(record, 292, _double_analysis(record))
        self.sheet.line.steps.append(Step("double", notes, at=at))
        answer = _int(record, 20)
        if answer == 2:
            self.wrong(at, "beavers are not supported")
        elif answer in (0, 1):
            self.sheet.line.steps.append(Step("take" if answer else "drop", at=at))

    def move(self, record: bytes, at: int) -> None:
        """Read a roll and the turn."""
        dice = sorted(struct.unpack_from("<2i", record, 100), reverse=True)
        mover = _int(record, 64)
        if dice[0] == 0 and not record[2308]:
            return  # the player resigned before the roll
        if not 1 <= dice[1] <= dice[0] <= 6:
            self.wrong(at, f"{dice[0]} and {dice[1]} are not dice; expected numbers from 1 to 6")
            return
        # The opening roll decides who begins; the first seat's die is written first.
        high, low = dice if mover > 0 or not self.opening else dice[::-1]
        self.opening = False
        self.sheet.line.steps.append(Step(f"{high}{low}", at=at))
        points: tuple[int, ...] = ()
        notes: list[Note] = []
        if record[2308]:
            points, notes = (
                struct.unpack_from("<8i", record, 68),
                self.notes(record, 2524, _turn_analysis(record)),
            )
        self.sheet.line.steps.append(Step(_turn(points) or "pass", notes, at=at))

    def notes(self, record: bytes, at: int, analysis: str) -> list[Note]:
        """The comment that a record refers to, with its analysis."""
        number = _int(record, at)
        comment = self.comments[number] if 0 <= number < len(self.comments) else ""
        words = f"{comment} ({analysis})" if comment and analysis else comment or analysis
        return [words] if words else []


def _turn(points: Iterable[int]) -> str:
    """The notation of a turn; empty for a pass."""
    pairs = iter(points)
    moves = []
    for start, end in zip(pairs, pairs, strict=True):
        if start < 0 or start == end == 0:
            break
        moves.append(f"{'bar' if start == 24 else start + 1}/{'off' if end < 0 else end + 1}")
    return ";".join(moves)


def _day(days: float) -> str:
    """A date given in days since the end of 1899, as 2024.03.09, or unknown."""
    if not 1 <= days < 100_000:
        return "????.??.??"
    return (date(1899, 12, 30) + timedelta(days=int(days))).strftime("%Y.%m.%d")


# -- comments and analyses -----------------------------------------------------------------------


def _turn_analysis(record: bytes) -> str:
    """The analysis of the played turn."""
    turns = []
    for number in range(min(_int(record, 188), MAX_TURNS)):
        played = record[192 + 26 * number :][:26] == record[35:61]
        turns.append((struct.unpack_from("<f", record, 1432 + 28 * number)[0], number, played))
    own = next((turn for turn in turns if turn[2]), None)
    if own is None or not all(-100 < value < 100 for value, _, _ in turns):
        return ""
    best = max(turns)
    better = ""
    if best[0] > own[0]:
        turn = _turn(struct.unpack_from("<8b", record, 1024 + 8 * best[1])).replace(";", " ")
        better = f", better {turn} {best[0]:+.3f}"
    return f"{_level(struct.unpack_from('<h', record, 1280 + 4 * own[1])[0])}: {own[0]:+.3f}{better}"


def _double_analysis(record: bytes) -> str:
    """The analysis of a double."""
    no_double, take, drop = struct.unpack_from("<3f", record, 152)
    if _int(record, 232) < 0 or not all(-100 < value < 100 for value in (no_double, take, drop)):
        return ""
    return f"{_level(_int(record, 92))}: no double {no_double:+.3f}, take {take:+.3f}, drop {drop:+.3f}"


def _level(number: int) -> str:
    return f"XG {LEVELS.get(number, '')}".strip()


_TOKEN = re.compile(r"[{}]|\\'[0-9a-fA-F]{2}|\\u-?\d{1,6} ?\??|\\[a-zA-Z]+-?\d* ?|\\.|[^\\{}]+", re.DOTALL)
_HIDDEN_GROUPS = {"*", "fonttbl", "colortbl", "stylesheet", "info", "pict"}  # groups that are not text
_BREAKS = {"par", "line", "tab", "~"}


def _comments(text: str) -> list[str]:
    """The comments of a file as plain text, in order."""
    return [_strip_rtf(line.replace("\x01\x02", " ")) for line in text.split("\r\n")]


def _strip_rtf(rtf: str) -> str:
    """RTF as plain text in one line."""
    visible, parts = [True], []
    for token in _TOKEN.findall(rtf[: 10 * MAX_COMMENT]):
        if token == "{":
            visible.append(visible[-1])
        elif token == "}":
            visible = visible[:-1] or [True]
        elif token[0] == "\\" and _name(token) in _HIDDEN_GROUPS:
            visible[-1] = False
        elif visible[-1]:
            parts.append(_control_text(token) if token[0] == "\\" else token)
    return " ".join("".join(parts).split())[:MAX_COMMENT]


def _name(token: str) -> str:
    """The name of a control word, without its number, or a control symbol."""
    return token[1:].rstrip("-0123456789 ") if token[1].isalpha() else token[1:2]


def _control_text(token: str) -> str:
    """The text of a control word or symbol."""
    if token[1] == "'":
        return bytes.fromhex(token[2:4]).decode("cp1252", "replace")
    if number := re.match(r"\\u(-?\d+)", token):
        code = int(number[1]) % 0x10000
        return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)
    name = _name(token)
    return name if name in ("\\", "{", "}") else " " if name in _BREAKS else ""


def write(sheet: Sheet) -> str:
    """Raise Usage: the format is read only."""
    raise Usage("XG files can be read but not written. Try: --out FILE.mat")
