# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Values of moves in open hearts deals by playouts with a rule-based player.

The value of a move is the mean of `PLAYOUTS` playouts after it, with common random numbers for all moves. The
players of a playout use their own hand and the cards played; one card in `RANDOM_ONE_IN` is random.

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

PLAYOUTS = cython.declare(cython.int, 2)  # playouts of a move in a deal
RANDOM_ONE_IN = cython.declare(cython.uint, 12)

SUIT = cython.declare(cython.ulonglong, 0x1111111111111)  # clubs; shifted by one the diamonds, and so on
HEARTS = cython.declare(cython.ulonglong, 0x4444444444444)
SPADES = cython.declare(cython.ulonglong, 0x8888888888888)
QUEEN = cython.declare(cython.int, 43)  # of spades
QUEEN_BIT = cython.declare(cython.ulonglong, 1 << 43)
POINT_CARDS = cython.declare(cython.ulonglong, 0x4444444444444 | 1 << 43)
HIGH_SPADES = cython.declare(cython.ulonglong, 1 << 47 | 1 << 51)  # king and ace of spades
JACK = cython.declare(cython.ulonglong, 1 << 37)  # of diamonds
ALL_POINTS = cython.declare(cython.int, 26)
JACK_BONUS = cython.declare(cython.int, 10)


class PlainPlayState:
    """The struct of the header, uncompiled."""

    def __init__(self):
        self.hands, self.points = [0] * 5, [0] * 5
        self.played = self.trick = 0
        self.turn = self.trick_size = self.led = self.best = self.taker = 0
        self.tricks = self.cards_left = self.broken = self.point_takers = 0


