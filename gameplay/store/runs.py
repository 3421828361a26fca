"""Stored runs: the plan, every game played, and the process that plays the run.

A game counts once the transaction that stores it is committed. Totals are never stored, only computed by
queries (`gameplay.store.run_queries`). The file is described in `gameplay.store.database`.
"""

import os
import random
import re
import shlex
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from importlib.machinery import BYTECODE_SUFFIXES, EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import msgspec

from gameplay import __version__
from gameplay.errors import BadInput, TryLater, Usage, nearest
from gameplay.store import jsonl, run_lock
from gameplay.store.database import Database
from gameplay.store.jsonl import AFTER_STOP, COUNTED, StoredGame
from gameplay.store.saved import folder

OPEN, FINISHED, STOPPED, FAILED = STATES = ("open", "finished", "stopped", "failed")  # of a run
GENERATED_SUFFIXES = {*BYTECODE_SUFFIXES, *(f".{suffix.rpartition('.')[2]}" for suffix in EXTENSION_SUFFIXES)}
PROCESS_EXIT_TIME = 1.0  # seconds to wait for the end of a killed or closing process

_FIELDS = StoredGame.__struct_fields__
_COLUMNS = f"{', '.join(_FIELDS)}, crc"
_SELECT = f"SELECT {_COLUMNS} FROM game"
_INSERT = (
    f"INSERT INTO game (run, {', '.join(_FIELDS)}, crc) VALUES (?, {', '.join('?' for _ in _FIELDS)}, ?) "
    "ON CONFLICT DO NOTHING"
)
_JSON = {"names": list[str], "payoffs": list[float], "times": list[float]}
_RAW = ("job", "record")


class Run(msgspec.Struct, kw_only=True):
    """A stored run. plan: JSON for `runs.plan.decode`."""

    id: str
    title: str
    plan: bytes
    facts: dict[str, str]
    identity: str
    code: str
    seed: int
    created: str
    state: str
    verdict: str


_SELECT_RUN = f"SELECT {', '.join(Run.__struct_fields__)} FROM run"
_RUNS = f"{_SELECT_RUN} ORDER BY number DESC"


def default_path() -> Path:
    """The default file: in the user's data folder, or GAMEPLAY_HOME."""
    return folder().parent / "runs.db"


def code_version() -> str:
    """The version of this package and 8 hex digits of a hash of all its files: rules, types, weights.

    Excludes generated files (compiled modules, caches) and hidden files; everything else can influence games.
    """
    package = Path(__file__).parents[1]
    digest = blake2b(digest_size=4)
    for file in sorted(_sources(package)):
        relative, text = file.relative_to(package), file.read_bytes()
        digest.update(f"{relative.as_posix()} {len(text)}\n".encode() + text)
    return f"{__version__} {digest.hexdigest()}"


def _sources(package: Path) -> Iterator[Path]:
    for folder_path, folders, files in os.walk(package):
        folders[:] = [name for name in folders if name != "__pycache__" and not name.startswith(".")]
        for name in files:
            file = Path(folder_path, name)
            if file.suffix not in GENERATED_SUFFIXES and not name.startswith(".") and file.is_file():
                yield file


