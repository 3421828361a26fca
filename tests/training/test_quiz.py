"""The quiz: its answers beside brute force on random trees, what is typed, and the command."""

import io
import json
import math
import re
from dataclasses import replace
from random import Random
from types import SimpleNamespace

import pytest

from gameplay import __version__, registry
from gameplay import value as scale
from gameplay.cli import router, run
from gameplay.cli.teach import quiz as cli
from gameplay.display.reports import sheet
from gameplay.display.terminal import question
from gameplay.errors import BadInput, Usage
from gameplay.games.tree import Tree
from gameplay.kernel import compiled
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.training import quiz, random_trees, scores
from gameplay.training.answer import ALL, NUMBER, ONE, WINDOW, RightAnswer
from tests.support.golden import golden

INF = math.inf
TREES = 1500 if compiled() else 60


def gameplay(*words):
    return run(router, "gameplay", [*map(str, words)])


def answers(monkeypatch, *lines):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


# -- brute force ----------------------------------------------------------------------------------


def minimax(data):
    """The value of nested mappings, whatever is below looked at."""
    if not isinstance(data, dict):
        return data
    choose = max if "max" in data else min
    return choose(minimax(one) for one in random_trees.branches(data).values())


class Searched:
    """Alpha-beta as a lecture writes it on a board: two functions in one, fail-soft, from MAX's view."""

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
            if maximizing:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                self.cut += [(*path, word) for word in left]
                break
        return best


def calmed(data, me):
    """The value of a node at the depth: stop and take the guess, or play a noisy branch, whoever moves."""
    if not isinstance(data, dict):
        return data
    best = data["guess"]
    choose = max if "max" in data else min
    for word in data.get("noisy", ()):
        best = choose(best, calmed(random_trees.branches(data)[word], me))
    return best


def of(question, path):
    """What the quiz calls a branch."""
    return " ".join(path) if question.game else path[-1]


def check(question):
    """The answer of a question on a whole tree, found again."""
    answer, data = question.answer, question.data
    found = Searched(data)
    if question.kind == "value":
        assert answer.right == (minimax(data),) == (found.value,)
    elif question.kind == "move":
        values = {word: minimax(one) for word, one in random_trees.branches(data).items()}
        best = [word for word, value in values.items() if value == max(values.values())]
        assert [*answer.right] == best
    elif question.kind == "cut":
        assert set(answer.right) == {of(question, path) for path in found.cut} and answer.right
    elif question.kind == "window":
        name = re.search(r"does it enter ([^?]+)\?", question.asks)[1]
        (window,) = {window for path, window in found.windows.items() if path and of(question, path) == name}
        assert answer.right == window != (-INF, INF)
    elif question.game:
        assert answer.right == (len(found.leaves),)
    else:
        assert set(answer.right) == {of(question, path) for path in found.leaves}


