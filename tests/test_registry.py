"""Games and engines are found by name, by file and by entry point; typos get suggestions."""

import warnings
from pathlib import Path
from typing import Any

import pytest

from gameplay import Limit, Position, catalogue, registry, specs
from gameplay.adoption import ENGINE_FORMS
from gameplay.cli import router, run
from gameplay.errors import BadInput, Fault, Mismatch, Terminated, UnreadableFile, Usage
from gameplay.kernel import Kernel
from gameplay.matches.match import Match
from gameplay.players.engine import EnginePlayer
from gameplay.usercode import plugin
from tests.examples.games.sticks import Sticks
from tests.support.files import install_package
from tests.support.paths import ROOT, TESTS

pytestmark = pytest.mark.once

STICKS = (
    (TESTS / "examples" / "games" / "sticks.py").read_text().replace("sticks=20", "sticks=20, misere=True")
)


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


def test_seeded_keeps_a_given_seed_unless_again() -> None:
    bare, own, none = (registry.game(spec) for spec in ("puzzle15", "puzzle15:seed=3", "nim"))
    assert bare.with_seed(5) == bare.with_seed(5, again=True) == registry.game("puzzle15:seed=5")
    assert own.with_seed(5) is own and own.with_seed(5, again=True) == registry.game("puzzle15:seed=5")
    assert none.with_seed(5) is none and none.with_seed(5, again=True) is none


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
    ("spec", "complaint"),
    [
        ("conect4", "unknown game 'conect4'; did you mean 'connect4'[?]$"),
        ("connect4:colums=8", "unknown parameter 'colums'; did you mean 'columns'.*rows"),
        ("connect4:columns=eight", "columns must be a whole number, not 'eight'"),
        ("connect4:columns", "should read NAME=VALUE"),
        ("connect4:columns=0", "1 to 64 columns"),
        ("tictactoe:line=9", "line=9 does not fit"),
        ("tree", "tree needs file"),
        ("FILE:Stiks", "unknown game 'Stiks'; did you mean 'Sticks'"),
        ("FILE:misere=perhaps", "on or off"),
        ("./nothing.py", "there is no file"),
        ("./", "not a Python file"),
    ],
)
def test_mistakes_are_answered(spec: str, complaint: str, sticks: Path) -> None:
    with pytest.raises((BadInput, Usage), match=complaint):
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
        (STICKS + "\nclass Other(Sticks): pass\n", Usage, "several games \\(Sticks, Other\\). Try: "),
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
    with pytest.raises(BadInput, match="there is no file"):
        registry.engine("nowhere.toml")


SHIPPED = {
    "bare": ("iterative:order=generated,table=off,aspiration=off,pvs=off", Limit(nodes=20_000)),
    "strong": ("selective:table=256MB", Limit(seconds=2.0)),
    "textbook": ("alphabeta", Limit(depth=6)),
}


def test_the_engine_files_we_ship() -> None:
    files = ROOT.glob("configs/engines/*.toml")
    engines = {file.stem: registry.engine(str(file)) for file in files}
    assert {name: (str(engine), limit) for name, (engine, limit) in engines.items()} == SHIPPED


def test_installed_packages_offer_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endpack.py").write_text("import os\nos._exit(0)\n")
    offers = "[gameplay.games]\npacked = stickpack:Sticks\nlost = nowhere:Gone\nend = endpack:Gone\n"
    install_package(tmp_path, "stickpack", offers, STICKS)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "packed" in registry.game_names()
    assert registry.game("packed:sticks=4").new().sticks == 4
    with pytest.raises(Fault, match="nowhere:Gone raised ModuleNotFoundError"):
        registry.game("lost")
    with pytest.raises(Fault, match=r"endpack:Gone raised Forbidden: _exit\(\) would end the process"):
        registry.game("end")


def test_plugin_whose_name_is_taken_by_a_game_is_reported_on_use_and_in_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    offers = "[gameplay.games]\nConnect-4 = clashing:Sticks\nfree = clashing:Sticks\n"
    install_package(tmp_path, "clashing", offers, STICKS)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.warns(plugin.NameTaken, match="game Connect-4 of the package clashing"):
        assert registry.game_class("connect4")[0].__name__ == "Connect4"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert registry.game_class("othello")[0].__name__ == "Othello"
        assert registry.game_class("free")[0].__name__ == "Sticks"
    assert run(router, "gameplay", ["doctor"]) == 0
    assert (
        "the game Connect-4 of the package clashing (clashing:Sticks) is ignored" in capsys.readouterr().out
    )


