"""Reviews: judged by brute force and planted blunders; accuracy, phases, single moves."""

import json
import os
from functools import cache
from random import Random
from types import SimpleNamespace

import msgspec
import pytest
from msgspec import structs

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import BadInput
from gameplay.players.verdict import VERDICTS, verdict
from gameplay.position import Position
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.store.record import Ply, Record
from gameplay.training import review as lesson
from gameplay.training import stored_reviews
from gameplay.training.review import ReviewedMove, engine_for, review
from tests.support.commands import gameplay
from tests.support.reviews import games_folder, record, review_moves

pytestmark = pytest.mark.once  # that searches are the same in both builds is proved where they are tested

assert games_folder  # fixture


def brute_force_score(spec):
    """The mover's expected score by brute force, independent of engines."""

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


# -- what is found --------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["tictactoe", "nim"])
def test_every_move_of_small_games_is_judged_as_brute_force_does(spec):
    worth = brute_force_score(spec)
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
        review = review_moves(spec, words, nodes=20_000)
        assert [move.loss for move in review.moves] == pytest.approx(costs), words
        assert all((move.verdict == "blunder") == (move.loss > 0) for move in review.moves)
        verdicts |= {move.verdict for move in review.moves}
        for mistake in review.mistakes:
            again = registry.game(spec).new()
            for word in words[: mistake.ply - 1]:
                again.make(again.parse(word))
            stood = worth(again.text())
            again.make(again.parse(mistake.better))
            assert 1 - worth(again.text()) == stood, "the better move keeps what there was"
            assert mistake.line[0] == mistake.better != mistake.move
    assert verdicts == {"", "blunder"}


def test_the_end_of_othello_is_judged_as_brute_force_does():
    worth = brute_force_score("othello")
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
        review = review_moves("othello", words, start.text())
        assert [move.loss for move in review.moves] == pytest.approx(costs)
        found_any += sum(move.loss > 0 for move in review.moves)
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
    review = review_moves(spec, words, start)
    move = review.moves[ply - 1]
    assert move.verdict in ("mistake", "blunder"), (move, review.mistakes)
    assert move.best > move.value and move.line[0] == move.better
    assert better in ("", move.better)
    assert move.answer, "the refutation is reported"


def test_only_moves_that_were_found_are_known_as_such():
    review = review_moves("connect4", "4 1 4 1 4 4")
    assert [move.ply for move in review.moves if move.is_only_move] == [6]
    assert not any(move.is_only_move for move in review.moves[:5])


def test_a_game_of_chance_is_judged_by_equity():
    review = review_moves("backgammon", ["31", "8/5 6/5", "42", "8/4 6/4"], nodes=2_000)
    assert review.equity and review.loss_unit == "equity"
    thrown = [move for move in review.moves if move.player < 0]
    assert thrown and not any(move.is_judged for move in thrown)
    blunder = review_moves("backgammon", ["31", "24/20"], nodes=2_000).moves[1]
    assert blunder.loss == pytest.approx((blunder.best - blunder.value) / 1000, abs=1e-5)
    assert blunder.verdict and blunder.better == "8/5;6/5"


def test_the_same_limit_gives_the_same_review():
    words = "e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5 exd5"
    first, second = (review_moves("chess", words, nodes=3_000) for _ in range(2))
    assert first == second
    assert first.opening.startswith("C57") or "Two Knights" in first.opening


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
    points = [scale.expected_score(value, position) for value in values]
    assert points == sorted(points) and points[0] == 0 and points[4] == 0.5 and points[-1] == 1
    assert [first + second for first, second in zip(points, reversed(points), strict=True)] == pytest.approx(
        [1] * 9
    )


def test_expected_points_of_material_and_known_ends():
    chess, othello = registry.game("chess").new(), registry.game("othello").new()
    assert scale.expected_score(300, chess) == pytest.approx(0.75)
    published = 1 / (1 + 2.718281828 ** (-0.00368208 * 150))
    assert scale.expected_score(150, chess) == pytest.approx(published, abs=0.002)
    assert scale.expected_score(200, othello, exact=True) == 1.0 and scale.expected_score(200, othello) < 0.75


