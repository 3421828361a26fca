"""Counts with their nouns."""


def plural(count: int, one: str, many: str = "") -> str:
    """`count` and its noun: "1 ply", "3 plies", "1,000 games". `many` defaults to `one` with an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
