"""Writes holdem.json.gz: hands of Texas hold'em that PokerKit 0.7.7 played at random, step by step;
holdem.phhs, the first of them without limits, as it writes histories; and holdem-tables.phhs, hands of two to
ten players with antes, straddles, blinds posted to enter the game and players with less than a blind.

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
PHHS_HANDS = 12  # of them, in holdem.phhs
TABLES = 60  # hands in holdem-tables.phhs
BLINDS = ((1, 2), (1, 2), (1, 3), (5, 10))
CAP = 4  # bets and raises of a round with limits; theirs counts no blind, so one less before the flop
PACK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def history(hand: dict[str, Any], number: int) -> Any:
    """The PokerKit history of a no-limit hand."""
    from pokerkit import HandHistory, NoLimitTexasHoldem

    count = len(hand["stacks"])
    seats = [1, 0] if count == 2 else list(range(count))
    state = start_hand(False, hand["blinds"], [hand["stacks"][seat] for seat in seats])
    steps = iter(hand["steps"])
    play(state, seats, hand["cards"], lambda step: next(steps)[4])
    big = hand["blinds"][1]
    game = NoLimitTexasHoldem(state.automations, True, 0, hand["blinds"], big)
    return HandHistory.from_game_state(game, state, hand=number)


def automations() -> tuple[Any, ...]:
    """The automatic actions of PokerKit's hands."""
    from pokerkit import Automation

    return (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.CARD_BURNING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    )


def start_hand(limit: bool, blinds: tuple[int, int], stacks: list[int]) -> Any:
    """A PokerKit hand before the deal."""
    from pokerkit import FixedLimitTexasHoldem, NoLimitTexasHoldem

    itself = automations()
    small, big = blinds
    if not limit:
        return NoLimitTexasHoldem.create_state(itself, True, 0, (small, big), big, stacks, len(stacks))
    state = FixedLimitTexasHoldem.create_state(
        itself, True, 0, (small, big), big, 2 * big, stacks, len(stacks)
    )
    object.__setattr__(state.streets[0], "max_completion_betting_or_raising_count", CAP - 1)
    return state


def play(state: Any, seats: list[int], pack: list[str], choose: Any) -> tuple[list[list[int]], int]:
    """Play a PokerKit hand to its end: the steps, and the number of board cards dealt."""
    count = len(seats)
    for seat in seats:
        state.deal_hole("".join(pack[2 * seat : 2 * seat + 2]))
    steps: list[list[int]] = []
    opened = 0
    while state.status:
        if state.actor_index is None:
            many = 3 if opened == 0 else 1
            state.deal_board("".join(pack[2 * count + opened : 2 * count + opened + many]))
            opened += many
            continue
        least = state.min_completion_betting_or_raising_to_amount or 0
        most = state.max_completion_betting_or_raising_to_amount or 0
        step = [seats[state.actor_index], state.checking_or_calling_amount, least, most]
        move = choose(step)
        if move > 1:
            state.complete_bet_or_raise_to(move - 1)
        elif move:
            state.check_or_call()
        else:
            state.fold()
        steps.append([*step, move])
    return steps, opened


def random_hand(rng: Random) -> dict[str, Any]:
    count, limit = rng.choice((2, 2, 3, 3, 4, 5, 6)), rng.random() < 0.2
    blinds = rng.choice(BLINDS)
    deep = rng.choice((4, 15, 60))
    stacks = [rng.randint(blinds[1], deep * blinds[1]) for _ in range(count)]
    seats = [1, 0] if count == 2 else list(range(count))  # ours of theirs
    state = start_hand(limit, blinds, [stacks[seat] for seat in seats])
    pack = rng.sample(PACK, 2 * count + 5)

    def choose(step: list[int]) -> int:
        _, owed, least, most = step
        lot = rng.random()
        if least and lot < 0.4:
            return 1 + rng.choice((least, least, rng.randint(least, most), rng.randint(least, most), most))
        return 0 if owed and lot > 0.85 else 1

    steps, opened = play(state, seats, pack, choose)
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


def table(rng: Random, number: int) -> Any:
    """A random hand of two to ten players as a PokerKit history; None if PokerKit's rules differ for it.

    PokerKit allows a new raise after an all-in bet of less than a full raise, and merges side pots with the
    same winners as one; hands of a shared pot are in holdem.json.gz.
    """
    from pokerkit import ChipsPushing, HandHistory, NoLimitTexasHoldem

    count, big = rng.randint(2, 10), rng.choice((2, 10))
    blinds = [big // 2, big] + [0] * (count - 2)
    extra = rng.choice(("none", "straddles", "button", "post", "dead"))
    if extra == "straddles" and count > 3:
        blinds[2:4] = [2 * big, rng.choice((0, 4 * big))]
    elif extra == "button" and count > 3:
        blinds[-1] = 2 * big
    elif extra == "post" and count > 3:
        blinds[rng.randrange(2, count)] = -big
    elif extra == "dead":
        blinds[0] = 0
    antes = rng.choice(([0] * count, [big // 2] * count, [0, big] + [0] * (count - 2)))
    stacks = [rng.randint(max(antes) + 1, rng.choice((2, 15, 60)) * big) for _ in range(count)]
    game = NoLimitTexasHoldem(automations(), len(set(antes)) == 1, antes, blinds, big)
    state = game(stacks, count)

    def choose(step: list[int]) -> int:
        _, owed, least, most = step
        least = max(least, max(state.bets) + max(big, state.completion_betting_or_raising_amount))
        if least <= most and rng.random() < 0.3:
            return 1 + rng.choice((least, rng.randint(least, most), most))
        return 0 if owed and rng.random() > 0.8 else 1

    play(state, list(range(count)), rng.sample(PACK, 2 * count + 5), choose)
    pushed = [operation for operation in state.operations if isinstance(operation, ChipsPushing)]
    if any(sum(chips > 0 for chips in move.amounts) > 1 for move in pushed):
        return None
    return HandHistory.from_game_state(game, state, hand=number, finishing_stacks=list(state.stacks))


if __name__ == "__main__":
    from pokerkit import HandHistory

    rng = Random("holdem")
    hands = [random_hand(rng) for _ in range(HANDS)]
    text = json.dumps(hands, separators=(",", ":"))
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    free = [hand for hand in hands if not hand["limit"]][:PHHS_HANDS]
    histories = [history(hand, number) for number, hand in enumerate(free, 1)]
    FILE.with_name("holdem.phhs").write_text(HandHistory.dumps_all(histories) + "\n")
    rng, hands = Random("tables"), []
    while len(hands) < TABLES:
        if hand := table(rng, len(hands) + 1):
            hands.append(hand)
    FILE.with_name("holdem-tables.phhs").write_text(HandHistory.dumps_all(hands) + "\n")
