"""Endgame tables: the cost to build them compared with another solver, and the nodes they save a search.

`python -m benchmarks tables` builds chess of up to three men and two endings of four, and checkers of up to
four pieces, in a folder of its own; `tables:chess=KQvKR+KRvKB,checkers=3` builds others.
"""

import random
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks import timing
from benchmarks.progress import progress
from gameplay import Limit, registry
from gameplay.knowledge.tables import building
from gameplay.knowledge.tables import tables as knowledge
from gameplay.knowledge.tables.table_file import WON
from gameplay.runs import tables as work
from gameplay.search.session import Session
from gameplay.value import is_win

ANSWERS = Path(__file__).parents[1] / "tests" / "answers" / "tables.toml"
# CPU seconds of a plain solver in C++, without symmetry, measured once on a machine like this one.
PLAIN = {
    "chess, three men": "about 0.1 an ending",
    "chess, four men without pawns": "3 to 19 an ending",
    "checkers, four pieces": "38",
}
SMALLEST = ({"chess": "KQvK", "checkers": "2"},)
SAMPLE, SEED = 30, 13  # positions of checkers with the most pieces, won in so many plies
PLIES = range(9, 30, 2)
DEEPEST = 12
LIMIT = 300_000  # nodes of a search


def _build(game: Any, folder: Path, names: list[str], pieces: int) -> list[Any]:
    """What building some endings cost, in the order in which they were built."""
    kernel = game.new()
    most = max([pieces, *(len(name) - 1 for name in names)])
    known = building.groups(kernel, most)
    wanted = {group.name for group in known if group.pieces <= pieces}
    wanted |= {group.name for group in building.select_groups(kernel, known, names)}
    jobs = [
        work.TableJob(game.spec, game.name, str(folder), group) for group in known if group.name in wanted
    ]
    progress.say(f"building {len(jobs)} endings of {game.name}")
    return list(work.build_all(jobs, 1, 1 << 32))


def _counts(game: Any, folder: Path, names: list[str]) -> dict[str, str]:
    """By ending, whether others counted as much won, drawn and lost; empty where nobody did."""
    published = tomllib.loads(ANSWERS.read_text())[game.name]
    kernel = game.new()
    groups = {group.name: group for group in building.groups(kernel, max(len(name) - 1 for name in names))}
    told = dict.fromkeys(names, "")
    for name in names:
        if name in published and isinstance(published[name][0], list):
            rows = list(building.count_results(groups[name], kernel, folder))
            found = [[row["won"], row["drawn"], row["lost"]] for row in (rows[0], rows[-1])]
            first, second, *longest = published[name]
            right = found == [first, second] and (not longest or rows[0]["plies"] == longest[0][0])
            told[name] = "same" if right else "DIFFER"
    return told


def _costs(title: str, found: list[Any], counts: dict[str, str]) -> Table:
    table = Table(title=title)
    for heading in ("ending", "positions", "plies", "CPU s", "positions/s", "bytes/position", "counts"):
        table.add_column(heading, justify="right")
    for one in found:
        speed = one.positions / max(one.seconds, 1e-3)
        row = (one.name, f"{one.positions:,}", str(one.plies), f"{one.seconds:.2f}", f"{speed:,.0f}")
        table.add_row(*row, f"{one.bytes / one.positions:.2f}", counts.get(one.name, ""))
    seconds, positions = sum(one.seconds for one in found), sum(one.positions for one in found)
    row = ("together", f"{positions:,}", str(max(one.plies for one in found)), f"{seconds:.2f}")
    each = sum(one.bytes for one in found) / positions
    table.add_row(*row, f"{positions / seconds:,.0f}", f"{each:.2f}", style="bold")
    return table


def _sample(game: Any, known: Any, pieces: int) -> list[tuple[str, int]]:
    """Random positions of so many pieces that are won, and in how many plies."""
    kernel = game.new()
    slices = [one for group in kernel.slices(pieces) for one in group]
    rng = random.Random(SEED)
    found: list[tuple[str, int]] = []
    while len(found) < SAMPLE:
        slice = rng.choice(slices)
        if kernel.place(slice, rng.randrange(kernel.span(slice))):
            result, plies = known.lookup(kernel)
            if result == WON and plies in PLIES and kernel.moves():
                found.append((kernel.text(), plies))
    return found


def _nodes(game: Any, text: str, sources: list[Any]) -> tuple[int, int]:
    """Nodes of searches one ply deeper each until one sees a win, and its depth; 0 where none does."""
    total = 0
    for depth in range(1, DEEPEST + 1):
        session = Session(registry.engine("iterative")[0])
        session.knowledge = tuple(sources)
        report = session.search(game.new(text), Limit(depth=depth, nodes=LIMIT))
        total += report.nodes
        if is_win(report.value):
            return total, depth
    return total, 0


def _savings(game: Any, folder: Path, pieces: int) -> Table:
    """What tables of one piece less save in positions of so many."""
    title = f"{game.name}: {SAMPLE} won positions of {pieces} pieces, searched to depth {DEEPEST} at most"
    table = Table(title=title)
    for heading in ("tables", "wins seen", "nodes"):
        table.add_column(heading, justify="right")
    known = knowledge.Tables(str(folder), game)
    progress.say(f"searching {SAMPLE} positions of {pieces} pieces")
    sample = _sample(game, known, pieces)
    fewer = knowledge.Tables(str(folder), game)
    for group in game.new().slices(pieces):
        for slice in group:
            del fewer.folder.by_slice[slice]
    fewer.max_pieces = pieces - 1
    for name, sources in (("none", []), (f"up to {pieces - 1} pieces", [fewer])):
        found = [_nodes(game, text, sources) for text, _ in sample]
        seen, nodes = sum(depth > 0 for _, depth in found), sum(nodes for nodes, _ in found)
        table.add_row(name, f"{seen} of {SAMPLE}", f"{nodes:,}")
    return table


def tables(chess: str = "KQvKR+KBNvK", checkers: str = "4") -> Iterator[Table]:
    """What was built, and what a search saves."""
    timing.pin()
    games = registry.game("chess"), registry.game("checkers")
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder) / game.name for game in games]
        built = _build(games[0], places[0], chess.split("+"), 3)
        counts = _counts(games[0], places[0], [one.name for one in built])
        yield _costs("chess, built; counts compared with others'", built, counts)
        yield _costs("checkers, built", _build(games[1], places[1], [], int(checkers)), {})
        told = Table(title="a plain solver in C++, without symmetry")
        told.add_column("what")
        told.add_column("CPU s", justify="right")
        for what, seconds in PLAIN.items():
            told.add_row(what, seconds)
        yield told
        yield _savings(games[1], places[1], int(checkers))
