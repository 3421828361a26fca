"""Pages on games: rules, notation, parameters, evaluations, a position, as `gameplay games` prints them."""

import inspect
from collections.abc import Mapping
from typing import Any

from click.testing import CliRunner

from gameplay import registry
from gameplay.cli import load
from gameplay.options import format_option
from gameplay.position import parameters
from gameplay.scoring.rules import HasMatchRules
from reference.markdown import code, definitions, fence, page, paragraphs, prose, table, toctree


def pages() -> dict[str, str]:
    """The page of each game, and the index."""
    names = registry.game_names()
    rows = [(f"[`{name}`]({name}.md)", prose(registry.summary(name))) for name in names]
    index = page(
        "Games",
        "A game is named with its parameters: `play connect4:columns=5,rows=4`.",
        table(("Game", "In brief"), rows),
        toctree(names),
    )
    return {name: _page(name) for name in names} | {"index": index}


def _page(name: str) -> str:
    cls, _ = registry.game_class(name)
    parts = [paragraphs(inspect.cleandoc(cls.__doc__ or ""))]
    found = parameters(cls)
    if found:
        rows = [(code(key), _default(parameter)) for key, parameter in found.items()]
        parts += [
            "## Parameters",
            f"Written as `{name}:PARAMETER=VALUE`.",
            table(("Parameter", "Default"), rows),
        ]
    if any(parameter.default is parameter.empty for parameter in found.values()):
        return page(name, *parts)
    position = registry.game(name).new()
    parts += ["## For engines", _facts(position)]
    if isinstance(cls, HasMatchRules):
        lengths = [(kind, kind.default_length) for kind in cls.match_rules]
        rules = {f"{kind.name}:{length}": kind.words.format(length) for kind, length in lengths}
        parts += [
            "## Matches of several games",
            "Option `--match` of `play`, the default first.",
            _rows(rules),
        ]
    if position.evaluations:
        words = {key: evaluation.words for key, evaluation in position.evaluations.items()}
        parts += ["## Evaluations", "Engine option `eval`, the default first.", _rows(words)]
        for key, evaluation in position.evaluations.items():
            if evaluation.meanings:
                parts += [
                    f"### Terms of {key}",
                    "The mover's count less the opponent's.",
                    _rows(evaluation.meanings),
                ]
    if position.policies:
        how = "Engine option `policy`: `all`, `none`, or some joined by `+`."
        parts += ["## Policies of random playouts", how, _rows(position.policies)]
    return page(name, *parts, "## A position", *_drawing(name))


def _default(parameter: inspect.Parameter) -> str:
    return (
        "needed" if parameter.default is parameter.empty else code(format_option(parameter.default) or "none")
    )


def _facts(position: Any) -> str:
    facts = {"chance": position.chance, "imperfect information": position.hidden}
    facts |= {"not zero-sum": not position.zero_sum, "points count": position.scored}
    return ", ".join([f"{position.players} players", *(words for words, true in facts.items() if true)]) + "."


def _rows(words: Mapping[str, str]) -> str:
    return definitions((code(key), prose(text)) for key, text in words.items())


def _drawing(name: str) -> list[str]:
    """The moves, the board and the notation, with which the output of the command ends."""
    output = CliRunner().invoke(load("games"), [name], catch_exceptions=False).output
    moves, _, drawn = output.rpartition("A position, after ")[2].partition(":\n\n")
    return [f"After {code(moves)}:", fence(drawn.replace("\nas text: ", "\nAs text:\n"), "text")]
