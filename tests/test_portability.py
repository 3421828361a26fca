"""The program without POSIX, as on Windows: simulated, see `tests.support.without_posix`."""

import subprocess
import sys
from pathlib import Path

import pytest

from gameplay import evaluation, registry, specs
from gameplay.store import saved
from tests.support.paths import ROOT, TESTS

pytestmark = pytest.mark.once
RECORDS = sorted((TESTS / "examples" / "records").glob("*.[a-z][a-z][a-z]"))


def ran(folder: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command line without POSIX, in a folder that is also the home."""
    places = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    return subprocess.run(
        [sys.executable, str(TESTS / "support" / "without_posix.py"), *words],
        input=typed,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**places, "PATH": "", "PYTHONPATH": str(ROOT)},
        timeout=300,
    )


def test_every_module_can_be_imported(tmp_path: Path) -> None:
    done = ran(tmp_path, "import")
    assert (done.stdout, done.stderr) == ("all modules\n", "")


def test_game_is_played_to_its_end_and_saved(tmp_path: Path) -> None:
    moves = "b2\na1\nc3\na3\nc1\nb1\nb3\na2\nc2\n"
    done = ran(tmp_path, "play", "tictactoe", "--engine", "random:seed=1", typed=moves)
    assert done.returncode == 0 and "result: " in done.stdout, done.stderr
    saves = list((tmp_path / "gameplay" / "games").iterdir())
    assert len(saves) == 1 and "result" in saves[0].read_text()


def test_match_is_played_in_spawned_processes_and_verified(tmp_path: Path) -> None:
    words = (
        "match",
        "random",
        "mcts:seed=1",
        "--game",
        "tictactoe",
        "--games",
        "4",
        "--sims",
        "10",
        "--jobs",
        "2",
    )
    done = ran(tmp_path, *words, "--store", str(tmp_path / "store"))
    assert done.returncode == 0 and "4 games" in done.stdout, done.stderr
    again = ran(tmp_path, "run", "verify", "last", "--store", str(tmp_path / "store"))
    assert again.returncode == 0 and "4 games: moves, results" in again.stdout, again.stderr


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_file_with_crlf_line_ends_is_read_as_the_same_games(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    assert b"\r\n" not in content and b"\n" in content
    other = tmp_path / path.name
    other.write_bytes(content.replace(b"\n", b"\r\n"))
    games = [list(saved.read_games(target, registry.game)) for target in (path, other)]
    words = [[record.words for _, record, _ in game if record is not None] for game in games]
    assert words[0] == words[1] and words[0]


def test_paths_with_drive_letters_are_files() -> None:
    for path in (r"C:\games\mine.py", "C:/games/mine.py", r"C:\games\mine.py:Sticks"):
        assert specs.is_file(path) and evaluation.is_file(path)
    assert evaluation.is_file(r"D:\weights.toml")
