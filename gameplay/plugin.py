"""Code from outside the package: a file somebody wrote, or what an installed package offers."""

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from gameplay import supervisor
from gameplay.errors import BadInput, Fault, GameplayError, Terminated, raised
from gameplay.fence import fence
from gameplay.watchdog import PATIENCE, patience


def offered(group: str) -> dict[str, Any]:
    """What installed packages offer under an entry point, by name, not loaded yet."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=group)}


def loaded(kind: str, point: Any) -> Any:
    """What an entry point stands for. Raises Fault if its package fails."""
    supervisor.start(point.value)
    fence(point.module)
    try:
        return point.load()
    except Terminated:
        raise
    except (Exception, SystemExit) as error:
        raise Fault(f"{kind} {point.name}: {point.value} raised {type(error).__name__}: {error}") from error


def module(path: Path, right: str) -> ModuleType:
    """The module in a file. Raises BadInput, which says what would be `right`, or Fault if it fails."""
    if not path.exists():
        raise BadInput(f"there is no file {path}")
    if path.is_dir() or path.suffix != ".py":
        raise BadInput(f"{path} is not a Python file ({right})")
    return _module(path.resolve())


@cache
def _module(path: Path) -> ModuleType:
    from hashlib import blake2b

    digest = blake2b(str(path).encode(errors="surrogateescape"), digest_size=8).hexdigest()
    name = f"gameplay_user_{path.stem}_{digest}"  # the same in every process: positions are pickled
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        compile(path.read_bytes(), str(path), "exec")
    except (SyntaxError, ValueError) as error:  # null bytes were no error of syntax before Python 3.11.4
        line = getattr(error, "lineno", None)
        place = f"line {line}: " if line else ""
        raise BadInput(f"{path} is not Python: {place}{getattr(error, 'msg', error)}") from None
    supervisor.start(str(path))
    fence(name)
    sys.path.insert(0, str(path.parent))  # so that it may import its neighbours
    try:
        with patience(PATIENCE, f"{path}, when imported,"):
            found.loader.exec_module(module)
    except (GameplayError, Terminated):
        raise
    except (Exception, SystemExit) as error:
        raise Fault(f"{path}, when imported, raised {raised(error)}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module
