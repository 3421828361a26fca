"""The terms of the linear evaluations of Othello and chess, against counts by hand."""

import random
from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.learning.run import LearningRun, LearningSettings

OTHELLO = registry.game("othello").new().evaluations["linear"]

# Term, black's discs, white's discs, black's count less white's, with black to move.
OTHELLO_TERMS = [
    ("mobility", "a1", "b1", 1),  # c1; white flanks nothing
    ("mobility", "d1", "c1", 0),  # b1; e1
    ("safe_moves", "d1", "c1", -1),  # b1 is a C-square of an empty corner
    ("safe_moves", "a1 d1", "c1", 0),  # black fills the corner: b1 and e1 are safe
    ("safe_moves", "d4", "c3", -1),  # b2 is an X-square; e5 is not
    ("corner_moves", "c1", "b1", 1),  # a1; white has d1
    ("corner_moves", "b1", "c1", -1),  # d1; a1
    ("corner_moves", "d1", "c1", 0),
    ("potential", "a1", "b1", 2),  # a2, b2, c2, c1 next to b1; a2, b2 next to a1
    ("potential", "d4", "h8", -5),  # 3 less 8
    ("frontier", "a1", "b1 a2 b2", -3),  # a1 has no empty neighbour
    ("frontier", "d4 e5", "a1", 1),
    ("corners", "a1 h8", "a8", 1),
    ("corners", "a1 h1 h8 a8", "d4", 4),
    ("x_squares", "b2", "g7 h8", 1),  # h8 is taken
    ("x_squares", "b2 g2", "b7 g7", 0),
    ("c_squares", "a2 b1", "h7 h8", 2),
    ("c_squares", "b8", "g1 h2", -1),
    ("edges", "c1 d1 a5", "h4 b8", 2),  # b8 is a C-square
    ("edges", "a1 b2", "f8", -1),
    ("centre", "c3 f6", "d4 b3", 1),
    ("centre", "a1 d3", "c2 g4", 1),
    ("stable", "a1 a2 b1", "h8", 2),
    ("stable", "a2 b1 b2", "a1", -1),  # b2 can be flipped along the diagonal, a2 and b1 along the edge
    ("discs", "a1 b1 c1", "d1", 2),
    ("late_discs", "a1 b1 c1", "d1", 0),
    ("parity", "d4 e5", "e4", 1),  # 61 empty
    ("parity", "d4 e5", "e4 d5", -1),
]


def othello(black: str, white: str, turn: str = "X", size: int = 8) -> Any:
    """A position from the squares of each side."""
    names = ["abcdefgh"[x] + str(y + 1) for y in range(size) for x in range(size)]
    cells = ["X" if name in black.split() else "O" if name in white.split() else "-" for name in names]
    return registry.game(f"othello:size={size}").new("".join(cells) + turn)


@pytest.mark.parametrize(("term", "black", "white", "count"), OTHELLO_TERMS)
def test_othello_term_is_the_count_on_paper(term: str, black: str, white: str, count: int) -> None:
    assert OTHELLO.counts(othello(black, white))[term] == count
    assert OTHELLO.counts(othello(white, black, "O"))[term] == count
    if term != "parity":
        assert OTHELLO.counts(othello(white, black))[term] == -count


def test_othello_late_discs_count_from_48_discs_on() -> None:
    names = ["abcdefgh"[x] + str(y + 1) for y in range(6) for x in range(8)]
    full, last = " ".join(names[1:]), names[0]
    assert OTHELLO.counts(othello(full, last))["late_discs"] == 46
    assert OTHELLO.counts(othello(full, ""))["late_discs"] == 0


def test_othello_terms_fit_the_smaller_boards() -> None:
    six = OTHELLO.counts(othello("a1 f6 c1 b2", "e5 e2 c3", size=6))
    # The corner beside e5 is taken, that beside e2 is empty; b2 against c3, e2 and e5 in the middle.
    assert (six["corners"], six["edges"], six["x_squares"], six["centre"]) == (2, 1, -1, -2)
    four = OTHELLO.counts(othello("a1 b2 d3", "c2 d4", size=4))
    assert (four["corners"], four["edges"], four["x_squares"], four["c_squares"]) == (0, 0, -1, 0)
    assert (four["centre"], four["stable"]) == (1, 0)


def test_every_othello_term_has_a_test_and_a_meaning() -> None:
    assert {term for term, *_ in OTHELLO_TERMS} == set(OTHELLO.weights)
    assert list(OTHELLO.meanings) == list(OTHELLO.weights)


