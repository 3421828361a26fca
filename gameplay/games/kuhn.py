"""Kuhn's poker, for two players or more.

move   a deal: the card, from 0, the lowest      a bet: 0 check or fold, 1 bet or call
"""

from typing import TYPE_CHECKING

from gameplay.board import Board
from gameplay.errors import check_players
from gameplay.games.shared import cards as _cards
from gameplay.games.shared.legality import checked
from gameplay.games.shared.poker import Poker
from gameplay.position import CHANCE, side_names, undoable
from gameplay.scoring.rules import BestOf, Total

if TYPE_CHECKING:
    from random import Random

RANKS = "23456789TJQK"  # the pack has the highest of them
MAX_PLAYERS = 10
WORDS = (("check", "bet"), ("fold", "call"))  # before and after a bet


class Kuhn(Poker):
    """One card each, one bet: the smallest poker in which bluffing pays.

    The pack has one card more than there are players: jack, queen and king for two. Each player pays an ante
    of one chip and gets a hidden card. In turn each may `check` or `bet` one chip; after a bet each of the
    others may `call` it or `fold`. If all check, or when all have answered a bet, the highest card of the
    remaining players takes the pot.

    Deals are cards: `J`, `Q`, `K`. A position is written as its moves: `K J check bet`. With best play of
    both the first of two players loses 1/18 of a chip a game (H. W. Kuhn, "A simplified two-person poker",
    1950).
    """

    match_rules = (Total, BestOf)
    low = -2

    def __init__(self, players: int = 2) -> None:
        super().__init__()
        check_players("kuhn", players, MAX_PLAYERS)
        self.players = players
        self.high = 2 * (players - 1)
        self.cards: tuple[int, ...] = ()  # by player
        self.bets = ""  # "p" for a check or a fold, "b" for a bet or a call
        self.turn = CHANCE

    # -- the rules -------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        if self.turn == CHANCE:
            return [card for card in range(self.players + 1) if card not in self.cards]
        return [0, 1]

    @checked
    @undoable
    def make(self, move: int) -> None:
        if self.turn == CHANCE:
            self.cards += (move,)
            self.turn = CHANCE if len(self.cards) < self.players else 0
        else:
            self.bets += "pb"[move]
            self.turn = len(self.bets) % self.players

    def outcome(self) -> tuple[float, ...] | None:
        first = self.bets.find("b")
        if len(self.bets) < self.players + max(first, 0):
            return None
        stakes = self.stakes()
        players_in = [player for player, stake in enumerate(stakes) if stake == max(stakes)]
        winner = max(players_in, key=self.cards.__getitem__)
        return tuple(
            sum(stakes) - stake if player == winner else -stake for player, stake in enumerate(stakes)
        )

    def stakes(self) -> list[int]:
        """The chips that each player has put into the pot."""
        stakes = [1] * self.players
        for ply, bet in enumerate(self.bets):
            stakes[ply % self.players] += bet == "b"
        return stakes

    def key(self) -> tuple[tuple[int, ...], str]:
        return (self.cards, self.bets)

    # -- imperfect information -------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[int, tuple[int, ...], str]:
        """The number of cards dealt, the player's own card, and the bets."""
        return (len(self.cards), self.cards[player : player + 1], self.bets)

    def determinize(self, player: int, rng: "Random") -> "Kuhn":
        other = type(self)(self.players)
        own = self.cards[player : player + 1]
        rest = [card for card in range(self.players + 1) if card not in own]
        cards = rng.sample(rest, len(self.cards) - len(own))
        other.cards = (*cards[:player], *own, *cards[player:])
        other.bets, other.turn = self.bets, self.turn
        return other

    def sees(self, player: int, move: int) -> bool:
        """A card is seen by its player, a bet by all."""
        return self.turn != CHANCE or player == len(self.cards)

    # -- for people ------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        return self._card(move) if self.turn == CHANCE else WORDS["b" in self.bets][move]

    def _card(self, card: int) -> str:
        return RANKS[len(RANKS) - self.players - 1 + card]

    def _hands(self) -> list[list[str]]:
        dealt = [[self._card(card)] for card in self.cards]
        return dealt + [[]] * (self.players - len(dealt))

    def _notes(self) -> dict[int, str]:
        first = self.bets.find("b")
        words = [WORDS[0 <= first < ply][bet == "b"] for ply, bet in enumerate(self.bets)]
        return _cards.format_bets(self.stakes(), {ply % self.players: word for ply, word in enumerate(words)})

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        to_move = viewer in (None, self.turn) and self.turn != CHANCE and self.outcome() is None
        words = {self.format(move): move for move in self.moves()} if to_move else {}
        pot, turn = f"pot {sum(self.stakes())}", None if self.outcome() else self.turn
        return _cards.card_table(
            side_names(self), self._hands(), viewer, turn, (pot, ()), words, self._notes()
        )

    def show(self, viewer: int | None = None) -> str:
        return _cards.format_hands(side_names(self), self._hands(), viewer, self._notes())

    def __str__(self) -> str:
        return self.show()
