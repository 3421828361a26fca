"""Finds the kinds of knowledge: every class in this folder, at any depth, that has an `option`.

Several may share an option, and the suffix of the file then says which is meant. A class in a file of one's
own goes by the option `knowledge` (`gameplay.registry.knowledge_class` finds it).
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

OWN = "knowledge"  # the option that names a user-defined file


@cache
def kinds() -> list[type[Knowledge]]:
    """The classes, in the order of their files."""
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
    return tuple(sorted({OWN, *(kind.option for kind in kinds())}))


def takes_file(option: str) -> bool:
    """True if the path of an option is that of a file, which can be read and compared; False for folders."""
    return all(kind.takes == "file" for kind in kinds() if kind.option == option)


def fitting(position: "AbstractPosition") -> list[str]:
    """The options under which there is knowledge for the game of a position."""
    options = set()
    for kind in kinds():
        with contextlib.suppress(Usage):
            kind.fits(position)
            options.add(kind.option)
    return sorted(options)


def kind_of(option: str, path: str) -> type[Knowledge]:
    """The kind that reads a path: by suffix, or else the general one."""
    suffix = os.path.splitext(path)[1].lower()
    candidates = [kind for kind in kinds() if kind.option == option]
    return max(candidates, key=lambda kind: (suffix in kind.suffixes, not kind.suffixes))
