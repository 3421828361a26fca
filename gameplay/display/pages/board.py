"""Boards as data for `board.js`, which draws them as SVG: cells with a piece each, lines between points."""

from typing import Any

from gameplay.board import Board

SHARED_KEYS = ("columns", "rows", "owners", "glyphs", "ground", "white", "links")


def shared_data(board: Board | None) -> dict[str, Any] | None:
    """The data shared by all drawings of a game, from one of them; None if `board.js` cannot draw them."""
    return None if board is None or not drawable(board) else {key: getattr(board, key) for key in SHARED_KEYS}


def drawable(board: Board) -> bool:
    """True if there is nothing beside the cells, and no piece upon another."""
    return bool(board.cells) and not board.trays and not board.counts


def board_data(board: Board) -> dict[str, Any]:
    """A drawing: its rows of cells, and the cells of the last move and of the line that won."""
    return {"cells": board.cells, "last": board.last, "line": board.line}
