"""Monopoly positions as text, and the drawing of the board."""

from collections.abc import Sequence
from typing import NamedTuple

from gameplay.board import Board, Cell, Square
from gameplay.games.monopoly.board import KINDS, SIDES, facts
from gameplay.games.monopoly.layout import *

Row = Sequence[int]


class Town(NamedTuple):
    """A position: the number of players and of rounds, and its row."""

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
        if phase == BIDDING:
            high = f"{SIDES[row[BIDDER] - 1]} bids {row[BID]}" if row[BIDDER] else "no bid yet"
            lot = f"{board.names[row[LOT]]} (price {board.prices[row[LOT]]})"
            return f"{lot} is auctioned: {high}; {who} to bid or pass"
        if phase == RAISING:
            to = SIDES[row[DEBT + 1]] if row[DEBT + 1] >= 0 else "the bank"
            return f"{who} owes {to} {row[DEBT + 2]} and has {row[CASH + turn]}"
        if phase == ANSWERING:
            return f"{who} is offered {self.offer()}"
        return {
            ROLL_FOR_UTILITY: f"{SIDES[mover]} rolls the dice for the rent",
            DRAWING: f"{SIDES[mover]} draws a card",
            JAILED: f"{who} is in jail, before roll {row[CELL + turn]} of 3",
            BUYING: f"{who} may buy {board.names[at]} for {board.prices[at]}",
            TRADING: f"{who} asks for {board.names[row[WANTED]]}",
            OVER: "the game is over",
        }.get(phase, f"{who} may build, redeem, mortgage and sell")

    def offer(self) -> str:
        """The offered trade."""
        row, board = self.row, facts()
        given = [board.names[row[GIVEN] - 1]] if row[GIVEN] else []
        given += [str(row[EXTRA])] if row[EXTRA] > 0 else []
        wanted = board.names[row[WANTED]] + (f" and {-row[EXTRA]}" if row[EXTRA] < 0 else "")
        return f"{' and '.join(given)} for {wanted}"

    def wealth(self, player: int) -> int:
        """Cash, property and buildings at cost, mortgaged property at half."""
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

    def deeds(self) -> list[str]:
        """A line for each colour group with an owned square; then all others.

        A square shows the initial of its owner, then houses or a mortgage.
        """
        board, sold, unsold = facts(), [], []
        for group in range(10):
            squares = [at for at in range(40) if board.groups[at] == group]
            name = board.names[squares[0]].split()[-1] if group < 9 else "Works"
            if any(self.row[OWNER + at] for at in squares):
                sold.append(f"{name} {'  '.join(f'{board.short(at)} {self.held(at)}' for at in squares)}")
            else:
                unsold.append(f"{name} {' '.join(board.short(at) for at in squares)}")
        return [*sold, f"unsold: {'; '.join(unsold)}"] if unsold else sold

    def held(self, square: int) -> str:
        """The initial of the owner of a square, with `level`; "-" for the bank."""
        owner = self.row[OWNER + square]
        return SIDES[owner - 1][0].upper() + self.level(square) if owner else "-"

    def text(self) -> str:
        """The whole position, in lines of at most 78 characters."""
        row, board = self.row, facts()
        banked = f"bank: {row[HOUSES]} houses, {row[HOTELS]} hotels"
        lines = [f"round {min(row[ROUND] + 1, self.rounds)} of {self.rounds}; {banked}"]
        for player in range(self.players):
            mark = ">" if player == row[MOVER] else " "
            if row[OUT + player]:
                lines.append(f"{mark} {SIDES[player]:<7} bankrupt")
                continue
            jail_cards = sum(row[JAIL_CARD + deck] == player + 1 for deck in (0, 1))
            kept = f", {jail_cards} jail card{'s' if jail_cards > 1 else ''}" if jail_cards else ""
            money = f"{row[CASH + player]:>6,} cash {self.wealth(player):>6,} in all"
            lines.append(f"{mark} {SIDES[player]:<7}{money}, {self.where(player)}{kept}")
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
        """The ring of squares: players, else owner and buildings, with initials around it."""
        row, data = self.row, facts()
        cells: list[list[str | None]] = [[None] * 11 for _ in range(11)]
        owners = {SIDES[player][0].upper(): player for player in range(self.players)}
        squares = {}
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
            price = str(data.prices[at]) if kind in KINDS[:3] else ""
            state = (SIDES[owner - 1][0] + self.level(at) if here else "") if owner else price
            squares[y, x] = Square(data.short(at), data.groups[at], state)
            if kind in KINDS[:3]:
                names[y, x] = data.short(at)
                initial = data.names[at][0]
                edges[at // 10][x if at // 10 in (0, 2) else y] = (
                    initial.lower() if kind == "street" else initial
                )
        dice = row[ROLLED]
        if dice:
            cells[2][4], cells[2][6] = str(dice >> 3), str(dice & 7)
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
            squares=squares,
            moves=pointed,
            notes=notes,
            middle=tuple(self.deeds()),
            facts=(self.asked(),),
        )

    def note(self, player: int) -> str:
        """The status of a player."""
        if self.row[OUT + player]:
            return "bankrupt"
        kept = sum(self.row[JAIL_CARD + deck] == player + 1 for deck in (0, 1))
        cards = f", {kept} jail card{'s' if kept > 1 else ''}" if kept else ""
        return f"{self.row[CASH + player]:,} {self.where(player)}{cards}"


def cell_of(square: int) -> Cell:
    """The cell of a square: the start is at the lower right, the others follow clockwise."""
    side, step = divmod(square, 10)
    return ((10, 10 - step), (10 - step, 0), (0, step), (step, 10))[side]
