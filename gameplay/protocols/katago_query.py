"""Parses and validates queries of KataGo's analysis protocol."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from gameplay.errors import brief
from gameplay.search.limit import MAX_LIMIT

COLOURS = ("B", "W")
PERSPECTIVES = ("BLACK", "WHITE", "SIDETOMOVE")
COLUMNS = "ABCDEFGHJKLMNOPQRST"
SIZE = 19
KOMI = 150.0
PLIES = 10_000  # maximum moves of a game
PV = 15  # moves of a line after its first
_AREA = {"ko": "SIMPLE", "score": "AREA", "tax": "NONE", "suicide": False, "whiteHandicapBonus": "N"}
_AGA = _AREA | {"ko": "SITUATIONAL", "whiteHandicapBonus": "N-1"}
_TERRITORY = _AREA | {"score": "TERRITORY", "tax": "SEKI", "whiteHandicapBonus": "0"}
RULES: dict[str, dict[str, Any]] = {
    "tromp-taylor": _AREA | {"ko": "POSITIONAL", "suicide": True, "whiteHandicapBonus": "0"},
    "chinese": _AREA,
    "chinese-ogs": _AREA | {"ko": "POSITIONAL"},
    "chinese-kgs": _AREA | {"ko": "POSITIONAL"},
    "new-zealand": _AREA | {"ko": "SITUATIONAL", "suicide": True, "whiteHandicapBonus": "0"},
    "aga": _AGA,
    "bga": _AGA,
    "aga-button": _AGA | {"hasButton": True},
    "japanese": _TERRITORY,
    "korean": _TERRITORY,
    "stone-scoring": _AREA | {"tax": "ALL", "whiteHandicapBonus": "0"},
}
RULE_VALUES = {  # fields of a rules object and their values
    "ko": ("SIMPLE", "POSITIONAL", "SITUATIONAL"),
    "score": ("AREA", "TERRITORY"),
    "tax": ("NONE", "SEKI", "ALL"),
    "suicide": (True, False),
    "hasButton": (True, False),
    "whiteHandicapBonus": ("0", "N", "N-1"),
    "friendlyPassOk": (True, False),
}
SUPPORTED_FIELDS = (
    *("id", "moves", "initialStones", "initialPlayer", "rules", "komi", "whiteHandicapBonus"),
    *("boardXSize", "boardYSize", "analyzeTurns", "maxVisits", "analysisPVLen", "includeOwnership"),
    *("includeMovesOwnership", "includePolicy"),
    *("allowMoves", "avoidMoves", "overrideSettings", "reportDuringSearchEvery", "priority", "priorities"),
    "firstReportDuringSearchAfter",
)


class QueryError(Exception):
    """An invalid field of a query."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.field = name


Placement = tuple[int, str]  # player, point or "pass"


@dataclass
class Query:
    """A query: positions of one game of Go and search options."""

    id: str
    columns: int
    rows: int
    terms: dict[str, str]  # parameters of our game
    stones: list[Placement]
    first_player: int
    moves: list[Placement]
    turns: list[int]  # positions to search, by number of moves made
    priorities: list[int]  # of each position
    visits: int | None = None
    seconds: float | None = None
    perspective: str = "BLACK"  # of winrates, leads and ownership
    pv: int = PV
    ownership: bool = False
    moves_ownership: bool = False  # ... after each move, too
    policy: bool = False
    report_interval: float | None = None  # seconds between reports during a search; None: no reports
    first_report_delay: float = 0.0  # ... and until the first of them
    allowed: dict[int, list[str]] = field(default_factory=dict)  # by player; empty: all
    avoided: dict[int, list[str]] = field(default_factory=dict)
    warnings: list[tuple[str, str]] = field(default_factory=list)  # field, text

    def start(self) -> str:
        """The start in our notation; "" for the standard one."""
        if not self.stones and not self.first_player:
            return ""
        cells = {point: "XO"[player] for player, point in self.stones}
        lines = [
            "".join(cells.get(f"{column}{row}", ".") for column in COLUMNS[: self.columns])
            for row in range(self.rows, 0, -1)
        ]
        return f"{'/'.join(lines)} {('black', 'white')[self.first_player]}"


def read_query(data: Mapping[str, Any]) -> Query:
    """Parse a JSON object. Raises QueryError."""
    return QueryReader(data).read()


