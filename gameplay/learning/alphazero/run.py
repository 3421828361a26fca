"""A run of AlphaZero with n-tuples in a folder.

    tables-N.bin          weights, sums and sizes of their changes, of the value and of the policy
    weights-policy.bin    the policy; weights.bin is the value

`generations.py` and `games_run.py` list the other files. A generation is a twentieth of the games.
"""

import random
from dataclasses import dataclass
from pathlib import Path

from gameplay.adapter import kernel_of
from gameplay.catalogue import name_of
from gameplay.learning import exploration
from gameplay.learning.alphazero.learner import AlphaZero
from gameplay.learning.exploration import TuplesLayout
from gameplay.learning.folder import RunSettings
from gameplay.learning.games_run import PLIES, GamesRun
from gameplay.learning.generations import check_counts
from gameplay.learning.methods import check_supported
from gameplay.ntuples import weights as learned
from gameplay.ntuples.learned import goal_of
from gameplay.ntuples.policy import PolicyTables
from gameplay.registry import Game

METHOD = "alphazero"
SIMULATIONS = 50  # of a move
MAX_SIMULATIONS = 10_000
SAMPLED = 4  # plies after the opening in which moves are sampled
MAX_OPENING = 20


@dataclass(frozen=True)
class AlphaZeroSettings(RunSettings):
    """The settings of a run."""

    game: str  # spec
    games: int
    seed: int = 1
    simulations: int = SIMULATIONS
    opening: int = 0  # random plies before a game, at most
    tuples: int = 0  # 0: by the size of the board
    length: int = 0  # of a tuple; 0: by the size of the board
    batch: int = 1  # games with the same weights
    method: str = METHOD


@dataclass(frozen=True)
class AlphaZeroPoint:
    """The measurements after a generation. None: there is no ground truth."""

    games: int
    positions: int  # learned so far
    policy: int | None  # wrong moves of the policy in solved positions
    value: int | None  # ... of the value one ply ahead
    search: int | None  # ... of a search with the simulations of a move
    error: float | None  # mean distance of the value from the exact one, both from -1 to 1
    wins: int  # of the policy against random moves
    draws: int
    losses: int

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a value out of range."""
        check_counts((self.games, self.positions, self.policy, self.value, self.search))
        check_counts((self.wins, self.draws, self.losses))
        if self.error is not None and not (type(self.error) is float and 0 <= self.error <= 2):
            raise ValueError("an error of the curve is out of range")


def default_opening(game: Game, seed: int) -> int:
    """The default of `opening`: the mean length of a random game, so that all phases occur; at most 20.

    Raises Usage as `AlphaZeroRun`.
    """
    check_supported(game, METHOD)
    rng = random.Random(f"opening {seed}")
    plies = [sum(1 for _ in exploration.random_game(game, rng)) for _ in range(exploration.GAMES)]
    return min(MAX_OPENING, -(-sum(plies) // len(plies)))


class AlphaZeroRun(GamesRun[AlphaZero, AlphaZeroPoint]):
    """A stored run; `learn` plays the missing games."""

    settings: AlphaZeroSettings
    settings_class = AlphaZeroSettings
    point_class = AlphaZeroPoint

    def __init__(self, folder: Path, settings: AlphaZeroSettings) -> None:
        """Raises Usage for a game or tuples that cannot be learned, ValueError for other settings."""
        super().__init__(folder, settings)
        simulations, opening = settings.simulations, settings.opening
        if not (2 <= simulations <= MAX_SIMULATIONS and opening <= MAX_OPENING):
            raise ValueError("settings out of range")
        check_supported(self.game, METHOD)
        self.layout = TuplesLayout.of(self.game, settings.seed, settings.tuples, settings.length)

    def fresh_learner(self, rng_state: int) -> AlphaZero:
        settings, position = self.settings, self.game.new()
        guide = PolicyTables(self.layout.tables(), self.layout.tables(), goal_of(position))
        return AlphaZero(
            kernel_of(position), guide, settings.simulations, settings.opening, SAMPLED, PLIES, rng_state
        )

    def guides(self, learner: AlphaZero) -> list[memoryview]:
        return [learner.guide.values.weights_owner, learner.guide.preferences.weights_owner]

    def arrays(self, learner: AlphaZero) -> list[memoryview]:
        return [*learner.values.arrays(), *learner.preferences.arrays()]

    def measure(self, learner: AlphaZero) -> AlphaZeroPoint:
        """The errors, and a match of the policy."""
        return AlphaZeroPoint(
            self.played,
            learner.positions,
            self.wrong(learner.policy_choice),
            self.wrong(learner.value_choice),
            self.wrong(learner.search_choice),
            self.truth.error(learner.value) if self.truth else None,
            *learner.match(self.match_games),
        )

    def store_results(self, learner: AlphaZero) -> None:
        self.store_game(learner)
        settings, layout = self.settings, self.layout
        values = learned.PackedWeights.of(learner.guide.values)
        evaluation = learned.NTupleEvaluation(
            layout.cells,
            layout.symmetries,
            layout.tuples,
            False,
            values.scale,
            values.content,
            preferences=learned.PackedWeights.of(learner.guide.preferences),
        )
        options = f" --tuples {settings.tuples}x{settings.length}" if settings.tuples else ""
        comment = (
            f"Learned by `gameplay learn {settings.game} --method {METHOD} --games {settings.games} --seed "
            f"{settings.seed} --simulations {settings.simulations} --opening {settings.opening} --batch "
            f"{settings.batch}{options}`, "
            f"after {self.played} games."
        )
        learned.write(self.weights, name_of(self.game.cls), evaluation, comment)
