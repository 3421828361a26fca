"""Stratego, with full armies and Barrage.

move   a move of a piece: 100 * start cell + end cell
       a placement of a piece: its cell; a set-up: 100 + its number

Cells are numbered by rows from red's side, a1 = 0, j1 = 9, j10 = 99. Rules: International Stratego
Federation, Game rules, without the rule on chases: long games without captures are drawn instead.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gameplay.board import BACK, Board, Cell
from gameplay.capabilities import Beginning
from gameplay.errors import BadInput, IllegalMove, NoMoveMade
from gameplay.evaluation import Evaluation
from gameplay.games.shared import grid
from gameplay.games.shared.legality import checked
from gameplay.games.stratego.layout import (
    ARMIES,
    BOMB,
    FLAG,
    HOME,
    LAKES,
    LETTERS,
    MARSHAL,
    MINER,
    NAMES,
    PIECE_VALUES,
    SCOUT,
    SPY,
)
from gameplay.games.stratego.open_search import OpenSearch
from gameplay.games.stratego.setups import check_army, read_setups, setups_of
from gameplay.plural import plural
from gameplay.position import CHANCE, Position

if TYPE_CHECKING:
    from random import Random

    from gameplay.capabilities import StopSignal

SETUP = 100  # moves from here on are set-ups
MAX_REPEATS = 3  # consecutive moves of a piece between the same two cells


class Piece(NamedTuple):
    """A piece, on the board or captured."""

    player: int
    rank: int
    home: int  # the cell of its placement
    shown: bool = False  # the opponent knows its rank
    moved: bool = False


def _ray(cell: int, step: int) -> tuple[int, ...]:
    """The cells in one direction, to the edge or a lake."""
    cells: list[int] = []
    while True:
        beside = step in (1, -1)
        if cell + step in LAKES or not 0 <= (cell % 10 if beside else cell) + step <= (9 if beside else 99):
            return tuple(cells)
        cell += step
        cells.append(cell)


RAYS = tuple(tuple(_ray(cell, step) for step in (10, 1, -1, -10)) for cell in range(100))


class Material(Evaluation):
    """The material balance."""

    name = "material"
    words = "the remaining pieces, each by its rank"

    def evaluate(self, position: "Stratego") -> int:
        """The value of the mover's pieces minus the opponent's."""
        values = [0, 0]
        for piece in position.cells:
            if piece is not None:
                values[piece.player] += PIECE_VALUES[piece.rank]
        return values[0] - values[1] if position.turn == 0 else values[1] - values[0]


class Stratego(Position):
    """Capture the flag of an army whose ranks are hidden.

    Pieces go one step along a row or a column, scouts any number. A move onto an opposing piece attacks it:
    both are shown, the lower rank is lost, equal ranks are both lost, and the remaining piece takes the
    cell. Ranks from below: spy Y, scout S, miner M, sergeant T, lieutenant L, captain P, major J, colonel C,
    general G, marshal X. A bomb B beats all but miners; the spy beats the marshal if it attacks; bombs and
    the flag F never move; lakes cannot be crossed. A piece goes at most three times in a row between the
    same two cells. The player who captures the flag wins; a player who cannot move loses; if neither can, or
    after `quiet` moves without a capture, the game is drawn.

    `army=barrage` has 8 pieces in place of 40. With `start=drawn` each army is placed at random on its four
    rows, the flag on the last. With `start=chosen` both players choose, hidden from each other: a set-up by
    name (`corner`, or `corner*` for its mirror image), or piece by piece, `F-b1` or `b1`. `setups` is a TOML
    file with set-ups of your own, such as `mine = ["FB........", "M.....Y...", "....X.....", ".S..G..S.."]`:
    four rows from your back row on.

    Moves are `b4-b5`. A position is written as its moves.
    """

    hidden = True
    chance = True
    has_deal_solver = True
    low, high = -1, 1
    sides = ("red", "blue")
    in_turn = False
    beginning = "How is your army set up?"
    beginnings = (
        Beginning({"start": "chosen"}, "by you", "take a set-up by its name, or place piece by piece"),
        Beginning(
            {"start": "drawn"}, "at random", "each army is dealt onto its rows, the flag onto the last"
        ),
    )
    unit = 100
    unit_names = ("scout", "scouts")
    quiet_margin = 300
    evaluations = {"material": Material()}

    def __init__(self, army: str = "full", start: str = "drawn", quiet: int = 200, setups: str = "") -> None:
        super().__init__()
        if army not in ARMIES:
            raise BadInput(f"army must be {' or '.join(ARMIES)}, not '{army}'")
        if start not in ("drawn", "chosen"):
            raise BadInput(f"start must be drawn or chosen, not '{start}'")
        if quiet < 1:
            raise BadInput(f"quiet must be 1 or more moves, not {quiet}")
        if setups and start != "chosen":
            raise BadInput("custom set-ups need start=chosen")
        self.army, self.start, self.quiet, self.setups = army, start, quiet, setups
        self.setups_by_name = setups_of(army, setups)
        self.order = tuple(rank for rank, count in enumerate(ARMIES[army]) for _ in range(count))
        self.cells: list[Piece | None] = [None] * 100
        self.placed: tuple[tuple[int, ...], ...] = ((), ())  # by player, the cells of the pieces in `order`
        self.captured: tuple[Piece, ...] = ()
        self.quiet_moves = 0  # moves since the last capture
        self.history: list[tuple[int, ...]] = []  # public facts of each move: from, to, the ranks that met
        self._undo_stack: list[Any] = []
        self.turn = CHANCE if start == "drawn" else 0

    def twin(self) -> "Stratego":
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.cells, other.history, other._undo_stack = (
            list(self.cells),
            list(self.history),
            list(self._undo_stack),
        )
        return other  # the elements of these lists are immutable

    # -- the rules -------------------------------------------------------------------------------

    def placing(self) -> int | None:
        """The player who places pieces; None: all are placed."""
        first, second = self.placed
        if len(first) < len(self.order):
            return 0
        return 1 if len(second) < len(self.order) else None

    def moves(self) -> list[int]:
        player = self.placing()
        if player is None:
            return list(self._moves(self.turn))
        rank = self.order[len(self.placed[player])]
        home = self._home_cells(player)
        if rank == FLAG and self.start == "drawn":
            home = home[:10]
        moves = [cell for cell in home if self.cells[cell] is None]
        if self.start == "chosen" and not self.placed[player]:
            moves += range(SETUP, SETUP + 2 * len(self.setups_by_name))
        return moves

    def _home_cells(self, player: int) -> range:
        """The home cells of a side, from its back row on, from its left."""
        return range(HOME) if player == 0 else range(99, 99 - HOME, -1)

    def _moves(self, player: int) -> Iterator[int]:
        forbidden = self._forbidden_repeat() if player == self.turn else -1
        for cell, piece in enumerate(self.cells):
            if piece is None or piece.player != player or piece.rank in (FLAG, BOMB):
                continue
            for ray in RAYS[cell]:
                for to in ray:
                    there = self.cells[to]
                    if there is not None and there.player == player:
                        break
                    if 100 * cell + to != forbidden:
                        yield 100 * cell + to
                    if there is not None or piece.rank != SCOUT:
                        break

    def _forbidden_repeat(self) -> int:
        """The move forbidden as the fourth in a row between the same two cells; -1: there is none."""
        history = self.history
        if len(history) < 2 * MAX_REPEATS:
            return -1
        end, start = history[-2][:2]
        for number in range(1, MAX_REPEATS):
            there, back = history[-2 - 2 * number][:2]
            if (there, back) != ((start, end) if number % 2 else (end, start)):
                return -1
        return 100 * start + end

    @checked
    def make(self, move: int) -> None:
        player = self.placing()
        if player is not None:
            self._place(player, move)
            return
        start, end = divmod(move, 100)
        mover, target = self.cells[start], self.cells[end]
        assert mover is not None
        self._undo_stack.append(
            (self.placed, self.captured, self.quiet_moves, self.turn, [(start, mover), (end, target)])
        )
        far = abs(end - start) not in (1, 10)
        mover = mover._replace(moved=True, shown=mover.shown or far or target is not None)
        self.cells[start], self.cells[end] = None, mover
        self.quiet_moves += 1
        if target is None:
            self.history.append((start, end, mover.rank if far else -1, -1))
        else:
            self.history.append((start, end, mover.rank, target.rank))
            target = target._replace(shown=True)
            won = beats(mover.rank, target.rank)
            self.quiet_moves = 0
            self.captured += tuple(piece for piece, lost in ((mover, won <= 0), (target, won >= 0)) if lost)
            self.cells[end] = mover if won > 0 else target if won < 0 else None
        self.turn = 1 - self.turn

    def _place(self, player: int, move: int) -> None:
        """Place a piece, or a whole set-up."""
        cells = (move,) if move < SETUP else self._setup(player, move - SETUP)
        first = len(self.placed[player])
        self._undo_stack.append(
            (self.placed, self.captured, self.quiet_moves, self.turn, [(cell, None) for cell in cells])
        )
        for rank, cell in zip(self.order[first:], cells, strict=False):
            self.cells[cell] = Piece(player, rank, cell)
        placed_cells = (*self.placed[player], *cells)
        self.placed = (placed_cells, self.placed[1]) if player == 0 else (self.placed[0], placed_cells)
        following = self.placing()
        self.turn = 0 if following is None else CHANCE if self.start == "drawn" else following

    def _setup(self, player: int, number: int) -> tuple[int, ...]:
        """The cells of the pieces in `order` by a set-up's number."""
        rows = list(self.setups_by_name.values())[number // 2]
        return self._cells_of(player, [row[::-1] if number % 2 else row for row in rows])

    def _cells_of(self, player: int, rows: Sequence[str]) -> tuple[int, ...]:
        """The cells of the pieces in `order` by the rows of a set-up."""
        line = "".join(rows)
        at: dict[str, list[int]] = {}
        for cell, letter in zip(self._home_cells(player), line, strict=True):
            at.setdefault(letter, []).append(cell)
        return tuple(at[LETTERS[rank]].pop(0) for rank in self.order)

    @property
    def choosing(self) -> bool:
        """True while the players set up their armies, hidden from each other."""
        return self.start == "chosen" and self.placing() is not None

    def random_placements(self, rng: "Random") -> list[int]:
        """A random set-up; once a piece is placed, the rest of the army with the flag at the back."""
        player = self.placing()
        if player is None or self.start != "chosen":
            return []
        placed = len(self.placed[player])
        if not placed:
            return [SETUP + rng.randrange(2 * len(self.setups_by_name))]
        free = [cell for cell in self._home_cells(player) if self.cells[cell] is None]
        homes = self._sample_cells(self.order[placed:], free, rng)
        return sorted(homes, key=lambda cell: homes[cell])

    # -- set-ups ---------------------------------------------------------------------------------

    @property
    def setup_kind(self) -> str:
        """The army."""
        return f"stratego-{self.army}"

    @property
    def setup_names(self) -> tuple[str, ...]:
        """The names of the set-ups."""
        return tuple(self.setups_by_name)

    def setup_rows(self, player: int) -> list[str]:
        """A player's set-up: four rows from the player's back row on."""
        if len(self.placed[player]) < len(self.order):
            return []
        ranks = dict(zip(self.placed[player], self.order, strict=True))
        line = "".join(LETTERS[ranks[cell]] if cell in ranks else "." for cell in self._home_cells(player))
        return [line[start : start + 10] for start in range(0, HOME, 10)]

    def setups_in(self, path: Path) -> dict[str, list[str]]:
        """The set-ups of a file for this army. Raises BadInput, OSError."""
        return read_setups(self.army, str(path))

    def setup_moves(self, rows: Sequence[str]) -> list[int]:
        """Moves that place a set-up piece by piece; [] if one is placed already. Raises BadInput."""
        player = self.placing()
        if player is None or self.placed[player] or self.start != "chosen":
            return []
        if [len(row) for row in rows] != [10] * 4:
            lengths = ", ".join(str(len(row)) for row in rows)
            raise BadInput(f"a set-up is four rows of ten squares, as in FB........; these have {lengths}")
        check_army(self.army, "the set-up", rows)
        return list(self._cells_of(player, rows))

    def unmake(self) -> None:
        if not self._undo_stack:
            raise NoMoveMade()
        if self.placing() is None and self.history:
            self.history.pop()
        self.placed, self.captured, self.quiet_moves, self.turn, before = self._undo_stack.pop()
        for cell, piece in before:
            self.cells[cell] = piece

    def outcome(self) -> tuple[float, ...] | None:
        if self.placing() is not None:
            return None
        for piece in self.captured[-2:]:
            if piece.rank == FLAG:
                return (-1, 1) if piece.player == 0 else (1, -1)
        if self.quiet_moves >= self.quiet:
            return (0, 0)
        if next(self._moves(self.turn), None) is None:
            if next(self._moves(1 - self.turn), None) is None:
                return (0, 0)
            return (-1, 1) if self.turn == 0 else (1, -1)
        return None

    def noisy(self) -> list[int]:
        if self.placing() is not None:
            return []
        return [move for move in self._moves(self.turn) if self.cells[move % 100] is not None]

    def key(self) -> tuple[Any, ...]:
        late = tuple([entry[:2] for entry in self.history[-2 * MAX_REPEATS :]])
        return (self.turn, self.placed, tuple(self.cells), self.captured, self.quiet_moves, late)

    # -- imperfect information -------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[Any, ...]:
        """The player's own set-up, the opponent's home cells, and all moves with the ranks that met.

        Before both armies are placed, only the number of the opponent's pieces is known.
        """
        opponent_cells = self.placed[1 - player]
        homes = len(opponent_cells) if self.placing() is not None else tuple(sorted(opponent_cells))
        return (player, self.placed[player], homes, tuple(self.history))

    def sees(self, player: int, move: int) -> bool:
        """The placing of a piece is seen by its player; moves by both."""
        return self.placing() in (None, player)

    def determinize(self, player: int, rng: "Random") -> "Stratego":
        """Sample the opponent's unknown pieces uniformly, with the flag at the back if possible."""
        other = type(self)(self.army, self.start, self.quiet, self.setups)
        other.cells, other.captured = list(self.cells), self.captured
        other.history, other.quiet_moves, other.turn = list(self.history), self.quiet_moves, self.turn
        count = len(self.placed[1 - player])
        if count < len(self.order):
            homes = self._sample_cells(self.order[:count], list(self._home_cells(1 - player)), rng)
            for cell in self.placed[1 - player]:
                other.cells[cell] = None
            for cell, rank in homes.items():
                other.cells[cell] = Piece(1 - player, rank, cell)
        else:
            homes = {piece.home: piece.rank for piece in self.captured if piece.player != player}
            unknown: dict[int, tuple[int, Piece]] = {}  # by home
            for cell, piece in enumerate(self.cells):
                if piece is not None and piece.player != player:
                    homes[piece.home] = piece.rank
                    if not piece.shown:
                        unknown[piece.home] = (cell, piece)
            unmoved_homes = [home for home, (_, piece) in unknown.items() if not piece.moved]
            moved_homes = [home for home, (_, piece) in unknown.items() if piece.moved]
            ranks = [piece.rank for _, piece in unknown.values()]
            drawn = self._sample_cells(ranks, unmoved_homes, rng, moved_homes)
            for home, rank in drawn.items():
                cell, piece = unknown[home]
                other.cells[cell] = piece._replace(rank=rank)
            homes |= drawn
        places: dict[int, list[int]] = {}
        for home in sorted(homes):
            places.setdefault(homes[home], []).append(home)
        placed = tuple(places[rank].pop(0) for rank in self.order[:count])
        own = self.placed[player]
        other.placed = (own, placed) if player == 0 else (placed, own)
        return other

    def _sample_cells(self, ranks: Any, unmoved: list[int], rng: "Random", moved: Any = ()) -> dict[int, int]:
        """Sample a cell for each rank: flag and bombs from `unmoved`, the rest also from `moved`."""
        cells = list(unmoved)
        sampled: dict[int, int] = {}
        fixed = [rank for rank in ranks if rank in (FLAG, BOMB)]
        for rank in sorted(fixed):
            back = [cell for cell in cells if rank == FLAG and (cell < 10 or cell >= 90)]
            cell = rng.choice(back or cells)
            cells.remove(cell)
            sampled[cell] = rank
        rest = sorted(rank for rank in ranks if rank not in (FLAG, BOMB))  # sorted, to reveal nothing
        free = [*cells, *moved]
        rng.shuffle(free)
        sampled.update(zip(free, rest, strict=False))
        return sampled

    # -- for people ------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        player = self.placing()
        if player is None:
            return f"{cell_name(move // 100)}-{cell_name(move % 100)}"
        if move >= SETUP:
            number = move - SETUP
            return list(self.setups_by_name)[number // 2] + "*" * (number % 2)
        return f"{LETTERS[self.order[len(self.placed[player])]]}-{cell_name(move)}"

    @property
    def examples(self) -> str:  # type: ignore[override]
        """The set-ups by name, before the first piece is placed."""
        player = self.placing()
        if self.start != "chosen" or player is None or self.placed[player]:
            return ""
        names = ", ".join(self.setups_by_name)
        first = self.format(self._home_cells(player)[1])
        return f"a set-up: {names}, mirrored with *; Enter takes one at random; piece by piece: {first}"

    def parse(self, text: str) -> int:
        """Also accepts the cell alone for a placement."""
        player = self.placing()
        if player is not None and self.start == "chosen":
            letter = LETTERS[self.order[len(self.placed[player])]]
            with suppress(IllegalMove):
                return super().parse(f"{letter}-{text.strip()}")
        return super().parse(text)

    def why_illegal(self, text: str) -> str:
        """The reason why a move is illegal."""
        start, _, end = text.strip().lower().partition("-")
        source, target = grid.parse_cell(start, 10, 10), grid.parse_cell(end, 10, 10)
        if self.placing() is not None or self.turn == CHANCE:
            return ""
        if source is None or target is None:
            return grid.why_off_board(start if source is None else end, 10, 10) if end else ""
        piece, there = self.cells[source], self.cells[target]
        if piece is None or piece.player != self.turn:
            return f"the piece on {start} is not yours" if piece else f"there is no piece on {start}"
        if piece.rank in (FLAG, BOMB):
            return f"a {NAMES[piece.rank]} does not move"
        if target in LAKES:
            return f"{end} is in a lake"
        if there is not None and there.player == self.turn:
            return f"a piece of yours stands on {end}"
        if 100 * source + target == self._forbidden_repeat():
            return f"a piece may move between the same two cells at most {MAX_REPEATS} times in a row"
        if piece.rank == SCOUT:
            return "a scout moves along a row or a column over empty cells"
        return f"a {NAMES[piece.rank]} moves one cell along a row or a column"

    def in_order(self, moves: Sequence[int]) -> list[int]:
        """Set-ups before cells, attacks before other moves."""
        if self.placing() is not None:
            return sorted(moves, key=lambda move: (move < SETUP, move))
        return sorted(moves, key=lambda move: (self.cells[move % 100] is None, move))

    def letter(self, cell: int, viewer: int | None) -> str:
        """The cell as `viewer` sees it: "", a letter (red's are capitals), or `BACK`."""
        piece = self.cells[cell]
        if piece is None:
            return ""
        if viewer not in (None, piece.player) and not piece.shown:
            return "" if self.placing() is not None else BACK
        return LETTERS[piece.rank] if piece.player == 0 else LETTERS[piece.rank].lower()

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        at: dict[Cell, tuple[int, ...]] = {}
        paths: dict[int, tuple[Cell, ...]] = {}
        placing = self.placing()
        if viewer in (None, self.turn) and self.turn != CHANCE and self.outcome() is None:
            for move in self.moves():
                if placing is None:
                    start, paths[move] = _cell(move // 100), (_cell(move % 100),)
                    at[start] = (*at.get(start, ()), move)
                elif move < SETUP:
                    at[_cell(move)] = (move,)
        counts = [
            sum(piece is not None and piece.player == player for piece in self.cells) for player in (0, 1)
        ]
        words = [plural(count, "piece") for count in counts]
        return Board(
            cells=tuple(
                tuple(None if 10 * row + x in LAKES else self.letter(10 * row + x, viewer) for x in range(10))
                for row in range(9, -1, -1)
            ),
            columns=tuple("abcdefghij"),
            rows=tuple(str(row) for row in range(10, 0, -1)),
            owners={**dict.fromkeys(LETTERS, 0), **dict.fromkeys(LETTERS.lower(), 1)},
            last=(_cell(self.history[-1][0]), _cell(self.history[-1][1]))
            if self.history and last is not None
            else (),
            moves=at,
            paths=paths,
            taken={
                1 - player: "".join(
                    sorted(
                        LETTERS[piece.rank] if player == 0 else LETTERS[piece.rank].lower()
                        for piece in self.captured
                        if piece.player == player
                    )
                )
                for player in (0, 1)
            },
            notes=dict(enumerate(words)) if placing is None else {},
            facts=self._to_place() if placing is not None and viewer in (None, placing) else (),
        )

    def _to_place(self) -> tuple[str, ...]:
        """The next piece to place, and the number left."""
        player = self.placing()
        if player is None or self.start != "chosen":
            return ()
        remaining = self.order[len(self.placed[player]) :]
        count = remaining.count(remaining[0])
        more = f", {count} of them" if count > 1 else ""
        piece = f"{NAMES[remaining[0]]} ({LETTERS[remaining[0]]})"
        return (f"to place next: {piece}{more}; {len(remaining)} pieces left",)

    def dealt_solver(self, control: "StopSignal | None") -> OpenSearch:
        """A search of positions with all ranks known."""
        return OpenSearch(control)

    def news(self) -> list[str]:
        """The move, and the result of an attack."""
        if self.placing() is not None or not self.history:
            return []
        start, end, attacker, defender = self.history[-1]
        move = f"{self.sides[1 - self.turn]} {cell_name(start)}-{cell_name(end)}"
        if defender < 0:
            return [move]
        won = beats(attacker, defender)
        if not won:
            return [f"{move}: both {NAMES[attacker]}s fall"]
        return [f"{move}: the {NAMES[attacker]} {'takes' if won > 0 else 'falls to'} the {NAMES[defender]}"]

    def show(self, viewer: int | None = None) -> str:
        letters = ["~" if cell in LAKES else self.letter(cell, viewer) or "." for cell in range(100)]
        return "\n".join(" ".join(letters[row : row + 10]) for row in range(90, -1, -10))

    def __str__(self) -> str:
        return self.show()


def beats(attacker: int, other: int) -> int:
    """Positive if the attacker survives, negative if the other piece does, 0 if neither."""
    if other == BOMB:
        return 1 if attacker == MINER else -1
    if attacker == SPY and other == MARSHAL:
        return 1
    return attacker - other


def cell_name(cell: int) -> str:
    """`a1` to `j10`."""
    return "abcdefghij"[cell % 10] + str(cell // 10 + 1)


def _cell(cell: int) -> Cell:
    return 9 - cell // 10, cell % 10
