"""Writes openspiel.json.gz: games that OpenSpiel 1.5 played at random, step by step.

Marc Lanctot and others, "OpenSpiel: a framework for reinforcement learning in games", 2019 (Apache 2.0).
Where `pyspiel` is installed, `python tests/answers/openspiel.py` writes them anew. For each of our games
there are the name of theirs and plays, each with

    actions   those made, chance's among them
    movers    who made them, -1: chance
    legal     the legal ones before each
    odds      of the legal ones, where chance moves and they are not all alike
    known     at each decision, by player, the number of their information state: the same for the same one;
              None where theirs leaves out who is on turn, which is known to all here
    returns   what each player got
"""

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

FILE = Path(__file__).with_suffix(".json.gz")
SHIPS = (
    "battleship(board_height={},board_width={},ship_sizes=[{}],ship_values=[{}],num_shots={},"
    "allow_repeated_shots=false)"
)
PLAYS = {
    "kuhn": ("kuhn_poker", 100),
    "kuhn:players=3": ("kuhn_poker(players=3)", 100),
    "leduc": ("leduc_poker", 300),
    "leduc:players=3": ("leduc_poker(players=3)", 200),
    "liars-dice": ("liars_dice", 150),
    "liars-dice:dice=2": ("liars_dice(numdice=2)", 150),
    "phantom-tictactoe": ("phantom_ttt(obstype=reveal-numturns)", 150),
    "battleship:rows=3,columns=4,ships=1+2+3": (SHIPS.format(3, 4, "1;2;3", "1;1;1", 12), 40),
    "battleship:rows=2,columns=3,ships=2+3,shots=4": (SHIPS.format(2, 3, "2;3", "1;1", 4), 40),
    "battleship:shots=40": (SHIPS.format(10, 10, "2;3;3;4;5", "1;1;1;1;1", 40), 6),
}


def random_plays(name: str, plays: int) -> list[dict[str, Any]]:
    """`plays` random games of an OpenSpiel game."""
    import pyspiel

    rng = Random(name)
    game = pyspiel.load_game(name)
    numbers: dict[tuple[int, str], int] = {}
    results = []
    for _ in range(plays):
        state = game.new_initial_state()
        play: dict[str, Any] = {"actions": [], "movers": [], "legal": [], "odds": {}, "known": {}}
        while not state.is_terminal():
            ply, legal = len(play["actions"]), state.legal_actions()
            if state.is_chance_node():
                odds = [share for _, share in state.chance_outcomes()]
                if max(odds) - min(odds) > 1e-9:
                    play["odds"][ply] = odds
                action = rng.choices(legal, odds)[0]
            else:
                known: list[int | None] = []
                for seat in range(game.num_players()):
                    position = (seat, state.information_state_string(seat))
                    whole = seat == state.current_player() or not name.startswith("phantom")
                    known.append(numbers.setdefault(position, len(numbers)) if whole else None)
                play["known"][ply] = known
                action = rng.choice(legal)
            play["movers"].append(state.current_player())
            play["legal"].append(legal)
            play["actions"].append(action)
            state.apply_action(action)
        play["returns"] = state.returns()
        results.append(play)
    return results


if __name__ == "__main__":
    records = {
        spec: {"name": name, "plays": random_plays(name, plays)} for spec, (name, plays) in PLAYS.items()
    }
    text = json.dumps(records, separators=(",", ":"))
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
