"""Games with one planted mistake each that a check must report: its `law` and `words`, or what it `warns`.

All but the mistake is class `Kept`, `Cards` or `Walk`.
"""

from gameplay import CHANCE, Position, undoable


class Sticks(Position):
    """Take one, two or three sticks; the player who takes the last stick wins."""

    law = warns = words = ""
    unit = 10

    def __init__(self, sticks=9):
        super().__init__()
        self.sticks = sticks
        self.taken, self.past = 0, []

    def moves(self):
        return [take for take in (1, 2, 3) if take <= self.sticks]

    def make(self, move):
        self.sticks -= move
        self.taken += 1
        self.turn = 1 - self.turn

    def unmake(self):
        raise NotImplementedError

    def outcome(self):
        if self.sticks:
            return None
        return (-1, 1) if self.turn == 0 else (1, -1)

    def evaluate(self):
        return 1 if self.sticks % 4 else -1


class Kept(Sticks):
    """As Sticks, with an unmake() that works. The player who takes the last stick wins."""

    make = undoable(Sticks.make)
    unmake = Position.unmake


class SwappedPayoffs(Kept):
    """Take one, two or three sticks; the player who takes the last stick wins."""

    warns = "moved last lost all 400 decided games: are the payoffs of outcome() swapped?"

    def outcome(self):
        if self.sticks:
            return None
        return (1, -1) if self.turn == 0 else (-1, 1)

    def evaluate(self):
        return 0


class SwappedMisere(Kept):
    """Take one, two or three sticks; the player who takes the last stick loses."""

    warns = "moved last won all 400 decided games, but by the docstring the last one loses"

    def evaluate(self):
        return 0


class StuckTurn(Kept):
    """The player who takes the last stick loses."""

    warns = "second never moved in 400 games: does make() set turn for every move?"

    @undoable
    def make(self, move):
        self.sticks -= move


class OneWinner(Kept):
    warns = "first won all 400 decided games: does outcome() ever let the other win?"

    def outcome(self):
        return None if self.sticks else (1, -1)

    def evaluate(self):
        return 0


class NeverWon(Kept):
    warns = "all 400 games were drawn: does outcome() recognise a win?"

    def outcome(self):
        return None if self.sticks else (0, 0)


class WrongSide(Kept):
    warns = "of pairs of games: is its sign wrong?"

    def evaluate(self):
        return -1 if self.sticks % 4 else 1


class FirstPlayersSide(Kept):
    warns = "of pairs of games: is it from the view of the player to move?"

    def evaluate(self):
        ahead = 1 if self.sticks % 4 else -1
        return ahead if self.turn == 0 else -ahead


class ForgetsCounter(Sticks):
    law, words = "unmake", "unmake() does not restore taken: taken was 0 and is 1 after make and unmake of 1"

    def key(self):
        return self.turn, self.sticks

    def unmake(self):
        self.sticks = self.past.pop()
        self.turn = 1 - self.turn

    def make(self, move):
        self.past.append(self.sticks)
        super().make(move)

    def outcome(self):
        if self.sticks and self.taken < 60:
            return None
        return (-1, 1) if self.turn == 0 else (1, -1)


class ForgetsTurn(Kept):
    law, words = "unmake", "turn was 0 and is 1"

    def unmake(self):
        turn = self.turn
        super().unmake()
        self.turn = turn


class ForgetsDice(Sticks):
    """A forgotten field that looks like randomness: the moves depend on it later."""

    law, words = "unmake", "unmake() does not restore taken"

    def moves(self):
        return [take for take in (1, 2, 3) if take <= self.sticks][: 1 + (self.taken + 1) % 3]

    def key(self):
        return self.turn, self.sticks, len(self.past)

    def make(self, move):
        self.past.append(self.sticks)
        super().make(move)

    def unmake(self):
        self.sticks = self.past.pop()
        self.turn = 1 - self.turn


