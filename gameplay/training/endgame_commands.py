"""Input of the endgame trainer: moves, hint, solution, undo, next."""

from collections.abc import Callable

from gameplay.players.commands import Answer, Command
from gameplay.players.interpreter import Interpreter
from gameplay.players.player import MatchControl

SHARED = ("help", "moves", "rules", "show")  # words that mean the same as in a game
ALIASES = {"n": "next", "skip": "next", "restart": "again", "solve": "solution"}  # other names of commands


class EndgameInterpreter(Interpreter):
    """Reads moves and the trainer's commands, executed by `act`. `done`: the position is finished."""

    def __init__(self, actions: dict[str, Callable[[MatchControl], Answer]]) -> None:
        super().__init__()
        self.done = False
        helps = {
            "undo": "take back your last move and the reply",
            "hint": "how many moves are good; again: which piece",
            "solution": "the best line; the position counts as missed",
            "again": "this position from its start",
            "next": "the next position; an unsolved one counts as missed",
            "quit": "leave; what is solved is kept",
        }
        trainer_commands = (
            Command(name, "", helps[name], _without_argument(act)) for name, act in actions.items()
        )
        shared = (self.table[name] for name in SHARED)
        self.table = {command.name: command for command in (*shared, *trainer_commands)}

    @property
    def escape_command(self) -> str:  # type: ignore[override]
        """The command of Escape."""
        return "next" if self.done else "quit"

    def execute(self, line: str, match: MatchControl) -> Answer:
        """As in `Interpreter`; a finished position accepts no move."""
        if self.done and self.move(line, match):
            return Answer(self.invitation(match))
        return super().execute(line, match)

    def estimated_seconds(self, line: str, match: MatchControl) -> float:
        """0: the answers of tables and solvers take negligible time."""
        return 0.0

    def invitation(self, match: MatchControl) -> str:
        """A one-line prompt with the available input."""
        if self.done or match.over():
            return "type next (or Esc), again, solution or quit"
        return super().invitation(match).replace(" or help", ", hint, solution, next or help")

    def _command(self, name: str, match: MatchControl) -> Command | None:
        command = super()._command(name, match)
        return command or super()._command(ALIASES.get(name.lower(), name), match)


def _without_argument(act: Callable[[MatchControl], Answer]) -> Callable[[MatchControl, str], Answer]:
    """A command without an argument."""
    return lambda match, _: act(match)
