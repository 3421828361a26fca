"""The star of Chinese checkers: its 121 holes, their names and their drawing."""

import re
from collections import deque
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from gameplay.board import Board, Cell
from gameplay.errors import BadInput, IllegalMove, nearest
from gameplay.native.hashing import finalize, spread

WIDTHS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)  # holes of each row, from the top
ROWS, COLUMNS = len(WIDTHS), 25
# Rows are shifted by half a hole: every other column of a row is empty.
CELLS: tuple[Cell, ...] = tuple(
    (y, 13 - width + 2 * x) for y, width in enumerate(WIDTHS) for x in range(width)
)
HOLES = {cell: hole for hole, cell in enumerate(CELLS)}
LETTERS = "abcdefghijklmnopqrstuvwxy"
NAMES = tuple(f"{LETTERS[x]}{ROWS - y}" for y, x in CELLS)
STEPS: tuple[Cell, ...] = ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1))
SIDES = ("blue", "orange", "green", "purple", "white", "red")
SIGNS = "BOGPWR"
# The home corners by number of players, clockwise from the bottom; the goal is the opposite corner.
SEATS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
EXAMPLE = "m1,l2,n2,k3,m3,o3,j4,l4,n4,p4/m17,l16,n16,k15,m15,o15,j14,l14,n14,p14 0"


def _corner_distances(hole: int) -> tuple[int, ...]:
    """The distance of a hole from the centre toward each of the six corners."""
    y, x = CELLS[hole][0] - 8, CELLS[hole][1] - 12
    right, left = (x - y) // 2, -(x + y) // 2  # with y they are the three axes, and sum to 0
    return (y, -right, left, -y, right, -left)


@cache
def corners() -> tuple[int, ...]:
    """The corner of each hole, clockwise from the bottom; -1: none."""
    return tuple(
        next((corner for corner, distance in enumerate(_corner_distances(hole)) if distance >= 5), -1)
        for hole in range(121)
    )


@cache
def neighbours() -> tuple[int, ...]:
    """The six neighbours of each hole, in the order of `STEPS`; -1 where there is none."""
    return tuple(HOLES.get((y + down, x + right), -1) for y, x in CELLS for down, right in STEPS)


