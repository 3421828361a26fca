# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A turn of Monopoly: dice, squares, cards, jail, and the moves of a player.  C types: turn.pxd.

`settle` advances after every move to the next decision. Dice and cards are chance moves: each card is drawn
at random, so that the order of a deck is not hidden information.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.monopoly.dealings import MonopolyDealings

if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
else:
    from gameplay.games.monopoly.layout import *
    from gameplay.position import CHANCE


class MonopolyTurn(MonopolyDealings):
    """The legal moves, their effects, and automatic transitions."""

    # -- moves -----------------------------------------------------------------------------

    def gen(self, base):
        phase: cython.int = self.row[PHASE]
        p: cython.int = self.row[TURN]
        i: cython.int
        k: cython.int
        if phase in (ROLLING, ROLL_FOR_UTILITY):
            for i in range(1, 7):
                for k in range(i, 7):
                    base = self.put(base, DICE, 8 * i + k)
        elif phase == DRAWING:
            for i in range(16):
                if (self.row[DECK + self.row[PILE]] >> i) & 1:
                    base = self.put(base, CARD, i)
        elif phase == JAILED:
            if self.row[JAIL_CARD] == p + 1 or self.row[JAIL_CARD + 1] == p + 1:
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
            if row[PHASE] == ROLL_FOR_UTILITY:
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
            row[JAIL_CARD + (0 if row[JAIL_CARD] == p + 1 else 1)] = 0
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

    # -- transitions -----------------------------------------------------------------------

    def settle(self):
        """Advance to the next chance node or decision, or to the end of the game."""
        row: cython.p_int = self.row
        while True:
            p: cython.int = row[MOVER]
            # 1. Debts: debtors pay, raise money, or go bankrupt.
            if row[DEBTS]:
                if self.pay():
                    continue
                row[PHASE], row[TURN] = RAISING, row[DEBT]
                break
            if row[PHASE] == OVER:
                row[TURN] = p
                break
            # 2. Auctions of the bank's new properties.
            if row[SALE]:
                if self.auction():
                    break
                continue
            # 3. The turn continues.
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
                row[TURN] = CHANCE if row[PHASE] <= ROLL_FOR_UTILITY else p
                if row[PHASE] == ANSWERING:
                    row[TURN] = row[OWNER + row[WANTED]] - 1
                break
        self.turn = row[TURN]

    def pass_on(self):
        """Start the next player's turn, or end the game after the last round."""
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

    # -- on the board ----------------------------------------------------------------------

    def apply_roll(self, one, two):
        """Apply a roll of both dice: move, leave jail or go to jail."""
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
        """Move forward, with salary at the start, and land; a station's rent is multiplied by `times`."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        place: cython.int = row[PLACE + p] + steps
        if place >= 40:
            place -= 40
            row[CASH + p] += self.salary
        row[PLACE + p] = place
        self.land(times)

    def land(self, times):
        """Apply the mover's square."""
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
                    row[NEXT] = ROLL_FOR_UTILITY
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
        """Send the mover to jail and end the roll."""
        row: cython.p_int = self.row
        row[PLACE + row[MOVER]] = 10
        row[CELL + row[MOVER]] = 1
        row[DOUBLES] = 0
        row[NEXT] = MANAGING

    def draw_card(self, card):
        """Draw a card and apply it. An empty deck is reshuffled, without a held jail card."""
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
            row[JAIL_CARD + deck] = p + 1
        if not row[DECK + deck]:
            row[DECK + deck] = ALL & ~((1 << self.jail_card[deck]) if row[JAIL_CARD + deck] else 0)
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
