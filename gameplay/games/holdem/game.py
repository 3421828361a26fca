"""One hand of Texas hold'em, for two to ten players.

move   a deal: the card, 4 * rank + suit; ranks from two to ace, suits c, d, h, s
       a bet: 0 fold, 1 check or call, 1 + n to bet n or raise to n: all that one then has put in this round
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING, Any, NamedTuple

from gameplay.board import Board
from gameplay.errors import BadInput, IllegalMove, illegal
from gameplay.games.holdem import hand_reading
from gameplay.games.holdem.hand_reading import BITS, Deed, Hand
from gameplay.games.holdem.lookahead import Lookahead
from gameplay.games.holdem.match_rules import OTHERS_FOLDED, Hands, Tournament
from gameplay.games.shared import cards as _cards
from gameplay.games.shared import poker_hands as _hands
from gameplay.games.shared.poker import Poker
from gameplay.games.shared.states import StatePosition
from gameplay.position import CHANCE
from gameplay.spans import Span

if TYPE_CHECKING:
    from random import Random

    from gameplay.capabilities import StopSignal

MOST = 10  # players
PACK = 52
FOLD, CALL = range(2)
STREETS = (0, 3, 4, 5)  # open cards in each round of bets
CAP = 4  # bets and raises of a round with fixed limits, the big blind among them
LIMIT, ANY = "limit", "any"
SHARES = {"half": 0.5, "pot": 1.0}  # of the pot
FEW = 20  # moves that an error names at most
TYPICAL = ("min", 0.5, 1.0, "allin")  # sizes of bets, as shares of the pot and names
SIZES = 3  # of bets that are drawn at most; others can only be typed
CHIPS = 2_000_000_000  # a stack at most: a move has 31 bits
LATE = ("lojack", "hijack", "cutoff", "button")
SEATS = {
    2: ("button", "big-blind"),
    3: ("small-blind", "big-blind", "button"),
    4: ("small-blind", "big-blind", *LATE[2:]),
    5: ("small-blind", "big-blind", "under-the-gun", *LATE[2:]),
    6: ("small-blind", "big-blind", "under-the-gun", *LATE[1:]),
    7: ("small-blind", "big-blind", "under-the-gun", *LATE),
    8: ("small-blind", "big-blind", "under-the-gun", "utg1", *LATE),
    9: ("small-blind", "big-blind", "under-the-gun", "utg1", "utg2", *LATE),
    10: ("small-blind", "big-blind", "under-the-gun", "utg1", "utg2", "utg3", *LATE),
}

SHORT = {"small-blind": "sb", "big-blind": "bb", "under-the-gun": "utg", "lojack": "lj"}
SHORT |= {"hijack": "hj", "cutoff": "co", "button": "btn"}

_BET = re.compile(r"(bet|raise)?(?:to)?(\d{1,10})?", re.ASCII)


class Betting(NamedTuple):
    """An immutable state of a hand."""

    turn: int
    hands: tuple[int, ...]  # the two cards of each player in turn, the lower first
    open: tuple[int, ...]  # the cards that all see, the lower ones of the flop first
    bets: tuple[int, ...]  # chips that each has put in this round
    paid: tuple[int, ...]  # ... and in all rounds
    folded: frozenset[int]
    acted: frozenset[int]  # the players who have acted in this round
    full: int  # what a full raise adds at least
    raises: int  # bets and raises of this round
    history: tuple[int, ...]  # the players' moves
    said: tuple[str, ...]  # by player, what they said last in this round
    over: bool = False


class Holdem(Poker, StatePosition[Betting]):
    """Poker with two hidden cards per player and five community cards.

    Each player gets two hidden cards. The first two seats pay the small and the big blind; with two players
    the button is the small blind. Four betting rounds follow: before the community cards, then after three
    of them (the flop), a fourth (the turn) and a fifth (the river). The player to act may `check` or `bet`;
    after a bet `call`, `raise` or `fold`. At the end the best five of seven cards win. Chips that only some
    players could match form side pots. Equal hands share a pot, and odd chips go to the seats behind the
    button, one each. A game is one hand; payoffs are chips won and lost.

    `stacks` are the chips of all players, or of each: `200/80/120`. `blinds` are the two blinds, and what
    other seats post: a straddle, which is more than the big blind and acts last before the flop (`1/2/4`),
    or a blind to enter the game (`1/2/0/2`). `antes` are paid before, one number for all or one each. A
    player with fewer chips pays what they have. A stack has at most two billion chips.

    `bets` are the bets that are offered, as shares of the pot and names: `half`, `pot`, `0.75`, `min` for
    the smallest, `allin`; `any` is every number of chips. A raise is at least the last raise and at least a
    big blind, or all-in. After an all-in of less than a full raise, players who have acted may not raise
    again. With `bets=limit` bets are one big blind in the first two rounds and two in the others, at most
    four in a round, a blind included.

    Moves are `fold`, `check`, `call`, `bet6`, `raise18` (to 18 in this round), `allin`; with limits `bet`
    and `raise`. Deals are cards: `Ks`, `Td`. A position is written as its moves.
    """

    records = ".phh"  # the format of its files
    match_rules = (Hands, Tournament)
    policies = {
        "showdown": "check and call, so that all cards are shown; more than the pot if the hand is good"
    }

    def __init__(
        self,
        players: int = 2,
        stacks: str = "200",
        blinds: str = "1/2",
        bets: str = "half/pot/allin",
        antes: str = "0",
    ) -> None:
        super().__init__()
        if players not in SEATS:
            raise BadInput(f"hold'em is for 2 to {MOST} players, not {players}")
        self.players = players
        self.sides = SEATS[players]
        self.aliases = {SHORT[name]: player for player, name in enumerate(self.sides) if name in SHORT}
        posts = _chips("blinds", blinds, players)
        if posts[0] > posts[1] or not any(posts):
            raise BadInput(f"blinds is '{blinds}', but the small blind comes first, as in 1/2")
        last = max(seat for seat, chips in enumerate(posts) if chips)
        self.blinds = posts[: max(2, last + 1)]
        self.big = posts[1] or max(posts)  # the big blind, which is the least bet
        given = _chips("stacks", stacks, players)
        self.antes = _chips("antes", antes, players)
        self.stacks = given
        self.bets = bets
        self.limit = bets == LIMIT
        self.model_measured = not self.limit
        self.sizes = () if self.limit else tuple([_size(word) for word in bets.split("/")])
        self.low = -max(given)
        self.high = max(sum(min(one, other) for other in given) - one for one in given)
        anted = tuple(map(min, self.antes, given))
        posted = tuple(
            [min(post, chips - ante) for post, chips, ante in zip(posts, given, anted, strict=True)]
        )
        self.dead = anted if len(set(self.antes)) > 1 else (0,) * players  # antes that side pots do not share
        none: frozenset[int] = frozenset()
        paid = tuple(map(sum, zip(posted, anted, strict=True)))
        self.state = Betting(CHANCE, (), (), posted, paid, none, none, self.big, 1, (), ("",) * players)
        self.turn = CHANCE

    # -- the rules -------------------------------------------------------------------------------

    def moves(self) -> Sequence[int]:
        state = self.state
        if state.turn == CHANCE:
            return [card for card in range(PACK) if card not in state.hands and card not in state.open]
        amounts, others = self._amounts(), [FOLD, CALL] if self._owed() else [CALL]
        if isinstance(amounts, range):
            return Span(others, range(1 + amounts.start, 1 + amounts.stop))
        return [*others, *(1 + amount for amount in amounts)]

    def policy_moves(self, policy: int) -> list[int]:
        """Call; a bet above the pot only with the better half of the range, else fold.

        If every bet were called, a search would go all in with any hand above the mean; but a player who
        faces such a bet calls with better hands.
        """
        state, owed = self.state, self._owed()
        if 2 * owed > sum(state.paid):
            deeds = _deeds(self._rules(), state.open, state.history)[self.turn]
            one, two = state.hands[2 * self.turn : 2 * self.turn + 2]
            if hand_reading.worse((min(one, two), max(one, two)), deeds, state.open):
                return [FOLD]
        return [CALL]

    def _owed(self) -> int:
        """The chips that the player on turn must add to call, at most their stack."""
        bets, player = self.state.bets, self.turn
        return min(max(bets) - bets[player], self._left(player))

    def _left(self, player: int) -> int:
        return self.stacks[player] - self.state.paid[player]

    def few_moves(self) -> Sequence[int]:
        """The legal moves; if bets may have any size, a selection of sizes."""
        if ANY not in self.sizes:
            return self.moves()
        return [*([FOLD] if self._owed() else []), CALL, *[1 + amount for amount in self._amounts(TYPICAL)]]

    def _amounts(self, sizes: Sequence[str | float] = ()) -> Sequence[int]:
        """The amounts to which the player on turn may bet or raise; sizes: () for those of the game.

        1. May they raise at all? 2. From where to where? 3. The sizes that are offered, each at least a full
        raise and all they have at most.
        """
        state, player = self.state, self.turn
        level = max(state.bets)
        most = state.bets[player] + self._left(player)
        short = player in state.acted and level - state.bets[player] < state.full
        capped = self.limit and state.raises >= CAP
        if most <= level or short or capped:
            return []
        if not any(
            state.bets[other] + self._left(other) > level for other in self._staying(state) if other != player
        ):
            return []
        least = min(level + state.full, most)
        if self.limit or least == most:
            return [least]
        pot = sum(state.paid) + level - state.bets[player]  # after a call
        found = set()
        for size in sizes or self.sizes:
            if size == ANY:
                return range(least, most + 1)
            amount = {"min": least, "allin": most}.get(size) if isinstance(size, str) else None
            found.add(min(most, max(least, level + int(size * pot))) if amount is None else amount)
        return sorted(found)

    def advance(self, move: int) -> None:
        self.state = self._dealt(move) if self.turn == CHANCE else self._bet(move)

    def _dealt(self, card: int) -> Betting:
        """Deal a hole card, or a board card once all have two; then start the betting round."""
        state, count = self.state, self.players
        if len(state.hands) < 2 * count:
            hands = (*state.hands, card)
            if len(hands) % 2 == 0:
                hands = (*hands[:-2], *sorted(hands[-2:]))
            state = state._replace(hands=hands)
            return self._asked(state, self._opener(state.bets)) if len(hands) == 2 * count else state
        opened = (*state.open, card)
        if len(opened) == STREETS[1]:
            opened = tuple(sorted(opened))
        state = state._replace(open=opened)
        return self._asked(state, 1 if count == 2 else 0) if len(opened) in STREETS else state

    def _opener(self, posted: Sequence[int]) -> int:
        """The seat that acts first before the flop: after the last straddle, or after the big blind."""
        forced = [seat for seat, blind in enumerate(self.blinds) if seat < 2 or blind > self.blinds[1]]
        return (max(forced, key=lambda seat: (posted[seat], seat)) + 1) % self.players

    def _bet(self, move: int) -> Betting:
        """1. Pay the bet. 2. Set the minimum raise. 3. Pass the action on, or end the round."""
        state, player = self.state, self.turn
        level, word = max(state.bets), self.format(move)
        bets, paid = list(state.bets), list(state.paid)
        cost = 0 if move == FOLD else self._owed() if move == CALL else move - 1 - bets[player]
        bets[player] += cost
        paid[player] += cost
        state = state._replace(
            bets=tuple(bets),
            paid=tuple(paid),
            folded=state.folded | {player} if move == FOLD else state.folded,
            acted=state.acted | {player},
            history=(*state.history, move),
            said=(*state.said[:player], word, *state.said[player + 1 :]),
        )
        if move > CALL:
            full = max(state.full, bets[player] - level)
            state = state._replace(full=full, raises=state.raises + 1)
        return self._asked(state, player + 1)

    def _asked(self, state: Betting, first: int) -> Betting:
        """Pass the action to the next player who must act, from a seat on, or end the round."""
        staying = self._staying(state)
        after = [(first + i) % self.players for i in range(self.players)]
        player = next((one for one in after if one in staying and self._waits(state, one, staying)), None)
        if player is not None and len(staying) > 1:
            return state._replace(turn=player)
        if len(staying) == 1 or len(state.open) == STREETS[-1]:
            return state._replace(turn=staying[0], over=True)
        count = len(state.open)
        size = self.big * (2 if self.limit and count >= STREETS[1] else 1)
        none = (0,) * self.players
        said = tuple(["fold" if one in state.folded else "" for one in range(self.players)])
        return state._replace(turn=CHANCE, bets=none, acted=frozenset(), full=size, raises=0, said=said)

    def _waits(self, state: Betting, player: int, staying: list[int]) -> bool:
        """True if a player has chips, and faces a bet or an opponent who can call one."""
        if self.stacks[player] == state.paid[player]:
            return False
        others = [other for other in staying if other != player]
        if any(self.stacks[other] > state.paid[other] for other in others):
            return player not in state.acted or state.bets[player] < max(state.bets)
        return state.bets[player] < max([state.bets[other] for other in others], default=0)

    def _staying(self, state: Betting) -> list[int]:
        return [player for player in range(self.players) if player not in state.folded]

    def outcome(self) -> tuple[float, ...] | None:
        """The main pot and side pots: each takes all bets up to the stake of a player who is all in.

        All remaining players compete for unequal antes, which are in the lowest pot.
        """
        state = self.state
        if not state.over:
            return None
        staying, antes = self._staying(state), sum(self.dead)
        paid = tuple([chips - ante for chips, ante in zip(state.paid, self.dead, strict=True)])
        worth = dict(zip(staying, self._worth() if len(staying) > 1 else [0], strict=True))
        got = [-chips for chips in state.paid]
        below = 0
        for level in sorted({paid[player] for player in staying}):
            pot = antes + sum(min(chips, level) - min(chips, below) for chips in paid)
            antes = 0
            able = [player for player in staying if paid[player] >= level]
            best = max(worth[player] for player in able)
            winners = [player for player in able if worth[player] == best]
            if self.players == 2:
                winners.reverse()  # the button is last
            for number, player in enumerate(winners):
                got[player] += pot // len(winners) + (number < pot % len(winners))
            below = level
        return tuple(got)

    def _worth(self) -> list[int]:
        """The strength of the hand of each remaining player."""
        hands, opened = self.state.hands, self.state.open
        shared = sum([BITS[card] for card in opened])
        return [
            _hands.strength(shared + BITS[hands[2 * player]] + BITS[hands[2 * player + 1]])
            for player in self._staying(self.state)
        ]

    def key(self) -> tuple[Any, ...]:
        state = self.state
        return (state.hands, state.open, state.history)

    def initial(self) -> "Holdem":
        return type(self)(*self._rules())

    def _rules(self) -> tuple[int, str, str, str, str]:
        """The parameters."""
        chips = (self.stacks, self.blinds, self.antes)
        stacks, blinds, antes = ("/".join(map(str, each)) for each in chips)
        return self.players, stacks, blinds, self.bets, antes

    def deed(self, move: int) -> Deed:
        """A public description of a move of the player on turn.

        `over`: a bet of more than the pot counts as so many bets of the pot as multiply it as much.
        """
        state = self.state
        owed, paid = self._owed(), sum(state.paid)
        free = len(self.moves()) > 1 + bool(owed)
        over = max(0.0, log2(paid / max(1, paid - owed)) - 1) if owed else 0.0
        return Deed(state.open, state.raises, bool(owed), free, min(move, 2), over)

    # -- what is hidden --------------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[Any, ...]:
        """The number of cards dealt, the player's hole cards, the board, the bets, and the hands shown."""
        hands, opened, history = self.key()
        shown = tuple([self._pair(other) for other in self._shown()])
        return (len(hands), self._pair(player), opened, history, *shown)

    def _pair(self, player: int) -> tuple[int, ...]:
        """A player's hole cards."""
        return self.state.hands[2 * player : 2 * player + 2]

    def _shown(self) -> list[int]:
        """The players whose hands are shown: at a showdown those who have not folded."""
        staying = self._staying(self.state) if self.state.over else []
        return staying if len(staying) > 1 else []

    def determinize(self, player: int, rng: "Random") -> "Holdem":
        state = self.state
        own = self._pair(player)
        rest = [card for card in range(PACK) if card not in own and card not in state.open]
        shown = {one: self._pair(one) for one in self._shown() if one != player}
        if shown:
            rest = [card for card in rest if not any(card in pair for pair in shown.values())]
        cards = rng.sample(rest, len(state.hands) - len(own) - 2 * len(shown))
        for one in sorted({player, *shown}):
            cards[2 * one : 2 * one] = shown.get(one, own)
        hands = cards
        for first in range(0, len(hands) - 1, 2):
            hands[first : first + 2] = sorted(hands[first : first + 2])
        other = self.initial()
        other.state = state._replace(hands=tuple(hands))
        other.turn = self.turn
        return other

    def likely(self, player: int, rng: "Random") -> "Holdem":
        """As `determinize`, but hands are weighted by the probability of their player's actions."""
        other = self.determinize(player, rng)
        hands = self.state.hands
        if len(hands) < 2 * self.players or not self.state.history:
            return other
        own = hands[2 * player : 2 * player + 2]
        deeds = list(_deeds(self._rules(), self.state.open, self.state.history))
        del deeds[player]
        dealt = hand_reading.dealt(deeds, (*own, *self.state.open), rng)
        dealt.insert(player, (own[0], own[1]))
        other.state = other.state._replace(hands=tuple([card for hand in dealt for card in hand]))
        return other

    def seen(self, player: int) -> tuple[Hand, tuple[Deed, ...]]:
        """A player's hole cards, and the actions of the opponent, heads-up."""
        one, two = self._pair(player)
        return (one, two), _deeds(self._rules(), self.state.open, self.state.history)[1 - player]

    def model_search(self, control: "StopSignal | None", seed: int) -> Lookahead:
        """The search over the opponent's range, heads-up only."""
        return Lookahead(self, control, seed)

    def sees(self, player: int, move: int) -> bool:
        """A hole card is seen by its player, board cards and bets by all."""
        dealt = len(self.state.hands)
        return self.turn != CHANCE or dealt == 2 * self.players or dealt // 2 == player

    # -- for people ------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        if self.turn == CHANCE:
            return card(move)
        state, player = self.state, self.turn
        if move <= CALL:
            return "fold" if move == FOLD else "call" if self._owed() else "check"
        if move - 1 == state.bets[player] + self._left(player):
            return "allin"
        word = "raise" if max(state.bets) else "bet"
        return word if self.limit else f"{word}{move - 1}"

    def parse(self, text: str) -> int:
        """Parse a move; also `raise to 18`, `all in`, or the amount alone."""
        word = re.sub(r"[\s-]", "", text).lower()
        if self.turn == CHANCE:
            return super().parse(text)
        owed, amounts = self._owed(), self._amounts()
        most = self.state.bets[self.turn] + self._left(self.turn)
        said = _BET.fullmatch(word) if word else None
        if (word in ("fold", "call") and owed) or (word == "check" and not owed):
            return FOLD if word == "fold" else CALL
        if word == "allin":
            if most in amounts:
                return 1 + most
            if owed == self._left(self.turn):
                return CALL
        elif said is not None and amounts:
            if said[2] and int(said[2]) in amounts:
                return 1 + int(said[2])
            if not said[2] and self.limit:
                return 1 + amounts[0]
            raise IllegalMove(f"'{text.strip()}': {self._sizes(amounts)}")
        elif said is not None:
            rest = "call or fold" if owed else "check"
            raise IllegalMove(f"'{text.strip()}': nothing can be bet now; {rest}")
        elif word == "check" and owed:
            raise IllegalMove(
                f"there {'is' if owed == 1 else 'are'} {_cards.chips(owed)} to call; call or fold"
            )
        elif word in ("call", "fold") and not owed:
            raise IllegalMove("there is nothing to call; check")
        moves = self.moves()
        listed = moves if len(moves) <= FEW else [*moves[:FEW], moves[-1]]  # the words of the least bets
        raise illegal(text.strip(), map(self.format, listed))

    def _sizes(self, amounts: Sequence[int]) -> str:
        """The legal bets, as text."""
        what = "a raise is to" if max(self.state.bets) else "a bet is of"
        if len(amounts) == 1:
            return f"{what} {amounts[0]} here"
        if len(amounts) == amounts[-1] - amounts[0] + 1:
            return f"{what} {amounts[0]} to {amounts[-1]} here"
        return f"{what} {', '.join(map(str, amounts[:-1]))} or {amounts[-1]} here"

    def ending(self) -> str:
        """The winning hand, or that all other players folded."""
        staying = self._staying(self.state)
        return _hands.words(max(self._worth())) if len(staying) > 1 else OTHERS_FOLDED

    def _hands(self) -> list[list[str]]:
        hands = [card(one) for one in self.state.hands]
        return [hands[2 * player : 2 * player + 2] for player in range(self.players)]

    def _notes(self) -> dict[int, str]:
        state, payoffs = self.state, self.outcome()
        notes = {}
        for player in range(self.players):
            parts = [f"{payoffs[player]:+}" if payoffs else f"{self._left(player)} left"]
            parts += [f"{state.bets[player]} in"] if state.bets[player] else []
            parts += [state.said[player]] if state.said[player] else []
            notes[player] = ", ".join(parts)
        return notes

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        mine = viewer in (None, self.turn) and self.turn != CHANCE and not self.state.over
        words = {self.format(move): move for move in self._drawn()} if mine else {}
        opened = [*map(card, self.state.open)]
        owed = self._owed() if mine else 0
        pot = f"pot {sum(self.state.paid)}" + (f", {owed} to call" if owed else "")
        middle = pot, (*opened, *[""] * (STREETS[-1] - len(opened)))
        turn = None if self.state.over else self.turn
        notes, shown = self._notes(), self._shown()
        return _cards.table(self.sides, self._hands(), viewer, turn, middle, words, notes, shown)

    def in_order(self, moves: Sequence[int]) -> list[int]:
        """Fold, call, then raises from the lowest."""
        return sorted(moves)

    def _drawn(self) -> list[int]:
        """The moves offered for selection: a few of many bet sizes."""
        amounts, most = self._amounts(), self.state.bets[self.turn] + self._left(self.turn)
        allin = bool(amounts) and amounts[-1] == most
        sizes = amounts[: len(amounts) - allin]
        few = [*sizes[:: max(1, -(-len(sizes) // SIZES))], *amounts[len(amounts) - allin :]]
        return [*([FOLD] if self._owed() else []), CALL, *(1 + amount for amount in few)]

    def show(self, viewer: int | None = None) -> str:
        lines = _cards.hand_lines(self.sides, self._hands(), viewer, self._notes(), self._shown())
        opened = " ".join(map(card, self.state.open))
        return "\n".join([lines, *([f"open: {opened}"] if opened else []), f"pot: {sum(self.state.paid)}"])

    def __str__(self) -> str:
        return self.show()


def card(number: int) -> str:
    """A card as text."""
    return _hands.RANKS[number // 4] + _hands.SUITS[number % 4]


@lru_cache(maxsize=16)  # a search asks time and again
def _deeds(
    rules: tuple[int, str, str, str, str], opened: tuple[int, ...], history: tuple[int, ...]
) -> list[tuple[Deed, ...]]:
    """The actions of each player, by replaying the hand with arbitrary hidden cards."""
    position = Holdem(*rules)
    rest = [card for card in range(PACK) if card not in opened]
    cards = iter([*rest[: 2 * position.players], *opened])
    deeds: list[tuple[Deed, ...]] = [()] * position.players
    for move in history:
        while position.turn == CHANCE:
            position.make(next(cards))
        deeds[position.turn] += (position.deed(move),)
        position.make(move)
    return deeds


def _chips(name: str, text: str, count: int) -> tuple[int, ...]:
    """A number of chips for each player; a single one is for all, but for blinds the others are 0."""
    words, least = str(text).split("/"), int(name == "stacks")
    if not all(re.fullmatch(r"\d{1,10}", word, re.ASCII) and least <= int(word) <= CHIPS for word in words):
        example = {"blinds": "1/2", "antes": "1"}.get(name, "200/80")
        raise BadInput(
            f"{name} is '{text}'; chips are whole numbers from {least} to {CHIPS:,}, as in {name}={example}"
        )
    if name == "blinds":
        words += ["0"] * (count - len(words)) * (len(words) > 1)
    elif len(words) == 1:
        words *= count
    if len(words) != count:
        needed = f"2 to {count}" if name == "blinds" and count > 2 else str(count)
        raise BadInput(
            f"{name} is '{text}', {len(words)} number{'s' * (len(words) != 1)} where {needed} are needed"
        )
    return tuple(map(int, words))


def _size(word: str) -> str | float:
    """A bet size: a name, or a fraction of the pot."""
    if word in ("min", "allin", ANY):
        return word
    if word in SHARES:
        return SHARES[word]
    if re.fullmatch(r"\d{1,2}(\.\d{1,3})?", word, re.ASCII) and float(word):
        return float(word)
    raise BadInput(
        f"bets has '{word}'; it is {LIMIT}, {ANY}, or shares of the pot and names, as in min/0.75/pot/allin"
    )
