# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The Monopoly position: its state of integers, the board, and holdings of players.  C types: state.pxd.

`layout.py` draws the state. A move changes it in place; earlier states are saved for undo.
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

# Size of a state. A variable, since gcc inlines copies of fixed size, which are slower.
BYTES = cython.declare(cython.int, 4 * SIZE)
STEPS = (10, 20, 50, 100, 200)  # possible raises of the highest bid
EXTRAS = (25, 50, 100, 150, 200, 300, 400, 500, 700, 1000)  # possible amounts of money in a trade


class MonopolyState(Kernel):
    """The state of a position, and derived values: sets, rents, buildings, mortgages and wealth."""

    def __init__(self, players: cython.int, rounds: cython.int, trades: cython.bint):
        Kernel.__init__(self, 160)
        self.players = players
        self.rounds = rounds
        self.trades = trades
        self.capacity = self.ply = 0
        facts = board.facts()
        if not cython.compiled:
            self.saved_states = []
            self.state = [0] * SIZE
            self.steps, self.extras = [0] * BID_STEPS, [0] * MONEY_STEPS
            self.rents, self.jail_card, self.group_sizes = [0] * 240, [0] * 2, [0] * 10
            self.effect, self.amount, self.hotel_repairs = [0] * 32, [0] * 32, [0] * 32
            self.kind, self.group, self.prices, self.building_costs = [0] * 40, [0] * 40, [0] * 40, [0] * 40
            self.deed, self.visits, self.group_squares, self.properties = (
                [0] * 40,
                [0] * 40,
                [0] * 40,
                [0] * 28,
            )
        for i, step in enumerate(STEPS):
            self.steps[i] = step
        for i, extra in enumerate(EXTRAS):
            self.extras[i] = extra
        self.salary, self.fine, self.interest = facts.salary, facts.fine, facts.interest
        i: cython.int
        for i in range(40):
            self.kind[i], self.group[i] = facts.kinds[i], facts.groups[i]
            self.prices[i], self.building_costs[i] = facts.prices[i], facts.costs[i]
            self.deed[i], self.visits[i] = facts.deeds[i], facts.visits[i]
            if self.group[i] >= 0:
                self.group_squares[4 * self.group[i] + self.group_sizes[self.group[i]]] = i
                self.group_sizes[self.group[i]] += 1
                self.properties[self.deed[i]] = i
        for i in range(240):
            self.rents[i] = facts.rents[i]
        for i in range(32):
            self.effect[i], self.amount[i], self.hotel_repairs[i] = facts.cards[i]
            if self.effect[i] == FREE:
                self.jail_card[i >> 4] = i & 15
        for i in range(players):
            self.state[CASH + i] = facts.cash
        self.state[HOUSES], self.state[HOTELS] = facts.houses, facts.hotels
        self.state[DECK] = self.state[DECK + 1] = ALL
        self.state[PHASE] = self.state[NEXT] = ROLLING
        self.turn = self.state[TURN] = CHANCE

    def __dealloc__(self):
        free(self.saved_states)

    # -- the state ---------------------------------------------------------------------------

    def save_state(self):
        """Save the state before a move."""
        if cython.compiled:
            if self.ply >= self.capacity:
                self.capacity = 2 * self.capacity + 256
                past: cython.p_int = cython.cast(
                    cython.p_int, realloc(self.saved_states, self.capacity * BYTES)
                )
                if past == cython.NULL:
                    abort()  # out of memory within a search
                self.saved_states = past
            memcpy(self.saved_states + self.ply * SIZE, self.state, BYTES)
        else:
            self.saved_states.append(self.state[:])
        self.ply += 1

    def pop(self, move):
        self.ply -= 1
        if cython.compiled:
            memcpy(self.state, self.saved_states + self.ply * SIZE, BYTES)
        else:
            self.state = self.saved_states.pop()
        self.turn = self.state[TURN]

    def hash(self):
        key: cython.ulonglong = 0
        i: cython.int
        for i in range(DEBT + 3 * self.state[DEBTS]):
            key = fold(key, self.state[i] & M32)
            key ^= key >> 29
        return key

    # -- property --------------------------------------------------------------------------

    @cython.final
    def count_owned(self, player, group):
        """The number of a group's properties that a player owns."""
        i: cython.int
        count: cython.int = 0
        for i in range(4 * group, 4 * group + self.group_sizes[group]):
            count += self.state[OWNER + self.group_squares[i]] == player + 1
        return count

    @cython.final
    def lowest_level(self, group):
        """The lowest level in a group."""
        i: cython.int
        lowest: cython.int = 5
        for i in range(4 * group, 4 * group + self.group_sizes[group]):
            lowest = min(lowest, self.state[LEVEL + self.group_squares[i]])
        return lowest

    @cython.final
    def highest_level(self, group):
        """The highest level in a group, above 0 with buildings."""
        i: cython.int
        highest: cython.int = -1
        for i in range(4 * group, 4 * group + self.group_sizes[group]):
            highest = max(highest, self.state[LEVEL + self.group_squares[i]])
        return highest

    @cython.final
    def rent(self, square, dice_total):
        """The rent of a square after a roll of `dice_total`."""
        state: cython.p_int = self.state
        owner: cython.int = state[OWNER + square] - 1
        group: cython.int = self.group[square]
        level: cython.int = state[LEVEL + square]
        if self.kind[square] == STREET:
            if level > 0:
                return self.rents[6 * square + level]
            count: cython.int = 2 if self.count_owned(owner, group) == self.group_sizes[group] else 1
            return count * self.rents[6 * square]
        count = self.count_owned(owner, group)
        return self.rents[6 * square + count - 1] * (dice_total if self.kind[square] == UTILITY else 1)

    @cython.final
    def can_build(self, player, square):
        """True if a player with enough money may build there now."""
        state: cython.p_int = self.state
        group: cython.int = self.group[square]
        level: cython.int = state[LEVEL + square]
        return (
            self.kind[square] == STREET
            and 0 <= level < 5
            and state[CASH + player] >= self.building_costs[square]
            and state[HOTELS if level == 4 else HOUSES] > 0
            and self.lowest_level(group) == level
            and self.count_owned(player, group) == self.group_sizes[group]
        )

    def build(self, square):
        """Build a house, or a hotel in place of four."""
        state: cython.p_int = self.state
        state[CASH + state[OWNER + square] - 1] -= self.building_costs[square]
        state[LEVEL + square] += 1
        if state[LEVEL + square] == 5:
            state[HOTELS] -= 1
            state[HOUSES] += 4
        else:
            state[HOUSES] -= 1

    def sell(self, square):
        """Sell a building for half its cost.

        If the bank has too few houses to replace a hotel, all buildings of its colour are sold at once.
        """
        state: cython.p_int = self.state
        group: cython.int = self.group[square]
        count: cython.int = 1
        i: cython.int
        if state[LEVEL + square] < 5:
            state[HOUSES] += 1
            state[LEVEL + square] -= 1
        elif state[HOUSES] >= 4:
            state[HOTELS] += 1
            state[HOUSES] -= 4
            state[LEVEL + square] -= 1
        else:
            count = 0
            for i in range(4 * group, 4 * group + self.group_sizes[group]):
                group_square: cython.int = self.group_squares[i]
                count += state[LEVEL + group_square]
                if state[LEVEL + group_square] == 5:
                    state[HOTELS] += 1
                else:
                    state[HOUSES] += state[LEVEL + group_square]
                state[LEVEL + group_square] = 0
        state[CASH + state[OWNER + square] - 1] += count * (self.building_costs[square] // 2)

    @cython.final
    def mortgage_interest(self, square):
        """The interest on a mortgage: a tenth of its sum, rounded up."""
        return (self.prices[square] // 2 * self.interest + 99) // 100

    @cython.final
    def is_tradable(self, square):
        """True if the colour of a property has no buildings."""
        return self.kind[square] != STREET or self.highest_level(self.group[square]) <= 0

    # -- property moves --------------------------------------------------------------------------

    @cython.final
    def add_move(self, base, kind, argument):
        self.stack[base] = kind | (argument << 5)
        return base + 1

    @cython.final
    def gen_raise(self, base, player, excluded):
        """Write sales of buildings and mortgages, except of the properties in `excluded`."""
        state: cython.p_int = self.state
        i: cython.int
        for i in range(28):
            square: cython.int = self.properties[i]
            if state[OWNER + square] == player + 1 and state[LEVEL + square] >= 0 and not (excluded >> i) & 1:
                highest: cython.int = self.highest_level(self.group[square])
                if highest <= 0:
                    base = self.add_move(base, MORTGAGE, square)
                elif state[LEVEL + square] == highest:
                    base = self.add_move(base, SELL, square)
        return base

    def gen_manage(self, base):
        """Write the mover's options before the end of the turn: end, build, redeem, trade, sell, mortgage."""
        state: cython.p_int = self.state
        mover: cython.int = state[MOVER]
        i: cython.int
        base = self.add_move(base, END, 0)
        for i in range(28):
            square: cython.int = self.properties[i]
            if state[OWNER + square] == mover + 1 and not (state[RAISED] >> i) & 1:
                if state[LEVEL + square] < 0:
                    if state[CASH + mover] >= self.prices[square] // 2 + self.mortgage_interest(square):
                        base = self.add_move(base, REDEEM, square)
                elif self.can_build(mover, square):
                    base = self.add_move(base, BUILD, square)
        if self.can_offer(mover):
            for i in range(28):
                square = self.properties[i]
                if state[OWNER + square] and state[OWNER + square] != mover + 1 and self.is_tradable(square):
                    base = self.add_move(base, WANT, square)
        return self.gen_raise(base, mover, state[SPENT])

    @cython.final
    def can_offer(self, player):
        """True if the mover may make an offer: none yet this turn, and something to offer."""
        state: cython.p_int = self.state
        i: cython.int
        if not self.trades or state[OFFERED]:
            return False
        if state[CASH + player] >= self.extras[0]:
            return True
        for i in range(28):
            if state[OWNER + self.properties[i]] == player + 1 and self.is_tradable(self.properties[i]):
                return True
        return False

    # -- players ---------------------------------------------------------------------------

    @cython.final
    def players_left(self):
        """The number of players still in the game."""
        i: cython.int
        count: cython.int = 0
        for i in range(self.players):
            count += self.state[OUT + i] == 0
        return count

    def max_raisable(self, player):
        """The money that a player can raise by sales of buildings and mortgages."""
        state: cython.p_int = self.state
        i: cython.int
        total: cython.int = 0
        for i in range(28):
            square: cython.int = self.properties[i]
            if state[OWNER + square] == player + 1 and state[LEVEL + square] >= 0:
                total += self.prices[square] // 2 + state[LEVEL + square] * (self.building_costs[square] // 2)
        return total

    def wealth(self, player):
        """Cash, property and buildings at cost, mortgaged property at half."""
        state: cython.p_int = self.state
        i: cython.int
        total: cython.int = state[CASH + player]
        for i in range(28):
            square: cython.int = self.properties[i]
            if state[OWNER + square] == player + 1:
                total += self.prices[square] // 2
                if state[LEVEL + square] >= 0:
                    total += (
                        self.prices[square]
                        - self.prices[square] // 2
                        + state[LEVEL + square] * self.building_costs[square]
                    )
        return total
