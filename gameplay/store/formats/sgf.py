"""Games of Go in SGF, the Smart Game Format, version 4 (A. Hollosi, 1997-2021): trees read, and written back.

    (;FF[4]GM[1]SZ[9]KM[7.5]PB[ann]PW[bob]     the root: the terms of the game, stones that are set up
     ;B[ee];W[ge]C[too far]                    moves, E5 and G5, with comments
     (;B[dc])                                  what was played,
     (;B[cd];W[cf]))                           ... and a variation in the place of that move

A move is a `Step` of a `Line`, as in `gameplay.store.formats.pgn`; what else stands in its node is kept there
word for word (`more`). A node without a move belongs to the move before it. Points count from the upper left
corner. Read are the liberties of real files: text between games, lower case in names, charsets, komi in the
stones of Chinese counting, a side that moves twice (the other one has passed), a handicap of any points.
Stones may be set up in the root, and in variations, which are then kept as they are written. So what is read
and written is read again as the same tree, and what was written is written again byte for byte.
"""

import codecs
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from gameplay import __version__, file_io
from gameplay.errors import BadInput, GameplayError
from gameplay.store.formats import charset, text
from gameplay.store.formats.pgn import DRAWN, ROSTER, Line, Note, Sheet, Step
from gameplay.store.record import Record

LETTERS = "ABCDEFGHJKLMNOPQRST"  # columns as people name them, without I
MOST = len(LETTERS)
DEEPEST = 200  # variations of variations
MOVES = ("B", "W")
PLACED = ("AB", "AW", "AE")  # stones that are put on the board or taken off it
NOWHERE = "--"  # ... are no move: from here on a variation is kept as it is written
USUAL = "19"  # the board size, if none is given

NAMES = {"Event": "EV", "Site": "PC", "Date": "DT", "Round": "RO", "White": "PW", "Black": "PB"}
MARKS = {"TE": (1, 3), "BM": (2, 4), "IT": (5, 5), "DO": (6, 6)}  # as numbers: once, and emphasised
OWN = ("B", "W", "C", *MARKS)  # properties of a node that are no `more`
RULES = {  # what is allowed by rules that files name
    "chinese": {"rules": "chinese"},
    "tromp-taylor": {"rules": "tromp-taylor"},
    "nz": {"rules": "tromp-taylor", "ko": "situational"},
    "aga": {"ko": "situational"},
    "goe": {"suicide": "on", "ko": "simple"},
}
OTHERS = {"ko": "simple"}  # ... by others: nothing that they allow is forbidden
STANDARD = {"chinese": ("positional", False), "tromp-taylor": ("positional", True)}  # ko and suicide
ENDS = {
    **{"resigned": "R", "time": "T", "time_forfeit": "T"},
    **dict.fromkeys(("illegal_move", "protocol_error", "crash", "hang"), "F"),
}

ROOT = ("FF", "GM", "CA", "AP", "ST", "SZ")  # properties that stand in the root alone,
TERMS = (  # ... and those of a whole game
    *(
        "AN",
        "BR",
        "BT",
        "CP",
        "DT",
        "EV",
        "GC",
        "GN",
        "HA",
        "KM",
        "ON",
        "OT",
        "PB",
        "PC",
        "PW",
        "RE",
        "RO",
        "RU",
    ),
    *("SO", "TM", "US", "WR", "WT"),
)
PLAYERS = {"b": 0, "1": 0, "w": 1, "2": 1}  # of PL, with the numbers that old files have

LEVEL = ("0", "draw", "jigo")

Values = dict[str, list[str]]


@dataclass
class _Node:
    """What stands behind a `;`: properties by name, as they are written; where; and what follows."""

    at: int  # the line of the file
    more: Values = field(default_factory=dict)
    children: list["_Node"] = field(default_factory=list)
    moves: bool = field(init=False)  # something is played here or below


