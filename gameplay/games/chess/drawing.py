"""Drawing of chess positions, with captured pieces."""

from collections.abc import Callable

from gameplay.board import Board, Cell
from gameplay.capabilities import PieceCounts
from gameplay.games.chess.layout import FILE_NAMES, LETTERS, decode
from gameplay.position import AbstractPosition

VALUES = dict(zip(LETTERS, (1, 3, 3, 5, 9, 0), strict=True))  # in pawns
TURING = (
    ("pawn", "P", 1.0),
    ("knight", "N", 3.0),
    ("bishop", "B", 3.5),
    ("rook", "R", 5.0),
    ("queen", "Q", 10.0),
)
ORDER = "QRBNPqrbnp"  # of captured pieces


class ChessDrawing(AbstractPosition):
    """Draws a position from its pieces and moves."""

    __slots__ = ()

    letter: Callable[[int], str]
    made: list[int]

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        """The board, the eighth rank on top."""
        over = self.outcome() is not None
        moves: dict[Cell, tuple[int, ...]] = {}
        paths: dict[int, tuple[Cell, ...]] = {}
        for move in () if over else self.moves():
            start, end = map(_cell, _ends(move))
            moves[start] = (*moves.get(start, ()), move)
            paths[move] = (end,)
        cells = self._rows()
        king = "Kk"[self.turn]
        mated = over and self.ending() == "checkmate"
        lead = self._lead()
        return Board(
            cells=cells,
            columns=tuple(FILE_NAMES),
            rows=tuple("87654321"),
            owners=dict.fromkeys("KQRBNP", 0) | dict.fromkeys("kqrbnp", 1),
            last=() if last is None else tuple([_cell(square) for square in _ends(last)]),
            line=tuple([(y, row.index(king)) for y, row in enumerate(cells) if king in row and mated]),
            moves=moves,
            paths=paths,
            ground="chequered",
            white=0,
            glyphs=dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True)),
            taken=self._captured_pieces(),
            notes={0 if lead > 0 else 1: f"+{abs(lead)}"} if lead else {},
        )

    def quotient(self) -> tuple[PieceCounts, ...]:
        """Both sides' material, of which `turing` is the quotient; empty under other evaluations."""
        if self.evaluation is None or self.evaluation.name != "turing":
            return ()
        pieces = "".join(letter for row in self._rows() for letter in row)
        return tuple(
            PieceCounts(name, (pieces.count(letter), pieces.count(letter.lower())), value)
            for name, letter, value in TURING
        )

    def __str__(self) -> str:
        lines = [
            f"{8 - y} {' '.join([letter or '.' for letter in row])}" for y, row in enumerate(self._rows())
        ]
        return "\n".join([*lines, "  " + " ".join(FILE_NAMES)])

    def _rows(self) -> tuple[tuple[str, ...], ...]:
        """The pieces, row by row from the top."""
        return tuple(
            [tuple([self.letter(8 * rank + file) for file in range(8)]) for rank in range(7, -1, -1)]
        )

    def _lead(self) -> int:
        """White's lead in pieces on the board, in pawns."""
        letters = [letter for row in self._rows() for letter in row if letter]
        return sum([VALUES[letter.upper()] * (1 if letter.isupper() else -1) for letter in letters])

    def _captured_pieces(self) -> dict[int, str]:
        """The pieces that each side has captured."""
        captured: dict[int, list[str]] = {0: [], 1: []}
        mover = (self.turn + len(self.made)) & 1
        for move in self.made:
            taken = decode(move).taken
            if taken:
                captured[mover].append(LETTERS[taken - 1] if mover else LETTERS[taken - 1].lower())
            mover ^= 1
        return {player: "".join(sorted(letters, key=ORDER.index)) for player, letters in captured.items()}


def _ends(move: int) -> tuple[int, int]:
    """The start and target squares; of the king in castling."""
    parts = decode(move)
    return parts.start, parts.end


def _cell(square: int) -> Cell:
    """A square as (row from the top, column from the left)."""
    return 7 - (square >> 3), square & 7
