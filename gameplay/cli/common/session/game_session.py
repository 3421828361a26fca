"""A session of games at this terminal: input, display, saving, and the next game."""

import sys
from typing import TYPE_CHECKING

import click

from gameplay import specs
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.session.commands import SessionCommands
from gameplay.cli.common.session.listeners import (
    DeadStonesNotice,
    InterruptLeaves,
    MatchScore,
    SavedAsNotice,
    ScoreNotice,
    SessionListener,
    ShortestSolution,
    TurnBell,
)
from gameplay.cli.common.session.seating import Seating
from gameplay.cli.common.width import echo_err, echo_error
from gameplay.display.terminal import panel
from gameplay.display.terminal.line import PlainOutput
from gameplay.display.terminal.prompt import LineReader, Prompt
from gameplay.display.terminal.screen import Screen
from gameplay.errors import GameplayError, Unfinished, Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.human import Human
from gameplay.players.interpreter import Interpreter
from gameplay.players.ponder import PonderListener
from gameplay.search.limit import Limit
from gameplay.search.seeds import seed_of
from gameplay.store import setups
from gameplay.store.record import record_of, restore
from gameplay.store.saved import GameSaver, now, writable_path
from gameplay.store.settings import settings

if TYPE_CHECKING:
    from gameplay.display.terminal.listener import MatchListener
    from gameplay.display.terminal.stream import Stream
    from gameplay.display.theme import Theme
    from gameplay.players.player import MatchControl, Player
    from gameplay.registry import Game


