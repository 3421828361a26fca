"""Small games in plain Python, independent of the package, to check its output.

A tree of a game is {"max": {branch: tree}} or {"min": ...}, and a number at its ends.
"""

from functools import cache
from itertools import product
from math import inf
from typing import Any

Cells = str  # of a board, row by row: x, o, or . for empty


def lines_of(width: int, height: int, length: int) -> list[list[int]]:
    """The cells of each horizontal, vertical and diagonal line."""
    results = []
    for row, column in product(range(height), range(width)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if row + down * (length - 1) < height and 0 <= column + right * (length - 1) < width:
                results.append([(row + down * n) * width + column + right * n for n in range(length)])
    return results


class Crosses:
    """Tic-tac-toe of any size."""

    def __init__(self, width: int = 3, height: int = 3, length: int = 3) -> None:
        self.width, self.height = width, height
        self.lines = lines_of(width, height, length)
        self.value = cache(self._value)

    def name(self, cell: int) -> str:
        """The name of a cell: columns are letters, rows are counted from the top."""
        return "abcdefgh"[cell % self.width] + str(cell // self.width + 1)

    def empty(self) -> Cells:
        return "." * (self.width * self.height)

    def moves(self, cells: Cells) -> dict[str, Cells]:
        """The boards after each move, by name; none if the game is over."""
        if self.has_line(cells):
            return {}
        mover = "xo"[(len(cells) - cells.count(".")) % 2]
        empty = [cell for cell, what in enumerate(cells) if what == "."]
        return {self.name(cell): f"{cells[:cell]}{mover}{cells[cell + 1 :]}" for cell in empty}

    def after(self, words: list[str]) -> Cells:
        cells = self.empty()
        for word in words:
            cells = self.moves(cells)[word]
        return cells

    def has_line(self, cells: Cells) -> bool:
        """True if the last move made a line."""
        last = "ox"[(len(cells) - cells.count(".")) % 2]
        return any(all(cells[cell] == last for cell in line) for line in self.lines)

    def _value(self, cells: Cells) -> int:
        """0 for a draw; n > 0: a win in n plies, n < 0: a loss in -n plies, 99 - ... for the side to move."""
        if self.has_line(cells):
            return -100
        values = [-self.value(after) for after in self.moves(cells).values()]
        best = max(values, default=0)
        return best - 1 if best > 0 else best + 1 if best < 0 else 0

    def says(self, value: int) -> str:
        """The value `value` in words."""
        return "draw" if not value else f"win in {100 - value}" if value > 0 else f"loss in {100 + value}"

    def worth(self, words: list[str]) -> dict[str, str]:
        """The value of each move for the mover, in words."""
        moves = self.moves(self.after(words))
        values = {word: -self.value(after) for word, after in moves.items()}
        return {word: self.says(value - (value > 0) + (value < 0)) for word, value in values.items()}

    def positions_by_ply(self) -> list[set[Cells]]:
        """The positions of each ply."""
        plies = [{self.empty()}]
        while plies[-1]:
            plies.append({after for cells in plies[-1] for after in self.moves(cells).values()})
        return plies[:-1]

    def tree(self, cells: Cells, sign: int = 1) -> Any:
        """The complete tree below a board, for the side to move: 1 a win, 0 a draw, -1 a loss."""
        if self.has_line(cells):
            return -sign
        moves = self.moves(cells)
        if not moves:
            return 0
        return {
            "max" if sign > 0 else "min": {word: self.tree(branch, -sign) for word, branch in moves.items()}
        }


def minimax_nodes(width: int, depth: int, plies: int = 0) -> int:
    """Nodes that minimax visits in an empty tic-tac-toe, if no line can be made within `depth` plies."""
    below = (width - plies) * minimax_nodes(width, depth - 1, plies + 1) if depth else 0
    return 1 + below


class AlphaBeta:
    """Textbook alpha-beta: the visited nodes, the cutoffs, and their windows."""

    def __init__(self, tree: Any) -> None:
        self.leaves: list[tuple[str, ...]] = []
        self.cut: list[tuple[str, ...]] = []
        self.windows: dict[tuple[str, ...], tuple[float, float]] = {}
        self.value = self._search(tree, -inf, inf, ())

    def _search(self, tree: Any, alpha: float, beta: float, path: tuple[str, ...]) -> float:
        self.windows[path] = alpha, beta
        if not isinstance(tree, dict):
            self.leaves.append(path)
            return float(tree)
        ((kind, branches),) = tree.items()
        best = -inf if kind == "max" else inf
        for number, (word, branch) in enumerate(branches.items()):
            value = self._search(branch, alpha, beta, (*path, word))
            best = max(best, value) if kind == "max" else min(best, value)
            alpha, beta = (max(alpha, best), beta) if kind == "max" else (alpha, min(beta, best))
            if alpha >= beta:
                self.cut += [(*path, other) for other in list(branches)[number + 1 :]]
                break
        return best


def minimax(tree: Any) -> float:
    """The value of a tree, by visiting all of it."""
    if not isinstance(tree, dict):
        return float(tree)
    ((kind, branches),) = tree.items()
    return (max if kind == "max" else min)(map(minimax, branches.values()))


def slides(tiles: tuple[int, ...], width: int) -> int:
    """The fewest moves that sort the tiles of a sliding puzzle, the blank (0) first."""
    goal = tuple(range(len(tiles)))
    seen, edge, count = {tiles}, {tiles}, 0
    while goal not in seen:
        edge = {after for branch in edge for after in _slid(branch, width)} - seen
        seen |= edge
        count += 1
    return count


def _slid(tiles: tuple[int, ...], width: int) -> list[tuple[int, ...]]:
    blank = tiles.index(0)
    row, column = divmod(blank, width)
    results = []
    for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        if 0 <= column + right < width and 0 <= row + down < len(tiles) // width:
            other, board = blank + down * width + right, list(tiles)
            board[blank], board[other] = board[other], 0
            results.append(tuple(board))
    return results


def kuhn(strategy: Any) -> tuple[float, float, float]:
    """Two-player Kuhn poker: the first player's payoff, and those of the best responses.

    `strategy(card, history)` is the chance of a bet or call; histories are "", "p", "b" and "pb".
    """
    deals = [(card, other) for card in "JQK" for other in "JQK" if card != other]

    def gain(deal: tuple[str, str], history: str, reply: dict[tuple[str, str], bool], seat: int) -> float:
        ends = {"pp": 1, "bb": 2, "pbb": 2}
        if history in ends:
            return ends[history] * (1 if "JQK".index(deal[0]) > "JQK".index(deal[1]) else -1)
        if history in ("bp", "pbp"):
            return 1 if history == "bp" else -1
        mover = len(history) % 2
        own = (deal[mover], history)
        bet = strategy(*own) if mover != seat else float(reply[own])
        return bet * gain(deal, history + "b", reply, seat) + (1 - bet) * gain(
            deal, history + "p", reply, seat
        )

    def best(seat: int) -> float:
        """The best value over every pure strategy of a seat: 2 ** 6."""
        sets = [(card, history) for card in "JQK" for history in (("", "pb") if seat == 0 else ("p", "b"))]
        replies = (dict(zip(sets, choice, strict=True)) for choice in product((False, True), repeat=6))
        sign = 1 if seat == 0 else -1
        return max(sign * sum(gain(deal, "", reply, seat) for deal in deals) / 6 for reply in replies)

    value = sum(gain(deal, "", {}, 2) for deal in deals) / 6
    return value, best(0), best(1)


def pig(depth: int, decides: bool = True, rolled: bool = False) -> int:
    """Lines of `depth` plies of Pig from the start: roll or hold, six faces; a one passes the turn."""
    if not depth:
        return 1
    if not decides:
        return sum(pig(depth - 1, True, face > 1) for face in range(1, 7))
    return pig(depth - 1, False) + (pig(depth - 1, True, False) if rolled else 0)
