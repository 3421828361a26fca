"""Puzzles from mistakes and their schedule; results of a user's own games."""

import json
from datetime import date
from hashlib import blake2b

import pytest

from gameplay import registry
from gameplay import value as scale
from gameplay.cli.teach import puzzles, stats
from gameplay.errors import BadInput, Usage
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.store import saved
from gameplay.store.record import Ply, Record
from gameplay.training import practice, progress, stored_reviews
from gameplay.training import review as lesson
from gameplay.training.review import Review, ReviewedMove, engine_for, review
from tests.support.commands import gameplay
from tests.support.streams import set_input

pytestmark = pytest.mark.once

DAY = date(2026, 11, 22)


def record(words, players=("human", "minimax"), result=None, spec="connect4", names=(), begun=""):
    position = registry.game(spec).new()
    plies = []
    for word in words.split():
        plies.append(Ply(word, position.turn))
        position.make(position.parse(word))
    paid = position.outcome() or result
    return Record(
        1,
        spec,
        "",
        list(players),
        0,
        plies,
        list(paid) if paid else None,
        "rules",
        "0",
        begun=begun,
        names=list(names),
    )


@pytest.fixture
def sample_review():
    """A game in which the second player, a human, allows three in a column."""
    game = record("4 1 4 1 4 2 4", ("minimax", "human"), begun="2026-11-20T10:00:00")
    return stored_reviews.load_or_review(game, engine_for(registry.game("connect4")), Limit(nodes=2_000))


@pytest.fixture
def today(monkeypatch):
    """The current day, which tests can change."""
    held = {"day": DAY}
    monkeypatch.setattr(puzzles, "today", lambda: held["day"])
    monkeypatch.setattr(practice, "CONFIRMATION", 1)
    return held


# -- what becomes a puzzle ------------------------------------------------------------------------


def test_a_mistake_with_one_good_move_becomes_a_puzzle(sample_review):
    stored_puzzles = practice.load()
    reviews = stored_reviews.scan()[0]
    assert practice.add_mistakes(stored_puzzles, reviews, nodes=2_000) == len(stored_puzzles.exercises) == 1
    exercise = stored_puzzles.exercises[0]
    assert (exercise.right, exercise.missed, exercise.words) == ("4", "2", ["4", "1", "4", "1", "4"])
    assert exercise.answer[0] == "4" and exercise.source == "minimax - human, 2026-11-20, move 6"
    assert practice.load() == stored_puzzles, "it is kept as it comes"
    assert practice.add_mistakes(stored_puzzles, reviews, nodes=2_000) == 0, "nothing is looked at twice"


def test_only_human_mistakes_count_if_a_player_is_human():
    engine = engine_for(registry.game("connect4"))
    for players, count in ((("human", "minimax"), 0), (("ann", "bob"), 1)):
        game = record("4 1 4 1 4 2 4", players)
        result = review(game, engine, Limit(nodes=2_000))
        blunders = [mistake.ply for _, _, mistake in practice.candidates([result], set()) if mistake.ply == 6]
        assert len(blunders) == count


def test_two_good_moves_make_no_puzzle():
    # 4 wins at once, as do other moves; 2 keeps the value.
    game = record("4 1 4 1 2 2", ("ann", "bob"))
    result = review(game, engine_for(registry.game("connect4")), Limit(nodes=2_000))
    move = result.moves[0]
    assert practice.puzzle_of_mistake(result, move, 2_000) is None


