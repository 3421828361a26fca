"""Belief search for heads-up hold'em: the values of moves for a player who sees only their own cards.

The opponent is one of several types (`STYLES`, and one who plays by habit), so that what they do is chance
with known odds. Each action changes the odds of their hands and of the types, by Bayes. The value of a move
is an expectation: the player takes the maximum over their moves, the opponent's actions are summed. Neither
values nor plans depend on the hand that the opponent holds in the position.

    1. Hands: `HANDS` that the opponent may hold, sampled by what they did, at even steps.
    2. The rest of this round of bets: now the moves that are asked for, later of all raises the smallest
       alone, as of the opponent; `MORE` raises at most.
    3. `BOARDS` samples of the next open cards, and the round of bets that follows.
    4. Behind it, and after an all-in, both check to the end: the mean over `RUNS` samples of the cards to
       come, each hand with its own.
    5. Few boards are noisy, and the player would choose what these few favour. So only what the bets on a
       board bring beyond its showdown is taken from them; the showdown itself is that of step 4 (a control
       variate).

Sets of cards are bits, see `poker_hands`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations
from operator import add, lt, mul
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gameplay.games.holdem import hand_reading
from gameplay.games.holdem.hand_reading import BITS, CALL, FOLD, PACK, RAISE, Cards, Deed, Hand
from gameplay.games.shared import poker_hands
from gameplay.position import CHANCE

if TYPE_CHECKING:
    from gameplay.capabilities import StopSignal

HANDS = 70  # of the opponent
RUNS = 24  # samples of the cards to come, for each of them
LATER = 3  # ... behind the next open cards
BOARDS = 8  # samples of the next open cards
COMPARED = 150  # hands that these are ranked among there
WORST = 0.5  # weight of the value against the worst type, the mean has the rest: no type is certain
MORE = 2  # raises that are looked ahead in a round
FLOP, SHOWDOWN = 3, 5  # open cards
ANY = 0.05  # of moves
BLIND = 0.1  # of players: those who play by habit
FOLDS = 0.2  # that these are credited with from the start, to one call and one raise


class BettingState(Protocol):
    """The fields used of a hand's state, see `game.py: Betting`."""

    @property
    def open(self) -> Cards: ...
    @property
    def paid(self) -> tuple[int, ...]: ...
    @property
    def history(self) -> tuple[int, ...]: ...
    @property
    def over(self) -> bool: ...


class BettingGame(Protocol):
    """The methods used of a hand, see `game.py: Holdem`."""

    turn: int
    stacks: tuple[int, ...]
    dead: tuple[int, ...]

    @property
    def state(self) -> BettingState: ...
    def moves(self) -> Sequence[int]: ...
    def few_moves(self) -> Sequence[int]: ...
    def make(self, move: int) -> None: ...
    def unmake(self) -> None: ...
    def deed(self, move: int) -> Deed: ...
    def seen(self, player: int) -> tuple[Hand, tuple[Deed, ...]]: ...


class Style(NamedTuple):
    """Players who look at their hand; see `hand_reading` for their odds."""

    share: float  # of players
    bets: float  # that they count at most, but for what is above the pot: who counts few seldom gives up
    power: int  # how sharply they distinguish good hands from bad ones
    few: float = 0  # bets that they count before the flop, whatever was bet; 0: those that were made
    raised: float = 1  # bets that a raise counts beyond a call: who counts none raises or folds


# The last plays one hand in seven, and then to the end.
STYLES = (
    Style(0.15, 99, 2),
    Style(0.15, 1, 4),
    Style(0.35, 2, 4),
    Style(0.25, 1.2, 12, few=2.8, raised=0.1),
)


class Belief(NamedTuple):
    """The probability of each player type with each hand, and the opponent's actions."""

    looking: list[list[float]]  # by style and hand
    habit: float  # times `prior` of a hand
    counts: tuple[float, float, float]  # folds, calls and raises, with those from the start


class SearchStopped(Exception):
    """Aborts a search; there is nothing to undo."""


