"""A series: many games between two engines, in pairs that share an opening with the seats exchanged.

    schedule   game n is leg n % 2 of pair n // 2; the first engine has seat 0 in leg 0 and seat 1 in leg 1
    play one   `play_one` knows the series and the number of the game and nothing else
    collect    `play` hands out finished games in the order of their numbers, whatever the number of workers

Every random choice follows from (seed, pair, leg): dice from (seed, pair), so that both legs meet the same
ones, and what an engine draws from (seed, pair, leg, seat). A game is therefore the same in any worker and
in any order, as long as the limits are depth or nodes.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from gameplay import registry
from gameplay.errors import Fault, GameplayError, Usage
from gameplay.matches.match import Match, seed_of
from gameplay.matches.openings import Opening, drawn
from gameplay.players import seats
from gameplay.players.engine import EnginePlayer

PLIES = 5_000  # no game may take longer: a game that turns in circles never ends
AHEAD = 4  # games a worker that are scheduled before the oldest is finished

Keep = Callable[[Match, int], Any]


@dataclass(frozen=True)
class Series:
    """What is to be played. The specs find game and engines again in another process."""

    game: str
    engines: tuple[str, str]  # the first and the second, with options and limits
    seed: int
    openings: tuple[Opening, ...]  # one a pair

    def __len__(self) -> int:
        return 2 * len(self.openings)


def schedule(
    game: str,
    engines: tuple[str, str],
    games: int,
    seed: int,
    openings: int | Sequence[str] | None = None,
    fewer: bool = False,
) -> Series:
    """A series of `games` games. `openings`: random plies (None: as few as do), or positions, one a pair.

    `fewer`: play fewer games where the game has too few openings.
    Raises Usage for an odd number of games, an engine that cannot play the game, or too few openings.
    """
    if games < 2 or games % 2:
        raise Usage(f"games come in pairs that exchange the seats: ask for an even number, not {games}")
    found = registry.game(game)
    for spec in engines:
        seats.player(spec, found)
    if openings is None or isinstance(openings, int):
        return Series(found.spec, engines, seed, tuple(drawn(found, games // 2, seed, openings, fewer)))
    return Series(found.spec, engines, seed, tuple(Opening(text) for text in openings))


@dataclass(frozen=True)
class Effort:
    """What one engine spent on a game, or on many."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0
    timed: int = 0  # the nodes that took those seconds: games read from a file may come without times

    def __add__(self, other: "Effort") -> "Effort":
        return Effort(
            self.moves + other.moves,
            self.nodes + other.nodes,
            self.seconds + other.seconds,
            self.timed + other.timed,
        )

    @property
    def nps(self) -> float:
        """Nodes a second; 0 if nothing was timed."""
        return self.timed / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Played:
    """A finished game, as far as a tally wants to know."""

    number: int
    points: float  # of the first engine: 1, 0.5 or 0
    plies: int  # the opening among them
    trail: bytes  # equal for games that are alike move for move, with the same engines on the same seats
    efforts: tuple[Effort, Effort]  # of the first and the second engine
    kept: Any = None  # what `keep` made of the match


def play_one(series: Series, number: int) -> Match:
    """Game `number` of the series, played. Raises Fault if an engine or the game fails, or no end comes."""
    pair, leg = divmod(number, 2)
    opening = series.openings[pair]
    game = registry.game(series.game)
    players = []
    for seat in range(2):
        seed = seed_of(series.seed, pair, leg, seat)
        players.append(seats.player(series.engines[seat ^ leg], game, seed))
    match = Match(game, players, opening.start, opening.moves, seed_of(series.seed, pair))
    match.listeners.append(lambda event: _patient(match))
    match.play()
    return match


def _patient(match: Match) -> None:
    if len(match.turns) > PLIES:
        raise Fault(
            f"{match.game.name} has not ended after {PLIES:,} plies: its rules must end it at some time"
        )


def timed(series: Series) -> bool:
    """True if a clock has a say in the games, so that they need not come out alike when played again."""
    game = registry.game(series.game)
    position = game.new()
    for spec in series.engines:
        player = seats.player(spec, game)
        if isinstance(player, EnginePlayer):
            limit = player.engine.default_limit(position, player.limit)
            if limit.seconds is not None:
                return True
    return False


def played(
    number: int,
    start: str,
    words: Iterable[str],
    turns: Iterable[Any],
    payoffs: Sequence[float],
    kept: Any = None,
) -> Played:
    """A finished game for a tally; `turns` tell `player` and `report` of each move."""
    leg = number % 2
    plies = 0
    efforts = [Effort(), Effort()]
    for turn in turns:
        plies += 1
        report = turn.report
        if report is not None:
            timed = report.nodes if report.seconds else 0
            efforts[turn.player ^ leg] += Effort(1, report.nodes, report.seconds, timed)
    mine, other = payoffs[leg], payoffs[1 - leg]
    points = 1.0 if mine > other else 0.0 if mine < other else 0.5
    trail = blake2b("\0".join([str(leg), start, *words]).encode(), digest_size=16).digest()
    return Played(number, points, plies, trail, (efforts[0], efforts[1]), kept)


def play(
    series: Series, numbers: Iterable[int], jobs: int, keep: Keep | None = None
) -> Generator[Played, None, None]:
    """Play those games in `jobs` processes and yield them in the order of `numbers`.

    `keep(match, number)` is called in the worker; it and what it returns must be picklable. Raises Fault if
    an engine, the game's code or a worker fails. When the iterator is closed, or Ctrl-C ends it, the workers
    are ended with it.
    """
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, (series, keep))
    waiting: deque[tuple[int, Future[Played]]] = deque()
    try:
        for number in numbers:
            waiting.append((number, _submit(pool, number)))
            if len(waiting) == AHEAD * jobs:
                yield _oldest(waiting)
        while waiting:
            yield _oldest(waiting)
    finally:
        if waiting:  # left early
            for worker in set(multiprocessing.active_children()) - others:
                worker.kill()
        pool.shutdown(cancel_futures=True)


def _oldest(waiting: deque[tuple[int, Future[Played]]]) -> Played:
    number, future = waiting[0]
    try:
        result = future.result()
    except BrokenProcessPool:
        raise Fault(
            f"a worker process died (killed, or out of memory) at game {number + 1} or soon after"
        ) from None
    waiting.popleft()
    return result


def _submit(pool: ProcessPoolExecutor, number: int) -> Future[Played]:
    """Submit, which may start a worker: it must be deaf to Ctrl-C from its first instruction."""
    if not hasattr(signal, "pthread_sigmask"):
        return pool.submit(_work, number)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        return pool.submit(_work, number)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


# -- in the worker ------------------------------------------------------------------------------

_series: Series
_keep: Keep | None


def _begin(series: Series, keep: Keep | None) -> None:
    global _series, _keep
    _series, _keep = series, keep
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    """End with the parent, even if it was killed: nobody would read what is played."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(number: int) -> Played:
    try:
        match = play_one(_series, number)
    except GameplayError as error:
        raise type(error)(f"game {number + 1}: {error}") from error
    assert match.payoffs is not None
    kept = _keep(match, number) if _keep else None
    return played(number, match.start, match.words(), match.turns, match.payoffs, kept)
