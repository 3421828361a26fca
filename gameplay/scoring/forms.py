"""Match forms: the kind and length of a match in one word, for `--match` and records: `games:5`."""

import re

from gameplay.errors import Usage
from gameplay.position import AbstractPosition
from gameplay.scoring.rules import MatchRules, kinds


def parse_form(text: str, game: type[AbstractPosition]) -> str:
    """Parse `games:5`, `games`, `5` or "" (the default) to a form with kind and length. Raises Usage."""
    offered = {kind.name: kind for kind in kinds(game)}
    default = next(iter(offered))
    name, _, number = text.rpartition(":") if ":" in text or text.isdecimal() else (text, "", "")
    kind = offered.get(name or default)
    if kind is None:
        usual = offered[default].default_length
        raise Usage(f"--match is '{text}'; expected {describe_forms(game)}. Try: --match {default}:{usual}")
    attempt = f"Try: --match {kind.name}:{kind.default_length}"
    if not re.fullmatch(r"\d*", number, re.ASCII) or (":" in text and not number):
        raise Usage(f"--match is '{text}'; expected a number after the colon. {attempt}")
    length = int(number[:10] or kind.default_length)  # more digits are out of range, too
    if not kind.min_length <= length <= kind.max_length:
        raise Usage(
            f"--match is '{text}'; a match of {kind.name} has a length of {kind.min_length} to "
            f"{kind.max_length}. {attempt}"
        )
    return f"{kind.name}:{length}"


def describe_forms(game: type[AbstractPosition]) -> str:
    """Describe the values of --match for a game."""
    names = [kind.name for kind in kinds(game)]
    return f"a number, or {' or '.join(names)} with a number after a colon"


def kind_of(form: str, game: type[AbstractPosition]) -> type[MatchRules]:
    """The kind of match of a form. Raises Usage if the game has no such match."""
    name, _, number = form.partition(":")
    kind = next((kind for kind in kinds(game) if kind.name == name), None)
    if kind is None or not number.isdecimal() or not kind.min_length <= int(number) <= kind.max_length:
        raise Usage(f"there is no match of the form '{form}' in this game; expected {describe_forms(game)}")
    return kind


def rules_of(form: str, start: AbstractPosition) -> MatchRules:
    """The rules of a form from `parse_form`, for games from `start`. Raises Usage."""
    return kind_of(form, type(start))(start, int(form.partition(":")[2]))
