"""The sampler of mutations: its changes, the tests it runs, and its results."""

from pathlib import Path

import pytest

from tests import mutate

pytestmark = pytest.mark.once

SOURCE = '''\
"""Words."""

def half(x: int = 1, *, up: bool = False) -> int:
    """Half of x."""
    if x < 0 and not up:
        raise ValueError(f"{x + 1}")
    while x % 2 != 0:
        x += 1  # é
    if x > y:
        y = x
    return -x // 2
'''


def changed_lines(source: str) -> list[str]:
    """The new text of each mutation's line, which is the only one that differs."""
    lines = []
    for mutation in mutate.mutations(source):
        pairs = zip(source.splitlines(), mutation.text.splitlines(), strict=True)
        [(line, new)] = [(i, new) for i, (old, new) in enumerate(pairs, 1) if new != old]
        assert line == mutation.line
        lines.append(new.strip())
    return lines


def test_every_mutation_of_a_source() -> None:
    assert changed_lines(SOURCE) == [
        "def half(x: int = 2, *, up: bool = False) -> int:",
        "def half(x: int = 1, *, up: bool = True) -> int:",
        "if not (x < 0 and not up):",
        "if x <= 0 and not up:",
        "if x < 1 and not up:",
        "if x < 0 or not up:",
        "if x < 0 and  up:",
        "pass",
        "while x * 2 != 0:",
        "while x % 3 != 0:",
        "while x % 2 == 0:",
        "while x % 2 != 1:",
        "pass  # é",
        "x -= 1  # é",
        "x += 2  # é",
        "if not (x > y):",
        "if x >= y:",
        "return None",
        "return x // 2",
        "return -x * 2",
        "return -x // 3",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "from cython import x\n",
        "@dataclass(frozen=True)\nclass A:\n    x: Literal[3]\n",
        "if cython.compiled:\n    x = 1\n",
        "def __dealloc__(self):\n    free(1)\n",
        "def f() -> Literal[3]:\n    return None\n",
    ],
)
def test_equivalent_mutations_are_not_made(source: str) -> None:
    assert mutate.mutations(source) == []


def test_the_tests_that_matter_for_a_file() -> None:
    root = mutate.ROOT
    assert mutate.near(root, root / "gameplay/statistics/joint.py")[0] == "tests/statistics/test_joint.py"
    chess = mutate.near(root, root / "gameplay/games/chess/game.py")
    assert chess[0] == "tests/games/chess/test_game.py" and "tests/conformance/test_games.py" in chess
    assert "tests/tracing/test_paths.py" in mutate.near(root, root / "gameplay/tracing/paths.py")


def test_every_module_with_code_has_tests_that_matter() -> None:
    root = mutate.ROOT
    files = [file for file in (root / "gameplay").rglob("*.py") if not file.stem.startswith("__")]
    assert len(files) > 90
    assert [file for file in files if not mutate.near(root, file)] == []


def project(folder: Path) -> Path:
    """A package of two modules, one of them hot, whose tests each miss one behaviour."""
    for name, text in {
        "gameplay/__init__.py": "",
        "gameplay/weak.py": "def least(x):\n    return x > 3\n",
        "gameplay/hot.py": "def nodes(x):\n    while x < 3:\n        x += 1\n    return x\n",
        "gameplay/hot.pxd": "",
        "tests/test_weak.py": "from gameplay import weak\n\ndef test():\n    assert weak.least(5) is True\n",
        "tests/test_hot.py": "from gameplay import hot\n\ndef test():\n    assert hot.nodes(3) == 3\n",
        "tests/conformance/test_signature.py": (
            "import os\nfrom gameplay import hot\n\n"
            "def test_signature():\n    assert os.environ['GAMEPLAY_PURE'] and hot.nodes(0) == 3\n"
        ),
    }.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def test_mutants_are_killed_or_reported_as_survivors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(tmp_path / "house")
    before = (root / "gameplay/weak.py").read_text()
    assert mutate.main(["--count", "99", "gameplay/weak.py"], root) == 0
    out = capsys.readouterr().out
    assert "survived        gameplay/weak.py:2" in out and "+    return x >= 3" in out
    assert "caught          gameplay/weak.py:2  tests/test_weak.py::test" in out
    assert out.splitlines()[-1] == "3 mutants: 1 caught, 0 signature only, 2 survived; 33% caught"
    assert (root / "gameplay/weak.py").read_text() == before


def test_mutants_caught_by_the_signature_only_are_counted_separately(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(tmp_path / "house")
    mutant = mutate.Mutation(2, (root / "gameplay/hot.py").read_text().replace("x < 3", "x < 2"))
    mutate.sample_mutations, kept = lambda *_: [(root / "gameplay/hot.py", mutant)], mutate.sample_mutations
    try:
        mutate.main([], root)
    finally:
        mutate.sample_mutations = kept
    out = capsys.readouterr().out
    assert "signature only  gameplay/hot.py:2  tests/conformance/test_signature.py::test_signature" in out
    assert "0 caught, 1 signature only, 0 survived" in out


def test_an_endless_loop_is_caught(tmp_path: Path) -> None:
    root = project(tmp_path / "house")
    (tmp_path / "made").mkdir()
    copy = mutate.Copy(root, tmp_path / "made")
    file = copy.folder / "gameplay/hot.py"
    copy.write(file, file.read_text().replace("x += 1", "pass"))
    assert copy.tests(["-k", "signature"], True, 1) == "no end in 1 s"


def test_tests_that_fail_by_themselves_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(tmp_path / "house")
    (root / "tests/test_weak.py").write_text("from gameplay import weak\n\ndef test():\n    assert False\n")
    assert mutate.main(["gameplay/weak.py"], root) == 1
    assert "tests/test_weak.py::test fails without any mutation" in capsys.readouterr().out


def test_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"there is no gameplay/absent\.py"):
        mutate.main(["gameplay/absent.py"], project(tmp_path / "house"))


def test_the_same_seed_draws_the_same() -> None:
    draws = [mutate.sample_mutations(mutate.ROOT, ["gameplay/value.py"], seed, 5) for seed in (3, 3, 4)]
    assert draws[0] == draws[1] != draws[2]
