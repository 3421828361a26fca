"""Pondering: an engine that searches on the opponent's time.

It expects the second move of its PV as the reply and begins the search that it would make then. If that reply
is played, the search continues as the one for its move, and the time spent counts; if not, it is stopped. An
engine that keeps a tree of simulations searches the opponent's decision itself: whichever move is played, its
own search continues with that subtree.
"""

import threading
import time
from typing import Protocol

from gameplay.players.engine import EnginePlayer
from gameplay.players.player import Choice, MatchView, Player, Turn
from gameplay.position import AbstractPosition
from gameplay.search import threads
from gameplay.search.limit import MAX_LIMIT, Limit
from gameplay.search.report import Report
from gameplay.search.session import Session
from gameplay.value import MAX_PLY

INTERVAL = 0.05  # seconds between reports to `watch`


class Ponderer(Player):
    """An engine player that ponders. The match loop calls `ponder` after its moves, and `rest`."""

    def __init__(self, player: EnginePlayer) -> None:
        self.player = player
        self.spec = player.spec
        self.name = player.name
        self.search: BackgroundSearch | None = None

    def check(self, position: AbstractPosition) -> None:
        """Raises Usage, with the reason, if the engine cannot play this game."""
        self.player.check(position)

    def begin(self, match: MatchView) -> None:
        """A match begins."""
        self.stop_pondering()
        self.player.begin(match)

    def ponder(self, match: MatchView, report: Report | None) -> None:
        """Ponder the expected reply to its move, found by the search of `report`."""
        self.stop_pondering()
        if report is None or match.over() or not 0 <= match.position.turn < 2:
            return
        if match.secrets:  # the replica would reveal hidden information
            return
        position = match.replica()
        engine = self.player.engine
        if engine.simulates and engine.keeps:
            if match.players[position.turn] is not self:
                self.search = BackgroundSearch(self.player.session, self.player.limit, position, ())
            return
        if len(report.pv) < 2:
            return
        reply = report.pv[1]
        if reply not in position.moves():
            return
        position.make(reply)
        if position.outcome() is None and match.players[position.turn] is self:
            expected_moves = (*(turn.move for turn in match.turns), reply)
            self.search = BackgroundSearch(self.player.session, self.player.limit, position, expected_moves)

    def accepts_draw(self, match: MatchView) -> bool:
        """As the player that ponders."""
        self.stop_pondering()
        return self.player.accepts_draw(match)

    def offers_draw(self, match: MatchView) -> bool:
        """As the player that ponders."""
        return self.player.offers_draw(match)

    def stop_pondering(self) -> None:
        """Stop pondering."""
        if self.search is not None:
            self.search.end()
        self.search = None

    def close(self) -> None:
        """Stop pondering for good, and close the player."""
        self.stop_pondering()
        self.player.close()

    def choose(self, match: MatchView) -> Choice | None:
        """The move found by pondering if the reply was the expected one; else by a new search."""
        search = self.search
        expected = search is not None and search.expected_moves == tuple(turn.move for turn in match.turns)
        if search is None or not expected or self.player.advise(match) is not None:
            self.stop_pondering()
            return self.player.choose(match)
        self.search = None
        seconds = search.seconds
        if match.clock is not None and match.clock.runs(match.position.turn):
            allotment = match.clock.seconds(match.position.turn)
            seconds = min(allotment, seconds or allotment)
        report = search.finish(match, seconds)
        assert report.move is not None
        return Choice(report.move, report)


class MatchEvent(Protocol):
    """An event of a match: `gameplay.matches.match.Event`."""

    @property
    def kind(self) -> str: ...

    @property
    def turn(self) -> Turn | None: ...


class PonderListener:
    """A listener of a match that starts pondering after moves and stops it at all other events."""

    match: MatchView

    def __call__(self, event: "MatchEvent") -> None:
        if event.kind == "move" and event.turn is not None and event.turn.player >= 0:
            self.match.players[event.turn.player].ponder(self.match, event.turn.report)
        elif event.kind not in ("move", "report"):
            for player in self.match.players:
                player.stop_pondering()


class BackgroundSearch:
    """One background search."""

    def __init__(
        self, session: Session, limit: Limit, position: AbstractPosition, expected_moves: tuple[int, ...]
    ) -> None:
        self.session = session
        engine = session.engine
        self.position = position
        self.expected_moves = expected_moves  # after these moves of the match its result is used; (): never
        limit = engine.default_limit(position, limit)
        self.seconds = limit.seconds
        self.limit = limit.with_(seconds=None)
        if not self.limit and engine.anytime:
            self.limit = self.limit.with_(
                **{"simulations": MAX_LIMIT} if engine.simulates else {"depth": MAX_PLY}
            )
        elif limit.seconds and not engine.anytime:
            self.limit = self.limit.with_(nodes=limit.nodes or MAX_LIMIT)  # depth by depth, as under a clock
        self.start_time = time.monotonic()
        self.stop = False
        self.latest: Report | None = None
        self.result: Report | None = None
        self.failure: BaseException | None = None
        self.done = threading.Event()
        if threads.start(self._run, "ponder") is None:
            self.expected_moves = ()
            self.done.set()

    def end(self) -> None:
        """Stop and wait: an engine runs one search at a time."""
        self.stop = True
        self.session.nudge()
        self.done.wait()

    def finish(self, match: MatchView, seconds: float | None) -> Report:
        """Finish it as the search for the move, within `seconds` of its start (None: no limit).

        Raises any exception of the game's code.
        """
        reason = ""
        while not self.done.is_set():
            try:
                remaining = INTERVAL if seconds is None else self.start_time + seconds - time.monotonic()
                if remaining <= 0:
                    reason = "time"
                elif self.latest is not None and match.watch(self.latest):
                    reason = "interrupted"
                if reason:
                    self.end()
                else:
                    self.done.wait(min(INTERVAL, remaining))
            except KeyboardInterrupt:
                reason, self.stop = "interrupted", True
        if self.failure is not None:
            raise self.failure
        assert self.result is not None
        return (
            self.result.with_(stopped=reason)
            if reason and self.result.stopped == "interrupted"
            else self.result
        )

    def _run(self) -> None:
        try:
            self.result = self.session.search(self.position, self.limit, self._watch)
        except BaseException as error:
            self.failure = error
        finally:
            self.done.set()

    def _watch(self, report: Report) -> bool:
        self.latest = report
        return self.stop
