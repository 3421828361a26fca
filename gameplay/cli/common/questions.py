"""Asks puzzles at the terminal: the move is typed, or chosen from a list with plausible wrong moves."""

import sys
import textwrap
from datetime import date
from random import Random
from typing import TYPE_CHECKING

import click

from gameplay import registry
from gameplay.cli.common.unsaved import try_save
from gameplay.cli.common.width import columns, echo_wrapped
from gameplay.errors import GameplayError, IllegalMove
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice
from gameplay.training import practice
from gameplay.training.practice import RIGHT_AT_ONCE, RIGHT_CHOICE, RIGHT_LATER, WRONG, Exercise, Practice

if TYPE_CHECKING:
    from gameplay.display.theme import Theme

LETTERS = "abcd"  # of the moves to choose from


def ask_puzzles(
    stored: Practice, exercises: list[Exercise], theme: "Theme", drill: bool, today: date
) -> None:
    """Ask the puzzles in turn, storing each answer immediately. Raises KeyboardInterrupt."""
    solved_at_once = answered = 0
    for number, exercise in enumerate(exercises, 1):
        try:
            match = exercise_match(exercise)
        except GameplayError as error:  # a missing file, or changed rules
            click.echo()
            echo_wrapped(f"puzzle {number} of {len(exercises)} cannot be asked: {error}")
            continue
        if drill and not _ensure_distractors(stored, exercise):
            break
        click.echo()
        game = practice.base_game(exercise.game)
        echo_wrapped(f"puzzle {number} of {len(exercises)}: {game}, from {exercise.source}")
        answer_form = _new_answer(exercise, match, theme, drill)
        _draw(match, theme, len(answer_form.choices))
        click.echo("".join(f"  {letter}  {word}\n" for letter, word in answer_form.choices.items()), nl=False)
        quality = _answer_quality(answer_form, exercise, match)
        if quality is None:
            break
        if quality:
            answered += 1
            solved_at_once += quality in (RIGHT_AT_ONCE, RIGHT_CHOICE)
            practice.record_answer(exercise, quality, today)
            try_save(practice.merge_and_save, stored, exercise)
            click.echo(f"it comes back on {exercise.due}")
    if answered:
        click.echo(f"\nsolved at once: {solved_at_once} of {answered}")


def _new_answer(
    exercise: Exercise, match: Match, theme: "Theme", drill: bool
) -> "TypedAnswer | MultipleChoice":
    if drill and exercise.distractors:
        return MultipleChoice(exercise)
    return TypedLineAnswer(exercise, match, theme) if exercise.whole else TypedAnswer(exercise, match)


def _ensure_distractors(stored: Practice, exercise: Exercise) -> bool:
    """Find wrong answers for a puzzle without any; False if interrupted by Ctrl-C."""
    from gameplay.cli.common.progress_line import ProgressLine
    from gameplay.training import drill

    if exercise.distractors:
        return True
    try:
        with ProgressLine() as progress_line:
            progress_line("looking for wrong answers; Ctrl-C: stop")
            drill.add_distractors(exercise)
    except KeyboardInterrupt:
        return False
    try_save(practice.merge_and_save, stored, exercise)
    return True


def exercise_match(exercise: Exercise, solved: bool = False) -> Match:
    """A match at the position of a puzzle, or after its right move. Raises GameplayError."""
    words = [*exercise.words, exercise.right] if solved else exercise.words
    return Match(
        registry.game(exercise.game), [EmptySeat("human"), EmptySeat("human")], exercise.start, words
    )


def _draw(match: Match, theme: "Theme", choices: int) -> None:
    """Print the board, scaled to leave room for title, choices and question."""
    from gameplay.display.terminal.line import board_text

    board = match.board()
    if board is None:
        click.echo(match.show())
    elif not theme.interactive:
        click.echo(board_text(board))
    else:
        from gameplay.display.board.drawing import draw, largest

        width, height = theme.console.size
        theme.console.print(draw(board, theme, largest(board, width, max(10, height - 5 - choices), theme)))


# -- an answer ----------------------------------------------------------------------------------


class TypedAnswer:
    """The move is typed; a second try follows a wrong move or a hint."""

    def __init__(self, exercise: Exercise, match: Match) -> None:
        self.exercise = exercise
        self.position = match.position
        self.quality = RIGHT_AT_ONCE
        self.choices: dict[str, str] = {}

    def hint(self) -> str:
        """A wrong move with its refutation, and the first character of the right move."""
        self.quality = RIGHT_LATER
        exercise = self.exercise
        beginning = f"; the right one begins with {exercise.right[0]}" if len(exercise.right) > 2 else ""
        if exercise.missed:
            refutation = _format_refutation(exercise.answer or _refutation(exercise, exercise.missed))
            return f"{exercise.missed} was played{refutation}{beginning}"
        if exercise.distractors:
            distractor = exercise.distractors[0]
            return f"not {distractor.move}{_format_refutation(distractor.answer)}{beginning}"
        return beginning.removeprefix("; ") or "there is no hint"

    def grade(self, word: str) -> int | None:
        """The quality of an answer, see SM-2; None: not final yet."""
        try:
            move = self.position.parse(word)
        except IllegalMove as error:
            echo_wrapped(str(error))
            return None
        if move == self.position.parse(self.exercise.right):
            return self.quality
        verdict = _explain_wrong(self.exercise, self.position.format(move))
        if self.quality != RIGHT_AT_ONCE:
            echo_wrapped(f"{verdict or 'no'}; {_format_solution(self.exercise)}")
            return WRONG
        echo_wrapped(f"{verdict or 'no, there is a better move'}; try again")
        self.quality = RIGHT_LATER
        return None


