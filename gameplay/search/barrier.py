"""Order between threads: what is written before a barrier is seen before what is written after it."""


def barrier() -> None:
    """Nothing to do where the interpreter runs one thread at a time; in C see barrier.pxd."""
