"""Files that tests go through."""

from pathlib import Path


def found(folder: Path, pattern: str) -> list[Path]:
    """The files of a folder, sorted. A wrong path would find none, and a test of none would pass."""
    files = sorted(file for file in folder.glob(pattern) if "__pycache__" not in file.parts)
    assert files, f"there is no {pattern} in {folder}"
    return files
