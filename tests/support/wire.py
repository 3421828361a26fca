"""A channel without a program: records the sent lines, and returns prepared ones."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gameplay.protocols import talk
from gameplay.protocols.talk import Talk

ENDS = 9.0


class Wire:
    """A channel to a program that prints these lines regardless of requests, and then nothing."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.sent: list[str] = []
        self.anew = 0  # how often what it says was counted from nothing

    def send(self, line: str, deadline: float) -> None:
        assert deadline == ENDS
        self.sent.append(line)

    def receive(self, deadline: float) -> str | None:
        assert deadline == ENDS
        return self.lines.pop(0) if self.lines else None

    def reset_answer_size(self) -> None:
        self.anew += 1


def talk_over(cls: type[Talk], *lines: str) -> tuple[Any, Wire]:
    wire = Wire(*lines)
    return cls(cast(Any, wire)), wire


def set_clock(monkeypatch: pytest.MonkeyPatch, times: Iterable[float]) -> None:
    """Time reports by a clock that shows these times in order."""
    now = iter(times)
    monkeypatch.setattr(talk, "time", SimpleNamespace(monotonic=lambda: next(now)))
