"""What the moves of hold'em for two are worth to one who sees their own cards alone: a search of beliefs.

The opponent is one of several types (`STYLES`, and one who plays by habit), so that what they do is chance
with known odds. Each action changes the odds of their hands and of the types, by Bayes. The value of a move
is an expectation: the player takes the maximum over their moves, the opponent's actions are summed. Neither
values nor plans depend on the hand that the opponent holds in the position.

    1. Hands: `HANDS` that the opponent may hold, sampled by what they did, at even steps.
    2. The rest of this round of bets: all bets of the player at once, later the smallest alone, as of the
       opponent; `MORE` raises at most.
    3. `BOARDS` samples of the next open cards, and the round of bets that follows.
    4. Behind it, and after an all-in, both check to the end: the mean over `RUNS` samples of the cards to
       come, each hand with its own.
    5. Few boards are noisy, and the player would choose what these few favour. So only what the bets on a
       board bring beyond its showdown is taken from them; the showdown itself is that of step 4 (a control
       variate).
"""

from bisect import bisect_left, bisect_right
from itertools import accumulate, combinations
from operator import add, mul
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from gameplay.games.holdem import hand_reading
from gameplay.games.holdem.hand_reading import BITS, CALL, FOLD, PACK, RAISE, Cards, Deed, Hand
from gameplay.games.shared import poker_hands
from gameplay.position import CHANCE

if TYPE_CHECKING:
    from gameplay.games.holdem.game import Holdem

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


class Style(NamedTuple):
    """Players who look at their hand; see `hand_reading` for their odds."""

    share: float  # of players
    bets: float  # that they count at most: who counts few does not give up a hand that was good once
    power: int  # how sharply they tell good hands from bad ones


STYLES = (Style(0.2, 99, 2), Style(0.2, 1, 4), Style(0.5, 2, 4))


class Belief(NamedTuple):
    """How likely each type with each hand is, and what the opponent did."""

    looking: list[list[float]]  # by style and hand
    habit: float  # times `prior` of a hand
    counts: tuple[int, int, int]  # folds, calls and raises, one more of each


class Board:
    """Open cards, and the opponent's hands there."""

    def __init__(self, opened: Cards, ranks: list[float], shares: list[float]) -> None:
        self.opened, self.ranks = opened, ranks
        self.shares = shares  # by hand, what the player gets at showdown, from -1 to 1
        self.next: list[Board] = []
        self.odds: dict[Deed, list[list[float]]] = {}

    def likely(self, deed: Deed) -> list[list[float]]:
        """By style and hand, how likely an action is."""
        if deed not in self.odds:
            self.odds[deed] = [[odds(deed, rank, style) for rank in self.ranks] for style in STYLES]
        return self.odds[deed]


