"""A puzzle at the terminal: all messages, by input."""

import io
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from gameplay.cli.common import progress_line, questions
from gameplay.display.theme import Theme
from gameplay.training import drill, practice
from gameplay.training.practice import Distractor, Exercise, Practice
from tests.support.golden import golden
from tests.support.paths import TESTS
from tests.support.themes import PLAIN

pytestmark = pytest.mark.once

DAY = date(2026, 11, 23)
STICKS = f"{TESTS}/examples/games/sticks.py"


def corner(missed: str = "", tempted: bool = True) -> Exercise:
    """X in a corner, O in the centre: c3 is made the only good move of tic-tac-toe."""
    lures = [
        Distractor("b1", "short", ["c3"]),
        Distractor("c2", "played", []),
        Distractor("a3", "forcing", [*"abcde"]),
    ]
    kinds = ["save", "quiet"] if tempted else []
    return Exercise(
        "x", "tictactoe", "", ["a1", "b2"], "c3", ["c3", "a3"], missed, [], "a game", kinds, lures * tempted
    )


def knight(right: str = "Nf3", missed: str = "", answer: tuple[str, ...] = ()) -> Exercise:
    """A move of three letters, without tempting wrong answers."""
    return Exercise(right, "chess", "", [], right, [right], missed, [*answer], "another game")


def ask_questions(lines: str, *exercises: Exercise, drilled: bool = False, theme: Theme = PLAIN) -> Practice:
    """Type lines, separated by |; return the stored result."""
    stored_puzzles = Practice(exercises=[*exercises])
    practice.save(stored_puzzles)
    sys.stdin = io.StringIO(lines.replace("|", "\n"))
    questions.ask_puzzles(stored_puzzles, stored_puzzles.exercises, theme, drilled, DAY)
    return practice.load()


CASES: dict[str, tuple[str, Callable[[], list[Exercise]], bool]] = {
    "at once": (" c3 |", lambda: [corner()], False),
    "no move, a bad one, and late": ("z9||B1|C3|", lambda: [corner()], False),
    "two wrong ones": ("b1|c2|", lambda: [corner()], False),
    "a wrong one that nobody thought of": ("a2|b3|", lambda: [corner()], False),
    "a hint of what tempts": ("HINT|c3|", lambda: [corner()], False),
    "a hint, and wrong": ("hint|a3|", lambda: [corner()], False),
    "a hint of what was played": ("hint|c3|", lambda: [corner("b1")], False),
    "what was played": ("b1|c3|", lambda: [corner("b1")], False),
    "what was played, without an answer": ("hint|c2|skip|", lambda: [corner("c2", False)], False),
    "what was played, with one": ("hint|d4|Nf3|", lambda: [knight(missed="d4", answer=("d5",))], False),
    "no hint": ("hint|c3|", lambda: [corner(tempted=False)], False),
    "how it begins": ("hint|Nf3|", lambda: [knight()], False),
    "too short to begin": ("hint|e4|", lambda: [knight("e4")], False),
    "three": ("skip|Nf3|e4|e4|", lambda: [corner(), knight(), knight("e4"), knight("a3")], False),
    "left": ("c3|quit|", lambda: [corner(), knight(), knight("e4")], False),
    "left by a letter": ("Q|", lambda: [corner()], False),
    "left by another word": ("exit|", lambda: [corner()], False),
    "without an end of the line": ("c3", lambda: [corner()], False),
    "chosen": ("c|", lambda: [corner()], True),
    "chosen by its move": ("c3|", lambda: [corner()], True),
    "chosen wrongly": ("A|", lambda: [corner("c2")], True),
    "chosen, a short look": ("b1|", lambda: [corner("c2")], True),
    "chosen, it forces": ("a3|", lambda: [corner()], True),
    "two hints of four": ("hint|hint|b1|z|c3|", lambda: [corner()], True),
}


