"""`gameplay learn`: learn the weights of an evaluation by games of two players against each other.

`--json` prints one document. Runs of all methods have {"folder", "game", "method", "seed", "played",
"weights": file or null}; `played` counts games, of deepcfr iterations. Besides:

    samuel      "evaluation", "games", "depth", "wins", "draws", "losses", "moves", "corrections", "terms":
                [{"term", "weight", "correlation", "used"}, ...]; `weight` is Alpha's
    rote        the same up to "moves", "records", "recalled", "lookups", "forgotten", "discarded", and "file"
                in place of "weights"
    td          "games", "lambda", "explore", "batch", "symmetries", and "tuples", "length" or with --network
                "hidden", "rate", "expected"; "truth": {"positions", "whole"} or null, "curve": [{"games",
                "positions", "wrong", "wins", "draws", "losses"}, ...]; `wrong` of the positions of `truth`,
                their move loses value
    alphazero   the same with "simulations" and "opening" in place of "lambda" and "explore"; in the curve
                "policy", "value" and "search", wrong moves of each, in place of "wrong", and "error", the
                mean distance of the value from the exact one, both from -1 to 1
    logistic, tdleaf, spsa
                "evaluation", "games", "depth", "plies", "opening", "lambda" (null unless tdleaf), "truth",
                "curve": [{"games", "positions", "loss", "kept", "llr", "tested", "start", "ladder", "wrong"},
                ...]: `TermsPoint` describes a point
    signature   "evaluation", "games", "source", "depth", "curve": [{"games", "moves", "held_out", "first",
                "second", "correlation", "polynomial_first", "polynomial_second", "polynomial_correlation"},
                ...], "published", Samuel's figures, of checkers
    deepcfr     "iterations", "traversals", "units", "nodes", "infosets", "curve": [{"iterations", "nodes",
                "exploitability", "tabular", "value"}, ...]; exploitability in points of the game, `tabular`
                that of CFR with tables after as many nodes
    correction  "games", "nodes", "evaluation", "units", "curve": [{"games", "positions", "held", "classic",
                "corrected", "epochs"}, ...]; losses in nats on positions held out, by `classic` and with the
                network
"""

from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import Group
from gameplay.cli.common.options import (
    COUNT,
    FILE,
    GAME,
    Integer,
    Real,
    cluster_option,
    jobs_option,
    json_option,
)
from gameplay.cli.common.progress_line import ProgressLine
from gameplay.cli.common.width import columns
from gameplay.cli.knowledge.learning.alphazero import AlphaZeroMethod
from gameplay.cli.knowledge.learning.correction import CorrectionMethod
from gameplay.cli.knowledge.learning.deepcfr import DeepCfrMethod
from gameplay.cli.knowledge.learning.method import Method
from gameplay.cli.knowledge.learning.samuel import Rote, Samuel
from gameplay.cli.knowledge.learning.signature import SignatureMethod
from gameplay.cli.knowledge.learning.td import Td
from gameplay.cli.knowledge.learning.terms import LogisticMethod, SpsaMethod, TdLeafMethod

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from gameplay.registry import Game

METHODS: dict[str, Method] = {
    "samuel": Samuel(),
    "rote": Rote(),
    "td": Td(),
    "alphazero": AlphaZeroMethod(),
    "logistic": LogisticMethod(),
    "tdleaf": TdLeafMethod(),
    "spsa": SpsaMethod(),
    "signature": SignatureMethod(),
    "deepcfr": DeepCfrMethod(),
    "correction": CorrectionMethod(),
}
NUMBER = Integer(1, 10**9)
READING = "reading the board and its symmetries in random games"  # seconds, on a large board
FOLDER = click.argument("folder", type=FILE)
EXPLAIN = click.option(
    "--explain", is_flag=True, help="Print each correction: which coefficients change, by how much and why."
)
JOBS = jobs_option("Number of independent games to play at once [all cores].")
CLUSTER = cluster_option("Play them on the dask cluster at ADDRESS, as in tcp://host:8786.")


