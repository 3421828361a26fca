"""The client side of KataGo's analysis protocol.

See `gameplay.protocols.katago_side`. Each move is a separate query with the game's board, komi and rules.
`nodes` limits visits; options become `overrideSettings`: `katago:COMMAND,wideRootNoise=0.04`. Warnings are
ignored; an error loses the game. The cache is cleared at the start of a game.
"""

import json
from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from gameplay.capabilities import GoBoard
from gameplay.catalogue import name_of
from gameplay.errors import Usage, brief
from gameplay.kernel import Kernel
from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.talk import Info, Moves, ReportPacer, Talk
from gameplay.search.limit import MAX_LIMIT, Limit

if TYPE_CHECKING:
    from gameplay.players.player import ClockView
    from gameplay.position import AbstractPosition

COLOURS = "BW"
REPORT_INTERVAL = 0.2  # seconds between reports of a search
UNLIMITED_VISITS = 10**8  # visits of a search limited by time
REPORTED_MOVES = 5  # moves whose visits are shown
MAX_LINE = 1024 * 1024  # maximum bytes of a line: a report lists every move with its line


class Katago(Talk):
    """A connection to KataGo, started as `katago analysis`."""

    name = "KataGo"
    quit_command = ""  # the protocol has none
    own_notation = True
    startup_seconds = 120.0  # to load and possibly tune the network
    max_line = MAX_LINE

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self.number = 0
        self.settings: dict[str, Any] = {}
        self.terms: dict[str, Any] = {}  # board, komi and rules
        self.position_query: dict[str, Any] = {}
        self.unit = 1
        self.scored = False
        self.reported_moves = REPORTED_MOVES
        self.allowed_moves: list[dict[str, Any]] = []  # `allowMoves` of the query; empty: all

    @classmethod
    def check(cls, position: "AbstractPosition", limit: Limit) -> None:
        super().check(position, limit)
        if not isinstance(position, GoBoard):
            raise Usage(f"KataGo's analysis protocol is only for Go, not for {name_of(position)}")
        if min(position.columns, position.rows) < 2:
            raise Usage("KataGo's boards have 2 to 19 rows and columns")
        if limit.depth is not None:
            raise Usage("KataGo cannot limit depth. Try: nodes=VISITS or time=SECONDS")

    @classmethod
    def check_start(cls, position: "AbstractPosition", start: str) -> None:
        if "ko=" in start:
            raise Usage("KataGo cannot be given a ko ban in the start position")

    # -- commands ---------------------------------------------------------------------------------

    def greet(self, options: dict[str, str], deadline: float) -> None:
        """Initialize the engine. Raises Broken."""
        self.settings = {name: _parse_setting(text) for name, text in options.items()}
        self.ping(deadline)

    def begin(self, deadline: float) -> None:
        """Start a new game."""
        self._act({"action": "clear_cache"}, deadline)

    def ping(self, deadline: float) -> None:
        """Wait until the engine is ready."""
        self._act({"action": "query_version"}, deadline)

    def prepare(self, position: "AbstractPosition", deadline: float) -> None:
        """Read the board, komi and rules."""
        assert isinstance(position, GoBoard)
        self.unit, self.scored = position.unit, position.scored
        self.terms = {
            "boardXSize": position.columns,
            "boardYSize": position.rows,
            "komi": position.komi,
            "rules": format_rules(position),
        }

    def start(self, position: "AbstractPosition", text: str) -> str:
        """The starting stones, the side to move and the moves since, as part of a query."""
        self.check_start(position, text)
        assert isinstance(position, Kernel)
        moves_made = list(position.made)
        for _ in moves_made:
            position.unmake()
        moves, query = [], _setup_query(position)
        for move in moves_made:
            moves.append([COLOURS[position.turn], position.format(move)])
            position.make(move)
        return json.dumps(query | {"moves": moves})

    def position(self, start: str, moves: Moves, deadline: float) -> None:
        """Store the position for the query sent by `go`."""
        self.position_query = json.loads(start)
        self.position_query["moves"] += [[COLOURS[player], word] for player, word in moves]

    def choose(self, position: "AbstractPosition", moves: Sequence[int], reported_moves: int) -> None:
        """Restrict searches to `moves` (empty: all), and report the best `reported_moves` of them."""
        self.reported_moves = reported_moves
        words = [position.format(move) for move in moves]
        entry = {"player": COLOURS[position.turn], "moves": words, "untilDepth": 1}
        self.allowed_moves = [entry] if words else []

    def go(self, player: int, limit: Limit, clock: "ClockView | None", deadline: float) -> None:
        """Request the move of `player`."""
        seconds = limit.seconds
        if clock is not None and clock.runs(player):
            seconds = min(clock.seconds(player), seconds or float("inf"))
        settings = {"reportAnalysisWinratesAs": "SIDETOMOVE", **self.settings}
        query = {**self.position_query, **self.terms, "reportDuringSearchEvery": REPORT_INTERVAL}
        if self.allowed_moves:
            query["allowMoves"] = self.allowed_moves
        if seconds is not None:
            settings["maxTime"] = max(0.001, round(seconds, 3))
        if limit.nodes is not None or seconds is not None:
            query["maxVisits"] = limit.nodes or UNLIMITED_VISITS
        self.info = {}
        self.channel.reset_answer_size()
        self._send(query | {"overrideSettings": settings}, deadline)

    def answer(self, deadline: float, watch: Callable[[Info], bool]) -> str | None:
        """The word of the move; None if there is none by `deadline`. Raises Broken for an error."""
        pacer = ReportPacer(watch, lambda: self.halt(deadline))
        while True:
            answer = self._receive(deadline)
            if answer is None:
                return None
            self.info.update(self._info(answer))
            if not answer.get("isDuringSearch"):
                if "pv" not in self.info:
                    raise Broken("protocol_error", "answered without a move")
                return str(self.info["pv"][0])
            if pacer.due():
                pacer.report(self.info)

    def halt(self, deadline: float) -> None:
        """Terminate the search of the last query."""
        action = {"id": "stop", "action": "terminate", "terminateId": str(self.number)}
        self.channel.send(json.dumps(action), deadline)

    # -- inside ----------------------------------------------------------------------------------

    def _send(self, query: dict[str, Any], deadline: float) -> None:
        self.number += 1
        self.channel.send(json.dumps({"id": str(self.number), **query}), deadline)

    def _act(self, action: dict[str, Any], deadline: float) -> None:
        """Send an action and wait for its echo. Raises Broken."""
        self._send(action, deadline)
        if self._receive(deadline) is None:
            raise Broken("hang", f"did not answer '{action['action']}' in time")

    def _receive(self, deadline: float) -> dict[str, Any] | None:
        """The next answer to the last query; None if none arrives by `deadline`.

        Answers to earlier queries, warnings and lines that are not JSON are skipped. Raises Broken.
        """
        while True:
            line = self.channel.receive(deadline)
            if line is None:
                return None
            answer = decode(line)
            if "error" in answer and answer.get("id", str(self.number)) == str(self.number):
                field = f" ({brief(printable(answer['field']))})" if "field" in answer else ""
                raise Broken(
                    "protocol_error", f"reports an error: {brief(printable(answer['error']), 200)}{field}"
                )
            if answer.get("id") == str(self.number) and "warning" not in answer:
                return answer

    def _info(self, answer: dict[str, Any]) -> Info:
        """The search info of an answer. Malformed parts are omitted."""
        lines = [line for item in get_list(answer, "moveInfos") if (line := self._move_info(item))]
        lines.sort(key=lambda line: int(line["order"]))
        if not lines:
            return {}
        root = answer.get("rootInfo")
        value = self._value(root) if isinstance(root, dict) else None
        visits = get_whole(root, "visits") if isinstance(root, dict) else 0
        info: Info = {"pv": lines[0]["pv"], "bound": "expectation", "lines": lines[: self.reported_moves]}
        info["value"] = lines[0]["value"] if value is None else value
        info["nodes"] = info["visits"] = visits or sum(line["visits"] for line in lines)
        return info

    def _move_info(self, data: Any) -> Info:
        """A move and its line; empty if malformed."""
        if not isinstance(data, dict) or not isinstance(data.get("move"), str):
            return {}
        value = self._value(data)
        if value is None:
            return {}
        move = printable(data["move"])
        pv = [printable(word) for word in get_list(data, "pv")]
        pv = pv if pv[:1] == [move] else [move]
        counts = {"order": get_whole(data, "order"), "visits": get_whole(data, "visits")}
        rated = {"lead": get_number(data, "scoreLead"), "prior": get_number(data, "prior")}
        return {**counts, **rated, "value": value, "pv": pv}

    def _value(self, data: dict[str, Any]) -> float | None:
        """The mover's value on the scale of reports: points in scored games, otherwise the mean result."""
        number = get_number(data, "scoreLead" if self.scored else "winrate")
        if number is None:
            return None
        if self.scored:
            return float(self.unit * max(-1000.0, min(1000.0, number)))
        return self.unit * (2 * max(0.0, min(1.0, number)) - 1)


