"""`gameplay table`: build, probe, verify and count endgame tables."""

from pathlib import Path
from typing import Any

import click

from gameplay.cli import Group
from gameplay.cli.common.options import (
    COUNT,
    FILE,
    GAME,
    Integer,
    cluster_option,
    jobs_option,
    json_option,
    position_option,
)

FOLDER = click.option(
    "--folder", type=FILE, metavar="FOLDER", help="Folder of the tables [tables/GAME in your data folder]."
)
PIECES = click.option(
    "--pieces",
    type=Integer(2, 16),
    help="All endings of up to N pieces; of backgammon: up to N checkers a side [6].",
)


class TableCommands(Group):
    """The commands on tables."""

    kind = "command"


@click.group(cls=TableCommands, short_help="Build, probe and verify endgame tables")
def command() -> None:
    """Build endgame tables of a game by retrograde analysis; probe, verify and count them.

    They store the value of every position: win, draw or loss, and the plies to the end of the game with
    perfect play. Chess and checkers have a table for each ending, such as KRvK or MMvK (K king, M man); a
    small game of another kind for two has one with all its positions. Engines probe them within their
    search: selective:tables=FOLDER. Backgammon has one-sided and two-sided bear-off tables, for
    expectiminimax:bearoff=FOLDER. More: docs/how-to/tables.md.
    """


@command.command(short_help="Build tables")
@click.argument("game", type=GAME)
@click.argument("endings", nargs=-1)
@PIECES
@position_option("Of a game without endings: all positions reachable from TEXT.", None)
@FOLDER
@jobs_option("Number of endings to build at once [all cores].")
@cluster_option("Build on the dask cluster at ADDRESS, as in tcp://host:8786; its workers must see --folder.")
@click.option("--memory", type=COUNT, default=2048, metavar="MB", help="Memory limit [2048].")
@json_option("what was built")
def build(game: str, **options: Any) -> int:
    """Build the tables of GAME: of the ENDINGS named and all they lead to, or of up to --pieces.

    Existing tables are kept, so an interrupted build continues. Each line gives the number of
    positions of an ending (mirrored ones count once), the plies of the longest win, and the cost: CPU
    seconds, positions a second, bytes a position.

    \b
    gameplay table build chess KQvKR
    gameplay table build chess --pieces 3
    gameplay table build checkers --pieces 4 --jobs 2
    gameplay table build nim
    gameplay table build backgammon --pieces 6
    gameplay table build ./sticks.py:sticks=40
    """
    from gameplay import registry
    from gameplay.cli.common import tables

    return tables.build(registry.game(game), **options)


@command.command(short_help="Print the value of a position from the tables")
@click.argument("game", type=GAME)
@position_option("The position [the game's start].", None)
@FOLDER
@json_option("the values")
def probe(game: str, position: str | None, folder: Path | None, as_json: bool) -> int:
    """Print the value of a position of GAME and of every move, and the best line, from the tables.

    The exit status is 4 if no table has the position.

    \b
    gameplay table probe chess --position "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"
    gameplay table probe checkers --position B:WK18:BK14
    """
    from gameplay import registry
    from gameplay.cli.common import tables

    return tables.probe(registry.game(game), position, folder, as_json)


@command.command(short_help="Compare every value with those of its successors")
@click.argument("game", type=GAME)
@click.argument("endings", nargs=-1)
@FOLDER
@click.option(
    "--syzygy", type=FILE, metavar="FOLDER", help="Compare with the Syzygy tables in FOLDER (chess)."
)
@click.option(
    "--all",
    "all_positions",
    is_flag=True,
    help="With --syzygy: all positions [10,000 random ones of each side].",
)
@json_option()
def verify(
    game: str,
    endings: tuple[str, ...],
    folder: Path | None,
    syzygy: Path | None,
    all_positions: bool,
    as_json: bool,
) -> int:
    """Verify the tables of GAME, those of the ENDINGS or all: each value is the best of its successors.

    It is a forward pass over all positions by the rules of the game; it shares no code with the retrograde
    analysis that built them. The exit status is 3 if a value is wrong, 4 if Syzygy has none of the endings,
    and 6 if a file is damaged.

    \b
    gameplay table verify chess KRvK
    gameplay table verify chess --syzygy ~/syzygy --all
    """
    from gameplay import registry
    from gameplay.cli.common import tables

    return tables.verify(registry.game(game), endings, folder, syzygy, all_positions, as_json)


@command.command(short_help="Count wins, draws and losses, and show the longest win")
@click.argument("game", type=GAME)
@click.argument("endings", nargs=-1)
@FOLDER
@json_option("the counts")
def stats(game: str, endings: tuple[str, ...], folder: Path | None, as_json: bool) -> int:
    """Count the wins, draws and losses of the side to move, in the ENDINGS or all tables of GAME.

    Mirrored positions are counted separately. The longest win is shown with its line.
    """
    from gameplay import registry
    from gameplay.cli.common import tables

    return tables.stats(registry.game(game), endings, folder, as_json)
