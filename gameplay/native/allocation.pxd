# The interpreter's allocator for compiled modules: a zeroed block, and a resized one. Both raise MemoryError; free
# them with PyMem_Free.
from cpython.mem cimport PyMem_Calloc, PyMem_Realloc

cdef inline void* zeroed(size_t count, size_t size) except NULL:
    cdef void* block = PyMem_Calloc(count, size)
    if block == NULL:
        raise MemoryError
    return block

cdef inline void* resized(void* block, size_t size) except NULL:
    block = PyMem_Realloc(block, size)
    if block == NULL:
        raise MemoryError
    return block
