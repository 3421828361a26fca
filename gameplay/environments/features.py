"""What a player sees in the games of this program that have no cells, or more to see than their cells.

    PARTS     by game: a function of a position and a player that yields named parts, numbers from 0 to 1.
              Their sizes depend only on the game's parameters
    LETTERS   by game: all letters that its board may show to a player

In games of imperfect information parts are made of `infoset` and of what all players know. Players are
counted from the one who looks, in turn: 0 is that player.
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
MONEY = 5000  # what counts as 1, in Monopoly
TRIES = 18  # of both players of phantom tic-tac-toe
COUNTED = 600  # points of Scrabble that count as 1


def hot(ones: int | Iterable[int | None] | None, size: int) -> Numbers:
    """`size` numbers, 1 at each of `ones`, else 0. Of those below 0 and None there is nothing."""
    numbers = [0.0] * size
    for one in (ones,) if isinstance(ones, int) or ones is None else ones:
        if one is not None and one >= 0:
            numbers[one] = 1.0
    return numbers


def share(amount: float, most: float) -> float:
    """`amount` as a share of `most`, from 0 to 1."""
    return min(1.0, max(0.0, amount / most)) if most else 0.0


def seats(position: AbstractPosition, player: int) -> range | list[int]:
    """All players, from `player` on."""
    return [(player + other) % position.players for other in range(position.players)]


def mover(position: AbstractPosition, player: int) -> tuple[str, Numbers]:
    """Who is to move, from the player who looks; nothing at a chance node."""
    turn = position.turn
    return "player to move", hot(
        None if turn == CHANCE else (turn - player) % position.players, position.players
    )


def seat(position: AbstractPosition, player: int) -> tuple[str, Numbers]:
    """Which player looks."""
    return "seat", hot(player, position.players)


# -- cards -----------------------------------------------------------------------------------------


def kuhn(position: "Kuhn", player: int) -> Parts:
    """Kuhn's poker: the card, and what each said in turn."""
    _, own, bets = position.infoset(player)
    slots = 2 * position.players - 1
    yield seat(position, player)
    yield "own card", hot(own, position.players + 1)
    yield "checks and folds, in turn", hot([n for n, bet in enumerate(bets) if bet == "p"], slots)
    yield "bets and calls, in turn", hot([n for n, bet in enumerate(bets) if bet == "b"], slots)


def leduc(position: "Leduc", player: int) -> Parts:
    """Leduc hold'em: the two cards, and what was bet in each round."""
    _, own, opened, rounds = position.infoset(player)
    cards, slots = 2 * position.players + 2, 3 * position.players
    yield seat(position, player)
    yield "own card", hot(own, cards)
    yield "open card", hot(opened, cards)
    for number in range(2):
        bets = rounds[number] if number < len(rounds) else ""
        for letter, word in (("f", "folds"), ("c", "checks and calls"), ("r", "bets and raises")):
            ones = [n for n, bet in enumerate(bets) if bet == letter]
            yield f"{word} of round {number + 1}, in turn", hot(ones, slots)


