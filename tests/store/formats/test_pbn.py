"""Deals in PBN: another program's are read and written again, wrong ones refused with the place."""

from pathlib import Path

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.store import saved
from gameplay.store.formats import encoding, game_formats, pgn
from gameplay.store.record import Ply, Record, record_of
from tests.support.paths import TESTS
from tests.support.records import read, survives_two_exports

pytestmark = pytest.mark.once

FILE = TESTS / "answers" / "bridge.pbn"  # endplay's
DEAL = (TESTS / "examples" / "records" / "deal.pbn").read_text()


def only(tmp_path: Path, text: str) -> tuple[pgn.Sheet, Record | None]:
    """The only deal of a file with this text."""
    path = tmp_path / "a.pbn"
    path.write_text(text)
    [record] = read(path)
    return record


def test_pbn_results_equal_another_programs() -> None:
    records = read(FILE)
    assert len(records) == 5
    for sheet, record in records:
        assert record is not None and record.reason == "rules", sheet.problem
        position = registry.game(record.game).new(record.start)
        for word in record.words:
            position.make(position.parse(word))
        contract = position.state.contract
        assert contract.bid.upper().replace("N", "NT") == sheet.tags["Contract"]
        assert str(position.state.tricks[contract.declarer % 2]) == sheet.tags["Result"]
    assert [record.game for _, record in records if record is not None][:2] == [
        "bridge",
        "bridge:dealer=E,vulnerable=ns",
    ]


def test_a_deal_is_read_with_names_day_notes_and_a_claim(tmp_path: Path) -> None:
    sheet, record = only(tmp_path, DEAL)
    assert record is not None, sheet.problem
    assert (record.players, record.begun) == (["ann", "bob", "cid", "dee"], "2020-03-09")
    assert (record.result, record.reason) == ([-430, 430, -430, 430], "recorded")
    assert record.words[-8:] == ["Qc", "2c", "9c", "Ac", "Kh", "7h", "2h", "Ah"]
    assert sheet.line.steps[2].more["note"] == ["=1="] and sheet.line.steps[0].notes == [1]
    assert game_formats.FORMATS[".pbn"].write(sheet) == DEAL


def test_comments_stand_anywhere_and_may_have_braces(tmp_path: Path) -> None:
    text = DEAL.replace('[Result "10"]\n', '[Result "10"]\n{of the\n deal}\n; and {this}\n')
    text = text.replace("1D $1 Pass", "1D $1 ; no {better} bid\n Pass").replace("C9 CA", "C9 CA {at once}")
    sheet, record = only(tmp_path, text)
    assert record is not None, sheet.problem
    assert sheet.line.notes == ["of the deal", "and {this}"]
    assert sheet.line.steps[0].notes == [1, "no {better} bid"]
    assert game_formats.FORMATS[".pbn"].write(sheet) == text.replace("of the\n deal", "of the deal")


@pytest.mark.parametrize("tricks", ["14", "0131", "many"])
def test_invalid_result_is_ignored(tmp_path: Path, tricks: str) -> None:
    sheet, record = only(tmp_path, DEAL.replace('"10"', f'"{tricks}"'))
    assert record is not None and record.result is None, sheet.problem


def test_written_files_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text(f"% PBN 2.1\n{DEAL}{FILE.read_text()}")
    survives_two_exports(path)
    theirs = [line for line in FILE.read_text().splitlines() if line and line[0] != "%"]
    assert [line for line in path.with_name("once.pbn").read_text().splitlines() if line][
        -len(theirs) :
    ] == theirs


def test_a_run_is_exported_as_deals(tmp_path: Path) -> None:
    out = tmp_path / "run.pbn"
    words = ["selfplay", "bridge", "--first", "random", "--second", "random", "--games", "4", "--seed", "5"]
    words += ["--jobs", "1", "--store", str(tmp_path / "runs.db"), "--out", str(out)]
    assert run(router, "gameplay", words) == 0
    records = read(out)
    assert len(records) == 4 and all(record is not None for _, record in records)
    assert len({sheet.tags["Deal"] for sheet, _ in records}) == 1  # the same deal with the seats rotated
    assert all(record.reason == "rules" for _, record in records if record is not None)


def test_export_of_an_unfinished_game_hides_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = registry.game("bridge")
    match = Match(game, [EmptySeat() for _ in range(4)], seed=3)
    while match.turn < 0:
        match.step()
    path, out = tmp_path / "a.json", tmp_path / "a.pbn"
    saved.write_record(record_of(match), path, game, secret=True)
    assert run(router, "gameplay", ["export", str(path), "--out", str(out)]) == 2
    assert "a.pbn would reveal hidden information" in capsys.readouterr().err and not out.exists()


