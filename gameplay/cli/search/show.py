"""`show`: one position: its drawing, its text notation, the legal moves and the evaluation."""

from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import Drawing, drawing_options, game_argument, json_option

if TYPE_CHECKING:
    from gameplay.matches.match import Match


@click.command(short_help="Draw a position and list its facts")
@game_argument()
@click.option("--position", metavar="TEXT", default="", help="Position to draw [the start].")
@click.option("--moves", metavar="MOVES", default="", help='Make these moves first: "4 4 3".')
@drawing_options("Plain lines instead of a drawing.")
@click.option(
    "--eval",
    "evaluation",
    metavar="EVAL",
    default="",
    help="Evaluate by EVAL, as the option of engines [default].",
)
@click.option(
    "--terms", is_flag=True, help="Print count, weight and contribution of each term of a linear evaluation."
)
@json_option("all of it")
def command(
    game: str, position: str, moves: str, drawing: Drawing, evaluation: str, terms: bool, as_json: bool
) -> None:
    """Draw a position of GAME, and list its facts without a search.

    \b
    gameplay show tictactoe --position 'x.o/.x./...'
    gameplay show connect4 --moves "4 4 3"
    gameplay show checkers --moves "11-15 23-19" --eval samuel --terms
    """
    from gameplay import registry
    from gameplay.evaluation import chosen
    from gameplay.matches.match import unplayed

    match = unplayed(registry.game(game), position, moves.replace(",", " ").split())
    if evaluation:
        match.position.evaluation = chosen(evaluation, match.position)
    facts = _facts(match)
    if terms:
        facts["terms"] = _terms(match)
    if as_json:
        import json

        click.echo(json.dumps(facts))
        return
    from gameplay.display.terminal.line import lines

    theme = drawing.theme()
    board = match.board()
    if board is None:
        click.echo(match.show())
    elif drawing.plain:
        click.echo(lines(board))
    else:
        from gameplay.display.board.drawing import draw, largest

        theme.console.print(draw(board, theme, largest(board, theme.console.width, 24, theme)))
    for key, value in facts.items():
        if key == "terms":
            click.echo(_table(value))
        elif key != "game" and value not in (None, "", []):
            shown = " ".join(value) if isinstance(value, list) else value
            click.echo(f"{key + ':':<12}{shown}")


def _facts(match: "Match") -> dict[str, Any]:
    """The facts about the position, by name."""
    from gameplay.display.terminal.panel import result
    from gameplay.position import CHANCE
    from gameplay.spans import some
    from gameplay.tracing.documents import place
    from gameplay.value import amount, worth

    position = match.position
    over = match.over()
    moves = [] if over else match.moves()
    facts: dict[str, Any] = {
        **place(match),
        "turn": None if over else match.side(position.turn),
        "legal": [match.ask("format()", position.format, move) for move in some(moves)],
    }
    if len(facts["legal"]) < len(moves):
        facts["moves"] = len(moves)
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


def _terms(match: "Match") -> list[dict[str, Any]]:
    """The terms of the position under the evaluation in use, those that contribute most first."""
    from gameplay.errors import Usage

    position = match.position
    linear = [one.name for one in position.evaluations.values() if one.scale]
    evaluation = position.evaluation or next(iter(position.evaluations.values()), None)
    if evaluation is None or not evaluation.scale:
        name = f"evaluation {evaluation.name}" if evaluation else "the evaluation"
        instead = (
            f"Try: --eval {linear[0]}" if linear else "Try: gameplay show checkers --eval samuel --terms"
        )
        raise Usage(f"--terms requires a sum of named terms; {name} of {match.game.name} is none. {instead}")
    if match.over() or position.turn < 0:
        raise Usage("--terms requires a position with a player to move")
    counts = match.ask("evaluate()", evaluation.counts, position)
    rows = [
        {
            "term": name,
            "count": count,
            "weight": evaluation.weights[name],
            "contribution": evaluation.weights[name] * count / evaluation.scale / position.unit,
        }
        for name, count in counts.items()
    ]
    return sorted(rows, key=lambda row: -abs(row["contribution"]))


def _table(rows: list[dict[str, Any]]) -> str:
    """The terms in columns; those with weight 0 in one line."""
    width = max(len(row["term"]) for row in rows)
    lines = [f"{'term':<{width}}{'count':>7}{'weight':>11}{'contribution':>14}"]
    for row in rows:
        if row["weight"]:
            lines.append(
                f"{row['term']:<{width}}{row['count']:>7}{row['weight']:>11,}{row['contribution']:>14.3f}"
            )
    rest = [f"{row['term']} {row['count']}" for row in rows if not row["weight"] and row["count"]]
    if rest:
        lines.append(f"with weight 0: {', '.join(rest)}")
    total = sum(row["contribution"] for row in rows)
    return "\n".join([*lines, f"{'sum':<{width}}{'':>18}{total:>14.3f}"])
