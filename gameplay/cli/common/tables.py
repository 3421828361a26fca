"""Implements `gameplay table`: builds, probes, verifies and counts tables, and prints the results."""

import json
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

COST_FACTOR = 1.3  # cost of a position with one piece more, relative to this run


def folder_of(game: "Game", folder: Path | None) -> Path:
    """The folder of a game's tables: `folder` if given, else the default."""
    from gameplay.api.solving import tables_folder

    return tables_folder(game, folder)


def _require_folder(place: Path, game: "Game") -> None:
    """Raise BadInput unless `place` is a folder."""
    if place.exists() and not place.is_dir():
        raise BadInput(f"{place} is a file; expected the folder of the tables. Try: {place.parent}")
    if not place.is_dir():
        raise BadInput(
            f"there is no folder {place}; expected one with tables. Try: gameplay table build {game.name}"
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

    place = folder_of(game, folder)
    if bearoff.is_supported(game.new()):
        return _build_bearoff(game, endings, pieces, position, place, as_json)
    kernel = numbered_kernel(game)
    if kernel is None and cluster is not None:
        raise Usage(
            f"{game.name} has one table, which one process builds, and --cluster was given. Try: leave it out"
        )
    if kernel is None:
        return _build_reachable(game, endings, pieces, position, place, memory, as_json)
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
    wanted = select_groups(kernel, endings, pieces)
    name = tables.table_name(game)
    missing = work.missing(wanted, name, place, lambda error: echo_err(f"{error}; it is built again"))
    tasks = [work.TableJob(game.spec, name, str(place), group) for group in missing]
    if not as_json:
        present = f", {len(wanted) - len(missing)} of them exist" if len(missing) < len(wanted) else ""
        echo_wrapped(f"{game.name}: {plural(len(wanted), 'ending')}{present}, in {place}")
    began = time.monotonic()
    done: list[BuildResult] = []
    with _resume_hint(as_json), ProgressLine() as progress_line:
        processes = min(jobs or cores(), max(1, len(tasks)))
        for one in work.build_all(tasks, processes, memory << 20, _progress_callback(progress_line), cluster):
            done.append(one)
            progress_line.end()
            if not as_json:
                if len(done) == 1:
                    click.echo(_heading())
                click.echo(_row(one))
    if as_json:
        click.echo(json.dumps([asdict(one) for one in done], indent=2))
        return 0
    if done:
        _print_totals(done, time.monotonic() - began)
        _print_estimate(kernel, wanted, done)
    echo_wrapped(f"Play with them: selective:tables={place}")
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


def _wide() -> bool:
    from shutil import get_terminal_size

    return get_terminal_size().columns >= MIN_WIDTH


def _heading() -> str:
    rates = f" {'pos/s':>9} {'B/pos':>6}" if _wide() else ""
    return f"{'ending':<10} {'positions':>12} {'plies':>5} {'CPU s':>8}{rates}"


def _row(one: BuildResult) -> str:
    speed = one.positions / max(one.seconds, 1e-3)
    rates = f" {speed:>9,.0f} {one.bytes / max(1, one.positions):>6.2f}" if _wide() else ""
    return f"{one.name:<10} {one.positions:>12,} {one.plies:>5} {one.seconds:>8.2f}{rates}"


def _print_totals(done: list[BuildResult], seconds: float) -> None:
    whole = BuildResult(
        "together",
        sum(one.numbers for one in done),
        sum(one.positions for one in done),
        max(one.plies for one in done),
        sum(one.bytes for one in done),
        sum(one.seconds for one in done),
    )
    click.echo(_row(whole))
    click.echo(f"{seconds:.1f} s, {_format_size(whole.bytes)}")


def _print_estimate(kernel: NumberedKernel, wanted: list[Endgame], done: list[BuildResult]) -> None:
    """Print the estimated cost of one piece more."""
    most = max(group.pieces for group in wanted)
    groups = [group for group in building.groups(kernel, most + 1) if group.pieces == most + 1]
    numbers = sum(kernel.span(slice) for group in groups for slice in group.slices)
    rate = sum(one.numbers for one in done) / max(1e-3, sum(one.seconds for one in done))
    each = sum(one.bytes for one in done) / max(1, sum(one.numbers for one in done))
    memory = max(building.memory_needed(kernel, group) for group in groups)
    time_needed = _format_duration(COST_FACTOR * numbers / rate)
    echo_wrapped(
        f"At this rate all {len(groups)} endings of {most + 1} pieces take about {time_needed} of a core, "
        f"{_format_size(each * numbers)} of disk, and up to {_format_size(memory)} of memory for one."
    )


def _format_size(count: float) -> str:
    """Bytes in the unit that fits them."""
    for unit, size in (("GB", 2**30), ("MB", 2**20)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count / 1024:,.1f} KB"


def _format_duration(seconds: float) -> str:
    """A time in the unit that fits it."""
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return "two minutes" if seconds > 60 else "a minute"


def select_groups(kernel: NumberedKernel, endings: Sequence[str], pieces: int | None) -> list[Endgame]:
    """The groups that the arguments select, and all groups they lead to."""
    most = pieces or 2
    for name in endings:  # letters of a name are its pieces
        most = max(most, len(name.replace("v", "").replace("V", "")))
    if most > 16:
        raise Usage(
            f"'{max(endings, key=len)}' has more than 16 pieces; expected 2 to 16. Try: a smaller ending"
        )
    groups = building.groups(kernel, most)
    for group in groups:
        too_large = [kernel.called(one) for one in group.slices if kernel.span(one) >= 1 << 31]
        if too_large and not endings:
            raise Usage(f"{too_large[0]} has more than 2,147,483,647 numbers, the most that a table holds")
    wanted = building.select_groups(kernel, groups, list(endings)) if endings else []
    if pieces is not None:
        names = {group.name for group in wanted}
        wanted = [group for group in groups if group.pieces <= pieces or group.name in names]
    for group in wanted:
        if any(kernel.span(one) >= 1 << 31 for one in group.slices):
            raise Usage(f"{group.name} has more than 2,147,483,647 numbers, the most that a table holds")
    return wanted


def _progress_callback(progress_line: ProgressLine) -> "TableProgress | None":
    """A callback that shows the progress of the named table; None if there is no terminal."""

    def progress(name: str, what: str, done: int, total: int) -> None:
        progress_line(f"{name}: {what} {done:,} of {total:,}")

    return progress if progress_line.shown else None


def _table_progress(progress_line: ProgressLine, name: str) -> building.Progress | None:
    """The progress callback of one table."""
    progress = _progress_callback(progress_line)
    return partial(progress, name) if progress is not None else None


# -- probe ------------------------------------------------------------------------------------------


def probe(game: "Game", text: str | None, folder: Path | None, as_json: bool) -> int:
    """Print the tables' entry for a position."""
    place = folder_of(game, folder)
    if bearoff.is_supported(game.new()):
        return _probe_bearoff(bearoff.Bearoff(str(place), game), game.new(text), as_json)
    numbered_kernel(game)
    _require_folder(place, game)
    source = tables.Tables(str(place), game)
    position = game.new(text)
    result = source.lookup(position)
    if result is None and position.outcome() is None:
        raise Unfinished(f"no table in {place} has this position. Try: gameplay table build {game.name}")
    from gameplay.position import side

    sides = [side(position, player) for player in (0, 1)]
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


def best_line(source: tables.Tables, position: "AbstractPosition", most: int = 600) -> list[str]:
    """The best line from a position, in notation; empty for a draw. The position is left unchanged."""
    words: list[str] = []
    made = 0
    while made < most and (source.lookup(position) or (DRAWN,))[0] != DRAWN:
        rows = tables.rank_moves(source, position)
        if not rows:
            break
        words.append(position.format(rows[0][0]))
        position.make(rows[0][0])
        made += 1
    for _ in range(made):
        position.unmake()
    return words


def _format_line(words: list[str]) -> str:
    shown = " ".join(words[:12])
    return shown + (f" ... ({len(words)} plies)" if len(words) > 12 else "")


# -- verify and stats -------------------------------------------------------------------------------


def _files(
    game: "Game", endings: Sequence[str], folder: Path | None
) -> tuple[Path, NumberedKernel | None, list[Endgame]]:
    """The folder, kernel and groups to process; no kernel for a game with one file of all positions."""
    kernel = numbered_kernel(game)
    place = folder_of(game, folder)
    _require_folder(place, game)
    if kernel is None:
        return place, None, []
    table_folder = building.TableFolder(place, tables.table_name(game), kernel)
    if not table_folder.files:
        raise BadInput(f"{place} holds no tables for {game.name}. Try: gameplay table build {game.name}")
    groups = building.groups(kernel, max(file.subject.pieces for file in table_folder.files))
    present_slices = {slice for file in table_folder.files for _, slice, _ in file.subject.slices}
    present = [group for group in groups if group.slices[0] in present_slices]
    if endings:
        names = {str(kernel.called(one)).lower(): group for group in present for one in group.slices}
        for name in endings:
            if name.lower() not in names:
                raise Usage(
                    f"there is no table {name} in {place}{nearest(name, [group.name for group in present])}"
                )
        wanted = [names[name.lower()].name for name in endings]
        present = [group for group in present if group.name in wanted]
    return place, kernel, present


COMPARED = 10_000  # positions per ending and side compared with other tables


def verify(
    game: "Game", endings: Sequence[str], folder: Path | None, syzygy: Path | None, whole: bool, as_json: bool
) -> int:
    """Verify tables, and print a line for each."""
    if syzygy is not None:
        return _compare(game, endings, folder, syzygy, None if whole else COMPARED, as_json)
    if whole:
        raise Usage(
            "--all compares every position with --syzygy, which is missing; without it all values "
            "are verified. Try: leave --all out"
        )
    if bearoff.is_supported(game.new()):
        return _verify_bearoff(game, endings, folder_of(game, folder), as_json)
    place, kernel, groups = _files(game, endings, folder)
    verdicts: dict[str, str] = {}
    with ProgressLine() as progress_line:
        checks = (
            (
                (
                    group.name,
                    building.verify(group, kernel, place, _table_progress(progress_line, group.name)),
                )
                for group in groups
            )
            if kernel is not None and groups
            else _verify_reachable(game, place, _table_progress(progress_line, game.name))
        )
        for name, wrong in checks:
            verdicts[name] = wrong
            progress_line.end()
            if not as_json:
                echo_wrapped(f"{name:<10} {'ok' if not wrong else 'WRONG at ' + wrong}")
    if as_json:
        click.echo(json.dumps({name: wrong or "right" for name, wrong in verdicts.items()}, indent=2))
    return 3 if any(verdicts.values()) else 0


def _compare(
    game: "Game", endings: Sequence[str], folder: Path | None, syzygy: Path, most: int | None, as_json: bool
) -> int:
    """Compare tables with Syzygy's, in `most` positions per ending and side, or all."""
    from gameplay.knowledge.syzygy import Syzygy
    from gameplay.registry import open_knowledge

    reference = open_knowledge("syzygy", str(syzygy), game)
    assert isinstance(reference, Syzygy)
    place, kernel, groups = _files(game, endings, folder)
    verdicts: dict[str, str] = {}
    compared = 0
    with ProgressLine() as progress_line:
        for group in groups:
            assert kernel is not None
            progress = _table_progress(progress_line, group.name)
            count, wrong = building.compare(group, kernel, place, reference.result, most, progress)
            compared += count
            right = f"right in {count:,} positions" if count else "not compared: no table there has it"
            verdicts[group.name] = f"WRONG at {wrong}" if wrong else right
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
    place, kernel, groups = _files(game, endings, folder)
    source = tables.Tables(str(place), game)
    rows: list[dict[str, Any]] = []
    counts: list[Iterable[dict[str, Any]]] = []
    if kernel is not None:
        counts += [building.count_results(group, kernel, place) for group in groups]
    for counted in counts or [_count_reachable(game, place)]:
        for row in counted:
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
    place: Path,
    memory: int,
    as_json: bool,
) -> int:
    """Build the one table of a game whose positions have no numbers."""
    if endings or pieces is not None:
        raise Usage(
            f"{game.name} has one table of all reachable positions, and endings or --pieces "
            "were given. Try: leave them out"
        )
    name = tables.table_name(game)
    if not as_json:
        echo_wrapped(f"{name}: all reachable positions, in {place}")
    with ProgressLine() as progress_line:
        done = building.build_reachable(
            game.new(text), name, text, place, memory << 20, _table_progress(progress_line, game.name)
        )
    if as_json:
        click.echo(json.dumps([asdict(done)], indent=2))
        return 0
    click.echo(_heading())
    click.echo(_row(done))
    echo_wrapped(f"Play with it: selective:tables={place}")
    return 0


