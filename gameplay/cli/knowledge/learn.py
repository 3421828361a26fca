"""`gameplay learn`: learn the weights of an evaluation by games of two players against each other.

`--json` prints one document: {"folder", "game", "evaluation", "method", "games", "seed", "depth", "played",
"wins", "draws", "losses", "moves", "corrections", "terms": [{"term", "weight", "correlation", "used"}, ...],
"weights": file}; `weight` is Alpha's. With --method rote, in place of the last three: {"records", "recalled",
"lookups", "forgotten", "discarded", "file"}.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import Group
from gameplay.cli.common.options import COUNT, FILE, GAME, Integer, json_option
from gameplay.cli.common.width import columns, say_aside

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from gameplay.learning.run import LearningRun
    from gameplay.learning.samuel import LearningGame

FOLDER = click.argument("folder", type=FILE)
EXPLAIN = click.option(
    "--explain", is_flag=True, help="Print each correction: which coefficients change, by how much and why."
)


class LearnCommands(Group):
    """`learn GAME` starts a run; the other commands take the folder of one."""

    kind = "command"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A first argument that is no command is the game of a new run."""
        if not args[0].startswith("-") and args[0] not in self.commands:
            return args[0], start, args  # the game stands for the command in messages
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """The commands, and the games."""
        return super().shell_complete(ctx, incomplete) + GAME.shell_complete(ctx, start.params[0], incomplete)


@click.group(
    cls=LearnCommands,
    short_help="Learn the weights of an evaluation by self-play",
    subcommand_metavar="GAME [OPTIONS] | COMMAND FOLDER",
)
def command() -> None:
    """Learn the weights of GAME's evaluation by self-play, as Samuel's checkers program did (1959).

    \b
    gameplay learn checkers --games 200 --out samuel
    gameplay learn checkers --method rote --out rote
    gameplay learn status samuel
    gameplay learn resume samuel
    gameplay show checkers --eval samuel/weights.toml --terms

    `gameplay learn GAME --help` lists the options. docs/samuel.md describes the method.
    """


@click.command("start", short_help="Start a run", options_metavar="[OPTIONS]")
@click.argument("game", type=GAME)
@click.option(
    "--method",
    type=click.Choice(["samuel", "rote"]),
    default="samuel",
    help="Learn coefficients (samuel), or store positions with their values (rote) [samuel].",
)
@click.option("--games", type=COUNT, default=100, help="Number of games to play [100].")
@click.option("--seed", type=Integer(min=0), default=1, help="Seed of the openings [1].")
@click.option("--out", "folder", type=FILE, metavar="FOLDER", help="Folder of the run [learned-GAME].")
@click.option(
    "--eval",
    "evaluation",
    default="",
    metavar="EVAL",
    help="Evaluation to begin with, a name or a file of weights [the linear one].",
)
@click.option("--depth", type=Integer(1, 20), default=3, help="Plies of each search [3].")
@click.option(
    "--plies",
    type=Integer(min=2),
    default=70,
    help="Plies after which the side ahead in material wins, in games with material [70].",
)
@click.option(
    "--opening", type=Integer(0, 20), help="Random plies before each game [2; with --method rote 1]."
)
@click.option("--records", type=COUNT, help="With --method rote: stored positions at most [50000].")
@click.option(
    "--age",
    type=Integer(min=4),
    help="With --method rote: age at which a stored position is forgotten [512].",
)
@EXPLAIN
@json_option("the result")
def start(
    game: str,
    method: str,
    games: int,
    seed: int,
    folder: Path | None,
    evaluation: str,
    depth: int,
    plies: int,
    opening: int | None,
    records: int | None,
    age: int | None,
    explain: bool,
    as_json: bool,
) -> int:
    """Start a learning run of GAME and play its games.

    Alpha corrects its coefficients after each move; Beta keeps its own, and takes Alpha's when Alpha has won
    a majority of their games. FOLDER/weights.toml holds Beta's, for `eval=FOLDER/weights.toml`.

    With --method rote no coefficient changes. Positions are stored with their backed-up values, and Alpha's
    searches look them up; FOLDER/records.rote holds them, for `eval=FOLDER/records.rote`.

    Ctrl-C ends the run; `gameplay learn resume FOLDER` continues it. Equal options give equal weights.
    """
    from gameplay import registry
    from gameplay.learning.rote import MOST, OLDEST
    from gameplay.learning.run import LearningRun, LearningSettings, chosen

    rules = registry.game(game)
    first = chosen(rules, evaluation)
    rote = method == "rote"
    for option, value in (("--records", records), ("--age", age)):
        if value is not None and not rote:
            raise click.UsageError(f"{option} is for --method rote")
    settings = LearningSettings(
        rules.spec,
        first.name,
        method,
        games,
        seed,
        depth,
        plies,
        (1 if rote else 2) if opening is None else opening,
        weights=dict(first.weights) if first.file else {},
        records=(records or MOST) if rote else 0,
        age=(age or OLDEST) if rote else 0,
    )
    return _learn(LearningRun.create(folder or Path(f"learned-{rules.name}"), settings), explain, as_json)


