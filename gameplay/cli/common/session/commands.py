"""The commands of a game session: another game, engine or view, files, settings; see also `interpreter`."""

from abc import ABC, abstractmethod
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay import registry, specs
from gameplay.capabilities import HasTerritory
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.saved_games import print_game, step_through
from gameplay.cli.common.session import display_settings
from gameplay.cli.common.session.seating import (
    Seating,
    branch,
    check_unfinished,
    next_game,
    series_game,
    series_of,
)
from gameplay.display.terminal import panel
from gameplay.display.terminal.line import PlainOutput
from gameplay.display.terminal.screen import Screen
from gameplay.errors import GameplayError
from gameplay.matches.match import Match
from gameplay.players import seats, strength
from gameplay.players.commands import OVER, Answer, Command
from gameplay.players.human import Human
from gameplay.store.record import record_of
from gameplay.store.saved import GameSaver, find, is_foreign, now, read, writable_path, write_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gameplay.display.fullscreen.view import FullScreen
    from gameplay.display.terminal.prompt import LineReader, Prompt
    from gameplay.display.theme import Theme
    from gameplay.players.interpreter import Interpreter
    from gameplay.players.player import MatchControl, Player
    from gameplay.registry import Game


class SessionCommands(ABC):
    """Executes the commands of a session, which derives from it and plays the matches."""

    theme: "Theme"
    seating: Seating
    view: Screen | PlainOutput
    input: "Prompt | LineReader | FullScreen"
    match: Match
    interpreter: "Interpreter"
    writable_files: set[Path]
    starts_new_match: bool  # replace the match by one of the current seating

    @abstractmethod
    def _set_up_view(self, full: bool) -> None:
        """Switch between full screen and lines."""

    @abstractmethod
    def _player(self, spec: str, number: int, game: "Game", name: str = "") -> "Player":
        """Create the player of a seat."""

    def _rest_players(self) -> None:
        for player in self.match.players:
            player.stop_pondering()

    @staticmethod
    def _close_players(players: "Iterable[Player]") -> None:
        """Close the programs and connections of players."""
        for player in players:
            player.close()

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
            clock.resume()
            return Answer("the clock runs again")
        clock.pause()
        return Answer("clock paused; `pause` or a move resumes it")

    def _score(self, match: "MatchControl", _: str) -> Answer:
        series = self.seating.series
        return Answer("\n".join([*series.table(), *series.after()]) if series is not None else "")

    def _play_again(self, match: "MatchControl", _: str) -> Answer:
        series = self.seating.series
        if series is not None:
            if series.between_games:
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
        from gameplay.cli.common.session.analysis_mode import analyse

        self._rest_players()
        return Answer(analyse(self.view, self.input, match, argument, self.interpreter.table))

    def _replay(self, match: "MatchControl", _: str) -> Answer:
        if match.secrets:
            subject = "the match" if match.over() else "it"
            return Answer(f"the game has imperfect information until {subject} is over: replay it then")
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
        for listener in self.match.listeners:
            if isinstance(listener, GameSaver):
                listener.file_replaced(path)
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
