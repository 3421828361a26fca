"""The format of assignments for engines that students write: `assignment.toml` in a folder of its own.

    title = "Alpha-beta for tic-tac-toe"
    game = "tictactoe"                # the keys on top hold for every test that says nothing else
    depth = 9                         # depth, nodes, time (s): what limits a search
    forbidden = ["numpy"]             # what may not be imported, beside the library's own searches
    allowed = ["gameplay.search"]     # ... of which these may [none]
    patience = 5                      # seconds of a search that no time limits [10]
    each = 20                         # ... of a test that sets no `seconds` itself [60]
    total = 60                        # ... of all tests of a student [120]
    memory = 256                      # megabytes that the engine gets beside Python [512]

    [laws]                            # the laws of an engine, as `gameplay check` holds them
    positions = 10                    # of random games
    marks = 2

    [[position]]                      # one search
    name = "it wins on the spot"
    moves = ["a1", "a2", "b1", "b2"]  # made from `position`, in the game's notation, or from the usual start
    expect = { move = "c1", nodes_at_most = 200 }
    marks = 1                         # as in a suite of tests; nodes are counted, not taken from the report

    [[match]]                         # games in pairs against any player
    name = "against chance"
    against = "random"
    games = 20                        # openings, seed: as in a plan
    expect = { score = 0.9 }          # at least, 0 to 1; faults, at most [0]
    marks = 3

Files are named relative to the assignment's folder. A student's file may import of gameplay what defines a
game and a report (`gameplay.Report`, `gameplay.value`, ...), and nothing in LIBRARY, which could answer
in its place; `importlib`, `__import__`, `exec` and `eval` would get around that and are forbidden with it.
"""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

from gameplay import evaluation, specs
from gameplay.errors import BadInput
from gameplay.runs.plan import Count, Openings, Seconds
from gameplay.sandbox.confinement import below
from gameplay.search.limit import Limit
from gameplay.store import toml
from gameplay.suites.suite import Depth, Found, Scored

FILE = "assignment.toml"
Marks = Annotated[float, Meta(ge=0, le=1_000_000)]
# What could answer in place of a student's engine.
LIBRARY = tuple(
    f"gameplay.{name}"
    for name in (
        "games.connect4.solver",
        *(
            "engines",
            "search",
            "knowledge",
            "registry",
            "catalogue",
            "adoption",
            "usercode.plugin",
            "sandbox",
        ),
        *("suites", "players", "matches", "runs", "protocols", "lessons", "tracing", "training", "learning"),
        *("store", "cli", "display", "conformance"),
    )
)
LOOPHOLES = ("importlib", "__import__", "exec", "eval")


