"""`gameplay xboard`: our engines for chess programs, by the Chess Engine Communication Protocol."""

import click

from gameplay.cli.common.server import SERVER, Server


@click.command(short_help="Play chess as an xboard engine")
@SERVER
def command(server: Server) -> int:
    """Play chess as an engine for xboard, WinBoard and other programs that use their protocol (version 1 or
    2), on standard input and output.

    A search ends at the first of the limits of --engine and those of `level`, `st` and `sd`. Engines that use
    the protocol can play here, as in the second example:

    \b
    xboard -fcp "gameplay xboard --engine selective:table=256MB"
    gameplay play chess --players "human,xboard:fairymax,time=1"
    """
    from gameplay import registry
    from gameplay.protocols.xboard import parse_move
    from gameplay.protocols.xboard_side import XboardSide

    return server.answer(server.chess(registry.game("chess"), "xboard", XboardSide, parse_move))
