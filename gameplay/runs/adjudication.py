"""Adjudicates games whose result is clear before the rules end them, and records the reason.

The criteria are checked after each move, in this order; the first that applies ends the game. The rules of
the game take precedence over all of them:

    exact    a solver of ours found a forced win, or searched every line to its end: the game's own value; or
             the result is in endgame tables
    resign   the mover's value was `-value` or worse in its last `moves` moves; with `both`, the other side's
             was `value` or better in its last `moves` moves
    draw     the last `moves` moves of each side were valued within `value` of level, and the game, opening
             included, has at least `after` plies
    plies    the game, opening included, has so many plies: drawn

Values are the players' own, each from its mover's view; a forced win or loss is further from level than any
other value. A rule's whole number is compared with them as they are. Its fraction, 0.9, is points in a game
that counts them; else a share of a win: of a win's payoff for a mean of simulations, by `value.share` for a
guess. A move without a value resets the mover's count, and ends a row of level ones: a player that reports
no value is never judged by earlier values. No player loses by resignation while the opponent's last value
contradicts it: a proven loss or draw, or a value at which the opponent would have to resign too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gameplay.errors import Usage
from gameplay.knowledge.syzygy import Syzygy
from gameplay.position import CHANCE, AbstractPosition
from gameplay.search.report import Report
from gameplay.value import format_value, half_win, is_win

if TYPE_CHECKING:
    from gameplay.matches.match import Event, Match
    from gameplay.runs.plan import Adjudication

EXACT, RESIGN, DRAW, PLIES = "exact", "resign", "draw", "plies"  # why a match ended


@dataclass(frozen=True)
class Ruling:
    """How a game ends: the reason, who lost (None: drawn), and what was seen."""

    reason: str
    loser: int | None
    note: str


@dataclass
class _Side:
    """What a player said last."""

    value: float | None = None
    proven: bool = False
    losing: int = 0  # moves in a row at -value or worse
    winning: int = 0  # ... at value or better


class Counts:
    """Resign, draw and plies: fed with every move that was made, says when the game is decided."""

    def __init__(self, rules: "Adjudication", players: int, unit: int, scored: bool) -> None:
        self.rules = rules
        self.unit, self.scored = unit, scored
        self.sides = [_Side() for _ in range(players)]
        self.level = 0  # moves in a row that were valued as level
        self.plies = 0

    def opened(self, plies: int) -> None:
        """So many moves were made before the players'."""
        self.plies += plies

    def moved(self, mover: int, value: float | None = None, exact: bool = False) -> Ruling | None:
        """A move of `mover` (CHANCE for dice, which count as plies only), valued so by them."""
        self.plies += 1
        if mover != CHANCE:
            self._count(self.sides[mover], value, exact)
        return (self._resign(mover) if mover != CHANCE else None) or self._draw() or self._length()

    def _count(self, side: _Side, value: float | None, exact: bool) -> None:
        side.value, side.proven = value, value is not None and (exact or is_win(value))
        resign, draw = self.rules.resign, self.rules.draw
        if resign is not None:
            bar = self._bar(resign.value, value)
            side.losing = side.losing + 1 if value is not None and value <= -bar else 0
            side.winning = side.winning + 1 if value is not None and value >= bar else 0
        if draw is not None:
            bar = self._bar(draw.value, value)
            self.level = self.level + 1 if value is not None and abs(value) <= bar else 0

    def _bar(self, reported: float, value: float | None) -> float:
        """What a rule's number comes to on the scale of a value that it is compared with."""
        if isinstance(reported, int):
            return reported
        if self.scored or isinstance(value, float):
            return reported * self.unit
        return reported * half_win(self.unit) / (1 - reported)

    def _resign(self, mover: int) -> Ruling | None:
        rule = self.rules.resign
        if rule is None:
            return None
        for loser in (mover, 1 - mover):  # the winner's word may be the one that was missing
            side, other = self.sides[loser], self.sides[1 - loser]
            agreed = other.winning >= rule.moves if rule.both else loser == mover
            if side.losing >= rule.moves and agreed and not self._denied(other, rule.value):
                seen = f"{format_value(side.value or 0)} after {rule.moves} moves at -{rule.value} or worse"
                return Ruling(RESIGN, loser, seen + (", and both sides agree" if rule.both else ""))
        return None

    def _denied(self, other: _Side, reported: float) -> bool:
        """True if the opponent's last value says that they do not win, for certain or by as much."""
        value = other.value
        return value is not None and ((other.proven and value <= 0) or value <= -self._bar(reported, value))

    def _draw(self) -> Ruling | None:
        rule = self.rules.draw
        if rule is None or self.plies < rule.after or self.level < rule.moves * len(self.sides):
            return None
        return Ruling(DRAW, None, f"{self.level} moves in a row within {rule.value} of level")

    def _length(self) -> Ruling | None:
        most = self.rules.plies
        if most is None or self.plies < most:
            return None
        return Ruling(PLIES, None, f"{self.plies} plies")


