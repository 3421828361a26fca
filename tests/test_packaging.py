"""The wheel and the source distribution hold everything, and the wheel works in an empty environment."""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.support.paths import ROOT

IMPORT_ALL = """
import importlib, pkgutil, sys
import gameplay
from gameplay.kernel import compiled
names = [m.name for m in pkgutil.walk_packages(gameplay.__path__, "gameplay.")]
names.remove("gameplay.__main__")
for name in names:
    importlib.import_module(name)
print(len(names), compiled())
"""

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    # Without an environment of its own, and not compiled: both take long, and the set-up did them.
    command = [sys.executable, "-m", "build", "--no-isolation", "--skip-dependency-check"]
    command += ["--outdir", str(folder), str(ROOT)]
    env = os.environ | {"GAMEPLAY_PURE": "1"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=env)
    return folder


def test_nothing_is_left_out(built: Path) -> None:
    ours = {
        str(p.relative_to(ROOT))
        for p in ROOT.joinpath("gameplay").rglob("*.*")
        if p.suffix
        in (".py", ".pxd", ".css", ".js", ".toml", ".tsv", ".bin", ".book", ".table", ".words", ".pseudo")
    }
    assert len(ours) > 100
    wheel = set(zipfile.ZipFile(next(built.glob("*.whl"))).namelist())
    assert ours <= wheel
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        source = {name.partition("/")[2] for name in archive.getnames()}
    assert ours | {"setup.py", "pyproject.toml", "README.md", "LICENSE"} <= source
    assert not [name for name in wheel | source if name.endswith((".so", ".pyd", ".c"))]


def test_the_wheel_works_in_an_empty_environment(built: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env")
    scripts = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    python = str(scripts / "python")
    wheel = str(next(built.glob("*.whl")))
    pip = [sys.executable, "-m", "pip", "--python", python]
    subprocess.run([*pip, "install", "--quiet", "--no-compile", wheel], check=True)
    out = subprocess.run(
        [python, "-c", IMPORT_ALL], check=True, capture_output=True, text=True, cwd=tmp_path
    ).stdout
    count, compiled = out.split()
    assert int(count) > 40
    assert compiled == "False"
    for name in ("gameplay", "play", "selfplay"):
        shown = subprocess.run(
            [scripts / name, "--help"], check=True, capture_output=True, text=True, cwd=tmp_path
        )
        assert shown.stdout.startswith(f"Usage: {name}")
    played = subprocess.run(
        [scripts / "play", "tictactoe", "--players", "alphabeta,random", "--plain"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"GAMEPLAY_HOME": str(tmp_path)},
    )
    assert played.returncode == 0, played.stderr
