"""Board data of Monopoly from monopoly.toml, the drawing of the board, and the texts of a game."""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gameplay.board import Board, Cell

SIDES = ("anchor", "bell", "crown", "drum", "eagle", "fox")
KINDS = ("street", "station", "utility", "start", "fortune", "fund", "tax", "jail", "park", "arrest")
EFFECTS = ("gain", "each", "to", "nearest", "back", "jail", "pardon", "house")
DECKS = ("fortune", "fund")
# The words of moves, by what they are: see monopoly.py.
WORDS = (
    *("", "", "roll", "pay", "card", "buy", "auction", "bid-", "pass", "build-", "sell-", "mortgage-"),
    *("redeem-", "want-", "give-", "", "accept", "refuse", "end"),
)
EVEN = 1 << 12
NOTHING = 63


class Facts(NamedTuple):
    """The data of monopoly.toml, as numbers by square."""

    names: list[str]
    kinds: list[int]
    groups: list[int]
    prices: list[int]
    costs: list[int]  # of a building
    deeds: list[int]
    rents: list[int]
    visits: list[int]
    cards: list[tuple[int, int, int]]  # what it does, and two numbers; fortune, then fund
    words: list[str]  # of the cards
    salary: int
    cash: int
    fine: int
    interest: int
    houses: int
    hotels: int

    def short(self, square: int) -> str:
        """What a property is called in moves: the first word of its name."""
        return self.names[square].split()[0].lower()


@cache
def facts() -> Facts:
    """The board."""
    data = tomllib.loads(Path(__file__).with_name("board.toml").read_text(encoding="utf-8"))
    squares = data["square"]
    names = [square["name"] for square in squares]
    kinds = [KINDS.index(square.get("kind", "street")) for square in squares]
    colours: list[str] = []  # the second words of the streets' names, in their order
    groups: list[int] = []
    deeds: list[int] = []
    for name, kind in zip(names, kinds, strict=True):
        if not kind and name.split()[1] not in colours:
            colours.append(name.split()[1])
        groups.append(-1 if kind > 2 else 7 + kind if kind else colours.index(name.split()[1]))
        deeds.append(-1 if kind > 2 else sum(deed >= 0 for deed in deeds))
    rents = [(*square.get("rents", ()), 0, 0, 0, 0, 0, 0)[:6] for square in squares]
    cards = [(card, names) for deck in DECKS for card in data[deck]]
    return Facts(
        names=names,
        kinds=kinds,
        groups=groups,
        prices=[square.get("price", 0) for square in squares],
        costs=[square.get("house", 0) for square in squares],
        deeds=deeds,
        rents=[rent for row in rents for rent in row],
        visits=data["visits"],
        cards=[_card(card, names) for card, names in cards],
        words=[card["word"] for card, _ in cards],
        salary=data["salary"],
        cash=data["cash"],
        fine=data["fine"],
        interest=data["interest"],
        houses=data["houses"],
        hotels=data["hotels"],
    )


def _card(card: dict[str, int | str], names: list[str]) -> tuple[int, int, int]:
    effect = next(n for n, word in enumerate(EFFECTS) if word in card)
    said = card[EFFECTS[effect]]
    if EFFECTS[effect] == "to":
        return effect, names.index(str(said)), 0
    if EFFECTS[effect] == "nearest":
        return effect, KINDS.index(str(said)), 0
    return effect, int(said), int(card.get("hotel", 0))


def word(move: int, deck: int, doubled: bool) -> str:
    """A move as one word; deck: the deck being drawn from; doubled: whether the last roll was a double."""
    what, x = move & 31, move >> 5
    board = facts()
    if what == 0:
        return f"{x >> 3}-{x & 7}"
    if what == 1:
        return board.words[16 * deck + x]
    if WORDS[what] == "bid-":
        return f"bid-{x}"
    if WORDS[what] == "give-" and x == NOTHING:
        return "give-nothing"
    if what == 15:
        return "even" if x == EVEN else f"add-{x - EVEN}" if x > EVEN else f"ask-{EVEN - x}"
    if WORDS[what] == "end" and doubled:
        return "roll"
    return WORDS[what] + (board.short(x) if WORDS[what].endswith("-") else "")


# -- the position in words ------------------------------------------------------------------------