def now() -> str:
    """The current time in UTC: 2026-11-20T22:14:05Z."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Store(Database):
    """The runs in a file. A context manager that closes the file on exit."""

    def __init__(
        self, path: Path | None = None, *, make: bool = True, repair: bool = False, synchronous: str = "FULL"
    ) -> None:
        """make: False requires the file to exist. repair: open a damaged file to read its undamaged parts.
        synchronous: NORMAL commits without waiting for the disk: survives kill -9, not power cuts.
        """
        self.owned: set[str] = set()  # runs locked by this store
        self._renewed = 0.0
        self._readable: list[tuple[str, StoredGame]] | None = None
        file = default_path() if path is None else Path(path)
        super().__init__(file, make, repair, synchronous, parents=path is None)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the locks and close the file."""
        try:
            for run in list(self.owned):
                try:
                    self.unlock(run)
                except (TryLater, BadInput):
                    break  # the next process finds the lock stale
        finally:
            self._disconnect()
            if self._copy is not None:
                self._copy.cleanup()

    def command(self, *words: str) -> str:
        """A command of `gameplay run` for this file, as the user can type it."""
        option = [] if self.path == default_path() else ["--store", str(self.path)]
        return shlex.join(["gameplay", "run", *words, *option])

    # -- runs --------------------------------------------------------------------------------

    def create(self, run: Run) -> str:
        """Store a new run and return its id."""
        with self.transaction():
            return self.insert_run(run)

    def insert_run(self, run: Run) -> str:
        """Within a transaction: store a run and return its id, a new one if it has none."""
        name = run.id or self._new_id(msgspec.json.decode(run.plan)["game"])
        facts = msgspec.json.encode(run.facts).decode()
        self._db.execute(
            "INSERT INTO run (id, title, plan, facts, identity, code, seed, created, state, verdict) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (name, run.title, run.plan.decode(), facts, run.identity, run.code, run.seed, run.created,
             run.state, run.verdict),
        )  # fmt: skip
        return name

    def _new_id(self, game: str) -> str:
        """A new run id: the game and three syllables."""
        stem = re.sub(r"[^a-z0-9]", "", Path(game.partition(":")[0]).stem.lower()) or "run"
        rng = random.SystemRandom()
        while True:
            syllables = (rng.choice("bdklmnrtvz") + rng.choice("aiou") for _ in range(3))
            name = f"{stem}-{''.join(syllables)}"
            if not self.query("SELECT 1 FROM run WHERE id = ?", name):
                return name

    def runs(self) -> list[Run]:
        """All readable runs, newest first."""
        if self._copy is not None:
            return self._salvaged_runs()
        return [run for run in map(_read_run, self.query(_RUNS)) if run is not None]

    def check(self) -> None:
        """Raise BadInput if a run is damaged; the others remain usable."""
        damaged = [row for row in self.query(_RUNS) if _read_run(row) is None]
        if damaged:
            raise self.damage_error(
                f"{'the runs' if len(damaged) > 1 else 'the run'} {', '.join(map(_label, damaged))}"
            )

    def _salvaged_runs(self) -> list[Run]:
        """The readable parts of the runs of a damaged file, including runs known only from their games."""
        runs: list[Run] = []
        for number in range(self._max_row("run"), 0, -1):
            try:
                rows = self.query(f"{_SELECT_RUN} NOT INDEXED WHERE rowid = ?", number)
            except (BadInput, TryLater):
                continue
            runs += [_read_damaged_run(row) for row in rows]
        named = {run.id for run in runs}
        orphans = dict.fromkeys(run for run, _ in self.readable_games() if run not in named)
        idle = [run for run in runs if run.id not in {name for name, _ in self.readable_games()}]
        if len(idle) == len(orphans) == 1:  # the damaged field is the id of the run
            idle[0].id = orphans.popitem()[0]
        return runs + [
            _read_damaged_run((name, *[None] * (len(Run.__struct_fields__) - 1))) for name in orphans
        ]

    def readable_games(self) -> list[tuple[str, StoredGame]]:
        """The undamaged games of a damaged file, with the ids of their runs.

        Rows are read one by one without an index: only those on a damaged page are lost.
        """
        if self._readable is None:
            self._readable = []
            for number in range(1, self._max_row("game") + 1):
                try:
                    rows = self.query(f"SELECT run, {_COLUMNS} FROM game NOT INDEXED WHERE rowid = ?", number)
                except (BadInput, TryLater):
                    continue
                for run, *row in rows:
                    game = _read_game(tuple(row))
                    if game is not None and game.state in jsonl.STATES:
                        self._readable.append((run if isinstance(run, str) else f"{run}", game))
        return self._readable

    def _max_row(self, table: str) -> int:
        """The last row number of a table, or an upper bound if it is unreadable."""
        bound = self.path.stat().st_size // 50 + 10  # every row takes at least 50 bytes
        try:
            rows: list[tuple[int]] = self.query(
                f"SELECT coalesce(max(rowid), 0) FROM {table}", kind=tuple[int]
            )
            return min(bound, rows[0][0])
        except (BadInput, TryLater):
            return bound

    def find(self, name: str) -> Run | None:
        """The run with an id; None if there is none."""
        return next((run for run in self.runs() if run.id == name), None)

    def run(self, word: str) -> Run:
        """The run with an id, a unique part of an id, or a title, or the `last` one. Raises Usage."""
        every = self.runs()
        if self._copy is None and (word == "last" or not any(word in (run.id, run.title) for run in every)):
            self.check()  # the run in question may be damaged
        if not every:
            if self._copy is not None:
                self.check_signature()
            raise Usage(f"there is no run '{word}': {self.path} has no runs")
        if word == "last":
            return every[0]
        exact = [run for run in every if word == run.id]
        titled = [run for run in every if word == run.title]
        part = [run for run in every if word in (run.id[: len(word)], run.id.partition("-")[2])]
        runs = (exact or titled or part) if word else []
        if len(runs) > 1:
            raise Usage(f"'{word}' is ambiguous; runs: {', '.join(run.id for run in runs)}")
        if runs:
            return runs[0]
        if self._copy is not None:
            raise Usage(f"there is no run '{word}'; readable runs: {', '.join(run.id for run in every)}")
        near = nearest(word, [run.id for run in every] + [run.title for run in every if run.title])
        raise Usage(f"there is no run '{word}'{near} ({self.command('status')} lists them)")

    def set_state(self, run: str, state: str, verdict: str = "", after: int | None = None) -> None:
        """Set the state of a run; any state but `open` clears a stop request.

        after: games of later pairs no longer count, because they followed the stop; `open` counts them again.
        """
        with self.transaction():
            self._check_lock(run)
            self._db.execute("UPDATE run SET state = ?, verdict = ? WHERE id = ?", (state, verdict, run))
            if state != OPEN:
                self._db.execute("UPDATE run SET stop = 0 WHERE id = ?", (run,))
            else:
                self._set_game_states(run, COUNTED, "state = 'after_stop'")
            if after is not None:
                self._set_game_states(run, AFTER_STOP, "state = 'counted' AND pair > ?", after)

    def _set_game_states(self, run: str, state: str, which: str, *values: Any) -> None:
        for game in list(self._read(f"{_SELECT} WHERE run = ? AND {which}", run, *values)):
            game.state = state
            crc = jsonl.checksum(game)
            place = "run = ? AND pair = ? AND leg = ? AND attempt = ?"
            self._db.execute(
                f"UPDATE game SET state = ?, crc = ? WHERE {place}", (state, crc, run, *game.place)
            )

    def note(self, run: str, text: str) -> None:
        """Store a note on a run."""
        with self.transaction():
            self.add_notes(run, [(now(), text)])

    def add_notes(self, run: str, notes: Iterable[tuple[str, str]]) -> None:
        """Within a transaction: store notes with their times."""
        self._db.executemany("INSERT INTO note VALUES (?, ?, ?)", [(run, *note) for note in notes])

    def notes(self, run: str) -> list[tuple[str, str]]:
        """The times and texts of the notes, in order."""
        query = "SELECT at, text FROM note WHERE run = ? ORDER BY rowid"
        return self.query(query, run, kind=tuple[str, str])

    # -- games -------------------------------------------------------------------------------

    def record(self, run: str, games: Iterable[StoredGame]) -> int:
        """Store games in one transaction, except those of legs that already have a result.

        Returns the number of new games. Raises TryLater, storing nothing, on failure.
        """
        with self.transaction():
            self._check_lock(run)
            return self.insert_games(run, games)

    def insert_games(self, run: str, games: Iterable[StoredGame]) -> int:
        """Within a transaction: store games and return the number of new ones."""
        before = self._db.total_changes
        self._db.executemany(_INSERT, ((run, *_game_row(game), jsonl.checksum(game)) for game in games))
        return self._db.total_changes - before

    def games(self, run: str, *states: str) -> Iterator[StoredGame]:
        """The games in `states` (default: all) by pair, leg and attempt. Raises BadInput for damage."""
        only = f" AND state IN ({', '.join('?' for _ in states)})" if states else ""
        query = f"{_SELECT} WHERE run = ?{only} ORDER BY pair, leg, attempt"
        return self._read(query, run, *states)

    def check_games(self, run: str) -> None:
        """Raise BadInput if a game or a note of a run is damaged."""
        for _ in self.games(run):
            pass
        self.notes(run)

    def _read(self, query: str, *values: Any) -> Iterator[StoredGame]:
        with self._translate_errors(reading=True):
            rows = self._db.execute(query, values)
        while True:
            with self._translate_errors(reading=True):
                batch = rows.fetchmany(200)
            if not batch:
                return
            for row in batch:
                game = _read_game(row)
                if game is None:
                    raise self.damage_error("pair {}, leg {}, attempt {} was modified".format(*row[:3]))
                yield game

    # -- stop and lock -----------------------------------------------------------------------

    def request_stop(self, run: str) -> None:
        """Request the process that plays the run to stop after the games in progress."""
        with self.transaction():
            self._db.execute("UPDATE run SET stop = 1 WHERE id = ?", (run,))

    def stop_requested(self, run: str) -> bool:
        """True if a stop was requested. Takes microseconds, and renews the lock: call it regularly."""
        if run in self.owned and time.monotonic() - self._renewed > run_lock.RENEWAL:
            with self.transaction():
                self._check_lock(run)
        return bool(self.query("SELECT stop FROM run WHERE id = ?", run)[0][0])

    def lock(self, run: str) -> None:
        """Lock the run for this process, and clear an earlier stop request.

        Waits for a process of this host that is exiting. Raises TryLater, naming the owner, if another
        process plays the run.
        """
        until = time.monotonic() + PROCESS_EXIT_TIME
        while (holder := self._try_lock(run)) is not None:
            if time.monotonic() >= until or holder[0].host != run_lock.this_process().host:
                raise TryLater(f"{run} is being played by {holder[0]}{_format_last_renewal(*holder)}")
            time.sleep(PROCESS_EXIT_TIME / 20)
        self.owned.add(run)
        self._renewed = time.monotonic()

    def _try_lock(self, run: str) -> tuple[run_lock.Owner, float] | None:
        """Lock the run and return None; or return the current owner and the time of its last renewal."""
        with self.transaction():
            holder = self._holder(run)
            if holder is not None and holder[0] != run_lock.this_process() and run_lock.is_alive(*holder):
                return holder
            encoded = msgspec.json.encode(run_lock.this_process()).decode()
            self._db.execute("REPLACE INTO lock VALUES (?, ?, ?)", (run, encoded, time.time()))
            if run not in self.owned:
                self._db.execute("UPDATE run SET stop = 0 WHERE id = ?", (run,))
        return None

    def unlock(self, run: str) -> None:
        """Release the run; no effect if another process holds it."""
        self.owned.discard(run)
        with self.transaction():
            holder = self._holder(run)
            if holder is not None and holder[0] == run_lock.this_process():
                self._db.execute("DELETE FROM lock WHERE run = ?", (run,))

    def lock_owner(self, run: str) -> run_lock.Owner | None:
        """The process that currently plays the run, or None."""
        holder = self._holder(run)
        return holder[0] if holder is not None and run_lock.is_alive(*holder) else None

    def _holder(self, run: str) -> tuple[run_lock.Owner, float] | None:
        query = "SELECT owner, renewed FROM lock WHERE run = ?"
        for text, renewed in self.query(query, run, kind=tuple[str, float]):
            try:
                return msgspec.json.decode(text, type=run_lock.Owner), renewed
            except msgspec.MsgspecError as error:
                raise self.damage_error(f"the lock of {run}: {error}") from None
        return None

    def _check_lock(self, run: str) -> None:
        """Within a transaction: check that this process still holds the lock, and renew it."""
        if run not in self.owned:
            return
        holder = self._holder(run)
        if holder is None or holder[0] != run_lock.this_process():
            self.owned.discard(run)
            by = f" by {holder[0]}" if holder else ""
            raise TryLater(f"{run} was taken over{by}: this process did not renew its lock in time")
        if time.monotonic() - self._renewed > run_lock.RENEWAL:
            self._db.execute("UPDATE lock SET renewed = ? WHERE run = ?", (time.time(), run))
            self._renewed = time.monotonic()


