"""Opens what a player's spec says it knows: `selective:book=FILE.bin,syzygy=FOLDER`."""

import os
from pathlib import Path
from typing import Any

from gameplay import registry
from gameplay.errors import Fault, GameplayError, Usage, raised
from gameplay.knowledge.book import OWN as OWN_BOOK
from gameplay.knowledge.book import Book, own
from gameplay.knowledge.kinds import OWN, kind_of
from gameplay.knowledge.knowledge import Knowledge


def opened(name: str, path: str, game: Any) -> Knowledge:
    """The knowledge that an option names, for a `registry.Game`.

    Raises Usage for another game or without the library it takes, BadInput for a file, Fault for code of
    somebody's that fails.
    """
    if name == Book.option and path == OWN_BOOK:
        found = Book(own(game), game)
        found.path = OWN_BOOK
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


def _placed(path: str) -> str:
    """The path, absolute; of several folders each."""
    return os.pathsep.join(str(Path(part).expanduser().resolve()) for part in path.split(os.pathsep))