class _Misread(Exception):
    """What is wrong, and in which line of the file."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(" ".join(message.split()))
        self.at = at


# -- reading ------------------------------------------------------------------------------------

_CHARSET = re.compile(rb"\bCA\s*\[\s*([\w.:-]+)\s*\]")
_START = re.compile(r"\(\s*(?:;|[A-Z][A-Za-z]*\s*\[)")
_NEXT = re.compile(r"^[ \t]*\(\s*;\s*(?:FF|GM|CA|SZ)\s*\[", re.MULTILINE)
_TOKEN = re.compile(
    r"\s*(?:\[(?P<value>(?:[^\\\]]++|\\.)*+)\]|(?P<name>[A-Za-z]+)|(?P<sign>[();])|(?P<wrong>\S))", re.DOTALL
)
_RESULT = re.compile(r"(B(?:lack)?|W(?:hite)?)\b\s*\+?(.*)", re.IGNORECASE | re.DOTALL)


def lines(path: Path) -> Iterator[str]:
    """The lines of a file, in the charset that it names or most likely has. Raises OSError."""
    data = file_io.content(path)
    encoding = text.wide(data)
    if not encoding:
        data = data.removeprefix(codecs.BOM_UTF8).replace(b"\x1a", b"")
        encoding = "utf-8"
        if not data.isascii():
            encoding = _named(data) or charset.guess(data)
    words = data.decode(encoding, "replace").removeprefix("\ufeff")
    return iter(words.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n").split("\n"))


def _named(data: bytes) -> str:
    """The charset that a file names, if it is known and the file is valid in it; else an empty string."""
    found = _CHARSET.search(data)
    with suppress(LookupError, UnicodeError):
        if found is not None:
            name = codecs.lookup(found[1].decode("ascii")).name
            name = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "iso8859-1": "cp1252"}.get(
                name, name
            )
            if name not in ("ascii", "utf-8"):
                data.decode(name)
                return name
    return ""


def read(source: Iterable[str], name: str) -> Iterator[Sheet]:
    """The games of a text as they are asked for, also those with a `problem` and where in `name` it is."""
    data = "\n".join(source)
    number, place, row = 0, 0, 1
    while (found := _START.search(data, place)) is not None:
        number += 1
        row += data.count("\n", place, found.start())
        sheet = Sheet(number=number, at=row)
        begin, place = found.start(), 0
        try:
            root, place = _tree(data, begin, row, sheet)
            _fill(sheet, root)
        except _Misread as wrong:
            sheet.problem = f"{name}, line {wrong.at}, game {number}: {wrong}"
            if not place:  # go on with what is certainly no variation of this game
                after = _NEXT.search(data, found.end())
                place = after.start() if after is not None else len(data)
        row += data.count("\n", begin, place)
        yield sheet
    if not number and data.strip():
        yield Sheet(problem=f"{name}, line 1, game 1: no game begins here, as (;GM[1]SZ[19] does")


def _tree(data: str, start: int, row: int, sheet: Sheet) -> tuple[_Node, int]:
    """The root of the game that begins there, in that row, all below it, and where the game ends.

    A `;` that is missing behind `(` is implied, a second move in a node begins another, and the end of the
    file ends all variations.
    """
    place, row = start, row
    nodes: list[_Node] = []
    branches: list[_Node | None] = []  # where each variation that is open began
    last: _Node | None = None  # the node that the next one follows
    begun = False  # a variation that has no node yet
    named = ""  # the property whose values are read
    values: list[str] = []
    count = 0  # of the values that it has

    def grow(at: int) -> _Node:
        nonlocal last, begun
        node = _Node(at)
        nodes.append(node)
        if last is not None:
            last.children.append(node)
        last, begun = node, False
        return node

    while True:
        found = _TOKEN.match(data, place)
        if found is None:
            break
        kind, begin = found.lastgroup, found.start(found.lastgroup or 0)
        row += data.count("\n", place, begin)
        if kind == "wrong" and found["wrong"] == "[":
            raise _broken("[", data, begin, row)
        if named and not count and kind != "value":
            raise _Misread(row, f"{named} has no value: write {named}[...]")
        if kind == "value":
            if not named or last is None:
                raise _Misread(row, f"'{_short('[' + found['value'] + ']')}' is the value of no property")
            if named in MOVES and count:  # two moves of one side
                _warn(sheet, row, f"{named}[{found['value'][:20]}] is a second move in one node")
                values = grow(row).more.setdefault(named, [])
            values.append(found["value"])
            count += 1
        elif kind == "name":
            if last is None and not begun:
                raise _Misread(row, f"'{_short(found['name'])}' has no meaning here")
            node = grow(row) if begun or last is None else last
            named = re.sub("[a-z]", "", found["name"]) or found["name"].upper()
            if named in MOVES and node is not nodes[0] and not node.more.keys().isdisjoint({*MOVES, *PLACED}):
                if not node.more.keys().isdisjoint(MOVES):
                    _warn(sheet, row, f"{named} is a second move in one node")
                node = grow(row)
            elif named in PLACED and node is not nodes[0] and not node.more.keys().isdisjoint(MOVES):
                _warn(sheet, row, f"{named} stands in one node with a move")
                node = grow(row)
            values = node.more.setdefault(named, [])
            count = 0
        elif kind == "wrong":
            raise _broken(found["wrong"], data, begin, row)
        else:
            named = ""
            if found["sign"] == "(":
                branches.append(last)
                begun = True
            elif found["sign"] == ";":
                grow(row)
            else:
                last, begun = branches.pop(), False
        row += data.count("\n", begin, found.end())
        place = found.end()
        if not branches:
            break
    if branches:
        if named and not count:
            raise _Misread(row, f"{named} has no value: write {named}[...]")
        _warn(sheet, row, "the file ends within the game: ')' is missing")
        place = len(data)
    if not nodes:
        raise _Misread(row, "the game has no node: write (;GM[1]...)")
    for node in reversed(nodes):
        node.moves = not node.more.keys().isdisjoint({*MOVES, *PLACED})
        node.moves = node.moves or any(child.moves for child in node.children)
    return nodes[0], place


def _warn(sheet: Sheet, at: int, warning: str) -> None:
    sheet.warnings.append(f"line {at}: {' '.join(warning.split())}")


def _broken(sign: str, data: str, place: int, row: int) -> _Misread:
    """Why nothing more of a game could be read there."""
    column = place - data.rfind("\n", 0, place)
    if sign == "[":
        return _Misread(row, f"column {column}: a value is not closed: ']' is missing")
    return _Misread(row, f"column {column}: '{_short(data[place : place + 80])}' has no meaning here")


def _short(words: str) -> str:
    plain = " ".join(words[:80].split())
    return plain if len(plain) <= 20 else plain[:20] + "..."


@cache
def _grammar() -> Any:
    """The grammar of sgfmill; Python warns of escape sequences in its source when it compiles it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from sgfmill import sgf_grammar

    return sgf_grammar


