"""Adoption of custom classes and functions as engines, fact by fact, and refusals."""

import linecache
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gameplay import adoption
from gameplay.errors import BadInput
from gameplay.search.engine import Engine
from gameplay.search.user_engine import UserEngine
from gameplay.usercode import fence

pytestmark = pytest.mark.once

HEAD = """
from dataclasses import dataclass, field
from os.path import join
from gameplay import Report
from gameplay.engines.alphabeta import AlphaBeta
from gameplay.search.engine import Engine
from gameplay.search.user_engine import UserEngine
"""


@pytest.fixture
def silenced_modules(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules that were silenced."""
    log: list[str] = []
    monkeypatch.setattr(fence, "silence", log.append)
    return log


@pytest.fixture
def mine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Any]:
    """A custom module whose lines are those of a file."""

    def make_module(text: str) -> Any:
        module = types.ModuleType("somebody")
        monkeypatch.setitem(sys.modules, "somebody", module)
        module.__file__ = str(tmp_path / "mine.py")
        Path(module.__file__).write_text(text)
        linecache.checkcache()
        exec(HEAD, module.__dict__)
        exec(compile(text, module.__file__, "exec"), module.__dict__)
        return module

    return make_module


def adopt(thing: Any, name: str = "file", place: str = "./mine.py") -> Any:
    return adoption.engine_of(thing, name, place)


# -- what is meant --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x = 3\n", []),
        ("def one(p): 0\ndef two(p): 0\ndef _three(p): 0\n", ["one", "two"]),
        ("def one(p): 0\ndef choose(p): 0\n", ["choose"]),
        ("def choose(p): 0\nclass A:\n  def search(self, p): 0\nclass B: pass\n", ["A"]),
        ("class _A:\n  def search(self, p): 0\ndef one(p): 0\n", ["one"]),
        ("class A(Engine): pass\nclass B:\n  def search(self, p): 0\n", ["A", "B"]),
        ("other = join\nclass B: pass\n", []),
    ],
)
def test_adoptable_definitions_of_a_module(text: str, names: list[str], mine: Callable[[str], Any]) -> None:
    assert list(adoption.engine_candidates(mine(text))) == names


def test_accepted_forms_of_custom_engines() -> None:
    class Searches:
        search = None

    class Sub(Engine):
        pass

    for thing in (Searches, Sub, len, lambda position: 0, Searches.__init__):
        assert adoption.is_engine(thing) is True
    for thing in (Engine, UserEngine, object, 3, "search", Searches()):
        assert adoption.is_engine(thing) is False


# -- facts ----------------------------------------------------------------------------------------------


def test_a_function_is_an_engine_that_plays_everything(
    mine: Callable[[str], Any], silenced_modules: list[str]
) -> None:
    text = "def choose(position, depth=3, *more, watch=None, wide=True, **named):\n  'Takes the first.'\n"
    thing = mine(text).choose
    engine = adopt(thing)
    assert silenced_modules == ["somebody"] and adopt(thing) is engine and silenced_modules == ["somebody"]
    assert issubclass(engine, UserEngine) and (engine.__name__, engine.__module__) == ("choose", "somebody")
    assert (engine.name, engine.place, engine.where) == ("file", "./mine.py", " (mine.py, line 1)")
    assert (engine.thing, engine.method, engine.__doc__) == (thing, "", "Takes the first.")
    assert (engine.respects_limits, engine.players, engine.priority) == (True, range(1, 1000), 0)
    options = engine.options()
    assert {
        name: (option.type, option.default, dict(option.metadata)) for name, option in options.items()
    } == {
        "depth": (int, 3, {}),
        "wide": (bool, True, {}),
    }
    assert engine(depth=4).call() == (thing, {"depth": 4, "wide": True})


@pytest.mark.parametrize(
    ("text", "respects_limits"),
    [
        ("def choose(position): return 0\n", False),
        ("def choose(position, limit): return 0\n", True),
        ("def choose(position, watch): return 0\n", True),
        ("def choose(position, limits=3): return 0\n", False),
        ("def choose(position): yield 0\n", True),
        ("choose = len\n", False),
    ],
)
def test_engines_that_receive_watch(
    text: str, respects_limits: bool, mine: Callable[[str], Any], silenced_modules: list[str]
) -> None:
    engine = adopt(mine(text).choose)
    assert engine.respects_limits is respects_limits and (engine.__doc__ == "An engine of your own.") == (
        text != "choose = len\n"
    )


def test_adopted_class_declares_its_capabilities(
    mine: Callable[[str], Any], silenced_modules: list[str]
) -> None:
    module = mine(
        "@dataclass\nclass Wide:\n  width: int = field(default=3, metadata={'words': 'How wide.'})\n"
        "  name = 'broad'\n  players = 2\n  chance = False\n  general_sum = False\n  priority = 7\n"
        "  multipv = True\n  thinks = False\n  other = 5\n"
        "  def search(self, position, limit): 0\n"
        "class Plain:\n  'Says nothing.'\n  def search(self, position): 0\n"
        "class Apart:\n  @staticmethod\n  def search(position, watch): 0\n"
        "  def __init__(self, *, seed=0): 0\n"
    )
    wide, plain, apart = (adopt(cls) for cls in (module.Wide, module.Plain, module.Apart))
    facts = (
        wide.players,
        wide.chance,
        wide.hidden,
        wide.general_sum,
        wide.thinks,
        wide.priority,
        wide.multipv,
    )
    assert facts == (range(2, 3), False, True, False, False, 7, True)
    assert (wide.name, wide.where, wide.method, wide.thing) == (
        "broad", " (mine.py, line 12)", "search", module.Wide,
    )  # fmt: skip
    assert not hasattr(wide, "other") and wide.respects_limits is True
    assert {name: (option.default, dict(option.metadata)) for name, option in wide.options().items()} == {
        "width": (3, {"words": "How wide."})
    }
    usual = {"players": range(1, 1000), "chance": True, "hidden": True, "general_sum": True, "thinks": True}
    assert {fact: getattr(plain, fact) for fact in usual} == usual
    assert (plain.priority, plain.multipv) == (0, False)
    assert (plain.name, plain.__doc__, plain.respects_limits, plain.options()) == (
        "file",
        "Says nothing.",
        False,
        {},
    )
    assert apart.respects_limits is True and list(apart.options()) == ["seed"]


def test_an_engine_of_the_house_keeps_its_judgement(
    mine: Callable[[str], Any], silenced_modules: list[str]
) -> None:
    module = mine("""\
class Judges(Engine):
  players = (2, 4)
  def search(self, position, limit, watch): 0
  @classmethod
  def incompatibility(cls, position): return 'never'
  def default_limit(self, position, limit): return 'mine'
class Quick(Engine):
  name = 'quick'
  def at_once(self, position, limit): return 0
class Both(Engine):
  thinks = False
  def at_once(self, position, limit): return 0
  def open(self, kernel, control, table): 0
class Opens(Engine):
  def at_once(self, position, limit): return 0
  def open(self, kernel, control, table): 0
class Searches(AlphaBeta):
  name = ''
  def searches(self, *given): return super().searches(*given)
""")
    judges = adopt(module.Judges)
    assert judges.incompatibility(None) == "never" and judges.players == range(2, 5)
    assert judges().default_limit(None, None) == "mine" and judges.check is UserEngine.check
    assert judges.suitability(None) == 0, "by its own incompatibility"
    quick, both = adopt(module.Quick), adopt(module.Both)
    assert (quick.method, quick.name, quick.players) == ("at_once", "quick", range(2, 3))
    assert both.method == "at_once" and issubclass(both, UserEngine)
    opens = adopt(module.Opens, "other", "./o.py")
    assert opens is module.Opens and (opens.name, opens.place) == ("other", "./o.py")
    assert opens.where == " (mine.py, line 14)"
    assert adopt(module.Searches) is module.Searches and module.Searches.name == "file"


# -- refusals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "mine = 3\n",
            " is not an engine; expected a function choose(position) that returns a move, or a class with"
            " search(position, limit, watch)",
        ),
        ("class mine: pass\n", " is not an engine; expected " + adoption.ENGINE_FORMS),
        (
            "class mine(Engine): pass\n",
            " has no search(position, limit, watch) that returns a move or a Report (nor"
            " at_once(position, limit) that returns a Report, nor open() that returns the search)",
        ),
        (
            "\ndef mine(): 0\n",
            ": mine() takes no position: write def choose(position) (mine.py, line 2)",
        ),
        (
            "class mine:\n  def search(self): 0\n",
            ": mine.search() takes no position: write def search(self, position, limit, watch)"
            " (mine.py, line 2)",
        ),
        (
            "class mine:\n  @staticmethod\n  def search(): 0\n",
            ": mine.search() takes no position: write def search(self, position, limit, watch)"
            " (mine.py, line 2)",
        ),
        (
            "def mine(position, wide): 0\n",
            ": mine() has a parameter without a value, wide: give wide a default to make it an option"
            " (mine.py, line 1)",
        ),
        (
            "class mine:\n  def search(self, position, limit, wide): 0\n",
            ": mine.search() has a parameter without a value, wide: write def"
            " search(self, position, limit, watch) (mine.py, line 2)",
        ),
        (
            "class mine:\n  def __init__(self, *more, width): 0\n  def search(self, position): 0\n",
            ": the constructor needs width: give it a default to make it an option (mine.py, line 1)",
        ),
        (
            "class mine:\n  players = 0\n  def search(self, position): 0\n",
            ": players is 0. Try: players = 2, or range(2, 5) for 2 to 4",
        ),
    ],
)
def test_rejected_forms_of_custom_engines(
    text: str, words: str, mine: Callable[[str], Any], silenced_modules: list[str]
) -> None:
    with pytest.raises(BadInput) as refused:
        adopt(mine(text).mine)
    assert str(refused.value) == f"./mine.py{words}"


def test_optional_members_of_adopted_classes(mine: Callable[[str], Any], silenced_modules: list[str]) -> None:
    """The number of parameters, of those with a default, and of keyword-only ones."""
    text = "def {}(position, limit, watch, wide=3, *rows, deep=1, **named): return position.moves()[0]\n"
    module = mine(text.format("one") + "class Two:\n  " + text.format("search").replace("(", "(self, ", 1))
    assert list(adopt(module.one).options()) == ["wide", "deep"]
    assert list(adopt(module.Two).options()) == []


def test_number_of_players() -> None:
    for players, right in (
        (2, range(2, 3)), (1, range(1, 2)), (range(3, 9, 2), range(3, 9, 2)), ([2, 4, 3], range(2, 5)),
        ((5,), range(5, 6)), ({2, 3}, range(2, 4)),
    ):  # fmt: skip
        assert adoption._player_range(players, "x") == right
    for players in (0, -1, [], (), [2, 0], "2", 2.0, None, ["2"], {2: 3}):
        with pytest.raises(BadInput) as refused:
            adoption._player_range(players, "x")
        words = f"x: players is {players!r}. Try: players = 2, or range(2, 5) for 2 to 4"
        assert str(refused.value) == words


def test_c_function_without_signature_receives_a_position() -> None:
    (parameter,) = adoption._parameters(min).values()
    assert (parameter.name, parameter.kind, parameter.default) == (
        "position",
        parameter.POSITIONAL_OR_KEYWORD,
        parameter.empty,
    )
