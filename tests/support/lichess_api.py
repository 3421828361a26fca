"""Requests beside the description of the API of lichess.org; tests/lichess/api.json is an extract of it."""

import json
import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from tests.support.paths import ROOT

FILE = ROOT / "tests" / "lichess" / "api.json"
# Scopes, as documented.
PERSON = ("board:play", "challenge:read", "challenge:write", "tournament:write")
BOT = ("bot:play", "tournament:write")


@cache
def requests() -> dict[str, Any]:
    """The requests of the extract: `POST /api/board/seek` and so on."""
    results: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["requests"]
    return results


def entry(method: str, path: str) -> str:
    """The name of a request in the API description, fixed path parts first; "" if it is not there."""
    names = [name for name in requests() if _fits(name, method, path)]
    return min(names, key=lambda name: name.count("{"), default="")


def _fits(name: str, method: str, path: str) -> bool:
    verb, _, pattern = name.partition(" ")
    return verb == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path) is not None


def objections(method: str, target: str, form: Mapping[str, str], scopes: Collection[str]) -> list[str]:
    """The errors of a request by a token with these scopes."""
    path, _, query = target.partition("?")
    name = entry(method, path)
    if not name:
        return [f"{method} {path} is not in the description"]
    facts = requests()[name]
    wrong = []
    if facts["scopes"] and not set(facts["scopes"]) & set(scopes):
        wrong.append(f"it needs one of the scopes {facts['scopes']}")
    parts = dict(zip(name.split("/"), f"{method} {path}".split("/"), strict=True))
    inside = {part[1:-1]: value for part, value in parts.items() if part.startswith("{")}
    wrong += _unknown({key: inside[key] for key in facts.get("path", {})}, facts.get("path", {}), [])
    wrong += _unknown(dict(parse_qsl(query)), facts.get("query", {}), [])
    forms = facts.get("forms", [{"fields": {}, "required": []}])
    wrong += min((_unknown(form, entry["fields"], entry["required"]) for entry in forms), key=len)
    return [f"{name}: {words}" for words in wrong]


def _unknown(given: Mapping[str, str], fields: Mapping[str, Any], required: list[str]) -> list[str]:
    wrong = [f"there is no field {key}" for key in given if key not in fields]
    wrong += [f"{key} is missing" for key in required if key not in given]
    return wrong + [
        f"{key} is {value}, not {fields[key]}"
        for key, value in given.items()
        if key in fields and not _is_allowed(value, fields[key])
    ]


def _is_allowed(value: str, kind: Mapping[str, Any]) -> bool:
    if "enum" in kind and value not in map(str, kind["enum"]):
        return False
    if kind["type"] == "boolean":
        return value in ("true", "false")
    if kind["type"] in ("integer", "number"):
        if not re.fullmatch(r"-?\d+" if kind["type"] == "integer" else r"-?\d+(\.\d+)?", value):
            return False
        return kind.get("minimum", float(value)) <= float(value) <= kind.get("maximum", float(value))
    return True
