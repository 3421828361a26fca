"""Chess against published perft numbers, and move by move against python-chess."""

import contextlib
import tomllib
from random import Random

import pytest

from gameplay import registry
from gameplay.adapter import PositionKernel
from gameplay.errors import BadInput, IllegalMove
from gameplay.games.chess import fen as _fen
from gameplay.kernel import compiled
from tests.support.paths import TESTS

CHESS = tomllib.loads((TESTS / "answers" / "chess.toml").read_text())

ANSWERS = tomllib.loads((TESTS / "answers" / "chess_perft.toml").read_text())
LEAVES = 3_000_000 if compiled() else 9_000
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def chess(text=None, **parameters):
    options = ",".join(f"{name}={value}" for name, value in parameters.items())
    return registry.game(f"chess:{options}" if options else "chess").new(text)


def play_moves(text, *words, **parameters):
    position = chess(text, **parameters)
    for word in words:
        position.make(position.parse(word))
    return position


# -- counting -------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ANSWERS["perft"], ids=lambda answer: answer["fen"])
def test_perft(answer):
    position = chess(answer["fen"])
    for depth, leaves in enumerate(answer["leaves"], 1):
        if leaves <= LEAVES:
            assert position.perft(depth) == leaves


def test_perft_by_making_each_move():
    """By the contract; lines continue beyond a draw, which ends a game but not a line of perft."""
    for answer in ANSWERS["perft"][:6]:
        depth = len([n for n in answer["leaves"] if n <= (20_000 if compiled() else 500)])
        assert PositionKernel(chess(answer["fen"])).perft(depth) == answer["leaves"][depth - 1]


# -- against python-chess -------------------------------------------------------------------------


def payoffs_of(other, claims):
    """The payoffs according to python-chess, None while the game is in progress."""
    if other.is_checkmate():
        return (-1, 1) if other.turn else (1, -1)
    claimed = claims and (other.is_fifty_moves() or other.is_repetition(3))
    dead = other.is_stalemate() or other.is_insufficient_material()
    return (
        (0, 0) if dead or claimed or other.is_seventyfive_moves() or other.is_fivefold_repetition() else None
    )


@pytest.mark.parametrize("number", range(18 if compiled() else 4))
def test_random_games_against_python_chess(number):
    oracle = pytest.importorskip("chess")
    rng = Random(number)
    start = 518 if number % 2 else rng.randrange(960)
    claims = number % 3 != 0
    position = chess(start=start, claims="on" if claims else "off")
    other = oracle.Board.from_chess960_pos(start)
    other.chess960 = start != 518
    while True:
        legal = {position.uci(move): move for move in position.moves()}
        there = {other.uci(move): move for move in other.legal_moves}
        assert set(legal) == set(there), other.fen()
        assert position.fen() == other.fen()
        assert position.forced() == other.is_check()
        assert position.outcome() == payoffs_of(other, claims), other.fen()
        if position.outcome() is not None:
            break
        if rng.random() < 0.1:
            noisy = position.noisy()
            for word, move in legal.items():
                san = other.san(there[word])
                assert position.format(move) == san
                assert position.parse(san) == position.from_uci(word) == move
                if not other.is_check():
                    promotion = there[word].promotion
                    loud = other.is_capture(there[word]) or promotion
                    assert (move in noisy) == bool(loud and promotion in (None, oracle.QUEEN))
        word = rng.choice(sorted(legal))
        position.make(legal[word])
        other.push(there[word])


def test_the_start_positions_against_python_chess():
    oracle = pytest.importorskip("chess")
    for number in range(960):
        assert chess(start=number).fen() == oracle.Board.from_chess960_pos(number).fen(), number


# -- the end of a game ----------------------------------------------------------------------------

ROUND = ["Nf3", "Nf6", "Ng1", "Ng8"]


