"""A series is decided by its seed, whoever plays it; faults of games and workers end it with one line."""

import multiprocessing

import pytest

from gameplay.errors import Fault, Usage
from gameplay.matches.match import Match
from gameplay.matches.rating import NoRating
from gameplay.matches.series import Effort, Played, play, play_one, played, schedule, timed
from gameplay.matches.tally import Tally
from gameplay.players import seats
from gameplay.registry import game

DEEP, SHALLOW = "alphabeta:depth=3", "alphabeta:depth=1"

DICE = '''
from gameplay import CHANCE, Position, undoable


class Dice(Position):
    """Each player adds a die or leaves it, three times each; the greater sum wins."""

    chance = True

    def __init__(self):
        super().__init__()
        self.turn = CHANCE
        self.sums = [0, 0]
        self.turns = 0
        self.die = 0

    def moves(self):
        return [0, 1, 2, 3, 4, 5] if self.turn == CHANCE else [0, 1]

    @undoable
    def make(self, move):
        if self.turn == CHANCE:
            self.die = move + 1
            self.turn = self.turns % 2
        else:
            self.sums[self.turn] += move * self.die
            self.turns += 1
            self.turn = CHANCE

    def outcome(self):
        if self.turns < 6:
            return None
        mine, other = self.sums
        return (1, -1) if mine > other else (-1, 1) if mine < other else (0, 0)
'''

STICKS = '''
import multiprocessing
import os

from gameplay import Position, undoable


class Sticks(Position):
    """Take one, two or three sticks; whoever takes the last one loses."""

    def __init__(self, sticks=20):
        super().__init__()
        self.sticks = sticks

    def moves(self):
        return [take for take in (1, 2, 3) if take <= self.sticks]

    @undoable
    def make(self, move):
        self.sticks -= move
        self.turn = 1 - self.turn
        if self.sticks < 8 and multiprocessing.parent_process() is not None:
            TROUBLE

    def outcome(self):
        if self.sticks:
            return None
        return (1, -1) if self.turn == 0 else (-1, 1)
'''

ENDLESS = """
from gameplay import Position, undoable


class Endless(Position):
    def moves(self):
        return [0, 1]

    @undoable
    def make(self, move):
        self.turn = 1 - self.turn

    def outcome(self):
        return None
"""


def tallied(series):
    tally = Tally()
    for number in range(len(series)):
        match = play_one(series, number)
        tally.add(played(number, match.start, match.words(), match.turns, match.payoffs))
    return tally


def moves_of(match, number):
    return match.words()


def sticks(tmp_path, trouble):
    file = tmp_path / "sticks.py"
    file.write_text(STICKS.replace("TROUBLE", trouble))
    return str(file)


def test_both_legs_share_the_opening_and_exchange_the_seats():
    series = schedule("tictactoe", (DEEP, SHALLOW), 6, seed=3)
    for pair in range(3):
        one, other = play_one(series, 2 * pair), play_one(series, 2 * pair + 1)
        assert one.words()[:2] == other.words()[:2] == list(series.openings[pair].moves)
        assert [p.spec for p in one.players] == [DEEP, SHALLOW]
        assert [p.spec for p in other.players] == [SHALLOW, DEEP]


def test_swapping_the_engines_mirrors_every_figure():
    ours = tallied(schedule("connect4", (DEEP, SHALLOW), 12, seed=2, openings=4))
    theirs = tallied(schedule("connect4", (SHALLOW, DEEP), 12, seed=2, openings=4))
    assert ours.together == theirs.together[::-1]
    assert ours.together[0] != ours.together[2], "a level result would prove little"
    assert ours.results == [counts[::-1] for counts in theirs.results[::-1]]
    assert ours.pairs == theirs.pairs[::-1]
    assert ours.length == theirs.length
    assert [e.nodes for e in ours.efforts] == [e.nodes for e in reversed(theirs.efforts)]
    assert ours.rating().elo == pytest.approx(-theirs.rating().elo)
    assert ours.rating().low == pytest.approx(-theirs.rating().high)


def test_the_same_dice_in_both_legs(tmp_path):
    file = tmp_path / "dice.py"
    file.write_text(DICE)
    series = schedule(str(file), ("random", "random"), 8, seed=1, openings=0)
    rolls = [[t.word for t in play_one(series, n).turns if t.player < 0] for n in range(8)]
    assert all(rolls[2 * pair] == rolls[2 * pair + 1] for pair in range(4))
    assert len({tuple(roll) for roll in rolls}) == 4
    drawn = [[t.word for t in play_one(series, n).turns if t.player >= 0] for n in range(8)]
    assert drawn[0::2] != drawn[1::2], "what an engine draws depends on the leg"


