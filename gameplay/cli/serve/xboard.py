"""`gameplay xboard`: our engines for chess programs, by the Chess Engine Communication Protocol."""

import click

from gameplay.cli.common.server import SERVER, Server


@click.command(short_help="Play chess for other programs, speaking the protocol of xboard")
@SERVER
def command(server: Server) -> int:
    """Play chess for xboard, WinBoard or another program that speaks their protocol, version 1 or 2, on
    standard input and output.

    Limits of --engine hold beside those of `level`, `st` and `sd`, whichever comes first. The other way
    round, an engine that speaks the protocol is a player:

    \b
    xboard -fcp "gameplay xboard --engine selective:table=256MB"
    gameplay play chess --players "human,xboard:fairymax,time=1"
    """
    from gameplay import registry
    from gameplay.protocols.xboard import understand
    from gameplay.protocols.xboard_side import XboardSide

    return server.answer(server.chess(registry.game("chess"), "xboard", XboardSide, understand))
