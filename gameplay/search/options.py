"""Options of engines as fields of dataclasses; those that several engines share are defined here once."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from gameplay.options import Kind, MemorySize, Number, OneOf, Sum, Whole, kind_of
from gameplay.search.ordering import ORDERS

MAX_THREADS = 256
THREADS = Whole(1, MAX_THREADS)
TABLE = MemorySize("16KB", "64GB", off=True)


def option(
    default: Any,
    words: str,
    *,
    kind: Kind | None = None,
    values: Mapping[str, str] | None = None,
    source: str = "",
) -> Any:
    """A field of an engine: its default, and what `gameplay engines NAME` prints about it.

    words: description, in the imperative. values: the accepted words with their meanings. kind: the kind of
    value, unless the default or `values` implies it. source: author and year of the technique. Measured
    gains: engines/measurements.toml.
    """
    found = kind or (OneOf(values) if values else kind_of(default))
    facts = {"words": words, "kind": found, "values": values or {}, "source": source}
    return dataclasses.field(default=default, metadata=facts)


def order_option(default: str = "generated", after: str = "") -> Any:
    """`order`: the move ordering after the first move `after`. `Engine.values` restricts the values."""
    words = f"Order in which moves are tried{after and f', after that of {after}'}"
    return option(default, f"{words}; orders add up, as in hint+killer", kind=Sum(ORDERS))


def table_option(default: str = "off") -> Any:
    """`table`: the size of the transposition table."""
    words = "Size of the transposition table (TT), such as 64MB, or off; the newest result stays"
    return option(default, words, kind=TABLE)


def needed_table_option(default: str, what: str) -> Any:
    """`table` of an engine that requires one."""
    return option(default, f"Size of {what}, such as {default}", kind=MemorySize("16KB", "64GB"))


def memory_option(default: str, words: str, minimum: str = "1MB") -> Any:
    """`memory`: the size of a tree, or of a set of positions."""
    return option(default, words, kind=MemorySize(minimum, "256GB"))


def threshold_option(beyond: str, winner: str) -> Any:
    """`max_threshold`, `min_threshold`: evaluation thresholds beyond which a position is a leaf."""
    words = f"Search no move of a position whose evaluation in points is {beyond} this"
    return option("off", f"{words}: {winner} as good as has won", kind=Number(words=("off",)))


def seed_option(what: str = "order=random", result: str = "search") -> Any:
    """`seed`: makes the random choices reproducible."""
    words = f"Seed of {what}: the same position and seed give the same {result}"
    return option(0, words, kind=Whole(0, 2**63 - 1))


def threads_option(words: str, source: str) -> Any:
    """`threads`: of a parallel search."""
    return option(1, words, kind=THREADS, source=source)


def eval_option(words: str = "Static evaluation of the leaves") -> Any:
    """`eval`: the evaluation."""
    return option("", f"{words}: one of the game's, weights FILE.toml, or code FILE.py")


def policy_option() -> Any:
    """`policy`: the playout policies of the game to use."""
    words = (
        "The game's knowledge that guides playouts: all, none, or names of `gameplay games GAME` joined by +"
    )
    return option("all", words)


def heuristic_option() -> Any:
    """`heuristic`: the heuristic of a single-agent search."""
    return option("", "Estimate of the cost of the rest of the path: one of the game's, its first by default")
