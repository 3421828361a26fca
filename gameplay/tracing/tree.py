"""The tree that a search visited, built from its trace for drawings.

A `SearchTreeBuilder` receives the steps and stores a node for each entered position, up to a limit. Of the
others it counts how many are below each stored node. Each root search gives a separate tree.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from gameplay.tracing.trace import TraceStep

NOTES = ("table", "known", "evaluate", "cut", "skip", "extend", "reduce", "simulate", "window")
RETURNING = (
    "simulation",
    "compare",
    "select",
    "expand",
    "simulate",
    "backup",
    "trim",
    "threshold",
    "generate",
)
NO_PLY = 1 << 30


@dataclass(slots=True, eq=False)
class TracedNode:
    """A node of the tree. `left` and the values are None until the search has left it."""

    entered: TraceStep
    parent: "TracedNode | None"
    left: TraceStep | None = None
    steps: list[TraceStep] = field(default_factory=list)  # steps at the node, of the kinds in NOTES
    entered_before: list[int] = field(default_factory=list)  # of each step: children entered before it
    children: "list[TracedNode]" = field(default_factory=list)
    below: int = 0  # nodes below it, kept or not
    visits: int = 0  # pns: how often the search came to it

    @property
    def hidden(self) -> int:
        """The number of descendants that are not kept, except those below its children."""
        return self.below - sum(child.below + 1 for child in self.children)

    def add_step(self, step: TraceStep) -> None:
        """Store a step at this node, and the number of children entered before it."""
        self.steps.append(step)
        self.entered_before.append(len(self.children))

    def add_below(self, nodes: int) -> None:
        """Add `nodes` to the number of descendants, here and at all ancestors."""
        node: TracedNode | None = self
        while node is not None:
            node.below += nodes
            node = node.parent

    @property
    def cut(self) -> TraceStep | None:
        """The cutoff that ended it, if any."""
        return next((step for step in reversed(self.steps) if step.what == "cut"), None)

    def line(self) -> list[TraceStep]:
        """The steps that enter the nodes on the path from the root."""
        steps, node = [self.entered], self.parent
        while node is not None:
            steps.append(node.entered)
            node = node.parent
        return steps[::-1]

    def everything(self) -> "Iterator[TracedNode]":
        """This node and all its descendants, in order of entry."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def pruned(self) -> list[tuple[str, str]]:
        """The unsearched moves, each with the reason; unnamed ones are one entry."""
        pruned = []
        for step in self.steps:
            if step.what == "skip" and step.word:
                pruned.append((step.word, f"{step.name}: {step.proof}"))
            elif step.what == "cut" and step.left:
                why = f"{step.name}: {step.proof}"
                pruned += [(word, why) for word in step.unsearched]
                more = step.left - len(step.unsearched)
                if more > 0:
                    pruned.append((f"{more} more moves", why))
        return pruned


