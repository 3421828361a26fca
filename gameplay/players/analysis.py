"""Analysis mode: continuous search of the position on the board, several lines at once.

Moves are tried on a separate match, so the original game does not change. The search runs in the background
until the position changes (`ponder.BackgroundSearch`). In a game of imperfect information it searches the
user's view, and no moves can be tried before the game is over.
"""

from collections.abc import Iterable

from msgspec import structs

from gameplay import registry
from gameplay.errors import GameplayError, Usage, describe_exception
from gameplay.players import seats
from gameplay.players.commands import SHORT, Answer, Command
from gameplay.players.engine import EnginePlayer
from gameplay.players.interpreter import Interpreter
from gameplay.players.judge import puzzle_options
from gameplay.players.player import MatchControl, MatchView, Player
from gameplay.players.ponder import BackgroundSearch
from gameplay.position import CHANCE
from gameplay.registry import Game
from gameplay.search.limit import MAX_LIMIT, Limit
from gameplay.search.report import Report
from gameplay.specs import is_program

LINES = 3  # default number of lines
KEYS = "< > step; Esc: back to the game"
STEPS = ("undo", "u", "redo")
NO_MOVES = "moves of an imperfect-information game can be tried once it is over"
SHARED = ("help", "moves", "redo", "show", "undo")  # words that mean the same as in a game


class Analysis:
    """Searches the position of a match by the engine `spec` ("": the game's default engine).

    `lines`: number of lines to report; 0: that of `spec`, or LINES. Raises Usage for an engine that does not
    search or cannot play the game.
    """

    def __init__(self, game: Game, spec: str = "", lines: int = 0) -> None:
        position = game.new()
        if not spec:
            spec = str(registry.default_engine(position)(**puzzle_options(position)))
        player = self._player(spec, game)
        if type(player) is not EnginePlayer or not player.engine.thinks:
            raise Usage(f"{spec} does not search: name an engine that does, as in analyse 3 alphabeta")
        assert player.limit is not None
        self.player = player
        self.lines = lines or (player.limit.multipv if player.limit.multipv > 1 else LINES)
        limit = player.limit if player.limit else Limit(seconds=MAX_LIMIT)
        self.limit = limit.with_(multipv=self.lines)
        self.search: BackgroundSearch | None = None
        self.moves: tuple[int, ...] = ()  # the moves that lead to the searched position
        player.session.begin()
        player.session.knowledge = tuple(player.knowledge.values())

    def _player(self, spec: str, game: Game) -> Player:
        """The player that searches: an engine, or an external analysis program. Raises Usage, BadInput."""
        if not is_program(spec):
            return seats.player(spec, game)
        engine, limit = seats.analysis_engine(spec)
        engine.check(game.new())
        return EnginePlayer(engine, limit)

    def follow(self, match: MatchView) -> bool:
        """Search the current position; true if it has changed since the last call."""
        moves = tuple(turn.move for turn in match.turns)
        if self.search is not None and moves == self.moves:
            return False
        self.end()
        self.moves = moves
        if not match.over() and match.position.turn != CHANCE:
            self.search = BackgroundSearch(self.player.session, self.limit, match.replica(), ())
        return True

    def wait(self, seconds: float) -> None:
        """Wait until the search has ended, at most `seconds`."""
        if self.search is not None:
            self.search.done.wait(seconds)

    def report(self) -> Report | None:
        """The latest report."""
        return None if self.search is None else self.search.result or self.search.latest

    def state(self) -> str:
        """The engine and whether it still searches, in one line."""
        failure = None if self.search is None else self.search.failure
        if failure is not None:
            reason = failure if isinstance(failure, GameplayError) else describe_exception(failure)
            return f"{self.player.name}: {reason}"
        return self.player.name

    def end(self) -> None:
        """Stop the search."""
        if self.search is not None:
            self.search.end()
        self.search = None


