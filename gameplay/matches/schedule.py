"""The games of a plan as jobs, in the order in which they are due.

Every random choice follows from (seed, pair, leg): dice from (seed, pair), so that all legs meet the same
ones, and what a player draws from (seed, pair, leg, seat). A game is therefore the same in any process and
in any order, as long as no clock has a say.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from gameplay import registry
from gameplay.errors import Usage
from gameplay.matches.job import Job, Seat
from gameplay.matches.match import seed_of
from gameplay.matches.openings import Opening, drawn, listed
from gameplay.matches.pairing import Pair, Results, openings_needed, scheduled
from gameplay.matches.plan import Entry, Plan
from gameplay.players import seats


class Schedule:
    """What a plan makes of its game, its players and its openings.

    Raises Usage if the plan cannot be played: too few players for the seats, a player that cannot play the
    game, too few openings; BadInput for an openings' file that is wrong.
    """

    def __init__(self, plan: Plan, openings: Sequence[Opening] | None = None) -> None:
        """`openings`: those of a run that began before, instead of choosing them."""
        self.plan = plan
        self.game = registry.game(plan.game)
        self.places = int(self.game.new().players)
        self._openings = openings
        if plan.games % self.places:
            if self.places == 2:
                raise Usage(
                    f"games come in pairs that exchange the seats: ask for an even number, not {plan.games}"
                )
            raise Usage(f"every opening is played {self.places} times: {plan.games} games cannot be so many")
        count = len(plan.players)
        if plan.form == "match" and count != self.places:
            raise Usage(f"{self.game.name} is for {self.places} players, not {count}")
        if count < self.places:
            raise Usage(f"{self.game.name} is for {self.places} players, and only {count} are named")
        if self.places != 2 and plan.form in ("knockout", "swiss"):
            raise Usage(f"{plan.form} is for games of two players, and {self.game.name} is for {self.places}")
        if self.places != 2 and plan.sprt is not None:
            raise Usage(f"SPRT compares two players, and {self.game.name} is for {self.places}")
        if count != 2 and plan.sprt is not None:
            raise Usage(f"SPRT compares two players, not {count}")

    def pairs(self, results: Results) -> list[Pair]:
        """Every pair that is known so far (see `pairing.scheduled`)."""
        return scheduled(self.plan, results, self.places)

    def games(self, results: Results) -> Iterator[tuple[Pair, int]]:
        """Every pair with each of its legs."""
        for pair in self.pairs(results):
            for leg in range(pair.legs):
                yield pair, leg

    def job(self, pair: Pair, leg: int, attempt: int = 1) -> Job:
        """What a worker needs for that game."""
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
        """Who sits on that seat in that leg."""
        entry = self.plan.players[player]
        limit = self.limits[player]
        return Seat(
            player=entry.player,
            name=entry.name,
            seed=seed_of(self.plan.seed, pair.number, leg, place),
            depth=limit.depth if limit else None,
            nodes=limit.nodes if limit else None,
            time=limit.seconds if limit else None,
            clock=self.plan.clock_of(entry),
        )

    @cached_property
    def limits(self) -> list[Any]:
        """What limits a move of each player, where a limit matters to him."""
        return [
            self.plan.limit(entry) if seats.searches(entry.player) else None for entry in self.plan.players
        ]

    @cached_property
    def specs(self) -> list[str]:
        """The players with their options and limits, as the records of games name them."""
        return [
            self.player(entry, limit).spec
            for entry, limit in zip(self.plan.players, self.limits, strict=True)
        ]

    def player(self, entry: Entry, limit: Any) -> Any:
        """Find a player, so that what is wrong with it is said before the first game."""
        made = seats.player(entry.player, self.game, 0, limit)
        close = getattr(made, "close", None)
        if close is not None:
            close()
        return made

    @cached_property
    def openings(self) -> Sequence[Opening]:
        """One for each pair of an encounter."""
        if self._openings is not None:
            return self._openings
        plan, count = self.plan.openings, openings_needed(self.plan, self.places)
        if plan.file is None:
            return drawn(self.game, count, self.plan.seed, plan.plies)
        path = Path(plan.file)
        return listed(self.game, path.read_text().splitlines(), str(path), count, self.plan.seed)

    @property
    def total(self) -> int | None:
        """How many games there are; None if results decide it."""
        if self.plan.form in ("knockout", "swiss"):
            return None
        return self.places * len(self.pairs({}))
