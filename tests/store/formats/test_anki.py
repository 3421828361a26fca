"""Decks for Anki: the archive, the collection of schema 11, ids that are the same every time."""

import io
import json
import sqlite3
import zipfile
from hashlib import sha1

import pytest

from gameplay.store.formats.anki import Note, NoteType, package

pytestmark = pytest.mark.once

KIND = NoteType("puzzle", ("Name", "Front", "Back"), "{{Front}}", "{{Back}}", ".card {}")
NOTES = [
    Note("one", "g::chess", ("first", "<b>?</b>", "Nc4"), ("g", "g::win")),
    Note("two", "g::go", ("second", "?", "e5")),
]


def collection(data: bytes) -> sqlite3.Connection:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["collection.anki2", "media"] and archive.read("media") == b"{}"
        database = sqlite3.connect(":memory:")
        database.deserialize(archive.read("collection.anki2"))
    return database


def test_notes_and_cards() -> None:
    database = collection(package(KIND, NOTES, 1_800_000_000))
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    version, models, decks = database.execute("SELECT ver, models, decks FROM col").fetchone()
    assert version == 11
    [(number, model)] = json.loads(models).items()
    assert model["id"] == int(number) and [field["name"] for field in model["flds"]] == list(KIND.fields)
    assert (model["tmpls"][0]["qfmt"], model["css"]) == (KIND.front, KIND.style)
    names = {deck["id"]: deck["name"] for deck in json.loads(decks).values()}
    assert sorted(names.values()) == ["Default", "g", "g::chess", "g::go"]
    rows = database.execute(
        "SELECT notes.guid, notes.flds, notes.tags, notes.csum, notes.mid, cards.did, cards.due, cards.type "
        "FROM notes JOIN cards ON cards.nid = notes.id ORDER BY cards.due"
    ).fetchall()
    assert [row[0] for row in rows] == ["one", "two"]
    assert rows[0][1].split("\x1f") == ["first", "<b>?</b>", "Nc4"]
    assert rows[0][2] == " g g::win " and rows[1][2] == ""
    assert rows[0][3] == int(sha1(b"first").hexdigest()[:8], 16)
    assert {row[4] for row in rows} == {int(number)}
    assert [names[row[5]] for row in rows] == ["g::chess", "g::go"]
    assert [row[6:] for row in rows] == [(0, 0), (1, 0)], "new cards in the order of the file"


def test_ids_are_the_same_in_every_file_and_only_the_time_differs() -> None:
    assert package(KIND, NOTES, 7) == package(KIND, NOTES, 7)
    queries = ("SELECT id, guid, mid FROM notes", "SELECT id, nid, did FROM cards")
    first, second = (collection(package(KIND, notes, now)) for notes, now in ((NOTES, 7), (NOTES[1:], 8)))
    for query in queries:
        assert set(second.execute(query)) < set(first.execute(query))
    assert second.execute("SELECT mod FROM notes").fetchone() == (8,)


def test_two_notes_of_one_number_both_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gameplay.store.formats.anki.IDS", 1)
    database = collection(package(KIND, NOTES, 7))
    assert database.execute("SELECT count(distinct id) FROM notes").fetchone() == (2,)
