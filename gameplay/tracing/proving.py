"""A step-by-step trace of proof-number search: thresholds, generated nodes, and the reason a node is left.

Nodes are those of the AND/OR tree: at an OR node the attacker, whose win is to be proved, moves and needs one
winning move; at an AND node the defender moves, and all moves must be refuted.
"""

import math
from collections.abc import Sequence

from msgspec import Struct, field

from gameplay.plural import plural
from gameplay.position import AbstractPosition, side
from gameplay.search.trace import TraceEvent
from gameplay.tracing.trace import Sink, TraceStep

KINDS = ("proof", "disproof")
NUMBER_NAMES = ("pn", "dn")
GENERATED = {
    "": ("initial numbers", "an unknown leaf: 1 and 1"),
    "mobility": ("initial numbers", "an unknown leaf: the number of moves"),
    "table": ("table", "from the transposition table"),
    "this way": ("table", "from the transposition table, for this path"),
    "known": ("known", "known without a search"),
    "repetition": ("repetition", "the position occurred before: no win"),
    "end of the game": ("end of the game", "the game is over"),
}
CUT = {
    "decided": ("decided", "{} decides it; the other moves are not searched"),
    "too deep": ("too deep", "the depth limit is reached, which counts as no win"),
}


class _Entered(Struct, eq=False):
    """An entered node that has not been left."""

    number: int
    role: str
    player: str
    word: str
    thresholds: tuple[float, ...]
    children: dict[int, tuple[float, ...]] = field(default_factory=dict)  # proof and disproof number by move
    numbered: dict[int, int] = field(default_factory=dict)
    visits: dict[int, int] = field(default_factory=dict)

    @property
    def least(self) -> int:
        """The index of the number that the side to move minimizes."""
        return int(self.role == "AND")


