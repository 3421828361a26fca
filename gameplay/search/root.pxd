from gameplay.kernel cimport Kernel
from gameplay.search.control cimport Control
from gameplay.search.probe cimport Probe

cdef class RootSearch:
    cdef readonly Kernel kernel
    cdef readonly Control control

    # What watchers read while the search runs.
    cdef readonly long long nodes
    cdef readonly int seldepth
    cdef readonly object best           # what report() returns, replaced as a whole

    cdef long long next_poll
    cdef public long long most          # nodes this thread may visit, 0: no limit
    cdef public list helpers            # searches of other threads that fill the same table
    cdef public int helper              # 0: the search itself; 1, 2, ...: the number among those
    cdef public bint shared             # there are such threads
    cdef public int multipv             # candidates wanted at the root
    cdef public bint deepens            # of an engine with a fixed depth: nodes or time are limited, see Limit
    cdef int poll_interval              # nodes between two looks at the control
    cdef bint stopped                   # unwind: the values returned from now on mean nothing
    cdef list moves                     # of the root, in the order in which they are tried
    cdef public Probe probe             # what is known without a search, None: there is nothing to ask
    cdef object trace                   # called with each TraceEvent; None: no tracing
    cdef bint tracing
    cdef object failure                 # what the callable that traces raised

    cdef bint count(self) noexcept nogil
    cdef bint poll(self) noexcept nogil
    cdef void fail(self, object error) noexcept
