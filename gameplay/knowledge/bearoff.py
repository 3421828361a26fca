"""Exact bear-off tables for backgammon: one-sided, and two-sided for few checkers.

`gameplay table build backgammon` writes both files. The one-sided table stores the mean number of rolls and
the probability of each number. The two-sided table stores the probability that the side to roll wins, without
the cube; with up to nine checkers a side gammons are impossible, so this probability determines the value.
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
from gameplay.knowledge.bearoff_solver import MAX_CHECKERS, MAX_ROLLS, BearoffSolver, index_of
from gameplay.knowledge.knowledge import Advice, GameLike, Knowledge
from gameplay.knowledge.tables.building import BuildResult
from gameplay.knowledge.tables.table_file import SUFFIX, Subject, TableFile, block_size, write
from gameplay.position import CHANCE, AbstractPosition

GAME = "backgammon"
ONE_SIDED, TWO_SIDED = "bearoff-alone", "bearoff-against"
TOLERANCE = 1e-12  # difference below which two probabilities are equal


def is_supported(position: AbstractPosition) -> bool:
    """True for a position of a game in which checkers are borne off as in backgammon."""
    return isinstance(position, HasBearoff)


def build(folder: Path, checkers: int) -> Iterator[BuildResult]:
    """Build the one-sided table of 15 checkers, then the two-sided one of up to `checkers` a side."""
    start_time = time.process_time()
    solver = BearoffSolver(MAX_CHECKERS)
    means, distributions = solver.solve_one_sided()
    subject = Subject(GAME, ((ONE_SIDED, 0, solver.count),), facts={"men": MAX_CHECKERS})
    planes = {
        "means": _split_blocks("means", means, 1),
        "shares": _split_blocks("shares", distributions, MAX_ROLLS),
    }
    size = write(folder / (ONE_SIDED + SUFFIX), subject, planes)
    yield BuildResult(ONE_SIDED, solver.count, solver.count, 0, size, time.process_time() - start_time)
    start_time = time.process_time()
    solver = BearoffSolver(checkers)
    wins = solver.solve_two_sided()
    subject = Subject(GAME, ((TWO_SIDED, checkers, len(wins)),), facts={"men": checkers})
    size = write(folder / (TWO_SIDED + SUFFIX), subject, {"chances": _split_blocks("chances", wins, 1)})
    yield BuildResult(TWO_SIDED, len(wins), len(wins), 0, size, time.process_time() - start_time)


def _split_blocks(plane: str, numbers: Any, count: int) -> list[bytes]:
    """Split an array into the blocks of a plane with `each` numbers per place."""
    size = block_size(plane) * count
    return [array("d", numbers[start : start + size]).tobytes() for start in range(0, len(numbers), size)]


def home_checkers(position: HasBearoff, player: int) -> list[int] | None:
    """A player's checkers on the points 1 to 6; None if other checkers are on the board."""
    checkers = position.checkers(player)
    return None if any(checkers[7:26]) else list(checkers[1:7])


