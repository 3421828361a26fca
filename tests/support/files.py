"""Files that tests read, and installed packages that tests create."""

from pathlib import Path


def find_files(folder: Path, pattern: str) -> list[Path]:
    """The files that match a pattern, sorted, without caches and hidden folders. Fails if there are none."""
    files = sorted(
        file
        for file in folder.glob(pattern)
        if not any(
            part == "__pycache__" or part.startswith(".") for part in file.relative_to(folder).parts[:-1]
        )
    )
    assert files, f"no file matches {pattern} in {folder}"
    return files


def install_package(folder: Path, name: str, entry_points: str, code: str) -> None:
    """Create an installed package with these entry points in a folder."""
    (folder / f"{name}.py").write_text(code)
    info = folder / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(entry_points)
