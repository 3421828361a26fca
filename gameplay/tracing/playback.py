"""A search replayed on the drawn nodes: the state after each step, and a sentence about it.

`playback` walks through a tree that a `SearchTreeBuilder` has built, in the order of the search, of searches
that enter and leave each node once: minimax, alpha-beta, max^n, expectiminimax and their variants.
Steps are as in a lecture: a node is entered with its window, a value is returned and updates the window, a
cutoff ends the node. `recorded_steps` replays Monte Carlo tree search, proof-number search, IDA* and A*.

Windows and values are MAX's, as in `trace`.
"""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gameplay.plural import plural
from gameplay.tracing import leaves
from gameplay.tracing.proving import pair, state
from gameplay.tracing.trace import TraceStep, format_payoffs, format_probability, format_traced, strip_zeros
from gameplay.tracing.tree import TracedNode

NAMED = 12  # most unsearched moves named in a sentence
TERMS = 8  # most outcomes of a chance node listed in a partial sum
OF_MOVES = ("enter", "leave", "generate", "expand", "select", "backup")  # steps about the move to the node
AT = {"lower": "at least ", "upper": "at most "}
SIGNS = {"lower": "≥ ", "upper": "≤ "}


Pointer = Callable[[TraceStep], int | None]


@dataclass(slots=True, eq=False)
class ReplayStep:
    """A step of the replay.

    `marks` has what changes at nodes: `state` (open, done), `value`, `alpha` and `beta` with their reasons
    `why_alpha` and `why_beta`, `best` (the child whose value it is), `look` (pns: proved, disproved).
    """

    kind: str  # enter, leaf, return, cut, skip, note, end; or as of the step that was recorded
    node: TracedNode  # where the search is after it
    text: str
    brief: str = ""  # the text without the window, if an exercise asks for that
    marks: list[tuple[TracedNode, dict[str, Any]]] = field(default_factory=list)
    pruned: tuple[str, ...] = ()  # the branches of the node that are not searched, by name
    code: int | None = None  # the line of the pseudocode that it executes, from 0


@dataclass(slots=True, eq=False)
class OpenNode:
    """An entered node that has not been left. `low` and `high` are its current window."""

    node: TracedNode
    low: float
    high: float
    why_low: str
    why_high: str
    best: float | None = None
    choice: TracedNode | None = None
    terms: dict[str, tuple[float, float]] = field(default_factory=dict)  # probability and value by outcome
    bounded: bool = False  # some of these values are bounds


def bound(value: float, unit: int) -> str:
    """A window bound as text: `+3`, `-∞`."""
    return format_traced(value, unit).replace("inf", "∞")


def path(node: TracedNode) -> str:
    """The moves that lead to a node; "root" for none."""
    words = [step.word or step.name for step in node.line()[1:]]
    return " › ".join(words) or "root"


def playback(
    root: TracedNode,
    drawn: Collection[int],
    unit: int,
    players: Sequence[str],
    pointer: Pointer = lambda step: None,
) -> list[ReplayStep]:
    """The steps of a search that enters each node once; empty for other searches.

    drawn: the id() of each node that is drawn. players: their names, by seat. pointer: the line of the
    pseudocode that a step executes, if any; called with each step in order.
    """
    if root.entered.what != "enter" or root.entered.proving:
        return []
    return list(TreeReplay(drawn, unit, players, _windowed(root, drawn), pointer).play(root, None))


