"""A review on the terminal: evaluation curve, costly moves and figures."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.display.folding import split_table
from gameplay.display.reports import curve
from gameplay.visible import one_line

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.position import AbstractPosition
    from gameplay.training.review import Figures, Review, ReviewedMove

SHOWN_PLIES = 5  # plies of a better line
MAX_CURVE_WIDTH = 100  # columns of the curve


def lines(review: "Review", position: "AbstractPosition", theme: "Theme", width: int) -> list[str]:
    """Return a review as lines of at most `width` characters (0: unlimited). `position`: any of the game."""
    lines = [*wrap_texts(head(review), width), ""]
    points = review.curve()
    if any(point is not None for point in points):
        columns = min(width or MAX_CURVE_WIDTH, MAX_CURVE_WIDTH)
        lines += [*curve.draw_curve(points, review.sides, columns, unicode=theme.unicode), ""]
    lines += [*_moves(review, position, width), *_only_moves(review, width)]
    return [*lines, *fit_table(_rows(review), _heads(review), width)]


def brief_lines(review: "Review") -> list[str]:
    """Return the figures only, a line for each side."""
    lines = []
    for seat, name in enumerate(review.sides):
        own = review.player_figures(seat)
        grade = (
            f"{own.accuracy or 0:.1f} %"
            if review.has_accuracy
            else f"{_format_cost(review, own.error, 3)} a move"
        )
        marks = ", ".join(
            f"{count} {mark}" for count, mark in zip(own.verdicts, ("?!", "?", "??"), strict=True)
        )
        lines.append(f"{name}: {grade}, {marks}" if own.moves else f"{name}: nothing to judge")
    return lines


def head(review: "Review") -> list[str]:
    """Players, sides, date and result; the opening; the reviewing engine."""
    who = one_line(" - ".join(review.names))
    title = ", ".join(filter(None, [who, review.date, review.outcome_text]))
    search = f"reviewed by {review.engine}, {review.limit} a search"
    return list(filter(None, [title, review.opening, f"{review.game_name}: {search}"]))


def _format_cost(review: "Review", cost: float, places: int = 2) -> str:
    """A cost as text."""
    return f"{cost:.{1 if review.unit else places}f}"


def format_value(position: "AbstractPosition", reviewed: "ReviewedMove", value: float | int) -> str:
    """A value as text."""
    return scale.format_score(value, position, reviewed.exact, reviewed.bound)


def remark(review: "Review", position: "AbstractPosition", reviewed: "ReviewedMove") -> str:
    """A comment on a move, in a sentence; empty for a best move."""
    if reviewed.verdict and reviewed.best is not None:
        cost = f"{_format_cost(review, reviewed.loss)} {'of equity' if review.equity else review.loss_unit}"
        best = ", ".join(
            filter(None, [format_value(position, reviewed, reviewed.best), reviewed.best_result_text])
        )
        better = f"{' '.join(reviewed.line[:SHOWN_PLIES])} was better ({best})"
        return f"{reviewed.verdict}, costs {cost}; {better}"
    return "the only good move" if reviewed.is_only_move else ""


def comment(review: "Review", position: "AbstractPosition", reviewed: "ReviewedMove") -> str:
    """The value and the comment of a move; empty if there was no choice."""
    if reviewed.value is None:
        return ""
    side = review.sides[reviewed.player]
    return ". ".join(
        filter(
            None,
            [
                ", ".join(
                    filter(
                        None,
                        [
                            f"{format_value(position, reviewed, reviewed.value)} for {side}",
                            reviewed.result_text,
                        ],
                    )
                ),
                remark(review, position, reviewed),
            ],
        )
    )


def _moves(review: "Review", position: "AbstractPosition", width: int) -> list[str]:
    """The moves that have a verdict, a line each."""
    from gameplay.training.review import SIGNS

    rows = [
        [
            str(move.ply),
            review.sides[move.player],
            move.move + SIGNS[move.verdict],
            format_value(position, move, move.value or 0),
            format_value(position, move, move.best or 0),
            _format_cost(review, move.loss),
            _better_line(move),
        ]
        for move in review.mistakes
    ]
    if not rows:
        return ["no move costs as much as an inaccuracy", ""]
    measured = scale.unit_name(position, review.mistakes[0].bound)
    note = f"values in {measured} for the player to move; costs in {review.loss_unit}"
    heads = ["ply", "side", "move", "value", "best", "cost", "better"]
    lines: list[str] = []
    bare = [row[:-1] for row in (heads, *rows)]
    if width and _table_width(bare, 2) + 12 > width:  # no room beside the figures: the line is below
        for row in rows:
            lines.append(f"{row[0]} {row[1]} {row[2]} {row[3]}, costs {row[5]}")
            lines += textwrap.wrap(
                f"{row[6]} ({row[4]})", width, initial_indent="  better: ", subsequent_indent="  "
            )
    else:
        lines += format_table(rows, heads, width, words=(1, 2, 6))
    return [*lines, *wrap_texts([note], width), ""]


def _better_line(reviewed: "ReviewedMove") -> str:
    """A better line, and its result if the game reports one."""
    leaders = (
        [f"({reviewed.best_result_text}, not {reviewed.result_text})"]
        if reviewed.result_text != reviewed.best_result_text
        else []
    )
    return " ".join([*reviewed.line[:SHOWN_PLIES], *leaders])


def _only_moves(review: "Review", width: int) -> list[str]:
    """The only moves that were found."""
    only = [f"{move.ply} {move.move}" for move in review.moves if move.is_only_move]
    return [*wrap_texts([f"only moves that were found: {', '.join(only)}"], width), ""] if only else []


def _heads(review: "Review") -> list[str]:
    return ["", "moves", "accuracy" if review.has_accuracy else "cost a move", "cost", "?!", "?", "??"]


def _rows(review: "Review") -> list[list[str]]:
    """The figures of both sides, together and by phases of the game."""
    rows = []
    for seat, side in enumerate(review.sides):
        rows.append(figures_row(side, review.player_figures(seat), review.has_accuracy))
        rows += [
            figures_row(f"  {name}", review.player_figures(seat, phase), review.has_accuracy)
            for phase, name in enumerate(review.phases)
            if phase in review.phase
        ]
    return rows


def figures_row(name: str, figures: "Figures", graded: bool) -> list[str]:
    """Return a row of figures; for a game without accuracy, the mean cost of a move."""
    if figures.accuracy is None:
        return [name, "0", "", "", *("",) * 3]
    grade = f"{figures.accuracy:.1f} %" if graded else f"{figures.error:.3f}"
    return [name, str(figures.moves), grade, f"{figures.lost:.2f}", *map(str, figures.verdicts)]


def format_table(
    rows: Sequence[Sequence[str]], heads: Sequence[str], width: int = 0, words: Sequence[int] = ()
) -> list[str]:
    """Format rows below their heads.

    words: left-aligned columns, as is a first one without a head. The last column is truncated to `width`.
    """
    rows = [[one_line(cell) for cell in row] for row in rows]
    every = [heads, *rows]
    gap = "  " if not width or _table_width(every, 2) <= width else " "
    wide = [max(len(row[column]) for row in every) for column in range(len(heads))]
    aligned = {0, *words} if heads[0] == "" else set(words)
    lines = []
    for row in every:
        cells = [
            cell.ljust(room) if column in aligned else cell.rjust(room)
            for column, (cell, room) in enumerate(zip(row, wide, strict=True))
        ]
        line = gap.join(cells).rstrip()
        lines.append(line if not width or len(line) <= width else line[: width - 1].rstrip())
    return lines


def fit_table(
    rows: Sequence[Sequence[str]],
    heads: Sequence[str],
    width: int = 0,
    words: Sequence[int] = (),
    gap: int = 1,
) -> list[str]:
    """Format a table, split into stacked parts if it is too wide; nothing is truncated.

    If no column fits beside or below the names, each row is written as `head value, head value`.
    gap: minimal spaces between columns; heads of several words need 2.
    """
    rows = [[one_line(cell) for cell in row] for row in rows]
    every = [heads, *rows]
    if not width or _table_width(every, gap) <= width:
        return format_table(rows, heads, width, words)
    widest = max(len(cell) for row in every for cell in row[1:])
    if (
        max(len(row[0]) for row in every) + 2 + widest <= width
        or _table_width([row[1:] for row in every], 2) + 4 <= width
    ):
        return split_table(format_table(rows, heads, words=words), width)
    return [line for row in rows for line in _row_in_words(row, heads, width)]


def _row_in_words(row: Sequence[str], heads: Sequence[str], width: int) -> list[str]:
    """A row as its name and, below, `head value, head value`."""
    indent = " " * (len(row[0]) - len(row[0].lstrip()) + 2)
    text = ", ".join(f"{head} {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell)
    name = textwrap.wrap(row[0], width, subsequent_indent=indent, break_on_hyphens=False)
    return [*name, *textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)]


def _table_width(rows: Sequence[Sequence[str]], gap: int) -> int:
    """The width of a table with these rows."""
    return sum(max(map(len, column)) for column in zip(*rows, strict=True)) + gap * (len(rows[0]) - 1)


def wrap_texts(texts: Sequence[str], width: int) -> list[str]:
    """Wrap each text to `width` (0: unlimited)."""
    return [line for text in texts for line in (textwrap.wrap(text, width) if width else [text])]
