"""Monte Carlo tree search followed step by step: selection, expansion, simulation, backup."""

import math

from gameplay.errors import IllegalMove
from gameplay.position import CHANCE, AbstractPosition, side
from gameplay.search.trace import TraceEvent
from gameplay.tracing.trace import ComparedChild, Sink, TraceStep

SIMULATED = {
    "end of the game": "the game is over",
    "proven": "the value is already proven",
    "evaluation": "the evaluation",
    "mixed": "the mean of evaluation and playout",
    "search": "a shallow search",
}


class SimulationFollower:
    """Describes each event of `mcts`. `position` is at the root and belongs to the follower.

    A step's `node` is the number of the simulation, from 1, its `level` the ply; `role` is the player who
    made the move, and `value` that player's mean payoff. `listed`: most moves of a playout that are named.
    """

    def __init__(self, position: AbstractPosition, sink: Sink, listed: int) -> None:
        self.position = position
        self.sink = sink
        self.listed = listed
        self.words: list[str] = []
        self.count = 0
        self.fresh = True  # the next step begins a simulation

    def __call__(self, event: TraceEvent) -> None:
        what = event.what
        if what == "trim":
            self.sink(TraceStep("trim", self.count, 0, "", visits=event.visits, name="trim"))
            return
        if self.fresh or (what == "select" and event.ply == 1 and self.words):
            self._begin()
        if what == "select" and event.children:
            self._compare(event)
        if what == "select":
            self.words.append(self.position.format(event.move))
            self.position.make(event.move)
        role = ""  # the root: no move leads there
        if event.ply:
            role = "chance" if event.mover == CHANCE else side(self.position, event.mover)
        word = self.words[event.ply - 1] if event.ply else ""
        step = TraceStep(what, self.count, event.ply, role, word, value=event.value, visits=event.visits)
        step.why, step.name = event.why, what
        step.values = tuple(map(float, event.values))
        if what == "select":
            step.beta = event.beta
            step.numbers = tuple(child[2] for child in event.children if child[0] == event.move)
            step.proof = {"untried": "not tried yet", "lot": "drawn at random"}.get(event.why, "")
        elif what == "expand":
            step.value, step.left = None, int(event.value)
        elif what == "simulate":
            step.value, step.proof = None, SIMULATED.get(event.why, "")
            step.left, step.unsearched = len(event.line), self._format_moves(event.line)
        elif event.ply:
            self.words.pop()
            self.position.unmake()
        else:
            self.fresh = True
        self.sink(step)

    def _compare(self, event: TraceEvent) -> None:
        """The children that the selection compares, before one of them is selected."""
        above, c = int(event.numbers[0]), event.numbers[1]
        children = []
        policy: float | None = None
        for move, visits, mean, score, *rest in event.children:
            policy = rest[0] if rest else None  # all children have one, or none has
            if policy is not None:
                bonus = c * policy * math.sqrt(above) / (1 + visits)
            else:
                bonus = c * math.sqrt(math.log(above) / visits) if visits and above else 0.0
            word = self.position.format(move)
            children.append(ComparedChild(word, visits, mean, score, bonus, policy))
        role = side(self.position, event.mover)
        word = self.words[-1] if self.words else ""
        step = TraceStep("compare", self.count, event.ply - 1, role, word, value=c, visits=above)
        step.best, step.children = self.position.format(event.move), tuple(children)
        step.name = "UCB1" if policy is None else "PUCT"
        self.sink(step)

    def _begin(self) -> None:
        """Begin a simulation; the previous one may have been stopped."""
        self.fresh = False
        self.count += 1
        while self.words:
            self.words.pop()
            self.position.unmake()
        self.sink(TraceStep("simulation", self.count, 0, "", name="simulation"))

    def _format_moves(self, line: tuple[int, ...]) -> tuple[str, ...]:
        """The first moves of a playout as text."""
        words = []
        for move in line[: self.listed]:
            word = self.position.format(move)
            try:
                self.position.make(move)
            except IllegalMove:  # playouts of Go know simple ko only, whatever the rules
                break
            words.append(word)
        for _ in words:
            self.position.unmake()
        return tuple(words)
