"""Methods logistic, tdleaf and spsa of `gameplay learn`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from gameplay.cli.common.width import columns
from gameplay.cli.knowledge.learning.method import (
    GenerationMethod,
    linear_evaluation,
    read_recorded_games,
    truth_facts,
)

if TYPE_CHECKING:
    from gameplay.learning.terms.games import TrainingGame
    from gameplay.learning.terms.run import TermsPoint, TermsRun
    from gameplay.registry import Game


class TermsMethod(GenerationMethod):
    """Weights of the named terms of an evaluation, kept if a test accepts them."""

    help = (
        "With --method logistic, tdleaf or spsa the weights of the terms are fitted to the results of "
        "games, corrected at the leaf of each principal variation, or changed at random and tried in pairs "
        "of games. After each tenth of the games a sequential test decides whether they are kept, in "
        "FOLDER/weights.toml."
    )
    options: ClassVar[tuple[str, ...]] = ("evaluation", "depth", "plies", "opening")
    report = "terms"
    shown = ("games", "evaluation", "depth", "plies", "opening")
    has_independent_games = True
    method = ""

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "TermsRun":
        from gameplay.learning.terms.run import TermsRun, TermsSettings

        first, weights = linear_evaluation(game, options)
        source = options.pop("source", None)
        given = {"seed": seed, "weights": weights, **options} | ({"games": games} if games else {})
        settings = TermsSettings(game.spec, first.name, self.method, **given)
        if source is None:
            return TermsRun.begin(folder, settings)
        return TermsRun.of_games(folder, settings, _read_training_games(game, source)[:games])

    def run_class(self, folder: Path) -> "type[TermsRun]":
        from gameplay.learning.terms.run import TermsRun

        return TermsRun

    def head(self, run: "TermsRun") -> list[str]:
        lines: list[str] = self.report_module().head(run, columns(100))
        return lines

    def row(self, run: "TermsRun", point: "TermsPoint") -> str:
        return str(self.report_module().row(run, point, columns(100)))

    def engine(self, run: "TermsRun") -> str:
        return f"quiescence:depth={run.settings.depth},eval={run.weights}"

    def show(self, run: "TermsRun", as_json: bool) -> None:
        super().show(run, as_json)
        if not as_json:
            for line in self.report_module().weights(run):
                click.echo(line)

    def method_facts(self, run: "TermsRun") -> dict[str, Any]:
        settings = run.settings
        return {
            "lambda": settings.decay if settings.method == "tdleaf" else None,
            "truth": truth_facts(run),
        }


def _read_training_games(game: "Game", source: Path) -> "list[TrainingGame]":
    """Read the finished games in a file. Raises BadInput if there is none."""
    from gameplay.learning.self_play import sign
    from gameplay.learning.terms.games import TrainingGame

    return [
        TrainingGame(record.start, record.moves, (1 + sign(record.payoffs[0] - record.payoffs[1])) / 2)
        for record in read_recorded_games(game, source, finished=True)
        if record.payoffs is not None
    ]


class LogisticMethod(TermsMethod):
    """Regression on results."""

    method = "logistic"
    options = (*TermsMethod.options, "source")


class TdLeafMethod(TermsMethod):
    """TD-leaf(lambda)."""

    method = "tdleaf"
    options = (*TermsMethod.options, "decay")


class SpsaMethod(TermsMethod):
    """SPSA by matches."""

    method = "spsa"
