"""The named terms of the linear evaluations of Othello, against counts worked out on paper."""

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
    """A position from the names of the squares that each side holds."""
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
    """Under the largest weights too, where sums exceed 32 bits."""
    rng = random.Random(size)
    for _ in range(20):
        position = registry.game(f"othello:size={size}").new()
        for _ in range(rng.randrange(size * size - 6)):
            if position.outcome() is None:
                position.make(rng.choice(position.moves()))
        counts = OTHELLO.counts(position)
        weights = {term: rng.choice((-1, 1)) * (OTHELLO.most - rng.randrange(9)) for term in counts}
        position.evaluation = OTHELLO.weighed(weights)
        total = sum(weights[term] * counts[term] for term in counts)
        assert position.evaluate() == (abs(total) // OTHELLO.scale) * (1 if total > 0 else -1)


# The weights after three games; the seed gives the same compiled and uncompiled.
LEARNED = {"othello": "dc1d2fae4a112015"}


@pytest.mark.parametrize("game", list(LEARNED))
def test_run_learns_the_same_weights_in_both_builds(game: str, tmp_path: Path) -> None:
    run = LearningRun.create(
        tmp_path / game, LearningSettings(game, "linear", games=3, depth=1, plies=30, seed=4)
    )
    assert [played.number for played in run.learn()] == [0, 1, 2]
    alpha = run.trainer.evaluation.weighed(run.learner.alpha)
    assert alpha.checksum == LEARNED[game]
