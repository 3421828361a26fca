"""Where a search stops: the reason of each leaf, and the factor of DEEP-ENOUGH that it belongs to.

A leaf is a node below which the search has entered no other. The factors are those of Rich and Knight; see
docs/concepts/deep-enough.md. A node that is searched again is a leaf again: leaves are counted as nodes are.
"""

from collections import Counter

from gameplay.tracing.trace import TraceStep

PATH = "how promising?"
FACTORS = {  # of each factor: each `TraceStep.stop` that belongs to it, in words
    "has one side won?": {
        "game over": "the game is over",
        "known": "known without a search",
        "repetition": "repetition",
    },
    "how many plies?": {"depth": "depth limit"},
    PATH: {
        "max threshold": "maximum threshold",
        "min threshold": "minimum threshold",
        "threshold": "reverse futility pruning",
        "mate distance": "mate distance",
        "nothing to gain": "nothing to gain",
    },
    "how much time?": {"stopped": "time or node limit"},
    "how stable?": {"stand pat": "stand pat", "quiet": "quiet position"},
    "searched before": {"table": "transposition table"},
}
STOPS = {stop: words for reasons in FACTORS.values() for stop, words in reasons.items()}


def words(stop: str) -> str:
    """The reason of a leaf, in words."""
    return STOPS.get(stop, stop)


class LeafCount:
    """Called with each step: counts the leaves by reason.

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
        """By factor the reasons that stopped the search, in words, each with its number of leaves."""
        factors = {
            factor: {name: self.stops[stop] for stop, name in reasons.items() if self.stops[stop]}
            for factor, reasons in FACTORS.items()
        }
        factors[PATH] |= {stop: count for stop, count in self.stops.items() if stop not in STOPS}
        return {factor: reasons for factor, reasons in factors.items() if reasons}
