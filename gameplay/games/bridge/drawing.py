"""Drawing of bridge deals: the hands around the trick, or the auction and the bidding box."""

from typing import Protocol

from gameplay.board import AuctionTable, Board, CardTable, Cell, TableSeat, Tray
from gameplay.games.bridge.bidding import DOUBLE, FIRST, PASS
from gameplay.games.bridge.deal import Deal
from gameplay.games.bridge.score import STRAINS, Contract
from gameplay.games.shared import pack, tricks
from gameplay.position import CHANCE

COLUMNS = (3, 0, 1, 2)  # of the auction: west, north, east, south
VULNERABLE = {(): "none", (0,): "north-south", (1,): "east-west", (0, 1): "both sides"}
BIDS = {
    f"{level}{strain}": f"{level}{'NT' if strain == 'N' else pack.SUIT_SIGNS[STRAINS.index(strain)]}"
    for level in range(1, 8)
    for strain in STRAINS
}
GLYPHS = (
    pack.GLYPHS | BIDS | {bid + times: sign + times for bid, sign in BIDS.items() for times in ("x", "xx")}
)


class DrawnDeal(Protocol):
    """The interface of a bridge position that is drawn."""

    state: Deal
    turn: int
    dealer: int
    vulnerable: tuple[int, ...]

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the players."""
        ...

    def outcome(self) -> tuple[float, ...] | None:
        """The points of each player; None before the end."""
        ...

    def moves(self) -> list[int]:
        """The legal calls or cards."""
        ...

    def format(self, move: int) -> str:
        """A call or a card in words."""
        ...

    def first_hands(self) -> list[tuple[int, ...]]:
        """The hands as they were dealt."""
        ...

    def notes(self) -> dict[int, str]:
        """The notes of each player."""
        ...


def board(position: DrawnDeal, viewer: int | None) -> Board:
    """The board with the viewer at the bottom. None: all hands visible, south at the bottom."""
    state = position.state
    viewer_seat = 2 if viewer is None else viewer
    to_move = viewer in (None, position.turn) and not state.over and position.turn != CHANCE
    playing = state.contract is not None and not state.over
    legal = set(position.moves()) if to_move and playing else set()
    hands = position.first_hands() if state.over and viewer is None else state.hands
    trays: list[Tray] = []
    selectable: dict[Cell, int] = {}
    seats = []
    for player in [(viewer_seat + offset) % 4 for offset in range(4)]:
        dummy = state.contract is not None and player == state.contract.dummy
        on_turn = state.hand if playing else position.turn
        seat = TableSeat(
            player=player,
            name=position.sides[player] + (" (you)" if player == viewer else ""),
            note="dummy" if dummy else _role(position, player),
            card=_card(position, player),
            turn=not state.over and player == on_turn,
        )
        cards = legal if player == on_turn else set()
        is_visible = viewer in (None, player) or (dummy and state.open)
        seats.append(tricks.seat_hand(trays, selectable, seat, hands[player], is_visible, cards))
    box: tuple[int, ...] = ()
    if to_move and not playing:
        box = _box(trays, selectable, position.moves())
    table = CardTable(
        seats=tuple(seats),
        facts=_facts(position),
        leader=_leader(position, viewer_seat),
        winner=_winner(position, viewer_seat),
        auction=None if state.contract is not None or state.over else _auction(position),
        box=box,
        choices=f"calls: {_choices(position.moves())}" if box else "",
        middle=("passed out", ()) if state.over and state.contract is None else None,
    )
    names = {cell: position.format(move).lower() for cell, move in selectable.items()}
    return tricks.card_board(trays, selectable, names, GLYPHS, position.notes(), table)


def _role(position: DrawnDeal, player: int) -> str:
    contract = position.state.contract
    if contract is None:
        return "dealer" if player == position.dealer else ""
    return "declarer" if player == contract.declarer else ""


def _card(position: DrawnDeal, player: int) -> str:
    """A player's card in the current trick, or in the last one until a card is led."""
    state = position.state
    if not state.played:
        return ""
    leader = state.leads[(len(state.played) - 1) // 4]
    trick = state.trick or state.played[-4:]
    index = (player - leader) % 4
    return pack.card_text(trick[index]) if index < len(trick) else ""


def _trick_winner(position: DrawnDeal) -> int | None:
    """The winner of the trick on the table, if it is complete."""
    state = position.state
    if state.trick or not state.played:
        return None
    trump = state.contract.trump if state.contract is not None else None
    return (state.leads[len(state.played) // 4 - 1] + tricks.winning_index(state.played[-4:], trump)) % 4


def _leader(position: DrawnDeal, viewer_seat: int) -> int:
    state = position.state
    return (state.leads[(len(state.played) - 1) // 4] - viewer_seat) % 4 if state.played else 0


def _winner(position: DrawnDeal, viewer_seat: int) -> int | None:
    taker = _trick_winner(position)
    return None if taker is None else (taker - viewer_seat) % 4


def _facts(position: DrawnDeal) -> tuple[str, ...]:
    """The contract or the dealer, and the vulnerability; in the play the trick and the tricks won."""
    state = position.state
    vulnerable = f"vulnerable: {VULNERABLE[position.vulnerable]}"
    contract = state.contract
    if contract is None:
        return (f"dealer {position.sides[position.dealer]}, {vulnerable}",)
    contract_text = str(contract)
    goals = [6 + contract.level, 8 - contract.level]
    if contract.declarer % 2:
        goals.reverse()
    tricks_text = ", ".join(
        f"{name} {count} of {goal}"
        for name, count, goal in zip(("N-S", "E-W"), state.tricks, goals, strict=True)
    )
    if state.over:
        return f"{contract_text}; tricks {tricks_text}", _score(position, contract)
    taker = _trick_winner(position)
    number = (len(state.played) - 1) // 4 + 1 if state.played else 1
    if taker is not None:
        status = f"{position.sides[taker]} takes it"
    elif state.played:
        status = f"{position.sides[state.leads[-1]]} led"
    else:
        status = f"{position.sides[state.leads[-1]]} leads"
    return f"{contract_text}; tricks {tricks_text}", f"trick {number}: {status}; {vulnerable}"


def _score(position: DrawnDeal, contract: Contract) -> str:
    """The result of the contract, and the points of both sides."""
    overtricks = position.state.tricks[contract.declarer % 2] - 6 - contract.level
    result = "made"
    if overtricks:
        result = f"made with {overtricks} over" if overtricks > 0 else f"down {-overtricks}"
    points = position.outcome() or (0, 0)
    return f"{result}; points N-S {points[0]:g}, E-W {points[1]:g}"


def _auction(position: DrawnDeal) -> AuctionTable:
    """The calls so far, west's in the first column."""
    offset = COLUMNS.index(position.dealer)
    calls = [*[""] * offset, *map(position.format, position.state.calls)]
    if position.turn != CHANCE:
        calls.append("?")
    calls += [""] * (-len(calls) % 4)
    rows = tuple(tuple(calls[start : start + 4]) for start in range(0, len(calls), 4))
    return AuctionTable(tuple(position.sides[player] for player in COLUMNS), rows)


def _box(trays: list[Tray], selectable: dict[Cell, int], legal: list[int]) -> tuple[int, ...]:
    """The bidding box: pass, doubles, then a level a row; only legal calls."""
    rows = [range(PASS, FIRST), *(range(bid, bid + 5) for bid in range(FIRST, FIRST + 35, 5))]
    words = {PASS: "pass", DOUBLE: "x"}
    first_tray = len(trays)
    for calls in rows:
        texts = tuple(
            words.get(call, "xx" if call < FIRST else _bid(call)) if call in legal else "" for call in calls
        )
        if not any(texts):
            continue
        selectable |= {(len(trays), column): call for column, call in enumerate(calls) if call in legal}
        trays.append(Tray("calls", texts))
    return tuple(range(first_tray, len(trays)))


def _bid(call: int) -> str:
    level, strain = divmod(call - FIRST, 5)
    return f"{level + 1}{STRAINS[strain]}"


def _choices(legal: list[int]) -> str:
    """The legal calls as text: `pass, x, 2D to 7N`."""
    words = [{PASS: "pass", DOUBLE: "x"}.get(call, "xx") for call in legal if call < FIRST]
    bids = [call for call in legal if call >= FIRST]
    words += [f"{_bid(bids[0])} to 7N"] if len(bids) > 1 else map(_bid, bids)
    return ", ".join(words)
