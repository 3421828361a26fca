"""Runs of TD(lambda), whatever approximates the values: games, the curve, a game after each generation.

`games_run.py` and `generations.py` list the other files. A generation is a twentieth of the games.
"""

from abc import abstractmethod
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from gameplay.learning.folder import RunSettings
from gameplay.learning.games_run import GamesRun, check
from gameplay.learning.generations import check_counts
from gameplay.learning.td_games import TdGames

METHOD = "td"


@dataclass(frozen=True)
class LambdaSettings(RunSettings):
    """What a run of TD(lambda) depends on, whatever approximates the values."""

    game: str  # spec
    games: int
    seed: int = field(default=1, kw_only=True)
    decay: float = field(default=0.5, kw_only=True)  # lambda
    explore: float = field(default=0.1, kw_only=True)
    batch: int = field(default=1, kw_only=True)  # games with the same weights
    method: str = field(default=METHOD, kw_only=True)


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
        check_counts(astuple(self))


LearnerT = TypeVar("LearnerT", bound=TdGames)


class TdGenerations(GamesRun[LearnerT, CurvePoint]):
    """A run, opened for reading; `learn` plays what is missing."""

    point_class = CurvePoint

    def __init__(self, folder: Path, settings: Any) -> None:
        """Raises Usage for a game that cannot be learned so, ValueError for settings out of range."""
        super().__init__(folder, settings)
        if not (0 <= settings.decay <= 1 and 0 <= settings.explore <= 1):
            raise ValueError("settings out of range")
        check(self.game, METHOD)

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

    def measured(self, learner: LearnerT) -> CurvePoint:
        """The errors, and a match of the learner as it is."""
        wrong = self.wrong(learner.best)
        return CurvePoint(self.played, learner.positions, wrong, *learner.match(self.match_games))

    def store_results(self, learner: LearnerT) -> None:
        self.store_game(learner)
        settings = self.settings
        comment = (
            f"Learned by `gameplay learn {settings.game} --method td --games {settings.games} --seed "
            f"{settings.seed} --lambda {settings.decay:g} --explore {settings.explore:g} --batch "
            f"{settings.batch}{self.options}`, "
            f"after {self.played} games."
        )
        self.store_weights(learner, comment)
