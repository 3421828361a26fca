"""A run of TD(lambda) with n-tuples in a folder.

    tables-N.bin   weights, sums and sizes of their changes
    games.jsonl    a game of the learner against itself after each generation

`generations.py` lists the other files. A generation is a twentieth of the games.
"""

import json
import time
from dataclasses import astuple, dataclass
from operator import index
from pathlib import Path

from gameplay import file_io, registry
from gameplay.adapter import kernel_of
from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.learning import exploration
from gameplay.learning.folder import FORMAT
from gameplay.learning.generations import PATIENCE, GenerationRun
from gameplay.learning.temporal_difference import TemporalDifference
from gameplay.ntuples import weights as learned
from gameplay.ntuples.tables import MOST_ACTIVE
from gameplay.registry import Game

METHOD = "td"
MATCH, FEWEST = 200, 20  # games against random moves after each generation
PLIES = 400  # of a game at most: the positions of a longer one learn from one another, not from a result


@dataclass(frozen=True)
class TdSettings:
    """What a run depends on."""

    game: str  # spec
    games: int
    seed: int = 1
    decay: float = 0.5  # lambda
    explore: float = 0.1
    tuples: int = 0  # 0: as many as suit the board
    length: int = 0  # of a tuple; 0: as it suits the board
    method: str = METHOD
    format: int = FORMAT


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


class TdRun(GenerationRun[TemporalDifference, CurvePoint]):
    """A run, opened for reading; `learn` plays what is missing."""

    settings: TdSettings
    settings_class = TdSettings
    point_class = CurvePoint

    def __init__(self, folder: Path, settings: TdSettings) -> None:
        """Raises Usage for a game or tuples that cannot be learned, ValueError for other settings."""
        super().__init__(folder, settings)
        if min(settings.games, 1 + settings.seed, 1 + settings.tuples, 1 + settings.length) < 1 or not (
            0 <= settings.decay <= 1 and 0 <= settings.explore <= 1
        ):
            raise ValueError("settings out of range")
        self.game = registry.game(settings.game)
        check(self.game)
        self.cells, varying = exploration.explore(self.game, settings.seed)
        self.symmetries = tuple(exploration.symmetries(self.game, self.cells, settings.seed))
        self.tuples = tuple(
            exploration.choose_tuples(
                self.game, self.cells, varying, settings.seed, settings.tuples, settings.length
            )
        )
        active = len(self.tuples) * len(self.symmetries)
        if active > MOST_ACTIVE or self.size > learned.MOST_WEIGHTS:
            raise Usage(
                f"too many tuples: {len(self.tuples)} with {len(self.symmetries)} images each and "
                f"{self.size:,} weights; expected at most {MOST_ACTIVE:,} images and "
                f"{learned.MOST_WEIGHTS:,} weights. Try: leave --tuples out"
            )

    @property
    def played(self) -> int:
        """Games played in whole generations."""
        return self._games(self.generation)

    @property
    def size(self) -> int:
        """Weights of all tables."""
        return learned.weights_of(len(self.cells.letters), self.tuples, self.game.new().chance)

    def new_learner(self, lots: int) -> TemporalDifference:
        settings, position = self.settings, self.game.new()
        tables = learned.tables_of(self.cells, self.symmetries, self.tuples, position)
        learner = TemporalDifference(
            kernel_of(position),
            tables,
            settings.decay,
            settings.explore,
            learned.goal_of(position),
            PLIES,
            lots,
        )
        if self.curve:
            learner.positions = self.curve[-1].positions
        return learner

    def arrays(self, learner: TemporalDifference) -> list[memoryview]:
        return [learner.ntuples.weights_owner, learner.sums_owner, learner.sizes_owner]

    def advance(self, learner: TemporalDifference) -> bool:
        games, few = self._games(self.generation + 1) - self.played, 1
        while games and not self.stop_requested:  # a few at a time, so that Ctrl-C is heard
            few = min(few, games)
            began = time.monotonic()
            learner.play(few)
            games -= few
            few = 2 * few if time.monotonic() - began < PATIENCE else max(1, few // 2)
        return not games

    def measured(self, learner: TemporalDifference) -> CurvePoint:
        """The errors, and a match of the learner as it is."""
        wrong = self.truth.wrong(learner.best) if self.truth else None
        played = self.settings.games // self.generations
        wins, draws, losses = learner.match(max(FEWEST, min(MATCH, played)))
        return CurvePoint(self.played, learner.positions, wrong, wins, draws, losses)

    def store_results(self, learner: TemporalDifference) -> None:
        self._store_game(learner)
        self._store_weights(learner)

    # -- inside ----------------------------------------------------------------------------------------------

    def _games(self, generation: int) -> int:
        return self.settings.games * generation // self.generations

    def _store_game(self, learner: TemporalDifference) -> None:
        line = {"games": self.played, "moves": learner.greedy_game()}
        path = self.folder / "games.jsonl"
        held = file_io.content(path).splitlines(keepends=True) if path.exists() else []
        file_io.write(path, [*held[: self.generation - 1], json.dumps(line).encode() + b"\n"])

    def _store_weights(self, learner: TemporalDifference) -> None:
        tables, settings = learner.ntuples, self.settings
        scale = min(float(learned.MOST_SCALE), learned.LARGEST / max(tables.largest(), 1e-9))
        evaluation = learned.LearnedEvaluation(
            self.cells, self.symmetries, self.tuples, self.game.new().chance, scale, tables.pack(scale)
        )
        options = f" --tuples {settings.tuples}x{settings.length}" if settings.tuples else ""
        comment = (
            f"Learned by `gameplay learn {settings.game} --method td --games {settings.games} --seed "
            f"{settings.seed} --lambda {settings.decay:g} --explore {settings.explore:g}{options}`, "
            f"after {self.played} games."
        )
        learned.write(self.weights, name_of(self.game.cls), evaluation, comment)
