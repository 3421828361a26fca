"""Exceptions with their exit statuses. `gameplay.cli` catches them in one place."""

import os
from collections.abc import Iterable

from gameplay.visible import one_line

# Every exit status of every command. `--help` prints this table; nothing else in the code names a number.
STATUS = {
    0: "success; the expectation was met",
    1: "internal error (a report was written; please send it)",
    2: "a wrong option, name or argument",
    3: "a result differs from what was expected",
    4: "unfinished: the input ended, or nothing was decided",
    5: "an engine or a game's code failed (raised, hung, made an illegal move)",
    6: "bad input: a position, a move, a file",
    75: "try again later (disk full, lock held)",
    130: "interrupted by Ctrl-C, after saving",
    141: "the reader of the output went away",
    143: "ended by SIGTERM, after saving",
}


class GameplayError(Exception):
    """One clear line for the user: what was wrong, where, what would be right."""

    status = 1

    def __str__(self) -> str:
        """The message; control characters of the values in it are escaped."""
        return one_line(super().__str__())


class Usage(GameplayError):
    """A wrong option, name or argument."""

    status = 2


class Mismatch(GameplayError):
    """A result differs from what was expected."""

    status = 3


class Unfinished(GameplayError):
    """The input ended before the game did."""

    status = 4


class Fault(GameplayError):
    """An engine or the code of a user-defined game failed.

    `kind` is the kind of a player's fault: start, crash, hang, time_forfeit, illegal_move, protocol_error; it
    is empty if no player is at fault. `seat` is that player's seat, set by the referee; `log` holds
    the last error lines of an external engine.
    """

    status = 5
    kind: str = ""
    seat: int | None = None
    log: tuple[str, ...] = ()

    def __init__(self, message: str, kind: str = "", log: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.log = tuple(log)


class BrokenContract(Fault):
    """A method of a game returned something else than it must; the message does not name the game."""


class EngineFault(Fault):
    """A user-defined engine failed: it loses its game; no other player is affected."""


class BadInput(GameplayError, ValueError):
    """A position, a move or a file that cannot be read."""

    status = 6


class UnreadableFile(BadInput):
    """A file that does not exist or cannot be opened."""


class WrongParameter(Usage, BadInput):
    """A value of a game's parameter that the game refuses: a wrong argument, and a ValueError to callers."""


class Untrusted(BadInput):
    """A data file names programs or Python files, which it must not start or load; `items` lists them."""

    def __init__(self, items: Iterable[str], hint: str = "") -> None:
        import shlex

        self.items = tuple(items)
        trusted = " ".join(map(shlex.quote, self.items))
        super().__init__(
            "the file names a program or Python code, and a data file runs nothing by itself. "
            f"If you trust it: gameplay trust {trusted}{hint}"
        )


class IllegalMove(BadInput):
    """A move that the rules do not allow here, or that is not a move at all."""


class NoMoveMade(Usage, IndexError):
    """`unmake()` of a position where no move was made."""

    def __init__(self) -> None:
        super().__init__("there is no move to take back")


class TryLater(GameplayError):
    """A temporary external condition: a full disk, a held lock."""

    status = 75


class Terminated(SystemExit):
    """Raised on SIGTERM; never attributed to the user code that was running."""


LONGEST_NAME = 60  # characters of a name that is compared with others, or quoted in full


CUTOFF = 0.6  # the least similarity of close words, from 0 to 1, see difflib.SequenceMatcher.ratio


def closest(word: str, choices: Iterable[str], cutoff: float = CUTOFF) -> str:
    """The closest of `choices` to a mistyped word, or "" when none is close.

    None is close to a word of one or two letters, as squares are, or to one longer than any name.
    """
    import difflib

    if not 3 <= len(word) <= LONGEST_NAME:
        return ""
    lower = {choice.lower(): choice for choice in choices}
    close = difflib.get_close_matches(word.lower(), lower, cutoff=cutoff)
    return lower[close[0]] if close else ""


def nearest(word: str, choices: Iterable[str], cutoff: float = CUTOFF) -> str:
    """`; did you mean 'x'?` for the closest of `choices`, or an empty string when none is close."""
    close = closest(word, choices, cutoff)
    return f"; did you mean '{close}'?" if close else ""


def illegal(word: str, legal: Iterable[str], why: str = "") -> IllegalMove:
    """The error for a word that is none of the legal moves: the reason if there is one, else the nearest
    move; then the first of the legal ones."""
    listed = list(legal)
    some = ", ".join(listed[:12]) + (", ..." if len(listed) > 12 else "")
    wrong = f": {why}" if why else nearest(word, listed)
    return IllegalMove(f"'{brief(word)}' is not a legal move here{wrong} (legal: {some})")


MAX_LISTED = 12  # names that an error lists


def unknown_name(kind: str, word: str, choices: Iterable[str], lister: str = "", more: str = "") -> str:
    """The message for an unknown name: the nearest right one, and the list of them if it is short.

    Of more than MAX_LISTED names the nearest alone is suggested; without one, `lister` is the command that
    lists them, else all are listed. `more` lists what else is accepted, if no name is near.
    """
    choices = sorted(choices)
    near = nearest(word, choices)
    many = len(choices) > MAX_LISTED
    where = f" (choose from: {', '.join(choices)})" if choices else " (there are none)"
    if many and (near or lister):
        where = "" if near else f" ({lister} lists them)"
    return f"unknown {kind} '{brief(word)}'{near}{where}" + (f"; {more}" if more and not near else "")


def brief(text: str, most: int = LONGEST_NAME) -> str:
    """Text from outside as a message quotes it: its first `most` characters, and how many it has."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text):,} characters)"


def truncate(text: str, width: int) -> str:
    """Text of at most `width` characters, which ends in "..." if it was cut."""
    return text if len(text) <= width else text[: max(0, width - 3)] + "..."


def describe_exception(error: BaseException) -> str:
    """The exception raised by a game's code, with its line: `KeyError: 3 (sticks.py, line 12)`."""
    from traceback import walk_tb

    text = exception_text(error)
    package = os.path.dirname(__file__)
    own_code = (package + os.sep, "<")
    place = ""
    for frame, line in walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if not file.startswith(own_code) or file.startswith(os.path.join(package, "games")):
            name = os.path.basename(file)
            # `game.py` of a package: the package has the name of the game.
            if name == "game.py" and file.startswith(own_code):
                name = os.path.join(os.path.basename(os.path.dirname(file)), name)
            place = f" ({name}, line {line})"
    return text + place


def exception_text(error: BaseException) -> str:
    """Type and message of an exception, in one line; only the type if its `__str__` fails."""
    try:
        message = str(error)
    except Exception:
        message = ""
    return brief(" ".join(f"{type(error).__name__}: {message}".removesuffix(": ").split()), 500)


def check_range(name: str, value: int, low: int, high: int) -> None:
    """Raise BadInput unless a parameter of a game lies between two bounds."""
    if not low <= value <= high:
        raise BadInput(f"{name} must be from {low} to {high}, not {value}")


def check_players(game: str, players: int, most: int) -> None:
    """Raise BadInput unless as many play as the game is for: two to `most`."""
    if not 2 <= players <= most:
        raise BadInput(f"{game} must have 2 to {most} players, not {players}")
