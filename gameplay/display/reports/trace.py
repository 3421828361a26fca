"""Prints a search as text, indented by ply: the same search always gives the same lines."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gameplay.display.reports import proving
from gameplay.engines.multiplayer.alliance import teams
from gameplay.plural import plural
from gameplay.tracing.leaves import LeafCount, words
from gameplay.tracing.trace import TraceStep, format_payoffs, format_probability, format_traced

if TYPE_CHECKING:
    from gameplay.players.player import MatchControl
    from gameplay.search.engine import Engine
    from gameplay.search.limit import Limit
    from gameplay.search.report import Report
    from gameplay.tracing.pseudocode import CodePointer, Pseudocode

INDENT = "| "
SIMULATION_STEPS = ("simulation", "select", "expand", "simulate", "backup", "trim")
MAX_TERMS = 6  # outcomes of a roll that are listed individually with their share of the mean
BOUNDS = {"exact": "", "lower": " at least", "upper": " at most"}


class TraceLines:
    """Called with each step of a search; writes lines.

    The line of a node is delayed until its next step, so that a leaf takes one line; `close` flushes it.
    `pointer` maps a step to the line of the pseudocode that it executes.
    """

    def __init__(
        self, write: Callable[[str], Any], unit: int = 1, pointer: "CodePointer | None" = None
    ) -> None:
        self.write = write
        self.unit = unit
        self.pointer = pointer
        self.code: int | None = None  # line of the pseudocode of the step being written
        self.codes: dict[str, int | None] = {}  # ... of the delayed steps
        self.held: TraceStep | None = None  # delayed: a node was entered
        self.guess: TraceStep | None = None  # delayed: its evaluation
        self.about: TraceStep | None = None  # the step being written

    def __call__(self, step: TraceStep) -> None:
        code = self.pointer(step) if self.pointer is not None else None
        self.code = code
        if step.proving:
            self.about = step
            self.write(f"{INDENT * (step.level + (step.what == 'cut'))}{proving.format_step(step)}\n")
            return
        held = self.held
        if held is not None and step.node == held.node and step.what == "evaluate":
            self.guess = step
            self.codes["guess"] = code
            return
        if held is not None and step.node == held.node and step.what == "leave" and step.name != "stopped":
            self.held, self.about = None, held
            self.write(INDENT * step.level + self._format_leaf(held, step) + "\n")
            return
        self.close()
        self.about, self.code = step, code
        expands = step.what == "expand" and step.value is not None  # of a pathfinding search
        if step.what in SIMULATION_STEPS and not expands:
            self.write(f"{INDENT * step.level}{self._format_simulation(step)}\n")
            return
        if step.what == "compare":
            for line in _comparison_lines(step):
                self.write(f"{INDENT * step.level}{line}\n")
            return
        if step.what == "enter":
            self.held, self.guess = step, None
            self.codes["held"] = code
            return
        indent = INDENT * (step.level + (step.what not in ("leave", "threshold")))
        self.write(f"{indent}{self._format_line(step)}\n")

    def close(self) -> None:
        """Write the delayed lines."""
        if self.held is None:
            return
        held, self.held = self.held, None
        self.about, self.code = held, self.codes.get("held")
        self.write(INDENT * held.level + self._format_enter(held) + "\n")
        if self.guess is not None:
            self.about, self.code = self.guess, self.codes.get("guess")
            self.write(f"{INDENT * (held.level + 1)}{self._format_line(self.guess)}\n")
            self.guess = None

    # -- lines -------------------------------------------------------------------------------------

    def _format_enter(self, step: TraceStep) -> str:
        plies = f", depth {step.depth}" if step.depth > 0 else ""
        if step.name and not step.level and not step.word:
            return f"{step.name}{plies}: {step.role}{self._format_window(step)}{_format_reason(step)}"
        again = f" [{step.name}: {step.proof}]" if step.name else ""
        who = f" {step.player}" if step.player else ""
        return (
            f"{step.word}{_format_odds(step.odds)}: {step.role}{who}{plies}{self._format_window(step)}{again}"
        )

    def _format_leaf(self, entered: TraceStep, step: TraceStep) -> str:
        what = words(step.stop) + (": the evaluation" if self.guess else "")
        again = f" [{entered.name}: {entered.proof}]" if entered.name and entered.level else ""
        window = self._format_window(entered)
        value = format_payoffs(step.values, self.unit) if step.values else self._format_value(step.value)
        return f"{step.word}{_format_odds(entered.odds)}: leaf{window} = {value} ({what}){again}"

    def _format_window(self, step: TraceStep) -> str:
        if step.alpha == -math.inf and step.beta == math.inf and step.role not in ("MAX", "MIN", "chance"):
            return ""
        null = isinstance(step.alpha, int) and isinstance(step.beta, int) and step.beta - step.alpha == 1
        window = f"[{self._format_value(step.alpha)}, {self._format_value(step.beta)}]"
        return f" {window}{' null window' if null else ''}"

    def _format_bounded(self, step: TraceStep) -> str:
        """A value with its bound."""
        if step.values:
            return format_payoffs(step.values, self.unit)
        return f"{self._format_value(step.value)}{BOUNDS.get(step.bound, '')}"

    def _format_value(self, value: float | None) -> str:
        return format_traced(value, self.unit)

    def _format_line(self, step: TraceStep) -> str:
        what = step.what
        if what == "leave":
            return self._format_leave(step)
        if what == "cut":
            return f"{step.name}{_format_reason(step)}{_format_unsearched(step)}"
        if what == "evaluate":
            return f"evaluation {self._format_bounded(step)}"
        if what == "window":
            return self._format_window_change(step)
        if what == "order":
            value = f" {self._format_value(step.value)}" if step.value is not None else ""
            return f"{step.word} is tried first: {step.name}{value}{_format_reason(step, ', ')}"
        if what in ("table", "known"):
            source = "transposition table" if what == "table" else "known without a search"
            move = f", best {step.word}" if step.word else ""
            return f"{source}: {self._format_bounded(step)}{move}"
        if what == "skip":
            return f"{step.word or 'no player'} is skipped: {step.name}{_format_reason(step, ', ')}"
        if what == "reduce":
            plies = f"{plural(step.depth, 'ply', 'plies')} less"
            return f"{step.word}{' ' if step.word else ''}{plies}: {step.name}{_format_reason(step, ', ')}"
        if what == "extend":
            return f"{step.word} deeper: {step.name}{_format_reason(step, ', ')}"
        return self._format_path_step(step)

    def _format_window_change(self, step: TraceStep) -> str:
        """A change of a node's window: the bound that moved, the move that caused it, the new window."""
        before, now = self._format_value(step.before), self._format_value(step.value)
        source = {"stand pat": "by standing pat", "leaf": f"from leaf {step.word}"}
        meets = ": alpha >= beta" if step.alpha >= step.beta else ""
        window = f"[{self._format_value(step.alpha)}, {self._format_value(step.beta)}]"
        place = step.at or "the root"
        return (
            f"at {place}: {step.why} {before} -> {now}, "
            f"{source.get(step.name, f'from {step.word}')}; now {window}{meets}"
        )

    def _format_path_step(self, step: TraceStep) -> str:
        """A step of a pathfinding search."""
        cost = f"{step.value:,g}" if step.value is not None else ""
        if step.what == "threshold":
            return f"threshold {cost}"
        name = step.word or "start"
        if step.why == "goal":
            return f"{name}: the goal, {cost}"
        if step.what == "expand":
            return f"{name}: expanded, at least {cost}"
        return f"{name}: at least {cost}{', ' if step.name else ''}{step.name}{_format_reason(step)}"

    def _format_simulation(self, step: TraceStep) -> str:
        """A step of a simulation."""
        what, visits = step.what, plural(step.visits, "visit")
        if what == "simulation":
            return f"simulation {step.node}"
        if what == "trim":
            return f"the tree is full: what was visited less than {step.visits} times loses its moves"
        if what == "expand":
            return f"expand: {plural(step.left, 'move')}"
        if what == "simulate":
            more = step.left - len(step.unsearched)
            line = f"{' '.join(step.unsearched)}{f' and {more} more' if more > 0 else ''}"
            playout = ", ".join(filter(None, [f"playout {line}" if line else "", step.proof]))
            return f"simulate: {playout or 'playout'}: {format_payoffs(step.values, self.unit)}"
        if what == "select":
            mean = f"mean {step.numbers[0]:.3f}, " if step.numbers else ""
            playout = step.proof or f"{visits}, {mean}compared by {step.beta:.3f}"
            return f"select {step.word}: {step.role}, {playout}"
        sure = f", proved: {format_payoffs(step.values, self.unit)}" if step.why == "proven" else ""
        mean = f", mean {self._format_value(step.value)}" if step.level and step.role != "chance" else ""
        return f"back up {step.word or 'the root'}: {visits}{mean}{sure}"

    def _format_leave(self, step: TraceStep) -> str:
        if step.name == "stopped":
            solved = "inf" not in self._format_value(step.value)
            return "the search was stopped" + (f": {self._format_value(step.value)} so far" if solved else "")
        beyond = step.stop in ("max threshold", "min threshold")  # whatever the window: its evaluation
        text = f"= {self._format_value(step.value) if beyond else self._format_bounded(step)}"
        if step.terms and step.bound == "exact":
            terms = step.terms
            if len(terms) <= MAX_TERMS:
                text += " = " + " + ".join(
                    f"{format_probability(odds)} x ({self._format_value(x)})" for odds, x in terms
                )
            else:
                text += f", the mean of {len(terms)} outcomes"
        elif step.best:
            text += f" by {step.best}"
        if step.stop:
            text += f" (a leaf: {words(step.stop)})"
        name = step.word or ("root" if not step.level else "")
        return f"{name} {text}".lstrip()


