"""Builds of endgame tables: interruption, parallel workers, and damaged or forged files."""

import json
import os
import random
import signal
import struct
import time
from array import array
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from gameplay import cli, registry
from gameplay.errors import BadInput, Usage
from gameplay.knowledge.tables import building, tables
from gameplay.knowledge.tables import table_file as tablefile
from gameplay.knowledge.tables.table_file import LOST, WON, Subject, TableFile
from gameplay.runs import tables as work
from tests.support.endgame_tables import CHECKERS, build_reachable_tables, build_tables, small_tables

assert small_tables  # fixture


# -- files ----------------------------------------


@pytest.mark.once
def test_a_build_that_was_killed_ends_with_the_same_bytes(tmp_path: Path) -> None:
    began = time.monotonic()
    build_tables(CHECKERS, tmp_path / "whole", 3)
    took = time.monotonic() - began
    rng = random.Random(20)
    killed = 0
    for _ in range(20):
        child = os.fork()
        if not child:
            build_tables(CHECKERS, tmp_path / "killed", 3)
            os._exit(0)
        time.sleep(rng.random() * took / 4)
        os.kill(child, signal.SIGKILL)
        killed += os.waitpid(child, 0)[1] != 0
    assert killed
    build_tables(CHECKERS, tmp_path / "killed", 3)
    whole = {path.name: path.read_bytes() for path in (tmp_path / "whole").glob("*.table")}
    assert whole == {path.name: path.read_bytes() for path in (tmp_path / "killed").glob("*.table")}


@pytest.mark.once
def test_several_processes_write_the_same_bytes(tmp_path: Path) -> None:
    build_tables(CHECKERS, tmp_path / "one", 2)
    build_tables(CHECKERS, tmp_path / "two", 2, processes=2)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def everything(path: Path) -> bytes:
    """The whole content of a file."""
    file = TableFile(path)
    try:
        return b"".join(
            file.block(plane, n) for plane in sorted(file.planes) for n in range(len(file.planes[plane]))
        )
    finally:
        file.close()


@pytest.mark.once
def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path) -> None:
    build_tables(CHECKERS, tmp_path, 2)
    path = tmp_path / "KvM.table"
    good = path.read_bytes()
    rng = random.Random(6)
    for _ in range(200):
        bad = bytearray(good)
        kind = rng.randrange(4)
        if kind == 0:
            bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del bad[rng.randrange(len(bad)) :]
        elif kind == 2:
            bad += bytes(rng.randrange(1, 9))
        else:
            at = rng.randrange(len(bad))
            bad[at : at + 4] = rng.randbytes(4)
        if bad == good:
            continue
        path.write_bytes(bad)
        with pytest.raises(BadInput) as error:
            everything(path)
        assert "\n" not in str(error.value) and str(path) in str(error.value)


def forge(good: bytes, change: Any) -> bytes:
    """A file with a changed header and a corrected checksum."""
    begin = struct.Struct("<8sHI32s")
    magic, version, length, _ = begin.unpack(good[: begin.size])
    head = json.loads(good[begin.size : begin.size + length])
    head = change(head) or head
    raw = json.dumps(head).encode()
    digest = blake2b(raw, digest_size=32).digest()
    return begin.pack(magic, version, len(raw), digest) + raw + good[begin.size + length :]


@pytest.mark.once
@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.update(slices=[["KvM", 1, 1 << 60]]),
        lambda head: head.update(slices=[["KvM", 1, -1]]),
        lambda head: head.update(planes={}),
        lambda head: head["planes"].update(results=[[1 << 62, "00"]]),
        lambda head: head["planes"].update(results=[[-5, "00" * 16]]),
        lambda head: head["planes"].update(results=None),
        lambda head: head["planes"].update(others=[]),
        lambda head: [1],
        lambda head: head.pop("game") and None,
        lambda head: head.update(facts=3),
    ],
)
def test_a_forged_head_is_refused(tmp_path: Path, change: Any) -> None:
    build_tables(CHECKERS, tmp_path, 2)
    path = tmp_path / "KvM.table"
    path.write_bytes(forge(path.read_bytes(), change))
    with pytest.raises(BadInput, match="build it again"):
        everything(path)


