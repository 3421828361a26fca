"""`gameplay match`: a match between players, with statistics of the result; every game is stored.

`--json` prints one document; every result is from the first player's view:

    run, store, game, form, players, state, scheduled, seed
    ended        complete, decided, stopped, interrupted, failed, incomplete
    games        that are finished; of a match of two also:
    wins, draws, losses, sides
    seats        [{wins, draws, losses}, ...] by the seat of the first player; `sides` names the seats
    pairs        the pentanomial: pairs that brought the first player 0, 1/2, 1, 3/2, 2 points
    rating       {score, elo, low, high, los}, null in it where there is no bound; or null
    no_rating    why there is none; or null
    repeats, length                                          games alike another one; average plies
    efforts      [{moves, nodes, seconds, nps}, ...] of the first and the second player
    sprt         {llr, lower, upper, decision, model, ...}; or null
    standings    [{name, score, elo, low, high, points, games}, ...]; the best first; `games` is
                 two by two: a game of three players is two for each
    warnings     what makes the figures doubtful
    faults       [{player, fault, games}, ...]: crash, illegal_move, time_forfeit, hang, protocol_error, void;
                 player is "" where no player was at fault
    wall_seconds, jobs
"""

from operator import lt
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import (
    COUNT,
    ENGINE,
    GAME,
    RUNNING,
    SOURCE,
    Integer,
    Label,
    Running,
    group,
    limit_options,
)
from gameplay.cli.common.running import given_options, start_run
from gameplay.errors import Usage

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.runs.dialects.cutechess import CommandLine
    from gameplay.search.limit import Limit

DEFAULT_GAME = "connect4"
SEED = 1
DIALECT = "gameplay.match"  # options of fastchess, in the context of the command
ALLOWED_OPTIONS = ("--store", "--json", "--cluster")  # our options that go with them


def _parse_rule(text: str, option: str) -> dict[str, int | float]:
    value, *moves = text.split(",")
    try:
        numbers = [float(value) if "." in value else int(value), *map(int, moves)]
    except ValueError:
        numbers = []
    least, right = ((0, 1), "from 0 up") if option == "--draw" else ((1e-9, 1), "over 0")
    if not 1 <= len(numbers) <= 2 or any(map(lt, numbers, least)):
        raise Usage(
            f"{option} is '{text}'; expected VALUE or VALUE,MOVES, numbers {right}. Try: {option} 0.9,4"
        )
    return dict(zip(("value", "moves"), numbers, strict=False))


def _sprt_fields(
    sprt: str | None, alpha: float | None, beta: float | None, model: str | None
) -> dict[str, Any] | None:
    """The fields of `plan.Sprt` that were given; None without a test."""
    others = given_options({"alpha": alpha, "beta": beta, "model": model})
    if sprt is not None:
        try:
            low, high = map(float, sprt.split(","))
        except ValueError:
            raise Usage(f"--sprt is '{sprt}'; expected ELO0,ELO1, as in 0,20") from None
        return {"elo0": low, "elo1": high} | others
    if others:
        raise Usage("--alpha, --beta and --model set a test, and --sprt is missing. Try: --sprt 0,20")
    return None


def _adjudication_fields(
    resign: str | None, draw: str | None, longest: int | None, exact: str | None
) -> dict[str, Any]:
    """The fields of `plan.Adjudication` that were given."""
    rules = {
        "plies": longest,
        "exact": exact,
        "resign": resign and _parse_rule(resign, "--resign"),
        "draw": draw and _parse_rule(draw, "--draw"),
    }
    return given_options(rules)


def _opening_fields(openings: str | None, balance: str | None) -> dict[str, Any]:
    """The fields of `plan.Openings` that were given."""
    from gameplay.runs.requests import openings_fields

    return openings_fields(openings, balance)


TEST = group(
    "sprt",
    _sprt_fields,
    click.option(
        "--sprt",
        metavar="ELO0,ELO1",
        help="Stop as soon as H0 (the first player is ELO0 stronger) or H1 (ELO1) is accepted.",
    ),
    click.option(
        "--alpha", type=float, metavar="RATE", help="Error rate: H1 accepted though H0 is true [0.05]."
    ),
    click.option(
        "--beta", type=float, metavar="RATE", help="Error rate: H0 accepted though H1 is true [0.05]."
    ),
    click.option(
        "--model",
        metavar="NAME",
        help="Elo model of the test: normalized, logistic or trinomial [normalized].",
    ),
)
OPENINGS = group(
    "openings",
    _opening_fields,
    click.option(
        "--openings",
        type=SOURCE,
        metavar="PLIES|FILE",
        help="Begin after this many random plies, or from the positions or games in FILE [the fewest plies, "
        "from 2, that give each pair an opening of its own].",
    ),
    click.option("--balance", type=ENGINE, help="Play only openings that this engine values as level."),
)
ADJUDICATION = group(
    "adjudicate",
    _adjudication_fields,
    click.option(
        "--resign",
        metavar="VALUE[,MOVES]",
        help="Adjudicate a win when for MOVES moves in a row [3] the winner's values are VALUE or better and "
        "the loser's -VALUE or worse; 0.9, with a point: 0.9 of a win, or points.",
    ),
    click.option(
        "--draw",
        metavar="VALUE[,MOVES]",
        help="Adjudicate a draw when for MOVES moves in a row [8] both players' values are within VALUE of "
        "level.",
    ),
    click.option("--longest", type=COUNT, metavar="PLIES", help="Adjudicate a draw after this many plies."),
    click.option("--exact", type=ENGINE, help="Adjudicate games whose result this engine proves."),
)


