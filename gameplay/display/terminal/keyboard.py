"""The keyboard while no question is pending: type-ahead, Ctrl-C, Ctrl-Z.

Between two questions the terminal does not echo and delivers each key as it is pressed. Keys typed then are
kept as a line that is never executed by itself. The first Ctrl-C only sets a flag, which a search polls; a
second one while the flag is still set raises KeyboardInterrupt. Ctrl-Z, and any other signal that stops the
program, restores the terminal's modes; when the program continues, they are set again and the picture is
redrawn.

Without termios (Windows) none of this is done: keys wait until the next question.
"""

import atexit
import os
import re
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

try:
    import termios
except ImportError:
    termios = None  # type: ignore[assignment]

SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?<]*[ -/]*[@-~]|O.)?")  # escape sequences of keys
LOCAL = 3  # index of lflag in the list of termios.tcgetattr: echo, lines, signals


class Ahead:
    """A line typed before a prompt. entered: Enter was pressed after it."""

    def __init__(self) -> None:
        self.text = ""
        self.entered = False

    def feed(self, keys: str) -> None:
        """Add keys. A line begun after Enter replaces the one before."""
        for key in SEQUENCE.sub("\x1b", keys):
            if key in "\r\n":
                self.entered = bool(self.text)
            elif key in "\b\x7f":
                self.text, self.entered = self.text[:-1], False
            elif key in "\x1b\x15":  # Escape, Ctrl-U
                self.text, self.entered = "", False
            elif key.isprintable():
                self.text, self.entered = key if self.entered else self.text + key, False


def drop() -> bool:
    """Discard pending input if standard input is a terminal; True if there was any."""
    if termios is None:
        return False
    try:
        before = termios.tcgetattr(0)
    except termios.error:
        return False
    modes = [*before[:LOCAL], before[LOCAL] & ~termios.ICANON, *before[LOCAL + 1 :]]
    termios.tcsetattr(0, termios.TCSANOW, modes)  # so that select also sees an unfinished line
    typed = bool(select.select([0], [], [], 0)[0])
    termios.tcflush(0, termios.TCIFLUSH)
    termios.tcsetattr(0, termios.TCSANOW, before)
    return typed


class Keyboard:
    """Standard input as a terminal. `away` is called before a stop, `back` when the program continues."""

    def __init__(self, away: Callable[[], None], back: Callable[[], None]) -> None:
        self.away = away
        self.back = back
        self.hurried = False  # Ctrl-C was pressed
        self.ahead = Ahead()
        self.heard = ""  # keys read by `listen` since the last question
        self.before: Any = None  # the original modes of the terminal; None: not taken
        self.now: Any = None  # the modes set by this class
        self.drawing = False
        self.due: Callable[[], None] | None = None  # deferred until drawing ends
        self.handlers: dict[int, Any] = {}
        atexit.register(self.release)

    def take(self) -> None:
        """Disable echo and collect keys."""
        if termios is None or self.before is not None:
            return
        try:
            self.before = termios.tcgetattr(0)
        except termios.error:
            return
        self._mode(termios.ECHO | termios.ICANON)
        self.hurried = False
        for number, handler in (
            (signal.SIGINT, self._interrupted),
            (signal.SIGTSTP, self._stopped),
            (signal.SIGCONT, self._continued),
        ):
            self.handlers[number] = signal.signal(number, handler)

    def release(self) -> None:
        """Restore the terminal modes."""
        if self.before is None:
            return
        with suppress(termios.error):  # of a terminal that is gone
            termios.tcsetattr(0, termios.TCSADRAIN, self.before)
        self.before = None
        for number, handler in self.handlers.items():
            signal.signal(number, handler)
        self.handlers.clear()

    def hurry(self) -> bool:
        """True if Ctrl-C was pressed since the last call. Clears the flag: the caller must act on it."""
        hurried, self.hurried = self.hurried, False
        return hurried

    def listen(self) -> Ahead:
        """Read pending keys; returns the type-ahead line."""
        keys = self._read()
        self.heard += keys
        self.ahead.feed(keys)
        return self.ahead

    def pressed(self) -> str:
        """The keys pressed since the last call, a character each; Escape for every escape sequence."""
        return SEQUENCE.sub("\x1b", self._read()) if self.before is not None else ""

    def wait(self, seconds: float) -> None:
        """Wait for a key, at most `seconds`."""
        if self.before is not None:
            select.select([0], [], [], max(0.0, seconds))
        else:
            time.sleep(max(0.0, seconds))

    def asking(self) -> None:
        """Prepare for a prompt: Ctrl-C is read as a key, and a pending one is forgotten."""
        if self.before is not None:
            self._mode(termios.ECHO | termios.ICANON | termios.ISIG)
        self.hurried = False

    def asked(self) -> None:
        """Collect keys again after a prompt."""
        if self.before is not None:
            self._mode(termios.ECHO | termios.ICANON)
            signal.signal(signal.SIGINT, self._interrupted)  # asyncio has replaced it
        self.ahead, self.heard = Ahead(), ""

    def suspend(self) -> None:
        """Stop the process group, as Ctrl-Z does."""
        if self.before is not None:
            self._stop(0)

    def modes(self) -> None:
        """Remember the current modes, to be restored when the program continues."""
        if self.before is not None:
            self.now = termios.tcgetattr(0)

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Defer stops and redraws until the block has finished drawing."""
        self.drawing = True
        try:
            yield
        finally:
            self.drawing = False
            due, self.due = self.due, None
            if due is not None:
                due()

    def _read(self) -> str:
        """The pending keys."""
        keys = b""
        while self.before is not None and select.select([0], [], [], 0)[0]:
            more = os.read(0, 4096)
            keys += more
            if not more:
                break
        return keys.decode(errors="ignore")

    def _mode(self, off: int) -> None:
        self.now = list(self.before)
        self.now[LOCAL] &= ~off
        termios.tcsetattr(0, termios.TCSANOW, self.now)

    def _interrupted(self, number: int, frame: Any) -> None:
        if self.hurried:
            raise KeyboardInterrupt
        self.hurried = True

    def _stopped(self, number: int, frame: Any) -> None:
        if self.drawing:
            self.due = partial(self._stop, os.getpid())
        else:
            self._stop(os.getpid())

    def _stop(self, whom: int) -> None:
        self.away()
        termios.tcsetattr(0, termios.TCSADRAIN, self.before)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.signal(signal.SIGCONT, signal.SIG_DFL)
        os.kill(whom, signal.SIGTSTP)  # returns when the program continues
        signal.signal(signal.SIGTSTP, self._stopped)
        signal.signal(signal.SIGCONT, self._continued)
        self._go_on()

    def _continued(self, number: int, frame: Any) -> None:
        """SIGCONT after a stop that could not be caught: restore the terminal modes and the picture."""
        if self.drawing:
            self.due = self._go_on
        else:
            self._go_on()

    def _go_on(self) -> None:
        if self.before is not None:
            termios.tcsetattr(0, termios.TCSANOW, self.now)
            self.back()
