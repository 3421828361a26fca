# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Monopoly: the state is a row of integers, saved and changed by each move.  C types: game.pxd.

    row   0 CASH      of each player (6)          104 HOUSES, HOTELS left in the bank
          6 PLACE     their squares, 0 to 39      106 DECK      cards left in each deck, as bits (2)
         12 CELL      0: not in jail; 1 to 3: in  108 PARDON    holder of each deck's jail card, from 1 (2)
                      jail, before that roll     110 MOVER     whose turn it is
         18 OUT       0: plays; 1: bankrupt       111 PHASE     what is asked now, NEXT what follows when
                      first, 2: second, ...                     all is paid, TURN of whom
         24 OWNER     of each square, from 1;     114 DOUBLES   rolled in a row, ROLLED the dice
                      0: unowned (40)             116 ROUND     from 0
         64 LEVEL     -1 mortgaged, 0 bare, 1     117 ...       what has been done since the roll; an
                      to 4 houses, 5 a hotel (40)               auction; an offer; debts to be settled

    move  bits 0 to 4 what it is, the rest which square, how much, which card or dice

Chance rolls the dice and turns over the cards, so that the order of a deck is not hidden information:
each card is drawn at random. `settle` advances after every move to the next decision. The board data of
monopoly.toml, the drawing and the texts are in monopoly.py.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import kernel
from gameplay import value as scale
from gameplay.errors import BadInput
from gameplay.evaluation import Evaluation, listed
from gameplay.games.monopoly import board as monopoly
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.native.hashing import fold
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.libc.stdlib import abort, free, realloc
    from cython.cimports.libc.string import memcpy
else:
    from gameplay.native.hashing import fold
    from gameplay.position import CHANCE

ASKED = cython.declare(cython.int, kernel.ASKED)
MOST = cython.declare(cython.int, 6)  # players
SCORED = cython.declare(cython.int, scale.SCORED)
DRAWN = cython.declare(cython.int, scale.DRAWN)
M32 = cython.declare(cython.ulonglong, 0xFFFFFFFF)
SIZE = cython.declare(cython.int, 180)  # of the row

CASH = cython.declare(cython.int, 0)
PLACE = cython.declare(cython.int, 6)
CELL = cython.declare(cython.int, 12)
OUT = cython.declare(cython.int, 18)
OWNER = cython.declare(cython.int, 24)
LEVEL = cython.declare(cython.int, 64)
HOUSES = cython.declare(cython.int, 104)
HOTELS = cython.declare(cython.int, 105)
DECK = cython.declare(cython.int, 106)
PARDON = cython.declare(cython.int, 108)
MOVER = cython.declare(cython.int, 110)
PHASE = cython.declare(cython.int, 111)
NEXT = cython.declare(cython.int, 112)
TURN = cython.declare(cython.int, 113)
DOUBLES = cython.declare(cython.int, 114)
ROLLED = cython.declare(cython.int, 115)
ROUND = cython.declare(cython.int, 116)
RAISED = cython.declare(cython.int, 117)  # properties sold or mortgaged since the roll, as bits
SPENT = cython.declare(cython.int, 118)  # ... built on or redeemed
OFFERED = cython.declare(cython.int, 119)
LOT = cython.declare(cython.int, 120)  # the square under the hammer
BID = cython.declare(cython.int, 121)
BIDDER = cython.declare(cython.int, 122)  # from 1; 0: no bidder yet
BIDDERS = cython.declare(cython.int, 123)  # the players who have not passed, as bits
SALE = cython.declare(cython.int, 124)  # properties that the bank has yet to auction, as bits
WANTED = cython.declare(cython.int, 125)  # the square asked for
GIVEN = cython.declare(cython.int, 126)  # ... and the one offered for it, from 1; 0: none
EXTRA = cython.declare(cython.int, 127)  # ... and money on top, below 0: asked for
PILE = cython.declare(cython.int, 128)  # the deck to draw from
DEBTS = cython.declare(cython.int, 129)  # how many there are, behind it debtor, creditor and sum of each
DEBT = cython.declare(cython.int, 130)
MOST_DEBTS = cython.declare(cython.int, 16)
BANK = cython.declare(cython.int, -1)

# PHASE and NEXT: 0 to 2 are chance's, to 9 a player's decisions; what follows goes on by itself.
ROLLING = cython.declare(cython.int, 0)
DRAWING = cython.declare(cython.int, 1)
METERING = cython.declare(cython.int, 2)
JAILED = cython.declare(cython.int, 3)
BUYING = cython.declare(cython.int, 4)
BIDDING = cython.declare(cython.int, 5)
RAISING = cython.declare(cython.int, 6)
MANAGING = cython.declare(cython.int, 7)
TRADING = cython.declare(cython.int, 8)
ANSWERING = cython.declare(cython.int, 9)
OVER = cython.declare(cython.int, 10)
WALKING = cython.declare(cython.int, 11)
ENDING = cython.declare(cython.int, 12)

