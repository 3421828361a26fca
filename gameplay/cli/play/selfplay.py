"""`selfplay`: a short form of `gameplay match` for two engines.

`--json` prints the document of `gameplay match --json`.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import (
    COUNT,
    ENGINE,
    FILE,
    RUNNING,
    SOURCE,
    TARGET,
    Integer,
    Running,
    game_argument,
    limit_options,
)
from gameplay.cli.common.running import start_run
from gameplay.errors import Usage

if TYPE_CHECKING:
    from gameplay.search.limit import Limit

DEFAULT_GAME = "connect4"
GAMES = 100
SEED = 1


def _resume(context: click.Context, parameter: click.Parameter, file: Path | None) -> None:
    """Raises Usage with how runs are resumed now: they are always stored."""
    if file is not None:
        raise Usage(
            f"every run is stored: {command_line('gameplay', 'run', 'resume')} resumes the newest, "
            f"{command_line('gameplay', 'run', 'status')} lists all (if {file} holds one, "
            f"{command_line('gameplay', 'run', 'import', str(file))} imports it)"
        )


@click.command(short_help="Let two engines play a match")
@game_argument(DEFAULT_GAME)
@click.option("--first", type=ENGINE, help="Engine whose results are shown [the game's default engine].")
@click.option(
    "--second",
    type=ENGINE,
    help="Its opponent, on all other seats [alphabeta, or the game's second-best engine].",
)
@click.option(
    "--games",
    type=COUNT,
    help=f"Number of games, shared equally by the seatings [{GAMES}, or as many as there are openings for].",
)
@click.option(
    "--openings",
    type=SOURCE,
    metavar="PLIES|FILE",
    help="Begin after this many random plies, or from FILE: positions, one a line, or games (.pgn, .pdn; "
    "FILE:8 for their first 8 plies). "
    "[the fewest plies, from 2, that give each pair an opening of its own; none in games with dice]",
)
@click.option("--seed", type=Integer(0), default=SEED, help=f"Seed of all random choices [{SEED}].")
@limit_options(
    "Search depth limit of both engines, in plies.",
    "Node limit a move [3,000 if there is no other limit].",
    "Time limit a move, in seconds.",
)
@click.option("-o", "--out", type=TARGET, help="Also write the games to a new FILE, as run export does.")
@click.option("--resume", type=FILE, callback=_resume, hidden=True, expose_value=False)
@RUNNING
def command(
    game: str,
    first: str | None,
    second: str | None,
    games: int | None,
    openings: str | None,
    seed: int,
    limit: "Limit",
    out: Path | None,
    running: Running,
) -> int:
    """Play a match of two engines at GAME (default: connect4).

    \b
    selfplay connect4 --games 100
    selfplay tictactoe --first minimax --second random --games 20
    selfplay monopoly:players=4 --games 12
    selfplay connect4 --first iterative:nodes=5000 --out games.jsonl

    Games come in pairs: one opening and the same dice, played twice with the seats exchanged. Games of n
    players come in groups of n, with the seats rotated. Engines are named as in `gameplay engines`, with
    options and limits: alphabeta:depth=6,order=killer. The same seed gives the same games at any number of
    --jobs, unless --time limits the moves.

    Every game is stored as it ends; after Ctrl-C `gameplay run resume` plays the missing games. See also
    `gameplay run status`, `report`, `verify`, `export`.

    In a puzzle the engine solves instances generated from the seed; their lengths and nodes are printed.
    """
    from gameplay import registry
    from gameplay.players import seats
    from gameplay.runs import requests

    chosen_game = registry.game(game)
    if chosen_game.new().players == 1:
        if second or openings or out:
            raise Usage(
                f"{chosen_game.name} is for one player, who solves it: "
                "leave out --second, --openings and --out"
            )
        from gameplay.cli.common.solving import solve

        engines = [first or seats.opponent(chosen_game)]
        return solve(chosen_game, engines, GAMES if games is None else games, seed, limit, running.as_json)
    begins = requests.openings_fields(openings)
    return start_run(requests.selfplay(game, first, second, games, begins, seed, limit), running, out)
