"""The profile of a game: its length, branching factor, first-move advantage, and the effect of skill.

    random games     lengths, moves to choose from by ply, results; the size of the tree by Knuth's sampling
    positions        counted if there are few, otherwise estimated (`statistics.knuth`)
    engines' games   a ladder: the default engine, with twice the nodes on each rung; in pairs
                       from one opening with seats exchanged. Also lengths and results, lead changes, and when
                       the game was decided, by the engine values

All random choices come from one seed. If time runs out, fewer results are reported.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import GameplayError, Usage
from gameplay.matches.random_moves import random_move
from gameplay.position import CHANCE, AbstractPosition
from gameplay.registry import Game
from gameplay.runs import openings
from gameplay.runs.job import GameResult, Job, Seat, play
from gameplay.runs.pairing import points
from gameplay.runs.pool import Pool
from gameplay.search.seeds import seed_of
from gameplay.statistics import interval, knuth
from gameplay.statistics.interval import Estimate, NoRating
from gameplay.statistics.rating import Rating, rate
from gameplay.statistics.tally import Tally

LOWEST_LIMIT = 250  # nodes or simulations a move on the lowest rung
RUNGS = 4  # doublings
PAIRS = 20  # of games per rung, if time allows
RANDOM_GAMES = 1_000  # random games, likewise
MAX_PLIES = 2_000  # plies after which a random game is abandoned
MAX_COUNTED = 200_000  # maximum positions to count exactly
PATHS = 300  # random paths for the estimate of the positions
MAX_PATH = 60  # maximum plies of games whose positions are estimated
LEAD = 0.6  # expected points from which a player leads
GAME_TIME = 600.0  # seconds after which a game is considered hung
SHARES = (0.15, 0.35)  # share of the time after which random games, and positions, end
TICK = 0.2

Watch = Callable[[str], object]


@dataclass
class GamesPlayed:
    """The results of a set of games."""

    lengths: Counter[int] = field(default_factory=Counter)
    points: list[float] = field(default_factory=list)  # of the first player, 0 to 1
    draws: int = 0
    # By ply: the sum of legal moves, and the games that reached it.
    moves_by_ply: list[list[int]] = field(default_factory=list)
    exponents: list[float] = field(default_factory=list)  # by game: log10 of the moves, multiplied

    @property
    def games(self) -> int:
        """The number of finished games."""
        return len(self.points)

    @property
    def length(self) -> float:
        """Mean number of plies."""
        return sum(length * count for length, count in self.lengths.items()) / max(1, self.games)

    @property
    def score(self) -> tuple[float, float, float]:
        """The first player's share of the points, and its 95 % interval."""
        score = interval.estimate(self.points, span=(0.0, 1.0), against=0.5)
        return score.mean, score.low, score.high

    @property
    def branching(self) -> list[float]:
        """The mean number of moves by ply, without chance moves."""
        return [total / count if count else 0.0 for total, count in self.moves_by_ply]

    @property
    def width(self) -> float:
        """The mean number of legal moves, over all positions except chance nodes."""
        total, count = (
            (sum(column) for column in zip(*self.moves_by_ply, strict=True)) if self.moves_by_ply else (0, 0)
        )
        return total / count if count else 0.0

    @property
    def tree(self) -> Estimate | None:
        """log10 of the size b^m of the game tree: the mean over games of the product of branching factors
        along each game, with its 95 % interval; None if games do not differ.
        """
        try:
            return interval.estimate(self.exponents)
        except NoRating:
            return None

    def end(self, payoffs: Sequence[float], widths: Sequence[int]) -> None:
        """Add a game. widths: legal moves at each ply, 0 at chance nodes."""
        self.lengths[len(widths)] += 1
        self.points.append(points(payoffs)[0])
        self.draws += max(payoffs) == min(payoffs)
        self.exponents.append(sum(math.log10(width) for width in widths if width))
        for ply, width in enumerate(widths):
            if ply == len(self.moves_by_ply):
                self.moves_by_ply.append([0, 0])
            if width:
                self.moves_by_ply[ply][0] += width
                self.moves_by_ply[ply][1] += 1


@dataclass
class LadderStep:
    """Results of a player with twice the nodes against one with `limit`."""

    limit: int  # of the second
    tally: Tally = field(default_factory=Tally)

    @property
    def rating(self) -> Rating | str:
        """The Elo rating, or the reason why there is none."""
        try:
            return rate(self.tally.pairs)
        except NoRating as reason:
            return str(reason)


