# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Values of moves in open hearts deals by playouts with a rule-based player.

The value of a move is the mean of `ROLLS` playouts after it, with the same random numbers for all moves. The
players of a playout use their own hand and the cards played; one card in `CARELESS` is random.

    lead      of the lowest cards of the suits the one least likely to take points
    follow    the highest card that does not take the trick; else the lowest, or last the highest
    discard   the queen of spades, then higher spades while she is out, then the card likeliest to take points
    pass      high spades without low ones, then high cards of short suits

A player who must take a trick without points, or plays last to it, plays a high card. No player tries to
shoot the moon; if one does, the points are counted by the rules.

Sets of cards are bits by card number, see `pack`: a suit is every fourth bit, higher cards are higher bits.
Types: playouts.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64, ONE, highest, lowest, popcount
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize
else:
    from copy import deepcopy as copied

    from gameplay.native.bits import M64, ONE, highest, lowest, popcount
    from gameplay.native.hashing import GOLDEN, finalize

ROLLS = cython.declare(cython.int, 2)  # playouts of a move in a deal
CARELESS = cython.declare(cython.uint, 12)

SUIT = cython.declare(cython.ulonglong, 0x1111111111111)  # clubs; shifted by one the diamonds, and so on
HEARTS = cython.declare(cython.ulonglong, 0x4444444444444)
SPADES = cython.declare(cython.ulonglong, 0x8888888888888)
QUEEN = cython.declare(cython.int, 43)  # of spades
QUEEN_BIT = cython.declare(cython.ulonglong, 1 << 43)
COSTLY = cython.declare(cython.ulonglong, 0x4444444444444 | 1 << 43)
ABOVE = cython.declare(cython.ulonglong, 1 << 47 | 1 << 51)  # king and ace of spades
JACK = cython.declare(cython.ulonglong, 1 << 37)  # of diamonds
ALL = cython.declare(cython.int, 26)
BONUS = cython.declare(cython.int, 10)
PASSES = 3


class _Table:
    """The struct of the header, uncompiled."""

    def __init__(self):
        self.hands, self.points = [0] * 5, [0] * 5
        self.gone = self.trick = 0
        self.turn = self.placed = self.led = self.best = self.taker = 0
        self.tricks = self.left = self.broken = self.takers = 0


