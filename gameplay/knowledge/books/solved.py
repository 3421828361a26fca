"""A book of a small game: the exact value of every move of every position.

Depth first, each position once: the value of a position is the best value of its successors for the mover,
faster wins being better (`gameplay.value`). This is minimax of the whole game with positions identified by
fingerprint, which is correct only if no position can repeat.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.errors import Usage
from gameplay.knowledge.books.book_file import VALUES, BookMove
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.knowledge.books.fingerprint import fingerprint
from gameplay.knowledge.knowledge import GameLike, terminal_value
from gameplay.value import EXACT, INF

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

MAX_POSITIONS = 5_000_000  # positions
MAX_PLIES = 240  # plies
PROGRESS_INTERVAL = 1000  # positions between progress reports


def solve(
    game: GameLike, start: str = "", watch: Callable[[int], None] = lambda positions: None
) -> EditableBook:
    """The book of all positions reachable from a start. `watch` receives the number of positions done.

    Raises Usage for a game with more than two players, chance, imperfect information or cycles, or too large.
    """
    draft = EditableBook(game, VALUES)
    draft.facts.starts = [start]
    position = game.new(start)
    check_supported(position)
    if position.outcome() is not None:
        raise Usage("the game is over at that position: there is nothing to solve")
    _BookSolver(draft, watch).value(position, 0)
    draft.set_weights()
    return draft


def check_supported(position: "AbstractPosition") -> None:
    """Raise Usage for a game without backed-up values."""
    if position.players != 2 or not position.zero_sum:
        raise Usage("solved books require a two-player zero-sum game")
    if position.chance or position.hidden:
        obstacle = "dice or deals" if position.chance else "imperfect information"
        raise Usage(f"solved books require a game without {obstacle}. Try: a book of games, or of lines")


class _BookSolver:
    def __init__(self, draft: EditableBook, watch: Callable[[int], None]) -> None:
        self.draft = draft
        self.watch = watch
        self.values: dict[int, int] = {}
        self.on_path: set[int] = set()  # positions on the path to the current one

    def value(self, position: "AbstractPosition", ply: int) -> int:
        """The value of a position; adds its moves to the book."""
        key = fingerprint(position)
        stored = self.values.get(key)
        if stored is not None:
            return stored
        if key in self.on_path:
            raise Usage("solved books require a game without repetitions; positions of this game repeat")
        if ply > MAX_PLIES or len(self.values) >= MAX_POSITIONS:
            raise Usage(
                f"too large to be solved; the limit is {MAX_POSITIONS:,} positions and {MAX_PLIES} plies. "
                "Try: a FILE.table of its first plies, with --plies N"
            )
        self.on_path.add(key)
        mover, best, moves = position.turn, -INF, {}
        for move in position.moves():
            position.make(move)
            child = fingerprint(position, mover)
            if child not in moves:
                payoffs = position.outcome()
                same_mover = position.turn == mover
                if payoffs is not None:
                    value = terminal_value(payoffs[mover], position)
                else:
                    result = self.value(position, ply + 1)
                    value = scale.delay(result if same_mover else -result)
                moves[child] = BookMove(
                    value=value,
                    bound=EXACT,
                    solved=True,
                    backed_up=payoffs is None,
                    same_mover=same_mover and payoffs is None,
                )
                best = max(best, value)
            position.unmake()
        self.on_path.remove(key)
        self.draft.positions[key] = moves
        self.values[key] = best
        if len(self.values) % PROGRESS_INTERVAL == 0:
            self.watch(len(self.values))
        return best
