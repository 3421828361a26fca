"""The contract of knowledge sources: books, endgame tables and solvers return `Advice` on positions.

    probe(position)            the advice on a position; None: unknown. The only required method
    advise(position)           advice for a player at the root; may be slow
    check_supported(position)  raise Usage for a game that is not supported
    in_search, max_pieces      whether a search may probe within its tree, and with how many pieces

A class in this package registers itself under its `option` (`selective:book=FILE`). A user-defined class is
named by its file: `iterative:knowledge=./sticks.py`.

    from gameplay import value
    from gameplay.knowledge.knowledge import Advice, Knowledge

    class Fours(Knowledge):
        "With 1, 5, 9, ... sticks the player to move has lost."
        in_search = True

        def probe(self, position):
            lost = position.sticks % 4 == 1
            return Advice("solver", value=-value.TB_WIN if lost else value.TB_WIN, exact=True)
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import msgspec

from gameplay.errors import BadInput
from gameplay.value import EXACT, INF, WIN, delay, is_counted, is_win

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


class OtherGame(BadInput):
    """A valid file of another game or board."""


class Advice(msgspec.Struct, frozen=True):
    """Knowledge of a position: moves to choose from, or a value, or both."""

    source: str  # book, tables or solver: its name in reports
    moves: tuple[int, ...] = ()  # legal, best first; empty: unknown
    weights: tuple[int, ...] = ()  # one per move, from 1 up, to sample a move; empty: do not sample
    value: int | None = None  # from the mover's view, see `gameplay.value`; wins counted from this position
    bound: int = EXACT  # EXACT, LOWER or UPPER: how `value` bounds the true one
    exact: bool = False  # `value` (or the bound) is proved, not an estimate
    facts: tuple[str, ...] = ()  # description of each move for people; empty: none

    @property
    def settled(self) -> bool:
        """True if it gives the exact value of the game, with the distance if it is a win or a loss."""
        exact_value = self.value is not None and self.exact and self.bound == EXACT
        return exact_value and (not is_win(self.value or 0) or is_counted(self.value or 0))


class GameLike(Protocol):
    """The game of a knowledge source: a `gameplay.registry.Game`."""

    @property
    def spec(self) -> str:
        """The spec that constructs the game."""
        ...

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    def new(self, text: str | None = None) -> "AbstractPosition":
        """The start, or the position described by `text`. Raises BadInput."""
        ...


class Knowledge:
    """A knowledge source, see the head of this file."""

    option: ClassVar[str] = ""  # its name in player specs: book, syzygy
    suffixes: ClassVar[tuple[str, ...]] = ()  # of its files; empty: all without another class of its option
    path_kind: ClassVar[str] = "file"  # file or folder
    complete: ClassVar[bool] = False  # covers every position up to some ply with its exact value
    in_search: ClassVar[bool] = False  # fast enough to be probed within a search
    max_pieces: int = 0  # maximum pieces of a position (`Kernel.pieces`); 0: no maximum

    def __init__(self, path: str = "", game: GameLike | None = None) -> None:
        """path: absolute. game: constructs positions with `new()`.

        Raises BadInput for an invalid file, Usage for a missing library.
        """
        self.path = path

    @classmethod
    def check_supported(cls, position: "AbstractPosition") -> None:
        """Raise Usage, with the reason, if the game of a position is not supported. Default: all are."""

    def probe(self, position: "AbstractPosition") -> Advice | None:
        """The advice on `position`, which must be left unchanged; None: unknown.

        Within a search the move history of the position may be incomplete: do not call `text` or `twin`. An
        exact value cuts off the search there.
        """
        raise NotImplementedError(f"{type(self).__name__} has no probe(position)")

    def advise(self, position: "AbstractPosition") -> Advice | None:
        """The advice for a player at the root: moves to play.

        Default: the advice of `probe`. In two-player zero-sum games an exact value without moves is completed
        by the moves that keep the value, found by probing each successor.
        """
        advice = self.probe(position)
        if advice is None or advice.moves or not advice.exact or advice.value is None:
            return advice
        if position.players != 2 or not position.zero_sum:
            return None
        values = dict(self._move_values(position))
        known_values = {move: value for move, value in values.items() if value is not None}
        best = max(known_values.values(), default=-INF)
        if best >= advice.value or (is_win(best) and best > 0) or len(known_values) == len(values):
            moves = tuple(move for move in known_values if known_values[move] == best)
        else:  # the best move is one of unknown value
            moves = tuple(move for move in values if move not in known_values)
        return Advice(advice.source, moves, value=advice.value, bound=advice.bound, exact=True)

    def _move_values(self, position: "AbstractPosition") -> Iterator[tuple[int, int | None]]:
        """Each legal move with its exact value for the mover; None if it is unknown."""
        mover = position.turn
        for move in position.moves():
            position.make(move)
            payoffs = position.outcome()
            value: int | None = None
            if payoffs is not None:
                value = terminal_value(payoffs[mover], position)
            elif (result := self._exact_value(position)) is not None:
                value = delay(result if position.turn == mover else -result)
            position.unmake()
            yield move, value

    def _exact_value(self, position: "AbstractPosition") -> int | None:
        """The exact value of a position, if it is known."""
        advice = self.probe(position)
        return advice.value if advice is not None and advice.exact and advice.bound == EXACT else None


def terminal_value(payoff: float, position: "AbstractPosition") -> int:
    """The value of a move that ends the game, from its mover's payoff."""
    if position.scored:
        return round(payoff * int(position.unit))
    return (WIN - 1) * ((payoff > 0) - (payoff < 0))
