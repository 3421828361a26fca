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
    usual = registry.game(offered.spec or game.name)
    if game.parameters and game.parameters != usual.parameters:
        those = offered.spec or "the usual game"
        raise Usage(f"{game.spec} has parameters; endgames are available for {those} only. Try: {game.name}")
    game = usual
    place = folder_of(game, None)
    endings = _ensure_tables(game, offered, names, place)
    oracle = ORACLES[offered.oracle](game, place)
    progress = endgame_progress.load().of(game.name)
    wanted = _select_level(level, progress.level(), endings)
    seed = randrange(1_000_000) if seed is None else seed
    waiting = [one for one in progress.due(today) if one.ending in {ending.name for ending in endings}]
    again = f"; {plural(len(waiting), 'missed position')} to repeat" if waiting else ""
    echo_wrapped(f"{game.name} endgames, level {wanted}, seed {seed}{again}")
    session = EndgameSession(game, offered, oracle, theme, count, seed, today)
    missed = [one.start for one in progress.missed]
    new = endgames.generate_tasks(game, offered, endings, oracle, wanted, Random(seed), missed)
    tasks = islice(_chain(_missed_tasks(game, offered, oracle, waiting), new), count)
    status = session.run(tasks)
    if not session.number:
        listed = ", ".join(ending.name for ending in endings)
        raise Usage(f"there are no positions of level {wanted} in {listed}. Try: another --level or --ending")
    return status


def _select_level(requested: int | None, reached: int, endings: "Sequence[Ending]") -> int:
    """The level to train: the requested one, else the first with positions from the reached one on."""
    available = sorted({each for ending in endings for each in ending.levels})
    if requested is None:
        return next((each for each in available if each >= reached), available[-1])
    if requested not in available:
        names, levels = ", ".join(one.name for one in endings), ", ".join(map(str, available))
        raise Usage(
            f"{names}: no positions of level {requested}, only of {levels}. Try: --level {available[0]}"
        )
    return requested


def _chain(first: Iterator[EndgameTask], then: Iterator[EndgameTask]) -> Iterator[EndgameTask]:
    """Chain both iterators, with a progress line while searching for the next position."""
    for tasks in (first, then):
        while True:
            with ProgressLine() as aside:
                aside("looking for a position")
                task = next(tasks, None)
            if task is None:
                break
            yield task


def _missed_tasks(
    game: "Game", offered: "Endgames", oracle: MoveOracle, waiting: Sequence[MissedEndgame]
) -> Iterator[EndgameTask]:
    """The tasks of missed positions."""
    for one in waiting:
        (ending,) = endgames.select_endings(offered, [one.ending])
        task = endgames.make_task(game, offered, ending, oracle, one.start)
        if task is not None:
            yield task


# -- tables -------------------------------------------------------------------------------------------


def _ensure_tables(
    game: "Game", offered: "Endgames", names: Sequence[str], place: Path
) -> "tuple[Ending, ...]":
    """The named endings, else the offered ones, after building the data of their oracles.

    Endings that are not offered take longer to build; they are used if named or already built.
    """
    named = endgames.select_endings(offered, names)
    usual = named or tuple(ending for ending in offered.endings if ending.offered)
    if offered.oracle == "tables":
        _build(game, [ending.name for ending in usual], place)
    elif offered.oracle == "bearoff":
        _build_bearoff(place, max(ending.pieces for ending in usual))
    if named:
        return usual
    return tuple(
        ending for ending in offered.endings if ending in usual or _is_built(game, offered, ending, place)
    )


def _is_built(game: "Game", offered: "Endgames", ending: "Ending", place: Path) -> bool:
    """True if the data of an ending that is not offered is already built."""
    if offered.oracle == "tables":
        return not _missing_tables(game, [ending.name], place)
    return offered.oracle == "bearoff" and ending.pieces <= _checkers(place)


def _checkers(place: Path) -> int:
    """The checkers per side of the bear-off tables in a folder; 0 without readable tables."""
    from gameplay.knowledge.bearoff import Bearoff

    try:
        return Bearoff(str(place)).max_checkers
    except BadInput:
        return 0


def _build_bearoff(place: Path, checkers: int) -> None:
    """Build the bear-off tables of this many checkers per side, unless they exist."""
    from gameplay.knowledge import bearoff

    if _checkers(place) >= checkers:
        return
    echo_err(f"building the bear-off tables of {checkers} checkers a side, once")
    with ProgressLine() as aside:
        aside("bear-off tables (Ctrl-C: stop)")
        for _ in bearoff.build(place, checkers):
            pass


def _missing_tables(game: "Game", names: Sequence[str], place: Path) -> list[Any]:
    """The missing tables of these endings."""
    from gameplay.cli.common.tables import select_groups
    from gameplay.knowledge.tables import tables
    from gameplay.runs import tables as work

    kernel = game.new()
    assert tables.is_numbered(kernel)
    name = tables.table_name(game)
    groups = work.missing(select_groups(kernel, names, None), name, place, lambda error: echo_err(str(error)))
    return [work.TableJob(game.spec, name, str(place), group) for group in groups]


def _build(game: "Game", names: Sequence[str], place: Path) -> None:
    """Build the missing tables of these endings, and those that they lead to."""
    from gameplay.runs import tables as work

    jobs = _missing_tables(game, names, place)
    if not jobs:
        return
    listed = ", ".join(job.group.name for job in jobs)
    echo_err(f"building {plural(len(jobs), 'endgame table')}, once: {listed}")
    with ProgressLine() as aside:

        def show(name: str, what: str, done: int, total: int) -> None:
            aside(f"{name}: {what} {done:,} of {total:,} (Ctrl-C: stop; finished tables are kept)")

        for _ in work.build_all(jobs, 1, MEMORY, partial(show) if aside.shown else None):
            pass
