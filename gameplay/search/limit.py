"""Limits of a search: depth, nodes, time, simulations."""

from collections.abc import Collection, Iterable
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from gameplay.errors import Usage, brief
from gameplay.options import Number, Whole, check_option, refusal
from gameplay.plural import plural
from gameplay.value import MAX_PLY

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

MAX_LIMIT = 10**15  # nodes or seconds: beyond any practical use, and a table's size can be computed from it
MAX_DIGITS = 16  # a number with more digits is greater than MAX_LIMIT


def numeral(text: str) -> int | None:
    """The non-negative integer in `text`, at most MAX_LIMIT; None if it is not a number."""
    return (
        min(MAX_LIMIT, int(text.lstrip("0")[:MAX_DIGITS] or "0"))
        if text.isdecimal() and text.isascii()
        else None
    )


MAX_LINES = 10**6  # lines: more than a position has moves

DEPTH = Whole(1, MAX_PLY, unit="plies")
COUNT = Whole(1, MAX_LIMIT)
LINES = Whole(1, MAX_LINES, unit="lines")
SECONDS = Number(0, MAX_LIMIT, open=True, unit="seconds")
KINDS = {"depth": DEPTH, "nodes": COUNT, "time": SECONDS, "sims": COUNT, "multipv": LINES}  # as options


def restrict_moves(moves: Iterable[int], chosen: Collection[int]) -> list[int]:
    """The elements of `moves` that are in `chosen`. Raises Usage if there are none."""
    chosen_set = set(chosen)
    remaining = [move for move in moves if move in chosen_set]
    if not remaining:
        raise Usage(f"none of the moves to search, {', '.join(map(str, chosen))}, is legal here")
    return remaining


class Limit(msgspec.Struct, frozen=True):
    """The limits of a search, which ends at the first one reached; None: no limit.

    `depth` in plies (1 to 255), not counting chance nodes; `nodes` positions visited (from 1);
    `seconds` of wall time (over 0); `simulations` (from 1), for engines that count them.
    `moves` restricts the root to these moves; the value is then that of the best of them. `multipv` is the
    number of best moves to report with value and line (1 to 1,000,000).

    With `depth` alone, an engine with a fixed depth (minimax, alphabeta, expectiminimax) searches once, to
    that depth. With a limit of nodes or time it deepens iteratively up to `depth`, and its move and value are
    those of the deepest finished search. Engines that deepen visit the root and each of its moves whatever
    the limits, so they have a value. A search that needs more nodes for a first value than its limit allows
    (with chance, captures or simulations) returns a move whose `bound` is unknown.

    Raises Usage for a value of the wrong type or out of range.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    moves: tuple[int, ...] = ()
    multipv: int = 1
    simulations: int | None = None

    def __post_init__(self) -> None:
        self._check_count("depth", DEPTH)
        self._check_count("nodes", COUNT)
        self._check_count("simulations", COUNT)
        self._check_count("multipv", LINES)
        structs.force_setattr(self, "seconds", check_seconds(self.seconds))
        try:
            moves = tuple([index(move) for move in self.moves])
        except TypeError:
            wrong = brief(repr(self.moves))
            raise Usage(f"moves must be ints from position.moves(), not {wrong}") from None
        structs.force_setattr(self, "moves", moves)

    def _check_count(self, name: str, kind: Whole) -> None:
        """Check an integer limit and convert it to an int. Raises Usage."""
        value = getattr(self, name)
        if value is None and name != "multipv":
            return
        try:
            number = index(value)
        except TypeError:
            number = None
        if number is None or isinstance(value, bool):
            raise refusal("", name, value, kind.expected, "1")
        structs.force_setattr(self, name, check_option("", name, number, kind))

    def __bool__(self) -> bool:
        """True if there is any limit."""
        return any(limit is not None for limit in (self.depth, self.nodes, self.seconds, self.simulations))

    def __str__(self) -> str:
        parts = []
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        if self.nodes is not None:
            parts.append(plural(self.nodes, "node"))
        if self.simulations is not None:
            parts.append(plural(self.simulations, "simulation"))
        if self.seconds is not None:
            parts.append(f"{self.seconds:g} s")
        return ", ".join(parts) if parts else "no limit"

    def with_(self, **changes: Any) -> "Limit":
        """A copy with some fields replaced."""
        return structs.replace(self, **changes)

    def within(self, other: "Limit") -> "Limit":
        """Both limits combined: the smaller of each.

        `moves` are those of `self`, or, if empty, those of `other`; `multipv` is the larger one.
        """
        return Limit(
            _smaller(self.depth, other.depth),
            _smaller(self.nodes, other.nodes),
            _smaller(self.seconds, other.seconds),
            self.moves or other.moves,
            max(self.multipv, other.multipv),
            _smaller(self.simulations, other.simulations),
        )


def _smaller(one: Any, other: Any) -> Any:
    """The smaller of two limits; None: no limit."""
    return other if one is None else one if other is None else min(one, other)


def check_seconds(seconds: Any, name: str = "seconds") -> float | None:
    """A time limit, checked to be a number. Raises Usage, with the name of the argument."""
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, Real):
        raise refusal("", name, seconds, SECONDS.expected, "1")
    number = seconds if isinstance(seconds, int) else float(seconds)
    whole = isinstance(number, float) and number.is_integer() and abs(number) <= MAX_LIMIT
    check_option("", name, int(number) if whole else number, SECONDS, 1)  # an error quotes 0, not 0.0
    return number


def affordable_depth(position: "AbstractPosition", nodes: float) -> int:
    """The depth at which a full-width search of about `nodes` positions ends, at least 1.

    Estimate: the product of the numbers of moves along one line, which always plays the middle move. Chance
    nodes count as factors, but not as plies. MAX_PLY if the line ends first. The position is restored.
    """
    tree = 1.0
    plies = chance_nodes = 0
    while plies < MAX_PLY and position.outcome() is None:
        moves = position.moves()
        tree *= len(moves)
        if tree > nodes:
            break
        chance_nodes += position.turn < 0  # CHANCE
        position.make(moves[len(moves) // 2])
        plies += 1
    finished = position.outcome() is not None
    for _ in range(plies):
        position.unmake()
    if finished:
        return MAX_PLY  # the whole game fits: do not limit the depth
    return max(1, plies - chance_nodes)
