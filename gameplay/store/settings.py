"""The user's settings: a TOML file in the configuration folder (or GAMEPLAY_HOME).

Precedence: command-line option, environment variable (GAMEPLAY_THEME), file, default. Invalid values are
rejected before anything is drawn.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec

from gameplay import file_io
from gameplay.errors import BadInput, Usage, brief, unknown_name
from gameplay.options import ON_OFF, OneOf, either, format_option, refusal
from gameplay.store import toml
from gameplay.store.paths import home_folder

FILE = "settings.toml"
THEMES = ("wood", "night", "paper", "contrast", "blue", "mono", "ascii")
DEFAULT = "default"  # the value that removes a setting from the file


class Settings(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The settings and their defaults."""

    theme: Annotated[str, msgspec.Meta(description="Colours of boards and pieces")] = "wood"
    pieces: Annotated[
        Literal["filled", "outline", "letters", "blocks"], msgspec.Meta(description="How pieces are drawn")
    ] = "blocks"
    bell: Annotated[bool, msgspec.Meta(description="Ring when it is your turn")] = False
    confirm: Annotated[bool, msgspec.Meta(description="Ask for a second Enter before a move is played")] = (
        False
    )
    bar: Annotated[bool, msgspec.Meta(description="Show the evaluation bar")] = True
    panel: Annotated[
        Literal["off", "quiet", "full"],
        msgspec.Meta(description="What is shown of a search while you play"),
    ] = "quiet"
    pace: Annotated[
        Literal["instant", "normal", "slow"],
        msgspec.Meta(description="Pauses after the moves of others"),
    ] = "normal"
    name: Annotated[str, msgspec.Meta(description="Your name, where one person plays")] = ""
    full: Annotated[bool, msgspec.Meta(description="Play in full screen")] = False
    coordinates: Annotated[bool, msgspec.Meta(description="Name columns, rows and cells of boards")] = True


NAMES = Settings.__struct_fields__


def path() -> Path:
    """The path of the file, which may not exist."""
    folder = home_folder()
    if folder is not None:
        return folder / FILE
    import platformdirs

    return Path(platformdirs.user_config_path("gameplay")) / FILE


def user_themes() -> dict[str, Path]:
    """The files of the user's themes, by name; built-in names take precedence."""
    files = {file.stem: file for file in sorted((path().parent / "themes").glob("*.toml"))}
    return {name: file for name, file in files.items() if name not in THEMES}


def variable_name(name: str) -> str:
    """The environment variable of a setting."""
    return f"GAMEPLAY_{name.upper()}"


def description(name: str) -> str:
    """The description of a setting."""
    return str(_meta(name).description)


def choices(name: str) -> tuple[str, ...]:
    """The choices of a setting; empty if any value is allowed."""
    if name == "theme":
        return (*THEMES, *user_themes())
    kind = _type(name)
    return ("on", "off") if kind is bool else get_args(kind)


def settings(env: Mapping[str, str] = os.environ) -> Settings:
    """The effective settings. Raises BadInput for an invalid file, Usage for an invalid variable."""
    return read_with_origins(env)[0]


def read(file: Path) -> tuple[Settings, str]:
    """The settings in a file, and its text. Raises BadInput."""
    values, text = toml.read(file, Settings)
    if values.theme not in choices("theme"):
        error = refusal("", "theme", values.theme, either(choices("theme")), Settings().theme)
        raise BadInput(f"{file}, line {toml.line(text, ['theme'])}: {error}")
    return values, text


def read_with_origins(env: Mapping[str, str] = os.environ) -> tuple[Settings, dict[str, str]]:
    """The effective settings, and the source of each that is set: a file or a variable."""
    file = path()
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    if file_io.present(file):
        stored, text = read(file)
        for name in NAMES:
            if re.search(rf"(?m)^\s*{name}\s*=", text):
                values[name], origins[name] = getattr(stored, name), str(file)
    for name in NAMES:
        word = env.get(variable_name(name))
        if word:
            values[name], origins[name] = parse(name, word, variable_name(name)), variable_name(name)
    return Settings(**values), origins


def change(name: str, word: str, command: str = "") -> None:
    """Change one setting in the file, preserving other lines and comments. Raises Usage, BadInput.

    `command`: what is typed before the name and the value, for the error.
    """
    file = path()
    value = None if word == DEFAULT else parse(name, word, command=command)
    text = file_io.text(file) if file_io.present(file) else ""
    line = "" if value is None else f"{name} = {_toml(value)}\n"
    setting = re.compile(rf"(?m)^[ \t]*{name}[ \t]*=.*\n?")
    if setting.search(text):
        text = setting.sub(lambda _: line, text, count=1)
    else:
        text = (text if text.endswith("\n") or not text else text + "\n") + line
    file.parent.mkdir(parents=True, exist_ok=True)
    file_io.write(file, [text.encode()])


def check_name(name: str) -> None:
    """Raise Usage unless there is a setting of this name."""
    if name not in NAMES:
        raise Usage(unknown_name("setting", name, NAMES))


def parse(name: str, word: str, variable: str = "", command: str = "") -> Any:
    """Parse the value of a setting. Raises Usage.

    `variable`: where the value is from; "": it was typed, after `command` and the name.
    """
    where = f"{variable}: " if variable else ""
    if choices(name):
        kind = ON_OFF if _type(name) is bool else OneOf(choices(name))
        try:
            return kind.read(word.strip())
        except (ValueError, KeyError):
            example = kind.suggestion(word.strip()) or format_option(getattr(Settings(), name))
            correct = f"{variable}={example}" if variable else f"{command} {name} {example}".lstrip()
            raise Usage(
                f"{where}{name} must be {kind.expected}, not '{brief(word)}'. Try: {correct}"
            ) from None
    if not word.isprintable():
        raise refusal(variable, name, word, "a line of text")
    return word.strip()


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _type(name: str) -> Any:
    return get_args(_annotation(name))[0]


def _meta(name: str) -> Any:
    return get_args(_annotation(name))[1]


def _annotation(name: str) -> Any:
    return Settings.__annotations__[name]
