"""Games in extensive form that tests share."""

from gameplay import registry
from gameplay.engines.cfr.extensive import ExtensiveForm

FORMS: dict[str, ExtensiveForm] = {}


def form(name: str) -> ExtensiveForm:
    """The game tree, built once."""
    if name not in FORMS:
        FORMS[name] = ExtensiveForm(registry.game(name).new())
    return FORMS[name]
