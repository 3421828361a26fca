"""Reads a TOML file into a Struct; errors name the file, the line and the field."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from gameplay import file_io
from gameplay.errors import BadInput, GameplayError, brief, nearest

Kind = TypeVar("Kind", bound=msgspec.Struct)

KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}

_HEAD = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""\s*([A-Za-z0-9_-]+|"[^"]*"|'[^']*')(\s*\.\s*[A-Za-z0-9_.-]+)?\s*=""")


def read(path: Path, kind: type[Kind]) -> tuple[Kind, str]:
    """Decode a file; also return its text for `line`. Raises BadInput, as `FILE, line 7: players[2]: ...`."""
    data, text = load(path)
    try:
        return msgspec.convert(data, kind), text
    except msgspec.ValidationError as error:
        keys, words = explain(error, kind, data)
        raise BadInput(f"{path}, line {line(text, keys)}: {format_keys(keys)}{words}") from None
    except GameplayError as error:
        raise BadInput(f"{path}: {error}") from None


def load(path: Path) -> tuple[dict[str, Any], str]:
    """The unvalidated data of a file, and its text. Raises BadInput."""
    text = file_io.text(path)
    return file_io.parse_toml(text, path), text


def explain(
    error: msgspec.ValidationError,
    kind: type[msgspec.Struct],
    data: dict[str, Any],
    forms: Mapping[str, str] | None = None,
) -> tuple[list[str | int], str]:
    """Explain a validation error of `data`: the keys of the invalid value, and a message.

    `forms`: what is accepted in fields whose texts have a pattern, by the name of the field.
    """
    words, _, where = str(error).partition(" - at `$.")
    keys = keys_of(where.rstrip("`")) if where else []
    field = re.search(r"field `([^`]*)`", words)
    if field and "unknown" in words:
        keys.append(field[1])
        fields = _fields_at(kind, keys[:-1])
        return keys, f"unknown field{nearest(field[1], fields)} (fields: {', '.join(fields)})"
    if field:
        return keys, f"{field[1]} is missing"
    if "matching regex" in words and keys and (form := (forms or {}).get(str(keys[-1]))):
        return keys, f"expected {form}, not '{brief(str(_value_at(data, keys)))}'"
    if words.startswith("Invalid enum value"):
        word, choices = words.split("'")[1], _choices_at(kind, keys)
        return keys, f"'{brief(word)}' is none of {', '.join(choices)}{nearest(word, choices)}"
    words = re.sub(r"Expected `([^`]*)`", lambda match: f"expected {_format_types(match[1])}", words)
    words = re.sub(r", got `([^`]*)`", lambda match: f", not {_format_types(match[1])}", words)
    words = re.sub(r"of length (?=[<>])", "", words)
    if re.search(r" [<>]=? ", words):
        words += f", not {_number_at(data, keys)}"
    for sign, right in ((">=", "of at least"), ("<=", "of at most"), (">", "over"), ("<", "under")):
        words = words.replace(f" {sign} ", f" {right} ")
    words = re.sub(r"(\d)\.0\b", r"\1", words)
    return keys, words[0].lower() + words[1:]


def _value_at(data: Any, keys: list[str | int]) -> Any:
    for key in keys:
        data = data[key]
    return data


def _number_at(data: Any, keys: list[str | int]) -> str:
    """The number at `keys`, or the length of the list there."""
    value = _value_at(data, keys)
    return str(len(value) if isinstance(value, list) else value)


def _format_types(kinds: str) -> str:
    """The name of types such as `int | null` in a message."""
    return " or ".join(KINDS.get(kind, kind) for kind in kinds.split(" | ") if kind != "null") or "nothing"


def line(text: str, keys: list[str | int]) -> int:
    """The line number of keys such as ["players", 1, "depth"], or of the nearest parent found."""
    best, best_line = 0, 1
    table: list[str | int] = []
    seen: Counter[str] = Counter()
    for number, words in enumerate(text.splitlines(), 1):
        head, key = _HEAD.match(words), _KEY.match(words)
        if head:
            table = list(_split_key(head[2]))
            if head[1] == "[[":
                table.append(seen[head[2]])
                seen[head[2]] += 1
            elif table and seen[str(table[0])]:
                table.insert(1, seen[str(table[0])] - 1)  # [players.x] belongs to the last [[players]]
            here = table
        elif key:
            here = table + list(_split_key(key[1] + (key[2] or "")))
        else:
            continue
        shared = 0
        while here[shared : shared + 1] == keys[shared : shared + 1] != []:
            shared += 1
        if shared > best:
            best, best_line = shared, number
    return best_line


def keys_of(where: str) -> list[str | int]:
    """`players[1].depth` as ["players", 1, "depth"]."""
    keys: list[str | int] = []
    for name, number in re.findall(r"([^.\[\]]+)|\[(\d+)\]", where):
        keys.append(int(number) if number else name)
    return keys


def _split_key(words: str) -> list[str]:
    return [part.strip().strip("\"'") for part in words.split(".")]


def format_keys(keys: list[str | int]) -> str:
    """Keys as the beginning of a message, list indices from 1: `players[2].depth: `."""
    words = "".join(f"[{key + 1}]" if isinstance(key, int) else f".{key}" for key in keys)
    return f"{words.lstrip('.')}: " if words else ""


def _fields_at(kind: Any, keys: list[str | int]) -> list[str]:
    """The field names of the Struct at `keys`."""
    kind = _struct_of(_type_at(kind, keys))
    return list(kind.__struct_fields__) if kind is not None else []


def _choices_at(kind: Any, keys: list[str | int]) -> list[str]:
    """The choices at `keys`."""
    return _literals(_type_at(kind, keys))


def _literals(kind: Any) -> list[str]:
    """The values of a Literal, including one within `Annotated[list[Literal], ...]` or `Literal | None`."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [word for choice in get_args(kind) for word in _literals(choice)]


def _type_at(kind: Any, keys: list[str | int]) -> Any:
    """The type at `keys`."""
    for key in keys:
        if isinstance(key, str):
            kind = next(f.type for f in msgspec.structs.fields(_struct_of(kind)) if f.name == key)
    return kind


def _struct_of(kind: Any) -> Any:
    """The Struct in `list[Struct]`, `Annotated[list[Struct], ...]` or `Struct | None`."""
    if hasattr(kind, "__struct_fields__"):
        return kind
    return next(filter(None, map(_struct_of, get_args(kind))), None)
