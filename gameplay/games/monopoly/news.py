"""Reports of Monopoly moves, in sentences."""

from gameplay.games.monopoly.board import DECKS, KINDS, SIDES, facts
from gameplay.games.monopoly.drawing import Town
from gameplay.games.monopoly.layout import *
from gameplay.plural import plural


def news(before: Town, move: int, after: Town) -> tuple[str, ...]:
    """The effects of a move, in sentences."""
    old_state, new_state, board = before.state, after.state, facts()
    move_kind, x = move & 31, move >> 5
    mover, turn = old_state[MOVER], old_state[TURN]
    player_name = SIDES[turn] if turn >= 0 else SIDES[mover]
    lines: list[str] = []
    money = [new_state[CASH + player] - old_state[CASH + player] for player in range(before.players)]
    if move_kind == DICE and old_state[PHASE] == ROLL_FOR_UTILITY:
        lines.append(f"{player_name} rolls {x >> 3}-{x & 7} for the rent")
    elif move_kind == DICE:
        lines.append(f"{player_name} rolls {x >> 3}-{x & 7}{_arrival(before, after, money)}")
    elif move_kind == CARD:
        deck = old_state[PILE]
        card = board.words[16 * deck + x].replace("-", " ")
        arrival = _arrival(before, after, money)
        lines.append(f"{player_name} draws from {DECKS[deck]}: {card}{',' if arrival else ''}{arrival}")
    elif move_kind == PAY:
        lines.append(f"{player_name} pays the fine of {board.fine}")
        money[turn] += board.fine
    elif move_kind == USE:
        lines.append(f"{player_name} leaves jail with a card")
    elif move_kind == BUY:
        square = old_state[PLACE + turn]
        lines.append(f"{player_name} buys {board.names[square]} for {board.prices[square]}")
        money[turn] += board.prices[square]
    elif move_kind == AUCTION:
        lines.append(f"{board.names[old_state[PLACE + turn]]} is auctioned")
    elif move_kind == BIDS:
        lines.append(f"{player_name} bids {x}")
    elif move_kind in (BUILD, SELL):
        level = new_state[LEVEL + x]
        building = "a hotel" if level == 5 else plural(level, "house") if level else "nothing"
        lines.append(
            f"{player_name} {'builds' if move_kind == BUILD else 'sells'}: {building} at {board.names[x]}"
        )
        money[turn] += board.costs[x] if move_kind == BUILD else -board.costs[x] // 2
    elif move_kind == MORTGAGE:
        lines.append(f"{player_name} mortgages {board.names[x]} for {board.prices[x] // 2}")
        money[turn] -= board.prices[x] // 2
    elif move_kind == REDEEM:
        lines.append(f"{player_name} redeems {board.names[x]}")
    elif move_kind == MONEY:
        lines.append(f"{player_name} offers {SIDES[new_state[TURN]]} {after.offer_text()}")
    elif move_kind in (ACCEPT, REFUSE):
        lines.append(f"{player_name} {'accepts' if move_kind == ACCEPT else 'refuses'}")
    if old_state[PHASE] == BIDDING and not (new_state[PHASE] == BIDDING and new_state[LOT] == old_state[LOT]):
        winner = new_state[OWNER + old_state[LOT]]
        if winner:
            price = x if move_kind == BIDS else old_state[BID]
            lines.append(f"{SIDES[winner - 1]} gets {board.names[old_state[LOT]]} for {price}")
            money[winner - 1] += price
        else:
            lines.append(f"no player buys {board.names[old_state[LOT]]}")
    for player in range(before.players):
        if new_state[OUT + player] and not old_state[OUT + player]:
            lines.append(f"{SIDES[player]} is bankrupt")
    if any(money):
        lines.append(_format_payments(money))
    if (
        new_state[PHASE] == BIDDING
        and (old_state[PHASE] != BIDDING or new_state[LOT] != old_state[LOT])
        and move_kind != AUCTION
    ):
        lines.append(f"{board.names[new_state[LOT]]} is auctioned")
    if new_state[PHASE] == BUYING and old_state[PHASE] != BUYING:
        square = new_state[PLACE + new_state[MOVER]]
        lines.append(f"{board.names[square]} costs {board.prices[square]}, rent {_rents(square)}")
    if new_state[PHASE] == RAISING and old_state[PHASE] != RAISING:
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
    old_state, new_state, board = before.state, after.state, facts()
    mover = old_state[MOVER]
    if new_state[OUT + mover]:
        return ""
    old_square, new_square = old_state[PLACE + mover], new_state[PLACE + mover]
    if new_state[CELL + mover] and not old_state[CELL + mover]:
        return " and goes to jail"
    if new_state[CELL + mover]:
        return " and stays in jail"
    if old_square == new_square:
        return ""
    release_text = (
        ", a double, and is free"
        if old_state[CELL + mover] and new_state[ROLLED] >> 3 == new_state[ROLLED] & 7
        else ""
    )
    salary = ""
    if new_square < old_square and old_square - new_square != 3:
        money[mover] -= board.salary
        salary = f" past the start (+{board.salary})" if new_square else f" (+{board.salary})"
    visit = ", on a visit" if KINDS[board.kinds[new_square]] == "jail" else ""
    return f"{release_text}{',' if release_text else ''} to {board.names[new_square]}{visit}{salary}"


def _format_payments(money: list[int]) -> str:
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
