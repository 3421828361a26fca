"""Notebook output of positions and results: SVG pictures, and HTML without scripts.

Text has the colour of the page, rules are translucent, and pictures have their own background, so all is
readable on light and dark pages. External text is escaped. In games of imperfect information the view of the
player to move is shown, and nothing at chance nodes.
`gameplay.board.Displayed` calls `svg` and `html`.
"""

from collections.abc import Sequence

from gameplay import value as scale
from gameplay.api.result import RunResult
from gameplay.api.solving import SolvedGame
from gameplay.api.tracing import SearchTrace, SearchTree
from gameplay.board import Board
from gameplay.catalogue import name_of
from gameplay.display.pages import board_svg, tree_svg
from gameplay.display.pages.markup import escape
from gameplay.display.reports import review as reviews
from gameplay.display.reports.drawn_tree import prune_to_size
from gameplay.display.reports.trace import TraceLines
from gameplay.plural import plural
from gameplay.position import CHANCE, AbstractPosition, side
from gameplay.search.report import Report
from gameplay.training.review import SIGNS, Review

RULE = "1px solid rgba(128,128,128,.45)"
CELL = f"padding:.2em .8em .2em 0;border-bottom:{RULE};vertical-align:top"
MAX_ROWS = 200  # of a table, and lines of a trace
CHANCE_NOTE = "chance moves next; what players hold is not shown"


def svg(thing: object) -> str | None:
    """The picture of a position or a tree, else None."""
    if isinstance(thing, SearchTree):
        drawn = prune_to_size(thing.root, thing.most, thing.unit)
        return tree_svg.svg(drawn, f"{thing.title}; {plural(drawn.count(), 'node')} drawn")
    if not isinstance(thing, AbstractPosition):
        return None
    board = _board(thing)
    return board_svg.svg(board, f"{name_of(thing)}, {_to_move(thing)}") if board is not None else None


def html(thing: object) -> str | None:
    """The table or text of an object; None if it has a picture or is not supported."""
    if isinstance(thing, AbstractPosition):
        return None if _board(thing) is not None else _text(thing)
    if isinstance(thing, Report):
        return _report(thing)
    if isinstance(thing, RunResult):
        return _run(thing)
    if isinstance(thing, Review):
        return _review(thing)
    if isinstance(thing, SolvedGame):
        return _solution_page(thing)
    return _trace(thing) if isinstance(thing, SearchTrace) else None


# -- positions ------------------------------------------------------------------------------------------


def _viewer(position: AbstractPosition) -> int | None:
    """The player whose view is shown; None: the whole position."""
    return position.turn if position.hidden and position.outcome() is None else None


def _board(position: AbstractPosition) -> Board | None:
    """The board, if the position can be drawn."""
    viewer = _viewer(position)
    if viewer == CHANCE:
        return None
    board = position.board() if viewer is None else position.board(viewer=viewer)
    return board if board is not None and board_svg.drawable(board) else None


def _text(position: AbstractPosition) -> str:
    viewer = _viewer(position)
    shown = CHANCE_NOTE if viewer == CHANCE else position.show(viewer)
    return _pre(f"{name_of(position)}, {_to_move(position)}\n{shown}")


def _to_move(position: AbstractPosition) -> str:
    if position.outcome() is not None:
        return "the game is over"
    return "chance to move" if position.turn == CHANCE else f"{side(position, position.turn)} to move"


# -- results --------------------------------------------------------------------------------------------


def _report(report: Report) -> str:
    sign = scale.SIGNS.get(report.bound, "")
    value = f"{sign}{report.value:g}" if report.valued else "none"
    if report.valued and scale.is_win(abs(report.value)):
        value += f" ({scale.format_value(report.value, report.exact)})"
    line = report.words or tuple(map(str, report.pv))
    facts = [
        ("move", line[0] if line else "none"),
        ("value", value),
        ("line", " ".join(line)),
        ("depth", f"{report.depth}" if report.depth else ""),
        ("simulations", f"{report.visits:,}" if report.visits else ""),
        ("nodes", f"{report.nodes:,}"),
        ("time", f"{report.seconds:.2f} s, {report.nps:,.0f} nodes/s" if report.seconds else ""),
        ("stopped", report.stopped),
    ]
    return table(report.engine or "report", (), [fact for fact in facts if fact[1]])


