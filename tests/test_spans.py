"""Moves that are too numerous to list."""

import pytest

from gameplay.errors import Usage
from gameplay.spans import MAX_LISTED, MAX_UNABRIDGED, SAMPLE_SIZE, Span, abridge


def test_a_span_is_as_the_list_of_its_moves() -> None:
    span, listed = Span([0, 1], range(5, 9)), [0, 1, 5, 6, 7, 8]
    assert list(span) == listed and len(span) == 6 and list(reversed(span)) == listed[::-1]
    assert [span[number] for number in range(-6, 6)] == listed + listed
    assert [span[1:4], span[:-3:-1], span[9:]] == [listed[1:4], listed[:-3:-1], []]
    assert [move for move in range(-2, 12) if move in span] == listed and span.index(7) == 4
    assert span == Span([0, 1], range(5, 9)) != Span([0], range(5, 9)) and span != listed
    assert hash(span) == hash(Span((0, 1), range(5, 9)))
    assert repr(span) == "Span([0, 1], range(5, 9))"
    with pytest.raises(IndexError):
        span[6]


def test_a_loop_through_more_than_memory_holds_is_refused() -> None:
    assert next(iter(Span([3], range(MAX_LISTED - 1)))) == 3
    with pytest.raises(Usage, match="there are 20,000,001 legal moves here; a search can list 20,000,000"):
        list(Span([3], range(MAX_LISTED)))


def test_long_spans_list_a_few_moves() -> None:
    assert abridge(range(MAX_UNABRIDGED)) == range(MAX_UNABRIDGED)
    text = abridge(range(MAX_UNABRIDGED + 1))
    assert len(text) == SAMPLE_SIZE and [text[0], text[1], text[-1]] == [0, 20, MAX_UNABRIDGED]
    text = abridge(Span([0, 1], range(100, 100 + MAX_UNABRIDGED)))
    assert text[:4] == [0, 1, 100, 120] and len(text) == SAMPLE_SIZE + 2 and text[-1] == 99 + MAX_UNABRIDGED