def test_plugin_whose_name_is_taken_by_an_engine_or_a_package_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chooses = "def choose(position):\n    return position.moves()[0]\n"
    install_package(tmp_path, "one", "[gameplay.engines]\nmcts = one:choose\nshared = one:choose\n", chooses)
    install_package(tmp_path, "two", "[gameplay.engines]\nshared = two:choose\n", chooses)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.warns(plugin.NameTaken, match="gameplay has an engine mcts"):
        assert registry.engine_class("mcts").__name__ == "Mcts"
    with pytest.warns(plugin.NameTaken, match="the package one offers this name too"):
        assert registry.engine_class("shared").thing.__module__ == "one"
    assert [sentence.partition(" is ignored")[0] for sentence in registry.plugin_clashes()] == [
        "the engine mcts of the package one (one:choose)",
        "the engine shared of the package two (two:choose)",
    ]


class Countdown(Sticks):
    """Sticks, with a parameter for the random numbers that it does not use."""

    def __init__(self, sticks: int = 5, seed: int = 0) -> None:
        super().__init__(sticks)
        self.seed = seed


def test_class_is_a_game_and_an_engine_without_a_file() -> None:
    game = registry.game(Countdown)
    assert (game.name, game.new().sticks) == ("countdown", 5)
    assert game.with_seed(7).new().seed == 7

    class Last:
        """Plays the last move."""

        def search(self, position):
            return position.moves()[-1]

    def choose(position):
        return position.moves()[0]

    for thing, move in ((Last, 3), (choose, 1)):
        engine, limit = registry.engine(thing)
        assert engine.search(game.new(), limit).move == move
    played = Match(game, [EnginePlayer(registry.engine(thing)[0]) for thing in (Last, choose)])
    played.play()
    assert played.payoffs == (-1, 1)  # 3, 1 and 1 of five


@pytest.mark.parametrize("thing", [int, object(), 3, None])
def test_invalid_games_and_engines_are_refused(thing: Any) -> None:
    with pytest.raises(BadInput, match="is not a game; expected a subclass of"):
        registry.game(thing)
    with pytest.raises(BadInput, match="is not an engine"):
        registry.engine(thing)


@pytest.mark.parametrize("thing", [None, 3])
def test_values_that_are_no_engines_are_refused_as_written(thing: Any) -> None:
    with pytest.raises(BadInput, match=f"^{thing} is not an engine; expected a name or a function choose"):
        registry.register_engine(thing)


def test_games_for_more_players_are_named_as_typed() -> None:
    for spec in ("connect4:players=3", "connect4:players=3,columns=20,rows=20", "tictactoe:players=3"):
        assert catalogue.name_of(registry.game(spec).new()) == spec.partition(":")[0]


def test_words_after_a_comma_are_parameters() -> None:
    assert registry.join_words(["go:size=9,", "komi=5"]) == "go:size=9, komi=5"
    assert registry.join_words(["tic", "tac", "toe:columns=4"]) == "tic tac toe:columns=4"


# -- engines of the user's own -------------------------------------------------------------------

