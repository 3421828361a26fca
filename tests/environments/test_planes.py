"""The planes of chess and Go beyond cells, compared with the games' notation and moves."""

from random import Random

import numpy as np
import pytest

from gameplay import registry
from gameplay.capabilities import HasMarks
from gameplay.environments.observations import PlanesObserver, observer_of
from gameplay.games.chess.layout import EN_PASSANT

PASS = 0  # of Go
CHESS = [
    "",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
]


def chess_planes(position):
    """The castling rights, and the square where a pawn can be captured en passant."""
    rooks, taken = ([[0] * 8 for _ in range(8)] for _ in range(2))
    for right in position.castling().replace("-", ""):
        row = 0 if right.isupper() else 56
        rank = "".join([position.letter(row + file) or " " for file in range(8)])
        rooks[7 - row // 8][_rook_file(rank, right)] = 1
    for move in position.moves() if position.outcome() is None else ():
        if move >> 18 & 7 == EN_PASSANT:
            taken[7 - (move & 63) // 8][move & 7] = 1
    return [("rooks that may castle", rooks), ("en passant", taken)]


def _rook_file(rank, right):
    """The file of the rook of a castling right: the outermost rook of a side, or the rook of a given file."""
    rook = "R" if right.isupper() else "r"
    if right in "Kk":
        return rank.rindex(rook)
    return rank.index(rook) if right in "Qq" else "abcdefgh".index(right.lower())


def go_planes(position):
    """True if a pass would end the game."""
    ends = False
    if position.outcome() is None and PASS in position.moves():
        position.make(PASS)
        ends = position.outcome() is not None
        position.unmake()
    return [("a pass ends the game", ends)]


def seen_planes(spec, position, planes):
    """The planes of an observation after those of contents, and the expected ones."""
    name = spec.partition(":")[0]
    seen = observer_of(registry.game(spec), name, None).observe(position, position.turn)
    expected = [np.broadcast_to(np.array(plane, np.int8), seen.shape[:2]) for _, plane in planes(position)]
    return seen[:, :, -len(expected) :], np.stack(expected, axis=2)


@pytest.mark.parametrize("text", CHESS)
@pytest.mark.parametrize("spec", ["chess", "chess:start=0"])
def test_chess_marks_castling_and_en_passant(spec, text):
    rng, taken = Random(3), 0
    for _ in range(6):
        position = registry.game(spec).new(text or None)
        for _ in range(30):
            seen, wanted = seen_planes(spec, position, chess_planes)
            assert np.array_equal(seen, wanted)
            taken += int(seen[:, :, 1].sum())
            if position.outcome() is not None:
                break
            position.make(rng.choice(position.moves()))
    assert taken or text != CHESS[1]


@pytest.mark.parametrize("spec", ["go:size=5", "go:size=4,ko=simple", "go:size=9,handicap=2,placement=free"])
def test_go_marks_a_pass_that_ends_the_game(spec):
    rng, ends = Random(4), 0
    for _ in range(4):
        position = registry.game(spec).new()
        while position.outcome() is None and len(position.made) < 60:
            seen, wanted = seen_planes(spec, position, go_planes)
            assert np.array_equal(seen, wanted)
            ends += int(seen.any())
            passes = PASS in position.moves() and rng.random() < 0.2
            position.make(PASS if passes else rng.choice(position.moves()))
    assert ends


def test_games_with_marks_name_them():
    for name in ("chess", "go"):
        game = registry.game(name)
        position, observer = game.new(), observer_of(game, name, None)
        assert isinstance(position, HasMarks) and isinstance(observer, PlanesObserver) and observer.native
        assert [part for part, _ in observer.parts][-observer.marks :] == list(position.mark_names)
        assert len(position.cell_marks()) == len(position.mark_names)
    assert not isinstance(registry.game("othello").new(), HasMarks)
