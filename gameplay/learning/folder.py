"""The folder of a learning run: settings, lock, stop request and time.

run.json       the settings, which never change, with a checksum; `method` says what learns
seconds        the time spent on games; the other files do not depend on it
lock, stop     the pid of the learning process; a request to stop
"""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, ClassVar, Self, get_origin

from gameplay import file_io
from gameplay.errors import BadInput, TryLater, Usage

FORMAT = 1
MAX_SETTING = 10**9  # of each number in the settings, except the seed


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """The settings of a run and the format of its files."""

    format: int = FORMAT
    code: str = ""  # digest of the game's file; empty: the game is part of the program


def code_of(game: str) -> str:
    """The digest of the file that the spec of a game names, or of no content if it cannot be read."""
    file = file_of(game)
    if not file:
        return ""
    try:
        content = file_io.content(Path(file))
    except OSError:
        content = b""
    return blake2b(content, digest_size=8).hexdigest()


def file_of(game: str) -> str:
    """The file that the spec of a game names; empty: none."""
    file = game.partition(":")[0]
    return file if file.endswith((".py", ".toml")) else ""


class RunFolder:
    """The folder of a run of any method."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, settings: dict[str, Any]) -> None:
        """Create the folder with these settings. Raises Usage unless it is new or empty, OSError."""
        folder = self.folder
        if (folder / "run.json").exists():
            raise Usage(f"{folder} holds a learning run: resume it with `gameplay learn resume {folder}`")
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Usage(f"--out {folder} is not an empty folder: name a new one")
        folder.mkdir(parents=True, exist_ok=True)
        file_io.write_checked(folder / "run.json", settings)

    def settings_in(self) -> dict[str, Any]:
        """The stored settings. Raises Usage if there is no run, BadInput if damaged."""
        folder = self.folder
        if not (folder / "run.json").exists():
            raise Usage(
                f"{folder} holds no learning run: start one with `gameplay learn GAME --out {folder}`"
            )
        data = file_io.read_checked(folder / "run.json")
        if data.get("format") != FORMAT:
            raise BadInput(
                f"{folder}/run.json has format {data.get('format')!r}; this version reads {FORMAT}"
            )
        return data

    @property
    def seconds(self) -> float:
        """The seconds spent on games, on all machines; 0.0 if unknown."""
        try:
            return max(0.0, float((self.folder / "seconds").read_text()))
        except (OSError, ValueError):
            return 0.0

    def write_seconds(self, seconds: float) -> None:
        """Store the seconds spent on games."""
        path = self.folder / "seconds"
        with file_io.naming(path):
            path.write_text(f"{seconds:.3f}\n")

    @property
    def learning(self) -> int:
        """The pid of the process that is learning, 0 if none."""
        try:
            with open(self.folder / "lock", "r+") as lock:
                if _locked(lock):
                    return 0
                return int(lock.read() or 0)
        except (OSError, ValueError):
            return 0

    def request_stop(self) -> None:
        """Request the learning process to stop."""
        (self.folder / "stop").touch()

    @property
    def stop_requested(self) -> bool:
        """True after `request_stop`."""
        return (self.folder / "stop").exists()

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the lock of the run, clearing older stop requests.

        Raises TryLater if another process learns.
        """
        with open(self.folder / "lock", "a+") as lock:
            if not _locked(lock):
                raise TryLater(f"another process is running the learning run in {self.folder}: stop it first")
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            (self.folder / "stop").unlink(missing_ok=True)
            yield
            (self.folder / "stop").unlink(missing_ok=True)


def _locked(file: IO[str]) -> bool:
    """True if this process holds the lock; always true on systems without locks."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


class StoredRun(RunFolder):
    """A stored run of one method."""

    settings_class: ClassVar[type[Any]]

    def __init__(self, folder: Path, settings: Any) -> None:
        """Raises ValueError for settings of wrong types, or numbers outside 0 to `MAX_SETTING`."""
        super().__init__(folder)
        self.settings = settings
        for field in fields(settings):
            value, expected = getattr(settings, field.name), get_origin(field.type) or field.type
            number = type(value) is int and 0 <= value <= (2**63 - 1 if field.name == "seed" else MAX_SETTING)
            if not (number if expected is int else type(value) is expected or (expected is float and number)):
                raise ValueError(f"settings out of range: {field.name}")

    @classmethod
    def begin(cls, folder: Path, settings: Any) -> Self:
        """A new run in a new or empty folder. Raises Usage if there is one already."""
        settings = replace(settings, code=code_of(settings.game))
        run = cls(folder, settings)
        run.create(asdict(settings))
        return run

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open a stored run. Raises BadInput, changing nothing, if it is damaged or its game has changed."""
        data = RunFolder(folder).settings_in()
        game, code = str(data.get("game")), data.get("code", "")
        if code and code != code_of(game):
            raise BadInput(
                f"{folder} is a run of another version of {file_of(game)}, which has changed since it began. "
                "Try: restore that file, or begin a new run"
            )
        try:
            run = cls(folder, cls.settings_class(**data))
            run.restore()
        except BadInput:
            raise
        except (TypeError, KeyError, AttributeError, ValueError, OverflowError):
            raise BadInput(f"{folder}: run.json or its state is not of a learning run") from None
        return run

    def restore(self) -> None:
        """Read the state of the run, if there is one."""
        raise NotImplementedError
