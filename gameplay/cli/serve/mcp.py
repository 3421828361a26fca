"""`gameplay mcp`: tools for language models, by the Model Context Protocol."""

import io
import sys
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import GAME, Integer, Real

if TYPE_CHECKING:
    from gameplay.matches.match import Match


@click.command(short_help="Offer tools to language models, by MCP")
@click.option(
    "--game",
    "games",
    type=GAME,
    multiple=True,
    metavar="GAME",
    help="Offer this game too, with options or from your file; may be repeated.",
)
@click.option(
    "--time",
    "seconds",
    type=Real("SECONDS", 0.1, 3600),
    default=30.0,
    help="Time limit of a call, in seconds [30].",
)
@click.option("--seed", type=Integer(0), help="Seed of deals, dice and opponents [a random one].")
@click.option("--save", is_flag=True, help="Save the games, as those of `play`.")
def command(games: tuple[str, ...], seconds: float, seed: int | None, save: bool) -> int:
    """Offer games, engines and lessons to a language model, by MCP on standard input and output.

    Name `gameplay mcp` as the command of a server in the configuration of the client. No call reads a file,
    starts a program or loads code: only --game names files.

    \b
    {"mcpServers": {"gameplay": {"command": "gameplay", "args": ["mcp"]}}}
    gameplay mcp --game ./sticks.py --time 10
    """
    from random import SystemRandom

    from gameplay import registry
    from gameplay.extras import library

    rules = [registry.game(game) for game in games]
    for rule in rules:
        rule.new()
    library("mcp.server", "gameplay mcp", "mcp")
    from gameplay.display.terminal.line import board_text
    from gameplay.mcp_server.limits import Bounds
    from gameplay.mcp_server.server import serve
    from gameplay.mcp_server.tools import Toolset
    from gameplay.visible import terminal

    if sys.stdin.isatty():
        click.echo("waiting for a client on standard input; Ctrl-C ends", err=True)
    chosen_seed = SystemRandom().getrandbits(62) if seed is None else seed
    tools = Toolset(board_text, rules, Bounds(seconds=seconds), chosen_seed, _save_match if save else None)
    sink, sys.stdout = terminal(sys.stdout), sys.stderr  # reserved for the protocol
    try:
        # A separate reader: at exit a thread may still be blocked in it, while sys.stdin is flushed.
        serve(tools, io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False)), sink)
    finally:
        sys.stdout = sink
    return 0


def _save_match(match: "Match") -> None:
    """Save a game after each move."""
    from gameplay.cli.common.width import echo_err
    from gameplay.store.saved import GameSaver

    saving = GameSaver(echo_err)
    saving.match = match
    match.listeners.append(saving)