def test_othello_value_under_the_default_weights_on_paper() -> None:
    """After d3 black has d3, d4, d5 and e4, white e5 and the move."""
    position = registry.game("othello").new("d3")
    counts = OTHELLO.counts(position)
    expected = {
        "safe_moves": 0,  # c3, c5 and e3 less e6, f5 and f6
        "potential": 8,  # c2 to c6, d2, d6, e2, e3, e6, f3 to f5 less d6, e6, f4, f5 and f6
        "frontier": -3,
        "centre": -3,
        "discs": -3,
        "parity": 1,
    }
    assert counts == dict.fromkeys(counts, 0) | expected
    position.evaluation = OTHELLO
    assert position.evaluate() == 8 * 10 + 3 * 20 + 75


@pytest.mark.parametrize("size", [4, 6, 8])
def test_othello_sum_on_every_board(size: int) -> None:
    """The largest weights are included, with sums beyond 32 bits."""
    rng = random.Random(size)
    for _ in range(20):
        position = registry.game(f"othello:size={size}").new()
        for _ in range(rng.randrange(size * size - 6)):
            if position.outcome() is None:
                position.make(rng.choice(position.moves()))
        counts = OTHELLO.counts(position)
        weights = {term: rng.choice((-1, 1)) * (OTHELLO.max_weight - rng.randrange(9)) for term in counts}
        position.evaluation = OTHELLO.with_weights(weights)
        total = sum(weights[term] * counts[term] for term in counts)
        assert position.evaluate() == (abs(total) // OTHELLO.scale) * (1 if total > 0 else -1)


CHESS = registry.game("chess").new().evaluations["linear"]

# Term, position with White to move, White's count less Black's.
CHESS_TERMS = [
    ("pawn", "4k3/pp6/8/8/8/8/PPP5/4K3", 1),
    ("knight", "4k1n1/8/8/8/8/8/8/1N2K1N1", 1),
    ("bishop", "4kb2/8/8/8/8/8/8/2B1KB2", 1),
    ("rook", "4k3/8/8/8/8/8/8/R3K2R", 2),
    ("queen", "3qk3/8/8/8/8/8/8/4K3", -1),
    ("knight_mobility", "4k3/8/8/8/8/8/8/N3K3", 2),  # b3, c2
    ("knight_mobility", "4k3/8/8/8/p7/8/2P5/N3K3", 0),  # a4 attacks b3, c2 is its own
    ("knight_mobility", "n3k3/8/8/8/8/8/8/4K3", -2),
    ("bishop_mobility", "4k3/8/8/8/8/8/8/B3K3", 7),
    ("bishop_mobility", "4k3/8/3p4/8/8/8/8/B3K3", 6),  # d6 attacks e5
    ("rook_mobility", "4k3/8/8/8/8/8/8/R3K3", 10),  # a2 to a8, b1, c1, d1
    ("rook_mobility", "4k3/8/8/8/p7/8/8/R3K3", 6),  # a2, a4, b1, c1, d1; a3
    ("queen_mobility", "4k3/8/8/8/8/8/8/Q3K3", 17),  # 10 as a rook, 7 as a bishop
    ("centre_pawns", "4k3/8/8/3pp3/3P4/8/8/4K3", -1),
    ("centre_attacks", "4k3/8/8/8/8/2N5/8/4K3", 2),  # d5, e4
    ("centre_attacks", "4k3/8/8/8/8/2PP4/8/4K3", 2),  # d4, e4
    ("centre_attacks", "4k3/3p4/4p3/8/8/8/8/4K3", -1),  # d5; d7 attacks c6 and e6
    ("passed", "4k3/8/8/P7/8/8/8/4K3", 1),
    ("passed", "4k3/1p6/8/P7/8/8/8/4K3", 0),  # b7 can attack a6
    ("passed", "4k3/8/8/P7/1p6/8/8/4K3", 0),  # both are passed
    ("passed", "4k3/8/8/P7/P7/8/8/4K3", 1),  # the front one
    ("passed_ranks", "4k3/8/P7/8/8/7p/8/4K3", 0),  # 4 each
    ("passed_ranks", "4k3/8/P7/8/8/8/7p/4K3", -1),  # 4 less 5
    ("doubled", "4k3/pp6/8/P7/P7/P7/8/4K3", 2),
    ("isolated", "4k3/pp6/8/8/8/8/P1P5/4K3", 2),
    ("isolated", "4k3/8/8/8/8/8/P6P/4K3", 2),  # files a and h are not beside each other
    ("supported", "4k3/pp6/8/8/2P5/1P6/P7/4K3", 2),
    ("advance", "4k3/pp6/8/2P5/8/P7/8/4K3", 4),  # 3 and 1
    ("bishop_pair", "4k3/8/8/8/8/8/8/2B1KB2", 1),
    ("bishop_pair", "2b1k3/8/8/8/8/8/8/B1B1K3", 0),  # both on dark squares
    ("developed", "1n2k3/8/8/8/8/2N5/8/4KB2", 1),
    ("developed", "4k3/2n5/8/8/8/8/8/4KB2", -1),
    ("outposts", "4k3/8/8/3N4/4P3/8/8/4K3", 1),
    ("outposts", "4k3/2p5/8/3N4/4P3/8/8/4K3", 0),  # c7-c6 attacks it
    ("outposts", "4k3/8/8/2p5/3N4/4P3/8/4K3", 0),
    ("outposts", "4k3/8/4p3/3n4/8/8/8/4K3", -1),
    ("outposts", "4k3/8/8/3N4/8/8/8/4K3", 0),  # not guarded
    ("open_files", "4k3/p7/8/8/8/8/8/R3K2R", 1),  # h
    ("half_open_files", "4k3/p7/8/8/8/8/8/R3K2R", 1),  # a
    ("half_open_files", "r3k3/p7/8/8/8/8/P7/R3K3", 0),
    ("seventh", "4k3/R7/8/8/8/8/7r/4K2R", 0),
    ("seventh", "4k3/R7/8/8/8/8/8/4K2R", 1),
    ("king_shelter", "4k3/8/8/8/8/7P/5PP1/6K1", 3),
    ("king_shelter", "6k1/5pp1/8/7p/7P/8/8/6K1", -2),  # h5 and h4 are three ranks ahead
    ("king_files", "6k1/5pp1/8/8/8/8/5PPP/6K1", -1),  # Black's h
    ("king_files", "7k/8/8/8/8/8/8/4K3", 1),  # 3 less 2
    ("king_attacks", "7k/8/8/8/8/8/8/6RK", 2),  # g7, g8
    ("king_attacks", "6k1/8/8/8/8/8/8/K4R1R", 4),  # f7, f8, h7, h8
    ("threats", "4k3/8/8/2n1p3/3P4/8/8/4K3", 1),  # a knight; e5 is a pawn and may take d4, which is one too
    ("threats", "4k3/8/8/8/3p4/2N1B3/8/4K3", -2),
    ("hanging", "4k3/8/8/8/3p4/8/8/3RK3", 1),
    ("hanging", "4k3/8/8/4p3/3p4/8/8/3RK3", 0),  # e5 guards d4
    ("hanging", "4k3/3r4/8/8/8/8/8/3QK3", 0),  # both are guarded by their kings
    ("hanging", "k7/3r4/8/8/3Q4/8/8/4K3", 0),  # each attacks the other
]


def chess(board: str, turn: str = "w") -> Any:
    """A position without castling, from the boards of FEN."""
    return registry.game("chess").new(f"{board} {turn} - - 0 1")


@pytest.mark.parametrize(("term", "board", "count"), CHESS_TERMS)
def test_chess_term_is_the_count_on_paper(term: str, board: str, count: int) -> None:
    mirrored = "/".join(reversed(board.swapcase().split("/")))
    assert CHESS.counts(chess(board))[term] == count
    assert CHESS.counts(chess(mirrored, "b"))[term] == count
    assert CHESS.counts(chess(mirrored))[term] == -count


def test_every_chess_term_has_a_test_and_a_meaning() -> None:
    assert {term for term, *_ in CHESS_TERMS} == set(CHESS.weights)
    assert list(CHESS.meanings) == list(CHESS.weights)


def test_chess_value_under_the_default_weights_on_paper() -> None:
    """After 1. e4: Black's view."""
    position = registry.game("chess").new("e4")
    expected = {
        "bishop_mobility": -4,  # e2, d3, c4, b5; b7 attacks a6
        "queen_mobility": -4,  # e2, f3, g4, h5
        "knight_mobility": -1,  # e2
        "centre_pawns": -1,
        "centre_attacks": -1,  # d5
        "advance": -2,
        "king_shelter": 1,  # e2 has left
    }
    counts = CHESS.counts(position)
    assert counts == dict.fromkeys(counts, 0) | expected
    position.evaluation = CHESS
    assert position.evaluate() == -4 * 5 - 4 * 1 - 4 - 15 + 10


# The weights after a run; the seed gives the same compiled and uncompiled.
LEARNED = {"chess": (1, 14, "c9942dfa739d5f75"), "othello": (2, 70, "aec97a1479944415")}


@pytest.mark.parametrize("game", list(LEARNED))
def test_run_learns_the_same_weights_in_both_builds(game: str, tmp_path: Path) -> None:
    games, plies, checksum = LEARNED[game]
    settings = LearningSettings(game, "linear", games=games, depth=1, plies=plies, seed=4)
    run = LearningRun.begin(tmp_path / game, settings)
    assert [played.number for played in run.learn()] == list(range(games))
    assert run.learner.corrections
    assert run.trainer.evaluation.with_weights(run.learner.alpha).checksum == checksum
