"""Endgame table files, byte by byte: round trips at every bound, and refusals."""

import json
import os
import struct
import zlib
from array import array
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gameplay.errors import BadInput
from gameplay.knowledge.tables import table_file as tablefile
from gameplay.knowledge.tables.table_file import DRAWN, LOST, WON, Subject, TableFile, write

pytestmark = pytest.mark.once

MAGIC = bytes.fromhex("89 47 54 41 42 0d 0a 1a")
SMALL = Subject("nim", (("KvK", 3, 5), ("KKvK", 4, 2)), 2, facts={"plies": 9})
# Places 0 to 6 are drawn, won in 1, lost in 2, won in 255, drawn, lost in 4, drawn.
RESULTS = bytes([0 | WON << 2 | LOST << 4 | WON << 6, DRAWN | LOST << 2])
DISTANCES = bytes([0, 1, 2, 255, 0, 4, 0])


def digest(data: bytes, size: int = 16) -> bytes:
    return blake2b(data, digest_size=size).digest()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "far" / "small.table"
    write(path, SMALL, {"results": [RESULTS], "distances": [DISTANCES]})
    return path


def test_table_file_has_the_documented_bytes(small: Path) -> None:
    data = small.read_bytes()
    magic, version, length, checked = struct.unpack("<8sHI32s", data[:46])
    head, blocks = data[46 : 46 + length], [zlib.compress(kind, 9) for kind in (DISTANCES, RESULTS)]
    assert (magic, version, checked) == (MAGIC, 2, digest(head, 32))
    assert data[46 + length :] == b"".join(blocks)
    planes = dict(
        zip(("distances", "results"), ([[len(block), digest(block).hex()]] for block in blocks), strict=True)
    )
    assert json.loads(head) == {
        "game": "nim", "slices": [["KvK", 3, 5], ["KKvK", 4, 2]], "pieces": 2, "wide": False,
        "facts": {"plies": 9}, "planes": planes,
    }  # fmt: skip
    assert write(small, SMALL, {"results": [RESULTS], "distances": [DISTANCES]}) == len(data)


def test_table_file_round_trips(small: Path) -> None:
    with closing(TableFile(small)) as file:
        assert file.subject == SMALL and file.subject.entries == 7 and file.path == small
        assert [file.result_at(place) for place in range(7)] == [
            (DRAWN, 0), (WON, 1), (LOST, 2), (WON, 255), (DRAWN, 0), (LOST, 4), (DRAWN, 0),
        ]  # fmt: skip
        assert file.block("results", 0) == RESULTS and file.block("distances", 0) == DISTANCES
    assert file._file.closed


def change_head(path: Path, data: bytes, head: dict[str, Any] | None = None, **changes: Any) -> bytes:
    """A file with another header and a valid checksum."""
    length = int.from_bytes(data[10:14], "little")
    held = json.loads(data[46 : 46 + length]) if head is None else head
    text = json.dumps(held | changes).encode()
    return struct.pack("<8sHI32s", MAGIC, 2, len(text), digest(text, 32)) + text + data[46 + length :]


