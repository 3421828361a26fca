"""One position, several engines: their figures side by side, and the lines they expect."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.display.terminal import search_panel
from gameplay.display.terminal.live_picture import LivePicture
from gameplay.display.terminal.panel import format_count
from gameplay.errors import Usage
from gameplay.search.report import Candidate, Report

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gameplay.players.player import MatchControl
    from gameplay.suites.analysis import Opinion


def format_value(match: "MatchControl", result: "Report | Candidate", exact: bool) -> str:
    """Format a value in words, from the first player's view."""
    position = match.position
    if result.values:
        each = (
            f"{match.side(n)} {scale.format_amount(x, position.unit)}" for n, x in enumerate(result.values)
        )
        return ", ".join(each)
    if position.players != 2:
        text = scale.format_score(result.value, position, exact, result.bound)
        return f"{text} {scale.unit_name(position, result.bound, result.value)}"
    sides = [match.side(seat) for seat in range(2)]
    return scale.format_for_side(result.value, position, sides, position.turn, 0, exact, result.bound)


def facts(match: "MatchControl", opinion: "Opinion") -> dict[str, str]:
    """The facts of a search by name; empty if unknown."""
    report = opinion.report
    if opinion.fault is not None:
        return {"search": "cannot play" if isinstance(opinion.fault, Usage) else "failed"}
    if report is None:
        return {"search": "waiting"}
    state = STOP_REASONS.get(report.stopped, report.stopped) if report.final else "running"
    if report.final and opinion.unfinished:
        state = f"unfinished: {state}"
    depth = f"{report.depth}" if report.depth else ""
    if report.depth and report.seldepth:
        depth += f"/{report.seldepth}"
    if report.ahead and (not report.final or not report.depth):
        depth = f"{depth or 0}, {report.tried} of {report.choices} at {report.ahead}"
    if report.thresholds:
        depth = ""
    return {
        "search": state,
        "move": match.spell([report.move])[0] if has_move(report) and report.move is not None else "",
        "value": ""
        if report.bound == "unknown" and has_move(report)
        else format_value(match, report, report.exact),
        "depth": depth,
        "simulations": f"{report.visits:,}" if report.visits else "",
        "thresholds": search_panel.format_thresholds(report, 24) if report.thresholds else "",
        "proof": search_panel.format_proof(match, report) if report.claimant is not None else "",
        "nodes": f"{report.nodes:,}" if report.nodes else "",
        "expanded": f"{report.expanded:,}" if report.expanded else "",
        "memory": f"{report.memory / 1e6:,.1f} MB" if report.memory else "",
        "beta cutoffs": f"{report.cutoffs:,}" if report.cutoffs else "",
        "by first move": f"{report.first_share:.0%}" if report.cutoffs else "",
        "Star cuts": f"{report.star1_cuts + report.star2_cuts:,}"
        if report.star1_cuts or report.star2_cuts
        else "",
        "TT hits": f"{report.hit_share:.0%}" if report.probes else "",
        "time": f"{report.seconds:.2f} s",
        "nodes/s": format_count(report.nps) if report.nodes else "",
    }


def has_move(report: Report) -> bool:
    """True if the engine has reported a move; a custom engine may report a move without a value."""
    return report.bound != "unknown" or (report.final and not report.unfinished)


FACT_ORDER = (
    *("search", "move", "value", "depth", "thresholds", "simulations"),
    *("proof", "nodes", "expanded", "memory"),
    *("beta cutoffs", "by first move", "Star cuts", "TT hits"),
    *("time", "nodes/s"),
)
STOP_REASONS = {
    "depth": "depth reached",
    "nodes": "node limit",
    "simulations": "simulations done",
    "time": "time limit",
}


def lines(match: "MatchControl", opinion: "Opinion") -> list[str]:
    """Format the lines of play, best first; with a value each if there are several."""
    report = opinion.report
    if report is None or not has_move(report):
        return []
    if len(report.candidates) < 2:
        return [" ".join(match.spell(report.pv)) + "".join(map(_format_remarks, report.candidates))]
    return [
        f"{number}. {_format_value_prefix(match, candidate)}{' '.join(match.spell(candidate.pv))}"
        f"{_format_remarks(candidate)}"
        for number, candidate in enumerate(report.candidates, 1)
    ]


def _format_value_prefix(match: "MatchControl", candidate: Candidate) -> str:
    """`+0.12: `, or nothing if the value is unknown."""
    if candidate.bound == "unknown":
        return ""
    return format_value(match, candidate, candidate.proven) + ": "


def _format_remarks(candidate: Candidate) -> str:
    """Further information of a program about a move."""
    return f" ({candidate.remarks})" if candidate.remarks else ""


def plain(match: "MatchControl", opinion: "Opinion") -> list[str]:
    """One engine in lines of text, for pipes and screen readers."""
    shown = facts(match, opinion)
    counts = ", ".join(f"{name} {shown[name]}" for name in FACT_ORDER if shown.get(name))
    return [f"{opinion.spec}: {counts}", *(f"{opinion.spec}: line {line}" for line in lines(match, opinion))]


def picture(match: "MatchControl", opinions: "Sequence[Opinion]") -> "RenderableType":
    """All engines side by side, and their lines below."""
    from rich.console import Group
    from rich.table import Table

    from gameplay.display.text import Text

    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    shown.add_column("")
    for opinion in opinions:
        shown.add_column(opinion.spec, justify="right", overflow="fold")
    columns = [facts(match, opinion) for opinion in opinions]
    for name in FACT_ORDER:
        if any(cells.get(name) for cells in columns):
            shown.add_row(name, *(cells.get(name, "") for cells in columns))
    below = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for opinion in opinions:
        for line in lines(match, opinion):
            below.add_row(opinion.spec if len(opinions) > 1 else "line", line)
    return Group(shown, Text(""), below)


class Shown(LivePicture):
    """An analysis on the screen: redrawn while it runs on a terminal, else a block of lines per engine."""

    def show(self, opinions: "Sequence[Opinion]", done: "Opinion | None" = None) -> None:
        """Show the current reports; `done`: the engine that has just finished."""
        if self.live is not None:
            self.draw(picture(self.match, opinions))
        elif done is not None and not self.quiet:
            print("\n".join(plain(self.match, done)), flush=True)
