"""Drawing of card tables: hands, open cards and actions. A card is a word: `K`, `Ks`.

Card numbers and names are in `pack`.
"""

from collections.abc import Collection, Mapping, Sequence

from gameplay.board import BACK, Board, CardTable, Cell, TableSeat, Tray
from gameplay.games.shared import pack


def visible_hands(
    hands: Sequence[Sequence[str]], viewer: int | None, shown: Collection[int] = ()
) -> list[tuple[str, ...]]:
    """The hands as `viewer` sees them, others face down unless they are `shown`; None sees all."""
    return [
        tuple(hand) if viewer in (None, player) or player in shown else (BACK,) * len(hand)
        for player, hand in enumerate(hands)
    ]


def card_table(
    names: Sequence[str],
    hands: Sequence[Sequence[str]],
    viewer: int | None,
    turn: int | None,
    middle: tuple[str, tuple[str, ...]],
    words: Mapping[str, int],
    notes: Mapping[int, str],
    shown: Collection[int] = (),
) -> Board:
    """Hands of cards around a table: the viewer's at the bottom, or the first player's if all are open.

    `turn`: the player to move, if there is one. `middle` lies between the hands: the pot in words and the
    open cards, "" for one to come. `words` are the mover's actions with their moves, selectable by pointer.
    The hands of the players `shown` are face up.
    """
    bottom = viewer or 0
    visible = visible_hands(hands, viewer, shown)
    order = [(bottom + turned) % len(hands) for turned in range(len(hands))]
    trays = [Tray(names[player], visible[player]) for player in order]
    seats = tuple(
        TableSeat(
            player=player,
            name=names[player] + (" (you)" if player == viewer else ""),
            hand=(place,),
            note=notes.get(player, ""),
            turn=player == turn,
        )
        for place, player in enumerate(order)
    )
    if words:
        trays.append(Tray("actions", tuple(words)))
    moves: dict[Cell, tuple[int, ...]] = {
        (len(trays) - 1, column): (move,) for column, move in enumerate(words.values())
    }
    return Board(
        moves=moves,
        names=dict(zip(moves, words, strict=True)),
        glyphs=pack.GLYPHS,
        notes=dict(notes),
        trays=tuple(trays),
        table=CardTable(
            seats=seats,
            middle=middle,
            box=(len(trays) - 1,) if words else (),
            choices=f"actions: {' '.join(words)}" if words else "",
        ),
    )


def format_hands(
    names: Sequence[str],
    hands: Sequence[Sequence[str]],
    viewer: int | None,
    notes: Mapping[int, str],
    shown: Collection[int] = (),
) -> str:
    """The table as text, one line per player."""
    visible = [" ".join(hand) or "-" for hand in visible_hands(hands, viewer, shown)]
    name_width, hand_width = max(map(len, names)), max(map(len, visible))
    return "\n".join(
        f"{name:<{name_width}}  {hand:<{hand_width}}  {notes.get(player, '')}".rstrip()
        for player, (name, hand) in enumerate(zip(names, visible, strict=True))
    )


def format_bets(stakes: Sequence[int], actions: Mapping[int, str]) -> dict[int, str]:
    """Each player's bet and last action."""
    words = {player: f", {word}" for player, word in actions.items()}
    return {player: f"{format_chips(stake)} in{words.get(player, '')}" for player, stake in enumerate(stakes)}


def format_chips(number: int) -> str:
    """A number of chips as text: `1 chip`, `3 chips`."""
    return f"{number} chip{'s' * (number != 1)}"
