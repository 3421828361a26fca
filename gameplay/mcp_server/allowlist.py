"""The games and engines that a call may name. Calls cannot name files, so they load no code and no data.

A game is built in, from an installed package, or one that the user named when starting the server.
"""

from collections.abc import Sequence

from gameplay import catalogue, registry, specs
from gameplay.errors import Usage, brief, unknown_name
from gameplay.position import parameters
from gameplay.registry import Game

LIST_TOOL = "list_games"


class AllowedGames:
    """The games that calls may name. own: games that the user named when starting the server."""

    def __init__(self, own: Sequence[Game] = ()) -> None:
        self.own = {game.name: game for game in own}

    def names(self) -> list[str]:
        """The names of all games, sorted, except those that need a file."""
        return sorted({*registry.game_names(), *self.own} - {*specs.FILED})

    def game(self, text: str) -> Game:
        """The game that a call names. Raises Usage if unknown, or if a parameter may name a file."""
        if not text:
            raise Usage('game is missing: name one, or give game_id. Try: "game": "connect4"')
        head, options = specs.split(text)
        word = head.strip()
        if word in self.own:
            own = self.own[word]
            return own.with_parameters(self._without_files(own.cls, word, options)) if options else own
        name = catalogue.game_by_alias(word) or word
        base = name.rpartition(" ")[0] if name.rpartition(" ")[2].isdecimal() else name
        full_name = catalogue.game_by_alias(base) or base
        if full_name not in self.names():
            raise Usage(unknown_name("game", word, self.names(), LIST_TOOL))
        cls = registry.game_class(full_name)[0]
        return registry.game(specs.join(name, self._without_files(cls, full_name, options)))

    @staticmethod
    def _without_files(cls: type, name: str, options: dict[str, str]) -> dict[str, str]:
        """Return the options. Raises Usage for a parameter that may name a file: a text, empty by default."""
        allowed = parameters(cls)
        for key in options:
            if key in allowed and allowed[key].default == "":
                raise Usage(
                    f"{name}: {key} may name a file, which a call cannot. "
                    f"Try: gameplay mcp --game {name}:{key}=VALUE"
                )
        return options


def engine_name(name: str) -> str:
    """Check the name of an engine and return it. Raises Usage for options, files and unknown names."""
    if name not in registry.engine_names():
        if ":" in name or specs.is_file(name):
            head = name.partition(":")[0]
            near = head if head in registry.engine_names() else "mcts"
            raise Usage(f"an engine must be a name alone, not '{brief(name)}'. Try: {near}")
        raise Usage(unknown_name("engine", name, registry.engine_names(), "gameplay://engines"))
    return name


def opponent_spec(text: str) -> str:
    """Check the spec of an opponent, `level:N` or an engine's name, and return it. Raises Usage."""
    if specs.is_level(text):
        spec = specs.parse(text)
        if spec.knowledge:
            raise Usage(f"a level must be level:N alone, not '{brief(text)}'. Try: {text.partition(',')[0]}")
        return text
    return engine_name(text)
