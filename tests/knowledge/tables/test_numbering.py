"""Numbers of positions: mirror images, castling, captures, and moves against retractions."""

import random
from collections import Counter
from hashlib import blake2b
from math import comb
from typing import Any

import pytest

from gameplay.kernel import compiled
from gameplay.knowledge.tables import building
from tests.support.endgame_tables import CHECKERS, CHESS, sample
from tests.support.golden import golden


def mirror(fen: str, files: bool) -> str:
    """A FEN with its files mirrored, or with the colours exchanged."""
    rows, turn, *rest = fen.split()
    if files:
        return " ".join(["/".join(row[::-1] for row in rows.split("/")), turn, *rest])
    return " ".join(["/".join(rows.split("/")[::-1]).swapcase(), "wb"["bw".index(turn)], *rest])


@pytest.mark.parametrize("name", ["KBNvK", "KQvKR", "KNNvK", "KPvKR", "KvKPP"])
def test_mirrored_positions_of_chess_have_one_number(name: str) -> None:
    for fen, number in sample(CHESS, name, 30):
        for other in (fen, mirror(fen, True), mirror(fen, False), mirror(mirror(fen, True), False)):
            assert CHESS.new(other).slice_index()[1] == number, fen


def test_en_passant_square_distinguishes_positions() -> None:
    position = CHESS.new("8/8/8/8/1p6/8/P6k/K7 w - - 0 1")
    position.make(position.parse("a4"))
    fen = position.fen()
    assert " a3 " in fen
    with_right, without = position.slice_index(), CHESS.new(fen.replace(" a3 ", " - ")).slice_index()
    assert with_right[0] == without[0] and with_right[1] != without[1]
    kernel = CHESS.new()
    assert kernel.set_index(*with_right)
    assert "bxa3" in [position.format(move) for move in position.moves()]
    assert len(kernel.moves()) == len(position.moves())


@pytest.mark.parametrize(
    ("game", "name"),
    [
        (CHESS, "KPvKP"),
        (CHESS, "KQvKR"),
        (CHESS, "KBBvK"),
        (CHESS, "KvKNP"),
        (CHECKERS, "KMvKM"),
        (CHECKERS, "KMvMM"),
    ],
)
def test_moves_and_the_moves_that_lead_back_agree(game: Any, name: str) -> None:
    kernel, back = game.new(), game.new()
    own = {
        s for g in building.groups(kernel, 4) if name in map(kernel.slice_name, g.slices) for s in g.slices
    }
    for text, number in sample(game, name, 40 if compiled() else 10):
        kernel = game.new(text)
        here = kernel.slice_index()
        assert here[1] == number
        for move in kernel.moves() if kernel.outcome() is None else ():
            kernel.make(move)
            there = kernel.slice_index()
            kernel.unmake()
            if there is not None and there[0] in own:
                assert back.set_index(*there) and here in back.predecessors()
        assert back.set_index(*here)
        for before in back.predecessors():
            if back.set_index(*before) and back.outcome() is None:
                after = []
                for move in back.moves():
                    back.make(move)
                    after.append(back.slice_index())
                    back.unmake()
                assert here in after, (text, before)


# Kings on the long diagonal, and pawns that may be taken in passing, which chance seldom draws.
NUMBERED = (
    "8/8/8/4k3/8/8/1Q6/K7 b - - 0 1",
    "8/8/8/4k3/8/1R6/3N4/K7 b - - 0 1",
    "8/8/8/4k3/8/2R5/1N6/K7 b - - 0 1",
    "7K/8/8/4k3/2n5/8/8/8 w - - 0 1",
    "7k/8/8/2R5/8/2K5/8/8 w - - 0 1",
    "7k/8/8/5R2/8/2K5/8/8 w - - 0 1",
    "8/8/8/8/8/2k5/8/K6r w - - 0 1",
    "8/8/8/8/Pp6/8/7k/K7 b - a3 0 1",
    "8/8/8/3pP3/8/8/7k/K7 w - d6 0 1",
    "8/8/8/8/1pPp4/8/7k/K7 b - c3 0 1",
    "8/8/8/8/1pP5/8/7k/K7 w - - 0 1",
    "k7/8/8/4pP2/8/8/8/K7 b - - 0 1",
    "k7/8/8/8/4Pp2/8/8/7K w - - 0 1",
)


