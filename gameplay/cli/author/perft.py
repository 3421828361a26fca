"""`gameplay perft`: counts legal lines of play and compares them with published counts.

`--json` prints one document:

    game, position
    depths     [{depth, nodes, seconds, nps, published}, ...]; published: null where no count is known
    source     who published the counts; or null
    moves      {move: nodes, ...}; with --divide, of the last depth

with --check:

    positions  [{file, line, position, nodes, seconds, wrong: {depth: {found, expected}}}, ...]
    wrong      how many positions differ
    unread     the errors of the lines that cannot be read; the status is then 6
    nodes, seconds, nps
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import FILE, Integer, game_argument, json_option, position_option
from gameplay.cli.common.width import echo_error

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
@click.option("--check", "files", multiple=True, type=FILE, help="Compare with the known counts in FILE.")
@json_option()
def command(
    game: str, depth: int | None, position: str, divide: bool, files: tuple[Path, ...], as_json: bool
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
    if not files:
        return _count(chosen_game, position, depth, divide, as_json)
    if position or divide:
        raise Usage("--check has its own positions. Try: leave --position and --divide out")
    from gameplay.suites.perft import read

    suite: list[Known] = []
    wrong: list[str] = []
    for file in files:
        positions, others = read(file)
        suite += positions
        wrong += others
    return _check(chosen_game, suite, wrong, depth, as_json)


def _count(game: "Game", text: str, depth: int | None, divide: bool, as_json: bool) -> int:
    import json

    from gameplay.errors import Mismatch
    from gameplay.suites import perft

    position = game.new(text)
    published = perft.published(game, position)
    depths, wrong = [], 0
    if not as_json:
        click.echo(f"{'depth':>5}{'nodes':>18}{'published':>21}{'seconds':>11}{'nodes a second':>18}")
    for plies in range(1, (depth or 99) + 1):
        one = perft.count(position, plies)
        due = published.at(plies)
        depths.append(one.as_dict() | {"published": due})
        differs = due is not None and due != one.nodes
        wrong += differs
        if not as_json:
            beside = "no published count" if due is None else f"{due:,}"
            mark = "  differs" if differs else ""
            click.echo(f"{plies:>5}{one.nodes:>18,}{beside:>21}{one.seconds:>11.3f}{one.nps:>18,.0f}{mark}")
        if depth is None and (one.seconds >= SECONDS or not one.nodes):
            break
    if published.source and not as_json:
        click.echo(f"published: {published.source}")
    moves = {}
    if divide:
        for word, below in perft.divide(position, depths[-1]["depth"]):
            moves[word] = below.nodes
            if not as_json:
                click.echo(f"{word:<8} {below.nodes:,}")
    if as_json:
        document = {"game": game.spec, "position": text, "depths": depths, "source": published.source or None}
        click.echo(json.dumps(document | ({"moves": moves} if divide else {})))
    return Mismatch.status if wrong else 0


def _check(game: "Game", suite: "list[Known]", wrong: list[str], most: int | None, as_json: bool) -> int:
    """Count and compare. `wrong`: errors of unreadable lines; they are reported with any further errors."""
    import json

    from gameplay.errors import BadInput, Mismatch
    from gameplay.suites import perft

    documents: list[dict[str, Any]] = []
    nodes, seconds, differ = 0, 0.0, 0
    for entry in suite:
        where = f"{entry.file}, line {entry.line}"
        try:
            position = game.new(entry.position)
        except BadInput as error:
            wrong.append(f"{where}: {error}")
            continue
        depths = [plies for plies in sorted(entry.nodes) if most is None or plies <= most]
        counts = [perft.count(position, plies) for plies in depths]
        differences = {
            one.depth: {"found": one.nodes, "expected": entry.nodes[one.depth]}
            for one in counts
            if one.nodes != entry.nodes[one.depth]
        }
        differ += bool(differences)
        here = sum(one.nodes for one in counts), sum(one.seconds for one in counts)
        nodes, seconds = nodes + here[0], seconds + here[1]
        documents.append({"file": entry.file, "line": entry.line, "position": entry.position})
        documents[-1] |= {"nodes": here[0], "seconds": round(here[1], 6), "wrong": differences}
        if as_json:
            continue
        if not differences:
            depth = f"to depth {depths[-1]}" if depths else "no count to compare at this depth"
            click.echo(f"ok  line {entry.line}: {depth}, {here[0]:,} nodes in {here[1]:.3f} s")
        for plies, two in differences.items():
            click.echo(
                f"XX  line {entry.line}: depth {plies}: {two['found']:,} nodes, expected "
                f"{two['expected']:,} ({entry.position})"
            )
    nps = nodes / seconds if seconds else 0.0
    if as_json:
        totals = {
            "wrong": differ,
            "unread": wrong,
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "nps": round(nps),
        }
        click.echo(json.dumps({"game": game.spec, "positions": documents} | totals))
    else:
        count = len(documents)
        noun = "position" if count == 1 else "positions"
        click.echo(
            f"{count:,} {noun}, {differ} wrong: {nodes:,} nodes in {seconds:.1f} s, {nps:,.0f} a second"
        )
    for line in wrong:
        echo_error(line)
    return BadInput.status if wrong else Mismatch.status if differ else 0
