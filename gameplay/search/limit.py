"""What the caller asks of a search: how deep, how many nodes, how long."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any

from gameplay.errors import Usage, brief
from gameplay.options import Number, Whole, check_option, refused
from gameplay.plural import plural
from gameplay.value import MAX_PLY

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

MOST = 10**15  # nodes or seconds: beyond any practical use, and a table's size can be computed from it
DIGITS = 16  # of a number that is greater than MOST, whatever the rest is


def numeral(text: str) -> int | None:
    """The whole number from 0 to MOST that another program wrote; greater ones are MOST. None: no number."""
    return min(MOST, int(text.lstrip("0")[:DIGITS] or "0")) if text.isdecimal() and text.isascii() else None


WIDEST = 10**6  # lines: more than a position has moves

DEPTH = Whole(1, MAX_PLY, unit="plies")
COUNT = Whole(1, MOST)
LINES = Whole(1, WIDEST, unit="lines")
SECONDS = Number(0, MOST, open=True, unit="seconds")
KINDS = {"depth": DEPTH, "nodes": COUNT, "time": SECONDS, "sims": COUNT, "multipv": LINES}  # as options


def restricted(moves: Iterable[int], chosen: Collection[int]) -> list[int]:
    """Those of `moves` that are among the chosen. Raises Usage if there are none."""
    wanted = set(chosen)
    found = [move for move in moves if move in wanted]
    if not found:
        raise Usage(f"none of the moves to search, {', '.join(map(str, chosen))}, is legal here")
    return found


@dataclass(frozen=True)
class Limit:
    """A search ends at whichever comes first; None sets no limit.

    `depth` in plies (1 to 255), not counting chance nodes; `nodes` positions visited (from 1);
    `seconds` of wall time (over 0); `simulations` (from 1), for engines that count them.
    With `moves` only these are searched at the root; the value is then that of the best of them. `multipv` is
    the number of best moves whose value and line are wanted (1 to WIDEST).

    An engine with a fixed depth (minimax, alphabeta, expectiminimax) that is given a depth alone searches
    once, to that depth. Where nodes or time are limited it gets the deepest depth that fits: it searches
    1 ply, then 2, and so on up to `depth`, and its move and value are those of the deepest search that was
    finished. The root and each of its moves are visited whatever the limits, here and by engines that deepen
    anyway, so that such a search ends with a value; a search that needs more nodes for a first value (with
    chance, captures or simulations) and has fewer returns a move whose `bound` is unknown.

    Raises Usage for a value of the wrong type or out of range.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    moves: tuple[int, ...] = ()
    multipv: int = 1
    simulations: int | None = None

    def __post_init__(self) -> None:
        self._whole("depth", DEPTH)
        self._whole("nodes", COUNT)
        self._whole("simulations", COUNT)
        self._whole("multipv", LINES)
        object.__setattr__(self, "seconds", _number(self.seconds))
        try:
            moves = tuple([index(move) for move in self.moves])
        except TypeError:
            wrong = brief(repr(self.moves))
            raise Usage(f"moves must be ints from position.moves(), not {wrong}") from None
        object.__setattr__(self, "moves", moves)

    def _whole(self, name: str, kind: Whole) -> None:
        """Check a limit that is a whole number, and keep it as an int. Raises Usage."""
        given = getattr(self, name)
        if given is getattr(Limit, name):  # the default
            return
        try:
            number = index(given)
        except TypeError:
            number = None
        if number is None or isinstance(given, bool):
            raise refused("", name, given, kind.expected, "1")
        object.__setattr__(self, name, check_option("", name, number, kind))

    def __bool__(self) -> bool:
        """True if anything is limited."""
        return any(one is not None for one in (self.depth, self.nodes, self.seconds, self.simulations))

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
        """The same limit with some parts changed."""
        return replace(self, **changes)

    def within(self, other: "Limit") -> "Limit":
        """Both limits: a search ends at whichever comes first.

        `moves` are those of `self`, or of `other` where it names none; `multipv` is the larger one.
        """
        return Limit(
            _least(self.depth, other.depth),
            _least(self.nodes, other.nodes),
            _least(self.seconds, other.seconds),
            self.moves or other.moves,
            max(self.multipv, other.multipv),
            _least(self.simulations, other.simulations),
        )


def _least(one: Any, other: Any) -> Any:
    """The smaller of two limits, each None where there is none."""
    return other if one is None else one if other is None else min(one, other)


def _number(seconds: Any) -> float | None:
    """A time limit, checked to be a number. Raises Usage."""
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, Real):
        raise refused("", "time", seconds, SECONDS.expected, "1")
    number = seconds if isinstance(seconds, int) else float(seconds)
    whole = isinstance(number, float) and number.is_integer() and abs(number) <= MOST
    check_option("", "time", int(number) if whole else number, SECONDS, 1)  # an error quotes 0, not 0.0
    return number


def affordable_depth(position: "AbstractPosition", nodes: float) -> int:
    """The depth at which a full-width search of about `nodes` positions ends, at least 1.

    Follows one line of the game, always the middle move, and multiplies the numbers of moves on the way;
    a line that ends within the means is followed to its end. A chance node multiplies them too, but is no
    ply of the depth. The position is left unchanged.
    """
    tree = 1.0
    made = chance_moves = 0
    while made < MAX_PLY and position.outcome() is None:
        moves = position.moves()
        tree *= len(moves)
        if tree > nodes:
            break
        chance_moves += position.turn < 0  # CHANCE
        position.make(moves[len(moves) // 2])
        made += 1
    finished = position.outcome() is not None
    for _ in range(made):
        position.unmake()
    if finished:
        return MAX_PLY  # the end is within the means, on other lines too: let the game set the depth
    return max(1, made - chance_moves)