class Task(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every test has. `game` and the limits, where they are missing, are the assignment's."""

    name: str
    marks: Marks = 1
    seconds: Seconds | None = None
    game: str = ""
    depth: Depth | None = None
    nodes: Count | None = None
    time: Seconds | None = None

    @property
    def limit(self) -> Limit:
        """What the test itself limits a move by, if anything."""
        return Limit(self.depth, self.nodes, self.time)


class SearchTask(Task, frozen=True, kw_only=True):
    """One search of one position."""

    expect: Found
    position: str = ""
    moves: list[str] = []


class MatchTask(Task, frozen=True, kw_only=True):
    """A match of the engine with a player."""

    expect: Scored
    against: str
    games: Annotated[int, Meta(ge=2)] = 20
    seed: int = 1
    openings: Openings = Openings()


class LawsTask(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The laws of an engine, held at positions of random games."""

    positions: Annotated[int, Meta(ge=1, le=1000)] = 10
    marks: Marks = 1
    seconds: Seconds | None = None
    name: str = "the laws of an engine"
    game: str = ""


class Assignment(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """See the head of this file."""

    title: str = ""
    game: str = ""
    depth: Depth | None = None
    nodes: Count | None = None
    time: Seconds | None = None
    forbidden: list[str] = []
    allowed: list[str] = []
    patience: Seconds = 10.0
    each: Seconds = 60.0
    total: Seconds = 120.0
    memory: Annotated[int, Meta(ge=128, le=1 << 20)] = 512
    laws: LawsTask | None = None
    position: list[SearchTask] = []
    match: list[MatchTask] = []

    @property
    def barred(self) -> tuple[str, ...]:
        """All that may not be imported."""
        return (*(name for name in LIBRARY if name not in self.allowed), *self.forbidden)


class Requirement(Struct, frozen=True):
    """A test, and where it stands in the file."""

    kind: str  # file, laws, position, match
    name: str
    marks: float
    line: int = 0
    case: Any = None


def read(folder: Path) -> tuple[Assignment, list[Requirement]]:
    """The assignment in a folder, and its tests with what they leave open filled in.

    Raises BadInput, with file, line and field.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder: an assignment is one with a file {FILE}")
    path = folder / FILE
    assignment, text = toml.read(path, Assignment)
    tests = [Requirement("file", "the file is an engine", 0.0)]
    if assignment.laws is not None:
        case: Any = structs.replace(
            assignment.laws, game=_placed(assignment.laws.game or assignment.game, folder)
        )
        tests.append(Requirement("laws", case.name, case.marks, toml.line(text, ["laws"]), case))
    for kind in ("position", "match"):
        for number, case in enumerate(getattr(assignment, kind)):
            line = toml.line(text, [kind, number])
            tests.append(Requirement(kind, case.name, case.marks, line, _filled(case, assignment, folder)))
    for test in tests[1:]:
        if not test.case.game:
            raise BadInput(f'{path}, line {test.line}: no game; add game = "connect4" here, or on top')
    if len(tests) == 1:
        raise BadInput(f"{path} asks nothing: add [laws], [[position]] or [[match]]")
    return assignment, tests


def _filled(case: Any, assignment: Assignment, folder: Path) -> Any:
    fields: dict[str, Any] = {"game": _placed(case.game or assignment.game, folder)}
    if not case.limit:
        fields |= {"depth": assignment.depth, "nodes": assignment.nodes, "time": assignment.time}
    if isinstance(case, MatchTask):
        fields["against"] = _placed(case.against, folder)
        if case.openings.file:
            file = str((folder / case.openings.file).resolve())
            fields["openings"] = structs.replace(case.openings, file=file)
    return structs.replace(case, **fields)


def _placed(spec: str, folder: Path) -> str:
    spec = specs.placed(spec, folder)
    return spec if specs.is_program(spec) else evaluation.placed_in(spec, folder)


def mistake(source: bytes, forbidden: Sequence[str]) -> str:
    """Why a file cannot be handed in, by its text alone: it is not Python, or imports what it may not."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        where = f"line {error.lineno}" if error.lineno else "it"  # bytes that no text has are on none
        return f"{where} is not Python: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"it is not Python: {error}"
    for line, name in sorted(_imported(tree)):
        if below(name, forbidden):
            return f"line {line} imports {name}, which is forbidden"
        if forbidden and name in LOOPHOLES:
            return f"line {line} uses {name}, which is forbidden where imports are"
    return ""


def _imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """What a file imports or uses, by line: `a.b` for `import a.b`, `from a import b` and the attribute."""
    modules: dict[str, str] = {}  # by the name that each has in the file
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield node.lineno, one.name
                modules[one.asname or one.name.partition(".")[0]] = (
                    one.asname and one.name
                ) or one.name.partition(".")[0]
                if one.name.startswith("importlib."):
                    yield node.lineno, "importlib"
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if module.startswith("importlib"):
                yield node.lineno, "importlib"
            for one in node.names:
                yield node.lineno, f"{module}.{one.name}"
                modules[one.asname or one.name] = f"{module}.{one.name}"
        elif isinstance(node, ast.Name) and node.id in LOOPHOLES:
            yield node.lineno, node.id
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            words, root = [node.attr], node.value
            while isinstance(root, ast.Attribute):
                words.append(root.attr)
                root = root.value
            if isinstance(root, ast.Name) and root.id in modules:
                yield node.lineno, ".".join([modules[root.id], *reversed(words)])
