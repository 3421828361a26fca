"""Endgame tables: right by the counts of others, by plain search, and whole whatever happens to a build."""

import json
import os
import random
import re
import signal
import struct
import time
import tomllib
from array import array
from contextlib import closing
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import Limit, Position, cli, registry
from gameplay.cli.common import tables as cli_tables
from gameplay.errors import BadInput, Usage
from gameplay.kernel import compiled
from gameplay.knowledge import bearoff
from gameplay.knowledge.syzygy import Syzygy
from gameplay.knowledge.tables import building as building
from gameplay.knowledge.tables import table_file as tablefile
from gameplay.knowledge.tables import tables
from gameplay.knowledge.tables.table_file import LOST, WON, Subject, TableFile
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.knowledge import in_search
from gameplay.runs import tables as work
from gameplay.search.session import Session
from gameplay.value import SURE, WIN, is_win, plies
from tests.support.golden import golden
from tests.support.paths import TESTS

ANSWERS = tomllib.loads((TESTS / "answers" / "tables.toml").read_text())
CHESS, CHECKERS = registry.game("chess"), registry.game("checkers")
once = pytest.mark.once


def built(game: Any, folder: Path, pieces: int = 0, *names: str, processes: int = 1) -> list[Any]:
    """Build what is missing of some endings."""
    kernel = game.new()
    known = building.groups(kernel, pieces or max(len(name) - 1 for name in names))
    wanted = building.needed(kernel, known, list(names)) if names else known
    name = tables.name_of(game)
    left = work.missing(wanted, name, folder)
    jobs = [work.TableJob(game.spec, name, str(folder), group) for group in left]
    return list(work.build_all(jobs, processes, 1 << 31))


def counts(game: Any, folder: Path) -> dict[str, dict[str, Any]]:
    """What every slice in a folder counts, by its name."""
    kernel = game.new()
    shelf = building.Shelf(folder, tables.name_of(game))
    most = max(file.subject.pieces for file in shelf.files)
    groups = [group for group in building.groups(kernel, most) if group.slices[0] in shelf.places]
    return {row["name"]: row for group in groups for row in building.counted(group, kernel, folder)}


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Chess and checkers of up to three pieces; in the plain build of fewer."""
    folder = tmp_path_factory.mktemp("tables")
    built(CHESS, folder / "chess", 3 if compiled() else 2)
    built(CHECKERS, folder / "checkers", 3 if compiled() else 2)
    return folder


# -- the counts of others ----------------------------------------


@pytest.mark.skipif(not compiled(), reason="takes minutes")
def test_chess_of_three_men_counts_as_others_did(three: Path) -> None:
    found = counts(CHESS, three / "chess")
    for name in ("KQvK", "KRvK", "KBvK", "KNvK", "KPvK"):
        first, second, *longest = ANSWERS["chess"][name]
        mirror = found["v".join(reversed(name.split("v")))]
        row = found[name]
        assert [row["won"], row["drawn"], row["lost"]] == first
        assert [mirror["won"], mirror["drawn"], mirror["lost"]] == second
        if longest:
            assert [row["plies"], row["longest"], row["numbers"]] == longest[0]


def test_checkers_counts_as_others_did(three: Path) -> None:
    found = counts(CHECKERS, three / "checkers")
    kernel = CHECKERS.new()
    for pieces in (2, 3) if compiled() else (2,):
        names = [kernel.called(one) for group in kernel.slices(pieces) for one in group]
        sums = [2 * sum(found[name][word] for name in names) for word in ("won", "drawn", "lost")]
        assert sums == ANSWERS["checkers"][str(pieces)][:3]
    for name in ("KvK", "KKvK") if compiled() else ("KvK",):
        assert [found[name][word] for word in ("won", "drawn", "lost")] == ANSWERS["checkers"][name]
    files = building.Shelf(three / "checkers", "checkers").files
    plies = max(file.subject.facts["plies"] for file in files)
    assert plies == ANSWERS["checkers"]["3" if compiled() else "2"][3]


def test_every_value_is_the_best_of_its_successors(three: Path) -> None:
    for game in (CHESS, CHECKERS):
        folder = three / game.name
        kernel = game.new()
        for group in building.groups(kernel, 3 if compiled() else 2):
            assert building.verify(group, kernel, folder) == ""


@pytest.mark.skipif(not compiled(), reason="needs more than one block")
def test_blocks_stay_unpacked_as_long_as_there_is_room(three: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decided place is a block of results and one of distances, and both are kept where two are."""
    monkeypatch.setattr(tablefile, "KEPT", 2)
    with closing(TableFile(building.file_of(three / "chess", "KQvK"))) as file:
        decided = next(place for place in range(file.subject.places) if file.known(place)[1])
        file._forget()
        file.known(decided)
        assert {plane for plane, blocks in file._kept.items() if any(blocks)} == {"results", "distances"}


def test_a_value_that_is_wrong_is_found(tmp_path: Path) -> None:
    built(CHECKERS, tmp_path, 2)
    kernel = CHECKERS.new()
    group = building.groups(kernel, 2)[0]
    path = building.file_of(tmp_path, group.name)
    file = TableFile(path)
    results = bytearray(file.block("results", 0))
    distances = bytearray(file.block("distances", 0))
    place = next(i for i in range(file.subject.places) if file.known(i)[0] == WON)
    distances[place] += 2
    tablefile.write(path, file.subject, {"results": [bytes(results)], "distances": [bytes(distances)]})
    file.close()
    assert building.verify(group, kernel, tmp_path).startswith("B:W")
    distances[place] += 1  # a win in an even number of plies
    tablefile.write(path, file.subject, {"results": [bytes(results)], "distances": [bytes(distances)]})
    with pytest.raises(BadInput, match="its distances do not fit its results"):
        building.verify(group, kernel, tmp_path)


@once
def test_results_are_held_against_those_of_syzygy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`answers/KRvK.rtbw` is Ronald de Man's, 208 bytes."""
    monkeypatch.setattr("gameplay.cli.common.tables.LOTS", 300)
    built(CHESS, tmp_path, 0, "KRvK")
    words = [
        "table",
        "verify",
        "chess",
        "KRvK",
        "--folder",
        str(tmp_path),
        "--syzygy",
        str(TESTS / "answers"),
    ]
    assert cli.run(cli.router, "gameplay", words) == 0
    told = capsys.readouterr().out
    assert re.fullmatch(r"KRvK +right in \d{3} positions\n", told), told
    file = TableFile(tmp_path / "KRvK.table")
    planes = {plane: [file.block(plane, n) for n in range(len(file.planes[plane]))] for plane in file.planes}
    planes["results"] = [bytes(len(block)) for block in planes["results"]]  # all drawn
    tablefile.write(file.path, file.subject, planes)
    assert cli.run(cli.router, "gameplay", words) == 3
    assert "WRONG at " in capsys.readouterr().out


def test_all_positions_are_held_against_others_or_some_by_lot(tmp_path: Path) -> None:
    built(CHECKERS, tmp_path, 2)
    kernel = CHECKERS.new()
    known, others = tables.Tables(str(tmp_path), CHECKERS), []
    group = next(group for group in building.groups(kernel, 2) if group.name == "KvK")

    def told(position: Any) -> int | None:
        others.append(position.placed()[1])
        return (0, 1, -1)[known.known(position)[0]]

    span = kernel.span(group.slices[0])
    positions = [number for number in range(span) if kernel.place(group.slices[0], number)]
    assert building.compared(group, kernel, tmp_path, told, None) == (len(positions), "")
    assert others == positions
    others.clear()
    count, wrong = building.compared(group, kernel, tmp_path, told, 100)
    assert 0 < count <= 100 and not wrong and set(others) <= set(positions) and others != sorted(others)
    assert building.compared(group, kernel, tmp_path, lambda position: None, None) == (0, "")
    count, wrong = building.compared(group, kernel, tmp_path, lambda one: -(told(one) or 0), None)
    assert 0 < count < len(positions) and wrong.startswith("B:W")


# -- numbers ----------------------------------------


def sample(game: Any, name: str, count: int, seed: int = 1) -> list[tuple[Any, int]]:
    """Random positions of a slice, as text, with their numbers."""
    kernel = game.new()
    slice = next(
        one
        for group in building.groups(kernel, len(name) - 1)
        for one in group.slices
        if kernel.called(one) == name
    )
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        number = rng.randrange(kernel.span(slice))
        if kernel.place(slice, number):
            found.append((kernel.text(), number))
    return found


