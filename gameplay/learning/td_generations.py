"""Runs of TD(lambda) with any approximator: games, the curve, a game after each generation.

`games_run.py` and `generations.py` list the other files. A generation is a twentieth of the games.
"""

from abc import abstractmethod
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from gameplay.learning.folder import RunSettings
from gameplay.learning.games_run import GamesRun
from gameplay.learning.generations import check_counts
from gameplay.learning.methods import check_supported
from gameplay.learning.td_games import TdGames

METHOD = "td"


@dataclass(frozen=True)
class LambdaSettings(RunSettings):
    """The settings of a run of TD(lambda) with any approximator."""

    game: str  # spec
    games: int
    seed: int = field(default=1, kw_only=True)
    decay: float = field(default=0.5, kw_only=True)  # lambda
    explore: float = field(default=0.1, kw_only=True)
    batch: int = field(default=1, kw_only=True)  # games with the same weights
    method: str = field(default=METHOD, kw_only=True)


@dataclass(frozen=True)
class CurvePoint:
    """The measurements after a generation."""

    games: int
    positions: int  # learned so far
    wrong: int | None  # wrong moves in positions whose best moves are known; None: there are none
    wins: int  # against random moves
    draws: int
    losses: int

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a value out of range."""
        check_counts(astuple(self))


LearnerT = TypeVar("LearnerT", bound=TdGames)


class TdGenerations(GamesRun[LearnerT, CurvePoint]):
    """A stored run; `learn` plays the missing games."""

    point_class = CurvePoint

    def __init__(self, folder: Path, settings: Any) -> None:
        """Raises Usage for a game that cannot be learned, ValueError for settings out of range."""
        super().__init__(folder, settings)
        if not (0 <= settings.decay <= 1 and 0 <= settings.explore <= 1):
            raise ValueError("settings out of range")
        check_supported(self.game, METHOD)

    # -- what an approximator defines ------------------------------------------------------------------------

    symmetries: tuple[str, ...]  # of the board, the identity first

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of weights."""

    @property
    @abstractmethod
    def approximator(self) -> str:
        """A description of the approximator, as '70 tuples of 8 cells'."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The approximator for `--json`; `evaluation` is its name in files of weights."""

    @abstractmethod
    def store_weights(self, learner: LearnerT, comment: str) -> None:
        """Write the file of weights."""

    @property
    @abstractmethod
    def options(self) -> str:
        """The command options of this approximator, as ' --tuples 70x8'."""

    # -- the run ---------------------------------------------------------------------------------------------

    def measure(self, learner: LearnerT) -> CurvePoint:
        """The errors, and a match of the greedy player."""
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
