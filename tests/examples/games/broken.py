"""Games that break one law each: `breaks` says which. All but the one mistake is `Sticks`."""

import random

import sticks

from gameplay import CHANCE, Board, Heuristic, Position, Tray, undoable


class Sticks(sticks.Sticks):
    """Take one, two or three sticks; the player who takes the last one loses."""

    breaks = ""

    def __init__(self, sticks=9):
        super().__init__(sticks)


class TooManySides(Sticks):
    breaks = "facts"
    sides = ("north", "east", "west")


class StrangeAlias(Sticks):
    breaks = "facts"
    aliases = {"red": 2}


class ShowsAll(Sticks):
    breaks = "facts"
    hidden = True


class ListParameter(Sticks):
    breaks = "parameters"

    def __init__(self, heaps=(3, 4, 5)):
        super().__init__(sum(heaps))


class ThirdTurn(Sticks):
    breaks = "turn"

    def make(self, move):
        super().make(move)
        self.turn += 1


class LeavesChance(Sticks):
    breaks = "turn"
    chance = True

    def make(self, move):
        super().make(move)
        if not self.sticks:
            self.turn = CHANCE

    def outcome(self):
        return None if self.sticks else (1, -1)


class Unannounced(Sticks):
    breaks = "turn"

    def __init__(self):
        super().__init__()
        self.turn = CHANCE


class Twice(Sticks):
    breaks = "moves"

    def moves(self):
        return [1, *super().moves()]


class Negative(Sticks):
    breaks = "moves"

    def moves(self):
        return [*super().moves(), -1]


class Words(Sticks):
    breaks = "moves"

    def moves(self):
        return ["one"]


class Stuck(Sticks):
    breaks = "moves"

    def moves(self):
        return super().moves() if self.sticks != 5 else []


class Generates(Sticks):
    breaks = "moves"

    def moves(self):
        yield from super().moves()


class Unordered(Sticks):
    breaks = "moves"

    def moves(self):
        return set(super().moves())


class Generous(Sticks):
    breaks = "outcome"

    def outcome(self):
        return None if self.sticks else (1, 0)


class Single(Sticks):
    breaks = "outcome"

    def outcome(self):
        return None if self.sticks else (1,)


class Winner(Sticks):
    breaks = "outcome"

    def outcome(self):
        return None if self.sticks else self.turn


class HalfOdds(Sticks):
    breaks = "chances"
    chance = True

    @undoable
    def make(self, move):
        self.sticks -= move
        self.turn = CHANCE if self.sticks == 4 else 0

    def chances(self):
        return [0.5] * len(self.moves())


class FewOdds(HalfOdds):
    def chances(self):
        return [1.0]


class ListKey(Sticks):
    breaks = "key"

    def key(self):
        return [self.turn, self.sticks]


class ListInfoset(Sticks):
    breaks = "key"
    hidden = True

    def infoset(self, player):
        return [self.turn, self.sticks]

    def determinize(self, player, rng):
        return ListInfoset(self.sticks)


class Whosever(Sticks):
    breaks = "diagram"

    def diagram(self):
        return f"{self.sticks} sticks"


class Turnless(Sticks):
    breaks = "futures"

    def key(self):
        return self.sticks


class Forgetful(Sticks):
    breaks = "futures"

    def __init__(self):
        super().__init__()
        self.first = 0

    @undoable
    def make(self, move):
        self.first = self.first or move
        self.sticks -= move
        self.turn = 1 - self.turn

    def outcome(self):
        return None if self.sticks else (self.first, -self.first)

    def key(self):
        return self.sticks * 2 + self.turn


class Coin(Sticks):
    """A coin is tossed first, and only the first player sees the result; the last to move loses.

    No law is broken.
    """

    chance = True
    hidden = True

    def __init__(self):
        super().__init__(5)
        self.coin = None
        self.turn = CHANCE

    def moves(self):
        return [0, 1] if self.coin is None else super().moves()

    @undoable
    def make(self, move):
        if self.coin is None:
            self.coin, self.turn = move, 0
        else:
            super().make(move)

    def outcome(self):
        return None if self.coin is None else super().outcome()

    def infoset(self, player):
        return (self.turn, self.sticks, self.coin if player == 0 else None)

    def determinize(self, player, rng):
        other = type(self)()
        other.coin, other.sticks, other.turn = self.coin, self.sticks, self.turn
        if player == 1 and self.coin is not None:
            other.coin = rng.randrange(2)
        return other

    def sees(self, player, move):
        return self.coin is not None or player == 0

    def format(self, move):
        return ("heads", "tails")[move] if self.coin is None else str(move)


