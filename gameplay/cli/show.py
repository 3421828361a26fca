"""`show`: one position: its drawing, the text that brings it back, the legal moves, what it is worth."""

from typing import TYPE_CHECKING, Any

import click

from gameplay.cli._options import GAME, Drawing, drawing_options, json_option

if TYPE_CHECKING:
    from gameplay.matches.match import Match


@click.command(short_help="Draw a position and list its facts")
@click.argument("game", type=GAME)
@click.option("--position", metavar="TEXT", default="", help="Position to draw [the start].")
@click.option("--moves", metavar="MOVES", default="", help='Make these moves first: "4 4 3".')
@drawing_options("Plain lines instead of a drawing.")
@json_option("all of it")
def command(game: str, position: str, moves: str, drawing: Drawing, as_json: bool) -> None:
    """Draw a position of GAME, and list what is known of it without a search.

    \b
    gameplay show tictactoe --position 'x.o/.x./...'
    gameplay show connect4 --moves "4 4 3"
    """
    from gameplay import registry
    from gameplay.matches.match import unplayed

    match = unplayed(registry.game(game), position, moves.replace(",", " ").split())
    facts = _facts(match)
    if as_json:
        import json

        click.echo(json.dumps(facts))
        return
    from gameplay.display.line import lines

    theme = drawing.theme()
    board = match.board()
    if board is None:
        click.echo(match.show())
    elif drawing.plain:
        click.echo(lines(board))
    else:
        from gameplay.display.board import draw, largest

        theme.console.print(draw(board, theme, largest(board, theme.console.width, 24, theme)))
    for key, value in facts.items():
        if key != "game" and value not in (None, "", []):
            shown = " ".join(value) if isinstance(value, list) else value
            click.echo(f"{key + ':':<12}{shown}")


def _facts(match: "Match") -> dict[str, Any]:
    """What there is to say, by name."""
    from gameplay.display.panel import result
    from gameplay.position import CHANCE
    from gameplay.value import amount, worth

    position = match.position
    over = match.over()
    facts: dict[str, Any] = {
        "game": match.game.spec,
        "position": match.ask("text()", position.text),
        "made": match.words(),
        "turn": None if over else match.side(position.turn),
        "legal": [] if over else [match.ask("format()", position.format, move) for move in match.moves()],
    }
    if over:
        return facts | {"result": result(match)}
    if position.turn == CHANCE:
        return facts
    guess = match.ask("evaluate()", position.evaluate)
    if position.players != 2:
        return facts | {"evaluation": f"{match.side(position.turn)} {amount(guess, position.unit)}"}
    sides = [match.side(seat) for seat in range(2)]
    bound = "expectation" if position.calibrated else "exact"
    return facts | {"evaluation": worth(guess, position, sides, position.turn, 0, bound=bound)}
