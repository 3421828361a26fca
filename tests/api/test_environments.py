"""`gameplay.env`, `gym` and `vector_env` as names of the library; tests/environments has what they return."""

import sys
from typing import Any

import pytest

import gameplay
from gameplay.api import environments
from gameplay.errors import Usage

pytestmark = pytest.mark.once

CALLS: dict[str, tuple[Any, ...]] = {"env": (), "gym": (), "vector_env": (2,)}


@pytest.mark.parametrize(
    ("name", "needed"), [("env", "pettingzoo"), ("gym", "gymnasium"), ("vector_env", "gymnasium")]
)
def test_missing_library_is_reported_with_its_extra(
    name: str, needed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, needed, None)
    message = rf"gameplay\.{name} needs {needed}: pip install 'gameplay\[environments\]'"
    with pytest.raises(Usage, match=message):
        getattr(environments, name)("tictactoe", *CALLS[name])


@pytest.mark.parametrize("name", CALLS)
def test_unknown_game_is_rejected(name: str) -> None:
    assert getattr(gameplay, name) is getattr(environments, name)
    with pytest.raises(Usage, match="unknown game 'tictactoo'; did you mean 'tictactoe'"):
        getattr(gameplay, name)("tictactoo", *CALLS[name])
