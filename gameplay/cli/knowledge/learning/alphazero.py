"""Method alphazero of `gameplay learn`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.advice import typed
from gameplay.cli.knowledge.learning.method import GenerationMethod

if TYPE_CHECKING:
    from gameplay.learning.alphazero.run import AlphaZeroPoint, AlphaZeroRun
    from gameplay.registry import Game


class AlphaZeroMethod(GenerationMethod):
    """A policy and a value with n-tuples, by searches."""

    options = ("simulations", "opening", "tuples")

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "AlphaZeroRun":
        from gameplay.learning.alphazero.run import AlphaZeroRun, AlphaZeroSettings, usual_opening

        count, length = options.pop("tuples", (0, 0))
        opening = options.pop("opening", None)
        if opening is None:
            opening = usual_opening(game, seed)
        settings = AlphaZeroSettings(
            game.spec, games or 20_000, seed, opening=opening, tuples=count, length=length, **options
        )
        return AlphaZeroRun.begin(folder, settings)

    def load(self, folder: Path) -> "AlphaZeroRun":
        from gameplay.learning.alphazero.run import AlphaZeroRun

        return AlphaZeroRun.load(folder)

    def head(self, run: "AlphaZeroRun") -> list[str]:
        from gameplay.display.reports import alphazero_curve

        return alphazero_curve.head(run)

    def row(self, run: "AlphaZeroRun", point: "AlphaZeroPoint") -> str:
        from gameplay.display.reports import alphazero_curve

        return alphazero_curve.row(run, point)

    def foot(self, run: "AlphaZeroRun") -> list[str]:
        from gameplay.display.reports import learning_curve

        lines = learning_curve.foot(run)
        if run.curve:
            words = "play", run.settings.game, "--engine", f"mcts:eval={run.weights}"
            lines.append(f"Play against it: {typed('gameplay', *words)}")
        return lines

    def remaining(self, run: "AlphaZeroRun") -> str:
        return f"{run.settings.games - run.played:,} games are left"

    def facts(self, run: "AlphaZeroRun") -> dict[str, Any]:
        settings, truth = run.settings, run.truth
        return {
            "folder": str(run.folder),
            "game": settings.game,
            "evaluation": "ntuples",
            "method": settings.method,
            "games": settings.games,
            "seed": settings.seed,
            "simulations": settings.simulations,
            "opening": settings.opening,
            "tuples": len(run.layout.tuples),
            "length": len(run.layout.tuples[0]),
            "symmetries": list(run.layout.symmetries),
            "played": run.played,
            "truth": None if truth is None else {"positions": len(truth.positions), "whole": truth.whole},
            "curve": [asdict(point) for point in run.curve],
            "weights": str(run.weights) if run.curve else None,
        }
