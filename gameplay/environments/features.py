"""Feature vectors of built-in games whose board does not show a player's whole information.

    PARTS     by game: a function of a position and a player that yields named parts, numbers from 0 to 1.
              Their sizes depend only on the game's parameters
    LETTERS   by game: all letters that its board may show to a player

In games of imperfect information parts are computed from `infoset` and public facts. Players are numbered
relative to the observing player, who is 0, in turn order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gameplay.board import BACK
from gameplay.games.monopoly import layout as monopoly
from gameplay.position import CHANCE, AbstractPosition

if TYPE_CHECKING:
    from gameplay.games.backgammon.game import Backgammon
    from gameplay.games.battleship.game import Battleship
    from gameplay.games.bridge.game import Bridge
    from gameplay.games.hearts.game import Hearts
    from gameplay.games.holdem.game import Holdem
    from gameplay.games.kuhn import Kuhn
    from gameplay.games.leduc import Leduc
    from gameplay.games.liars_dice import LiarsDice
    from gameplay.games.monopoly.game import Monopoly
    from gameplay.games.nim import Nim
    from gameplay.games.phantom_tictactoe import PhantomTictactoe
    from gameplay.games.pig.game import Pig
    from gameplay.games.scrabble.game import Scrabble

Numbers = list[float]
Parts = Iterator[tuple[str, Numbers]]
CARDS = 52
RACK = 7  # tiles of Scrabble
CASH_SCALE = 5000  # Monopoly money that counts as 1
MAX_TRIES = 18  # of both players together in phantom tic-tac-toe
SCORE_SCALE = 600  # points of Scrabble that count as 1


def multi_hot(indexes: int | Iterable[int | None] | None, size: int) -> Numbers:
    """`size` numbers, 1 at each of `ones`, else 0. Negative indexes and None are ignored."""
    numbers = [0.0] * size
    for index in (indexes,) if isinstance(indexes, int) or indexes is None else indexes:
        if index is not None and index >= 0:
            numbers[index] = 1.0
    return numbers


def fraction(amount: float, maximum: float) -> float:
    """`amount` as a fraction of `most`, clipped to 0..1."""
    return min(1.0, max(0.0, amount / maximum)) if maximum else 0.0


def seats_from(position: AbstractPosition, player: int) -> range | list[int]:
    """All players in turn order, from `player` on."""
    return [(player + other) % position.players for other in range(position.players)]


def mover(position: AbstractPosition, player: int) -> tuple[str, Numbers]:
    """The player to move, relative to the observing player; all 0 at a chance node."""
    turn = position.turn
    return "player to move", multi_hot(
        None if turn == CHANCE else (turn - player) % position.players, position.players
    )


def seat(position: AbstractPosition, player: int) -> tuple[str, Numbers]:
    """The observing player."""
    return "seat", multi_hot(player, position.players)


# -- cards -----------------------------------------------------------------------------------------


def kuhn(position: "Kuhn", player: int) -> Parts:
    """Kuhn's poker: the card and the bets."""
    _, own_card, bets = position.infoset(player)
    slots = 2 * position.players - 1
    yield seat(position, player)
    yield "own card", multi_hot(own_card, position.players + 1)
    yield "checks and folds, in turn", multi_hot([n for n, bet in enumerate(bets) if bet == "p"], slots)
    yield "bets and calls, in turn", multi_hot([n for n, bet in enumerate(bets) if bet == "b"], slots)


def leduc(position: "Leduc", player: int) -> Parts:
    """Leduc hold'em: the two cards and the bets of each round."""
    _, own_card, open_card, rounds = position.infoset(player)
    cards, slots = 2 * position.players + 2, 3 * position.players
    yield seat(position, player)
    yield "own card", multi_hot(own_card, cards)
    yield "open card", multi_hot(open_card, cards)
    for number in range(2):
        bets = rounds[number] if number < len(rounds) else ""
        for letter, word in (("f", "folds"), ("c", "checks and calls"), ("r", "bets and raises")):
            indexes = [n for n, bet in enumerate(bets) if bet == letter]
            yield f"{word} of round {number + 1}, in turn", multi_hot(indexes, slots)