def mirrored(fen: str, files: bool) -> str:
    """A FEN with its files mirrored, or with the colours exchanged."""
    rows, turn, *rest = fen.split()
    if files:
        return " ".join(["/".join(row[::-1] for row in rows.split("/")), turn, *rest])
    return " ".join(["/".join(rows.split("/")[::-1]).swapcase(), "wb"["bw".index(turn)], *rest])


@pytest.mark.parametrize("name", ["KBNvK", "KQvKR", "KNNvK", "KPvKR", "KvKPP"])
def test_mirrored_positions_of_chess_have_one_number(name: str) -> None:
    for fen, number in sample(CHESS, name, 30):
        for other in (fen, mirrored(fen, True), mirrored(fen, False), mirrored(mirrored(fen, True), False)):
            assert CHESS.new(other).placed()[1] == number, fen


def test_a_pawn_that_may_be_taken_in_passing_is_another_position() -> None:
    position = CHESS.new("8/8/8/8/1p6/8/P6k/K7 w - - 0 1")
    position.make(position.parse("a4"))
    fen = position.fen()
    assert " a3 " in fen
    with_right, without = position.placed(), CHESS.new(fen.replace(" a3 ", " - ")).placed()
    assert with_right[0] == without[0] and with_right[1] != without[1]
    kernel = CHESS.new()
    assert kernel.place(*with_right)
    assert "bxa3" in [position.format(move) for move in position.moves()]
    assert len(kernel.moves()) == len(position.moves())


@pytest.mark.parametrize(
    ("game", "name"),
    [
        (CHESS, "KPvKP"),
        (CHESS, "KQvKR"),
        (CHESS, "KBBvK"),
        (CHESS, "KvKNP"),
        (CHECKERS, "KMvKM"),
        (CHECKERS, "KMvMM"),
    ],
)
def test_moves_and_the_moves_that_lead_back_agree(game: Any, name: str) -> None:
    kernel, back = game.new(), game.new()
    own = {s for g in building.groups(kernel, 4) if name in map(kernel.called, g.slices) for s in g.slices}
    for text, number in sample(game, name, 40 if compiled() else 10):
        kernel = game.new(text)
        here = kernel.placed()
        assert here[1] == number
        for move in kernel.moves() if kernel.outcome() is None else ():
            kernel.make(move)
            there = kernel.placed()
            kernel.unmake()
            if there is not None and there[0] in own:
                assert back.place(*there) and here in back.befores()
        assert back.place(*here)
        for before in back.befores():
            if back.place(*before) and back.outcome() is None:
                after = []
                for move in back.moves():
                    back.make(move)
                    after.append(back.placed())
                    back.unmake()
                assert here in after, (text, before)


# Kings on the long diagonal, and pawns that may be taken in passing, which chance seldom draws.
NUMBERED = (
    "8/8/8/4k3/8/8/1Q6/K7 b - - 0 1",
    "8/8/8/4k3/8/1R6/3N4/K7 b - - 0 1",
    "8/8/8/4k3/8/2R5/1N6/K7 b - - 0 1",
    "7K/8/8/4k3/2n5/8/8/8 w - - 0 1",
    "7k/8/8/2R5/8/2K5/8/8 w - - 0 1",
    "7k/8/8/5R2/8/2K5/8/8 w - - 0 1",
    "8/8/8/8/8/2k5/8/K6r w - - 0 1",
    "8/8/8/8/Pp6/8/7k/K7 b - a3 0 1",
    "8/8/8/3pP3/8/8/7k/K7 w - d6 0 1",
    "8/8/8/8/1pPp4/8/7k/K7 b - c3 0 1",
    "8/8/8/8/1pP5/8/7k/K7 w - - 0 1",
    "k7/8/8/4pP2/8/8/8/K7 b - - 0 1",
    "k7/8/8/8/4Pp2/8/8/7K w - - 0 1",
)


def test_positions_are_numbered_as_they_were_kept() -> None:
    """Files of tables are numbers: whoever numbers otherwise cannot read those that others have built."""
    rows = []
    for game, slices in ((CHESS, 40), (CHECKERS, 12)):
        kernel, rng = game.new(), random.Random(1)
        every = [one for pieces in (2, 3, 4) for group in kernel.slices(pieces) for one in group]
        rows.append(f"{game.spec}: {len(every)} slices of 2 to 4 pieces, the first {kernel.called(every[0])}")
        for one in rng.sample(every, slices):
            leads = " ".join(kernel.called(lead) for lead in kernel.leads(one))
            rows.append(f"{kernel.called(one)}: {kernel.span(one)} numbers, leads to {leads or 'none'}")
            told = [kernel.place(one, -1), kernel.place(one, kernel.span(one))]
            for number in [rng.randrange(kernel.span(one)) for _ in range(16)]:
                found = kernel.place(one, number)
                told.append((number, kernel.text(), kernel.placed(), kernel.befores()) if found else number)
            digest = blake2b(str(told).encode(), digest_size=4).hexdigest()
            rows.append(f"    {sum(isinstance(it, tuple) for it in told)} of 16 are positions, {digest}")
    for fen in NUMBERED:
        kernel = CHESS.new(fen)
        rows.append(
            f"{fen}: {kernel.called(kernel.placed()[0])} {kernel.placed()[1]}, from {kernel.befores()}"
        )
    golden("numbered", "\n".join(rows) + "\n")


@pytest.mark.skipif(compiled(), reason="the pure build lets Python ask")
@pytest.mark.parametrize(
    ("fen", "positions"),
    [
        ("8/8/8/4k3/8/8/2Q5/K7 b - - 0 1", 8),
        ("7K/8/8/3k4/8/8/1q6/8 w - - 0 1", 8),
        ("8/8/8/4k3/8/8/1Q6/K7 b - - 0 1", 4),  # all on the long diagonal: its mirror image is itself
        ("7K/8/8/4k3/8/8/1q6/8 w - - 0 1", 4),
        ("7k/8/8/8/8/2K5/1Q6/8 w - - 0 1", 4),
        ("8/8/8/4k3/8/1R6/2R5/K7 b - - 0 1", 4),  # so it is with one rook for the other
        ("8/8/8/4k3/8/1R6/2B5/K7 b - - 0 1", 8),
        ("8/8/8/3k4/8/8/2P5/K7 w - - 0 1", 2),
    ],
)
def test_mirror_images_share_a_number(fen: str, positions: int) -> None:
    assert CHESS.new(fen).orbit() == positions


def test_no_table_knows_who_may_castle() -> None:
    assert CHESS.new("4k3/8/8/8/8/8/8/4K2R w K - 0 1").placed() is None
    assert CHESS.new("4k3/8/8/8/8/8/8/4K2R w - - 0 1").placed() is not None


def test_no_table_takes_many_pieces_for_few() -> None:
    """Three bits tell of how many pieces of a kind there are: eight pawns are no knight."""
    assert CHESS.new("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1").placed() is not None
    assert CHESS.new("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1").placed() is None
    assert CHECKERS.new().placed() is None


# -- by plain search ----------------------------------------


def test_values_are_those_of_plain_search(three: Path) -> None:
    for game, name, most in ((CHECKERS, "KvM", 9), (CHESS, "KQvK", 5), (CHESS, "KvKP", 4)):
        if not compiled() and game is CHESS:
            continue
        known = tables.Tables(str(three / game.name), game)
        for text, _ in sample(game, name, 60):
            position = game.new(text)
            told = known.known(position)
            assert told is not None
            if position.outcome() is not None or told[0] == 0 or told[1] > (most if compiled() else 4):
                continue
            report = registry.engine("iterative")[0].search(position, Limit(depth=told[1]))
            assert report.value == (WIN - told[1]) * (1 if told[0] == WON else -1), text


# -- in searches ----------------------------------------


