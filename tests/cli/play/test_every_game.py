"""Every game, played in plain mode against the opponent that `play GAME` gives."""

from pathlib import Path

import pytest

from gameplay import registry
from gameplay.store import saved
from tests.support.golden import golden
from tests.support.play import Play, play

GAMES = [name for name in registry.game_names() if name != "tree"]  # that one is a file of the user
TURNS = 6
play = play


@pytest.mark.once
@pytest.mark.parametrize("name", GAMES)
def test_first_screen_in_plain_mode(play: Play, name: str) -> None:
    """What a player sees before the first move; nothing of it is an error, and all of it fits into a line."""
    ran = play(name, "--seed", "1", typed="quit\n")
    assert ran.status == 0 and "Traceback" not in ran.err
    assert max(map(len, ran.lines)) <= 300
    golden(f"first_{name}", "\n".join(line for line in ran.lines if not line.startswith("saved as: ")) + "\n")


@pytest.mark.parametrize("name", GAMES)
def test_random_moves_are_counted_turn_by_turn(play: Play, name: str, home: Path) -> None:
    """Each `random` is one move of the person; the record replays to the same number of positions."""
    ran = play(name, "--seed", "1", typed="random\n" * TURNS + "quit\n")
    assert ran.status == 0 and "Traceback" not in ran.err, ran.err
    record = saved.saved()[0].record
    seat = record.players.index("human")
    mine = [move for move in record.moves if move.player == seat]
    assert len(mine) == TURNS or record.result is not None, ran.out
    position = registry.game(record.game).new(record.start)
    for count, move in enumerate(record.moves):
        assert position.outcome() is None and position.turn == move.player, (count, move)
        words = {position.format(one): one for one in position.moves()}
        position.make(words[move.move])
    assert (position.outcome() is not None) == (record.result is not None and record.reason == "rules")
