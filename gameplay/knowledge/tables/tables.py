"""Endgame tables built by `gameplay table build`: the value of every position of few pieces.

An entry is won, drawn or lost, with the plies to the end of the game under perfect play. Draws by a move
counter are not included: tables do not store history. So a result is returned only if the game can end before
such a rule applies; moves that shorten a win or prolong a loss are returned in any case.
"""

from functools import cache
from pathlib import Path
from typing import TypeGuard

from gameplay import catalogue
from gameplay.adapter import kernel_of
from gameplay.errors import BadInput, Usage
from gameplay.kernel import Kernel
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge
from gameplay.knowledge.tables.building import NumberedKernel, TableFolder
from gameplay.knowledge.tables.table_file import DRAWN, WON, TableFile
from gameplay.position import AbstractPosition
from gameplay.value import MAX_PLY, TB_WIN, WIN

TABLES = "tables"


def table_name(game: GameLike) -> str:
    """The name of a game in table files: with its parameters unless its positions are numbered."""
    if is_numbered(game.new()):
        return str(game.name)
    values = ",".join(f"{key}={value}" for key, value in sorted(game.parameters.items()))
    return f"{game.name}:{values}" if values else str(game.name)


def open_folder(folder: Path, game: GameLike) -> TableFolder:
    """Open the tables of a game in a folder, ignoring other games. Raises BadInput for an invalid file."""
    position = game.new()
    return TableFolder(folder, table_name(game), position if is_numbered(position) else None)


class Tables(Knowledge):
    """Probes the tables of a folder."""

    option = TABLES
    path_kind = "folder"
    in_search = True

    def __init__(self, path: str, game: GameLike) -> None:
        """Raises BadInput if the folder has no tables of the game, or an invalid file."""
        super().__init__(path, game)
        name = table_name(game)
        self.folder = open_folder(Path(path), game)
        if not self.folder.files:
            raise BadInput(
                f"{path} holds no tables for {name}. Try: gameplay table build {name} --folder {path}"
            )
        self.max_pieces = max(file.subject.pieces for file in self.folder.files)
        if any(not file.subject.pieces for file in self.folder.files):
            self.max_pieces = 0

    @classmethod
    def check_supported(cls, position: AbstractPosition) -> None:
        check_supported(position)

    def lookup(self, position: AbstractPosition) -> tuple[int, int] | None:
        """The result for the mover (DRAWN, WON, LOST) and the plies to the end; None: not in the tables."""
        location = self._locate(position)
        if location is None:
            return None
        file, index = location
        return file.result_at(index)

    def _locate(self, position: AbstractPosition) -> tuple[TableFile, int] | None:
        if self.max_pieces:
            numbered = position.slice_index() if isinstance(position, Kernel) else None
            if numbered is None or numbered[0] not in self.folder.by_slice:
                return None
            file, start = self.folder.by_slice[numbered[0]]
            return file, start + numbered[1]
        key = Kernel.key(kernel_of(position))
        for file in self.folder.files:
            index = file.find(key)
            if index is not None:
                return file, index
        return None

    def probe(self, position: AbstractPosition) -> Advice | None:
        """The result and its distance, if the game can end before a move counter draws it."""
        result = self.lookup(position)
        if result is None or (result[0] != DRAWN and result[1] > _plies_to_draw(position)):
            return None
        return _advice(*result)

    def advise(self, position: AbstractPosition) -> Advice | None:
        """The moves of the fastest win, a draw, or the slowest loss."""
        advice = super().advise(position)
        if advice is not None:
            return advice
        moves = rank_moves(self, position)
        if not moves:
            return None
        best_value = moves[0][1]
        return Advice("tables", tuple(move for move, value in moves if value == best_value))


@cache
def _advice(result: int, plies: int) -> Advice:
    return Advice("tables", value=_value(result, plies), exact=True)


def _value(result: int, plies: int) -> int:
    """Convert a result to a search value."""
    if result == DRAWN:
        return 0
    value = WIN - plies if plies <= MAX_PLY else TB_WIN
    return value if result == WON else -value


def _plies_to_draw(position: AbstractPosition) -> int:
    return int(position.plies_until_draw()) if isinstance(position, Kernel) else 1 << 30


def rank_moves(tables: Tables, position: AbstractPosition) -> list[tuple[int, tuple[int, int]]]:
    """Every legal move, best first, with (2 win, 1 draw, 0 loss; distance as a score, higher is better).

    Move counters are ignored. Empty if a successor is not in the tables.
    """
    rows = []
    mover = position.turn
    for move in position.moves() if position.outcome() is None else ():
        position.make(move)
        entry = tables.lookup(position)
        same_mover = position.turn == mover
        payoffs = position.outcome()
        position.unmake()
        if entry is None:
            if payoffs is None:
                return []
            entry = (1 + (payoffs[mover] < 0) if payoffs[mover] else 0, 0)
            same_mover = True
        result, plies = entry
        grade = 1 if result == DRAWN else 2 if (result == WON) == same_mover else 0
        rows.append((move, (grade, 0 if grade == 1 else -plies if grade == 2 else plies)))
    return sorted(rows, key=lambda pair: pair[1], reverse=True)


def is_numbered(position: AbstractPosition) -> TypeGuard[NumberedKernel]:
    """True if the game of a position numbers its positions."""
    return isinstance(position, Kernel) and bool(position.slices(2))


def check_supported(position: AbstractPosition) -> None:
    """Raise Usage, with the reason, if there cannot be tables for the game of a position."""
    name = catalogue.name_of(position)
    if position.players != 2 or not position.zero_sum:
        raise Usage(f"endgame tables require a two-player zero-sum game; {name} is not")
    if position.chance or position.hidden:
        raise Usage(f"endgame tables require a game of perfect information without chance, unlike {name}")
    if position.scored:
        raise Usage(f"endgame tables store win, draw or loss; {name} is scored in points")
    if position.remembers and not is_numbered(position):
        raise Usage(f"endgame tables are indexed by position; results of {name} depend on its history")
