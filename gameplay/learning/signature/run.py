"""A run of signature tables in a folder.

    tables-N.bin   the digest of the games that were learned from
    games.jsonl    the games, a line each: moves, and how many of them at the start are random

`generations.py` lists the other files. The games are played by a strong engine, or read from a file. Every
fifth game is held out: the tables are measured on its moves. No position is both learned and measured.
"""

import json
import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Self

from gameplay import file_io, registry
from gameplay.adapter import kernel_of
from gameplay.errors import BadInput, GameplayError
from gameplay.learning.folder import RunSettings
from gameplay.learning.generations import GenerationRun, check_counts, digest_of
from gameplay.learning.run import select_linear
from gameplay.learning.self_play import random_opening
from gameplay.learning.signature.samples import Samples
from gameplay.learning.signature.training import MaterialQuiescence, layout_of, polynomial, train
from gameplay.search.limit import Limit
from gameplay.signatures import evaluation as signature
from gameplay.signatures.tables import SignatureTables
from gameplay.terms.reader import term_reader

METHOD = "signature"
HELD_OUT = 5  # one game in five is held out
MAX_BYTES = 1 << 30  # bytes of games.jsonl
ENGINE = "selective:table=1MB"  # plays the games unless they are read from a file
# Correlations of tables and of a polynomial, and shares of book moves ranked first, and first or second,
# after 173,989 book moves (Samuel 1967).
PUBLISHED = {"moves": 173_989, "correlation": 0.48, "polynomial": 0.26, "first": 0.38, "second": 0.64}


@dataclass(frozen=True)
class SignatureSettings(RunSettings):
    """The settings of a run."""

    game: str  # spec
    evaluation: str  # the linear evaluation whose terms are in the tables
    games: int
    seed: int = 1
    depth: int = 5  # of a search
    plies: int = 70  # of a self-play game, at most
    opening: int = 4  # random moves before it
    source: str = ""  # file of the games; empty: self-play
    digest: str = ""  # of the games of the file
    weights: dict[str, int] = field(default_factory=dict)  # of fixed terms; empty: those of the evaluation
    method: str = METHOD