def _plain(more: Values, name: str, default: str = "") -> str:
    """The value of a property that is one line of text."""
    value = more.get(name, [default])[0]
    return str(_grammar().simpletext_value(value.encode()).decode("utf-8", "replace")).strip()


@dataclass(frozen=True)
class _Table:
    """What moves are understood by: the board, and who is on turn after how many moves."""

    columns: int
    rows: int
    first: int = 0  # who begins
    given: int = 0  # moves that Black makes one after another before

    def mover(self, made: int) -> int:
        """Who is on turn after so many moves."""
        return 0 if made < self.given else (made - self.given + self.first) % 2

    def point(self, value: str, at: int, what: str) -> tuple[int, int]:
        """Column and row, from 0 and the upper left corner."""
        if len(value) == 2 and value.isascii():
            x, y = (ord(letter) - ord("a") for letter in value)
            if 0 <= x < self.columns and 0 <= y < self.rows:
                return x, y
        last = chr(96 + self.columns) + chr(96 + self.rows)
        board = f"this board of {self.columns}x{self.rows}"
        raise _Misread(at, f"{what}[{value[:20]}] is no point of {board}, aa to {last}")

    def points(self, more: Values, name: str, at: int) -> list[tuple[int, int]]:
        """The points of a property, one by one or as rectangles, `aa:cc`."""
        found = []
        for value in more.get(name, ()):
            one, _, other = "".join(value.split()).partition(":")
            left, upper = self.point(one, at, name)
            right, lower = self.point(other or one, at, name)
            across = range(min(left, right), max(left, right) + 1)
            found += [(x, y) for y in range(min(upper, lower), max(upper, lower) + 1) for x in across]
        return found

    def word(self, value: str, at: int, what: str) -> str:
        """A move as Go writes it."""
        if value.lower() in ("", "tt", "pass"):
            return "pass"
        return self.name(*self.point(value, at, what))

    def name(self, x: int, y: int) -> str:
        return f"{LETTERS[x]}{self.rows - y}"


