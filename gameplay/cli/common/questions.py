"""Puzzles asked at the terminal: the move is typed, or chosen among wrong ones that tempt."""

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
from gameplay.training.practice import AT_ONCE, CHOSEN, LATER, NEVER, Exercise, Practice

if TYPE_CHECKING:
    from gameplay.display.theme import Theme

LETTERS = "abcd"  # of the moves to choose from


def ask(stored: Practice, asked: list[Exercise], theme: "Theme", drill: bool, today: date) -> None:
    """Ask the puzzles in turn, storing each answer at once. Raises KeyboardInterrupt."""
    solved = done = 0
    for number, one in enumerate(asked, 1):
        try:
            match = match_of(one)
        except GameplayError as error:  # a file that is gone, or rules that have changed
            click.echo()
            echo_wrapped(f"puzzle {number} of {len(asked)} cannot be asked: {error}")
            continue
        if drill and not _ensure_lures(stored, one):
            break
        click.echo()
        echo_wrapped(f"puzzle {number} of {len(asked)}: {practice.base_game(one.game)}, from {one.source}")
        answering = _new_answer(one, match, theme, drill)
        _draw(match, theme, len(answering.choices))
        click.echo("".join(f"  {letter}  {word}\n" for letter, word in answering.choices.items()), nl=False)
        quality = _quality(answering, one, match)
        if quality is None:
            break
        if quality:
            done += 1
            solved += quality in (AT_ONCE, CHOSEN)
            practice.record_answer(one, quality, today)
            try_save(practice.merge_and_save, stored, one)
            click.echo(f"it comes back on {one.due}")
    if done:
        click.echo(f"\nsolved at once: {solved} of {done}")


def _new_answer(one: Exercise, match: Match, theme: "Theme", drill: bool) -> "Typed | MultipleChoice":
    if drill and one.lures:
        return MultipleChoice(one)
    return TypedLine(one, match, theme) if one.whole else Typed(one, match)


def _ensure_lures(stored: Practice, one: Exercise) -> bool:
    """Find the wrong answers of a puzzle, if it has none yet; false where Ctrl-C ended that."""
    from gameplay.cli.common.progress_line import ProgressLine
    from gameplay.training import drill

    if one.lures:
        return True
    try:
        with ProgressLine() as aside:
            aside("looking for wrong answers; Ctrl-C: stop")
            drill.add_distractors(one)
    except KeyboardInterrupt:
        return False
    try_save(practice.merge_and_save, stored, one)
    return True


def match_of(one: Exercise, solved: bool = False) -> Match:
    """A match at the position of a puzzle, or after its right move. Raises GameplayError."""
    words = [*one.words, one.right] if solved else one.words
    return Match(registry.game(one.game), [EmptySeat("human"), EmptySeat("human")], one.start, words)


def _draw(match: Match, theme: "Theme", choices: int) -> None:
    """The board, scaled so that title, choices and question fit too."""
    from gameplay.display.terminal.line import lines

    board = match.board()
    if board is None:
        click.echo(match.show())
    elif not theme.interactive:
        click.echo(lines(board))
    else:
        from gameplay.display.board.drawing import draw, largest

        width, height = theme.console.size
        theme.console.print(draw(board, theme, largest(board, width, max(10, height - 5 - choices), theme)))


# -- an answer ----------------------------------------------------------------------------------


class Typed:
    """The move is typed; a second try follows a wrong move or a hint."""

    def __init__(self, one: Exercise, match: Match) -> None:
        self.one = one
        self.position = match.position
        self.quality = AT_ONCE
        self.choices: dict[str, str] = {}

    def hint(self) -> str:
        """A wrong move (played or tempting) with its refutation, and the first move of the right line."""
        self.quality = LATER
        one = self.one
        begins = f"; the right one begins with {one.right[0]}" if len(one.right) > 2 else ""
        if one.missed:
            refutation = _format_refutation(one.answer or _answer(one, one.missed))
            return f"{one.missed} was played{refutation}{begins}"
        if one.lures:
            return f"not {one.lures[0].move}{_format_refutation(one.lures[0].answer)}{begins}"
        return begins.removeprefix("; ") or "there is no hint"

    def grade(self, word: str) -> int | None:
        """The quality of an answer, see SM-2; None: not final yet."""
        try:
            move = self.position.parse(word)
        except IllegalMove as error:
            echo_wrapped(str(error))
            return None
        if move == self.position.parse(self.one.right):
            return self.quality
        verdict = _explain_wrong(self.one, self.position.format(move))
        if self.quality != AT_ONCE:
            echo_wrapped(f"{verdict or 'no'}; {_solution(self.one)}")
            return NEVER
        echo_wrapped(f"{verdict or 'no, there is a better move'}; try again")
        self.quality = LATER
        return None