class Lookahead:
    """Values the moves of a position with two players. `nodes`: positions visited."""

    def __init__(self, position: "Holdem", seed: int = 0) -> None:
        """`position` is as it was after each call."""
        state, player = position.state, position.turn
        self.position, self.player, self.nodes = position, player, 0
        self.own, deeds = position.seen(player)
        self.rng = Random(f"{seed}/{self.own}/{state.open}/{state.history}")
        known = (*self.own, *state.open)
        hands, looking, habit = posterior(deeds, known)
        each = [habit + sum(some) for some in zip(*looking, strict=True)]
        sums = list(accumulate(each))
        step, begin = sums[-1] / HANDS, self.rng.random()
        picked = [bisect_left(sums, (i + begin) * step, 0, len(sums) - 1) for i in range(HANDS)]
        self.hands = [hands[i] for i in picked]
        self.prior = [habit / HANDS / each[i] for i in picked]
        counts = [1 + sum(deed.what == what for deed in deeds) for what in (FOLD, CALL, RAISE)]
        styles = [[some[i] / HANDS / each[i] for i in picked] for some in looking]
        self.belief = Belief(styles, 1.0, (counts[0], counts[1], counts[2]))
        ranked = hand_reading.ranks(state.open)
        ranks = [ranked[hand] for hand in self.hands]
        self.root = Board(state.open, ranks, self._shares(state.open, RUNS))

    def values(self) -> dict[int, float]:
        """What each move brings the player in chips: in the mean, and in part against the worst type."""
        weights = self._weights(self.belief)
        values = {}
        for move in self.position.moves():
            each = self._made(move, self.root, self.belief, 0)
            worst = min([value / weight for value, weight in zip(each, weights, strict=True)])
            values[move] = (1 - WORST) * sum(each) + WORST * worst
        return values

    def _mine(self, board: Board, belief: Belief, raised: int) -> list[float]:
        """The best move of the player's: fold, call, or the smallest raise."""
        moves = self.position.moves()
        few = [move for move in moves if move <= CALL] + [move for move in moves if move > CALL][
            : raised < MORE
        ]
        return max([self._made(move, board, belief, raised) for move in few], key=sum)

    def _made(self, move: int, board: Board, belief: Belief, raised: int) -> list[float]:
        """The value of a move, times the weight of the belief."""
        if move == FOLD:
            paid = self.position.state.paid[self.player]
            return [-paid * weight for weight in self._weights(belief)]
        return self._after(move, board, belief, raised + (move > CALL))

    def _theirs(self, board: Board, belief: Belief, raised: int) -> list[float]:
        """The sum over what the opponent may do; beyond `MORE` raises they call instead."""
        moves, counts = self.position.moves(), belief.counts
        deed = self.position.deed(CALL)
        shares = [counts[FOLD] * deed.owed, counts[CALL], counts[RAISE] * deed.free]
        likely = [board.likely(deed._replace(what=what)) for what in (FOLD, CALL, RAISE)]
        if raised >= MORE:
            likely[CALL] = [list(map(add, *some)) for some in zip(likely[CALL], likely[RAISE], strict=True)]
            shares[CALL:] = [shares[CALL] + shares[RAISE], 0]
        total = [0.0] * (1 + len(STYLES))
        for what, move in (
            (FOLD, FOLD),
            (CALL, CALL),
            (RAISE, next((one for one in moves if one > CALL), CALL)),
        ):
            if not shares[what]:
                continue
            looking = [list(map(mul, *some)) for some in zip(belief.looking, likely[what], strict=True)]
            seen = (counts[0] + (what == FOLD), counts[1] + (what == CALL), counts[2] + (what == RAISE))
            after = Belief(looking, belief.habit * shares[what] / sum(shares), seen)
            if what == FOLD:
                paid = self.position.state.paid[1 - self.player]
                each = [paid * weight for weight in self._weights(after)]
            else:
                each = self._after(move, board, after, raised + (what == RAISE))
            total = list(map(add, total, each))
        return total

    def _after(self, move: int, board: Board, belief: Belief, raised: int) -> list[float]:
        """The value of the position behind a move that is no fold."""
        self.nodes += 1
        self.position.make(move)
        over = self.position.state.over or self.position.turn == CHANCE
        value = self._ended(board, belief) if over else self._asked(board, belief, raised)
        self.position.unmake()
        return value

    def _asked(self, board: Board, belief: Belief, raised: int) -> list[float]:
        """The value where a player must act."""
        if self.position.turn == self.player:
            return self._mine(board, belief, raised)
        return self._theirs(board, belief, raised)

    def _ended(self, board: Board, belief: Belief) -> list[float]:
        """The value behind a round of bets: steps 3 to 5."""
        position, pot = self.position, min(self.position.state.paid)
        shown = [pot * share for share in self._showdown(board, belief)]
        left = min(stack - paid for stack, paid in zip(position.stacks, position.state.paid, strict=True))
        if board is not self.root or len(board.opened) == SHOWDOWN or not left:
            return shown
        if not board.next:
            self._open(board)
        count, total = len(board.next), shown
        for later in board.next:
            fresh = later.opened[len(board.opened) :]
            for card in fresh:
                position.make(card)
            worth, plain = self._asked(later, belief, 0), self._showdown(later, belief)
            total = [one + (a - pot * b) / count for one, a, b in zip(total, worth, plain, strict=True)]
            for _ in fresh:
                position.unmake()
        return total

    def _showdown(self, board: Board, belief: Belief) -> list[float]:
        """What the player gets at showdown, of each chip, by type, times the weight of the belief."""
        sums = [sum(map(mul, some, board.shares)) for some in (*belief.looking, self.prior)]
        return [*sums[:-1], belief.habit * sums[-1]]

    def _weights(self, belief: Belief) -> list[float]:
        """How likely what led to a belief was."""
        return [*map(sum, belief.looking), belief.habit * sum(self.prior)]

    # -- cards -------------------------------------------------------------------------------------

    def _open(self, board: Board) -> None:
        """Sample the next open cards."""
        rest = self._rest(board.opened)
        for _ in range(BOARDS):
            fresh = sorted(self.rng.sample(rest, 1 if board.opened else FLOP))
            opened = (*board.opened, *fresh)
            board.next.append(Board(opened, self._ranks(opened), self._shares(opened, LATER)))

    def _rest(self, opened: Cards) -> list[int]:
        """The cards that the player does not see."""
        return [card for card in range(PACK) if card not in self.own and card not in opened]

    def _ranks(self, opened: Cards) -> list[float]:
        """The rank of each hand among a sample of all; 1 if one of its cards lies open."""
        shared, rest = sum([BITS[card] for card in opened]), self._rest(opened)
        pairs = [self.rng.sample(rest, 2) for _ in range(COMPARED)]
        worth = sorted([poker_hands.strength(shared + BITS[one] + BITS[two]) for one, two in pairs])
        found = []
        for one, two in self.hands:
            rank = 1.0
            if one not in opened and two not in opened:
                made = poker_hands.strength(shared + BITS[one] + BITS[two])
                rank -= (bisect_left(worth, made) + bisect_right(worth, made)) / 2 / COMPARED
            found.append(rank)
        return found

    def _shares(self, opened: Cards, runs: int) -> list[float]:
        """What the player gets at showdown against each hand; 0 if one of its cards lies open."""
        shared, rest, lacking = (
            sum([BITS[card] for card in opened]),
            self._rest(opened),
            SHOWDOWN - len(opened),
        )
        mine = shared + BITS[self.own[0]] + BITS[self.own[1]]
        runs = runs if lacking else 1
        found = []
        for one, two in self.hands:
            theirs, won, left = shared + BITS[one] + BITS[two], 0, runs
            while left and one not in opened and two not in opened:
                cards = self.rng.sample(rest, lacking)
                if one in cards or two in cards:
                    continue
                more = sum([BITS[card] for card in cards])
                own, other = poker_hands.strength(mine + more), poker_hands.strength(theirs + more)
                won += (own > other) - (own < other)
                left -= 1
            found.append(won / runs)
        return found


def odds(deed: Deed, rank: float, style: Style) -> float:
    """How likely a player of a style acts so with a hand of this rank."""
    bets = min(deed.bets, style.bets)
    stay = 1 / (1 + (rank * 2**bets) ** style.power) if deed.owed else 1.0
    more = min(stay, 1 / (1 + (rank * 2 ** (bets + 1)) ** style.power)) if deed.free else 0.0
    ways = 1 + deed.owed + deed.free
    return ANY / ways + (1 - ANY) * (1 - stay, stay - more, more)[deed.what]


def posterior(deeds: tuple[Deed, ...], known: Cards) -> tuple[list[Hand], list[list[float]], float]:
    """The hands that a player may hold, how likely each is by style, and how likely for one of habits."""
    hands = list(combinations([card for card in range(PACK) if card not in known], 2))
    looking = [[style.share] * len(hands) for style in STYLES]
    for deed in deeds:
        ranked = hand_reading.ranks(deed.open)
        for some, style in zip(looking, STYLES, strict=True):
            some[:] = [one * odds(deed, ranked[hand], style) for one, hand in zip(some, hands, strict=True)]
    return hands, looking, BLIND * hand_reading.habit(deeds)
