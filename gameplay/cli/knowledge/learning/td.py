"""Method td of `gameplay learn`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.knowledge.learning.method import GenerationMethod, truth_facts

if TYPE_CHECKING:
    from gameplay.learning.td_generations import TdGenerations
    from gameplay.registry import Game


BATCH = 100  # default number of games per batch of a network


class Td(GenerationMethod):
    """TD(lambda) with n-tuples or a network."""

    help = (
        "With --method td tables hold a weight for the contents of tuples of cells, and each position "
        "learns from the one after it; with --network it is a neural network that learns. Symmetries of the "
        "board are found in random games. The table shows how often the learner's move is wrong, of "
        "positions whose best moves are known by exact search. The weights are in FOLDER/weights.toml, for "
        "`eval=FOLDER/weights.toml`."
    )
    options = ("decay", "explore", "tuples", "network", "rate", "evaluation", "expected", "batch")
    report = "curve"
    shown = ("games",)
    has_independent_games = True

    def plays_in_parallel(self, options: dict[str, Any]) -> bool:
        return bool(options.get("batch", BATCH if options.get("network") else 1) > 1)

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "TdGenerations[Any]":
        from gameplay.errors import Usage
        from gameplay.learning.network_run import NetworkRun, NetworkSettings
        from gameplay.learning.td_run import TdRun, TdSettings

        if "network" in options:
            if "tuples" in options:
                raise Usage("--tuples and --network exclude each other. Try: leave one of them out")
            if "expected" in options and "decay" in options:
                raise Usage("--lambda has no effect with --expected. Try: leave one of them out")
            explore = {"explore": 0.0} if game.new().chance else {}
            given = {"seed": seed, "batch": BATCH, **explore, **options}
            return NetworkRun.begin(folder, NetworkSettings(game.spec, games or 20_000, **given))
        if "expected" in options:
            raise Usage("--expected requires --network")
        if "rate" in options:
            raise Usage("--rate requires --network; tables adapt their rates")
        if "evaluation" in options:
            raise Usage("--eval requires --network here; tables begin with zeros")
        count, length = options.pop("tuples", (0, 0))
        settings = TdSettings(game.spec, games or 20_000, seed=seed, tuples=count, length=length, **options)
        return TdRun.begin(folder, settings)

    def run_class(self, folder: Path) -> "type[TdGenerations[Any]]":
        from gameplay.learning.folder import RunFolder
        from gameplay.learning.network_run import NetworkRun
        from gameplay.learning.td_run import TdRun

        return NetworkRun if "network" in RunFolder(folder).settings_in() else TdRun

    def engine(self, run: "TdGenerations[Any]") -> str:
        return f"{'expectiminimax' if run.game.new().chance else 'alphabeta'}:eval={run.weights}"

    def method_facts(self, run: "TdGenerations[Any]") -> dict[str, Any]:
        settings = run.settings
        return {
            "lambda": settings.decay,
            "explore": settings.explore,
            "batch": settings.batch,
            **run.facts,
            "symmetries": list(run.symmetries),
            "truth": truth_facts(run),
        }