@pytest.mark.once
def test_a_file_with_other_numbers_than_the_game_is_refused(tmp_path: Path) -> None:
    tablefile.write(
        tmp_path / "KvM.table",
        tablefile.Subject("checkers", (("KvM", 0x110, 3),), 2),
        {"results": [b"\0"], "distances": [bytes(3)]},
    )
    with pytest.raises(BadInput, match="has 3 numbers of KvM, the game has"):
        tables.Tables(str(tmp_path), CHECKERS)
    kernel = CHECKERS.new()
    assert (
        not kernel.set_index(0x110, -1)
        and not kernel.set_index(0x110, 1 << 40)
        and kernel.plies_until_draw() == 80
    )


@pytest.mark.once
def test_a_block_that_would_unpack_to_more_is_refused(tmp_path: Path) -> None:
    build_tables(CHECKERS, tmp_path, 2)
    path = tmp_path / "KvM.table"
    file = TableFile(path)
    tablefile.write(path, file.subject, {"results": [bytes(1 << 24)], "distances": [b""]})
    file.close()
    with pytest.raises(BadInput, match="has the wrong size"):
        everything(path)


@pytest.mark.once
@pytest.mark.parametrize(("version", "age"), [(0, "an older"), (9, "a later")])
def test_another_version_is_reported(tmp_path: Path, version: int, age: str) -> None:
    build_tables(CHECKERS, tmp_path, 2)
    path = tmp_path / "KvM.table"
    bytes_now = bytearray(path.read_bytes())
    bytes_now[8] = version
    path.write_bytes(bytes_now)
    with pytest.raises(BadInput, match=f"has {age} version"):
        TableFile(path)
    build_tables(CHECKERS, tmp_path, 2)  # a build replaces it
    TableFile(path).close()


class Slices:
    """Slices by pieces: 1 alone; 2 and 3, which lead to each other; 4, which leads to them."""

    def slices(self, pieces: int) -> tuple[tuple[int, ...], ...]:
        return {1: ((1,),), 2: ((2, 3), (4,))}.get(pieces, ())

    def leads(self, slice: int) -> tuple[int, ...]:
        return {1: (), 2: (3, 1), 3: (2, 1, 3), 4: (2, 1)}[slice]

    def slice_name(self, slice: int) -> str:
        return f"S{slice}v"

    def span(self, slice: int) -> int:
        return 10**slice


# -- building, in full ----------------------------------------


@pytest.mark.once
def test_groups_are_built_after_their_successors() -> None:
    kernel = Slices()
    known = building.groups(kernel, 2)
    group, both, last = known
    assert group == building.Endgame("S1v", 1, (1,), ()) and both == building.Endgame("S2v", 2, (2, 3), (1,))
    assert last == building.Endgame("S4v", 2, (4,), (2, 1)) and building.groups(kernel, 1) == [group]
    for names, wanted in (
        (["s3V"], [group, both]),
        (["S4v"], known),
        (["S1v", "S3v"], [group, both]),
        ([], []),
    ):
        assert building.select_groups(kernel, known, names) == wanted
    with pytest.raises(Usage) as refused:
        building.select_groups(kernel, known, ["S1v", "S9v"])
    assert str(refused.value) == "unknown ending 'S9v'; did you mean 'S4v'? (choose from: S1v, S2v, S4v)"
    # Codes of two bytes, a byte a number of its own beside them; what is packed; what Python takes.
    assert building.memory_needed(kernel, both) == 2 * 10 + 3 * 1100 + 2 * 1100 + 65536 + (64 << 20)
    assert building.memory_needed(kernel, group) == 5 * 10 + 65536 + (64 << 20)


