"""Trees for exercises: random ones, or the full tree of a position near the end of a game.

Both are nested mappings as `games.tree` reads them. Branches of random trees have unique letters, which
identify nodes; those of positions are named by the moves.
"""

from collections.abc import Iterator
from itertools import count, product
from random import Random
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from gameplay.matches.random_moves import random_move

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition
    from gameplay.registry import Game

Data = dict[str, Any]

LEVELS = range(1, 6)
SHAPES = {1: (2, (2,)), 2: (2, (2, 3)), 3: (3, (2,)), 4: (3, (2, 3)), 5: (4, (2, 2, 3))}  # plies, widths
SPANS = {1: (0, 9), 2: (0, 20), 3: (-9, 9), 4: (-9, 9), 5: (-20, 20)}  # ranges of payoffs
CHAINS = {1: 1, 2: 2, 3: 2, 4: 3, 5: 4}  # maximum number of noisy branches in a row
NODES = {1: 12, 2: 20, 3: 40, 4: 70, 5: 120}  # maximum size of the tree of a position
MAX_PLIES = 400  # of a random game
TRIES = 60  # random games


def letters() -> Iterator[str]:
    """Yield a, b, ..., z, aa, ab, ..., without q, the command to quit."""
    for length in count(1):
        for word in product(ascii_lowercase, repeat=length):
            if word != ("q",):
                yield "".join(word)


def random_tree(rng: Random, level: int) -> Data:
    """A random tree: MAX at the root, then MIN and MAX in turn, leaves on one ply."""
    plies, widths = SHAPES[level]
    names = letters()

    def grow(side: str, left: int) -> Any:
        if not left:
            return rng.randint(*SPANS[level])
        words = [next(names) for _ in range(rng.choice(widths))]
        return {side: {word: grow("min" if side == "max" else "max", left - 1) for word in words}}

    grown: Data = grow("max", plies)
    return grown


def noisy_tree(rng: Random, level: int) -> Data:
    """A random tree for quiescence: below MAX's branches are guesses, and noisy branches to continue with."""
    names = letters()
    _, widths = SHAPES[level]

    def vary(guess: int) -> int:
        return guess + rng.choice((-5, -3, -2, -1, 0, 0, 1, 2, 3, 5))

    def grow(side: str, guess: int, chain: int) -> Any:
        """A node at the depth limit or below it."""
        other = "min" if side == "max" else "max"
        noisy = [next(names) for _ in range(rng.randint(0, 2) if chain else 0)]
        below = {word: grow(other, vary(guess), chain - 1) for word in noisy}
        if (chain and rng.random() < 0.7) or not below:
            below[next(names)] = vary(guess)
        node = {"guess": guess, side: below}
        return node | {"noisy": noisy} if noisy else guess

    words = [next(names) for _ in range(max(2, rng.choice(widths)))]
    return {"max": {word: grow("min", rng.randint(-4, 4), CHAINS[level]) for word in words}}


def unfold_position(position: "AbstractPosition", most: int) -> Data | None:
    """The full tree of a position of a two-player game, MAX to move; None with more than `most` nodes, or at
    the end.

    Payoffs are MAX's: 1, 0 and -1, or points in a scored game.
    """
    mover = position.turn
    remaining = most

    def unfold() -> Any:
        nonlocal remaining
        remaining -= 1
        if remaining < 0:
            return None
        outcome = position.outcome()
        if outcome is not None:
            payoff = outcome[mover]
            return int(payoff) if position.scored else (payoff > 0) - (payoff < 0)
        side = "max" if position.turn == mover else "min"
        below = {}
        for move in position.moves():
            word = position.format(move)
            position.make(move)
            below[word] = unfold()
            position.unmake()
            if remaining < 0:
                return None
        return {side: below}

    whole = unfold()
    return whole if isinstance(whole, dict) else None


def near_end(game: "Game", rng: Random, level: int) -> tuple[list[str], Data] | None:
    """The moves to a random position whose full tree has the size of the level, and the tree.

    None if no random game reaches such a position.
    """
    for _ in range(TRIES):
        position = game.new()
        words: list[str] = []
        while position.outcome() is None and len(words) < MAX_PLIES:
            move = random_move(position, rng)
            words.append(position.format(move))
            position.make(move)
        if position.outcome() is None:
            return None
        data, at = None, len(words)
        for ply in range(len(words) - 1, -1, -1):
            position.unmake()
            whole = unfold_position(position, NODES[level])
            if whole is None:
                break
            data, at = whole, ply
        if data is not None and count_nodes(data) >= NODES[level] // 3 and len(branches(data)) > 1:
            return words[:at], data
    return None


def count_nodes(data: Any) -> int:
    """The number of nodes of a tree."""
    return 1 + sum(map(count_nodes, branches(data).values()))


def height(data: Any) -> int:
    """The height of a tree in plies."""
    return max((1 + height(branch) for branch in branches(data).values()), default=0)


def branches(data: Any) -> Data:
    """The children of a node by name; empty for a leaf."""
    if not isinstance(data, dict):
        return {}
    below: Data = data["max"] if "max" in data else data["min"]
    return below