@dataclass
class Profile:
    """The profile of a game."""

    game: str
    seed: int
    players: int
    random: GamesPlayed = field(default_factory=GamesPlayed)
    lines: knuth.TreeSize | None = None  # lines of play to the end
    nodes: knuth.TreeSize | None = None  # of its tree
    positions: int | None = None  # counted
    states: knuth.TreeSize | None = None  # ... or estimated
    engine: str = ""
    unit: str = "nodes"  # of the limits
    matches: GamesPlayed = field(default_factory=GamesPlayed)
    rungs: list[LadderStep] = field(default_factory=list)
    leads: list[int] = field(default_factory=list)  # lead changes by game
    # When the winner took the final lead, as a fraction of the game.
    decided: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    branches: list[list[int]] = field(default_factory=list)  # branches along each random game


def profile(
    profile: Profile, game: Game, ends: float, pairs: int = PAIRS, slots: int = 1, watch: Watch | None = None
) -> None:
    """Fill in a profile until it is complete or the time `ends` (`time.monotonic`) is reached.

    After Ctrl-C the profile is consistent but incomplete. Raises Fault if the game's code fails.
    """
    progress = watch or (lambda words: None)
    began = time.monotonic()
    first, second = (began + share * (ends - began) for share in SHARES)
    try:
        sample(profile, game, first, progress)
        count(profile, game, second, progress)
        compete(profile, game, ends, pairs, slots, progress)
    finally:
        estimate(profile)


def empty_profile(game: Game, seed: int, typed: str = "") -> Profile:
    """An empty profile; `typed`: how the user named the game. Raises Usage for a puzzle."""
    position = game.new()
    if position.players < 2:
        word = typed or game.spec
        raise Usage(f"{game.name} is for one player: gameplay selfplay {word} solves instances of it")
    return Profile(game.spec, seed, position.players)


# -- random games -----------------------------------------------------------------------------------


def sample(profile: Profile, game: Game, ends: float, watch: Watch, wanted: int | None = None) -> None:
    """Play random games: chance by its probabilities, moves uniformly."""
    # The referee guards against faults of the game's code.
    match = openings.match_after(game, openings.Opening())
    unfinished = 0
    for number in range(wanted or RANDOM_GAMES):
        rng = Random(seed_of(profile.seed, "random", number))
        payoffs, widths, branches = match.call_game("random play", _random_game, match.position, rng)
        if payoffs is None:
            unfinished += 1
            if unfinished > 20:
                break
        else:
            profile.random.end(payoffs, widths)
            profile.branches.append(branches)
        watch(f"random games: {number + 1:,}")
        if time.monotonic() > ends and number >= 1:
            break
    if unfinished:
        profile.notes.append(
            f"{unfinished} random games had no end after {MAX_PLIES:,} plies, and are not counted"
        )


def _random_game(
    position: AbstractPosition, rng: Random
) -> tuple[Sequence[float] | None, list[int], list[int]]:
    """Play a random game and unmake it: payoffs, legal moves by ply (0: chance), all branches."""
    widths: list[int] = []
    branches: list[int] = []
    while (payoffs := position.outcome()) is None and len(widths) < MAX_PLIES:
        choices = len(position.moves())
        widths.append(0 if position.turn == CHANCE else choices)
        branches.append(choices)
        position.make(random_move(position, rng))
    for _ in widths:
        position.unmake()
    return payoffs, widths, branches


def estimate(profile: Profile) -> None:
    """Estimate the size of the tree from the random games so far."""
    if profile.branches and not any(note.startswith("chance") for note in profile.notes):
        profile.lines, profile.nodes = knuth.leaves(profile.branches), knuth.nodes(profile.branches)


# -- positions --------------------------------------------------------------------------------------


def count(profile: Profile, game: Game, ends: float, watch: Watch) -> None:
    """Count the positions one by one; if there are too many, estimate their number."""
    position = game.new()
    if position.hidden:
        profile.notes.append("positions are not counted in games of imperfect information")
        return
    profile.positions = count_positions(
        position, MAX_COUNTED, min(ends, time.monotonic() + (ends - time.monotonic()) / 2), watch
    )
    if profile.positions is not None:
        return
    if profile.random.games and profile.random.length > MAX_PATH:
        profile.notes.append(f"positions are not estimated: random games are longer than {MAX_PATH} plies")
        return
    lines: list[list[tuple[int, int]]] = []
    for number in range(PATHS):
        rng = Random(seed_of(profile.seed, "way", number))
        line = random_path(game.new(), rng)
        if line is None:
            profile.notes.append("positions are not estimated: they can repeat")
            return
        lines.append(line)
        watch(f"positions: {number + 1} of {PATHS} random paths")
        if time.monotonic() > ends:
            break
    if len(lines) > 1:
        profile.states = knuth.positions(lines)


