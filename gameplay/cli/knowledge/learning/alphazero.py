"""Method alphazero of `gameplay learn`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.knowledge.learning.method import GenerationMethod, truth_facts

if TYPE_CHECKING:
    from gameplay.learning.alphazero.run import AlphaZeroRun
    from gameplay.registry import Game


BATCH = 100  # default number of games


class AlphaZeroMethod(GenerationMethod):
    """AlphaZero: a policy and a value of n-tuples, learned from searches."""

    help = (
        "With --method alphazero each move is chosen by a search with PUCT, guided by a policy and a value "
        "in such tables. The policy learns the visits of the moves, the value the results. The table shows "
        "how often the moves of both and of the search are wrong, and the mean error of the value, against "
        "exact search. `mcts:eval=FOLDER/weights.toml` searches with them."
    )
    options = ("simulations", "opening", "tuples", "batch")
    report = "alphazero"
    has_independent_games = True

    def plays_in_parallel(self, options: dict[str, Any]) -> bool:
        return bool(options.get("batch", BATCH) > 1)

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "AlphaZeroRun":
        from gameplay.learning.alphazero.run import AlphaZeroRun, AlphaZeroSettings, default_opening

        count, length = options.pop("tuples", (0, 0))
        opening = options.pop("opening", None)
        if opening is None:
            opening = default_opening(game, seed)
        given = {"batch": BATCH, "opening": opening, "tuples": count, "length": length, **options}
        settings = AlphaZeroSettings(game.spec, games or 20_000, seed, **given)
        return AlphaZeroRun.begin(folder, settings)

    def run_class(self, folder: Path) -> "type[AlphaZeroRun]":
        from gameplay.learning.alphazero.run import AlphaZeroRun

        return AlphaZeroRun

    def engine(self, run: "AlphaZeroRun") -> str:
        return f"mcts:eval={run.weights}"

    def method_facts(self, run: "AlphaZeroRun") -> dict[str, Any]:
        settings, layout = run.settings, run.layout
        return {
            "games": settings.games,
            "evaluation": "ntuples",
            "simulations": settings.simulations,
            "opening": settings.opening,
            "batch": settings.batch,
            "tuples": len(layout.tuples),
            "length": len(layout.tuples[0]),
            "symmetries": list(layout.symmetries),
            "truth": truth_facts(run),
        }