# Where things stand in a position's row, as in monopoly.py.
CASH, PLACE, CELL, OUT, OWNER, LEVEL, HOUSES, HOTELS = 0, 6, 12, 18, 24, 64, 104, 105
PARDON, MOVER, PHASE, TURN, DOUBLES, ROLLED, ROUND = 108, 110, 111, 113, 114, 115, 116
LOT, BID, BIDDER, WANTED, GIVEN, EXTRA, PILE, DEBTS, DEBT = 120, 121, 122, 125, 126, 127, 128, 129, 130
ROLLING, DRAWING, METERING, JAILED, BUYING, BIDDING, RAISING, MANAGING, TRADING, ANSWERING, OVER = range(11)
DICE, CARD, ROLL, PAY, USE, BUY, AUCTION, BIDS, PASS, BUILD, SELL = range(11)
MORTGAGE, REDEEM, WANT, GIVE, MONEY, ACCEPT, REFUSE, END = range(11, 19)

Row = Sequence[int]


class Town(NamedTuple):
    """A position: how many play, for how many rounds, and its row."""

    players: int
    rounds: int
    row: Row

    def where(self, player: int) -> str:
        """The square of a player."""
        if self.row[CELL + player]:
            return "in jail"
        return "at " + facts().names[self.row[PLACE + player]]

    def asked(self) -> str:
        """The pending decision and the player who makes it."""
        row, board = self.row, facts()
        phase, turn, mover = row[PHASE], row[TURN], row[MOVER]
        who = SIDES[turn] if turn >= 0 else SIDES[mover]
        at = row[PLACE + mover]
        if phase == ROLLING:
            return f"{SIDES[mover]} rolls the dice" + (" in jail" if row[CELL + mover] else "")
        if phase == METERING:
            return f"{SIDES[mover]} rolls the dice for the rent"
        if phase == DRAWING:
            return f"{SIDES[mover]} draws a card"
        if phase == JAILED:
            return f"{who} is in jail, before roll {row[CELL + turn]} of 3"
        if phase == BUYING:
            return f"{who} may buy {board.names[at]} for {board.prices[at]}"
        if phase == BIDDING:
            high = f"{SIDES[row[BIDDER] - 1]} bids {row[BID]}" if row[BIDDER] else "no bid yet"
            lot = f"{board.names[row[LOT]]} (price {board.prices[row[LOT]]})"
            return f"{lot} is auctioned: {high}; {who} is asked"
        if phase == RAISING:
            to = SIDES[row[DEBT + 1]] if row[DEBT + 1] >= 0 else "the bank"
            return f"{who} owes {to} {row[DEBT + 2]} and has {row[CASH + turn]}"
        if phase == TRADING:
            return f"{who} asks for {board.names[row[WANTED]]}"
        if phase == ANSWERING:
            return f"{who} is offered {self.offer()}"
        if phase == OVER:
            return "the game is over"
        return f"{who} may build, redeem, mortgage and sell"

    def offer(self) -> str:
        """What is offered for what."""
        row, board = self.row, facts()
        given = [board.names[row[GIVEN] - 1]] if row[GIVEN] else []
        given += [str(row[EXTRA])] if row[EXTRA] > 0 else []
        wanted = board.names[row[WANTED]] + (f" and {-row[EXTRA]}" if row[EXTRA] < 0 else "")
        return f"{' and '.join(given)} for {wanted}"

    def wealth(self, player: int) -> int:
        """Cash, property and buildings at what they cost, mortgaged property at half."""
        board, row = facts(), self.row
        total = row[CASH + player]
        for at in range(40):
            if row[OWNER + at] == player + 1:
                level = row[LEVEL + at]
                total += board.prices[at] // 2 if level < 0 else board.prices[at] + level * board.costs[at]
        return total

    def level(self, square: int) -> str:
        """Houses as digits, a hotel as H, a mortgage as m; "" without."""
        return ("", "1", "2", "3", "4", "H", "m")[self.row[LEVEL + square]]

    def text(self) -> str:
        """All of it, in lines of at most 78 characters."""
        row, board = self.row, facts()
        banked = f"bank: {row[HOUSES]} houses, {row[HOTELS]} hotels"
        lines = [f"round {min(row[ROUND] + 1, self.rounds)} of {self.rounds}; {banked}"]
        for player in range(self.players):
            mark = ">" if player == row[MOVER] else " "
            if row[OUT + player]:
                lines.append(f"{mark} {SIDES[player]:<7} bankrupt")
                continue
            jail_cards = sum(row[PARDON + deck] == player + 1 for deck in (0, 1))
            kept = f", {jail_cards} jail card{'s' if jail_cards > 1 else ''}" if jail_cards else ""
            worth = f"{row[CASH + player]:>6,} cash {self.wealth(player):>6,} in all"
            lines.append(f"{mark} {SIDES[player]:<7}{worth}, {self.where(player)}{kept}")
        for group in range(10):
            squares = [at for at in range(40) if board.groups[at] == group]
            name = board.names[squares[0]].split()[-1] if group < 9 else "Works"
            held = []
            for at in squares:
                owner = row[OWNER + at]
                level = self.level(at)
                state = (SIDES[owner - 1] + (f" {level}" if level else "")) if owner else "-"
                held.append(f"{board.short(at)}: {state}")
            lines.append(f"  {name:<8}" + "  ".join(f"{one:<15}" for one in held).rstrip())
        lines.append(self.asked())
        return "\n".join(lines)

    def board(self, moves: Sequence[int], last: Sequence[int]) -> Board:
        """The ring: the players on each square, else its owner and buildings, with the initials around it."""
        row, data = self.row, facts()
        cells: list[list[str | None]] = [[None] * 11 for _ in range(11)]
        owners = {SIDES[player][0].upper(): player for player in range(self.players)}
        names, edges = {}, [[""] * 11 for _ in range(4)]
        plain = {
            "start": "GO",
            "fortune": "!",
            "fund": "$",
            "tax": "%",
            "jail": "#",
            "park": "P",
            "arrest": ">#",
        }
        for at in range(40):
            y, x = cell_of(at)
            kind = KINDS[data.kinds[at]]
            here = [
                player
                for player in range(self.players)
                if row[PLACE + player] == at and not row[OUT + player]
            ]
            owner = row[OWNER + at]
            sign = plain.get(kind, "")
            if owner:
                sign = SIDES[owner - 1][0] + self.level(at)
                owners.setdefault(sign, owner - 1)
            if here:
                first = row[MOVER] if row[MOVER] in here else here[0]
                others = [player for player in here if player != first]
                sign = SIDES[first][0].upper()
                sign += "+" if len(others) > 1 else "".join(SIDES[player][0].upper() for player in others)
                owners.setdefault(sign, first)
            cells[y][x] = sign
            if kind in KINDS[:3]:
                names[y, x] = data.short(at)
                initial = data.names[at][0]
                edges[at // 10][x if at // 10 in (0, 2) else y] = (
                    initial.lower() if kind == "street" else initial
                )
        dice = row[ROLLED]
        if dice:
            cells[5][4], cells[5][6] = str(dice >> 3), str(dice & 7)
        pointed: dict[Cell, tuple[int, ...]] = {}
        for move in moves:
            what, x = move & 31, move >> 5
            at = (
                row[PLACE + row[MOVER]] if what in (BUY, AUCTION) else row[LOT] if what in (BIDS, PASS) else x
            )
            if what in (BUY, AUCTION, BIDS, PASS, BUILD, SELL, MORTGAGE, REDEEM, WANT) or (
                what == GIVE and x != NOTHING
            ):
                pointed[cell_of(at)] = (*pointed.get(cell_of(at), ()), move)
        notes = {player: self.note(player) for player in range(self.players)}
        return Board(
            cells=tuple(map(tuple, cells)),
            columns=tuple(edges[2]),
            feet=tuple(edges[0]),
            rows=tuple(edges[1]),
            tails=tuple(edges[3]),
            owners=owners,
            last=tuple(cell_of(at) for at in last),
            names=names,
            moves=pointed,
            notes=notes,
        )

    def note(self, player: int) -> str:
        """How a player stands, in a few words."""
        if self.row[OUT + player]:
            return "bankrupt"
        return f"{self.row[CASH + player]:,} of {self.wealth(player):,}, {self.where(player)}"


