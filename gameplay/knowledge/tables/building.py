"""Builds endgame tables: a group of slices that lead into one another is solved together, in one file.

All other slices that a group leads to must exist. Files are replaced atomically when complete, so a build
that was interrupted at any point continues with the missing groups and ends with the same bytes.
"""

import os
import re
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from gameplay.adapter import kernel_of
from gameplay.errors import BadInput, Usage
from gameplay.kernel import Kernel
from gameplay.knowledge.tables import retrograde
from gameplay.knowledge.tables.reachable import ReachableGraph
from gameplay.knowledge.tables.retrograde import NONE, Retrograde
from gameplay.knowledge.tables.table_file import (
    BLOCK,
    DRAWN,
    KEYS_PER_BLOCK,
    LOST,
    SUFFIX,
    WON,
    Subject,
    TableFile,
    write,
)

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

CHUNK = 1 << 15  # numbers between checks of the stop request

Progress = Callable[[str, int, int], None]  # activity, amount done, total


class NumberedKernel(Protocol):
    """A kernel that numbers its positions, slice by slice, see `gameplay.kernel.Kernel.slices`."""

    def slices(self, pieces: int) -> Sequence[Sequence[int]]: ...

    def span(self, slice: int) -> int: ...

    def leads(self, slice: int) -> Sequence[int]: ...

    def slice_name(self, slice: int) -> str:
        """The name of the ending."""
        ...

    def set_index(self, slice: int, number: int) -> bool:
        """Set up the position with this number; False if there is none."""
        ...

    def text(self) -> str: ...


@dataclass(frozen=True)
class Endgame:
    """Slices that lead into one another: the unit of building, and of files."""

    name: str
    pieces: int
    slices: tuple[int, ...]
    leads: tuple[int, ...]  # to other slices


@dataclass(frozen=True)
class BuildResult:
    """The result of building a group."""

    name: str
    numbers: int
    positions: int  # numbers that have a position
    plies: int  # of the longest win or loss
    bytes: int
    seconds: float  # of the processor


def groups(kernel: NumberedKernel, pieces: int) -> list[Endgame]:
    """All groups of up to `pieces` pieces, each after those it leads to."""
    endgames = []
    for count in range(1, pieces + 1):
        for slices in kernel.slices(count):
            leads = dict.fromkeys(lead for slice in slices for lead in kernel.leads(slice))
            outside_leads = tuple(lead for lead in leads if lead not in slices)
            endgames.append(Endgame(kernel.slice_name(slices[0]), count, tuple(slices), outside_leads))
    return endgames


def select_groups(kernel: NumberedKernel, groups: list[Endgame], names: list[str]) -> list[Endgame]:
    """The groups with these names and all that they lead to, in order. Raises Usage for an unknown name."""
    by_slice = {slice: group for group in groups for slice in group.slices}
    by_name = {kernel.slice_name(slice).lower(): group for slice, group in by_slice.items()}
    selected: set[str] = set()
    queue = []
    for name in names:
        if name.lower() not in by_name:
            from gameplay.errors import unknown_name

            raise Usage(unknown_name("ending", name, [group.name for group in groups][:40]))
        queue.append(by_name[name.lower()])
    while queue:
        group = queue.pop()
        if group.name not in selected:
            selected.add(group.name)
            queue += [by_slice[lead] for lead in group.leads]
    return [group for group in groups if group.name in selected]


def memory_needed(kernel: NumberedKernel, group: Endgame) -> int:
    """The bytes of memory needed to solve a group."""
    own_numbers = sum(int(kernel.span(slice)) for slice in group.slices)
    lead_numbers = sum(int(kernel.span(slice)) for slice in group.leads)
    packed = 2 * own_numbers + BLOCK  # both planes and the packed output
    return 2 * lead_numbers + 3 * own_numbers + packed + (64 << 20)


def table_path(folder: Path, name: str) -> Path:
    """The file of a group."""
    return folder / (name + SUFFIX)


