"""Tournaments of a lichess server: listing, joining, leaving, and their games.

    tournament/ID   an arena: free players are paired again until it ends
    swiss/ID        a Swiss tournament: rounds

A pairing starts a game like any other. An arena pairs players without its page open only for a minute
after they join, so an entry joins again periodically.
"""

import math
import re
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from gameplay.errors import Unfinished, Usage, brief
from gameplay.lichess.link import BACKOFF
from gameplay.lichess.messages import VARIANTS, Malformed, control_text, parse_count, parse_id, text
from gameplay.lichess.server import LichessServer, LineStream, Lost, NotFound, Suggest, suggest

ARENA, SWISS = "tournament", "swiss"  # as in addresses
EVENTS = "/api/stream/event"
POLL_INTERVAL = 50.0  # seconds between polls of a tournament
MIN_PERSON_SECONDS = 480  # minimum seconds for 40 moves in a person's tournament game
STATUS = {10: "created", 20: "started", 30: "finished"}
_PLACE = re.compile(r"(?:https://([^/\s]+)/)?(?:(tournament|swiss)/)?([A-Za-z0-9]{8})/?", re.ASCII)


def parse_tournament(word: str, url: str, suggest: Suggest = suggest) -> tuple[str, str]:
    """The kind and the id of a tournament: `ID`, `swiss/ID`, or its address at server `url`. Raises Usage."""
    match = _PLACE.fullmatch(word)
    if not match:
        raise Usage(
            f"'{brief(word)}' is not a tournament; expected the id of an arena, swiss/ID, or an address. "
            f"Try: {suggest('tournaments')}"
        )
    host = urlsplit(url).netloc
    if match[1] not in (None, host):
        raise Usage(f"'{brief(word)}' is an address of {match[1]}; expected one of {host}. Try: {match[3]}")
    return match[2] or ARENA, match[3]


@dataclass(frozen=True)
class ServerTournament:
    """A tournament at the server. `seconds`: until it begins, if known. `minutes`: its length."""

    kind: str
    id: str
    name: str
    clock: tuple[float, float]
    variant: str
    rated: bool
    players: int
    status: str  # created, started, finished
    seconds: int | None = None
    minutes: int | None = None
    bots: bool = False  # may play

    @classmethod
    def of(cls, kind: str, data: dict[str, Any]) -> "ServerTournament":
        """Parse a tournament, in any form of the server. Raises Malformed."""
        clock, variant, status = data.get("clock"), data.get("variant"), data.get("status")
        if not isinstance(clock, dict):
            raise Malformed("the server sent a tournament without a clock")
        if isinstance(variant, dict):
            variant = variant.get("key")
        if data.get("isFinished") is True:
            status = "finished"
        return cls(
            kind,
            parse_id(data.get("id")),
            text(data.get("fullName") or data.get("name"), 80) or "a tournament",
            (float(parse_count(clock.get("limit")) or 0), float(parse_count(clock.get("increment")) or 0)),
            text(variant, 40) or "standard",
            data.get("rated") is True,
            parse_count(data.get("nbPlayers")) or 0,
            STATUS.get(status, "started") if isinstance(status, int) else text(status, 20) or "started",
            parse_count(data.get("secondsToStart")),
            parse_count(data.get("minutes")),
            data.get("botsAllowed") is True,
        )

    def obstacle(self, bot: bool) -> str:
        """Why the user cannot play it here; "" if they can."""
        main, increment = self.clock
        if self.variant not in VARIANTS:
            return f"{self.variant} is not supported"
        if bot and self.kind == ARENA and not self.bots:
            return "bots are not allowed"
        if not bot and main + 40 * increment < MIN_PERSON_SECONDS:
            return f"{control_text(self.clock)} is too fast: lichess.org pairs rapid and slower games here"
        return ""

    @property
    def when(self) -> str:
        """The state as text."""
        if self.status != "created":
            return "in progress" if self.status == "started" else "over"
        if self.seconds is None:
            return "not begun"
        return f"begins in {self.seconds // 60} min" if self.seconds >= 60 else "begins within a minute"


