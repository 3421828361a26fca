"""Installs wheels and source distributions in empty environments outside the checkout, and tests them.

    python -m release.trial dist/*.whl dist/*.tar.gz

Each must import all its modules, reach the published perft counts, play a game to the end, and find the same
value with one thread and with two. If it is compiled, or with `--signature`, it must also search as
many nodes as the stored signature (15 s in pure Python).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
IMPORT_ALL = """
import importlib, json, os, pkgutil, sys
import gameplay
from gameplay.kernel import compiled
names = [m.name for m in pkgutil.walk_packages(gameplay.__path__, "gameplay.")]
names.remove("gameplay.__main__")
extras = {"gymnasium", "numpy", "pettingzoo"}  # of gameplay[environments] and [openspiel], not installed
for name in names:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not name.startswith(("gameplay.environments.", "gameplay.openspiel.")) or error.name not in extras:
            raise
free = not getattr(sys, "_is_gil_enabled", lambda: True)()
print(json.dumps({"modules": len(names), "compiled": compiled(), "free-threaded": free,
                  "folder": os.path.dirname(gameplay.__file__)}))
"""
PERFT_3 = 8902  # lines of play of chess after three plies: Chess Programming Wiki, Perft Results


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m release.trial", description=__doc__.partition("\n")[0])
    parser.add_argument("artifacts", nargs="+", type=Path)
    parser.add_argument("--signature", action="store_true", help="search the signature in pure Python, too")
    given = parser.parse_args()
    for artifact in given.artifacts:
        with tempfile.TemporaryDirectory() as folder:
            found = examine(artifact, Path(folder), given.signature)
        print(f"{artifact.name}: works ({', '.join(f'{k} {v}' for k, v in found.items() if k != 'folder')})")


def examine(artifact: Path, folder: Path, signature: bool = False) -> dict[str, Any]:
    """Install `artifact` below `folder` and try it; return what its modules are. Exits with what differs."""
    run = installed(artifact, folder)
    found: dict[str, Any] = json.loads(run("python", "-c", IMPORT_ALL))
    expect(Path(found["folder"]).is_relative_to(folder.resolve()), "imported from", found["folder"])
    if artifact.suffix == ".whl":
        expect(found["compiled"] == (not artifact.stem.endswith("-any")), "compiled:", found["compiled"])
    version = artifact.name.removesuffix(".tar.gz").split("-")[1]
    expect(run("gameplay", "--version").split() == ["gameplay", version], "version, expected", version)
    for name in ("gameplay", "play", "selfplay"):
        expect(run(name, "--help").startswith(f"Usage: {name}"), "help of", name)
    counts = run("gameplay", "perft", "chess", "--depth", "3").replace(",", "").splitlines()
    expect(any(line.split()[:2] == ["3", str(PERFT_3)] for line in counts), "perft", counts)
    game = run("play", "tictactoe", "--players", "alphabeta,random", "--plain")
    expect("result: x wins" in game or "result: draw" in game, "perfect play lost or did not end:", game)
    if found["compiled"] or signature:
        stored = tomllib.loads(ROOT.joinpath("configs/regress/signature.toml").read_text("utf-8"))
        nodes = stored["signature"][0]["nodes"]
        expect(run("gameplay", "signature").split()[-1] == str(nodes), "signature, expected", nodes)
    searches = run(
        "gameplay",
        "analyse",
        "connect4",
        "--engines",
        "iterative,iterative:threads=2",
        "--depth",
        "7",
        "--json",
    )
    one, two = (search["value"] for search in json.loads(searches)["engines"])
    expect(one == two, "two threads find another value than one:", one, two)
    return found


def installed(artifact: Path, folder: Path) -> Callable[..., str]:
    """Install `artifact` into a new environment in `folder`; return what runs its programs there."""
    venv.create(folder / "env")
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "--quiet"]
    subprocess.run([*pip, "install", "--no-compile", str(artifact.resolve())], check=True)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("GAMEPLAY_", "PYTHON"))}
    env |= {"GAMEPLAY_HOME": str(folder / "home"), "PYTHONUTF8": "1"}

    def run(program: str, *arguments: str) -> str:
        done = subprocess.run(
            [str(programs / program), *arguments], cwd=folder, env=env, capture_output=True, text=True
        )
        expect(
            not done.returncode, f"{program} {' '.join(arguments[:2])}: status", done.returncode, done.stderr
        )
        return done.stdout

    return run


def expect(holds: bool, *what: object) -> None:
    if not holds:
        sys.exit(" ".join(map(str, ("not as expected:", *what))))


if __name__ == "__main__":
    main()