def test_the_answers_are_those_of_brute_force_on_thousands_of_trees():
    """Windows, cuts, leaves and values, on trees that are drawn and on positions, at every level."""
    kinds = [kind for kind in quiz.KINDS if kind != "quiescence"]
    for number in range(TREES):
        kind, level = kinds[number % 5], (1, 2, 3, 1, 2, 3, 1, 2, 4, 5)[number // 5 % 10]
        question = quiz.ask(kind, level, number, 0, quiz.DRAWN)
        check(question)
        if number % 25 == 0 and kind != "move":
            check(quiz.ask(kind, level, number, 0, "tictactoe"))


def test_quiescence_is_that_of_brute_force():
    for number in range(TREES // 20):
        question = quiz.ask("quiescence", 1 + number % 5, number, 0, quiz.DRAWN)
        below = random_trees.branches(question.data)
        guess = {word: one["guess"] if isinstance(one, dict) else one for word, one in below.items()}
        changed = [word for word, one in below.items() if calmed(one, 0) != guess[word]]
        assert [*question.answer.right] == changed and changed


def test_a_position_unfolds_into_its_whole_game():
    position = registry.game("tictactoe").new("a1 b1 c1 b2 a2 c2 b3")
    data = random_trees.unfolded(position, 5)
    assert data == {"max": {"a3": {"min": {"c3": 0}}, "c3": {"min": {"a3": -1}}}}
    assert (random_trees.sizes(data), random_trees.height(data)) == (5, 2)
    assert random_trees.unfolded(position, 4) is None
    assert position.text() == registry.game("tictactoe").new("a1 b1 c1 b2 a2 c2 b3").text()


@pytest.mark.once
def test_the_move_of_a_position_is_the_only_good_one():
    """In tic-tac-toe and a small Connect Four, by the whole tree."""
    for game, level in (("tictactoe", 1), ("tictactoe", 2), ("connect4:columns=4,rows=4", 2)):
        question = quiz.ask("move", level, 1, 0, game)
        data = random_trees.unfolded(question.placed(), 100_000)
        assert data is not None
        values = {word: minimax(one) for word, one in random_trees.branches(data).items()}
        right = values.pop(question.answer.right[0])
        assert right > max(values.values())


@pytest.mark.once
def test_after_these_captures_material_is_lost():
    """By python-chess: the balance after the move alone, and after the exchanges that both like."""
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
    for seed in range(9):
        question = quiz.ask("quiescence", 2, seed, 0, "chess")
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
def test_the_same_seed_asks_the_same_and_levels_grow():
    for kind in quiz.KINDS:
        assert quiz.ask(kind, 2, 5, 1, "tree") == quiz.ask(kind, 2, 5, 1, "tree")
    sizes = [
        sum(random_trees.sizes(random_trees.tree(Random(seed), level)) for seed in range(30))
        for level in random_trees.LEVELS
    ]
    assert sizes == sorted(sizes)
    asked = list(quiz.series(1, 1, 8, game="tree"))
    assert [one.kind for one in asked[:6]] == [*quiz.KINDS]
    names = [name for name, _ in zip(random_trees.letters(), range(60), strict=False)]
    assert "q" not in names and len(set(names)) == 60


@pytest.mark.once
def test_a_game_that_has_no_questions_of_a_kind_is_asked_others():
    assert {one.kind for one in quiz.series(1, 1, 2, game="chess")} == {"move", "quiescence"}


def written(one):
    """All of a question but its tree, which its explanation shows."""
    what = f"{one.kind}, level {one.level}: {one.game or 'a drawn tree'} {' '.join(one.words)}".rstrip()
    rows = [what, f"    {one.asks}", f"    {one.answer} of {', '.join(one.answer.names)}"]
    rows.append(f"    by {one.engine}, {one.depth} plies; {one.note}")
    if one.data is not None:
        rows.append(f"    {json.dumps(one.data)}")
    return "\n".join(rows)


ASKED = (
    *((kind, level, quiz.DRAWN) for kind in quiz.KINDS for level in random_trees.LEVELS),
    *((kind, level, "tictactoe") for kind in ("value", "cut", "window", "visits") for level in (1, 3)),
    *(("value", 2, "connect4:columns=4,rows=4"), ("visits", 1, "othello:size=4")),
    *(("move", 1, "tictactoe"), ("move", 2, "connect4")),
    *(("quiescence", 1, "chess"), ("quiescence", 3, "chess"), ("cut", 2, ""), ("window", 2, "")),
)


@pytest.mark.once
def test_what_a_seed_asks_is_what_it_asked_before():
    told = [written(quiz.ask(kind, level, 3, 1, game)) for kind, level, game in ASKED]
    golden("questions", "\n".join(told) + "\n")


@pytest.mark.once
def test_positions_near_the_end_are_looked_for_so_many_times_in_games_so_long():
    class Counted:
        """Games of so many plies, two moves each, but for the last."""

        def __init__(self, plies, last=2):
            self.plies, self.last, self.begun, self.made = plies, last, 0, 0

        def new(self):
            self.begun += 1
            one = Stub()
            one.game, one.ply, one.turn = self, 0, 0
            return one

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

    endless = Counted(401)
    assert random_trees.near_end(endless, Random(1), 1) is None and (endless.begun, endless.made) == (1, 400)
    sudden = Counted(1)  # three nodes, and a third of twelve are asked for
    assert random_trees.near_end(sudden, Random(1), 1) is None and sudden.begun == 60
    for level, most in ((1, 12), (2, 20), (3, 40), (4, 70), (5, 120)):
        words, data = random_trees.near_end(Counted(3, most - 1), Random(1), level)
        assert len(words) == 2 and random_trees.sizes(data) == most
        assert random_trees.near_end(Counted(3, most), Random(1), level) is None
    words, data = random_trees.near_end(Counted(400), Random(1), 1)
    assert (len(words), random_trees.height(data), random_trees.sizes(data)) == (398, 2, 7)
    assert data["max"]["0"] == {"min": {"0": 1, "1": 1}}, "the value is MAX's, who moves"
    words, data = random_trees.near_end(Counted(9), Random(1), 3)
    assert (len(words), random_trees.height(data)) == (5, 4), "31 nodes of 40, 63 would be too many"


@pytest.mark.once
def test_how_long_a_question_is_looked_for_and_how_closely(monkeypatch):
    tries = []
    monkeypatch.setattr(quiz, "_drawn", lambda *words: tries.append(words))
    with pytest.raises(Usage) as refused:
        quiz.ask("cut", 2, 5, 0, quiz.DRAWN)
    assert len(tries) == 200 and str(refused.value) == (
        "no question 'cut' of level 2 was found in tree: try another level, or --game tree"
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
    found = [quiz._only(position, "iterative", depth) for depth in (3, None, 3)]
    assert [one is not None for one in found] == [True, True, False] and not seconds
    assert limits[:2] == [Limit(depth=3, multipv=2), Limit(nodes=30_000, multipv=2)]


@pytest.mark.once
def test_a_good_move_is_one_that_a_shorter_search_does_not_see(monkeypatch):
    """In a game without noisy moves by so many plies; in one with them by half as many, and quiescence."""
    calls, says = [], {}

    def only(position, engine, depth):
        calls.append((engine, depth))
        return says.get(depth)

    monkeypatch.setattr(quiz, "_only", only)
    place = {"nim": "", "tictactoe": "b2 a1"}
    monkeypatch.setattr(quiz, "_played", lambda game, rng: (game.new(place[game.spec]), []))
    nim = registry.game("nim").new()
    report = Report(move=2, value=4, candidates=(Candidate(2, 4), Candidate(1, 1)), pv=(2,), depth=3)
    says.update({3: report, None: report})
    found = quiz._move(3, None, "nim")
    assert calls == [("iterative", 2), ("iterative", 3), ("iterative", None)]
    word, other = nim.format(2), nim.format(1)
    assert found.answer == RightAnswer(ONE, (word,), tuple(map(nim.format, nim.moves())))
    assert found.asks == "first moves. Which move alone is good? It takes 3 plies to see it."
    assert (found.note, found.engine, found.depth) == (
        f"{word} is worth +4, {other} +1 at most", "iterative", 3
    )  # fmt: skip
    for change in ({2: report}, {3: None}, {None: None}, {None: replace(report, move=1)}):
        kept = dict(says)
        says.update(change)
        assert quiz._move(3, None, "nim") is None, change
        says.clear()
        says.update(kept)
    calls.clear()
    assert quiz._move(1, None, "nim") is None and calls == [("iterative", 1)]
    for level, depths in ((1, [1]), (2, [1]), (3, [1, 2]), (4, [1, 2])):
        calls.clear()
        says.clear()
        assert quiz._move(level, None, "tictactoe") is None
        assert calls[: len(depths)] == [("quiescence", depth) for depth in depths]
    for words, looked in (("a1 b1 c1 b2 a2 c2", True), ("a1 b1 c1 b2 a2 c2 b3", False)):
        calls.clear()
        place["tictactoe"] = words
        assert quiz._move(1, None, "tictactoe") is None and bool(calls) is looked, "two moves are too few"


@pytest.mark.once
def test_a_move_is_good_alone_from_a_mistake_on(monkeypatch):
    for worth, good in ((0.1, True), (0.0999, False)):
        monkeypatch.setattr(quiz, "cost", lambda position, best, other, worth=worth: worth)
        assert (quiz._only(registry.game("nim").new(), "iterative", 1) is not None) == good


@pytest.mark.once
def test_moves_that_differ_are_asked_for_among_those_that_do_not(monkeypatch):
    """Two that differ by a unit and two that do not, of the first 24 that are drawn."""
    looked, drawn = [], []

    class Plain:
        """A position of thirty moves."""

        unit, unit_names, turn, sides = 100, ("pawn", "pawns"), 0, ("white", "black")

        def moves(self):
            return range(30)

        def format(self, move):
            return f"m{move:02}"

    class Drawn:
        def shuffle(self, moves):
            drawn.append(len(moves))

        def randint(self, low, high):
            drawn.append((low, high))
            return high

    def beside(position, move, options):
        looked.append((move, options))
        return (scale.WIN - 3, 0) if move == 2 else (50.0, 50.0 - apart.get(move, 0))

    monkeypatch.setattr(quiz, "_played", lambda game, rng: (Plain(), ["e4"]))
    monkeypatch.setattr(quiz, "_beside", beside)
    monkeypatch.setattr(quiz, "_entry", lambda place, word, fixed, calm: f"{word} {fixed:g} {calm:g}")
    apart = {0: 100, 1: 99, 3: -150, 4: 200, 6: 100}
    found = quiz._exchanged(2, Drawn(), "chess")
    assert looked == [(move, ":eval=material") for move in range(24)] and drawn == [30, (1, 2)]
    assert found.answer == RightAnswer(ALL, ("m00", "m03"), ("m00", "m01", "m03", "m05"))
    assert found.asks == (
        "white moves. A search of 1 ply counts material after a move, quiescence search plays noisy moves on "
        "first. After which of m00, m01, m03, m05 do the two differ by a pawn or more?"
    )
    assert (found.engine, found.depth, found.words) == ("quiescence:eval=material", 1, ("e4",))
    assert found.note == (
        "counted at once, and after quiescence search: m00 50 -50, m01 50 -49, m03 50 200, m05 50 50"
    )
    drawn.clear()
    assert quiz._exchanged(1, Drawn(), "chess").answer.right == ("m00",) and drawn[1] == (1, 1)
    apart = {}
    assert quiz._exchanged(2, Drawn(), "chess") is None, "none differs"
    apart = dict.fromkeys(range(23), 100)
    assert quiz._exchanged(2, Drawn(), "chess") is None, "all but one differ"
    apart = dict.fromkeys(range(22), 100)
    assert quiz._exchanged(2, Drawn(), "chess").answer.names == ("m00", "m01", "m22", "m23")


@pytest.mark.once
@pytest.mark.parametrize("game", ["nim:heaps=1+2,players=3", "pig", "kuhn", "connect4:players=3"])
def test_of_games_that_do_not_fit_nothing_is_asked(game):
    with pytest.raises(Usage, match="questions need a two-player game of perfect information without chance"):
        quiz.fit(game)


# -- answers as they are typed --------------------------------------------------------------------


@pytest.mark.once
def test_answers_are_read_as_people_write_them():
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
def test_what_an_answer_looks_like_and_what_can_be_named():
    assert [RightAnswer(form, (1, 2)).hint for form in (NUMBER, WINDOW, ONE, ALL)] == [
        "a number",
        "two numbers, or -inf and inf, as in -inf 3",
        "one of them",
        "all of them with commas between, or none",
    ]
    assert str(RightAnswer(NUMBER, (2.5,))) == "2.5" and str(RightAnswer(ALL, ("b", "c"))) == "b, c"
    dozen = r"there is no 'zz' here \(there are: a, b, c, d, e, f, g, h, i, j, k, l{}\)$"
    for count, rest in ((12, ""), (13, r", \.\.\.")):
        for form, none in ((ALL, "; or none"), (ONE, "")):
            with pytest.raises(BadInput, match=dozen.format(rest + none)):
                RightAnswer(form, ("a",), LETTERS[:count]).grade("a, zz")
    for text in ("none", "-", ""):
        with pytest.raises(BadInput, match=f"^'{text}' is no answer: one of them would be$"):
            RightAnswer(ONE, ("a",), LETTERS).grade(text)


@pytest.mark.once
@pytest.mark.parametrize(
    ("answer", "text", "complaint"),
    [
        (RightAnswer(NUMBER, (3,)), "three", "'three' is no number"),
        (RightAnswer(NUMBER, (3,)), "3 4", "a number would be"),
        (RightAnswer(WINDOW, (1, 2)), "1", "two numbers"),
        (RightAnswer(ONE, ("a",), ("a", "b")), "a b", "one of them would be"),
        (RightAnswer(ALL, ("a",), ("a", "b")), "a, x", "there is no 'x' here"),
    ],
)
def test_what_is_no_answer_is_refused(answer, text, complaint):
    with pytest.raises(BadInput, match=complaint):
        answer.grade(text)


# -- the command ----------------------------------------------------------------------------------


@pytest.mark.once
def test_a_quiz_is_graded_explained_and_kept(monkeypatch, capsys):
    one, two = list(quiz.series(5, 2, 2, ["cut"], "tree"))
    answers(monkeypatch, "what", str(one.answer), "none")
    assert gameplay("quiz", "--seed", 5, "--kind", "cut", "--game", "tree", "--count", 2) == 0
    out = capsys.readouterr().out
    assert "there is no 'what' here" in out and f"right: {one.answer}" in out
    assert f"no, it is {two.answer}:" in out and "alpha cutoff: MIN can already hold MAX" in out
    assert "right: 1 of 2" in out
    assert scores.totals(scores.load().scored) == {("cut", 2): (2, 1)}
    assert gameplay("stats") == 0
    assert "cut, level 2      2   50 %" in capsys.readouterr().out
    assert gameplay("stats", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["quiz"] == [{"kind": "cut", "level": 2, "asked": 2, "right": 1}]


@pytest.mark.once
def test_skip_quit_and_the_end_of_the_input(monkeypatch, capsys):
    few = ("quiz", "--seed", 5, "--game", "tree", "--level", 1)
    answers(monkeypatch, "skip", "q")
    assert gameplay(*few) == 0
    assert "the answer is" in capsys.readouterr().out
    assert scores.load().scored == []
    answers(monkeypatch, "skip")
    assert gameplay(*few) == 4
    assert "the answers ended before the questions did" in capsys.readouterr().err


@pytest.mark.once
@pytest.mark.parametrize("kind", quiz.KINDS)
def test_every_kind_is_explained(kind, monkeypatch, capsys):
    wrong = {"value": "1000", "window": "99 100", "visits": "none", "quiescence": "none", "cut": "none"}
    (one,) = quiz.series(5, 2, 1, [kind], "tree")
    text = wrong.get(kind) or next(name for name in one.answer.names if name not in one.answer.right)
    answers(monkeypatch, text)
    assert gameplay("quiz", "--seed", 5, "--kind", kind, "--game", "tree", "--count", 1) == 0
    out = capsys.readouterr().out
    assert f"no, it is {one.answer}" in out and "root = " in out and "right: 0 of 1" in out
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.once
def test_a_sheet_has_questions_and_behind_them_the_key(tmp_path, capsys):
    assert gameplay("quiz", "--sheet", 6, "--seed", 5, "--game", "tree") == 0
    text = capsys.readouterr().out
    sheet, key = text.split("\f")
    assert (
        sheet.count("Answer: ___") == 6 and key.startswith("Key") and max(map(len, text.splitlines())) <= 80
    )
    for one in quiz.series(5, 2, 6, game="tree"):
        assert f"{one.kind}: {one.answer}" in key
    file = tmp_path / "s.html"
    assert gameplay("quiz", "--sheet", 7, "--seed", 5, "-o", file) == 0
    page = file.read_text()
    assert "7 questions and the key" in capsys.readouterr().out
    assert (
        page.count('class="answer"') == 7
        and "<script" not in page
        and "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    )
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) > 50
    assert page.index("<h1>Key</h1>") > page.index('id="q1-0"') and 'id="k1-0"' in page


@pytest.mark.once
def test_a_sheet_that_cannot_be_written_is_told(tmp_path, capsys):
    asked = list(quiz.series(5, 2, 2, ["cut"], "tree"))
    with pytest.raises(BadInput) as refused:
        cli._sheet(asked, "a title", tmp_path / "none" / "x.txt")
    assert str(refused.value) == f"{tmp_path / 'none' / 'x.txt'}: No such file or directory"
    for count, noun in ((1, "question"), (2, "questions")):
        for name, made in (("x.txt", sheet.text), ("x.HTML", sheet.html)):
            file = tmp_path / name
            cli._sheet(asked[:count], "a title", file)
            assert capsys.readouterr().out == f"{file}: {count} {noun} and the key\n"
            assert file.read_text(encoding="utf-8") == made(asked[:count], "a title")
    cli._sheet(asked, "a title", None)
    assert capsys.readouterr().out == sheet.text(asked, "a title") + "\n"


@pytest.mark.once
def test_json_tells_questions_and_answers(capsys):
    assert (
        gameplay("quiz", "--json", "--seed", 5, "--kind", "window,value", "--game", "tree", "--count", 2) == 0
    )
    told = json.loads(capsys.readouterr().out)
    window, value = told["questions"]
    assert (window["form"], value["form"], told["seed"]) == ("window", "number", 5)
    assert value["answer"] == [minimax(value["tree"])] and Tree.of(value["tree"]).moves()


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["--kind", "cuts"], 2, "there is no kind of question 'cuts'; did you mean 'cut'"),
        (["--level", "6"], 2, "--level"),
        (["-o", "x.html"], 2, "-o writes a sheet: add --sheet N"),
        (["--sheet", "2", "-o", "x.pdf"], 2, "end it in .txt or .html"),
        (["--sheet", "2", "--count", "3"], 2, "leave out --count"),
        (["--game", "conect4"], 2, "did you mean 'connect4'"),
        (["--game", "pig"], 2, "of perfect information without chance"),
        (["--game", "chess", "--kind", "cut"], 2, "near enough to its end"),
        (["--game", "connect4", "--kind", "quiescence", "--sheet", "1"], 2, "need noisy moves"),
        (
            ["--sheet", "1", "--game", "tree", "-o", "/nowhere/x.txt"],
            6,
            "no folder /nowhere to save x.txt in",
        ),
    ],
)
def test_refusals(words, status, complaint, capsys):
    assert gameplay("quiz", "--seed", 1, *words) == status
    captured = capsys.readouterr()
    assert complaint in captured.err and captured.out == "" and len(captured.err.splitlines()) <= 2


@pytest.mark.once
def test_as_many_questions_are_asked_as_were_wanted_and_ten_else(monkeypatch, capsys):
    asked = []

    def series(seed, level, count, kinds, game):
        asked.append((seed, level, count, kinds, game))
        return iter(())

    monkeypatch.setattr(quiz, "series", series)
    monkeypatch.setattr("random.randrange", lambda stop: 1000 * stop + 7)
    for words in (
        (),
        ("--count", 3, "--kind", " Cut,window,,"),
        ("--sheet", 4, "--level", 5, "--seed", 0, "--json"),
        ("--json", "--game", "tree"),
    ):
        assert gameplay("quiz", *words) == 0
    new = 1_000_000_007
    assert asked == [
        (new, 2, 10, [], ""), (new, 2, 3, ["cut", "window"], ""), (0, 5, 4, [], ""), (new, 2, 10, [], "tree"),
    ]  # fmt: skip
    told = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in told] == [
        {"seed": 0, "level": 5, "game": "", "questions": []},
        {"seed": new, "level": 2, "game": "tree", "questions": []},
    ]


