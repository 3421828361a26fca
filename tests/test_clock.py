"""Clocks: what the words mean, both sides of each edge, and that nobody plans beyond their time."""

from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import Fault, Usage
from gameplay.matches.clock import Clock, control, share
from gameplay.matches.match import Match
from gameplay.players.engine import EnginePlayer
from gameplay.players.player import Choice, Player
from gameplay.search.limit import Limit
from gameplay.search.session import Session

TICK = 0.000_001  # the smallest time a clock tells


class Fake:
    """A clock on the wall that moves when told to."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


class Slow(Player):
    """A player who takes the times given, move by move, and plays the first legal move."""

    spec = name = "slow"

    def __init__(self, wall: Fake, *times: float) -> None:
        self.wall = wall
        self.times = list(times)

    def choose(self, match: Match) -> Choice | None:
        self.wall.time += self.times.pop(0) if self.times else 0.0
        return Choice(match.moves()[0])


def spend(words: str, *times: float, margin: float = 0.0) -> tuple[Clock, list[bool]]:
    """One player's clock after moves that took those times, and whether their flag fell at each."""
    wall = Fake()
    clock = Clock([control(words)], margin, wall)
    fallen = []
    for seconds in times:
        clock.start(0)
        wall.time += seconds
        fallen.append(clock.stop(0).fallen)
    return clock, fallen


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("60", "60"),
        ("60+0.6", "60+0.6"),
        ("40/60+0.6", "40/60+0.6"),
        ("40/5m", "40/300"),
        ("5/move", "5/move"),
        ("0.1 / move", "0.1/move"),
        ("60+2delay", "60+2delay"),
        ("5m+30byoyomi", "300+30byoyomi"),
        ("1h + 3x30 byoyomi", "3600+3x30byoyomi"),
        ("0+10byoyomi", "0+10byoyomi"),
    ],
)
def test_words(words: str, told: str) -> None:
    assert str(control(words)) == told
    assert control(told) == control(words)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "a time is missing"),
        ("soon", "'soon' is no time"),
        ("-5", "'-5' is no time"),
        ("0", "'0' is not between"),
        ("nan", "'nan' is no time"),
        ("1e9", "'1e9' is no time"),
        ("9999h", "'9999h' is not between"),
        ("60+", "a time is missing"),
        ("60+x", "'x' is no time"),
        ("0/60", "'0' is no number of moves"),
        ("many/60", "'many' is no number of moves"),
        ("40/", "a time is missing"),
        ("5/move+1", "nothing is added"),
        ("60+0delay", "'0' is not between"),
        ("40/60+10byoyomi", "byoyomi follows a time for the whole game"),
        ("60+0x10byoyomi", "'0' is no number of periods"),
    ],
)
def test_nonsense_is_refused(words: str, why: str) -> None:
    with pytest.raises(Usage, match=f"is no time control: .*{why}.* \\(right are 60"):
        control(words)


def test_the_flag_falls_after_the_last_instant_and_not_at_it() -> None:
    assert spend("10", 4.0, 6.0)[1] == [False, False]
    assert spend("10", 4.0, 6.0 + TICK)[1] == [False, True]


def test_the_margin_forgives_what_it_covers_and_no_more() -> None:
    clock, fallen = spend("10", 10.05, margin=0.05)
    assert fallen == [False] and clock.remaining(0) == 0  # never below nothing
    assert spend("10", 10.05 + TICK, margin=0.05)[1] == [True]
    wall = Fake()
    late = Clock([control("10")], 0.05, wall)
    late.start(0)
    wall.time += 10.075
    stop = late.stop(0)
    assert (stop.elapsed, stop.remaining, stop.fallen, stop.over) == (10.075, 0.0, True, 0.075)


def test_increments_add_up_exactly_and_come_after_the_move() -> None:
    clock, fallen = spend("1+0.1", *[0.1] * 1000)
    assert clock.remaining(0) == 1.0 and not any(fallen)
    assert spend("1+0.1", 1.0 + TICK)[1] == [True]
    assert spend("1+0.1", 1.0, 0.1)[1] == [False, False]
    assert spend("1+0.1", 1.0, 0.1 + TICK)[1] == [False, True]


def test_more_time_comes_when_the_moves_are_made() -> None:
    clock, _ = spend("3/6", 1.0, 1.0, 1.0)
    assert clock.remaining(0) == 9.0 and clock.moves_to_go(0) == 3
    assert spend("3/6", 2.0, 2.0)[0].moves_to_go(0) == 1
    assert spend("3/6", 2.0, 2.0, 2.0, 6.0)[1] == [False] * 4
    assert spend("3/6", 2.0, 2.0, 2.0 + TICK)[1][-1]
    assert spend("3/6", 2.0, 2.0, 2.0, 6.0 + TICK)[1][-1]


def test_time_for_each_move_is_not_kept() -> None:
    assert spend("5/move", 1.0, 5.0, 5.0)[1] == [False] * 3
    assert spend("5/move", 1.0, 5.0 + TICK)[1] == [False, True]
    clock, _ = spend("5/move", 1.0)
    assert clock.allowance(0) == 5.0 and clock.each(0) and not spend("5")[0].each(0)


def test_bronstein_delay_comes_first_and_is_not_kept() -> None:
    clock, fallen = spend("10+2delay", 1.0, 2.0, 5.0)
    assert clock.remaining(0) == 7.0 and clock.allowance(0) == 9.0 and not any(fallen)
    assert spend("10+2delay", 12.0)[1] == [False]
    assert spend("10+2delay", 12.0 + TICK)[1] == [True]


