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

    def add_debt(self, debtor, creditor, amount):
        """Add a debt, to be paid once the debtor's earlier debts are settled."""
        slot: cython.int = DEBT + 3 * self.state[DEBTS]
        if amount > 0 and self.state[DEBTS] < MAX_DEBTS:
            self.state[slot], self.state[slot + 1], self.state[slot + 2] = debtor, creditor, amount
            self.state[DEBTS] += 1

    def settle_debt(self):
        """Settle the first debt, by payment or bankruptcy; false if the debtor must raise money."""
        state: cython.p_int = self.state
        debtor: cython.int = state[DEBT]
        creditor: cython.int = state[DEBT + 1]
        amount: cython.int = state[DEBT + 2]
        i: cython.int
        if state[CASH + debtor] < amount:
            if state[CASH + debtor] + self.max_raisable(debtor) >= amount:
                return False
            self.bankrupt(debtor, creditor)
            return True
        state[CASH + debtor] -= amount
        if creditor != BANK:
            state[CASH + creditor] += amount
        state[DEBTS] -= 1
        for i in range(DEBT, DEBT + 3 * state[DEBTS]):
            state[i] = state[i + 3]
        return True

    def bankrupt(self, debtor, creditor):
        """Transfer all assets of the debtor to the creditor; what goes to the bank is auctioned.

        Buildings are sold to the bank at half price. The new owner of a mortgaged property pays
        the interest on it.
        """
        state: cython.p_int = self.state
        i: cython.int
        survivor: cython.int = 0
        rank: cython.int = 0
        interest: cython.int = 0
        for i in range(28):
            at: cython.int = self.properties[i]
            if state[OWNER + at] == debtor + 1:
                while state[LEVEL + at] > 0:
                    self.sell(at)
        for i in range(28):
            at = self.properties[i]
            if state[OWNER + at] == debtor + 1:
                state[OWNER + at] = creditor + 1  # the bank's is 0
                if creditor == BANK:
                    state[LEVEL + at] = 0
                    state[SALE] |= 1 << i
                elif state[LEVEL + at] < 0:
                    interest += self.mortgage_interest(at)
        if creditor != BANK:
            state[CASH + creditor] += state[CASH + debtor]
        state[CASH + debtor] = 0
        for i in range(2):
            if state[JAIL_CARD + i] == debtor + 1:
                state[JAIL_CARD + i] = creditor + 1
        for i in range(self.players):
            rank += state[OUT + i] > 0
            survivor = i if i != debtor and not state[OUT + i] else survivor
        state[OUT + debtor] = rank + 1
        state[CELL + debtor] = state[PLACE + debtor] = 0
        # This settles all their debts and claims.
        rank = 0
        for i in range(state[DEBTS]):
            at = DEBT + 3 * i
            if state[at] != debtor and state[at + 1] != debtor:
                state[DEBT + 3 * rank] = state[at]
                state[DEBT + 3 * rank + 1] = state[at + 1]
                state[DEBT + 3 * rank + 2] = state[at + 2]
                rank += 1
        state[DEBTS] = rank
        if self.players_left() == 1:
            state[PHASE] = OVER
            state[MOVER] = survivor
            state[DEBTS] = state[SALE] = 0
        else:
            self.add_debt(creditor, BANK, interest)

    # -- auctions --------------------------------------------------------------------------

    def start_auction(self):
        """Start the auction of the first property on sale; false if no player can afford a bid."""
        state: cython.p_int = self.state
        i: cython.int = 0
        while not (state[SALE] >> i) & 1:
            i += 1
        state[SALE] &= ~(1 << i)
        state[LOT], state[BID], state[BIDDER], state[BIDDERS] = self.properties[i], 0, 0, 0
        for i in range(self.players):
            if not state[OUT + i]:
                state[BIDDERS] |= 1 << i
        state[TURN] = state[MOVER]
        state[PHASE] = BIDDING
        return self.next_bidder()

    def next_bidder(self):
        """Pass the turn to the next player who can raise the bid; false if the property is sold."""
        state: cython.p_int = self.state
        _: cython.int
        player: cython.int = state[TURN]
        for _ in range(self.players):
            player = player + 1 if player + 1 < self.players else 0
            if (state[BIDDERS] >> player) & 1 and player + 1 != state[BIDDER]:
                if state[CASH + player] >= state[BID] + self.steps[0]:
                    self.turn = state[TURN] = player
                    return True
                state[BIDDERS] &= ~(1 << player)
        if state[BIDDER]:
            state[OWNER + state[LOT]] = state[BIDDER]
            state[CASH + state[BIDDER] - 1] -= state[BID]
        state[LOT] = state[BID] = state[BIDDER] = state[BIDDERS] = 0
        return False

    # -- trades ----------------------------------------------------------------------------

    def gen_trade(self, base):
        """Write the properties to offer for the one asked for, then the amounts of money."""
        state: cython.p_int = self.state
        mover: cython.int = state[MOVER]
        owner: cython.int = state[OWNER + state[WANTED]] - 1
        i: cython.int
        if state[OFFERED] == 1:
            for i in range(28):
                if state[OWNER + self.properties[i]] == mover + 1 and self.is_tradable(self.properties[i]):
                    base = self.add_move(base, GIVE, self.properties[i])
            if state[CASH + mover] >= self.extras[0]:
                base = self.add_move(base, GIVE, NOTHING)
            return base
        if state[GIVEN]:
            base = self.add_move(base, MONEY, EVEN)
        for i in range(MONEY_STEPS):
            if state[CASH + mover] >= self.extras[i]:
                base = self.add_move(base, MONEY, EVEN + self.extras[i])
        for i in range(MONEY_STEPS):
            if state[GIVEN] and state[CASH + owner] >= self.extras[i]:
                base = self.add_move(base, MONEY, EVEN - self.extras[i])
        return base

    def trade(self):
        """Carry out the accepted trade."""
        state: cython.p_int = self.state
        mover: cython.int = state[MOVER]
        owner: cython.int = state[OWNER + state[WANTED]] - 1
        state[CASH + mover] -= state[EXTRA]
        state[CASH + owner] += state[EXTRA]
        self.transfer_property(state[WANTED], mover)
        if state[GIVEN]:
            self.transfer_property(state[GIVEN] - 1, owner)

    def transfer_property(self, square, new_owner):
        """Transfer a property with its mortgage, on which the new owner pays the interest."""
        state: cython.p_int = self.state
        state[OWNER + square] = new_owner + 1
        if state[LEVEL + square] < 0:
            self.add_debt(new_owner, BANK, self.mortgage_interest(square))
