"""Implements `gameplay table`: builds, probes, verifies and counts tables, and prints the results."""

import json
import shlex
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.capabilities import HasBearoff
from gameplay.cli.common.options import cores
from gameplay.cli.common.progress_line import ProgressLine
from gameplay.cli.common.width import echo_err, echo_wrapped
from gameplay.errors import BadInput, Unfinished, Usage, nearest
from gameplay.knowledge import bearoff
from gameplay.knowledge.tables import building, tables
from gameplay.knowledge.tables.building import BuildResult, Endgame, NumberedKernel
from gameplay.knowledge.tables.table_file import DRAWN, WON, TableFile
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition
    from gameplay.registry import Game
    from gameplay.runs.tables import TableProgress

COST_FACTOR = 1.3  # cost of a position with one more piece, relative to this run


def folder_of(game: "Game", folder: Path | None) -> Path:
    """The folder of a game's tables: `folder` if given, else the default."""
    from gameplay.api.solving import tables_folder

    return tables_folder(game, folder)


def _build_command(game: "Game", folder: Path) -> str:
    """The command that builds the tables of a game in a folder."""
    option = [] if folder == folder_of(game, None) else ["--folder", str(folder)]
    return shlex.join(["gameplay", "table", "build", game.spec, *option])


def _require_folder(path: Path, game: "Game") -> None:
    """Raise BadInput unless `path` is a folder."""
    if path.exists() and not path.is_dir():
        raise BadInput(f"{path} is a file; expected the folder of the tables. Try: {path.parent}")
    if not path.is_dir():
        raise BadInput(
            f"there is no folder {path}; expected one with tables. Try: {_build_command(game, path)}"
        )


def numbered_kernel(game: "Game") -> NumberedKernel | None:
    """The game's kernel, if it numbers its positions, else None. Raises Usage for a game without tables."""
    position = game.new()
    tables.check_supported(position)
    return position if tables.is_numbered(position) else None


# -- build ------------------------------------------------------------------------------------------


def build(
    game: "Game",
    endings: Sequence[str],
    pieces: int | None,
    position: str | None,
    folder: Path | None,
    jobs: int | None,
    cluster: str | None,
    memory: int,
    as_json: bool,
) -> int:
    """Build the missing tables and print a line for each."""
    from gameplay.runs import tables as work

    path = folder_of(game, folder)
    if bearoff.is_supported(game.new()):
        return _build_bearoff(game, endings, pieces, position, path, as_json)
    kernel = numbered_kernel(game)
    if kernel is None and cluster is not None:
        raise Usage(
            f"{game.name} has one table, which one process builds, and --cluster was given. Try: leave it out"
        )
    if kernel is None:
        return _build_reachable(game, endings, pieces, position, path, memory, as_json)
    if position is not None:
        raise Usage(
            f"{game.name} has tables by ending, and --position was given; "
            "expected endings or --pieces. Try: --pieces 3"
        )
    if not endings and pieces is None:
        raise Usage(
            f"no ending of {game.name} is named; expected endings, or --pieces for all up to that "
            "many. Try: --pieces 3"
        )
    selected = select_groups(kernel, endings, pieces)
    name = tables.table_name(game)
    missing = work.missing(selected, name, path, lambda error: echo_err(f"{error}; it is built again"))
    tasks = [work.TableJob(game.spec, name, str(path), group) for group in missing]
    if not as_json:
        present = f", {len(selected) - len(missing)} of them exist" if len(missing) < len(selected) else ""
        echo_wrapped(f"{game.name}: {plural(len(selected), 'ending')}{present}, in {path}")
    start_time = time.monotonic()
    results: list[BuildResult] = []
    with _resume_hint(as_json), ProgressLine() as progress_line:
        processes = min(jobs or cores(), max(1, len(tasks)))
        for result in work.build_all(
            tasks, processes, memory << 20, _progress_callback(progress_line), cluster
        ):
            results.append(result)
            progress_line.end()
            if not as_json:
                if len(results) == 1:
                    click.echo(_heading())
                click.echo(_row(result))
    if as_json:
        click.echo(json.dumps([asdict(result) for result in results], indent=2))
        return 0
    if results:
        _print_totals(results, time.monotonic() - start_time)
        _print_estimate(kernel, selected, results)
    echo_wrapped(f"Play with them: selective:tables={path}")
    return 0