def cell_of(square: int) -> Cell:
    """The cell of a square: the start is below on the right, and the way leads round by the left."""
    side, step = divmod(square, 10)
    return ((10, 10 - step), (10 - step, 0), (0, step), (step, 10))[side]


# -- what happened --------------------------------------------------------------------------------


def news(before: Town, move: int, after: Town) -> tuple[str, ...]:
    """What a move brought about, in sentences."""
    was, now, board = before.row, after.row, facts()
    what, x = move & 31, move >> 5
    mover, turn = was[MOVER], was[TURN]
    who = SIDES[turn] if turn >= 0 else SIDES[mover]
    lines: list[str] = []
    money = [now[CASH + player] - was[CASH + player] for player in range(before.players)]
    if what == DICE and was[PHASE] == METERING:
        lines.append(f"{who} rolls {x >> 3}-{x & 7} for the rent")
    elif what == DICE:
        lines.append(f"{who} rolls {x >> 3}-{x & 7}{_way(before, after, money)}")
    elif what == CARD:
        deck = was[PILE]
        card = board.words[16 * deck + x].replace("-", " ")
        way = _way(before, after, money)
        lines.append(f"{who} draws from {DECKS[deck]}: {card}{',' if way else ''}{way}")
    elif what == PAY:
        lines.append(f"{who} pays the fine of {board.fine}")
        money[turn] += board.fine
    elif what == USE:
        lines.append(f"{who} leaves jail with a card")
    elif what == BUY:
        at = was[PLACE + turn]
        lines.append(f"{who} buys {board.names[at]} for {board.prices[at]}")
        money[turn] += board.prices[at]
    elif what == AUCTION:
        lines.append(f"{board.names[was[PLACE + turn]]} is auctioned")
    elif what == BIDS:
        lines.append(f"{who} bids {x}")
    elif what in (BUILD, SELL):
        level = now[LEVEL + x]
        state = (
            "a hotel" if level == 5 else f"{level} house{'s' if level > 1 else ''}" if level else "nothing"
        )
        lines.append(f"{who} {'builds' if what == BUILD else 'sells'}: {state} at {board.names[x]}")
        money[turn] += board.costs[x] if what == BUILD else -board.costs[x] // 2
    elif what == MORTGAGE:
        lines.append(f"{who} mortgages {board.names[x]} for {board.prices[x] // 2}")
        money[turn] -= board.prices[x] // 2
    elif what == REDEEM:
        lines.append(f"{who} redeems {board.names[x]}")
    elif what == MONEY:
        lines.append(f"{who} offers {SIDES[now[TURN]]} {after.offer()}")
    elif what in (ACCEPT, REFUSE):
        lines.append(f"{who} {'accepts' if what == ACCEPT else 'refuses'}")
    if was[PHASE] == BIDDING and not (now[PHASE] == BIDDING and now[LOT] == was[LOT]):
        winner = now[OWNER + was[LOT]]
        if winner:
            paid = x if what == BIDS else was[BID]
            lines.append(f"{SIDES[winner - 1]} gets {board.names[was[LOT]]} for {paid}")
            money[winner - 1] += paid
        else:
            lines.append(f"no player buys {board.names[was[LOT]]}")
    for player in range(before.players):
        if now[OUT + player] and not was[OUT + player]:
            lines.append(f"{SIDES[player]} is bankrupt")
    if any(money):
        lines.append(_paid(money))
    if now[PHASE] == BIDDING and (was[PHASE] != BIDDING or now[LOT] != was[LOT]) and what != AUCTION:
        lines.append(f"{board.names[now[LOT]]} is auctioned")
    if now[PHASE] == BUYING and was[PHASE] != BUYING:
        at = now[PLACE + now[MOVER]]
        lines.append(f"{board.names[at]} costs {board.prices[at]}, rent {_rents(at)}")
    if now[PHASE] == RAISING and was[PHASE] != RAISING:
        lines.append(after.asked())
    return tuple(lines)


