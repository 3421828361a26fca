"""Files in OGXM: games by the rules, remarks, and one line for each way to be damaged.

Eight matches of 4,923 moves, converted from .xg by GammonView 3.1 and accepted by the reference codec ogxm
2.3, were read as well: each has the moves that `test_xg` names.
"""

from pathlib import Path

import pytest

from gameplay import registry
from gameplay.store.formats import conversion, ogxm
from gameplay.store.record import Record
from tests.support import ogxm as ogxm_bytes
from tests.support.commands import run_printed
from tests.support.records import check_damaged, check_read_or_refused

pytestmark = pytest.mark.once

MATCH = ogxm_bytes.match(5, ("Ann", "Łukasz"))
DOUBLE, TAKE, DROP, RESIGN = 21, 22, 23, 27


def read(path: Path, sections: list[tuple[str, bytes]]) -> list[tuple[str, Record | None]]:
    path.write_bytes(ogxm_bytes.file(sections))
    return [(sheet.problem, record) for sheet, record in conversion.read(path, registry.game)]


def one(path: Path, *sections: tuple[str, bytes]) -> Record:
    ((problem, record),) = read(path, [MATCH, *sections])
    assert record is not None, problem
    return record


def test_a_match_of_three_games(tmp_path: Path) -> None:
    """White moves up, Black down; a double dropped, one accepted and resigned, one unfinished."""
    game = one(
        tmp_path / "a.ogxm",
        ogxm_bytes.game(
            [
                ogxm_bytes.act(24, 0),
                ogxm_bytes.move(1, "31", "8/5 6/5"),
                ogxm_bytes.act(DOUBLE, 0),
                ogxm_bytes.act(DROP, 1),
            ],
            (0, 1),
        ),
        ogxm_bytes.game(
            [
                *(ogxm_bytes.move(0, "61", "13/7 8/7"), ogxm_bytes.act(DOUBLE, 1), ogxm_bytes.act(TAKE, 0)),
                *(
                    ogxm_bytes.move(1, "55", "13/8 13/8 8/3 8/3"),
                    ogxm_bytes.move(0, "62"),
                    ogxm_bytes.act(RESIGN, 0),
                ),
            ],
            (1, 2),
        ),
        ogxm_bytes.game([ogxm_bytes.move(1, "21", "13/11 6/5")]),
    )
    assert game.players == ["Ann", "Łukasz"] and game.begun == "2024-03-09"
    assert game.game == "backgammon:match=5" and game.result is None
    words = " ".join(game.words)
    assert words.startswith("13 8/5;6/5 double drop 61 13/7;8/7 double take 55 13/3(2) roll 62 resign accept")
    assert words.endswith("accept 12 13/11;6/5")
    position = registry.game(game.game).new()
    for word in game.words:
        position.make(position.parse(word))
    assert tuple(position.won_by()) == (1, 2)


def test_a_match_may_begin_with_a_later_game(tmp_path: Path) -> None:
    game = ogxm_bytes.game([ogxm_bytes.move(0, "31", "8/5 6/5")])
    for crawford, mask in ((True, 0), (False, 1 << 11)):
        sections = [ogxm_bytes.match(5, ("a", "b"), (4, 2), mask=mask), game]
        ((problem, record),) = read(tmp_path / "a.ogxm", sections)
        assert record is not None, problem
        expected = registry.game("backgammon:match=5").new().opening([4, 2], crawford)
        assert registry.game(record.game).new(record.start).text() == expected


def test_games_for_money_are_one_each(tmp_path: Path) -> None:
    game = ogxm_bytes.game(
        [ogxm_bytes.move(0, "31", "8/5 6/5"), ogxm_bytes.act(DOUBLE, 1), ogxm_bytes.act(DROP, 0)], (1, 1)
    )
    games = read(tmp_path / "a.ogxm", [ogxm_bytes.match(0, ("a", "b")), game, game])
    assert [problem for problem, _ in games] == ["", ""]
    assert [(record.game, record.result) for _, record in games if record] == [
        ("backgammon:cube=on", [-1, 1])
    ] * 2


def test_comments_and_analyses_are_remarks(tmp_path: Path) -> None:
    plies = [
        ogxm_bytes.move(0, "31", "8/5 6/5"),
        ogxm_bytes.move(1, "61", "13/7 8/7"),
        ogxm_bytes.act(DOUBLE, 0),
    ]
    comments = (
        ogxm_bytes.comment(0, "the\nbest")
        + ogxm_bytes.comment(2, "too early", 3)
        + ogxm_bytes.comment(1, "no", 0)
    )
    comments += ogxm_bytes.comment(1, "c2VjcmV0", key="x.data")
    analysed = ogxm_bytes.decision(0, [(0.25, True), (0.125, False)])
    analysed += ogxm_bytes.decision(1, [(0.5, False), (-0.25, True)])
    decisions, annotations = ("DECS", analysed), ("ANNO", comments)
    game = one(tmp_path / "a.ogxm", ogxm_bytes.game(plies), decisions, annotations, ("VIDO", b"anything"))
    assert [(ply.move, ply.remark) for ply in game.moves if ply.remark] == [
        ("8/5;6/5", "the best (analysis: 0.250)"),
        ("13/7;8/7", "analysis: -0.250, best 0.500"),
        ("double", "too early"),
    ]


