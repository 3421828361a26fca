"""`gameplay dxp`: play draughts programs that connect by the DamExchange Protocol."""

import click

from gameplay.cli.common.server import SERVER, Server, engine_title


@click.command(short_help="Play draughts over TCP, by DXP")
@click.option(
    "--listen",
    metavar="HOST:PORT",
    default="127.0.0.1:27531",
    help="Wait for programs at this address [127.0.0.1:27531: this computer alone].",
)
@click.argument("game", metavar="[GAME]", default="draughts")
@SERVER
def command(game: str, listen: str, server: Server) -> int:
    """Play draughts with programs that connect by DXP, the DamExchange Protocol.

    GAME is draughts (international draughts, the default) or checkers. The other program requests games, with
    their time and the side to play. One connection is served at a time, until Ctrl-C. The player
    `dxp:HOST:PORT` connects to another program and requests games:

    \b
    gameplay dxp --engine selective:time=1
    gameplay play draughts --players "human,dxp:127.0.0.1:27531"
    """
    from gameplay import registry
    from gameplay.matches.hosted import Hosted
    from gameplay.protocols.dxp import check_game, parse_address
    from gameplay.protocols.dxp_side import DxpSide, open_listener
    from gameplay.protocols.hub import parse_move
    from gameplay.visible import visible

    rules = registry.game(game)
    check_game(rules.new())
    player = server.player(rules, "DXP")
    with open_listener(*parse_address(listen, "--listen", least=0)) as listener:
        host, port = listener.getsockname()[:2]
        click.echo(f"{engine_title(player)} listens at {host}:{port}; Ctrl-C ends")
        hosted = Hosted(rules, player, parse_move)
        DxpSide(engine_title(player), player, hosted, lambda line: click.echo(visible(str(line)))).serve(
            listener
        )
    return 0
