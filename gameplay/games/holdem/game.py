"""One hand of Texas hold'em, for two to ten players.

move   a deal: the card, 4 * rank + suit; ranks from two to ace, suits c, d, h, s
       a bet: 0 fold, 1 check or call, 1 + n to bet n or raise to n: the total bet in this round
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING, Any, NamedTuple

from gameplay.board import Board
from gameplay.errors import BadInput, IllegalMove, illegal
from gameplay.games.holdem import hand_reading
from gameplay.games.holdem.hand_reading import BITS, Action, Hand
from gameplay.games.holdem.lookahead import Lookahead
from gameplay.games.holdem.match_rules import OTHERS_FOLDED, Hands, Tournament
from gameplay.games.shared import cards as _cards
from gameplay.games.shared import poker_hands as _hands
from gameplay.games.shared.poker import Poker
from gameplay.games.shared.states import StatePosition
from gameplay.plural import plural
from gameplay.position import CHANCE
from gameplay.spans import Span

if TYPE_CHECKING:
    from random import Random

    from gameplay.capabilities import StopSignal

MAX_PLAYERS = 10
PACK = 52
FOLD, CALL = range(2)
STREETS = (0, 3, 4, 5)  # board cards in each betting round
MAX_RAISES = 4  # of a round with fixed limits, the big blind included
LIMIT, ANY = "limit", "any"
NAMED_SIZES = {"half": 0.5, "pot": 1.0}  # of the pot
MAX_LISTED_MOVES = 20  # in an error
TYPICAL_SIZES = ("min", 0.5, 1.0, "allin")  # bet sizes: names, and fractions of the pot
MAX_SHOWN_SIZES = 3  # bet sizes offered for selection; others can be typed
MAX_CHIPS = 2_000_000_000  # in a stack: a move has 31 bits
LATE_SEATS = ("lojack", "hijack", "cutoff", "button")
SEATS = {
    2: ("button", "big-blind"),
    3: ("small-blind", "big-blind", "button"),
    4: ("small-blind", "big-blind", *LATE_SEATS[2:]),
    5: ("small-blind", "big-blind", "under-the-gun", *LATE_SEATS[2:]),
    6: ("small-blind", "big-blind", "under-the-gun", *LATE_SEATS[1:]),
    7: ("small-blind", "big-blind", "under-the-gun", *LATE_SEATS),
    8: ("small-blind", "big-blind", "under-the-gun", "utg1", *LATE_SEATS),
    9: ("small-blind", "big-blind", "under-the-gun", "utg1", "utg2", *LATE_SEATS),
    10: ("small-blind", "big-blind", "under-the-gun", "utg1", "utg2", "utg3", *LATE_SEATS),
}

SHORT_NAMES = {"small-blind": "sb", "big-blind": "bb", "under-the-gun": "utg", "lojack": "lj"}
SHORT_NAMES |= {"hijack": "hj", "cutoff": "co", "button": "btn"}

_BET = re.compile(r"(bet|raise)?(?:to)?(\d{1,10})?", re.ASCII)


class Betting(NamedTuple):
    """An immutable state of a hand."""

    turn: int
    hands: tuple[int, ...]  # the two cards of each player in turn, the lower first
    open: tuple[int, ...]  # the board, the flop sorted
    bets: tuple[int, ...]  # by player, chips in this round
    paid: tuple[int, ...]  # ... in all rounds
    folded: frozenset[int]
    acted: frozenset[int]  # the players who have acted in this round
    min_raise: int  # the minimum increment of a full raise
    raises: int  # bets and raises of this round
    history: tuple[int, ...]  # the players' moves
    last_actions: tuple[str, ...]  # by player, the last action of this round as text
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
            raise BadInput(f"hold'em must have 2 to {MAX_PLAYERS} players, not {players}")
        self.players = players
        self.sides = SEATS[players]
        self.aliases = {
            SHORT_NAMES[name]: player for player, name in enumerate(self.sides) if name in SHORT_NAMES
        }
        posts = _parse_chips("blinds", blinds, players)
        if posts[0] > posts[1] or not any(posts):
            raise BadInput(f"blinds is '{blinds}', but the small blind comes first, as in 1/2")
        last = max(seat for seat, chips in enumerate(posts) if chips)
        self.blinds = posts[: max(2, last + 1)]
        self.big = posts[1] or max(posts)  # the big blind, which is the least bet
        given = _parse_chips("stacks", stacks, players)
        self.antes = _parse_chips("antes", antes, players)
        self.stacks = given
        self.bets = bets
        self.limit = bets == LIMIT
        self.model_measured = not self.limit
        self.sizes = () if self.limit else tuple([_parse_size(word) for word in bets.split("/")])
        self.low = -max(given)
        self.high = max(sum(min(stack, other) for other in given) - stack for stack in given)
        anted = tuple(map(min, self.antes, given))
        posted = tuple(
            [min(post, chips - ante) for post, chips, ante in zip(posts, given, anted, strict=True)]
        )
        self.unequal_antes = anted if len(set(self.antes)) > 1 else (0,) * players  # in the main pot only
        none: frozenset[int] = frozenset()
        paid = tuple(map(sum, zip(posted, anted, strict=True)))
        self.state = Betting(CHANCE, (), (), posted, paid, none, none, self.big, 1, (), ("",) * players)
        self.turn = CHANCE

    # -- the rules -------------------------------------------------------------------------------

    def moves(self) -> Sequence[int]:
        state = self.state
        if state.turn == CHANCE:
            return [card for card in range(PACK) if card not in state.hands and card not in state.open]
        amounts, others = self._bet_amounts(), [FOLD, CALL] if self._amount_to_call() else [CALL]
        if isinstance(amounts, range):
            return Span(others, range(1 + amounts.start, 1 + amounts.stop))
        return [*others, *(1 + amount for amount in amounts)]

    def policy_moves(self, policy: int) -> list[int]:
        """Call; a bet above the pot only with the better half of the range, else fold.

        If every bet were called, a search would go all in with any hand above the mean; but a player who
        faces such a bet calls with better hands.
        """
        state, to_call = self.state, self._amount_to_call()
        if 2 * to_call > sum(state.paid):
            actions = _actions(self._parameters(), state.open, state.history)[self.turn]
            card_a, card_b = state.hands[2 * self.turn : 2 * self.turn + 2]
            if hand_reading.is_worse_half((min(card_a, card_b), max(card_a, card_b)), actions, state.open):
                return [FOLD]
        return [CALL]

    def _amount_to_call(self) -> int:
        """The chips that the player on turn must add to call, at most their stack."""
        bets, player = self.state.bets, self.turn
        return min(max(bets) - bets[player], self._chips_left(player))

    def _chips_left(self, player: int) -> int:
        return self.stacks[player] - self.state.paid[player]

    def few_moves(self) -> Sequence[int]:
        """The legal moves; if bets may have any size, a selection of sizes."""
        if ANY not in self.sizes:
            return self.moves()
        return [
            *([FOLD] if self._amount_to_call() else []),
            CALL,
            *[1 + amount for amount in self._bet_amounts(TYPICAL_SIZES)],
        ]

    def _bet_amounts(self, sizes: Sequence[str | float] = ()) -> Sequence[int]:
        """The amounts to which the player on turn may bet or raise; sizes: () for those of the game.

        1. Is a raise allowed? 2. Its minimum and maximum. 3. The sizes on offer, clipped to that range.
        """
        state, player = self.state, self.turn
        level = max(state.bets)
        all_in = state.bets[player] + self._chips_left(player)
        cannot_reraise = player in state.acted and level - state.bets[player] < state.min_raise
        capped = self.limit and state.raises >= MAX_RAISES
        if all_in <= level or cannot_reraise or capped:
            return []
        if not any(
            state.bets[other] + self._chips_left(other) > level
            for other in self._players_in(state)
            if other != player
        ):
            return []
        minimum = min(level + state.min_raise, all_in)
        if self.limit or minimum == all_in:
            return [minimum]
        pot = sum(state.paid) + level - state.bets[player]  # after a call
        amounts = set()
        for size in sizes or self.sizes:
            if size == ANY:
                return range(minimum, all_in + 1)
            amount = {"min": minimum, "allin": all_in}.get(size) if isinstance(size, str) else None
            amounts.add(min(all_in, max(minimum, level + int(size * pot))) if amount is None else amount)
        return sorted(amounts)

    def advance(self, move: int) -> None:
        self.state = self._deal(move) if self.turn == CHANCE else self._act(move)

    def _deal(self, card: int) -> Betting:
        """Deal a hole card, or a board card once all have two; then start the betting round."""
        state, count = self.state, self.players
        if len(state.hands) < 2 * count:
            hands = (*state.hands, card)
            if len(hands) % 2 == 0:
                hands = (*hands[:-2], *sorted(hands[-2:]))
            state = state._replace(hands=hands)
            return (
                self._next_to_act(state, self._first_to_act(state.bets)) if len(hands) == 2 * count else state
            )
        opened = (*state.open, card)
        if len(opened) == STREETS[1]:
            opened = tuple(sorted(opened))
        state = state._replace(open=opened)
        return self._next_to_act(state, 1 if count == 2 else 0) if len(opened) in STREETS else state

    def _first_to_act(self, posted: Sequence[int]) -> int:
        """The seat that acts first before the flop: after the last straddle, or after the big blind."""
        forced = [seat for seat, blind in enumerate(self.blinds) if seat < 2 or blind > self.blinds[1]]
        return (max(forced, key=lambda seat: (posted[seat], seat)) + 1) % self.players

    def _act(self, move: int) -> Betting:
        """1. Pay the bet. 2. Set the minimum raise. 3. Pass the action on, or end the round."""
        state, player = self.state, self.turn
        current_bet, text = max(state.bets), self.format(move)
        bets, paid = list(state.bets), list(state.paid)
        cost = 0 if move == FOLD else self._amount_to_call() if move == CALL else move - 1 - bets[player]
        bets[player] += cost
        paid[player] += cost
        state = state._replace(
            bets=tuple(bets),
            paid=tuple(paid),
            folded=state.folded | {player} if move == FOLD else state.folded,
            acted=state.acted | {player},
            history=(*state.history, move),
            last_actions=(*state.last_actions[:player], text, *state.last_actions[player + 1 :]),
        )
        if move > CALL:
            min_raise = max(state.min_raise, bets[player] - current_bet)
            state = state._replace(min_raise=min_raise, raises=state.raises + 1)
        return self._next_to_act(state, player + 1)

    def _next_to_act(self, state: Betting, first: int) -> Betting:
        """Pass the action to the next player who must act, from a seat on, or end the round."""
        staying = self._players_in(state)
        seats = [(first + i) % self.players for i in range(self.players)]
        player = next(
            (seat for seat in seats if seat in staying and self._must_act(state, seat, staying)), None
        )
        if player is not None and len(staying) > 1:
            return state._replace(turn=player)
        if len(staying) == 1 or len(state.open) == STREETS[-1]:
            return state._replace(turn=staying[0], over=True)
        count = len(state.open)
        size = self.big * (2 if self.limit and count >= STREETS[1] else 1)
        none = (0,) * self.players
        last_actions = tuple(["fold" if seat in state.folded else "" for seat in range(self.players)])
        return state._replace(
            turn=CHANCE, bets=none, acted=frozenset(), min_raise=size, raises=0, last_actions=last_actions
        )

    def _must_act(self, state: Betting, player: int, staying: list[int]) -> bool:
        """True if a player has chips, and faces a bet or an opponent who can call one."""
        if self.stacks[player] == state.paid[player]:
            return False
        others = [other for other in staying if other != player]
        if any(self.stacks[other] > state.paid[other] for other in others):
            return player not in state.acted or state.bets[player] < max(state.bets)
        return state.bets[player] < max([state.bets[other] for other in others], default=0)

    def _players_in(self, state: Betting) -> list[int]:
        return [player for player in range(self.players) if player not in state.folded]

    def outcome(self) -> tuple[float, ...] | None:
        """The main pot and side pots: each takes all bets up to the stake of a player who is all in.

        All remaining players compete for unequal antes, which are in the lowest pot.
        """
        state = self.state
        if not state.over:
            return None
        staying, antes = self._players_in(state), sum(self.unequal_antes)
        paid = tuple([chips - ante for chips, ante in zip(state.paid, self.unequal_antes, strict=True)])
        strengths = dict(zip(staying, self._strengths() if len(staying) > 1 else [0], strict=True))
        payoffs = [-chips for chips in state.paid]
        lower_level = 0
        for level in sorted({paid[player] for player in staying}):
            pot = antes + sum(min(chips, level) - min(chips, lower_level) for chips in paid)
            antes = 0
            eligible = [player for player in staying if paid[player] >= level]
            best = max(strengths[player] for player in eligible)
            winners = [player for player in eligible if strengths[player] == best]
            if self.players == 2:
                winners.reverse()  # the button is last
            for number, player in enumerate(winners):
                payoffs[player] += pot // len(winners) + (number < pot % len(winners))
            lower_level = level
        return tuple(payoffs)

    def _strengths(self) -> list[int]:
        """The strength of the hand of each remaining player."""
        hands, opened = self.state.hands, self.state.open
        shared = sum([BITS[card] for card in opened])
        return [
            _hands.strength(shared + BITS[hands[2 * player]] + BITS[hands[2 * player + 1]])
            for player in self._players_in(self.state)
        ]

    def key(self) -> tuple[Any, ...]:
        state = self.state
        return (state.hands, state.open, state.history)

    def initial(self) -> "Holdem":
        return type(self)(*self._parameters())

    def _parameters(self) -> tuple[int, str, str, str, str]:
        """The parameters."""
        chips = (self.stacks, self.blinds, self.antes)
        stacks, blinds, antes = ("/".join(map(str, each)) for each in chips)
        return self.players, stacks, blinds, self.bets, antes

    def describe_action(self, move: int) -> Action:
        """Describe a move of the player on turn by public information.

        extra_bets: for an overbet, the number of further pot-sized bets that enlarge the pot as much.
        """
        state = self.state
        to_call, pot = self._amount_to_call(), sum(state.paid)
        can_raise = len(self.moves()) > 1 + bool(to_call)
        extra_bets = max(0.0, log2(pot / max(1, pot - to_call)) - 1) if to_call else 0.0
        return Action(state.open, state.raises, bool(to_call), can_raise, min(move, 2), extra_bets)

    # -- imperfect information --------------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[Any, ...]:
        """The number of cards dealt, the player's hole cards, the board, the bets, and the hands shown."""
        hands, opened, history = self.key()
        shown = tuple([self._hole_cards(other) for other in self._shown_players()])
        return (len(hands), self._hole_cards(player), opened, history, *shown)

    def _hole_cards(self, player: int) -> tuple[int, ...]:
        """A player's hole cards."""
        return self.state.hands[2 * player : 2 * player + 2]

    def _shown_players(self) -> list[int]:
        """The players whose hands are shown: at a showdown those who have not folded."""
        staying = self._players_in(self.state) if self.state.over else []
        return staying if len(staying) > 1 else []

    def determinize(self, player: int, rng: "Random") -> "Holdem":
        state = self.state
        own = self._hole_cards(player)
        rest = [card for card in range(PACK) if card not in own and card not in state.open]
        shown = {seat: self._hole_cards(seat) for seat in self._shown_players() if seat != player}
        if shown:
            rest = [card for card in rest if not any(card in pair for pair in shown.values())]
        cards = rng.sample(rest, len(state.hands) - len(own) - 2 * len(shown))
        for seat in sorted({player, *shown}):
            cards[2 * seat : 2 * seat] = shown.get(seat, own)
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
        own_cards = hands[2 * player : 2 * player + 2]
        actions = list(_actions(self._parameters(), self.state.open, self.state.history))
        del actions[player]
        dealt = hand_reading.sample_hands(actions, (*own_cards, *self.state.open), rng)
        dealt.insert(player, (own_cards[0], own_cards[1]))
        other.state = other.state._replace(hands=tuple([card for hand in dealt for card in hand]))
        return other

    def seen(self, player: int) -> tuple[Hand, tuple[Action, ...]]:
        """A player's hole cards, and the actions of the opponent, heads-up."""
        one, two = self._hole_cards(player)
        return (one, two), _actions(self._parameters(), self.state.open, self.state.history)[1 - player]

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
            return "fold" if move == FOLD else "call" if self._amount_to_call() else "check"
        if move - 1 == state.bets[player] + self._chips_left(player):
            return "allin"
        word = "raise" if max(state.bets) else "bet"
        return word if self.limit else f"{word}{move - 1}"

    def parse(self, text: str) -> int:
        """Parse a move; also `raise to 18`, `all in`, or the amount alone."""
        word = re.sub(r"[\s-]", "", text).lower()
        if self.turn == CHANCE:
            return super().parse(text)
        to_call, amounts = self._amount_to_call(), self._bet_amounts()
        most = self.state.bets[self.turn] + self._chips_left(self.turn)
        match = _BET.fullmatch(word) if word else None
        if (word in ("fold", "call") and to_call) or (word == "check" and not to_call):
            return FOLD if word == "fold" else CALL
        if word == "allin":
            if most in amounts:
                return 1 + most
            if to_call == self._chips_left(self.turn):
                return CALL
        elif match is not None and amounts:
            if match[2] and int(match[2]) in amounts:
                return 1 + int(match[2])
            if not match[2] and self.limit:
                return 1 + amounts[0]
            raise IllegalMove(f"'{text.strip()}': {self._describe_amounts(amounts)}")
        elif match is not None:
            rest = "call or fold" if to_call else "check"
            raise IllegalMove(f"'{text.strip()}': nothing can be bet now; {rest}")
        elif word == "check" and to_call:
            verb = "is" if to_call == 1 else "are"
            raise IllegalMove(f"there {verb} {_cards.format_chips(to_call)} to call; call or fold")
        elif word in ("call", "fold") and not to_call:
            raise IllegalMove("there is nothing to call; check")
        moves = self.moves()
        listed = moves if len(moves) <= MAX_LISTED_MOVES else [*moves[:MAX_LISTED_MOVES], moves[-1]]
        raise illegal(text.strip(), map(self.format, listed))

    def _describe_amounts(self, amounts: Sequence[int]) -> str:
        """The legal bets, as text."""
        what = "a raise is to" if max(self.state.bets) else "a bet is of"
        if len(amounts) == 1:
            return f"{what} {amounts[0]} here"
        if len(amounts) == amounts[-1] - amounts[0] + 1:
            return f"{what} {amounts[0]} to {amounts[-1]} here"
        return f"{what} {', '.join(map(str, amounts[:-1]))} or {amounts[-1]} here"

    def ending(self) -> str:
        """The winning hand, or that all other players folded."""
        staying = self._players_in(self.state)
        return _hands.hand_name(max(self._strengths())) if len(staying) > 1 else OTHERS_FOLDED

    def _hands(self) -> list[list[str]]:
        hands = [card(number) for number in self.state.hands]
        return [hands[2 * player : 2 * player + 2] for player in range(self.players)]

    def _notes(self) -> dict[int, str]:
        state, payoffs = self.state, self.outcome()
        notes = {}
        for player in range(self.players):
            parts = [f"{payoffs[player]:+}" if payoffs else f"{self._chips_left(player)} left"]
            parts += [f"{state.bets[player]} in"] if state.bets[player] else []
            parts += [state.last_actions[player]] if state.last_actions[player] else []
            notes[player] = ", ".join(parts)
        return notes

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        can_act = viewer in (None, self.turn) and self.turn != CHANCE and not self.state.over
        words = {self.format(move): move for move in self._selectable_moves()} if can_act else {}
        opened = [*map(card, self.state.open)]
        owed = self._amount_to_call() if can_act else 0
        pot = f"pot {sum(self.state.paid)}" + (f", {owed} to call" if owed else "")
        middle = pot, (*opened, *[""] * (STREETS[-1] - len(opened)))
        turn = None if self.state.over else self.turn
        notes, shown = self._notes(), self._shown_players()
        return _cards.card_table(self.sides, self._hands(), viewer, turn, middle, words, notes, shown)

    def in_order(self, moves: Sequence[int]) -> list[int]:
        """Fold, call, then raises from the lowest."""
        return sorted(moves)

    def _selectable_moves(self) -> list[int]:
        """The moves offered for selection: a few of many bet sizes."""
        amounts, most = self._bet_amounts(), self.state.bets[self.turn] + self._chips_left(self.turn)
        allin = bool(amounts) and amounts[-1] == most
        sizes = amounts[: len(amounts) - allin]
        selected = [*sizes[:: max(1, -(-len(sizes) // MAX_SHOWN_SIZES))], *amounts[len(amounts) - allin :]]
        return [*([FOLD] if self._amount_to_call() else []), CALL, *(1 + amount for amount in selected)]

    def show(self, viewer: int | None = None) -> str:
        lines = _cards.format_hands(self.sides, self._hands(), viewer, self._notes(), self._shown_players())
        opened = " ".join(map(card, self.state.open))
        return "\n".join([lines, *([f"open: {opened}"] if opened else []), f"pot: {sum(self.state.paid)}"])

    def __str__(self) -> str:
        return self.show()


def card(number: int) -> str:
    """A card as text."""
    return _hands.RANKS[number // 4] + _hands.SUITS[number % 4]


@lru_cache(maxsize=16)  # called repeatedly by a search
def _actions(
    rules: tuple[int, str, str, str, str], opened: tuple[int, ...], history: tuple[int, ...]
) -> list[tuple[Action, ...]]:
    """The actions of each player, by replaying the hand with arbitrary hidden cards."""
    position = Holdem(*rules)
    rest = [card for card in range(PACK) if card not in opened]
    cards = iter([*rest[: 2 * position.players], *opened])
    actions: list[tuple[Action, ...]] = [()] * position.players
    for move in history:
        while position.turn == CHANCE:
            position.make(next(cards))
        actions[position.turn] += (position.describe_action(move),)
        position.make(move)
    return actions


def _parse_chips(name: str, text: str, count: int) -> tuple[int, ...]:
    """Parse chips for each player. A single number is for all; missing blinds are 0."""
    words, least = str(text).split("/"), int(name == "stacks")
    if not all(
        re.fullmatch(r"\d{1,10}", word, re.ASCII) and least <= int(word) <= MAX_CHIPS for word in words
    ):
        example = {"blinds": "1/2", "antes": "1"}.get(name, "200/80")
        raise BadInput(
            f"{name} is '{text}'; chips are whole numbers from {least} to {MAX_CHIPS:,}, "
            f"as in {name}={example}"
        )
    if name == "blinds":
        words += ["0"] * (count - len(words)) * (len(words) > 1)
    elif len(words) == 1:
        words *= count
    if len(words) != count:
        needed = f"2 to {count}" if name == "blinds" and count > 2 else str(count)
        raise BadInput(f"{name} is '{text}', {plural(len(words), 'number')} where {needed} are needed")
    return tuple(map(int, words))


def _parse_size(word: str) -> str | float:
    """Parse a bet size: a name, or a fraction of the pot."""
    if word in ("min", "allin", ANY):
        return word
    if word in NAMED_SIZES:
        return NAMED_SIZES[word]
    if re.fullmatch(r"\d{1,2}(\.\d{1,3})?", word, re.ASCII) and float(word):
        return float(word)
    raise BadInput(
        f"bets has '{word}'; it is {LIMIT}, {ANY}, or shares of the pot and names, as in min/0.75/pot/allin"
    )
