"""Openings are distinct, unfinished, decided by the seed alone, and refused where a game has too few."""

from random import Random

import pytest

from gameplay.errors import BadInput, Fault, Usage
from gameplay.matches.match import Match
from gameplay.matches.openings import drawn, listed, random_move, wins_at_once
from gameplay.players.nobody import Nobody
from gameplay.registry import game

NIM = '''
from gameplay import CHANCE, Position, undoable


class Nim(Position):
    """Take from one heap; whoever takes the last stone wins."""

    def __init__(self, heaps="3+4+5"):
        super().__init__()
        self.heaps = [int(h) for h in heaps.split("+")]

    def moves(self):
        return [8 * i + n for i, heap in enumerate(self.heaps) for n in range(1, heap + 1)]

    @undoable
    def make(self, move):
        self.heaps[move // 8] -= move % 8
        self.turn = 1 - self.turn

    def outcome(self):
        if any(self.heaps):
            return None
        return (-1, 1) if self.turn == 0 else (1, -1)


class Coin(Position):
    """A coin decides, then nothing is left to do."""

    chance = True

    def __init__(self):
        super().__init__()
        self.turn = CHANCE
        self.fallen = None

    def moves(self):
        return [0, 1]

    def chances(self):
        return [1.0, 0.0]

    @undoable
    def make(self, move):
        self.fallen = move
        self.turn = 0

    def outcome(self):
        return None if self.fallen is None else ((1, -1) if self.fallen else (-1, 1))
'''


@pytest.fixture
def nim(tmp_path):
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    return game(f"{file}:Nim")


@pytest.fixture
def coin(tmp_path):
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    return game(f"{file}:Coin")


def begun(game, openings):
    return [Match(game, [Nobody(), Nobody()], opening.start, opening.moves) for opening in openings]


def test_distinct_open_and_quiet(nim):
    matches = begun(nim, drawn(nim, 20, seed=1))
    assert len({m.position.key() for m in matches}) == 20
    assert not any(m.over() for m in matches)
    assert not any(wins_at_once(m.position) for m in matches)


def test_the_seed_decides(nim):
    assert drawn(nim, 20, seed=1) == drawn(nim, 20, seed=1)
    assert drawn(nim, 20, seed=1) != drawn(nim, 20, seed=2)


def test_more_openings_begin_with_the_same(nim):
    assert drawn(nim, 20, seed=5, plies=2)[:7] == drawn(nim, 7, seed=5, plies=2)


def test_plies_as_asked(nim):
    assert {len(o.moves) for o in drawn(nim, 5, seed=1, plies=3)} == {3}


def test_no_plies_begin_at_the_start(nim):
    assert {o.moves for o in drawn(nim, 9, seed=1, plies=0)} == {()}


def test_wins_at_once_taken_only_where_nothing_else_is_left(nim, tmp_path):
    small = game(f"{tmp_path / 'nim.py'}:Nim:heaps=1+2")
    matches = begun(small, drawn(small, 3, seed=1, plies=1))
    assert [wins_at_once(m.position) for m in matches] == [False, True, True]


def test_too_few_refused_with_what_would_be_right(nim, tmp_path):
    small = game(f"{tmp_path / 'nim.py'}:Nim:heaps=1+2")
    with pytest.raises(Usage, match=r"finds? only 3 distinct openings.*50 pairs.*ask for 6 games"):
        drawn(small, 50, seed=1)


def test_a_game_that_is_over_by_then(nim):
    with pytest.raises(Usage, match="over by then"):
        drawn(nim, 1, seed=1, plies=13)


def test_chance_moves_follow_their_odds(coin):
    position = coin.new()
    rng = Random(1)
    assert {random_move(position, rng) for _ in range(50)} == {0}
    assert not wins_at_once(position)


def test_listed(nim):
    lines = ["# heaps", "", "1 2", "9 10", "17"]
    openings = listed(nim, lines, "book.txt", 3, seed=1)
    assert {o.start for o in openings} == {"1 2", "9 10", "17"}
    assert openings == listed(nim, lines, "elsewhere.txt", 3, seed=1)


@pytest.mark.parametrize(
    ("lines", "match"),
    [
        (["1 2", "x"], "book.txt, line 2: move 1: 'x' is not a legal move"),
        (["1", "", "1"], "book.txt, line 3: the same position as in line 1"),
        (["3 12 21"], "book.txt, line 1: the game is over"),
    ],
)
def test_a_wrong_line_is_named(nim, lines, match):
    with pytest.raises(BadInput, match=match):
        listed(nim, lines, "book.txt", 1, seed=1)


def test_too_short_a_list(nim):
    with pytest.raises(Usage, match="holds 1 openings, too few for 2 pairs: ask for 2 games"):
        listed(nim, ["1"], "book.txt", 2, seed=1)


def test_what_the_game_raises_is_told_in_one_line(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text(NIM.replace("self.turn = 1 - self.turn", "self.turn = self.nowhere"))
    with pytest.raises(Fault, match=r"random play raised AttributeError.*broken.py, line \d+"):
        drawn(game(f"{file}:Nim"), 5, seed=1)


def test_openings_of_built_in_games():
    matches = begun(game("connect4"), drawn(game("connect4"), 50, seed=1))
    assert len({m.position.key() for m in matches}) == 50
    assert {len(m.turns) for m in matches} == {3}, "connect4 has 49 positions of 2 plies"
