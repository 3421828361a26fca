"""Files of eXtreme Gammon: the same games as in .mat, remarks, and one line for each way to be damaged.

The bytes are written by `tests.support.xg` from the description of the format. Eight matches that the program
itself saved were read as well, 4,923 moves; two of them, 1,356 moves, as its own .mat files have them.
"""

import zlib
from pathlib import Path

import msgspec
import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.store.formats import conversion, xg
from gameplay.store.record import Record
from tests.store.formats.test_mat import GIVEN_UP
from tests.support import xg as xg_bytes
from tests.support.commands import run_printed
from tests.support.paths import TESTS
from tests.support.records import check_damaged, check_read_or_refused

pytestmark = pytest.mark.once

RECORDS = TESTS / "examples" / "records"
OPENING = xg_bytes.move(0, (3, 1), "8/5 6/5")


def read(path: Path, records: list[bytes], comments: str = "") -> list[tuple[str, Record | None]]:
    files = {"temp.xg": b"".join(records), "temp.xgi": b"", "temp.xgc": comments.encode("latin-1")}
    path.write_bytes(xg_bytes.archive(files, picture=b"\xff\xd8picture"))
    return [(sheet.problem, record) for sheet, record in conversion.read(path, registry.game)]


def one(path: Path, records: list[bytes], comments: str = "") -> Record:
    ((problem, record),) = read(path, records, comments)
    assert record is not None, problem
    return record


@pytest.mark.parametrize("source", ["backgammon.mat", "given up"])
def test_the_same_match_as_in_mat(tmp_path: Path, source: str) -> None:
    """Doubles, drops, resignations before and after the roll, the Crawford game."""
    mat = RECORDS / source
    if source == "given up":
        mat = tmp_path / "a.mat"
        mat.write_text(GIVEN_UP)
    ((_, expected),) = conversion.read(mat, registry.game)
    assert expected is not None
    game = one(tmp_path / "a.xg", xg_bytes.of_mat(mat))
    assert game.words == expected.words and len(game.words) > 20
    same = msgspec.structs.replace(game, begun=expected.begun, warnings=expected.warnings)
    assert same == expected
    assert game.begun == "2024-03-09"


def test_names_are_unicode_and_the_opening_roll_decides_the_first_player(tmp_path: Path) -> None:
    records = [xg_bytes.match(5, ("Jørn", "Łukasz")), xg_bytes.game(), xg_bytes.move(1, (3, 1), "8/5 6/5")]
    game = one(tmp_path / "a.xg", records)
    assert game.players == ["Jørn", "Łukasz"]
    assert game.words == ["13", "8/5;6/5"] and [ply.player for ply in game.moves] == [-1, 1]
    assert game.result is None


def test_bar_off_dance_and_every_number_of_a_turn(tmp_path: Path) -> None:
    turns = [(0, (6, 1), "13/7 8/7"), (1, (6, 1), "13/7 8/7"), (0, (5, 5), "13/8 13/8 8/3 8/3")]
    records = [xg_bytes.match(5, ("a", "b")), xg_bytes.game(), *(xg_bytes.move(*turn) for turn in turns)]
    words = ["61", "13/7;8/7", "roll", "61", "13/7;8/7", "roll", "55", "13/3(2)"]
    assert one(tmp_path / "a.xg", records).words == words
    assert xg_bytes.pairs("bar/20 6/off") == [24, 19, 5, -1, -1, -1, -1, -1]
    assert xg._turn(xg_bytes.pairs("bar/20 6/off")) == "bar/20;6/off"
    assert xg._turn([0] * 8) == xg._turn([-1] * 8) == ""


def test_a_match_may_begin_with_a_later_game(tmp_path: Path) -> None:
    begin = xg_bytes.match(5, ("a", "b"))
    for crawford in (True, False):
        game = one(tmp_path / "a.xg", [begin, xg_bytes.game(4, (4, 2), crawford), OPENING])
        position = registry.game(game.game).new(game.start)
        expected = registry.game("backgammon:match=5").new().opening([4, 2], crawford)
        assert position.text() == expected


