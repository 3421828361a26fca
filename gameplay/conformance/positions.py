"""The laws of a position: turn, moves, chances, outcome, keys, and equal keys with equal futures."""

import math
from numbers import Real
from typing import Any

from gameplay.conformance.checked_game import CheckedGame, LawBroken, is_stable, is_whole, same, short
from gameplay.conformance.evaluation import check_evaluations, check_limits
from gameplay.conformance.puzzles import check_estimate
from gameplay.position import CHANCE, AbstractPosition
from gameplay.value import GUESS


class PositionLaws:
    """Tests single positions, and compares positions with equal keys or infosets."""

    def __init__(self, subject: CheckedGame) -> None:
        self.subject = subject
        self.futures: dict[Any, tuple[dict[str, Any], str]] = {}  # key -> what was seen there, and when
        self.choices: dict[Any, tuple[dict[str, Any], str]] = {}  # (player, infoset) -> moves, and when
        self.movers: dict[str, int] = {}  # diagram -> whose turn it was there
        self.again = self.alike = 0  # keys and infosets of movers met on several paths

    def check(self, position: AbstractPosition, look: dict[str, Any]) -> None:
        """Fails if a position alone breaks a law. `look`: all that it answered, by name."""
        turn, outcome, players = look["turn"], look["outcome()"], position.players
        chance = turn == CHANCE and position.chance and outcome is None
        if not chance and not (is_whole(turn) and 0 <= turn < players):
            raise LawBroken("turn", f"turn is {turn!r}")
        if position.phases and (phase := position.phase()) not in range(len(position.phases)):
            raise LawBroken(
                "facts", f"phase() is {short(phase)}, and there are {len(position.phases)} phases"
            )
        if outcome is not None:
            if not isinstance(outcome, (tuple, list)) or len(outcome) != players:
                raise LawBroken("outcome", f"outcome() is {short(outcome)} for {players} players")
            if not all(isinstance(x, (int, float)) and math.isfinite(x) for x in outcome):
                raise LawBroken("outcome", f"outcome() is {short(outcome)}")
            if position.drawless and min(outcome) == max(outcome):
                raise LawBroken("outcome", f"outcome() is {short(outcome)}, and drawless is True")
            if position.zero_sum and abs(sum(outcome)) > 1e-9:
                raise LawBroken("outcome", f"outcome() is {short(outcome)}, which sums to {sum(outcome):g}")
            check_limits(position, "outcome()", outcome)
        else:
            _check_moves(look)
            check_evaluations(position, look)
        diagram = look["diagram()"]
        if not isinstance(diagram, str) or "\n" in diagram:
            raise LawBroken("diagram", f"diagram() is {short(diagram)}")
        own = outcome is None and diagram != repr(look["key()"])
        if own and (before := self.movers.setdefault(diagram, turn)) != turn:
            raise LawBroken("diagram", f"turn is {turn}, and was {before} where diagram() was the same")
        if not is_stable(look["key()"]):
            raise LawBroken("key", f"key() is {short(look['key()'])}")
        if "estimate()" in look:
            check_estimate(look)
        for player in range(players):
            try:
                hash(look[f"infoset({player})"])
            except TypeError as error:
                raise LawBroken("key", f"infoset({player}) cannot be hashed: {error}") from None

    def compare(self, look: dict[str, Any]) -> None:
        """Equal keys mean equal futures; equal infosets mean equal moves for the mover."""
        key, when = look["key()"], self.subject.when()
        single = ("turn", "outcome()", "evaluate()", "forced()", "diagram()")
        future: dict[str, Any] = {k: look[k] for k in single if k in look}
        future |= {k: sorted(look[k]) for k in ("moves()", "noisy()") if k in look}
        before, earlier = self.futures.setdefault(key, (future, when))
        self.again += earlier != when
        same("futures", before, future, f"at an equal key (first met {earlier})")
        if "moves()" in look and look["turn"] != CHANCE:
            knows = (look["turn"], look[f"infoset({look['turn']})"])
            choice = {"moves()": sorted(look["moves()"])}
            before, earlier = self.choices.setdefault(knows, (choice, when))
            self.alike += earlier != when
            same("infoset", before, choice, f"at an equal infoset (first met {earlier})")


def _check_moves(look: dict[str, Any]) -> None:
    moves = look["moves()"]
    if not moves:
        raise LawBroken("moves", "moves() is empty although outcome() is None")
    for move in moves:
        if not is_whole(move) or not 0 <= move < 2**31:
            raise LawBroken("moves", f"moves() holds {move!r}")
    if len(set(moves)) < len(moves):
        twice = next(move for move in moves if moves.count(move) > 1)
        raise LawBroken("moves", f"moves() holds {twice} more than once: {short(moves)}")
    if "chances()" in look:
        odds = look["chances()"]
        if len(odds) != len(moves):
            raise LawBroken("chances", f"chances() has {len(odds)} entries for {len(moves)} moves")
        for x in odds:
            if not isinstance(x, Real):
                raise LawBroken("chances", f"chances() holds {short(x)}, which is not a number")
        if not all(x >= 0 for x in odds) or abs(sum(odds) - 1) > 1e-9:
            raise LawBroken("chances", f"chances() is {short(odds)}, which sums to {sum(odds):g}")
        return
    if not set(look["noisy()"]) <= set(moves) or len(set(look["noisy()"])) < len(look["noisy()"]):
        raise LawBroken("noisy", f"noisy() is {short(look['noisy()'])}, moves() is {short(moves)}")
    for name in (name for name in look if name.startswith("policy_moves()")):
        if not look[name] or not set(look[name]) <= set(moves) or len(set(look[name])) < len(look[name]):
            raise LawBroken("policies", f"{name} is {short(look[name])}, moves() is {short(moves)}")
    if not is_whole(look["evaluate()"]) or abs(look["evaluate()"]) > GUESS:
        raise LawBroken("evaluate", f"evaluate() is {look['evaluate()']!r}")
