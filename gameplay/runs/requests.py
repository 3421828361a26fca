"""Creates the plans of matches requested by users: `match` of any players, `selfplay` of two engines."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import structs

from gameplay import file_io, registry, specs
from gameplay.errors import BadInput, Usage
from gameplay.players import seats
from gameplay.runs import planning
from gameplay.runs.openings import count_distinct, split_plies
from gameplay.runs.plan import GAMES, Openings, Plan
from gameplay.search.limit import Limit

SPRT_GAMES = 10_000  # the default maximum with an SPRT


def openings_fields(openings: int | str | None, balance: str | None = None) -> dict[str, Any]:
    """The fields of `plan.Openings`: random plies, or a file. Raises BadInput for a missing file."""
    fields: dict[str, Any] = {} if balance is None else {"balance": balance}
    if openings is None:
        return fields
    if isinstance(openings, int) or openings.isdecimal():
        return fields | {"plies": int(openings)}
    file, plies = split_plies(openings)
    if not Path(file).is_file():
        raise BadInput(f"openings: expected a number of plies or a file; {file_io.no_file(file)}")
    return fields | {"file": str(Path(file).resolve())} | ({} if plies is None else {"plies": plies})


def available_games(game: str, games: int, seed: int, openings: dict[str, Any]) -> int:
    """So many games, or as many as there are openings for. Raises Usage or BadInput."""
    chosen_game = registry.game(game)
    places = int(chosen_game.new().players)
    return places * count_distinct(chosen_game, Openings(**openings), games // places, seed)


def match(
    players: Sequence[str | dict[str, Any]],
    game: str,
    games: int | None,
    limit: Limit,
    seed: int,
    openings: dict[str, Any],
    adjudicate: dict[str, Any],
    sprt: dict[str, Any] | None,
    **fields: Any,
) -> Plan:
    """The plan of a match: `openings`, `adjudicate` and `sprt` are fields of the parts of a plan.

    `games` None: the default of a plan; with an SPRT SPRT_GAMES, or fewer if the openings do not suffice.
    `fields`: further fields of `Plan`, None for the default. Raises Usage or BadInput.
    """
    if len(players) < 2:
        named = players[0] if players else "PLAYER"
        if named in registry.game_names():
            raise Usage(f"'{named}' is a game. Try: gameplay match iterative alphabeta --game {named}")
        raise Usage(f"a match needs two players or more: gameplay match {named} OPPONENT")
    plan = planning.build(
        game,
        players,
        games=SPRT_GAMES if games is None and sprt is not None else games,
        sprt=sprt,
        **specs.limit_options(limit),
        seed=seed,
        openings=openings or None,
        adjudicate=adjudicate or None,
        **fields,
    )
    if games is None and sprt is not None:
        plan = structs.replace(plan, games=available_games(game, SPRT_GAMES, seed, openings))
    return plan


def selfplay(
    game: str,
    first: str | None,
    second: str | None,
    games: int | None,
    openings: dict[str, Any],
    seed: int,
    limit: Limit,
    **fields: Any,
) -> Plan:
    """The plan of a match of two engines: by default the game's default engine and a second one.

    `second` takes all other seats of a game for more than two. `games` None: GAMES, or fewer if the openings
    do not suffice; `openings` are the fields of `plan.Openings`. Raises Usage or BadInput.
    """
    chosen = registry.game(game)
    places = chosen.new().players
    if places < 2:
        raise Usage(
            f"{chosen.name} is for one player; expected a game for two or more. Try: gameplay selfplay "
            f"{chosen.spec}, the command, which solves instances of a puzzle"
        )
    first, second = first or seats.opponent(chosen), second or seats.second_engine(chosen)
    return planning.build(
        game,
        [first, *[second] * (places - 1)],
        games=available_games(game, GAMES, seed, openings) if games is None else games,
        **specs.limit_options(limit),
        seed=seed,
        openings=openings or None,
        **fields,
    )
