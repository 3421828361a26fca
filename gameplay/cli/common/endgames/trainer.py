"""`gameplay puzzles endgames GAME`: builds missing tables, and trains positions that are due or new."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random, randrange
from typing import TYPE_CHECKING, Any

from gameplay import registry
from gameplay.cli.common.progress_line import ProgressLine
from gameplay.cli.common.tables import folder_of
from gameplay.cli.common.width import echo_err, echo_wrapped
from gameplay.errors import BadInput, Usage
from gameplay.plural import plural
from gameplay.training import endgame_progress, endgames
from gameplay.training.endgame_progress import MissedEndgame
from gameplay.training.endgames import EndgameTask
from gameplay.training.oracles import ORACLES, MoveOracle

if TYPE_CHECKING:
    from gameplay.capabilities import Endgames, Ending
    from gameplay.display.theme import Theme
    from gameplay.registry import Game

MEMORY = 2 << 30  # bytes for building a table


def train(
    spec: str,
    names: Sequence[str],
    level: int | None,
    count: int,
    seed: int | None,
    theme: "Theme",
    today: date,
) -> int:
    """Train positions of a game, due ones first; returns the exit status."""
    from gameplay.cli.common.endgames.session import EndgameSession

    game = registry.game(spec)
    offered = endgames.endgames_of(game)
    standard_game = registry.game(offered.spec or game.name)
    if game.parameters and game.parameters != standard_game.parameters:
        supported = offered.spec or "the standard game"
        raise Usage(
            f"{game.spec} has parameters; endgames are available for {supported} only. Try: {game.name}"
        )
    game = standard_game
    folder = folder_of(game, None)
    endings = _ensure_tables(game, offered, names, folder)
    oracle = ORACLES[offered.oracle](game, folder)
    progress = endgame_progress.load().of(game.name)
    selected_level = _select_level(level, progress.level(), endings)
    seed = randrange(1_000_000) if seed is None else seed
    ending_names = {ending.name for ending in endings}
    due = [task for task in progress.due(today) if task.ending in ending_names]
    due_text = f"; {plural(len(due), 'missed position')} to repeat" if due else ""
    echo_wrapped(f"{game.name} endgames, level {selected_level}, seed {seed}{due_text}")
    session = EndgameSession(game, offered, oracle, theme, count, seed, today)
    missed_starts = [task.start for task in progress.missed]
    new_tasks = endgames.generate_tasks(
        game, offered, endings, oracle, selected_level, Random(seed), missed_starts
    )
    tasks = islice(_chain(_missed_tasks(game, offered, oracle, due), new_tasks), count)
    status = session.run(tasks)
    if not session.number:
        names_text = ", ".join(ending.name for ending in endings)
        raise Usage(
            f"{names_text}: no positions of level {selected_level} found. Try: another --level or --ending"
        )
    return status


def _select_level(requested: int | None, progress_level: int, endings: "Sequence[Ending]") -> int:
    """The level to train: the requested one, else the first available one from `progress_level` on."""
    available = sorted({level for ending in endings for level in ending.levels})
    if requested is None:
        return next((level for level in available if level >= progress_level), available[-1])
    if requested not in available:
        names, levels = ", ".join(ending.name for ending in endings), ", ".join(map(str, available))
        raise Usage(
            f"{names}: no positions of level {requested}, only of {levels}. Try: --level {available[0]}"
        )
    return requested


def _chain(first_tasks: Iterator[EndgameTask], second_tasks: Iterator[EndgameTask]) -> Iterator[EndgameTask]:
    """Chain both iterators, with a progress line during each search for a position."""
    for tasks in (first_tasks, second_tasks):
        while True:
            with ProgressLine() as progress_line:
                progress_line("looking for a position")
                task = next(tasks, None)
            if task is None:
                break
            yield task


def _missed_tasks(
    game: "Game", offered: "Endgames", oracle: MoveOracle, due: Sequence[MissedEndgame]
) -> Iterator[EndgameTask]:
    """The tasks of missed positions."""
    for missed in due:
        (ending,) = endgames.select_endings(offered, [missed.ending])
        task = endgames.make_task(game, offered, ending, oracle, missed.start)
        if task is not None:
            yield task


# -- tables -------------------------------------------------------------------------------------------


def _ensure_tables(
    game: "Game", offered: "Endgames", names: Sequence[str], folder: Path
) -> "tuple[Ending, ...]":
    """The named endings, else the offered ones, after building the data of their oracles.

    Endings that are not offered take longer to build; they are used if named or already built.
    """
    named = endgames.select_endings(offered, names)
    selected = named or tuple(ending for ending in offered.endings if ending.offered)
    if offered.oracle == "tables":
        _build(game, [ending.name for ending in selected], folder)
    elif offered.oracle == "bearoff":
        _build_bearoff(folder, max(ending.pieces for ending in selected))
    if named:
        return selected
    return tuple(
        ending for ending in offered.endings if ending in selected or _is_built(game, offered, ending, folder)
    )


def _is_built(game: "Game", offered: "Endgames", ending: "Ending", folder: Path) -> bool:
    """True if the data of an ending that is not offered is already built."""
    if offered.oracle == "tables":
        return not _missing_tables(game, [ending.name], folder)
    return offered.oracle == "bearoff" and ending.pieces <= _checkers(folder)


def _checkers(folder: Path) -> int:
    """The checkers per side of the bear-off tables in a folder; 0 without readable tables."""
    from gameplay.knowledge.bearoff import Bearoff

    try:
        return Bearoff(str(folder)).max_checkers
    except BadInput:
        return 0


def _build_bearoff(folder: Path, checkers: int) -> None:
    """Build the bear-off tables of this many checkers per side, unless they exist."""
    from gameplay.knowledge import bearoff

    if _checkers(folder) >= checkers:
        return
    echo_err(f"building the bear-off tables of {checkers} checkers a side, once")
    with ProgressLine() as progress_line:
        progress_line("bear-off tables (Ctrl-C: stop)")
        for _ in bearoff.build(folder, checkers):
            pass


def _missing_tables(game: "Game", names: Sequence[str], folder: Path) -> list[Any]:
    """The missing tables of these endings."""
    from gameplay.cli.common.tables import select_groups
    from gameplay.knowledge.tables import tables
    from gameplay.runs import tables as work

    kernel = game.new()
    assert tables.is_numbered(kernel)
    name = tables.table_name(game)
    groups = work.missing(
        select_groups(kernel, names, None), name, folder, lambda error: echo_err(str(error))
    )
    return [work.TableJob(game.spec, name, str(folder), group) for group in groups]


def _build(game: "Game", names: Sequence[str], folder: Path) -> None:
    """Build the missing tables of these endings, and those that they lead to."""
    from gameplay.runs import tables as work

    jobs = _missing_tables(game, names, folder)
    if not jobs:
        return
    names_text = ", ".join(job.group.name for job in jobs)
    echo_err(f"building {plural(len(jobs), 'endgame table')}, once: {names_text}")
    with ProgressLine() as progress_line:

        def show(name: str, activity: str, done: int, total: int) -> None:
            progress_line(
                f"{name}: {activity} {done:,} of {total:,} (Ctrl-C: stop; finished tables are kept)"
            )

        for _ in work.build_all(jobs, 1, MEMORY, partial(show) if progress_line.shown else None):
            pass
