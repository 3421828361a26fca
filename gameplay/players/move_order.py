"""The order in which long lists of legal moves are useful: captures, checks, then the middle of the board.

A list that is short enough to be read at a glance keeps the order of its words.
"""

from collections.abc import Sequence

from gameplay.board import Board, Cell
from gameplay.players.commands import natural_key
from gameplay.players.player import MatchControl

SHOWN_MOVES = 12  # moves that are read at a glance
MIN_ROWS = 3  # rows of a board that has a centre
CHECKS = ("+", "#")  # at the end of a move in words; mates are not first, which would give them away


def display_order(match: MatchControl, moves: Sequence[int]) -> list[str]:
    """The moves in words: captures and promotions, checks, and the others from the centre outwards."""
    position = match.position
    words = {move: match.ask("format()", position.format, move) for move in moves}
    board = match.board() if len(words) > SHOWN_MOVES else None
    if board is None or len(board.cells) < MIN_ROWS:
        return sorted(words.values(), key=natural_key)
    noisy = set() if position.hidden else set(match.ask("noisy()", position.noisy))
    ends = _ends(board)
    y, x = (len(board.cells) - 1) / 2, (len(board.columns) - 1) / 2

    def key(move: int) -> tuple[object, ...]:
        word, end = words[move], ends.get(move)
        taken = board.owners.get(board.piece(end) or "") if end is not None else None
        captures = move in noisy or taken not in (None, match.turn)
        away = max(abs(end[0] - y), abs(end[1] - x)) if end is not None else len(board.cells)
        return not captures, not word.endswith(CHECKS), away, natural_key(word)

    return [words[move] for move in sorted(words, key=key)]


def _ends(board: Board) -> dict[int, Cell]:
    """The target cell of each move."""
    ends = {move: cell for cell, moves in board.moves.items() for move in moves}
    return ends | {move: path[-1] for move, path in board.paths.items()}
