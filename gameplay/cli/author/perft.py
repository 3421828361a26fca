"""`gameplay perft`: counts legal lines of play and compares them with published counts.

`--json` prints one document:

    game, position
    depths     [{depth, nodes, seconds, nps, published}, ...]; published: null if no count is known
    source     the publication of the counts, or null
    moves      {move: nodes, ...}; with --divide, of the last depth

With --check:

    positions  [{file, line, position, nodes, seconds, wrong: {depth: {found, expected}}}, ...]
    wrong      number of positions that differ
    unread     errors of unreadable lines; the exit status is then 6
    nodes, seconds, nps
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import FILE, Integer, game_argument, json_option, position_option
from gameplay.cli.common.width import columns, echo_error, echo_wrapped
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.suites.perft import Known

SECONDS = 1.0  # without --depth, the first depth that takes this long is the last


@click.command(short_help="Count the legal lines of play to a depth")
@game_argument()
@click.option(
    "--depth",
    type=Integer(1, 99),
    help="Depth in plies [until a depth takes a second; with --check, all known depths].",
)
@position_option("Position to count from [the start].")
@click.option("--divide", is_flag=True, help="Count the lines below each first move too.")
@click.option(
    "--check", "check_files", multiple=True, type=FILE, help="Compare with the known counts in FILE."
)
@json_option()
def command(
    game: str, depth: int | None, position: str, divide: bool, check_files: tuple[Path, ...], as_json: bool
) -> int:
    """Count the lines of play from a position, ply by ply (perft), to test a move generator.

    As in published tables, a line that ends earlier is not counted, and draws by a count of moves are
    ignored. Published counts of the position are printed beside the computed ones. The exit status is 3 if
    one differs from them or, with --check, from those in FILE.

    \b
    gameplay perft connect4 --depth 8
    gameplay perft tictactoe --position 'x.o/.x./...' --divide
    gameplay perft chess --check suite.epd --depth 5

    A line of FILE is a position and its counts: POSITION ;D1 20 ;D2 400
    """
    from gameplay import registry
    from gameplay.errors import Usage

    chosen_game = registry.game(game)
    if not check_files:
        return _count(chosen_game, position, depth, divide, as_json)
    if position or divide:
        raise Usage("--check has its own positions. Try: leave --position and --divide out")
    from gameplay.suites.perft import read

    suite: list[Known] = []
    errors: list[str] = []
    for file in check_files:
        positions, file_errors = read(file)
        suite += positions
        errors += file_errors
    return _check(chosen_game, suite, errors, depth, as_json)


def _count(game: "Game", text: str, depth: int | None, divide: bool, as_json: bool) -> int:
    import json

    from gameplay.errors import Mismatch
    from gameplay.suites import perft

    position = game.new(text)
    published = perft.published_counts(game, position)
    depths, mismatches = [], 0
    if not as_json:
        widths = _column_widths(columns())
        click.echo("".join(f"{name:>{width}}" for name, width in widths.items()))
    for plies in range(1, (depth or 99) + 1):
        result = perft.count(position, plies)
        published_count = published.at(plies)
        depths.append(result.as_dict() | {"published": published_count})
        differs = published_count is not None and published_count != result.nodes
        mismatches += differs
        if not as_json:
            values = {
                "depth": str(plies),
                "nodes": f"{result.nodes:,}",
                "published": "none" if published_count is None else f"{published_count:,}",
                "seconds": f"{result.seconds:.3f}",
                "nodes a second": f"{result.nps:,.0f}",
            }
            row = "".join(f"{values[name]:>{width}}" for name, width in widths.items())
            echo_wrapped(f"{row}  differs" if differs else row, widths["depth"])
        if depth is None and (result.seconds >= SECONDS or not result.nodes):
            break
    if published.source and not as_json:
        echo_wrapped(f"published: {published.source}", 2)
    moves = {}
    if divide:
        for word, result_below in perft.divide(position, depths[-1]["depth"]):
            moves[word] = result_below.nodes
            if not as_json:
                click.echo(f"{word:<8} {result_below.nodes:,}")
    if as_json:
        document = {"game": game.spec, "position": text, "depths": depths, "source": published.source or None}
        click.echo(json.dumps(document | ({"moves": moves} if divide else {})))
    return Mismatch.status if mismatches else 0


def _column_widths(width: int) -> dict[str, int]:
    """The columns of the table and their widths: fewer in a terminal of few columns; 0: no terminal."""
    roomy = {"depth": 5, "nodes": 18, "published": 21, "seconds": 11, "nodes a second": 18}
    if not width or width >= sum(roomy.values()):
        return roomy
    widths = {"depth": 5, "nodes": 16, "published": 16, "seconds": 9, "nodes a second": 17}
    while sum(widths.values()) > width and len(widths) > 2:
        widths.popitem()
    return widths


def _check(
    game: "Game", suite: "list[Known]", errors: list[str], max_depth: int | None, as_json: bool
) -> int:
    """Count and compare. errors: those of unreadable lines; later errors are appended."""
    import json

    from gameplay.errors import BadInput, Mismatch
    from gameplay.suites import perft

    documents: list[dict[str, Any]] = []
    nodes, seconds, differ = 0, 0.0, 0
    for entry in suite:
        location = f"{entry.file}, line {entry.line}"
        try:
            position = game.new(entry.position)
        except BadInput as error:
            errors.append(f"{location}: {error}")
            continue
        depths = [plies for plies in sorted(entry.nodes) if max_depth is None or plies <= max_depth]
        counts = [perft.count(position, plies) for plies in depths]
        differences = {
            result.depth: {"found": result.nodes, "expected": entry.nodes[result.depth]}
            for result in counts
            if result.nodes != entry.nodes[result.depth]
        }
        differ += bool(differences)
        entry_totals = sum(result.nodes for result in counts), sum(result.seconds for result in counts)
        nodes, seconds = nodes + entry_totals[0], seconds + entry_totals[1]
        documents.append({"file": entry.file, "line": entry.line, "position": entry.position})
        documents[-1] |= {
            "nodes": entry_totals[0],
            "seconds": round(entry_totals[1], 6),
            "wrong": differences,
        }
        if as_json:
            continue
        if not differences:
            depth = f"to depth {depths[-1]}" if depths else "no count to compare at this depth"
            click.echo(
                f"ok  line {entry.line}: {depth}, {entry_totals[0]:,} nodes in {entry_totals[1]:.3f} s"
            )
        for plies, difference in differences.items():
            click.echo(
                f"XX  line {entry.line}: depth {plies}: {difference['found']:,} nodes, expected "
                f"{difference['expected']:,} ({entry.position})"
            )
    nps = nodes / seconds if seconds else 0.0
    if as_json:
        totals = {
            "wrong": differ,
            "unread": errors,
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "nps": round(nps),
        }
        click.echo(json.dumps({"game": game.spec, "positions": documents} | totals))
    else:
        positions = plural(len(documents), "position")
        click.echo(f"{positions}, {differ} wrong: {nodes:,} nodes in {seconds:.1f} s, {nps:,.0f} a second")
    for line in errors:
        echo_error(line)
    return BadInput.status if errors else Mismatch.status if differ else 0
