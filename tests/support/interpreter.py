"""Matches in which tests type."""

from typing import Any

from gameplay import registry
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from tests.support.paths import TESTS

GAMES = TESTS / "examples" / "games"


def match_of(game: str, moves: str = "", start: str = "") -> Match:
    return Match(registry.game(game), [EmptySeat("human"), EmptySeat("human")], start, moves.split())


def execute(interpreter: Interpreter, match: Match, text: str) -> Any:
    """The move that `text` makes, in words; otherwise the answer."""
    answer = interpreter.execute(text, match)
    return match.position.format(answer.choice.move) if answer.choice is not None else answer.text
