"""Belief search for heads-up hold'em: the values of moves for a player who sees only their own cards.

The opponent is one of several types (`STYLES`, or a player of habit), so that their actions are chance nodes
with known probabilities. Each action updates the belief about their hand and type by Bayes' rule. The value
of a move is an expectation: the maximum over the player's moves, the sum over the opponent's actions. It does
not depend on the hand that the opponent holds in the position.

1. Sample `HANDS` hands from the opponent's range (systematic sampling).
2. Search this betting round: the given moves at the root, later only the smallest raise, for both players,
   and at most `MAX_RAISES` raises.
3. Sample `BOARDS` boards for the next street, and search its betting round.
4. After it, and after an all-in, both check down: the mean over `RUNS` samples of the board for each hand.
5. A few boards are noisy, and a maximum over them is biased. So a board contributes only the difference of
   its betting value and its showdown value; the showdown itself is that of step 4 (control variate).

Sets of cards are bits, see `poker_hands`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations
from operator import add, lt, mul
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gameplay.capabilities import unchecked
from gameplay.games.holdem import hand_reading
from gameplay.games.holdem.hand_reading import BITS, CALL, FOLD, PACK, RAISE, Action, Cards, Hand
from gameplay.games.shared import poker_hands
from gameplay.position import CHANCE

if TYPE_CHECKING:
    from gameplay.capabilities import StopSignal

HANDS = 70  # of the opponent
RUNS = 24  # board samples for each of them
LATER_RUNS = 3  # ... after the next street
BOARDS = 8  # samples of the next street
RANK_SAMPLES = 150  # random hands that determine a rank on a board
WORST_WEIGHT = 0.5  # weight of the value against the worst type; the rest is for the mean
MAX_RAISES = 2  # searched in a betting round
FLOP, SHOWDOWN = 3, 5  # board cards
RANDOM_MOVE = 0.05  # fraction of actions
HABIT_SHARE = 0.1  # fraction of players that act by habit
PRIOR_FOLDS = 0.2  # prior count of folds, with one call and one raise


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
    unequal_antes: tuple[int, ...]

    @property
    def state(self) -> BettingState: ...
    def moves(self) -> Sequence[int]: ...
    def few_moves(self) -> Sequence[int]: ...
    def make(self, move: int) -> None: ...
    def unmake(self) -> None: ...
    def describe_action(self, move: int) -> Action: ...
    def seen(self, player: int) -> tuple[Hand, tuple[Action, ...]]: ...


class Style(NamedTuple):
    """A type of player who plays by their hand; see `hand_reading` for the formulas."""

    share: float  # of players
    bets: float  # cap of the bets counted, except overbets: a low cap folds rarely
    power: int  # how sharply they distinguish good hands from bad ones
    few: float = 0  # bets counted before the flop; 0: the actual number
    raised: float = 1  # bets that a raise counts more than a call; near 0: raises or folds


# The last type plays one hand in seven and never folds it.
STYLES = (
    Style(0.15, 99, 2),
    Style(0.15, 1, 4),
    Style(0.35, 2, 4),
    Style(0.25, 1.2, 12, few=2.8, raised=0.1),
)


class Belief(NamedTuple):
    """The probability of each player type with each hand, and the opponent's actions."""

    by_style: list[list[float]]  # by style and hand
    habit: float  # to be multiplied by `prior` of a hand
    counts: tuple[float, float, float]  # folds, calls and raises, with prior counts


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
        """Build the tree; `position` is restored. moves: those of `player`, on turn, at this node.

        rounds: betting rounds to search after this one; raised: raises so far in this one.
        """
        state, dead = position.state, position.unequal_antes
        self.player = position.turn if player < 0 else player
        self.is_own_turn, self.paid = position.turn == self.player, state.paid[self.player]
        self.opponent_paid = state.paid[1 - self.player]
        pot = min(paid - ante for paid, ante in zip(state.paid, dead, strict=True))
        self.stake = pot + sum(dead) / 2  # at showdown, multiplied by the player's result, -1 to 1
        self.shift = (dead[1 - self.player] - dead[self.player]) / 2  # ... plus this
        self.after: dict[int, BettingNode] = {}  # by move, without a fold
        self.next: BettingNode | None = None  # the next round
        self.over = state.over or position.turn == CHANCE
        make = unchecked(position)
        if not self.over:
            self.action = position.describe_action(CALL)
            self.moves = moves or position.moves()[: 1 + self.action.faces_bet + (raised < MAX_RAISES)]
            for move in self.moves:
                if move != FOLD:
                    make(move)
                    self.after[move] = BettingNode(position, rounds, (), raised + (move > CALL), self.player)
                    position.unmake()
        elif rounds and not state.over and all(map(lt, state.paid, position.stacks)):
            fresh = 1 if state.open else FLOP
            for _ in range(fresh):
                make(position.moves()[0])
            self.next = BettingNode(position, rounds - 1, player=self.player)
            for _ in range(fresh):
                position.unmake()


