"""Puzzles found in games and by self-play, their kinds, and tempting wrong answers."""

import io
import json
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.cli.teach import puzzles
from gameplay.errors import BadInput, Usage
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Session
from gameplay.store import saved
from gameplay.store.record import SCHEMA, Ply, Record
from gameplay.training import drill, finding, practice
from gameplay.training.practice import Distractor, Exercise, Practice
from tests.support.commands import gameplay

pytestmark = pytest.mark.once

SMALL = "connect4:columns=5,rows=4"
MOVES = "5 2 4 1 2 3 4 3 4 4 3 3 5 5 1 1 5 1 2 2"  # a game on that board: there is a puzzle in it
NODES = 2_000
BK_1 = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1"  # Bratko and Kopec 1982, no. 1: Qd1+


@pytest.fixture(scope="module")
def sample_record() -> Record:
    plies = [Ply(word, number % 2) for number, word in enumerate(MOVES.split())]
    players = ["level:5", "level:5"]
    return Record(SCHEMA, SMALL, "", players, 0, plies, [-1, 1], "rules", "0.1.0")


@pytest.fixture(scope="module")
def puzzle(sample_record: Record) -> Exercise:
    (exercise,) = finding.find_puzzles(sample_record, Practice(), "a game", NODES)
    drill.add_distractors(exercise, NODES)
    return exercise


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> date:
    day = date(2026, 11, 23)
    monkeypatch.setattr(puzzles, "today", lambda: day)
    return day


def solve(exercise: Exercise) -> dict[str, float]:
    """The value of each move of a puzzle by the solver: 1, 0, -1."""
    game = registry.game(exercise.game)
    position = game.new(exercise.start)
    for word in exercise.words:
        position.make(position.parse(word))
    limit = Limit(nodes=10**9, multipv=len(position.moves()))  # without a limit it stops after seconds
    candidates = Session(registry.engine("perfect")[0]).search(position, limit).candidates
    return {position.format(each.move): (each.value > 0) - (each.value < 0) for each in candidates}


# -- what is found ----------------------------------------------------------------------------------


def test_solver_confirms_the_only_good_move(puzzle: Exercise, sample_record: Record) -> None:
    values = solve(puzzle)
    right = values.pop(puzzle.right)
    assert right > max(values.values())
    assert puzzle.kinds[0] == "win" if right > 0 else "save"
    assert (
        puzzle.words == sample_record.words[: len(puzzle.words)]
        and puzzle.source == f"a game, move {len(puzzle.words) + 1}"
    )
    assert puzzle.line[0] == puzzle.right and puzzle.right != puzzle.missed
    assert puzzle.id == practice.identity(puzzle.game, "", puzzle.words)


def test_the_same_games_give_the_same_puzzles(puzzle: Exercise, sample_record: Record) -> None:
    first, again, second = (finding.play_game(SMALL, number, 5, 0).words for number in (1, 1, 2))
    assert first == again != second
    (exercise,) = finding.find_puzzles(sample_record, Practice(), "a game", NODES)
    drill.add_distractors(exercise, NODES)
    assert exercise == puzzle


def test_known_puzzles_are_not_found_again(puzzle: Exercise, sample_record: Record) -> None:
    assert not list(finding.find_puzzles(sample_record, Practice(exercises=[puzzle]), "a game", NODES))
    assert not list(finding.find_puzzles(sample_record, Practice(rejected=[puzzle.id]), "a game", NODES))


def test_moves_seen_by_a_shallow_search_are_no_puzzle() -> None:
    """Three in a row must be stopped: a search of two plies finds it."""
    position = registry.game("connect4").new()
    for word in ("4", "1", "4", "1", "4"):
        position.make(position.parse(word))
    engine = finding.engine_for(registry.game("connect4"))
    assert practice.has_only_move(position, Session(engine).search(position, Limit(nodes=NODES, multipv=2)))
    assert not finding._is_promising(position, engine, Session(engine), NODES)


