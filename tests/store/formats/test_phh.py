"""Hand histories: another program's are read by the rules, wrong ones refused with the line, ours written."""

import gzip
import json
import tomllib
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.games.holdem import game as holdem
from gameplay.store.formats import encoding, game_formats, phh
from gameplay.store.formats.pgn import Sheet
from gameplay.store.record import Ply, Record
from tests.support.paths import TESTS
from tests.support.records import read, survives_two_exports

pytestmark = pytest.mark.once

HERE = TESTS / "answers"
FILE = HERE / "holdem.phhs"  # PokerKit's
HAND = (TESTS / "examples" / "records" / "hand.phh").read_text()


def limit_hand(blind: int) -> str:
    """The fields of a limit hand of two players, up to the stacks."""
    return (
        f'variant = "FT"\nantes = [0, 0]\nblinds_or_straddles = [{blind}, {2 * blind}]\n'
        f"small_bet = {2 * blind}\nbig_bet = {4 * blind}\nstarting_stacks = [200, 100]\n"
    )


LIMIT = (
    limit_hand(1)
    + """actions = ["d dh p2 2s3d", "d dh p1 2d3s", "p2 cc", "p1 cbr 4", # a comment "p1 f"
  'p2 cc', "d db AhKhQs", "p1 cc"]
"""
)


def test_payoffs_of_pokerkit_hands_are_equal() -> None:
    hands = json.loads(gzip.decompress((HERE / "holdem.json.gz").read_bytes()))
    payoffs = [hand["payoffs"] for hand in hands if not hand["limit"]]
    records = read(FILE)
    assert len(records) == 12
    for (sheet, record), paid in zip(records, payoffs, strict=False):
        assert record is not None, sheet.problem
        assert (record.result, record.reason) == (paid, "rules")


def test_a_hand_is_read_with_names_day_and_comments(tmp_path: Path) -> None:
    sheet, record = read_one(tmp_path, HAND)
    assert record.game == "holdem:players=3,stacks=10/30/80,blinds=1/2,bets=any"
    assert (record.players, record.begun, record.result) == (
        ["ann", "bob", "cid"],
        "2020-03-09",
        [20, 10, -30],
    )
    assert record.words[:9] == ["As", "Ad", "Ks", "Kd", "7c", "2d", "allin", "call", "call"]
    assert sheet.line.steps[6].comments == ["bold"]
    assert game_formats.FORMATS[".phh"].write(sheet) == HAND


def test_heads_up_button_and_unfinished_hands(tmp_path: Path) -> None:
    path = tmp_path / "a.phhs"
    path.write_text(f"# two\n[1]\n{HAND}\n[2]\n{LIMIT}")
    (_, first), (sheet, second) = read(path)
    assert first is not None and second is not None, sheet.problem
    assert second.game == "holdem:players=2,stacks=100/200,blinds=1/2,bets=limit"
    assert (second.players, second.result) == (["p2", "p1"], None)
    assert second.words[:7] == ["2s", "3d", "2d", "3s", "call", "raise", "call"]


def test_written_files_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "a.phhs"
    path.write_text(f"{FILE.read_text()}\n[limit]\n{LIMIT}")
    survives_two_exports(path)


def test_a_run_is_exported_as_hands_in_tables(tmp_path: Path) -> None:
    out = tmp_path / "run.phhs"
    words = [
        "selfplay",
        "holdem",
        "--first",
        "random",
        "--second",
        "random",
        "--games",
        "4",
        "--seed",
        "5",
        "--jobs",
        "1",
    ]
    words += ["--store", str(tmp_path / "runs.db"), "--out", str(out)]
    assert run(router, "gameplay", words) == 0
    records = read(out)
    assert len(records) == 4 and all(record is not None for _, record in records)
    dealt = [record.words[:4] for _, record in records if record is not None]
    assert dealt[0] == dealt[1] != dealt[2] == dealt[3]  # the same cards with the seats exchanged


def test_blinds_may_be_equal(tmp_path: Path) -> None:
    _, record = read_one(tmp_path, HAND.replace("[1, 2, 0]", "[2, 2, 0]"))
    assert record.game == "holdem:players=3,stacks=10/30/80,blinds=2/2,bets=any"


def test_unknown_cards_are_filled_in_and_stay_unknown_in_the_file(tmp_path: Path) -> None:
    text = HAND.replace("AsAd", "????").replace("KsKd", "????").replace("7c2d", "9c9d")
    sheet, record = read_one(tmp_path, text)
    path = tmp_path / "a.phh"
    assert record.result is not None
    assert record.words[4:6] == ["9c", "9d"] and record.result[2] == 40, "who shows wins"
    assert sheet.line.notes == ["unknown in the file and filled in: the cards of p1, p2"]
    assert convert(tmp_path, path.read_text()) == path.read_text()
    path.write_text(HAND.replace('"d dh p2 KsKd",', "").replace('"p2 sm KsKd",', ""))
    [(sheet, record)] = read(path)
    assert record is None and "the two hole cards of p2 are missing" in sheet.problem
    path.write_text(HAND.replace("dh p2 KsKd", "dh p2 ????"))
    [(sheet, record)] = read(path)
    assert record is not None and record.words[2:4] == ["Ks", "Kd"]  # as they were shown in the end