def _reachable_files(game: "Game", place: Path) -> list[TableFile]:
    """The files with all positions of a game."""
    table_folder = building.TableFolder(place, tables.table_name(game))
    if not table_folder.files:
        raise BadInput(
            f"{place} holds no tables for {tables.table_name(game)}. Try: gameplay table build {game.name}"
        )
    return table_folder.files


def _verify_reachable(
    game: "Game", place: Path, progress: building.Progress | None
) -> Iterable[tuple[str, str]]:
    """Verify these files: yields each name with the first error, or ""."""
    for file in _reachable_files(game, place):
        start = file.subject.facts.get("begun")
        yield file.path.stem, building.verify_reachable(game.new(start), file, 1 << 40, progress)


def _count_reachable(game: "Game", place: Path) -> Iterable[dict[str, Any]]:
    """The counts of such tables, by side to move."""
    from gameplay.position import side

    position = game.new()
    for file in _reachable_files(game, place):
        facts = file.subject.facts
        for player, (drawn, won, lost) in enumerate(facts["totals"]):
            row = {"name": f"{side(position, player)} to move", "won": won, "drawn": drawn, "lost": lost}
            text, plies = facts.get("longest") or ("", 0)
            own = bool(text) and game.new(text).turn == player
            yield row | {"position": text if own else "", "plies": plies if own else 0}


