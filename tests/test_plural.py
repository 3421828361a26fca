"""Counts with their nouns."""

import pytest

from gameplay.plural import plural

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("count", "singular", "many", "words"),
    [
        (0, "game", "", "0 games"),
        (1, "game", "", "1 game"),
        (2, "ply", "plies", "2 plies"),
        (1, "ply", "plies", "1 ply"),
        (12_345, "node", "", "12,345 nodes"),
    ],
)
def test_count_decides_the_noun(count: int, singular: str, many: str, words: str) -> None:
    assert plural(count, singular, many) == words