class BettingNode:
    """A node of the betting tree, which is the same for all board cards."""

    def __init__(
        self,
        position: "BettingGame",
        rounds: int,
        moves: Sequence[int] = (),
        raised: int = 0,
        player: int = -1,
    ) -> None:
        """`position` is left as it was. Of `player`, the one on turn, `moves` are to be looked at here.

        `rounds` of betting follow this one at most, behind `raised` raises in this one.
        """
        state, dead = position.state, position.dead
        self.player = position.turn if player < 0 else player
        self.mine, self.paid = position.turn == self.player, state.paid[self.player]
        self.theirs = state.paid[1 - self.player]
        pot = min(one - ante for one, ante in zip(state.paid, dead, strict=True))
        self.stake = pot + sum(dead) / 2  # at showdown times the player's share, from -1 to 1
        self.shift = (dead[1 - self.player] - dead[self.player]) / 2  # ... and this
        self.after: dict[int, BettingNode] = {}  # by move; none behind a fold
        self.next: BettingNode | None = None  # the next round
        self.over = state.over or position.turn == CHANCE
        if not self.over:
            self.deed = position.deed(CALL)
            self.moves = moves or position.moves()[: 1 + self.deed.owed + (raised < MORE)]
            for move in self.moves:
                if move != FOLD:
                    position.make(move)
                    self.after[move] = BettingNode(position, rounds, (), raised + (move > CALL), self.player)
                    position.unmake()
        elif rounds and not state.over and all(map(lt, state.paid, position.stacks)):
            fresh = 1 if state.open else FLOP
            for _ in range(fresh):
                position.make(position.moves()[0])
            self.next = BettingNode(position, rounds - 1, player=self.player)
            for _ in range(fresh):
                position.unmake()


class OpenCards:
    """A board, and the opponent's hands on it."""

    def __init__(self, cards: int, ranks: list[float], shares: list[float]) -> None:
        self.cards, self.ranks = cards, ranks
        self.shares = shares  # by hand, what the player gets at showdown, from -1 to 1
        self.next: list[OpenCards] = []
        self.odds: dict[tuple[int, float, bool, bool], list[tuple[list[float], ...]]] = {}

    def likely(self, deed: Deed) -> list[tuple[list[float], ...]]:
        """The probabilities of fold, call and raise by style and hand."""
        key = deed.bets, deed.over, deed.owed, deed.free
        if key not in self.odds:
            self.odds[key] = list(zip(*[odds(deed, self.ranks, style) for style in STYLES], strict=True))
        return self.odds[key]