def test_figures_add_up():
    review = review_moves("tictactoe", "a1 b1 a2 b2 c3 b3")
    for seat in range(2):
        thirds = [review.player_figures(seat, phase) for phase in range(3)]
        whole = review.player_figures(seat)
        together = thirds[0] + thirds[1] + thirds[2]
        assert together.moves == whole.moves and together.verdicts == whole.verdicts
        assert together.lost == pytest.approx(whole.lost)
        assert together.accuracy == pytest.approx(whole.accuracy)
    curve = review.curve()
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
def test_phases_are_those_of_the_game(spec, start, phase):
    assert registry.game(spec).new(start).phase() == phase


def test_race_begins_when_no_contact_is_possible():
    rng = Random(2)
    position = registry.game("backgammon").new()
    seen = set()
    while position.outcome() is None:
        far = [max(at for at in range(26) if men[at] or not at) for men in map(position.checkers, (0, 1))]
        assert position.phase() == (sum(far) < 25)
        seen.add(position.phase())
        position.make(rng.choice(position.moves()))
    assert seen == {0, 1}


class Phased(Position):
    """Every move names the next phase."""

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


def test_phases_advance_and_restart_after_the_last(monkeypatch):
    monkeypatch.setattr(lesson.registry, "game", lambda _: SimpleNamespace(new=lambda _: Phased()))
    words = "0 1 0 1 2 1 2 0 1 0 0"
    plies = [Ply(word, 0) for word in words.split()]
    assert lesson.phases(Record(1, "phased", "", ["a", "b"], 0, plies, None, "", "0")) == (
        ["first", "second", "third"],
        [0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 1],
    )


def test_games_without_phases_are_split_in_thirds():
    assert lesson.phases(record("tictactoe", "a1 b1 a2 b2 c3"))[1] == [0, 0, 1, 1, 2]
    assert lesson.phases(record("tictactoe", ""))[1] == []


START = "4 4"  # connect4: all seven columns are legal, with numbers from 0
HERE = Limit(nodes=100)


def make_report(*candidates, depth=6, **more):
    return Report(candidates=tuple(candidates), depth=depth, nodes=90, **more)


def judge_move(monkeypatch, move, *reports, limit=HERE, spec="connect4", start=START):
    """The judgement of a move after these reports, and the requested searches."""
    left, requests = list(reports), []

    class Written:
        def __init__(self, engine):
            requests.append(engine)

        def begin(self):
            requests.append("begin")

        def search(self, position, limit):
            requests.append(limit)
            return left.pop(0)

    monkeypatch.setattr(lesson, "Session", Written)
    position = registry.game(spec).new()
    for word in start.split():
        position.make(position.parse(word))
    text, judge = position.text(), lesson._Judge("who", limit, bool(position.chance))
    word = position.format(move) if move in position.moves() else "?"
    judgement = judge.judge(position, move, 3, word)
    assert requests[:2] == ["who", "begin"] and position.text() == text and not left
    return judgement, requests[2:]


TWO = Limit(nodes=100, multipv=2)


def worth(value, exact=False):
    return round(scale.expected_score(value, registry.game("connect4").new(), "exact", exact), 6)


# -- move by move, by searches that are written down ------------------------------------------------


def test_the_best_move_is_judged_beside_the_second_best(monkeypatch):
    best, second = Candidate(3, 40, pv=(3, 3, 2)), Candidate(2, -5, pv=(2, 1))
    judgement, requests = judge_move(monkeypatch, 3, make_report(best, second))
    assert requests == [TWO]
    assert judgement == ReviewedMove(
        *(3, 0, "4", 7, 40, 40, "exact", False, "", [], ["4", "3"]),
        *(worth(40), worth(40), worth(-5), 0.0, ""),
        depth=6,
        nodes=90,
    )
    assert judge_move(monkeypatch, 3, make_report(best))[0].second_score is None
    assert judge_move(monkeypatch, 3, make_report(best, second, Candidate(1, -9)))[0].second_score == worth(
        -5
    )
    hidden = Candidate(2, 30, "unknown")
    assert judge_move(monkeypatch, 3, make_report(best, hidden, second))[0].second_score == worth(-5)


