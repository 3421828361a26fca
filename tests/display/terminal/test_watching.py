"""The keys of a spectator, without a terminal."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from gameplay.display.terminal import watching as watching_module
from gameplay.display.terminal.watching import DEFAULT_PACE, PACES, Watching

pytestmark = pytest.mark.once


class Keys:
    """A keyboard with scripted keys, one at each poll."""

    interrupted = False

    def __init__(self, typed: str = "") -> None:
        self.typed = list(typed)
        self.waits: list[float] = []

    def read_keys(self) -> str:
        return self.typed.pop(0) if self.typed else ""

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        assert len(self.waits) < 1000, "nobody goes on"


def watching(typed: str = "", pace: int = len(PACES) - 1) -> Watching:
    watching = Watching(Keys(typed))
    watching.pace = pace
    return watching


def waiting(watch: Watching, shown: list[str]) -> Callable[[float], None]:
    """Wait for a key as a screen does, and record the line it changes."""

    def wait(seconds: float) -> None:
        watch.keyboard.wait(seconds)
        if watch.listen():
            shown.append(watch.line())

    return wait


def test_pause_lasts_until_the_user_continues() -> None:
    shown: list[str] = []
    watch = watching("x-+p")
    watch.paused = True
    watch.wait_after_move(waiting(watch, shown))
    assert not watch.paused and len(shown) == 4
    assert shown[0] == "paused  space: step  p: go on  q: leave" and shown[-1].startswith("p: pause")


def test_a_step_is_one_move_and_the_pause_stays() -> None:
    watch = watching(" ")
    watch.paused = True
    watch.wait_after_move(waiting(watch, []))
    assert watch.paused and not watch.leaving
    watch.keyboard.typed = list("q")
    watch.wait_after_move(waiting(watch, []))
    assert watch.leaving, "the next move paused again, until somebody left"


@pytest.mark.parametrize(
    ("typed", "pace"),
    [("+", DEFAULT_PACE + 1), ("-", DEFAULT_PACE - 1), ("+" * 9, len(PACES) - 1), ("-" * 9, 0)],
)
def test_the_speed_has_ends(typed: str, pace: int) -> None:
    watch = watching(typed, DEFAULT_PACE)
    for _ in typed:
        assert watch.listen()
    assert watch.pace == pace and f"({PACES[pace]:g} s)" in watch.line()
    assert not watch.listen()


def test_watching_lists_the_active_keys() -> None:
    watch = watching("pq")
    watch.listen()
    assert watch.line(searching=True) == "pause after this move  space: step  p: go on  q: leave"
    watch.listen()
    assert watch.line() == "leaving"


def test_move_is_shown_for_the_time_of_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keyboard is polled twenty times a second, the last time after the remaining time."""
    now = [10.0]
    keys = Keys()
    monkeypatch.setattr(watching_module, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def wait(seconds: float) -> None:
        keys.waits.append(round(seconds, 6))
        now[0] += seconds

    monkeypatch.setattr(keys, "wait", wait)
    watch = Watching(keys)
    shown: list[str] = []
    watch.pace = PACES.index(0.25)
    watch.wait_after_move(waiting(watch, shown))
    assert keys.waits == [0.05] * 5 and shown == []
    keys.waits.clear()
    keys.typed = ["+"]
    watch.wait_after_move(waiting(watch, shown))
    assert shown == ["p: pause  + -: speed (0.1 s)  q: leave"] and keys.waits == [0.05] * 2
    keys.waits.clear()
    watch.stepping = True
    keys.interrupted = True
    watch.wait_after_move(waiting(watch, []))
    assert keys.waits == [] and not watch.stepping
    keys.interrupted, watch.paused, keys.typed = False, True, ["", "_", " "]
    watch.wait_after_move(waiting(watch, shown))
    assert keys.waits == [0.05] * 3 and watch.stepping and watch.pace == PACES.index(0.25)
    for key in "=q":
        watch.press(key)
    assert (watch.pace, watch.leaving) == (PACES.index(0.1), True)
    for key in "\x1b\x04":
        watch.leaving = False
        watch.press(key)
        assert watch.leaving
    watch.stepping = True
    watch.press("p")
    assert not watch.paused and not watch.stepping
