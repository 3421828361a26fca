"""A run in generations of equally many games against itself.

    games.jsonl    a game of the learner against itself after each generation

`generations.py` lists the other files.
"""

import json
import time
from typing import Any, Protocol, TypeVar

from gameplay import file_io
from gameplay.errors import Usage
from gameplay.learning.generations import PATIENCE, GenerationRun, PointT, Seeded
from gameplay.registry import Game

MATCH, FEWEST = 200, 20  # games against random moves after each generation
PLIES = 400  # of a game at most


class SelfPlayer(Seeded, Protocol):
    """What plays against itself and learns."""

    def play(self, games: int, /) -> Any:
        """Play so many games and learn from them."""

    def greedy_game(self) -> Any:
        """The moves of a game without exploration, of which nothing is learned."""


LearnerT = TypeVar("LearnerT", bound=SelfPlayer)


class GamesRun(GenerationRun[LearnerT, PointT]):
    """A run, opened for reading; `learn` plays what is missing."""

    @property
    def match_games(self) -> int:
        """Games against random moves after a generation."""
        return max(FEWEST, min(MATCH, self.total // self.generations))

    def advance(self, learner: LearnerT) -> None:
        played, end, few = self.played, self.played_by(self.generation + 1), 1
        while played < end:  # a few at a time, so that Ctrl-C and a request to stop are noticed
            self.step(played)
            few = min(few, end - played)
            began = time.monotonic()
            learner.play(few)
            played += few
            few = 2 * few if time.monotonic() - began < PATIENCE else max(1, few // 2)

    def store_game(self, learner: LearnerT) -> None:
        """Write a game of the learner against itself."""
        line = {"games": self.played, "moves": learner.greedy_game()}
        path = self.folder / "games.jsonl"
        held = file_io.content(path).splitlines(keepends=True) if path.exists() else []
        file_io.write(path, [*held[: self.generation - 1], json.dumps(line).encode() + b"\n"])


def check(game: Game, method: str) -> None:
    """Raise Usage, with what to use instead, for a game that cannot be learned so."""
    position = game.new()
    if position.players == 1:
        raise Usage(f"learn requires two players; {game.name} is a puzzle. Try: gameplay patterns")
    if position.hidden:
        raise Usage(
            f"learn --method {method} requires perfect information; {game.name} has imperfect information. "
            f"Try: gameplay learn {game.spec} --method deepcfr"
        )
    if position.players != 2 or not position.zero_sum:
        other = (
            "its payoffs do not sum to zero"
            if position.players == 2
            else f"this has {position.players} players"
        )
        raise Usage(
            f"learn requires a zero-sum game for two; {game.spec}: {other}. "
            f"Try: gameplay play {game.spec} --engine mcts"
        )