class GameSession(SessionCommands):
    """One or more games by the same players.

    limit: of players that set none. file: save the games there too. output: "json" or "jsonl" in place of the
    display. notice: shown at the start of the first game.
    """

    def __init__(
        self,
        theme: "Theme",
        seating: Seating,
        limit: "Limit | None" = None,
        file: str | None = None,
        output: str = "",
        ponder: bool = False,
        full: bool = False,
        tutor: bool = False,
        notice: str = "",
    ) -> None:
        self.theme = theme
        self.seating = seating
        self.limit = limit
        self.file = writable_path(file, seating.game) if file else None
        # Files of these games, which may be overwritten.
        self.writable_files = {self.file} if self.file else set()
        self.output = output
        self.ponder = ponder
        self.save_error = ""
        self.savers: list[GameSaver] = []  # of all matches
        self.settings = settings()
        self.starts_new_match = False  # replace the match
        self.interpreter = self._interpreter()
        self.interpreter.tutor.warns = tutor
        self.interpreter.match_commands.confirms = theme.interactive or sys.stdin.isatty()
        if theme.interactive:
            self._set_up_view(full or self.settings.full)
        else:
            self.view = PlainOutput(theme, sys.stderr if output else sys.stdout, quiet=bool(output))
            self.input = LineReader(sys.stdin, self.view, "> " if sys.stdin.isatty() else "")
        self.view.notices = (notice,) if notice else ()
        self.match = self._new_match()

    def _interpreter(self) -> Interpreter:
        return Interpreter(self._session_commands(), setups)

    # -- playing -------------------------------------------------------------------------------

    def run(self) -> int:
        """Play games until the user leaves; returns the exit status, which reports unsaved games.

        Raises the error that ended a game early, after saving it. Stops external programs at the end.
        """
        try:
            return self._run()
        finally:
            self._close_players(self.match.players)

    def _run(self) -> int:
        while True:
            self._play()
            if not self.starts_new_match and not self._goes_on():
                break
            if self.starts_new_match:
                self.view.notices = ()
                self._close_players(self.match.players)
                self.match = self._new_match()
        self.view.close()
        if self.output == "json":
            self._print()
        if self.save_error and self._on_screen():
            echo_error(self.save_error)  # the screen that showed it is gone
        return max(saver.status for saver in self.savers)

    def _play(self) -> None:
        """Play the match to its end, or until the user leaves it."""
        try:
            self.match.play()
        except BaseException as error:
            self.view.close()
            if isinstance(error, KeyboardInterrupt):
                self._save_clock()
            if isinstance(error, (KeyboardInterrupt, Unfinished)):
                self._print_resume_hint()
            if isinstance(error, GameplayError) and self.output == "json":
                self._print()
            raise
        finally:
            self._rest_players()

    def _set_up_view(self, full: bool) -> None:
        """Switch between full screen and lines."""
        screen: Screen
        table = self.interpreter.table
        other = self._screen(not full)
        commands = [other if command.name in ("full", "line") else command for command in table.values()]
        self.interpreter.table = {command.name: command for command in commands}
        if full:
            from gameplay.display.fullscreen.view import FullScreen

            self.input = screen = FullScreen(self.theme)
            screen.interpreter = self.interpreter  # for the buttons before the first question
        else:
            screen = Screen(self.theme)
            self.input = Prompt(screen)
        self.view = screen
        self.input.confirm = self.settings.confirm
        screen.pacing.pace = self.settings.pace
        self.interpreter.judge.watch = lambda report: screen.poll_interrupt()

    def _goes_on(self) -> bool:
        """After a match: show the result; true if play continues with another match or more moves."""
        if self.match.payoffs is None:
            if isinstance(self.view, Screen):
                self.view.show_final()
            self.view.close()
            self._print_resume_hint()
            return False
        people = specs.HUMAN in self.seating.specs
        series = self.seating.series
        follows = series is not None and series.between_games and (bool(self.output) or not people)
        if follows:
            self._play_again(self.match, "")
        goes_on = self._execute_after_match() if people and not self.output else follows
        # A full screen stays, and so does the board of a game in which moves were undone.
        keeps_screen = goes_on and (self.view is self.input or not self.starts_new_match)
        if isinstance(self.view, Screen) and not keeps_screen:
            self.view.show_final()
            if goes_on:
                print()
            elif not people and not self.save_error:
                self.view.close()
                echo_err(f"step through the game: {command_line('gameplay', 'replay', '1')}")
        return goes_on

    def _execute_after_match(self) -> bool:
        """Execute input after a match; true if play continues with another match or more moves."""
        people = panel.human_viewers(self.match)  # humans whose view is kept, since hands stay hidden
        ended: MatchControl = self.match.view(*people) if len(people) == 1 else self.match
        if isinstance(self.input, LineReader):
            self.input.show_answer(self.interpreter.invitation(ended) if sys.stdin.isatty() else "")
        message = ""
        series = self.seating.series
        table = series.table() if series is not None and series.over else []
        score = "\n".join([*series.after(), *table]) if series is not None else ""
        self.interpreter.onward = (
            series.rules.game_name if series is not None and series.between_games else ""
        )
        self.interpreter.whole = "game" if series is None else "match"
        while True:
            if isinstance(self.view, Screen):
                self.input.show_answer("\n".join(filter(None, [self.view.result_text(), score, message])))
            try:
                answer = self.interpreter.execute(self.input.read(ended, self.interpreter), ended)
            except (KeyboardInterrupt, Unfinished):
                self._print_match_hint()
                return False
            message = answer.text
            if isinstance(self.input, LineReader):
                self.input.show_answer(message)
            if answer.done:
                goes_on = self.starts_new_match or not ended.over()
                if not goes_on:
                    self._print_match_hint()
                return goes_on

    def _new_match(self) -> Match:
        """Create the match of the current seating."""
        seating, self.starts_new_match = self.seating, False
        players = [
            self._player(spec, number, seating.game, name)
            for number, (spec, name) in enumerate(zip(seating.specs, seating.names, strict=True))
        ]
        clock = Clock([parse_time_control(seating.clock)] * len(players)) if seating.clock else None
        match = Match(seating.game, players, seating.start, seating.moves, seating.seed, clock=clock)
        if clock is not None and not match.decided():
            raise Usage(f"{seating.game.name} has no loss on time: leave out --clock")
        match.start_time = seating.start_time or now()
        if seating.record is not None:
            restore(match, seating.record)
            for player in players:
                player.resume(match)
        if seating.series is not None:
            match.scoresheet, match.ends = seating.series.sheet, seating.series.ended
            seating.series.label(match)
        withheld = {"score"} if seating.series is None else {"swap", "restart"}
        withheld |= {"review"} if seating.series is not None and seating.series.conceals else set()
        self.interpreter.withheld = frozenset(withheld)
        self._listen(match)
        seating.record, seating.path, seating.moves, seating.start_time = None, None, [], ""
        return match

    def _listen(self, match: Match) -> None:
        """Set the listeners of the match: for saving, display and pondering."""
        saving = GameSaver(self._report_save_error, self.seating.path)
        self.savers.append(saving)
        series = self.seating.series
        self.view.heading = series.line() if series is not None else ""
        listeners: list[SessionListener | GameSaver | PonderListener | MatchListener | Stream] = [
            *([MatchScore(series, lambda: self.view, self._show_thinking)] if series is not None else []),
            ShortestSolution(self._show_thinking),
            DeadStonesNotice(self.view),
            saving,
        ]
        if self.file is not None:
            self.savers.append(GameSaver(self._report_save_error, self.file))
            listeners.append(self.savers[-1])
        humans = [number for number, spec in enumerate(self.seating.specs) if spec == specs.HUMAN]
        self.view.viewer = humans[0] if len(humans) == 1 else None
        if isinstance(self.view, Screen):
            self.view.watching = not humans
        if not humans:
            listeners.append(InterruptLeaves())
        listeners.append(self.view)
        if series is not None and isinstance(self.view, PlainOutput):
            listeners.append(ScoreNotice(series, self.view))
        if isinstance(self.view, PlainOutput) and humans:
            listeners.append(SavedAsNotice(self.view, saving))
        if self.ponder or any(map(seats.ponders_by_spec, self.seating.specs)):
            listeners.append(PonderListener())
        if self.settings.bell and isinstance(self.view, Screen):
            listeners.append(TurnBell())
        if self.output == "jsonl":
            from gameplay.display.terminal import stream

            listeners.append(stream.Stream(sys.stdout))
        self.interpreter.forget()
        for listener in listeners:
            listener.match = match
        match.listeners[:] = listeners

    def _player(self, spec: str, number: int, game: "Game", name: str = "") -> "Player":
        seed = seed_of(self.seating.seed, "player", number)
        player = seats.player(spec, game, seed, self.limit, lambda: Human(self.input, self.interpreter, name))
        return seats.with_pondering(player) if self.ponder else player

    def _save_clock(self) -> None:
        """Save the time used so far for the move that is not made."""
        for listener in self.match.listeners:
            if isinstance(listener, GameSaver) and self.match.clock is not None and listener.kept:
                listener.write()

    def _show_thinking(self, message: str) -> bool:
        """Show that a search is running; true if the user wants the result now."""
        if not isinstance(self.view, Screen):
            return False
        self.view.show_message(message + "; Ctrl-C: answer now")
        return self.view.poll_interrupt()

    # -- messages ------------------------------------------------------------------------------

    def _print(self) -> None:
        import msgspec

        from gameplay.display.terminal.stream import document

        record = msgspec.to_builtins(record_of(self.match))
        click.echo(msgspec.json.encode(document(self.match, record)))

    def _print_match_hint(self) -> None:
        """Between two games of a match: print how to resume it."""
        series = self.seating.series
        if series is not None and series.between_games and not self.save_error:
            self.view.close()
            echo_err(f"the match is saved; resume it: {command_line('play', '--resume')}")

    def _print_resume_hint(self) -> None:
        has_moves = any(turn.player >= 0 for turn in self.match.turns)
        if has_moves and not self.save_error:
            echo_err(f"the game is saved; resume it: {command_line('play', '--resume')}")

    def _report_save_error(self, error: str) -> None:
        self.save_error = error
        if self._on_screen():
            self.input.show_answer(error)
        else:
            echo_error(error)

    def _on_screen(self) -> bool:
        """True if the user plays on a screen that later messages write over."""
        return self.theme.interactive and specs.HUMAN in self.seating.specs