@pytest.mark.parametrize(
    ("fen", "outcome"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", (-1, 1)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", (0, 0)),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", (1, -1)),  # a mate counts before the fifty moves
        ("7k/5R2/6K1/8/8/8/8/8 w - - 99 90", None),
        ("7k/5R2/6K1/8/8/8/8/8 w - - 100 90", (0, 0)),
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", (0, 0)),
        ("8/8/4k3/8/8/3K1N2/8/8 w - - 0 1", (0, 0)),
        ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", None),
        ("8/8/4k1n1/8/8/3K1N2/8/8 w - - 0 1", None),
        ("8/8/4k3/b1B1B3/8/3K4/8/8 w - - 0 1", (0, 0)),  # all bishops on dark squares
        ("8/8/4k3/bB2B3/8/3K4/8/8 w - - 0 1", None),
        ("8/8/4k3/8/8/3KN1b1/8/8 w - - 0 1", None),
        ("8/7p/4k3/8/8/3K4/8/8 w - - 0 1", None),
    ],
)
def test_end_of_the_game(fen, outcome):
    assert chess(fen).outcome() == outcome


def test_repetition():
    assert play_moves(None, *ROUND).outcome() is None
    assert play_moves(None, *ROUND, *ROUND).outcome() == (0, 0)
    assert play_moves(None, *(3 * ROUND), claims="off").outcome() is None
    assert play_moves(None, *(4 * ROUND), claims="off").outcome() == (0, 0)
    # The right to castle was lost on the way: the first position was another.
    there = ["Ke2", "Ke7", "Ke1", "Ke8"]
    fen = "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1"
    assert play_moves(fen, *there, *there).outcome() is None
    assert play_moves(fen, *there, *there, *there[:2]).outcome() == (0, 0)


def test_seventy_five_move_rule_without_claims():
    fen = "7k/5R2/6K1/8/8/8/8/8 w - - {} 90"
    assert chess(fen.format(149), claims="off").outcome() is None
    assert chess(fen.format(150), claims="off").outcome() == (0, 0)


def test_repetition_state_is_in_key_and_text():
    new, again = chess(), play_moves(None, *ROUND)
    assert new.key() != again.key()
    text = again.text()
    assert text == f"{START} moves g1f3 g8f6 f3g1 f6g8"
    brought = chess(text)
    assert (brought.key(), brought.text()) == (again.key(), text)
    assert play_moves(text, *ROUND).outcome() == (0, 0)
    assert play_moves(None, "Nf3", "e5").text() == (
        "rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2"
    )


def test_twin_copies_the_history():
    position = play_moves("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", "Kd2", "Kd7")
    twin = position.twin()
    assert (twin.key(), twin.text(), twin.fen()) == (position.key(), position.text(), position.fen())
    twin.unmake()
    assert twin.fen() != position.fen()


def test_en_passant_square_only_if_capture_is_legal():
    assert " - 0 1" in play_moves(None, "e4").fen()
    assert " d6 0 3" in play_moves(None, "e4", "a6", "e5", "d5").fen()
    pinned = play_moves("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "e4")
    assert " - 0 1" in pinned.fen()  # the fourth rank would open
    assert "fxe3" not in [pinned.format(move) for move in pinned.moves()]
    assert (
        chess("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").key()
        == play_moves(None, "e4").key()
    )


# -- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (START, ["e4", "e2e4", "e2-e4", "E2E4", "e4!", " e4 ", "e4+?"]),
        (START, ["c4", "C4", "C2C4", "C2-C4"]),
        (START, ["Nf3", "nf3", "NF3", "NG1F3", "Ng1f3", "Ng1-f3", "g1f3", "Ngf3", "N1f3"]),
        (CASTLES, ["O-O", "0-0", "o-o", "OO", "e1g1", "e1h1", "O-O+"]),
        (CASTLES, ["O-O-O", "0-0-0", "e1c1"]),
        (
            "k7/4P3/8/8/8/8/8/K7 w - - 0 1",
            ["e8=Q", "e8Q", "e8=q", "e8(Q)", "e7e8q", "e8/Q", "e7e8Q", "e8=Q+"],
        ),
        (
            "k7/8/8/3pP3/8/8/8/K7 w - d6 0 1",
            ["exd6", "EXD6", "Exd6", "ed6", "e5d6", "exd6e.p.", "exd6 e.p.", "e5xd6", "e5:d6"],
        ),
        ("k7/8/8/3p4/4P3/8/8/K4B2 w - - 0 1", ["Bc4", "bc4", "BC4"]),
        ("k7/8/8/8/8/8/1P1B4/K7 w - - 0 1", ["b4", "B4", "b2b4", "B2B4"]),  # not the bishop
        ("k7/8/8/8/8/2p5/1P1B4/K7 w - - 0 1", ["Bxc3", "BXC3"]),  # a capital B is the bishop
    ],
)
def test_accepted_notations_of_a_move(text, words):
    position = chess(text)
    assert len({position.parse(word) for word in words}) == 1


