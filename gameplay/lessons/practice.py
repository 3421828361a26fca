"""Mistakes of reviewed games as puzzles, asked again and again at growing intervals.

A mistake becomes a puzzle where one move alone is good, as a closer search than the review's confirms: any
other is a mistake at least. When a puzzle comes back is told by SM-2 (P. Wozniak, "Optimization of learning",
1990): after 1 day, after 6, then after as many times the last interval as its ease says, at first 2.5 and
never less than 1.3; an answer of quality q, 0 to 5, changes the ease by 0.1 - (5 - q)(0.08 + 0.02 (5 - q)),
and one below 3 begins again with a day and leaves the ease as it is.

All puzzles are in one file of the user's data folder, beside the names of mistakes that make none.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from gameplay import registry
from gameplay.errors import GameplayError
from gameplay.lessons import kept
from gameplay.lessons.review import NODES, Judged, Review, engine_for
from gameplay.matches.views import spelled
from gameplay.players.verdict import COSTS, EQUITY, cost
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.store import document

SCHEMA = 1
CLOSER = 4  # times the nodes of a review by which a puzzle is confirmed
EASE, LEAST_EASE = 2.5, 1.3
FIRST, SECOND = 1, 6  # days
AT_ONCE, LATER, NEVER = 5, 3, 1  # the quality of an answer: right, right at the second try, wrong


class Exercise(msgspec.Struct, omit_defaults=True):
    """A position with one good move, how it was missed, and when it is to be asked again."""

    id: str
    game: str
    start: str
    words: list[str]  # the moves that led there
    right: str
    line: list[str]  # how it goes on, `right` first
    missed: str  # the move that was made
    answer: list[str]  # ... and how it is refuted
    source: str  # the game: who played it, when, which move
    due: str = ""  # the day, as 2026-11-22; "": it has not been asked yet
    interval: int = 0  # days
    ease: float = EASE
    streak: int = 0  # right answers in a row
    asked: int = 0
    wrong: int = 0


class Practice(msgspec.Struct):
    """All that is kept of puzzles."""

    schema: int = SCHEMA
    exercises: list[Exercise] = []
    rejected: list[str] = []  # mistakes that make no puzzle

    @property
    def known(self) -> set[str]:
        """What was looked at already, by its id."""
        return {one.id for one in self.exercises} | set(self.rejected)


def path() -> Path:
    """Where puzzles are kept."""
    return kept.folder().parent / "puzzles.json"


def load() -> Practice:
    """What is kept. Raises BadInput for a file that is damaged."""
    return document.read(path(), Practice)


def save(practice: Practice) -> None:
    """Keep it. Raises OSError."""
    document.write(path(), practice)


# -- when ---------------------------------------------------------------------------------------


def graded(one: Exercise, quality: int, today: date) -> None:
    """Note an answer of that quality, 0 to 5, and when the puzzle comes back."""
    one.asked += 1
    if quality < 3:
        one.wrong += 1
        one.streak, one.interval = 0, FIRST
    else:
        one.streak += 1
        one.interval = {1: FIRST, 2: SECOND}.get(one.streak) or round(one.interval * one.ease)
        one.ease = max(LEAST_EASE, one.ease + 0.1 - (5 - quality) * (0.08 + (5 - quality) * 0.02))
    one.due = (today + timedelta(days=one.interval)).isoformat()


def due(practice: Practice, today: date, game: str = "") -> list[Exercise]:
    """What is to be asked today: what is due, the longest waiting first, then what is new."""
    chosen = [one for one in practice.exercises if not game or one.game.partition(":")[0] == game]
    waiting = sorted(
        (one for one in chosen if one.due and one.due <= today.isoformat()), key=lambda one: one.due
    )
    return [*waiting, *(one for one in chosen if not one.due)]


# -- where they come from -----------------------------------------------------------------------


def candidates(reviews: Iterable[Review], known: set[str]) -> Iterator[tuple[str, Review, Judged]]:
    """The mistakes that nobody has looked at: those of people, or of everybody where no person is known."""
    for review in reviews:
        people = [seat for seat, spec in enumerate(review.players) if spec == "human"]
        for one in review.mistakes:
            if one.verdict == "inaccuracy" or (people and one.player not in people):
                continue
            name = identity(review, one)
            if name not in known:
                known.add(name)
                yield name, review, one


def identity(review: Review, one: Judged) -> str:
    """What tells a mistake's position from others: 12 hex digits."""
    parts = (review.game, review.start, *review.words[: one.ply - 1])
    return blake2b("\0".join(parts).encode(), digest_size=6).hexdigest()


def made(name: str, review: Review, one: Judged, nodes: int = 0) -> Exercise | None:
    """The puzzle of a mistake; None where a search finds two good moves.

    It takes so many nodes, 0: CLOSER times those of a review.
    Raises GameplayError where the game is not there any more, KeyboardInterrupt.
    """
    game = registry.game(review.game)
    position = game.new(review.start)
    for word in review.words[: one.ply - 1]:
        position.make(position.parse(word))
    found = Session(engine_for(game)).search(position, Limit(nodes=nodes or CLOSER * NODES, multipv=2))
    if found.stopped == "interrupted":
        raise KeyboardInterrupt
    best, *others = found.candidates
    least = (EQUITY if position.chance else COSTS)[1]
    missed = position.parse(one.move)
    if best.move == missed or not others or cost(position, best, others[0]) < least:
        return None
    line = spelled(position, best.pv)
    who = " - ".join(review.names)
    source = ", ".join(filter(None, [who, review.date, f"move {one.ply}"]))
    return Exercise(
        id=name,
        game=review.game,
        start=review.start,
        words=review.words[: one.ply - 1],
        right=line[0],
        line=line,
        missed=one.move,
        answer=one.answer,
        source=source,
    )


def gather(practice: Practice, watch: Callable[[int], Any] | None = None, nodes: int = 0) -> int:
    """Make puzzles of the mistakes of all reviews that are kept; how many are new.

    `watch` is told how many mistakes were looked at. Each is kept as it comes, so none is looked at twice.
    """
    count = 0
    for number, (name, review, one) in enumerate(candidates(kept.every(), practice.known), 1):
        if watch is not None:
            watch(number)
        try:
            found = made(name, review, one, nodes)
        except GameplayError:
            found = None
        if found is None:
            practice.rejected.append(name)
        else:
            practice.exercises.append(found)
            count += 1
        save(practice)
    return count