def test_a_puzzle_of_a_mistake_names_its_game_and_is_confirmed_by_more_nodes(monkeypatch):
    requests = []
    monkeypatch.setattr(practice, "puzzle", lambda *words: requests.append(words))
    moves = [
        ReviewedMove(ply, ply % 2, word, answer=["b1"]) for ply, word in enumerate(("a1", "b2", "c3"), 1)
    ]
    review = Review(1, "go", "x..", ["ann", "bob"], [], "", "", moves, date="2026-11-20")
    assert practice.puzzle_of_mistake(review, moves[2]) is None
    assert practice.puzzle_of_mistake(review, moves[0], 7) is None
    source = "ann - bob, 2026-11-20, move {}"
    assert requests == [
        ("go", "x..", ["a1", "b2"], source.format(3), 400_000, "c3", ["b1"]),
        ("go", "x..", [], source.format(1), 7, "a1", ["b1"]),
    ]
    review.date = ""
    practice.puzzle_of_mistake(review, moves[1])
    assert requests[-1][3] == "ann - bob, move 2"


def test_mistakes_are_those_of_people_and_each_position_counts_once():
    verdicts = ("inaccuracy", "mistake", "blunder", "", "mistake")
    moves = [
        ReviewedMove(ply, ply % 2, "abcde"[ply - 1], verdict=verdict)
        for ply, verdict in enumerate(verdicts, 1)
    ]
    history = [
        Review(1, "go", "", [], [], "", "", moves, players=players)
        for players in (["human", "level:3"], ["level:3", "human"], ["level:3", "level:2"])
    ]

    def plies(reviews, known=()):
        return [mistake.ply for _, _, mistake in practice.candidates(reviews, set(known))]

    assert [plies([exercise]) for exercise in history] == [[2], [3, 5], [2, 3, 5]]
    assert plies(history) == [2, 3, 5] and plies([history[2], history[2]]) == [2, 3, 5]
    name = practice.identity("go", "", ["a"])
    assert name == blake2b(b"go\0\0a", digest_size=6).hexdigest() and len(name) == 12
    assert plies(history, [name]) == [3, 5]
    assert next(name for name, *_ in practice.candidates(history[2:], set())) == name


def test_each_mistake_is_stored_with_its_search(monkeypatch):
    """A mistake with a puzzle, one without, and one of a deleted game."""
    known = practice.Practice(rejected=["w"])
    results = [exercise(), None, Usage("gone")]
    monkeypatch.setattr(practice, "candidates", lambda reviews, seen: [(name, None, None) for name in "xyz"])

    def record_call(review, mistake, nodes):
        assert nodes == 5
        kept_then.append((len(practice.load().exercises), practice.load().rejected))
        mistake = results.pop(0)
        if isinstance(mistake, Usage):
            raise mistake
        return mistake

    kept_then, messages = [], []
    monkeypatch.setattr(practice, "puzzle_of_mistake", record_call)
    assert practice.add_mistakes(known, stored_reviews.scan()[0], messages.append, 5) == 1
    assert messages == [1, 2, 3] and kept_then == [(0, []), (1, ["w"]), (1, ["w", "y"])]
    assert practice.load() == known == practice.Practice(1, [exercise()], ["w", "y", "z"])
    assert known.known == {"x", "w", "y", "z"}


def test_the_file_of_puzzles():
    puzzle = exercise()
    assert (puzzle.due, puzzle.interval, puzzle.ease, puzzle.streak, puzzle.asked, puzzle.wrong) == (
        "",
        0,
        2.5,
        0,
        0,
        0,
    )
    practice.save(practice.Practice(exercises=[puzzle], searched_games=["z"]))
    fields = {"id": "x", "game": "connect4", "start": "", "words": [], "right": "4", "line": ["4"]}
    fields |= {"missed": "1", "answer": [], "source": ""}
    written = {"schema": 1, "exercises": [fields], "rejected": [], "looked": ["z"]}
    assert json.loads(practice.path().read_text()) == written
    practice.path().write_text(json.dumps(written | {"schema": 2}))
    with pytest.raises(BadInput, match=r"has schema 2; this version reads 1$"):
        practice.load()


