"""Parses and validates queries of KataGo's analysis protocol, in terms of our game of Go."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from gameplay.errors import brief
from gameplay.search.limit import MOST

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


Placed = tuple[int, str]  # player, point or "pass"


@dataclass
class Query:
    """A query: positions of one game of Go and search options."""

    id: str
    columns: int
    rows: int
    terms: dict[str, str]  # parameters of our game
    stones: list[Placed]
    first: int  # the player who moves first
    moves: list[Placed]
    turns: list[int]  # positions to search, by number of moves made
    priorities: list[int]  # of each position
    visits: int | None = None
    seconds: float | None = None
    perspective: str = "BLACK"  # of winrates, leads and ownership
    pv: int = PV
    ownership: bool = False
    moves_ownership: bool = False  # ... after each move, too
    policy: bool = False
    every: float | None = None  # seconds between reports during a search; None: no reports
    after: float = 0.0  # ... and until the first of them
    allowed: dict[int, list[str]] = field(default_factory=dict)  # by player; empty: all
    avoided: dict[int, list[str]] = field(default_factory=dict)
    warnings: list[tuple[str, str]] = field(default_factory=list)  # field, text

    def start(self) -> str:
        """The start in our notation; "" for the standard one."""
        if not self.stones and not self.first:
            return ""
        cells = {point: "XO"[player] for player, point in self.stones}
        lines = [
            "".join(cells.get(f"{column}{row}", ".") for column in COLUMNS[: self.columns])
            for row in range(self.rows, 0, -1)
        ]
        return f"{'/'.join(lines)} {('black', 'white')[self.first]}"


def read_query(given: Mapping[str, Any]) -> Query:
    """Parse a JSON object. Raises QueryError."""
    return QueryReader(given).read()


class QueryReader:
    """Reads the fields of a query."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.warnings: list[tuple[str, str]] = []
        self.columns = self._whole("boardXSize", 1, SIZE)
        self.rows = self._whole("boardYSize", 1, SIZE)

    def read(self) -> Query:
        """The whole query."""
        stones = self._placed("initialStones", passes=False) if "initialStones" in self.given else []
        moves = self._placed("moves")
        turns, priorities = self._turns(len(moves))
        perspective, seconds = self._settings()
        every, after = (
            self._seconds(name) for name in ("reportDuringSearchEvery", "firstReportDuringSearchAfter")
        )
        query = Query(
            id=self.given["id"],
            columns=self.columns,
            rows=self.rows,
            terms=self._terms(stones, moves),
            stones=stones,
            first=self._first(stones, moves),
            moves=moves,
            turns=turns,
            priorities=priorities,
            visits=self._whole("maxVisits", 1, MOST) if "maxVisits" in self.given else None,
            seconds=seconds,
            perspective=perspective,
            pv=self._whole("analysisPVLen", 1, 1000) if "analysisPVLen" in self.given else PV,
            ownership=self._flag("includeOwnership"),
            moves_ownership=self._flag("includeMovesOwnership"),
            policy=self._flag("includePolicy"),
            every=every,
            after=(every or 0.0) if after is None else after,
            allowed=self._among("allowMoves"),
            avoided=self._among("avoidMoves"),
        )
        self._unused()
        query.warnings = self.warnings
        return query

    # -- the game --------------------------------------------------------------------------------

    def _placed(self, name: str, passes: bool = True) -> list[Placed]:
        """Pairs of a colour and a point."""
        pairs = self.given.get(name)
        if not isinstance(pairs, list) or len(pairs) > PLIES:
            raise QueryError(name, 'Must be an array of pairs of the form: ["B" or "W", GTP board vertex]')
        return [self._pair(name, pair, passes) for pair in pairs]

    def _pair(self, name: str, pair: Any, passes: bool) -> Placed:
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

    def _first(self, stones: list[Placed], moves: list[Placed]) -> int:
        if "initialPlayer" in self.given:
            return self._player("initialPlayer", self.given["initialPlayer"])
        if moves:
            return moves[0][0]
        return int(bool(stones) and all(player == 0 for player, _ in stones))

    def _terms(self, stones: list[Placed], moves: list[Placed]) -> dict[str, str]:
        """Board, rules and komi as parameters of our game; handicap compensation is added to the komi."""
        rules = self._rules()
        usual = 7.0 if rules.get("hasButton") else 6.5 if rules["score"] == "TERRITORY" else 7.5
        komi = self.given.get("komi", usual)
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
        given = self.given.get("rules", "tromp-taylor")
        if isinstance(given, str):
            rules = RULES.get(given.lower().replace("_", "-").replace("tromptaylor", "tromp-taylor"))
            if rules is None:
                raise QueryError(
                    "rules", f"Could not parse rules: {brief(given, 40)}; known: {', '.join(RULES)}"
                )
        elif isinstance(given, dict):
            given = {"score" if name == "scoring" else name: word for name, word in given.items()}
            for name, word in given.items():
                if name not in RULE_VALUES or word not in RULE_VALUES[name]:
                    raise QueryError("rules", f"Could not parse rules: {brief(f'{name}: {word}', 60)}")
            rules = RULES["tromp-taylor"] | given
        else:
            raise QueryError("rules", "Must be a string or a JSON object")
        if "whiteHandicapBonus" in self.given:
            if self.given["whiteHandicapBonus"] not in RULE_VALUES["whiteHandicapBonus"]:
                raise QueryError("whiteHandicapBonus", 'Must be "0", "N" or "N-1"')
            rules = rules | {"whiteHandicapBonus": self.given["whiteHandicapBonus"]}
        if rules["score"] == "TERRITORY" or rules["tax"] != "NONE" or rules.get("hasButton"):
            self._warn("rules", "Area is counted here, without tax or button")
        return rules

    # -- the search ------------------------------------------------------------------------------

    def _turns(self, count: int) -> tuple[list[int], list[int]]:
        """The positions to search, without duplicates, and their priorities."""
        turns = self.given.get("analyzeTurns", [count])
        if not isinstance(turns, list) or not all(_is_whole(turn) and 0 <= turn <= count for turn in turns):
            raise QueryError("analyzeTurns", f"Must be an array of integers from 0 to {count}")
        priorities = self.given.get("priorities", [self.given.get("priority", 0)] * len(turns))
        name = "priorities" if "priorities" in self.given else "priority"
        if not isinstance(priorities, list) or len(priorities) != len(turns):
            raise QueryError("priorities", "Must be an array of integers, one for each of analyzeTurns")
        if not all(_is_whole(priority) for priority in priorities):
            raise QueryError(name, "Must be an integer")
        chosen = dict(zip(map(int, turns), map(int, priorities), strict=True))
        return list(chosen), list(chosen.values())

    def _settings(self) -> tuple[str, float | None]:
        """The perspective and search time in `overrideSettings`."""
        given = self.given.get("overrideSettings", {})
        if not isinstance(given, dict):
            raise QueryError("overrideSettings", "Must be an object")
        perspective = given.get("reportAnalysisWinratesAs", "BLACK")
        if perspective not in PERSPECTIVES:
            raise QueryError("overrideSettings", f"reportAnalysisWinratesAs is {', '.join(PERSPECTIVES)}")
        seconds = given.get("maxTime")
        if seconds is not None and not (_is_number(seconds) and 0 < seconds <= MOST):
            raise QueryError("overrideSettings", "maxTime is a number of seconds above 0")
        unused = [name for name in given if name not in ("reportAnalysisWinratesAs", "maxTime")]
        if unused:
            self._warn("overrideSettings", f"Unused settings: {brief(', '.join(unused), 200)}")
        return perspective, None if seconds is None else float(seconds)

    def _among(self, name: str) -> dict[int, list[str]]:
        """Moves by player."""
        moves: dict[int, list[str]] = {}
        entries = self.given.get(name, [])
        if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
            raise QueryError(name, "Must be an array of objects with player, moves and untilDepth")
        for each in entries:
            words, depth = each.get("moves"), each.get("untilDepth", 1)
            if not isinstance(words, list) or not _is_whole(depth) or depth < 1:
                raise QueryError(name, "Must be an array of objects with player, moves and untilDepth")
            if depth > 1:
                self._warn(name, "Holds for the first move of a line only")
            points = [self._point(name, word) for word in words]
            moves.setdefault(self._player(name, each.get("player")), []).extend(points)
        return moves

    # -- fields ----------------------------------------------------------------------------------

    def _whole(self, name: str, least: int, most: int) -> int:
        value: Any = self.given.get(name)
        if not _is_whole(value) or not least <= value <= most:
            raise QueryError(name, f"Must be an integer from {least} to {most}")
        return int(value)

    def _seconds(self, name: str) -> float | None:
        value = self.given.get(name)
        if value is None:
            return None
        if not _is_number(value) or not 0.001 <= value <= 1e6:
            raise QueryError(name, "Must be a number from 0.001 to 1000000")
        return float(value)

    def _flag(self, name: str) -> bool:
        value = self.given.get(name, False)
        if not isinstance(value, bool):
            raise QueryError(name, "Must be a boolean")
        return value

    def _unused(self) -> None:
        for name, value in self.given.items():
            if name not in SUPPORTED_FIELDS and value is not False:
                self._warn(name, "Not offered here, or unknown: the field is unused")

    def _warn(self, name: str, text: str) -> None:
        if (name, text) not in self.warnings:
            self.warnings.append((name, text))


def _handicap(stones: list[Placed], moves: list[Placed]) -> int:
    """The number of handicap stones: Black's before White's first; 0 if there is only one."""
    if any(player for player, _ in stones):
        return 0
    lead = next((at for at, (player, _) in enumerate(moves) if player), len(moves))
    extra = sum(point != "pass" for _, point in moves[:lead])
    if stones or extra > 1:
        count = len(stones) + (extra if extra > 1 else 0)
        return count if count > 1 else 0
    return 0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_whole(value: Any) -> bool:
    return _is_number(value) and value == int(value) and abs(value) <= MOST
