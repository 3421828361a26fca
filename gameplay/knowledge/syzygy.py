"""Endgame tables in Syzygy's format (Ronald de Man, 2013): the result of every position of few pieces.

They store the result (WDL), and the number of plies to a capture or pawn move that keeps the win (DTZ), with
the fifty-move rule. Playing the move with the smallest DTZ converts a win without a search. In a drawn
position the engine chooses among the moves that keep the draw.
"""

import os
import struct
from functools import cache
from typing import TYPE_CHECKING, Any

from gameplay import file_io
from gameplay import value as scale
from gameplay.errors import BadInput
from gameplay.knowledge.chess_library import board_of, library, must_be_chess, point
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

SYZYGY = "syzygy"
FIFTY = 100  # plies without progress after which the game is drawn
MAGIC = {".rtbw": b"\x71\xe8\x23\x5d", ".rtbz": b"\xd7\x66\x0c\xa5"}  # how the files of WDL and DTZ begin
LOST, SAVED, DRAWN, CURSED, WON = range(-2, 3)  # SAVED, CURSED: lost and won, were it not for fifty moves


class Syzygy(Knowledge):
    """Answers if few enough pieces are left and neither side has castling rights.

    Within a search it returns results only, and only directly after a capture or a pawn move: WDL tables
    assume a halfmove clock of zero.
    """

    option = SYZYGY
    takes = "folder"
    inner = True

    def __init__(self, path: str, game: GameLike | None = None) -> None:
        """Raises BadInput if there are no tables in that folder; Usage without the library."""
        super().__init__(path, game)
        self.tables, self.most = _tables(path)

    @classmethod
    def fits(cls, position: "AbstractPosition") -> None:
        must_be_chess("syzygy: endgame tables of this format are", position)

    def probe(self, position: "AbstractPosition") -> Advice | None:
        """The result, its length unknown."""
        board = self._board(position)
        if board is None or board.halfmove_clock:
            return None
        try:
            return Advice("tables", value=_value(self._probe("wdl", board)), exact=True)
        except KeyError:  # a table that it takes is not there
            return None

    def advise(self, position: "AbstractPosition") -> Advice | None:
        """The moves that keep the result, and of a game won or lost the one that is quickest or slowest."""
        board = self._board(position)
        if board is None:
            return None
        try:
            return self._best(position, board.halfmove_clock)
        except KeyError:
            return None

    def result(self, position: "AbstractPosition") -> int | None:
        """1 won, 0 drawn, -1 lost for the mover, as if fifty moves did not matter; None: no table has it."""
        board = self._board(position)
        try:
            wdl = DRAWN if board is None else self._probe("wdl", board)
        except KeyError:
            return None
        return None if board is None else (wdl > DRAWN) - (wdl < DRAWN)

    def settled(self, position: "AbstractPosition", pieces: int | None, fifty: bool) -> int | None:
        """1 won, 0 drawn, -1 lost for the mover, for certain; None: no table of at most `pieces` has it.

        Directly after a capture or a pawn move only, see `probe`. With `fifty` the fifty-move rule counts.
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
        """The library's board; None where no table can know it."""
        board = board_of(point(position), SYZYGY)
        covered = board.occupied.bit_count() <= self.most and not board.castling_rights
        return board if covered else None

    def _best(self, position: "AbstractPosition", clock: int) -> Advice:
        """What to play, `clock` plies after the last progress. Raises KeyError for a missing table."""
        # 1. The result of each move, were there no plies without progress yet.
        results: dict[int, int] = {}
        boards: dict[int, Any] = {}
        mover = position.turn
        for move in position.moves():
            position.make(move)
            payoffs = position.outcome()
            if payoffs is None:
                boards[move] = board_of(point(position), SYZYGY)
                results[move] = -self._probe("wdl", boards[move])
            else:
                results[move] = WON if payoffs[mover] > 0 else LOST if payoffs[mover] < 0 else DRAWN
            position.unmake()
        result = max(results.values())
        best = [move for move in results if results[move] == result]
        if result == DRAWN:
            return Advice("tables", tuple(best), value=0, exact=True)

        # 2. Of those that keep it, the quickest to win or the slowest to lose.
        try:
            plies = {move: self._plies(boards.get(move)) for move in best}
        except KeyError:  # no tables of distances: all are as good
            return Advice("tables", tuple(best), value=_value(result), exact=True)
        chosen = min(best, key=lambda move: plies[move] if result > 0 else -plies[move])
        late = plies[chosen] + clock > FIFTY
        return Advice("tables", (chosen,), value=0 if late else _value(result), exact=True)

    def _plies(self, board: Any) -> int:
        """Plies to progress or mate, that of the move which led to the board included; None: it was mate."""
        if board is None or board.halfmove_clock == 0:
            return 0 if board is None else 1
        return abs(self._probe("dtz", board)) + 1

    def _probe(self, what: str, board: Any) -> int:
        """What the tables say. Raises KeyError where there is none, BadInput for one that is broken."""
        try:
            return int(getattr(self.tables, f"probe_{what}")(board))
        except (OSError, AssertionError, IndexError, ValueError, struct.error) as error:
            raise BadInput(
                f"{self.path}: a table of {what} cannot be read for {board.fen()}: {error}"
            ) from None


def _value(result: int) -> int:
    """A result for the mover as the value of a search."""
    return scale.SURE * result // WON if abs(result) == WON else 0


@cache
def _tables(path: str) -> tuple[Any, int]:
    """The tables in folders, and the most pieces that one of them is for."""
    folders = path.split(os.pathsep)
    for folder in folders:
        if not os.path.isdir(folder):
            raise BadInput(f"there is no folder {folder} of Syzygy tables")
        for name in sorted(os.listdir(folder)):
            magic = MAGIC.get(os.path.splitext(name)[1])
            if magic and not _whole(os.path.join(folder, name), magic):
                raise BadInput(f"{os.path.join(folder, name)} is not a Syzygy table, or it is cut off")
    syzygy = library("chess.syzygy", SYZYGY)
    tables = syzygy.Tablebase()
    for folder in folders:
        tables.add_directory(folder)
    if not tables.wdl:
        raise BadInput(f"{path} holds no Syzygy tables: files like KQvK.rtbw")
    return tables, max(len(name) - 1 for name in tables.wdl)


def _whole(path: str, magic: bytes) -> bool:
    """True if a file begins as a table does and has the size of one: blocks of 64 bytes and 16 bytes."""
    try:
        with file_io.opened(path) as file:
            return file.read(len(magic)) == magic and os.path.getsize(path) % 64 == 16
    except OSError as error:
        raise BadInput(file_io.unreadable(path, error)) from None