def recorded_steps(
    root: TracedNode,
    record: Sequence[tuple[TraceStep, TracedNode]],
    drawn: Collection[int],
    unit: int,
    describe: Callable[[TraceStep], str],
    pointer: Pointer = lambda step: None,
) -> list[ReplayStep]:
    """The steps of a search that revisits nodes, recorded by a `SearchTreeBuilder`, and a final step.

    A step at a node that is not drawn belongs to its nearest drawn ancestor. `describe`: formats a step.
    """
    steps = []
    for step, node in record:
        at = node
        while id(at) not in drawn and at.parent is not None:
            at = at.parent
        marks: dict[str, Any] = {"state": "open" if step.what in ("enter", "select") else "done"}
        if at is node:
            marks |= _numbers(step, unit)
        of_move = at is node and step.what in OF_MOVES and not step.left
        where = path(at.parent or at) if of_move else path(at)
        pruned = step.unsearched if step.what == "cut" else ()
        text = describe(step) if step.what == "compare" else f"{where}: {describe(step)}"
        line = pointer(step)
        steps.append(ReplayStep(step.what, at, text, marks=[(at, marks)], pruned=pruned, code=line))
    nodes = [node for node in root.everything() if id(node) in drawn]
    ends = [(node, {"state": "done", **_numbers(node.left, unit)}) for node in nodes if node.left is not None]
    steps.append(
        ReplayStep("end", root, f"The search ends; {plural(len(steps), 'step')} of it are shown.", marks=ends)
    )
    return steps


def _numbers(step: TraceStep, unit: int) -> dict[str, Any]:
    """The marks of the value that a step gives to its node."""
    value = figures(step, unit)
    look = {"look": state(step.numbers)} if value and step.proving else {}
    return {"value": value, **look} if value else {}


def figures(step: TraceStep, unit: int) -> str:
    """The value that such a step gives to its node, in one or two lines; "" for none."""
    if step.proving:
        return "\n".join(pair(step.numbers).split(", ")) if step.what in ("generate", "leave") else ""
    if step.what == "backup":
        return (
            f"{format_traced(step.value, unit)} of {step.visits}"
            if step.level
            else plural(step.visits, "visit")
        )
    if step.what == "expand" and not step.level and step.parent < 0:
        return ""  # the root has the threshold
    valued = step.what in ("expand", "generate", "threshold") and step.value is not None
    return f"{step.value:g}" if valued else ""


def _windowed(root: TracedNode, drawn: Collection[int]) -> bool:
    """True if the search has windows other than the full range at the root."""
    return any(
        node.entered.alpha > -math.inf or node.entered.beta < math.inf
        for node in root.everything()
        if id(node) in drawn and node is not root
    )


def _leaf_counts(root: TracedNode) -> str:
    """The number of leaves of a tree by reason; "" if not all of its nodes were kept."""
    count = leaves.LeafCount()
    nodes = list(root.everything())
    if len(nodes) <= root.below:
        return ""
    for node in nodes:
        if node.left is not None:
            count(node.left)
    stops = {name: number for names in count.factors().values() for name, number in names.items()}
    if len(stops) == 1:
        return f"; {plural(sum(stops.values()), 'leaf', 'leaves')} ({next(iter(stops))})"
    named = ", ".join(f"{name} {number:,}" for name, number in stops.items())
    return f"; {plural(sum(stops.values()), 'leaf', 'leaves')}: {named}"


