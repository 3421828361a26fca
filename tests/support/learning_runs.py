"""Events that every run in generations must survive: interruption, damage and forged files.

Each function takes the class of the run and the folder of a complete small run, and writes to new folders.
"""

import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from gameplay import file_io, registry
from gameplay.errors import BadInput
from gameplay.evaluation import select_evaluation

Kind = type[Any]  # a class of GenerationRun


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a run that are part of its result, by name."""
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if path.name not in ("seconds", "lock", "stop")
    }


def copy_run(folder: Path, target: Path) -> Path:
    """A copy of a run, in a new folder."""
    target.mkdir(parents=True)
    for name, content in contents(folder).items():
        (target / name).write_bytes(content)
    return target


# -- interruption ----------------------------------------------------------------------------------------


def interrupt_run(kind: Kind, whole: Path, folder: Path, generations: int) -> Path:
    """A new run with the settings of a complete one, stopped after some generations."""
    points = kind.begin(folder, kind.load(whole).settings).learn()
    for _ in range(generations):
        next(points)
    points.close()
    return folder


def check_resumed(kind: Kind, whole: Path, folder: Path, generations: int) -> None:
    """Some generations are stored; the run continues, and ends with the bytes of a complete one."""
    run = kind.load(folder)
    assert run.generation == generations
    assert run.curve == kind.load(whole).curve[:generations]
    assert len(list(run.learn())) == kind.generations - generations
    assert run.done and contents(folder) == contents(whole)
    assert list(kind.load(folder).learn()) == []


def check_stopped(kind: Kind, whole: Path, folder: Path, generations: int, doing: str) -> None:
    """Ask a run to stop while it does something; it stores no generation, and continues later."""
    run = kind.load(interrupt_run(kind, whole, folder, generations))
    run.observe = lambda _, text: run.request_stop() if text == doing else None
    assert list(run.learn()) == [] and run.generation == generations
    assert not (folder / "stop").exists()
    check_resumed(kind, whole, folder, generations)


def check_interrupted(
    kind: Kind, whole: Path, folder: Path, generations: int, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stop after some generations, when `played` games are played; then kill it before it stores the next."""
    run = kind.load(interrupt_run(kind, whole, folder, generations))
    assert run.generation == len(run.curve) == generations and run.played == played

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(kind, "_store", killed)
        with pytest.raises(KeyboardInterrupt):  # a generation was played and not stored
            next(run.learn())
    (folder / f"tables-{generations + 1}.bin").write_bytes(b"half a file of a process that was killed")
    check_resumed(kind, whole, folder, generations)


def check_killed(
    kind: Kind, whole: Path, folder: Path, generations: int, files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kill an interrupted run, with some generations, after it has written `files` files of the next."""
    write, written = file_io.write, 0

    def until_killed(path: Path, parts: Iterable[bytes]) -> None:
        nonlocal written
        if written == files:
            raise KeyboardInterrupt
        write(path, parts)
        written += 1

    with monkeypatch.context() as patched:
        patched.setattr(file_io, "write", until_killed)
        with pytest.raises(KeyboardInterrupt):
            next(kind.load(folder).learn())
    check_resumed(kind, whole, folder, generations)


# -- damage ----------------------------------------------------------------------------------------------


def damage_file(whole: Path, target: Path, name: str) -> Path:
    """A copy of a run with one bit of a file flipped."""
    path = copy_run(whole, target) / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    return target


def check_damage(kind: Kind, whole: Path, target: Path, name: str) -> None:
    """A damaged file is rejected by its name, and nothing changes."""
    folder = damage_file(whole, target, name)
    before = contents(folder)
    with pytest.raises(BadInput, match=f"{name} is damaged|checksum"):
        list(kind.load(folder).learn())
    assert contents(folder) == before


def check_crafted(kind: Kind, whole: Path, target: Path, name: str, change: dict[str, Any]) -> None:
    """A manual change with a right checksum is rejected: nothing of it is used, least of all a move."""
    folder = copy_run(whole, target)
    file_io.write_checked(folder / name, file_io.read_checked(folder / name) | change)
    with pytest.raises(BadInput):
        kind.load(folder)


def check_crafted_point(kind: Kind, whole: Path, target: Path, change: dict[str, Any]) -> None:
    """An impossible point in a curve with a right checksum is rejected."""
    curve = file_io.read_checked(whole / "state.json")["curve"]
    curve[1] |= change
    check_crafted(kind, whole, target, "state.json", {"curve": curve})


# -- files of weights ------------------------------------------------------------------------------------


def check_broken_weights(whole: Path, target: Path, game: str, change: str, words: str) -> None:
    """A file of weights with a change, `OLD -> NEW`, is rejected in one line with these words."""
    old, _, new = change.partition(" -> ")
    path = copy_run(whole, target) / "weights.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(BadInput) as error:
        select_evaluation(str(path), registry.game(game).new())
    assert words in str(error.value) and "\n" not in str(error.value)


def check_broken_numbers(whole: Path, target: Path, game: str, name: str) -> None:
    """Packed weights that are cut, inflated or changed are rejected."""
    content = zlib.decompress((whole / name).read_bytes())
    for number, (packed, words) in enumerate(
        [
            (zlib.compress(content[:-2]), "weights: expected"),
            (zlib.compress(content + b"\0\0"), "weights: expected"),
            (zlib.compress(content + bytes(10**7)), "weights: expected"),
            (b"not packed", "is not packed by zlib"),
            (zlib.compress(bytes(len(content))), "the checksum is not that of the weights"),
        ]
    ):
        folder = copy_run(whole, target / str(number))
        (folder / name).write_bytes(packed)
        with pytest.raises(BadInput, match=words):
            select_evaluation(str(folder / "weights.toml"), registry.game(game).new())


def check_other_boards(weights: Path, game: str, others: Iterable[str]) -> None:
    """A library user may set an evaluation on any position; weights of another board are rejected there."""
    evaluation = select_evaluation(str(weights), registry.game(game).new())
    for spec in others:
        with pytest.raises(BadInput, match="is for another board or version of the game"):
            registry.game(spec).new().evaluation = evaluation