# -- bearing off ----------------------------------------------------------------------------------------


def _build_bearoff(
    game: "Game", endings: Sequence[str], checkers: int | None, text: str | None, place: Path, as_json: bool
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
        echo_wrapped(f"{game.name}: bearing off, in {place}")
    done = []
    for one in bearoff.build(place, checkers or 6):
        done.append(one)
        if not as_json:
            speed = one.positions / max(one.seconds, 1e-3)
            rate = f" {speed:>9,.0f} pos/s {_format_size(one.bytes):>8}" if _wide() else ""
            click.echo(f"{one.name:<16} {one.positions:>9,} {one.seconds:>6.2f} CPU s{rate}")
    if as_json:
        click.echo(json.dumps([asdict(one) for one in done], indent=2))
        return 0
    echo_wrapped(f"Play with them: expectiminimax:bearoff={place}")
    return 0


def _probe_bearoff(tables: bearoff.Bearoff, position: "AbstractPosition", as_json: bool) -> int:
    """Print the bearoff tables' entry for a position of backgammon."""
    from gameplay.position import CHANCE, side

    assert isinstance(position, HasBearoff)
    mover = position.on_roll
    own, opponent = (bearoff.home_checkers(position, player) for player in (mover, 1 - mover))
    if own is None or opponent is None:
        raise Unfinished(
            "no table has this position: not all checkers are on the last six points or off. Try: "
            "gameplay analyse backgammon"
        )
    names = [side(position, player) for player in (mover, 1 - mover)]
    rolls = [tables.roll_distribution(one) for one in (own, opponent)]
    document: dict[str, Any] = {
        "turn": names[0],
        "throws": dict(zip(names, [mean for mean, _ in rolls], strict=True)),
    }
    document["shares"] = {
        name: {number: share for number, share in enumerate(shares) if share}
        for name, (_, shares) in zip(names, rolls, strict=True)
    }
    if position.turn == CHANCE:
        document["wins"] = tables.win_probability(own, opponent)
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
    for name, (mean, _) in zip(names, rolls, strict=True):
        shares = ", ".join(
            f"{number} {share:.1%}" for number, share in document["shares"][name].items() if share > 5e-4
        )
        echo_wrapped(f"{name} needs {mean:.4f} rolls: {shares}")
    return 0


SAMPLE = 300  # bear-off positions to verify


def _verify_bearoff(game: "Game", endings: Sequence[str], place: Path, as_json: bool) -> int:
    """Verify a random sample of positions."""
    if endings:
        raise Usage(
            "backgammon has two tables, which are verified together, and names were given. Try: "
            "leave them out"
        )
    wrong = bearoff.find_mismatch(bearoff.Bearoff(str(place), game), game, SAMPLE)
    if as_json:
        click.echo(json.dumps({"bearoff": wrong or "right"}))
    else:
        click.echo(f"bearoff    {'WRONG at ' + wrong if wrong else f'ok ({SAMPLE} random positions)'}")
    return 3 if wrong else 0
