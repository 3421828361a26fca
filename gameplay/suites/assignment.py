"""The format of assignments for student engines: `assignment.toml` in a folder.

    title = "Alpha-beta for tic-tac-toe"
    game = "tictactoe"                # top-level keys are defaults for all tests
    depth = 9                         # depth, nodes, time (s): what limits a search
    forbidden = ["numpy"]             # forbidden imports, in addition to the library's searches
    allowed = ["gameplay.search"]     # ... except these [none]
    patience = 5                      # seconds of a search without a time limit [10]
    each = 20                         # ... of a test without `seconds` [60]
    total = 60                        # ... of all tests of a student [120]
    memory = 256                      # megabytes for the engine in addition to Python [512]

    [laws]                            # the laws of an engine, as in `gameplay check`
    positions = 10                    # of random games
    marks = 2

    [[random]]                        # random trees and positions, compared with a textbook algorithm
    name = "values and moves of random trees"
    reference = "minimax"             # or alphabeta, quiescence, expectiminimax, maxn; may be top-level
    trees = ["points", "ties"]        # kinds, in turn (samples.TREES), or games with a seed [all that apply]
    count = 20                        # trees
    positions = 10                    # ... and of random games of `game` [0]
    seed = 1                          # selects trees and positions
    compare = ["value", "move", "visits"]   # the value, that the move is one of the best, the nodes visited
    visits_at_most = 0.8              # nodes visited in all trees, as a share of alpha-beta's
    gap = 2                           # only if the best move is better than all others by this much
    right = 0.9                       # share of answers that must be correct [1]

    [[position]]                      # one search
    name = "it wins on the spot"
    moves = ["a1", "a2", "b1", "b2"]  # from `position`, in the game's notation, or the standard start
    expect = { move = "c1", nodes_at_most = 200 }
    marks = 1                         # as in a regression suite; nodes are counted, not taken from the report

    [[match]]                         # games in pairs against any player
    name = "against chance"
    against = "random"
    games = 20                        # openings, seed: as in a plan
    expect = { score = 0.9 }          # at least, 0 to 1; faults, at most [0]
    marks = 3

Further top-level keys: `evaluation = false` removes the game's static evaluation, for assignments in which
the student writes it; `template` is the text of a file to begin with. An assignment is a folder with this
file, a file in this format with another name, or the name of an included one (INSTALLED).

Files are named relative to the assignment's folder. A student's file may import the parts of gameplay that
define games and reports (`gameplay.Report`, `gameplay.value`, ...), but nothing in LIBRARY, which could solve
the task; `importlib`, `__import__`, `exec` and `eval` would bypass this and are forbidden too.
"""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct, field, structs

from gameplay import evaluation, specs
from gameplay.errors import BadInput, Usage, unknown_name
from gameplay.runs.plan import Count, Openings, Seconds
from gameplay.sandbox.confinement import containing_module
from gameplay.store import toml
from gameplay.suites.suite import Depth, Found, NamedTest, Ratio, Scored, Share

FILE = "assignment.toml"
INSTALLED = Path(__file__).parent / "assignments"  # NAME.toml
Reference = Literal["minimax", "alphabeta", "quiescence", "expectiminimax", "maxn"]
Compared = Literal["value", "move", "visits"]
Marks = Annotated[float, Meta(ge=0, le=1_000_000)]
# Modules that could solve the task of a student's engine.
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


class Task(NamedTest, frozen=True, kw_only=True):
    """A test of an assignment."""

    marks: Annotated[Marks, Meta(description="Marks for passing it")] = 1
    seconds: Annotated[Seconds | None, Meta(description="Time limit of the test, in seconds")] = None


class SearchTask(Task, frozen=True, kw_only=True):
    """One search of one position."""

    expect: Annotated[Found, Meta(description="What is expected of the search")]
    position: Annotated[str, Meta(description="The start, in the game's notation")] = ""
    moves: Annotated[list[str], Meta(description="Moves made from the start")] = []