class Lookahead:
    """Values the moves of a heads-up position. `nodes`: positions visited."""

    def __init__(self, position: "BettingGame", control: "StopSignal | None" = None, seed: int = 0) -> None:
        """`position` is restored after each call."""
        self.position, self.control, self.seed, self.nodes = position, control, seed, 0
        self.own, self.deeds = position.seen(position.turn)
        self.mine, self.opened = mask(self.own), mask(position.state.open)
        self.possible = posterior(self.deeds, (*self.own, *position.state.open))
        self.root: BettingNode | None = None
        self.sample = 0

    def moves(self) -> Sequence[int]:
        """The moves to value by default."""
        return self.position.few_moves()

    def values(self, moves: Sequence[int], sample: int, most: int) -> dict[int, float] | None:
        """The value of each move in chips: half the mean, half the value against the worst type.

        `sample`: the number of the sample of hands and cards; 0: of the first one this round of bets alone.
        None: stopped, or at `most` nodes (0: any number).
        """
        if self.root is None or self.root.moves != moves:
            self.root = BettingNode(self.position, 1, moves)
        self.most, self.ahead = most, sample > 0
        if self.sample != max(1, sample):
            self.sample = max(1, sample)
            self._begin()
        belief, cards = self.belief, self.cards
        weights = self._weights(belief)
        values = {}
        try:
            for move in moves:
                each = self._made(move, self.root, cards, belief)
                worst = min([value / weight for value, weight in zip(each, weights, strict=True)])
                values[move] = (1 - WORST) * sum(each) + WORST * worst
        except SearchStopped:
            return None
        return values

    def _begin(self) -> None:
        """Step 1."""
        opened = self.position.state.open
        self.rng = Random(f"{self.seed}/{self.sample}/{self.own}/{opened}/{self.position.state.history}")
        hands, looking, habit = self.possible
        each = [habit + sum(some) for some in zip(*looking, strict=True)]
        sums = list(accumulate(each))
        step, begin = sums[-1] / HANDS, self.rng.random()
        picked = [bisect_left(sums, (i + begin) * step, 0, len(sums) - 1) for i in range(HANDS)]
        ranked = hand_reading.ranks(opened)
        self.hands = [mask(hands[i]) for i in picked]
        self.prior = [habit / HANDS / each[i] for i in picked]
        folds, calls, raises = [
            first + sum(deed.what == what for deed in self.deeds)
            for what, first in ((FOLD, FOLDS), (CALL, 1), (RAISE, 1))
        ]
        styles = [[some[i] / HANDS / each[i] for i in picked] for some in looking]
        ranks = [ranked[hands[i]] for i in picked]
        self.belief = Belief(styles, 1.0, (folds, calls, raises))
        self.cards = OpenCards(self.opened, ranks, self._shares(self.opened, RUNS))

    def _made(self, move: int, node: BettingNode, cards: OpenCards, belief: Belief) -> list[float]:
        """The value of a move of the player, times the weight of the belief."""
        if move == FOLD:
            return [-node.paid * weight for weight in self._weights(belief)]
        return self._value(node.after[move], cards, belief)

    def _value(self, node: BettingNode, cards: OpenCards, belief: Belief) -> list[float]:
        """The value of a position, by type, times the weight of the belief."""
        self.nodes += 1
        if (self.most and self.nodes > self.most) or (self.control and self.control.expired()):
            self.nodes -= 1
            raise SearchStopped
        if node.over:
            return self._ended(node, cards, belief)
        if node.mine:
            return max([self._made(move, node, cards, belief) for move in node.moves], key=sum)
        return self._theirs(node, cards, belief)

    def _theirs(self, node: BettingNode, cards: OpenCards, belief: Belief) -> list[float]:
        """The sum over the opponent's actions; where raises are not searched, they count as calls."""
        deed, counts = node.deed, belief.counts
        shares = [counts[FOLD] * deed.owed, counts[CALL], counts[RAISE] * deed.free]
        every, likely = sum(shares), cards.likely(deed)
        raises = next((move for move in node.moves if move > CALL), CALL)
        if raises == CALL and deed.free:
            calls = [list(map(add, *some)) for some in zip(likely[CALL], likely[RAISE], strict=True)]
            likely = [likely[FOLD], tuple(calls), ()]
            shares = [shares[FOLD], shares[CALL] + shares[RAISE], 0]
        total = [0.0] * (1 + len(STYLES))
        for what, (move, share) in enumerate(zip((FOLD, CALL, raises), shares, strict=True)):
            if not share:
                continue
            looking = [list(map(mul, *some)) for some in zip(belief.looking, likely[what], strict=True)]
            seen = (counts[0] + (what == FOLD), counts[1] + (what == CALL), counts[2] + (what == RAISE))
            after = Belief(looking, belief.habit * share / every, seen)
            if what == FOLD:
                each = [node.theirs * weight for weight in self._weights(after)]
            else:
                each = self._value(node.after[move], cards, after)
            total = list(map(add, total, each))
        return total

    def _ended(self, node: BettingNode, cards: OpenCards, belief: Belief) -> list[float]:
        """The value after a betting round: steps 3 to 5."""
        total, later = self._showdown(node, cards, belief), node.next
        if later is None or not self.ahead:
            return total
        if not cards.next:
            self._open(cards)
        count = len(cards.next)
        for fresh in cards.next:
            worth, plain = self._value(later, fresh, belief), self._showdown(node, fresh, belief)
            total = [one + (a - b) / count for one, a, b in zip(total, worth, plain, strict=True)]
        return total

    def _showdown(self, node: BettingNode, cards: OpenCards, belief: Belief) -> list[float]:
        """The payoff at showdown, by type, times the weight of the belief."""
        sums = [sum(map(mul, some, cards.shares)) for some in (*belief.looking, self.prior)]
        sums[-1] *= belief.habit
        if not node.shift:
            return [node.stake * share for share in sums]
        weights = self._weights(belief)
        return [node.stake * share + node.shift * one for share, one in zip(sums, weights, strict=True)]

    def _weights(self, belief: Belief) -> list[float]:
        """The probability of the actions that led to a belief."""
        return [*map(sum, belief.looking), belief.habit * sum(self.prior)]

    # -- cards -------------------------------------------------------------------------------------

    def _open(self, cards: OpenCards) -> None:
        """Sample the next board cards."""
        fresh = 1 if cards.cards else FLOP
        rest = self._rest(cards.cards)
        for _ in range(BOARDS):
            opened = cards.cards + self._drawn(rest, fresh, 0)
            cards.next.append(OpenCards(opened, self._ranks(opened), self._shares(opened, LATER)))

    def _rest(self, opened: int) -> list[int]:
        """The cards unseen by the player."""
        return [card for card in BITS if not card & (self.mine | opened)]

    def _drawn(self, rest: list[int], count: int, taken: int) -> int:
        """A random sample of cards of `rest` that are not in `taken`."""
        cards, size, draw = taken, len(rest), self.rng.random
        while count:
            card = rest[int(draw() * size)]
            if not card & cards:
                cards += card
                count -= 1
        return cards - taken

    def _ranks(self, opened: int) -> list[float]:
        """The percentile of each hand among a sample of all; 1 if it shares a card with the board."""
        rest = self._rest(opened)
        order = sorted([poker_hands.strength(opened + self._drawn(rest, 2, 0)) for _ in range(COMPARED)])
        found = []
        for hand in self.hands:
            rank = 1.0
            if not hand & opened:
                made = poker_hands.strength(opened + hand)
                rank -= (bisect_left(order, made) + bisect_right(order, made)) / 2 / COMPARED
            found.append(rank)
        return found

    def _shares(self, opened: int, runs: int) -> list[float]:
        """The payoff at showdown against each hand; 0 if it shares a card with the board."""
        rest, lacking = self._rest(opened), SHOWDOWN - opened.bit_count()
        runs = runs if lacking else 1
        found = []
        for hand in self.hands:
            won = 0
            if not hand & opened:
                for _ in range(runs):
                    cards = opened + self._drawn(rest, lacking, hand)
                    own, other = poker_hands.strength(self.mine + cards), poker_hands.strength(hand + cards)
                    won += (own > other) - (own < other)
            found.append(won / runs)
        return found


