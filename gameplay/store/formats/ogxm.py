"""Backgammon matches in OGXM, version 2: binary files of HedgeHog and GammonView, read only.

    header     `OGXM`, version, minimum reader version (16 bits each), size (32 bits)
    sections   a name of four letters, size (32 bits), flags (1: critical), contents
    end        `END!`

    MTCH       one record: length, variant, then by its mask: names, rules, starting score, date, event
    GAME       a record with winner and points, then the plies: a byte with the action (6 bits; 0-20 a roll),
               the seat and a flag for extra data; after a roll two or four steps, each a byte with point
               and pips. White moves up from the bar, 0; Black down from the bar, 25.
    DECS       the analysis of decisions, by the number of the ply
    ANNO       comments: target kind, target number, text; with a key: program data
    CSUM       the checksum of everything before it; 0: CRC-32

A record is its size, a mask of the fields that it has, and the fields; numbers are varints, seven bits per
byte, lowest first. Data after the known fields of a record is skipped. As in .mat files, a match is read as
one game and money games separately. Comments and analyses of turns become remarks.

Source: the readers of AnkiGammon and GammonView (MIT); no specification was available. The reference codec,
ogxm 2.3, accepts the files that this reader was tested with.
"""

import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from gameplay import file_io
from gameplay.errors import BadInput, Usage
from gameplay.store.formats.pgn import Note, Sheet, Step

MAX_SIZE = 64 * 1024 * 1024  # bytes of a file
HEADER, END = 16, b"END!"
VERSION = (2, 0)  # supported by this reader
SECTIONS = {"MTCH", "GAME", "ANAL", "DECS", "SIGN", "CLCK", "VIDO", "ANNO", "MSIG", "CSUM"}
DICE = [f"{high}{low}" for low in range(1, 7) for high in range(low, 7)]  # by action
DOUBLE, TAKE, DROP, RESIGN, RESIGN_MATCH, ESCAPE = 21, 22, 23, 27, 28, 63
MARKERS = (24, 25, 26, 30)  # not actions
UNSUPPORTED = {
    **{31: "a set-up position", 32: "a beaver", 33: "a raccoon", 34: "a settlement"},
    36: "a set-up cube",
}
PLY, DECISION = 2, 3  # the target of a comment
MAX_COMMENT = 2_000  # characters


# -- the file -------------------------------------------------------------------------------------


def lines(path: Path) -> Iterator[str]:
    """The sections of a file: name and contents, one character per byte.

    Raises BadInput for a damaged file, OSError.
    """
    data = file_io.content(path, MAX_SIZE)
    if data[:4] != b"OGXM":
        _raise_unreadable(path, "it does not start with OGXM")
    if len(data) < HEADER + len(END):
        _raise_unreadable(path, f"it is truncated after {len(data):,} bytes")
    major, minor, needed, size = (
        _number(data[at : at + width]) for at, width in ((4, 2), (6, 2), (8, 2), (12, 4))
    )
    if major < 2 or (needed, _number(data[10:12])) > VERSION:
        _raise_unreadable(path, f"it has version {major}.{minor}; expected 2")
    end = size - len(END)
    if size > len(data) or data[end:size] != END:
        _raise_unreadable(path, "it is truncated, or its size field is wrong")
    at = HEADER
    while at < end:
        name = data[at : at + 4].decode("ascii", "replace")
        begin, length = at + 9, _number(data[at + 4 : at + 8])
        if begin + length > end:
            _raise_unreadable(path, f"its section {name} is longer than the file")
        if name not in SECTIONS and data[at + 8] & 1:
            _raise_unreadable(path, f"it has an unknown critical section {name}")
        contents = data[begin : begin + length]
        if name == "CSUM":
            _check(contents, data[:at], path)
        yield name + contents.decode("latin-1")
        at = begin + length


def _raise_unreadable(path: Path | str, problem: str) -> NoReturn:
    raise BadInput(f"{path} is not a readable OGXM file: {problem}")


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _check(contents: bytes, before: bytes, path: Path) -> None:
    """Raise BadInput if a checksum of a known kind is wrong."""
    body = _Cursor(contents, str(path))
    body.record()
    kind, digest = body.varint(), body.take(body.varint())
    if kind == 0 and _number(digest) != zlib.crc32(before):
        _raise_unreadable(path, "it is damaged: its checksum is wrong")