@pytest.mark.skipif(not compiled(), reason="there are no tables of three men")
def test_a_search_looks_up_what_it_comes_upon(three: Path) -> None:
    text = "8/8/4k3/8/8/8/3nQ3/K7 b - - 0 1"  # the queen goes, or the knight
    reports = []
    for spec in (f"selective:depth=6,tables={three / 'chess'}", "selective:depth=6"):
        player: Any = seats.player(spec, CHESS)
        choice = player.choose(Match(CHESS, [player, player], text))
        reports.append(choice.report)
    assert reports[0].nodes < reports[1].nodes


def test_what_a_search_sees_with_fewer_tables_is_true(three: Path) -> None:
    pieces = 3 if compiled() else 2
    kernel = CHECKERS.new()
    whole = tables.Tables(str(three / "checkers"), CHECKERS)
    fewer = tables.Tables(str(three / "checkers"), CHECKERS)
    for group in kernel.slices(pieces):
        for slice in group:
            del fewer.shelf.places[slice]
    fewer.most = pieces - 1
    seen = 0
    for name in ("KKvM", "KvMM") if compiled() else ("KvM",):
        for text, _ in sample(CHECKERS, name, 40):
            position = CHECKERS.new(text)
            told = whole.known(position)
            if position.outcome() is not None or told is None:
                continue
            session = Session(registry.engine("iterative")[0])
            session.knowledge = (fewer,)
            value = session.search(position, Limit(depth=6)).value
            if is_win(value):
                seen += 1
                assert told[0] == (WON if value > 0 else LOST) and plies(value) >= told[1], text
    assert seen > 3


def test_a_search_asks_where_the_tables_know_the_position_already(three: Path) -> None:
    """Nobody asked about it before, as a player does; and a pawn that promotes leaves as many pieces."""
    name = "KKvM" if compiled() else "KvM"
    known = tables.Tables(str(three / "checkers"), CHECKERS)
    for text, _ in sample(CHECKERS, name, 40):
        position = CHECKERS.new(text)
        told = known.known(position)
        if position.outcome() is None and told is not None and told[0] == WON:
            break
    session = Session(registry.engine("iterative")[0])
    session.knowledge = (known,)
    report = session.search(position, Limit(nodes=1000))
    assert report.depth == 1 and is_win(report.value) and plies(report.value) == told[1]


def test_engines_that_ask_nothing_within_their_search_say_so(three: Path) -> None:
    paths = {"tables": str(three / "checkers")}
    for name in ("iterative", "quiescence", "selective", "pns", "perfect"):
        (found,) = in_search(registry.engine(name)[0], paths, CHECKERS)
        assert found.inner
    for name in ("minimax", "alphabeta", "mcts"):
        with pytest.raises(Usage, match=f"^{name} asks nothing within its search: leave tables="):
            in_search(registry.engine(name)[0], paths, CHECKERS)


def test_a_win_that_counting_would_end_is_no_value_but_named(three: Path) -> None:
    known = tables.Tables(str(three / "checkers"), CHECKERS)
    position = CHECKERS.new("B:WK1:BK10")
    for text, _ in sample(CHECKERS, "KvK", 200):
        position = CHECKERS.new(text)
        told = known.known(position)
        if told == (WON, 9):
            break
    else:
        raise AssertionError
    late = CHECKERS.new(text + ":H75")
    assert known.probe(position) is not None and known.probe(position).value == WIN - 9
    assert known.probe(late) is None
    advice, whole = known.advise(late), known.advise(position)
    assert advice is not None and not advice.exact and advice.value is None
    assert whole is not None and set(advice.moves) == set(whole.moves)


# -- files ----------------------------------------


@once
def test_a_build_that_was_killed_ends_with_the_same_bytes(tmp_path: Path) -> None:
    began = time.monotonic()
    built(CHECKERS, tmp_path / "whole", 3)
    took = time.monotonic() - began
    rng = random.Random(20)
    killed = 0
    for _ in range(20):
        child = os.fork()
        if not child:
            built(CHECKERS, tmp_path / "killed", 3)
            os._exit(0)
        time.sleep(rng.random() * took / 4)
        os.kill(child, signal.SIGKILL)
        killed += os.waitpid(child, 0)[1] != 0
    assert killed
    built(CHECKERS, tmp_path / "killed", 3)
    whole = {path.name: path.read_bytes() for path in (tmp_path / "whole").glob("*.table")}
    assert whole == {path.name: path.read_bytes() for path in (tmp_path / "killed").glob("*.table")}


@once
def test_several_processes_write_the_same_bytes(tmp_path: Path) -> None:
    built(CHECKERS, tmp_path / "one", 2)
    built(CHECKERS, tmp_path / "two", 2, processes=2)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def everything(path: Path) -> bytes:
    """All that a file holds."""
    file = TableFile(path)
    try:
        return b"".join(
            file.block(plane, n) for plane in sorted(file.planes) for n in range(len(file.planes[plane]))
        )
    finally:
        file.close()


@once
def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path) -> None:
    built(CHECKERS, tmp_path, 2)
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
        with pytest.raises(BadInput) as told:
            everything(path)
        assert "\n" not in str(told.value) and str(path) in str(told.value)


def forged(good: bytes, change: Any) -> bytes:
    """A file whose head was changed by somebody who made its checksum right."""
    begin = struct.Struct("<8sHI32s")
    magic, version, length, _ = begin.unpack(good[: begin.size])
    head = json.loads(good[begin.size : begin.size + length])
    head = change(head) or head
    raw = json.dumps(head).encode()
    digest = blake2b(raw, digest_size=32).digest()
    return begin.pack(magic, version, len(raw), digest) + raw + good[begin.size + length :]


@once
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
    built(CHECKERS, tmp_path, 2)
    path = tmp_path / "KvM.table"
    path.write_bytes(forged(path.read_bytes(), change))
    with pytest.raises(BadInput, match="build it again"):
        everything(path)


@once
def test_a_file_with_other_numbers_than_the_game_is_refused(tmp_path: Path) -> None:
    tablefile.write(
        tmp_path / "KvM.table",
        tablefile.Subject("checkers", (("KvM", 0x110, 3),), 2),
        {"results": [b"\0"], "distances": [bytes(3)]},
    )
    with pytest.raises(BadInput, match="has 3 numbers of KvM, and the game others"):
        tables.Tables(str(tmp_path), CHECKERS)
    kernel = CHECKERS.new()
    assert not kernel.place(0x110, -1) and not kernel.place(0x110, 1 << 40) and kernel.waits() == 80


@once
def test_a_block_that_would_unpack_to_more_is_refused(tmp_path: Path) -> None:
    built(CHECKERS, tmp_path, 2)
    path = tmp_path / "KvM.table"
    file = TableFile(path)
    tablefile.write(path, file.subject, {"results": [bytes(1 << 24)], "distances": [b""]})
    file.close()
    with pytest.raises(BadInput, match="has not the size it must have"):
        everything(path)


@once
@pytest.mark.parametrize(("version", "age"), [(0, "an older"), (9, "a later")])
def test_another_version_is_told(tmp_path: Path, version: int, age: str) -> None:
    built(CHECKERS, tmp_path, 2)
    path = tmp_path / "KvM.table"
    bytes_now = bytearray(path.read_bytes())
    bytes_now[8] = version
    path.write_bytes(bytes_now)
    with pytest.raises(BadInput, match=f"has {age} version"):
        TableFile(path)
    built(CHECKERS, tmp_path, 2)  # a build replaces it
    TableFile(path).close()


# -- games whose positions have no numbers ----------------------------------------


def reached(spec: str, folder: Path, text: str | None = None) -> Any:
    game = registry.game(spec)
    return game, building.build_reached(game.new(text), tables.name_of(game), text, folder, 1 << 31)


def test_all_positions_of_small_games_are_found(tmp_path: Path) -> None:
    names = ["tictactoe", "connect4:columns=4,rows=4"] if compiled() else ["tictactoe"]
    for name in names:
        game, found = reached(name, tmp_path)
        assert found.positions == ANSWERS["reached"][name]
        known = tables.Tables(str(tmp_path), game)
        assert known.known(game.new()) == (0, 0)