class TableFolder:
    """The files of a game in a folder, by slice."""

    def __init__(self, folder: Path, game: str, kernel: NumberedKernel | None = None) -> None:
        """`kernel`: of the game, if it numbers its positions.

        Raises BadInput for an invalid file; files of other games are ignored.
        """
        self.files: list[TableFile] = []
        self.by_slice: dict[int, tuple[TableFile, int]] = {}  # by slice: its file and offset
        try:
            names = sorted(os.listdir(folder))
        except FileNotFoundError:
            raise BadInput(f"there is no folder {folder} of endgame tables") from None
        except OSError as error:
            raise BadInput(f"{folder}: {error.strerror or error}") from None
        for name in names:
            if name.endswith(SUFFIX) and not name.startswith("."):
                self.add(TableFile(folder / name), game, kernel)

    def add(self, file: TableFile, game: str, kernel: NumberedKernel | None) -> None:
        """Add a file if it is of this game. Raises BadInput if its numbering differs from the game's."""
        if file.subject.game != game:
            file.close()
            return
        self.files.append(file)
        start = 0
        for name, slice, span in file.subject.slices:
            if kernel is not None and (expected := kernel.span(slice)) != span:
                raise BadInput(
                    f"{file.path} has {span} numbers of {name}, the game has {expected}; build it again"
                )
            self.by_slice[slice] = (file, start)
            start += span


def load_group(group: Endgame, kernel: NumberedKernel, folder: Path, with_own: bool) -> Retrograde:
    """The analysis of a group with the codes of all slices it leads to; `with_own`: also its own codes.

    Raises BadInput for a file that is missing, of another game, or damaged.
    """
    slices = [(slice, int(kernel.span(slice))) for slice in group.slices]
    leads = [(slice, int(kernel.span(slice))) for slice in group.leads]
    codes = retrograde.allocate_codes(sum(span for _, span in [*slices, *leads]))
    assert isinstance(kernel, Kernel)
    solver = Retrograde(kernel, slices, leads, codes)
    start = 0
    for number, (slice, span) in enumerate([*slices, *leads]):
        if with_own or number >= len(slices):
            _load_slice(solver, start, slice, span, str(kernel.slice_name(slice)), folder)
        start += span
    return solver


