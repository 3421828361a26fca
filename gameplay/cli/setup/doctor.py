"""`gameplay doctor`: reports the installation and the terminal."""

import os
import platform
import shutil
import sys
from pathlib import Path

import click

from gameplay import __version__
from gameplay.cli.common.width import echo_labelled


@click.command(short_help="Report build, versions, terminal and paths")
def command() -> None:
    """Report the build, the versions, the terminal and the paths: what to send with a bug report."""
    from gameplay import registry
    from gameplay.kernel import compiled

    if compiled():
        build = "compiled"
    elif os.environ.get("GAMEPLAY_PURE"):
        build = "pure Python, because GAMEPLAY_PURE is set (about 50 times slower)"
    else:
        build = "pure Python, about 50 times slower (a C compiler at installation would compile it)"
    _section(
        "build",
        {
            "gameplay": __version__,
            "engines": build,
            "installed in": str(Path(__file__).parents[2]),
            "python": f"{platform.python_version()} ({sys.executable})",
            "system": f"{platform.system()} {platform.release()} {platform.machine()}",
            "cores": str(os.cpu_count()),
        },
    )
    _section("confinement of user code", _confinement())
    _section("libraries", {name: _version(name) for name in LIBRARIES})
    size = shutil.get_terminal_size()
    _section(
        "terminal",
        {
            "input": "a terminal" if sys.stdin.isatty() else "not a terminal",
            "output": "a terminal" if sys.stdout.isatty() else "not a terminal",
            "size": f"{size.columns} columns, {size.lines} rows",
            "encoding": sys.stdout.encoding,
            **{name: os.environ.get(name, "not set") for name in VARIABLES},
        },
    )
    _section("paths", _paths())
    _section(
        "offers", {"games": ", ".join(registry.game_names()), "engines": ", ".join(registry.engine_names())}
    )
    if clashes := registry.plugin_clashes():
        _section("plug-ins ignored", {str(number): clash for number, clash in enumerate(clashes, 1)})


LIBRARIES = ("click", "rich", "prompt-toolkit", "platformdirs", "msgspec")
VARIABLES = ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "LANG", "GAMEPLAY_HOME", "GAMEPLAY_PURE")


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _confinement() -> dict[str, str]:
    """The restrictions that the kernel enforces on a student's engine, see `gameplay.sandbox`."""
    from gameplay.sandbox import confinement

    return confinement.layers()


def _paths() -> dict[str, str]:
    import platformdirs

    from gameplay.store import runs, saved, settings

    return {
        "settings": str(settings.path()),
        "saved games": str(saved.folder()),
        "runs": str(runs.default_path()),
        "error reports": str(platformdirs.user_log_path("gameplay")),
    }


def _section(title: str, facts: dict[str, str]) -> None:
    click.echo(title)
    for name, value in facts.items():
        echo_labelled(f"  {name:<15} ", value)