@pytest.mark.once
def test_lines_are_folded_below_their_own_bars(capsys):
    """At the width of the terminal, between 20 columns and 100; the words of a search are not broken."""
    words = "| | a-b c-d e-f g-h i-j k-l"
    for interactive, width, folded in (
        (True, 24, ["| | a-b c-d e-f g-h i-j", "| |   k-l"]),
        (True, 9, ["| | a-b c-d e-f g-h", "| |   i-j k-l"]),
        (True, 27, [words]),
        (False, 9, [words]),
    ):
        theme = SimpleNamespace(interactive=interactive, console=SimpleNamespace(width=width))
        cli._say(words, theme)
        assert capsys.readouterr().out.splitlines() == folded, width
    narrow = SimpleNamespace(interactive=True, console=SimpleNamespace(width=9))
    for line, folded in (("| | aaaa bbbb cccc d", 1), ("| | aaaa bbbb cccc dd", 2)):
        cli._say(line, narrow)
        assert len(capsys.readouterr().out.splitlines()) == folded
    for interactive in (True, False):
        theme = SimpleNamespace(interactive=interactive, console=SimpleNamespace(width=200))
        for line, folded in (("x" * 97 + " yy", 1), ("x" * 97 + " yyy", 2)):
            cli._say(line, theme)
            assert len(capsys.readouterr().out.splitlines()) == folded
    cli._say(f"{'x' * 99} y", SimpleNamespace(interactive=False))
    assert capsys.readouterr().out == f"{'x' * 99}\ny\n", "nothing is indented below what was not"


