"""A bot: accepts the challenges that its policy allows, and plays each game on a thread."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gameplay.errors import GameplayError, Usage, describe_exception
from gameplay.lichess.bot_game import BotGame
from gameplay.lichess.link import BACKOFF, Link
from gameplay.lichess.messages import Challenge, Malformed, parse_id, text
from gameplay.lichess.policy import BotPolicy
from gameplay.lichess.server import (
    PAUSE,
    LichessServer,
    LineStream,
    Lost,
    RateLimited,
    Refused,
    Suggest,
    suggest,
)
from gameplay.lichess.tournaments import EVENTS, TournamentEntry


@dataclass(frozen=True)
class Invitation:
    """A challenge that the bot sends: the opponent, seconds and increment, and whether it is rated."""

    user: str
    clock: tuple[int, int]
    rated: bool = False


class Bot:
    """Plays as the account `me` with the engine `spec`. `print_line` gets messages, from any thread.

    concurrent: maximum games with a clock at once. games: number of games to play; 0: no limit.
    """

    def __init__(
        self,
        server: LichessServer,
        me: str,
        spec: str,
        policy: BotPolicy,
        print_line: Callable[[str], None],
        concurrent: int = 1,
        games: int = 0,
        invitation: Invitation | None = None,
        entry: TournamentEntry | None = None,
    ) -> None:
        self.server, self.me, self.spec, self.policy = server, me, spec, policy
        self.entry = entry  # the tournament to play
        self.concurrent, self.games, self.invitation = concurrent, games, invitation
        self._print_line = print_line
        self.lock = threading.Condition()
        self.playing: dict[str, Link] = {}  # games in progress
        self.finished: set[str] = set()
        self.accepted: set[str] = set()  # challenges that become games
        self.correspondence: set[str] = set()  # accepted challenges to correspondence games
        self.failed_games = 0  # games that failed
        self.stopping = False
        self.stream: LineStream | None = None

    def run(self) -> None:
        """Play until all games are played or `stop` is called. Raises GameplayError, KeyboardInterrupt."""
        failures = 0
        while not self.done():
            try:
                self.stream = self.server.stream(EVENTS)
                self._invite()
                for event in self.stream:
                    failures = 0
                    if self.entry is not None and not self.stopping and self.entry.poll():
                        self.print_line("the tournament is over")
                        self.stop()
                    if event is not None:
                        self._handle_event(event)
                    if self.done():
                        break
            except RateLimited:
                self.print_line(f"{self.server.host} limits the rate of requests; waiting {PAUSE:.0f} s")
                self.server.wait(PAUSE)
            except Lost as lost:
                if self.done():
                    break
                if not failures:
                    self.print_line(f"{lost}; connecting again")
                self.server.wait(BACKOFF[min(failures, len(BACKOFF) - 1)])
                failures += 1
        if self.stream is not None:
            self.stream.close()

    def print_line(self, text: str) -> None:
        """Report a message; thread-safe."""
        with self.lock:
            self._print_line(text)

    def done(self) -> bool:
        """True if all games are played."""
        with self.lock:
            enough = self.stopping or (self.games and len(self.finished) + len(self.playing) >= self.games)
            return bool(enough) and not self.playing

    def stop(self) -> int:
        """Accept no more challenges; returns the number of games in progress."""
        with self.lock:
            self.stopping = True
            return len(self.playing)

    def wait(self) -> None:
        """Wait for the games in progress."""
        with self.lock:
            while self.playing:
                self.lock.wait(0.5)  # so that Ctrl-C is noticed

    def leave(self) -> None:
        """Disconnect from the games in progress, which continue at the server."""
        with self.lock:
            links = list(self.playing.values())
        for link in links:
            link.close()

    # -- events --------------------------------------------------------------------------------------

    def _handle_event(self, event: dict[str, Any]) -> None:
        kind = event.get("type")
        content = event.get("game" if kind in ("gameStart", "gameFinish") else "challenge")
        try:
            if kind == "challenge" and isinstance(content, dict):
                self._answer(Challenge.of(content))
            elif kind == "gameStart" and isinstance(content, dict):
                self._begin(parse_id(content.get("gameId", content.get("id"))))
            elif kind == "challengeDeclined" and isinstance(content, dict):
                self.print_line(
                    f"the challenge is declined: {text(content.get('declineReason')) or 'no reason'}"
                )
                self.stop()
        except Malformed as malformed:
            self.print_line(f"an event is ignored: {malformed}")
        except Refused as refused:
            self.print_line(str(refused))

    def _answer(self, challenge: Challenge) -> None:
        """Accept or decline a challenge."""
        if challenge.user == self.me.lower() or challenge.id in self.accepted:
            return
        decline_reason = self.policy.decline_reason(challenge)
        if decline_reason is None and (self.stopping if challenge.days else self._busy()):
            decline_reason = "later", "busy"
        if decline_reason is not None:
            try:
                self.server.post(f"/api/challenge/{challenge.id}/decline", reason=decline_reason[0])
            except Refused as refused:
                self.print_line(f"not declined: {challenge} ({refused})")
            else:
                self.print_line(f"declined: {challenge} ({decline_reason[1]})")
            return
        if challenge.days:
            self.correspondence.add(challenge.id)
        self.accepted.add(challenge.id)  # before the request: the game may start before its response arrives
        try:
            self.server.post(f"/api/challenge/{challenge.id}/accept")
        except Refused as refused:
            self.accepted.discard(challenge.id)
            self.print_line(f"not accepted: {challenge} ({refused})")
            return
        except GameplayError:
            self.accepted.discard(challenge.id)
            raise
        self.print_line(f"accepted: {challenge}")

    def _busy(self) -> bool:
        with self.lock:
            accepted_games = len(self.accepted - self.finished - set(self.playing) - self.correspondence)
            active = sum(not link.correspondence for link in self.playing.values()) + accepted_games
            enough = self.games and len(self.finished) + active >= self.games
            return bool(self.stopping or enough or active >= self.concurrent)

    def _invite(self) -> None:
        """Send the challenge unless the bot is busy."""
        invitation = self.invitation
        if invitation is None or self._busy():
            return
        limit, increment = invitation.clock
        path = f"/api/challenge/{invitation.user}"
        form = {"rated": invitation.rated, "clock.limit": limit, "clock.increment": increment}
        self.server.post(path, **form)
        self.print_line(f"challenged {invitation.user}")

    def _begin(self, name: str) -> None:
        """Start a thread for a game, once."""
        with self.lock:
            if name in self.playing or name in self.finished:
                return
            link = self.playing[name] = Link(self.server, "bot", name, self.me)
        threading.Thread(target=self._play, args=(name, link), name=f"game {name}", daemon=True).start()

    def _play(self, name: str, link: Link) -> None:
        """Play a game on its own thread; an error ends only this game."""
        try:
            self.print_line(f"{name}: {BotGame(link, self.spec, self.policy, self.print_line).play()}")
        except GameplayError as error:
            self.failed_games += 1
            self.print_line(f"{name}: {error}")
        except Exception as error:
            self.failed_games += 1
            self.print_line(f"{name}: {describe_exception(error)}")
        finally:
            link.close()
            with self.lock:
                self.playing.pop(name, None)
                self.finished.add(name)
                self.lock.notify_all()
        try:
            if self.done():
                if self.stream is not None:
                    self.stream.close()
            else:
                self._invite()
        except GameplayError as error:
            self.print_line(str(error))
            self.stop()


def check_account(account: dict[str, Any], engine: bool, suggest: Suggest = suggest) -> str:
    """The account's name. Raises Usage unless a bot account plays with an engine, or a person without."""
    name = text(account.get("username"), 40) or text(account.get("id"), 40)
    bot = account.get("title") == "BOT"
    if engine and not bot:
        raise Usage(
            f"{name} is not a bot account, and engines may only play for bot accounts: docs/how-to/lichess.md"
        )
    if bot and not engine:
        raise Usage(f"{name} is a bot account, which requires an engine. Try: {suggest('bot')}")
    return name
