"""Games and engines are found by name, by file and by entry point; typos are answered."""

from pathlib import Path

import pytest

from gameplay import Limit, registry
from gameplay.errors import BadInput, Fault, Usage

pytestmark = pytest.mark.once

STICKS = '''
from gameplay import Position, undoable

class Sticks(Position):
    """Take one, two or three sticks; whoever takes the last one loses."""

    def __init__(self, sticks=20, misere=True):
        super().__init__()
        self.sticks = sticks

    def moves(self):
        return [take for take in (1, 2, 3) if take <= self.sticks]

    @undoable
    def make(self, move):
        self.sticks -= move
        self.turn = 1 - self.turn

    def outcome(self):
        if self.sticks:
            return None
        return (1, -1) if self.turn == 0 else (-1, 1)
'''


@pytest.fixture
def sticks(tmp_path: Path) -> Path:
    path = tmp_path / "sticks.py"
    path.write_text(STICKS)
    return path


def test_every_file_is_a_game_or_an_engine() -> None:
    assert {"tictactoe", "connect4", "tree"} <= set(registry.game_names())
    ours = {
        *("minimax", "alphabeta", "iterative", "quiescence", "selective", "random"),
        *("expectiminimax", "mcts"),
    }
    assert ours <= set(registry.engine_names())
    for name in registry.engine_names():
        assert registry.engine_class(name).name == name
        assert registry.summary(name, "engine")
    for name in registry.game_names():
        assert registry.summary(name)


def test_parameters_go_in_the_name() -> None:
    game = registry.game("connect4:columns=8,rows=5,connect=3")
    assert game.parameters == {"columns": 8, "rows": 5, "connect": 3}
    assert len(game.new().moves()) == 8
    assert registry.game(game.spec) == game
    assert registry.game("Connect-4").spec == "connect4"


def test_a_seed_is_told_where_there_is_none_or_once_more() -> None:
    bare, own, none = (registry.game(spec) for spec in ("puzzle15", "puzzle15:seed=3", "nim"))
    assert bare.seeded(5) == bare.seeded(5, again=True) == registry.game("puzzle15:seed=5")
    assert own.seeded(5) is own and own.seeded(5, again=True) == registry.game("puzzle15:seed=5")
    assert none.seeded(5) is none and none.seeded(5, again=True) is none


def test_a_file_is_a_game(sticks: Path) -> None:
    for spec in (
        f"{sticks}",
        f"{sticks}:Sticks",
        f"{sticks}:sticks=5",
        f"{sticks}:Sticks:sticks=5,misere=off",
    ):
        game = registry.game(spec)
        assert game.name == "sticks"
        assert game.new().sticks == (5 if "=5" in spec else 20)
        assert registry.game(game.spec).new().sticks == game.new().sticks


@pytest.mark.parametrize(
    ("spec", "error", "complaint"),
    [
        ("conect4", Usage, "no game 'conect4'; did you mean 'connect4'.*there are: .*connect4"),
        ("connect4:colums=8", Usage, "no parameter 'colums'; did you mean 'columns'.*rows"),
        ("connect4:columns=eight", Usage, "columns is a whole number, not 'eight'"),
        ("connect4:columns", Usage, "should read NAME=VALUE"),
        ("connect4:columns=0", Usage, "1 to 64 columns"),
        ("tictactoe:line=9", Usage, "line=9 does not fit"),
        ("tree", Usage, "tree needs file"),
        ("FILE:Stiks", Usage, "no game 'Stiks'; did you mean 'Sticks'"),
        ("FILE:misere=perhaps", Usage, "on or off"),
        ("./nothing.py", BadInput, "there is no file"),
        ("./", BadInput, "not a Python file"),
    ],
)
def test_mistakes_are_answered(spec: str, error: type[Exception], complaint: str, sticks: Path) -> None:
    with pytest.raises((error, BadInput, Usage), match=complaint):
        registry.game(spec.replace("FILE", str(sticks))).new()


@pytest.mark.parametrize("number", ["2147483648", "-99999999999999999999"])
def test_numbers_too_large_for_a_compiled_game_are_refused_and_not_blamed_on_it(number: str) -> None:
    with pytest.raises((BadInput, Usage), match=number):
        registry.game(f"backgammon:match={number}").new()


