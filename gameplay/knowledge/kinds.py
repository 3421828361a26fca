"""Registry of knowledge classes: all classes in this package that have an `option`.

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
            item
            for item in vars(module).values()
            if inspect.isclass(item)
            and issubclass(item, Knowledge)
            and item.__module__ == module.__name__
            and item.option
        ]
    return classes


@cache
def options() -> tuple[str, ...]:
    """The option names in specs: each takes a path."""
    return tuple(sorted({USER_DEFINED, *(cls.option for cls in knowledge_classes())}))


def takes_file(option: str) -> bool:
    """True if the path of an option names a file; False for a folder."""
    return all(cls.path_kind == "file" for cls in knowledge_classes() if cls.option == option)


def supported_options(position: "AbstractPosition") -> list[str]:
    """The options of the classes that support the game of a position."""
    options = set()
    for cls in knowledge_classes():
        with contextlib.suppress(Usage):
            cls.check_supported(position)
            options.add(cls.option)
    return sorted(options)


def class_for(option: str, path: str) -> type[Knowledge]:
    """The class that reads a path: by suffix, or else the class without suffixes."""
    suffix = os.path.splitext(path)[1].lower()
    candidates = [cls for cls in knowledge_classes() if cls.option == option]
    return max(candidates, key=lambda cls: (suffix in cls.suffixes, not cls.suffixes))