@pytest.mark.once
def test_interrupted_build_reports_that_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*how: Any) -> Any:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(work, "build_all", interrupt)
    words = ["table", "build", "checkers", "KvK", "--folder", str(tmp_path)]
    for more, says in (([], True), (["--json"], False)):
        assert cli.run(cli.router, "gameplay", words + more) == 130
        assert ("finished tables are kept; the same command continues" in capsys.readouterr().out) is says


@pytest.mark.once
def test_lines_are_folded_where_the_terminal_is_narrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build_tables(CHECKERS, tmp_path, 2)
    log = []
    for width in (0, 40):
        monkeypatch.setattr("gameplay.cli.common.width.columns", lambda width=width: width)
        assert cli.run(cli.router, "gameplay", ["table", "stats", "checkers", "--folder", str(tmp_path)]) == 0
        log.append(capsys.readouterr().out)
    wide, narrow = log
    assert max(map(len, wide.splitlines())) > 40 >= max(map(len, narrow.splitlines()))
    assert narrow.split() == wide.split()


@pytest.mark.once
def test_a_folder_is_a_shelf(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        building.TableFolder(tmp_path / "none", "own")
    assert str(refused.value) == f"there is no folder {tmp_path / 'none'} of endgame tables"

    def write_table(name: str, game: str, *slices: tuple[str, int, int]) -> None:
        places = sum(span for *_, span in slices)
        planes = {"results": [bytes((places + 3) // 4)], "distances": [bytes(places)]}
        tablefile.write(tmp_path / name, Subject(game, slices), planes)

    write_table("b.table", "own", ("S1v", 1, 10), ("S2v", 2, 100))
    write_table("a.table", "own", ("S3v", 3, 1000))
    write_table("c.table", "other", ("S1v", 1, 5))
    (tmp_path / ".d.table").write_text("")
    (tmp_path / "e.txt").write_text("")
    for kernel in (None, Slices()):
        shelf = building.TableFolder(tmp_path, "own", kernel)
        assert [file.path.name for file in shelf.files] == ["a.table", "b.table"]
        results = {slice: (file.path.name, start) for slice, (file, start) in shelf.by_slice.items()}
        assert results == {3: ("a.table", 0), 1: ("b.table", 0), 2: ("b.table", 10)}
    write_table("f.table", "own", ("S2v", 2, 99))
    assert len(building.TableFolder(tmp_path, "own").files) == 3
    with pytest.raises(BadInput) as refused:
        building.TableFolder(tmp_path, "own", Slices())
    path = tmp_path / "f.table"
    assert (
        str(refused.value) == f"{path} has 99 numbers of S2v, the game has {Slices().span(2)}; build it again"
    )


@pytest.mark.once
def test_group_requires_tables_of_its_successors(tmp_path: Path) -> None:
    kernel = CHECKERS.new()
    first, *_, last = building.groups(kernel, 2)
    path = building.table_path(tmp_path, first.name)
    assert path == tmp_path / f"{first.name}.table"
    with pytest.raises(BadInput) as refused:
        building.load_group(first, kernel, tmp_path, with_own=True)
    assert str(refused.value) == f"there is no {path}: build {first.name} first"
    (span,) = (int(kernel.span(slice_)) for slice_ in first.slices)
    planes = {"results": [bytes((span + 3) // 4)], "distances": [bytes(span)]}
    for slices in (
        ((last.name, last.slices[0], span),),
        ((first.name, first.slices[0], span - 1), ("x", 9999, 1)),
    ):
        tablefile.write(path, Subject("checkers", slices), planes)
        with pytest.raises(BadInput) as refused:
            building.load_group(first, kernel, tmp_path, with_own=True)
        assert str(refused.value) == f"{path} does not contain {first.name}; build it again"
    planes["results"] = [bytes([3]) + planes["results"][0][1:]]  # no result at all
    tablefile.write(path, Subject("checkers", ((first.name, first.slices[0], span),)), planes)
    with pytest.raises(BadInput) as refused:
        building.load_group(first, kernel, tmp_path, with_own=True)
    assert str(refused.value) == f"{path} is damaged: its distances do not fit its results; build it again"


@pytest.mark.once
def test_results_are_compared_with_those_of_others(small_tables: Path) -> None:
    kernel = CHECKERS.new()
    folder = small_tables / "checkers"
    group = building.groups(kernel, 2)[0]
    file = TableFile(building.table_path(folder, group.name))
    (span,) = (int(kernel.span(slice_)) for slice_ in group.slices)
    requests: list[int] = []

    def right(position: Any) -> int:
        slice, number = position.slice_index()
        assert slice == group.slices[0]
        requests.append(number)
        return {0: 0, WON: 1, LOST: -1}[file.result_at(number)[0]]

    log: list[tuple[str, int, int]] = []
    count, wrong = building.compare(group, kernel, folder, right, 20, lambda *how: log.append(how))
    assert wrong == "" and 0 < count == len(requests) == len(set(requests)) <= 20
    assert log == [(f"comparing {group.name}", done, 20) for done in range(20)]
    count, wrong = building.compare(group, kernel, folder, lambda position: None, 20)
    assert (count, wrong) == (0, "")
    every, wrong = building.compare(group, kernel, folder, right, span + 7)
    assert wrong == "" and every == file.subject.facts["positions"] <= span
    first = requests[0]
    for other in (-1, 0, 1):
        count, wrong = building.compare(group, kernel, folder, lambda position, other=other: other, 20)
        same = right_of(file, first) == other
        assert (count == 1) != same and wrong and CHECKERS.new(wrong).text() == wrong
    file.close()


def right_of(file: TableFile, number: int) -> int:
    """A result as reported by another source."""
    return {0: 0, WON: 1, LOST: -1}[file.result_at(number)[0]]


@pytest.mark.once
def test_file_name_of_all_positions() -> None:
    begun = blake2b(b"x/y", digest_size=4).hexdigest()
    for game, text, name in (
        ("tictactoe", None, "tictactoe"), ("nim:heaps=1+2", None, "nim-heaps-1+2"),
        ("nim", "x/y", f"nim-{begun}"),
        ("/a b/c.py:D", None, "a-b-c.py-D"), ("x::y", "", f"x-y-{blake2b(b'', digest_size=4).hexdigest()}"),
    ):  # fmt: skip
        assert building.reachable_file_name(game, text) == name


@pytest.mark.once
def test_wrong_file_of_all_positions_is_refused(tmp_path: Path) -> None:
    spec = "nim:heaps=1+2"
    _, target = build_reachable_tables(spec, tmp_path)
    path = tmp_path / f"{target.name}.table"
    file = TableFile(path)
    game = registry.game(spec)
    tell: list[tuple[str, int, int]] = []
    assert (
        building.verify_reachable(game.new(), file, 1 << 30, lambda *how: tell.append(how)) == "" and not tell
    )
    more = registry.game("nim:heaps=1+3").new()
    assert building.verify_reachable(more, file, 1 << 30) == f"{target.positions} positions, not 12"
    other = registry.game("nim:heaps=1+1+1").new()
    missing = TableFile(tmp_path / f"{build_reachable_tables('nim:heaps=1+1+1', tmp_path)[1].name}.table")
    if missing.subject.entries == target.positions:
        assert building.verify_reachable(other, file, 1 << 30) == "a missing position"
    results = bytearray(file.block("results", 0))
    results[0] ^= 3
    planes = {"results": [bytes(results)], "distances": [file.block("distances", 0)]}
    keys = array("Q", bytes(file._load_block("keys", 0))).tobytes()
    tablefile.write(path, file.subject, {**planes, "keys": [keys]})
    wrong = building.verify_reachable(game.new(), TableFile(path), 1 << 30)
    assert wrong and game.new(wrong).text() == wrong