@contextmanager
def _resume_hint(as_json: bool) -> Iterator[None]:
    """Prints after Ctrl-C that the build can continue."""
    try:
        yield
    except KeyboardInterrupt:
        if not as_json:
            echo_wrapped("finished tables are kept; the same command continues")
        raise


MIN_WIDTH = 60  # columns; narrower rows omit the rates


def _is_wide() -> bool:
    from shutil import get_terminal_size

    return get_terminal_size().columns >= MIN_WIDTH


def _heading() -> str:
    rates = f" {'pos/s':>9} {'B/pos':>6}" if _is_wide() else ""
    return f"{'ending':<10} {'positions':>12} {'plies':>5} {'CPU s':>8}{rates}"


def _row(result: BuildResult) -> str:
    speed = result.positions / max(result.seconds, 1e-3)
    rates = f" {speed:>9,.0f} {result.bytes / max(1, result.positions):>6.2f}" if _is_wide() else ""
    return f"{result.name:<10} {result.positions:>12,} {result.plies:>5} {result.seconds:>8.2f}{rates}"


def _print_totals(results: list[BuildResult], seconds: float) -> None:
    total = BuildResult(
        "together",
        sum(result.numbers for result in results),
        sum(result.positions for result in results),
        max(result.plies for result in results),
        sum(result.bytes for result in results),
        sum(result.seconds for result in results),
    )
    click.echo(_row(total))
    click.echo(f"{seconds:.1f} s, {_format_size(total.bytes)}")


def _print_estimate(kernel: NumberedKernel, selected: list[Endgame], results: list[BuildResult]) -> None:
    """Print the estimated cost of all endings with one more piece."""
    max_pieces = max(group.pieces for group in selected)
    groups = [group for group in building.groups(kernel, max_pieces + 1) if group.pieces == max_pieces + 1]
    numbers = sum(kernel.span(slice) for group in groups for slice in group.slices)
    rate = sum(result.numbers for result in results) / max(1e-3, sum(result.seconds for result in results))
    bytes_per_number = sum(result.bytes for result in results) / max(
        1, sum(result.numbers for result in results)
    )
    memory = max(building.memory_needed(kernel, group) for group in groups)
    time_needed = _format_duration(COST_FACTOR * numbers / rate)
    echo_wrapped(
        f"At this rate all {len(groups)} endings of {max_pieces + 1} pieces take about {time_needed} of a "
        f"core, {_format_size(bytes_per_number * numbers)} of disk, and up to {_format_size(memory)} of "
        "memory for one."
    )


def _format_size(count: float) -> str:
    """Format a number of bytes in KB, MB or GB."""
    for unit, size in (("GB", 2**30), ("MB", 2**20)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count / 1024:,.1f} KB"


def _format_duration(seconds: float) -> str:
    """Format a duration in days, hours or minutes."""
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return "two minutes" if seconds > 60 else "a minute"


def select_groups(kernel: NumberedKernel, endings: Sequence[str], pieces: int | None) -> list[Endgame]:
    """The groups that the arguments select, and all groups they lead to."""
    max_pieces = pieces or 2
    for name in endings:  # the letters of a name are its pieces
        max_pieces = max(max_pieces, len(name.replace("v", "").replace("V", "")))
    if max_pieces > 16:
        raise Usage(
            f"'{max(endings, key=len)}' has more than 16 pieces; expected 2 to 16. Try: a smaller ending"
        )
    groups = building.groups(kernel, max_pieces)
    for group in groups:
        too_large = [kernel.slice_name(slice) for slice in group.slices if kernel.span(slice) >= 1 << 31]
        if too_large and not endings:
            raise Usage(f"{too_large[0]} has more than 2,147,483,647 numbers, the maximum of a table")
    selected = building.select_groups(kernel, groups, list(endings)) if endings else []
    if pieces is not None:
        names = {group.name for group in selected}
        selected = [group for group in groups if group.pieces <= pieces or group.name in names]
    for group in selected:
        if any(kernel.span(slice) >= 1 << 31 for slice in group.slices):
            raise Usage(f"{group.name} has more than 2,147,483,647 numbers, the maximum of a table")
    return selected


