"""Endgame tables of chess in Syzygy's format (Ronald de Man, 2013): results of all positions of few pieces.

They store the result (WDL), and the plies to a capture or pawn move that keeps the win (DTZ), under the
fifty-move rule. Playing the move with the smallest DTZ converts a win without a search. In a drawn
position the engine chooses among the moves that keep the draw.
"""

import os
import struct
from functools import cache
from typing import TYPE_CHECKING, Any

from gameplay import file_io
from gameplay import value as scale
from gameplay.errors import BadInput
from gameplay.knowledge.chess_library import library, require_chess, to_board, uci_position
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

SYZYGY = "syzygy"
FIFTY_MOVE_PLIES = 100  # without a capture or pawn move: the game is drawn
MAGIC = {".rtbw": b"\x71\xe8\x23\x5d", ".rtbz": b"\xd7\x66\x0c\xa5"}  # first bytes of WDL and DTZ files
LOST, BLESSED_LOSS, DRAWN, CURSED_WIN, WON = range(-2, 3)  # draws by the fifty-move rule: -1, 1


class Syzygy(Knowledge):
    """Covers positions of few pieces without castling rights.

    Within a search it returns only results, and only directly after a capture or pawn move, since WDL tables
    assume a halfmove clock of zero.
    """

    option = SYZYGY
    path_kind = "folder"
    in_search = True

    def __init__(self, path: str, game: GameLike | None = None) -> None:
        """Raises BadInput if the folder has no tables; Usage without the library."""
        super().__init__(path, game)
        self.tables, self.max_pieces = _open_tables(path)

    @classmethod
    def check_supported(cls, position: "AbstractPosition") -> None:
        require_chess("syzygy: endgame tables of this format are", position)

    def probe(self, position: "AbstractPosition") -> Advice | None:
        """The result, without a distance."""
        board = self._board(position)
        if board is None or board.halfmove_clock:
            return None
        try:
            return Advice("tables", value=_value(self._probe("wdl", board)), exact=True)
        except KeyError:  # a required table is missing
            return None

    def advise(self, position: "AbstractPosition") -> Advice | None:
        """The moves that keep the result; of a win the fastest, of a loss the slowest."""
        board = self._board(position)
        if board is None:
            return None
        try:
            return self._best_moves(position, board.halfmove_clock)
        except KeyError:
            return None

    def result(self, position: "AbstractPosition") -> int | None:
        """1 won, 0 drawn, -1 lost for the mover without the fifty-move rule; None: not in the tables."""
        board = self._board(position)
        try:
            wdl = DRAWN if board is None else self._probe("wdl", board)
        except KeyError:
            return None
        return None if board is None else (wdl > DRAWN) - (wdl < DRAWN)

    def certain_result(self, position: "AbstractPosition", pieces: int | None, fifty: bool) -> int | None:
        """1 won, 0 drawn, -1 lost for the mover; None: unknown, or more than `pieces` pieces.

        Known only directly after a capture or pawn move, see `probe`. fifty: apply the fifty-move rule.
        """
        board = self._board(position)
        if board is None or board.halfmove_clock or (pieces and board.occupied.bit_count() > pieces):
            return None
        try:
            wdl = self._probe("wdl", board)
        except KeyError:
            return None
        return 0 if fifty and abs(wdl) < WON else (wdl > DRAWN) - (wdl < DRAWN)

    def _board(self, position: "AbstractPosition") -> Any:
        """The library's board; None if no table covers the position."""
        board = to_board(uci_position(position), SYZYGY)
        covered = board.occupied.bit_count() <= self.max_pieces and not board.castling_rights
        return board if covered else None

    def _best_moves(self, position: "AbstractPosition", clock: int) -> Advice:
        """The best moves, `clock` plies after the last progress. Raises KeyError for a missing table."""
        # 1. The result of each move, ignoring the halfmove clock.
        results: dict[int, int] = {}
        boards: dict[int, Any] = {}
        mover = position.turn
        for move in position.moves():
            position.make(move)
            payoffs = position.outcome()
            if payoffs is None:
                boards[move] = to_board(uci_position(position), SYZYGY)
                results[move] = -self._probe("wdl", boards[move])
            else:
                results[move] = WON if payoffs[mover] > 0 else LOST if payoffs[mover] < 0 else DRAWN
            position.unmake()
        result = max(results.values())
        best_moves = [move for move in results if results[move] == result]
        if result == DRAWN:
            return Advice("tables", tuple(best_moves), value=0, exact=True)

        # 2. The fastest win or the slowest loss among the moves that keep the result.
        try:
            plies = {move: self._plies_to_progress(boards.get(move)) for move in best_moves}
        except KeyError:  # no DTZ tables: these moves are equivalent
            return Advice("tables", tuple(best_moves), value=_value(result), exact=True)
        best_move = min(best_moves, key=lambda move: plies[move] if result > 0 else -plies[move])
        is_draw = plies[best_move] + clock > FIFTY_MOVE_PLIES
        return Advice("tables", (best_move,), value=0 if is_draw else _value(result), exact=True)

    def _plies_to_progress(self, board: Any) -> int:
        """Plies to progress or mate, including the move that led to `board`; None: that move mated."""
        if board is None or board.halfmove_clock == 0:
            return 0 if board is None else 1
        return abs(self._probe("dtz", board)) + 1

    def _probe(self, table_type: str, board: Any) -> int:
        """Probe the tables. Raises KeyError for a missing one, BadInput for a damaged one."""
        try:
            return int(getattr(self.tables, f"probe_{table_type}")(board))
        except (OSError, AssertionError, IndexError, ValueError, struct.error) as error:
            raise BadInput(
                f"{self.path}: a table of {table_type} cannot be read for {board.fen()}: {error}"
            ) from None


def _value(result: int) -> int:
    """Convert a result to a search value."""
    return scale.TB_WIN * result // WON if abs(result) == WON else 0


@cache
def _open_tables(path: str) -> tuple[Any, int]:
    """Open the tables in folders; returns them and the maximum number of pieces."""
    folders = path.split(os.pathsep)
    for folder in folders:
        if not os.path.isdir(folder):
            raise BadInput(f"there is no folder {folder} of Syzygy tables")
        for name in sorted(os.listdir(folder)):
            magic = MAGIC.get(os.path.splitext(name)[1])
            if magic and not _is_intact(os.path.join(folder, name), magic):
                raise BadInput(f"{os.path.join(folder, name)} is not a Syzygy table, or it is cut off")
    syzygy = library("chess.syzygy", SYZYGY)
    tables = syzygy.Tablebase()
    for folder in folders:
        tables.add_directory(folder)
    if not tables.wdl:
        raise BadInput(f"{path} holds no Syzygy tables: files like KQvK.rtbw")
    return tables, max(len(name) - 1 for name in tables.wdl)


def _is_intact(path: str, magic: bytes) -> bool:
    """True if a file has the first bytes of a table and its size: blocks of 64 bytes, and 16 bytes."""
    try:
        with file_io.open_file(path) as file:
            return file.read(len(magic)) == magic and os.path.getsize(path) % 64 == 16
    except OSError as error:
        raise BadInput(file_io.unreadable(path, error)) from None
