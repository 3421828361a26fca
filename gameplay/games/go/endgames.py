"""Go endgame exercises: 5x5 positions in which a game was lost by a mistake, from `endgames.tsv`.

Each line of the file has the ending, the level, the value in points and the position. It was written by
`gameplay.training.go_exercises`; see docs/contributing/knowledge.md.
"""

from functools import cache, partial
from pathlib import Path
from random import Random

from gameplay.capabilities import Endgames, Ending

FILE = Path(__file__).with_suffix(".tsv")
WHOLE = 12  # points; wins by more take most stones of the other side
TERMS = "5x5, all stones count as alive, komi 0.5"


@cache
def exercises() -> tuple[tuple[str, int, float, str], ...]:
    """Ending, level, value in points, and position of each line."""
    rows = [line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines()]
    return tuple((ending, int(level), float(points), text) for ending, level, points, text in rows)


def random_position(name: str, rng: Random) -> str:
    """A random position of an ending."""
    return rng.choice([text for ending, _, _, text in exercises() if ending == name])


def level(text: str) -> int:
    """The level of a position of the file; 0 for any other."""
    return next((each for _, each, _, other in exercises() if other == text), 0)


def levels(name: str) -> tuple[int, ...]:
    """The levels of which the file has positions of an ending."""
    return tuple(sorted({each for ending, each, _, _ in exercises() if ending == name}))


def ending(name: str, words: str) -> Ending:
    """An ending of the file."""
    return Ending(
        name, f"{words} ({TERMS})", partial(random_position, name), level=level, levels=levels(name)
    )


ENDGAMES = Endgames(
    oracle="game solver",
    spec="go:size=5,goal=points,komi=0.5",
    nodes=60_000,
    idle="pass",
    levels=(2, 3, 4, 6),
    endings=(ending("points", "a close game"), ending("life", "life and death")),
)