def test_a_game_of_ones_own_is_solved_whole(tmp_path: Path) -> None:
    game, _ = reached(f"{TESTS / 'examples' / 'games' / 'sticks.py'}:sticks=12", tmp_path)
    known = tables.Tables(str(tmp_path), game)
    for sticks in range(1, 13):
        position = registry.game(f"{TESTS / 'examples' / 'games' / 'sticks.py'}:sticks={sticks}").new()
        told = known.known(position)
        if sticks == 11:  # the first to move never has as many
            assert told is None
            continue
        assert told is not None and told[0] == (LOST if sticks % 4 == 1 else WON)
        advice = known.advise(position)
        assert advice is not None
        if sticks % 4 != 1:
            assert all((sticks - move) % 4 == 1 for move in advice.moves) or sticks <= 4
    file = TableFile(tmp_path / "sticks-sticks-12.table")
    assert building.verify_reached(game.new(), file, 1 << 30) == ""


def test_values_of_all_positions_are_those_of_minimax(tmp_path: Path) -> None:
    game, _ = reached("nim:heaps=1+2+3", tmp_path)
    known = tables.Tables(str(tmp_path), game)
    position = game.new()
    rng = random.Random(3)
    for _ in range(30):
        while position.made:
            position.unmake()
        while position.outcome() is None and rng.random() < 0.8:
            position.make(rng.choice(position.moves()))
        if position.outcome() is None:
            report = registry.engine("iterative")[0].search(position, Limit(depth=20))
            advice = known.probe(position)
            assert advice is not None and advice.value == report.value


# -- bearing off ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def off(tmp_path_factory: pytest.TempPathFactory) -> bearoff.Bearoff:
    """Both tables; in the plain build of fewer men."""
    folder = tmp_path_factory.mktemp("bearoff")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bearoff, "MEN", 8 if compiled() else 3)
        list(bearoff.build(folder, 4 if compiled() else 2))
    return bearoff.Bearoff(str(folder), registry.game("backgammon"))


def test_bearing_off_takes_as_many_throws_as_published(off: bearoff.Bearoff) -> None:
    for men, throws in ANSWERS["bearoff"]["throws"].items():
        points = [men.count(str(point)) for point in range(1, 7)]
        if sum(points) <= 3 or compiled():
            above, below = throws.split("/")
            assert off.rolls(points)[0] == pytest.approx(int(above) / int(below), abs=1e-12)
    for men, of_36 in ANSWERS["bearoff"]["one"].items():
        points = [men.count(str(point)) for point in range(1, 7)]
        assert 36 * off.rolls(points)[1][1] == pytest.approx(of_36, abs=1e-9)


def test_chances_of_bearing_off_are_those_of_the_game(off: bearoff.Bearoff) -> None:
    assert bearoff.wrong(off, registry.game("backgammon"), 12 if compiled() else 6, seed=5) == ""
    assert off.chance([0] * 5 + [1], [1] + [0] * 5) == pytest.approx(27 / 36)
    assert sum(off.rolls([1, 0, 0, 0, 1, 0])[1]) == pytest.approx(1)


def test_the_last_men_are_played_off_without_a_mistake(off: bearoff.Bearoff) -> None:
    position = registry.game("backgammon").new()
    position.lay_out([0, 1, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0])
    position.make(position.parse("21"))
    found = off.chances(position)
    advice = off.advise(position)
    assert advice is not None and {found[move] for move in advice.moves} == {max(found.values())}
    position = registry.game("backgammon").new()
    assert off.advise(position) is None


@once
def test_men_at_home_are_those_on_six_points() -> None:
    for place, told in (
        (0, [0] * 6),
        (1, [1, *[0] * 5]),
        (6, [*[0] * 5, 1]),
        (7, None),
        (24, None),
        (25, None),
    ):
        men = [0] * 26
        men[place] = 1
        asked: list[int] = []
        stub = SimpleNamespace(men=lambda player, men=men, asked=asked: asked.append(player) or men)
        assert bearoff.home(stub, 1) == told and asked == [1]


class Throw:
    """Somebody has thrown; each turn leads to men of both, and to who is then to throw."""

    turn, cube, match = 1, 0, 0

    def __init__(self, **after: tuple[list[int], list[int], int, Any]) -> None:
        self.after = {int(name[1:]): found for name, found in after.items()}
        self.made: int | None = None
        self.over: Any = None
        self.before = ([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0])
        self.away = [0] * 26

    def men(self, player: int) -> list[int]:
        both = self.before if self.made is None else self.after[self.made][:2]
        at_home = both[player]
        return self.away if at_home is None else [0, *at_home, *[0] * 19]

    def moves(self) -> list[int]:
        return list(self.after)

    def make(self, move: int) -> None:
        self.made = move
        self.turn = self.after[move][2]

    def unmake(self) -> None:
        self.made, self.turn = None, type(self).turn

    def outcome(self) -> Any:
        return self.over if self.made is None else self.after[self.made][3]


