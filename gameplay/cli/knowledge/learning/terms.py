"""Methods logistic, tdleaf and spsa of `gameplay learn`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from gameplay.cli.common.advice import typed
from gameplay.cli.common.width import columns, say_aside
from gameplay.cli.knowledge.learning.method import GenerationMethod

if TYPE_CHECKING:
    from gameplay.learning.terms.games import GivenGame
    from gameplay.learning.terms.run import TermsPoint, TermsRun
    from gameplay.registry import Game


class TermsMethod(GenerationMethod):
    """Weights of the named terms of an evaluation, kept if a test accepts them."""

    options: ClassVar[tuple[str, ...]] = ("evaluation", "depth", "plies", "opening")
    method = ""

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "TermsRun":
        from gameplay.learning.run import chosen
        from gameplay.learning.terms.run import TermsRun, TermsSettings

        first = chosen(game, options.pop("evaluation", ""))
        weights = dict(first.weights) if first.file else {}
        source = options.pop("source", None)
        given = {"seed": seed, "weights": weights, **options} | ({"games": games} if games else {})
        settings = TermsSettings(game.spec, first.name, self.method, **given)
        if source is None:
            return TermsRun.begin(folder, settings)
        return TermsRun.of_games(folder, settings, _given(game, source)[:games])

    def load(self, folder: Path) -> "TermsRun":
        from gameplay.learning.terms.run import TermsRun

        return TermsRun.load(folder)

    def head(self, run: "TermsRun") -> list[str]:
        from gameplay.display.reports import terms_curve

        return terms_curve.head(run, columns(100))

    def row(self, run: "TermsRun", point: "TermsPoint") -> str:
        from gameplay.display.reports import terms_curve

        return terms_curve.row(run, point, columns(100))

    def foot(self, run: "TermsRun") -> list[str]:
        from gameplay.display.reports import terms_curve

        lines = terms_curve.foot(run)
        if run.curve:
            engine = f"quiescence:depth={run.settings.depth},eval="
            words = "play", run.settings.game, "--engine", f"{engine}{run.weights}"
            lines.append(f"Play against it: {typed('gameplay', *words)}")
        return lines

    def show(self, run: "TermsRun", as_json: bool) -> None:
        from gameplay.display.reports import terms_curve

        super().show(run, as_json)
        if not as_json:
            for line in terms_curve.weights(run):
                click.echo(line)

    def remaining(self, run: "TermsRun") -> str:
        return f"{run.settings.games - run.played:,} games are left"

    def facts(self, run: "TermsRun") -> dict[str, Any]:
        settings, truth = run.settings, run.truth
        return {
            "folder": str(run.folder),
            "game": settings.game,
            "evaluation": settings.evaluation,
            "method": settings.method,
            "games": settings.games,
            "seed": settings.seed,
            "depth": settings.depth,
            "plies": settings.plies,
            "opening": settings.opening,
            "lambda": settings.decay if settings.method == "tdleaf" else None,
            "played": run.played,
            "truth": None if truth is None else {"positions": len(truth.positions), "whole": truth.whole},
            "curve": [asdict(point) for point in run.curve],
            "weights": str(run.weights) if run.curve else None,
        }


def _given(game: "Game", source: Path) -> "list[GivenGame]":
    """The finished games in a file. Raises BadInput if there is none."""
    from gameplay.learning.self_play import sign
    from gameplay.learning.terms.games import GivenGame
    from gameplay.runs import collected

    games, notes = collected.finished(game, source)
    for note in notes:
        say_aside(note)
    return [GivenGame(one.start, one.moves, (1 + sign(one.payoffs[0] - one.payoffs[1])) / 2) for one in games]


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
