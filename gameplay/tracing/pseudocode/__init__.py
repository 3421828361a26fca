"""The textbook pseudocode of a search, and the line of it that each step of a trace executes.

The pseudocode of an engine is stored in NAME.pseudo, NAME being a key of `PLAIN`: a title, then lines
`label condition | code`.
A label names the steps that execute the line. A line with a condition, such as `table!=off`, is included only
if that option of the engine has, or has not, this value.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay.tracing.trace import TraceStep

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

FOLDER = Path(__file__).parent
PLAIN: dict[str, dict[str, object]] = {  # by file: the options that make its engine the textbook algorithm
    "minimax": {},
    "alphabeta": {},
    "iterative": {"pvs": False, "aspiration": False, "mtdf": False},
    "expectiminimax": {"prune": "off"},
    "star1": {"prune": "star1"},
    "star2": {"prune": "star2"},
    "maxn": {},
    "mcts": {},
    "idastar": {},
    "pns": {},
}
SPECS = {  # specs of the engines that need other options than their defaults
    "iterative": "iterative:pvs=off,aspiration=off",
    "star1": "expectiminimax:prune=star1",
    "star2": "expectiminimax:prune=star2",
}
PHASES = ("simulation", "expand", "simulate", "backup", "trim", "threshold")


@dataclass(frozen=True)
class Pseudocode:
    """Lines of code, each with its label or "". Labels are unique."""

    title: str
    lines: tuple[str, ...]
    labels: tuple[str, ...]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The line number of each label, from 0."""
        return {label: number for number, label in enumerate(self.labels) if label}


def pseudocode(engine: "Engine") -> Pseudocode | None:
    """The pseudocode of an engine with its options; None if there is none."""
    file = next((file for file in PLAIN if _is_plain(engine, file)), None)
    if file is None:
        return None
    title, *rows = (FOLDER / f"{file}.pseudo").read_text(encoding="utf-8").splitlines()
    blocks: list[tuple[str, str]] = []
    for row in rows:
        head, _, code = row.partition("| ")
        words = head.split()
        if all(_holds(word, engine) for word in words if "=" in word):
            blocks.append((words[0] if words and "=" not in words[0] else "", code))
    return Pseudocode(title, tuple(code for _, code in blocks), tuple(label for label, _ in blocks))


def _is_plain(engine: "Engine", file: str) -> bool:
    """True if the pseudocode in a file applies to an engine with its options."""
    name = SPECS.get(file, file).partition(":")[0]
    return engine.name == name and all(vars(engine)[option] == value for option, value in PLAIN[file].items())


def _holds(condition: str, engine: "Engine") -> bool:
    """True if an engine satisfies `option=value` or `option!=value`."""
    name, _, value = condition.partition("=")
    differs = name.endswith("!")
    return (str(vars(engine)[name.rstrip("!")]) == value) != differs


class _Call:
    """An open node. `role`: max, min, chance or player."""

    def __init__(self, role: str, probe: bool = False, probes: bool = False) -> None:
        self.role = role
        self.probe = probe  # it is a probe of Star2
        self.probes = probes  # it probes each outcome before searching it
        self.tried: set[str] = set()  # outcomes entered
        self.ended = "leaf"  # the label at which it currently would return; "": after its moves


class CodePointer:
    """Called with each step in order: returns the number of the line that it executes, from 0, or None."""

    def __init__(self, code: Pseudocode) -> None:
        self.code = code
        self.open: list[_Call] = []
        self.widest = (0.0, 0.0)  # the root's window: L and U of Star2

    def __call__(self, step: TraceStep) -> int | None:
        numbers = self.code.numbers
        return next((numbers[label] for label in self._labels(step) if label in numbers), None)

    def _labels(self, step: TraceStep) -> tuple[str, ...]:
        """Candidate labels of a step; the first one in the code is used."""
        if step.proving:
            return _proving(step)
        what = step.what
        if what == "enter":
            return self._enter(step)
        call = self.open[step.level] if step.level < len(self.open) else _Call("player")
        if what == "leave":
            del self.open[step.level :]
            if step.name == "stopped":
                return ()
            if call.ended:
                return (f"probe.{call.ended}" if call.probe else call.ended, call.ended)
            return (f"{call.role}.return", "return")
        if call.probe:
            if what == "cut":
                call.ended = "probed"
            own = {"cut": "probed", "window": f"probe.{call.role}", "evaluate": "probe.leaf"}
            return (own.get(what, f"probe.{what}"),)
        if what == "cut":
            return self._cut(step, call)
        return _labels(step, call.role)

    def _enter(self, step: TraceStep) -> tuple[str, ...]:
        """A call begins: a probe where Star2 enters an outcome for the first time in a narrower window."""
        window, probe = (step.alpha, step.beta), False
        del self.open[step.level :]
        if self.open:
            above = self.open[-1]
            above.ended = ""
            probe = above.probes and step.word not in above.tried
            above.tried.add(step.word)
        else:
            self.widest = window
        probes = step.role == "chance" and not probe and window != self.widest
        self.open.append(_Call(_role(step), probe, probes and "probe" in self.code.numbers))
        if probe:
            return ("probe",)
        return ("enter",) if step.level else ("deepen", "enter")

    def _cut(self, step: TraceStep, call: _Call) -> tuple[str, ...]:
        """A call ends, after its moves or by a cutoff, in which case it returns at the same line."""
        own = {"table": "table.cut", "nothing to gain": "nothing"}
        own |= {"max threshold": "above", "min threshold": "below"}
        label = own.get(step.why, step.why.replace(" ", "."))
        if label in self.code.numbers:
            call.ended = label
            return (label,)
        return (f"{call.role}.cut", "cut")


def _role(step: TraceStep) -> str:
    return step.role.lower() if step.role in ("MAX", "MIN", "chance") else "player"


def _labels(step: TraceStep, role: str) -> tuple[str, ...]:
    """The labels of a step that neither begins nor ends a node."""
    what = step.what
    if what == "evaluate":
        return ("leaf",)
    if what in ("table", "window"):
        return (f"{role}.{what}", what)
    if what == "compare":
        return ("select",)
    if what == "select":
        return (step.why or "select",)
    if what == "skip":
        return (step.why,)
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
