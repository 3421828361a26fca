"""The page on TOML files: the keys of each kind, from the structures and tables that read them."""

import inspect
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gameplay import weights
from gameplay.games.bridge import bidding
from gameplay.games.stratego import setups as stratego_setups
from gameplay.games.tree import game as tree
from gameplay.networks import weights as networks
from gameplay.ntuples import learned
from gameplay.ntuples import weights as ntuples
from gameplay.runs.plan import Plan
from gameplay.signatures import evaluation as signatures
from gameplay.store.settings import THEMES, Settings
from gameplay.store.themes import COLOURS, ThemeFile
from gameplay.suites.assignment import Assignment
from gameplay.suites.suite import Suite
from reference.markdown import code, fence, page, paragraphs, prose, table

ROOT = Path(__file__).resolve().parents[3]
HEAD = ("Key", "Type", "Default", "Meaning")


class Kind(NamedTuple):
    """A kind of file that is read into a structure: where it is used, and an example in the repository."""

    title: str
    struct: Any
    used: str
    example: str  # a path, or the text of a file
    schema: str  # of `gameplay toml schema`


STRUCTURES = (
    Kind(
        "Settings",
        Settings,
        "`settings.toml` in the configuration folder; `gameplay doctor` prints its path. Built-in themes: "
        f"{', '.join(map(code, THEMES))}. Guide: [settings](../../how-to/settings.md).",
        'theme = "night"\nbell = true\nname = "Ann"\n',
        "settings",
    ),
    Kind(
        "Theme",
        ThemeFile,
        "`themes/NAME.toml` beside the settings, or `play --theme ./NAME.toml`. A colour is a number from 16 "
        f"to 255 or a name: {', '.join(map(code, COLOURS))}. Guide: [themes](../../how-to/settings.md).",
        'base = "night"\nwhite = "cream"\n\n[chequered]\nlight = 180\n\n[marks]\nlast = "orange"\n',
        "theme",
    ),
    Kind(
        "Match or tournament",
        Plan,
        "`gameplay tournament FILE`. Guide: [matches and tournaments](../../how-to/matches.md).",
        "configs/tournaments/killers.toml",
        "plan",
    ),
    Kind(
        "Suite of tests",
        Suite,
        "`gameplay regress FILE`. Guide: [regression suites](../../how-to/regress.md).",
        "configs/regress/connect4.toml",
        "regress",
    ),
    Kind(
        "Assignment",
        Assignment,
        "`gameplay assignment FILE engine.py`. Guide: [assignments](../../teaching/write-an-assignment.md).",
        "configs/assignments/tictactoe/assignment.toml",
        "assignment",
    ),
)
TYPES = {"string": "text", "integer": "integer", "number": "number", "boolean": "true or false"}


def toml_files() -> dict[str, str]:
    """The page on TOML files."""
    intro = (
        "Files that you write. `gameplay toml check FILE...` checks settings, themes, plans, suites and "
        "assignments without playing, and reports each mistake with its line. `gameplay toml schema KIND` "
        "prints a JSON Schema, with which an editor completes the keys."
    )
    structures = [part for kind in STRUCTURES for part in _structure(kind)]
    return {"index": page("TOML files", intro, *structures, *_tables(), *_written())}


# -- structures: their JSON Schema as tables -------------------------------------------------------------


def _structure(kind: Kind) -> list[str]:
    (top,), parts = msgspec.json.schema_components((kind.struct,), ref_template="#{name}")
    first = top["$ref"].removeprefix("#")
    text = example(kind)
    source = f"`{kind.example}`:" if text != kind.example else "An example:"
    tables = [_keys(parts[first])]
    for name, where in reachable(parts, first).items():
        tables += [f"### {kind.title}: {', '.join(map(code, where))}", prose(_about(parts[name]))]
        tables.append(_keys(parts[name]))
    return [
        f"## {kind.title}",
        kind.used,
        f"Schema: `gameplay toml schema {kind.schema}`.",
        *tables,
        source,
        fence(text, "toml"),
    ]


def example(kind: Kind) -> str:
    """The text of the example of a kind."""
    return (ROOT / kind.example).read_text("utf-8") if kind.example.endswith(".toml") else kind.example


