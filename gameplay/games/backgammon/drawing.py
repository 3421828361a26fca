"""Drawings of backgammon: the board, the dice and the cube; a position in plain characters."""

from collections.abc import Sequence

from gameplay.board import Board, Cell, Tray
from gameplay.games.backgammon.layout import *
from gameplay.games.backgammon.notation import NAMES, Step, steps

Way = tuple[tuple[int, int], tuple[int, int]]  # from a cell of the board to a cell
ROWS = (range(13, 25), range(12, 0, -1))  # the points of player 0 from the left, above and below


def cell(point: int, player: int) -> tuple[int, int]:
    """The row and the column where a point of a player is drawn; player 0 goes home below, player 1 above."""
    if point == BAR:
        return player, 6
    if point == 0:
        return 1 - player, 13
    ours = point if player == 0 else 25 - point
    row = int(ours <= 12)
    column = ROWS[row].index(ours)
    return row, column + (column >= 6)


def ways(steps: Sequence[Step], other: Sequence[int], mover: int) -> tuple[tuple[Way, ...], ...]:
    """The step sequences that enter a turn on the board: as it is, or for one man the other die first."""
    found = [[(source, to) for source, to, _ in steps]]
    if len(steps) == 2 and steps[0][1] == steps[1][0] and not steps[0][2]:
        (start, stop, _), (_, end, _) = steps
        between = start - (stop - end)
        if between != stop and end and other[BAR - between] == 0:
            found.append([(start, between), (between, end)])
    return tuple(tuple((cell(source, mover), cell(to, mover)) for source, to in way) for way in found if way)


def text(state: Sequence[int]) -> str:
    """A state in plain characters, with the points as the side on roll counts them: X white, O black."""
    mover = state[MOVER]
    men = (state[:OTHER], state[OTHER : 2 * OTHER])
    rows = []
    for order in ROWS:
        cells = []
        for point in order:
            white, black = (men[0][point], men[1][25 - point])
            cells.append(f"X{white}" if white else f"O{black}" if black else ".")
        names = [str(point if mover == 0 else 25 - point) for point in order]
        line = " ".join(f"{name:>3}" for name in names)
        body = " ".join(f"{cell:>3}" for cell in cells)
        rows += [line, body] if order is ROWS[0] else [body, line]
    bar = f"bar X{men[0][BAR]} O{men[1][BAR]}, off X{men[0][0]} O{men[1][0]}"
    return "\n".join([*rows, bar])


def board(state: Sequence[int], match: int, cube: bool, moves: Sequence[int], last: Sequence[Cell]) -> Board:
    """How to draw a state, with the side that is to move, or moved last, counting the points.

    The points 13 to 24 of white above, 12 to 1 below; between them the bar, on the right what is off. `moves`
    are the legal turns, `last` the cells where men landed in the last one.
    """
    mover = state[MOVER]
    men = (state[:OTHER], state[OTHER : 2 * OTHER])
    cells: list[list[str | None]] = [[""] * 14, [""] * 14]
    counts = {}
    names = {}
    for player in (0, 1):
        for point in range(26):
            row, column = cell(point, player)
            if men[player][point]:
                cells[row][column] = "XO"[player]
                counts[row, column] = men[player][point]
            if player == mover:
                names[row, column] = NAMES.get(point, str(point))
            elif point in NAMES:
                names[row, column] = f"their {NAMES[point]}"
    starts: dict[Cell, list[int]] = {}
    paths = {}
    entries = {}
    for move in moves:
        turn = steps(state, move)
        for source in sorted({source for source, _, _ in turn if men[mover][source]}):
            starts.setdefault(cell(source, mover), []).append(move)
        entries[move] = ways(turn, men[1 - mover], mover)
        if turn:
            paths[move] = tuple([cell(to, mover) for _, to, _ in turn])
    labels = [[str(point if mover == 0 else 25 - point) for point in row] for row in ROWS]
    for line in labels:
        line.insert(6, "bar")
        line.append("off")
    return Board(
        cells=tuple([tuple(row) for row in cells]),
        columns=tuple(labels[0]),
        rows=("", ""),
        feet=tuple(labels[1]),
        owners={"X": 0, "O": 1},
        moves={at: tuple(found) for at, found in starts.items()},
        paths=paths,
        steps={move: found for move, found in entries.items() if found},
        hit={player: cell(BAR, player) for player in (0, 1)},
        names=names,
        last=tuple(last),
        ground="points",
        walls=(6, 7, 13),
        white=0,
        glyphs={"X": "○", "O": "●"},
        counts=counts,
        notes={player: standing(state, match, player) for player in (0, 1)},
        trays=trays(state, cube),
    )


def standing(state: Sequence[int], match: int, player: int) -> str:
    """`pips 167`, and in a match the points."""
    pips = sum([point * state[OTHER * player + point] for point in range(26)])
    points = f"{state[SCORE + player]} of {match} points, " if match else ""
    return f"{points}pips {pips}"


def trays(state: Sequence[int], cube: bool) -> tuple[Tray, ...]:
    """The dice, and the cube where it is played with."""
    dice = [state[HIGH], state[LOW]]
    if dice[0] == dice[1]:
        dice *= 2
    found = [Tray("dice", tuple([str(die) if die else "" for die in dice[: 4 if dice[0] else 2]]))]
    if cube:
        found.append(Tray("cube", (str(1 << state[CUBE]),)))
    return tuple(found)
