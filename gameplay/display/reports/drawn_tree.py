"""A search tree prepared for drawing: nodes with their texts, and the numbers of omitted nodes."""

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from heapq import heappop, heappush

from gameplay.plural import plural
from gameplay.tracing.playback import figures
from gameplay.tracing.proving import pair, state
from gameplay.tracing.trace import format_payoffs, format_traced, strip_zeros
from gameplay.tracing.tree import NO_PLY, TracedNode

SIGNS = {"lower": "≥ ", "upper": "≤ "}


@dataclass(eq=False)
class DrawnNode:
    """A node with its texts. A pruned one has only a name and the reason."""

    word: str
    role: str = ""
    odds: str = ""
    window: str = ""
    value: str = ""
    facts: list[str] = field(default_factory=list)  # sentences: cutoffs, re-searches, table hits
    cut: str = ""  # the name of the cut that ended it
    pruned: str = ""  # why it was not searched; "": it was searched
    # Proof-number search: proved, disproved, not expanded (it has numbers, but no moves were generated), or
    # stopped within (the numbers are those before that visit).
    state: str = ""
    proving: bool = False  # the role is that of an AND/OR tree: OR or AND
    below: int = 0  # omitted descendants
    children: "list[DrawnNode]" = field(default_factory=list)
    node: TracedNode | None = None

    @property
    def leaf(self) -> bool:
        """True if it has no descendants, drawn or omitted."""
        return not self.children and not self.below

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
        """The player to move if there are more than two players, else the shape shows it."""
        _, _, name = self.role.partition(" ")
        return self.role if self.kind == "player" else name if self.kind in ("MAX", "MIN") else ""

    def count(self) -> int:
        """The number of drawn nodes, this one and its descendants."""
        return 1 + sum(drawn.count() for drawn in self.children)

    def nodes(self) -> set[int]:
        """The id() of the search nodes drawn here and below."""
        own = set() if self.node is None else {id(self.node)}
        return own.union(*(drawn.nodes() for drawn in self.children))


def prune_to_size(root: TracedNode, max_nodes: int, unit: int) -> DrawnNode:
    """The tree to draw, with at most `max_nodes` nodes: all nodes down to the deepest ply that fits.

    For Monte Carlo tree search: the nodes with the most visits.
    """
    if root.entered.what == "simulation":
        return _draw_node(root, NO_PLY, unit, _most_visited(root, max_nodes))
    ply, total, deepest = [root], 1, 0
    while True:
        below = sum(len(node.children) + len(node.pruned()) for node in ply)
        total += below
        if not below or total > max_nodes:
            break
        deepest += 1
        ply = [child for node in ply for child in node.children]
    return _draw_node(root, root.entered.level + deepest, unit)


def _most_visited(root: TracedNode, count: int) -> set[int]:
    """The id() of the `count` most visited nodes; ties by order of visit."""
    ids: set[int] = set()
    waiting = [(0, 0, root)]
    order = 0
    while waiting and len(ids) < count:
        _, _, node = heappop(waiting)
        ids.add(id(node))
        for child in node.children:
            order += 1
            visits = child.left.visits if child.left is not None else 0
            heappush(waiting, (-visits, order, child))
    return ids


def _draw_node(node: TracedNode, deepest: int, unit: int, chosen: Collection[int] | None = None) -> DrawnNode:
    """The drawing of a node and its descendants, down to level `deepest`, or only the `chosen` ones."""
    entered, exit_step = node.entered, node.left
    drawn = DrawnNode(
        entered.word or (entered.name if node.parent else "root"), entered.player or entered.role, node=node
    )
    if entered.player:
        drawn.role = f"{entered.role} {entered.player}"
    drawn.odds = f"{entered.odds:.3g}" if entered.odds else ""
    if entered.what == "enter" and (entered.alpha > -math.inf or entered.beta < math.inf):
        drawn.window = f"[{format_traced(entered.alpha, unit)}, {format_traced(entered.beta, unit)}]"
    drawn.value = _format_value(node, unit)
    if entered.proving:
        _add_proof_numbers(node, drawn)
    elif entered.proof:
        drawn.facts.append(f"{entered.name}: {entered.proof}")
    for step in node.steps:
        if step.what == "cut":
            drawn.cut = "" if step.why == "decided" else step.name
            drawn.facts.append(f"{step.name}: {step.proof}")
        elif step.what in ("table", "known"):
            source = "transposition table" if step.what == "table" else "known without a search"
            drawn.facts.append(f"{source}: {SIGNS.get(step.bound, '')}{format_traced(step.value, unit)}")
        elif step.what in ("extend", "reduce"):
            drawn.facts.append(f"{step.word} {step.name}: {step.proof}".strip())
    if exit_step is not None and exit_step.terms and exit_step.bound == "exact":
        terms = " + ".join(f"{odds:.3g} x ({format_traced(x, unit)})" for odds, x in exit_step.terms[:12])
        drawn.facts.append(f"the mean: {terms}{' + ...' if len(exit_step.terms) > 12 else ''}")
    if chosen is not None:
        children = [child for child in node.children if id(child) in chosen]
        drawn.children = [_draw_node(child, deepest, unit, chosen) for child in children]
        drawn.below = node.below - sum(child.below + 1 for child in children)
    elif entered.level < deepest:
        drawn.children = [_draw_node(child, deepest, unit) for child in node.children]
        drawn.children += [DrawnNode(word, pruned=why) for word, why in node.pruned()]
        drawn.below = node.hidden
    else:
        drawn.below = node.below
    return drawn


def _add_proof_numbers(node: TracedNode, drawn: DrawnNode) -> None:
    """The facts of a node of proof-number search."""
    entered, exit_step = node.entered, node.left
    drawn.proving = True
    if not node.parent:
        drawn.word = entered.name
    numbers = exit_step.numbers if exit_step is not None else entered.numbers
    drawn.state = state(numbers) or ("" if node.visits else "not expanded")
    if any(step.name == "stopped" for step in node.steps):
        drawn.state = "stopped within"
        drawn.facts.append("the search was stopped in here: the numbers are those from before")
        return
    if node.visits > 1:
        drawn.facts.append(plural(node.visits, "visit"))
    if exit_step is not None and exit_step.proof:
        drawn.facts.append(f"{exit_step.name}: {exit_step.proof}")


def _format_value(node: TracedNode, unit: int) -> str:
    """The value of a node as text."""
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


def count_omitted(drawn: DrawnNode) -> int:
    """The number of nodes that are not drawn."""
    return drawn.below + sum(count_omitted(child) for child in drawn.children)