def _fill(sheet: Sheet, root: _Node) -> None:
    """Read the tree below a root into a sheet."""
    if not root.more.keys().isdisjoint(MOVES):
        _part(root)
    while len(root.children) == 1 and root.children[0].more.keys().isdisjoint(MOVES):
        (child,) = root.children  # what stands before the first move belongs to the root
        for name, values in child.more.items():
            root.more[name] = [*root.more.get(name, ()), *values] if name in (*PLACED, "C") else values
        root.children = child.children
    more, at = root.more, root.at
    game = _plain(more, "GM", "1")
    if game.lower() not in ("1", "go", ""):
        raise _Misread(at, f"GM[{game[:20]}] is another game; Go is GM[1]")
    columns, rows = _size(_plain(more, "SZ") or USUAL, at)
    sheet.tags = ROSTER | {"SZ": f"{columns}:{rows}", "RU": _plain(more, "RU")}
    for tag, name in NAMES.items():
        if words := _plain(more, name):
            sheet.tags[tag] = words.replace("-", ".") if tag == "Date" else words
    if "KM" in more:
        sheet.tags["KM"] = _komi(_plain(more, "KM"), sheet, at)
    words = sheet.tags["RE"] = _plain(more, "RE")
    if found := _RESULT.fullmatch(words):
        sheet.result = "1-0" if found[1][0].upper() == "W" else "0-1"
    elif words.lower() in LEVEL:
        sheet.result = DRAWN
    table = _start(sheet, root, columns, rows)
    sheet.line = _line(root, table, len(sheet.tags.get("Given", "").split()), sheet)
    sheet.line.more |= {
        name: [value] for name, value in (("FF", "4"), ("GM", "1")) if name in sheet.line.more
    }
    if "SZ" in more:
        sheet.line.more["SZ"] = [_spelled_size(sheet.tags["SZ"])]


def _part(root: _Node) -> None:
    """Give the move in a root, with what is said of it, a node of its own."""
    kept = {*ROOT, *TERMS, *PLACED, "PL"}
    move = _Node(
        root.at, {name: values for name, values in root.more.items() if name not in kept}, root.children
    )
    move.moves = True
    root.more = {name: values for name, values in root.more.items() if name in kept}
    root.children = [move]


def _size(words: str, at: int) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,3})(?:\s*[:x]\s*(\d{1,3}))?", words, re.ASCII)
    if found is None:
        raise _Misread(at, f"SZ[{words[:20]}] is no size of a board, such as 19, or 9:7 for columns and rows")
    columns, rows = int(found[1]), int(found[2] or found[1])
    if not (1 <= columns <= MOST and 1 <= rows <= MOST):
        raise _Misread(at, f"SZ[{words}]: boards up to {MOST}x{MOST} are played here")
    return columns, rows


