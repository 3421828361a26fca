"""Imports: which modules commands load, and which packages may import which."""

import ast
import functools
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import gameplay
from gameplay import cli, registry
from tests.support.files import find_files

pytestmark = pytest.mark.once

PACKAGE = Path(gameplay.__file__).parent
HEAVY = [
    *("asyncio", "chess", "concurrent.futures", "multiprocessing", "msgspec", "numpy"),
    *("platformdirs", "prompt_toolkit", "rich", "sqlite3"),
]
# Of the standard library, what takes some milliseconds: no command loads it to be there.
SLOW = [
    *("csv", "decimal", "email.message", "importlib.metadata", "json", "random", "socket", "statistics"),
]

# What the modules of a room import from the others; a room's own modules are always allowed.
PLAIN_FACTS = {"board", "capabilities", "errors", "file_io", "plural", "position", "spans", "value"}
PLAIN_FACTS |= {"extras", "scoring"}
FLOOR = {
    *("capabilities", "errors", "position", "board", "evaluation", "weights", "kernel", "adapter", "value"),
    *("options", "notation", "native", "plural", "spans", "file_io", "catalogue", "scoring", "extras"),
    "terms",
}
ROOMS = {
    "native": {"once"},
    "scoring": {"capabilities", "errors", "position"},
    "usercode": {"errors", "file_io", "once"},
    "games": FLOOR,
    "knowledge": FLOOR,
    "learning": FLOOR
    | {"engines", "games", "knowledge", "networks", "ntuples", "registry", "search", "signatures"}
    | {"statistics"},
    "networks": FLOOR | {"games", "ntuples", "once"},
    "ntuples": FLOOR | {"once", "search"},
    "signatures": FLOOR | {"once"},
    "search": FLOOR | {"usercode"},
    "engines": FLOOR | {"search"},
    "sandbox": FLOOR | {"search", "registry", "usercode", "adoption"},
    "protocols": FLOOR | {"search", "registry", "usercode"},
    "players": FLOOR | {"glossary", "rules", "search", "registry", "specs", "protocols", "knowledge"},
    "lichess": PLAIN_FACTS | {"matches", "players", "protocols", "registry", "search", "store", "visible"},
    "matches": PLAIN_FACTS | {"search", "players", "registry", "usercode"},
    "statistics": {"errors", "plural"},  # pure numbers: no plan, no store, no player
    "runs": PLAIN_FACTS
    | {"evaluation", "search", "players", "knowledge", "matches", "statistics", "registry", "specs", "store"}
    | {"once", "usercode", "visible"},
    "conformance": PLAIN_FACTS | {"notation", "registry", "search", "usercode"},
    "suites": PLAIN_FACTS
    | {
        "catalogue",
        "evaluation",
        "adapter",
        "kernel",
        "search",
        "engines",
        "players",
        "matches",
        "runs",
        "statistics",
    }
    | {"conformance", "registry", "specs", "store", "sandbox", "usercode"},
    "store": PLAIN_FACTS | {"catalogue", "options", "knowledge", "search", "protocols", "specs", "visible"},
    "tracing": PLAIN_FACTS | {"search", "engines", "specs"},
    "training": PLAIN_FACTS
    | {"games", "search", "engines", "players", "knowledge", "matches", "registry", "store", "specs"}
    | {"catalogue", "runs", "suites", "tracing"},
    "lessons": PLAIN_FACTS
    | {"evaluation", "games", "search", "engines", "players", "knowledge", "matches", "registry", "store"}
    | {"learning", "networks", "specs", "runs", "suites", "tracing", "training"},
    "environments": PLAIN_FACTS
    | {"adapter", "catalogue", "games", "kernel", "learning", "native", "ntuples", "options", "registry"}
    | {"search"},
    "api": PLAIN_FACTS
    | {
        "catalogue",
        "engines",
        "environments",
        "knowledge",
        "matches",
        "options",
        "players",
        "registry",
        "runs",
        "search",
        "specs",
    }
    | {"statistics", "store", "suites", "tracing", "training"},
    "mcp_server": PLAIN_FACTS
    | {"catalogue", "glossary", "matches", "options", "players", "registry", "rules", "search", "specs"}
    | {"store", "training", "visible"},
    "display": FLOOR
    | {
        "api",
        "knowledge",
        "learning",
        "search",
        "matches",
        "runs",
        "statistics",
        "suites",
        "lessons",
        "tracing",
    }
    | {"training", "engines", "visible"},
}
# A program outside the package that only some may import.
OWNERS = {"click": "cli", "mcp": "mcp_server", "rich": "display", "prompt_toolkit": "display"}
# Names of parameters, attributes and results that have a type.
NOUNS = {
    *("control", "engine", "evaluation", "event", "game", "kernel", "knowledge", "limit", "match"),
    *("position", "record", "report", "session", "solver", "start", "view", "world"),
}
# Names of classes that are used twice yet.
TWICE: set[str] = set()
# Attributes that are asked for by name: of a user's code, and of errors and streams of the library.
ADOPTED = {"evaluate", "evaluate_for", "moves", "search"}
LACKING = {"encoding", "lineno", "msg", "reason", "sqlite_errorcode", "strerror"}
# Modules of the library, which differ between systems.
SYSTEM = {"mmap", "os", "signal", "time"}
# What games may import beside us: the standard library, the compiler, and the place of a user's cache.
PLAIN = set(sys.stdlib_module_names) | {"cython", "gameplay", "platformdirs"}


