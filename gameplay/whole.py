"""Files as a whole: written completely or not at all, also when killed; TOML read up to a limit."""

import os
import time
from collections.abc import Iterable
from glob import escape
from pathlib import Path
from typing import Any

from gameplay.errors import BadInput

LARGEST = 4_000_000  # bytes of a TOML file

LEFT = 3600.0  # seconds after which nobody can be writing any more: writing takes less than one


def text(path: Path, largest: int = LARGEST) -> str:
    """The text of a file of at most so many bytes. Raises BadInput for a larger one, unread."""
    try:
        with open(path, "rb") as file:
            content = file.read(largest + 1)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    if len(content) > largest:
        raise BadInput(f"{path} has more than {largest:,} bytes, the largest file that is read here")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not a text file") from None


def toml(path: Path, largest: int = LARGEST) -> dict[str, Any]:
    """What a TOML file holds. Raises BadInput, as `text` does."""
    return parsed(text(path, largest), path)


def parsed(source: str, path: Path) -> dict[str, Any]:
    """What the text of a TOML file holds. Raises BadInput, naming the file."""
    import tomllib

    try:
        return tomllib.loads(source)
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise BadInput(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise BadInput(f"{path} is nested too deep") from None


def write(path: Path, parts: Iterable[bytes]) -> None:
    """Put these parts, one after the other, in place of what a file held: all or nothing. Raises OSError.

    What somebody who was killed left beside it is removed.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
    for other in path.parent.glob(f".{escape(path.name)}.*.part"):
        if _age(other) > LEFT:
            other.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Seconds since it was written; none if it is gone."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0