def test_games_for_money_are_one_each(tmp_path: Path) -> None:
    dropped = [OPENING, xg_bytes.cube(1, 1, 0), xg_bytes.end(1, 1, 0)]
    for length in (0, 99999):
        records = [xg_bytes.match(length, ("a", "b")), xg_bytes.game(1), *dropped, xg_bytes.game(2), *dropped]
        games = read(tmp_path / "a.xg", records)
        assert [problem for problem, _ in games] == ["", ""]
        assert all(record is not None and record.game == "backgammon:cube=on" for _, record in games)
        assert [record.result for _, record in games if record] == [[-1, 1], [-1, 1]]


def test_comments_and_analyses_are_remarks(tmp_path: Path) -> None:
    rtf = r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\*\generator X;}\pard\f0\fs20 d\'e9j\u224?  \b vu\b0\par more}"
    values = [("24/23 13/10", 0.25), ("8/5 6/5", 0.125)]
    records = [
        *(xg_bytes.match(3, ("a", "b")), xg_bytes.game()),
        xg_bytes.move(0, (3, 1), "8/5 6/5", comment=1, values=values),
        xg_bytes.cube(1, 1, 1, analysis=(0.5, 0.75, 1.0)),
        xg_bytes.move(1, (6, 4), "24/14", values=[("24/14", -0.5)]),
    ]
    game = one(tmp_path / "a.xg", records, "{none}\r\n" + rtf)
    assert [(ply.move, ply.remark) for ply in game.moves if ply.remark] == [
        ("8/5;6/5", "déjà vu more (XG 4-ply: +0.125, better 24/23 13/10 +0.250)"),
        ("double", "XG 3-ply: no double +0.500, take +0.750, drop +1.000"),
        ("24/14", "XG 4-ply: -0.500"),
    ]


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        ([xg_bytes.move(0, (3, 1), "24/10")], "record 3, game 1: '24/10' is not"),
        ([xg_bytes.move(0, (7, 1), "8/5")], "record 3, game 1: 7 and 1 are not dice; expected numbers"),
        ([xg_bytes.move(0, (-3, 1), "8/5")], "record 3, game 1: 1 and -3 are not dice"),
        ([xg_bytes.cube(0, 1, 1)], "record 3, game 1: "),
        ([OPENING, xg_bytes.cube(1, 1, 2)], "record 4, game 1: beavers are not supported"),
    ],
)
def test_what_the_rules_forbid_is_reported_with_its_record(
    tmp_path: Path, records: list[bytes], problem: str
) -> None:
    path = tmp_path / "a.xg"
    ((message, record),) = read(path, [xg_bytes.match(5, ("a", "b")), xg_bytes.game(), *records])
    assert record is None and message.startswith(f"{path}, {problem}") and "\n" not in message


def test_other_games_are_refused(tmp_path: Path) -> None:
    names, path = ("a", "b"), tmp_path / "a.xg"
    ((problem, _),) = read(path, [xg_bytes.match(5, names, variation=1), xg_bytes.game(), OPENING])
    assert problem.endswith("the variation Nackgammon is not supported")
    ((problem, _),) = read(path, [xg_bytes.match(5, names), xg_bytes.game(place=b"\1" * 26), OPENING])
    assert problem.endswith("a game begins from a set-up position, which is not supported")
    ((problem, _),) = read(path, [xg_bytes.match(5, names), xg_bytes.game(3, (5, 0)), OPENING])
    assert problem.endswith("at 5-0 there is no match to 5 points")


# -- damaged files ------------------------------------------------------------------------------

GOOD = xg_bytes.match(5, ("a", "b")) + xg_bytes.game() + OPENING
WHOLE = xg_bytes.archive({"temp.xg": GOOD})


