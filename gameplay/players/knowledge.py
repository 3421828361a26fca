"""Opens what a player's spec says it knows: `selective:book=FILE.bin,syzygy=FOLDER`."""

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gameplay import registry
from gameplay.errors import BadInput, Fault, GameplayError, Usage, raised
from gameplay.knowledge import book as books
from gameplay.knowledge.kinds import OWN, kind_of
from gameplay.knowledge.knowledge import Knowledge


def opened(name: str, path: str, game: Any) -> Knowledge:
    """The knowledge that an option names, for a `registry.Game`.

    Raises Usage for another game or without the library it takes, BadInput for a file, Fault for code of
    somebody's that fails.
    """
    if name == books.Book.option and path == books.NONE:
        return books.NoBook(path)
    if name == books.Book.option and path == books.OWN:
        shipped = books.own(game)
        found: Knowledge = kind_of(name, shipped)(shipped, game)
        found.path = books.OWN
        return found
    cls = registry.knowledge_class(_placed(path) if path else path) if name == OWN else kind_of(name, path)
    cls.fits(game.new())
    if not path:
        raise Usage(f"{name} needs a {cls.takes}: {name}=PATH")
    if "," in path:
        raise Usage(f"{name}: '{path}' has a comma in it, which would end it in the words of a player")
    try:
        made: Knowledge = cls(_placed(path), game)
        return made
    except GameplayError:
        raise
    except Exception as error:
        raise Fault(f"{name} {path}: the constructor raised {raised(error)}") from error


def unasked(engine: Any, game: Any) -> dict[str, str]:
    """What an engine knows if nobody says otherwise, by option: one that asks has whole books.

    So far there is one, of the usual board of Connect Four.
    """
    shipped = books.shipped().get(game.name)
    if not engine.asks or shipped is None:
        return {}
    kind = kind_of(books.Book.option, str(shipped))
    if not kind.whole:
        return {}
    with contextlib.suppress(BadInput):  # it is of another board
        kind(str(shipped), game)
        return {books.Book.option: books.OWN}
    return {}


def in_search(engine: Any, paths: Mapping[str, str], game: Any) -> tuple[Knowledge, ...]:
    """What the search of an engine asks, by option. Raises Usage for what only a player asks, before it."""
    found = []
    for name, path in {**unasked(engine, game), **paths}.items():
        source = opened(name, path, game)
        if not (engine.asks or source.inner or isinstance(source, books.NoBook)):
            raise Usage(f"{name}={path} is asked before a search, and this is about the search: leave it out")
        if source.inner and not (engine.asks or engine.probes):
            raise Usage(f"{engine.name} asks nothing within its search: leave {name}={path} out")
        found.append(source)
    return tuple(found)


def _placed(path: str) -> str:
    """The path, absolute; of several folders each."""
    return os.pathsep.join(str(Path(os.path.expanduser(part)).resolve()) for part in path.split(os.pathsep))
