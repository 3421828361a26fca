"""Files that are never half written: a reader finds the old content or the new one, also after a kill."""

import os
from collections.abc import Iterable
from pathlib import Path


def write(path: Path, parts: Iterable[bytes]) -> None:
    """Put these parts, one after the other, in place of what a file held: all or nothing. Raises OSError."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
