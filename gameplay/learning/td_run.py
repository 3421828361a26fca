"""A run of TD(lambda) with n-tuples in a folder: it can be stopped, killed and resumed with the same result.

    state.json     games played, the generator, the curve, the file of the tables; with a checksum
    tables-N.bin   the tables after generation N: weights, sums and sizes of their changes; the last one only
    truth.json     the positions whose best moves are known, with a checksum
    games.jsonl    a game of the learner against itself after each generation
    weights.toml, weights.bin   what was learned, for `eval=FILE`; written after each generation

`folder.py` lists the files that every run has. A generation is a twentieth of the games: what a killed run
had played of one is played again.
"""

import json
import time
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import blake2b
from operator import index
from pathlib import Path

from gameplay import file_io, registry
from gameplay.adapter import kernel_of
from gameplay.catalogue import name_of
from gameplay.errors import BadInput, Usage
from gameplay.learning import exploration
from gameplay.learning.folder import FORMAT, StoredRun
from gameplay.learning.ground_truth import GroundTruth, ground_truth
from gameplay.learning.temporal_difference import TemporalDifference
from gameplay.ntuples import weights as learned
from gameplay.ntuples.tables import MOST_ACTIVE
from gameplay.registry import Game

METHOD = "td"
GENERATIONS = 20
MATCH, FEWEST = 200, 20  # games against random moves after each generation
PLIES = 400  # of a game at most: the positions of a longer one learn from one another, not from a result
PATIENCE = 0.1  # seconds between two looks at whether to stop
LARGEST = 1 << 33  # bytes of tables


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


