# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Monopoly transactions: debts, bankruptcy, auctions, and trades.  C types: dealings.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.monopoly.state import MonopolyState

if not cython.compiled:
    from gameplay.games.monopoly.layout import *


class MonopolyDealings(MonopolyState):
    """Transfers of cash and property between players and the bank."""

    # -- debts -----------------------------------------------------------------------------

    def owe(self, debtor, creditor, amount):
        """Add a debt, to be paid once the debtor's earlier debts are settled."""
        at: cython.int = DEBT + 3 * self.row[DEBTS]
        if amount > 0 and self.row[DEBTS] < MOST_DEBTS:
            self.row[at], self.row[at + 1], self.row[at + 2] = debtor, creditor, amount
            self.row[DEBTS] += 1

    def pay(self):
        """Settle the first debt, by payment or bankruptcy; false if the debtor must raise money."""
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
        """Transfer all assets of the debtor to the creditor; what goes to the bank is auctioned.

        Buildings are sold to the bank at half price. The new owner of a mortgaged property pays
        the interest on it.
        """
        row: cython.p_int = self.row
        i: cython.int
        last: cython.int = 0
        rank: cython.int = 0
        charge: cython.int = 0
        for i in range(28):
            at: cython.int = self.estate[i]
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
            if row[JAIL_CARD + i] == debtor + 1:
                row[JAIL_CARD + i] = creditor + 1
        for i in range(self.players):
            rank += row[OUT + i] > 0
            last = i if i != debtor and not row[OUT + i] else last
        row[OUT + debtor] = rank + 1
        row[CELL + debtor] = row[PLACE + debtor] = 0
        # This settles all their debts and claims.
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

    # -- auctions --------------------------------------------------------------------------

    def auction(self):
        """Start the auction of the first property on sale; false if no player can afford a bid."""
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
        """Pass the turn to the next player who can raise the bid; false if the property is sold."""
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

    # -- trades ----------------------------------------------------------------------------

    def gen_trade(self, base):
        """Write the properties to offer for the one asked for, then the amounts of money."""
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
        """Carry out the accepted trade."""
        row: cython.p_int = self.row
        p: cython.int = row[MOVER]
        other: cython.int = row[OWNER + row[WANTED]] - 1
        row[CASH + p] -= row[EXTRA]
        row[CASH + other] += row[EXTRA]
        self.hand_over(row[WANTED], p)
        if row[GIVEN]:
            self.hand_over(row[GIVEN] - 1, other)

    def hand_over(self, square, taker):
        """Transfer a property with its mortgage, on which the taker pays the interest."""
        row: cython.p_int = self.row
        row[OWNER + square] = taker + 1
        if row[LEVEL + square] < 0:
            self.owe(taker, BANK, self.charge(square))
