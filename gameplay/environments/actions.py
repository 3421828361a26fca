"""Maps moves to actions: whole numbers from 0 below a fixed count.

Moves are packed ints of any size, so each game has one of these mappings:

    KeyedActions    an action is the same move in all positions: a column, a cell, two squares
    ListedActions   action k is the k-th legal move, for games with too many moves to number
    others          hold'em and Scrabble: a selection of the legal moves

In every position each legal action is one legal move, and at least one action is legal.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gameplay.environments.moves import checkers_keys, chess_keys
from gameplay.errors import Usage
from gameplay.learning.exploration import random_game
from gameplay.position import CHANCE, AbstractPosition

if TYPE_CHECKING:
    from gameplay.games.go.game import Go
    from gameplay.games.holdem.game import Holdem
    from gameplay.games.nim import Nim
    from gameplay.games.othello.game import Othello
    from gameplay.games.stratego import Stratego
    from gameplay.games.tree.game import Tree
    from gameplay.registry import Game

SAMPLE_GAMES = 40  # random games that determine how many actions a user-defined game needs
MAX_DIRECT_MOVE = 4096  # below this, the moves of such a game are its actions
MOVE_MASK = 0x7FFFFFFF  # all bits of a move


class Actions:
    """`count` actions. `meaning`: one-line description. `exact`: every legal move is an action."""

    exact = True

    def __init__(self, count: int, meaning: str) -> None:
        self.count, self.meaning = count, meaning

    def legal(self, position: AbstractPosition) -> Mapping[int, int]:
        """Map each legal action to its move. Raises Usage if `count` is too small."""
        raise NotImplementedError


class KeyedActions(Actions):
    """The action of a move is determined by its key: `move & low | (move >> shift) & high`."""

    def __init__(
        self, keys: Mapping[int, int], meaning: str, low: int = MOVE_MASK, shift: int = 0, high: int = 0
    ) -> None:
        super().__init__(max(keys.values()) + 1, meaning)
        self.keys, self.low, self.shift, self.high = keys, low, shift, high

    def legal(self, position: AbstractPosition) -> Mapping[int, int]:
        """See `Actions.legal`."""
        legal = {}
        for move in position.moves():
            action = self.keys.get(move & self.low | (move >> self.shift) & self.high)
            if action is None:
                raise too_few_actions(f"the move {position.format(move)} is number {move}", self.count)
            legal[action] = move
        return legal


class ListedActions(Actions):
    """Action k is the k-th of the legal moves, from 0, in the game's order."""

    def __init__(self, count: int) -> None:
        super().__init__(count, "the number of the move in the list of legal moves")

    def legal(self, position: AbstractPosition) -> Mapping[int, int]:
        """See `Actions.legal`."""
        moves = position.moves()
        if len(moves) > self.count:
            raise too_few_actions(f"{len(moves)} moves are legal", self.count)
        return dict(enumerate(moves))


class HoldemActions(Actions):
    """Fold, check or call, then bet sizes.

    If any amount can be bet, SIZES amounts from the smallest to all-in, in geometric progression.
    """

    SIZES = 8  # bet sizes if any amount can be bet

    def __init__(self, position: "Holdem") -> None:
        size_count = 1 if position.limit else len(position.sizes)
        self.any_size = "any" in position.sizes
        self.exact = not self.any_size
        sizes = self.SIZES if self.any_size else size_count
        super().__init__(2 + sizes, f"fold, check or call, {sizes} bet{'s' * (sizes > 1)} from the smallest")

    def legal(self, position: AbstractPosition) -> Mapping[int, int]:
        """See `Actions.legal`."""
        moves = position.moves()
        first_bet = next((number for number, move in enumerate(moves) if move > 1), len(moves))
        legal = {move: move for move in moves[:first_bet]}
        bets = moves[first_bet:]
        if len(bets) > self.count - 2:
            smallest, largest = bets[0] - 1, bets[-1] - 1
            steps = self.count - 3
            sizes = sorted(
                {round(smallest * (largest / smallest) ** (step / steps)) for step in range(steps + 1)}
            )
            bets = [1 + size for size in sizes]
        return legal | {2 + number: move for number, move in enumerate(bets)}


class ScrabbleActions(Actions):
    """Action k is the k-th best move by points and leave, from 0; other moves are not available."""

    exact = False

    def __init__(self, count: int) -> None:
        super().__init__(count, "the rank of the move by its points and the tiles that it keeps")

    def legal(self, position: AbstractPosition) -> Mapping[int, int]:
        """See `Actions.legal`."""
        return {rank: move for rank, (move, _) in enumerate(position.top_moves(self.count))}


def too_few_actions(description: str, count: int) -> Usage:
    """The error for a move beyond the actions of the environment."""
    return Usage(f"{description}, beyond the {count} actions of the environment. Try: actions={2 * count}")


def numbered_actions(numbers: Iterable[int], meaning: str) -> KeyedActions:
    """Actions for these moves, numbered in the same order."""
    return KeyedActions({number: action for action, number in enumerate(numbers)}, meaning)


