"""Monopoly positions as text, and the drawing of the board."""

from collections.abc import Sequence
from typing import NamedTuple

from gameplay.board import Board, Cell, Square
from gameplay.games.monopoly.board import KINDS, SIDES, facts
from gameplay.games.monopoly.layout import *

State = Sequence[int]


class Town(NamedTuple):
    """A position: the number of players and of rounds, and its state."""

    players: int
    rounds: int
    state: State

    def location(self, player: int) -> str:
        """The square of a player."""
        if self.state[CELL + player]:
            return "in jail"
        return "at " + facts().names[self.state[PLACE + player]]

    def decision_text(self) -> str:
        """The pending decision and the player who makes it."""
        state, board = self.state, facts()
        phase, turn, mover = state[PHASE], state[TURN], state[MOVER]
        who = SIDES[turn] if turn >= 0 else SIDES[mover]
        at = state[PLACE + mover]
        if phase == ROLLING:
            return f"{SIDES[mover]} rolls the dice" + (" in jail" if state[CELL + mover] else "")
        if phase == BIDDING:
            high = f"{SIDES[state[BIDDER] - 1]} bids {state[BID]}" if state[BIDDER] else "no bid yet"
            lot = f"{board.names[state[LOT]]} (price {board.prices[state[LOT]]})"
            return f"{lot} is auctioned: {high}; {who} to bid or pass"
        if phase == RAISING:
            to = SIDES[state[DEBT + 1]] if state[DEBT + 1] >= 0 else "the bank"
            return f"{who} owes {to} {state[DEBT + 2]} and has {state[CASH + turn]}"
        if phase == ANSWERING:
            return f"{who} is offered {self.offer_text()}"
        return {
            ROLL_FOR_UTILITY: f"{SIDES[mover]} rolls the dice for the rent",
            DRAWING: f"{SIDES[mover]} draws a card",
            JAILED: f"{who} is in jail, before roll {state[CELL + turn]} of 3",
            BUYING: f"{who} may buy {board.names[at]} for {board.prices[at]}",
            TRADING: f"{who} asks for {board.names[state[WANTED]]}",
            OVER: "the game is over",
        }.get(phase, f"{who} may build, redeem, mortgage and sell")

    def offer_text(self) -> str:
        """The offered trade."""
        state, board = self.state, facts()
        given = [board.names[state[GIVEN] - 1]] if state[GIVEN] else []
        given += [str(state[EXTRA])] if state[EXTRA] > 0 else []
        wanted = board.names[state[WANTED]] + (f" and {-state[EXTRA]}" if state[EXTRA] < 0 else "")
        return f"{' and '.join(given)} for {wanted}"

    def wealth(self, player: int) -> int:
        """Cash, property and buildings at cost, mortgaged property at half."""
        board, state = facts(), self.state
        total = state[CASH + player]
        for at in range(40):
            if state[OWNER + at] == player + 1:
                level = state[LEVEL + at]
                total += board.prices[at] // 2 if level < 0 else board.prices[at] + level * board.costs[at]
        return total

    def building_mark(self, square: int) -> str:
        """Houses as digits, a hotel as H, a mortgage as m; "" without."""
        return ("", "1", "2", "3", "4", "H", "m")[self.state[LEVEL + square]]

    def property_lines(self) -> list[str]:
        """A line for each colour group with an owned square; then all others.

        A square shows the initial of its owner, then houses or a mortgage.
        """
        board, sold, unsold = facts(), [], []
        for group in range(10):
            squares = [at for at in range(40) if board.groups[at] == group]
            name = board.names[squares[0]].split()[-1] if group < 9 else "Works"
            if any(self.state[OWNER + at] for at in squares):
                sold.append(
                    f"{name} {'  '.join(f'{board.short(at)} {self.owner_mark(at)}' for at in squares)}"
                )
            else:
                unsold.append(f"{name} {' '.join(board.short(at) for at in squares)}")
        return [*sold, f"unsold: {'; '.join(unsold)}"] if unsold else sold

    def owner_mark(self, square: int) -> str:
        """The initial of the owner of a square, with `building_mark`; "-" for the bank."""
        owner = self.state[OWNER + square]
        return SIDES[owner - 1][0].upper() + self.building_mark(square) if owner else "-"

    def text(self) -> str:
        """The whole position, in lines of at most 78 characters."""
        state, board = self.state, facts()
        banked = f"bank: {state[HOUSES]} houses, {state[HOTELS]} hotels"
        lines = [f"round {min(state[ROUND] + 1, self.rounds)} of {self.rounds}; {banked}"]
        for player in range(self.players):
            mark = ">" if player == state[MOVER] else " "
            if state[OUT + player]:
                lines.append(f"{mark} {SIDES[player]:<7} bankrupt")
                continue
            jail_cards = sum(state[JAIL_CARD + deck] == player + 1 for deck in (0, 1))
            kept = f", {jail_cards} jail card{'s' if jail_cards > 1 else ''}" if jail_cards else ""
            money = f"{state[CASH + player]:>6,} cash {self.wealth(player):>6,} in all"
            lines.append(f"{mark} {SIDES[player]:<7}{money}, {self.location(player)}{kept}")
        for group in range(10):
            squares = [at for at in range(40) if board.groups[at] == group]
            name = board.names[squares[0]].split()[-1] if group < 9 else "Works"
            held = []
            for at in squares:
                owner = state[OWNER + at]
                level = self.building_mark(at)
                ownership = (SIDES[owner - 1] + (f" {level}" if level else "")) if owner else "-"
                held.append(f"{board.short(at)}: {ownership}")
            lines.append(f"  {name:<8}" + "  ".join(f"{one:<15}" for one in held).rstrip())
        lines.append(self.decision_text())
        return "\n".join(lines)

    def board(self, moves: Sequence[int], last: Sequence[int]) -> Board:
        """The ring of squares: players, else owner and buildings, with initials around it."""
        state, data = self.state, facts()
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
                if state[PLACE + player] == at and not state[OUT + player]
            ]
            owner = state[OWNER + at]
            sign = plain.get(kind, "")
            if owner:
                sign = SIDES[owner - 1][0] + self.building_mark(at)
                owners.setdefault(sign, owner - 1)
            if here:
                first = state[MOVER] if state[MOVER] in here else here[0]
                others = [player for player in here if player != first]
                sign = SIDES[first][0].upper()
                sign += "+" if len(others) > 1 else "".join(SIDES[player][0].upper() for player in others)
                owners.setdefault(sign, first)
            cells[y][x] = sign
            price = str(data.prices[at]) if kind in KINDS[:3] else ""
            label = (SIDES[owner - 1][0] + self.building_mark(at) if here else "") if owner else price
            squares[y, x] = Square(data.short(at), data.groups[at], label)
            if kind in KINDS[:3]:
                names[y, x] = data.short(at)
                initial = data.names[at][0]
                edges[at // 10][x if at // 10 in (0, 2) else y] = (
                    initial.lower() if kind == "street" else initial
                )
        dice = state[ROLLED]
        if dice:
            cells[2][4], cells[2][6] = str(dice >> 3), str(dice & 7)
        pointed: dict[Cell, tuple[int, ...]] = {}
        for move in moves:
            what, x = move & 31, move >> 5
            at = (
                state[PLACE + state[MOVER]]
                if what in (BUY, AUCTION)
                else state[LOT]
                if what in (BIDS, PASS)
                else x
            )
            if what in (BUY, AUCTION, BIDS, PASS, BUILD, SELL, MORTGAGE, REDEEM, WANT) or (
                what == GIVE and x != NOTHING
            ):
                pointed[cell_of(at)] = (*pointed.get(cell_of(at), ()), move)
        notes = {player: self.status(player) for player in range(self.players)}
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
            middle=tuple(self.property_lines()),
            facts=(self.decision_text(),),
        )

    def status(self, player: int) -> str:
        """The status of a player."""
        if self.state[OUT + player]:
            return "bankrupt"
        kept = sum(self.state[JAIL_CARD + deck] == player + 1 for deck in (0, 1))
        cards = f", {kept} jail card{'s' if kept > 1 else ''}" if kept else ""
        return f"{self.state[CASH + player]:,} {self.location(player)}{cards}"


def cell_of(square: int) -> Cell:
    """The cell of a square: the start is at the lower right, the others follow clockwise."""
    side, step = divmod(square, 10)
    return ((10, 10 - step), (10 - step, 0), (0, step), (step, 10))[side]
