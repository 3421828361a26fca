"""Programs that speak a protocol, driven line by line."""

import os
import time

import pytest

from gameplay.protocols.channel import Broken, Channel


class Talk:
    """A conversation with a program, line by line. No wait is longer than two minutes."""

    def __init__(self, *command: str) -> None:
        self.channel = Channel([*command])

    def send(self, *lines: str | bytes) -> None:
        for line in lines:
            if isinstance(line, bytes):
                os.write(self.channel.input, line + b"\n")
            else:
                self.channel.send(line, time.monotonic() + 120)

    def until(self, word: str) -> list[str]:
        """The output up to the first line that begins with `word`."""
        lines: list[str] = []
        while not lines or not lines[-1].startswith(word):
            line = self.channel.receive(time.monotonic() + 120)
            assert line is not None, f"no '{word}' came: {lines}"
            lines.append(line)
        return lines

    def ask(self, *lines: str, until: str = "bestmove") -> list[str]:
        self.send(*lines)
        return self.until(until)

    def close(self, *last: str) -> None:
        """Send the last words or close the input; the program must exit normally."""
        self.send(*last)
        if not last:
            assert self.channel.process.stdin is not None
            self.channel.process.stdin.close()
        with pytest.raises(Broken, match="exited with status 0"):
            while self.channel.receive(time.monotonic() + 120) is not None:
                pass
        assert list(self.channel.tail) == []
        self.channel.close()
