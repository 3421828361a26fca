"""`gameplay engines`: the engines, the games that each can play, and every option explained."""

import inspect
import sys
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import ENGINE, json_option
from gameplay.cli.common.width import columns
from gameplay.options import format_option

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

FLAGS = ("--depth", "--nodes", "--sims", "--time")
WIDTH = 80  # of the text, also on a wider terminal: a longer line is hard to read
LIMITS = {
    "depth": "Search depth limit in plies",
    "nodes": "Node limit a move: positions visited",
    "sims": "Simulations a move, of engines that simulate",
    "time": "Time limit a move, in seconds",
    "multipv": "How many of the best moves to report, each with its line (default 1)",
}


@click.command(short_help="List the engines, or explain one and its options")
@click.argument("engine", required=False, metavar="[NAME|FILE]", type=ENGINE)
@click.option("--template", is_flag=True, help="Print a template for a custom engine, and nothing else.")
@json_option("the list, or the engine,")
def command(engine: str | None, template: bool, as_json: bool) -> None:
    """List the engines and the games that each can play, or explain one: what it does and, for each option,
    its values, its default and its source; then its measured gains.

    \b
    gameplay engines
    gameplay engines alphabeta
    gameplay engines --template > mine.py
    gameplay engines ./mine.py:plies=3
    """
    import json

    from gameplay import registry
    from gameplay.specs import limit_options

    if template:
        click.echo((Path(__file__).parents[1] / "common" / "template.py").read_text(), nl=False)
    elif engine is None:
        rows = [_facts(registry.engine_class(name)) for name in registry.engine_names()]
        click.echo(json.dumps(rows, indent=2) if as_json else _table(rows))
    else:
        configured, limit = registry.engine(engine)
        cls = type(configured)
        facts = _facts(cls) | {"description": inspect.getdoc(cls) or "", "options": _options(configured)}
        facts["spec"] = _engine_name(engine)  # as it is named where it plays
        facts["limits"] = {name: LIMITS[name] for name in _limits(cls)}
        facts["set"] = limit_options(limit)
        facts["measurements"] = _measurements(cls)
        click.echo(json.dumps(facts, indent=2) if as_json else _explain(facts))


# -- facts: the same for people and as JSON ---------------------------------------------------------


def _facts(cls: "type[Engine]") -> dict[str, Any]:
    most = cls.players.stop - 1
    return {
        "name": cls.name,
        "summary": (inspect.getdoc(cls) or "").partition("\n")[0],
        "aliases": list(vars(sys.modules[cls.__module__]).get("ALIASES", ())),
        "players": [cls.players.start, most if most < 100 else None],  # None: any number
        "chance": cls.chance,
        "hidden": cls.hidden,
        "general_sum": cls.general_sum,
    }


def _engine_name(spec: str) -> str:
    """The engine's name in a spec."""
    from gameplay.specs import split

    return split(spec)[0]


def _options(engine: "Engine") -> dict[str, Any]:
    """The options of an engine, with their current values."""
    from gameplay import registry

    cls, options = type(engine), {}
    for name, field in cls.options().items():
        options[name] = {
            "words": field.metadata.get("words", ""),
            "default": field.default,
            "value": getattr(engine, name),
            "values": registry.evaluations() if name == "eval" else dict(cls.values(name)),
            "source": field.metadata.get("source", ""),
        }
    return options


def _measurements(cls: "type[Engine]") -> list[dict[str, Any]]:
    """The measured gains of its options, also of those that it inherits."""
    from gameplay import engines, file_io
    from gameplay.search.engine import Engine

    path = Path(engines.__file__).with_name("measurements.toml")
    names = {base.name for base in cls.__mro__ if issubclass(base, Engine)}
    rows = file_io.toml(path)["measurements"]
    return [
        row | {"date": str(row["date"])}
        for row in rows
        if row["engine"] in names and row["option"] in cls.options()
    ]


def _limits(cls: "type[Engine]") -> list[str]:
    if not cls.thinks:
        return []
    return [name for name in LIMITS if name != "depth" or not cls.samples]


# -- for people ---------------------------------------------------------------------------------------