class QueryReader:
    """Reads the fields of a query."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.warnings: list[tuple[str, str]] = []
        self.columns = self._integer("boardXSize", SIZE)
        self.rows = self._integer("boardYSize", SIZE)

    def read(self) -> Query:
        """Read all fields."""
        stones = self._placements("initialStones", passes=False) if "initialStones" in self.data else []
        moves = self._placements("moves")
        turns, priorities = self._turns(len(moves))
        perspective, seconds = self._settings()
        report_interval, first_report_delay = (
            self._seconds(name) for name in ("reportDuringSearchEvery", "firstReportDuringSearchAfter")
        )
        query = Query(
            id=self.data["id"],
            columns=self.columns,
            rows=self.rows,
            terms=self._terms(stones, moves),
            stones=stones,
            first_player=self._first_player(stones, moves),
            moves=moves,
            turns=turns,
            priorities=priorities,
            visits=self._integer("maxVisits", MAX_LIMIT) if "maxVisits" in self.data else None,
            seconds=seconds,
            perspective=perspective,
            pv=self._integer("analysisPVLen", 1000) if "analysisPVLen" in self.data else PV,
            ownership=self._flag("includeOwnership"),
            moves_ownership=self._flag("includeMovesOwnership"),
            policy=self._flag("includePolicy"),
            report_interval=report_interval,
            first_report_delay=(report_interval or 0.0) if first_report_delay is None else first_report_delay,
            allowed=self._moves_by_player("allowMoves"),
            avoided=self._moves_by_player("avoidMoves"),
        )
        self._warn_unsupported()
        query.warnings = self.warnings
        return query

    # -- the game --------------------------------------------------------------------------------

    def _placements(self, name: str, passes: bool = True) -> list[Placement]:
        """Pairs of a colour and a point."""
        pairs = self.data.get(name)
        if not isinstance(pairs, list) or len(pairs) > PLIES:
            raise QueryError(name, 'Must be an array of pairs of the form: ["B" or "W", GTP board vertex]')
        return [self._pair(name, pair, passes) for pair in pairs]

    def _pair(self, name: str, pair: Any, passes: bool) -> Placement:
        if not isinstance(pair, list) or len(pair) != 2:
            raise QueryError(name, 'Must be an array of pairs of the form: ["B" or "W", GTP board vertex]')
        player = self._player(name, pair[0])
        point = self._point(name, pair[1])
        if point == "pass" and not passes:
            raise QueryError(name, "A stone cannot be placed on pass")
        return player, point

    def _player(self, name: str, word: Any) -> int:
        letter = str(word).upper()
        letter = {"BLACK": "B", "WHITE": "W"}.get(letter, letter)
        if letter not in COLOURS:
            raise QueryError(name, f'Could not parse player: {brief(str(word), 40)}; write "B" or "W"')
        return COLOURS.index(letter)

    def _point(self, name: str, word: Any) -> str:
        """A point in our notation, from `C4` or `(2,15)`: column and row from the upper left."""
        text = str(word).upper().strip()
        if text == "PASS":
            return "pass"
        pair = re.fullmatch(r"\((\d{1,2}),(\d{1,2})\)", text, re.ASCII)
        vertex = re.fullmatch(r"([A-HJ-T])(\d{1,2})", text, re.ASCII)
        if pair:
            x, row = int(pair[1]), self.rows - int(pair[2])
        elif vertex:
            x, row = COLUMNS.index(vertex[1]), int(vertex[2])
        else:
            raise QueryError(name, f"Could not parse board location: {brief(str(word), 40)}")
        if not (0 <= x < self.columns and 1 <= row <= self.rows):
            raise QueryError(name, f"Board location is not on the board: {brief(str(word), 40)}")
        return f"{COLUMNS[x]}{row}"

    def _first_player(self, stones: list[Placement], moves: list[Placement]) -> int:
        if "initialPlayer" in self.data:
            return self._player("initialPlayer", self.data["initialPlayer"])
        if moves:
            return moves[0][0]
        return int(bool(stones) and all(player == 0 for player, _ in stones))

    def _terms(self, stones: list[Placement], moves: list[Placement]) -> dict[str, str]:
        """Board, rules and komi as parameters of the game; handicap compensation is added to the komi."""
        rules = self._rules()
        default_komi = 7.0 if rules.get("hasButton") else 6.5 if rules["score"] == "TERRITORY" else 7.5
        komi = self.data.get("komi", default_komi)
        if not _is_number(komi) or abs(komi) > KOMI or komi % 0.5:
            raise QueryError("komi", f"Must be an integer or half-integer from {-KOMI:g} to {KOMI:g}")
        count = _handicap(stones, moves)
        bonus = {"0": 0, "N": count, "N-1": max(0, count - 1)}[rules["whiteHandicapBonus"]]
        return {
            "columns": str(self.columns),
            "rows": str(self.rows),
            "komi": f"{komi + bonus:g}",
            "ko": rules["ko"].lower(),
            "suicide": "on" if rules["suicide"] else "off",
        }

    def _rules(self) -> dict[str, Any]:
        data = self.data.get("rules", "tromp-taylor")
        if isinstance(data, str):
            rules = RULES.get(data.lower().replace("_", "-").replace("tromptaylor", "tromp-taylor"))
            if rules is None:
                raise QueryError(
                    "rules", f"Could not parse rules: {brief(data, 40)}; known: {', '.join(RULES)}"
                )
        elif isinstance(data, dict):
            data = {"score" if name == "scoring" else name: word for name, word in data.items()}
            for name, word in data.items():
                if name not in RULE_VALUES or word not in RULE_VALUES[name]:
                    raise QueryError("rules", f"Could not parse rules: {brief(f'{name}: {word}', 60)}")
            rules = RULES["tromp-taylor"] | data
        else:
            raise QueryError("rules", "Must be a string or a JSON object")
        if "whiteHandicapBonus" in self.data:
            if self.data["whiteHandicapBonus"] not in RULE_VALUES["whiteHandicapBonus"]:
                raise QueryError("whiteHandicapBonus", 'Must be "0", "N" or "N-1"')
            rules = rules | {"whiteHandicapBonus": self.data["whiteHandicapBonus"]}
        if rules["score"] == "TERRITORY" or rules["tax"] != "NONE" or rules.get("hasButton"):
            self._warn("rules", "Unsupported scoring: area is counted, without tax or button")
        return rules

    # -- the search ------------------------------------------------------------------------------

    def _turns(self, count: int) -> tuple[list[int], list[int]]:
        """The positions to search, without duplicates, and their priorities."""
        turns = self.data.get("analyzeTurns", [count])
        if not isinstance(turns, list) or not all(_is_integer(turn) and 0 <= turn <= count for turn in turns):
            raise QueryError("analyzeTurns", f"Must be an array of integers from 0 to {count}")
        priorities = self.data.get("priorities", [self.data.get("priority", 0)] * len(turns))
        name = "priorities" if "priorities" in self.data else "priority"
        if not isinstance(priorities, list) or len(priorities) != len(turns):
            raise QueryError("priorities", "Must be an array of integers, one for each of analyzeTurns")
        if not all(_is_integer(priority) for priority in priorities):
            raise QueryError(name, "Must be an integer")
        priority_of = dict(zip(map(int, turns), map(int, priorities), strict=True))
        return list(priority_of), list(priority_of.values())

    def _settings(self) -> tuple[str, float | None]:
        """The perspective and search time in `overrideSettings`."""
        data = self.data.get("overrideSettings", {})
        if not isinstance(data, dict):
            raise QueryError("overrideSettings", "Must be an object")
        perspective = data.get("reportAnalysisWinratesAs", "BLACK")
        if perspective not in PERSPECTIVES:
            raise QueryError("overrideSettings", f"reportAnalysisWinratesAs is {', '.join(PERSPECTIVES)}")
        seconds = data.get("maxTime")
        if seconds is not None and not (_is_number(seconds) and 0 < seconds <= MAX_LIMIT):
            raise QueryError("overrideSettings", "maxTime is a number of seconds above 0")
        unused = [name for name in data if name not in ("reportAnalysisWinratesAs", "maxTime")]
        if unused:
            self._warn("overrideSettings", f"Unused settings: {brief(', '.join(unused), 200)}")
        return perspective, None if seconds is None else float(seconds)

    def _moves_by_player(self, name: str) -> dict[int, list[str]]:
        """Moves by player."""
        moves: dict[int, list[str]] = {}
        entries = self.data.get(name, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise QueryError(name, "Must be an array of objects with player, moves and untilDepth")
        for entry in entries:
            words, depth = entry.get("moves"), entry.get("untilDepth", 1)
            if not isinstance(words, list) or not _is_integer(depth) or depth < 1:
                raise QueryError(name, "Must be an array of objects with player, moves and untilDepth")
            if depth > 1:
                self._warn(name, "Applies to the first move of a line only")
            points = [self._point(name, word) for word in words]
            moves.setdefault(self._player(name, entry.get("player")), []).extend(points)
        return moves

    # -- fields ----------------------------------------------------------------------------------

    def _integer(self, name: str, high: int) -> int:
        value: Any = self.data.get(name)
        if not _is_integer(value) or not 1 <= value <= high:
            raise QueryError(name, f"Must be an integer from 1 to {high}")
        return int(value)

    def _seconds(self, name: str) -> float | None:
        value = self.data.get(name)
        if value is None:
            return None
        if not _is_number(value) or not 0.001 <= value <= 1e6:
            raise QueryError(name, "Must be a number from 0.001 to 1000000")
        return float(value)

    def _flag(self, name: str) -> bool:
        value = self.data.get(name, False)
        if not isinstance(value, bool):
            raise QueryError(name, "Must be a boolean")
        return value

    def _warn_unsupported(self) -> None:
        for name, value in self.data.items():
            if name not in SUPPORTED_FIELDS and value is not False:
                self._warn(name, "Unsupported or unknown: the field is unused")

    def _warn(self, name: str, text: str) -> None:
        if (name, text) not in self.warnings:
            self.warnings.append((name, text))


def _handicap(stones: list[Placement], moves: list[Placement]) -> int:
    """The number of handicap stones: Black's stones before White's first move; 0 for a single stone."""
    if any(player for player, _ in stones):
        return 0
    opening_length = next((index for index, (player, _) in enumerate(moves) if player), len(moves))
    opening_stones = sum(point != "pass" for _, point in moves[:opening_length])
    if stones or opening_stones > 1:
        count = len(stones) + (opening_stones if opening_stones > 1 else 0)
        return count if count > 1 else 0
    return 0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_integer(value: Any) -> bool:
    return _is_number(value) and value == int(value) and abs(value) <= MAX_LIMIT
