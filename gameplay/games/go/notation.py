"""Go notation: game parameters, points, positions, handicaps, and drawing."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from gameplay.board import Board, Cell
from gameplay.errors import BadInput, IllegalMove, nearest
from gameplay.plural import plural

LETTERS = "ABCDEFGHJKLMNOPQRST"  # no I, which looks like a 1
MAX_SIZE = len(LETTERS)  # columns and rows
KO_RULES = ("simple", "positional", "situational")
USUAL, KOMI, HANDICAP_KOMI = "usual", 7.5, 0.5  # komi where no number is given
RULES = (CHINESE, TROMP_TAYLOR) = ("chinese", "tromp-taylor")
SIDES = {"x": 0, "b": 0, "black": 0, "o": 1, "w": 1, "white": 1}
_POINT = re.compile(r"([a-zA-Z])0*(\d{1,2})")
_ROWS = re.compile(r"[^\s/\d]*(/[^\s/\d]*)*")


@dataclass(frozen=True)
class GoTerms:
    """The parameters of a game, defaults resolved."""

    columns: int
    rows: int
    suicide: bool
    komi: float
    half_points: int  # White's compensation in half points: komi, and points for a handicap


def terms(
    size: int,
    columns: int,
    rows: int,
    rules: str,
    komi: Any,
    ko: str,
    suicide: Any,
    handicap: int,
    placement: str,
    goal: str,
) -> GoTerms:
    """Resolve a game's parameters. Raises BadInput for a wrong one."""
    wide, high = columns or size, rows or size
    for name, number in (("size", size), ("columns", wide), ("rows", high)):
        if not 1 <= number <= MAX_SIZE:
            raise BadInput(f"{name} must be from 1 to {MAX_SIZE}, not {number}")
    for name, word, right in (
        ("rules", rules, RULES),
        ("ko", ko, KO_RULES),
        ("placement", placement, ("fixed", "free")),
        ("goal", goal, ("win", "points")),
    ):
        if word not in right:
            listed = " or ".join([", ".join(right[:-1]), right[-1]])
            raise BadInput(f"{name} must be {listed}, not '{word}'{nearest(str(word), right)}")
    stones = _check_handicap(handicap, wide, high, placement)
    points = _parse_komi(komi, stones)
    half_points = int(2 * points) + (2 * stones if rules == CHINESE else 0)
    return GoTerms(wide, high, _parse_suicide(suicide, rules), points, half_points)


def _parse_komi(value: Any, stones: int) -> float:
    """Komi in points; `usual` depends on whether there are handicap stones."""
    if value == USUAL:
        return HANDICAP_KOMI if stones else KOMI
    try:
        points = float(value)
    except ValueError:
        points = float("nan")
    if not abs(points) <= 1000 or points % 0.5:
        raise BadInput(f"komi must be a number of whole or half points, such as 7.5, not '{value}'")
    return points


def _parse_suicide(value: Any, rules: str) -> bool:
    """True if suicide is allowed: on, off, or by the rules in use."""
    options = {"rules": rules == TROMP_TAYLOR, "on": True, "true": True, "off": False, "false": False}
    if str(value).lower() not in options:
        raise BadInput(f"suicide must be on, off or rules, not '{value}'")
    return options[str(value).lower()]


def _check_handicap(count: int, columns: int, rows: int, placement: str) -> int:
    """Check the handicap for the board. Raises BadInput if it does not fit."""
    if not count:
        return 0
    most = min(columns * rows - 1, 99) if placement == "free" else len(_handicap_points(columns, rows))
    if not 2 <= count <= most:
        board = f"on a board of {columns}x{rows}"
        if most < 2:
            raise BadInput(
                f"there are no usual points for a handicap {board}: placement=free lets Black choose"
            )
        raise BadInput(f"handicap must be 0 or from 2 to {most} {board}, not {count}")
    return count


def number(column: int, row: int, columns: int) -> int:
    """The point in a column from the left and a row from below, both from 1."""
    return row * (columns + 1) + column


