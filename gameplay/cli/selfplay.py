"""`selfplay`: a series of games between two engines, and what it proves.

`--json` prints one document, every result from the first engine's view:

    game, first, second, scheduled, seed, openings, sides    what was to be played
    games, wins, draws, losses                               what is finished
    seats                                                    the same by the seat the first engine had
    pairs                                                    pairs that brought it 0, 1/2, 1, 3/2, 2 points
    rating       {score, elo, low, high, los}, null in it where there is no bound; or null
    no_rating    why there is none; or null
    repeats, length                                          games alike another one; average plies
    efforts      [{moves, nodes, seconds, nps}, ...]         of the first and the second engine
    wall_seconds, jobs
"""

import os
import shlex
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay import __version__, registry
from gameplay.cli._options import ENGINE, FILE, GAME, cores, jobs_option, json_option, limit_options
from gameplay.errors import BadInput, Fault, Usage
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.display.progress import Progress
    from gameplay.runs.job import Done, Job
    from gameplay.runs.runner import ByState, Finished
    from gameplay.runs.schedule import Schedule
    from gameplay.runs.standing import Standing
    from gameplay.runs.summary import Summary
    from gameplay.store.series import SeriesGame, SeriesHeader

PLAYED = "connect4"
GAMES = 100
SEED = 1
NODES = 3_000  # a move, where nothing is limited: 100 games take seconds, uncompiled half a minute
WITH_RESUME = {"jobs", "as_json", "resume"}  # all the rest is in the file


@click.command(short_help="Let two engines meet many times")
@click.argument("game", type=GAME, default=PLAYED)
@click.option(
    "--first",
    type=ENGINE,
    metavar="ENGINE",
    help="Its results are shown [the engine that suits the game best].",
)
@click.option("--second", type=ENGINE, metavar="ENGINE", help="Its opponent [alphabeta].")
@click.option(
    "--games", type=int, metavar="N", help=f"How many [{GAMES}, or what the openings are enough for]."
)
@click.option(
    "--openings",
    metavar="PLIES|FILE",
    help="Begin after that many random plies, or from FILE: positions, one a line, or games (.pgn, .pdn, "
    "and FILE:8 for their first 8 plies). "
    "[the fewest plies, from 2, that give a distinct opening for each pair]",
)
@click.option("--seed", type=int, default=SEED, help=f"Decides everything that is random [{SEED}].")
@limit_options("Limits each move of both engines.", f"The same in positions [{NODES:,}].")
@jobs_option()
@click.option("--out", type=FILE, metavar="FILE", help="Keep the games, a JSON line each.")
@click.option("--resume", type=FILE, metavar="FILE", help="Go on with a file that --out began.")
@json_option()
@click.pass_context
def command(
    context: click.Context,
    game: str,
    first: str | None,
    second: str | None,
    games: int | None,
    openings: str | None,
    seed: int,
    limit: Limit,
    jobs: int | None,
    out: Path | None,
    resume: Path | None,
    as_json: bool,
) -> int:
    """Let two engines play GAME (default: connect4) against each other, many times.

    The games come in pairs: one opening, played twice with the seats exchanged. The same seed gives the
    same games at any number of --jobs, unless --time limits the moves. Engines are named as in
    `gameplay engines`, with options and limits of their own: alphabeta:depth=6,order=killer.

    \b
    Examples:
      selfplay connect4 --games 100
      selfplay tictactoe --first minimax --second random --games 20
      selfplay connect4 --first iterative:nodes=5000 --out games.jsonl
      selfplay --resume games.jsonl
    """
    from gameplay.store import series as store

    if resume is not None:
        _only_resume(context)
        header, lines = store.read(resume)
        if header.version != __version__:
            raise Usage(
                f"{resume} was begun by version {header.version}, and this is {__version__}: begin anew"
            )
        store.mend(resume)
        series = scheduled(header)
        return _play(series, header.openings, resume, store.decoded(resume, lines), jobs, as_json)
    if out is not None and out.exists():
        raise Usage(f"{out} exists: go on with it by --resume {out}, or give another name")
    series, source = _scheduled(game, first, second, limit, games, seed, openings)
    if out is not None:
        first, second = series.specs
        out.write_bytes(store.header_line(series.game.spec, (first, second), series.plan.games, seed, source))
    return _play(series, source, out, (), jobs, as_json)


