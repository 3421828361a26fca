"""The games of a run as rows of plain data: one row per game, or one row per move."""

from collections.abc import Iterator
from typing import Any

from gameplay.runs.played import MatchGame

Columns = dict[str, type]  # of a table: names in order, each with int, float, bool or str


def game_columns(seats: int) -> Columns:
    """The columns of `game_row`, with a player and a payoff for each seat, counted from 0."""
    return {
        **{"pair": int, "leg": int},
        **{f"player{seat}": str for seat in range(seats)},
        **{f"payoff{seat}": float for seat in range(seats)},
        **{"termination": str, "plies": int, "nodes": int, "seconds": float, "moves": str},
    }


def game_row(game: MatchGame) -> dict[str, Any]:
    """The row of a game; `nodes` is the sum over all players, `moves` the moves joined by spaces."""
    row: dict[str, Any] = {"pair": game.pair, "leg": game.leg}
    row |= {f"player{seat}": name for seat, name in enumerate(game.names)}
    row |= {f"payoff{seat}": payoff for seat, payoff in enumerate(game.payoffs)}
    plies = game.record.moves if game.record is not None else []
    return row | {
        "termination": game.termination,
        "plies": len(plies),
        "nodes": sum(ply.nodes or 0 for ply in plies),
        "seconds": game.seconds,
        "moves": " ".join(ply.move for ply in plies),
    }


MOVE_COLUMNS: Columns = {
    **{"pair": int, "leg": int, "ply": int, "player": int, "name": str, "move": str, "opening": bool},
    **{"value": float, "depth": int, "nodes": int, "seconds": float},
}


def move_rows(game: MatchGame) -> Iterator[dict[str, Any]]:
    """Yield a row for each move. `ply` counts from 1; `player` is the seat, from 0, and -1 for chance.

    `opening`: the move is part of the opening. Value, depth and nodes are None without a search. `value` is
    on the scale of `gameplay.value`, from the mover's view.
    """
    plies = game.record.moves if game.record is not None else []
    for number, ply in enumerate(plies):
        has_time = ply.seconds is None and number < len(game.times)
        yield {
            "pair": game.pair,
            "leg": game.leg,
            "ply": number + 1,
            "player": ply.player,
            "name": game.names[ply.player] if 0 <= ply.player < len(game.names) else "",
            "move": ply.move,
            "opening": number < game.opening,
            "value": ply.value,
            "depth": ply.depth,
            "nodes": ply.nodes,
            "seconds": game.times[number] if has_time else ply.seconds,
        }
