ctypedef unsigned long long Points      # a set of points, a bit each

cdef class GoBitboard:
    cdef readonly int columns, rows, area
    cdef Points board                   # all points
    cdef int stride                     # from a row to the next, one bit of edge between them
    cdef unsigned long long* row_codes  # by row and its stones: the part of a code, for eight symmetries
    cdef int[512] transformed_index     # by bit and symmetry: the number of the image of a point
    cdef int symmetry                   # of the board in the last key, 0 to 7
    cdef Points edge                    # points with fewer than four neighbours
    cdef int[34] weights                # of `weighted_features`, set by the solver
    cdef Points[4096] next_own          # after each move: the stones of its mover
    cdef Points[4096] next_other
    cdef Points[4096] next_ko           # where ko forbids recapture
    cdef int[4096] moves                # the bit of each
    cdef Points living_stones           # unconditionally alive stones of the last `secure`
    cdef Points[32] regions
    cdef Points[32] chains
    cdef Points[32] chain_neighbours

    cdef Points neighbours(self, Points points) noexcept nogil
    cdef Points flood(self, Points seed, Points within) noexcept nogil
    cdef Points alive(self, Points own, Points other) noexcept nogil
    cdef Points secure(self, Points own, Points other) noexcept nogil
    cdef int area_lead(self, Points own, Points other) noexcept nogil
    cdef bint place_stone(self, Points own, Points other, int bit, int index) noexcept nogil
    cdef unsigned long long key(self, Points own, Points other, Points ko, int mover, bint passed) noexcept nogil
    cdef Points transform(self, Points points, int symmetry) noexcept nogil
    cdef Points inverse_transform(self, Points image, int symmetry) noexcept nogil
    cdef Points single_region(self, Points own) noexcept nogil
    cdef int secures(self, Points own, Points other, int bit, int index, Points single_region, int required) noexcept nogil
    cdef int weighted_features(self, Points own, Points other, Points empty, int first) noexcept nogil