def _game_row(game: StoredGame) -> list[Any]:
    values = []
    for field in _FIELDS:
        value = getattr(game, field)
        if field in _JSON:
            value = msgspec.json.encode(value).decode()
        elif field in _RAW:
            value = bytes(value).decode()
        values.append(value)
    return values


def _read_game(row: tuple[Any, ...]) -> StoredGame | None:
    """The game in a row; None if damaged."""
    *values, crc = row
    fields = dict(zip(_FIELDS, values, strict=True))
    try:
        for field, kind in _JSON.items():
            fields[field] = msgspec.json.decode(fields[field], type=kind)
        for field in _RAW:
            fields[field] = msgspec.Raw(fields[field].encode())
        game = StoredGame(**fields)
        return game if jsonl.checksum(game) == crc else None
    except (msgspec.MsgspecError, UnicodeError, AttributeError, TypeError, OverflowError, RecursionError):
        return None


def _read_run(row: tuple[Any, ...]) -> Run | None:
    """The run in a row; None if damaged."""
    fields = dict(zip(Run.__struct_fields__, row, strict=True))
    try:
        facts = msgspec.json.decode(fields["facts"], type=dict[str, str])
        msgspec.json.decode(fields["plan"], type=dict[str, Any])
        texts = {key: fields[key].encode() for key in fields.keys() - {"seed"}}
        if type(fields["seed"]) is not int or fields["state"] not in STATES or not texts["id"]:
            return None
        return Run(**fields | {"plan": texts["plan"], "facts": facts})
    except (msgspec.MsgspecError, UnicodeError, AttributeError, TypeError, RecursionError):
        return None