def files():
    return find_files(PACKAGE, "**/*.py")


KINDS = ast.Import | ast.ImportFrom | ast.ClassDef | ast.Call | ast.Compare


@functools.cache
def read_nodes(file):
    """The imports, classes, calls and comparisons of a file, each with a flag for type-checking blocks."""
    nodes, left = [], [(ast.parse(file.read_text()), False)]
    while left:
        node, typing = left.pop()
        if isinstance(node, KINDS):
            nodes.append((node, typing))
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            typing = True
        left += [(child, typing) for child in ast.iter_child_nodes(node)]
    return nodes


def nodes(file, types=True):
    """The imports, classes, calls and comparisons of a file; `types` false: without type-checking blocks."""
    return [node for node, typing in read_nodes(file) if types or not typing]


def import_statements(file, types=False):
    """The import statements of a file, at any level; `types`: including those of type-checking blocks."""
    return [node for node in nodes(file, types) if isinstance(node, ast.Import | ast.ImportFrom)]


def imports(file):
    """Every module that a file imports, anywhere, except in type-checking blocks."""
    for node in import_statements(file):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        else:
            module = node.module or ""
            yield from (
                [f"gameplay.{name.name}" for name in node.names] if module == "gameplay" else [module]
            )


def module_of(file):
    words = ["gameplay", *file.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(words).removesuffix(".__init__")


def needs(file, modules, types=False):
    """The package's modules that a file imports; `from package import module` counts only the module."""
    for node in import_statements(file, types):
        if isinstance(node, ast.Import):
            results = [name.name for name in node.names]
        else:
            inner = [f"{node.module}.{name.name}" for name in node.names]
            results = [name if plain(name) in modules else node.module for name in inner]
        yield from (plain(name) for name in results if plain(name) in modules)


def plain(module):
    return module.removeprefix("cython.cimports.")


def circular(needs):
    """The cycles of a graph of imports: the graph without modules that lead into or out of none."""
    left = {module: set(others) - {module} for module, others in needs.items()}
    while True:
        expected = set().union(*left.values())
        kept = {
            m: others & left.keys() for m, others in left.items() if others & left.keys() and m in expected
        }
        if kept == left:
            return left
        left = kept


def own_package(module):
    """The subpackage or top-level module of the package; None for other packages."""
    module = module.removeprefix("cython.cimports.")
    words = module.split(".")
    return words[1] if words[0] == "gameplay" and len(words) > 1 and words[1] != "__version__" else None


def room_of(file):
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize(
    "statement", ["import gameplay.cli", "import gameplay.cli.play.play, gameplay.cli.play.selfplay"]
)
def test_the_command_line_loads_nothing_heavy(statement):
    program = f"{statement}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert loaded.split() == []


def test_help_loads_nothing_heavy():
    program = (
        "import sys, gameplay.cli as cli\n"
        "status = cli.run(cli.router, 'gameplay', ['play', '--help'])\n"
        f"print('LOADED', status, *[name for name in {HEAVY!r} if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "LOADED 0"


def test_the_help_of_play_loads_neither_rules_nor_engines():
    """Its time is that of Python and click."""
    program = (
        "import sys, gameplay.cli as cli\n"
        "status = cli.run(cli.load('play'), 'play', ['--help'])\n"
        "print('LOADED', status, *sorted(n for n in sys.modules if n.startswith('gameplay')))"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert set(out.splitlines()[-1].split()[1:]) <= {
        *(
            "0",
            "gameplay",
            "gameplay.cli",
            "gameplay.cli.common",
            "gameplay.cli.common.options",
            "gameplay.cli.play",
            "gameplay.cli.play.play",
            "gameplay.errors",
            "gameplay.options",
            "gameplay.plural",
        ),
        *(
            "gameplay.usercode.fence",
            "gameplay.search",
            "gameplay.search.limit",
            "gameplay.value",
            "gameplay.visible",
        ),
    }


def test_package_exports_exist():
    stub = (PACKAGE / "__init__.pyi").read_text()
    declared = re.findall(r"^from gameplay\.([\w.]+) import (\w+) as \2$", stub, re.MULTILINE)
    assert {name: home for home, name in declared} == gameplay._HOMES
    assert [name for name in gameplay.__all__ if not hasattr(gameplay, name)] == []
    with pytest.raises(AttributeError, match="has no attribute 'Positron'"):
        _ = gameplay.Positron


def test_command_list_has_the_summary_of_each_command():
    names = [*cli.commands(), *cli.names("runs")]
    listed = {name: cli.summary(name) for name in names}
    assert listed == {name: cli.load(name).short_help for name in names} and all(listed.values())


def test_the_list_of_commands_loads_no_command_and_the_commands_nothing_slow():
    program = (
        "import sys; before = set(sys.modules)\n"
        "import gameplay.cli as cli\n"
        "status = cli.run(cli.router, 'gameplay', ['--help'])\n"
        "print('LISTED', status, *[n for n in sys.modules if n.startswith('gameplay.cli.')])\n"
        "[cli.load(name) for name in [*cli.commands(), *cli.names('runs')]]\n"
        f"print('LOADED', *[n for n in {HEAVY + SLOW!r} if n in sys.modules and n not in before])"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-2:] == ["LISTED 0", "LOADED"]


@pytest.mark.parametrize("room", ROOMS)
def test_packages_import_only_lower_ones(room):
    wrong = [
        f"{file.relative_to(PACKAGE)} imports {module}"
        for file in files()
        if room_of(file) == room
        for module in imports(file)
        if own_package(module) is not None and own_package(module) not in ROOMS[room] | {room}
    ]
    assert wrong == []


@pytest.mark.parametrize("types", [False, True])
def test_no_imports_go_round(types):
    """Including late imports: mutually dependent modules belong together, or depend on a third."""
    modules = {module_of(file): file for file in files()}
    graph = {module: set(needs(file, modules, types)) for module, file in modules.items()}
    assert circular(graph) == {}


def test_one_place_below_the_commands_names_the_display():
    """`board.Displayed` loads the notebook renderer by name, only on request."""
    named = re.compile(r"\bgameplay\.display\b")
    naming = [str(f.relative_to(PACKAGE)) for f in files() if named.search(f.read_text())]
    assert [name for name in naming if not name.startswith(("cli/", "display/"))] == ["board.py"]


def test_a_circle_is_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"d", "e"}, "d": {"b"}, "e": {"e"}, "f": {"a"}}
    assert circular(graph) == {"b": {"c"}, "c": {"d"}, "d": {"b"}}
    assert circular({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == {}


def test_a_name_of_a_class_is_used_once():
    uses = defaultdict(list)
    for file in files():
        for node in nodes(file):
            if isinstance(node, ast.ClassDef):
                uses[node.name].append(str(file.relative_to(PACKAGE)))
    assert len(uses) > 100
    assert {name: where for name, where in uses.items() if len(where) > 1 and name not in TWICE} == {}


@pytest.mark.parametrize(
    "module", ["board", "capabilities", "errors", "position", "notation", "native/bits", "native/nocython"]
)
def test_the_contract_depends_only_on_itself_and_errors(module):
    results = {own_package(name) for name in imports(PACKAGE / f"{module}.py")} - {None}
    assert results <= {"board", "capabilities", "errors", "visible"}


def test_a_folder_has_at_most_25_files_and_a_file_700_lines():
    folders = defaultdict(int)
    for file in files():
        folders[str(file.parent.relative_to(PACKAGE))] += 1
    assert {folder: number for folder, number in folders.items() if number > 25} == {}
    long = {str(file.relative_to(PACKAGE)) for file in files() if file.read_text().count("\n") > 700}
    assert long == set()


@pytest.mark.parametrize("program", OWNERS)
def test_each_program_of_others_has_one_owner(program):
    users = {
        str(file.relative_to(PACKAGE))
        for file in files()
        for module in imports(file)
        if module.split(".")[0] == program
    }
    assert users
    assert {user for user in users if not user.startswith(OWNERS[program])} == set()


def test_only_cli_imports_the_display():
    users = {
        str(file.relative_to(PACKAGE))
        for file in files()
        if room_of(file) not in ("cli", "display") and "display" in map(own_package, imports(file))
    }
    assert users == set()


def literal_probes(file):
    """The calls of hasattr and getattr with a literal name, except special attributes."""
    for node in nodes(file):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("hasattr", "getattr")
            and isinstance(node.args[1], ast.Constant)
            and not node.args[1].value.startswith("__")
        ):
            yield node


def test_positions_games_and_engines_declare_what_they_offer():
    """An attribute of some classes belongs to a protocol of `gameplay.capabilities`, or has a default."""
    results = [(file, node) for file in files() for node in literal_probes(file)]
    assert len(results) > 10
    assert [
        f"{file.relative_to(PACKAGE)}:{node.lineno}: {ast.unparse(node)}"
        for file, node in results
        if node.args[1].value not in ADOPTED | LACKING and ast.unparse(node.args[0]) not in SYSTEM
    ] == []


def test_no_game_is_recognized_by_the_name_of_its_class():
    names = {name.replace("-", "") for name in registry.game_names()}
    compared = [
        f"{file.relative_to(PACKAGE)}:{node.lineno}: {ast.unparse(node)}"
        for file in files()
        for node in nodes(file)
        if isinstance(node, ast.Compare) and "__name__" in ast.unparse(node.left)
        for other in ast.walk(node)
        if isinstance(other, ast.Constant) and str(other.value).lower() in names
    ]
    assert compared == []


def untyped_lines(tree):
    """The lines with a parameter, attribute or result named like a central noun and typed `Any`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            named = [(argument.arg, argument.annotation, argument) for argument in arguments] + [
                (node.name, node.returns, node)
            ]
        elif isinstance(node, ast.AnnAssign):
            target = node.target
            name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
            named = [(name, node.annotation, node)]
        else:
            continue
        for name, annotation, where in named:
            if name in NOUNS and annotation is not None and re.search(r"\bAny$", ast.unparse(annotation)):
                yield where.lineno


def test_central_nouns_have_types():
    """An exception has a comment on its line that begins with `Any:` and states the reason."""
    wrong = []
    for file in files():
        if "Any" not in (text := file.read_text()):
            continue
        lines = text.split("\n")
        wrong += [
            f"{file.relative_to(PACKAGE)}:{number}: {lines[number - 1].strip()}"
            for number in untyped_lines(ast.parse(text))
            if "# Any:" not in lines[number - 1]
        ]
    assert wrong == []


def test_games_need_the_standard_library_only():
    wrong = {
        f"{file.name}: {module}"
        for file in find_files(PACKAGE / "games", "**/*.py")
        for module in imports(file)
        if module.split(".")[0] not in PLAIN
    }
    assert wrong == set()