class MatchCommand(click.Command):
    """The command `match`, which also understands the options of fastchess and cutechess-cli."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options of gameplay with click; `-engine ...` becomes a plan in `ctx.meta`."""
        from gameplay.runs.dialects import cutechess

        if not cutechess.is_dialect(args) or {"--help", "-h"} & set(args):
            return super().parse_args(ctx, args)
        command_line = cutechess.parse_words(args)
        unsupported = [
            word
            for word in command_line.own_options
            if word.startswith("--") and word.partition("=")[0] not in ALLOWED_OPTIONS
        ]
        if unsupported:
            raise Usage(
                f"{unsupported[0]} does not go with options of fastchess; "
                f"expected {', '.join(ALLOWED_OPTIONS)}"
            )
        ctx.meta[DIALECT] = command_line
        return super().parse_args(
            ctx,
            [*command_line.own_options, "--", *(engine.get("cmd", "") for engine in command_line.engines)],
        )


@click.command(cls=MatchCommand, short_help="Play a match between engines and save every game")
@click.argument("players", nargs=-1, required=True, type=ENGINE)
@click.option("--game", type=GAME, default=DEFAULT_GAME, help=f"Game to play [{DEFAULT_GAME}].")
@click.option("--games", type=COUNT, help="Number of games, even [100; with --sprt at most 10,000].")
@TEST
@click.option(
    "--clock", metavar="TIME", help="Clock of each player: 10+0.1 is 10 seconds a game and 0.1 more a move."
)
@limit_options(
    "Search depth limit in plies.",
    "Node limit a move [3,000 if there is no other limit].",
    "Time limit a move, in seconds.",
)
@OPENINGS
@ADJUDICATION
@click.option("--seed", type=Integer(0), default=SEED, help=f"Seed of all random choices [{SEED}].")
@click.option(
    "--strict",
    is_flag=True,
    help="End with status 5 as soon as a program claims a result that differs from the rules'.",
)
@click.option(
    "--no-book",
    "books",
    flag_value=False,
    type=bool,
    default=None,
    help="Use no opening books.",
)
@click.option("--title", type=Label(), metavar="WORDS", help="Title of the run, shown beside its id.")
@RUNNING
def command(
    players: tuple[str, ...],
    game: str,
    games: int | None,
    sprt: dict[str, Any] | None,
    limit: "Limit",
    openings: dict[str, Any],
    adjudicate: dict[str, Any],
    seed: int,
    running: Running,
    **plain: Any,
) -> int:
    """Play a match between PLAYERS in pairs of games: one opening, played once with each seating.

    \b
    gameplay match iterative alphabeta --game connect4 --games 200
    gameplay match new=iterative old=iterative:order=generated --sprt 0,20
    gameplay match iterative 'ugi:gameplay ugi connect4' --clock 5+0.05
    gameplay match astar idastar --game puzzle15:rows=3,columns=3 --games 10

    A player is an engine with options and limits (iterative:nodes=3000), level:5, moves (script:4 4 3), or a
    program that speaks UGI, UCI, xboard, NBoard, Hub, DXP, GTP or KataGo's analysis protocol (ugi:./engine).
    NAME=PLAYER names it.

    Every game is stored as it ends. After Ctrl-C, kill -9 or a power cut `gameplay run resume` plays the
    missing games. With --sprt the exit status is 0 if H1 is accepted (the first player is stronger), 3 if H0
    is accepted, 4 if neither is.

    In a puzzle the engines solve the same instances, generated from the seed. The command prints the solved
    instances, nodes and time of each engine, and stores nothing.

    The options of fastchess and cutechess-cli are understood, too, for matches of chess between programs:
    -engine cmd=stockfish -engine cmd=fairymax proto=xboard -each tc=10+0.1 -rounds 50.
    """
    from gameplay import registry
    from gameplay.runs import requests

    asked = click.get_current_context().meta.get(DIALECT)
    if asked is not None:
        return _play_dialect(asked, running)
    played = registry.game(game)
    if played.new().players == 1:
        others = bool(sprt or openings or adjudicate or any(plain.values()))
        return _solve(played, players, games, seed, limit, running.as_json, others)
    plan = requests.match(players, game, games, limit, seed, openings, adjudicate, sprt, **plain)
    return start_run(plan, running)


def _play_dialect(command_line: "CommandLine", running: Running) -> int:
    """Play a match given by options of fastchess; returns the exit status."""
    from gameplay.runs.dialects import cutechess
    from gameplay.store.saved import unused_path

    translation = cutechess.translate(command_line)
    if translation.out is not None:
        unused_path(str(translation.out), "-pgnout")
    return start_run(translation.plan, running._replace(jobs=translation.jobs), translation.out)


def _solve(
    puzzle: "Game",
    engines: tuple[str, ...],
    count: int | None,
    seed: int,
    limit: "Limit",
    as_json: bool,
    has_other_options: bool,
) -> int:
    """Let engines solve the same instances of a puzzle; the exit status. Raises Usage for other options."""
    from gameplay.cli.common.solving import solve

    if has_other_options:
        raise Usage(
            f"{puzzle.name} is a puzzle: its engines solve the same instances. Options for that: --games, "
            "--seed, --depth, --nodes, --time and --json"
        )
    return solve(puzzle, engines, 100 if count is None else count, seed, limit, as_json)
