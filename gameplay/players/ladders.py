"""The levels of the built-in games, and their measured gains over the level below.

A ladder has as many levels as fit into its game 100 to 200 Elo apart: few, where chance decides much or
games between players who err little are drawn. The last level makes no errors on purpose; for more
strength, name an engine and a limit. Each level met the one below it, `python -m benchmarks levels`, with its
own seeds; a step outside that range was set anew and measured again, so the gains are slightly overestimated.

A margin is half the width of the 95 % interval of `statistics.interval`: Student's t with n - 1 degrees of
freedom, n the number of pairs of games with the seats exchanged (in hearts groups of four), computed for the
score and converted to Elo. Only mean, margin and number of games are stored, so that module's correction for
skewness, some 5 % of the width for 30 pairs at these scores, is not included.

Every opening is played from both sides: of chess, Othello and checkers those in configs/openings, of
Connect Four two or three random plies, of Go and Chinese checkers two; the two games of a pair have the
same dice and deals. In hearts one of the higher level sits with three of the lower one, on each seat in
turn, and Elo is that of the pairings; in bridge partners are of one level, and each deal is played again
with the seats exchanged. The engines had tables of 4 MB.
"""

from typing import NamedTuple


class Gain(NamedTuple):
    """The measured gain of a level over the one below it."""

    elo: int
    margin: int  # half the 95 % interval, see above
    games: int


class Winnings(NamedTuple):
    """The measured winnings from the level below, in games where cards decide so much that Elo is small."""

    points: float  # per game, in the game's unit
    margin: float
    games: int


class Level(NamedTuple):
    """How far a level looks ahead, how much it errs (see `level.LEVELS`), and its gain over the one below."""

    ahead: int | None
    errs: float
    gain: Gain | Winnings | None = None  # None: not measured


