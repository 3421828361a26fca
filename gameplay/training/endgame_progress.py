"""The progress of endgame training: positions solved and tried by ending and level, and those missed.

A missed position is repeated like puzzles (SM-2, see `gameplay.training.practice`): the next day and, once
solved, after a day, 6 days and growing intervals.
"""

from datetime import date
from pathlib import Path

import msgspec

from gameplay.store import document
from gameplay.training import stored_reviews
from gameplay.training.endgames import LEVELS
from gameplay.training.practice import EASE, RIGHT_AT_ONCE, RIGHT_LATER, WRONG, record_answer

SCHEMA = 1
ENOUGH = 3  # positions of a level, of which two thirds are solved, before the next level is the default


class EndgameTally(msgspec.Struct):
    """The number of positions tried, and of those solved without a mistake."""

    solved: int = 0
    tried: int = 0


class MissedEndgame(msgspec.Struct, omit_defaults=True):
    """A missed position, and when it is due."""

    ending: str
    start: str
    due: str = ""
    interval: int = 0
    ease: float = EASE
    streak: int = 0
    asked: int = 0
    wrong: int = 0


class GameProgress(msgspec.Struct):
    """The progress in one game. `streak`: positions solved in a row, `best`: the longest streak."""

    streak: int = 0
    best: int = 0
    endings: dict[str, dict[int, EndgameTally]] = {}  # by name and level
    missed: list[MissedEndgame] = []

    def level(self) -> int:
        """The level of new positions: the first that is not mastered yet."""
        for level in LEVELS:
            tallies = [levels[level] for levels in self.endings.values() if level in levels]
            tried, solved = sum(tally.tried for tally in tallies), sum(tally.solved for tally in tallies)
            if tried < ENOUGH or 3 * solved < 2 * tried:
                return level
        return LEVELS[-1]

    def due(self, today: date) -> list[MissedEndgame]:
        """The missed positions to be asked today, the longest waiting first."""
        waiting = [endgame for endgame in self.missed if endgame.due <= today.isoformat()]
        return sorted(waiting, key=lambda endgame: endgame.due)


class EndgameProgress(msgspec.Struct):
    """The progress of endgame training, by game."""

    schema: int = SCHEMA
    games: dict[str, GameProgress] = {}

    def of(self, game: str) -> GameProgress:
        """The progress in a game."""
        return self.games.setdefault(game, GameProgress())


def path() -> Path:
    """The file of the progress."""
    return stored_reviews.folder().parent / "endgames.json"


def load() -> EndgameProgress:
    """Load the progress. Raises BadInput for a damaged file."""
    return document.read(path(), EndgameProgress)


def note(game: str, ending: str, level: int, start: str, solved: bool, helped: bool, today: date) -> str:
    """Store the result of a position; returns the day when it is due again, "" if never.

    `helped`: after a hint, or with a move taken back. Raises OSError, and as `load`.
    """
    progress = load()
    own = progress.of(game)
    tally = own.endings.setdefault(ending, {}).setdefault(level, EndgameTally())
    tally.tried += 1
    tally.solved += solved
    own.streak = own.streak + 1 if solved else 0
    own.best = max(own.best, own.streak)
    endgame = next((endgame for endgame in own.missed if endgame.start == start), None)
    if endgame is None and not solved:
        endgame = MissedEndgame(ending, start)
        own.missed.append(endgame)
    if endgame is not None:
        record_answer(endgame, WRONG if not solved else RIGHT_LATER if helped else RIGHT_AT_ONCE, today)
    document.write(path(), progress)
    return endgame.due if endgame is not None else ""
