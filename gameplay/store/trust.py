"""The programs and Python files that the user has started or confirmed: data files may name these alone.

A record, a stored run, a book or any other data file may come from another person. The specs in it pass
through `game` and `player`: those that name other programs or Python files are marked (`specs.Recorded`), and
nothing marked is ever started or loaded. What the user has typed is remembered when a game or a run of it is
stored on this machine, and `gameplay trust` adds to the list: one item a line, as `specs.player_code` and
`specs.game_code` write them.
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from gameplay import file_io, specs
from gameplay.errors import BadInput, Untrusted, Usage
from gameplay.store import settings

FILE = "trusted.txt"

_session: set[str] = set()  # items that were confirmed but could not be stored


def path() -> Path:
    """Where the list is, or would be: beside the settings."""
    return settings.path().parent / FILE


def items() -> list[str]:
    """The list, in order; empty where there is none or it cannot be read.

    Bytes that are no text are kept as they are, so that a damaged line matches no item and the others stay.
    """
    try:
        return _read()
    except OSError:
        return []


def damaged() -> list[str]:
    """What is wrong in the list, a sentence each: it cannot be read, or some lines are no text."""
    try:
        lines = [number for number, item in enumerate(_read(), 1) if not item.isprintable()]
    except OSError as error:
        return [f"{path()}: {error.strerror or error}"]
    return [f"{path()}: item {number} is damaged and trusts nothing" for number in lines]


def _read() -> list[str]:
    try:
        data = file_io.content(path())
    except (FileNotFoundError, NotADirectoryError):
        return []
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return [line.rstrip("\r") for line in lines if line.rstrip("\r") and not line.startswith("#")]


def remember(new: Iterable[str]) -> bool:
    """Add items to the list; false if it cannot be written, and then they hold for this process only.

    Raises Usage for an item with control characters, which no terminal shows as it is.
    """
    trusted = items()
    added = [item for item in dict.fromkeys(new) if item not in trusted]
    for item in added:
        if not item.isprintable():
            raise Usage(f"{item!r} has control characters in it and cannot be trusted")
    _session.update(added)
    return not added or _write(added)


def forget(old: Collection[str]) -> None:
    """Remove items from the list. Raises Usage for one not in it, BadInput if the list cannot be written."""
    trusted = items()
    for item in old:
        if item not in trusted:
            raise Usage(f"'{item}' is not in {path()}; gameplay trust lists what is")
        _session.discard(item)
    if not _write(removed=old):
        raise BadInput(f"{path()} cannot be written")


def _write(added: Iterable[str] = (), removed: Iterable[str] = ()) -> bool:
    """Change the list in its file; false where it can be neither read nor written."""
    text = "# Programs and Python files that data files may name; see gameplay trust --help\n"
    try:
        listed = [item for item in _read() if item not in {*removed}] + [*added]
        path().parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{item}\n" for item in listed)
        file_io.write(path(), [(text + lines).encode("utf-8", "surrogateescape")])
    except OSError:
        return False
    return True


def started(game: str, players: Iterable[str]) -> bool:
    """Remember what a game or a run that the user began starts and loads; as `remember`."""
    code = [*specs.game_code(game)]
    for player in players:
        code += specs.player_code(player)
    return not code or remember(item for item in code if item.isprintable())


def check(game: str, players: Iterable[str], folder: Path | None = None, hint: str = "") -> None:
    """Raise Untrusted, with all of it, if these specs name code that is not on the list.

    `folder`: where relative paths begin. `hint`: what else can be done. Specs that are wrong are passed over.
    """
    named = [*_code(specs.game_code, specs.placed(game, folder) if folder else game)]
    for text in players:
        with suppress(Usage):
            named += _code(
                specs.player_code, str(specs.parse(str(text)).placed(folder)) if folder else str(text)
            )
    trusted = {*items(), *_session}
    if unknown := [item for item in dict.fromkeys(named) if item not in trusted]:
        raise Untrusted(unknown, hint)


def game(text: str) -> str:
    """The spec of a game in a data file: itself, or marked if it names code that is not listed."""
    return _marked(text, _code(specs.game_code, text))


def player(text: str) -> str:
    """The spec of a player in a data file: itself, or marked if it names code that is not listed."""
    return _marked(text, _code(specs.player_code, text))


def _marked(text: str, named: tuple[str, ...]) -> str:
    if not named or {*named} <= {*items(), *_session}:
        return text
    return specs.Recorded(text)


@lru_cache(1000)
def _code(read: Callable[[str], tuple[str, ...]], text: str) -> tuple[str, ...]:
    try:
        return read(text)
    except Usage:
        return ()  # no game or player either: `registry.game` and `specs.parse` say why
