"""Boards too large for 64 bits: the same source of a compiled game, run as plain Python.

Plain ints have no width, so a kernel game that is not compiled plays any size. Its uncompiled kernel is not
the engines' own, so they take it for a game written in Python and adapt it.
"""

import builtins
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from gameplay.native import nocython
from gameplay.once import once


@once
def wide(module: str, cls: str) -> type:
    """The class `cls` of a module of this package, from source."""
    wide_class: type = getattr(_source(module), cls)
    return wide_class


@once
def _source(name: str) -> ModuleType:
    folder = Path(__file__).parents[1]
    path = folder.joinpath(*name.split(".")[1:]).with_suffix(".py")
    spec = importlib.util.spec_from_file_location(name.replace("gameplay.", "gameplay.wide_", 1), path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__builtins__"] = {**vars(builtins), "__import__": _import}
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def _import(name: str, *args: Any) -> Any:
    """Plain Python in place of `cython` and of the compiled kernel; everything else is compiled."""
    if name == "cython":
        return nocython
    if name in ("gameplay.kernel", "gameplay.native.move_stack"):
        return _source(name)
    return builtins.__import__(name, *args)
