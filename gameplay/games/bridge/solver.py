# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Double-dummy solver: the tricks of each side with all cards open. Types: solver.pxd.

Theorem: `visit` returns a lower bound of the tricks of players 0 and 2 if they take `need` of those left,
else an upper bound. The bound holds with any cards in place of those whose rank did not matter. It sets
`ranks`: of each suit the lowest card whose rank mattered, and all above it.

1. Null windows of one trick; `search_tricks` repeats them from a guess until the number is exact. The side
   that reaches its goal stops at the first sufficient card (cutoff); the other side tries all.
2. Partition search (Ginsberg, Partition search, AAAI 1996): a card that wins against another card of its suit
   wins by rank. The result depends only on the owners of the cards down to the lowest such rank, and on the
   number of cards of each suit and player. The table has bounds for patterns: the leader, the 16 lengths, and
   the owners of a number of the highest cards of each suit among those left (patterns.py).
3. Adjacent cards of one hand are equivalent; only the highest is tried. If it fails and its rank mattered,
   the ranks of all of them count.
4. If a card fails and no rank as low as its own mattered in its suit, all cards of the suit below those that
   mattered fail too and are not tried (as in DDS).
5. Static bounds: tricks that the leader's side takes at once, from the top of its suits, with one entry to
   the partner (quick tricks); and tricks that the other side takes whatever is led, with the highest trumps
   or against the suits that the leader has (later tricks).
6. Move ordering: first the card that caused a cutoff with the same `hint_key`. Then for leads finesses and
   solid suits, with suits that an opponent may ruff last; for followers the lowest card that no later player
   can beat, else the lowest.

Chang, Building a fast double-dummy bridge solver (1996), and Haglund, Search algorithms for a bridge double
dummy solver (2010), describe 2 to 6 as well; the nested patterns, the cutoff cards of 6 and its classes of
leads follow Xue's bridge-solver (2026).

    bit   15 .. 13 12 11 ..  1  0     16 bits a suit: clubs, diamonds, hearts, spades from the lowest bits up;
           - unused - 2  3 ..  K  A     of two cards of a suit the higher one is the smaller number

    owners of a suit   ... | third | second | highest |   2 bits each; two suits in one word, 32 bits a suit

Nodes (tricks started), geometric mean of 24 random deals, all strains and leaders: 1,174,000 with a list of
patterns; 1,082,000 with nested ones and fail-soft bounds; 649,000 with cutoff cards; 605,000 with later
tricks of both hands; 587,000 with the classes of leads, which reduce the arithmetic mean by 21 %.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.bridge.patterns import TrickBounds
from gameplay.games.shared.polled import PolledSolver

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M32, ONE, highest, lowest, popcount
    from cython.cimports.gameplay.native.hashing import spread
else:
    from gameplay.native.bits import M32, ONE, highest, lowest, popcount
    from gameplay.native.hashing import spread

SUIT = cython.declare(cython.ulonglong, 0x1FFF)
FULL = cython.declare(cython.ulonglong, 0x1FFF1FFF1FFF1FFF)
MOVES = cython.declare(cython.int, 16)  # the most moves of a player in a trick
CUTOFF_CARDS = cython.declare(cython.int, 0x10000)
CARD_BITS = cython.declare(cython.ulonglong, 63)  # of an entry of cutoff_cards: the cell of the card
LEADER_BITS = cython.declare(cython.ulonglong, 15)  # the redundant bits of a shape, used for the leader


def cells(cards):
    """The cells of cards (numbered as in `shared/pack.py`) as bits."""
    bits = 0
    for card in cards:
        bits |= 1 << cell(card)
    return bits


def cell(card):
    """The bit index of a card."""
    return 16 * (card % 4) + 12 - card // 4