def bomb(size: int) -> bytes:
    """An archive with a file longer than its declared length."""
    data = zlib.compress(bytes(2 * size))
    entry = bytearray(xg_bytes.record(0, {}))[:532]
    entry[:8] = b"\x07temp.xg"
    entry[512:528] = size.to_bytes(4, "little") + len(data).to_bytes(4, "little") + bytes(8)
    return WHOLE[:8232] + xg_bytes.close_archive(data, zlib.compress(bytes(entry)), 1)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        *((data, "it does not start with RGMH") for data in (b"", b"PK" + WHOLE[2:])),
        (WHOLE[:6000], "it is truncated after 6,000 bytes"),
        *((WHOLE[:-cut], "it is truncated, or the end of its archive is damaged") for cut in (1, 40)),
        (WHOLE[:8300] + b"\0" + WHOLE[8301:], "it is damaged: its checksum is wrong"),
        (xg_bytes.archive({"temp.xg": GOOD}, crc=1), "it is damaged: its checksum is wrong"),
        (
            WHOLE[:8232] + xg_bytes.close_archive(b"", b"junk", 1),
            "it is damaged: its compressed data cannot be read",
        ),
        (WHOLE[:8232] + xg_bytes.close_archive(b"", zlib.compress(b""), 1), "is too short for 1 files"),
        (xg_bytes.archive({"temp.xgi": GOOD}), "its archive has no file temp.xg"),
        (xg_bytes.archive({"temp.xg": b""}), "the match is truncated: 0 bytes are not a multiple of 2,560"),
        (xg_bytes.archive({"temp.xg": GOOD[:-1]}), "the match is truncated: 7,679 bytes are not a multiple"),
        (xg_bytes.archive({"temp.xg": OPENING}), "it does not start with a match record"),
        (bomb(1_000_000), "its compressed data exceed the declared 1,000,000 bytes"),
    ],
)
def test_damaged_files_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, problem: str
) -> None:
    check_damaged(capsys, tmp_path / "a.xg", data, xg.lines, problem)


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """At most the size limit of a file is unpacked, whatever size is declared."""
    monkeypatch.setattr(xg, "MAX_SIZE", 10_000)
    path = tmp_path / "a.xg"
    for data in (bomb(1_000_000), xg_bytes.archive({"temp.xg": bytes(1_000_000)})):
        path.write_bytes(data)
        with pytest.raises(BadInput, match="exceed the declared 10,000 bytes"):
            list(xg.lines(path))


def test_every_byte_changed_is_read_or_refused_in_a_line(tmp_path: Path) -> None:
    """The records have a right checksum, as in a handmade file."""
    records = [
        xg_bytes.match(5, ("a", "b")),
        xg_bytes.game(),
        OPENING,
        xg_bytes.cube(1, 1, 1),
        xg_bytes.end(0, 2),
    ]
    data = b"".join(records)
    path = tmp_path / "a.xg"
    places = [*range(8, 30), *range(88, 140), 2560 + 8, 2572, 2580, 5128, *range(5184, 5232), 5220, 7428]
    for at in places:
        changed = bytearray(data)
        changed[at] ^= 0xFF
        path.write_bytes(xg_bytes.archive({"temp.xg": bytes(changed)}, stored=("temp.xg",)))
        check_read_or_refused(path)


# -- commands -----------------------------------------------------------------------------------


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, path, mat = (tmp_path / name for name in ("source.mat", "a.xg", "a.mat"))
    source.write_text(GIVEN_UP)
    path.write_bytes(xg_bytes.archive({"temp.xg": b"".join(xg_bytes.of_mat(source))}))
    status, out, _ = run_printed(capsys, "replay", path, "--plain")
    assert status == 0 and "white (X): ann" in out
    assert run_printed(capsys, "run", "export", path, "--out", mat)[0] == 0
    ((_, again),), ((_, expected),) = (conversion.read(path, registry.game) for path in (mat, source))
    assert again is not None and expected is not None and again.words == expected.words
    message = "gameplay: XG files can be read but not written. Try: --out FILE.mat\n"
    assert run_printed(capsys, "run", "export", path, "--out", tmp_path / "b.xg") == (2, "", message)
    status, _, err = run_printed(capsys, "review", path, "--annotate", tmp_path / "b.xg")
    assert status == 6 and "a .xg file of backgammon cannot hold comments" in err
    assert not (tmp_path / "b.xg").exists()
