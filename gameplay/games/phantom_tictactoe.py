"""Phantom tic-tac-toe: players see only their own stones.

move   the cell, by rows from the upper left:   0 1 2
                                                3 4 5
                                                6 7 8
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gameplay.board import Board
from gameplay.capabilities import unchecked
from gameplay.errors import NoMoveMade
from gameplay.games.shared import grid
from gameplay.games.shared.legality import checked
from gameplay.position import Position

if TYPE_CHECKING:
    from random import Random

LINES = tuple(
    sum(1 << cell for cell in line)
    for line in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
)
ALL = (1 << 9) - 1

# A player's view of a try: whose, the cell (-1: unknown), and whether a stone was placed.
Try = tuple[bool, int, bool]


class PhantomTictactoe(Position):
    """Tic-tac-toe in which neither player sees the other's stones.

    The player to move tries a cell. If it is empty, their stone is placed and the turn ends. If an opposing
    stone is there, they see that and try another cell. The opponent is informed of each try and whether it
    failed, but not of the cell. Three in a row win.

    Moves are cells: `a1` to `c3`, or 1 to 9. A position is written as its moves: `b2 b2 a1`, where the
    second player tried the centre first.
    """

    hidden = True
    perfect_recall = True
    low, high = -1, 1
    sides = ("x", "o")

    def __init__(self) -> None:
        super().__init__()
        self.stones = [0, 0]  # by player, cells as bits
        self.tries: tuple[tuple[int, int, bool], ...] = ()  # player, cell, and whether a stone was placed

    # -- the rules -------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        excluded = self.stones[self.turn]
        for player, cell, _ in self.tries:
            if player == self.turn:
                excluded |= 1 << cell
        return [cell for cell in range(9) if not excluded >> cell & 1]

    @checked
    def make(self, move: int) -> None:
        placed = not self.stones[1 - self.turn] >> move & 1
        self.tries += ((self.turn, move, placed),)
        if placed:
            self.stones[self.turn] |= 1 << move
            self.turn = 1 - self.turn

    def unmake(self) -> None:
        if not self.tries:
            raise NoMoveMade()
        self.turn, cell, placed = self.tries[-1]
        self.tries = self.tries[:-1]
        if placed:
            self.stones[self.turn] ^= 1 << cell

    def outcome(self) -> tuple[float, ...] | None:
        for player, stones in enumerate(self.stones):
            if any(stones & line == line for line in LINES):
                return (1, -1) if player == 0 else (-1, 1)
        return (0, 0) if self.stones[0] | self.stones[1] == ALL else None

    def key(self) -> tuple[Any, ...]:
        return self.tries

    # -- imperfect information -------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[Any, ...]:
        """All tries, without the cells of the opponent's, and the outcome, if there is one."""
        return (player, self.outcome(), self._observed_tries(player))

    def _observed_tries(self, player: int) -> tuple[Try, ...]:
        return tuple(
            [(who == player, cell if who == player else -1, placed) for who, cell, placed in self.tries]
        )

    def determinize(self, player: int, rng: "Random") -> "PhantomTictactoe":
        """Sample the opponent's tries uniformly from those consistent with the information set."""
        observed, outcome = self._observed_tries(player), self.outcome()
        lost = outcome is not None and outcome[player] < 0
        other = type(self)()
        make = unchecked(other)
        revealed = 0  # the viewer's stones that the opponent has found
        for number, (own, cell, placed) in enumerate(observed):
            if not own:
                viewer_stones, stones = other.stones[player], other.stones[1 - player]
                options = _continuations(observed[number:], viewer_stones, stones, revealed, lost)
                cell = rng.choices([cell for cell, _ in options], [count for _, count in options])[0]
                revealed |= (not placed) << cell
            make(cell)
        return other

    def sees(self, player: int, move: int) -> bool:
        """True for the player's own tries."""
        return player == self.turn

    # -- for people ------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        return chr(97 + move % 3) + str(move // 3 + 1)

    def parse(self, text: str) -> int:
        """Parse a cell, `b2` or 1 to 9."""
        word = text.strip()
        if len(word) == 1 and word in "123456789":
            text = self.format(int(word) - 1)
        return super().parse(text)

    def why_illegal(self, text: str) -> str:
        """The reason why a cell is illegal."""
        cell = grid.parse_cell(text, 3, 3)
        if cell is None:
            return grid.why_off_board(text, 3, 3)
        return f"you know that {self.seen(self.turn)[cell]} is on {self.format(cell)}"

    def seen(self, viewer: int | None) -> str:
        """The nine cells as a player sees them, `.` if possibly empty."""
        cells = ["."] * 9
        for player, cell, placed in self.tries:
            if viewer in (None, player):
                cells[cell] = "xo"[player if placed else 1 - player]
        return "".join(cells)

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        seen = self.seen(viewer).upper().replace(".", " ")
        over = self.outcome() is not None
        to_move = viewer in (None, self.turn) and not over
        failed = [sum(player == side and not placed for player, _, placed in self.tries) for side in (0, 1)]
        return Board(
            cells=tuple([tuple([seen[3 * y + x].strip() for x in range(3)]) for y in range(3)]),
            columns=("a", "b", "c"),
            rows=("1", "2", "3"),
            owners={"X": 0, "O": 1},
            last=() if last is None else (divmod(last, 3),),
            moves={divmod(move, 3): (move,) for move in self.moves()} if to_move else {},
            notes={player: f"failed {count}" for player, count in enumerate(failed) if count},
        )

    def news(self) -> list[str]:
        """The public report of a failed try, without the cell."""
        if not self.tries or self.tries[-1][2]:
            return []
        player = self.tries[-1][0]
        return [f"{self.sides[player]} tries a cell that {self.sides[1 - player]} has taken: another try"]

    def public_report(self) -> str:
        """The public result of the last try."""
        return "".join(self.news()) or f"{self.sides[self.tries[-1][0]]} places a stone"

    def show(self, viewer: int | None = None) -> str:
        seen = self.seen(viewer)
        return "\n".join([seen[0:3], seen[3:6], seen[6:9]])

    def __str__(self) -> str:
        return self.show()


# -- possible tries of the opponent ---------------------------------------------------------------


@lru_cache(maxsize=50_000)
def _count_continuations(
    observed: tuple[Try, ...], viewer_stones: int, stones: int, revealed: int, lost: bool
) -> int:
    """The number of the opponent's continuations consistent with `observed`.

    `lost`: the opponent has won in the end; there is no win before.
    """
    row = any(stones & line == line for line in LINES)
    if not observed:
        return int(row == lost)
    if row:
        return 0
    own, cell, placed = observed[0]
    if not own:
        return sum(count for _, count in _continuations(observed, viewer_stones, stones, revealed, lost))
    if placed == bool(stones >> cell & 1):
        return 0
    return _count_continuations(observed[1:], viewer_stones | placed << cell, stones, revealed, lost)


def _continuations(
    observed: tuple[Try, ...], viewer_stones: int, stones: int, revealed: int, lost: bool
) -> list[tuple[int, int]]:
    """The cells that the opponent can try now, each with the number of continuations."""
    rest, placed = observed[1:], observed[0][2]
    free = ALL & ~(viewer_stones | stones) if placed else viewer_stones & ~revealed
    return [
        (
            cell,
            _count_continuations(
                rest, viewer_stones, stones | placed << cell, revealed | (not placed) << cell, lost
            ),
        )
        for cell in range(9)
        if free >> cell & 1
    ]
