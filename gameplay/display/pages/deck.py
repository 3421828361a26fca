"""Puzzles as notes of Anki: the position and the question in front, the move and why on the back.

Boards are SVG pictures with a ground of their own, else text; nothing is loaded from elsewhere, and no script
runs. Text from outside makes neither elements nor what Anki itself would obey: sounds, LaTeX and MathJax.
"""

from collections.abc import Iterator

from gameplay.display.pages import board_svg
from gameplay.display.pages.markup import escape
from gameplay.display.terminal.line import board_text
from gameplay.matches.match import Match
from gameplay.training.practice import KINDS, Exercise, base_game

STYLE = """\
.card { font: 1.1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; text-align: center;
  color: #1b1f24; background: #ffffff; }
.card.nightMode { color: #e9ecef; background: #14171b; }
.board { text-align: center; }
.board svg { max-width: 100%; height: auto; max-height: 65vh; }
.board pre { display: inline-block; text-align: left; font: 0.9rem/1.25 monospace; white-space: pre;
  max-width: 100%; overflow-x: auto; margin: 0; }
.move { font-weight: bold; }
.source { color: #59626e; font-size: 0.8rem; overflow-wrap: anywhere; }
.nightMode .source { color: #a5aeb9; }
ul { display: inline-block; text-align: left; margin: 0.3rem 0; }
"""
NAME = "gameplay puzzle"  # of the note type
FIELDS = ("Puzzle", "Position", "Question", "After", "Answer", "Explanation", "Source")
FRONT = '<div class="board">{{Position}}</div>\n<p>{{Question}}</p>'
BACK = (
    '<div class="board">{{After}}</div>\n<p>{{Question}}</p>\n<hr id="answer">\n'
    '<p>{{Answer}}</p>\n{{Explanation}}\n<p class="source">{{Source}}</p>'
)
LINE, REFUTATION = 8, 4  # plies that are shown


def note_fields(exercise: Exercise, match: Match, after: Match) -> tuple[str, ...]:
    """The fields of a puzzle: `match` stands at its position, `after` has the right move made."""
    mover, name = match.side(match.position.turn), base_game(exercise.game)
    asked = f"{mover[:1].upper()}{mover[1:]} to move: one move alone is good. Which?"
    source = [f"{name}, {exercise.source}", match.position.text() or ""]
    parts = (
        f"{_escape(name)} {exercise.id}",
        _board(match, f"{name}, {mover} to move"),
        _escape(asked),
        _board(after, f"{name}, after {exercise.right}"),
        _moves(exercise),
        _explanation(exercise),
        "<br>".join(_escape(line) for line in source if line),
    )
    return tuple(map(_escape_anki, parts))


def _board(match: Match, title: str) -> str:
    """The position, drawn or in characters."""
    board = match.board()
    if board is not None and board_svg.drawable(board):
        return board_svg.svg(board, title)
    return f"<pre>{escape(match.show() if board is None else board_text(board))}</pre>"


def _moves(exercise: Exercise) -> str:
    first, *rest = exercise.line if exercise.whole else exercise.line[:LINE]
    return f'<span class="move">{_escape(first)}</span> {_escape(" ".join(rest))}'.strip()


def _explanation(exercise: Exercise) -> str:
    """The effect of the move, how it was missed, and why tempting moves fail."""
    lists = "".join(f"<li>{sentence}</li>" for sentence in _sentences(exercise))
    return f"<ul>{lists}</ul>" if lists else ""


def _sentences(exercise: Exercise) -> Iterator[str]:
    right = _escape(exercise.right)
    for kind in exercise.kinds:
        if kind in KINDS and kind != "quiet":
            yield f"{right}: {KINDS[kind]}"
    if exercise.missed:
        yield f"{_escape(exercise.missed)} was played{_format_refutation(exercise.answer)}"
    for lure in exercise.distractors:
        if lure.move != exercise.missed:
            yield f"{_escape(lure.move)} is not enough{_format_refutation(lure.answer)}"


def _format_refutation(answer: list[str]) -> str:
    return f", answered by {_escape(' '.join(answer[:REFUTATION]))}" if answer else ""


def _escape(text: str) -> str:
    """Text from outside: no elements, and no backslash that stands beside what MathJax would obey."""
    return escape(text).replace("\\", "<span>&#92;</span>")


def _escape_anki(html: str) -> str:
    """A field without what Anki itself replaces in it: [sound:], [latex], [$]."""
    return html.replace("[", "&#91;").replace("\x1f", "")