class Blind(Coin):
    breaks = "infoset"

    def sees(self, player, move):
        return False

    def infoset(self, player):
        return (self.turn == player, self.coin if player == 0 else None)

    def determinize(self, player, rng):
        other = super().determinize(player, rng)
        if player == self.turn and self.sticks > 1:
            other.sticks = self.sticks - 1
        return other


class Unequal(Blind):
    """As it, but that the positions drawn are alike."""

    def determinize(self, player, rng):
        return Coin.determinize(self, player, rng)


class NothingDrawn(Sticks):
    breaks = "facts"
    hidden = True

    def infoset(self, player):
        return (self.turn, self.sticks)


class Swaps(Coin):
    breaks = "determinize"

    def determinize(self, player, rng):
        other = super().determinize(player, rng)
        other.sticks += 1
        return other


class SameAgain(Swaps):
    def determinize(self, player, rng):
        return self


class Peeks(Coin):
    """Gives the true position, as if nothing were hidden."""

    breaks = "determinize"

    def determinize(self, player, rng):
        other = super().determinize(player, rng)
        other.coin = self.coin
        return other


class Leans(Coin):
    """Takes heads for likelier than it is."""

    breaks = "worlds"

    def determinize(self, player, rng):
        other = super().determinize(player, rng)
        if player == 1 and self.coin is not None:
            other.coin = int(rng.randrange(4) == 0)
        return other


class DrawsItself(Coin):
    """Draws from its own generator."""

    breaks = "determinize"

    def determinize(self, player, rng):
        return super().determinize(player, random.Random())


class Reveals(Coin):
    """The infoset of the second player has the coin, which nothing shows them."""

    breaks = "shown"

    def infoset(self, player):
        return (self.turn, self.sticks, self.coin)

    def determinize(self, player, rng):
        return super().determinize(0, rng)

    def show(self, viewer=None):
        return f"{self.sticks} sticks, turn {self.turn}"


class Forgets(Coin):
    """Its players know what is left, not who took it."""

    breaks = "recall"
    perfect_recall = True


class Passes(Coin):
    """Gives a position in which another is on turn."""

    breaks = "determinize"

    def infoset(self, player):
        return (self.sticks, self.coin if player == 0 else None)

    def determinize(self, player, rng):
        other = super().determinize(player, rng)
        if self.turn >= 0:
            other.turn = 1 - self.turn
        return other


class Shows(Coin):
    breaks = "views"

    def show(self, viewer=None):
        return f"{self.sticks} sticks, {self.coin}"


class OpenHand(Coin):
    breaks = "views"

    def board(self, viewer=None, last=None):
        hand = Tray("coin", ("?" if self.coin is None else "HT"[self.coin],))
        return Board(trays=(hand,))


class Marked(Coin):
    """The text of the moves reveals the coin."""

    breaks = "views"

    def format(self, move):
        return super().format(move) if self.turn != 1 else f"{move}{'ht'[self.coin]}"


class NoViewer(Coin):
    breaks = "views"

    def board(self, last=None):
        return None


class Announces(Coin):
    breaks = "sees"

    def sees(self, player, move):
        return True


class Noisy(Sticks):
    breaks = "noisy"

    def noisy(self):
        return [3]


class Told(Sticks):
    breaks = "policies"
    policies = {"three": "take three"}

    def policy_moves(self, policy):
        return [3]


class Fractional(Sticks):
    breaks = "evaluate"

    def evaluate(self):
        return self.sticks / 2


class Certain(Sticks):
    breaks = "evaluate"

    def evaluate(self):
        return 1_000_000


class OneSided(Sticks):
    breaks = "evaluate"

    def evaluate_for(self, player):
        return 3


class TooLow(Sticks):
    breaks = "bounds"
    low = 0


class TooMuch(Sticks):
    """For three, who are promised more than there is: `zero_sum` says that it is 0."""

    breaks = "bounds"
    players = 3

    def outcome(self):
        return None if self.sticks else (0, 0, 0)

    def evaluate_for(self, player):
        return 1


class SameWord(Sticks):
    breaks = "words"

    def format(self, move):
        return "take"


class TwoWords(Sticks):
    breaks = "words"

    def format(self, move):
        return f"take {move}"


class OffByOne(Sticks):
    breaks = "words"

    def parse(self, text):
        return super().parse(text) % 3 + 1


class Trusting(Sticks):
    breaks = "words"

    def parse(self, text):
        return int(text)


class Counts(Sticks):
    breaks = "asking"
    asked = 0

    def outcome(self):
        self.asked += 1
        return super().outcome()


class OwnList(Sticks):
    breaks = "asking"

    def __init__(self):
        super().__init__()
        self.takes = [1, 2, 3]

    def moves(self):
        return self.takes

    @undoable
    def make(self, move):
        self.sticks -= move
        self.turn = 1 - self.turn
        while self.takes and self.takes[-1] > self.sticks:
            self.takes.pop()


