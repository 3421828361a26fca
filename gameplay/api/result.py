"""The results of a run as plain records, complete and independent of the store they come from."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.board import Displayed
from gameplay.extras import library
from gameplay.plural import plural
from gameplay.runs.faults import FaultCount
from gameplay.runs.played import MatchGame, from_store
from gameplay.runs.rows import game_row
from gameplay.runs.summary import RunReport
from gameplay.statistics.joint import PlayerRating
from gameplay.statistics.rating import Rating
from gameplay.statistics.sprt import Verdict
from gameplay.store.jsonl import COUNTED
from gameplay.store.runs import Run, Store

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class RunProgress:
    """The progress of a run. `wins`, `draws`, `losses`: of the first player, in a match of two."""

    games: int  # finished, of `scheduled`
    scheduled: int | None  # None: depends on the results
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, eq=False)
class RunResult(Displayed):
    """The result of a match or tournament; iterating yields its games.

    `wins`, `draws`, `losses`, `rating` and `sprt` are from the view of the first player, in a match of two.
    """

    id: str  # for `gameplay run`; "" if it was not stored
    store: Path | None  # the file of the store; None if it was not stored
    title: str
    game: str  # with its parameters: "connect4:columns=9"
    form: str  # match, round-robin, gauntlet, knockout or swiss
    players: tuple[str, ...]  # their names, in the order of the plan
    seed: int
    ended: str  # complete, decided (by SPRT), stopped, failed (see `message`), incomplete or open
    message: str  # why it ended early; "" if it did not
    scheduled: int | None  # games; None: depends on the results
    wins: int
    draws: int
    losses: int
    rating: Rating | None  # Elo with its 95 % interval; None: see `no_rating`
    no_rating: str  # the reason why `rating` is None, or ""
    sprt: Verdict | None
    standings: tuple[PlayerRating, ...]  # joint ratings, the best first; empty if there are none
    ranking: tuple[tuple[str, float], ...]  # names and points, the best first
    warnings: tuple[str, ...]  # doubts about the figures
    faults: tuple[FaultCount, ...]
    games: tuple[MatchGame, ...] = field(repr=False)  # those that count, by pair and leg
    document: dict[str, Any] = field(repr=False)  # the output of `gameplay match --json`

    def __iter__(self) -> Iterator[MatchGame]:
        return iter(self.games)

    def __len__(self) -> int:
        return len(self.games)

    def __str__(self) -> str:
        """The result in a sentence."""
        if len(self.players) != 2:
            first = ", ".join(f"{name} {points:g}" for name, points in self.ranking)
            return f"{self.form} of {self.game}, {plural(len(self), 'game')}: {first}"
        one, other = self.players
        elo = str(self.rating) if self.rating is not None else f"none: {self.no_rating}"
        score = f"won {self.wins}, drawn {self.draws}, lost {self.losses}"
        return f"{self.game}, {plural(len(self), 'game')}: {one} against {other} {score}; Elo {elo}"

    def rows(self) -> list[dict[str, Any]]:
        """A row of plain data for each game: pair, leg, players, payoffs, plies, nodes and seconds.

        Players and payoffs are columns for each seat, counted from 0: `player0`, `payoff0`, ...
        """
        return [game_row(game) for game in self.games]

    def to_pandas(self) -> "pandas.DataFrame":
        """`rows` as a pandas DataFrame. Raises Usage if pandas is not installed."""
        table: pandas.DataFrame = library("pandas", "to_pandas()", "pandas").DataFrame(self.rows())
        return table


def result_of(report: RunReport, store: Store, ended: str, message: str, keep: bool) -> RunResult:
    """Create the result of a run. `keep`: the run stays in its store."""
    run: Run = report.run
    summary, table, rating = report.summary, report.table, report.rating
    losses, draws, wins = summary.match_tally.games if report.is_match else (0, 0, 0)
    rated = rating if report.is_match and not isinstance(rating, str) else None
    reason = "" if rated is not None else rating if report.is_match and isinstance(rating, str) else ""
    return RunResult(
        id=run.id if keep else "",
        store=Path(report.path) if keep else None,
        title=run.title,
        game=report.plan.game,
        form=report.plan.form,
        players=tuple(summary.players),
        seed=report.plan.seed,
        ended=ended,
        message=message,
        scheduled=report.schedule.total,
        wins=wins,
        draws=draws,
        losses=losses,
        rating=rated,
        no_rating=reason or (table if not report.is_match and isinstance(table, str) else ""),
        sprt=report.standing.verdict,
        standings=() if isinstance(table, str) else tuple(table.standings),
        ranking=tuple((summary.players[rank.player], rank.score) for rank in report.ranks),
        warnings=tuple(report.warnings),
        faults=tuple(summary.fault_counts),
        games=tuple(from_store(game) for game in store.games(run.id, COUNTED)),
        document=report.as_dict() | {"ended": ended},
    )
