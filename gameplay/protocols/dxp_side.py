"""The server side of DXP: one of our players plays the games that connecting programs request.

`gameplay.protocols.dxp` defines the messages. One connection is served at a time, with any number of games.
Requests with another version or an invalid position are refused. The minutes and moves of a request set our
clock; 0 minutes: no clock. BACKREQ is granted, even during a search; chats are printed. Each side sends
GAMEEND at the end; a draw is confirmed if the rules or our player agree. An illegal move ends the game, a
protocol error the connection.
"""

import os
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from gameplay.capabilities import PlaysDraughts
from gameplay.errors import BadInput, GameplayError, IllegalMove, brief
from gameplay.plural import plural
from gameplay.protocols import dxp
from gameplay.protocols.channel import Broken
from gameplay.protocols.side import MatchHost, Times

if TYPE_CHECKING:
    from gameplay.matches.match import Event
    from gameplay.players.player import MatchControl, Player

IDLE_TIMEOUT = 3600.0  # seconds without a game request, or without a move if there is no clock
MOVE_GRACE = 60.0  # seconds beyond the game's time to wait for a move
END_TIMEOUT = 5.0  # seconds to wait for the confirmation of GAMEEND
SEND_TIMEOUT = 10.0  # seconds to send a message
# The peer's result from our point of view.
OPPOSITE_RESULT = {dxp.LOST: dxp.WON, dxp.DRAWN: dxp.DRAWN, dxp.WON: dxp.LOST}


class DxpSide:
    """Plays the requested games.

    host: creates the match of a position and parses moves in Hub's notation; player: chooses the moves;
    report: receives event lines, with names and chats as sent by the other program.
    """

    def __init__(
        self, title: str, player: "Player", host: MatchHost, report: Callable[[str], object]
    ) -> None:
        self.title = title
        self.player = player
        self.host = host
        self.report = report
        self.games = 0
        self.link: dxp.DxpLink
        self.early: list[dxp.Message] = []  # messages received during a search

    def serve(self, listener: socket.socket, connections: int | None = None) -> None:
        """Serve `connections` connections, one after another; None: forever."""
        served = 0
        while connections is None or served < connections:
            connected, _ = listener.accept()
            served += 1
            self.link = dxp.DxpLink(connected)
            self.early = []
            try:
                self._talk()
            except Broken as broken:
                if broken.kind != "crash":  # a connection may end between games
                    self.report(f"the other program {broken}")
            finally:
                self.link.close()

    # -- a connection ------------------------------------------------------------------------------

    def _talk(self) -> None:
        """Play games until the other program wants no more. Raises Broken."""
        while True:
            message = self.next(IDLE_TIMEOUT)
            if isinstance(message, dxp.GameRequest):
                if self._game(message):
                    return
            elif isinstance(message, dxp.Chat):
                self.show(message)
            elif isinstance(message, dxp.BackRequest):
                self.send(dxp.BackAnswer(dxp.NEVER))
            elif isinstance(message, dxp.End) and message.stop:
                return

    def next(self, seconds: float) -> dxp.Message:
        """The next message. Raises Broken if none arrives within `seconds`."""
        if self.early:
            return self.early.pop(0)
        message = self.link.receive(time.monotonic() + seconds)
        if message is None:
            raise Broken("hang", f"sent nothing for {seconds:.0f} s")
        return message

    def send(self, message: dxp.Message) -> None:
        """Send a message. Raises Broken."""
        self.link.send(message, time.monotonic() + SEND_TIMEOUT)

    def show(self, chat: dxp.Chat) -> None:
        """Print a chat."""
        self.report(f"chat: {brief(chat.text, 120)}")

    # -- a game ------------------------------------------------------------------------------------

    def _game(self, request: dxp.GameRequest) -> bool:
        """Answer a request and play the game; true if the other program wants no more. Raises Broken."""
        code, start = dxp.YES, ""
        try:
            match = self.host.match("", [])
            if request.start:
                start = dxp.to_fen(request.start, len(_squares(match)))
                match = self.host.match(start, [])
        except BadInput:
            code = dxp.UNPLAYABLE
        if request.version != dxp.VERSION:
            code = dxp.OTHER_VERSION
        self.send(dxp.Acceptance(self.title, code))
        opponent = brief(request.name or "a program", 32)
        if code != dxp.YES:
            self.report(
                f"a game against {opponent} is refused: {('', 'wrong version', 'invalid position')[code]}"
            )
            return False
        self.games += 1
        side = match.side(dxp.player_of(match.position, request.colour))
        self.report(f"game {self.games}: {self.player.name} is {side}, against {opponent}")
        try:
            result, stop = DxpGame(self, request, start).play()
        except Broken as broken:
            self.report(f"game {self.games}: {opponent} {broken}")
            return True
        except GameplayError as error:  # our player failed
            self.report(f"game {self.games}: {error}")
            self.send(dxp.End(dxp.LOST, stop=True))
            return True
        self.report(f"game {self.games}: {result}")
        return stop


