"""The windows of a search, node by node: at entry, at exit, the value and the cut.

A `WindowTable` receives the steps of a trace and keeps a row for each of the first nodes. All windows and
values are from MAX's view, on the scale of `gameplay.value`.
"""

from msgspec import Struct

from gameplay.tracing.trace import TraceStep


class NodeWindow(Struct, eq=False):
    """The window of one node. `value` is None until the search has left the node."""

    number: int  # in order of entry, from 0
    level: int  # nodes open above it
    path: tuple[str, ...]  # the moves from the root
    role: str
    name: str  # for the root: search, iteration, ...; for other nodes: the kind of re-search
    entry: tuple[float, float]  # alpha, beta
    exit: tuple[float, float]
    value: float | None = None
    bound: str = ""  # exact, lower, upper
    cut: str = ""  # the textbook name of the cutoff
    unsearched: int = 0  # number of moves cut off
    leaf: bool = True  # none of its moves was searched


class WindowTable:
    """Collects the rows; called with each step. most: rows kept; `count` is the number of nodes entered."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.rows: list[NodeWindow] = []
        self.count = 0
        self.path: list[str] = []  # the move to each open node
        self.numbers: list[int] = []  # the number of each open node
        self.open: dict[int, NodeWindow] = {}  # by number

    def __call__(self, step: TraceStep) -> None:
        if step.what == "enter":
            self._enter(step)
            return
        row = self.open.get(step.node)
        if row is None:
            return
        if step.what == "cut":
            row.leaf = False
            row.cut, row.unsearched = step.name, step.left
        elif step.what in ("window", "leave"):
            row.exit = (step.alpha, step.beta)
        if step.what == "leave":
            exact = row.leaf and step.bound  # a leaf's payoff or evaluation is exact, whatever the window
            row.value, row.bound = step.value, "exact" if exact else step.bound
            del self.open[step.node]

    def _enter(self, step: TraceStep) -> None:
        del self.path[step.level :]
        self.path.append(step.word)
        del self.numbers[step.level :]
        self.numbers.append(step.node)
        self.count += 1
        if len(self.rows) >= self.most:
            return
        window = (step.alpha, step.beta)
        moves = tuple(self.path[1:])
        if above := self.open.get(self.numbers[step.level - 1] if step.level else -1):
            above.leaf = False
        row = NodeWindow(step.node, step.level, moves, step.role, step.name, window, window)
        self.rows.append(row)
        self.open[step.node] = row
