"""Feature vectors of built-in games whose board does not show all that a player knows.

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


def multi_hot(ones: int | Iterable[int | None] | None, size: int) -> Numbers:
    """`size` numbers, 1 at each of `ones`, else 0. Negative indexes and None are ignored."""
    numbers = [0.0] * size
    for one in (ones,) if isinstance(ones, int) or ones is None else ones:
        if one is not None and one >= 0:
            numbers[one] = 1.0
    return numbers


def fraction(amount: float, most: float) -> float:
    """`amount` as a fraction of `most`, clipped to 0..1."""
    return min(1.0, max(0.0, amount / most)) if most else 0.0


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
    _, own, bets = position.infoset(player)
    slots = 2 * position.players - 1
    yield seat(position, player)
    yield "own card", multi_hot(own, position.players + 1)
    yield "checks and folds, in turn", multi_hot([n for n, bet in enumerate(bets) if bet == "p"], slots)
    yield "bets and calls, in turn", multi_hot([n for n, bet in enumerate(bets) if bet == "b"], slots)


def leduc(position: "Leduc", player: int) -> Parts:
    """Leduc hold'em: the two cards and the bets of each round."""
    _, own, opened, rounds = position.infoset(player)
    cards, slots = 2 * position.players + 2, 3 * position.players
    yield seat(position, player)
    yield "own card", multi_hot(own, cards)
    yield "open card", multi_hot(opened, cards)
    for number in range(2):
        bets = rounds[number] if number < len(rounds) else ""
        for letter, word in (("f", "folds"), ("c", "checks and calls"), ("r", "bets and raises")):
            ones = [n for n, bet in enumerate(bets) if bet == letter]
            yield f"{word} of round {number + 1}, in turn", multi_hot(ones, slots)


def holdem(position: "Holdem", player: int) -> Parts:
    """Texas hold'em: the cards, each player's fraction of all chips, and who folded."""
    _, own, opened, _, *shown = position.infoset(player)
    state, others = position.state, seats_from(position, player)
    total = sum(position.stacks)
    yield seat(position, player)
    yield mover(position, player)
    yield "own cards", multi_hot(own, CARDS)
    yield "open cards", multi_hot(opened, CARDS)
    yield "cards shown at the end", multi_hot([card for pair in shown for card in pair], CARDS)
    yield "chips left", [fraction(position.stacks[one] - state.paid[one], total) for one in others]
    yield "chips of this round", [fraction(state.bets[one], total) for one in others]
    yield "chips of the hand", [fraction(state.paid[one], total) for one in others]
    yield "folded", [float(one in state.folded) for one in others]
    yield "acted in this round", [float(one in state.acted) for one in others]
    yield "bets and raises of this round, of 8", [fraction(state.raises, 8)]


