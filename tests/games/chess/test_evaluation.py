"""The chess evaluation: symmetries, both builds, values by hand."""

import random
from math import log

import pytest

from gameplay.games.chess.evaluation import EVALUATIONS, ChessEvaluation
from gameplay.kernel import compiled
from gameplay.learning.chess import read

CLASSIC, MATERIAL, TURING = 1, 2, 3
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"
POSITIONS = (
    START,
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b",
    "2r3k1/pb3pp1/1p2p2p/3pP2P/2nP1qP1/P1N2P2/1PQ3K1/3RR3 b",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b",
    "6k1/5pp1/7p/Q7/8/6P1/q4P1P/6K1 w",
    "8/P3k3/8/8/8/6K1/5p2/8 w",
)


def scatter(rng):
    """Random kings and up to fourteen pieces a side, pawns not on the last ranks."""
    squares = rng.sample(range(64), 64)
    kinds, colours = [0] * 6, [0] * 2
    for colour in (0, 1):
        for kind in [5, *rng.choices((0, 1, 2, 3, 4), (8, 2, 2, 2, 1), k=rng.randint(0, 14))]:
            square = squares.pop()
            if kind == 0 and not 8 <= square < 56:
                continue
            kinds[kind] |= 1 << square
            colours[colour] |= 1 << square
    return kinds, colours, rng.randint(0, 1)


def upside_down(bits):
    return int.from_bytes(bits.to_bytes(8, "little"), "big")


def left_right(bits):
    return upside_down(int(f"{bits:064b}"[::-1], 2))


def positions(count):
    rng = random.Random(64)
    return [read(fen) for fen in POSITIONS] + [scatter(rng) for _ in range(count)]


# What both builds make of them with random weights: these numbers belong to the code, not to its weights.
GOLDEN = [-1, 82, 402, 0, 105, 41, -67, 22]
COUNT = 600 if compiled() else 150


@pytest.fixture(scope="module")
def evaluation():
    return ChessEvaluation()


@pytest.mark.parametrize("form", [CLASSIC, MATERIAL, TURING])
def test_the_colours_are_equal(evaluation, form):
    for kinds, colours, turn in positions(COUNT):
        turned = [upside_down(bits) for bits in kinds], [upside_down(bits) for bits in reversed(colours)]
        assert evaluation.value(*turned, 1 - turn, form) == evaluation.value(kinds, colours, turn, form)


@pytest.mark.parametrize("form", [CLASSIC, MATERIAL, TURING])
def test_the_wings_are_equal(evaluation, form):
    for kinds, colours, turn in positions(COUNT):
        mirrored = [left_right(bits) for bits in kinds], [left_right(bits) for bits in colours]
        assert evaluation.value(*mirrored, turn, form) == evaluation.value(kinds, colours, turn, form)


def test_evaluation_caches_change_no_value(evaluation):
    some = positions(40)
    first = [evaluation.value(*position) for position in some]
    for position in positions(COUNT):
        evaluation.value(*position)
    assert [evaluation.value(*position) for position in some] == first
    assert [ChessEvaluation().value(*position) for position in some] == first


def test_value_is_antisymmetric_except_for_tempo(evaluation):
    for kinds, colours, _turn in positions(COUNT):
        for form in (MATERIAL, TURING):
            assert evaluation.value(kinds, colours, 0, form) == -evaluation.value(kinds, colours, 1, form)
    kinds, colours, _turn = read(START)
    assert evaluation.value(kinds, colours, 0) == evaluation.value(kinds, colours, 1) > 0


def test_both_builds_evaluate_equally():
    evaluation = ChessEvaluation()
    rng = random.Random(9)
    weights = {
        name: [
            (rng.randint(0, 90), 0) if "danger" in name else (rng.randint(-9, 12), rng.randint(-9, 12))
            for _ in pairs
        ]
        for name, pairs in EVALUATIONS["classic"].weights.items()
    }
    evaluation.set_weights(weights)
    assert [evaluation.value(*read(fen)) for fen in POSITIONS] == GOLDEN


@pytest.mark.parametrize(
    ("fen", "material", "quotient"),
    [
        (START, 0, 1),
        ("4k3/8/8/8/8/8/8/Q3K3 w", 900, 20),  # a lone king counts half a pawn
        ("4k3/8/8/8/8/8/8/Q3K3 b", -900, 1 / 20),
        ("r3k3/8/8/8/8/8/P7/B3K3 w", 400 - 500, 9 / 10),
        ("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", 100, 82 / 80),
        ("2b1k3/8/8/8/8/8/8/2N1K3 w", 0, 6 / 7),
    ],
)
def test_material_and_turing_by_hand(evaluation, fen, material, quotient):
    position = read(fen)
    assert evaluation.value(*position, MATERIAL) == material
    assert evaluation.value(*position, TURING) == pytest.approx(4000 * log(quotient), abs=1)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("7k/8/5K2/8/8/8/8/6Q1 w", "8/8/3k4/8/3K4/8/8/6Q1 w"),  # the lone king at the edge
        ("k7/8/1K6/8/8/8/2N5/5B2 w", "7k/8/6K1/8/8/8/2N5/5B2 w"),  # a corner of the bishop's colour
        ("4k3/8/8/8/8/8/PPPP4/4K3 w", "4k3/8/8/8/8/P7/P1P4P/4K3 w"),  # pawns side by side
        ("4k3/P7/8/8/8/8/8/4K3 w", "4k3/8/8/8/8/P7/8/4K3 w"),  # a pawn about to queen
        ("8/4k3/8/8/4K3/8/4P3/8 w", "8/8/4k3/4P3/4K3/8/8/8 w"),  # a king on a key square of the last pawn
        ("1K6/3k4/8/8/P7/8/8/8 w", "8/1k6/8/8/P7/1K6/8/8 w"),  # the same at the edge
        ("7k/8/P7/8/8/8/8/K7 w", "8/1k6/P7/8/8/8/8/K7 w"),  # a pawn that nobody catches
    ],
)
def test_better_positions_have_higher_values(evaluation, better, worse):
    assert evaluation.value(*read(better)) > evaluation.value(*read(worse))


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/2N1K3 w",  # one knight
        "4k3/8/8/8/8/8/8/1NN1K3 w",  # two
        "k7/8/8/P7/8/8/8/2B1K3 w",  # the wrong bishop for the pawn's corner
    ],
)
def test_insufficient_material_is_worth_little(evaluation, fen):
    assert abs(evaluation.value(*read(fen))) <= 60


@pytest.mark.parametrize("men", ["Q6K", "R6K", "BN5K", "BB5K"])
def test_mating_material_is_worth_more_than_its_pieces(evaluation, men):
    position = read(f"8/8/3k4/8/8/8/8/{men} w")
    assert evaluation.value(*position) > evaluation.value(*position, MATERIAL) + 100
