"""What an engine thinks of a position, for people who ask: `hint` and `eval`."""

import time
from typing import Any

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import Usage
from gameplay.players.seats import usual
from gameplay.search.limit import Limit
from gameplay.search.report import Report

SECONDS = 1.0  # that a question may take


class Judge:
    """Answers by searching a replica of the match's position with the default engine."""

    def best(self, match: Any) -> Report:
        """The best line. Raises Usage if no engine can judge this game."""
        engine = self._engine(match.position)
        report: Report = engine.search(match.replica(), Limit(seconds=SECONDS))
        return report

    def candidates(self, match: Any) -> list[tuple[int, int, bool]]:
        """(move, value for the mover, exact), the best first. Raises Usage as `best`.

        All are searched equally deep, as far as the time allows, so that the values can be compared.
        """
        engine = self._engine(match.position)
        ends = time.monotonic() + SECONDS
        found: dict[int, tuple[int, bool]] = {}
        for depth in range(1, scale.MAX_PLY):
            now: dict[int, tuple[int, bool]] = {}
            for move in match.moves():
                left = ends - time.monotonic()
                if found and left <= 0:
                    break
                if depth > 1 and found[move][1]:
                    now[move] = found[move]
                    continue
                limit = Limit(
                    depth=depth, seconds=max(left, 0.01) if found else None
                )  # depth 1 is always ended
                after = self._after(engine, match, move, limit)
                if after is None:
                    break
                now[move] = after
            if len(now) < len(match.moves()):
                break
            found = now
            if all(exact for _, exact in found.values()):
                break
        if not found:
            raise Usage("interrupted before there was an answer")
        ranked = [(move, value, exact) for move, (value, exact) in found.items()]
        return sorted(ranked, key=lambda candidate: -candidate[1])

    def _after(self, engine: Any, match: Any, move: int, limit: Limit) -> tuple[int, bool] | None:
        """The value of a move for its mover, and whether it is certain; None if the time was too short."""
        position = match.replica()
        mover = position.turn
        position.make(move)
        payoffs = position.outcome()
        if payoffs is not None:
            payoff = payoffs[mover]
            if position.scored:
                return int(payoff * position.unit), True
            return (scale.WIN - 1 if payoff > 0 else 1 - scale.WIN if payoff < 0 else 0), True
        report = engine.search(position, limit)
        if report.stopped in ("time", "interrupted"):
            return None
        value = report.value if position.turn == mover else -report.value
        if scale.is_win(value):
            return value + (-1 if value > 0 else 1), True
        return value, report.exact

    def _engine(self, position: Any) -> Any:
        engine, _ = registry.engine(usual(position))
        try:
            engine.check(position)
        except Usage as error:
            why = str(error).partition(": ")[2].partition(" (engine random")[0]
            raise Usage(f"no engine here can advise on this game: {why}") from None
        return engine
