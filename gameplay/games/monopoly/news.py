"""Reports of Monopoly moves, in sentences."""

from gameplay.games.monopoly.board import DECKS, KINDS, SIDES, facts
from gameplay.games.monopoly.drawing import Town
from gameplay.games.monopoly.layout import *


def news(before: Town, move: int, after: Town) -> tuple[str, ...]:
    """The effects of a move, in sentences."""
    was, now, board = before.state, after.state, facts()
    what, x = move & 31, move >> 5
    mover, turn = was[MOVER], was[TURN]
    who = SIDES[turn] if turn >= 0 else SIDES[mover]
    lines: list[str] = []
    money = [now[CASH + player] - was[CASH + player] for player in range(before.players)]
    if what == DICE and was[PHASE] == ROLL_FOR_UTILITY:
        lines.append(f"{who} rolls {x >> 3}-{x & 7} for the rent")
    elif what == DICE:
        lines.append(f"{who} rolls {x >> 3}-{x & 7}{_arrival(before, after, money)}")
    elif what == CARD:
        deck = was[PILE]
        card = board.words[16 * deck + x].replace("-", " ")
        arrival = _arrival(before, after, money)
        lines.append(f"{who} draws from {DECKS[deck]}: {card}{',' if arrival else ''}{arrival}")
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
        building = (
            "a hotel" if level == 5 else f"{level} house{'s' if level > 1 else ''}" if level else "nothing"
        )
        lines.append(f"{who} {'builds' if what == BUILD else 'sells'}: {building} at {board.names[x]}")
        money[turn] += board.costs[x] if what == BUILD else -board.costs[x] // 2
    elif what == MORTGAGE:
        lines.append(f"{who} mortgages {board.names[x]} for {board.prices[x] // 2}")
        money[turn] -= board.prices[x] // 2
    elif what == REDEEM:
        lines.append(f"{who} redeems {board.names[x]}")
    elif what == MONEY:
        lines.append(f"{who} offers {SIDES[now[TURN]]} {after.offer_text()}")
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
        lines.append(after.decision_text())
    return tuple(lines)


def _rents(square: int) -> str:
    """The range of a property's rent."""
    board = facts()
    rents = board.rents[6 * square : 6 * square + 6]
    if KINDS[board.kinds[square]] == "utility":
        return f"{rents[0]} or {rents[1]} times the dice"
    return f"{rents[0]} to {max(rents)}"


def _arrival(before: Town, after: Town, money: list[int]) -> str:
    """The mover's new square; the salary is subtracted from `money`."""
    was, now, board = before.state, after.state, facts()
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
    """The payments of players."""
    givers = [player for player, change in enumerate(money) if change < 0]
    takers = [player for player, change in enumerate(money) if change > 0]
    if len(givers) == 1 and not takers:
        return f"{SIDES[givers[0]]} pays {-money[givers[0]]}"
    if len(takers) == 1 and not givers:
        return f"{SIDES[takers[0]]} gets {money[takers[0]]}"
    if len(givers) == len(takers) == 1 and not sum(money):
        return f"{SIDES[givers[0]]} pays {SIDES[takers[0]]} {money[takers[0]]}"
    return ", ".join(f"{SIDES[player]} {change:+d}" for player, change in enumerate(money) if change)