def reachable(parts: dict[str, Any], first: str) -> dict[str, list[str]]:
    """The structures below one, each with the keys that lead to it: `[[players]]`, `[adjudicate.resign]`."""
    found: dict[str, list[str]] = {}
    paths = [(first, "")]
    for name, path in paths:
        for key, schema in parts[name]["properties"].items():
            for below, listed in _references(schema):
                there = f"{path}.{key}".lstrip(".")
                found.setdefault(below, []).append(f"[[{there}]]" if listed else f"[{there}]")
                if len(found[below]) == 1:
                    paths.append((below, there))
    return found


def _references(schema: dict[str, Any], listed: bool = False) -> list[tuple[str, bool]]:
    """Names of the structures that a key holds, and whether it holds a list of them."""
    if "$ref" in schema:
        return [(schema["$ref"].removeprefix("#"), listed)]
    if schema.get("type") == "array" and isinstance(schema.get("items"), dict):
        return _references(schema["items"], True)
    return [one for part in schema.get("anyOf", ()) for one in _references(part, listed)]


def _about(schema: dict[str, Any]) -> str:
    return schema.get("description", "").partition("\n\n")[0]


def _keys(schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    rows = []
    for key, one in schema["properties"].items():
        words = _described(one)
        meaning, _, instead = words.partition(" [") if words.endswith("]") else (words, "", "")
        default = "required" if key in required else _default(one) or prose(instead.rstrip("]"))
        rows.append((code(key), _type(one), default, prose(meaning)))
    return table(HEAD, rows)


def _described(schema: dict[str, Any]) -> str:
    """The description of a key: of itself, or of the only one of its types that is not null."""
    words = (one.get("description", "") for one in (schema, *schema.get("anyOf", ())))
    return " ".join(next(filter(None, words), "").split())


def _default(schema: dict[str, Any]) -> str:
    value = schema.get("default")
    if value in (None, "", []) or isinstance(value, dict):
        return ""
    return code(msgspec.json.encode(value).decode())


def _type(schema: dict[str, Any]) -> str:
    """The type of a key and its limits: `integer, 1 to 255`."""
    if "anyOf" in schema:
        types = [_type(one) for one in schema["anyOf"] if one.get("type") != "null"]
        if len(types) == 2 and types[0].replace("integer", "number") == types[1]:
            return types[1]
        return " or ".join(types)
    if "$ref" in schema:
        return "table"
    if "enum" in schema:
        return ", ".join(code(one) for one in schema["enum"])
    if schema["type"] == "array":
        return _list(schema)
    return TYPES[schema["type"]] + _limits(schema)


def _list(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return "pair of colours"
    inner = _type(schema["items"])
    least, most = schema.get("minItems"), schema.get("maxItems")
    count = f", {least}" if least == most and least else _range(least, most)
    return f"list of {'tables' if inner == 'table' else inner.replace('pair', 'pairs')}{count}"


def _limits(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    over, under = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if over is None:
        return _range(low, high)
    return f", over {over:,}" + (f", under {under:,}" if under is not None else _range(None, high))


def _range(low: float | None, high: float | None) -> str:
    """Limits in words; those of 50 bits and more limit nothing in practice."""
    low = None if low is not None and low < -(2**49) else low
    high = None if high is not None and high > 2**49 else high
    if low is not None and high is not None:
        return f", {low:,} to {high:,}"
    return f", at least {low:,}" if low is not None else f", at most {high:,}" if high is not None else ""


# -- tables of keys ---------------------------------------------------------------------------------------

ENGINE = {
    "engine": "The engine; all other keys are its options, as `gameplay engines NAME` lists them",
    "depth, nodes, sims, time": "Limits of a move: plies, nodes, simulations, seconds",
}
NODE = {
    "max, min, chance": "Who moves, or a name of `players`; below it the branches, a table or a list",
}
STRATEGY = {
    "game": "The game",
    "PLAYER": "A table for each player: infosets as Python writes them, with probabilities of moves",
    "engine, exploitability": "How it was made; other facts may be added",
}


def _tables() -> list[str]:
    """Files whose keys are checked one by one."""
    return [
        "## Engine with options",
        "`play connect4 --engine ./mine.toml`. Guide: [engines](../../how-to/compare-engines.md).",
        _meanings(ENGINE),
        *_from("configs/engines/bare.toml"),
        "## Game tree",
        "`play mine.toml`, `gameplay tree mine.toml`. Guide: [game trees](../../how-to/game-trees.md). "
        f"At most {tree.MAX_NODES:,} nodes, {tree.MAX_DEPTH} plies and {tree.MAX_FILE_BYTES:,} bytes; "
        f"payoffs from -{tree.MAX_PAYOFF:,} to {tree.MAX_PAYOFF:,}.",
        "At the top of the file:",
        _meanings(tree.HEAD),
        "Of a node:",
        _meanings(NODE | tree.EXTRAS),
        *_from("gameplay/games/tree/files/lecture.toml"),
        "## Weights of an evaluation",
        "`--engine iterative:eval=./mine.toml`. Guide: [evaluations](../../how-to/write-an-evaluation.md).",
        _meanings(weights.FIELDS | weights.CONTENTS),
        *_from("configs/evals/connect4.toml"),
        "## Bidding system",
        "`play bridge:system=./mine.toml`. Guide: [bidding systems](../../how-to/bridge-bidding.md).",
        _meanings(bidding.HEADS),
        SUITS,
        "Keys of a rule; `after` and `call` are required:",
        _meanings({key: words for key, (_, words) in bidding.FIELDS.items()}),
        "An example:",
        fence(SYSTEM, "toml"),
        "## Set-ups of Stratego",
        "`play stratego:setups=./mine.toml,start=chosen`. Each key is the name of a set-up: four rows of ten "
        "squares, your back row first, with every piece of the army.",
        "An example, one of the built-in set-ups:",
        fence(setups(), "toml"),
        "## Strategy",
        "`--engine strategy:./mine.toml`; `gameplay exploit GAME --out FILE` writes one.",
        _meanings(STRATEGY),
        "An example:",
        fence(MIXED, "toml"),
    ]


SUITS = (
    "Suits are `C` `D` `H` `S`, and `N` for no trumps; `M` and `O` are majors, `m` is a minor, `X` `Y` `Z` "
    "any suit; different letters are different suits. Of several suits that would do the longest is bid."
)
SYSTEM = """\
name = "mine"
rules = [
    {after = "", call = "1N", points = "12-14", balanced = true},
    {after = "1N", call = "2C", says = "Stayman", points = "11+", length = {M = "4"}, forcing = true},
    {after = "1M (x)?", call = "2M", says = "raise", points = "6-9", length = {M = "3+"}},
]
"""
MIXED = """\
game = "kuhn"

[first]
"'J'" = { check = 0.8, bet = 0.2 }
"'Q'" = { check = 1 }
"""


def setups() -> str:
    """A file of set-ups."""
    rows = "".join(f'    "{row}",\n' for row in stratego_setups.SETUPS["full"]["corner"])
    return f"corner_two = [\n{rows}]\n"


def _meanings(keys: dict[str, str]) -> str:
    rows = [(", ".join(code(one) for one in key.split(", ")), prose(words)) for key, words in keys.items()]
    return table(("Key", "Meaning"), rows)


def _from(path: str) -> list[str]:
    return [f"`{path}`:", fence((ROOT / path).read_text("utf-8"), "toml")]


# -- files that the program writes ------------------------------------------------------------------------

WRITTEN = {
    "N-tuples": (ntuples, learned.FIELDS | ntuples.FIELDS),
    "Networks": (networks, learned.FIELDS | networks.FIELDS),
    "Signature tables": (signatures, signatures.FIELDS),
}


def _written() -> list[str]:
    """Learned evaluations."""
    parts = [
        "## Learned evaluations",
        "`gameplay learn` writes these files, for `eval=FILE`; they have a checksum.",
    ]
    for title, (module, fields) in WRITTEN.items():
        keys = ", ".join(code(name) for name in fields)
        parts += [f"### {title}", f"Keys: {keys}.", paragraphs(inspect.getdoc(module) or "")]
    return parts
