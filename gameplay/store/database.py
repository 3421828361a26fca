"""The SQLite file of a store: opening, migrations, transactions and error messages.

In WAL mode with full syncs a committed transaction survives kill -9 and, on a disk that flushes its
cache, a power cut. WAL needs shared memory, so the file is in DELETE mode on a network drive.
`user_version` is the schema version; `MIGRATIONS` upgrades any older version.

    run    the plan, the facts that decide its games, the code that plays it, its state
    game   one attempt at one leg of a pair; the index `settled` allows one counted attempt per leg
    note   messages about a run, with their time
    lock   which process plays a run (`gameplay.store.run_lock`)
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from gameplay import file_io
from gameplay.errors import BadInput, TryLater

APPLICATION = 0x47504C59  # "GPLY", the application id of the file
BUSY_TIMEOUT = 10.0  # seconds to wait while another process writes

MIGRATIONS = (
    """
    CREATE TABLE run (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, plan TEXT NOT NULL,
        facts TEXT NOT NULL, identity TEXT NOT NULL, code TEXT NOT NULL, seed INTEGER NOT NULL,
        created TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('open', 'finished', 'stopped', 'failed')),
        verdict TEXT NOT NULL DEFAULT '', stop INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE game (
        run TEXT NOT NULL REFERENCES run (id), pair INTEGER NOT NULL, leg INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('counted', 'void', 'after_stop', 'quarantined')),
        names TEXT NOT NULL, first INTEGER NOT NULL, points REAL, payoffs TEXT NOT NULL,
        termination TEXT NOT NULL, offender TEXT NOT NULL, fault TEXT NOT NULL, plies INTEGER NOT NULL,
        seconds REAL NOT NULL, times TEXT NOT NULL, host TEXT NOT NULL, finished TEXT NOT NULL,
        trail TEXT NOT NULL, job TEXT NOT NULL, record TEXT NOT NULL, crc INTEGER NOT NULL,
        PRIMARY KEY (run, pair, leg, attempt)
    ) STRICT;
    CREATE UNIQUE INDEX settled ON game (run, pair, leg) WHERE state <> 'void';
    CREATE TABLE note (run TEXT NOT NULL REFERENCES run (id), at TEXT NOT NULL, text TEXT NOT NULL) STRICT;
    CREATE TABLE lock (
        run TEXT PRIMARY KEY REFERENCES run (id), owner TEXT NOT NULL, renewed REAL NOT NULL
    ) STRICT;
    """,
)

SIGNATURE = b"SQLite format 3\0"  # first bytes of the file
PAGE = 4096  # bytes, SQLite's default page size
MAX_SIZE = 1 << 36  # bytes; a larger size in the header of a damaged store is ignored
NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "fuse.sshfs"}

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_LATER = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "not writable: no permission, or a read-only drive",
    sqlite3.SQLITE_BUSY: f"another process has held the write lock for more than {BUSY_TIMEOUT:g} seconds",
    sqlite3.SQLITE_LOCKED: "locked by another process",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
    sqlite3.SQLITE_IOERR: "the drive reports an error",
    sqlite3.SQLITE_PERM: "no permission",
}
_UNUSABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)  # of the wrong file
REPAIR_ADVICE = "save what can be read: gameplay run export RUN --repair --store FILE"


connections = 0  # open connections: a process with any must not fork


class Database:
    """A connection to the file. Use it from one thread, and close it.

    Raises BadInput if the file is damaged, belongs to another program, has a newer version or cannot be
    opened; TryLater if it cannot be used now: full disk, locked by another process, no longer writable.
    """

    def __init__(self, path: Path, make: bool, repair: bool, synchronous: str, parents: bool = False) -> None:
        """`parents`: create all missing folders, not only the last one."""
        global connections
        self.path = path
        self.writable = not repair
        if not file_io.present(path):
            if not make or repair:
                raise BadInput(f"there is no store {path}: nothing has been stored there")
            try:
                path.parent.mkdir(parents=parents, exist_ok=True)
            except FileExistsError as error:
                raise BadInput(
                    f"{error.filename} is a file, not a folder; choose another --store FILE"
                ) from None
            except OSError as error:
                if isinstance(error, FileNotFoundError) and not parents:
                    missing = next(folder for folder in reversed(path.parents) if not folder.exists())
                    raise BadInput(
                        f"there is no folder {missing} for the store {path}. Try: mkdir -p {path.parent}"
                    ) from None
                kind = TryLater if error.errno in file_io.FULL else BadInput
                raise kind(
                    f"{path.parent} cannot be created: {error.strerror}; choose another --store FILE"
                ) from None
        elif not path.is_file():
            raise BadInput(
                f"{path} is {'a folder' if path.is_dir() else 'not a regular file'}; a store is a file"
            )
        self._copy = _copy_damaged(path) if repair else None
        with self._translate_errors(reading=True, opening=True):
            self._db = self._connect()
            connections += 1
            if repair:
                return
            try:
                self._check_owner()
                self._set_durability(synchronous)
                self._migrate()
                self._check_integrity()
            except BaseException:
                self._disconnect()
                raise

    def _disconnect(self) -> None:
        global connections
        self._db.close()
        connections -= 1

    def _connect(self) -> sqlite3.Connection:
        if self._copy is not None:
            return _open_copy(Path(self._copy.name) / "copy.db")
        name = self.path.resolve().as_uri()
        if self.writable and (not self.path.exists() or os.access(self.path, os.W_OK)):
            return sqlite3.connect(name, uri=True, timeout=BUSY_TIMEOUT, isolation_level=None)
        self.writable = False
        wal = self.path.with_name(self.path.name + "-wal")
        checkpointed = not wal.exists() or not wal.stat().st_size
        db = sqlite3.connect(f"{name}?mode=ro", uri=True, timeout=BUSY_TIMEOUT, isolation_level=None)
        try:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            db.close()
            if not (checkpointed and isinstance(error, sqlite3.OperationalError)):
                raise
            db = sqlite3.connect(f"{name}?immutable=1", uri=True, isolation_level=None)
        return db

    def _check_owner(self) -> None:
        """Check that the file is a store of this program before changing anything in it."""
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        # read after the tables, since another process may create the store now
        application = self._db.execute("PRAGMA application_id").fetchone()[0]
        version = self._version()
        if application != APPLICATION and (application or tables):
            raise BadInput(f"{self.path} belongs to another program; it is not a store of runs")
        if version > len(MIGRATIONS):
            raise BadInput(
                f"{self.path} was written by a newer gameplay (schema version {version}; this one supports "
                f"{len(MIGRATIONS)}): update gameplay"
            )

    def _set_durability(self, synchronous: str) -> None:
        """Set the journal mode and whether commits survive power cuts."""
        if not self.writable:
            return
        mode = "DELETE" if _is_on_network_drive(self.path) else "WAL"
        current = self._db.execute("PRAGMA journal_mode").fetchone()[0]
        if current != mode.lower():
            current = self._db.execute(f"PRAGMA journal_mode = {mode}").fetchone()[0]
        self._db.execute(f"PRAGMA synchronous = {synchronous if current == 'wal' else 'FULL'}")
        self._db.execute("PRAGMA foreign_keys = ON")

    def _migrate(self) -> None:
        """Upgrade the file to the current schema version."""
        if self._version() == len(MIGRATIONS):
            return
        with self.transaction():
            for script in MIGRATIONS[self._version() :]:  # read again: another process may have migrated
                for statement in _statements(script):
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id = {APPLICATION}")
            self._db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    def _version(self) -> int:
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

    def _check_integrity(self) -> None:
        result = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if result != "ok":
            raise self.damage_error(result)

    @contextmanager
    def _translate_errors(self, reading: bool = False, opening: bool = False) -> Iterator[None]:
        """Convert SQLite's errors to one-line errors. `reading`: any other failure means damage."""
        try:
            yield
        except sqlite3.Error as error:
            kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if kind in _UNUSABLE and (opening or not self.writable):
                raise BadInput(f"{self.path}: {_LATER[kind]}; choose another --store FILE") from None
            if kind in _LATER:
                raise TryLater(f"{self.path}: {_LATER[kind]}") from None
            if kind == sqlite3.SQLITE_NOTADB and not _is_ours(self.path):
                raise self._foreign_error() from None
            if not (reading or kind in _DAMAGED):
                raise
            raise self.damage_error(str(error).partition(" with text '")[0]) from None
        except UnicodeDecodeError:  # SQLite's own message contains damaged text
            raise self.damage_error("its schema is not UTF-8") from None

    def check_signature(self) -> None:
        """Raise BadInput for a file that is no SQLite file, whose copy is opened with another first page."""
        with self.path.open("rb") as file:
            head = file.read(len(SIGNATURE))
        if head and head != SIGNATURE and not _is_ours(self.path):
            raise self._foreign_error()

    def _foreign_error(self) -> BadInput:
        return BadInput(f"{self.path} is not a store of runs: it is not an SQLite file")

    def damage_error(self, problem: str) -> BadInput:
        """The error for a damaged file."""
        return BadInput(f"{self.path} is damaged ({' '.join(problem.split())}); {REPAIR_ADVICE}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """An atomic transaction, synced to the disk."""
        with self._translate_errors():
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def query(self, query: str, *values: Any, kind: Any = tuple[Any, ...]) -> list[Any]:
        """The rows of a read-only query, each a tuple of type `kind`."""
        with self._translate_errors(reading=True):
            rows = self._db.execute(query, values).fetchall()
        try:
            return list(msgspec.convert(rows, list[kind]))
        except msgspec.ValidationError as error:
            raise self.damage_error(f"{_table(query)}: {error}") from None


def _statements(script: str) -> list[str]:
    return [statement for statement in script.split(";") if statement.strip()]


def _copy_damaged(path: Path) -> tempfile.TemporaryDirectory[str]:
    """A temporary folder with `copy.db`, a copy of a damaged file that SQLite may modify.

    A truncated file is extended to its original size: SQLite rejects a shorter one.
    """
    folder = tempfile.TemporaryDirectory(prefix="gameplay-")
    copy = Path(folder.name) / "copy.db"
    for tail in ("", "-wal"):
        if os.path.exists(f"{path}{tail}"):
            shutil.copyfile(f"{path}{tail}", f"{copy}{tail}")
    head = path.open("rb").read(32)
    size = int.from_bytes(head[16:18], "big") * int.from_bytes(head[28:32], "big")
    if path.stat().st_size < size < MAX_SIZE:
        os.truncate(copy, size)
    return folder


def _open_copy(copy: Path) -> sqlite3.Connection:
    """Open the copy of a damaged file for reading row by row; invalid UTF-8 is accepted.

    If its schema is unreadable, its first page is replaced by that of a new store, which has the same
    tables on the same pages.
    """
    for again in (False, True):
        if again:
            _replace_first_page(copy)
        db = sqlite3.connect(copy, isolation_level=None)
        db.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        try:
            db.execute("SELECT rowid FROM game LIMIT 1").fetchall()
        except sqlite3.Error as error:
            if not again and getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_FULL:
                db.close()
                continue
        break
    return db


def _replace_first_page(copy: Path) -> None:
    with closing(sqlite3.connect(copy, isolation_level=None)) as db, suppress(sqlite3.Error):
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    copy.with_name(copy.name + "-wal").unlink(missing_ok=True)
    new = copy.with_name("new.db")
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        for script in MIGRATIONS:
            db.executescript(script)
    page = bytearray(new.read_bytes()[:PAGE])
    page[28:32] = (copy.stat().st_size // PAGE).to_bytes(4, "big")  # pages of the file
    page[32:40] = bytes(8)  # no free pages
    with open(copy, "r+b") as file:
        file.write(page)


def _is_ours(path: Path) -> bool:
    """True if the first page belongs to a store, even if the signature of SQLite is damaged."""
    try:
        with open(path, "rb") as file:
            page = file.read(PAGE)
    except OSError:
        return False
    return page[68:72] == APPLICATION.to_bytes(4, "big") or b"CREATE TABLE run (" in page


def _table(query: str) -> str:
    return query.partition(" FROM ")[2].partition(" ")[0]


def _is_on_network_drive(path: Path) -> bool:
    """True if the file is on a network drive, according to /proc/mounts; False if that is unavailable."""
    try:
        mounts = Path("/proc/mounts").read_text().splitlines()
    except OSError:
        return False
    place = path.resolve().parent
    kinds = {Path(fields[1]): fields[2] for fields in (line.split() for line in mounts) if len(fields) > 2}
    nearest = next((folder for folder in [place, *place.parents] if folder in kinds), None)
    return nearest is not None and kinds[nearest] in NETWORK
