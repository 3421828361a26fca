"""Openings are distinct, unfinished, determined by the seed, and refused if a game has too few."""

import re
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from gameplay.errors import BadInput, Fault, Usage
from gameplay.matches.match import Match
from gameplay.matches.random_moves import random_move
from gameplay.players.empty_seat import EmptySeat
from gameplay.registry import game
from gameplay.runs import openings as work
from gameplay.runs.openings import (
    Opening,
    balance_test,
    count_distinct,
    draw_openings,
    read,
    select_openings,
    split_plies,
    wins_at_once,
)
from gameplay.runs.plan import Openings
from tests.support.files import find_files
from tests.support.paths import ROOT

pytestmark = pytest.mark.once

OURS = ROOT / "configs" / "openings"

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


def opening_matches(game, openings):
    return [Match(game, [EmptySeat(), EmptySeat()], opening.start, opening.moves) for opening in openings]


def test_distinct_open_and_quiet(nim):
    matches = opening_matches(nim, draw_openings(nim, 20, seed=1))
    assert len({m.position.key() for m in matches}) == 20
    assert not any(m.over() for m in matches)
    assert not any(wins_at_once(m.position) for m in matches)


def test_the_seed_decides(nim):
    assert draw_openings(nim, 20, seed=1) == draw_openings(nim, 20, seed=1)
    assert draw_openings(nim, 20, seed=1) != draw_openings(nim, 20, seed=2)


def test_more_openings_begin_with_the_same(nim):
    assert draw_openings(nim, 20, seed=5, plies=2)[:7] == draw_openings(nim, 7, seed=5, plies=2)


def test_openings_have_the_requested_plies(nim):
    assert {len(o.moves) for o in draw_openings(nim, 5, seed=1, plies=3)} == {3}


def test_no_plies_begin_at_the_start(nim):
    assert {o.moves for o in draw_openings(nim, 9, seed=1, plies=0)} == {()}


def test_random_openings_avoid_immediate_wins(nim, tmp_path):
    small = game(f"{tmp_path / 'nim.py'}:Nim:heaps=1+2")
    matches = opening_matches(small, draw_openings(small, 3, seed=1, plies=1))
    assert [wins_at_once(m.position) for m in matches] == [False, True, True]


def test_too_few_openings_are_refused_with_the_possible_number(nim, tmp_path):
    small = game(f"{tmp_path / 'nim.py'}:Nim:heaps=1+2")
    with pytest.raises(Usage, match=r"finds? only 3 distinct openings.*50 pairs.*ask for 6 games"):
        draw_openings(small, 50, seed=1)


def test_a_game_that_is_over_by_then(nim):
    with pytest.raises(Usage, match="nim is over before 13 random plies: give fewer"):
        draw_openings(nim, 1, seed=1, plies=13)


def test_chance_moves_follow_their_odds(coin):
    position = coin.new()
    rng = Random(1)
    assert {random_move(position, rng) for _ in range(50)} == {0}
    assert not wins_at_once(position)


def test_positions_one_a_line(nim):
    lines = ["# heaps", "", "1 2", "9 10", "17"]
    assert [opening.start for opening in read(nim, lines, "book.txt").openings] == ["1 2", "9 10", "17"]


def test_a_wrong_line_is_named(nim):
    with pytest.raises(BadInput, match=r"book\.txt, line 2: move 1: 'x' is not a legal move"):
        read(nim, ["1 2", "x"], "book.txt")


@pytest.mark.parametrize(
    ("expected", "most", "count"),
    [
        (Openings(file="book.txt"), 5, 2),
        (Openings(file="book.txt"), 1, 1),
        (Openings(file="none.txt"), 5, 1),
        (Openings(plies=0), 7, 7),
        (Openings(plies=1), 50, 12),
        (Openings(plies=2, balance="minimax"), 9, 9),
    ],
)
def test_how_many_openings_there_are(nim, tmp_path, monkeypatch, expected, most, count):
    monkeypatch.chdir(tmp_path)
    Path("book.txt").write_text("1 2\n9\n1 2\n")
    Path("none.txt").write_text("3 12 21\n")
    assert count_distinct(nim, expected, most, seed=1) == count