LADDERS: dict[str, tuple[Level, ...]] = {
    "tictactoe": (
        Level(1, 3.0),
        Level(9, 0.76, Gain(176, 26, 600)),
        Level(None, 0.0, Gain(183, 16, 600)),
    ),
    "nim": (
        Level(1, 2.0),
        Level(2, 0.62, Gain(171, 39, 400)),
        Level(3, 0.42, Gain(162, 41, 400)),
        Level(4, 0.77, Gain(151, 37, 400)),
        Level(4, 0.26, Gain(137, 37, 400)),
        Level(6, 0.4, Gain(137, 39, 400)),
        Level(7, 0.42, Gain(173, 24, 1000)),
        Level(8, 0.53, Gain(166, 23, 1000)),
        Level(9, 0.39, Gain(168, 24, 1000)),
        Level(10, 0.44, Gain(106, 23, 1000)),
        Level(10, 0.22, Gain(134, 22, 1000)),
        Level(None, 0.0, Gain(175, 19, 1000)),
    ),
    "connect4": (
        Level(1, 2.0),
        Level(2, 0.53, Gain(156, 51, 200)),
        Level(3, 0.41, Gain(164, 38, 400)),
        Level(4, 0.275, Gain(159, 37, 400)),
        Level(6, 0.105, Gain(194, 35, 400)),
        Level(8, 0.055, Gain(173, 49, 200)),
        Level(9, 0.025, Gain(193, 56, 200)),
        Level(10, 0.016, Gain(193, 52, 200)),
        Level(12, 0.008, Gain(127, 66, 100)),
        Level(14, 0.0, Gain(183, 77, 60)),
    ),
    "go": (
        Level(1, 0.4),
        Level(1, 0.29, Gain(182, 59, 200)),
        Level(1, 0.19, Gain(127, 56, 200)),
        Level(1, 0.09, Gain(147, 53, 200)),
        Level(2, 0.08, Gain(131, 52, 200)),
        Level(3, 0.055, Gain(164, 81, 100)),
        Level(4, 0.03, Gain(182, 86, 100)),
        Level(5, 0.0, Gain(191, 68, 100)),
        Level(6, 0.0, Gain(147, 90, 60)),
    ),
    "othello": (
        Level(1, 0.6),
        Level(2, 0.39, Gain(127, 51, 200)),
        Level(2, 0.22, Gain(191, 59, 200)),
        Level(3, 0.19, Gain(191, 54, 200)),
        Level(3, 0.13, Gain(166, 58, 200)),
        Level(4, 0.115, Gain(200, 52, 200)),
        Level(5, 0.105, Gain(156, 53, 200)),
        Level(6, 0.086, Gain(191, 59, 200)),
        Level(7, 0.078, Gain(156, 53, 200)),
        Level(7, 0.0, Gain(173, 79, 100)),
    ),
    "checkers": (
        Level(1, 0.3),
        Level(2, 0.19, Gain(115, 63, 100)),
        Level(3, 0.13, Gain(131, 66, 100)),
        Level(3, 0.078, Gain(183, 63, 120)),
        Level(4, 0.07, Gain(114, 56, 120)),
        Level(5, 0.055, Gain(186, 72, 100)),
        Level(6, 0.047, Gain(186, 58, 100)),
        Level(6, 0.034, Gain(168, 58, 100)),
        Level(6, 0.0225, Gain(135, 55, 100)),
        Level(6, 0.011, Gain(160, 55, 100)),
        Level(6, 0.0, Gain(186, 62, 100)),
    ),
    "chess": (
        Level(1, 0.32),
        Level(1, 0.22, Gain(200, 81, 100)),
        Level(2, 0.2, Gain(182, 64, 100)),
        Level(2, 0.15, Gain(143, 51, 100)),
        Level(3, 0.12, Gain(134, 66, 60)),
        Level(3, 0.088, Gain(127, 60, 60)),
        Level(3, 0.065, Gain(120, 76, 60)),
        Level(3, 0.037, Gain(176, 74, 60)),
        Level(3, 0.0245, Gain(197, 35, 300)),
        Level(3, 0.0155, Gain(143, 33, 300)),
        Level(3, 0.0, Gain(163, 32, 300)),
        Level(4, 0.0, Gain(108, 90, 60)),
        Level(5, 0.0, Gain(183, 106, 60)),
    ),
    "pig": (
        Level(1, 5.0),
        Level(1, 0.3, Gain(119, 32, 400)),
        Level(1, 0.09, Gain(156, 33, 400)),
        Level(1, 0.0, Gain(153, 39, 400)),
    ),
    "kuhn": (
        Level(1, 0.8),
        Level(1, 0.4, Winnings(0.08, 0.04, 600)),
        Level(1, 0.0, Winnings(0.11, 0.03, 600)),
    ),
    "leduc": (
        Level(1, 1.0),
        Level(1, 0.5, Winnings(0.94, 0.27, 600)),
        Level(1, 0.0, Winnings(0.83, 0.24, 600)),
    ),
    "holdem": (
        Level(1, 1.0),
        Level(1, 0.5, Winnings(3.25, 2.28, 6000)),
        Level(1, 0.0, Winnings(5.86, 3.39, 2000)),
    ),
    "liars-dice": (
        Level(1, 1.0),
        Level(2, 0.25, Gain(156, 52, 200)),
        Level(4, 0.0, Gain(173, 46, 200)),
    ),
    "hearts": (
        Level(1, 1.0),
        Level(1, 0.0, Gain(171, 33, 60)),
    ),
    "chinese-checkers": (
        Level(1, 0.6),
        Level(1, 0.515, Gain(173, 79, 100)),
        Level(1, 0.425, Gain(123, 71, 100)),
        Level(1, 0.315, Gain(197, 56, 160)),
        Level(1, 0.18, Gain(142, 48, 160)),
        Level(1, 0.0, Gain(168, 49, 160)),
    ),
    "monopoly": (
        Level(1, 0.95),
        Level(1, 0.65, Gain(173, 74, 100)),
        Level(1, 0.0, Gain(108, 68, 100)),
    ),
    "phantom-tictactoe": (
        Level(1, 1.0),
        Level(1, 0.0, Gain(182, 38, 300)),
    ),
    "battleship": (
        Level(1, 0.94),
        Level(1, 0.88, Gain(173, 60, 200)),
        Level(1, 0.8, Gain(135, 49, 200)),
        Level(1, 0.69, Gain(139, 52, 200)),
        Level(1, 0.58, Gain(115, 55, 200)),
        Level(1, 0.0, Gain(143, 54, 200)),
    ),
    "backgammon": (
        Level(1, 0.9),
        Level(1, 0.5, Gain(102, 52, 140)),
        Level(1, 0.28, Gain(184, 64, 140)),
        Level(1, 0.19, Gain(172, 67, 140)),
        Level(1, 0.13, Gain(178, 66, 140)),
        Level(1, 0.078, Gain(162, 39, 400)),
        Level(1, 0.0, Gain(164, 37, 400)),
    ),
    "scrabble": (
        Level(-7, 0.84),
        Level(-7, 0.725, Gain(139, 79, 100)),
        Level(-7, 0.61, Gain(115, 83, 100)),
        Level(-7, 0.495, Gain(139, 82, 100)),
        Level(-7, 0.355, Gain(119, 62, 100)),
        Level(-7, 0.225, Gain(131, 69, 100)),
        Level(-7, 0.11, Gain(147, 73, 100)),
        Level(-7, 0.0, Gain(139, 63, 100)),
    ),
    "bridge": (
        Level(-7, 0.8),
        Level(-7, 0.0, Winnings(98.0, 49.2, 80)),
        Level(8, 0.0, Winnings(119.5, 36.2, 60)),
    ),
    "stratego": (
        Level(0, 0.85),
        Level(0, 0.0, Gain(161, 70, 60)),
    ),
    "stratego:army=barrage": (
        Level(2, 1.0),
        Level(2, 0.0, Gain(161, 94, 60)),
    ),
}
