"""Every game satisfies the contract: kernels in both builds, games in plain Python once."""

import pytest

from gameplay.kernel import Kernel, compiled
from gameplay.position import parameters
from gameplay.registry import game
from tests.support.conformance import BUILT_IN, FAMILIES, TREES, check, check_laws

TWINS = ("chess:start=0", "chess:claims=off", "backgammon:match=3")  # slow, and hardly other code
DEAR = ("battleship", "holdem", "stratego", "scrabble")


@pytest.mark.parametrize("spec", [*BUILT_IN, *TREES, *FAMILIES])
def test_every_game_keeps_the_contract(spec):
    kernel = isinstance(game(spec).new(), Kernel)
    if not compiled() and (not kernel or spec in TWINS):
        pytest.skip("plain Python in both builds" if not kernel else "played without its option")
    if spec.startswith("scrabble"):  # its plays are counted in tests/games/scrabble/test_game.py
        check_laws(spec, plays=1)
    elif spec.startswith("go:") or spec.startswith(("draughts", "checkers")):
        check_laws(spec, plays=4 if compiled() else 2)
    elif not kernel and spec in BUILT_IN:
        check_laws(spec, plays=2 if spec.startswith(DEAR) else 8)
    else:
        long = "=9,height" in spec or spec.startswith(("chess", "chinese", "monopoly", "backgammon"))
        few = 1 if spec in TWINS else 2
        plays = (few if compiled() else 1) if long else (9 if compiled() else 4)
        check_laws(spec, plays, seed=7 if spec == "chess" else 0)  # a game that is over soon


@pytest.mark.parametrize("spec", ["chess:automatic=off", "go:size=3,automatic=off", "checkers:automatic=off"])
def test_endless_game_is_declared_and_checked(spec):
    assert game(spec.removesuffix("automatic=off").rstrip(":,")).new().finite
    verdict = check(game(spec), 2) if compiled() else check(game(spec), 1, plies=40)
    assert verdict.broken == [] and verdict.longest <= 200
    assert ("ends", "the game declares that its rules need not end it (finite is False)") in [
        (law.law, law.reason) for law in verdict.untested
    ]


@pytest.mark.once
@pytest.mark.parametrize("spec", BUILT_IN)
def test_built_in_games_take_their_parameters(spec):
    g = game(spec)
    assert set(g.parameters) <= set(parameters(g.cls))
