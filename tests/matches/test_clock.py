"""Clocks: syntax, both sides of each limit, and time shares within the clock."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.errors import Fault, Usage
from gameplay.matches.clock import Clock, Stop, allocate_time, parse_time_control
from gameplay.matches.match import Match
from gameplay.players.engine import EnginePlayer
from gameplay.players.human import Human
from gameplay.players.interpreter import Interpreter
from gameplay.players.player import Choice, Player
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.store.record import decode, encode, record_of, restore
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

CLOCKS = tomllib.loads((TESTS / "answers" / "clocks.toml").read_text())

TICK = 0.000_001  # the smallest time a clock tells


class FakeTime:
    """A wall clock that the test advances."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


class TimedPlayer(Player):
    """A player who uses the given times, move by move, and plays the first legal move."""

    spec = name = "slow"

    def __init__(self, wall: FakeTime, *times: float) -> None:
        self.wall = wall
        self.times = list(times)

    def choose(self, match: Match) -> Choice | None:
        self.wall.time += self.times.pop(0) if self.times else 0.0
        return Choice(match.moves()[0])


def spend(words: str, *times: float, margin: float = 0.0) -> tuple[Clock, list[bool]]:
    """One player's clock after moves of those times, and whether the flag fell at each."""
    wall = FakeTime()
    clock = Clock([parse_time_control(words)], margin, wall)
    fallen = []
    for seconds in times:
        clock.start(0)
        wall.time += seconds
        fallen.append(clock.stop(0).flag_fallen)
    return clock, fallen


@pytest.mark.parametrize(
    ("words", "message"),
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
        ("5m+3x30", "300+3x30byoyomi"),
        ("1:30", "90"),
        ("1:30:05+0:10", "5405+10"),
        ("40/1:30:00+30", "40/5400+30"),
    ],
)
def test_words(words: str, message: str) -> None:
    assert str(parse_time_control(words)) == message
    assert parse_time_control(message) == parse_time_control(words)


def test_typed_time_controls_are_in_minutes() -> None:
    for words, expected, english in CLOCKS["typed"]:
        assert str(parse_time_control(words, minutes=True)) == expected
        assert parse_time_control(expected).description == english


def test_clock_error_gives_examples() -> None:
    with pytest.raises(Usage, match=r"'five' is not a time \(examples: 5\+3, 0:30"):
        parse_time_control("five", minutes=True)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "a time is missing"),
        ("soon", "'soon' is not a time"),
        ("-5", "'-5' is not a time"),
        ("0", "'0' is not between"),
        ("nan", "'nan' is not a time"),
        ("1e9", "'1e9' is not a time"),
        ("9999h", "'9999h' is not between"),
        ("60+", "a time is missing"),
        ("60+x", "'x' is not a time"),
        ("0/60", "'0' is not a number of moves"),
        ("many/60", "'many' is not a number of moves"),
        ("40/", "a time is missing"),
        ("5/move+1", "has no increment"),
        ("60+0delay", "'0' is not between"),
        ("40/60+10byoyomi", "byoyomi follows a time for the whole game"),
        ("60+0x10byoyomi", "'0' is not a number of periods"),
        ("1:75", "'1:75' is not a time"),
        ("5+x30", "'x30' is not a time"),
        ("5+3x", "'3x' is not a time"),
    ],
)
def test_malformed_clocks_are_refused(words: str, why: str) -> None:
    with pytest.raises(Usage, match=f"is not a time control: .*{why}.* \\(examples: 60"):
        parse_time_control(words)


