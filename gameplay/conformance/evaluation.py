"""The laws of values: evaluations are whole numbers in range, payoffs within the declared limits."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gameplay.conformance.checked_game import LawBroken, is_integer
from gameplay.value import MAX_EVAL

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


def check_evaluations(position: "AbstractPosition", facts: dict[str, Any]) -> None:
    """Raise LawBroken if an evaluation is not an integer in range, or exceeds the payoff limits.

    In zero-sum games for two players both evaluations must agree instead.
    """
    guesses = [facts[f"evaluate_for({player})"] for player in range(position.players)]
    for player, guess in enumerate(guesses):
        if not is_integer(guess) or abs(guess) > MAX_EVAL:
            raise LawBroken("evaluate", f"evaluate_for({player}) is {guess!r}")
    if position.players != 2 or not position.zero_sum:
        check_limits(position, "evaluate_for()", [guess / position.unit for guess in guesses])
    elif "evaluate()" in facts and guesses[facts["turn"]] != facts["evaluate()"]:
        comparison = f"{guesses[facts['turn']]}, and evaluate() is {facts['evaluate()']}"
        raise LawBroken("evaluate", f"evaluate_for({facts['turn']}), who moves, is {comparison}")
    elif sum(guesses):
        raise LawBroken("evaluate", f"evaluate_for() is {guesses[0]} and {guesses[1]}, where gains cancel")


def check_limits(position: "AbstractPosition", name: str, shares: Sequence[float]) -> None:
    """Raise LawBroken if payoffs, or evaluations as payoffs, exceed the limits that the class declares."""
    low, high, total = position.low, position.high, position.total
    if total is None and position.zero_sum and position.players > 1:
        total = 0
    share_text = ", ".join(f"{share:g}" for share in shares)
    if low is not None and min(shares) < low - 1e-9:
        raise LawBroken("bounds", f"{name} is {share_text}, and low is {low:g}")
    if high is not None and max(shares) > high + 1e-9:
        raise LawBroken("bounds", f"{name} is {share_text}, and high is {high:g}")
    if total is not None and sum(shares) > total + 1e-9:
        raise LawBroken("bounds", f"{name} is {share_text}, together {sum(shares):g}, and total is {total:g}")