def _progress_callback(progress_line: ProgressLine) -> "TableProgress | None":
    """A callback that shows the progress of the named table; None if there is no terminal."""

    def progress(name: str, activity: str, done: int, total: int) -> None:
        progress_line(f"{name}: {activity} {done:,} of {total:,}")

    return progress if progress_line.shown else None


def _table_progress(progress_line: ProgressLine, name: str) -> building.Progress | None:
    """The progress callback of one table."""
    progress = _progress_callback(progress_line)
    return partial(progress, name) if progress is not None else None


# -- probe ------------------------------------------------------------------------------------------


def probe(game: "Game", text: str | None, folder: Path | None, as_json: bool) -> int:
    """Print the tables' entry for a position."""
    path = folder_of(game, folder)
    if bearoff.is_supported(game.new()):
        return _probe_bearoff(bearoff.Bearoff(str(path), game), game.new(text), as_json)
    numbered_kernel(game)
    _require_folder(path, game)
    source = tables.Tables(str(path), game)
    position = game.new(text)
    result = source.lookup(position)
    if result is None and position.outcome() is None:
        raise Unfinished(f"no table in {path} has this position. Try: {_build_command(game, path)}")
    from gameplay.position import side_names

    sides = side_names(position)
    rows = [] if position.outcome() is not None else tables.rank_moves(source, position)
    document: dict[str, Any] = {
        "value": _result_text(*result) if result else "over",
        "turn": sides[position.turn],
        "moves": {position.format(move): _value_text(value) for move, value in rows},
        "line": best_line(source, position),
    }
    if as_json:
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return 0
    click.echo(f"{document['turn']} to move: {document['value']}")
    width = max((len(word) for word in document["moves"]), default=0)
    for word, value in document["moves"].items():
        click.echo(f"  {word:<{width}}  {value}")
    if document["line"]:
        echo_wrapped(f"line: {_format_line(document['line'])}")
    return 0


def _result_text(result: int, plies: int) -> str:
    """A result as text, for the mover."""
    if result == DRAWN:
        return "draw"
    return f"{'win' if result == WON else 'loss'} in {plural(plies, 'ply', 'plies')}"


def _value_text(value: tuple[int, int]) -> str:
    """The value of a move for the player who makes it, with the distance counted from before the move."""
    score, plies = value
    if score == 1:
        return "draw"
    return _result_text(WON if score == 2 else WON + 1, abs(plies) + 1)


def best_line(source: tables.Tables, position: "AbstractPosition", max_plies: int = 600) -> list[str]:
    """The best line from a position, in notation; empty for a draw. Leaves the position unchanged."""
    moves: list[str] = []
    while len(moves) < max_plies and (source.lookup(position) or (DRAWN,))[0] != DRAWN:
        rows = tables.rank_moves(source, position)
        if not rows:
            break
        moves.append(position.format(rows[0][0]))
        position.make(rows[0][0])
    for _ in moves:
        position.unmake()
    return moves


def _format_line(moves: list[str]) -> str:
    text = " ".join(moves[:12])
    return text + (f" ... ({len(moves)} plies)" if len(moves) > 12 else "")


# -- verify and stats -------------------------------------------------------------------------------