class TypedLine(Typed):
    """Every move of the solution is typed, and replies are made; a wrong move may be corrected once.

    Another move that mates is right, too.
    """

    def __init__(self, one: Exercise, match: Match, theme: "Theme") -> None:
        super().__init__(one, match)
        self.match = match
        self.theme = theme
        self.at = 0  # of the moves of the line, that to be typed

    def hint(self) -> str:
        """How the next move begins."""
        self.quality = LATER
        return f"the right move begins with {self.one.line[self.at][0]}"

    def grade(self, word: str) -> int | None:
        """As in every answer; None also for a right move that is not the last."""
        position, line = self.position, self.one.line
        try:
            move = position.parse(word)
        except IllegalMove as error:
            echo_wrapped(str(error))
            return None
        if move != position.parse(line[self.at]) and not self._mates(move):
            if self.quality != AT_ONCE:
                echo_wrapped(f"no; {_solution(self.one, self.at)}")
                return NEVER
            echo_wrapped("no, there is a better move; try again")
            self.quality = LATER
            return None
        self.match.make(Choice(move))
        self.at += 1
        if self.at >= len(line) or position.outcome() is not None:
            return self.quality
        reply = line[self.at]
        mover = self.match.side(position.turn)
        self.match.make(Choice(position.parse(reply)))
        self.at += 1
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
    """Multiple choice: the move is listed among wrong ones, each with a letter, and there is one attempt."""

    def __init__(self, one: Exercise) -> None:
        self.one = one
        self.quality = CHOSEN
        words = [one.right, *(lure.move for lure in one.lures)]
        Random(f"{one.id}/{one.asked}").shuffle(words)
        self.choices = dict(zip(LETTERS, words, strict=False))

    def hint(self) -> str:
        """The most tempting move, which is taken away, and its refutation."""
        if self.quality == LATER:
            return "there is no other hint"
        self.quality = LATER
        move = self.one.lures[0].move
        gone = next(letter for letter, word in self.choices.items() if word == move)
        del self.choices[gone]
        return f"not {gone}, {move}: {_explain_wrong(self.one, move).removeprefix('no, ')}"

    def grade(self, word: str) -> int | None:
        """The quality of an answer, see SM-2; None: invalid input."""
        picked = self.choices.get(word.lower(), word if word in self.choices.values() else "")
        if not picked:
            echo_wrapped(f"type one of {', '.join(self.choices)}, or hint, skip, quit")
            return None
        if picked == self.one.right:
            return self.quality
        echo_wrapped(f"{_explain_wrong(self.one, picked)}; {_solution(self.one)}")
        return NEVER


def _quality(answering: Typed | MultipleChoice, one: Exercise, match: Match) -> int | None:
    """The quality of an answer, see SM-2; 0: skipped; None: quit."""
    while True:
        word = _line(match, answering.choices)
        if word.lower() == "quit":
            return None
        if word.lower() == "skip":
            echo_wrapped(_solution(one, answering.at if isinstance(answering, TypedLine) else 0))
            return 0
        if word.lower() == "hint":
            echo_wrapped(answering.hint())
        elif word and (quality := answering.grade(word)) is not None:
            if quality != NEVER:
                labels = [*one.kinds, *one.themes]
                kinds = f" ({', '.join(labels)})" if labels else ""
                echo_wrapped(f"right: {' '.join(one.line)}{kinds}")
            return quality


def _line(match: Match, choices: dict[str, str]) -> str:
    """A line of input, stripped; "quit" at the end of input."""
    if sys.stdin.isatty():
        words = f"{match.side(match.position.turn)} to move ({', '.join([*choices, 'hint', 'skip', 'quit'])})"
        width = columns()
        click.echo(f"{textwrap.fill(words, width - 2) if width else words} > ", nl=False)
    line = sys.stdin.readline()
    word = line.strip()
    return "quit" if not line or word.lower() in ("q", "exit") else word


def _explain_wrong(one: Exercise, word: str) -> str:
    """The explanation of a wrong move; an empty string if there is none."""
    if word == one.missed:
        return f"that is what was played{_format_refutation(one.answer or _answer(one, word))}"
    lure = next((lure for lure in one.lures if lure.move == word), None)
    if lure is None:
        return ""
    reasons = {"short": "a short look prefers it", "forcing": "it is forcing, but not enough"}
    return f"no, {reasons.get(lure.why, 'it is not enough')}{_format_refutation(lure.answer)}"


def _answer(one: Exercise, word: str) -> list[str]:
    """The refutation of a wrong move, if known."""
    return next((lure.answer for lure in one.lures if lure.move == word), [])


def _format_refutation(answer: list[str]) -> str:
    return f", answered by {' '.join(answer[:4])}" if answer else ""


def _solution(one: Exercise, at: int = 0) -> str:
    return f"the move is {' '.join(one.line[at:])}"
