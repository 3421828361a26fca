"""External engines that tests start."""

import gc
import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from gameplay import registry
from gameplay.errors import Fault
from gameplay.matches.clock import Clock
from gameplay.matches.match import Match
from gameplay.players import process, seats
from gameplay.players.player import Choice, Player
from gameplay.players.process import ProcessPlayer
from gameplay.protocols import channel
from gameplay.search import session
from tests.support.paths import TESTS

MOCK = TESTS / "support" / "mock_engine.py"
GAME = registry.game("tictactoe")


class Last(Player):
    """Plays the last legal move."""

    spec = name = "last"

    def choose(self, match: Match) -> Choice | None:
        return Choice(max(match.moves()))


def marked_processes(mark: str) -> list[int]:
    """The processes with `mark` in their command line; zombies have none."""
    results = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "cmdline").read_bytes():
                results.append(int(folder.name))
        except OSError:
            pass
    return [pid for pid in results if pid != os.getpid()]


def are_gone(mark: str) -> bool:
    """True if none of them remains, within the moment that a killed process needs to end."""
    ends = time.monotonic() + 60
    while marked_processes(mark) and time.monotonic() < ends:
        time.sleep(0.01)
    return not marked_processes(mark)


@pytest.fixture(autouse=True)
def short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timeouts that a test can afford."""
    monkeypatch.setattr(session, "MAX_GRACE", 0.5)
    monkeypatch.setattr(process, "QUERY", 0.5)
    monkeypatch.setattr(channel, "TERMINATE_TIMEOUT", 0.2)


@pytest.fixture
def mark() -> Iterator[str]:
    """A word that marks the processes of this test; none may remain."""
    word = f"mark-{uuid4().hex}"
    yield word
    gc.collect()
    ended = are_gone(word)
    for pid in marked_processes(word):
        os.kill(pid, signal.SIGKILL)
    assert ended


def mock(mark: str, *faults: str, protocol: str = "ugi", options: str = "") -> ProcessPlayer:
    command = [sys.executable, "-I", "-S", str(MOCK), "--mark", mark, "--protocol", protocol]
    for fault in faults:
        command += ["--fault", fault]
    spec = f"{protocol}:{shlex.join(command)},name=mock{options}"
    player = seats.player(spec, GAME)
    assert isinstance(player, ProcessPlayer)
    return player


def play_match(player: ProcessPlayer, clock: Clock | None = None) -> Match:
    match = Match(GAME, [player, Last()], clock=clock)
    match.play()
    return match


def play_to_fault(player: ProcessPlayer, clock: Clock | None = None) -> Fault:
    with pytest.raises(Fault) as caught:
        play_match(player, clock)
    assert caught.value.seat == 0
    return caught.value
