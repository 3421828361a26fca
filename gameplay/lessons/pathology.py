"""Pathology: in some games a deeper search plays worse (Nau 1982; Beal 1980).

Dana Nau, "An investigation of the causes of pathology in games", Artificial Intelligence 19, 1982. Pearl's
game (P-game): a board of 2^d squares, each won for MIN or MAX at random; the players alternately discard
one half of the board, and the last square determines the winner. N-game: the same tree, but each branch is +1
or -1 at random and a square is won by the sign of the sum along its path, so that neighbouring squares are
correlated, as positions of real games are. The evaluation is the same in both: the number of won squares
among those that remain.

A P-game's squares are won by MAX with p = 0.618, the golden ratio, or 1 - p = 0.382 where MAX moves last:
with more or fewer nearly every board is decided (Pearl 1984).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from gameplay.position import Position

GOLDEN = (5**0.5 - 1) / 2
PLIES = 10
KINDS = ("P-games", "N-games")
PUBLISHED = ("worse, the deeper", "better, the deeper")


class HalvingGame(Position):
    """A board that is halved `plies` times: MAX first. `kind` is P or N, see above."""

    scored = True

    def __init__(self, kind: str, plies: int, seed: int) -> None:
        super().__init__()
        rng = Random(f"{kind}/{plies}/{seed}")
        self.squares = _independent_squares(rng, plies) if kind == "P" else _correlated_squares(rng, plies)
        self.spans = [(0, len(self.squares))]
        self.won = [0]
        for square in self.squares:
            self.won.append(self.won[-1] + square)

    def moves(self) -> list[int]:
        """Keep the left half or the right one."""
        return [0, 1]

    def make(self, move: int) -> None:
        """Discard the other half."""
        low, high = self.spans[-1]
        half = (low + high) // 2
        self.spans.append((half, high) if move else (low, half))
        self.turn = 1 - self.turn

    def unmake(self) -> None:
        """Restore the discarded half."""
        self.spans.pop()
        self.turn = 1 - self.turn

    def outcome(self) -> tuple[int, int] | None:
        """The payoffs: the winner of the last square gets 1."""
        low, high = self.spans[-1]
        if high - low > 1:
            return None
        sign = 1 if self.squares[low] else -1
        return (1000 * sign, -1000 * sign)

    def evaluate(self) -> int:
        """The share of squares that MAX has won, -999 to 999, from the mover's view."""
        low, high = self.spans[-1]
        share = (2 * (self.won[high] - self.won[low]) - (high - low)) * 999 // (high - low)
        return share if self.turn == 0 else -share

    def key(self) -> tuple[int, int]:
        """The remaining squares determine the future."""
        return self.spans[-1]


def _independent_squares(rng: Random, plies: int) -> list[bool]:
    odds = 1 - GOLDEN if plies % 2 else GOLDEN
    return [rng.random() < odds for _ in range(1 << plies)]


def _correlated_squares(rng: Random, plies: int) -> list[bool]:
    sums = [0]
    for _ in range(plies):
        sums = [total + rng.choice((1, -1)) for total in sums for _ in range(2)]
    return [total > 0 or (total == 0 and rng.random() < 0.5) for total in sums]


@dataclass(frozen=True)
class RightMoves:
    """The share of right moves by search depth, from 1 ply, in trees where one of two moves is wrong."""

    kind: str
    plies: int
    trees: int
    shares: tuple[float, ...]


def root_values(position: HalvingGame, depth: int) -> tuple[float, float]:
    """The minimax values of the two first moves, from evaluations `depth` plies deep."""
    size = len(position.squares) >> depth
    won = position.won
    if size == 1:
        values = [1000.0 if square else -1000.0 for square in position.squares]
    else:
        values = [
            (2 * (won[at + size] - won[at]) - size) * 999 // size for at in range(0, len(won) - 1, size)
        ]
    for ply in range(depth - 1, 0, -1):
        choose = min if ply % 2 else max
        values = [choose(values[at], values[at + 1]) for at in range(0, len(values), 2)]
    return values[0], values[1]


def right_moves(kind: str, plies: int, trees: int) -> RightMoves:
    """Search `trees` trees, where one of the two first moves wins and the other loses, at every depth.

    Ties between moves count as a random choice: one half.
    """
    right = [0.0] * plies
    seed = done = 0
    while done < trees:
        seed += 1
        position = HalvingGame(kind[0], plies, seed)
        exact = root_values(position, plies)
        if exact[0] == exact[1]:
            continue
        done += 1
        for depth in range(1, plies + 1):
            estimates = root_values(position, depth)
            right[depth - 1] += (
                0.5
                if estimates[0] == estimates[1]
                else (estimates[0] > estimates[1]) == (exact[0] > exact[1])
            )
    return RightMoves(kind, plies, trees, tuple(count / trees for count in right))


def lines(trees: int) -> Iterator[str]:
    """The text: the table and the published result."""
    curves = [right_moves(kind, PLIES, trees) for kind in KINDS]
    yield f"Share of right moves by depth: {trees} random boards of 2^{PLIES} squares, one move of two right"
    yield ""
    yield "depth" + "".join(f"{kind:>24}" for kind in KINDS)
    for depth, shares in enumerate(zip(*(curve.shares for curve in curves), strict=True), 1):
        cells = "".join(f"{share:>8.1%} {'#' * round(30 * (share - 0.5)):<15}" for share in shares)
        yield f"{depth:>5} {cells}".rstrip()
    yield ""
    yield (
        f"Published (Nau 1982): P-games {PUBLISHED[0]}; N-games {PUBLISHED[1]}. In a P-game the squares are "
        "independent, so that the evaluation predicts little, and minimax over many evaluations loses even "
        "that; in an N-game a board resembles its halves. The standard error of a share is at most "
        f"{50 / trees**0.5:.1f} %; at the last plies, which reach the end of the game, both come to 100 %."
    )
