"""Builds endgame tables in several processes: one group of slices each, after the groups that it leads to."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path

from gameplay import registry
from gameplay.errors import Fault, Usage
from gameplay.knowledge.tables import building, tables
from gameplay.knowledge.tables.building import BuildResult, Endgame
from gameplay.runs.pool import Pool, TaskPool
from gameplay.runs.workers import Cluster, Remote

# The name of a table, the phase, and the amounts done and total.
TableProgress = Callable[[str, str, int, int], None]

GROUP_TIMEOUT = 30 * 86400.0  # seconds that a group may take


@dataclass(frozen=True)
class TableJob:
    """A group to build, for any process."""

    game: str  # its spec
    name: str  # of the game in the file
    folder: str
    group: Endgame


def build(job: TableJob, progress: building.Progress | None = None) -> BuildResult:
    """Build a group in this process."""
    kernel = registry.game(job.game).new()
    assert tables.is_numbered(kernel)
    return building.build(job.group, kernel, job.name, Path(job.folder), progress)


def missing(
    groups: list[Endgame], name: str, folder: Path, unusable: Callable[[Exception], object] | None = None
) -> list[Endgame]:
    """The groups without a readable file. `unusable` is called with the error of each damaged file."""
    from gameplay.errors import BadInput
    from gameplay.knowledge.tables.table_file import TableFile

    missing = []
    for group in groups:
        path = building.table_path(folder, group.name)
        try:
            file = TableFile(path) if path.exists() else None
        except BadInput as error:
            file = None
            if unusable is not None:
                unusable(error)
        if file is None:
            missing.append(group)
            continue
        subject = file.subject
        file.close()
        if subject.game != name:
            raise Usage(f"{path} is a table of {subject.game}. Try: another --folder")
        if tuple(slice for _, slice, _ in subject.slices) != group.slices:
            missing.append(group)
    return missing


def build_all(
    jobs: list[TableJob],
    processes: int,
    memory: int,
    progress: TableProgress | None = None,
    cluster: str | None = None,
) -> Iterator[BuildResult]:
    """Build groups and yield each when it is finished. `memory`: limit in bytes for all processes together.

    With `cluster`, the address of a dask scheduler, its workers build, and `memory` is their common limit.
    Raises Usage before building if a single group needs more.
    """
    if not jobs:
        return
    kernel = registry.game(jobs[0].game).new()
    assert tables.is_numbered(kernel)
    costs = {job.group.name: building.memory_needed(kernel, job.group) for job in jobs}
    worst = max(jobs, key=lambda job: costs[job.group.name])
    if costs[worst.group.name] > memory:
        needs, have = costs[worst.group.name] / 2**20, memory / 2**20
        raise Usage(
            f"{worst.group.name} needs {needs:,.0f} MB; --memory is {have:,.0f}. Try: --memory {ceil(needs)}"
        )
    if cluster is not None:
        yield from _build_in_pool(jobs, Remote(Cluster(cluster)), memory, costs, progress)
        return
    if processes == 1:
        for job in jobs:
            yield build(job, partial(progress, job.group.name) if progress is not None else None)
        return
    yield from _build_in_pool(jobs, Pool(min(processes, len(jobs))), memory, costs, progress)


def _build_in_pool(
    jobs: list[TableJob],
    workers: TaskPool,
    memory: int,
    costs: dict[str, int],
    progress: TableProgress | None = None,
) -> Iterator[BuildResult]:
    """Build groups in a pool of processes, without progress within a table."""
    waiting = list(jobs)
    running: dict[str, TableJob] = {}
    unbuilt = {slice for job in jobs for slice in job.group.slices}
    with workers as pool:
        while waiting or running:
            free = memory - sum(costs[job.group.name] for job in running.values())
            for job in list(waiting):
                if pool.free == 0:
                    break
                if unbuilt.isdisjoint(job.group.leads) and costs[job.group.name] <= free:
                    waiting.remove(job)
                    running[job.group.name] = job
                    free -= costs[job.group.name]
                    pool.submit(build, job, GROUP_TIMEOUT)
            if progress is not None:
                progress(", ".join(running), "built", len(jobs) - len(waiting) - len(running), len(jobs))
            for ended in pool.wait(1.0):
                if ended.error is not None:
                    raise ended.error
                if ended.died:
                    raise Fault(f"{ended.task.group.name}: {ended.died}")
                del running[ended.task.group.name]
                unbuilt -= set(ended.task.group.slices)
                yield ended.result
