"""Guards against wrong conclusions from a match whose games were all played correctly.

A guard is a pure function of counts. It returns None if there is no objection, else a `Guard` with the reason
and the remedy. If `refuses` is true the figures are invalid and must not be shown; otherwise they are shown
with the warning beside them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WARN_DUPLICATES = 0.01  # warn above this share of games
HIDE_DUPLICATES = 0.05  # the interval is too narrow to be shown above this share of games
MAX_FORFEITS = 0.01  # share of games lost on time above which a match measures the clock, not the play


@dataclass(frozen=True)
class Guard:
    """An objection to figures: a short name, the reason, what to do, and whether to withhold the figures."""

    name: str
    reason: str
    remedy: str
    refuses: bool = False

    def __str__(self) -> str:
        return f"{self.reason}; {self.remedy}"


def duplicates(games: int, repeats: int) -> Guard | None:
    """Object to repeated games, which make the confidence interval too narrow.

    `repeats` of the `games` have the same moves as an earlier game. Warns above 1 %, refuses above 5 %.
    """
    if not games or repeats <= WARN_DUPLICATES * games:
        return None
    return Guard(
        "duplicates",
        f"{repeats} of {games} games repeat another move for move, which makes the interval too narrow",
        "begin from more openings (more random plies, or a longer file)",
        repeats > HIDE_DUPLICATES * games,
    )


def openings(pairs: int, distinct: int) -> Guard | None:
    """Refuse figures if the `pairs` had fewer `distinct` openings: they are then not independent."""
    if distinct >= pairs:
        return None
    return Guard(
        "openings",
        f"{pairs} pairs began from only {distinct} different openings, so they are not independent",
        f"give at least {pairs} openings, or play {2 * distinct} games",
        True,
    )


def forfeits(games: int, late: int, player: str = "") -> Guard | None:
    """Warn if more than 1 % of the `games` were lost on time (`late`), by `player` if given."""
    if not games or late <= MAX_FORFEITS * games:
        return None
    return Guard(
        "forfeits",
        f"{late} of {games} games were lost on time{f' by {player}' if player else ''}, more than "
        f"{100 * MAX_FORFEITS:g} %: this measures the clock and the machine, not the play",
        "run fewer games at once, give more time or margin, or limit depth or nodes",
    )


def variety(counts: Sequence[int]) -> Guard | None:
    """Warn if all results are equal but neither wins nor losses: there is then no spread to estimate from.

    `counts` are three of games or five of pairs.
    """
    total = sum(counts)
    if total < 2 or total not in counts[1:-1]:
        return None
    noun = "pairs" if len(counts) == 5 else "games"
    return Guard(
        "variety",
        f"all {total} {noun} ended alike, so there is no spread and no interval, only bounds",
        "begin from more openings, or from less balanced ones; if the engines should be equal, "
        "compare their moves instead",
    )


def peeking(planned: int, finished: int, sprt: bool = False) -> Guard | None:
    """Warn of optional stopping: a run of `planned` games that ended after `finished` without an SPRT."""
    if sprt or finished >= planned:
        return None
    return Guard(
        "peeking",
        f"only {finished:,} of {planned:,} games are finished, and stopping when a result looks good finds a "
        "false difference in a third of all matches",
        "resume the run, or let an SPRT decide when to stop",
    )