class Cards(Position):
    """Both draw one of four cards; the first bets or passes, the higher card wins the bet."""

    law = warns = words = ""
    hidden = chance = True
    scored = True
    sides = ("ann", "ben")

    def __init__(self):
        super().__init__()
        self.cards, self.said = (), ()
        self.turn = CHANCE

    def moves(self):
        return [card for card in range(4) if card not in self.cards] if self.turn == CHANCE else [0, 1]

    @undoable
    def make(self, move):
        if self.turn == CHANCE:
            self.cards = (*self.cards, move)
        else:
            self.said = (*self.said, move)
        self.turn = CHANCE if len(self.cards) < 2 else len(self.said) % 2

    def outcome(self):
        if len(self.said) < 2:
            return None
        stake = 1 + sum(self.said)
        return (stake, -stake) if self.cards[0] > self.cards[1] else (-stake, stake)

    def infoset(self, player):
        return player, self.cards[player : player + 1], len(self.cards), self.said

    def determinize(self, player, rng):
        other = type(self)()
        other.said, other.turn = self.said, self.turn
        cards = list(self.cards)
        mine = cards[player] if len(cards) > player else -1
        for seat in range(len(cards)):
            if seat != player:
                left = [card for card in range(4) if card != mine and card not in cards[:seat]]
                cards[seat] = self.draw(rng, left, cards[seat])
        other.cards = tuple(cards)
        return other

    def draw(self, rng, cards, true):
        return rng.choice(cards)

    def show(self, viewer=None):
        hands = [str(card) if viewer in (None, seat) else "?" for seat, card in enumerate(self.cards)]
        return f"{' '.join(hands)} said {self.said} turn {self.turn}"

    def board(self, viewer=None, last=None):
        return None

    def __str__(self):
        return self.show()


class InfosetTellsTooMuch(Cards):
    """The infoset holds whether the other's card is high, which nothing shows."""

    law, words = "shown", "shown the same"

    def infoset(self, player):
        other = self.cards[1 - player] > 1 if len(self.cards) == 2 else None
        return *super().infoset(player), other

    def draw(self, rng, cards, true):
        return rng.choice([card for card in cards if len(self.cards) < 2 or (card > 1) == (true > 1)])


class InfosetOmitsWhatIsShown(Cards):
    """Both see the sum of the cards, and the infoset leaves it out."""

    law, words = "views", "show(1) is"

    def show(self, viewer=None):
        return f"{super().show(viewer)} sum {sum(self.cards)}"


class InfosetOmitsWhatWasShown(Cards):
    """The infoset leaves out a bit that is the same in each position drawn, so that only two games differ."""

    law, words = "views", "is shown something else"

    def show(self, viewer=None):
        return f"{super().show(viewer)} low {0 in self.cards}"

    def draw(self, rng, cards, true):
        return rng.choice([card for card in cards if (card == 0) == (true == 0)])


class UnseededDraw(Cards):
    """Positions are drawn from the system's generator."""

    law, words = "determinize", "when drawn again with an equal seed"

    def draw(self, rng, cards, true):
        import random

        return random.SystemRandom().choice(cards)


class Walk(Position):
    """Walk to the goal at 12, one or two steps at a time."""

    law = warns = words = ""
    players = 1
    zero_sum = False

    def __init__(self, goal=90):
        super().__init__()
        self.goal, self.at, self.loose = goal, 0, 0

    def moves(self):
        return [0, 1, 2]

    @undoable
    def make(self, move):
        """Back to the start, or one of two steps that must alternate."""
        self.at = 0 if move == 0 or (move == 1) != (self.at % 2 == 0) else self.at + 1

    def outcome(self):
        return (1,) if self.at == self.goal else None

    def estimate(self):
        return self.goal - self.at


class EstimateTooHigh(Walk):
    """A goal that no random walk reaches, and an estimate that is one too much far from the start."""

    law, words = "estimate", "a path to a goal costs"

    def estimate(self):
        left = self.goal - self.at
        return left + 1 if 20 < left < 60 else left


SOUND = (Kept, Cards, Walk)
