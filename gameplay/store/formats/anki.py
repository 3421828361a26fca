"""Decks for Anki: an .apkg file, a ZIP archive of a SQLite collection (schema 11) and a list of media.

    collection.anki2    tables col, notes, cards, revlog and graves
    media               {}: images are inline in the notes

Anki 2.1 and later and AnkiDroid import it. The ids of the note type, decks, notes and cards depend only on
names. Anki recognizes a note by its `guid`: importing a later file of the same notes updates
them and keeps their schedule in Anki. Cards are exported as new: intervals of this program are not exported.
"""

import io
import json
import sqlite3
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b, sha1
from typing import Any

VERSION = 11  # of the schema
FIRST_ID = 1_700_000_000_000  # Anki reads ids as milliseconds since 1970: these lie in 2023 and 2024
IDS = 10_000_000_000
DAY_ZERO = 1_700_000_000  # when the collection began, in seconds since 1970
SEPARATOR = "\x1f"  # between the fields of a note

TABLES = """
CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null,
  ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null,
  models text not null, decks text not null, dconf text not null, tags text not null);
CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null,
  usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null,
  flags integer not null, data text not null);
CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null,
  mod integer not null, usn integer not null, type integer not null, queue integer not null,
  due integer not null, ivl integer not null, factor integer not null, reps integer not null,
  lapses integer not null, left integer not null, odue integer not null, odid integer not null,
  flags integer not null, data text not null);
CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null,
  ease integer not null, ivl integer not null, lastIvl integer not null, factor integer not null,
  time integer not null, type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_notes_csum ON notes (csum);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_revlog_cid ON revlog (cid);
"""


@dataclass(frozen=True)
class NoteType:
    """A note type: field names, the templates of both sides, and CSS."""

    name: str
    fields: tuple[str, ...]  # the first is Anki's sort field
    front: str
    back: str
    style: str


@dataclass(frozen=True)
class Note:
    """A note, with one card. `fields` are HTML."""

    guid: str
    deck: str  # `::` separates a deck and its subdeck
    fields: tuple[str, ...]
    tags: tuple[str, ...] = ()  # without spaces


def package(kind: NoteType, notes: Sequence[Note], now: int) -> bytes:
    """The .apkg file. now: seconds since 1970, so that Anki updates notes of an earlier file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (("collection.anki2", _collection(kind, notes, now)), ("media", b"{}")):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return packed.getvalue()


def _collection(kind: NoteType, notes: Sequence[Note], now: int) -> bytes:
    decks = {name: _id("deck", name) for name in _with_parents({note.deck for note in notes})}
    model = _id("type", kind.name)
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(TABLES)
        column = (
            *(1, DAY_ZERO, now * 1000, now * 1000, VERSION, 0, 0, 0, "{}"),
            json.dumps({str(model): _model(kind, model, now)}),
            json.dumps({str(number): _deck(name, number, now) for name, number in _all(decks).items()}),
            *(json.dumps({"1": OPTIONS}), "{}"),
        )
        database.execute(f"INSERT INTO col VALUES ({', '.join('?' * len(column))})", column)
        taken: set[int] = set()
        for number, note in enumerate(notes):
            place = _id("note", note.guid)
            while place in taken:
                place += 1
            taken.add(place)
            _insert(database, note, place, number, (model, decks[note.deck], now))
        database.commit()
        return database.serialize()
    finally:
        database.close()


def _insert(
    database: sqlite3.Connection, note: Note, place: int, number: int, common: tuple[int, int, int]
) -> None:
    """Add a note and its card. number: position in the learning order; common: note type, deck, now."""
    model, deck, now = common
    first = note.fields[0]
    checksum = int(sha1(first.encode(), usedforsecurity=False).hexdigest()[:8], 16)
    tags = f" {' '.join(note.tags)} " if note.tags else ""
    values = (place, note.guid, model, now, -1, tags, SEPARATOR.join(note.fields), first, checksum, 0, "")
    database.execute("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    card = (place, place, deck, 0, now, -1, 0, 0, number, *[0] * 8, "")
    database.execute(f"INSERT INTO cards VALUES ({', '.join('?' * len(card))})", card)


def _id(what: str, name: str) -> int:
    """The id derived from a name, equal in every file."""
    digest = blake2b(f"{what}\0{name}".encode(), digest_size=8).digest()
    return FIRST_ID + int.from_bytes(digest, "big") % IDS


def _with_parents(names: set[str]) -> list[str]:
    """The decks and all their parents."""
    parts = [name.split("::") for name in names]
    return sorted({"::".join(words[:count]) for words in parts for count in range(1, len(words) + 1)})


def _all(decks: Mapping[str, int]) -> dict[str, int]:
    """The decks of a collection, including Anki's deck Default with the id 1."""
    return {"Default": 1} | dict(decks)


def _deck(name: str, number: int, now: int) -> dict[str, Any]:
    none = {f"{what}Today": [0, 0] for what in ("new", "rev", "lrn", "time")}
    return {
        **{"id": number, "name": name, "mod": now, "usn": -1, "desc": "", "dyn": 0, "conf": 1},
        **{"collapsed": False, "browserCollapsed": False, "extendNew": 0, "extendRev": 0},
        **none,
    }


OPTIONS = {
    **{"id": 1, "name": "Default", "mod": 0, "usn": 0, "maxTaken": 60, "autoplay": True, "timer": 0},
    **{"replayq": True, "dyn": False},
    "new": {
        **{"bury": False, "delays": [1.0, 10.0], "initialFactor": 2500, "ints": [1, 4, 0]},
        **{"order": 1, "perDay": 20},
    },
    "rev": {
        **{"bury": False, "ease4": 1.3, "ivlFct": 1.0, "maxIvl": 36500, "perDay": 200, "hardFactor": 1.2},
    },
    "lapse": {"delays": [10.0], "leechAction": 1, "leechFails": 8, "minInt": 1, "mult": 0.0},
}


def _model(kind: NoteType, number: int, now: int) -> dict[str, Any]:
    font = {"font": "Arial", "size": 20, "rtl": False, "sticky": False, "media": []}
    fields = [{"name": name, "ord": place, **font} for place, name in enumerate(kind.fields)]
    sides = {"qfmt": kind.front, "afmt": kind.back, "bqfmt": "", "bafmt": "", "did": None}
    return {
        **{"id": number, "name": kind.name, "type": 0, "mod": now, "usn": -1, "sortf": 0, "did": None},
        **{"tmpls": [{"name": "Card 1", "ord": 0, **sides}], "flds": fields, "css": kind.style},
        **{"latexPre": "", "latexPost": "", "latexsvg": False, "req": [[0, "any", [1]]]},
        **{"tags": [], "vers": []},
    }
