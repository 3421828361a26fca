"""The list of trusted code: programs and Python files that data files may name.

A record, a stored run, a book or any other data file may come from another person. Its specs pass through
`mark_game` and `mark_player`, which mark those that name untrusted code (`specs.Recorded`); marked code is
never started or loaded. Code that the user types is added when a game or run of it is stored on this
machine, or by `gameplay trust`: one item per line, as written by `specs.player_code` and `specs.game_code`.
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from gameplay import file_io, specs
from gameplay.errors import Untrusted, Usage
from gameplay.store import settings

FILE = "trusted.txt"

_session: set[str] = set()  # confirmed items that could not be stored


def path() -> Path:
    """The path of the list, next to the settings; it may not exist."""
    return settings.path().parent / FILE


def items() -> list[str]:
    """The list, in order; empty if missing or unreadable.

    Invalid UTF-8 is preserved: a damaged line matches no item, and the others remain valid.
    """
    try:
        return _read()
    except OSError:
        return []


def problems() -> list[str]:
    """The problems of the list, one sentence each: unreadable, or lines with invalid UTF-8."""
    try:
        numbers = [number for number, item in enumerate(_read(), 1) if not item.isprintable()]
    except OSError as error:
        return [f"{path()}: {error.strerror or error}"]
    return [f"{path()}: item {number} is damaged and matches no code" for number in numbers]


def _read() -> list[str]:
    try:
        data = file_io.content(path())
    except (FileNotFoundError, NotADirectoryError):
        return []
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return [line.rstrip("\r") for line in lines if line.rstrip("\r") and not line.startswith("#")]


def add(new: Iterable[str]) -> None:
    """Add items to the list. Raises OSError if it cannot be written: this process alone trusts them then.

    Raises Usage for an item with control characters, which terminals do not show faithfully.
    """
    trusted = items()
    added = [item for item in dict.fromkeys(new) if item not in trusted]
    for item in added:
        if not item.isprintable():
            raise Usage(f"{item!r} contains control characters and cannot be trusted")
    _session.update(added)
    if added:
        _write(added)


def remove(old: Collection[str]) -> None:
    """Remove items from the list. Raises Usage for one not in it, OSError."""
    trusted = items()
    for item in old:
        if item not in trusted:
            raise Usage(f"'{item}' is not in {path()}; gameplay trust prints the list")
        _session.discard(item)
    _write(removed=old)


def _write(added: Iterable[str] = (), removed: Iterable[str] = ()) -> None:
    """Update the list in its file. Raises OSError if it cannot be read or written."""
    text = "# Programs and Python files that data files may name; see gameplay trust --help\n"
    listed = [item for item in _read() if item not in {*removed}] + [*added]
    path().parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{item}\n" for item in listed)
    file_io.write(path(), [(text + lines).encode("utf-8", "surrogateescape")])


def trust_started(game: str, players: Iterable[str]) -> None:
    """Trust the code of a game or run that the user started; this process only, if that cannot be stored."""
    code = [*specs.game_code(game)]
    for player in players:
        code += specs.player_code(player)
    with suppress(OSError):
        add(item for item in code if item.isprintable())


def check(game: str, players: Iterable[str], folder: Path | None = None, hint: str = "") -> None:
    """Raise Untrusted if these specs name code that is not on the list.

    folder: base of relative paths. hint: an alternative for the error. Invalid specs are ignored.
    """
    named = [*_code(specs.game_code, specs.absolute(game, folder) if folder else game)]
    for text in players:
        with suppress(Usage):
            named += _code(
                specs.player_code, str(specs.parse(str(text)).absolute(folder)) if folder else str(text)
            )
    trusted = {*items(), *_session}
    if unknown := [item for item in dict.fromkeys(named) if item not in trusted]:
        raise Untrusted(unknown, hint)


def mark_game(text: str) -> str:
    """The spec of a game in a data file, marked if it names untrusted code."""
    return _mark(text, _code(specs.game_code, text))


def mark_player(text: str) -> str:
    """The spec of a player in a data file, marked if it names untrusted code."""
    return _mark(text, _code(specs.player_code, text))


def _mark(text: str, named: tuple[str, ...]) -> str:
    if not named or {*named} <= {*items(), *_session}:
        return text
    return specs.Recorded(text)


@lru_cache(1000)
def _code(read: Callable[[str], tuple[str, ...]], text: str) -> tuple[str, ...]:
    try:
        return read(text)
    except Usage:
        return ()  # invalid: `registry.game` and `specs.parse` report it