@once
def test_turns_are_weighed_by_what_they_leave(off: bearoff.Bearoff, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, theirs = [0, 0, 1, 0, 0, 0], [2, 0, 0, 0, 0, 0]

    def chance(who: list[int], other: list[int]) -> float | None:
        asked.append((who, other))
        return {1: 0.25, 2: 0.75, 3: 0.25 + 5e-13, 4: None}[sum(other)]

    def left(count: int) -> list[int]:
        return [count, 0, 0, 0, 0, 0]

    asked: list[Any] = []
    monkeypatch.setattr(off, "chance", chance)
    usual: Any = {f"_{count}": (theirs, left(count), -1, None) for count in (1, 2, 3)}
    position = Throw(**usual)
    assert off.chances(position) == {1: 0.75, 2: 0.25, 3: 0.75 - 5e-13}
    assert asked == [(theirs, left(count)) for count in (1, 2, 3)] and position.made is None
    advice = off.probe(position)
    assert advice is not None and (advice.source, advice.moves) == ("tables", (1, 3)), (
        "as good but for rounding"
    )
    assert off.chances(Throw(**usual, _9=(theirs, left(0), 0, (-1, 1))))[9] == 1.0, "the game is over"
    for unknown in (
        (theirs, left(4), -1, None),  # too many men
        (theirs, left(1), 0, None),  # the same player is asked again
        (None, left(1), -1, None),
        (theirs, None, -1, None),
    ):
        position = Throw(**usual, _5=unknown)
        position.away[7] = 1
        assert off.chances(position) == {} and off.probe(position) is None
    for fact, value in (("turn", -1), ("over", (1, -1)), ("cube", 1), ("match", 3), ("before", (None, mine))):
        position = Throw(**usual)
        position.away[24] = 1
        setattr(position, fact, value)
        assert off.chances(position) == {}, fact


@once
def test_chances_are_known_of_so_many_men(off: bearoff.Bearoff) -> None:
    few, many = [0, off.men, 0, 0, 0, 0], [0, off.men, 1, 0, 0, 0]
    assert off.chance(few, few) is not None
    assert off.chance(many, few) is None and off.chance(few, many) is None


@once
def test_a_value_of_bearing_off_that_is_wrong_is_found(off: bearoff.Bearoff) -> None:
    game = registry.game("backgammon")

    class Wrong:
        """The tables, but for a little."""

        men = off.men
        chances = staticmethod(off.chances)

        def __init__(self, chance: float, throws: float) -> None:
            self.more = chance, throws

        def chance(self, mine: list[int], theirs: list[int]) -> float:
            return (off.chance(mine, theirs) or 0.0) + self.more[0]

        def rolls(self, men: list[int]) -> tuple[float, list[float]]:
            mean, shares = off.rolls(men)
            return mean + self.more[1] * (sum(men) == self.men), shares

    assert bearoff.wrong(Wrong(0.0, 0.0), game, 3) == "" == bearoff.wrong(Wrong(1e-13, 0.0), game, 3)  # type: ignore[arg-type]
    for chance, throws in ((1e-11, 0.0), (-1e-11, 0.0), (0.0, 1e-6), (0.0, -1e-6)):
        text = bearoff.wrong(Wrong(chance, throws), game, 20)  # type: ignore[arg-type]
        assert text and game.new(text).text() == text


@once
def test_files_of_another_game_are_no_tables_of_bearing_off(tmp_path: Path) -> None:
    game = registry.game("backgammon")
    with pytest.raises(BadInput) as refused:
        bearoff.Bearoff(str(tmp_path), game)
    assert str(refused.value) == (
        f"{tmp_path} holds no tables of bearing off: gameplay table build backgammon"
    )
    for wrong in (bearoff.ALONE, bearoff.AGAINST):
        for name in (bearoff.ALONE, bearoff.AGAINST):
            subject = Subject("nim" if name == wrong else "backgammon", (("all", 0, 1),), facts={"men": 2})
            tablefile.write(tmp_path / f"{name}.table", subject, {"means": [bytes(8)]})
        with pytest.raises(BadInput) as refused:
            bearoff.Bearoff(str(tmp_path), game)
        assert str(refused.value) == f"{tmp_path / wrong}.table is of another game, nim"


# -- what tables say, in full ----------------------------------------


@once
def test_results_become_values() -> None:
    """Wins that are longer than a search counts are sure, no more."""
    for known, value in (
        ((0, 0), 0), ((WON, 1), WIN - 1), ((LOST, 2), 2 - WIN), ((WON, 255), WIN - 255), ((WON, 256), SURE),
        ((LOST, 256), -SURE),
    ):  # fmt: skip
        assert tables._value(*known) == value
        advice = tables._advice(*known)
        assert (advice.source, advice.value, advice.exact, advice.moves) == ("tables", value, True, ())


@once
def test_moves_are_ranked_by_what_they_lead_to() -> None:
    """For the mover: wins first, the quickest; then draws; then losses, the slowest."""

    class Fork(Position):
        """Every move leads to a place of its own, some of them to the end."""

        after = {
            1: (1, (WON, 4), None), 2: (1, (LOST, 7), None), 3: (1, (0, 0), None), 4: (1, (LOST, 3), None),
            5: (0, (WON, 9), None), 6: (0, (LOST, 8), None), 7: (1, None, (1, -1)), 8: (1, None, (-1, 1)),
            9: (0, None, (0, 0)), 10: (1, (WON, 6), None),
        }  # fmt: skip

        def __init__(self) -> None:
            super().__init__()
            self.at = 0

        def moves(self) -> list[int]:
            return list(self.after)

        def make(self, move: int) -> None:
            self.at, self.turn = move, self.after[move][0]

        def unmake(self) -> None:
            self.at = self.turn = 0

        def outcome(self) -> Any:
            return self.after[self.at][2] if self.at else None

    known: Any = SimpleNamespace(known=lambda position: Fork.after[position.at][1])
    assert tables.ranked(known, Fork()) == [
        (7, (2, 0)), (4, (2, -3)), (2, (2, -7)), (5, (2, -9)), (3, (1, 0)), (9, (1, 0)), (6, (0, 8)),
        (10, (0, 6)), (1, (0, 4)), (8, (0, 0)),
    ]  # fmt: skip
    Fork.after = {**Fork.after, 11: (1, None, None)}
    assert tables.ranked(known, Fork()) == [], "what one leads to is in no table"
    over = Fork()
    over.outcome = lambda: (1, -1)  # type: ignore[method-assign]
    assert tables.ranked(known, over) == []


@once
def test_for_which_games_there_can_be_tables() -> None:
    class Plain(Position):
        pass

    tables.fit(Plain())
    for facts, words in (
        ({"players": 3}, "tables are for games of two that one wins and the other loses, and plain is none"),
        (
            {"zero_sum": False},
            "tables are for games of two that one wins and the other loses, and plain is none",
        ),
        ({"chance": True}, "tables are for games without chance and secrets, and plain has them"),
        ({"hidden": True}, "tables are for games without chance and secrets, and plain has them"),
        ({"scored": True}, "endgame tables store win, draw or loss; plain is scored in points"),
        ({"remembers": True}, "endgame tables are indexed by position; in plain the history matters too"),
    ):
        with pytest.raises(Usage) as refused:
            tables.fit(type("Plain", (Position,), facts)())
        assert str(refused.value) == words
    tables.fit(CHESS.new())  # it remembers, and its positions have numbers
    names = {"chess": "chess", "tictactoe": "tictactoe", "nim:heaps=1+2": "nim:heaps=1+2"}
    names |= {"tictactoe:width=4,height=3": "tictactoe:height=3,width=4", "checkers": "checkers"}
    assert {spec: tables.name_of(registry.game(spec)) for spec in names} == names


@once
def test_draws_by_counting_moves_leave_results_untold(three: Path) -> None:
    """Where the rule of fifty moves may come first there are moves, and no value."""
    known = tables.Tables(str(three / "chess"), CHESS)
    assert known.most == 3 and known.inner and known.takes == "folder"
    fen = "8/8/8/4k3/8/8/8/KQ6 w - - {} 60"
    result, plies = known.known(CHESS.new(fen.format(0))) or (0, 0)
    waits = CHESS.new(fen.format(0)).waits()
    assert result == WON and 10 < plies < waits
    for clock, told in ((waits - plies, True), (waits - plies + 1, False)):
        position = CHESS.new(fen.format(clock))
        assert position.waits() == waits - clock
        value = known.probe(position)
        assert (value is not None and value.value == WIN - plies) == told
        advice = known.advise(position)
        assert advice is not None and advice.value == (WIN - plies if told else None)
        best = [move for move, good in tables.ranked(known, position) if good == (2, 1 - plies)]
        assert set(advice.moves) == set(best)
    assert known.known(CHESS.new()) is None and known.probe(CHESS.new()) is None
    assert known.advise(CHESS.new()) is None
    with pytest.raises(BadInput) as refused:
        tables.Tables(str(three), CHESS)
    assert str(refused.value) == (
        f"{three} holds no tables for chess: gameplay table build chess --folder {three}"
    )


# -- building, in full ----------------------------------------


class Slices:
    """Slices by pieces: 1 alone; 2 and 3, which lead into one another; 4, which leads to them."""

    def slices(self, pieces: int) -> tuple[tuple[int, ...], ...]:
        return {1: ((1,),), 2: ((2, 3), (4,))}.get(pieces, ())

    def leads(self, slice: int) -> tuple[int, ...]:
        return {1: (), 2: (3, 1), 3: (2, 1, 3), 4: (2, 1)}[slice]

    def called(self, slice: int) -> str:
        return f"S{slice}v"

    def span(self, slice: int) -> int:
        return 10**slice


@once
def test_groups_come_after_those_they_lead_to() -> None:
    kernel = Slices()
    known = building.groups(kernel, 2)
    one, both, last = known
    assert one == building.Endgame("S1v", 1, (1,), ()) and both == building.Endgame("S2v", 2, (2, 3), (1,))
    assert last == building.Endgame("S4v", 2, (4,), (2, 1)) and building.groups(kernel, 1) == [one]
    for names, wanted in ((["s3V"], [one, both]), (["S4v"], known), (["S1v", "S3v"], [one, both]), ([], [])):
        assert building.needed(kernel, known, names) == wanted
    with pytest.raises(Usage) as refused:
        building.needed(kernel, known, ["S1v", "S9v"])
    assert str(refused.value) == "there is no ending 'S9v'; did you mean 'S4v'? (there are: S1v, S2v, S4v)"
    # Codes of two bytes, a byte a number of its own beside them; what is packed; what Python takes.
    assert building.memory(kernel, both) == 2 * 10 + 3 * 1100 + 2 * 1100 + 65536 + (64 << 20)
    assert building.memory(kernel, one) == 5 * 10 + 65536 + (64 << 20)


@once
def test_after_ctrl_c_a_build_says_that_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*how: Any) -> Any:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(work, "build_all", interrupted)
    words = ["table", "build", "checkers", "KvK", "--folder", str(tmp_path)]
    for more, says in (([], True), (["--json"], False)):
        assert cli.run(cli.router, "gameplay", words + more) == 130
        assert ("what is built stays; the same command goes on" in capsys.readouterr().out) is says


@once
def test_lines_are_folded_where_the_terminal_is_narrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built(CHECKERS, tmp_path, 2)
    told = []
    for width in (0, 40):
        monkeypatch.setattr("gameplay.cli.common.width.columns", lambda width=width: width)
        assert cli.run(cli.router, "gameplay", ["table", "stats", "checkers", "--folder", str(tmp_path)]) == 0
        told.append(capsys.readouterr().out)
    wide, narrow = told
    assert max(map(len, wide.splitlines())) > 40 >= max(map(len, narrow.splitlines()))
    assert narrow.split() == wide.split()