def test_workers_change_nothing():
    series = schedule("tictactoe", ("random", SHALLOW), 12, seed=5)
    alone = [play_one(series, number).words() for number in range(12)]
    pooled = list(play(series, range(12), 2, moves_of))
    assert [game.number for game in pooled] == list(range(12))
    assert [game.kept for game in pooled] == alone
    assert multiprocessing.active_children() == []


def test_a_series_left_early_leaves_no_worker():
    series = schedule("tictactoe", ("random", "random"), 100, seed=5)
    games = play(series, range(100), 2)
    assert next(games).number == 0
    games.close()
    assert multiprocessing.active_children() == []


def test_a_fault_names_the_game(tmp_path):
    series = schedule(sticks(tmp_path, "self.nothing"), ("random", "random"), 4, seed=1)
    with pytest.raises(Fault, match=r"^game 1: sticks: make\(\d\) raised AttributeError.*sticks.py, line 23"):
        list(play(series, range(4), 2))
    assert multiprocessing.active_children() == []


def test_a_worker_that_dies_is_one_line(tmp_path):
    series = schedule(sticks(tmp_path, "os._exit(9)"), ("random", "random"), 4, seed=1)
    with pytest.raises(Fault, match="worker process died"):
        list(play(series, range(4), 2))
    assert multiprocessing.active_children() == []


def test_a_game_without_end_is_a_fault(tmp_path, monkeypatch):
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS)
    monkeypatch.setattr("gameplay.matches.series.PLIES", 100)
    series = schedule(str(file), ("random", "random"), 2, seed=1, openings=0)
    with pytest.raises(Fault, match="endless has not ended after 100 plies"):
        play_one(series, 0)


def test_random_play_differs_where_a_position_comes_again(tmp_path):
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS)
    endless = game(str(file))
    match = Match(endless, [seats.player("random", endless, 1), seats.player("random", endless, 2)])
    for _ in range(40):
        match.step()
    assert {turn.word for turn in match.turns[::2]} == {"0", "1"}


@pytest.mark.parametrize("games", [0, 1, 7])
def test_games_come_in_pairs(games):
    with pytest.raises(Usage, match="even number"):
        schedule("tictactoe", ("random", "random"), games, seed=1)


def test_an_engine_that_cannot_play_is_refused_before_the_first_game(tmp_path):
    file = tmp_path / "dice.py"
    file.write_text(DICE)
    with pytest.raises(Usage, match="alphabeta cannot play this: Dice has chance in it"):
        schedule(str(file), ("alphabeta", "random"), 2, seed=1)


def test_what_a_clock_decides_is_known():
    assert timed(schedule("tictactoe", ("alphabeta:time=1", "random"), 2, seed=1))
    assert timed(schedule("tictactoe", ("random", "iterative"), 2, seed=1)), "its default limit is time"
    assert not timed(schedule("tictactoe", ("alphabeta:nodes=100", "random"), 2, seed=1))


def result(number, points, trail=None):
    return Played(number, points, 10, trail or bytes([number]), (Effort(5, 50, 0.5, 50), Effort(5, 10)))


def test_tally_counts_pairs_whatever_the_order():
    tally = Tally()
    for number, points in ((3, 0.5), (0, 1), (2, 1), (1, 0), (4, 1)):
        tally.add(result(number, points))
    assert tally.pairs == [0, 0, 1, 1, 0]
    assert tally.results == [[0, 0, 3], [1, 1, 0]]
    assert tally.together == [1, 1, 3]
    assert tally.games == 5
    assert sum(tally.together) == 2 * sum(tally.pairs) + 1, "one pair is half finished"
    assert tally.length == 10
    assert tally.efforts == [Effort(25, 250, 2.5, 250), Effort(25, 50)]
    assert tally.efforts[0].nps == 100
    assert tally.efforts[1].nps == 0, "nothing was timed"


def test_no_rating_where_games_repeat():
    tally = Tally()
    for number, trail in enumerate((b"a", b"b", b"a", b"c")):
        tally.add(result(number, 1, trail))
    assert tally.repeats == 1
    with pytest.raises(NoRating, match="1 of 4 games repeat"):
        tally.rating()
    assert tally.as_dict()["rating"] is None
    assert "repeat" in tally.as_dict()["no_rating"]


def test_the_same_moves_on_other_seats_are_another_game():
    one = played(0, "", ["a", "b"], [], (1, -1))
    other = played(1, "", ["a", "b"], [], (1, -1))
    assert one.trail != other.trail
    assert one.trail == played(2, "", ["a", "b"], [], (1, -1)).trail
    assert (one.points, other.points) == (1, 0)