@cache
def outwards(columns: int, rows: int) -> tuple[int, ...]:
    """Every point, the middle first."""
    points = [
        (abs(2 * x - columns - 1), abs(2 * y - rows - 1), -y, x)
        for x in range(1, columns + 1)
        for y in range(1, rows + 1)
    ]
    points.sort(key=lambda point: (point[0] ** 2 + point[1] ** 2, point[2], point[3]))
    return tuple(number(x, -y, columns) for _, _, y, x in points)


def _star_lines(length: int) -> list[int]:
    """The lines of star points, counted from 1: low, high, middle if there is one."""
    if length < 7:
        return []
    low = 3 if length < 13 else 4
    return [low, length + 1 - low, *([(length + 1) // 2] if length % 2 and length > 7 else [])]


def _handicap_points(columns: int, rows: int) -> list[int]:
    """The usual points of handicap stones, in their order, the middle last (GTP 2, section 4.1.1)."""
    across, up = _star_lines(columns), _star_lines(rows)
    if not across or not up:
        return []
    corners = [(0, 0), (1, 1), (1, 0), (0, 1)]
    sides = [(0, 2), (1, 2)] if len(up) == 3 else []
    sides += [(2, 0), (2, 1)] if len(across) == 3 else []
    middle = [(2, 2)] if len(up) == len(across) == 3 else []
    return [number(across[x], up[y], columns) for x, y in [*corners, *sides, *middle]]


def handicap(columns: int, rows: int, count: int) -> list[int]:
    """The points of a fixed handicap of `count` stones; an odd fifth, seventh, ... is in the middle."""
    points = _handicap_points(columns, rows)
    if count % 2 and count > 4 and len(points) == 9:
        return [*points[: count - 1], points[8]]
    return points[:count]


def stars(columns: int, rows: int) -> tuple[Cell, ...]:
    """The star points of a board, as cells: row from the top, column from the left."""
    stride = columns + 1
    points = {divmod(point, stride) for point in _handicap_points(columns, rows)}
    if columns % 2 and rows % 2 and min(columns, rows) >= 5:
        points.add(((rows + 1) // 2, (columns + 1) // 2))
    if min(columns, rows) < 13 and len(points) > 5:
        points = {(y, x) for y, x in points if (2 * y == rows + 1) == (2 * x == columns + 1)}
    return tuple(sorted((rows - y, x - 1) for y, x in points))


# -- shapes -----------------------------------------------------------------------------------------

# The 3x3 patterns of MoGo around the point to play. X and O are stones of one colour and the other,
# x anything but X, o anything but O, ? anything, # the edge; the last is for X only to play.
HANE, CUT, SIDE = (
    ("XOX ... ???", "XO. ... ?.?", "XO? X.. x.?", ".O. X.. ..."),
    ("XO? O.o ?o?", "XO? O.X ???", "?X? O.O ooo", "OX? o.O ???"),
    ("X.? O.? ###", "OX? X.O ###", "?X? x.O ###", "?XO x.x ###", "?OX X.O ###"),
)
X_ALONE = ("XOO ... ?.?",)
_SIGN_COLOURS = {
    ".": (0,),
    "X": (1,),
    "O": (2,),
    "#": (3,),
    "x": (0, 2, 3),
    "o": (0, 1, 3),
    "?": (0, 1, 2, 3),
}
_PATTERN_DIRECTIONS = (5, 1, 4, 2, -1, 0, 6, 3, 7)  # by place in a pattern: the direction of the neighbour


def patterns() -> dict[int, int]:
    """The patterns by code, two bits a neighbour in the order of `offsets`: 1 for Black, 2 White, 3 both."""
    table: dict[int, int] = {}
    for shape, players in [*((each, 3) for each in (*HANE, *CUT, *SIDE)), *((each, 1) for each in X_ALONE)]:
        for image in _symmetric_images(shape.split()):
            sets = [_SIGN_COLOURS[sign] for sign in "".join(image)]
            for swap in (False, True):
                parts = [0]
                for place, options in zip(_PATTERN_DIRECTIONS, sets, strict=True):
                    if place >= 0:
                        bits = [
                            ((3 - colour if swap and colour in (1, 2) else colour) << 2 * place)
                            for colour in options
                        ]
                        parts = [part | bit for part in parts for bit in bits]
                swapped_players = 3 - players if swap and players < 3 else players
                for part in parts:
                    table[part] = table.get(part, 0) | swapped_players
    return table


def _symmetric_images(rows: list[str]) -> set[tuple[str, ...]]:
    """The eight symmetric images of a pattern."""
    images = set()
    for _ in range(4):
        rows = ["".join(row) for row in zip(*rows[::-1], strict=True)]
        images |= {tuple(rows), tuple(row[::-1] for row in rows)}
    return images


# -- text -------------------------------------------------------------------------------------------


def name(point: int, columns: int) -> str:
    """A point, `D4`, or `pass`."""
    return "pass" if not point else LETTERS[point % (columns + 1) - 1] + str(point // (columns + 1))


def point(text: str, columns: int, rows: int) -> int:
    """The point that `text` names. Raises IllegalMove if it is not on the board."""
    word = text.strip()
    if word.lower() == "pass":
        return 0
    match = _POINT.fullmatch(word)
    last = LETTERS[columns - 1] + str(rows)
    if match is None:
        raise IllegalMove(f"'{word}' is not a point from A1 to {last}, or pass")
    letter, row = match[1].upper(), int(match[2])
    if letter == "I":
        raise IllegalMove(f"'{word}': there is no column I, J comes after H")
    if letter not in LETTERS[:columns] or not 1 <= row <= rows:
        raise IllegalMove(f"'{word}' is not on this board, which ends at {last}")
    return number(LETTERS.index(letter) + 1, row, columns)


def split(text: str) -> tuple[list[str], list[str]]:
    """The rows, the side to move and the ko of a position, if `text` begins with them, and the moves."""
    words = text.split()
    if not words or not _ROWS.fullmatch(words[0]) or words[0].lower() == "pass":
        return [], words
    head = 1
    while head < len(words) and (words[head].lower() in SIDES or words[head].lower().startswith("ko=")):
        head += 1
    return words[:head], words[head:]


def read(head: list[str], columns: int, rows: int) -> tuple[list[tuple[int, int]], int, int]:
    """The stones as (point, colour), the side to move, and the point that ko forbids or 0.

    Raises BadInput saying what is wrong.
    """
    lines = head[0].split("/")
    if len(lines) != rows:
        raise BadInput(f"'{head[0]}' has {plural(len(lines), 'row')}; the board has {rows}")
    stones = []
    for at, line in enumerate(lines, 1):
        if len(line) != columns:
            raise BadInput(
                f"row {at}, '{line}', has {plural(len(line), 'point')}; the board has {columns} columns"
            )
        for x, letter in enumerate(line.lower(), 1):
            if letter not in ".xo":
                raise BadInput(f"row {at}, point {x}: '{letter}' is not X, O or .")
            if letter != ".":
                stones.append((number(x, rows + 1 - at, columns), ".xo".index(letter)))
    turn, ko = -1, 0
    for word in head[1:]:
        if word.lower().startswith("ko="):
            ko = point(word[3:], columns, rows)
            if any(ko == each for each, _ in stones):
                raise BadInput(f"{word}: there is a stone on that point")
        elif turn >= 0:
            raise BadInput(f"'{word}' after the side to move")
        else:
            turn = SIDES[word.lower()]
    if turn < 0:
        raise BadInput(f"'{' '.join(head)}' has no side to move: add black or white")
    return stones, turn, ko


@dataclass(frozen=True)
class Territory:
    """Estimated territory, as cells: row from the top, column from the left."""

    owned: dict[Cell, int]  # the owner of each point that one player owns in most playouts
    lead: float  # Black's estimated lead, komi included


def territory(owned: dict[int, float], rows: int, columns: int, half_points: int) -> Territory:
    """The points that one side owns in more than two thirds of playouts, according to `Go.ownership`."""
    stride = columns + 1
    sure = {point: int(share < 0) for point, share in owned.items() if abs(share) > 1 / 3}
    cells = {(rows - point // stride, point % stride - 1): player for point, player in sure.items()}
    return Territory(cells, sum(1 - 2 * player for player in sure.values()) - half_points / 2)


def areas(stones: tuple[tuple[str, ...], ...]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The stones of Black and of White, each with the empty points that touch no other stones."""
    board = {(y, x): stone for y, row in enumerate(stones) for x, stone in enumerate(row)}
    empty = {cell for cell, stone in board.items() if not stone}
    territory = {"X": 0, "O": 0}
    while empty:
        region, borders = [empty.pop()], set()
        for y, x in region:  # grows during the loop
            for cell in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if board.get(cell):
                    borders.add(board[cell])
                elif cell in empty:
                    empty.remove(cell)
                    region.append(cell)
        if len(borders) == 1:
            territory[borders.pop()] += len(region)
    count = [stone for stone in board.values() if stone]
    return (count.count("X"), territory["X"]), (count.count("O"), territory["O"])


def breakdown(stones: tuple[tuple[str, ...], ...], komi: float, half_points: int) -> list[str]:
    """The parts of an area score, a line a side; half_points: komi and compensation for a handicap."""
    handicap = half_points / 2 - komi
    extra = f" {'-' if komi < 0 else '+'} {abs(komi):g} komi" if komi else ""
    extra += f" + {handicap:g} for the handicap" if handicap else ""
    lines = []
    for side, (own_stones, empty), words in zip(("black", "white"), areas(stones), ("", extra), strict=True):
        total = own_stones + empty + (half_points / 2 if words else 0)
        lines.append(f"{side}: {plural(own_stones, 'stone')} + {empty} territory{words} = {total:g}")
    return lines


# -- drawing ----------------------------------------------------------------------------------------


def _points(count: int) -> str:
    return f"{count} captured" if count else ""


def board(
    stones: tuple[tuple[str, ...], ...], last: int | None, moves: list[int], captured: tuple[int, int]
) -> Board:
    """The drawing of a position."""
    rows, columns = len(stones), len(stones[0])

    def cell(point: int) -> Cell:
        y, x = divmod(point, columns + 1)
        return rows - y, x - 1

    right = [((y, x), (y, x + 1)) for y in range(rows) for x in range(columns - 1)]
    down = [((y, x), (y + 1, x)) for y in range(rows - 1) for x in range(columns)]
    return Board(
        cells=stones,
        columns=tuple(LETTERS[:columns]),
        rows=tuple(str(y) for y in range(rows, 0, -1)),
        owners={"X": 0, "O": 1},
        last=(cell(last),) if last else (),
        moves={cell(move): (move,) for move in moves if move},
        ground="goban",
        white=1,
        glyphs={"X": "●", "O": "○"},
        notes={player: _points(captured[player]) for player in (0, 1) if captured[player]},
        links=tuple(right + down),
        stars=tuple(cell for cell in stars(columns, rows) if not stones[cell[0]][cell[1]]),
    )


def drawing(stones: tuple[tuple[str, ...], ...], last: int, captured: tuple[int, int]) -> str:
    """A position in plain characters, the last move in brackets."""
    rows, columns = len(stones), len(stones[0])
    marked = stars(columns, rows)
    heads = "    " + " ".join(LETTERS[:columns])
    lines = [heads]
    for y, row in enumerate(stones):
        text = f"{rows - y:>2} "
        for x, stone in enumerate(row):
            at = number(x + 1, rows - y, columns)
            before = "(" if last and at == last else ")" if last and x and at == last + 1 else " "
            text += before + (stone or ("+" if (y, x) in marked else "."))
        lines.append(
            text + (")" if last and last == number(columns, rows - y, columns) else "") + f" {rows - y}"
        )
    lines.append(heads)
    if any(captured):
        lines.append(f"captured: black {captured[0]}, white {captured[1]}")
    return "\n".join(lines)
