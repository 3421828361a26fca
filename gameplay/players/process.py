"""A player in a separate process, by one of `specs.PROTOCOLS`, see `gameplay.specs`.

Every failure is a Fault with its kind. Every wait has a timeout: START_UP to start, or that of the
protocol, PING to be ready; for a move its clock, its time limit and a grace, or else its timeout.
"""

import os
import shutil
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from errno import EACCES, ENOENT, ENOEXEC, ENOTDIR
from typing import TYPE_CHECKING

from msgspec import structs

from gameplay.capabilities import HasClaims
from gameplay.errors import BadInput, Fault, IllegalMove, brief
from gameplay.players.player import Choice, MatchView, Player, after_moves
from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.gtp import Gtp
from gameplay.protocols.hub import Hub
from gameplay.protocols.katago import Katago
from gameplay.protocols.nboard import NBoard
from gameplay.protocols.talk import Info, Moves, Talk
from gameplay.protocols.uci import Uci, Ugi
from gameplay.protocols.xboard import Xboard
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.search.session import grace
from gameplay.specs import DXP, PONDERING, PROTOCOLS, TIMEOUT, ProgramSpec, parse

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

START_UP = 10.0  # seconds until the process has introduced itself
PING = 10.0  # seconds until it is ready
ADVICE = "Try '"  # start of a line that only refers to a program's --help
QUERY = 1.0  # seconds to answer a query about a position

GAMES = "/usr/local/games:/usr/games"

TALKS = (Ugi, Uci, Gtp, NBoard, Hub, Xboard, Katago)
SPEAK: dict[str, type[Talk]] = dict(zip((name for name in PROTOCOLS if name != DXP), TALKS, strict=True))


def find_program(command: str) -> str | None:
    """The executable that a command's first word names; None if there is none.

    Searches PATH, then Debian's folders of games.
    """
    return shutil.which(command) or shutil.which(command, path=GAMES)


