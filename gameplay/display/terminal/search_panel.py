"""The part of the panel about a search: its progress, value and lines of play."""

import textwrap
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.display.terminal.panel import count_of, describe_result, format_count, searcher_name
from gameplay.errors import truncate
from gameplay.position import CHANCE
from gameplay.search.report import Candidate, Report
from gameplay.visible import one_line

if TYPE_CHECKING:
    from gameplay.display.text import Text
    from gameplay.players.player import MatchControl

SOURCES = {"book": "opening book", "system": "bidding system", "rules": "rules of play"}
MAX_LINES = 3  # lines of the principal variation, or of a value
LABEL = 10  # columns of the names of facts

Fact = tuple[str, str]  # a name and a text


def describe_value(match: "MatchControl", report: Report, mover: int) -> str:
    """Describe the value of a search: `blue wins in 7 plies`, `draw`, `white +0.35 pawns`.

    With more than two players: the value of each.
    """
    position = match.position
    if report.thresholds:
        return scale.format_goal_distance(report.value, position, report.bound)
    if report.bound == "unknown":
        return "no value yet" if report.ahead else "no value"
    if report.values:
        named = scale.unit_name(position)
        each = (
            f"{match.side(n)} {scale.format_amount(value, position.unit)}"
            for n, value in enumerate(report.values)
        )
        return ", ".join(each) + (f" {named}" if position.scored else "")
    if position.players != 2:
        return f"{match.side(mover)} {scale.format_amount(report.value, position.unit)}"
    text = scale.format_for_side(
        report.value, position, _sides(match), mover, _viewer(match), report.exact, report.bound
    )
    certain = report.known and not scale.is_counted(report.value)
    return (
        f"{text} by the {report.source}" if certain and (report.exact or scale.is_win(report.value)) else text
    )


def _sides(match: "MatchControl") -> list[str]:
    return [match.side(number) for number in range(len(match.players))]


def _viewer(match: "MatchControl") -> int:
    """The seat from whose view values are shown."""
    return scale.viewing_seat([player.spec for player in match.players])


def search_facts(match: "MatchControl", report: Report, at: int, width: int) -> "Text":
    """The state of a search of the position after `at` moves, one fact per line."""
    from gameplay.display.text import Text

    mover = match.turns[at].player if at < len(match.turns) else match.turn
    facts = _progress_facts(match, report, mover, width - LABEL)
    if report.error and not report.values:
        value = f"{facts[-1][1]} ± {_format_error(match, report)}"
        unit = scale.unit_name(match.position, report.bound, report.value)
        facts[-1] = ("value", value if len(value) <= width - LABEL else value.replace(f" {unit}", "", 1))
    facts += [
        ("tried" if not number else "", _format_visits(match, candidate, report, mover, at, width - LABEL))
        for number, candidate in enumerate(report.visited)
        if len(report.visited) > 1
    ]
    if not report.known and ": " in report.facts:
        facts.append((report.facts.partition(": ")[0], report.facts.partition(": ")[2]))
    if report.trims:
        facts.append(("tree", f"full {report.trims} times: what was visited least was dropped"))
    if report.claimant is not None:
        facts.insert(-1, ("proof", format_proof(match, report)))
    elif report.bound == "unknown":  # a custom engine without a value, perhaps without any figures
        shown = {"depth": report.depth or report.ahead, "nodes": report.nodes, "visits": report.visits}
        facts = [fact for fact in facts if shown.get(fact[0])]
    facts += _line_facts(match, report, mover, at) + _statistics(report)
    return Text("\n".join(line for name, fact in facts for line in _fact_lines(name, fact, width)))


def _progress_facts(match: "MatchControl", report: Report, mover: int, room: int) -> list[Fact]:
    """How far the search is, then its value; the source of a value that is known without a search."""
    value = ("value", describe_value(match, report, mover))
    count = format_count
    rate = f"{count(report.nodes)}, {count(report.nps)}/s, {report.seconds:.1f} s"
    if report.thresholds:
        again = f", {count(report.reopened)} again" if report.reopened else ""
        memory = [("memory", f"{report.memory / 1e6:,.1f} MB")] if report.memory else []
        thresholds = format_thresholds(report, room)
        expanded = ("expanded", count(report.expanded) + again)
        return [("threshold", thresholds), ("generated", rate), expanded, *memory, value]
    if report.known and not report.depth:
        if report.source not in SOURCES:
            return [value]
        details = [("", fact) for fact in report.facts.split(", ") if fact]
        return [("known", f"by the {SOURCES[report.source]}"), *details]
    if report.deals:
        extent = "deals", report.simulated().replace(" deals", "")
    elif report.visits:
        tree = f", tree {report.seldepth} deep" if report.seldepth else ""
        extent = "visits", count(report.visits) + tree
    elif report.claimant is not None:
        extent = "seldepth", f"{report.seldepth}"
    elif report.ahead and not report.depth:
        where = "stopped at move" if report.final else "at move"
        extent = "depth", f"{report.ahead}, {where} {report.tried + 1} of {report.choices}"
    else:
        deeper = f", seldepth {report.seldepth}" if report.seldepth > report.depth > 0 else ""
        extent = "depth", f"{report.depth}{deeper}"
    return [extent, ("nodes", rate), value]