@cache
def tip_distances(corner: int) -> tuple[int, ...]:
    """The steps from each hole to the tip of a corner."""
    v, u = CELLS[next(hole for hole in range(121) if _corner_distances(hole)[corner] == 8)]
    return tuple(abs(y - v) + max(0, abs(x - u) - abs(y - v)) // 2 for y, x in CELLS)


@cache
def path_offsets(corner: int) -> tuple[int, ...]:
    """Twice the distance of each hole outside a corner from the line through its tip and the middle."""
    all_distances = [_corner_distances(hole) for hole in range(121)]
    return tuple(
        0 if distances[corner] >= 5 else abs(distances[(corner + 2) % 6] - distances[(corner + 4) % 6])
        for distances in all_distances
    )


@cache
def zobrist() -> tuple[int, ...]:
    """64 random bits for each player at each hole (Zobrist 1970), by SplitMix64."""
    return tuple([finalize(spread(number)) for number in range(1, 6 * 121 + 1)])


def paths(taken: Sequence[int], origin: int) -> dict[int, tuple[int, ...]]:
    """The holes that a peg can reach from `origin`, each with a shortest path, by one step or by hops.

    `taken` is 0 for each hole that is empty; `origin` counts as empty.
    """
    links = neighbours()

    def empty(hole: int) -> bool:
        return hole >= 0 and (hole == origin or not taken[hole])

    routes: dict[int, tuple[int, ...]] = {origin: ()}
    waiting = deque([origin])
    while waiting:
        at = waiting.popleft()
        for direction in range(6):
            over = links[6 * at + direction]
            if over < 0 or empty(over):
                continue
            end = links[6 * over + direction]
            if empty(end) and end not in routes:
                routes[end] = (*routes[at], end)
                waiting.append(end)
    del routes[origin]
    return routes | {hole: (hole,) for hole in links[6 * origin : 6 * origin + 6] if empty(hole)}


def hole(word: str) -> int:
    """The number of the hole called `word`. Raises IllegalMove."""
    if word in NAMES:
        return NAMES.index(word)
    raise IllegalMove(
        f"unknown hole '{word}': expected a column and a row, such as m1 or j4{nearest(word, NAMES)}"
    )


def parse(text: str, moves: dict[tuple[int, int], int], taken: Sequence[int], side: int, who: str) -> int:
    """The legal move that `text` names, with or without the holes between. Raises IllegalMove."""
    words = re.split(r"[-\s]+", text.strip().lower())
    if len(words) < 2 or not all(words):
        raise IllegalMove(
            f"'{text.strip()}' is not a move; a move is two holes, such as {_example_move(moves)}"
        )
    holes = [hole(word) for word in words]
    first, last = holes[0], holes[-1]
    if taken[first] != side + 1:
        raise IllegalMove(
            f"the peg on {words[0]} is not {who}'s" if taken[first] else f"{words[0]} holds no peg of {who}'s"
        )
    if (first, last) not in moves:
        targets = [NAMES[end] for start, end in moves if start == first]
        where = f"it can move to {', '.join(targets[:12])}" if targets else "it cannot move"
        if taken[last]:
            raise IllegalMove(f"'{text.strip()}': {words[-1]} is not empty ({where})")
        raise IllegalMove(f"'{text.strip()}': the peg on {words[0]} cannot get there ({where})")
    if len(holes) > 2:
        gone = list(taken)
        gone[first] = 0
        for start, end in pairwise(holes):
            if not _hop(gone, start, end):
                raise IllegalMove(f"'{text.strip()}': {NAMES[start]} to {NAMES[end]} is not a hop over a peg")
    return moves[first, last]


def _hop(taken: Sequence[int], start: int, end: int) -> bool:
    links = neighbours()
    for direction in range(6):
        over = links[6 * start + direction]
        if over >= 0 and taken[over] and links[6 * over + direction] == end:
            return not taken[end]
    return False


def _example_move(moves: dict[tuple[int, int], int]) -> str:
    if not moves:
        return "j4-i5; here only pass is possible"
    start, end = next(iter(moves))
    return f"{NAMES[start]}-{NAMES[end]}"


def text(taken: Sequence[int], players: int, ply: int) -> str:
    """A position: the holes of each player, `/` between players, and the number of moves made."""
    each = [
        ",".join(NAMES[hole] for hole in range(120, -1, -1) if taken[hole] == player + 1)
        for player in range(players)
    ]
    return f"{'/'.join(each)} {ply}"


def read(words: Sequence[str], players: int, pegs: int) -> tuple[list[int], int]:
    """The pegs on each hole, and the number of moves made. Raises BadInput."""
    taken = [0] * 121
    each = words[0].split("/")
    if len(each) != players:
        raise BadInput(
            f"'{words[0]}': a position must have the holes of {players} players, / between them, "
            f"not {len(each)}"
        )
    for player, names in enumerate(each):
        listed = names.split(",")
        if len(listed) != pegs:
            raise BadInput(
                f"'{names}': {SIDES[player]} must have {pegs} pegs, not {len(listed)} (as in {EXAMPLE})"
            )
        for name in listed:
            if name not in NAMES:
                raise BadInput(f"'{name}' is not a hole: expected a column and a row, such as m1 or j4")
            if taken[NAMES.index(name)]:
                raise BadInput(f"hole {name} is given twice")
            taken[NAMES.index(name)] = player + 1
    if len(words) < 2 or not re.fullmatch("[0-9]{1,6}", words[1]):
        raise BadInput("the holes must be followed by the number of moves made, such as 0")
    return taken, int(words[1])


def board(
    taken: Sequence[int],
    moves: dict[tuple[int, int], int],
    last: tuple[int, int] | None,
    players: int,
    notes: dict[int, str],
) -> Board:
    """The drawing of the star, with the path of the last move marked."""
    cells: list[list[str | None]] = [[None] * COLUMNS for _ in range(ROWS)]
    for number, (y, x) in enumerate(CELLS):
        cells[y][x] = SIGNS[taken[number] - 1] if taken[number] else ""
    pointed: dict[Cell, list[int]] = {}
    routes: dict[int, tuple[Cell, ...]] = {}
    reach: dict[int, dict[int, tuple[int, ...]]] = {}
    for (start, end), move in moves.items():
        if start not in reach:
            reach[start] = paths(taken, start)
        pointed.setdefault(CELLS[start], []).append(move)
        routes[move] = tuple(CELLS[hole] for hole in reach[start][end])
    touched: tuple[int, ...] = ()
    if last is not None:
        before = list(taken)
        before[last[1]] = 0
        touched = (last[0], *paths(before, last[0])[last[1]])
    return Board(
        cells=tuple(map(tuple, cells)),
        columns=tuple(LETTERS),
        rows=tuple(str(ROWS - y) for y in range(ROWS)),
        owners={SIGNS[player]: player for player in range(players)},
        last=tuple(CELLS[hole] for hole in touched),
        moves={cell: tuple(options) for cell, options in pointed.items()},
        paths=routes,
        notes=notes,
        hexagonal=True,
    )


def drawing(taken: Sequence[int]) -> str:
    """The star in plain characters."""
    lines = [[" "] * COLUMNS for _ in range(ROWS)]
    for number, (y, x) in enumerate(CELLS):
        lines[y][x] = SIGNS[taken[number] - 1] if taken[number] else "."
    return "\n".join("".join(line).rstrip() for line in lines)
