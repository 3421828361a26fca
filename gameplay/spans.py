"""Move lists too long to store, such as bets of any number of chips: a short list, then a range."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

from gameplay.errors import Usage

MAX_UNABRIDGED = 20_000  # moves: of more only some are written out
SAMPLE_SIZE = 1000  # ... as many
MAX_LISTED = 20_000_000  # moves that a loop may go through: a search needs 16 bytes for each


class Span(Sequence[int]):
    """A sequence of moves that ends with a range, which is not stored."""

    __slots__ = ("first", "rest")

    def __init__(self, first: Sequence[int], rest: range) -> None:
        self.first = list(first)
        self.rest = rest

    def __len__(self) -> int:
        return len(self.first) + len(self.rest)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        numbers = range(len(self))[index]
        if isinstance(numbers, range):
            return [self._at(number) for number in numbers]
        return self._at(numbers)

    def _at(self, number: int) -> int:
        length = len(self.first)
        return self.first[number] if number < length else self.rest[number - length]

    def __contains__(self, move: object) -> bool:
        return move in self.first or move in self.rest

    def __iter__(self) -> Iterator[int]:
        """Iterate over the moves. Raises Usage if there are too many for the memory of a search."""
        if len(self) > MAX_LISTED:
            raise Usage(
                f"there are {len(self):,} legal moves here; a search can list {MAX_LISTED:,}."
                " Try: fewer sizes of bets, as in bets=half/pot/allin"
            )
        yield from self.first
        yield from self.rest

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        return (self.first, self.rest) == (other.first, other.rest)

    def __hash__(self) -> int:
        return hash((tuple(self.first), self.rest))

    def __repr__(self) -> str:
        return f"Span({self.first}, {self.rest})"


def abridge(moves: Sequence[int]) -> Sequence[int]:
    """The moves to write out: all of them, or SAMPLE_SIZE evenly spaced ones of more than MAX_UNABRIDGED.

    The sample has the first and the last move. Of a Span it has all of `first` and SAMPLE_SIZE of its range.
    """
    if len(moves) <= MAX_UNABRIDGED:
        return moves
    first, rest = (moves.first, moves.rest) if isinstance(moves, Span) else ([], moves)
    count, last = min(SAMPLE_SIZE, len(rest)), len(rest) - 1
    return [*first, *(rest[number * last // (count - 1)] for number in range(count))]
