"""`make dist`: the source distribution, the wheels and the SBOM (list of components); reproducible.

Everything is built from a copy of the tracked files, without leftovers of older builds. Wheels are built from
the unpacked source distribution, which proves that it is complete. All files have the time of the commit
(SOURCE_DATE_EPOCH, if it is set), fixed modes and owners, and compiled modules contain no path.
"""

import argparse
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
WHEELS = {"pure": "GAMEPLAY_PURE", "compiled": "GAMEPLAY_REQUIRE_COMPILED"}
"""The kinds of wheels, and the variable that makes setup.py build one."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m release.dist", description=__doc__.partition("\n")[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="pure, compiled; none: both")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    given = parser.parse_args()
    if unknown := [kind for kind in given.kinds if kind not in WHEELS]:
        parser.error(f"{unknown[0]}: there is no such kind of wheel; the kinds are {', '.join(WHEELS)}")
    for file in build(given.out, given.kinds or list(WHEELS)):
        print(hashlib.sha256(file.read_bytes()).hexdigest(), file.relative_to(given.out.parent), sep="  ")


def build(out: Path, kinds: list[str]) -> list[Path]:
    """Build the source distribution, a wheel of each kind, and the SBOM into `out`; return the files."""
    from release import sbom

    epoch = commit_time()
    os.umask(0o022)  # modes of generated files get into archives
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        tracked = copy_tracked(Path(folder, "tracked"))
        source = built(tracked, "sdist", out, epoch)
        normalize(source, epoch)
        with tarfile.open(source) as archive:
            archive.extractall(folder, filter="data")
        unpacked = Path(folder, source.name.removesuffix(".tar.gz"))
        wheels = [built(unpacked, "wheel", out, epoch, WHEELS[kind]) for kind in kinds]
    return [source, *wheels, sbom.write(out, epoch)]


def commit_time() -> int:
    """Seconds since 1970 that all files get: SOURCE_DATE_EPOCH, or the time of the last commit."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    return int(subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT, text=True))


def copy_tracked(folder: Path) -> Path:
    """Copy the files that git tracks, as they are in the working tree, with fixed modes."""
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    for name in filter(None, names):
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, copy)
        copy.chmod(0o644)
    return folder


def built(source: Path, what: str, out: Path, epoch: int, variable: str | None = None) -> Path:
    """Run the build backend on `source` and move the one file that it makes to `out`."""
    env = {k: v for k, v in os.environ.items() if k not in WHEELS.values()}
    env |= {"SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "0", variable or WHEELS["pure"]: "1"}
    with tempfile.TemporaryDirectory() as folder:
        # Not in an environment of its own: the versions of setuptools and Cython are those of .venv.
        command = [
            sys.executable,
            "-m",
            "build",
            "--no-isolation",
            f"--{what}",
            "--outdir",
            folder,
            str(source),
        ]
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{done.stdout}\nthe {what} was not built")
        (file,) = Path(folder).iterdir()
        return Path(shutil.move(file, out / file.name))


def normalize(archive: Path, epoch: int) -> None:
    """Write a .tar.gz again with sorted names, fixed times, modes and owners."""
    with tarfile.open(archive) as given:
        contents = [(entry, given.extractfile(entry)) for entry in sorted(given, key=lambda e: e.name)]
        fresh = archive.with_suffix(".new")
        with (
            open(fresh, "wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=epoch) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as made,
        ):
            for entry, data in contents:
                plain = tarfile.TarInfo(entry.name)
                plain.type, plain.size, plain.mtime = entry.type, entry.size, epoch
                plain.mode = 0o755 if entry.isdir() else 0o644
                made.addfile(plain, data)
    fresh.replace(archive)


if __name__ == "__main__":
    main()