def _read_damaged_run(row: tuple[Any, ...]) -> Run:
    """The readable fields of the run in a row; without its plan its games can still be shown."""
    fields = dict(zip(Run.__struct_fields__, row, strict=True))
    names = ("title", "identity", "code", "created", "verdict")
    texts = {key: fields[key] if _is_text(fields[key]) else "" for key in names}
    plan, facts = b"null", {}
    with suppress(msgspec.MsgspecError, UnicodeError, TypeError, AttributeError, RecursionError):
        msgspec.json.decode(fields["plan"], type=dict[str, Any])
        plan = fields["plan"].encode()
    with suppress(msgspec.MsgspecError, UnicodeError, TypeError, RecursionError):
        facts = msgspec.json.decode(fields["facts"], type=dict[str, str])
    state = fields["state"] if fields["state"] in STATES else OPEN
    seed = fields["seed"] if type(fields["seed"]) is int else 0
    return Run(id=_label(row), plan=plan, facts=facts, seed=seed, state=state, **texts)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.encode(errors="replace").decode() == value


def _label(row: tuple[Any, ...]) -> str:
    """The id of a run in a row, or a substitute."""
    return row[0] if _is_text(row[0]) and row[0] else "unknown"


def _format_last_renewal(holder: run_lock.Owner, renewed: float) -> str:
    if holder.host == run_lock.this_process().host:
        return ""
    ago = max(0.0, time.time() - renewed)
    return f", last seen {ago:.0f} s ago (its lock expires after {run_lock.EXPIRY} s)"