def test_worse_move_is_judged_by_its_loss(monkeypatch):
    best, second = Candidate(3, 40, pv=(3, 3, 2)), Candidate(2, -5, pv=(2, 1))
    judgement, requests = judge_move(monkeypatch, 2, make_report(best, second))
    loss = round(scale.expected_score(40, registry.game("connect4").new()) - worth(-5), 6)
    assert requests == [TWO] and loss == pytest.approx(worth(40) - worth(-5), abs=2e-6)
    assert judgement == ReviewedMove(
        *(3, 0, "3", 7, -5, 40, "exact", False, "4", ["4", "4", "3"], ["2"]),
        *(worth(40), worth(-5), worth(-5), judgement.loss, verdict(judgement.loss)),
        depth=6,
        nodes=90,
    )
    assert judgement.loss == pytest.approx(loss, abs=2e-6) and judgement.verdict
    over = (Candidate(3, 40, pv=(3,), proven=True), Candidate(2, -5, pv=(2,), proven=True))
    assert judge_move(monkeypatch, 2, make_report(*over))[0].exact
    for proven in ((True, False), (False, True)):
        some = [structs.replace(entry, proven=seen) for entry, seen in zip(over, proven, strict=True)]
        judgement = judge_move(monkeypatch, 2, make_report(*some))[0]
        assert not judgement.exact and judgement.score_before == worth(40)
    assert judge_move(monkeypatch, 2, make_report(*over))[0].score_before == 1.0


@pytest.mark.parametrize(
    ("limit", "first", "again"),
    [
        (HERE, {}, Limit(nodes=400, depth=6, moves=(0,))),
        (HERE, {"depth": 0}, Limit(nodes=100, moves=(0,))),
        (HERE, {"stopped": "proven"}, Limit(nodes=400, moves=(0,))),
        (Limit(depth=9), {}, Limit(depth=6, moves=(0,))),
        (Limit(seconds=2.0), {"depth": 0}, Limit(seconds=2.0, moves=(0,))),
    ],
)
def test_inferior_move_is_searched_no_deeper_than_the_best(monkeypatch, limit, first, again):
    best, second = Candidate(3, 40, pv=(3, 3)), Candidate(2, 35, pv=(2, 1))
    mine = Candidate(0, -20, pv=(0, 3))
    judgement, searches = judge_move(
        monkeypatch, 0, make_report(best, second, **first), make_report(mine), limit=limit
    )
    assert searches == [limit.with_(multipv=2), again]
    assert (judgement.move, judgement.value, judgement.best, judgement.second_score) == (
        "1",
        -20,
        40,
        worth(35),
    )
    assert (judgement.better, judgement.answer) == ("4", ["4"])


def test_a_move_that_proves_better_than_the_best_is_the_best(monkeypatch):
    best, second, mine = Candidate(3, 40, pv=(3,)), Candidate(2, 35), Candidate(0, 41, pv=(0, 3))
    judgement, _ = judge_move(monkeypatch, 0, make_report(best, second), make_report(mine))
    assert (judgement.value, judgement.best, judgement.loss, judgement.better) == (41, 41, 0.0, "")
    assert (judgement.second_score, judgement.score_before, judgement.score_after) == (
        None,
        worth(41),
        worth(41),
    )
    alike, _ = judge_move(monkeypatch, 0, make_report(best, second), make_report(Candidate(0, 40)))
    assert (alike.value, alike.best, alike.second_score, alike.loss) == (40, 40, worth(35), 0.0)


