"""Loads code from outside the package: a user's file or an entry point of an installed package."""

import contextlib
import importlib.util
import sys
import warnings
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from gameplay import file_io
from gameplay.errors import BadInput, Fault, GameplayError, Terminated, describe_exception, exception_text
from gameplay.once import once
from gameplay.usercode import supervisor
from gameplay.usercode.fence import fence
from gameplay.usercode.watchdog import CALL_SECONDS, time_limit

GROUPS = {"gameplay.games": "game", "gameplay.engines": "engine", "gameplay.evaluations": "evaluation"}


class NameTaken(UserWarning):
    """A plug-in is unavailable because its name is taken."""


class DamagedPackage(UserWarning):
    """The entry points of a package cannot be read and are ignored."""


def entry_points(group: str) -> dict[str, Any]:
    """The entry points of installed packages in a group, by name, not loaded.

    If two packages offer the same name, the first by package name is used; `clashes` reports the other.
    """
    if not any_installed():
        return {}
    by_name: dict[str, Any] = {}
    for point in _points(group):
        by_name.setdefault(point.name, point)
    return by_name


def clashes(group: str, own_name: Callable[[str], str]) -> dict[str, str]:
    """The taken names of plug-ins, each with an explanation.

    `own_name(name)`: the built-in game or engine that `name` denotes, "" if none.
    """
    if not any_installed():
        return {}
    kind, first, clashes = GROUPS[group], dict[str, Any](), dict[str, str]()
    for point in _points(group):
        source = f"the {kind} {point.name} of the package {_package(point)} ({point.value})"
        article = "an" if kind[0] in "aeiou" else "a"
        if own := own_name(point.name):
            clashes[own] = f"{source} is ignored: gameplay has {article} {kind} {own}"
        elif (other := first.setdefault(point.name, point)) is not point:
            clashes[point.name] = f"{source} is ignored: the package {_package(other)} offers this name too"
    return clashes


def warn(group: str, name: str, own_name: Callable[[str], str]) -> None:
    """Issue a NameTaken warning if a plug-in offers the name in use."""
    if clash := clashes(group, own_name).get(name):
        warnings.warn(f"{clash}; rename its entry point", NameTaken, stacklevel=3)


def any_installed() -> bool:
    """True if an installed package has entry points; most runs avoid importing `importlib.metadata`."""
    return _any_in(tuple(sys.path))


@cache
def _any_in(folders: tuple[str, ...]) -> bool:
    """The same for the folders of a path; cached, since every new engine needs it."""
    for folder in folders:
        for pattern in ("*.dist-info/entry_points.txt", "*.egg-info/entry_points.txt"):
            with contextlib.suppress(OSError):  # a folder, or a file in it, that cannot be read
                for file in Path(folder or ".").glob(pattern):
                    text = file.read_bytes()
                    if any(f"[{group}]".encode() in text for group in GROUPS):
                        return True
    return False


def _points(group: str) -> list[Any]:
    """The entry points of a group by name, without those of damaged packages, which are reported once."""
    from importlib.metadata import distributions

    by_package: dict[str, list[Any]] = {}  # by package: the first one on the path counts
    for package in distributions():
        try:
            text = package.read_text("entry_points.txt") or ""
            if f"[{group}]" in text:
                by_package.setdefault(package.metadata["Name"], _read(package, group))
        except Exception as error:  # parsers of the standard library raise errors of any kind
            if isinstance(error, UnicodeDecodeError) and f"[{group}]".encode() not in error.object:
                continue  # another program's
            why = str(error) if type(error) is ValueError else "it is malformed"
            sentence = (
                f"the package {package.metadata['Name']} in {package.locate_file('')} is damaged, and its "
                f"{GROUPS.get(group, 'entry point')}s are left out: entry_points.txt: {why}"
            )
            if sentence not in _reported:
                _reported.add(sentence)
                warnings.warn(sentence, DamagedPackage, stacklevel=4)
    points = [point for points in by_package.values() for point in points]
    return sorted(points, key=lambda point: (point.name, _package(point), point.value))


_reported: set[str] = set()


def _read(package: Any, group: str) -> list[Any]:
    """The entry points of a package in a group. Raises ValueError for one that names no object."""
    points = [point for point in package.entry_points if point.group == group]
    for point in points:
        if not point.name or not point.pattern.match(point.value):
            raise ValueError(
                f"'{point.name} = {point.value}' names no object, as in 'mine = package.games:Mine'"
            )
    return points


def _package(point: Any) -> str:
    """The package of an entry point."""
    return str(point.dist.metadata["Name"]) if point.dist is not None else point.module.partition(".")[0]


def load(kind: str, point: Any) -> Any:
    """Load the object of an entry point. Raises Fault if its package fails."""
    supervisor.start(point.value)
    fence(point.module)
    try:
        return point.load()
    except Terminated:
        raise
    except (Exception, SystemExit) as error:
        raise Fault(f"{kind} {point.name}: {point.value} raised {exception_text(error)}") from error


def load_module(path: Path, right: str) -> ModuleType:
    """Load the module in a file. Raises BadInput with `right`, the expected form, or Fault if it fails."""
    if path.is_dir() or (path.exists() and path.suffix != ".py"):
        raise BadInput(f"{path} is not a Python file ({right})")
    if not path.is_file():
        raise BadInput(file_io.no_file(path))
    return _load_module(path.resolve())


@once
def _load_module(path: Path) -> ModuleType:
    digest = blake2b(str(path).encode(errors="surrogateescape"), digest_size=8).hexdigest()
    name = f"gameplay_user_{path.stem}_{digest}"  # the same in every process: positions are pickled
    loader = SourceFileLoader(name, str(path))  # also of a link to a file of another suffix
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        compile(file_io.content(path), str(path), "exec")
    except (SyntaxError, ValueError) as error:  # null bytes were no error of syntax before Python 3.11.4
        line = getattr(error, "lineno", None)
        place = f"line {line}: " if line else ""
        raise BadInput(f"{path} is not Python: {place}{getattr(error, 'msg', error)}") from None
    supervisor.start(str(path))
    fence(name)
    sys.path.insert(0, str(path.parent))  # for imports of neighbouring files
    sys.modules[name] = module
    try:
        with time_limit(CALL_SECONDS, f"{path}, when imported,"):
            spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, (GameplayError, Terminated)) or not isinstance(error, (Exception, SystemExit)):
            raise
        raise Fault(f"{path}, when imported, raised {describe_exception(error)}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module
