"""The next command to type, in a form that works in the user's shell and folder."""

import os
import sys
from pathlib import Path

MAKE = "GAMEPLAY_MAKE"  # set by the Makefile: the target that was made


def command_line(command: str, *words: str) -> str:
    """`command` (play, selfplay, gameplay) with its arguments, as the user can type it in the current shell.

    After `make play` it is `make play ARGS=...`. `play` becomes `gameplay play` for a user who typed
    `gameplay`. The program is the bare name if the shell finds ours under it, its path if not, and
    `python -m gameplay` if none is installed.
    """
    import shlex

    tail = " ".join(map(shlex.quote, words))
    if os.environ.get(MAKE) == command:
        arguments = shlex.quote(tail.replace("$", "$$"))
        return f"make {command} ARGS={arguments}" if tail else f"make {command}"
    if command != "gameplay" and Path(sys.argv[0]).stem == "gameplay":
        return f"{_program('gameplay')} {command} {tail}".rstrip()
    return f"{_program(command)} {tail}".rstrip()


def _program(command: str) -> str:
    import shlex
    import shutil

    installed = [
        path
        for folder in (Path(sys.argv[0]).parent, Path(sys.executable).parent)
        for path in (folder / command, folder / f"{command}.exe")
        if path.is_file() and os.access(path, os.X_OK)
    ]
    on_path = shutil.which(command)
    if on_path and any(os.path.samefile(on_path, path) for path in installed):
        return command
    if installed:
        return shlex.quote(_relative_path(installed[0]))
    name = Path(sys.executable).name
    by_name = shutil.which(name)
    same = by_name is not None and os.path.abspath(by_name) == os.path.abspath(sys.executable)
    python = name if same else sys.executable
    return f"{shlex.quote(python)} -m gameplay" + ("" if command == "gameplay" else f" {command}")


def _relative_path(path: Path) -> str:
    """The path relative to the current folder, if it is below that; else the full path."""
    full = Path(os.path.abspath(path))
    return str(full.relative_to(Path.cwd())) if full.is_relative_to(Path.cwd()) else str(full)
