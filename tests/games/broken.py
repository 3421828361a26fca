"""Games that break one law each: `breaks` says which. All but the one mistake is `Sticks`."""

import random

from gameplay import CHANCE, Board, Position, undoable


class Sticks(Position):
    """Take one, two or three sticks; whoever takes the last one loses."""

    breaks = ""

    def __init__(self, sticks=9):
        super().__init__()
        self.sticks = sticks

    def moves(self):
        return [take for take in (1, 2, 3) if take <= self.sticks]

    @undoable
    def make(self, move):
        self.sticks -= move
        self.turn = 1 - self.turn

    def outcome(self):
        if self.sticks:
            return None
        return (1, -1) if self.turn == 0 else (-1, 1)


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


class Blind(Sticks):
    breaks = "infoset"
    hidden = True

    def infoset(self, player):
        return player


class Swaps(Sticks):
    breaks = "determinize"
    hidden = True

    def infoset(self, player):
        return (self.sticks, self.turn)

    def determinize(self, player, rng):
        return Swaps(self.sticks + 1)


class SameAgain(Swaps):
    def determinize(self, player, rng):
        return self


class Noisy(Sticks):
    breaks = "noisy"

    def noisy(self):
        return [3]


class Fractional(Sticks):
    breaks = "evaluate"

    def evaluate(self):
        return self.sticks / 2


class Certain(Sticks):
    breaks = "evaluate"

    def evaluate(self):
        return 1_000_000


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

    def __init__(self):
        super().__init__()
        self.asked = 0

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
        return Board(cells=(("|",) * self.sticks,), columns=("1", "2"), rows=("",), owners={})


class Outside(Sticks):
    breaks = "board"

    def board(self, viewer=None, last=None):
        return Board(cells=(("|",),), columns=("1",), rows=("",), owners={}, line=((0, 1),))


class Misleading(Sticks):
    breaks = "board"

    def board(self, viewer=None, last=None):
        return Board(cells=(("|",),), columns=("1",), rows=("",), owners={}, moves={(0, 0): (4,)})


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
