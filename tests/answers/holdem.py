"""Writes holdem.json.gz: hands of Texas hold'em that PokerKit 0.7.7 played at random, step by step.

Juho Kim, "PokerKit: a comprehensive Python library for fine-grained multivariant poker game simulations",
IEEE Transactions on Games, 2023 (MIT). Where it is installed, `python tests/answers/holdem.py` writes them
anew. Of each hand there are

    limit     1 for fixed limits, else 0
    blinds, stacks   by seat, the small blind first; theirs begins with the big blind where two play
    cards     those of the seats in turn, two each, then the open ones as far as they were dealt
    steps     at each decision who is on turn, the chips to call, from where to where a bet or raise goes
              (0 0: there can be none), and what was done: 0 fold, 1 check or call, 1 + n bet n or raise to n
    payoffs   what each seat won
"""

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

FILE = Path(__file__).with_suffix(".json.gz")
HANDS = 800
BLINDS = ((1, 2), (1, 2), (1, 3), (5, 10))
CAP = 4  # bets and raises of a round with limits; theirs counts no blind, so one less before the flop
PACK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def begun(limit: bool, blinds: tuple[int, int], stacks: list[int]) -> Any:
    """A hand of theirs before anything is dealt."""
    from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem

    itself = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.CARD_BURNING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    )
    small, big = blinds
    if not limit:
        return NoLimitTexasHoldem.create_state(itself, True, 0, (small, big), big, stacks, len(stacks))
    state = FixedLimitTexasHoldem.create_state(
        itself, True, 0, (small, big), big, 2 * big, stacks, len(stacks)
    )
    object.__setattr__(state.streets[0], "max_completion_betting_or_raising_count", CAP - 1)
    return state


def played(rng: Random) -> dict[str, Any]:
    """A hand at random."""
    count, limit = rng.choice((2, 2, 3, 3, 4, 5, 6)), rng.random() < 0.2
    blinds = rng.choice(BLINDS)
    deep = rng.choice((4, 15, 60))
    stacks = [rng.randint(blinds[1], deep * blinds[1]) for _ in range(count)]
    seats = [1, 0] if count == 2 else list(range(count))  # ours of theirs
    state = begun(limit, blinds, [stacks[seat] for seat in seats])
    pack = rng.sample(PACK, 2 * count + 5)
    for theirs in range(count):
        state.deal_hole("".join(pack[2 * seats[theirs] : 2 * seats[theirs] + 2]))
    steps = []
    opened = 0
    while state.status:
        if state.actor_index is None:
            many = 3 if opened == 0 else 1
            state.deal_board("".join(pack[2 * count + opened : 2 * count + opened + many]))
            opened += many
            continue
        owed = state.checking_or_calling_amount
        least = state.min_completion_betting_or_raising_to_amount or 0
        most = state.max_completion_betting_or_raising_to_amount or 0
        step = [seats[state.actor_index], owed, least, most]
        lot = rng.random()
        if least and lot < 0.4:
            amount = rng.choice((least, least, rng.randint(least, most), rng.randint(least, most), most))
            state.complete_bet_or_raise_to(amount)
            step.append(1 + amount)
        elif owed and lot > 0.85:
            state.fold()
            step.append(0)
        else:
            state.check_or_call()
            step.append(1)
        steps.append(step)
    payoffs = [0] * count
    for theirs, chips in enumerate(state.payoffs):
        payoffs[seats[theirs]] = chips
    return {
        "limit": int(limit),
        "blinds": blinds,
        "stacks": stacks,
        "cards": pack[: 2 * count + opened],
        "steps": steps,
        "payoffs": payoffs,
    }


if __name__ == "__main__":
    rng = Random("holdem")
    text = json.dumps([played(rng) for _ in range(HANDS)], separators=(",", ":"))
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
