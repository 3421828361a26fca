"""A lichess server on loopback: games, events and challenges, with the faults that a test asks for.

`faults` are answers given instead of the right ones, by the beginning of a path: a status, or a function of
the handler. Streams are queues: a dict is sent as a line, bytes as they are, None ends the connection.
"""

import json
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from gameplay import registry
from gameplay.protocols.uci import parse_move
from tests.support.lichess_api import BOT, PERSON, objections

TOKEN = "lip_testtesttesttest"
ME, OTHER = "tester", "rival"
Lines = "queue.SimpleQueue[dict[str, Any] | bytes | None]"


@dataclass
class FakeGame:
    """A game at the server; `replies` are the opponent's moves, each made when it is their turn."""

    id: str = "abcdefgh"
    color: str = "white"  # of the user
    replies: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    status: str = "started"
    winner: str | None = None
    clock: tuple[int, int] | None = (300_000, 3_000)
    start: str = "startpos"
    variant: str = "standard"
    name: str = "Rival"  # the opponent's
    flags: dict[str, bool] = field(default_factory=dict)
    days: int | None = None  # for each move of a correspondence game, which has no clock
    tournament: dict[str, str] = field(default_factory=dict)  # how events name it
    acts: list[str] = field(default_factory=list)  # what the user asked for beside moves
    streams: list[Any] = field(default_factory=list)

    @property
    def speed(self) -> str:
        """The speed class of the game."""
        return "correspondence" if self.days else "blitz"

    @property
    def mine(self) -> bool:
        """True if it is the user's turn."""
        return (len(self.moves) % 2 == 0) == (self.color == "white")

    def state(self) -> dict[str, Any]:
        """The game as a gameState event."""
        results = {"type": "gameState", "moves": " ".join(self.moves), "status": self.status, **self.flags}
        results |= {"wtime": 290_000, "btime": 280_000, "winc": 3000, "binc": 3000}
        return results | ({"winner": self.winner} if self.winner else {})

    def full(self) -> dict[str, Any]:
        """The game as a gameFull event."""
        user = {"id": ME, "name": "Tester", "rating": 1500}
        other = {"id": OTHER, "name": self.name, "rating": 1600}
        white, black = (user, other) if self.color == "white" else (other, user)
        clock = (
            {"initial": self.clock[0], "increment": self.clock[1]} if self.clock and not self.days else None
        )
        head: dict[str, Any] = {
            "type": "gameFull",
            "id": self.id,
            "variant": {"key": self.variant},
            "speed": self.speed,
        }
        head |= {"daysPerTurn": self.days} if self.days else {}
        rest = {"rated": False, "white": white, "black": black, "initialFen": self.start}
        return head | rest | {"clock": clock, "state": self.state()}

    def tell(self, message: dict[str, Any] | bytes | None) -> None:
        """Send a message to every stream of the game."""
        for stream in self.streams:
            stream.put(message)

    def make(self, word: str) -> None:
        """A move of either side; the end of the game by mate or stalemate is found here."""
        position = self._position()
        position.make(parse_move(position, word))
        self.moves.append(word)
        self.flags.clear()
        payoffs = position.outcome()
        if payoffs is not None:
            self.status = "mate" if payoffs[0] else "stalemate"
            self.winner = ("white" if payoffs[0] > 0 else "black") if payoffs[0] else None
        self.tell(self.state())

    def legal(self, word: str) -> bool:
        """True if the user may make the move."""
        try:
            parse_move(self._position(), word)
        except ValueError:
            return False
        return self.mine and self.status == "started"

    def reply(self) -> None:
        """The opponent moves, if there is a reply for this turn."""
        if self.status == "started" and not self.mine and self.replies:
            self.make(self.replies.pop(0))

    def _position(self) -> Any:
        position = registry.game("chess:automatic=off").new("" if self.start == "startpos" else self.start)
        for word in self.moves:
            position.make(parse_move(position, word))
        return position

    def end(self, status: str, winner: str | None = None) -> None:
        """End the game on the server."""
        self.status, self.winner = status, winner
        self.tell(self.state())


Answer = int | Callable[[Any], None]


class FakeLichess:
    """A fake server; `url` is its address."""

    def __init__(self) -> None:
        self.games: dict[str, FakeGame] = {}
        self.events: list[Any] = []  # streams of events
        self.waiting: list[dict[str, Any]] = []  # events for the next stream
        self.failed_games: dict[str, list[Answer]] = {}
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.headers: list[str] = []
        self.objections: list[str] = []  # to requests, by the description of the API
        self.account: dict[str, Any] = {"id": ME, "username": "Tester", "title": "BOT"}
        self.on_challenge: Callable[[str, dict[str, str]], None] = lambda user, form: None
        self.challenges: list[dict[str, Any]] = []  # that wait for the user
        self.answer = "accepted"  # to the user's challenges
        self.tournaments: dict[str, dict[str, Any]] = {}  # by id
        self.on_join: Callable[[str], None] = lambda name: None
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"

    def add(self, game: FakeGame) -> FakeGame:
        """Add a game in progress."""
        self.games[game.id] = game
        self.event(self.start_event(game))
        return game

    def start_event(self, game: FakeGame) -> dict[str, Any]:
        """The event of a started game."""
        return {"type": "gameStart", "game": {"gameId": game.id, "color": game.color, **game.tournament}}

    def event(self, message: dict[str, Any]) -> None:
        """Send an event, or queue it until an event stream is open."""
        if not self.events:
            self.waiting.append(message)
        for stream in self.events:
            stream.put(message)

    def paths(self, method: str = "POST") -> list[str]:
        """The requested paths."""
        return [path for verb, path, _ in self.requests if verb == method]