def test_castling_rights_round_trip():
    for fen in (
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 0 1",
    ):
        assert chess(fen).fen() == fen
    assert chess(CASTLES.replace("KQkq", "HAha")).fen() == CASTLES
    assert chess("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb -").fen() == "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"


def test_castling_in_uci():
    usual, other = chess(CASTLES), chess("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1")
    assert usual.uci(usual.parse("O-O-O")) == "e1c1" and other.uci(other.parse("O-O")) == "e1g1"
    assert other.uci(other.parse("O-O-O")) == "e1b1"
    usual.chess960 = True
    assert usual.uci(usual.parse("O-O-O")) == "e1a1"
    assert usual.from_uci("e1c1") == usual.from_uci("e1a1") == usual.parse("O-O-O")


@pytest.mark.parametrize("start", ["-1", "960"])
def test_there_are_960_start_positions(start):
    with pytest.raises(BadInput, match=f"from 0 to 959, not {start}"):
        chess(start=start)


@pytest.mark.once
def test_parsers_survive_damaged_text():
    """Randomly damaged FENs, SAN and UCI moves."""
    rng = Random(1)
    seeds = [answer["fen"] for answer in ANSWERS["perft"]]
    letters = "abcdefgh12345678KQRBNPkqrbnp/ wb-xO0=+#.,:é\0٣²"
    position = chess(seeds[1])
    words = [position.format(move) for move in position.moves()] + ["O-O-O", "e8=Q", "exd6 e.p.", "a1b2"]
    read = 0
    for number in range(6000 if compiled() else 600):
        text = list(rng.choice(seeds if number % 2 else words))
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text) + 1)
            text[at : at + rng.randint(0, 2)] = rng.choices(letters, k=rng.randint(0, 2))
        spoilt = "".join(text)
        try:
            if number % 2:
                other = chess(spoilt)
                assert other.fen() == chess(other.fen()).fen()
                if other.outcome() is None:
                    assert other.moves()
            else:
                assert position.parse(spoilt) in position.moves()
            read += 1
        except BadInput as error:
            assert "\n" not in str(error)
        with contextlib.suppress(IllegalMove):
            assert position.from_uci(spoilt) in position.moves()
    assert read > 30


# -- for display ----------------------------------------------------------------------------------


def test_the_board():
    position = chess(CASTLES)
    castling = position.parse("O-O")
    board = position.board()
    assert board.cells[7][4] == "K" and board.cells[0][4] == "k" and board.cells[4] == ("",) * 8
    assert castling in board.moves[7, 4] and board.paths[castling] == ((7, 6),)
    position.make(castling)
    assert position.board(last=castling).last == ((7, 4), (7, 6))
    assert position.board().taken == {0: "", 1: ""}, "what never stood there was not captured"
    mated = play_moves(None, "f3", "e5", "g4", "Qh4").board()
    assert mated.line == ((7, 4),) and not mated.moves
    ahead = chess("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1").board()  # one of the queens was a pawn
    assert ahead.notes == {0: "+18"}
    traded = play_moves(None, "e4", "d5", "exd5", "Qxd5", "Nc3", "Qxa2", "Rxa2")
    assert traded.board().taken == {0: "qp", 1: "PP"}
    passing = play_moves("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a4", "bxa3")
    assert passing.board().taken == {0: "", 1: "P"}


def test_draw_claims():
    def after(claims, times):
        position = registry.game(f"chess:claims={'on' if claims else 'off'}").new()
        for word in ("Nf3", "Nf6", "Ng1", "Ng8") * times:
            position.make(position.parse(word))
        return position

    assert [after(False, times).claim() for times in (0, 1, 2)] == ["", "", "threefold repetition"]
    assert after(False, 2).outcome() is None and after(True, 2).outcome() == (0, 0)
    slow = registry.game("chess:claims=off").new()
    slow.setup("4k3/8/8/8/8/8/3R4/4K3 w - - 99 80")
    assert slow.claim() == ""
    slow.make(slow.parse("Rd3"))
    assert slow.claim() == "50 moves without a capture or pawn move" and slow.outcome() is None


# -- for search: slots that only the source shows ---------------------------------------------------