def _parse_tuples(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """A number of tuples and the cells of each, as in 70x8."""
    if value is None:
        return None
    count, _, length = value.partition("x")
    if not (count.isdecimal() and length.isdecimal() and 0 < int(count) <= 500 and int(length)):
        raise click.BadParameter(f"'{value}' is not COUNTxLENGTH: expected at most 500 tuples, as in 70x8")
    return int(count), int(length)


def _parse_network(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The units of one or two hidden layers, such as 80 or 80x32."""
    if value is None:
        return None
    layers = value.split("x")
    if len(layers) > 2 or not all(units.isdecimal() and 0 < int(units) <= 512 for units in layers):
        raise click.BadParameter(
            f"'{value}' is not UNITS or UNITSxUNITS: expected for example 80 or 80x32, each 1 to 512"
        )
    return "x".join([str(int(units)) for units in layers])


class MethodName(click.Choice[str]):
    """The name of a method. An error lists those that can learn the game, the name of the command."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """As in click. Raises Usage for an unknown game."""
        from gameplay.learning.methods import methods_for

        if value not in METHODS and ctx is not None and (names := methods_for(ctx.info_name or "")):
            return click.Choice(names).convert(value, param, ctx)
        return super().convert(value, param, ctx)


class StartCommand(click.Command):
    """Starts a run; its first argument, the game, has the place of the command's name."""

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The part of the usage line after the game."""
        return [self.options_metavar or ""]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """As in click, and the methods that can learn the game. Raises Usage for an unknown game."""
        from gameplay.cli.knowledge.learning.help import method_texts

        super().format_help_text(ctx, formatter)
        with formatter.indentation():
            for text in method_texts(METHODS, ctx.info_name or ""):
                formatter.write_paragraph()
                formatter.write_text(text)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """As in click, without the options of methods that cannot learn the game."""
        from gameplay.cli.knowledge.learning.help import options_for

        options = options_for(METHODS, self.get_params(ctx), ctx.info_name or "")
        records = [option.get_help_record(ctx) for option in options]
        with formatter.section("Options"):
            formatter.write_dl([record for record in records if record is not None])


class LearnCommands(Group):
    """`learn GAME` starts a run; the other commands take the folder of one."""

    kind = "command"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A first argument that is not a command is the game of a new run."""
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
    gameplay learn backgammon --network 80 --games 100000
    gameplay learn ./mygame.py
    gameplay learn connect4:columns=5,rows=4 --method alphazero
    gameplay learn checkers --method tdleaf --out tdleaf
    gameplay learn checkers --games 200 --out samuel
    gameplay learn checkers --method rote --out rote
    gameplay learn checkers --method signature --from games.pdn
    gameplay learn kuhn --method deepcfr
    gameplay learn status samuel
    gameplay learn resume samuel
    gameplay show checkers --eval samuel/weights.toml --terms

    `gameplay learn GAME --help` lists the options. docs/how-to/learn.md describes the methods.
    """


@click.command("start", cls=StartCommand, short_help="Start a run", options_metavar="[OPTIONS]")
@click.argument("game", type=GAME)
@click.option(
    "--method",
    type=MethodName(METHODS),
    help="Learn weights of terms: by Samuel's procedure (samuel), from results (logistic), from later "
    "positions (tdleaf), by matches (spsa); store positions with their values (rote); learn tables of "
    "combined terms from recorded moves (signature), or of the board's cells, by TD (td), or as a policy and "
    "a value by searches (alphazero); learn a network that corrects `classic` of chess (correction), or "
    "a strategy of a small game of imperfect information (deepcfr) "
    "[deepcfr there, samuel where the evaluation is a sum of terms, else td].",
)
@click.option(
    "--games",
    type=NUMBER,
    help="Number of games to learn from [2000; samuel, rote 100; signature 1000; td, alphazero, correction "
    "20000].",
)
@click.option("--seed", type=Integer(min=0, max=2**63 - 1), default=1, help="Seed of the games [1].")
@click.option("-o", "--out", "folder", type=FILE, metavar="FOLDER", help="Folder of the run [learned-GAME].")
@click.option(
    "--eval",
    "evaluation",
    metavar="EVAL",
    help="Evaluation to begin with, a name or a file of weights [the linear one; with --network: random "
    "weights, or the file of a network with at most as many units and layers]; with --method correction that "
    "of the players [classic].",
)
@click.option("--depth", type=Integer(1, 20), help="Plies of each search [3; signature 5].")
@click.option(
    "--plies",
    type=Integer(2, 10**9),
    help="Plies after which the side ahead in material wins [200; samuel, rote, signature 70].",
)
@click.option(
    "--from",
    "source",
    type=FILE,
    help="With --method signature or logistic: learn from the games in FILE [self-play].",
)
@click.option(
    "--opening",
    type=Integer(0, 20),
    help="Random plies before each game [4; samuel 2; rote 1]; with --method alphazero at most this many [as "
    "many as a random game has, up to 20].",
)
@click.option(
    "--records", type=NUMBER, help="With --method rote: maximum number of stored positions [50000]."
)
@click.option("--age", type=Integer(4, 10**9), help="With --method rote: age of a forgotten position [512].")
@click.option(
    "--lambda",
    "decay",
    type=Real("LAMBDA", 0, 1),
    help="With --method td or tdleaf: TD(lambda): weight of earlier positions, 0 to 1 [td 0.5; tdleaf 0.7].",
)
@click.option(
    "--explore",
    type=Real("SHARE", 0, 1),
    help="With --method td: share of random moves, 0 to 1 [0.1; with --network in games with dice 0].",
)
@click.option(
    "--simulations", type=Integer(2, 10_000), help="With --method alphazero: simulations of each search [50]."
)
@click.option(
    "--batch",
    type=NUMBER,
    help="With --method td or alphazero: play N games with the same weights, then learn from them "
    "[alphazero and --network 100, else 1]. With 1, games are played one after the other.",
)
@click.option(
    "--tuples",
    callback=_parse_tuples,
    metavar="COUNTxLENGTH",
    help="With --method td or alphazero: number of tuples and cells of each, as in 70x8 [as "
    "suits the board].",
)
@click.option(
    "--network",
    callback=_parse_network,
    metavar="UNITS[xUNITS]",
    help="With --method td: learn a network with these hidden units instead of tables, such as 80 or 80x32.",
)
@click.option(
    "--rate",
    type=Real("RATE", 0.0001, 1),
    help="With --network: size of the first steps; it falls to a tenth [0.03].",
)
@click.option(
    "--expected",
    is_flag=True,
    default=None,
    help="With --network in games with dice: learn the mean over all rolls, to refine a network of --eval. A "
    "game takes about 20 times as long.",
)
@click.option(
    "--nodes",
    type=NUMBER,
    help="With --method correction: nodes of each search [1000].",
)
@click.option("--iterations", type=NUMBER, help="With --method deepcfr: iterations [100].")
@click.option(
    "--traversals",
    type=NUMBER,
    help="With --method deepcfr: traversals of the tree for each player, an iteration [200].",
)
@click.option("--units", type=Integer(1, 512), help="With --method deepcfr: units of each hidden layer [64].")
@JOBS
@CLUSTER
@EXPLAIN
@json_option("the result")
def start(
    game: str,
    method: str | None,
    games: int | None,
    seed: int,
    folder: Path | None,
    jobs: int | None,
    cluster: str | None,
    explain: bool,
    as_json: bool,
    **method_options: Any,  # options of some methods only; None: not given
) -> int:
    """Start a learning run of GAME and play its games."""
    from gameplay import registry
    from gameplay.store import trust

    rules = registry.game(game)
    method = method or _default_method(rules)
    for option, value in method_options.items():
        if value is not None and option not in METHODS[method].options:
            methods = _join_names([name for name, method in METHODS.items() if option in method.options])
            raise click.UsageError(f"{_flag(option)} is for --method {methods}, not {method}")
    options = {name: value for name, value in method_options.items() if value is not None}
    _check_run_options(method, options, explain, jobs, cluster)
    folder = folder or Path(f"learned-{rules.name}")
    trust.trust_started(rules.spec, [])
    with ProgressLine() as progress_line:
        progress_line(READING)
        run = METHODS[method].begin(rules, folder, games, seed, options)
    _learn(METHODS[method], run, jobs, cluster, explain, as_json)
    return 0


def _learn(
    method: Method, run: Any, jobs: int | None, cluster: str | None, explain: bool, as_json: bool
) -> None:
    """Play the missing games of a run."""
    from gameplay.cli.knowledge.learning.workers import parallel_games

    with (
        parallel_games(run, jobs, cluster)
        if method.plays_in_parallel(asdict(run.settings))
        else nullcontext()
    ):
        method.learn(run, explain, as_json)


def _load_run(method: str, folder: Path) -> Any:
    """The run in a folder, with a progress line: on a large board its layout takes seconds."""
    with ProgressLine() as progress_line:
        progress_line(READING)
        return METHODS[method].load(folder)


def _default_method(rules: "Game") -> str:
    """The default method of a game."""
    from gameplay.learning.methods import supported_methods

    return next(iter(supported_methods(rules)), "td")  # td refuses the others, with the reason


def _join_names(names: list[str]) -> str:
    """Names in a sentence: `samuel, rote and td`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _flag(option: str) -> str:
    """The option on the command line for a parameter."""
    return {"evaluation": "--eval", "decay": "--lambda", "source": "--from"}.get(option, f"--{option}")


@command.command(short_help="Continue a run")
@FOLDER
@JOBS
@CLUSTER
@EXPLAIN
@json_option("the result")
def resume(folder: Path, jobs: int | None, cluster: str | None, explain: bool, as_json: bool) -> int:
    """Play the missing games of the run in FOLDER.

    The result is that of a run that was never interrupted.
    """
    method = _method_of(folder)
    run = _load_run(method, folder)
    _check_run_options(method, asdict(run.settings), explain, jobs, cluster)
    _learn(METHODS[method], run, jobs, cluster, explain, as_json)
    return 0


@command.command(short_help="Show a run, or the corrections of one game")
@FOLDER
@click.option("--game", "number", type=COUNT, help="Show the corrections of each move of game N.")
@json_option("the result")
def status(folder: Path, number: int | None, as_json: bool) -> int:
    """Show the progress of the run in FOLDER, its results, and the learned weights.

    With --game N the games up to N are played again, and each correction of game N is printed: delta, what
    each term contributed, its correlation and coefficient before and after, marks and replacements.
    """
    method = _method_of(folder)
    if number is None:
        METHODS[method].show(_load_run(method, folder), as_json)
        return 0
    _check_explains(method, "--game")
    if as_json:
        raise click.UsageError("--json prints the result of the run: leave --game out")
    from gameplay.cli.knowledge.learning.samuel import game_lines
    from gameplay.display.folding import fit_lines
    from gameplay.learning.run import LearningRun

    for line in fit_lines(game_lines(LearningRun.load(folder), number), columns(100)):
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
        raise Usage(f"no learning run is in progress in {folder}. Try: gameplay learn status {folder}")
    run.request_stop()
    click.echo(f"asked process {process} to stop after the game in progress")
    return 0


def _method_of(folder: Path) -> str:
    """The method of the run in a folder.

    Raises Usage where there is no run, BadInput for one of an unknown method, Untrusted if its game is a file
    that the user has not confirmed.
    """
    from gameplay.errors import BadInput, unknown_name
    from gameplay.learning.folder import RunFolder
    from gameplay.store import trust

    settings = RunFolder(folder).settings_in()
    trust.check(str(settings.get("game")), [])
    method = str(settings.get("method"))
    if method not in METHODS:
        raise BadInput(f"{folder}/run.json: {unknown_name('method', method, METHODS)}")
    return method


def _check_run_options(
    method: str, options: dict[str, Any], explain: bool, jobs: int | None, cluster: str | None
) -> None:
    """Raise UsageError if an option of how a run is played does not apply to a method and its options."""
    if explain:
        _check_explains(method, "--explain")
    for flag, value in (("--jobs", jobs), ("--cluster", cluster)):
        if value is None or value == 1 or METHODS[method].plays_in_parallel(options):
            continue
        if METHODS[method].has_independent_games:
            raise click.UsageError(
                f"{flag}: with --batch 1 each game depends on the weights learned from the one before. "
                "Try: --batch 100"
            )
        methods = _join_names([name for name, method in METHODS.items() if method.has_independent_games])
        raise click.UsageError(f"{flag} is for --method {methods}, not {method}")


def _check_explains(method: str, option: str) -> None:
    """Raise UsageError if an option does not apply to a method."""
    if not METHODS[method].supports_explain:
        methods = _join_names([name for name, method in METHODS.items() if method.supports_explain])
        raise click.UsageError(f"{option} is for --method {methods}, not {method}")
