"""Builds a book by best-first search: drop-out expansion (Lincke 2001).

1.  Each position of the book is searched for its `width` best moves and their values; the last of them bounds
    all other moves, and this bound is stored too. If backed-up values lower all of these below the bound, the
    other moves are searched in the same way.
2.  Values are backed up through the book by negamax (`gameplay.knowledge.books.editable_book`).
3.  Each move has a cost: STEP, and its loss against the best move by current values. The leaf with the
    cheapest path from a start is searched next, so lines of good moves grow long, and refuted moves drop out.
4.  A round searches 1 + positions / POSITIONS_PER_SEARCH leaves; after each round the book is stored.
    The book is the complete state: an interrupted build continues to the same result.

Thomas R. Lincke, "Strategies for the Automatic Construction of Opening Books", Computers and Games 2000,
LNCS 2063 (2001).
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import BadInput, Usage
from gameplay.knowledge.books.book_file import REST, VALUES, BookMove
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.knowledge.books.fingerprint import fingerprint, successor_fingerprints
from gameplay.knowledge.books.solved import check_supported
from gameplay.knowledge.knowledge import terminal_value
from gameplay.search.limit import Limit
from gameplay.value import EXACT, UPPER

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

NODES = 20_000  # default node limit of a search
WIDTH = 4  # default number of moves that a search values
POSITIONS_PER_SEARCH = 64  # a round has one search plus one for each 64 positions of the book
STEPS_PER_HALF_WIN = 8  # half a win (`gameplay.value.half_win`) divided by STEP, the cost of a move


@dataclass(frozen=True)
class ExpansionProgress:
    """The progress of an expansion."""

    positions: int
    target: int
    value: int  # of the start, from its mover's view
    line: tuple[str, ...]  # the best moves from the start


class Expansion:
    """Expands a book by searches of an engine."""

    def __init__(self, draft: EditableBook, spec: str, limit: Limit, width: int) -> None:
        """Raises Usage for an unsupported game or engine, BadInput for a book of another engine or width."""
        self.draft = draft
        self.game = draft.game
        position = self.game.new()
        check_supported(position)
        self.engine, own_limit = registry.engine(spec)
        self.limit = own_limit.within(limit)
        if not self.limit:
            self.limit = Limit(nodes=NODES)
        if not self.engine.thinks or self.engine.simulates:
            raise Usage(
                f"a book is expanded by an engine with a search depth, and {self.engine.name} has none"
            )
        registry.check_engine(self.engine, position)
        self._check_searcher(width)
        self.width = draft.facts.width

    def _check_searcher(self, width: int) -> None:
        """Record engine, limit and width in the book; raises BadInput if others are recorded."""
        facts = self.draft.facts
        searcher = f"{self.engine}, {self.limit}"
        if facts.width and (facts.engine, facts.width) != (searcher, width):
            raise BadInput(
                f"this book was built with {facts.engine}, width {facts.width}; continue with the same"
            )
        facts.engine, facts.width = searcher, width
        facts.weights = VALUES

    def grow(
        self,
        target: int,
        save: Callable[[], None],
        watch: Callable[[ExpansionProgress], None] = lambda progress: None,
    ) -> bool:
        """Search until the book has `target` positions; false if no leaf is left to search.

        `save` and `watch` are called after each round.
        """
        draft = self.draft
        draft.back_up()
        while (count := draft.count_valued()) < target:
            leaves = self._cheapest_leaves(min(target - count, 1 + count // POSITIONS_PER_SEARCH))
            if not leaves:
                return False
            for start, line in leaves:
                self._search(self._position_at(start, line))
            draft.back_up()
            save()
            watch(self._progress(target))
        return True

    def _search(self, position: "AbstractPosition") -> None:
        """Search the moves of a position without a value in the book, and add the best of them."""
        key, mover, children = fingerprint(position), position.turn, successor_fingerprints(position)
        entries = self.draft.positions.setdefault(key, {})
        entries.pop(REST, None)
        unsearched = [
            move for move, child in children.items() if not (child in entries and entries[child].bound)
        ]
        report = self.engine.search(position, self.limit.with_(multipv=self.width, moves=tuple(unsearched)))
        if report.stopped == "interrupted":
            raise KeyboardInterrupt
        assert report.move is not None
        results = [
            (candidate.move, int(candidate.value), candidate.proven)
            for candidate in report.candidates
            if candidate.bound == "exact"
        ]
        for move, value, proven in results or [(report.move, int(report.value), report.exact)]:
            entry = entries.setdefault(children[move], BookMove())
            if entry.bound:  # equal by symmetry to a better move
                continue
            entry.value, entry.bound, entry.depth = value, EXACT, min(255, report.depth)
            entry.solved = proven and report.exact
            position.make(move)
            payoffs = position.outcome()
            entry.same_mover = payoffs is None and position.turn == mover
            if payoffs is not None:
                entry.value, entry.solved, entry.depth = terminal_value(payoffs[mover], position), True, 0
            position.unmake()
        if not all(child in entries and entries[child].bound for child in children.values()):
            bound = min((value for _, value, _ in results), default=int(report.value))
            entries[REST] = BookMove(
                value=bound, bound=UPPER, depth=min(255, report.depth), solved=report.exact
            )

    def _cheapest_leaves(self, count: int) -> list[tuple[str, list[int]]]:
        """The leaves with the cheapest paths: each a start and the fingerprints of the path."""
        draft = self.draft
        step = max(1, scale.half_win(self.game.new().unit) // STEPS_PER_HALF_WIN)
        heap: list[tuple[int, int, int]] = []  # cost, position, parent
        parents: dict[int, int] = {}  # of each position on its cheapest path
        starts: dict[int, str] = {}
        for start in draft.facts.starts:
            key = fingerprint(self.game.new(start))
            if starts.setdefault(key, start) == start:
                heapq.heappush(heap, (0, key, key))
        leaves: list[tuple[str, list[int]]] = []
        while heap and len(leaves) < count:
            cost, key, parent = heapq.heappop(heap)
            if key in parents:
                continue
            parents[key] = parent
            entries = draft.positions.get(key, {})
            exact = {child: entry for child, entry in entries.items() if entry.bound == EXACT}
            best = max((entry.value for entry in exact.values()), default=-scale.INF)
            if not exact or (REST in entries and entries[REST].value > best):
                path = [key]
                while path[-1] not in starts:
                    path.append(parents[path[-1]])
                leaves.append((starts[path[-1]], path[-2::-1]))
            for child, entry in exact.items():
                if not entry.solved and child not in parents:
                    heapq.heappush(heap, (cost + step + best - entry.value, child, key))
        return leaves

    def _position_at(self, start: str, line: list[int]) -> "AbstractPosition":
        """The position at the end of a path."""
        position: AbstractPosition = self.game.new(start)
        for key in line:
            move = next(move for move, child in successor_fingerprints(position).items() if child == key)
            position.make(move)
        return position

    def _progress(self, target: int) -> ExpansionProgress:
        """The progress, with the main line of the book."""
        draft = self.draft
        position = self.game.new(draft.facts.starts[0])
        words: list[str] = []
        value, seen = 0, set()
        while (key := fingerprint(position)) in draft.positions and key not in seen:
            seen.add(key)
            if position.outcome() is not None:
                break
            entries = draft.positions[key]
            if not any(entry.bound for entry in entries.values()):
                break
            child = max(entries, key=lambda move: (entries[move].bound == EXACT, entries[move].value))
            value = value if words else entries[child].value
            move = next(
                move for move, successor in successor_fingerprints(position).items() if successor == child
            )
            words.append(position.format(move))
            position.make(move)
        return ExpansionProgress(draft.count_valued(), target, value, tuple(words))