def challenge(name: str = "chal0001", **changes: Any) -> dict[str, Any]:
    """The event of a challenge."""
    results = {
        "id": name,
        "challenger": {"id": OTHER, "name": "Rival", "rating": 1600},
        "destUser": {"id": ME},
        "variant": {"key": "standard"},
        "rated": False,
        "speed": "blitz",
        "timeControl": {"type": "clock", "limit": 300, "increment": 3},
    }
    return {"type": "challenge", "challenge": results | changes}


def _handler(server: FakeLichess) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Handles one request."""

        def log_message(self, *_: Any) -> None: ...

        def do_GET(self) -> None:
            self._answer("GET", {})

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            self._answer("POST", {name: values[0] for name, values in parse_qs(content).items()})

        def _answer(self, method: str, form: dict[str, str]) -> None:
            server.requests.append((method, self.path, form))
            server.headers.append(self.headers.get("Authorization") or "")
            scopes = BOT if server.account.get("title") == "BOT" else PERSON
            server.objections += objections(method, self.path, form, scopes)
            for path, answers in server.failed_games.items():
                if self.path.startswith(path) and answers:
                    answer = answers.pop(0)
                    if callable(answer):
                        answer(self)
                    else:
                        self.json({"error": "asked for"}, answer)
                    return
            if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                self.json({"error": "No such token"}, 401)
                return
            with suppress(BrokenPipeError, ConnectionResetError):
                self._route(method, self.path.partition("?")[0].split("/")[2:], form)

        def _route(self, method: str, parts: list[str], form: dict[str, str]) -> None:
            game = server.games.get(parts[2]) if len(parts) > 2 and parts[1] == "game" else None
            match parts:
                case ["account"]:
                    self.json(server.account)
                case ["account", "playing"]:
                    self.json({"nowPlaying": [_list_entry(game) for game in server.games.values()]})
                case ["stream", "event"]:
                    self.stream(server.events, server.waiting)
                    server.waiting = []
                case ["challenge", name, "accept" | "decline" | "cancel"]:
                    self.json({"ok": True})
                    if parts[2] == "accept" and name in server.games:
                        server.event(server.start_event(server.games[name]))
                case ["challenge"]:
                    self.json({"in": [challenge["challenge"] for challenge in server.challenges], "out": []})
                case ["tournament"]:
                    self.json({"created": [], "started": list(server.tournaments.values()), "finished": []})
                case ["tournament" | "swiss", name] if name in server.tournaments:
                    self.json(server.tournaments[name])
                case ["tournament" | "swiss", name, "join" | "withdraw"] if name in server.tournaments:
                    self.json({"ok": True})
                    if parts[2] == "join":
                        server.on_join(name)
                case ["board", "seek"] if "days" in form:
                    self.json({"id": "seek0001"})
                case ["board", "seek"]:
                    server.on_challenge("", form)
                    self.stream([], [b"\n"])  # type: ignore[list-item]
                case ["challenge", "ai"]:
                    self.json({"id": next(iter(server.games))})
                case ["challenge", user] if "keepAliveStream" in form:
                    self.stream([], [{"challenge": {"id": "abcdefgh"}}, {"done": server.answer}])
                case ["challenge", user]:
                    self.json({"challenge": {"id": "chal0009"}})
                    server.on_challenge(user, form)
                case [_, "game", "stream", name] if name in server.games:
                    record = server.games[name]
                    self.stream(record.streams, [record.full()], record.reply)
                case [_, "game", _, "move", word] if game is not None:
                    if not game.legal(word):
                        self.json({"error": "Not your turn, or game already over"}, 400)
                        return
                    game.make(word)
                    self.json({"ok": True})
                    game.reply()
                case [_, "game", _, *what] if game is not None:
                    game.acts.append("/".join(what))
                    self.json({"ok": True})
                    if what == ["resign"]:
                        game.end("resign", "black" if game.color == "white" else "white")
                    elif what == ["abort"]:
                        game.end("aborted")
                case _:
                    self.json({"error": "Not found."}, 404)

        def json(self, document: Any, status: int = 200, **headers: str) -> None:
            """Answer with a JSON document."""
            content = json.dumps(document).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def stream(
            self, streams: list[Any], first: list[dict[str, Any]], then: Callable[[], None] | None = None
        ) -> None:
            """Send lines until None."""
            lines: queue.SimpleQueue[Any] = queue.SimpleQueue()
            for message in first:
                lines.put(message)
            streams.append(lines)
            self.send_response(200)
            self.end_headers()
            if then is not None:
                then()
            while (message := lines.get()) is not None:
                self.wfile.write(
                    message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
                )
                self.wfile.flush()
            streams.remove(lines)
            self.close_connection = True

    return Handler


def _list_entry(game: FakeGame) -> dict[str, Any]:
    opponent = {"id": OTHER, "username": game.name, "rating": 1600}
    results = {"gameId": game.id, "color": game.color, "isMyTurn": game.mine, "opponent": opponent}
    return results | {"variant": {"key": game.variant}, "speed": game.speed, "secondsLeft": 200_000}


@contextmanager
def fake_lichess() -> Iterator[FakeLichess]:
    """A server that listens while the block runs."""
    server = FakeLichess()
    thread = threading.Thread(target=server.http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        for streams in (server.events, *(game.streams for game in server.games.values())):
            for lines in list(streams):
                lines.put(None)
        server.http.shutdown()
        server.http.server_close()
        thread.join()
