"""Where a search stops: what made each leaf a leaf, and the factor of DEEP-ENOUGH that it belongs to.

A leaf is a node below which the search has entered no other. The factors are those of Rich and Knight; see
docs/concepts/deep-enough.md. A node that is searched again is a leaf again: leaves are counted as nodes are.
"""

from collections import Counter

from gameplay.tracing.trace import TraceStep

WON = "has one side won?"
PLIES = "how many plies?"
PATH = "how promising?"
TIME = "how much time?"
STABLE = "how stable?"
BEFORE = "searched before"
FACTORS = (WON, PLIES, PATH, TIME, STABLE, BEFORE)
STOPS = {  # of each `TraceStep.stop` the words and the factor
    "game over": ("the game is over", WON),
    "known": ("known without a search", WON),
    "repetition": ("repetition", WON),
    "depth": ("depth limit", PLIES),
    "max threshold": ("maximum threshold", PATH),
    "min threshold": ("minimum threshold", PATH),
    "threshold": ("reverse futility pruning", PATH),
    "mate distance": ("mate distance", PATH),
    "nothing to gain": ("nothing to gain", PATH),
    "stopped": ("time or node limit", TIME),
    "stand pat": ("stand pat", STABLE),
    "quiet": ("quiet position", STABLE),
    "table": ("transposition table", BEFORE),
}


def words(stop: str) -> str:
    """What made a leaf, in words."""
    return STOPS[stop][0] if stop in STOPS else stop


class LeafCount:
    """Called with each step: counts the leaves by what made them leaves.

    A search that was stopped has one more, the position that it did not enter any more.
    """

    def __init__(self) -> None:
        self.stops: Counter[str] = Counter()
        self.open = 0  # nodes

    def __call__(self, step: TraceStep) -> None:
        if step.what == "enter":
            self.open = step.level + 1
        elif step.what == "leave":
            self.open = step.level
        if step.stop:
            self.stops[step.stop] += 1

    def close(self) -> None:
        """The search has ended: where nodes are open, as after Ctrl-C, it was stopped there."""
        if self.open:
            self.stops["stopped"] += 1
            self.open = 0

    def factors(self) -> dict[str, dict[str, int]]:
        """Of each factor that stopped the search somewhere: its reasons in words, each with its leaves."""
        found: dict[str, dict[str, int]] = {}
        for factor in FACTORS:
            for stop, (name, one) in STOPS.items():
                if one == factor and self.stops[stop]:
                    found.setdefault(factor, {})[name] = self.stops[stop]
        other = {stop: count for stop, count in self.stops.items() if stop not in STOPS}
        return found | ({PATH: found.get(PATH, {}) | other} if other else {})