def test_phh_errors_name_their_place_in_every_form(tmp_path: Path) -> None:
    """A hand before the first table, tables, comments in the list, a quoted key, an early end."""
    path = tmp_path / "a.phhs"
    wrong = HAND.replace("p2 cc", "p2 f 3").replace("  [", "# [")
    noted = wrong.replace('  "p3 cbr', '  # "all of it"\n  "p3 cbr')
    cut = HAND[: HAND.index('  "d db 4d"')]
    quoted = wrong.replace("actions", '"actions"')
    broken = HAND.replace("[10, 30, 80]", "[10, 30 80]")
    path.write_text(f'{wrong}[b]\n{noted}# end\n["c-d"] # last\n{cut}[e]\n{quoted}[f]\n{broken}[g]\n{HAND}')
    errors = [
        (sheet.number, sheet.problem.removeprefix(f"{path}, "), sheet.tags.get("Round", "?"))
        for sheet, _ in read(path)
    ]
    turn = "'p2 f 3' should read 'p1 f', 'p1 cc' or 'p1 cbr 6'"
    assert errors == [
        (1, f"game 1: line 12: {turn}", "?"),
        (2, f"game 2: line 39: {turn}", "b"),
        (3, "line 67, game 3: invalid value", "c-d"),
        (4, f"game 4: line 69: {turn}", "e"),
        (5, "line 99, game 5: unclosed array", "f"),
        (6, "", "g"),
    ]


def read_one(folder: Path, text: str) -> tuple[Sheet, Record]:
    """The one hand of a file with this text."""
    path = folder / "a.phh"
    path.write_text(text)
    [(sheet, record)] = read(path)
    assert record is not None, sheet.problem
    return sheet, record


def convert(tmp_path: Path, text: str) -> str:
    path = tmp_path / "a.phhs"
    path.write_text(text)
    return "".join(
        game_formats.FORMATS[".phhs"].write(sheet) for sheet, record in read(path) if record is not None
    )


def test_phh_shows_cards_at_a_showdown_only(tmp_path: Path) -> None:
    shown = HAND.replace('"p1 cc"', '"p1 f"').replace('  "p1 sm AsAd",\n', "")
    assert convert(tmp_path, shown) == shown
    taken = shown.replace('"p2 cc"', '"p2 f"')
    alone = taken[: taken.index('  "d db 8h')] + taken[taken.index("]\nplayers") :]
    assert convert(tmp_path, alone) == alone
    open_ = shown[: shown.index('  "d db 4d')] + shown[shown.index("]\nplayers") :]
    assert convert(tmp_path, open_) == open_  # no hand is over with three cards on the table
    [(sheet, record)] = read(tmp_path / "a.phhs")
    assert record is not None and sheet.tags["Termination"] == "unterminated"


def test_a_hand_with_limits_is_written_in_full(tmp_path: Path) -> None:
    extra = 'casino = "Zürich"\nrate = 1.5\nrake = inf\ntime = 12:30:00\n'
    assert convert(tmp_path, f'[ 7 ]\n{LIMIT}{extra}\n["a-b"]\n{LIMIT}') == (
        "[7]\n"
        + limit_hand(1)
        + """actions = [
  "d dh p1 2d3s",
  "d dh p2 2s3d",
  "p2 cc",
  "p1 cbr 4",
  "p2 cc",
  "d db AhKhQs",
  "p1 cc",
]
players = ["p1", "p2"]
casino = "Zürich"
rate = 1.5
time = 12:30:00

["a-b"]
"""
        + convert(tmp_path, LIMIT)
        + "\n"
    )


def test_an_own_hand_is_written_with_players_and_actions() -> None:
    """The small blind of two is p2 and folds to a raise; names are in the order of player numbers."""
    game = registry.game("holdem:players=2,stacks=100/200,blinds=5/10,bets=limit")
    position, moves = game.new(""), []
    for word in ("2c", "3c", "4d", "5d", "call", "20", "fold"):
        moves.append(Ply(word, position.turn))
        position.make(position.parse(word))
    record = Record(1, str(game), "", ["ann", "bob"], 0, moves, [-10.0, 10.0], "rules", "1")
    assert (
        encoding.encode(record, game)
        == limit_hand(5)
        + """actions = [
  "d dh p1 4d5d",
  "d dh p2 2c3c",
  "p2 cc",
  "p1 cbr 20",
  "p2 f",
]
players = ["bob", "ann"]
event = "Game of holdem"
"""
    )


ANTES = """variant = "NT"
antes = [2.5, 2.5, 2.5]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [1158.50, 1755, 1510.25]
actions = [
  "d dh p1 ????",
  "d dh p2 ????",
  "d dh p3 ????",
  "p3 cbr 47.5",
  "p1 f",
  "p2 cc",
  "d db 7dQh6h",
  "p2 cc",
  "p3 cbr 65.25",
  "p2 f",
]
players = ["a", "b", "c"]
time = 00:01:48
hand = 3017249344
"""


