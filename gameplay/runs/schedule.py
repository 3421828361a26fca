"""The games of a plan as jobs, in schedule order.

Seeds are derived from the plan's seed: dice from (seed, pair), equal in all legs, and choices of players from
(seed, pair, leg, seat). A game is therefore reproducible in any process and order, unless a clock is used.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay.players import seats
from gameplay.runs.job import Job, Seat
from gameplay.runs.openings import Opening, Selection, select_openings
from gameplay.runs.pairing import Pair, Results, openings_needed, scheduled_pairs
from gameplay.runs.plan import Plan
from gameplay.search.limit import Limit
from gameplay.search.seeds import seed_of

if TYPE_CHECKING:
    from gameplay.players.player import Player


class Schedule:
    """Creates the jobs of a plan from its game, players and openings.

    The plan must be valid (see `planning`).
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game = registry.game(plan.game)
        self.places = int(self.game.new().players)

    def pairs(self, results: Results) -> list[Pair]:
        """The pairs scheduled so far (see `pairing.scheduled_pairs`)."""
        return scheduled_pairs(self.plan, results, self.places)

    def games(self, results: Results) -> Iterator[tuple[Pair, int]]:
        """Every pair with each of its legs."""
        for pair in self.pairs(results):
            for leg in range(pair.legs):
                yield pair, leg

    def job(self, pair: Pair, leg: int, attempt: int) -> Job:
        """The job of a game."""
        plan = self.plan
        opening = self.openings[pair.opening]
        seated = pair.seating(leg)
        return Job(
            pair=pair.number,
            leg=leg,
            attempt=attempt,
            game=self.game.spec,
            seats=tuple(self.seat(pair, leg, place, player) for place, player in enumerate(seated)),
            seed=seed_of(plan.seed, pair.number),
            start=opening.start,
            moves=opening.moves,
            first=seated.index(pair.players[0]),
            adjudicate=plan.adjudicate if plan.adjudicate != type(plan.adjudicate)() else None,
            margin=plan.margin,
            patience=plan.patience,
        )

    def seat(self, pair: Pair, leg: int, place: int, player: int) -> Seat:
        """The player of a seat in a leg."""
        entry = self.plan.players[player]
        limit = self.limits[player]
        return Seat(
            player=entry.player,
            name=entry.name,
            seed=seed_of(self.plan.seed, pair.number, leg, place),
            depth=limit.depth if limit else None,
            nodes=limit.nodes if limit else None,
            sims=limit.simulations if limit else None,
            time=limit.seconds if limit else None,
            clock=self.plan.clock_of(entry),
        )

    @cached_property
    def limits(self) -> list[Limit | None]:
        """The plan's move limit for each player; None if it does not search."""
        entries = self.plan.players
        return [self.plan.limit(entry) if seats.searches(entry.player) else None for entry in entries]

    def players(self) -> "list[Player]":
        """Create the players, to check that they exist and can play. Raises Usage or BadInput."""
        both = zip(self.plan.players, self.limits, strict=True)
        return [seats.player(entry.player, self.game, 0, limit) for entry, limit in both]

    @cached_property
    def specs(self) -> list[str]:
        """The players with their options and limits, as the records of games name them."""
        return [player.spec for player in self.players()]

    @cached_property
    def openings(self) -> Sequence[Opening]:
        """One opening for each pair of an encounter."""
        return self.selection.openings

    @cached_property
    def selection(self) -> Selection:
        """The openings, with the notes to report about them."""
        count = openings_needed(self.plan, self.places)
        return select_openings(self.game, self.plan.openings, count, self.plan.seed)

    @property
    def total(self) -> int | None:
        """The number of games; None if it depends on the results."""
        if self.plan.form in ("knockout", "swiss"):
            return None
        return self.places * len(self.pairs({}))