# What a move is.
DICE = cython.declare(cython.int, 0)
CARD = cython.declare(cython.int, 1)
ROLL = cython.declare(cython.int, 2)
PAY = cython.declare(cython.int, 3)
USE = cython.declare(cython.int, 4)
BUY = cython.declare(cython.int, 5)
AUCTION = cython.declare(cython.int, 6)
BIDS = cython.declare(cython.int, 7)
PASS = cython.declare(cython.int, 8)
BUILD = cython.declare(cython.int, 9)
SELL = cython.declare(cython.int, 10)
MORTGAGE = cython.declare(cython.int, 11)
REDEEM = cython.declare(cython.int, 12)
WANT = cython.declare(cython.int, 13)
GIVE = cython.declare(cython.int, 14)
MONEY = cython.declare(cython.int, 15)
ACCEPT = cython.declare(cython.int, 16)
REFUSE = cython.declare(cython.int, 17)
END = cython.declare(cython.int, 18)

# What a square is, and what a card does.
STREET = cython.declare(cython.int, 0)
STATION = cython.declare(cython.int, 1)
UTILITY = cython.declare(cython.int, 2)
START = cython.declare(cython.int, 3)
FORTUNE = cython.declare(cython.int, 4)
FUND = cython.declare(cython.int, 5)
TAX = cython.declare(cython.int, 6)
PRISON = cython.declare(cython.int, 7)
PARK = cython.declare(cython.int, 8)
ARREST = cython.declare(cython.int, 9)

GAIN = cython.declare(cython.int, 0)
EACH = cython.declare(cython.int, 1)
TO = cython.declare(cython.int, 2)
NEAREST = cython.declare(cython.int, 3)
BACK = cython.declare(cython.int, 4)
GO_TO_JAIL = cython.declare(cython.int, 5)
FREE = cython.declare(cython.int, 6)
REPAIRS = cython.declare(cython.int, 7)

STEPS = (10, 20, 50, 100, 200)  # what a bid may add to the highest
EXTRAS = (25, 50, 100, 150, 200, 300, 400, 500, 700, 1000)  # what may be added to a trade, or asked for
BID_STEPS = cython.declare(cython.int, len(STEPS))
MONEY_STEPS = cython.declare(cython.int, len(EXTRAS))
NOTHING = cython.declare(cython.int, 63)  # no property in return
EVEN = cython.declare(cython.int, 1 << 12)  # a trade without money, as the argument of MONEY
ALL = cython.declare(cython.int, 0xFFFF)  # the cards of a deck


