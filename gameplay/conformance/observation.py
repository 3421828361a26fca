"""Statistics of random games: results, lengths, moves by player; and warnings where they suggest a mistake.

A warning is not a broken law: the rules may be meant to be so. It needs many games, so that chance alone does
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

DECIDED = 20  # minimum decided games for warnings about results
DEVIATIONS = 4.0  # standard deviations below half of the pairs at which an evaluation history inverted
LAST_LOSES = re.compile(r"\blast\b[^.;]*\bloses?\b|mis[e\u00e8]re", re.IGNORECASE)
WINS = re.compile(r"\bwins?\b|mis[eè]re", re.IGNORECASE)

Call = Callable[..., Any]  # (description, call, *arguments): calls the game and returns its result


@dataclass
class Observation:
    """Statistics of finished random games. Players are numbered from 0, as in `turn`."""

    games: int = 0
    wins: list[int] = field(default_factory=list)  # by player; ties for the best payoff count for each
    draws: int = 0  # games with equal payoffs
    last_won: int = 0  # decided games in which the last mover got more than the average
    last_lost: int = 0
    moved: list[int] = field(default_factory=list)  # by player: moves made
    shortest: int = 0  # moves of a game, including chance moves
    longest: int = 0
    moves: int = 0  # of all games together
    # By player: the share of pairs of games whose better result had the higher evaluation; None: no pair.
    agreement: list[float | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        # By player: evaluate() at the last turn of each game, and the payoff.
        self.samples: list[list[tuple[float, float]]] = []
        self.inverted: list[int] = []  # players whose evaluations disagree with results significantly

    @property
    def mean_length(self) -> float:
        """The mean length of a game, in moves."""
        return self.moves / self.games if self.games else 0.0

    def begin(self, players: int) -> None:
        """Allocate the counters of `players` players."""
        if not self.moved:
            self.wins, self.moved = [0] * players, [0] * players
            self.samples = [[] for _ in range(players)]
            self.agreement = [None] * players

    def play(
        self, position: AbstractPosition, rng: Random, plies: int, moves_made: list[int], call: Call
    ) -> None:
        """Play a random game of at most `plies` moves, and add it if it ends.

        moves_made: receives the moves, also if the game's code fails. call: makes each call into the game.
        """
        turns: list[int] = []
        guesses: list[float | None] = []
        while (payoffs := call("outcome()", position.outcome)) is None and len(moves_made) < plies:
            moves = call("moves()", position.moves)
            chance = position.turn == CHANCE
            turns.append(position.turn)
            guesses.append(None if chance else call("evaluate()", position.evaluate))
            probabilities = call("chances()", position.chances) if chance else None
            move = rng.choices(moves, probabilities)[0] if chance else rng.choice(moves)
            call(f"make({move})", position.make, move)
            moves_made.append(move)
        if payoffs is not None:
            self.add(turns, guesses, payoffs)

    def add(self, turns: Sequence[int], guesses: Sequence[float | None], payoffs: Sequence[float]) -> None:
        """Add a finished game: the mover and `evaluate()` at each move, and the payoffs."""
        self.games += 1
        self.moves += len(turns)
        self.shortest = min(self.shortest, len(turns)) if self.games > 1 else len(turns)
        self.longest = max(self.longest, len(turns))
        best_payoff, mean_length = max(payoffs), sum(payoffs) / len(payoffs)
        decided = best_payoff > min(payoffs)
        if decided:
            for player, payoff in enumerate(payoffs):
                self.wins[player] += payoff == best_payoff
        else:
            self.draws += len(payoffs) > 1
        movers = [turn for turn in turns if turn != CHANCE]
        for mover in movers:
            self.moved[mover] += 1
        if decided and movers:
            self.last_won += payoffs[movers[-1]] > mean_length
            self.last_lost += payoffs[movers[-1]] < mean_length
        last_evaluation = {
            turn: guess for turn, guess in zip(turns, guesses, strict=True) if guess is not None
        }
        for player, guess in last_evaluation.items():
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
        """Signs of mistakes in the game, one sentence each."""
        if position.players < 2 or not self.games:
            return []
        messages = []
        idle = [side(position, player) for player, count in enumerate(self.moved) if not count]
        if idle and self.moves:
            names_text = f"{' and '.join(idle)} never moved in {_games(self.games)}"
            messages.append(f"{names_text}: does make() set turn for every move?")
        decided = self.games - self.draws
        if not decided and self.games >= DECIDED and self.shortest < self.longest:
            messages.append(f"all {self.games} games were drawn: does outcome() recognise a win?")
        if self.inverted:
            names = [side(position, player) for player in self.inverted]
            shares = " and ".join(
                f"{100 - 100 * (self.agreement[player] or 0.0):.0f} %" for player in self.inverted
            )
            all_inverted = len(self.inverted) == len(self.moved)
            doubt = "is its sign wrong?" if all_inverted else "is it from the view of the player to move?"
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
                names_text = side(position, player)
                messages.append(
                    f"{names_text} won all {decided} decided games: does outcome() ever let the other win?"
                )
        return messages


def agreement(samples: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The share of pairs of samples (evaluation, payoff) with different payoffs that agree in order.

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
