"""Files that tests go through."""

from pathlib import Path


def found(folder: Path, pattern: str) -> list[Path]:
    """The files of a folder, sorted. A wrong path would find none, and a test of none would pass."""
    files = sorted(file for file in folder.glob(pattern) if "__pycache__" not in file.parts)
    assert files, f"there is no {pattern} in {folder}"
    return files


def package(folder: Path, name: str, offers: str, code: str) -> None:
    """An installed package in a folder, with these entry points."""
    (folder / f"{name}.py").write_text(code)
    info = folder / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(offers)
