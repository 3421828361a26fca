"""Questions of the quiz, with their answers and the searches that explain them."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from gameplay import registry
from gameplay.games.tree.game import Tree
from gameplay.position import AbstractPosition
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.tracing.trace import Follower, TraceStep
from gameplay.tracing.tree import SearchTreeBuilder, TracedNode
from gameplay.training import random_trees
from gameplay.training.answer import RightAnswer

MAX_NODES = 5_000  # of the tree of a search


@dataclass(frozen=True)
class Question:
    """A question on the tree `data`, or on `game` after the moves `words`, or both; and its answer.

    Without tree and game it is about the numbers in `rows`.
    """

    kind: str
    level: int
    text: str
    answer: RightAnswer
    game: str = ""  # its spec; "": a random tree
    words: tuple[str, ...] = ()  # the moves to the position
    data: random_trees.Data | None = field(default=None, compare=False)
    engine: str = "alphabeta"  # its search gives the answer and the explanation
    depth: int = 1
    note: str = ""  # explanation, instead of a long trace
    rows: tuple[str, ...] = ()  # table shown without a tree or a game

    def position(self) -> AbstractPosition:
        """A new position to search."""
        return self.make_position() if self.data is None else self.tree()

    def tree(self) -> Tree:
        """The tree of `data`, new at each call."""
        return copy(self._tree)

    @cached_property
    def _tree(self) -> Tree:
        """The shared tree at its root; `tree` copies it, since its nodes never change."""
        assert self.data is not None
        return Tree.of(self.data)

    def make_position(self) -> AbstractPosition:
        """The position of `game` after `words`."""
        return position_after(self.game, self.words)

    def follow(self, sink: Callable[[TraceStep], object]) -> None:
        """Search, and pass each step to `sink`, see `tracing.trace`."""
        engine = registry.engine(self.engine)[0]
        trace = Follower(self.position(), engine, sink, listed=99)
        assert self.data is not None or self.game
        Session(engine).search(self.position(), Limit(depth=self.depth), trace=trace)

    def visited(self) -> TracedNode:
        """The tree that the search visits; with iterative deepening that of the last iteration."""
        growth = SearchTreeBuilder(MAX_NODES, alone=True)
        self.follow(growth)
        return [root for root in growth.roots if root.left is not None][-1]


def position_after(game: str, words: Sequence[str]) -> AbstractPosition:
    """The position after these moves."""
    position = registry.game(game).new()
    for word in words:
        position.make(position.parse(word))
    return position