def test_clock_limits() -> None:
    """A millisecond to a million seconds, 10,000 moves, 1,000 periods; an increment may be 0."""
    plain = {"moves": 0, "increment": 0.0, "delay": 0.0, "byoyomi": 0.0, "periods": 1, "keeps": True}
    for words, facts in (
        ("0.001", {"main": 0.001}),
        ("1000000", {"main": 1e6}),
        ("10000/1", {"main": 1.0, "moves": 10_000}),
        ("1/1+0", {"main": 1.0, "moves": 1}),
        ("0.001/move", {"main": 0.001, "keeps": False}),
        ("0.001+0.001delay", {"main": 0.001, "delay": 0.001}),
        ("0+1000x0.001byoyomi", {"main": 0.0, "byoyomi": 0.001, "periods": 1000}),
        ("0+1x5", {"main": 0.0, "byoyomi": 5.0}),
    ):
        assert structs.asdict(parse_time_control(words)) == plain | facts
    for words, why in (
        ("0.0009", "'0.0009' is not between 0.001 and 1,000,000 seconds"),
        ("1000000.5", "'1000000.5' is not between 0.001 and 1,000,000 seconds"),
        ("10001/1", "'10001' is not a number of moves from 1 to 10,000"),
        ("0.0009/move", "'0.0009' is not between 0.001 and 1,000,000 seconds"),
        ("0.0009+1delay", "'0.0009' is not between 0.001 and 1,000,000 seconds"),
        ("1+0.0009delay", "'0.0009' is not between 0.001 and 1,000,000 seconds"),
        ("1+0.0009byoyomi", "'0.0009' is not between 0.001 and 1,000,000 seconds"),
        ("0.0009+1", "'0.0009' is not between 0.001 and 1,000,000 seconds"),
        ("1+1000001", "'1000001' is not between 0 and 1,000,000 seconds"),
        ("1+1001x5", "'1001' is not a number of periods from 1 to 1,000"),
        ("1:60", "'1:60' is not a time"),
    ):
        with pytest.raises(Usage) as error:
            parse_time_control(words)
        end = "(examples: 60+0.6, 40/60+0.6, 5/move, 60+2delay, 5m+30byoyomi)"
        assert str(error.value) == f"'{words}' is not a time control: {why} {end}"
    lengths = ["0.5 s", "30 s", "59 s", "1 min", "61 s", "1.5 min", "100 s", "60 min"]
    assert [
        parse_time_control(words).description for words in ("0.5", "30", "59", "60", "61", "90", "100", "1h")
    ] == lengths


def test_player_without_clock_is_never_late() -> None:
    wall = FakeTime()
    clock = Clock([parse_time_control("3/6+1"), None], 0.5, wall)
    clock.start(1)
    wall.time += 7.0
    assert clock.stop(1) == Stop(7.0, float("inf"), False, 0.0) and not clock.flag_fallen()
    assert [clock.remaining(1), clock.allowance(1), clock.bonus(1), clock.each(1)] == [
        *(float("inf"), float("inf"), 0.0, False)
    ]
    clock.think(1, 5.0)
    assert clock.thought == 0.0
    clock.think(0, 2.0)
    clock.start(0)
    wall.time += 1.0
    assert clock.stop(0) == Stop(3.0, 4.0, False, 0.0) and clock.thought == 0.0
    clock.start(0)
    wall.time += 1.5
    assert clock.stop(0, moved=False) == Stop(1.5, 2.5) and clock.thought == 1.5
    clock.start(0)
    wall.time += 3.0
    assert not clock.flag_fallen(), "the margin forgives it"
    wall.time += TICK
    assert clock.flag_fallen()


def test_flag_falls_only_after_the_time_is_exceeded() -> None:
    assert spend("10", 4.0, 6.0)[1] == [False, False]
    assert spend("10", 4.0, 6.0 + TICK)[1] == [False, True]


def test_margin_covers_overruns_up_to_its_size() -> None:
    clock, fallen = spend("10", 10.05, margin=0.05)
    assert fallen == [False] and clock.remaining(0) == 0  # never below nothing
    assert spend("10", 10.05 + TICK, margin=0.05)[1] == [True]
    wall = FakeTime()
    late = Clock([parse_time_control("10")], 0.05, wall)
    late.start(0)
    wall.time += 10.075
    stop = late.stop(0)
    assert (stop.elapsed, stop.remaining, stop.flag_fallen, stop.over) == (10.075, 0.0, True, 0.075)


