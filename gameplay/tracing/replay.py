"""The position at a step of a traced search."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gameplay.capabilities import HasNullMove
from gameplay.errors import IllegalMove

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition
    from gameplay.tracing.trace import TraceStep


@contextmanager
def replay_steps(position: "AbstractPosition", steps: "Iterable[TraceStep]") -> Iterator[int | None]:
    """Make the moves of `steps` on `position`, which is at the root; yield the last one, then unmake all.

    After an opponent's pass in the search the next move may be illegal; then the position before it is used.
    """
    undo: list[Callable[[], None]] = []
    last: int | None = None
    try:
        try:
            for step in steps:
                if not step.word or step.why in ("singular", "verified"):
                    continue
                if step.why == "null move":
                    assert isinstance(position, HasNullMove)  # others have no null moves
                    position.make_null()
                    undo.append(position.unmake_null)
                    continue
                for word in step.word.split():
                    last = position.parse(word)
                    position.make(last)
                    undo.append(position.unmake)
        except IllegalMove:
            pass
        yield last
    finally:
        while undo:
            undo.pop()()