class BoardCards:
    """A board, and the ranks and results of the opponent's hands on it."""

    def __init__(self, cards: int, ranks: list[float], shares: list[float]) -> None:
        self.cards, self.ranks = cards, ranks
        self.shares = shares  # by hand, the player's result at showdown, -1 to 1
        self.next: list[BoardCards] = []
        self.odds: dict[tuple[int, float, bool, bool], list[tuple[list[float], ...]]] = {}

    def action_odds(self, action: Action) -> list[tuple[list[float], ...]]:
        """The probabilities of fold, call and raise by style and hand."""
        key = action.bets, action.extra_bets, action.faces_bet, action.can_raise
        if key not in self.odds:
            self.odds[key] = list(zip(*[odds(action, self.ranks, style) for style in STYLES], strict=True))
        return self.odds[key]


class Lookahead:
    """Values the moves of a heads-up position. `nodes`: positions visited."""

    def __init__(self, position: "BettingGame", control: "StopSignal | None" = None, seed: int = 0) -> None:
        """`position` is restored after each call."""
        self.position, self.control, self.seed, self.nodes = position, control, seed, 0
        self.own, self.actions = position.seen(position.turn)
        self.own_mask, self.opened = mask(self.own), mask(position.state.open)
        self.possible = posterior(self.actions, (*self.own, *position.state.open))
        self.root: BettingNode | None = None
        self.sample = 0

    def moves(self) -> Sequence[int]:
        """The moves to value by default."""
        return self.position.few_moves()

    def values(self, moves: Sequence[int], sample: int, node_limit: int) -> dict[int, float] | None:
        """The value of each move in chips: half the mean, half the value against the worst type.

        sample: the index of the sample of hands and boards; 0: the first one, this betting round only.
        None if stopped, or after `node_limit` nodes (0: no limit).
        """
        if self.root is None or self.root.moves != moves:
            self.root = BettingNode(self.position, 1, moves)
        self.node_limit, self.ahead = node_limit, sample > 0
        if self.sample != max(1, sample):
            self.sample = max(1, sample)
            self._start_sample()
        belief, cards = self.belief, self.cards
        weights = self._weights(belief)
        values = {}
        try:
            for move in moves:
                each = self._move_value(move, self.root, cards, belief)
                worst = min([value / weight for value, weight in zip(each, weights, strict=True)])
                values[move] = (1 - WORST_WEIGHT) * sum(each) + WORST_WEIGHT * worst
        except SearchStopped:
            return None
        return values

    def _start_sample(self) -> None:
        """Step 1."""
        opened = self.position.state.open
        self.rng = Random(f"{self.seed}/{self.sample}/{self.own}/{opened}/{self.position.state.history}")
        hands, by_style, habit = self.possible
        each = [habit + sum(some) for some in zip(*by_style, strict=True)]
        sums = list(accumulate(each))
        step, begin = sums[-1] / HANDS, self.rng.random()
        picked = [bisect_left(sums, (i + begin) * step, 0, len(sums) - 1) for i in range(HANDS)]
        ranked = hand_reading.ranks(opened)
        self.hands = [mask(hands[i]) for i in picked]
        self.prior = [habit / HANDS / each[i] for i in picked]
        folds, calls, raises = [
            first + sum(action.kind == what for action in self.actions)
            for what, first in ((FOLD, PRIOR_FOLDS), (CALL, 1), (RAISE, 1))
        ]
        styles = [[some[i] / HANDS / each[i] for i in picked] for some in by_style]
        ranks = [ranked[hands[i]] for i in picked]
        self.belief = Belief(styles, 1.0, (folds, calls, raises))
        self.cards = BoardCards(self.opened, ranks, self._shares(self.opened, RUNS))

    def _move_value(self, move: int, node: BettingNode, cards: BoardCards, belief: Belief) -> list[float]:
        """The value of a move of the player, times the weight of the belief."""
        if move == FOLD:
            return [-node.paid * weight for weight in self._weights(belief)]
        return self._value(node.after[move], cards, belief)

    def _value(self, node: BettingNode, cards: BoardCards, belief: Belief) -> list[float]:
        """The value of a position, by type, times the weight of the belief."""
        self.nodes += 1
        if (self.node_limit and self.nodes > self.node_limit) or (self.control and self.control.expired()):
            self.nodes -= 1
            raise SearchStopped
        if node.over:
            return self._round_value(node, cards, belief)
        if node.is_own_turn:
            return max([self._move_value(move, node, cards, belief) for move in node.moves], key=sum)
        return self._opponent_value(node, cards, belief)

    def _opponent_value(self, node: BettingNode, cards: BoardCards, belief: Belief) -> list[float]:
        """The sum over the opponent's actions; raises that are not searched count as calls."""
        action, counts = node.action, belief.counts
        shares = [counts[FOLD] * action.faces_bet, counts[CALL], counts[RAISE] * action.can_raise]
        every, likely = sum(shares), cards.action_odds(action)
        raises = next((move for move in node.moves if move > CALL), CALL)
        if raises == CALL and action.can_raise:
            calls = [list(map(add, *some)) for some in zip(likely[CALL], likely[RAISE], strict=True)]
            likely = [likely[FOLD], tuple(calls), ()]
            shares = [shares[FOLD], shares[CALL] + shares[RAISE], 0]
        total = [0.0] * (1 + len(STYLES))
        for what, (move, share) in enumerate(zip((FOLD, CALL, raises), shares, strict=True)):
            if not share:
                continue
            by_style = [list(map(mul, *some)) for some in zip(belief.by_style, likely[what], strict=True)]
            seen = (counts[0] + (what == FOLD), counts[1] + (what == CALL), counts[2] + (what == RAISE))
            after = Belief(by_style, belief.habit * share / every, seen)
            if what == FOLD:
                each = [node.opponent_paid * weight for weight in self._weights(after)]
            else:
                each = self._value(node.after[move], cards, after)
            total = list(map(add, total, each))
        return total

    def _round_value(self, node: BettingNode, cards: BoardCards, belief: Belief) -> list[float]:
        """The value after a betting round: steps 3 to 5."""
        total, later = self._showdown(node, cards, belief), node.next
        if later is None or not self.ahead:
            return total
        if not cards.next:
            self._sample_boards(cards)
        count = len(cards.next)
        for fresh in cards.next:
            betting, plain = self._value(later, fresh, belief), self._showdown(node, fresh, belief)
            total = [one + (a - b) / count for one, a, b in zip(total, betting, plain, strict=True)]
        return total

    def _showdown(self, node: BettingNode, cards: BoardCards, belief: Belief) -> list[float]:
        """The payoff at showdown, by type, times the weight of the belief."""
        sums = [sum(map(mul, some, cards.shares)) for some in (*belief.by_style, self.prior)]
        sums[-1] *= belief.habit
        if not node.shift:
            return [node.stake * share for share in sums]
        weights = self._weights(belief)
        return [node.stake * share + node.shift * weight for share, weight in zip(sums, weights, strict=True)]

    def _weights(self, belief: Belief) -> list[float]:
        """The probability of the actions that led to a belief."""
        return [*map(sum, belief.by_style), belief.habit * sum(self.prior)]

    # -- cards -------------------------------------------------------------------------------------

    def _sample_boards(self, cards: BoardCards) -> None:
        """Sample the next board cards."""
        fresh = 1 if cards.cards else FLOP
        rest = self._rest(cards.cards)
        for _ in range(BOARDS):
            opened = cards.cards + self._draw_cards(rest, fresh, 0)
            cards.next.append(BoardCards(opened, self._ranks(opened), self._shares(opened, LATER_RUNS)))

    def _rest(self, opened: int) -> list[int]:
        """The cards unseen by the player."""
        return [card for card in BITS if not card & (self.own_mask | opened)]

    def _draw_cards(self, rest: list[int], count: int, taken: int) -> int:
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
        order = sorted(
            [poker_hands.strength(opened + self._draw_cards(rest, 2, 0)) for _ in range(RANK_SAMPLES)]
        )
        ranks = []
        for hand in self.hands:
            rank = 1.0
            if not hand & opened:
                made = poker_hands.strength(opened + hand)
                rank -= (bisect_left(order, made) + bisect_right(order, made)) / 2 / RANK_SAMPLES
            ranks.append(rank)
        return ranks

    def _shares(self, opened: int, runs: int) -> list[float]:
        """The payoff at showdown against each hand; 0 if it shares a card with the board."""
        rest, lacking = self._rest(opened), SHOWDOWN - opened.bit_count()
        runs = runs if lacking else 1
        results = []
        for hand in self.hands:
            won = 0
            if not hand & opened:
                for _ in range(runs):
                    cards = opened + self._draw_cards(rest, lacking, hand)
                    own, other = (
                        poker_hands.strength(self.own_mask + cards),
                        poker_hands.strength(hand + cards),
                    )
                    won += (own > other) - (own < other)
            results.append(won / runs)
        return results