def holdem(position: "Holdem", player: int) -> Parts:
    """Texas hold'em: the cards, the chips of each player as a share of all, and who is still in."""
    _, own, opened, _, *shown = position.infoset(player)
    state, others = position.state, seats(position, player)
    total = sum(position.stacks)
    yield seat(position, player)
    yield mover(position, player)
    yield "own cards", hot(own, CARDS)
    yield "open cards", hot(opened, CARDS)
    yield "cards shown at the end", hot([card for pair in shown for card in pair], CARDS)
    yield "chips left", [share(position.stacks[one] - state.paid[one], total) for one in others]
    yield "chips of this round", [share(state.bets[one], total) for one in others]
    yield "chips of the hand", [share(state.paid[one], total) for one in others]
    yield "folded", [float(one in state.folded) for one in others]
    yield "acted in this round", [float(one in state.acted) for one in others]
    yield "bets and raises of this round, of 8", [share(state.raises, 8)]


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
    for number, one in enumerate(seats(position, player)):
        yield f"cards played by player {number}", hot([card for who, card in by_player if who == one], CARDS)
    for number, one in enumerate(seats(position, player)):
        yield f"card of player {number} in the last trick", hot([c for who, c in table if who == one], CARDS)
    current = leads[len(played) // count] if len(leads) > len(played) // count else -1
    yield "leader of the trick", hot((current - player) % count if current >= 0 else None, count)


def hearts(position: "Hearts", player: int) -> Parts:
    """Hearts: the hand, the cards passed and received, those played, and points of earlier deals."""
    _, _, _, hand, passed, given, played, leads, before, _ = position.infoset(player)
    yield seat(position, player)
    yield mover(position, player)
    yield "own hand", hot(hand, CARDS)
    yield "cards passed on", hot(passed, CARDS)
    yield "cards received", hot(given, CARDS)
    yield from _cards(position, player, played, leads)
    most = max(100, position.points)
    earlier = [before[one] if before else 0 for one in seats(position, player)]
    yield f"points of earlier deals, of {most}", [share(points, most) for points in earlier]


def bridge(position: "Bridge", player: int) -> Parts:
    """Bridge: the hand, dummy's, the auction, and the cards played."""
    _, _, hand, dummy, calls, played, leads = position.infoset(player)
    yield seat(position, player)
    yield mover(position, player)
    yield "own hand", hot(hand, CARDS)
    yield "dummy's hand", hot(dummy, CARDS)
    yield "passes before the first bid", hot(range(_passes(calls)), 4)
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
    """Liar's dice: one's own dice, and the bids, which rise: so their order is known."""
    _, own, bids = position.infoset(player)
    yield seat(position, player)
    yield "own dice of each face", [share(own.count(face), position.dice) for face in range(position.faces)]
    yield "bids, then liar", hot(bids, position.doubt + 1)


def pig(position: "Pig", player: int) -> Parts:
    """Pig: points and pot as shares of the goal."""
    scores = position.scores()
    yield seat(position, player)
    yield "player with the die", hot((position.roller - player) % position.players, position.players)
    yield "points", [share(scores[one], position.goal) for one in seats(position, player)]
    yield "pot", [share(position.pot, position.goal)]


UNITS = [[float(count > unit) for unit in range(3)] for count in range(16)]
BEYOND = [share(count - 3, 12) for count in range(16)]


def backgammon(position: "Backgammon", player: int) -> Parts:
    """Backgammon: the checkers as Tesauro's inputs count them, the dice, and the cube."""
    state = position.snapshot()
    yield mover(position, player)
    for side, whose in ((player, "own"), (1 - player, "the other's")):
        men = position.checkers(side)
        yield f"{whose} points with 1, 2, 3 checkers", [one for count in men[1:25] for one in UNITS[count]]
        yield f"{whose} checkers beyond three on each point", [BEYOND[count] for count in men[1:25]]
        yield f"{whose} checkers on the bar and off", [share(men[25], 15), share(men[0], 15)]
    high, low, _, stage, cube, owner = state[52:58]
    yield "higher die", hot(high - 1, 6)
    yield "lower die", hot(low - 1, 6)
    yield "stage of the turn", hot(stage, 8)
    yield "cube, as a power of two", hot(cube, 7)
    yield "owner of the cube", hot(2 if owner == 2 else (owner - player) % 2, 3)
    yield "points in the match", [share(state[58 + side], 64) for side in (player, 1 - player)]
    yield "Crawford game", [float(state[60])]


def scrabble(position: "Scrabble", player: int) -> Parts:
    """Scrabble: the rack, the tiles on the board, points, and what others hold."""
    _, rack, cells, scores, _, counts, aside, calm, _, valid, _, *before = position.infoset(player)
    others = seats(position, player)
    yield seat(position, player)
    yield mover(position, player)
    yield (
        "own tiles of each kind, of 7, the blank first",
        [share(rack.count(kind), RACK) for kind in range(27)],
    )
    letters: Numbers = [0.0] * (225 * 26)
    for cell, tile in enumerate(cells):
        if tile:
            letters[26 * cell + (tile & 31) - 1] = 1.0
    yield "letters of 225 cells", letters
    yield "blanks of 225 cells", [float(tile > 32) for tile in cells]
    yield f"points, of {COUNTED}", [share(scores[one], COUNTED) for one in others]
    yield "tiles of each player, of 7", [share(counts[one], RACK) for one in others]
    yield "tiles set aside, of 7", [share(aside if isinstance(aside, int) else len(aside), RACK)]
    yield "scoreless turns, of 12", [share(calm, 12)]
    yield "the last play can be challenged, and is in the list", [float(bool(before)), float(valid)]


# -- boards ----------------------------------------------------------------------------------------


def phantom_tictactoe(position: "PhantomTictactoe", player: int) -> Parts:
    """Phantom tic-tac-toe: all tries in turn, of the other's only whether they placed a stone."""
    _, _, heard = position.infoset(player)
    yield seat(position, player)
    slots = [heard[number] if number < len(heard) else None for number in range(TRIES)]
    for number, one in enumerate(slots, 1):
        own, cell, placed = one or (False, -1, False)
        yield (
            f"try {number}: own, other's, placed",
            [float(own), float(one is not None and not own), float(placed)],
        )
        yield f"try {number}: own cell", hot(cell, 9)


def battleship(position: "Battleship", player: int) -> Parts:
    """Battleship: one's own ships, the other's shots, one's own shots and what came of them."""
    _, count, own, shots, results = position.infoset(player)
    area, columns = position.rows * position.columns, position.columns
    ships = []
    for move, length in zip(own, position.lengths, strict=False):
        step = 1 if move < 2 * area else columns
        ships += [move % area + step * number for number in range(length)]
    own_shots = [(cell, results[ply]) for ply, cell in enumerate(shots) if ply % 2 == player]
    yield seat(position, player)
    yield "ships placed by both", [share(count, 2 * len(position.lengths))]
    yield "own ships", hot(ships, area)
    yield "the other's shots", hot([cell for ply, cell in enumerate(shots) if ply % 2 != player], area)
    for result in ("miss", "hit", "sunk"):
        yield f"own shots: {result}", hot([cell for cell, outcome in own_shots if outcome == result], area)


def nim(position: "Nim", player: int) -> Parts:
    """Nim: the heaps, bit by bit, as its theory counts them."""
    _, *heaps = position.key()
    yield mover(position, player)
    for number, size in enumerate(heaps):
        yield (
            f"heap {chr(97 + number)}: its bits, the lowest first",
            [float(size >> bit & 1) for bit in range(8)],
        )


def monopoly_town(position: "Monopoly", player: int) -> Parts:
    """Monopoly: the cash, squares and properties of all players, and the pending decision."""
    row, others, m = position.town().state, seats(position, player), monopoly
    yield mover(position, player)
    yield f"cash, of {MONEY}", [share(row[m.CASH + one], MONEY) for one in others]
    for number, one in enumerate(others):
        yield f"square of player {number}", hot(row[m.PLACE + one], 40)
        owned = [square for square in range(40) if row[m.OWNER + square] == one + 1]
        yield f"properties of player {number}", hot(owned, 40)
    yield "mortgaged", [float(row[m.LEVEL + square] < 0) for square in range(40)]
    yield "houses, a hotel is 1", [share(row[m.LEVEL + square], 5) for square in range(40)]
    yield "in jail, before roll 1 to 3", [share(row[m.CELL + one], 3) for one in others]
    yield "bankrupt", [float(bool(row[m.OUT + one])) for one in others]
    yield "houses and hotels in the bank", [share(row[m.HOUSES], 32), share(row[m.HOTELS], 12)]
    yield (
        "cards left in the decks",
        [float(row[m.DECK + d] >> card & 1) for d in (0, 1) for card in range(16)],
    )
    yield "player whose turn it is", hot((row[m.MOVER] - player) % position.players, position.players)
    yield "phase", hot(row[m.PHASE], 12)
    yield "doubles rolled", hot(row[m.DOUBLES], 4)
    yield "last roll, of 12", [share(row[m.ROLLED], 12)]
    yield f"round, of {position.rounds}", [share(row[m.ROUND], position.rounds)]
    auction = row[m.PHASE] == m.BIDDING
    yield "property in the auction", hot(row[m.LOT] if auction else None, 40)
    yield f"highest bid, of {MONEY}", [share(row[m.BID], MONEY) if auction else 0.0]
    bidder = row[m.BIDDER] - 1 if auction else -1
    yield (
        "highest bidder",
        hot((bidder - player) % position.players if bidder >= 0 else None, position.players),
    )
    trade = row[m.PHASE] in (m.TRADING, m.ANSWERING)
    yield "property asked for", hot(row[m.WANTED] if trade else None, 40)
    yield "property offered", hot(row[m.GIVEN] - 1 if trade else None, 40)
    extra = row[m.EXTRA] if trade else 0
    yield f"money offered, money asked for, of {MONEY}", [share(extra, MONEY), share(-extra, MONEY)]


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

SIGNED = ("connect4", "tictactoe")  # without cells of their own on large boards, and of several players
RANKS = "FBYSMTLPJCGX"  # of Stratego
LETTERS: Mapping[str, Callable[[Any], Sequence[str]]] = {
    "chinese-checkers": lambda position: sorted(position.board().owners),
    "puzzle15": lambda position: [str(tile) for tile in range(1, sum(map(len, position.board().cells)))],
    "stratego": lambda _: [*RANKS, *RANKS.lower(), BACK],
}
