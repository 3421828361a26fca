"""Scoresheets: the saved form of a match of several games."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class PlayedGame:
    """A finished game of a match."""

    payoffs: list[float]  # by player of the match; 0 for one who did not take part
    facts: dict[str, Any] = field(default_factory=dict)  # from `MatchRules.facts`, plain data


@dataclass
class Scoresheet:
    """A saved match: its form, game, players and the games so far."""

    form: str  # its kind and length, as `games:5`
    game: str  # with its parameters
    players: list[str]  # their specs, in the order of the seats of the first game
    names: list[str]  # of human players, "" if unnamed
    seed: int  # of the first game
    begun: str
    start: str = ""  # the start position of each game
    played: list[PlayedGame] = field(default_factory=list)  # before the current game
    result: PlayedGame | None = None  # of the current game if it is over
    over: bool = False  # the match ended with it