class ProofFollower:
    """Describes each event of `pns`. `position` is at the root and belongs to the follower.

    `listed`: as in `Follower`. A step's `node` is a number in the order of generation, 0 for the root; a
    position generated again gets a new number. `numbers` are proof and disproof number; for `enter` the
    thresholds.
    """

    def __init__(self, position: AbstractPosition, sink: Sink, listed: int = 8) -> None:
        self.position = position
        self.sink = sink
        self.listed = listed
        self.attacker = position.turn
        self.open: list[_Entered] = []
        self.count = 0

    def __call__(self, event: TraceEvent) -> None:
        what = event.what
        if what == "question":
            self.attacker = event.mover
            who = side(self.position, event.mover)
            self.sink(TraceStep("question", 0, 0, "", player=who, name=f"does {who} win?"))
        elif what == "enter":
            self._enter(event)
        elif what == "generate":
            self._generate(event)
        elif what == "cut":
            self._cut(event)
        else:
            self._leave(event)

    def _role(self, mover: int) -> str:
        return "OR" if mover == self.attacker else "AND"

    def _enter(self, event: TraceEvent) -> None:
        role, player = self._role(event.mover), side(self.position, event.mover)
        node = _Entered(0, role, player, "", event.numbers)
        step = TraceStep("enter", 0, event.ply, role, beta=event.beta, numbers=event.numbers, player=player)
        if event.ply:
            above = self.open[-1]
            above.visits[event.move] = step.visits = above.visits.get(event.move, 0) + 1
            step.word = node.word = self.position.format(event.move)
            step.node = node.number = above.numbered[event.move]
            step.name, step.proof = "most-proving", self._threshold_reason(event, above)
            self.position.make(event.move)
        else:
            step.name = f"does {side(self.position, self.attacker)} win?"
        self.open.append(node)
        self.sink(step)

    def _threshold_reason(self, event: TraceEvent, above: _Entered) -> str:
        """The reason for the threshold of the most-proving move."""
        least, second = above.least, event.beta
        here, most = above.children[event.move][least], event.numbers[least]
        has = f"{NUMBER_NAMES[least]} {amount(here)}"
        if second == math.inf:
            return f"{has}; no other move is possible"
        if most == second + second // 4 + 1:
            return f"{has}; the next best has {amount(second)}; a quarter and 1 more is {amount(most)}"
        return f"{has}; the next best has {amount(second)}, but {amount(most)} is the threshold above"

    def _generate(self, event: TraceEvent) -> None:
        above = self.open[-1]
        self.count += 1
        above.numbered[event.move] = self.count
        above.children[event.move] = event.numbers
        role, player = self._role(event.mover), side(self.position, event.mover)
        step = TraceStep(
            "generate", self.count, event.ply, role, self.position.format(event.move), event.depth
        )
        step.numbers, step.player, step.why = event.numbers, player, event.why
        step.name, step.proof = GENERATED[event.why]
        self.sink(step)

    def _cut(self, event: TraceEvent) -> None:
        node = self.open[-1]
        step = TraceStep("cut", node.number, event.ply, node.role, player=node.player, why=event.why)
        step.name, step.proof = CUT[event.why]
        if event.why == "decided":
            step.word = self.position.format(event.move)
            step.proof = step.proof.format(step.word)
            rest = [move for move in self.position.moves() if move not in node.children]
            step.left = len(rest)
            step.unsearched = tuple(self.position.format(move) for move in rest[: self.listed])
        self.sink(step)

    def _leave(self, event: TraceEvent) -> None:
        while len(self.open) > event.ply + 1:  # the search was stopped
            self.open.pop()
            self.position.unmake()
        node = self.open.pop()
        step = TraceStep("leave", node.number, event.ply, node.role, node.word, event.depth)
        step.numbers, step.player, step.why = event.numbers, node.player, event.why
        if not event.why:
            step.name = "stopped"
        elif event.why != "threshold":
            step.name, step.proof, step.best = self._decision(event, node)
        if event.ply:
            self.position.unmake()
            self.open[-1].children[event.move] = event.numbers
            if event.why == "threshold":
                step.name, step.proof = self._threshold(event, node)
        self.sink(step)

    def _decision(self, event: TraceEvent, node: _Entered) -> tuple[str, str, str]:
        """The result at a node: its name, a justification, and the deciding move, if any."""
        proved = event.why == "proven"
        name = "proved" if proved else "disproved"
        attacker = side(self.position, self.attacker)
        best = ""
        if proved == (node.role == "OR"):
            zero = int(not proved)
            move = next((move for move, numbers in node.children.items() if numbers[zero] == 0), None)
            best = "" if move is None else self.position.format(move)
        if proved:
            proof = f"{best} wins" if best else f"{attacker} has a win after every move of {node.player}"
            if event.depth:
                proof += f", in {plural(event.depth, 'ply', 'plies')} at most"
        elif best:
            proof = f"{node.player} has {best}, after which {attacker} cannot win"
        elif node.children:
            proof = f"no move of {attacker} wins"
        else:
            proof = "the depth limit is reached"
        if event.why == "this way":
            proof += "; proved for this path only"
        return name, proof, best

    def _threshold(self, event: TraceEvent, node: _Entered) -> tuple[str, str]:
        """The number that reached its threshold, and the consequence for the parent."""
        above, numbers = self.open[-1], event.numbers
        which = above.least
        if numbers[which] < node.thresholds[which]:
            which = 1 - which
        reached = (
            f"{KINDS[which]} number {amount(numbers[which])} reached its threshold "
            f"{amount(node.thresholds[which])}"
        )
        others = {move: pair[which] for move, pair in above.children.items() if move != event.move}
        least = min(others.values(), default=math.inf)
        if which != above.least or least >= above.thresholds[which]:
            return f"{KINDS[which]} threshold", f"{reached}: so does the parent's"
        other = next(other for other, number in others.items() if number == least)
        word = self.position.format(other)
        return f"{KINDS[which]} threshold", f"{reached}: {word} has less now, {amount(least)}"


def amount(number: float) -> str:
    """A proof or disproof number as text."""
    return "inf" if number == math.inf else f"{number:,.0f}"


def pair(numbers: Sequence[float]) -> str:
    """Proof and disproof number as text: `pn 2, dn 3`."""
    return ", ".join(f"{name} {amount(number)}" for name, number in zip(NUMBER_NAMES, numbers, strict=True))


def state(numbers: Sequence[float]) -> str:
    """`proved`, `disproved`, or "" if neither is decided."""
    return "proved" if numbers[0] == 0 else "disproved" if numbers[1] == 0 else ""
