"""One game at a lichess server and the local match that follows it.

    server --- stream, on a thread ---> Link.state, chat ---> Link.follow(match), on the match's own thread
    server <--- moves, offers, on the match's thread --- Link.send, .offer, ...

The server is authoritative for moves, clocks and result. Invariant: after `follow` the moves of the match are
those of the last state, plus at most one of ours that the server has not confirmed (`unconfirmed_plies`).
Receiving a state twice, as after a new connection, changes nothing.
"""

import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from gameplay import registry
from gameplay.errors import Fault, GameplayError, IllegalMove, TryLater, Usage
from gameplay.lichess.messages import (
    ABORTED,
    TIMED_OUT,
    VARIANTS,
    FullGame,
    GameState,
    Malformed,
    text,
)
from gameplay.lichess.server import PAUSE, LichessServer, LineStream, Lost, RateLimited, Refused
from gameplay.matches.clock import MICROSECONDS, Clock, TimeControl
from gameplay.matches.match import AGREED, CLAIMED, RESIGNED, TIME, Match
from gameplay.protocols.uci import format_move, parse_move

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition
    from gameplay.registry import Game

BACKOFF = (1.0, 2.0, 5.0, 10.0, 30.0)  # seconds before each new connection
CONFIRM_TIMEOUT = 3.0  # seconds to wait for a move whose request failed but may have arrived
LAG = 0.3  # seconds of a bot's time reserved for the network
MARGIN = 1e9  # seconds: the server alone decides who has lost on time
START_TIMEOUT = 60.0  # seconds to wait for the game at the start of a stream
MAX_TEXTS = 50  # messages not shown yet
# Rules of the local match, the first under which the moves are legal: default draws, draws without claims, or
# no automatic draws.
RULESETS = ("chess", "chess:claims=off", "chess:automatic=off")


