"""Keys while engines play: pause, step, faster, slower, leave.

A pause takes effect between two moves; a running search is not affected.
"""

import time
from collections.abc import Callable

from gameplay.display.terminal.keyboard import Keyboard

PACES = (8.0, 4.0, 2.0, 1.0, 0.5, 0.25, 0.1, 0.0)  # seconds that a move stays on the screen
DEFAULT_PACE = PACES.index(0.5)
TICK = 0.05  # seconds between polls of the keyboard


class Watching:
    """The state set by keys. leaving: end the game."""

    def __init__(self, keyboard: Keyboard) -> None:
        self.keyboard = keyboard
        self.paused = False
        self.leaving = False
        self.pace = DEFAULT_PACE
        self.stepping = False  # play one move, then pause again

    def listen(self) -> bool:
        """Handle the keys typed since the last call; True if there were any."""
        keys = self.keyboard.read_keys()
        for key in keys:
            self.press(key)
        return bool(keys)

    def press(self, key: str) -> None:
        """Handle a key."""
        if key == "p":
            self.paused, self.stepping = not self.paused, False
        elif key == " ":
            self.stepping = True
        elif key in "+=":
            self.pace = min(len(PACES) - 1, self.pace + 1)
        elif key in "-_":
            self.pace = max(0, self.pace - 1)
        elif key in "q\x1b\x04":
            self.leaving = True

    def line(self, searching: bool = False) -> str:
        """A line that lists the keys."""
        if self.leaving:
            return "leaving"
        if self.paused:
            state = "pause after this move" if searching else "paused"
            return f"{state}  space: step  p: go on  q: leave"
        return f"p: pause  + -: speed ({PACES[self.pace]:g} s)  q: leave"

    def wait_after_move(self, wait: Callable[[float], None]) -> None:
        """Wait after a move, for the current pace or while paused. `wait` waits for keys."""
        self.stepping = False
        start = time.monotonic()
        while not self.leaving and not self.keyboard.interrupted and not self.stepping:
            remaining = start + PACES[self.pace] - time.monotonic()
            if remaining <= 0 and not self.paused:
                break
            wait(TICK if self.paused else min(TICK, remaining))