class Monopoly(Kernel):
    """Buy streets, build on them and collect rent until all others are bankrupt; for 2 to 6 players.

    The turn: dice, then buy or auction what is reached unowned, then build, redeem, sell and mortgage until
    `end`. A double rolls again, by `roll` in place of `end`; the third in a row leads to jail. Who is in
    jail leaves it by a card, by a fine of 50, or by a double; after the third roll they pay. Houses are
    built evenly on whole sets without mortgages, of 32 houses and 12 hotels. What a player does not buy is
    auctioned, in steps of 10 to 200, to those who have the cash. A mortgage brings half the price and costs
    10% more. Who cannot pay sells and mortgages until they can, or is bankrupt: the creditor has all, or the
    bank auctions it. After `rounds` rounds the richest wins. With `trades=on` a player may ask once a turn
    for one property of another's, and offer one or none, and money. Decks are shuffled anew once all their
    cards are drawn. What was built on or redeemed is not sold or mortgaged before the next roll, nor the
    other way round. Payoffs are by rank: 1 for each player that one leaves behind, -1 for each that one
    does not.

    Moves are `buy`, `auction`, `bid-120`, `pass`, `build-cedar`, `sell-cedar`, `mortgage-cedar`,
    `redeem-cedar`, `want-cedar`, `give-elm`, `add-50`, `ask-50`, `even`, `accept`, `refuse`, `roll`, `pay`,
    `card` and `end`; a space will do for the hyphen. Chance moves are dice, `3-4`, and cards. Squares are
    called by the first word of their name, and their initials stand round the board. A capital on a square
    is who stands there, else a small letter whose it is, with its houses, H for a hotel, m for a mortgage.
    """

    chance = True
    unit = 1000
    unit_names = ("place", "places")
    policies = {"sense": "buy what can be paid for, build on whole sets, keep some money, take fair offers"}
    evaluations = listed(
        "monopoly",
        Evaluation(
            "rents",
            "the share of all wealth: cash, property, and rents that squares bring as often as they are met",
            # In per cent of what they cost or bring: money; buildings; ten rounds of rent; a whole set.
            weights={"cash": 100, "building": 100, "income": 200, "set": 150},
        ),
        Evaluation("wealth", "the share of all wealth: cash, property and buildings at what they cost"),
        Evaluation("none", "0 until the end"),
    )

    def __init__(self, players: cython.int = 2, rounds: cython.int = 60, trades: cython.bint = False):
        if not 2 <= players <= MOST:
            raise BadInput(f"monopoly is for 2 to 6 players, not {players}")
        if not 1 <= rounds <= 10000:
            raise BadInput(f"rounds is 1 to 10000, not {rounds}")
        Kernel.__init__(self, 160)
        self.players = players
        self.rounds = rounds
        self.trades = trades
        self.room = self.ply = 0
        if not cython.compiled:
            self.steps, self.extras = [0] * BID_STEPS, [0] * MONEY_STEPS
        facts = monopoly.facts()
        if not cython.compiled:
            self.past = []
            self.row = [0] * SIZE
            self.rents, self.kept, self.pardon, self.size = [0] * 240, [0] * MOST, [0] * 2, [0] * 10
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
                self.pardon[i >> 4] = i & 15
        self.weigh(self.evaluations["rents"])
        for i in range(players):
            self.row[CASH + i] = facts.cash
        self.row[HOUSES], self.row[HOTELS] = facts.houses, facts.hotels
        self.row[DECK] = self.row[DECK + 1] = ALL
        self.row[PHASE] = self.row[NEXT] = ROLLING
        self.turn = self.row[TURN] = CHANCE

    def __dealloc__(self):
        free(self.past)

    @staticmethod
    def fits(players=2, rounds=60, trades=False):
        """True: the board is always the same."""
        return True

    @property
    def sides(self):
        """What the players are called."""
        return monopoly.SIDES[: self.players]

    @property
    def low(self):
        """The least payoff: last of all."""
        return 1 - self.players

    @property
    def high(self):
        """The greatest payoff: first of all."""
        return self.players - 1

    # -- slots ---------------------------------------------------------------------------------

    def put(self, base, what, argument):
        self.stack[base] = what | (argument << 5)
        return base + 1

    def gen(self, base):
        phase: cython.int = self.row[PHASE]
        p: cython.int = self.row[TURN]
        i: cython.int
        k: cython.int
        if phase in (ROLLING, METERING):
            for i in range(1, 7):
                for k in range(i, 7):
                    base = self.put(base, DICE, 8 * i + k)
        elif phase == DRAWING:
            for i in range(16):
                if (self.row[DECK + self.row[PILE]] >> i) & 1:
                    base = self.put(base, CARD, i)
        elif phase == JAILED:
            if self.row[PARDON] == p + 1 or self.row[PARDON + 1] == p + 1:
                base = self.put(base, USE, 0)
            if self.row[CASH + p] >= self.fine:
                base = self.put(base, PAY, 0)
            base = self.put(base, ROLL, 0)
        elif phase == BUYING:
            i = self.prices[self.row[PLACE + p]]
            if self.row[CASH + p] >= i:
                base = self.put(base, BUY, 0)
            elif self.row[CASH + p] + self.raisable(p) >= i:
                base = self.gen_raise(base, p, 0)
            base = self.put(base, AUCTION, 0)
        elif phase == BIDDING:
            base = self.put(base, PASS, 0)
            for i in range(BID_STEPS):
                if self.row[BID] + self.steps[i] <= self.row[CASH + p]:
                    base = self.put(base, BIDS, self.row[BID] + self.steps[i])
        elif phase == RAISING:
            base = self.gen_raise(base, p, 0)
        elif phase == MANAGING:
            base = self.gen_manage(base)
        elif phase == TRADING:
            base = self.gen_trade(base)
        elif phase == ANSWERING:
            base = self.put(base, ACCEPT, 0)
            base = self.put(base, REFUSE, 0)
        return base

    def gen_chances(self, base):
        end: cython.int = self.gen(base)
        i: cython.int
        for i in range(base, end):
            if self.row[PHASE] == DRAWING:
                self.odds[i] = 1.0 / (end - base)
            else:
                self.odds[i] = (1.0 if (self.stack[i] >> 8) == ((self.stack[i] >> 5) & 7) else 2.0) / 36.0
        return end

    def push(self, move):
        row: cython.p_int = self.row
        what: cython.int = move & 31
        x: cython.int = move >> 5
        p: cython.int = row[TURN]
        mover: cython.int = row[MOVER]
        self.remember()
        if what == DICE:
            if row[PHASE] == METERING:
                row[NEXT] = MANAGING
                self.owe(mover, row[OWNER + row[PLACE + mover]] - 1, 10 * ((x >> 3) + (x & 7)))
            else:
                self.apply_roll(x >> 3, x & 7)
        elif what == CARD:
            self.draw_card(x)
        elif what == ROLL:
            row[NEXT] = ROLLING
        elif what == PAY:
            self.owe(p, BANK, self.fine)
            row[CELL + p] = 0
            row[NEXT] = ROLLING
        elif what == USE:
            row[PARDON + (0 if row[PARDON] == p + 1 else 1)] = 0
            row[CELL + p] = 0
            row[NEXT] = ROLLING
        elif what == BUY:
            row[CASH + p] -= self.prices[row[PLACE + p]]
            row[OWNER + row[PLACE + p]] = p + 1
            row[NEXT] = MANAGING
        elif what == AUCTION:
            row[NEXT] = MANAGING
            row[SALE] |= 1 << self.deed[row[PLACE + p]]
        elif what == BIDS:
            row[BID], row[BIDDER] = x, p + 1
            if self.bid_goes_on():
                return
        elif what == PASS:
            row[BIDDERS] &= ~(1 << p)
            if self.bid_goes_on():
                return
        elif what == BUILD:
            self.build(x)
            row[SPENT] |= 1 << self.deed[x]
        elif what == SELL:
            row[RAISED] |= 1 << self.deed[x]
            self.sell(x)
        elif what == MORTGAGE:
            row[LEVEL + x] = -1
            row[CASH + p] += self.prices[x] // 2
            row[RAISED] |= 1 << self.deed[x]
        elif what == REDEEM:
            row[LEVEL + x] = 0
            row[CASH + p] -= self.prices[x] // 2 + self.charge(x)
            row[SPENT] |= 1 << self.deed[x]
        elif what == WANT:
            row[OFFERED] = 1
            row[WANTED] = x
            row[NEXT] = TRADING
        elif what == GIVE:
            row[GIVEN] = 0 if x == NOTHING else x + 1
            row[EXTRA] = 0
            row[NEXT] = TRADING
            row[OFFERED] = 2
        elif what == MONEY:
            row[EXTRA] = x - EVEN
            row[NEXT] = ANSWERING
        elif what in (ACCEPT, REFUSE):
            row[NEXT] = MANAGING
            if what == ACCEPT:
                self.trade()
            row[WANTED] = row[GIVEN] = row[EXTRA] = 0
            row[OFFERED] = 1
        else:
            row[NEXT] = ENDING
        self.settle()

    def pop(self, move):
        self.ply -= 1
        if cython.compiled:
            memcpy(self.row, self.past + self.ply * SIZE, SIZE * cython.sizeof(cython.int))
        else:
            self.row = self.past.pop()
        self.turn = self.row[TURN]

    def remember(self):
        """Keep the row as it is before a move."""
        if cython.compiled:
            if self.ply >= self.room:
                self.room = 2 * self.room + 256
                past: cython.p_int = cython.cast(
                    cython.p_int, realloc(self.past, self.room * SIZE * cython.sizeof(cython.int))
                )
                if past == cython.NULL:
                    abort()  # some megabytes, in the middle of a search
                self.past = past
            memcpy(self.past + self.ply * SIZE, self.row, SIZE * cython.sizeof(cython.int))
        else:
            self.past.append(self.row[:])
        self.ply += 1

    def result(self):
        if self.row[PHASE] != OVER:
            return 0
        if self.players > 2:
            return SCORED
        return DRAWN + self.beaten(self.turn)

    def payoff(self, player):
        return self.point * self.beaten(player)

    def hash(self):
        key: cython.ulonglong = 0
        i: cython.int
        for i in range(DEBT + 3 * self.row[DEBTS]):
            key = fold(key, self.row[i] & M32)
            key ^= key >> 29
        return key

    # -- the turn ------------------------------------------------------------------------------

    def settle(self):
        """Go on to the next thing that chance or a player decides, or to the end of the game."""
        row: cython.p_int = self.row
        while True:
            p: cython.int = row[MOVER]
            # 1. Debts first: debtors pay if they can, raise the money if they can, else go bankrupt.
            if row[DEBTS]:
                if self.pay():
                    continue
                row[PHASE], row[TURN] = RAISING, row[DEBT]
                break
            if row[PHASE] == OVER:
                row[TURN] = p
                break
            # 2. Then the bank auctions what it has come to have.
            if row[SALE]:
                if self.auction():
                    break
                continue
            # 3. Then the turn goes on.
            if row[OUT + p] and row[NEXT] != ENDING:
                row[DOUBLES], row[NEXT] = 0, ENDING
            elif row[NEXT] == WALKING:
                row[NEXT] = MANAGING
                self.walk((row[ROLLED] >> 3) + (row[ROLLED] & 7), 1)
            elif row[NEXT] == ENDING:
                row[RAISED] = row[SPENT] = row[OFFERED] = 0
                row[NEXT] = ROLLING
                if not row[DOUBLES]:
                    self.pass_on()
                    if row[PHASE] == OVER:
                        continue
                    if row[CELL + row[MOVER]]:
                        row[NEXT] = JAILED
            else:
                row[PHASE] = row[NEXT]
                row[TURN] = CHANCE if row[PHASE] <= METERING else p
                if row[PHASE] == ANSWERING:
                    row[TURN] = row[OWNER + row[WANTED]] - 1
                break
        self.turn = row[TURN]

    def pass_on(self):
        """The next player's turn, or the end after the last round."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        while True:
            p += 1
            if p == self.players:
                p = 0
                row[ROUND] += 1
            if not row[OUT + p]:
                break
        row[MOVER] = p
        if row[ROUND] >= self.rounds:
            row[PHASE] = OVER

    def apply_roll(self, one, two):
        """Both dice: on the way, out of jail or into it."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        row[ROLLED] = 8 * one + two
        row[NEXT] = WALKING
        if row[CELL + p]:
            if one == two:
                row[CELL + p] = 0
            elif row[CELL + p] < 3:
                row[CELL + p] += 1
                row[NEXT] = MANAGING
            else:
                row[CELL + p] = 0
                self.owe(p, BANK, self.fine)
            return
        row[DOUBLES] = row[DOUBLES] + 1 if one == two else 0
        if row[DOUBLES] == 3:
            self.arrest()

    def walk(self, steps, times):
        """Go forward, past the start perhaps, and see what is there; a station's rent counts `times`."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        place: cython.int = row[PLACE + p] + steps
        if place >= 40:
            place -= 40
            row[CASH + p] += self.salary
        row[PLACE + p] = place
        self.land(times)

    def land(self, times):
        """What the mover's square does."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        at: cython.int = row[PLACE + p]
        kind: cython.int = self.kind[at]
        owner: cython.int = row[OWNER + at] - 1
        if kind <= UTILITY:
            if owner < 0:
                row[NEXT] = BUYING
            elif owner != p and row[LEVEL + at] >= 0:
                if kind == UTILITY and times > 1:
                    row[NEXT] = METERING
                else:
                    self.owe(p, owner, times * self.rent(at, (row[ROLLED] >> 3) + (row[ROLLED] & 7)))
        elif kind == TAX:
            self.owe(p, BANK, self.prices[at])
        elif kind in (FORTUNE, FUND):
            row[PILE] = kind - FORTUNE
            row[NEXT] = DRAWING
        elif kind == ARREST:
            self.arrest()

    def arrest(self):
        """The mover goes to jail and does not roll again."""
        row: cython.p_int = self.row
        row[PLACE + row[MOVER]] = 10
        row[CELL + row[MOVER]] = 1
        row[DOUBLES] = 0
        row[NEXT] = MANAGING

    def draw_card(self, card):
        """Turn over a card and do what it says. Of an empty deck all but a pardon in hand are shuffled."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        deck: cython.int = row[PILE]
        n: cython.int = 16 * deck + card
        x: cython.int = self.amount[n]
        effect: cython.int = self.effect[n]
        at: cython.int = row[PLACE + p]
        q: cython.int
        row[NEXT] = MANAGING
        row[DECK + deck] &= ~(1 << card)
        if effect == FREE:
            row[PARDON + deck] = p + 1
        if not row[DECK + deck]:
            row[DECK + deck] = ALL & ~((1 << self.pardon[deck]) if row[PARDON + deck] else 0)
        if effect == GAIN:
            if x > 0:
                row[CASH + p] += x
            else:
                self.owe(p, BANK, -x)
        elif effect == EACH:
            for q in range(self.players):
                if q != p and not row[OUT + q]:
                    if x > 0:
                        self.owe(q, p, x)
                    else:
                        self.owe(p, q, -x)
        elif effect == TO:
            self.walk(x - at if x > at else x - at + 40, 1)
        elif effect == NEAREST:
            q = at + 1
            while self.kind[q if q < 40 else q - 40] != x:
                q += 1
            self.walk(q - at, 2)
        elif effect == BACK:
            row[PLACE + p] = at - x
            self.land(1)
        elif effect == GO_TO_JAIL:
            self.arrest()
        elif effect == REPAIRS:
            total: cython.int = 0
            for q in range(28):
                at = self.estate[q]
                if row[OWNER + at] == p + 1 and row[LEVEL + at] > 0:
                    total += self.second[n] if row[LEVEL + at] == 5 else x * row[LEVEL + at]
            self.owe(p, BANK, total)

    # -- money ---------------------------------------------------------------------------------

    def owe(self, debtor, creditor, amount):
        """Add a debt, to be paid once the debtor's earlier debts are settled."""
        at: cython.int = DEBT + 3 * self.row[DEBTS]
        if amount > 0 and self.row[DEBTS] < MOST_DEBTS:
            self.row[at], self.row[at + 1], self.row[at + 2] = debtor, creditor, amount
            self.row[DEBTS] += 1

    def pay(self):
        """Settle the first debt, by payment or by bankruptcy; false if the debtor has to raise the money."""
        row: cython.p_int = self.row
        debtor: cython.int = row[DEBT]
        creditor: cython.int = row[DEBT + 1]
        amount: cython.int = row[DEBT + 2]
        i: cython.int
        if row[CASH + debtor] < amount:
            if row[CASH + debtor] + self.raisable(debtor) >= amount:
                return False
            self.bankrupt(debtor, creditor)
            return True
        row[CASH + debtor] -= amount
        if creditor != BANK:
            row[CASH + creditor] += amount
        row[DEBTS] -= 1
        for i in range(DEBT, DEBT + 3 * row[DEBTS]):
            row[i] = row[i + 3]
        return True

    def bankrupt(self, debtor, creditor):
        """All that the debtor has goes to the creditor; what the bank gets of it is auctioned.

        Buildings go back to the bank at half of what they cost. The new owner of a mortgaged property pays
        the interest on it.
        """
        row: cython.p_int = self.row
        i: cython.int
        at: cython.int
        last: cython.int = 0
        rank: cython.int = 0
        charge: cython.int = 0
        for i in range(28):
            at = self.estate[i]
            if row[OWNER + at] == debtor + 1:
                while row[LEVEL + at] > 0:
                    self.sell(at)
        for i in range(28):
            at = self.estate[i]
            if row[OWNER + at] == debtor + 1:
                row[OWNER + at] = creditor + 1  # the bank's is 0
                if creditor == BANK:
                    row[LEVEL + at] = 0
                    row[SALE] |= 1 << i
                elif row[LEVEL + at] < 0:
                    charge += self.charge(at)
        if creditor != BANK:
            row[CASH + creditor] += row[CASH + debtor]
        row[CASH + debtor] = 0
        for i in range(2):
            if row[PARDON + i] == debtor + 1:
                row[PARDON + i] = creditor + 1
        for i in range(self.players):
            rank += row[OUT + i] > 0
            last = i if i != debtor and not row[OUT + i] else last
        row[OUT + debtor] = rank + 1
        row[CELL + debtor] = row[PLACE + debtor] = 0
        # What they owed, and what was owed to them, is settled by that.
        rank = 0
        for i in range(row[DEBTS]):
            at = DEBT + 3 * i
            if row[at] != debtor and row[at + 1] != debtor:
                row[DEBT + 3 * rank] = row[at]
                row[DEBT + 3 * rank + 1] = row[at + 1]
                row[DEBT + 3 * rank + 2] = row[at + 2]
                rank += 1
        row[DEBTS] = rank
        if self.alive() == 1:
            row[PHASE] = OVER
            row[MOVER] = last
            row[DEBTS] = row[SALE] = 0
        else:
            self.owe(creditor, BANK, charge)

    def alive(self):
        """How many still play."""
        i: cython.int
        count: cython.int = 0
        for i in range(self.players):
            count += self.row[OUT + i] == 0
        return count

    def raisable(self, player):
        """What a player can raise by selling buildings and mortgaging."""
        row: cython.p_int = self.row
        i: cython.int
        at: cython.int
        total: cython.int = 0
        for i in range(28):
            at = self.estate[i]
            if row[OWNER + at] == player + 1 and row[LEVEL + at] >= 0:
                total += self.prices[at] // 2 + row[LEVEL + at] * (self.house[at] // 2)
        return total

    def charge(self, square):
        """The interest on a mortgage: a tenth of its sum, rounded up."""
        return (self.prices[square] // 2 * self.interest + 99) // 100

    def wealth(self, player):
        """Cash, property and buildings at what they cost, mortgaged property at half."""
        row: cython.p_int = self.row
        i: cython.int
        at: cython.int
        total: cython.int = row[CASH + player]
        for i in range(28):
            at = self.estate[i]
            if row[OWNER + at] == player + 1:
                total += self.prices[at] // 2
                if row[LEVEL + at] >= 0:
                    total += self.prices[at] - self.prices[at] // 2 + row[LEVEL + at] * self.house[at]
        return total

    # -- property ------------------------------------------------------------------------------

    def held(self, player, group):
        """How many of a group a player has."""
        i: cython.int
        count: cython.int = 0
        for i in range(4 * group, 4 * group + self.size[group]):
            count += self.row[OWNER + self.member[i]] == player + 1
        return count

    def lowest(self, group):
        """The lowest level in a group."""
        i: cython.int
        least: cython.int = 5
        for i in range(4 * group, 4 * group + self.size[group]):
            least = min(least, self.row[LEVEL + self.member[i]])
        return least

    def highest(self, group):
        """The highest level in a group: above 0 there are buildings."""
        i: cython.int
        most: cython.int = -1
        for i in range(4 * group, 4 * group + self.size[group]):
            most = max(most, self.row[LEVEL + self.member[i]])
        return most

    def rent(self, square, eyes):
        """The rent of a visit after a roll of so many eyes."""
        row: cython.p_int = self.row
        owner: cython.int = row[OWNER + square] - 1
        group: cython.int = self.group[square]
        level: cython.int = row[LEVEL + square]
        count: cython.int
        if self.kind[square] == STREET:
            if level > 0:
                return self.rents[6 * square + level]
            count = 2 if self.held(owner, group) == self.size[group] else 1
            return count * self.rents[6 * square]
        count = self.held(owner, group)
        return self.rents[6 * square + count - 1] * (eyes if self.kind[square] == UTILITY else 1)

    def can_build(self, player, square):
        """May a player who has the money build there now?"""
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
        """One house more, or a hotel in place of four."""
        row: cython.p_int = self.row
        row[CASH + row[OWNER + square] - 1] -= self.house[square]
        row[LEVEL + square] += 1
        if row[LEVEL + square] == 5:
            row[HOTELS] -= 1
            row[HOUSES] += 4
        else:
            row[HOUSES] -= 1

    def sell(self, square):
        """One building less, for half of what it cost.

        Where the bank has no four houses for a hotel, all buildings of its colour are sold at once.
        """
        row: cython.p_int = self.row
        group: cython.int = self.group[square]
        count: cython.int = 1
        i: cython.int
        at: cython.int
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
                at = self.member[i]
                count += row[LEVEL + at]
                if row[LEVEL + at] == 5:
                    row[HOTELS] += 1
                else:
                    row[HOUSES] += row[LEVEL + at]
                row[LEVEL + at] = 0
        row[CASH + row[OWNER + square] - 1] += count * (self.house[square] // 2)

    def hand_over(self, square, taker):
        """A property changes hands, with its mortgage, on which the taker pays the interest."""
        row: cython.p_int = self.row
        row[OWNER + square] = taker + 1
        if row[LEVEL + square] < 0:
            self.owe(taker, BANK, self.charge(square))

    def tradable(self, square):
        """Properties whose colour has no buildings may change hands."""
        return self.kind[square] != STREET or self.highest(self.group[square]) <= 0

    # -- what a player may do ------------------------------------------------------------------

    def gen_raise(self, base, player, barred):
        """Sales of buildings and mortgages, but for the properties in `barred`."""
        row: cython.p_int = self.row
        i: cython.int
        at: cython.int
        most: cython.int
        for i in range(28):
            at = self.estate[i]
            if row[OWNER + at] == player + 1 and row[LEVEL + at] >= 0 and not (barred >> i) & 1:
                most = self.highest(self.group[at])
                if most <= 0:
                    base = self.put(base, MORTGAGE, at)
                elif row[LEVEL + at] == most:
                    base = self.put(base, SELL, at)
        return base

    def gen_manage(self, base):
        """What the mover may do before the turn ends: end it, build, redeem, trade, sell, mortgage."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        i: cython.int
        at: cython.int
        base = self.put(base, END, 0)
        for i in range(28):
            at = self.estate[i]
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

    def asks(self, player):
        """May the mover make an offer: they have not yet, and they have something to offer?"""
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

    def gen_trade(self, base):
        """What to give for what was asked for, and then how much money on top."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        other: cython.int = row[OWNER + row[WANTED]] - 1
        i: cython.int
        if row[OFFERED] == 1:
            for i in range(28):
                if row[OWNER + self.estate[i]] == p + 1 and self.tradable(self.estate[i]):
                    base = self.put(base, GIVE, self.estate[i])
            if row[CASH + p] >= self.extras[0]:
                base = self.put(base, GIVE, NOTHING)
            return base
        if row[GIVEN]:
            base = self.put(base, MONEY, EVEN)
        for i in range(MONEY_STEPS):
            if row[CASH + p] >= self.extras[i]:
                base = self.put(base, MONEY, EVEN + self.extras[i])
        for i in range(MONEY_STEPS):
            if row[GIVEN] and row[CASH + other] >= self.extras[i]:
                base = self.put(base, MONEY, EVEN - self.extras[i])
        return base

    def trade(self):
        """What was offered is accepted."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        other: cython.int = row[OWNER + row[WANTED]] - 1
        row[CASH + p] -= row[EXTRA]
        row[CASH + other] += row[EXTRA]
        self.hand_over(row[WANTED], p)
        if row[GIVEN]:
            self.hand_over(row[GIVEN] - 1, other)

    def auction(self):
        """Begin to auction the first property on sale; false if no player has the money for a bid."""
        row: cython.p_int = self.row
        i: cython.int = 0
        while not (row[SALE] >> i) & 1:
            i += 1
        row[SALE] &= ~(1 << i)
        row[LOT], row[BID], row[BIDDER], row[BIDDERS] = self.estate[i], 0, 0, 0
        for i in range(self.players):
            if not row[OUT + i]:
                row[BIDDERS] |= 1 << i
        row[TURN] = row[MOVER]
        row[PHASE] = BIDDING
        return self.bid_goes_on()

    def bid_goes_on(self):
        """Ask the next player who can raise the highest bid; false if there is none: then it is sold."""
        row: cython.p_int = self.row
        _: cython.int
        p: cython.int = row[TURN]
        for _ in range(self.players):
            p = p + 1 if p + 1 < self.players else 0
            if (row[BIDDERS] >> p) & 1 and p + 1 != row[BIDDER]:
                if row[CASH + p] >= row[BID] + self.steps[0]:
                    self.turn = row[TURN] = p
                    return True
                row[BIDDERS] &= ~(1 << p)
        if row[BIDDER]:
            row[OWNER + row[LOT]] = row[BIDDER]
            row[CASH + row[BIDDER] - 1] -= row[BID]
        row[LOT] = row[BID] = row[BIDDER] = row[BIDDERS] = 0
        return False

    # -- evaluation ----------------------------------------------------------------------------

    def standing(self, player):
        """The ranking value of a player: wealth if still in the game, else how long they were in it."""
        out: cython.int = self.row[OUT + player]
        return out - MOST if out else self.wealth(player)

    def beaten(self, player):
        """The number of players behind this one, less those ahead."""
        mine: cython.int = self.standing(player)
        i: cython.int
        count: cython.int = 0
        for i in range(self.players):
            count += (mine > self.standing(i)) - (mine < self.standing(i))
        return count

    def weigh(self, evaluation):
        """Take the weights of `rents`."""
        if evaluation.weights:
            self.w_cash, self.w_building = evaluation.weights["cash"], evaluation.weights["building"]
            self.w_income, self.w_set = evaluation.weights["income"], evaluation.weights["set"]

    def worth_of(self, player):
        """What a player has and can expect, in the money of the game."""
        row: cython.p_int = self.row
        i: cython.int
        at: cython.int
        value: cython.int
        group: cython.int
        income: cython.longlong = 0
        if row[OUT + player]:
            return 0
        total: cython.int = row[CASH + player] * self.w_cash // 100
        for i in range(28):
            at = self.estate[i]
            if row[OWNER + at] == player + 1:
                group = self.group[at]
                if row[LEVEL + at] < 0:
                    total += self.prices[at] // 2
                    continue
                value = self.prices[at]
                if self.kind[at] == STREET and self.held(player, group) == self.size[group]:
                    value = value * self.w_set // 100
                total += value + row[LEVEL + at] * self.house[at] * self.w_building // 100
                income += self.visits[at] * self.rent(at, 7)
        return total + cython.cast(cython.int, income * (self.alive() - 1) * self.w_income // 100000)

    def score(self):
        if self.form == ASKED:
            return self.ask()
        return 0 if self.turn == CHANCE else self.share_of(self.turn)

    def guess(self, player):
        if self.form == ASKED:
            return self.ask_for(player)
        if self.players == 2:
            return 0 if self.turn == CHANCE else self.score() * (1 if player == self.turn else -1)
        return self.share_of(player)

    def share_of(self, player):
        """What a player can expect by their share of all wealth: a payoff of that rank, times the unit."""
        i: cython.int
        mine: cython.longlong = 0
        total: cython.longlong = 0
        value: cython.int
        if self.form == 2:
            return 0
        for i in range(self.players):
            value = 0 if self.row[OUT + i] else self.wealth(i) if self.form else self.worth_of(i)
            total += value
            mine = value if i == player else mine
        if total <= 0:
            return 0
        return self.point * self.players * mine // total - self.point

    # -- rollouts ------------------------------------------------------------------------------

    def roll(self, base):
        """A move as a sensible player would make it in a hurry, or what chance does."""
        if self.row[PHASE] == OVER:
            return -1
        if not self.policy:
            return Kernel.roll(self, base)
        lot: cython.ulonglong
        i: cython.int
        k: cython.int
        end: cython.int
        if self.row[PHASE] == ROLLING or self.row[PHASE] == METERING:
            lot = self.draw()
            i = 1 + cython.cast(cython.int, ((lot & M32) * 6) >> 32)
            k = 1 + cython.cast(cython.int, ((lot >> 32) * 6) >> 32)
            i = DICE | (min(i, k) * 8 + max(i, k)) << 5
        else:
            end = self.gen(base)
            k = base
            if end > base + 1:
                k = self.choose(base, end)
            i = self.stack[k]
        self.push(i)
        return i

    def choose(self, base, end):
        """Which of the moves on the stack: buy what can be paid for, build, keep a little."""
        row: cython.p_int = self.row
        phase: cython.int = row[PHASE]
        p: cython.int = row[TURN]
        lot: cython.ulonglong = self.draw()
        some: cython.int = base + cython.cast(cython.int, ((lot >> 32) * (end - base)) >> 32)
        group: cython.int
        reserve: cython.int = 50 + cython.cast(cython.int, lot & 127)
        i: cython.int
        what: cython.int
        at: cython.int
        if phase in (DRAWING, TRADING):
            return some
        if phase == JAILED:
            # Early there is much to buy; late jail is a good place to be.
            for i in range(28):
                if not row[OWNER + self.estate[i]]:
                    return base
            return end - 1
        if phase == BUYING:
            at = row[PLACE + p]
            if self.stack[base] == BUY and (
                row[CASH + p] - self.prices[at] >= reserve or self.held(p, self.group[at])
            ):
                return base
            return end - 1
        if phase == BIDDING:
            return base + self.bid_of(p, lot)
        if phase == RAISING:
            for i in range(base, end):
                group = self.group[self.stack[i] >> 5]
                if self.stack[i] & 31 == MORTGAGE and self.held(p, group) != self.size[group]:
                    return i
            return end - 1
        if phase == ANSWERING:
            value: cython.int = self.worth_of(p)
            self.push(self.stack[base])
            value -= self.worth_of(p)
            self.pop(self.stack[base])
            return base if value < 0 else end - 1
        # The turn's end: build on the dearest set there is money for, then redeem, else go on.
        for i in range(end - 1, base, -1):
            what = self.stack[i] & 31
            at = self.stack[i] >> 5
            if what == BUILD and row[CASH + p] - self.house[at] >= reserve:
                return i
            if what == REDEEM and row[CASH + p] - self.prices[at] // 2 >= 3 * reserve:
                return i
        return base

    def bid_of(self, player, lot):
        """Which of the bids, or 0 to pass: up to about the price, more where a set is at stake."""
        row: cython.p_int = self.row
        at: cython.int = row[LOT]
        group: cython.int = self.group[at]
        limit: cython.int = self.prices[at] * (80 + cython.cast(cython.int, lot & 31)) // 100
        i: cython.int
        step: cython.int = 0
        for i in range(self.players):
            if self.held(i, group) == self.size[group] - 1:
                limit = limit * 3 // 2 if i == player else limit * 5 // 4
        limit = min(limit, row[CASH + player] - 20)
        for i in range(BID_STEPS):
            if row[BID] + self.steps[i] <= (limit if i == 0 else limit // 2):
                step = i + 1
        return step

    # -- for people ----------------------------------------------------------------------------

    def format(self, move):
        """A move as one word: `build-cedar`, `bid-120`, `3-4`."""
        return monopoly.word(move, self.row[PILE], self.row[DOUBLES] > 0)

    def parse(self, text):
        """The move that `text` names; words may be apart, `bid 120`."""
        return Kernel.parse(self, "-".join(text.split()))

    def town(self, row=None):
        """The position, or an earlier one, as the object that draws and describes it."""
        return monopoly.Town(
            self.players, self.rounds, [self.row[i] for i in range(SIZE)] if row is None else row
        )

    def news(self):
        """What the last move brought about."""
        last: cython.int = self.ply - 1
        if last < 0:
            return ()
        if cython.compiled:
            before = [self.past[last * SIZE + i] for i in range(SIZE)]
        else:
            before = self.past[last]
        return monopoly.news(self.town(before), self.made[last], self.town())

    def board(self, viewer=None, last=None):
        """How to draw the ring; the cell of the last move is the mover's."""
        moves = [] if self.turn == CHANCE or self.result() else self.moves()
        return self.town().board(moves, () if last is None else (self.row[PLACE + self.row[MOVER]],))

    def __str__(self):
        return self.town().text()
