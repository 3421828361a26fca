"""Refusals of engines and players: unsuitable options and games, each with words of the error."""

import tomllib

import pytest

from gameplay import registry
from gameplay.errors import Usage
from gameplay.players import seats
from gameplay.search.limit import Limit
from tests.support.paths import TESTS

REFUSED = tomllib.loads((TESTS / "answers" / "refused_options.toml").read_text())


def refusal(spec: str, game: str) -> str:
    with pytest.raises(Usage) as refused:
        engine, limit = registry.engine(spec)
        engine.search(registry.game(game).new(), limit or Limit(depth=1))
    return str(refused.value)


def test_refused_option_is_named_with_a_valid_one() -> None:
    for spec, words in REFUSED["options"]:
        assert words in refusal(spec, "tictactoe"), spec


def test_refusal_names_the_unsuitable_property() -> None:
    for spec, game, words in REFUSED["games"]:
        assert words in refusal(spec, game), (spec, game)


def test_refused_player_is_named_with_the_reason() -> None:
    tictactoe = registry.game("tictactoe")
    for spec, words in REFUSED["players"]:
        with pytest.raises(Usage) as refused:
            seats.player(spec, tictactoe)
        assert words in str(refused.value), spec


@pytest.mark.parametrize(
    ("spec", "game"), [("mcts:", "tictactoe"), ("alphabeta:order=random,", "tictactoe"), ("ismcts:", "kuhn")]
)
def test_seed_has_63_bits(spec: str, game: str) -> None:
    position = registry.game(game).new()
    while position.turn < 0:
        position.make(position.moves()[0])
    report = registry.engine(f"{spec}seed={2**63 - 1}")[0].search(position, Limit(nodes=50))
    assert report.move in position.moves()
    with pytest.raises(Usage, match="seed must be a whole number from 0 to"):
        registry.engine(f"{spec}seed={2**63}")