@pytest.mark.parametrize(
    ("text", "error", "complaint"),
    [
        ("class A(:", BadInput, "is not Python: line 1"),
        ("x = 1", BadInput, "holds no game"),
        ("1 / 0", Fault, "raised ZeroDivisionError"),
        ("\x00", BadInput, "is not"),
        (STICKS + "\nclass Other(Sticks): pass\n", Usage, "several games \\(Sticks, Other\\): name one"),
        (
            STICKS.replace("super().__init__()", "raise OSError('no')"),
            Fault,
            "constructor raised OSError: no",
        ),
    ],
)
def test_files_that_are_no_games(text: str, error: type[Exception], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(text)
    with pytest.raises(error, match=complaint):
        registry.game(str(path)).new()


def test_an_engine_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('engine = "iterative"\npvs = false\ntable = "1MB"\ntime = 0.5\n')
    engine, limit = registry.engine(str(path))
    assert str(engine) == "iterative:table=1MB,pvs=off"
    assert limit.seconds == 0.5
    for wrong, complaint in (("depth = 3", "names no engine"), ("engine = ", "is not TOML")):
        path.write_text(wrong)
        with pytest.raises(BadInput, match=complaint):
            registry.engine(str(path))
    with pytest.raises(BadInput, match="No such file"):
        registry.engine("nowhere.toml")


SHIPPED = {
    "bare": ("iterative:order=generated,table=off,aspiration=off,pvs=off", Limit(nodes=20_000)),
    "strong": ("selective:table=256MB", Limit(seconds=2.0)),
    "textbook": ("alphabeta", Limit(depth=6)),
}


def test_the_engine_files_we_ship() -> None:
    files = Path(__file__).parents[1].glob("configs/engines/*.toml")
    said = {file.stem: registry.engine(str(file)) for file in files}
    assert {name: (str(engine), limit) for name, (engine, limit) in said.items()} == SHIPPED


def test_installed_packages_offer_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stickpack.py").write_text(STICKS)
    info = tmp_path / "stickpack-1.dist-info"
    info.mkdir()
    (tmp_path / "endpack.py").write_text("import os\nos._exit(0)\n")
    (info / "METADATA").write_text("Name: stickpack\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[gameplay.games]\npacked = stickpack:Sticks\nlost = nowhere:Gone\nend = endpack:Gone\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "packed" in registry.game_names()
    assert registry.game("packed:sticks=4").new().sticks == 4
    with pytest.raises(Fault, match="nowhere:Gone raised ModuleNotFoundError"):
        registry.game("lost")
    with pytest.raises(Fault, match=r"endpack:Gone raised Forbidden: _exit\(\) would end the process"):
        registry.game("end")


# -- engines of the user's own -------------------------------------------------------------------

GREEDY = Path(__file__).parent / "engines" / "greedy.py"


def test_a_file_is_an_engine() -> None:
    for spec in (f"{GREEDY}", f"{GREEDY}:Greedy", f"{GREEDY}:backwards=on", f"{GREEDY}:Greedy:backwards=on"):
        engine, limit = registry.engine(spec)
        assert engine.name == "greedy"
        assert engine.backwards == spec.endswith("on")
        assert not limit
        assert registry.engine(str(engine))[0] == engine, "its own words find it again"
        assert str(engine).startswith(f"{GREEDY}:Greedy")
    report = engine.search(registry.game("tictactoe").new("xx./oo./..."))
    assert registry.game("tictactoe").new().format(report.move) == "c1"


ENGINE = """
from dataclasses import dataclass
from gameplay.search.engine import Engine
"""


@pytest.mark.parametrize(
    ("text", "spec", "error", "complaint"),
    [
        ("class A(:", "", BadInput, "is not Python: line 1"),
        (STICKS, "", BadInput, "holds no engine: that is a function choose"),
        ("1 / 0", "", Fault, "when imported, raised ZeroDivisionError"),
        (ENGINE + "class Mine(Engine): pass", "", BadInput, "Mine has no search"),
        (ENGINE + "class Mine(Engine): thinks = False", "", BadInput, r"Mine has no search\(.*or at_once\("),
        (
            ENGINE + "class A(Engine): pass\nclass B(Engine): pass",
            "",
            Usage,
            r"several engines \(A, B\): name",
        ),
        (ENGINE + "class Mine(Engine): pass", ":Mien", Usage, "no engine 'Mien'; did you mean 'Mine'"),
        (GREEDY.read_text(), ":sideways=on", Usage, "greedy: there is no option 'sideways'"),
    ],
)
def test_files_that_are_no_engines(
    text: str, spec: str, error: type[Exception], complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(text)
    with pytest.raises(error, match=complaint) as caught:
        registry.engine(f"{path}{spec}")
    assert "\n" not in str(caught.value)


def test_installed_packages_offer_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "greedypack.py").write_text(GREEDY.read_text() + "\nnothing = 3\n")
    info = tmp_path / "greedypack-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: greedypack\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[gameplay.engines]\ntaker = greedypack:Greedy\nlost = nowhere:Gone\nthree = greedypack:nothing\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "taker" in registry.engine_names()
    engine, _ = registry.engine("taker:backwards=on")
    assert (engine.name, str(engine)) == ("taker", "taker:backwards=on")
    with pytest.raises(Fault, match="nowhere:Gone raised ModuleNotFoundError"):
        registry.engine("lost")
    with pytest.raises(BadInput, match="three is no engine"):
        registry.engine("three")