def test_simulation_means_are_searched_again_separately(monkeypatch):
    """Unless the best of them is proven."""
    best, second = Candidate(3, 0.5, "expectation"), Candidate(2, 0.4, "expectation")
    again = structs.replace(best, value=0.3)
    limit = Limit(simulations=50)
    alone = [Limit(simulations=50, moves=(move,)) for move in (3, 2)]
    first = make_report(best, second, depth=0, visits=50)
    judgement, requests = judge_move(monkeypatch, 3, first, make_report(again), limit=limit)
    assert requests == [limit.with_(multipv=2), alone[0]]
    assert (judgement.value, judgement.best, judgement.second_score) == (0.3, 0.3, None)
    judgement, requests = judge_move(
        monkeypatch, 2, first, make_report(again), make_report(second), limit=limit
    )
    assert requests == [limit.with_(multipv=2), *alone]
    assert (judgement.value, judgement.best) == (0.4, 0.4)
    proven = structs.replace(best, proven=True)
    judgement, requests = judge_move(
        monkeypatch, 2, make_report(proven, second, depth=0, visits=50), limit=limit
    )
    assert requests == [limit.with_(multipv=2)] and judgement.second_score == judgement.score_after


def test_moves_that_are_not_judged(monkeypatch):
    """Chance moves, forced moves, illegal moves, and moves without known values."""
    bare = ReviewedMove(3, 0, "4", 7)
    unknown, known = Candidate(3, 0, "unknown"), Candidate(2, 5)
    assert judge_move(monkeypatch, 3, make_report(unknown))[0] == bare
    assert judge_move(monkeypatch, 3, make_report(known), make_report(unknown))[0] == bare
    assert judge_move(monkeypatch, 9)[0] == ReviewedMove(3, 0, "?", 7)
    alone = judge_move(monkeypatch, 0, start="a1 b1 c1 b2 a2 c2 b3 a3", spec="tictactoe")[0]
    assert (alone.choices, alone.is_judged) == (1, False)
    pair = judge_move(
        monkeypatch,
        6,
        make_report(Candidate(6), Candidate(8)),
        start="a1 b1 c1 b2 a2 c2 b3",
        spec="tictactoe",
    )[0]
    assert (pair.choices, pair.is_judged, pair.value) == (2, True, 0)
    thrown = judge_move(monkeypatch, 0, spec="backgammon", start="")[0]
    assert (thrown.player, thrown.choices, thrown.is_judged) == (-1, 0, False)
    with pytest.raises(KeyboardInterrupt):
        judge_move(monkeypatch, 3, make_report(known, stopped="interrupted"))


def test_review_reports_progress_before_each_move(monkeypatch):
    log = []
    game = record("tictactoe", "a1 b1 a2")
    result = review(game, engine_for(registry.game("tictactoe")), Limit(nodes=50), lambda *at: log.append(at))
    assert log == [(1, 3), (2, 3), (3, 3)] and [move.ply for move in result.moves] == [1, 2, 3]
    assert (result.schema, result.sides, result.number) == (1, ["x", "o"], 1)


def one_move(loss=0.0, choices=2, second_score=0.3, score_before=0.5, value=0, player=0, **more):
    return ReviewedMove(
        1,
        player,
        "a1",
        choices,
        value,
        loss=loss,
        second_score=second_score,
        score_before=score_before,
        **more,
    )


def test_an_only_move_costs_nothing_and_every_alternative_is_a_mistake():
    assert (
        one_move(score_before=0.1, second_score=0.0).is_only_move
        and not one_move(score_before=0.1, second_score=0.0001).is_only_move
    )
    for other in ({"loss": 0.01}, {"choices": 1}, {"second_score": None}, {"value": None}):
        assert not one_move(**other).is_only_move
    assert one_move(choices=3).is_only_move


