"""Statistics of random games: results, lengths, moves by player; and warnings where they suggest a mistake.

A warning is no broken law: the rules may be meant to be so. It needs many games, so that chance alone does
not cause it. An evaluation is compared with results by the test of Jonckheere (1954) and Terpstra (1952): in
pairs of games with different results for a player, how often had the better result the higher evaluation at
the player's last turn? Half of the pairs, if the two are independent; fewer, if the sign is wrong.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from gameplay.position import CHANCE, AbstractPosition, side

DECIDED = 20  # games with a winner from which results are judged
DEVIATIONS = 4.0  # standard deviations below half of the pairs at which an evaluation history inverted
LAST_LOSES = re.compile(r"\blast\b[^.;]*\bloses?\b|mis[e\u00e8]re", re.IGNORECASE)
WINS = re.compile(r"\bwins?\b|mis[eè]re", re.IGNORECASE)

Ask = Callable[..., Any]  # (what, call, *arguments): the answer of a call into the game


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
    # By player: the share of pairs of games whose better result had the higher evaluation; None: no pair.
    agreement: list[float | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        # By player: evaluate() at the last turn of each game, and the payoff.
        self.samples: list[list[tuple[float, float]]] = []
        self.inverted: list[int] = []  # players whose evaluations agree with results less than chance allows

    @property
    def mean(self) -> float:
        """The mean length of a game, in moves."""
        return self.moves / self.games if self.games else 0.0

    def begin(self, players: int) -> None:
        """Make room for so many players."""
        if not self.moved:
            self.wins, self.moved = [0] * players, [0] * players
            self.samples = [[] for _ in range(players)]
            self.agreement = [None] * players

    def play(self, position: AbstractPosition, rng: Random, plies: int, made: list[int], ask: Ask) -> None:
        """Play a random game of at most so many moves, and add it if it ends.

        made: the moves, also if the game's code fails. ask: makes each call into the game.
        """
        turns: list[int] = []
        guesses: list[float | None] = []
        while (payoffs := ask("outcome()", position.outcome)) is None and len(made) < plies:
            moves = ask("moves()", position.moves)
            chance = position.turn == CHANCE
            turns.append(position.turn)
            guesses.append(None if chance else ask("evaluate()", position.evaluate))
            odds = ask("chances()", position.chances) if chance else None
            move = rng.choices(moves, odds)[0] if chance else rng.choice(moves)
            ask(f"make({move})", position.make, move)
            made.append(move)
        if payoffs is not None:
            self.add(turns, guesses, payoffs)

    def add(self, turns: Sequence[int], guesses: Sequence[float | None], payoffs: Sequence[float]) -> None:
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
        last = {turn: guess for turn, guess in zip(turns, guesses, strict=True) if guess is not None}
        for player, guess in last.items():
            self.samples[player].append((guess, payoffs[player]))

    def judge(self) -> None:
        """Compare evaluations with results: sets `agreement` and `inverted`."""
        self.inverted = []
        for player, samples in enumerate(self.samples):
            share, deviation = agreement(samples)
            self.agreement[player] = round(share, 4) if deviation else None
            if deviation and 0.5 - share > DEVIATIONS * deviation:
                self.inverted.append(player)

    def warnings(self, position: AbstractPosition) -> list[str]:
        """What suggests a mistake, a sentence each."""
        if position.players < 2 or not self.games:
            return []
        messages = []
        idle = [side(position, player) for player, count in enumerate(self.moved) if not count]
        if idle and self.moves:
            who = f"{' and '.join(idle)} never moved in {_games(self.games)}"
            messages.append(f"{who}: does make() set turn for every move?")
        decided = self.games - self.draws
        if not decided and self.games >= DECIDED and self.shortest < self.longest:
            messages.append(f"all {self.games} games were drawn: does outcome() recognise a win?")
        if self.inverted:
            names = [side(position, player) for player in self.inverted]
            shares = " and ".join(
                f"{100 - 100 * (self.agreement[player] or 0.0):.0f} %" for player in self.inverted
            )
            every = len(self.inverted) == len(self.moved)
            doubt = "is its sign wrong?" if every else "is it from the view of the player to move?"
            messages.append(
                f"evaluate() at the last turn of {' and '.join(names)} was higher before the worse result "
                f"in {shares} of pairs of games: {doubt}"
            )
        if position.scored or position.players > 2 or not position.zero_sum or decided < DECIDED or idle:
            return messages
        words = " ".join((type(position).__doc__ or "").split())
        if self.last_lost == decided and not LAST_LOSES.search(words):
            messages.append(
                f"the player who moved last lost all {decided} decided games: are the payoffs of outcome() "
                "swapped? (If the rules are so, write in the docstring that the last to move loses)"
            )
        elif self.last_won == decided and LAST_LOSES.search(words) and not WINS.search(words):
            messages.append(
                f"the player who moved last won all {decided} decided games, but by the docstring the last "
                "one loses: are the payoffs of outcome() swapped?"
            )
        for player in (0, 1):
            if self.wins[player] == decided and min(self.wins) == 0:
                who = side(position, player)
                messages.append(
                    f"{who} won all {decided} decided games: does outcome() ever let the other win?"
                )
        return messages


def agreement(samples: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Of pairs of samples (evaluation, payoff) with different payoffs: the share in which they agree.

    Equal evaluations count half. The second number is the standard deviation of the share if evaluations and
    payoffs are independent (more than that where evaluations are equal); 0 without a pair.
    """
    groups = Counter(payoff for _, payoff in samples)
    count = len(samples)
    pairs = (count**2 - sum(size**2 for size in groups.values())) / 2
    if not pairs:
        return 0.5, 0.0
    agreed = 0.0
    for number, (guess, payoff) in enumerate(samples):
        for other, result in samples[:number]:
            if payoff != result:
                agreed += 0.5 if guess == other else (guess > other) == (payoff > result)
    variance = count**2 * (2 * count + 3) - sum(size**2 * (2 * size + 3) for size in groups.values())
    return agreed / pairs, (variance / 72) ** 0.5 / pairs


def _games(count: int) -> str:
    return "the only game" if count == 1 else f"{count} games"