def leaf_lines(count: LeafCount) -> list[str]:
    """Count the leaves by what stopped the search there, a line for each factor."""
    factors = count.factors()
    if not factors:
        return []
    rows = [(factor, f"{sum(stops.values()):,}", _format_stops(stops)) for factor, stops in factors.items()]
    wide, most = (max(len(row[column]) for row in rows) for column in (0, 1))
    return [
        "",
        f"{plural(sum(count.stops.values()), 'leaf', 'leaves')}; what stopped the search there:",
        *(f"  {factor:<{wide}}  {number:>{most}}  {stops}" for factor, number, stops in rows),
    ]


def _format_stops(stops: dict[str, int]) -> str:
    """The reasons of a factor; several ones with the number of leaves of each."""
    several = len(stops) > 1
    return ", ".join(f"{name} {number:,}" if several else name for name, number in stops.items())


def _comparison_lines(step: TraceStep) -> list[str]:
    """The children that a selection compares, with the terms of UCB1 or PUCT, or else only the result."""
    place = step.word or "the root"
    new = [child.word for child in step.children if child.selection_score == math.inf]
    if new:
        tried = len(step.children) - len(new)
        return [f"at {place}: {tried} of {len(step.children)} children tried; first those that are not"]
    formula = "p * sqrt(N) / (1 + n)" if step.name == "PUCT" else "sqrt(ln N / n)"
    lines = [
        f"at {place}, N = {step.visits}: {step.name} = mean + {step.value:g} * {formula}, means from 0 to 1"
    ]
    wide = max(len(child.word) for child in step.children)
    for child in step.children:
        if child.selection_score == -math.inf:
            lines.append(f"  {child.word:<{wide}}  left out: proved to be no better than another")
            continue
        plain = math.isclose(child.mean + child.bonus, child.selection_score, abs_tol=1e-9)
        plain = plain and (child.visits > 0 or child.policy is not None)
        count = f"sqrt(ln {step.visits} / {child.visits})"
        if child.policy is not None:
            count = f"{child.policy:.3f} * sqrt({step.visits}) / (1 + {child.visits})"
        term = f" + {step.value:g} * {count}" if plain else f", n = {child.visits}, with what options add"
        mark = "  <- selected" if child.word == step.best else ""
        lines.append(f"  {child.word:<{wide}}  {child.mean:.3f}{term} = {child.selection_score:.3f}{mark}")
    return lines


