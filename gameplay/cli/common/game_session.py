"""A session of games at this terminal: input, display, saving, and the next game."""

import sys
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import click

from gameplay import registry, specs
from gameplay.capabilities import HasTerritory
from gameplay.cli.common import display_settings
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.saved_games import print_game, step_through
from gameplay.cli.common.seating import Seating, branch, check_unfinished, next_game, series_game, series_of
from gameplay.cli.common.session_listeners import (
    DeadStonesNotice,
    InterruptLeaves,
    MatchScore,
    SavedAsNotice,
    ScoreNotice,
    SessionListener,
    ShortestSolution,
    TurnBell,
)
from gameplay.cli.common.width import echo_err, echo_error
from gameplay.display.terminal import panel
from gameplay.display.terminal.line import PlainOutput
from gameplay.display.terminal.prompt import LineReader, Prompt
from gameplay.display.terminal.screen import Screen
from gameplay.errors import GameplayError, TryLater, Unfinished, Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Match
from gameplay.players import seats, strength
from gameplay.players.commands import OVER, Answer, Command
from gameplay.players.human import Human
from gameplay.players.interpreter import Interpreter
from gameplay.players.ponder import PonderListener
from gameplay.search.limit import Limit
from gameplay.search.seeds import seed_of
from gameplay.store import setups
from gameplay.store.record import record_of, restore
from gameplay.store.saved import GameSaver, find, is_foreign, now, read, writable_path, write_record
from gameplay.store.settings import settings

if TYPE_CHECKING:
    from gameplay.display.fullscreen.view import FullScreen
    from gameplay.display.terminal.listener import MatchListener
    from gameplay.display.terminal.stream import Stream
    from gameplay.display.theme import Theme
    from gameplay.players.player import MatchControl, Player
    from gameplay.registry import Game