def test_byoyomi_stays_whole_until_it_is_overstepped() -> None:
    assert spend("10+5byoyomi", 10.0, 5.0, 5.0, 5.0)[1] == [False] * 4
    assert spend("10+5byoyomi", 15.0)[1] == [False]
    assert spend("10+5byoyomi", 15.0 + TICK)[1] == [True]
    assert spend("10+5byoyomi", 10.0, 5.0 + TICK)[1] == [False, True]
    clock, _ = spend("10+3x5byoyomi", 10.0, 5.0)
    assert clock.allowance(0) == 15.0
    clock, fallen = spend("10+3x5byoyomi", 10.0, 5.0 + TICK, 5.0)
    assert clock.allowance(0) == 10.0 and not any(fallen)
    assert spend("10+3x5byoyomi", 10.0, 15.0 + TICK)[1] == [False, True]
    assert spend("10+4x5byoyomi", 17.0)[0].allowance(0) == 15.0  # one period is gone, no more


def test_only_moves_earn_time_and_a_clock_can_start_anew() -> None:
    wall = Fake()
    clock = Clock([control("10+1"), None], 0.0, wall)
    clock.start(0)
    wall.time += 2.0
    clock.start(0)  # what was before is free
    wall.time += 3.0
    assert clock.stop(0, moved=False).remaining == 7.0
    clock.start(1)
    wall.time += 1e6
    assert not clock.stop(1).fallen and not clock.runs(1)
    clock.reset()
    assert clock.remaining(0) == 10.0


@pytest.mark.parametrize(
    "words", ["0.02", "1", "60", "60+0.6", "40/60", "1/10", "5/move", "60+2delay", "9+3x5byoyomi"]
)
@pytest.mark.parametrize("late", [0.0, 0.05])
def test_nobody_who_keeps_to_his_share_loses_on_time(words: str, late: float) -> None:
    wall = Fake()
    clock = Clock([control(words)], 0.0, wall)
    for _ in range(300):
        seconds = clock.seconds(0)
        assert 0 < seconds <= max(clock.allowance(0), 0.001)
        clock.start(0)
        wall.time += seconds + (late if clock.allowance(0) > 0.12 else 0.0)
        if clock.stop(0).fallen:
            assert words in ("0.02", "1", "60") and clock.remaining(0) < 0.12  # it had to end at some time
            break


def test_shares() -> None:
    assert share(100.0) == pytest.approx(4.0 - 0.06)
    assert share(100.0, 2.0) == pytest.approx(6.0 - 0.06)
    assert share(100.0, 0.0, 10) == pytest.approx(10.0 - 0.06)
    assert share(10.0, 0.0, 1) == pytest.approx(10.0 - 0.06)
    assert share(10.0, 30.0) == pytest.approx(7.5 - 0.06)  # an increment is no time yet
    assert share(0.0, 30.0, 0, 30.0) == pytest.approx(30.0 - 0.06)  # byoyomi is


# -- in a match ---------------------------------------------------------------------------------


def match(wall: Fake, times: list[float], margin: float = 0.0, game: str = "tictactoe") -> Match:
    players = [Slow(wall, *times[0::2]), Slow(wall, *times[1::2])]
    return Match(registry.game(game), players, clock=Clock([control("10")] * 2, margin, wall))


def test_a_match_is_lost_on_time() -> None:
    played = match(Fake(), [1.0, 2.0, 3.0, 8.0 + TICK])
    played.play()
    assert (played.payoffs, played.reason) == ((1, -1), "time")
    assert played.words() == ["a1", "b1", "c1"]
    assert [turn.seconds for turn in played.turns] == [1.0, 2.0, 3.0]
    assert "slow took 8.000 s, 0 ms too long" in played.note
    assert played.undo() == 1 and not played.reason and not played.note and len(played.turns) == 3


def test_in_time_is_in_time_and_the_margin_counts() -> None:
    on_the_dot = match(Fake(), [1.0, 2.0, 9.0, 8.0])
    on_the_dot.play()
    assert on_the_dot.reason == "rules"
    late = match(Fake(), [10.05], margin=0.05)
    late.play()
    assert late.reason == "rules"


def test_where_a_loss_has_no_payoffs_it_is_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "points.py"
    file.write_text(
        "from gameplay import Position, undoable\n"
        "class Points(Position):\n"
        "    scored = True\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.made = 0\n"
        "    def moves(self):\n"
        "        return [0, 1]\n"
        "    @undoable\n"
        "    def make(self, move):\n"
        "        self.made += 1\n"
        "        self.turn = 1 - self.turn\n"
        "    def outcome(self):\n"
        "        return (3, -3) if self.made == 4 else None\n"
    )
    with pytest.raises(Fault, match="too long") as caught:
        match(Fake(), [0.0, 11.0], game=str(file)).play()
    assert (caught.value.kind, caught.value.seat) == ("time_forfeit", 1)


def test_an_engine_shares_out_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, _ = registry.engine("iterative")
    limits: list[Limit] = []
    search = Session.search

    def spy(self: Any, position: Any, limit: Limit, watch: Any) -> Any:
        limits.append(limit)
        return search(self, position, Limit(depth=1), watch)

    monkeypatch.setattr(Session, "search", spy)
    clock = Clock([control("25"), control("5/move")], 0.0, Fake())
    players = [EnginePlayer(engine, Limit(depth=3)), EnginePlayer(engine, Limit(seconds=0.5))]
    Match(registry.game("tictactoe"), players, clock=clock).play()
    assert limits[:2] == [Limit(depth=3, seconds=1.0 - 0.06), Limit(seconds=0.5)]