@once
def test_a_folder_is_a_shelf(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        building.Shelf(tmp_path / "none", "own")
    assert str(refused.value) == f"there is no folder {tmp_path / 'none'} of endgame tables"

    def put(name: str, game: str, *slices: tuple[str, int, int]) -> None:
        places = sum(span for *_, span in slices)
        planes = {"results": [bytes((places + 3) // 4)], "distances": [bytes(places)]}
        tablefile.write(tmp_path / name, Subject(game, slices), planes)

    put("b.table", "own", ("S1v", 1, 10), ("S2v", 2, 100))
    put("a.table", "own", ("S3v", 3, 1000))
    put("c.table", "other", ("S1v", 1, 5))
    (tmp_path / ".d.table").write_text("")
    (tmp_path / "e.txt").write_text("")
    for kernel in (None, Slices()):
        shelf = building.Shelf(tmp_path, "own", kernel)
        assert [file.path.name for file in shelf.files] == ["a.table", "b.table"]
        found = {slice: (file.path.name, start) for slice, (file, start) in shelf.places.items()}
        assert found == {3: ("a.table", 0), 1: ("b.table", 0), 2: ("b.table", 10)}
    put("f.table", "own", ("S2v", 2, 99))
    assert len(building.Shelf(tmp_path, "own").files) == 3
    with pytest.raises(BadInput) as refused:
        building.Shelf(tmp_path, "own", Slices())
    path = tmp_path / "f.table"
    assert str(refused.value) == f"{path} has 99 numbers of S2v, and the game others; build it again"


@once
def test_what_a_group_leads_to_has_to_be_there(tmp_path: Path) -> None:
    kernel = CHECKERS.new()
    first, *_, last = building.groups(kernel, 2)
    path = building.file_of(tmp_path, first.name)
    assert path == tmp_path / f"{first.name}.table"
    with pytest.raises(BadInput) as refused:
        building.read(first, kernel, tmp_path, own=True)
    assert str(refused.value) == f"there is no {path}: build {first.name} first"
    (span,) = (int(kernel.span(one)) for one in first.slices)
    planes = {"results": [bytes((span + 3) // 4)], "distances": [bytes(span)]}
    for slices in (
        ((last.name, last.slices[0], span),),
        ((first.name, first.slices[0], span - 1), ("x", 9999, 1)),
    ):
        tablefile.write(path, Subject("checkers", slices), planes)
        with pytest.raises(BadInput) as refused:
            building.read(first, kernel, tmp_path, own=True)
        assert str(refused.value) == f"{path} is not about {first.name}; build it again"
    planes["results"] = [bytes([3]) + planes["results"][0][1:]]  # no result at all
    tablefile.write(path, Subject("checkers", ((first.name, first.slices[0], span),)), planes)
    with pytest.raises(BadInput) as refused:
        building.read(first, kernel, tmp_path, own=True)
    assert str(refused.value) == f"{path} is damaged: its distances do not fit its results; build it again"


@once
def test_results_are_compared_with_those_of_others(three: Path) -> None:
    kernel = CHECKERS.new()
    folder = three / "checkers"
    group = building.groups(kernel, 2)[0]
    file = TableFile(building.file_of(folder, group.name))
    (span,) = (int(kernel.span(one)) for one in group.slices)
    asked: list[int] = []

    def right(position: Any) -> int:
        slice, number = position.placed()
        assert slice == group.slices[0]
        asked.append(number)
        return {0: 0, WON: 1, LOST: -1}[file.known(number)[0]]

    told: list[tuple[str, int, int]] = []
    count, wrong = building.compared(group, kernel, folder, right, 20, lambda *how: told.append(how))
    assert wrong == "" and 0 < count == len(asked) == len(set(asked)) <= 20
    assert told == [(f"comparing {group.name}", done, 20) for done in range(20)]
    count, wrong = building.compared(group, kernel, folder, lambda position: None, 20)
    assert (count, wrong) == (0, "")
    every, wrong = building.compared(group, kernel, folder, right, span + 7)
    assert wrong == "" and every == file.subject.facts["positions"] <= span
    first = asked[0]
    for other in (-1, 0, 1):
        count, wrong = building.compared(group, kernel, folder, lambda position, other=other: other, 20)
        same = right_of(file, first) == other
        assert (count == 1) != same and wrong and CHECKERS.new(wrong).text() == wrong
    file.close()


def right_of(file: TableFile, number: int) -> int:
    """A result as others tell it."""
    return {0: 0, WON: 1, LOST: -1}[file.known(number)[0]]


@once
def test_what_a_file_of_all_positions_is_called() -> None:
    begun = blake2b(b"x/y", digest_size=4).hexdigest()
    for game, text, name in (
        ("tictactoe", None, "tictactoe"), ("nim:heaps=1+2", None, "nim-heaps-1+2"),
        ("nim", "x/y", f"nim-{begun}"),
        ("/a b/c.py:D", None, "a-b-c.py-D"), ("x::y", "", f"x-y-{blake2b(b'', digest_size=4).hexdigest()}"),
    ):  # fmt: skip
        assert building.file_name(game, text) == name


@once
def test_a_file_of_all_positions_that_is_wrong_is_told(tmp_path: Path) -> None:
    spec = "nim:heaps=1+2"
    _, made = reached(spec, tmp_path)
    path = tmp_path / f"{made.name}.table"
    file = TableFile(path)
    game = registry.game(spec)
    tell: list[tuple[str, int, int]] = []
    assert (
        building.verify_reached(game.new(), file, 1 << 30, lambda *how: tell.append(how)) == "" and not tell
    )
    more = registry.game("nim:heaps=1+3").new()
    assert building.verify_reached(more, file, 1 << 30) == f"{made.positions} positions, not 12"
    other = registry.game("nim:heaps=1+1+1").new()
    missing = TableFile(tmp_path / f"{reached('nim:heaps=1+1+1', tmp_path)[1].name}.table")
    if missing.subject.places == made.positions:
        assert building.verify_reached(other, file, 1 << 30) == "a position that is missing"
    results = bytearray(file.block("results", 0))
    results[0] ^= 3
    planes = {"results": [bytes(results)], "distances": [file.block("distances", 0)]}
    keys = array("Q", bytes(file._unpacked("keys", 0))).tobytes()
    tablefile.write(path, file.subject, {**planes, "keys": [keys]})
    wrong = building.verify_reached(game.new(), TableFile(path), 1 << 30)
    assert wrong and game.new(wrong).text() == wrong


# -- refusals ----------------------------------------


@pytest.mark.parametrize(
    ("words", "status", "line"),
    [
        ("build chess", 2, "which endings of chess?"),
        ("build chess KXvK", 2, "there is no ending 'KXvK'"),
        ("build chess KvK --position x", 2, "has tables by ending"),
        ("build othello", 2, "othello is scored in points"),
        ("build pig", 2, "without chance"),
        ("build backgammon KvK", 2, "backgammon has two tables"),
        ("build backgammon --pieces 12", 2, "2 to 9 men a side"),
        ("stats backgammon", 2, "hold chances"),
        ("probe backgammon --folder .", 6, "holds no tables of bearing off"),
        ("build go", 2, "the history matters too"),
        ("build puzzle15", 2, "games of two"),
        ("build tictactoe KvK", 2, "tictactoe has no endings to name"),
        ("build connect4 --memory 20", 2, "than --memory allows, 20 MB"),
        ("build chess KRvKR --memory 20", 2, "MB of memory, and --memory allows 20"),
        ("probe chess --folder none", 6, "there is no folder"),
        ("probe checkers --folder .", 6, "holds no tables for checkers"),
        ("verify chess --folder none", 6, "there is no folder"),
        ("stats chess --folder .", 6, "holds no tables for chess"),
    ],
)
@once
def test_what_cannot_be_done_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, words: str, status: int, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    assert cli.run(cli.router, "gameplay", ["table", *words.split()]) == status
    told = capsys.readouterr().err.strip()
    assert line in told and "\n" not in told


@once
def test_the_commands_say_what_they_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))

    def said(*words: str) -> str:
        status = cli.run(cli.router, "gameplay", ["table", *words])
        assert status == 0
        out: str = capsys.readouterr().out
        return out

    assert "KvM" in said("build", "checkers", "--pieces", "2")
    assert "3 of them there already" in said("build", "checkers", "--pieces", "2")
    assert said("verify", "checkers").split() == ["KvK", "right", "KvM", "right", "MvM", "right"]
    assert "KvK: 230 won, 654 drawn, 108 lost" in said("stats", "checkers", "KvK")
    told = json.loads(said("probe", "checkers", "--position", "B:WK18:BK14", "--json"))
    assert told["turn"] == "black" and told["value"] == "win in 1 ply"
    assert cli.run(cli.router, "gameplay", ["table", "probe", "checkers"]) == 4
    capsys.readouterr()
    said("build", "tictactoe")
    assert "x to move: 1,830 won" in said("stats", "tictactoe")
    assert "right" in said("verify", "tictactoe")
    assert said("probe", "tictactoe").startswith("x to move: draw")


# -- as it is told ---------------------------------------------------------------------------------

TOLD = (
    "build checkers --pieces 2 --folder CH --jobs 1",
    "build checkers --pieces 2 --folder CH",
    "build checkers KvM --folder OTHER --jobs 1",
    "build checkers --pieces 2 --folder WHOLE --json --jobs 1",
    "stats checkers KvM mvm --folder CH",
    "stats checkers KvK --folder CH --json",
    "stats checkers MMvK --folder CH",
    "verify checkers MvK --folder CH --json",
    "probe checkers --position B:WK18:BK14 --folder CH",
    "probe checkers --position W:W30:B25 --folder CH",
    "probe checkers --position B:WK1:BK10 --folder CH --json",
    "probe checkers --position B:WK1,K2:BK10,K30 --folder CH",
    "probe checkers --folder CH/KvM.table",
    "build tictactoe --folder T",
    "build tictactoe --folder T --cluster tcp://nobody:1",
    "build checkers KKKKKKKKKKKKKKKKKvK --folder CH",
    "build checkers --folder CH",
    "build backgammon --pieces 2 --folder BG",
    "build backgammon --pieces 2 --folder BG --json",
    "probe backgammon --folder BG",
    "probe backgammon --folder BG --position OFF",
    "probe backgammon --folder BG --position THROWN",
    "probe backgammon --folder BG --position THROWN --json",
    "verify backgammon --folder BG",
    "verify backgammon --folder BG --json",
    "verify backgammon all --folder BG",
)


@once
def test_whatever_is_told_of_tables_is_told_figure_by_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """A second of work takes half of one, and backgammon has three men a side."""
    build_all, build_reached, build_off = work.build_all, building.build_reached, bearoff.build
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bearoff, "MEN", 3)
    monkeypatch.setattr(cli_tables, "SAMPLE", 20)
    monkeypatch.setattr(cli_tables, "time", SimpleNamespace(monotonic=iter(range(1000)).__next__))
    monkeypatch.setattr(work, "build_all", lambda *how: (timed(one) for one in build_all(*how)))
    monkeypatch.setattr(building, "build_reached", lambda *how: timed(build_reached(*how)))
    monkeypatch.setattr(bearoff, "build", lambda *how: (timed(one) for one in build_off(*how)))
    off = registry.game("backgammon").new()
    off.lay_out([0, 1, 0, 0, 0, 1], [1, 0, 1, 0, 0, 0])
    positions = {"OFF": off.text()}
    off.make(off.parse("21"))
    positions["THROWN"] = off.text()
    told = []
    for columns in (80, 59):
        monkeypatch.setenv("COLUMNS", str(columns))
        for words in TOLD if columns == 80 else ("build checkers MvM --folder N --jobs 1", TOLD[17]):
            arguments = [positions.get(word, word) for word in words.split()]
            status = cli.run(cli.router, "gameplay", ["table", *arguments])
            out, err = capsys.readouterr()
            told.append(f"$ gameplay table {words}\n{out}{err}exit status {status}\n\n")
    golden("tables", "".join(told).replace(str(tmp_path), "."))


def timed(one: Any) -> Any:
    """The same, built in half a second."""
    return replace(one, seconds=0.5)


@once
def test_units_are_those_that_fit() -> None:
    sizes = (0, 1536, 2**20 - 1, 2**20, 5.25 * 2**20, 2**30, 1234.5 * 2**30)
    assert [cli_tables._size(size) for size in sizes] == [
        *("0.0 KB", "1.5 KB", "1,024.0 KB", "1.0 MB", "5.2 MB", "1.0 GB", "1,234.5 GB"),
    ]
    times = (0, 60, 61, 119, 120, 7199, 7200, 9000, 172_799, 172_800, 864_000_000)
    assert [cli_tables._long(seconds) for seconds in times] == [
        *("a minute", "a minute", "two minutes", "two minutes", "2 minutes", "120 minutes"),
        *("2 hours", "2 hours", "48 hours", "2 days", "10,000 days"),
    ]
    words = list("abcdefghijklm")
    assert cli_tables._lined(words[:12]) == " ".join(words[:12])
    assert cli_tables._lined(words) == f"{' '.join(words[:12])} ... (13 plies)"


@once
def test_the_progress_of_a_table_is_told_where_somebody_looks_on() -> None:
    class Looking(list[str]):
        shown = True
        __call__ = list.append

    aside: Any = Looking()
    cli_tables._progress(aside)("KvK", "back", 1200, 34_567)
    cli_tables._progress_of(aside, "MvM")("forward", 3, 4)
    assert aside == ["KvK: back 1,200 of 34,567", "MvM: forward 3 of 4"]
    aside.shown = False
    assert cli_tables._progress(aside) is None and cli_tables._progress_of(aside, "KvK") is None


@once
def test_an_ending_of_more_numbers_than_a_table_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Named, or among all; the pieces of a name are counted, on both sides."""
    kernel = CHECKERS.new()
    assert {group.name for group in cli_tables.chosen(kernel, ["MvM"], None)} == {"KvK", "KvM", "MvM"}
    assert [group.name for group in cli_tables.chosen(kernel, ["KKvM"], 2)] == [
        *("KvK", "KvM", "MvM", "KKvK", "KKvM"),
    ], "what either asks for"
    assert [group.name for group in cli_tables.chosen(kernel, ["KKvM"], None)] == [
        "KvK",
        "KvM",
        "KKvK",
        "KKvM",
    ]
    span = {"KvM": 1 << 31, "KvK": (1 << 31) - 1}

    class Wide:
        """Checkers whose kings and men have so many places."""

        def __getattr__(self, name: str) -> Any:
            return getattr(kernel, name)

        def span(self, slice: int) -> int:
            return span.get(str(kernel.called(slice)), 9)

    wide = Wide()
    assert [group.name for group in cli_tables.chosen(wide, ["KvK"], None)] == ["KvK"]
    refused = "^KvM has more than 2,147,483,647 numbers, the most that a table holds$"
    with pytest.raises(Usage, match=refused):
        cli_tables.chosen(wide, ["MvM"], None)
    with pytest.raises(Usage, match=refused):
        cli_tables.chosen(wide, [], 2)


@once
def test_what_is_wrong_in_a_table_is_told_and_is_status_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    built(CHECKERS, tmp_path, 2)
    monkeypatch.setattr(building, "verify", lambda group, *_: "B:WK1:BK2" if group.name == "KvM" else "")
    monkeypatch.setattr(
        building, "compared", lambda group, *_: (1234, "B:WK1:BK2" if group.name == "MvM" else "")
    )
    monkeypatch.setattr(bearoff, "wrong", lambda *_: "2 and 1")
    monkeypatch.setattr("gameplay.players.knowledge.opened", lambda *_: Syzygy.__new__(Syzygy))
    told = []
    for words in (
        "checkers",
        "checkers --json",
        "checkers --syzygy .",
        "checkers --syzygy . --json",
        "checkers KvK",
    ):
        status = cli.run(
            cli.router, "gameplay", ["table", "verify", *words.split(), "--folder", str(tmp_path)]
        )
        told.append((status, capsys.readouterr().out))
    assert told == [
        (3, "KvK        right\nKvM        WRONG at B:WK1:BK2\nMvM        right\n"),
        (3, '{\n  "KvK": "right",\n  "KvM": "B:WK1:BK2",\n  "MvM": "right"\n}\n'),
        (
            3,
            "KvK        right in 1,234 positions\nKvM        right in 1,234 positions\n"
            "MvM        WRONG at B:WK1:BK2\n",
        ),
        (
            3,
            '{\n  "KvK": "right in 1,234 positions",\n  "KvM": "right in 1,234 positions",\n'
            '  "MvM": "WRONG at B:WK1:BK2"\n}\n',
        ),
        (0, "KvK        right\n"),
    ]
    monkeypatch.setattr(bearoff, "MEN", 3)
    list(bearoff.build(tmp_path / "off", 2))
    for words, line in (("", "bearoff    WRONG at 2 and 1\n"), ("--json", '{"bearoff": "2 and 1"}\n')):
        arguments = ["table", "verify", "backgammon", *words.split(), "--folder", str(tmp_path / "off")]
        assert cli.run(cli.router, "gameplay", arguments) == 3
        assert capsys.readouterr().out == line


@once
def test_a_build_takes_two_gigabytes_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(cli_tables, "build", lambda game, *how: asked.append(how) or 0)
    cli.run(cli.router, "gameplay", ["table", "build", "nim"])
    cli.run(cli.router, "gameplay", ["table", "build", "nim", "--memory", "7", "--json", "--jobs", "2"])
    assert asked == [
        ((), None, None, None, None, None, 2048, False),
        ((), None, None, None, 2, None, 7, True),
    ]


@once
@pytest.mark.parametrize(
    ("count", "told"),
    [
        (2**30, "1.0 GB"), (5 * 2**30 // 2, "2.5 GB"), (2**30 - 1, "1,024.0 MB"), (2**20, "1.0 MB"),
        (2**20 - 1, "1,024.0 KB"), (512, "0.5 KB"), (0, "0.0 KB"),
    ],
)  # fmt: skip
def test_sizes_have_the_unit_that_fits_them(count: int, told: str) -> None:
    assert cli_tables._size(count) == told


@once
@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (259_200, "3 days"), (172_800, "2 days"), (172_799, "48 hours"), (7_200, "2 hours"),
        (7_199, "120 minutes"), (120, "2 minutes"), (119, "two minutes"), (61, "two minutes"),
        (60, "a minute"), (0, "a minute"),
    ],
)  # fmt: skip
def test_times_have_the_unit_that_fits_them(seconds: float, told: str) -> None:
    assert cli_tables._long(seconds) == told


@once
def test_rows_have_rates_where_there_is_room_and_no_figure_divides_by_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    some, none = building.Built("KRvK", 20, 12_345, 9, 45_678, 1.5), building.Built("KvK", 0, 0, 0, 7, 0.0)
    monkeypatch.setenv("COLUMNS", "60")
    heads = "ending        positions plies    CPU s     pos/s  B/pos"
    assert cli_tables._heading() == heads
    assert cli_tables._row(some) == "KRvK             12,345     9     1.50     8,230   3.70"
    assert cli_tables._row(none) == "KvK                   0     0     0.00         0   7.00"
    fast = building.Built("KvK", 0, 1, 1, 7, 0.0)
    assert cli_tables._row(fast).endswith("     1,000   7.00")
    monkeypatch.setenv("COLUMNS", "59")
    assert cli_tables._heading() == "ending        positions plies    CPU s"
    assert cli_tables._row(some) == "KRvK             12,345     9     1.50"


@once
def test_results_and_lines_are_told_in_words() -> None:
    won, lost = cli_tables.WON, cli_tables.WON + 1
    assert [cli_tables._result_text(result, 1) for result in (cli_tables.DRAWN, won, lost)] == [
        "draw", "win in 1 ply", "loss in 1 ply",
    ]  # fmt: skip
    assert (cli_tables._result_text(won, 2), cli_tables._result_text(lost, 0)) == (
        "win in 2 plies",
        "loss in 0 plies",
    )
    assert [cli_tables._value_text(value) for value in ((1, 5), (2, 0), (2, -3), (0, 3), (0, 0))] == [
        "draw", "win in 1 ply", "win in 4 plies", "loss in 4 plies", "loss in 1 ply",
    ]  # fmt: skip
    assert cli_tables._lined(["m"] * 12) == " ".join("m" * 12)
    assert cli_tables._lined(["m"] * 13) == " ".join("m" * 12) + " ... (13 plies)"


@once
def test_the_best_line_goes_on_to_its_end_or_as_far_as_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Countdown:
        left = 9

        def make(self, move: int) -> None:
            self.left -= 1

        def unmake(self) -> None:
            self.left += 1

        def format(self, move: int) -> str:
            return f"{move}at{self.left}"

    known: Any = SimpleNamespace(known=lambda position: None if position.left < 4 else (cli_tables.WON, 1))
    monkeypatch.setattr(
        tables, "ranked", lambda known, position: [(position.left, 0)] if position.left > 6 else []
    )
    position = Countdown()
    assert cli_tables.line(known, position) == ["9at9", "8at8", "7at7"] and position.left == 9
    assert cli_tables.line(known, position, 2) == ["9at9", "8at8"] and position.left == 9
    monkeypatch.setattr(tables, "ranked", lambda known, position: [(position.left, 0), (77, 0)])
    assert len(cli_tables.line(known, position)) == 6 and position.left == 9, "nothing is known below"
    position.left = 5000
    assert len(cli_tables.line(known, position)) == 600 and position.left == 5000
    drawn: Any = SimpleNamespace(known=lambda position: (cli_tables.DRAWN, 0))
    assert cli_tables.line(drawn, position) == []


@once
def test_tables_that_are_wrong_are_told_and_have_their_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """By the rules, by other tables, and of bearing off."""

    def table(*words: str) -> tuple[int, str]:
        status = cli.run(cli.router, "gameplay", ["table", *words])
        return status, capsys.readouterr().out

    monkeypatch.chdir(tmp_path)
    folder = ("--folder", "CH")
    assert table("build", "checkers", "--pieces", "2", *folder, "--jobs", "1")[0] == 0
    monkeypatch.setattr(building, "verify", lambda group, *how: "a place" if group.name == "KvM" else "")
    assert table("verify", "checkers", *folder) == (
        3, "KvK        right\nKvM        WRONG at a place\nMvM        right\n"
    )  # fmt: skip
    status, out = table("verify", "checkers", "KvM", *folder, "--json")
    assert status == 3 and out == '{\n  "KvM": "WRONG at a place"\n}\n'.replace("WRONG at a place", "a place")
    theirs: Any = Syzygy.__new__(Syzygy)
    theirs.result = "theirs"
    monkeypatch.setattr("gameplay.players.knowledge.opened", lambda *what: theirs)
    held: list[Any] = []

    def compared(
        group: Any, kernel: Any, place: Path, result: Any, lots: int | None, told: Any
    ) -> tuple[int, str]:
        held.append((group.name, result, lots))
        return 0 if group.name == "KvM" else 1234, "there" if group.name == "MvM" else ""

    monkeypatch.setattr(building, "compared", compared)
    assert table("verify", "checkers", *folder, "--syzygy", ".") == (
        3,
        "KvK        right in 1,234 positions\nKvM        not compared: no table there has it\n"
        "MvM        WRONG at there\n",
    )
    assert held == [(name, "theirs", 10_000) for name in ("KvK", "KvM", "MvM")]
    status, out = table("verify", "checkers", "kvk", *folder, "--syzygy", ".", "--all", "--json")
    assert (status, out) == (0, '{\n  "KvK": "right in 1,234 positions"\n}\n')
    assert held[3:] == [("KvK", "theirs", None)]
    assert table("verify", "checkers", "kvm", *folder, "--syzygy", ".")[0] == 4, "nothing was compared"
    assert cli.run(cli.router, "gameplay", ["table", "verify", "checkers", *folder, "--all"]) == 2
    assert "--all goes with --syzygy" in capsys.readouterr().err
    monkeypatch.setattr(bearoff, "Bearoff", lambda *what: None)
    for wrong, told, status in (
        ("here", "WRONG at here", 3), ("", f"right, in {cli_tables.SAMPLE} positions drawn at random", 0),
    ):  # fmt: skip
        monkeypatch.setattr(bearoff, "wrong", lambda known, game, sample, wrong=wrong: wrong)
        assert table("verify", "backgammon", "--folder", ".") == (status, f"bearoff    {told}\n")
        assert table("verify", "backgammon", "--folder", ".", "--json") == (
            status, json.dumps({"bearoff": wrong or "right"}) + "\n"
        )  # fmt: skip
