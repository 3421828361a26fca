"""Arguments and options that commands share, with their shell completion.

A group of options is a decorator; the command gets their values as one argument.
"""

import os
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gameplay.errors import Usage, brief

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from gameplay.display.theme import Theme
    from gameplay.options import Kind
    from gameplay.search.limit import Limit

Decorator = Callable[[Any], Any]


# -- types ------------------------------------------------------------------------------------------


class WithMetavar:
    """A type whose options show `metavar` in `--help`; arguments show their own name."""

    metavar = ""

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        """As in every type of click."""
        return self.metavar if isinstance(param, click.Option) else None


class Name(WithMetavar, click.types.StringParamType):
    """A name, or a spec that begins with one; the shell completes known names.

    Raises Usage for an empty value of an option without a default, as of an unset variable.
    """

    def __init__(self, names: Callable[[click.Context], Iterable[str]], metavar: str = "NAME") -> None:
        self.known = names
        self.metavar = metavar

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as typed."""
        if isinstance(param, click.Option) and param.default != "" and not str(value).strip():
            label = _label(param)
            raise Usage(f"{label} is empty; expected {self.metavar}. Try: leave {label} out")
        return super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.known(ctx) if name.startswith(incomplete)]


class Label(click.types.StringParamType):
    """A non-empty text without control characters, to be printed within a line. Raises Usage."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(super().convert(value, param, ctx))
        option = param.opts[0] if param is not None else "it"
        if not text.strip():
            raise Usage(f"{option} '{text}' is empty; expected letters. Try: leave {option} out")
        wrong = next((letter for letter in text if not letter.isprintable()), "")
        if wrong:
            raise Usage(
                f"{option} holds the control character U+{ord(wrong):04X}; expected printable characters. "
                "Try: the same without it"
            )
        return text


def _runs(context: click.Context) -> list[str]:
    from gameplay.errors import GameplayError
    from gameplay.store.runs import Store

    try:
        with Store(context.params.get("store"), make=False) as store:
            return ["last", *(run.id for run in store.runs())]
    except GameplayError:
        return []


def _theme_names(context: click.Context) -> Iterable[str]:
    from gameplay.store.settings import choices

    return choices("theme")


def _games(context: click.Context) -> Iterable[str]:
    from gameplay import registry

    return registry.game_names()


def _engines(context: click.Context) -> Iterable[str]:
    from gameplay import registry

    return registry.engine_names()


class Integer(WithMetavar, click.IntRange):
    """A whole number in a range."""

    metavar = "N"


class Real(WithMetavar, click.FloatRange):
    """A number, in a range if bounds are given; not "nan"."""

    def __init__(self, metavar: str, min: float, max: float | None = None, min_open: bool = False) -> None:
        super().__init__(min, max, min_open)
        self.metavar = metavar

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"'{value}' is not a valid float", param, ctx)
        return number


class OptionValue(WithMetavar, click.types.StringParamType):
    """A value whose range is that of an engine's option or a limit. Raises Usage."""

    def __init__(self, kind: "Callable[[], Kind]", example: str, metavar: str = "N") -> None:
        self.kind = kind
        self.example = example
        self.metavar = metavar

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value as `kind` reads it."""
        kind = self.kind()
        option = param.opts[0] if param is not None else "it"
        try:
            return kind.read(str(value))
        except (ValueError, KeyError):
            example = kind.suggestion(str(value)) or self.example
            raise Usage(
                f"{option} is '{brief(str(value))}'; expected {kind.expected}. Try: {option} {example}"
            ) from None


def limit_value(name: str, metavar: str = "N") -> OptionValue:
    """The type of a limit of a search, by its name in `search/limit.py: KINDS`."""

    def kind() -> "Kind":
        from gameplay.search.limit import KINDS

        return KINDS[name]

    return OptionValue(kind, "1", metavar)


def _label(param: click.Parameter | None) -> str:
    """The name of an option or an argument in messages: `--out`, `FILE`."""
    if isinstance(param, click.Argument):
        return param.human_readable_name.strip("[.]")
    return param.opts[-1] if param is not None else "it"


def _check_path(value: Any, param: click.Parameter | None) -> None:
    """Raise Usage for an empty path, as of an unset variable, which pathlib reads as the current folder."""
    if not os.fspath(value).strip():
        raise Usage(f"{_label(param)} is empty; expected a path. Try: a name, or . for the current folder")


class Source(click.types.StringParamType):
    """A path, or another word that may stand for one. Raises Usage for an empty one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text as typed."""
        _check_path(value, param)
        return super().convert(value, param, ctx)


class File(WithMetavar, click.Path):
    """A path, converted to pathlib.Path. Raises Usage for an empty one."""

    metavar = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path as typed."""
        _check_path(value, param)
        return super().convert(value, param, ctx)

    def coerce_path_result(self, value: Any) -> Any:
        """The path. (`path_type` would load pathlib for every `--help`.)"""
        from pathlib import Path

        return Path(value)


