"""Answers to quiz questions: parses a typed answer and compares it with the right one."""

import re
from dataclasses import dataclass
from typing import Any

from gameplay.errors import BadInput, nearest
from gameplay.tracing.trace import format_traced

# Forms of answers: a number, a window, a vector, windows of several nodes, one name, several names.
NUMBER, WINDOW, VECTOR, WINDOWS, ONE, ALL = "number", "window", "vector", "windows", "one", "all"
NUMBERS = (NUMBER, WINDOW, VECTOR, WINDOWS)
TOLERANCE = 0.005  # of numbers: a mean may be rounded to two decimals


@dataclass(frozen=True)
class RightAnswer:
    """The right answer. `names`: the valid names, for answers that consist of names; the nodes of windows."""

    form: str
    right: tuple[Any, ...]  # numbers (of a window alpha and beta), or the right names
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.form == WINDOW:
            return _window(*self.right)
        if self.form == NUMBER:
            return f"{self.right[0]:g}"
        if self.form == VECTOR:
            return f"({', '.join(f'{number:g}' for number in self.right)})"
        if self.form == WINDOWS:
            ends = list(zip(self.names, self.right[::2], self.right[1::2], strict=True))
            return ", ".join(f"{name} {_window(low, high)}" for name, low, high in ends)
        return ", ".join(self.right) or "none"

    @property
    def hint(self) -> str:
        """An example of an answer."""
        return {
            NUMBER: "a number",
            WINDOW: "two numbers, or -inf and inf, as in -inf 3",
            VECTOR: f"{len(self.right)} numbers, as in {' '.join('123456'[: len(self.right)])}",
            WINDOWS: f"alpha and beta of {', '.join(self.names)}, as in -inf 3, 2 inf",
            ONE: "one of them",
            ALL: "all of them, separated by commas, or none",
        }[self.form]

    @property
    def marks(self) -> int:
        """Marks on a worksheet: 2 for a window, a vector or names, 1 for each of several windows, else 1."""
        return {ALL: 2, WINDOW: 2, VECTOR: 2, WINDOWS: len(self.names)}.get(self.form, 1)

    def grade(self, text: str) -> bool:
        """True if the text is the right answer. Raises BadInput if it is not an answer."""
        if self.form in NUMBERS:
            numbers = tuple(_number(word) for word in re.split(r"[\s,;\[\]()]+", text) if word)
            if len(numbers) != len(self.right):
                raise BadInput(f"'{text.strip()}' is not an answer; expected {self.hint}")
            both = zip(numbers, self.right, strict=True)
            return all(answer == right or abs(answer - right) < TOLERANCE for answer, right in both)
        named = self._parse_names(text)
        if self.form == ONE and len(named) != 1:
            raise BadInput(f"'{text.strip()}' is not an answer; expected {self.hint}")
        return named == set(self.right)

    def _parse_names(self, text: str) -> set[str]:
        """The names in a text, separated by commas, or by blanks if no name contains one."""
        by_name = {" ".join(name.lower().split()): name for name in self.names}
        if text.strip().lower() in ("none", "-"):
            return set()
        named = set()
        for part in filter(None, (" ".join(part.lower().split()) for part in re.split("[,;]", text))):
            for word in [part] if part in by_name else part.split():
                if word not in by_name:
                    listed = ", ".join(self.names[:12]) + (", ..." if len(self.names) > 12 else "")
                    listed += "; or none" if self.form == ALL else ""
                    raise BadInput(f"unknown name '{word}'{nearest(word, by_name)} (names: {listed})")
                named.add(by_name[word])
        return named


def _window(low: float, high: float) -> str:
    return f"[{format_traced(low)}, {format_traced(high)}]"


def _number(word: str) -> float:
    """Parse a number. Raises BadInput."""
    plain = word.lower().replace("−", "-").replace("∞", "inf").removesuffix("inity")
    try:
        return float(plain)
    except ValueError:
        raise BadInput(f"'{word}' is not a number. Try: 3, -2 or -inf") from None