def test_increments_add_up_exactly_and_come_after_the_move() -> None:
    clock, fallen = spend("1+0.1", *[0.1] * 1000)
    assert clock.remaining(0) == 1.0 and not any(fallen)
    assert spend("1+0.1", 1.0 + TICK)[1] == [True]
    assert spend("1+0.1", 1.0, 0.1)[1] == [False, False]
    assert spend("1+0.1", 1.0, 0.1 + TICK)[1] == [False, True]


def test_time_is_added_after_the_moves_of_a_period() -> None:
    clock, _ = spend("3/6", 1.0, 1.0, 1.0)
    assert clock.remaining(0) == 9.0 and clock.moves_to_go(0) == 3
    assert spend("3/6", 2.0, 2.0)[0].moves_to_go(0) == 1
    several = Clock(
        [parse_time_control("5/move"), None, parse_time_control("10+1"), parse_time_control("3/6")]
    )
    assert [several.moves_to_go(seat) for seat in range(4)] == [1, 0, 0, 3]
    assert spend("3/6", 2.0, 2.0, 2.0, 6.0)[1] == [False] * 4
    assert spend("3/6", 2.0, 2.0, 2.0 + TICK)[1][-1]
    assert spend("3/6", 2.0, 2.0, 2.0, 6.0 + TICK)[1][-1]


def test_time_per_move_does_not_accumulate() -> None:
    assert spend("5/move", 1.0, 5.0, 5.0)[1] == [False] * 3
    assert spend("5/move", 1.0, 5.0 + TICK)[1] == [False, True]
    clock, _ = spend("5/move", 1.0)
    assert clock.allowance(0) == 5.0 and clock.each(0) and not spend("5")[0].each(0)


def test_bronstein_delay_is_used_first_and_does_not_accumulate() -> None:
    clock, fallen = spend("10+2delay", 1.0, 2.0, 5.0)
    assert clock.remaining(0) == 7.0 and clock.allowance(0) == 9.0 and not any(fallen)
    assert spend("10+2delay", 12.0)[1] == [False]
    assert spend("10+2delay", 12.0 + TICK)[1] == [True]


def test_byoyomi_period_resets_until_exceeded() -> None:
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


def test_only_moves_earn_increments_and_clocks_restart() -> None:
    wall = FakeTime()
    clock = Clock([parse_time_control("10+1"), None], 0.0, wall)
    clock.start(0)
    wall.time += 2.0
    clock.start(0)  # what was before is free
    wall.time += 3.0
    assert clock.stop(0, moved=False).remaining == 7.0
    clock.start(1)
    wall.time += 1e6
    assert not clock.stop(1).flag_fallen and not clock.runs(1)
    clock.reset()
    assert clock.remaining(0) == 10.0


@pytest.mark.parametrize(
    "words", ["0.02", "1", "60", "60+0.6", "40/60", "1/10", "5/move", "60+2delay", "9+3x5byoyomi"]
)
@pytest.mark.parametrize("late", [0.0, 0.05])
def test_time_share_never_exceeds_the_clock(words: str, late: float) -> None:
    wall = FakeTime()
    clock = Clock([parse_time_control(words)], 0.0, wall)
    for _ in range(300):
        seconds = clock.seconds(0)
        assert 0 < seconds <= max(clock.allowance(0), 0.001)
        clock.start(0)
        wall.time += seconds + (late if clock.allowance(0) > 0.12 else 0.0)
        if clock.stop(0).flag_fallen:
            assert words in ("0.02", "1", "60") and clock.remaining(0) < 0.12  # it had to end at some time
            break


def test_running_clock_shows_the_remaining_time() -> None:
    for words, used, shown in CLOCKS["faces"]:
        wall = FakeTime()
        clock = Clock([parse_time_control(words), None], 0.0, wall)
        clock.start(0)
        wall.time += used
        assert str(clock.face(0)) == shown
        assert clock.face(1) is None
        assert clock.flag_fallen() == (used > clock.allowance(0))