@pytest.mark.parametrize(
    ("plies", "problem"),
    [
        ([ogxm_bytes.move(0, "31", "24/18")], "ply 1, game 1: '24/18' is not"),
        ([ogxm_bytes.act(DOUBLE, 0)], "ply 1, game 1: "),
        (
            [ogxm_bytes.move(0, "31", "8/5 6/5"), ogxm_bytes.act(32, 1)],
            "ply 2, game 1: a beaver is not",
        ),
        (
            [ogxm_bytes.act(63, 0, ogxm_bytes.record(128, ogxm_bytes.varint(77)))],
            "ply 1, game 1: the action 77 is",
        ),
    ],
)
def test_what_the_rules_forbid_is_reported_with_its_ply(
    tmp_path: Path, plies: list[bytes], problem: str
) -> None:
    path = tmp_path / "a.ogxm"
    ((message, record),) = read(path, [MATCH, ogxm_bytes.game(plies)])
    assert record is None and message.startswith(f"{path}, {problem}") and "\n" not in message


def test_other_games_are_refused(tmp_path: Path) -> None:
    path, game = tmp_path / "a.ogxm", ogxm_bytes.game([ogxm_bytes.move(0, "31", "8/5 6/5")])
    ((problem, _),) = read(path, [ogxm_bytes.match(5, ("a", "b"), variant=1), game])
    assert problem.endswith("variants of backgammon are not supported")
    ((problem, _),) = read(path, [ogxm_bytes.match(5, ("a", "b"), (5, 0)), game])
    assert problem.endswith("at 5-0 the match is over")
    ((problem, _),) = read(path, [MATCH, ogxm_bytes.game([], mask=16)])
    assert problem.endswith("a game begins from another position or cube")


# -- damaged files --------------------------------------------------------------------------------

GAME = ogxm_bytes.game([ogxm_bytes.move(0, "31", "8/5 6/5")])
WHOLE = ogxm_bytes.file([MATCH, GAME])


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "it does not start with OGXM"),
        (b"PK" + WHOLE[2:], "it does not start with OGXM"),
        (WHOLE[:12], "it is truncated after 12 bytes"),
        (WHOLE[:-1], "it is truncated, or its size field is wrong"),
        (ogxm_bytes.file([MATCH, GAME], crc=1), "it is damaged: its checksum is wrong"),
        (WHOLE[:40] + b"\xff" + WHOLE[41:], "it is damaged: its checksum is wrong"),
        (ogxm_bytes.file([MATCH, GAME], version=(1, 0, 1, 0)), "it has version 1.0; expected 2"),
        (ogxm_bytes.file([MATCH, GAME], version=(3, 1, 3, 0)), "it has version 3.1; expected 2"),
        (ogxm_bytes.file([MATCH, ("NEWS", b"")]), "it has an unknown critical section NEWS"),
        (ogxm_bytes.file([GAME]), "there is no match in it"),
        (ogxm_bytes.file([("MTCH", b"\x7f")]), "a record is longer than its section"),
        (ogxm_bytes.file([("MTCH", b"")]), "a section ends too early"),
        (ogxm_bytes.file([("MTCH", b"\xff" * 11)]), "a number has more than ten bytes"),
        (ogxm_bytes.file([MATCH, ("GAME", GAME[1][:-1])]), "a section ends too early"),
    ],
)
def test_damaged_files_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, problem: str
) -> None:
    check_damaged(
        capsys, tmp_path / "a.ogxm", data, lambda path: ogxm.read(ogxm.lines(path), str(path)), problem
    )


def test_every_byte_changed_is_read_or_refused_in_a_line(tmp_path: Path) -> None:
    """The sections have a right checksum, as in a handmade file."""
    path = tmp_path / "a.ogxm"
    game = [ogxm_bytes.move(0, "31", "8/5 6/5"), ogxm_bytes.act(DOUBLE, 1), ogxm_bytes.act(TAKE, 0)]
    sections = [MATCH, ogxm_bytes.game(game, (0, 1)), ("ANNO", ogxm_bytes.comment(0, "good"))]
    sections.append(("DECS", ogxm_bytes.decision(0, [(0.5, True)])))
    for number, (name, data) in enumerate(sections):
        for at in range(len(data)):
            changed = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
            path.write_bytes(ogxm_bytes.file([*sections[:number], (name, changed), *sections[number + 1 :]]))
            check_read_or_refused(path)


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, mat = tmp_path / "a.ogxm", tmp_path / "a.mat"
    path.write_bytes(WHOLE)
    status, out, _ = run_printed(capsys, "replay", path, "--plain")
    assert status == 0 and "white (X): Ann" in out
    assert (
        run_printed(capsys, "run", "export", path, "--out", mat)[0] == 0 and "31: 8/5 6/5" in mat.read_text()
    )
    message = "gameplay: OGXM files can be read but not written. Try: --out FILE.mat\n"
    assert run_printed(capsys, "run", "export", path, "--out", tmp_path / "b.ogxm") == (2, "", message)