def test_antes_and_fractions_of_chips_are_played_and_written_again(tmp_path: Path) -> None:
    """The winner gets two antes, a blind and a call, as in archives of cash games."""
    _, record = read_one(tmp_path, ANTES)
    assert record.game == "holdem:players=3,stacks=115850/175500/151025,blinds=500/1000,bets=any,antes=250"
    assert record.result == [-750, -5000, 5750]
    assert convert(tmp_path, ANTES) == ANTES.replace("1158.50", "1158.5")


def test_antes_are_won_by_all_who_stay() -> None:
    """An ante of one player alone does not make a side pot."""
    position = registry.game("holdem:players=3,stacks=100/102/100,blinds=1/2,antes=0/2/0").new("")
    cards = ["As", "Ad", "Ks", "Kd", "7c", "2d"]
    for word in (*cards, "allin", "call", "call", "3c", "8h", "9s", "4h", "6d"):
        position.make(position.parse(word))
    assert position.outcome() == (202, -102, -100), "all chips of three, two of them an ante"


TABLES = HERE / "holdem-tables.phhs"  # PokerKit's


def test_payoffs_of_large_table_hands_are_equal() -> None:
    """Two to ten players, antes of all or of one, straddles, entry blinds, stacks below a blind."""
    hands = tomllib.loads(TABLES.read_text())
    assert {len(hand["starting_stacks"]) for hand in hands.values()} == set(range(2, 11))
    sheets_and_records = read(TABLES)
    assert len(sheets_and_records) == len(hands) == 60
    for (sheet, record), hand in zip(sheets_and_records, hands.values(), strict=True):
        assert record is not None, sheet.problem
        begun, ended = hand["starting_stacks"], hand["finishing_stacks"]
        gains = [after - before for before, after in zip(begun, ended, strict=True)]
        assert record.result == (gains[::-1] if len(gains) == 2 else gains), sheet.number
        again = tomllib.loads(game_formats.FORMATS[".phhs"].write(sheet))[str(sheet.number)]
        assert {field: again[field] for field in hand if field != "actions"} == {
            field: value for field, value in hand.items() if field != "actions"
        }


def test_a_file_of_many_hands_takes_time_in_proportion(tmp_path: Path) -> None:
    """Lines were counted from the start of each hand: blank lines before the last of 1,000 took minutes."""
    path = tmp_path / "a.phhs"
    hand = HAND.replace('"NT"', '"PO"')
    path.write_text("".join(f"[{number}]\n{hand}\n" for number in range(1000)))
    hands = read(path)
    assert len(hands) == 1000 and "game 1000: variant is 'PO'" in hands[-1][0].problem


def test_millions_of_chips_are_counted_in_hundreds_and_written_again(tmp_path: Path) -> None:
    """The amounts are those of televised cash games: 1,125,600 chips, bets of 1,067,100."""
    text = HAND.replace("[1, 2, 0]", "[1000, 2000, 0]").replace("min_bet = 2", "min_bet = 2000")
    text = text.replace("[10, 30, 80]", "[1000000, 3000000, 8000000]").replace("cbr 80", "cbr 8000000")
    sheet, record = read_one(tmp_path, text)
    assert record.game == "holdem:players=3,stacks=100000/300000/800000,blinds=100/200,bets=any"
    assert record.result == [200000, 100000, -300000]
    assert sheet.line.notes == ["10 chips of the file are read as 1 chip"]
    assert convert(tmp_path, text) == text


def test_heads_up_antes_follow_the_blinds(tmp_path: Path) -> None:
    """The big blind, p1, pays the ante listed second."""
    text = LIMIT.replace("antes = [0, 0]", "antes = [0, 5]")
    _, record = read_one(tmp_path, text)
    assert record.game == "holdem:players=2,stacks=100/200,blinds=1/2,bets=limit,antes=0/5"
    assert "antes = [0, 5]" in convert(tmp_path, text)


@pytest.mark.parametrize(
    ("most", "unit"), [("99999.99", 100), ("20000000", 1), ("19999999.99", 100), ("80.0000001", 10_000_000)]
)
def test_chips_of_any_size_are_counted_in_units_and_written_again(
    tmp_path: Path, most: str, unit: int
) -> None:
    """Up to two billion units of the smallest chip in the hand."""
    text = HAND.replace("[10, 30, 80]", f"[10, 30, {most}]").replace("p3 cbr 80", f"p3 cbr {most}")
    sheet, record = read_one(tmp_path, text)
    assert sheet.tags.get("Unit", "1") == str(unit) and sheet.tags["Stacks"].endswith(most.replace(".", ""))
    assert record.result == [20 * unit, 10 * unit, -30 * unit]
    assert convert(tmp_path, text) == text


def test_a_hand_is_counted_in_as_many_units_as_are_played() -> None:
    assert phh.MAX_UNITS == holdem.MAX_CHIPS < 2**31 - 1
