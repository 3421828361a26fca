"""The tree of a search prepared for drawing: drawn nodes, numbers of omitted ones, and texts."""

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from heapq import heappop, heappush

from gameplay.tracing.playback import figures
from gameplay.tracing.proving import pair, state
from gameplay.tracing.trace import format_payoffs, format_traced, strip_zeros
from gameplay.tracing.tree import NO_PLY, TracedNode

SIGNS = {"lower": "≥ ", "upper": "≤ "}


@dataclass(eq=False)
class Twig:
    """A drawn node. A pruned one has only a name and the reason."""

    word: str
    role: str = ""
    odds: str = ""
    window: str = ""
    value: str = ""
    facts: list[str] = field(default_factory=list)  # sentences: cuts, searches again, what the table knew
    cut: str = ""  # the name of the cut that ended it
    pruned: str = ""  # why it was not searched; "": it was
    # pns: proved, disproved; not expanded: it has numbers, and no moves were looked at; stopped within: the
    # numbers are those from before that visit
    state: str = ""
    proving: bool = False  # of pns: whatever its role, it has one in an AND/OR tree
    below: int = 0  # omitted nodes below it
    twigs: "list[Twig]" = field(default_factory=list)
    node: TracedNode | None = None

    @property
    def leaf(self) -> bool:
        """True if nothing lies below it, drawn or not."""
        return not self.twigs and not self.below

    @property
    def kind(self) -> str:
        """The kind of node: MAX, MIN, chance, player ("" for leaves); OR, AND (for leaves too)."""
        kind = self.role.split(" ")[0]
        if self.pruned or (self.leaf and not self.proving):
            return ""
        return kind if self.proving or kind in ("MAX", "MIN", "chance") else "player"

    @property
    def lines(self) -> list[str]:
        """The label of a node: the player to move if there are several, and the value."""
        if self.proving:
            return self.value.split(", ") if self.value else []
        return [*filter(None, [self.player, self.value])]

    @property
    def player(self) -> str:
        """The player to move, where the shape does not show it: with more than two players."""
        _, _, name = self.role.partition(" ")
        return self.role if self.kind == "player" else name if self.kind in ("MAX", "MIN") else ""

    def count(self) -> int:
        """How many nodes are drawn here and below."""
        return 1 + sum(twig.count() for twig in self.twigs)

    def nodes(self) -> set[int]:
        """The id() of each node of the search that is drawn here and below."""
        own = set() if self.node is None else {id(self.node)}
        return own.union(*(twig.nodes() for twig in self.twigs))


def prune_to_size(root: TracedNode, most: int, unit: int) -> Twig:
    """Return the tree to draw, of at most `most` nodes: all nodes down to the deepest ply that fits.

    Of a Monte Carlo tree search: the nodes with the most visits.
    """
    if root.entered.what == "simulation":
        return _twig(root, NO_PLY, unit, _most_visited(root, most))
    ply, total, deepest = [root], 1, 0
    while True:
        below = sum(len(node.children) + len(node.pruned()) for node in ply)
        total += below
        if not below or total > most:
            break
        deepest += 1
        ply = [child for node in ply for child in node.children]
    return _twig(root, root.entered.level + deepest, unit)


def _most_visited(root: TracedNode, most: int) -> set[int]:
    """The id() of the `most` most visited nodes; ties by order of visit."""
    ids: set[int] = set()
    waiting = [(0, 0, root)]
    count = 0
    while waiting and len(ids) < most:
        _, _, node = heappop(waiting)
        ids.add(id(node))
        for child in node.children:
            count += 1
            visits = child.left.visits if child.left is not None else 0
            heappush(waiting, (-visits, count, child))
    return ids


def _twig(node: TracedNode, deepest: int, unit: int, chosen: Collection[int] | None = None) -> Twig:
    """The twig of a node with those below it, down to level `deepest`, or only the `chosen` ones."""
    entered, exit_step = node.entered, node.left
    twig = Twig(
        entered.word or (entered.name if node.parent else "root"), entered.player or entered.role, node=node
    )
    if entered.player:
        twig.role = f"{entered.role} {entered.player}"
    twig.odds = f"{entered.odds:.3g}" if entered.odds else ""
    if entered.what == "enter" and (entered.alpha > -math.inf or entered.beta < math.inf):
        twig.window = f"[{format_traced(entered.alpha, unit)}, {format_traced(entered.beta, unit)}]"
    twig.value = _format_value(node, unit)
    if entered.proving:
        _add_proof_numbers(node, twig)
    elif entered.proof:
        twig.facts.append(f"{entered.name}: {entered.proof}")
    for step in node.steps:
        if step.what == "cut":
            twig.cut = "" if step.why == "decided" else step.name
            twig.facts.append(f"{step.name}: {step.proof}")
        elif step.what in ("table", "known"):
            source = "transposition table" if step.what == "table" else "known without a search"
            twig.facts.append(f"{source}: {SIGNS.get(step.bound, '')}{format_traced(step.value, unit)}")
        elif step.what in ("extend", "reduce"):
            twig.facts.append(f"{step.word} {step.name}: {step.proof}".strip())
    if exit_step is not None and exit_step.terms and exit_step.bound == "exact":
        terms = " + ".join(f"{odds:.3g} x ({format_traced(x, unit)})" for odds, x in exit_step.terms[:12])
        twig.facts.append(f"the mean: {terms}{' + ...' if len(exit_step.terms) > 12 else ''}")
    if chosen is not None:
        children = [child for child in node.children if id(child) in chosen]
        twig.twigs = [_twig(child, deepest, unit, chosen) for child in children]
        twig.below = node.below - sum(child.below + 1 for child in children)
    elif entered.level < deepest:
        twig.twigs = [_twig(child, deepest, unit) for child in node.children]
        twig.twigs += [Twig(word, pruned=why) for word, why in node.pruned()]
        twig.below = node.hidden
    else:
        twig.below = node.below
    return twig


def _add_proof_numbers(node: TracedNode, twig: Twig) -> None:
    """The facts of a node of proof-number search."""
    entered, exit_step = node.entered, node.left
    twig.proving = True
    if not node.parent:
        twig.word = entered.name
    numbers = exit_step.numbers if exit_step is not None else entered.numbers
    twig.state = state(numbers) or ("" if node.visits else "not expanded")
    if any(step.name == "stopped" for step in node.steps):
        twig.state = "stopped within"
        twig.facts.append("the search was stopped in here: the numbers are those from before")
        return
    if node.visits > 1:
        twig.facts.append(f"{node.visits:,} visits")
    if exit_step is not None and exit_step.proof:
        twig.facts.append(f"{exit_step.name}: {exit_step.proof}")


def _format_value(node: TracedNode, unit: int) -> str:
    """A value as it stands at a node."""
    exit_step = node.left
    if node.entered.proving:
        return pair(exit_step.numbers) if exit_step is not None else ""
    if exit_step is None or exit_step.value is None:
        return "" if node.entered.what == "enter" or node.entered.value is None else f"{node.entered.value:g}"
    if exit_step.what in ("backup", "expand", "generate", "threshold"):
        return figures(exit_step, unit)
    if exit_step.values:
        return strip_zeros(format_payoffs(exit_step.values, unit))
    bound = "" if not node.children else SIGNS.get(exit_step.bound, "")
    return f"{bound}{format_traced(exit_step.value, unit)}"


def missing(twig: Twig) -> int:
    """How many nodes of the tree are not drawn."""
    return twig.below + sum(missing(one) for one in twig.twigs)