class DxpGame:
    """A game on a connection."""

    def __init__(self, side: DxpSide, request: dxp.GameRequest, start: str) -> None:
        self.side = side
        self.start = start
        self.words: list[str] = []
        self.budget = 60.0 * request.minutes  # seconds per `period` moves; 0: no clock
        self.period = request.moves  # 0: for all moves
        self.remaining = self.budget
        self.moves_made = 0  # our moves in this period
        position = self._match().position
        self.us = dxp.player_of(position, request.colour)
        self.first = dxp.colour_of(position, position.turn)

    def _match(self) -> "MatchControl":
        return self.side.host.match(self.start, self.words)

    def play(self) -> tuple[str, bool]:
        """Play the game; returns a result text, and true if no other game is wanted. Raises Broken."""
        while True:
            match = self._match()
            if match.payoffs is not None:
                return self._end_by_rules(match)
            if match.position.turn == self.us and not self.side.early:
                if not self._think(match):
                    return self._end(match, dxp.LOST, "resigned")
                continue
            wait = self.budget + MOVE_GRACE if self.budget else IDLE_TIMEOUT
            ended = self._handle(self.side.next(wait), match)
            if ended is not None:
                return ended

    def _handle(self, message: dxp.Message, match: "MatchControl") -> tuple[str, bool] | None:
        """Handle a message of the other program; returns the result if it ends the game. Raises Broken."""
        if isinstance(message, dxp.MoveMessage):
            if match.position.turn == self.us:
                raise Broken("protocol_error", "moved out of turn")
            try:
                self.side.host.match(self.start, [*self.words, message.word])
            except IllegalMove:
                return self._end(match, 0, f"the other program made an illegal move, {message.word}")
            self.words.append(message.word)
        elif isinstance(message, dxp.BackRequest):
            ply = message.ply(self.first)
            granted = ply <= len(self.words)
            self.side.send(dxp.BackAnswer(dxp.YES if granted else dxp.NEVER))
            self.words = self.words[:ply]
        elif isinstance(message, dxp.End):
            return self._answer_end(message, match), message.stop
        elif isinstance(message, dxp.Chat):
            self.side.show(message)
        else:
            raise Broken("protocol_error", f"sent '{brief(str(message), 40)}' in a game")
        return None

    def _answer_end(self, end: dxp.End, match: "MatchControl") -> str:
        """Answer the other program's GAMEEND; returns a result text. Raises Broken."""
        moves = plural(len(self.words), "move")
        agreed = end.reason == dxp.DRAWN and self.side.player.accepts_draw(match)
        reason = OPPOSITE_RESULT.get(end.reason, 0) if end.reason != dxp.DRAWN or agreed else 0
        self.side.send(dxp.End(reason))
        if agreed:
            return f"a draw by agreement, after {moves}"
        claim = ("ended the game", "resigned", "claims a draw", "claims to have won")[end.reason]
        return f"the other program {claim}, after {moves}"

    # -- our moves ---------------------------------------------------------------------------------

    def _think(self, match: "MatchControl") -> bool:
        """Choose and send a move, unless a message must be handled first; false to resign."""
        player, host = self.side.player, self.side.host
        began = time.monotonic()
        host.configure(self._times(), self._watch)
        try:
            choice = player.choose(host.view())
        finally:
            host.configure(None, None)
        self._poll_input()
        if any(isinstance(message, dxp.BackRequest | dxp.End) for message in self.side.early):
            return True
        if choice is None:
            match.undo(1)
            return False
        took = time.monotonic() - began
        message = dxp.move_message(match.position, choice.move, took)
        self._spend(took)
        self.side.send(message)
        self.words.append(message.word)
        return True

    def _watch(self, event: "Event") -> bool:
        """Called about twenty times a second during a search; true stops it."""
        self._poll_input()
        return any(isinstance(message, dxp.BackRequest | dxp.End) for message in self.side.early)

    def _poll_input(self) -> None:
        """Queue incoming messages."""
        while (message := self.side.link.receive(0.0)) is not None:
            self.side.early.append(message)
            if len(self.side.early) > dxp.MAX_QUEUED:
                raise Broken("protocol_error", f"sent more than {dxp.MAX_QUEUED} messages out of turn")

    def _times(self) -> Times | None:
        if not self.budget:
            return None
        clock = (max(0.05, self.remaining), 0.0)
        to_go = self.period - self.moves_made if self.period else 0
        return (clock, None, to_go) if self.us == 0 else (None, clock, to_go)

    def _spend(self, seconds: float) -> None:
        """Subtract the time of a move from our clock."""
        self.remaining -= seconds
        self.moves_made += 1
        if self.period and self.moves_made >= self.period:
            self.remaining, self.moves_made = self.remaining + self.budget, 0

    # -- the end -----------------------------------------------------------------------------------

    def _end_by_rules(self, match: "MatchControl") -> tuple[str, bool]:
        """End a game that is over by the rules."""
        assert match.payoffs is not None
        gain = match.payoffs[self.us] - match.payoffs[1 - self.us]
        reason = dxp.WON if gain > 0 else dxp.LOST if gain < 0 else dxp.DRAWN
        winner = "a draw" if not gain else f"{match.side(self.us if gain > 0 else 1 - self.us)} wins"
        return self._end(match, reason, winner)

    def _end(self, match: "MatchControl", reason: int, text: str) -> tuple[str, bool]:
        """Send the end and wait for its confirmation. Raises Broken."""
        self.side.send(dxp.End(reason))
        deadline = time.monotonic() + END_TIMEOUT
        end: dxp.Message | None = None
        while not isinstance(end, dxp.End):
            end = self.side.early.pop(0) if self.side.early else self.side.link.receive(deadline)
            if end is None:
                break
        return f"{text}, after {plural(len(self.words), 'move')}", isinstance(end, dxp.End) and end.stop


def _squares(match: "MatchControl") -> str:
    """The squares of the position."""
    position = match.position
    assert isinstance(position, PlaysDraughts)
    return position.squares()


def open_listener(host: str, port: int) -> socket.socket:
    """A listening socket. Raises BadInput."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=5)
    except OSError as error:
        number = error.errno or 0  # negative for errors of the name resolution
        reason = os.strerror(number) if number > 0 else error.strerror
        raise BadInput(f"{host}:{port}: {reason}. Try another: --listen {dxp.HOST}:{dxp.PORT + 1}") from None
