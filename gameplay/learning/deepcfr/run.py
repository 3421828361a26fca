"""A run of Deep CFR in a folder.

    tables-N.bin     the memories, and the current strategy at each infoset
    strategy.toml    the strategy network at each infoset, for `strategy:FILE` and `gameplay exploit`

`generations.py` lists the other files. A generation is a twentieth of the iterations. After each one the
strategy network is trained and its exploitability computed exactly, and also that of tabular CFR by external
sampling after as many nodes.
"""

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from gameplay import file_io
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import StrategyProfile
from gameplay.engines.cfr.strategy_file import format_strategy
from gameplay.engines.cfr.training import RegretMinimizer
from gameplay.errors import BadInput, Usage
from gameplay.learning.deepcfr.encoding import encode_infosets
from gameplay.learning.deepcfr.traversal import DeepTraversals
from gameplay.learning.folder import RunSettings
from gameplay.learning.generations import MEASURING, GenerationRun, check_counts
from gameplay.learning.methods import check_supported
from gameplay.networks.network import MAX_OUTPUTS, MAX_UNITS, Network

METHOD = "deepcfr"
MAX_NODES = 300_000  # of a game tree
MEMORY = 40_000  # samples of each memory
HIDDEN = 2  # layers
BATCH = 64  # samples of a step
STEPS, STRATEGY_STEPS = 500, 3000  # to train a network of advantages, and of strategies
RATE, STRATEGY_RATE = 0.01, 0.005


@dataclass(frozen=True)
class DeepCfrSettings(RunSettings):
    """The settings of a run."""

    game: str  # spec
    iterations: int = 100
    traversals: int = 200  # for each player, an iteration
    units: int = 64  # of a hidden layer
    seed: int = 1
    method: str = METHOD


