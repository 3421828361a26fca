"""A match of several games as it is saved: what is played and by whom, and the games so far."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class PlayedGame:
    """A game of a match that is over."""

    payoffs: list[float]  # by player of the match; 0 for one who did not take part
    facts: dict[str, Any] = field(default_factory=dict)  # what the rules remember of it, plain data


@dataclass
class Scoresheet:
    """A match as it is saved: what is played and by whom, and the games so far."""

    form: str  # its kind and length, as `games:5`
    game: str  # as it was begun, with its parameters
    players: list[str]  # their specs, in the order of the seats of the first game
    names: list[str]  # what the people are called, "" for none
    seed: int  # of the first game
    begun: str
    start: str = ""  # the position that each game begins from
    played: list[PlayedGame] = field(default_factory=list)  # before the current game
    result: PlayedGame | None = None  # of the current game, once it is over
    over: bool = False  # the match ended with it
