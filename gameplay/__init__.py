"""Games and puzzles, the search behind them, and honest matches between engines."""

import os
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if os.environ.get("GAMEPLAY_PURE"):  # take the .py files although compiled ones lie beside them
    import importlib.util
    import sys

    class _SourceFirst:
        @staticmethod
        def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
            if name.startswith(__name__ + ".") and path:
                for folder in path:
                    file = os.path.join(folder, name.rpartition(".")[2] + ".py")
                    if os.path.isfile(file):
                        return importlib.util.spec_from_file_location(name, file)
            return None

    sys.meta_path.insert(0, _SourceFirst)

if TYPE_CHECKING:
    from gameplay.board import BACK, Board, Tray
    from gameplay.evaluation import Evaluation
    from gameplay.position import CHANCE, Heuristic, Position, undoable
    from gameplay.search.limit import Limit
    from gameplay.search.report import Report

__all__ = [
    "BACK",
    "CHANCE",
    "Board",
    "Evaluation",
    "Heuristic",
    "Limit",
    "Position",
    "Report",
    "Tray",
    "undoable",
]

_HOMES = {
    "BACK": "board",
    "Board": "board",
    "Evaluation": "evaluation",
    "Limit": "search.limit",
    "Report": "search.report",
    "Tray": "board",
}


def __getattr__(name: str) -> Any:
    """What the package offers is loaded when it is asked for: `--help` asks for none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'position')}"), name)