class Target(File):
    """A file to write. A path that cannot be written is rejected before the work starts.

    replaces: an existing file may be replaced; otherwise it is rejected.
    """

    def __init__(self, replaces: bool = False) -> None:
        super().__init__()
        self.replaces = replaces

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, with `~` expanded to the home folder."""
        from gameplay.store.saved import unused_path, writable_path

        path = super().convert(os.path.expanduser(value), param, ctx)
        if self.replaces:
            writable_path(str(path))
        else:
            unused_path(str(path), _label(param))
        return path


def choice(name: str, words: Iterable[str], help: str, default: str) -> Decorator:
    """An option with a fixed set of values; its help ends with the default."""
    return click.option(name, type=click.Choice([*words]), default=default, help=f"{help} [{default}].")


GAME = Name(_games, "GAME")
ENGINE = Name(_engines, "ENGINE")
RUN = Name(_runs, "RUN")
FILE = File()
SOURCE = Source()
TARGET = Target()
REPORT = Target(replaces=True)  # written anew by each run of a script
COUNT = Integer(min=1)
LINES = limit_value("multipv")
SECONDS = limit_value("time", "SECONDS")


def game_argument(default: str | None = None, required: bool = True) -> Decorator:
    """`GAME`, in one word or several: `connect4`, `go 19`, `tic tac toe`."""

    def join(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> str | None:
        if len(words) < 2:
            return words[0] if words else default
        from gameplay.registry import join_words

        return join_words(words)

    needed = required and default is None
    metavar = "GAME" if needed else "[GAME]"
    return click.argument("game", type=GAME, nargs=-1, required=needed, metavar=metavar, callback=join)


# -- single options ---------------------------------------------------------------------------------


def json_option(what: str = "the result") -> Decorator:
    """`--json`, given as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what} as one JSON document.")


def jobs_option(what: str = "Number of games to play at once [all cores].") -> Decorator:
    """`--jobs N`."""
    return click.option("--jobs", type=COUNT, help=what)


def _address(context: click.Context, parameter: click.Parameter, address: str | None) -> str | None:
    if address is not None and not address.strip():
        raise Usage("--cluster needs the address of a scheduler, as in tcp://host:8786")
    return address


def cluster_option(what: str) -> Decorator:
    """`--cluster ADDRESS`."""
    return click.option("--cluster", metavar="ADDRESS", callback=_address, help=what)


def split_moves(text: str) -> list[str]:
    """The moves of an option: `4 4 3`, `4,4,3`."""
    return text.replace(",", " ").split()


def check_distinct(option: str, names: list[str]) -> None:
    """Raise Usage if the list of an option has a name twice, which would be computed and shown twice."""
    for number, name in enumerate(names):
        if name in names[:number]:
            raise Usage(f"{option} names {name} twice. Try: name it once")


def position_option(help: str, absent: str | None = "") -> Decorator:
    """`--position TEXT`, or `absent`. An empty text, as of an unset shell variable, is refused."""

    def filled(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
        if text is None:
            return absent
        if not text.strip():
            raise Usage("--position is empty; expected a position. Try: leave it out, which means the start")
        return text

    return click.option("--position", metavar="TEXT", callback=filled, help=help)


STORE = click.option("--store", type=FILE, help="Database that holds the runs [runs.db in your data folder].")


def cores() -> int:
    """The number of CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# -- groups -----------------------------------------------------------------------------------------


def group(name: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """A decorator that adds `options`; the command gets `make(**values)` as its argument `name`."""

    def collector() -> None:
        pass

    for option in options:
        option(collector)
    names = [parameter.name for parameter in collector.__click_params__]  # type: ignore[attr-defined]

    def decorate(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def call(*arguments: Any, **values: Any) -> Any:
            value = make(**{key: values.pop(key) for key in names})
            return command(*arguments, **{name: value}, **values)

        for option in reversed(options):
            option(call)
        return call

    return decorate


def limit_options(depth: str, nodes: str, time: str) -> Decorator:
    """`--depth`, `--nodes`, `--sims` and `--time`, given as `limit`. The arguments are their help texts."""

    def made(depth: int | None, nodes: int | None, simulations: int | None, seconds: float | None) -> "Limit":
        from gameplay.search.limit import Limit

        return Limit(depth, nodes, seconds, simulations=simulations)

    return group(
        "limit",
        made,
        click.option("--depth", type=limit_value("depth", "PLIES"), help=depth),
        click.option("--nodes", type=limit_value("nodes"), help=nodes),
        click.option(
            "--sims",
            "simulations",
            type=limit_value("sims"),
            help="Simulation limit a move: deals of pimc, samples of miximax.",
        ),
        click.option("--time", "seconds", type=SECONDS, help=time),
    )


class Drawing(NamedTuple):
    """Display options."""

    plain: bool
    ascii: bool
    color: str
    theme_name: str | None = None

    def theme(self, plain: bool = False) -> "Theme":
        """The theme by options and settings; `plain` overrides both. Raises Usage, BadInput."""
        from gameplay.cli.common import themes
        from gameplay.display.theme import detect_theme
        from gameplay.store.settings import settings

        stored = settings()
        return detect_theme(
            self.color,
            self.ascii,
            self.plain or plain,
            palette=themes.find_theme(self.theme_name or stored.theme),
            pieces=stored.pieces,
            coordinates=stored.coordinates,
            bar=stored.bar,
            panel=stored.panel,
        )


def drawing_options(plain: str) -> Decorator:
    """`--plain`, `--ascii`, `--color` and `--theme`, given as `drawing`. `plain`: help text of `--plain`."""
    return group(
        "drawing",
        Drawing,
        click.option("--plain", is_flag=True, help=plain),
        click.option("--ascii", is_flag=True, help="Draw with ASCII characters only."),
        choice("--color", ["auto", "always", "never"], "Colours", "auto"),
        click.option(
            "--theme",
            "theme_name",
            type=Name(_theme_names, "NAME|FILE"),
            help="Colours of the board: wood, night, paper, contrast, blue, mono, ascii, or your own "
            "(docs/how-to/settings.md) [as set, else wood].",
        ),
    )


class Running(NamedTuple):
    """Options of a run: jobs, store, and format of the result."""

    jobs: int | None
    cluster: str | None
    store: "Path | None"
    as_json: bool


RUNNING = group(
    "running",
    Running,
    jobs_option("Number of games to play at once [all cores; one less with clocks]."),
    cluster_option("Play on the dask cluster at ADDRESS, as in tcp://host:8786."),
    STORE,
    json_option(),
)
