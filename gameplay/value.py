"""The scale of values: ints from the mover's view, wins scored by their distance from the root.

    WIN - n      the mover wins in n plies        n - WIN     the mover loses in n plies
    0            drawn, or level                  else        the game's own guess, or its points

Plain Python, so that compiled modules and everybody else read the same numbers.
"""

INF = 2_000_000  # greater than every value
WIN = 1_000_000  # a win on the spot
MAX_PLY = 255  # no search goes deeper
KILLER = 1 << 28  # not a value but a weight in move ordering: hinted moves weigh more, all others less
GUESS = WIN - MAX_PLY - 1  # the greatest value that is not a win


def is_win(value: int) -> bool:
    """True if `value` says that somebody wins by force."""
    return abs(value) > GUESS


def plies(value: int) -> int:
    """How many plies a forced win or loss takes."""
    return WIN - abs(value)


def amount(value: int, unit: int = 1, exact: bool = False) -> str:
    """A value that is no win, in what people count: `+14`, `0`, or a guess in hundredths of `unit`."""
    if exact and not value % unit:
        value, unit = value // unit, 1
    if unit > 1:
        return f"{value / unit:+.2f}" if value else "0.00"
    return f"{value:+d}" if value else "0"


def words(value: int, exact: bool = False, unit: int = 1) -> str:
    """A value as people say it: `win in 3`, `loss in 2`, `draw`, `+14`, `-0.35`.

    `exact`: the search saw the end. `unit`: one of what people count, see `Position.unit`.
    """
    if is_win(value):
        return f"{'win' if value > 0 else 'loss'} in {plies(value)}"
    if exact and value == 0:
        return "draw"
    return amount(value, unit, exact)