def _setup_query(position: "AbstractPosition") -> dict[str, Any]:
    """The stones of a position and the side to move, as part of a query."""
    board = position.board()
    assert board is not None and isinstance(position, GoBoard)
    stones = [
        [COLOURS["XO".index(stone)], f"{board.columns[x]}{board.rows[y]}"]
        for y, row in enumerate(position.stones())
        for x, stone in enumerate(row)
        if stone
    ]
    return {"initialStones": stones, "initialPlayer": COLOURS[position.turn]}


# -- JSON of both sides -----------------------------------------------------------------------------


def format_rules(position: GoBoard) -> dict[str, Any]:
    """The rules of a position in KataGo's format."""
    return {
        "ko": position.ko.upper(),
        "score": "AREA",
        "tax": "NONE",
        "suicide": bool(position.suicide),
        "hasButton": False,
        "whiteHandicapBonus": "N" if position.rules == "chinese" else "0",
        "friendlyPassOk": False,
    }


def decode(line: str) -> dict[str, Any]:
    """The JSON object of a line; empty if invalid."""
    if not line.startswith("{"):  # avoids an exception for each line of a flood
        return {}
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def printable(value: Any) -> str:
    """A value as printable text: JSON strings may contain unpaired surrogates."""
    return str(value).encode("utf-8", "replace").decode()


def get_list(data: dict[str, Any], name: str) -> list[Any]:
    """The list `name`; empty if missing."""
    value = data.get(name)
    return value if isinstance(value, list) else []


def get_whole(data: dict[str, Any], name: str) -> int:
    """The integer `name`, from 0 to MAX_LIMIT; 0 if missing."""
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return 0
    return max(0, min(MAX_LIMIT, int(value)))


def get_number(data: dict[str, Any], name: str) -> float | None:
    """The finite number `name`; None if missing."""
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return None
    return float(value)


def _parse_setting(text: str) -> Any:
    """Parse a setting: a number, true or false, or text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