def _line_facts(match: "MatchControl", report: Report, mover: int, at: int) -> list[Fact]:
    """The principal variation, or the lines of several candidates with their values."""
    if len(report.candidates) > 1:
        max_value = max(abs(candidate.value) for candidate in report.candidates)
        values = [_format_candidate(match, candidate, mover, max_value) for candidate in report.candidates]
        lines = [" ".join(match.spell(candidate.pv, at)) for candidate in report.candidates]
        numbered = enumerate(zip(values, lines, strict=True), 1)
        return [(f"line {number}", f"{value}  {line}") for number, (value, line) in numbered]
    if report.pv and not (report.bound == "unknown" and report.ahead):
        return [("line", " ".join(match.spell(report.pv, at)))]
    return []


def _statistics(report: Report) -> list[Fact]:
    """The transposition table, cutoffs and branching factor, where the search has them."""
    facts = []
    if report.probes:
        facts.append(("TT", f"{report.hit_share:.0%} hits, {report.fill:.1%} full"))
    if report.cutoffs:
        facts.append(
            ("beta cuts", f"{format_count(report.cutoffs)}, {report.first_share:.0%} by the first move")
        )
    if report.star1_cuts or report.star2_cuts:
        cuts = (("Star2", report.star2_cuts), ("Star1", report.star1_cuts))
        facts.append(("Star cuts", ", ".join(f"{format_count(cut)} by {name}" for name, cut in cuts if cut)))
    if report.branching:
        facts.append(("branching", f"{report.branching:.2f}"))
    return facts


def _fact_lines(name: str, fact: str, width: int) -> list[str]:
    """A fact in lines of at most `width` columns: MAX_LINES of a principal variation or a value, else one."""
    line = one_line(f"{name:<{LABEL}}{fact}")
    if name not in ("line", "value"):
        return [truncate(line, width)]
    wrapped = textwrap.wrap(line, width, subsequent_indent=" " * LABEL)
    if len(wrapped) > MAX_LINES:
        wrapped = [*wrapped[: MAX_LINES - 1], wrapped[MAX_LINES - 1] + " ..."]
    return [truncate(line, width) for line in wrapped]


def analysis_heading(match: "MatchControl", report: Report | None, state: str, width: int) -> "Text":
    """The heading of an analysis: its state, the side to move, and the side from whose view values are."""
    from gameplay.display.text import Text

    if match.over() or match.turn == CHANCE:
        state_text = describe_result(match) if match.over() else "chance moves"
        return Text(f"{state}: {state_text}"[:width], style="bold")
    view = match.side(_viewer(match) if match.position.players == 2 else match.turn)
    if report is not None and any(candidate.values for candidate in report.candidates):
        view = "/".join(_sides(match))
    values = f", values for {view}" if match.position.players > 1 else ""
    mover = match.side(match.turn)
    texts = (f"{state}: {mover} to move{values}", f"{state}: {mover} moves{values}", f"{state}{values}")
    return Text(
        next((state_text for state_text in texts if len(state_text) <= width), texts[-1]), style="bold"
    )