def _only_resume(context: click.Context) -> None:
    for name in context.params:
        given = context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
        if given and name not in WITH_RESUME:
            raise Usage("--resume plays on as the file says: give nothing with it but --jobs and --json")


def _scheduled(
    spec: str,
    first: str | None,
    second: str | None,
    limit: Limit,
    games: int | None,
    seed: int,
    openings: str | None,
) -> tuple["Schedule", int | list[str]]:
    """The games, and where its openings come from as the file tells it."""
    from gameplay.players import seats
    from gameplay.runs.openings import lines_of, listed, named

    game = registry.game(spec)
    if game.new().players != 2:
        raise Usage(f"{game.name} is for {game.new().players} players; selfplay lets two engines meet")
    usual = seats.opponent(game)
    first = first or usual
    second = second or ("random" if usual == "random" else "alphabeta")
    engines = (_limited(first, game, limit), _limited(second, game, limit))
    source: int | list[str] | None = None
    fewer = games is None
    games = GAMES if games is None else games
    if openings is not None and openings.isdecimal():
        source = int(openings)
    elif openings is not None:
        file, plies = named(openings)
        try:
            lines = lines_of(file)
        except BadInput as error:
            raise BadInput(f"--openings is a number of plies or a file; {error}") from None
        _even(games)
        found = listed(game, lines, file, games // 2, seed, fewer, plies)
        source = [
            " ".join([opening.start, *["moves"] * bool(opening.moves), *opening.moves]).strip()
            for opening in found
        ]
    series = _series(spec, engines, games, seed, source, fewer)
    return series, len(series.openings[0].moves) if source is None else source


def _even(games: int) -> None:
    if games < 2 or games % 2:
        raise Usage(f"games come in pairs that exchange the seats: ask for an even number, not {games}")


def _series(
    spec: str, engines: Sequence[str], games: int, seed: int, source: int | list[str] | None, fewer: bool
) -> "Schedule":
    """The games from their openings; `fewer`: not so many, where there are too few openings."""
    from gameplay.runs.openings import drawn, read
    from gameplay.runs.plan import Entrant, Plan
    from gameplay.runs.schedule import Schedule

    _even(games)
    game = registry.game(spec)
    if isinstance(source, list):
        openings = read(game, source, "the list of openings").openings
    else:
        openings = drawn(game, games // 2, seed, source, fewer)
    players = [Entrant(player=engine) for engine in engines]
    return Schedule(Plan(game=game.spec, players=players, games=2 * len(openings), seed=seed), openings)


def _limited(spec: str, game: registry.Game, limit: Limit) -> str:
    """The player's spec with its limits: its own, then `limit`, and the default where there is neither."""
    from gameplay.players import seats

    player = seats.player(spec, game, limit=limit)
    if not player.limit:
        player = seats.player(spec, game, limit=Limit(nodes=NODES))
    return player.spec


def scheduled(header: "SeriesHeader") -> "Schedule":
    """The games that a file's header tells."""
    engines = (header.first, header.second)
    return _series(header.game, engines, header.games, header.seed, header.openings, fewer=False)


class InOrder:
    """Keeps and counts games in the order of the schedule, so that the file is the same at any speed."""

    def __init__(
        self, series: "Schedule", file: Path | None, summary: "Summary", progress: "Progress"
    ) -> None:
        from gameplay.runs.job import timed

        self.file = file
        self.summary = summary
        self.progress = progress
        self.pairs = series.pairs({})
        self.timed = timed(series.job(self.pairs[0], 0))
        self.waiting: dict[int, Finished] = {}

    def keep(self, played: "Sequence[Finished]", state: str | None = None) -> None:
        """See `runs.runner.Keeper`."""
        from gameplay.runs.played import from_job
        from gameplay.store import series as store

        self.waiting |= {job.number: (job, done) for job, done in played if done.counts}
        number = self.summary.counted
        due: list[Finished] = []
        while number + len(due) in self.waiting:
            due.append(self.waiting[number + len(due)])
        if self.file is not None and due:
            store.append(self.file, b"".join(self.line(job, done) for job, done in due))
        for job, done in due:
            del self.waiting[job.number]
            self.summary.add(from_job(job, done))
            losses, draws, wins = self.summary.duel.games
            self.progress.advance(f"won {wins}, drawn {draws}, lost {losses}")

    def line(self, job: "Job", done: "Done") -> bytes:
        """What the file keeps of a game."""
        from gameplay.store.series import game_line

        assert done.record is not None
        return game_line(job.pair, job.leg, done.record, done.times if self.timed else None)

    def stop_requested(self) -> bool:
        """See `runs.runner.Keeper`."""
        return False

    def emergency(self, played: "ByState") -> str:
        """See `runs.runner.Keeper`."""
        return f"are lost{_onward(self.file)}"

    def kept(self, played: "Sequence[Finished]", standing: "Standing") -> None:
        """See `runs.runner.Listener`."""

    def say(self, line: str) -> None:
        """See `runs.runner.Listener`."""
        self.progress.say(line)

    def hint(self, line: str) -> None:
        """See `runs.runner.Listener`."""
        self.progress.hint(line)


def _play(
    series: "Schedule",
    source: int | list[str],
    file: Path | None,
    finished: "Iterable[SeriesGame]",
    jobs: int | None,
    as_json: bool,
) -> int:
    """Play what is left of the games, keep it, show it; the exit status."""
    from gameplay.display.progress import Progress
    from gameplay.runs.played import from_series
    from gameplay.runs.runner import FAILED, INCOMPLETE, INTERRUPTED, Runner
    from gameplay.runs.standing import Standing
    from gameplay.runs.summary import Summary
    from gameplay.runs.workers import Local

    summary = Summary([entrant.name for entrant in series.plan.players])
    total = series.plan.games
    for number, line in enumerate(finished):
        pair, leg = divmod(number, 2)
        if (line.pair, line.leg) != (pair, leg) or line.result is None or number >= total:
            raise BadInput(f"{file}, line {number + 2} is not game {number + 1} of the series, finished")
        summary.add(from_series(line, summary.players, len(series.openings[pair].moves)))
    settled = {divmod(number, 2) for number in range(summary.counted)}
    jobs = min(jobs or cores(), max(1, total - summary.counted))
    began = time.perf_counter()
    with Progress(total, summary.counted) as progress:
        keeper = InOrder(series, file, summary, progress)
        runner = Runner(series, Standing(series), Local(jobs), keeper, keeper, settled)
        try:
            reason = runner.run()
        except Fault as fault:
            raise Fault(f"{fault}; {summary.counted} games are finished{_onward(file)}") from fault
    took = time.perf_counter() - began
    if reason in (FAILED, INCOMPLETE):
        words = runner.message or "a game came to nothing every time"
        raise Fault(f"{words}; {summary.counted} games are finished{_onward(file)}")
    _show(series, source, summary, took, jobs, as_json)
    if reason == INTERRUPTED:
        click.echo(f"interrupted after {summary.counted} of {total} games{_onward(file)}", err=True)
        return 130 if runner.number == 2 else 143
    return 0


def _onward(file: Path | None) -> str:
    if file is None:
        return ", none of them kept (--out FILE keeps games)"
    command = "selfplay" if os.path.basename(sys.argv[0]).startswith("selfplay") else "gameplay selfplay"
    return f"; go on with: {command} --resume {shlex.quote(str(file))}"


def _show(
    series: "Schedule", source: int | list[str], summary: "Summary", seconds: float, jobs: int, as_json: bool
) -> None:
    from gameplay.display import table
    from gameplay.display.theme import decide
    from gameplay.position import side

    game, engines, rating = series.game, series.specs, summary.rated()
    position = game.new()
    sides = [side(position, 0), side(position, 1)]
    if as_json:
        import json

        document = {
            "game": game.spec,
            "first": engines[0],
            "second": engines[1],
            "scheduled": series.plan.games,
            "seed": series.plan.seed,
            "openings": source,
            "sides": sides,
            **summary.match_dict(rating),
            "wall_seconds": round(seconds, 3),
            "jobs": jobs,
        }
        click.echo(json.dumps(document))
        return
    origin = (
        "listed openings"
        if isinstance(source, list)
        else f"openings of {source} random {'ply' if source == 1 else 'plies'}"
    )
    if source == 0:
        origin = "the start"
    name = game.name if "/" in game.spec else game.spec
    played = f"{summary.counted} of {series.plan.games} games"
    title = f"{name}: {played}, in pairs from {origin}, seed {series.plan.seed}"
    table.show(decide(), title, engines, sides, summary, rating, seconds, jobs)
