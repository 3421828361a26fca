"""Reads Go games from SGF: each tree of nodes becomes a sheet with its tags, moves and variations."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gameplay.store.formats.pgn import DRAWN, ROSTER, Line, Note, Sheet, Step
from gameplay.store.formats.sgf_tree import (
    DEFAULT_SIZE,
    LETTERS,
    MARKS,
    MOVES,
    NAMES,
    NO_MOVE,
    SETUP,
    SgfError,
    SgfNode,
    Values,
    format_size,
    grammar,
    read_tree,
    warn,
)

MAX_SIZE = len(LETTERS)
MAX_NESTING = 200  # nesting depth of variations
HANDLED = ("B", "W", "C", *MARKS)  # properties of a node that are not in `more`
ROOT = ("FF", "GM", "CA", "AP", "ST", "SZ")  # root properties,
GAME_INFO = (  # ... and game-info properties
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
PLAYERS = {"b": 0, "1": 0, "w": 1, "2": 1}  # values of PL, including the numbers in old files
DRAWN_RESULTS = ("0", "draw", "jigo")
_START = re.compile(r"\(\s*(?:;|[A-Z][A-Za-z]*\s*\[)")
_NEXT_GAME = re.compile(r"^[ \t]*\(\s*;\s*(?:FF|GM|CA|SZ)\s*\[", re.MULTILINE)
RESULT = re.compile(r"(B(?:lack)?|W(?:hite)?)\b\s*\+?(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class SgfBoard:
    """The context of moves: the board, and whose turn it is."""

    columns: int
    rows: int
    first: int = 0  # the player who begins
    handicap: int = 0  # consecutive moves of Black before that

    def mover(self, made: int) -> int:
        """The player to move after `made` moves."""
        return 0 if made < self.handicap else (made - self.handicap + self.first) % 2

    def point(self, value: str, at: int, what: str) -> tuple[int, int]:
        """Column and row, counted from 0 at the upper left corner."""
        if len(value) == 2 and value.isascii():
            x, y = (ord(letter) - ord("a") for letter in value)
            if 0 <= x < self.columns and 0 <= y < self.rows:
                return x, y
        last = chr(96 + self.columns) + chr(96 + self.rows)
        board = f"this board of {self.columns}x{self.rows}"
        raise SgfError(at, f"{what}[{value[:20]}] is not a point of {board}, aa to {last}")

    def points(self, more: Values, name: str, at: int) -> list[tuple[int, int]]:
        """The points of a property, single or as rectangles `aa:cc`."""
        points = []
        for value in more.get(name, ()):
            one, _, other = "".join(value.split()).partition(":")
            left, upper = self.point(one, at, name)
            right, lower = self.point(other or one, at, name)
            across = range(min(left, right), max(left, right) + 1)
            points += [(x, y) for y in range(min(upper, lower), max(upper, lower) + 1) for x in across]
        return points

    def word(self, value: str, at: int, what: str) -> str:
        """A move in the notation of Go."""
        if value.lower() in ("", "tt", "pass"):
            return "pass"
        return self.name(*self.point(value, at, what))

    def name(self, x: int, y: int) -> str:
        return f"{LETTERS[x]}{self.rows - y}"


def read(source: Iterable[str], name: str) -> Iterator[Sheet]:
    """Yield the games of a text; invalid ones have a `problem`, located in `name`."""
    data = "\n".join(source)
    number, place, row = 0, 0, 1
    while (start := _START.search(data, place)) is not None:
        number += 1
        row += data.count("\n", place, start.start())
        sheet = Sheet(number=number, at=row)
        begin, place = start.start(), 0
        try:
            root, place = read_tree(data, begin, row, sheet)
            _fill(sheet, root)
        except SgfError as wrong:
            sheet.problem = f"{name}, line {wrong.at}, game {number}: {wrong}"
            if not place:  # continue at what is certainly another game
                after = _NEXT_GAME.search(data, start.end())
                place = after.start() if after is not None else len(data)
        row += data.count("\n", begin, place)
        yield sheet
    if not number and data.strip():
        yield Sheet(problem=f"{name}, line 1, game 1: no game begins here, such as (;GM[1]SZ[19]")


def _plain(more: Values, name: str, default: str = "") -> str:
    """The value of a single-line property."""
    value = more.get(name, [default])[0]
    return str(grammar().simpletext_value(value.encode()).decode("utf-8", "replace")).strip()


def _fill(sheet: Sheet, root: SgfNode) -> None:
    """Read the tree below a root into a sheet."""
    if not root.more.keys().isdisjoint(MOVES):
        _split_root(root)
    while len(root.children) == 1 and root.children[0].more.keys().isdisjoint(MOVES):
        (child,) = root.children  # nodes before the first move belong to the root
        for name, values in child.more.items():
            root.more[name] = [*root.more.get(name, ()), *values] if name in (*SETUP, "C") else values
        root.children = child.children
    more, at = root.more, root.at
    game = _plain(more, "GM", "1")
    if game.lower() not in ("1", "go", ""):
        raise SgfError(at, f"GM[{game[:20]}] is another game; Go is GM[1]")
    columns, rows = _size(_plain(more, "SZ") or DEFAULT_SIZE, at)
    sheet.tags = ROSTER | {"SZ": f"{columns}:{rows}", "RU": _plain(more, "RU")}
    for tag, name in NAMES.items():
        if words := _plain(more, name):
            sheet.tags[tag] = words.replace("-", ".") if tag == "Date" else words
    if "KM" in more:
        sheet.tags["KM"] = _komi(_plain(more, "KM"), sheet, at)
    words = sheet.tags["RE"] = _plain(more, "RE")
    if result := RESULT.fullmatch(words):
        sheet.result = "1-0" if result[1][0].upper() == "W" else "0-1"
    elif words.lower() in DRAWN_RESULTS:
        sheet.result = DRAWN
    board = _start(sheet, root, columns, rows)
    sheet.line = _line(root, board, len(sheet.tags.get("Given", "").split()), sheet)
    sheet.line.more |= {
        name: [value] for name, value in (("FF", "4"), ("GM", "1")) if name in sheet.line.more
    }
    if "SZ" in more:
        sheet.line.more["SZ"] = [format_size(sheet.tags["SZ"])]


def _split_root(root: SgfNode) -> None:
    """Move a move in the root, with its annotations, to a separate node."""
    root_properties = {*ROOT, *GAME_INFO, *SETUP, "PL"}
    move = SgfNode(
        root.at,
        {name: values for name, values in root.more.items() if name not in root_properties},
        root.children,
    )
    move.has_moves = True
    root.more = {name: values for name, values in root.more.items() if name in root_properties}
    root.children = [move]


def _size(words: str, at: int) -> tuple[int, int]:
    size = re.fullmatch(r"(\d{1,3})(?:\s*[:x]\s*(\d{1,3}))?", words, re.ASCII)
    if size is None:
        raise SgfError(at, f"SZ[{words[:20]}] is not a board size such as 19, or 9:7 for columns and rows")
    columns, rows = int(size[1]), int(size[2] or size[1])
    if not (1 <= columns <= MAX_SIZE and 1 <= rows <= MAX_SIZE):
        raise SgfError(at, f"SZ[{words}]: boards up to {MAX_SIZE}x{MAX_SIZE} are supported")
    return columns, rows


def _komi(words: str, sheet: Sheet, at: int) -> str:
    """Komi in points. Some files have stones of Chinese counting, `3.75`, or hundredths, `375`, `650`."""
    komi = re.match(r"[+-]?\d{1,5}(?:[.,]\d{0,5})?|[+-]?[.,]\d{1,5}", words, re.ASCII)
    points = float(komi[0].replace(",", ".").rstrip(".")) if komi is not None else 0
    points /= 100 if 200 <= abs(points) <= 1000 else 1
    points *= 2 if points % 0.5 == 0.25 else 1
    if (komi is None and words) or points % 0.5 or abs(points) > 1000:
        rounded = round(2 * points) / 2 if abs(points) <= 1000 else 0
        warn(sheet, at, f"KM[{words[:20]}] is not in whole or half points; komi is set to {rounded:g}")
        points = rounded
    return f"{points:g}"


def _start(sheet: Sheet, root: SgfNode, columns: int, rows: int) -> SgfBoard:
    """The context at the first move; sets its tags: FEN, or HA with its points in Given."""
    more, at = root.more, root.at
    board = SgfBoard(columns, rows)
    stones: dict[tuple[int, int], str] = {}
    for name, letter in zip(SETUP, "XO.", strict=True):
        stones |= dict.fromkeys(board.points(more, name, at), letter)
    to_move = PLAYERS.get(_plain(more, "PL")[:1].lower())
    if to_move is None and _plain(more, "PL"):
        warn(sheet, at, f"PL[{_plain(more, 'PL')[:20]}] is not B or W; it is ignored")
    words = _plain(more, "HA") or "0"
    if not re.fullmatch(r"\d{1,3}", words, re.ASCII):
        warn(sheet, at, f"HA[{words[:20]}] is not a number of handicap stones; it is ignored")
        words = "0"
    count, opening = int(words), _opening(root)
    black = to_move == 0 or (to_move is None and opening.startswith("B"))
    if count > 1 and set(stones.values()) == {"X"} and len(stones) == count and not black:
        sheet.tags |= {"HA": str(count), "Given": " ".join(board.name(*point) for point in stones)}
        return SgfBoard(columns, rows, 1, count)
    if count > 1 and not stones and ("W" not in opening or opening.startswith("B" * count)):
        sheet.tags["HA"] = str(count)
        return SgfBoard(columns, rows, 1, count)
    first = to_move if to_move is not None else "BW".index(opening[:1] or "B")
    if stones or first:
        rows_text = "/".join("".join(stones.get((x, y), ".") for x in range(columns)) for y in range(rows))
        sheet.tags["FEN"] = f"{rows_text} {('black', 'white')[first]}"
    return SgfBoard(columns, rows, first)


def _opening(root: SgfNode) -> str:
    """The colours of the moves up to White's first: `BBW`."""
    node, sides = root, ""
    while True:
        sides += "B" if "B" in node.more else "W" if "W" in node.more else ""
        if not node.children or sides.endswith("W"):
            return sides
        node = _continuation(node)


