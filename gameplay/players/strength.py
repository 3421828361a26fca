"""Strength in words: beginner, casual, club and strong are levels of a game; full is its default engine.

The number of levels differs by game (see `players.ladders`); the words are spread evenly over the ladder.
"""

from collections.abc import Iterator
from textwrap import wrap

from gameplay import specs
from gameplay.errors import Usage, brief, nearest
from gameplay.players import level
from gameplay.players.level import ladder, level_engine
from gameplay.players.seats import opponent
from gameplay.registry import Game

WORDS = {"beginner": 0.0, "casual": 0.3, "club": 0.6, "strong": 1.0}  # share of the ladder below that level
FULL = "full"
CASUAL = "casual"
SYNONYMS = {"easy": "beginner", "medium": "club", "hard": "strong", "expert": "strong", "max": FULL}
MEANINGS = {
    "beginner": "often makes large mistakes",
    "casual": "makes a mistake now and then",
    "club": "makes small mistakes",
    "strong": "makes no deliberate mistake",
    FULL: "the default engine, at full strength",
}


def levels(game: Game) -> dict[str, int]:
    """The level of each word, weakest first; games with few levels omit some words.

    Raises Usage where the game has no levels.
    """
    level_count = len(ladder(game, level_engine(game)))
    numbers: dict[int, str] = {}
    for word in ("beginner", "strong", "casual", "club"):  # the first word of a level is kept
        numbers.setdefault(_level_number(word, level_count), word)
    return {numbers[number]: number for number in sorted(numbers)}


def spec(word: str, game: Game) -> str:
    """The player of that strength: `level:4`, or an engine. `word`: a number, a word or a synonym.

    Raises Usage for an unknown word, and where the game has no levels.
    """
    name = word.strip().lower()
    name = SYNONYMS.get(name, name)
    if name == FULL:
        return opponent(game)
    level_count = len(ladder(game, level_engine(game)))
    if name in WORDS:
        return f"{specs.LEVEL}:{_level_number(name, level_count)}"
    if name.isdecimal() and 1 <= int(name) <= level_count:
        return f"{specs.LEVEL}:{int(name)}"
    words = ", ".join(WORDS)
    suggestion = nearest(name, [*WORDS, FULL, *SYNONYMS])
    raise Usage(
        f"a level of {game.name} must be 1 to {level_count}, {words} or {FULL}, "
        f"not '{brief(word)}'{suggestion}"
    )


def _level_number(word: str, level_count: int) -> int:
    """The level of a word on a ladder of `most` levels."""
    return 1 + round(WORDS[word] * (level_count - 1))


def describe_levels(game: Game, width: int = 80) -> str:
    """The levels of a game as `players.level.describe_levels` returns them, and the words for some of them.

    Raises Usage where the game has no levels.
    """
    words = ", ".join(f"{word} is level {number}" for word, number in levels(game).items())
    text = f"In words: {words}; {FULL} is the engine {opponent(game)} without a handicap."
    return "\n".join([level.describe_levels(game, width), *wrap(text, width)])


def default_opponent(game: Game) -> str:
    """The default opponent: casual, or the default engine in games without levels."""
    try:
        return spec(CASUAL, game)
    except Usage:
        return opponent(game)


def choices(game: Game) -> Iterator[tuple[str, str, str]]:
    """The choices of strength: word, player's spec and meaning."""
    try:
        numbers = levels(game)
    except Usage:
        numbers = {}
    for word, number in numbers.items():
        yield word, f"{specs.LEVEL}:{number}", MEANINGS[word]
    yield FULL, opponent(game), MEANINGS[FULL]
