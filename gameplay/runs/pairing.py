"""Pairings: players, order and openings, determined by the plan and the results.

A `Pair` is one opening played once with each seating: two games in a two-player game, n in a game for n,
where the seats rotate; the order of the other players changes from one opening to the next. All games of the
same players are an encounter, `plan.games` games.

    match         one encounter of all players
    round-robin   each player meets every other; the pairs of all encounters are interleaved
    gauntlet      the first player meets each of the others
    knockout      the player with the higher score advances. Players are seeded in the order of the list:
                  first and second can meet in the last round only, and top seeds have the byes. A tie is
                  extended by at most `EXTRA_ROUNDS` pairs, one at a time; then the higher seed advances.
    swiss         in each round players of equal score meet, upper half against lower half, without rematches
                  if possible; with an odd number one player has a bye, which counts as a won encounter;
                  second byes are avoided. Score: 1 for an encounter won, 1/2 for a drawn one. Ties in the
                  table are broken by Buchholz (the sum of the opponents' scores), then by the order of the
                  list.

`scheduled_pairs` maps results to pairs; more results only append pairs. A stage begins when the previous one
is complete, so the schedule is independent of the order in which games finish and of interruptions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gameplay.runs.plan import Plan

EXTRA_ROUNDS = 4  # additional pairs to break a knockout tie
STEPS = 20_000  # search steps to pair a Swiss round without rematches

Results = Mapping[int, Sequence[float]]  # number of a pair: the points of each of its players


@dataclass(frozen=True)
class Pair:
    """One opening with each seating. `players` are numbers in the plan's list, by their seats in leg 0."""

    number: int  # in the run, from 0
    round: int  # from 0
    players: tuple[int, ...]
    opening: int  # index of the run's opening; no encounter repeats one

    @property
    def legs(self) -> int:
        """The number of games of the pair."""
        return len(self.players)

    def seating(self, leg: int) -> tuple[int, ...]:
        """The players by seat in a leg: the seats rotate, with two players they are exchanged."""
        return self.players[leg:] + self.players[:leg]


@dataclass(frozen=True)
class Ranked:
    """A line of the table. `score`: points of games; rounds won (knockout); encounters won (swiss)."""

    player: int
    score: float
    buchholz: float = 0.0  # swiss only


def points(payoffs: Sequence[float]) -> tuple[float, ...]:
    """A game's points by seat: the fraction of the other players with a lower payoff, ties counting half.

    Tables, ratings, stored games and their checks all use these points. With two players 1, 1/2 or 0; with
    three, payoffs of (2, 1, 0) give 1, 1/2 and 0. They sum to half the number of players.
    """
    others = len(payoffs) - 1
    return tuple(
        (sum(own > pay for pay in payoffs) + (sum(own == pay for pay in payoffs) - 1) / 2) / others
        for own in payoffs
    )


def openings_needed(plan: "Plan", seats: int = 2) -> int:
    """The number of openings that `scheduled_pairs` may use."""
    return plan.games // seats + (EXTRA_ROUNDS if plan.form == "knockout" else 0)


def rounds(plan: "Plan") -> int:
    """The number of rounds; 1 for forms without rounds."""
    if plan.form == "swiss" and plan.rounds is not None:
        return plan.rounds
    return (len(plan.players) - 1).bit_length() if plan.form in ("swiss", "knockout") else 1


