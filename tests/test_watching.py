"""The keys of somebody who watches, without a terminal."""

import pytest

from gameplay.display.watching import PACES, USUAL, Watching

pytestmark = pytest.mark.once


class Keys:
    """A keyboard on which one key after the other is pressed, one a look."""

    hurried = False

    def __init__(self, typed: str = "") -> None:
        self.typed = list(typed)
        self.waits: list[float] = []

    def pressed(self) -> str:
        return self.typed.pop(0) if self.typed else ""

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        assert len(self.waits) < 1000, "nobody goes on"


def watching(typed: str = "", pace: int = len(PACES) - 1) -> Watching:
    made = Watching(Keys(typed))  # type: ignore[arg-type]
    made.pace = pace
    return made


def test_a_pause_lasts_until_somebody_goes_on() -> None:
    shown: list[str] = []
    watch = watching("x-+p")
    watch.paused = True
    watch.rest(lambda: shown.append(watch.line()))
    assert not watch.paused and len(shown) == 4
    assert shown[0] == "paused  space: step  p: go on  q: leave" and shown[-1].startswith("p: pause")


def test_a_step_is_one_move_and_the_pause_stays() -> None:
    watch = watching(" ")
    watch.paused = True
    watch.rest(lambda: None)
    assert watch.paused and not watch.leaving
    watch.keyboard.typed = list("q")  # type: ignore[attr-defined]
    watch.rest(lambda: None)
    assert watch.leaving, "the next move paused again, until somebody left"


@pytest.mark.parametrize(
    ("typed", "pace"), [("+", USUAL + 1), ("-", USUAL - 1), ("+" * 9, len(PACES) - 1), ("-" * 9, 0)]
)
def test_the_speed_has_ends(typed: str, pace: int) -> None:
    watch = watching(typed, USUAL)
    for _ in typed:
        assert watch.listen()
    assert watch.pace == pace and f"({PACES[pace]:g} s)" in watch.line()
    assert not watch.listen()


def test_what_can_be_pressed_is_told() -> None:
    watch = watching("pq")
    watch.listen()
    assert watch.line(searching=True) == "pause after this move  space: step  p: go on  q: leave"
    watch.listen()
    assert watch.line() == "leaving"