def test_invalid_table_files_are_refused(small: Path) -> None:
    data = small.read_bytes()
    length = int.from_bytes(data[10:14], "little")
    none = " is not a file of endgame tables of this program"
    cut, senseless = " is cut off; build it again", " has an invalid head; build it again"
    older = " has an older version of the format (1; this program reads 2); build it again"
    later = " has a later version of the format (3; this program reads 2); build it again"
    wrong = " is damaged: its head fails its checksum; build it again"
    distances, results = json.loads(data[46 : 46 + length])["planes"].values()
    makes_none: list[dict[str, Any]] = [
        {"pieces": -1}, {"pieces": 1.0}, {"pieces": 1 << 64}, {"facts": 3}, {"slices": [["a", 1]]},
        {"slices": [["a", 0, True]]}, {"slices": [["a", 0, 65537]]}, {"planes": {}},
        {"planes": {"results": results}}, {"planes": {"distances": distances}},
        {"planes": {"others": results}},
        {"planes": {"results": results, "distances": 2 * distances}},
        {"planes": {"results": results, "distances": [[length, "xy"]]}},
        {"planes": {"results": results, "distances": [[-length, "00"]]}},
        {"planes": {"results": results, "distances": distances, "keys": results}},
    ]  # fmt: skip
    for text, words in (
        (b"", none), (MAGIC[:7], none), (b"PK" + data[2:], none), (MAGIC[:7] + b"\0" + data[8:], none),
        (MAGIC, cut), (data[:45], cut), (data[:46], cut), (data[: 45 + length], cut),
        (data[:8] + b"\1\0" + data[10:], older), (data[:8] + b"\3\0" + data[10:], later),
        (data[:10] + struct.pack("<I", (1 << 28) + 1) + data[14:], cut),
        (data[:14] + bytes(32) + data[46:], wrong), (data[:50] + b"!" + data[51:], wrong),
        (data + b"x", f" is cut off or too long: {len(data) + 1} bytes, not {len(data)}; build it again"),
        (data[:-1], f" is cut off or too long: {len(data) - 1} bytes, not {len(data)}; build it again"),
        (change_head(small, data, {}), senseless),
        *((change_head(small, data, **group), senseless) for group in makes_none),
    ):  # fmt: skip
        small.write_bytes(text)
        with pytest.raises(BadInput) as refused:
            TableFile(small)
        assert str(refused.value) == f"{small}{words}", text[:60]
    small.unlink()
    with pytest.raises(BadInput) as refused:
        TableFile(small)
    assert str(refused.value) == f"there is no file {small}"


def test_damaged_block_is_reported(small: Path) -> None:
    data = small.read_bytes()
    for planes, words in (
        ({"results": [RESULTS + b"\0"], "distances": [DISTANCES]}, "results has the wrong size"),
        ({"results": [RESULTS[:1]], "distances": [DISTANCES]}, "results has the wrong size"),
        ({"results": [RESULTS], "distances": [DISTANCES * 2]}, "distances has the wrong size"),
    ):
        write(small, SMALL, planes)
        with closing(TableFile(small)) as file, pytest.raises(BadInput) as refused:
            file.result_at(1)
        assert str(refused.value) == f"{small} is damaged: block 0 of its {words}; build it again"
    small.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with closing(TableFile(small)) as file, pytest.raises(BadInput) as refused:
        file.result_at(1)
    wrong = "is damaged: block 0 of its results fails its checksum"
    assert str(refused.value) == f"{small} {wrong}; build it again"
    length = int.from_bytes(data[10:14], "little")
    planes = json.loads(data[46 : 46 + length])["planes"]
    for torn, words in (
        (b"no such thing", "cannot be decompressed"),
        (zlib.compress(RESULTS)[:-1], "has the wrong size"),
    ):
        planes["results"] = [[len(torn), digest(torn).hex()]]
        text = change_head(small, data, planes=planes)
        small.write_bytes(text[: -len(zlib.compress(RESULTS, 9))] + torn)
        with closing(TableFile(small)) as file, pytest.raises(BadInput) as refused:
            file.result_at(1)
        assert str(refused.value) == f"{small} is damaged: block 0 of its results {words}; build it again"