def scheduled_pairs(plan: "Plan", results: Results, seats: int = 2) -> list[Pair]:
    """The pairs scheduled so far, by number; the run is complete when all have results.

    `results` are irrelevant for a match, a round robin or a gauntlet, whose schedule is fixed.
    """
    if plan.form == "knockout":
        return _Knockout(plan, results).pairs
    if plan.form == "swiss":
        return _Swiss(plan, results).pairs
    tables = _seatings(plan, seats)
    return [
        Pair(encounter * len(tables) + number, 0, _order(table, encounter), encounter)
        for encounter in range(plan.games // seats)
        for number, table in enumerate(tables)
    ]


def _order(table: tuple[int, ...], encounter: int) -> tuple[int, ...]:
    """The order of a table in an encounter: the first player, then the others in the encounter's permutation.

    With the rotations of the seats all orders occur.
    """
    first, *others = table
    nth, pool, order = encounter % factorial(len(others)), others, [first]
    for remaining in range(len(others), 0, -1):
        at, nth = divmod(nth, factorial(remaining - 1))
        order.append(pool[at])
        pool = pool[:at] + pool[at + 1 :]
    return tuple(order)


def standings(plan: "Plan", results: Results, seats: int = 2) -> list[Ranked]:
    """The table by the results so far, best first."""
    if plan.form == "knockout":
        lines = _Knockout(plan, results).standings()
    elif plan.form == "swiss":
        lines = _Swiss(plan, results).standings()
    else:
        score = [0.0] * len(plan.players)
        for pair in scheduled_pairs(plan, results, seats):
            for player, own in zip(pair.players, results.get(pair.number, ()), strict=False):
                score[player] += own
        lines = [Ranked(player, own) for player, own in enumerate(score)]
    return sorted(lines, key=lambda line: (-line.score, -line.buchholz, line.player))


def _seatings(plan: "Plan", seats: int) -> list[tuple[int, ...]]:
    seated = range(len(plan.players))
    if plan.form == "match":
        return [tuple(seated)]
    every = combinations(seated, seats)
    return [table for table in every if plan.form == "round-robin" or 0 in table]


class _Staged:
    """A schedule that grows stage by stage; pairs are numbered in the order of the stages."""

    def __init__(self, plan: "Plan", results: Results) -> None:
        self.plan = plan
        self.results = results
        self.each = plan.games // 2  # pairs of an encounter
        self.pairs: list[Pair] = []
        self.play()

    def play(self) -> None:
        raise NotImplementedError

    def stage(self, meetings: Sequence[tuple[int, int]], round: int, openings: range) -> bool:
        """Schedule a pair for each meeting and opening; false if results are missing."""
        first = len(self.pairs)
        for opening in openings:
            for meeting in meetings:
                self.pairs.append(Pair(len(self.pairs), round, meeting, opening))
        return all(pair.number in self.results for pair in self.pairs[first:])

    def lead(self, meeting: tuple[int, int], round: int) -> float:
        """The lead in points of the first player in the encounter of this round."""
        lead = 0.0
        for pair in self.pairs:
            if pair.round == round and pair.players == meeting:
                own, other = self.results[pair.number]
                lead += own - other
        return lead


class _Knockout(_Staged):
    def play(self) -> None:
        self.won = [0] * len(self.plan.players)
        bracket = _bracket(len(self.plan.players))
        for round in range(rounds(self.plan)):
            slots = list(zip(bracket[::2], bracket[1::2], strict=True))
            meetings = [_meeting(one, other) for one, other in slots if one is not None and other is not None]
            if not self.decide(meetings, round):
                return
            bracket = [self.winner(slot, round) for slot in slots]
            for player in bracket:
                assert player is not None
                self.won[player] += 1

    def decide(self, meetings: list[tuple[int, int]], round: int) -> bool:
        """Schedule the round and its extra pairs; true if every meeting is decided."""
        if not self.stage(meetings, round, range(self.each)):
            return False
        for extra in range(EXTRA_ROUNDS):
            tied = [meeting for meeting in meetings if self.lead(meeting, round) == 0]
            if not self.stage(tied, round, range(self.each + extra, self.each + extra + 1)):
                return False
        return True

    def winner(self, slot: tuple[int | None, int | None], round: int) -> int | None:
        one, other = slot
        if one is None or other is None:
            return other if one is None else one
        meeting = _meeting(one, other)
        return meeting[0] if self.lead(meeting, round) >= 0 else meeting[1]

    def standings(self) -> list[Ranked]:
        return [Ranked(player, score) for player, score in enumerate(self.won)]


def _meeting(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _bracket(count: int) -> list[int | None]:
    """The players in the order of the bracket, None for a bye: 0, 7, 3, 4, 1, 6, 2, 5 for eight."""
    order = [0]
    while len(order) < count:
        last = 2 * len(order) - 1
        order = [place for seed in order for place in (seed, last - seed)]
    return [seed if seed < count else None for seed in order]


class _Swiss(_Staged):
    def play(self) -> None:
        count = len(self.plan.players)
        self.score = [0.0] * count
        self.met: list[list[int]] = [[] for _ in range(count)]
        self.byes = [0] * count
        for round in range(rounds(self.plan)):
            order = [line.player for line in sorted(self.standings(), key=_rank_key)]
            idle, meetings = self.pair_round(order)
            if not self.stage(meetings, round, range(self.each)):
                return
            if idle is not None:
                self.byes[idle] += 1
                self.score[idle] += 1
            for one, other in meetings:
                lead = self.lead((one, other), round)
                self.score[one] += 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
                self.score[other] += 1.0 if lead < 0 else 0.0 if lead > 0 else 0.5
                self.met[one].append(other)
                self.met[other].append(one)

    def standings(self) -> list[Ranked]:
        return [
            Ranked(player, own, sum(self.score[other] for other in self.met[player]))
            for player, own in enumerate(self.score)
        ]

    def pair_round(self, order: list[int]) -> tuple[int | None, list[tuple[int, int]]]:
        """The player with a bye, and the meetings. Rematches only if they cannot be avoided."""
        bye_candidates: list[int | None] = [None]
        if len(order) % 2:  # the last of those with the fewest byes
            ranks = sorted((self.byes[player], -place) for place, player in enumerate(order))
            bye_candidates = [order[-place] for _, place in ranks]
        for rematches in (False, True):
            for idle in bye_candidates:
                self.steps = 0
                pairs = self.match_players([player for player in order if player != idle], rematches)
                if pairs is not None:
                    return idle, pairs
        raise AssertionError("with rematches every player has an opponent")

    def match_players(self, order: list[int], rematches: bool) -> list[tuple[int, int]] | None:
        """Pair all players by preference, the first of the order first; None if that is impossible."""
        if not order:
            return []
        self.steps += 1
        if self.steps > STEPS:
            return None
        first = order[0]
        group = sum(self.score[player] == self.score[first] for player in order)
        half = max(1, group // 2)
        preferences = [*order[half:group], *reversed(order[1:half]), *order[group:]]
        if rematches:
            preferences.sort(key=lambda other: self.met[first].count(other))
        for other in preferences:
            if rematches or other not in self.met[first]:
                rest = self.match_players(
                    [player for player in order if player not in (first, other)], rematches
                )
                if rest is not None:
                    return [(first, other), *rest]
        return None


def _rank_key(line: Ranked) -> tuple[float, int]:
    return -line.score, line.player