def _spelled_size(tag: str) -> str:
    """The value of SZ: one number for a square board, as the format demands."""
    columns, _, rows = tag.partition(":")
    return columns if rows in ("", columns) else tag


def _komi(words: str, sheet: Sheet, at: int) -> str:
    """Komi in points. Some write stones by Chinese counting, `3.75`, some hundredths, `375`, `650`."""
    found = re.match(r"[+-]?\d{1,5}(?:[.,]\d{0,5})?|[+-]?[.,]\d{1,5}", words, re.ASCII)
    points = float(found[0].replace(",", ".").rstrip(".")) if found is not None else 0
    points /= 100 if 200 <= abs(points) <= 1000 else 1
    points *= 2 if points % 0.5 == 0.25 else 1
    if (found is None and words) or points % 0.5 or abs(points) > 1000:
        rounded = round(2 * points) / 2 if abs(points) <= 1000 else 0
        _warn(
            sheet, at, f"KM[{words[:20]}] is no number of whole or half points; komi is read as {rounded:g}"
        )
        points = rounded
    return f"{points:g}"


def _start(sheet: Sheet, root: _Node, columns: int, rows: int) -> _Table:
    """Where the moves begin, and set the tags for it: FEN; or HA, with its points in Given."""
    more, at = root.more, root.at
    table = _Table(columns, rows)
    stones: dict[tuple[int, int], str] = {}
    for name, letter in zip(PLACED, "XO.", strict=True):
        stones |= dict.fromkeys(table.points(more, name, at), letter)
    said = PLAYERS.get(_plain(more, "PL")[:1].lower())
    if said is None and _plain(more, "PL"):
        _warn(sheet, at, f"PL[{_plain(more, 'PL')[:20]}] is not B or W, and is passed over")
    words = _plain(more, "HA") or "0"
    if not re.fullmatch(r"\d{1,3}", words, re.ASCII):
        _warn(sheet, at, f"HA[{words[:20]}] is no number of handicap stones, and is passed over")
        words = "0"
    count, opening = int(words), _opening(root)
    black = said == 0 or (said is None and opening.startswith("B"))
    if count > 1 and set(stones.values()) == {"X"} and len(stones) == count and not black:
        sheet.tags |= {"HA": str(count), "Given": " ".join(table.name(*point) for point in stones)}
        return _Table(columns, rows, 1, count)
    if count > 1 and not stones and ("W" not in opening or opening.startswith("B" * count)):
        sheet.tags["HA"] = str(count)
        return _Table(columns, rows, 1, count)
    first = said if said is not None else "BW".index(opening[:1] or "B")
    if stones or first:
        board = "/".join("".join(stones.get((x, y), ".") for x in range(columns)) for y in range(rows))
        sheet.tags["FEN"] = f"{board} {('black', 'white')[first]}"
    return _Table(columns, rows, first)


def _opening(root: _Node) -> str:
    """Who makes the moves of the game, until the first one of White: `BBW`."""
    node, sides = root, ""
    while True:
        sides += "B" if "B" in node.more else "W" if "W" in node.more else ""
        if not node.children or sides.endswith("W"):
            return sides
        node = _ahead(node)


def _ahead(node: _Node) -> _Node:
    """How the line goes on: by the first child in which something is played."""
    return next((child for child in node.children if child.moves), node.children[0])