class GameSession:
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
        self.settings = settings()
        self.starts_new_match = False  # replace the match
        self.interpreter = self._interpreter()
        self.interpreter.tutor.warns = tutor
        self.interpreter.match_commands.confirms = theme.interactive or sys.stdin.isatty()
        self.view: Screen | PlainOutput
        self.input: Prompt | LineReader | FullScreen
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
        return TryLater.status if self.save_error else 0

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
        follows = series is not None and series.goes_on and (bool(self.output) or not people)
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
        self.interpreter.onward = series.rules.game_name if series is not None and series.goes_on else ""
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
        series = self.seating.series
        self.view.heading = series.line() if series is not None else ""
        listeners: list[SessionListener | GameSaver | PonderListener | MatchListener | Stream] = [
            *([MatchScore(series, lambda: self.view, self._show_thinking)] if series is not None else []),
            ShortestSolution(self._show_thinking),
            DeadStonesNotice(self.view),
            saving,
        ]
        if self.file is not None:
            listeners.append(GameSaver(self._report_save_error, self.file))
        humans = [number for number, spec in enumerate(self.seating.specs) if spec == specs.HUMAN]
        self.view.viewer = humans[0] if len(humans) == 1 else None
        if isinstance(self.view, Screen):
            self.view.watching = not humans
        if isinstance(self.view, Screen) and not humans:
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

    def _rest_players(self) -> None:
        for player in self.match.players:
            player.stop_pondering()

    @staticmethod
    def _close_players(players: Iterable["Player"]) -> None:
        """Close the programs and connections of players."""
        for player in players:
            player.close()

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
        if series is not None and series.goes_on and not self.save_error:
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

    # -- commands of the session ---------------------------------------------------------------

    def _session_commands(self) -> tuple[Command, ...]:
        clocked = bool(self.seating.clock)
        return (
            Command(
                "again", "", "another game; after the last of a match, another match", self._play_again, OVER
            ),
            Command("swap", "", "another game, from the other side", self._swap, OVER, True),
            Command("score", "", "the games and the score of the match", self._score),
            Command("review", "", "the cost of each move", self._review, OVER, True),
            Command("analyse", "[N]", "try moves while an engine thinks", self._analyse),
            Command("replay", "", "step through the moves", self._replay),
            Command("flip", "", "turn the board around", self._flip),
            Command("territory", "", "the estimated territory", self._territory, required=HasTerritory),
            *([self._screen(True)] if self.theme.interactive else []),
            *(
                Command(name, "[VALUE]", text, partial(self._change_display, name))
                for name, text in display_settings.COMMANDS.items()
            ),
            Command("settings", "", "theme, pieces, panel, ...", self._settings),
            Command(
                "level", "[LEVEL]", "the engine's strength, a word or a number", self._level, multiplayer=True
            ),
            Command(
                "engine",
                "[NAME]",
                "change the engine; alone: list engines",
                self._engine,
                multiplayer=True,
            ),
            Command("save", "FILE", "save the game in FILE", self._save),
            Command("load", "FILE", "continue from FILE", self._load),
            Command("clock", "", "the time left", self._clock),
            *([Command("pause", "", "stop or resume the clock", self._pause)] if clocked else []),
        )

    def _change_display(self, name: str, match: "MatchControl", value: str) -> Answer:
        old_theme, board = self.theme, match.board()
        try:
            self.theme, text = display_settings.change(self.theme, name, value)
        except GameplayError as error:
            return Answer(str(error))
        self.view.theme = self.theme
        if (
            name == "pieces"
            and board is not None
            and display_settings.is_same_drawing(board, old_theme, self.theme)
        ):
            text += "; this board looks the same"
        return Answer(text)

    def _settings(self, match: "MatchControl", _: str) -> Answer:
        return Answer("\n".join(display_settings.setting_lines(self.theme)))

    def _clock(self, match: "MatchControl", _: str) -> Answer:
        if match.clock is None:
            clocked = command_line("play", self.seating.game.name, "--clock", "5+3")
            return Answer(f"this game has no clock; to play with one: {clocked}")
        times = [
            f"{match.side(seat)} {panel.format_clock(match, seat)}" for seat in range(len(match.players))
        ]
        return Answer(", ".join(times))

    def _pause(self, match: "MatchControl", _: str) -> Answer:
        clock = match.clock
        if clock is None:
            return Answer("no clock runs in this game")
        if clock.paused:
            clock.go_on()
            return Answer("the clock runs again")
        clock.pause()
        return Answer("clock paused; `pause` or a move resumes it")

    def _score(self, match: "MatchControl", _: str) -> Answer:
        series = self.seating.series
        return Answer("\n".join([*series.table(), *series.after()]) if series is not None else "")

    def _play_again(self, match: "MatchControl", _: str) -> Answer:
        series = self.seating.series
        if series is not None:
            if series.goes_on:
                self.seating = next_game(series, self.seating.clock)
            else:
                self.seating = series_game(series.afresh(now()), self.seating.clock)
        else:
            self.seating.seed += 1
            if not self.seating.start:
                self.seating.game = self.seating.game.with_seed(self.seating.seed, again=True)
        self.starts_new_match = True
        return Answer(done=True)

    def _swap(self, match: "MatchControl", _: str) -> Answer:
        seating = self.seating
        seating.specs = [*seating.specs[1:], seating.specs[0]]
        seating.names = [*seating.names[1:], seating.names[0]]
        return self._play_again(match, "")

    def _review(self, match: "MatchControl", _: str) -> Answer:
        from gameplay.display.reports.review import brief_lines, lines
        from gameplay.training import stored_reviews
        from gameplay.training.review import default_limit, review_engine

        engine = review_engine(match.game)
        record = record_of(self.match, lines={})

        def watch(ply: int, plies: int) -> None:
            if isinstance(self.view, Screen):
                self.view.show_message(f"review: move {ply} of {plies}; Ctrl-C: stop")
                if self.view.poll_interrupt():
                    raise KeyboardInterrupt

        try:
            review = stored_reviews.load_or_review(
                record, engine, default_limit(match.game, engine), watch, lambda error: None
            )
        except KeyboardInterrupt:
            return Answer("the review was stopped")
        width = self.theme.console.size.width if isinstance(self.view, Screen) else 0
        paragraphs = lines(review, match.replica(0), self.theme, width)
        if self.view is self.input:  # the whole screen has little room beside the board
            paragraphs = brief_lines(review)
        steps = "replay: m goes to the next mistake, r plays from before it" if review.mistakes else ""
        return Answer("\n".join([*paragraphs, *([steps] if steps and isinstance(self.view, Screen) else [])]))

    def _analyse(self, match: "MatchControl", argument: str) -> Answer:
        from gameplay.cli.common.analysis_mode import analyse

        self._rest_players()
        return Answer(analyse(self.view, self.input, match, argument, self.interpreter.table))

    def _replay(self, match: "MatchControl", _: str) -> Answer:
        if match.secrets:
            subject = "the match" if match.over() else "it"
            return Answer(f"the game has hidden information until {subject} is over: replay it then")
        if not match.turns:
            return Answer("no move has been made yet")
        record = record_of(self.match, lines={})
        if not isinstance(self.view, Screen):
            if isinstance(self.view, PlainOutput):
                print_game(record, PlainOutput(self.theme, self.view.out))
            return Answer()
        self.view.close()
        branch_point = step_through(record, self.theme)
        if branch_point is None:
            return Answer()
        self.seating = branch(record, *branch_point)
        return self._leave_for_another(match)

    def _screen(self, full: bool) -> Command:
        """The command that switches to the full screen, or back to lines."""
        if full:
            return Command("full", "", "use the whole screen", partial(self._switch_view, True))
        return Command("line", "", "back from the whole screen", partial(self._switch_view, False))

    def _switch_view(self, full: bool, match: "MatchControl", _: str) -> Answer:
        """Continue on another kind of screen."""
        old_view = self.view
        assert isinstance(old_view, Screen)
        old_view.close()
        self._set_up_view(full)
        new_view = self.view
        assert isinstance(new_view, Screen)
        new_view.continue_from(old_view)
        listeners = self.match.listeners
        listeners[listeners.index(old_view)] = new_view
        for player in self.match.players:
            if isinstance(player, Human):
                player.input = self.input
        return Answer()

    def _flip(self, match: "MatchControl", _: str) -> Answer:
        self.view.flip = not self.view.flip
        return Answer("the board is turned around")

    def _territory(self, match: "MatchControl", _: str) -> Answer:
        """Show or hide the estimated territory on the board."""
        if isinstance(self.view, Screen) and self.view.territory:
            self.view.territory = False
            return Answer("the board is shown without territory")
        position = match.replica()
        assert isinstance(position, HasTerritory)
        estimate = match.call_game("territory()", position.territory)
        if isinstance(self.view, Screen):
            self.view.territory = True
        else:
            self.view.show_territory(match, estimate.owned)
        sides = [sum(owner == seat for owner in estimate.owned.values()) for seat in range(2)]
        points = ", ".join(f"{match.side(seat)} {count}" for seat, count in enumerate(sides))
        leader = (
            f"{match.side(int(estimate.lead < 0))} by {abs(estimate.lead):g}" if estimate.lead else "neither"
        )
        return Answer(f"points: {points}; ahead with komi: {leader} (an estimate from playouts)")

    def _level(self, match: "MatchControl", argument: str) -> Answer:
        if not argument:
            return Answer(strength.describe_levels(self.seating.game))
        return self._engine(match, strength.spec(argument, self.seating.game))

    def _engine(self, match: "MatchControl", argument: str) -> Answer:
        if not argument:
            return Answer(self._engines())
        seated = self.seating.specs
        engines = [number for number, spec in enumerate(seated) if spec != specs.HUMAN]
        if not engines:
            return Answer("no engine plays in this game")
        self._rest_players()
        for number in engines:
            spec = seats.with_knowledge(argument, specs.parse(seated[number]).knowledge)
            self._close_players([self.match.players[number]])
            self.match.players[number] = self._player(spec, number, self.seating.game)
            seated[number] = spec
            if self.seating.series is not None:
                self.seating.series.seat(number, spec)
                self.seating.series.label(self.match)
        if isinstance(self.view, Screen):
            self.view.forget()
        return Answer(f"{self.match.players[engines[0]].name} plays now")

    def _engines(self) -> str:
        """The engines that can play this game, best first."""
        position = self.seating.game.new()
        names = [
            name for name in registry.engine_names() if registry.engine_class(name).suitability(position)
        ]
        names.sort(key=lambda name: -registry.engine_class(name).suitability(position))
        wide = max(map(len, names))
        lines = [f"{name:<{wide}}  {registry.summary(name, 'engine')}" for name in names]
        return "\n".join([*lines, "type engine NAME, with options after a colon: engine mcts:sims=2000"])

    def _save(self, match: "MatchControl", argument: str) -> Answer:
        path = writable_path(argument, self.seating.game, self.writable_files)
        write_record(record_of(self.match, lines={}), path, self.seating.game, self.match.secrets)
        self.writable_files.add(path)
        return Answer(f"saved in {path}")

    def _load(self, match: "MatchControl", argument: str) -> Answer:
        path = find(argument)
        record = read(path, None, registry.game)
        check_unfinished(record, argument)
        if is_foreign(path):
            # The players of the command line continue it.
            record.players, record.names = list(self.seating.specs), []
        game = registry.game(record.game)
        players = [self._player(spec, number, game) for number, spec in enumerate(record.players)]
        Match(game, players, record.start, record.words, record.seed)  # raises an error of the record
        self.seating = Seating(
            game,
            list(record.players),
            record.seed,
            record.start,
            record.words,
            record.clock,
            record,
            names=record.names,
            start_time=record.begun,
            series=series_of(record),
        )
        return self._leave_for_another(match, f"loaded {argument}")

    def _leave_for_another(self, match: "MatchControl", message: str = "") -> Answer:
        """Leave the match for the one of the current seating."""
        self.starts_new_match = True
        if not match.over():
            match.leave()
        return Answer(message, done=True)