@dataclass(frozen=True)
class SignaturePoint:
    """The results of tables, and of a polynomial of the same terms, on held-out moves after a generation."""

    games: int
    moves: int  # of the training set
    held_out: int  # moves
    first: float  # share of recorded moves that are ranked first
    second: float  # ... among the first two
    correlation: float
    polynomial_first: float
    polynomial_second: float
    polynomial_correlation: float

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a value out of range."""
        shares = self.first, self.second, self.polynomial_first, self.polynomial_second
        sizes = abs(self.correlation), abs(self.polynomial_correlation)
        check_counts((self.games, self.moves, self.held_out))
        if not all(0 <= share <= 1 for share in (*shares, *sizes)):
            raise ValueError("a number of the curve is out of range")


class SignatureLearner:
    """The samples so far, and the tables of the last generation."""

    def __init__(self, run: "SignatureRun", rng_state: int) -> None:
        self.rng_state = rng_state
        self.game = run.game
        self.position = run.game.new()
        self.kernel = kernel_of(self.position)
        self.reader = term_reader(run.terms, self.position)
        self.quiescence = MaterialQuiescence(run.terms, self.reader)
        self.learned, self.held_out = Samples(self.reader.size), Samples(self.reader.size)
        self._keys: tuple[set[Hashable], set[Hashable]] = set(), set()
        self.evaluation: signature.SignatureEvaluation | None = None  # of the last generation
        self.games = 0
        self.digest = memoryview(bytearray(32))  # of all games

    def take(self, moves: Sequence[int], opening: int) -> None:
        """Add the samples of a game. Raises IllegalMove."""
        held_out = self.games % HELD_OUT == HELD_OUT - 1
        own, others = self._keys[held_out], self._keys[not held_out]
        position = self.position
        for ply, move in enumerate(moves):
            legal = list(position.moves())
            key = position.key()
            if ply >= opening and len(legal) > 1 and move in legal and key not in others:
                own.add(key)
                rows = [self._row(move), *[self._row(other) for other in legal if other != move]]
                (self.held_out if held_out else self.learned).add(rows)
            position.make(move)
        for _ in moves:
            position.unmake()
        self.games += 1
        self.digest[:] = blake2b(
            bytes(self.digest) + repr((tuple(moves), opening)).encode(), digest_size=32
        ).digest()

    def _row(self, move: int) -> list[int]:
        """The counts after a move, from the view of the side that moves."""
        self.position.make(move)
        counts = self.quiescence.counts(self.position, self.kernel)
        self.position.unmake()
        return [-count for count in counts]


class SignatureRun(GenerationRun[SignatureLearner, SignaturePoint]):
    """A stored run; `learn` plays the missing games."""

    settings: SignatureSettings
    settings_class = SignatureSettings
    point_class = SignaturePoint
    solves = False

    def __init__(self, folder: Path, settings: SignatureSettings) -> None:
        """Raises Usage for a game without a sum of terms, ValueError for settings out of range."""
        super().__init__(folder, settings)
        if not (settings.games and settings.depth and settings.plies):
            raise ValueError("settings out of range")
        self.terms = select_linear(self.game, settings.evaluation, settings.weights)
        self._stored: list[tuple[list[int], int]] = []

    @classmethod
    def of_games(cls, folder: Path, settings: SignatureSettings, games: Sequence[Sequence[int]]) -> Self:
        """A new run that learns from these games. Raises Usage if there is a run already."""
        content = _lines([(moves, 0) for moves in games])
        run = cls.begin(folder, replace(settings, digest=digest_of(content)))
        file_io.write(run._file, [content])
        return run

    @property
    def learned(self) -> signature.SignatureEvaluation:
        """The tables of the last generation. Raises BadInput for a damaged file."""
        return signature.read(self.weights, self.game.cls)

    # -- what a generation is --------------------------------------------------------------------------------

    def new_learner(self, rng_state: int) -> SignatureLearner:
        return SignatureLearner(self, rng_state)

    def arrays(self, learner: SignatureLearner) -> list[memoryview]:
        return [learner.digest]

    def open_learner(self) -> SignatureLearner:
        """The learner with the samples of all games so far. Raises BadInput if stored games have changed."""
        learner = super().open_learner()
        digest = bytes(learner.digest)
        learner.digest[:] = bytes(32)
        self._stored = self._read()
        for moves, opening in self._stored[: self.played]:
            self._take(learner, moves, opening)
        if self.generation and bytes(learner.digest) != digest:
            raise BadInput(f"{self._file} is not that of the run: restore it from a copy, or start a new run")
        return learner

    def advance(self, learner: SignatureLearner) -> None:
        for number in range(self.played, self.played_by(self.generation + 1)):
            self.step(number)
            if not self.settings.source:
                self._stored[number:] = [self._play(number)]
            self._take(learner, *self._stored[number])

    def measure(self, learner: SignatureLearner) -> SignaturePoint:
        """Fill new tables from all samples so far, and measure them on held-out moves."""
        samples, held_out = learner.learned, learner.held_out
        layout = layout_of(learner.reader.names, samples)
        fixed = {name: self.terms.weights[name] for name in self.terms.fixed if self.terms.weights[name]}
        span = signature.span_of(self.terms, learner.position)
        weights = [fixed.get(name, 0) for name in learner.reader.names]
        tables = SignatureTables(learner.reader, layout, weights, self.terms.scale, span)
        outputs = train(tables, layout, samples)
        learner.evaluation = signature.SignatureEvaluation(self.terms, layout, outputs, fixed, span)
        by_tables = _shares(held_out, held_out.table_ratings(tables))
        by_polynomial = _shares(held_out, held_out.polynomial_ratings(polynomial(samples)))
        return SignaturePoint(self.played, samples.count, held_out.count, *by_tables, *by_polynomial)

    def store_results(self, learner: SignatureLearner) -> None:
        if not self.settings.source:
            file_io.write(self._file, [_lines(self._stored[: self.played])])
        settings, point = self.settings, self.curve[-1]
        options = (
            f" --from {settings.source}"
            if settings.source
            else f" --depth {settings.depth} --plies {settings.plies} --opening {settings.opening}"
        )
        comment = (
            f"Learned by `gameplay learn {settings.game} --method signature --games {settings.games} --seed "
            f"{settings.seed}{options}`, after {self.played} games: {point.moves} moves."
        )
        assert learner.evaluation is not None
        signature.write(self.weights, learner.evaluation, comment)

    # -- games -----------------------------------------------------------------------------------------------

    @property
    def _file(self) -> Path:
        return self.folder / "games.jsonl"

    def _play(self, number: int) -> tuple[list[int], int]:
        """Play a self-play game; return its moves, and the number of random ones at its start."""
        settings, position = self.settings, self.game.new()
        engine, _ = registry.engine(ENGINE)
        moves = random_opening(position, settings.opening, random.Random(f"{settings.seed}/{number}"))
        opening = len(moves)
        while position.outcome() is None and len(moves) < settings.plies:
            report = engine.search(position, Limit(depth=settings.depth))
            if report.stopped == "interrupted":
                raise KeyboardInterrupt
            assert report.move is not None
            moves.append(report.move)
            position.make(report.move)
        return moves, opening

    def _take(self, learner: SignatureLearner, moves: Sequence[int], opening: int) -> None:
        try:
            learner.take(moves, opening)
        except (GameplayError, TypeError, ValueError, OverflowError):
            raise BadInput(f"{self._file} is damaged: game {learner.games + 1} has an illegal move") from None

    def _read(self) -> list[tuple[list[int], int]]:
        """Read the stored games. Raises BadInput if one of a finished generation is missing."""
        needed = self.settings.games if self.settings.source else self.played
        if not needed:
            return []
        content = file_io.content(self._file, MAX_BYTES)
        if self.settings.source and digest_of(content) != self.settings.digest:
            raise BadInput(f"{self._file} is damaged: its games are not those of {self.settings.source}")
        try:
            rows = [json.loads(line) for line in content.splitlines()[:needed]]
            games = [(list(map(int, row["moves"])), int(row["random"])) for row in rows]
        except (ValueError, TypeError, KeyError):
            raise BadInput(f"{self._file} is damaged: a line is not a game") from None
        if len(games) < needed:
            raise BadInput(f"{self._file} has {len(games)} games; expected at least {needed}")
        return games


def _lines(games: Sequence[tuple[Sequence[int], int]]) -> bytes:
    rows = [{"moves": list(moves), "random": opening} for moves, opening in games]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def _shares(samples: Samples, ratings: Sequence[float]) -> tuple[float, float, float]:
    """The shares of recorded moves ranked first, and among the first two; the correlation."""
    first, second, lower, higher = samples.measure_ranking(ratings)
    moves = max(1, samples.count)
    return first / moves, second / moves, (lower - higher) / max(1, lower + higher)
