ctypedef unsigned long long Points      # a set of points, a bit each

cdef class GoBitboard:
    cdef readonly int columns, rows, area
    cdef Points board                   # all points
    cdef int stride                     # from a row to the next, one bit of edge between them
    cdef unsigned long long* codes      # by row and what stands on it: that row's part of a code, for eight symmetries
    cdef int[512] places                # the number of a point, by its bit, on the board turned and mirrored
    cdef int symmetry                   # of the board in the last key, 0 to 7
    cdef Points edge                    # points with fewer than four neighbours
    cdef int[34] weights                # of `weigh`, set by the solver
    cdef Points[4096] next_own          # stones after each move, as its mover sees them
    cdef Points[4096] next_other
    cdef Points[4096] next_ko           # where ko forbids recapture
    cdef int[4096] moves                # the bit of each
    cdef Points living                  # the stones that live of the side asked about last by `secure`
    cdef Points[32] regions
    cdef Points[32] chains
    cdef Points[32] beside

    cdef Points near(self, Points points) noexcept nogil
    cdef Points flood(self, Points seed, Points within) noexcept nogil
    cdef Points alive(self, Points own, Points other) noexcept nogil
    cdef Points secure(self, Points own, Points other) noexcept nogil
    cdef int lead(self, Points own, Points other) noexcept nogil
    cdef bint play(self, Points own, Points other, int bit, int number) noexcept nogil
    cdef unsigned long long key(self, Points own, Points other, Points ko, int mover, bint passed) noexcept nogil
    cdef Points turned(self, Points points, int symmetry) noexcept nogil
    cdef Points turned_back(self, Points code, int symmetry) noexcept nogil
    cdef Points whole(self, Points own) noexcept nogil
    cdef int ends(self, Points own, Points other, int bit, int number, Points whole, int enough) noexcept nogil
    cdef int weigh(self, Points own, Points other, Points empty, int first) noexcept nogil