def _continuation(node: SgfNode) -> SgfNode:
    """The continuation of the line: the first child with a move in its subtree."""
    return next((child for child in node.children if child.has_moves), node.children[0])


def _line(
    node: SgfNode, board: SgfBoard, made: int, sheet: Sheet, depth: int = 0, after_setup: bool = False
) -> Line:
    """The moves from a node on, `made` moves after the start; depth: nesting of variations.
    A pass is inserted if a player moves twice, except after setup stones.
    """
    line, root = Line(), node
    pending: list[Note] = []  # variations of the next move
    while True:
        notes, more = _annotations(node)
        if depth or node is not root:
            more = {name: values for name, values in more.items() if name not in ROOT}
        names = [name for name in MOVES if name in node.more]
        setup = [name for name in SETUP if name in more]
        if names:
            mover = "BW".index(names[0])
            if board.mover(made) != mover and not after_setup:
                line.steps.append(Step("pass", pending, node.at, 1 - mover))
                pending = []
                made += 1
            word = board.word(node.more[names[0]][0].strip(), node.at, names[0])
            line.steps.append(Step(word, [*pending, *notes], node.at, mover, more=more))
            pending = []
            made += 1
        elif setup and (depth or node is not root):
            line.steps.append(Step(NO_MOVE, [*pending, *notes], node.at, more=more))
            pending, after_setup = [], True
        elif line.steps:
            _add(line.steps[-1].notes, notes)
            line.steps[-1].more |= more
        else:
            _add(line.notes, notes)
            line.more |= more
        if not node.children:
            return line
        main = _continuation(node)
        for child in node.children:
            if child is not main and depth == MAX_NESTING:
                warn(sheet, child.at, f"variations nested more than {MAX_NESTING} deep are omitted")
            elif child is not main:
                other = _line(child, board, made, sheet, depth + 1, after_setup)
                pending += [other] if other.steps or other.notes or other.more else []
        if not main.has_moves:  # no move: the annotations belong to the last move
            for note in pending:
                assert isinstance(note, Line)
                _add((line.steps[-1] if line.steps else line).notes, note.notes)
            pending = []
        node = main


def _add(notes: list[Note], others: list[Note]) -> None:
    """Append notes, joining the comments of one move."""
    for note in others:
        if isinstance(note, str) and notes and isinstance(notes[-1], str):
            notes[-1] += "\n\n" + note
        else:
            notes.append(note)


def _annotations(node: SgfNode) -> tuple[list[Note], Values]:
    """The marks and comment of a node, and its other properties."""
    notes: list[Note] = []
    for name, (plain, strong) in MARKS.items():
        if name in node.more:
            notes.append(strong if node.more[name][0].strip() == "2" else plain)
    comments = [
        grammar().text_value(value.encode()).decode("utf-8", "replace") for value in node.more.get("C", ())
    ]
    _add(notes, [comment.strip() for comment in comments if comment.strip()])
    return notes, {name: values for name, values in node.more.items() if name not in HANDLED}
