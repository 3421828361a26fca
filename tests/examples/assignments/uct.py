"""A correct solution of the assignment uct."""

from math import log, sqrt
from random import Random

from gameplay import Report

C = 1.4


class Node:
    """A position of the tree: who moves there, and what came of it."""

    def __init__(self, position):
        self.over = position.outcome() is not None
        self.turn = position.turn
        self.untried = [] if self.over else list(position.moves())
        self.children = {}
        self.visits = 0
        self.total = 0.0  # for the player who chose to come here

    def select(self):
        def bound(move):
            child = self.children[move]
            return child.total / child.visits + C * sqrt(log(self.visits) / child.visits)

        return max(self.children, key=bound)


def choose(position, limit):
    rng = Random(1)
    root = Node(position)
    for _ in range(limit.simulations):
        simulate(position, root, rng)
    return Report(move=max(root.children, key=lambda move: root.children[move].visits))


def simulate(position, root, rng):
    node, path, ply = root, [(root, None)], 0
    while not node.untried and not node.over:  # selection
        move = node.select()
        chooser = node.turn
        position.make(move)
        ply += 1
        node = node.children[move]
        path.append((node, chooser))
    if node.untried:  # expansion
        move = node.untried.pop(rng.randrange(len(node.untried)))
        chooser = node.turn
        position.make(move)
        ply += 1
        node.children[move] = Node(position)
        node = node.children[move]
        path.append((node, chooser))
    while position.outcome() is None:  # simulation
        position.make(rng.choice(position.moves()))
        ply += 1
    payoffs = position.outcome()
    for _ in range(ply):
        position.unmake()
    for node, chooser in path:  # backup
        node.visits += 1
        if chooser is not None:
            node.total += payoffs[chooser]
