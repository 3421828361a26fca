"""A game's record as pictures that a page can show: the first drawing whole, then what changes.

    {"cells": ["", "", ...],            the first drawing, row by row; null where more or less is to be drawn
                                        than cells with a piece each: then
     "text": "...",                     it is drawn as text, and each ply has its own text
     "plies": [[word, player, value, depth, nodes, seconds, changes, last, line], ...]}

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
    """The pictures of a game. Raises BadInput if the record is not one of this game."""
    match = Match(game, [EmptySeat()] * game.new().players, record.start)
    board = _flat(match.board())
    cells = None if board is None else _cells(board)
    pictures: dict[str, Any] = {"cells": cells, "plies": []}
    if board is None:
        pictures["text"] = match.show()
    for number, ply in enumerate(record.moves):
        if match.over():
            raise BadInput(f"the game is over before its move {number + 1}, '{ply.move}'")
        move = match.ask("parse()", match.position.parse, ply.move)
        match.make(Choice(move))
        seconds = times[number] if number < len(times) else ply.seconds
        row = [ply.move, ply.player, ply.value, ply.depth, ply.nodes, seconds]
        board = _flat(match.board())
        if board is None or cells is None:
            pictures["plies"].append([*row, match.show()])
            continue
        after = _cells(board)
        changes = [x for i, piece in enumerate(after) if piece != cells[i] for x in (i, piece)]
        pictures["plies"].append([*row, changes, _numbers(board, board.last), _numbers(board, board.line)])
        cells = after
    return pictures


def stage(game: Game) -> dict[str, Any] | None:
    """What all drawings of a game share: labels, whose the pieces are, how they look; None without one."""
    board = _flat(game.new().board())
    if board is None:
        return None
    names = ("columns", "rows", "owners", "glyphs", "ground", "white")
    return {key: getattr(board, key) for key in names}


def _flat(board: Board | None) -> Board | None:
    """The board, if it is squares with a piece each and nothing else: a page draws no more."""
    return None if board is None or board.trays or board.counts or board.links else board


def _cells(board: Board) -> list[str]:
    return [piece or "" for row in board.cells for piece in row]


def _numbers(board: Board, cells: Sequence[tuple[int, int]]) -> list[int]:
    return [y * len(board.columns) + x for y, x in cells]
