"""Random trees and searches that tests of MCTS share."""

import random
from typing import Any

from gameplay import Limit, Report, registry
from gameplay.games.tree import Tree

SMALL = "memory=1MB,reuse=off"  # a search of a small tree is quick to set up


def search(position: Any, spec: str = "", simulations: int = 1000, multipv: int = 1, **more: Any) -> Report:
    engine, _ = registry.engine(f"mcts:{spec}" if spec else "mcts")
    return engine.search(position, Limit(simulations=simulations, multipv=multipv), **more)


def random_subtree(draw: random.Random, players: int, depth: int, chance: bool) -> Any:
    """A random tree as data; with more than two players all payoffs differ."""
    if not depth or draw.random() < 0.15:
        if players == 2:
            return draw.randint(-9, 9)
        return [draw.randint(-(10**6), 10**6) / 1000 for _ in range(players)]
    width = draw.randint(2, 3)
    below = [random_subtree(draw, players, depth - 1, chance) for _ in range(width)]
    if chance and draw.random() < 0.3:
        first = draw.randint(1, 9) / 10
        return {"chance": dict(zip((f"x {first}", f"y {1 - first:.1f}"), below[:2], strict=True))}
    mover = draw.choice(("max", "min")) if players == 2 else "ABC"[draw.randrange(players)]
    return {mover: below}


def random_tree(seed: int, players: int, chance: bool, depth: int = 4) -> Any:
    draw = random.Random(seed)
    root = {}
    while not root or "chance" in root:
        root = random_subtree(draw, players, depth, chance)
        root = root if isinstance(root, dict) else {}
    if players == 2:
        return Tree.of(root)
    return Tree.of({"players": ["A", "B", "C"][:players], **root})