def count_positions(position: AbstractPosition, most: int, ends: float, watch: Watch) -> int | None:
    """The number of reachable positions by key, including the first; None if more than `most`."""
    seen = {position.key()}
    pending: list[tuple[int, ...]] = [()]  # lines to positions that are not expanded
    path: list[int] = []  # the moves made on `position`
    while pending:
        line = pending.pop()
        shared = 0
        while shared < min(len(path), len(line)) and path[shared] == line[shared]:
            shared += 1
        while len(path) > shared:
            position.unmake()
            path.pop()
        for move in line[shared:]:
            position.make(move)
            path.append(move)
        if position.outcome() is not None:
            continue
        for move in position.moves():
            position.make(move)
            key = position.key()
            if key not in seen:
                seen.add(key)
                pending.append((*line, move))
            position.unmake()
        if len(seen) > most or time.monotonic() > ends:
            return None
        watch(f"positions: {len(seen):,}")
    return len(seen)


def random_path(position: AbstractPosition, rng: Random) -> list[tuple[int, int]] | None:
    """A random path to an end: at each step the branches, and the number of known predecessors.

    Predecessors are found by moving an earlier move of the same player to the end, if that leads to the same
    position. None if a position repeats.
    """
    counts: list[tuple[int, int]] = []
    moves: list[int] = []
    turns: list[int] = []
    seen = {position.key()}
    while position.outcome() is None and len(moves) < MAX_PATH:
        choices = position.moves()
        move = choices[rng.randrange(len(choices))]
        before = position.key()
        turns.append(position.turn)
        position.make(move)
        moves.append(move)
        if position.key() in seen:
            return None
        seen.add(position.key())
        counts.append((len(choices), len({before, *_other_predecessors(position, moves, turns)})))
    return counts


def _other_predecessors(
    position: AbstractPosition, moves: Sequence[int], turns: Sequence[int]
) -> Iterator[Hashable]:
    """Keys of predecessors on lines where another move of the player comes last."""
    key = position.key()
    last = len(moves) - 1
    for earlier in range(last - 1, -1, -1):
        if turns[earlier] != turns[last] or moves[earlier] == moves[last]:
            continue
        for _ in range(last + 1 - earlier):
            position.unmake()
        for line in _reorderings(moves, turns, earlier):
            before, after = _last_but_one(position, line, turns[earlier:])
            if after == key:
                yield before
                break
        for move in moves[earlier:]:
            position.make(move)


def _reorderings(moves: Sequence[int], turns: Sequence[int], earlier: int) -> Iterator[list[int]]:
    """Lines with the move `earlier` last: swapped with the last, or with the player's other moves shifted
    forward.
    """
    yield [moves[-1], *moves[earlier + 1 : -1], moves[earlier]]
    line = list(moves[earlier:])
    own = [at for at, turn in enumerate(turns[earlier:]) if turn == turns[-1]]
    for at, later in pairwise(own):
        line[at] = moves[earlier + later]
    line[-1] = moves[earlier]
    if len(own) > 2:
        yield line


def _last_but_one(
    position: AbstractPosition, line: Sequence[int], turns: Sequence[int]
) -> tuple[Hashable, Hashable]:
    """The keys before and after the last move of a line; None if it is illegal for these players."""
    count, before = 0, None
    for move, turn in zip(line, turns, strict=True):
        if position.outcome() is not None or position.turn != turn or move not in position.moves():
            break
        before = position.key()
        position.make(move)
        count += 1
    after = position.key() if count == len(line) else None
    for _ in range(count):
        position.unmake()
    return before, after


# -- games of engines -------------------------------------------------------------------------------


