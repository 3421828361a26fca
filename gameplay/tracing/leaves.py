"""Why a search stops at each leaf, grouped by the factors of DEEP-ENOUGH.

A leaf is a node with no entered descendant. The factors are those of Rich and Knight; see
docs/concepts/deep-enough.md. Like nodes, a leaf that is searched again is counted again.
"""

from collections import Counter

from gameplay.tracing.trace import TraceStep

PATH = "how promising?"
FACTORS = {  # for each factor: its values of `TraceStep.stop`, each with a description
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
    """The description of a reason."""
    return STOPS.get(stop, stop)


class LeafCount:
    """Counts the leaves by reason; called with each step.

    A stopped search has one more leaf: the position where it stopped.
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
        """Finish the count; nodes that are still open, as after Ctrl-C, were stopped."""
        if self.open:
            self.stops["stopped"] += 1
            self.open = 0

    def factors(self) -> dict[str, dict[str, int]]:
        """The number of leaves by factor and described reason."""
        factors = {
            factor: {name: self.stops[stop] for stop, name in reasons.items() if self.stops[stop]}
            for factor, reasons in FACTORS.items()
        }
        factors[PATH] |= {stop: count for stop, count in self.stops.items() if stop not in STOPS}
        return {factor: reasons for factor, reasons in factors.items() if reasons}