def _rents(square: int) -> str:
    """From what to what the rent of a property goes."""
    board = facts()
    rents = board.rents[6 * square : 6 * square + 6]
    if KINDS[board.kinds[square]] == "utility":
        return f"{rents[0]} or {rents[1]} times the dice"
    return f"{rents[0]} to {max(rents)}"


def _way(before: Town, after: Town, money: list[int]) -> str:
    """Where the mover came to, past the start perhaps; what that brings is taken from `money`."""
    was, now, board = before.row, after.row, facts()
    mover = was[MOVER]
    if now[OUT + mover]:
        return ""
    old, new = was[PLACE + mover], now[PLACE + mover]
    if now[CELL + mover] and not was[CELL + mover]:
        return " and goes to jail"
    if now[CELL + mover]:
        return " and stays in jail"
    if old == new:
        return ""
    free = ", a double, and is free" if was[CELL + mover] and now[ROLLED] >> 3 == now[ROLLED] & 7 else ""
    salary = ""
    if new < old and old - new != 3:
        money[mover] -= board.salary
        salary = f" past the start (+{board.salary})" if new else f" (+{board.salary})"
    visit = ", on a visit" if KINDS[board.kinds[new]] == "jail" else ""
    return f"{free}{',' if free else ''} to {board.names[new]}{visit}{salary}"


def _paid(money: list[int]) -> str:
    """The payments between players."""
    givers = [player for player, change in enumerate(money) if change < 0]
    takers = [player for player, change in enumerate(money) if change > 0]
    if len(givers) == 1 and not takers:
        return f"{SIDES[givers[0]]} pays {-money[givers[0]]}"
    if len(takers) == 1 and not givers:
        return f"{SIDES[takers[0]]} gets {money[takers[0]]}"
    if len(givers) == len(takers) == 1 and not sum(money):
        return f"{SIDES[givers[0]]} pays {SIDES[takers[0]]} {money[takers[0]]}"
    return ", ".join(f"{SIDES[player]} {change:+d}" for player, change in enumerate(money) if change)
