"""`gameplay learn`: learn the weights of an evaluation by games of two players against each other.

`--json` prints one document: {"folder", "game", "evaluation", "method", "games", "seed", "depth", "played",
"wins", "draws", "losses", "moves", "corrections", "terms": [{"term", "weight", "correlation", "used"}, ...],
"weights": file}; `weight` is Alpha's. With --method rote, in place of the last three: {"records", "recalled",
"lookups", "forgotten", "discarded", "file"}. With --method td: {"folder", "game", "evaluation", "method",
"games", "seed", "lambda", "explore", "tuples", "length", "symmetries", "played", "truth": {"positions",
"whole"} or null, "curve": [{"games", "positions", "wrong", "wins", "draws", "losses"}, ...], "weights":
file}; `wrong` is the number of positions of `truth` in which the learner's move loses value.
"""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import Group
from gameplay.cli.common.options import COUNT, FILE, GAME, Integer, Real, json_option
from gameplay.cli.common.width import columns, say_aside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

    from gameplay.learning.run import LearningRun
    from gameplay.learning.samuel import LearningGame
    from gameplay.learning.td_run import CurvePoint, TdRun
    from gameplay.registry import Game

FOLDER = click.argument("folder", type=FILE)
SAMUEL = ("evaluation", "depth", "plies", "opening")
METHODS = {  # the options of each method
    "samuel": SAMUEL,
    "rote": (*SAMUEL, "records", "age"),
    "td": ("decay", "explore", "tuples"),
}
EXPLAIN = click.option(
    "--explain", is_flag=True, help="Print each correction: which coefficients change, by how much and why."
)


def _tuples(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """A number of tuples and the cells of each, as 70x8."""
    if value is None:
        return None
    count, _, length = value.partition("x")
    if not (count.isdecimal() and length.isdecimal() and 0 < int(count) <= 500 and int(length)):
        raise click.BadParameter(f"'{value}' is no COUNTxLENGTH: expected for example 70x8, and 500 at most")
    return int(count), int(length)


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
    """Learn an evaluation of GAME by self-play.

    \b
    gameplay learn connect4 --method td --games 100000
    gameplay learn ./mygame.py
    gameplay learn checkers --games 200 --out samuel
    gameplay learn checkers --method rote --out rote
    gameplay learn status samuel
    gameplay learn resume samuel
    gameplay show checkers --eval samuel/weights.toml --terms

    `gameplay learn GAME --help` lists the options. docs/training.md describes the methods.
    """


@click.command("start", short_help="Start a run", options_metavar="[OPTIONS]")
@click.argument("game", type=GAME)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    help="Learn coefficients of terms (samuel), store positions with their values (rote), or learn tables of "
    "the board's cells (td) [samuel where the evaluation is a sum of terms, else td].",
)
@click.option("--games", type=COUNT, help="Number of games to play [100; with --method td 20000].")
@click.option("--seed", type=Integer(min=0, max=2**63 - 1), default=1, help="Seed of the games [1].")
@click.option("--out", "folder", type=FILE, metavar="FOLDER", help="Folder of the run [learned-GAME].")
@click.option(
    "--eval",
    "evaluation",
    metavar="EVAL",
    help="Evaluation to begin with, a name or a file of weights [the linear one].",
)
@click.option("--depth", type=Integer(1, 20), help="Plies of each search [3].")
@click.option(
    "--plies",
    type=Integer(min=2),
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
@click.option(
    "--lambda",
    "decay",
    type=Real(0, 1),
    metavar="LAMBDA",
    help="With --method td: how much earlier positions learn, 0 to 1 [0.5].",
)
@click.option(
    "--explore",
    type=Real(0, 1),
    metavar="SHARE",
    help="With --method td: share of random moves, 0 to 1 [0.1].",
)
@click.option(
    "--tuples",
    callback=_tuples,
    metavar="COUNTxLENGTH",
    help="With --method td: number of tuples and cells of each, as 70x8 [as suits the board].",
)
@EXPLAIN
@json_option("the result")
def start(
    game: str,
    method: str | None,
    games: int | None,
    seed: int,
    folder: Path | None,
    explain: bool,
    as_json: bool,
    **given: Any,  # options of some methods only; None: not given
) -> int:
    """Start a learning run of GAME and play its games.

    With --method td tables hold a weight for the contents of tuples of cells, and each position learns from
    the one after it. Symmetries of the board are found in random games. The table shows how often the
    learner's move is wrong, of positions whose best moves are known by exact search. The weights are
    in FOLDER/weights.toml, for `eval=FOLDER/weights.toml`.

    With --method samuel Alpha corrects its coefficients after each move; Beta keeps its own, and takes
    Alpha's when Alpha has won a majority of their games. FOLDER/weights.toml holds Beta's.

    With --method rote no coefficient changes. Positions are stored with their backed-up values, and Alpha's
    searches look them up; FOLDER/records.rote holds them, for `eval=FOLDER/records.rote`.

    Ctrl-C ends the run; `gameplay learn resume FOLDER` continues it. Equal options give equal weights.
    """
    from gameplay import registry
    from gameplay.store import trust

    rules = registry.game(game)
    method = method or _method(rules)
    for option, value in given.items():
        if value is not None and option not in METHODS[method]:
            owners = " and ".join(name for name, options in METHODS.items() if option in options)
            raise click.UsageError(f"{_flag(option)} is for --method {owners}, and this is {method}")
    if explain and method == "td":
        raise click.UsageError("--explain is for --method samuel and rote, and this is td")
    options = {name: value for name, value in given.items() if value is not None}
    folder = folder or Path(f"learned-{rules.name}")
    trust.started(rules.spec, [])
    if method == "td":
        return _learn_td(_begin_td(rules, folder, games, seed, options), as_json)
    return _learn(_begin(rules, folder, method, games or 100, seed, options), explain, as_json)


def _method(rules: "Game") -> str:
    """What a game is learned by where the user does not say."""
    position = rules.new()
    linear = any(one.scale for one in position.evaluations.values())
    return "samuel" if linear and not position.chance and not position.hidden else "td"


def _flag(option: str) -> str:
    """The option on the command line for a parameter."""
    return {"evaluation": "--eval", "decay": "--lambda"}.get(option, f"--{option}")


def _begin(
    rules: "Game", folder: Path, method: str, games: int, seed: int, options: dict[str, Any]
) -> "LearningRun":
    """A new run of method samuel or rote."""
    from gameplay.learning.rote import MOST, OLDEST
    from gameplay.learning.run import LearningRun, LearningSettings, chosen

    rote = method == "rote"
    first = chosen(rules, options.get("evaluation", ""))
    settings = LearningSettings(
        rules.spec,
        first.name,
        method,
        games,
        seed,
        options.get("depth", 3),
        options.get("plies", 70),
        options.get("opening", 1 if rote else 2),
        weights=dict(first.weights) if first.file else {},
        records=options.get("records", MOST) if rote else 0,
        age=options.get("age", OLDEST) if rote else 0,
    )
    return LearningRun.begin(folder, settings)


@command.command(short_help="Continue a run")
@FOLDER
@EXPLAIN
@json_option("the result")
def resume(folder: Path, explain: bool, as_json: bool) -> int:
    """Play the missing games of the run in FOLDER.

    The result is that of a run that was never interrupted.
    """
    from gameplay.learning.run import LearningRun

    if _is_td(folder):
        if explain:
            raise click.UsageError("--explain is for --method samuel and rote, and this is td")
        return _learn_td(_td_run(folder), as_json)
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

    if _is_td(folder):
        if number is not None:
            raise click.UsageError("--game is for --method samuel and rote, and this is td")
        _show_td(_td_run(folder), as_json)
        return 0
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
    from gameplay.learning.folder import RunFolder

    run = RunFolder(folder)
    run.settings_in()
    process = run.learning
    if not process:
        raise Usage(f"no process plays {folder}. Try: gameplay learn status {folder}")
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


# -- method td ---------------------------------------------------------------------------------------------


def _is_td(folder: Path) -> bool:
    """True if the run in a folder is of this method.

    Raises Usage where there is no run, Untrusted if its game is a file that the user has not confirmed.
    """
    from gameplay.learning.folder import RunFolder
    from gameplay.learning.td_run import METHOD
    from gameplay.store import trust

    settings = RunFolder(folder).settings_in()
    trust.check(str(settings.get("game")), [])
    return bool(settings.get("method") == METHOD)


def _td_run(folder: Path) -> "TdRun":
    """The run in a folder. Raises BadInput for a damaged one."""
    from gameplay.learning.td_run import TdRun

    return TdRun.load(folder)


def _begin_td(game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]) -> "TdRun":
    """A new run. Raises Usage for a game that cannot be learned so, or a folder in use."""
    from gameplay.learning.td_run import TdRun, TdSettings

    count, length = options.pop("tuples", (0, 0))
    settings = TdSettings(game.spec, games or 20_000, seed, tuples=count, length=length, **options)
    return TdRun.begin(folder, settings)


