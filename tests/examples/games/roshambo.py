"""A simultaneous game made sequential: the second player moves without knowing what the first chose."""

from gameplay import Position, undoable

NAMES = ("rock", "paper", "scissors")


class Roshambo(Position):
    """Both choose at once; paper beats rock, scissors beat paper, rock beats scissors.

    The first to win `wins` rounds wins the game, which is drawn after `rounds` rounds.
    """

    hidden = True

    def __init__(self, wins=2, rounds=5):
        super().__init__()
        self.wins = wins
        self.rounds = rounds
        self.played = ()  # pairs of choices, open to both
        self.secret = None  # what the first player has chosen in this round

    def moves(self):
        return [0, 1, 2]

    @undoable
    def make(self, move):
        if self.turn == 0:
            self.secret = move
        else:
            self.played += ((self.secret, move),)
            self.secret = None
        self.turn = 1 - self.turn

    def won(self, player):
        """The number of rounds won by a player."""
        return sum((pair[player] - pair[1 - player]) % 3 == 1 for pair in self.played)

    def outcome(self):
        first, second = self.won(0), self.won(1)
        if max(first, second) < self.wins and len(self.played) < self.rounds:
            return None
        return ((first > second) - (second > first), (second > first) - (first > second))

    def infoset(self, player):
        return (self.turn, self.played, self.secret if player == 0 else None)

    def sees(self, player, move):
        return player == self.turn or self.turn == 1  # the second choice uncovers the first

    def determinize(self, player, rng):
        other = Roshambo(self.wins, self.rounds)
        other.played, other.turn, other.secret = self.played, self.turn, self.secret
        if player == 1 and self.turn == 1:
            other.secret = rng.randrange(3)
        return other

    def format(self, move):
        return NAMES[move]