def _line(
    node: _Node, table: _Table, made: int, sheet: Sheet, depth: int = 0, placed_before: bool = False
) -> Line:
    """The moves from a node on, `made` moves after the start; `depth`: of variations.

    A pass is inserted where a player moves twice, except where stones were placed before.
    """
    line, root = Line(), node
    waiting: list[Note] = []  # variations in the place of the next move
    while True:
        notes, more = _said(node)
        if depth or node is not root:
            more = {name: values for name, values in more.items() if name not in ROOT}
        names = [name for name in MOVES if name in node.more]
        placed = [name for name in PLACED if name in more]
        if names:
            mover = "BW".index(names[0])
            if table.mover(made) != mover and not placed_before:
                line.steps.append(Step("pass", waiting, node.at, 1 - mover))
                waiting = []
                made += 1
            word = table.word(node.more[names[0]][0].strip(), node.at, names[0])
            line.steps.append(Step(word, [*waiting, *notes], node.at, mover, more=more))
            waiting = []
            made += 1
        elif placed and (depth or node is not root):
            line.steps.append(Step(NOWHERE, [*waiting, *notes], node.at, more=more))
            waiting, placed_before = [], True
        elif line.steps:
            _add(line.steps[-1].notes, notes)
            line.steps[-1].more |= more
        else:
            _add(line.notes, notes)
            line.more |= more
        if not node.children:
            return line
        ahead = _ahead(node)
        for child in node.children:
            if child is not ahead and depth == DEEPEST:
                _warn(sheet, child.at, f"variations more than {DEEPEST} deep are left out")
            elif child is not ahead:
                other = _line(child, table, made, sheet, depth + 1, placed_before)
                waiting += [other] if other.steps or other.notes or other.more else []
        if not ahead.moves:  # nothing is: all that is said belongs to the last move
            for note in waiting:
                assert isinstance(note, Line)
                _add((line.steps[-1] if line.steps else line).notes, note.notes)
            waiting = []
        node = ahead


def _add(notes: list[Note], more: list[Note]) -> None:
    """Add notes to others; comments of one move are one comment."""
    for note in more:
        if isinstance(note, str) and notes and isinstance(notes[-1], str):
            notes[-1] += "\n\n" + note
        else:
            notes.append(note)


def _said(node: _Node) -> tuple[list[Note], Values]:
    """The marks and the comment of a node, and what else stands in it."""
    notes: list[Note] = []
    for name, (plain, strong) in MARKS.items():
        if name in node.more:
            notes.append(strong if node.more[name][0].strip() == "2" else plain)
    comments = [
        _grammar().text_value(value.encode()).decode("utf-8", "replace") for value in node.more.get("C", ())
    ]
    _add(notes, [comment.strip() for comment in comments if comment.strip()])
    return notes, {name: values for name, values in node.more.items() if name not in OWN}


# -- the game -----------------------------------------------------------------------------------


def spec(sheet: Sheet, find: Callable[[str], Any]) -> str:
    """The game that a sheet is of; `find` gives the game of a spec."""
    tags = sheet.tags
    columns, _, rows = tags.get("SZ", f"{USUAL}:{USUAL}").partition(":")
    options = {"size": columns} if columns == rows else {"columns": columns, "rows": rows}
    options["komi"] = tags.get("KM", "0")
    words = tags.get("RU", "").lower().split()
    named = " ".join(word for word in words if "=" not in word).replace("new zealand", "nz").replace(" ", "-")
    options |= RULES.get(named, OTHERS)
    options |= dict(word.split("=", 1) for word in words if re.fullmatch(r"(ko|suicide|goal)=\w+", word))
    if count := tags.get("HA", ""):
        fixed = options | {"handicap": count}
        given = set(tags.get("Given", "").split())
        with suppress(GameplayError):  # no such handicap has usual points
            if given and given == _black(find(_spelled(fixed)).new("")):
                return _spelled(fixed)
        options = fixed | {"placement": "free"}
    return _spelled(options)


def _spelled(options: dict[str, str]) -> str:
    return "go:" + ",".join(f"{name}={value}" for name, value in options.items())


def _black(position: Any) -> set[str]:
    """The points where Black has stones."""
    rows = position.stones()
    table = _Table(len(rows[0]), len(rows))
    return {table.name(x, y) for y, row in enumerate(rows) for x, stone in enumerate(row) if stone == "X"}


