"""The scale of values: ints from the mover's view, wins scored by their distance from the root.

    WIN - n      the mover wins in n plies        n - WIN     the mover loses in n plies
    SURE - n     the mover wins, in an            n - SURE    the mover loses, in an
                 unknown number of plies                      unknown number of plies
    0            drawn, or equal                  else        a static evaluation, or points

Endgame tables and solvers may prove a win without its distance. Such a win ranks below every win with a known
distance and above every evaluation; n is then the number of plies from the root to the probe, so that a
search prefers the shortest path to it.

A float is an expectation, a mean of payoffs over chance or over simulations, in the game's `unit`: points,
or in a game without points 1 for a win and -1 for a loss. Win distances are not averaged.

Compiled modules read the same numbers from value.pxd.
"""

import math
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from gameplay.errors import Fault, GameplayError, raised
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.position import AbstractEvaluation, AbstractPosition

INF = 2_000_000  # greater than all values
WIN = 1_000_000  # a win in 0 plies
MAX_PLY = 255  # maximum search depth
KILLER = 1 << 28  # move ordering score of a killer: moves with a hint score more, all others less
SURE = WIN - MAX_PLY - 1  # greatest value of a win of unknown distance
GUESS = SURE - MAX_PLY - 1  # greatest value of an evaluation

HUGE = 1e300  # greater than all payoffs times `unit`

ENDLESS = 4096  # move limit of a playout, which then counts as a draw; no built-in game has half as many

NEVER = -1_000_000  # as a depth: not reached

# Bounds: the value is exact, a lower bound, an upper bound.
EXACT, LOWER, UPPER = 1, 2, 3

# `Kernel.result`: in progress; lost, drawn or won for the mover; the payoffs decide.
ONGOING, LOST, DRAWN, WON, SCORED = 0, 1, 2, 3, 4

USER_DEFINED = -1  # `Kernel.evaluation_index` of a user-defined evaluation


def terminal(position: "AbstractPosition", player: int | None = None) -> int:
    """The value of a finished position for a player (None: the player to move).

    WIN, 0 or -WIN; in a game that is `scored`, not zero-sum or not for two players, the payoff times `unit`.
    """
    player = position.turn if player is None else player
    payoffs = position.outcome()
    assert payoffs is not None
    payoff = payoffs[player]
    if position.scored or position.players != 2 or not position.zero_sum:
        return int(payoff * position.unit)
    return WIN if payoff > 0 else -WIN if payoff < 0 else 0


def is_win(value: float) -> bool:
    """True if `value` is a forced win of either side."""
    return abs(value) > GUESS


def is_counted(value: float) -> bool:
    """True if `value` is a forced win of either side in a known number of plies."""
    return abs(value) > SURE


def pov(value: float, mover: int, player: int) -> float:
    """Convert a value from `mover`'s view to `player`'s, in a zero-sum game for two."""
    return value if mover == player else -value


def half(unit: int = 1) -> int:
    """The evaluation that counts as half a win in a game without points: 30, or two units."""
    return 30 if unit == 1 else 2 * unit


def share(value: float, unit: int = 1) -> float:
    """Map an evaluation to the open interval (-1, 1), monotonically: v / (|v| + half)."""
    return value / (abs(value) + half(unit))


def expected(value: float, position: "AbstractPosition", bound: str = "exact", exact: bool = False) -> float:
    """The expected score of a value in a game of two players: 1 a win, 0.5 a draw, 0 a loss.

    Expectations are rescaled, proven values give their result. Other values go through a logistic curve with
    0.75 at three units (pawns, discs), or at 45 in a game without a unit. In chess it is
    1 / (1 + exp(-0.00366 * centipawns)); games between humans gave 0.00368 (lichess.org/page/accuracy).
    """
    if is_win(value):
        return 1.0 if value > 0 else 0.0
    unit: int = position.unit
    if not position.scored and (bound == "expectation" or position.calibrated):
        return min(1.0, max(0.0, 0.5 + value / unit / 2))
    if exact and bound != "expectation":
        return 0.5 + 0.5 * ((value > 0) - (value < 0))
    return 1 / (1 + math.exp(min(700.0, -math.log(3) * value / (1.5 * half(unit)))))


def plies(value: float) -> int:
    """The distance in plies of a forced win or loss with a known distance."""
    return WIN - int(abs(value))


def later(value: int, plies: int = 1) -> int:
    """The value of a position seen from `plies` plies before it, from the same view."""
    return value - plies if value > GUESS else value + plies if value < -GUESS else value


def amount(value: float, unit: int = 1, exact: bool = False) -> str:
    """A value that is not a win, in units: `+14`, `0`; evaluations and expectations with two decimals."""
    places = 3 if unit >= 1000 else 2
    if isinstance(value, float):
        return f"{value / unit:+.{places}f}" if abs(value / unit) >= 0.5 / 10**places else f"{0:.{places}f}"
    if exact and not value % unit:
        value, unit = value // unit, 1
    if unit > 1:
        return f"{value / unit:+.{places}f}" if value else f"{0:.{places}f}"
    return f"{value:+d}" if value else "0"


def paid(payoff: float) -> str:
    """A payoff as text, with at most two decimals."""
    return f"{round(payoff, 2) + 0:.2f}".rstrip("0").removesuffix(".")


