"""Method deepcfr of `gameplay learn`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.advice import command_line
from gameplay.cli.knowledge.learning.method import GenerationMethod

if TYPE_CHECKING:
    from gameplay.learning.deepcfr.run import DeepCfrRun
    from gameplay.registry import Game


class DeepCfrMethod(GenerationMethod):
    """Deep CFR: a strategy of a small game of imperfect information."""

    help = (
        "With --method deepcfr networks learn from sampled traversals of the tree, in place of the tables "
        "of CFR. The table shows their exact exploitability; FOLDER/strategy.toml is for `strategy:FILE`. A "
        "tree of more than 300,000 nodes is refused."
    )
    options = ("iterations", "traversals", "units")
    report = "deepcfr"
    counts_games = False
    shown = ("iterations", "traversals", "units")
    unit = "iteration"

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "DeepCfrRun":
        from gameplay.errors import Usage
        from gameplay.learning.deepcfr.run import DeepCfrRun, DeepCfrSettings

        if games is not None:
            raise Usage(
                "--games has no effect on --method deepcfr, which traverses a tree. Try: --iterations"
            )
        return DeepCfrRun.begin(folder, DeepCfrSettings(game.spec, seed=seed, **options))

    def run_class(self, folder: Path) -> "type[DeepCfrRun]":
        from gameplay.learning.deepcfr.run import DeepCfrRun

        return DeepCfrRun

    def engine(self, run: "DeepCfrRun") -> str:
        return f"strategy:{run.weights}"

    def foot(self, run: "DeepCfrRun") -> list[str]:
        lines = super().foot(run)
        if run.curve:
            words = "exploit", run.settings.game, "--engine", self.engine(run)
            lines.append(f"Measure it: {command_line('gameplay', *words)}")
        return lines

    def method_facts(self, run: "DeepCfrRun") -> dict[str, Any]:
        return {"nodes": run.form.nodes, "infosets": len(run.form.infosets)}
