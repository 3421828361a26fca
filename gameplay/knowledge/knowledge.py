"""The contract of what is known without a search: a `Knowledge` is asked about positions, and gives `Advice`.

A book, endgame tables and a solver are this, for any game:

    probe(position)    what is known of the position; None: nothing. All that has to be written
    advise(position)   the same for a player who must choose a move now; it may take its time
    fits(position)     raise Usage where it is not for such a game
    inner, most        the price: may a search ask within its tree, and with how many pieces left?

A file in this folder is found by being there, under the `option` of its class (`selective:book=FILE`); one of
your own is a file, too, and its class is made without a word: `iterative:knowledge=./sticks.py`.

    from gameplay import value
    from gameplay.knowledge.knowledge import Advice, Knowledge

    class Fours(Knowledge):
        "Who must take from four sticks and one, eight and one, ... has lost."
        inner = True

        def probe(self, position):
            lost = position.sticks % 4 == 1
            return Advice("solver", value=-value.SURE if lost else value.SURE, exact=True)
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from gameplay.errors import BadInput
from gameplay.value import EXACT, INF, WIN, delay, is_counted, is_win

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


class OtherGame(BadInput):
    """A file is in order, and of another game or board."""


@dataclass(frozen=True)
class Advice:
    """What is known of a position: moves to choose from, or a value, or both."""

    source: str  # book, tables or solver: what a report calls it
    moves: tuple[int, ...] = ()  # legal, the best first; empty: no word of moves. One is played at once
    weights: tuple[int, ...] = ()  # one per move, from 1 up, for sampling a move; empty: no sampling
    value: int | None = None  # from the mover's view: see `gameplay.value`, wins counted from this position
    bound: int = EXACT  # what `value` says of the true one: EXACT, LOWER or UPPER
    exact: bool = False  # `value` is the game's own (or a bound of it), and no guess
    facts: tuple[str, ...] = ()  # beside the moves, what is known of each, for people; empty: nothing to say

    @property
    def settled(self) -> bool:
        """True if it gives the exact value of the game, with the distance if it is a win or a loss."""
        exact_value = self.value is not None and self.exact and self.bound == EXACT
        return exact_value and (not is_win(self.value or 0) or is_counted(self.value or 0))


class GameLike(Protocol):
    """The game that knowledge is of: a `gameplay.registry.Game`."""

    @property
    def spec(self) -> str:
        """Finds the game again."""
        ...

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    def new(self, text: str | None = None) -> "AbstractPosition":
        """The start, or the position that `text` describes. Raises BadInput."""
        ...


class Knowledge:
    """A knowledge source, see the head of this file."""

    option: ClassVar[str] = ""  # what a player's spec calls it: book, syzygy
    suffixes: ClassVar[
        tuple[str, ...]
    ] = ()  # the files it reads; empty: all that no other of its option does
    takes: ClassVar[str] = "file"  # what its path names: a file, or a folder
    whole: ClassVar[bool] = False  # knows every position of the plies it goes to, by the game's own values
    inner: ClassVar[bool] = False  # cheap enough to be asked again and again within a search
    most: int = 0  # the pieces there may be, where a game counts them (`Kernel.pieces`); 0: any number

    def __init__(self, path: str = "", game: GameLike | None = None) -> None:
        """`path`: absolute; `game`: the one it is of, whose `new()` makes positions.

        Raises BadInput for a file that is wrong, Usage for a program that is missing.
        """
        self.path = path

    @classmethod
    def fits(cls, position: "AbstractPosition") -> None:
        """Raise Usage, with the reason, if it is not for the game of a position. Default: it is for all."""

    def probe(self, position: "AbstractPosition") -> Advice | None:
        """What is known of `position`, which is left as it was; None: nothing.

        Within a search the position was reached by moves that it may not list: ask it for what it is, and
        not for its past (`text`, `twin`). An exact value ends the search there.
        """
        raise NotImplementedError(f"{type(self).__name__} has no probe(position)")

    def advise(self, position: "AbstractPosition") -> Advice | None:
        """The same at the root, for a player: what to play.

        Default: what `probe` says. Where that is an exact value without a move, the moves that keep it, found
        by asking about each position they lead to, in games of two.
        """
        advice = self.probe(position)
        if advice is None or advice.moves or not advice.exact or advice.value is None:
            return advice
        if position.players != 2 or not position.zero_sum:
            return None
        values = dict(self._after(position))
        scored = {move: value for move, value in values.items() if value is not None}
        best = max(scored.values(), default=-INF)
        if best >= advice.value or (is_win(best) and best > 0) or len(scored) == len(values):
            moves = tuple(move for move in scored if scored[move] == best)
        else:  # it is one of those that nothing is known of
            moves = tuple(move for move in values if move not in scored)
        return Advice(advice.source, moves, value=advice.value, bound=advice.bound, exact=True)

    def _after(self, position: "AbstractPosition") -> Iterator[tuple[int, int | None]]:
        """Each legal move with its exact value for the mover; None if it is unknown."""
        mover = position.turn
        for move in position.moves():
            position.make(move)
            payoffs = position.outcome()
            value: int | None = None
            if payoffs is not None:
                value = worth(payoffs[mover], position)
            elif (result := self._exactly(position)) is not None:
                value = delay(result if position.turn == mover else -result)
            position.unmake()
            yield move, value

    def _exactly(self, position: "AbstractPosition") -> int | None:
        """The exact value of a position, if it is known."""
        advice = self.probe(position)
        return advice.value if advice is not None and advice.exact and advice.bound == EXACT else None


def worth(payoff: float, position: "AbstractPosition") -> int:
    """The value of a game that ends with the move just made, by what its mover gets."""
    if position.scored:
        return round(payoff * int(position.unit))
    return (WIN - 1) * ((payoff > 0) - (payoff < 0))
