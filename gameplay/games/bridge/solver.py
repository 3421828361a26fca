# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Bridge with all cards open: how many tricks does each side take? Types: solver.pxd.

Theorem: `visit` says truly whether players 0 and 2 take `need` of the tricks that are left; so they would
with any cards in place of those whose rank did not matter. These are what it leaves in `ranks`: of each suit
the lowest card whose rank decided something, and all above it.

1. A question has a yes or a no: a window of one trick (`settle` asks until the number is known). Who plays
   for the answer stops at the first card that gives it; the other side has to try all.
2. Partition search (Ginsberg, Partition search, AAAI 1996): who wins a trick against another card of the
   suit wins it by its rank, and whatever follows from the answer depends on the owners of the cards down to
   the lowest such rank, and beyond that on how many cards of each suit each player has, and on nothing else.
   So the table has patterns: who leads, the 16 lengths, and the owners of the highest so many cards of each
   suit, counted among those that are left. It answers for every position that fits, whatever its low cards
   are.
3. Cards of one hand with none of another's between them are one move, the highest of them. If it fails and
   its rank mattered, it failed for all of them, and all of their ranks count.
4. A card that fails, in a suit in which nothing as low as it mattered, fails for all of the suit that lie
   below what mattered: these are not tried (as in DDS).
5. What is certain needs no search: tricks that the leader's side takes at once, from the top of its suits,
   with one entry to the partner; and the highest trumps of a hand of the other side (quick and later
   tricks).
6. The order of cards: a winning lead that no opponent may ruff, a follower's lowest card that
   no later player can beat, else the lowest.

Chang, Building a fast double-dummy bridge solver (1996), and Haglund, Search algorithms for a bridge double
dummy solver (2010), describe 2 to 6 as well.

    bit   15 .. 13 12 11 ..  1  0     of each 16, a suit: clubs, diamonds, hearts, spades from the lowest
bits up;
           - unused - 2  3 ..  K  A     so of two cards of a suit the higher one is the smaller number

    owners of a suit   ... | third | second | highest |   2 bits each; two suits in one word, 32 bits a suit

What each is worth, in positions looked at more without it (mean of the logarithm over five random deals, all
strains and leaders): the cards that fail together +87 %, equal cards as one +30 %, quick tricks +24 %, later
tricks +11 %. Left out as they did not pay: the lead that answered the question elsewhere (+-0 %) and the
history of leads that answered (8 % to 11 % more positions).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from typing import TYPE_CHECKING

from gameplay.native.memory import memory

if TYPE_CHECKING:
    pass
from gameplay.games.shared.polled import PolledSolver

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M32, ONE, highest, lowest, popcount
    from cython.cimports.gameplay.native.hashing import spread
    from cython.cimports.gameplay.native.memory import address_of
else:
    from gameplay.native.bits import M32, ONE, highest, lowest, popcount
    from gameplay.native.hashing import spread

SUIT = cython.declare(cython.ulonglong, 0x1FFF)
FULL = cython.declare(cython.ulonglong, 0x1FFF1FFF1FFF1FFF)
MOVES = cython.declare(cython.int, 16)  # room for the moves of one player in one trick


def cells(cards):
    """The set of cells of cards, which are numbered as in `_pack`."""
    found = 0
    for card in cards:
        found |= 1 << cell(card)
    return found


def cell(card):
    """Where the bit of a card is."""
    return 16 * (card % 4) + 12 - card // 4


class PlainKnown:
    """What is known of the positions of a pattern; see Known in solver.pxd."""

    __slots__ = ("cover", "cover_second", "first", "high", "low", "next", "second", "shape")


