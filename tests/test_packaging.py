"""The wheels and the source distribution are complete, work in an empty environment, are reproducible."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from gameplay.kernel import compiled
from release import dist, sbom, trial
from tests.support.paths import ROOT

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def built_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    dist.build(folder, ["pure"])
    return folder


def test_package_contains_all_files(built_folder: Path) -> None:
    ours = {
        str(p.relative_to(ROOT))
        for p in ROOT.joinpath("gameplay").rglob("*.*")
        if p.suffix
        in (
            ".py",
            ".pyi",
            ".pxd",
            ".css",
            ".js",
            ".toml",
            ".tsv",
            ".bin",
            ".book",
            ".table",
            ".words",
            ".pseudo",
        )
    }
    assert len(ours) > 100
    wheel = set(zipfile.ZipFile(next(built_folder.glob("*.whl"))).namelist())
    assert ours <= wheel
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel)
    with tarfile.open(next(built_folder.glob("*.tar.gz"))) as archive:
        source = {name.partition("/")[2] for name in archive.getnames()}
    assert ours | {"setup.py", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"} <= source
    assert {"docs/index.md", "configs/openings/chess.txt"} <= source
    assert not [name for name in wheel | source if name.endswith((".so", ".pyd", ".c", ".pyc"))]
    assert not [name for name in source if name.startswith("tests/")]


def test_the_pure_wheel_works_in_an_empty_environment(built_folder: Path, tmp_path: Path) -> None:
    report = trial.examine(next(built_folder.glob("*-py3-none-any.whl")), tmp_path)
    assert report["modules"] > 40 and not report["compiled"]


@pytest.mark.skipif(not compiled(), reason="compiled modules are not there")
def test_the_compiled_wheel_works_in_an_empty_environment(tmp_path: Path) -> None:
    # The modules that the set-up compiled lie where setuptools looks for what is up to date.
    for module in ROOT.joinpath("gameplay").rglob("*.*"):
        if module.suffix in (".so", ".pyd"):
            copy = tmp_path / "lib" / module.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(module, copy)
    command = [
        sys.executable,
        "-W",
        "ignore",
        "setup.py",
        "-q",
        "build",
        "--build-lib",
        str(tmp_path / "lib"),
    ]
    command += ["bdist_wheel", "--dist-dir", str(tmp_path), "--bdist-dir", str(tmp_path / "unpacked")]
    env = {k: v for k, v in os.environ.items() if k != "GAMEPLAY_PURE"}
    subprocess.run(
        command, check=True, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    (wheel,) = tmp_path.glob("*.whl")
    assert not wheel.stem.endswith("-any")
    assert trial.examine(wheel, tmp_path)["compiled"]


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({"-c": {"compiled": False}}, "compiled: False"),
        ({"-c": {"folder": "/elsewhere"}}, "imported from /elsewhere"),
        ({"--version": "gameplay 0.0.9"}, "version, expected 0.1.0"),
        ({"perft": "3 8,903 8,902"}, "perft"),
        ({"play": "result: o wins"}, "perfect play lost"),
        ({"analyse": '{"engines": [{"value": 2}, {"value": 1}]}'}, "two threads find another value"),
        ({"signature": "signature 744366"}, "signature, expected 744365"),
    ],
)
def test_a_trial_fails_on_any_different_result(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, expected: dict[str, Any], message: str
) -> None:
    results = {"compiled": True, "folder": str(tmp_path.resolve())} | expected.get("-c", {})
    answers = {"--version": "gameplay 0.1.0", "perft": "3 8,902 8,902", "play": "result: x wins"}
    answers |= {"signature": "signature 744365", "analyse": '{"engines": [{"value": 2}, {"value": 2}]}'}
    answers |= expected | {"-c": json.dumps(results)}

    def run(program: str, *arguments: str) -> str:
        if arguments[0] == "--help":
            return f"Usage: {program}"
        return str(answers[program if program == "play" else arguments[0]])

    monkeypatch.setattr(trial, "installed", lambda *_: run)
    with pytest.raises(SystemExit, match=message):
        trial.examine(Path("gameplay-0.1.0-cp311-cp311-linux_x86_64.whl"), tmp_path)


def test_archives_are_independent_of_the_build_machine(built_folder: Path) -> None:
    """Times of the commit, sorted names, no owner, fixed modes: two builds are the same bytes."""
    epoch = dist.commit_time()
    with tarfile.open(next(built_folder.glob("*.tar.gz"))) as archive:
        members = archive.getmembers()
    assert {member.mtime for member in members} == {epoch}
    assert {(member.uid, member.gid, member.uname, member.gname) for member in members} == {(0, 0, "", "")}
    assert {member.mode for member in members} == {0o644, 0o755}
    assert [member.name for member in members] == sorted(member.name for member in members)
    gzipped = next(built_folder.glob("*.tar.gz")).read_bytes()
    # Flags of 0: no file name in the header.
    assert int.from_bytes(gzipped[4:8], "little") == epoch and not gzipped[3]
    entries = zipfile.ZipFile(next(built_folder.glob("*.whl"))).infolist()
    even = time.gmtime(epoch - epoch % 2)  # zip counts two seconds
    assert {entry.date_time for entry in entries} == {tuple(even[:6])}
    assert {entry.external_attr >> 16 & 0o777 for entry in entries} <= {0o644, 0o664}


def test_the_components_are_those_that_pyproject_names(built_folder: Path) -> None:
    listed = json.loads(next(built_folder.glob("*.cdx.json")).read_text("utf-8"))
    assert (listed["bomFormat"], listed["specVersion"]) == ("CycloneDX", "1.6")
    by_name = {component["name"]: component for component in listed["components"]}
    project = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]
    direct = {sbom.Requirement(line).name for line in project["dependencies"]}
    for name in direct | {"wcwidth"}:  # wcwidth: what prompt-toolkit needs
        assert by_name[name]["scope"] == "required"
        assert by_name[name]["version"] == version(name)
        assert by_name[name]["licenses"][0] != {"license": {"name": "not stated"}}
    assert by_name["chess"]["scope"] == "optional" and by_name["setuptools"]["scope"] == "excluded"
    assert not {"pytest", "mypy", "ruff"} & set(by_name)
    links = {link["ref"]: link["dependsOn"] for link in listed["dependencies"]}
    ours = links[listed["metadata"]["component"]["bom-ref"]]
    assert {by_name[name]["bom-ref"] for name in direct} <= set(ours)
    known = {component["bom-ref"] for component in listed["components"]}
    assert all(set(needed) <= known for needed in links.values())
