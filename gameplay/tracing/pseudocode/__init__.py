"""The textbook pseudocode of a search, and the line of it that each step of a trace executes.

The pseudocode of an engine lies beside this file, in NAME.pseudo: a title, then lines
`label condition | code`.
A label names the steps that execute the line. A line with a condition, such as `table!=off`, belongs to the
code only if that option of the engine has, or has not, this value.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay.tracing.trace import TraceStep

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

FOLDER = Path(__file__).parent
NAMES = ("minimax", "alphabeta", "iterative", "expectiminimax", "maxn", "mcts", "idastar", "pns")
PLAIN: dict[str, dict[str, object]] = {  # the options with which an engine is the textbook's
    "expectiminimax": {"prune": "off"},
    "iterative": {"pvs": False, "aspiration": False, "mtdf": False},
}
SPECS = {"iterative": "iterative:pvs=off,aspiration=off"}  # of those that are not so by default
PHASES = ("simulation", "expand", "simulate", "backup", "trim", "threshold")


@dataclass(frozen=True)
class Pseudocode:
    """Lines of code, each with its label or "". No two lines have the same label."""

    title: str
    lines: tuple[str, ...]
    labels: tuple[str, ...]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The line of each label, from 0."""
        return {label: number for number, label in enumerate(self.labels) if label}


def pseudocode(engine: "Engine") -> Pseudocode | None:
    """The pseudocode of an engine; None for an engine that has none, with these options."""
    plain = PLAIN.get(engine.name, {})
    if engine.name not in NAMES or any(vars(engine)[name] != value for name, value in plain.items()):
        return None
    title, *rows = (FOLDER / f"{engine.name}.pseudo").read_text(encoding="utf-8").splitlines()
    found: list[tuple[str, str]] = []
    for row in rows:
        head, _, code = row.partition("| ")
        words = head.split()
        if all(_holds(word, engine) for word in words if "=" in word):
            found.append((words[0] if words and "=" not in words[0] else "", code))
    return Pseudocode(title, tuple(code for _, code in found), tuple(label for label, _ in found))


def _holds(condition: str, engine: "Engine") -> bool:
    """Does an engine satisfy `option=value` or `option!=value`?"""
    name, _, value = condition.partition("=")
    differs = name.endswith("!")
    return (str(vars(engine)[name.rstrip("!")]) == value) != differs


class CodePointer:
    """Called with each step in turn: returns the line that it executes, from 0; None if it executes none."""

    def __init__(self, code: Pseudocode) -> None:
        self.code = code
        self.open: list[str] = []  # of each open node the label at which it returns, if it is known

    def __call__(self, step: TraceStep) -> int | None:
        numbers = self.code.numbers
        return next((numbers[label] for label in self._labels(step) if label in numbers), None)

    def _labels(self, step: TraceStep) -> tuple[str, ...]:
        """The labels of a step, the first that the code has counts."""
        if step.proving:
            return _proving(step)
        what, role = step.what, step.role.lower() if step.role in ("MAX", "MIN", "chance") else "player"
        if what == "enter":
            del self.open[step.level :]
            if self.open:
                self.open[-1] = ""
            self.open.append("leaf")
            return ("enter",) if step.level else ("deepen", "enter")
        if what == "leave":
            ended = self.open[step.level] if step.level < len(self.open) else ""
            del self.open[step.level :]
            if step.name == "stopped":
                return ()
            return (ended,) if ended else (f"{role}.return", "return")
        if what == "evaluate":
            return ("leaf",)
        if what == "cut":
            if step.why != "table":
                return (f"{role}.cut", "cut")
            self.open[-1] = "table.cut"
            return ("table.cut",)
        if what in ("table", "window"):
            return (f"{role}.{what}", what)
        if what == "compare":
            return ("select",)
        if what == "select":
            return (step.why or "select",)
        if what == "generate":
            return ({"goal": "goal", "threshold": "beyond"}.get(step.why, "generate"),)
        if what == "order":
            return (f"{role}.loop", "loop")
        return (what,) if what in PHASES else ()


def _proving(step: TraceStep) -> tuple[str, ...]:
    """The labels of a step of proof-number search."""
    if step.what == "leave":
        return (step.name if step.name in ("proved", "disproved") else step.why,)
    return (step.why.replace(" ", ".") if step.what == "cut" else step.what,)
