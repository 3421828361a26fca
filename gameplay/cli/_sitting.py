"""Those who sit down to play on this machine: where they read and write, what is shown, what is kept."""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay import registry, specs
from gameplay.display.line import Teller
from gameplay.display.prompt import Lines, Prompt
from gameplay.display.screen import Screen
from gameplay.errors import GameplayError, TryLater, Usage
from gameplay.matches.clock import Clock, control
from gameplay.matches.match import Event, Match, seed_of
from gameplay.players import seats
from gameplay.players.human import Human
from gameplay.players.interpreter import Answer, Command, Interpreter
from gameplay.players.ponder import Bell
from gameplay.store.record import record_of, restore
from gameplay.store.saved import Saving, keep, outside, read, writable

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.players.player import Conducted, Player
    from gameplay.registry import Game
    from gameplay.search.limit import Limit
    from gameplay.store.record import Record


@dataclass
class Seating:
    """What is played, by whom, from where on, by which time control ("": none).

    `record`, `path`: of a game that goes on.
    """

    game: "Game"
    specs: list[str]
    seed: int = 0
    start: str = ""
    moves: list[str] = field(default_factory=list)
    clock: str = ""
    record: "Record | None" = None
    path: Path | None = None


class Sitting:
    """One or more games by the same players.

    `limit` holds for who has none. Records are kept in `file` as well; `output` (json, jsonl) takes the place
    of what is shown.
    """

    def __init__(
        self,
        theme: "Theme",
        table: Seating,
        limit: "Limit | None" = None,
        file: str | None = None,
        output: str = "",
        ponder: bool = False,
    ) -> None:
        self.theme = theme
        self.table = table
        self.limit = limit
        self.file = writable(file) if file else None
        self.output = output
        self.ponder = ponder
        self.trouble = ""
        self.interpreter = Interpreter(self._commands())
        self.view: Screen | Teller
        self.desk: Prompt | Lines
        if theme.interactive:
            self.view = Screen(theme)
            self.desk = Prompt(self.view)
        else:
            self.view = Teller(theme, sys.stderr if output else sys.stdout, quiet=bool(output))
            self.desk = Lines(sys.stdin, self.view, "> " if sys.stdin.isatty() else "")
        self.match = self._match()

    # -- playing -------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until nobody wants to go on. Raises what ended it early; everything is saved by then."""
        while True:
            self._play()
            if self.table.record is not None:  # loaded meanwhile
                self.match = self._match()
            elif not self._goes_on():
                break
        if self.output == "json":
            self._print()
        if self.trouble:
            raise TryLater(self.trouble)

    def _play(self) -> None:
        """Play the match to its end, or until somebody leaves it."""
        try:
            self.match.play()
        except KeyboardInterrupt:
            self.view.close()
            self._keep()
            self._say_how_to_resume()
            raise
        except GameplayError:
            if self.output == "json":
                self._print()
            raise
        finally:
            self.view.close()
            self._rest()

    def _goes_on(self) -> bool:
        """After a match: show how it ended; true if there is another one, or more of the same."""
        if not isinstance(self.view, Screen):
            return False
        self.view.final()
        if self.match.payoffs is None:
            self._say_how_to_resume()
            return False
        return specs.HUMAN in self.table.specs and self._again()

    def _match(self) -> Match:
        """A match between those who sit here, from where the last one was left."""
        table = self.table
        players = [self._player(spec, number, table.game) for number, spec in enumerate(table.specs)]
        clock = Clock([control(table.clock)] * len(players)) if table.clock else None
        match = Match(table.game, players, table.start, table.moves, table.seed, clock=clock)
        if clock is not None and not match.decided():
            raise Usage(f"nobody can lose on time in {table.game.name}: leave out --clock")
        if table.record is not None:
            restore(match, table.record)
            for player in players:
                player.resume(match)
        match.listeners = self._listeners(match)
        table.record, table.path, table.moves = None, None, []
        return match

    def _listeners(self, match: Match) -> list[Any]:
        """Who follows the match: what keeps it, what shows it, who ponders."""
        listeners: list[Any] = [Saving(self._warn, self.table.path)]
        if self.file is not None:
            listeners.append(Saving(self._warn, self.file))
        humans = [number for number, spec in enumerate(self.table.specs) if spec == specs.HUMAN]
        self.view.reading = humans[0] if len(humans) == 1 else None
        if isinstance(self.view, Screen) and not humans:
            self.view.watching = True
            listeners.append(_Leave())
        listeners.append(self.view)
        if self.ponder:
            listeners.append(Bell())
        if self.output == "jsonl":
            from gameplay.display.stream import Stream

            listeners.append(Stream(sys.stdout))
        for listener in listeners:
            listener.match = match
        return listeners

    def _player(self, spec: str, number: int, game: "Game") -> "Player":
        seed = seed_of(self.table.seed, "player", number)
        player = seats.player(spec, game, seed, self.limit, lambda: Human(self.desk, self.interpreter))
        return seats.pondering(player) if self.ponder else player

    def _rest(self) -> None:
        for player in self.match.players:
            player.rest()

    def _again(self) -> bool:
        """Ask what follows: another game, the same one from before the last move, or nothing (false)."""
        assert isinstance(self.desk, Prompt)
        choices = {"again": "another game", "swap": "another game, from the other side", "undo": "take back"}
        if self.view.reading is None:
            del choices["swap"]
        choices["quit"] = "leave"
        try:
            answer = self.desk.question(choices)
        except KeyboardInterrupt:
            return False
        if answer == "quit":
            return False
        print()
        if answer == "undo":
            self.interpreter.obey("undo", self.match)
            return True
        if answer == "swap":
            self.table.specs = [*self.table.specs[1:], self.table.specs[0]]
        self.table.seed += 1
        self.match = self._match()
        return True

    def _keep(self) -> None:
        """Save the time that whoever leaves has used for a move."""
        for listener in self.match.listeners:
            if isinstance(listener, Saving) and self.match.clock is not None and self.match.turns:
                listener.write()

    # -- saying --------------------------------------------------------------------------------

    def _print(self) -> None:
        import msgspec

        from gameplay.display.stream import document

        record = msgspec.to_builtins(record_of(self.match))
        click.echo(msgspec.json.encode(document(self.match, record)))

    def _say_how_to_resume(self) -> None:
        if self.match.turns and not self.trouble:
            print("the game is saved; go on with: play --resume", file=sys.stderr)

    def _warn(self, trouble: str) -> None:
        self.trouble = trouble
        if self.theme.interactive and specs.HUMAN in self.table.specs:
            self.desk.say(trouble)
        else:
            print(trouble, file=sys.stderr, flush=True)

    # -- commands that reach beyond the match --------------------------------------------------

    def _commands(self) -> tuple[Command, ...]:
        clocked = bool(self.table.clock)
        return (
            Command("flip", "", "turn the board round", self._flip),
            Command("level", "N", "the engine's level, 1-10", self._level),
            Command("engine", "NAME", "another engine plays", self._engine),
            Command("save", "FILE", "keep the game in a file", self._save),
            Command("load", "FILE", "go on from a file", self._load),
            *([Command("pause", "", "stop the clock, or let it go on", self._pause)] if clocked else []),
        )

    def _pause(self, match: "Conducted", _: str) -> Answer:
        clock = match.clock
        if clock is None:
            return Answer("no clock runs in this game")
        if clock.paused:
            clock.go_on()
            return Answer("the clock goes on")
        clock.pause()
        return Answer("the clock stands; pause again, or a move, and it goes on")

    def _flip(self, match: "Conducted", _: str) -> Answer:
        self.view.flip = not self.view.flip
        return Answer("the board is turned round")

    def _level(self, match: "Conducted", argument: str) -> Answer:
        if not argument.isdecimal():
            return Answer(f"a level is a number from 1 to 10, not '{argument}'")
        return self._engine(match, f"{specs.LEVEL}:{argument}")

    def _engine(self, match: "Conducted", argument: str) -> Answer:
        seated = self.table.specs
        engines = [number for number, spec in enumerate(seated) if spec != specs.HUMAN]
        if not engines:
            return Answer("only people play here")
        self._rest()
        for number in engines:
            spec = seats.aided(argument, specs.parse(seated[number]).knowledge)
            self.match.players[number] = self._player(spec, number, self.table.game)
            seated[number] = spec
        return Answer(f"{self.match.players[engines[0]].name} plays now")

    def _save(self, match: "Conducted", argument: str) -> Answer:
        path = writable(argument)
        keep(record_of(self.match), path, self.table.game)
        return Answer(f"saved in {path}")

    def _load(self, match: "Conducted", argument: str) -> Answer:
        path = Path(argument).expanduser()
        record = read(path, None, registry.game)
        if outside(path):
            record.players = list(self.table.specs)  # those who play here go on with it
        game = registry.game(record.game)
        players = [self._player(spec, number, game) for number, spec in enumerate(record.players)]
        Match(game, players, record.start, record.words, record.seed)  # what is wrong with it is found here
        specs = list(record.players)
        self.table = Seating(game, specs, record.seed, record.start, record.words, record.clock, record)
        match.leave()
        return Answer(f"loaded {argument}", done=True)


class _Leave:
    """A listener where no human plays: Ctrl-C during a search plays the best move so far and leaves."""

    match: Any = None

    def __call__(self, event: Event) -> bool:
        report = event.turn.report if event.turn is not None and event.kind == "move" else None
        if report is not None and report.stopped == "interrupted":
            raise KeyboardInterrupt
        return False
