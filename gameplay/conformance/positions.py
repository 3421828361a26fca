"""The laws of a position: turn, moves, chances, outcome, keys, and equal keys with equal futures."""

import math
from numbers import Real
from typing import Any

from gameplay.conformance.checked_game import (
    CheckedGame,
    LawBroken,
    brief,
    check_equal,
    is_integer,
    is_stable,
)
from gameplay.conformance.evaluation import check_evaluations, check_limits
from gameplay.conformance.puzzles import check_estimate
from gameplay.position import CHANCE, AbstractPosition
from gameplay.value import MAX_EVAL


class PositionLaws:
    """Tests single positions, and compares positions with equal keys or infosets."""

    def __init__(self, subject: CheckedGame) -> None:
        self.subject = subject
        self.futures: dict[Any, tuple[dict[str, Any], str]] = {}  # key -> its facts, and when
        self.choices: dict[Any, tuple[dict[str, Any], str]] = {}  # (player, infoset) -> moves, and when
        self.movers: dict[str, int] = {}  # diagram -> whose turn it was there
        self.equal_keys = self.equal_infosets = 0  # keys and infosets of movers met on several paths

    def check(self, position: AbstractPosition, facts: dict[str, Any]) -> None:
        """Raise LawBroken if a position alone breaks a law. `facts`: the results of its methods, by name."""
        turn, outcome, players = facts["turn"], facts["outcome()"], position.players
        chance = turn == CHANCE and position.chance and outcome is None
        if not chance and not (is_integer(turn) and 0 <= turn < players):
            raise LawBroken("turn", f"turn is {turn!r}")
        if position.phases and (phase := position.phase()) not in range(len(position.phases)):
            raise LawBroken(
                "facts", f"phase() is {brief(phase)}, and there are {len(position.phases)} phases"
            )
        if outcome is not None:
            if not isinstance(outcome, (tuple, list)) or len(outcome) != players:
                raise LawBroken("outcome", f"outcome() is {brief(outcome)} for {players} players")
            if not all(isinstance(x, (int, float)) and math.isfinite(x) for x in outcome):
                raise LawBroken("outcome", f"outcome() is {brief(outcome)}")
            if position.drawless and min(outcome) == max(outcome):
                raise LawBroken("outcome", f"outcome() is {brief(outcome)}, and drawless is True")
            if position.zero_sum and abs(sum(outcome)) > 1e-9:
                raise LawBroken("outcome", f"outcome() is {brief(outcome)}, which sums to {sum(outcome):g}")
            check_limits(position, "outcome()", outcome)
        else:
            _check_moves(facts)
            check_evaluations(position, facts)
        diagram = facts["diagram()"]
        if not isinstance(diagram, str) or "\n" in diagram:
            raise LawBroken("diagram", f"diagram() is {brief(diagram)}")
        has_own_diagram = outcome is None and diagram != repr(facts["key()"])
        if has_own_diagram and (previous := self.movers.setdefault(diagram, turn)) != turn:
            raise LawBroken("diagram", f"turn is {turn}, and was {previous} where diagram() was the same")
        if not is_stable(facts["key()"]):
            raise LawBroken("key", f"key() is {brief(facts['key()'])}")
        if "estimate()" in facts:
            check_estimate(facts)
        for player in range(players):
            try:
                hash(facts[f"infoset({player})"])
            except TypeError as error:
                raise LawBroken("key", f"infoset({player}) cannot be hashed: {error}") from None

    def compare(self, facts: dict[str, Any]) -> None:
        """Raise LawBroken if equal keys differ in futures, or equal infosets of the mover in moves."""
        key, when = facts["key()"], self.subject.when()
        single = ("turn", "outcome()", "evaluate()", "forced()", "diagram()")
        future: dict[str, Any] = {k: facts[k] for k in single if k in facts}
        future |= {k: sorted(facts[k]) for k in ("moves()", "noisy()") if k in facts}
        previous, earlier = self.futures.setdefault(key, (future, when))
        self.equal_keys += earlier != when
        check_equal("futures", previous, future, f"at an equal key (first met {earlier})")
        if "moves()" in facts and facts["turn"] != CHANCE:
            knowledge = (facts["turn"], facts[f"infoset({facts['turn']})"])
            choice = {"moves()": sorted(facts["moves()"])}
            previous, earlier = self.choices.setdefault(knowledge, (choice, when))
            self.equal_infosets += earlier != when
            check_equal("infoset", previous, choice, f"at an equal infoset (first met {earlier})")


def _check_moves(facts: dict[str, Any]) -> None:
    moves = facts["moves()"]
    if not moves:
        raise LawBroken("moves", "moves() is empty although outcome() is None")
    for move in moves:
        if not is_integer(move) or not 0 <= move < 2**31:
            raise LawBroken("moves", f"moves() holds {move!r}")
    if len(set(moves)) < len(moves):
        duplicate = next(move for move in moves if moves.count(move) > 1)
        raise LawBroken("moves", f"moves() holds {duplicate} more than once: {brief(moves)}")
    if "chances()" in facts:
        probabilities = facts["chances()"]
        if len(probabilities) != len(moves):
            raise LawBroken("chances", f"chances() has {len(probabilities)} entries for {len(moves)} moves")
        for x in probabilities:
            if not isinstance(x, Real):
                raise LawBroken("chances", f"chances() holds {brief(x)}, which is not a number")
        if not all(x >= 0 for x in probabilities) or abs(sum(probabilities) - 1) > 1e-9:
            raise LawBroken(
                "chances", f"chances() is {brief(probabilities)}, which sums to {sum(probabilities):g}"
            )
        return
    if not set(facts["noisy()"]) <= set(moves) or len(set(facts["noisy()"])) < len(facts["noisy()"]):
        raise LawBroken("noisy", f"noisy() is {brief(facts['noisy()'])}, moves() is {brief(moves)}")
    for name in (name for name in facts if name.startswith("policy_moves()")):
        if not facts[name] or not set(facts[name]) <= set(moves) or len(set(facts[name])) < len(facts[name]):
            raise LawBroken("policies", f"{name} is {brief(facts[name])}, moves() is {brief(moves)}")
    if not is_integer(facts["evaluate()"]) or abs(facts["evaluate()"]) > MAX_EVAL:
        raise LawBroken("evaluate", f"evaluate() is {facts['evaluate()']!r}")