class ProcessPlayer(Player):
    """Starts its program at the first game, keeps it for later ones, and restarts it if it died."""

    reusable = True

    def __init__(self, spec: str, limit: Limit | None = None) -> None:
        program = parse(spec)
        assert isinstance(program, ProgramSpec)
        if limit is not None:
            program = structs.replace(program, limit=program.limit.within(limit))
        self.program = program
        self.limit: Limit = program.limit
        self.spec = str(program)
        self.name = program.name or os.path.basename(program.command[0])
        self.move_timeout = TIMEOUT
        self.channel: Channel | None = None
        self.talk: Talk
        self.match: Callable[[], MatchView | None] = lambda: None  # the current match of the program

    def check(self, position: "AbstractPosition") -> None:
        """Raises Usage if the protocol does not support this game, BadInput if there is no such program."""
        SPEAK[self.program.protocol].check(position, self.limit)
        command = self.program.command[0]
        if find_program(command) is None:
            code = EACCES if os.path.exists(command) and os.sep in command else ENOENT
            hint = "; options follow a comma: uci:stockfish,Skill Level=3" if ":" in command else ""
            raise BadInput(f"{self.spec}: {command}: {os.strerror(code)}{hint}")

    def begin(self, match: MatchView) -> None:
        """A match begins: start the program if it does not run, and notify it. Raises Fault."""
        self.match = weakref.ref(match)
        SPEAK[self.program.protocol].check_start(match.position, match.start)
        fresh = False
        while True:
            if self.channel is None or self.channel.exited() or not (fresh or self.talk.reusable):
                self.start(match.position)
                fresh = True
            try:
                self.talk.begin(time.monotonic() + PING)
                return
            except Broken as broken:  # it may have exited unnoticed long ago
                if fresh:
                    raise self.fault(broken.kind, str(broken)) from None
                self._end()

    def choose(self, match: MatchView) -> Choice | None:
        """The program's move; it may also resign. Raises Fault for anything else."""
        if self.match() is not match or self.channel is None:
            self.begin(match)
        player, clock = match.position.turn, match.clock
        if clock is not None and not clock.runs(player):
            clock = None
        try:
            ready = time.monotonic() + PING
            self.talk.prepare(match.position, ready)
            start, moves = self._start_and_moves(match)
            expected = self.talk.is_pondering_on(start, moves)
            if not expected:
                if self.talk.pondering:
                    self.talk.stop_pondering(time.monotonic() + grace(None))
                self.talk.position(start, moves, ready)
            if match.secrets:
                self.talk.send_view(match, ready)
            if clock is not None:
                clock.start(player)  # its time excludes the preparation
            start_time = time.monotonic()
            if clock is not None:
                deadline = start_time + clock.allowance(player) + clock.margin
            else:
                deadline = start_time + self._hang_timeout()
            if expected:
                self.talk.ponder_hit(moves, player, self.limit, clock, ready)
            else:
                self.talk.go(player, self.limit, clock, ready)
            try:
                reply = self.talk.answer(deadline, lambda info: self._show(match, info, start_time))
            except KeyboardInterrupt:
                self._end()
                raise
            if reply is None:
                raise self._missed_deadline(match, clock is not None, start_time, deadline)
        except Broken as broken:
            raise self.fault(broken.kind, str(broken) + after_moves(match)) from None
        if self.talk.resigns(reply):
            match.resign(player)
            return None
        if self.talk.claims_draw(reply):
            self._claim_draw(match, reply)
            return None
        move = self._move(match, reply)
        return Choice(move, self._report(match, self.talk.info, time.monotonic() - start_time, move))

    def ponder(self, match: MatchView, report: Report | None) -> None:
        """Let the program ponder after its move, if enabled. Failures are reported at its next move."""
        if not self.program.ponder or self.channel is None or match.secrets or match.over():
            return
        player, clock = match.turns[-1].player, match.clock
        if clock is not None and not clock.runs(player):
            clock = None
        start, moves = self._start_and_moves(match)
        if self.talk.needs_reply:
            reply = self._reply(match)
            if reply is None:
                return
            moves = [*moves, reply]
        with suppress(Broken):
            self.channel.enlarge_pipe()
            self.talk.ponder(start, moves, player, self.limit, clock, time.monotonic() + PING)

    def enable_pondering(self) -> None:
        """Enable pondering from the next start on, if the protocol supports it."""
        self.program = structs.replace(self.program, ponder=self.program.protocol in PONDERING)

    def stop_pondering(self) -> None:
        """Stop pondering; a program that does not stop is killed and restarted for its next move."""
        if self.channel is not None and self.talk.pondering:
            try:
                self.talk.stop_pondering(time.monotonic() + grace(None))
            except Broken:
                self._end()

    def accepts_draw(self, match: MatchView) -> bool:
        """Offer the program a draw; no answer means that it declines."""
        if self.channel is None:
            return False
        try:
            return self.talk.offer_draw(time.monotonic() + QUERY)
        except Broken:
            return False

    def offers_draw(self, match: MatchView) -> bool:
        """True if the program offered a draw with its last move."""
        return self.channel is not None and self.talk.draw_offered

    def set_move_timeout(self, seconds: float) -> None:
        """Set the timeout that applies if the spec has none."""
        self.move_timeout = seconds

    def contradiction(self, match: MatchView) -> str:
        """The program's claim about the winner, if it contradicts the rules; "" if it agrees or makes none.

        The claim does not affect the result. For UGI, and Go in GTP: no other protocol can ask.
        """
        if self.channel is None or not self.talk.answers_queries or match.position.players != 2:
            return ""
        payoffs = match.position.outcome()
        try:
            deadline = time.monotonic() + QUERY
            self.talk.position(*self._start_and_moves(match), deadline)
            claimed_result = self.talk.query("result", deadline)
        except Broken:
            return ""
        result = "none"
        if payoffs is not None:
            result = "p1win" if payoffs[0] > payoffs[1] else "p2win" if payoffs[0] < payoffs[1] else "draw"
        if claimed_result is None or claimed_result == result:
            return ""
        claim = f"{self.name} claims that the result is '{brief(claimed_result)}'"
        return f"{claim}, and by the rules it is '{result}'{after_moves(match)}"

    def close(self) -> None:
        """Stop the program; it can be restarted."""
        if self.channel is not None:
            self.channel.close(self.talk.quit_command)
        self.channel = None

    # -- inside ----------------------------------------------------------------------------------

    def start(self, position: "AbstractPosition | None" = None) -> None:
        """Start the program for games like that of `position`. Raises Fault."""
        self._end()
        try:
            name, *arguments = self.program.command
            talk = SPEAK[self.program.protocol]
            self.channel = Channel([find_program(name) or name, *arguments], talk.max_line)
        except OSError as error:
            if error.errno not in (EACCES, ENOENT, ENOEXEC, ENOTDIR):
                raise  # no memory or no file descriptor: not the player's fault
            fault = self.fault("start", f"{self.program.command[0]}: {error.strerror}")
            fault.status = BadInput.status
            raise fault from None
        self.talk = talk(self.channel)
        self.talk.ponders = self.program.ponder
        if position is not None:
            self.talk.set_game(position)
        try:
            self.talk.greet(self.program.options, time.monotonic() + (talk.startup_seconds or START_UP))
        except Broken as broken:
            raise self.fault("start", f"{broken}, while starting") from None
        except Fault as fault:
            raise self.fault("start", brief(str(fault), 500)) from None

    def _end(self) -> None:
        """Kill the program."""
        if self.channel is not None:
            self.channel.close()
        self.channel = None

    def fault(self, kind: str, message: str) -> Fault:
        """Stop the failed program; the Fault, with its last words on standard error."""
        log = tuple(self.channel.tail) if self.channel is not None else ()
        self._end()
        printed = (line for line in reversed(log) if line.strip() and not line.startswith(ADVICE))
        last_words = next((brief(line, 200) for line in printed), "")
        if last_words:
            message += f"; its last words: {last_words}"
        return Fault(f"{self.name} {message}", kind, log)

    def _missed_deadline(self, match: MatchView, clocked: bool, start_time: float, deadline: float) -> Fault:
        """Handle a missed deadline: stop the search, and keep the program if it stops."""
        try:
            stopped = self.talk.stop(time.monotonic() + grace(self.limit.seconds)) is not None
        except Broken:
            stopped = False
        now = time.monotonic()
        message = f"had not moved after {deadline - start_time:.3g} s"
        if stopped:
            message += f", but did {1000 * (now - deadline):.0f} ms later, when asked to stop"
        elif self.talk.can_stop:
            message += ", nor when asked to stop"
        kind = "time_forfeit" if clocked else "hang"
        if stopped:
            return Fault(f"{self.name} {message}{after_moves(match)}", kind)
        return self.fault(kind, message + after_moves(match))

    def _hang_timeout(self) -> float:
        """Seconds until the program counts as hung: its time limit plus grace, or its timeout if longer."""
        timeout = None if self.program.timeout == TIMEOUT else self.program.timeout
        seconds = self.talk.limit(self.limit.seconds)
        if seconds is None:
            return self.move_timeout if timeout is None else timeout
        return max(timeout or 0.0, seconds + grace(seconds))

    def _start_and_moves(self, match: MatchView) -> tuple[str, Moves]:
        """The start and the moves since then, in the protocol's notation."""
        if not self.talk.own_notation:
            return match.start, [(turn.player, turn.word) for turn in match.turns]
        position = match.replica(0)
        start = self.talk.start(position, match.start)
        moves = []
        for turn in match.turns:
            moves.append((turn.player, self.talk.format_move(position, turn.move)))
            position.make(turn.move)
        return start, moves

    def _reply(self, match: MatchView) -> tuple[int, str] | None:
        """The reply that the program expects, if it is legal and the program moves next."""
        position = match.replica()
        replying_seat = position.turn
        try:
            move = self.talk.parse_move(position, self.talk.expected)
            move_text = self.talk.format_move(position, move)
            position.make(move)
            is_pondering_line = position.outcome() is None and position.turn == match.turns[-1].player
        except Exception:
            return None
        return (replying_seat, move_text) if is_pondering_line else None

    def _move(self, match: MatchView, reply: str) -> int:
        try:
            move: int = self.talk.parse_move(match.position, reply)
        except Exception as error:
            move_text = brief(reply)
            reason = f": {error}" if isinstance(error, IllegalMove) and move_text == reply else ""
            position = None if match.secrets else match.position.text()
            location = f" in {position}" if position else ""
            answer = f"{self.name} answered '{move_text}'"
            raise Fault(f"{answer}{location}{after_moves(match)}{reason}", "illegal_move") from None
        return move

    def _claim_draw(self, match: MatchView, claim: str) -> None:
        """Raises Fault where the rules give no draw."""
        position = match.position
        if not isinstance(position, HasClaims) or not match.call_game("claim()", position.claim):
            raise self.fault(
                "protocol_error", f"claims '{claim}', and no rule gives a draw{after_moves(match)}"
            )
        match.draw(claimed=True)

    def _show(self, match: MatchView, info: Info, start_time: float) -> bool:
        report = self._report(match, info, time.monotonic() - start_time)
        return report is not None and bool(match.watch(report))

    def _report(self, match: MatchView, info: Info, seconds: float, move: int | None = None) -> Report | None:
        """The report of the program's search; None without a value. `move`: the best move, at the end."""
        if "value" not in info:
            return None
        pv = self._line(match, info.get("pv", ()))
        lines = [(line, self._line(match, line["pv"])) for line in info.get("lines", ())]
        return Report(
            move=move if move is not None else pv[0] if pv else None,
            value=info["value"],
            bound=info.get("bound", "exact"),
            visits=info.get("visits", 0),
            visited=tuple(
                Candidate(line[0], line_info["value"], "expectation", line_info["visits"], line)
                for line_info, line in lines
                if line
            ),
            depth=info.get("depth", 0),
            seldepth=info.get("seldepth", 0),
            nodes=info.get("nodes", 0),
            seconds=seconds,
            pv=pv,
            fill=min(1000, info.get("hashfull", 0)) / 1000,
            engine=self.spec,
            final=move is not None,
        )

    def _line(self, match: MatchView, move_texts: Sequence[str]) -> tuple[int, ...]:
        """The legal prefix of a line; illegal moves after it are ignored."""
        position = match.replica()
        line: list[int] = []
        for move_text in move_texts:
            try:
                line.append(self.talk.parse_move(position, move_text))
                position.make(line[-1])
                if position.outcome() is not None:
                    break
            except Exception:
                break
        return tuple(line)
