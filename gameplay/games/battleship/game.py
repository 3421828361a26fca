"""Battleship, with any board and ships.

move   a shot: the cell, by rows from the upper left
       a ship: the cell of its upper left end, plus the number of cells if it lies across, plus twice that
       number if it lies down
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from gameplay.board import Board, Cell
from gameplay.capabilities import unchecked
from gameplay.errors import BadInput, IllegalMove, NoMoveMade
from gameplay.games.battleship.aim import Aim
from gameplay.games.shared import grid
from gameplay.games.shared.legality import checked
from gameplay.plural import plural
from gameplay.position import Position, side

if TYPE_CHECKING:
    from random import Random

    from gameplay.capabilities import StopSignal

MAX_SIZE = 26  # rows, columns
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # ships, those of the second player in small letters
SIGNS = {"miss": ".", "hit": "*", "sunk": "#"}
SHIPS = {2: "destroyer", 3: "cruiser", 4: "battleship", 5: "carrier"}  # by length; others are "ship"
DIRECTIONS = ("across", "down")  # of a ship from its first cell: b4 across, b4 down

Placement = tuple[int, int]  # a placement of a ship: the move, and its cells as bits
Shot = tuple[int, str]  # a cell, and the result


class Battleship(Position):
    """Hide your ships, then shoot at the opponent's cells until one fleet is sunk.

    First both players place their ships, hidden from each other: in a row or a column, and no two on the
    same cell. Then they shoot in turn at one cell, never twice at the same, and learn whether it was a miss
    or a hit and whether it sank a ship. The game ends when a fleet is sunk, or when both have fired `shots`
    shots (0: as many as there are cells). Each ship sunk is a point.

    Moves are ships from one end to the other, `b2-b4`, and shots, `c7`. `ships` are their lengths in the
    order of placement: `battleship:rows=6,columns=6,ships=2+3+3`. A position is written as its moves. Your
    waters are on the left, the opponent's on the right: `.` is a miss, `*` a hit, `#` the hit that sank a
    ship.
    """

    hidden = True
    has_deal_solver = True
    perfect_recall = True
    scored = True
    unit_names = ("ship", "ships")
    in_turn = True

    def __init__(self, rows: int = 10, columns: int = 10, ships: str = "2+3+3+4+5", shots: int = 0) -> None:
        super().__init__()
        if not (1 <= rows <= MAX_SIZE and 1 <= columns <= MAX_SIZE):
            raise BadInput(f"rows and columns must be from 1 to {MAX_SIZE}, not {rows} and {columns}")
        if not all(part.isdecimal() and int(part) for part in ships.split("+")):
            raise BadInput(f"ships must be lengths from 1 up, as in 2+3+3, not '{ships}'")
        if shots < 0:
            raise BadInput(f"shots must be 0 or more, not {shots}")
        self.ships = ships
        self.lengths = tuple(map(int, ships.split("+")))
        if len(self.lengths) > len(LETTERS) or not _ships_fit(rows, columns, self.lengths, 0):
            raise BadInput(f"ships of {ships} do not fit on {rows} rows and {columns} columns")
        self.rows = rows
        self.columns = columns
        self.shots = min(shots or rows * columns, rows * columns)
        self.low, self.high = -len(self.lengths), len(self.lengths)
        self.made: tuple[int, ...] = ()
        self.fleets: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # by player, cells as bits
        self.fired = (0, 0)  # ... the cells they shot at
        self.results: tuple[str, ...] = ()  # of all shots

    # -- the rules -------------------------------------------------------------------------------

    def placing(self) -> bool:
        """True until all ships are placed."""
        return len(self.made) < 2 * len(self.lengths)

    def moves(self) -> list[int]:
        if not self.placing():
            return [cell for cell in range(self.rows * self.columns) if not self.fired[self.turn] >> cell & 1]
        length, *rest = self.lengths[len(self.made) // 2 :]
        taken = sum(self.fleets[self.turn])
        return [
            move
            for move, cells in _placements(self.rows, self.columns, length)
            if not cells & taken and _ships_fit(self.rows, self.columns, tuple(rest), taken | cells)
        ]

    @checked
    def make(self, move: int) -> None:
        own, others = self.fleets[self.turn], self.fleets[1 - self.turn]
        if self.placing():
            length = self.lengths[len(self.made) // 2]
            self._update_mover(fleets=(*own, dict(_placements(self.rows, self.columns, length))[move]))
        else:
            fired = self.fired[self.turn] | 1 << move
            hit = next((ship for ship in others if ship >> move & 1), 0)
            self.results += ("sunk" if hit and not hit & ~fired else "hit" if hit else "miss",)
            self._update_mover(fired=fired)
        self.made += (move,)
        self.turn = 1 - self.turn

    def unmake(self) -> None:
        if not self.made:
            raise NoMoveMade()
        move = self.made[-1]
        self.made = self.made[:-1]
        self.turn = 1 - self.turn
        if self.placing():
            self._update_mover(fleets=self.fleets[self.turn][:-1])
        else:
            self.results = self.results[:-1]
            self._update_mover(fired=self.fired[self.turn] ^ 1 << move)

    def _update_mover(self, **now: Any) -> None:
        """Update the mover's state."""
        for name, value in now.items():
            both = getattr(self, name)
            setattr(self, name, (value, both[1]) if self.turn == 0 else (both[0], value))

    def sunk(self, player: int) -> int:
        """The number of a player's ships sunk."""
        return sum(not ship & ~self.fired[1 - player] for ship in self.fleets[player])

    def outcome(self) -> tuple[float, ...] | None:
        fleet = len(self.lengths)
        if self.placing():
            return None
        lost = [self.sunk(player) for player in (0, 1)]
        if fleet not in lost and len(self.results) < 2 * self.shots:
            return None
        return (lost[1] - lost[0], lost[0] - lost[1])

    def key(self) -> tuple[int, ...]:
        return self.made

    @property
    def choosing(self) -> bool:
        """True while ships are placed, hidden from the opponent."""
        return self.placing()

    def random_placements(self, rng: "Random") -> list[int]:
        """Random placements for the mover's remaining ships."""
        if not self.placing():
            return []
        taken, moves = sum(self.fleets[self.turn]), list[int]()
        lengths = self.lengths[len(self.fleets[self.turn]) :]
        for number, length in enumerate(lengths, 1):
            free = [
                placement
                for placement in _placements(self.rows, self.columns, length)
                if not placement[1] & taken
                and _ships_fit(self.rows, self.columns, lengths[number:], taken | placement[1])
            ]
            move, cells = rng.choice(free)
            moves.append(move)
            taken |= cells
        return moves

    # -- imperfect information -------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[Any, ...]:
        """The player's ships, shots and results, and the opponent's number of ships and shots."""
        placed = self.made[: 2 * len(self.lengths)]
        shots = self.made[len(placed) :]
        results = [self.results[ply] if ply % 2 == player else "" for ply in range(len(shots))]
        return (player, len(placed), placed[player::2], shots, tuple(results))

    def _shots(self, player: int) -> tuple[Shot, ...]:
        """The shots of a player with their results."""
        shots = self.made[2 * len(self.lengths) :]
        return tuple(zip(shots[player::2], self.results[player::2], strict=True))

    def determinize(self, player: int, rng: "Random") -> Self:
        """Sample the opponent's ships uniformly from the placements that fit."""
        other = self.initial()
        make = unchecked(other)
        count = len(self.fleets[1 - player])
        table = _sampling_table(self.rows, self.columns, self.lengths[:count], self._shots(player))
        ships = _sample_ships(table, rng)
        while not _ships_fit(self.rows, self.columns, self.lengths[count:], sum(cells for _, cells in ships)):
            ships = _sample_ships(table, rng)
        for ply, move in enumerate(self.made):
            is_placement = ply % 2 != player and ply < 2 * len(self.lengths)
            make(ships[ply // 2][0] if is_placement else move)
        return other

    def dealt_solver(self, control: "StopSignal | None") -> Aim:
        """The values of shots by hits, without search."""
        return Aim()

    def sees(self, player: int, move: int) -> bool:
        """A ship is seen by the player who places it, a shot by both players."""
        return player == self.turn or not self.placing()

    # -- for people ------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        if not self.placing():
            return self._cell_name(move)
        ends = self._ends(move)
        return self._cell_name(ends[0]) + (f"-{self._cell_name(ends[1])}" if ends[0] != ends[1] else "")

    def parse(self, text: str) -> int:
        """Also accepts a ship from its other end, `b4-b2`, or by its first cell, `b4 down`."""
        words = text.lower().split()
        if self.placing() and len(words) == 2 and words[1] in DIRECTIONS:
            return self._parse_placement(words[0], DIRECTIONS.index(words[1]))
        try:
            return super().parse(text)
        except IllegalMove:
            start, dash, end = text.strip().partition("-")
            if dash and self.placing():
                with suppress(IllegalMove):
                    return super().parse(f"{end}-{start}")
            raise

    def why_illegal(self, text: str) -> str:
        """The reason why a ship or a shot is illegal."""
        words = text.strip().lower().split("-")
        cells = [grid.parse_cell(word, self.columns, self.rows) for word in words]
        valid = [cell for cell in cells if cell is not None]
        if len(valid) < len(cells):
            return grid.why_off_board(words[cells.index(None)], self.columns, self.rows)
        if not self.placing():
            return f"you have shot at {words[0]} already" if len(words) == 1 else ""
        (up, left), (down, right) = (divmod(cell, self.columns) for cell in (min(valid), max(valid)))
        if len(words) > 2 or (up != down and left != right):
            return "a ship lies across or down, from one end to the other"
        if right - left + down - up + 1 != self._next_length():
            return f"this ship has {plural(self._next_length(), 'cell')}"
        own = sum(self.fleets[self.turn])
        across, along = range(left, right + 1), range(up, down + 1)
        if any(own >> row * self.columns + column & 1 for row in along for column in across):
            return "a ship of yours lies there"
        return "your other ships would not fit"

    def _parse_placement(self, first: str, direction: int) -> int:
        """The placement of the next ship from its first cell. Raises IllegalMove."""
        count = self.rows * self.columns
        for move in self.moves():
            if self._cell_name(move % count) == first and move // count in (0, 1 + direction):
                return move
        raise IllegalMove(
            f"a ship of {plural(self._next_length(), 'cell')} cannot lie {DIRECTIONS[direction]} "
            f"from '{first}'"
        )

    def _next_length(self) -> int:
        """The length of the next ship."""
        return self.lengths[len(self.made) // 2]

    @property
    def examples(self) -> str:  # type: ignore[override]
        """The next ship with examples of its notation."""
        if not self.placing():
            return ""
        length = self._next_length()
        move = self.moves()[0]
        start, direction = (
            self._cell_name(self._ends(move)[0]),
            DIRECTIONS[max(0, move // (self.rows * self.columns) - 1)],
        )
        return (
            f"{_ship(length)}: {self.format(move)} or {start} {direction}; Enter places the fleet at random"
        )

    def _cell_name(self, cell: int) -> str:
        return chr(97 + cell % self.columns) + str(cell // self.columns + 1)

    def _ends(self, move: int) -> tuple[int, int]:
        """The first and the last cell of a placement."""
        direction, cell = divmod(move, self.rows * self.columns)
        length = self.lengths[len(self.made) // 2]
        return cell, cell + (length - 1) * (1 if direction == 1 else self.columns)

    def waters(self, player: int, viewer: int | None) -> list[list[str]]:
        """A player's waters: the ships that `viewer` may see, and the shots at them."""
        cells = [[""] * self.columns for _ in range(self.rows)]
        for number, ship in enumerate(self.fleets[player] if viewer in (None, player) else ()):
            for cell in _cells(ship):
                letter = LETTERS[number]
                cells[cell // self.columns][cell % self.columns] = letter if player == 0 else letter.lower()
        for cell, result in self._shots(1 - player):
            cells[cell // self.columns][cell % self.columns] = SIGNS[result]
        return cells

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        """The viewer's waters on the left, the opponent's on the right."""
        own = viewer or 0
        left, right = self.waters(own, viewer), self.waters(1 - own, viewer)
        gap = self.columns + 1
        letters = [chr(97 + column) for column in range(self.columns)]
        at: dict[Cell, tuple[int, ...]] = {}
        paths: dict[int, tuple[Cell, ...]] = {}
        shift = gap if (self.turn == own) != self.placing() else 0
        if viewer in (None, self.turn) and self.outcome() is None:
            for move in self.moves():
                start, end = self._ends(move) if self.placing() else (move, move)
                row, column = divmod(start, self.columns)
                at[row, column + shift] = (*at.get((row, column + shift), ()), move)
                if end != start:
                    last_cell = (end // self.columns, end % self.columns + shift)
                    at[last_cell] = (*at.get(last_cell, ()), move)
                    paths[move] = (last_cell,)
        marked: tuple[Cell, ...] = ()
        if last is not None and self.results:
            aside = gap if self.turn != own else 0
            marked = ((last // self.columns, last % self.columns + aside),)
        small = LETTERS.lower()
        whose = [f"{side(self, player)}'s waters" for player in (0, 1)]
        if viewer is not None:
            whose[viewer], whose[1 - viewer] = "your fleet", "your shots"
        lost = [self.sunk(player) for player in (0, 1)]
        return Board(
            cells=tuple([(*one, None, *other) for one, other in zip(left, right, strict=True)]),
            columns=(*letters, "", *letters),
            rows=tuple([str(row + 1) for row in range(self.rows)]),
            tails=tuple([str(row + 1) for row in range(self.rows)]),
            captions={0: whose[own], gap: whose[1 - own]},
            owners={**dict.fromkeys(LETTERS, 0), **dict.fromkeys(small, 1)},
            last=marked,
            moves=at,
            paths=paths,
            glyphs={".": "∙", "*": "✶", "#": "✖"},
            notes={
                player: f"{count} of {len(self.lengths)} lost" for player, count in enumerate(lost) if count
            },
            facts=(f"to place next: {_ship(self._next_length())}",) if self.placing() else (),
        )

    def public_report(self) -> str:
        """The public report of a placement."""
        placed, player = divmod(len(self.made) - 1, 2)
        return f"{side(self, player)} places ship {placed + 1} of {len(self.lengths)}"

    def news(self) -> Sequence[str]:
        """The result of a shot."""
        if not self.results:
            return ()
        return (
            f"{side(self, 1 - self.turn)} shoots at {self._cell_name(self.made[-1])}: {self.results[-1]}",
        )

    def show(self, viewer: int | None = None) -> str:
        own = viewer or 0
        both = zip(self.waters(own, viewer), self.waters(1 - own, viewer), strict=True)
        return "\n".join("  ".join("".join(cell or "~" for cell in row) for row in rows) for rows in both)

    def __str__(self) -> str:
        return self.show()


def _ship(length: int) -> str:
    """The name and the length of a ship."""
    return f"{SHIPS.get(length, 'ship')} of {plural(length, 'cell')}"


def _cells(bits: int) -> list[int]:
    return [cell for cell in range(bits.bit_length()) if bits >> cell & 1]


# -- placements -------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _placements(rows: int, columns: int, length: int) -> tuple[Placement, ...]:
    """All placements of a ship on an empty board; length 1 only across."""
    cells = rows * columns
    lying = [
        (cells + row * columns + column, sum(1 << row * columns + column + i for i in range(length)))
        for row in range(rows)
        for column in range(columns - length + 1)
    ]
    standing = [
        (2 * cells + row * columns + column, sum(1 << (row + i) * columns + column for i in range(length)))
        for row in range(rows - length + 1)
        for column in range(columns)
    ]
    return tuple(lying + (standing if length > 1 else []))


@lru_cache(maxsize=50_000)
def _ships_fit(rows: int, columns: int, lengths: tuple[int, ...], taken: int) -> bool:
    """True if ships of these lengths fit on the free cells."""
    if not lengths:
        return True
    return any(
        not cells & taken and _ships_fit(rows, columns, lengths[1:], taken | cells)
        for _, cells in _placements(rows, columns, lengths[0])
    )


# -- sampling the opponent's ships ------------------------------------------------------------------


# For each ship its berths by the hits that they cover, and the number of covers of hits by the later ships,
# overlaps elsewhere allowed.
Table = tuple[int, tuple[tuple[dict[int, list[Placement]], dict[int, int]], ...]]


@lru_cache(maxsize=256)
def _sampling_table(rows: int, columns: int, lengths: tuple[int, ...], shots: tuple[Shot, ...]) -> Table:
    """The table for `_sample_ships`: ships of these lengths, none on a miss, each hit on one of them.

    A ship sinks with the hit on its last cell; a hit that sank none is on another ship.
    """
    missed = sum(1 << cell for cell, result in shots if result == "miss")
    hits = [(1 << cell, result) for cell, result in shots if result != "miss"]
    hit = sum(cell for cell, _ in hits)
    counts = {0: 1}
    table = []
    for length in reversed(lengths):
        groups: dict[int, list[Placement]] = {}
        for placement in _placements(rows, columns, length):
            cells = placement[1]
            results = [result for cell, result in hits if cell & cells]
            sunk_results = ["hit"] * (length - 1) + ["sunk"]
            if not cells & missed and (
                results == sunk_results if len(results) == length else "sunk" not in results
            ):
                groups.setdefault(cells & hit, []).append(placement)
        new_counts: dict[int, int] = {}
        for covered, placements in groups.items():
            for rest, count in counts.items():
                if not covered & rest:
                    new_counts[covered | rest] = new_counts.get(covered | rest, 0) + count * len(placements)
        table.append((groups, counts))
        counts = new_counts
    return hit, tuple(reversed(table))


def _sample_ships(table: Table, rng: "Random") -> list[Placement]:
    """Sample a berth for each ship that together cover all hits, by rejection of overlaps."""
    while True:
        uncovered, steps = table
        placements: list[Placement] = []
        taken = 0
        for groups, counts in steps:
            choices = [
                covered for covered in groups if not covered & ~uncovered and uncovered ^ covered in counts
            ]
            weights = [len(groups[covered]) * counts[uncovered ^ covered] for covered in choices]
            covered = rng.choices(choices, weights)[0]
            placement = rng.choice(groups[covered])
            if placement[1] & taken:
                break
            taken |= placement[1]
            uncovered ^= covered
            placements.append(placement)
        else:
            return placements
