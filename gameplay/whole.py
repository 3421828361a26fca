"""Files that are never half written: a reader finds the old content or the new one, also after a kill."""

import os
import time
from collections.abc import Iterable
from glob import escape
from pathlib import Path

LEFT = 3600.0  # seconds after which nobody can be writing any more: writing takes less than one


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