def mask(cards: Cards) -> int:
    """Cards as bits."""
    return sum([BITS[card] for card in cards])


def odds(deed: Deed, ranks: Sequence[float], style: Style) -> tuple[list[float], list[float], list[float]]:
    """The probabilities of fold, call and raise for a style, by hand, given the hands' ranks."""
    counted, power = min(deed.bets, style.bets) + deed.over, style.power
    bets = style.few if style.few and not deed.open else counted
    some, many = 2.0 ** (bets * power), 2.0 ** ((bets + style.raised) * power)
    powers, none = [rank**power for rank in ranks], [0.0] * len(ranks)
    stay = [1 / (1 + some * one) for one in powers] if deed.owed else [1.0] * len(ranks)
    more = [1 / (1 + many * one) for one in powers] if deed.free else none
    least, rest = ANY / (1 + deed.owed + deed.free), 1 - ANY
    return (
        [least + rest * (1 - one) for one in stay] if deed.owed else none,
        [least + rest * (one - two) for one, two in zip(stay, more, strict=True)],
        [least + rest * one for one in more] if deed.free else none,
    )


@lru_cache(maxsize=64)
def _acted(deed: Deed, style: Style) -> dict[Hand, float]:
    """The probability of an action for a style, by hand."""
    ranked = hand_reading.ranks(deed.open)
    return dict(zip(ranked, odds(deed, list(ranked.values()), style)[deed.what], strict=True))


def posterior(deeds: tuple[Deed, ...], known: Cards) -> tuple[list[Hand], list[list[float]], float]:
    """A player's range, with the probability of each hand by style, and for players of habits."""
    hands = list(combinations([card for card in range(PACK) if card not in known], 2))
    looking = [[style.share] * len(hands) for style in STYLES]
    for deed in deeds:
        for some, style in zip(looking, STYLES, strict=True):
            each = _acted(deed, style)
            some[:] = [one * each[hand] for one, hand in zip(some, hands, strict=True)]
    return hands, looking, BLIND * hand_reading.habit(deeds, FOLDS)