def test_a_file_that_cannot_be_read_any_more(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = TableFile(small)
    monkeypatch.delattr(os, "pread")
    assert file.block("results", 0) == RESULTS and file.block("distances", 0) == DISTANCES
    for error, words in ((OSError(5, "not now"), "not now"), (OSError("torn"), "torn")):

        def fails(at: int, length: int, error: OSError = error) -> bytes:
            raise error

        monkeypatch.setattr(file, "_read_at", fails)
        with pytest.raises(BadInput) as refused:
            file.block("results", 0)
        assert str(refused.value) == f"{small}: {words}"
    file.close()


def parts(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def test_places_of_several_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """65,536 places a block; two bytes a distance if `wide`."""
    count, rng = 2 * 65536 + 3, Random(1)
    results = [rng.randrange(3) for _ in range(count)]
    plies = [rng.randrange(1, 65536) if result else 0 for result in results]
    packed = bytes(
        sum(result << 2 * i for i, result in enumerate(results[at : at + 4])) for at in range(0, count, 4)
    )
    path = tmp_path / "wide.table"
    subject = Subject("nim", (("all", 0, count),), wide=True)
    distances = parts(array("H", plies).tobytes(), 2 * 65536)
    write(path, subject, {"results": parts(packed, 65536 // 4), "distances": distances})
    places = [0, 1, 65534, 65535, 65536, 65537, 131071, 131072, 131074, *rng.sample(range(count), 200)]
    with closing(TableFile(path)) as file:
        assert len(file.planes["results"]) == len(file.planes["distances"]) == 3
        for place in places:
            assert file.result_at(place) == (results[place], plies[place])
        assert file._count == 6
        for kept, left in ((6, 6), (5, 1), (2, 2)):  # how many stay where one more is asked for
            monkeypatch.setattr(tablefile, "MAX_UNPACKED", kept)
            file._clear_cache()
            assert file._count == 0 and not any(map(any, file._cache.values()))
            for number in range(3):
                for plane in ("results", "distances"):
                    file._load_block(plane, number)
            assert (
                file._count
                == left
                == sum(value is not None for held in file._cache.values() for value in held)
            )


def test_keys_are_found_in_any_block(tmp_path: Path) -> None:
    """8,192 keys a block: differences of sorted keys, all lowest bytes of them first."""
    rng = Random(2)
    keys = sorted({rng.getrandbits(64) for _ in range(2 * 8192 + 5)} | {1 << 64 - 1, 7})
    path = tmp_path / "keys.table"
    blocks = list(parts(array("Q", keys).tobytes(), 65536))
    firsts = [keys[at] for at in range(0, len(keys), 8192)]
    subject = Subject("nim", (("all", 0, len(keys)),), facts={"firsts": firsts})
    write(path, subject, {"keys": blocks})
    with closing(TableFile(path)) as file:
        for place in (0, 1, 8191, 8192, 16383, 16384, len(keys) - 1, *rng.sample(range(len(keys)), 100)):
            assert file.find(keys[place]) == place
            assert file.find(keys[place] + 1) is None and file.find(keys[place] - 1) is None
        assert file.find(0) is None and file.find((1 << 64) - 1) is None
        assert file.block("keys", 0) == tablefile._split_keys(blocks[0])
    some = array("Q", [3, 3, 0x0201, 0x0102030405060708]).tobytes()
    apart = tablefile._split_keys(some)
    steps = [3, 0, 0x0201 - 3, 0x0102030405060708 - 0x0201]
    assert apart == bytes(step >> 8 * byte & 255 for byte in range(8) for step in steps)
    assert tablefile._join_keys(apart).tobytes() == some
    broken = b"".join(bytes([255]) * 2 for _ in range(8))  # twice the largest difference
    packed = zlib.compress(broken)
    about = {"game": "nim", "slices": [["all", 0, 2]], "pieces": 0, "wide": False, "facts": {"firsts": [7]}}
    head = json.dumps(about | {"planes": {"keys": [[len(packed), digest(packed).hex()]]}}).encode()
    path.write_bytes(struct.pack("<8sHI32s", MAGIC, 2, len(head), digest(head, 32)) + head + packed)
    with closing(TableFile(path)) as file, pytest.raises(BadInput) as refused:
        file.find(9)
    assert str(refused.value) == f"{path} is damaged: its keys overflow in block 0; build it again"


def test_numbers_of_places(tmp_path: Path) -> None:
    """8,192 numbers of eight bytes in a block; with `shares` 32 a place, 256 places in a block."""
    rng = Random(3)
    means = array("d", [rng.random() for _ in range(8192 + 2)])
    shares = array("d", [rng.random() for _ in range(32 * 8194)])
    path = tmp_path / "doubles.table"
    planes = {"means": parts(means.tobytes(), 65536), "shares": parts(shares.tobytes(), 65536)}
    write(path, Subject("nim", (("all", 0, 8194),)), planes)
    assert [tablefile.block_size(plane) for plane in ("results", "distances", "means", "shares", "keys")] == [
        *(65536, 65536, 8192, 256, 8192)
    ]
    with closing(TableFile(path)) as file:
        for place in (0, 1, 255, 256, 8191, 8192, 8193):
            assert file.numbers("means", place) == [means[place]]
            assert file.numbers("shares", place) == list(shares[32 * place : 32 * place + 32])
