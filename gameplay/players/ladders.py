"""The levels of the built-in games, and their measured gains over the level below.

Levels are 100 to 200 Elo apart, so that games with much chance or many draws have few. The last level makes
no deliberate errors; for more strength, name an engine and a limit. Each level played against the one below
it (`python -m benchmarks levels`); a gain outside that range was readjusted and measured again, so the gains
are slightly overestimated.

A margin is half the width of the 95 % interval of `statistics.interval`: Student's t with n - 1 degrees of
freedom, n the number of pairs of games with the seats exchanged (in hearts groups of four), computed for the
score and converted to Elo. Only mean, margin and number of games are stored, so that module's correction for
skewness, some 5 % of the width for 30 pairs at these scores, is not included.

Every opening is played from both sides: of chess, Othello and checkers those in configs/openings, of
Connect Four two or three random plies, of Go and Chinese checkers two; the two games of a pair have the
same dice and deals. In hearts one of the higher level sits with three of the lower one, on each seat in
turn, and Elo is that of the pairings; in bridge partners are of one level, and each deal is played again
with the seats exchanged. The engines had tables of 4 MB. Levels keep the engine and the evaluation with which
they were measured (ENGINES, EVALUATIONS), so that their strength stays when a default changes.
"""

import tomllib
from pathlib import Path
from typing import NamedTuple


class Gain(NamedTuple):
    """The measured gain of a level over the one below it."""

    elo: int
    margin: int  # half the 95 % interval, see above
    games: int


class Winnings(NamedTuple):
    """The measured winnings from the level below, for games of cards in which Elo differences are small."""

    points: float  # per game, in the game's unit
    margin: float
    games: int


class Level(NamedTuple):
    """The depth and error of a level (see `level.LEVELS`), and its gain over the level below."""

    depth: int | None
    error: float
    gain: Gain | Winnings | None = None  # None: not measured


def _level(depth: int | str, error: float, gain: int | float = 0, margin: float = 0, games: int = 0) -> Level:
    """A row of the file, in which gains in Elo are ints and winnings are floats."""
    measured = Gain(gain, int(margin), games) if isinstance(gain, int) else Winnings(gain, margin, games)
    return Level(None if isinstance(depth, str) else depth, error, measured if games else None)


ENGINES = {"stratego": "ismcts", "holdem": "ismcts"}  # the engine of a game's levels; others: the default
EVALUATIONS = {"chess": "classic"}  # the evaluation of a game's levels; others: the default

_FILE = Path(__file__).with_suffix(".toml")
LADDERS = {
    game: tuple(_level(*row) for row in rows) for game, rows in tomllib.loads(_FILE.read_text()).items()
}