def _files(
    game: "Game", endings: Sequence[str], folder: Path | None
) -> tuple[Path, NumberedKernel | None, list[Endgame]]:
    """The folder, kernel and groups to process; no kernel for a game with one file of all positions."""
    kernel = numbered_kernel(game)
    path = folder_of(game, folder)
    _require_folder(path, game)
    if kernel is None:
        return path, None, []
    table_folder = building.TableFolder(path, tables.table_name(game), kernel)
    if not table_folder.files:
        raise BadInput(f"{path} holds no tables for {game.name}. Try: {_build_command(game, path)}")
    groups = building.groups(kernel, max(file.subject.pieces for file in table_folder.files))
    present_slices = {slice for file in table_folder.files for _, slice, _ in file.subject.slices}
    present = [group for group in groups if group.slices[0] in present_slices]
    if endings:
        names = {str(kernel.slice_name(slice)).lower(): group for group in present for slice in group.slices}
        for name in endings:
            if name.lower() not in names:
                raise Usage(
                    f"there is no table {name} in {path}{nearest(name, [group.name for group in present])}"
                )
        names_wanted = [names[name.lower()].name for name in endings]
        present = [group for group in present if group.name in names_wanted]
    return path, kernel, present


COMPARED_POSITIONS = 10_000  # positions per ending and side compared with other tables


def verify(
    game: "Game",
    endings: Sequence[str],
    folder: Path | None,
    syzygy: Path | None,
    compare_all: bool,
    as_json: bool,
) -> int:
    """Verify tables, and print a line for each."""
    if syzygy is not None:
        return _compare(game, endings, folder, syzygy, None if compare_all else COMPARED_POSITIONS, as_json)
    if compare_all:
        raise Usage(
            "--all compares every position with --syzygy, which is missing; without it all values "
            "are verified. Try: leave --all out"
        )
    if bearoff.is_supported(game.new()):
        return _verify_bearoff(game, endings, folder_of(game, folder), as_json)
    path, kernel, groups = _files(game, endings, folder)
    verdicts: dict[str, str] = {}
    with ProgressLine() as progress_line:
        checks = (
            (
                (
                    group.name,
                    building.verify(group, kernel, path, _table_progress(progress_line, group.name)),
                )
                for group in groups
            )
            if kernel is not None and groups
            else _verify_reachable(game, path, _table_progress(progress_line, game.name))
        )
        for name, mismatch in checks:
            verdicts[name] = mismatch
            progress_line.end()
            if not as_json:
                echo_wrapped(f"{name:<10} {'ok' if not mismatch else 'WRONG at ' + mismatch}")
    if as_json:
        click.echo(json.dumps({name: mismatch or "right" for name, mismatch in verdicts.items()}, indent=2))
    return 3 if any(verdicts.values()) else 0


def _compare(
    game: "Game",
    endings: Sequence[str],
    folder: Path | None,
    syzygy: Path,
    sample_size: int | None,
    as_json: bool,
) -> int:
    """Compare tables with Syzygy's, in `sample_size` positions per ending and side (None: all)."""
    from gameplay.knowledge.syzygy import Syzygy
    from gameplay.registry import open_knowledge

    reference = open_knowledge("syzygy", str(syzygy), game)
    assert isinstance(reference, Syzygy)
    path, kernel, groups = _files(game, endings, folder)
    verdicts: dict[str, str] = {}
    compared = 0
    with ProgressLine() as progress_line:
        for group in groups:
            assert kernel is not None
            progress = _table_progress(progress_line, group.name)
            count, mismatch = building.compare(group, kernel, path, reference.result, sample_size, progress)
            compared += count
            success = f"right in {count:,} positions" if count else "not compared: Syzygy has no table for it"
            verdicts[group.name] = f"WRONG at {mismatch}" if mismatch else success
            progress_line.end()
            if not as_json:
                echo_wrapped(f"{group.name:<10} {verdicts[group.name]}")
    if as_json:
        click.echo(json.dumps(verdicts, indent=2))
    if any(words.startswith("WRONG") for words in verdicts.values()):
        return 3
    return 0 if compared else 4


