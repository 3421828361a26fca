cimport cython

from gameplay.games.scrabble.layout cimport *

@cython.final
cdef class Lexicon:
    cdef readonly int size, root, words     # number of edges, first state, number of words
    cdef readonly object held               # the edges
    cdef object behind, below, before       # the memory of the other pointers
    cdef unsigned int* edges
    cdef unsigned int* counts               # by edge: the words below it
    cdef unsigned int* totals               # by state
    cdef unsigned int* first                # by word: the number of plays of the words before it

    cdef bint count_words(self) noexcept nogil
    cdef bint sum_up(self) noexcept nogil
    cdef int owner(self, unsigned int number) noexcept nogil
    cdef int walk(self, int state, int length, int rank) noexcept nogil

cdef int ways_of(int length) noexcept nogil