class Bearoff(Knowledge):
    """Bears off perfectly if both sides have few checkers and there is no cube."""

    option = "bearoff"
    path_kind = "folder"

    def __init__(self, path: str, game: GameLike | None = None) -> None:
        """Raises BadInput if the files are missing from the folder, or invalid."""
        super().__init__(path, game)
        if not os.path.isfile(os.path.join(path, ONE_SIDED + SUFFIX)):
            raise BadInput(
                f"{path} holds no bear-off tables. Try: gameplay table build backgammon --folder {path}"
            )
        self.one_sided = TableFile(Path(path) / (ONE_SIDED + SUFFIX))
        self.two_sided = TableFile(Path(path) / (TWO_SIDED + SUFFIX))
        for file in (self.one_sided, self.two_sided):
            if file.subject.game != GAME:
                raise BadInput(f"{file.path} is a table of {file.subject.game}; expected {GAME}")
        self.max_checkers = int(self.two_sided.subject.facts["men"])

    @classmethod
    def check_supported(cls, position: AbstractPosition) -> None:
        if not is_supported(position):
            raise Usage(f"bearoff requires backgammon, not {name_of(position)}")

    def roll_distribution(self, checkers: list[int]) -> tuple[float, list[float]]:
        """The mean number of rolls of a side, and the probabilities of 0, 1, 2, ... rolls."""
        index = index_of(checkers)
        return self.one_sided.numbers("means", index)[0], self.one_sided.numbers("shares", index)

    def win_probability(self, checkers: list[int], opponent_checkers: list[int]) -> float | None:
        """The win probability of the side to roll; None with too many checkers."""
        if sum(checkers) > self.max_checkers or sum(opponent_checkers) > self.max_checkers:
            return None
        count = comb(self.max_checkers + 6, 6)
        return self.two_sided.numbers("chances", index_of(checkers) * count + index_of(opponent_checkers))[0]

    def move_win_probabilities(self, position: AbstractPosition) -> dict[int, float]:
        """The mover's win probability by turn. Empty if unknown, or at a chance node."""
        assert isinstance(position, HasBearoff)
        mover = position.turn
        if mover == CHANCE or position.outcome() is not None:
            return {}
        sides = [home_checkers(position, player) for player in (mover, 1 - mover)]
        if None in sides or position.cube or position.match:
            return {}
        chances: dict[int, float] = {}
        for move in position.moves():
            position.make(move)
            checkers, opponent_checkers = home_checkers(position, mover), home_checkers(position, 1 - mover)
            if position.outcome() is not None:
                chances[move] = 1.0
            elif checkers is not None and opponent_checkers is not None and position.turn == CHANCE:
                opponent_win = self.win_probability(opponent_checkers, checkers)
                if opponent_win is not None:
                    chances[move] = 1.0 - opponent_win
            position.unmake()
        return chances if len(chances) == len(position.moves()) else {}

    def probe(self, position: AbstractPosition) -> Advice | None:
        """The moves of the greatest win probability."""
        chances = self.move_win_probabilities(position)
        if not chances:
            return None
        best = max(chances.values())
        return Advice("tables", tuple(move for move, chance in chances.items() if chance > best - TOLERANCE))


def find_mismatch(tables: Bearoff, game: GameLike, count: int, seed: int = 0) -> str:
    """Verify `count` random values against their successors; returns "", or the first mismatch."""
    rng = random.Random(seed)
    for _ in range(count):
        sides = [_random_checkers(rng, tables.max_checkers) for _ in range(2)]
        position = game.new()
        assert isinstance(position, HasBearoff)
        position.lay_out(*sides)
        win = mean_rolls = 0.0
        for roll, probability in zip(position.moves(), position.chances(), strict=True):
            position.make(roll)
            chances = tables.move_win_probabilities(position)
            win += probability * max(chances.values())
            mean_rolls += probability * min(_mean_rolls_after(tables, position, move) for move in chances)
            position.unmake()
        stored_win = tables.win_probability(*sides) or 0.0
        stored_mean = tables.roll_distribution(sides[0])[0]
        if abs(win - stored_win) > TOLERANCE or abs(mean_rolls + 1 - stored_mean) > TOLERANCE:
            return str(position.text())
    return ""


def _mean_rolls_after(tables: Bearoff, position: AbstractPosition, move: int) -> float:
    """The mean number of rolls that the mover needs after a move."""
    assert isinstance(position, HasBearoff)
    mover = position.turn
    position.make(move)
    checkers = home_checkers(position, mover)
    position.unmake()
    return tables.roll_distribution(checkers or [0] * 6)[0]


def _random_checkers(rng: random.Random, max_count: int) -> list[int]:
    """One to `most` checkers on the points 1 to 6."""
    checkers = [0] * 6
    for _ in range(rng.randint(1, max_count)):
        checkers[rng.randrange(6)] += 1
    return checkers
