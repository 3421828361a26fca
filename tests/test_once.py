"""Values that are computed once: per process, per folder, per content of a file."""

import threading
from pathlib import Path

import pytest

from gameplay import once, registry
from gameplay.errors import BadInput
from gameplay.evaluation import select_evaluation
from gameplay.once import once_per_file
from gameplay.runs.pool import Pool
from tests.support.paths import ROOT

GAME = "import gameplay\n\n\nclass Own(gameplay.Position):\n    limit = {limit}\n"


def test_a_file_is_read_again_if_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    @once_per_file
    def read(path: Path, kind: str) -> str:
        calls.append((path, kind))
        return f"{kind} {path.read_text()}"

    monkeypatch.chdir(tmp_path)
    file = Path("a.txt")
    file.write_text("1")
    assert [read(file, "x"), read(file.absolute(), "x"), read(file, "y")] == ["x 1", "x 1", "y 1"]
    assert calls == [(file, "x"), (file, "y")]
    file.write_text("22")
    assert read(file, "x") == "x 22"
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("3")
    monkeypatch.chdir("sub")
    assert read(file, "x") == "x 3"
    file.unlink()
    with pytest.raises(FileNotFoundError):
        read(file, "x")


@pytest.mark.once
def test_files_of_a_run_stay_as_they_were_first_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = once_per_file(Path.read_text)
    file = tmp_path / "a.txt"
    file.write_text("1")
    monkeypatch.setattr(once, "_pinned", threading.Event())
    once.pin_files()
    assert read(file) == "1"
    file.write_text("22")
    assert read(file) == "1"
    with Pool(1) as pool:
        assert list(pool.each(eval, ["__import__('gameplay.once').once._pinned.is_set()"])) == [True]


def test_a_relative_path_of_a_game_is_another_file_in_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in (1, 2):
        folder = tmp_path / str(limit)
        folder.mkdir()
        (folder / "own.py").write_text(GAME.format(limit=limit))
        monkeypatch.chdir(folder)
        assert registry.game("./own.py").cls.limit == limit  # type: ignore[attr-defined]
        assert registry.game("./own.py") is registry.game("./own.py")


def test_changed_weights_are_used(tmp_path: Path) -> None:
    """As in a notebook that learns, looks and learns again."""
    lines = (ROOT / "configs" / "evals" / "connect4.toml").read_text().splitlines()
    kept = [line for line in lines if not line.startswith(("checksum", "right_row"))]
    file, start = tmp_path / "weights.toml", registry.game("connect4").new()
    found = []
    for row in (8, 80):
        changed = [*kept, f"right_row = {row}", ""]
        file.write_text("\n".join(changed))
        with pytest.raises(BadInput) as refused:
            select_evaluation(str(file), start)
        checksum = str(refused.value).partition("write ")[2]
        file.write_text("\n".join([checksum, *changed]))
        evaluation = select_evaluation(str(file), start)
        assert evaluation is not None and evaluation is select_evaluation(str(file), start)
        found.append(evaluation.weights)
    assert found[0] != found[1]