def list_tournaments(server: LichessServer) -> list[ServerTournament]:
    """The arenas in progress, and those that begin soon. Raises Malformed."""
    answer = server.get(f"/api/{ARENA}")
    tournaments: list[ServerTournament] = []
    for status in ("started", "created"):
        rows = answer.get(status) if isinstance(answer, dict) else None
        if not isinstance(rows, list):
            raise Malformed(f"{server.host} sent no list of tournaments")
        tournaments += [ServerTournament.of(ARENA, row) for row in rows if isinstance(row, dict)]
    return tournaments


class TournamentEntry:
    """The user's entry in a tournament. form: the password or team for joining."""

    def __init__(self, server: LichessServer, kind: str, name: str, **form: str | None) -> None:
        self.server, self.kind, self.name = server, kind, name
        self.form = {key: value for key, value in form.items() if value}
        self.last_poll = -math.inf  # time of the last poll

    def facts(self) -> ServerTournament:
        """The current state of the tournament. Raises Usage if the server has none of this name."""
        try:
            answer = self.server.get(f"/api/{self.kind}/{self.name}")
        except NotFound:
            raise Usage(self._missing()) from None
        if not isinstance(answer, dict):
            raise Malformed(f"{self.server.host} sent no tournament")
        return ServerTournament.of(self.kind, answer)

    def join(self) -> None:
        """Join, or end a pause; in an arena in progress, request a pairing at once."""
        asap = {"pairMeAsap": True} if self.kind == ARENA else {}
        self.server.post(f"/api/{self.kind}/{self.name}/join", **self.form, **asap)
        self.last_poll = time.monotonic()

    def withdraw(self) -> None:
        """Leave before it begins, or pause. Raises Usage as `facts`."""
        try:
            self.server.post(f"/api/{self.kind}/{self.name}/withdraw")
        except NotFound:
            raise Usage(self._missing()) from None

    def _missing(self) -> str:
        server = self.server
        return f"{server.host} has no tournament '{self.name}'. Try: {server.suggest('tournaments')}"

    def poll(self) -> bool:
        """Poll at most every POLL_INTERVAL, and join an arena again; True if the tournament is over."""
        if time.monotonic() - self.last_poll < POLL_INTERVAL:
            return False
        self.last_poll = time.monotonic()
        if self.facts().status == "finished":
            return True
        if self.kind == ARENA:
            self.join()
        return False

    def next_game(self, known_games: set[str]) -> str:
        """Wait for a game not in `known_games`; returns its id, "" if the tournament is over.

        Raises Unfinished for a pairing that may not be played here, and errors of the server.
        """
        failures = 0
        while True:
            events: LineStream | None = None
            try:
                events = self.server.stream(EVENTS)
                self.last_poll = -math.inf
                for event in events:
                    failures = 0
                    if self.poll():
                        return ""
                    name = self._paired_game(event or {})
                    if name and name not in known_games:
                        return name
            except Lost:
                self.server.wait(BACKOFF[min(failures, len(BACKOFF) - 1)])
                failures += 1
            finally:
                if events is not None:
                    events.close()

    def _paired_game(self, event: dict[str, Any]) -> str:
        """The id of a game of this tournament that begins, else ""."""
        game = event.get("game")
        if event.get("type") != "gameStart" or not isinstance(game, dict):
            return ""
        tournament = game.get("tournamentId", game.get("swissId"))
        if tournament != self.name and not (
            tournament is None and game.get("source") in (self.kind, "arena")
        ):
            return ""
        compat = game.get("compat")
        if isinstance(compat, dict) and compat.get("board") is False:
            raise Unfinished(f"{self.server.host} paired a game that may not be played here")
        return parse_id(game.get("gameId", game.get("id")))
