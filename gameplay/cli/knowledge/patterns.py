"""`gameplay patterns`: build the pattern databases of puzzles for later searches."""

import sys

import click

from gameplay.cli.common.options import GAME, json_option
from gameplay.cli.common.width import echo_err

LARGE = 1_000_000  # bytes of a database that takes seconds to build


@click.command(short_help="Build a pattern database of a puzzle")
@click.argument("game", type=GAME, default="puzzle15")
@click.argument("name", required=False)
@click.option(
    "--list",
    "list_only",
    is_flag=True,
    help="List the databases of GAME and whether they are intact; build none.",
)
@json_option("what was built, or the list,")
def command(game: str, name: str | None, list_only: bool, as_json: bool) -> int:
    """Build the pattern database NAME of GAME (default: puzzle15 and its default database) for
    heuristic=pattern.

    The database is kept in your cache folder, with a checksum, and mapped into memory read-only by every
    search that uses it; building it again replaces it. The 4x4 board has two: 6-6-3, of 12 MB, takes
    seconds; 7-8, of 577 MB, takes 5 GB of memory and half an hour. Other boards have one.

    \b
    gameplay patterns puzzle15
    gameplay patterns puzzle15 7-8
    gameplay patterns puzzle15:rows=3,columns=3
    gameplay patterns --list
    """
    import json
    import time

    from gameplay import file_io, registry
    from gameplay.capabilities import HasPatternDatabases
    from gameplay.cli.common.progress_line import ProgressLine
    from gameplay.errors import GameplayError, TryLater, Usage

    rules = registry.game(game)
    position = rules.new()
    if not isinstance(position, HasPatternDatabases):
        raise Usage(f"{rules.name} has no pattern databases. Try: gameplay patterns puzzle15")
    databases = position.databases()
    if list_only:
        rows = []
        for database in databases.values():
            state = "whole"
            try:
                database.load()
            except GameplayError as error:
                state = "not built" if isinstance(error, Usage) else "broken"
            rows.append(
                {"name": database.name, "bytes": database.size, "state": state, "file": str(database.path)}
            )
            if not as_json:
                click.echo(f"{database.name:<12} {database.size / 1e6:>8.1f} MB  {state:<10} {database.path}")
        if as_json:
            click.echo(json.dumps(rows, indent=2))
        return 0
    database = position.database(name or "")
    began = time.monotonic()
    if not sys.stderr.isatty() and database.size > LARGE:
        echo_err(f"building {database.name}, {database.size / 1e6:.0f} MB")
    try:
        with file_io.naming(database.path), ProgressLine() as progress_line:
            database.build(
                lambda done, total: progress_line(
                    f"{database.name}: {done / total:.0%} of {total:,} placements"
                )
            )
    except MemoryError:
        raise TryLater(f"there is not enough memory to build {database.name}") from None
    seconds = time.monotonic() - began
    if as_json:
        facts = {"name": database.name, "bytes": database.size, "file": str(database.path)}
        click.echo(json.dumps(facts | {"seconds": round(seconds, 3)}, indent=2))
    else:
        click.echo(
            f"{database.name}: {database.size / 1e6:.1f} MB in {seconds:.1f} s, kept in {database.path}"
        )
    return 0
