"""`make web`: assembles the page in build/web, which any static web server can serve.

Pyodide (PYODIDE, an npm package of about 13 MB) is taken from the folder of the environment variable
GAMEPLAY_PYODIDE or from node_modules; where neither has it, npm installs it into build/pyodide.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from gameplay.display.pages.markup import digest, source
from release import dist

ROOT = Path(__file__).parents[1]
HERE = Path(__file__).parent
OUT = ROOT / "build/web"
PYODIDE = "pyodide@314.0.7"
PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
PAGE_FILES = (
    "*.html",
    "*.css",
    "*.js",
    "*.svg",
    "*.webmanifest",
    "game_session.py",
    "teaching.py",
    "stand_in/msgspec.py",
)


def find_pyodide() -> Path | None:
    """The folder with Pyodide's files, if it is on this machine."""
    named = os.environ.get("GAMEPLAY_PYODIDE")
    folders = [Path(named)] if named else []
    folders += [base / "node_modules/pyodide" for base in (ROOT, ROOT / "build/pyodide")]
    return next(
        (folder for folder in folders if all((folder / name).is_file() for name in PYODIDE_FILES)), None
    )


def install_pyodide() -> Path:
    """The folder with Pyodide's files, installed by npm if need be. Exits with a message if that fails."""
    found = find_pyodide()
    if found is not None:
        return found
    npm = shutil.which("npm")
    if npm is None:
        sys.exit(
            f"{PYODIDE} is needed: install npm, or set GAMEPLAY_PYODIDE to a folder with "
            f"{', '.join(PYODIDE_FILES)}"
        )
    folder = ROOT / "build/pyodide"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([npm, "install", "--silent", "--no-save", "--prefix", folder, PYODIDE], check=True)
    found = find_pyodide()
    if found is None:
        sys.exit(f"{folder}: npm installed no {PYODIDE} there; expected {', '.join(PYODIDE_FILES)}")
    return found


def build(out: Path, core: Path) -> None:
    """Assemble the page in `out`, which is replaced, with Pyodide's files from `core`."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "pyodide").mkdir(parents=True)
    for name in PYODIDE_FILES:
        shutil.copyfile(core / name, out / "pyodide" / name)
    for pattern in PAGE_FILES:
        for file in HERE.glob(pattern):
            shutil.copyfile(file, out / file.name)
    with tempfile.TemporaryDirectory() as folder:
        dist.build(Path(folder), ["pure"])
        shutil.copyfile(next(Path(folder).glob("*-py3-none-any.whl")), out / "gameplay.whl")
    index = out / "index.html"  # the pages of search trees are frames of this page, and have its policy
    script = digest(source("board.js") + source("tree.js"))
    index.write_text(index.read_text().replace("script-src 'self'", f"script-src 'self' {script}"))
    worker = out / "service-worker.js"
    worker.write_text(worker.read_text().replace('VERSION"', f'{version(out)}"'))


def version(out: Path) -> str:
    """A digest of all files: another where any of them differs."""
    digest = hashlib.sha256()
    for file in sorted(out.rglob("*.*")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    build(OUT, install_pyodide())
    size = sum(file.stat().st_size for file in OUT.rglob("*.*")) / 1e6
    folder = OUT.relative_to(ROOT)
    print(f"{folder}: {size:.1f} MB; python -m http.server --directory {folder}")