def stats(game: "Game", endings: Sequence[str], folder: Path | None, as_json: bool) -> int:
    """Count tables, and print a line for each."""
    if bearoff.is_supported(game.new()):
        raise Usage("bear-off tables hold probabilities and no results to count. Try: gameplay table probe")
    path, kernel, groups = _files(game, endings, folder)
    source = tables.Tables(str(path), game)
    rows: list[dict[str, Any]] = []
    counts: list[Iterable[dict[str, Any]]] = []
    if kernel is not None:
        counts += [building.count_results(group, kernel, path) for group in groups]
    for counts_of_group in counts or [_count_reachable(game, path)]:
        for row in counts_of_group:
            if row["position"]:
                row["line"] = best_line(source, game.new(row["position"]))
            rows.append(row)
            if not as_json:
                _print_counts(row)
    if as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    return 0


def _print_counts(row: dict[str, Any]) -> None:
    """Print the counts of an ending with one side to move."""
    echo_wrapped(f"{row['name']}: {row['won']:,} won, {row['drawn']:,} drawn, {row['lost']:,} lost")
    if row["position"]:
        count = f" in {plural(row['longest'], 'position')}" if "longest" in row else ""
        echo_wrapped(f"  longest win: {plural(row['plies'], 'ply', 'plies')}{count}: {row['position']}")
        echo_wrapped(f"  {_format_line(row['line'])}")


# -- games without endings ----------------------------------------------------------------------------


def _build_reachable(
    game: "Game",
    endings: Sequence[str],
    pieces: int | None,
    text: str | None,
    path: Path,
    memory: int,
    as_json: bool,
) -> int:
    """Build the table of all reachable positions of a game."""
    if endings or pieces is not None:
        raise Usage(
            f"{game.name} has one table of all reachable positions, and endings or --pieces "
            "were given. Try: leave them out"
        )
    name = tables.table_name(game)
    if not as_json:
        echo_wrapped(f"{name}: all reachable positions, in {path}")
    with ProgressLine() as progress_line:
        result = building.build_reachable(
            game.new(text), name, text, path, memory << 20, _table_progress(progress_line, game.name)
        )
    if as_json:
        click.echo(json.dumps([asdict(result)], indent=2))
        return 0
    click.echo(_heading())
    click.echo(_row(result))
    echo_wrapped(f"Play with it: selective:tables={path}")
    return 0


def _reachable_files(game: "Game", path: Path) -> list[TableFile]:
    """The files with all positions of a game."""
    table_folder = building.TableFolder(path, tables.table_name(game))
    if not table_folder.files:
        raise BadInput(
            f"{path} holds no tables for {tables.table_name(game)}. Try: {_build_command(game, path)}"
        )
    return table_folder.files


def _verify_reachable(
    game: "Game", path: Path, progress: building.Progress | None
) -> Iterable[tuple[str, str]]:
    """Verify these files: yields each name with its first error, or ""."""
    for file in _reachable_files(game, path):
        start = file.subject.facts.get("begun")
        yield file.path.stem, building.verify_reachable(game.new(start), file, 1 << 40, progress)


def _count_reachable(game: "Game", path: Path) -> Iterable[dict[str, Any]]:
    """The counts of a game's reachable positions, by side to move."""
    from gameplay.position import side

    position = game.new()
    for file in _reachable_files(game, path):
        facts = file.subject.facts
        for player, (drawn, won, lost) in enumerate(facts["totals"]):
            row = {"name": f"{side(position, player)} to move", "won": won, "drawn": drawn, "lost": lost}
            text, plies = facts.get("longest") or ("", 0)
            is_own_win = bool(text) and game.new(text).turn == player
            yield row | {"position": text if is_own_win else "", "plies": plies if is_own_win else 0}


# -- bearing off ----------------------------------------------------------------------------------------


