"""Distractors for puzzles: tempting wrong moves that a player who calculates too little would choose.

In a puzzle only one move is good; every other move is at least a mistake. The distractors come from

1. the game that the puzzle is from: the move that was played,
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

SHORT = (3_000, 1_000, 300, 100, 30)  # nodes of the searches that are too shallow
COUNT = 3  # distractors of a puzzle
SHOWN = 4  # moves of a refutation


def add_distractors(one: Exercise, nodes: int = NODES) -> None:
    """Find the distractors of a puzzle that has none. `nodes`: of the search of step 3, and for refutations.

    Raises GameplayError if the game no longer exists, KeyboardInterrupt.
    """
    if one.distractors:
        return
    game = registry.game(one.game)
    position = game.new(one.start)
    for word in one.words:
        position.make(position.parse(word))
    session = Session(engine_for(game))
    right = position.parse(one.right)
    wrong = _distractors(session, position, right, position.parse(one.missed) if one.missed else None, nodes)
    if not wrong:
        return
    limit = Limit(nodes=nodes, moves=tuple(wrong), multipv=len(wrong))
    lines = {candidate.move: candidate.pv for candidate in _search(session, position, limit).candidates}
    one.distractors = [
        Distractor(position.format(move), why, _spelled(position, lines.get(move, (move,)))[1 : SHOWN + 1])
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
    for short in SHORT:
        move = _search(session, position, Limit(nodes=short)).move
        if move is not None and move != right and len(wrong) < COUNT:
            wrong.setdefault(move, "short")
    # 3. Forcing moves, then the best of the others.
    if len(wrong) < COUNT:
        every = Limit(nodes=nodes, multipv=len(position.moves()))
        others = [one.move for one in _search(session, position, every).candidates if one.move != right]
        for move in sorted(others, key=lambda move: not forcing(position, move)):  # stable: the best first
            if len(wrong) < COUNT:
                wrong.setdefault(move, "forcing" if forcing(position, move) else "close")
    return wrong


def _search(session: Session, position: "AbstractPosition", limit: Limit) -> Report:
    report = session.search(position, limit)
    if report.stopped == "interrupted":
        raise KeyboardInterrupt
    return report


def _spelled(position: "AbstractPosition", line: Sequence[int]) -> list[str]:
    """A line in words; the position is left as it was."""
    words = format_line(position, line)
    for _ in words:
        position.unmake()
    return words