def test_paused_clock_does_not_run() -> None:
    wall = FakeTime()
    clock = Clock([parse_time_control("10")], 0.0, wall)
    clock.pause()
    assert not clock.paused, "nothing ran"
    clock.start(0)
    wall.time += 4
    clock.pause()
    wall.time += 100
    clock.pause()
    assert clock.paused and str(clock.face(0)) == "0:06.0" and not clock.flag_fallen()
    clock.resume()
    clock.resume()
    wall.time += 1
    assert not clock.paused and str(clock.face(0)) == "0:05.0"
    clock.pause()
    wall.time += 100
    assert clock.stop(0).elapsed == 5.0 and not clock.paused, "a move may be made while it stands"


def test_a_game_can_be_brought_back_to_its_clocks() -> None:
    for words in ("10+1", "3/9", "4+2x5", "9+1delay"):
        clock, _ = spend(words, 1.5, 2.25, 3.0)
        again = Clock([parse_time_control(words)])
        again.replay([(0, 1.5), (-1, None), (0, 2.25), (0, 3.0)])
        assert (again.remaining(0), again.allowance(0)) == (clock.remaining(0), clock.allowance(0))
        assert again.moves_to_go(0) == clock.moves_to_go(0)


def test_shares() -> None:
    assert allocate_time(100.0) == pytest.approx(4.0 - 0.06)
    assert allocate_time(100.0, 2.0) == pytest.approx(6.0 - 0.06)
    assert allocate_time(100.0, 0.0, 10) == pytest.approx(10.0 - 0.06)
    assert allocate_time(10.0, 0.0, 1) == pytest.approx(10.0 - 0.06)
    assert allocate_time(10.0, 30.0) == pytest.approx(7.5 - 0.06)  # an increment is not a time yet
    assert allocate_time(0.0, 30.0, 0, 30.0) == pytest.approx(30.0 - 0.06)  # byoyomi is


# -- in a match ---------------------------------------------------------------------------------


def match(wall: FakeTime, times: list[float], margin: float = 0.0, game: str = "tictactoe") -> Match:
    players = [TimedPlayer(wall, *times[0::2]), TimedPlayer(wall, *times[1::2])]
    return Match(registry.game(game), players, clock=Clock([parse_time_control("10")] * 2, margin, wall))


def test_a_match_is_lost_on_time() -> None:
    played = match(FakeTime(), [1.0, 2.0, 3.0, 8.0 + TICK])
    played.play()
    assert (played.payoffs, played.reason) == ((1, -1), "time")
    assert played.words() == ["a1", "b1", "c1"]
    assert [turn.seconds for turn in played.turns] == [1.0, 2.0, 3.0]
    assert "slow took 8.000 s, 0 ms too long" in played.note
    assert played.undo() == 1 and not played.reason and not played.note and len(played.turns) == 3


class TimedHuman(Player):
    """A human with the given inputs, each after the given number of seconds."""

    spec = name = "human"

    def __init__(self, wall: FakeTime, *deeds: tuple[float, Any]) -> None:
        self.wall = wall
        self.deeds = list(deeds)

    def choose(self, match: Any) -> Choice | None:
        seconds, deed = self.deeds.pop(0)
        self.wall.time += seconds
        return Choice(match.moves()[0]) if deed is None else deed(match)