def mask(cards: Cards) -> int:
    """Cards as bits."""
    return sum([BITS[card] for card in cards])


def odds(
    action: Action, ranks: Sequence[float], style: Style
) -> tuple[list[float], list[float], list[float]]:
    """The probabilities of fold, call and raise for a style, by hand, given the hands' ranks."""
    counted, power = min(action.bets, style.bets) + action.extra_bets, style.power
    bets = style.few if style.few and not action.open else counted
    some, many = 2.0 ** (bets * power), 2.0 ** ((bets + style.raised) * power)
    powers, none = [rank**power for rank in ranks], [0.0] * len(ranks)
    stay = [1 / (1 + some * power) for power in powers] if action.faces_bet else [1.0] * len(ranks)
    more = [1 / (1 + many * power) for power in powers] if action.can_raise else none
    least, rest = RANDOM_MOVE / (1 + action.faces_bet + action.can_raise), 1 - RANDOM_MOVE
    return (
        [least + rest * (1 - share) for share in stay] if action.faces_bet else none,
        [least + rest * (one - two) for one, two in zip(stay, more, strict=True)],
        [least + rest * share for share in more] if action.can_raise else none,
    )


@lru_cache(maxsize=64)
def _action_odds(action: Action, style: Style) -> dict[Hand, float]:
    """The probability of an action for a style, by hand."""
    ranked = hand_reading.ranks(action.open)
    return dict(zip(ranked, odds(action, list(ranked.values()), style)[action.kind], strict=True))


def posterior(actions: tuple[Action, ...], known: Cards) -> tuple[list[Hand], list[list[float]], float]:
    """A player's range, with the probability of each hand by style, and that of the actions by habit."""
    hands = list(combinations([card for card in range(PACK) if card not in known], 2))
    by_style = [[style.share] * len(hands) for style in STYLES]
    for action in actions:
        for some, style in zip(by_style, STYLES, strict=True):
            each = _action_odds(action, style)
            some[:] = [share * each[hand] for share, hand in zip(some, hands, strict=True)]
    return hands, by_style, HABIT_SHARE * hand_reading.habit_probability(actions, PRIOR_FOLDS)
