"""`show`: draw a position, with its notation, legal moves and evaluation."""

from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import (
    Drawing,
    drawing_options,
    game_argument,
    json_option,
    position_option,
    split_moves,
)
from gameplay.cli.common.width import columns, echo_labelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gameplay.capabilities import PieceCounts
    from gameplay.matches.match import Match
    from gameplay.position import AbstractEvaluation, AbstractPosition

PIPE_WIDTH = 100  # columns where there is no terminal


@click.command(short_help="Draw a position and list its facts")
@game_argument()
@position_option("Position to draw [the start].")
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
    "--terms",
    is_flag=True,
    help="Print count, weight and contribution of each term of an evaluation that is a sum; of a quotient,"
    " both parts.",
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
    gameplay show chess --moves "e4 d5 exd5" --eval turing --terms
    """
    from gameplay import registry
    from gameplay.evaluation import select_evaluation
    from gameplay.matches.match import match_without_players

    match = match_without_players(registry.game(game), position, split_moves(moves))
    if evaluation:
        match.position.evaluation = select_evaluation(evaluation, match.position)
    facts = _facts(match)
    if terms:
        facts["terms"] = _terms(match)
    if as_json:
        import json

        click.echo(json.dumps(facts))
        return
    from gameplay.display.terminal.line import board_text

    theme = drawing.theme()
    board = match.board()
    if board is None:
        click.echo(match.show())
    elif drawing.plain:
        click.echo(board_text(board))
    else:
        from gameplay.display.board.drawing import draw, largest

        theme.console.print(draw(board, theme, largest(board, theme.console.width, 24, theme)))
    for key, value in facts.items():
        if key == "terms":
            click.echo(_term_table(value, match))
        elif key != "game" and value not in (None, "", []):
            text = " ".join(value) if isinstance(value, list) else value
            echo_labelled(f"{key + ':':<12}", str(text))


def _facts(match: "Match") -> dict[str, Any]:
    """The facts about the position, by name."""
    from gameplay.capabilities import HasParts, HasQuotient
    from gameplay.display.terminal.panel import describe_result
    from gameplay.position import CHANCE
    from gameplay.spans import abridge
    from gameplay.tracing.documents import place
    from gameplay.value import format_amount, format_for_side, pov

    position = match.position
    is_over = match.over()
    moves = [] if is_over else match.moves()
    facts: dict[str, Any] = {
        **place(match),
        "turn": None if is_over else match.side(position.turn),
        "legal": [match.call_game("format()", position.format, move) for move in abridge(moves)],
    }
    if len(facts["legal"]) < len(moves):
        facts["moves"] = len(moves)
    if is_over:
        return facts | {"result": describe_result(match)}
    if position.turn == CHANCE:
        return facts
    sides = [match.side(seat) for seat in range(position.players)]
    if isinstance(position, HasQuotient) and (material := position.quotient()):
        return facts | {"evaluation": _format_quotient(material, sides)}
    guess = match.call_game("evaluate()", position.evaluate)
    if position.players != 2:
        return facts | {"evaluation": f"{match.side(position.turn)} {format_amount(guess, position.unit)}"}
    bound = "expectation" if position.calibrated else "exact"
    text = format_for_side(guess, position, sides, position.turn, 0, bound=bound)
    if isinstance(evaluation := _evaluation(position), HasParts):
        parts = match.call_game("evaluate()", evaluation.parts, position).items()
        values = {name: pov(part, position.turn, 0) for name, part in parts}
        parts_text = ", ".join(
            f"{name} {format_amount(part, position.unit)}" for name, part in values.items()
        )
        text += f": {parts_text}"
    return facts | {"evaluation": text}


def _evaluation(position: "AbstractPosition") -> "AbstractEvaluation | None":
    """The evaluation in use."""
    return position.evaluation or next(iter(position.evaluations.values()), None)


def _terms(match: "Match") -> list[dict[str, Any]]:
    """The terms of the position under the evaluation in use: of a sum those that contribute most first; of a
    quotient the pieces that are divided."""
    from gameplay.capabilities import HasQuotient
    from gameplay.errors import Usage

    position = match.position
    if isinstance(position, HasQuotient) and (material := position.quotient()):
        return [
            {"term": piece_counts.piece, "counts": list(piece_counts.counts), "value": piece_counts.value}
            for piece_counts in material
        ]
    linear = [piece_counts.name for piece_counts in position.evaluations.values() if piece_counts.scale]
    evaluation = _evaluation(position)
    if evaluation is None or not evaluation.scale:
        name = f"evaluation {evaluation.name}" if evaluation else "the evaluation"
        suggestion = (
            f"Try: --eval {linear[0]}" if linear else "Try: gameplay show checkers --eval samuel --terms"
        )
        reason = f"--terms requires a sum of named terms; {name} of {match.game.name} is none"
        raise Usage(f"{reason}. {suggestion}")
    if match.over() or position.turn < 0:
        raise Usage("--terms requires a position with a player to move")
    counts = match.call_game("evaluate()", evaluation.counts, position)
    piece_counts = evaluation.scale * position.unit
    rows = [
        {
            "term": name,
            "count": count,
            "weight": evaluation.weights[name] / piece_counts,
            "contribution": evaluation.weights[name] * count / piece_counts,
            "meaning": evaluation.meanings.get(name, ""),
        }
        for name, count in counts.items()
    ]
    return sorted(rows, key=lambda row: -abs(row["contribution"]))


def _term_table(rows: list[dict[str, Any]], match: "Match") -> str:
    """The terms in columns, with their meanings if they fit."""
    width = max(len(row["term"]) for row in rows)
    if "value" in rows[0]:
        return _quotient_table(rows, [match.side(player) for player in (0, 1)], width)
    lines = [
        f"counts: those of {match.side(match.position.turn)}, the side to move, less the opponent's",
        f"{'term':<{width}}{'count':>7}{'weight':>11}{'contribution':>14}",
    ]
    meaning_width = columns(PIPE_WIDTH) - width - 34
    for row in rows:
        if row["weight"]:
            line = (
                f"{row['term']:<{width}}{row['count']:>7}{row['weight']:>11.4g}{row['contribution']:>14.3f}"
            )
            meaning = row["meaning"] if len(row["meaning"]) <= meaning_width else ""
            lines.append(f"{line}  {meaning}".rstrip())
    unweighted = [f"{row['term']} {row['count']}" for row in rows if not row["weight"] and row["count"]]
    if unweighted:
        lines.append(f"with weight 0: {', '.join(unweighted)}")
    total = sum(row["contribution"] for row in rows)
    return "\n".join([*lines, f"{'sum':<{width}}{'':>18}{total:>14.3f}"])


def _quotient_table(rows: list[dict[str, Any]], sides: list[str], width: int) -> str:
    """The material of both sides."""
    side_width = max(8, *(len(side) + 2 for side in sides))
    lines = [f"{'piece':<{width}}{'value':>7}" + "".join(f"{side:>{side_width}}" for side in sides)]
    for row in rows:
        counts = "".join(f"{count:>{side_width}}" for count in row["counts"])
        lines.append(f"{row['term']:<{width}}{row['value']:>7g}{counts}")
    sums = [sum(row["counts"][player] * row["value"] for row in rows) for player in (0, 1)]
    totals = "".join(f"{total:>{side_width}g}" for total in sums)
    return "\n".join([*lines, f"{'sum':<{width}}{'':>7}{totals}"])


def _format_quotient(material: "Sequence[PieceCounts]", sides: list[str]) -> str:
    """The quotient of both sides' material: `white / black = 41 / 40 = 1.025`."""
    first, second = (sum(term.counts[player] * term.value for term in material) for player in (0, 1))
    quotient = f" = {first / second:.4g}" if second else ""
    return f"{' / '.join(sides)} = {first:g} / {second:g}{quotient}"
