"""Endgame training at the terminal: judges each move of the user and answers with the best defence."""

import sys
from collections.abc import Iterable
from datetime import date
from random import Random
from typing import TYPE_CHECKING

import click

from gameplay.cli.common.unsaved import report_unsaved
from gameplay.cli.common.width import echo_wrapped
from gameplay.display.terminal.line import PlainOutput
from gameplay.display.terminal.prompt import LineReader, Prompt
from gameplay.display.terminal.screen import Screen
from gameplay.errors import Mismatch, Unfinished
from gameplay.matches.match import Match
from gameplay.players.commands import Answer
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice, MatchControl
from gameplay.plural import plural
from gameplay.position import CHANCE
from gameplay.specs import HUMAN
from gameplay.training import endgame_progress, endgames
from gameplay.training.endgame_commands import EndgameInterpreter
from gameplay.training.endgames import BEST, DRAW, HOLD, EndgameTask

if TYPE_CHECKING:
    from gameplay.capabilities import Endgames
    from gameplay.display.theme import Theme
    from gameplay.registry import Game
    from gameplay.training.oracles import MoveOracle

MAX_SOLUTION = 12  # moves of a solution to print


class EndgameSession:
    """Trains positions of one game. `count`: the number of positions; `seed`: of the defender's choices."""

    def __init__(
        self,
        game: "Game",
        offered: "Endgames",
        oracle: "MoveOracle",
        theme: "Theme",
        count: int,
        seed: int,
        today: date,
    ) -> None:
        self.game, self.offered, self.oracle = game, offered, oracle
        self.count, self.seed, self.today = count, seed, today
        self.number = self.solved = 0
        self.is_finished = False
        self.view: Screen | PlainOutput
        self.input: Prompt | LineReader
        if theme.interactive:
            self.view = screen = Screen(theme)
            self.input = Prompt(screen)
        else:
            self.view = PlainOutput(theme, sys.stdout)
            self.input = LineReader(sys.stdin, self.view, "> " if sys.stdin.isatty() else "")

    def run(self, tasks: Iterable[EndgameTask]) -> int:
        """Train the tasks; returns the exit status. Raises Unfinished if the input ends first."""
        game, attempted = self.game, 0
        try:
            for task in tasks:
                self.number += 1
                position = EndgamePosition(self, task)
                position.play()
                attempted += position.is_stored
                self.solved += position.is_stored and position.solved
                if self.is_finished:
                    break
        finally:
            self.view.close()
            if attempted:
                streak = endgame_progress.load().of(game.name).streak
                click.echo(f"solved: {self.solved} of {plural(attempted, 'position')}; streak: {streak}")
        return Mismatch.status if self.solved < attempted else 0


