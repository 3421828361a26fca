"""Programs of other projects: installed in separate environments, or found on this machine.

Installations are limited to INSTALL_TIME and runs to RUN_TIME; both print a line when they begin. A missing
peer is omitted from the tables, and a line gives the reason.
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
SUNFISH = FOLDER / ".peers" / "sunfish"  # asks for an old chess library: apart from the others
INSTALL_TIME = 300.0  # seconds
IMPORT_TIME = 60.0
RUN_TIME = 1800.0
OFF = "peers are switched off"

# The requirements for pip. aima3 asks for Jupyter, which its search does not need; the wheel of a later
# easyAI is empty, so it is built from source.
INSTALL = {
    "open_spiel": ["open_spiel"],
    "pettingzoo": ["pettingzoo", "pygame"],  # its drawings are imported with its rules
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

wanted = True  # False: no peer is installed, built or run


class PeerFailed(Exception):
    """A peer or a compiler failed or timed out; the message names it."""


def scripts(folder: Path = PEERS) -> Path:
    """The folder of an environment's programs."""
    return folder / ("Scripts" if sys.platform == "win32" else "bin")


def install(peers: Iterable[str], folder: Path = PEERS) -> dict[str, str]:
    """Install missing peers; returns the reason, by name, for each that is unavailable."""
    if not wanted:
        return dict.fromkeys(peers, OFF)
    python = scripts(folder) / "python"
    missing: dict[str, str] = {}
    try:
        if not python.exists():
            progress.say(f"creating an environment in {folder}")
            venv.create(folder, with_pip=True)
        for peer in peers:
            check = [python, "-c", f"import {MODULES[peer]}"]
            if _result(check, IMPORT_TIME).returncode == 0:
                continue
            progress.say(f"installing {peer}, at most {INSTALL_TIME:.0f} s")
            pip = [python, "-m", "pip", "install", "--quiet", "--timeout", "15", "--retries", "1"]
            done = _result([*pip, *INSTALL[peer]], INSTALL_TIME)
            if done.returncode == 0:
                done = _result(check, IMPORT_TIME)
            if done.returncode:
                missing[peer] = (done.stderr.strip().splitlines() or ["it cannot be installed"])[-1]
    except (OSError, subprocess.CalledProcessError) as error:
        return dict.fromkeys(peers, f"no environment can be created: {error}")
    return missing


def run(
    command: Sequence[Any],
    what: str,
    seconds: float = RUN_TIME,
    text: str = "",
    env: Any = None,
    folder: Path | None = None,
) -> str:
    """The standard output of a program with `text` as input; `what` names it in progress lines and errors.

    Raises PeerFailed if it fails or takes longer than `seconds`.
    """
    progress.say(f"running {what}")
    done = _result(command, seconds, text, env, folder)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        raise PeerFailed(f"{what} failed: {reason}")
    return done.stdout


def _result(
    command: Sequence[Any], seconds: float, text: str = "", env: Any = None, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """The result of a command; after `seconds` it and its children are killed, with status 124."""
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
            return subprocess.CompletedProcess(command, 124, "", f"it did not end in {seconds:g} s")
        return subprocess.CompletedProcess(command, process.returncode, out, err)


def _kill(process: "subprocess.Popen[str]") -> None:
    """Kill a process and its process group, if groups exist."""
    if hasattr(os, "killpg"):
        import signal

        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def compiler(*names: str) -> str | None:
    """The path of the first of these compilers that is installed."""
    return next(filter(None, map(shutil.which, names)), None) if wanted else None


def program(name: str) -> str | None:
    """The path of an installed program; Debian's games are often not on the PATH."""
    if not wanted:
        return None
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"]))
