# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Memory for tables: private to this process, or any writable buffer.  Types: memory.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import mmap
from contextlib import suppress

if cython.compiled:
    from cython.cimports.cpython.buffer import PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer


def address_of(owner):
    """Address of a writable buffer; valid while the memoryview `owner` exists."""
    view = cython.declare(Py_buffer)
    PyObject_GetBuffer(owner, cython.address(view), PyBUF_WRITABLE)
    address: cython.p_void = view.buf
    PyBuffer_Release(cython.address(view))
    return address


class PrivatePages(mmap.mmap):
    """Zeroed private memory, which the system provides page by page (Linux)."""

    def clear(self):
        """Zero all of it: return the pages to the system, which provides new ones on use."""
        self.madvise(mmap.MADV_DONTNEED)


def memory(size):
    """Zeroed private memory, in huge pages if the system supports them.

    About half of a search's time is access to the table, and half of that address translation.
    """
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return mmap.mmap(-1, size)
    pages = PrivatePages(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a kernel without huge pages
        pages.madvise(mmap.MADV_HUGEPAGE)
    return pages
