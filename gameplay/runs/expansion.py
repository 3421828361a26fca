"""Makes a book by searches, best first: drop-out expansion (Lincke 2001).

1.  Each position of the book is searched for its `width` best moves and their values; the last of them bounds
    all other moves, and this bound is stored too. If backed-up values lower all of these below the bound, the
    other moves are searched in the same way.
2.  Values are backed up through the book by negamax (`gameplay.knowledge.books.editable_book`).
3.  Each move has a cost: STEP, and its loss against the best move by current values. The leaf with the
    cheapest path from a start is searched next, so lines of good moves grow long, and refuted moves drop out.
4.  A round searches positions / SHARE leaves, at least one; after each round the book is passed on to be
    stored. The book is the whole state: an interrupted build continues to the same book.

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

NODES = 20_000  # a search, where nothing else limits it
WIDTH = 4  # moves a search gives
SHARE = 64  # positions of the book for one more search a round
STEPS_PER_HALF_WIN = 8  # parts of half a win (`gameplay.value.half_win`) that a move costs for being one


@dataclass(frozen=True)
class Expanding:
    """How far an expansion is."""

    positions: int
    wanted: int
    value: int  # of the start, for its mover
    line: tuple[str, ...]  # the best moves from there


class Expansion:
    """Lets a book grow by the searches of an engine."""

    def __init__(self, draft: EditableBook, spec: str, limit: Limit, width: int) -> None:
        """Raises Usage for a game or an engine that cannot do it, BadInput for another than the book's."""
        self.draft = draft
        self.game = draft.game
        position = self.game.new()
        check_supported(position)
        self.engine, own = registry.engine(spec)
        self.limit = own.within(limit)
        if not self.limit:
            self.limit = Limit(nodes=NODES)
        if not self.engine.thinks or self.engine.simulates:
            raise Usage(f"a book grows by values of a search in depth, and {self.engine.name} gives none")
        registry.check_engine(self.engine, position)
        self._sign(width)
        self.width = draft.facts.width

    def _sign(self, width: int) -> None:
        """Write into the book who searches, or hold it against who did."""
        facts = self.draft.facts
        signed = f"{self.engine}, {self.limit}"
        if facts.width and (facts.engine, facts.width) != (signed, width):
            raise BadInput(f"this book grows by {facts.engine}, width {facts.width}; go on with the same")
        facts.engine, facts.width = signed, width
        facts.weights = VALUES

    def grow(
        self,
        wanted: int,
        keep: Callable[[], None],
        watch: Callable[[Expanding], None] = lambda progress: None,
    ) -> bool:
        """Search until the book has so many positions. False: there is nothing left to search."""
        draft = self.draft
        draft.back_up()
        while (count := draft.count_valued()) < wanted:
            ends = self._cheapest(min(wanted - count, 1 + count // SHARE))
            if not ends:
                return False
            for start, line in ends:
                self._search(self._reached(start, line))
            draft.back_up()
            keep()
            watch(self._progress(wanted))
        return True

    def _search(self, position: "AbstractPosition") -> None:
        """Put the best moves of a position into the book, of those that it does not hold yet with a value."""
        key, mover, children = fingerprint(position), position.turn, successor_fingerprints(position)
        entries = self.draft.positions.setdefault(key, {})
        entries.pop(REST, None)
        open_ = [move for move, child in children.items() if not (child in entries and entries[child].known)]
        report = self.engine.search(position, self.limit.with_(multipv=self.width, moves=tuple(open_)))
        if report.stopped == "interrupted":
            raise KeyboardInterrupt
        assert report.move is not None
        results = [
            (one.move, int(one.value), one.proven) for one in report.candidates if one.bound == "exact"
        ]
        for move, value, proven in results or [(report.move, int(report.value), report.exact)]:
            entry = entries.setdefault(children[move], BookMove())
            if entry.known:  # symmetry makes it one with a better move
                continue
            entry.value, entry.known, entry.depth = value, EXACT, min(255, report.depth)
            entry.solved = proven and report.exact
            position.make(move)
            payoffs = position.outcome()
            entry.again = payoffs is None and position.turn == mover
            if payoffs is not None:
                entry.value, entry.solved, entry.depth = terminal_value(payoffs[mover], position), True, 0
            position.unmake()
        if not all(child in entries and entries[child].known for child in children.values()):
            least = min((value for _, value, _ in results), default=int(report.value))
            entries[REST] = BookMove(
                value=least, known=UPPER, depth=min(255, report.depth), solved=report.exact
            )

    def _cheapest(self, count: int) -> list[tuple[str, list[int]]]:
        """The ends of lines that are cheapest to come to: a start and the fingerprints on the way."""
        draft = self.draft
        step = max(1, scale.half_win(self.game.new().unit) // STEPS_PER_HALF_WIN)
        heap: list[tuple[int, int, int]] = []  # price, position, the one before
        before: dict[int, int] = {}  # a position, and from which it is reached at the least price
        begun: dict[int, str] = {}
        for start in draft.facts.starts:
            key = fingerprint(self.game.new(start))
            if begun.setdefault(key, start) == start:
                heapq.heappush(heap, (0, key, key))
        ends: list[tuple[str, list[int]]] = []
        while heap and len(ends) < count:
            price, key, last = heapq.heappop(heap)
            if key in before:
                continue
            before[key] = last
            entries = draft.positions.get(key, {})
            exact = {child: one for child, one in entries.items() if one.known == EXACT}
            best = max((one.value for one in exact.values()), default=-scale.INF)
            if not exact or (REST in entries and entries[REST].value > best):
                path = [key]
                while path[-1] not in begun:
                    path.append(before[path[-1]])
                ends.append((begun[path[-1]], path[-2::-1]))
            for child, one in exact.items():
                if not one.solved and child not in before:
                    heapq.heappush(heap, (price + step + best - one.value, child, key))
        return ends

    def _reached(self, start: str, line: list[int]) -> "AbstractPosition":
        """The position at the end of a line."""
        position: AbstractPosition = self.game.new(start)
        for key in line:
            move = next(move for move, child in successor_fingerprints(position).items() if child == key)
            position.make(move)
        return position

    def _progress(self, wanted: int) -> Expanding:
        """The state of the book, and its main line."""
        draft = self.draft
        position = self.game.new(draft.facts.starts[0])
        words: list[str] = []
        value, seen = 0, set()
        while (key := fingerprint(position)) in draft.positions and key not in seen:
            seen.add(key)
            if position.outcome() is not None:
                break
            entries = draft.positions[key]
            if not any(one.known for one in entries.values()):
                break
            child = max(entries, key=lambda one: (entries[one].known == EXACT, entries[one].value))
            value = value if words else entries[child].value
            move = next(
                move for move, after_it in successor_fingerprints(position).items() if after_it == child
            )
            words.append(position.format(move))
            position.make(move)
        return Expanding(draft.count_valued(), wanted, value, tuple(words))
