"""The games and engines that a call may name. A call names no file: it neither loads code nor reads data.

A game is one of the program, of an installed package, or one that the user gave when the server started.
"""

from collections.abc import Sequence

from gameplay import catalogue, registry, specs
from gameplay.errors import Usage, brief, unknown
from gameplay.position import parameters
from gameplay.registry import Game

LISTER = "list_games"


class Offer:
    """The games that calls may name; `own` are those that the user gave, by their names."""

    def __init__(self, own: Sequence[Game] = ()) -> None:
        self.own = {game.name: game for game in own}

    def names(self) -> list[str]:
        """All of them, sorted; without those that need a file."""
        return sorted({*registry.game_names(), *self.own} - {*specs.FILED})

    def game(self, text: str) -> Game:
        """The game that a call names. Raises Usage for none, and for a parameter that names a file."""
        if not text:
            raise Usage('game is missing: name one, or give game_id. Try: "game": "connect4"')
        head, options = specs.split(text)
        word = head.strip()
        if word in self.own:
            own = self.own[word]
            return own.varied(self._plain(own.cls, word, options)) if options else own
        name = catalogue.game_called(word) or word
        base = name.rpartition(" ")[0] if name.rpartition(" ")[2].isdecimal() else name
        full_name = catalogue.game_called(base) or base
        if full_name not in self.names():
            raise Usage(unknown("game", word, self.names(), LISTER))
        cls = registry.game_class(full_name)[0]
        return registry.game(specs.join(name, self._plain(cls, full_name, options)))

    @staticmethod
    def _plain(cls: type, name: str, options: dict[str, str]) -> dict[str, str]:
        """The parameters, none of which names a file: those are texts that are empty by default."""
        allowed = parameters(cls)
        for key in options:
            if key in allowed and allowed[key].default == "":
                raise Usage(
                    f"{name}: {key} may name a file, which a call cannot. "
                    f"Try: gameplay mcp --game {name}:{key}=VALUE"
                )
        return options


def engine(name: str) -> str:
    """The name of an engine that a call names, without options. Raises Usage."""
    if name not in registry.engine_names():
        if ":" in name or specs.is_file(name):
            head = name.partition(":")[0]
            near = head if head in registry.engine_names() else "mcts"
            raise Usage(f"an engine is a name alone, not '{brief(name)}'. Try: {near}")
        raise Usage(unknown("engine", name, registry.engine_names(), "gameplay://engines"))
    return name


def opponent(text: str) -> str:
    """The spec of an opponent: `level:N` or an engine's name. Raises Usage."""
    if specs.is_level(text):
        asked = specs.parse(text)
        if asked.knowledge:
            raise Usage(f"a level is level:N alone, not '{brief(text)}'. Try: {text.partition(',')[0]}")
        return text
    return engine(text)
