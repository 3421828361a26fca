"""A card game: chance deals, and a player's `infoset` is the card in their hand and what was bet."""

from gameplay import CHANCE, Position

DEALS = ("JQ", "JK", "QJ", "QK", "KJ", "KQ")
ENDS = ("pp", "bp", "bb", "pbp", "pbb")


class Kuhn(Position):
    """Kuhn's poker: three cards, one each, an ante of one, and one bet of one.

    Both cards are dealt at once (`JQ`: a jack to the first, a queen to the second). Then `pass` or `bet`
    in turn: a bet is called by a bet and given in to by a pass. Source: H. W. Kuhn, A simplified two-person
    poker, 1950.
    """

    chance = True
    hidden = True
    scored = True

    def __init__(self):
        super().__init__()
        self.deal = ""
        self.bets = ""
        self.turn = CHANCE

    def moves(self):
        return [0, 1] if self.deal else list(range(len(DEALS)))

    def make(self, move):
        if self.deal:
            self.bets += "pb"[move]
            self.turn = 1 - self.turn
        else:
            self.deal = DEALS[move]
            self.turn = 0

    def unmake(self):
        if self.bets:
            self.bets = self.bets[:-1]
            self.turn = 1 - self.turn
        else:
            self.deal = ""
            self.turn = CHANCE

    def outcome(self):
        if self.bets not in ENDS:
            return None
        if self.bets == "bp":
            return (1, -1)
        if self.bets == "pbp":
            return (-1, 1)
        stake = 2 if "b" in self.bets else 1
        return (stake, -stake) if self.deal in ("KQ", "KJ", "QJ") else (-stake, stake)

    def key(self):
        return self.deal + self.bets

    def infoset(self, player):
        return self.deal[player : player + 1] + self.bets

    def determinize(self, player, rng):
        other = Kuhn()
        other.deal, other.bets, other.turn = self.deal, self.bets, self.turn
        if self.deal:
            other.deal = rng.choice([deal for deal in DEALS if deal[player] == self.deal[player]])
        return other

    def sees(self, player, move):
        return bool(self.deal)

    def format(self, move):
        return ("pass", "bet")[move] if self.deal else DEALS[move]

    def __str__(self):
        return f"{self.deal or 'not dealt'} {self.bets}".rstrip()
