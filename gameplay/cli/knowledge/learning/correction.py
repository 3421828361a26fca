"""Method correction of `gameplay learn`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.advice import command_line
from gameplay.cli.knowledge.learning.method import GenerationMethod

if TYPE_CHECKING:
    from gameplay.learning.correction.run import CorrectionRun
    from gameplay.registry import Game


class CorrectionMethod(GenerationMethod):
    """A network that corrects the evaluation of chess."""

    help = (
        "With --method correction a network learns what to add to the evaluation `classic` of chess, from "
        "the values of short searches in games of an engine against itself, and their results. The engine "
        "evaluates by --eval: classic, or the network of an earlier run. The table shows the loss of games "
        "held out; FOLDER/weights.toml is for `eval=FOLDER/weights.toml`."
    )
    options = ("nodes", "evaluation")
    report = "correction"
    has_independent_games = True

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "CorrectionRun":
        from gameplay.learning.correction.run import CorrectionRun, CorrectionSettings

        given = options | ({"games": games} if games else {})
        return CorrectionRun.begin(folder, CorrectionSettings(game.spec, seed=seed, **given))

    def run_class(self, folder: Path) -> "type[CorrectionRun]":
        from gameplay.learning.correction.run import CorrectionRun

        return CorrectionRun

    def engine(self, run: "CorrectionRun") -> str:
        return f"selective:eval={run.weights}"

    def foot(self, run: "CorrectionRun") -> list[str]:
        lines = super().foot(run)
        if run.curve:
            played = run.settings.evaluation
            name = "classic" if played == "classic" else "before"
            words = "match", f"corrected={self.engine(run)}", f"{name}=selective:eval={played}"
            rest = "--game", "chess", "--time", "0.1", "--games", "1000", "--sprt", "0,10"
            lines.append(f"Is it stronger? {command_line('gameplay', *words, *rest)}")
        return lines

    def method_facts(self, run: "CorrectionRun") -> dict[str, Any]:
        settings = run.settings
        shared = {"games": settings.games, "nodes": settings.nodes, "evaluation": settings.evaluation}
        return shared | {"units": run.units}
