"""`gameplay trees`: the game trees that are installed, and the file of one."""

from typing import TYPE_CHECKING

import click

from gameplay.cli.common.options import json_option
from gameplay.cli.common.width import echo_list

if TYPE_CHECKING:
    from gameplay.games.tree import Tree


@click.command(short_help="List the trees of textbooks that are installed")
@click.argument("name", required=False)
@json_option("the list")
def command(name: str | None, as_json: bool) -> None:
    """List the trees of textbooks that are installed, or print the file of one: its source, its value, its
    branches. A tree is a game, tree:NAME.

    \b
    gameplay trees
    gameplay trees lecture > mine.toml
    gameplay show tree:lecture
    gameplay trace tree:lecture --engine alphabeta
    gameplay play tree:random,depth=3,branching=2-3,seed=7 --engine minimax
    """
    from gameplay.games.tree.game import Tree, installed_file, names

    if name is not None:
        click.echo(installed_file(name).read_text(encoding="utf-8"), nl=False)
        return
    trees = {name: Tree(name) for name in names()}
    if as_json:
        import json

        rows = [
            {"name": name, "title": tree.title, "value": tree.value, "players": list(tree.sides)}
            for name, tree in trees.items()
        ]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    echo_list(
        [(name, _value(tree), tree.title) for name, tree in trees.items()],
        "The middle column is the value; where the tree is not zero-sum, the payoff of each player.",
        "Source and branches: gameplay trees NAME. As a game: gameplay trace tree:NAME --engine alphabeta",
        "At random: tree:random,depth=3,branching=2-3,seed=7",
    )


def _value(tree: "Tree") -> str:
    from gameplay.value import format_payoff

    if tree.value is None:
        return ""
    shown = tree.value[:1] if len(tree.value) == 2 and tree.zero_sum else tree.value
    return ", ".join(map(format_payoff, shown))