def _format_reason(step: TraceStep, before: str = ": ") -> str:
    return f"{before}{step.proof}" if step.proof else ""


def _format_unsearched(step: TraceStep) -> str:
    """The moves that a cut leaves unsearched."""
    if not step.left:
        return "; it was the last move" if step.why == "beta" and step.role != "chance" else ""
    more = step.left - len(step.unsearched)
    named = ", ".join(step.unsearched) + (f" and {more} more" if more > 0 else "")
    return f"; not searched: {named}"


def _format_odds(odds: float) -> str:
    return f" ({format_probability(odds)})" if odds else ""


def describe_step(step: TraceStep, unit: int) -> str:
    """Describe a step of a search that revisits nodes: in one line, or several for a comparison."""
    parts: list[str] = []
    lines = TraceLines(parts.append, unit)
    lines(step)
    lines.close()
    return "".join(parts).strip().replace(INDENT, "")


def numbered_pseudocode(code: "Pseudocode") -> list[str]:
    """The pseudocode with line numbers, which the lines of a trace refer to."""
    lines = [f"{number:>2}  {line}" for number, line in enumerate(code.lines, 1)]
    return [f"{code.title}; the lines of the trace begin with the number of the line executed", *lines]


def title(match: "MatchControl", name: str, engine: "Engine", limit: "Limit") -> str:
    """The heading of a trace: game, start, engine and limit. `name`: the game as the user typed it."""
    return f"{name}{format_start(match)}: {engine}, {limit}"


