"""Shell completion of the three programs."""

from pathlib import Path

import pytest

from gameplay.cli import router
from tests.support.commands import run_printed


@pytest.mark.parametrize(
    ("line", "typed", "names"),
    [
        ("gameplay play conn", 2, ["connect4"]),
        ("gameplay play --engine sel", 3, ["selective"]),
        ("gameplay uci --engine mini", 3, ["minimax"]),
        ("gameplay match alpha", 2, ["alphabeta"]),
        ("gameplay match alphabeta --balance iter", 4, ["iterative"]),
        ("gameplay show oth", 2, ["othello"]),
        ("gameplay engines ra", 2, ["random"]),
        ("gameplay regress --game tic", 3, ["tictactoe"]),
        ("gameplay resume la", 2, ["last"]),
        ("gameplay run resume la", 3, ["last"]),
        ("gameplay run res", 2, ["resume"]),
        ("gameplay report la", 2, []),  # there is no store, and none is made
        ("gameplay play --theme ni", 3, ["night"]),
        ("gameplay settings th", 2, ["theme"]),
        ("gameplay settings theme ni", 3, ["night"]),
        ("gameplay settings theme def", 3, ["default"]),
        ("gameplay settings bell o", 3, ["on", "off"]),
        ("gameplay settings nothing d", 3, []),
    ],
)
def test_the_shell_completes_names(
    line: str, typed: int, names: list[str], tmp_path: Path, home: Path
) -> None:
    from click.shell_completion import ShellComplete

    from gameplay.store.runs import Store

    words = line.split()
    arguments = words[1:typed]
    if "resume" in words:
        Store(tmp_path / "runs.db").close()
        arguments += ["--store", str(tmp_path / "runs.db")]
    shell = ShellComplete(router, {}, "gameplay", "_GAMEPLAY_COMPLETE")
    assert [item.value for item in shell.get_completions(arguments, words[typed])] == names
    assert not (home / "runs.db").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_covers_the_three_programs(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run_printed(capsys, "completion", shell)
    for name in ("GAMEPLAY", "PLAY", "SELFPLAY"):
        assert f"_{name}_COMPLETE={shell}_complete" in out
