"""Quiz questions: answers equal brute force on random trees; typed answers."""

import math
import re
from random import Random

import pytest

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import BadInput, Usage
from gameplay.kernel import compiled
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.training import quiz, random_trees
from gameplay.training.answer import ALL, NUMBER, ONE, WINDOW, RightAnswer
from tests.support.facts.drawn_trees import check_answer
from tests.support.golden import golden
from tests.support.quizzes import describe_question, minimax

INF = math.inf
TREES = 1500 if compiled() else 60


class LectureAlphaBeta:
    """Alpha-beta as written in lectures: two functions in one, fail-soft, from MAX's view."""

    def __init__(self, data):
        self.windows, self.cut, self.leaves = {}, [], []
        self.value = self.visit(data, (), -INF, INF)

    def visit(self, data, path, alpha, beta):
        self.windows[path] = (alpha, beta)
        below = random_trees.branches(data)
        if not below:
            self.leaves.append(path)
            return data
        left = list(below)
        maximizing = "max" in data
        best = -INF if maximizing else INF
        while left:
            word = left.pop(0)
            value = self.visit(below[word], (*path, word), alpha, beta)
            best = max(best, value) if maximizing else min(best, value)
            alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
            if alpha >= beta:
                self.cut += [(*path, word) for word in left]
                break
        return best


def quiescent_value(data, me):
    """The value of a node at the depth: the estimate, or a noisy branch, for either side."""
    if not isinstance(data, dict):
        return data
    best = data["guess"]
    choose = max if "max" in data else min
    for word in data.get("noisy", ()):
        best = choose(best, quiescent_value(random_trees.branches(data)[word], me))
    return best


def branch_name(question, path):
    """The quiz's name of a branch."""
    return " ".join(path) if question.game else path[-1]


def check(question):
    """Check the answer to a question on a whole tree by solving it again."""
    answer, data = question.answer, question.data
    search = LectureAlphaBeta(data)
    if question.kind == "value":
        assert answer.right == (minimax(data),) == (search.value,)
    elif question.kind == "move":
        values = {word: minimax(branch) for word, branch in random_trees.branches(data).items()}
        best = [word for word, value in values.items() if value == max(values.values())]
        assert [*answer.right] == best
    elif question.kind == "cut":
        assert set(answer.right) == {branch_name(question, path) for path in search.cut}
    elif question.kind == "window":
        name = re.search(r"does it enter ([^?]+)\?", question.text)[1]
        (window,) = {
            window for path, window in search.windows.items() if path and branch_name(question, path) == name
        }
        assert answer.right == window != (-INF, INF)
    elif question.game:
        assert answer.right == (len(search.leaves),)
    else:
        assert set(answer.right) == {branch_name(question, path) for path in search.leaves}


# -- brute force ----------------------------------------------------------------------------------


