"""The interface of a method of `gameplay learn`: options, and creation, learning and printing of runs."""

from abc import ABC, abstractmethod
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import click

from gameplay.cli.common.advice import command_line
from gameplay.cli.common.width import columns, echo_err
from gameplay.plural import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gameplay.learning.folder import StoredRun
    from gameplay.learning.generations import GenerationRun
    from gameplay.position import AbstractEvaluation
    from gameplay.registry import Game
    from gameplay.runs.collected import RecordedGame


class Method(ABC):
    """A learning method, without state."""

    help: ClassVar[str]  # a paragraph of `learn GAME --help`
    options: ClassVar[tuple[str, ...]] = ()  # its parameters of the command, besides common ones
    supports_explain = False  # for --explain and `status --game`
    counts_games = True  # for --games
    has_independent_games = False  # they can be played in parallel

    def plays_in_parallel(self, options: dict[str, Any]) -> bool:
        """True if a run with these options or settings plays games in several processes."""
        return self.has_independent_games

    @abstractmethod
    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "StoredRun":
        """Create a run. Raises Usage for an unsupported game, or a folder in use."""

    @abstractmethod
    def load(self, folder: Path) -> "StoredRun":
        """Load the run in a folder. Raises BadInput for a damaged one."""

    @abstractmethod
    def learn(self, run: Any, explain: bool, as_json: bool) -> None:
        """Learn until the run is complete, and print the result."""

    @abstractmethod
    def show(self, run: Any, as_json: bool) -> None:
        """Print the progress and the result of a run."""


class GenerationMethod(Method):
    """A method whose runs are `GenerationRun`s, printed as a table with a row per generation."""

    report: ClassVar[str]  # the module of display/reports/learning with head(run), row(run, point), foot(run)
    unit = "game"  # counted by `total` of a run
    shown: ClassVar[tuple[str, ...]] = ()  # settings that `--json` prints

    @abstractmethod
    def run_class(self, folder: Path) -> "type[GenerationRun[Any, Any]]":
        """The class of the run in a folder."""

    @abstractmethod
    def engine(self, run: Any) -> str:
        """The spec of an engine that plays with what was learned."""

    @abstractmethod
    def method_facts(self, run: Any) -> dict[str, Any]:
        """The fields of `--json` that are specific to the method, besides `shown`."""

    def load(self, folder: Path) -> "GenerationRun[Any, Any]":
        return self.run_class(folder).load(folder)

    def report_module(self) -> ModuleType:
        """Import the module named by `report`."""
        return import_module(f"gameplay.display.reports.learning.{self.report}")

    def head(self, run: Any) -> "Sequence[str]":
        """The lines above the table: method, test positions, heads of the columns."""
        lines: Sequence[str] = self.report_module().head(run)
        return lines

    def row(self, run: Any, point: Any) -> str:
        """Format the row of a generation."""
        return str(self.report_module().row(run, point))

    def foot(self, run: Any) -> "list[str]":
        """The result of the run, with commands to copy; these lines are not wrapped."""
        lines: list[str] = self.report_module().foot(run)
        if run.curve:
            words = "play", run.settings.game, "--engine", self.engine(run)
            lines.append(f"Play against it: {command_line('gameplay', *words)}")
        return lines

    def facts(self, run: Any) -> dict[str, Any]:
        """The document that `--json` prints."""
        settings = run.settings
        shared = {"folder": str(run.folder), "game": settings.game, "method": settings.method}
        return {
            **shared,
            "seed": settings.seed,
            **{name: getattr(settings, name) for name in self.shown},
            **self.method_facts(run),
            "played": run.played,
            "curve": [asdict(point) for point in run.curve],
            "weights": str(run.weights) if run.curve else None,
        }

    def learn(self, run: Any, explain: bool, as_json: bool) -> None:
        if run.done:
            echo_err(f"all {plural(run.total, self.unit)} are done")
        elif run.solves and not run.has_ground_truth and not run.game.new().chance:
            echo_err("solving positions to measure against")
        began = False
        try:
            for point in self._points(run):
                if not as_json:
                    if not began:
                        self._print_table(run, run.curve[:-1])
                    click.echo(self.row(run, point))
                began = True
            if not as_json and not began:
                self._print_table(run, run.curve)
            self._finish(run, as_json)
        finally:
            if not run.done:
                remaining = plural(run.total - run.played, self.unit)
                echo_err(f"{remaining} left; resume with: gameplay learn resume {run.folder}")

    def _points(self, run: Any) -> "Iterator[Any]":
        """Learn generation by generation, with a progress bar on a terminal."""
        from gameplay.display.terminal.progress import Progress

        points = run.learn()
        while True:
            with Progress(run.total, run.played, f"{self.unit}s") as progress:
                run.observe = progress.show
                point = next(points, None)
            if point is None:
                return
            yield point

    def show(self, run: Any, as_json: bool) -> None:
        if not as_json:
            self._print_table(run, run.curve)
        self._finish(run, as_json)

    def _print_table(self, run: Any, points: "Iterable[Any]") -> None:
        """Print the head of the table and these generations."""
        from gameplay.display.folding import fit_lines

        for line in fit_lines(self.head(run), columns(100)):
            click.echo(line)
        for point in points:
            click.echo(self.row(run, point))

    def _finish(self, run: Any, as_json: bool) -> None:
        if as_json:
            import json

            click.echo(json.dumps(self.facts(run)))
            return
        for line in self.foot(run):
            click.echo(line)


def linear_evaluation(game: "Game", options: dict[str, Any]) -> tuple["AbstractEvaluation", dict[str, int]]:
    """Remove the option `evaluation` and return the evaluation, and its weights if it is read from a file.

    Raises Usage or BadInput if it is not a sum of named terms.
    """
    from gameplay.learning.run import select_linear

    first = select_linear(game, options.pop("evaluation", ""))
    return first, dict(first.weights) if first.file else {}


def read_recorded_games(game: "Game", source: Path, finished: bool) -> "list[RecordedGame]":
    """Read the games in a file, only those with a result if `finished`; prints notes on games left out.

    Raises BadInput if there is none.
    """
    from gameplay.runs import collected

    games, notes = collected.read_games(game, source, finished)
    for note in notes:
        echo_err(note)
    return games


def truth_facts(run: Any) -> dict[str, Any] | None:
    """The fields of `--json` about the positions on which a curve is measured."""
    return None if run.truth is None else {"positions": len(run.truth.positions), "whole": run.truth.whole}