class HeartsPlayouts:
    """Values the moves of deals, see `capabilities.DealSolver`. `nodes`: cards played in playouts so far."""

    def __init__(self, position):
        self.nodes = self.node_limit = self.rng_state = 0
        self.players = position.players
        self.jack, self.own_moon = position.jack, position.moon == "own"
        self.lowest_club = ONE << cython.cast(cython.ulonglong, position.lowest)
        self.step = position.step
        self.loaded_play = None
        if not cython.compiled:
            self.root = PlainPlayState()

    # -- rules -----------------------------------------------------------------------------------

    def random_below(self, below):
        """A random number from 0 up to, not including, `below`: SplitMix64."""
        self.rng_state = (self.rng_state + GOLDEN) & M64
        return cython.cast(cython.uint, ((finalize(self.rng_state) >> 32) * below) >> 32)

    def legal_cards(self):
        """The cards that the player on turn may play."""
        hand: cython.ulonglong = self.state.hands[self.state.turn]
        candidates: cython.ulonglong
        if not self.state.trick_size:
            if not self.state.tricks:
                return self.lowest_club
            candidates = hand if self.state.broken else hand & ~HEARTS
            return candidates if candidates else hand
        candidates = hand & (SUIT << self.state.led)
        if candidates:
            return candidates
        if not self.state.tricks and hand & ~POINT_CARDS:
            return hand & ~POINT_CARDS
        return hand

    def play(self, card):
        """Play a card; the winner of a complete trick gets its points and leads."""
        bit: cython.ulonglong = ONE << card
        player: cython.int = self.state.turn
        self.state.hands[player] &= ~bit
        self.state.played |= bit
        self.state.trick |= bit
        self.state.cards_left -= 1
        self.nodes += 1
        if bit & POINT_CARDS:
            self.state.broken = True
        if not self.state.trick_size:
            self.state.led = card & 3
        if not self.state.trick_size or (card & 3 == self.state.led and card > self.state.best):
            self.state.best = card
            self.state.taker = player
        self.state.trick_size += 1
        if self.state.trick_size < self.players:
            self.state.turn = player + 1 if player + 1 < self.players else 0
            return
        taker: cython.int = self.state.taker
        if self.state.trick & POINT_CARDS:
            self.state.point_takers |= 1 << taker
            self.state.points[taker] += popcount(self.state.trick & HEARTS)
            if self.state.trick & QUEEN_BIT:
                self.state.points[taker] += 13
        if self.jack and self.state.trick & JACK:
            self.state.points[taker] -= JACK_BONUS
        self.state.turn = taker
        self.state.trick = 0
        self.state.trick_size = 0
        self.state.tricks += 1

    def play_out(self, player):
        """Play to the end or to the limit; return a player's points in the deal."""
        while self.state.cards_left and (not self.node_limit or self.nodes < self.node_limit):
            self.play(self.choose())
        points: cython.int = self.state.points[player]
        if popcount(cython.cast(cython.ulonglong, self.state.point_takers)) == 1:
            shooter: cython.bint = self.state.point_takers >> player & 1
            if self.own_moon:
                return points - 2 * ALL_POINTS if shooter else points
            return points - ALL_POINTS if shooter else points + ALL_POINTS
        return points

    def start(self):
        """Start the play: the holder of the lowest club leads."""
        player: cython.int
        for player in range(self.players):
            if self.state.hands[player] & self.lowest_club:
                self.state.turn = player

    # -- the rule-based player ---------------------------------------------------------------------

    def choose(self):
        """The card that the player on turn plays."""
        cards: cython.ulonglong = self.legal_cards()
        if cards & (cards - 1) == 0:
            return lowest(cards)
        if self.random_below(RANDOM_ONE_IN) == 0:
            number: cython.uint = self.random_below(popcount(cards))
            while number:
                cards &= cards - 1
                number -= 1
            return lowest(cards)
        return self.choose_by_rule(cards)

    def choose_by_rule(self, cards):
        """The choice of the rules above from these cards."""
        if not self.state.trick_size:
            return self.choose_lead(cards)
        if cards & (SUIT << self.state.led):
            return self.choose_follow(cards)
        return self.choose_discard(cards)

    def choose_lead(self, cards):
        """The card that is least likely to take points: of each suit the lowest."""
        hand: cython.ulonglong = self.state.hands[self.state.turn]
        best_card: cython.int = -1
        min_risk: cython.int = 0
        suit: cython.int
        for suit in range(4):
            suit_cards: cython.ulonglong = cards & (SUIT << suit)
            if not suit_cards:
                continue
            card: cython.int = lowest(suit_cards)
            other_cards: cython.ulonglong = SUIT << suit & ~self.state.played & ~hand
            lower: cython.int = popcount(other_cards & ((ONE << card) - 1))
            count: cython.int = popcount(other_cards)
            # The probability to take the trick, with its cost, in hundredths.
            risk: cython.int = 100 * lower // count if count else 200
            if count < self.players and lower:
                risk += 40  # others discard on it
            if suit == 2:
                risk += risk // 2 + 5
            elif suit == 3:
                if hand & QUEEN_BIT:
                    risk += 60
                elif not self.state.played & QUEEN_BIT:
                    if card > QUEEN:
                        risk += 200
                    else:
                        risk -= 40  # it may draw the queen
            risk = 16 * risk + (card >> 2)
            if best_card < 0 or risk < min_risk:
                min_risk = risk
                best_card = card
        return best_card

    def choose_follow(self, cards):
        """Stay below the winning card if possible; the last player takes a trick without points high."""
        is_last: cython.bint = self.state.trick_size + 1 == self.players
        below: cython.ulonglong = cards & ((ONE << self.state.best) - 1)
        spare: cython.ulonglong = cards & ~QUEEN_BIT
        if not self.state.tricks:
            return highest(spare)
        if below & QUEEN_BIT:
            return QUEEN
        if is_last and not self.state.trick & POINT_CARDS:
            return highest(spare) if spare else QUEEN
        if below:
            return highest(below)
        if not spare:
            return QUEEN
        if is_last:
            return highest(spare)
        return lowest(spare)

    def choose_discard(self, cards):
        """The card most likely to take points later."""
        if cards & QUEEN_BIT:
            return QUEEN
        if cards & HIGH_SPADES and not self.state.played & QUEEN_BIT:
            return highest(cards & HIGH_SPADES)
        hand: cython.ulonglong = self.state.hands[self.state.turn]
        best_card: cython.int = -1
        max_risk: cython.int = 0
        suit: cython.int
        for suit in range(4):
            suit_cards: cython.ulonglong = cards & (SUIT << suit)
            if not suit_cards:
                continue
            card: cython.int = highest(suit_cards)
            other_cards: cython.ulonglong = SUIT << suit & ~self.state.played & ~hand
            lower: cython.int = popcount(other_cards & ((ONE << card) - 1))
            count: cython.int = popcount(other_cards)
            # Low cards of the same suit make it safe.
            risk: cython.int = 10 * lower - 6 * popcount(suit_cards) + (card >> 2) if count else 0
            if suit == 2:
                risk += 30
            if best_card < 0 or risk > max_risk:
                max_risk = risk
                best_card = card
        return best_card

    def choose_pass(self, hand):
        """The card that a player passes first."""
        spades: cython.int = popcount(hand & SPADES)
        low_spades: cython.int = popcount(hand & SPADES & (QUEEN_BIT - 1))
        best_card: cython.int = -1
        max_risk: cython.int = 0
        suit: cython.int
        if low_spades < 4:
            if hand & QUEEN_BIT and spades:
                return QUEEN
            if hand & HIGH_SPADES:
                return highest(hand & HIGH_SPADES)
        for suit in range(4):
            suit_cards: cython.ulonglong = hand & (SUIT << suit)
            if not suit_cards:
                continue
            card: cython.int = highest(suit_cards)
            risk: cython.int = 4 * (card >> 2) - 5 * popcount(suit_cards)
            if suit == 2:
                risk += 12
            elif suit == 3:
                risk -= 60
            if best_card < 0 or risk > max_risk:
                max_risk = risk
                best_card = card
        return best_card

    # -- from Python -------------------------------------------------------------------------------

    def card(self, position):
        """The card that the player on turn passes or plays by rule, without random cards."""
        self.load(position)
        self.state = self.root
        if not position.state.leads:
            return self.choose_pass(self.state.hands[self.state.turn])
        return self.choose_by_rule(self.legal_cards())

    def load(self, position):
        """Copy a position in the play."""
        state = position.state
        player: cython.int
        self.root.cards_left = 0
        for player in range(self.players):
            self.root.hands[player] = bits(state.hands[player])
            self.root.cards_left += len(state.hands[player])
        self.root.turn = position.turn
        if self.loaded_play is state.played and state.leads:
            return  # the same play, of another deal
        self.loaded_play = state.played
        self.root.played = bits(state.played)
        self.root.tricks = len(state.played) // self.players
        self.root.broken = state.broken
        self.root.point_takers = 0
        self.root.trick = 0
        self.root.trick_size = 0
        for player in range(self.players):
            self.root.points[player] = state.points[player]
        for number in range(self.root.tricks):
            cards = state.played[number * self.players : (number + 1) * self.players]
            if bits(cards) & POINT_CARDS:
                # The taker leads the next trick.
                self.root.point_takers |= 1 << cython.cast(cython.int, state.leads[number + 1])
        leader: cython.int = state.leads[self.root.tricks] if state.leads else 0
        for number, card in enumerate(state.played[self.root.tricks * self.players :]):
            player = (leader + number) % self.players
            if number == 0:
                self.root.led = card & 3
            if number == 0 or (card & 3 == self.root.led and card > self.root.best):
                self.root.best = card
                self.root.taker = player
            self.root.trick |= ONE << cython.cast(cython.ulonglong, card)
            self.root.trick_size += 1

    def values(self, position, node_limit: cython.longlong):
        """The mover's mean payoff after each move, points; None if over `node_limit` cards (0: any)."""
        self.node_limit = self.nodes + node_limit if node_limit else 0
        player: cython.int = position.turn
        earlier_points = position.state.earlier_points[player]
        rng_state: cython.ulonglong = self.rng_state
        passing = not position.state.leads
        self.load(position)
        payoffs = {}
        for move in position.moves():
            total_points: cython.longlong = 0
            self.rng_state = rng_state
            for _ in range(PLAYOUTS):
                self.state = self.root if cython.compiled else copied(self.root)
                if passing:
                    self.pass_on(position.state, player, move)
                else:
                    self.play(move)
                total_points += self.play_out(player)
                if self.state.cards_left:
                    return None
            payoffs[move] = -earlier_points - total_points / cython.cast(cython.double, PLAYOUTS)
        return payoffs

    def pass_on(self, state, player, move):
        """The mover passes `move` and the rest by rule, the others by rule; then the play starts."""
        seat: cython.int
        k: cython.int
        passed_cards = []
        for seat in range(self.players):
            selection: cython.ulonglong = 0
            hand: cython.ulonglong = self.state.hands[seat]
            if seat == player:
                selection = bits(state.passed[seat]) | ONE << cython.cast(cython.ulonglong, move)
                hand &= ~selection
            else:
                hand |= bits(state.passed[seat])
            while popcount(selection) < 3:
                k = self.choose_pass(hand)
                selection |= ONE << k
                hand &= ~(ONE << k)
            self.state.hands[seat] = hand
            passed_cards.append(selection)
        for seat in range(self.players):
            self.state.hands[(seat + self.step + self.players) % self.players] |= passed_cards[seat]
        self.state.cards_left = 0
        for seat in range(self.players):
            self.state.cards_left += popcount(self.state.hands[seat])
        self.state.played = 0
        self.state.tricks = 0
        self.state.trick_size = 0
        self.state.trick = 0
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
