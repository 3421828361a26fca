"""Method deepcfr of `gameplay learn`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.advice import typed
from gameplay.cli.knowledge.learning.method import GenerationMethod
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.learning.deepcfr.run import DeepCfrPoint, DeepCfrRun
    from gameplay.registry import Game


class DeepCfrMethod(GenerationMethod):
    """Deep CFR: a strategy of a small game of imperfect information."""

    options = ("iterations", "traversals", "units")

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "DeepCfrRun":
        from gameplay.errors import Usage
        from gameplay.learning.deepcfr.run import DeepCfrRun, DeepCfrSettings

        if games is not None:
            raise Usage("--games is not for --method deepcfr, which traverses a tree: use --iterations")
        return DeepCfrRun.begin(folder, DeepCfrSettings(game.spec, seed=seed, **options))

    def run_class(self, folder: Path) -> "type[DeepCfrRun]":
        from gameplay.learning.deepcfr.run import DeepCfrRun

        return DeepCfrRun

    def engine(self, run: "DeepCfrRun") -> str:
        return f"strategy:{run.weights}"

    def head(self, run: "DeepCfrRun") -> list[str]:
        settings, form = run.settings, run.form
        return [
            f"{run.game.spec}: Deep CFR, {plural(settings.iterations, 'iteration')} of "
            f"{plural(settings.traversals, 'traversal')} for each player, seed {settings.seed}",
            f"{form.nodes:,} nodes, {len(form.infosets):,} infosets; networks of {run.inputs} inputs, 2x"
            f"{settings.units} units and {run.outputs} outputs",
            "Exploitability is exact: of the strategy network, and of CFR with tables (external sampling) "
            "after as many nodes.",
            "",
            f"{'iterations':>11}{'nodes':>13}{'network':>11}{'tables':>11}{'value':>11}",
        ]

    def row(self, run: "DeepCfrRun", point: "DeepCfrPoint") -> str:
        return (
            f"{point.iterations:>11,}{point.nodes:>13,}{point.exploitability:>11.4f}{point.tabular:>11.4f}"
            f"{point.value:>+11.4f}"
        )

    def foot(self, run: "DeepCfrRun") -> list[str]:
        if not run.curve:
            return []
        game, engine = run.settings.game, self.engine(run)
        return [
            "",
            f"strategy: {run.weights}",
            f"Play against it: {typed('gameplay', 'play', game, '--engine', engine)}",
            f"Measure it: {typed('gameplay', 'exploit', game, '--engine', engine)}",
        ]

    def done(self, run: "DeepCfrRun") -> str:
        return f"all {plural(run.settings.iterations, 'iteration')} are done"

    def remaining(self, run: "DeepCfrRun") -> str:
        return f"{run.settings.iterations - run.played:,} iterations are left"

    def own_facts(self, run: "DeepCfrRun") -> dict[str, Any]:
        settings, form = run.settings, run.form
        return {
            "iterations": settings.iterations,
            "traversals": settings.traversals,
            "units": settings.units,
            "nodes": form.nodes,
            "infosets": len(form.infosets),
        }
