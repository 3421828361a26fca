"""What random games of a game looked like: results, lengths, who moved; and what in it suggests a mistake.

A warning is no broken law: a game may be meant to be so. It needs many games, so that chance alone does not
cause it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gameplay.position import CHANCE, side

DECIDED = 20  # games with a winner from which results are judged
GUESSES = 20  # evaluations of a player at the last move of a game, from which these are judged
WRONG = 0.2  # share of them with the right sign below which an evaluation looks inverted
LAST_LOSES = re.compile(r"\blast\b[^.;]*\bloses?\b|mis[e\u00e8]re", re.IGNORECASE)
WINS = re.compile(r"\bwins?\b|mis[eè]re", re.IGNORECASE)


@dataclass
class Observation:
    """Statistics of finished random games. Players are numbered from 0, as in `turn`."""

    games: int = 0
    wins: list[int] = field(default_factory=list)  # by player; of several players all with the most
    draws: int = 0  # all got the same
    last_won: int = 0  # decided games in which who made the last move got more than the average
    last_lost: int = 0
    moved: list[int] = field(default_factory=list)  # by player: moves made
    shortest: int = 0  # moves of a game, chance moves among them
    longest: int = 0
    moves: int = 0  # of all games together
    right: list[int] = field(default_factory=list)  # by player: evaluations at the last move, right in sign
    wrong: list[int] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean length of a game, in moves."""
        return self.moves / self.games if self.games else 0.0

    def begin(self, players: int) -> None:
        """Make room for so many players."""
        if not self.moved:
            self.wins, self.moved, self.right, self.wrong = ([0] * players for _ in range(4))

    def add(self, turns: Sequence[int], guesses: Sequence[int | None], payoffs: Sequence[float]) -> None:
        """Add a finished game: whose turn it was at each move, `evaluate()` there, and the payoffs."""
        self.games += 1
        self.moves += len(turns)
        self.shortest = min(self.shortest, len(turns)) if self.games > 1 else len(turns)
        self.longest = max(self.longest, len(turns))
        best, mean = max(payoffs), sum(payoffs) / len(payoffs)
        decided = best > min(payoffs)
        if decided:
            for player, payoff in enumerate(payoffs):
                self.wins[player] += payoff == best
        else:
            self.draws += len(payoffs) > 1
        movers = [turn for turn in turns if turn != CHANCE]
        for mover in movers:
            self.moved[mover] += 1
        if decided and movers:
            self.last_won += payoffs[movers[-1]] > mean
            self.last_lost += payoffs[movers[-1]] < mean
        if turns and guesses[-1] and decided and payoffs[turns[-1]] != mean:
            ahead = (guesses[-1] > 0) == (payoffs[turns[-1]] > mean)
            self.right[turns[-1]] += ahead
            self.wrong[turns[-1]] += not ahead

    def warnings(self, position: Any) -> list[str]:
        """What suggests a mistake, a sentence each."""
        if position.players < 2 or not self.games:
            return []
        found = []
        idle = [side(position, player) for player, count in enumerate(self.moved) if not count]
        if idle and self.moves:
            who = f"{' and '.join(idle)} never moved in {_games(self.games)}"
            found.append(f"{who}: does make() set turn for every move?")
        decided = self.games - self.draws
        if not decided and self.games >= DECIDED and self.shortest < self.longest:
            found.append(f"all {self.games} games were drawn: does outcome() recognise a win?")
        if position.scored or position.players > 2 or not position.zero_sum or decided < DECIDED or idle:
            return found
        words = " ".join((type(position).__doc__ or "").split())
        if self.last_lost == decided and not LAST_LOSES.search(words):
            found.append(
                f"the player who moved last lost all {decided} decided games: are the payoffs of outcome() "
                "swapped? (If the rules are so, write in the docstring that the last to move loses)"
            )
        elif self.last_won == decided and LAST_LOSES.search(words) and not WINS.search(words):
            found.append(
                f"the player who moved last won all {decided} decided games, but by the docstring the last "
                "one loses: are the payoffs of outcome() swapped?"
            )
        for player in (0, 1):
            if self.wins[player] == decided and min(self.wins) == 0:
                who = side(position, player)
                found.append(f"{who} won all {decided} decided games: does outcome() ever let the other win?")
        for player in (0, 1):
            seen = self.right[player] + self.wrong[player]
            if seen >= GUESSES and self.right[player] < WRONG * seen:
                found.append(
                    f"evaluate() had the wrong sign at {self.wrong[player]} of {seen} last turns "
                    f"of {side(position, player)}: is it from the mover's view?"
                )
        return found


def _games(count: int) -> str:
    return "the only game" if count == 1 else f"{count} games"
