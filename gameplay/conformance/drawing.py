"""The laws of drawing: a board is rectangular, and marks and offers only what there is."""

import functools
from typing import TYPE_CHECKING, Any

from gameplay.board import Board, Tray
from gameplay.conformance.checked_game import CheckedGame, LawBroken, brief
from gameplay.spans import Span

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


def check_board(
    subject: CheckedGame, position: "AbstractPosition", facts: dict[str, Any], **options: int | None
) -> Board | None:
    """The board for a viewer, if there is one and it can be drawn."""
    board = subject.call("board()", functools.partial(position.board, **options))
    if board is None:
        return None
    if not isinstance(board, Board):
        raise LawBroken("board", f"board() is a {type(board).__name__}")
    height, width = len(board.rows), len(board.columns)
    if len(board.cells) != height or any(len(row) != width for row in board.cells):
        sizes = sorted({len(row) for row in board.cells})
        size_text = f"{len(board.cells)} rows of {' or '.join(map(str, sizes))} cells"
        raise LawBroken("board", f"board() has {size_text} for {height} row and {width} column labels")
    for tray in board.trays:
        if not isinstance(tray, Tray) or not all(isinstance(piece, str) for piece in tray.things):
            raise LawBroken("board", f"trays holds {brief(tray)}, which is not a Tray of letters")
    paths = [cell for path in board.paths.values() for cell in path]
    cells_by_field = (
        ("last", board.last),
        ("line", board.line),
        ("moves", board.moves),
        ("paths", paths),
        ("names", board.names),
        ("counts", board.counts),
        ("links", [cell for link in board.links for cell in link]),
    )
    for field, cells in cells_by_field:
        for cell in cells:
            if not board.holds(cell):
                raise LawBroken("board", f"{field} names the cell {cell}, outside the board")
    for owner in board.owners.values():
        if owner not in range(position.players):
            raise LawBroken("board", f"owners names player {owner!r}")
    board_moves = {move for moves in board.moves.values() for move in moves} | set(board.paths)
    given = subject.call("moves()", position.moves) if board_moves and "moves()" in facts else ()
    legal = given if isinstance(given, Span) else set(given)
    if not all(move in legal for move in board_moves):
        raise LawBroken("board", f"board() points at {brief(sorted(board_moves))}, not all of them legal")
    return board
