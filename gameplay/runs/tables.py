"""Builds endgame tables on several processes: a group of slices each, once what it leads to is there."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gameplay import registry
from gameplay.errors import Fault, Usage
from gameplay.knowledge import _building
from gameplay.knowledge._building import Built, Endgame
from gameplay.runs.pool import Pool

FOREVER = 30 * 86400.0  # seconds that a group may take


@dataclass(frozen=True)
class TableJob:
    """A group to build, for any process."""

    game: str  # its spec
    name: str  # what the file calls it
    folder: str
    group: Endgame


def build(job: TableJob, tell: Any = None) -> Built:
    """Build it here."""
    kernel = registry.game(job.game).new()
    return _building.build(job.group, kernel, job.name, Path(job.folder), tell)


def missing(groups: list[Endgame], kernel: Any, name: str, folder: Path) -> list[Endgame]:
    """Those that have no file yet, or one of an older version or otherwise wrong."""
    from gameplay.errors import BadInput
    from gameplay.knowledge._tablefile import TableFile

    left = []
    for group in groups:
        path = _building.file_of(folder, group.name)
        try:
            file = TableFile(path) if path.exists() else None
        except BadInput:
            file = None
        if file is None:
            left.append(group)
            continue
        subject = file.subject
        file.close()
        if subject.game != name:
            raise Usage(f"{path} is of another game, {subject.game}: name another --folder")
        if tuple(slice for _, slice, _ in subject.slices) != group.slices:
            left.append(group)
    return left


def build_all(jobs: list[TableJob], processes: int, memory: int, tell: Any = None) -> Iterator[Built]:
    """Build groups, and give each as it ends. `memory`: bytes that all processes together may take.

    Raises Usage if one group alone takes more than that, before anything is built.
    """
    if not jobs:
        return
    kernel = registry.game(jobs[0].game).new()
    costs = {job.group.name: _building.memory(kernel, job.group) for job in jobs}
    worst = max(jobs, key=lambda job: costs[job.group.name])
    if costs[worst.group.name] > memory:
        needs, have = costs[worst.group.name] / 2**20, memory / 2**20
        raise Usage(f"{worst.group.name} takes {needs:,.0f} MB of memory, and --memory allows {have:,.0f}")
    if processes == 1:
        for job in jobs:
            yield build(job, tell and (lambda *told, name=job.group.name: tell(name, *told)))
        return
    yield from _spread(jobs, processes, memory, costs)


def _spread(jobs: list[TableJob], processes: int, memory: int, costs: dict[str, int]) -> Iterator[Built]:
    """The same over several processes."""
    waiting = list(jobs)
    running: dict[str, TableJob] = {}
    undone = {slice for job in jobs for slice in job.group.slices}
    with Pool(min(processes, len(jobs))) as pool:
        while waiting or running:
            left = memory - sum(costs[job.group.name] for job in running.values())
            for job in list(waiting):
                if pool.free == 0:
                    break
                if undone.isdisjoint(job.group.leads) and costs[job.group.name] <= left:
                    waiting.remove(job)
                    running[job.group.name] = job
                    left -= costs[job.group.name]
                    pool.submit(build, job, FOREVER)
            for ended in pool.wait(1.0):
                if ended.error is not None:
                    raise ended.error
                if ended.died:
                    raise Fault(f"{ended.task.group.name}: {ended.died}")
                del running[ended.task.group.name]
                undone -= set(ended.task.group.slices)
                yield ended.result
