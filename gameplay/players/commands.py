"""The commands that a user can type: names, arguments and requirements."""

import re
from collections.abc import Callable, Sequence

import msgspec

from gameplay.players.player import Choice, MatchControl

PLAYING, OVER = "playing", "over"  # the phase in which a command is available

# Synonyms of commands.
SHORT = {
    "h": "help",
    "?": "help",
    "u": "undo",
    "q": "quit",
    "exit": "quit",
    "explain": "why",
    "what": "why",
    "whatif": "why",
    "analyze": "analyse",
    "back": "undo",
    "takeback": "undo",
    "new": "restart",
}
# Omitted by `help`, whose list fits a small terminal; `settings` lists those that change the display.
UNLISTED = ("theme", "pieces", "coordinates", "bar", "panel", "clock", "random")
# Commands shown on another command's help line.
SHARED_LINES = {"rules": "moves", "redo": "undo", "auction": "trick", "load": "save", "resign": "draw"}


class Answer(msgspec.Struct, frozen=True):
    """The result of a command: text for the user, a move, or `done` if the match has changed."""

    text: str = ""
    choice: Choice | None = None
    done: bool = False


class Command(msgspec.Struct, frozen=True):
    """A command: its name and argument, its action on a match, and when it is available."""

    name: str
    argument: str
    help: str
    act: Callable[[MatchControl, str], Answer]
    phase: str = ""  # PLAYING or OVER; "": always available
    multiplayer: bool | None = None  # true: only with opponents; false: only in puzzles; None: in both
    required: type = object  # the capability that the game must have
    needs_draws: bool = False  # only in games that can be drawn


def is_supported(command: Command, match: MatchControl) -> bool:
    """True if the game has the capability that the command requires."""
    position = match.position
    return isinstance(position, command.required) and not (command.needs_draws and position.drawless)


def unavailability(command: Command, argument: str, match: MatchControl) -> str:
    """Why the command cannot be executed with this argument now; "" if it can."""
    name, game = command.name, match.game.name
    if command.needs_draws and match.position.drawless:
        return f"no game of {game} ends in a draw; resign gives up"
    if not is_supported(command, match):
        return f"'{name}' is not for {game}"
    if command.multiplayer is (match.position.players == 1):
        return f"'{name}' is {'for games against others' if command.multiplayer else 'for puzzles'}"
    if command.phase == PLAYING and match.over():
        return f"the game is over; '{name}' requires a game in progress; undo takes back a move"
    if command.phase == OVER and not match.over():
        return f"'{name}' requires a game that is over; this one is in progress"
    if argument and not command.argument:
        return f"'{name}' stands alone; type just {name}"
    if not argument and command.argument and not command.argument.startswith("["):
        return f"{name} what? type {name} {command.argument}"
    return ""


def help_line(commands: Sequence[Command]) -> tuple[str, str]:
    """Commands on one line of the help: their names, then their descriptions and aliases."""
    names = [command.name for command in commands]
    aliases = [word for word, name in SHORT.items() if name in names]
    descriptions = "; ".join(command.help for command in commands)
    if aliases:
        descriptions += f" ({', '.join(aliases)})"
    return f"{', '.join(names)} {commands[0].argument}".rstrip(), descriptions


def is_over(match: MatchControl) -> bool:
    """True if the game has ended by the rules."""
    return match.over() and match.call_game("outcome()", match.position.outcome) is not None


def natural_key(word: str) -> list[tuple[int, int, str]]:
    """A sort key that orders 2 before 10, and a2 before a10."""
    return [
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", word) if part
    ]
