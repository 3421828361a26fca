"""The kind and length of a match in one word, as `--match` takes it and records keep it: `games:5`."""

import re

from gameplay.errors import Usage
from gameplay.position import AbstractPosition
from gameplay.scoring.rules import MatchRules, kinds


def form(text: str, game: type[AbstractPosition]) -> str:
    """The kind and length that `text` means: "" the default one, `5`, `games`, `games:5`. Raises Usage."""
    offered = {kind.name: kind for kind in kinds(game)}
    default = next(iter(offered))
    name, _, number = text.rpartition(":") if ":" in text or text.isdecimal() else (text, "", "")
    kind = offered.get(name or default)
    if kind is None:
        raise Usage(
            f"--match is '{text}'; expected {expected(game)}. Try: --match {default}:{offered[default].usual}"
        )
    if not re.fullmatch(r"\d*", number, re.ASCII) or (":" in text and not number):
        raise Usage(
            f"--match is '{text}'; after the colon stands a number. Try: --match {kind.name}:{kind.usual}"
        )
    length = int(number[:10] or kind.usual)  # more digits are out of range, too
    if not kind.least <= length <= kind.most:
        raise Usage(
            f"--match is '{text}'; a match of {kind.name} has a length of {kind.least} to {kind.most}. "
            f"Try: --match {kind.name}:{kind.usual}"
        )
    return f"{kind.name}:{length}"


def expected(game: type[AbstractPosition]) -> str:
    """What --match takes for a game, in words."""
    names = [kind.name for kind in kinds(game)]
    return f"a number, or {' or '.join(names)} with a number after a colon"


def kind_of(form: str, game: type[AbstractPosition]) -> type[MatchRules]:
    """The kind of match of a form as `form` returns it. Raises Usage if the game has no such match."""
    name, _, number = form.partition(":")
    kind = next((one for one in kinds(game) if one.name == name), None)
    if kind is None or not number.isdecimal() or not kind.least <= int(number) <= kind.most:
        raise Usage(f"there is no match of the form '{form}' in this game; expected {expected(game)}")
    return kind


def rules(form: str, start: AbstractPosition) -> MatchRules:
    """The rules of a form as `form` returns it, for games that begin like `start`. Raises Usage."""
    return kind_of(form, type(start))(start, int(form.partition(":")[2]))
