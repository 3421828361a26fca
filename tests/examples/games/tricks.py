"""Hands of cards: each player sees their own, and the other's from behind."""

from gameplay import BACK, CHANCE, Board, Position, Tray, undoable
from gameplay.position import side

CARDS = "6789TJQKA"  # a move is a card's number, from the lowest


class Tricks(Position):
    """Each is dealt three of nine cards, one by one and unseen by the other; then three tricks are played.

    The leader plays any card, the other any; the higher one takes the trick and leads the next. Who takes
    more tricks wins. Moves are cards: `6` to `9`, `T`, `J`, `Q`, `K`, `A`.
    """

    chance = True
    hidden = True
    scored = True
    sides = ("north", "south")

    def __init__(self, hand=3):
        super().__init__()
        self.hand = hand
        self.hands = [(), ()]
        self.played = ()  # pairs of player and card, open to both
        self.taken = [0, 0]
        self.turn = CHANCE

    def moves(self):
        if self.turn == CHANCE:
            return [card for card in range(9) if card not in self.hands[0] + self.hands[1]]
        return list(self.hands[self.turn])

    def dealt(self):
        """The player who gets the next card."""
        return int(len(self.hands[0]) > len(self.hands[1]))

    @undoable
    def make(self, move):
        if self.turn == CHANCE:
            player = self.dealt()
            self.hands[player] = tuple(sorted((*self.hands[player], move)))
            self.turn = CHANCE if len(self.hands[1]) < self.hand else 0
            return
        self.hands[self.turn] = tuple(card for card in self.hands[self.turn] if card != move)
        self.played += ((self.turn, move),)
        if len(self.played) % 2:
            self.turn = 1 - self.turn
            return
        (first, low), (other, high) = self.played[-2:]
        self.turn = first if low > high else other
        self.taken[self.turn] += 1

    def outcome(self):
        if len(self.played) < 2 * self.hand:
            return None
        margin = self.taken[0] - self.taken[1]
        return (margin, -margin)

    def infoset(self, player):
        counts = tuple(map(len, self.hands))
        return (self.turn, "".join(CARDS[card] for card in self.hands[player]), self.played, counts)

    def determinize(self, player, rng):
        other = type(self)(self.hand)
        other.hands, other.played, other.taken = list(self.hands), self.played, list(self.taken)
        other.turn = self.turn
        known = {*self.hands[player], *(card for _, card in self.played)}
        rest = [card for card in range(9) if card not in known]
        other.hands[1 - player] = tuple(sorted(rng.sample(rest, len(self.hands[1 - player]))))
        return other

    def sees(self, player, move):
        return self.turn != CHANCE or player == self.dealt()

    def format(self, move):
        return CARDS[move]

    def board(self, viewer=None, last=None):
        below = 1 if viewer is None else viewer
        table = [CARDS[card] for _, card in self.played[len(self.played) // 2 * 2 :]]
        if self.played and not table:
            table = [CARDS[card] for _, card in self.played[-2:]]

        def hand(player):
            seen = viewer in (None, player)
            cards = tuple(CARDS[card] if seen else BACK for card in self.hands[player])
            return Tray(side(self, player), cards, above=player != below)

        trays = (hand(1 - below), Tray("table", tuple(table)), hand(below))
        moves = {}
        if self.turn != CHANCE and self.outcome() is None and viewer in (None, self.turn):
            row = 2 if self.turn == below else 0
            moves = {(row, x): (card,) for x, card in enumerate(self.hands[self.turn])}
        return Board(
            cells=(),
            columns=(),
            rows=(),
            owners={},
            last=((1, len(table) - 1),) if table and last is not None else (),
            moves=moves,
            names={cell: CARDS[card].lower() for cell, (card,) in moves.items()},
            trays=trays,
            notes={
                player: f"{count} trick{'' if count == 1 else 's'}" for player, count in enumerate(self.taken)
            },
        )
