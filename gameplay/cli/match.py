"""`gameplay match`: players against each other until it is known who is better; every game is kept.

`--json` prints one document; every result is from the first player's view:

    run, store, game, form, players, state, scheduled, seed
    ended        complete, decided, stopped, interrupted, failed, incomplete
    games, wins, draws, losses, seats, pairs, rating, ...       as `selfplay --json`; of a match of two
    sprt         {llr, lower, upper, decision, model, ...}; or null
    standings    [{name, score, elo, low, high, points, games}, ...]; the best first
    warnings     what makes the figures doubtful
    wall_seconds, jobs
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli._options import ENGINE, GAME, RUNNING, Running, group, limit_options
from gameplay.cli._run import begin
from gameplay.errors import Usage

if TYPE_CHECKING:
    from gameplay.search.limit import Limit

PLAYED = "connect4"
SEED = 1
SPRT_GAMES = 10_000  # at most, where an SPRT is to decide and nobody said how many


def _numbers(text: str, option: str, right: str, least: int, most: int, kind: Any) -> list[Any]:
    try:
        found = [kind(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not least <= len(found) <= most:
        raise Usage(f"{option} is {right}, not '{text}'")
    return found


def _rule(text: str, option: str) -> dict[str, int]:
    found = _numbers(text, option, "VALUE or VALUE,MOVES, whole numbers", 1, 2, int)
    return dict(zip(("value", "moves"), found, strict=False))


def _test(
    sprt: str | None, alpha: float | None, beta: float | None, model: str | None
) -> dict[str, Any] | None:
    """The fields of `plan.Sprt` that were given; None without a test."""
    given = {"alpha": alpha, "beta": beta, "model": model}
    if sprt is not None:
        low, high = _numbers(sprt, "--sprt", "ELO0,ELO1, as in 0,20", 2, 2, float)
        return {"elo0": low, "elo1": high} | _given(given)
    if _given(given):
        raise Usage("--alpha, --beta and --model go with --sprt ELO0,ELO1")
    return None


def _openings(openings: str | None, balance: str | None) -> dict[str, Any]:
    """The fields of `plan.Openings` that were given."""
    from gameplay.runs.openings import named

    if openings is None:
        return _given({"balance": balance})
    if openings.isdecimal():
        return _given({"balance": balance, "plies": int(openings)})
    file, plies = named(openings)
    return _given({"balance": balance, "plies": plies, "file": str(Path(file).resolve())})


def _adjudication(
    resign: str | None, draw: str | None, longest: int | None, exact: str | None
) -> dict[str, Any]:
    """The fields of `plan.Adjudication` that were given."""
    found = {
        "plies": longest,
        "exact": exact,
        "resign": resign and _rule(resign, "--resign"),
        "draw": draw and _rule(draw, "--draw"),
    }
    return _given(found)


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}


TEST = group(
    "sprt",
    _test,
    click.option(
        "--sprt", metavar="ELO0,ELO1", help="Stop as soon as it is proven whether the first is stronger."
    ),
    click.option("--alpha", type=float, help="Chance to accept ELO1 though ELO0 is true [0.05]."),
    click.option("--beta", type=float, help="Chance to accept ELO0 though ELO1 is true [0.05]."),
    click.option("--model", metavar="NAME", help="Of the Elo: normalized, logistic, trinomial [normalized]."),
)
OPENINGS = group(
    "openings",
    _openings,
    click.option("--openings", metavar="PLIES|FILE", help="Random plies, or positions or games [plies]."),
    click.option(
        "--balance", type=ENGINE, metavar="ENGINE", help="Keep openings that this engine finds level."
    ),
)
ADJUDICATION = group(
    "adjudicate",
    _adjudication,
    click.option("--resign", metavar="VALUE[,MOVES]", help="Lost, if both say so as many moves in a row."),
    click.option("--draw", metavar="VALUE[,MOVES]", help="Drawn, if both see so little for as many moves."),
    click.option("--longest", type=int, metavar="PLIES", help="Drawn, if a game lasts so long."),
    click.option("--exact", type=ENGINE, metavar="ENGINE", help="Ends games that this engine solves."),
)


@click.command(short_help="A match between players, kept game by game")
@click.argument("players", nargs=-1, required=True, type=ENGINE)
@click.option("--game", type=GAME, default=PLAYED, metavar="GAME", help=f"[{PLAYED}]")
@click.option("--games", type=int, metavar="N", help=f"How many [100; at most {SPRT_GAMES:,} with --sprt].")
@TEST
@click.option("--clock", metavar="TIME", help="A game's clock, such as 10+0.1 (seconds, and added per move).")
@limit_options("Limits each move.", "The same in positions [3,000 if nothing limits].")
@OPENINGS
@ADJUDICATION
@click.option("--seed", type=int, default=SEED, help=f"Decides everything that is random [{SEED}].")
@click.option("--strict", is_flag=True, help="Status 5 as soon as a program denies a result by the rules.")
@click.option("--title", metavar="WORDS", help="What the run is called beside its id.")
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
    """Let PLAYERS meet in games that come in pairs: one opening, played once with each seating.

    A player is an engine with options and limits (iterative:nodes=3000), level:5, moves (script:4 4 3), or a
    program that speaks UGI, UCI, NBoard or GTP (ugi:./engine); NAME=PLAYER names it. Every game is kept in
    the store as it ends: after Ctrl-C, kill -9 or a power cut `gameplay resume` plays what is missing. With
    --sprt the status is 0 if the first is proven stronger, 3 if it is not, 4 if the games did not decide.

    \b
    Examples:
      gameplay match iterative alphabeta --game connect4 --games 200
      gameplay match new=iterative old=iterative:order=generated --sprt 0,20
      gameplay match iterative 'ugi:gameplay ugi connect4' --clock 5+0.05
    """
    from gameplay.runs import planning

    if len(players) < 2:
        raise Usage(f"a match needs two players or more: gameplay match {players[0]} OPPONENT")
    if games is None and sprt is not None:
        games = _most(game, seed, openings)
    plan = planning.build(
        game,
        players,
        games=games,
        sprt=sprt,
        depth=limit.depth,
        nodes=limit.nodes,
        time=limit.seconds,
        seed=seed,
        openings=openings or None,
        adjudicate=adjudicate or None,
        **plain,
    )
    return begin(plan, running)


def _most(game: str, seed: int, begins: dict[str, Any]) -> int:
    """As many games as an SPRT may need, or as there are openings for."""
    from gameplay import registry
    from gameplay.runs.openings import drawn, lines_of, read

    pairs = SPRT_GAMES // 2
    if "balance" in begins:
        return 2 * pairs
    found = registry.game(game)
    if "file" not in begins:
        return 2 * len(drawn(found, pairs, seed, begins.get("plies"), fewer=True))
    file = begins["file"]
    return 2 * min(pairs, max(1, len(read(found, lines_of(file), file, begins.get("plies")).openings)))
