"""`gameplay run verify`: replay every game of a stored run or series, and report differences."""

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import RUN, STORE, cores, jobs_option
from gameplay.cli.common.progress_line import ProgressLine
from gameplay.cli.common.running import supervise
from gameplay.cli.common.width import echo_err
from gameplay.errors import BadInput, Mismatch
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.runs.job import Job
    from gameplay.runs.schedule import Schedule
    from gameplay.runs.standing import Standing
    from gameplay.store.jsonl import StoredGame
    from gameplay.store.record import Record


@dataclass
class VerifiedGame:
    """A game to verify: its location, the job expected there, and the stored record."""

    location: str
    job: "Job | None"  # None: the plan has no such game
    record: "Record"
    mismatch: str = ""  # the first error


@dataclass
class GameSource:
    """The games to verify, from a run or a file."""

    name: str
    items: list[VerifiedGame]
    scheduled: int | None
    version: str


@click.command(short_help="Replay the games of a run and repeat its searches")
@click.argument("run_or_file", metavar="RUN|FILE", type=RUN)
@click.option("--quick", is_flag=True, help="Check moves and results only; repeat no search.")
@jobs_option()
@STORE
def command(run_or_file: str, quick: bool, jobs: int | None, store: Path | None) -> None:
    """Replay every game of a stored RUN (`last`: the newest), or of a FILE of games.

    FILE is one that `gameplay run export` or `selfplay --out` wrote. Each game must be the one that the plan
    calls for, with legal moves and the right result; it is played again, and the engines must choose the same
    moves after the same number of nodes. Games with a clock, a time limit or another program are not
    repeated.
    """
    from gameplay import __version__
    from gameplay.runs import audit

    source = (
        _read_file(Path(run_or_file))
        if os.path.exists(run_or_file) or _is_path(run_or_file)
        else _read_run(run_or_file, store)
    )
    repeatable: list[VerifiedGame] = []
    skipped: Counter[str] = Counter()  # games that are not searched again, by the reason
    for item in source.items:
        if not item.mismatch and item.job is not None:
            item.mismatch = audit.check_record(item.job, item.record)
            reason = audit.variation_reason(item.job, item.record)
            if reason:
                skipped[reason] += 1
            elif not item.mismatch:
                repeatable.append(item)
    if not quick:
        _repeat_searches(repeatable, jobs)
    mismatch = [item for item in source.items if item.mismatch]
    for item in mismatch:
        click.echo(f"{item.location}: {item.mismatch}")
    if mismatch:
        hint = "" if source.version == __version__ else f" (they were played by gameplay {source.version})"
        raise Mismatch(f"{len(mismatch)} of {len(source.items)} games differ{hint}")
    compared = "moves and results" if quick or not repeatable else "moves, results and node counts"
    if skipped and not quick:
        is_only_reason = len(skipped) == 1 and not repeatable
        reasons = ", ".join(
            reason if is_only_reason else f"{count} {reason}" for reason, count in skipped.items()
        )
        compared += f" ({reasons}, so not searched again)"
    scope = "" if source.scheduled in (None, len(source.items)) else f" of {source.scheduled} scheduled"
    click.echo(f"{source.name}: {plural(len(source.items), 'game')}{scope}: {compared} are as recorded")


def _repeat_searches(items: list[VerifiedGame], jobs: int | None) -> None:
    """Replay the games, and record their differences."""
    from gameplay.runs import audit
    from gameplay.runs.pool import Pool

    if not items:
        return
    with ProgressLine() as progress_line, Pool(min(jobs or cores(), len(items))) as pool:
        progress_line(f"repeating the searches of {len(items)} games")
        due = [item.job for item in items if item.job is not None]
        for number, (item, result) in enumerate(zip(items, pool.each(audit.replay_job, due), strict=True), 1):
            item.mismatch = audit.compare_replay(item.record, result)
            progress_line(f"repeating the searches: {number} of {len(items)} games")


