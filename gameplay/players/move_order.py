"""Display order of long lists of legal moves: captures, checks, then the middle of the board.

Short lists are sorted by notation.
"""

from collections.abc import Sequence

from gameplay.board import Board, Cell
from gameplay.players.commands import natural_key
from gameplay.players.player import MatchControl

SHOWN_MOVES = 12  # longest list that is sorted by notation
MIN_ROWS = 3  # minimum rows of a board with a centre
CHECKS = ("+", "#")  # suffixes in notation; mates are not first, which would reveal them


def display_order(match: MatchControl, moves: Sequence[int]) -> list[str]:
    """The moves in words: captures and promotions, checks, and the others from the centre outwards."""
    position = match.position
    texts = {move: match.call_game("format()", position.format, move) for move in moves}
    board = match.board() if len(texts) > SHOWN_MOVES else None
    if board is None or len(board.cells) < MIN_ROWS:
        return sorted(texts.values(), key=natural_key)
    noisy = set() if position.hidden else set(match.call_game("noisy()", position.noisy))
    targets = _target_cells(board)
    y, x = (len(board.cells) - 1) / 2, (len(board.columns) - 1) / 2

    def key(move: int) -> tuple[object, ...]:
        text, target = texts[move], targets.get(move)
        captured_owner = board.owners.get(board.piece(target) or "") if target is not None else None
        captures = move in noisy or captured_owner not in (None, match.turn)
        distance = max(abs(target[0] - y), abs(target[1] - x)) if target is not None else len(board.cells)
        return not captures, not text.endswith(CHECKS), distance, natural_key(text)

    return [texts[move] for move in sorted(texts, key=key)]


def _target_cells(board: Board) -> dict[int, Cell]:
    """The target cell of each move."""
    targets = {move: cell for cell, moves in board.moves.items() for move in moves}
    return targets | {move: path[-1] for move, path in board.paths.items()}
