"""`gameplay match`: players against each other until it is known who is better; every game is kept.

`--json` prints one document; every result is from the first player's view:

    run, store, game, form, players, state, scheduled, seed
    ended        complete, decided, stopped, interrupted, failed, incomplete
    games, wins, draws, losses, seats, pairs, rating, ...       as `selfplay --json`; of a match of two
    sprt         {llr, lower, upper, decision, model, ...}; or null
    standings    [{name, score, elo, low, high, points, games}, ...]; the best first
    warnings     what makes the figures doubtful
    wall_seconds, jobs
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import STATUSES
from gameplay.cli.selfplay import GAME, SEED, complete_engines, complete_games, cores
from gameplay.cli.status import STORE
from gameplay.errors import Usage

if TYPE_CHECKING:
    from gameplay.runs.plan import Plan
    from gameplay.runs.schedule import Schedule
    from gameplay.store.runs import Store

SPRT_GAMES = 10_000  # at most, where an SPRT is to decide and nobody said how many

JOBS = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Games at a time [all cores; one less with clocks].",
)


def _address(context: click.Context, parameter: click.Parameter, address: str | None) -> str | None:
    if address is not None and not address.strip():
        raise Usage("--cluster needs the address of a scheduler, as in tcp://host:8786")
    return address


CLUSTER = click.option(
    "--cluster",
    metavar="ADDRESS",
    callback=_address,
    help="Play on a dask cluster, as in tcp://host:8786.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")


@click.command(
    short_help="A match between players, kept game by game",
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("players", nargs=-1, required=True, shell_complete=complete_engines)
@click.option("--game", default=GAME, metavar="GAME", shell_complete=complete_games, help=f"[{GAME}]")
@click.option("--games", type=int, metavar="N", help=f"How many [100; at most {SPRT_GAMES:,} with --sprt].")
@click.option(
    "--sprt", metavar="ELO0,ELO1", help="Stop as soon as it is proven whether the first is stronger."
)
@click.option("--alpha", type=float, help="Chance to accept ELO1 though ELO0 is true [0.05].")
@click.option("--beta", type=float, help="Chance to accept ELO0 though ELO1 is true [0.05].")
@click.option("--model", metavar="NAME", help="Of the Elo: normalized, logistic, trinomial [normalized].")
@click.option("--clock", metavar="TIME", help="A game's clock, such as 10+0.1 (seconds, and added per move).")
@click.option("--depth", type=int, metavar="PLIES", help="Limits each move.")
@click.option("--nodes", type=int, metavar="N", help="The same in positions [3,000 if nothing limits].")
@click.option("--time", "seconds", type=float, metavar="SECONDS", help="The same in time.")
@click.option("--openings", metavar="PLIES|FILE", help="Random plies, or positions or games [plies].")
@click.option("--balance", metavar="ENGINE", help="Keep openings that this engine finds level.")
@click.option("--resign", metavar="VALUE[,MOVES]", help="Lost, if both say so as many moves in a row.")
@click.option("--draw", metavar="VALUE[,MOVES]", help="Drawn, if both see so little for as many moves.")
@click.option("--longest", type=int, metavar="PLIES", help="Drawn, if a game lasts so long.")
@click.option("--exact", metavar="ENGINE", help="Ends games that this engine solves.")
@click.option("--seed", type=int, default=SEED, help=f"Decides everything that is random [{SEED}].")
@click.option("--strict", is_flag=True, help="Status 5 as soon as a program denies a result by the rules.")
@click.option("--title", metavar="WORDS", help="What the run is called beside its id.")
@JOBS
@CLUSTER
@STORE
@JSON
def command(
    players: tuple[str, ...],
    game: str,
    games: int | None,
    sprt: str | None,
    alpha: float | None,
    beta: float | None,
    model: str | None,
    clock: str | None,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    openings: str | None,
    balance: str | None,
    resign: str | None,
    draw: str | None,
    longest: int | None,
    exact: str | None,
    seed: int,
    strict: bool,
    title: str | None,
    jobs: int | None,
    cluster: str | None,
    store: Path | None,
    as_json: bool,
) -> int:
    """Let PLAYERS meet in games that come in pairs: one opening, played once with each seating.

    A player is an engine with options and limits (iterative:nodes=3000), level:5, moves (script:4 4 3), or a
    program that speaks UGI, UCI, NBoard or GTP (ugi:./engine); NAME=PLAYER names it. Every game is kept in
    the store as it ends: after Ctrl-C, kill -9 or a power cut `gameplay resume` plays what is missing. With
    --sprt the status is 0 if the first is proven stronger, 3 if it is not, 4 if the games did not decide.

    \b
    Examples:
      gameplay match iterative alphabeta --game connect4 --games 200
      gameplay match new=iterative old=iterative:order=generated --sprt 0,20 --nodes 5000
      gameplay match iterative 'ugi:gameplay ugi connect4' --clock 5+0.05
    """
    from gameplay.runs import planning
    from gameplay.runs.openings import named

    if len(players) < 2:
        raise Usage(f"a match needs two players or more: gameplay match {players[0]} OPPONENT")
    test = None
    if sprt is not None:
        low, high = _numbers(sprt, "--sprt", "ELO0,ELO1, as in 0,20", 2, 2, float)
        given = {"alpha": alpha, "beta": beta, "model": model}
        test = {
            "elo0": low,
            "elo1": high,
            **{key: value for key, value in given.items() if value is not None},
        }
    elif (alpha, beta, model) != (None, None, None):
        raise Usage("--alpha, --beta and --model go with --sprt ELO0,ELO1")
    begins: dict[str, Any] = {"balance": balance}
    if openings is not None:
        if openings.isdecimal():
            begins["plies"] = int(openings)
        else:
            file, begins["plies"] = named(openings)
            begins["file"] = str(Path(file).resolve())
    rules: dict[str, Any] = {"plies": longest, "exact": exact}
    if resign is not None:
        rules["resign"] = _rule(resign, "--resign")
    if draw is not None:
        rules["draw"] = _rule(draw, "--draw")
    plan = planning.build(
        game,
        players,
        games=games if games is not None or test is None else _most(game, seed, begins),
        sprt=test,
        clock=clock,
        depth=depth,
        nodes=nodes,
        time=seconds,
        seed=seed,
        strict=strict,
        title=title,
        openings={key: value for key, value in begins.items() if value is not None} or None,
        adjudicate={key: value for key, value in rules.items() if value is not None} or None,
    )
    return begin(plan, store, jobs, cluster, as_json)


def _most(game: str, seed: int, begins: dict[str, Any]) -> int:
    """As many games as an SPRT may need, or as there are openings for."""
    from gameplay import registry
    from gameplay.runs.openings import drawn, lines_of, read

    pairs = SPRT_GAMES // 2
    if begins["balance"] is not None:
        return 2 * pairs
    found = registry.game(game)
    if "file" not in begins:
        return 2 * len(drawn(found, pairs, seed, begins.get("plies"), fewer=True))
    file = begins["file"]
    return 2 * min(pairs, max(1, len(read(found, lines_of(file), file, begins["plies"]).openings)))


def _numbers(words: str, option: str, right: str, least: int, most: int, kind: Any) -> list[Any]:
    try:
        found = [kind(part) for part in words.split(",")]
    except ValueError:
        found = []
    if not least <= len(found) <= most:
        raise Usage(f"{option} is {right}, not '{words}'")
    return found


def _rule(words: str, option: str) -> dict[str, int]:
    found = _numbers(words, option, "VALUE or VALUE,MOVES, whole numbers", 1, 2, int)
    return dict(zip(("value", "moves"), found, strict=False))


def begin(plan: "Plan", store: Path | None, jobs: int | None, cluster: str | None, as_json: bool) -> int:
    """Begin a run of the plan, play it and show it; the exit status."""
    from gameplay.runs import stored
    from gameplay.runs.schedule import Schedule
    from gameplay.store.runs import Store

    schedule = Schedule(plan)
    with Store(store) as kept:
        return go_on(kept, stored.begin(kept, schedule), schedule, jobs, cluster, as_json, store)


def go_on(
    kept: "Store",
    run: str,
    schedule: "Schedule | None",
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
    place: Path | None,
) -> int:
    """Play what is missing of a run, and show it; the exit status.

    `schedule` is that of a run which has just begun; without it the run is taken up again as what it was.
    """
    import json
    import time

    from gameplay.display.live import Live
    from gameplay.runs import runner as running
    from gameplay.runs import stored
    from gameplay.runs.summary import Ending
    from gameplay.runs.workers import Cluster, Crew, Local

    found = kept.run(run)
    with stored.held(kept, found):
        schedule = schedule or stored.resume(kept, found)
        clocks = any(schedule.plan.clock_of(entry) for entry in schedule.plan.players)
        jobs = jobs or max(1, cores() - clocks)
        total = schedule.total
        if total is not None:
            jobs = min(jobs, total)
        crew: Crew = Cluster(cluster) if cluster else Local(jobs)
        began = time.perf_counter()
        command = f"gameplay resume {found.id}" + (f" --store {_quoted(place)}" if place else "")
        with Live(schedule, stored.counted(kept, found)) as live:
            runner = stored.play(kept, found, schedule, crew, live)
        took = time.perf_counter() - began
        ended = Ending(kept, kept.run(found.id), schedule, took, jobs)
    if as_json:
        click.echo(json.dumps(ended.as_dict() | {"ended": runner.reason}))
    else:
        from gameplay.display.ending import show

        show(ended)
    if runner.reason in (running.INTERRUPTED, running.STOPPED):
        due = f" of {total:,}" if total is not None else ""
        click.echo(
            f"{runner.words} after {ended.summary.counted:,}{due} games; go on with: {command}", err=True
        )
    elif runner.reason == running.FAILED:
        onward = "" if runner.whole else f"; go on all the same with: {command}"
        click.echo(f"gameplay: {runner.words}{onward}", err=True)
    elif runner.reason == running.INCOMPLETE:
        many = f"{runner.quarantined} games" if runner.quarantined > 1 else "a game"
        click.echo(f"gameplay: {many} came to nothing {running.ATTEMPTS} times and are left out", err=True)
    return status(runner)


def status(runner: Any) -> int:
    """The exit status of a run that ended so."""
    from gameplay.runs import runner as running

    if runner.reason == running.INTERRUPTED:
        return 130 if runner.number == 2 else 143
    if runner.reason in (running.FAILED, running.INCOMPLETE):
        return 5
    if runner.reason == running.DECIDED:
        return 0 if runner.standing.verdict.decision == "H1" else 3
    undecided = runner.schedule.plan.sprt is not None
    return 4 if undecided or runner.reason == running.STOPPED else 0


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))
