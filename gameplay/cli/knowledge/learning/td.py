"""Method td of `gameplay learn`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.advice import typed
from gameplay.cli.knowledge.learning.method import GenerationMethod

if TYPE_CHECKING:
    from gameplay.learning.td_run import CurvePoint, TdRun
    from gameplay.registry import Game


class Td(GenerationMethod):
    """TD(lambda) with n-tuples."""

    options = ("decay", "explore", "tuples")

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "TdRun":
        from gameplay.learning.td_run import TdRun, TdSettings

        count, length = options.pop("tuples", (0, 0))
        settings = TdSettings(game.spec, games or 20_000, seed, tuples=count, length=length, **options)
        return TdRun.begin(folder, settings)

    def load(self, folder: Path) -> "TdRun":
        from gameplay.learning.td_run import TdRun

        return TdRun.load(folder)

    def head(self, run: "TdRun") -> list[str]:
        from gameplay.display.reports import learning_curve

        return learning_curve.head(run)

    def row(self, run: "TdRun", point: "CurvePoint") -> str:
        from gameplay.display.reports import learning_curve

        return learning_curve.row(run, point)

    def foot(self, run: "TdRun") -> list[str]:
        from gameplay.display.reports import learning_curve

        lines = learning_curve.foot(run)
        if run.curve:
            engine = "expectiminimax" if run.game.new().chance else "alphabeta"
            words = "play", run.settings.game, "--engine", f"{engine}:eval={run.weights}"
            lines.append(f"Play against it: {typed('gameplay', *words)}")
        return lines

    def remaining(self, run: "TdRun") -> str:
        return f"{run.settings.games - run.played:,} games are left"

    def facts(self, run: "TdRun") -> dict[str, Any]:
        settings, truth = run.settings, run.truth
        return {
            "folder": str(run.folder),
            "game": settings.game,
            "evaluation": "ntuples",
            "method": settings.method,
            "games": settings.games,
            "seed": settings.seed,
            "lambda": settings.decay,
            "explore": settings.explore,
            "tuples": len(run.tuples),
            "length": len(run.tuples[0]),
            "symmetries": list(run.symmetries),
            "played": run.played,
            "truth": None if truth is None else {"positions": len(truth.positions), "whole": truth.whole},
            "curve": [asdict(point) for point in run.curve],
            "weights": str(run.weights) if run.curve else None,
        }