class TreeReplay:
    def __init__(
        self, drawn: Collection[int], unit: int, players: Sequence[str], windowed: bool, pointer: Pointer
    ) -> None:
        self.pointer = pointer
        self.drawn = drawn
        self.unit = unit
        self.players = list(players)
        self.windowed = windowed

    def play(self, node: TracedNode, above: OpenNode | None) -> Iterator[ReplayStep]:
        """The steps from entering a node to knowing its value."""
        children = [child for child in node.children if id(child) in self.drawn]
        here = self._open_node(node, above)
        if not children:
            yield self._leaf(here)
        else:
            yield self._enter_step(here)
            yield from self._within(here, children)
        if above is None and children:
            yield self._end_step(here)

    def _within(self, here: OpenNode, children: list[TracedNode]) -> Iterator[ReplayStep]:
        steps = list(zip(here.node.steps, here.node.entered_before, strict=False))
        for number, child in enumerate(children):
            while steps and steps[0][1] <= number:
                yield from self._note_steps(here, steps.pop(0)[0])
            yield from self.play(child, here)
            change = None
            if steps and steps[0][0].what == "window" and steps[0][1] == number + 1:
                change = steps.pop(0)[0]
            after = children[number + 1].entered if number + 1 < len(children) else None
            yield self._return_step(here, child, change, after)
        for step, _ in steps:
            yield from self._note_steps(here, step)

    # -- a node is entered -------------------------------------------------------------------------

    def _open_node(self, node: TracedNode, above: OpenNode | None) -> OpenNode:
        """The window of a node, and the reasons for its bounds."""
        step = node.entered
        low, high = step.alpha, step.beta
        if above is None:
            return OpenNode(node, low, high, "", "")
        if isinstance(low, int) and high - low == 1:
            why = "a null window"
        elif above.node.entered.role == "chance":
            why = "what the mean above still allows"
        else:
            why = step.name or "narrowed for this search"
        why_low = above.why_low if low == above.low else why if low > -math.inf else ""
        why_high = above.why_high if high == above.high else why if high < math.inf else ""
        return OpenNode(node, low, high, why_low, why_high)

    def _window(self, here: OpenNode) -> dict[str, Any]:
        """The marks of a window."""
        if not self.windowed:
            return {}
        alpha, beta = bound(here.low, self.unit), bound(here.high, self.unit)
        return {"alpha": alpha, "beta": beta, "why_alpha": here.why_low, "why_beta": here.why_high}

    def _enter_step(self, here: OpenNode) -> ReplayStep:
        step = here.node.entered
        who = {"chance": "chance decides"}.get(step.role, f"{step.role} moves")
        parts = [f"{path(here.node)}: {who}{f' ({step.player})' if step.player else ''}"]
        if self.windowed:
            first = " at the start" if not step.level and math.inf not in (-here.low, here.high) else ""
            parts.append(f"window{first} [{bound(here.low, self.unit)}, {bound(here.high, self.unit)}]")
            parts += [f"α: {here.why_low}"] if here.why_low else []
            parts += [f"β: {here.why_high}"] if here.why_high else []
        if step.proof:
            parts.append(f"{step.name}: {step.proof}")
        marks = {"state": "open", **self._window(here)}
        brief = parts[0] if self.windowed else ""
        line = self.pointer(step)
        return ReplayStep("enter", here.node, "; ".join(parts), brief, [(here.node, marks)], code=line)

    def _leaf(self, here: OpenNode) -> ReplayStep:
        """A node without drawn children: it has its value at once."""
        node = here.node
        guessed = any(step.what == "evaluate" for step in node.steps)
        kind = "leaf" if not node.below else f"{plural(node.below, 'node')} below, not drawn"
        source = ""
        if node.left is not None and node.left.stop:
            source = f" ({leaves.words(node.left.stop)}{': the evaluation' if guessed else ''})"
        text = f"{path(node)}: {kind}, value {self._format_bounded(node)}{source}"
        notes = [note for step in node.steps for note in self._note(step)]
        marks = {"state": "done", **self._value_mark(node), **self._window(here)}
        lines = [self.pointer(step) for step in (node.entered, *node.steps, node.left) if step is not None]
        line = None if node.below else lines[-1]
        return ReplayStep("leaf", node, "; ".join([text, *notes]), marks=[(node, marks)], code=line)

    # -- a value comes back ------------------------------------------------------------------------

    def _format_bounded(self, node: TracedNode) -> str:
        exit_step = node.left
        if exit_step is None or exit_step.value is None:
            return "unknown: the search was stopped"
        if exit_step.values:
            return strip_zeros(format_payoffs(exit_step.values, self.unit))
        least = AT.get(exit_step.bound, "") if node.children else ""  # a leaf's is exact, whatever the window
        return least + format_traced(exit_step.value, self.unit)

    def _value_mark(self, node: TracedNode) -> dict[str, Any]:
        """The mark of a value."""
        exit_step = node.left
        if exit_step is None or exit_step.value is None:
            return {}
        if exit_step.values:
            return {"value": strip_zeros(format_payoffs(exit_step.values, self.unit))}
        sign = SIGNS.get(exit_step.bound, "") if node.children else ""
        return {"value": f"{sign}{format_traced(exit_step.value, self.unit)}"}

    def _return_step(
        self, above: OpenNode, node: TracedNode, change: TraceStep | None, after: TraceStep | None
    ) -> ReplayStep:
        """The value of a child reaches its parent. `change`: of the window; `after`: what is entered next."""
        exit_step, parent = node.left, above.node
        head = f"{path(node)} returns {self._format_bounded(node)}"
        marks: list[tuple[TracedNode, dict[str, Any]]] = [(node, {"state": "done", **self._value_mark(node)})]
        lines = [
            self.pointer(step) for step in (exit_step if node.children else None, change) if step is not None
        ]
        line = next((line for line in reversed(lines) if line is not None), None)
        if exit_step is None or exit_step.value is None or node.entered.why:
            return ReplayStep("return", parent, f"{head} to {self._name(parent)}", marks=marks, code=line)
        if parent.entered.role == "chance":
            text = self._partial_sum(above, node, exit_step.value)
        elif after is not None and after.word == node.entered.word and not after.why:
            text = "the move is searched again"
        else:
            text = self._describe_comparison(above, node, exit_step)
        if change is not None:
            text += f"; {self._describe_window_change(above, change)}"
        marks.append((parent, {**self._so_far(above), **self._window(above)}))
        brief = f"{head} to {self._name(parent)}" if change is not None else ""
        return ReplayStep("return", parent, f"{head}: {text}", brief, marks, code=line)

    def _describe_window_change(self, here: OpenNode, change: TraceStep) -> str:
        """A sentence about a change of a node's window."""
        here.low, here.high = change.alpha, change.beta
        by = f"by {change.word}" if change.word else "by standing pat"
        reason = f"{self._name(here.node)} has {format_traced(change.value, self.unit)} {by}"
        raised = change.why == "alpha"
        if raised:
            here.why_low = reason
        else:
            here.why_high = reason
        now = here.low if raised else here.high
        verb = "α rises" if raised else "β falls"
        return f"{verb} from {bound(change.before, self.unit)} to {bound(now, self.unit)}"

    def _name(self, node: TracedNode) -> str:
        who = node.entered.player or node.entered.role
        return f"{who} at {path(node)}"

    def _partial_sum(self, above: OpenNode, node: TracedNode, value: float) -> str:
        """The partial sum of a chance node."""
        above.terms[node.entered.word] = (node.entered.odds, value)
        above.bounded |= bool(node.children and node.left and node.left.bound != "exact")
        terms = list(above.terms.values())
        total = min(1.0, sum(odds for odds, _ in terms))
        shown = " + ".join(
            f"{format_probability(odds)} × ({format_traced(x, self.unit)})" for odds, x in terms[-TERMS:]
        )
        more = "… + " if len(terms) > TERMS else ""
        name = "the bounds so far sum to" if above.bounded else "the sum so far is"
        covered = f"for outcomes of probability {format_probability(total)}"
        return f"{name} {more}{shown} = {self._mean(above)}, {covered}"

    def _mean(self, above: OpenNode) -> str:
        return format_traced(float(sum(odds * x for odds, x in above.terms.values())), self.unit)

    def _describe_comparison(self, above: OpenNode, node: TracedNode, exit_step: TraceStep) -> str:
        """A sentence: MAX, MIN or a player compares a value with the best so far."""
        assert exit_step.value is not None
        role, best = above.node.entered.role, above.best
        seat = self.players.index(role) if exit_step.values and role in self.players else -1
        own = exit_step.values[seat] if seat >= 0 else exit_step.value
        minimizing = role == "MIN"

        def format_payoff(value: float) -> str:
            return (
                strip_zeros(format_traced(value, self.unit))
                if exit_step.values
                else format_traced(value, self.unit)
            )

        who = self._name(above.node)
        if best is not None and (own >= best if minimizing else own <= best):
            held = "its evaluation" if above.choice is None else above.choice.entered.word
            return f"{who} keeps {held} ({format_payoff(best)})"
        above.best, above.choice = own, node
        first = "the first value" if best is None else f"better than {format_payoff(best)}"
        return f"{who} has {format_payoff(own)} now, {first}"

    def _so_far(self, above: OpenNode) -> dict[str, Any]:
        """The marks of the best value so far, or of the partial sum."""
        if above.terms:
            return {"value": f"Σ {self._mean(above)}"}
        if above.choice is None or above.best is None:
            return {}
        exit_step = above.choice.left
        if exit_step is not None and exit_step.values:
            value = f"… {strip_zeros(format_payoffs(exit_step.values, self.unit))}"
        else:
            sign = "≤" if above.node.entered.role == "MIN" else "≥"
            value = f"{sign} {format_traced(above.best, self.unit)}"
        return {"value": value, "best": above.choice}

    def _end_step(self, here: OpenNode) -> ReplayStep:
        exit_step = here.node.left
        if exit_step is None or exit_step.value is None:
            return ReplayStep("end", here.node, "The search was stopped.")
        by = f", by {exit_step.best}" if exit_step.best else ""
        marks = {"state": "done", **self._value_mark(here.node)}
        text = (
            f"The search is over: the value is {self._format_bounded(here.node)}{by}{_leaf_counts(here.node)}"
        )
        return ReplayStep("end", here.node, text, marks=[(here.node, marks)], code=self.pointer(exit_step))

    # -- what is done at a node --------------------------------------------------------------------

    def _note_steps(self, here: OpenNode, step: TraceStep) -> Iterator[ReplayStep]:
        where, line = path(here.node), self.pointer(step)
        if step.what == "evaluate" and here.best is None and here.node.entered.role in ("MAX", "MIN"):
            here.best = step.value
        if step.what == "window":
            value = format_traced(step.value, self.unit)
            text = f"{where}: standing pat, {value}; {self._describe_window_change(here, step)}"
            yield ReplayStep("note", here.node, text, marks=[(here.node, self._window(here))], code=line)
        for note in self._note(step):
            kind = step.what if step.what in ("cut", "skip") else "note"
            if step.why == "beta" and here.low >= here.high:
                note = f"α {bound(here.low, self.unit)} ≥ β {bound(here.high, self.unit)}, {note}"
            pruned = step.unsearched if kind == "cut" else (step.word,) if kind == "skip" else ()
            named = tuple(filter(None, pruned))
            yield ReplayStep(kind, here.node, f"{where}: {note}", pruned=named, code=line)

    def _note(self, step: TraceStep) -> Iterator[str]:
        """A step at a node as sentences; none for an evaluation, which is shown as the value of a leaf."""
        if step.what == "cut":
            names = ", ".join(step.unsearched[:NAMED])
            more = step.left - len(step.unsearched[:NAMED])
            names += f" and {more} more" if more > 0 else ""
            last = "; it was the last move" if step.why == "beta" and not step.left else ""
            yield f"{step.name}: {step.proof}" + (f"; not searched: {names}" if names else last)
        elif step.what in ("table", "known"):
            source = "transposition table" if step.what == "table" else "known without a search"
            yield f"{source}: {AT.get(step.bound, '')}{format_traced(step.value, self.unit)}"
        elif step.what == "skip":
            yield f"{step.word or 'a player'} is skipped: {step.name}, {step.proof}"
        elif step.what in ("extend", "reduce"):
            yield f"{step.word} {step.name}: {step.proof}".strip()