def analysis_lines(match: "MatchControl", report: Report, at: int, width: int, rows: int = 0) -> "Text":
    """The progress of an analysis, then its lines of play, in at most `rows` rows (0: one row each)."""
    from gameplay.display.text import Text

    mover = match.turns[at].player if at < len(match.turns) else match.turn
    deep = f"depth {report.depth}" + (f"/{report.seldepth}" if report.seldepth > report.depth > 0 else "")
    if report.visits:
        deep = count_of(report.visits, "visit")
    ended = {"proven": "seen to its end", "solved": "solved", "only move": "only move"}
    facts = [
        deep,
        count_of(report.nodes, "node"),
        *([f"{format_count(report.nps)}/s"] if report.nps else []),
    ]
    facts.append(ended.get(report.stopped, "done") if report.final else f"{report.seconds:.1f} s")
    while len(", ".join(facts)) > width and len(facts) > 2 + report.final:
        del facts[2]
    lines = textwrap.wrap(", ".join(facts), width)
    if not report.candidates and report.known and report.pv:  # no search is needed
        by = f"{match.spell(report.pv[:1], at)[0]} by the {report.source}"
        lines = textwrap.wrap(f"{by}: {report.facts}" if report.facts else by, width)
    elif not report.candidates:
        lines += textwrap.wrap(f"value {describe_value(match, report, mover)}", width)
    most = max((abs(candidate.value) for candidate in report.candidates), default=0.0)
    values = [
        "/".join(scale.format_amount(value, match.position.unit) for value in candidate.values)
        if candidate.values
        else _format_candidate(match, candidate, mover, most)
        for candidate in report.candidates
    ]
    wide = max(map(len, values), default=0)
    each = max(1, min(MAX_LINES, (rows - len(lines)) // max(1, len(values))))
    for value, candidate in zip(values, report.candidates, strict=True):
        rated = f"({candidate.remarks}) " if candidate.remarks else ""
        line = f"{value:>{wide}}  {rated}{' '.join(match.spell(candidate.pv, at))}"
        lines += textwrap.wrap(
            line, width, subsequent_indent=" " * (wide + 2), max_lines=each, placeholder=" ..."
        )
    return Text("\n".join(lines[: rows or None]))


def _format_error(match: "MatchControl", report: Report) -> str:
    """The standard error of a mean of simulations, in the unit of its value."""
    position = match.position
    if scale.is_share(position, report.bound, report.value):
        return f"{50 * report.error / position.unit:.1f}"
    return f"{report.error / position.unit:.2f}"


def _format_visits(
    match: "MatchControl", candidate: Candidate, report: Report, mover: int, at: int, width: int
) -> str:
    """A move by its share of the simulations, as a bar: `d4  ####      41 %  +0.12`."""
    total = max(sum(each.visits for each in report.visited), 1)
    word = match.spell(candidate.pv[:1], at)[0]
    max_value = max(abs(each.value) for each in report.visited)
    room = max(4, min(20, width - 23))
    bar = "#" * max(1, round(room * candidate.visits / total))
    value = _format_candidate(match, candidate, mover, max_value)
    return f"{word:<6} {bar:<{room}} {format_count(candidate.visits):>7}  {value}"


def format_proof(match: "MatchControl", report: Report) -> str:
    """Proof and disproof number: `12, disproof 40: does blue win?`."""
    assert report.claimant is not None
    proof, disproof = (
        "none" if number is None else format_count(number) for number in (report.proof, report.disproof)
    )
    return f"{proof}, disproof {disproof}: does {match.side(report.claimant)} win?"


def format_thresholds(report: Report, width: int) -> str:
    """The rising thresholds of a pathfinding search, as many of the last as fit."""
    words = list(map(str, report.thresholds))
    if len(" ".join(words)) > width:
        while len(words) > 1 and len(" ".join(["...", *words])) > width:
            del words[0]
        words.insert(0, "...")
    return " ".join(words)


def _format_candidate(match: "MatchControl", candidate: Candidate, mover: int, most: float) -> str:
    """A candidate's value beside others up to `most`, from the same view as all values here."""
    value, bound = candidate.value, candidate.bound
    if match.position.players == 2 and mover != _viewer(match):
        value, bound = -value, scale.NEGATED.get(bound, bound)
    return scale.format_score(value, match.position, candidate.proven, bound, most)


def detail_level(match: "MatchControl", chosen: str, over: bool = False, trying: bool = False) -> str:
    """The detail in which a search is shown, see `Theme.panel`; full for spectators and when `trying` moves.

    With `quiet`, players see value and line once the game is `over`.
    """
    watching = all(player.spec != "human" for player in match.players)
    return "full" if trying or watching or (over and chosen == "quiet") else chosen


def format_progress(report: Report, name: str, thinking: bool, width: int) -> str:
    """The progress of a search without its value: `mcts is thinking: 12,345 nodes, 1.2 M/s`."""
    facts = [f"depth {report.depth}"] if report.depth and not report.thresholds else []
    facts.append(count_of(report.nodes, "node"))
    facts += [f"{format_count(report.nps)}/s"] if report.nps else []
    facts += [f"{report.seconds:.1f} s"] if report.seconds >= 0.05 and not thinking else []
    head = f"{one_line(name)}{' is thinking' if thinking else ''}: "
    while len(facts) > 1 and len(head) + len(", ".join(facts)) > width:
        facts.pop()
    line = head + ", ".join(facts)
    return truncate(line, width)


def last_search_line(match: "MatchControl", report: Report, at: int, mover: int, width: int) -> str:
    """The last search of a player, after `at` moves, in a line: name, value, depth, principal variation."""
    deep = report.depth and not report.thresholds
    facts = [describe_value(match, report, mover), *([f"depth {report.depth}"] if deep else [])]
    who = f"{one_line(searcher_name(match, mover, report))} ({match.side(mover)})"
    line = " ".join([f"{who}: {', '.join(facts)};", *match.spell(report.pv, at)])
    return truncate(line, width)
