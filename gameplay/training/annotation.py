"""Writes a review into the game file: values, marks, comments and better lines."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from gameplay.errors import BadInput
from gameplay.store.formats.encoding import format_evaluation
from gameplay.store.formats.game_formats import FORMATS
from gameplay.store.formats.pgn import Line, Note, Sheet, Step
from gameplay.store.record import Record
from gameplay.training.review import MARKS, Review, ReviewedMove

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

NO_COMMENTS = (".mat", ".txt", ".xg", ".ogxm")  # formats without comments, or read-only
GRADES = range(1, 7)  # marks that grade a move


def check(suffix: str) -> None:
    """Raise BadInput if files of this kind cannot be annotated."""
    if suffix in NO_COMMENTS:
        kind = FORMATS[suffix].game
        raise BadInput(f"a {suffix} file of {kind} cannot hold comments. Try: --json or --html")


def annotate(
    sheet: Sheet, review: Review, position: "AbstractPosition", remark: Callable[[ReviewedMove], str]
) -> None:
    """Add the annotations of a review to a sheet of the reviewed moves. The operation is idempotent.

    `position`: any position of the game. `remark` formats the comment on a `ReviewedMove`.
    """
    for step, reviewed in zip(sheet.line.steps, review.moves):  # noqa: B905 - a null move ends the game
        if reviewed.is_judged:
            _annotate_step(step, reviewed, position, remark(reviewed))


def _annotate_step(step: Step, reviewed: ReviewedMove, position: "AbstractPosition", words: str) -> None:
    notes = step.notes
    mark = MARKS.get(reviewed.verdict or ("only" if reviewed.is_only_move else ""))
    graded = any(isinstance(note, int) and note in GRADES for note in notes)
    if mark is not None and mark not in notes and not (graded and mark in GRADES):
        notes.insert(0, mark)
    value = format_evaluation(reviewed.value, reviewed.depth, position.unit)
    comment = ", ".join(filter(None, [value, words]))
    if comment and not any(isinstance(note, str) and comment in note for note in notes):
        _insert_comment(notes, comment)
    if reviewed.verdict and reviewed.line:
        line = Line(
            steps=[Step(word, mover=(reviewed.player + at) % 2) for at, word in enumerate(reviewed.line)]
        )
        if not any(isinstance(note, Line) and _moves_of(note) == reviewed.line for note in notes):
            notes.append(line)


def _insert_comment(notes: list[Note], comment: str) -> None:
    """Insert a comment after the others, before the variations."""
    place = max((at for at, note in enumerate(notes, 1) if not isinstance(note, Line)), default=0)
    notes.insert(place, comment)


def _moves_of(line: Line) -> list[str]:
    return [step.word for step in line.steps]


def annotate_record(record: Record, review: Review, remark: Callable[[ReviewedMove], str]) -> Record:
    """A copy of the record with the values, lines and remarks of a review."""
    moves = []
    for ply, reviewed in zip(record.moves, review.moves, strict=True):
        if reviewed.is_judged:
            value = reviewed.value if reviewed.bound != "expectation" else float(reviewed.value or 0)
            fields = {
                "line": [ply.move, *reviewed.answer],
                "exact": reviewed.exact,
                "remark": remark(reviewed),
            }
            ply = msgspec.structs.replace(
                ply, value=value, depth=reviewed.depth, nodes=reviewed.nodes, **fields
            )
        moves.append(ply)
    return msgspec.structs.replace(record, moves=moves)