class SearchTreeBuilder:
    """Builds trees; called with each step.

    most: nodes kept per tree. alone: keep only the last complete tree. drawn: in trees whose nodes are
    entered once, keep only the plies that a picture of this many nodes can show, and count the others; a long
    search then takes little memory, and Ctrl-C does not wait for the garbage collection of a million objects.
    recorded: steps stored per tree, in searches that revisit nodes.
    """

    def __init__(self, most: int, alone: bool = False, drawn: int | None = None, recorded: int = 0) -> None:
        self.most = most
        self.recorded = recorded
        # For each stored root: its steps, and the node of the search after each.
        self.records: dict[int, list[tuple[TraceStep, TracedNode]]] = {}
        self.alone = alone
        self.drawn = drawn
        self.plies: list[int] = []  # nodes kept of each ply, of the tree that grows
        self.deepest = NO_PLY  # ply below which nodes of this tree are only counted
        self.roots: list[TracedNode] = []
        self.before = 0  # trees that are not kept
        self.kept = 0
        self.path: list[TracedNode | None] = []
        self.numbered: dict[int, TracedNode] = {}  # astar: by position

    def __call__(self, step: TraceStep) -> None:
        if step.proving:
            self._store(step, self._prove(step))
        elif step.what in RETURNING:
            self._come_back(step)
        else:
            self._descend(step)

    def _descend(self, step: TraceStep) -> None:
        """Handle a step of a search that enters and leaves each node once."""
        what = step.what
        if what == "enter":
            del self.path[step.level :]
            self._grow(step)
        elif what == "leave":
            node = self.path[step.level] if step.level < len(self.path) else None
            if node is not None and step.name != "stopped":
                node.left = step
            del self.path[step.level :]
        elif what in NOTES:
            node = self.path[-1] if self.path else None
            if node is not None and node.entered.node == step.node:
                node.add_step(step)

    def _come_back(self, step: TraceStep) -> None:
        """A step of a search that revisits nodes: of simulations, or for a path to a goal."""
        what, node = step.what, None
        if what in ("simulation", "threshold"):
            self._begin(step)
        elif what == "select":
            self._select(step)
        elif what == "backup":
            node = self.path[step.level] if step.level < len(self.path) else None
            if node is not None:
                node.left = step
        elif what == "generate":
            del self.path[step.level :]
            if step.parent >= 0:
                node = self._number(step)
            else:
                self._grow(step)
                if step.why == "goal":  # it ends there, and is whole
                    self.roots[-1].left = self.roots[-1].entered
        elif what == "expand" and not step.left:
            self._expand(step)
        elif what == "simulate" and self.path and (node := self.path[-1]) is not None:
            node.add_step(step)
        if step.parent >= 0:  # astar: its positions are numbered
            self._store(step, node or self.numbered.get(step.node))
        else:
            level = step.level + 1 if what == "backup" else len(self.path)
            self._store(
                step,
                next((ancestor for ancestor in reversed(self.path[:level]) if ancestor is not None), None),
            )

    def _store(self, step: TraceStep, node: TracedNode | None) -> None:
        """Store a step with its node, up to the limit of steps."""
        record = self.records[id(self.roots[-1])] if self.roots else []
        if node is not None and len(record) < self.recorded:
            record.append((step, node))

    def record(self, root: TracedNode) -> list[tuple[TraceStep, TracedNode]]:
        """The stored steps of a root search, each with the node of the search after it."""
        return self.records[id(root)]

    def _grow(self, step: TraceStep) -> None:
        """Enter a node, and keep it if there is room."""
        above = self.path[step.level - 1] if 0 < step.level <= len(self.path) else None
        if not step.level:
            self._plant(step)
            return
        if above is None or self.kept >= self.most or step.level > self.deepest:
            nearest = next((node for node in reversed(self.path) if node is not None), None)
            if nearest is not None:
                nearest.add_below(1)
            self.path.append(None)
            return
        self.path.append(self._keep(step, above))
        if self.drawn is not None and step.what != "select":
            self._limit(step.level, self.drawn)

    def _limit(self, level: int, drawn: int) -> None:
        """Discard the plies below the last one that a picture of `drawn` nodes can show."""
        self.plies += [0] * (level + 1 - len(self.plies))
        self.plies[level] += 1
        if sum(self.plies[: level + 1]) < drawn:  # the root is one more
            return
        self.deepest = level - 1
        ply = [self.roots[-1]]
        for _ in range(self.deepest):
            ply = [child for node in ply for child in node.children]
        for node in ply:
            node.children = []

    def _keep(self, step: TraceStep, above: TracedNode) -> TracedNode:
        """Add a new child to `above`."""
        node = TracedNode(step, above)
        above.add_below(1)
        above.children.append(node)
        self.kept += 1
        return node

    def _plant(self, step: TraceStep) -> TracedNode:
        """Begin a new tree."""
        if self.alone:
            whole = [root for root in self.roots if root.left is not None][-1:]
            self.before += len(self.roots) - len(whole)
            self.roots = whole
            self.kept = 0
        self.plies, self.deepest = [], NO_PLY
        root = TracedNode(step, None)
        self.roots.append(root)
        self.records = {id(root): self.records.get(id(root), []) for root in self.roots}
        self.kept += 1
        self.path = [root]
        return root

    # -- searches that revisit nodes ---------------------------------------------------------------

    def _begin(self, step: TraceStep) -> None:
        """A simulation starts again from the root; a threshold is a search of its own."""
        if step.what == "simulation" and self.roots:
            self.path = [self.roots[0]]
            return
        if step.parent >= 0 and self.roots:
            return  # the graph goes on
        if step.what == "threshold":
            for root in self.roots:
                root.left = root.left or root.entered
        root = self._plant(step)
        if step.what == "threshold":
            self.numbered = {0: root}

    def _select(self, step: TraceStep) -> None:
        """A simulation selects a child, which may be new."""
        del self.path[step.level :]
        above = self.path[-1]
        for child in above.children if above is not None else ():
            if child.entered.word == step.word:
                self.path.append(child)
                return
        self._grow(step)

    def _prove(self, step: TraceStep) -> TracedNode | None:
        """Handle a step of pns, which revisits nodes: each is kept once, with its last numbers; return it.

        Nothing is counted below nodes that are not kept: most positions generated there are not new.
        """
        if step.what == "question":
            return None
        if step.what == "cut":
            node = self.path[-1] if self.path else None
            if node is not None:
                node.steps.append(step)
            return node
        level = step.level
        if not level and step.what == "enter":
            node = self._plant(step)
            node.visits = 1
            return node
        if step.name == "stopped":
            for below in self.path[1:]:
                if below is not None:
                    below.steps.append(step)
        node = self.path[level] if step.what == "leave" else self._child(step)
        if node is not None and step.what == "enter":
            node.visits += 1
            node.steps = []
            node.add_below(-node.hidden)
        elif node is not None:
            node.left = step
        del self.path[level:]
        if step.what == "enter":
            self.path.append(node)
        return node

    def _child(self, step: TraceStep) -> TracedNode | None:
        """The child of the open node by a move, existing or new."""
        above = self.path[step.level - 1]
        if above is None:
            return None
        for child in above.children:
            if child.entered.word == step.word:
                return child
        if self.kept >= self.most:
            above.add_below(1)
            return None
        return self._keep(step, above)

    def _number(self, step: TraceStep) -> TracedNode | None:
        """Handle a position that astar generates. Returns its node, or its parent's."""
        above = self.numbered.get(step.parent)
        if above is None or self.kept >= self.most:
            self.roots[0].add_below(1)
            return above
        node = self._keep(step, above)
        if step.why != "dearer":
            self.numbered[step.node] = node
        return node

    def _expand(self, step: TraceStep) -> None:
        """Handle the expansion of a position that was generated before."""
        if step.parent >= 0:
            node = self.numbered.get(step.node)
            if node is not None:
                node.left = step
            return
        if not step.level:
            del self.path[1:]
            return
        del self.path[step.level :]
        above = self.path[-1] if self.path else None
        for child in reversed(above.children) if above is not None else ():
            if child.entered.word == step.word:
                self.path.append(child)
                child.left = step
                return
        self.path.append(None)