VALUES = (100, 320, 330, 500, 950, 20000)
source_only = pytest.mark.skipif(compiled(), reason="slots of a compiled game cannot be called from Python")


def best_exchange(position, square):
    """The best material gain of the mover on a square; ignores pins, not checks."""
    best = 0
    for move in position.moves():
        taken = move >> 15 & 7
        if move & 63 == square and taken and move >> 18 & 7 in (0, 4):
            gain = VALUES[taken - 1] + (850 if move >> 18 & 7 == 4 else 0)
            position.push(move)
            best = max(best, gain - best_exchange(position, square))
            position.pop(move)
    return best


@source_only
@pytest.mark.parametrize(
    ("fen", "word", "value"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -220),
        ("k7/8/2p5/3p4/4P3/8/8/K7 w - - 0 1", "exd5", 0),
        ("k2r4/8/8/3p4/8/8/3R4/K2R4 w - - 0 1", "Rxd5", 100),
        ("k2r4/3r4/8/3p4/8/8/3R4/K2R4 w - - 0 1", "Rxd5", -400),
        ("4k3/8/8/8/8/8/r7/K7 w - - 0 1", "Kxa2", 500),
        ("k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", "exd6", 100),
        ("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "exd8=Q", 1350),
        ("k7/3p4/8/2P5/8/8/8/K7 b - - 0 1", "d6", -100),
        ("k7/8/3p4/8/2Q5/8/8/K7 w - - 0 1", "Qc5", -950),
    ],
)
def test_see(fen, word, value):
    position = chess(fen)
    assert position.see(position.parse(word)) == value


def random_positions(count, seed):
    rng = Random(seed)
    position = chess()
    while count:
        if position.outcome() is not None:
            position = chess()
        position.make(rng.choice(position.moves()))
        if position.outcome() is None and rng.random() < 0.2:
            count -= 1
            yield position


@source_only
def test_see_against_a_search_of_captures():
    """Both agree on exchanges without pins, promotions and checks."""
    agreed = seen = 0
    for position in random_positions(150, 5):
        for move in position.noisy():
            if move >> 15 & 7 and not move >> 18 & 7 and not position.forced():
                gain = VALUES[(move >> 15 & 7) - 1]
                exchanged = position.see(move)
                position.push(move)
                agreed += exchanged == gain - best_exchange(position, move & 63)
                seen += 1
                position.pop(move)
    assert seen > 200 and agreed > 0.95 * seen


@source_only
def test_threats_are_the_quiet_checks():
    count = 0
    for position in random_positions(150, 6):
        noisy = position.noisy()
        if position.forced():
            continue
        checks = set()
        for move in position.moves():
            position.push(move)
            if position.is_threatened() and move not in noisy:
                checks.add(move)
            position.pop(move)
        assert {position.stack[i] for i in range(position.gen_threats(0))} == checks
        count += len(checks)
    assert count > 50


@source_only
def test_incremental_hash_equals_hash_from_scratch():
    for position in random_positions(60, 7):
        assert chess(position.fen()).hash() == position.hash()
        before = position.hash(), position.fen()
        if position.null_move():
            assert position.hash() != before[0]
            position.undo_null_move()
        assert (position.hash(), position.fen()) == before


@source_only
def test_hints_and_history_indexes():
    position = chess("r3k3/4P3/8/3q4/4P3/8/8/4K2R w K - 0 1")
    hints = {position.format(move): position.hint(move) for move in position.moves()}
    assert hints["exd5"] > 0 and hints["Ke2"] == 0 == hints["O-O"]
    for position in random_positions(20, 8):
        places = [position.history_index(move) for move in position.moves()]
        assert all(0 <= place < 4096 for place in places)
        assert all(position.hint(move) != 0 for move in position.noisy()) or position.forced()


def test_finished_game_names_its_termination() -> None:
    for fen, moves, ending in CHESS["endings"]:
        position = registry.game("chess").new(fen)
        for word in moves.split():
            position.make(position.parse(word))
        assert position.outcome() is not None
        assert position.ending() == ending


