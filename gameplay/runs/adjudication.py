"""Adjudicates games whose result is clear before the rules end them, and records the reason.

The criteria are checked after each move, in this order; the first that applies ends the game. The rules of
the game take precedence over all of them:

    exact    the solver proved a value, by a forced win or a complete search; or endgame tables give the
    result resign   the mover's value was `-value` or worse in its last `moves` moves; with `both`, the other
    side's
             was `value` or better in its last `moves` moves
    draw     the last `moves` moves of each side were valued within `value` of level, and the game, opening
             included, has at least `after` plies
    plies    the game, opening included, has so many plies: drawn

Values are those that the players report, each from the mover's view; a forced win or loss is further from
level than any other value. An integer threshold is compared with the values directly. A fraction, 0.9, means
points in a game scored in points, else a share of a win: of the payoff of a win for a mean of simulations, by
`value.squash` for an evaluation. A move without a value resets the mover's counts and the count of level
moves. No player loses by resignation while the opponent's last value contradicts it: a proven loss or draw,
or a value at which the opponent would have to resign too.
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
    """The end of a game: the reason, the seat of the loser (None: drawn), and an explanation."""

    reason: str
    loser: int | None
    note: str


@dataclass
class _Side:
    """The last value that a player reported, and its counts."""

    value: float | None = None
    proven: bool = False
    losing: int = 0  # moves in a row at -value or worse
    winning: int = 0  # ... at value or better


class Counts:
    """Counts moves for the criteria resign, draw and plies."""

    def __init__(self, rules: "Adjudication", players: int, unit: int, scored: bool) -> None:
        self.rules = rules
        self.unit, self.scored = unit, scored
        self.sides = [_Side() for _ in range(players)]
        self.level = 0  # moves in a row with values within the limit of `draw`
        self.plies = 0

    def add_opening(self, plies: int) -> None:
        """Count the moves of the opening."""
        self.plies += plies

    def add_move(self, mover: int, value: float | None = None, exact: bool = False) -> Ruling | None:
        """Count a move with the value that `mover` reports; the ruling if the game is decided.

        Moves of CHANCE count as plies only.
        """
        self.plies += 1
        if mover != CHANCE:
            self._count(self.sides[mover], value, exact)
        return (self._resign(mover) if mover != CHANCE else None) or self._draw() or self._length()

    def _count(self, side: _Side, value: float | None, exact: bool) -> None:
        side.value, side.proven = value, value is not None and (exact or is_win(value))
        resign, draw = self.rules.resign, self.rules.draw
        if resign is not None:
            threshold = self._threshold(resign.value, value)
            side.losing = side.losing + 1 if value is not None and value <= -threshold else 0
            side.winning = side.winning + 1 if value is not None and value >= threshold else 0
        if draw is not None:
            threshold = self._threshold(draw.value, value)
            self.level = self.level + 1 if value is not None and abs(value) <= threshold else 0

    def _threshold(self, setting: float, value: float | None) -> float:
        """Convert a threshold of the plan to the scale of the `value` that it is compared with."""
        if isinstance(setting, int):
            return setting
        if self.scored or isinstance(value, float):
            return setting * self.unit
        return setting * half_win(self.unit) / (1 - setting)

    def _resign(self, mover: int) -> Ruling | None:
        rule = self.rules.resign
        if rule is None:
            return None
        for loser in (mover, 1 - mover):  # the winner's value may have been the missing one
            side, other = self.sides[loser], self.sides[1 - loser]
            agreed = other.winning >= rule.moves if rule.both else loser == mover
            if side.losing >= rule.moves and agreed and not self._contradicts(other, rule.value):
                seen = f"{format_value(side.value or 0)} after {rule.moves} moves at -{rule.value} or worse"
                return Ruling(RESIGN, loser, seen + (", and both sides agree" if rule.both else ""))
        return None

    def _contradicts(self, other: _Side, setting: float) -> bool:
        """True if the opponent's last value is a proven loss or draw, or as low as the resign threshold."""
        value = other.value
        return value is not None and (
            (other.proven and value <= 0) or value <= -self._threshold(setting, value)
        )

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
    """The value that a player reports for its move; None without a search or a value."""
    searched = report is not None and (report.depth > 0 or report.exact or isinstance(report.value, float))
    return report.value if report is not None and searched else None


