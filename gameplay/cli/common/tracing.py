"""Shared by `analyse`, `trace` and `tree`: the position to search; by the last two also the other options."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import (
    ENGINE,
    Integer,
    game_argument,
    limit_options,
    position_option,
    split_moves,
)

if TYPE_CHECKING:
    from gameplay.api.tracing import TracedSearch
    from gameplay.matches.match import Match
    from gameplay.registry import Game
    from gameplay.search.limit import Limit

CHANCE_SEED = click.option(
    "--seed", type=Integer(0), help="Sample chance nodes by this seed until a player is to move."
)


def title(traced: "TracedSearch") -> str:
    """A title that names the game, the engine and its limit."""
    from gameplay.display.reports.trace import title

    return title(traced.match, traced.game, traced.engine, traced.limit)


def legend(traced: "TracedSearch") -> list[str]:
    """The legend of the trace, in lines."""
    from gameplay.display.reports.trace import legend

    return legend(traced.match, traced.engine)


def search_options(command: Callable[..., Any]) -> Any:
    """GAME, the position, `--engine` and the limits; the command gets the prepared search."""

    @wraps(command)
    def call(**values: Any) -> Any:
        names = ("game", "position", "moves", "engine", "limit", "seed")
        return command(prepare_search(**{name: values.pop(name) for name in names}), **values)

    options = (
        game_argument(),
        position_option("Search this position [the start]."),
        click.option("--moves", metavar="MOVES", default="", help='Make these moves first: "4 4 3".'),
        CHANCE_SEED,
        click.option(
            "--engine",
            type=ENGINE,
            metavar="SPEC",
            help="Engine to follow: alphabeta:order=killer [the game's default].",
        ),
        limit_options(
            "Search depth limit in plies [a small tree, at most 4].",
            "Node limit of the search.",
            "Time limit of the search, in seconds.",
        ),
    )
    decorated: Any = call
    for option in reversed(options):
        decorated = option(decorated)
    return decorated


def match_to_search(game: "Game", position: str, moves: str, seed: int | None) -> "Match":
    """The match at a position, after `moves`, and after chance nodes sampled by `seed` unless it is None."""
    from gameplay.matches.match import match_without_players
    from gameplay.position import CHANCE

    match = match_without_players(game, position, split_moves(moves), seed or 0)
    while seed is not None and match.position.turn == CHANCE and not match.over():
        match.step()
    return match


def prepare_search(
    game: str, position: str, moves: str, engine: str | None, limit: "Limit", seed: int | None = None
) -> "TracedSearch":
    """The search to trace. Raises Usage if there is nothing to trace."""
    from gameplay import registry
    from gameplay.api.tracing import TracedSearch, prepare

    match = match_to_search(registry.game(game), position, moves, seed)
    return TracedSearch(*prepare(match, engine, limit), game=game)
