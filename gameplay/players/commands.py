"""The commands that a user can type: names, arguments and requirements."""

import re
from collections.abc import Callable, Sequence

import msgspec

from gameplay.players.player import Choice, MatchControl

PLAYING, OVER = "playing", "over"  # when a command makes sense, if not always

SHORT = {
    "h": "help",
    "?": "help",
    "u": "undo",
    "q": "quit",
    "exit": "quit",
    "what": "why",
    "whatif": "why",
    "analyze": "analyse",
    "back": "undo",
    "takeback": "undo",
    "new": "restart",
}  # other names of commands
# Not in the list of `help`, which fits a small terminal; `settings` lists those that change how things look.
UNLISTED = ("theme", "pieces", "coordinates", "bar", "panel", "clock", "random")
SHARED_LINES = {
    "rules": "moves",
    "redo": "undo",
    "auction": "trick",
    "load": "save",
    "resign": "draw",
}  # shown on another command's help line


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
    when: str = ""  # PLAYING, OVER, or always
    company: bool | None = None  # true: only where others play, false: only for one alone; None: always
    needs: type = object  # the capability of a game without which it is not offered
    drawn: bool = False  # not offered in a game that cannot be drawn


def is_supported(command: Command, match: MatchControl) -> bool:
    """True if the game has what the command needs."""
    return isinstance(match.position, command.needs) and not (command.drawn and match.position.drawless)


def help_line(commands: Sequence[Command]) -> tuple[str, str]:
    """Commands on one line of the help: their names, then their descriptions and aliases."""
    names = [one.name for one in commands]
    short = [word for word, name in SHORT.items() if name in names]
    helped = "; ".join(one.help for one in commands) + (f" ({', '.join(short)})" if short else "")
    return f"{', '.join(names)} {commands[0].argument}".rstrip(), helped


def ended(match: MatchControl) -> bool:
    """True if the game has ended by the rules."""
    return match.over() and match.ask("outcome()", match.position.outcome) is not None


def natural_key(word: str) -> list[tuple[int, int, str]]:
    """A key by which 2 comes before 10, and a2 before a10."""
    return [
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", word) if part
    ]