class EndgamePosition:
    """Trains one position, and stores the result once, when it is solved or missed."""

    def __init__(self, session: EndgameSession, task: EndgameTask) -> None:
        self.session, self.task = session, task
        self.rng = Random(f"{session.seed} {task.start}")
        self.interpreter = EndgameInterpreter(
            {
                "undo": self._undo,
                "hint": self._hint,
                "solution": self._solution,
                "again": self._again,
                "next": self._next,
                "quit": self._quit,
            }
        )
        self.solved = self.is_stored = False
        self.failed = False  # a move lost the result, or the solution was shown
        self.used_help = False  # a hint was shown or a move undone
        self.hints = 0  # shown for this move
        self.is_finished = False  # the user continued or left
        self.match = self._new_match()
        self.mover = self.match.turn

    def play(self) -> None:
        """Read input until the user continues or leaves. Raises Unfinished at the end of input."""
        session, view = self.session, self.session.view
        view.match, view.viewer = self.match, self.mover
        title = endgames.title(session.game, self.task)
        head = (
            f"position {session.number} of {session.count}, {self.task.ending.name}, level {self.task.level}"
        )
        if isinstance(view, Screen):
            view.task = title
            session.input.show_answer(head)
        else:
            if session.number > 1:
                click.echo()
            echo_wrapped(head)
            echo_wrapped(title)
        try:
            while not self.is_finished:
                line = session.input.read(self.match, self.interpreter)
                answer = self.interpreter.execute(line, self.match)
                text = self._play_move(answer.choice.move) if answer.choice is not None else answer.text
                session.input.show_answer(text)
                if self.interpreter.done and isinstance(view, PlainOutput):
                    self.is_finished = True
        except Unfinished:
            self._leave()
            raise Unfinished(f"the input ended in position {session.number} of {session.count}") from None
        except KeyboardInterrupt:
            self._leave()
            raise

    # -- moves -------------------------------------------------------------------------------------

    def _play_move(self, move: int) -> str:
        """Judge a move; make it and the reply if it keeps the result. Returns the verdict as text."""
        match, self.hints = self.match, 0
        values = endgames.move_values(match.position, self.session.oracle)
        verdict = endgames.judge_move(match.position, values, move, self.session.offered.win)
        word = match.position.format(move)
        if not verdict.keeps_result:
            self.failed = True
            if self.task.goal == BEST:
                return self._finish(f"{word} {verdict.text}", solved=False)
            due_text = self._store_result(solved=False)
            return f"{word} {verdict.text}{due_text}. It is not played: try another move, or next"
        match.make(Choice(move))
        replies = self._replies()
        if match.over() and verdict.is_best and self.task.goal != BEST:
            return self._append_result(f"{word}{replies}")  # the result implies that it is the best
        return self._append_result(f"{word} {verdict.text}{replies}")

    def _replies(self) -> str:
        """Make the best moves of the opponent until it is the user's turn; returns them as text."""
        match, words = self.match, []
        while not match.over() and match.turn not in (self.mover, CHANCE) and self._has_values():
            move = endgames.defence(match.position, self.session.oracle, self.rng, self.session.offered.idle)
            words.append(match.position.format(move))
            match.make(Choice(move))
        return f"; {match.side(1 - self.mover)} plays {' '.join(words)}" if words else ""

    def _append_result(self, text: str) -> str:
        """The text, with the result if the game is over."""
        match, task = self.match, self.task
        own_moves = sum(turn.player == self.mover for turn in match.turns)
        if task.goal == BEST:
            return self._finish(text, solved=not self.failed)
        if match.over():
            payoff = match.payoffs[self.mover] if match.payoffs is not None else 0
            goal_reached = payoff > 0 or (task.goal == DRAW and payoff == 0)
            if not goal_reached:
                return self._finish(f"{text}. The game is drawn: {match.position.ending()}", solved=False)
            return self._finish(f"{text}. {self._summary(own_moves)}", solved=not self.failed)
        if task.goal == DRAW and own_moves >= HOLD:
            return self._finish(f"{text}. The draw holds", solved=not self.failed)
        if not self._has_values():
            text = f"{text}. The solver cannot value this position; the {task.goal} is kept so far"
            return self._finish(text, solved=not self.failed)
        return text

    def _has_values(self) -> bool:
        """True if the oracle values the position."""
        return bool(self.session.oracle.values(self.match.position))

    def _summary(self, own_moves: int) -> str:
        """Compare a finished game with best play."""
        match, task = self.match, self.task
        best = endgames.format_move_value(match.position, task.value, self.session.offered.win)
        if task.goal == DRAW:
            return "The game is drawn"
        if match.position.scored:
            assert match.payoffs is not None
            return f"You win by {match.payoffs[self.mover]:g}, best play by {best.rpartition(' ')[2]}"
        return f"You win in {plural(own_moves, 'move')}, best play in {best.rpartition(' ')[2]}"

    def _finish(self, text: str, solved: bool) -> str:
        """End the position, and store its result if it was not stored."""
        self.interpreter.done = True
        self.solved = solved if not self.is_stored else self.solved
        reason = (
            ""
            if solved or not self.is_stored or self.task.goal == BEST
            else ", since it was not the first try"
        )
        due_text = self._store_result(solved)
        return f"{text}.\n{'solved' if solved else f'counts as missed{reason}'}{due_text}"

    def _store_result(self, solved: bool) -> str:
        """Store the first result of the position; returns the due date as text."""
        if self.is_stored:
            return ""
        self.is_stored = True
        session, task = self.session, self.task
        try:
            due = endgame_progress.note(
                session.game.name,
                task.ending.name,
                task.level,
                task.start,
                solved,
                self.used_help,
                session.today,
            )
        except OSError as error:
            report_unsaved(error)
            return ""
        return f"; it comes back on {due}" if due else ""

    # -- commands ----------------------------------------------------------------------------------

    def _undo(self, match: MatchControl) -> Answer:
        own_plies = [number for number, turn in enumerate(match.turns) if turn.player == self.mover]
        if not own_plies or (self.interpreter.done and self.task.goal == BEST):
            return Answer("there is nothing to take back")
        self.used_help = True
        self.interpreter.done = False
        words = match.words()[own_plies[-1] :]
        match.undo(len(words))
        return Answer(f"took back {' '.join(words)}")

    def _hint(self, match: MatchControl) -> Answer:
        if self.interpreter.done:
            return Answer(self.interpreter.invitation(match))
        self.used_help = True
        self.hints += 1
        values = endgames.move_values(match.position, self.session.oracle)
        if self.hints > 1:
            best = match.position.format(
                endgames.best_move(match.position, values, self.session.offered.idle)
            )
            return Answer(f"the best move begins with {best[:1]}" if len(best) > 1 else f"play {best}")
        count = len(endgames.moves_keeping_result(match.position, values))
        value = endgames.format_move_value(match.position, max(values.values()), self.session.offered.win)
        if self.task.goal == BEST:
            verb, value = ("is" if count == 1 else "are") + " good", f"equity {value}"
        else:
            verb = ("keeps" if count == 1 else "keep") + f" the {self.task.goal}"
        return Answer(f"{count} of {len(values)} moves {verb}; the best: {value} (hint again: how it begins)")

    def _solution(self, match: MatchControl) -> Answer:
        self.failed = True
        due_text = self._store_result(solved=False)
        if self.interpreter.done and match.turns:
            return Answer("again, then solution: from the start of the position")
        line = endgames.best_line(
            match.replica(), self.session.oracle, MAX_SOLUTION, self.session.offered.idle
        )
        ellipsis = " ..." if len(line) == MAX_SOLUTION else ""
        return Answer(f"best play: {' '.join(match.spell(line))}{ellipsis}{due_text}")

    def _again(self, match: MatchControl) -> Answer:
        match.undo(len(match.turns))
        self.interpreter.done, self.hints = False, 0
        self.rng = Random(f"{self.session.seed} {self.task.start}")
        return Answer("from the start of the position")

    def _next(self, match: MatchControl) -> Answer:
        text = "" if self.is_stored else f"missed{self._store_result(solved=False)}"
        self.is_finished = True
        return Answer(text)

    def _quit(self, match: MatchControl) -> Answer:
        self._leave()
        return Answer()

    def _leave(self) -> None:
        """Leave the trainer; an unfinished position is not counted."""
        self.is_finished = self.session.is_finished = True

    def _new_match(self) -> Match:
        """A new match from the position, with the user at the seat to move."""
        mover = self.session.game.new(self.task.start).turn
        opponent = {"tables": "endgame tables", "bearoff": "tables"}.get(
            self.session.offered.oracle, "solver"
        )
        seats = [EmptySeat(HUMAN if seat == mover else opponent) for seat in range(2)]
        return Match(self.session.game, seats, self.task.start)
