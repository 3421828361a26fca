"""Pages on commands: a page for each, with its options, its subcommands and its exit statuses."""

import importlib
import inspect
import re
from textwrap import dedent

import click

from gameplay.cli import SECTIONS, load, names, summary
from gameplay.errors import STATUS
from reference.markdown import code, definitions, fence, page, paragraphs, prose, table, toctree

PROGRAMS = re.compile(r"(gameplay|play|selfplay)\b")
SHOWN = [folder for folder in SECTIONS if folder != "runs"]  # the rest are subcommands of `run`


def summaries() -> dict[str, str]:
    """What each command does, in the order of `gameplay --help`."""
    return {name: summary(name) for folder in SHOWN for name in names(folder)}


def pages() -> dict[str, str]:
    """The page of each command, and the index."""
    made = {name: _page(name) for name in summaries()}
    return made | {"index": _index()}


def _index() -> str:
    parts = ["Options, values and exit statuses of every command, as `gameplay NAME --help` prints them."]
    for folder in SHOWN:
        rows = [(f"[`gameplay {name}`]({name}.md)", prose(summary(name))) for name in names(folder)]
        parts += [f"## {SECTIONS[folder][0]}", table(("Command", "What it does"), rows)]
    parts += ["## Exit status", _statuses(), toctree(summaries())]
    return page("Commands", *parts)


def _statuses() -> str:
    return definitions((code(str(number)), prose(meaning)) for number, meaning in STATUS.items())


def _page(name: str) -> str:
    command = load(name)
    parts = _described(command, f"gameplay {name}")
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=f"gameplay {name}")
        for sub in command.list_commands(context):
            child = command.get_command(context, sub)
            assert child is not None, sub
            path = f"gameplay {name} {sub}"
            parts += [f"## {path}", *_described(child, path)]
    module = importlib.import_module(command.callback.__module__)
    _, _, more = (inspect.getdoc(module) or "").partition("\n\n")
    if more:
        parts += ["## Output for programs" if "--json" in more else "## Details", paragraphs(more)]
    return page(f"gameplay {name}", *parts, "## Exit status", _statuses())


def _described(command: click.Command, path: str) -> list[str]:
    """Usage, description, examples and options of a command."""
    context = click.Context(command, info_name=path, **command.context_settings)
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    rows = [option.get_help_record(context) for option in command.get_params(context)]
    options = definitions(
        (code(row[0]), prose(row[1])) for row in rows if row and row[1] and "--help" not in row[0]
    )
    return [fence(usage, "text"), *_help(command), *(["**Options**", options] if options else [])]


def _help(command: click.Command) -> list[str]:
    """The paragraphs of its help; after a line with \\b come examples, or lines to be kept as they are."""
    parts = []
    for text in inspect.cleandoc(command.help or "").split("\n\n"):
        if not text.startswith("\b"):
            parts.append(paragraphs(text))
            continue
        lines = dedent(text.removeprefix("\b").strip("\n").removeprefix("Examples:\n"))
        typed = PROGRAMS.match(lines)
        parts.append(fence(lines, "sh" if typed else "text"))
    return parts