GREEDY = TESTS / "examples" / "engines" / "greedy.py"


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
        (STICKS, "", BadInput, "holds no engine; expected a function choose"),
        ("1 / 0", "", Fault, "when imported, raised ZeroDivisionError"),
        (ENGINE + "class Mine(Engine): pass", "", BadInput, "Mine has no search"),
        (ENGINE + "class Mine(Engine): thinks = False", "", BadInput, r"Mine has no search\(.*or at_once\("),
        (
            ENGINE + "class A(Engine): pass\nclass B(Engine): pass",
            "",
            Usage,
            r"several engines \(A, B\). Try: ",
        ),
        (ENGINE + "class Mine(Engine): pass", ":Mien", Usage, "unknown engine 'Mien'; did you mean 'Mine'"),
        (GREEDY.read_text(), ":sideways=on", Usage, "greedy: unknown option 'sideways'"),
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
    offers = "[gameplay.engines]\ntaker = greedypack:Greedy\nlost = nowhere:Gone\n"
    offers += "three = greedypack:nothing\n"
    install_package(tmp_path, "greedypack", offers, GREEDY.read_text() + "\nnothing = 3\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "taker" in registry.engine_names()
    engine, _ = registry.engine("taker:backwards=on")
    assert (engine.name, str(engine)) == ("taker", "taker:backwards=on")
    with pytest.raises(Fault, match="nowhere:Gone raised ModuleNotFoundError"):
        registry.engine("lost")
    with pytest.raises(BadInput, match="three is not an engine"):
        registry.engine("three")


# -- in full ----------------------------------------------------------------------------------------------


def wrong(call: Any, *given: Any) -> tuple[type[BaseException], str]:
    with pytest.raises(BaseException) as refused:
        call(*given)
    return type(refused.value), str(refused.value)


def test_constructor_exceptions_name_their_owner() -> None:
    """A value refused by the author, and a number too large for C, are reported to the caller."""

    def raising(error: BaseException, **parameters: Any) -> tuple[type[BaseException], str]:
        class Own(Position):
            def __init__(self, **_: Any) -> None:
                raise error

        message = wrong(registry.Game("own:n=1", "own", Own, parameters).new)
        return message[0], message[1].partition(" (test_registry.py, line ")[0]

    fault = "own: the constructor raised "
    large = "own:n=1: the number {} is too large"
    for error, parameters, kind, words in (
        (ValueError("not so"), {"n": 1}, Usage, "own:n=1: not so"),
        (ValueError("not so"), {}, Fault, f"{fault}ValueError: not so"),
        (OverflowError("big"), {"n": 2**31}, Usage, large.format(2**31)),
        (OverflowError("big"), {"n": -(2**31), "m": 5}, Usage, large.format(-(2**31))),
        (OverflowError("big"), {"n": 2**31 - 1, "m": "x"}, Fault, f"{fault}OverflowError: big"),
        (OverflowError("big"), {}, Fault, f"{fault}OverflowError: big"),
        (KeyError("x"), {"n": 2**31}, Fault, f"{fault}KeyError: 'x'"),
        (SystemExit(3), {}, Fault, f"{fault}SystemExit: 3"),
        (Mismatch("mine"), {"n": 1}, Mismatch, "mine"),
        (Terminated(143), {}, Terminated, "143"),
    ):
        assert raising(error, **parameters) == (kind, words)


class Needs(Position):
    """Needs two numbers."""

    def __init__(self, first, second, third=3, word=None):
        super().__init__()


class Open(Position):
    """Takes whatever there is."""

    def __init__(self, first=1, **more):
        super().__init__()


def test_parameters_are_those_of_the_constructor() -> None:
    function = registry._parameters
    given = {"first": "1", "second": "b", "third": "4", "word": "w"}
    assert function(Needs, "needs", given) == {"first": "1", "second": "b", "third": 4, "word": "w"}
    assert function(Open, "open", {"first": "2", "other": "x"}) == {"first": 2, "other": "x"}
    for options, words in (
        ({}, "needs needs first, second: write ./n.py:Needs:first=VALUE,second=VALUE"),
        ({"first": "1"}, "needs needs second: write ./n.py:Needs:first=1,second=VALUE"),
        (
            {"fist": "1"},
            "needs: unknown parameter 'fist'; did you mean 'first'?"
            " (choose from: first, second, third, word)",
        ),
        (
            {"first": "1", "second": "1", "third": "x"},
            "needs: third must be a whole number, not 'x'. Try: third=3",
        ),
    ):
        assert wrong(function, Needs, "needs", options, "./n.py:Needs") == (Usage, words)
    assert wrong(registry.game, Needs) == (
        Usage,
        "needs needs first, second: give each a default, as in first=1",
    )


def test_advice_on_missing_parameters_is_a_spec_that_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    body = "    def __init__(self, n, m, k=2):\n        super().__init__()\n"
    Path("g2.py").write_text(f"from gameplay import Position\n\n\nclass G(Position):\n{body}")
    for typed, advice in (
        ("./g2.py", "./g2.py:n=VALUE,m=VALUE"),
        ("./g2.py:G", "./g2.py:G:n=VALUE,m=VALUE"),
        ("g2.py:k=3,m=1", "g2.py:k=3,m=1,n=VALUE"),
    ):
        kind, words = wrong(registry.game, typed)
        assert (kind, words.rpartition(" ")[2]) == (Usage, advice)
        assert registry.game(advice).parameters["n"] == "VALUE"


def test_specs_are_classified_as_file_game_or_engine(tmp_path: Path) -> None:
    for head in ("./a.py", "a.py", "a/b", "c:\\a", "a.py:B"):
        assert specs.is_file(head)
    assert not any(specs.is_file(head) for head in ("nim", "connect-4", "a.toml", "a.txt"))

    class Duck:
        moves = make = outcome = None

    class Half:
        moves = make = None

    assert (
        registry._is_game(Duck) and registry._is_game(Needs) and registry._is_game(registry.game("nim").cls)
    )
    for thing in (Half, Position, Kernel, Duck(), len, 3):
        assert not registry._is_game(thing)
    engine = "def choose(position):\n    return position.moves()[0]\n"
    for text, plain, named in (
        (STICKS, False, False), (engine, True, True), (engine + STICKS, False, True),
        ("x = 3\n", False, False), ("def one(p): 0\ndef two(p): 0\n", False, False),
        ("class choose:\n  def search(self, p): 0\n", True, True), ("choose = 3\n", False, False),
        ("class _Hidden:\n  moves = make = outcome = 1\n" + engine, True, True),
    ):  # fmt: skip
        file = tmp_path / f"file{len(text)}.py"
        file.write_text(text)
        assert (registry.is_engine(str(file)), registry.is_engine(f"{file}:choose")) == (plain, named), text
        assert registry.is_engine(f"{file}:choose:depth=3") is named
    assert registry.is_engine("minimax:depth=3") and not registry.is_engine("nim")
    assert not registry.is_engine("minimux") and not registry.is_engine("minimax.toml")
    assert not registry.is_engine(f"{tmp_path}/file{len(STICKS)}.py:Sticks")


def test_file_with_several_classes_requires_a_name() -> None:
    two = {"One": 1, "Two": 2}
    for definitions, kind, expected in (
        (
            {},
            "game",
            (BadInput, "x holds no game; expected a class with moves(), make(move), outcome() and turn"),
        ),
        (two, "game", (Usage, "x holds several games (One, Two). Try: x:One")),
        (two, "engine", (Usage, "x holds several engines (One, Two). Try: x:One")),
        (
            {},
            "engine",
            (BadInput, f"x holds no engine; expected {ENGINE_FORMS}. Try: gameplay engines --template"),
        ),
    ):
        assert wrong(registry._single, definitions, "x", kind) == expected
    assert registry._single({"One": 1}, "x") == 1


@pytest.mark.parametrize("kind", ["game", "engine"])
def test_error_for_a_wrong_file_names_the_expected_contents(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("")
    right = {"game": "a game is a .py file, a tree a .toml file"}.get(
        kind, "an engine is a .py file, its options a .toml file"
    )
    message = wrong(registry._load_file, str(file), kind)
    assert message == (BadInput, f"{file} is not a Python file ({right})")


def test_engines_go_by_other_names_too() -> None:
    names = {"alpha-beta": "alphabeta", "Iterative_Deepening": "iterative", "MiniMax": "minimax"}
    assert {word: registry.engine_class(word).name for word in names} == names
    message = wrong(registry.engine_class, "minimux")
    assert message == (Usage, "unknown engine 'minimux'; did you mean 'minimax'?")
    listed = "(gameplay engines lists them); for an engine of your own, give its file: ./NAME.py"
    assert wrong(registry.engine_class, "x") == (Usage, f"unknown engine 'x' {listed}")


def test_error_lists_engines_that_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    pig, monopoly = registry.game("tests/examples/games/pig.py").new(), registry.game("monopoly").new()
    minimax, _ = registry.engine("minimax")
    able = [name for name in registry.engine_names() if registry.engine_class(name).suitability(pig)]
    assert wrong(registry.check_engine, minimax, pig) == (
        Usage, f"minimax cannot play this: pig has chance in it (these can: {', '.join(able)})"
    )  # fmt: skip
    registry.check_engine(minimax, registry.game("nim").new())
    ordered, _ = registry.engine("alphabeta:order=evaluation")
    assert wrong(registry.check_engine, ordered, registry.game("nim").new())[0] is Usage, (
        "an option cannot matter"
    )
    monkeypatch.setattr(registry, "engine_names", lambda: ["minimax", "alphabeta"])
    assert wrong(registry.check_engine, minimax, pig)[1].endswith(" (these can: none)")
    assert wrong(registry.default_engine, monopoly) == (Usage, "no engine can play monopoly")
    tictactoe = registry.game("tictactoe").new()
    suits = [registry.engine_class(name).suitability(tictactoe) for name in ("minimax", "alphabeta")]
    best = ("minimax", "alphabeta")[suits[1] > suits[0]]
    assert registry.default_engine(tictactoe).name == best


def test_engine_and_limit_are_separated(tmp_path: Path) -> None:
    engine, limit = registry.engine("iterative:depth=3,nodes=400,time=1.5,multipv=2,table=off")
    assert str(engine) == "iterative:table=off" and limit == Limit(3, 400, 1.5, multipv=2)
    assert registry.engine("mcts:sims=7")[1] == Limit(simulations=7)
    assert registry.engine("iterative")[1] == Limit()
    file = tmp_path / "a.toml"
    file.write_text('engine = "iterative"\ndepth = 3\npvs = false\naspiration = true\neval = "w.toml"\n')
    engine, limit = registry.engine(f"{file}:nodes=5")
    assert str(engine) == f"iterative:pvs=off,eval={tmp_path / 'w.toml'}" and limit == Limit(3, 5)
    for text, words in (
        ("engine = ", f"{file} is not TOML: Invalid value (at end of document)"),
        ("depth = 3", f'{file} names no engine. Try: engine = "iterative"'),
        ("engine = 3", f'{file} names no engine. Try: engine = "iterative"'),
    ):
        file.write_text(text)
        assert wrong(registry.engine, str(file)) == (BadInput, words)
    file.unlink()
    assert wrong(registry.engine, str(file)) == (UnreadableFile, f"there is no file {file}")


def test_a_file_of_knowledge_holds_one_class(tmp_path: Path) -> None:
    head = "from gameplay.knowledge.knowledge import Knowledge\n"
    message = "{}: expected one subclass of Knowledge with probe(position), found {}"
    for number, (text, listed) in enumerate(
        (
            ("class One(Knowledge): pass\n", None),
            ("class One(Knowledge): pass\nclass _Two(Knowledge): pass\nclass Three: pass\n", None),
            ("class One: probe = advise = check_supported = 1\n", None),
            ("one = 3\nclass Half: probe = advise = 1\n", "none"),
            ("class One(Knowledge): pass\nclass Two(Knowledge): pass\n", "One, Two"),
        )
    ):
        file = tmp_path / f"k{number}.py"
        file.write_text(head + text)
        if listed is None:
            assert registry.knowledge_class(str(file)).__name__ == "One"
        else:
            assert wrong(registry.knowledge_class, str(file)) == (BadInput, message.format(file, listed))
    assert wrong(registry.knowledge_class, "a.txt") == (
        Usage, "knowledge must be a Python file with a subclass of Knowledge, not 'a.txt'. "
        "Try: knowledge=FILE.py"
    )  # fmt: skip


@pytest.mark.parametrize("spec", ("tictactoe", "connect4:columns=4,rows=4"))
def test_engine_accepts_tables_as_the_command_line_does(spec: str, tmp_path: Path) -> None:
    from gameplay.cli import router, run

    assert run(router, "gameplay", ["table", "build", spec, "--folder", str(tmp_path)]) == 0
    start = registry.game(spec).new()
    plain, _ = registry.engine("iterative")
    engine, limit = registry.engine(f"iterative:tables={tmp_path},depth=8")
    assert limit.depth == 8 and engine.known == {"tables": str(tmp_path)}
    report, other = engine.search(start, limit), plain.search(start, limit)
    assert report.probes > 0 and report.exact and report.nodes < other.nodes
    with pytest.raises(Usage, match="leave tables out"):
        registry.engine(f"random:tables={tmp_path}")
    with pytest.raises(BadInput, match="no folder"):
        registry.engine("iterative:tables=/nowhere")[0].search(start, limit)


def test_engine_names_the_use_of_a_book_and_loads_knowledge_from_a_file(tmp_path: Path) -> None:
    start = registry.game("tictactoe").new()
    with pytest.raises(Usage, match="probed only before a search"):
        registry.engine("iterative:book=own")[0].search(start, Limit(depth=2))
    (tmp_path / "drawn.py").write_text(
        "from gameplay.knowledge.knowledge import Advice, Knowledge\n"
        "class Drawn(Knowledge):\n    in_search = True\n"
        "    def probe(self, position):\n        return Advice(value=0, exact=True)\n"
    )
    engine, limit = registry.engine(f"iterative:knowledge={tmp_path}/drawn.py,depth=3")
    assert engine.known == {"knowledge": f"{tmp_path}/drawn.py"} and limit.depth == 3