def test_exception_of_a_game_in_openings_is_one_line(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text(NIM.replace("self.turn = 1 - self.turn", "self.turn = self.nowhere"))
    with pytest.raises(Fault, match=r"random play raised AttributeError.*broken.py, line \d+"):
        draw_openings(game(f"{file}:Nim"), 5, seed=1)


@pytest.mark.parametrize(
    ("moves", "law"), [("[1, 1]", "distinct ints from 0 up"), ("['a', 'b']", "which are ints")]
)
def test_invalid_moves_of_a_game_are_its_fault(tmp_path, moves, law):
    file = tmp_path / "broken.py"
    file.write_text(f"{NIM}\n\nNim.moves = lambda self: {moves}\n")
    with pytest.raises(Fault, match=rf"moves\(\) returned {re.escape(moves)}.*{law}"):
        draw_openings(game(f"{file}:Nim"), 5, seed=1)


def test_openings_of_built_in_games():
    matches = opening_matches(game("connect4"), draw_openings(game("connect4"), 50, seed=1))
    assert len({m.position.key() for m in matches}) == 50
    assert {len(m.turns) for m in matches} == {3}, "connect4 has 49 positions of 2 plies"


def book(folder, *lines):
    file = folder / "book.txt"
    file.write_text("".join(f"{line}\n" for line in lines))
    return str(file)


def test_a_line_is_a_position_or_moves_or_both(nim):
    lines = ["1 2  # two heaps", "moves 9", "1 moves 9 17", "moves", "# moves 1"]
    with pytest.raises(BadInput, match=r"book.txt, line 4: no moves follow"):
        read(nim, lines, "book.txt")
    del lines[3]
    openings = read(nim, lines, "book.txt").openings
    assert [(o.start, o.moves) for o in openings] == [("1 2", ()), ("", ("9",)), ("1", ("9", "17"))]
    assert len({m.position.key() for m in opening_matches(nim, openings)}) == 3


def test_an_illegal_move_in_a_line_is_named(nim):
    with pytest.raises(BadInput, match=r"book.txt, line 2: move 2: '99'"):
        read(nim, ["moves 1", "moves 1 99"], "book.txt")


def test_finished_and_duplicate_openings_are_skipped_and_reported(nim, tmp_path):
    file = book(tmp_path, "moves 1", "3 12 21", "", "1", "moves 2", "moves 3 12 21")
    selection = select_openings(nim, Openings(file=file), 2, seed=1)
    assert sorted(o.moves for o in selection.openings) == [("1",), ("2",)]
    assert [note.removeprefix(file) for note in selection.notes] == [
        ", line 2: the game is over in this position: left out",
        ", line 4: the same position as in line 1: left out",
        ", line 6: the game is over in this position: left out",
    ]
    assert not selection.repeats


def test_opening_of_a_pair_is_independent_of_their_number(nim, tmp_path):
    expected = Openings(file=book(tmp_path, *range(1, 4), *range(9, 13), *range(17, 22)))
    some, many = (
        select_openings(nim, expected, 5, seed=3).openings,
        select_openings(nim, expected, 12, seed=3).openings,
    )
    assert some == many[:5]
    assert len(set(many)) == 12
    assert select_openings(nim, expected, 12, seed=4).openings != many


@pytest.mark.parametrize(("start", "first"), [(1, "123"), (3, "312"), (4, "123"), (8, "231")])
def test_sequential_openings_come_in_the_order_of_the_file(nim, tmp_path, start, first):
    expected = Openings(file=book(tmp_path, "1", "2", "3"), order="sequential", start=start)
    for seed in (1, 2):
        assert [opening.start for opening in select_openings(nim, expected, 3, seed).openings] == list(first)


def test_start_counts_the_lines_that_are_left_out(nim, tmp_path):
    expected = Openings(file=book(tmp_path, "1", "1", "2", "3"), order="sequential", start=2)
    assert [opening.start for opening in select_openings(nim, expected, 3, 1).openings] == ["1", "2", "3"]
    expected = structs.replace(expected, start=3)
    assert [opening.start for opening in select_openings(nim, expected, 3, 1).openings] == ["2", "3", "1"]


def test_start_turns_the_random_order_round(nim, tmp_path):
    expected = Openings(file=book(tmp_path, "1", "2", "3"))
    plain = select_openings(nim, expected, 3, 5).openings
    assert select_openings(nim, structs.replace(expected, start=2), 3, 5).openings == plain[1:] + plain[:1]


def test_too_few_in_a_file_are_refused_or_played_again(nim, tmp_path):
    expected = Openings(file=book(tmp_path, "1", "2", "3"))
    with pytest.raises(Usage, match=r"only 3 openings, and 5 are needed: ask for 6 games, or give more"):
        select_openings(nim, expected, 5, seed=1)
    selection = select_openings(nim, Openings(file=expected.file, reuse=True), 5, seed=1)
    assert selection.repeats and "Elo cannot be estimated" in selection.notes[0]
    assert selection.openings[:2] == selection.openings[3:]
    assert len(set(selection.openings)) == 3
    assert not select_openings(nim, expected, 3, seed=1).repeats


def test_too_few_random_ones_are_refused_or_played_again(nim, tmp_path):
    small = game(f"{tmp_path / 'nim.py'}:Nim:heaps=1+2")
    with pytest.raises(Usage, match="only 3 distinct openings"):
        select_openings(small, Openings(), 5, seed=1)
    selection = select_openings(small, Openings(reuse=True), 5, seed=1)
    assert selection.repeats and len(selection.openings) == 5 and len(set(selection.openings)) == 3


def test_all_from_the_start_are_repeats(nim):
    assert select_openings(nim, Openings(plies=0), 2, seed=1).repeats
    assert not select_openings(nim, Openings(plies=0), 1, seed=1).repeats


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, r"there is no file .*book.txt"),
        (b"", "book.txt is empty"),
        (b"\n\n", "book.txt is empty"),
        (b"\xff\xfe\x00", "book.txt is not a text file"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(nim, tmp_path, content, words):
    file = tmp_path / "book.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadInput, match=words):
        select_openings(nim, Openings(file=str(file)), 1, seed=1)


def test_plies_of_positions_are_refused(nim, tmp_path):
    file = book(tmp_path, "12 moves 1", "12")
    with pytest.raises(BadInput, match=r"line 2: a position has no moves to cut off. Try: .* without :1$"):
        select_openings(nim, Openings(file=file, plies=1, reuse=True), 2, seed=1)


def test_a_file_of_comments_has_none(nim, tmp_path):
    with pytest.raises(BadInput, match=r"holds no openings: line 2: the game is over in this position$"):
        select_openings(nim, Openings(file=book(tmp_path, "# none", "3 12 21"), reuse=True), 1, seed=1)


def test_balanced_openings_lie_within_the_bound():
    four = game("connect4")
    expected = Openings(plies=4, balance="iterative:nodes=300", bound=3)
    selection = select_openings(four, expected, 10, seed=1).openings
    assert len(set(selection)) == 10
    narrow, wide = (balance_test(four, "iterative:nodes=300", bound) for bound in (3, 1_000_000))
    assert all(map(narrow, selection))
    every = draw_openings(four, 30, seed=1, plies=4)
    assert 0 < sum(map(narrow, every)) < 30 == sum(map(wide, every))
    assert selection == select_openings(four, expected, 10, seed=1).openings


def test_balance_counts_the_remaining_openings_of_a_file(tmp_path):
    expected = Openings(
        file=book(tmp_path, "moves a1 a2", "moves b2 a1", "moves a1 b2"), balance="minimax:depth=9"
    )
    with pytest.raises(Usage, match="only 2 openings that minimax:depth=9 values within 0, and 3 are needed"):
        select_openings(game("tictactoe"), expected, 3, seed=1)
    assert len(select_openings(game("tictactoe"), expected, 2, seed=1).openings) == 2


def test_unreachable_balance_is_refused(nim):
    with pytest.raises(Usage, match=r"offers no openings.* values within 0"):
        select_openings(nim, Openings(balance="minimax:depth=12"), 3, seed=1)


@pytest.mark.parametrize("spec", ["random", "iterative", "iterative:time=1", "nobody:depth=1"])
def test_balance_requires_a_deterministic_limit(spec):
    with pytest.raises(Usage):
        balance_test(game("tictactoe"), spec, 0)


@pytest.mark.parametrize("file", find_files(OURS, "*.txt"), ids=lambda file: file.stem)
def test_our_own_lists_hold_distinct_openings_of_their_game(file):
    book = read(game(file.stem.partition("-")[0]), file.read_text().splitlines(), file.name)
    assert len(book.openings) >= 100 and not book.notes


DRAWN = [  # as they have been: runs that were kept go on from them
    ("tictactoe", 4, 1, None, "a3 a2, c1 a3, a3 c3, b1 b2"),
    ("tictactoe", 3, -2, 5, "a3 b1 c1 a2 c2, b3 a1 b1 c2 a2, c2 a2 b3 c3 b2"),
    ("tictactoe", 3, 1, 1, "c3, b3, c1"),
    ("nim:heaps=1+2", 2, 1, None, "b1 a1, b1 b1"),
    ("nim:heaps=1+2", 9, 1, None, "b1, b2, a1"),  # a ply alone leads to three; two of those win at once
    ("nim:heaps=2+3", 9, 7, None, "b2 a1, a1 b1, b1 b1, a2 b1, b2 a2, b2 b1, a1 b3, a1 a1"),
]


@pytest.mark.parametrize(("spec", "count", "seed", "plies", "words"), DRAWN)
def test_openings_of_a_seed_are_stable(spec, count, seed, plies, words):
    openings = draw_openings(game(spec), count, seed, plies, fewer=True)
    assert ", ".join(" ".join(opening.moves) for opening in openings) == words


def test_openings_of_a_file_are_shuffled_by_the_seed(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("".join(f"moves {move}\n" for move in ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2"]))
    selection = select_openings(game("tictactoe"), Openings(file=str(file)), 8, 3).openings
    assert [opening.moves[0] for opening in selection] == ["b1", "c1", "c2", "b3", "a1", "a3", "b2", "a2"]


def test_suffix_of_an_opening_file_is_plies():
    for text, expected in (
        ("a.pgn:8", ("a.pgn", 8)), ("a.pgn", ("a.pgn", None)), ("a:8", ("a:8", None)), ("8", ("8", None)),
        ("a.pgn:x", ("a.pgn:x", None)), ("C:a.pgn:0", ("C:a.pgn", 0)),
    ):  # fmt: skip
        assert split_plies(text) == expected


def test_an_engine_that_cannot_play_balances_no_openings():
    with pytest.raises(Usage, match="minimax cannot play this: "):
        balance_test(game("pig"), "minimax:depth=2", 30)
    with pytest.raises(Usage, match="unknown evaluation 'nobodys'"):
        balance_test(game("tictactoe"), "minimax:depth=2,eval=nobodys", 30)


def test_how_long_openings_are_drawn_and_how_many_plies_are_tried(monkeypatch):
    """From two plies to eight, then one; more than 300 draws without a new position suffice to stop."""
    tictactoe, asked = game("tictactoe"), []

    def draw(game, count, plies, rng):
        asked.append((count, plies))
        return [Opening(moves=("a1",) * plies)] * few.get(plies, 0)

    with monkeypatch.context() as patched:
        patched.setattr(work, "_draw", draw)
        few = {}
        with pytest.raises(Usage, match=r"^tictactoe is over before 8 random plies: give fewer, or 0"):
            draw_openings(tictactoe, 9, seed=1)
        assert asked == [(9, plies) for plies in (2, 3, 4, 5, 6, 7, 8, 1)]
        few = {3: 4, 4: 6, 5: 6}
        assert draw_openings(tictactoe, 9, seed=1, fewer=True) == [Opening(moves=("a1",) * 4)] * 6
        with pytest.raises(Usage) as refused:
            draw_openings(tictactoe, 9, seed=1)
        assert str(refused.value) == (
            "tictactoe: 4 random plies find only 6 distinct openings, and 9 pairs of games need 9: ask for "
            "12 games, or for 0 plies to begin all at the start"
        )
        few = {1: 8}
        with pytest.raises(Usage, match=r"^tictactoe: 1 random ply finds only 8 distinct"):
            draw_openings(tictactoe, 9, seed=1)
        few = {6: 9}
        asked.clear()
        assert len(draw_openings(tictactoe, 9, seed=1)) == 9 and asked[-1] == (9, 6)
    draws = []

    def play(position, plies, rng, seen):
        draws.append(plies)
        return ways[-1](len(draws))

    monkeypatch.setattr(work, "_random_play", play)
    ways = []
    for says, calls, count in (
        (lambda number: (["a1"], number, False), 5, 5),
        (lambda number: (["a1"], number, True), 100, 5),
        (lambda number: (["a1"], number, number > 3), 100, 5),
        (lambda number: (["a1"], 7, False), 303, 1),
        (lambda number: (["a1"], min(number, 3), False), 309, 3),
        (lambda number: ([], number, False), 300, 0),
    ):
        draws.clear()
        ways.append(says)
        assert len(work._draw(tictactoe, 5, 4, Random(1))) == count and draws == [4] * calls


@pytest.mark.parametrize(
    ("there", "every", "counts", "last"),
    [
        (999, 1, [20], "9"),
        (999, 2, [20], "18"),
        (999, 5, [20, 80], "45"),
        (999, 30, [20, 80, 320], "270"),
        (999, 300, [20, 80, 320], "300"),
        (50, 30, [20, 80], "30"),
        (20, 4, [20, 80], "16"),
    ],
)
def test_balanced_openings_are_drawn_from_growing_samples(there, every, counts, last, monkeypatch):
    asked, valued = [], []

    def draw(game, count, seed, plies, fewer):
        assert (seed, plies, fewer) == (5, 3, True)
        asked.append(count)
        return [Opening(moves=(str(number),)) for number in range(min(count, there))]

    def even(opening):
        valued.append(opening.moves[0])
        return int(opening.moves[0]) % every == 0

    monkeypatch.setattr(work, "draw_openings", draw)
    monkeypatch.setattr(work, "balance_test", lambda *given: even if given[1:] == ("e", 9) else None)
    result = work._draw_balanced(None, Openings(balance="e", bound=9, plies=3), 10, 5)
    assert asked == counts and result[-1].moves == (last,) and len(result) <= 10
    assert len(valued) == len(set(valued)), "each is valued once"
