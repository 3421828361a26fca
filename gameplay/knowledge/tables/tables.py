"""Endgame tables built by `gameplay table build`: the value of every position of few pieces.

An entry is won, drawn or lost, with the plies to the end of the game under perfect play. Draws by a move
counter are not included: tables do not store history. So a result is returned only if the game can end before
such a rule applies; a move that shortens a win, or prolongs a loss, is named in any case.
"""

from functools import cache
from pathlib import Path
from typing import TypeGuard

from gameplay import catalogue
from gameplay.adapter import kernel_of
from gameplay.errors import BadInput, Usage
from gameplay.kernel import Kernel
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge
from gameplay.knowledge.tables.building import NumberedKernel, Shelf
from gameplay.knowledge.tables.table_file import DRAWN, WON, TableFile
from gameplay.position import AbstractPosition
from gameplay.value import MAX_PLY, SURE, WIN

TABLES = "tables"


def name_of(game: GameLike) -> str:
    """What tables call a `registry.Game`: its name and, unless its positions are numbered, its parameters."""
    if numbered(game.new()):
        return str(game.name)
    values = ",".join(f"{key}={value}" for key, value in sorted(game.parameters.items()))
    return f"{game.name}:{values}" if values else str(game.name)


def shelf_of(folder: Path, game: GameLike) -> Shelf:
    """The tables of a game in a folder, none if they are of others. Raises BadInput for a wrong file."""
    position = game.new()
    return Shelf(folder, name_of(game), position if numbered(position) else None)


class Tables(Knowledge):
    """Answers where a table in the folder has the position."""

    option = TABLES
    takes = "folder"
    inner = True

    def __init__(self, path: str, game: GameLike) -> None:
        """Raises BadInput if there are no tables of the game in that folder, or a file is wrong."""
        super().__init__(path, game)
        name = name_of(game)
        self.shelf = shelf_of(Path(path), game)
        if not self.shelf.files:
            raise BadInput(f"{path} holds no tables for {name}: gameplay table build {name} --folder {path}")
        self.most = max(file.subject.pieces for file in self.shelf.files)
        if any(not file.subject.pieces for file in self.shelf.files):
            self.most = 0

    @classmethod
    def fits(cls, position: AbstractPosition) -> None:
        fit(position)

    def known(self, position: AbstractPosition) -> tuple[int, int] | None:
        """The result for the mover (DRAWN, WON, LOST) and the plies to the end; None: no table has it."""
        location = self._place(position)
        if location is None:
            return None
        file, place = location
        return file.known(place)

    def _place(self, position: AbstractPosition) -> tuple[TableFile, int] | None:
        if self.most:
            at = position.placed() if isinstance(position, Kernel) else None
            if at is None or at[0] not in self.shelf.places:
                return None
            file, start = self.shelf.places[at[0]]
            return file, start + at[1]
        key = Kernel.key(kernel_of(position))
        for file in self.shelf.files:
            place = file.find(key)
            if place is not None:
                return file, place
        return None

    def probe(self, position: AbstractPosition) -> Advice | None:
        """The result and its length, where no rule that counts moves can come between."""
        result = self.known(position)
        if result is None or (result[0] != DRAWN and result[1] > _waits(position)):
            return None
        return _advice(*result)

    def advise(self, position: AbstractPosition) -> Advice | None:
        """The moves that win soonest, draw, or lose latest."""
        advice = super().advise(position)
        if advice is not None:
            return advice
        moves = ranked(self, position)
        if not moves:
            return None
        best = moves[0][1]
        return Advice("tables", tuple(move for move, value in moves if value == best))


@cache
def _advice(result: int, plies: int) -> Advice:
    return Advice("tables", value=_value(result, plies), exact=True)


def _value(result: int, plies: int) -> int:
    """A result for the mover as the value of a search."""
    if result == DRAWN:
        return 0
    value = WIN - plies if plies <= MAX_PLY else SURE
    return value if result == WON else -value


def _waits(position: AbstractPosition) -> int:
    return int(position.waits()) if isinstance(position, Kernel) else 1 << 30


def ranked(tables: Tables, position: AbstractPosition) -> list[tuple[int, tuple[int, int]]]:
    """Every legal move, the best first, with (2 wins, 1 draws, 0 loses; how good its length is).

    Move counters are ignored. Empty if one of the successors is in no table.
    """
    rows = []
    mover = position.turn
    for move in position.moves() if position.outcome() is None else ():
        position.make(move)
        entry = tables.known(position)
        same = position.turn == mover
        payoffs = position.outcome()
        position.unmake()
        if entry is None:
            if payoffs is None:
                return []
            entry = (1 + (payoffs[mover] < 0) if payoffs[mover] else 0, 0)
            same = True
        result, plies = entry
        good = 1 if result == DRAWN else 2 if (result == WON) == same else 0
        rows.append((move, (good, 0 if good == 1 else -plies if good == 2 else plies)))
    return sorted(rows, key=lambda pair: pair[1], reverse=True)


def numbered(position: AbstractPosition) -> TypeGuard[NumberedKernel]:
    """True if the game of a position numbers its positions."""
    return isinstance(position, Kernel) and bool(position.slices(2))


def fit(position: AbstractPosition) -> None:
    """Raise Usage, with the reason, if there cannot be tables for the game of a position."""
    name = catalogue.name_of(position)
    if position.players != 2 or not position.zero_sum:
        raise Usage(f"endgame tables require a two-player zero-sum game; {name} is none")
    if position.chance or position.hidden:
        raise Usage(f"endgame tables require a game without chance and hidden information; {name} has them")
    if position.scored:
        raise Usage(f"endgame tables store win, draw or loss; {name} is scored in points")
    if position.remembers and not numbered(position):
        raise Usage(f"endgame tables are indexed by position; in {name} the history matters too")
