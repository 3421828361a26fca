"""The help of `gameplay learn GAME`: the methods for this game, and their options."""

import re
from collections.abc import Mapping, Sequence
from copy import copy

import click

from gameplay.cli.knowledge.learning.method import Method

END = "Ctrl-C ends the run; `gameplay learn resume FOLDER` continues it. Equal options give equal weights."
CLAUSE = re.compile(r"; with --method (\w+) [^;.]*")  # of an option of several methods
PREFIX = re.compile(r"With --method ([\w, ]+): (\w)")
DEFAULTS = re.compile(
    r"\[((?:[a-z]+, )*(?:[a-z]+ )?[\d.]+(?:; (?:[a-z]+, )*[a-z]+ [\d.]+)+)]"
)  # [9; samuel, rote 8]


def method_texts(methods: Mapping[str, Method], spec: str) -> list[str]:
    """The paragraphs on the methods for a game, or the reason why there is none. Raises Usage."""
    from gameplay.errors import Usage
    from gameplay.learning.methods import check_supported, methods_for

    names = methods_for(spec)
    if not names:
        from gameplay import registry

        try:
            check_supported(registry.game(spec), "td")
        except Usage as error:
            return [str(error)]
    listed = [f"Methods for {spec}: {', '.join(names)}."] if len(names) > 1 else []
    return [*listed, *dict.fromkeys(methods[name].help for name in names), END]


def options_for(
    methods: Mapping[str, Method], params: Sequence[click.Parameter], spec: str
) -> list[click.Option]:
    """The options that apply to a game, as its help shows them; only --help if no method can learn it."""
    from gameplay.learning.methods import methods_for

    names = methods_for(spec)
    options = [param for param in params if isinstance(param, click.Option)]
    if not names:
        return [option for option in options if "--help" in option.opts]
    users = {option: _users(option.name or "", methods, names) for option in options}
    return [_shown(option, names, users[option]) for option in options if users[option]]


def _users(option: str, methods: Mapping[str, Method], names: Sequence[str]) -> list[str]:
    """Those of the methods `names` to which an option applies."""

    def applies(method: Method) -> bool:
        match option:
            case "jobs" | "cluster":
                return method.has_independent_games
            case "explain":
                return method.supports_explain
            case "games":
                return method.counts_games
        return option in method.options or not any(option in other.options for other in methods.values())

    return [name for name in names if applies(methods[name])]


def _shown(option: click.Option, names: Sequence[str], users: Sequence[str]) -> click.Option:
    """A copy of an option with the choices and the help for these methods."""
    shown = copy(option)
    if option.name == "method":
        shown.type, shown.help = click.Choice(names), f"The method [{names[0]}]."
    else:
        shown.help = option_help(option.help or "", names, users)
    return shown


def option_help(text: str, names: Sequence[str], users: Sequence[str]) -> str:
    """The help of an option without what it states of methods other than `names`; `users` have the option."""
    text = CLAUSE.sub(lambda clause: clause[0] if clause[1] in names else "", text)
    text = PREFIX.sub(lambda prefix: _prefix(prefix, names), text)
    return DEFAULTS.sub(lambda defaults: _defaults(defaults, users), text)


def _prefix(found: re.Match[str], names: Sequence[str]) -> str:
    """`With --method A or B: ` for those of `names`; nothing if there is only one method."""
    if len(names) == 1:
        return found[2].upper()
    kept = [name for name in re.split(r", | or ", found[1]) if name in names]
    return f"With --method {' or '.join(kept)}: {found[2]}"


def _defaults(found: re.Match[str], users: Sequence[str]) -> str:
    """The defaults of `users`; a part without names is for the methods that no other part names."""
    parts = {part: part.replace(",", "").split()[:-1] for part in found[1].split("; ")}
    named = [name for heads in parts.values() for name in heads]
    kept = {
        part: heads
        for part, heads in parts.items()
        if any(user in heads or (not heads and user not in named) for user in users)
    }
    if len(kept) == 1:
        return f"[{next(iter(kept)).split()[-1]}]"
    return f"[{'; '.join(kept)}]"
