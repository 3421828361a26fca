"""A step-by-step trace of single-agent search: thresholds, expanded and generated nodes."""

from typing import TYPE_CHECKING

from gameplay.search.trace import TraceEvent
from gameplay.tracing.trace import Sink, TraceStep

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

GENERATED = {
    "goal": ("goal", "a way to the goal is found"),
    "threshold": ("beyond the threshold", "the way so far and the estimate cost more than is allowed now"),
    "cheaper": ("cheaper way", "a position met before is reached at less cost"),
    "dearer": ("known position", "a position met before is reached at no less cost: this way is left"),
}


class WayFollower:
    """Called with each event of a single-agent search; `position` is its own, at the root. `graph`: of astar.

    The `value` of a step is the f-cost of its path: the cost so far plus the heuristic estimate of the rest.
    """

    def __init__(self, position: "AbstractPosition", sink: Sink, graph: bool) -> None:
        self.graph = graph
        self.position = position
        self.sink = sink
        self.line: list[int] = []
        self.count = 0
        self.parents: dict[int, tuple[int, int]] = {}  # astar: the position before each, and the move
        self.expanding = 0  # astar: the position whose moves are looked at

    def __call__(self, event: TraceEvent) -> None:
        what, word = event.what, ""
        if what == "expand":
            self._go([] if event.ply == 0 else self._way(event))
            word = self.word
        elif what == "generate":
            if event.node < 0:
                self._go(self.line[: event.ply - 1])
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

    def _way(self, event: TraceEvent) -> list[int]:
        """The moves that lead to a position that is expanded."""
        if event.node < 0:
            return [*self.line[: event.ply - 1], event.move]
        self.expanding = event.node
        line: list[int] = []
        node = event.node
        while node in self.parents and len(line) < event.ply:
            node, move = self.parents[node]
            line.append(move)
        return line[::-1]

    def _go(self, line: list[int]) -> None:
        """Bring the position to the end of a line, by as few moves as can be; `word` is the last one's."""
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
