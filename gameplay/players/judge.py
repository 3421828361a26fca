"""What an engine thinks of a position, for people who ask: `hint` and `eval`."""

from typing import Any

from gameplay import registry
from gameplay.players.seats import DEFAULT
from gameplay.search import value as scale
from gameplay.search.limit import Limit
from gameplay.search.report import Report

SECONDS = 1.0  # that a question may take


class Judge:
    """Answers by searching a replica of the match's position with the default engine."""

    def best(self, match: Any) -> Report:
        """The best line. Raises Usage if no engine can judge this game."""
        return self._search(match.replica(), SECONDS)

    def candidates(self, match: Any) -> list[tuple[int, int, bool]]:
        """(move, value for the mover, exact), the best first. Raises Usage as `best`."""
        moves = match.moves()
        found = []
        for move in moves:
            position = match.replica()
            mover = position.turn
            position.make(move)
            payoffs = position.outcome()
            if payoffs is not None:
                payoff = payoffs[mover]
                won = scale.WIN - 1 if payoff > 0 else 1 - scale.WIN if payoff < 0 else 0
                found.append((move, int(payoff) if position.scored else won, True))
                continue
            report = self._search(position, SECONDS / len(moves))
            value = report.value if position.turn == mover else -report.value
            if scale.is_win(value):
                value -= 1 if value > 0 else -1
            found.append((move, value, report.exact))
        return sorted(found, key=lambda candidate: -candidate[1])

    def _search(self, position: Any, seconds: float) -> Report:
        engine, _ = registry.engine(DEFAULT)
        engine.check(position)
        report: Report = engine.search(position, Limit(seconds=seconds))
        return report
