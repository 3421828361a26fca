"""The keyboard while no question is pending: type-ahead, Ctrl-C, Ctrl-Z.

Between two questions the terminal does not echo and delivers each key as it is pressed. Keys typed then are
kept as a line that is never executed by itself. The first Ctrl-C only sets a flag, which a search polls; a
second one while the flag is still set raises KeyboardInterrupt. Ctrl-Z, and any other signal that stops the
program, restores the terminal's modes; when the program continues, they are set again and the picture is
redrawn. SIGTERM raises Terminated, so that the terminal is restored, or passes it to `on_sigterm`.

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

from gameplay.errors import Terminated

try:
    import termios
except ImportError:
    termios = None  # type: ignore[assignment]

SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?<]*[ -/]*[@-~]|O.)?")  # escape sequences of keys
# Indices in the list of termios.tcgetattr.
IFLAG = 0  # flow control: Ctrl-S would stop the output, and with it the program
LFLAG = 3  # echo, lines, signals


class TypeAhead:
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


def discard_input() -> bool:
    """Discard pending input if standard input is a terminal; True if there was any."""
    if termios is None:
        return False
    try:
        before = termios.tcgetattr(0)
    except termios.error:
        return False
    modes = [*before[:LFLAG], before[LFLAG] & ~termios.ICANON, *before[LFLAG + 1 :]]
    termios.tcsetattr(0, termios.TCSANOW, modes)  # so that select also sees an unfinished line
    typed = bool(select.select([0], [], [], 0)[0])
    termios.tcflush(0, termios.TCIFLUSH)
    termios.tcsetattr(0, termios.TCSANOW, before)
    return typed


class Keyboard:
    """Standard input as a terminal. on_stop is called before a stop, on_continue after it."""

    def __init__(self, on_stop: Callable[[], None], on_continue: Callable[[], None]) -> None:
        self.on_stop = on_stop
        self.on_continue = on_continue
        self.interrupted = False  # Ctrl-C was pressed
        self.ahead = TypeAhead()
        self.keys_read = ""  # keys read by `read_ahead` since the last question
        self.original_modes: Any = None  # the original modes of the terminal; None: not taken
        self.current_modes: Any = None  # the modes set by this class
        self.drawing = False
        self.deferred: Callable[[], None] | None = None  # deferred until drawing ends
        self.handlers: dict[int, Any] = {}
        self.on_sigterm: Callable[[Terminated], None] | None = None  # None: raise the error
        atexit.register(self.release)

    def acquire(self) -> None:
        """Disable echo and collect keys."""
        if termios is None or self.original_modes is not None:
            return
        try:
            self.original_modes = termios.tcgetattr(0)
        except termios.error:
            return
        self._disable(termios.ECHO | termios.ICANON)
        self.interrupted = False
        for number, handler in (
            (signal.SIGINT, self._on_sigint),
            (signal.SIGTSTP, self._on_sigtstp),
            (signal.SIGCONT, self._on_sigcont),
            (signal.SIGTERM, self._on_sigterm),
        ):
            self.handlers[number] = signal.signal(number, handler)

    def release(self) -> None:
        """Restore the terminal modes."""
        if self.original_modes is None:
            return
        with suppress(termios.error):  # of a terminal that is gone
            termios.tcsetattr(0, termios.TCSADRAIN, self.original_modes)
        self.original_modes = None
        for number, handler in self.handlers.items():
            signal.signal(number, handler)
        self.handlers.clear()

    def poll_interrupt(self) -> bool:
        """True if Ctrl-C was pressed since the last call. Clears the flag: the caller must act on it."""
        interrupted, self.interrupted = self.interrupted, False
        return interrupted

    def read_ahead(self) -> TypeAhead:
        """Read pending keys; returns the type-ahead line."""
        keys = self._read()
        self.keys_read += keys
        self.ahead.feed(keys)
        return self.ahead

    def read_keys(self) -> str:
        """The keys pressed since the last call, a character each; Escape for every escape sequence."""
        return SEQUENCE.sub("\x1b", self._read()) if self.original_modes is not None else ""

    def wait(self, seconds: float) -> None:
        """Wait for a key, at most `seconds`."""
        if self.original_modes is not None:
            select.select([0], [], [], max(0.0, seconds))
        else:
            time.sleep(max(0.0, seconds))

    def begin_prompt(self) -> None:
        """Prepare for a prompt: Ctrl-C is read as a key, and a pending one is forgotten."""
        if self.original_modes is not None:
            self._disable(termios.ECHO | termios.ICANON | termios.ISIG)
        self.interrupted = False

    def end_prompt(self) -> None:
        """Collect keys again after a prompt."""
        if self.original_modes is not None:
            self._disable(termios.ECHO | termios.ICANON)
            signal.signal(signal.SIGINT, self._on_sigint)  # asyncio has replaced it
        self.ahead, self.keys_read = TypeAhead(), ""

    def suspend(self) -> None:
        """Stop the process group, as Ctrl-Z does."""
        if self.original_modes is not None:
            self._stop(0)

    def save_modes(self) -> None:
        """Remember the current modes, to be restored when the program continues."""
        if self.original_modes is not None:
            self.current_modes = termios.tcgetattr(0)

    @contextmanager
    def defer_signals(self) -> Iterator[None]:
        """Defer stops and redraws until the block has finished drawing."""
        self.drawing = True
        try:
            yield
        finally:
            self.drawing = False
            deferred, self.deferred = self.deferred, None
            if deferred is not None:
                deferred()

    def _read(self) -> str:
        """The pending keys."""
        keys = b""
        while self.original_modes is not None and select.select([0], [], [], 0)[0]:
            more = os.read(0, 4096)
            keys += more
            if not more:
                break
        return keys.decode(errors="ignore")

    def _disable(self, flags: int) -> None:
        self.current_modes = list(self.original_modes)
        self.current_modes[IFLAG] &= ~termios.IXON
        self.current_modes[LFLAG] &= ~flags
        termios.tcsetattr(0, termios.TCSANOW, self.current_modes)

    def _on_sigint(self, number: int, frame: Any) -> None:
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True

    def _on_sigterm(self, number: int, frame: Any) -> None:
        error = Terminated(128 + number)
        if self.on_sigterm is None:
            raise error
        self.on_sigterm(error)

    def _on_sigtstp(self, number: int, frame: Any) -> None:
        if self.drawing:
            self.deferred = partial(self._stop, os.getpid())
        else:
            self._stop(os.getpid())

    def _stop(self, process: int) -> None:
        self.on_stop()
        termios.tcsetattr(0, termios.TCSADRAIN, self.original_modes)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.signal(signal.SIGCONT, signal.SIG_DFL)
        os.kill(process, signal.SIGTSTP)  # returns when the program continues
        signal.signal(signal.SIGTSTP, self._on_sigtstp)
        signal.signal(signal.SIGCONT, self._on_sigcont)
        self._resume()

    def _on_sigcont(self, number: int, frame: Any) -> None:
        """SIGCONT after a stop that could not be caught: restore the terminal modes and the picture."""
        if self.drawing:
            self.deferred = self._resume
        else:
            self._resume()

    def _resume(self) -> None:
        if self.original_modes is not None:
            termios.tcsetattr(0, termios.TCSANOW, self.current_modes)
            self.on_continue()
