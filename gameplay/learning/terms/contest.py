"""Matches that test new weights, and measure those that are kept.

A match is played in pairs: two games from one random opening with seats exchanged. New weights replace the
old ones only if a sequential test (`gameplay.statistics.sprt`) accepts H1. The weights that are kept play the
initial weights, and a ladder: random moves, and the game's default evaluation at 1, 2 and 3 plies.
"""

import random
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from gameplay.learning.self_play import random_opening
from gameplay.learning.terms.games import LeafGames
from gameplay.statistics.sprt import Verdict, sprt
from gameplay.statistics.tally import Tally

ELO0, ELO1 = 0.0, 40.0  # normalized Elo of H0 and H1
PAIRS = 200  # of a test at most; an undecided test rejects the new weights
AGAINST_START, ON_LADDER = 100, 20  # pairs
TRIES = 20  # attempts at a new opening


@dataclass(frozen=True)
class Contestant:
    """A player: the evaluation with these weights, searching to `depth`. Depth 0: random moves."""

    weights: dict[str, int] | None = None  # None: the game's default evaluation
    depth: int = 0


LADDER = tuple(Contestant(None, depth) for depth in range(4))


@dataclass(frozen=True)
class ContestGame:
    """A game of a pair, to play in any process."""

    games: LeafGames
    opening: list[int]
    seats: tuple[Contestant, Contestant]
    seed: str  # seed of random moves


def play_contest_game(task: ContestGame) -> float:
    """Play a game; return the first player's points, 0 to 1."""
    games = task.games
    position = games.game.new()
    for move in task.opening:
        position.make(move)
    rng, made = random.Random(task.seed), len(task.opening)
    while position.outcome() is None and made < games.plies:
        mover = task.seats[position.turn]
        if mover.depth:
            weights = mover.weights
            evaluation = None if weights is None else games.evaluation.with_weights(weights)
            move = games.move(position, evaluation, mover.depth)
        else:
            move = rng.choice(list(position.moves()))
        position.make(move)
        made += 1
    return games.points(position)


class Contest:
    """Pairs of games between two contestants."""

    def __init__(self, games: LeafGames, kind: str) -> None:
        """Openings depend on the seed of the games and on `kind`."""
        self.games = games
        self.kind = kind
        self.tally = Tally()

    def play(self, one: Contestant, other: Contestant, pairs: int) -> Iterator[float]:
        """Play up to `pairs` pairs; yield the points of the first contestant in each, 0 to 2.

        Ends early if no new opening is found, since the games would repeat. Against random moves openings may
        repeat.
        """
        results = self.games.each(play_contest_game, self._tasks(one, other, pairs))
        for pair, first in enumerate(results):
            second = 1 - next(results)
            self.tally.add(pair, first)
            self.tally.add(pair, second)
            yield first + second

    def _tasks(self, one: Contestant, other: Contestant, pairs: int) -> Iterator[ContestGame]:
        seen: set[Hashable] = set()
        for pair in range(pairs):
            opening = self._opening(pair, seen, again=not (one.depth and other.depth))
            if opening is None:
                return
            for leg, seats in enumerate(((one, other), (other, one))):
                seed = f"{self.games.seed}/{self.kind}/{pair}/{leg}/moves"
                yield ContestGame(self.games, opening, seats, seed)

    def _opening(self, pair: int, seen: set[Hashable], again: bool) -> list[int] | None:
        """The moves of an opening to a new position, None if there is none; of any opening if `again`."""
        for attempt in range(TRIES):
            position = self.games.game.new()
            rng = random.Random(f"{self.games.seed}/{self.kind}/{pair}/{attempt}")
            moves = random_opening(position, self.games.opening, rng)
            key = position.key()
            if again or key not in seen:
                seen.add(key)
                return moves
        return None


def sequential_test(contest: Contest, new: Contestant, old: Contestant, step: Callable[[], None]) -> Verdict:
    """Play until the test is decided, or PAIRS or all openings are played, with a `step` after each pair."""
    verdict = sprt(contest.tally.pairs, ELO0, ELO1)
    for _ in contest.play(new, old, PAIRS):
        step()
        verdict = sprt(contest.tally.pairs, ELO0, ELO1)
        if verdict.decision:
            break
    return verdict