def format_start(match: "MatchControl") -> str:
    """The position where a search begins, to follow the game's name: ` from x../.../..., after b2 c3`."""
    begin = f" from {match.start}" if match.start else ""
    return begin + (f", after {' '.join(match.words())}" if match.words() else "")


def legend(match: "MatchControl", engine: "Engine") -> list[str]:
    """The legend of a trace, as lines."""
    position = match.position
    if engine.theorem == "a cheapest path":
        return ["figures: lower bounds of a path's cost, cost so far plus estimate"]
    names = position.unit_names[1]
    lines = []
    if position.hidden:
        lines.append("this search sees all cards: it is that of one deal, as in pimc")
    if engine.simulates:
        return [
            *lines,
            f"values: mean payoffs of the player who made the move, in {names}",
            "selection: means scaled from 0, the least payoff so far, to 1, the greatest",
        ]
    if engine.view == "attacker":
        weak = " (weak: the largest, and 1 for each other)" if engine.weak else ""
        return [
            *lines,
            "OR: the side moves whose win is to be proved; AND: the opponent",
            "pn, dn: proof and disproof number, the fewest leaves that could prove it, or disprove it",
            f"OR: least pn, sum of dn; AND: least dn, sum of pn{weak}",
        ]
    if engine.view == "each":
        return [*lines, f"values: payoff of each player, in {names}: {', '.join(_sides(match))}"]
    team = teams(engine.alliance, position)
    sides = list(zip(_sides(match), team, strict=True))
    friends = " and ".join(name for name, side_value in sides if side_value == team[position.turn])
    others = " and ".join(name for name, side_value in sides if side_value != team[position.turn])
    return [
        *lines,
        f"MAX is {friends}, MIN is {others}; windows [alpha, beta] and values are those of MAX, in {names}",
    ]


def _sides(match: "MatchControl") -> list[str]:
    return [match.side(player) for player in range(match.position.players)]


def result(match: "MatchControl", report: "Report") -> str:
    """The result of the search."""
    from gameplay.display.reports.analysis import format_value

    line = match.spell(report.pv)
    text = format_value(match, report, report.exact) if match.position.players != 1 else ""
    if match.position.players == 1:
        from gameplay.value import format_goal_distance

        text = format_goal_distance(report.value, match.position, report.bound)
    ended = f", stopped: {report.stopped}" if report.stopped in ("nodes", "time", "interrupted") else ""
    return f"\n{' '.join(line) or 'no move'}: {text}; {plural(report.nodes, 'node')}{ended}"