def test_undo_restores_the_clocks() -> None:
    wall = FakeTime()

    def undo(match: Any) -> None:
        match.undo(2)

    def redo(match: Any) -> None:
        match.redo(2)

    x = TimedHuman(
        wall, (1.0, None), (2.0, None), (3.0, undo), (0.5, redo), (0.25, lambda match: match.leave())
    )
    o = TimedHuman(wall, (4.0, None), (1.0, None))
    played = Match(
        registry.game("tictactoe"), [x, o], clock=Clock([parse_time_control("60+1")] * 2, 0.0, wall)
    )
    assert played.clock is not None
    shown: list[tuple[float, float]] = []

    def listen(event: Any) -> None:
        if played.clock is not None and event.kind in ("undo", "redo"):
            shown.append((played.clock.remaining(0), played.clock.remaining(1)))

    played.listeners.append(listen)
    played.play()
    # x moved after 1 and 2 seconds, o after 4 and 1, and one second came with each move
    assert shown == [(59.0, 57.0), (60.0, 57.0), (59.0, 57.0), (59.0, 57.0)]
    assert played.clock.thought == 0.25
    played.restart()
    assert played.clock.remaining(0) == 60.0


def test_record_stores_times_and_a_resumed_game_uses_them() -> None:
    wall = FakeTime()
    x = TimedHuman(wall, (1.5, None), (2.0, None), (7.0, lambda match: match.leave()))
    o = TimedHuman(wall, (4.0, None), (1.25, None))
    played = Match(
        registry.game("tictactoe"), [x, o], clock=Clock([parse_time_control("5+3", True)] * 2, 0.0, wall)
    )
    played.play()
    record = decode(encode(record_of(played)), "here")
    assert (record.clock, record.thought) == ("300+3", 7.0)
    assert [ply.spent for ply in record.moves] == [1.5, 4.0, 2.0, 1.25]
    again = Match(
        registry.game(record.game), [x, o], moves=record.words, clock=Clock([parse_time_control("300+3")] * 2)
    )
    restore(again, record)
    assert again.clock is not None and played.clock is not None
    assert [again.clock.remaining(seat) for seat in (0, 1)] == [300 + 6 - 3.5 - 7, 300 + 6 - 5.25]
    again.leave()
    assert encode(record_of(again)) == encode(record)
    assert record_of(played, times=False).clock == "", "a run knows its clocks from its plan"


def test_human_loses_on_time_before_the_typed_move_counts() -> None:
    wall = FakeTime()

    class PlayerInput:
        def read(self, match: Any, interpreter: Any) -> str:
            wall.time += 61.0
            return "a1"

        def show_answer(self, text: str) -> None:
            raise AssertionError(text)

    human = Human(PlayerInput(), Interpreter())
    played = Match(
        registry.game("tictactoe"),
        [human, human],
        clock=Clock([parse_time_control("1", True)] * 2, 0.0, wall),
    )
    played.play()
    assert (played.payoffs, played.reason, played.turns) == ((-1, 1), "time", [])


def test_in_time_is_in_time_and_the_margin_counts() -> None:
    on_the_dot = match(FakeTime(), [1.0, 2.0, 9.0, 8.0])
    on_the_dot.play()
    assert on_the_dot.reason == "rules"
    late = match(FakeTime(), [10.05], margin=0.05)
    late.play()
    assert late.reason == "rules"


def test_time_loss_without_payoffs_is_a_fault(tmp_path: Path) -> None:
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
        match(FakeTime(), [0.0, 11.0], game=str(file)).play()
    assert (caught.value.kind, caught.value.seat) == ("time_forfeit", 1)


def test_an_engine_shares_out_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, _ = registry.engine("iterative")
    limits: list[Limit] = []
    search = Session.search

    def spy(self: Any, position: Any, limit: Limit, watch: Any, *, copy: bool) -> Any:
        limits.append(limit)
        return search(self, position, Limit(depth=1), watch, copy=copy)

    monkeypatch.setattr(Session, "search", spy)
    clock = Clock([parse_time_control("25"), parse_time_control("5/move")], 0.0, FakeTime())
    players = [EnginePlayer(engine, Limit(depth=3)), EnginePlayer(engine, Limit(seconds=0.5))]
    Match(registry.game("tictactoe"), players, clock=clock).play()
    assert limits[:2] == [Limit(depth=3, seconds=1.0 - 0.06), Limit(seconds=0.5)]
