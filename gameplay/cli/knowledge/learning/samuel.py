"""Methods samuel and rote of `gameplay learn`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from gameplay.cli.common.width import columns, echo_err
from gameplay.cli.knowledge.learning.method import Method, linear_evaluation

if TYPE_CHECKING:
    from gameplay.learning.run import LearningRun
    from gameplay.learning.samuel import LearningGame
    from gameplay.registry import Game


class Samuel(Method):
    """Samuel's learning of the coefficients of terms."""

    help: ClassVar[str] = (
        "With --method samuel Alpha corrects its coefficients after each move; Beta keeps its own, and "
        "takes Alpha's when Alpha has won a majority of their games. FOLDER/weights.toml holds Beta's."
    )
    options: ClassVar[tuple[str, ...]] = ("evaluation", "depth", "plies", "opening")
    supports_explain = True
    rote = False

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "LearningRun":
        from gameplay.learning.rote import MAX_RECORDS, OLDEST
        from gameplay.learning.run import LearningRun, LearningSettings

        first, weights = linear_evaluation(game, options)
        settings = LearningSettings(
            game.spec,
            first.name,
            "rote" if self.rote else "samuel",
            games or 100,
            seed,
            options.get("depth", 3),
            options.get("plies", 70),
            options.get("opening", 1 if self.rote else 2),
            weights=weights,
            records=options.get("records", MAX_RECORDS) if self.rote else 0,
            age=options.get("age", OLDEST) if self.rote else 0,
        )
        return LearningRun.begin(folder, settings)

    def load(self, folder: Path) -> "LearningRun":
        from gameplay.learning.run import LearningRun

        return LearningRun.load(folder)

    def learn(self, run: "LearningRun", explain: bool, as_json: bool) -> None:
        from gameplay.display.terminal.progress import Progress

        if run.learner.games >= run.settings.games:
            echo_err(f"all {run.settings.games} games are done")
        try:
            with Progress(run.settings.games, run.learner.games) as progress:
                for played in run.learn():
                    if not as_json:
                        if progress.bar is None or explain:
                            click.echo(_format_game(run, played))
                        if explain:
                            _explain(run, played)
                    wins, draws, losses = run.learner.results
                    progress.advance(f"Alpha +{wins} ={draws} -{losses}")
            self.show(run, as_json)
        finally:
            remaining = run.settings.games - run.learner.games
            if remaining:
                echo_err(f"{remaining} games are left; resume with: gameplay learn resume {run.folder}")

    def show(self, run: "LearningRun", as_json: bool) -> None:
        if as_json:
            import json

            click.echo(json.dumps(_facts(run)))
            return
        from gameplay.display.folding import fit_lines
        from gameplay.display.reports.learning.samuel import memory_table, polynomial_table, summary

        width = columns(100)
        parts = memory_table(run) if run.settings.method == "rote" else polynomial_table(run)
        for line in fit_lines([*summary(run, width), "", *parts], width):
            click.echo(line)


class Rote(Samuel):
    """Samuel's rote learning: stored positions with their values."""

    help = (
        "With --method rote no coefficient changes. Positions are stored with their backed-up values, and "
        "Alpha's searches look them up; FOLDER/records.rote holds them, for `eval=FOLDER/records.rote`."
    )
    options = (*Samuel.options, "records", "age")
    rote = True


def _format_game(run: "LearningRun", played: "LearningGame") -> str:
    sides = run.trainer.game.new().sides
    result = {1: "won", 0: "drew", -1: "lost"}[played.result]
    line = (
        f"game {played.number + 1:<4} Alpha ({sides[played.seat]}) {result:<4} in {len(played.moves)} plies"
    )
    if played.adopted:
        line += ", and Beta takes its polynomial"
    if played.cleared:
        line += f", for the third time: its leading term {played.cleared} is set to 0"
    return line


def _explain(run: "LearningRun", played: "LearningGame") -> None:
    from gameplay.display.reports.learning.samuel import explain_game

    for line in explain_game(run.trainer, played):
        click.echo(line)


def game_lines(run: "LearningRun", number: int) -> list[str]:
    """Format game `number` of a run, with the changes after each move."""
    from gameplay.display.reports.learning.samuel import explain_game

    trainer, played = run.replay(number)
    return [_format_game(run, played), *explain_game(trainer, played)]


def _facts(run: "LearningRun") -> dict[str, Any]:
    """The output of `--json`."""
    settings, learner = run.settings, run.learner
    wins, draws, losses = learner.results
    return {
        "folder": str(run.folder),
        "game": settings.game,
        "evaluation": settings.evaluation,
        "method": settings.method,
        "games": settings.games,
        "seed": settings.seed,
        "depth": settings.depth,
        "played": learner.games,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "moves": learner.moves,
        **(_rote_facts(run) if settings.method == "rote" else _samuel_facts(run)),
    }


def _rote_facts(run: "LearningRun") -> dict[str, Any]:
    memory = run.memory
    return {
        "records": len(memory.records),
        "recalled": memory.recalled,
        "lookups": memory.lookups,
        "forgotten": memory.forgotten,
        "discarded": memory.discarded,
        "file": str(run.state) if memory.games else None,
    }


def _samuel_facts(run: "LearningRun") -> dict[str, Any]:
    learner = run.polynomial
    return {
        "corrections": learner.corrections,
        "terms": [
            {
                "term": term.name,
                "weight": learner.alpha[term.name],
                "correlation": term.correlation,
                "used": term.used,
            }
            for term in learner.active
        ],
        "weights": str(run.folder / "weights.toml") if learner.games else None,
    }
