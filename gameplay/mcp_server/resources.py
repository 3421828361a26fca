"""Resources (texts by URI) and prompts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gameplay import glossary, registry, rules
from gameplay.errors import Usage, unknown_name
from gameplay.mcp_server.limits import MAX_RECORD_TEXT, Call, clip
from gameplay.mcp_server.requests import GamesRequest, RulesRequest

if TYPE_CHECKING:
    from gameplay.mcp_server.tools import Toolset

URI_SCHEME = "gameplay://"
RULES = f"{URI_SCHEME}rules/"
TEMPLATE = f"{RULES}{{game}}"
MAX_RESOURCE = 200_000  # characters of a resource


@dataclass(frozen=True)
class ResourceEntry:
    """A text at a fixed URI."""

    uri: str
    name: str
    description: str
    read: "Callable[[Toolset], str]"


def _games(tools: "Toolset") -> str:
    return tools.list_games(GamesRequest(), Call(tools.bounds)).text()


def _engines(tools: "Toolset") -> str:
    return "\n".join(f"{name}: {registry.summary(name, 'engine')}" for name in registry.engine_names())


def _glossary(tools: "Toolset") -> str:
    return "\n".join(f"{term}: {text}" for term, _, text in glossary.TERMS)


RESOURCES = (
    ResourceEntry(f"{URI_SCHEME}games", "games", "The games, a line each", _games),
    ResourceEntry(f"{URI_SCHEME}engines", "engines", "The engines, a line each", _engines),
    ResourceEntry(f"{URI_SCHEME}glossary", "glossary", "Terms of games and searches", _glossary),
)


def read(uri: str, tools: "Toolset") -> str:
    """The text of a resource. Raises Usage for an unknown URI."""
    if uri.startswith(RULES):
        game_rules = tools.describe_game(RulesRequest(uri.removeprefix(RULES), full=True), Call(tools.bounds))
        game = tools.allowed.game(game_rules.game)
        summary = "\n".join(rules.brief(game.cls, 100, game))
        return clip(f"{game_rules.text()}\n\nIn brief:\n\n{summary}", MAX_RESOURCE)
    entry = next((resource for resource in RESOURCES if resource.uri == uri), None)
    if entry is None:
        raise Usage(unknown_name("resource", uri, [*(resource.uri for resource in RESOURCES), TEMPLATE]))
    return clip(entry.read(tools), MAX_RESOURCE)


# -- prompts ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PromptEntry:
    """A prompt: its arguments with descriptions, of which the first is required, and its text."""

    name: str
    title: str
    description: str
    arguments: dict[str, str]
    text: str
    max_length: int  # characters of an argument


PROMPTS = (
    PromptEntry(
        "teach",
        "Teach me a game",
        "A first lesson in a game: rules, a game against a weak engine, graded hints",
        {"game": "Name of the game, such as connect4"},
        "Teach me to play {game}. Use the tools of gameplay and do not guess rules, values or moves.\n"
        "1. Read the rules with describe_game and explain the goal and the notation of moves in a few "
        "sentences, with one example.\n"
        "2. Start a game with start_game against level:1. I choose the moves; make them with play_move and "
        "show me the board after each.\n"
        "3. When I ask for help, call hint with level 1 and pass on only that; go to level 2 and then 3 only "
        "if I ask again.\n"
        "4. After a move of mine that looks weak, compare it with explain_move before you comment on it.\n"
        "5. At the end call review_game, if the game can be reviewed, and name one thing to practise next.",
        200,
    ),
    PromptEntry(
        "review",
        "Review this game",
        "The mistakes of a game that was played, and what to learn from them",
        {
            "game": "Name of the game, such as chess",
            "moves": "The moves in its notation, or the text of a PGN, SGF or MAT file",
        },
        "Review this game of {game}. Call review_game: with moves if these are moves, with text and format "
        "if this is a file such as PGN, SGF or MAT.\n"
        "Then go through the blunders and mistakes, the worst first: show the position before the move "
        "(show_position), explain what it overlooked (explain_move) and what was better. Give values as "
        "the tools report them, and state whether they are exact or estimates. End with one piece of advice "
        "for each side.\n\n{moves}",
        MAX_RECORD_TEXT,
    ),
)


def render_prompt(name: str, given: Mapping[str, str]) -> str:
    """The text of a prompt with its arguments. Raises Usage for an unknown name or an invalid argument."""
    entry = next((prompt for prompt in PROMPTS if prompt.name == name), None)
    if entry is None:
        raise Usage(unknown_name("prompt", name, [prompt.name for prompt in PROMPTS]))
    for argument, value in given.items():
        if argument not in entry.arguments:
            raise Usage(unknown_name("argument", argument, entry.arguments))
        if len(value) > entry.max_length:
            raise Usage(
                f"{argument} must be a text of at most {entry.max_length:,} characters, not {len(value):,}"
            )
    first = next(iter(entry.arguments))
    if not given.get(first):
        raise Usage(f"{first} is missing: {entry.arguments[first]}")
    filled = {argument: clip(given.get(argument, ""), entry.max_length) for argument in entry.arguments}
    text = entry.text
    for argument, value in filled.items():
        text = text.replace("{" + argument + "}", value)
    return text


def complete_argument(argument: str, value: str, tools: "Toolset") -> list[str]:
    """Completions for an argument of a prompt or of the URI of rules."""
    return [name for name in tools.allowed.names() if name.startswith(value)] if argument == "game" else []
