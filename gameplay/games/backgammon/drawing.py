"""Backgammon drawings: board, dice and cube; positions as plain text."""

from collections.abc import Sequence

from gameplay.board import Board, Cell, Tray
from gameplay.games.backgammon.layout import *
from gameplay.games.backgammon.notation import NAMES, Step, steps
from gameplay.plural import plural

CellStep = tuple[tuple[int, int], tuple[int, int]]  # start and end cell
ROWS = (range(13, 25), range(12, 0, -1))  # the points of player 0 from the left, top and bottom


def cell(point: int, player: int) -> tuple[int, int]:
    """The cell (row, column) of a player's point; the home of player 0 is below, that of player 1 above."""
    if point == BAR:
        return player, 6
    if point == 0:
        return 1 - player, 13
    column_point = point if player == 0 else 25 - point
    row = int(column_point <= 12)
    column = ROWS[row].index(column_point)
    return row, column + (column >= 6)


def step_paths(steps: Sequence[Step], other: Sequence[int], mover: int) -> tuple[tuple[CellStep, ...], ...]:
    """The step sequences that select a play on the board: as generated, or with the other die first."""
    paths = [[(source, to) for source, to, _ in steps]]
    if len(steps) == 2 and steps[0][1] == steps[1][0] and not steps[0][2]:
        (start, stop, _), (_, end, _) = steps
        between = start - (stop - end)
        if between != stop and end and other[BAR - between] == 0:
            paths.append([(start, between), (between, end)])
    return tuple(
        tuple((cell(source, mover), cell(to, mover)) for source, to in path) for path in paths if path
    )


def text(state: Sequence[int]) -> str:
    """A state as plain text, X white and O black; points are numbered by the side on roll."""
    mover = state[MOVER]
    checkers = (state[:OTHER], state[OTHER : 2 * OTHER])
    rows = []
    for order in ROWS:
        cells = []
        for point in order:
            white, black = (checkers[0][point], checkers[1][25 - point])
            cells.append(f"X{white}" if white else f"O{black}" if black else ".")
        names = [str(point if mover == 0 else 25 - point) for point in order]
        line = " ".join(f"{name:>3}" for name in names)
        body = " ".join(f"{cell:>3}" for cell in cells)
        rows += [line, body] if order is ROWS[0] else [body, line]
    bar = f"bar X{checkers[0][BAR]} O{checkers[1][BAR]}, off X{checkers[0][0]} O{checkers[1][0]}"
    return "\n".join([*rows, bar])


def board(state: Sequence[int], match: int, cube: bool, moves: Sequence[int], last: Sequence[Cell]) -> Board:
    """The drawing of a state; points are numbered by the side on roll.

    White's points 13 to 24 are above, 12 to 1 below, the bar between, the borne-off checkers on the right.
    moves: the legal plays; last: the cells where checkers landed in the last play.
    """
    mover = state[MOVER]
    checkers = (state[:OTHER], state[OTHER : 2 * OTHER])
    cells: list[list[str | None]] = [[""] * 14, [""] * 14]
    counts = {}
    names = {}
    for player in (0, 1):
        for point in range(26):
            row, column = cell(point, player)
            if checkers[player][point]:
                cells[row][column] = "XO"[player]
                counts[row, column] = checkers[player][point]
            if player == mover:
                names[row, column] = NAMES.get(point, str(point))
            elif point in NAMES:
                names[row, column] = f"their {NAMES[point]}"
    starts: dict[Cell, list[int]] = {}
    paths = {}
    entries = {}
    for move in moves:
        turn = steps(state, move)
        for source in sorted({source for source, _, _ in turn if checkers[mover][source]}):
            starts.setdefault(cell(source, mover), []).append(move)
        entries[move] = step_paths(turn, checkers[1 - mover], mover)
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
        moves={at: tuple(plays) for at, plays in starts.items()},
        paths=paths,
        steps={move: entry for move, entry in entries.items() if entry},
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
    """The pip count, `pips 167`, after the score in a match."""
    pips = sum([point * state[OTHER * player + point] for point in range(26)])
    points = f"{state[SCORE + player]} of {plural(match, 'point')}, " if match else ""
    return f"{points}pips {pips}"


def trays(state: Sequence[int], cube: bool) -> tuple[Tray, ...]:
    """The dice, and the cube if it is in use."""
    dice = [state[HIGH], state[LOW]]
    if dice[0] == dice[1]:
        dice *= 2
    shown = [Tray("dice", tuple([str(die) if die else "" for die in dice[: 4 if dice[0] else 2]]))]
    if cube:
        shown.append(Tray("cube", (str(1 << state[CUBE]),)))
    return tuple(shown)
