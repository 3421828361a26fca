"""A player at a network address: a draughts program that supports DXP (see `gameplay.protocols.dxp`).

`dxp:HOST:PORT` connects and requests a game in which the remote program has this seat, from the match's first
position. The time is that of the match's clock, or `minutes=N`. Undone moves are taken back remotely by
BACKREQ; if that is refused, a new remote game begins.

Every failure is a Fault with its kind, and costs one game: the next one begins with a new connection.
"""

import math
import time

from gameplay.errors import Fault, IllegalMove, Usage, brief
from gameplay.options import Whole, read_option
from gameplay.players.player import Choice, MatchView, Player, after_moves
from gameplay.position import AbstractPosition
from gameplay.protocols import dxp, hub
from gameplay.protocols.channel import Broken
from gameplay.search.limit import Limit
from gameplay.specs import TIMEOUT, ProgramSpec, parse

START_UP = 10.0  # seconds to connect
ANSWER = 10.0  # ... to answer a request
FAREWELL = 1.0  # ... to confirm the end of a game
MINUTES = 5  # of a game without a clock
TIMES = Whole(1, 999, unit="minutes")


class RemotePlayer(Player):
    """Plays the moves of a program at another address."""

    reusable = True

    def __init__(self, spec: str, limit: Limit | None = None) -> None:
        program = parse(spec)
        assert isinstance(program, ProgramSpec)
        self.program = program
        self.spec = str(program)
        if program.limit or limit:
            raise Usage("DXP cannot limit depth, nodes or time a move. Try: minutes=N, or a clock")
        if len(program.command) != 1:
            raise Usage(
                f"'{self.spec}' is not an address; expected dxp:HOST:PORT. Try: dxp:{dxp.HOST}:{dxp.PORT}"
            )
        self.address = dxp.parse_address(program.command[0], f"'{self.spec}'")
        unknown = [name for name in program.options if name != "minutes"]
        if unknown:
            options = "choose from: minutes, name, timeout"
            raise Usage(f"'{self.spec}': dxp has no option '{brief(unknown[0])}' ({options})")
        minutes = program.options.get("minutes", str(MINUTES))
        self.minutes = read_option(f"'{self.spec}'", "minutes", minutes, TIMES, MINUTES)
        self.name = program.name or "dxp"
        self.move_timeout = TIMEOUT
        self.link: dxp.DxpLink | None = None
        self.match: MatchView | None = None  # the match of the remote game
        self.first_ply = 0  # plies of the match before the remote game
        self.remote_moves: list[int] = []  # the moves of the remote game
        self.seat = 0
        self.reported_result: int | None = None  # the reason in its GAMEEND

    def check(self, position: AbstractPosition) -> None:
        """Raises Usage if the protocol does not support this game."""
        dxp.check_game(position)

    def begin(self, match: MatchView) -> None:
        """Connect for a new match. Raises Fault."""
        self._finish(stop=False)
        if self.link is None:
            try:
                self.link = dxp.DxpLink.connect(*self.address, START_UP)
            except OSError as error:
                host, port = self.address
                raise Fault(f"{self.name}: {host}:{port}: {error.strerror or error}", "start") from None

    def choose(self, match: MatchView) -> Choice | None:
        """The program's move; it may also resign. Raises Fault for anything else."""
        self.seat = match.position.turn
        try:
            if self.link is None or self.match is not match:
                self.begin(match)
                self._request(match)
            self._follow(match)
            return self._await_reply(match)
        except Broken as broken:
            raise self._fault(broken.kind, f"{broken}{after_moves(match)}") from None
        except KeyboardInterrupt:
            self._drop()
            raise

    def accepts_draw(self, match: MatchView) -> bool:
        """End the remote game as a draw, since DXP has no offers; true if the program confirms the draw.

        Otherwise the next move starts a new remote game from the current position.
        """
        if self.match is None or self.link is None:
            return False
        try:
            self._follow(match)
            self._send(dxp.End(dxp.DRAWN))
            end = self._receive(dxp.End, ANSWER, "did not answer the end of the game in time")
        except Broken:
            self._drop()
            return False
        assert isinstance(end, dxp.End)
        self.match = None
        if end.stop:
            self._drop()
        return end.reason == dxp.DRAWN

    def set_move_timeout(self, seconds: float) -> None:
        """Set the timeout that applies if the spec has none."""
        self.move_timeout = seconds

    def contradiction(self, match: MatchView) -> str:
        """The program's claim about the result, if it contradicts the rules; "" otherwise.

        Exchanges GAMEEND.
        """
        payoffs = match.payoffs
        if self.match is None or payoffs is None:
            return ""
        self._finish(stop=False)
        claims = {dxp.LOST: -1, dxp.DRAWN: 0, dxp.WON: 1}
        if self.reported_result not in claims or claims[self.reported_result] == _sign(payoffs, self.seat):
            return ""
        verbs = {-1: "lost", 0: "drew", 1: "won"}
        claim = f"{self.name} claims that it {verbs[claims[self.reported_result]]}"
        return f"{claim}, and by the rules it {verbs[_sign(payoffs, self.seat)]}{after_moves(match)}"

    def stop_pondering(self) -> None:
        """Exchange GAMEEND, if the game is over."""
        if self.match is not None and self.match.payoffs is not None:
            self._finish(stop=False)

    def close(self) -> None:
        """End the game and the connection; it can be restarted."""
        self._finish(stop=True)
        self._drop()

    # -- inside ----------------------------------------------------------------------------------

    def _request(self, match: MatchView) -> None:
        """Request a game from the position of this player's first move. Raises Broken."""
        turns = match.turns
        replies_first = len(turns) == 1 and turns[0].player != self.seat
        self.first_ply = 0 if replies_first else len(turns)
        position = match.replica(self.first_ply)
        start = hub.format_position(position)
        custom_start = "" if start == hub.format_position(position.initial()) else start
        minutes, moves = self._time(match)
        self._send(
            dxp.GameRequest("gameplay", dxp.colour_of(position, self.seat), minutes, moves, custom_start)
        )
        acceptance = self._receive(dxp.Acceptance, ANSWER, "did not answer the game request in time")
        assert isinstance(acceptance, dxp.Acceptance)
        if acceptance.code != dxp.YES:
            raise Broken("start", f"refuses the game, with code {acceptance.code}")
        if not self.program.name:
            self.name = acceptance.name or self.name
        self.match, self.remote_moves, self.reported_result = match, [], None

    def _time(self, match: MatchView) -> tuple[int, int]:
        """Minutes and the number of moves that they are for; 0: all moves."""
        clock = match.clock
        if clock is None or not clock.runs(self.seat):
            return self.minutes, 0
        if clock.each(self.seat):
            return max(1, min(999, math.ceil(clock.allowance(self.seat) / 60))), 1
        minutes = math.ceil(clock.allowance(self.seat) / 60)
        return max(1, min(999, minutes)), min(999, clock.moves_to_go(self.seat))

    def _follow(self, match: MatchView) -> None:
        """Synchronize the remote game with the match. Raises Broken."""
        moves = [turn.move for turn in match.turns]
        local_moves = moves[self.first_ply :]
        if len(moves) < self.first_ply or local_moves[: len(self.remote_moves)] != self.remote_moves:
            self._go_back(match, moves)
            local_moves = moves[self.first_ply :]
        for ply in range(len(self.remote_moves), len(local_moves)):
            turn = match.turns[self.first_ply + ply]
            if turn.player == self.seat:  # redone locally
                self._start_new_game(match)
                return
            self._send(dxp.move_message(match.replica(self.first_ply + ply), turn.move, turn.seconds or 0.0))
            self.remote_moves.append(turn.move)

    def _go_back(self, match: MatchView, moves: list[int]) -> None:
        """Take back remote moves; if refused, start a new remote game from the current position."""
        local_moves = moves[self.first_ply :]
        pairs = enumerate(zip(local_moves, self.remote_moves, strict=False))
        common = next((ply for ply, (local, remote) in pairs if local != remote), len(local_moves))
        if len(moves) < self.first_ply:
            self._start_new_game(match)
            return
        start = match.replica(self.first_ply)
        self._send(dxp.BackRequest.at(common, dxp.colour_of(start, start.turn)))
        answer = self._receive(dxp.BackAnswer, ANSWER, "did not answer the undo request in time")
        assert isinstance(answer, dxp.BackAnswer)
        if answer.code == dxp.YES:
            self.remote_moves = self.remote_moves[:common]
        else:
            self._start_new_game(match)

    def _start_new_game(self, match: MatchView) -> None:
        self._send(dxp.End(0))
        self._receive(dxp.End, ANSWER, "did not confirm the end of the game in time")
        self._request(match)

    def _await_reply(self, match: MatchView) -> Choice | None:
        """Wait for the program's move or end of the game. Raises Broken, Fault."""
        clock = match.clock
        if clock is not None and not clock.runs(self.seat):
            clock = None
        start_time = time.monotonic()
        if clock is not None:
            clock.start(self.seat)
            seconds = clock.allowance(self.seat) + clock.margin
        else:
            seconds = self.program.timeout if self.program.timeout != TIMEOUT else self.move_timeout
        timeout_message = f"had not moved after {seconds:.3g} s"
        seconds += start_time - time.monotonic()
        message = self._receive(
            (dxp.MoveMessage, dxp.End), seconds, timeout_message, "hang" if clock is None else "time_forfeit"
        )
        if isinstance(message, dxp.MoveMessage):
            return self._parse_reply(match, message)
        assert isinstance(message, dxp.End)
        self._handle_end(match, message)
        return None

    def _parse_reply(self, match: MatchView, message: dxp.MoveMessage) -> Choice:
        try:
            move = match.call_game("parse()", hub.parse_move, match.position, message.word)
        except IllegalMove:
            raise self._fault("illegal_move", f"answered '{message.word}'{after_moves(match)}") from None
        self.remote_moves.append(move)
        return Choice(move)

    def _handle_end(self, match: MatchView, end: dxp.End) -> None:
        """Handle the program's end of the game: a resignation or an agreed draw. Raises Fault otherwise."""
        self.reported_result = end.reason
        confirmation = {dxp.LOST: dxp.WON, dxp.DRAWN: dxp.DRAWN, dxp.WON: dxp.LOST}.get(end.reason, 0)
        self._send(dxp.End(confirmation))
        self.match = None
        if end.stop:
            self._drop()
        opponent = match.players[1 - self.seat]
        if end.reason == dxp.LOST:
            match.resign(self.seat)
        elif end.reason == dxp.DRAWN and opponent.accepts_draw(match):
            match.draw()
        else:
            how = "as a draw, which is not agreed" if end.reason == dxp.DRAWN else f"with reason {end.reason}"
            raise self._fault("protocol_error", f"ended the game {how}{after_moves(match)}")

    def _receive(
        self,
        expected: "type[dxp.Message] | tuple[type[dxp.Message], ...]",
        seconds: float,
        timeout_message: str,
        kind: str = "hang",
    ) -> dxp.Message:
        """The next message of the expected types. Raises Broken, with `kind` after a timeout.

        Ignores chats and a late GAMEEND of the previous game, and refuses to take back moves.
        """
        deadline = time.monotonic() + seconds
        for _ in range(dxp.MAX_QUEUED):
            assert self.link is not None
            message = self.link.receive(deadline)
            if message is None:
                raise Broken(kind, timeout_message)
            if isinstance(message, expected):
                return message
            if isinstance(message, dxp.BackRequest):
                self._send(dxp.BackAnswer(dxp.NEVER))
            elif not isinstance(message, dxp.Chat) and not (
                isinstance(message, dxp.End) and expected is dxp.Acceptance
            ):
                raise Broken("protocol_error", f"sent '{brief(str(message))}' out of turn")
        raise Broken("protocol_error", f"sent more than {dxp.MAX_QUEUED} messages instead of one")

    def _send(self, message: dxp.Message) -> None:
        assert self.link is not None
        self.link.send(message, time.monotonic() + ANSWER)

    def _finish(self, stop: bool) -> None:
        """Exchange GAMEEND, if a remote game is in progress."""
        match, self.match = self.match, None
        if match is None or self.link is None:
            return
        try:
            payoffs = match.payoffs
            reason = 0
            if payoffs is not None:
                self._follow(match)
                reason = {-1: dxp.WON, 0: dxp.DRAWN, 1: dxp.LOST}[_sign(payoffs, self.seat)]
            self._send(dxp.End(reason, stop))
            end = self._receive(dxp.End, FAREWELL, "")
            assert isinstance(end, dxp.End)
            self.reported_result = end.reason
            if end.stop:
                self._drop()
        except Broken:
            self._drop()

    def _fault(self, kind: str, message: str) -> Fault:
        self._drop()
        return Fault(f"{self.name} {message}", kind)

    def _drop(self) -> None:
        if self.link is not None:
            self.link.close()
        self.link = self.match = None


def _sign(payoffs: tuple[float, ...], seat: int) -> int:
    """1 if the seat has won, -1 if it has lost, 0 for a draw."""
    gain = payoffs[seat] - payoffs[1 - seat]
    return (gain > 0) - (gain < 0)
