"""Files as a whole: regular ones, read up to a limit; written completely or not at all, also when killed."""

import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import Any, BinaryIO

from gameplay.errors import BadInput, UnreadableFile

MAX_BYTES = 4_000_000  # bytes of a TOML file
LARGEST_CONTENT = 1_000_000_000  # bytes of any other file that is read into memory
CHUNK = 1 << 16  # bytes read at once from a file without a size

# For os.open: bytes as they are, not inherited. Windows has O_BINARY, POSIX the others.
BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
NEVER_WAITING = getattr(os, "O_NONBLOCK", 0)

FULL = (errno.ENOSPC, errno.EDQUOT)  # a full disk: temporary, unlike other failures

LEFT = 3600.0  # seconds after which a partial file is stale: writing takes less than one


def open_file(path: str | Path) -> BinaryIO:
    """A file, open for reading bytes. Raises OSError, also for what is not a regular file.

    A pipe without a writer would block, a device may never end.
    """
    descriptor = os.open(path, os.O_RDONLY | BINARY | NEVER_WAITING)
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "Not a regular file", str(path))


def present(path: str | Path) -> bool:
    """True if anything is there, also what cannot be read: a folder, a pipe, a loop of links."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL character
        return False
    except OSError:
        pass
    return True


def no_file(path: str | Path, kind: str = "file") -> str:
    """Why a path that is not a regular file cannot be read."""
    if os.path.isdir(path):
        return f"{path} is a folder, not a {kind}"
    return f"{path} is not a regular file" if present(path) else f"there is no {kind} {path}"


def unreadable(path: str | Path, error: OSError) -> str:
    """The message for a file that could not be read."""
    if isinstance(error, (FileNotFoundError, IsADirectoryError)):
        return no_file(path)
    return f"{path}: {error.strerror or error}"


def content(path: str | Path, largest: int = LARGEST_CONTENT) -> bytes:
    """The bytes of a regular file of at most so many. Raises OSError for another one, unread."""
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > largest:
            raise OSError(errno.EFBIG, f"File too large: more than {largest:,} bytes", str(path))
        if size:
            return file.read(size)
        parts = bytearray()  # an empty file, or one of the system: read(largest) would allocate that much
        while len(parts) < largest and (part := file.read(min(CHUNK, largest - len(parts)))):
            parts += part
        return bytes(parts)


def text(path: Path, largest: int = MAX_BYTES) -> str:
    """The text of a file of at most so many bytes. Raises BadInput, UnreadableFile if it cannot be opened."""
    try:
        return content(path, largest).decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise UnreadableFile(unreadable(path, error)) from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not a text file") from None


def toml(path: Path, largest: int = MAX_BYTES) -> dict[str, Any]:
    """Return the content of a TOML file. Raises BadInput, as `text` does."""
    return parse_toml(text(path, largest), path)


def parse_toml(source: str, path: Path) -> dict[str, Any]:
    """Parse the text of a TOML file. Raises BadInput, naming the file."""
    import tomllib

    try:
        return tomllib.loads(source)
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise BadInput(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise BadInput(f"{path} is nested too deep") from None


@contextmanager
def naming(path: Path, partial: Path | None = None) -> Iterator[None]:
    """Name the file in an OSError that names none, as of a full disk, or that names the partial file."""
    try:
        yield
    except OSError as error:
        if error.filename is None or (partial is not None and str(error.filename) == str(partial)):
            error.filename = str(path)
        raise


def write(path: Path, parts: Iterable[bytes]) -> None:
    """Put these parts, one after the other, in place of what a file held: all or nothing.

    Raises OSError, which names the file. Partial files of killed processes are removed.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with naming(path, beside):
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


def checksum(data: dict[str, Any]) -> str:
    """16 hex digits of what JSON can hold."""
    import json
    from hashlib import blake2b

    return blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=8).hexdigest()


def write_checked(path: Path, data: dict[str, Any]) -> None:
    """Write data as JSON with its checksum, as `write` does."""
    import json

    write(path, [json.dumps(data | {"checksum": checksum(data)}, indent=1).encode() + b"\n"])


def read_checked(path: Path, largest: int = MAX_BYTES) -> dict[str, Any]:
    """The data of a file of `write_checked`. Raises BadInput if it is not what was written."""
    import json

    try:
        data = json.loads(text(path, largest))
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.pop("checksum", None) != checksum(data):
        raise BadInput(f"{path} is damaged: its checksum is not that of its contents. Restore it from a copy")
    return data


def _age(path: Path) -> float:
    """Seconds since it was written; none if it is gone."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0
