"""Matches and tournaments from Python, with the same plans, seeds, games and store as the commands."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

from msgspec import structs

from gameplay import registry, specs
from gameplay.api.arguments import check_arguments
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


@check_arguments
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
    """Play a match like `gameplay match`: pairs of games from one opening with seats exchanged.

    `players`: two, or as many as the game needs: specs ("iterative:nodes=3000", "level:5", "NAME=SPEC"),
    engines, or classes, functions and objects of the calling program (see `gameplay.engine`).
    `games`: an even number [100; with `sprt` at most 10,000]. `depth` in plies (1 to 255), `nodes` positions,
    `time` seconds and `sims` simulations limit a move of players without limits of their own [3,000 nodes];
    `clock` is a time control ("10+0.1"). `openings`: random plies, or a file. `sprt`: ELO0 and ELO1.
    Equal seeds give the same games as the command, for any `jobs`, unless time limits the moves.

    `jobs`: games played concurrently. 1 plays in this process; more start worker processes, which cannot load
    classes of the calling program: name such a class by its file ("mine.py:MyEngine").
    `store`: False stores nothing, True uses the user's store, a path another one. `watch` is called after
    finished games; a true result stops the run. Ctrl-C raises KeyboardInterrupt; a stored run keeps its
    finished games and `gameplay.resume` continues it.

    Raises Usage for a wrong argument, BadInput for a file, Fault if the game's own code fails, TryLater if
    games cannot be stored. A player that fails loses its game: see `RunResult.faults`.
    """
    plan = requests.match(
        [player_spec(player) for player in players],
        game_spec(game),
        games,
        limits(depth, nodes, time, sims),
        seed,
        _opening_fields(openings),
        {} if adjudicate is None else _set_fields(adjudicate),
        None if sprt is None else _sprt_fields(sprt),
        clock=clock,
        books=None if books else False,
        title=title or None,
    )
    return _run(plan, jobs, store, watch)


@check_arguments
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
    """Play a match of two engines like `gameplay selfplay`, by default the preferred engines of the game.

    `games` None: 100, or the number of openings. In a game for more than two, `second` takes all other
    seats. Other arguments are as for `play_match`.
    """
    plan = requests.selfplay(
        game_spec(game),
        None if first is None else player_spec(first),
        None if second is None else player_spec(second),
        games,
        _opening_fields(openings),
        seed,
        limits(depth, nodes, time, None),
    )
    return _run(plan, jobs, store, watch)


@check_arguments
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

    Other arguments are as for `play_match`. `play_plan` plays a tournament described by a file.
    """
    plan = planning.build(
        game_spec(game),
        [player_spec(player) for player in players],
        form=form,
        games=games,
        rounds=rounds,
        **specs.limit_options(limits(depth, nodes, time, sims)),
        clock=clock,
        openings=_opening_fields(openings) or None,
        seed=seed,
        title=title or None,
    )
    return _run(plan, jobs, store, watch)


@check_arguments
def play_plan(
    file: str | Path, *, jobs: int = 1, store: StoreLike = False, watch: Watch | None = None
) -> RunResult:
    """Play the match or tournament described by a TOML file, like `gameplay tournament FILE`.

    Raises BadInput with file, line and field of an error. Other arguments are as for `play_match`.
    """
    return _run(planning.read(Path(file)), jobs, store, watch)


@check_arguments
def resume(
    run: str = "last", *, jobs: int = 1, store: StoreLike = True, watch: Watch | None = None
) -> RunResult:
    """Play the missing games of a stored run; the result is as if it had not been interrupted.

    `run`: its id, title or "last". Raises Usage if there is none, BadInput if its players, openings or the
    code have changed. Other arguments are as for `play_match`.
    """
    with Store(_store_path(store), make=False) as opened:
        return _play(opened, run, None, jobs, watch, True)


@check_arguments
def load_run(run: str = "last", *, store: StoreLike = True) -> RunResult:
    """Load a stored run by its id, title or "last". Raises Usage if there is none, and BadInput."""
    with Store(_store_path(store), make=False) as opened:
        stored_run = opened.run(run)
        plan = decode(stored_run.plan)
        trust.check(plan.game, plan.engines)
        report = RunReport(opened, stored_run, Schedule(plan), 0.0, 0)
        return result_of(
            report, opened, "complete" if stored_run.state == "finished" else stored_run.state, "", True
        )


