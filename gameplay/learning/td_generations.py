"""Runs of TD(lambda), whatever approximates the values: games, the curve, a game after each generation.

    games.jsonl    a game of the learner against itself after each generation

`generations.py` lists the other files. A generation is a twentieth of the games.
"""

import json
import time
from abc import abstractmethod
from dataclasses import astuple, dataclass
from operator import index
from pathlib import Path
from typing import Any, TypeVar

from gameplay import file_io, registry
from gameplay.errors import Usage
from gameplay.learning.generations import PATIENCE, GenerationRun
from gameplay.learning.td_games import TdGames
from gameplay.registry import Game

METHOD = "td"
MATCH, FEWEST = 200, 20  # games against random moves after each generation
PLIES = 400  # of a game at most: the positions of a longer one learn from one another, not from a result


@dataclass(frozen=True)
class CurvePoint:
    """What the learner was after a generation."""

    games: int
    positions: int  # that were corrected
    wrong: int | None  # of the positions whose best moves are known; None: there are none
    wins: int  # against random moves
    draws: int
    losses: int

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for what is no number of such a run."""
        if min(index(number) for number in astuple(self) if number is not None) < 0:
            raise ValueError("a number of the curve is negative")


def check(game: Game) -> None:
    """Raise Usage, with what to use instead, for a game that cannot be learned so."""
    position = game.new()
    if position.players == 1:
        raise Usage(f"learn requires two players; {game.name} is a puzzle. Try: gameplay patterns")
    if position.hidden:
        raise Usage(
            f"learn --method td requires perfect information; {game.name} has imperfect information. "
            f"Try: gameplay exploit {game.name}"
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


LearnerT = TypeVar("LearnerT", bound=TdGames)


class TdGenerations(GenerationRun[LearnerT, CurvePoint]):
    """A run, opened for reading; `learn` plays what is missing."""

    point_class = CurvePoint

    def __init__(self, folder: Path, settings: Any) -> None:
        """Raises Usage for a game that cannot be learned so, ValueError for settings out of range."""
        super().__init__(folder, settings)
        if min(settings.games, 1 + settings.seed) < 1 or not (
            0 <= settings.decay <= 1 and 0 <= settings.explore <= 1
        ):
            raise ValueError("settings out of range")
        self.game = registry.game(settings.game)
        check(self.game)

    # -- what an approximator defines ------------------------------------------------------------------------

    symmetries: tuple[str, ...]  # of the board, the identity first

    @property
    @abstractmethod
    def size(self) -> int:
        """Weights."""

    @property
    @abstractmethod
    def approximator(self) -> str:
        """What is learned, as '70 tuples of 8 cells'."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The same for `--json`, and `evaluation`: its name in files of weights."""

    @abstractmethod
    def store_weights(self, learner: LearnerT, comment: str) -> None:
        """Write the file of weights."""

    @property
    @abstractmethod
    def options(self) -> str:
        """The options of the command that no other approximator has, as ' --tuples 70x8'."""

    # -- the run ---------------------------------------------------------------------------------------------

    @property
    def played(self) -> int:
        """Games played in whole generations."""
        return self._games(self.generation)

    def advance(self, learner: LearnerT) -> bool:
        games, few = self._games(self.generation + 1) - self.played, 1
        while games and not self.stop_requested:  # a few at a time, so that Ctrl-C is heard
            few = min(few, games)
            began = time.monotonic()
            learner.play(few)
            games -= few
            few = 2 * few if time.monotonic() - began < PATIENCE else max(1, few // 2)
        return not games

    def measured(self, learner: LearnerT) -> CurvePoint:
        """The errors, and a match of the learner as it is."""
        wrong = self.truth.wrong(learner.best) if self.truth else None
        played = self.settings.games // self.generations
        wins, draws, losses = learner.match(max(FEWEST, min(MATCH, played)))
        return CurvePoint(self.played, learner.positions, wrong, wins, draws, losses)

    def store_results(self, learner: LearnerT) -> None:
        self._store_game(learner)
        settings = self.settings
        comment = (
            f"Learned by `gameplay learn {settings.game} --method td --games {settings.games} --seed "
            f"{settings.seed} --lambda {settings.decay:g} --explore {settings.explore:g}{self.options}`, "
            f"after {self.played} games."
        )
        self.store_weights(learner, comment)

    # -- inside ----------------------------------------------------------------------------------------------

    def _games(self, generation: int) -> int:
        return int(self.settings.games) * generation // self.generations

    def _store_game(self, learner: LearnerT) -> None:
        line = {"games": self.played, "moves": learner.greedy_game()}  # type: ignore[no-untyped-call]
        path = self.folder / "games.jsonl"
        held = file_io.content(path).splitlines(keepends=True) if path.exists() else []
        file_io.write(path, [*held[: self.generation - 1], json.dumps(line).encode() + b"\n"])