def test_no_puzzle_is_found_within_the_line_of_another(
    sample_record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    def puzzle(game: str, start: str, words: list[str], *_: Any) -> Exercise:
        line = sample_record.words[len(words) : len(words) + 3]
        name = practice.identity(game, start, words)
        return Exercise(name, game, start, words, line[0], line, "", [], "")

    monkeypatch.setattr(finding, "_is_promising", lambda *_: True)
    monkeypatch.setattr(finding, "puzzle", puzzle)
    results = list(finding.find_puzzles(sample_record, Practice(), "a game", NODES))
    assert [len(each.words) for each in results] == list(range(0, len(sample_record.words), 3))
    rest = list(finding.find_puzzles(sample_record, Practice(exercises=results[:2]), "a game", NODES))
    assert rest == results[2:], "nor of one that was found before"


def test_candidates_are_confirmed_with_twenty_times_the_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four moves of tic-tac-toe the second and third are candidates; one is a puzzle."""
    requests: list[Any] = []

    def puzzle(game: str, start: str, words: list[str], source: str, nodes: int) -> Exercise | None:
        requests.append((words, source, nodes))
        name = practice.identity(game, start, words)
        right = {1: "", 2: "c1", 3: "b3"}[len(words)]
        return Exercise(name, game, start, words, right, [right], "?", [], "") if right else None

    monkeypatch.setattr(finding, "puzzle", puzzle)
    promising = [False, True, True, True]
    monkeypatch.setattr(finding, "_is_promising", lambda position, *_: promising.pop(0))
    moves = [Ply(word, number % 2) for number, word in enumerate(("a1", "b1", "c1", "c2"))]
    game = Record(SCHEMA, "tictactoe", "", ["x", "y"], 0, moves, None, "", "0")
    known, calls = Practice(), list[tuple[int, int]]()
    results = list(finding.find_puzzles(game, known, "here", 7, lambda *at: calls.append(at)))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)] and not promising
    assert requests == [
        (["a1"], "here, move 2", 140),
        (["a1", "b1"], "here, move 3", 140),
        (["a1", "b1", "c1"], "here, move 4", 140),
    ]
    assert [(result.right, result.missed) for result in results] == [("c1", ""), ("b3", "c2")]
    assert known.rejected == [practice.identity("tictactoe", "", ["a1"])]
    assert known.searched_games == [practice.identity("tictactoe", "", ["a1", "b1", "c1", "c2", "7 nodes"])]


def test_puzzle_candidates_have_one_good_move_that_is_hard_to_see(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Limit] = []
    log: list[Report] = []

    class Written:
        def __init__(self, engine: str) -> None:
            assert engine == "who"

        def search(self, position: Any, limit: Limit) -> Report:
            limits.append(limit)
            return log.pop(0)

    def promises(*reports: Report, words: str = "a1 b1 c1 b2 a2 c2", spec: str = "tictactoe") -> bool:
        limits.clear()
        log[:] = reports
        written: Any = Written("who")
        return finding._is_promising(registry.game(spec).new(words), "who", written, 70)

    monkeypatch.setattr(finding, "Session", Written)
    alone = Report(move=6, candidates=(Candidate(6, 900), Candidate(7, -900)))
    alike = Report(move=6, candidates=(Candidate(6, 0), Candidate(7, 0)))
    assert promises(alone, Report(move=7)) is True
    assert limits == [Limit(nodes=70, multipv=2), Limit(nodes=100)]
    assert promises(alone, Report(move=6)) is False
    assert promises(alike) is False and len(limits) == 1
    assert promises(words="a1 b1 c1 b2 a2 c2 b3") is False, "of two moves"
    assert promises(spec="pig", words="") is False, "of two moves"
    assert promises(spec="backgammon", words="") is False and not limits, "where chance moves"
    with pytest.raises(KeyboardInterrupt):
        promises(structs.replace(alone, stopped="interrupted"))


def test_self_play_ends_when_a_search_is_interrupted() -> None:
    def event(report: Report | None) -> Any:
        return SimpleNamespace(turn=SimpleNamespace(report=report))

    for item in (SimpleNamespace(turn=None), event(None), event(Report(stopped="nodes"))):
        finding._check_interrupted(item)
    with pytest.raises(KeyboardInterrupt):
        finding._check_interrupted(event(Report(stopped="interrupted")))


def test_only_unfinished_searches_of_games_are_repeated(
    puzzle: Exercise, sample_record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Practice()
    looks = iter(finding.find_puzzles(sample_record, known, "a game", NODES))
    assert next(looks) == structs.replace(puzzle, distractors=[]) and not known.searched_games
    looks.close()  # as Ctrl-C does
    known.exercises.append(puzzle)
    assert (
        not list(finding.find_puzzles(sample_record, known, "a game", NODES))
        and len(known.searched_games) == 1
    )
    seen: list[int] = []
    monkeypatch.setattr(finding, "_is_promising", lambda *_: seen.append(1))
    list(finding.find_puzzles(sample_record, known, "another name of it", NODES))
    assert not seen
    list(finding.find_puzzles(sample_record, known, "a game", NODES + 1))
    assert seen, "more closely"


def test_a_known_problem_of_chess() -> None:
    exercise = practice.puzzle("chess", BK_1, [], "Bratko-Kopec 1", 50_000)
    assert exercise is not None and exercise.right == "Qd1+" and exercise.kinds == ["win", "forcing"]
    drill.add_distractors(exercise, 10_000)
    assert (
        len(exercise.distractors) == drill.COUNT
        and len({lure.move for lure in exercise.distractors}) == drill.COUNT
    )
    assert all(lure.move != "Qd1+" and lure.answer for lure in exercise.distractors)
    assert practice.puzzle("chess", BK_1, [], "", 50_000, missed="Qd1+") is None, "nobody missed it"
    assert practice.puzzle("chess", "", [], "", 2_000) is None, "many good moves"


def test_forcing_moves() -> None:
    position = registry.game("chess").new("4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1")
    kinds = {word: practice.forcing(position, position.parse(word)) for word in ("exd5", "Rh8+", "Rh2")}
    assert kinds == {"exd5": True, "Rh8+": True, "Rh2": False}
    assert position.text() == "4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1", "as it was"


def test_games_that_hide_something_have_no_puzzles() -> None:
    with pytest.raises(Usage, match="perfect information"):
        list(finding.find_puzzles(Record(1, "kuhn", "", [], 0, [], None, "", "0"), Practice(), ""))


def test_puzzles_are_found_in_one_terminal_and_solved_in_another(puzzle: Exercise) -> None:
    practice.save(Practice(exercises=[sample_puzzle()]))
    here, there = practice.load(), practice.load()
    practice.record_answer(here.exercises[0], practice.RIGHT_AT_ONCE, date(2026, 11, 23))
    practice.merge_and_save(here, here.exercises[0])
    there.rejected.append("y")
    there.searched_games.append("z")
    practice.merge_and_save(there, puzzle)
    practice.merge_and_save(here)
    kept = practice.load()
    assert [each.id for each in kept.exercises] == ["x", puzzle.id] and kept.exercises[0].asked == 1
    assert (kept.rejected, kept.searched_games) == (["y"], ["z"])


# -- wrong answers ----------------------------------------------------------------------------------


def test_every_wrong_answer_is_wrong_and_refuted(puzzle: Exercise) -> None:
    values = solve(puzzle)
    assert puzzle.distractors and len(puzzle.distractors) <= drill.COUNT
    for lure in puzzle.distractors:
        assert values[lure.move] < values[puzzle.right]
        assert lure.why in ("played", "short", "forcing", "close")


def test_played_mistake_is_the_first_lure(puzzle: Exercise) -> None:
    missed = next(word for word, value in solve(puzzle).items() if value < solve(puzzle)[puzzle.right])
    again = Exercise("x", puzzle.game, "", puzzle.words, puzzle.right, puzzle.line, missed, [], "")
    drill.add_distractors(again, NODES)
    assert (again.distractors[0].move, again.distractors[0].why) == (missed, "played")
    before = again.distractors
    drill.add_distractors(again, NODES)
    assert again.distractors is before, "once is enough"


class ScriptedSearch:
    """A scripted search: the moves that short searches prefer, the ranks of the others, and the lines."""

    def __init__(self, *preferred: str, ranked: str = "", stopped: str = "") -> None:
        self.preferred, self.ranked, self.stopped = list(preferred), ranked.split(), stopped
        self.limits: list[Limit] = []

    def __call__(self, engine: Any) -> "ScriptedSearch":
        return self

    def search(self, position: Any, limit: Limit) -> Report:
        self.limits.append(limit)
        if limit.moves:
            rest = [move for move in position.moves() if move not in limit.moves]
            lines = [Candidate(move, pv=(move, *rest)) for move in limit.moves[:-1]]
            return Report(candidates=tuple(lines))
        if limit.multipv > 1:
            return Report(candidates=tuple(Candidate(position.parse(word)) for word in self.ranked))
        word = self.preferred.pop(0)
        return Report(move=position.parse(word) if word else None, stopped=self.stopped)


def find_lures(
    monkeypatch: pytest.MonkeyPatch, searches: ScriptedSearch, words: str = "b2", missed: str = "b1"
) -> Any:
    """The wrong answers with a1 right in tic-tac-toe: the reason why each tempts, and its refutation."""
    monkeypatch.setattr(drill, "Session", searches)
    monkeypatch.setattr(drill, "forcing", lambda position, move: position.format(move) in ("c2", "c3"))
    exercise = Exercise("x", "tictactoe", "", words.split(), "a1", ["a1"], missed, [], "")
    drill.add_distractors(exercise, 77)
    return [(lure.move, lure.why, lure.answer) for lure in exercise.distractors]


SHORTER = [Limit(nodes=count) for count in (3000, 1000, 300, 100, 30)]


def test_lures_are_played_shallow_forcing_and_close_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    line = ["a1", "a2", "a3", "b3"]  # four moves and no more
    position = registry.game("tictactoe").new("b2")
    searches = ScriptedSearch("a1", "b1", "c1", "c1", "", ranked="a2 a1 a3 c2 c3")
    assert find_lures(monkeypatch, searches) == [
        ("b1", "played", line),
        ("c1", "short", line),
        ("c2", "forcing", []),
    ]
    wrong = tuple(map(position.parse, ("b1", "c1", "c2")))
    assert searches.limits == [
        *SHORTER,
        Limit(nodes=77, multipv=8),
        Limit(nodes=77, moves=wrong, multipv=3),
    ]
    searches = ScriptedSearch("c1", "b3", "a2", "a3", "c3")
    assert [why[:2] for why in find_lures(monkeypatch, searches)] == [
        *(("b1", "played"), ("c1", "short"), ("b3", "short")),
    ]
    assert len(searches.limits) == 6, "there are three before what forces is asked for"
    searches = ScriptedSearch("", "", "", "", "", ranked="a2 a1 a3")
    assert [why[:2] for why in find_lures(monkeypatch, searches, missed="")] == [
        ("a2", "close"),
        ("a3", "close"),
    ]
    searches = ScriptedSearch("", "", "", "", "", ranked="a1")
    assert find_lures(monkeypatch, searches, missed="") == [] and len(searches.limits) == 6
    with pytest.raises(KeyboardInterrupt):
        find_lures(monkeypatch, ScriptedSearch("c1", stopped="interrupted"))


# -- at the terminal --------------------------------------------------------------------------------


def sample_puzzle() -> Exercise:
    lures = [
        Distractor("b1", "short", ["c3"]),
        Distractor("c2", "close", []),
        Distractor("a3", "forcing", ["c3"]),
    ]
    return Exercise("x", "tictactoe", "", ["a1", "b2"], "c3", ["c3", "a3"], "", [], "a game", ["save"], lures)


def answer_puzzle(monkeypatch: pytest.MonkeyPatch, capsys: Any, *lines: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert gameplay("puzzles", "--drill") == 0
    return str(capsys.readouterr().out)


def letters(out: str) -> dict[str, str]:
    rows = [line.split() for line in out.splitlines() if line.startswith("  ") and len(line.split()) == 2]
    return {word: letter for letter, word in rows if letter in "abcd"}


def test_a_drill_is_one_try_among_four(today: date, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    practice.save(Practice(exercises=[sample_puzzle()]))
    shown = letters(answer_puzzle(monkeypatch, capsys, "quit"))
    assert sorted(shown) == ["a3", "b1", "c2", "c3"] and sorted(shown.values()) == list("abcd")
    out = answer_puzzle(monkeypatch, capsys, "e", "", shown["c3"].upper())
    assert "type one of a, b, c, d" in out and "right: c3 a3 (save)" in out and "at once: 1 of 1" in out
    kept = practice.load().exercises[0]
    assert (kept.due, kept.ease, kept.streak) == ("2026-11-24", practice.EASE, 1), "quality 4"


def test_wrong_answer_is_refuted_and_scheduled_again(
    today: date, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    practice.save(Practice(exercises=[sample_puzzle()]))
    out = answer_puzzle(monkeypatch, capsys, "b1")
    assert "no, a short look prefers it, answered by c3; the move is c3 a3" in out
    assert practice.load().exercises[0].wrong == 1


def test_a_hint_takes_the_most_tempting_away(
    today: date, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    practice.save(Practice(exercises=[sample_puzzle()]))
    out = answer_puzzle(monkeypatch, capsys, "hint", "hint", "b1", "c3")
    assert ", b1: a short look prefers it" in out and "there is no other hint" in out
    assert "type one of" in out, "it is gone"
    assert practice.load().exercises[0].ease < practice.EASE
    practice.save(Practice(exercises=[sample_puzzle()]))
    assert "the move is c3 a3" in answer_puzzle(monkeypatch, capsys, "skip")


def test_wrong_answers_are_found_when_they_are_needed(
    today: date, puzzle: Exercise, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    bare = Exercise(puzzle.id, puzzle.game, "", puzzle.words, puzzle.right, puzzle.line, "", [], "")
    practice.save(Practice(exercises=[bare]))
    assert "a short look prefers it" in answer_puzzle(monkeypatch, capsys, puzzle.distractors[0].move)
    assert practice.load().exercises[0].distractors


def test_puzzles_of_a_missing_game_file_are_skipped(
    today: date, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    names = ["/a/b.c/sticks.py:Sticks:sticks=9", "./sticks.py", SMALL, "connect4"]
    assert [practice.base_game(name) for name in names] == ["sticks", "sticks", "connect4", "connect4"]
    gone = sample_puzzle()
    gone.id, gone.game = "y", f"{tmp_path}/sticks.py:Sticks"
    practice.save(Practice(exercises=[gone, sample_puzzle()]))
    out = answer_puzzle(monkeypatch, capsys, "c3")
    assert "puzzle 1 of 2 cannot be asked" in out and "at once: 1 of 1" in out
    assert gameplay("puzzles", "--list", "--game", "tictactoe") == 0
    assert "sticks" not in capsys.readouterr().out


def test_puzzles_are_found_stored_and_presented(
    today: date, sample_record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    file = tmp_path / "game.json"
    saved.write_record(sample_record, file)
    (tmp_path / "wrong.pgn").write_text("nothing")
    assert gameplay("puzzles", "find", file, "--nodes", NODES) == 0
    output = capsys.readouterr().out
    assert output.startswith("connect4, ") and "1 puzzle in 1 game; solve them" in output
    assert gameplay("puzzles", "find", file, "--nodes", NODES) == 0
    assert capsys.readouterr().out == "0 puzzles in 1 game\n", "it is known"
    assert gameplay("puzzles", "--list") == 0
    assert "connect4  0 of 0" in capsys.readouterr().out
    assert gameplay("puzzles", "--kind", "quiet") == 0
    out = capsys.readouterr().out
    assert "no puzzles of the kind quiet" in out or "puzzle 1 of" in out
    practice.path().unlink()
    assert gameplay("puzzles", "find", tmp_path, "--nodes", NODES, "--json") == 6, "one of them is not a game"
    out, err = capsys.readouterr()
    assert json.loads(out)["game"] == SMALL and "wrong.pgn" in err


def test_the_list_fits_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    exercise = sample_puzzle()
    exercise.source = "self-play of level 5, game 11, move 24"
    practice.save(Practice(exercises=[exercise]))
    for width, expected in (
        (66, f"new  tictactoe  0 of 0  save  self-play of level 5, game 11, move\n{'':>30}24\n"),
        (40, "new  tictactoe  0 of 0\n  save\n  self-play of level 5, game 11, move 24\n"),
        (20, "new  tictactoe  0 of\n  0\n  save\n  self-play of level\n    5, game 11, move\n    24\n"),
    ):
        monkeypatch.setattr(puzzles, "columns", lambda width=width: width)
        assert gameplay("puzzles", "--list") == 0
        out = capsys.readouterr().out
        assert expected in out and max(map(len, out.splitlines())) <= width


def test_found_puzzles_are_counted_and_errors_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, today: date
) -> None:
    """The search ends with the requested number, also in the middle of a game."""
    win, save = sample_puzzle(), sample_puzzle()
    win.kinds, win.source, save.source = ["win"], "a game", "another"
    games: dict[str, Any] = {
        "empty": [],
        "two": [win, save],
        "wrong": BadInput("it is wrong"),
        "late": [save, BadInput("half of it is wrong"), win],
        "more": [win],
    }
    limits: list[Any] = []

    def find_in_records(known: Any, called: str, record: Any, nodes: int, aside: Any) -> Any:
        limits.append(nodes)
        for entry in record if isinstance(record, list) else [record]:
            if isinstance(entry, Exception):
                raise entry
            yield entry

    def records(sources: Any, games_: int, level: int, seed: int, aside: Any) -> Any:
        limits.append((sources, games_, level, seed, aside.shown))
        yield from ((name, games[name]) for name in sources)

    monkeypatch.setattr(puzzles, "_find_puzzles", find_in_records)
    monkeypatch.setattr(puzzles, "_records", records)
    told_win, told_save = "tictactoe, a game: win\n", "tictactoe, another: save\n"
    for words, status, out, err in (
        (("empty",), 0, "0 puzzles in 1 game\n", ""),
        (("two",), 0, f"{told_win}{told_save}2 puzzles in 1 game; solve them: gameplay puzzles\n", ""),
        (("empty", "two", "--kind", "save"), 0,
         f"{told_save}1 puzzle in 2 games; solve them: gameplay puzzles\n", ""),
        (("wrong", "late", "two", "more", "--count", "3"), 6,
         f"{told_save}{told_win}{told_save}3 puzzles in 3 games; solve them: gameplay puzzles\n",
         "gameplay: wrong: it is wrong\ngameplay: late: half of it is wrong\n"),
        (("two", "more", "--count", "1"), 0,
         f"{told_win}1 puzzle in 1 game; solve them: gameplay puzzles\n", ""),
        (("late", "more", "--count", "1"), 0,
         f"{told_save}1 puzzle in 1 game; solve them: gameplay puzzles\n", ""),
    ):  # fmt: skip
        assert gameplay("puzzles", "find", *words) == status
        assert capsys.readouterr() == (out, err), words
    assert limits[:2] == [(("empty",), 20, None, 0, False), finding.SEARCH_NODES]
    more = ("--games", 3, "--level", 9, "--seed", 7, "--nodes", 50, "--json")
    assert gameplay("puzzles", "find", "two", *more) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["source"] for line in out.splitlines()] == ["a game", "another"] and not err
    assert limits[-2:] == [(("two",), 3, 9, 7, False), 50]


def test_games_are_played_or_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample_record: Record
) -> None:
    lines: list[str] = []
    monkeypatch.setattr(finding, "play_game", lambda *what: what)
    results: list[Any] = list(puzzles._records((SMALL,), 2, 7, 3, lines.append))
    spec = registry.game(SMALL).spec
    assert results == [(f"self-play of level 7, game {number}", (spec, number, 7, 3)) for number in (1, 2)]
    assert lines == [f"playing game {number} (Ctrl-C: stop)" for number in (1, 2)]
    file, torn = tmp_path / "game.json", tmp_path / "torn.json"
    dated = structs.replace(sample_record, begun="2026-11-20T10:00:00", names=["Ann", ""])
    saved.write_record(dated, file)
    torn.write_text("{")
    results = list(puzzles._records((str(file), str(torn)), 2, 7, 3, lines.append))
    assert results[0] == (f"Ann - {sample_record.players[1]}, 2026-11-20", dated)
    assert results[1][0] == f"{torn}, game 1" and isinstance(results[1][1], BadInput) and len(results) == 2
    saved.write_record(structs.replace(dated, begun=""), file)
    ((called, _),) = puzzles._records((str(file),), 2, 7, 3, lines.append)
    assert called == f"Ann - {sample_record.players[1]}" and len(lines) == 2


def test_self_play_stops_when_there_are_enough(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    play = finding.play_game  # from the 19th game on: there is no puzzle in those before
    monkeypatch.setattr(finding, "play_game", lambda spec, number, *more: play(spec, number + 18, *more))
    words = ("find", SMALL, "--nodes", NODES, "--games", 8, "--count", 1)
    assert gameplay("puzzles", *words) == 0
    output = capsys.readouterr().out
    assert "self-play of level 5, game 2, move 12" in output and "1 puzzle in 2 games" in output
    assert gameplay("puzzles", *words, "--kind", "win") == 0
    assert "game 3, move" in capsys.readouterr().out, "the first is known, and none of that kind"


def test_a_source_is_a_game_by_any_of_its_names_or_else_a_file(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    names = [
        "chess",
        "tic-tac-toe",
        "connect4:columns=5",
        str(tmp_path / "games"),
        "last",
        "3",
        "x.pgn",
        "ches",
    ]
    results = [getattr(puzzles._parse_game(name), "name", None) for name in names]
    assert results == ["chess", "tictactoe", "connect4", None, None, None, None, None]
