"""Matches of players by their specs, with programs that end with the match."""

from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.registry import Game
from gameplay.specs import parse_list


def play_match(game: Game, players: str, plies: int, start: str = "") -> Match:
    """A match of at most this number of moves; external programs are started before and closed after it."""
    seated = [seats.player(spec, game) for spec in parse_list(players)]
    match = Match(game, seated, start)
    try:
        for player in seated:
            getattr(player, "begin", lambda _: None)(match)
        while not match.over() and len(match.turns) < plies:
            match.step()
    finally:
        for player in seated:
            getattr(player, "close", lambda: None)()
    return match