# -- inside ---------------------------------------------------------------------------------------------


def _run(plan: Plan, jobs: int, store: StoreLike, watch: Watch | None) -> RunResult:
    schedule = Schedule(plan)
    keep = store is not False
    with _open_store(store) as opened:
        return _play(opened, stored.begin(opened, schedule, remember=keep), schedule, jobs, watch, keep)


def _play(
    store: Store, run: str, schedule: Schedule | None, jobs: int, watch: Watch | None, keep: bool
) -> RunResult:
    stored_run = store.run(run)
    with stored.lock_run(store, stored_run):
        schedule = schedule or stored.resume(stored_run)
        workers = _workers(schedule, jobs)
        runner, report = play(store, stored_run, schedule, workers, _Listener(schedule, watch), jobs)
    if runner.reason == INTERRUPTED:
        games = report.summary.counted
        message = f"run {stored_run.id} keeps {games} games; gameplay.resume({stored_run.id!r}) continues it"
        raise KeyboardInterrupt(message if keep else "the run was not stored")
    return result_of(report, store, runner.reason, runner.message, keep)


def _workers(schedule: Schedule, jobs: int) -> WorkerPool:
    """The workers of a run. Raises Usage for a wrong number, and for classes no process can load."""
    check_option("", "jobs", jobs, COUNT)
    if jobs == 1:
        return InProcess()
    plan = schedule.plan
    local = [spec for spec in (plan.game, *plan.engines) if registry.is_registered(spec)]
    if local:
        raise Usage(
            f"{local[0]} is a class of this process, and jobs = {jobs} starts others, which cannot load it. "
            "Try: its file, as in 'mine.py:MyEngine', or jobs = 1"
        )
    return Local(jobs if schedule.total is None else min(jobs, schedule.total))


class _Listener:
    """Reports the progress of a run to its caller."""

    def __init__(self, schedule: Schedule, watch: Watch | None) -> None:
        self.schedule = schedule
        self.watch = watch

    def games_stored(self, played: Sequence[Finished], standing: Standing) -> object:
        """See `runs.runner.Listener`."""
        if self.watch is None:
            return False
        losses, draws, wins = standing.tally.games if len(self.schedule.plan.players) == 2 else (0, 0, 0)
        return self.watch(RunProgress(standing.games, self.schedule.total, wins, draws, losses))

    def print_line(self, message: str) -> None:
        """See `runs.runner.Listener`."""
        import warnings

        warnings.warn(message, RuntimeWarning, stacklevel=2)


@contextmanager
def _open_store(store: StoreLike) -> Iterator[Store]:
    """Open the store; False: a temporary one."""
    if store is not False:
        with Store(_store_path(store)) as opened:
            yield opened
        return
    with (
        TemporaryDirectory(prefix="gameplay-") as folder,
        Store(Path(folder, "runs.db"), synchronous="OFF") as opened,
    ):
        yield opened


def _store_path(store: StoreLike) -> Path | None:
    """The path of a store; None: the user's."""
    if store is False:
        raise Usage("store must be True, for your own store, or a file, not False")
    return None if store is True else Path(store)


def _opening_fields(given: int | str | Path | Openings | None) -> dict[str, Any]:
    if isinstance(given, Openings):
        return _set_fields(given)
    return requests.openings_fields(os.fspath(given) if isinstance(given, os.PathLike) else given)


def _sprt_fields(given: tuple[float, float] | Sprt) -> dict[str, Any]:
    if isinstance(given, Sprt):
        return _set_fields(given)
    try:
        elo0, elo1 = given
    except (TypeError, ValueError):
        raise Usage(f"sprt must be a pair of Elo differences, as in (0, 20), not {given!r}") from None
    return {"elo0": elo0, "elo1": elo1}


def _set_fields(part: Adjudication | Openings | Sprt) -> dict[str, Any]:
    return {key: value for key, value in structs.asdict(part).items() if value is not None}
