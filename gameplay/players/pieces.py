"""Moves entered by squares: select a piece, enter steps, choose the promotion piece."""

import re
from collections.abc import Sequence
from contextlib import suppress

from gameplay.board import Board
from gameplay.errors import IllegalMove
from gameplay.players.commands import natural_key
from gameplay.players.player import MatchControl
from gameplay.spans import abridge

NUMBER = re.compile(r"^\d+\.+\s*")  # of a move, as books write it
PROMOTION = re.compile(r"=([A-Z])\W*$")  # the promotion piece in the name of a move


class PieceInput:
    """A partly entered move, and the moves that further input names.

    It is valid only in the position after the moves stored with it.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Reset input and question for another match."""
        self.pieces: tuple[list[str], dict[str, int]] = ([], {})  # after these moves, see `promotions`
        self.entered: tuple[list[str], list[tuple[str, str]]] = ([], [])  # ... steps entered so far
        self.selection: tuple[list[str], str] = ([], "")  # ... the square of the piece to move

    def steps(self, match: MatchControl) -> list[tuple[str, str]]:
        """The steps entered so far, by the names of their cells."""
        moves, steps = self.entered
        return steps if steps and moves == match.words() else []

    def set_steps(self, steps: list[tuple[str, str]], match: MatchControl) -> None:
        """Set the steps entered so far."""
        self.entered = (match.words(), steps)
        self.select("", match)

    def selected(self, match: MatchControl) -> str:
        """The square of the piece that was selected to move, or an empty string."""
        moves, square = self.selection
        return square if square and moves == match.words() else ""

    def select(self, square: str, match: MatchControl) -> None:
        """Select the piece on a square; "" selects none. Closes the open question."""
        self.selection = (match.words(), square)
        self.pieces = ([], {})

    def promotions(self, match: MatchControl) -> dict[str, int]:
        """The moves of the open promotion question, by letter."""
        moves, letters = self.pieces
        return letters if letters and moves == match.words() else {}

    def open_promotion_question(self, moves: Sequence[int], match: MatchControl) -> bool:
        """Open a promotion question if the moves differ in the promotion piece only; false otherwise."""
        letters: dict[str, int] = {}
        for move in moves:
            promotion = PROMOTION.search(match.call_game("format()", match.position.format, move))
            if promotion:
                letters[promotion[1].lower()] = move
        if len(moves) < 2 or len(letters) < len(moves):
            return False
        order = "qrbn"
        self.pieces = (match.words(), dict(sorted(letters.items(), key=lambda item: order.find(item[0]))))
        return True

    def _question(self, match: MatchControl) -> str:
        words = [
            f"{letter}: {match.call_game('format()', match.position.format, move)}"
            for letter, move in self.promotions(match).items()
        ]
        return f"which piece? {'  '.join(words)}"

    def _promotions(self, text: str, match: MatchControl) -> tuple[int, ...]:
        """The moves that `text` names without the promotion piece: `a8`, `axb8`, `a7a8`, `a7 a8`."""
        moves = self._moves_between(text, match)
        square = self.square(text, match)
        if not moves and square:
            moves = self.targets(square, match).get(text.lower()[len(square) :].lstrip("- "), ())
        if not moves and not match.over():
            words = {
                move: match.call_game("format()", match.position.format, move)
                for move in abridge(match.moves())
            }
            moves = tuple(
                move for move, word in words.items() if PROMOTION.sub("", word).lower() == text.lower()
            )
        return moves

    def square(self, text: str, match: MatchControl) -> str:
        """The square that `text` begins with, if a piece there can move; else an empty string."""
        board = self._pieces(match)
        start = text.strip().lower()
        if board is None or not start:
            return ""
        squares = [board.cell_name(cell) for cell in board.moves]
        return max((name for name in squares if start.startswith(name)), key=len, default="")

    def targets(self, square: str, match: MatchControl) -> dict[str, tuple[int, ...]]:
        """The target squares of the piece on a square, with the moves that lead there."""
        board = self._pieces(match)
        cell = board.find(square) if board is not None and square else None
        if board is None or cell is None:
            return {}
        squares = {board.cell_name(end): moves for end, moves in board.targets(cell).items()}
        return dict(sorted(squares.items(), key=lambda item: natural_key(item[0])))

    def describe_targets(self, square: str, match: MatchControl) -> str:
        """The moves of the piece on a square, in one line."""
        targets = self.targets(square, match)
        if not self._occupied(square, match):
            return f"from {square} to {' '.join(targets)}"
        moves = [move for group in targets.values() for move in group]
        words = [match.call_game("format()", match.position.format, move) for move in moves]
        return f"{square} can go to {' '.join(targets)} ({' '.join(words)})"

    def _occupied(self, square: str, match: MatchControl) -> bool:
        """True if a piece stands on the square; false where moves place pieces that cover several cells."""
        board = self._pieces(match)
        cell = board.find(square) if board is not None else None
        return board is not None and cell is not None and bool(board.piece(cell))

    def immobile(self, text: str, match: MatchControl) -> str:
        """Why no piece can move from a square; an empty string if `text` is not a square."""
        board = self._pieces(match)
        cell = board.find(text) if board is not None else None
        if board is None or cell is None:
            return ""
        piece, name = board.cells[cell[0]][cell[1]], board.cell_name(cell)
        if not piece:
            return f"there is no piece on {name}"
        if board.owners.get(piece) != match.position.turn:
            return f"the piece on {name} is not yours"
        return f"the piece on {name} cannot move now; these can: {self._movable_squares(match)}"

    def _movable_squares(self, match: MatchControl) -> str:
        """The squares of the pieces that can move, in one line."""
        board = self._pieces(match)
        return (
            " ".join(sorted(map(board.cell_name, board.moves), key=natural_key)) if board is not None else ""
        )

    def _pieces(self, match: MatchControl) -> Board | None:
        """The board, in games in progress whose pieces move on it; else None."""
        board = match.board() if not match.over() else None
        if board is None or not board.paths:
            return None
        cells = [(board.find(start), board.find(end)) for start, end in self.steps(match)]
        return board.after([(one, other) for one, other in cells if one is not None and other is not None])

    def _moves_between(self, text: str, match: MatchControl) -> tuple[int, ...]:
        """The moves meant by a square for the selected piece, or by two squares."""
        start, end = self._squares(text, match)
        return self.targets(start, match).get(end, ())

    def _squares(self, text: str, match: MatchControl) -> tuple[str, str]:
        """The two squares of `text`; for one square, the selected one and it; else empty strings."""
        parts = re.split(r"[\s-]+", text.strip().lower())
        if len(parts) == 1:
            parts = [self.selected(match), *parts]
        return (parts[0], parts[1]) if len(parts) == 2 else ("", "")

    def step(self, text: str, match: MatchControl) -> tuple[str, str] | None:
        """The step that `text` names, if several moves contain it; else None."""
        board = self._pieces(match)
        several = board is not None and bool(board.steps) and len(self._moves_between(text, match)) > 1
        return self._squares(text, match) if several else None

    def continues(self, text: str, match: MatchControl) -> bool:
        """True if `text` completes a move, or a step, of the selected piece."""
        start, end = self._squares(text, match)
        return start == self.selected(match) != "" and end in self.targets(start, match)

    def move_of(self, text: str, match: MatchControl) -> int:
        """The move that `text` names. Raises IllegalMove."""
        if match.over():
            raise IllegalMove("the game is over; undo takes back a move")
        moves = self._moves_between(text, match)
        if len(moves) == 1:
            return moves[0]
        if moves:
            words = " ".join(match.call_game("format()", match.position.format, move) for move in moves)
            raise IllegalMove(f"ambiguous move: {words}")
        if (square := self.selected(match)) and not self._occupied(square, match):
            with suppress(IllegalMove):
                return self._parse(f"{square} {text}", match)  # a direction: `down`
        try:
            return self._parse(text, match)
        except IllegalMove:
            stripped = NUMBER.sub("", text).removesuffix(".")  # as in a book: `1. e4`, `e4.`
            if stripped in (text, ""):
                raise
        try:
            return self._parse(stripped, match)
        except IllegalMove:
            return self._parse(text, match)  # the error names what was typed

    def _parse(self, text: str, match: MatchControl) -> int:
        return int(match.call_game("parse()", match.position.parse, text))
