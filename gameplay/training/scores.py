"""The user's results in `gameplay quiz`: counts by day, kind and level, in one file."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from gameplay.store import document
from gameplay.training import stored_reviews

SCHEMA = 1


class DayScore(msgspec.Struct):
    """The answers of a day to questions of a kind and a level."""

    day: str  # as 2026-11-22
    kind: str
    level: int
    asked: int = 0
    right: int = 0


class Scores(msgspec.Struct):
    """All stored results."""

    schema: int = SCHEMA
    scored: list[DayScore] = []

    def add(self, day: str, kind: str, level: int, right: bool) -> None:
        """Count an answer."""
        same = (score for score in self.scored if (score.day, score.kind, score.level) == (day, kind, level))
        entry = next(same, None)
        if entry is None:
            entry = DayScore(day, kind, level)
            self.scored.append(entry)
        entry.asked += 1
        entry.right += right


def path() -> Path:
    """The path of the results file."""
    return stored_reviews.folder().parent / "quiz.json"


def load() -> Scores:
    """Load the results. Raises BadInput for a damaged file."""
    return document.read(path(), Scores)


def save(scores: Scores) -> None:
    """Save the results. Raises OSError."""
    document.write(path(), scores)


def totals(scored: Iterable[DayScore]) -> dict[tuple[str, int], tuple[int, int]]:
    """The numbers of asked questions and right answers by kind and level, over all days."""
    totals: dict[tuple[str, int], tuple[int, int]] = {}
    for score in scored:
        asked, right = totals.get((score.kind, score.level), (0, 0))
        totals[score.kind, score.level] = asked + score.asked, right + score.right
    return dict(sorted(totals.items()))