@pytest.mark.once
def test_at_a_terminal_it_is_said_what_may_be_typed(monkeypatch, capsys):
    (one,) = quiz.series(5, 2, 1, ["cut"], "tree")
    theme = SimpleNamespace(interactive=False)
    answers(monkeypatch, "", "what", str(one.answer).upper(), "none", "SKIP", "Exit", "Q", "quit")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    found = [cli._answered(one, theme) for _ in range(7)]
    assert found == ["right", "wrong", "skip", "", "", "", None]
    prompt = "all of them with commas between, or none (skip, quit) > "
    out = capsys.readouterr().out
    assert out.startswith(f"{prompt * 2}there is no 'what' here (there are: ") and out.endswith(prompt * 7)
    assert out.count(prompt) == 9


@pytest.mark.once
def test_answers_are_counted_by_day_kind_and_level_in_a_file_that_is_read_again():
    kept = scores.Scores()
    for day, kind, level, right in (
        *(("2026-11-21", "cut", 2, True), ("2026-11-22", "cut", 2, False), ("2026-11-22", "cut", 1, True)),
        *(("2026-11-22", "value", 1, True), ("2026-11-22", "cut", 2, True), ("2026-11-21", "cut", 2, False)),
    ):
        kept.add(day, kind, level, right)
    scores.save(kept)
    days = [("2026-11-21", "cut", 2, 2, 1), ("2026-11-22", "cut", 2, 2, 1)]
    days += [("2026-11-22", "cut", 1, 1, 1), ("2026-11-22", "value", 1, 1, 1)]
    names = ("day", "kind", "level", "asked", "right")
    written = {"schema": 1, "scored": [dict(zip(names, one, strict=True)) for one in days]}
    assert json.loads(scores.path().read_text()) == written
    assert scores.load() == kept
    assert list(scores.totals(kept.scored).items()) == [
        (("cut", 1), (1, 1)),
        (("cut", 2), (4, 2)),
        (("value", 1), (1, 1)),
    ]