class TdRun(StoredRun):
    """A run, opened for reading; `learn` plays what is missing."""

    settings: TdSettings
    settings_class = TdSettings

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
        self.generation = 0
        self.curve: list[CurvePoint] = []
        self.truth: GroundTruth | None = None
        self._digest = ""  # of the tables
        self._lots = settings.seed

    def restore(self) -> None:
        if (self.folder / "truth.json").exists():
            stored = file_io.read_checked(self.folder / "truth.json")
            self.truth = GroundTruth.restored(stored, self.game) if stored.get("positions") else None
        if (self.folder / "state.json").exists():
            state = file_io.read_checked(self.folder / "state.json")
            self.generation, self._lots = int(state["generation"]), int(state["lots"])
            self.curve = [CurvePoint(**row) for row in state["curve"]]
            self._digest = str(state["tables"])
            numbers = [
                number for point in self.curve for number in asdict(point).values() if number is not None
            ]
            if not 0 < self.generation == len(self.curve) <= GENERATIONS or min(map(index, numbers)) < 0:
                raise ValueError("no curve of such a run")

    @property
    def played(self) -> int:
        """Games played in whole generations."""
        return self._games(self.generation)

    @property
    def done(self) -> bool:
        """True if no game is missing."""
        return self.generation == GENERATIONS

    @property
    def size(self) -> int:
        """Weights of all tables."""
        return learned.weights_of(len(self.cells.letters), self.tuples, self.game.new().chance)

    @property
    def truth_known(self) -> bool:
        """True if the positions that the curve is measured on have been solved."""
        return (self.folder / "truth.json").exists()

    @property
    def weights(self) -> Path:
        """The file of what was learned."""
        return self.folder / "weights.toml"

    def learn(self) -> Iterator[CurvePoint]:
        """Play the missing games; the point of each generation is returned when all is stored.

        Raises TryLater if another process plays the run, BadInput if its tables are damaged.
        """
        with self.lock():
            trainer = self._opened()
            self._drop_older_tables()
            self._find_truth()
            spent = self.seconds
            while not self.done and not self.stop_requested:
                began = time.monotonic()
                if not self._play(trainer, self._games(self.generation + 1) - self.played):
                    return
                self.generation += 1
                point = self._measured(trainer)
                self.curve.append(point)
                self._store(trainer)
                spent += time.monotonic() - began
                self.write_seconds(spent)
                yield point

    # -- inside ----------------------------------------------------------------------------------------------

    def _games(self, generation: int) -> int:
        return self.settings.games * generation // GENERATIONS

    def _play(self, trainer: TemporalDifference, games: int) -> bool:
        """Play so many games, a few at a time, so that Ctrl-C is heard; false if asked to stop."""
        few = 1
        while games and not self.stop_requested:
            few = min(few, games)
            began = time.monotonic()
            trainer.play(few)
            games -= few
            few = 2 * few if time.monotonic() - began < PATIENCE else max(1, few // 2)
        return not games

    def _find_truth(self) -> None:
        """Solve the positions that the curve is measured on, once a run."""
        if not self.truth_known:
            self.truth = ground_truth(self.game, self.settings.seed)
            file_io.write_checked(
                self.folder / "truth.json", self.truth.stored() if self.truth else {"positions": []}
            )

    def _opened(self) -> TemporalDifference:
        """The trainer with the tables of the last generation. Raises BadInput."""
        settings, position = self.settings, self.game.new()
        goal = learned.goal_of(position)
        tables = learned.tables_of(self.cells, self.symmetries, self.tuples, position)
        kernel = kernel_of(position)
        trainer = TemporalDifference(
            kernel, tables, settings.decay, settings.explore, goal, PLIES, self._lots & (1 << 64) - 1
        )
        if self.generation:
            path = self._tables_file
            packed = file_io.content(path, LARGEST)
            parts = (tables.weights_owner, trainer.sums_owner, trainer.sizes_owner)
            size = 4 * tables.total
            try:
                content = zlib.decompressobj().decompress(packed, 3 * size + 1)
            except zlib.error:
                content = b""
            if len(content) != 3 * size or _digest(content) != self._digest:
                raise BadInput(f"{path} is damaged: restore it from a copy, or start a new run")
            for number, part in enumerate(parts):
                part.cast("B")[:] = content[number * size : (number + 1) * size]
            trainer.positions = self.curve[-1].positions
        return trainer

    def _measured(self, trainer: TemporalDifference) -> CurvePoint:
        """The errors and a match of the learner as it is; the generator of the games is left as it is."""
        lots = trainer.lots
        wrong = self.truth.wrong(trainer.best) if self.truth else None
        played = self.settings.games // GENERATIONS
        wins, draws, losses = trainer.match(max(FEWEST, min(MATCH, played)))
        trainer.lots = lots
        return CurvePoint(self.played, trainer.positions, wrong, wins, draws, losses)

    def _store(self, trainer: TemporalDifference) -> None:
        """Store a generation. The state comes last: what a killed run wrote before it is written again."""
        tables = trainer.ntuples
        content = b"".join([tables.weights_owner, trainer.sums_owner, trainer.sizes_owner])
        file_io.write(self._tables_file, [zlib.compress(content, 1)])
        self._store_game(trainer)
        self._store_weights(trainer)
        self._lots, self._digest = trainer.lots, _digest(content)
        state = {
            "generation": self.generation,
            "lots": self._lots,
            "tables": self._digest,
            "curve": [asdict(point) for point in self.curve],
        }
        file_io.write_checked(self.folder / "state.json", state)
        self._drop_older_tables()

    @property
    def _tables_file(self) -> Path:
        return self.folder / f"tables-{self.generation}.bin"

    def _drop_older_tables(self) -> None:
        for path in self.folder.glob("tables-*.bin"):
            if path != self._tables_file:
                path.unlink()

    def _store_game(self, trainer: TemporalDifference) -> None:
        lots = trainer.lots
        line = {"games": self.played, "moves": trainer.greedy_game()}
        trainer.lots = lots
        path = self.folder / "games.jsonl"
        held = file_io.content(path).splitlines(keepends=True) if path.exists() else []
        file_io.write(path, [*held[: self.generation - 1], json.dumps(line).encode() + b"\n"])

    def _store_weights(self, trainer: TemporalDifference) -> None:
        tables, settings = trainer.ntuples, self.settings
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


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=8).hexdigest()
