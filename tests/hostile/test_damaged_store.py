"""Damage anywhere in the database of runs: one line with status 6, and every readable game recovered.

Run `python tests/hostile/test_damaged_store.py 1000 [SEED]` for a longer run; it prints what it counted.
"""

import io
import json
import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from gameplay.cli import router, run

pytestmark = pytest.mark.once

CORRUPTIONS = 20
SEED = 33
GAMES = 6  # of each run
VALUES = (
    *(
        None,
        b"\xff\xfe\x80",
        "\ud800".encode("utf-8", "surrogatepass"),
        b"",
        "",
        "{",
        "null",
        "[]",
        "{}",
        '"x"',
    ),
    *("[1]", '{"a": 1}', "x\x00y", "\x1b[2J", -1, 0, 1 << 62, -(1 << 63), 1e308, float("inf"), 0.5, "NaN"),
    *('[["a"]]', "[1e999, 2]", "9" * 400, "[" * 100_000, "\u202e", "counted", "open"),
)
COMMANDS = (
    ["status"],
    ["status", "--json"],
    ["status", "RUN"],
    ["status", "RUN", "--json"],
    ["report", "RUN"],
    ["report", "RUN", "--json"],
    ["report", "RUN", "--html", "OUT.html"],
    ["export", "RUN", "--out", "OUT.jsonl"],
    ["export", "RUN", "--bare", "--out", "OUT2.jsonl"],
    ["compare", "first", "second"],
    ["verify", "RUN", "--quick"],
    ["stop", "RUN"],
)


@dataclass
class IntactStore:
    """A database before the damage, and its games as exported lines."""

    file: Path
    games: set[bytes]
    ids: list[str]  # of the runs


def gameplay(*words: str) -> tuple[int, str, str]:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "replace") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        status = run(router, "gameplay", words)
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
    return status, out.read(), err.read()


def sound(folder: Path) -> IntactStore:
    file, games, ids = folder / "sound.db", set(), []
    players = "".join(f'[[players]]\nname = "{name}"\nplayer = "random"\n' for name in "ab")
    for seed, title in enumerate(("first", "second")):  # with one seed their lines could be equal
        plan = folder / f"{title}.toml"
        head = f'game = "tictactoe"\ntitle = "{title}"\nseed = {seed}\ngames = {GAMES}\n'
        plan.write_text(f"{head}openings = {{ plies = 3 }}\n{players}")
        assert gameplay("tournament", str(plan), "--jobs", "1", "--store", str(file))[0] == 0
        header, *lines = gameplay("export", title, "--store", str(file))[1].encode().splitlines()
        assert len(lines) == GAMES
        games |= set(lines)
        ids.append(json.loads(header)["id"])
    assert len(games) == 2 * GAMES
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("INSERT INTO note SELECT id, '2026-11-26T12:00:00Z', 'a note' FROM run")
        owner = json.dumps({"pid": 1, "since": "", "host": "elsewhere", "boot": ""})
        db.execute("INSERT INTO lock SELECT id, ?, 0.0 FROM run WHERE title = 'first'", (owner,))
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return IntactStore(file, games, ids)


def columns(db: sqlite3.Connection) -> list[tuple[str, str]]:
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return [(table, row[1]) for table in tables for row in db.execute(f"PRAGMA table_info({table})")]


def damage_column(file: Path, rng: random.Random) -> tuple[str, int]:
    """Write a wrong value into a column, bypassing all checks; the damage, and how many games may be lost."""
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_master SET sql = replace(replace(sql, 'STRICT', ''), 'NOT NULL', '')")
    db.execute("UPDATE sqlite_master SET sql = replace(sql, 'CHECK (state', 'CHECK (1 OR state')")
    db.close()
    db = sqlite3.connect(file, isolation_level=None)
    table, column = rng.choice(columns(db))
    number = rng.choice([row for (row,) in db.execute(f"SELECT rowid FROM {table}")])
    value = rng.choice(VALUES)
    cast = "CAST(? AS TEXT)" if isinstance(value, bytes) and rng.random() < 0.8 else "?"
    with suppress(sqlite3.IntegrityError):  # the number of a run, or the same leg twice
        db.execute(f"UPDATE {table} SET {column} = {cast} WHERE rowid = ?", (value, number))
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if rng.random() < 0.5:  # the schema as it was, so that only the value is wrong
        db.execute("PRAGMA writable_schema = ON")
        db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    return f"{table}.{column} = {value!r:.30}", table == "game"


