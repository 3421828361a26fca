"""`gameplay levels`: what each level of a game does, and its measured strength."""

import click

from gameplay.cli.common.options import game_argument, json_option
from gameplay.cli.common.width import columns

WIDE = 80


@click.command(short_help="Explain the levels of a game")
@game_argument("connect4")
@json_option("the levels")
def command(game: str, as_json: bool) -> None:
    """Explain the levels of GAME (default: connect4): the search depth and error of each, and its measured
    advantage over the level below.

    \b
    gameplay levels chess
    play chess --level 4
    """
    import json

    from gameplay import registry
    from gameplay.players import strength
    from gameplay.players.level import all_settings, level_engine

    chosen_game = registry.game(game)
    if not as_json:
        click.echo(strength.describe_levels(chosen_game, min(columns(WIDE), WIDE)))
        return
    all_rungs = all_settings(chosen_game)
    facts = [
        {
            "level": rung.level,
            "depth": rung.limit.depth,
            "nodes": rung.limit.nodes,
            "seconds": rung.limit.seconds,
            "slip": rung.slip,
            "random_moves": rung.random_share,
            "over_the_level_below": rung.gain and rung.gain._asdict(),
        }
        for rung in all_rungs
    ]
    document = {
        "game": chosen_game.name,
        "engine": level_engine(chosen_game).name,
        "evaluation": all_rungs[0].evaluation or None,
        "levels": facts,
    }
    click.echo(json.dumps(document, indent=2))
