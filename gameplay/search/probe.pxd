from gameplay.kernel cimport Kernel

cdef class Probe:
    cdef readonly int most              # maximum number of pieces of a probe; 0: any
    cdef readonly long long probes, cutoffs # probes of the sources; those that ended a search
    cdef readonly int value, bound, move # result of the last probe, see `probe`
    cdef list sources
    cdef object position
    cdef bint probe(self, Kernel kernel, int ply, int alpha, int beta) noexcept nogil
    cdef bint probe_sources(self, int ply, int alpha, int beta)
