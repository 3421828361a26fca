# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The Monopoly position: its row of integers, the board, and holdings of players.  C types: state.pxd.

`layout.py` draws the row. A move changes it in place; earlier rows are kept for undo.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.monopoly import board
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M32
    from cython.cimports.gameplay.native.hashing import fold
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.libc.stdlib import abort, free, realloc
    from cython.cimports.libc.string import memcpy
else:
    from gameplay.games.monopoly.layout import *
    from gameplay.native.bits import M32
    from gameplay.native.hashing import fold
    from gameplay.position import CHANCE

BYTES = cython.declare(cython.int, 4 * SIZE)  # of a row; a variable: gcc inlines a copy of fixed size, slower
STEPS = (10, 20, 50, 100, 200)  # what a bid may add to the highest
EXTRAS = (25, 50, 100, 150, 200, 300, 400, 500, 700, 1000)  # what may be added to a trade, or asked for


class MonopolyState(Kernel):
    """The row of a position, and derived values: sets, rents, buildings, mortgages and wealth."""

    def __init__(self, players: cython.int, rounds: cython.int, trades: cython.bint):
        Kernel.__init__(self, 160)
        self.players = players
        self.rounds = rounds
        self.trades = trades
        self.room = self.ply = 0
        facts = board.facts()
        if not cython.compiled:
            self.past = []
            self.row = [0] * SIZE
            self.steps, self.extras = [0] * BID_STEPS, [0] * MONEY_STEPS
            self.rents, self.jail_card, self.size = [0] * 240, [0] * 2, [0] * 10
            self.effect, self.amount, self.second = [0] * 32, [0] * 32, [0] * 32
            self.kind, self.group, self.prices, self.house = [0] * 40, [0] * 40, [0] * 40, [0] * 40
            self.deed, self.visits, self.member, self.estate = [0] * 40, [0] * 40, [0] * 40, [0] * 28
        for i, step in enumerate(STEPS):
            self.steps[i] = step
        for i, extra in enumerate(EXTRAS):
            self.extras[i] = extra
        self.salary, self.fine, self.interest = facts.salary, facts.fine, facts.interest
        i: cython.int
        for i in range(40):
            self.kind[i], self.group[i] = facts.kinds[i], facts.groups[i]
            self.prices[i], self.house[i] = facts.prices[i], facts.costs[i]
            self.deed[i], self.visits[i] = facts.deeds[i], facts.visits[i]
            if self.group[i] >= 0:
                self.member[4 * self.group[i] + self.size[self.group[i]]] = i
                self.size[self.group[i]] += 1
                self.estate[self.deed[i]] = i
        for i in range(240):
            self.rents[i] = facts.rents[i]
        for i in range(32):
            self.effect[i], self.amount[i], self.second[i] = facts.cards[i]
            if self.effect[i] == FREE:
                self.jail_card[i >> 4] = i & 15
        for i in range(players):
            self.row[CASH + i] = facts.cash
        self.row[HOUSES], self.row[HOTELS] = facts.houses, facts.hotels
        self.row[DECK] = self.row[DECK + 1] = ALL
        self.row[PHASE] = self.row[NEXT] = ROLLING
        self.turn = self.row[TURN] = CHANCE

    def __dealloc__(self):
        free(self.past)

    # -- the row ---------------------------------------------------------------------------

    def remember(self):
        """Save the row before a move."""
        if cython.compiled:
            if self.ply >= self.room:
                self.room = 2 * self.room + 256
                past: cython.p_int = cython.cast(cython.p_int, realloc(self.past, self.room * BYTES))
                if past == cython.NULL:
                    abort()  # some megabytes, in the middle of a search
                self.past = past
            memcpy(self.past + self.ply * SIZE, self.row, BYTES)
        else:
            self.past.append(self.row[:])
        self.ply += 1

    def pop(self, move):
        self.ply -= 1
        if cython.compiled:
            memcpy(self.row, self.past + self.ply * SIZE, BYTES)
        else:
            self.row = self.past.pop()
        self.turn = self.row[TURN]

    def hash(self):
        key: cython.ulonglong = 0
        i: cython.int
        for i in range(DEBT + 3 * self.row[DEBTS]):
            key = fold(key, self.row[i] & M32)
            key ^= key >> 29
        return key

    # -- property --------------------------------------------------------------------------

    @cython.final
    def held(self, player, group):
        """The number of a group's properties that a player owns."""
        i: cython.int
        count: cython.int = 0
        for i in range(4 * group, 4 * group + self.size[group]):
            count += self.row[OWNER + self.member[i]] == player + 1
        return count

    @cython.final
    def lowest(self, group):
        """The lowest level in a group."""
        i: cython.int
        least: cython.int = 5
        for i in range(4 * group, 4 * group + self.size[group]):
            least = min(least, self.row[LEVEL + self.member[i]])
        return least

    @cython.final
    def highest(self, group):
        """The highest level in a group, above 0 with buildings."""
        i: cython.int
        most: cython.int = -1
        for i in range(4 * group, 4 * group + self.size[group]):
            most = max(most, self.row[LEVEL + self.member[i]])
        return most

    @cython.final
    def rent(self, square, eyes):
        """The rent of a square after a roll of `eyes`."""
        row: cython.p_int = self.row
        owner: cython.int = row[OWNER + square] - 1
        group: cython.int = self.group[square]
        level: cython.int = row[LEVEL + square]
        if self.kind[square] == STREET:
            if level > 0:
                return self.rents[6 * square + level]
            count: cython.int = 2 if self.held(owner, group) == self.size[group] else 1
            return count * self.rents[6 * square]
        count = self.held(owner, group)
        return self.rents[6 * square + count - 1] * (eyes if self.kind[square] == UTILITY else 1)

    @cython.final
    def can_build(self, player, square):
        """True if a player with enough money may build there now."""
        row: cython.p_int = self.row
        group: cython.int = self.group[square]
        level: cython.int = row[LEVEL + square]
        return (
            self.kind[square] == STREET
            and 0 <= level < 5
            and row[CASH + player] >= self.house[square]
            and row[HOTELS if level == 4 else HOUSES] > 0
            and self.lowest(group) == level
            and self.held(player, group) == self.size[group]
        )

    def build(self, square):
        """Build a house, or a hotel in place of four."""
        row: cython.p_int = self.row
        row[CASH + row[OWNER + square] - 1] -= self.house[square]
        row[LEVEL + square] += 1
        if row[LEVEL + square] == 5:
            row[HOTELS] -= 1
            row[HOUSES] += 4
        else:
            row[HOUSES] -= 1

    def sell(self, square):
        """Sell a building for half its cost.

        If the bank has too few houses to replace a hotel, all buildings of its colour are sold at once.
        """
        row: cython.p_int = self.row
        group: cython.int = self.group[square]
        count: cython.int = 1
        i: cython.int
        if row[LEVEL + square] < 5:
            row[HOUSES] += 1
            row[LEVEL + square] -= 1
        elif row[HOUSES] >= 4:
            row[HOTELS] += 1
            row[HOUSES] -= 4
            row[LEVEL + square] -= 1
        else:
            count = 0
            for i in range(4 * group, 4 * group + self.size[group]):
                at: cython.int = self.member[i]
                count += row[LEVEL + at]
                if row[LEVEL + at] == 5:
                    row[HOTELS] += 1
                else:
                    row[HOUSES] += row[LEVEL + at]
                row[LEVEL + at] = 0
        row[CASH + row[OWNER + square] - 1] += count * (self.house[square] // 2)

    @cython.final
    def charge(self, square):
        """The interest on a mortgage: a tenth of its sum, rounded up."""
        return (self.prices[square] // 2 * self.interest + 99) // 100

    @cython.final
    def tradable(self, square):
        """True if the colour of a property has no buildings."""
        return self.kind[square] != STREET or self.highest(self.group[square]) <= 0

    # -- property moves --------------------------------------------------------------------------

    @cython.final
    def put(self, base, what, argument):
        self.stack[base] = what | (argument << 5)
        return base + 1

    @cython.final
    def gen_raise(self, base, player, excluded):
        """Write sales of buildings and mortgages, except of the properties in `excluded`."""
        row: cython.p_int = self.row
        i: cython.int
        for i in range(28):
            at: cython.int = self.estate[i]
            if row[OWNER + at] == player + 1 and row[LEVEL + at] >= 0 and not (excluded >> i) & 1:
                most: cython.int = self.highest(self.group[at])
                if most <= 0:
                    base = self.put(base, MORTGAGE, at)
                elif row[LEVEL + at] == most:
                    base = self.put(base, SELL, at)
        return base

    def gen_manage(self, base):
        """Write the mover's options before the end of the turn: end, build, redeem, trade, sell, mortgage."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        i: cython.int
        base = self.put(base, END, 0)
        for i in range(28):
            at: cython.int = self.estate[i]
            if row[OWNER + at] == p + 1 and not (row[RAISED] >> i) & 1:
                if row[LEVEL + at] < 0:
                    if row[CASH + p] >= self.prices[at] // 2 + self.charge(at):
                        base = self.put(base, REDEEM, at)
                elif self.can_build(p, at):
                    base = self.put(base, BUILD, at)
        if self.asks(p):
            for i in range(28):
                at = self.estate[i]
                if row[OWNER + at] and row[OWNER + at] != p + 1 and self.tradable(at):
                    base = self.put(base, WANT, at)
        return self.gen_raise(base, p, row[SPENT])

    @cython.final
    def asks(self, player):
        """True if the mover may make an offer: none yet this turn, and something to offer."""
        row: cython.p_int = self.row
        i: cython.int
        if not self.trades or row[OFFERED]:
            return False
        if row[CASH + player] >= self.extras[0]:
            return True
        for i in range(28):
            if row[OWNER + self.estate[i]] == player + 1 and self.tradable(self.estate[i]):
                return True
        return False

    # -- players ---------------------------------------------------------------------------

    @cython.final
    def alive(self):
        """The number of players still in the game."""
        i: cython.int
        count: cython.int = 0
        for i in range(self.players):
            count += self.row[OUT + i] == 0
        return count

    def raisable(self, player):
        """The money that a player can raise by sales of buildings and mortgages."""
        row: cython.p_int = self.row
        i: cython.int
        total: cython.int = 0
        for i in range(28):
            at: cython.int = self.estate[i]
            if row[OWNER + at] == player + 1 and row[LEVEL + at] >= 0:
                total += self.prices[at] // 2 + row[LEVEL + at] * (self.house[at] // 2)
        return total

    def wealth(self, player):
        """Cash, property and buildings at cost, mortgaged property at half."""
        row: cython.p_int = self.row
        i: cython.int
        total: cython.int = row[CASH + player]
        for i in range(28):
            at: cython.int = self.estate[i]
            if row[OWNER + at] == player + 1:
                total += self.prices[at] // 2
                if row[LEVEL + at] >= 0:
                    total += self.prices[at] - self.prices[at] // 2 + row[LEVEL + at] * self.house[at]
        return total