def test_answers_to_puzzle_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    kept = []
    for name, (lines, exercises, drilled) in CASES.items():
        results = ask_questions(lines, *exercises(), drilled=drilled).exercises
        state = "".join(
            f"{exercise.right} {exercise.due or '-'} {exercise.ease:.2f} {exercise.wrong}/{exercise.asked}\n"
            for exercise in results
        )
        output = capsys.readouterr().out
        kept.append(f"-- {name}: {lines}\n{output}\n{state}")
        done = [exercise for exercise in results if exercise.asked]
        # SM-2 (Wozniak 1990): an answer of quality 5 adds 0.1.
        at_once = sum(exercise.ease == pytest.approx(2.6) for exercise in done)
        assert sum(exercise.wrong for exercise in done) == len(
            re.findall(r"^(?!the).*the move is", output, re.MULTILINE)
        )
        assert output.count("right: ") == len(done) - sum(exercise.wrong for exercise in done)
        assert drilled or not done or f"solved at once: {at_once} of {len(done)}" in output
        assert all(exercise.due == "2026-11-24" for exercise in done), (
            "a new one is asked again on the next day"
        )
    golden("asking", "\n".join(kept))


def test_a_missing_puzzle_is_reported_and_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    gone = corner()
    gone.words = ["a1", "a1"]
    ask_questions("Nf3|", gone, knight())
    out = capsys.readouterr().out
    assert out.startswith("\npuzzle 1 of 2 cannot be asked: ") and "\npuzzle 2 of 2: chess, from" in out
    assert out.endswith("\nsolved at once: 1 of 1\n")


def test_a_game_without_a_board_is_shown_as_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    ask_questions("", Exercise("s", STICKS, "", ["1"], "2", ["2"], "", [], "sticks"))
    assert capsys.readouterr().out == "\npuzzle 1 of 1: sticks, from sticks\nsticks 19\nsecond to move\n"


@pytest.mark.parametrize("choices", [0, 4])
def test_board_leaves_rows_for_the_question(
    choices: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five lines fit beside the board and the choices; ten lines of board where there is hardly any room."""
    theme = Theme(colour=False, unicode=True, interactive=True)
    four = Exercise("f", "tictactoe:width=4,height=4,line=4", "", [], "a1", ["a1"], "", [], "")
    chess, tictactoe = questions.exercise_match(knight()), questions.exercise_match(four)
    results = []
    for match, lines in ((tictactoe, 5), (chess, 34 + choices + 4), (chess, 34 + choices + 5)):
        monkeypatch.setenv("LINES", str(lines))
        questions._draw(match, replace(theme), choices)
        results.append(len(capsys.readouterr().out.splitlines()))
    assert results == [10, 18, 34]


def test_terminal_prompt_names_the_mover_and_the_accepted_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = questions.exercise_match(corner())
    letters = dict.fromkeys("abcd", "")
    monkeypatch.setattr(sys, "stdin", io.StringIO("  C3 \nq\n"))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert questions._read_line(match, letters) == "C3"
    assert capsys.readouterr().out == "x to move (a, b, c, d, hint, skip, quit) > "
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for width, text in (
        (42, "x to move (a, b, c, d, hint, skip, quit)"),
        (41, "x to move (a, b, c, d, hint, skip,\nquit)"),
    ):
        monkeypatch.setenv("COLUMNS", str(width))
        assert questions._read_line(match, letters) == "quit", "q, and then nothing at all"
        assert capsys.readouterr().out == text + " > "


def test_interrupted_search_for_wrong_answers_asks_no_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Results found before the interrupt are stored, in the file as well."""

    def tempt(exercise: Exercise) -> None:
        if exercise.game == "chess":
            raise KeyboardInterrupt
        exercise.distractors = [Distractor("b1", "close", [])]

    monkeypatch.setattr(sys, "stdin", sys.stdin)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(progress_line.time, "monotonic", lambda: 50.0)
    monkeypatch.setattr(drill, "add_distractors", tempt)
    kept = ask_questions("skip|", corner(tempted=False), knight(), drilled=True)
    out, err = capsys.readouterr()
    looks = "\rlooking for wrong answers; Ctrl-C: stop\033[K\r\033[K"
    assert err == looks * 2 and "puzzle 2" not in out
    assert kept.exercises[0].distractors == [Distractor("b1", "close", [])]
