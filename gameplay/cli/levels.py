"""`gameplay levels`: what each level of a game does, and how strong it was measured to be."""

import click

from gameplay.cli._options import GAME, json_option


@click.command(short_help="Explain the levels of a game")
@click.argument("game", type=GAME, default="connect4")
@json_option("the levels")
def command(game: str, as_json: bool) -> None:
    """Explain the levels of GAME (default: connect4): how far each looks ahead, how often it moves at random,
    and what it was measured to score against the level below it.

    \b
    gameplay levels chess
    play chess --level 4
    """
    import json

    from gameplay import registry
    from gameplay.players.level import explained, measured, rungs, thinker

    found = registry.game(game)
    if not as_json:
        click.echo(explained(found))
        return
    facts = [
        {
            "level": rung.level,
            "depth": rung.limit.depth,
            "nodes": rung.limit.nodes,
            "seconds": rung.limit.seconds,
            "random_moves": rung.careless,
        }
        for rung in rungs(found)
    ]
    document = {"game": found.name, "engine": thinker(found).name, "levels": facts}
    click.echo(json.dumps(document | {"measured": measured(found)}, indent=2))
