"""`play --record`: the file shows what the terminal showed."""

import errno
import json
import os
import signal
from pathlib import Path

import pyte
import pytest

from gameplay.display.terminal import recording
from gameplay.errors import TryLater, Usage
from tests.support.terminal import Start, terminal

pytestmark = pytest.mark.once
__all__ = ["terminal"]


def replay(path: Path) -> tuple[dict[str, object], pyte.Screen]:
    """Return the header of a recording, and the screen after its last event."""
    head, *events = map(json.loads, path.read_text().splitlines())
    screen = pyte.Screen(head["width"], head["height"])
    stream = pyte.Stream(screen)
    times = [time for time, _, _ in events]
    assert times == sorted(times)
    for _, kind, text in events:
        if kind == "r":
            columns, lines = map(int, text.split("x"))
            screen.resize(lines, columns)
            screen.reset()
        else:
            stream.feed(text)
    return head, screen


def test_recording_of_a_game_is_what_the_terminal_showed(terminal: Start, tmp_path: Path) -> None:
    path = tmp_path / "game.cast"
    shown = terminal("play", "tictactoe", "--engine", "minimax", "--record", str(path), width=70, height=22)
    shown.until("type a move")
    shown.type("b2\r").until("1. b2")
    shown.resize(60, 20)
    shown.type("a2\r").until("2. a2")
    assert shown.leaves("quit\r") == 0
    head, screen = replay(path)
    assert (head["version"], head["width"], head["height"]) == (2, 70, 22)
    assert (screen.columns, screen.lines) == (60, 20)
    assert any("2. a2" in line for line in screen.display)
    assert "\n".join([line.rstrip() for line in screen.display]).rstrip() + "\n" == shown.text()


def test_status_of_the_program_is_that_of_the_recorded_one(terminal: Start, tmp_path: Path) -> None:
    shown = terminal("play", "chess", "--position", "nonsense", "--record", str(tmp_path / "x.cast"))
    assert shown.status() == 6
    assert "nonsense" in (tmp_path / "x.cast").read_text()


def test_sigterm_ends_the_recorded_program_and_leaves_its_screen(terminal: Start, tmp_path: Path) -> None:
    path = tmp_path / "game.cast"
    shown = terminal("play", "tictactoe", "--engine", "minimax", "--full", "--record", str(path))
    shown.until("or click")
    shown.child.kill(signal.SIGTERM)
    assert shown.status() == 143
    assert shown.raw.rfind(b"\x1b[?1049l") > shown.raw.rfind(b"\x1b[?1049h") > 0, "the alternate screen"
    assert "\\u001b[?1049l" in path.read_text()


def test_file_that_exists_is_left_alone(terminal: Start, tmp_path: Path) -> None:
    path = tmp_path / "game.cast"
    path.write_text("mine")
    shown = terminal("play", "tictactoe", "--record", str(path))
    assert shown.status() == 2 and path.read_text() == "mine"
    assert "the file exists" in shown.text().replace("\n", " ")


def test_without_a_terminal_nothing_is_recorded(tmp_path: Path) -> None:
    from gameplay.display.terminal import recording

    with pytest.raises(Usage, match="--record requires a terminal"):
        recording.record(tmp_path / "game.cast", "play")
    assert not (tmp_path / "game.cast").exists()


def test_a_full_disk_is_temporary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Unlike a folder that does not exist, which is a wrong option."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "none" / "a.cast"
    with pytest.raises(Usage, match=r"a\.cast: No such file or directory"):
        recording._create(path)
    monkeypatch.setattr(recording, "open", full, raising=False)
    with pytest.raises(TryLater, match=r"a\.cast: No space left on device"):
        recording._create(path)
