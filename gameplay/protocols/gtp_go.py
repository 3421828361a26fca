"""The server side of GTP for Go: board, handicaps, komi, rules and scoring.

    boardsize N, rectangular_boardsize COLUMNS ROWS, komi POINTS
    kgs-rules chinese|aga|new_zealand|tromp-taylor
    fixed_handicap N, place_free_handicap N    responds with the points of the stones
    set_free_handicap POINT ...
    loadsgf FILE [MOVE]                        the position before that move, or at the end
    final_score                                B+3.5, W+0.5 or 0: area score without dead stones
    final_status_list dead|alive|seki          chains of stones, one per line
    kgs-genmove_cleanup COLOUR                 a move; no pass while dead opponent stones remain

Either side may move at any time, even after two passes: the other side has then passed, or play continues
from the current board. A move that violates superko is accepted if simple ko allows it, since the other
program may use another ko rule. Dead stones are estimated by playouts.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gameplay import file_io
from gameplay.capabilities import GoBoard, HasDeadStones
from gameplay.errors import GameplayError, IllegalMove, Usage
from gameplay.protocols.gtp_side import GtpSide, Place
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.players.player import MatchControl
    from gameplay.position import AbstractPosition

RULES = {
    "chinese": {"rules": "chinese", "ko": "positional"},
    "aga": {"rules": "chinese", "ko": "situational"},
    "new_zealand": {"rules": "tromp-taylor", "ko": "situational"},
    "tromp-taylor": {"rules": "tromp-taylor", "ko": "positional"},
}

Load = Callable[[Path], "tuple[dict[str, str], str, list[str]]"]
"""Loads a game from a file: parameters, start and moves."""


class GoSide(GtpSide):
    """A GTP server for Go; serves one connection."""

    commands: ClassVar[tuple[str, ...]] = (
        *GtpSide.commands,
        *("rectangular_boardsize", "komi", "kgs-rules", "fixed_handicap", "place_free_handicap"),
        *("set_free_handicap", "loadsgf", "final_score", "final_status_list", "kgs-genmove_cleanup"),
    )
    cleaning = False  # no passes while dead opponent stones remain

    def __init__(self, *arguments: Any, load: Load, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.load = load

    # -- the terms ---------------------------------------------------------------------------------

    def _boardsize(self, words: list[str]) -> str:
        return self._resize(*[self._size(words, 0, "the size of the board")] * 2)

    def _rectangular_boardsize(self, words: list[str]) -> str:
        columns = self._size(words, 0, "the number of columns")
        return self._resize(columns, self._size(words, 1, "the number of rows"))

    def _resize(self, columns: int, rows: int) -> str:
        try:
            self._begin_with(self._without_handicap() | {"columns": str(columns), "rows": str(rows)})
        except GameplayError:
            raise Usage("unacceptable size") from None
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self._begin_with(self._without_handicap())
        return ""

    def _komi(self, words: list[str]) -> str:
        self._change({"komi": f"{self._number(words, 0, 'a komi', 'points'):g}"})
        return ""

    def _kgs_rules(self, words: list[str]) -> str:
        word = self._word(words, 0, "a set of rules").lower()
        if word not in RULES:
            raise Usage(f"unsupported rules: area is counted here, by the rules {', '.join(RULES)}")
        self._change(RULES[word])
        return ""

    def _without_handicap(self) -> dict[str, str]:
        return {name: word for name, word in self.terms.items() if name not in ("handicap", "placement")}

    def _change(self, terms: dict[str, str]) -> None:
        """Continue in the same position with changed settings."""
        places, clocks = self.places, self.clocks
        if "komi" not in terms and "komi" not in self.terms:
            terms = terms | {"komi": f"{self._board().komi:g}"}
        self._begin_with(self.terms | terms)
        self.places, self.clocks = places, clocks

    def _board(self) -> GoBoard:
        """The current position, typed as a Go board."""
        position = self._match().position
        assert isinstance(position, GoBoard)
        return position

    def _chains(self) -> HasDeadStones:
        """The current position, typed for dead stones."""
        position = self._match().position
        assert isinstance(position, HasDeadStones)
        return position

    # -- handicaps ---------------------------------------------------------------------------------

    def _fixed_handicap(self, words: list[str]) -> str:
        count = self._whole(words, 0, "a number of stones")
        if count < 2:
            raise Usage("invalid number of stones")
        return self._handicap(count, "fixed")

    def _place_free_handicap(self, words: list[str]) -> str:
        count = self._whole(words, 0, "a number of stones")
        if count < 2:
            raise Usage("invalid number of stones")
        self._check_empty()
        for fewer in range(count, 1, -1):  # up to the number of standard points
            try:
                return self._handicap(fewer, "fixed")
            except GameplayError:
                if len(self.places) > 1:
                    raise
        raise Usage("invalid number of stones: this board has no usual points")

    def _set_free_handicap(self, words: list[str]) -> str:
        if len(words) < 2:
            raise Usage("invalid number of stones")
        self._handicap(len(words), "free", words)
        self.places = self.places[-1:]  # the stones are not taken back one by one
        return ""

    def _handicap(self, count: int, placement: str, stones: Sequence[str] = ()) -> str:
        """Begin a game with a handicap of `stones`, if it is free; returns the points of its stones."""
        position = self._check_empty()
        komi = f"{position.komi:g}"
        terms = self._without_handicap() | {"komi": komi, "handicap": str(count), "placement": placement}
        try:
            self._begin_with(terms, moves=stones)
        except IllegalMove as error:
            raise Usage(f"invalid vertex: {error}") from None
        except GameplayError as error:
            raise Usage(f"invalid number of stones: {error}") from None
        rows = self._board().stones()
        return " ".join(self._names((x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s))

    def _check_empty(self) -> GoBoard:
        """The current position. Raises Usage if it has stones."""
        position = self._board()
        if any(stone for row in position.stones() for stone in row):
            raise Usage("board not empty")
        return position

    def _names(self, cells: Iterable[tuple[int, int]]) -> list[str]:
        """The names of points given by column and row, from 0 at the upper left."""
        board = self._match().board()
        assert board is not None
        return [f"{board.columns[x]}{board.rows[y]}" for x, y in cells]

    # -- the game ----------------------------------------------------------------------------------

    def _loadsgf(self, words: list[str]) -> str:
        path = Path(self._word(words, 0, "a file"))
        last = self._whole(words, 1, "the number of a move") if len(words) > 1 else 0
        try:
            terms, start, moves = self.load(path)
            self._begin_with(terms, start, moves[: last - 1] if last else moves)
        except OSError as error:
            raise Usage(f"cannot load file: {file_io.unreadable(path, error)}") from None
        except GameplayError as error:
            raise Usage(f"cannot load file: {error}") from None
        return ""

    def _position_for(self, player: int) -> Place:
        match = self._match()
        position = match.position
        start, moves = self.places[-1]
        if match.payoffs is None and position.turn == player:
            return start, moves
        if match.payoffs is None:
            try:
                if self.host.match(start, [*moves, "pass"]).payoffs is None:
                    return start, (*moves, "pass")
            except IllegalMove:
                pass
        return format_board(position, player), ()

    # -- what it comes to --------------------------------------------------------------------------

    def _final_score(self, words: list[str]) -> str:
        position = self._chains()
        lead = position.lead_without({point for chain in position.dead_chains() for point in chain})
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"

    def _final_status_list(self, words: list[str]) -> str:
        kind = self._word(words, 0, "dead, alive or seki").lower()
        if kind not in ("dead", "alive", "seki"):
            raise Usage("syntax error: write dead, alive or seki")
        match = self._match()
        position = self._chains()
        gone = position.dead_chains()
        chains = gone if kind == "dead" else []
        if kind == "alive":
            chains = [chain for chain in position.chains() if chain not in gone]
        return "\n".join(" ".join(map(match.position.format, chain)) for chain in chains)

    def _kgs_genmove_cleanup(self, words: list[str]) -> str:
        player = self._colour(words, 0)
        position = self._chains()
        self.cleaning = any(position.owner(chain[0]) != player for chain in position.dead_chains())
        try:
            return self._think(player, play=True)
        finally:
            self.cleaning = False

    def _move_limit(self, match: "MatchControl") -> Limit:
        if not self.cleaning:
            return Limit()
        return Limit(moves=tuple(move for move in match.moves() if match.position.format(move) != "pass"))


def format_board(position: "AbstractPosition", player: int) -> str:
    """The board with `player` to move, without history."""
    assert isinstance(position, GoBoard)
    rows = "/".join("".join(stone or "." for stone in row) for row in position.stones())
    return f"{rows} {('black', 'white')[player]}"
