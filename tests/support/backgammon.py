"""Positions of backgammon that tests share."""

import base64
import tomllib
from typing import Any

from gameplay import registry
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice
from tests.support.paths import TESTS

HERE = TESTS / "answers"
ANSWERS = tomllib.loads((HERE / "backgammon.toml").read_text())
POSITIONS = [line.split() for line in (HERE / "backgammon.txt").read_text().splitlines() if line[0] != "#"]


def backgammon(text: str = "", spec: str = "backgammon") -> Any:
    return registry.game(spec).new(text)


def with_roll(position: Any, throw: str) -> Any:
    position.make(position.parse(throw))
    return position


FIELDS = {
    "power": 4, "owner": 2, "mover": 1, "crawford": 1, "game": 3, "turn": 1, "offered": 1, "resigned": 2,
    "one": 3, "other": 3, "length": 15, "mine": 15, "theirs": 15,
}  # fmt: skip


def match_id(**given: int) -> str:
    """A match ID by its fields, low bits first (GNU Backgammon's manual); a match to 7, in its first game."""
    bits = at = 0
    for name, width in FIELDS.items():
        bits |= ({"owner": 3, "game": 1, "length": 7} | given).get(name, 0) << at
        at += width
    return "4HPwATDgc/ABMA:" + base64.b64encode(bits.to_bytes(9, "little")).decode()


def checkers(points: dict[int, int]) -> list[int]:
    """A position of 15 checkers; those not named are borne off."""
    results = [points.get(point, 0) for point in range(26)]
    return [15 - sum(results), *results[1:]]


def with_moves(position: Any, *spoken: str) -> Any:
    for word in spoken:
        position.make(position.parse(word))
    return position


def play_cube_game(most: int = 1000) -> Match:
    """A game with the cube, each move the middle one of the list, for at most this number of turns."""
    players: list[Any] = [EmptySeat("human"), EmptySeat("expectiminimax")]
    game = Match(registry.game("backgammon:cube=on"), players, seed=5)
    plies = 0
    while not game.over() and plies < most:
        if game.position.turn < 0:
            game.step()
            continue
        moves = [move for move in game.moves() if game.position.format(move) not in ("double", "drop")]
        game.make(Choice(moves[len(moves) // 2]))
        plies += 1
    return game