@pytest.mark.once
def test_damaged_scores_are_told(monkeypatch, capsys):
    scores.path().parent.mkdir(parents=True, exist_ok=True)
    scores.path().write_text("{")
    answers(monkeypatch, "q")
    assert gameplay("quiz", "--seed", 1, "--game", "tree") == 6
    assert "is damaged" in capsys.readouterr().err


def test_trees_for_quiescence_have_nodes_with_noisy_moves_alone_and_with_a_quiet_one():
    seen = set()

    def walk(node):
        if isinstance(node, dict):
            below = node.get("max") or node["min"]
            seen.add((bool(node.get("noisy")), len(below) == len(node.get("noisy", ()))))
            for one in below.values():
                walk(one)

    for seed in range(20):
        walk(random_trees.restless(Random(seed), 1))
    assert seen == {(False, False), (True, True), (True, False)}  # the first is the root


@pytest.mark.once
def test_a_sheet_is_told_whole():
    """As text and as a page, without its style: trees, a position, and both."""
    two = {"max": {"a": {"min": {"c": 3, "d": 12}}, "b": {"min": {"e": 2, "f": 8}}}}
    calm = {
        "max": {
            "a": 3,
            "b": {"guess": 4, "min": {"c": 5, "d": {"guess": 1, "max": {"x": 1}}}, "noisy": ["c"]},
        }
    }
    right = RightAnswer("number", (3,))
    questions = [
        quiz.Question("value", 2, "What <is> it?", right, data=two, depth=2),
        quiz.Question("quiescence", 3, "And here?", right, data=calm, engine="quiescence", note="5 < 6: so"),
        quiz.Question("value", 2, "Which move?", right, "tictactoe", ("b2", "a1"), note="c3 wins"),
        quiz.Question("visits", 2, "Which of them?", right, "nim:heaps=1+2", (), two, depth=2),
    ]
    told = [
        sheet.text(questions, "A & B"),
        re.sub("(?s)<style>.*?</style>", "", sheet.html(questions, "A & B")),
    ]
    for one in questions:
        told += [f"-- {one.asks}", *question.picture(one, True), *question.explanation(one)]
    golden(
        "sheets",
        re.sub(r"'sha256-[^']*'", "HASH", "\n".join(told).replace(__version__, "1.2").replace("\f", "FF\n")),
    )


