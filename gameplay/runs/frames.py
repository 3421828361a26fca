"""A game record as animation frames for a page: the first board, then the changes of each ply.

    {"cells": ["", "", ...],            the first board, row by row; null if it is not a grid of single
    pieces:
     "text": "...",                     then the position as text, and a text for each ply
     "plies": [[move, player, value, depth, nodes, seconds, changes, last, line], ...]}

`player` is -1 for chance; `value` is from the mover's view. `changes` is [cell, piece, cell, piece, ...] or
the text; `last` and `line` are cells, numbered row by row.
"""

from collections.abc import Sequence
from typing import Any

from gameplay.board import Board
from gameplay.errors import BadInput
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice
from gameplay.registry import Game
from gameplay.store.record import Record


def frames(game: Game, record: Record, times: Sequence[float] = ()) -> dict[str, Any]:
    """The frames of a game. Raises BadInput for an illegal record."""
    match = Match(game, [EmptySeat()] * game.new().players, record.start)
    board = _grid(match.board())
    cells = None if board is None else _cells(board)
    animation: dict[str, Any] = {"cells": cells, "plies": []}
    if board is None:
        animation["text"] = match.show()
    for number, ply in enumerate(record.moves):
        if match.over():
            raise BadInput(f"the game is over before its move {number + 1}, '{ply.move}'")
        move = match.call_game("parse()", match.position.parse, ply.move)
        match.make(Choice(move))
        seconds = times[number] if number < len(times) else ply.seconds
        row = [ply.move, ply.player, ply.value, ply.depth, ply.nodes, seconds]
        board = _grid(match.board())
        if board is None or cells is None:
            animation["plies"].append([*row, match.show()])
            continue
        after = _cells(board)
        changes = [x for i, piece in enumerate(after) if piece != cells[i] for x in (i, piece)]
        animation["plies"].append(
            [*row, changes, _cell_numbers(board, board.last), _cell_numbers(board, board.line)]
        )
        cells = after
    return animation


def stage(game: Game) -> dict[str, Any] | None:
    """The properties shared by all boards of a game: labels, owners and glyphs; None without a grid."""
    board = _grid(game.new().board())
    if board is None:
        return None
    names = ("columns", "rows", "owners", "glyphs", "ground", "white")
    return {key: getattr(board, key) for key in names}


def _grid(board: Board | None) -> Board | None:
    """The board if it is a grid of single pieces, which is all that a page animates; else None."""
    return None if board is None or board.trays or board.counts or board.links else board


def _cells(board: Board) -> list[str]:
    return [piece or "" for row in board.cells for piece in row]


def _cell_numbers(board: Board, cells: Sequence[tuple[int, int]]) -> list[int]:
    return [y * len(board.columns) + x for y, x in cells]