class _Cursor:
    """A reader of a section's contents. Raises BadInput at its end."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.name, self.at = data, name, 0

    @property
    def more(self) -> bool:
        """False at the end."""
        return self.at < len(self.data)

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        if self.at + count > len(self.data):
            _raise_unreadable(self.name, "a section ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def varint(self) -> int:
        """A variable-length integer."""
        value = 0
        for place in range(0, 70, 7):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << place
            if not byte & 0x80:
                return value
        _raise_unreadable(self.name, "a number has more than ten bytes")

    def text(self) -> str:
        """A size-prefixed UTF-8 string, as one line."""
        return " ".join(self.take(self.varint()).decode("utf-8", "replace").split())

    def record(self) -> tuple[int, int]:
        """The mask of the record that begins here, and its end."""
        size = self.varint()
        end = self.at + size
        if end > len(self.data):
            _raise_unreadable(self.name, "a record is longer than its section")
        return self.varint(), end

    def equity(self) -> float:
        """A 32-bit equity, stored in millionths."""
        return int.from_bytes(self.take(4), "little", signed=True) / 1e6

    def steps(self, count: int) -> list[tuple[int, int]]:
        """Checker moves, as point and pips."""
        return [(byte & 0x1F, byte >> 5) for byte in self.take(count)]


# -- games ----------------------------------------------------------------------------------------


def read(sections: Iterable[str], name: str) -> Iterator[Sheet]:
    """The match, or the games of money play, from the sections of `lines`."""
    parts = [(text[:4], _Cursor(text[4:].encode("latin-1"), name)) for text in sections]
    heads = [body for kind, body in parts if kind == "MTCH"]
    if not heads:
        _raise_unreadable(name, "there is no match in it")
    head = _MatchHeader(heads[0])
    comments: dict[int, str] = {}
    for kind, body in parts:
        if kind == "DECS":
            _read_decisions(body, comments)
    for kind, body in parts:
        if kind == "ANNO":
            _read_comments(body, comments)
    ply, sheet = 0, None
    for number, body in enumerate((body for kind, body in parts if kind == "GAME"), 1):
        if sheet is not None and not head.length:
            yield sheet
        if sheet is None or not head.length:
            sheet = head.sheet(number, name)
        ply = _Game(body, sheet, name, comments).read(ply)
    if sheet is not None:
        yield sheet


class _MatchHeader:
    """The section MTCH."""

    def __init__(self, body: _Cursor) -> None:
        mask, _ = body.record()
        self.length, self.variant = body.varint(), body.varint()
        self.tags: dict[str, str] = {"Match": str(self.length)}
        self.score = (0, 0)
        for bit, tag in ((0, "White"), (1, "Black")):
            if mask >> bit & 1:
                self.tags[tag] = body.text() or "?"
        for bit in range(2, 11):
            if mask >> bit & 1:
                first = body.varint()
                both = (first, body.varint()) if bit in (4, 5) else (first, 0)
                if bit == 4:
                    self.score = both
                elif bit == 8:
                    self.tags["Date"] = _day(first)
        self.after_crawford = bool(mask >> 11 & 1)
        if mask >> 12 & 1:
            self.tags["Event"] = body.text() or "?"

    def sheet(self, number: int, name: str) -> Sheet:
        """A new sheet for the match, or for a game for money."""
        sheet = Sheet(number=number if not self.length else 1)
        sheet.tags |= self.tags
        if self.variant:
            _refuse(sheet, name, 0, "variants of backgammon are not supported")
        if self.length and any(self.score):
            if max(self.score) >= self.length:
                _refuse(sheet, name, 0, f"at {self.score[0]}-{self.score[1]} the match is over")
            sheet.tags["Score"] = f"{self.score[0]}-{self.score[1]}"
            if max(self.score) == self.length - 1 and self.after_crawford:
                sheet.tags["Crawford"] = "Off"
        elif number > 1:
            sheet.tags["Game"] = str(number)
        return sheet


def _day(milliseconds: int) -> str:
    """The date of a timestamp, as 2024.03.09, or unknown."""
    if milliseconds > 4_000_000_000_000:
        return "????.??.??"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y.%m.%d")


def _refuse(sheet: Sheet, name: str, at: int, problem: str) -> None:
    """Set a sheet's problem at a ply, unless it has one."""
    sheet.problem = sheet.problem or f"{name}, ply {at}, game {sheet.number}: {problem}"


