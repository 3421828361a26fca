"""Exact bear-off tables for backgammon: one side alone, and both sides with few checkers each.

`gameplay table build backgammon` makes both files. The one-sided table stores the mean number of rolls and
the probability of each number. The two-sided table stores the probability that the side to roll wins, without
the cube; with up to nine checkers a side no gammons are possible, so that this is the whole value.
"""

import os
import random
import time
from array import array
from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import Any

from gameplay.capabilities import HasBearoff
from gameplay.catalogue import name_of
from gameplay.errors import BadInput, Usage
from gameplay.knowledge.bearoff_solver import MAX_ROLLS, MEN, BearoffSolver, index_of
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge
from gameplay.knowledge.tables.building import Built
from gameplay.knowledge.tables.table_file import SUFFIX, Subject, TableFile, blocks, write
from gameplay.position import CHANCE, AbstractPosition

GAME = "backgammon"
ALONE, AGAINST = "bearoff-alone", "bearoff-against"
NEAR = 1e-12  # chances that are as good


def fits(position: AbstractPosition) -> bool:
    """True for a position of a game in which checkers are borne off as in backgammon."""
    return isinstance(position, HasBearoff)


def build(folder: Path, men: int) -> Iterator[Built]:
    """Solve one side of up to 15 men, then both of up to `men`, and write their files."""
    began = time.process_time()
    solver = BearoffSolver(MEN)
    means, shares = solver.alone()
    subject = Subject(GAME, ((ALONE, 0, solver.count),), facts={"men": MEN})
    planes = {"means": _cut("means", means, 1), "shares": _cut("shares", shares, MAX_ROLLS)}
    size = write(folder / (ALONE + SUFFIX), subject, planes)
    yield Built(ALONE, solver.count, solver.count, 0, size, time.process_time() - began)
    began = time.process_time()
    solver = BearoffSolver(men)
    wins = solver.against()
    subject = Subject(GAME, ((AGAINST, men, len(wins)),), facts={"men": men})
    size = write(folder / (AGAINST + SUFFIX), subject, {"chances": _cut("chances", wins, 1)})
    yield Built(AGAINST, len(wins), len(wins), 0, size, time.process_time() - began)


def _cut(plane: str, numbers: Any, each: int) -> list[bytes]:
    """An array as the blocks of a plane, `each` numbers a place."""
    size = blocks(plane) * each
    return [array("d", numbers[at : at + size]).tobytes() for at in range(0, len(numbers), size)]


def home(position: HasBearoff, player: int) -> list[int] | None:
    """A player's checkers on the points 1 to 6; None if they have others on the board."""
    men = position.checkers(player)
    return None if any(men[7:26]) else list(men[1:7])


class Bearoff(Knowledge):
    """Bears off perfectly, if both sides have few checkers and there is no cube."""

    option = "bearoff"
    takes = "folder"

    def __init__(self, path: str, game: GameLike | None = None) -> None:
        """Raises BadInput if the files are not in that folder, or are wrong."""
        super().__init__(path, game)
        if not os.path.isfile(os.path.join(path, ALONE + SUFFIX)):
            raise BadInput(f"{path} holds no bear-off tables. Try: gameplay table build backgammon")
        self.alone = TableFile(Path(path) / (ALONE + SUFFIX))
        self.against = TableFile(Path(path) / (AGAINST + SUFFIX))
        for file in (self.alone, self.against):
            if file.subject.game != GAME:
                raise BadInput(f"{file.path} is of another game, {file.subject.game}")
        self.men = int(self.against.subject.facts["men"])

    @classmethod
    def fits(cls, position: AbstractPosition) -> None:
        if not fits(position):
            raise Usage(f"bearoff: such tables are for backgammon, and this is {name_of(position)}")

    def rolls(self, men: list[int]) -> tuple[float, list[float]]:
        """The mean number of rolls of a side, and the probabilities of 0, 1, 2, ... rolls."""
        place = index_of(men)
        return self.alone.numbers("means", place)[0], self.alone.numbers("shares", place)

    def chance(self, mine: list[int], theirs: list[int]) -> float | None:
        """The win probability of the side to roll; None with too many checkers."""
        if sum(mine) > self.men or sum(theirs) > self.men:
            return None
        count = comb(self.men + 6, 6)
        return self.against.numbers("chances", index_of(mine) * count + index_of(theirs))[0]

    def chances(self, position: AbstractPosition) -> dict[int, float]:
        """The mover's win probability by turn. Empty if unknown, or at a chance node."""
        assert isinstance(position, HasBearoff)
        mover = position.turn
        if mover == CHANCE or position.outcome() is not None:
            return {}
        sides = [home(position, player) for player in (mover, 1 - mover)]
        if None in sides or position.cube or position.match:
            return {}
        chances: dict[int, float] = {}
        for move in position.moves():
            position.make(move)
            mine, theirs = home(position, mover), home(position, 1 - mover)
            if position.outcome() is not None:
                chances[move] = 1.0
            elif mine is not None and theirs is not None and position.turn == CHANCE:
                reply = self.chance(theirs, mine)
                if reply is not None:
                    chances[move] = 1.0 - reply
            position.unmake()
        return chances if len(chances) == len(position.moves()) else {}

    def probe(self, position: AbstractPosition) -> Advice | None:
        """The turns that win most often."""
        chances = self.chances(position)
        if not chances:
            return None
        most = max(chances.values())
        return Advice("tables", tuple(move for move, chance in chances.items() if chance > most - NEAR))


def wrong(tables: Bearoff, game: GameLike, count: int, seed: int = 0) -> str:
    """Verify random values against their successors; returns "", or a wrong position."""
    rng = random.Random(seed)
    for _ in range(count):
        sides = [_drawn(rng, tables.men) for _ in range(2)]
        position = game.new()
        assert isinstance(position, HasBearoff)
        position.lay_out(*sides)
        win = mean = 0.0
        for roll, odds in zip(position.moves(), position.chances(), strict=True):
            position.make(roll)
            chances = tables.chances(position)
            win += odds * max(chances.values())
            mean += odds * min(_after(tables, position, move) for move in chances)
            position.unmake()
        if abs(win - (tables.chance(*sides) or 0)) > NEAR or abs(mean + 1 - tables.rolls(sides[0])[0]) > NEAR:
            return str(position.text())
    return ""


def _after(tables: Bearoff, position: AbstractPosition, move: int) -> float:
    """The mean number of rolls that the mover needs after a move."""
    assert isinstance(position, HasBearoff)
    mover = position.turn
    position.make(move)
    men = home(position, mover)
    position.unmake()
    return tables.rolls(men or [0] * 6)[0]


def _drawn(rng: random.Random, most: int) -> list[int]:
    """One to `most` men on the points 1 to 6."""
    men = [0] * 6
    for _ in range(rng.randint(1, most)):
        men[rng.randrange(6)] += 1
    return men
