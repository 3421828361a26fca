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
        player: cython.int = self.state[TURN]
        i: cython.int
        second: cython.int
        if phase in (ROLLING, ROLL_FOR_UTILITY):
            for i in range(1, 7):
                for second in range(i, 7):
                    base = self.add_move(base, DICE, 8 * i + second)
        elif phase == DRAWING:
            for i in range(16):
                if (self.state[DECK + self.state[PILE]] >> i) & 1:
                    base = self.add_move(base, CARD, i)
        elif phase == JAILED:
            if self.state[JAIL_CARD] == player + 1 or self.state[JAIL_CARD + 1] == player + 1:
                base = self.add_move(base, USE, 0)
            if self.state[CASH + player] >= self.fine:
                base = self.add_move(base, PAY, 0)
            base = self.add_move(base, ROLL, 0)
        elif phase == BUYING:
            price: cython.int = self.prices[self.state[PLACE + player]]
            if self.state[CASH + player] >= price:
                base = self.add_move(base, BUY, 0)
            elif self.state[CASH + player] + self.max_raisable(player) >= price:
                base = self.gen_raise(base, player, 0)
            base = self.add_move(base, AUCTION, 0)
        elif phase == BIDDING:
            base = self.add_move(base, PASS, 0)
            for i in range(BID_STEPS):
                if self.state[BID] + self.steps[i] <= self.state[CASH + player]:
                    base = self.add_move(base, BIDS, self.state[BID] + self.steps[i])
        elif phase == RAISING:
            base = self.gen_raise(base, player, 0)
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
        kind: cython.int = move & 31
        argument: cython.int = move >> 5
        player: cython.int = state[TURN]
        mover: cython.int = state[MOVER]
        self.save_state()
        if kind == DICE:
            if state[PHASE] == ROLL_FOR_UTILITY:
                state[NEXT] = MANAGING
                self.add_debt(
                    mover, state[OWNER + state[PLACE + mover]] - 1, 10 * ((argument >> 3) + (argument & 7))
                )
            else:
                self.apply_roll(argument >> 3, argument & 7)
        elif kind == CARD:
            self.draw_card(argument)
        elif kind == ROLL:
            state[NEXT] = ROLLING
        elif kind == PAY:
            self.add_debt(player, BANK, self.fine)
            state[CELL + player] = 0
            state[NEXT] = ROLLING
        elif kind == USE:
            state[JAIL_CARD + (0 if state[JAIL_CARD] == player + 1 else 1)] = 0
            state[CELL + player] = 0
            state[NEXT] = ROLLING
        elif kind == BUY:
            state[CASH + player] -= self.prices[state[PLACE + player]]
            state[OWNER + state[PLACE + player]] = player + 1
            state[NEXT] = MANAGING
        elif kind == AUCTION:
            state[NEXT] = MANAGING
            state[SALE] |= 1 << self.deed[state[PLACE + player]]
        elif kind == BIDS:
            state[BID], state[BIDDER] = argument, player + 1
            if self.next_bidder():
                return
        elif kind == PASS:
            state[BIDDERS] &= ~(1 << player)
            if self.next_bidder():
                return
        elif kind == BUILD:
            self.build(argument)
            state[SPENT] |= 1 << self.deed[argument]
        elif kind == SELL:
            state[RAISED] |= 1 << self.deed[argument]
            self.sell(argument)
        elif kind == MORTGAGE:
            state[LEVEL + argument] = -1
            state[CASH + player] += self.prices[argument] // 2
            state[RAISED] |= 1 << self.deed[argument]
        elif kind == REDEEM:
            state[LEVEL + argument] = 0
            state[CASH + player] -= self.prices[argument] // 2 + self.mortgage_interest(argument)
            state[SPENT] |= 1 << self.deed[argument]
        elif kind == WANT:
            state[OFFERED] = 1
            state[WANTED] = argument
            state[NEXT] = TRADING
        elif kind == GIVE:
            state[GIVEN] = 0 if argument == NOTHING else argument + 1
            state[EXTRA] = 0
            state[NEXT] = TRADING
            state[OFFERED] = 2
        elif kind == MONEY:
            state[EXTRA] = argument - EVEN
            state[NEXT] = ANSWERING
        elif kind in (ACCEPT, REFUSE):
            state[NEXT] = MANAGING
            if kind == ACCEPT:
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
            mover: cython.int = state[MOVER]
            # 1. Debts: debtors pay, raise money, or go bankrupt.
            if state[DEBTS]:
                if self.settle_debt():
                    continue
                state[PHASE], state[TURN] = RAISING, state[DEBT]
                break
            if state[PHASE] == OVER:
                state[TURN] = mover
                break
            # 2. Auctions of the bank's new properties.
            if state[SALE]:
                if self.start_auction():
                    break
                continue
            # 3. The turn continues.
            if state[OUT + mover] and state[NEXT] != ENDING:
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
                state[TURN] = CHANCE if state[PHASE] <= ROLL_FOR_UTILITY else mover
                if state[PHASE] == ANSWERING:
                    state[TURN] = state[OWNER + state[WANTED]] - 1
                break
        self.turn = state[TURN]

    def end_turn(self):
        """Start the next player's turn, or end the game after the last round."""
        state: cython.p_int = self.state
        player: cython.int = state[MOVER]
        while True:
            player += 1
            if player == self.players:
                player = 0
                state[ROUND] += 1
            if not state[OUT + player]:
                break
        state[MOVER] = player
        if state[ROUND] >= self.rounds:
            state[PHASE] = OVER

    # -- on the board ----------------------------------------------------------------------

    def apply_roll(self, first, second):
        """Apply a roll of both dice: move, leave jail or go to jail."""
        state: cython.p_int = self.state
        mover: cython.int = state[MOVER]
        state[ROLLED] = 8 * first + second
        state[NEXT] = MOVING
        if state[CELL + mover]:
            if first == second:
                state[CELL + mover] = 0
            elif state[CELL + mover] < 3:
                state[CELL + mover] += 1
                state[NEXT] = MANAGING
            else:
                state[CELL + mover] = 0
                self.add_debt(mover, BANK, self.fine)
            return
        state[DOUBLES] = state[DOUBLES] + 1 if first == second else 0
        if state[DOUBLES] == 3:
            self.send_to_jail()

    def advance(self, steps, times):
        """Move forward, with salary at the start, and land; a station's rent is multiplied by `times`."""
        state: cython.p_int = self.state
        mover: cython.int = state[MOVER]
        square: cython.int = state[PLACE + mover] + steps
        if square >= 40:
            square -= 40
            state[CASH + mover] += self.salary
        state[PLACE + mover] = square
        self.land(times)

    def land(self, times):
        """Apply the mover's square."""
        state: cython.p_int = self.state
        mover: cython.int = state[MOVER]
        square: cython.int = state[PLACE + mover]
        kind: cython.int = self.kind[square]
        owner: cython.int = state[OWNER + square] - 1
        if kind <= UTILITY:
            if owner < 0:
                state[NEXT] = BUYING
            elif owner != mover and state[LEVEL + square] >= 0:
                if kind == UTILITY and times > 1:
                    state[NEXT] = ROLL_FOR_UTILITY
                else:
                    self.add_debt(
                        mover, owner, times * self.rent(square, (state[ROLLED] >> 3) + (state[ROLLED] & 7))
                    )
        elif kind == TAX:
            self.add_debt(mover, BANK, self.prices[square])
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
        mover: cython.int = state[MOVER]
        deck: cython.int = state[PILE]
        index: cython.int = 16 * deck + card
        amount: cython.int = self.amount[index]
        effect: cython.int = self.effect[index]
        square: cython.int = state[PLACE + mover]
        i: cython.int
        state[NEXT] = MANAGING
        state[DECK + deck] &= ~(1 << card)
        if effect == FREE:
            state[JAIL_CARD + deck] = mover + 1
        if not state[DECK + deck]:
            state[DECK + deck] = ALL & ~((1 << self.jail_card[deck]) if state[JAIL_CARD + deck] else 0)
        if effect == GAIN:
            if amount > 0:
                state[CASH + mover] += amount
            else:
                self.add_debt(mover, BANK, -amount)
        elif effect == EACH:
            for i in range(self.players):
                if i != mover and not state[OUT + i]:
                    if amount > 0:
                        self.add_debt(i, mover, amount)
                    else:
                        self.add_debt(mover, i, -amount)
        elif effect == TO:
            self.advance(amount - square if amount > square else amount - square + 40, 1)
        elif effect == NEAREST:
            i = square + 1
            while self.kind[i if i < 40 else i - 40] != amount:
                i += 1
            self.advance(i - square, 2)
        elif effect == BACK:
            state[PLACE + mover] = square - amount
            self.land(1)
        elif effect == GO_TO_JAIL:
            self.send_to_jail()
        elif effect == REPAIRS:
            total: cython.int = 0
            for i in range(28):
                square = self.properties[i]
                if state[OWNER + square] == mover + 1 and state[LEVEL + square] > 0:
                    total += (
                        self.hotel_repairs[index]
                        if state[LEVEL + square] == 5
                        else amount * state[LEVEL + square]
                    )
            self.add_debt(mover, BANK, total)
