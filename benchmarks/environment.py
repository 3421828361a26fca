"""Peers, the programs of other projects: installed into virtual environments, or found on this machine.

Installations are limited to INSTALL_TIME and runs to RUN_TIME; both report progress when they start. A
missing peer has no rows in the tables; the reason is printed to standard error.
"""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.progress import progress

FOLDER = Path(__file__).parent
PEERS = FOLDER / ".peers"
SUNFISH = FOLDER / ".peers" / "sunfish"  # a separate environment: it requires an old version of `chess`
INSTALL_TIME = 300.0  # seconds
IMPORT_TIME = 60.0
RUN_TIME = 1800.0
OFF = "peers are switched off"

# Arguments of `pip install`. aima3 requires Jupyter, which its search does not use; wheels of easyAI after
# 2.0.12 are empty, so that version is built from source.
REQUIREMENTS = {
    "open_spiel": ["open_spiel"],
    "pettingzoo": ["pettingzoo", "pygame"],  # its games import pygame
    "gnubg-nn": ["gnubg-nn"],
    "bitbully": ["bitbully"],
    "endplay": ["endplay"],
    "easyAI": ["--no-binary", "easyAI", "easyAI==2.0.12"],
    "aima3": ["--no-deps", "aima3", "tqdm"],
    "python-chess": ["chess"],
    "sunfish": ["sunfish"],
}
MODULES = {
    "open_spiel": "pyspiel",
    "pettingzoo": "pettingzoo.classic.connect_four_v3",
    "gnubg-nn": "gnubg_nn",
    "bitbully": "bitbully",
    "endplay": "endplay",
    "easyAI": "easyAI",
    "aima3": "aima3.games",
    "python-chess": "chess",
    "sunfish": "sunfish",
}

peers_enabled = True  # False: no peer is installed, built or run


class PeerFailed(Exception):
    """A peer or a compiler failed or timed out; the message names it."""


def scripts(folder: Path = PEERS) -> Path:
    """The folder of the executables of a virtual environment."""
    return folder / ("Scripts" if sys.platform == "win32" else "bin")


def install(peers: Iterable[str], folder: Path = PEERS) -> dict[str, str]:
    """Install missing peers. Returns the unavailable ones, each with the reason."""
    if not peers_enabled:
        return dict.fromkeys(peers, OFF)
    python = scripts(folder) / "python"
    missing: dict[str, str] = {}
    try:
        if not python.exists():
            progress.show(f"creating a virtual environment in {folder}")
            venv.create(folder, with_pip=True)
        for peer in peers:
            check = [python, "-c", f"import {MODULES[peer]}"]
            if _execute(check, IMPORT_TIME).returncode == 0:
                continue
            progress.show(f"installing {peer}, at most {INSTALL_TIME:.0f} s")
            pip = [python, "-m", "pip", "install", "--quiet", "--timeout", "15", "--retries", "1"]
            result = _execute([*pip, *REQUIREMENTS[peer]], INSTALL_TIME)
            if result.returncode == 0:
                result = _execute(check, IMPORT_TIME)
            if result.returncode:
                missing[peer] = (result.stderr.strip().splitlines() or ["installation failed"])[-1]
    except (OSError, subprocess.CalledProcessError) as error:
        return dict.fromkeys(peers, f"cannot create a virtual environment: {error}")
    return missing


def report_missing(missing: dict[str, str]) -> None:
    """Print a line for each missing peer, with the reason, to standard error."""
    for peer, reason in missing.items():
        print(f"{peer} skipped: {reason}", file=sys.stderr)


def run(
    command: Sequence[Any],
    name: str,
    seconds: float = RUN_TIME,
    text: str = "",
    env: Any = None,
    folder: Path | None = None,
) -> str:
    """Run a program with `text` as input and return its standard output.

    `name` stands for it in progress lines and errors. Raises PeerFailed if it fails or exceeds `seconds`.
    """
    progress.show(f"running {name}")
    result = _execute(command, seconds, text, env, folder)
    if result.returncode:
        reason = (result.stderr.strip().splitlines() or [f"exit status {result.returncode}"])[-1]
        raise PeerFailed(f"{name} failed: {reason}")
    return result.stdout


def run_peer(script: str, *arguments: Any, name: str, text: str = "") -> str:
    """Run a script of this folder by the Python of the peers and return its standard output. See `run`."""
    command = [scripts() / "python", FOLDER / script, *arguments]
    return run(command, name, text=text)


def _execute(
    command: Sequence[Any], seconds: float, text: str = "", env: Any = None, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command. After `seconds` it is killed with its children; the status is then 124."""
    with subprocess.Popen(
        list(map(str, command)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        cwd=folder,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(text, timeout=seconds)
        except BaseException as error:
            _kill(process)
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            return subprocess.CompletedProcess(command, 124, "", f"timeout after {seconds:g} s")
        return subprocess.CompletedProcess(command, process.returncode, out, err)


def _kill(process: "subprocess.Popen[str]") -> None:
    """Kill a process, on POSIX systems its process group."""
    if hasattr(os, "killpg"):
        import signal

        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def find_compiler(*names: str) -> str | None:
    """The path of the first of these compilers that is installed, else None."""
    return next(filter(None, map(shutil.which, names)), None) if peers_enabled else None


def find_program(name: str) -> str | None:
    """The path of an installed program, else None. Also searches /usr/games, often missing from the PATH."""
    if not peers_enabled:
        return None
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"]))