@command.command(short_help="Continue a run")
@FOLDER
@EXPLAIN
@json_option("the result")
def resume(folder: Path, explain: bool, as_json: bool) -> int:
    """Play the missing games of the run in FOLDER.

    The result is that of a run that was never interrupted.
    """
    from gameplay.learning.run import LearningRun

    run = LearningRun.load(folder)
    if run.learner.games >= run.settings.games:
        say_aside(f"all {run.settings.games} games have been played")
    return _learn(run, explain, as_json)


@command.command(short_help="Show a run, or what one of its games changed")
@FOLDER
@click.option("--game", "number", type=COUNT, help="Show what each move of game N changed.")
@json_option("the result")
def status(folder: Path, number: int | None, as_json: bool) -> int:
    """Show how far the run in FOLDER is, its results, and its polynomial or stored positions.

    With --game N the games up to N are played again, and each correction of game N is printed: delta, what
    each term contributed, its correlation and coefficient before and after, marks and replacements.
    """
    from gameplay.learning.run import LearningRun

    run = LearningRun.load(folder)
    if number is None:
        _show(run, as_json)
        return 0
    if as_json:
        raise click.UsageError("--json prints the result of the run: leave --game out")
    from gameplay.display.folding import folded
    from gameplay.display.reports.learning import explained

    trainer, played = run.replay(number)
    for line in folded([_game(run, played), *explained(trainer, played)], columns(100)):
        click.echo(line)
    return 0


@command.command(short_help="Stop a run after the game in progress")
@FOLDER
def stop(folder: Path) -> int:
    """Ask the process that plays the run in FOLDER to stop after the game in progress."""
    from gameplay.errors import Usage
    from gameplay.learning.run import LearningRun

    run = LearningRun.load(folder)
    process = run.learning
    if not process:
        played = f"{run.learner.games} of {run.settings.games} games are played"
        raise Usage(f"no process plays {folder}: {played}")
    run.request_stop()
    click.echo(f"asked process {process} to stop after the game in progress")
    return 0


def _learn(run: "LearningRun", explain: bool, as_json: bool) -> int:
    from gameplay.display.terminal.progress import Progress

    try:
        with Progress(run.settings.games, run.learner.games) as progress:
            for played in run.learn():
                if not as_json:
                    if progress.bar is None or explain:
                        click.echo(_game(run, played))
                    if explain:
                        _explain(run, played)
                wins, draws, losses = run.learner.results
                progress.advance(f"Alpha +{wins} ={draws} -{losses}")
        _show(run, as_json)
    finally:
        remaining = run.settings.games - run.learner.games
        if remaining:
            say_aside(f"{remaining} games are left; continue by: gameplay learn resume {run.folder}")
    return 0


def _game(run: "LearningRun", played: "LearningGame") -> str:
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
    from gameplay.display.reports.learning import explained

    for line in explained(run.trainer, played):
        click.echo(line)


def _show(run: "LearningRun", as_json: bool) -> None:
    if as_json:
        import json

        click.echo(json.dumps(facts(run)))
        return
    from gameplay.display.folding import folded
    from gameplay.display.reports.learning import memory, polynomial, summary

    width = columns(100)
    parts = memory(run) if run.settings.method == "rote" else polynomial(run)
    for line in folded([*summary(run, width), "", *parts], width):
        click.echo(line)


def facts(run: "LearningRun") -> dict[str, Any]:
    """What `--json` prints."""
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