class RandomTask(Task, frozen=True, kw_only=True):
    """Searches of random trees and positions, compared with a textbook algorithm."""

    reference: Annotated[Reference | None, Meta(description="The algorithm whose answers are right")] = None
    trees: Annotated[
        list[str],
        Meta(
            description="Kinds of trees, in turn: points, ties, single, again, wins, halves, chance, "
            "players, guesses; or games with a seed. Without: those that the reference plays"
        ),
    ] = []
    count: Annotated[int, Meta(ge=0, le=500, description="How many trees")] = 20
    positions: Annotated[int, Meta(ge=0, le=200, description="How many positions of random games")] = 0
    seed: Annotated[int, Meta(description="Another seed draws other trees and positions")] = 1
    compare: Annotated[
        list[Compared],
        Meta(
            min_length=1,
            description="value: equal to the reference's; move: one of the best; visits: the nodes that "
            "alpha-beta visits, and no others",
        ),
    ] = field(default_factory=lambda: ["value", "move"])
    visits_at_most: Annotated[
        Ratio | None, Meta(description="Nodes visited in all trees, as a share of alpha-beta's")
    ] = None
    gap: Annotated[
        float, Meta(ge=0, description="Only where the best move is better than every other by so much")
    ] = 0
    right: Annotated[Share, Meta(description="Share of the searches that must be right")] = 1.0


class MatchTask(Task, frozen=True, kw_only=True):
    """A match of the engine with a player."""

    expect: Annotated[Scored, Meta(description="What is expected of the match")]
    against: Annotated[str, Meta(description="The other player")]
    games: Annotated[int, Meta(ge=2, description="How many games")] = 20
    seed: Annotated[int, Meta(description="Of the openings and the other player")] = 1
    openings: Annotated[Openings, Meta(description="Where games begin, as in a plan")] = Openings()


