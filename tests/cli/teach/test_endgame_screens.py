"""The endgame trainer on a terminal: the task above the board, verdicts beside it, keys."""

import pytest

from gameplay.kernel import compiled
from tests.support.golden import golden
from tests.support.terminal import Start, terminal

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not compiled(), reason="solving takes minutes in pure Python"),
]
assert terminal  # fixture
LATE = ("puzzles", "endgames", "connect4", "--ending", "late", "--level", "1", "--seed", "3")


def test_a_position_is_missed_repeated_and_left(terminal: Start) -> None:
    player = terminal(*LATE)
    shown = player.until("hint, solution, next or help")
    assert "Orange to move and win: 28 to 33 discs on the board" in shown and "you" in shown
    assert "position 1 of 10, late, level 1" in shown
    player.type("1\r")
    shown = player.until("throws the win away")
    assert "draw;" in shown or "loss in" in shown
    player.type("3\r").until("3 keeps the win: win in 2")
    player.type("u\r").until("took back 3 ")
    player.type("3\r").until("3 keeps the win: win in 2")
    player.type("2\r")
    shown = player.until("You win in 2 moves")
    golden("endgames_missed", shown)
    assert "counts as missed" in shown and "type next (or Esc), again, solution or quit" in shown
    player.type("\x1b").until("position 2 of 10, late, level 1")
    player.type("quit\r")
    assert player.status() == 3
    assert "solved: 0 of 1 position; streak: 0" in player.text()


@pytest.mark.parametrize("width, height", [(60, 20), (100, 30), (200, 50)])
def test_endgame_screen_fits_any_window(terminal: Start, width: int, height: int) -> None:
    player = terminal(*LATE, width=width, height=height, NO_COLOR="1")
    shown = player.until("hint, solution, next or help")
    lines = shown.splitlines()
    assert any(line.startswith("Orange to move and win: 28 to 33 discs") for line in lines)
    assert "arrows" in " ".join(lines[-3:]) and len(lines) <= height
    player.type("\x1b")
    assert player.status() == 0


def test_ctrl_c_leaves(terminal: Start) -> None:
    player = terminal(*LATE)
    player.until("hint, solution, next or help")
    player.type("\x03")
    assert player.status() == 130