def _load_slice(solver: Retrograde, start: int, slice: int, span: int, name: str, folder: Path) -> None:
    """Copy the codes of a slice from its file to `start`."""
    mirror = "v".join(reversed(name.split("v")))
    paths = [path for path in (table_path(folder, name), table_path(folder, mirror)) if path.exists()]
    if not paths:
        raise BadInput(f"there is no {table_path(folder, name)}: build {name} first")
    file = TableFile(paths[0])
    offset = 0
    for _, other_slice, numbers in file.subject.slices:
        if other_slice == slice and numbers == span:
            break
        offset += numbers
    else:
        raise BadInput(f"{paths[0]} does not contain {name}; build it again")
    for block in range(offset // BLOCK, (offset + span - 1) // BLOCK + 1):
        first, stop = block * BLOCK, min(file.subject.entries, (block + 1) * BLOCK)
        results, distance_bytes = file.block("results", block), file.block("distances", block)
        first_number, stop_number = max(first, offset), min(stop, offset + span)
        begin, end = start + first_number - offset, start + stop_number - offset
        if not solver.unpack(begin, end, results, distance_bytes, first_number - first, file.subject.wide):
            raise BadInput(f"{paths[0]} is damaged: its distances do not fit its results; build it again")
    file.close()


def _chunks(solver: Retrograde) -> Iterator[tuple[int, int, int, int]]:
    """The numbers of the group's slices in chunks: slice, first, stop, and the count before."""
    count = 0
    for index in range(solver.own_count):
        span = solver.spans[index]
        for first in range(0, span, CHUNK):
            yield index, first, min(span, first + CHUNK), count + first
        count += span


def build(
    group: Endgame, kernel: NumberedKernel, game: str, folder: Path, progress: Progress | None = None
) -> BuildResult:
    """Solve a group and write its file. Raises Fault if the game is inconsistent, BadInput for files."""
    start_time = time.process_time()
    solver = load_group(group, kernel, folder, with_own=False)
    total = sum(solver.spans[: solver.own_count])
    for index, first, stop, done in _chunks(solver):
        solver.init_range(index, first, stop)
        if progress is not None:
            progress("counting moves", done, total)
    level = 1
    while level <= solver.max_code:
        for index, first, stop, _ in _chunks(solver):
            solver.step(index, first, stop, level)
        if progress is not None:
            progress("plies", level - 1, solver.max_code)
        level += 1
    solver.mark_draws()
    positions, plies = _count_positions(solver, total)
    two_bytes = plies > 255
    spans = tuple(
        (str(kernel.slice_name(slice)), slice, span)
        for slice, span in zip(group.slices, solver.spans, strict=False)
    )
    subject = Subject(game, spans, group.pieces, two_bytes, {"positions": positions, "plies": plies})
    results, distances = [], []
    for first in range(0, total, BLOCK):
        stop = min(total, first + BLOCK)
        packed, distance_bytes = (
            bytearray((stop - first + 3) // 4),
            bytearray((stop - first) * (2 if two_bytes else 1)),
        )
        solver.pack(first, stop, packed, distance_bytes)
        results.append(bytes(packed))
        distances.append(bytes(distance_bytes))
    size = write(table_path(folder, group.name), subject, {"distances": distances, "results": results})
    return BuildResult(group.name, total, positions, plies, size, time.process_time() - start_time)


def _count_positions(solver: Retrograde, total: int) -> tuple[int, int]:
    """The number of the group's positions, and the maximum plies."""
    own_codes = array("H", memoryview(solver.codes)[:total])
    positions = total - own_codes.count(NONE)
    return positions, max(0, max((code for code in set(own_codes) if code != NONE), default=0) - 1)


def verify(group: Endgame, kernel: NumberedKernel, folder: Path, progress: Progress | None = None) -> str:
    """Verify that every value of a group is the best of its successors; returns "", or the first error."""
    solver = load_group(group, kernel, folder, with_own=True)
    total = sum(solver.spans[: solver.own_count])
    for index, first, stop, done in _chunks(solver):
        mismatch = solver.find_mismatch(index, first, stop)
        if mismatch >= 0:
            kernel.set_index(group.slices[index], mismatch)
            return str(kernel.text())
        if progress is not None:
            progress("verifying", done, total)
    return ""


def compare(
    group: Endgame,
    kernel: NumberedKernel,
    folder: Path,
    reference: Callable[[Kernel], int | None],
    sample_size: int | None,
    progress: Progress | None = None,
) -> tuple[int, str]:
    """Compare the results of a group with other tables: all numbers, or a random sample per slice.

    `reference` returns 1 won, 0 drawn, -1 lost, None unknown. Returns the number of compared positions, and
    the first mismatch or "".
    """
    assert isinstance(kernel, Kernel)
    file = TableFile(table_path(folder, group.name))
    rng, count, start = Random(group.name), 0, 0
    for name, slice, span in file.subject.slices:
        numbers = (
            range(span)
            if sample_size is None or sample_size >= span
            else rng.sample(range(span), sample_size)
        )
        for done, number in enumerate(numbers):
            if progress is not None:
                progress(f"comparing {name}", done, len(numbers))
            if not kernel.set_index(slice, number):
                continue
            result = reference(kernel)
            if result is None:
                continue
            count += 1
            if (DRAWN, WON, LOST)[result] != file.result_at(start + number)[0]:
                return count, str(kernel.text())
        start += span
    file.close()
    return count, ""


def count_results(group: Endgame, kernel: NumberedKernel, folder: Path) -> Iterator[dict[str, Any]]:
    """For each slice of a group: the numbers of won, drawn and lost positions, and a longest win."""
    solver = load_group(group, kernel, folder, with_own=True)
    start = 0
    for index, slice in enumerate(group.slices):
        totals = array("q", bytes(8 * 2 * (NONE + 1)))
        span = solver.spans[index]
        for first in range(0, span, CHUNK):
            solver.census(index, first, min(span, first + CHUNK), totals)
        positions = totals[1::2]
        longest = max((code for code in range(2, NONE, 2) if positions[code]), default=0)
        text = ""
        if longest:
            kernel.set_index(slice, solver.codes.index(longest, start, start + span) - start)
            text = kernel.text()
        yield {
            "name": kernel.slice_name(slice),
            "won": sum(positions[2:NONE:2]),
            "drawn": positions[0],
            "lost": sum(positions[1:NONE:2]),
            "plies": max(0, longest - 1),
            "longest": positions[longest] if longest else 0,
            "numbers": totals[2 * longest] if longest else 0,
            "position": text,
        }
        start += span


# -- games without numbered positions: all reachable positions ---------------------------------------------

STEPS = 1 << 14  # positions between checks of the stop request
STEPS_IN_PYTHON = 1 << 8


def reachable_file_name(game: str, text: str | None) -> str:
    """The name of the file of all reachable positions, by game and start."""
    start_hash = "" if text is None else "-" + blake2b(text.encode(), digest_size=4).hexdigest()
    return re.sub("[^A-Za-z0-9.+-]+", "-", game).strip("-") + start_hash


def _explore(position: "AbstractPosition", memory: int, progress: Progress | None) -> ReachableGraph:
    """All positions reachable from a start. Raises Usage if there are too many, and errors of the game."""
    kernel = kernel_of(position)
    graph = ReachableGraph(kernel, memory)
    steps = STEPS_IN_PYTHON if kernel.python else STEPS
    while graph.explore(steps):
        if progress is not None:
            progress("positions", graph.count, graph.count)
    return graph


def build_reachable(
    position: "AbstractPosition",
    game: str,
    text: str | None,
    folder: Path,
    memory: int,
    progress: Progress | None = None,
) -> BuildResult:
    """Find and solve all positions reachable from a start, and write their file."""
    start_time = time.process_time()
    graph = _explore(position, memory, progress)
    graph.solve()
    count = graph.count
    facts: dict[str, Any] = {"positions": count, "plies": graph.max_plies, "totals": graph.census()}
    facts["start"], facts["begun"] = graph.value_at(0), text
    longest = graph.longest()
    if longest >= 0:
        for step in graph.path(longest):
            position.make(position.moves()[step])
        facts["longest"] = (position.text(), graph.value_at(longest)[1])
    graph.sort_by_key()
    two_bytes = graph.max_plies > 255
    keys, results, distances = [], [], []
    for first in range(0, count, BLOCK):
        stop = min(count, first + BLOCK)
        row = array("Q", bytes(8 * (stop - first)))
        packed, distance_bytes = (
            bytearray((stop - first + 3) // 4),
            bytearray((stop - first) * (2 if two_bytes else 1)),
        )
        graph.pack(first, stop, row, packed, distance_bytes)
        keys += [row[i : i + KEYS_PER_BLOCK] for i in range(0, len(row), KEYS_PER_BLOCK)]
        results.append(bytes(packed))
        distances.append(bytes(distance_bytes))
    facts["firsts"] = [block[0] for block in keys]
    subject = Subject(game, (("all", 0, count),), 0, two_bytes, facts)
    planes = {"keys": [block.tobytes() for block in keys], "distances": distances, "results": results}
    name = reachable_file_name(game, text)
    size = write(table_path(folder, name), subject, planes)
    return BuildResult(name, count, count, graph.max_plies, size, time.process_time() - start_time)


def verify_reachable(
    position: "AbstractPosition", file: TableFile, memory: int, progress: Progress | None = None
) -> str:
    """Verify that every value of a file is the best of its successors; returns "", or the first error."""
    graph = _explore(position, memory, progress)
    if graph.count != file.subject.entries:
        return f"{file.subject.entries:,} positions, not {graph.count:,}"
    results, plies = array("B", bytes(graph.count)), array("H", bytes(2 * graph.count))
    for position_index in range(graph.count):
        index = file.find(graph.key_of(position_index))
        if index is None:
            return "a missing position"
        results[position_index], plies[position_index] = file.result_at(index)
    mismatch = graph.find_mismatch(results, plies)
    if mismatch < 0:
        return ""
    for step in graph.path(mismatch):
        position.make(position.moves()[step])
    return str(position.text())