class LawsTask(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The laws of an engine, checked at positions of random games."""

    positions: Annotated[int, Meta(ge=1, le=1000, description="How many positions")] = 10
    marks: Annotated[Marks, Meta(description="Marks for passing the test")] = 1
    seconds: Annotated[Seconds | None, Meta(description="Time limit of the test, in seconds")] = None
    name: Annotated[str, Meta(description="What reports call the test")] = "the laws of an engine"
    game: Annotated[str, Meta(description="A game by name or file, with options")] = ""


class Assignment(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Tests of the engines that students write, and what limits them."""

    title: Annotated[str, Meta(description="What reports call the assignment")] = ""
    text: Annotated[str, Meta(description="The task in words, for students")] = ""
    template: Annotated[str, Meta(description="The file that students begin with")] = ""
    game: Annotated[str, Meta(description="The game of tests that name none")] = ""
    reference: Annotated[Reference | None, Meta(description="The reference of [[random]] tests")] = None
    depth: Annotated[Depth | None, Meta(description="Limit of a search in plies")] = None
    nodes: Annotated[Count | None, Meta(description="Limit of a search in nodes")] = None
    sims: Annotated[Count | None, Meta(description="Limit of a search in simulations")] = None
    time: Annotated[Seconds | None, Meta(description="Limit of a search in seconds")] = None
    evaluation: Annotated[bool, Meta(description="false: positions have no static evaluation")] = True
    forbidden: Annotated[list[str], Meta(description="Modules that may not be imported")] = []
    allowed: Annotated[list[str], Meta(description="Modules of gameplay that may be imported after all")] = []
    patience: Annotated[Seconds, Meta(description="Seconds of a search that no time limits")] = 10.0
    each: Annotated[Seconds, Meta(description="Seconds of a test that sets none")] = 60.0
    total: Annotated[Seconds, Meta(description="Seconds of all tests of a student")] = 120.0
    memory: Annotated[
        int, Meta(ge=128, le=1 << 20, description="Megabytes that the engine gets beside Python")
    ] = 512
    laws: Annotated[LawsTask | None, Meta(description="The laws of an engine, as gameplay check")] = None
    random: Annotated[list[RandomTask], Meta(description="Random trees and positions")] = []
    position: Annotated[list[SearchTask], Meta(description="Single searches")] = []
    match: Annotated[list[MatchTask], Meta(description="Matches")] = []

    @property
    def forbidden_imports(self) -> tuple[str, ...]:
        """All forbidden imports."""
        return (*(name for name in LIBRARY if name not in self.allowed), *self.forbidden)


class Requirement(Struct, frozen=True):
    """A test and its location in the file."""

    kind: str  # file, laws, random, position, match
    name: str
    marks: float
    line: int = 0
    case: Any = None


def names() -> list[str]:
    """The included assignments."""
    return sorted(path.stem for path in INSTALLED.glob("*.toml"))


def place(path: Path) -> Path:
    """The file of an assignment, given a folder, a TOML file or the name of an included one.
    Raises BadInput or Usage if there is none.
    """
    if path.suffix == ".toml" or (path / FILE).is_file():
        return path if path.suffix == ".toml" else path / FILE
    if path.is_dir() or len(path.parts) > 1:
        raise BadInput(f"{path} is not an assignment: expected a folder with a file {FILE}, or a TOML file")
    if str(path) not in names():
        raise Usage(unknown_name("assignment", str(path), names(), "gameplay assignment"))
    return INSTALLED / f"{path}.toml"


def read(path: Path) -> tuple[Assignment, list[Requirement]]:
    """Read an assignment (a folder, a file or a name), and its tests with defaults filled in.

    Raises BadInput, with file, line and field; and as `place`.
    """
    path = place(path)
    folder = path.parent
    assignment, text = toml.read(path, Assignment)
    tests = [Requirement("file", "the file is an engine", 0.0)]
    if assignment.laws is not None:
        case: Any = structs.replace(
            assignment.laws, game=_resolve_spec(assignment.laws.game or assignment.game, folder)
        )
        tests.append(Requirement("laws", case.name, case.marks, toml.line(text, ["laws"]), case))
    for kind in ("random", "position", "match"):
        for number, case in enumerate(getattr(assignment, kind)):
            line = toml.line(text, [kind, number])
            tests.append(
                Requirement(kind, case.name, case.marks, line, _fill_defaults(case, assignment, folder))
            )
    for test in tests[1:]:
        wrong = _missing_part(test.case)
        if wrong:
            raise BadInput(f"{path}, line {test.line}: {wrong}")
    if len(tests) == 1:
        raise BadInput(f"{path} has no tests: add [laws], [[random]], [[position]] or [[match]]")
    return assignment, tests


def _missing_part(case: Any) -> str:
    """The missing part of a test; "" if complete."""
    random = isinstance(case, RandomTask)
    if random and case.reference is None:
        names = ", ".join(get_args(Reference))
        return f'no reference; add reference = "minimax" here, or on top (choose from: {names})'
    if random and not (case.count or case.positions):
        return "count and positions are both 0; expected at least one tree or position"
    if not case.game and (not random or case.positions):
        return 'no game; add game = "connect4" here, or on top'
    return ""


def _fill_defaults(case: Any, assignment: Assignment, folder: Path) -> Any:
    fields: dict[str, Any] = {"game": _resolve_spec(case.game or assignment.game, folder)}
    if not case.limit:
        fields |= {name: getattr(assignment, name) for name in ("depth", "nodes", "sims", "time")}
    if isinstance(case, RandomTask):
        fields["reference"] = case.reference or assignment.reference
        fields["trees"] = [_resolve_spec(kind, folder) for kind in case.trees]
    if isinstance(case, MatchTask):
        fields["against"] = _resolve_spec(case.against, folder)
        if case.openings.file:
            file = str((folder / case.openings.file).resolve())
            fields["openings"] = structs.replace(case.openings, file=file)
    return structs.replace(case, **fields)


def _resolve_spec(spec: str, folder: Path) -> str:
    spec = specs.absolute(spec, folder)
    return spec if specs.is_program(spec) else evaluation.placed_in(spec, folder)


def mistake(source: bytes, forbidden: Sequence[str]) -> str:
    """Why a file is rejected: invalid Python or forbidden imports; "" if accepted."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        where = f"line {error.lineno}" if error.lineno else "it"  # undecodable bytes have no line
        return f"{where} is not Python: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"it is not Python: {error}"
    for line, name in sorted(_iter_imports(tree)):
        if containing_module(name, forbidden):
            return f"line {line} imports {name}, which is forbidden"
        if forbidden and name in LOOPHOLES:
            return f"line {line} uses {name}, which is forbidden where imports are"
    return ""


def _iter_imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The imports and uses of a file, with lines: `a.b` for `import a.b`, `from a import b` and the
    attribute.
    """
    modules: dict[str, str] = {}  # by local name
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
                modules[alias.asname or alias.name.partition(".")[0]] = (
                    alias.asname and alias.name
                ) or alias.name.partition(".")[0]
                if alias.name.startswith("importlib."):
                    yield node.lineno, "importlib"
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if module.startswith("importlib"):
                yield node.lineno, "importlib"
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}"
                modules[alias.asname or alias.name] = f"{module}.{alias.name}"
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
