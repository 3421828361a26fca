"""Plays the games of a learning run in several processes."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.options import cores

if TYPE_CHECKING:
    from gameplay.learning.generations import GenerationRun


@contextmanager
def parallel_games(run: "GenerationRun[Any, Any]", jobs: int | None, cluster: str | None) -> Iterator[None]:
    """A context in which independent games are played in several processes.

    The learned weights are independent of the number of processes.
    """
    from gameplay.errors import Fault
    from gameplay.runs.pool import Pool
    from gameplay.runs.workers import Cluster, Remote

    count = jobs or cores()
    if cluster is None and count == 1:
        yield
        return
    with Pool(count) if cluster is None else Remote(Cluster(cluster)) as pool:

        def each(work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
            for result in pool.each(work, tasks, run.idle):
                if isinstance(result, str):
                    raise Fault(f"a game was lost, {result}; resume with: gameplay learn resume {run.folder}")
                yield result

        run.spread(each)
        yield
