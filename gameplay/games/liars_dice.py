"""Liar's dice, for two players or more.

move   a roll: the face, from 0
       a bid: from the lowest, (how many - 1) * faces + (the face - 1); one beyond the highest: liar
"""

import re
from typing import TYPE_CHECKING, Any

from gameplay.board import BACK, Board, Cell, Tray
from gameplay.errors import NoMoveMade, check_players, check_range
from gameplay.games.shared.legality import checked
from gameplay.position import CHANCE, Position, side

if TYPE_CHECKING:
    from random import Random

MAX_PLAYERS = 8
MAX_DICE = 5  # of a player
LIAR = "liar"
SIGNS = "XOABCDEF"  # the player who made a bid


class LiarsDice(Position):
    """Bid how many dice of all players show a face, or call the last bid a lie.

    Each player secretly rolls `dice` dice. In turn each makes a higher bid, of more dice or of as many of a
    higher face, or says `liar`: then all dice are shown. The highest face is wild: it counts as any face. If
    there are at least as many dice as the last bid, its player wins, else the player who doubted it. With
    more than two players one of these two gets a point from the other.

    Moves are `liar` and bids, `2x5` for two fives; rolls are faces, `1` to `6`. A position is written as its
    moves: `3 6 1x3 2x3 liar`.
    """

    chance = True
    hidden = True
    perfect_recall = True
    low, high = -1, 1

    def __init__(self, players: int = 2, dice: int = 1, faces: int = 6) -> None:
        super().__init__()
        check_players("liar's dice", players, MAX_PLAYERS)
        check_range("dice", dice, 1, MAX_DICE)
        check_range("faces", faces, 2, 9)
        self.players, self.dice, self.faces = players, dice, faces
        self.rolled: tuple[int, ...] = ()  # the first player's dice before the second one's
        self.bids: tuple[int, ...] = ()
        self.turn = CHANCE

    # -- the rules -------------------------------------------------------------------------------

    @property
    def doubt(self) -> int:
        """The move that calls a bid a lie."""
        return self.players * self.dice * self.faces

    def moves(self) -> list[int]:
        if self.turn == CHANCE:
            return list(range(self.faces))
        if not self.bids:
            return list(range(self.doubt))
        return list(range(self.bids[-1] + 1, self.doubt + 1))

    @checked
    def make(self, move: int) -> None:
        if self.turn == CHANCE:
            self.rolled += (move,)
            self.turn = CHANCE if len(self.rolled) < self.players * self.dice else 0
        else:
            self.bids += (move,)
            self.turn = len(self.bids) % self.players

    def unmake(self) -> None:
        if self.bids:
            self.bids = self.bids[:-1]
            self.turn = len(self.bids) % self.players
        elif self.rolled:
            self.rolled = self.rolled[:-1]
            self.turn = CHANCE
        else:
            raise NoMoveMade()

    def outcome(self) -> tuple[float, ...] | None:
        if not self.bids or self.bids[-1] != self.doubt:
            return None
        count, face = divmod(self.bids[-2], self.faces)
        matching = sum(die in (face, self.faces - 1) for die in self.rolled)
        doubter, bidder = ((len(self.bids) - back) % self.players for back in (1, 2))
        winner, loser = (bidder, doubter) if matching > count else (doubter, bidder)
        return tuple([(player == winner) - (player == loser) for player in range(self.players)])

    def ending(self) -> str:
        """The result of the last bid: `doubting 2x6: 1 die counts`, `bidding 2x3: 2 dice count`."""
        count, face = divmod(self.bids[-2], self.faces)
        matching = sum(die in (face, self.faces - 1) for die in self.rolled)
        counts = "1 die counts" if matching == 1 else f"{matching or 'no'} dice count"
        return f"{'bidding' if matching > count else 'doubting'} {self._bid(self.bids[-2])}: {counts}"

    def hand(self, player: int) -> tuple[int, ...]:
        """The dice of a player, from the lowest."""
        return tuple(sorted(self.rolled[player * self.dice : (player + 1) * self.dice]))

    def key(self) -> tuple[Any, ...]:
        return (len(self.rolled), *(self.hand(player) for player in range(self.players)), self.bids)

    # -- imperfect information -------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[Any, ...]:
        """The number of dice rolled, the player's own dice, and the bids."""
        return (len(self.rolled), self.hand(player), self.bids)

    def determinize(self, player: int, rng: "Random") -> "LiarsDice":
        other = type(self)(self.players, self.dice, self.faces)
        first, last = player * self.dice, (player + 1) * self.dice
        other.rolled = tuple(
            [
                die if first <= i < last else rng.randrange(self.faces)
                for i, die in enumerate((*self.rolled[:first], *self.hand(player), *self.rolled[last:]))
            ]
        )
        other.bids, other.turn = self.bids, self.turn
        return other

    def sees(self, player: int, move: int) -> bool:
        """A die is seen by the player who rolls it, a bid by all."""
        return self.turn != CHANCE or player == len(self.rolled) // self.dice

    # -- for people ------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        if self.turn == CHANCE:
            return str(move + 1)
        return self._bid(move)

    def _bid(self, move: int) -> str:
        count, face = divmod(move, self.faces)
        return LIAR if move == self.doubt else f"{count + 1}x{face + 1}"

    def why_illegal(self, text: str) -> str:
        """The reason why a bid is illegal."""
        if self.turn == CHANCE:
            return ""
        if text.strip().lower() == LIAR:
            return "there is no bid to doubt"
        match = re.fullmatch("(0|[1-9][0-9]{0,2})x(0|[1-9][0-9]{0,2})", text.strip().lower())
        if not match:
            return ""
        count, face, most = int(match[1]), int(match[2]), self.players * self.dice
        if not 1 <= count <= most:
            return f"a bid is of 1 to {most} dice, as many as there are"
        if not 1 <= face <= self.faces:
            return f"the faces go from 1 to {self.faces}"
        return f"a bid must be higher than {self._bid(self.bids[-1])}"

    def _hands(self, viewer: int | None) -> list[list[str]]:
        """The dice of all players as one of them sees them."""
        seen = [[str(die + 1) for die in self.hand(player)] for player in range(self.players)]
        return [dice if viewer in (None, player) else [BACK] * len(dice) for player, dice in enumerate(seen)]

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        """The drawing of the bids, a row for each number of dice and a column for each face, and the dice."""
        rows = self.players * self.dice
        cells = [[""] * self.faces for _ in range(rows)]
        notes = {}
        for ply, bid in enumerate(self.bids):
            if bid < self.doubt:
                cells[bid // self.faces][bid % self.faces] = SIGNS[ply % self.players]
            notes[ply % self.players] = self._bid(bid)
        below = viewer or 0
        order = [(below + i) % self.players for i in range(1, self.players)] + [below]
        hands = self._hands(viewer)
        trays = [Tray(side(self, player), tuple(hands[player]), above=player != below) for player in order]
        to_move = viewer in (None, self.turn) and self.turn != CHANCE and self.outcome() is None
        legal = self.moves() if to_move else []
        if self.doubt in legal:
            trays.append(Tray("actions", (LIAR,)))
        at: dict[Cell, tuple[int, ...]] = {
            divmod(move, self.faces): (move,) for move in legal if move < self.doubt
        }
        if self.doubt in legal:
            at[(rows + len(trays) - 1, 0)] = (self.doubt,)
        bids = [bid for bid in self.bids if bid < self.doubt]
        return Board(
            cells=tuple(map(tuple, cells)),
            columns=tuple([str(face + 1) for face in range(self.faces)]),
            rows=tuple([f"{row + 1}x" for row in range(rows)]),
            owners={sign: player for player, sign in enumerate(SIGNS[: self.players])},
            last=(divmod(bids[-1], self.faces),) if bids and last is not None else (),
            moves=at,
            names={cell: self._bid(move) for cell, (move,) in at.items()},
            ground="felt",
            glyphs={"X": "●", "O": "○"},
            notes=notes,
            trays=tuple(trays),
        )

    def show(self, viewer: int | None = None) -> str:
        lines = [
            f"{side(self, player)}: {' '.join(dice) or '-'}"
            for player, dice in enumerate(self._hands(viewer))
        ]
        return "\n".join([*lines, "bids: " + (" ".join(map(self._bid, self.bids)) or "-")])

    def __str__(self) -> str:
        return self.show()