# -- positions in words --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("8/8/8/8/8/8/8/8 w -", "it has 3 fields, expected six: board, side, castling, en passant and"),
        ("8", "it has 1 field, expected six: board, side, castling, en passant and two counts"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", "it has 7 fields, "),
        ("4k3 w - - 0 1", "field 1, the board, has 1 rank, not 8"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "field 1, the board, has 7 ranks, not 8"),
        ("4k3/8/8/8/8/8/8/4KR2R w - - 0 1", "rank 1, '4KR2R', has more than 8 squares"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1, '4K2', has fewer than 8 squares"),
        ("4k3/8/8/8/8/9/8/4K3 w - - 0 1", "rank 3, character 1: '9' is neither a piece"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "rank 1, character 4: no pawn can stand on rank 1"),
        ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8, character 4: no pawn can stand on rank 8"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "field 1: White has no king, expected one"),
        ("4k1k1/8/8/8/8/8/8/4K3 w - - 0 1", "field 1: Black has 2 kings, expected one"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "field 1: White has 9 pawns, more than in any game"),
        ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", "field 1: White has 17 pieces, more than in any game"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "field 2, 'x', is the side to move: w or b"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "field 2: Black is in check, but White is to move"),
        ("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "field 2: White is in check, but Black is to move"),
        ("4k3/8/8/8/8/8/8/4K2R w J - 0 1", "field 3, castling, character 1: 'J' is not one of KQkq"),
        ("4k3/8/8/8/8/8/8/R5RK w Q - 0 1", "character 1: 'Q', but the king on h1 cannot castle"),
        ("4k3/8/8/8/8/8/8/KR5R w K - 0 1", "character 1: 'K', but the king on a1 cannot castle"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "character 1: 'K', but the king on e2 cannot castle"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "character 1: 'Q', but there is no rook to castle with"),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "character 2: 'H' is the second right to castle on that side"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQA - 0 1", "character 3: 'A' is the second right to castle on that side"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e9 0 1", "field 4, 'e9', is the square behind a pawn's double step"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "field 4: no pawn of Black can just have moved past e3"),
        ("4k3/8/8/8/4p3/8/8/4K3 b - e3 0 1", "field 4: no pawn of White can just have moved past e3"),
        ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", "field 4: no pawn of White can just have moved past e3"),
        ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", "field 4: no pawn of White can just have moved past e3"),
        ("4k3/8/8/4P3/8/8/8/4K3 b - e4 0 1", "field 4: no pawn of White can just have moved past e4"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 100000 1", "field 5, '100000', is plies since a capture or a pawn's"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "field 6, '-1', is the number of the move: a whole number"),
    ],
)  # fmt: skip
def test_wrong_fen_is_refused_with_the_reason(fen, message):
    with pytest.raises(BadInput) as refused:
        _fen.read(fen)
    text = str(refused.value)
    assert text.startswith(f"FEN '{fen}': ") and message in text


@pytest.mark.parametrize(
    ("fen", "castling_rooks"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", [7, 0]),
        ("4k3/8/8/8/8/8/8/R3KRR1 w KQ - 0 1", [6, 0]),  # the outermost rooks
        ("4k3/8/8/8/8/8/8/R3KRR1 w F - 0 1", [5]),
        ("4k3/8/8/8/8/8/8/1RR1KRR1 w QG - 0 1", [1, 6]),
        ("4k3/8/8/8/8/8/8/RK4R1 w KQ - 0 1", [6, 0]),
        ("4k3/8/8/8/8/8/8/R5KR w KQ - 0 1", [7, 0]),
        ("r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1", [63, 56]),
        ("r5kr/8/8/8/8/8/8/4K3 w ha - 0 1", [63, 56]),
    ],
)
def test_rooks_that_may_castle_are_read(fen, castling_rooks):
    assert _fen.read(fen).castling_rooks == castling_rooks


def test_fen_fields_are_read():
    fields = _fen.read("4k3/3p4/8/4pP2/8/8/8/R3K3 w Q e6 99999 12345")
    pieces = {60: (1, 5), 51: (1, 0), 36: (1, 0), 37: (0, 0), 0: (0, 3), 4: (0, 5)}
    assert fields == (pieces, 0, [0], 44, 99999, 12345)
    assert _fen.read("4k3/8/8/8/4P3/8/8/4K3 b - e3")[1:] == (1, [], 20, 0, 1)
    assert _fen.read("4k3/8/8/8/8/8/8/4K3 w - - 7 0")[1:] == (0, [], -1, 7, 1)
    whole = _fen.read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1").pieces
    assert len(whole) == 32
