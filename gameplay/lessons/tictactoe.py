"""The lecture's table of average states visited in tic-tac-toe, by stones on the board, and ours."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

# Stones on the board: minimax, alpha-beta.
LECTURE = {
    0: (549946.0, 29019.0),
    2: (7293.0, 1308.0),
    4: (176.2, 81.8),
    6: (11.0, 9.2),
    8: (1.3, 1.3),
}

WHY = (
    "Ours are averages over all reachable unfinished positions, each counted once. The lecture's figures "
    "have one decimal at most, which fits averages of ten random boards, finished ones included: an "
    "unfinished board with 8 stones takes 2 states, a finished one 1. With no stone minimax agrees; "
    "alpha-beta depends on move ordering and on the values of wins. From the empty board it visits {rows} "
    "states row by row if nearer wins have higher values, as in our search; {flat} row by row if all wins "
    "have the same value; {centre} if nearer wins have higher values and the centre is tried first, then "
    "the corners."
)
ROWS = range(9)
CENTRE_FIRST = (4, 0, 2, 6, 8, 1, 3, 5, 7)
LOST = -10  # less than any value of a game of nine plies


def positions() -> dict[int, list[str]]:
    """Every reachable unfinished position of tic-tac-toe as text, by its number of stones, each once."""
    by_stones: dict[int, dict[str, None]] = {}

    def visit(position: "AbstractPosition", stones: int) -> None:
        text = position.text()
        assert text is not None
        if position.outcome() is not None or text in by_stones.setdefault(stones, {}):
            return
        by_stones[stones][text] = None
        for move in position.moves():
            position.make(move)
            visit(position, stones + 1)
            position.unmake()

    visit(registry.game("tictactoe").new(), 0)
    return {stones: list(texts) for stones, texts in by_stones.items() if texts}


def average_nodes(engine: str, texts: list[str]) -> float:
    """The average number of states that an engine visits from these positions to the end of the game."""
    game = registry.game("tictactoe")
    instance = registry.engine(engine)[0]
    nodes: int = sum(instance.search(game.new(text), Limit(depth=9)).nodes for text in texts)
    return nodes / len(texts)


def count_visits(order: Sequence[int], near_wins_first: bool) -> int:
    """Count the states that plain alpha-beta visits from the empty board, trying squares in this order.

    `near_wins_first`: nearer wins have higher values; otherwise all wins have the same value.
    """
    position = registry.game("tictactoe").new()
    count = 0

    def value(alpha: int, beta: int, remaining: int) -> int:
        nonlocal count
        count += 1
        payoffs = position.outcome()
        if payoffs is not None:
            return int(payoffs[position.turn]) * (remaining + 1 if near_wins_first else 1)
        best, legal = LOST, position.moves()
        for move in order:
            if move in legal and best < beta:
                position.make(move)
                best = max(best, -value(-beta, -max(alpha, best), remaining - 1))
                position.unmake()
        return best

    value(LOST, -LOST, len(order))
    return count


def lines() -> Iterator[str]:
    """The text: the table, and the differences with their reasons."""
    yield "stones  positions         minimax                alpha-beta"
    yield "                     lecture      ours       lecture      ours"
    by_stones = positions()
    for stones, (minimax, alphabeta) in LECTURE.items():
        texts = by_stones[stones]
        full, pruned = average_nodes("minimax", texts), average_nodes("alphabeta", texts)
        yield f"{stones:>6} {len(texts):>10} {minimax:>12.1f} {full:>9.1f} {alphabeta:>13.1f} {pruned:>9.1f}"
    yield ""
    yield WHY.format(
        rows=count_visits(ROWS, near_wins_first=True),
        flat=count_visits(ROWS, near_wins_first=False),
        centre=count_visits(CENTRE_FIRST, near_wins_first=True),
    )
