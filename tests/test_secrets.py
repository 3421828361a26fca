"""Games that hide something, against other programs' games of them."""

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conformance import BUILT_IN

from gameplay import worlds
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


HIDING = [spec for spec in BUILT_IN if game(spec).new().hidden]


@pytest.mark.parametrize(
    "spec", [*HIDING, "bridge:contract=4S,declarer=E,vulnerable=ns", "hearts:players=3,jack=on,passing=right"]
)
def test_the_start_of_a_game_is_known_from_anywhere(spec: str) -> None:
    """With all its parameters, and nothing of what happened."""
    position = game(spec).new()
    while position.turn == CHANCE:
        position.make(position.moves()[-1])
    position.make(position.moves()[0])
    start, again = game(spec).new(), position.determinize(0, Random(1)).initial()
    for _ in range(60):
        assert (again.key(), again.turn, again.outcome()) == (start.key(), start.turn, start.outcome())
        if start.outcome() is not None:
            break
        assert list(again.moves()) == list(start.moves())
        for each in (start, again):
            each.make(each.moves()[0])


@pytest.mark.parametrize(
    ("spec", "plies"),
    [
        ("phantom-tictactoe", 4),
        ("battleship:rows=2,columns=2,ships=1+2", 6),
        ("liars-dice:dice=2,faces=2", None),
    ],
)
def test_what_is_drawn_is_what_fits_by_its_odds(spec: str, plies: int | None) -> None:
    """The positions that a player takes for possible are counted out, those drawn are held against them."""
    found = worlds.of(game(spec).new(), 50_000, plies)
    assert found is not None
    several = [each for each in found.values() if 1 < len(each.weights) <= 60]
    for each in several[:: len(several) // 12]:
        ways = list(each.ways)
        for moves in (ways[0], ways[-1]):
            position = game(spec).new()
            for move in moves:
                position.make(move)
            assert not each.drawn(position, seed=1)
