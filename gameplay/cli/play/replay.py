"""`replay`: step through a saved game."""

import click

from gameplay.cli.common.options import COUNT, SOURCE, Drawing, Integer, drawing_options, json_option
from gameplay.cli.common.width import echo_err
from gameplay.errors import BadInput
from gameplay.plural import plural


@click.command(short_help="Step through a saved game")
@click.argument("saved_game", type=SOURCE, metavar="N|FILE")
@click.option("--game", "number", type=COUNT, help="Game N of a file of many [1].")
@click.option("--ply", type=Integer(0), help="Begin after N moves; without a terminal: end there.")
@drawing_options("Print the moves with their values, one a line.")
@json_option("the game, every move with its value,")
def command(saved_game: str, number: int | None, ply: int | None, drawing: Drawing, as_json: bool) -> int:
    """Step through a saved game: by its number in `gameplay games --saved` (1 is the newest), or from FILE.

    \b
    gameplay replay 1
    gameplay replay game.json --ply 12
    gameplay replay games.pgn --game 3

    FILE may come from another program: chess in .pgn, checkers and draughts in .pdn, Go in .sgf, backgammon
    in .mat, .xg and .ogxm, Othello in .ggf, or its transcripts in .txt; hold'em in .phh, bridge in .pbn,
    Scrabble in .gcg.

    On a terminal the arrow keys step, a number and Enter go to a move, `a` lets the game play itself, and `e`
    and `s` play on from the position on the screen. Without a terminal all moves are printed, one a line.
    """
    import sys

    from gameplay import registry
    from gameplay.cli.common import game_files, saved_games
    from gameplay.store import saved

    path = saved.find(saved_game)
    record = saved.read(path, number, registry.game)
    if not saved.is_foreign(path):
        game_files.check_rules(record, f"{path}, game {number}" if number is not None else str(path))
    if ply is not None and ply > len(record.moves):
        raise BadInput(
            f"--ply is {ply}; the game has {plural(len(record.moves), 'move')}. "
            f"Try: --ply {len(record.moves)}"
        )
    notes = [f"note: {saved_game}, {warning}" for warning in record.warnings]
    if as_json:
        for note in notes:
            echo_err(note)
        click.echo(saved_games.document(record, ply))
        return 0
    theme = drawing.theme()
    if not theme.interactive:
        from gameplay.display.terminal.line import PlainOutput

        for note in notes:
            echo_err(note)
        saved_games.print_game(record, PlainOutput(theme, sys.stdout), ply)
        return 0
    chosen = saved_games.step_through(record, theme, ply or 0)
    if chosen is not None:
        from gameplay.cli.common.session.game_session import GameSession
        from gameplay.cli.common.session.seating import branch

        return GameSession(theme, branch(record, *chosen)).run()
    return 0
