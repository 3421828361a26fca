"""Errors for parameters, positions and moves: one line each that names what is wrong."""

import tomllib
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import GameplayError
from tests.support.paths import TESTS

REFUSED = tomllib.loads((TESTS / "answers" / "refused_positions.toml").read_text())


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in REFUSED for name in REFUSED[kind]])
def test_refusal_names_what_is_wrong(kind: str, name: str) -> None:
    for spec, text, *move, words in REFUSED[kind][name]:
        with pytest.raises(GameplayError) as refused:
            position: Any = registry.game(spec).new(text or None)
            for word in move:
                position.parse(word)
        assert type(refused.value).__name__ == kind, (spec, text, move)
        assert words in str(refused.value) and "\n" not in str(refused.value)