def holdem(position: "Holdem", player: int) -> Parts:
    """Texas hold'em: the cards, each player's fraction of all chips, and who folded."""
    _, own_cards, open_cards, _, *shown_hands = position.infoset(player)
    state, players = position.state, seats_from(position, player)
    total = sum(position.stacks)
    yield seat(position, player)
    yield mover(position, player)
    yield "own cards", multi_hot(own_cards, CARDS)
    yield "open cards", multi_hot(open_cards, CARDS)
    yield "cards shown at the end", multi_hot([card for pair in shown_hands for card in pair], CARDS)
    yield "chips left", [fraction(position.stacks[other] - state.paid[other], total) for other in players]
    yield "chips of this round", [fraction(state.bets[other], total) for other in players]
    yield "chips of the hand", [fraction(state.paid[other], total) for other in players]
    yield "folded", [float(other in state.folded) for other in players]
    yield "acted in this round", [float(other in state.acted) for other in players]
    yield "bets and raises of this round, of 8", [fraction(state.raises, 8)]


def _cards_by_player(played: Sequence[int], leads: Sequence[int], players: int) -> Iterator[tuple[int, int]]:
    """Each card played, with its player."""
    for number, card in enumerate(played):
        yield (leads[number // players] + number % players) % players, card


def _cards(position: AbstractPosition, player: int, played: Sequence[int], leads: Sequence[int]) -> Parts:
    """The cards played, by player, and those of the trick on the table."""
    count = position.players
    by_player = list(_cards_by_player(played, leads, count))
    table = by_player[len(played) // count * count :]
    if not table and played:
        table = by_player[-count:]
    for number, other in enumerate(seats_from(position, player)):
        yield (
            f"cards played by player {number}",
            multi_hot([card for owner, card in by_player if owner == other], CARDS),
        )
    for number, other in enumerate(seats_from(position, player)):
        yield (
            f"card of player {number} in the last trick",
            multi_hot([c for owner, c in table if owner == other], CARDS),
        )
    current = leads[len(played) // count] if len(leads) > len(played) // count else -1
    yield "leader of the trick", multi_hot((current - player) % count if current >= 0 else None, count)


def hearts(position: "Hearts", player: int) -> Parts:
    """Hearts: the hand, the cards passed and received, those played, and points of earlier deals."""
    _, _, _, hand, passed, received, played, leads, earlier_points, _ = position.infoset(player)
    yield seat(position, player)
    yield mover(position, player)
    yield "own hand", multi_hot(hand, CARDS)
    yield "cards passed on", multi_hot(passed, CARDS)
    yield "cards received", multi_hot(received, CARDS)
    yield from _cards(position, player, played, leads)
    scale = max(100, position.points)
    earlier = [earlier_points[other] if earlier_points else 0 for other in seats_from(position, player)]
    yield f"points of earlier deals, of {scale}", [fraction(points, scale) for points in earlier]


def bridge(position: "Bridge", player: int) -> Parts:
    """Bridge: the hand, dummy's, the auction, and the cards played."""
    _, _, hand, dummy, calls, played, leads = position.infoset(player)
    yield seat(position, player)
    yield mover(position, player)
    yield "own hand", multi_hot(hand, CARDS)
    yield "dummy's hand", multi_hot(dummy, CARDS)
    yield "passes before the first bid", multi_hot(range(_passes(calls)), 4)
    flags: list[Numbers] = [[0.0] * 35 * 4 for _ in range(3)]
    bid = -1
    for number, call in enumerate(calls):
        caller = (position.dealer + number - player) % 4
        if call >= FIRST_BID:
            bid = call - FIRST_BID
        if call != PASS:
            flags[0 if call >= FIRST_BID else call - PASS][4 * bid + caller] = 1.0
    for name, numbers in zip(("bids", "doubles", "redoubles"), flags, strict=True):
        yield f"{name}: each of 35 bids by player", numbers
    yield from _cards(position, player, played, leads)


PASS, FIRST_BID = 52, 55  # calls of bridge, see gameplay/games/bridge/game.py


def _passes(calls: Sequence[int]) -> int:
    return next((number for number, call in enumerate(calls) if call != PASS), len(calls))


# -- dice and words --------------------------------------------------------------------------------


def liars_dice(position: "LiarsDice", player: int) -> Parts:
    """Liar's dice: own dice and the bids; bids rise, so a set determines their order."""
    _, own_dice, bids = position.infoset(player)
    yield seat(position, player)
    yield (
        "own dice of each face",
        [fraction(own_dice.count(face), position.dice) for face in range(position.faces)],
    )
    yield "bids, then liar", multi_hot(bids, position.doubt + 1)


def pig(position: "Pig", player: int) -> Parts:
    """Pig: points and pot as fractions of the goal."""
    scores = position.scores()
    yield seat(position, player)
    yield "player with the die", multi_hot((position.roller - player) % position.players, position.players)
    yield "points", [fraction(scores[other], position.goal) for other in seats_from(position, player)]
    yield "pot", [fraction(position.pot, position.goal)]


FIRST_CHECKERS = [[float(count > unit) for unit in range(3)] for count in range(16)]
MORE_CHECKERS = [fraction(count - 3, 12) for count in range(16)]


def backgammon(position: "Backgammon", player: int) -> Parts:
    """Backgammon: the checkers as in Tesauro's inputs, the dice, and the cube."""
    state = position.snapshot()
    yield mover(position, player)
    for side, owner_name in ((player, "own"), (1 - player, "the other's")):
        checkers = position.checkers(side)
        yield (
            f"{owner_name} points with 1, 2, 3 checkers",
            [feature for count in checkers[1:25] for feature in FIRST_CHECKERS[count]],
        )
        yield (
            f"{owner_name} checkers beyond three on each point",
            [MORE_CHECKERS[count] for count in checkers[1:25]],
        )
        yield (
            f"{owner_name} checkers on the bar and off",
            [fraction(checkers[25], 15), fraction(checkers[0], 15)],
        )
    high, low, _, stage, cube, owner = state[52:58]
    yield "higher die", multi_hot(high - 1, 6)
    yield "lower die", multi_hot(low - 1, 6)
    yield "stage of the turn", multi_hot(stage, 8)
    yield "cube, as a power of two", multi_hot(cube, 7)
    yield "owner of the cube", multi_hot(2 if owner == 2 else (owner - player) % 2, 3)
    yield "points in the match", [fraction(state[58 + side], 64) for side in (player, 1 - player)]
    yield "Crawford game", [float(state[60])]


def scrabble(position: "Scrabble", player: int) -> Parts:
    """Scrabble: the rack, the tiles on the board, points, and the numbers of hidden tiles."""
    _, rack, cells, scores, _, counts, exchanged, scoreless, _, valid, _, *before_play = position.infoset(
        player
    )
    players = seats_from(position, player)
    yield seat(position, player)
    yield mover(position, player)
    yield (
        "own tiles of each kind, of 7, the blank first",
        [fraction(rack.count(kind), RACK) for kind in range(27)],
    )
    letters: Numbers = [0.0] * (225 * 26)
    for cell, tile in enumerate(cells):
        if tile:
            letters[26 * cell + (tile & 31) - 1] = 1.0
    yield "letters of 225 cells", letters
    yield "blanks of 225 cells", [float(tile > 32) for tile in cells]
    yield f"points, of {SCORE_SCALE}", [fraction(scores[other], SCORE_SCALE) for other in players]
    yield "tiles of each player, of 7", [fraction(counts[other], RACK) for other in players]
    yield (
        "tiles set aside, of 7",
        [fraction(exchanged if isinstance(exchanged, int) else len(exchanged), RACK)],
    )
    yield "scoreless turns, of 12", [fraction(scoreless, 12)]
    yield "the last play can be challenged, and is in the list", [float(bool(before_play)), float(valid)]


# -- boards ----------------------------------------------------------------------------------------


def phantom_tictactoe(position: "PhantomTictactoe", player: int) -> Parts:
    """Phantom tic-tac-toe: all tries in order; of the opponent's only whether they placed a stone."""
    _, _, attempts = position.infoset(player)
    yield seat(position, player)
    slots = [attempts[number] if number < len(attempts) else None for number in range(MAX_TRIES)]
    for number, attempt in enumerate(slots, 1):
        is_own, cell, placed = attempt or (False, -1, False)
        yield (
            f"try {number}: own, other's, placed",
            [float(is_own), float(attempt is not None and not is_own), float(placed)],
        )
        yield f"try {number}: own cell", multi_hot(cell, 9)


def battleship(position: "Battleship", player: int) -> Parts:
    """Battleship: own ships, the opponent's shots, own shots and their results."""
    _, count, own_moves, shots, results = position.infoset(player)
    area, columns = position.rows * position.columns, position.columns
    ships = []
    for move, length in zip(own_moves, position.lengths, strict=False):
        step = 1 if move < 2 * area else columns
        ships += [move % area + step * number for number in range(length)]
    own_shots = [(cell, results[ply]) for ply, cell in enumerate(shots) if ply % 2 == player]
    yield seat(position, player)
    yield "ships placed by both", [fraction(count, 2 * len(position.lengths))]
    yield "own ships", multi_hot(ships, area)
    yield "the other's shots", multi_hot([cell for ply, cell in enumerate(shots) if ply % 2 != player], area)
    for result in ("miss", "hit", "sunk"):
        yield (
            f"own shots: {result}",
            multi_hot([cell for cell, outcome in own_shots if outcome == result], area),
        )


def nim(position: "Nim", player: int) -> Parts:
    """Nim: the heaps in binary."""
    _, *heaps = position.key()
    yield mover(position, player)
    for number, size in enumerate(heaps):
        yield (
            f"heap {chr(97 + number)}: its bits, the lowest first",
            [float(size >> bit & 1) for bit in range(8)],
        )


def monopoly_town(position: "Monopoly", player: int) -> Parts:
    """Monopoly: the cash, squares and properties of all players, and the pending decision."""
    state, players, m = position.town().state, seats_from(position, player), monopoly
    yield mover(position, player)
    yield f"cash, of {CASH_SCALE}", [fraction(state[m.CASH + other], CASH_SCALE) for other in players]
    for number, other in enumerate(players):
        yield f"square of player {number}", multi_hot(state[m.PLACE + other], 40)
        owned = [square for square in range(40) if state[m.OWNER + square] == other + 1]
        yield f"properties of player {number}", multi_hot(owned, 40)
    yield "mortgaged", [float(state[m.LEVEL + square] < 0) for square in range(40)]
    yield "houses, a hotel is 1", [fraction(state[m.LEVEL + square], 5) for square in range(40)]
    yield "in jail, before roll 1 to 3", [fraction(state[m.CELL + other], 3) for other in players]
    yield "bankrupt", [float(bool(state[m.OUT + other])) for other in players]
    yield "houses and hotels in the bank", [fraction(state[m.HOUSES], 32), fraction(state[m.HOTELS], 12)]
    yield (
        "cards left in the decks",
        [float(state[m.DECK + d] >> card & 1) for d in (0, 1) for card in range(16)],
    )
    yield "player whose turn it is", multi_hot((state[m.MOVER] - player) % position.players, position.players)
    yield "phase", multi_hot(state[m.PHASE], 12)
    yield "doubles rolled", multi_hot(state[m.DOUBLES], 4)
    yield "last roll, of 12", [fraction(state[m.ROLLED], 12)]
    yield f"round, of {position.rounds}", [fraction(state[m.ROUND], position.rounds)]
    auction = state[m.PHASE] == m.BIDDING
    yield "property in the auction", multi_hot(state[m.LOT] if auction else None, 40)
    yield f"highest bid, of {CASH_SCALE}", [fraction(state[m.BID], CASH_SCALE) if auction else 0.0]
    bidder = state[m.BIDDER] - 1 if auction else -1
    yield (
        "highest bidder",
        multi_hot((bidder - player) % position.players if bidder >= 0 else None, position.players),
    )
    trade = state[m.PHASE] in (m.TRADING, m.ANSWERING)
    yield "property asked for", multi_hot(state[m.WANTED] if trade else None, 40)
    yield "property offered", multi_hot(state[m.GIVEN] - 1 if trade else None, 40)
    extra = state[m.EXTRA] if trade else 0
    yield (
        f"money offered, money asked for, of {CASH_SCALE}",
        [fraction(extra, CASH_SCALE), fraction(-extra, CASH_SCALE)],
    )


PARTS: Mapping[str, Callable[[Any, int], Parts]] = {
    "backgammon": backgammon,
    "battleship": battleship,
    "bridge": bridge,
    "hearts": hearts,
    "holdem": holdem,
    "kuhn": kuhn,
    "leduc": leduc,
    "liars-dice": liars_dice,
    "monopoly": monopoly_town,
    "nim": nim,
    "phantom-tictactoe": phantom_tictactoe,
    "pig": pig,
    "scrabble": scrabble,
}

SIDES_AS_LETTERS = ("connect4", "tictactoe")  # not compiled on large boards or for several players
RANKS = "FBYSMTLPJCGX"  # of Stratego
LETTERS: Mapping[str, Callable[[Any], Sequence[str]]] = {
    "chinese-checkers": lambda position: sorted(position.board().owners),
    "puzzle15": lambda position: [str(tile) for tile in range(1, sum(map(len, position.board().cells)))],
    "stratego": lambda _: [*RANKS, *RANKS.lower(), BACK],
}