class BridgeSolver(PolledSolver):
    """Computes how many tricks each side takes with all cards open. `nodes` counts the tricks begun, ever."""

    def __init__(self, size: cython.int = 20):
        """A table of 2**size entries of 48 bytes."""
        PolledSolver.__init__(self, 4096 if cython.compiled else 64)
        self.size = size
        self.used = 0
        if not cython.compiled:
            self.hands = [0] * 4
            self.owners = [{}, {}, {}, {}]
            self.all_cards, self.led = [0] * 14, [0] * 14
            self.moves, self.order = [0] * 960, [0] * 960
            self.entries, self.heads = [PlainKnown()], {}
        else:
            self.owner = memoryview(memory(cython.sizeof(Known) << size))
            self.entries = cython.cast(cython.pointer(Known), address_of(self.owner))
            self.heads_owner = memoryview(memory(4 << size))
            self.heads = cython.cast(cython.p_int, address_of(self.heads_owner))

    def wipe(self):
        """Forget all results."""
        i: cython.size_t
        if cython.compiled:
            if self.used:
                for i in range(ONE << self.size):
                    self.heads[i] = 0
        else:
            self.heads, self.entries = {}, [PlainKnown()]
        self.used = 0

    # -- the deal ------------------------------------------------------------------------------

    def deal(self, hands, trump: cython.int):
        """Begin with these hands, see `cells`; trump is a suit from 0 to 3, or 4."""
        s: cython.int
        p: cython.int
        self.shape = 0
        full: cython.ulonglong = 0
        for p in range(4):
            self.hands[p] = hands[p]
            full |= self.hands[p]
        self.trump = SUIT << (16 * trump) if trump < 4 else 0
        for s in range(4):
            for p in range(4):
                self.shape |= cython.cast(cython.ulonglong, popcount(self.hands[p] >> (16 * s) & SUIT)) << (
                    16 * p + 4 * s
                )
            rest: cython.ulonglong = full >> (16 * s) & SUIT
            self.owners[s][0] = 0
            some: cython.ulonglong = 0
            while some != rest:  # all subsets of the cards, the empty one first
                some = (some - rest) & rest
                top: cython.int = lowest(some)
                card: cython.ulonglong = ONE << (16 * s + top)
                for p in range(4):
                    if self.hands[p] & card:
                        self.owners[s][some] = p | self.owners[s][some & (some - 1)] << 2
                        break
        self.wipe()

    # -- the table -----------------------------------------------------------------------------

    def top(self, cards, count):
        """The lowest of the highest `count` cards of a suit; 0 of none."""
        while count > 1:
            cards &= cards - 1
            count -= 1
        return cards & (~cards + 1) if count else 0

    def find(self, leader, need, left):
        """1 if players 0 and 2 take so many tricks, 0 if they do not, -1 if that is not known."""
        cards: cython.ulonglong = self.all_cards[left]
        first: cython.ulonglong = self.owners[0][cards & SUIT]
        first |= cython.cast(cython.ulonglong, self.owners[1][cards >> 16 & SUIT]) << 32
        second: cython.ulonglong = self.owners[2][cards >> 32 & SUIT]
        second |= cython.cast(cython.ulonglong, self.owners[3][cards >> 48 & SUIT]) << 32
        shape: cython.ulonglong = (self.shape & ~cython.cast(cython.ulonglong, 15)) | leader
        i: cython.int
        if cython.compiled:
            i = self.heads[spread(shape) >> (64 - self.size)]
        else:
            i = self.heads.get(shape, 0)
        while i:
            if (
                self.entries[i].shape == shape
                and not (self.entries[i].first ^ first) & self.entries[i].cover
                and not (self.entries[i].second ^ second) & self.entries[i].cover_second
                and (self.entries[i].low >= need or self.entries[i].high < need)
            ):
                self.ranks = (
                    self.top(cards & SUIT, popcount(self.entries[i].cover & M32) >> 1)
                    | self.top(cards & SUIT << 16, popcount(self.entries[i].cover >> 32) >> 1)
                    | self.top(cards & SUIT << 32, popcount(self.entries[i].cover_second & M32) >> 1)
                    | self.top(cards & SUIT << 48, popcount(self.entries[i].cover_second >> 32) >> 1)
                )
                return 1 if self.entries[i].low >= need else 0
            i = self.entries[i].next
        return -1

    def keep(self, leader, need, made, ranks, left):
        """Note what was found out."""
        cards: cython.ulonglong = self.all_cards[left]
        covers: cython.ulonglong[4]
        if not cython.compiled:
            covers = [0] * 4
        s: cython.int
        for s in range(4):
            some: cython.ulonglong = ranks >> (16 * s) & SUIT
            covers[s] = 0
            if some:
                some = (cards >> (16 * s)) & ((ONE << (highest(some) + 1)) - 1)
                covers[s] = (ONE << (2 * popcount(some))) - 1
        first: cython.ulonglong = self.owners[0][cards & SUIT]
        first |= cython.cast(cython.ulonglong, self.owners[1][cards >> 16 & SUIT]) << 32
        second: cython.ulonglong = self.owners[2][cards >> 32 & SUIT]
        second |= cython.cast(cython.ulonglong, self.owners[3][cards >> 48 & SUIT]) << 32
        if self.used + 2 >= (1 << self.size):
            self.wipe()
        self.used += 1
        i: cython.int = self.used
        if not cython.compiled:
            self.entries.append(PlainKnown())
        shape: cython.ulonglong = (self.shape & ~cython.cast(cython.ulonglong, 15)) | leader
        self.entries[i].shape = shape
        self.entries[i].cover = covers[0] | covers[1] << 32
        self.entries[i].cover_second = covers[2] | covers[3] << 32
        self.entries[i].first = first
        self.entries[i].second = second
        self.entries[i].low = need if made else 0
        self.entries[i].high = left if made else need - 1
        if cython.compiled:
            place: cython.size_t = spread(shape) >> (64 - self.size)
            self.entries[i].next = self.heads[place]
            self.heads[place] = i
        else:
            self.entries[i].next = self.heads.get(shape, 0)
            self.heads[shape] = i

    # -- what needs no search --------------------------------------------------------------------

    def last(self, leader):
        """True if players 0 and 2 take the last trick."""
        winner: cython.int = leader
        best: cython.ulonglong = self.hands[leader]
        trick: cython.ulonglong = best
        suit: cython.ulonglong = SUIT << (lowest(best) & 48)
        k: cython.int
        for k in range(1, 4):
            player: cython.int = (leader + k) & 3
            card: cython.ulonglong = self.hands[player]
            trick |= card
            if card & suit:
                if card < best:
                    winner, best = player, card
            elif card & self.trump:
                winner, best = player, card
                suit = self.trump
        self.ranks = best if trick & suit != best else 0
        return winner & 1 == 0

    def quick(self, leader, left, wanted):
        """Tricks that the leader's side takes at once, at least; `ranks` are the cards that take them."""
        cards: cython.ulonglong = self.all_cards[left]
        own: cython.ulonglong = self.hands[leader]
        other: cython.ulonglong = self.hands[(leader + 2) & 3]
        one: cython.ulonglong = self.hands[(leader + 1) & 3]
        two: cython.ulonglong = self.hands[(leader + 3) & 3]
        trump: cython.ulonglong = self.trump
        total: cython.int = 0  # tricks of the leader
        side: cython.int = 0  # of them in suits that may be ruffed
        beyond: cython.int = 0  # tricks of the partner after these
        entry: cython.bint = False
        free: cython.bint = True  # the opponents cannot ruff
        ranks: cython.ulonglong = 0
        partners_ranks: cython.ulonglong = 0
        s: cython.int
        # 1. Does the leader draw all trumps of the other side?
        if (one | two) & trump:
            rest: cython.ulonglong = cards & trump & ~own
            tops: cython.ulonglong = own & trump & ((rest & (~rest + 1)) - 1)
            rounds: cython.int = max(popcount(one & trump), popcount(two & trump))
            free = popcount(tops) >= rounds
            if free:
                ranks = self.top(tops, rounds)
        for s in range(4):
            suit: cython.ulonglong = SUIT << (16 * s)
            mine: cython.ulonglong = own & suit
            second: cython.ulonglong = other & suit
            length: cython.int = popcount(mine)
            partners: cython.int = popcount(second)
            long_one: cython.int = popcount(one & suit)
            long_two: cython.int = popcount(two & suit)
            longest: cython.int = max(partners, long_one, long_two)
            # 2. The leader's highest in a row; after so many rounds as others follow all the rest as well.
            rest = cards & suit & ~mine
            tops = mine & ((rest & (~rest + 1)) - 1) if rest else mine
            count: cython.int = popcount(tops)
            if free or suit == trump:
                if count >= longest:
                    ranks |= self.top(mine, longest)
                    count = length
                elif tops:
                    ranks |= ONE << highest(tops)
            else:
                # 3. Opponents with trumps must be able to follow.
                if one & trump:
                    count = min(count, long_one)
                if two & trump:
                    count = min(count, long_two)
                ranks |= self.top(mine, count)
                side += count
            total += count
            if free and total >= wanted:
                self.ranks = ranks
                return total
            # 4. Then the partner's highest in a row, as far as they are not played before.
            if free and partners > count:
                rest = cards & suit & ~tops & ~second
                above: cython.ulonglong = second & ((rest & (~rest + 1)) - 1) if rest else second
                if above:
                    beyond += min(popcount(above), partners - count)
                    partners_ranks |= ONE << highest(above)
                    if length > count:
                        entry = True
        if not free:  # a partner with nothing but trumps must ruff
            total -= max(0, side - (left - popcount(other & trump)))
        if entry:
            total += min(beyond, left - total)
            ranks |= partners_ranks
        self.ranks = ranks
        return total

    def later(self, leader, left):
        """Tricks that the other side takes some time, at least: the highest trumps of one hand."""
        trump: cython.ulonglong = self.trump
        cards: cython.ulonglong = self.all_cards[left] & trump
        most: cython.int = 0
        k: cython.int
        for k in range(1, 4, 2):
            mine: cython.ulonglong = self.hands[(leader + k) & 3] & trump
            rest: cython.ulonglong = cards & ~mine
            tops: cython.ulonglong = mine & ((rest & (~rest + 1)) - 1) if rest else mine
            if popcount(tops) > most:
                most = popcount(tops)
                self.ranks = ONE << highest(tops)
        return most

    # -- the order of moves ----------------------------------------------------------------------

    def lead_order(self, player, card, cards):
        """How good a lead looks."""
        s: cython.int = lowest(card) & 48
        suit: cython.ulonglong = SUIT << s
        one: cython.ulonglong = self.hands[(player + 1) & 3]
        two: cython.ulonglong = self.hands[(player + 3) & 3]
        partner: cython.ulonglong = self.hands[(player + 2) & 3]
        top: cython.ulonglong = cards & suit
        rank: cython.int = lowest(card) - s  # 0 an ace
        value: cython.int = popcount((self.hands[player] | partner) & suit)
        top &= ~top + 1
        if self.trump and suit != self.trump:
            if not one & suit and one & self.trump:
                value -= 40
            elif not two & suit and two & self.trump:
                value -= 30
            if not partner & suit and partner & self.trump and two & suit:
                value += 20
        if card == top:
            value += 10
        elif partner & top:
            value += 15 + rank
        elif one & top:
            value += rank
        else:
            value += rank - 5
        return value

    def follow_order(self, k, player, left, winner, best, card):
        """Move-ordering score of a follower's card: 100 and more if it wins, else the lower the better."""
        led: cython.ulonglong = self.led[left]
        s: cython.int = lowest(card) & 48
        suit: cython.ulonglong = SUIT << s
        rank: cython.int = lowest(card) - s
        trump: cython.ulonglong = self.trump
        wins: cython.bint = card < best if best & suit else suit == trump
        ours: cython.bint = k > 1 and not (winner ^ player) & 1
        high: cython.ulonglong = card if wins else best
        after: cython.ulonglong = self.hands[(player + 1) & 3]
        beaten: cython.bint = False  # can an opponent behind beat what would be the highest?
        helped: cython.bint = False  # and then the partner?
        if k < 3:
            beaten = self.beats(after, high, led)
            if ours and not self.beats(after, best, led):
                wins = False
        elif ours:
            wins = False
            rest: cython.ulonglong = after & led
            rest &= ~rest + 1
            if k == 1:
                helped = self.beats(self.hands[(player + 2) & 3], rest if rest and rest < best else best, led)
        if suit != led and suit != trump:
            # a discard
            mine: cython.ulonglong = self.hands[player] & suit
            cards: cython.ulonglong = self.all_cards[left] & suit
            rank += 2 * popcount(mine)
            if card == cards & (~cards + 1):
                rank -= 30
            return rank
        if wins and not beaten:
            return rank if helped else 100 + rank
        if suit != led:
            return rank - 20 if ours else rank + 20
        return rank

    def beats(self, hand, best, led):
        """True if a hand may beat the highest card of the trick so far."""
        if hand & led:
            return (best & led) != 0 and (hand & led & (best - 1)) != 0
        if best & self.trump:
            return (hand & self.trump & (best - 1)) != 0
        return (hand & self.trump) != 0

    # -- the search ------------------------------------------------------------------------------

    def play(self, k, player, need, left, winner, best, trick):
        """True if players 0 and 2 take `need` of the tricks left once `player` plays the card k."""
        hand: cython.ulonglong = self.hands[player]
        led: cython.ulonglong = self.led[left]
        cards: cython.ulonglong = self.all_cards[left]
        moves: cython.ulonglong = hand
        base: cython.int = (4 * left + k) * MOVES
        end: cython.int = base
        j: cython.int
        if k and hand & led:
            moves = hand & led
        # 1. Of cards without a card of others between them only the highest.
        gone: cython.ulonglong = FULL & ~cards
        below: cython.ulonglong = moves << 1
        below = (below | (gone + (below & gone))) & ~gone
        moves &= ~below
        # 2. The most promising first.
        rest: cython.ulonglong = moves
        while rest:
            card: cython.ulonglong = rest & (~rest + 1)
            rest ^= card
            if k:
                value: cython.int = self.follow_order(k, player, left, winner, best, card)
            else:
                value = self.lead_order(player, card, cards)
            i: cython.int = end
            while i > base and self.order[i - 1] < value:
                self.order[i] = self.order[i - 1]
                self.moves[i] = self.moves[i - 1]
                i -= 1
            self.order[i] = value
            self.moves[i] = card
            end += 1
        # 3. Each in turn, until one is as good as can be.
        ours: cython.bint = not player & 1
        ranks: cython.ulonglong = 0
        for i in range(base, end):
            card = self.moves[i]
            if not card & moves:
                continue
            suit: cython.ulonglong = SUIT << (lowest(card) & 48)
            self.hands[player] ^= card
            self.shape -= ONE << (16 * player + (lowest(card) >> 2 & 12))
            if not k:
                self.led[left] = suit
                made: cython.bint = self.play(1, (player + 1) & 3, need, left, player, card, card)
            else:
                leads: cython.int = winner
                high: cython.ulonglong = best
                if card < best if best & suit else suit == self.trump:
                    leads, high = player, card
                if k < 3:
                    made = self.play(k + 1, (player + 1) & 3, need, left, leads, high, trick | card)
                else:
                    made = self.visit(leads, need - 1 if not leads & 1 else need, left - 1)
                    suit = SUIT << (lowest(high) & 48)
                    if (trick | card) & suit != high:  # it won by its rank
                        self.ranks |= high
            self.hands[player] ^= card
            self.shape += ONE << (16 * player + (lowest(card) >> 2 & 12))
            if self.stopped:
                return False
            if made == ours:
                return made
            # 4. What lies below all ranks that mattered is as good as this card, if it lies there too.
            ranks |= self.ranks
            suit = SUIT << (lowest(card) & 48)
            some: cython.ulonglong = self.ranks & suit
            if not some:
                moves &= ~suit
            elif card > some:
                moves &= ~suit | ((ONE << (highest(some) + 1)) - 1)
            else:
                # 5. Where its own rank mattered, it stood for all cards that were as good.
                others: cython.ulonglong = cards & ~hand & suit & ~(card - 1)
                alike: cython.ulonglong = hand & suit & ((others & (~others + 1)) - 1)
                ranks |= ONE << highest(alike)
        self.ranks = ranks
        return not ours

    def visit(self, leader, need, left):
        """Do players 0 and 2 take `need` of the tricks left? `ranks` are the cards whose rank mattered."""
        self.ranks = 0
        if need <= 0:
            return True
        if need > left:
            return False
        self.nodes += 1
        if self.nodes >= self.next_poll and self.poll():
            return False
        if left == 1:
            return self.last(leader)
        ours: cython.bint = not leader & 1
        wanted: cython.int = need if ours else left - need + 1
        self.all_cards[left] = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3]
        # 1. What is certain.
        if self.quick(leader, left, wanted) >= wanted:
            return ours
        if self.trump and self.later(leader, left) >= left + 1 - wanted:
            return not ours
        # 2. What is known.
        found: cython.int = self.find(leader, need, left)
        if found >= 0:
            return found == 1
        # 3. What is to be found out.
        made: cython.bint = self.play(0, leader, need, left, leader, 0, 0)
        if not self.stopped:
            self.keep(leader, need, made, self.ranks, left)
        return made

    def settle(self, k, player, left, winner, best, trick, guess):
        """The tricks of players 0 and 2, by questions from `guess` on."""
        low: cython.int = 0
        high: cython.int = left
        need: cython.int = guess
        self.all_cards[left] = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3] | trick
        while low < high and not self.stopped:
            need = min(max(need, low + 1), high)
            made: cython.bint
            if k:
                made = self.play(k, player, need, left, winner, best, trick)
            else:
                made = self.visit(player, need, left)
            if made:
                low = need
                need += 1
            else:
                high = need - 1
                need -= 1
        return low

    # -- for others ------------------------------------------------------------------------------

    def tricks(self, leader: cython.int, trick=(), guess: cython.int = 7):
        """Of the tricks that are not taken yet, how many players 0 and 2 take if `leader` has begun the next.

        None if it was stopped. `trick` holds the cells of the cards played to it, in turn, whether they are
        in the hands of the `deal` or not; `guess` is where the questions begin.
        """
        self.stopped = False
        self.next_poll = self.nodes + 1
        k: cython.int = len(trick)
        winner: cython.int = leader
        best: cython.ulonglong = 0
        played: cython.ulonglong = 0
        led: cython.ulonglong = 0
        i: cython.int
        player: cython.int
        shape: cython.ulonglong = self.shape
        hands = [self.hands[player] for player in range(4)]
        for i in range(k):
            player = (leader + i) & 3
            card: cython.ulonglong = ONE << cython.cast(cython.int, trick[i])
            suit: cython.ulonglong = SUIT << (lowest(card) & 48)
            if self.hands[player] & card:
                self.hands[player] ^= card
                self.shape -= ONE << (16 * player + (lowest(card) >> 2 & 12))
            if not i:
                led = suit
                best = card
            elif card < best if best & suit else suit == self.trump:
                winner, best = player, card
            played |= card
        player = (leader + k) & 3
        taken: cython.int = 0
        if k == 4:
            taken = 1 - (winner & 1)
            player = winner
            k = 0
            played = 0
        left: cython.int = popcount(self.hands[player])
        found: cython.int = 0
        if left:
            self.led[left] = led
            with cython.nogil:
                found = self.settle(k, player, left, winner, best, played, guess)
        for player in range(4):
            self.hands[player] = hands[player]
        self.shape = shape
        return None if self.stopped else taken + found

    def table(self, hands):
        """The tricks of each declarer in each strain, no trumps last: table[strain][declarer].

        None if it was stopped.
        """
        found = []
        for trump in range(5):
            row = self.strain(hands, trump)
            if row is None:
                return None
            found.append(row)
        return found

    def strain(self, hands, trump: cython.int):
        """The tricks of each declarer with one trump suit, or 4 without; None if it was stopped."""
        self.deal(hands, trump)
        row = [0] * 4
        all_of_them: cython.int = popcount(self.hands[0])
        guess: cython.int = (all_of_them + 1) // 2
        leader: cython.int
        for leader in range(4):
            taken = self.tricks(leader, (), guess)
            if taken is None:
                return None
            guess = taken
            row[(leader + 3) & 3] = taken if leader & 1 else all_of_them - taken
        return row
