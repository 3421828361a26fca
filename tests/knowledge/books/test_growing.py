"""Books that grow by search: order of expansion, interruption, continuation."""

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Usage
from gameplay.knowledge.books.book_file import REST, VALUES, BookFile
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.knowledge.books.fingerprint import fingerprint, successor_fingerprints
from gameplay.runs.expansion import Expansion
from gameplay.search.limit import Limit
from gameplay.value import EXACT, UPPER, delay
from tests.support.books import (
    MANY,
    NODES,
    OTHELLO,
    TICTACTOE,
    _folder,
    _pages,
    encode_book,
    search_book,
    write_book,
)

assert _folder and search_book  # fixtures


def test_book_grows_to_its_target_and_values_propagate(search_book: EditableBook) -> None:
    assert len(search_book) == MANY == search_book.count_valued()
    plies, linked = search_book.depths(), 0
    for key, known in search_book.positions.items():
        best = max(entry.value for entry in known.values() if entry.bound == EXACT)
        played = [entry.value == best and entry.bound == EXACT for entry in known.values()]
        assert [entry.weight > 0 for entry in known.values()] == played
        for child, item in known.items():
            if plies.get(child, -1) > plies[key]:
                linked += 1
                below = max(two.value for two in search_book.positions[child].values() if two.bound == EXACT)
                assert item.backed_up and item.value == delay(below if item.same_mover else -below)
            else:
                assert not item.backed_up
    assert linked == len(search_book) - 1 + (linked - len(search_book) + 1) and linked >= len(search_book) - 1


def test_the_cheapest_end_is_searched_next(search_book: EditableBook) -> None:
    growing = Expansion(EditableBook.of(_pages(search_book), OTHELLO), "iterative", Limit(nodes=NODES), 3)
    step = 200 // 8
    prices = []
    for start, way in growing._cheapest_leaves(12):
        position, price = OTHELLO.new(start), 0
        for key in way:
            known = search_book.positions[fingerprint(position)]
            price += (
                step + max(entry.value for entry in known.values() if entry.bound == EXACT) - known[key].value
            )
            position.make(
                next(move for move, child in successor_fingerprints(position).items() if child == key)
            )
        known = search_book.positions.get(fingerprint(position), {})
        values = [entry.value for entry in known.values() if entry.bound == EXACT]
        assert not values or known[REST].value > max(values)
        prices.append(price)
    assert prices == sorted(prices) and len(prices) == 12


def _write(draft: EditableBook, path: Path) -> None:
    write_book(draft, path)


def _grow_rounds(draft: EditableBook, path: Path, rounds: int) -> bool:
    """Grow a book for some rounds. Returns False if it was incomplete before."""
    left = iter(range(rounds))

    def watch(progress: Any) -> None:
        next(left)

    try:
        growing = Expansion(draft, "iterative", Limit(nodes=NODES), 3)
        return growing.grow(MANY, partial(_write, draft, path), watch)
    except StopIteration:
        return False


def test_omitted_moves_are_worth_no_more_or_are_searched(search_book: EditableBook) -> None:
    doubtful = 0
    for place in search_book.walk():
        known = search_book.positions[place.key]
        complete = set(successor_fingerprints(place.position).values()) <= known.keys()
        assert complete != (REST in known)
        if not complete:
            assert (known[REST].bound, known[REST].weight) == (UPPER, 0)
            doubtful += known[REST].value > max(entry.value for _, entry in place.moves.values())
    assert doubtful < len(search_book) / 4
    draft = EditableBook.of(_pages(search_book), OTHELLO)
    place = next(place for place in draft.walk() if REST in draft.positions[place.key])
    known = draft.positions[place.key]
    before = known.keys() - {REST}
    for child in before:
        known[child].value -= 1000
    growing = Expansion(draft, "iterative", Limit(nodes=NODES), 3)
    assert place.key in [way[-1] for _, way in growing._cheapest_leaves(1000) if way]
    growing._search(place.position)
    assert known.keys() - {REST} > before, "those that were left out before"


def test_interrupted_growth_yields_the_same_book(search_book: EditableBook, tmp_path: Path) -> None:
    rng, path = Random(5), tmp_path / "o.book"
    draft, stops = EditableBook(OTHELLO, VALUES), 0
    while draft.count_valued() < MANY:
        stops += not _grow_rounds(draft, path, rng.randrange(1, MANY // 5))
        draft = EditableBook.of(BookFile(str(path)), OTHELLO)
    assert stops > 2 and encode_book(draft) == encode_book(search_book)


def test_a_small_game_is_searched_to_its_ends() -> None:
    draft, start = EditableBook(TICTACTOE, VALUES), "x../.o./..."
    draft.facts.starts = [start]
    assert not Expansion(draft, "iterative", Limit(depth=9), 9).grow(1000, lambda: None)
    best = draft.positions[fingerprint(TICTACTOE.new(start))]
    assert max(entry.value for entry in best.values()) == 0 and all(entry.solved for entry in best.values())


@pytest.mark.once
def test_engines_without_values_build_no_book() -> None:
    for game, spec, words in (
        ("backgammon", "expectiminimax", "without dice"),
        ("connect4", "mcts", "has none"),
        ("connect4", "random", "has none"),
        ("tictactoe:players=3", "maxn", "two-player zero-sum game"),
    ):
        with pytest.raises(Usage, match=words):
            Expansion(EditableBook(registry.game(game), VALUES), spec, Limit(), 4)


def test_growth_continues_only_with_the_same_engine(search_book: EditableBook) -> None:
    with pytest.raises(BadInput, match=f"built with iterative, {NODES} nodes, width 3"):
        Expansion(EditableBook.of(_pages(search_book), OTHELLO), "iterative", Limit(nodes=500), 3)