def test_the_answers_are_those_of_brute_force_on_thousands_of_trees():
    """Windows, cuts, leaves and values, on random trees and positions, at every level."""
    kinds = ["value", "move", "cut", "window", "visits"]
    for number in range(TREES):
        kind, level = kinds[number % 5], (1, 2, 3, 1, 2, 3, 1, 2, 4, 5)[number // 5 % 10]
        question = quiz.make_question(kind, level, number, 0, quiz.RANDOM_TREES)
        check(question)
        if number % 25 == 0 and kind != "move":
            check(quiz.make_question(kind, level, number, 0, "tictactoe"))


def test_quiescence_is_that_of_brute_force():
    for number in range(TREES // 20):
        question = quiz.make_question("quiescence", 1 + number % 5, number, 0, quiz.RANDOM_TREES)
        below = random_trees.branches(question.data)
        guess = {
            word: branch["guess"] if isinstance(branch, dict) else branch for word, branch in below.items()
        }
        changed = [word for word, branch in below.items() if quiescent_value(branch, 0) != guess[word]]
        assert [*question.answer.right] == changed and changed


def test_position_expands_into_its_whole_game_tree():
    position = registry.game("tictactoe").new("a1 b1 c1 b2 a2 c2 b3")
    data = random_trees.unfold_position(position, 5)
    assert data == {"max": {"a3": {"min": {"c3": 0}}, "c3": {"min": {"a3": -1}}}}
    assert (random_trees.count_nodes(data), random_trees.height(data)) == (5, 2)
    assert random_trees.unfold_position(position, 4) is None
    assert position.text() == registry.game("tictactoe").new("a1 b1 c1 b2 a2 c2 b3").text()


@pytest.mark.once
def test_the_move_of_a_position_is_the_only_good_one():
    """In tic-tac-toe and a small Connect Four, by the whole tree."""
    for game, level in (("tictactoe", 1), ("tictactoe", 2), ("connect4:columns=4,rows=4", 2)):
        question = quiz.make_question("move", level, 1, 0, game)
        data = random_trees.unfold_position(question.make_position(), 100_000)
        assert data is not None
        values = {word: minimax(branch) for word, branch in random_trees.branches(data).items()}
        right = values.pop(question.answer.right[0])
        assert right > max(values.values())


@pytest.mark.once
def test_after_these_captures_material_is_lost():
    """By python-chess: the balance after the move, and after the exchanges that both sides choose."""
    chess = pytest.importorskip("chess")
    worth = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}

    def balance(board):
        return sum(
            worth[p.piece_type] * (1 if p.color == board.turn else -1) for p in board.piece_map().values()
        )

    def calm(board, alpha=-99, beta=99):
        best = balance(board)
        if board.is_check():
            return None
        for move in [m for m in board.legal_moves if board.is_capture(m)] if best < beta else ():
            board.push(move)
            below = calm(board, -beta, -max(alpha, best))
            board.pop()
            if below is None:
                return None
            best = max(best, -below)
            if best >= beta:
                break
        return best

    known = 0
    for seed in range(16):
        question = quiz.make_question("quiescence", 2, seed, 0, "chess")
        board = chess.Board()
        for word in question.words:
            board.push_san(word)
        for name in question.answer.names:
            move = board.parse_san(name)
            board.push(move)
            promotes = any(m.promotion for m in board.legal_moves)
            stood, settled = balance(board), calm(board)
            board.pop()
            if settled is None or promotes:
                continue  # checks and promotions are noisy too, which this plain judge does not follow
            known += 1
            assert (abs(stood - settled) >= 1) == (name in question.answer.right), (seed, name)
    assert known > 12


@pytest.mark.once
def test_questions_depend_on_the_seed_and_grow_with_the_level():
    for kind in quiz.KINDS:
        assert quiz.make_question(kind, 2, 5, 1, "tree") == quiz.make_question(kind, 2, 5, 1, "tree")
    sizes = [
        sum(random_trees.count_nodes(random_trees.random_tree(Random(seed), level)) for seed in range(30))
        for level in random_trees.LEVELS
    ]
    assert sizes == sorted(sizes)
    series = list(quiz.make_series(1, 1, 13, game="tree"))
    assert [question.kind for question in series[:11]] == [*quiz.KINDS]
    names = [name for name, _ in zip(random_trees.letters(), range(60), strict=False)]
    assert "q" not in names and len(set(names)) == 60


@pytest.mark.once
def test_missing_kinds_of_questions_are_replaced():
    assert {make_sery.kind for make_sery in quiz.make_series(1, 1, 2, game="chess")} == {"move", "quiescence"}


ASKED = (
    *((kind, level, quiz.RANDOM_TREES) for kind in quiz.KINDS for level in random_trees.LEVELS),
    *((kind, level, "tictactoe") for kind in ("value", "cut", "window", "visits") for level in (1, 3)),
    *(("value", 2, "connect4:columns=4,rows=4"), ("visits", 1, "othello:size=4")),
    *(("move", 1, "tictactoe"), ("move", 2, "connect4")),
    *(("quiescence", 1, "chess"), ("quiescence", 3, "chess"), ("cut", 2, ""), ("window", 2, "")),
)


@pytest.mark.once
def test_questions_depend_on_the_seed_only():
    questions = [quiz.make_question(kind, level, 3, 1, game) for kind, level, game in ASKED]
    for question in questions:
        if (
            question.data is not None
            and question.kind in ("value", "move", "cut", "window", "visits")
            and not question.game
        ):
            right = [None if end in (math.inf, -math.inf) else end for end in question.answer.right]
            check_answer(question.kind, question.data, question.text, right)
    texts = [describe_question(question) for question in questions]
    golden("questions", "\n".join(texts) + "\n")


@pytest.mark.once
def test_search_for_late_positions_is_bounded_in_games_and_plies():
    class FixedLength:
        """Games of `plies` plies, with two moves each except the last."""

        def __init__(self, plies, last=2):
            self.plies, self.last, self.begun, self.made = plies, last, 0, 0

        def new(self):
            self.begun += 1
            stub = Stub()
            stub.game, stub.ply, stub.turn = self, 0, 0
            return stub

    class Stub:
        scored, chance = False, False

        def moves(self):
            return list(range(self.game.last if self.ply == self.game.plies - 1 else 2))

        def outcome(self):
            return (1, -1) if self.ply >= self.game.plies else None

        def format(self, move):
            return str(move)

        def make(self, move):
            self.ply, self.turn = self.ply + 1, 1 - self.turn
            self.game.made += 1

        def unmake(self):
            self.ply, self.turn = self.ply - 1, 1 - self.turn

    endless = FixedLength(401)
    assert random_trees.near_end(endless, Random(1), 1) is None and (endless.begun, endless.made) == (1, 400)
    sudden = FixedLength(1)  # three nodes, and a third of twelve are requested
    assert random_trees.near_end(sudden, Random(1), 1) is None and sudden.begun == 60
    for level, most in ((1, 12), (2, 20), (3, 40), (4, 70), (5, 120)):
        words, data = random_trees.near_end(FixedLength(3, most - 1), Random(1), level)
        assert len(words) == 2 and random_trees.count_nodes(data) == most
        assert random_trees.near_end(FixedLength(3, most), Random(1), level) is None
    words, data = random_trees.near_end(FixedLength(400), Random(1), 1)
    assert (len(words), random_trees.height(data), random_trees.count_nodes(data)) == (398, 2, 7)
    assert data["max"]["0"] == {"min": {"0": 1, "1": 1}}, "the value is MAX's, who moves"
    words, data = random_trees.near_end(FixedLength(9), Random(1), 3)
    assert (len(words), random_trees.height(data)) == (5, 4), "31 nodes of 40, 63 would be too many"


@pytest.mark.once
def test_limits_of_the_search_for_a_question(monkeypatch):
    tries = []
    monkeypatch.setattr(quiz, "_random_question", lambda *words: tries.append(words))
    with pytest.raises(Usage) as refused:
        quiz.make_question("cut", 2, 5, 0, quiz.RANDOM_TREES)
    assert len(tries) == 200 and str(refused.value) == (
        "no question 'cut' of level 2 was found in tree. Try: another level, or --game tree"
    )
    limits = []

    class Searched:
        def __init__(self, engine):
            pass

        def search(self, position, limit):
            limits.append(limit)
            return Report(candidates=(Candidate(0, 30), Candidate(1, seconds.pop(0))))

    monkeypatch.setattr(quiz, "Session", Searched)
    position = registry.game("connect4").new()
    seconds = [-900, -900, 29]
    results = [quiz._find_only_move(position, "iterative", depth) for depth in (3, None, 3)]
    assert [result is not None for result in results] == [True, True, False] and not seconds
    assert limits[:2] == [Limit(depth=3, multipv=2), Limit(nodes=30_000, multipv=2)]


@pytest.mark.once
def test_good_move_is_missed_by_a_shorter_search(monkeypatch):
    """One fewer ply in a game without noisy moves; with them half the plies, and quiescence."""
    calls, says = [], {}

    def only(position, engine, depth):
        calls.append((engine, depth))
        return says.get(depth)

    monkeypatch.setattr(quiz, "_find_only_move", only)
    place = {"nim": "", "tictactoe": "b2 a1"}
    monkeypatch.setattr(quiz, "_random_position", lambda game, rng: (game.new(place[game.spec]), []))
    nim = registry.game("nim").new()
    report = Report(move=2, value=4, candidates=(Candidate(2, 4), Candidate(1, 1)), pv=(2,), depth=3)
    says.update({3: report, None: report})
    question = quiz._move_question(3, None, "nim")
    assert calls == [("iterative", 2), ("iterative", 3), ("iterative", None)]
    word, other = nim.format(2), nim.format(1)
    assert question.answer == RightAnswer(ONE, (word,), tuple(map(nim.format, nim.moves())))
    assert question.text == "first moves. Which is the only good move? Finding it takes 3 plies."
    assert (question.note, question.engine, question.depth) == (
        f"{word} has the value +4, {other} at most +1", "iterative", 3
    )  # fmt: skip
    for change in ({2: report}, {3: None}, {None: None}, {None: report.with_(move=1)}):
        kept = dict(says)
        says.update(change)
        assert quiz._move_question(3, None, "nim") is None, change
        says.clear()
        says.update(kept)
    calls.clear()
    assert quiz._move_question(1, None, "nim") is None and calls == [("iterative", 1)]
    for level, depths in ((1, [1]), (2, [1]), (3, [1, 2]), (4, [1, 2])):
        calls.clear()
        says.clear()
        assert quiz._move_question(level, None, "tictactoe") is None
        assert calls[: len(depths)] == [("quiescence", depth) for depth in depths]
    for words, looked in (("a1 b1 c1 b2 a2 c2", True), ("a1 b1 c1 b2 a2 c2 b3", False)):
        calls.clear()
        place["tictactoe"] = words
        assert quiz._move_question(1, None, "tictactoe") is None and bool(calls) is looked, (
            "two moves are too few"
        )


@pytest.mark.once
def test_a_move_is_good_alone_from_a_mistake_on(monkeypatch):
    for worth, good in ((0.1, True), (0.0999, False)):
        monkeypatch.setattr(quiz, "cost", lambda position, best, other, worth=worth: worth)
        assert (quiz._find_only_move(registry.game("nim").new(), "iterative", 1) is not None) == good


@pytest.mark.once
def test_options_of_a_question_include_distinct_moves(monkeypatch):
    """Two that differ by a unit and two that do not, of the first 24 drawn."""
    looked, drawn = [], []

    class Plain:
        """A position of thirty moves."""

        unit, unit_names, turn, sides = 100, ("pawn", "pawns"), 0, ("white", "black")

        def moves(self):
            return range(30)

        def format(self, move):
            return f"m{move:02}"

    class RecordingRandom:
        def shuffle(self, moves):
            drawn.append(len(moves))

        def randint(self, low, high):
            drawn.append((low, high))
            return high

    def beside(position, move, options):
        looked.append((move, options))
        return (scale.WIN - 3, 0) if move == 2 else (50.0, 50.0 - apart.get(move, 0))

    monkeypatch.setattr(quiz, "_random_position", lambda game, rng: (Plain(), ["e4"]))
    monkeypatch.setattr(quiz, "_both_values", beside)
    monkeypatch.setattr(quiz, "_format_values", lambda place, word, fixed, calm: f"{word} {fixed:g} {calm:g}")
    apart = {0: 100, 1: 99, 3: -150, 4: 200, 6: 100}
    question = quiz._position_quiescence(2, RecordingRandom(), "chess")
    assert looked == [(move, ":eval=material") for move in range(24)] and drawn == [30, (1, 2)]
    assert question.answer == RightAnswer(ALL, ("m00", "m03"), ("m00", "m01", "m03", "m05"))
    assert question.text == (
        "white moves. A search of 1 ply counts material after a move; quiescence search plays noisy moves "
        "first. After which of m00, m01, m03, m05 do the two differ by a pawn or more?"
    )
    assert (question.engine, question.depth, question.words) == ("quiescence:eval=material", 1, ("e4",))
    assert question.note == (
        "before and after quiescence search: m00 50 -50, m01 50 -49, m03 50 200, m05 50 50"
    )
    drawn.clear()
    assert quiz._position_quiescence(1, RecordingRandom(), "chess").answer.right == ("m00",) and drawn[1] == (
        1,
        1,
    )
    apart = {}
    assert quiz._position_quiescence(2, RecordingRandom(), "chess") is None, "none differs"
    apart = dict.fromkeys(range(23), 100)
    assert quiz._position_quiescence(2, RecordingRandom(), "chess") is None, "all but one differ"
    apart = dict.fromkeys(range(22), 100)
    assert quiz._position_quiescence(2, RecordingRandom(), "chess").answer.names == (
        "m00",
        "m01",
        "m22",
        "m23",
    )


@pytest.mark.once
@pytest.mark.parametrize("game", ["nim:heaps=1+2,players=3", "pig", "kuhn", "connect4:players=3"])
def test_unsuitable_games_have_no_questions(game):
    with pytest.raises(Usage, match="questions need a two-player game of perfect information without chance"):
        quiz.check_game(game)


# -- answers as they are typed --------------------------------------------------------------------


@pytest.mark.once
def test_quiz_answers_accept_common_notations():
    assert RightAnswer(NUMBER, (-3,)).grade(" −3 ") and not RightAnswer(NUMBER, (-3,)).grade("3")
    window = RightAnswer(WINDOW, (-INF, 3))
    for text in ("-inf 3", "[-inf, 3]", "-∞,3", "-Infinity 3.0"):
        assert window.grade(text)
    assert not window.grade("3 -inf") and str(window) == "[-inf, +3]"
    assert RightAnswer(ONE, ("b",), ("a", "b")).grade("B")
    several = RightAnswer(ALL, ("b2 c1", "c3"), ("b2 c1", "c3", "b2"))
    assert several.grade("c3, b2  C1") and not several.grade("c3") and not several.grade("none")
    assert RightAnswer(ALL, ("e", "f"), ("d", "e", "f")).grade("f e")
    assert RightAnswer(ALL, (), ("d",)).grade("none") and str(RightAnswer(ALL, (), ("d",))) == "none"


LETTERS = tuple("abcdefghijklm")


@pytest.mark.once
def test_form_of_answers_and_names():
    assert [RightAnswer(form, (1, 2)).hint for form in (NUMBER, WINDOW, ONE, ALL)] == [
        "a number",
        "two numbers, or -inf and inf, as in -inf 3",
        "one of them",
        "all of them, separated by commas, or none",
    ]
    assert str(RightAnswer(NUMBER, (2.5,))) == "2.5" and str(RightAnswer(ALL, ("b", "c"))) == "b, c"
    dozen = r"unknown name 'zz' \(names: a, b, c, d, e, f, g, h, i, j, k, l{}\)$"
    for count, rest in ((12, ""), (13, r", \.\.\.")):
        for form, none in ((ALL, "; or none"), (ONE, "")):
            with pytest.raises(BadInput, match=dozen.format(rest + none)):
                RightAnswer(form, ("a",), LETTERS[:count]).grade("a, zz")
    for text in ("none", "-", ""):
        with pytest.raises(BadInput, match=f"^'{text}' is not an answer; expected one of them$"):
            RightAnswer(ONE, ("a",), LETTERS).grade(text)


@pytest.mark.once
@pytest.mark.parametrize(
    ("answer", "text", "complaint"),
    [
        (RightAnswer(NUMBER, (3,)), "three", "'three' is not a number"),
        (RightAnswer(NUMBER, (3,)), "3 4", "expected a number"),
        (RightAnswer(WINDOW, (1, 2)), "1", "two numbers"),
        (RightAnswer(ONE, ("a",), ("a", "b")), "a b", "expected one of them"),
        (RightAnswer(ALL, ("a",), ("a", "b")), "a, x", "unknown name 'x'"),
    ],
)
def test_invalid_answers_are_refused(answer, text, complaint):
    with pytest.raises(BadInput, match=complaint):
        answer.grade(text)
