"""A run of Samuel's methods in a folder. It can be stopped or killed and resumed, with the same result.

    state.json     the learner after the last game, with a checksum
    records.rote   instead of it for rote learning: with the stored positions, for `eval=FILE`
    games.jsonl    a line for each game: moves, result, polynomial or number of records
    weights.toml   the learned weights, for `eval=FILE`; written after each game; not for rote learning

`folder.py` lists the files that every run has. The state is written after each game. Lines of games that
are not in it are dropped when the run resumes: a killed run repeats the interrupted game, move for move.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gameplay import file_io, registry, weights
from gameplay.errors import BadInput, Usage
from gameplay.learning.folder import RunSettings, StoredRun
from gameplay.learning.methods import OF_TERMS, check_supported
from gameplay.learning.rote import RoteMemory, RoteTrainer
from gameplay.learning.samuel import Learner, LearningGame, Trainer
from gameplay.plural import plural
from gameplay.position import AbstractEvaluation

if TYPE_CHECKING:
    from gameplay.registry import Game

MAX_BYTES = 200_000_000  # bytes of games.jsonl


@dataclass(frozen=True)
class LearningSettings(RunSettings):
    """The settings of a run."""

    game: str  # spec
    evaluation: str  # name of the linear evaluation whose weights are learned
    method: str = "samuel"
    games: int = 100
    seed: int = 1
    depth: int = 3  # plies of a search
    plies: int = 70  # of a game with a material term, at most
    opening: int = 2  # random moves before a game
    weights: dict[str, int] = field(default_factory=dict)  # to begin with; empty: those of the evaluation
    records: int = 0  # of rote learning: stored positions at most
    age: int = 0  # ... and the age at which one is forgotten


def select_linear(game: "Game", name: str = "", start: dict[str, int] | None = None) -> AbstractEvaluation:
    """The linear evaluation of a game: the one named, that of a file of weights, or the first.

    Its weights are those of `start`, if there are any. Raises Usage with what to use instead, BadInput for a
    file.
    """
    linear = _linear(game, name)
    return linear.with_weights(start) if start else linear


def _linear(game: "Game", name: str) -> AbstractEvaluation:
    position = game.new()
    check_supported(game, OF_TERMS[0], "learning weights of terms")
    if name.endswith(".toml"):
        read = weights.read(Path(name), type(position))
        if not read.scale:
            raise Usage(f"{name} holds weights of {read.name}, which is not a sum of named terms")
        return read
    linear = {evaluation.name: evaluation for evaluation in position.evaluations.values() if evaluation.scale}
    if name and name not in position.evaluations:
        from gameplay.errors import unknown_name

        raise Usage(unknown_name("evaluation", name, list(linear)))
    if name and name not in linear:
        raise Usage(
            f"evaluation {name} of {game.name} is not a sum of named terms. Try: --eval {next(iter(linear))}"
        )
    return linear[name] if name else next(iter(linear.values()))


# A search clears the pages of its table that it touches, which takes longer than a search of few plies.
TABLES = {1: "1MB", 2: "1MB", 3: "1MB", 4: "4MB", 5: "16MB"}


def _trainer(settings: LearningSettings) -> Trainer | RoteTrainer:
    """The trainer of a run."""
    game = registry.game(settings.game)
    evaluation = select_linear(game, settings.evaluation, settings.weights)
    common = (settings.seed, settings.depth, settings.plies, settings.opening)
    if settings.method == "rote":  # without a table, which would cut principal variations short
        engine, _ = registry.engine("quiescence:table=off")
        return RoteTrainer(game, evaluation, engine, *common, settings.records, settings.age)
    engine, _ = registry.engine(f"quiescence:table={TABLES.get(settings.depth, '64MB')}")
    return Trainer(game, evaluation, engine, *common)


class LearningRun(StoredRun):
    """A stored run; `learn` plays the missing games."""

    settings: LearningSettings
    settings_class = LearningSettings

    def __init__(self, folder: Path, settings: LearningSettings) -> None:
        super().__init__(folder, settings)
        self.trainer = _trainer(settings)
        self.state = folder / ("records.rote" if settings.method == "rote" else "state.json")

    @property
    def learner(self) -> Learner | RoteMemory:
        """The learner after the last game."""
        return self.trainer.learner

    @property
    def polynomial(self) -> Learner:
        """The learner of a run of method samuel."""
        assert isinstance(self.learner, Learner)
        return self.learner

    @property
    def memory(self) -> RoteMemory:
        """The learner of a run of method rote."""
        assert isinstance(self.learner, RoteMemory)
        return self.learner

    @property
    def learned(self) -> AbstractEvaluation:
        """The evaluation with the weights of Beta, the last to be adopted."""
        return self.trainer.evaluation.with_weights(self.polynomial.beta)

    def restore(self) -> None:
        if self.state.exists():
            self.trainer.restore(file_io.read_checked(self.state, MAX_BYTES))

    # -- learning ------------------------------------------------------------------------------------

    def learn(self) -> Iterator[LearningGame]:
        """Play the missing games; each is stored before it is returned.

        Raises TryLater if another process plays the run.
        """
        with self.lock(), file_io.naming(self.folder / "games.jsonl"), self._games() as games:
            spent = self.seconds
            while self.learner.games < self.settings.games and not self.stop_requested:
                began = time.monotonic()
                played = self.trainer.play()
                spent += time.monotonic() - began
                games.write(json.dumps(self._line(played)).encode() + b"\n")
                games.flush()
                file_io.write_checked(self.state, self.trainer.stored())
                if self.settings.method == "samuel":
                    self._write_weights()
                self.write_seconds(spent)
                yield played

    def replay(self, number: int) -> tuple[Trainer | RoteTrainer, LearningGame]:
        """Replay the run up to a game; return the trainer after it, and the game with its events.

        Raises Usage if the game has not been played, BadInput if its moves differ from the stored ones.
        """
        if not 1 <= number <= self.learner.games:
            raise Usage(
                f"game {number} has not been played: {self.folder} has games 1 to {self.learner.games}"
            )
        line = self.lines()[number - 1]
        trainer = _trainer(self.settings)
        for _ in range(number - 1):
            trainer.play()
        played = trainer.play()
        if list(played.moves) != line["moves"]:
            raise BadInput(
                f"game {number} of {self.folder} was learned by another version: play the run again"
            )
        return trainer, played

    def lines(self) -> list[dict[str, Any]]:
        """The lines of games.jsonl for the games in the state. Raises BadInput."""
        path = self.folder / "games.jsonl"
        if not self.learner.games:
            return []
        try:
            lines = file_io.text(path, MAX_BYTES).splitlines()[: self.learner.games]
            games = [json.loads(line) for line in lines]
        except ValueError:
            raise BadInput(f"{path} is damaged: a line is not JSON") from None
        if len(games) < self.learner.games:
            raise BadInput(f"{path} has {len(games)} games, and {self.learner.games} were played")
        return games

    def _games(self) -> IO[bytes]:
        """games.jsonl, open for the next line, without lines of games that are not in the state."""
        path = self.folder / "games.jsonl"
        kept = self.lines() if self.learner.games else []
        file = path.open("r+b" if path.exists() else "w+b")
        for _ in kept:
            file.readline()
        file.truncate(file.tell())
        return file

    def _line(self, played: LearningGame) -> dict[str, Any]:
        return {
            "game": played.number + 1,
            "alpha": played.seat,
            "moves": list(played.moves),
            "result": played.result,
            **self.trainer.line(played),
        }

    def _write_weights(self) -> None:
        settings, learner = self.settings, self.polynomial
        wins, draws, losses = learner.results
        games, moves = plural(learner.games, "game"), plural(learner.moves, "move")
        comment = (
            f"Learned by `gameplay learn {settings.game} --method {settings.method}`: {games} at "
            f"depth {settings.depth}, seed {settings.seed}.\nAlpha +{wins} ={draws} -{losses}; "
            f"{plural(learner.corrections, 'correction')} in {moves}. The weights are of "
            "its last win."
        )
        weights.write(self.learned, self.folder / "weights.toml", comment)
