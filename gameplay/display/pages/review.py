"""Reviews as a page: every game with its curve, its moves and what they cost, and each player's figures."""

from collections.abc import Sequence
from typing import Any

from gameplay.display.pages.document import document, section, table, viewer
from gameplay.display.pages.markup import escape
from gameplay.display.reports import review as words
from gameplay.position import AbstractPosition
from gameplay.training.review import SIGNS, Review

# A game's review, its pictures as `runs.frames` gives them, and a position.
Shown = tuple[Review, dict[str, Any], AbstractPosition]


def page(shown: Sequence[Shown], stage: dict[str, Any] | None, counted: int) -> str:
    """The whole page, of these games of `counted`. `stage` is as `runs.frames` gives it."""
    first = shown[0][0]
    title = "Review: " + (" - ".join(first.names) if len(shown) == 1 else f"{counted:,} games")
    parts = [
        _head(title, first, counted),
        viewer(len(shown), counted),
        *(_game(number, *board_drawing) for number, board_drawing in enumerate(shown, 1)),
    ]
    data = {
        "stage": stage,
        "sides": first.sides,
        "scale": 1,
        "games": [_data(*board_drawing) for board_drawing in shown],
    }
    return document(title, parts, data)


def _head(title: str, first: Review, counted: int) -> str:
    facts = [
        ("game", first.game_name),
        ("games", f"{counted:,}"),
        ("engine", first.engine),
        ("limit", f"{first.limit} a search"),
        ("costs are in", first.loss_unit),
    ]
    listed = "\n".join(f"<dt>{escape(key)}</dt><dd>{escape(text)}</dd>" for key, text in facts)
    return f"<header>\n<h1>{escape(title)}</h1>\n<dl>\n{listed}\n</dl>\n</header>"


def _game(number: int, review: Review, _: dict[str, Any], position: AbstractPosition) -> str:
    """The figures of a game, and its mistakes."""
    heads = ["", "moves", "accuracy" if review.has_accuracy else "cost a move", "cost", *SIGNS.values()]
    rows = []
    for seat, side in enumerate(review.sides):
        rows.append(
            words.figures_row(
                f"{side}: {review.names[seat]}", review.player_figures(seat), review.has_accuracy
            )
        )
        rows += [
            words.figures_row(f"{side}, {name}", review.player_figures(seat, phase), review.has_accuracy)
            for phase, name in enumerate(review.phases)
            if phase in review.phase
        ]
    parts = [table("Moves that were judged, and what they came to", heads, rows)]
    if review.mistakes:
        mistakes = [
            [
                f"{move.ply}. {review.sides[move.player]} {move.move}",
                move.verdict,
                words.format_value(position, move, move.value or 0),
                words.format_value(position, move, move.best or 0),
                f"{move.loss:.2f}",
                " ".join(move.line[: words.SHOWN_PLIES]),
            ]
            for move in review.mistakes
        ]
        heads = ["", "verdict", "value", "best", "cost", "better"]
        parts.append(table("Moves that cost something, and better ones", heads, mistakes, text=(1, 5)))
    subtitle = ", ".join(filter(None, [review.opening, review.date, review.outcome_text]))
    return section(f"{number}. {' - '.join(review.names)}", f"<p>{escape(subtitle)}</p>", *parts)


def _data(review: Review, pictures: dict[str, Any], position: AbstractPosition) -> dict[str, Any]:
    ended = review.outcome_text
    return {
        "names": review.names,
        "opening": 0,
        "score": ended,
        "ended": f"{ended}.",
        "curve": review.curve(),
        "signs": [SIGNS.get(move.verdict, "") for move in review.moves],
        "comments": [words.comment(review, position, move) for move in review.moves],
        **pictures,
    }
