"""Method td of `gameplay learn`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.advice import typed
from gameplay.cli.knowledge.learning.method import GenerationMethod

if TYPE_CHECKING:
    from gameplay.learning.td_generations import CurvePoint, TdGenerations
    from gameplay.registry import Game


class Td(GenerationMethod):
    """TD(lambda) with n-tuples or a network."""

    options = ("decay", "explore", "tuples", "network", "rate")

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "TdGenerations[Any]":
        from gameplay.errors import Usage
        from gameplay.learning.network_run import NetworkRun, NetworkSettings
        from gameplay.learning.td_run import TdRun, TdSettings

        if "network" in options:
            if "tuples" in options:
                raise Usage("--tuples and --network exclude each other: choose what is to be learned")
            explore = {"explore": 0.0} if game.new().chance else {}
            return NetworkRun.begin(
                folder, NetworkSettings(game.spec, games or 20_000, seed=seed, **explore | options)
            )
        if "rate" in options:
            raise Usage("--rate is for --network; tables adapt their own rates")
        count, length = options.pop("tuples", (0, 0))
        settings = TdSettings(game.spec, games or 20_000, seed, tuples=count, length=length, **options)
        return TdRun.begin(folder, settings)

    def load(self, folder: Path) -> "TdGenerations[Any]":
        from gameplay.learning.folder import RunFolder
        from gameplay.learning.network_run import NetworkRun
        from gameplay.learning.td_run import TdRun

        return (NetworkRun if "network" in RunFolder(folder).settings_in() else TdRun).load(folder)

    def head(self, run: "TdGenerations[Any]") -> list[str]:
        from gameplay.display.reports import learning_curve

        return learning_curve.head(run)

    def row(self, run: "TdGenerations[Any]", point: "CurvePoint") -> str:
        from gameplay.display.reports import learning_curve

        return learning_curve.row(run, point)

    def foot(self, run: "TdGenerations[Any]") -> list[str]:
        from gameplay.display.reports import learning_curve

        lines = learning_curve.foot(run)
        if run.curve:
            engine = "expectiminimax" if run.game.new().chance else "alphabeta"
            words = "play", run.settings.game, "--engine", f"{engine}:eval={run.weights}"
            lines.append(f"Play against it: {typed('gameplay', *words)}")
        return lines

    def remaining(self, run: "TdGenerations[Any]") -> str:
        return f"{run.settings.games - run.played:,} games are left"

    def facts(self, run: "TdGenerations[Any]") -> dict[str, Any]:
        settings, truth = run.settings, run.truth
        return {
            "folder": str(run.folder),
            "game": settings.game,
            "method": settings.method,
            "games": settings.games,
            "seed": settings.seed,
            "lambda": settings.decay,
            "explore": settings.explore,
            **run.facts,
            "symmetries": list(run.symmetries),
            "played": run.played,
            "truth": None if truth is None else {"positions": len(truth.positions), "whole": truth.whole},
            "curve": [asdict(point) for point in run.curve],
            "weights": str(run.weights) if run.curve else None,
        }
