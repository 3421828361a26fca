"""Values of options: one parser, and one form of error, for games, engines, limits, levels and settings.

A `Kind` describes the values of an option and reads one as typed:

    ON_OFF             on or off; also yes, no, true, false, 1, 0
    Whole(0, 100)      a whole number within a range, either end of which may be open (None)
    Number(0, 1)       a number within a range; with `words`, such as auto, kept as typed
    MemorySize("1MB", ...)   memory such as 64MB, kept as typed; `bytes_of` converts it to bytes
    OneOf(words)      one of some words, in upper or lower case
    Sum(words)         one or several of them, joined by +
    TEXT               any text

`read_option` reads a value as typed, `check_option` accepts one from Python code.
Both raise Usage for a wrong one:

    alphabeta: fail must be soft or hard, not 'sof'. Try: fail=soft
"""

import math
import re
from collections.abc import Iterable
from typing import Any

from gameplay.errors import Usage, brief, closest

ON, OFF = ("on", "yes", "true", "1"), ("off", "no", "false", "0")
UNITS = {"k": 2**10, "m": 2**20, "g": 2**30}


class Kind:
    """Any text. Subclasses restrict it."""

    expected = "a text"

    def read(self, text: str) -> Any:
        """The value that `text` stands for. Raises ValueError for none."""
        return text

    def suggestion(self, text: str) -> str:
        """A valid value close to the wrong one; "" where none is."""
        return ""


TEXT = Kind()


class OnOff(Kind):
    """A flag."""

    expected = "on or off"

    def read(self, text: str) -> bool:
        if text.lower() not in (*ON, *OFF):
            raise ValueError
        return text.lower() in ON

    def suggestion(self, text: str) -> str:
        return "on"


ON_OFF = OnOff()


class Number(Kind):
    """A finite number from `minimum` to `maximum`, or above `minimum` where that is `open`.

    With `words`, such as auto, a value is kept as typed, since it may be a word.
    """

    noun = "a number"

    def __init__(
        self,
        minimum: float | None = None,
        maximum: float | None = None,
        *,
        open: bool = False,
        unit: str = "",
        words: Iterable[str] = (),
    ) -> None:
        self.minimum, self.maximum, self.open, self.words = minimum, maximum, open, tuple(words)
        noun = self.noun + (f" of {unit}" if unit else "")
        range_ = ""
        if minimum is not None and open:
            range_ = f" over {_figure(minimum)}" + (
                f", up to {_figure(maximum)}" if maximum is not None else ""
            )
        elif minimum is not None:
            range_ = f" from {_figure(minimum)}" + (
                f" to {_figure(maximum)}" if maximum is not None else " up"
            )
        self.expected = either([noun + range_, *self.words])

    def number(self, text: str) -> float:
        """`text` as a number, in or out of range. Raises ValueError."""
        number = float(text)
        if not math.isfinite(number):
            raise ValueError
        return number

    def read(self, text: str) -> Any:
        if text.lower() in self.words:
            return text.lower()
        number = self.number(text)
        low = self.minimum is not None and (number <= self.minimum if self.open else number < self.minimum)
        if low or (self.maximum is not None and number > self.maximum):
            raise ValueError
        return text if self.words else number

    def suggestion(self, text: str) -> str:
        try:
            number = self.number(text)
        except ValueError:
            return ""
        if self.maximum is not None and number > self.maximum:
            return str(self.maximum)
        return "" if self.open or self.minimum is None else str(self.minimum)


class Whole(Number):
    """A whole number from `minimum` to `maximum`."""

    noun = "a whole number"

    def number(self, text: str) -> int:
        return int(text)


class MemorySize(Kind):
    """Memory from `minimum` to `maximum`, or with `off` none; kept as typed."""

    def __init__(self, minimum: str, maximum: str, *, off: bool = False) -> None:
        self.minimum, self.maximum, self.off = minimum, maximum, off
        self.expected = f"a size from {minimum} to {maximum}, such as 512MB" + ", or off" * off

    def read(self, text: str) -> str:
        bytes_ = bytes_of(text)
        if not (self.off if bytes_ == 0 else bytes_of(self.minimum) <= bytes_ <= bytes_of(self.maximum)):
            raise ValueError
        return text

    def suggestion(self, text: str) -> str:
        try:
            bytes_ = bytes_of(text)
        except ValueError:
            return ""
        return self.maximum if bytes_ > bytes_of(self.maximum) else self.minimum


def bytes_of(text: str) -> int:
    """Memory such as 64MB in bytes; 0 for off. Raises ValueError."""
    if text.lower() in (*OFF, "none"):
        return 0
    match = re.fullmatch(r"(\d+)\s*([kmg])i?b?", text.lower())
    if match is None:
        raise ValueError
    return int(match[1]) * UNITS[match[2]]


class OneOf(Kind):
    """One of some words."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)
        self.expected = either(self.words)

    def read(self, text: str) -> str:
        return {word.lower(): word for word in self.words}[text.lower()]

    def suggestion(self, text: str) -> str:
        return closest(text, self.words)


class Sum(OneOf):
    """One or several of some words, joined by +."""

    def __init__(self, words: Iterable[str]) -> None:
        super().__init__(words)
        self.expected = f"{either(self.words)}, or several joined by +"

    def read(self, text: str) -> str:
        return "+".join([super(Sum, self).read(part.strip()) for part in text.split("+")])


def kind_of(default: Any) -> Kind:
    """The kind of an option that is known by its default alone."""
    kinds = {bool: ON_OFF, int: Whole(), float: Number()}
    return kinds.get(type(default), TEXT)


def format_option(value: Any) -> str:
    """A value as typed."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


def read_option(owner: str, name: str, text: str, kind: Kind, default: Any = "") -> Any:
    """The value of an option as typed. Raises Usage, which names the owner: an engine, a game, a player.

    The error suggests the default where no valid value is close to the wrong one.
    """
    try:
        return kind.read(text.strip())
    except (ValueError, KeyError):
        example = kind.suggestion(text.strip()) or format_option(default)
        raise refusal(owner, name, text, kind.expected, example) from None


def check_option(owner: str, name: str, value: Any, kind: Kind, default: Any = "") -> Any:
    """A value from Python code as it is kept. Raises Usage as `read_option`."""
    if isinstance(value, str):
        return read_option(owner, name, value, kind, default)
    if kind is TEXT:
        return value
    try:
        return kind.read(format_option(value))
    except (ValueError, KeyError):
        example = kind.suggestion(format_option(value)) or format_option(default)
        raise refusal(owner, name, value, kind.expected, example) from None


def refusal(owner: str, name: str, value: Any, expected: str, example: str = "") -> Usage:
    """The error for a wrong value of an option."""
    where = f"{owner}: " if owner else ""
    quoted = f"'{brief(value)}'" if isinstance(value, str) else brief(repr(value).partition("\n")[0])
    hint = f". Try: {name}={example}" if example else ""
    return Usage(f"{where}{name} must be {expected}, not {quoted}{hint}")


def either(words: Iterable[str]) -> str:
    """`a, b or c`."""
    *others, last = words or ["none"]
    return f"{', '.join(others)} or {last}" if others else last


def _figure(number: float) -> str:
    return f"{int(number):,}" if number == int(number) else f"{number:g}"
