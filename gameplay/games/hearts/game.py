"""Hearts, for three to five players: one deal, or deals until a player reaches 100 points.

move   0 to 51   a card, see `pack`: dealt, passed to another player, or played
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gameplay.board import Board, CardTable, Cell, TableSeat, Tray
from gameplay.errors import BadInput, IllegalMove
from gameplay.games.hearts.match_rules import UntilPoints
from gameplay.games.hearts.playouts import HeartsPlayouts
from gameplay.games.shared import pack, tricks
from gameplay.games.shared.states import StatePosition
from gameplay.plural import plural
from gameplay.position import CHANCE, side, side_names

if TYPE_CHECKING:
    from random import Random

    from gameplay.capabilities import StopSignal

HEARTS, QUEEN, JACK = pack.HEARTS, 43, 37  # a suit, the queen of spades, the jack of diamonds
ALL_POINTS, JACK_BONUS = 26, 10  # points: of all hearts and the queen; of the jack, subtracted
PASS_COUNT = 3  # cards that each player passes
REMOVED_CARDS = {3: (1,), 4: (), 5: (0, 1)}  # cards removed for equal hands
PASSING = {"left": 1, "right": -1, "across": 2, "off": 0}  # seats to the receiver
MAX_POINTS = 1000  # points to play to
MOON = ("others", "own")

_BEFORE = re.compile(r"(\d{1,4}):(-?\d{1,4}(?:/-?\d{1,4})*)", re.ASCII)


class Round(NamedTuple):
    """An immutable game state."""

    turn: int
    hands: tuple[tuple[int, ...], ...]
    passed: tuple[tuple[int, ...], ...]  # by player, the cards they passed
    played: tuple[int, ...]  # the cards, in order
    leads: tuple[int, ...]  # the leader of each trick
    points: tuple[int, ...]  # by player, taken in this deal
    earlier_points: tuple[int, ...]  # by player, from earlier deals
    deal: int  # the number of deals before this one
    broken: bool  # a heart or the queen of spades was played
    over: bool


class Hearts(StatePosition[Round]):
    """Hearts for three to five players, each for themselves; the fewest points win.

    With four players each gets 13 cards. With three each gets 17, and the two of diamonds is left out; with
    five each gets 10, without the twos of diamonds and clubs. First each player passes three cards to
    another; no player sees the cards they receive before all have passed. The player with the lowest club
    leads it. Players must follow suit. The highest card of the suit led takes the trick, and its player
    leads the next.

    Each heart taken is a point, the queen of spades 13. No points may be played to the first trick, and no
    heart led before a heart or the queen of spades was played, unless the player has no other cards. A
    player who takes all 26 points shoots the moon: they get none, and each of the others 26. Payoffs are the
    points below zero.

    `passing` is the player who receives the cards: `left`, `right`, `across` (with four players), or `off`.
    With `jack=on` the jack of diamonds takes 10 points off. With `moon=own` a player who shoots the moon
    gets 26 off instead.

    A game is one deal. With `points=100` deals follow one another until a player has 100 points or more;
    passing rotates from deal to deal: left, right, across (with four players), off.

    Moves are cards, rank and suit: `Qs`, `Th`. A position is the hands as dealt, suits from spades down,
    then the cards passed and played: `AJT4.86543.43.T5 Q983..AKT7.QJ964 K75.T972.52.A732 62.AKQJ.QJ986.K8 As
    Js Ks`, or moves alone. A later deal begins with its number and all players' points: `3:40/0/11/1`.
    """

    zero_sum = False
    match_rules = (UntilPoints,)
    chance = True
    hidden = True
    has_deal_solver = True
    sampled_deals = 400
    in_turn = False
    scored = True
    low = -float(ALL_POINTS)

    def __init__(
        self,
        players: int = 4,
        passing: str = "left",
        jack: bool = False,
        moon: str = "others",
        points: int = 0,
    ) -> None:
        super().__init__()
        if players not in REMOVED_CARDS:
            raise BadInput(f"hearts must have 3 to 5 players, not {players}")
        if passing not in PASSING or (passing == "across" and players != 4):
            across = ", across" if players == 4 else ""
            raise BadInput(
                f"passing must be left, right{across} or off for {players} players, not '{passing}'"
            )
        if moon not in MOON:
            raise BadInput(f"moon must be others or own, not '{moon}'")
        if not 0 <= points <= MAX_POINTS:
            raise BadInput(f"points must be from 0 (one deal) to {MAX_POINTS}, not {points}")
        if points and moon == "own":
            raise BadInput("points and moon=own exclude each other: such a game might never end")
        self.players, self.passing, self.jack, self.moon, self.points = players, passing, jack, moon, points
        self.target = points  # 0: the game ends with this deal
        if players == 4:
            self.sides = ("north", "east", "south", "west")
        jack_bonus = JACK_BONUS if jack else 0
        self.high = float(jack_bonus if moon == "others" else ALL_POINTS + jack_bonus)
        self.total = float(jack_bonus + (ALL_POINTS if moon == "own" else -ALL_POINTS))
        if points:
            # The number of deals, and so of jacks, is limited by the 26 points of each.
            self.low = -float(points - 1 + ALL_POINTS)
            self.high = float(jack_bonus * ((players - 1) * (points - 1) // ALL_POINTS + 1))
            self.total = None
        self.pack = [card for card in pack.PACK if card not in REMOVED_CARDS[players]]
        self.lowest = min(card for card in self.pack if card % 4 == pack.CLUBS)
        self.directions = [direction for direction in PASSING if direction != "across" or players == 4]
        self.state = self._start((0,) * players, 0)
        self.turn = CHANCE

    def _start(self, earlier_points: tuple[int, ...], deal: int) -> Round:
        """The state before any card is dealt."""
        none = ((),) * self.players
        return Round(CHANCE, none, none, (), (), (0,) * self.players, earlier_points, deal, False, False)

    @property
    def step(self) -> int:
        """The number of seats that cards are passed in this deal."""
        return PASSING[
            self.directions[(self.directions.index(self.passing) + self.state.deal) % len(self.directions)]
        ]

    def _receiver(self, player: int) -> int:
        """The player who receives a player's passed cards."""
        return (player + self.step) % self.players

    # -- the rules -------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        state = self.state
        if self.turn == CHANCE:
            dealt_cards = {card for hand in state.hands for card in hand}
            return [card for card in self.pack if card not in dealt_cards]
        hand = state.hands[self.turn]
        if not state.leads:
            return list(hand)
        if not state.played:
            return [self.lowest]
        trick = self._trick()
        if not trick:
            if state.broken:
                return list(hand)
            return [card for card in hand if card % 4 != HEARTS] or list(hand)
        cards = tricks.legal_cards(hand, trick)
        if len(state.played) < self.players and cards[0] % 4 != trick[0] % 4:
            return [card for card in cards if not _is_point_card(card)] or cards
        return cards

    def _trick(self) -> tuple[int, ...]:
        """The cards on the table."""
        played = self.state.played
        return played[len(played) // self.players * self.players :]

    def advance(self, move: int) -> None:
        if self.turn == CHANCE:
            self._deal(move)
        elif not self.state.leads:
            self._pass(move)
        else:
            self._play(move)

    def _deal(self, card: int) -> None:
        count = sum(map(len, self.state.hands))
        player = count % self.players
        hands = _replace_hand(self.state.hands, player, (*self.state.hands[player], card))
        self.state = self.state._replace(hands=hands)
        if count + 1 == len(self.pack):
            self._begin()

    def _begin(self) -> None:
        """Start passing, or the play with the lowest club."""
        if self.step:
            self.state = self.state._replace(turn=0)
        else:
            self._lead()

    def _pass(self, card: int) -> None:
        """1. Set the card aside. 2. After three cards, the next player. 3. After all, deliver the cards."""
        state, player = self.state, self.turn
        hands = _replace_hand(state.hands, player, [held for held in state.hands[player] if held != card])
        passed = _replace_hand(state.passed, player, (*state.passed[player], card))
        has_passed_all = len(passed[player]) == PASS_COUNT
        self.state = state._replace(hands=hands, passed=passed, turn=player + has_passed_all)
        if self.state.turn == self.players:
            for giver, cards in enumerate(passed):
                hands = _replace_hand(hands, self._receiver(giver), (*hands[self._receiver(giver)], *cards))
            self.state = self.state._replace(hands=hands)
            self._lead()

    def _lead(self) -> None:
        leader = next(player for player, hand in enumerate(self.state.hands) if self.lowest in hand)
        self.state = self.state._replace(turn=leader, leads=(leader,))

    def _play(self, card: int) -> None:
        """1. Play the card. 2. The winner of a complete trick gets its points and leads."""
        state, player, count = self.state, self.turn, self.players
        hands, played = list(state.hands), (*state.played, card)
        hands[player] = tuple([held for held in hands[player] if held != card])
        broken = state.broken or _is_point_card(card)
        if len(played) % count:
            turn = (player + 1) % count
            self.state = state._replace(turn=turn, hands=tuple(hands), played=played, broken=broken)
            return
        trick = played[-count:]
        leader = (state.leads[-1] + tricks.winning_index(trick)) % count
        points = list(state.points)
        points[leader] += sum(map(self._card_points, trick))
        deal_over = len(played) == len(self.pack)
        self.state = state._replace(
            turn=leader,
            hands=tuple(hands),
            played=played,
            leads=state.leads if deal_over else (*state.leads, leader),
            points=tuple(points),
            broken=broken,
            over=deal_over,
        )
        if deal_over and self.target and max(totals := self._totals()) < self.target:
            self.state = self._start(totals, state.deal + 1)

    def _totals(self) -> tuple[int, ...]:
        """By player, the points of all deals including the last one."""
        state = self.state
        points = state.points
        shooter = self._shooter(state.leads, state.played)
        if shooter is not None:
            shooter_points, other_points = (0, ALL_POINTS) if self.moon == "others" else (-ALL_POINTS, 0)
            points = tuple(
                [
                    taken_points + (shooter_points - ALL_POINTS if player == shooter else other_points)
                    for player, taken_points in enumerate(points)
                ]
            )
        return tuple(map(sum, zip(state.earlier_points, points, strict=True)))

    def _card_points(self, card: int) -> int:
        """The points of a card."""
        if card % 4 == HEARTS:
            return 1
        return 13 if card == QUEEN else -JACK_BONUS if self.jack and card == JACK else 0

    def outcome(self) -> tuple[float, ...] | None:
        return tuple([-points for points in self._totals()]) if self.state.over else None

    def _shooter(self, leads: tuple[int, ...], played: tuple[int, ...]) -> int | None:
        """The player who has taken all the points of a deal, not counting the jack."""
        takers = set()
        for number, leader in enumerate(leads):
            trick = played[number * self.players : (number + 1) * self.players]
            if any(map(_is_point_card, trick)):
                takers.add((leader + tricks.winning_index(trick)) % self.players)
        return takers.pop() if len(takers) == 1 else None

    def key(self) -> tuple[Any, ...]:
        state = self.state
        return (state.hands, state.passed, state.played, state.leads, state.earlier_points, state.deal)

    def evaluate(self) -> int:
        return 0 if self.turn == CHANCE else self.evaluate_for(self.turn)

    def evaluate_for(self, player: int) -> int:
        """Minus the points taken so far and a share of the remaining points of this deal."""
        points = self.state.points
        remaining = ALL_POINTS - sum(points)
        return -self.state.earlier_points[player] - min(
            ALL_POINTS, points[player] - (-remaining // self.players)
        )

    # -- imperfect information -------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[Any, ...]:
        """The player's hand, cards passed and received, the number of cards of all, and those played."""
        state = self.state
        received = state.passed[(player - self.step) % self.players] if state.leads else ()
        count = sum(map(len, state.hands)), sum(map(len, state.passed))
        return (
            self.turn,
            *count,
            state.hands[player],
            state.passed[player],
            received,
            state.played,
            state.leads,
            state.earlier_points,
            state.deal,
        )

    def determinize(self, player: int, rng: "Random") -> "Hearts":
        """Sample the hidden hands, and the cards that may have been passed, uniformly.

        1. Before the play: any cards for the hands of the others and the cards that they passed.
        2. In the play: unplayed cards that the player passed are in the receiver's hand; others hold no card
           that their plays exclude, and the first leader has the lowest club.
        3. The cards passed between two other players are any three of those that the receiver had then.

        The sample ends with this deal: no move in it affects the next deals.
        """
        state, count = self.state, self.players
        sample = type(self)(count, self.passing, self.jack, self.moon, self.points)
        sample.target = 0
        opponents = [opponent for opponent in range(count) if opponent != player]
        hands, passed = list(state.hands), list(state.passed)
        if not state.leads:
            known_cards = {*hands[player], *passed[player]}
            unknown_cards = [card for card in self.pack if card not in known_cards]
            rng.shuffle(unknown_cards)
            for cards in (hands, passed):
                for opponent in opponents:
                    cards[opponent] = tuple(sorted([unknown_cards.pop() for _ in cards[opponent]]))
        else:
            receiver = self._receiver(player)
            passed_cards = [card for card in state.passed[player] if card not in state.played]
            known_cards = {*hands[player], *state.played, *passed_cards}
            unknown_cards = [card for card in self.pack if card not in known_cards]
            lacking = self._impossible_cards()
            counts = [
                len(hands[opponent]) - (len(passed_cards) if opponent == receiver else 0)
                for opponent in opponents
            ]
            opponents_lacking = [lacking[opponent] for opponent in opponents]
            dealt_hands = tricks.deal_uniformly(unknown_cards, counts, opponents_lacking, rng)
            for opponent, hand in zip(opponents, dealt_hands, strict=True):
                hands[opponent] = tuple(sorted([*hand, *passed_cards] if opponent == receiver else hand))
            if self.step:
                start_hands = self._hands_at_start(hands)
                for giver in opponents:
                    if self._receiver(giver) != player:
                        passed[giver] = tuple(
                            sorted(rng.sample(start_hands[self._receiver(giver)], PASS_COUNT))
                        )
        sample.state = state._replace(hands=tuple(hands), passed=tuple(passed))
        sample.turn = self.turn
        return sample

    def dealt_solver(self, control: "StopSignal | None") -> HeartsPlayouts:
        """The solver that values the moves of a deal by playouts."""
        return HeartsPlayouts(self)

    def rule_of_thumb(self) -> int:
        """The card of the rule-based player, see `playouts`."""
        return int(HeartsPlayouts(self).card(self))

    def _impossible_cards(self) -> list[set[int]]:
        """The cards that each player cannot have: of suits not followed, and more.

        The first leader has the lowest club. A player who leads hearts before they are broken has only
        hearts; one who plays points to the first trick has only points.
        """
        state, count = self.state, self.players
        if not state.played:
            return [set() if player == state.leads[0] else {self.lowest} for player in range(count)]
        lacking = tricks.voids(state.leads, state.played, count)
        broken = False
        for number, card in enumerate(state.played):
            player = (state.leads[number // count] + number) % count
            if number < count and _is_point_card(card):
                lacking[player].update(
                    other_card for other_card in pack.PACK if not _is_point_card(other_card)
                )
            elif number % count == 0 and card % 4 == HEARTS and not broken:
                lacking[player].update(other_card for other_card in pack.PACK if other_card % 4 != HEARTS)
            broken = broken or _is_point_card(card)
        return lacking

    def _hands_at_start(self, hands: Any) -> list[list[int]]:
        """The hands at the start of the play, from the current ones."""
        state, count = self.state, self.players
        hands_at_start = [list(hand) for hand in hands]
        for number, card in enumerate(state.played):
            hands_at_start[(state.leads[number // count] + number) % count].append(card)
        return hands_at_start

    def sees(self, player: int, move: int) -> bool:
        """A dealt card is seen by its player, a passed card by its giver, a played card by all."""
        if self.turn == CHANCE:
            return sum(map(len, self.state.hands)) % self.players == player
        return bool(self.state.leads) or player == self.turn

    # -- for people ------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        return pack.card_text(move)

    def parse(self, text: str) -> int:
        word = text.strip()
        card = pack.parse_card(word)
        legal = self.moves()
        if card in legal:
            return card
        if card is None or self.turn == CHANCE:
            return super().parse(word)
        state = self.state
        if card not in state.hands[self.turn]:
            raise IllegalMove(f"'{word}': {side(self, self.turn)} does not hold that card")
        trick = self._trick()
        if not state.played:
            raise IllegalMove(f"'{word}': the first lead is {pack.card_text(legal[0])}")
        if not trick:
            raise IllegalMove(f"'{word}': no heart is led before a heart or the queen of spades was played")
        if legal[0] % 4 == trick[0] % 4:
            raise IllegalMove(f"'{word}': {tricks.must_follow_error(trick[0])}")
        raise IllegalMove(f"'{word}': no points are played to the first trick")

    @property
    def choosing(self) -> bool:
        """True while cards to pass are chosen, which are hidden until all have passed."""
        return self.turn != CHANCE and not self.state.leads

    def last_trick(self) -> str:
        """The last complete trick of this deal; "" before the first."""
        state, count = self.state, self.players
        number = len(state.played) // count
        if not number:
            return ""
        cards, leader = state.played[(number - 1) * count : number * count], state.leads[number - 1]
        taker = (leader + tricks.winning_index(cards)) % count
        names = side_names(self)
        points = sum(map(self._card_points, cards))
        return f"{tricks.format_trick(names, number, leader, cards, taker)}, {plural(points, 'point')}"

    def in_order(self, moves: Sequence[int]) -> list[int]:
        """Cards by suits, the highest first."""
        return tricks.in_order(moves)

    def text(self) -> str | None:
        state = self.state
        earlier = [f"{state.deal + 1}:{'/'.join(map(str, state.earlier_points))}"] if state.deal else []
        if earlier and not any(state.hands) and not state.played:
            return earlier[0]
        if sum(map(len, (*state.hands, *state.passed))) < len(self.pack) and not state.leads:
            return None
        words = [*(card for cards in state.passed for card in cards), *state.played]
        return " ".join([*earlier, *map(pack.hand_text, self._first_hands()), *map(pack.card_text, words)])

    def _first_hands(self) -> list[list[int]]:
        """The hands as they were dealt."""
        passed = self.state.passed
        hands = (
            self._hands_at_start(self.state.hands) if self.state.leads else list(map(list, self.state.hands))
        )
        for player, cards in enumerate(passed):
            if self.state.leads:
                receiver = self._receiver(player)
                hands[receiver] = [card for card in hands[receiver] if card not in cards]
        return [[*hand, *cards] for hand, cards in zip(hands, passed, strict=True)]

    def setup(self, text: str) -> None:
        words = text.split()
        if words and (match := _BEFORE.fullmatch(words[0])):
            self._start_deal(int(match[1]), tuple(map(int, match[2].split("/"))))
            del words[0]
        if words and "." in words[0]:
            names = side_names(self)
            if sum("." in word for word in words) != self.players:
                raise BadInput(
                    f"'{text}': a deal is {self.players} hands, each of four suits with dots between"
                )
            hands = [
                pack.parse_hand(word, f"{name}'s hand") for word, name in zip(words, names, strict=False)
            ]
            pack.check_disjoint(hands, names)
            self._check(hands)
            self.state = self.state._replace(hands=tuple(hands))
            self._begin()
            self.turn = self.state.turn
            words = words[self.players :]
        super().setup(" ".join(words))

    def _start_deal(self, deal: int, earlier_points: tuple[int, ...]) -> None:
        """Start a later deal. Raises BadInput for impossible points."""
        if not self.target:
            raise BadInput("the game is one deal; earlier deals need points, as in points=100")
        if len(earlier_points) != self.players:
            raise BadInput(f"points are {self.players} numbers with / between, one a player")
        if not deal or (deal == 1 and any(earlier_points)):
            raise BadInput(f"deal {deal}: the first is 1, and all points are 0 before it")
        if max(earlier_points) >= self.target:
            raise BadInput(f"the game is over: a player has {max(earlier_points)} points of {self.target}")
        if min(earlier_points) < 0 and not self.jack:
            raise BadInput("points are below zero with jack=on only")
        self.state = self._start(earlier_points, deal - 1)

    def _check(self, hands: list[tuple[int, ...]]) -> None:
        """Raises BadInput unless these are all cards in equal hands."""
        hand_size = len(self.pack) // self.players
        if any(len(hand) != hand_size for hand in hands):
            raise BadInput(f"a deal is {hand_size} cards for each of the {self.players}")
        for card in REMOVED_CARDS[self.players]:
            if any(card in hand for hand in hands):
                raise BadInput(f"{pack.card_text(card)} is left out with {self.players} players")

    def news(self) -> list[str]:
        """The winner of the trick, a shot moon, and after a deal of several the points of all players."""
        if not self.earlier_states or not self.earlier_states[-1].leads:
            return []
        previous, current, count = self.earlier_states[-1], self.state, self.players
        if (len(previous.played) + 1) % count:
            return []
        (card,) = set(previous.hands[previous.turn]) - set(current.hands[previous.turn])
        player = (previous.leads[-1] + tricks.winning_index((*previous.played[1 - count :], card))) % count
        deal_over = len(previous.played) + 1 == len(self.pack)
        points = sum(map(self._card_points, (*previous.played[1 - count :], card)))
        score = f" and {plural(points, 'point')}" if points else ""
        lines = [f"{pack.card_text(card)}; {side(self, player)} takes the trick{score}"]
        if not deal_over:
            return lines
        if (shooter := self._shooter(previous.leads, (*previous.played, card))) is not None:
            lines.append(f"{side(self, shooter)} shoots the moon")
        if self.points:
            totals = current.earlier_points if current.deal > previous.deal else self._totals()
            totals_text = ", ".join(f"{side(self, seat)} {total}" for seat, total in enumerate(totals))
            lines.append(f"after deal {previous.deal + 1}: {totals_text}")
        return lines

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        """The viewer at the bottom, the others clockwise around the trick."""
        state, below = self.state, viewer or 0
        to_move = viewer in (None, self.turn) and self.turn != CHANCE and not state.over
        legal = set(self.moves()) if to_move else set()
        show_all = state.over and viewer is None
        hands = (
            [tuple(sorted(hand)) for hand in self._hands_at_start(state.hands)] if show_all else state.hands
        )
        standing = self._standing()
        trays: list[Tray] = []
        selectable: dict[Cell, int] = {}
        seats = []
        for player in [(below + turned) % self.players for turned in range(self.players)]:
            seat = TableSeat(
                player=player,
                name=side(self, player) + (" (you)" if player == viewer else ""),
                note=standing[player],
                card=self._card(player),
                turn=not state.over and player == self.turn,
            )
            cards = legal if player == self.turn else set()
            seats.append(
                tricks.seat_hand(trays, selectable, seat, hands[player], viewer in (None, player), cards)
            )
        taker = self._trick_winner()
        table = CardTable(
            seats=tuple(seats),
            facts=self._facts(viewer),
            leader=(self._leader() - below) % self.players,
            winner=None if taker is None else (taker - below) % self.players,
            middle=self._passed_cards(viewer),
            foot=self._received_cards(viewer),
        )
        names = {cell: pack.card_text(card).lower() for cell, card in selectable.items()}
        return tricks.card_board(trays, selectable, names, pack.GLYPHS, self._notes(), table)

    def _card(self, player: int) -> str:
        """A player's card in the current trick, or in the last one until a card is led."""
        state, count = self.state, self.players
        if not state.played:
            return ""
        trick = self._trick() or state.played[-count:]
        index = (player - self._leader()) % count
        return pack.card_text(trick[index]) if index < len(trick) else ""

    def _leader(self) -> int:
        """The leader of the trick on the table."""
        state = self.state
        return state.leads[max(0, len(state.played) - 1) // self.players] if state.leads else 0

    def _trick_winner(self) -> int | None:
        """The winner of the trick on the table, if it is complete."""
        state, count = self.state, self.players
        if self._trick() or not state.played:
            return None
        return (self._leader() + tricks.winning_index(state.played[-count:])) % count

    def _facts(self, viewer: int | None) -> tuple[str, ...]:
        """The cards to pass; in the play the trick, with its leader or winner."""
        state, count = self.state, self.players
        deal = (f"deal {state.deal + 1}, the game ends at {self.points} points",) if self.points else ()
        if self.turn == CHANCE:
            return deal
        if not state.leads:
            giver = self.turn if viewer is None else viewer
            receiver, remaining = side(self, self._receiver(giver)), PASS_COUNT - len(state.passed[giver])
            count_text = plural(remaining, "more card") if remaining < PASS_COUNT else "three cards"
            if not remaining:
                return (*deal, f"passed to {receiver}; the others choose")
            instruction = ("one by one, or all in one line",) if remaining == PASS_COUNT else ()
            return (*deal, f"choose {count_text} to pass to {receiver}", *instruction)
        taker, number = self._trick_winner(), (len(state.played) - 1) // count + 1 if state.played else 1
        if taker is not None:
            status = f"{side(self, taker)} takes it"
        else:
            status = f"{side(self, state.leads[-1])} {'led' if state.played else 'leads'}"
        broken = "hearts broken" if state.broken else "hearts not broken"
        return (*deal, f"trick {number}/{len(self.pack) // count}: {status}; {broken}")

    def _passed_cards(self, viewer: int | None) -> tuple[str, tuple[str, ...]] | None:
        """Before the play: the cards passed by the viewer, or by the player on turn if all is open."""
        state = self.state
        if state.leads or not self.step or self.turn == CHANCE:
            return None
        giver = self.turn if viewer is None else viewer
        cards = [*map(pack.card_text, state.passed[giver])]
        return f"to {side(self, self._receiver(giver))}", (*cards, *[""] * (PASS_COUNT - len(cards)))

    def _received_cards(self, viewer: int | None) -> tuple[str, ...]:
        """During the first trick: the cards that the viewer received."""
        state = self.state
        if viewer is None or not state.leads or not self.step or len(state.played) >= self.players:
            return ()
        giver = (viewer - self.step) % self.players
        return (f"{side(self, giver)} gave you {' '.join(map(pack.card_text, state.passed[giver]))}",)

    def _notes(self) -> dict[int, str]:
        """The points of each player; before the play, the receiver of their cards."""
        state, notes = self.state, self._standing()
        if not state.leads and self.step and self.turn != CHANCE:
            for player, note in enumerate(notes):
                name = side(self, self._receiver(player))
                passing = f"has passed to {name}" if player < self.turn else f"passes {PASS_COUNT} to {name}"
                notes[player] = f"{note}, {passing}" if note else passing
        return {player: note for player, note in enumerate(notes) if note}

    def _standing(self) -> list[str]:
        """The points of each player: of earlier deals, if any, and of this one in the play."""
        state, notes = self.state, [""] * self.players
        if state.leads:
            points = state.points if not state.over else [-int(gain) for gain in self.outcome() or ()]
            notes = [plural(points_taken, "point") for points_taken in points]
        if self.points and not state.over:
            earlier_notes = [f"{points} of {self.points}" for points in state.earlier_points]
            notes = [
                f"{earlier}, {note}" if note else earlier
                for earlier, note in zip(earlier_notes, notes, strict=True)
            ]
        return notes

    def show(self, viewer: int | None = None) -> str:
        state = self.state
        lines = (
            [f"deal {state.deal + 1}, before it {' '.join(map(str, state.earlier_points))}"]
            if self.points
            else []
        )
        for player, hand in enumerate(state.hands):
            hand_text = pack.hand_text(hand) if viewer in (None, player) else f"{len(hand)} cards"
            lines.append(f"{side(self, player)}  {hand_text}")
        for player, cards in enumerate(state.passed):
            if cards and viewer in (None, player):
                receiver = side(self, self._receiver(player))
                lines.append(f"{side(self, player)} to {receiver}  {' '.join(map(pack.card_text, cards))}")
        if state.leads:
            lines.append(f"points {' '.join(map(str, state.points))}")
            lines.append(f"table  {' '.join(map(pack.card_text, self._trick())) or '-'}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.show()


def _is_point_card(card: int) -> bool:
    """True for hearts and the queen of spades."""
    return card % 4 == HEARTS or card == QUEEN


def _replace_hand(hands: tuple[tuple[int, ...], ...], player: int, cards: Any) -> tuple[tuple[int, ...], ...]:
    """The hands with one of them changed."""
    return (*hands[:player], tuple(sorted(cards)), *hands[player + 1 :])
