"""Writes tricks.txt: random games of bridge and hearts that OpenSpiel 1.5 played, step by step.

Marc Lanctot and others, "OpenSpiel: a framework for reinforcement learning in games", 2019 (Apache 2.0).
Where `pyspiel` is installed, `python tests/answers/tricks.py` writes them anew. A line a game:

    bridge 10 -500 2f1c0a9e BAD...   the game; is the dealer's side vulnerable, and the other; what north got;
                                     the CRC-32 of whose turn it was and the legal actions of every step; the
                                     actions, a character each
    hearts left,on 22/0/-10/4 ...    where cards are passed, and whether the jack of diamonds counts; the
                                     points of each; the rest as above

The dealer is north, and cards and calls have our numbers. In the last games of hearts one takes all points.
"""

import random
import zlib
from pathlib import Path

FILE = Path(__file__).with_suffix(".txt")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-!#$%&()*,./:;<=>?@[]^_{|}~"
PASS, FIRST = 52, 55


def step(mover: int, legal: list[int]) -> bytes:
    """The recorded facts of a step."""
    return f"{mover}:{','.join(map(str, legal))};".encode()


def bridge(rng: random.Random) -> str:
    """A game with a random auction, usually of few calls, to cover all contracts."""
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
            bids = [card for card in legal if card >= FIRST][:4]
            if calls > most:
                action = PASS
            elif action >= FIRST and rng.random() < 0.8:
                action = rng.choice(bids)
        actions += LETTERS[action]
        state.apply_action(action)
    return f"bridge {dealer:d}{other:d} {state.returns()[0]:.0f} {crc:08x} {actions}"


def hearts(rng: random.Random, greedy: bool) -> str:
    """A game with random rule options; north can often win tricks. OpenSpiel pays 26 less the points."""
    import pyspiel

    jack, direction = rng.random() < 0.5, rng.randrange(4)
    state = pyspiel.load_game(f"hearts(jd_bonus={jack})").new_initial_state()
    state.apply_action(direction)
    crc, actions = 0, ""
    while not state.is_terminal():
        legal = state.legal_actions()
        crc = zlib.crc32(step(state.current_player(), legal), crc)
        action = rng.choice(legal)
        if greedy and not state.is_chance_node() and rng.random() < 0.95:
            action = max(legal) if state.current_player() == 0 else min(legal)
        actions += LETTERS[action]
        state.apply_action(action)
    rules = f"{('off', 'left', 'across', 'right')[direction]},{'on' if jack else 'off'}"
    return f"hearts {rules} {'/'.join(f'{26 - paid:.0f}' for paid in state.returns())} {crc:08x} {actions}"


if __name__ == "__main__":
    rng = random.Random(14)
    lines = [bridge(rng) for _ in range(60)]
    rng = random.Random(15)
    lines += [hearts(rng, False) for _ in range(50)]
    while len(lines) < 120:
        line = hearts(rng, True)
        lines += [line] * (line.split()[2].count("26") + line.split()[2].count("16") == 3)
    FILE.write_text("".join(line + "\n" for line in lines))