def test_only_move_is_good_if_the_second_best_is_a_mistake():
    """In games with dice by equity, a thousand a stake, from 0.08; else from a tenth of a win."""
    position = registry.game("backgammon").new()

    def only(*values):
        candidates = [Candidate(move, value) for move, value in enumerate(values)]
        return practice.has_only_move(position, Report(candidates=tuple(candidates)))

    assert [only(300, 220), only(300, 221), only(300), only(300, 220, 300)] == [True, False, False, True]
    calm = registry.game("connect4").new()
    for value, good in ((-17, True), (-16, False)):
        lost = scale.expected_score(0, calm) - scale.expected_score(value, calm)
        assert (lost >= 0.1) == good
        report = Report(candidates=(Candidate(0, 0), Candidate(1, value)))
        assert practice.has_only_move(calm, report) == good


def test_feedback_on_the_only_good_move():
    calm = registry.game("nim").new()
    won, lost = scale.WIN - 5, 5 - scale.WIN

    def kinds(position, best, second, move=0):
        return practice._kinds(position, Report(candidates=(Candidate(move, best), Candidate(1, second))))

    for best, second, expected in (
        (won, 0, ["win"]),
        (won, lost, ["win"]),
        (5, lost, ["save"]),
        (lost + 9, lost, ["save"]),
        (5, -3, []),
        (won, won - 9, ["win"]),
        (5, won, []),
    ):
        assert kinds(calm, best, second) == expected
    chess = registry.game("chess").new("4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1")
    for word, expected in (("exd5", "forcing"), ("Rh8+", "forcing"), ("Rh2", "quiet")):
        assert kinds(chess, won, 0, chess.parse(word)) == ["win", expected]
        assert kinds(chess, 5, 0, chess.parse(word)) == [expected]
    mate = registry.game("chess").new("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    assert not practice.forcing(mate, mate.parse("Ra8#")), "nobody has to answer what ends the game"


# -- when it comes back ---------------------------------------------------------------------------


def exercise():
    return practice.Exercise("x", "connect4", "", [], "4", ["4"], "1", [], "")


def test_intervals_are_those_of_sm_2():
    """Wozniak: 1, 6, then by the ease; quality 5 raises it by 0.1, quality 3 lowers it by 0.14."""
    puzzle = exercise()
    days, eases = [], []
    for quality in (5, 5, 5, 3, 1, 5, 5):
        practice.record_answer(puzzle, quality, DAY)
        days.append(puzzle.interval)
        eases.append(round(puzzle.ease, 2))
    assert days == [1, 6, round(6 * 2.7), round(16 * 2.8), 1, 1, 6]
    assert eases == [2.6, 2.7, 2.8, 2.66, 2.66, 2.76, 2.86]
    assert (puzzle.asked, puzzle.wrong, puzzle.due) == (7, 1, "2026-11-28")


def test_the_ease_never_falls_below_the_least():
    puzzle = exercise()
    for _ in range(20):
        practice.record_answer(puzzle, 3, DAY)
    assert puzzle.ease == practice.MIN_EASE


def test_oldest_due_puzzles_come_first_and_new_ones_last():
    stored_puzzles = practice.Practice(exercises=[exercise() for _ in range(4)])
    for puzzle, due in zip(
        stored_puzzles.exercises, ("", "2026-11-22", "2026-11-01", "2026-11-23"), strict=True
    ):
        puzzle.due = due
    assert [exercise.due for exercise in practice.due_puzzles(stored_puzzles, DAY)] == [
        "2026-11-01",
        "2026-11-22",
        "",
    ]
    assert practice.due_puzzles(stored_puzzles, DAY, "chess") == []


# -- at the terminal ------------------------------------------------------------------------------


def test_solved_puzzle_is_scheduled_again(sample_review, today, monkeypatch, capsys):
    set_input(monkeypatch, "9", "4")
    assert gameplay("puzzles") == 0
    out = capsys.readouterr().out
    for words in (
        "1 new puzzle",
        "puzzle 1 of 1: connect4",
        "right: 4",
        "back on 2026-11-23",
        "at once: 1 of 1",
    ):
        assert words in out, out
    assert practice.load().exercises[0].ease == 2.6, "as SM-2 has it for an answer at once"
    assert gameplay("puzzles") == 0
    assert "nothing is due today; the next puzzle comes on 2026-11-23" in capsys.readouterr().out
    today["day"] = date(2026, 11, 23)
    set_input(monkeypatch, "2", "1")
    assert gameplay("puzzles") == 0
    out = capsys.readouterr().out
    assert "that is what was played, answered by 4" in out and "no; the move is 4" in out
    assert "solved at once: 0 of 1" in out
    assert practice.load().exercises[0].wrong == 1


def test_skip_quit_and_hint(sample_review, today, monkeypatch, capsys):
    set_input(monkeypatch, "skip")
    assert gameplay("puzzles") == 0
    assert "the move is 4" in capsys.readouterr().out
    set_input(monkeypatch, "quit")
    assert gameplay("puzzles") == 0
    set_input(monkeypatch, "hint", "4")
    assert gameplay("puzzles", "--game", "connect4") == 0
    assert "2 was played, answered by 4" in capsys.readouterr().out
    exercise = practice.load().exercises[0]
    assert exercise.asked == 1 and exercise.ease == pytest.approx(2.36), (
        "with a hint it counts as solved late"
    )


def test_the_list_and_refusals(sample_review, today, capsys):
    assert gameplay("puzzles", "--list") == 0
    assert "new  connect4  0 of 0" in capsys.readouterr().out
    assert gameplay("puzzles", "--list", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["puzzles"][0]["right"] == "4" and document["today"] == "2026-11-22"
    practice.path().write_text("{")
    assert gameplay("puzzles") == 6
    assert "is damaged" in capsys.readouterr().err


def test_practice_without_reviews_prints_the_next_command(today, capsys):
    assert gameplay("puzzles", "--game", "ches") == 2
    assert "unknown game 'ches'" in capsys.readouterr().err
    assert gameplay("puzzles") == 0
    assert "review your games first" in capsys.readouterr().out


# -- results --------------------------------------------------------------------------------------


def keep(number, game):
    saved.folder().mkdir(parents=True, exist_ok=True)
    saved.write_record(game, saved.folder() / f"{number:03}.json")


def test_results_by_game_opponent_and_opening(capsys):
    keep(1, record("4 1 4 1 4 2 4"))  # won as the first
    keep(2, record("4 1 4 1 4 2 4", ("level:3", "human")))  # lost as the second
    keep(3, record("4 1 4 1", result=(0, 0)))
    keep(4, record("4 1 4 1"))  # not finished
    keep(5, record("4 1 4 1 4 2 4", ("human", "human")))  # nobody's own
    keep(6, record("e4 e5 f4", result=(1, -1), spec="chess", names=("Ann", "")))
    stored_reviews.load_or_review(
        record("4 1 4 1 4 2 4"), engine_for(registry.game("connect4")), Limit(nodes=500)
    )
    assert gameplay("stats", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["games"] == 4 and document["recent"] is None
    by = document["by"]
    four = by["game"]["connect4"]
    assert (four["won"], four["drawn"], four["lost"], four["score"]) == (1, 1, 1, 0.5)
    assert by["against"]["connect4: level:3"]["lost"] == 1
    assert by["opening"] == {"chess: C30 King's Gambit": by["game"]["chess"]}
    assert four["reviewed"] >= 1 and 0 < four["accuracy"] <= 100
    assert gameplay("stats") == 0
    out = capsys.readouterr().out
    assert "by game" in out and "by opponent" in out and "King's Gambit" in out
    assert gameplay("stats", "--name", "ann", "--json") == 0
    assert json.loads(capsys.readouterr().out)["games"] == 1
    assert gameplay("stats", "--name", "eve") == 0
    assert "no finished game of eve" in capsys.readouterr().out


def test_results_are_printed_as_tables(monkeypatch, capsys):
    """Accuracy has a column if a game was reviewed; progress and the quiz follow, but not for a name."""
    figures = lesson.Figures(2, 80.0, 0.25, (1, 0, 0), 1)
    totals = progress.ResultTotals(won=1, drawn=1, lost=2, figures=figures, reviewed=1)
    other = progress.ResultTotals(won=1)
    standings = {"game": {"go": totals, "nim": other}, "against": {"go: bob": other}, "opening": {}}
    monkeypatch.setattr(progress, "games_of", lambda records, name, damaged: ["game"] * 5)
    monkeypatch.setattr(progress, "standings", lambda games, by: standings[by])
    monkeypatch.setattr(progress, "compare_recent", lambda games: halves)
    monkeypatch.setattr("gameplay.training.scores.totals", lambda scored: {("cut", 2): (3, 2)})
    halves = (totals, other)
    tables = (
        "by game    games  won  drawn  lost  score  accuracy\n"
        "go             4    1      1     2   38 %    {0} %\n"
        "nim            1    1      0     0  100 %\n"
        "\n"
        "by opponent    games  won  drawn  lost  score\n"
        "go: bob            1    1      0     0  100 %\n"
    )
    tail = (
        "\n"
        "progress      games  won  drawn  lost  score  accuracy\n"
        "the last 4        4    1      1     2   38 %    {0} %\n"
        "before            1    1      0     0  100 %\n"
    )
    accuracy = f"{figures.accuracy:.1f}"
    assert gameplay("stats", "--name", "ann") == 0
    assert squeeze(capsys.readouterr().out) == squeeze((tables + tail).format(accuracy))
    halves = None
    assert gameplay("stats") == 0
    quiz = "\nquiz            asked  right\ncut, level 2      3   67 %\n"
    assert squeeze(capsys.readouterr().out) == squeeze((tables + quiz).format(accuracy))
    assert gameplay("stats", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    facts = {
        "games": 4, "won": 1, "drawn": 1, "lost": 2, "score": 0.375, "reviewed": totals.reviewed,
        "accuracy": figures.accuracy,
    }  # fmt: skip
    assert document["by"]["game"]["go"] == facts and document["quiz"] == [
        {"kind": "cut", "level": 2, "asked": 3, "right": 2}
    ]
    assert (document["games"], document["recent"], document["before"]) == (5, None, None)
    halves = (totals, other)
    assert gameplay("stats", "--json", "--name", "ann") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["recent"] == facts and document["before"]["won"] == 1 and document["quiz"] == []


def squeeze(text):
    """Lines with single spaces between words: column spacing is tested elsewhere."""
    return [" ".join(line.split()) for line in text.splitlines()]


def test_result_table_fits_the_width():
    rows = [["go: bob", "4", "1", "1", "2", "38 %", "80.0 %"], ["nim", "1", "1", "0", "0", "100 %", ""]]
    whole = stats._table("by opponent", stats.FIGURES, rows, 0)
    wide = max(map(len, whole))
    assert stats._table("by opponent", stats.FIGURES, rows, wide) == whole
    narrow = stats._table("by opponent", stats.FIGURES, rows, wide - 1)
    assert [line.strip() for line in narrow[::2]] == ["by opponent", "go: bob", "nim"]
    assert narrow[1].split() == stats.FIGURES and narrow[3].split()[0] == "4"
    assert stats._table("by opponent", stats.FIGURES, rows, 5)[2] == "go: b"


def test_results_fit_a_narrow_terminal():
    rows = [
        ["connect4: level:10", "12", "3", "0", "9", "25 %", ""],
        ["chess: ann", "1", "0", "0", "1", "0 %", ""],
    ]
    assert max(map(len, stats._table("by opponent", stats.FIGURES, rows, 0))) == 50
    assert stats._table("by opponent", stats.FIGURES, rows, 40) == [
        "by opponent",
        "games  won  drawn  lost  score",
        "connect4: level:10",
        "   12    3      0     9   25 %",
        "chess: ann",
        "    1    0      0     1    0 %",
    ]


def test_message_without_puzzles_depends_on_reviews(capsys):
    assert gameplay("puzzles", "--game", "ches") == 2
    assert "unknown game 'ches'" in capsys.readouterr().err
    assert gameplay("puzzles") == 0
    assert "review your games first" in capsys.readouterr().out
    stored_reviews.load_or_review(
        record("4 1 4 1 4 2 4"), engine_for(registry.game("connect4")), Limit(nodes=500)
    )
    assert gameplay("puzzles", "--game", "chess") == 0
    assert "review your games first" in capsys.readouterr().out
    for path in stored_reviews.folder().iterdir():
        review = stored_reviews.read_review(path)
        review.moves.clear()
        stored_reviews.write_review(review, path)
    assert gameplay("puzzles", "--game", "connect4") == 0
    assert "had exactly one better move" in capsys.readouterr().out


def test_user_games_and_their_openings():
    """By name in any case; openings if the game has some, and none for a deleted game."""
    chess = record("e4 e5 f4", result=(1, -1), spec="chess", names=("Ann", "Bob"))
    plain = record("4 1", ("human", "level:3"), result=(-1, 1))
    gone = record("4 1", ("human", "level:3"), result=(0, 0))
    gone.game = "nothere.py:Gone"
    results = [progress.games_of([chess], name)[0] for name in ("ann", "BOB")]
    assert [(result.against, result.points) for result in results] == [("Bob", 1.0), ("Ann", 0.0)]
    assert {result.opening for result in results} == {"C30 King's Gambit"}
    assert progress.games_of([chess], "eve") == []
    assert progress.games_of([plain, gone]) == [
        progress.PlayerGame("connect4", "level:3", "", 0.0, None),
        progress.PlayerGame("nothere.py", "level:3", "", 0.5, None),
    ]
    three = Record(1, "nim", "", ["human", "a", "b"], 0, [], [1, -1, 0], "rules", "0")
    unfinished = record("4 1", ("human", "level:3"))
    assert progress.games_of([three, unfinished]) == []


def test_standings_are_sorted_by_frequency_and_sum_reviews():
    first, second = lesson.Figures(2, 80.0, 0.25, (1, 0, 0), 1), lesson.Figures(1, 50.0, 0.5, (0, 0, 1), 0)
    games = [
        progress.PlayerGame("go", "bob", "", 1.0, first),
        progress.PlayerGame("chess", "eve", "C30", 0.5, None),
        progress.PlayerGame("go", "ann", "", 0.0, None),
        progress.PlayerGame("chess", "bob", "B20", 0.0, None),
        progress.PlayerGame("go", "bob", "", 0.5, second),
    ]
    totals = progress.ResultTotals
    both = first + second
    assert list(progress.standings(games, "game").items()) == [
        ("go", totals(1, 1, 1, both, 2)),
        ("chess", totals(1, 1, 0)),
    ]
    assert list(progress.standings(games, "against").items()) == [
        ("go: bob", totals(0, 1, 1, both, 2)),
        *(("chess: bob", totals(lost=1)), ("chess: eve", totals(drawn=1)), ("go: ann", totals(lost=1))),
    ]
    assert list(progress.standings(games, "opening")) == ["chess: B20", "chess: C30"]
    assert (totals(1, 2, 3).games, totals(1, 2, 3).score) == (6, 4 / 6)


def test_progress_is_the_last_ten_beside_those_before():
    lost, won = (progress.PlayerGame("go", "x", "", points, None) for points in (0.0, 1.0))
    assert progress.compare_recent([lost] * 10 + [won] * 9) is None
    new, old = progress.compare_recent([lost] * 10 + [won] * 10)
    assert (new.games, new.score, old.games, old.score) == (10, 1.0, 10, 0.0)
    assert (
        progress.ResultTotals(won=1, drawn=1, lost=2).score == 0.375 and progress.ResultTotals().score == 0.0
    )
    recent, before = progress.compare_recent([lost] * 12 + [won] * 9)
    assert (recent.score, recent.games, before.score, before.games) == (0.9, 10, 0.0, 11)
