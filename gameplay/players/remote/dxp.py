"""A player at another address: a draughts program that speaks DXP (see `gameplay.protocols.dxp`).

`dxp:HOST:PORT` connects and requests a game in which the other program has this seat: from the usual start,
or from its first position. The time of the game is that of its clock, or `minutes=N`. Moves
that are undone here are undone there by BACKREQ; if that is refused, a new game begins there.

Every failure is a Fault with its kind, and costs one game: the next one begins with a new connection.
"""

import math
import time

from gameplay.errors import Fault, IllegalMove, Usage, brief
from gameplay.options import Whole, read_option
from gameplay.players.player import Choice, MatchView, Player, after_moves
from gameplay.protocols import dxp, hub
from gameplay.protocols.channel import Broken
from gameplay.search.limit import Limit
from gameplay.specs import TIMEOUT, ProgramSpec, parse

START_UP = 10.0  # seconds until it is connected
ANSWER = 10.0  # ... until a request is answered
FAREWELL = 1.0  # ... until the end of a game is confirmed
MINUTES = 5  # of a game without a clock
TIMES = Whole(1, 999, unit="minutes")


class RemotePlayer(Player):
    """Plays the moves of a program at another address."""

    lasts = True

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
            options = "there are: minutes, name, timeout"
            raise Usage(f"'{self.spec}': dxp has no option '{brief(unknown[0])}' ({options})")
        minutes = program.options.get("minutes", str(MINUTES))
        self.minutes = read_option(f"'{self.spec}'", "minutes", minutes, TIMES, MINUTES)
        self.name = program.name or "dxp"
        self.allowed = TIMEOUT
        self.link: dxp.DxpLink | None = None
        self.match: MatchView | None = None  # the one that is played there
        self.base = 0  # plies made before the game began there
        self.known: list[int] = []  # the moves made there since then
        self.seat = 0
        self.said: int | None = None  # what it said at the end: a reason

    def check(self, position: object) -> None:
        """Raises Usage if the protocol does not support this game."""
        dxp.check_game(position)  # type: ignore[arg-type]

    def begin(self, match: MatchView) -> None:
        """A match begins: connect. Raises Fault."""
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
            return self._awaited(match)
        except Broken as broken:
            raise self._fault(broken.kind, f"{broken}{after_moves(match)}") from None
        except KeyboardInterrupt:
            self._drop()
            raise

    def accepts_draw(self, match: MatchView) -> bool:
        """End the game there as a draw, for DXP has no offer; true if the other program says the same.

        If it does not, a new game begins there with the next move, from the position here.
        """
        if self.match is None or self.link is None:
            return False
        try:
            self._follow(match)
            self._send(dxp.End(dxp.DRAWN))
            end = self._next(dxp.End, ANSWER, "did not answer the end of the game in time")
        except Broken:
            self._drop()
            return False
        assert isinstance(end, dxp.End)
        self.match = None
        if end.stop:
            self._drop()
        return end.reason == dxp.DRAWN

    def allow(self, seconds: float) -> None:
        """Its timeout, where its spec has none."""
        self.allowed = seconds

    def contradiction(self, match: MatchView) -> str:
        """What it says of the result, if it contradicts the rules: the end of the game is exchanged here."""
        payoffs = match.payoffs
        if self.match is None or payoffs is None:
            return ""
        self._finish(stop=False)
        claims = {dxp.LOST: -1, dxp.DRAWN: 0, dxp.WON: 1}
        if self.said not in claims or claims[self.said] == _sign(payoffs, self.seat):
            return ""
        words = {-1: "lost", 0: "drew", 1: "won"}
        claim = f"{self.name} says that it {words[claims[self.said]]}"
        return f"{claim}, and by the rules it {words[_sign(payoffs, self.seat)]}{after_moves(match)}"

    def rest(self) -> None:
        """Exchange the end of the game, if it is over."""
        if self.match is not None and self.match.payoffs is not None:
            self._finish(stop=False)

    def close(self) -> None:
        """End the game and the connection; it can be restarted."""
        self._finish(stop=True)
        self._drop()

    # -- inside ----------------------------------------------------------------------------------

    def _request(self, match: MatchView) -> None:
        """Request a game from where this player's part begins. Raises Broken."""
        turns = match.turns
        alone = len(turns) == 1 and turns[0].player != self.seat
        self.base = 0 if alone else len(turns)
        position = match.replica(self.base)
        start = hub.format_position(position)
        usual = "" if start == hub.format_position(position.initial()) else start
        minutes, moves = self._time(match)
        self._send(dxp.GameRequest("gameplay", dxp.colour_of(position, self.seat), minutes, moves, usual))
        answer = self._next(dxp.Acceptance, ANSWER, "did not answer the game request in time")
        assert isinstance(answer, dxp.Acceptance)
        if answer.code != dxp.YES:
            raise Broken("start", f"refuses the game, with code {answer.code}")
        if not self.program.name:
            self.name = answer.name or self.name
        self.match, self.known, self.said = match, [], None

    def _time(self, match: MatchView) -> tuple[int, int]:
        """Minutes, and for how many moves; 0: for all."""
        clock = match.clock
        if clock is None or not clock.runs(self.seat):
            return self.minutes, 0
        if clock.each(self.seat):
            return max(1, min(999, math.ceil(clock.allowance(self.seat) / 60))), 1
        minutes = math.ceil(clock.allowance(self.seat) / 60)
        return max(1, min(999, minutes)), min(999, clock.moves_to_go(self.seat))

    def _follow(self, match: MatchView) -> None:
        """Synchronize the remote game with this one. Raises Broken."""
        moves = [turn.move for turn in match.turns]
        here = moves[self.base :]
        if len(moves) < self.base or here[: len(self.known)] != self.known:
            self._go_back(match, moves)
            here = moves[self.base :]
        for ply in range(len(self.known), len(here)):
            turn = match.turns[self.base + ply]
            if turn.player == self.seat:  # redone here, and not known there
                self._begin_anew(match)
                return
            self._send(dxp.move_message(match.replica(self.base + ply), turn.move, turn.seconds or 0.0))
            self.known.append(turn.move)

    def _go_back(self, match: MatchView, moves: list[int]) -> None:
        """Take moves back there, or begin a new game from where it is here."""
        here = moves[self.base :]
        pairs = enumerate(zip(here, self.known, strict=False))
        same = next((ply for ply, (ours, theirs) in pairs if ours != theirs), len(here))
        if len(moves) < self.base:
            self._begin_anew(match)
            return
        begun = match.replica(self.base)
        self._send(dxp.BackRequest.at(same, dxp.colour_of(begun, begun.turn)))
        answer = self._next(dxp.BackAnswer, ANSWER, "did not answer the undo request in time")
        assert isinstance(answer, dxp.BackAnswer)
        if answer.code == dxp.YES:
            self.known = self.known[:same]
        else:
            self._begin_anew(match)

    def _begin_anew(self, match: MatchView) -> None:
        self._send(dxp.End(0))
        self._next(dxp.End, ANSWER, "did not confirm the end of the game in time")
        self._request(match)

    def _awaited(self, match: MatchView) -> Choice | None:
        """The answer to the position. Raises Broken, or Fault."""
        clock = match.clock
        if clock is not None and not clock.runs(self.seat):
            clock = None
        began = time.monotonic()
        if clock is not None:
            clock.start(self.seat)
            seconds = clock.allowance(self.seat) + clock.margin
        else:
            seconds = self.program.timeout if self.program.timeout != TIMEOUT else self.allowed
        late = f"had not moved after {seconds:.3g} s"
        seconds += began - time.monotonic()
        message = self._next(
            (dxp.MoveMessage, dxp.End), seconds, late, "hang" if clock is None else "time_forfeit"
        )
        if isinstance(message, dxp.MoveMessage):
            return self._understood(match, message)
        assert isinstance(message, dxp.End)
        self._end_here(match, message)
        return None

    def _understood(self, match: MatchView, message: dxp.MoveMessage) -> Choice:
        try:
            move = match.ask("parse()", hub.parse_move, match.position, message.word)
        except IllegalMove:
            raise self._fault("illegal_move", f"answered '{message.word}'{after_moves(match)}") from None
        self.known.append(move)
        return Choice(move)

    def _end_here(self, match: MatchView, end: dxp.End) -> None:
        """Handle the program's end of the game: a resignation or an agreed draw. Raises Fault otherwise."""
        self.said = end.reason
        confirmed = {dxp.LOST: dxp.WON, dxp.DRAWN: dxp.DRAWN, dxp.WON: dxp.LOST}.get(end.reason, 0)
        self._send(dxp.End(confirmed))
        self.match = None
        if end.stop:
            self._drop()
        opponent = match.players[1 - self.seat]
        if end.reason == dxp.LOST:
            match.resign(self.seat)
        elif end.reason == dxp.DRAWN and opponent.accepts_draw(match):
            match.draw()
        else:
            why = "as a draw, which is not agreed" if end.reason == dxp.DRAWN else f"with reason {end.reason}"
            raise self._fault("protocol_error", f"ended the game {why}{after_moves(match)}")

    def _next(
        self,
        wanted: "type[dxp.Message] | tuple[type[dxp.Message], ...]",
        seconds: float,
        late: str,
        kind: str = "hang",
    ) -> dxp.Message:
        """The next message of the wanted kinds. Raises Broken, of this kind if it is late.

        Chats are passed over, as is a late end of the last game, and no move is taken back.
        """
        deadline = time.monotonic() + seconds
        for _ in range(dxp.MAX_QUEUED):
            assert self.link is not None
            message = self.link.receive(deadline)
            if message is None:
                raise Broken(kind, late)
            if isinstance(message, wanted):
                return message
            if isinstance(message, dxp.BackRequest):
                self._send(dxp.BackAnswer(dxp.NEVER))
            elif not isinstance(message, dxp.Chat) and not (
                isinstance(message, dxp.End) and wanted is dxp.Acceptance
            ):
                raise Broken("protocol_error", f"sent '{brief(str(message))}' out of turn")
        raise Broken("protocol_error", f"sent more than {dxp.MAX_QUEUED} messages instead of one")

    def _send(self, message: dxp.Message) -> None:
        assert self.link is not None
        self.link.send(message, time.monotonic() + ANSWER)

    def _finish(self, stop: bool) -> None:
        """Exchange the end of the game that is played there, if there is one."""
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
            end = self._next(dxp.End, FAREWELL, "")
            assert isinstance(end, dxp.End)
            self.said = end.reason
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
    """1 if that seat has won, -1 if it has lost, 0 for a draw."""
    gain = payoffs[seat] - payoffs[1 - seat]
    return (gain > 0) - (gain < 0)
