# mypy: ignore-errors
"""The numbers in a writable buffer, by index; `pointers.pxd` holds the C pointers of compiled modules.

A pointer is valid while its `owner` exists and keeps its size.
"""


def ints(owner):
    """The numbers of a buffer of C ints; likewise the functions below, each for its C type."""
    return owner


schars = uchars = shorts = ushorts = uints = longlongs = ulonglongs = floats = doubles = ints
