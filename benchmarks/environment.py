"""Other people's programs: in environments of their own, made where they are missing, or found outside."""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent
PEERS = FOLDER / ".peers"
SUNFISH = FOLDER / ".peers" / "sunfish"  # asks for an old chess library: apart from the others

# What pip is told for each. aima3 asks for Jupyter, which its search does not need; the wheel of a later
# easyAI is empty, so it is built from source.
INSTALL = {
    "open_spiel": ["open_spiel"],
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
    "gnubg-nn": "gnubg_nn",
    "bitbully": "bitbully",
    "endplay": "endplay",
    "easyAI": "easyAI",
    "aima3": "aima3.games",
    "python-chess": "chess",
    "sunfish": "sunfish",
}


def scripts(folder: Path = PEERS) -> Path:
    """Where an environment keeps its programs."""
    return folder / ("Scripts" if sys.platform == "win32" else "bin")


def install(peers: Iterable[str], folder: Path = PEERS) -> dict[str, str]:
    """Make the environment where it is missing; why a peer cannot be used, by its name."""
    python = scripts(folder) / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    missing = {}
    for peer in peers:
        present = [python, "-c", f"import {MODULES[peer]}"]
        if subprocess.run(present, capture_output=True).returncode == 0:
            continue
        subprocess.run([python, "-m", "pip", "install", "--quiet", *INSTALL[peer]], capture_output=True)
        check = subprocess.run(present, capture_output=True, text=True)
        if check.returncode:
            missing[peer] = check.stderr.strip().splitlines()[-1]
    return missing


def program(name: str) -> str | None:
    """Where a program is that a package manager installed; Debian's games are often not on the path."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"]))
