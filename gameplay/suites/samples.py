"""Random trees and positions of games, on which a student's engine is compared with a textbook algorithm.

The same seed gives the same samples. `answers` and `search_pruned` cache the results of the reference, which
are the same for all students.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle
from random import Random

from gameplay import registry, specs
from gameplay.errors import BadInput, Usage, unknown_name
from gameplay.matches.random_moves import random_move
from gameplay.position import CHANCE, AbstractPosition, parameters, twin
from gameplay.suites import payoff_trees, textbook

# Kinds of trees, in the order in which they are cycled through; a seed is added to each.
TREES = {
    "points": "tree:random,depth=3,uneven=on",
    "ties": "tree:random,depth=3,payoffs=1",
    "single": "tree:random,depth=4,branching=1-2,uneven=on",
    "again": "tree:random,depth=4,branching=2,again=on",
    "wins": "tree:random,depth=4,branching=2,wins=on,uneven=on",
    "halves": f"{payoff_trees.__file__}:ScaledPoints",
    "chance": "tree:random,depth=3,branching=2,chance=on",
    "players": "tree:random,depth=3,branching=2,players=3",
    "guesses": "tree:random,depth=5,branching=2,guesses=on",
}
# By reference: the algorithm with the correct values, and its default kinds of trees.
ALGORITHMS = {
    "minimax": ("minimax", ("points", "ties", "single", "again", "wins", "halves")),
    "alphabeta": ("minimax", ("points", "ties", "single", "again", "wins", "halves")),
    "quiescence": ("quiescence", ("guesses",)),
    "expectiminimax": ("expectiminimax", ("chance", "points", "ties", "single", "again")),
    "maxn": ("maxn", ("players",)),
}
VISITED = ("points", "ties", "single", "again")  # kinds where every engine has the same windows
TRIES = 50  # to find a sample with a clear best move


@dataclass(frozen=True)
class Sample:
    """A position to search: a game, and moves from its start."""

    game: str
    moves: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        """The game without the folder of its file, and the moves."""
        head, options = specs.split(self.game)
        name = specs.join(head.rpartition("/")[2], options)
        return f"{name} after {self.words}" if self.moves else name

    @property
    def words(self) -> str:
        """The moves in the game's notation."""
        position, words = twin(_start(self.game)), []
        for move in self.moves:
            words.append(position.format(move))
            position.make(move)
        return " ".join(words)

    def command(self, depth: int | None = None) -> str:
        """The command that shows it; with a depth, the one that traces alpha-beta."""
        moves = f" --moves '{self.words}'" if self.moves else ""
        if depth is None:
            return f"gameplay show {self.game}{moves}"
        return f"gameplay trace {self.game}{moves} --engine alphabeta --depth {depth}"

    def position(self) -> AbstractPosition:
        """The position."""
        position = twin(_start(self.game))
        for move in self.moves:
            position.make(move)
        return position


@lru_cache(1024)
def _start(game: str) -> AbstractPosition:
    """The start of a game, cached because generating a large tree takes as long as searching it."""
    return registry.game(game).new()


def of_trees(
    kinds: list[str], count: int, seed: int, depth: int, algorithm: str, gap: float
) -> Iterator[Sample]:
    """`count` random trees, the kinds in turn; a kind is a word of TREES, or a game with a seed.

    gap: minimum lead of the best move over every other.
    """
    games = [_seed_spec(TREES.get(kind, kind)) for kind in kinds]
    for number, game in zip(range(count), cycle(games), strict=False):
        for attempt in range(TRIES):
            head, options = specs.split(game)
            options["seed"] = str(Random(f"{seed}/{number}/{attempt}").randrange(1_000))
            sample = Sample(specs.join(head, options))
            if clear(sample, depth, algorithm, gap):
                yield sample
                break
        else:
            raise BadInput(
                f"{game}: no tree in {TRIES} has a best move that is better by {gap:g}; take less gap"
            )


def of_game(game: str, count: int, seed: int, depth: int, algorithm: str, gap: float) -> Iterator[Sample]:
    """`count` distinct unfinished positions of random games with a player to move."""
    seen: set[object] = set()
    for attempt in range(count * TRIES):
        rng = Random(f"{seed}/{game}/{attempt}")
        position = registry.game(game).new()
        line: list[tuple[int, ...]] = []
        moves: list[int] = []
        while position.outcome() is None and len(moves) < 200:
            if position.turn != CHANCE:
                line.append(tuple(moves))
            moves.append(random_move(position, rng))
            position.make(moves[-1])
        sample = Sample(registry.game(game).spec, rng.choice(line))
        key = sample.position().key()
        if key not in seen and clear(sample, depth, algorithm, gap):
            seen.add(key)
            yield sample
            if len(seen) == count:
                return
    raise BadInput(f"{game}: only {len(seen)} of {count} positions could be drawn; ask for fewer")


def clear(sample: Sample, depth: int, algorithm: str, gap: float) -> bool:
    """True if the best move is better than every other by `gap`, or gap is 0."""
    if not gap:
        return True
    values = sorted((answer.value for answer in answers(sample, depth, algorithm).values()), reverse=True)
    return len(values) > 1 and values[0] - values[1] >= gap


@lru_cache(4096)
def answers(sample: Sample, depth: int, algorithm: str) -> dict[int, textbook.MoveAnswer]:
    """As `textbook.answers`."""
    return textbook.answers(sample.position(), depth, algorithm)


@lru_cache(4096)
def search_pruned(sample: Sample, depth: int) -> textbook.PrunedSearch:
    """As `textbook.search_pruned`."""
    return textbook.search_pruned(sample.position(), depth)


@lru_cache(4096)
def size(sample: Sample, depth: int) -> int:
    """The number of nodes to a depth."""
    return textbook.size(sample.position(), depth)


def _seed_spec(game: str) -> str:
    head, _ = specs.split(game)
    if head == game and not specs.is_file(head) and head not in registry.game_names():
        raise Usage(unknown_name("kind of trees", game, TREES, more="or a game with a seed"))
    if head != "tree" and "seed" not in parameters(registry.game(game).cls):
        raise BadInput(
            f"{game} has no seed; expected a kind of trees ({', '.join(TREES)}), or a game with a seed"
        )
    return game
