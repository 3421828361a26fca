"""Files that are too large or too deep are refused while they are read; wrong figures are named."""

from pathlib import Path

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.engines.cfr.strategy_file import Strategy
from gameplay.errors import BadInput
from gameplay.games.tree.game import MAX_DEPTH, MAX_FILE_BYTES, MAX_NODES, Tree

pytestmark = pytest.mark.once

TREES = {
    "many branches": "[max]\n" + "\n".join(f"a{number} = 1" for number in range(300_000)),
    "a long list": f"max = [{'1,' * (MAX_NODES + 1)}]",
    "many tables": "\n".join(f"[max.a{number}.min]\nb=1\nc=2" for number in range(MAX_NODES // 3 + 1)),
    "deep keys": "max.a." + "min.a.max.a." * 1_000 + "min.a = 3",
    "deep lists": f"max = {'[' * 5_000}1{']' * 5_000}",
    "deep tables": f"max = {'[{min = ' * 300}[1]{'}]' * 300}",
    "huge odds": '[chance]\n"a 1e999999999" = 3\n"b 1/2" = 0',
    "long odds": f'[chance]\n"a 1/{"9" * 5_000}" = 3\n"b 1/2" = 0',
    "long number": f"[max]\na = {'9' * 5_000}\nb = 1",
}


@pytest.mark.parametrize("kind", TREES)
def test_trees_beyond_the_limits_are_refused_in_one_line(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tree.toml"
    file.write_text(TREES[kind])
    for words in (["show", str(file)], ["check", str(file)], ["tree", str(file), "--engine", "minimax"]):
        assert run(router, "gameplay", words) == 6
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and "tree.toml" in error and len(error) < 500
        assert (
            not kind.startswith(("many", "a long"))
            or f"{MAX_NODES:,}" in error
            or f"{MAX_FILE_BYTES:,}" in error
        )


def test_limits_of_trees_are_exact() -> None:
    assert len(Tree.of({"max": [1] * (MAX_NODES - 1)}).nodes) == MAX_NODES
    with pytest.raises(BadInput, match="20,000 nodes"):
        Tree.of({"max": [1] * MAX_NODES})

    def chain(plies: int) -> dict[str, object]:
        return {"max": {"a": chain(plies - 1) if plies > 1 else 1}}

    assert len(Tree.of(chain(MAX_DEPTH)).nodes) == MAX_DEPTH + 1
    with pytest.raises(BadInput, match="200 plies"):
        Tree.of(chain(MAX_DEPTH + 1))


@pytest.mark.parametrize(
    ("text", "right"),
    (
        ("value = 5\n[max]\na = 3\nb = 4", "value = 5, .* 4"),
        ("value = 4\n[max.a.min]\nb = 3\nc = 4", "value = 4, .* 3"),
        ('value = 2\n[chance]\n"a 1/2" = 3\n"b 1/2" = 0', "value = 2, .* 1.5"),
        (
            'value = [1, 1, 1]\nplayers = ["A", "B", "C"]\nA = [[1, 2, 3], [2, 2, 2]]',
            r"\[1, 1, 1\], .* \[2, 2, 2\]",
        ),
        ("value = -1\n[min]\na = 3\nb = -2", "value = -1, .* -2"),
    ),
)
def test_value_of_a_tree_must_be_that_of_its_leaves(
    text: str, right: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tree.toml"
    file.write_text(text)
    with pytest.raises(BadInput, match=right):
        registry.game(str(file)).new()
    assert run(router, "gameplay", ["check", str(file)]) == 6
    assert "value = " in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    (
        "value = 4\n[max]\na = 3\nb = 4",
        'value = 1.5\n[chance]\n"a 1/2" = 3\n"b 1/2" = 0',
        'value = [1, 0, 5]\nplayers = ["A", "B", "C"]\nA = [[1, 2, 3], [1, 0, 5]]',  # a tie: either may be
        'value = 3\n[max]\na = 3\nb = "x"\n[unknown]\nx = 1',
    ),
)
def test_right_values_of_trees_are_accepted(text: str, tmp_path: Path) -> None:
    file = tmp_path / "tree.toml"
    file.write_text(text)
    assert registry.game(str(file)).new().value is not None
    if "unknown" in text:  # the file is checked with its own leaf; with another one the value is another
        assert registry.game(f"{file}:x=9").new().value == (9, -9)


@pytest.mark.parametrize("kind", ("deep", "huge", "no text", "long number"))
def test_other_toml_files_are_refused_in_one_line(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file.toml"
    file.write_bytes(
        {
            "deep": b"a = " + b"[" * 50_000,
            "huge": b"#" * 5_000_000,
            "no text": b"\xff\xfe\x00",
            "long number": b"a = " + b"9" * 5_000,
        }[kind]
    )
    for words in (
        ["tournament", str(file)],
        ["regress", str(file)],
        ["config", "check", str(file)],
        ["analyse", "connect4", "--engines", str(file)],
        ["analyse", "connect4", "--engines", f"alphabeta:eval={file}"],
        ["show", f"bridge:system={file}"],
        ["show", f"stratego:setups={file}"],
        ["settings", "theme", str(file)],
    ):
        assert run(router, "gameplay", words) in (2, 6), words
        error = capsys.readouterr().err
        assert error.count("\n") <= 2 and len(error) < 700, words
    with pytest.raises(BadInput):
        Strategy(str(file))


@pytest.mark.parametrize("below", ("/proc/nowhere", "file"))
def test_commands_run_without_a_writable_home(
    below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GAMEPLAY_HOME", below if below[0] == "/" else str(tmp_path / below / "home"))
    game = tmp_path / "game.json"
    game.write_text(
        '{"schema":1,"game":"connect4","start":"","players":["human","random"],"seed":1,"version":"1",'
        '"moves":[{"move":"4","player":0},{"move":"4","player":1}],"result":[1,-1],"reason":"resigned"}'
    )
    for words, status in (
        (["solve", "tictactoe", "--moves", "b2 a1 c3", "--json"], 0),
        (["review", str(game), "--nodes", "50"], 0),
    ):
        assert run(router, "gameplay", words) == status
        shown = capsys.readouterr()
        assert shown.err.count("nothing is saved") <= 1 and shown.out
    for words in (
        ["stats"],
        ["puzzles"],
        ["games", "--saved"],
        ["settings"],
        ["trust"],
        ["status"],
        ["quiz", "--json"],
    ):
        assert run(router, "gameplay", words) == 0, words
    assert run(router, "gameplay", ["selfplay", "tictactoe", "--games", "2", "--jobs", "1"]) == 6
    assert "--store FILE" in capsys.readouterr().err
    assert run(router, "gameplay", ["trust", "uci:stockfish"]) == 6


def test_reason_for_not_saving_is_printed_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from gameplay.cli.common import unsaved

    monkeypatch.setattr(unsaved, "_reported", set())

    def fails() -> None:
        raise OSError(30, "Read-only file system", "/home/ann")

    for _ in range(3):
        unsaved.try_save(fails)
    assert capsys.readouterr().err == "gameplay: nothing is saved: Read-only file system (/home/ann)\n"
