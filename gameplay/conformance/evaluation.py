"""The laws of values: evaluations are whole numbers in range, payoffs within the declared limits."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gameplay.conformance.checked_game import LawBroken, is_whole
from gameplay.value import GUESS

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


def check_evaluations(position: "AbstractPosition", look: dict[str, Any]) -> None:
    """Fails if an evaluation is no whole number in range, or is beyond the payoff limits.

    In zero-sum games for two players both evaluations must agree instead.
    """
    guesses = [look[f"evaluate_for({player})"] for player in range(position.players)]
    for player, guess in enumerate(guesses):
        if not is_whole(guess) or abs(guess) > GUESS:
            raise LawBroken("evaluate", f"evaluate_for({player}) is {guess!r}")
    if position.players != 2 or not position.zero_sum:
        check_limits(position, "evaluate_for()", [guess / position.unit for guess in guesses])
    elif "evaluate()" in look and guesses[look["turn"]] != look["evaluate()"]:
        both = f"{guesses[look['turn']]}, and evaluate() is {look['evaluate()']}"
        raise LawBroken("evaluate", f"evaluate_for({look['turn']}), who moves, is {both}")
    elif sum(guesses):
        raise LawBroken("evaluate", f"evaluate_for() is {guesses[0]} and {guesses[1]}, where gains cancel")


def check_limits(position: "AbstractPosition", what: str, shares: Sequence[float]) -> None:
    """Fails if payoffs, or evaluations as payoffs, exceed the limits that the class declares."""
    low, high, total = position.low, position.high, position.total
    if total is None and position.zero_sum and position.players > 1:
        total = 0
    given = ", ".join(f"{share:g}" for share in shares)
    if low is not None and min(shares) < low - 1e-9:
        raise LawBroken("bounds", f"{what} is {given}, and low is {low:g}")
    if high is not None and max(shares) > high + 1e-9:
        raise LawBroken("bounds", f"{what} is {given}, and high is {high:g}")
    if total is not None and sum(shares) > total + 1e-9:
        raise LawBroken("bounds", f"{what} is {given}, together {sum(shares):g}, and total is {total:g}")
