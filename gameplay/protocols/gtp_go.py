"""Our side of GTP for Go: the board, handicaps, komi, rules, and what the game comes to.

    boardsize N, rectangular_boardsize COLUMNS ROWS, komi POINTS
    kgs-rules chinese|aga|new_zealand|tromp-taylor
    fixed_handicap N, place_free_handicap N    the points of the stones
    set_free_handicap POINT ...
    loadsgf FILE [MOVE]                        the position before that move, or at the end
    final_score                                B+3.5, W+0.5 or 0: by area, without the stones that are dead
    final_status_list dead|alive|seki          chains of stones, a line each
    kgs-genmove_cleanup COLOUR                 a move, no pass while dead stones of the opponent are left

Either side may move at any time, also after two passes: then the other one has passed, or the game goes on
from the board as it is. A move that superko forbids is made all the same where simple ko allows it: the other
program may play by another ko. Which stones are dead is what playouts from the board say, see `dead`.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gameplay.errors import GameplayError, IllegalMove, Usage
from gameplay.protocols.gtp_side import GtpSide, Place
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.players.player import Conducted

PLAYOUTS = 200
LOST = 0.6  # share of playouts in which a chain's points are the other side's: then it is dead

RULES = {
    "chinese": {"rules": "chinese", "ko": "positional"},
    "aga": {"rules": "chinese", "ko": "situational"},
    "new_zealand": {"rules": "tromp-taylor", "ko": "situational"},
    "tromp-taylor": {"rules": "tromp-taylor", "ko": "positional"},
}

Load = Callable[[Path], "tuple[dict[str, str], str, list[str]]"]
"""The game in a file: its parameters, its start and its moves."""


class GoSide(GtpSide):
    """Answers one conversation about Go."""

    commands: ClassVar[tuple[str, ...]] = (
        *GtpSide.commands,
        *("rectangular_boardsize", "komi", "kgs-rules", "fixed_handicap", "place_free_handicap"),
        *("set_free_handicap", "loadsgf", "final_score", "final_status_list", "kgs-genmove_cleanup"),
    )
    cleaning = False  # no pass while the opponent has dead stones on the board

    def __init__(self, *arguments: Any, load: Load, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.load = load

    # -- the terms ---------------------------------------------------------------------------------

    def _boardsize(self, words: list[str]) -> str:
        return self._resize(*[self._whole(words, 0, "the size of the board")] * 2)

    def _rectangular_boardsize(self, words: list[str]) -> str:
        return self._resize(self._whole(words, 0, "columns"), self._whole(words, 1, "rows"))

    def _resize(self, columns: int, rows: int) -> str:
        try:
            self._settle(self._without_handicap() | {"columns": str(columns), "rows": str(rows)})
        except GameplayError:
            raise Usage("unacceptable size") from None
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self._settle(self._without_handicap())
        return ""

    def _komi(self, words: list[str]) -> str:
        self._change({"komi": f"{self._seconds(words, 0):g}"})
        return ""

    def _kgs_rules(self, words: list[str]) -> str:
        word = self._word(words, 0, "the rules").lower()
        if word not in RULES:
            raise Usage(f"unsupported rules: area is counted here, by the rules {', '.join(RULES)}")
        self._change(RULES[word])
        return ""

    def _without_handicap(self) -> dict[str, str]:
        return {name: word for name, word in self.terms.items() if name not in ("handicap", "placement")}

    def _change(self, terms: dict[str, str]) -> None:
        """Go on in the same position by other terms."""
        places, hands = self.places, self.hands
        if "komi" not in terms and "komi" not in self.terms:
            terms = terms | {"komi": f"{self._match().position.komi:g}"}
        self._settle(self.terms | terms)
        self.places, self.hands = places, hands

    # -- handicaps ---------------------------------------------------------------------------------

    def _fixed_handicap(self, words: list[str]) -> str:
        count = self._whole(words, 0, "a number of stones")
        return self._handicap(count, "fixed")

    def _place_free_handicap(self, words: list[str]) -> str:
        count = self._whole(words, 0, "a number of stones")
        if count < 2:
            raise Usage("invalid number of stones")
        for fewer in range(count, 1, -1):  # as many as there are usual points for
            try:
                return self._handicap(fewer, "fixed")
            except GameplayError:
                if len(self.places) > 1:
                    raise
        raise Usage("invalid number of stones: this board has no usual points")

    def _set_free_handicap(self, words: list[str]) -> str:
        if len(words) < 2:
            raise Usage("invalid number of stones")
        self._handicap(len(words), "free")
        try:
            self.house.match("", words)
        except IllegalMove as error:
            self._settle(self._without_handicap())
            raise Usage(f"invalid vertex: {error}") from None
        self.places = [("", tuple(words))]
        return ""

    def _handicap(self, count: int, placement: str) -> str:
        """Begin a game with a handicap; the points of its stones."""
        position = self._match().position
        if any(stone for row in position.stones() for stone in row):
            raise Usage("board not empty")
        komi = f"{position.komi:g}"
        terms = self._without_handicap() | {"komi": komi, "handicap": str(count), "placement": placement}
        try:
            self._settle(terms)
        except GameplayError as error:
            raise Usage(f"invalid number of stones: {error}") from None
        rows = self._match().position.stones()
        return " ".join(self._names((x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s))

    def _names(self, cells: Iterable[tuple[int, int]]) -> list[str]:
        """The points in columns and rows, from 0 and the upper left corner."""
        board = self._match().board()
        assert board is not None
        return [f"{board.columns[x]}{board.rows[y]}" for x, y in cells]

    # -- the game ----------------------------------------------------------------------------------

    def _loadsgf(self, words: list[str]) -> str:
        path = Path(self._word(words, 0, "a file"))
        last = self._whole(words, 1, "the number of a move") if len(words) > 1 else 0
        try:
            terms, start, moves = self.load(path)
        except (GameplayError, OSError) as error:
            raise Usage(f"cannot load file: {error}") from None
        self._settle(terms)
        moves = moves[: last - 1] if last else moves
        self.places = [(start, tuple(moves[:count])) for count in range(len(moves) + 1)]
        self._match()
        return ""

    def _turned(self, player: int) -> Place:
        match = self._match()
        position = match.position
        start, moves = self.places[-1]
        if match.payoffs is None and position.turn == player:
            return start, moves
        if match.payoffs is None:
            try:
                if self.house.match(start, [*moves, "pass"]).payoffs is None:
                    return start, (*moves, "pass")
            except IllegalMove:
                pass
        return self._written(position, player), ()

    @staticmethod
    def _written(position: Any, player: int) -> str:
        """The board as it is, with a player on turn and nothing before."""
        rows = "/".join("".join(stone or "." for stone in row) for row in position.stones())
        return f"{rows} {('black', 'white')[player]}"

    # -- what it comes to --------------------------------------------------------------------------

    def _final_score(self, words: list[str]) -> str:
        match = self._match()
        gone = {point for chain in self._dead(match) for point in chain}
        position = match.position
        rows = [
            "".join("." if (x, y) in gone else stone or "." for x, stone in enumerate(row))
            for y, row in enumerate(position.stones())
        ]
        lead = match.game.new(f"{'/'.join(rows)} black").lead()
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"

    def _final_status_list(self, words: list[str]) -> str:
        kind = self._word(words, 0, "dead, alive or seki").lower()
        if kind not in ("dead", "alive", "seki"):
            raise Usage("syntax error: write dead, alive or seki")
        match = self._match()
        gone = self._dead(match)
        if kind == "alive":
            found = [chain for chain in chains(match.position.stones()) if chain not in gone]
        else:
            found = gone if kind == "dead" else []
        return "\n".join(" ".join(self._names(sorted(chain))) for chain in found)

    def _kgs_genmove_cleanup(self, words: list[str]) -> str:
        player = self._colour(words, 0)
        stones = self._match().position.stones()
        other = "XO"[1 - player]
        left = any(stones[y][x] == other for chain in self._dead(self._match()) for x, y in chain)
        self.cleaning = left
        try:
            return self._think(player, makes=True)
        finally:
            self.cleaning = False

    def _among(self, match: "Conducted") -> Limit:
        moves = match.moves()
        if not self.cleaning or len(moves) == 1:
            return Limit()
        return Limit(moves=tuple(move for move in moves if match.position.format(move) != "pass"))

    def _dead(self, match: "Conducted") -> list[frozenset[tuple[int, int]]]:
        """The chains that are dead on the board of a match. In playouts ko is simple."""
        loose = match.game.parameters | {"ko": "simple"}

        def new(text: str) -> Any:
            position = match.game.cls(**loose)
            position.setup(text)
            return position

        return dead(new, match.position)


# -- life and death ---------------------------------------------------------------------------------

Chain = frozenset[tuple[int, int]]
Rows = tuple[tuple[str, ...], ...]


def chains(rows: Rows) -> list[Chain]:
    """The chains of stones on a board, as points (column, row)."""
    seen: set[tuple[int, int]] = set()
    found = []
    for y, row in enumerate(rows):
        for x, stone in enumerate(row):
            if stone and (x, y) not in seen:
                chain = _joined(rows, x, y)
                seen |= chain
                found.append(frozenset(chain))
    return found


def _joined(rows: Rows, x: int, y: int) -> set[tuple[int, int]]:
    """The points alike (x, y) that are joined to it along lines."""
    found, edge = {(x, y)}, [(x, y)]
    while edge:
        x, y = edge.pop()
        for point in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if point in found or not (0 <= point[1] < len(rows) and 0 <= point[0] < len(rows[0])):
                continue
            if rows[point[1]][point[0]] == rows[y][x]:
                found.add(point)
                edge.append(point)
    return found


def dead(new: Callable[[str], Any], position: Any) -> list[Chain]:
    """The chains whose points are the other side's at the end of most playouts. Each side begins half.

    An estimate: what playouts do not understand, such as seki, it does not either. `new` sets a position up.
    """
    rows = position.stones()
    lost = dict.fromkeys(((x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s), 0)
    for seed in range(PLAYOUTS if lost else 0):
        start = new(GoSide._written(position, seed % 2))
        moves = start.rollout(seed)[0]
        for move in moves:
            if start.outcome() is not None:
                break
            start.make(move)
        end = start.stones()
        for x, y in lost:
            lost[x, y] += _owner(end, x, y) not in ("", rows[y][x])
    return [
        chain for chain in chains(rows) if sum(lost[point] for point in chain) >= LOST * PLAYOUTS * len(chain)
    ]


def _owner(rows: Rows, x: int, y: int) -> str:
    """Whose a point is at the end: the stone on it, or the only side that the empty points there touch."""
    if rows[y][x]:
        return rows[y][x]
    touched = set()
    for px, py in _joined(rows, x, y):
        for qx, qy in ((px - 1, py), (px + 1, py), (px, py - 1), (px, py + 1)):
            if 0 <= qy < len(rows) and 0 <= qx < len(rows[0]) and rows[qy][qx]:
                touched.add(rows[qy][qx])
    return touched.pop() if len(touched) == 1 else ""
