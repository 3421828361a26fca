"""Games that hide something, against other programs' games of them."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from gameplay.position import CHANCE
from gameplay.registry import game

FILE = Path(__file__).parent / "answers" / "openspiel.json.gz"
RECORDS: dict[str, Any] = json.loads(gzip.decompress(FILE.read_bytes()))


def alike(numbers: dict[Any, Any], ours: Any, theirs: Any) -> bool:
    """True if what they call one thing is one thing here, and what is another is another."""
    return bool(numbers.setdefault(("ours", ours), theirs) == theirs) and bool(
        numbers.setdefault(("theirs", theirs), ours) == ours
    )


@pytest.mark.parametrize("spec", RECORDS)
def test_random_games_are_openspiels_step_by_step(spec: str) -> None:
    """The same movers, moves and odds, the same positions told apart by each player, the same payoffs."""
    numbers: dict[Any, Any] = {}
    for play in RECORDS[spec]["plays"]:
        position = game(spec).new()
        for ply, (action, mover, legal) in enumerate(
            zip(play["actions"], play["movers"], play["legal"], strict=True)
        ):
            assert position.outcome() is None
            assert position.turn == mover and sorted(position.moves()) == legal
            if mover == CHANCE:
                odds = play["odds"].get(str(ply), [1 / len(legal)] * len(legal))
                assert position.chances() == pytest.approx(odds)
            else:
                for seat, theirs in enumerate(play["known"][str(ply)]):
                    assert theirs is None or alike(numbers, (seat, position.infoset(seat)), theirs), (
                        ply,
                        play["actions"],
                    )
            position.make(action)
        assert position.outcome() == pytest.approx(play["returns"])