def compete(profile: Profile, game: Game, ends: float, pairs: int, slots: int, watch: Watch) -> None:
    """Play the ladder, a pair of games on each rung in turn."""
    position = game.new()
    try:
        engine = registry.default_engine(position)
    except Usage as error:
        profile.notes.append(f"no engine plays: {error}")
        return
    if not engine.thinks:
        profile.notes.append("no engine that searches can play it: there is no skill ladder")
        return
    profile.engine, profile.unit = engine.name, "simulations" if engine.simulates else "nodes"
    if position.players == 2:
        profile.rungs = [LadderStep(LOWEST_LIMIT << number) for number in range(RUNGS)]
    jobs = list(_jobs(profile, game, pairs))
    done = 0
    for result in results(jobs, slots, ends):
        done += 1
        add_game(profile, game, result)
        watch(f"games of {profile.engine}: {done} of {len(jobs)}")
    if done < len(jobs):
        profile.notes.append(f"{done} of {len(jobs)} games of {profile.engine} were finished in the time")


def _jobs(profile: Profile, game: Game, pairs: int) -> Iterator[Job]:
    """The games in order of play: pair by pair, cycling through the rungs.

    A pair's number determines its rung. With more than two players all seats have the same limit, and each
    opening is played once.
    """
    duel = profile.players == 2
    legs, rungs = (2, len(profile.rungs)) if duel else (1, 1)
    begin = openings.draw_openings(game, pairs * rungs, profile.seed, fewer=True)
    for number in range(pairs * rungs):
        opening = begin[number % len(begin)]
        limit = profile.rungs[number % rungs].limit if duel else LOWEST_LIMIT << RUNGS
        for leg in range(legs):
            limits = [limit] * profile.players
            if duel:
                limits[leg] *= 2
            yield Job(
                number,
                leg,
                1,
                game.spec,
                tuple(
                    _seat(profile, each, seed_of(profile.seed, number, leg, seat))
                    for seat, each in enumerate(limits)
                ),
                seed_of(profile.seed, number),
                opening.start,
                opening.moves,
                first=leg,
                deadline=GAME_TIME,
            )


def _seat(profile: Profile, limit: int, seed: int) -> Seat:
    if profile.unit == "simulations":
        return Seat(profile.engine, profile.engine, seed, sims=limit)
    return Seat(profile.engine, profile.engine, seed, nodes=limit)


def results(jobs: Sequence[Job], slots: int, ends: float) -> Iterator[GameResult]:
    """Play games while there is time; in this process if there are no slots. Raises Fault as `profile`."""
    if not slots:
        for job in jobs:
            if time.monotonic() > ends:
                return
            yield play(job)
        return
    with Pool(slots) as pool:
        pending = list(reversed(jobs))
        waiting = 0
        while time.monotonic() < ends:
            while pool.free and pending:
                job = pending.pop()
                pool.submit(play, job, job.deadline)
                waiting += 1
            if not waiting:
                return
            for ended in pool.wait(TICK):
                waiting -= 1
                if isinstance(ended.error, GameplayError):
                    raise ended.error
                if ended.error is None and not ended.died and ended.result.counts:
                    yield ended.result


def add_game(profile: Profile, game: Game, done: GameResult) -> None:
    """Add a game of engines."""
    if done.record is None or not done.payoffs or done.termination != "rules":
        return
    if profile.rungs and done.points is not None:
        profile.rungs[done.pair % len(profile.rungs)].tally.add(done.pair, done.points)
    position = game.new(done.record.start)
    widths, values = [], []
    for ply in done.record.moves:
        widths.append(0 if position.turn == CHANCE else len(position.moves()))
        position.make(position.parse(ply.move))
        if ply.value is not None and profile.players == 2:
            bound = "expectation" if isinstance(ply.value, float) else "exact"
            expected = scale.expected_score(ply.value, position, bound)
            values.append(expected if ply.player == 0 else 1 - expected)
    profile.matches.end(done.payoffs, widths)
    if values:
        changes, share = lead_changes(values, points(done.payoffs)[0])
        profile.leads.append(changes)
        if share is not None:
            profile.decided.append(share)


def lead_changes(values: Sequence[float], points: float) -> tuple[int, float | None]:
    """The number of lead changes, and where the winner took the final lead, 0 to 1; None: no winner.

    `values` are the first player's expected points; a player with at least LEAD leads, until the other does.
    """
    leaders = [(value >= LEAD) - (value <= 1 - LEAD) for value in values]
    leading = [leader for leader in leaders if leader]
    changes = sum(one != other for one, other in pairwise(leading))
    winner = (points > 0.5) - (points < 0.5)
    if not winner:
        return changes, None
    at = len(leaders)
    while at and leaders[at - 1] == winner:
        at -= 1
    return changes, at / len(leaders)
