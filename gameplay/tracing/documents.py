"""The steps of a search as plain data: the lines of `gameplay trace --json` (docs/how-to/trace-json.md)."""

import math
from typing import TYPE_CHECKING, Any

from gameplay import specs
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.tracing.trace import TraceStep
from gameplay.value import INF

if TYPE_CHECKING:
    from gameplay.players.player import MatchControl
    from gameplay.search.engine import Engine

WINDOWED = ("enter", "leave")
VALUED = ("leave", "table", "known", "evaluate")  # steps whose `why` repeats `bound`


def place(match: "MatchControl") -> dict[str, Any]:
    """The game, position and moves of a match."""
    return {
        "game": match.game.spec,
        "position": match.call_game("text()", match.position.text),
        "made": match.words(),
    }


def begin(match: "MatchControl", game: str, engine: "Engine", limit: Limit) -> dict[str, Any]:
    """The first line: the position, the engine and the players."""
    position = match.position
    return {
        "what": "begin",
        **place(match),
        "game": game,
        "engine": str(engine),
        "limit": specs.limit_options(limit),
        "max": match.side(position.turn),
        "sides": [match.side(seat) for seat in range(position.players)],
        "unit": position.unit,
    }


def _whole(numbers: tuple[float, ...]) -> list[float | None]:
    """Proof and disproof number; None for infinity."""
    return [None if number == math.inf else number for number in numbers]


def _proof_document(step: TraceStep) -> dict[str, Any]:
    """A line for a step of proof-number search."""
    fields: dict[str, Any] = {"what": step.what, "node": step.node, "level": step.level}
    entered = step.what == "enter"
    facts = {
        "role": step.role,
        "player": step.player,
        "move": step.word,
        "thresholds" if entered else "numbers": _whole(step.numbers),
        "compared": step.beta if entered and step.beta < math.inf else "",
        "plies": step.depth,
        "visits": step.visits,
        "why": step.why,
        "name": step.name,
        "proof": step.proof,
        "left": step.left,
        "unsearched": step.unsearched,
        "best": step.best,
    }
    return fields | {name: value for name, value in facts.items() if value}


def _window(step: TraceStep) -> dict[str, Any]:
    """A line for a change of alpha or beta."""
    ends = {"alpha": step.alpha, "beta": step.beta, "before": step.before}
    fields = {"what": step.what, "node": step.node, "level": step.level, "role": step.role, "move": step.word}
    fields |= {"why": step.why, "name": step.name, "at": step.at}
    fields |= {name: value for name, value in ends.items() if abs(value) < math.inf}
    return {name: value for name, value in fields.items() if value != ""}


def _comparison_document(step: TraceStep) -> dict[str, Any]:
    """A line for the children that a selection compares."""
    children = [
        {"move": child.word, "visits": child.visits}
        | (
            {"mean": child.mean, "compared": child.selection_score}
            if abs(child.selection_score) < math.inf
            else {}
        )
        | ({"policy": child.policy} if child.policy is not None else {})
        for child in step.children
    ]
    fields = {"what": step.what, "node": step.node, "level": step.level, "role": step.role, "move": step.word}
    fields |= {"visits": step.visits, "c": step.value, "best": step.best, "children": children}
    return {name: value for name, value in fields.items() if value != ""}


def document(step: TraceStep) -> dict[str, Any]:
    """One line of output for a step. Empty fields of a step and infinite window bounds are omitted."""
    what, value = step.what, step.value
    if step.proving:
        return _proof_document(step)
    if what == "window":
        return _window(step)
    if what == "compare":
        return _comparison_document(step)
    fields: dict[str, Any] = {"what": what, "node": step.node, "level": step.level}
    if step.role:
        fields["role"] = step.role
    if step.player:
        fields["player"] = step.player
    if step.word:
        fields["move"] = step.word
    if what == "enter":
        fields["depth"] = step.depth
        if step.odds:
            fields["odds"] = step.odds
    elif what == "reduce":
        fields["plies"] = step.depth
    if what in WINDOWED:
        alpha, beta = step.alpha, step.beta
        if alpha > -math.inf:
            fields["alpha"] = alpha
        if beta < math.inf:
            fields["beta"] = beta
    if value is not None and -INF < value < INF:
        fields["value"] = value
    if step.bound:
        fields["bound"] = step.bound
    if step.values:
        fields["values"] = step.values
    if step.why and what not in VALUED:
        fields["why"] = step.why
    if step.name:
        fields["name"] = step.name
    if step.proof:
        fields["proof"] = step.proof
    if what in WINDOWED or what in VALUED:
        if step.best:
            fields["best"] = step.best
        if step.stop:
            fields["stop"] = step.stop
        return fields
    if step.visits:
        fields["visits"] = step.visits
    if what == "select":
        fields |= {"compared": step.beta} if not step.why else {}
    elif what == "simulate":
        fields |= {"line": step.unsearched, "length": step.left}
    elif what == "expand" and step.left:
        fields["count"] = step.left
    elif step.left:
        fields["left"] = step.left
        fields["unsearched"] = step.unsearched
    if step.best:
        fields["best"] = step.best
    return fields


def end(match: "MatchControl", report: Report) -> dict[str, Any]:
    """The last line: the result of the search. Nothing in it depends on the machine."""
    line = match.spell(report.pv)
    fields: dict[str, Any] = {
        "what": "end",
        "move": line[0] if line else None,
        "value": report.value,
        "bound": report.bound,
        "pv": line,
        "nodes": report.nodes,
        "depth": report.depth,
        "stopped": report.stopped,
    }
    if report.values:
        fields["values"] = report.values
    return fields