class Analyst(Interpreter):
    """Reads input in analysis mode: moves, steps, another engine, the return to the game."""

    escape_command = "play on"

    def __init__(
        self,
        analysis: Analysis,
        more: tuple[Command, ...] = (),
        read_only: bool = False,
        game_commands: Iterable[str] = (),
    ) -> None:
        """`read_only`: no moves can be tried since their consequences are hidden; `more`: extra commands.

        `game_commands`: names of the commands of the game, which has more than an interpreter alone.
        """
        super().__init__()
        self.analysis = analysis
        self.read_only = read_only
        self.is_finished = False
        shared = [
            _by_one_move(command) if name in ("undo", "redo") else command
            for name, command in self.table.items()
            if name in SHARED
        ]
        own_commands = (
            Command("analyse", "[N]", "N lines; or name an engine", self._analyse),
            Command("play", "[on]", "back to the game (Esc, quit)", self._leave),
        )
        table = {command.name: command for command in (*shared, *more, *own_commands)}
        self.game_only = {*self.table, *game_commands} - {*table, "quit"}
        self.table = table

    def execute(self, line: str, match: MatchControl) -> Answer:
        """As in `Interpreter`; a move that cannot be tried is not a move here."""
        word = line.strip().lower().lstrip(":/").partition(" ")[0]
        if self.read_only and (word in STEPS or self.move(line, match)):
            return Answer(NO_MOVES)
        if SHORT.get(word, word) in self.game_only and not self.move(line, match):
            return Answer(f"'{word}' is a command of the game, not of its analysis. Try: play on (or Esc)")
        return super().execute(line, match)

    def meaning(self, line: str, match: MatchControl) -> tuple[bool, str]:
        """While typing: whether `line` can be the start of valid input, and what it would do."""
        valid, text = super().meaning(line, match)
        word = line.strip().lower().lstrip(":/").partition(" ")[0]
        if SHORT.get(word, word) in self.game_only and not self.move(line, match):
            return False, "a command of the game, not of its analysis. Try: play on (or Esc)"
        if self.read_only and self.move(line, match):
            return False, NO_MOVES
        return valid, text.replace("Enter plays", "Enter tries")

    def invitation(self, match: MatchControl) -> str:
        """A one-line prompt with the available input."""
        if self.read_only:
            return "as you may see it; analyse N: other lines; Esc: back to the game"
        if match.over():
            return f"the game would be over; {KEYS}"
        if self.promotions(match) or self.selected(match):
            return super().invitation(match)
        if match.position.turn == CHANCE:
            text = super().invitation(match).replace("type a move", "chance moves: type what comes")
            return f"{text}; {KEYS}"
        return f"try a move; {KEYS}"

    def _command(self, name: str, match: MatchControl) -> Command | None:
        return super()._command("play" if name.lower() in ("quit", "q", "exit") else name, match)

    def _analyse(self, match: MatchControl, argument: str) -> Answer:
        if not argument:
            return Answer()  # the search goes on
        lines, spec = parse_analyse(argument)
        previous = self.analysis
        self.analysis = Analysis(match.game, spec or previous.player.spec, lines or previous.lines)
        previous.end()
        return Answer()

    def _leave(self, match: MatchControl, argument: str) -> Answer:
        self.is_finished = True
        return Answer(done=True)


def _by_one_move(command: Command) -> Command:
    """The command undo or redo; by one move if no number is given, and without a reply."""

    def act(match: MatchControl, argument: str) -> Answer:
        answer = command.act(match, argument or "1")
        return Answer(done=True) if answer.done else answer

    return structs.replace(command, act=act)


def parse_analyse(argument: str) -> tuple[int, str]:
    """The number of lines and the engine in `5 minimax`; 0 and "" where they are missing.

    Raises Usage for an invalid number.
    """
    first, _, rest = argument.partition(" ")
    if not first.removeprefix("-").isdecimal():
        return 0, argument
    if int(first) < 1:
        raise Usage(f"the number of lines must be 1 or more, not {first}")
    return int(first), rest.strip()
