"""A book in memory: read from a file, extended, backed up, pruned, merged and written.

Values are backed up by negamax: if a move leads to a position of the book, its value is that of the best move
there, negated and one ply later. The depth of a position is the length of its shortest path from a start; a
move to a position that is no deeper keeps its search value, which excludes cycles.
"""

import dataclasses
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from gameplay import value as scale
from gameplay.errors import BadInput
from gameplay.knowledge.books import book
from gameplay.knowledge.books.book_file import (
    GAMES,
    MIXED,
    REST,
    VALUES,
    BookFacts,
    BookFile,
    BookMove,
    encode,
)
from gameplay.knowledge.books.fingerprint import fingerprint, make_moves, successor_fingerprints
from gameplay.knowledge.knowledge import GameLike
from gameplay.position import CHANCE, AbstractPosition
from gameplay.value import EXACT


@dataclasses.dataclass(frozen=True)
class BookPosition:
    """A position of a book with a shortest path to it."""

    start: str
    path: tuple[str, ...]  # moves in notation
    position: AbstractPosition
    key: int
    moves: dict[int, tuple[int, BookMove]]  # by legal move: the successor, the entry; symmetric moves once


class EditableBook:
    """Positions by fingerprint, each with its moves by the fingerprint of the successor."""

    def __init__(self, game: GameLike, weights: str = GAMES) -> None:
        self.game = game
        self.facts = BookFacts(game.name, game.spec, book.start_fingerprint(game), weights)
        self.positions: dict[int, dict[int, BookMove]] = {}

    @classmethod
    def of(cls, source: BookFile, game: GameLike) -> "EditableBook":
        """Read a book from its file. Raises BadInput if it is of another game."""
        book.check_game(source.facts, game, source.path)
        draft = cls(game, source.facts.weights)
        draft.facts = dataclasses.replace(source.facts, starts=[*source.facts.starts])
        for key, child, entry in source:
            draft.positions.setdefault(key, {})[child] = entry
        return draft

    def __len__(self) -> int:
        return len(self.positions)

    def moves(self) -> int:
        """The total number of moves."""
        return sum(len(entries) - (REST in entries) for entries in self.positions.values())

    def encode(self) -> Iterator[bytes]:
        """The bytes of its file."""
        entries = [
            (key, child, entry) for key, moves in self.positions.items() for child, entry in moves.items()
        ]
        return encode(self.facts, entries)

    # -- adding -----------------------------------------------------------------------------------

    def add_start(self, start: str) -> None:
        """Add a start position of lines."""
        if start not in self.facts.starts:
            self.facts.starts.append(start)

    def entry(self, key: int, child: int) -> BookMove:
        """The entry of a move, created if missing."""
        return self.positions.setdefault(key, {}).setdefault(child, BookMove())

    def count(self, start: str, moves: Sequence[str], payoffs: Sequence[float] | None, plies: int) -> int:
        """Count the first moves of a game; returns their number. Raises IllegalMove, BadInput."""
        steps = list(make_moves(self.game.new(start), moves[:plies]))
        for key, child, mover, _ in steps:
            self._count_game(self.entry(key, child), mover, payoffs)
        if steps:
            self.add_start(start)
        return len(steps)

    def learn(self, start: str, moves: Sequence[str], payoffs: Sequence[float] | None) -> int:
        """Count the moves of a game made in positions of the book; returns their number."""
        steps = list(make_moves(self.game.new(start), moves))
        counted = [step for step in steps if step[0] in self.positions]
        for key, child, mover, _ in counted:
            self._count_game(self.entry(key, child), mover, payoffs)
        return len(counted)

    def _count_game(self, entry: BookMove, mover: int, payoffs: Sequence[float] | None) -> None:
        """Count a game in which `mover` played the move: weight 2 for a win, 0 for a loss, otherwise 1.
        Chance moves are also counted, with weight 0.
        """
        entry.games += 1
        if mover == CHANCE:
            return
        gain = 1
        if payoffs is not None:
            best_other = max(pay for player, pay in enumerate(payoffs) if player != mover)
            entry.won += payoffs[mover] > best_other
            entry.drawn += payoffs[mover] == best_other
            entry.lost += payoffs[mover] < best_other
            gain = 1 + (payoffs[mover] > best_other) - (payoffs[mover] < best_other)
        if self.facts.weights != VALUES:
            entry.weight += gain

    def count_valued(self) -> int:
        """The number of positions with a move of known value."""
        return sum(any(entry.bound for entry in entries.values()) for entries in self.positions.values())

    def walk(self) -> Iterator[BookPosition]:
        """Every position reachable from a start, once, nearest first."""
        queue: deque[tuple[str, tuple[str, ...]]] = deque((start, ()) for start in self.facts.starts)
        seen: set[int] = set()
        while queue:
            start, path = queue.popleft()
            position = self.game.new(start)
            for word in path:
                position.make(position.parse(word))
            key = fingerprint(position)
            if key in seen or key not in self.positions or position.outcome() is not None:
                continue
            seen.add(key)
            entries, added = self.positions[key], set()
            moves: dict[int, tuple[int, BookMove]] = {}
            for move, child in successor_fingerprints(position).items():
                if child in entries and child not in added:
                    added.add(child)
                    moves[move] = child, entries[child]
            for move in moves:
                queue.append((start, (*path, position.format(move))))
            yield BookPosition(start, path, position, key, moves)

    # -- values -----------------------------------------------------------------------------------

    def depths(self) -> dict[int, int]:
        """The depth of each position on the shortest path from a start, nearest first."""
        distances = {fingerprint(self.game.new(start)): 0 for start in self.facts.starts}
        distances = {key: 0 for key in distances if key in self.positions}
        queue = deque(distances)
        while queue:
            key = queue.popleft()
            for child in self.positions[key]:
                if child in self.positions and child not in distances:
                    distances[child] = distances[key] + 1
                    queue.append(child)
        return distances

    def back_up(self) -> None:
        """Back up the values of the leaves; in a book of values, weight the moves by them."""
        depths = self.depths()
        for key in reversed(depths):
            for child, entry in self.positions[key].items():
                if depths.get(child, -1) > depths[key]:
                    self._set_backed_up_value(entry, self.positions[child])
        if self.facts.weights == VALUES:
            self.set_weights()

    @staticmethod
    def _set_backed_up_value(entry: BookMove, successor_moves: dict[int, BookMove]) -> None:
        """Set the value of a move to that of the best move in its successor."""
        exact_moves = [entry for entry in successor_moves.values() if entry.bound == EXACT]
        if not exact_moves:
            return
        best = max(exact_moves, key=lambda entry: (entry.value, entry.solved, entry.depth))
        entry.value = scale.delay(best.value if entry.same_mover else -best.value)
        entry.bound, entry.backed_up = EXACT, True
        # A win needs one proved move; any other value needs all moves proved.
        entry.solved = (best.solved and best.value > scale.MAX_EVAL) or all(
            entry.solved for entry in successor_moves.values()
        )
        entry.depth = 0 if entry.solved else min(255, best.depth + 1)

    def set_weights(self) -> None:
        """Weight the best moves of each position, and those within `deviation`, by their results.
        Without values, moves keep the weights from games and lines.
        """
        for entries in self.positions.values():
            values = [entry.value for entry in entries.values() if entry.bound == EXACT]
            for entry in entries.values():
                is_best = entry.bound == EXACT and max(values) - entry.value <= self.facts.deviation
                if values:
                    entry.weight = (1 + 2 * entry.won + entry.drawn) if is_best else 0
                elif entry.games:
                    entry.weight = entry.games + entry.won - entry.lost

    # -- pruning and merging ----------------------------------------------------------------------

    def prune(self, games: int = 0, deviation: int | None = None, plies: int | None = None) -> None:
        """Drop moves without a value played in fewer than `games` games, moves worse than the best by more
        than `deviation`, positions from depth `plies` on, and then unreachable positions.
        """
        for key, entries in list(self.positions.items()):
            values = [entry.value for entry in entries.values() if entry.bound == EXACT]
            for child, entry in list(entries.items()):
                is_rare = entry.games < games and not entry.bound
                loss = max(values) - entry.value if entry.bound == EXACT else 0
                is_inferior = deviation is not None and loss > deviation
                if is_rare or is_inferior:
                    del entries[child]
                if is_inferior and REST in entries:
                    entries[REST].value = max(entries[REST].value, entry.value)
            if entries.keys() <= {REST}:
                del self.positions[key]
        if plies is not None:
            depths = self.depths()
            self.positions = {
                key: entries for key, entries in self.positions.items() if depths.get(key, plies) < plies
            }
        self.drop_unreachable()

    def drop_unreachable(self) -> None:
        """Drop positions that no start reaches, and starts at which no line begins."""
        if self.game.new().hidden:
            return  # information sets of different players do not connect
        starts = self.facts.starts
        self.facts.starts = [start for start in starts if fingerprint(self.game.new(start)) in self.positions]
        reached = self.depths()
        self.positions = {key: entries for key, entries in self.positions.items() if key in reached}
        self.facts.starts = self.facts.starts or [""]

    def merge(self, other: "EditableBook") -> None:
        """Merge another book into this one: counts are added, the more reliable of two values is kept.
        Raises BadInput for a book of another game or one that counts the same games.
        """
        book.check_game(other.facts, self.game, "the other book")
        facts, other_facts = self.facts, other.facts
        if common := set(facts.learned) & set(other_facts.learned):
            raise BadInput(f"two of these books count the same games ({len(common)} collections)")
        for start in other_facts.starts:
            self.add_start(start)
        facts.learned = [*facts.learned, *other_facts.learned]
        facts.made = [*facts.made, *(made for made in other_facts.made if made not in facts.made)]
        facts.deviation = max(facts.deviation, other_facts.deviation)
        facts.width = max(facts.width, other_facts.width)
        facts.engine = facts.engine or other_facts.engine
        if facts.weights != other_facts.weights:
            facts.weights = MIXED
        for key, entries in other.positions.items():
            for child, other_entry in entries.items():
                _merge_entry(self.entry(key, child), other_entry)
        self.back_up()


def _merge_entry(entry: BookMove, other: BookMove) -> None:
    entry.weight += other.weight
    entry.games += other.games
    entry.won += other.won
    entry.drawn += other.drawn
    entry.lost += other.lost
    entry.same_mover = entry.same_mover or other.same_mover
    if _reliability(other) > _reliability(entry):
        for name in ("value", "depth", "bound", "solved", "backed_up"):
            setattr(entry, name, getattr(other, name))


def _reliability(entry: BookMove) -> tuple[Any, ...]:
    """The reliability of the value of a move."""
    return bool(entry.bound), entry.solved, entry.bound == EXACT, entry.depth, entry.value