class HeartsPlayouts:
    """Values the moves of deals, see `capabilities.DealSolver`. `nodes`: cards played in playouts so far."""

    def __init__(self, position):
        self.nodes = self.last = self.rng_state = 0
        self.players = position.players
        self.jack, self.own_moon = position.jack, position.moon == "own"
        self.lowest_club = ONE << cython.cast(cython.ulonglong, position.lowest)
        self.step = position.step
        self.seen = None
        if not cython.compiled:
            self.root = _Table()

    # -- rules -----------------------------------------------------------------------------------

    def draw(self, below):
        """A random number from 0 up to, not including, `below`: SplitMix64."""
        self.rng_state = (self.rng_state + GOLDEN) & M64
        return cython.cast(cython.uint, ((finalize(self.rng_state) >> 32) * below) >> 32)

    def legal(self):
        """The cards that the player on turn may play."""
        hand: cython.ulonglong = self.now.hands[self.now.turn]
        some: cython.ulonglong
        if not self.now.placed:
            if not self.now.tricks:
                return self.lowest_club
            some = hand if self.now.broken else hand & ~HEARTS
            return some if some else hand
        some = hand & (SUIT << self.now.led)
        if some:
            return some
        if not self.now.tricks and hand & ~COSTLY:
            return hand & ~COSTLY
        return hand

    def play(self, card):
        """Play a card; the winner of a complete trick gets its points and leads."""
        bit: cython.ulonglong = ONE << card
        player: cython.int = self.now.turn
        self.now.hands[player] &= ~bit
        self.now.gone |= bit
        self.now.trick |= bit
        self.now.left -= 1
        self.nodes += 1
        if bit & COSTLY:
            self.now.broken = True
        if not self.now.placed:
            self.now.led = card & 3
        if not self.now.placed or (card & 3 == self.now.led and card > self.now.best):
            self.now.best = card
            self.now.taker = player
        self.now.placed += 1
        if self.now.placed < self.players:
            self.now.turn = player + 1 if player + 1 < self.players else 0
            return
        taker: cython.int = self.now.taker
        if self.now.trick & COSTLY:
            self.now.takers |= 1 << taker
            self.now.points[taker] += popcount(self.now.trick & HEARTS)
            if self.now.trick & QUEEN_BIT:
                self.now.points[taker] += 13
        if self.jack and self.now.trick & JACK:
            self.now.points[taker] -= BONUS
        self.now.turn = taker
        self.now.trick = 0
        self.now.placed = 0
        self.now.tricks += 1

    def finish(self, player):
        """Play to the end or to the limit; return a player's points in the deal."""
        while self.now.left and (not self.last or self.nodes < self.last):
            self.play(self.choose())
        points: cython.int = self.now.points[player]
        if popcount(cython.cast(cython.ulonglong, self.now.takers)) == 1:
            shooter: cython.bint = self.now.takers >> player & 1
            if self.own_moon:
                return points - 2 * ALL if shooter else points
            return points - ALL if shooter else points + ALL
        return points

    def start(self):
        """Start the play: the holder of the lowest club leads."""
        player: cython.int
        for player in range(self.players):
            if self.now.hands[player] & self.lowest_club:
                self.now.turn = player

    # -- the rule-based player ---------------------------------------------------------------------

    def choose(self):
        """The card that the player on turn plays."""
        cards: cython.ulonglong = self.legal()
        if cards & (cards - 1) == 0:
            return lowest(cards)
        if self.draw(CARELESS) == 0:
            number: cython.uint = self.draw(popcount(cards))
            while number:
                cards &= cards - 1
                number -= 1
            return lowest(cards)
        return self.by_rule(cards)

    def by_rule(self, cards):
        """The choice of the rules above from these cards."""
        if not self.now.placed:
            return self.lead(cards)
        if cards & (SUIT << self.now.led):
            return self.follow(cards)
        return self.discard(cards)

    def lead(self, cards):
        """The card that is least likely to take points: of each suit the lowest."""
        hand: cython.ulonglong = self.now.hands[self.now.turn]
        chosen: cython.int = -1
        least: cython.int = 0
        suit: cython.int
        for suit in range(4):
            held: cython.ulonglong = cards & (SUIT << suit)
            if not held:
                continue
            card: cython.int = lowest(held)
            others: cython.ulonglong = SUIT << suit & ~self.now.gone & ~hand
            lower: cython.int = popcount(others & ((ONE << card) - 1))
            count: cython.int = popcount(others)
            # The probability to take the trick, with its cost, in hundredths.
            risk: cython.int = 100 * lower // count if count else 200
            if count < self.players and lower:
                risk += 40  # others discard on it
            if suit == 2:
                risk += risk // 2 + 5
            elif suit == 3:
                if hand & QUEEN_BIT:
                    risk += 60
                elif not self.now.gone & QUEEN_BIT:
                    if card > QUEEN:
                        risk += 200
                    else:
                        risk -= 40  # it may draw the queen
            risk = 16 * risk + (card >> 2)
            if chosen < 0 or risk < least:
                least = risk
                chosen = card
        return chosen

    def follow(self, cards):
        """Stay below the winning card if possible; the last player takes a trick without points high."""
        last: cython.bint = self.now.placed + 1 == self.players
        below: cython.ulonglong = cards & ((ONE << self.now.best) - 1)
        spare: cython.ulonglong = cards & ~QUEEN_BIT
        if not self.now.tricks:
            return highest(spare)
        if below & QUEEN_BIT:
            return QUEEN
        if last and not self.now.trick & COSTLY:
            return highest(spare) if spare else QUEEN
        if below:
            return highest(below)
        if not spare:
            return QUEEN
        if last:
            return highest(spare)
        return lowest(spare)

    def discard(self, cards):
        """The card most likely to take points later."""
        if cards & QUEEN_BIT:
            return QUEEN
        if cards & ABOVE and not self.now.gone & QUEEN_BIT:
            return highest(cards & ABOVE)
        hand: cython.ulonglong = self.now.hands[self.now.turn]
        chosen: cython.int = -1
        most: cython.int = 0
        suit: cython.int
        for suit in range(4):
            held: cython.ulonglong = cards & (SUIT << suit)
            if not held:
                continue
            card: cython.int = highest(held)
            others: cython.ulonglong = SUIT << suit & ~self.now.gone & ~hand
            lower: cython.int = popcount(others & ((ONE << card) - 1))
            count: cython.int = popcount(others)
            # Low cards of the same suit make it safe.
            risk: cython.int = 10 * lower - 6 * popcount(held) + (card >> 2) if count else 0
            if suit == 2:
                risk += 30
            if chosen < 0 or risk > most:
                most = risk
                chosen = card
        return chosen

    def to_pass(self, hand):
        """The card that a player passes first."""
        spades: cython.int = popcount(hand & SPADES)
        low: cython.int = popcount(hand & SPADES & (QUEEN_BIT - 1))
        chosen: cython.int = -1
        most: cython.int = 0
        suit: cython.int
        if low < 4:
            if hand & QUEEN_BIT and spades:
                return QUEEN
            if hand & ABOVE:
                return highest(hand & ABOVE)
        for suit in range(4):
            held: cython.ulonglong = hand & (SUIT << suit)
            if not held:
                continue
            card: cython.int = highest(held)
            risk: cython.int = 4 * (card >> 2) - 5 * popcount(held)
            if suit == 2:
                risk += 12
            elif suit == 3:
                risk -= 60
            if chosen < 0 or risk > most:
                most = risk
                chosen = card
        return chosen

    # -- from Python -------------------------------------------------------------------------------

    def card(self, position):
        """The card that the player on turn passes or plays by rule, without random cards."""
        self.load(position)
        self.now = self.root
        if not position.state.leads:
            return self.to_pass(self.now.hands[self.now.turn])
        return self.by_rule(self.legal())

    def load(self, position):
        """Copy a position in the play."""
        state = position.state
        player: cython.int
        self.root.left = 0
        for player in range(self.players):
            self.root.hands[player] = bits(state.hands[player])
            self.root.left += len(state.hands[player])
        self.root.turn = position.turn
        if self.seen is state.played and state.leads:
            return  # the same play, of another deal
        self.seen = state.played
        self.root.gone = bits(state.played)
        self.root.tricks = len(state.played) // self.players
        self.root.broken = state.broken
        self.root.takers = 0
        self.root.trick = 0
        self.root.placed = 0
        for player in range(self.players):
            self.root.points[player] = state.points[player]
        for number in range(self.root.tricks):
            cards = state.played[number * self.players : (number + 1) * self.players]
            if bits(cards) & COSTLY:
                # The taker leads the next trick.
                self.root.takers |= 1 << cython.cast(cython.int, state.leads[number + 1])
        leader: cython.int = state.leads[self.root.tricks] if state.leads else 0
        for number, card in enumerate(state.played[self.root.tricks * self.players :]):
            player = (leader + number) % self.players
            if number == 0:
                self.root.led = card & 3
            if number == 0 or (card & 3 == self.root.led and card > self.root.best):
                self.root.best = card
                self.root.taker = player
            self.root.trick |= ONE << cython.cast(cython.ulonglong, card)
            self.root.placed += 1

    def values(self, position, most: cython.longlong):
        """The mover's mean payoff after each move, points; None if that takes over `most` cards (0: any)."""
        self.last = self.nodes + most if most else 0
        player: cython.int = position.turn
        before = position.state.before[player]
        rng_state: cython.ulonglong = self.rng_state
        passing = not position.state.leads
        self.load(position)
        payoffs = {}
        for move in position.moves():
            paid: cython.longlong = 0
            self.rng_state = rng_state
            for _ in range(ROLLS):
                self.now = self.root if cython.compiled else copied(self.root)
                if passing:
                    self.pass_on(position.state, player, move)
                else:
                    self.play(move)
                paid += self.finish(player)
                if self.now.left:
                    return None
            payoffs[move] = -before - paid / cython.cast(cython.double, ROLLS)
        return payoffs

    def pass_on(self, state, player, move):
        """The mover passes `move` and the rest by rule, the others by rule; then the play starts."""
        one: cython.int
        k: cython.int
        given = []
        for one in range(self.players):
            laid: cython.ulonglong = 0
            hand: cython.ulonglong = self.now.hands[one]
            if one == player:
                laid = bits(state.passed[one]) | ONE << cython.cast(cython.ulonglong, move)
                hand &= ~laid
            else:
                hand |= bits(state.passed[one])
            while popcount(laid) < 3:
                k = self.to_pass(hand)
                laid |= ONE << k
                hand &= ~(ONE << k)
            self.now.hands[one] = hand
            given.append(laid)
        for one in range(self.players):
            self.now.hands[(one + self.step + self.players) % self.players] |= given[one]
        self.now.left = 0
        for one in range(self.players):
            self.now.left += popcount(self.now.hands[one])
        self.now.gone = 0
        self.now.tricks = 0
        self.now.placed = 0
        self.now.trick = 0
        self.start()

    def facts(self):
        """Nothing more."""
        return ""

    def words(self, move):
        """Nothing more."""
        return ""


def bits(cards):
    """The bit set of cards."""
    mask: cython.ulonglong = 0
    for card in cards:
        mask |= ONE << cython.cast(cython.ulonglong, card)
    return mask
