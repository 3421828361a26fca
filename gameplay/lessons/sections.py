"""The numbered sections of a lecture."""

from collections.abc import Callable, Iterable, Iterator


def number_sections(sections: Iterable[tuple[str, Callable[[], Iterator[str]]]]) -> Iterator[str]:
    """Yield the lines of the sections, each below its number and title, separated by empty lines."""
    for number, (title, lines) in enumerate(sections, 1):
        if number > 1:
            yield ""
        yield f"{number}. {title}"
        yield ""
        yield from lines()