def _learn_td(run: "TdRun", as_json: bool) -> int:
    """Play the missing games of a run, a line a generation."""
    from gameplay.display.reports import learning_curve

    if run.done:
        say_aside(f"all {run.settings.games:,} games have been played")
    elif not run.truth_known:
        say_aside("solving positions to measure against")
    began = False
    try:
        for point in run.learn():
            if not as_json:
                if not began:
                    _show_table(run, run.curve[:-1])
                click.echo(learning_curve.row(run, point))
            began = True
        if not as_json and not began:
            _show_table(run, run.curve)
        _finish(run, as_json)
    finally:
        if not run.done:
            remaining = run.settings.games - run.played
            say_aside(f"{remaining:,} games are left; continue by: gameplay learn resume {run.folder}")
    return 0


def _show_td(run: "TdRun", as_json: bool) -> None:
    """How far a run is, and its curve."""
    if not as_json:
        _show_table(run, run.curve)
    _finish(run, as_json)


def _show_table(run: "TdRun", points: "Sequence[CurvePoint]") -> None:
    """What learns, and the generations so far."""
    from gameplay.display.folding import folded
    from gameplay.display.reports import learning_curve

    for line in folded(learning_curve.head(run), columns(100)):
        click.echo(line)
    for point in points:
        click.echo(learning_curve.row(run, point))


def _finish(run: "TdRun", as_json: bool) -> None:
    if as_json:
        import json

        click.echo(json.dumps(td_facts(run)))
        return
    from gameplay.cli.common.advice import typed
    from gameplay.display.reports import learning_curve

    for line in learning_curve.foot(run):
        click.echo(line)
    if run.curve:  # not folded: the command can be copied
        engine = "expectiminimax" if run.game.new().chance else "alphabeta"
        words = "play", run.settings.game, "--engine", f"{engine}:eval={run.weights}"
        click.echo(f"Play against it: {typed('gameplay', *words)}")


def td_facts(run: "TdRun") -> dict[str, Any]:
    """What `--json` prints."""
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
