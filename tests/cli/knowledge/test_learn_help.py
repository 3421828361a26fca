"""The help of `gameplay learn GAME`: the methods that can learn this game, and their options."""

import re
import subprocess
import sys

import pytest

from gameplay import registry
from gameplay.cli.knowledge.learn import METHODS
from gameplay.cli.knowledge.learning.help import option_help
from gameplay.errors import Usage
from gameplay.learning.deepcfr.run import MAX_NODES
from gameplay.learning.methods import BUILT_IN, check_supported, supported_methods
from tests.support.commands import run_printed

TERMS = "samuel rote logistic tdleaf spsa signature td alphazero"


@pytest.mark.parametrize(
    ("game", "methods"),
    [
        ("chess", f"{TERMS} correction"),
        ("chess:start=519", TERMS),
        ("checkers", TERMS),
        ("go", "td alphazero"),
        ("backgammon", "td"),
        ("kuhn", "deepcfr"),
        ("phantom-tictactoe", "deepcfr"),
        ("puzzle15", ""),
        ("bridge", ""),
        ("monopoly:players=3", ""),
    ],
)
def test_the_help_of_a_game_lists_its_methods_and_their_options(
    game: str, methods: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run_printed(capsys, "learn", game, "--help")
    assert (status, err) == (0, "")
    names = methods.split()
    assert supported_methods(registry.game(game)) == tuple(names)
    assert re.findall(r"--method \[([^]]*)\]", out)[:1] == (["|".join(names)] if names else [])
    for name in METHODS.keys() - {*names}:
        assert not re.search(rf"--method {name}\b", out), name
    shown = set(re.findall(r"^  (?:-\w, )?(--\w+)", out, re.MULTILINE))
    assert ("--iterations" in shown) == ("deepcfr" in names)
    assert ("--games" in shown) == bool({*names} - {"deepcfr"})
    assert ("--records" in shown) == ("rote" in names)
    assert ("--explain" in shown) == ("samuel" in names)
    assert names or shown == {"--help"}


def test_the_help_of_an_unlearnable_game_gives_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    out = " ".join(run_printed(capsys, "learn", "bridge", "--help")[1].split())
    assert "requires a zero-sum game for two; bridge is for 4 players. Try: gameplay play bridge" in out
    status, _, err = run_printed(capsys, "learn", "chss", "--help")
    assert (status, err) == (2, "gameplay: unknown game 'chss'; did you mean 'chess'?\n")


def test_the_help_of_a_game_loads_no_game() -> None:
    """Its time is that of Python and click."""
    program = (
        "import sys, gameplay.cli as cli\n"
        "status = cli.run(cli.router, 'gameplay', ['learn', 'chess', '--help'])\n"
        "loaded = {'.'.join(name.split('.')[:2]) for name in sys.modules if name.startswith('gameplay.')}\n"
        "print('LOADED', status, *loaded & {'gameplay.registry', 'gameplay.games', 'gameplay.engines'})"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "LOADED 0"


def test_the_largest_tree_is_named() -> None:
    assert f"more than {MAX_NODES:,} nodes" in METHODS["deepcfr"].help


@pytest.mark.parametrize("name", registry.game_names())
def test_suggested_methods_can_learn_the_game(name: str) -> None:
    game = registry.game(name if name != "tree" else "tree:and-or")
    methods = supported_methods(game)
    assert BUILT_IN.get(name, ()) == (methods if name != "tree" else ())
    for method in METHODS:
        if method in methods:
            check_supported(game, method)
            continue
        with pytest.raises(Usage, match=r"requires .*\. Try: gameplay ") as refused:
            check_supported(game, method)
        suggested = re.search(r"--method (\w+)$", str(refused.value))
        assert (suggested[1] if suggested else "") == (methods[0] if methods else "")


@pytest.mark.parametrize(
    ("names", "users", "expected"),
    [
        (["td"], ["td"], "N [2]; or [3; or so]."),
        (["rote", "spsa"], ["rote"], "With --method rote: n [1]; or [3; or so]; with --method spsa 5 [6]."),
        (["rote", "td"], ["rote", "td"], "With --method rote or td: n [rote 1; td, x 2]; or [3; or so]."),
        (["td", "logistic"], ["td", "logistic"], "With --method td: n [0; td, x 2]; or [3; or so]."),
    ],
)
def test_the_help_of_an_option_leaves_other_methods_out(
    names: list[str], users: list[str], expected: str
) -> None:
    text = "With --method rote, td or alphazero: n [0; rote 1; td, x 2]; or [3; or so]"
    assert option_help(f"{text}; with --method spsa 5 [6].", names, users) == expected
