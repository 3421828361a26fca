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
        phase: cython.int = self.state[PHASE]
        p: cython.int = self.state[TURN]
        i: cython.int
        k: cython.int
        if phase in (ROLLING, ROLL_FOR_UTILITY):
            for i in range(1, 7):
                for k in range(i, 7):
                    base = self.add_move(base, DICE, 8 * i + k)
        elif phase == DRAWING:
            for i in range(16):
                if (self.state[DECK + self.state[PILE]] >> i) & 1:
                    base = self.add_move(base, CARD, i)
        elif phase == JAILED:
            if self.state[JAIL_CARD] == p + 1 or self.state[JAIL_CARD + 1] == p + 1:
                base = self.add_move(base, USE, 0)
            if self.state[CASH + p] >= self.fine:
                base = self.add_move(base, PAY, 0)
            base = self.add_move(base, ROLL, 0)
        elif phase == BUYING:
            i = self.prices[self.state[PLACE + p]]
            if self.state[CASH + p] >= i:
                base = self.add_move(base, BUY, 0)
            elif self.state[CASH + p] + self.max_raisable(p) >= i:
                base = self.gen_raise(base, p, 0)
            base = self.add_move(base, AUCTION, 0)
        elif phase == BIDDING:
            base = self.add_move(base, PASS, 0)
            for i in range(BID_STEPS):
                if self.state[BID] + self.steps[i] <= self.state[CASH + p]:
                    base = self.add_move(base, BIDS, self.state[BID] + self.steps[i])
        elif phase == RAISING:
            base = self.gen_raise(base, p, 0)
        elif phase == MANAGING:
            base = self.gen_manage(base)
        elif phase == TRADING:
            base = self.gen_trade(base)
        elif phase == ANSWERING:
            base = self.add_move(base, ACCEPT, 0)
            base = self.add_move(base, REFUSE, 0)
        return base

    def gen_chances(self, base):
        end: cython.int = self.gen(base)
        i: cython.int
        for i in range(base, end):
            if self.state[PHASE] == DRAWING:
                self.odds[i] = 1.0 / (end - base)
            else:
                self.odds[i] = (1.0 if (self.stack[i] >> 8) == ((self.stack[i] >> 5) & 7) else 2.0) / 36.0
        return end

    def push(self, move):
        state: cython.p_int = self.state
        what: cython.int = move & 31
        x: cython.int = move >> 5
        p: cython.int = state[TURN]
        mover: cython.int = state[MOVER]
        self.save_state()
        if what == DICE:
            if state[PHASE] == ROLL_FOR_UTILITY:
                state[NEXT] = MANAGING
                self.add_debt(mover, state[OWNER + state[PLACE + mover]] - 1, 10 * ((x >> 3) + (x & 7)))
            else:
                self.apply_roll(x >> 3, x & 7)
        elif what == CARD:
            self.draw_card(x)
        elif what == ROLL:
            state[NEXT] = ROLLING
        elif what == PAY:
            self.add_debt(p, BANK, self.fine)
            state[CELL + p] = 0
            state[NEXT] = ROLLING
        elif what == USE:
            state[JAIL_CARD + (0 if state[JAIL_CARD] == p + 1 else 1)] = 0
            state[CELL + p] = 0
            state[NEXT] = ROLLING
        elif what == BUY:
            state[CASH + p] -= self.prices[state[PLACE + p]]
            state[OWNER + state[PLACE + p]] = p + 1
            state[NEXT] = MANAGING
        elif what == AUCTION:
            state[NEXT] = MANAGING
            state[SALE] |= 1 << self.deed[state[PLACE + p]]
        elif what == BIDS:
            state[BID], state[BIDDER] = x, p + 1
            if self.next_bidder():
                return
        elif what == PASS:
            state[BIDDERS] &= ~(1 << p)
            if self.next_bidder():
                return
        elif what == BUILD:
            self.build(x)
            state[SPENT] |= 1 << self.deed[x]
        elif what == SELL:
            state[RAISED] |= 1 << self.deed[x]
            self.sell(x)
        elif what == MORTGAGE:
            state[LEVEL + x] = -1
            state[CASH + p] += self.prices[x] // 2
            state[RAISED] |= 1 << self.deed[x]
        elif what == REDEEM:
            state[LEVEL + x] = 0
            state[CASH + p] -= self.prices[x] // 2 + self.mortgage_interest(x)
            state[SPENT] |= 1 << self.deed[x]
        elif what == WANT:
            state[OFFERED] = 1
            state[WANTED] = x
            state[NEXT] = TRADING
        elif what == GIVE:
            state[GIVEN] = 0 if x == NOTHING else x + 1
            state[EXTRA] = 0
            state[NEXT] = TRADING
            state[OFFERED] = 2
        elif what == MONEY:
            state[EXTRA] = x - EVEN
            state[NEXT] = ANSWERING
        elif what in (ACCEPT, REFUSE):
            state[NEXT] = MANAGING
            if what == ACCEPT:
                self.trade()
            state[WANTED] = state[GIVEN] = state[EXTRA] = 0
            state[OFFERED] = 1
        else:
            state[NEXT] = ENDING
        self.settle()

    # -- transitions -----------------------------------------------------------------------

    def settle(self):
        """Advance to the next chance node or decision, or to the end of the game."""
        state: cython.p_int = self.state
        while True:
            p: cython.int = state[MOVER]
            # 1. Debts: debtors pay, raise money, or go bankrupt.
            if state[DEBTS]:
                if self.settle_debt():
                    continue
                state[PHASE], state[TURN] = RAISING, state[DEBT]
                break
            if state[PHASE] == OVER:
                state[TURN] = p
                break
            # 2. Auctions of the bank's new properties.
            if state[SALE]:
                if self.start_auction():
                    break
                continue
            # 3. The turn continues.
            if state[OUT + p] and state[NEXT] != ENDING:
                state[DOUBLES], state[NEXT] = 0, ENDING
            elif state[NEXT] == MOVING:
                state[NEXT] = MANAGING
                self.advance((state[ROLLED] >> 3) + (state[ROLLED] & 7), 1)
            elif state[NEXT] == ENDING:
                state[RAISED] = state[SPENT] = state[OFFERED] = 0
                state[NEXT] = ROLLING
                if not state[DOUBLES]:
                    self.end_turn()
                    if state[PHASE] == OVER:
                        continue
                    if state[CELL + state[MOVER]]:
                        state[NEXT] = JAILED
            else:
                state[PHASE] = state[NEXT]
                state[TURN] = CHANCE if state[PHASE] <= ROLL_FOR_UTILITY else p
                if state[PHASE] == ANSWERING:
                    state[TURN] = state[OWNER + state[WANTED]] - 1
                break
        self.turn = state[TURN]

    def end_turn(self):
        """Start the next player's turn, or end the game after the last round."""
        state: cython.p_int = self.state
        p: cython.int = state[MOVER]
        while True:
            p += 1
            if p == self.players:
                p = 0
                state[ROUND] += 1
            if not state[OUT + p]:
                break
        state[MOVER] = p
        if state[ROUND] >= self.rounds:
            state[PHASE] = OVER

    # -- on the board ----------------------------------------------------------------------

    def apply_roll(self, one, two):
        """Apply a roll of both dice: move, leave jail or go to jail."""
        state: cython.p_int = self.state
        p: cython.int = state[MOVER]
        state[ROLLED] = 8 * one + two
        state[NEXT] = MOVING
        if state[CELL + p]:
            if one == two:
                state[CELL + p] = 0
            elif state[CELL + p] < 3:
                state[CELL + p] += 1
                state[NEXT] = MANAGING
            else:
                state[CELL + p] = 0
                self.add_debt(p, BANK, self.fine)
            return
        state[DOUBLES] = state[DOUBLES] + 1 if one == two else 0
        if state[DOUBLES] == 3:
            self.send_to_jail()

    def advance(self, steps, times):
        """Move forward, with salary at the start, and land; a station's rent is multiplied by `times`."""
        state: cython.p_int = self.state
        p: cython.int = state[MOVER]
        place: cython.int = state[PLACE + p] + steps
        if place >= 40:
            place -= 40
            state[CASH + p] += self.salary
        state[PLACE + p] = place
        self.land(times)

    def land(self, times):
        """Apply the mover's square."""
        state: cython.p_int = self.state
        p: cython.int = state[MOVER]
        at: cython.int = state[PLACE + p]
        kind: cython.int = self.kind[at]
        owner: cython.int = state[OWNER + at] - 1
        if kind <= UTILITY:
            if owner < 0:
                state[NEXT] = BUYING
            elif owner != p and state[LEVEL + at] >= 0:
                if kind == UTILITY and times > 1:
                    state[NEXT] = ROLL_FOR_UTILITY
                else:
                    self.add_debt(p, owner, times * self.rent(at, (state[ROLLED] >> 3) + (state[ROLLED] & 7)))
        elif kind == TAX:
            self.add_debt(p, BANK, self.prices[at])
        elif kind in (FORTUNE, FUND):
            state[PILE] = kind - FORTUNE
            state[NEXT] = DRAWING
        elif kind == ARREST:
            self.send_to_jail()

    def send_to_jail(self):
        """Send the mover to jail and end the roll."""
        state: cython.p_int = self.state
        state[PLACE + state[MOVER]] = 10
        state[CELL + state[MOVER]] = 1
        state[DOUBLES] = 0
        state[NEXT] = MANAGING

    def draw_card(self, card):
        """Draw a card and apply it. An empty deck is reshuffled, without a held jail card."""
        state: cython.p_int = self.state
        p: cython.int = state[MOVER]
        deck: cython.int = state[PILE]
        n: cython.int = 16 * deck + card
        x: cython.int = self.amount[n]
        effect: cython.int = self.effect[n]
        at: cython.int = state[PLACE + p]
        q: cython.int
        state[NEXT] = MANAGING
        state[DECK + deck] &= ~(1 << card)
        if effect == FREE:
            state[JAIL_CARD + deck] = p + 1
        if not state[DECK + deck]:
            state[DECK + deck] = ALL & ~((1 << self.jail_card[deck]) if state[JAIL_CARD + deck] else 0)
        if effect == GAIN:
            if x > 0:
                state[CASH + p] += x
            else:
                self.add_debt(p, BANK, -x)
        elif effect == EACH:
            for q in range(self.players):
                if q != p and not state[OUT + q]:
                    if x > 0:
                        self.add_debt(q, p, x)
                    else:
                        self.add_debt(p, q, -x)
        elif effect == TO:
            self.advance(x - at if x > at else x - at + 40, 1)
        elif effect == NEAREST:
            q = at + 1
            while self.kind[q if q < 40 else q - 40] != x:
                q += 1
            self.advance(q - at, 2)
        elif effect == BACK:
            state[PLACE + p] = at - x
            self.land(1)
        elif effect == GO_TO_JAIL:
            self.send_to_jail()
        elif effect == REPAIRS:
            total: cython.int = 0
            for q in range(28):
                at = self.properties[q]
                if state[OWNER + at] == p + 1 and state[LEVEL + at] > 0:
                    total += self.hotel_repairs[n] if state[LEVEL + at] == 5 else x * state[LEVEL + at]
            self.add_debt(p, BANK, total)