def test_player_figures_are_totalled_by_move_and_phase():
    moves = [
        one_move(loss, player=player, verdict=verdict(loss), score_after=0.25)
        for player, loss in ((0, 0.0), (1, 0.2), (0, 0.1), (0, 0.05), (1, 0.0))
    ]
    moves = [msgspec.structs.replace(move, ply=ply) for ply, move in enumerate(moves, 1)]
    moves.append(ReviewedMove(6, 0, "b1", 1))
    review = lesson.Review(1, "go", "", [], [], "", "", moves, phases=["a", "b"], phase=[0, 0, 0, 1, 1, 1])
    first, second = review.player_figures(0), review.player_figures(1)
    assert (first.moves, first.verdicts, first.best) == (3, (1, 1, 0), 1)
    assert (second.moves, second.verdicts, second.best) == (2, (0, 0, 1), 1)
    assert first.lost == pytest.approx(0.15) and first.error == pytest.approx(0.05)
    assert first.accuracy == pytest.approx(sum(map(lesson.accuracy, (0, 0.1, 0.05))) / 3)
    assert [review.player_figures(0, phase).moves for phase in (0, 1)] == [2, 1]
    none = lesson.Figures(0, None, 0.0, (0, 0, 0), 0)
    assert review.player_figures(2) == none and none + first == first == first + lesson.Figures()
    both = first + second
    assert (both.moves, both.verdicts, both.best) == (5, (1, 1, 1), 2)
    assert both.accuracy == pytest.approx((3 * first.accuracy + 2 * second.accuracy) / 5)
    assert both.lost == pytest.approx(0.35) and lesson.Figures().error == 0.0
    assert review.curve() == [0.25, 0.75, 0.25, 0.25, 0.75, None]
    assert review.loss_unit == "expected points" and review.mistakes == [moves[at] for at in (1, 2, 3)]


def test_review_of_another_schema_is_ignored(tmp_path):
    review = review_moves("tictactoe", "a1 b1")
    place = tmp_path / "r.json"
    stored_reviews.write_review(review, place)
    assert stored_reviews.read_review(place) == review
    written = json.loads(place.read_text())
    assert written["schema"] == 1 and "bound" not in written["moves"][0], "what is as usual is not written"
    with pytest.raises(BadInput, match=r"^x: the review has schema 2; this version reads 1$"):
        lesson.decode(json.dumps(written | {"schema": 2}).encode(), "x")
    with pytest.raises(BadInput, match=r"^x is not a review: "):
        lesson.decode(b"\xff", "x")


def test_latest_stored_review_counts():
    game = record("tictactoe", "a1 b1")
    review = review_moves("tictactoe", "a1 b1")
    for name, engine, at in (("x", "old", 100), ("y", "new", 300), ("z", "other", 200)):
        place = stored_reviews.path_of(game, name, "1")
        stored_reviews.write_review(msgspec.structs.replace(review, engine=engine), place)
        os.utime(place, (at, at))
    assert stored_reviews.latest(game).engine == "new"
    stored_reviews.path_of(game, "y", "1").write_text("{")
    assert stored_reviews.latest(game).engine == "other", "what cannot be read is passed over"
    assert stored_reviews.latest(record("tictactoe", "a1 b2")) is None


def test_review_defaults_to_a_hundred_thousand_nodes(games_folder, capsys):
    assert gameplay("review", games_folder / "b.jsonl") == 0
    assert "reviewed by iterative, 100,000 nodes a search" in capsys.readouterr().out


def test_reviewed_moves_keep_their_stored_field_names():
    move = ReviewedMove(
        1,
        0,
        "a1",
        score_before=0.5,
        score_after=0.25,
        second_score=0.5,
        result_text="9",
        best_result_text="10",
    )
    stored = msgspec.json.decode(msgspec.json.encode(move))
    assert {key: stored[key] for key in ("stood", "left", "second", "led", "leads")} == {
        "stood": 0.5, "left": 0.25, "second": 0.5, "led": "9", "leads": "10"
    }  # fmt: skip
