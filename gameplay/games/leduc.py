"""Leduc hold'em, for two players or more.

move   a deal: the card, from 0, two of each rank, the lowest first
       a bet: 0 fold, 1 check or call, 2 bet or raise
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gameplay.board import Board
from gameplay.errors import check_players
from gameplay.games.shared import cards as _cards
from gameplay.games.shared.poker import Poker
from gameplay.games.shared.states import StatePosition
from gameplay.position import CHANCE, side_names
from gameplay.scoring.rules import BestOf, Total

if TYPE_CHECKING:
    from random import Random

RANKS = "23456789TJQK"  # the pack has the highest of them
SUITS = "sh"
MAX_PLAYERS = 10
MAX_RAISES = 2  # of a round
RAISE_SIZES = (2, 4)  # of a raise, by round
FOLD, CALL, RAISE = range(3)


class State(NamedTuple):
    """An immutable game state."""

    turn: int
    hands: tuple[int, ...]  # the card of each player
    open: int | None  # the public card
    bets: tuple[str, ...]  # by round, each a letter of "fcr"
    stakes: tuple[int, ...]  # each player's chips in the pot
    folded: frozenset[int]
    yet_to_act: int  # players yet to act in this round
    last_actions: tuple[str, ...]  # by player, the last action in this round


class Leduc(Poker, StatePosition[State]):
    """Poker with six cards and two rounds of bets.

    The pack has two suits of one rank more than there are players: jack, queen and king for two. Each player
    pays an ante of one chip and gets a hidden card. After a betting round an open card is dealt, and a
    second round follows. The player to act may `check` or `bet`; after a bet `call`, `fold` or `raise`. A
    bet or raise is two chips in the first round and four in the second; a round has at most two of them. A
    pair with the open card wins, else the highest card; equal cards share the pot.

    Deals are cards: `Ks`, `Kh`, `Qs`. A position is written as its moves: `Ks Qh bet call Js`. With best
    play of both the first of two players loses 0.0856 chips a game. (F. Southey and others, "Bayes' bluff:
    opponent modelling in poker", 2005.)
    """

    match_rules = (Total, BestOf)

    def __init__(self, players: int = 2) -> None:
        super().__init__()
        check_players("leduc", players, MAX_PLAYERS)
        self.players = players
        most = 1 + MAX_RAISES * sum(RAISE_SIZES)
        self.low, self.high = -most, most * (players - 1)
        self.state = State(CHANCE, (), None, (), (1,) * players, frozenset(), 0, ("",) * players)
        self.turn = CHANCE

    # -- the rules -------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        state = self.state
        if state.turn == CHANCE:
            return [card for card in range(2 * self.players + 2) if card not in state.hands]
        fold = [FOLD] if state.stakes[state.turn] < max(state.stakes) else []
        return [*fold, CALL, RAISE] if state.bets[-1].count("r") < MAX_RAISES else [*fold, CALL]

    def advance(self, move: int) -> None:
        self.state = self._deal(move) if self.turn == CHANCE else self._act(move)

    def _deal(self, card: int) -> State:
        state = self.state
        if len(state.hands) < self.players:
            hands = (*state.hands, card)
            if len(hands) < self.players:
                return state._replace(hands=hands)
            return state._replace(turn=0, hands=hands, bets=("",), yet_to_act=self.players)
        staying = self._players_in(state)
        actions = tuple(["fold" if player in state.folded else "" for player in range(self.players)])
        return state._replace(
            turn=staying[0], open=card, bets=(*state.bets, ""), yet_to_act=len(staying), last_actions=actions
        )

    def _act(self, move: int) -> State:
        """1. Pay the bet. 2. Find the players yet to act. 3. The next one, or the end of the round."""
        state, player = self.state, self.turn
        word = self.format(move)
        stakes = list(state.stakes)
        if move != FOLD:
            stakes[player] = max(stakes) + (RAISE_SIZES[len(state.bets) - 1] if move == RAISE else 0)
        state = state._replace(
            bets=(*state.bets[:-1], state.bets[-1] + "fcr"[move]),
            stakes=tuple(stakes),
            folded=state.folded | {player} if move == FOLD else state.folded,
            last_actions=(*state.last_actions[:player], word, *state.last_actions[player + 1 :]),
        )
        staying = self._players_in(state)
        yet_to_act = len(staying) - 1 if move == RAISE else state.yet_to_act - 1
        state = state._replace(yet_to_act=yet_to_act)
        if yet_to_act:
            after = (player + 1 + i for i in range(self.players))
            return state._replace(
                turn=next(seat % self.players for seat in after if seat % self.players in staying)
            )
        over = len(staying) == 1 or state.open is not None
        return state._replace(turn=staying[0] if over else CHANCE, yet_to_act=0)

    def _players_in(self, state: State) -> list[int]:
        return [player for player in range(self.players) if player not in state.folded]

    def outcome(self) -> tuple[float, ...] | None:
        state = self.state
        if state.turn == CHANCE or state.yet_to_act:
            return None
        staying = self._players_in(state)
        ranks = {player: (self._has_pair(player), state.hands[player] // 2) for player in staying}
        winners = [player for player in staying if ranks[player] == max(ranks.values())]
        share = sum(state.stakes) / len(winners)
        return tuple(
            [(share if player in winners else 0) - stake for player, stake in enumerate(state.stakes)]
        )

    def _has_pair(self, player: int) -> bool:
        state = self.state
        return state.open is not None and state.hands[player] // 2 == state.open // 2

    def key(self) -> tuple[Any, ...]:
        state = self.state
        return (state.hands, -1 if state.open is None else state.open, state.bets)

    # -- imperfect information -------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[Any, ...]:
        """The number of cards dealt, the player's own card, the open one, and the bets."""
        hands, opened, bets = self.key()
        return (len(hands), hands[player : player + 1], opened, bets)

    def determinize(self, player: int, rng: "Random") -> "Leduc":
        other = type(self)(self.players)
        state = self.state
        own = state.hands[player : player + 1]
        rest = [card for card in range(2 * self.players + 2) if card not in (*own, state.open)]
        cards = rng.sample(rest, len(state.hands) - len(own))
        other.state = state._replace(hands=(*cards[:player], *own, *cards[player:]))
        other.turn = self.turn
        return other

    def sees(self, player: int, move: int) -> bool:
        """A private card is seen by its player, the open card and bets by all."""
        return self.turn != CHANCE or len(self.state.hands) in (player, self.players)

    # -- for people ------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        state = self.state
        if state.turn == CHANCE:
            return self._card(move)
        if move == RAISE:
            return "raise" if "r" in state.bets[-1] else "bet"
        return "fold" if move == FOLD else "call" if "r" in state.bets[-1] else "check"

    def _card(self, card: int) -> str:
        return RANKS[len(RANKS) - self.players - 1 + card // 2] + SUITS[card % 2]

    def _hands(self) -> list[list[str]]:
        dealt = [[self._card(card)] for card in self.state.hands]
        return dealt + [[]] * (self.players - len(dealt))

    def _notes(self) -> dict[int, str]:
        actions = {player: word for player, word in enumerate(self.state.last_actions) if word}
        return _cards.format_bets(self.state.stakes, actions)

    def in_order(self, moves: Sequence[int]) -> list[int]:
        """Fold, call, then raises from the lowest."""
        return sorted(moves)

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        opened, stakes = self.state.open, self.state.stakes
        to_move = viewer in (None, self.turn) and self.turn != CHANCE and self.outcome() is None
        words = {self.format(move): move for move in self.moves()} if to_move else {}
        middle = f"pot {sum(stakes)}", ("" if opened is None else self._card(opened),)
        turn = None if self.outcome() else self.turn
        return _cards.card_table(side_names(self), self._hands(), viewer, turn, middle, words, self._notes())

    def show(self, viewer: int | None = None) -> str:
        opened = self.state.open
        lines = _cards.format_hands(side_names(self), self._hands(), viewer, self._notes())
        return lines if opened is None else f"{lines}\nopen: {self._card(opened)}"

    def __str__(self) -> str:
        return self.show()