def test_tag_values_of_the_previous_deal_are_reused(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    second = DEAL.replace('"Club"', '"#"').replace('"dee"', '"eve"').replace('[Room "Open"]\n', "")
    path.write_text(DEAL.replace('"Open"', '"##Closed"') + second)
    (_, _), (sheet, record) = read(path)
    assert record is not None and record.players[3] == "eve"
    assert (sheet.tags["Event"], sheet.tags["Room"]) == ("Club", "Closed")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1D $1 Pass 2NT =1= Pass\n3NT Pass Pass {an end} Pass", "1d! pass 2nt - ; a comment\n3NT AP"),
        ("3NT Pass Pass {an end} Pass", "3NT\n\nAP"),
        ("CQ C2 C9 CA\nH7 H2 HA HK", "CQ C2 C9 CA H9 H7 H2 HA"),
        ("CQ C2 C9 CA\nH7 H2 HA HK\n*", ""),
        ('[Dealer "E"]\n', ""),
        ('[Vulnerable "NS"]', '[Vulnerable "ns"]'),
    ],
)
def test_the_liberties_of_real_files_are_understood(tmp_path: Path, old: str, new: str) -> None:
    """Marks, comments, empty lines, cards in the order of play, missing tags."""
    assert old in DEAL
    sheet, record = only(tmp_path, DEAL.replace(old, new))
    assert record is not None, sheet.problem
    assert record.game == "bridge:dealer=E,vulnerable=ns" and record.result == [-430, 430, -430, 430]
    assert record.words[:5] == ["1D", "pass", "2N", "pass", "3N"]


def test_a_deal_without_an_auction_has_the_contract_of_its_tags(tmp_path: Path) -> None:
    text = DEAL[: DEAL.index("[Auction")] + DEAL[DEAL.index("[Play") :]
    sheet, record = only(tmp_path, text)
    assert record is not None, sheet.problem
    assert record.game == "bridge:dealer=E,vulnerable=ns,contract=3N,declarer=W"
    assert record.result == [-430, 430, -430, 430]
    bare = text[: text.index("[Play")].replace('"3NT"', '"?"').replace('"10"', '"?"')
    sheet, record = only(tmp_path, bare)
    assert record is not None and record.words == [] and record.result is None


HANDS = "N:63.T76.K7.QJ8754 KQJ5.QJ2.AQJ94.2 T9742.A843.52.K9 A8.K95.T863.AT63"


@pytest.mark.parametrize(
    ("vulnerable", "calls", "named", "message", "auction"),
    [
        ("none", "pass pass pass pass", "None", ("", "Pass", ""), "Pass Pass Pass Pass"),
        ("ns", "pass 1D pass", "NS", ("?", "?", "?"), "Pass 1D Pass *"),
        ("ew", "1C pass pass pass", "EW", ("S", "1C", "?"), "1C Pass Pass Pass"),
        (
            "both",
            "1N pass pass x pass pass pass",
            "All",
            ("S", "1NTX", "?"),
            "1NT Pass Pass X\nPass Pass Pass",
        ),
    ],
)
def test_exported_deal_has_its_terms(
    vulnerable: str, calls: str, named: str, message: tuple[str, str, str], auction: str
) -> None:
    """The standard's words for vulnerability; a passed-out deal has no declarer."""
    game = registry.game(f"bridge:vulnerable={vulnerable},dealer=S")
    position, moves = game.new(HANDS), []
    for word in calls.split():
        moves.append(Ply(word, position.turn))
        position.make(position.parse(word))
    over = position.outcome() is not None
    result, reason = ([0.0] * 4, "rules") if over else (None, "")
    record = Record(1, str(game), HANDS, list("nesw"), 0, moves, result, reason, "1")
    lines = encoding.encode(record, game).rstrip().splitlines()
    declarer, contract, tricks = message
    assert lines[lines.index('[Dealer "S"]') :] == [
        '[Dealer "S"]',
        f'[Vulnerable "{named}"]',
        f'[Deal "{HANDS}"]',
        '[Scoring "?"]',
        f'[Declarer "{declarer}"]',
        f'[Contract "{contract}"]',
        f'[Result "{tricks}"]',
        '[Auction "S"]',
        *auction.splitlines(),
    ]


