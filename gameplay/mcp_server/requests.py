"""The arguments of the tools, as types from which JSON schemas are derived, and their errors."""

import re
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from gameplay.errors import Usage, brief, unknown_name
from gameplay.mcp_server.limits import (
    MAX_DEPTH,
    MAX_LINES,
    MAX_MOVES_TEXT,
    MAX_NAME,
    MAX_NODES,
    MAX_RECORD_TEXT,
)

Arguments = TypeVar("Arguments", bound=Struct)

GameName = Annotated[
    str,
    Meta(
        max_length=MAX_NAME,
        description="Name of the game as list_games gives it, with parameters if wanted: connect4, "
        "connect4:columns=8, go:size=9.",
    ),
]
Id = Annotated[
    str,
    Meta(max_length=MAX_NAME, description="Id of a game started here (g1), instead of game, start, moves."),
]
Start = Annotated[
    str,
    Meta(
        max_length=MAX_MOVES_TEXT,
        description="Position to begin from in the game's notation (chess: FEN). Default: the usual start.",
    ),
]
Moves = Annotated[
    str,
    Meta(
        max_length=MAX_MOVES_TEXT,
        description="Moves made from the start, separated by spaces, in the notation of the game: '4 4 3', "
        "'e4 e5 Nf3'. Chance moves (dice, deals) are moves too.",
    ),
]
Seconds = Annotated[
    Annotated[float, Meta(gt=0)] | None,
    Meta(description="Maximum seconds. Default: 2; with nodes: the maximum."),
]
Nodes = Annotated[
    Annotated[int, Meta(ge=1, le=MAX_NODES)] | None,
    Meta(description="Maximum number of positions to search: the same call then has the same answer."),
]


class Request(Struct, forbid_unknown_fields=True):
    """The base of the arguments of a tool."""


class GamesRequest(Request):
    """Arguments of list_games."""

    filter: Annotated[
        str, Meta(max_length=MAX_NAME, description="Only games whose name or summary holds this text.")
    ] = ""


class RulesRequest(Request):
    """Arguments of describe_game."""

    game: GameName
    full: Annotated[bool, Meta(description="The complete rules, not the brief ones.")] = False


class PositionRequest(Request):
    """A position: a game, its start and moves, or a game that was started here."""

    game: GameName = ""
    start: Start = ""
    moves: Moves = ""
    game_id: Id = ""


class BoundedRequest(PositionRequest):
    """A position to search, and limits."""

    seconds: Seconds = None
    nodes: Nodes = None


class StartRequest(Request):
    """Arguments of start_game."""

    game: GameName
    seat: Annotated[
        str, Meta(max_length=MAX_NAME, description="Your side: first, second, 3, or its name, such as white.")
    ] = "first"
    opponent: Annotated[
        str,
        Meta(
            max_length=MAX_NAME,
            description="level:1 (weakest), level:2 ..., an engine's name (resource gameplay://engines), "
            "or none: you move for every side. Default: an easy level.",
        ),
    ] = ""
    start: Start = ""
    engine_seconds: Annotated[
        Annotated[float, Meta(gt=0, le=60)] | None,
        Meta(description="Maximum seconds per engine move; levels have limits of their own. Default: 1."),
    ] = None
    engine_nodes: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_NODES)] | None,
        Meta(
            description="Maximum number of positions to search per engine move: the game is then repeatable."
        ),
    ] = None


class MoveRequest(Request):
    """Arguments of play_move."""

    game_id: Id
    move: Annotated[
        str,
        Meta(
            max_length=MAX_MOVES_TEXT,
            description="One legal move, or resign. Empty: the others move on, if they were still to move.",
        ),
    ] = ""


class CloseRequest(Request):
    """Arguments of close_game."""

    game_id: Id


class LinesRequest(BoundedRequest):
    """Arguments of best_lines."""

    lines: Annotated[int, Meta(ge=1, le=MAX_LINES, description="How many moves to compare.")] = 3
    depth: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_DEPTH)] | None, Meta(description="Maximum depth in plies.")
    ] = None
    engine: Annotated[
        str,
        Meta(max_length=MAX_NAME, description="An engine's name. Default: the game's default engine."),
    ] = ""


