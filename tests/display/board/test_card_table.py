"""Card tables: seats, tricks, auctions and bidding boxes at every size; no hidden card on any of them."""

import re
from random import Random

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.display.board import card_table
from gameplay.display.board import drawing as boards
from gameplay.display.board.pointing import cell_positions, nearest_cell
from gameplay.display.terminal import line
from gameplay.position import CHANCE
from tests.support.golden import golden
from tests.support.themes import ASCII, COLOUR, PLAIN

pytestmark = pytest.mark.once

BRIDGE = "N:AJT4.86543.43.T5 Q983..AKT7.QJ964 K75.T972.52.A732 62.AKQJ.QJ986.K8"
AUCTION = f"{BRIDGE} pass 1D pass 1H pass"
PLAY = f"{AUCTION} 4H pass pass pass"
HEARTS = "J95.K87.AQ4.T862 A73.QJ5.K962.974 KQ6.A642.T85.QJ3 T842.T93.J73.AK5"
PASSED = f"{HEARTS} 5s 9s Js As Qh Jh Ks Qs Ah Ac Kc 5c"
SHOWN = [  # game, position, viewer
    ("bridge", AUCTION, 1),
    ("bridge", f"{AUCTION} 1S x pass pass", 1),
    ("bridge", f"{AUCTION} 1S", 3),
    ("bridge", f"{AUCTION} 1S", None),
    ("bridge", PLAY, 0),
    ("bridge", f"{PLAY} As 3s 5s 2s Js", 3),
    ("bridge", f"{PLAY} As 3s 5s 2s", 0),
    ("hearts", f"{HEARTS} Js 9s", 0),
    ("hearts", PASSED, 3),
    ("hearts", f"{PASSED} 2c 9c Qc 4s", 1),
    ("hearts:points=100", f"2:40/3/0/9 {HEARTS} Js 9s", 0),
    ("hearts:players=3,passing=off", "", 1),
    ("hearts:players=5,passing=off", "", None),
    ("holdem:players=6", "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", 2),
    ("holdem", "Ks Kh Qs Qh call check 2c 3d 9h", 1),
    ("leduc", "Ks Qh check check Js", 0),
    ("kuhn", "K Q", 0),
]


def test_tables_at_every_size() -> None:
    results = []
    for spec, text, viewer in SHOWN:
        board = registry.game(spec).new(text).board(viewer)
        results += [f"-- {spec} {text.split()[-1] if text else ''}, seen by {viewer}", line.board_text(board)]
        for scale in range(3):
            results.append(f"- scale {scale}")
            results += map(str.rstrip, boards.draw(board, PLAIN, scale).plain.splitlines())
            wide, high = boards.size(board, scale, PLAIN)
            drawn = boards.draw(board, PLAIN, scale).plain.splitlines()
            assert max(map(len, drawn)) <= wide and len(drawn) == high
            assert boards.draw(board, ASCII, scale).plain.isascii()
    golden("card_tables", "\n".join(results) + "\n")


@pytest.mark.parametrize(("spec", "text", "viewer"), SHOWN)
def test_table_fits_beside_the_panel_of_a_small_terminal(spec: str, text: str, viewer: int | None) -> None:
    board = registry.game(spec).new(text).board(viewer)
    if viewer is None:  # to look at
        board = structs.replace(board, moves={})
    assert boards.largest(board, 50, 19, PLAIN) == 1
    assert boards.largest(board, 70, 25, PLAIN) == 2


def play(spec: str, seed: int, plies: int):
    """The position after this number of random moves beyond the deal."""
    position, rng = registry.game(spec).new(""), Random(seed)
    while plies and position.outcome() is None:
        plies -= position.turn != CHANCE
        position.make(rng.choice(position.moves()))
    return position


@pytest.mark.parametrize(
    "spec", ["bridge", "bridge:contract=3N", "hearts", "hearts:players=5", "holdem:players=9", "leduc"]
)
@pytest.mark.parametrize("plies", [1, 2, 4, 7, 13, 21, 30])
def test_board_shows_no_hidden_card(spec: str, plies: int) -> None:
    position, rng = play(spec, plies, plies), Random(plies)
    for viewer in range(position.players):
        board = position.board(viewer)
        for _ in range(3):
            other = position.determinize(viewer, rng)
            if other.outcome() is None:
                assert other.board(viewer) == board, (
                    "the same for every deal that the viewer takes for possible"
                )


@pytest.mark.parametrize("scale", [0, 1, 2])
def test_every_card_that_can_be_played_can_be_pointed_at(scale: int) -> None:
    for spec, text, viewer in SHOWN:
        board = registry.game(spec).new(text).board(viewer)
        places = cell_positions(board, PLAIN, scale)
        for cell in board.moves:
            row, column = places[cell]
            assert nearest_cell(places, round(row), round(column)) == cell
            drawn = boards.draw(board, PLAIN, scale, cursor=cell).plain.splitlines()
            assert drawn[round(row)].count(">") - (row == 0) >= 1
            assert re.search(r">[^<>]+<", drawn[round(row)]), "the cursor has its marks without colour"


