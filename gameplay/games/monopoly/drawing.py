"""Monopoly positions as text, and the drawing of the board."""

from collections.abc import Sequence
from typing import NamedTuple

from gameplay.board import Board, Cell, Square
from gameplay.games.monopoly.board import KINDS, SIDES, facts
from gameplay.games.monopoly.layout import *
from gameplay.plural import plural

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
        decider = SIDES[turn] if turn >= 0 else SIDES[mover]
        square = state[PLACE + mover]
        if phase == ROLLING:
            return f"{SIDES[mover]} rolls the dice" + (" in jail" if state[CELL + mover] else "")
        if phase == BIDDING:
            bid_text = f"{SIDES[state[BIDDER] - 1]} bids {state[BID]}" if state[BIDDER] else "no bid yet"
            lot_text = f"{board.names[state[LOT]]} (price {board.prices[state[LOT]]})"
            return f"{lot_text} is auctioned: {bid_text}; {decider} to bid or pass"
        if phase == RAISING:
            creditor = SIDES[state[DEBT + 1]] if state[DEBT + 1] >= 0 else "the bank"
            return f"{decider} owes {creditor} {state[DEBT + 2]} and has {state[CASH + turn]}"
        if phase == ANSWERING:
            return f"{decider} is offered {self.offer_text()}"
        return {
            ROLL_FOR_UTILITY: f"{SIDES[mover]} rolls the dice for the rent",
            DRAWING: f"{SIDES[mover]} draws a card",
            JAILED: f"{decider} is in jail, before roll {state[CELL + turn]} of 3",
            BUYING: f"{decider} may buy {board.names[square]} for {board.prices[square]}",
            TRADING: f"{decider} asks for {board.names[state[WANTED]]}",
            OVER: "the game is over",
        }.get(phase, f"{decider} may build, redeem, mortgage and sell")

    def offer_text(self) -> str:
        """The offered trade."""
        state, board = self.state, facts()
        offered = [board.names[state[GIVEN] - 1]] if state[GIVEN] else []
        offered += [str(state[EXTRA])] if state[EXTRA] > 0 else []
        requested = board.names[state[WANTED]] + (f" and {-state[EXTRA]}" if state[EXTRA] < 0 else "")
        return f"{' and '.join(offered)} for {requested}"

    def wealth(self, player: int) -> int:
        """Cash, property and buildings at cost, mortgaged property at half."""
        board, state = facts(), self.state
        total = state[CASH + player]
        for square in range(40):
            if state[OWNER + square] == player + 1:
                level = state[LEVEL + square]
                price = board.prices[square]
                total += price // 2 if level < 0 else price + level * board.costs[square]
        return total

    def building_mark(self, square: int) -> str:
        """Houses as a digit, a hotel as H, a mortgage as m; "" if undeveloped."""
        return ("", "1", "2", "3", "4", "H", "m")[self.state[LEVEL + square]]

    def property_lines(self) -> list[str]:
        """A line for each colour group with an owned square; then a line of all others.

        A square shows the initial of its owner, then houses or a mortgage.
        """
        board, sold, unsold = facts(), [], []
        for group in range(10):
            squares = [square for square in range(40) if board.groups[square] == group]
            name = board.names[squares[0]].split()[-1] if group < 9 else "Works"
            if any(self.state[OWNER + square] for square in squares):
                marks = [f"{board.short(square)} {self.owner_mark(square)}" for square in squares]
                sold.append(f"{name} {'  '.join(marks)}")
            else:
                unsold.append(f"{name} {' '.join(board.short(square) for square in squares)}")
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
            jail_text = f", {plural(jail_cards, 'jail card')}" if jail_cards else ""
            money = f"{state[CASH + player]:>6,} cash {self.wealth(player):>6,} in all"
            lines.append(f"{mark} {SIDES[player]:<7}{money}, {self.location(player)}{jail_text}")
        for group in range(10):
            squares = [square for square in range(40) if board.groups[square] == group]
            name = board.names[squares[0]].split()[-1] if group < 9 else "Works"
            cells = []
            for square in squares:
                owner = state[OWNER + square]
                level = self.building_mark(square)
                ownership = (SIDES[owner - 1] + (f" {level}" if level else "")) if owner else "-"
                cells.append(f"{board.short(square)}: {ownership}")
            lines.append(f"  {name:<8}" + "  ".join(f"{cell:<15}" for cell in cells).rstrip())
        lines.append(self.decision_text())
        return "\n".join(lines)

    def board(self, moves: Sequence[int], last: Sequence[int]) -> Board:
        """The ring of squares: players, else owner and buildings, with initials around it."""
        state, data = self.state, facts()
        cells: list[list[str | None]] = [[None] * 11 for _ in range(11)]
        owners = {SIDES[player][0].upper(): player for player in range(self.players)}
        squares = {}
        names, edges = {}, [[""] * 11 for _ in range(4)]
        signs = {
            "start": "GO",
            "fortune": "!",
            "fund": "$",
            "tax": "%",
            "jail": "#",
            "park": "P",
            "arrest": ">#",
        }
        for square in range(40):
            y, x = cell_of(square)
            square_kind = KINDS[data.kinds[square]]
            visitors = [
                player
                for player in range(self.players)
                if state[PLACE + player] == square and not state[OUT + player]
            ]
            owner = state[OWNER + square]
            sign = signs.get(square_kind, "")
            if owner:
                sign = SIDES[owner - 1][0] + self.building_mark(square)
                owners.setdefault(sign, owner - 1)
            if visitors:
                first_visitor = state[MOVER] if state[MOVER] in visitors else visitors[0]
                others = [player for player in visitors if player != first_visitor]
                sign = SIDES[first_visitor][0].upper()
                sign += "+" if len(others) > 1 else "".join(SIDES[player][0].upper() for player in others)
                owners.setdefault(sign, first_visitor)
            cells[y][x] = sign
            price = str(data.prices[square]) if square_kind in KINDS[:3] else ""
            label = (SIDES[owner - 1][0] + self.building_mark(square) if visitors else "") if owner else price
            squares[y, x] = Square(data.short(square), data.groups[square], label)
            if square_kind in KINDS[:3]:
                names[y, x] = data.short(square)
                initial = data.names[square][0]
                edges[square // 10][x if square // 10 in (0, 2) else y] = (
                    initial.lower() if square_kind == "street" else initial
                )
        dice = state[ROLLED]
        if dice:
            cells[2][4], cells[2][6] = str(dice >> 3), str(dice & 7)
        cell_moves: dict[Cell, tuple[int, ...]] = {}
        for move in moves:
            action, x = move & 31, move >> 5
            square = (
                state[PLACE + state[MOVER]]
                if action in (BUY, AUCTION)
                else state[LOT]
                if action in (BIDS, PASS)
                else x
            )
            if action in (BUY, AUCTION, BIDS, PASS, BUILD, SELL, MORTGAGE, REDEEM, WANT) or (
                action == GIVE and x != NOTHING
            ):
                cell_moves[cell_of(square)] = (*cell_moves.get(cell_of(square), ()), move)
        notes = {player: self.status(player) for player in range(self.players)}
        return Board(
            cells=tuple(map(tuple, cells)),
            columns=tuple(edges[2]),
            feet=tuple(edges[0]),
            rows=tuple(edges[1]),
            tails=tuple(edges[3]),
            owners=owners,
            last=tuple(cell_of(square) for square in last),
            names=names,
            squares=squares,
            moves=cell_moves,
            notes=notes,
            middle=tuple(self.property_lines()),
            facts=(self.decision_text(),),
        )

    def status(self, player: int) -> str:
        """The status of a player."""
        if self.state[OUT + player]:
            return "bankrupt"
        jail_cards = sum(self.state[JAIL_CARD + deck] == player + 1 for deck in (0, 1))
        cards = f", {plural(jail_cards, 'jail card')}" if jail_cards else ""
        return f"{self.state[CASH + player]:,} {self.location(player)}{cards}"


def cell_of(square: int) -> Cell:
    """The cell of a square: the start is at the lower right, the others follow clockwise."""
    side, step = divmod(square, 10)
    return ((10, 10 - step), (10 - step, 0), (0, step), (step, 10))[side]