def _build_bearoff(
    game: "Game",
    endings: Sequence[str],
    checkers: int | None,
    text: str | None,
    path: Path,
    as_json: bool,
) -> int:
    """Build both bear-off tables."""
    if endings or text is not None:
        raise Usage(
            "backgammon has a one-sided and a two-sided table; "
            "expected only --pieces, the checkers a side. Try: --pieces 6"
        )
    if checkers is not None and checkers > 9:
        raise Usage(
            f"--pieces is {checkers}; expected 2 to 9 checkers a side, since with ten a gammon can be "
            "lost. Try: --pieces 6"
        )
    if not as_json:
        echo_wrapped(f"{game.name}: bearing off, in {path}")
    results = []
    for result in bearoff.build(path, checkers or 6):
        results.append(result)
        if not as_json:
            speed = result.positions / max(result.seconds, 1e-3)
            rate = f" {speed:>9,.0f} pos/s {_format_size(result.bytes):>8}" if _is_wide() else ""
            click.echo(f"{result.name:<16} {result.positions:>9,} {result.seconds:>6.2f} CPU s{rate}")
    if as_json:
        click.echo(json.dumps([asdict(result) for result in results], indent=2))
        return 0
    echo_wrapped(f"Play with them: expectiminimax:bearoff={path}")
    return 0


def _probe_bearoff(tables: bearoff.Bearoff, position: "AbstractPosition", as_json: bool) -> int:
    """Print the bear-off tables' entry for a position of backgammon."""
    from gameplay.position import CHANCE, side

    assert isinstance(position, HasBearoff)
    mover = position.on_roll
    checkers, opponent_checkers = (bearoff.home_checkers(position, player) for player in (mover, 1 - mover))
    if checkers is None or opponent_checkers is None:
        raise Unfinished(
            "no table has this position: not all checkers are on the last six points or off. Try: "
            "gameplay analyse backgammon --seed 1"
        )
    names = [side(position, player) for player in (mover, 1 - mover)]
    rolls = [tables.roll_distribution(side_checkers) for side_checkers in (checkers, opponent_checkers)]
    document: dict[str, Any] = {
        "turn": names[0],
        "throws": dict(zip(names, [mean_rolls for mean_rolls, _ in rolls], strict=True)),
    }
    document["shares"] = {
        name: {number: share for number, share in enumerate(shares) if share}
        for name, (_, shares) in zip(names, rolls, strict=True)
    }
    if position.turn == CHANCE:
        document["wins"] = tables.win_probability(checkers, opponent_checkers)
    chances = tables.move_win_probabilities(position)
    ordered = sorted(chances, key=lambda move: -chances[move])
    document["moves"] = {position.format(move): chances[move] for move in ordered}
    if as_json:
        click.echo(json.dumps(document, indent=2))
        return 0
    if document.get("wins") is not None:
        click.echo(f"{names[0]} to roll: wins {document['wins']:.4%}")
    for word, chance in document["moves"].items():
        click.echo(f"  {word}  wins {chance:.4%}")
    for name, (mean_rolls, _) in zip(names, rolls, strict=True):
        shares = ", ".join(
            f"{number} {share:.1%}" for number, share in document["shares"][name].items() if share > 5e-4
        )
        echo_wrapped(f"{name} needs {mean_rolls:.4f} rolls: {shares}")
    return 0


BEAROFF_SAMPLE = 300  # bear-off positions to verify


def _verify_bearoff(game: "Game", endings: Sequence[str], path: Path, as_json: bool) -> int:
    """Verify a random sample of positions."""
    if endings:
        raise Usage(
            "backgammon has two tables, which are verified together, and names were given. Try: "
            "leave them out"
        )
    mismatch = bearoff.find_mismatch(bearoff.Bearoff(str(path), game), game, BEAROFF_SAMPLE)
    if as_json:
        click.echo(json.dumps({"bearoff": mismatch or "right"}))
    else:
        click.echo(
            f"bearoff    {'WRONG at ' + mismatch if mismatch else f'ok ({BEAROFF_SAMPLE} random positions)'}"
        )
    return 3 if mismatch else 0