class _Game:
    """Reads a game of the match and adds its steps to a sheet."""

    def __init__(self, body: _Cursor, sheet: Sheet, name: str, comments: dict[int, str]) -> None:
        self.body, self.sheet, self.name, self.comments = body, sheet, name, comments
        self.opening = True  # the next roll is the opening roll

    def read(self, ply: int) -> int:
        """Read the game whose first ply has the number `ply`, from 0; returns the number after its last."""
        mask, end = self.body.record()
        winner = self.body.varint() if mask & 1 else None
        points = self.body.varint() if mask & 2 else 0
        if mask & 0b1111000:
            _refuse(self.sheet, self.name, ply + 1, "a game begins from another position or cube")
        self.body.at = end
        while self.body.more:
            self.ply(ply)
            ply += 1
        if winner in (0, 1):
            self.sheet.line.steps.append(Step("", at=ply, won=(winner, min(points, 1_000_000), ())))
        return ply

    def ply(self, number: int) -> None:
        """An action of a player."""
        first = self.body.take(1)[0]
        action, seat = first & 0x3F, first >> 6 & 1
        steps: list[tuple[int, int]] = []
        if action < len(DICE):
            for _ in range(4 if DICE[action][0] == DICE[action][1] else 2):
                step = self.body.steps(1)
                if step == [(0, 0)]:
                    break
                steps += step
        if first & 0x80:
            action, steps = self.extras(action, steps)
        at, add = number + 1, self.sheet.line.steps.append
        notes: list[Note] = [self.comments[number]] if number in self.comments else []
        if action < len(DICE):
            # The opening roll decides who begins; the first seat's die is written first.
            add(Step(DICE[action][::-1] if self.opening and seat else DICE[action], at=at))
            self.opening = False
            add(Step(_turn(steps, seat) or "pass", notes, at=at))
        elif action in (DOUBLE, TAKE, DROP):
            add(Step({DOUBLE: "double", TAKE: "take", DROP: "drop"}[action], notes, at=at))
        elif action not in (*MARKERS, RESIGN, RESIGN_MATCH):
            what = UNSUPPORTED.get(action, f"the action {action}")
            _refuse(self.sheet, self.name, at, f"{what} is not supported")

    def extras(self, action: int, steps: list[tuple[int, int]]) -> tuple[int, list[tuple[int, int]]]:
        """The extra data of a ply: an action, or steps, that did not fit into its bytes."""
        mask, end = self.body.record()
        for bit, width in ((0, 2), (1, 0), (2, 0), (3, -1), (4, 4)):
            if mask >> bit & 1 and width >= 0:
                self.body.take(width) if width else self.body.varint()
        if mask >> 5 & 1:
            steps = self.body.steps(self.body.varint())
        if mask >> 6 & 1:
            self.body.take(26)
        if mask >> 7 & 1 and action == ESCAPE:
            action = self.body.varint()
        self.body.at = end
        return action, steps


def _turn(steps: Iterable[tuple[int, int]], seat: int) -> str:
    """The notation of a turn; empty for a pass."""
    moves = []
    for point, pips in steps:
        start = point if seat else 25 - point
        end = start - pips
        moves.append(f"{'bar' if start == 25 else start}/{'off' if end <= 0 else end}")
    return ";".join(moves)


# -- comments and analyses ---------------------------------------------------------------------------


def _read_comments(body: _Cursor, comments: dict[int, str]) -> None:
    """Put the comments on plies before their analyses."""
    while body.more:
        mask, end = body.record()
        scope, number, text = body.varint(), body.varint(), body.text()[:MAX_COMMENT]
        if scope in (PLY, DECISION) and text and not mask & 1:  # with a key: program data
            comments[number] = f"{text} ({comments[number]})" if number in comments else text
        body.at = end


def _read_decisions(body: _Cursor, comments: dict[int, str]) -> None:
    """The analysis of the played turns, by ply number."""
    while body.more:
        mask, end = body.record()
        number, kind = body.varint(), body.varint()
        if kind == 0 and mask & 1:
            turns = list(_analysed_turns(body))
            equity = next((equity for equity, played in turns if played), None)
            if equity is not None:
                best = max(equity for equity, _ in turns)
                better = f", best {best:.3f}" if best > equity else ""
                comments.setdefault(number, f"analysis: {equity:.3f}{better}")
        body.at = end


def _analysed_turns(body: _Cursor) -> Iterator[tuple[float, bool]]:
    """The equities of the analysed turns, and which one was played."""
    for _ in range(body.varint()):
        mask, end = body.record()
        body.steps(body.varint())
        yield body.equity(), bool(mask & 4)
        body.at = end


def write(sheet: Sheet) -> str:
    """Raise Usage: the format is read only."""
    raise Usage("OGXM files can be read but not written. Try: --out FILE.mat")
