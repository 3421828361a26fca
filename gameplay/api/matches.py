"""Matches and tournaments from Python: the same plans, seeds, games and store as those of the commands."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

from msgspec import structs

from gameplay import registry, specs
from gameplay.api.arguments import checked
from gameplay.api.games import GameLike, game_spec, limits, player_spec
from gameplay.api.result import RunProgress, RunResult, result_of
from gameplay.errors import Usage
from gameplay.options import check_option
from gameplay.runs import planning, requests, stored
from gameplay.runs.in_process import InProcess
from gameplay.runs.plan import Adjudication, Openings, Plan, Sprt, decode
from gameplay.runs.playing import play
from gameplay.runs.runner import INTERRUPTED, Finished
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.runs.summary import RunReport
from gameplay.runs.workers import Local, WorkerPool
from gameplay.search.limit import COUNT
from gameplay.store import trust
from gameplay.store.runs import Store

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

StoreLike = bool | str | Path
Watch = Callable[[RunProgress], object]


@checked
def play_match(
    *players: "str | Engine | type | Callable[..., object] | object",
    game: GameLike = "connect4",
    games: int | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    sims: int | None = None,
    clock: str | None = None,
    openings: int | str | Path | Openings | None = None,
    adjudicate: Adjudication | None = None,
    sprt: tuple[float, float] | Sprt | None = None,
    seed: int = 1,
    books: bool = True,
    title: str = "",
    jobs: int = 1,
    store: StoreLike = False,
    watch: Watch | None = None,
) -> RunResult:
    """Play a match as `gameplay match` does: pairs of games from one opening, the seats exchanged.

    `players` are two, or as many as the game is for: specs ("iterative:nodes=3000", "level:5", "NAME=SPEC"),
    engines, or classes, functions and objects of the calling program (see `gameplay.engine`).
    `games`: an even number [100; with `sprt` at most 10,000]. `depth` in plies (1 to 255), `nodes` positions,
    `time` seconds and `sims` simulations limit a move of players without limits of their own [3,000 nodes];
    `clock` is a time control ("10+0.1"). `openings`: random plies, or a file. `sprt`: ELO0 and ELO1.
    The same seed gives the same games as the command, and at any `jobs`, unless time limits the moves.

    `jobs` is the number of games at a time: 1 plays in this process, more start processes, which cannot load
    classes of the calling program: give such a class by its file then ("mine.py:MyEngine").
    Nothing is stored by default; `store` True is the user's store, a path another one. `watch` is called as
    games are finished; a true result stops the run. Ctrl-C raises KeyboardInterrupt; a stored run keeps what
    is finished and `gameplay.resume` continues it.

    Raises Usage for a wrong argument, BadInput for a file, Fault if the game's own code fails, TryLater if
    games cannot be stored. A player that fails loses its game: see `RunResult.faults`.
    """
    plan = requests.match(
        [player_spec(one) for one in players],
        game_spec(game),
        games,
        limits(depth, nodes, time, sims),
        seed,
        _openings(openings),
        {} if adjudicate is None else _fields(adjudicate),
        None if sprt is None else _test(sprt),
        clock=clock,
        books=None if books else False,
        title=title or None,
    )
    return _run(plan, jobs, store, watch)


@checked
def selfplay(
    game: GameLike = "connect4",
    first: "str | Engine | type | Callable[..., object] | object | None" = None,
    second: "str | Engine | type | Callable[..., object] | object | None" = None,
    *,
    games: int | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    openings: int | str | Path | Openings | None = None,
    seed: int = 1,
    jobs: int = 1,
    store: StoreLike = False,
    watch: Watch | None = None,
) -> RunResult:
    """Play a match of two engines as `selfplay` does: by default those that suit the game best.

    `games` None: 100, or as many as there are openings for. `second` sits on all other seats of a game for
    more than two. All else is as for `play_match`.
    """
    plan = requests.selfplay(
        game_spec(game),
        None if first is None else player_spec(first),
        None if second is None else player_spec(second),
        games,
        _openings(openings),
        seed,
        limits(depth, nodes, time, None),
    )
    return _run(plan, jobs, store, watch)


@checked
def tournament(
    players: "Sequence[str | Engine | type | Callable[..., object] | object]",
    game: GameLike = "connect4",
    *,
    form: Literal["round-robin", "gauntlet", "knockout", "swiss"] = "round-robin",
    games: int | None = None,
    rounds: int | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    sims: int | None = None,
    clock: str | None = None,
    openings: int | str | Path | Openings | None = None,
    seed: int = 1,
    title: str = "",
    jobs: int = 1,
    store: StoreLike = False,
    watch: Watch | None = None,
) -> RunResult:
    """Play a tournament of two or more players; `games` of each pairing [100], `rounds` of swiss.

    All else is as for `play_match`. `play_plan` plays a tournament that a file describes.
    """
    plan = planning.build(
        game_spec(game),
        [player_spec(one) for one in players],
        form=form,
        games=games,
        rounds=rounds,
        **specs.written(limits(depth, nodes, time, sims)),
        clock=clock,
        openings=_openings(openings) or None,
        seed=seed,
        title=title or None,
    )
    return _run(plan, jobs, store, watch)


@checked
def play_plan(
    file: str | Path, *, jobs: int = 1, store: StoreLike = False, watch: Watch | None = None
) -> RunResult:
    """Play the match or tournament that a TOML file describes, as `gameplay tournament FILE` does.

    Raises BadInput that names file, line and field of what is wrong; all else is as for `play_match`.
    """
    return _run(planning.read(Path(file)), jobs, store, watch)


@checked
def resume(
    run: str = "last", *, jobs: int = 1, store: StoreLike = True, watch: Watch | None = None
) -> RunResult:
    """Play what is missing of a stored run, so that it ends as it would have without an interruption.

    `run` is its id, title or "last". Raises Usage if there is none, BadInput if its players, openings or the
    code have changed; all else is as for `play_match`.
    """
    with Store(_place(store), make=False) as kept:
        return _play(kept, run, None, jobs, watch, True)


@checked
def load_run(run: str = "last", *, store: StoreLike = True) -> RunResult:
    """A stored run as it stands: its id, title or "last". Raises Usage if there is none, BadInput."""
    with Store(_place(store), make=False) as kept:
        stored_run = kept.run(run)
        plan = decode(stored_run.plan)
        trust.check(plan.game, plan.engines)
        report = RunReport(kept, stored_run, Schedule(plan), 0.0, 0)
        return result_of(
            report, kept, "complete" if stored_run.state == "finished" else stored_run.state, "", True
        )


# -- inside ---------------------------------------------------------------------------------------------


def _run(plan: Plan, jobs: int, store: StoreLike, watch: Watch | None) -> RunResult:
    schedule = Schedule(plan)
    keep = store is not False
    with _opened(store) as kept:
        return _play(kept, stored.begin(kept, schedule, remember=keep), schedule, jobs, watch, keep)


def _play(
    kept: Store, run: str, schedule: Schedule | None, jobs: int, watch: Watch | None, keep: bool
) -> RunResult:
    stored_run = kept.run(run)
    with stored.lock_run(kept, stored_run):
        schedule = schedule or stored.resume(stored_run)
        workers = _workers(schedule, jobs)
        runner, report = play(kept, stored_run, schedule, workers, _Listener(schedule, watch), jobs)
    if runner.reason == INTERRUPTED:
        games = report.summary.counted
        onward = f"run {stored_run.id} keeps {games} games; gameplay.resume({stored_run.id!r}) continues it"
        raise KeyboardInterrupt(onward if keep else "the run was not stored")
    return result_of(report, kept, runner.reason, runner.message, keep)


def _workers(schedule: Schedule, jobs: int) -> WorkerPool:
    """Raises Usage for a wrong number, and for classes that no process can load."""
    check_option("", "jobs", jobs, COUNT)
    if jobs == 1:
        return InProcess()
    plan = schedule.plan
    here = [spec for spec in (plan.game, *plan.engines) if registry.is_registered(spec)]
    if here:
        raise Usage(
            f"{here[0]} is a class of this process, and jobs = {jobs} starts others, which cannot load it. "
            "Try: its file, as in 'mine.py:MyEngine', or jobs = 1"
        )
    return Local(jobs if schedule.total is None else min(jobs, schedule.total))


class _Listener:
    """Reports the progress of a run to its caller."""

    def __init__(self, schedule: Schedule, watch: Watch | None) -> None:
        self.schedule = schedule
        self.watch = watch

    def kept(self, played: Sequence[Finished], standing: Standing) -> object:
        """See `runs.runner.Listener`."""
        if self.watch is None:
            return False
        losses, draws, wins = standing.tally.games if len(self.schedule.plan.players) == 2 else (0, 0, 0)
        return self.watch(RunProgress(standing.games, self.schedule.total, wins, draws, losses))

    def say(self, message: str) -> None:
        """See `runs.runner.Listener`."""
        import warnings

        warnings.warn(message, RuntimeWarning, stacklevel=2)


@contextmanager
def _opened(store: StoreLike) -> Iterator[Store]:
    """The store, or one that is removed at the end."""
    if store is not False:
        with Store(_place(store)) as kept:
            yield kept
        return
    with (
        TemporaryDirectory(prefix="gameplay-") as folder,
        Store(Path(folder, "runs.db"), synchronous="OFF") as kept,
    ):
        yield kept


def _place(store: StoreLike) -> Path | None:
    """The file of a store; None: the user's."""
    if store is False:
        raise Usage("store must be True, for your own store, or a file, not False")
    return None if store is True else Path(store)


def _openings(given: int | str | Path | Openings | None) -> dict[str, Any]:
    if isinstance(given, Openings):
        return _fields(given)
    return requests.openings_fields(os.fspath(given) if isinstance(given, os.PathLike) else given)


def _test(given: tuple[float, float] | Sprt) -> dict[str, Any]:
    if isinstance(given, Sprt):
        return _fields(given)
    try:
        low, high = given
    except (TypeError, ValueError):
        raise Usage(f"sprt is a pair of Elo differences, as (0, 20), not {given!r}") from None
    return {"elo0": low, "elo1": high}


def _fields(part: Adjudication | Openings | Sprt) -> dict[str, Any]:
    return {key: value for key, value in structs.asdict(part).items() if value is not None}
