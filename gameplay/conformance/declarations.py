"""The laws of what a class declares: players, sides, chance, imperfect information, limits, parameters."""

import functools
import inspect

from gameplay.conformance.checked_game import CheckedGame, LawBroken, brief, is_integer
from gameplay.notation import missing_declarations
from gameplay.position import AbstractPosition, Position, parameters


def check_declarations(subject: CheckedGame, position: AbstractPosition) -> None:
    """Raise LawBroken if the attributes of a class disagree, or a parameter cannot be given as text."""
    players = position.players
    if not isinstance(players, int) or players < 1:
        raise LawBroken("facts", f"players is {players!r}")
    if len(position.sides) not in (0, players):
        raise LawBroken("facts", f"there are {players} players and {len(position.sides)} sides")
    for name, minimum in (("unit", 1), ("quiet_margin", 0), ("stake", 0)):
        number = getattr(position, name)
        if not is_integer(number) or number < minimum:
            raise LawBroken("facts", f"{name} is {brief(number)}, and not a whole number from {minimum} up")
    low, high, total = (getattr(position, name) for name in ("low", "high", "total"))
    for name, bound in (("low", low), ("high", high), ("total", total)):
        if bound is not None and not isinstance(bound, (int, float)):
            raise LawBroken("facts", f"{name} is {brief(bound)}, neither a number nor None")
    if low is not None and high is not None and low > high:
        raise LawBroken("facts", f"low is {low:g} and high is {high:g}")
    if position.hidden and type(position).infoset is Position.infoset:
        raise LawBroken("facts", "hidden is True, but infoset(player) is the default: everything")
    if position.hidden and type(position).determinize is Position.determinize:
        raise LawBroken("facts", "hidden is True, but there is no determinize(player, rng)")
    if position.hidden and "viewer" not in inspect.signature(position.board).parameters:
        message = "board() is for no viewer: write def board(self, viewer=None, last=None)"
        raise LawBroken("views", message)
    for name, player in position.aliases.items():
        if player not in range(players):
            raise LawBroken("facts", f"the alias {name} is for player {player!r}")
    if missing_methods := missing_declarations(position):
        raise LawBroken("facts", f"notations is {position.notations!r}, but there is no {missing_methods[0]}")
    for name, parameter in parameters(subject.game.cls).items():
        default = parameter.default
        if default is inspect.Parameter.empty or name in subject.game.parameters:
            continue
        if default is not None and not isinstance(default, (int, float, str)):
            raise LawBroken("parameters", f"{name} is {brief(default)} by default")
        subject.call("the constructor", functools.partial(subject.game.cls, **{name: default}))