def _table(rows: list[dict[str, Any]]) -> str:
    row = "{:<16}{:<9}{:<8}{:<8}{}".format
    heading = row("engine", "players", "chance", "hidden", "general sum")
    narrow = _width() < len(heading)
    lines = [] if narrow else [heading]
    for facts in rows:
        also = f" Also called {', '.join(facts['aliases'])}." if facts["aliases"] else ""
        words = _capabilities(facts)
        if narrow:
            plays = [f"players {words.pop('players')}"]
            plays += [key.replace("_", " ") for key, flag in words.items() if flag == "yes"]
            lines += wrap(f"{facts['name']}: {', '.join(plays)}", _width(), subsequent_indent="    ")
        else:
            lines.append(row(facts["name"], *words.values()))
        lines += wrap(facts["summary"] + also, _width(), initial_indent="    ", subsequent_indent="    ")
    lines += [
        "",
        _line("chance", "plays games with dice or dealt cards", 0),
        _line("hidden", "plays games of imperfect information", 0),
        _line("general sum", "plays games that are not zero-sum", 0),
        "",
        *wrap("Explain one and its options: gameplay engines NAME", _width()),
        *wrap("Use one: --engine alphabeta:order=killer,depth=8", _width()),
        *wrap("Write one of your own: gameplay engines --template", _width()),
    ]
    return "\n".join(lines)


def _capabilities(facts: dict[str, Any]) -> dict[str, str]:
    """The kinds of games that it plays, in words."""
    least, most = facts["players"]
    players = f"{least} up" if most is None else str(least) if least == most else f"{least} to {most}"
    flags = {key: ("no", "yes")[facts[key]] for key in ("chance", "hidden", "general_sum")}
    return {"players": players} | flags


def _explain(facts: dict[str, Any]) -> str:
    also = ", ".join(facts["aliases"])
    lines = [facts["name"] + (f" (also called: {also})" if also else ""), ""]
    lines += [*_wrap_description(facts["description"]), ""]
    lines += [_line(key.replace("_", " ").capitalize(), words) for key, words in _capabilities(facts).items()]
    if facts["options"]:
        lines += ["", *wrap(f"Options, as in {facts['spec']}:OPTION=VALUE,OPTION=VALUE:", _width())]
    for name, option in facts["options"].items():
        lines += ["", *_option(name, option)]
    if facts["limits"]:
        lines += [
            "",
            *wrap(f"Limits of a move, written as options or given as {', '.join(FLAGS)}:", _width()),
            "",
        ]
        for name, words in facts["limits"].items():
            here = f" (here {facts['set'][name]:g})" if name in facts["set"] else ""
            lines.append(_line(name, words + here))
    if facts["measurements"]:
        lines += [
            "",
            *wrap("Measured gains, with 95 % intervals in brackets (--json adds commands):", _width()),
        ]
    option = ""
    for row in facts["measurements"]:
        lines += ["", "  " + row["option"]] if row["option"] != option else []
        option = row["option"]
        compared = f"{row['game']}, {row['compared']}: {row['result']}"
        lines += wrap(compared, _width(), initial_indent="    ", subsequent_indent="      ")
        how = f"{row['conditions']}; {row['date']}"
        lines += wrap(how, _width(), initial_indent="      ", subsequent_indent="      ")
    return "\n".join(lines)


def _wrap_description(text: str) -> list[str]:
    """Wrap the paragraphs of a docstring; indented ones are kept as they are."""
    lines = []
    for paragraph in text.split("\n\n"):
        kept = "\n " in f"\n{paragraph}"
        lines += ["", *(paragraph.split("\n") if kept else wrap(paragraph, _width()))]
    return lines[1:]


def _option(name: str, option: dict[str, Any]) -> list[str]:
    here = "" if option["value"] == option["default"] else f", here {_format_value(option['value'])}"
    default = (
        "the game's first" if name == "eval" and option["default"] == "" else _format_value(option["default"])
    )
    lines = [_line(name, f"{option['words']} (default {default}{here})".strip())]
    for value, words in option["values"].items():
        if isinstance(words, dict):  # the evaluations of a game
            lines += [f"{'':<16}in {value}:"]
            lines += [_line(key, text, 18) for key, text in words.items()]
        else:
            lines.append(_line(value, words, 16))
    if option["source"]:
        lines.append(_line("", f"Source: {option['source']}"))
    return lines


def _line(name: str, words: str, indent: int = 2) -> str:
    """A name and its meaning, wrapped with a hanging indent."""
    head = f"{'':<{indent}}{name:<12}  "
    return "\n".join(wrap(words, _width(), initial_indent=head, subsequent_indent=" " * len(head)))


def _width() -> int:
    return min(WIDTH, columns(WIDTH))


def _format_value(value: Any) -> str:
    return format_option(value) or "none"
