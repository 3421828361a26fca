# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Monopoly: results, evaluations, playouts and text.  C types: game.pxd.

The class is built in layers: the position (`state.py`), transactions (`dealings.py`), the turn (`turn.py`),
and the game here.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.errors import check_players, check_range
from gameplay.evaluation import Evaluation, by_name
from gameplay.games.monopoly import drawing, notation
from gameplay.games.monopoly.board import SIDES
from gameplay.games.monopoly.news import news
from gameplay.games.monopoly.turn import MonopolyTurn

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M32
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.value import DRAWN, SCORED, USER_DEFINED
else:
    from gameplay.games.monopoly.layout import *
    from gameplay.native.bits import M32
    from gameplay.position import CHANCE
    from gameplay.value import DRAWN, SCORED, USER_DEFINED


class Monopoly(MonopolyTurn):
    """Buy streets, build on them and collect rent until all others are bankrupt; for 2 to 6 players.

    A turn: roll; buy or auction a property without an owner; then build, redeem, sell and mortgage until
    `end`. After a double `roll` takes the place of `end`; the third double in a row leads to jail. A player
    leaves jail by a card, by a fine of 50, or by a double; after the third roll they must pay.

    Houses are built evenly on complete sets without mortgages, from 32 houses and 12 hotels. A property that
    is not bought is auctioned, in steps of 10 to 200, to players who have the cash. A mortgage pays half the
    price; redeeming costs 10% more. A player who cannot pay sells and mortgages until they can, or is
    bankrupt: the creditor gets everything, or the bank auctions it. What was built or redeemed in a turn is
    not sold or mortgaged before the next roll, and the reverse.

    With `trades=on` a player may ask once a turn for one property of another player, and offer one or none,
    and money. Decks are shuffled again when all their cards are drawn. After `rounds` rounds the richest
    wins. Payoffs are by rank: 1 for each player behind, -1 for each other player.

    Moves are `buy`, `auction`, `bid-120`, `pass`, `build-cedar`, `sell-cedar`, `mortgage-cedar`,
    `redeem-cedar`, `want-cedar`, `give-elm`, `add-50`, `ask-50`, `even`, `accept`, `refuse`, `roll`, `pay`,
    `card` and `end`; a space may take the place of the hyphen. Chance moves are dice, `3-4`, and cards.
    Squares are called by the first word of their name, and their initials stand around the board. A capital
    on a square is a player who stands there, else a small letter its owner, with its houses, H for a hotel,
    m for a mortgage.
    """

    chance = True
    unit = 1000
    unit_names = ("place", "places")
    policies = {"sense": "buy if affordable, build on complete sets, keep some money, accept fair offers"}
    evaluations = by_name(
        "monopoly",
        Evaluation(
            "rents",
            "the share of all wealth: cash, property, and rents by the frequency of visits",
            # In per cent of cost or rent: money; buildings; ten rounds of rent; a whole set.
            weights={"cash": 100, "building": 100, "income": 200, "set": 150},
        ),
        Evaluation("wealth", "the share of all wealth: cash, property and buildings at cost"),
        Evaluation("none", "0 until the end"),
    )
    low = property(lambda self: 1 - self.players)  # the payoff of the last place
    high = property(lambda self: self.players - 1)  # the payoff of the first place

    def __init__(self, players: cython.int = 2, rounds: cython.int = 60, trades: cython.bint = False):
        check_players("monopoly", players, MAX_PLAYERS)
        check_range("rounds", rounds, 1, 10000)
        MonopolyTurn.__init__(self, players, rounds, trades)
        self.load_weights(self.evaluations["rents"])

    @staticmethod
    def fits(players=2, rounds=60, trades=False):
        """True: the board is always the same."""
        return True

    @property
    def sides(self):
        """The names of the players."""
        return SIDES[: self.players]

    # -- results ---------------------------------------------------------------------------

    def result(self):
        if self.state[PHASE] != OVER:
            return 0
        if self.players > 2:
            return SCORED
        return DRAWN + self.rank_balance(self.turn)

    def payoff(self, player):
        return self.c_unit * self.rank_balance(player)

    def ranking_value(self, player):
        """The ranking value of a player: wealth if still in the game, else how long they were in it."""
        out: cython.int = self.state[OUT + player]
        return out - MAX_PLAYERS if out else self.wealth(player)

    def rank_balance(self, player):
        """The number of players behind this one, less those ahead."""
        own: cython.int = self.ranking_value(player)
        i: cython.int
        count: cython.int = 0
        for i in range(self.players):
            count += (own > self.ranking_value(i)) - (own < self.ranking_value(i))
        return count

    # -- evaluation ------------------------------------------------------------------------

    def load_weights(self, evaluation):
        """Set the weights of `rents`."""
        if evaluation.weights:
            self.w_cash, self.w_building = evaluation.weights["cash"], evaluation.weights["building"]
            self.w_income, self.w_set = evaluation.weights["income"], evaluation.weights["set"]

    def score(self):
        if self.evaluation_index == USER_DEFINED:
            return self.user_score()
        return 0 if self.turn == CHANCE else self.wealth_share(self.turn)

    def score_for(self, player):
        if self.evaluation_index == USER_DEFINED:
            return self.user_score_for(player)
        if self.players == 2:
            return 0 if self.turn == CHANCE else self.score() * (1 if player == self.turn else -1)
        return self.wealth_share(player)

    def wealth_share(self, player):
        """A player's expected payoff by their share of all wealth, times the unit."""
        i: cython.int
        own: cython.longlong = 0
        total: cython.longlong = 0
        if self.evaluation_index == 2:
            return 0
        for i in range(self.players):
            value: cython.int = (
                0
                if self.state[OUT + i]
                else self.wealth(i)
                if self.evaluation_index
                else self.player_value(i)
            )
            total += value
            own = value if i == player else own
        if total <= 0:
            return 0
        return self.c_unit * self.players * own // total - self.c_unit

    def player_value(self, player):
        """The assets and expected income of a player, in the money of the game."""
        state: cython.p_int = self.state
        i: cython.int
        income: cython.longlong = 0
        if state[OUT + player]:
            return 0
        total: cython.int = state[CASH + player] * self.w_cash // 100
        for i in range(28):
            at: cython.int = self.properties[i]
            if state[OWNER + at] == player + 1:
                group: cython.int = self.group[at]
                if state[LEVEL + at] < 0:
                    total += self.prices[at] // 2
                    continue
                value: cython.int = self.prices[at]
                if self.kind[at] == STREET and self.count_owned(player, group) == self.group_sizes[group]:
                    value = value * self.w_set // 100
                total += value + state[LEVEL + at] * self.building_costs[at] * self.w_building // 100
                income += self.visits[at] * self.rent(at, 7)
        return total + cython.cast(cython.int, income * (self.players_left() - 1) * self.w_income // 100000)

    # -- playouts --------------------------------------------------------------------------

    def push_random(self, base):
        """Make a move of the playout policy, or a random chance move."""
        if self.state[PHASE] == OVER:
            return -1
        if not self.policy:
            return MonopolyTurn.push_random(self, base)
        if self.state[PHASE] == ROLLING or self.state[PHASE] == ROLL_FOR_UTILITY:
            bits: cython.ulonglong = self.random_bits()
            i: cython.int = 1 + cython.cast(cython.int, ((bits & M32) * 6) >> 32)
            k: cython.int = 1 + cython.cast(cython.int, ((bits >> 32) * 6) >> 32)
            i = DICE | (min(i, k) * 8 + max(i, k)) << 5
        else:
            end: cython.int = self.gen(base)
            k = base
            if end > base + 1:
                k = self.choose(base, end)
            i = self.stack[k]
        self.push(i)
        return i

    def choose(self, base, end):
        """The index on the stack of the policy's move: buy if affordable, build, keep a reserve."""
        state: cython.p_int = self.state
        phase: cython.int = state[PHASE]
        p: cython.int = state[TURN]
        bits: cython.ulonglong = self.random_bits()
        some: cython.int = base + cython.cast(cython.int, ((bits >> 32) * (end - base)) >> 32)
        reserve: cython.int = 50 + cython.cast(cython.int, bits & 127)
        i: cython.int
        if phase in (DRAWING, TRADING):
            return some
        if phase == JAILED:
            # Leave jail while there is property to buy, later stay.
            for i in range(28):
                if not state[OWNER + self.properties[i]]:
                    return base
            return end - 1
        if phase == BUYING:
            at: cython.int = state[PLACE + p]
            if self.stack[base] == BUY and (
                state[CASH + p] - self.prices[at] >= reserve or self.count_owned(p, self.group[at])
            ):
                return base
            return end - 1
        if phase == BIDDING:
            return base + self.bid_of(p, bits)
        if phase == RAISING:
            for i in range(base, end):
                group: cython.int = self.group[self.stack[i] >> 5]
                if self.stack[i] & 31 == MORTGAGE and self.count_owned(p, group) != self.group_sizes[group]:
                    return i
            return end - 1
        if phase == ANSWERING:
            value: cython.int = self.player_value(p)
            self.push(self.stack[base])
            value -= self.player_value(p)
            self.pop(self.stack[base])
            return base if value < 0 else end - 1
        # End of turn: build on the most expensive affordable set, then redeem, else end.
        for i in range(end - 1, base, -1):
            what: cython.int = self.stack[i] & 31
            at = self.stack[i] >> 5
            if what == BUILD and state[CASH + p] - self.building_costs[at] >= reserve:
                return i
            if what == REDEEM and state[CASH + p] - self.prices[at] // 2 >= 3 * reserve:
                return i
        return base

    def bid_of(self, player, bits):
        """The index of a bid, or 0 to pass: up to about the price, more for a complete set."""
        state: cython.p_int = self.state
        at: cython.int = state[LOT]
        group: cython.int = self.group[at]
        limit: cython.int = self.prices[at] * (80 + cython.cast(cython.int, bits & 31)) // 100
        i: cython.int
        step: cython.int = 0
        for i in range(self.players):
            if self.count_owned(i, group) == self.group_sizes[group] - 1:
                limit = limit * 3 // 2 if i == player else limit * 5 // 4
        limit = min(limit, state[CASH + player] - 20)
        for i in range(BID_STEPS):
            if state[BID] + self.steps[i] <= (limit if i == 0 else limit // 2):
                step = i + 1
        return step

    # -- for people ------------------------------------------------------------------------

    def format(self, move):
        """A move as one word: `build-cedar`, `bid-120`, `3-4`."""
        return notation.word(move, self.state[PILE], self.state[DOUBLES] > 0)

    def parse(self, text):
        """The move that `text` names; the words may be separate, `bid 120`."""
        return MonopolyTurn.parse(self, "-".join(text.split()))

    def town(self, state=None):
        """The position, or an earlier one, as an object for drawing and text."""
        return drawing.Town(
            self.players, self.rounds, [self.state[i] for i in range(SIZE)] if state is None else state
        )

    def news(self):
        """The effects of the last move, in sentences."""
        last: cython.int = self.ply - 1
        if last < 0:
            return ()
        if cython.compiled:
            before = [self.saved_states[last * SIZE + i] for i in range(SIZE)]
        else:
            before = self.saved_states[last]
        return news(self.town(before), self.made[last], self.town())

    def board(self, viewer=None, last=None):
        """The drawing of the ring; the cell of the last move is the mover's."""
        moves = [] if self.turn == CHANCE or self.result() else self.moves()
        return self.town().board(moves, () if last is None else (self.state[PLACE + self.state[MOVER]],))

    def __str__(self):
        return self.town().text()