def describe(value: float, exact: bool = False, unit: int = 1) -> str:
    """A value in words: `win in 3`, `loss in 2`, `win`, `draw`, `+14`, `-0.35`.

    `exact`: the search saw every line to its end. `unit`: see `Position.unit`. An expectation is never a
    draw.
    """
    if is_win(value):
        return ("win" if value > 0 else "loss") + (f" in {plies(value)}" if is_counted(value) else "")
    if exact and value == 0 and isinstance(value, int):
        return "draw"
    return amount(value, unit, exact)


# -- values for display: in the game's unit, from the view of one named side --------------------------

SIGNS = {"lower": ">= ", "upper": "<= "}  # prefixes of bounds
TURNED = {"lower": "upper", "upper": "lower"}  # bounds after negation


def viewer(specs: Sequence[str]) -> int:
    """The seat whose point of view is displayed: that of the only human player, else the first.

    `specs`: the `Player.spec` of each seat.
    """
    people = [seat for seat, spec in enumerate(specs) if spec == "human"]
    return people[0] if len(people) == 1 else 0


def figure(
    value: float, position: "AbstractPosition", exact: bool = False, bound: str = "exact", most: float = 0.0
) -> str:
    """A value as a figure without its unit: `+0.35`, `>= +0.35`, `win in 3`, `draw`, `68 %`.

    `exact`: the search saw every line to its end. `bound`: as of `search.report.Candidate`. An expectation in
    a game of two without points is shown as the expected score, 100 % a sure win and 50 % as good as a draw,
    with a decimal where guesses are calibrated; one beyond a win's payoff has the game's unit, and so have
    those beside it, of which `most` is the greatest.
    """
    if bound == "unknown":
        return "?"
    if is_share(position, bound, max(abs(value), most)):
        return f"{50 + 50 * value / position.unit:.{int(position.calibrated)}f} %"
    if bound in SIGNS and not is_win(value):
        exact = False
    return SIGNS.get(bound, "") + describe(value, exact, position.unit)


def to_goal(value: float, position: "AbstractPosition", bound: str = "exact") -> str:
    """The value of a puzzle, minus the cost of the remaining path: `52 moves to the goal`."""
    if bound == "unknown":
        return "not known yet"
    if is_win(value):
        return "no path leads to the goal"
    cost = round(-value)
    least = "at least " if bound == "upper" else "at most " if bound == "lower" else ""
    return f"{least}{cost:,} {position.unit_names[cost != 1]} to the goal"


def is_share(position: "AbstractPosition", bound: str, value: float) -> bool:
    """True if a value is an expectation of zero-sum payoffs from -1 to 1 of two players."""
    shares = not position.scored and position.zero_sum and position.players == 2
    return bool(bound == "expectation" and shares and abs(value) <= position.unit)


def measure(position: "AbstractPosition", bound: str = "exact", value: float = 0.0) -> str:
    """The unit of displayed values up to `value`: `pawns`, `points`, `expected score`, `win rate`.

    An expected score counts a draw as half a win; where no game is drawn, it is the win rate.
    """
    if is_share(position, bound, value):
        return "win rate" if position.drawless else "expected score"
    return str(position.unit_names[1])


def worth(
    value: float,
    position: "AbstractPosition",
    sides: Sequence[str],
    mover: int,
    view: int,
    exact: bool = False,
    bound: str = "exact",
) -> str:
    """A value of a game of two in full: `white +0.35 pawns`, `white >= +1.20 pawns`, `blue wins in 7 plies`.

    The value is from `mover`'s view and shown from `view`'s. `sides` are the names of the two; the rest is as
    for `figure`. A forced win names the winner, whatever the view.
    """
    if bound == "unknown":
        return "not known yet"
    if is_win(value):
        winner = sides[mover if value > 0 else 1 - mover]
        if not is_counted(value):
            return f"{winner} wins"
        count = plural(plies(value), "ply", "plies")
        if bound in SIGNS:
            firm = (bound == "lower") == (value > 0)
            return f"{winner} wins within {count}" if firm else f"{winner} wins in {count} at best"
        return f"{winner} wins in {count}"
    if value == 0 and bound == "exact":
        return "draw" if exact else "level"
    if mover != view:
        value, bound = -value, TURNED.get(bound, bound)
    text = figure(value, position, exact, bound)
    named = position.unit_names[0] if text.endswith(("+1", "-1")) else measure(position, bound, value)
    return f"{sides[view]} {text} {named}"


def value_of(
    evaluation: "AbstractEvaluation", position: "AbstractPosition", player: int | None = None
) -> int:
    """The value of a user-defined evaluation at a position, for a player (None: the mover).

    Raises Fault if it fails.
    """
    try:
        if player is None:
            value = evaluation.evaluate(position)
        else:
            value = evaluation.evaluate_for(position, player=player)
    except GameplayError:
        raise
    except Exception as error:
        raise Fault(f"evaluation {evaluation.name} raised {raised(error)}") from error
    if not hasattr(value, "__index__"):
        raise Fault(f"evaluation {evaluation.name} gave {value!r}: a value is a whole number")
    return max(-GUESS, min(GUESS, index(value)))
