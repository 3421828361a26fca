# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Memory for tables: of this process alone, or whatever else is a writable buffer.  Types: memory.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import mmap
from contextlib import suppress

if cython.compiled:
    from cython.cimports.cpython.buffer import PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer


def address_of(owner):
    """Address of a writable buffer, good while the memoryview `owner` lives."""
    view = cython.declare(Py_buffer)
    PyObject_GetBuffer(owner, cython.address(view), PyBUF_WRITABLE)
    address: cython.p_void = view.buf
    PyBuffer_Release(cython.address(view))
    return address


class PrivatePages(mmap.mmap):
    """Zeroed memory of this process alone, which the system provides page by page (Linux)."""

    def clear(self):
        """Make it all zeros: the pages go back to the system, and new ones come as they are used."""
        self.madvise(mmap.MADV_DONTNEED)


def memory(size):
    """Zeroed memory of this process, in huge pages where the system has them: half a search is waiting for
    the table, and half of that for the address of a page."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return mmap.mmap(-1, size)
    pages = PrivatePages(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # not every kernel was built with them
        pages.madvise(mmap.MADV_HUGEPAGE)
    return pages