def _go(position: "Go") -> KeyedActions:
    stride = position.columns + 1
    points = [row * stride + column for row in range(position.rows, 0, -1) for column in range(1, stride)]
    return numbered_actions([*points, 0], "the point, row by row from the top; the last is a pass")


def _othello(position: "Othello") -> KeyedActions:
    size = range(position.size)
    return numbered_actions(
        [*(8 * row + x for row in size for x in size), 64], "the square; the last is a pass"
    )


def _stratego(position: "Stratego") -> KeyedActions:
    moves = {100 * cell + target for cell in range(100) for target in range(100) if _is_line(cell, target)}
    setups = range(100, 100 + 2 * len(position.setup_names) + 2)
    return numbered_actions(
        sorted({*range(100), *setups, *moves}), "the cell of a piece, a set-up, or two cells of a line"
    )


def _is_line(cell: int, target: int) -> bool:
    return cell != target and (cell // 10 == target // 10 or cell % 10 == target % 10)


def _chess(_: Any) -> KeyedActions:
    return KeyedActions(
        chess_keys(), "from and to, as a queen or a knight; then underpromotions", 4095, 6, 0x7000
    )


def _nim(position: "Nim") -> KeyedActions:
    _, *heaps = position.key()
    moves = [heap << 8 | take for heap, size in enumerate(heaps) for take in range(1, size + 1)]
    return numbered_actions(moves, "the heap and how many are taken")


def _tree(position: "Tree") -> KeyedActions:
    max_branches, nodes = 1, [position.root]
    while nodes:
        node = nodes.pop()
        if node.turn != CHANCE:
            max_branches = max(max_branches, len(node.branches))
        nodes += node.branches
    return numbered_actions(range(max_branches), "the branch, in the order of the file")


Numbering = Callable[[Any], Actions]
NUMBERINGS: Mapping[str, Numbering] = {
    "backgammon": lambda position: ListedActions(position.max_moves),
    "battleship": lambda position: numbered_actions(
        range(3 * position.rows * position.columns), "a shot at a cell, a ship across from it, a ship down"
    ),
    "bridge": lambda _: numbered_actions(range(90), "a card, pass, double, redouble, bids from 1C to 7N"),
    "checkers": lambda _: KeyedActions(checkers_keys(), "the square left, and the slide or the jumps"),
    "chess": _chess,
    "chinese-checkers": lambda _: numbered_actions(
        [*(start << 7 | to for start in range(121) for to in range(121)), 1 << 14],
        "the hole left and the hole reached; the last is a pass",
    ),
    "connect4": lambda position: numbered_actions(range(len(position.board().cells[0])), "the column"),
    "draughts": lambda position: ListedActions(position.max_moves),
    "go": _go,
    "hearts": lambda _: numbered_actions(range(52), "a card"),
    "holdem": HoldemActions,
    "kuhn": lambda _: numbered_actions(range(2), "check or fold, bet or call"),
    "leduc": lambda _: numbered_actions(range(3), "fold, check or call, bet or raise"),
    "liars-dice": lambda position: numbered_actions(range(position.doubt + 1), "the bid; the last is liar"),
    "monopoly": lambda position: ListedActions(position.max_moves),
    "nim": _nim,
    "othello": _othello,
    "phantom-tictactoe": lambda _: numbered_actions(range(9), "the cell"),
    "pig": lambda _: KeyedActions({0: 0} | {2 * pot: 1 for pot in range(1, 1 << 9)}, "roll, hold"),
    "puzzle15": lambda _: numbered_actions(range(4), "the direction in which a tile slides"),
    "scrabble": lambda _: ScrabbleActions(200),
    "stratego": _stratego,
    "tictactoe": lambda position: numbered_actions(range(sum(map(len, position.board().cells))), "the cell"),
    "tree": _tree,
}


def actions_of(game: "Game", name: str, count: int | None) -> Actions:
    """The actions of a game; `name`: the name of a built-in game, "" for a user-defined one.

    `count`: for user-defined games and Scrabble; None: at least twice the number that random games need.
    Raises Usage if another game is given a count.
    """
    if count is not None and name == "scrabble":
        return ScrabbleActions(count)
    if name in NUMBERINGS:
        actions = NUMBERINGS[name](game.new())
        if count is not None:
            raise Usage(f"actions={count}: {game.name} has a fixed number of actions, {actions.count}")
        return actions
    largest, max_moves = _sample_moves(game)
    if largest < MAX_DIRECT_MOVE:
        return numbered_actions(range(count or max(2, 1 << largest.bit_length())), "the number of the move")
    return ListedActions(count or 1 << max_moves.bit_length())


def _sample_moves(game: "Game") -> tuple[int, int]:
    """The largest move of random games, and the largest number of legal moves."""
    from random import Random

    rng = Random("actions")
    largest = max_moves = 0
    for _ in range(SAMPLE_GAMES):
        for position in random_game(game, rng):
            if position.turn != CHANCE:
                moves = position.moves()
                largest, max_moves = max(largest, *moves, 0), max(max_moves, len(moves))
    return largest, max_moves
