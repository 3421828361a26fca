"""Opens the knowledge sources in a player's spec: `selective:book=FILE.bin,syzygy=FOLDER`."""

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay.knowledge.books import book as books
from gameplay.knowledge.kinds import class_for
from gameplay.knowledge.knowledge import Knowledge, OtherGame
from gameplay.registry import Game

if TYPE_CHECKING:
    from gameplay.search.engine import Engine


def default_knowledge(engine: "Engine", game: Game) -> dict[str, str]:
    """An engine's default knowledge sources, by option: included solved books, for engines that use them.

    The only one is for the standard board of Connect Four.
    """
    shipped = books.included_books().get(game.name)
    if not engine.probes_root or shipped is None:
        return {}
    kind = class_for(books.Book.option, str(shipped))
    if not kind.complete:
        return {}
    with contextlib.suppress(OtherGame):  # a damaged one is reported
        kind(str(shipped), game)
        return {books.Book.option: books.INCLUDED}
    return {}


def search_knowledge(engine: "Engine", paths: Mapping[str, str], game: Game) -> tuple[Knowledge, ...]:
    """The sources that an engine probes inside its search, by option. Raises Usage for any other."""
    return registry.open_sources(engine, {**default_knowledge(engine, game), **paths}, game)