def fit(sheet: Sheet, position: Any) -> None:
    """Have a sheet begin where the game does. Raises BadInput if it is a game on another board."""
    size = f"{position.columns}:{position.rows}"
    if sheet.tags.get("SZ", size) != size:
        board = sheet.tags["SZ"].replace(":", "x")
        raise BadInput(f"the game is on a board of {board}, not {size.replace(':', 'x')}")
    count = int(sheet.tags.get("HA", "0"))
    if count != position.handicap:
        raise BadInput(f"the game has a handicap of {count}, not {position.handicap}")
    if position.handicap and position.placement == "free":
        given = sheet.tags.get("Given", "").split()
        sheet.line.steps[:0] = [Step(word, at=1) for word in given]


def reason(tags: dict[str, str]) -> str:
    """Why a game ended before its rules ended it, by the tag RE: `resigned`, `time`, or an empty string."""
    found = _RESULT.fullmatch(tags.get("RE", ""))
    return {"R": "resigned", "T": "time"}.get(found[2].strip().upper()[:1], "") if found is not None else ""


def margin(tags: dict[str, str], position: Any) -> tuple[float, float] | None:
    """The payoffs by the tag RE in games scored in points; None if it does not state them."""
    found = _RESULT.fullmatch(tags.get("RE", ""))
    if found is None:
        return (0, 0) if tags.get("RE", "").lower() in LEVEL else None
    words = found[2].strip()
    points = float(words) if re.fullmatch(r"\d{1,3}(\.\d)?", words, re.ASCII) else 0
    if words[:1].upper() in ("R", "T", "F"):
        points = float(position.stake)
    if not points:
        return None
    return (points, -points) if found[1][0].upper() == "B" else (-points, points)


def terms(position: Any) -> dict[str, str]:
    """What the root says of a game's terms, of a position at its start."""
    size = f"{position.columns}:{position.rows}" if position.columns != position.rows else position.columns
    rules = [position.rules.title()]
    ko, suicide = STANDARD[position.rules]
    rules += [f"ko={position.ko}"] if position.ko != ko else []
    rules += [f"suicide={'on' if position.suicide else 'off'}"] if position.suicide != suicide else []
    rules += [f"goal={position.goal}"] if position.goal != "win" else []
    found = {"SZ": str(size), "KM": f"{position.komi:g}", "RU": " ".join(rules)}
    if position.handicap:
        found |= {"HA": str(position.handicap)}
        found |= _setup(position) if position.placement == "fixed" else {"Free": "yes"}
    return found


def begins(position: Any) -> dict[str, str]:
    """What the root says of a position to begin from, and the moves that led there. Raises BadInput."""
    head: list[str] = []
    moves: list[str] = []
    for word in position.text().split():
        (moves if moves or word == "pass" or re.fullmatch(r"[A-Z]\d+", word) else head).append(word)
    if any(word.startswith("ko=") for word in head):
        raise BadInput("a file in SGF cannot say where ko forbids to take back")
    played = []
    for word in reversed(moves):
        position.unmake()
        played.append("BW"[position.turn] + word)
    found = _setup(position) | ({"PL": "BW"[position.turn]} if head else {})
    for word in moves:
        position.make(position.parse(word))
    return found | {"Before": " ".join(reversed(played))}


def _setup(position: Any) -> dict[str, str]:
    """The stones on the board, as values of AB and AW."""
    found: dict[str, str] = {}
    for name, stone in (("AB", "X"), ("AW", "O")):
        points = [
            chr(97 + x) + chr(97 + y)
            for y, row in enumerate(position.stones())
            for x, each in enumerate(row)
            if each == stone
        ]
        found[name] = " ".join(points)
    return found


def note_result(sheet: Sheet, position: Any, record: Record) -> None:
    """Set the tag RE to the winner and how the game was won; `position` is the start."""
    result = record.result
    if result is None:
        return
    if result[0] == result[1]:
        sheet.tags["RE"] = "0"
        return
    how = ENDS.get(record.reason, "")
    if record.margin is not None:
        how = f"{abs(record.margin):g}"
    elif not how and position.scored:
        how = f"{abs(result[0]):g}"
    elif record.reason == "rules":
        for step in sheet.line.steps:
            position.make(position.parse(step.word))
        how = f"{abs(position.lead()):g}"
    sheet.tags["RE"] = f"{'B' if result[0] > result[1] else 'W'}+{how}"


