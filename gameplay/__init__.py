"""Games and puzzles, the search behind them, and honest matches between engines.

What it offers to programs is listed in `__all__`; `__init__.pyi` declares it for type checkers.
"""

import os
from typing import Any

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

_HOMES = {
    "AbstractPosition": "position",
    "Adjudication": "runs.plan",
    "BACK": "board",
    "Board": "board",
    "CHANCE": "position",
    "Candidate": "search.report",
    "Engine": "search.engine",
    "Evaluation": "evaluation",
    "Game": "registry",
    "GameplayError": "errors",
    "Heuristic": "position",
    "ReviewedMove": "training.review",
    "Limit": "search.limit",
    "MatchGame": "runs.played",
    "MoveSolved": "suites.solving",
    "Openings": "runs.plan",
    "Position": "position",
    "Rating": "statistics.rating",
    "Record": "store.record",
    "Report": "search.report",
    "Review": "training.review",
    "RunProgress": "api.result",
    "RunResult": "api.result",
    "SearchTrace": "api.tracing",
    "SearchTree": "api.tracing",
    "SolvedGame": "api.solving",
    "Sprt": "runs.plan",
    "Tray": "board",
    "engine": "api.games",
    "env": "api.environments",
    "game": "api.games",
    "gym": "api.environments",
    "load_run": "api.matches",
    "play_match": "api.matches",
    "play_plan": "api.matches",
    "read_games": "api.reviewing",
    "resume": "api.matches",
    "review": "api.reviewing",
    "search_tree": "api.tracing",
    "selfplay": "api.matches",
    "solve": "api.solving",
    "tournament": "api.matches",
    "trace": "api.tracing",
    "undoable": "position",
    "vector_env": "api.environments",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    """Load public names on first use; `--help` needs none."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