class Link:
    """Follows game `name` as the user `me` by one of the two APIs: `board` or `bot`."""

    def __init__(self, server: LichessServer, api: str, name: str, me: str) -> None:
        self.server, self.api, self.name, self.me = server, api, name, me.lower()
        self.changed = threading.Condition()
        self.full: FullGame | None = None
        self.state = GameState()
        self.number = 0  # states and messages received
        self.processed = 0  # ... of them processed by `follow`
        self.error: GameplayError | None = None
        self.texts: deque[str] = deque(maxlen=MAX_TEXTS)
        self.opponent_left = False  # the win can be claimed
        self.unconfirmed_plies: int | None = None  # plies with our unconfirmed move; None: all confirmed
        self.announced_offers: tuple[int, bool, bool] = (-1, False, False)  # ply, draw, takeback
        self._stopped = threading.Event()
        self._stream: LineStream | None = None

    # -- listening, on a thread ----------------------------------------------------------------------

    def open(self) -> FullGame:
        """Start listening; returns the game. Raises GameplayError if it does not begin, or is unsupported."""
        threading.Thread(target=self._listen, name=f"lichess {self.name}", daemon=True).start()
        with self.changed:
            self.changed.wait_for(lambda: self.full is not None or self.error is not None, START_TIMEOUT)
            if self.full is None:
                self._stopped.set()
                raise self.error or Lost(f"{self.server.host} sends no game {self.name}")
        if self.full.variant not in VARIANTS:
            self.close()
            raise Usage(f"{self.full.variant} is not supported; expected one of {', '.join(VARIANTS)}")
        return self.full

    def close(self) -> None:
        """Stop listening; the game continues at the server."""
        self._stopped.set()
        if self._stream is not None:
            self._stream.close()

    def _listen(self) -> None:
        failures = 0
        while not self._stopped.is_set():
            try:
                self._stream = self.server.stream(f"/api/{self.api}/game/stream/{self.name}")
                for message in self._stream:
                    failures = 0
                    if self._stopped.is_set():
                        return
                    if message is not None:
                        self._receive(message)
            except RateLimited:
                self._stopped.wait(PAUSE)
            except Lost as lost:
                if self._stopped.is_set() or self.state.over:
                    return
                if not failures:
                    self._add_text(f"{lost}; connecting again")
                self._stopped.wait(BACKOFF[min(failures, len(BACKOFF) - 1)])
                failures += 1
            except GameplayError as error:  # token refused, game unknown, or malformed data
                self._fail(error)
                return

    def _receive(self, message: dict[str, Any]) -> None:
        """Process a message of the stream. Raises Malformed."""
        message_type = message.get("type")
        with self.changed:
            if message_type == "gameFull":
                self.full = FullGame.of(message)
                self.state = self.full.state
            elif message_type == "gameState" and self.full is not None:
                self.state = GameState.of(message)
            elif message_type == "chatLine" and message.get("room") == "player":
                sender = text(message.get("username"), 40)
                if sender.lower() != self.me:
                    self.texts.append(f"{sender}: {text(message.get('text'))}")
            elif message_type == "opponentGone":
                self.opponent_left = message.get("gone") is True and message.get("claimWinInSeconds") == 0
            else:
                return
            self.number += 1
            self.changed.notify_all()

    def _add_text(self, text: str) -> None:
        with self.changed:
            self.texts.append(text)
            self.number += 1
            self.changed.notify_all()

    def _fail(self, error: GameplayError) -> None:
        with self.changed:
            self.error = error
            self.number += 1
            self.changed.notify_all()

    # -- the match -------------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """Our seat."""
        assert self.full is not None
        return int(self.full.ids[1] == self.me)

    @property
    def correspondence(self) -> bool:
        """True for a correspondence game."""
        return self.full is not None and self.full.days is not None

    def game(self, rulesets: tuple[str, ...] = RULESETS) -> "tuple[Game, list[str]]":
        """The local game and its moves. Raises Malformed if the moves are not legal."""
        assert self.full is not None
        for spec in rulesets:
            game = registry.game(spec)
            try:
                return game, _convert_moves(game.new(self.full.start), self.state.moves)
            except IllegalMove as error:
                reason = str(error)
        raise Malformed(f"the server sent a game that is not legal: {reason}")

    def clock(self) -> Clock | None:
        """The clock, which the server sets; None without a clock."""
        assert self.full is not None
        if self.full.clock is None:
            return None
        main, increment = self.full.clock
        return Clock([TimeControl(max(main, 0.001), increment=increment)] * 2, MARGIN)

    def has_news(self) -> bool:
        """True if there is data that `follow` has not processed."""
        return self.number != self.processed

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for news; False on a timeout."""
        with self.changed:
            return self.changed.wait_for(self.has_news, seconds)

    def follow(self, match: Match) -> list[str]:
        """Bring the match to the server's state, except moves not made yet; returns messages for the user.

        Raises the error that ended the connection, Fault for illegal moves.
        """
        with self.changed:
            self.processed, state, error = self.number, self.state, self.error
            texts = list(self.texts)
            self.texts.clear()
        if error is not None and not state.over:
            raise error
        self._rewind(match, state)
        self._set_clocks(match, state)
        if state.over and not match.over() and len(match.turns) >= len(state.moves):
            self._end(match, state)
        return [*texts, *self._offers(state)]

    def next_move(self, match: Match) -> int | None:
        """The next move of the server that the match lacks, or None. Raises Fault."""
        ply, moves = len(match.turns), self.state.moves
        if ply >= len(moves):
            return None
        try:
            return parse_move(match.position, moves[ply])
        except IllegalMove as error:
            raise Fault(f"{self.server.host} sent an illegal move: {error}", "protocol_error") from None

    def _rewind(self, match: Match, state: GameState) -> None:
        """Undo moves that the server does not have."""
        plies, common = len(match.turns), 0
        position = match.replica(0)
        for turn, word in zip(match.turns, state.moves, strict=False):
            try:
                if parse_move(position, word) != turn.move:
                    break
            except IllegalMove:
                break
            position.make(turn.move)
            common += 1
        if self.unconfirmed_plies is not None and len(state.moves) >= self.unconfirmed_plies:
            self.unconfirmed_plies = None
        in_transit = self.unconfirmed_plies == plies == common + 1
        if common < plies and not in_transit:
            self.unconfirmed_plies = None
            match.rewind(plies - common)

    def _set_clocks(self, match: Match, state: GameState) -> None:
        """Set the clocks to the server's, less LAG for a bot."""
        if match.clock is None or self.unconfirmed_plies is not None:
            return
        for seat, hand in enumerate(match.clock.hands):
            if hand is not None:
                seconds = state.seconds_left[seat]
                reserve = LAG if seat == self.seat and self.api == "bot" else 0.0
                hand.remaining = round(MICROSECONDS * max(seconds / 2, seconds - reserve))

    def _end(self, match: Match, state: GameState) -> None:
        """End the match with the server's result."""
        loser = None if state.winner is None else 1 - state.winner
        if state.status in ABORTED:
            match.note = "aborted"
            match.leave()
        elif loser is not None:
            match.payoffs = match.forfeit(loser)
            match.reason = TIME if state.status in TIMED_OUT else RESIGNED
            match.note = "" if state.status in ("resign", *TIMED_OUT) else f"by the server: {state.status}"
        elif state.status in ("draw", "stalemate", *TIMED_OUT) or "nsufficient" in state.status:
            position = registry.game(RULESETS[0]).new(match.position.text())
            match.payoffs = (0, 0)
            match.reason = CLAIMED if position.outcome() is not None else AGREED
        else:
            match.note = f"ended by the server: {state.status}"
            match.leave()

    def _offers(self, state: GameState) -> list[str]:
        """New offers of the opponent, as messages."""
        assert self.full is not None
        opponent, ply = 1 - self.seat, len(state.moves)
        draw, takeback = state.draw_offers[opponent], state.takeback_requests[opponent]
        previous = self.announced_offers if self.announced_offers[0] == ply else (ply, False, False)
        self.announced_offers = (ply, draw, takeback)
        name = self.full.players[opponent].name
        offers = (
            [f"{name} offers a draw: draw accepts it, decline refuses"] if draw and not previous[1] else []
        )
        if takeback and not previous[2]:
            offers.append(f"{name} requests a takeback: undo accepts it, decline refuses")
        if self.opponent_left and not state.over:
            offers.append(f"{name} has left: claim wins the game")
            self.opponent_left = False
        return offers

    # -- sending -------------------------------------------------------------------------------------

    def send(self, match: Match, move: int) -> None:
        """Send our move. Raises Refused if the server rejects it, TryLater if it cannot be reached."""
        move_text, plies = format_move(match.position, move), len(match.turns)
        path = f"/api/{self.api}/game/{self.name}/move/{move_text}"
        try:
            self.server.post(path)
        except (Refused, TryLater):
            if not self._was_accepted(plies, move_text):  # the response may have been lost
                raise
        self.unconfirmed_plies = plies + 1

    def _was_accepted(self, plies: int, move_text: str) -> bool:
        end = time.monotonic() + CONFIRM_TIMEOUT

        def has_arrived() -> bool:
            return len(self.state.moves) > plies and self.state.moves[plies] == move_text

        with self.changed:
            return self.changed.wait_for(has_arrived, max(0.0, end - time.monotonic()))

    def send_action(self, action: str) -> None:
        """Send one of `resign`, `abort`, `claim-victory`, `draw/yes`, `draw/no`, `takeback/yes`, ..."""
        self.server.post(f"/api/{self.api}/game/{self.name}/{action}")

    def chat(self, text: str) -> None:
        """Send a line of chat to the opponent."""
        self.server.post(f"/api/{self.api}/game/{self.name}/chat", room="player", text=text)


def _convert_moves(position: "AbstractPosition", moves: tuple[str, ...]) -> list[str]:
    """Convert UCI moves to the game's notation, making them. Raises IllegalMove."""
    notation = []
    for word in moves:
        if position.outcome() is not None:
            raise IllegalMove(f"the game is over before {word}")
        move = parse_move(position, word)
        notation.append(position.format(move))
        position.make(move)
    return notation