class Arbiter:
    """A listener that adjudicates a match by the plan: `match.listeners.append(Arbiter(...))`.

    Sets the match's payoffs, reason and note.
    """

    def __init__(self, match: "Match", rules: "Adjudication") -> None:
        self.match = match
        position = match.position
        self.counts = Counts(rules, len(match.players), position.unit, position.scored)
        self.counts.add_opening(len(match.turns))
        self.solve = solver(rules.exact) if rules.exact else None
        self.tables = Syzygy(rules.syzygy.folder) if rules.syzygy else None

    def __call__(self, event: "Event") -> bool:
        """Adjudicate after a move; never stops the match itself."""
        match, turn = self.match, event.turn
        if event.kind != "move" or turn is None or match.over():
            return False
        exact = turn.report is not None and turn.report.exact
        ruling = self.counts.add_move(turn.player, reported_value(turn.report), exact)
        payoffs, note = self._solver_payoffs(), f"solved by {self.counts.rules.exact}"
        if payoffs is None:
            payoffs, note = self._table_payoffs(), "by the endgame tables"
        if payoffs is not None:
            match.payoffs, match.reason, match.note = payoffs, EXACT, note
        elif ruling is not None:
            loser = ruling.loser
            match.payoffs = (0,) * len(match.players) if loser is None else match.forfeit(loser)
            match.reason, match.note = ruling.reason, ruling.note
        return False

    def _solver_payoffs(self) -> tuple[float, ...] | None:
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

    def _table_payoffs(self) -> tuple[float, ...] | None:
        """The payoffs by the endgame tables; None if there are none, or `results` excludes them."""
        rule = self.counts.rules.syzygy
        if rule is None or self.tables is None:
            return None
        position = self.match.position
        value = self.tables.certain_result(position, rule.pieces, rule.fifty)
        if value is None or (rule.results == "wins" and not value) or (rule.results == "draws" and value):
            return None
        return (value, -value) if position.turn == 0 else (-value, value)


def solver(spec: str) -> Callable[["AbstractPosition"], Report]:
    """A function that searches a position with the engine and limit of `spec`.

    Raises Usage for an engine that does not search, or without a limit in plies or nodes: results must not
    depend on the speed of the machine.
    """
    from gameplay import registry
    from gameplay.search.session import Session

    engine, limit = registry.engine(spec)
    if not engine.thinks:
        raise Usage(
            f"{engine.name} does not search; expected an engine that does. Try: iterative:nodes=100000"
        )
    if (limit.depth is None and limit.nodes is None) or limit.seconds is not None:
        join = "," if ":" in spec else ":"
        raise Usage(f"'{spec}' needs a limit in plies or nodes, not in time. Try: {spec}{join}nodes=100000")
    session = Session(engine)
    return lambda position: session.search(position, limit)


def check(rules: "Adjudication", position: AbstractPosition) -> None:
    """Raise Usage if the rules do not apply to the game of `position`."""
    if rules.exact is not None:
        solver(rules.exact)
        from gameplay import registry

        registry.engine(rules.exact)[0].check(position)
    if rules.syzygy is not None:
        Syzygy.check_supported(position)
        Syzygy(rules.syzygy.folder)
    decided = position.players == 2 and position.zero_sum and (position.stake or not position.scored)
    if rules.resign is not None and not decided:
        raise Usage("resign: a resignation in this game does not determine the payoffs of the others")
    for name, rule in (("resign", rules.resign), ("draw", rules.draw)):
        if rule is not None and isinstance(rule.value, float) and rule.value >= 1 and not position.scored:
            raise Usage(f"{name}: expected a fraction below 1, a share of a win, not {rule.value:g}")
    if (rules.draw or rules.plies) and not position.zero_sum:
        word = "draw" if rules.draw else "plies"
        raise Usage(f"{word}: a draw is undefined, since the game's payoffs do not sum to 0")