def test_bidding_box_lists_legal_calls_only_and_pass_first() -> None:
    position = registry.game("bridge").new(f"{AUCTION} 1S x pass pass")
    board = position.board(1)
    assert sorted(move for moves in board.moves.values() for move in moves) == position.moves()
    assert min(board.moves) == (board.table.box[0], 0) and board.piece(min(board.moves)) == "pass"
    assert board.table.choices == "calls: pass, xx, 1N to 7N"
    assert not position.board(0).moves and not position.board(0).table.box, "it is not north's turn"
    assert registry.game("bridge").new(f"{BRIDGE} 7N x").board(2).table.choices == "calls: pass, xx"


def test_auction_has_a_column_for_each_seat() -> None:
    auction = registry.game("bridge:dealer=E").new(f"{BRIDGE} 1D x pass 1H").board(0).table.auction
    assert auction.players == ("west", "north", "east", "south")
    assert auction.rows == (("", "", "1D", "x"), ("pass", "1H", "?", ""))


def test_dummy_is_shown_after_the_lead_opposite_the_declarer() -> None:
    table = registry.game("bridge").new(PLAY).board(3).table
    assert [seat.hidden for seat in table.seats] == [0, 13, 13, 13]
    table = registry.game("bridge").new(f"{PLAY} As").board(3).table
    assert [seat.note for seat in table.seats] == ["declarer", "", "dummy", ""]
    assert table.seats[2].hand and table.seats[2].turn and not table.seats[1].hand


def test_trick_facts_of_bridge() -> None:
    table = registry.game("bridge:vulnerable=ns").new(f"{PLAY} As 3s 5s 2s").board(0).table
    assert table.facts == (
        "4H by W; tricks N-S 1 of 4, E-W 0 of 10",
        "trick 1: north takes it; vulnerable: north-south",
    )
    assert table.winner == 0 and table.seats[0].card == "As" and table.seats[2].card == "5s"


def test_trick_facts_of_hearts() -> None:
    table = registry.game("hearts").new(f"{PASSED} 2c 9c Qc 4s 3c Ts").board(1).table
    assert table.facts == ("trick 2/13: south led; hearts not broken",)
    assert [seat.card for seat in table.seats] == ["", "3c", "Ts", ""] and table.winner is None


def test_the_human_stays_at_the_bottom_when_all_is_shown() -> None:
    board = registry.game("bridge").new(f"{PLAY} As 3s 5s 2s").board()
    table = boards.orient_board(board, False, 3).table
    assert [seat.name for seat in table.seats] == ["west", "north", "east", "south"]
    assert table.winner == 1 and table.leader == 1 and table.seats[1].card == "As"
    assert boards.orient_board(board, True, 3).table.seats[0].name == "east"
    assert boards.orient_board(board, False, None).table == board.table
    assert line.board_text(boards.orient_board(board, False, 3)).splitlines()[-1] == (
        "trick: north As, east 3s, south 5s, west 2s"
    )


def test_end_of_a_contract_in_words() -> None:
    position = registry.game("bridge:contract=1H,declarer=W").new(BRIDGE)
    while position.outcome() is None:
        position.make(position.moves()[0])
    assert position.state.tricks == (4, 9) and position.outcome()[0] == -140, "30 for the level, 60 over, 50"
    assert position.board().table.facts == (
        "1H by W; tricks N-S 4 of 7, E-W 9 of 7",
        "made with 2 over; points N-S -140, E-W 140",
    )


def test_hands_as_dealt_are_shown_after_the_game() -> None:
    position = play("bridge", 3, 100)
    rows = [
        sum(len(position.board().trays[row].things) for row in seat.hand)
        for seat in position.board().table.seats
    ]
    assert position.outcome() is not None and rows == [13] * 4
    position = play("hearts", 3, 100)
    assert sum(len(tray.things) for tray in position.board().trays) == 52


def test_red_suits_are_red() -> None:
    board = registry.game("bridge").new(AUCTION).board(1)
    text = boards.draw(board, COLOUR, 1)
    red = {text.plain[span.start : span.end] for span in text.spans if COLOUR.red() in str(span.style)}
    assert {"♥", "1♥", "7♦", "K"} <= red and not red & {"♠", "1♠", "7♣", "pass"}


def test_earlier_rounds_of_a_long_auction_give_way() -> None:
    calls = (
        "1C pass pass x pass pass xx pass pass 1D pass pass x pass pass xx pass pass 1H pass pass x pass pass"
    )
    board = registry.game("bridge").new(f"{BRIDGE} {calls}").board(0)
    assert boards.size(board, 1, PLAIN)[1] <= 19 and "?" in boards.draw(board, PLAIN, 1).plain
    assert len(board.table.auction.rows) > card_table.MAX_AUCTION_LINES[0]
