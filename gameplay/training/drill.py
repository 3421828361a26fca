"""Distractors for puzzles: tempting wrong moves, which a shallow calculation would prefer.

In a puzzle only one move is good; every other move is at least a mistake. The distractors come from

1. the source game of the puzzle: the move that was played,
2. searches that are too shallow: the moves they prefer, the deepest search first,
3. a search of all moves: forcing moves, captures and checks before the others, the best first.

Each is stored with its refutation, which comes from a search of these moves alone.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay.matches.views import format_line
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session
from gameplay.training.practice import Distractor, Exercise, forcing
from gameplay.training.review import NODES, engine_for

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

SHALLOW_NODES = (3_000, 1_000, 300, 100, 30)  # limits of shallow searches
COUNT = 3  # distractors of a puzzle
MAX_REFUTATION = 4  # stored moves of a refutation


def add_distractors(exercise: Exercise, nodes: int = NODES) -> None:
    """Find the distractors of a puzzle that has none. `nodes`: of the search of step 3, and for refutations.

    Raises GameplayError if the game no longer exists, KeyboardInterrupt.
    """
    if exercise.distractors:
        return
    game = registry.game(exercise.game)
    position = game.new(exercise.start)
    for word in exercise.words:
        position.make(position.parse(word))
    session = Session(engine_for(game))
    right = position.parse(exercise.right)
    wrong = _distractors(
        session, position, right, position.parse(exercise.missed) if exercise.missed else None, nodes
    )
    if not wrong:
        return
    limit = Limit(nodes=nodes, moves=tuple(wrong), multipv=len(wrong))
    lines = {candidate.move: candidate.pv for candidate in _search(session, position, limit).candidates}
    exercise.distractors = [
        Distractor(
            position.format(move),
            why,
            _format_line(position, lines.get(move, (move,)))[1 : MAX_REFUTATION + 1],
        )
        for move, why in wrong.items()
    ]


def _distractors(
    session: Session, position: "AbstractPosition", right: int, missed: int | None, nodes: int
) -> dict[int, str]:
    """Up to COUNT wrong moves with their sources, the most tempting first."""
    wrong: dict[int, str] = {}
    # 1. The move that was played.
    if missed is not None:
        wrong[missed] = "played"
    # 2. Moves preferred by searches that are too shallow.
    for limit in SHALLOW_NODES:
        move = _search(session, position, Limit(nodes=limit)).move
        if move is not None and move != right and len(wrong) < COUNT:
            wrong.setdefault(move, "short")
    # 3. Forcing moves, then the best of the others.
    if len(wrong) < COUNT:
        every = Limit(nodes=nodes, multipv=len(position.moves()))
        others = [
            candidate.move
            for candidate in _search(session, position, every).candidates
            if candidate.move != right
        ]
        for move in sorted(others, key=lambda move: not forcing(position, move)):  # stable: the best first
            if len(wrong) < COUNT:
                wrong.setdefault(move, "forcing" if forcing(position, move) else "close")
    return wrong


def _search(session: Session, position: "AbstractPosition", limit: Limit) -> Report:
    report = session.search(position, limit)
    if report.stopped == "interrupted":
        raise KeyboardInterrupt
    return report


def _format_line(position: "AbstractPosition", line: Sequence[int]) -> list[str]:
    """Format a line; the position is unchanged."""
    words = format_line(position, line)
    for _ in words:
        position.unmake()
    return words
