"""The scale of values: ints from the mover's view, wins scored by their distance from the root.

    WIN - n      the mover wins in n plies        n - WIN     the mover loses in n plies
    TB_WIN - n   the mover wins, in an            n - TB_WIN  the mover loses, in an
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
from collections.abc import Callable, Sequence
from operator import index
from typing import TYPE_CHECKING

from gameplay.errors import Fault, GameplayError, describe_exception
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.position import AbstractEvaluation, AbstractPosition

INF = 2_000_000  # greater than all values
WIN = 1_000_000  # a win in 0 plies
MAX_PLY = 255  # maximum search depth
KILLER = 1 << 28  # move ordering score of a killer: moves with a hint score more, all others less
TB_WIN = WIN - MAX_PLY - 1  # greatest value of a win of unknown distance
MAX_EVAL = TB_WIN - MAX_PLY - 1  # greatest value of an evaluation

HUGE = 1e300  # greater than all payoffs times `unit`

ENDLESS = 4096  # move limit of a playout, which then counts as a draw; no built-in game has half as many

NEVER = -1_000_000  # as a depth: not reached

# Bounds: the value is exact, a lower bound, an upper bound.
EXACT, LOWER, UPPER = 1, 2, 3

# `Kernel.result`: in progress; lost, drawn or won for the mover; the payoffs decide.
ONGOING, LOST, DRAWN, WON, SCORED = 0, 1, 2, 3, 4

USER_DEFINED = -1  # `Kernel.evaluation_index` of a user-defined evaluation


def terminal_value(position: "AbstractPosition", player: int | None = None) -> int:
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
    return MAX_EVAL < abs(value) <= WIN  # beyond are points


def max_value(position: "AbstractPosition") -> int:
    """The greatest value of a position on the scale, of either sign."""
    return 10**15 if position.scored else WIN  # points are exact in a float up to there


def is_counted(value: float) -> bool:
    """True if `value` is a forced win of either side in a known number of plies."""
    return TB_WIN < abs(value) <= WIN


def pov(value: float, mover: int, player: int) -> float:
    """Convert a value from `mover`'s view to `player`'s, in a zero-sum game for two."""
    return value if mover == player else -value


def half_win(unit: int = 1) -> int:
    """The evaluation that counts as half a win in a game without points: 30, or two units."""
    return 30 if unit == 1 else 2 * unit


def squash(value: float, unit: int = 1) -> float:
    """Map an evaluation to the open interval (-1, 1), monotonically: v / (|v| + half)."""
    return value / (abs(value) + half_win(unit))


def expected_score(
    value: float, position: "AbstractPosition", bound: str = "exact", exact: bool = False
) -> float:
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
    return 1 / (1 + math.exp(min(700.0, -math.log(3) * value / (1.5 * half_win(unit)))))


def plies(value: float) -> int:
    """The distance in plies of a forced win or loss with a known distance."""
    return WIN - int(abs(value))


def delay(value: int, plies: int = 1) -> int:
    """The value seen from `plies` plies earlier, from the same view: wins and losses are further away."""
    return value - plies if value > MAX_EVAL else value + plies if value < -MAX_EVAL else value


def format_amount(value: float, unit: int = 1, exact: bool = False) -> str:
    """Format a value that is not a win in units: `+14`, `0`; evaluations and expectations with decimals."""
    places = 3 if unit >= 1000 else 2
    if isinstance(value, float):
        return f"{value / unit:+.{places}f}" if abs(value / unit) >= 0.5 / 10**places else f"{0:.{places}f}"
    if exact and not value % unit:
        value, unit = value // unit, 1
    if unit > 1:
        return f"{value / unit:+.{places}f}" if value else f"{0:.{places}f}"
    return f"{value:+d}" if value else "0"


def format_payoff(payoff: float) -> str:
    """Format a payoff with at most two decimals."""
    return f"{round(payoff, 2) + 0:.2f}".rstrip("0").removesuffix(".")


def format_value(value: float, exact: bool = False, unit: int = 1) -> str:
    """Format a value: `win in 3`, `loss in 2`, `win`, `draw`, `+14`, `-0.35`.

    `exact`: the value is proven, so that 0 is a draw. `unit`: see `Position.unit`. An expectation is never a
    draw.
    """
    if is_win(value):
        return ("win" if value > 0 else "loss") + (f" in {plies(value)}" if is_counted(value) else "")
    if exact and value == 0 and isinstance(value, int):
        return "draw"
    return format_amount(value, unit, exact)


# -- values for display: in the game's unit, from the view of one named side --------------------------

SIGNS = {"lower": ">= ", "upper": "<= "}  # prefixes of bounds
NEGATED = {"lower": "upper", "upper": "lower"}  # bounds after negation


def viewing_seat(specs: Sequence[str]) -> int:
    """The seat whose point of view is displayed: that of the only human player, else the first.

    `specs`: the `Player.spec` of each seat.
    """
    people = [seat for seat, spec in enumerate(specs) if spec == "human"]
    return people[0] if len(people) == 1 else 0


def format_score(
    value: float,
    position: "AbstractPosition",
    exact: bool = False,
    bound: str = "exact",
    largest: float = 0.0,
) -> str:
    """Format a value without its unit: `+0.35`, `>= +0.35`, `win in 3`, `draw`, `68 %`.

    `exact`: the value is proven. `bound`: see `search.report.Candidate`. In a two-player game without points
    an expectation is formatted as the expected score: 100 % is a win, 50 % a draw; calibrated evaluations get
    one decimal. If one of the values shown together exceeds a win's payoff, all are in the game's unit;
    `largest` is the greatest absolute value of the others.
    """
    if bound == "unknown":
        return "?"
    if is_share(position, bound, max(abs(value), largest)):
        return f"{50 + 50 * value / position.unit:.{int(position.calibrated)}f} %"
    if bound in SIGNS and not is_win(value):
        exact = False
    return SIGNS.get(bound, "") + format_value(value, exact, position.unit)


def format_goal_distance(value: float, position: "AbstractPosition", bound: str = "exact") -> str:
    """Format the value of a puzzle, minus the cost of the remaining path: `52 moves to the goal`."""
    if bound == "unknown":
        return "not known yet"
    if is_win(value):
        return "no path leads to the goal"
    cost = round(-value)
    prefix = "at least " if bound == "upper" else "at most " if bound == "lower" else ""
    return f"{prefix}{cost:,} {position.unit_names[cost != 1]} to the goal"


def is_share(position: "AbstractPosition", bound: str, value: float) -> bool:
    """True if a value is displayed as an expected score: an expectation from -1 to 1, zero-sum, for two."""
    shares = not position.scored and position.zero_sum and position.players == 2
    most = position.unit * (1 + 1e-9)  # mean values are rounded
    return bool(bound == "expectation" and shares and abs(value) <= most)


def unit_name(position: "AbstractPosition", bound: str = "exact", value: float = 0.0) -> str:
    """The name of the unit in which `value` is displayed: `pawns`, `points`, `expected score`, `win rate`.

    An expected score counts a draw as half a win; in a game without draws it is the win rate.
    """
    if is_share(position, bound, value):
        return "win rate" if position.drawless else "expected score"
    return str(position.unit_names[1])


def format_for_side(
    value: float,
    position: "AbstractPosition",
    sides: Sequence[str],
    mover: int,
    view: int,
    exact: bool = False,
    bound: str = "exact",
) -> str:
    """Format a value of a two-player game with its side: `white +0.35 pawns`, `blue wins in 7 plies`.

    The value is from `mover`'s view and displayed from `view`'s. `sides`: the names of the two; the rest as
    for `format_score`. A forced win names the winner, whatever the view.
    """
    if bound == "unknown":
        return "not known yet"
    if is_win(value):
        winner = sides[mover if value > 0 else 1 - mover]
        if not is_counted(value):
            return f"{winner} wins"
        count = plural(plies(value), "ply", "plies")
        if bound in SIGNS:
            proven = (bound == "lower") == (value > 0)
            return f"{winner} wins within {count}" if proven else f"{winner} wins in {count} at best"
        return f"{winner} wins in {count}"
    if value == 0 and bound == "exact":
        return "draw" if exact else "level"
    if mover != view:
        value, bound = -value, NEGATED.get(bound, bound)
    text = format_score(value, position, exact, bound)
    unit = position.unit_names[0] if text.endswith(("+1", "-1")) else unit_name(position, bound, value)
    return f"{sides[view]} {text} {unit}"


def zero() -> int:
    """The evaluation of every position of a game without evaluations."""
    return 0


def leaf_evaluator(
    position: "AbstractPosition", evaluate: Callable[[], int]
) -> Callable[[int], tuple[int, bool] | None]:
    """A function that evaluates the position after a move by `evaluate()`, and whether the mover moves again.

    It returns None at the end of the game. Called from compiled code, it is faster than the methods one by
    one: a call from Python to Python does not enter the interpreter anew.
    """
    from gameplay.capabilities import unchecked

    make, unmake, outcome = unchecked(position), position.unmake, position.outcome

    def evaluate_leaf(move: int) -> tuple[int, bool] | None:
        mover = position.turn
        make(move)
        try:
            return (evaluate(), position.turn == mover) if outcome() is None else None
        finally:
            unmake()

    return evaluate_leaf


def value_of(
    evaluation: "AbstractEvaluation", position: "AbstractPosition", player: int | None = None
) -> int:
    """Call a user-defined evaluation at a position, for a player (None: the mover).

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
        raise Fault(f"evaluation {evaluation.name} raised {describe_exception(error)}") from error
    if not hasattr(value, "__index__"):
        raise Fault(f"evaluation {evaluation.name} returned {value!r}: expected a whole number")
    return max(-MAX_EVAL, min(MAX_EVAL, index(value)))
