"""Contract bridge: the auction and the play of one deal.

move   0 to 51   a card, dealt or played, see `pack`
       52        pass
       53, 54    double, redouble
       55 ...    bids: 55 + 5 * (level - 1) + strain, from 0, clubs, to 4, no trumps

Players are north, east, south and west, 0 to 3, and partners sit opposite. The declarer plays dummy's cards.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gameplay.board import Board
from gameplay.errors import BadInput, IllegalMove
from gameplay.games.bridge import bidding, card_play, drawing
from gameplay.games.bridge.bidding import DOUBLE, FIRST, PASS, REDOUBLE
from gameplay.games.bridge.deal import Deal
from gameplay.games.bridge.match_rules import Imps, Matchpoints, Rubbers
from gameplay.games.bridge.score import SEATS, STRAINS, Contract, Par, par, score
from gameplay.games.bridge.solver import BridgeSolver, cell, cells
from gameplay.games.shared import pack
from gameplay.games.shared import tricks as _tricks
from gameplay.games.shared.states import StatePosition
from gameplay.plural import plural
from gameplay.position import CHANCE

if TYPE_CHECKING:
    from random import Random

    from gameplay.capabilities import StopSignal

MAX_SWAPS = 400  # card swaps in the search for a deal that fits the calls
TABLE_BITS = 20  # log2 entries of the solver's table for one deal
VULNERABLE = {"none": (), "ns": (0,), "ew": (1,), "both": (0, 1)}
CALL_TEXTS = {PASS: "pass", DOUBLE: "x", REDOUBLE: "xx"}
CALL_ALIASES = {"p": PASS, "-": PASS, "pass": PASS, "x": DOUBLE, "d": DOUBLE, "dbl": DOUBLE, "double": DOUBLE}
CALL_ALIASES |= {"xx": REDOUBLE, "r": REDOUBLE, "rdbl": REDOUBLE, "redouble": REDOUBLE}


class Bridge(StatePosition[Deal]):
    """Contract bridge for four, north and south against east and west: one deal, its auction and its play.

    Each player gets 13 cards. The dealer calls first, then all in turn: `pass`; a bid of a level and a
    strain (`1C` to `7N`), higher than the last bid; `x`, which doubles the opponents' bid; `xx`, which
    redoubles. Strains rise from clubs, diamonds, hearts and spades to no trumps. Three passes end the
    auction; four at the start end the game.

    Of the side that made the last bid, the player who first named its strain is the declarer, and must take
    six tricks more than the level. The player on the declarer's left leads. Then the partner's hand is open
    as dummy, and the declarer plays it. Players must follow suit; the highest trump takes the trick, else
    the highest card of the suit led. Points are counted by the laws of duplicate bridge.

    Cards are rank and suit: `Ah`, `Tc`. `dealer` is N, E, S or W; `vulnerable` is none, ns, ew or both. With
    `contract` (`4S`, `3Nx`) and `declarer` there is no auction. `system` is a file with the bidding system
    of both sides; the default is a small natural one. A position is the deal in PBN and the calls and cards
    after it: `N:AJT4.86543.43.T5 Q983..AKT7.QJ964 K75.T972.52.A732 62.AKQJ.QJ986.K8 pass 1D`, or moves
    alone.
    """

    players = 4
    chance = True
    hidden = True
    scored = True
    has_deal_solver = True
    mistake_thresholds = (20, 50, 300)  # an overtrick, an undertrick, a game
    records = ".pbn"  # the format of its files
    match_rules = (Imps, Matchpoints, Rubbers)
    sides = ("north", "east", "south", "west")
    low = -7600.0
    high = 7600.0

    def __init__(
        self,
        dealer: str = "N",
        vulnerable: str = "none",
        contract: str = "",
        declarer: str = "S",
        system: str = "",
    ) -> None:
        super().__init__()
        self.dealer = _parse_seat(dealer, "dealer")
        if vulnerable not in VULNERABLE:
            raise BadInput(f"vulnerable must be none, ns, ew or both, not '{vulnerable}'")
        self.vulnerable = VULNERABLE[vulnerable]
        seat = _parse_seat(declarer, "declarer")
        if not contract and seat != 2:
            raise BadInput("a declarer needs a contract, as in contract=4S,declarer=E")
        self.fixed_contract = _parse_contract(contract, seat) if contract else None
        self.system = system
        if system:
            bidding.system(system)  # raises errors in the system
        self.state = Deal(CHANCE)
        self.turn = CHANCE

    # -- the rules -------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        state = self.state
        if self.turn == CHANCE:
            dealt_cards = {card for hand in state.hands for card in hand}
            return [card for card in pack.PACK if card not in dealt_cards]
        if state.contract is None:
            return self._calls()
        return _tricks.legal_cards(state.hands[state.hand], state.trick)

    def _calls(self) -> list[int]:
        """The legal calls: pass, double, redouble, and higher bids."""
        bid, bidder, multiplier = self._last_bid()
        calls = [PASS]
        if bid >= FIRST and multiplier == 1 and (bidder ^ self.turn) & 1:
            calls.append(DOUBLE)
        if bid >= FIRST and multiplier == 2 and not (bidder ^ self.turn) & 1:
            calls.append(REDOUBLE)
        return [*calls, *range(max(FIRST, bid + 1), FIRST + 35)]

    def _last_bid(self) -> tuple[int, int, int]:
        """The last bid (0: none), its player and its multiplier."""
        multiplier = 1
        for number in range(len(self.state.calls) - 1, -1, -1):
            call = self.state.calls[number]
            if call >= FIRST:
                return call, (self.dealer + number) % 4, multiplier
            if call != PASS:
                multiplier = max(multiplier, {DOUBLE: 2, REDOUBLE: 4}[call])
        return 0, 0, 1

    def advance(self, move: int) -> None:
        if self.turn == CHANCE:
            self._deal(move)
        elif self.state.contract is None:
            self._call(move)
        else:
            self._play(move)

    def _deal(self, card: int) -> None:
        count = sum(map(len, self.state.hands))
        hands = list(self.state.hands)
        hands[count % 4] = tuple(sorted((*hands[count % 4], card)))
        self.state = self.state._replace(hands=tuple(hands))
        if count == 51:
            self._begin()

    def _begin(self) -> None:
        """Start the auction, or the play of a given contract."""
        if self.fixed_contract is None:
            self.state = self.state._replace(turn=self.dealer)
        else:
            self._lead(self.fixed_contract)

    def _lead(self, contract: Contract) -> None:
        leader = (contract.declarer + 1) % 4
        self.state = self.state._replace(turn=leader, contract=contract, leads=(leader,))

    def _call(self, call: int) -> None:
        calls = (*self.state.calls, call)
        self.state = self.state._replace(calls=calls, turn=(self.turn + 1) % 4)
        if len(calls) < 4 or calls[-3:] != (PASS, PASS, PASS):
            return
        bid, bidder, multiplier = self._last_bid()
        if not bid:
            self.state = self.state._replace(over=True)
            return
        level, strain = divmod(bid - FIRST, 5)
        first_call = next(
            number
            for number, own_call in enumerate(calls)
            if own_call >= FIRST
            and (own_call - FIRST) % 5 == strain
            and not (self.dealer + number - bidder) & 1
        )
        self._lead(Contract(level + 1, strain, (self.dealer + first_call) % 4, multiplier))

    def _play(self, card: int) -> None:
        """1. Play the card. 2. Score a complete trick. 3. Set the player on turn; for dummy the declarer."""
        state = self.state
        contract = state.contract
        assert contract is not None
        hands = list(state.hands)
        hands[state.hand] = tuple([held for held in hands[state.hand] if held != card])
        state = state._replace(hands=tuple(hands), played=(*state.played, card))
        if not len(state.played) % 4:
            leader = (state.leads[-1] + _tricks.winning_index(state.played[-4:], contract.trump)) % 4
            tricks = (state.tricks[0] + (leader % 2 == 0), state.tricks[1] + leader % 2)
            over = len(state.played) == 52
            state = state._replace(tricks=tricks, over=over)
            state = state._replace(leads=state.leads if over else (*state.leads, leader))
        player = contract.declarer if state.over or state.hand == contract.dummy else state.hand
        self.state = state._replace(turn=player)

    def outcome(self) -> tuple[float, ...] | None:
        state = self.state
        if not state.over:
            return None
        if state.contract is None:
            return (0, 0, 0, 0)
        return self.payoffs(state.tricks[state.contract.declarer % 2])

    def payoffs(self, tricks: int) -> tuple[float, ...]:
        """The payoffs of all players if the declarer takes `tricks`."""
        contract = self.state.contract
        assert contract is not None
        side = contract.declarer % 2
        points = score(contract, tricks, side in self.vulnerable)
        return tuple([points if player % 2 == side else -points for player in range(4)])

    def key(self) -> tuple[Any, ...]:
        state = self.state
        return (state.hands, state.calls, state.played, state.leads)

    # -- imperfect information -------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[Any, ...]:
        """The player's hand, dummy's once open, all calls and cards played, and the turn."""
        state = self.state
        dummy: tuple[int, ...] = ()
        if state.contract is not None and state.open:
            dummy = state.hands[state.contract.dummy]
        cards_held = sum(map(len, state.hands))
        return (self.turn, cards_held, state.hands[player], dummy, state.calls, state.played, state.leads)

    def determinize(self, player: int, rng: "Random") -> "Bridge":
        """Sample the hidden hands uniformly, without suits that a player did not follow."""
        sample = self._twin()
        state = self.state
        visible = {player}
        if state.contract is not None and state.open:
            visible.add(state.contract.dummy)
        known_cards = {*state.played, *(card for seat in visible for card in state.hands[seat])}
        hidden = [seat for seat in range(4) if seat not in visible]
        unknown_cards = [card for card in pack.PACK if card not in known_cards]
        hand_sizes = [len(state.hands[seat]) for seat in hidden]
        undealt = len(unknown_cards) - sum(hand_sizes)  # during the deal some cards are in no hand
        lacking = _tricks.voids(state.leads, state.played)
        dealt_hands = _tricks.deal_uniformly(
            unknown_cards, [*hand_sizes, undealt], [*(lacking[seat] for seat in hidden), set()], rng
        )
        hands = list(state.hands)
        for seat, cards in zip(hidden, dealt_hands, strict=False):
            hands[seat] = tuple(sorted(cards))
        sample.state = state._replace(hands=tuple(hands))
        return sample

    def initial(self) -> "Bridge":
        other = type(self)()
        other.dealer, other.vulnerable, other.fixed_contract = (
            self.dealer,
            self.vulnerable,
            self.fixed_contract,
        )
        other.system = self.system
        return other

    def _twin(self) -> "Bridge":
        other = self.initial()
        other.state, other.turn = self.state, self.turn
        return other

    def sees(self, player: int, move: int) -> bool:
        """A dealt card is seen by its player; calls and cards played by all."""
        return self.turn != CHANCE or sum(map(len, self.state.hands)) % 4 == player

    # -- bidding and play ------------------------------------------------------------------------

    def advice(self) -> tuple[int, str] | None:
        """In the auction: the system's call and its meaning; else None."""
        state = self.state
        if self.turn == CHANCE or state.contract is not None or state.over:
            return None
        hand = bidding.evaluate_hand(state.hands[self.turn])
        option = bidding.system(self.system).choose(state.calls, hand)
        return option.call, str(option)

    def rule_of_thumb(self) -> int:
        """In the play: the card by rules of thumb."""
        state = self.state
        assert state.contract is not None
        return card_play.card(state.hands[state.hand], state.trick, state.contract.trump)

    @property
    def calling(self) -> bool:
        """In the auction: True if the next move is a call."""
        return self.turn != CHANCE and self.state.contract is None and not self.state.over

    def meaning(self, move: int) -> str:
        """The meaning of a call in the system, in words; empty for cards and if no rule makes the call."""
        if move < PASS or self.state.contract is not None:
            return ""
        return bidding.system(self.system).meaning((*self.state.calls, move))

    def auction(self) -> list[str]:
        """The calls so far, each with its meaning in the system; then the system."""
        state, system = self.state, bidding.system(self.system)
        lines = []
        for number, call in enumerate(state.calls):
            meaning = system.meaning(state.calls[: number + 1])
            line = f"{self.sides[(self.dealer + number) % 4]} {self.format(call)}"
            lines.append(f"{line}: {meaning}" if meaning else line)
        about = f": {system.about}" if system.about else ""
        return [*lines, f"both sides play the system {system.name}{about}"]

    def last_trick(self) -> str:
        """The last complete trick; "" before the first."""
        state = self.state
        number = len(state.played) // 4
        if not number or state.contract is None:
            return ""
        cards, leader = state.played[4 * number - 4 : 4 * number], state.leads[number - 1]
        taker = (leader + _tricks.winning_index(cards, state.contract.trump)) % 4
        return _tricks.format_trick(self.sides, number, leader, cards, taker)

    def in_order(self, moves: Sequence[int]) -> list[int]:
        """Pass, doubles and bids in the order of the bidding box; cards by suits, the highest first."""
        return sorted(moves) if moves and moves[0] >= PASS else _tricks.in_order(moves)

    def likely(self, player: int, rng: "Random") -> "Bridge":
        """As `determinize`, but with hands that fit the meanings of the calls, as far as possible.

        Starts from a deal that fits the cards played and repeatedly swaps cards of two hidden hands; a swap
        is accepted if it does not increase the distance from the calls' promises. Once the deal fits, all
        deals of the walk fit, and each reachable one is equally likely.
        """
        sample = self.determinize(player, rng)
        state = sample.state
        system = bidding.system(self.system)
        calls = system.auction(state.calls).promises
        visible = {player, state.contract.dummy} if state.contract is not None and state.open else {player}
        hidden = [seat for seat in range(4) if seat not in visible and state.hands[seat]]
        promises_of = {seat: calls[(seat - self.dealer) % 4] for seat in hidden}
        if len(hidden) < 2 or not any(promises_of.values()):
            return sample
        lacking = _tricks.voids(state.leads, state.played)
        hands = {seat: list(state.hands[seat]) for seat in hidden}
        start_hands = sample.first_hands()
        played = {seat: [card for card in start_hands[seat] if card not in hands[seat]] for seat in hidden}

        def distance(seat: int) -> int:
            hand = bidding.evaluate_hand([*hands[seat], *played[seat]])
            return sum(
                [min([promise.distance(hand) for promise in promises]) for promises in promises_of[seat]]
            )

        distances = {seat: distance(seat) for seat in hidden}
        for _ in range(MAX_SWAPS):
            seat, other_seat = rng.sample(hidden, 2)
            i, j = rng.randrange(len(hands[seat])), rng.randrange(len(hands[other_seat]))
            first_card, second_card = hands[seat][i], hands[other_seat][j]
            if first_card in lacking[other_seat] or second_card in lacking[seat]:
                continue
            hands[seat][i], hands[other_seat][j] = second_card, first_card
            new_distances = distance(seat), distance(other_seat)
            if sum(new_distances) > distances[seat] + distances[other_seat]:
                hands[seat][i], hands[other_seat][j] = first_card, second_card
            else:
                distances[seat], distances[other_seat] = new_distances
        new_hands = list(state.hands)
        for seat in hidden:
            new_hands[seat] = tuple(sorted(hands[seat]))
        sample.state = state._replace(hands=tuple(new_hands))
        return sample

    def dealt_solver(self, control: "StopSignal | None") -> "DoubleDummy | None":
        """In the play: the double-dummy values of cards; else None."""
        return DoubleDummy(control) if self.state.contract is not None else None

    # -- double dummy ----------------------------------------------------------------------------

    @property
    def declarer(self) -> int | None:
        """The declarer of the contract; None before the play."""
        return None if self.state.contract is None else self.state.contract.declarer

    @property
    def declaring(self) -> bool:
        """In the play: True if the declarer's side plays the next card."""
        return self.declarer is not None and (self.state.hand ^ self.declarer) & 1 == 0

    def new_solver(self, bits: int) -> BridgeSolver:
        """A solver of deals with all cards open, with a table of 2**bits entries."""
        return BridgeSolver(bits)

    def first_strains(self, solver: BridgeSolver) -> Iterator[tuple[int, list[int] | None]]:
        """Each strain, no trumps first, with the tricks of each declarer; None if `solver` was stopped."""
        hands = [cells(hand) for hand in self.first_hands()]
        for strain in (4, 3, 2, 1, 0):
            yield strain, solver.strain(hands, strain)

    def par(self, tricks: Sequence[Sequence[int]]) -> Par:
        """Par of the deal by its vulnerability and dealer; `tricks`: of each declarer by strain."""
        return par(tricks, self.vulnerable, self.dealer)

    def double_dummy(self, solver: BridgeSolver) -> Iterator[tuple[int, int | None]]:
        """In the play: each legal card with the total tricks of the declarer's side after it.

        With all cards open and best play, computed by a `BridgeSolver`; None if stopped. Adjacent cards, with
        no other player's card between them, take the same number of tricks.
        """
        state = self.state
        assert state.contract is not None
        side = state.contract.declarer % 2
        solver.deal([cells(hand) for hand in state.hands], state.contract.strain)
        trick = [cell(card) for card in state.trick]
        other_cards = {
            *state.trick,
            *(card for n, hand in enumerate(state.hands) if n != state.hand for card in hand),
        }
        max_tricks = max(map(len, state.hands))
        guess = max_tricks // 2
        results: dict[int, int] = {}
        for card in self.moves():
            lower_cards = range(card - 4, -1, -4)
            equal_card = next((card for card in lower_cards if card in other_cards or card in results), -1)
            if equal_card in results:
                results[card] = results[equal_card]
                yield card, results[card]
                continue
            tricks = solver.tricks(state.leads[-1], (*trick, cell(card)), guess)
            if tricks is None:
                yield card, None
                return
            guess = tricks
            results[card] = state.tricks[side] + (max_tricks - tricks if side else tricks)
            yield card, results[card]

    # -- for people ------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        if move < PASS:
            return pack.card_text(move)
        if move < FIRST:
            return CALL_TEXTS[move]
        level, strain = divmod(move - FIRST, 5)
        return f"{level + 1}{STRAINS[strain]}"

    def parse(self, text: str) -> int:
        word = text.strip().lower().removesuffix("t") if text.strip().lower().endswith("nt") else text.strip()
        move = CALL_ALIASES.get(word.lower())
        if self.turn == CHANCE or self.state.contract is not None:
            move = pack.parse_card(word)
        if move is not None and move in self.moves():
            return move
        if move is not None and move < PASS and self.turn != CHANCE:
            state = self.state
            if move not in state.hands[state.hand]:
                holder = self.sides[state.hand]
                raise IllegalMove(f"'{word}': {holder} does not hold that card")
            raise IllegalMove(f"'{word}': {_tricks.must_follow_error(state.trick[0])}")
        if self.calling and (reason := self._refused_call(word.upper(), move)):
            raise IllegalMove(f"'{text.strip()}': {reason}")
        return super().parse(word)

    def _refused_call(self, word: str, move: int | None) -> str:
        """The reason why a call is illegal; "" if it is legal or not a call."""
        bid, *_ = self._last_bid()
        if move in (DOUBLE, REDOUBLE):
            requirement = "the other side's bid" if move == DOUBLE else "a double of your side's bid"
            return "" if move in self.moves() else f"it is for {requirement}"
        if len(word) != 2 or not word[0].isdigit() or word[1] not in STRAINS:
            return ""
        if word[0] not in "1234567":
            return "levels are 1 to 7"
        call = FIRST + 5 * (int(word[0]) - 1) + STRAINS.index(word[1])
        return f"a bid must be higher than {self.format(bid)}" if call <= bid else ""

    def text(self) -> str | None:
        state = self.state
        if sum(map(len, state.hands)) + len(state.played) < 52:
            return None
        words = [*state.calls, *state.played]
        return " ".join([f"N:{' '.join(map(pack.hand_text, self.first_hands()))}", *map(self.format, words)])

    def final_contract(self) -> Contract | None:
        """The contract; None before the play, or if passed out."""
        return self.state.contract

    def taken(self) -> int:
        """The tricks of the declarer's side."""
        contract = self.state.contract
        return self.state.tricks[contract.declarer % 2] if contract is not None else 0

    def first_hands(self) -> list[tuple[int, ...]]:
        """The hands as they were dealt."""
        hands = [list(hand) for hand in self.state.hands]
        for number, card in enumerate(self.state.played):
            hands[(self.state.leads[number // 4] + number) % 4].append(card)
        return [tuple(sorted(hand)) for hand in hands]

    def setup(self, text: str) -> None:
        words = text.split()
        if words and words[0][1:2] == ":":
            hands = parse_deal(" ".join(words[:4]))
            if any(len(hand) != 13 for hand in hands):
                raise BadInput("a deal is 13 cards for each of the four")
            self.state = Deal(CHANCE, hands)
            self._begin()
            self.turn = self.state.turn
            words = words[4:]
        super().setup(" ".join(words))

    def ending(self) -> str:
        state = self.state
        if state.contract is None:
            return "passed out"
        tricks = state.tricks[state.contract.declarer % 2]
        overtricks = tricks - 6 - state.contract.level
        return f"{state.contract}, {f'{overtricks:+d}' if overtricks else 'made'}"

    def news(self) -> list[str]:
        state = self.state
        if state.calls and not state.played:
            call = self.format(state.calls[-1])
            if state.contract is not None:
                return [f"{call}; the contract is {state.contract}"]
            caller = self.sides[(self.dealer + len(state.calls) - 1) % 4]
            meaning = bidding.system(self.system).meaning(state.calls)
            return [f"{caller} {call}: {meaning}" if meaning else f"{caller} {call}"]
        if (
            state.played
            and not len(state.played) % 4
            and self.earlier_states
            and self.earlier_states[-1].played != state.played
        ):
            index = _tricks.winning_index(state.played[-4:], state.contract.trump if state.contract else None)
            leader = state.leads[len(state.played) // 4 - 1]
            return [f"{pack.card_text(state.played[-1])}; {self.sides[(leader + index) % 4]} takes the trick"]
        return []

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        return drawing.board(self, viewer)

    def _table(self) -> tuple[int, ...]:
        """The current trick, or the last one until a card is led."""
        state = self.state
        return state.trick or state.played[-4:]

    def notes(self) -> dict[int, str]:
        """The dealer and the vulnerability; in the play the tricks of each side."""
        state = self.state
        notes = {}
        for player in range(4):
            if state.contract is None:
                facts = ["dealer"] if player == self.dealer else []
                facts += ["vulnerable"] if player % 2 in self.vulnerable else []
                if facts:
                    notes[player] = ", ".join(facts)
                continue
            tricks = state.tricks[player % 2]
            notes[player] = plural(tricks, "trick")
            if player == state.contract.declarer:
                notes[player] += f", declarer of {state.contract.bid}"
            elif player == state.contract.dummy:
                notes[player] += ", dummy"
        return notes

    def show(self, viewer: int | None = None) -> str:
        state = self.state
        lines = []
        for player in range(4):
            dummy = state.contract is not None and state.open and player == state.contract.dummy
            hand = state.hands[player]
            hand_text = pack.hand_text(hand) if viewer in (None, player) or dummy else f"{len(hand)} cards"
            lines.append(f"{self.sides[player]:<5}  {hand_text}")
        if state.calls:
            lines.append(f"calls  {' '.join(map(self.format, state.calls))}")
        if state.contract is not None:
            lines.append(f"contract {state.contract}, tricks {state.tricks[0]} to {state.tricks[1]}")
            lines.append(f"table  {' '.join(map(pack.card_text, self._table())) or '-'}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.show()


class DoubleDummy:
    """Values cards by their double-dummy tricks."""

    def __init__(self, control: "StopSignal | None") -> None:
        self.solver = BridgeSolver(TABLE_BITS)
        self.solver.control = control
        self.tricks: dict[int, int] = {}  # total tricks of the mover's side in all deals, by card
        self.deals = 0
        self.last: dict[int, int] = {}  # the declarer's tricks, by card

    @property
    def nodes(self) -> int:
        """Nodes of the solver so far."""
        return int(self.solver.nodes)

    def values(self, position: Bridge, node_limit: int) -> dict[int, float] | None:
        """The mover's payoff for each card; None if stopped, after `node_limit` nodes at the latest."""
        self.solver.node_limit = self.solver.nodes + node_limit if node_limit else 0
        contract = position.state.contract
        assert contract is not None
        declarer_moves = position.turn % 2 == contract.declarer % 2
        results = {}
        for card, tricks in position.double_dummy(self.solver):
            if tricks is None:
                return None
            results[card] = tricks
        self.deals += 1
        self.last = results
        for card, tricks in results.items():
            self.tricks[card] = self.tricks.get(card, 0) + (tricks if declarer_moves else 13 - tricks)
        return {card: float(position.payoffs(tricks)[position.turn]) for card, tricks in results.items()}

    def words(self, card: int) -> str:
        """The declarer's total tricks after a card."""
        return plural(self.last[card], "trick")

    def facts(self) -> str:
        """The mean total tricks of the mover's side after each card, the best first."""
        best_cards = sorted(self.tricks, key=lambda card: (-self.tricks[card], card))
        return "tricks: " + ", ".join(
            f"{pack.card_text(card)} {self.tricks[card] / self.deals:.1f}" for card in best_cards
        )


def parse_deal(text: str) -> tuple[tuple[int, ...], ...]:
    """Parse a deal in PBN: `N:` and four hands clockwise. Raises BadInput."""
    dealer, colon, hands_text = text.partition(":")
    parts = hands_text.split()
    if not colon or dealer.strip().upper() not in tuple(SEATS) or len(parts) != 4:
        raise BadInput(
            f"'{text}': a deal is N:, E:, S: or W: and four hands clockwise from there, each of four suits "
            "with dots between, spades first"
        )
    first_seat = SEATS.index(dealer.strip().upper())
    hands: list[tuple[int, ...]] = [()] * 4
    for offset, part in enumerate(parts):
        player = (first_seat + offset) % 4
        hands[player] = pack.parse_hand(part, f"{Bridge.sides[player]}'s hand")
    pack.check_disjoint(hands, Bridge.sides)
    return tuple(hands)


def _parse_seat(text: str, parameter: str) -> int:
    """Parse a player. Raises BadInput."""
    for seat, name in enumerate(Bridge.sides):
        if text and name.startswith(text.lower()):
            return seat
    raise BadInput(f"{parameter} must be N, E, S or W, not '{text}'")


def _parse_contract(text: str, declarer: int) -> Contract:
    """Parse a contract: `4S`, `3NT`, `2Hx`."""
    word = text.upper().replace("NT", "N")
    bid, doubled = word.rstrip("X"), len(word) - len(word.rstrip("X"))
    if len(bid) != 2 or bid[0] not in "1234567" or bid[1] not in STRAINS or doubled > 2:
        raise BadInput(
            f"'{text}' is not a contract: a level 1 to 7 and C, D, H, S or N, such as 4S, 3N or 2Hx"
        )
    return Contract(int(bid[0]), STRAINS.index(bid[1]), declarer, 1 << doubled)
