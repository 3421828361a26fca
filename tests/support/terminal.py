"""The program on a terminal: pexpect types, pyte reads the screen."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect")
pyte = pytest.importorskip("pyte")
PROGRAM = (sys.executable, "-m", "gameplay")
PATIENCE = 45  # seconds for what takes a moment; only a failing test waits so long
BEGIN, END = b"\x1b[?2026h", b"\x1b[?2026l"  # around a picture, which arrives in several pieces
RIGHT, LEFT, DOWN, UP = "\x1b[C", "\x1b[D", "\x1b[B", "\x1b[A"


class Terminal:
    """A program in a terminal of a given size."""

    def __init__(self, arguments: list[str], width: int, height: int, env: dict[str, str]) -> None:
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.shown: list[str] = []  # what the screen showed after each piece of output
        # PROMPT_TOOLKIT_NO_CPR: this terminal does not answer where its cursor is.
        plain = {
            key: value
            for key, value in os.environ.items()
            if key not in ("NO_COLOR", "FORCE_COLOR", "LC_ALL")
        }
        self.child = pexpect.spawn(
            arguments[0],
            arguments[1:],
            dimensions=(height, width),
            env=plain
            | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
            | {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "PYTHONUTF8": "1"}
            | {"GAMEPLAY_PANEL": "full", "GAMEPLAY_PACE": "instant"}
            | env,
            timeout=PATIENCE,
        )

    def text(self) -> str:
        """The text on the screen, without trailing spaces and empty lines."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip() + "\n"

    def until(self, shows: str | Callable[[str], bool]) -> str:
        """Wait until the screen shows something, drawn to its end; return all that it shows."""
        seen = shows if callable(shows) else lambda text: shows in text
        ends = time.monotonic() + 2 * PATIENCE  # a search goes on writing whatever is waited for
        text = self.text()
        while self.raw.rfind(BEGIN) > self.raw.rfind(END) or not seen(text):
            try:
                if time.monotonic() > ends:
                    raise pexpect.TIMEOUT("")
                data = self.child.read_nonblocking(65536, timeout=PATIENCE)
            except (pexpect.TIMEOUT, pexpect.EOF) as error:
                pytest.fail(f"{type(error).__name__} while waiting for {shows!r}; the screen:\n{text}")
            self.raw += data
            self.stream.feed(data)
            text = self.text()
            self.shown.append(text)
        return text

    def type(self, keys: str) -> "Terminal":
        self.child.send(keys)
        return self

    def resize(self, width: int, height: int) -> None:
        self.screen.resize(height, width)
        self.screen.reset()
        self.child.setwinsize(height, width)

    def leaves(self, keys: str) -> int:
        """Type the input that leaves a running game and wait for the end; the exit status."""
        self.type(keys).until("play --resume")
        return self.status()

    def status(self) -> int:
        """Wait for the end; return the exit status."""
        while True:
            try:
                data = self.child.read_nonblocking(65536, timeout=PATIENCE)
            except pexpect.EOF:
                break
            self.raw += data
            self.stream.feed(data)
        self.child.wait()  # it may still be ending: `close` would interrupt it
        self.child.close()
        assert self.child.exitstatus is not None
        return int(self.child.exitstatus)

    def close(self) -> None:
        """Close the terminal, and wait until the program has ended."""
        try:
            self.child.close(force=True)
        except pexpect.ExceptionPexpect:  # killed, but a busy machine takes longer than pexpect waits
            self.child.wait()

    def prompts(self, after: str) -> str:
        """Wait until a program in plain mode shows a text and then prompts for a line."""
        return self.until(lambda text: after in text and text.endswith("\n>\n"))


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*arguments: str, width: int = 80, height: int = 24, **env: str) -> Terminal:
        program = list(arguments) if arguments[0] == "bash" else [*PROGRAM, *arguments]
        opened.append(Terminal(program, width, height, env))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


Start = Callable[..., Terminal]
EASY = ("play", "tictactoe", "--engine", "minimax:depth=1", "--seed", "1")


def at_a_move(terminal: Start, *words: str, **options: Any) -> Terminal:
    """A started game that prompts for a move."""
    player = terminal(*words, **options)
    player.until("type a move")
    return player
