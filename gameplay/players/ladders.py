"""The levels of the games that come along, and how far apart they were measured to be.

A ladder has as many levels as fit into its game 100 to 200 Elo apart: where chance decides much, or nobody
who errs little loses, these are few. The last one makes no errors of its own accord; who wants more names
an engine and its limit. Each level met the one below it, `python -m benchmarks levels`, with seeds of its
own; a step outside that range was set anew and measured again, so that the figures are a little flattered.
Every opening is played from both sides: of chess, Othello and checkers those in configs/openings, of
Connect Four two or three random plies, of Go and Chinese checkers two; the two games of a pair have the
same dice and deals. In hearts one of the higher level sits with three of the lower one, on each seat in
turn, and Elo is that of the pairings; in bridge partners are of one level, and each deal is played again
with the seats exchanged. The engines had tables of 4 MB.
"""

from typing import NamedTuple


class Gain(NamedTuple):
    """By how much a level was measured to be stronger than the one below it."""

    elo: int
    margin: int  # half the 95 % interval
    games: int


class Winnings(NamedTuple):
    """What a level was measured to win from the one below it: where cards decide most, Elo is little."""

    points: float  # a game, in what the game counts
    margin: float
    games: int


class Level(NamedTuple):
    """How far a level looks ahead, how much it errs (see `level.LEVELS`), and its gain over the one below."""

    ahead: int | None
    errs: float
    gain: Gain | Winnings | None = None  # None: nobody has measured it


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
        Level(2, 0.53, Gain(156, 50, 200)),
        Level(3, 0.41, Gain(164, 38, 400)),
        Level(4, 0.275, Gain(159, 37, 400)),
        Level(6, 0.105, Gain(194, 35, 400)),
        Level(8, 0.055, Gain(173, 48, 200)),
        Level(9, 0.025, Gain(193, 55, 200)),
        Level(10, 0.016, Gain(193, 51, 200)),
        Level(12, 0.008, Gain(127, 64, 100)),
        Level(14, 0.0, Gain(183, 74, 60)),
    ),
    "go": (
        Level(1, 0.4),
        Level(1, 0.29, Gain(182, 58, 200)),
        Level(1, 0.19, Gain(127, 55, 200)),
        Level(1, 0.09, Gain(147, 52, 200)),
        Level(2, 0.08, Gain(131, 51, 200)),
        Level(3, 0.055, Gain(164, 79, 100)),
        Level(4, 0.03, Gain(182, 84, 100)),
        Level(5, 0.0, Gain(191, 66, 100)),
        Level(6, 0.0, Gain(147, 86, 60)),
    ),
    "othello": (
        Level(1, 0.6),
        Level(2, 0.39, Gain(127, 50, 200)),
        Level(2, 0.22, Gain(191, 58, 200)),
        Level(3, 0.19, Gain(191, 53, 200)),
        Level(3, 0.13, Gain(166, 57, 200)),
        Level(4, 0.115, Gain(200, 51, 200)),
        Level(5, 0.105, Gain(156, 52, 200)),
        Level(6, 0.086, Gain(191, 58, 200)),
        Level(7, 0.078, Gain(156, 52, 200)),
        Level(7, 0.0, Gain(173, 77, 100)),
    ),
    "checkers": (
        Level(1, 0.3),
        Level(2, 0.19, Gain(115, 61, 100)),
        Level(3, 0.13, Gain(131, 64, 100)),
        Level(3, 0.078, Gain(183, 62, 120)),
        Level(4, 0.07, Gain(114, 55, 120)),
        Level(5, 0.055, Gain(186, 70, 100)),
        Level(6, 0.047, Gain(186, 57, 100)),
        Level(6, 0.034, Gain(168, 57, 100)),
        Level(6, 0.0225, Gain(135, 54, 100)),
        Level(6, 0.011, Gain(160, 54, 100)),
        Level(6, 0.0, Gain(186, 60, 100)),
    ),
    "chess": (
        Level(1, 0.32),
        Level(1, 0.22, Gain(200, 79, 100)),
        Level(2, 0.2, Gain(182, 62, 100)),
        Level(2, 0.15, Gain(143, 50, 100)),
        Level(3, 0.12, Gain(134, 63, 60)),
        Level(3, 0.088, Gain(127, 57, 60)),
        Level(3, 0.065, Gain(120, 73, 60)),
        Level(3, 0.037, Gain(176, 71, 60)),
        Level(3, 0.0245, Gain(197, 35, 300)),
        Level(3, 0.0155, Gain(143, 33, 300)),
        Level(3, 0.0, Gain(163, 32, 300)),
        Level(4, 0.0, Gain(108, 86, 60)),
        Level(5, 0.0, Gain(183, 101, 60)),
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
        Level(2, 0.25, Gain(156, 51, 200)),
        Level(4, 0.0, Gain(173, 45, 200)),
    ),
    "hearts": (
        Level(1, 1.0),
        Level(1, 0.0, Gain(171, 30, 60)),
    ),
    "chinese-checkers": (
        Level(1, 0.6),
        Level(1, 0.515, Gain(173, 77, 100)),
        Level(1, 0.425, Gain(123, 69, 100)),
        Level(1, 0.315, Gain(197, 55, 160)),
        Level(1, 0.18, Gain(142, 47, 160)),
        Level(1, 0.0, Gain(168, 48, 160)),
    ),
    "monopoly": (
        Level(1, 0.95),
        Level(1, 0.65, Gain(173, 72, 100)),
        Level(1, 0.0, Gain(108, 66, 100)),
    ),
    "phantom-tictactoe": (
        Level(1, 1.0),
        Level(1, 0.0, Gain(182, 38, 300)),
    ),
    "battleship": (
        Level(1, 0.94),
        Level(1, 0.88, Gain(173, 59, 200)),
        Level(1, 0.8, Gain(135, 48, 200)),
        Level(1, 0.69, Gain(139, 51, 200)),
        Level(1, 0.58, Gain(115, 54, 200)),
        Level(1, 0.0, Gain(143, 53, 200)),
    ),
    "backgammon": (
        Level(1, 0.9),
        Level(1, 0.5, Gain(102, 51, 140)),
        Level(1, 0.28, Gain(184, 63, 140)),
        Level(1, 0.19, Gain(172, 66, 140)),
        Level(1, 0.13, Gain(178, 65, 140)),
        Level(1, 0.078, Gain(162, 39, 400)),
        Level(1, 0.0, Gain(164, 37, 400)),
    ),
    "scrabble": (
        Level(-7, 0.84),
        Level(-7, 0.725, Gain(139, 77, 100)),
        Level(-7, 0.61, Gain(115, 81, 100)),
        Level(-7, 0.495, Gain(139, 80, 100)),
        Level(-7, 0.355, Gain(119, 60, 100)),
        Level(-7, 0.225, Gain(131, 67, 100)),
        Level(-7, 0.11, Gain(147, 71, 100)),
        Level(-7, 0.0, Gain(139, 61, 100)),
    ),
    "bridge": (
        Level(-7, 0.8),
        Level(-7, 0.0, Winnings(98.0, 47.7, 80)),
        Level(8, 0.0, Winnings(119.5, 34.7, 60)),
    ),
    "stratego": (
        Level(0, 0.85),
        Level(0, 0.0, Gain(161, 67, 60)),
    ),
    "stratego:army=barrage": (
        Level(2, 1.0),
        Level(2, 0.0, Gain(161, 90, 60)),
    ),
}