@dataclass(frozen=True)
class DeepCfrPoint:
    """The exploitability after a generation."""

    iterations: int
    nodes: int  # visited by traversals
    exploitability: float  # of the strategy network
    tabular: float  # of CFR with tables, by external sampling, after as many nodes
    value: float  # of the game for the first player, if both play by the network

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a value out of range."""
        check_counts((self.iterations, self.nodes))
        if min(self.exploitability, self.tabular) < 0 or self.value != self.value:
            raise ValueError("a number of the curve is out of range")


class DeepCfrLearner:
    """The traversals and their memories; `rng_state`: of the generator that samples moves."""

    def __init__(self, run: "DeepCfrRun", rng_state: int) -> None:
        self.traversals = DeepTraversals(run.form, run.encoding, MEMORY, rng_state)
        self.counts = memoryview(bytearray(8 * len(self.traversals.counters()))).cast("q")
        self.strategy = StrategyProfile(run.form)  # of the strategy network

    @property
    def rng_state(self) -> int:
        """The state of the generator."""
        return int(self.traversals.generator)

    @rng_state.setter
    def rng_state(self, rng_state: int) -> None:
        self.traversals.generator = rng_state


class DeepCfrRun(GenerationRun[DeepCfrLearner, DeepCfrPoint]):
    """A stored run; `learn` runs the missing iterations."""

    settings: DeepCfrSettings
    settings_class = DeepCfrSettings
    point_class = DeepCfrPoint
    solves = False

    def __init__(self, folder: Path, settings: DeepCfrSettings) -> None:
        """Raises Usage for a game that cannot be learned, ValueError for settings out of range."""
        super().__init__(folder, settings)
        if not (settings.iterations and settings.traversals and 0 < settings.units <= MAX_UNITS):
            raise ValueError("settings out of range")
        check_supported(self.game, METHOD)
        self.start = self.game.new().initial()
        try:
            self.form = ExtensiveForm(self.start, most=MAX_NODES)
        except Usage as error:
            raise Usage(f"{error}. Try: gameplay learn leduc --method deepcfr") from None
        self.encoding, self.inputs, self.outputs = encode_infosets(self.form, self.start)
        if self.outputs > MAX_OUTPUTS:
            raise Usage(f"{self.game.spec} has too many different moves for a network: {self.outputs:,}")
        self._tabular = RegretMinimizer(self.form, "external", settings.seed)

    @property
    def weights(self) -> Path:
        """The strategy file."""
        return self.folder / "strategy.toml"

    @property
    def total(self) -> int:
        """The iterations of the whole run."""
        return self.settings.iterations

    def new_learner(self, rng_state: int) -> DeepCfrLearner:
        return DeepCfrLearner(self, rng_state)

    def arrays(self, learner: DeepCfrLearner) -> list[memoryview]:
        parts = [part for memory in learner.traversals.memories for part in memory.owners]
        return [learner.counts, memoryview(learner.traversals.played_array), *parts]

    def open_learner(self) -> DeepCfrLearner:
        learner = super().open_learner()
        if self.generation:
            self._check(learner)
            learner.traversals.restore(learner.counts.tolist())
        return learner

    def _check(self, learner: DeepCfrLearner) -> None:
        """Raise BadInput for memories that are not of this run: traversals do not check their indices."""
        iterations, visited, *offered = learner.counts.tolist()
        valid = iterations == self.played and visited >= 0
        for memory, seen, player in zip(learner.traversals.memories, offered, (0, 1, None), strict=True):
            infosets, stored, _ = memory.owners
            size = min(seen, memory.capacity)
            first, end = (0, len(self.form.infosets)) if player is None else self.form.starts[player:][:2]
            valid = valid and seen >= 0
            valid = valid and all(first <= infoset < end for infoset in infosets[:size])
            valid = valid and all(1 <= iteration <= iterations for iteration in stored[:size])
        if not valid:
            raise BadInput(f"{self.folder} holds no memory of this game: start a new run")

    def advance(self, learner: DeepCfrLearner) -> None:
        settings, traversals = self.settings, learner.traversals
        for iteration in range(self.played, self.played_by(self.generation + 1)):
            traversals.begin_iteration()
            for player in range(self.form.players):
                self.step(iteration)
                traversals.traverse(player, settings.traversals)
                network = self._network(f"advantages {iteration} {player}")
                memory = traversals.advantages[player]
                traversals.fit(network, memory, STEPS, BATCH, RATE, False, self._seed(iteration, player))
                traversals.set_strategy(network, player)
        learner.counts[:] = memoryview(bytes(8 * len(learner.counts))).cast("q")
        for place, number in enumerate(traversals.counters()):
            learner.counts[place] = number

    def measure(self, learner: DeepCfrLearner) -> DeepCfrPoint:
        traversals, strategy = learner.traversals, learner.strategy
        network = self._network(f"strategy {self.played}")
        traversals.fit(
            network,
            traversals.strategies,
            STRATEGY_STEPS,
            BATCH,
            STRATEGY_RATE,
            True,
            self._seed(self.played, -1),
        )
        for number, infoset in enumerate(self.form.infosets):
            strategy.set_probabilities(infoset, traversals.strategy_of(network, number))
        while self._tabular.visited < traversals.visited:
            self.step(self.played, MEASURING)
            self._tabular.iterate(1)
        tabular = self._tabular.average().exploitability()
        value = float(strategy.values()[0])
        return DeepCfrPoint(
            self.played, int(traversals.visited), float(strategy.exploitability()), float(tabular), value
        )

    def store_results(self, learner: DeepCfrLearner) -> None:
        point, settings = self.curve[-1], self.settings
        facts = {
            "game": self.game.spec,
            "engine": f"learn --method {METHOD}",
            "iterations": point.iterations,
            "traversals": settings.traversals,
            "units": settings.units,
            "seed": settings.seed,
            "exploitability": round(point.exploitability, 9),
        }
        file_io.write(self.weights, [format_strategy(learner.strategy, facts, self.start).encode()])

    # -- inside ----------------------------------------------------------------------------------------------

    def _network(self, purpose: str) -> Network:
        """A network with random weights."""
        sizes = (self.inputs, *[self.settings.units] * HIDDEN, self.outputs)
        return Network(sizes, f"{self.settings.seed} {purpose}")

    def _seed(self, iteration: int, player: int) -> int:
        """The seed of the samples that a network is trained on."""
        text = f"{self.settings.seed} {iteration} {player}".encode()
        return int.from_bytes(blake2b(text, digest_size=8).digest(), "little")
