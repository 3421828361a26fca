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
from gameplay.search.limit import MOST, Limit
from gameplay.search.report import Report
from gameplay.search.session import Session
from gameplay.value import MAX_PLY

INTERVAL = 0.05  # seconds between two reports handed on


class Ponderer(Player):
    """An engine player that ponders. The match loop calls `ponder` after its moves, and `rest`."""

    def __init__(self, player: EnginePlayer) -> None:
        self.player = player
        self.spec = player.spec
        self.name = player.name
        self.thought: Thought | None = None

    def check(self, position: AbstractPosition) -> None:
        """Raises Usage, with the reason, if the engine cannot play this game."""
        self.player.check(position)

    def begin(self, match: MatchView) -> None:
        """A match begins."""
        self.rest()
        self.player.begin(match)

    def ponder(self, match: MatchView, report: Report | None) -> None:
        """Ponder the expected reply to its move, found by the search of `report`."""
        self.rest()
        if report is None or match.over() or not 0 <= match.position.turn < 2:
            return
        if match.secrets:  # what comes next is not for them to see
            return
        position = match.replica()
        engine = self.player.engine
        if engine.simulates and engine.keeps:
            if match.players[position.turn] is not self:
                self.thought = Thought(self.player.session, self.player.limit, position, ())
            return
        if len(report.pv) < 2:
            return
        reply = report.pv[1]
        if reply not in position.moves():
            return
        position.make(reply)
        if position.outcome() is None and match.players[position.turn] is self:
            line = (*(turn.move for turn in match.turns), reply)
            self.thought = Thought(self.player.session, self.player.limit, position, line)

    def accepts_draw(self, match: MatchView) -> bool:
        """As the player that ponders."""
        self.rest()
        return self.player.accepts_draw(match)

    def offers_draw(self, match: MatchView) -> bool:
        """As the player that ponders."""
        return self.player.offers_draw(match)

    def rest(self) -> None:
        """Stop pondering."""
        if self.thought is not None:
            self.thought.end()
        self.thought = None

    def close(self) -> None:
        """Stop pondering for good, and close the player."""
        self.rest()
        self.player.close()

    def choose(self, match: MatchView) -> Choice | None:
        """The move found by pondering if the reply was the expected one; else by a new search."""
        thought = self.thought
        expected = thought is not None and thought.line == tuple(turn.move for turn in match.turns)
        if thought is None or not expected or self.player.advised(match) is not None:
            self.rest()
            return self.player.choose(match)
        self.thought = None
        seconds = thought.seconds
        if match.clock is not None and match.clock.runs(match.position.turn):
            share = match.clock.seconds(match.position.turn)
            seconds = min(share, seconds or share)
        report = thought.finish(match, seconds)
        assert report.move is not None
        return Choice(report.move, report)


class MatchEvent(Protocol):
    """What happened in a match: `gameplay.matches.match.Event`."""

    @property
    def kind(self) -> str: ...

    @property
    def turn(self) -> Turn | None: ...


class Bell:
    """A listener of a match that starts pondering after moves and stops it at all other events."""

    match: MatchView

    def __call__(self, event: "MatchEvent") -> None:
        if event.kind == "move" and event.turn is not None and event.turn.player >= 0:
            self.match.players[event.turn.player].ponder(self.match, event.turn.report)
        elif event.kind not in ("move", "report"):
            for player in self.match.players:
                player.rest()


class Thought:
    """One background search."""

    def __init__(
        self, session: Session, limit: Limit, position: AbstractPosition, line: tuple[int, ...]
    ) -> None:
        self.session = session
        engine = session.engine
        self.position = position
        self.line = line  # the moves of the match after which it is the search for a move; empty: never
        limit = engine.default_limit(position, limit)
        self.seconds = limit.seconds
        self.limit = limit.with_(seconds=None)
        if not self.limit and engine.anytime:
            self.limit = self.limit.with_(**{"simulations": MOST} if engine.simulates else {"depth": MAX_PLY})
        elif limit.seconds and not engine.anytime:
            self.limit = self.limit.with_(nodes=limit.nodes or MOST)  # depth by depth, as under a clock
        self.began = time.monotonic()
        self.stop = False
        self.latest: Report | None = None
        self.last: Report | None = None
        self.failure: BaseException | None = None
        self.done = threading.Event()
        if threads.start(self._think, "ponder") is None:
            self.line = ()
            self.done.set()

    def end(self) -> None:
        """Stop and wait: an engine runs one search at a time."""
        self.stop = True
        self.session.nudge()
        self.done.wait()

    def finish(self, match: MatchView, seconds: float | None) -> Report:
        """Finish it as the search for the move, at most `seconds` after its start (None: no limit).

        Raises what the game raised.
        """
        why = ""
        while not self.done.is_set():
            try:
                left = INTERVAL if seconds is None else self.began + seconds - time.monotonic()
                if left <= 0:
                    why = "time"
                elif self.latest is not None and match.watch(self.latest):
                    why = "interrupted"
                if why:
                    self.end()
                else:
                    self.done.wait(min(INTERVAL, left))
            except KeyboardInterrupt:
                why, self.stop = "interrupted", True
        if self.failure is not None:
            raise self.failure
        assert self.last is not None
        return self.last.with_(stopped=why) if why and self.last.stopped == "interrupted" else self.last

    def _think(self) -> None:
        try:
            self.last = self.session.search(self.position, self.limit, self._watch)
        except BaseException as error:
            self.failure = error
        finally:
            self.done.set()

    def _watch(self, report: Report) -> bool:
        self.latest = report
        return self.stop