def _is_path(text: str) -> bool:
    return os.sep in text or text.endswith((".jsonl", ".json", ".db"))


def _read_run(run_id: str, store: Path | None) -> GameSource:
    """The games of a stored run."""
    from gameplay.store.jsonl import AFTER_STOP, COUNTED
    from gameplay.store.runs import Store

    supervise(store, run_id)
    with Store(store, make=False) as store_:
        run = store_.run(run_id)
        games = store_.games(run.id, COUNTED, AFTER_STOP)
        return _match_with_plan(run.id, run.plan, run.facts, games)


def _read_file(path: Path) -> GameSource:
    """The games in a file."""
    from gameplay import file_io
    from gameplay.store import jsonl
    from gameplay.store.saved import is_foreign

    try:
        text = file_io.content(path)
    except OSError as error:
        raise BadInput(file_io.unreadable(path, error)) from None
    if is_foreign(path):
        command_text_export = command_line("gameplay", "run", "export", str(path))
        raise BadInput(
            f"{path} was not played by this program, so its searches cannot be repeated; "
            f"its games can be checked by the rules. Try: {command_text_export}"
        )
    if text.startswith(b"SQLite format 3\0"):
        command_text = command_line("gameplay", "run", "verify", "last", "--store", str(path))
        raise BadInput(f"{path} is a store; expected a run in it. Try: {command_text}")
    complete, is_truncated = jsonl.complete_lines(text)
    if is_truncated:
        echo_err(f"{path}: the last line was not written to its end, and is left out")
    header, games = jsonl.read(complete, str(path))
    counted = (game for game in games if game.state in (jsonl.COUNTED, jsonl.AFTER_STOP))
    return _match_with_plan(str(path), bytes(header.plan), header.facts, counted)


def _match_with_plan(
    name: str, plan: bytes, facts: dict[str, str], games: "Iterable[StoredGame]"
) -> GameSource:
    """Match games with those that their plan schedules."""
    from gameplay.runs.plan import decode
    from gameplay.runs.schedule import Schedule
    from gameplay.runs.standing import Standing
    from gameplay.store import trust
    from gameplay.store.jsonl import COUNTED

    planned = decode(plan)
    trust.check(planned.game, planned.engines)
    schedule = Schedule(planned)
    standing = Standing(schedule)
    all_games = list(games)
    for game in all_games:
        if game.state == COUNTED:
            try:
                standing.add(game.pair, game.leg, game.payoffs)
            except (IndexError, KeyError):
                continue  # reported below
    standing.extend_pairs()
    items = [item for game in all_games if (item := _make_item(name, game, schedule, standing)) is not None]
    return GameSource(name, items, schedule.total, facts.get("version", "?"))


def _make_item(
    name: str, game: "StoredGame", schedule: "Schedule", standing: "Standing"
) -> VerifiedGame | None:
    import msgspec

    from gameplay.runs.job import Job
    from gameplay.runs.pairing import points

    location = f"{name}, pair {game.pair}, leg {game.leg}"
    record = game.read()
    if record is None:
        return None
    if not (0 <= game.pair < len(standing.pairs) and 0 <= game.leg < standing.pairs[game.pair].legs):
        return VerifiedGame(location, None, record, "the plan has no such game")
    job = schedule.job(standing.pairs[game.pair], game.leg, game.attempt)
    item = VerifiedGame(location, job, record)
    stored_job = msgspec.json.decode(game.job, type=Job)
    for field in ("game", "seats", "seed", "start", "moves", "first", "adjudicate"):
        if getattr(stored_job, field) != getattr(job, field):
            item.mismatch = f"field '{field}' differs from the plan"
    if not game.payoffs or game.payoffs != record.result:
        item.mismatch = "the payoffs are not those of the record"
    elif game.points != (due := points(game.payoffs)[game.first]):
        item.mismatch = f"{game.points} points, and by the payoffs {due}"
    elif game.names != [seat.name for seat in job.seats]:
        item.mismatch = f"players are {' '.join(game.names)}, and the plan seats others"
    return item
