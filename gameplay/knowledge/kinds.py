"""Registry of knowledge classes: every class in this package, at any depth, that has an `option`.

Classes that share an option are selected by the suffix of the file. A user-defined class has the option
`knowledge` (`gameplay.registry.knowledge_class` loads it).
"""

import contextlib
import importlib
import inspect
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay.errors import Usage
from gameplay.knowledge.knowledge import Knowledge

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

USER_DEFINED = "knowledge"  # the option that names a user-defined file


@cache
def knowledge_classes() -> list[type[Knowledge]]:
    """All classes, in the order of their file names."""
    classes: list[type[Knowledge]] = []
    folder = Path(__file__).parent
    for file in sorted(folder.rglob("[!_]*.py"), key=lambda file: file.stem):
        package = ".".join(file.parent.relative_to(folder.parents[1]).parts)
        module = importlib.import_module(f"{package}.{file.stem}")
        classes += [
            thing
            for thing in vars(module).values()
            if inspect.isclass(thing)
            and issubclass(thing, Knowledge)
            and thing.__module__ == module.__name__
            and thing.option
        ]
    return classes


@cache
def options() -> tuple[str, ...]:
    """The option names in specs: each takes a path."""
    return tuple(sorted({USER_DEFINED, *(kind.option for kind in knowledge_classes())}))


def takes_file(option: str) -> bool:
    """True if the path of an option names a file; False for a folder."""
    return all(kind.path_kind == "file" for kind in knowledge_classes() if kind.option == option)


def supported_options(position: "AbstractPosition") -> list[str]:
    """The options of the classes that support the game of a position."""
    options = set()
    for kind in knowledge_classes():
        with contextlib.suppress(Usage):
            kind.check_supported(position)
            options.add(kind.option)
    return sorted(options)


def class_for(option: str, path: str) -> type[Knowledge]:
    """The class that reads a path: by suffix, or else the class without suffixes."""
    suffix = os.path.splitext(path)[1].lower()
    candidates = [kind for kind in knowledge_classes() if kind.option == option]
    return max(candidates, key=lambda kind: (suffix in kind.suffixes, not kind.suffixes))
