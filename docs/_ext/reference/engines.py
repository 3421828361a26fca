"""Pages on engines: what `gameplay engines NAME --json` prints."""

import json
from typing import Any

from click.testing import CliRunner

from gameplay.cli import load
from gameplay.options import format_option
from gameplay.registry import engine_names
from reference.markdown import bullets, code, definitions, page, paragraphs, prose, table, toctree

CAN = {"chance": "chance", "hidden": "imperfect information", "general_sum": "general sum"}


def pages() -> dict[str, str]:
    """The page of each engine, and the index."""
    facts = {name: explained(name) for name in engine_names()}
    return {name: _page(one) for name, one in facts.items()} | {"index": _index(list(facts.values()))}


def explained(name: str) -> Any:
    """The facts of an engine."""
    result = CliRunner().invoke(load("engines"), [name, "--json"], catch_exceptions=False)
    return json.loads(result.output)


def _players(facts: Any) -> str:
    least, most = facts["players"]
    return f"{least} or more" if most is None else str(least) if least == most else f"{least} to {most}"


def _index(engines: list[Any]) -> str:
    rows = []
    for one in engines:
        kinds = ["yes" if one[key] else "" for key in CAN]
        rows.append([f"[`{one['name']}`]({one['name']}.md)", _players(one), *kinds, prose(one["summary"])])
    return page(
        "Engines",
        "An engine is named with its options: `--engine alphabeta:order=killer,depth=8`. The columns show "
        "which games it plays: number of players, dice or dealt cards, players who do not all see the same, "
        "games where one player's gain need not be another's loss.",
        table(("Engine", "Players", *map(str.capitalize, CAN.values()), "Search"), rows),
        toctree(one["name"] for one in engines),
    )


def _page(facts: Any) -> str:
    kinds = [words for key, words in CAN.items() if facts[key]]
    rows = [("Players", _players(facts)), ("Also plays games with", ", ".join(kinds))]
    rows += [("Also called", ", ".join(map(code, facts["aliases"])))]
    parts = [paragraphs(facts["description"]), "\n".join(f":{key}: {text}" for key, text in rows if text)]
    if facts["options"]:
        typed = f"Written as `{facts['spec']}:OPTION=VALUE,OPTION=VALUE`."
        parts += ["## Options", typed, definitions(_option(*item) for item in facts["options"].items())]
    if facts["limits"]:
        limits = definitions((code(name), prose(words)) for name, words in facts["limits"].items())
        parts += ["## Limits of a move", "Written as options, or given as `--depth` and so on.", limits]
    if facts["measurements"]:
        parts += [
            "## Measured gains",
            "With 95 % intervals in brackets.",
            *map(_measured, facts["measurements"]),
        ]
    return page(facts["name"], *parts)


def _option(name: str, option: Any) -> tuple[str, str]:
    default = "the game's first" if name == "eval" and not option["default"] else None
    shown = default or code(format_option(option["default"]) or "none")
    parts = [f"{prose(option['words'])} (default: {shown})."]
    if name == "eval":
        parts.append("The evaluations of a game are on [its page](../games/index.md).")
    elif option["values"]:
        parts.append(bullets(option["values"]))
    if option["source"]:
        parts.append(f"Source: {prose(option['source'])}")
    return code(name), "\n\n".join(parts)


def _measured(row: Any) -> str:
    compared = prose(f"{row['game']}, {row['compared']}: {row['result']}")
    return definitions([(code(row["option"]), f"{compared}\n\n{prose(row['conditions'])}; {row['date']}")])