class HintRequest(BoundedRequest):
    """Arguments of hint."""

    level: Annotated[
        int,
        Meta(ge=1, le=3, description="1: a general hint; 2: the best moves with values; 3: the best line."),
    ] = 1


class ExplainRequest(BoundedRequest):
    """Arguments of explain_move."""

    move: Annotated[
        str,
        Meta(
            max_length=MAX_MOVES_TEXT,
            description="A legal move of the position. Empty, with game_id: the last move of an engine.",
        ),
    ] = ""


class ReviewRequest(BoundedRequest):
    """Arguments of review_game. Nodes are of each search, 20,000 by default."""

    seconds: Annotated[
        Annotated[float, Meta(gt=0)] | None,
        Meta(description="Maximum seconds for the whole review. Default: the maximum."),
    ] = None

    text: Annotated[
        str,
        Meta(
            max_length=MAX_RECORD_TEXT,
            description="A recorded game instead of game, start, moves: the text of a PGN, SGF, PDN, MAT "
            "or GGF file; its first game is reviewed.",
        ),
    ] = ""
    format: Annotated[
        str, Meta(max_length=MAX_NAME, description="Format of text: pgn, sgf, pdn, mat, ggf, gcg, pbn, txt.")
    ] = "pgn"


def schema(kind: type[Struct], seconds: float = 0.0) -> dict[str, Any]:
    """The JSON schema of a type, with its root inlined. seconds: the maximum of an argument of that name.

    Optional arguments are described without null, although null is accepted and ignored.
    """
    document = msgspec.json.schema(kind)
    parts: dict[str, Any] = document["$defs"]
    for part in parts.values():
        for name in ("title", "description"):
            part.pop(name, None)
        for schema in part["properties"].values():
            if "anyOf" in schema:
                schema |= next(other for other in schema.pop("anyOf") if other != {"type": "null"})
                schema.pop("default", None)
    root = dict(parts.pop(kind.__name__))
    if seconds and "seconds" in root["properties"]:
        root["properties"]["seconds"]["maximum"] = seconds
    return root | ({"$defs": parts} if parts else {})


def read(kind: type[Arguments], given: dict[str, Any]) -> Arguments:
    """Decode the arguments of a call; null is ignored. Raises Usage for invalid ones."""
    names = [field.name for field in msgspec.structs.fields(kind)]
    for name in given:
        if name not in names:
            raise Usage(unknown_name("argument", name, names))
    try:
        return msgspec.convert({name: value for name, value in given.items() if value is not None}, kind)
    except msgspec.ValidationError as error:
        raise Usage(_format_error(str(error), given)) from None


TYPE_NAMES = {"str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false"}


def _format_error(error: str, given: dict[str, Any]) -> str:
    """Convert a validation error of msgspec to the form of other errors."""
    missing = re.search(r"missing required field `(\w+)`", error)
    if missing:
        return f"{missing[1]} is missing. Try: {_example(missing[1])}"
    at = re.search(r" - at `\$\.(\w+)", error)
    expected = re.match(r"Expected `([\w |]+)`(?: of length <= (\d+)| (>=|<=|>|<) ([\d.]+))?", error)
    if at is None or expected is None:
        return error
    name, value = at[1], given.get(at[1])
    kind = TYPE_NAMES.get(expected[1].partition(" |")[0], expected[1])
    if expected[2]:
        length = len(value) if isinstance(value, str) else 0
        return f"{name} must be a text of at most {int(expected[2]):,} characters, not {length:,}"
    words = {">=": "at least", "<=": "at most", ">": "over", "<": "under"}
    bound = f" {words[expected[3]]} {float(expected[4]):g}" if expected[3] else ""
    return f"{name} must be {kind}{bound}, not {brief(repr(value))}. Try: {_example(name)}"


def _example(name: str) -> str:
    """A valid value of an argument."""
    examples = {"game": '"connect4"', "game_id": '"g1"', "moves": '"4 4 3"', "move": '"4"', "full": "true"}
    numbers = {"seconds": "2", "nodes": "100000", "lines": "3", "depth": "8", "level": "1"}
    numbers |= {"engine_seconds": "1", "engine_nodes": "10000"}
    return f'"{name}": {(examples | numbers).get(name) or chr(34) * 2}'