def _run(run: RunResult) -> str:
    caption = f"{run.title or run.form} of {run.game}, {plural(len(run), 'game')}, seed {run.seed}"
    if len(run.players) == 2 and run.wins + run.draws + run.losses == len(run):
        rows: list[Sequence[str]] = [
            ("players", f"{run.players[0]} against {run.players[1]}"),
            ("won, drawn, lost", f"{run.wins}, {run.draws}, {run.losses}"),
            ("Elo", str(run.rating) if run.rating is not None else f"none: {run.no_rating}"),
            ("superiority", f"{100 * run.rating.los:.1f} %" if run.rating is not None else ""),
            ("SPRT", str(run.sprt) if run.sprt is not None else ""),
        ]
        shown = table(caption, (), [row for row in rows if row[1]])
    else:
        rated = {standing.name: str(standing) for standing in run.standings}
        ranks = [(name, f"{points:g}", rated.get(name, "")) for name, points in run.ranking]
        shown = table(caption, ("player", "points", "Elo"), ranks)
    notes = ["" if run.ended == "decided" else run.message, *run.warnings, *map(str, run.faults)]
    return shown + "".join(f"<p>{escape(note)}</p>" for note in notes if note)


def _review(review: Review) -> str:
    rows = [
        (
            f"{move.ply}",
            f"{move.move}{SIGNS.get(move.verdict, '')}",
            f"{move.loss:.2f}",
            move.better,
            " ".join(move.line),
        )
        for move in review.mistakes
    ]
    heads = ("ply", "move", f"cost, {review.loss_unit}", "better", "line")
    figures = "".join(f"<div>{escape(line)}</div>" for line in reviews.brief_lines(review))
    return table("; ".join(reviews.head(review)), heads, rows) + figures


def _solution_page(solved: SolvedGame) -> str:
    rows = [
        (
            move.word,
            "not solved" if move.value is None else scale.format_value(move.value, True, solved.unit),
            " ".join(move.line),
        )
        for move in solved.moves
    ]
    value = solved.text or "not solved"
    return table(f"{solved.game}, {solved.side} to move: {value}", ("move", "value", "best line"), rows)


def _trace(trace: SearchTrace) -> str:
    lines: list[str] = []
    writer = TraceLines(lines.append, trace.unit)
    for step in trace.steps:
        writer(step)
    writer.close()
    shown = "".join(lines).splitlines()
    more = [f"... and {len(shown) - MAX_ROWS:,} more lines"] if len(shown) > MAX_ROWS else []
    return _pre("\n".join([trace.title, *shown[:MAX_ROWS], *more]))


# -- elements -------------------------------------------------------------------------------------------


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column names the row."""
    head = "".join(f'<th scope="col" style="{CELL};text-align:left">{escape(head)}</th>' for head in heads)
    lines = []
    for first, *others in rows[:MAX_ROWS]:
        cells = "".join(
            f'<td style="{CELL};text-align:left">{escape(candidate)}</td>' for candidate in others
        )
        lines.append(
            f'<tr><th scope="row" style="{CELL};text-align:left;font-weight:normal">{escape(first)}</th>'
            f"{cells}</tr>"
        )
    more = f"<p>and {len(rows) - MAX_ROWS:,} more</p>" if len(rows) > MAX_ROWS else ""
    top = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return (
        '<table style="border-collapse:collapse">'
        '<caption style="text-align:left;font-weight:bold;color:inherit">'
        f"{escape(caption)}</caption>{top}<tbody>{''.join(lines)}</tbody></table>{more}"
    )


def _pre(text: str) -> str:
    return f'<pre style="background:transparent;color:inherit">{escape(text)}</pre>'
