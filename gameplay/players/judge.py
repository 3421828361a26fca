"""What an engine thinks of a position, for people who ask: `hint` and `eval`."""

from gameplay import registry
from gameplay.errors import Usage
from gameplay.players.player import MatchView
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Session

SECONDS = 1.0  # that a question may take


class Judge:
    """Answers by searching a replica of the match's position with the engine that suits the game best."""

    def __init__(self) -> None:
        self.session: Session | None = None  # one for all questions: its table is made once

    def best(self, match: MatchView) -> Report:
        """The best line. Raises Usage if no engine can judge this game."""
        return self._search(match, Limit(seconds=SECONDS))

    def candidates(self, match: MatchView) -> list[Candidate]:
        """All legal moves, the best first, searched equally deep. Raises Usage as `best`."""
        report = self._search(match, Limit(seconds=SECONDS, multipv=len(match.moves())))
        return list(report.candidates)

    def _search(self, match: MatchView, limit: Limit) -> Report:
        position = match.replica()
        engine = registry.usual_engine(position)
        if not engine.thinks:
            why = registry.engine_class("mcts").misfit(position)
            raise Usage(f"no engine here can advise on this game: {why}")
        if self.session is None or type(self.session.engine) is not engine:
            self.session = Session(engine())
        return self.session.search(position, limit)