def placements(name: str) -> int:
    """For pieces such as KPvKN: two kings have 462 placements up to symmetry, 1,806 with pawns."""
    pieces = [*Counter(name.partition("v")[0]).items(), *Counter(name.partition("v")[2]).items()]
    count = 1806 if "P" in name else 462
    for piece, number in pieces:
        count *= 1 if piece == "K" else comb(48 if piece == "P" else 64, number)
    return count


def test_numbers_of_positions_equal_the_stored_ones() -> None:
    """Table files are indexed by these numbers: with others, existing files cannot be read."""
    rows = []
    for game, slices in ((CHESS, 40), (CHECKERS, 12)):
        kernel, rng = game.new(), random.Random(1)
        every = [number for pieces in (2, 3, 4) for group in kernel.slices(pieces) for number in group]
        rows.append(
            f"{game.spec}: {len(every)} slices of 2 to 4 pieces, the first {kernel.slice_name(every[0])}"
        )
        for count in rng.sample(every, slices):
            leads = " ".join(kernel.slice_name(lead) for lead in kernel.leads(count))
            rows.append(
                f"{kernel.slice_name(count)}: {kernel.span(count)} numbers, leads to {leads or 'none'}"
            )
            errors = [kernel.set_index(count, -1), kernel.set_index(count, kernel.span(count))]
            assert errors == [False, False], "beyond the numbers there is no position"
            assert game is not CHESS or kernel.span(count) == placements(kernel.slice_name(count))
            for number in [rng.randrange(kernel.span(count)) for _ in range(16)]:
                status = kernel.set_index(count, number)
                errors.append(
                    (number, kernel.text(), kernel.slice_index(), kernel.predecessors()) if status else number
                )
            digest = blake2b(str(errors).encode(), digest_size=4).hexdigest()
            rows.append(f"    {sum(isinstance(it, tuple) for it in errors)} of 16 are positions, {digest}")
    for fen in NUMBERED:
        kernel = CHESS.new(fen)
        rows.append(
            f"{fen}: {kernel.slice_name(kernel.slice_index()[0])} {kernel.slice_index()[1]}, "
            f"from {kernel.predecessors()}"
        )
    golden("numbered", "\n".join(rows) + "\n")


@pytest.mark.skipif(compiled(), reason="the pure build lets Python ask")
@pytest.mark.parametrize(
    ("fen", "positions"),
    [
        ("8/8/8/4k3/8/8/2Q5/K7 b - - 0 1", 8),
        ("7K/8/8/3k4/8/8/1q6/8 w - - 0 1", 8),
        ("8/8/8/4k3/8/8/1Q6/K7 b - - 0 1", 4),  # all on the long diagonal: its mirror image is itself
        ("7K/8/8/4k3/8/8/1q6/8 w - - 0 1", 4),
        ("7k/8/8/8/8/2K5/1Q6/8 w - - 0 1", 4),
        ("8/8/8/4k3/8/1R6/2R5/K7 b - - 0 1", 4),  # so it is with one rook for the other
        ("8/8/8/4k3/8/1R6/2B5/K7 b - - 0 1", 8),
        ("8/8/8/3k4/8/8/2P5/K7 w - - 0 1", 2),
    ],
)
def test_mirror_images_share_a_number(fen: str, positions: int) -> None:
    assert CHESS.new(fen).orbit_size() == positions


def test_positions_with_castling_rights_are_not_in_tables() -> None:
    assert CHESS.new("4k3/8/8/8/8/8/8/4K2R w K - 0 1").slice_index() is None
    assert CHESS.new("4k3/8/8/8/8/8/8/4K2R w - - 0 1").slice_index() is not None


def test_no_table_takes_many_pieces_for_few() -> None:
    """Three bits count the pieces of a kind: eight pawns must not become a knight."""
    assert CHESS.new("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1").slice_index() is not None
    assert CHESS.new("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1").slice_index() is None
    assert CHECKERS.new().slice_index() is None