@pytest.mark.once
def test_of_a_long_search_what_lies_deep_is_left_out():
    """Of more than 40 lines, and more than 200 nodes of a picture; but not what lies right below the root."""

    def asked(*leaves):
        below = {chr(97 + n): {"min": {f"m{k}": 99 * n + k for k in range(m)}} for n, m in enumerate(leaves)}
        return quiz.Question("value", 2, "?", RightAnswer("number", (0,)), data={"max": below}, depth=2)

    assert len(question.explanation(asked(17, 17))) == 40
    assert question.explanation(asked(17, 18)) == [
        "search, depth 2: MAX [-inf, +inf]",
        "| a: MIN, depth 1 [-inf, +inf]",
        "| a = 0 by m0",
        "| b: MIN, depth 1 [0, +inf]",
        "| b = +99 by m0",
        "root = +99 by b",
        "(35 lines that lie deeper are left out)",
    ]
    flat = quiz.Question("value", 2, "?", RightAnswer("number", (0,)), data={"max": list(range(60))})
    assert len(question.explanation(flat)) == 62
    whole, more = question.solved(asked(98, 99)), question.solved(asked(99, 99))
    assert (whole.count(), whole.twigs[0].below) == (200, 0)
    assert (more.count(), more.twigs[0].below, more.value) == (3, 99, "+99")