class ForgetsTurn(Sticks):
    breaks = "unmake"

    def make(self, move):
        self.sticks -= move
        self.turn = 1 - self.turn
        self.last = move

    def unmake(self):
        self.sticks += self.last


class LosesLast(Sticks):
    """Takes back one move rightly, and not the one before it."""

    breaks = "unmake"

    def __init__(self):
        super().__init__()
        self.last = 0

    def make(self, move):
        self.sticks -= move
        self.turn = 1 - self.turn
        self.last = move

    def unmake(self):
        self.sticks += self.last
        self.turn = 1 - self.turn

    def key(self):
        return self.sticks * 2 + self.turn

    def __str__(self):
        return str(self.sticks)


class Rolls(Sticks):
    breaks = "replay"

    def __init__(self):
        super().__init__(30)

    @undoable
    def make(self, move):
        self.sticks = max(0, self.sticks - move - random.randrange(1_000_000) % 7)
        self.turn = 1 - self.turn


class WrongText(Sticks):
    breaks = "text"

    def text(self):
        return str(self.sticks)

    def setup(self, text):
        self.sticks = int(text)  # and whose turn it is?


class Crooked(Sticks):
    breaks = "board"

    def board(self, viewer=None, last=None):
        return Board(cells=(("|",) * self.sticks,), columns=("1", "2"), rows=("",))


class Outside(Sticks):
    breaks = "board"

    def board(self, viewer=None, last=None):
        return Board(cells=(("|",),), columns=("1",), rows=("",), line=((0, 1),))


class Misleading(Sticks):
    breaks = "board"

    def board(self, viewer=None, last=None):
        return Board(cells=(("|",),), columns=("1",), rows=("",), moves={(0, 0): (4,)})


class BeyondTray(Sticks):
    breaks = "board"

    def board(self, viewer=None, last=None):
        heap = Tray("heap", ("|",) * self.sticks)
        return Board(trays=(heap,), counts={(0, self.sticks): 2})


class Shared(Sticks):
    breaks = "apart"
    taken = []

    def make(self, move):
        self.taken.append(move)
        self.turn = 1 - self.turn

    def unmake(self):
        self.taken.pop()
        self.turn = 1 - self.turn

    def moves(self):
        return [take for take in (1, 2, 3) if take + sum(self.taken) <= self.sticks]

    def outcome(self):
        return None if sum(self.taken) < self.sticks else (1, -1)


class Talks(Sticks):
    breaks = "prints"

    def moves(self):
        print("your move")
        return super().moves()


class Endless(Sticks):
    breaks = "ends"

    def moves(self):
        return [0]


class Raises(Sticks):
    breaks = "raises"

    @undoable
    def make(self, move):
        self.turn = {9: 1, 8: 0, 7: 0, 6: 0}[self.sticks]
        self.sticks -= move


class Walk(Position):
    """Walk along the numbers to 0, a step or two at a time; two cost 3."""

    breaks = ""
    players = 1
    zero_sum = False
    heuristics = {"near": Heuristic("near", "the number itself")}

    def __init__(self, at=4):
        super().__init__()
        self.at = at

    def moves(self):
        return [0, 1] if self.at > 1 else [0]  # a step, or two

    @undoable
    def make(self, move):
        self.at -= 1 + move

    def outcome(self):
        return None if self.at else (1,)

    def cost(self, move):
        return 1 + 2 * move

    def estimate(self):
        return self.at


class Free(Walk):
    breaks = "cost"

    def cost(self, move):
        return 0 if self.at == 3 else super().cost(move)

    def estimate(self):
        return 0


class TooFar(Walk):
    breaks = "estimate"
    heuristics = {"far": Heuristic("far", "the number squared", consistent=False)}

    def estimate(self):
        return self.at * self.at


class AtTheGoal(Walk):
    breaks = "estimate"
    heuristics = {}

    def estimate(self):
        return 1


class Jumps(Walk):
    breaks = "consistent"

    def estimate(self):
        return self.at if self.at % 2 == 0 else 0


class RaisesAtOnce(Sticks):
    breaks = "raises"

    def __init__(self):
        super().__init__([].pop())


class Leaves(Sticks):
    breaks = "raises"

    @undoable
    def make(self, move):
        raise SystemExit(0)


class NoUnmake(Sticks):
    breaks = "raises"

    def make(self, move):
        self.sticks -= move
        self.turn = 1 - self.turn


class Loops(Sticks):
    breaks = "returns"

    def moves(self):
        while self.sticks == 7:
            pass
        return super().moves()
