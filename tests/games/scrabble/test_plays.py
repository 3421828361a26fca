"""Plays of Scrabble against a plain generator, and published scores."""

from functools import cache

import pytest

from gameplay.games.scrabble.game import FIRST, Scrabble
from gameplay.games.scrabble.layout import AREA
from gameplay.games.scrabble.tiles import LETTER, POINTS, TILES, WORD
from tests.support.scrabble import FEW, position_of, random_position, tiles, word_list


@cache
def beginnings(words: frozenset[bytes]) -> set[bytes]:
    """The prefixes of words."""
    return {word[:count] for word in words for count in range(len(word) + 1)}


def plain(position: Scrabble, words: frozenset[bytes]) -> dict[frozenset[tuple[int, int]], int]:
    """All plays with their scores: letter by letter from each square, no anchors, masks or automaton.

    Of each the tiles that are laid; what a play counts is summed once more from the rules.
    """
    begun = beginnings(words)
    cells, rack = position.state.cells, position.state.racks[position.turn]
    results: dict[frozenset[tuple[int, int]], int] = {}

    def new_words(laid: dict[int, int], down: int) -> list[list[int]]:
        """The cells of the word in a direction, then of those across it."""
        first = min(laid)

        def run(cell: int, step: int) -> list[int]:
            def there(first: int, second: int) -> bool:
                near = 0 <= second < AREA and (step == 15 or first // 15 == second // 15)
                return near and bool(cells[second] or second in laid)

            while there(cell, cell - step):
                cell -= step
            line = [cell]
            while there(line[-1], line[-1] + step):
                line.append(line[-1] + step)
            return line

        along, across = (15, 1) if down else (1, 15)
        lines = [run(first, along), *(run(cell, across) for cell in laid)]
        return [line for line in lines if len(line) > 1]

    def count(laid: dict[int, int], down: int) -> None:
        lines = new_words(laid, down)
        letters = [bytes((laid.get(cell) or cells[cell]) & 31 for cell in line) for line in lines]
        joined = any(cells[cell] for line in lines for cell in line) if any(cells) else 112 in laid
        if not lines or not joined or not all(word in words for word in letters):
            return
        score = 50 if len(laid) == 7 else 0
        for line in lines:
            total, times = 0, 1
            for cell in line:
                tile = laid.get(cell) or cells[cell]
                total += (0 if tile & 32 else POINTS[tile]) * (LETTER[cell] if cell in laid else 1)
                times *= WORD[cell] if cell in laid else 1
            score += total * times
        assert results.setdefault(frozenset(laid.items()), score) == score

    def go(cell: int, step: int, left: bytes, word: bytes, laid: dict[int, int]) -> None:
        over = cell >= AREA or (step == 1 and word and not cell % 15)
        if laid and word in words and (over or not cells[cell]):
            count(laid, int(step == 15))
        if over:
            return
        if cells[cell]:
            if (longer := word + bytes([cells[cell] & 31])) in begun:
                go(cell + step, step, left, longer, laid)
            return
        for kind in set(left):
            for tile in (kind,) if kind else range(33, 59):
                if (longer := word + bytes([tile & 31])) in begun:
                    rest = left.replace(bytes([kind]), b"", 1)
                    go(cell + step, step, rest, longer, {**laid, cell: tile})

    for cell in range(AREA):
        for step in (1, 15):
            before = cell - step
            inside = before >= 0 and (step == 15 or cell % 15)
            if not (inside and cells[before]):
                go(cell, step, rack, b"", {})
    return results


@pytest.mark.parametrize("turns", [1, 9])
def test_plays_and_scores_equal_those_of_a_plain_generator(turns: int) -> None:
    listed = frozenset(bytes(ord(letter) - 64 for letter in word) for word in word_list(FEW))
    for seed in range(2):
        position = random_position(seed, turns, words=FEW)
        assert position.outcome() is None
        if seed == 1:  # a blank
            rack = tiles("?AEINRT")
            position.state = position.state._replace(racks=(rack, rack))
        plays = [position.play(move) for move in position.moves() if move >= FIRST]
        ours = {frozenset(play.laid): play.score for play in plays}
        assert len(ours) == len(plays), "none is listed twice"
        assert ours == plain(position, listed)
        position.evaluation = position.evaluations["score"]
        expected_plays = position.placer.plays(position.state.cells, position.state.racks[position.turn], 30)
        assert all(
            worth == 100 * position.play(move).score for move, worth in expected_plays if move >= FIRST
        )


def test_published_scores() -> None:
    """The best opening is MUZJIKS, 128 points; Karl Khoshnaw's CAZIQUES of 1982 counted 392."""
    position = position_of(racks=("MUZJIKS", "A"))
    assert max(position.play(move).score for move in position.moves() if move >= FIRST) == 128
    assert (
        position.play(position.parse("8H:MUZJIKS")).score
        < 128
        == position.play(position.parse("8B MUZJIKS")).score
    )
    position = position_of({13: "UN"}, ("CAZIQES", "A"))
    play = position.play(position.parse("A8 cAZIQUES".upper()))
    assert play.score == 392 and len(play.laid) == 7


def test_every_tile_counts() -> None:
    assert sum(TILES) == 100
    assert sum(count * points for count, points in zip(TILES, POINTS, strict=True)) == 187