def test_deals_are_separated_and_comments_preserved(tmp_path: Path) -> None:
    """With empty lines between them or none, `%` inside and outside a comment, marks on the last passes."""
    path = tmp_path / "a.pbn"
    first = DEAL.replace("1D $1", "1D !? {\n% kept\n}").replace(
        "Pass Pass {an end} Pass", "AP =1= ?? {an end}"
    )
    nameless = DEAL.replace('[Event "Club"]', "")
    path.write_text(f"{first.rstrip()}\n{DEAL}\n\n% no deal\n{nameless}")
    records = read(path)
    assert [sheet.problem for sheet, _ in records] == ["", "", ""]
    assert [sheet.tags.get("Event", "?") for sheet, _ in records] == ["Club", "Club", "?"]
    opened, *_, last = records[0][0].line.steps[:8]
    assert opened.notes == [5, "% kept"]
    assert last.notes == [4, "an end"] and last.more["note"] == ["=1="]
    assert {tuple(record.words) for _, record in records if record is not None} == {
        tuple(records[1][1].words)
    }


FREE = """\
% PBN 2.1
[Event "x"] { note } [Site "here"] [Date "2020.03.09"]
; another
[Board "1"] [West "The "Big" W"]  [North
"n"] [Dealer "E"] { over
two [lines] } [Vulnerable "N-S"]
[Deal "W:A8.K95.T863.AT63 63.T76.K7.QJ8754
   KQJ5.QJ2.AQJ94.2 T9742.A843.52.K9"] [Scoring "IMP"]
[OptimumResultTable "Declarer;Denomination"]
N NT 7
[Auction "E"]
P 1H* ; alerted
=1= PASS 1NT AP
[Note "1:five"] [Play "E"] S5 S2 SA S3
{ claimed } *
[Event "#"] [Board "#"] [Deal "#"] [Dealer "##"] [Vulnerable "#"] [Contract "2D"] [Play "S"] S4
"""


def test_the_layout_of_the_import_format_is_free(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text(FREE)
    (first, record), (second, other) = read(path)
    assert record is not None, first.problem
    assert other is not None, second.problem
    assert record.words == ["pass", "1H", "pass", "1N", "pass", "pass", "pass", "5s", "2s", "As", "3s"]
    assert (first.tags["Event"], first.tags["Site"], first.tags["West"]) == ("x", "here", 'The "Big" W')
    assert (first.tags["North"], first.tags["Scoring"]) == ("n", "IMP")
    assert first.line.notes == ["note", "another", "over two [lines]"]
    assert first.line.more["section OptimumResultTable"] == ["N NT 7"]
    assert first.line.more["notes Auction"] == ["1:five"]
    assert first.line.steps[1].more["note"] == ["=1="] and first.line.steps[1].comments == ["alerted"]
    assert first.line.steps[-1].comments == ["claimed"]
    assert other.game == "bridge:dealer=E,vulnerable=ns,contract=2D,declarer=E", "who leads is behind it"
    assert (other.start, other.words, second.tags["Event"]) == (record.start, ["4s"], "x")
    path.write_bytes(FREE.replace("\n", "\r\n").replace("here", "h\xe9r\xe9").encode("latin-1"))
    assert [again.words for _, again in read(path) if again] == [record.words, other.words]


def test_unknown_hands_are_filled_with_the_cards_played(tmp_path: Path) -> None:
    deal = DEAL[DEAL.index("[Deal ") : DEAL.index("\n", DEAL.index("[Deal "))]
    hands = deal.split('"')[1]
    east = hands.split()[1]
    sheet, record = only(tmp_path, DEAL.replace(east, "-"))
    assert record is not None, sheet.problem
    assert record.start == hands, "three hands leave the fourth"
    sheet, record = only(tmp_path, DEAL.replace(hands, f"E:{east} - - -"))
    assert record is not None, sheet.problem
    _, whole = only(tmp_path, DEAL)
    assert whole is not None and record.words == whole.words and record.start != whole.start
    assert sheet.line.notes[-1] == "unknown in the file and filled in: the cards of S, W, N"


def test_an_auction_that_leads_elsewhere_is_a_remark(tmp_path: Path) -> None:
    sheet, record = only(tmp_path, DEAL.replace('"3NT"', '"3NTX"'))
    assert record is not None, sheet.problem
    assert record.game.endswith("contract=3Nx,declarer=W") and record.words[0] == "Qc"
    assert sheet.line.notes[-1].startswith("the auction leads to 3N by W, not to 3NX: 1D Pass")


def test_a_game_without_a_deal_repeats_the_previous_board(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text(DEAL + '\n[West "Zak"]\n[Auction "E"]\nPass AP\n')
    (_, first), (sheet, second) = read(path)
    assert first is not None and second is not None, sheet.problem
    assert (second.start, second.players[3]) == (first.start, "Zak")
    assert second.words == ["pass"] * 4 and second.result == [0, 0, 0, 0]
