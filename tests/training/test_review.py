"""Reviews: what they find, by brute force and planted blunders; how they are kept, written back, shown."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from types import SimpleNamespace

import msgspec
import pytest

from gameplay import __version__, registry
from gameplay import value as scale
from gameplay.cli import router, run
from gameplay.cli.teach import review as cli
from gameplay.display.pages import review as review_page
from gameplay.display.reports import review as shown
from gameplay.display.reports.review import brief
from gameplay.display.theme import Theme
from gameplay.errors import BadInput, Usage
from gameplay.players.verdict import VERDICTS, verdict
from gameplay.position import Position
from gameplay.runs.frames import frames
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.store.formats import conversion, pgn
from gameplay.store.formats.pgn import Line, Step
from gameplay.store.record import Ply, Record, decode, encode
from gameplay.training import annotation, stored_reviews
from gameplay.training import review as lesson
from gameplay.training.review import Judged, engine_for, review
from tests.support.golden import golden
from tests.support.paths import TESTS

pytestmark = pytest.mark.once  # that searches are the same in both builds is proved where they are tested


def gameplay(*words):
    return run(router, "gameplay", [*map(str, words)])


def record(spec, words, start="", result=None, players=("ann", "bob")):
    """The record of a game of these moves."""
    position = registry.game(spec).new(start)
    plies = []
    for word in words.split() if isinstance(words, str) else words:
        plies.append(Ply(word, position.turn))
        position.make(position.parse(word))
    paid = position.outcome()
    return Record(1, spec, start, list(players), 0, plies, list(paid or result or ()) or None, "rules", "0")


def reviewed(spec, words, start="", nodes=3_000):
    game = registry.game(spec)
    return review(record(spec, words, start), engine_for(game), Limit(nodes=nodes))


# -- what is found --------------------------------------------------------------------------------


def by_brute_force(spec):
    """What the mover can expect of a position by trying everything, whatever engines say."""

    @cache
    def worth(text):
        position = registry.game(spec).new(text)
        paid = position.outcome()
        if paid is not None:
            mine = paid[position.turn]
            return 0.5 + ((mine > 0) - (mine < 0)) / 2
        best, mover = 0.0, position.turn
        for move in position.moves():
            position.make(move)
            below = worth(position.text())
            best = max(best, below if mover == position.turn else 1 - below)
            position.unmake()
        return best

    return worth


@pytest.mark.parametrize("spec", ["tictactoe", "nim"])
def test_every_move_of_small_games_is_judged_as_brute_force_does(spec):
    worth = by_brute_force(spec)
    rng = Random(7)
    verdicts = set()
    for _ in range(6):
        position, words, costs = registry.game(spec).new(), [], []
        while position.outcome() is None:
            moves = position.moves()
            move = rng.choice(moves)
            stood = worth(position.text())
            words.append(position.format(move))
            position.make(move)
            costs.append(stood - (1 - worth(position.text())) if len(moves) > 1 else 0.0)
        found = reviewed(spec, words, nodes=20_000)
        assert [one.loss for one in found.moves] == pytest.approx(costs), words
        assert all((one.verdict == "blunder") == (one.loss > 0) for one in found.moves)
        verdicts |= {one.verdict for one in found.moves}
        for one in found.mistakes:
            again = registry.game(spec).new()
            for word in words[: one.ply - 1]:
                again.make(again.parse(word))
            stood = worth(again.text())
            again.make(again.parse(one.better))
            assert 1 - worth(again.text()) == stood, "the better move keeps what there was"
            assert one.line[0] == one.better != one.move
    assert verdicts == {"", "blunder"}


def test_the_end_of_othello_is_judged_as_brute_force_does():
    worth = by_brute_force("othello")
    rng = Random(5)
    game = registry.game("othello")
    start = game.new()
    while start.outcome() is None and start.text().count("-") > 7:
        start.make(rng.choice(start.moves()))
    found_any = 0
    for _ in range(4):
        position, words, costs = game.new(start.text()), [], []
        while position.outcome() is None:
            moves, mover = position.moves(), position.turn
            move = rng.choice(moves)
            stood = worth(position.text())
            words.append(position.format(move))
            position.make(move)
            left = worth(position.text())
            costs.append(stood - (left if position.turn == mover else 1 - left) if len(moves) > 1 else 0.0)
        found = reviewed("othello", words, start.text())
        assert [one.loss for one in found.moves] == pytest.approx(costs)
        found_any += sum(one.loss > 0 for one in found.moves)
    assert found_any


# Each with the ply of the blunder, and how the better line begins where only one move is good.
PLANTED = [
    ("chess", "e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d6", "", 8, "d5"),  # leaves f7 to knight and bishop
    ("chess", "f3 e5 g4 Qh4#", "", 3, ""),  # fool's mate
    ("checkers", "30-25 21x30", "W:W30,32:B21,1", 1, ""),  # walks into the capture
    ("connect4", "4 1 4 1 4 2", "", 6, "4"),  # three in a column are not answered
    ("connect4:columns=4,rows=4", "1 2 1 2 1 3", "", 6, "1"),
]


@pytest.mark.parametrize(("spec", "words", "start", "ply", "better"), PLANTED)
def test_planted_blunders_are_found(spec, words, start, ply, better):
    found = reviewed(spec, words, start)
    one = found.moves[ply - 1]
    assert one.verdict in ("mistake", "blunder"), (one, found.mistakes)
    assert one.best > one.value and one.line[0] == one.better
    assert better in ("", one.better)
    assert one.answer, "what refutes it is told"


def test_only_moves_that_were_found_are_known_as_such():
    found = reviewed("connect4", "4 1 4 1 4 4")
    assert [one.ply for one in found.moves if one.only] == [6]
    assert not any(one.only for one in found.moves[:5])


def test_a_game_of_chance_is_judged_by_equity():
    found = reviewed("backgammon", ["31", "8/5 6/5", "42", "8/4 6/4"], nodes=2_000)
    assert found.equity and found.measure == "equity"
    thrown = [one for one in found.moves if one.player < 0]
    assert thrown and not any(one.judged for one in thrown)
    blunder = reviewed("backgammon", ["31", "24/20"], nodes=2_000).moves[1]
    assert blunder.loss == pytest.approx((blunder.best - blunder.value) / 1000, abs=1e-5)
    assert blunder.verdict and blunder.better == "8/5;6/5"


def test_the_same_limit_gives_the_same_review():
    words = "e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5 exd5"
    one, other = (reviewed("chess", words, nodes=3_000) for _ in range(2))
    assert one == other
    assert one.opening.startswith("C57") or "Two Knights" in one.opening


# -- figures --------------------------------------------------------------------------------------


def test_accuracy_is_the_published_formula():
    assert lesson.accuracy(0) == pytest.approx(100, abs=0.01)
    assert lesson.accuracy(0.1) == pytest.approx(63.58, abs=0.01)  # 103.1668 exp(-0.4354) - 3.1669
    assert lesson.accuracy(1) == 0.0
    assert [verdict(loss) for loss in (0.049, 0.05, 0.1, 0.15)] == ["", *VERDICTS]


@pytest.mark.parametrize("spec", ["chess", "connect4", "othello", "go:size=9", "backgammon:match=3"])
def test_expected_points_grow_with_the_value_and_are_shared(spec):
    position = registry.game(spec).new()
    values = [-scale.WIN + 3, -900, -30, -1, 0, 1, 30, 900, scale.WIN - 3]
    points = [scale.expected(value, position) for value in values]
    assert points == sorted(points) and points[0] == 0 and points[4] == 0.5 and points[-1] == 1
    assert [one + other for one, other in zip(points, reversed(points), strict=True)] == pytest.approx(
        [1] * 9
    )


def test_three_pawns_are_three_quarters_and_a_seen_end_is_what_it_is():
    chess, othello = registry.game("chess").new(), registry.game("othello").new()
    assert scale.expected(300, chess) == pytest.approx(0.75)
    published = 1 / (1 + 2.718281828 ** (-0.00368208 * 150))
    assert scale.expected(150, chess) == pytest.approx(published, abs=0.002)
    assert scale.expected(200, othello, exact=True) == 1.0 and scale.expected(200, othello) < 0.75


def test_figures_add_up():
    found = reviewed("tictactoe", "a1 b1 a2 b2 c3 b3")
    for seat in range(2):
        thirds = [found.of(seat, phase) for phase in range(3)]
        whole = found.of(seat)
        together = thirds[0] + thirds[1] + thirds[2]
        assert together.moves == whole.moves and together.verdicts == whole.verdicts
        assert together.lost == pytest.approx(whole.lost)
        assert together.accuracy == pytest.approx(whole.accuracy)
    curve = found.curve()
    assert len(curve) == 6 and all(0 <= point <= 1 for point in curve)


HALF = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R2QK2R w KQkq - 0 1"  # ten pieces beside pawns and kings
OUT = "rnbqkbnr/pppppppp/8/8/8/RNBQ4/PPPPPPPP/4KBNR w kq - 0 1"  # four of White's on the first row
ROOKS = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("spec", "start", "phase"),
    [
        ("chess", "", 0),
        ("chess", HALF, 1),
        ("chess", HALF.replace("R2Q", "RN1Q"), 0),
        ("chess", OUT, 0),
        ("chess", OUT.replace("RNBQ4", "RNBQ2N1").replace("4KBNR", "4KB1R"), 1),
        ("chess", ROOKS, 2),
        ("chess", ROOKS.replace("3k", "2qk").replace("3K", "2QK"), 2),
        ("chess", ROOKS.replace("3k", "n1qk").replace("3K", "2QK"), 1),
        ("othello", "", 0),
        ("othello:size=6", "XXXX" + "O" * 8 + "-" * 24 + "X", 0),
        ("othello:size=6", "XXXX" + "O" * 11 + "-" * 21 + "X", 1),
        ("othello:size=6", "XXXX" + "O" * 21 + "-" * 11 + "X", 1),
        ("othello:size=6", "XXXX" + "O" * 22 + "-" * 10 + "X", 2),
        ("backgammon", "", 0),
    ],
)
def test_games_tell_their_phases(spec, start, phase):
    assert registry.game(spec).new(start).phase() == phase


def test_a_race_begins_when_no_man_can_meet_another():
    rng = Random(2)
    position = registry.game("backgammon").new()
    seen = set()
    while position.outcome() is None:
        far = [max(at for at in range(26) if men[at] or not at) for men in map(position.men, (0, 1))]
        assert position.phase() == (sum(far) < 25)
        seen.add(position.phase())
        position.make(rng.choice(position.moves()))
    assert seen == {0, 1}


class Phased(Position):
    """Every move says which phase comes."""

    phases = ("first", "second", "third")
    now = 0

    def moves(self):
        return [0, 1, 2]

    def make(self, move):
        self.now = move

    def outcome(self):
        return None

    def phase(self):
        return self.now


def test_a_phase_that_is_over_does_not_come_back_but_after_the_last_comes_the_first(
    monkeypatch,
):
    monkeypatch.setattr(lesson.registry, "game", lambda _: SimpleNamespace(new=lambda _: Phased()))
    words = "0 1 0 1 2 1 2 0 1 0 0"
    plies = [Ply(word, 0) for word in words.split()]
    assert lesson.phases(Record(1, "phased", "", ["a", "b"], 0, plies, None, "", "0")) == (
        ["first", "second", "third"],
        [0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 1],
    )


def test_without_phases_of_its_own_a_game_is_told_by_thirds():
    assert lesson.phases(record("tictactoe", "a1 b1 a2 b2 c3"))[1] == [0, 0, 1, 1, 2]
    assert lesson.phases(record("tictactoe", ""))[1] == []


# -- move by move, by searches that are written down ------------------------------------------------

START = "4 4"  # connect4: all seven columns are legal, with numbers from 0
HERE = Limit(nodes=100)


def says(*candidates, depth=6, **more):
    return Report(candidates=tuple(candidates), depth=depth, nodes=90, **more)


def looked_at(monkeypatch, move, *reports, limit=HERE, spec="connect4", start=START):
    """What is made of a move after these reports, and what searches were asked for."""
    left, asked = list(reports), []

    class Written:
        def __init__(self, engine):
            asked.append(engine)

        def begin(self):
            asked.append("begin")

        def search(self, position, limit):
            asked.append(limit)
            return left.pop(0)

    monkeypatch.setattr(lesson, "Session", Written)
    position = registry.game(spec).new()
    for word in start.split():
        position.make(position.parse(word))
    text, judge = position.text(), lesson._Judge("who", limit, bool(position.chance))
    word = position.format(move) if move in position.moves() else "?"
    found = judge.judged(position, move, 3, word)
    assert asked[:2] == ["who", "begin"] and position.text() == text and not left
    return found, asked[2:]


TWO = Limit(nodes=100, multipv=2)


def worth(value, exact=False):
    return round(scale.expected(value, registry.game("connect4").new(), "exact", exact), 6)


def test_the_best_move_is_judged_beside_the_second_best(monkeypatch):
    best, second = Candidate(3, 40, pv=(3, 3, 2)), Candidate(2, -5, pv=(2, 1))
    found, asked = looked_at(monkeypatch, 3, says(best, second))
    assert asked == [TWO]
    assert found == Judged(
        *(3, 0, "4", 7, 40, 40, "exact", False, "", [], ["4", "3"]),
        *(worth(40), worth(40), worth(-5), 0.0, ""),
        depth=6,
        nodes=90,
    )
    assert looked_at(monkeypatch, 3, says(best))[0].second is None
    assert looked_at(monkeypatch, 3, says(best, second, Candidate(1, -9)))[0].second == worth(-5)
    hidden = Candidate(2, 30, "unknown")
    assert looked_at(monkeypatch, 3, says(best, hidden, second))[0].second == worth(-5)


def test_a_worse_move_is_judged_by_what_it_costs(monkeypatch):
    best, second = Candidate(3, 40, pv=(3, 3, 2)), Candidate(2, -5, pv=(2, 1))
    found, asked = looked_at(monkeypatch, 2, says(best, second))
    loss = round(scale.expected(40, registry.game("connect4").new()) - worth(-5), 6)
    assert asked == [TWO] and loss == pytest.approx(worth(40) - worth(-5), abs=2e-6)
    assert found == Judged(
        *(3, 0, "3", 7, -5, 40, "exact", False, "4", ["4", "4", "3"], ["2"]),
        *(worth(40), worth(-5), worth(-5), found.loss, verdict(found.loss)),
        depth=6,
        nodes=90,
    )
    assert found.loss == pytest.approx(loss, abs=2e-6) and found.verdict
    over = (Candidate(3, 40, pv=(3,), proven=True), Candidate(2, -5, pv=(2,), proven=True))
    assert looked_at(monkeypatch, 2, says(*over))[0].exact
    for proven in ((True, False), (False, True)):
        some = [replace(one, proven=seen) for one, seen in zip(over, proven, strict=True)]
        found = looked_at(monkeypatch, 2, says(*some))[0]
        assert not found.exact and found.stood == worth(40)
    assert looked_at(monkeypatch, 2, says(*over))[0].stood == 1.0


@pytest.mark.parametrize(
    ("limit", "first", "asked"),
    [
        (HERE, {}, Limit(nodes=400, depth=6, moves=(0,))),
        (HERE, {"depth": 0}, Limit(nodes=100, moves=(0,))),
        (HERE, {"stopped": "proven"}, Limit(nodes=400, moves=(0,))),
        (Limit(depth=9), {}, Limit(depth=6, moves=(0,))),
        (Limit(seconds=2.0), {"depth": 0}, Limit(seconds=2.0, moves=(0,))),
    ],
)
def test_a_move_that_is_neither_is_looked_at_no_deeper_than_the_best(monkeypatch, limit, first, asked):
    best, second = Candidate(3, 40, pv=(3, 3)), Candidate(2, 35, pv=(2, 1))
    mine = Candidate(0, -20, pv=(0, 3))
    found, searches = looked_at(monkeypatch, 0, says(best, second, **first), says(mine), limit=limit)
    assert searches == [limit.with_(multipv=2), asked]
    assert (found.move, found.value, found.best, found.second) == ("1", -20, 40, worth(35))
    assert (found.better, found.answer) == ("4", ["4"])


def test_a_move_that_proves_better_than_the_best_is_the_best(monkeypatch):
    best, second, mine = Candidate(3, 40, pv=(3,)), Candidate(2, 35), Candidate(0, 41, pv=(0, 3))
    found, _ = looked_at(monkeypatch, 0, says(best, second), says(mine))
    assert (found.value, found.best, found.loss, found.better) == (41, 41, 0.0, "")
    assert (found.second, found.stood, found.left) == (None, worth(41), worth(41))
    alike, _ = looked_at(monkeypatch, 0, says(best, second), says(Candidate(0, 40)))
    assert (alike.value, alike.best, alike.second, alike.loss) == (40, 40, worth(35), 0.0)


def test_means_of_simulations_are_looked_at_again_each_alone(monkeypatch):
    """Unless the best of them is proven."""
    best, second = Candidate(3, 0.5, "expectation"), Candidate(2, 0.4, "expectation")
    again = replace(best, value=0.3)
    limit = Limit(simulations=50)
    alone = [Limit(simulations=50, moves=(move,)) for move in (3, 2)]
    first = says(best, second, depth=0, visits=50)
    found, asked = looked_at(monkeypatch, 3, first, says(again), limit=limit)
    assert asked == [limit.with_(multipv=2), alone[0]]
    assert (found.value, found.best, found.second) == (0.3, 0.3, None)
    found, asked = looked_at(monkeypatch, 2, first, says(again), says(second), limit=limit)
    assert asked == [limit.with_(multipv=2), *alone]
    assert (found.value, found.best) == (0.4, 0.4)
    proven = replace(best, proven=True)
    found, asked = looked_at(monkeypatch, 2, says(proven, second, depth=0, visits=50), limit=limit)
    assert asked == [limit.with_(multipv=2)] and found.second == found.left


def test_what_is_not_judged(monkeypatch):
    """Chance, a move alone, one that is not legal, and where no value is known."""
    bare = Judged(3, 0, "4", 7)
    unknown, known = Candidate(3, 0, "unknown"), Candidate(2, 5)
    assert looked_at(monkeypatch, 3, says(unknown))[0] == bare
    assert looked_at(monkeypatch, 3, says(known), says(unknown))[0] == bare
    assert looked_at(monkeypatch, 9)[0] == Judged(3, 0, "?", 7)
    alone = looked_at(monkeypatch, 0, start="a1 b1 c1 b2 a2 c2 b3 a3", spec="tictactoe")[0]
    assert (alone.choices, alone.judged) == (1, False)
    pair = looked_at(
        monkeypatch, 6, says(Candidate(6), Candidate(8)), start="a1 b1 c1 b2 a2 c2 b3", spec="tictactoe"
    )[0]
    assert (pair.choices, pair.judged, pair.value) == (2, True, 0)
    thrown = looked_at(monkeypatch, 0, spec="backgammon", start="")[0]
    assert (thrown.player, thrown.choices, thrown.judged) == (-1, 0, False)
    with pytest.raises(KeyboardInterrupt):
        looked_at(monkeypatch, 3, says(known, stopped="interrupted"))


def test_moves_are_told_of_before_each(monkeypatch):
    told = []
    game = record("tictactoe", "a1 b1 a2")
    found = review(game, engine_for(registry.game("tictactoe")), Limit(nodes=50), lambda *at: told.append(at))
    assert told == [(1, 3), (2, 3), (3, 3)] and [one.ply for one in found.moves] == [1, 2, 3]
    assert (found.schema, found.sides, found.number) == (1, ["x", "o"], 1)


def one_move(loss=0.0, choices=2, second=0.3, stood=0.5, value=0, player=0, **more):
    return Judged(1, player, "a1", choices, value, loss=loss, second=second, stood=stood, **more)


def test_an_only_move_is_one_of_several_that_costs_nothing_and_leaves_all_others_a_mistake():
    assert one_move(stood=0.1, second=0.0).only and not one_move(stood=0.1, second=0.0001).only
    for other in ({"loss": 0.01}, {"choices": 1}, {"second": None}, {"value": None}):
        assert not one_move(**other).only
    assert one_move(choices=3).only


def test_figures_of_moves_and_of_the_phases_they_were_made_in():
    moves = [
        one_move(loss, player=player, verdict=verdict(loss), left=0.25)
        for player, loss in ((0, 0.0), (1, 0.2), (0, 0.1), (0, 0.05), (1, 0.0))
    ]
    moves = [msgspec.structs.replace(one, ply=ply) for ply, one in enumerate(moves, 1)]
    moves.append(Judged(6, 0, "b1", 1))
    found = lesson.Review(1, "go", "", [], [], "", "", moves, phases=["a", "b"], phase=[0, 0, 0, 1, 1, 1])
    first, second = found.of(0), found.of(1)
    assert (first.moves, first.verdicts, first.best) == (3, (1, 1, 0), 1)
    assert (second.moves, second.verdicts, second.best) == (2, (0, 0, 1), 1)
    assert first.lost == pytest.approx(0.15) and first.error == pytest.approx(0.05)
    assert first.accuracy == pytest.approx(sum(map(lesson.accuracy, (0, 0.1, 0.05))) / 3)
    assert [found.of(0, phase).moves for phase in (0, 1)] == [2, 1]
    none = lesson.Figures(0, None, 0.0, (0, 0, 0), 0)
    assert found.of(2) == none and none + first == first == first + lesson.Figures()
    both = first + second
    assert (both.moves, both.verdicts, both.best) == (5, (1, 1, 1), 2)
    assert both.accuracy == pytest.approx((3 * first.accuracy + 2 * second.accuracy) / 5)
    assert both.lost == pytest.approx(0.35) and lesson.Figures().error == 0.0
    assert found.curve() == [0.25, 0.75, 0.25, 0.25, 0.75, None]
    assert found.measure == "expected points" and found.mistakes == [moves[at] for at in (1, 2, 3)]


def test_a_review_of_another_schema_is_none(tmp_path):
    found = reviewed("tictactoe", "a1 b1")
    place = tmp_path / "r.json"
    stored_reviews.keep(found, place)
    assert stored_reviews.found(place) == found
    written = json.loads(place.read_text())
    assert written["schema"] == 1 and "bound" not in written["moves"][0], "what is as usual is not written"
    with pytest.raises(BadInput, match=r"^x: the review has schema 2; this version reads 1$"):
        lesson.decode(json.dumps(written | {"schema": 2}).encode(), "x")
    with pytest.raises(BadInput, match=r"^x is not a review: "):
        lesson.decode(b"\xff", "x")


def test_of_two_reviews_of_a_game_the_one_that_was_kept_last_counts():
    game = record("tictactoe", "a1 b1")
    found = reviewed("tictactoe", "a1 b1")
    for name, engine, at in (("x", "old", 100), ("y", "new", 300), ("z", "other", 200)):
        place = stored_reviews.path_of(game, name, "1")
        stored_reviews.keep(msgspec.structs.replace(found, engine=engine), place)
        os.utime(place, (at, at))
    assert stored_reviews.latest(game).engine == "new"
    stored_reviews.path_of(game, "y", "1").write_text("{")
    assert stored_reviews.latest(game).engine == "other", "what cannot be read is passed over"
    assert stored_reviews.latest(record("tictactoe", "a1 b2")) is None


def test_where_nobody_says_a_search_has_a_hundred_thousand_nodes(folder, capsys):
    assert gameplay("review", folder / "b.jsonl") == 0
    assert "reviewed by iterative, 100,000 nodes a search" in capsys.readouterr().out


# -- kept, and gone on with -----------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """Three games in two files, and a text that holds none."""
    place = tmp_path / "games"
    place.mkdir()
    games = [record("tictactoe", words) for words in ("a1 b1 a2 b2 a3", "b2 a1 c1 a3 a2 c2")]
    (place / "b.jsonl").write_bytes(b"\n".join(map(encode, games)) + b"\n")
    (place / "a.json").write_bytes(
        encode(record("connect4", "4 1 4 1 4 2 4", players=("ann", "eve"))) + b"\n"
    )
    (place / "notes.md").write_text("no game\n")
    return place


def test_a_folder_is_reviewed_and_goes_on_after_an_interruption(folder, capsys, monkeypatch):
    calls = []
    real = lesson.review

    def stopping(record, *rest):
        calls.append(record.game)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(record, *rest)

    monkeypatch.setattr(lesson, "review", stopping)
    assert gameplay("review", folder, "--nodes", 500, "--json") == 130
    first = capsys.readouterr().out.splitlines()
    assert len(first) == 1 and len(stored_reviews.scan()[0]) == 1
    assert gameplay("review", folder, "--nodes", 500, "--json") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert json.loads(first[0]) == found[0] and len(found) == 3
    for path in stored_reviews.folder().iterdir():  # as versions wrote them that knew no phases
        older = stored_reviews.found(path)
        older.phases, older.phase = [], []
        assert older.of(0).moves
        stored_reviews.keep(older, path)
    assert gameplay("review", folder, "--nodes", 500, "--json") == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == found
    assert calls == ["connect4", "tictactoe", "tictactoe", "tictactoe"], (
        "what was reviewed is not searched again"
    )
    assert [(one["game"], one.get("number", 1)) for one in found] == [
        ("connect4", 1),
        ("tictactoe", 1),
        ("tictactoe", 2),
    ]
    assert found[0]["figures"][0]["moves"] and len(found[0]["figures"][0]["phases"]) == 3


def test_the_terminal_shows_curve_moves_and_figures(folder, capsys):
    assert gameplay("review", folder, "--nodes", 500) == 0
    out = capsys.readouterr().out
    for words in (
        "ann - eve, blue won",
        "reviewed by iterative, 500 nodes a search",
        "6  orange  2??",
        "1st third",
    ):
        assert words in out
    assert re.search(r"^ann +3 +\d+", out, re.M), "at the end all games together"


def test_in_brief_there_is_a_line_a_side():
    found = reviewed("connect4", "4 1 4 1 4 2 4")
    blue, orange = brief(found)
    assert blue.startswith("blue: ") and blue.endswith(" %, 0 ?!, 0 ?, 0 ??")
    assert orange.endswith("1 ??")


def test_another_limit_and_other_moves_are_other_reviews():
    one, other = record("tictactoe", "a1 b1"), record("tictactoe", "a1 b2")
    places = [
        stored_reviews.path_of(*words)
        for words in ((one, "x", "1"), (one, "x", "2"), (one, "y", "1"), (other, "x", "1"))
    ]
    assert len(set(places)) == 4
    of_game = blake2b(b"tictactoe\0\0a1\0b1", digest_size=10).hexdigest()
    assert re.fullmatch(rf"{of_game}-[0-9a-f]{{20}}\.json", places[0].name), "what was kept is found again"
    assert stored_reviews.found(places[0]) is None
    places[0].parent.mkdir(parents=True)
    places[0].write_text("{}")
    assert stored_reviews.found(places[0]) is None and stored_reviews.scan()[0] == []


# -- written back ---------------------------------------------------------------------------------

GAMES = {
    ".pgn": '[White "Ann"]\n[Black "Bob"]\n[Result "0-1"]\n\n1. f3 {why?} e5 2. g4 Qh4# 0-1\n',
    ".pdn": '[White "Ann"]\n[Black "Bob"]\n[Result "*"]\n\n1. 11-15 22-18 2. 15x22 25x18 3. 12-16 18-15 *\n',
    ".sgf": "(;FF[4]GM[1]SZ[5]KM[0.5]PB[Ann]PW[Bob];B[cc];W[cb]C[too near];B[bb];W[dd];B[db])",
}


OTHER = Line(steps=[Step("e5")])
BETTER = Line(steps=[Step("d5"), Step("exd5")])  # Black's, as whose is not compared


@pytest.mark.parametrize(
    ("there", "more", "noted"),
    [
        ([], {}, ["+0.25/7, why"]),
        ([], {"verdict": "blunder"}, [4, "+0.25/7, why"]),
        ([], {"verdict": "blunder", "line": ["d5", "exd5"]}, [4, "+0.25/7, why", BETTER]),
        ([], {"line": ["d5", "exd5"]}, ["+0.25/7, why"]),
        ([], {"verdict": "", "stood": 0.5, "second": 0.3, "choices": 2}, [8, "+0.25/7, why"]),
        (["said", OTHER], {"verdict": "mistake"}, [2, "said", "+0.25/7, why", OTHER]),
        ([OTHER], {}, ["+0.25/7, why", OTHER]),
        ([14, "said"], {"verdict": "inaccuracy"}, [6, 14, "said", "+0.25/7, why"]),
        ([1], {"verdict": "mistake"}, [1, "+0.25/7, why"]),
        ([6], {"verdict": "mistake"}, [6, "+0.25/7, why"]),
        ([7], {"verdict": "mistake"}, [2, 7, "+0.25/7, why"]),
        (["?"], {"verdict": "mistake"}, [2, "?", "+0.25/7, why"]),
        ([1], {"stood": 0.5, "second": 0.3, "choices": 2}, [8, 1, "+0.25/7, why"]),
        (["it is +0.25/7, why not", 2], {"verdict": "mistake"}, ["it is +0.25/7, why not", 2]),
        ([BETTER], {"verdict": "mistake", "line": ["d5", "exd5"]}, [2, "+0.25/7, why", BETTER]),
        ([OTHER], {"verdict": "mistake", "line": ["d5", "exd5"]}, [2, "+0.25/7, why", OTHER, BETTER]),
        ([], {"depth": 0}, ["why"]),
    ],
)
def test_marks_stand_first_and_lines_last_and_nothing_twice(there, more, noted):
    """A mark that grades a move, 1 to 6, stands in the place of ours."""
    step = Step("e4", notes=list(there))
    one = Judged(**({"ply": 2, "player": 1, "move": "e4", "value": 25, "depth": 7} | more))
    annotation._note(step, one, registry.game("chess").new(), "why")
    assert step.notes == noted
    lines = [
        note for note in step.notes if isinstance(note, Line) and note is not OTHER and note is not BETTER
    ]
    assert all([each.mover for each in line.steps] == [1, 0] for line in lines)


def test_only_what_was_judged_is_written_into_a_record():
    """An expectation is a number with a point, as records tell means apart."""
    words = ("a1", "b1", "c1", "a2")
    plies = [Ply(word, at % 2, 1, 2, 3) for at, word in enumerate(words)]
    old = Record(1, "tictactoe", "", ["ann", "bob"], 0, plies, None, "rules", "0")
    moves = [
        Judged(1, 0, "a1", 9, 7, depth=4, nodes=50, answer=["b2"], exact=True),
        Judged(2, 1, "b1", 1),
        Judged(3, 0, "c1", 7, 25, bound="expectation", depth=5, nodes=60),
        Judged(4, 1, "a2", 6, 0, bound="expectation", depth=6, nodes=70),
    ]
    found = annotation.annotated(old, SimpleNamespace(moves=moves), lambda one: f"move {one.ply}")
    assert found.moves == [
        Ply("a1", 0, 7, 4, 50, line=["a1", "b2"], exact=True, remark="move 1"),
        plies[1],
        Ply("c1", 0, 25.0, 5, 60, line=["c1"], remark="move 3"),
        Ply("a2", 1, 0.0, 6, 70, line=["a2"], remark="move 4"),
    ]
    assert [type(ply.value) for ply in found.moves] == [int, int, float, float]
    assert old.moves == plies and msgspec.structs.replace(found, moves=plies) == old


@pytest.mark.parametrize("suffix", GAMES)
def test_annotations_are_read_again_and_the_original_stays(suffix, tmp_path, capsys):
    source, target = tmp_path / f"game{suffix}", tmp_path / f"noted{suffix}"
    source.write_text(GAMES[suffix])
    words = ["--nodes", 2_000]
    assert gameplay("review", source, "--annotate", target, *words) == 0
    assert source.read_text() == GAMES[suffix]
    ((before, plain),) = conversion.read(source, registry.game)
    ((sheet, noted),) = conversion.read(target, registry.game)
    assert noted.words == plain.words and noted.result == plain.result
    for old, new in zip(before.line.steps, sheet.line.steps, strict=True):
        assert all(any(note in own for own in new.comments) for note in old.comments)
    again = tmp_path / f"again{suffix}"
    assert gameplay("review", target, "--annotate", again, *words) == 0
    assert again.read_text() == target.read_text(), "to annotate what is annotated changes nothing"
    assert gameplay("export", target, "--out", tmp_path / f"clean{suffix}") == 0
    assert (tmp_path / f"clean{suffix}").read_text() == target.read_text()


def test_a_blunder_is_marked_with_its_better_line(tmp_path):
    source, target = tmp_path / "game.pgn", tmp_path / "noted.pgn"
    source.write_text(GAMES[".pgn"])
    assert gameplay("review", source, "--annotate", target, "--nodes", 2_000) == 0
    ((sheet, noted),) = conversion.read(target, registry.game)
    step = sheet.line.steps[2]
    assert step.word == "g4" and step.notes[0] == 4
    assert step.comments[0].startswith("-M2/") and "blunder, costs" in step.comments[0]
    assert noted.moves[2].value == -scale.WIN + 2, "the values of the copy are read again"
    assert isinstance(step.notes[-1], pgn.Line) and step.notes[-1].steps


def test_our_own_format_takes_the_values(folder, tmp_path):
    target = tmp_path / "noted"
    assert gameplay("review", folder, "--annotate", target, "--nodes", 500) == 0
    found = decode((target / "a.json").read_bytes().strip(), "a")
    assert found.words == ["4", "1", "4", "1", "4", "2", "4"]
    assert found.moves[5].value == -scale.WIN + 2 and found.moves[5].remark.startswith("blunder")
    assert len((target / "b.jsonl").read_bytes().splitlines()) == 2
    assert gameplay("replay", target / "a.json", "--plain") == 0


# -- the page -------------------------------------------------------------------------------------

CHROMIUM = shutil.which("chromium")


@pytest.fixture
def paged(folder):
    page = folder / "page.html"
    assert gameplay("review", folder / "a.json", "--html", page, "--nodes", 500) == 0
    return page


def test_the_page_tells_every_move_and_fetches_nothing(paged):
    text = paged.read_text()
    for words in ("blunder, costs", "ann", "default-src 'none'", "accuracy", "costs are in"):
        assert words in text, words
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "") and "https://" not in text


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_browser_steps_to_the_blunder(paged, tmp_path):
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    command = [CHROMIUM, *flags.split(), f"--user-data-dir={tmp_path / 'chromium'}", "--dump-dom"]
    address = f"file://{paged}?game=1&ply=6"
    dom = subprocess.run([*command, address], capture_output=True, text=True, timeout=60).stdout
    assert 'data-script="ran"' in dom and 'data-shown="game 1 ply 6"' in dom
    said = re.search(r'<p id="said".*?>(.*?)</p>', dom)[1]
    assert said.startswith("6. orange (eve): 2; loss in 2 for orange. blunder, costs"), said
    assert "<polyline" in re.search(r'<div id="curve">(.*?)</div>', dom, re.S)[1]
    assert 'aria-label="6. orange 2, loss in 2' in dom and ">2??<" in dom


# -- refusals -------------------------------------------------------------------------------------


def refused(capsys, status, words, *command):
    assert gameplay("review", *command) == status
    said = capsys.readouterr().err
    assert words in said and "Traceback" not in said and len(said.splitlines()) <= 2, said


def test_what_cannot_be_reviewed_is_refused_in_a_line(folder, tmp_path, capsys):
    refused(capsys, 6, "there is no file nothing.pgn", "nothing.pgn")
    refused(capsys, 2, "does not look ahead", folder / "a.json", "--engine", "random")
    refused(capsys, 2, "there is no engine", folder / "a.json", "--engine", "deepblue")
    match = tmp_path / "x.mat"
    match.write_text(" 1 point match\n\n Game 1\n a : 0                 b : 0\n  1) 31: 8/5 6/5\n")
    refused(capsys, 6, "no place for comments", match, "--annotate", tmp_path / "y.mat")
    refused(capsys, 2, "exists", folder / "a.json", "--annotate", folder / "a.json")
    refused(capsys, 2, "name it copy.json", folder / "a.json", "--annotate", tmp_path / "copy.pgn")
    refused(capsys, 2, "name a folder", folder, "--annotate", match)
    for spec in ("puzzle15", str(TESTS / "examples" / "games" / "kuhn.py")):
        with pytest.raises(Usage, match="two-player game"):
            engine_for(registry.game(spec))
    with pytest.raises(BadInput, match="not a review"):
        lesson.decode(b"{}", "x")
    with pytest.raises(BadInput, match="comments"):
        annotation.check(".txt")


def test_games_that_are_wrong_are_reported_and_the_others_reviewed(tmp_path, capsys):
    file = tmp_path / "two.pgn"
    file.write_text('[White "A"]\n\n1. e4 e4 *\n\n' + GAMES[".pgn"])
    assert gameplay("review", file, "--nodes", 300, "--json") == 6
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1 and "line 3, game 1" in err
    assert msgspec.json.decode(out)["number"] == 2


def test_games_that_nobody_reviews_are_reported_by_their_files(tmp_path, capsys):
    """Alone such a file is refused; among others it is left out, and no copy is written of it."""
    folder, noted = tmp_path / "games", tmp_path / "far" / "noted"
    folder.mkdir()
    puzzle, good = folder / "a.json", folder / "b.json"
    puzzle.write_bytes(encode(record("puzzle15:rows=2,columns=2,seed=3", "up", players=("ann",))))
    good.write_bytes(encode(record("tictactoe", "a1 b1")))
    assert gameplay("review", puzzle) == 2
    out, err = capsys.readouterr()
    why = "puzzle15 cannot be reviewed: reviews need a two-player game of perfect information"
    assert (out, err) == ("", f"gameplay: {why}\n")
    words = ("--nodes", 300, "--json", "--annotate", noted)
    assert gameplay("review", folder, *words) == 6
    out, err = capsys.readouterr()
    (told,) = map(json.loads, out.splitlines())
    assert (told["file"], told.get("number", 1), len(told["figures"])) == (str(good), 1, 2)
    assert told["figures"][0].keys() - {"phases"} == told["figures"][0]["phases"][0].keys()
    first, last = err.splitlines()
    assert first == f"{puzzle}: {why}"
    assert last == f"{good}: annotated in {noted / 'b.json'}"
    assert [path.name for path in noted.iterdir()] == ["b.json"]
    assert noted.joinpath("b.json").read_bytes().count(b"\n") == 1
    twice = (folder, tmp_path / "other", "--annotate", tmp_path / "both")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.json").write_bytes(good.read_bytes())
    assert gameplay("review", *twice) == 2
    told = "gameplay: two of the files have the same name: annotate them one after the other\n"
    assert capsys.readouterr().err == told
    assert gameplay("review", folder, *words) == 2, "a copy is there"
    assert f"{noted / 'b.json'} exists" in capsys.readouterr().err


def test_a_copy_is_named_after_its_file_or_lies_in_a_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    one, two = tmp_path / "one.PGN", tmp_path / "two.json"
    assert cli._copies([one], None) is None
    assert cli._copies([one], Path("~/noted.pgn")) == {one: tmp_path / "noted.pgn"}
    with pytest.raises(Usage, match=r"the copy has the format of one\.PGN: name it noted\.PGN"):
        cli._copies([one], tmp_path / "noted.json")
    folder = tmp_path / "noted"
    folder.mkdir()
    assert cli._copies([one], folder) == {one: folder / "one.PGN"}
    assert cli._copies([one, two], folder) == {one: folder / "one.PGN", two: folder / "two.json"}
    new = tmp_path / "new" / "noted"
    assert cli._copies([one, two], new)[two] == new / "two.json" and new.is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(Usage, match="is a file, and there are 2 to annotate: name a folder"):
        cli._copies([one, two], tmp_path / "file")


def test_what_each_came_to_is_told_below_the_reviews(capsys, monkeypatch):
    """Of two games and more; apart where costs are of another kind, and by the columns that there are."""
    told = []
    monkeypatch.setattr(shown, "lines", lambda *what: [f"a review, {what[3]} columns"])
    monkeypatch.setattr(shown, "parted", lambda *what: told.append(what) or ["end"])
    monkeypatch.setattr(shown, "counted", lambda name, sum_, graded: [name, sum_.moves, graded])
    found = reviewed("connect4", "4 1 4 1 4 2 4")
    found.names = ["ann", "bob"]
    other = msgspec.structs.replace(found, equity=True, names=["bob", "ann"])

    def close(*reviews, as_json=False, interactive=False):
        told.clear()
        console = SimpleNamespace(size=SimpleNamespace(width=70))
        plain_output = cli._Output(SimpleNamespace(interactive=interactive, console=console), as_json)
        for one in reviews:
            plain_output.show(one, None, one.engine)
        plain_output.close()
        assert plain_output.count == len(reviews)
        return capsys.readouterr().out, plain_output

    assert close(found)[0] == "a review, 0 columns\n" and told == []
    out, plain_output = close(found, found, other, interactive=True)
    assert out == "a review, 70 columns\n\na review, 70 columns\n\na review, 70 columns\n\nend\n\nend\n"
    assert plain_output.shown == [(found, found.engine)] * 2 + [(other, other.engine)]
    moves = [found.of(seat).moves for seat in (0, 1)]
    heads, costs = (
        ["", "games", "moves", one, "cost", "?!", "?", "??"] for one in ("accuracy", "cost a move")
    )
    assert told == [
        ([["ann", "1", moves[1], False], ["bob", "1", moves[0], False]], costs, 70),
        ([["ann", "2", 2 * moves[0], True], ["bob", "2", 2 * moves[1], True]], heads, 70),
    ]
    assert close(found, found)[0] == "a review, 0 columns\n\na review, 0 columns\n\nend\n"
    assert close(found, found, as_json=True)[0].count("\n") == 2 and told == []
    monkeypatch.setattr(cli, "PAGE", 2)
    assert len(close(found, found, found)[1].shown) == 2


def test_a_page_shows_the_games_of_one_game(folder, capsys):
    page = folder / "page.html"
    assert gameplay("review", folder, "--html", page, "--nodes", 300, "--json") == 0
    first, last = capsys.readouterr().err.splitlines()
    assert first == f"{page}: the page shows the games of connect4; give each game a page"
    assert last == f"{page}: {len(page.read_bytes()) / 1000:,.0f} kB"
    other = folder / "other.html"
    assert gameplay("review", folder / "b.jsonl", "--html", other, "--nodes", 300, "--json") == 0
    assert capsys.readouterr().err == f"{other}: {len(other.read_bytes()) / 1000:,.0f} kB\n"
    assert gameplay("review", folder / "b.jsonl", "--html", other) == 2


def test_a_review_is_told_whole_at_every_width():
    """With mistakes and without, in points and in equity; won, drawn and unfinished."""
    told = []
    games = {
        "tictactoe": (
            reviewed("tictactoe", "b2 a2 c3 a1 c1 a3"),
            reviewed("tictactoe", "b2 a1 c1 a3 a2 c2 b1 b3 c3"),
        ),
        "connect4": (reviewed("connect4", "4 1 4 1 4 2 4", nodes=500), reviewed("connect4", "4", nodes=50)),
        "backgammon": (reviewed("backgammon", ["31", "8/5,6/5", "64", "24/14"], nodes=20),),
        "chess": (reviewed("chess", "e4 f6 d4 g5 Qh5", nodes=300), reviewed("chess", "e4 e5", nodes=200)),
    }
    for spec, found in games.items():
        position = registry.game(spec).new()
        for number, one in enumerate(found, 1):
            for width, unicode in ((0, True), (76, True), (44, False)):
                theme = Theme(colour=False, unicode=unicode, interactive=bool(width))
                told += [f"-- {spec} {number}, {width} columns", *shown.lines(one, position, theme, width)]
                assert not width or max(map(len, shown.lines(one, position, theme, width))) <= width
            told += [*shown.brief(one), *(shown.comment(one, position, move) for move in one.moves)]
    golden("reviews", "\n".join(line.rstrip() for line in told) + "\n")


def test_a_page_of_reviews_is_told_whole():
    """One game and several, of them a part; its data too, without the style and the script."""
    told = []
    one = record("tictactoe", "b2 a2 c3 a1 c1 a3")
    two = record("connect4", "4 1 4 1 4 2 4")
    dice = record("backgammon", ["31", "8/5,6/5", "64", "24/14"])
    for counted, nodes, records in (
        (1, 3000, [one]),
        (1200, 500, [two, record("connect4", "4 4")]),
        (1, 20, [dice]),
    ):
        games = []
        for found in records:
            game = registry.game(found.game)
            judged = review(found, engine_for(game), Limit(nodes=nodes))
            games.append((judged, frames(game, found), game.new()))
        text = review_page.page(games, {"rows": ["1"]}, counted)
        text = re.sub(r"(?s)<(style|script)>.*?</\1>", "", text.replace(__version__, "1.2"))
        told += [f"-- {records[0].game}", re.sub(r"'sha256-[^']*'", "HASH", text)]
    golden("review_pages", "\n".join(told))