def reported_value(report: Report | None) -> float | None:
    """The value of a move by its player; None if nothing was searched or reported."""
    searched = report is not None and (report.depth > 0 or report.exact or isinstance(report.value, float))
    return report.value if report is not None and searched else None


class Arbiter:
    """Listens to a match and ends it as the plan's rules say: `match.listeners.append(Arbiter(...))`.

    Sets the match's payoffs, reason and note.
    """

    def __init__(self, match: "Match", rules: "Adjudication") -> None:
        self.match = match
        position = match.position
        self.counts = Counts(rules, len(match.players), position.unit, position.scored)
        self.counts.opened(len(match.turns))
        self.solve = solver(rules.exact) if rules.exact else None
        self.tables = Syzygy(rules.syzygy.folder) if rules.syzygy else None

    def __call__(self, event: "Event") -> bool:
        """A match's listener."""
        match, turn = self.match, event.turn
        if event.kind != "move" or turn is None or match.over():
            return False
        exact = turn.report is not None and turn.report.exact
        verdict = self.counts.moved(turn.player, reported_value(turn.report), exact)
        payoffs, note = self._solved(), f"solved by {self.counts.rules.exact}"
        if payoffs is None:
            payoffs, note = self._tabled(), "by the endgame tables"
        if payoffs is not None:
            match.payoffs, match.reason, match.note = payoffs, EXACT, note
        elif verdict is not None:
            lost = verdict.loser
            match.payoffs = (0,) * len(match.players) if lost is None else match.forfeit(lost)
            match.reason, match.note = verdict.reason, verdict.note
        return False

    def _solved(self) -> tuple[float, ...] | None:
        position = self.match.position
        if self.solve is None or position.turn == CHANCE:
            return None
        mover = position.turn
        report = self.solve(self.match.replica())
        if report.bound in ("expectation", "unknown") or not (
            report.exact or (is_win(report.value) and not position.scored)
        ):
            return None
        value = report.value // position.unit if position.scored else (report.value > 0) - (report.value < 0)
        return (value, -value) if mover == 0 else (-value, value)

    def _tabled(self) -> tuple[float, ...] | None:
        """The payoffs by the endgame tables; None: the position is in none, or its result ends no game."""
        rule = self.counts.rules.syzygy
        if rule is None or self.tables is None:
            return None
        position = self.match.position
        value = self.tables.certain_result(position, rule.pieces, rule.fifty)
        if value is None or (rule.results == "wins" and not value) or (rule.results == "draws" and value):
            return None
        return (value, -value) if position.turn == 0 else (-value, value)


def solver(spec: str) -> Callable[["AbstractPosition"], Report]:
    """What searches a position with the engine and the limit of `spec`.

    Raises Usage for an engine that does not search, or one without a limit in plies or nodes: how much it
    solves must not depend on the machine.
    """
    from gameplay import registry
    from gameplay.search.session import Session

    engine, limit = registry.engine(spec)
    if not engine.thinks:
        raise Usage(f"{engine.name} does not search; name an engine that does, as iterative:nodes=100000")
    if (limit.depth is None and limit.nodes is None) or limit.seconds is not None:
        join = "," if ":" in spec else ":"
        raise Usage(f"'{spec}' needs a limit in plies or nodes and none in time, as {spec}{join}nodes=100000")
    session = Session(engine)
    return lambda position: session.search(position, limit)


def check(rules: "Adjudication", position: AbstractPosition) -> None:
    """Raises Usage, with the reason, where a game cannot be ended so."""
    if rules.exact is not None:
        solver(rules.exact)
        from gameplay import registry

        registry.engine(rules.exact)[0].check(position)
    if rules.syzygy is not None:
        Syzygy.check_supported(position)
        Syzygy(rules.syzygy.folder)
    decided = position.players == 2 and position.zero_sum and (position.stake or not position.scored)
    if rules.resign is not None and not decided:
        raise Usage("resign: this game cannot be resigned: it would not be clear what the others get")
    for name, rule in (("resign", rules.resign), ("draw", rules.draw)):
        if rule is not None and isinstance(rule.value, float) and rule.value >= 1 and not position.scored:
            raise Usage(f"{name}: without points a fraction is a share of a win, below 1, not {rule.value:g}")
    if (rules.draw or rules.plies) and not position.zero_sum:
        word = "draw" if rules.draw else "plies"
        raise Usage(f"{word}: the game's payoffs do not sum to 0, so it would not be clear what a draw is")