def damage_bytes(file: Path, rng: random.Random) -> tuple[str, int]:
    """Flip bits, or truncate; the damage, and how many games may be lost: those on the affected pages."""
    data = bytearray(file.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    if rng.random() < 0.1:
        length = rng.randrange(len(data))
        file.write_bytes(data[:length])
        return f"cut to {length} bytes", 2 * GAMES
    with closing(sqlite3.connect(file)) as db:
        owner = {page: name for name, page in db.execute("SELECT name, pageno FROM dbstat")}
    places = [rng.randrange(len(data)) for _ in range(rng.choice((1, 1, 1, 3, 20)))]
    for place in places:
        data[place] ^= 1 << rng.randrange(8)
    file.write_bytes(data)
    touched = {owner.get(place // size + 1, "") for place in places}
    return f"flipped {places}", 2 * GAMES if touched & {"game", "sqlite_schema"} else 0


def drop(file: Path, rng: random.Random) -> tuple[str, int]:
    """Remove a table or an index."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        kind, name = rng.choice(
            [("TABLE", "run"), ("TABLE", "note"), ("TABLE", "lock"), ("INDEX", "settled")]
        )
        db.execute(f"DROP {kind} {name}")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return f"dropped {name}", 0


def recover_games(file: Path, whole: IntactStore) -> set[bytes]:
    """The games written by --repair, of the runs by id and of those that it lists instead."""
    results: set[bytes] = set()
    words = [*whole.ids, "first", "second"]
    for word in words:
        status, out, err = gameplay("export", word, "--repair", "--store", str(file))
        assert status in (0, 2, 6), (word, status, err)
        results |= set(out.encode().splitlines()[1:])
    return results


def restore(file: Path, kept: bytes) -> None:
    """Restore the damaged file, and remove files that a command left beside it."""
    for other in file.parent.glob("*"):
        other.unlink()
    file.write_bytes(kept)


def attempt(whole: IntactStore, folder: Path, rng: random.Random) -> tuple[str, Counter[int], int]:
    """Damage a copy, run every command on it, recover the games; the damage, statuses, games recovered."""
    file = folder / "damaged.db"
    restore(file, whole.file.read_bytes())
    how = rng.choices((damage_column, damage_bytes, drop), (6, 4, 1))[0]
    done, losses = how(file, rng)
    kept = file.read_bytes()
    statuses: Counter[int] = Counter()
    for words in COMMANDS:
        restore(file, kept)
        words = [str(folder / word) if word.startswith("OUT") else word for word in words]
        words = [rng.choice(("first", "second")) if word == "RUN" else word for word in words]
        status, out, err = gameplay(*words, "--store", str(file))
        assert status in (0, 2, 6), (done, words, status, err)
        assert "Traceback" not in out + err and "internal error" not in err
        if status == 6:
            assert err.count("\n") == 1, (done, words, err)
        statuses[status] += 1
    restore(file, kept)
    games = recover_games(file, whole) & whole.games
    assert len(games) >= 2 * GAMES - losses, (done, len(games))
    return done, statuses, len(games)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IntactStore]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAMEPLAY_HOME", str(tmp_path_factory.mktemp("home")))
        yield sound(tmp_path_factory.mktemp("sound"))


def test_random_damage_ends_no_command_with_an_internal_error(whole: IntactStore, tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    folder.mkdir()
    rng = random.Random(SEED)
    statuses: Counter[int] = Counter()
    for _ in range(CORRUPTIONS):
        statuses += attempt(whole, folder, rng)[1]
    assert statuses[6] > CORRUPTIONS  # the damage is seen


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [(47, 255, "unsupported file format"), (60, 255, "already exists"), (63, 0, "already exists")],
)
def test_wrong_number_in_the_header_is_damage(
    whole: IntactStore, tmp_path: Path, place: int, value: int, words: str
) -> None:
    """The schema format, and the store version: a store before the first version would get new tables."""
    data = bytearray(whole.file.read_bytes())
    data[place] = value
    file = tmp_path / "damaged.db"
    file.write_bytes(data)
    status, _, err = gameplay("status", "--store", str(file))
    assert status == 6 and err.count("\n") == 1 and words in err


def main(count: int, seed: int) -> None:
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        os.environ["GAMEPLAY_HOME"] = f"{place}/home"
        (folder := Path(place) / "damaged").mkdir()
        whole, statuses, games, failed = sound(Path(place)), Counter[int](), 0, 0
        for number in range(count):
            try:
                _, some, recovered_games = attempt(whole, folder, random.Random(f"{seed}:{number}"))
            except AssertionError as error:
                failed += 1
                print(number, error)
                continue
            statuses += some
            games += recovered_games
    print(f"{count} corruptions, {failed} failed, statuses {dict(statuses)}")
    print(f"{games} of {2 * GAMES * (count - failed)} games recovered")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
