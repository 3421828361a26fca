"""Matches that decide whether new weights are kept, and measure those that were.

A match is played in pairs: two games from one random opening, the seats exchanged. New weights replace the
old ones only if a sequential test (`gameplay.statistics.sprt`) accepts that they are stronger. What was kept
is measured against the weights that the run began with, and against a ladder: random moves, and the game's
own evaluation at 1, 2 and 3 plies.
"""

import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from gameplay.learning.self_play import random_opening
from gameplay.learning.terms.games import LeafGames
from gameplay.position import AbstractEvaluation
from gameplay.statistics.sprt import Verdict, sprt
from gameplay.statistics.tally import Tally

ELO0, ELO1 = 0.0, 40.0  # normalized Elo of H0 and H1
PAIRS = 200  # of a test at most: undecided then, and the new weights are not kept
AGAINST_START, ON_LADDER = 100, 20  # pairs
TRIES = 20  # openings looked at for one that was not played yet


@dataclass(frozen=True)
class Contestant:
    """Who plays: an evaluation at a depth. Depth 0: random moves."""

    evaluation: AbstractEvaluation | None = None  # None: the game's own
    depth: int = 0


LADDER = tuple(Contestant(None, depth) for depth in range(4))


class Contest:
    """Pairs of games between two contestants."""

    def __init__(self, games: LeafGames, kind: str) -> None:
        """Openings depend on the seed of the games and on `kind`."""
        self.games = games
        self.kind = kind
        self.tally = Tally()
        self._pair = 0
        self._seen: set[Hashable] = set()

    def play(self, one: Contestant, other: Contestant) -> float | None:
        """Play a pair; return what the first contestant got, 0 to 2.

        None if no new opening was found: the games would repeat others, and prove nothing. Against random
        moves openings may repeat.
        """
        opening = self._opening(again=not (one.depth and other.depth))
        if opening is None:
            return None
        points = 0.0
        for seat in (0, 1):
            got = self._game(opening, (one, other) if seat == 0 else (other, one), seat)
            got = got if seat == 0 else 1 - got
            self.tally.add(self._pair, got)
            points += got
        self._pair += 1
        return points

    def _opening(self, again: bool) -> list[int] | None:
        """The moves of an opening that leads to a new position; if `again`, of any, else None without one."""
        for attempt in range(TRIES):
            position = self.games.game.new()
            rng = random.Random(f"{self.games.seed}/{self.kind}/{self._pair}/{attempt}")
            moves = random_opening(position, self.games.opening, rng)
            key = position.key()
            if again or key not in self._seen:
                self._seen.add(key)
                return moves
        return None

    def _game(self, opening: list[int], seats: tuple[Contestant, Contestant], leg: int) -> float:
        """What the first player gets."""
        position = self.games.game.new()
        for move in opening:
            position.make(move)
        rng = random.Random(f"{self.games.seed}/{self.kind}/{self._pair}/{leg}/moves")
        made = len(opening)
        while position.outcome() is None and made < self.games.plies:
            mover = seats[position.turn]
            if mover.depth:
                move = self.games.move(position, mover.evaluation, mover.depth)
            else:
                move = rng.choice(list(position.moves()))
            position.make(move)
            made += 1
        return self.games.points(position)


def sequential_test(contest: Contest, new: Contestant, old: Contestant, step: Callable[[], None]) -> Verdict:
    """Play until the test is decided, PAIRS or all openings are played; `step` is called before each pair."""
    verdict = sprt(contest.tally.pairs, ELO0, ELO1)
    for _ in range(PAIRS):
        step()
        if contest.play(new, old) is None:
            break
        verdict = sprt(contest.tally.pairs, ELO0, ELO1)
        if verdict.decision:
            break
    return verdict