class TypedLineAnswer(TypedAnswer):
    """Every move of the solution is typed, and replies are made; a wrong move may be corrected once.

    Another move that mates is also right.
    """

    def __init__(self, exercise: Exercise, match: Match, theme: "Theme") -> None:
        super().__init__(exercise, match)
        self.match = match
        self.theme = theme
        self.index = 0  # index of the move of the line to type next

    def hint(self) -> str:
        """The first character of the next move."""
        self.quality = RIGHT_LATER
        return f"the right move begins with {self.exercise.line[self.index][0]}"

    def grade(self, word: str) -> int | None:
        """As in `TypedAnswer`; None also for a right move that is not the last."""
        position, line = self.position, self.exercise.line
        try:
            move = position.parse(word)
        except IllegalMove as error:
            echo_wrapped(str(error))
            return None
        if move != position.parse(line[self.index]) and not self._mates(move):
            if self.quality != RIGHT_AT_ONCE:
                echo_wrapped(f"no; {_format_solution(self.exercise, self.index)}")
                return WRONG
            echo_wrapped("no, there is a better move; try again")
            self.quality = RIGHT_LATER
            return None
        self.match.make(Choice(move))
        self.index += 1
        if self.index >= len(line) or position.outcome() is not None:
            return self.quality
        reply = line[self.index]
        mover = self.match.side(position.turn)
        self.match.make(Choice(position.parse(reply)))
        self.index += 1
        echo_wrapped(f"right: {mover} replies {reply}")
        _draw(self.match, self.theme, 0)
        return None

    def _mates(self, move: int) -> bool:
        """True for a move that wins the game."""
        mover = self.position.turn
        self.position.make(move)
        payoffs = self.position.outcome()
        self.position.unmake()
        return payoffs is not None and payoffs[mover] > 0


class MultipleChoice:
    """Multiple choice: the right move and wrong ones, each with a letter; there is one attempt."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.quality = RIGHT_CHOICE
        words = [exercise.right, *(distractor.move for distractor in exercise.distractors)]
        Random(f"{exercise.id}/{exercise.asked}").shuffle(words)
        self.choices = dict(zip(LETTERS, words, strict=False))

    def hint(self) -> str:
        """Remove the most plausible wrong move, and return its refutation."""
        if self.quality == RIGHT_LATER:
            return "there is no other hint"
        self.quality = RIGHT_LATER
        move = self.exercise.distractors[0].move
        letter_removed = next(letter for letter, word in self.choices.items() if word == move)
        del self.choices[letter_removed]
        return f"not {letter_removed}, {move}: {_explain_wrong(self.exercise, move).removeprefix('no, ')}"

    def grade(self, word: str) -> int | None:
        """The quality of an answer, see SM-2; None: invalid input."""
        chosen = self.choices.get(word.lower(), word if word in self.choices.values() else "")
        if not chosen:
            echo_wrapped(f"type one of {', '.join(self.choices)}, or hint, skip, quit")
            return None
        if chosen == self.exercise.right:
            return self.quality
        echo_wrapped(f"{_explain_wrong(self.exercise, chosen)}; {_format_solution(self.exercise)}")
        return WRONG


def _answer_quality(
    answer_form: TypedAnswer | MultipleChoice, exercise: Exercise, match: Match
) -> int | None:
    """The quality of an answer, see SM-2; 0: skipped; None: quit."""
    while True:
        word = _read_line(match, answer_form.choices)
        if word.lower() == "quit":
            return None
        if word.lower() == "skip":
            echo_wrapped(
                _format_solution(
                    exercise, answer_form.index if isinstance(answer_form, TypedLineAnswer) else 0
                )
            )
            return 0
        if word.lower() == "hint":
            echo_wrapped(answer_form.hint())
        elif word and (quality := answer_form.grade(word)) is not None:
            if quality != WRONG:
                labels = [*exercise.kinds, *exercise.themes]
                labels_text = f" ({', '.join(labels)})" if labels else ""
                echo_wrapped(f"right: {' '.join(exercise.line)}{labels_text}")
            return quality


def _read_line(match: Match, choices: dict[str, str]) -> str:
    """A line of input, stripped; "quit" at the end of input."""
    if sys.stdin.isatty():
        words = f"{match.side(match.position.turn)} to move ({', '.join([*choices, 'hint', 'skip', 'quit'])})"
        width = columns()
        click.echo(f"{textwrap.fill(words, width - 2) if width else words} > ", nl=False)
    line = sys.stdin.readline()
    word = line.strip()
    return "quit" if not line or word.lower() in ("q", "exit") else word


def _explain_wrong(exercise: Exercise, word: str) -> str:
    """The explanation of a wrong move; an empty string if there is none."""
    if word == exercise.missed:
        return f"that is what was played{_format_refutation(exercise.answer or _refutation(exercise, word))}"
    distractor = next((distractor for distractor in exercise.distractors if distractor.move == word), None)
    if distractor is None:
        return ""
    reasons = {"short": "a short look prefers it", "forcing": "it is forcing, but not enough"}
    return f"no, {reasons.get(distractor.why, 'it is not enough')}{_format_refutation(distractor.answer)}"


def _refutation(exercise: Exercise, word: str) -> list[str]:
    """The refutation of a wrong move, if known."""
    return next((distractor.answer for distractor in exercise.distractors if distractor.move == word), [])


def _format_refutation(answer: list[str]) -> str:
    return f", answered by {' '.join(answer[:4])}" if answer else ""


def _format_solution(exercise: Exercise, index: int = 0) -> str:
    return f"the move is {' '.join(exercise.line[index:])}"
