"""Statistics of a human player: results of saved games by game, opponent and opening, and over time.

Only finished two-player games with one human player count. The player is selected by name; without a name,
any human player counts. Accuracy is that of the moves in reviewed games (`training.review`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from gameplay.errors import GameplayError
from gameplay.knowledge.books import names
from gameplay.registry import game as game_of
from gameplay.store.record import Record
from gameplay.store.saved import Damaged
from gameplay.training import stored_reviews
from gameplay.training.review import Figures

RECENT = 10  # latest games, compared with all earlier ones


@dataclass
class ResultTotals:
    """The results of a set of games."""

    lost: int = 0
    drawn: int = 0
    won: int = 0
    figures: Figures = field(default_factory=Figures)  # of reviewed moves
    reviewed: int = 0  # reviewed games

    @property
    def games(self) -> int:
        """The number of games."""
        return self.lost + self.drawn + self.won

    @property
    def score(self) -> float:
        """The mean points per game, 0 to 1."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0


@dataclass(frozen=True)
class PlayerGame:
    """A game of a player: opponent, opening and result."""

    game: str
    against: str
    opening: str
    points: float  # 1, 0.5, 0
    figures: Figures | None  # None without a review


def games_of(
    records: Iterable[Record], name: str = "", damaged: Callable[[Damaged], object] | None = None
) -> list[PlayerGame]:
    """The games of a player in order; without a name those of all human players.

    Damaged reviews are passed to `damaged`.
    """
    games_played = []
    for record in records:
        seat = _seat(record, name)
        if seat is None or record.result is None or len(record.result) != 2:
            continue
        payoff, other = record.result[seat], record.result[1 - seat]
        review = stored_reviews.latest(record, damaged)
        games_played.append(
            PlayerGame(
                game=record.game.partition(":")[0],
                against=record.display_names[1 - seat],
                opening=_opening(record),
                points=(1 + (payoff > other) - (payoff < other)) / 2,
                figures=review.player_figures(seat) if review is not None else None,
            )
        )
    return games_played


def standings(games: Iterable[PlayerGame], by: str) -> dict[str, ResultTotals]:
    """The results of the games, by `game`, `against` or `opening`, the most frequent first."""
    by_key: dict[str, ResultTotals] = {}
    for game in games:
        key = getattr(game, by)
        if key:
            add(by_key.setdefault(f"{game.game}: {key}" if by != "game" else key, ResultTotals()), game)
    return dict(sorted(by_key.items(), key=lambda item: (-item[1].games, item[0])))


def compare_recent(games: list[PlayerGame]) -> tuple[ResultTotals, ResultTotals] | None:
    """The totals of the last RECENT games and of all earlier ones; None with fewer than RECENT of either."""
    if len(games) < 2 * RECENT:
        return None
    before, recent = ResultTotals(), ResultTotals()
    for number, game in enumerate(games):
        add(recent if number >= len(games) - RECENT else before, game)
    return recent, before


def add(totals: ResultTotals, game: PlayerGame) -> None:
    """Count a game."""
    totals.won += game.points == 1
    totals.drawn += game.points == 0.5
    totals.lost += game.points == 0
    if game.figures is not None:
        totals.reviewed += 1
        totals.figures += game.figures


def _seat(record: Record, name: str) -> int | None:
    """The player's seat; None if no seat or more than one matches."""
    if name:
        seats = [
            seat
            for seat, display_name in enumerate(record.display_names)
            if display_name.lower() == name.lower()
        ]
    else:
        seats = [seat for seat, spec in enumerate(record.players) if spec == "human"]
    return seats[0] if len(seats) == 1 and len(record.players) == 2 else None


def _opening(record: Record) -> str:
    """The name of the opening; "" without one, or if the game no longer exists."""
    try:
        position = game_of(record.game).new(record.start)
        opening = names.opening(position, map(position.parse, record.words))
    except GameplayError:
        return ""
    return str(opening).partition(":")[0] if opening is not None else ""
