"""Writes tricks.txt: random games of bridge that OpenSpiel 1.5 played, step by step.

Marc Lanctot and others, "OpenSpiel: a framework for reinforcement learning in games", 2019 (Apache 2.0).
Where `pyspiel` is installed, `python tests/answers/tricks.py` writes them anew. A line a game:

    bridge 10 -500 2f1c0a9e BAD...   the game; is the dealer's side vulnerable, and the other; what north got;
                                     the CRC-32 of whose turn it was and the legal actions of every step; the
                                     actions, a character each

The dealer is north, and cards and calls have our numbers.
"""

import random
import zlib
from pathlib import Path

FILE = Path(__file__).with_suffix(".txt")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-!#$%&()*,./:;<=>?@[]^_{|}~"
PASS, FIRST = 52, 55


def step(mover: int, legal: list[int]) -> bytes:
    """What is kept of a step."""
    return f"{mover}:{','.join(map(str, legal))};".encode()


def bridge(rng: random.Random) -> str:
    """A game with a random auction, of few calls mostly so that all contracts occur."""
    import pyspiel

    dealer, other = rng.random() < 0.5, rng.random() < 0.5
    name = f"bridge(use_double_dummy_result=false,dealer_vul={dealer},non_dealer_vul={other})"
    state = pyspiel.load_game(name).new_initial_state()
    most, calls, crc, actions = rng.choice((0, 1, 2, 5, 9)), 0, 0, ""
    while not state.is_terminal():
        legal = state.legal_actions()
        crc = zlib.crc32(step(state.current_player(), legal), crc)
        action = rng.choice(legal)
        if legal[0] >= PASS:
            calls += 1
            bids = [one for one in legal if one >= FIRST][:4]
            if calls > most:
                action = PASS
            elif action >= FIRST and rng.random() < 0.8:
                action = rng.choice(bids)
        actions += LETTERS[action]
        state.apply_action(action)
    return f"bridge {dealer:d}{other:d} {state.returns()[0]:.0f} {crc:08x} {actions}"


if __name__ == "__main__":
    rng = random.Random(14)
    FILE.write_text("".join(bridge(rng) + "\n" for _ in range(60)))
