"""What is loaded when, and who may import whom."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gameplay

PACKAGE = Path(gameplay.__file__).parent
HEAVY = [
    *("asyncio", "chess", "concurrent.futures", "multiprocessing", "msgspec", "numpy"),
    *("platformdirs", "prompt_toolkit", "rich", "sqlite3"),
]

# What the modules of a room import from the others; a room's own modules are always allowed.
FLOOR = {"errors", "position", "kernel", "value", "bits", "nocython"}
ROOMS = {
    "games": {"errors", "position", "kernel", "value", "bits", "nocython", "attacks", "evaluations"},
    "evaluations": {"bits", "nocython", "attacks"},
    "knowledge": FLOOR,
    "search": FLOOR,
    "engines": FLOOR | {"search"},
    "protocols": FLOOR | {"search", "registry"},
    "players": FLOOR | {"search", "registry", "specs", "protocols", "knowledge"},
    "matches": FLOOR | {"search", "players", "registry", "watchdog"},
    "statistics": FLOOR,
    "runs": FLOOR | {"search", "players", "knowledge", "matches", "statistics", "registry", "specs", "store"},
    "suites": FLOOR
    | {"search", "players", "matches", "runs", "statistics", "registry", "signature", "store"},
    "store": FLOOR | {"search"},
    "display": FLOOR | {"search", "matches", "runs", "statistics", "suites"},
}
# A program outside the package that only some may import.
OWNERS = {"click": "cli", "rich": "display", "prompt_toolkit": "display"}
# What games may import beside us: the standard library, and the stand-in's twin.
PLAIN = set(sys.stdlib_module_names) | {"cython", "gameplay"}


def files():
    return sorted(file for file in PACKAGE.rglob("*.py") if "__pycache__" not in file.parts)


def imports(file):
    """Every module that a file imports, anywhere in it, for types only excepted."""
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield from (
                [f"gameplay.{name.name}" for name in node.names] if module == "gameplay" else [module]
            )


def ours(module):
    """The room or top-level module of ours that is meant; None for others'."""
    module = module.removeprefix("cython.cimports.")
    words = module.split(".")
    return words[1] if words[0] == "gameplay" and len(words) > 1 and words[1] != "__version__" else None


def room_of(file):
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize(
    "statement", ["import gameplay.cli", "import gameplay.cli.play, gameplay.cli.selfplay"]
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


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_lies_below_it(room):
    wrong = [
        f"{file.relative_to(PACKAGE)} imports {module}"
        for file in files()
        if room_of(file) == room
        for module in imports(file)
        if ours(module) is not None and ours(module) not in ROOMS[room] | {room}
    ]
    assert wrong == []


@pytest.mark.parametrize("module", ["errors", "position", "bits", "nocython"])
def test_the_contract_stands_on_nothing_of_ours_but_errors(module):
    found = {ours(name) for name in imports(PACKAGE / f"{module}.py")} - {None}
    assert found <= {"errors"}


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


def test_only_commands_look_at_the_display():
    users = {
        str(file.relative_to(PACKAGE))
        for file in files()
        if room_of(file) not in ("cli", "display") and "display" in map(ours, imports(file))
    }
    assert users == set()


def test_games_need_the_standard_library_only():
    wrong = {
        f"{file.name}: {module}"
        for file in (PACKAGE / "games").glob("*.py")
        for module in imports(file)
        if module.split(".")[0] not in PLAIN
    }
    assert wrong == set()