class BridgeSolver(PolledSolver):
    """Computes the tricks of each side with all cards open. `nodes` counts all tricks started."""

    def __init__(self, size: cython.int = 20):
        """size: the table has 2**size patterns of 48 bytes."""
        PolledSolver.__init__(self, 4096 if cython.compiled else 64)
        self.patterns = TrickBounds(size)
        if not cython.compiled:
            self.hands = [0] * 4
            self.owners = [{}, {}, {}, {}]
            self.all_cards, self.led = [0] * 14, [0] * 14
            self.moves, self.scores = [0] * 960, [0] * 960

    def clear(self):
        """Discard all results."""
        i: cython.int
        self.patterns.clear()
        if not cython.compiled:
            self.cutoff_cards = [0] * CUTOFF_CARDS
        else:
            for i in range(CUTOFF_CARDS):
                self.cutoff_cards[i] = 0

    # -- the deal ------------------------------------------------------------------------------

    def deal(self, hands, trump: cython.int):
        """Set up hands, see `cells`; trump is a suit from 0 to 3, or 4 for no trumps."""
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
            subset: cython.ulonglong = 0
            while subset != rest:  # all subsets of the cards, the empty one first
                subset = (subset - rest) & rest
                top: cython.int = lowest(subset)
                card: cython.ulonglong = ONE << (16 * s + top)
                for p in range(4):
                    if self.hands[p] & card:
                        self.owners[s][subset] = p | self.owners[s][subset & (subset - 1)] << 2
                        break
        self.clear()

    # -- the table -----------------------------------------------------------------------------

    def nth_card(self, cards, count):
        """The `count`-th highest of the cards of a suit, as a bit; 0 if `count` is 0."""
        while count > 1:
            cards &= cards - 1
            count -= 1
        return cards & (~cards + 1) if count else 0

    def update_owners(self, left):
        """Set the owners of all cards at the start of a trick."""
        cards: cython.ulonglong = self.all_cards[left]
        self.first = self.owners[0][cards & SUIT]
        self.first |= cython.cast(cython.ulonglong, self.owners[1][cards >> 16 & SUIT]) << 32
        self.second = self.owners[2][cards >> 32 & SUIT]
        self.second |= cython.cast(cython.ulonglong, self.owners[3][cards >> 48 & SUIT]) << 32

    def probe(self, leader, need, left):
        """A stored bound of the tricks of players 0 and 2 that decides `need`; -1 if there is none."""
        self.update_owners(left)
        shape: cython.ulonglong = (self.shape & ~LEADER_BITS) | leader
        i: cython.int = self.patterns.probe(shape, self.first, self.second, need)
        if not i:
            return -1
        cards: cython.ulonglong = self.all_cards[left]
        self.ranks = (
            self.nth_card(cards & SUIT, popcount(self.patterns.entries[i].cover & M32) >> 1)
            | self.nth_card(cards & SUIT << 16, popcount(self.patterns.entries[i].cover >> 32) >> 1)
            | self.nth_card(cards & SUIT << 32, popcount(self.patterns.entries[i].cover_second & M32) >> 1)
            | self.nth_card(cards & SUIT << 48, popcount(self.patterns.entries[i].cover_second >> 32) >> 1)
        )
        lower: cython.int = self.patterns.entries[i].lower
        return lower if lower >= need else self.patterns.entries[i].upper

    def store(self, leader, need, value, left):
        """Store a bound and `ranks`, reduced by the cards implied by the others and the lengths."""
        cards: cython.ulonglong = self.all_cards[left]
        covers: cython.ulonglong[4]
        if not cython.compiled:
            covers = [0] * 4
        s: cython.int
        ranks: cython.ulonglong = self.ranks
        self.update_owners(left)
        self.ranks = 0
        for s in range(4):
            relevant: cython.ulonglong = ranks >> (16 * s) & SUIT
            covers[s] = 0
            if relevant:
                relevant = (cards >> (16 * s)) & ((ONE << (highest(relevant) + 1)) - 1)
                rest: cython.ulonglong = cards >> (16 * s) & SUIT
                count: cython.int = popcount(relevant)
                # The lowest cards of a suit that all belong to one player are implied.
                owners: cython.ulonglong = self.owners[s][rest]
                shift: cython.int = 2 * popcount(rest) - 2
                owners ^= (owners >> shift) * 0x55555555 & ((ONE << (shift + 2)) - 1)
                distinct: cython.int = (highest(owners) >> 1) + 1 if owners else 0
                count = min(count, distinct)
                covers[s] = (ONE << (2 * count)) - 1
                self.ranks |= self.nth_card(rest, count) << (16 * s)
        shape: cython.ulonglong = (self.shape & ~LEADER_BITS) | leader
        lower: cython.int = value if value >= need else 0
        upper: cython.int = left if value >= need else value
        cover: cython.ulonglong = covers[0] | covers[1] << 32
        self.patterns.store(shape, self.first, self.second, cover, covers[2] | covers[3] << 32, lower, upper)

    # -- static bounds ---------------------------------------------------------------------------

    def last_trick(self, leader):
        """1 if players 0 and 2 take the last trick, else 0."""
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
        return 1 - (winner & 1)

    def quick_tricks(self, leader, left, wanted):
        """A lower bound of the tricks that the leader's side takes at once; sets `ranks`."""
        cards: cython.ulonglong = self.all_cards[left]
        hand: cython.ulonglong = self.hands[leader]
        partner: cython.ulonglong = self.hands[(leader + 2) & 3]
        lho: cython.ulonglong = self.hands[(leader + 1) & 3]
        rho: cython.ulonglong = self.hands[(leader + 3) & 3]
        trump: cython.ulonglong = self.trump
        total: cython.int = 0  # tricks of the leader
        ruffable: cython.int = 0  # of them in suits that may be ruffed
        partner_tricks: cython.int = 0  # tricks of the partner after these
        entry: cython.bint = False
        can_cash: cython.bint = True  # the opponents cannot ruff
        ranks: cython.ulonglong = 0
        partner_ranks: cython.ulonglong = 0
        s: cython.int
        # 1. Can the leader draw all trumps of the other side?
        if (lho | rho) & trump:
            rest: cython.ulonglong = cards & trump & ~hand
            top_cards: cython.ulonglong = hand & trump & ((rest & (~rest + 1)) - 1)
            rounds: cython.int = max(popcount(lho & trump), popcount(rho & trump))
            can_cash = popcount(top_cards) >= rounds
            if can_cash:
                ranks = self.nth_card(top_cards, rounds)
        for s in range(4):
            suit: cython.ulonglong = SUIT << (16 * s)
            suit_cards: cython.ulonglong = hand & suit
            across: cython.ulonglong = partner & suit
            length: cython.int = popcount(suit_cards)
            partner_length: cython.int = popcount(across)
            lho_length: cython.int = popcount(lho & suit)
            rho_length: cython.int = popcount(rho & suit)
            longest: cython.int = max(partner_length, lho_length, rho_length)
            # 2. The leader's top cards; once the others have no more of the suit, all the rest.
            rest = cards & suit & ~suit_cards
            top_cards = suit_cards & ((rest & (~rest + 1)) - 1) if rest else suit_cards
            count: cython.int = popcount(top_cards)
            if can_cash or suit == trump:
                if count >= longest:
                    ranks |= self.nth_card(suit_cards, longest)
                    count = length
                elif top_cards:
                    ranks |= ONE << highest(top_cards)
            else:
                # 3. Opponents with trumps must be able to follow.
                if lho & trump:
                    count = min(count, lho_length)
                if rho & trump:
                    count = min(count, rho_length)
                ranks |= self.nth_card(suit_cards, count)
                ruffable += count
            total += count
            if can_cash and total >= wanted:
                self.ranks = ranks
                return total
            # 4. Then the partner's top cards, as far as they are not played before.
            if can_cash and partner_length > count:
                rest = cards & suit & ~top_cards & ~across
                above: cython.ulonglong = across & ((rest & (~rest + 1)) - 1) if rest else across
                if above:
                    partner_tricks += min(popcount(above), partner_length - count)
                    partner_ranks |= ONE << highest(above)
                    if length > count:
                        entry = True
        if not can_cash:  # a partner with nothing but trumps must ruff
            total -= max(0, ruffable - (left - popcount(partner & trump)))
        if entry:
            total += min(partner_tricks, left - total)
            ranks |= partner_ranks
        self.ranks = ranks
        return total

    def later_tricks(self, leader, left):
        """A lower bound of the tricks that the other side takes eventually; sets `ranks`."""
        cards: cython.ulonglong = self.all_cards[left]
        hand: cython.ulonglong = self.hands[leader]
        lho: cython.ulonglong = self.hands[(leader + 1) & 3]
        rho: cython.ulonglong = self.hands[(leader + 3) & 3]
        if cards & self.trump:
            return self.later_trump_tricks(lho, rho, hand, self.hands[(leader + 2) & 3], cards & self.trump)
        # 1. The highest cards of the suits that the leader holds win.
        top: cython.ulonglong = 0
        rest: cython.ulonglong
        s: cython.int
        for s in range(0, 64, 16):
            if hand & SUIT << s:
                rest = cards & SUIT << s
                top |= rest & (~rest + 1)
        if top & ~(lho | rho):
            return 0
        self.ranks = top
        holder: cython.ulonglong = lho
        if top & ~lho:
            if top & ~rho:
                return 1
            holder = rho
        # 2. If one hand has all of these, it continues with all its top cards.
        count: cython.int = 0
        for s in range(0, 64, 16):
            rest = cards & SUIT << s & ~holder
            tops: cython.ulonglong = holder & SUIT << s & ((rest & (~rest + 1)) - 1)
            count += popcount(tops)
            if tops and rest:
                self.ranks |= ONE << highest(tops)
        return count

    def later_trump_tricks(self, lho, rho, leader, partner, cards):
        """As `later_tricks`, in trumps: lho plays after leader, rho after partner; cards: all trumps."""
        lho &= cards
        rho &= cards
        rest: cython.ulonglong = cards & ~(lho | rho)
        longest: cython.int = max(popcount(lho), popcount(rho))
        self.ranks = 0
        # 1. Top trumps: as many as the longer hand can follow.
        if not rest:
            return longest
        ace: cython.ulonglong = cards & (~cards + 1)
        if not ace & rest:
            count: cython.int = min(longest, popcount(cards & ((rest & (~rest + 1)) - 1)))
            self.ranks = self.nth_card(cards, count)
            return count
        if longest < 2:
            return 0
        # 2. A guarded king behind the ace.
        king: cython.ulonglong = cards ^ ace
        king &= ~king + 1
        self.ranks = king
        if lho & king and lho != king and leader & ace:
            return 1
        if rho & king and rho != king and partner & ace:
            return 1
        # 3. King and queen.
        queen: cython.ulonglong = cards ^ ace ^ king
        queen &= ~queen + 1
        self.ranks = queen
        return 1 if queen and not (king | queen) & rest else 0

    # -- move ordering ---------------------------------------------------------------------------

    def score_lead(self, player, card, cards):
        """Move-ordering score of a lead."""
        s: cython.int = lowest(card) & 48
        suit: cython.ulonglong = SUIT << s
        hand: cython.ulonglong = self.hands[player]
        held: cython.ulonglong = hand & suit
        lho: cython.ulonglong = self.hands[(player + 1) & 3]
        rho: cython.ulonglong = self.hands[(player + 3) & 3]
        partner: cython.ulonglong = self.hands[(player + 2) & 3]
        trump: cython.ulonglong = self.trump
        late: cython.int = s - lowest(card)  # the lower the rank, the later
        # 1. Cards between the hand's highest card of the suit and those equivalent to its lowest.
        rest: cython.ulonglong = cards & ~held & suit & ~(card - 1)
        if card != held & (~held + 1) and rest and held & ~((rest & (~rest + 1)) - 1):
            return late
        # 2. Trumps, and suits that an opponent may ruff.
        if suit == trump:
            return 20
        if (not lho & suit and lho & trump) or (not rho & suit and rho & trump):
            return late
        # 3. Finesses against the next player.
        across: cython.ulonglong = partner & suit
        both: cython.ulonglong = held | across
        top: cython.ulonglong[5]
        if not cython.compiled:
            top = [0] * 5
        i: cython.int
        rest = cards & suit
        for i in range(5):
            top[i] = rest & (~rest + 1)
            rest ^= top[i]
        lho &= suit
        rho &= suit
        if across & (across - 1) and lho & (lho - 1):
            if across & top[1] and lho & top[0]:
                return 100
            if across & top[0] and lho & top[1] and both & top[2] and (across & top[2] or both & top[3]):
                return 100
            if across & top[1] and lho & top[2] and both & top[3] and (across & top[3] or both & top[4]):
                return 100
        # 4. With a trump suit: a suit in which the previous player may cover a high card.
        over: cython.bint = held & top[1] and rho & top[0] and not both & top[2]
        if trump and held & (held - 1) and rho & (rho - 1) and (over or (held & top[0] and rho & top[1])):
            return 40 if card == held & (~held + 1) else late
        # 5. Two of the three highest cards; a ruff by the partner; others.
        if lho and rho and popcount(both & (top[0] | top[1] | top[2])) >= 2:
            return 80
        if lho and rho and not across and 0 < popcount(partner & trump) <= popcount(hand & trump):
            return 110 if card == ONE << highest(held) else late
        return 60

    def score_follower(self, k, player, left, winner, best, card):
        """Move-ordering score of a follower's card: 100 or more if it wins; otherwise low cards first."""
        led: cython.ulonglong = self.led[left]
        s: cython.int = lowest(card) & 48
        suit: cython.ulonglong = SUIT << s
        rank: cython.int = lowest(card) - s
        trump: cython.ulonglong = self.trump
        wins: cython.bint = card < best if best & suit else suit == trump
        partner_wins: cython.bint = k > 1 and not (winner ^ player) & 1
        new_best: cython.ulonglong = card if wins else best
        next_hand: cython.ulonglong = self.hands[(player + 1) & 3]
        opponent_beats: cython.bint = False  # the next player beats the best card after this one
        if k < 3:
            opponent_beats = self.beats(next_hand, new_best, led)
            if partner_wins and not self.beats(next_hand, best, led):
                wins = False
        elif partner_wins:
            wins = False
        if suit != led and suit != trump:
            # a discard
            held: cython.ulonglong = self.hands[player] & suit
            cards: cython.ulonglong = self.all_cards[left] & suit
            rank += 2 * popcount(held)
            if card == cards & (~cards + 1):
                rank -= 30
            return rank
        if wins and not opponent_beats:
            return 100 + rank
        if suit != led:
            return rank - 20 if partner_wins else rank + 20
        return rank

    def beats(self, hand, best, led):
        """True if a hand can beat the best card of the trick so far."""
        if hand & led:
            return (best & led) != 0 and (hand & led & (best - 1)) != 0
        if best & self.trump:
            return (hand & self.trump & (best - 1)) != 0
        return (hand & self.trump) != 0

    def hint_key(self, k, player, left, best):
        """Hash key of the hand (when following suit, of all cards left in that suit) and of `best`."""
        key: cython.ulonglong = self.hands[player]
        if k:
            if key & self.led[left]:
                key = self.all_cards[left] & self.led[left]
            at: cython.ulonglong = lowest(best)
            key |= (at & 7) << 45 | (at >> 3) << 61
        key |= cython.cast(cython.ulonglong, k) << 13 | cython.cast(cython.ulonglong, player) << 29
        return spread(key)

    def cutoff_card(self, key):
        """The card of the last cutoff with this key; 0 if there is none."""
        entry: cython.ulonglong = self.cutoff_cards[key >> 48]
        return 0 if (entry ^ key) & ~CARD_BITS else ONE << (entry & CARD_BITS)

    def sort_moves(self, k, player, left, winner, best, cards, base):
        """Write cards to `moves` from `base` on, the most promising first; return the end."""
        end: cython.int = base
        while cards:
            card: cython.ulonglong = cards & (~cards + 1)
            cards ^= card
            value: cython.int
            if k:
                value = self.score_follower(k, player, left, winner, best, card)
            else:
                value = self.score_lead(player, card, self.all_cards[left])
            i: cython.int = end
            while i > base and self.scores[i - 1] < value:
                self.scores[i] = self.scores[i - 1]
                self.moves[i] = self.moves[i - 1]
                i -= 1
            self.scores[i] = value
            self.moves[i] = card
            end += 1
        return end

    # -- the search ------------------------------------------------------------------------------

    def visit_card(self, k, player, need, left, winner, best, trick):
        """As `visit`, with `player` to play card k of the trick."""
        hand: cython.ulonglong = self.hands[player]
        led: cython.ulonglong = self.led[left]
        cards: cython.ulonglong = self.all_cards[left]
        moves: cython.ulonglong = hand
        base: cython.int = (4 * left + k) * MOVES
        end: cython.int = base
        if k and hand & led:
            moves = hand & led
        # 1. Of equivalent cards only the highest.
        played: cython.ulonglong = FULL & ~cards
        covered: cython.ulonglong = moves << 1
        covered = (covered | (played + (covered & played))) & ~played
        moves &= ~covered
        # 2. The card of the last cutoff first.
        key: cython.ulonglong = self.hint_key(k, player, left, best)
        rest: cython.ulonglong = self.cutoff_card(key) & moves
        if rest:
            self.moves[end] = rest
            end += 1
        rest ^= moves
        # 3. Search each in turn until one is sufficient.
        maximizing: cython.bint = not player & 1
        best_value: cython.int = 0 if maximizing else left
        ranks: cython.ulonglong = 0
        i: cython.int = base
        card: cython.ulonglong
        while True:
            if i == end:
                if not rest & moves:
                    break
                end = self.sort_moves(k, player, left, winner, best, rest & moves, end)
                rest = 0
            card = self.moves[i]
            i += 1
            if not card & moves:
                continue
            suit: cython.ulonglong = SUIT << (lowest(card) & 48)
            self.hands[player] ^= card
            self.shape -= ONE << (16 * player + (lowest(card) >> 2 & 12))
            if not k:
                self.led[left] = suit
                value: cython.int = self.visit_card(1, (player + 1) & 3, need, left, player, card, card)
            else:
                next_winner: cython.int = winner
                next_best: cython.ulonglong = best
                if card < best if best & suit else suit == self.trump:
                    next_winner, next_best = player, card
                if k < 3:
                    value = self.visit_card(
                        k + 1, (player + 1) & 3, need, left, next_winner, next_best, trick | card
                    )
                else:
                    taken: cython.int = 1 - (next_winner & 1)
                    value = taken + self.visit(next_winner, need - taken, left - 1)
                    suit = SUIT << (lowest(next_best) & 48)
                    if (trick | card) & suit != next_best:  # it won by its rank
                        self.ranks |= next_best
            self.hands[player] ^= card
            self.shape += ONE << (16 * player + (lowest(card) >> 2 & 12))
            if self.stopped:
                return 0
            if (value >= need) == maximizing:
                self.cutoff_cards[key >> 48] = (key & ~CARD_BITS) | lowest(card)
                return value
            best_value = max(best_value, value) if maximizing else min(best_value, value)
            # 4. Cards below all ranks that mattered are equivalent, if this card is one of them.
            ranks |= self.ranks
            suit = SUIT << (lowest(card) & 48)
            mattered: cython.ulonglong = self.ranks & suit
            if not mattered:
                moves &= ~suit
            elif card > mattered:
                moves &= ~suit | ((ONE << (highest(mattered) + 1)) - 1)
            else:
                # 5. If its own rank mattered, it represents all equivalent cards.
                others: cython.ulonglong = cards & ~hand & suit & ~(card - 1)
                equivalent: cython.ulonglong = hand & suit & ((others & (~others + 1)) - 1)
                ranks |= ONE << highest(equivalent)
        self.ranks = ranks
        return best_value

    def visit(self, leader, need, left):
        """A bound of the tricks of players 0 and 2 that decides whether they take `need` of those left."""
        self.ranks = 0
        if need <= 0:
            return 0
        if need > left:
            return left
        self.nodes += 1
        if self.nodes >= self.next_poll and self.poll():
            return 0
        if left == 1:
            return self.last_trick(leader)
        maximizing: cython.bint = not leader & 1
        wanted: cython.int = need if maximizing else left - need + 1
        self.all_cards[left] = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3]
        # 1. Static bounds.
        bound: cython.int = self.quick_tricks(leader, left, wanted)
        if bound >= wanted:
            return bound if maximizing else left - bound
        bound = self.later_tricks(leader, left)
        if bound >= left + 1 - wanted:
            return left - bound if maximizing else bound
        # 2. The table.
        value: cython.int = self.probe(leader, need, left)
        if value >= 0:
            return value
        # 3. Search.
        value = self.visit_card(0, leader, need, left, leader, 0, 0)
        if not self.stopped:
            self.store(leader, need, value, left)
        return value

    def search_tricks(self, k, player, left, winner, best, trick, guess):
        """The tricks of players 0 and 2, by null windows from `guess` on."""
        lower: cython.int = 0
        upper: cython.int = left
        need: cython.int = guess
        self.all_cards[left] = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3] | trick
        while lower < upper and not self.stopped:
            need = min(max(need, lower + 1), upper)
            value: cython.int
            if k:
                value = self.visit_card(k, player, need, left, winner, best, trick)
            else:
                value = self.visit(player, need, left)
            if value >= need:
                lower = value
                need = value + 1
            else:
                upper = need = value
        return lower

    # -- interface -------------------------------------------------------------------------------

    def tricks(self, leader: cython.int, trick=(), guess: cython.int = 7):
        """The number of remaining tricks that players 0 and 2 take if `leader` leads the next.

        None if stopped. `trick`: the cells of the cards already played to it, in order; the hands may still
        contain them. `guess`: the first window.
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
        value: cython.int = 0
        if left:
            self.led[left] = led
            with cython.nogil:
                value = self.search_tricks(k, player, left, winner, best, played, guess)
        for player in range(4):
            self.hands[player] = hands[player]
        self.shape = shape
        return None if self.stopped else taken + value

    def table(self, hands):
        """The tricks of each declarer in each strain, no trumps last: table[strain][declarer].

        None if stopped.
        """
        rows = []
        for trump in range(5):
            row = self.strain(hands, trump)
            if row is None:
                return None
            rows.append(row)
        return rows

    def strain(self, hands, trump: cython.int):
        """The tricks of each declarer with one trump suit, 4 for no trumps; None if stopped."""
        self.deal(hands, trump)
        row = [0] * 4
        total: cython.int = popcount(self.hands[0])
        guess: cython.int = (total + 1) // 2
        leader: cython.int
        for leader in range(4):
            taken = self.tricks(leader, (), guess)
            if taken is None:
                return None
            guess = taken + 1
            row[(leader + 3) & 3] = taken if leader & 1 else total - taken
        return row
