"""Custom engines that tests write and load."""

import pytest

from gameplay import Limit, Report, registry
from gameplay.errors import EngineFault

FIRST = "def choose(position):\n    return position.moves()[0]\n"


@pytest.fixture
def write_engine(tmp_path):
    def write(text: str, name: str = "mine.py") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def search(
    spec: str, limit: Limit | None = None, watch=None, game: str = "tictactoe", text: str = ""
) -> Report:
    return registry.engine(spec)[0].search(registry.game(game).new(text), limit, watch)


def engine_fault(spec: str, limit: Limit | None = None) -> EngineFault:
    with pytest.raises(EngineFault) as fault:
        search(spec, limit)
    assert "\n" not in str(fault.value)
    return fault.value


KINDS = {
    "a function": FIRST,
    "a function with a limit": "def choose(position, limit):\n  return position.moves()[limit.depth or 0]\n",
    "one of several functions": "def helper(x):\n    return x\n" + FIRST,
    "a class": "class Mine:\n  def search(self, position, limit, watch):\n    return position.moves()[0]\n",
    "a class that wants no more than the position": (
        "class Mine:\n    def search(self, position):\n        return position.moves()[0]\n"
    ),
    "a static method": (
        "class Mine:\n  @staticmethod\n  def search(position, watch):\n    return position.moves()[0]\n"
    ),
    "an Engine with search": (
        "from gameplay.search.engine import Engine\nclass Mine(Engine):\n"
        "    def search(self, position, limit, watch):\n        return position.moves()[0]\n"
    ),
    "an Engine that chooses at once": (
        "from gameplay import Report\nfrom gameplay.search.engine import Engine\nclass Mine(Engine):\n"
        "    thinks = False\n    def at_once(self, position, limit):\n"
        "        return Report(move=position.moves()[0])\n"
    ),
    "an Engine with a search of ours": (
        "from gameplay.engines.alphabeta import AlphaBeta\nclass Mine(AlphaBeta):\n    name = 'mine'\n"
    ),
}
OPENS = "from gameplay.engines.alphabeta import AlphaBeta\nclass Mine(AlphaBeta):\n  name = 'mine'\n"
BREAKS = {
    "moves": "def choose(position): return 99\n",
    "raises": "def choose(position): return 1 // 0\n",
    "repeat": "import itertools\nn = itertools.count()\ndef choose(p): return p.moves()[next(n) % 2]\n",
    "pv": "def choose(position): return {'move': position.moves()[0], 'value': 1, 'pv': [77]}\n",
    "depth": "def choose(position): return {'move': position.moves()[0], 'value': 1, 'depth': 9}\n",
    "nodes": "def choose(position): return {'move': position.moves()[0], 'value': 1, 'nodes': 10**6}\n",
    "position": OPENS + "  def check(self, p):\n    super().check(p)\n    p.make(p.moves()[0])\n",
}