# -- writing ------------------------------------------------------------------------------------


def write(sheet: Sheet) -> str:
    """The text of a game, ending in a line's end."""
    tags = sheet.tags
    root: Values = {"FF": ["4"], "GM": ["1"], "CA": ["UTF-8"], "AP": [f"gameplay:{__version__}"]}
    for tag, name in NAMES.items():
        words = tags.get(tag, "?")
        if words != ROSTER[tag]:
            root[name] = [_escaped(words.replace(".", "-") if tag == "Date" else words)]
    for name in ("SZ", "KM", "RU", "HA", "PL", "RE"):
        if tags.get(name):
            root[name] = [_spelled_size(tags[name]) if name == "SZ" else _escaped(tags[name])]
    for name in PLACED[:2]:
        if tags.get(name):
            root[name] = tags[name].split()
    if control := tags.get("TimeControl", "-").replace("-", ""):
        main = re.match(r"(\d+(?:\.\d+)?)(?=\+|$)", control)
        root |= {"TM": [main[1]]} if main else {}
        root |= {"OT": [_escaped(control)]} if not main or main[1] != control else {}
    size = tags.get("SZ", USUAL)
    rows = int(size.rpartition(":")[2])
    line = Line(sheet.line.notes, sheet.line.steps, root | sheet.line.more)
    line.more["CA"] = ["UTF-8"]
    before = [Step(word[1:], mover="BW".index(word[0])) for word in tags.get("Before", "").split()]
    steps = [*before, *line.steps]
    given = int(tags.get("HA") or 0)
    if 0 < given <= len(steps) and tags.get("Free") and not any(step.notes for step in steps[:given]):
        line.more["AB"] = [_point(step.word, rows) for step in steps[:given]]
        steps = steps[given:]
    elif given and tags.get("Given") and steps[:given] and steps[0].word in tags["Given"].split():
        steps = steps[given:]
    line.steps = steps
    tree = _grammar().Coarse_game_tree()
    _grow(tree, line, rows)
    return str(_grammar().serialise_game_tree(tree).decode())


def _escaped(words: str) -> str:
    return str(_grammar().escape_text(words.encode()).decode())


def _point(word: str, rows: int) -> str:
    """A move as SGF writes it."""
    return "" if word == "pass" else chr(97 + LETTERS.index(word[0])) + chr(97 + rows - int(word[1:]))


def _grow(tree: Any, line: Line, rows: int) -> None:
    """Write a line and its variations into a tree of sgfmill's."""
    if line.notes or line.more:
        tree.sequence.append(_properties({}, line.notes, line.more))
    for step in line.steps:
        others = [note for note in step.notes if isinstance(note, Line)]
        if others:
            if not tree.sequence:
                tree.sequence.append({})
            trees = [_grammar().Coarse_game_tree() for _ in range(1 + len(others))]
            tree.children.extend(trees)
            for other, place in zip(others, trees[1:], strict=True):
                _grow(place, other, rows)
            tree = trees[0]
        own = {} if step.word == NOWHERE else {"BW"[step.mover]: [_point(step.word, rows)]}
        tree.sequence.append(_properties(own, step.notes, step.more))


def _properties(own: Values, notes: Sequence[Note], more: Values) -> dict[str, list[bytes]]:
    """The properties of a node as sgfmill takes them."""
    found = own | more
    comments = [note for note in notes if isinstance(note, str)]
    if comments:
        found["C"] = [_escaped("\n\n".join(comments))]
    for name, (plain, strong) in MARKS.items():
        if strong in notes or plain in notes:
            found[name] = ["2" if plain != strong and strong in notes else "" if plain == strong else "1"]
    return {name: [value.encode() for value in values] for name, values in found.items()}
