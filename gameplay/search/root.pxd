from gameplay.kernel cimport Kernel
from gameplay.search.control cimport Control
from gameplay.search.probe cimport Probe

cdef class RootSearch:
    cdef readonly Kernel kernel
    cdef readonly Control control

    # Read by displays during the search.
    cdef readonly long long nodes
    cdef readonly int seldepth
    cdef readonly object best           # the result of report(), replaced as a whole

    cdef long long next_poll
    cdef public long long node_limit    # node limit of this thread; 0: none
    cdef public list helpers            # the searches of other threads with the same table
    cdef public int helper              # 0: the main search; 1, 2, ...: the number of this helper
    cdef public bint shared             # there are helpers
    cdef public int multipv             # number of root moves to report
    cdef public bint deepens            # an engine with a fixed depth deepens, since nodes or time are limited, see Limit
    cdef int poll_interval              # nodes between polls of the control
    cdef bint stopped                   # the search unwinds; returned values are invalid
    cdef list moves                     # of the root, in the order of search
    cdef public Probe probe             # tables and solvers to probe; None: none
    cdef object trace                   # called with each TraceEvent; None: no tracing
    cdef bint tracing
    cdef object failure                 # the exception raised by `trace`

    cdef bint count(self) noexcept nogil
    cdef bint poll(self) noexcept nogil
    cdef void fail(self, object error) noexcept
