"""A step-by-step trace of single-agent search: thresholds, expanded and generated nodes."""

from typing import TYPE_CHECKING

from gameplay.search.trace import TraceEvent
from gameplay.tracing.trace import Sink, TraceStep

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

GENERATED = {
    "goal": ("goal", "a path to the goal is found"),
    "threshold": ("beyond the threshold", "the cost so far plus the estimate exceeds the threshold"),
    "cheaper": ("cheaper path", "a known position is reached at a lower cost"),
    "dearer": ("known position", "a known position is not reached at a lower cost: this path is dropped"),
}


class PathFollower:
    """Describes each event of a single-agent search. `graph`: the search keeps one graph (astar).

    `position` is at the root and belongs to the follower. The `value` of a step is the f-cost of its path:
    the cost so far plus the heuristic estimate of the rest.
    """

    def __init__(self, position: "AbstractPosition", sink: Sink, graph: bool) -> None:
        self.graph = graph
        self.position = position
        self.sink = sink
        self.line: list[int] = []
        self.count = 0
        self.parents: dict[int, tuple[int, int]] = {}  # astar: the parent of a position, and the move
        self.expanding = 0  # astar: the position being expanded

    def __call__(self, event: TraceEvent) -> None:
        what, word = event.what, ""
        if what == "expand":
            self._follow([] if event.ply == 0 else self._path(event))
            word = self.word
        elif what == "generate":
            if event.node < 0:
                self._follow(self.line[: event.ply - 1])
            elif event.why != "dearer":
                self.parents[event.node] = (self.expanding, event.move)
            word = self.position.format(event.move)
        name, proof = GENERATED.get(event.why, (event.why, ""))
        number = event.node if event.node >= 0 else self.count
        self.count += what != "threshold"
        self.sink(
            TraceStep(
                *(what, number, event.ply, "", word),
                value=event.value,
                why=event.why,
                name=name,
                proof=proof,
                parent=self.expanding if self.graph else -1,
            )
        )

    def _path(self, event: TraceEvent) -> list[int]:
        """The moves from the root to the position being expanded."""
        if event.node < 0:
            return [*self.line[: event.ply - 1], event.move]
        self.expanding = event.node
        line: list[int] = []
        node = event.node
        while node in self.parents and len(line) < event.ply:
            node, move = self.parents[node]
            line.append(move)
        return line[::-1]

    def _follow(self, line: list[int]) -> None:
        """Move the position to the end of `line` with the fewest moves; set `word` to its last move."""
        same = 0
        for one, other in zip(self.line, line, strict=False):
            if one != other:
                break
            same += 1
        same = min(same, max(0, len(line) - 1))
        while len(self.line) > same:
            self.line.pop()
            self.position.unmake()
        self.word = ""
        for move in line[same:]:
            self.word = self.position.format(move)
            self.position.make(move)
            self.line.append(move)
