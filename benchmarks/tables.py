"""Endgame tables: the cost of building them compared with another solver, and the nodes they save a search.

`python -m benchmarks tables` builds the chess endings of up to three pieces and two of four, and those of
checkers with up to four pieces, in a temporary folder; `tables:chess=KQvKR+KRvKB,checkers=3` builds others.
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
from gameplay.runs import tables as table_runs
from gameplay.search.session import Session
from gameplay.value import is_win

ANSWERS = Path(__file__).parents[1] / "tests" / "answers" / "tables.toml"
# CPU seconds of a plain solver in C++ without symmetry reduction, measured once on a similar machine.
CPP_SOLVER = {
    "chess, three pieces": "about 0.1 an ending",
    "chess, four pieces, no pawns": "3 to 19 an ending",
    "checkers, four pieces": "38",
}
SMALLEST = ({"chess": "KQvK", "checkers": "2"},)
SAMPLES, SEED = 30, 13  # random checkers positions that are searched
PLIES = range(9, 30, 2)  # distances to the win of these positions
MAX_DEPTH = 12
MAX_NODES = 300_000  # of a search


def _build(game: Any, folder: Path, names: list[str], pieces: int) -> list[Any]:
    """Build all endings of up to `pieces` pieces, those in `names`, and the endings they lead to.

    Returns the cost of each, in the order in which they were built.
    """
    kernel = game.new()
    max_pieces = max([pieces, *(len(name) - 1 for name in names)])
    groups = building.groups(kernel, max_pieces)
    selected = {group.name for group in groups if group.pieces <= pieces}
    selected |= {group.name for group in building.select_groups(kernel, groups, names)}
    jobs = [
        table_runs.TableJob(game.spec, game.name, str(folder), group)
        for group in groups
        if group.name in selected
    ]
    progress.show(f"building {len(jobs)} endings of {game.name}")
    return list(table_runs.build_all(jobs, 1, 1 << 32))


def _compare_counts(game: Any, folder: Path, names: list[str]) -> dict[str, str]:
    """Compare the numbers of wins, draws and losses with published ones: same, DIFFER, "" if unpublished."""
    published = tomllib.loads(ANSWERS.read_text())[game.name]
    kernel = game.new()
    groups = {group.name: group for group in building.groups(kernel, max(len(name) - 1 for name in names))}
    verdicts = dict.fromkeys(names, "")
    for name in names:
        if name in published and isinstance(published[name][0], list):
            rows = list(building.count_results(groups[name], kernel, folder))
            counts = [[row["won"], row["drawn"], row["lost"]] for row in (rows[0], rows[-1])]
            first, second, *longest = published[name]
            is_same = counts == [first, second] and (not longest or rows[0]["plies"] == longest[0][0])
            verdicts[name] = "same" if is_same else "DIFFER"
    return verdicts


def _cost_table(title: str, endings: list[Any], counts: dict[str, str]) -> Table:
    table = Table(title=title)
    for heading in ("ending", "positions", "plies", "CPU s", "positions/s", "bytes/position", "counts"):
        table.add_column(heading, justify="left" if heading in ("ending", "counts") else "right")
    for ending in endings:
        table.add_row(
            ending.name,
            f"{ending.positions:,}",
            str(ending.plies),
            f"{ending.seconds:.2f}",
            f"{ending.positions / max(ending.seconds, 1e-3):,.0f}",
            f"{ending.bytes / ending.positions:.2f}",
            counts.get(ending.name, ""),
        )
    seconds, positions = sum(ending.seconds for ending in endings), sum(e.positions for e in endings)
    table.add_row(
        "total",
        f"{positions:,}",
        str(max(ending.plies for ending in endings)),
        f"{seconds:.2f}",
        f"{positions / max(seconds, 1e-3):,.0f}",
        f"{sum(ending.bytes for ending in endings) / positions:.2f}",
        style="bold",
    )
    return table


def _won_positions(game: Any, endgame_tables: Any, pieces: int) -> list[str]:
    """Random positions of `pieces` pieces that are won in one of PLIES."""
    kernel = game.new()
    slices = [slice for group in kernel.slices(pieces) for slice in group]
    rng = random.Random(SEED)
    positions: list[str] = []
    while len(positions) < SAMPLES:
        slice = rng.choice(slices)
        if kernel.set_index(slice, rng.randrange(kernel.span(slice))):
            result, plies = endgame_tables.lookup(kernel)
            if result == WON and plies in PLIES and kernel.moves():
                positions.append(kernel.text())
    return positions


def _search(game: Any, text: str, sources: list[Any]) -> tuple[int, bool]:
    """Total nodes of searches with increasing depth until one finds a win, and whether one does."""
    total = 0
    for depth in range(1, MAX_DEPTH + 1):
        session = Session(registry.engine("iterative")[0])
        session.knowledge = tuple(sources)
        report = session.search(game.new(text), Limit(depth=depth, nodes=MAX_NODES))
        total += report.nodes
        if is_win(report.value):
            return total, True
    return total, False


def _savings_table(game: Any, folder: Path, pieces: int) -> Table:
    """Searches of positions of `pieces` pieces, without tables and with those of one piece less."""
    table = Table(
        title=f"{game.name}: searches of {SAMPLES} won positions, {pieces} pieces, depth <= {MAX_DEPTH}"
    )
    for heading in ("tables", "wins found", "nodes"):
        table.add_column(heading, justify="left" if heading == "tables" else "right")
    progress.show(f"searching {SAMPLES} positions of {pieces} pieces")
    positions = _won_positions(game, knowledge.Tables(str(folder), game), pieces)
    smaller = knowledge.Tables(str(folder), game)
    for group in game.new().slices(pieces):
        for slice in group:
            del smaller.folder.by_slice[slice]
    smaller.max_pieces = pieces - 1
    for name, sources in (("none", []), (f"up to {pieces - 1} pieces", [smaller])):
        results = [_search(game, text, sources) for text in positions]
        wins, nodes = sum(value for _, value in results), sum(nodes for nodes, _ in results)
        table.add_row(name, f"{wins} of {SAMPLES}", f"{nodes:,}")
    return table


def tables(chess: str = "KQvKR+KBNvK", checkers: str = "4") -> Iterator[Table]:
    """Costs and savings. chess: endings built besides those of three pieces; checkers: number of pieces."""
    timing.pin()
    chess_game, checkers_game = registry.game("chess"), registry.game("checkers")
    with tempfile.TemporaryDirectory() as temporary:
        chess_folder, checkers_folder = Path(temporary) / "chess", Path(temporary) / "checkers"
        endings = _build(chess_game, chess_folder, chess.split("+"), 3)
        counts = _compare_counts(chess_game, chess_folder, [ending.name for ending in endings])
        yield _cost_table(
            "Chess: cost of endgame tables, counts compared with published ones", endings, counts
        )
        endings = _build(checkers_game, checkers_folder, [], int(checkers))
        yield _cost_table("Checkers: cost of endgame tables", endings, {})
        comparison = Table(title="For comparison: a plain solver in C++ without symmetry reduction")
        comparison.add_column("endings")
        comparison.add_column("CPU s", justify="right")
        for name, cpu_seconds in CPP_SOLVER.items():
            comparison.add_row(name, cpu_seconds)
        yield comparison
        yield _savings_table(checkers_game, checkers_folder, int(checkers))