def _played(played: Sequence[int], leads: Sequence[int], players: int) -> Iterator[tuple[int, int]]:
    """Each card played, with its player."""
    for number, card in enumerate(played):
        yield (leads[number // players] + number % players) % players, card


def _cards(position: AbstractPosition, player: int, played: Sequence[int], leads: Sequence[int]) -> Parts:
    """The cards played, by player, and those of the trick on the table."""
    count = position.players
    by_player = list(_played(played, leads, count))
    table = by_player[len(played) // count * count :]
    if not table and played:
        table = by_player[-count:]
    for number, one in enumerate(seats_from(position, player)):
        yield (
            f"cards played by player {number}",
            multi_hot([card for who, card in by_player if who == one], CARDS),
        )
    for number, one in enumerate(seats_from(position, player)):
        yield (
            f"card of player {number} in the last trick",
            multi_hot([c for who, c in table if who == one], CARDS),
        )
    current = leads[len(played) // count] if len(leads) > len(played) // count else -1
    yield "leader of the trick", multi_hot((current - player) % count if current >= 0 else None, count)


def hearts(position: "Hearts", player: int) -> Parts:
    """Hearts: the hand, the cards passed and received, those played, and points of earlier deals."""
    _, _, _, hand, passed, given, played, leads, before, _ = position.infoset(player)
    yield seat(position, player)
    yield mover(position, player)
    yield "own hand", multi_hot(hand, CARDS)
    yield "cards passed on", multi_hot(passed, CARDS)
    yield "cards received", multi_hot(given, CARDS)
    yield from _cards(position, player, played, leads)
    most = max(100, position.points)
    earlier = [before[one] if before else 0 for one in seats_from(position, player)]
    yield f"points of earlier deals, of {most}", [fraction(points, most) for points in earlier]


def bridge(position: "Bridge", player: int) -> Parts:
    """Bridge: the hand, dummy's, the auction, and the cards played."""
    _, _, hand, dummy, calls, played, leads = position.infoset(player)
    yield seat(position, player)
    yield mover(position, player)
    yield "own hand", multi_hot(hand, CARDS)
    yield "dummy's hand", multi_hot(dummy, CARDS)
    yield "passes before the first bid", multi_hot(range(_passes(calls)), 4)
    made: list[Numbers] = [[0.0] * 35 * 4 for _ in range(3)]
    bid = -1
    for number, call in enumerate(calls):
        who = (position.dealer + number - player) % 4
        if call >= FIRST_BID:
            bid = call - FIRST_BID
        if call != PASS:
            made[0 if call >= FIRST_BID else call - PASS][4 * bid + who] = 1.0
    for name, numbers in zip(("bids", "doubles", "redoubles"), made, strict=True):
        yield f"{name}: each of 35 bids by player", numbers
    yield from _cards(position, player, played, leads)


PASS, FIRST_BID = 52, 55  # calls of bridge, see gameplay/games/bridge/game.py


def _passes(calls: Sequence[int]) -> int:
    return next((number for number, call in enumerate(calls) if call != PASS), len(calls))


# -- dice and words --------------------------------------------------------------------------------


def liars_dice(position: "LiarsDice", player: int) -> Parts:
    """Liar's dice: own dice and the bids; bids rise, so a set determines their order."""
    _, own, bids = position.infoset(player)
    yield seat(position, player)
    yield (
        "own dice of each face",
        [fraction(own.count(face), position.dice) for face in range(position.faces)],
    )
    yield "bids, then liar", multi_hot(bids, position.doubt + 1)


def pig(position: "Pig", player: int) -> Parts:
    """Pig: points and pot as fractions of the goal."""
    scores = position.scores()
    yield seat(position, player)
    yield "player with the die", multi_hot((position.roller - player) % position.players, position.players)
    yield "points", [fraction(scores[one], position.goal) for one in seats_from(position, player)]
    yield "pot", [fraction(position.pot, position.goal)]


FIRST_CHECKERS = [[float(count > unit) for unit in range(3)] for count in range(16)]
MORE_CHECKERS = [fraction(count - 3, 12) for count in range(16)]


def backgammon(position: "Backgammon", player: int) -> Parts:
    """Backgammon: the checkers as in Tesauro's inputs, the dice, and the cube."""
    state = position.snapshot()
    yield mover(position, player)
    for side, whose in ((player, "own"), (1 - player, "the other's")):
        men = position.checkers(side)
        yield (
            f"{whose} points with 1, 2, 3 checkers",
            [one for count in men[1:25] for one in FIRST_CHECKERS[count]],
        )
        yield f"{whose} checkers beyond three on each point", [MORE_CHECKERS[count] for count in men[1:25]]
        yield f"{whose} checkers on the bar and off", [fraction(men[25], 15), fraction(men[0], 15)]
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
    _, rack, cells, scores, _, counts, aside, calm, _, valid, _, *before = position.infoset(player)
    others = seats_from(position, player)
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
    yield f"points, of {SCORE_SCALE}", [fraction(scores[one], SCORE_SCALE) for one in others]
    yield "tiles of each player, of 7", [fraction(counts[one], RACK) for one in others]
    yield "tiles set aside, of 7", [fraction(aside if isinstance(aside, int) else len(aside), RACK)]
    yield "scoreless turns, of 12", [fraction(calm, 12)]
    yield "the last play can be challenged, and is in the list", [float(bool(before)), float(valid)]


# -- boards ----------------------------------------------------------------------------------------


def phantom_tictactoe(position: "PhantomTictactoe", player: int) -> Parts:
    """Phantom tic-tac-toe: all tries in order; of the opponent's only whether they placed a stone."""
    _, _, heard = position.infoset(player)
    yield seat(position, player)
    slots = [heard[number] if number < len(heard) else None for number in range(MAX_TRIES)]
    for number, one in enumerate(slots, 1):
        own, cell, placed = one or (False, -1, False)
        yield (
            f"try {number}: own, other's, placed",
            [float(own), float(one is not None and not own), float(placed)],
        )
        yield f"try {number}: own cell", multi_hot(cell, 9)


def battleship(position: "Battleship", player: int) -> Parts:
    """Battleship: own ships, the opponent's shots, own shots and their results."""
    _, count, own, shots, results = position.infoset(player)
    area, columns = position.rows * position.columns, position.columns
    ships = []
    for move, length in zip(own, position.lengths, strict=False):
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
    row, others, m = position.town().state, seats_from(position, player), monopoly
    yield mover(position, player)
    yield f"cash, of {CASH_SCALE}", [fraction(row[m.CASH + one], CASH_SCALE) for one in others]
    for number, one in enumerate(others):
        yield f"square of player {number}", multi_hot(row[m.PLACE + one], 40)
        owned = [square for square in range(40) if row[m.OWNER + square] == one + 1]
        yield f"properties of player {number}", multi_hot(owned, 40)
    yield "mortgaged", [float(row[m.LEVEL + square] < 0) for square in range(40)]
    yield "houses, a hotel is 1", [fraction(row[m.LEVEL + square], 5) for square in range(40)]
    yield "in jail, before roll 1 to 3", [fraction(row[m.CELL + one], 3) for one in others]
    yield "bankrupt", [float(bool(row[m.OUT + one])) for one in others]
    yield "houses and hotels in the bank", [fraction(row[m.HOUSES], 32), fraction(row[m.HOTELS], 12)]
    yield (
        "cards left in the decks",
        [float(row[m.DECK + d] >> card & 1) for d in (0, 1) for card in range(16)],
    )
    yield "player whose turn it is", multi_hot((row[m.MOVER] - player) % position.players, position.players)
    yield "phase", multi_hot(row[m.PHASE], 12)
    yield "doubles rolled", multi_hot(row[m.DOUBLES], 4)
    yield "last roll, of 12", [fraction(row[m.ROLLED], 12)]
    yield f"round, of {position.rounds}", [fraction(row[m.ROUND], position.rounds)]
    auction = row[m.PHASE] == m.BIDDING
    yield "property in the auction", multi_hot(row[m.LOT] if auction else None, 40)
    yield f"highest bid, of {CASH_SCALE}", [fraction(row[m.BID], CASH_SCALE) if auction else 0.0]
    bidder = row[m.BIDDER] - 1 if auction else -1
    yield (
        "highest bidder",
        multi_hot((bidder - player) % position.players if bidder >= 0 else None, position.players),
    )
    trade = row[m.PHASE] in (m.TRADING, m.ANSWERING)
    yield "property asked for", multi_hot(row[m.WANTED] if trade else None, 40)
    yield "property offered", multi_hot(row[m.GIVEN] - 1 if trade else None, 40)
    extra = row[m.EXTRA] if trade else 0
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

SIDES_AS_LETTERS = (
    "connect4",
    "tictactoe",
)  # not compiled on large boards or for several players
RANKS = "FBYSMTLPJCGX"  # of Stratego
LETTERS: Mapping[str, Callable[[Any], Sequence[str]]] = {
    "chinese-checkers": lambda position: sorted(position.board().owners),
    "puzzle15": lambda position: [str(tile) for tile in range(1, sum(map(len, position.board().cells)))],
    "stratego": lambda _: [*RANKS, *RANKS.lower(), BACK],
}
